# SPDX-License-Identifier: MIT
"""A retained bank, through resets of an emulated Cortex-M3."""

import re
import subprocess
import sys
import unittest

from helper import ROOT, InFolder, files

sys.path.insert(0, str(ROOT / "tests"))
from support import HANG_SECONDS, build, emulator, tool  # noqa: E402

SENTENCES = re.findall(r'(?:say|find_nothing)\((?:[^"]*, )?"(.*?)"\)',
                       (ROOT / "tests/config/retained/main.c").read_text().replace("\n",
                                                                                   " "))


class Retained(InFolder):
    def test_a_pool_outlives_a_reset_and_is_cleared_when_it_does_not_verify(self):
        self.assertEqual(len(SENTENCES), 9)
        elf = build("mps2_an385", "fast", "retained") / "retained.elf"
        # From a bare image: at every reset the emulator zeroes an ELF file's .bss.
        image = self.folder / "retained.bin"
        tool("arm-none-eabi-objcopy", "-O", "binary", elf, image)
        words = [word for word in emulator("mps2_an385", image) if word != "-no-reboot"]
        result = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, universal_newlines=True,
                                timeout=HANG_SECONDS)
        said = [line for line in result.stdout.splitlines()
                if not line.startswith("qemu")]
        self.assertEqual(sorted(said),
                         sorted(f"ok {sentence}" for sentence in SENTENCES))
        self.assertEqual(result.returncode, 0)

    def test_a_type_or_a_row_by_another_name_is_another_seal(self):
        text = (ROOT / "tests/config/retained/pools.toml").read_text()
        text = text.replace("size = 8, count = 16", 'type = "struct note", count = 16')

        def seal(table):
            return re.search(r"TP_CONFIG_HASH (0x\w+)", files(table)["tp_pools.h"])[1]

        self.assertEqual(seal(text), seal("# Members.\n" + text))
        others = {seal(text.replace("struct note", "struct note_2")),
                  seal(text.replace("notes =", "notes_2 ="))}
        self.assertEqual(3, len(others | {seal(text)}))


if __name__ == "__main__":
    unittest.main()
