# SPDX-License-Identifier: MIT
"""What the library is asked, and the share that a run begins with, as they are
judged and told. What a broken library answers: test_sabotage.py."""

import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import paper
from harness import share_pass
from harness.errors import CannotRun
from harness.host_pass import HostPass
from harness.machine import Ending
from harness.options import Options
from harness.question_checks import ANSWERS, ANYWHERE, Share, share_summary
from harness.report import _questions
from harness.share_pass import came_to, reason_to_skip
from harness.telemetry import Decoder
from harness.verdict import Check, Verdict, judge

NAME = "the oldest is stolen"


def checks(*records, share=None, host=None, **asked):
    """Name -> whether it passed, of a healthy run with these records, too."""
    run = paper.healthy_run()
    goodbye = len(paper.done())
    ledger = paper.ledger_of(run[:-goodbye] + b"".join(records) + run[-goodbye:])
    ledger.share, ledger.host = share, host
    verdict = judge(paper.options(**asked), ledger, paper.good_ending())
    return {check.name: check for check in verdict.checks}


class Questions(unittest.TestCase):
    def test_a_wrong_answer_fails_by_the_name_of_what_is_not_so(self):
        found = checks(paper.question(NAME, 9, 2, 70), ask=True)
        self.assertEqual((False, False), (found[ANSWERS].passed, found[NAME].passed))
        self.assertEqual("asked 9 times, answered wrong 2 times, first in frame 70",
                         found[NAME].detail)

    def test_right_answers_are_one_check(self):
        found = checks(paper.question(NAME, 9, 0, 0), paper.question("else", 0, 0, 0),
                       ask=True)
        self.assertTrue(found[ANSWERS].passed)
        self.assertEqual("1 question, put 9 times; 1 not at this level or on this core",
                         found[ANSWERS].detail)
        self.assertNotIn(NAME, found)

    def test_what_was_not_asked_is_skipped(self):
        for found in (checks(), checks(ask=True),
                      checks(share=Share(skipped="--no-share")),
                      checks(share=Share(unasked="built without hooks"))):
            self.assertIsNone(found[ANSWERS].passed)

    def test_why_nothing_was_asked_is_told(self):
        never = "it was asked nothing, as with TP_SOAK_SMALL"
        for found, said in (
                (checks(), "not looked at: no share was played"),
                (checks(share=Share(skipped="--no-share")), "--no-share"),
                (checks(share=Share(unasked="built without hooks")),
                 "built without hooks"),
                (checks(ask=True), never), (checks(share=share()), never)):
            self.assertEqual([said], [one.detail for name, one in found.items()
                                      if name == ANSWERS])

    def test_the_questions_that_were_answered_wrong_are_named_in_one_line(self):
        found = checks(paper.question(NAME, 9, 2, 70), paper.question("else", 9, 1, 80),
                       paper.question("right", 9, 0, 0), ask=True)[ANSWERS]
        self.assertEqual((f"{NAME}, else: not so", 2), (found.detail, found.number))

    def test_answers_of_the_share_count_for_the_run(self):
        found = checks(share=share(paper.question(NAME, 9, 1, 70)))
        self.assertFalse(found[NAME].passed)
        self.assertTrue(checks(share=share(paper.question(NAME, 9, 0, 0)))[
            ANSWERS].passed)

    def test_a_wrong_answer_on_the_host_fails_the_pass_there(self):
        host = HostPass()
        wrong = paper.ledger_of(paper.question(NAME, 9, 1, 70)).questions[NAME]
        host.take_in(wrong)
        self.assertEqual([NAME], [one.name for one in host.wrong])
        found = checks(host=host)
        self.assertEqual((False, False), (found[ANSWERS].passed, found[NAME].passed))

    def test_the_report_lists_every_question(self):
        ledger = paper.ledger_of(paper.healthy_run() + paper.question(NAME, 9, 1, 70))
        page = _questions({"questions": [
            one._asdict() for one in ledger.questions.values()]})
        self.assertIn("What the library was asked", page)
        self.assertIn(f">{NAME}</td>", page)
        self.assertEqual("", _questions({"questions": []}))


class TheShare(unittest.TestCase):
    def test_what_it_finds_fails_the_run_with_the_line_that_repeats_it(self):
        found = checks(share=Share(frames=600, passed=False, why="no fault: tag",
                                   again="qemu/soak run --ask"))[ANYWHERE]
        self.assertFalse(found.passed)
        self.assertEqual("600 frames: no fault: tag; again with qemu/soak run --ask",
                         found.detail)

    def test_what_it_came_to_is_in_the_summary(self):
        self.assertEqual({"skipped": "there was none"}, share_summary(None))
        self.assertEqual({"skipped": "--no-share"},
                         share_summary(Share(skipped="--no-share")))
        for untimed, interrupts in (("", "timer"), ("no timer", "scheduled")):
            self.assertEqual(
                {"frames": 600, "passed": False, "why": "no fault: tag",
                 "interrupts": interrupts, "reproduce": "qemu/soak run --ask"},
                share_summary(Share(frames=600, passed=False, why="no fault: tag",
                                    untimed=untimed, again="qemu/soak run --ask")))

    def test_a_firmware_without_a_timer_is_asked_all_the_same(self):
        one = share(paper.question(NAME, 9, 0, 0))
        one.untimed = "it hands over no timer"
        found = checks(share=one)
        self.assertEqual((None, True), (found[ANYWHERE].passed, found[ANSWERS].passed))

    def test_it_is_a_tenth_of_the_frames_within_bounds(self):
        self.assertEqual(
            [300, 600, 21600, 216000],
            [Options(frames=frames).share_frames
             for frames in (300, 3000, 216000, 72 * 216000)])

    def test_it_does_not_fail_for_what_it_has_no_time_for(self):
        ledger = paper.ledger_of(paper.healthy_run())
        for name, passed in (("every pool was used", True), ("demand was met", True),
                             ("no fault", False)):
            verdict = Verdict([Check(name, False, "")], [], name, 1)
            self.assertEqual(passed, came_to(verdict, Options(), ledger).passed)

    def test_what_it_says_is_of_what_it_fails_for(self):
        """Not of what it had no time for, though that is judged before."""
        pools = (*paper.POOLS, ("bosses", 2, 8, 1))
        run = paper.hello(600, pools=pools) + paper.sample(600, *[
            paper.usage(8), paper.usage(16), paper.usage(8), paper.usage(0)])
        for more, why in (
                (paper.question(NAME, 9, 1, 70), f"{ANSWERS}: {NAME}: not so"),
                (paper.fault(5, slot=3, expected=0, found=0),
                 "tag fault in pool particles, slot 3, address 0x21000220, frame 1234"),
                (b"", "nothing else was found")):
            ours = paper.options(600, ask=True)
            ledger = paper.ledger_of(run + more + paper.done(600, irqs=600))
            share = came_to(judge(ours, ledger, paper.good_ending()), ours, ledger)
            self.assertEqual((not more, why), (share.passed, share.why))

    def test_a_run_that_is_itself_so_has_none(self):
        for words in ({"ask": True}, {"interrupts": "timer"}, {"plant": "leak"},
                      {"board": "host"}, {"with_share": False}):
            self.assertTrue(reason_to_skip(Options(**{"with_share": True, **words})))
        self.assertEqual("", reason_to_skip(Options(with_share=True)))


class Played(unittest.TestCase):
    """The share, of a QEMU that is not there."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "console.elf").write_bytes(b"elf")
        self.said, self.asked = [], []

    def played(self, *comes_to, **options):
        """`comes_to`: the Ending of each run, with its records, or what it refuses."""
        runs = iter(comes_to)

        def run_of(ours, folder, _start, ledger, nobody, stop):
            self.assertEqual(b"elf", (folder / "console.elf").read_bytes())
            self.assertEqual(("stop", None), (stop, nobody.update(ledger, 1.0)))
            self.asked.append(ours)
            return SimpleNamespace(run=lambda: ended(next(runs), ledger))

        def ended(found, ledger):
            if isinstance(found, str):
                raise CannotRun(found)
            for one in Decoder().feed(found[1]):
                ledger.add(one)
            return found[0], None
        with mock.patch.object(share_pass, "QemuRun", run_of), \
                mock.patch.object(share_pass, "name_callers") as named, \
                mock.patch.object(share_pass.checkpoint, "power_on"):
            found = share_pass.play(
                Options(**{"frames": 36000, "with_share": True, **options}),
                self.folder, SimpleNamespace(say=self.said.append), "stop")
        self.named = [call[0][1] for call in named.call_args_list]
        return found

    def test_a_tenth_of_the_frames_is_played_and_judged(self):
        found = self.played((paper.good_ending(), paper.healthy_run(interrupts=1)),
                            with_host=True, host="x", checkpoint_every=3, resume="y")
        ours, = self.asked
        self.assertEqual((3600, "timer", True, False, "", False, 0, ""), (
            ours.frames, ours.interrupts, ours.ask, ours.with_host, ours.host,
            ours.with_share, ours.checkpoint_every, ours.resume))
        self.assertEqual((3600, "", [self.folder / "share/console.elf"]), (
            found.frames, found.skipped, self.named))
        self.assertEqual(["playing 3 600 frames with --interrupts timer and --ask"
                          " first",
                          f"share: {found.why}"], self.said)
        self.assertRegex(found.why, r"^\d+ checks passed")

    def test_none_is_played_where_there_is_a_reason(self):
        self.assertEqual("with --plant leak something is wrong on purpose",
                         self.played(plant="leak").skipped)
        self.assertEqual(([], []), (self.said, self.asked))

    def test_one_that_was_stopped_is_no_verdict(self):
        found = self.played((Ending("stopped by Ctrl-C", 0, True), b""))
        self.assertEqual(("stopped by Ctrl-C", 0), (found.skipped, found.frames))
        self.assertEqual("share: stopped by Ctrl-C", self.said[-1])

    def test_what_a_firmware_of_one_s_own_cannot_do_is_not_asked_of_it(self):
        whole = paper.good_ending(), paper.healthy_run()
        found = self.played("it hands over no timer", whole, elf="mine.elf")
        self.assertEqual(("it hands over no timer", "", 3600), (
            found.untimed, found.unasked, found.frames))
        self.assertEqual(["timer", "scheduled"],
                         [one.interrupts for one in self.asked])
        found = self.played("it hands over no timer", "no hooks", elf="mine.elf")
        self.assertEqual(("it hands over no timer", "no hooks", 0), (
            found.untimed, found.unasked, found.frames))
        self.assertEqual("share: no hooks", self.said[-1])
        with self.assertRaisesRegex(CannotRun, "no timer"):
            self.played("it hands over no timer")


def share(*records):
    ledger = paper.ledger_of(paper.hello() + b"".join(records))
    return Share(frames=600, why="all passed", questions=ledger.questions)
