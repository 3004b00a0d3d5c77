# SPDX-License-Identifier: MIT
"""A firmware outside of the checkout, with a library of its own: which line does a
soak name?"""

import re
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

import test_elf
import trials
from harness import call_sites
from harness.options import CHECKS
from harness.source_lines import (caller_lines, is_application, places_at,
                                  shown)
from support import ROOT, tool

sys.path.insert(0, str(ROOT / "lib" / "config"))
from decoder.elf import Elf  # noqa: E402
from decoder.lines import Lines  # noqa: E402

MISTAKE = "orders_free(orders[number]);"
COPIED = ("lib", "port/cortex_m", "port/cache/none", "linker", "qemu/boards",
          "qemu/telemetry")
FLAGS = ("-mcpu=cortex-m3", "-mthumb", "-std=gnu11", "-g", "-ffreestanding",
         "-ffunction-sections", "-fdata-sections",
         "-DMISTAKE=700u", "-DUART=0x40004000u", "-DCLOCK_HZ=25000000u")

# The linker leaves out a function of the second file: its lines begin at address 0.
LEFT_OUT = {"main.c": """void take(void);
void start(void)
{
  for (;;) take();
}
""", "left_out.c": """int left_out(volatile int *to)
{
  for (int i = 0; i < 99; i++) to[i] += i * to[2 * i] / (to[i] + 3);
  return to[7];
}
void take(void) { __asm volatile(""); }
"""}


class Outside(unittest.TestCase):
    def setUp(self):
        self.here = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.here, ignore_errors=True)
        self.library = self.here / "vendor" / "tidepool"
        for folder in COPIED:
            shutil.copytree(ROOT / folder, self.library / folder)
        for path in (ROOT / "qemu").glob("*.[ch]"):
            shutil.copy(path, self.library / "qemu")
        for path in (ROOT / "tests" / "soak" / "firmware").iterdir():
            shutil.copy(path, self.here)
        tool(sys.executable, self.library / "lib/config/tidepool.py", "generate",
             self.here / "pools.toml", "--out", self.here / "generated")

    def link(self, *options):
        """The firmware by GCC, all of it with the same options."""
        library, elf = self.library, self.here / "firmware.elf"
        folders = ("lib", "port/cortex_m", "port/cache/none", "linker", "qemu",
                   "qemu/boards", "qemu/telemetry")
        sources = [self.here / "main.c", self.here / "generated" / "tp_pools.c",
                   *library.glob("lib/*/*.c"), *library.glob("qemu/telemetry/*.c"),
                   *(library / "qemu" / name for name in
                     ("startup.c", "semihost.c", "boards/cmsdk.c"))]
        tool("arm-none-eabi-gcc", *FLAGS, *options,
             *(f"-I{library / folder}" for folder in folders),
             f"-I{self.here / 'generated'}", "-nostartfiles", "-Wl,--gc-sections",
             *(f"-L{folder}" for folder in (library / "linker",
                                            self.here / "generated")),
             "-T", f"{trials.BOARD}.ld", "-o", elf, *sources)
        return elf

    def test_the_place_named_is_in_the_application_s_source(self):
        source = (self.here / "main.c").read_text()
        line = source[:source.index(MISTAKE)].count("\n") + 1
        for options in (["-O0"], ["-Og"], ["-O2"]):
            with self.subTest(options=options):
                code, summary = test_elf.soak(self.link(*options, "-DTP_CHECKS=2"))
                self.assertEqual((1, "double-free"),
                                 (code, summary["faults"][0]["kind"]))
                self.assertEqual(f"serve() at {self.here}/main.c:{line}",
                                 summary["faults"][0]["caller_line"])
                self.assertIn(f"called from serve() at {self.here}/main.c:",
                              summary["why"])

    def test_who_did_it_is_found_when_all_is_optimised_as_it_is_linked(self):
        elf = self.link("-O2", "-flto", "-DTP_CHECKS=2", "-DTIDEPOOL_SOAK=1")
        code, summary = test_elf.soak(elf, why=True)
        self.assertEqual((1, "serve", f"{self.here}/main.c"), (
            code, summary["cause"]["function"], summary["cause"]["file"]))
        for name in call_sites.NEEDED:  # So has `trace` whose the bytes are.
            self.assertIsNotNone(Elf(elf.read_bytes()).address_of(name), name)

    def test_without_symbols_it_is_said_what_who_did_it_lacks(self):
        elf = self.link("-O2", "-DTP_CHECKS=2")
        for option, told in (("-g", "compile it with -g"), ("-s", "not stripped")):
            tool("arm-none-eabi-strip", option, elf)
            code, summary = test_elf.soak(elf, why=True)
            self.assertEqual(1, code)
            self.assertIn(told, "".join(summary["warnings"]))

    def test_of_a_foreign_pointer_the_pool_is_named_that_owns_it(self):
        main = self.here / "main.c"
        main.write_text(main.read_text().replace(
            "clients_free(client);",
            "clients_alloc();\n"
            "  if (soak.frame == 600) orders_free(clients_alloc());\n"
            "  tp_pool_reset(&clients_pool);"))
        for level in ("2", "3"):  # With red zones and without.
            code, summary = test_elf.soak(self.link("-O2", f"-DTP_CHECKS={level}"),
                                          "--checks", CHECKS[int(level)])
            fault = summary["faults"][0]
            self.assertEqual((1, "foreign", "orders", "slot 3 of pool clients"), (
                code, fault["kind"], fault["pool"], fault["owner"]))
            self.assertIn(f"address {fault['address']}, which is slot 3 of pool"
                          " clients, frame 600", summary["why"])

    def test_files_of_the_library_are_known_wherever_they_lie(self):
        self.assertTrue(is_application(f"{self.here}/main.c"))
        self.assertTrue(is_application("qemu/game/enemies.c"))
        for name in ("lib/core/tp_slot.h", "lib/tidepool.h"):
            self.assertTrue((self.library / name).is_file(), name)
            self.assertFalse(is_application(f"{self.library}/{name}"), name)
        self.assertFalse(is_application(f"{self.here}/generated/tp_pools.h"))
        self.assertFalse(is_application(""))

    def test_the_c_library_s_own_lines_are_not_the_application_s(self):
        elf = self.here / "copies.elf"
        (self.here / "copies.c").write_text(
            "void *memset(void *, int, unsigned);\n"
            "void start(void)\n{\n  memset((void *)8, 0, *(volatile int *)4);\n}\n")
        tool("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-g", "-nostartfiles",
             "-Wl,-estart", self.here / "copies.c", "-o", elf)
        begin = re.search("(.*) T memset", tool("arm-none-eabi-nm", elf))[1]
        told = [place["file"] for place in places_at(elf, int(begin, 16))]
        self.assertEqual([], [file for file in told if is_application(file)])
        self.assertFalse(is_application("/x/build/../newlib/libc/string/memset.c"))
        self.assertTrue(is_application(f"{self.here}/newlib/main.c"))

    def test_what_a_library_s_table_makes_is_generated_whatever_its_name(self):
        made = self.here / "net_pools.h"
        made.write_text("// Generated from pools.toml by tidepool.py. Edit that.\n")
        self.assertFalse(is_application(str(made)))
        made.write_text("// One of the application's own.\n")
        self.assertTrue(is_application(str(made)))

    def test_a_header_of_an_application_may_be_called_as_that_of_the_rig(self):
        self.assertTrue(is_application(f"{self.here}/intercept.h"))
        self.assertFalse(is_application("qemu/rig/intercept.h"))
        self.assertFalse(is_application(f"{ROOT}/qemu/rig/intercept.h"))

    def test_a_file_of_the_checkout_is_shown_without_the_folders_before_it(self):
        self.assertEqual("qemu/game/main.c", shown(f"{ROOT}/qemu/game/main.c"))
        self.assertEqual(f"{self.here}/main.c", shown(f"{self.here}/main.c"))

    def test_so_is_one_that_a_link_leads_to(self):
        (self.here / "tidepool").symlink_to(ROOT)
        (self.here / "mine.c").symlink_to(self.here / "main.c")
        self.assertEqual("qemu/game/main.c",
                         shown(f"{self.here}/tidepool/qemu/game/main.c"))
        self.assertEqual(f"{self.here}/mine.c", shown(f"{self.here}/mine.c"))


class Inlined(unittest.TestCase):
    """By Clang, which inlines a function in pieces."""

    def test_what_is_inlined_in_pieces_is_named_by_its_own_line(self):
        here = ROOT / "tests" / "soak" / "inlined"
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        elf = folder / "firmware.elf"
        tool("clang-19", "--target=arm-none-eabi", "-mcpu=cortex-m0", "-mthumb", "-Os",
             "-g", "-ffreestanding", "-nostdlib", "-fuse-ld=lld", "-Wl,-e,start",
             "-Wl,-Ttext=0x100", here / "main.c", "-o", elf)
        listed = tool("arm-none-eabi-objdump", "-d", elf)
        back = int(re.search(r"bl\t.*<take>\n *([0-9a-f]+):", listed)[1], 16)
        source = (here / "main.c").read_text()
        line = source[:source.index("ask(bytes)")].count("\n") + 1
        told = f"main.c:{line}"
        self.assertEqual(f"frame() at tests/soak/inlined/{told}",
                         caller_lines(elf, [back])[back])
        self.assertIn(f"called by frame() at {here}/{told}",
                      Lines(elf, Elf(elf.read_bytes())).caller(back))

    def test_what_gnu_ld_left_out_is_not_named_for_what_lies_in_its_place(self):
        folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, folder)
        elf = folder / "firmware.elf"
        for name, text in LEFT_OUT.items():
            (folder / name).write_text(text)
            tool("clang-19", "--target=arm-none-eabi", "-mcpu=cortex-m3", "-mthumb",
                 "-O1", "-g", "-ffreestanding", "-ffunction-sections", "-c",
                 folder / name, "-o", folder / f"{name}.o")
        tool("arm-none-eabi-ld", "--gc-sections", "-e", "start", "-Ttext=0x20",
             *(folder / f"{name}.o" for name in LEFT_OUT), "-o", elf)
        listed = tool("arm-none-eabi-objdump", "-d", elf)
        back = int(re.search(r"bl\t.*<take>\n *([0-9a-f]+):", listed)[1], 16)
        self.assertEqual(f"start() at {folder}/main.c:4",
                         caller_lines(elf, [back])[back])
        self.assertIn(f"called by start() at {folder}/main.c:4",
                      Lines(elf, Elf(elf.read_bytes())).caller(back))


if __name__ == "__main__":
    unittest.main()
