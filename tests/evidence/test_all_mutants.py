# SPDX-License-Identifier: MIT
"""Of mutants that are held each survivor is told; of all, if they are too many."""

import unittest
from unittest import mock

import all_mutants
import page
import trial

listed = all_mutants.listed
FILE = "lib/core/tp_registry.c"


class AllMutants(unittest.TestCase):
    def tried(self, held, verdict):
        """What is told where a verdict is that of each mutant of a file."""
        mutants = listed.of(FILE)
        with mock.patch.object(trial, "Bench") as bench, \
                mock.patch.object(all_mutants, "noted"):
            bench().tried = lambda each: [trial.Outcome(one, verdict, "")
                                          for one in each]
            (file, count, told), = all_mutants.tried(mutants, held)
        self.assertEqual((FILE, len(mutants)), (file, count))
        return told

    def test_each_survivor_of_those_that_are_held_is_told_unless_it_is_listed(self):
        mutants, known = listed.of(FILE), listed.listed()
        new = [one for one in mutants if listed.key(one) not in known]
        self.assertEqual([f"a test fails for {FILE}:{one.line} {one.name}"
                          for one in new], self.tried(mutants, "survived"))
        self.assertEqual([], self.tried([], "survived"))

    def test_what_is_listed_and_killed_is_told_held_or_not(self):
        known = sum(key[0] == FILE for key in listed.listed())
        self.assertGreater(known, 0)
        for held in listed.of(FILE), []:
            self.assertEqual(known, len(self.tried(held, "killed")))

    def test_all_are_those_of_each_file_once_with_those_that_are_held(self):
        keys = [(*listed.key(one), one.line) for one in listed.every()]
        self.assertEqual(len(set(keys)), len(keys))
        self.assertLess({(*listed.key(one), one.line) for one in listed.held()},
                        set(keys))

    def test_fewer_than_98_of_100_that_are_killed_is_a_failure(self):
        for percent, lines in (98.0, 0), (97.99, 1):
            with mock.patch.object(page, "noted",
                                   lambda: {"mutants": {"percent": percent}}):
                self.assertEqual(lines, len(all_mutants.too_few()))
