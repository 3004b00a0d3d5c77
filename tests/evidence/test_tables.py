# SPDX-License-Identifier: MIT
"""Tables of pools, broken and odd in many more ways than tests/run has time for: each
is generated or refused, by the generator in this process."""

import sys
import unittest

import page
from support import ROOT

sys.path.insert(0, str(ROOT / "tests" / "config"))
import test_fuzz as config_fuzz  # noqa: E402

CASES = 10000  # Of each kind.


class Tables(unittest.TestCase):
    def no_more_than_refused(self, kind, test):
        before, config_fuzz.CASES = config_fuzz.CASES, CASES
        self.addCleanup(setattr, config_fuzz, "CASES", before)
        result = unittest.TestResult()
        unittest.TestSuite([config_fuzz.BrokenFiles(test)]).run(result)
        wrong = [text for _, text in result.errors + result.failures]
        print(f"evidence: {CASES} {kind} tables, {len(wrong)} broke the generator")
        page.note_fuzz({f"{kind} tables": len(wrong)}, **{f"{kind}_tables": CASES})
        self.assertEqual([], wrong)
        self.assertEqual(1, result.testsRun)

    def test_no_broken_table_of_many_is_more_than_generated_or_refused(self):
        self.no_more_than_refused("broken",
                                  "test_every_broken_file_is_generated_or_refused")

    def test_no_odd_table_of_many_is_more_than_generated_or_refused(self):
        self.no_more_than_refused(
            "odd", "test_every_table_of_odd_values_is_generated_or_refused")


if __name__ == "__main__":
    unittest.main()
