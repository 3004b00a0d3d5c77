# SPDX-License-Identifier: MIT
"""The tool that measures: it reads C and what Clang counts as it should."""

import unittest

from conditions import conditions
from coverage import CODE, EXPANSION, Function, line_counts


class Conditions(unittest.TestCase):
    def split(self, text):
        return [text[begin:end] for begin, end in conditions(text)]

    def test_operands_are_told_apart_in_brackets_and_out(self):
        self.assertEqual(self.split("a && (b || !c) && d"),
                         ["a", "b", "!c", "d"])
        self.assertEqual(self.split("!(a && b) || c"), ["a", "b", "c"])

    def test_what_a_call_is_given_is_no_operand(self):
        self.assertEqual(self.split("TP_LIKELY(a && b) && f(c || d)[e && g]"),
                         ["TP_LIKELY(a && b)", "f(c || d)[e && g]"])

    def test_one_condition_is_one(self):
        self.assertEqual(self.split("(a == b)"), ["(a == b)"])

    def test_a_decision_that_ends_with_a_macro_is_one(self):
        regions = [[1, 1, 9, 2, 7, 0, 0, CODE], [5, 10, 5, 13, 7, 0, 1, EXPANSION],
                   [6, 10, 6, 14, 7, 0, 2, EXPANSION],
                   [2, 9, 2, 20, 7, 1, 0, CODE], [2, 9, 2, 20, 7, 2, 0, CODE]]
        function = Function({"name": "f", "filenames": [], "regions": regions}, None)
        self.assertEqual(function.deciding((5, 10, 6, 14)), [0])

    def test_a_line_ran_as_often_as_what_began_in_it_or_goes_on(self):
        segments = [[1, 1, 7, True, True, False], [2, 3, 0, True, True, False],
                    [2, 9, 7, True, False, False], [4, 1, 0, False, False, False]]
        self.assertEqual(line_counts(segments), {1: 7, 2: 7, 3: 7, 4: 7})


if __name__ == "__main__":
    unittest.main()
