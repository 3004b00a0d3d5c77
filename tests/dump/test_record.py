# SPDX-License-Identifier: MIT
"""A fault record in words: of a request it tells what was asked for, of damage what
stood in memory."""

import sys
import types
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib/config"))
from decoder.record import NAMES, in_words  # noqa: E402

FIRMWARE = types.SimpleNamespace(memory=types.SimpleNamespace(text=lambda _: "a"))


def told(kind, found, expected, address=0x20000000, offset=0):
    return in_words(FIRMWARE, types.SimpleNamespace(
        name=1, slot=0, frame=0, kind=NAMES.index(kind), offset=offset, address=address,
        found=found, expected=expected))[1]


class Records(unittest.TestCase):
    def test_only_of_damage_it_is_said_that_it_stood_in_memory(self):
        for kind in ("link", "tag", "poison", "red-zone", "retain"):
            self.assertEqual("  at 0x20000000: 0x00000005 stood there, not 0x00000007",
                             told(kind, 5, 7))
        for kind in ("size", "scene", "order", "pin", "lent", "lock"):
            self.assertEqual("  at 0x20000000: found is 0x5, expected 0x7",
                             told(kind, 5, 7))

    def test_of_a_request_that_never_fits_both_sizes_are_told(self):
        self.assertEqual("  33 were asked for, where no more than 32 ever fit",
                         told("large", 33, 32, 0))

    def test_of_an_index_that_is_none_it_is_told_of_how_many(self):
        self.assertEqual("  index 4 was asked for, of 4", told("foreign", 4, 4, 0))

    def test_of_an_access_it_is_told_where_it_is_of_how_many_bytes_and_which(self):
        for kind in ("dead", "beside", "metadata", "unlocked", "unwritten", "device"):
            self.assertEqual("  at 0x20000000, 8 bytes on: a write of 4 bytes",
                             told(kind, 4, 1, offset=8))
        self.assertEqual("  at 0x20000000, 4 bytes before: a read of 2 bytes",
                         told("beside", 2, 0, offset=0xFFFFFFFC))
        self.assertEqual("  at 0x00000000, 12 bytes on: a read of 1 bytes",
                         told("null-page", 1, 0, 0, 12))


if __name__ == "__main__":
    unittest.main()
