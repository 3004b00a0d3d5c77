# SPDX-License-Identifier: MIT
"""Every bug that can be planted is found in time and called by its name."""

import re
import sys
import unittest

import trials

sys.path.insert(0, str(trials.ROOT / "tests" / "layout"))
import readme  # noqa: E402
from harness import own_firmware  # noqa: E402
from harness.errors import CannotRun  # noqa: E402
from harness.frame_checks import frame_lines  # noqa: E402
from harness.ledger import Ledger  # noqa: E402
from harness.life_checks import life_lines  # noqa: E402
from harness.machine import Ending, arguments  # noqa: E402
from harness.options import CHECKS, Options  # noqa: E402
from harness.plants import (ACCESSES, LASTING, PLANTS, RESEALED,  # noqa: E402
                            SECOND, found)
from harness.progress_checks import progress_lines  # noqa: E402
from harness.trend_checks import trend_lines  # noqa: E402
from harness.verdict import judge  # noqa: E402
from support import build, is_full  # noqa: E402

SEEDS = (trials.SEED, 3, *(5, 7) * is_full())
SCRUBBED = 128  # Frames in which the scrub comes by every dead slot.


class Plants(unittest.TestCase):
    def test_every_planted_bug_is_found_and_named_in_time(self):
        for name, plant in PLANTS.items():
            for seed in SEEDS:
                hit = trials.trial(name, plant.level, seed)
                self.assertIsNotNone(hit, f"{name}, seed {seed}")
                self.assertLessEqual(hit.frames, plant.within, name)

    def test_the_readme_shows_when_each_is_found(self):
        self.assertEqual(readme.shown("plants"), readme.block("plants"))

    def test_a_level_finds_nothing_that_only_a_higher_one_claims(self):
        for name in ("double-free", "write-after-free", "overrun", "flip-free",
                     "forgotten-init"):
            below = CHECKS[:CHECKS.index(PLANTS[name].level)]
            for level in below:
                self.assertIsNone(trials.trial(name, level, trials.SEED),
                                  (name, level))

    def test_a_run_without_a_planted_bug_finds_none(self):
        ledger = trials.play(trials.console("poison"), "seed=2")
        self.assertEqual((ledger.planted, ledger.faults, ledger.audits),
                         (None, [], []))

    def test_what_goes_on_and_on_is_named_in_the_demo_within_a_second(self):
        for name, plant in LASTING.items():
            if not plant.names:
                continue
            ledger = trials.play(trials.console("poison"), f"plant={name}",
                                 "plant_frame=120", frames=240)
            hit = found(name, ledger.planted, ledger.audits)
            self.assertLess(hit.frames, SECOND, name)

    def test_a_frame_of_the_demo_that_stores_at_address_0_is_its_last(self):
        ledger = trials.play(trials.console("poison"), "plant=null-store",
                             "plant_frame=120", frames=240)
        self.assertEqual((120, None), (ledger.planted.frame, ledger.done))

    def test_a_generation_that_was_written_over_is_named_with_its_slot(self):
        """In any firmware, within a second, whether the slot is reused or not."""
        elf = build(trials.BOARD, "poison", "soaked") / "soaked.elf"
        for seed in SEEDS:
            ledger = trials.play(elf, f"seed={seed}", "plant=flip-generation",
                                 "plant_frame=300", frames=420)
            named = ledger.audits[0]
            self.assertEqual((ledger.planted.pool, ledger.planted.slot, RESEALED),
                             (named.pool, named.slot, named.text))
            self.assertLess(named.frame - 300, SECOND)
            self.assertEqual(1, len(ledger.audits))

    def test_whether_a_slot_is_live_is_named_by_what_verify_says_of_it_first(self):
        """In the last frame of a second it looks before any call of the pool."""
        elf = build(trials.BOARD, "fast", "soaked") / "soaked.elf"
        for seed in SEEDS:
            ledger = trials.play(elf, f"seed={seed}", "plant=flip-live",
                                 "plant_frame=359", frames=420)
            hit = found("flip-live", ledger.planted, ledger.audits)
            self.assertIsNotNone(hit, ledger.audits)
            self.assertEqual(0, hit.frames)

    def test_what_is_left_of_a_second_at_the_end_is_looked_at_and_told(self):
        elf = build(trials.BOARD, "poison", "soaked") / "soaked.elf"
        ledger = trials.play(elf, "plant=flip-generation", "plant_frame=445",
                             frames=450)
        self.assertEqual([(RESEALED, 450)], [
            (one.text, one.frame) for one in ledger.audits])
        self.assertEqual({450}, {one.frame for one in ledger.allocators})

    def test_either_way_of_a_link_of_the_ring_is_looked_at_in_each_frame(self):
        elf = build(trials.BOARD, "poison", "soaked") / "soaked.elf"
        for seed in range(1, 9):
            ledger = trials.play(elf, f"seed={seed}", "plant=flip-age",
                                 "plant_frame=300", frames=302)
            self.assertEqual(300, ledger.audits[0].frame, seed)

    def test_a_generation_that_does_not_add_up_is_named_by_the_next_call(self):
        """At full a call looks at all of its pool, long before the second is over."""
        elf = build(trials.BOARD, "full", "soaked") / "soaked.elf"
        ledger = trials.play(elf, "plant=flip-generation", "plant_frame=300",
                             frames=420)
        hit = found("flip-generation", ledger.planted, ledger.faults)
        self.assertEqual("invariant", hit.how)
        self.assertLess(hit.frames, 2)

    def test_the_clock_of_the_demo_wraps_and_nothing_else_happens(self):
        plain = trials.play(trials.console("poison"), frames=600)
        ledger = trials.play(trials.console("poison"), "near_wrap=1", frames=600)
        self.assertEqual(ledger.clock_start, 2**32 - 300)
        self.assertEqual(([], [], 600), (ledger.faults, ledger.audits, ledger.frame))
        self.assertEqual([one.name for one in plain.allocators if one.peak],
                         [one.name for one in ledger.allocators if one.peak])

    def test_what_calls_cost_is_told_once_a_minute_and_at_the_end(self):
        ledger = trials.play(trials.console("poison"), frames=7260)
        spark = ledger.costs["spark"]
        self.assertEqual(2, spark.curve.samples)
        self.assertGreater(sum(spark.newest.counts), 100)

    def test_what_the_rig_does_between_frames_is_no_frame_s_cost(self):
        """Once a second it looks at all pools, after the frame that costs most."""
        cost = trials.play(trials.console("poison"), frames=600).frame_cost
        self.assertNotEqual(SECOND - 1, cost.most_frame % SECOND)

    def test_the_console_and_the_harness_know_the_same_bugs(self):
        of_the_game = re.findall(r'\[PLANT_\w+\] = \{"([\w-]+)"', (
            trials.ROOT / "qemu/rig/plant.c").read_text())
        of_any = re.findall(r'\{"([\w-]+)", choose_', (
            trials.ROOT / "qemu/telemetry/tp_plant.c").read_text())
        of_accesses = re.findall(r'\{"([\w-]+)", take_', (
            trials.ROOT / "qemu/telemetry/tp_plant_access.c").read_text())
        self.assertEqual({*of_any, *LASTING, *ACCESSES}, set(own_firmware.PLANTS))
        self.assertEqual(sorted(of_the_game + of_any), sorted(PLANTS))
        self.assertEqual(of_accesses, [*ACCESSES])


class WhatGoesOn(unittest.TestCase):
    """And fails a check of the run as a whole; those that need the harness, or
    that a run ends by, are in test_elf.py."""

    FRAMES = 18060  # From five minutes on all is judged.
    TIMER = {"interrupts": "timer"}

    def play(self, name, program="soaked", frames=FRAMES, words=(), **asked):
        """The checks that fail, and whether it was planted."""
        options = Options(frames=frames, elf=program, plant=name, **asked)
        ledger = trials.play(
            build(trials.BOARD, "poison", program) / f"{program}.elf",
            *arguments(options)[3:], *words, frames=frames)
        checks = judge(options, ledger, Ending("it ended")).checks
        return {check.name for check in checks if check.failed}, ledger.planted

    def test_what_is_made_again_and_again_fails_the_check_of_what_it_costs(self):
        for name, how in (("dead-pool", {}), ("creeping-peak", {}), ("holes", {}),
                          ("outlived", {"frames": 4200}),
                          ("wrapped-clock", {"near_wrap": True}),
                          ("storm", dict(self.TIMER, program="dungeon")),
                          ("lost-interrupts", dict(self.TIMER, program="dungeon"))):
            with self.subTest(name):
                failed, planted = self.play(name, **how)
                self.assertEqual(name, planted.name)
                self.assertTrue(failed & set(LASTING[name].checks), failed)

    def test_what_finds_its_pool_full_waits_until_there_is_a_slot(self):
        failed, _ = self.play("outlived", frames=4800, words=("rush=2350",))
        self.assertIn("no object outlives its pool's life", failed)

    def test_a_mistake_that_shows_only_with_an_option_asks_for_it(self):
        for name, word in (("storm", "--interrupts timer"),
                           ("lost-interrupts", "--interrupts timer"),
                           ("wrapped-clock", "--near-wrap")):
            with self.assertRaisesRegex(CannotRun, f"does nothing without {word}"):
                own_firmware.refuse_what_it_ignores(Options(plant=name))
            own_firmware.refuse_what_it_ignores(
                Options(plant=name, near_wrap=True, interrupts="timer"))

    def test_a_clock_that_does_not_wrap_hides_who_compares_times(self):
        failed, _ = self.play("wrapped-clock", frames=3600)
        self.assertEqual(set(), failed)

    def test_a_firmware_without_what_a_mistake_needs_is_told_so(self):
        failed, planted = self.play("storm", frames=600)
        self.assertIsNone(planted)
        self.assertIn("the fault was planted as asked", failed)

    def test_each_check_of_a_run_as_a_whole_has_a_mistake_and_a_row_of_the_page(self):
        options, ledger = Options(frames=self.FRAMES), Ledger()
        names = [line[0] for lines in (trend_lines, progress_lines, frame_lines,
                                       life_lines) for line in lines(options, ledger)]
        shown = {check for plant in LASTING.values() for check in plant.shown_by}
        page = (trials.ROOT / "qemu" / "README.md").read_text()
        told = page.partition("## What the gate notices")[2].partition("\n#")[0]
        self.assertGreaterEqual(len(names), 12)
        for name in names:
            self.assertIn(name, shown)
            self.assertIn(name, told)

    def test_the_page_names_each(self):
        page = (trials.ROOT / "qemu" / "SOAK.md").read_text()
        for name, plant in LASTING.items():
            self.assertIn(f"| {plant.what} | `{name}` | {plant.checks[0]} |", page)


class NothingHides(unittest.TestCase):
    def test_damage_to_the_deepest_slot_is_found_within_the_stated_time(self):
        """In the level that only patterns protect, wherever and whenever it is
        done: by an audit in a second, by scrubbing or reuse in 128 frames."""
        audit = scrub = 0
        for seed in range(1, 25):
            ledger = trials.play(trials.console("poison"), f"seed={seed}",
                                 "plant=flip-free", f"plant_frame={97 * seed}")
            at = ledger.planted.frame
            audit = max(audit, ledger.audits[0].frame - at
                        if ledger.audits else 0)
            scrub = max(scrub, ledger.faults[0].frame - at)
        print(f"soak: a bit that flips in any free slot is found after at most"
              f" {audit} frames by the audit, {scrub} by the scrub alone")
        self.assertLess(audit, SECOND)
        self.assertLessEqual(scrub, SCRUBBED)
