# SPDX-License-Identifier: MIT
"""What a check counts and what not, where it just counts and where just not."""

import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import paper
from harness import scenario, telemetry
from harness.activity import Activity
from harness.cost import cost_summary
from harness.curve import Curve
from harness.demand import Demand
from harness.errors import CannotRun
from harness.histogram import Histogram
from harness.machine import Ending
from harness.monitor import NoAnswer
from harness.progress import BUSY, STORM, Look, Progress
from harness.progress import verdict_on as verdict_on_looks
from harness.records import Costs
from harness.trend import windows
from harness.verdict import judge

ONE_POOL = (("sparks", 50, 32, 1),)
MINUTES = 36000  # Frames of a run that is long enough for trends.


def verdict_on(data, ending=None, frames=3600, **asked):
    return judge(paper.options(frames, **asked), paper.ledger_of(data),
                 ending or paper.good_ending())


def one_of(verdict, name):
    return next(check for check in verdict.checks if check.name == name)


class Limits(unittest.TestCase):
    def test_a_spare_pool_need_not_be_used_and_need_not_become_full(self):
        for used, spare, wrong, warned in ((0, True, False, False),
                                           (0, False, True, True),
                                           (5, True, False, False)):
            pools = (*ONE_POOL, ("flares", 9, 8, 1, "pool", "slots", "ram", spare))
            verdict = verdict_on(paper.hello(pools=pools) + paper.sample(
                3600, paper.usage(50), paper.usage(used)) + paper.done())
            self.assertEqual(wrong, one_of(verdict, "every pool was used").failed)
            self.assertEqual(warned, bool(verdict.warnings))

    def test_of_many_kinds_of_audits_the_five_rarest_are_told(self):
        audits = b"".join(paper.audit(f"kind {kind}") * (8 - kind)
                          for kind in range(8))
        detail = one_of(verdict_on(paper.hello() + audits), "the audits agree").detail
        told = detail.split("; ")[1:]
        self.assertEqual([f"{count} time{'s' * (count > 1)}" for count in range(1, 6)],
                         [one.partition(" from ")[0] for one in told])

    def test_when_no_timer_was_asked_for_interrupts_are_the_firmware_s_own_affair(self):
        data = paper.hello(pools=ONE_POOL) + paper.sample(
            60, paper.usage(1), irqs=60) + paper.sample(120, paper.usage(1), irqs=60)
        for interrupts, elf, failed in (("timer", "own.elf", True),
                                        ("scheduled", "own.elf", False),
                                        ("scheduled", "", True)):
            verdict = verdict_on(data, elf=elf, interrupts=interrupts)
            self.assertEqual(failed, one_of(verdict, "interrupts were delivered")
                             .failed, (interrupts, elf))

    def test_an_assert_pool_that_lent_steals_or_spills_overflowed(self):
        for unmet in ("refused", "steals", "spills"):
            verdict = verdict_on(paper.hello(pools=(("waves", 8, 32, 0),))
                                 + paper.sample(60, paper.usage(8, **{unmet: 1})))
            self.assertTrue(one_of(verdict, "no assert pool overflowed").failed, unmet)

    def test_only_the_refusals_of_an_assert_pool_are_its_overflow(self):
        verdict = verdict_on(paper.hello(pools=ONE_POOL) + paper.sample(
            3600, paper.usage(50, refused=9)) + paper.done())
        self.assertTrue(one_of(verdict, "no assert pool overflowed").passed)

    def test_a_run_that_was_stopped_did_not_finish_though_it_said_goodbye(self):
        ending = Ending("stopped by Ctrl-C", 0, was_stopped=True)
        verdict = verdict_on(paper.healthy_run(), ending)
        self.assertTrue(one_of(verdict, "the run finished").failed)

    def test_a_firmware_with_other_interrupts_is_not_what_was_asked(self):
        verdict = verdict_on(paper.healthy_run(interrupts=1))
        self.assertEqual("interrupts 1, not 0",
                         one_of(verdict, "the firmware ran what was asked").detail)

    def test_as_much_unmet_as_may_be_is_not_more(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "own.toml"
            for most, failed in ((25, False), (24, True)):
                path.write_text(f"scenario = 1\n[demand]\nunmet_percent = {most}\n")
                verdict = verdict_on(
                    paper.hello(pools=ONE_POOL) + paper.sample(
                        3600, paper.usage(9, allocs=75, refused=25)) + paper.done(),
                    scenario=str(path), elf="own.elf")
                self.assertEqual(failed, one_of(verdict, "demand was met").failed)

    def test_what_others_are_together_has_no_demand_of_its_own(self):
        pools = (("sizes", 400, 1, 1, "blocks", "bytes"),)
        verdict = verdict_on(paper.hello(pools=pools) + paper.sample(
            3600, paper.usage(400, allocs=400, refused=1)) + paper.done(),
            scenario="calm")
        self.assertFalse(one_of(verdict, "demand was met").failed)

    def test_nothing_that_goes_one_way_is_judged_in_a_run_that_did_not_finish(self):
        body = b"".join(paper.sample(60 * second, paper.usage(second // 20))
                        for second in range(1, 601))
        begun = paper.hello(MINUTES, pools=ONE_POOL) + body
        for data, passed in ((begun, None), (begun + paper.done(MINUTES), False)):
            verdict = verdict_on(data, frames=MINUTES)
            self.assertEqual(passed, one_of(verdict, "no floor rises").passed)

    def test_the_core_s_guard_is_told_of_a_run_that_finished(self):
        name = "nothing stores to address 0 or to code"
        run, goodbye = paper.healthy_run(), len(paper.done())
        at = len(paper.hello())
        for data, passed in ((run, True), (run[:-goodbye], None)):
            verdict = verdict_on(data[:at] + paper.guard() + data[at:])
            self.assertEqual(passed, one_of(verdict, name).passed)

    def test_interrupts_that_come_a_twentieth_more_often_are_no_failure(self):
        for more, failed in ((0.25, False), (2, True)):
            irqs, body = 0, []
            for second in range(1, 601):
                irqs += round(4000 + more * second)
                body.append(paper.sample(60 * second, paper.usage(1, allocs=1),
                                         irqs=irqs))
            verdict = verdict_on(paper.hello(MINUTES, pools=ONE_POOL) + b"".join(body)
                                 + paper.done(MINUTES), frames=MINUTES)
            self.assertEqual(failed, one_of(
                verdict, "interrupts come as often as before").failed)

    def test_figures_of_a_curve_say_which_way_they_go_and_of_holes_only_which_do(self):
        def checks(step):
            body = [paper.sample(60 * at, paper.usage(1, allocs=at))
                    + paper.figures(60 * at, 500 + step * at)
                    + paper.holes(60 * at, 0, 8000 - 10 * step * at, 1, 90)
                    for at in range(1, 601)]
            verdict = verdict_on(paper.hello(MINUTES, pools=(
                ("arena", 16384, 1, 1, "relocating", "bytes"),))
                + paper.figure(0, "orders", "of them") + b"".join(body)
                + paper.done(MINUTES), frames=MINUTES)
            return [one_of(verdict, name).detail for name in (
                "orders is flat", "memory is not cut up ever more")]
        flat, whole = checks(0)
        self.assertRegex(flat, "^of them stay, mean in the quarters of the run: 500,")
        self.assertIn("arena: in holes 90, 90, 90 and 90 bytes (score 0.0); arena:"
                      " largest hole 8000, 8000, 8000 and 8000 bytes", whole)
        drifted, cut_up = checks(1)
        self.assertRegex(drifted, "^of them drifted, mean in the quarters")
        self.assertIn("arena: largest hole", cut_up)
        self.assertNotIn("in holes", cut_up)

    def test_what_a_scene_gives_no_slot_does_not_starve(self):
        for capacity, failed in ((0, False), (50, True)):
            body = [paper.sample(60 * second, paper.usage(
                0, allocs=1, refused=second, capacity=capacity))
                for second in range(1, 601)]
            verdict = verdict_on(paper.hello(MINUTES, pools=ONE_POOL) + b"".join(body)
                                 + paper.done(MINUTES), frames=MINUTES)
            self.assertEqual(failed, one_of(verdict, "no pool starves").failed)

    def test_of_objects_that_lived_too_long_the_first_is_named(self):
        run, goodbye = paper.healthy_run(), len(paper.done())
        old = [paper.oldest(frame, 1, 600, slot, age)
               for frame, slot, age in ((1000, 3, 601), (2000, 7, 700))]
        verdict = verdict_on(run[:-goodbye] + b"".join(old) + run[-goodbye:])
        self.assertIn("sounds, slot 3: 10 seconds old in frame 1 000, its row says 10"
                      " seconds; issued by 0x00001001; the oldest of all was 11",
                      one_of(verdict, "no object outlives its pool's life").detail)

    def test_what_only_some_runs_are_asked_is_told(self):
        run = paper.healthy_run()
        at, end = len(paper.hello()), len(run) - len(paper.done())

        def told(name, *records, data=run, **asked):
            more = b"".join(records)
            return one_of(verdict_on(data[:at] + more + data[at:], **asked), name)[1:]
        self.assertEqual((True, "overrun in frame 600", 0), told(
            "the fault was planted as asked", paper.planted("overrun"),
            plant="overrun"))
        self.assertEqual(
            (False, "overrun: nothing was in a state for it from frame 1800 on", 1),
            told("the fault was planted as asked", plant="overrun"))
        self.assertEqual((False, "asked 9 times, failed 2 times, first in frame 7", 2),
                         told("fits", paper.expectation("fits", 9, 2, 7)))
        self.assertEqual((True, "asked 9 times", 0),
                         told("fits", paper.expectation("fits", 9, 0, 0)))
        name, near = "the clock wraps and nothing else happens", {"near_wrap": True}
        begin = paper.options(**near).clock_start
        for more, data, asked, found in (
                (b"", run, {}, (None, "not looked at: --near-wrap starts clocks near"
                                " their end", 0)),
                (b"", run[:end], near, (None, "not judged: the run did not finish", 0)),
                (b"", run, near, (False, "it started at 0", 0)),
                (paper.clock(begin), run, near,
                 (True, f"it started at {begin}", begin))):
            self.assertEqual(found, told(name, more, data=data, **asked))

    def test_settings_that_a_firmware_never_asks_for_are_named(self):
        name = "the firmware asked for each setting of the scenario"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "own.toml"
            path.write_text("scenario = 1\n[settings]\nspeed = 2\nlives = 3\n")
            for asked, found in (
                    (("speed",), (False, "never asked for: lives; tp_soak_setting()"
                                  " asks", 1)),
                    (("lives", "speed", "more"), (True, "speed, lives", 0))):
                data = paper.hello() + b"".join(map(paper.setting, asked))
                self.assertEqual(found, one_of(verdict_on(
                    data, elf="own.elf", scenario=str(path)), name)[1:])

    def test_a_plant_is_not_missed_in_a_run_that_did_not_finish(self):
        name = "the fault was planted as asked"
        run = paper.healthy_run()
        for data, judged in ((run, True), (run[:-len(paper.done())], False)):
            verdict = verdict_on(data, plant="overrun")
            self.assertEqual(judged, name in [one.name for one in verdict.checks])

    def test_an_audit_of_counts_is_no_damage_of_memory(self):
        data = paper.hello(checks=3) + paper.audit("live is 3, not 4")
        verdict = verdict_on(data, checks="full")
        for name in ("poison intact", "red zones intact"):
            self.assertTrue(one_of(verdict, name).passed, name)

    def test_what_was_unmet_is_told_though_any_may_be(self):
        verdict = verdict_on(paper.hello(pools=ONE_POOL) + paper.sample(
            3600, paper.usage(9, allocs=75, refused=25)) + paper.done())
        self.assertEqual("unmet, any may be: sparks 25 % (25 requests)",
                         one_of(verdict, "demand was met").detail)

    def test_where_nothing_ever_moves_nothing_falls_silent(self):
        body = [paper.sample(60 * second, paper.usage(0), irqs=0)
                for second in range(1, 601)]
        verdict = verdict_on(paper.hello(MINUTES, pools=ONE_POOL) + b"".join(body)
                             + paper.done(MINUTES, irqs=0), frames=MINUTES,
                             elf="own.elf")
        for name, said in (
                ("nothing falls silent", "nothing went on for a minute"),
                ("pool sparks goes on", "nothing of it was seen to move"),
                ("interrupts come as often as before", "none is counted")):
            self.assertEqual((None, f"not judged: {said}"),
                             one_of(verdict, name)[1:3])
        self.assertNotIn("interrupts goes on", [one.name for one in verdict.checks])

    def test_five_minutes_are_long_enough(self):
        for frames, judged in ((18000, True), (17940, False)):
            body = b"".join(paper.sample(at, paper.usage(1, allocs=at))
                            for at in range(60, frames + 1, 60))
            verdict = verdict_on(paper.hello(frames, pools=ONE_POOL) + body
                                 + paper.done(frames), frames=frames)
            for name in ("no floor rises", "nothing falls silent"):
                self.assertEqual(judged, one_of(verdict, name).passed is not None)

    def test_sixty_requests_that_nobody_serves_are_enough_to_starve(self):
        for requests, failed in ((60, True), (59, False)):
            body = [paper.sample(60 * second, paper.usage(
                50, allocs=50, refused=min(second - 1, requests)))
                for second in range(1, 601)]
            verdict = verdict_on(paper.hello(MINUTES, pools=ONE_POOL) + b"".join(body)
                                 + paper.done(MINUTES), frames=MINUTES)
            self.assertEqual(failed, one_of(verdict, "no pool starves").failed)

    def frames_run(self, costs, frames=MINUTES, **more):
        """Of (mean, most) instructions in each second."""
        body = [paper.sample(60 * second, paper.usage(1, allocs=1))
                + paper.frame_costs(60 * second, 900, *costs(second), **more)
                for second in range(1, frames // 60 + 1)]
        return verdict_on(paper.hello(frames, pools=ONE_POOL) + b"".join(body)
                          + paper.done(frames), frames=frames)

    def test_of_frames_above_their_budget_and_slow_minutes_the_first_is_named(self):
        verdict = self.frames_run(lambda second: (1000, 2000 + 9 * second), budget=5000)
        self.assertRegex(one_of(verdict, "frames keep their budget").detail,
                         "; first above it in frame 20 039$")
        verdict = self.frames_run(lambda second: (1000 + 2000 * (second > 399), 9000))
        self.assertRegex(one_of(verdict, "frames do not become slower").detail,
                         "^from 00:07:00 on")

    def test_what_frames_take_is_not_judged_of_a_short_run_nor_where_nobody_says(self):
        name = "no frame takes far longer than others"
        self.assertEqual((None, "not judged below 5 minutes of simulated time"),
                         one_of(self.frames_run(lambda _: (1000, 9000), 3600), name)
                         [1:3])
        self.assertRegex(one_of(verdict_on(paper.healthy_run()), name).detail,
                         "^not measured: ")

    def test_how_old_the_oldest_were_is_told_of_those_that_must_not_live_on(self):
        run, goodbye = paper.healthy_run(), len(paper.done())
        name = "no object outlives its pool's life"
        kept = paper.oldest(3600, 0, 2**32 - 1, 3, 3600)
        for more, passed, said in (
                (b"", None, "no row says one"),
                (paper.oldest(3600, 1, 600, 7, 540), True,
                 "sounds: the oldest was 9 seconds old, of 10 seconds")):
            verdict = verdict_on(run[:-goodbye] + kept + more + run[-goodbye:])
            check = one_of(verdict, name)
            self.assertEqual((passed, said), (check.passed, check.detail.split(";")[0]))

    def test_of_allocators_that_nobody_declared_no_record_is_taken(self):
        run, goodbye = paper.healthy_run(), len(paper.done())
        verdict = verdict_on(run[:-goodbye] + paper.oldest(3600, 3, 600, 7, 660)
                             + paper.holes(3600, 3, 8, 1, 8)
                             + paper.picture(3600, (3, 9)) + run[-goodbye:])
        self.assertEqual(0, verdict.exit_code)

    def test_a_fault_is_the_farthest_that_a_run_came(self):
        ledger = paper.ledger_of(paper.hello() + paper.fault(7, frame=1234))
        self.assertEqual(1234, ledger.frame)


class Read(unittest.TestCase):
    def records(self, data):
        decoder = telemetry.Decoder()
        return decoder.feed(paper.hello() + data)[1:] + decoder.finish()

    def test_a_record_of_16384_bytes_is_one(self):
        for size, whole in ((16384, True), (16385, False)):
            data = paper.record(5, b"x" * size)
            self.assertEqual(whole, [size] == [len(one.text) for one
                                               in self.records(data)])

    def test_a_line_of_a_thousand_characters_is_whole_and_one_more_a_piece(self):
        self.assertEqual([1000, 1], [len(one.text) for one
                                     in self.records(b"x" * 1001 + b"\n")])

    def test_a_line_may_end_as_a_terminal_wants_it(self):
        self.assertEqual(["hello"], [one.text for one in self.records(b"hello\r\n")])

    def test_a_range_may_be_one_number_but_not_fall(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "own.toml"
            for high, right in ((5, True), (4, False)):
                path.write_text(f"scenario = 1\n[emitters]\nsparks = [5, {high}]\n")
                if right:
                    self.assertEqual(["sparks_low=5", "sparks_high=5"],
                                     scenario.arguments(str(path)))
                else:
                    with self.assertRaises(CannotRun):
                        scenario.arguments(str(path))

    def test_what_the_soak_tells_itself_is_no_setting(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "own.toml"
            for name in scenario.TAKEN:
                path.write_text(f"scenario = 1\n[settings]\n{name} = 1\n")
                with self.assertRaises(CannotRun):
                    scenario.arguments(str(path), own=True)


class Numbers(unittest.TestCase):
    def test_every_window_of_a_curve_has_as_many_samples(self):
        curve = Curve()
        for value in range(130):
            curve.add(value, value, value, value)
        seen = windows(curve)
        self.assertEqual({3}, {one.samples for one in seen})
        self.assertEqual((1, 129), (seen[0].low, seen[-1].high))

    def test_less_than_a_minute_of_silence_is_none(self):
        one = Activity()
        for frame in range(0, 6001, 60):
            one.add(frame, 1)
        self.assertFalse(one.fell_silent(6000 + 3599))
        self.assertTrue(one.fell_silent(6000 + 3600))

    def test_a_rhythm_is_30_movements(self):
        for moves, known in ((29, False), (30, True)):
            one = Activity()
            for frame in range(moves):
                one.add(200 * frame, 1)
            self.assertEqual(known, one.is_known())

    def test_a_rhythm_takes_a_minute_whenever_it_begins(self):
        for begin in (0, 9000):
            for pause, known in ((124, False), (125, True)):
                one = Activity()
                for at in range(30):
                    one.add(begin + pause * at, 1)
                self.assertEqual(known, one.is_known())

    def test_frames_that_were_full_are_no_more_than_there_were(self):
        one = Histogram(8)
        one.add(4, 60, 90)
        self.assertEqual((60, 60), (one.counts[-1], sum(one.counts)))

    def test_what_was_missing_in_a_scene_is_not_wanted_in_the_next(self):
        one = Demand(True)
        usage = SimpleNamespace(low=4, high=4, capacity=4)
        full = {"refused": 9, "steals": 0, "frees": 6, "allocs": 6}
        self.assertGreater(one.add(60, usage, full), 4)
        one.restart()
        self.assertEqual(4, one.add(60, usage, {**full, "refused": 0}))

    def test_a_request_of_bytes_that_went_unmet_is_as_large_as_the_others(self):
        for served, unmet, wanted in ((4, 1, 13), (4, 0, 10), (0, 9, 10), (2, 4, 30)):
            usage = SimpleNamespace(low=4, high=10, capacity=10)
            self.assertEqual(wanted, Demand(False).add(60, usage, {
                "refused": unmet, "steals": 0, "frees": 0, "allocs": served}))

    def test_a_scene_begins_with_nothing_missing(self):
        def slots(frame, refused, capacity):
            return paper.sample(frame, paper.usage(
                4, allocs=4, frees=0, refused=refused, capacity=capacity))
        data = paper.hello(pools=(("sparks", 8, 32, 1),)) + slots(60, 0, 4)
        for frame, refused, capacity in ((120, 0, 4), (180, 900, 4), (240, 900, 8),
                                         (300, 900, 8)):
            data += slots(frame, refused, capacity)
        one, = paper.ledger_of(data).allocators
        self.assertGreater(one.cuts[4].wanted, 4)
        self.assertEqual(4, one.cuts[8].wanted)

    def test_half_of_the_calls_are_the_median(self):
        summary = cost_summary(Costs("alloc", 8, 4, [1, 1]))
        self.assertEqual((11, 15), (summary["p50"], summary["max"]))


class Mute:
    def ask(self, _):
        raise NoAnswer


class Stuck(unittest.TestCase):
    """Of looks with no frame between them: 32 ns an instruction."""

    def told(self, *looks):
        return verdict_on_looks([Look(*look) for look in looks])

    def test_in_one_exception_it_may_work_for_five_seconds(self):
        self.assertEqual(5_000_000_000, 32 * STORM)
        self.assertEqual("", self.told((0, 0.0, 15), (STORM - 1, 5.0, 15)))
        self.assertIn("it never leaves SysTick",
                      self.told((0, 0.0, 15), (STORM, 5.0, 15)))
        self.assertEqual("", self.told((0, 0.0, 15), (STORM, 5.0, 11)))

    def test_each_exception_of_the_core_has_its_name_an_interrupt_its_number(self):
        for exception, name in ((2, "NMI"), (4, "MemManage"), (11, "SVCall"),
                                (12, "DebugMonitor"), (14, "PendSV"), (15, "SysTick"),
                                (16, "interrupt 0"), (25, "interrupt 9")):
            self.assertIn(f"it never leaves {name},", self.told(
                (0, 0.0, exception), (STORM, 5.0, exception)))

    def test_outside_of_any_for_a_minute(self):
        self.assertEqual(60_000_000_000, 32 * BUSY)
        self.assertEqual("", self.told((0, 0.0, 0), (BUSY - 1, 60.0, 0)))
        self.assertIn("it hangs", self.told((0, 0.0, 0), (BUSY, 60.0, 0)))

    def test_three_looks_without_a_step_are_sleep_and_two_are_not(self):
        self.assertEqual("", self.told((7, 1.0, 0), (7, 1.0, 0)))
        self.assertIn("it sleeps", self.told(*[(7, 1.0, 0)] * 3))

    def test_four_mebibytes_without_a_frame_are_a_flood(self):
        progress = Progress()
        progress.note(1, 1)
        progress.note(1, 4 << 20)
        progress.note(2, 1)
        progress.note(2, 4 << 20)
        self.assertEqual("", progress.trouble(Mute()))
        progress.note(2, 1)
        self.assertIn("it floods the host", progress.trouble(Mute()))


if __name__ == "__main__":
    unittest.main()
