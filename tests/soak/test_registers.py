# SPDX-License-Identifier: MIT
"""What the soak reads of the core's registers is so, what it writes to them does what
it should, and is as it was where it says so."""

import subprocess
import unittest

import paper  # noqa: F401 - makes the harness importable
from support import HANG_SECONDS, build, emulator


class Registers(unittest.TestCase):
    def check(self, board, cases):
        elf = build(board, "fast", "soak_registers") / "soak_registers.elf"
        done = subprocess.run(emulator(board, elf), timeout=HANG_SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.assertIn(f"{cases} passed, 0 failed", done.stdout)

    def test_code_and_address_0_are_guarded_who_calls_known_and_all_put_back(self):
        self.check("mps2_an385", 13)

    def test_code_and_address_0_are_guarded_by_the_other_kind_of_mpu(self):
        self.check("mps2_an505", 6)


if __name__ == "__main__":
    unittest.main()
