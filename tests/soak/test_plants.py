# SPDX-License-Identifier: MIT
"""Every bug that can be planted is found in time and called by its name."""

import re
import unittest

import trials
from harness.options import CHECKS
from harness.plants import PLANTS

SEEDS = (2, 3, 5, 7)
SCRUBBED = 128  # Frames in which the scrub comes by every dead slot.


class Plants(unittest.TestCase):
    def test_every_planted_bug_is_found_and_named_in_time(self):
        for name, plant in PLANTS.items():
            for seed in SEEDS:
                hit = trials.trial(name, plant.level, seed)
                self.assertIsNotNone(hit, f"{name}, seed {seed}")
                self.assertLessEqual(hit.frames, plant.within, name)

    def test_a_level_finds_nothing_that_only_a_higher_one_claims(self):
        for name in ("double-free", "write-after-free", "overrun", "flip-free",
                     "flip-generation", "forgotten-init"):
            below = CHECKS[:CHECKS.index(PLANTS[name].level)]
            for level in below:
                self.assertIsNone(trials.trial(name, level), (name, level))

    def test_a_run_without_a_planted_bug_finds_none(self):
        ledger = trials.play(trials.console("poison"), "seed=2")
        self.assertEqual((ledger.planted, ledger.faults, ledger.audits),
                         (None, [], []))

    def test_the_console_and_the_harness_know_the_same_bugs(self):
        source = (trials.ROOT / "qemu/console/plant.c").read_text()
        names = re.findall(r'\[PLANT_\w+\] = \{"([\w-]+)"', source)
        self.assertEqual(names, list(PLANTS))
