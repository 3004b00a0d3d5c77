# SPDX-License-Identifier: MIT
"""port/mpu: how often a covered dead slot finds who uses it late, and its price."""

import re
import unittest

from guarded import GUARDED, Image, levels

SAMPLED = Image("sampled")
DEAD = int(re.search(r"\bDEAD = (\d+)", SAMPLED.source.read_text())[1])
SEEDS = int(re.search(r"\bSEEDS = (\d+)", SAMPLED.source.read_text())[1])
MOST_INSTRUCTIONS = 25  # A free, with all that was noted of its alloc.


def figures(board, *arguments):
    code, lines = SAMPLED.said(board, *arguments)
    if code:
        raise AssertionError("\n".join(lines))
    return {name: int(value) for name, value in
            (line.rsplit(" ", 1) for line in lines)}


class Sampled(unittest.TestCase):
    def test_over_1000_seeds_one_late_access_in_n_is_a_fault(self):
        self.assertEqual(1000, SEEDS)
        for board in GUARDED:
            with self.subTest(board=board):
                told = figures(board, "seeds")
                predicted = told["late"] / DEAD
                self.assertLess(abs(told["detected"] - predicted), 0.05 * predicted)
                self.assertEqual(0, figures(board, "seeds", "bare")["detected"])

    def test_it_tells_who_had_the_object_who_freed_it_and_who_uses_it(self):
        for board in GUARDED:
            with self.subTest(board=board):
                code, lines = SAMPLED.said(board, "late")
                told = SAMPLED.decoded(board, lines)
                self.assertEqual(1, code)
                self.assertRegex(told, r"^fault: guard of packets, slot \d+, in frame")
                self.assertIn(", 12 bytes on: refused to read or write\n", told)
                for words in (f"  issued by issue() at {SAMPLED.line_of('issued')}\n",
                              f"  freed by take_back() at {SAMPLED.line_of('freed')}\n",
                              f"  by late() at {SAMPLED.line_of('late')}"):
                    self.assertIn(words, told)
                self.assertEqual((0, []), SAMPLED.said(board, "late", "bare"))

    def test_live_objects_and_the_pool_itself_are_never_refused(self):
        for board in GUARDED:
            for level in levels(board, "fast", "poison"):
                with self.subTest(board=board, level=level):
                    self.assertEqual((0, ["wrong 0", "sound 1"]),
                                     SAMPLED.said(board, "legal", level=level))

    def test_another_fault_behind_what_went_on_is_that_of_the_other_handler(self):
        for board in GUARDED:
            with self.subTest(board=board):
                self.assertEqual((3, ["left 0"]), SAMPLED.said(board, "other"))

    def test_an_interrupt_that_allocs_and_frees_is_never_refused(self):
        for board in GUARDED:
            for level in levels(board, "fast", "poison"):
                with self.subTest(board=board, level=level):
                    self.assertEqual((0, ["sound 1"]),
                                     SAMPLED.said(board, "interrupted", level=level))

    def test_an_alloc_and_a_free_cost_at_most_25_instructions_more(self):
        for board in GUARDED:
            with self.subTest(board=board):
                told, bare = figures(board, "cost"), figures(board, "cost", "bare")
                self.assertEqual(told["frees"], bare["frees"])
                self.assertGreater(bare["frees"], 1000)
                more = told["instructions"] - bare["instructions"]
                self.assertGreater(more, 0)
                self.assertLessEqual(more, MOST_INSTRUCTIONS * told["frees"])

    def test_a_pool_that_cannot_be_covered_is_refused(self):
        """1: the MPU is off; 3: nothing can be covered. Then until none is left."""
        for board, regions in zip(GUARDED, (6, 6, 12), strict=True):
            with self.subTest(board=board):
                self.assertEqual({"off": 1, "small": 3, "outside": 3,
                                  "regions left": regions}, figures(board, "answers"))

    def test_what_was_refused_leaves_the_regions_of_the_rows_alone(self):
        for board in GUARDED:
            for level in levels(board, "fast", "off"):
                with self.subTest(board=board, level=level):
                    self.assertEqual((0, ["refused 3", "as it was 1"]),
                                     SAMPLED.said(board, "refused", level=level))


if __name__ == "__main__":
    unittest.main()
