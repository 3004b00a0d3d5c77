# SPDX-License-Identifier: MIT
"""Failure modes and assumptions of use: each is noticed, or said to remain."""

import re
import unittest

import failures
import page
from failures import contracts, flips
from support import LEVELS, ROOT


def words(text):
    """Without what makes a comment of it, and how it is broken into lines."""
    return " ".join(re.sub(r"^//", "", text, flags=re.M).split())


class Failures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.counts = flips.measure_all()
        cls.rows = failures.draw(cls.counts)
        checked = [row for row in failures.assumptions() if row["by"] != "integrator"]
        page.note(flips=failures.sums_by_level(cls.counts), failures={
            "modes": sum(len(cls.rows[key]) for key in ("faults", "plants", "flips")),
            "assumptions": len(cls.rows["assumptions"]), "checked": len(checked)})
        print(f"evidence: {sum(map(len, cls.rows.values()))} rows of failures and"
              f" assumptions, {len(checked)} assumptions checked")

    def test_each_fault_and_each_planted_mistake_has_its_effect_told_and_no_other(self):
        known = failures.effects()
        self.assertEqual(set(contracts.fault_kinds()), set(known["faults"]))
        self.assertEqual({*failures.PLANTS, *failures.LASTING}, set(known["plants"]))
        self.assertEqual(set(failures.kinds()), set(known["faults"]))

    def test_no_cell_of_a_failure_or_of_an_assumption_is_empty(self):
        for key, rows in self.rows.items():
            self.assertGreater(len(rows), 15, key)
            self.assertEqual([], page.gaps(failures.HEADS[key], rows))

    def test_an_empty_cell_is_found(self):
        head, row = ("what", "by", "shown by"), ("a leak", "", "test")
        self.assertEqual(["a leak: by"], page.gaps(head, [row]))
        self.assertEqual(["a leak: shown by"], page.gaps(head, [("a leak", "x")]))

    def test_every_word_that_is_flipped_is_a_failure_with_its_counts(self):
        wanted = {word for subjects in self.counts.values()
                  for kinds in subjects.values() for word in kinds}
        self.assertEqual({f"a bit flips in: {word}" for word in wanted},
                         {row[0] for row in self.rows["flips"]})
        sums = failures.sums_by_level(self.counts)
        for level in LEVELS:
            flipped = sum(sum(outcomes.values()) for kinds in
                          self.counts[level].values() for outcomes in kinds.values())
            self.assertEqual(flipped, sum(sums[level].values()))

    def test_what_is_harmful_and_not_named_is_said_to_remain(self):
        sums = dict.fromkeys(flips.OUTCOMES, 0)
        counts = {level: {"a": {"word": dict(sums, named=3, silent=2, none=1)}}
                  for level in LEVELS}
        row, = failures.flip_rows(counts)
        self.assertEqual(("a bit flips in: word", 6), row[:2])
        self.assertEqual("2 hand out wrongly, and nobody says so", row[-1])
        self.assertEqual("3 named; 2 not, or too late", row[3])

    def test_an_assumption_is_shown_by_tests_there_are_or_is_the_integrator_s(self):
        there = contracts.tests()
        for one in failures.assumptions():
            names = one.get("tests", [])
            self.assertIn(one["by"], failures.BY)
            self.assertEqual(one["by"] == "integrator", not names, one["what"])
            self.assertEqual([], [name for name in names if name not in there])

    def test_a_user_is_told_each_assumption_where_the_page_says(self):
        for file, text in [one["says"] for one in failures.assumptions()]:
            self.assertIn(words(text), words((ROOT / file).read_text()), file)

    def test_the_tests_that_rows_name_are_there(self):
        there = contracts.tests()
        for name in (failures.PLANTED, failures.LASTED, failures.SANITIZED,
                     failures.GUARDED,
                     *[name for kind in failures.kinds()
                       for name in failures.tests_of(kind)]):
            self.assertIn(name, there)


if __name__ == "__main__":
    unittest.main()
