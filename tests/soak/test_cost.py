# SPDX-License-Identifier: MIT
import unittest

import paper  # noqa: F401 - makes the harness importable
from harness.cost import cost_summary
from harness.records import Costs


class Cost(unittest.TestCase):
    def test_percentiles_are_the_ends_of_their_buckets(self):
        costs = Costs("sparks: alloc", 20, 2, (0, 50, 40, 0, 9, 1))
        self.assertEqual(cost_summary(costs), {
            "name": "sparks: alloc", "calls": 100, "step": 2, "p50": 23, "p90": 25,
            "p99": 29, "max": 31})

    def test_one_call_is_all_percentiles(self):
        costs = Costs("sparks: alloc", 0, 4, (0, 1))
        self.assertEqual(cost_summary(costs)["p50"], 7)

    def test_no_calls_have_no_percentiles(self):
        costs = Costs("sparks: alloc", 0, 4, (0, 0))
        self.assertEqual((cost_summary(costs)["p50"],
                          cost_summary(costs)["max"]), (None, None))
