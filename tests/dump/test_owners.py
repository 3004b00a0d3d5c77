# SPDX-License-Identifier: MIT
"""A firmware without TIDEPOOL_SOAK whose rows say owner = true: a dump and GDB name
who holds what, since when and in which exception, at every level."""

import unittest

from session import BOARD, RAM, line_of, live, near, scratch, tidepool
from support import ROOT, build

SOURCE = ROOT / "tests" / "dump" / "owned" / "main.c"
ASKED = ("tp holders sounds", "tp holders packets", "tp holders sparks",
         "tp who sounds_pool.storage", "tp who packets_pool.storage",
         "tp who seats_pool.storage", "tp who orders_pool.storage", "tp slots orders")
SCRIPT = """
gdb.execute("tbreak all_is_held")
gdb.execute("continue")
ram(FILE, *RAM)
for words in ASKED:
    answers[words] = ask(words)
gdb.execute("set var sounds_owned.owners[1].generation = 7")
answers["another's"] = ask("tp holders sounds")
"""
FAULT = """
gdb.execute("tbreak tp_fault")
gdb.execute("continue")
answers["fault"] = ask("tp fault")
"""


class Shipped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch(cls)
        cls.elf, cls.answers = {}, {}
        for level in ("off", "fast"):
            known = f"FILE, RAM, ASKED = {str(cls.ram(level))!r}, {RAM}, {ASKED}\n"
            cls.elf[level] = build(BOARD, level, "owned") / "owned.elf"
            cls.answers[level] = live(cls.elf[level], known + SCRIPT + FAULT *
                                      (level == "fast"))

    @classmethod
    def ram(cls, level):
        return cls.folder / f"{level}.bin"

    def each(self, words, *said):
        """That every level says these lines of it, or what begins like them."""
        for level, answers in self.answers.items():
            lines = near(SOURCE, answers[words]).strip().split("\n")
            self.assertEqual(list(said), [line[:len(one)] for line, one
                                          in zip(lines, said)], level)
            self.assertEqual(len(said), len(lines), answers[words])

    def test_holders_are_told_by_line_with_the_oldest_frame_and_the_exception(self):
        self.each("tp holders sounds",
                  f"17 of 32 held since frame 1200 by play_music() at "
                  f"{line_of(SOURCE, 'Music.')}",
                  f"1 of 32 held since frame 1217 by board_handler() at "
                  f"{line_of(SOURCE, 'An alarm.')}, in interrupt 31")

    def test_what_was_issued_without_a_note_is_held_by_nobody_knows_whom(self):
        self.each("tp holders packets", "1 of 4 held, nobody knows by whom")
        self.each("tp holders sparks", "1 of 4 held, nobody knows by whom")

    def test_a_note_of_another_generation_tells_of_nobody(self):
        self.each("another's", "16 of 32 held since frame 1200",
                  "1 of 32 held, nobody knows by whom", "1 of 32 held since frame 1217")

    def test_an_address_is_told_who_has_it_or_who_gave_it_back(self):
        for words, said in (
                ("sounds", "live, issued 1 times, asked for in frame 1200 by "
                 f"play_music() at {line_of(SOURCE, 'Music.')}\n"),
                ("packets", "live, issued 2 times\n"),
                ("seats", "dead, issued 1 times, asked for in frame 1218 by main() at "
                 f"{line_of(SOURCE, 'A seat.')}\n"),
                ("orders", "dead, issued 1 times, given back in frame 1218 by "
                 f"main() at {line_of(SOURCE, 'It is done.')}, asked for by main() at "
                 f"{line_of(SOURCE, 'An order.')}\n")):
            for level, answers in self.answers.items():
                told = near(SOURCE, answers[f"tp who {words}_pool.storage"])
                self.assertIn(f"pool {words}, slot 1, byte 0: {said}", told, level)

    def test_each_slot_has_a_column_of_who_asked(self):
        self.each("tp slots orders", "slot  address     state  issued ",
                  "1", "3 more were never issued")
        self.assertIn(f"main() at {line_of(SOURCE, 'An order.')}",
                      near(SOURCE, self.answers["off"]["tp slots orders"]))

    def test_a_dump_says_the_same_as_gdb(self):
        for level, answers in self.answers.items():
            said = tidepool("dump", self.elf[level], self.ram(level))
            held = "".join(f"  {line}\n" for line
                           in answers["tp holders sounds"].strip().split("\n"))
            self.assertIn(f"\nsounds:\n{held}", said)
            self.assertIn("\nseats_reserve:\n  1 of 2 held since frame 1218", said)
            self.assertEqual(answers["tp slots orders"], tidepool(
                "dump", self.elf[level], self.ram(level), "--slots", "orders"))

    def test_a_second_free_tells_who_freed_first_and_when(self):
        said = near(SOURCE, self.answers["fast"]["fault"])
        self.assertIn("fault: double-free of packets, slot 2, in frame 1219\n", said)
        line = line_of(SOURCE, "It came.")
        self.assertIn(f"  slot 2 is dead, issued 1 times, given back in frame 1218 by "
                      f"acknowledge() at {line}, asked for by main() at "
                      f"{line_of(SOURCE, 'What is sent last.')}\n", said)


if __name__ == "__main__":
    unittest.main()
