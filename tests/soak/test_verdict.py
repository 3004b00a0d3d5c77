# SPDX-License-Identifier: MIT
import types
import unittest

import paper
from harness.machine import Ending
from harness.plants import ACCESSES, PLANTS, claims, failed_for
from harness.plants import found as found_of
from harness.verdict import judge

ONE_POOL = (("sparks", 50, 32, 1),)
ASSERT_POOL = (("waves", 8, 32, 0),)


def verdict_on(data, ending=None, frames=3600, **asked):
    return judge(paper.options(frames, **asked), paper.ledger_of(data),
                 ending or paper.good_ending())


def failed_in(verdict):
    return [check.name for check in verdict.checks if check.failed]


def skipped_in(verdict):
    return [check.name for check in verdict.checks if check.passed is None]


class Verdict(unittest.TestCase):
    def assert_fails(self, name, data, code=1, **how):
        verdict = verdict_on(data, **how)
        self.assertIn(name, failed_in(verdict))
        self.assertEqual(verdict.exit_code, code)
        return verdict

    def test_a_healthy_run_passes_every_check(self):
        verdict = verdict_on(paper.healthy_run())
        self.assertEqual(failed_in(verdict), [])
        self.assertEqual((verdict.exit_code, verdict.warnings), (0, []))
        self.assertEqual(verdict.why,
                         "12 checks passed over 1 minute of simulated time,"
                         " 20 skipped")

    def test_exit_code_0_without_a_goodbye_is_a_failure(self):
        data = paper.healthy_run()[:-len(paper.done())]
        verdict = self.assert_fails("the run finished", data)
        self.assertIn("without the firmware's goodbye", verdict.why)

    def test_a_firmware_of_ones_own_without_a_frame_is_asked_for_its_calls(self):
        verdict = self.assert_fails("the run finished", paper.hello(), elf="own.elf")
        self.assertEqual("the run finished: QEMU ended with code 0 after frame 0 of"
                         " 3 600, without the firmware's goodbye; does it call"
                         " tp_soak_frame() for each frame?", verdict.why)
        self.assertNotIn("tp_soak_frame", verdict_on(paper.hello()).why)

    def test_a_goodbye_at_the_wrong_frame_is_a_failure(self):
        data = paper.healthy_run()[:-len(paper.done())] + paper.done(3599)
        self.assert_fails("the run finished", data)

    def test_a_goodbye_with_another_exit_code_is_a_failure(self):
        self.assert_fails("the run finished", paper.healthy_run(),
                          ending=Ending("QEMU ended with code 134", 134))

    def test_a_firmware_that_restarts_is_a_failure_however_it_goes_on(self):
        once = paper.healthy_run()
        verdict = self.assert_fails("the run finished", once + once)
        self.assertEqual(
            "the run finished: the firmware restarted after frame 3 600 of 3 600",
            verdict.why)

    def test_of_a_run_that_found_enough_nothing_is_wrong_that_it_did_not_finish(self):
        verdict = verdict_on(
            paper.hello() + paper.audit("live is 3, not 4"),
            Ending("stopped after what was found", -9, was_enough=True))
        self.assertEqual(1, verdict.exit_code)
        self.assertIn("the run finished", skipped_in(verdict))
        self.assertIn("live is 3, not 4", verdict.why)

    def test_nothing_after_a_restart_counts(self):
        ledger = paper.ledger_of(paper.hello() + paper.healthy_sample(600)
                                 + paper.healthy_run())
        self.assertEqual((600, 1), (ledger.frame, ledger.samples))

    def test_a_firmware_that_ran_another_seed_is_a_failure(self):
        verdict = self.assert_fails("the firmware ran what was asked",
                                    paper.healthy_run(seed=8))
        self.assertIn("seed 8, not 1", verdict.why)

    def test_a_firmware_built_with_other_checks_is_a_failure(self):
        self.assert_fails("the firmware ran what was asked",
                          paper.healthy_run(checks=1))

    def test_a_fault_that_was_asked_for_and_never_came_is_a_failure(self):
        asked = paper.options(plant="overrun")
        ledger = paper.ledger_of(paper.healthy_run())
        self.assertIn("the fault was planted as asked",
                      failed_in(judge(asked, ledger, paper.good_ending())))
        run = paper.healthy_run()
        goodbye = len(paper.done())
        ledger = paper.ledger_of(run[:-goodbye] + paper.planted("overrun")
                                 + run[-goodbye:])
        self.assertEqual(failed_in(judge(asked, ledger, paper.good_ending())), [])

    def test_damage_before_an_object_is_at_a_negative_offset(self):
        verdict = verdict_on(paper.hello() + paper.fault(7, offset=2**32 - 4))
        self.assertIn("at offset -4 where", verdict.why)

    def test_what_the_application_expects_is_a_check(self):
        run = paper.healthy_run()
        goodbye = len(paper.done())
        for failed, wrong in ((0, []), (2, ["nobody waits"])):
            record = paper.expectation("nobody waits", 9, failed, 70)
            ledger = paper.ledger_of(run[:-goodbye] + record + run[-goodbye:])
            verdict = judge(paper.options(), ledger, paper.good_ending())
            self.assertEqual(failed_in(verdict), wrong)

    def test_what_a_scenario_wants_served_must_be(self):
        """One request refused, or one theft, of all that calm has."""
        for unmet in ({"refused": 1}, {"steals": 1}):
            data = paper.hello(pools=ONE_POOL) + paper.sample(
                3600, paper.usage(9, allocs=10**6, **unmet)) + paper.done()
            verdict = self.assert_fails("demand was met", data, scenario="calm")
            self.assertIn("sparks 0.0001 % (1 request)", verdict.why)
            for scenario in ("", "storm"):
                self.assertNotIn("demand was met", failed_in(verdict_on(
                    data, scenario=scenario)))

    def test_a_fault_names_kind_pool_slot_address_and_frame(self):
        verdict = self.assert_fails("no fault",
                                    paper.hello() + paper.fault(paper.POISON),
                                    ending=Ending("QEMU ended with code 1", 1))
        self.assertEqual(
            verdict.why, "poison fault in pool particles, slot 17, address"
            " 0x21000220, frame 1234: 0x00000bad at offset 8 where 0x1deadb0b"
            " should be")

    def test_of_a_request_that_does_not_fit_it_is_said_what_was_asked_for(self):
        for kind, found, expected, address, said in (
                (8, 49, 48, 0, ", frame 1234: 49 were asked for, where 48 fit"),
                (15, 99, 64, 0, ", frame 1234: 99 were asked for, where no more than 64"
                                " ever fit"),
                (1, 4, 4, 0, ", frame 1234: index 4 was asked for, of 4"),
                (1, 0, 0, 0, ", address 0x00000000, frame 1234"),
                (17, 0, 1, 256, ", address 0x00000100, frame 1234: found is 0x0,"
                                " expected 0x1")):
            verdict = self.assert_fails("no fault", paper.hello() + paper.fault(
                kind, slot=0, address=address, found=found, expected=expected))
            self.assertEqual(f"in pool particles{said}",
                             verdict.why.partition(" fault ")[2])

    def test_a_fault_without_a_pool_names_none(self):
        verdict = self.assert_fails("no fault", paper.hello() + paper.fault(
            1, pool=255, slot=0, expected=0, found=0))
        self.assertEqual(verdict.why,
                         "foreign fault address 0x21000220, frame 1234")

    def test_an_audit_that_disagrees_is_a_failure(self):
        verdict = self.assert_fails(
            "the audits agree", paper.hello() + paper.audit("live is 3, not 4"))
        check = next(check for check in verdict.checks
                     if check.name == "the audits agree")
        self.assertEqual(check.detail, "1 disagreement, the first at frame 600,"
                                       " pool sounds: live is 3, not 4")

    def test_counts_that_do_not_balance_are_a_failure(self):
        self.assert_fails(
            "allocs = frees + steals + live", paper.hello(pools=ONE_POOL)
            + paper.sample(60, paper.usage(5, allocs=7, frees=1)))

    def test_more_objects_than_slots_are_a_failure(self):
        self.assert_fails("never above capacity", paper.hello(pools=ONE_POOL)
                          + paper.sample(60, paper.usage(51)))

    def test_an_assert_pool_that_overflowed_is_a_failure(self):
        self.assert_fails("no assert pool overflowed",
                          paper.hello(pools=ASSERT_POOL)
                          + paper.fault(paper.FULL))

    def test_an_assert_pool_that_dropped_is_a_failure(self):
        self.assert_fails("no assert pool overflowed",
                          paper.hello(pools=ASSERT_POOL)
                          + paper.sample(60, paper.usage(8, refused=1)))

    def test_a_pool_nobody_used_is_a_failure(self):
        self.assert_fails("every pool was used", paper.hello(pools=ONE_POOL)
                          + paper.sample(60, paper.usage(0)))

    def test_before_the_first_sample_nobody_knows_what_was_used(self):
        verdict = verdict_on(paper.hello(pools=ONE_POOL) + paper.fault(1))
        used, = (check for check in verdict.checks
                 if check.name == "every pool was used")
        self.assertEqual((None, "not judged: the run ended before its first sample"),
                         (used.passed, used.detail))
        self.assertEqual([], verdict.warnings)

    def test_a_damaged_byte_is_a_failure(self):
        data = bytearray(paper.healthy_run())
        data[len(paper.hello()) + 30] ^= 1
        self.assert_fails("telemetry undamaged", data)

    def test_what_the_firmware_prints_among_records_is_no_damage(self):
        data = paper.healthy_run()
        at = len(paper.hello())
        verdict = verdict_on(data[:at] + b"orders: 12\n" + data[at:])
        self.assertEqual([], failed_in(verdict))

    def test_what_it_prints_in_the_middle_of_a_record_is_told_and_no_damage(self):
        data = paper.healthy_run()
        at = len(paper.hello()) + 30
        verdict = verdict_on(data[:at] + b"orders: 12\n" + data[at:])
        self.assertEqual([], failed_in(verdict))
        self.assertIn("the firmware printed within 1 record",
                      " ".join(check.detail for check in verdict.checks))

    def test_a_run_without_an_interrupt_is_a_failure(self):
        self.assert_fails("interrupts were delivered",
                          paper.hello() + paper.done(irqs=0))

    def test_a_pool_that_never_became_full_is_a_warning_only(self):
        verdict = verdict_on(
            paper.hello(pools=ONE_POOL)
            + paper.sample(3600, paper.usage(5)) + paper.done())
        self.assertEqual(verdict.exit_code, 0)
        self.assertIn("sparks never became full", verdict.warnings[0])

    def test_what_fills_by_bytes_is_tried_once_it_has_refused(self):
        """A last byte is hardly ever asked for."""
        for kind, unit, refused, said in (
                ("stack", "bytes", 0, "level never had too few bytes for a request"),
                ("relocating", "bytes", 0, "level never had"),
                ("frame", "bytes", 2, ""),
                ("relocating", "blocks", 3, ""), ("blocks", "bytes", 0, ""),
                ("scenes", "bytes", 0, ""), ("nest", "bytes", 0, "")):
            verdict = verdict_on(
                paper.hello(pools=(("level", 2048, 1, 1, kind, unit),))
                + paper.sample(3600, paper.usage(1900, allocs=1900, frees=0,
                                                 refused=refused)) + paper.done())
            self.assertEqual(bool(said), bool(verdict.warnings), (kind, unit))
            self.assertIn(said, "".join(verdict.warnings))

    def run_of(self, usage_in, minutes=10, policy=1):
        """A run of one pool, whose usage in a second `usage_in` tells."""
        frames = 3600 * minutes
        body = [paper.sample(60 * second, usage_in(second))
                for second in range(1, 60 * minutes + 1)]
        return dict(frames=frames, data=b"".join(
            [paper.hello(frames, pools=(("sparks", 1000, 32, policy),)), *body,
             paper.done(frames)]))

    def test_a_leak_of_one_slot_a_minute_is_a_floor_that_rises(self):
        leak = self.run_of(lambda second: paper.usage(
            100, low=second // 60, high=200 - second % 7))
        verdict = self.assert_fails("no floor rises", **leak)
        self.assertIn("sparks: at least 0, 2, 5 and 7 slots in use in the quarters"
                      " of the run", verdict.why)

    def test_what_rises_most_is_said_to_be_what_was_live_as_frames_ended(self):
        """A peak within a frame is higher, and stands beside it."""
        leak = self.run_of(lambda second: paper.usage(peak=9, live=second % 5))
        detail = " ".join(one.detail for one in verdict_on(**leak).checks
                          if one.name == "no peak creeps")
        self.assertRegex(detail, r"rises most, at most .* slots as frames ended; score")

    def test_37_of_1000_that_are_lost_in_an_hour_are_a_floor_that_rises(self):
        """Of sparks of which some hundred come and go."""
        def usage(second):
            lost = 37 * second // 3600
            return paper.usage(lost + 40, low=lost + second * 7 % 5,
                               high=lost + 200 + second * 11 % 90)
        self.assert_fails("no floor rises", **self.run_of(usage, minutes=60))

    def test_of_checks_that_fail_that_comes_first_whose_cause_is_looked_for(self):
        leak = self.run_of(lambda second: paper.usage(second // 60))
        goodbye = len(paper.done())
        for more, name in (
                (b"", "no floor rises"),
                (paper.oldest(3600, 0, 600, 7, 660),
                 "no object outlives its pool's life"),
                (paper.oldest(3600, 0, 600, 7, 660)
                 + paper.expectation("late", 9, 1, 8)
                 + paper.expectation("early", 9, 1, 7), "early")):
            data = leak["data"][:-goodbye] + more + leak["data"][-goodbye:]
            verdict = verdict_on(**{**leak, "data": data})
            self.assertIn("no floor rises", failed_in(verdict))
            self.assertEqual(name, verdict.why.partition(":")[0])

    def test_a_peak_one_higher_each_minute_creeps(self):
        verdict = self.assert_fails("no peak creeps", **self.run_of(
            lambda second: paper.usage(9, high=20 + second // 60)))
        self.assertIn("sparks: at most 22, 25, 27 and 30 slots", verdict.why)
        self.assertNotIn("no floor rises", failed_in(verdict))

    def test_a_pool_that_steals_may_fill(self):
        for policy in (2, 3):
            verdict = verdict_on(**self.run_of(
                lambda second: paper.usage(second), policy=policy))
            self.assertNotIn("no floor rises", failed_in(verdict))

    def test_a_pool_that_falls_silent_is_a_failure(self):
        """Music of which nothing is heard any more after 72 seconds."""
        for last, silent in ((72, True), (600, False)):
            verdict = verdict_on(**self.run_of(lambda second: paper.usage(
                1, allocs=1 + 9 * min(second // 2, last // 2))))
            self.assertEqual("nothing falls silent" in failed_in(verdict), silent)
            if silent:
                self.assertIn("pool sparks: nothing since 00:01:12, for 8 minutes"
                              " 48 seconds; before, it never paused for longer than"
                              " 2 seconds", verdict.why)

    def test_what_begins_and_ends_with_the_first_minute_is_skipped_not_passed(self):
        verdict = verdict_on(**self.run_of(
            lambda second: paper.usage(1, allocs=1 + 9 * min(second, 50))))
        self.assertEqual(failed_in(verdict), [])
        self.assertIn("pool sparks goes on", skipped_in(verdict))
        self.assertIn("not judged: it moved in 50 samples, since 00:00:50 in none, for"
                      " 9 minutes 10 seconds; a rhythm is 30 of them over 1 minute",
                      [check.detail for check in verdict.checks])
        verdict = verdict_on(**self.run_of(lambda second: paper.usage(1, allocs=1)))
        self.assertIn("pool sparks goes on", skipped_in(verdict))
        verdict = verdict_on(**self.run_of(
            lambda second: paper.usage(1, allocs=1 + 9 * second)))
        self.assertNotIn("pool sparks goes on", skipped_in(verdict))

    def test_a_pool_that_serves_nobody_for_five_minutes_starves(self):
        """One packet of 500 was never freed: soon no buffer is left."""
        verdict = self.assert_fails("no pool starves", **self.run_of(
            lambda second: paper.usage(1000, allocs=1000, refused=4 * second)))
        self.assertIn("sparks: every one of 2 396 requests refused since 00:00:01",
                      verdict.why)

    def test_bytes_that_are_served_are_not_counted_so_they_do_not_starve(self):
        """Of a frame that ended is nothing live."""
        frames = 36000
        verdict = verdict_on(b"".join(
            [paper.hello(frames, pools=(("dots", 512, 0, 1, "frame", "bytes"),)),
             *(paper.sample(at, paper.usage(0, peak=512, refused=at))
               for at in range(60, frames + 1, 60)), paper.done(frames)]),
            frames=frames)
        self.assertEqual(failed_in(verdict), [])

    def test_figures_and_interrupts_may_fall_silent_too(self):
        def body(second):
            moment = min(second, 100)
            return paper.sample(60 * second, paper.usage(1, allocs=1),
                                irqs=moment) + paper.figures(60 * second, moment)
        data = paper.hello(36000, pools=ONE_POOL) + paper.figure(
            0, "score", flat=False) + b"".join(map(body, range(1, 601)))
        verdict = self.assert_fails("nothing falls silent", data + paper.done(36000),
                                    frames=36000, elf="own.elf")
        self.assertRegex(verdict.why, "figure score: nothing since 00:01:40.*;"
                                      " interrupts: nothing since 00:01:40")

    def frames_run(self, cost_in, minutes=8, budget=0):
        """A run whose frames took (mean, most) instructions in a second."""
        frames = 3600 * minutes
        body = [paper.sample(60 * second, paper.usage(1, allocs=1))
                + paper.frame_costs(60 * second, 900, *cost_in(second),
                                    budget=budget)
                for second in range(1, 60 * minutes + 1)]
        return dict(frames=frames, data=b"".join(
            [paper.hello(frames, pools=ONE_POOL), *body, paper.done(frames)]))

    def test_a_frame_in_600_that_takes_thirty_times_as_long_is_a_failure(self):
        verdict = self.assert_fails(
            "no frame takes far longer than others", **self.frames_run(
                lambda second: (1000, 60000 if second % 10 == 0 else 2000)))
        self.assertIn("frame 599 took 60 000 instructions; the costliest of a second"
                      " takes 2 000, 10 times that is too much; 48 seconds",
                      verdict.why)

    def test_frames_that_become_twice_as_slow_are_a_failure(self):
        verdict = self.assert_fails("frames do not become slower", **self.frames_run(
            lambda second: (5000, 6000) if second > 420 else (1000, 2000)))
        self.assertIn("from 00:07:00 on a frame takes 5 000 instructions in the mean"
                      " of a minute, in the slowest of the first 5 1 000",
                      verdict.why)
        self.assert_fails("frames do not become slower", **self.frames_run(
            lambda second: (1000 + second, 3000)))

    def test_a_budget_that_is_stated_is_kept_and_stands_for_the_learned_one(self):
        def costs(second):
            return 1000, 60000 if second == 400 else 2000
        verdict = self.assert_fails("frames keep their budget",
                                    **self.frames_run(costs, budget=50000))
        self.assertIn("first above it in frame 23 999", verdict.why)
        self.assertTrue(failed_for("slow-frame", verdict.checks))
        verdict = verdict_on(**self.frames_run(costs, budget=60000))
        self.assertEqual(failed_in(verdict), [])
        self.assertIn("no frame takes far longer than others", skipped_in(verdict))

    def test_frames_whose_load_comes_and_goes_pass(self):
        verdict = verdict_on(**self.frames_run(
            lambda second: (1000, 9000) if second % 90 else (4000, 20000)))
        self.assertEqual(failed_in(verdict), [])

    def test_a_stack_that_was_used_up_is_a_failure(self):
        for deepest, wrong in ((4096, ["stacks hold"]), (4092, [])):
            data = paper.healthy_run()
            goodbye = len(paper.done())
            verdict = verdict_on(data[:-goodbye] + paper.stack(3600, 4096, deepest)
                                 + data[-goodbye:])
            self.assertEqual(failed_in(verdict), wrong)

    def test_an_object_that_outlives_the_life_of_its_row_is_named(self):
        for age, wrong in ((600, []), (660, ["no object outlives its pool's life"])):
            data = paper.healthy_run()
            goodbye = len(paper.done())
            verdict = verdict_on(data[:-goodbye] + paper.oldest(
                3600, 1, 600, 7, age) + data[-goodbye:])
            self.assertEqual(failed_in(verdict), wrong)
        self.assertIn("sounds, slot 7: 11 seconds old in frame 3 600, its row says"
                      " 10 seconds; issued by 0x00001001", verdict.why)

    def test_what_a_row_keeps_for_ever_may_fill_and_starve(self):
        kept = self.run_of(lambda second: paper.usage(min(second, 300), refused=second))
        self.assertEqual(failed_in(verdict_on(**kept)), [
            "no floor rises", "no peak creeps", "nothing falls silent",
            "no pool starves"])
        kept["data"] += paper.oldest(36000, 0, 2**32 - 1, 1, 36000)
        self.assertEqual(failed_in(verdict_on(**kept)), [])

    def test_interrupts_that_come_ever_more_often_are_a_failure(self):
        for more, wrong in ((0, False), (2, True), (-2, True)):
            irqs = 0
            body = []
            for second in range(1, 601):
                irqs += 4000 + more * second
                body.append(paper.sample(60 * second, paper.usage(1, allocs=1),
                                         irqs=irqs))
            verdict = verdict_on(paper.hello(36000, pools=ONE_POOL) + b"".join(body)
                                 + paper.done(36000), frames=36000)
            self.assertEqual("interrupts come as often as before"
                             in failed_in(verdict), wrong, more)

    def test_without_an_mpu_stores_to_address_0_are_not_looked_at(self):
        name = "nothing stores to address 0 or to code"
        data = paper.healthy_run()
        self.assertIn(name, skipped_in(verdict_on(data)))
        at = len(paper.hello())
        for why_not, skipped in (("the core has no MPU", True), ("", False)):
            verdict = verdict_on(data[:at] + paper.guard(why_not=why_not) + data[at:])
            self.assertEqual(name in skipped_in(verdict), skipped)
            self.assertNotIn(name, failed_in(verdict))

    def test_memory_that_is_cut_up_ever_more_is_a_failure(self):
        for largest, size, wrong in ((-10, 0, True), (0, 10, True), (0, 0, False),
                                     (10, -10, False)):
            body = [paper.sample(60 * second, paper.usage(1, allocs=1)) + paper.holes(
                60 * second, 0, 8000 + largest * second, 3, 8000 + size * second)
                for second in range(1, 601)]
            verdict = verdict_on(paper.hello(36000, pools=(
                ("meshes", 16384, 1, 1, "relocating", "bytes"),)) + b"".join(body)
                + paper.done(36000), frames=36000)
            self.assertEqual("memory is not cut up ever more" in failed_in(verdict),
                             wrong)

    def test_what_is_not_measured_is_skipped(self):
        skipped = skipped_in(verdict_on(paper.healthy_run(72000), frames=72000))
        for name in ("frames do not become slower", "stacks hold"):
            self.assertIn(name, skipped)

    def test_what_stays_as_it_was_goes_no_way(self):
        verdict = verdict_on(paper.healthy_run(72000), frames=72000)
        self.assertEqual(failed_in(verdict), [])

    def figures_run(self, values, flat=True, scale=0, minutes=20):
        """A run with a figure of the firmware's own, from values(second)."""
        frames = 3600 * minutes
        body = [paper.healthy_sample(60 * second) + paper.figures(
            60 * second, values(second)) for second in range(1, 60 * minutes)]
        data = b"".join([paper.hello(frames), paper.figure(
            0, "largest hole", "bytes", scale, flat), *body,
            paper.done(frames, irqs=frames)])
        return verdict_on(data, frames=frames)

    def test_a_figure_of_the_firmwares_own_must_not_drift(self):
        verdict = self.figures_run(lambda second: 5000 - 2 * second)
        self.assertIn("largest hole is flat", failed_in(verdict))
        self.assertIn("bytes drifted, mean in the quarters of the run: 4",
                      verdict.why)

    def test_a_figure_that_may_drift_is_no_check(self):
        verdict = self.figures_run(lambda second: second, flat=False)
        self.assertNotIn("largest hole is flat",
                         [check.name for check in verdict.checks])

    def test_a_figure_is_measured_by_the_scale_it_came_with(self):
        verdict = self.figures_run(lambda second: 500 + second // 10,
                                   scale=100000)
        self.assertEqual(failed_in(verdict), [])

    def test_every_check_has_its_number(self):
        data = paper.healthy_run(72000) + paper.audit("off by one")
        numbers = {check.name: check.number
                   for check in verdict_on(data, frames=72000).checks}
        self.assertEqual((numbers["the audits agree"],
                          numbers["the run finished"],
                          numbers["interrupts were delivered"],
                          numbers["no floor rises"]),
                         (1, 72000, 72000, 0))

    def test_what_a_level_does_not_look_at_is_skipped_never_passed(self):
        verdict = verdict_on(paper.healthy_run(checks=1), checks="fast")
        details = {check.name: check.detail for check in verdict.checks}
        self.assertEqual(skipped_in(verdict)[:2],
                         ["poison intact", "red zones intact"])
        self.assertEqual(details["poison intact"],
                         "not looked at: needs --checks poison")
        self.assertEqual(details["red zones intact"],
                         "not looked at: needs --checks full")

    def test_damage_is_counted_where_it_is_looked_for(self):
        self.assert_fails("poison intact",
                          paper.hello() + paper.fault(paper.POISON))
        self.assert_fails("poison intact", paper.hello()
                          + paper.audit("a dead slot was written to"))
        self.assert_fails("red zones intact", paper.hello(checks=3)
                          + paper.audit("a red zone was written to"),
                          checks="full")

    def test_a_second_without_an_interrupt_is_a_failure(self):
        verdict = self.assert_fails(
            "interrupts were delivered", paper.hello(pools=ONE_POOL)
            + paper.sample(60, paper.usage(1), irqs=60)
            + paper.sample(120, paper.usage(1), irqs=60))
        self.assertIn("samples without one: 1", [
            check.detail for check in verdict.checks
            if check.name == "interrupts were delivered"][0])

    def test_no_trend_is_judged_in_a_short_run(self):
        verdict = verdict_on(paper.healthy_run())
        details = {check.name: check.detail for check in verdict.checks}
        for name in ("no floor rises", "no peak creeps", "nothing falls silent"):
            self.assertIn("not judged below 5 minutes", details[name])

    def test_a_run_that_was_stopped_could_not_run(self):
        ending = Ending("stopped by Ctrl-C", -9, was_stopped=True)
        verdict = verdict_on(paper.hello() + paper.healthy_sample(1200), ending)
        self.assertEqual(verdict.exit_code, 2)
        self.assertEqual(verdict.why,
                         "stopped by Ctrl-C after 1 200 of 3 600 frames")

    def test_a_fault_before_the_first_word_is_what_is_named(self):
        """Start-up code that clears what the sanitizer watches, for one."""
        verdict = verdict_on(paper.fault(paper.POISON),
                             Ending("QEMU ended with code 1", 1))
        self.assertEqual(verdict.exit_code, 2)
        self.assertRegex(verdict.why, "^poison fault in .*, before tp_soak_begin\\(\\)"
                                      " was called$")

    def test_a_firmware_that_never_spoke_could_not_run(self):
        verdict = verdict_on(b"", Ending("QEMU ended with code 1", 1))
        self.assertEqual(verdict.exit_code, 2)
        self.assertEqual(verdict.why, "QEMU ended with code 1 before the"
                                      " firmware had said anything")


class Planted(unittest.TestCase):
    def found(self, name, record):
        ledger = paper.ledger_of(
            paper.hello() + paper.planted(name, frame=600) + record)
        return found_of(name, ledger.planted, ledger.faults + ledger.audits)

    def test_a_finding_is_of_what_was_planted_by_its_name_and_not_before_it(self):
        zone = "a red zone was written to"
        for name, told, record in (
                ("overrun", (zone, 5), paper.audit(zone, frame=605)),
                ("flip-free", ("poison", 0), paper.fault(paper.POISON, frame=600)),
                ("overrun", None, paper.audit(zone, frame=599)),
                ("overrun", None, paper.audit("another", frame=605)),
                ("overrun", None, paper.fault(paper.POISON, frame=605)),
                ("of their own", None, paper.audit(zone, frame=605))):
            self.assertEqual(told, self.found(name, record), name)

    def test_a_generation_that_a_hardened_row_finds_wrong_is_a_tag(self):
        self.assertEqual(("tag", 5), self.found(
            "flip-generation", paper.fault(paper.TAG, frame=605)))

    def test_a_dead_slot_that_lives_on_a_ring_is_an_invariant(self):
        self.assertEqual(("invariant", 1), self.found(
            "flip-live", paper.fault(paper.INVARIANT, frame=601)))

    def test_a_link_that_flips_outside_of_its_slot_is_metadata(self):
        self.assertEqual(("metadata", 0), self.found(
            "flip-link", paper.fault(paper.METADATA, frame=600)))

    def looked_for(self, **how):
        return {one["bug"] for one in claims(paper.options(**how)) if one["looked_for"]}

    def test_a_bug_is_looked_for_from_its_level_on_or_where_accesses_are_asked_for(
            self):
        some = {name: PLANTS[name].what
                for name in ("leak", "interior", "flip-free", "overrun")}
        for level, names in (("off", {"leak"}), ("fast", {"leak", "interior"}),
                             ("full", {*some})):
            bugs = self.looked_for(checks=level)
            self.assertEqual(names, {name for name, bug in some.items() if bug in bugs})
            self.assertNotIn(ACCESSES["null-read"].what, bugs)
        bugs = self.looked_for(checks="off", pool_sanitizer=True)
        for one, is_asked in (
                (PLANTS["flip-free"], True), (PLANTS["overrun"], False),
                (PLANTS["interior"], False), (ACCESSES["null-read"], True)):
            self.assertEqual(is_asked, one.what in bugs, one)

    def test_of_a_firmware_of_one_s_own_all_is_claimed_that_can_be_planted_there(self):
        bugs = [one["bug"] for one in claims(paper.options(elf="a.elf"))]
        for name, is_claimed in (("leak", False), ("interior", True),
                                 ("flip-live", True), ("frame-drift", False),
                                 ("flip-age", True), ("lost-unlock", True)):
            self.assertEqual(is_claimed, PLANTS[name].what in bugs, name)

    def test_what_lasts_is_found_by_the_first_of_its_checks_that_fails(self):
        def check(name, failed=True):
            return types.SimpleNamespace(name=name, failed=failed)

        silent, starved, leaked = map(check, (
            "nothing falls silent", "no pool starves", "no floor rises"))
        self.assertEqual(("no pool starves", None), failed_for("dead-pool", [
            leaked, check("nothing falls silent", False), starved, silent]))
        self.assertIsNone(failed_for("dead-pool", [leaked]))
        self.assertIsNone(failed_for("overrun", [leaked, starved]))
