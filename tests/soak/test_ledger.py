# SPDX-License-Identifier: MIT
import random
import unittest

import paper
from harness import telemetry
from harness.curve import COLUMNS, Curve
from harness.drift import Figure
from harness.lasting import suspicions
from harness.ledger import AUDITS_KEPT, LINES_KEPT, SCENES_KEPT, unwrapped
from harness.trend import ENOUGH, SURE, Trend, floors, means, trend, windows
from harness.trend_checks import LEAST, drifts, trend_lines
from harness.verdict import fault_sentence, judge

ONE_POOL = (("sparks", 50, 32, 1),)


class Counters(unittest.TestCase):
    def test_a_counter_that_wraps_goes_on_counting(self):
        self.assertEqual(unwrapped(0xFFFFFFF0, 0x10), 0x100000010)
        self.assertEqual(unwrapped(0x3FFFFFFFF, 0), 0x400000000)
        self.assertEqual(unwrapped(5, 5), 5)

    def test_counts_that_wrap_many_times_still_balance(self):
        step, data = 3 * 10**9, paper.hello(pools=ONE_POOL)
        for second in range(1, 11):
            data += paper.sample(60 * second, paper.usage(
                5, allocs=second * step, frees=second * step - 5))
        pool = paper.ledger_of(data).pools[0]
        self.assertEqual(pool.allocs, 10 * step)
        self.assertEqual(pool.first_unbalanced, "")

    def test_counts_are_checked_at_every_sample_and_the_first_error_kept(self):
        ledger = paper.ledger_of(
            paper.hello(pools=ONE_POOL)
            + paper.sample(60, paper.usage(5))
            + paper.sample(120, paper.usage(5, allocs=9, frees=3))
            + paper.sample(180, paper.usage(5, allocs=9, frees=4)))
        self.assertEqual(ledger.pools[0].first_unbalanced,
                         "sparks at frame 120: 9 allocs, but 3 frees + 0"
                         " steals + 5 live")

    def test_a_peak_above_the_capacity_is_kept(self):
        ledger = paper.ledger_of(paper.hello(pools=ONE_POOL)
                                 + paper.sample(60, paper.usage(5, peak=51)))
        self.assertEqual(ledger.pools[0].first_overfull,
                         "sparks at frame 60: 51 live of 50")

    def test_classes_that_peaked_in_different_scenes_are_no_peak_above_capacity(self):
        blocks = ("texts", 768, 1, "drop", "blocks", "bytes")
        ledger = paper.ledger_of(paper.hello(pools=(blocks,)) + paper.sample(
            60, paper.usage(500, high=608, peak=816, capacity=704)))
        self.assertEqual((768, ""), (ledger.allocators[0].peak,
                                     ledger.allocators[0].first_overfull))

    def test_a_scene_s_peak_has_what_was_given_back_before_its_frame_ended(self):
        draw = ("draw", 2048, 1, "drop", "frame", "bytes")
        cuts = ((60, 1024, 900), (120, 2048, 1500), (180, 2048, 1600), (240, 1024, 0))
        ledger = paper.ledger_of(paper.hello(pools=(draw,)) + b"".join(
            paper.sample(frame, paper.usage(0, peak=peak, capacity=capacity))
            for frame, capacity, peak in cuts))
        self.assertEqual({1024: 900, 2048: 1600}, {
            capacity: cut.peak for capacity, cut in ledger.allocators[0].cuts.items()})

    def test_without_the_pools_own_peak_the_highest_sample_counts(self):
        ledger = paper.ledger_of(
            paper.hello(pools=ONE_POOL)
            + paper.sample(60, paper.usage(5, high=33, peak=0)))
        self.assertEqual(ledger.pools[0].peak, 33)

    def test_what_happened_first_is_of_the_sample_that_told(self):
        ledger = paper.ledger_of(paper.hello(pools=ONE_POOL) + b"".join(
            paper.sample(60 * at, paper.usage(1, **{name: 1}))
            for at, name in enumerate(("refused", "steals", "spills"), 1)))
        self.assertEqual({"refused": 60, "steals": 120, "spills": 180},
                         ledger.allocators[0].firsts)

    def test_a_pool_without_slots_was_never_full(self):
        ledger = paper.ledger_of(paper.hello(pools=(("cut", 0, 8, 1),))
                                 + paper.sample(60, paper.usage(0)))
        pool = ledger.pools[0]
        self.assertEqual((False, {}), (pool.was_full, pool.firsts))
        verdict = judge(paper.options(60), ledger, paper.good_ending())
        self.assertEqual([], verdict.warnings)

    def test_an_audit_that_is_rare_is_kept_and_first_however_many_others_there_are(
            self):
        ledger = paper.ledger_of(paper.hello() + 1000 * paper.audit("bad")
                                 + paper.audit("rare", 700))
        self.assertEqual([(count, first.text, first.frame) for count, first
                          in ledger.audits_folded],
                         [(1, "rare", 700), (1000, "bad", 600)])
        self.assertIn("rare", [audit.text for audit in ledger.audits])

    def test_a_run_is_found_out_ten_seconds_after_so_many_different_audits(self):
        data = paper.hello() + 9 * paper.audit("bad") + paper.audit("worse", 660)
        ledger = paper.ledger_of(data + paper.healthy_sample(1200))
        self.assertEqual([ledger.is_enough(most) for most in (0, 1, 2, 3)],
                         [False, False, False, False])
        ledger = paper.ledger_of(data + paper.healthy_sample(1260))
        self.assertEqual([ledger.is_enough(most) for most in (0, 1, 2, 3)],
                         [False, True, True, False])

    def test_of_endless_audit_failures_only_the_first_are_kept(self):
        ledger = paper.ledger_of(paper.hello() + 1000 * paper.audit("bad"))
        self.assertEqual(len(ledger.audits), AUDITS_KEPT)
        self.assertEqual(ledger.audit_count, 1000)

    def test_the_last_scene_that_is_kept_stands_for_all_after_it(self):
        scenes = b"".join(paper.scene(60 * n, f"scene {n}")
                          for n in range(SCENES_KEPT + 5))
        kept = paper.ledger_of(paper.hello() + scenes).scenes
        self.assertEqual(
            [scene.name for scene in kept[-2:]],
            [f"scene {SCENES_KEPT - 2}", "more scenes"])

    def test_the_share_of_unmet_requests_is_of_all_that_were_made(self):
        """Those that another pool served were made, too; of bytes nobody knows."""
        ledger = paper.ledger_of(
            paper.hello(pools=(("home", 4, 8, 4), ("text", 64, 1, 1, "stack",
                                                   "bytes")))
            + paper.sample(60, paper.usage(0, allocs=50, refused=25, spills=25),
                           paper.usage(0, allocs=0, refused=1)))
        home, text = ledger.allocators
        self.assertEqual((home.unmet_percent, text.unmet_percent), (25, None))

    def test_frames_are_told_from_the_first_on_whatever_the_clock_began_with(self):
        """Also those behind its end."""
        def told(add, start):
            first, later = ((start + frame + add) % 2**32 for frame in (60, 120))
            ledger = paper.ledger_of(b"")
            ledger.clock_start = start
            decoder = telemetry.Decoder()
            return [ledger.add(one) for one in decoder.feed(b"".join([
                paper.fault(6, frame=first), paper.audit("bad", later),
                paper.planted("leak", first), paper.figures(later, 7),
                paper.scene(first, "storm"), paper.picture(later, (0, 9)),
                paper.frame_costs(later, 1, 2, 3, most_frame=first),
                paper.stack(first, 64, 8), paper.oldest(later, 0, 60, 1, 61),
                paper.stranger(first, 0, 1), paper.holes(later, 0, 9, 1, 9),
                paper.expectation("fits", 9, 1, first),
                paper.question("is right", 9, 1, later)]))]
        for start in (2**32 - 100, 500):
            self.assertEqual(told(0, 0), told(0, start))
        self.assertNotEqual(told(0, 0), told(1, 500))

    def test_the_clock_begins_where_the_firmware_says(self):
        ledger = paper.ledger_of(paper.hello() + paper.clock(2**32 - 300)
                                 + paper.audit("bad", 300))
        self.assertEqual(600, ledger.audits[0].frame)

    def test_of_much_that_is_printed_the_first_lines_are_kept_and_all_counted(self):
        ledger = paper.ledger_of(paper.hello() + b"".join(
            paper.text(f"line {at}") for at in range(LINES_KEPT + 5)))
        self.assertEqual((LINES_KEPT + 5, LINES_KEPT, (0, "line 0")), (
            ledger.line_count, len(ledger.lines), ledger.lines[0]))

    def test_of_objects_of_one_age_the_first_is_the_oldest(self):
        ledger = paper.ledger_of(paper.hello() + b"".join(
            paper.oldest(60 * slot, 0, 600, slot, age)
            for slot, age in ((1, 5), (2, 9), (3, 9), (4, 8))))
        self.assertEqual(2, ledger.allocators[0].oldest.slot)

    def test_records_before_the_hello_are_survived(self):
        ledger = paper.ledger_of(paper.healthy_sample(60) + paper.fault(6))
        self.assertIsNone(ledger.hello)
        self.assertEqual(ledger.pool_name(ledger.faults[0].pool), "allocator 0")

    def test_what_a_firmware_opened_itself_is_of_no_table(self):
        ledger = paper.ledger_of(
            paper.hello() + paper.fault(12, pool=len(paper.POOLS), slot=0))
        self.assertIn("order fault in an allocator of no table, address 0x21000220,",
                      fault_sentence(ledger, ledger.faults[0]))

    def test_what_a_firmware_opened_itself_is_called_as_it_was_opened(self):
        ledger = paper.ledger_of(paper.hello() + paper.fault(
            12, pool=len(paper.POOLS), slot=0, opened="guests"))
        self.assertIn("order fault in guests, an allocator of no table, address 0x",
                      fault_sentence(ledger, ledger.faults[0]))
        self.assertEqual("guests, an allocator of no table",
                         ledger.place(ledger.faults[0]))
        self.assertEqual("guests", ledger.name_of(ledger.faults[0]))


class Curves(unittest.TestCase):
    def test_a_short_curve_is_kept_as_it_is(self):
        curve = Curve()
        curve.add(1, 3, 3, 2)
        curve.add(2, 9, 9, 4)
        (_, _, first), (start, end, second) = curve.columns()
        self.assertEqual((first.low, first.high), (1, 3))
        self.assertEqual((start, end, second.peak), (0.5, 1.0, 9))

    def test_days_of_samples_take_no_more_columns_than_an_hour(self):
        curve = Curve()
        for _ in range(300000):
            curve.add(4, 6, 6, 5)
        columns = curve.columns()
        self.assertLessEqual(len(columns), COLUMNS)
        self.assertEqual(columns[-1][1], 1.0)
        self.assertEqual(sum(c.samples for *_, c in columns), 300000)

    def test_the_shortest_peak_and_dip_never_vanish(self):
        for odd in (0, 1, 719, 720, 12345, 99999):
            curve = Curve()
            for at in range(100000):
                low, high = (0, 50) if at == odd else (20, 30)
                curve.add(low, high, high, 25)
            columns = [column for *_, column in curve.columns()]
            self.assertEqual(max(c.high for c in columns), 50, odd)
            self.assertEqual(min(c.low for c in columns), 0, odd)


def curve_of(values):
    curve = Curve()
    for value in values:
        curve.add(value, value, value, value)
    return curve


class Trends(unittest.TestCase):
    def test_one_object_lost_a_minute_lifts_the_floor_within_five(self):
        chance = random.Random(1)
        leaking = curve_of(second // 60 + chance.choice((0, 0, 3, 90))
                           for second in range(300))
        found = floors(leaking)
        self.assertEqual(found.quarters, (0, 1, 2, 3))
        self.assertTrue(found.rises(2))

    def test_a_leak_is_seen_after_its_pool_is_full(self):
        full = floors(curve_of(min(16, second // 60) for second in range(3600)))
        self.assertTrue(full.rises(2))

    def test_chance_does_not_look_like_a_trend(self):
        for seed in range(100):
            found = floors(curve_of(self.weather(random.Random(seed))))
            self.assertFalse(found.rises(1), seed)

    def test_a_trend_is_seen_through_the_weather(self):
        chance = random.Random(3)
        rising = curve_of(value + second // 20 for second, value
                          in enumerate(self.weather(chance)))
        self.assertTrue(floors(rising).rises(2))

    def test_what_came_back_did_not_go_one_way(self):
        for values in ([*range(300), *[0] * 100],
                       [second // 10 % 30 for second in range(900)]):
            self.assertFalse(floors(curve_of(values)).rises(1))

    def test_one_object_that_is_there_to_stay_is_no_leak(self):
        self.assertFalse(floors(curve_of([0] * 100 + [1] * 400)).rises(2))

    def test_a_figure_may_not_fall_either(self):
        falling = means(curve_of(9000 - second for second in range(600)))
        self.assertTrue(falling.moves(450))
        self.assertFalse(falling.moves(600))
        self.assertFalse(falling.rises(1))

    def test_of_few_windows_nothing_is_said(self):
        self.assertIsNone(trend([1] * (ENOUGH - 1), min))
        self.assertEqual(trend([1] * ENOUGH, min).score, 0)

    def test_the_score_is_mann_and_kendall_s(self):
        """S over the root of its variance, of which ties take their part."""
        self.assertEqual(8.04, trend(list(range(32)), min).score)
        self.assertEqual(-8.04, trend(list(range(32, 0, -1)), min).score)
        self.assertEqual(4.82, trend([0] * 16 + [1] * 16, min).score)

    def test_as_much_as_must_not_be_is_too_much(self):
        one, other = Trend((0, 1, 1, 2), 5), Trend((2, 1, 1, 0), -5)
        self.assertEqual([True, True, True, False], [
            one.rises(2), one.moves(2), other.moves(2), other.rises(2)])
        self.assertEqual((2, 5), (LEAST, SURE))
        for found in (Trend((0, 1, 1, 2), 4.99), Trend((0, 1, 1, 1), 9),
                      Trend((0, 3, 1, 2), 9)):
            self.assertFalse(found.rises(2) or found.moves(2), found)

    def test_there_are_64_windows_at_most_and_none_of_nothing(self):
        for samples, count in ((0, 0), (1, 1), (64, 64), (65, 32), (128, 64)):
            self.assertEqual(count, len(windows(curve_of(range(samples)))), samples)

    def test_what_is_told_seldom_is_not_judged_in_a_long_run(self):
        """Its lines have their number all the same."""
        data = paper.hello(36000, pools=ONE_POOL) + paper.figure(0, "heap", flat=True)
        for at in range(1, 11):
            data += paper.sample(3600 * at, paper.usage(1), irqs=at) + paper.holes(
                3600 * at, 0, 90, 1, 9) + paper.figures(3600 * at, 5)
        ledger = paper.ledger_of(data + paper.done(36000))
        lines = trend_lines(paper.options(36000), ledger)
        self.assertEqual(([], 5), (suspicions(ledger), len(lines)))
        for _, passed, detail, number in lines:
            self.assertEqual((None, "not judged", 0), (passed, detail[:10], number))

    def test_a_figure_drifts_by_a_twentieth_and_by_one_at_least(self):
        for scale, most, drifted in ((4, 9, False), (4, 10, True), (1000, 499, False),
                                     (1000, 500, True)):
            figure = Figure("heap", "bytes", scale)
            for second in range(400):
                figure.add(60 * second, 1000 + second // 100 * most / 30)
            self.assertEqual(drifted, drifts(figure), (scale, most))

    @staticmethod
    def weather(chance, seconds=3600):
        """Four seconds each of something between calm and storm."""
        return [value for _ in range(seconds // 4)
                for value in [chance.randrange(20)] * 4]
