# SPDX-License-Identifier: MIT
"""A thread without privilege behind an MPU writes to slots at any time."""

import subprocess
import unittest

from support import HANG_SECONDS, build, emulator

BOARD = "mps2_an385"


class Unprivileged(unittest.TestCase):
    def said(self, level):
        elf = build(BOARD, level, "unprivileged") / "unprivileged.elf"
        return subprocess.run(emulator(BOARD, elf), text=True, timeout=HANG_SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout

    def test_with_links_outside_what_it_writes_changes_nothing(self):
        for level in ("off", "fast"):
            self.assertIn("each once, whole, denied, ", self.said(level), level)

    def test_with_links_inside_it_is_issued_at_off_what_it_wants_and_never_above(self):
        self.assertIn(" forged\n", self.said("off"))
        self.assertIn("denied, link\n", self.said("fast"))

    def test_from_poison_up_a_write_to_what_it_gave_back_is_a_fault(self):
        for level in ("poison", "full"):
            self.assertRegex(self.said(level), r"(?m)^poison$", level)


if __name__ == "__main__":
    unittest.main()
