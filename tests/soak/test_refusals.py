# SPDX-License-Identifier: MIT
"""Allocation failures at every call site: the demo survives all of them."""

import unittest

import paper
import trials
from harness import refusals
from harness.verdict import judge


class Refusals(unittest.TestCase):
    def survived(self, *words):
        return self.played(*words).refusals

    def played(self, *words):
        ledger = trials.play(trials.console("poison"), *words, frames=1800)
        self.assertIsNotNone(ledger.done, words)
        self.assertEqual((ledger.faults, ledger.audits), ([], []), words)
        return ledger

    def test_the_demo_survives_refusals_at_each_site_in_turn(self):
        sites = self.survived("fail_nth=1000000")
        self.assertEqual(11, len(sites))
        for site in sites:
            for nth in (1, 3):
                uses = self.survived(f"fail_nth={nth}", f"fail_site={site}")
                self.assertEqual(uses[site].refused,
                                 uses[site].requests // nth)
                self.assertGreater(uses[site].refused, 0, site)
                self.assertEqual(sum(use.refused for use in uses.values()),
                                 uses[site].refused)

    def test_the_demo_survives_refusals_of_each_allocator_in_turn(self):
        for name in ("particles", "sounds", "music", "debris", "rubble", "crowd",
                     "credits", "draw", "scripts", "scripts_64", "meshes",
                     "bullets"):
            ledger = self.played("fail_nth=2", f"fail_site={name}")
            refused = {ledger.pool_name(place.allocator) for place in ledger.places
                       if place.on_purpose}
            self.assertEqual(refused, {name})

    def test_a_request_that_another_call_of_the_library_goes_on_with_is_one(self):
        for level in ("off", "poison"):
            ledger = trials.play(trials.console(level), frames=1800)
            for pool in ledger.pools:
                asked = [place for place in ledger.places
                         if ledger.pool_name(place.allocator) == pool.name]
                if pool.name in ("crowd", "credits", "sounds", "music", "bullets"):
                    self.assertEqual(
                        sum(place.requests for place in asked),
                        pool.allocs + sum(place.refused for place in asked), pool.name)

    def test_where_every_second_request_is_refused_the_others_are_served(self):
        for name in ("crowd", "credits"):
            ledger = self.played("fail_nth=2", f"fail_site={name}")
            pool = next(one for one in ledger.pools if one.name == name)
            self.assertGreater(pool.allocs, 0, name)

    def test_the_demo_survives_refusals_anywhere(self):
        uses = self.survived("fail_per_million=300000")
        for site, use in uses.items():
            self.assertAlmostEqual(use.refused / use.requests, 0.3, delta=0.15,
                                   msg=site)
        self.survived("fail_nth=1")

    def test_the_same_seed_refuses_the_same(self):
        words = ("seed=5", "fail_per_million=100000")
        self.assertEqual(self.survived(*words), self.survived(*words))

    def test_the_verdict_says_whether_what_was_asked_for_came(self):
        for asked, told, passed in (
                ({"fail_nth": 2}, paper.refused("mesh", 5, 2), True),
                ({"fail_nth": 2}, paper.place(0, 0x100, 5, 2, 0), True),
                ({"fail_nth": 2}, paper.place(0, 0x100, 5, 0, 3), False),
                ({"fail_nth": 2}, paper.refused("mesh", 1, 0), False),
                ({"fail_rate": 0.5}, b"", False)):
            verdict = judge(paper.options(**asked),
                            paper.ledger_of(paper.healthy_run() + told),
                            paper.good_ending())
            passes = {check.name: check.passed for check in verdict.checks}
            self.assertEqual(passes["requests were refused as asked"], passed)

    def test_what_was_refused_on_purpose_is_told_place_by_place(self):
        ledger = paper.ledger_of(
            paper.healthy_run() + paper.refused("mesh", 5, 2)
            + paper.refused("never", 5, 0) + paper.place(1, 0x100, 7, 3, 1))
        detail, = [check.detail for check in judge(
            paper.options(fail_nth=2), ledger, paper.good_ending()).checks
            if check.name == "requests were refused as asked"]
        self.assertEqual("mesh 2 of 5, sounds: 0x00000100 3 of 7", detail)

    def test_what_is_refused_is_told_to_the_firmware_and_in_the_line_of_the_run(self):
        for asked, told, words in (
                ({}, [], []),
                ({"fail_nth": 3}, ["fail_nth=3"], ["--fail-nth", "3"]),
                ({"fail_rate": 0.25, "fail_site": "mesh"},
                 ["fail_per_million=250000", "fail_site=mesh"],
                 ["--fail-rate", "0.25", "--fail-site", "mesh"])):
            options = paper.options(**asked)
            self.assertEqual((told, words), (refusals.arguments(options),
                                             refusals.command_words(options)))

    def test_what_was_given_nothing_on_purpose_is_not_said_to_be_never_used(self):
        """It was asked; that it is never used would be wrong to say."""
        for told, live, passed in ((paper.place(2, 0x100, 5, 5, 0), 0, None),
                                   (paper.refused("mesh", 5, 5), 0, None),
                                   (paper.refused("mesh", 5, 5), 1, True),
                                   (paper.place(0, 0x100, 5, 5, 0), 0, False),
                                   (paper.place(2, 0x100, 5, 4, 0), 0, False),
                                   (paper.refused("mesh", 5, 4), 0, False),
                                   (b"", 0, False)):
            uses = [paper.usage(3)] * 2 + [paper.usage(live)]
            ledger = paper.ledger_of(paper.hello() + paper.sample(3600, *uses)
                                     + told + paper.done())
            verdict = judge(paper.options(fail_nth=1), ledger, paper.good_ending())
            used = next(check for check in verdict.checks
                        if check.name == "every pool was used")
            self.assertEqual(passed, used.passed, told)
