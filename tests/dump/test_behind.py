# SPDX-License-Identifier: MIT
"""What lies behind the tags, as a dump and GDB tell it: what each of two cores keeps
for itself; and links, so that what is written to dead slots is none."""

import unittest

from session import BOARD, RAM, live, scratch, tidepool
from support import build

SCRIPT = """
gdb.execute("tbreak all_is_kept")
gdb.execute("continue")
ram(FILE, *RAM)
answers["pools"] = ask("tp pools")
answers["slots"] = ask("tp slots crates --dead")
answers["check"] = ask("tp check")
behind = number("sizeof crates_tag / 4") - 2
for name, word, value in (("count", 1, 0xffff0000), ("list", 0, 0xffff0009)):
    place = f"crates_tag[{behind + word}]"
    was = number(place)
    gdb.execute(f"set var {place} = {value}")
    answers[name] = ask("tp check")
    gdb.execute(f"set var {place} = {was}")
gdb.execute("set var *(unsigned *)(crates_pool.storage + 4 * 5) = 0x12345678")
answers["link"] = ask("tp check")
place = "trays_pool.storage + trays_pool.stride / 4 * 3"
gdb.execute(f"set var *(unsigned *)({place}) = 0x12345678")
answers["trays"] = ask("tp slots trays --dead")
answers["written"] = ask("tp check")
behind = number("sizeof trays_tag / 4") - 4
gdb.execute(f"set var trays_tag[{behind + 3}] = 0x12345678")
answers["outside"] = ask("tp check")
"""


# Live, peak, of, refused.
TRAYS = r"(?m)^trays   pool .* 2 +4 +4 +0  slots$"
FIGURES = r"(?m)^crates  pool .* 5 +8 +8 +0  slots$"


class Behind(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ram, cls.elf, cls.answers = {}, {}, {}
        folder = scratch(cls)
        for level in ("off", "fast", "full"):
            cls.ram[level] = folder / f"{level}.bin"
            cls.elf[level] = build(BOARD, level, "shared") / "shared.elf"
            cls.answers[level] = live(
                cls.elf[level], f"FILE, RAM = {str(cls.ram[level])!r}, {RAM}\n{SCRIPT}")

    def test_slots_that_are_kept_are_dead(self):
        for level, answers in self.answers.items():
            self.assertRegex(answers["pools"], FIGURES, level)
            self.assertRegex(answers["pools"], TRAYS, level)
            for name, dead in (("slots", "236"), ("trays", "24")):
                found = [line.split() for line in answers[name].splitlines()
                         if line[0].isdigit() and "0x" in line]
                self.assertEqual([(slot, "dead") for slot in dead],
                                 [(words[0], words[2]) for words in found], level)

    def test_a_pool_is_whole_whose_slots_are_kept(self):
        for level, answers in self.answers.items():
            self.assertNotIn("crates: ", answers["check"], level)

    def test_what_is_wrong_with_what_is_kept_is_told(self):
        for level, answers in self.answers.items():
            self.assertIn("core 1 keeps 0 slots, 1 are counted", answers["count"],
                          level)
        for level in ("fast", "full"):
            self.assertIn("begins at slot 9 of 8", self.answers[level]["list"])
        self.assertIn("the link of slot 6 was written over: 0x12345678 stands there, "
                      "not 0xffff and a slot", self.answers["fast"]["link"])

    def test_what_is_written_to_a_dead_slot_is_no_link(self):
        for level, answers in self.answers.items():
            told = [line for line in answers["written"].splitlines() if "trays" in line]
            self.assertEqual(level == "full", bool(told), level)
        self.assertIn("slot 4, which is dead, was written to at byte 0: 0x12345678",
                      self.answers["full"]["written"])

    def test_a_link_that_is_outside_is_told_of_where_it_is(self):
        self.assertIn("the link of slot 4 was written over: 0x12345678 stands there, "
                      "not 0x0003 and a slot", self.answers["fast"]["outside"])

    def test_a_dump_tells_the_same(self):
        for level, elf in self.elf.items():
            said = tidepool("dump", elf, f"{self.ram[level]}@{RAM[0]:#x}")
            self.assertRegex(said, FIGURES, level)
            self.assertRegex(said, TRAYS, level)


if __name__ == "__main__":
    unittest.main()
