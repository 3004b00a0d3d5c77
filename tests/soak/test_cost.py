# SPDX-License-Identifier: MIT
import subprocess
import unittest

import paper  # noqa: F401 - makes the harness importable
from harness.cost import MINUTE, CallCost, cost_summary
from harness.records import CALIBRATION, Costs, FrameCosts
from support import HANG_SECONDS, build, emulator


class Clock(unittest.TestCase):
    def test_a_frame_in_which_the_clock_passes_zero_is_as_long_as_any(self):
        elf = build("mps2_an385", "fast", "soak_clock") / "soak_clock.elf"
        result = subprocess.run(emulator("mps2_an385", elf), timeout=HANG_SECONDS,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
        self.assertIn("6 passed, 0 failed", result.stdout)


class Cost(unittest.TestCase):
    def test_percentiles_are_the_ends_of_their_buckets(self):
        costs = Costs("sparks: alloc", 20, 2, (0, 50, 40, 0, 9, 1))
        self.assertEqual(cost_summary(costs), {
            "name": "sparks: alloc", "calls": 100, "step": 2, "p50": 23, "p90": 25,
            "p99": 29, "max": 31})

    def test_one_call_is_all_percentiles(self):
        costs = Costs("sparks: alloc", 0, 4, (0, 1))
        self.assertEqual(cost_summary(costs)["p50"], 7)

    def test_a_clock_that_never_ticked_is_no_end_of_the_soak(self):
        for calibrated, taken in ((0, 4), (1, 4), (2, 2)):
            self.assertEqual(taken * CALIBRATION, FrameCosts(
                *[0] * 3, calibrated, *[0] * 4).instructions(4))

    def test_no_calls_have_no_percentiles(self):
        costs = Costs("sparks: alloc", 0, 4, (0, 0))
        self.assertEqual((cost_summary(costs)["p50"],
                          cost_summary(costs)["max"]), (None, None))

    def test_each_minute_has_a_column_of_what_was_called_in_it(self):
        call = CallCost()
        for minute, counts in enumerate(((1, 0, 4), (2, 3, 4), (2, 3, 4), (2, 4, 4))):
            call.add(Costs("sparks: alloc", 0, 16, counts), (minute + 1) * MINUTE)
        call.add(Costs("sparks: alloc", 0, 16, (9, 4, 4)), 4 * MINUTE + 60)
        columns = [(column.low, column.total, column.high)
                   for *_, column in call.curve.columns()]
        self.assertEqual([(15, 47, 47), (15, 31, 31), (0, 0, 0), (31, 31, 31)], columns)
        self.assertEqual((9, 4, 4), call.newest.counts)
