# SPDX-License-Identifier: MIT
"""A fault record in words: of a request it tells what was asked for, of damage what
stood in memory."""

import re
import struct
import types
import unittest
import zlib
from pathlib import Path

from paper_memory import LAYOUTS, Paper
from decoder.record import NAMES, in_words, kept_crash, kind_name

LIB = Path(__file__).resolve().parents[2] / "lib"

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

    def test_without_an_address_what_was_asked_for_is_told_alone(self):
        for kind, said in (("foreign", "index 5 was asked for, of 7"),
                           ("full", "5 were asked for, where 7 fit"),
                           ("large", "5 were asked for, where no more than 7 ever"
                                     " fit")):
            self.assertEqual(f"  {said}", told(kind, 5, 7))
        self.assertEqual("  found is 0x5, expected 0x7", told("size", 5, 7, 0))

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

    def test_kinds_are_called_as_the_library_calls_them(self):
        header, source = ((LIB / "check" / name).read_text(encoding="utf-8")
                          for name in ("tp_level.h", "tp_check.c"))
        numbers = dict(re.findall(r"(TP_FAULT_\w+) = (\d+)", header))
        names = re.findall(r'\[(TP_FAULT_\w+)\] = "(.*)"', source)
        self.assertEqual({kind: kind_name(kind) for kind in map(int, numbers.values())},
                         {int(numbers[key]): name for key, name in names})


class Kept(unittest.TestCase):
    """What a crash left: of two words of stack."""
    AT, HEAD = 0x20000000, LAYOUTS["tp_crash"].size

    def kept(self, magic=0x7E11DEAD, size=HEAD + 8, torn=0, **symbols):
        paper = Paper()
        paper.struct(self.AT, "tp_crash", magic=magic, bytes=size, words=2,
                     bottom=0x20008000, registers=range(1, 18))
        paper.numbers(self.AT + self.HEAD, 21, 22)
        data = paper.pieces[self.AT] + paper.pieces[self.AT + self.HEAD]
        checksum = zlib.crc32(data[12:]) ^ torn
        paper.pieces[self.AT] = data[:8] + struct.pack("<I", checksum) \
            + data[12:self.HEAD]
        symbols = symbols or {"tp_crash": [types.SimpleNamespace(
            address=self.AT, size=self.HEAD + 8)]}
        return kept_crash(types.SimpleNamespace(
            elf=types.SimpleNamespace(symbols=symbols), memory=paper.memory()))

    def test_a_crash_that_was_kept_whole_has_its_registers_and_its_stack(self):
        registers, stack = self.kept()
        self.assertEqual([*range(1, 18)], [registers[f"r{one}"] for one in range(16)]
                         + [registers["xpsr"]])
        self.assertEqual({0x20008000: struct.pack("<2I", 21, 22)}, stack)

    def test_of_none_or_of_one_that_does_not_agree_nothing_is_told(self):
        for changed in (dict(magic=0), dict(size=self.HEAD + 4), dict(torn=1),
                        dict(other=[])):
            self.assertEqual(({}, {}), self.kept(**changed), changed)


if __name__ == "__main__":
    unittest.main()
