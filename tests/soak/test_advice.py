# SPDX-License-Identifier: MIT
import unittest
from collections import Counter
from random import Random

import paper
from harness.advice import advice, enough

DROP, ASSERT = 1, 0


def advice_for(capacity, peak, policy=DROP, frames=10000, full_frames=0,
               **entry):
    ledger = paper.ledger_of(
        paper.hello(pools=(("pool", capacity, 32, policy, *entry.values()),))
        + paper.sample(frames, paper.usage(peak, full_frames=full_frames)))
    return advice(ledger.allocators[0], frames)


class Advice(unittest.TestCase):
    def test_an_eighth_is_kept_free_and_at_least_one_slot(self):
        self.assertEqual([enough(peak) for peak in (1, 8, 9, 16, 1000)],
                         [2, 9, 11, 18, 1125])

    def test_a_pool_that_is_much_too_large_is_told_its_size(self):
        self.assertEqual(advice_for(64, 48), "count = 54 would do")

    def test_a_pool_used_above_three_quarters_fits(self):
        self.assertEqual(advice_for(64, 49), "fits")

    def test_advice_never_asks_for_as_many_slots_or_more(self):
        self.assertEqual(advice_for(2, 1), "fits")

    def test_a_pool_that_is_often_full_is_asked_about(self):
        self.assertEqual(advice_for(64, 64, full_frames=101),
                         "full 1.0 % of the time: intended? More slots if not")

    def test_a_pool_that_is_seldom_full_fits(self):
        self.assertEqual(advice_for(64, 64, full_frames=100),
                         "fits, but was full at times")

    def test_a_pool_that_fits_exactly_may_be_meant_so(self):
        self.assertEqual(advice_for(64, 64, ASSERT),
                         "fits exactly: meant so? count = 72 if not")

    def test_a_pool_that_must_not_be_full_needs_room_to_spare(self):
        self.assertEqual(advice_for(64, 63, ASSERT),
                         "only 1 slot to spare: count = 71 would be safe")
        self.assertEqual(advice_for(72, 64, ASSERT), "fits")

    def test_a_pool_nobody_used_is_said_to_be_unused(self):
        self.assertEqual(advice_for(64, 0), "never used in this run")

    def test_what_counts_bytes_is_told_bytes_in_steps_of_8(self):
        for kind in ("frame", "stack", "relocating"):
            self.assertEqual(advice_for(1024, 513, kind=kind, unit="bytes"),
                             "bytes = 584 would do")

    def test_what_a_row_has_beside_is_not_forgotten(self):
        """Its count is with the reserve, the bytes of a nest are with its rows."""
        ledger = paper.ledger_of(
            paper.hello(pools=(
                ("calls", 64, 32, DROP), ("alarms", 64, 32, ASSERT),
                ("house", 1024, 1, DROP, "nest", "bytes"),
                ("calls_reserve", 8, 32, DROP), ("alarms_reserve", 8, 32, DROP),
                ("tax_reserve", 8, 32, DROP)))
            + paper.sample(600, *map(paper.usage, (32, 63, 513, 2, 8, 2))))
        names = [one.name for one in ledger.allocators]
        self.assertEqual([advice(one, 600, names) for one in ledger.allocators], [
            "count = 36 beside its reserve would do",
            "only 1 slot to spare: count = 71 beside its reserve would be safe",
            "bytes = 584 beside its rows would do", "reserve = 3 would do",
            "fits, but was full at times", "count = 3 would do"])

    def test_handles_are_called_handles(self):
        self.assertEqual(advice_for(64, 32, kind="relocating", unit="blocks"),
                         "handles = 36 would do")

    def test_what_others_make_up_refers_to_them(self):
        for kind, words in (("blocks", "see its classes"),
                            ("scenes", "see its pools")):
            self.assertEqual(advice_for(64, 1, kind=kind, unit="bytes"), words)

    def test_a_pool_that_scenes_cut_is_advised_for_each(self):
        ledger = paper.ledger_of(
            paper.hello(pools=(("crowd", 48, 8, DROP),)) + b"".join(
                paper.sample(60 * second, paper.usage(live, capacity=capacity))
                for second, (live, capacity) in enumerate(
                    [(0, 48), (20, 48), (3, 12), (5, 12)])))
        self.assertEqual({capacity: cut.peak for capacity, cut in
                          ledger.pools[0].cuts.items()}, {48: 20, 12: 5})
        self.assertEqual(advice(ledger.pools[0], 240),
                         "scenes cut it: `advise` tells of each")


class Wanted(unittest.TestCase):
    """The estimate, against a game of arrivals whose true need is known."""

    def wanted(self, capacity, per_second, life, steals):
        random = Random(1)
        live, count = [], Counter()
        samples = paper.hello(pools=(("pool", capacity, 32, DROP),))
        for second in range(1, 601):
            low = high = len(live)
            for frame in range(60 * second - 59, 60 * second + 1):
                ended = [end for end in live if end <= frame]
                live = [end for end in live if end > frame]
                count["frees"] += len(ended)
                if random.random() < per_second / 60:
                    count[self.request(live, capacity, steals)] += 1
                    end = frame + random.expovariate(1 / life)
                    live += [end] if len(live) < capacity else []
                low, high = min(low, len(live)), max(high, len(live))
            samples += paper.sample(60 * second, paper.usage(
                len(live), capacity=capacity, low=low, high=high,
                frees=count["frees"],
                refused=count["refused"], steals=count["steals"],
                allocs=count["frees"] + count["steals"] + len(live)))
        return paper.ledger_of(samples).allocators[0].wanted

    def request(self, live, capacity, steals):
        if len(live) < capacity:
            return "served"
        if steals:
            live.pop(0)
        return "steals" if steals else "refused"

    def test_what_is_wanted_is_about_what_an_ample_pool_would_have_held(self):
        for per_second, life in ((20, 300), (2, 3000), (30, 30)):
            ample = self.wanted(100000, per_second, life, False)
            for steals in (False, True):
                tight = self.wanted(ample // 3, per_second, life, steals)
                self.assertLess(abs(tight - ample), 0.35 * ample,
                                (per_second, life, steals, ample, tight))

    def test_what_was_refused_while_slots_were_left_wanted_no_slot(self):
        ledger = paper.ledger_of(
            paper.hello(pools=(("pool", 10, 32, DROP),))
            + paper.sample(60, paper.usage(8, capacity=10, refused=5))
            + paper.sample(120, paper.usage(10, capacity=10, refused=7)))
        self.assertEqual(ledger.allocators[0].wanted, 12)

    def test_nothing_is_wanted_but_the_highest_use_where_all_was_met(self):
        ledger = paper.ledger_of(paper.healthy_run())
        self.assertEqual(ledger.allocators[2].wanted, ledger.allocators[2].peak)
