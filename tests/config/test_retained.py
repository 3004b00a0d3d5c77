# SPDX-License-Identifier: MIT
"""A retained bank, through resets of an emulated Cortex-M3."""

import re
import subprocess
import sys
import unittest

from helper import ROOT, InFolder

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


if __name__ == "__main__":
    unittest.main()
