# SPDX-License-Identifier: MIT
"""What the library is asked, and the share that a run begins with, as they are
judged and told. What a broken library answers: test_sabotage.py."""

import unittest

import paper
from harness.host_pass import HostPass
from harness.options import Options
from harness.question_checks import ANSWERS, ANYWHERE, Share, share_summary
from harness.report import _questions
from harness.share_pass import came_to, reason_to_skip
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
        for name, passed in (("every pool was used", True), ("no fault", False)):
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


def share(*records):
    ledger = paper.ledger_of(paper.hello() + b"".join(records))
    return Share(frames=600, why="all passed", questions=ledger.questions)
