# SPDX-License-Identifier: MIT
"""The files that a soak reads again, and telemetry, damaged in many more ways than
tests/run has time for."""

import sys
import unittest

import page
from support import ROOT

sys.path.insert(0, str(ROOT / "tests" / "soak"))
import test_damage  # noqa: E402

TRIALS = 5000  # Of each kind.
KINDS = ("test_a_damaged_result_is_a_sentence_whoever_reads_it",
         "test_a_damaged_run_is_gone_on_with_or_refused_by_a_sentence",
         "test_a_damaged_scenario_is_a_sentence_with_its_place",
         "test_whatever_a_firmware_sends_has_a_verdict_and_a_report")


class Inputs(unittest.TestCase):
    def test_no_damaged_input_of_many_is_more_than_a_sentence(self):
        before, test_damage.TRIALS = test_damage.TRIALS, TRIALS
        self.addCleanup(setattr, test_damage, "TRIALS", before)
        suite = unittest.TestSuite(map(test_damage.Damaged, KINDS))
        result = unittest.TestResult()
        suite.run(result)
        wrong = [text for _, text in result.errors + result.failures]
        count = TRIALS * len(KINDS)
        print(f"evidence: {count} damaged inputs, {len(wrong)} kinds that broke the"
              " soak")
        page.note_fuzz({"soak": len(wrong)}, soak_inputs=count)
        self.assertEqual([], wrong)
        self.assertEqual(len(KINDS), result.testsRun)


if __name__ == "__main__":
    unittest.main()
