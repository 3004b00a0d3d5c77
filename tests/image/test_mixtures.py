# SPDX-License-Identifier: MIT
"""Objects that were compiled at different levels do not link: the linker prints
both levels and the object, GNU ld and lld, archives and bare objects alike."""

import functools
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import LEVELS, ROOT, is_full, tool  # noqa: E402

GCC = ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb")
CLANG = ("clang-19", "--target=arm-none-eabi", "-mcpu=cortex-m3",
         "-ffreestanding", "-fuse-ld=lld-19", "-Wno-unused-command-line-argument")
COMPILE = ("-std=c11", "-Os", "-ffunction-sections", "-fdata-sections",
           "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT}/lib",
           f"-I{ROOT}/port/cortex_m", "-I.", "-c")
TABLE = """tidepool = 1
[banks]
psram = { region = "PSRAM", budget = 1600 }
[pools]
sparks = { size = 24, count = 10, full = "drop"%s }
"""
NET = """tidepool = 1
build.name = "net"
[pools]
sparks = { size = 24, count = 10, full = "drop" }
"""
MAIN = """#include "tp_pools.h"
void reset(void);
void reset(void) { for (;;) sparks_free(sparks_alloc()); }
"""
BY_HAND = """#include "config/tp_define.h"
TP_POOL_DEFINE(sparks, 24, 10, 8, .policy = &tp_drop, .refuses = 1);
void reset(void);
void reset(void) {
  for (;;) tp_pool_free(&sparks_pool, tp_pool_alloc(&sparks_pool));
}
"""
SCRIPT = """ENTRY(reset)
MEMORY {
  FLASH (rx) : ORIGIN = 0, LENGTH = 64K
  RAM (rw) : ORIGIN = 0x20000000, LENGTH = 64K
  PSRAM (rw) : ORIGIN = 0x60000000, LENGTH = 64K
}
SECTIONS {
  .text : { *(.text* .rodata*) } > FLASH
  .ARM.exidx : { *(.ARM.exidx*) } > FLASH
  .data : { *(.data*) } > RAM AT > FLASH
  INCLUDE tp_pools.ld
  .bss (NOLOAD) : { *(.bss* COMMON) } > RAM
  .noinit (NOLOAD) : { *(.noinit*) } > RAM
}
"""
FOLDERS = []
# Of lib/, what these firmwares are linked with: without one of it they are not.
NEEDED = [ROOT / "lib" / name for name in
          ("check/tp_check.c", "core/tp_core.c", "policy/tp_policy.c")]


def new_folder():
    FOLDERS.append(Path(tempfile.mkdtemp(prefix="tidepool-")))
    return FOLDERS[-1]


def tearDownModule():
    library.cache_clear()
    while FOLDERS:
        shutil.rmtree(FOLDERS.pop())


def compiled(compiler, folder, switches, *sources):
    subprocess.run([*compiler, *COMPILE, *switches, *sources], cwd=folder,
                   check=True)
    return sorted(folder.glob("*.o"))


@functools.lru_cache(None)
def library(compiler, *switches):
    """The objects, and an archive of them."""
    folder = new_folder()
    objects = compiled(compiler, folder, switches, *sources(compiler, switches))
    tool("arm-none-eabi-ar", "rcs", folder / "libtidepool.a", *objects)
    return objects, [folder / "libtidepool.a"]


def sources(compiler, switches):
    """All of lib/ at one level, and in the full tests always; else what is needed."""
    if is_full() or (compiler in (GCC, CLANG) and switches == at("fast")):
        return sorted((ROOT / "lib").glob("*/*.c"))
    return NEEDED


def firmware(compiler, switches, bank):
    """A folder with the objects of a table and its application."""
    folder = new_folder()
    (folder / "pools.toml").write_text(
        TABLE % (', bank = "psram"' if bank else ""))
    tool("lib/config/tidepool.py", "generate", folder / "pools.toml", "--out",
         folder)
    (folder / "main.c").write_text(MAIN)
    return compiled(compiler, folder, switches, "main.c", "tp_pools.c")


def by_hand(compiler, switches):
    folder = new_folder()
    (folder / "main.c").write_text(BY_HAND)
    (folder / "tp_pools.ld").write_text("")
    return compiled(compiler, folder, switches, "main.c")


def at(level, *more):
    return (f"-DTP_CHECKS={LEVELS.index(level)}", *more)


class ByGnu(unittest.TestCase):
    compiler = GCC
    objects = ["tp_check.o"]  # Of two that define a symbol GNU ld names one.

    def link(self, objects, libraries, *more):
        folder = objects[0].parent
        (folder / "script.ld").write_text(SCRIPT)
        return subprocess.run(
            [*self.compiler, "-Os", "-nostdlib", "-Wl,--gc-sections", f"-L{folder}",
             "-T", folder / "script.ld", *more, *objects, *libraries, "-o",
             folder / "image.elf"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)

    def refused(self, objects, libraries, *words, more=()):
        result = self.link(objects, libraries, *more)
        self.assertNotEqual(0, result.returncode)
        for word in words:
            self.assertIn(word, result.stdout)

    def test_a_table_at_another_level_than_the_library_is_a_sentence(self):
        for here, there, bank in (("off", "fast", False), ("off", "fast", True),
                                  ("fast", "off", False), ("fast", "off", True)):
            objects = firmware(self.compiler, at(here), bank)
            for libraries in library(self.compiler, *at(there)):
                with self.subTest(here=here, there=there, bank=bank):
                    self.refused(
                        objects, libraries,
                        f"tidepool_ERROR_TIDEPOOL_CHECKS_is_{here}_in_"
                        f"tp_pools_c_but_{there}_in_the_library", *self.objects)

    def test_a_library_s_table_at_another_level_is_a_sentence(self):
        folder = new_folder()
        (folder / "net.toml").write_text(NET)
        (folder / "pools.toml").write_text('tidepool = 1\n'
                                           'build.include = ["net.toml"]\n')
        (folder / "main.c").write_text(MAIN.replace("tp_pools", "net_pools"))
        tool("lib/config/tidepool.py", "generate", folder / "pools.toml",
             "--out", folder, "--libraries")
        compiled(self.compiler, folder, at("fast"), "main.c", "tp_pools.c",
                 "net_pools.c")
        libraries = library(self.compiler, *at("fast"))[1]
        objects = sorted(folder.glob("*.o"))
        self.assertEqual("", self.link(objects, libraries).stdout)
        compiled(self.compiler, folder, at("off"), "net_pools.c")
        self.refused(objects, libraries,
                     "tidepool_ERROR_TIDEPOOL_CHECKS_is_off_in_net_pools_c_but_"
                     "fast_in_tp_pools_c")

    def test_a_table_with_another_audit_than_the_library_is_a_sentence(self):
        objects = firmware(self.compiler, at("fast", "-DTP_AUDIT=0"), False)
        self.refused(objects, library(self.compiler, *at("fast"))[0],
                     "tidepool_ERROR_TP_AUDIT_is_0_in_tp_pools_c_but_1_in_"
                     "the_library", *self.objects)

    def test_a_table_for_the_soak_and_a_library_that_is_not_is_a_sentence(self):
        objects = firmware(self.compiler, at("fast", "-DTIDEPOOL_SOAK=1"), False)
        self.refused(objects, library(self.compiler, *at("fast"))[0],
                     "tidepool_ERROR_TIDEPOOL_SOAK_is_1_in_tp_pools_c_but_0_in_"
                     "the_library", *self.objects)

    def test_a_table_that_is_sanitized_and_a_library_that_is_not_is_a_sentence(self):
        objects = firmware(self.compiler, at("fast", "-DTIDEPOOL_SANITIZE=1"), False)
        self.refused(objects, library(self.compiler, *at("fast"))[0],
                     "tidepool_ERROR_TIDEPOOL_SANITIZE_is_1_in_tp_pools_c_but_0_in_"
                     "the_library", *self.objects)

    def test_a_table_that_keeps_events_and_a_library_that_does_not_is_a_sentence(self):
        objects = firmware(self.compiler, at("fast", "-DTIDEPOOL_EVENTS=64"), False)
        self.refused(objects, library(self.compiler, *at("fast"))[0],
                     "tidepool_ERROR_TIDEPOOL_EVENTS_is_some_in_tp_pools_c_but_0_in_"
                     "the_library", *self.objects)

    def test_a_pool_by_hand_at_another_level_is_a_sentence(self):
        for libraries in library(self.compiler, *at("fast")):
            self.refused(by_hand(self.compiler, at("off")), libraries,
                         "CHECKS_0_AUDIT_1", "CHECKS_1_AUDIT_1", "main.o")

    def test_optimised_across_files_it_is_a_sentence_still(self):
        lto = self.compiler + ("-flto",)
        objects = library(lto, *at("fast"))[0]
        self.refused(firmware(lto, at("off"), False), objects,
                     "tidepool_ERROR_TIDEPOOL_CHECKS_is_off_in_tp_pools_c_but_"
                     "fast_in_the_library", more=["-flto"])
        for right in (firmware(lto, at("fast"), True),
                      by_hand(lto, at("fast"))):
            result = self.link(right, objects, "-flto")
            self.assertEqual((0, ""), (result.returncode, result.stdout))

    def test_what_is_alike_links_without_a_word(self):
        for level in ("off", "fast"):
            for libraries in library(self.compiler, *at(level)):
                for objects in (firmware(self.compiler, at(level), True),
                                firmware(self.compiler, at(level), False),
                                by_hand(self.compiler, at(level))):
                    result = self.link(objects, libraries)
                    self.assertEqual((0, ""),
                                     (result.returncode, result.stdout))

    def image(self, *switches):
        """The bytes of an image, and what nm and objdump say of it."""
        objects = firmware(self.compiler, at("fast", *switches), True)
        self.link(objects, library(self.compiler, *at("fast", *switches))[0])
        elf, raw = (objects[0].parent / name for name in ("image.elf", "raw"))
        tool("arm-none-eabi-objcopy", "-O", "binary", elf, raw)
        return (raw.read_bytes(), tool("arm-none-eabi-nm", elf),
                tool("arm-none-eabi-objdump", "-h", elf).split("Sections:")[1])

    def test_no_byte_of_the_image_says_so(self):
        """It is for ELF: for anything else the macros are empty. Nor does what
        outlives a reset fill a file up to the address of RAM."""
        with_it, without = self.image(), self.image("-U__ELF__")
        self.assertLess(len(with_it[0]), 32768)
        self.assertIn("tidepool_ERROR_TIDEPOOL_CHECKS", with_it[1])
        self.assertNotIn("tidepool_ERROR_TIDEPOOL_CHECKS", without[1])
        self.assertEqual(without[0], with_it[0])
        self.assertEqual(without[2], with_it[2])


class ByLld(ByGnu):
    compiler = CLANG
    objects = ["tp_check.o", "tp_pools.o"]


class Headers(unittest.TestCase):
    def test_what_an_application_includes_is_the_same_at_all_levels(self):
        """So its own objects may be compiled at any."""
        public = [path for path in sorted((ROOT / "lib").rglob("*.h"))
                  if " - internal:" not in path.read_text()]
        self.assertLess(15, len(public))
        for path in public:
            self.assertEqual(1, len({self.preprocessed(path, level)
                                     for level in LEVELS}), path)

    def preprocessed(self, path, level):
        text = tool("gcc", "-E", "-P", *at(level), "-Ilib", "-Iport/host", path)
        return re.sub(r"extern const char tidepool_ERROR_\w+\[\];", "", text)


if __name__ == "__main__":
    unittest.main()
