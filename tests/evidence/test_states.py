# SPDX-License-Identifier: MIT
"""Every state of pools of up to eight slots, of every policy, at every level."""

import sys
import unittest

import page
from support import LEVELS, ROOT

sys.path.insert(0, str(ROOT / "tests" / "states"))
import states  # noqa: E402

MOST = 8


class States(unittest.TestCase):
    def test_every_state_of_up_to_eight_slots_is_come_to_and_no_other(self):
        rows = []
        for level in LEVELS:
            states.program(level)
            for run in states.runs(level, states.GENERATIONS[0], MOST):
                found = states.explored(run)
                self.assertEqual(states.expected(run), found.states, run)
                rows.append((run, found))
        sums = {policy: {level: sum(found.states for run, found in rows
                                    if (run.policy, run.level) == (policy, level))
                         for level in LEVELS} for policy in states.POLICIES}
        total = sum(sum(levels.values()) for levels in sums.values())
        calls = sum(found.calls + found.wrong + found.damages for _, found in rows)
        print(f"evidence: {total} states, {calls} calls and flips")
        page.note(states=total, state_calls=calls, states_of=sums)


if __name__ == "__main__":
    unittest.main()
