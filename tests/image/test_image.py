# SPDX-License-Identifier: MIT
"""What is, and what is not, in the images we build."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bare import library  # noqa: E402
from support import (HANG_SECONDS, LEVELS, ROOT, build,  # noqa: E402
                     dropping_image, emulator, is_full, tool)

OTHER_CORES = ("cortex-m0", "cortex-m7")


def symbols(elf):
    """name -> address"""
    lines = tool("arm-none-eabi-nm", str(elf)).splitlines()
    return {words[-1]: int(words[0], 16)
            for words in map(str.split, lines) if len(words) == 3}


class Console(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = build("mps2_an385", "poison", "console")
        cls.elf = folder / "console.elf"
        cls.symbols = symbols(cls.elf)

    def test_no_heap_is_in_the_console(self):
        heap = re.compile(r"^_?(malloc|calloc|realloc|free|sbrk|_malloc_r|"
                          r"_free_r|_sbrk|_sbrk_r)$")
        self.assertEqual([], [name for name in self.symbols
                              if heap.match(name)])

    def test_particles_lie_in_psram_and_sounds_in_ram(self):
        self.assertEqual(0x21, self.symbols["particles_storage"] >> 24)
        self.assertEqual(0x20, self.symbols["sounds_storage"] >> 24)

    def test_the_map_shows_each_arena_in_its_bank(self):
        text = self.elf.with_suffix(".map").read_text()
        self.assertRegex(text, r"\.bss\.tp_arena\.psram\.particles\s+0x0*21")
        self.assertRegex(text, r"\.bss\.tp_arena\.ram\.sounds\s+0x0*20")

    def test_arenas_take_no_flash(self):
        headers = tool("arm-none-eabi-objdump", "-h", str(self.elf))
        self.assertRegex(headers, r"\.tp_arena_psram .*\n\s+ALLOC\n")
        self.assertRegex(headers, r"\.tp_arena_ram .*\n\s+ALLOC\n")

    def test_the_game_calls_only_generated_functions(self):
        raw = re.compile(r"\btp_(pool_alloc|pool_free|handle_(of|get|free))\b")
        for source in (ROOT / "qemu" / "game").glob("*.c"):
            self.assertIsNone(raw.search(source.read_text()), source.name)


class Library(unittest.TestCase):
    def test_the_headers_compile_as_cplusplus_17(self):
        with tempfile.TemporaryDirectory() as folder:
            tool("python3", "lib/config/tidepool.py", "generate",
                 "qemu/game/pools.toml", "--out", folder)
            source = Path(folder) / "user.cpp"
            source.write_text('#include "tp_pools.h"\n'
                              "struct particle *one() "
                              "{ return particles_alloc(); }\n"
                              "void two(struct voice *v) { sounds_free(v); }\n")
            for compiler in (["g++"], ["arm-none-eabi-g++", "-mcpu=cortex-m3",
                                       "-mthumb"]):
                port = "host" if compiler == ["g++"] else "cortex_m"
                tool(*compiler, "-std=c++17", "-Wall", "-Wextra", "-Wpedantic",
                     "-Werror", "-Ilib", f"-Iport/{port}", "-Iqemu/game",
                     f"-I{folder}", "-fsyntax-only", str(source))

    def test_every_file_compiles_without_warnings_by_two_standards(self):
        """C17 is C11 but for what it mends: one level tells."""
        for standard, levels in (("-std=c11", "0123"),
                                 ("-std=c17", "0123" if is_full() else "3")):
            for level in levels:
                tool("gcc", standard, "-Wall", "-Wextra", "-Wpedantic",
                     "-Wconversion", "-Wsign-conversion", "-Wshadow",
                     "-Wcast-qual", "-Wundef", "-Wstrict-prototypes",
                     "-Wvla", "-Werror", f"-DTP_CHECKS={level}", "-Ilib",
                     "-Iport/host", "-fsyntax-only",
                     *sorted((ROOT / "lib").glob("*/*.c")))


# What the core does for the checks' sake, and what is left without it.
CHECKS = [
    (r"^ *tp_check_\w+\(.*\);$", ""),
    (r"^ *key = tp_core_clean\(.*\);$", ""),
]
# Tags serve handles too, where a pool has them; a dropping pool has none.
TAGS = [
    (r"^ *tp_slot_renew\(.*\);$", ""),
    (r"tp_tag_issue\(pool, slot\)", "true"),
    (r"tp_tag_retire\(pool, \(uint32_t\)slot\)", "true"),
    (r"tp_tag_rewind\(pool, slot\)", "false"),
]


class Off(unittest.TestCase):
    def test_off_is_byte_for_byte_what_it_is_without_any_hook(self):
        with tempfile.TemporaryDirectory() as folder:
            own = self.own_pool(folder)
            for source, hooks in ((own, CHECKS + TAGS),
                                  ("core/tp_core.c", CHECKS)):
                bare = self.without(hooks, Path(folder) / Path(source).stem)
                for cpu in ("cortex-m0", "cortex-m3"):
                    for option in ("-O2", "-Os"):
                        objects = [
                            self.compile(cpu, option, lib, source, folder)
                            for lib in (ROOT / "lib", bare)]
                        self.assertEqual(*objects)

    def test_of_what_programs_the_mpu_nothing_is_linked_unless_it_is_called(self):
        with tempfile.TemporaryDirectory() as folder:
            for cpu in ("cortex-m3", "cortex-m33", *OTHER_CORES * is_full()):
                images = []
                for more in ("", "port/mpu"):
                    out = Path(folder) / "out.bin"
                    tool("arm-none-eabi-objcopy", "-O", "binary", dropping_image(
                        folder, cpu, "fast", more, library(cpu, 1)), out)
                    images.append(out.read_bytes())
                self.assertGreater(len(images[0]), 100)
                self.assertEqual(*images)

    def without(self, hooks, folder):
        """A copy of the library whose core has not these hooks."""
        shutil.copytree(ROOT / "lib", folder)
        core = folder / "core" / "tp_core.h"
        text = core.read_text()
        for hook, instead in hooks:
            text, count = re.subn(hook, instead, text, flags=re.M)
            self.assertGreater(count, 0, hook)
        core.write_text(text)
        return folder

    def own_pool(self, folder):
        source = Path(folder) / "own.c"
        source.write_text("""#include "tp_by_hand.h"
            void *a_alloc(void);
            void a_free(void *object);
            TP_POOL_DEFINE(a, 32, 64, 8, .policy = &tp_drop, .refuses = 1);
            TEST_OWN(a, void);""")
        return source

    def compile(self, cpu, option, lib, source, folder):
        out = Path(folder) / "out.o"
        tool("arm-none-eabi-gcc", f"-mcpu={cpu}", "-mthumb", "-std=c11",
             "-ffreestanding", option, "-DTP_CHECKS=0", "-w", f"-I{lib}",
             "-Iport/cortex_m", "-Itests", "-o", str(out), "-c", str(lib / source))
        return out.read_bytes()


class Checkerboard(unittest.TestCase):
    def test_a_pattern_that_defeats_malloc_is_served_after_compaction(self):
        heaps = ("newlib", "newlib-nano", "picolibc")
        folder = build("mps2_an385", "fast",
                       *[f"checkerboard_{heap}" for heap in heaps])
        for heap in heaps:
            with self.subTest(heap=heap):
                output = tool(*emulator("mps2_an385",
                                        folder / f"checkerboard_{heap}.elf"))
                self.assertRegex(output, "ok malloc_fails_after")
                self.assertRegex(output, "ok the_relocating_pool_serves_it")
                self.assertRegex(output, "2 passed, 0 failed")


# What a pool needs whatever its policy, by the level that brings it.
OF_EVERY_POOL = [
    {"tp_pool_alloc", "tp_quick_extend", "tp_pool_free",
     "tp_quick_foreign", "tp_pool_foreign", "tp_raise_free", "tp_raise_slot",
     "tp_pool_raise_tag",
     "tp_raise_begin", "tp_raise_end", "tp_fault", "tp_fault_record",
     "tp_clock_now", "tp_drop"},
    {"tp_pool_raise_link"}, {"tp_raise_bytes", "tp_raise_zone"},
    {"tp_pool_audit"}]


class Dropping(unittest.TestCase):
    def test_an_image_of_a_dropping_pool_has_no_symbol_of_another_policy(self):
        with tempfile.TemporaryDirectory() as folder:
            for number, level in enumerate(LEVELS):
                elf = dropping_image(folder, "cortex-m3", level,
                                     library=library("cortex-m3", number))
                found = {name for name in symbols(elf)
                         if name.startswith("tp_")}
                needed = set().union(*OF_EVERY_POOL[:number + 1])
                self.assertEqual(set(), found - needed, level)


class Dump(unittest.TestCase):
    def test_the_monitor_shows_0b_db_ea_1d_repeated_in_a_freed_slot(self):
        elf = build("mps2_an385", "poison", "freed") / "freed.elf"
        words = emulator("mps2_an385", elf, monitor="stdio")
        process = subprocess.Popen(words, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        try:
            line = process.stderr.readline()
            while not line.startswith("0x"):
                self.assertNotEqual("", line, "the image printed no address")
                line = process.stderr.readline()
            address = int(line, 16)
            shown, _ = process.communicate(f"xp /12xb {address + 4:#x}\nquit\n",
                                           timeout=HANG_SECONDS)
        finally:
            process.kill()
        cells = re.findall(r"^[0-9a-f]+: ((?:0x[0-9a-f]{2} ?)+)\r?$", shown,
                           re.M)
        values = " ".join(cells).replace("0x", "").split()
        self.assertEqual(["0b", "db", "ea", "1d"] * 3, values, shown)


if __name__ == "__main__":
    unittest.main()
