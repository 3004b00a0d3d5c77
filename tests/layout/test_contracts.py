# SPDX-License-Identifier: MIT
"""Contracts are tests: CONTRACTS.md says which test shows which clause."""

import re
import unittest
from collections import Counter

import contracts

# What no test can show has its reason in the table. There are few.
NOT_SHOWN = "no test: "
FEW = 10

# What only a build of its own has, and where that is.
NOT_FUZZED = {
    "tp_event_note": "tests/unit/events", "tp_event_note_fault": "tests/unit/events",
    "tp_sanitize_off": "tests/sanitize", "tp_sanitize_report": "tests/sanitize"}


class Contracts(unittest.TestCase):
    def test_every_clause_of_a_contract_has_a_row_and_every_row_a_clause(self):
        clauses = Counter(clause for found in contracts.clauses().values()
                          for clause in found)
        rows = Counter(clause for clause, _ in contracts.rows())
        self.assertGreater(len(clauses), 200)
        self.assertEqual([], sorted(clauses - rows), "clauses without a row")
        self.assertEqual([], sorted(rows - clauses), "rows without a clause")

    def test_every_row_names_tests_there_are_or_why_there_is_none(self):
        tests = contracts.tests()
        for clause, shown in contracts.rows():
            if shown.startswith(NOT_SHOWN):
                continue
            names = re.findall(r"`([\w.]+)`", shown)
            self.assertTrue(names, clause)
            self.assertEqual([], [name for name in names if name not in tests],
                             clause)

    def test_few_clauses_are_shown_by_no_test(self):
        hidden = [clause for clause, shown in contracts.rows()
                  if shown.startswith(NOT_SHOWN)]
        self.assertLessEqual(len(hidden), FEW)

    def test_the_fuzz_names_each_call_that_has_a_contract(self):
        worlds = "".join(path.read_text() for path in
                         contracts.ROOT.glob("tests/fuzz/**/*.c"))
        names = {found.name for found in contracts.contracts()
                 if found.header != contracts.CPP}
        missing = {name for name in names if not re.search(rf"\b{name}\b", worlds)}
        self.assertEqual(set(NOT_FUZZED), missing)

    def test_an_iff_is_split_into_its_alternatives(self):
        text = ("the object; NULL iff the handle is stale or no handle: nothing "
                "changed. Then more.")
        self.assertEqual(["NULL: the handle is stale", "NULL: no handle"],
                         list(contracts.of_returns(text)))

    def test_faults_are_split_into_kinds_and_those_of_other_calls(self):
        text = "LINK (fast). Those of tp_pool_free(). At off nothing is checked."
        self.assertEqual(["LINK", "faults of tp_pool_free", "at off"],
                         list(contracts.of_faults(text)))
