# SPDX-License-Identifier: MIT
"""Rows that code of their own alone may change, hardened or with links elsewhere: a
soak takes them for sound as long as they are, and finds what is wrong with them."""

import unittest

import trials
from support import build
from test_elf import soak

LEVELS = ("fast", "full")
FRAMES = ("--frames", "1200")
# What is done to the first row, whose links are outside, and what is told of it.
PLANTS = {"flip-link": "link", "double-free": "double", "flip-generation": "generation"}
OF_POISON = {"write-after-free": "poison", "flip-free": "poison"}


class Closed(unittest.TestCase):
    def play(self, level, *more):
        elf = build(trials.BOARD, level, "soak_closed") / "soak_closed.elf"
        return soak(elf, "--checks", level, *FRAMES, *more)

    def test_they_pass_while_nothing_is_wrong_with_them(self):
        for level in LEVELS:
            for more in ((), ("--ask",), ("--fail-nth", "3")):
                code, summary = self.play(level, *more)
                self.assertEqual(0, code, (level, more, summary["why"]))

    def test_a_mistake_of_each_kind_is_found(self):
        for level in LEVELS:
            for plant, word in PLANTS.items():
                with self.subTest(level=level, plant=plant):
                    code, summary = self.play(level, "--plant", plant)
                    told = [one["detail"] for one in summary["results"]
                            if not one["passed"]]
                    self.assertEqual(1, code)
                    self.assertIn(word, " ".join(told))
                    self.assertIn("apart", " ".join(told))

    def test_the_only_word_of_a_dead_object_is_hit_where_its_link_is_outside(self):
        for plant, word in OF_POISON.items():
            with self.subTest(plant=plant):
                code, summary = self.play("full", "--plant", plant)
                self.assertEqual((1, "apart"), (code, summary["planted"].get("pool")))
                self.assertIn(word, summary["planted"]["found"]["how"])

    def test_an_object_that_would_be_stolen_outlives_its_row_all_the_same(self):
        code, summary = self.play("fast", "--plant", "outlived")
        self.assertEqual((1, "aged", "no object outlives its pool's life"), (
            code, summary["planted"]["pool"], summary["planted"]["found"]["how"]))


if __name__ == "__main__":
    unittest.main()
