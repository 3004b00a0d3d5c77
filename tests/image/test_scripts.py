# SPDX-License-Identifier: MIT
"""What the scripts of linker/ make of a firmware, of each board and by both linkers:
of a file of which no section ends where a word does."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from bare import ROOT, tool

BOARDS = sorted(path.stem for path in (ROOT / "linker").glob("*.cmake"))
LINKERS = ("arm-none-eabi-ld", "ld.lld-19")
SOURCE = """
__attribute__((section(".vectors"), used)) static const int vectors[2] = {17, 18};
__attribute__((section(".bss.tp_arena.b.a"))) char banked[24];
__attribute__((section(".noinit.a"))) char kept[3];
static const char text[5] = "text";
char data[5] = {1, 2, 3, 4, 5}, zeroed[MORE + 3];
const char *volatile seen;
__asm(".comm common, 4, 4");  // As -fcommon has it.
// Compilers that do not know such a name fill what lies there.
__asm(".section .noinit.b,\\"aw\\",%progbits\\nfilled: .word 7\\n.text");
extern char common[4], filled[4];
void reset(void)
{
  for (;;) seen = text, seen = data, seen = zeroed, seen = kept, seen = banked,
           seen = common, seen = filled;
}
"""
BANK = """.tp_arena_b (NOLOAD) : ALIGN(8) { *(.bss.tp_arena.b.*) } > RAM
"""


class Scripts(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        (self.folder / "main.c").write_text(SOURCE)
        (self.folder / "tp_pools.ld").write_text(BANK)

    def link(self, board, linker, more=0):
        """What the linker complains of."""
        settings = (ROOT / f"linker/{board}.cmake").read_text()
        cpu = re.search(r"TIDEPOOL_CPU ([^)]*)\)", settings)[1].split()
        tool("arm-none-eabi-gcc", *cpu, "-Os", "-ffunction-sections", "-fdata-sections",
             f"-DMORE={more}", "-c", self.folder / "main.c", "-o",
             self.folder / "main.o")
        done = subprocess.run(
            [linker, "--gc-sections", f"-L{self.folder}", f"-L{ROOT}/linker", "-T",
             f"{ROOT}/linker/{board}.ld", self.folder / "main.o", "-o",
             self.folder / "image.elf"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode != 0, "rror" in done.stdout or
                         "is left" in done.stdout, done.stdout)
        return done.stdout if done.returncode else ""

    def each(self):
        """(board and linker, {symbol: its address}, the image's bytes)."""
        for board in BOARDS:
            for linker in LINKERS:
                self.assertEqual("", self.link(board, linker))
                image = self.folder / "image.bin"
                tool("arm-none-eabi-objcopy", "-O", "binary",
                     self.folder / "image.elf", image)
                yield f"{board}, {linker}", self.symbols(), image.read_bytes()

    def symbols(self):
        listed = tool("arm-none-eabi-nm", self.folder / "image.elf")
        return {name: int(address, 16) for address, name
                in re.findall(r"(?m)^(\w+) \w (\w+)$", listed)}

    def test_vectors_come_first_and_what_code_and_constants_are_ends_a_word(self):
        for which, at, image in self.each():
            with self.subTest(which):
                self.assertEqual(at["vectors"], at["flash_start"])
                self.assertEqual(bytes([17, 0, 0, 0, 18, 0, 0, 0]), image[:8])
                inside = [at[name] & ~1 for name in ("reset", "text")]
                self.assertGreaterEqual(at["text_end"], max(inside) + 5)
                self.assertLess(at["text_end"], at["flash_end"])
                self.assertEqual(0, at["text_end"] % 4)

    def test_what_is_copied_and_zeroed_is_whole_words_and_no_more(self):
        for which, at, image in self.each():
            with self.subTest(which):
                for name in ("data_start", "data_end", "data_image", "bss_start",
                             "bss_end"):
                    self.assertEqual(0, at[name] % 4, name)
                offset = at["data_image"] - at["flash_start"]
                offset += at["data"] - at["data_start"]
                self.assertEqual(bytes([1, 2, 3, 4, 5]), image[offset:offset + 5])
                self.assertLessEqual(at["data"] + 5, at["data_end"])
                self.assertLess(at["data_end"], at["data"] + 12)
                self.assertEqual(len(image), at["data_image"] - at["flash_start"]
                                 + at["data_end"] - at["data_start"])
                for name, size in (("zeroed", 3), ("common", 4)):
                    self.assertTrue(at["bss_start"] <= at[name] <= at["bss_end"] - size)
                    self.assertLess(at["bss_end"], at[name] + 24)

    def test_a_bank_and_what_a_reset_leaves_are_neither_copied_nor_zeroed(self):
        for which, at, image in self.each():
            with self.subTest(which):
                for name, size in (("kept", 3), ("filled", 4), ("banked", 24)):
                    for start, end in (("data_start", "data_end"),
                                       ("bss_start", "bss_end")):
                        self.assertTrue(at[name] + size <= at[start] or
                                        at[name] >= at[end], (name, start))
                    self.assertLessEqual(at[name] + size, at["stack_low"])
                self.assertLess(len(image), 400)

    def test_the_stack_has_the_rest_of_ram_which_is_1_kib_or_more(self):
        for which, at, _ in self.each():
            with self.subTest(which):
                self.assertEqual(0, at["stack_top"] % 8)
                self.assertLess(at["stack_low"], at["kept"] + 16)
        for board in BOARDS:
            for linker in LINKERS:
                self.link(board, linker)
                at = self.symbols()
                more = (at["stack_top"] - at["stack_low"] - 1024) // 8 * 8
                with self.subTest(board=board, linker=linker):
                    self.assertEqual("", self.link(board, linker, more))
                    self.assertIn("less than 1 KiB of RAM is left for the stack",
                                  self.link(board, linker, more + 8))


if __name__ == "__main__":
    unittest.main()
