# SPDX-License-Identifier: MIT
"""Every state of small pools is come to, and every call from each."""

import unittest
from concurrent.futures import ThreadPoolExecutor

import states
from support import LEVELS

MOST = {"off": 6, "fast": 7, "poison": 6, "full": 6}  # Slots; to 8 in the evidence.


class States(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(states.program, LEVELS))

    def explore(self, level, generation, most):
        for run in states.runs(level, generation, most):
            found = states.explored(run)
            self.assertEqual(states.expected(run), found.states, run)
            self.assertEqual(level != "off", found.wrong > 0, run)

    def test_every_state_is_come_to_and_no_other_at_every_level(self):
        for level in LEVELS:
            self.explore(level, states.GENERATIONS[0], MOST[level])

    def test_generations_that_wrap_change_nothing(self):
        for level in LEVELS:
            self.explore(level, states.GENERATIONS[1], 6)

    def test_a_pool_of_one_slot_that_drops_has_three_states(self):
        self.assertEqual(3, states.expected(states.Run("drop", 1, 1, "fast")))


if __name__ == "__main__":
    unittest.main()
