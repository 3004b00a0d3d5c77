# SPDX-License-Identifier: MIT
"""How much stack each call takes is known, and stands in lib/COSTS.md."""

import unittest

import stack


class Stack(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found, cls.graphs = stack.measured()

    def test_the_page_has_the_stack_that_each_call_takes(self):
        self.assertEqual(stack.table(self.found), stack.parts()[1],
                         "tests/image/stack.py --write writes it anew")

    def test_no_call_takes_stack_without_a_bound(self):
        self.assertEqual([[]] * len(self.graphs),
                         [graph.unbounded for graph in self.graphs])

    def test_nothing_is_called_that_is_neither_ours_nor_the_applications(self):
        self.assertEqual([[]] * len(self.graphs),
                         [graph.unknown() for graph in self.graphs])

    def test_what_a_policy_answers_by_is_on_the_way_of_a_request(self):
        for graph in self.graphs:
            self.assertIn("tp_spill_overflow", graph.calls["tp_pool_extend"])
            for answer in stack.ANSWERS.values():
                self.assertTrue([one for one in graph.calls["tp_pool_extend"]
                                 if one.endswith(answer)], answer)


if __name__ == "__main__":
    unittest.main()
