# SPDX-License-Identifier: MIT
"""The tags of a hardened pool in a dump: words of the code that the firmware has."""

import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ROOT  # noqa: E402
sys.path.insert(0, str(ROOT / "lib" / "config"))
from decoder import pool  # noqa: E402


def dead(deaths):
    return deaths * pool.LIFE


def live(deaths):
    return dead(deaths) + pool.BIRTH


class Code(unittest.TestCase):
    def test_its_numbers_are_those_of_the_header(self):
        text = (ROOT / "lib" / "core" / "tp_code.h").read_text()
        numbers = {name: int(value, 16) for name, value in
                   re.findall(r"#define TP_CODE_(\w+) +0x([0-9a-f]+)u", text)}
        for name in ("LIFE", "INVERSE", "BIRTH", "LIVES"):
            self.assertEqual(numbers[name], getattr(pool, name), name)

    def test_a_tag_says_how_often_its_slot_was_issued(self):
        for deaths in (0, 1, 2, 999, pool.LIVES - 1):
            self.assertEqual(deaths, pool.issues(dead(deaths)))
            self.assertEqual(deaths + 1, pool.issues(live(deaths)))
            self.assertGreaterEqual(live(deaths), pool.LIVE)
        self.assertEqual(pool.LIVES, pool.issues(dead(pool.LIVES)))

    def test_a_tag_with_a_flipped_bit_says_nothing(self):
        for tag in (dead(7), live(7)):
            for bit in range(32):
                self.assertIsNone(pool.issues(tag ^ 1 << bit))


if __name__ == "__main__":
    unittest.main()
