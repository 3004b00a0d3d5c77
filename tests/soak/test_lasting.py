# SPDX-License-Identifier: MIT
"""What a run shows as a whole: where `why` looks for who does it, and the words."""

import unittest
from types import SimpleNamespace
from unittest import mock

import paper
from harness import cause, lasting_search, why
from harness.errors import CannotRun
from harness.gdb_remote import Gone
from harness.lasting import (CREEPS, CUT_UP, DEEP, FIGURE, KEPT, KINDS, OUTLIVED, RATE,
                             SILENT, SLOWER, SPIKE, checks_of, suspicions)
from harness.lasting_search import LastingSearch
from harness.replay import Mark, Moment
from harness.suspects import LIVE
from harness.verdict import judge
from harness.why_text import DEEDS, headline

SECONDS = 600
FRAMES = 60 * SECONDS
ARENA = ("meshes_arena", 16384, 1, 1, "relocating", "bytes")


def suspected(told_in, *before, pools=(("sparks", 1000, 32, 1),), seconds=SECONDS,
              ends=True):
    """What is suspicious in ten minutes of one allocator, for each of which a check
    fails: `told_in` has the records of a second."""
    body = [b"".join(told_in(second)) for second in range(1, seconds + 1)]
    frames = 60 * seconds
    ledger = paper.ledger_of(b"".join(
        [paper.hello(frames, pools=pools), *before, *body,
         ends * paper.done(frames)]))
    failed = {check.name for check in judge(
        paper.options(frames), ledger, paper.good_ending()).checks if check.failed}
    known = suspicions(ledger)
    for one in known:
        assert failed & {*checks_of(one)}, (one, failed)
    return known


def found(told_in, *before, **how):
    """(what, frame, name) of the same."""
    return [(one["what"], one["frame"], one["pool"])
            for one in suspected(told_in, *before, **how)]


def of(second, **usage):
    """A sample of a pool that is used so."""
    return paper.sample(60 * second, paper.usage(**usage))


def in_use(second):
    """Of one that comes and goes."""
    return of(second, live=second % 7)


class Suspicions(unittest.TestCase):
    def test_a_run_in_which_all_goes_on_as_it_was_is_not_suspicious(self):
        self.assertEqual([], found(lambda second: [in_use(second)]))
        for row in ("sparks", 1000, 32, 2), ("sparks", 1000, 32, 3):
            self.assertEqual([], found(lambda second: [of(
                second, live=second, allocs=9 * second, steals=8 * second)],
                pools=(row,)))
        self.assertEqual([], found(lambda second: [
            of(second, live=second), paper.oldest(60 * second, 0, 2**32 - 1, 1, 9)]))
        for flat, value in (False, 1), (True, 0):
            self.assertEqual([], found(
                lambda second: [in_use(second), paper.figures(
                    60 * second, value * second + second % 7)],
                paper.figure(0, "score", flat=flat)))

    def test_which_way_a_run_goes_that_did_not_finish_is_not_suspicious(self):
        def goes_one_way(second):
            return [paper.sample(60 * second, paper.usage(second, allocs=9 * second),
                                 irqs=second * second),
                    paper.holes(60 * second, 0, 8000 - 10 * second, 3, 4000),
                    paper.figures(60 * second, 500 + second)]
        figure = paper.figure(0, "score", flat=True)
        self.assertEqual({KEPT, CREEPS, CUT_UP, RATE, FIGURE}, {
            what for what, *_ in found(goes_one_way, figure)})
        self.assertEqual([], found(goes_one_way, figure, ends=False))

    def test_what_falls_silent_is_looked_at_where_it_was_used_last(self):
        self.assertEqual([(SILENT, 6000, "sparks")], found(
            lambda second: [of(second, live=1, allocs=1 + 9 * min(second, 100))]))

    def test_what_starves_is_kept_by_somebody(self):
        self.assertEqual((KEPT, FRAMES - 2400, "sparks"), found(lambda second: [of(
            second, live=1000, allocs=1000, refused=4 * second)])[0])

    def test_what_fills_at_the_start_of_a_short_run_is_kept_by_nobody(self):
        """Its floor is not judged: what failed is something else."""
        for seconds, suspects in ((299, []), (300, [(KEPT, 15600, "sparks")])):
            self.assertEqual(suspects, found(
                lambda second: [of(second, live=second)], seconds=seconds)[:1])

    def test_a_peak_that_creeps_is_looked_at_where_it_was_highest(self):
        self.assertEqual([(CREEPS, 540 * 60, "sparks")], found(
            lambda second: [of(second, live=second % 7,
                               high=20 + min(second, 599) // 60)]))

    def test_memory_that_is_cut_up_is_looked_at_before_the_end(self):
        def largest(step):
            return found(lambda second: [in_use(second), paper.holes(
                60 * second, 0, 8000 + step * second, 3, 4000)], pools=(ARENA,))
        self.assertIn((CUT_UP, FRAMES - 2400, "meshes_arena"), largest(-10))
        for little in (10, -1):
            self.assertEqual([], largest(little))

    def test_figures_that_stop_or_drift_are_looked_at_when_they_moved_last(self):
        for flat, value, frame in ((False, lambda second: min(second, 100), 6000),
                                   (True, lambda second: 500 + second, FRAMES)):
            self.assertEqual([(FIGURE, frame, "score")], found(
                lambda second: [in_use(second),
                                paper.figures(60 * second, value(second))],
                paper.figure(0, "score", flat=flat)))

    def test_interrupts_that_stop_are_looked_at_when_they_came_last(self):
        self.assertEqual((RATE, 6000, ""), found(lambda second: [paper.sample(
            60 * second, paper.usage(second % 7), irqs=min(second, 100))])[0])

    def test_frames_that_creep_upwards_are_held_against_the_third_minute(self):
        one = suspected(lambda second: [in_use(second), paper.frame_costs(
            60 * second, 900, 1000 + second, 3000)])[0]
        self.assertEqual((SLOWER, FRAMES - 60, 9000),
                         (one["what"], one["frame"], one["than"]))

    def test_the_first_frame_of_those_that_took_too_long_is_looked_at(self):
        """Above its budget, if one is stated: within it any may be."""
        def frames(budget):
            return [(one["what"], one["frame"], one["than"]) for one in suspected(
                lambda second: [in_use(second), paper.frame_costs(
                    60 * second, 900, 1000, 60000 if second > 400 else 2000,
                    budget=budget)])]
        for budget, suspects in ((0, [(SPIKE, 24059, 24058)]),
                                 (50000, [(SPIKE, 24059, 24058)]), (60000, [])):
            self.assertEqual(suspects, frames(budget), budget)

    def test_what_outlived_its_life_is_looked_at_by_its_slot(self):
        one, = suspected(lambda second: [in_use(second), paper.oldest(
            60 * second, 0, 600, second, 600 + (second > 9))])
        self.assertEqual((OUTLIVED, 600, "sparks", 10), tuple(
            one[key] for key in ("what", "frame", "pool", "slot")))

    def test_the_main_stack_is_looked_at_if_all_of_it_was_used(self):
        deep = [(DEEP, 600, "main", 4096)]
        for deepest, name, seconds, suspects in (
                (4096, "main", SECONDS, deep), (4096, "main", 20, deep),
                (4092, "main", 20, []), (4096, "task", 20, [])):
            self.assertEqual(suspects, [
                (one["what"], one["frame"], one["pool"], one["address"])
                for one in suspected(lambda second: [in_use(second)], paper.stack(
                    600, 4096, deepest, name), seconds=seconds)])


def change(frame, before, after, address=8):
    return Moment(frame, (0,) * 17, b"", address, before, after, Mark("", 60))


class OfPaper:
    """A run of which the changes of its words are known, the newest first."""

    def __init__(self, *changes):
        self._changes = changes

    def known(self, *_):
        """Nobody asks for it."""

    def history(self, *_):
        return iter(self._changes)


class Looks(unittest.TestCase):
    def search(self, what, pool=True):
        finding = why.Finding(what, 120, "sparks", 0, 0, 0)
        search = LastingSearch(finding, {
            "symbols": {"sparks_pool": int(pool), "sparks_state": 64},
            "fields": {"tp_pool": {}},
            "layouts": {"sparks_state": {"live": [2, 2], "top": [0, 2],
                                         "refused": [4, 4]}}}, None)
        search._pool = lambda _: SimpleNamespace(tag=0, capacity=4, has_tags=True)
        return search

    def test_of_what_fell_silent_the_last_that_was_issued_counts(self):
        search = self.search(SILENT)
        search._look_at_last(OfPaper(change(118, LIVE + 1, 2), change(90, 0, LIVE + 1),
                                     change(80, 0, LIVE + 1)), [Mark("", 60)])
        self.assertEqual({"issued": 90}, {
            name: moment.frame for name, moment in search.deeds.items()})

    def test_or_who_freed_if_nothing_was_issued_since_the_start_that_is_known(self):
        search = self.search(SILENT)
        search._look_at_last(OfPaper(change(118, LIVE + 1, 2)), [Mark("", 60)])
        self.assertEqual(["freed"], list(search.deeds))

    def test_a_peak_is_the_moment_at_which_most_were_live(self):
        search = self.search(CREEPS)
        search._look_at_peak(OfPaper(
            change(118, LIVE + 1, 2), change(110, 0, LIVE + 1),
            change(100, LIVE + 1, 2), change(90, LIVE + 1, 2),
            change(80, 0, LIVE + 1), change(70, 0, LIVE + 1)), [Mark("", 60)])
        self.assertEqual(80, search.deeds["issued"].frame)

    def test_a_peak_is_looked_for_in_the_second_of_its_sample(self):
        """Of two moments at which as many were live the earlier counts."""
        for early, frame in ((60, 60), (59, 80)):
            search = self.search(CREEPS)
            search._look_at_peak(OfPaper(
                change(90, LIVE + 1, 2), change(80, 0, LIVE + 1),
                change(early, LIVE + 1, 2), change(early, 0, LIVE + 1)),
                [Mark("", 0)])
            self.assertEqual(frame, search.deeds["issued"].frame)

    def test_each_kind_has_its_look_and_of_what_is_not_there_nothing_is_told(self):
        self.assertEqual(KINDS.keys(), lasting_search._LOOKS.keys())
        search = self.search(SILENT, pool=False)
        search._symbols["sparks_state"] = 0
        search._look_at_last(OfPaper(change(90, 5, 4)), [Mark("", 60)])
        self.assertEqual({}, search.deeds)

    def test_of_what_has_no_slots_the_words_count_that_no_refusal_changes(self):
        search = self.search(SILENT, pool=False)
        self.assertEqual([(64, 4)], search._state(None))
        search._look_at_last(OfPaper(change(90, 5, 4)), [Mark("", 60)])
        self.assertEqual(["changed"], list(search.deeds))


class Words(unittest.TestCase):
    PLACE = {"function": "step", "file": "/game/main.c", "line": 7}

    def answer(self, what, deed):
        trace = [self.PLACE, {"function": "interrupt", "file": "", "line": 0},
                 dict(self.PLACE, function="main", line=9)]
        moment = {"frame": 90, "place": self.PLACE, "backtrace": trace}
        finding = why.Finding(what, 120, "sparks", 0, 0, 0)._asdict()
        return {**dict.fromkeys(DEEDS), "finding": finding, "cpu": None, "words": 0,
                deed: moment}

    def test_each_kind_is_said_with_its_line(self):
        by = " step() at /game/main.c:7"
        for what, deed, words in (
                (SILENT, "issued", f"the last slot was issued to{by}"),
                (SILENT, "changed", f"sparks was used last by{by}"),
                (CREEPS, "issued",
                 f"the slot with which it was the most was issued to{by}"),
                (CUT_UP, "held", f"what does not move was locked by{by}"),
                (RATE, "served", f"the last interrupt was served by{by}, within"
                                 " main() at /game/main.c:9"),
                (FIGURE, "told", f"sparks is told by{by}")):
            self.assertEqual(f"{words}, in frame 90", headline(self.answer(what, deed)))

    def test_why_is_asked_again_if_qemu_ends_meanwhile_and_once_more_only(self):
        for ends, words in ((1, "told"), (2, "QEMU ended each time")):
            moments = iter([Gone] * ends + ["told"])
            with mock.patch.object(why, "explain", side_effect=moments):
                try:
                    said = why.explained(None, None, None, say=lambda _: None)
                except CannotRun as trouble:
                    said = str(trouble)
            self.assertIn(words, said)

    def test_what_has_no_line_is_a_sentence_that_says_why(self):
        for name, words in (
                ("the host played the same, frame by frame", "two plays that differ"),
                ("demand was met", "what failed is a count of the whole run")):
            result = {"verdict": "fail", "complete": True, "faults": [], "audits": [],
                      "results": [{"name": name, "passed": False}], "warnings": []}
            cause.add_cause(result, paper.options(), None, print, ())
            self.assertIn(f"who did it has no line: {words}", result["warnings"][0])
