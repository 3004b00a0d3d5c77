# SPDX-License-Identifier: MIT
"""What the gate plays with --sanitize before a run: of which frames, when not, and
what becomes of a wrong access there."""

import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import paper
from harness import access_pass, build
from harness.access_checks import CLEAN, access_lines
from harness.errors import CannotRun
from harness.ledger import Ledger
from harness.no_line import no_line
from harness.options import Options
from harness.question_checks import Share, share_summary
from harness.result_folder import CHECKPOINTS, ELF, RUN, SANITIZED_ELF, TELEMETRY
from harness.result_folder import FILES, reopened
from support import only_in_full
from test_sanitized import line_of, run, sanitized

GATE = Options(frames=6000, with_share=True)


def line_of_check(share, **asked):
    ledger = Ledger()
    ledger.accesses = share
    line, = access_lines(Options(**asked), ledger, None)
    return line[:3]


class Played(unittest.TestCase):
    def setUp(self):
        self.scratch = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)

    def play(self, built, **asked):
        """What it comes to, with `built` in place of a build; and what it said."""
        screen = mock.Mock()
        with mock.patch.object(build, "build", built):
            share = access_pass.play(paper.options(**{
                "frames": 6000, "with_share": True, **asked}), self.scratch, screen, [])
        return share, "\n".join(call[0][0] for call in screen.say.call_args_list)

    def test_a_wrong_access_of_the_application_fails_it_by_its_line(self):
        def built(options, elf):
            self.assertTrue(options.pool_sanitizer)
            shutil.copyfile(sanitized("fast"), elf)

        whole = access_pass.replace

        def with_a_mistake(options, **more):
            return whole(options, **more, plant="read-after-free")

        with mock.patch.object(access_pass, "replace", with_a_mistake):
            share, said = self.play(built, checks="fast")
        self.assertFalse(share.passed)
        self.assertIn(f"4 bytes read at offset 0 by {line_of('read-after-free')}",
                      share.why)
        self.assertIn(share.why, said)
        for word in ("--sanitize", "--interrupts timer", "--frames 600"):
            self.assertIn(word, share.again)
        name, passed, detail = line_of_check(share)
        self.assertEqual((CLEAN, False), (name, passed))
        self.assertIn(f"{share.why}; again with {share.again}", detail)

    def test_where_it_does_not_fit_there_is_none_and_it_says_so(self):
        for words in ("region `RAM' overflowed by 4 bytes",
                      "less than 1 KiB of RAM is left for the stack"):
            share, said = self.play(mock.Mock(side_effect=CannotRun("", output=words)),
                                    board="microbit", checks="full")
            self.assertIn("the memory of microbit is too small for a build with"
                          " --sanitize --checks full", share.skipped)
            self.assertIn(share.skipped, said)
            self.assertEqual((CLEAN, None, share.skipped), line_of_check(share))

    def test_a_build_that_breaks_otherwise_ends_the_run(self):
        with self.assertRaises(CannotRun):
            self.play(mock.Mock(side_effect=CannotRun("", output="error: no such")))

    def test_a_run_that_goes_on_plays_what_it_began_with(self):
        shutil.copyfile(sanitized("fast"), self.scratch / SANITIZED_ELF)
        share, _ = self.play(mock.Mock(side_effect=AssertionError), checks="fast")
        self.assertEqual((600, True), (share.frames, share.passed))

    def test_it_is_kept_with_the_result_and_taken_along_by_who_goes_on(self):
        self.assertIn(SANITIZED_ELF, FILES)
        (self.scratch / CHECKPOINTS).mkdir()
        for name in (ELF, TELEMETRY, RUN, SANITIZED_ELF):
            (self.scratch / name).write_bytes(b"it")
        self.assertTrue((reopened(self.scratch) / SANITIZED_ELF).exists())


class Skipped(unittest.TestCase):
    def test_who_has_no_share_or_has_it_all_has_none(self):
        for asked in ({"with_share": False}, {"board": "host"}, {"plant": "leak"},
                      {"ask": True}, {"pool_sanitizer": True}, {"elf": "own.elf"},
                      {"checks": "off"}):
            options = Options(**{"with_share": True, **asked})
            reason = access_pass.reason_to_skip(options)
            self.assertTrue(reason)
            share = access_pass.play(options, None, mock.Mock(), [])
            self.assertEqual({"skipped": reason}, share_summary(share))
        self.assertEqual("", access_pass.reason_to_skip(GATE))

    def test_what_was_not_looked_at_did_not_pass(self):
        self.assertEqual((CLEAN, None, "not looked at: needs --sanitize"),
                         line_of_check(None))
        self.assertEqual((CLEAN, None, "--no-share"),
                         line_of_check(Share(skipped="--no-share")))

    def test_what_passed_and_what_did_not_say_how_much_was_played(self):
        self.assertEqual((CLEAN, True, "600 frames: all passed"), line_of_check(
            Share(frames=600, why="all passed")))
        self.assertEqual(
            (CLEAN, False, "600 frames: 4 bytes read; again with qemu/soak run"),
            line_of_check(Share(frames=600, passed=False, why="4 bytes read",
                                again="qemu/soak run")))

    def test_of_a_run_with_it_each_wrong_access_is_told_and_no_other_fault(self):
        for faults, found in (
                ([paper.POISON], (CLEAN, True, "0 wrong accesses", 0)),
                ([24, paper.POISON, 25], (CLEAN, False, "dead: 24; beside: 25", 2))):
            ledger = paper.ledger_of(paper.hello() + b"".join(
                paper.fault(kind, caller=kind) for kind in faults))
            line, = access_lines(Options(pool_sanitizer=True), ledger,
                                 lambda _, fault: f"{fault.caller}")
            self.assertEqual(found, line)

    def test_it_is_a_fourth_of_the_share_within_bounds(self):
        self.assertEqual(
            [300, 600, 5400, 54000],
            [Options(frames=frames).sanitized_frames
             for frames in (300, 3000, 216000, 72 * 216000)])

    def test_why_has_a_sentence_for_it(self):
        self.assertIn("--sanitize is a run of its own", no_line(
            {"results": [{"name": CLEAN, "passed": False}]}))


class OnABoard(unittest.TestCase):
    @only_in_full
    def test_one_that_is_too_small_passes_without_it(self):
        """As Played has it, of a linker that really says so."""
        code, said, summary = run("--board", "microbit", "--share", "--checks", "full",
                                  "--frames", "600")
        self.assertEqual((0, True), (code, summary["share"]["passed"]), said)
        self.assertIn("is too small", summary["accesses"]["skipped"])


if __name__ == "__main__":
    unittest.main()
