# SPDX-License-Identifier: MIT
"""Every line, outcome and condition of the library is reached, or listed."""

import unittest

import coverage
import page


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.reached = coverage.measure()
        cls.listed = coverage.listed()
        figures = {kind: cls.reached.figures(kind, cls.listed)
                   for kind in coverage.KINDS}
        for kind, one in figures.items():
            print(f"evidence: {kind} {one['percent']} % of {one['total']},"
                  f" {one['listed']} listed")
        page.note(**{kind: one["percent"] for kind, one in figures.items()},
                  regions=cls.reached.regions(),
                  coverage={"figures": figures, "missed": cls.missed(),
                            "unreachable": [[file, f"{function} {text}".strip(),
                                             what, why] for
                                            (file, function, text, what), why
                                            in cls.listed.items()]})

    @classmethod
    def missed(cls):
        return [[place[0], place[1], " ".join(place[2:]).strip()]
                for kind in coverage.KINDS for place in cls.reached.missed(kind)
                if coverage.key(place) not in cls.listed]

    def test_every_line_outcome_and_condition_is_reached_or_listed(self):
        self.assertEqual(self.missed(), [])

    def test_what_is_listed_is_there_and_is_not_reached(self):
        missed = {coverage.key(place) for kind in coverage.KINDS
                  for place in self.reached.missed(kind)}
        self.assertEqual(sorted(set(self.listed) - missed), [])


class Comments(unittest.TestCase):
    def test_a_line_of_nothing_but_a_comment_has_no_code(self):
        self.assertEqual({1, 3, 4, 8, 9}, coverage.commented(
            "// one\nint a;  // two\n/* three\n   four */\nint b; /* five\n"
            "  six */ int c;\n\n/* eight */\n  //@ nine\nint d;"))


if __name__ == "__main__":
    unittest.main()
