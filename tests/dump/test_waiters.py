# SPDX-License-Identifier: MIT
"""Who waits for a slot of a full pool, as a dump and GDB tell it."""

import unittest

from session import BOARD, RAM, line_of, live, near, scratch, tidepool
from support import ROOT, build

SOURCE = ROOT / "tests" / "dump" / "awaited" / "main.c"
SCRIPT = """
gdb.execute("tbreak all_wait")
gdb.execute("continue")
ram(FILE, *RAM)
for name in ("replies", "readings", "alarms", "nothing"):
    answers[name] = ask(f"tp waiters {name}")
NOWHERE = 0x70000000
first = number("*(unsigned *)&replies_wait_state")
behind = number(f"*(unsigned *){first}")
for name, word, copy in (("ring", first, first), ("nowhere", NOWHERE, NOWHERE),
                         ("torn", NOWHERE, 0), ("", 0, 0)):
    gdb.execute(f"set *(unsigned *){behind} = {word}")
    gdb.execute(f"set *(unsigned *){behind + 4} = {copy}")
    answers[name] = ask("tp waiters replies")
gdb.execute("tbreak all_are_gone")
gdb.execute("continue")
answers["gone"] = ask("tp waiters replies")
"""


class Awaited(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch(cls)
        cls.ram = cls.folder / "ram.bin"
        cls.elf = build(BOARD, "fast", "awaited") / "awaited.elf"
        cls.answers = live(cls.elf, f"FILE, RAM = {str(cls.ram)!r}, {RAM}\n{SCRIPT}")
        cls.answers = {words: near(SOURCE, said) for words, said in cls.answers.items()}
        cls.lines = [
            f"1. transmit() at {line_of(SOURCE, 'The radio.')}, urgency 3",
            f"2. log_all() at {line_of(SOURCE, 'The log.')}, urgency 2"]

    def is_told(self, name, *lines):
        self.assertEqual("\n".join(lines), self.answers[name].strip())

    def test_who_waits_is_told_by_line_and_who_is_served_next_first(self):
        self.is_told("replies", *self.lines)

    def test_of_a_pool_that_nobody_waits_for_that_is_told(self):
        self.is_told("readings", "nobody waits")
        self.is_told("gone", "nobody waits")

    def test_a_pool_without_waits_is_a_sentence(self):
        self.is_told("alarms", "alarms does not say wait = true")
        self.assertIn("there is no allocator called 'nothing'",
                      self.answers["nothing"])

    def test_a_list_of_them_that_was_written_over_has_an_end(self):
        for name in ("ring", "torn"):
            self.is_told(name, *self.lines, "the list of them was written over")
        self.is_told("nowhere", *self.lines,
                     "who waits behind that: 0x70000000 is not in the dump")

    def test_a_dump_tells_of_each_pool_that_is_waited_for(self):
        said = near(SOURCE, tidepool("dump", self.elf, f"{self.ram}@{RAM[0]:#x}"))
        self.assertIn("\n\nreplies: waited for by\n  " + "\n  ".join(self.lines)
                      + "\n", said)
        self.assertNotIn("readings: waited", said)
