# SPDX-License-Identifier: MIT
"""A few mutants of two files that are held. tests/run evidence has all of them."""

import unittest

import listed
import trial

SAMPLED = ("lib/check/tp_check.c", "lib/core/tp_pin.c")
ONE_OF = 19


class Sample(unittest.TestCase):
    def test_a_test_fails_for_each_mutant_of_a_sample(self):
        known = listed.listed()
        every = [one for file in SAMPLED for one in listed.of(file)]
        chosen = [one for one in listed.sample(every, ONE_OF)
                  if listed.key(one) not in known]
        outcomes = list(trial.Bench().tried(chosen))
        alive = [f"{one.mutant.file}:{one.mutant.line} {one.mutant.name}"
                 for one in outcomes if one.verdict == "survived"]
        killed = sum(one.verdict == "killed" for one in outcomes)
        print(f"mutants: {killed} of {len(chosen)} in the sample killed")
        self.assertEqual(alive, [])
        self.assertGreater(killed, 10)


if __name__ == "__main__":
    unittest.main()
