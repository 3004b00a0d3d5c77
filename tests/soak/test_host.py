# SPDX-License-Identifier: MIT
"""The host as a board: what its sanitizers see there that no board sees."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import command
import paper
import trials
from support import HANG_SECONDS, ROOT, build
from harness import host_pass, host_program
from harness.host_pass import AGREES, CLEAN, HostPass, frames_of, reason_to_skip
from harness.machine import Ending
from harness.options import FRAMES_PER_DAY, Options
from harness.records import Sample
from harness.result_folder import ELF
from harness.sanitizer import ENVIRONMENT, HUNG, Report, report_in
from harness.telemetry import Decoder

SOURCE = ROOT / "tests" / "soak" / "host" / "main.c"
MISTAKES = re.search(r"mistakes\[\].*?{(.*?)}", SOURCE.read_text(),
                     re.S)[1].replace(",", " ").split()
FRAME = 90  # Of the mistake.


def line_of(mistake):
    """'overrun() at tests/soak/host/main.c:49'."""
    lines = SOURCE.read_text().split("\n")
    number = next(i for i, line in enumerate(lines, 1)
                  if line.endswith(f"// {mistake}"))
    return f"{mistake}() at {SOURCE.relative_to(ROOT)}:{number}"


class Sanitized(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = build("host", "full", "mistakes", "console")

    def play(self, name, *words):
        """Exit code, what it said of itself, what a sanitizer said of it."""
        result = subprocess.run(
            [self.folder / f"{name}.elf", "soak", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=dict(os.environ, **ENVIRONMENT),
            timeout=HANG_SECONDS)
        return (result.returncode, result.stdout,
                report_in(result.stderr.decode()))

    def make(self, mistake):
        return self.play("mistakes", f"mistake={MISTAKES.index(mistake)}",
                         "frames=180")

    def test_a_touch_of_what_is_nobodys_is_named_by_its_line_in_its_frame(self):
        for mistake, word in (
                ("read_after_free", "read from memory that is nobody's, 4 bytes"),
                ("write_after_free", "write to memory that is nobody's, 4 bytes"),
                ("overrun", "write"), ("underrun", "write"),
                ("never_issued", "write"), ("last_frame", "write"),
                ("beyond_top", "write"), ("never_a_bird", "write"),
                ("gone_bird", "write"), ("moved_map", "write"),
                ("overflow", "signed integer overflow")):
            with self.subTest(mistake):
                code, _, report = self.make(mistake)
                self.assertNotEqual(0, code)
                self.assertEqual((line_of(mistake), FRAME), report[1:])
                self.assertIn(word, report.what)

    def test_what_the_library_finds_it_says_on_the_host_too(self):
        code, said, report = self.make("freed_twice")
        self.assertEqual((1, None), (code, report))
        self.assertIn(b"\xb7\x03\x1c\0Z\0\0\0", said)  # A fault, in frame 90.

    def test_questions_to_the_library_leave_no_trace(self):
        told = [self.play("console", "frames=600", f"ask={ask}")[1]
                for ask in (0, 600)]
        self.assertIn(b"the oldest is stolen", told[1])
        self.assertEqual(*(said[-said[::-1].index(b"\xb7"):] for said in told))

    def test_a_program_without_a_mistake_hears_nothing(self):
        self.assertEqual((0, None), self.make("nothing")[::2])
        self.assertEqual((0, None), self.play("console", "frames=1800")[::2])


class Soaked(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.host = build("host", "full", "mistakes", "dungeon")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.out = Path(folder.name)

    def soak(self, *words, code=0):
        """What it says, and the summary if there is one."""
        shutil.rmtree(self.out / "result", ignore_errors=True)
        said = command.soak("run", "--out", self.out / "result", *words)
        self.assertEqual(code, said.code, said.whole)
        summary = self.out / "result" / "summary.json"
        return said.whole, json.loads(
            summary.read_text()) if summary.exists() else None

    def checks(self, summary):
        passed = {check["name"]: check["passed"] for check in summary["results"]}
        return passed[CLEAN], passed[AGREES]

    def make(self, mistake, *words, code=1):
        scenario = self.out / "mistake.toml"
        scenario.write_text("scenario = 1\n[settings]\n"
                            f"mistake = {MISTAKES.index(mistake)}\n")
        return self.soak("--board", "host", "--checks", "full", "--frames", "1800",
                         "--elf", self.host / "mistakes.elf", "--scenario",
                         scenario, *words, code=code)

    def test_the_default_plays_on_the_host_first_and_compares(self):
        said, summary = self.soak("--frames", "1800")
        self.assertEqual((True, True), self.checks(summary), said)
        self.assertEqual((1800, 30, summary["state_hash"]), tuple(
            summary["host"][key] for key in ("frames", "compared", "state_hash")))
        self.assertNotIn("--board", summary["reproduce"])
        self.assertEqual(("timer", 600, True), tuple(
            summary["share"][key] for key in ("interrupts", "frames", "passed")))
        self.assertEqual((600, True), tuple(
            summary["accesses"][key] for key in ("frames", "passed")))
        self.assertGreater(sum(one["asked"] for one in summary["questions"]), 2000)

    def test_a_board_that_is_named_skips_the_host_and_says_so(self):
        for words in (("--board", trials.BOARD), ("--no-host",)):
            _, summary = self.soak("--frames", "600", *words)
            self.assertEqual((None, None), self.checks(summary))
            junit = (self.out / "result" / "junit.xml").read_text()
            for name in (CLEAN, AGREES):
                self.assertRegex(junit, f'name="{name}">\n *<skipped ')
            self.assertIn("--board", summary["reproduce"])

    def test_a_mistake_fails_the_run_by_its_line_on_the_screen_and_for_machines(self):
        said, summary = self.make("overrun")
        junit = (self.out / "result" / "junit.xml").read_text()
        report = (self.out / "result" / "report.html").read_text()
        self.assertEqual((line_of("overrun"), FRAME), (
            summary["host"]["line"], summary["host"]["frame"]))
        for text in (said, summary["why"], junit, report):
            self.assertIn(line_of("overrun"), text)
        self.assertIn("<failure ", junit)
        sarif = json.loads((self.out / "result" / "findings.sarif").read_text())
        self.assertIn("tests/soak/host/main.c", json.dumps(
            [one.get("locations") for one in sarif["runs"][0]["results"]]))
        why = command.soak("why", self.out / "result")
        self.assertEqual(2, why.code)
        self.assertIn(line_of("overrun"), why.error)

    def test_on_the_host_alone_the_game_is_the_same(self):
        hashes = {self.soak("--frames", "600", "--board", "host", *words)[1][
            "state_hash"] for words in ((), ("--no-sanitize",))}
        hashes.add(self.soak("--frames", "600", "--no-host")[1]["state_hash"])
        self.assertEqual(1, len(hashes))

    def test_a_firmware_of_ones_own_is_compared_with_its_program(self):
        elf = build(trials.BOARD, "poison", "dungeon") / "dungeon.elf"
        _, summary = self.soak("--elf", elf, "--host", self.host / "dungeon.elf",
                               "--frames", "1800")
        self.assertEqual((True, True), self.checks(summary))
        said, summary = self.soak("--elf", elf, "--host",
                                  self.host / "mistakes.elf", "--frames", "600",
                                  code=1)
        self.assertEqual((True, False), self.checks(summary))
        self.assertIn(f"{AGREES}: frame 60: state ", said)

    def test_a_timers_interrupts_come_on_the_host_too_where_the_seed_says(self):
        words = ("--board", "host", "--checks", "full", "--frames", "600")
        scheduled = self.soak(*words)[1]
        for came, *own in ((599, "--elf", self.host / "dungeon.elf"), (600,)):
            timed, again = (self.soak(*words, *own, "--interrupts", "timer")[1]
                            for _ in range(2))
            self.assertEqual(timed["state_hash"], again["state_hash"])
            self.assertEqual(came, timed["irqs"])
        self.assertNotEqual(timed["state_hash"], scheduled["state_hash"])

    def test_what_makes_no_sense_is_a_sentence(self):
        elf = self.host / "mistakes.elf"
        firmware = build(trials.BOARD, "poison", "dungeon") / "dungeon.elf"
        for words, sentence in (
                (("--host", elf), "--host is what --elf is as a program of this"),
                (("--no-sanitize",), "--no-sanitize is for --board host"),
                (("--elf", firmware, "--host", firmware),
                 "dungeon.elf is no program of this machine"),
                (("--elf", firmware, "--board", "host"),
                 "dungeon.elf is no program of this machine")):
            self.assertIn(sentence, self.soak(*words, code=2)[0])

    def test_a_program_that_hangs_is_stopped_and_its_line_is_named(self):
        shutil.copy(self.host / "mistakes.elf", self.out / ELF)
        words = [f"./{ELF}", "soak", "frames=180",
                 f"mistake={MISTAKES.index('hang')}"]
        with mock.patch.object(host_program, "SILENT_SECONDS", 1), \
                host_program.HostProgram(words, self.out, subprocess.PIPE,
                                         lambda: 0) as program:
            ending = host_pass._follow(program, HostPass(), ())
        self.assertEqual((1, False), (ending.code, ending.was_stopped))
        said = ("said nothing for 1 second of processor time and was stopped"
                f" in {line_of('hang')}")
        self.assertIn(said, ending.sentence)
        # Nor does what is read of it later say that it aborted by itself.
        self.assertEqual(f"it {said}, frame 90",
                         host_program.report_of(self.out).sentence())


class Ended(unittest.TestCase):
    def test_a_program_that_somebody_ends_by_a_signal_was_stopped(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            program.write_text("#!/bin/sh\nread line < fifo\n")
            os.mkfifo(f"{folder}/fifo")
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT,
                           signal.SIGKILL):
                with host_program.HostProgram([f"{folder}/program"], folder,
                                              f"{folder}/out", lambda: 0) as running:
                    running.process.send_signal(number)
                    running.process.wait()
                    self.assertTrue(running.ending().was_stopped, number.name)


class Compared(unittest.TestCase):
    """By samples made of paper."""

    def records(self, *samples):
        return Decoder().feed(paper.hello() + b"".join(samples))

    def compared(self, samples, others):
        host = HostPass()
        for record in self.records(*samples):
            host.take_in(record)
        for record in self.records(*others)[1:]:
            host.compare(record)
        return host

    def sample(self, frame, state_hash=1, live=5):
        return paper.sample(frame, paper.usage(live), paper.usage(2),
                            paper.usage(3), state_hash=state_hash)

    def test_the_first_sample_that_differs_is_the_one_that_is_named(self):
        ours = [self.sample(frame) for frame in (60, 120, 180)]
        host = self.compared(ours, [self.sample(60), self.sample(120, 2),
                                    self.sample(180, 3)])
        self.assertEqual("frame 120: state 0000000000000002; on the host"
                         " 0000000000000001 in frame 120", host.difference)

    def test_one_object_too_many_is_a_difference_though_the_state_is_the_same(self):
        host = self.compared([self.sample(60)], [self.sample(60, live=6)])
        self.assertEqual("frame 60: the same state, but other numbers of live"
                         " objects", host.difference)

    def test_the_first_pool_is_named_in_which_other_objects_live(self):
        host = self.compared(
            [self.sample(60), self.sample(120), self.sample(180)],
            [self.sample(60, 2), self.sample(120, 2, live=6), self.sample(180, live=7)])
        self.assertIn("frame 60: state", host.difference)
        self.assertEqual("frame 120: particles has 6 live, on the host 5",
                         host.others_live)
        self.assertTrue(host_pass._agreement(host)[1].endswith(f". {host.others_live}"))
        same = self.compared([self.sample(60)], [self.sample(60, 2)])
        self.assertIn("As many objects live everywhere as there",
                      host_pass._agreement(same)[1])

    def test_what_is_the_same_as_far_as_it_goes_has_no_difference(self):
        ours = [self.sample(frame) for frame in (60, 120)]
        host = self.compared(ours[:1], ours)
        self.assertEqual((1, ""), (host.compared, host.difference))

    def test_where_counts_differ_each_allocator_is_named_and_bytes_are_not(self):
        host = HostPass()
        pools = (*paper.POOLS, ("text", 400, 1, 1, "stack", "bytes"))
        for live, take in (((1, 2, 3, 50), host.take_in),
                           ((1, 4, 5, 60), host.compare)):
            for record in Decoder().feed(paper.hello(pools=pools) + paper.sample(
                    60, *map(paper.usage, live))):
                if take == host.take_in or isinstance(record, Sample):
                    take(record)
        self.assertEqual("frame 60: sounds has 4 live, on the host 2, enemies has 5"
                         " live, on the host 3", host.others_live)

    def test_at_a_level_that_counts_nothing_only_the_state_is_compared(self):
        host = HostPass(counts=False)
        for record in self.records(self.sample(60)):
            host.take_in(record)
        host.compare(self.records(self.sample(60, live=9))[1])
        self.assertEqual(("", 1, {}), (host.difference, host.compared, host.objects))

    def test_a_sample_of_another_frame_differs_though_its_state_is_the_same(self):
        host = self.compared([self.sample(60)], [self.sample(1200)])
        self.assertEqual("frame 1 200: state 0000000000000001; on the host"
                         " 0000000000000001 in frame 60", host.difference)

    def test_of_what_a_sample_does_not_tell_none_lives(self):
        host = self.compared([self.sample(60), self.sample(120, 7)],
                             [paper.sample(60, paper.usage(5), state_hash=1)])
        self.assertEqual("frame 60: sounds has 0 live, on the host 2, enemies has 0"
                         " live, on the host 3", host.others_live)
        self.assertEqual(f"{7:016x}", host_pass.host_summary(host)["state_hash"])

    def test_what_was_the_same_is_told_up_to_where(self):
        ours = [self.sample(frame) for frame in (60, 1200)]
        for others, said in ((ours, "2 samples, up to frame 1 200"),
                             (ours[:1], "1 sample, up to frame 60")):
            self.assertEqual((True, said), host_pass._agreement(
                self.compared(ours, others)))
        self.assertEqual((None, "neither told of a frame"),
                         host_pass._agreement(self.compared(ours, [])))


REPORT = Report("write", "f() at a.c:7", 60)


ADDRESS = """said before
tidepool: frame 12
=================================================================
==7==ERROR: AddressSanitizer: {kind} on address 0x60 at pc 0x1 bp 0x2 sp 0x3
{verb} of size 4 at 0x60 thread T0
    #0 0x11 in memcpy ../src/libsanitizer/asan.inc:9
    #1 0x12 in tp_plant {root}/qemu/rig/plant.c:40
    #2 0x13 in step(int) /game/step.cpp:57
    #3 0x14 in main /game/main.c:3

0x60 is here:
    #0 0x15 in other /game/other.c:1

tidepool: frame 90
"""
UNDEFINED = """/game/sum.c:8:13: runtime error: signed integer overflow: 1 + 2
    #0 0x11 in add /game/sum.c:8
"""


class Said(unittest.TestCase):
    """What is read in the report of a sanitizer."""

    def test_the_access_the_application_s_innermost_line_and_the_frame_are_told(self):
        for kind, verb, what in (
                ("use-after-poison", "READ", "a read from memory that is nobody's"),
                ("heap-buffer-overflow", "WRITE",
                 "a write to memory of something else")):
            report = report_in(ADDRESS.format(kind=kind, verb=verb, root=ROOT))
            self.assertEqual(Report(f"{what}, 4 bytes ({kind})",
                                    "step(int)() at /game/step.cpp:57", 90), report)

    def test_of_a_mistake_of_the_soak_s_own_its_line_is_told(self):
        text = ADDRESS.format(kind="use-after-poison", verb="READ", root=ROOT)
        self.assertEqual("tp_plant() at qemu/rig/plant.c:40",
                         report_in(text.replace("/game", "../game")).line)

    def test_what_is_undefined_is_told_as_it_is_said_and_the_first_counts(self):
        later = ADDRESS.format(kind="use-after-poison", verb="READ", root=ROOT)
        self.assertEqual(("signed integer overflow: 1 + 2", "add() at /game/sum.c:8"),
                         report_in(UNDEFINED + "\n" + later)[:2])
        self.assertEqual(-1, report_in(UNDEFINED).frame)
        self.assertIn("use-after-poison", report_in(later + "\n" + UNDEFINED).what)

    def test_who_was_aborted_is_told_by_whom(self):
        text = "==7==ERROR: AddressSanitizer: ABRT on unknown address 0x7\n"
        self.assertEqual("it was aborted", report_in(text).what)
        hung = HUNG.format("said nothing for a minute")
        self.assertRegex(report_in(text + hung).what, "^it said nothing for a minute")
        self.assertIsNone(report_in(hung))


class Came(unittest.TestCase):
    """What a pass came to, without a program."""

    def judged(self, *records, code=0, report=None, stopped=False, last=600):
        result = HostPass(frame=last, cpu_seconds=0.5)
        for record in Decoder().feed(b"".join(records)):
            result.take_in(record)
        with mock.patch.object(host_pass, "report_of", return_value=report):
            host_pass._judge(result, "", Ending("it ended", code, stopped),
                             Options(frames=600))
        return result

    def test_a_pass_fails_by_what_it_did_and_where_it_did_not_come_to(self):
        for words, failed, said in (
                ({}, False, "nothing found in 600 frames at 20 times real time, by"
                            " processor time"),
                ({"code": 1}, True, "it ended (600 frames at 20"),
                ({"last": 540}, True, "it ended (540 frames at 18"),
                ({"report": REPORT, "code": 1}, True, "it ended (600"),
                ({"stopped": True}, False, "skipped: it ended")):
            result = self.judged(**words)
            self.assertEqual(failed, result.failed)
            self.assertTrue(host_pass.said(result).startswith(said))

    def test_what_the_library_found_is_said_before_what_it_answered(self):
        fault, audit = paper.fault(paper.POISON), paper.audit("bad")
        wrong = paper.question("so", 9, 1, 70), paper.question("more", 9, 1, 60)
        for records, sentence in (
                ((fault, *wrong), "poison fault in frame 1234"),
                (wrong, "not so: so, in frame 70"),
                ((audit,), "bad, in frame 600"),
                ((audit, *wrong), "bad, in frame 600"),
                ((paper.hello(), audit, paper.audit("worse", 601)),
                 f"{paper.POOLS[1][0]}: bad, in frame 600")):
            result = self.judged(*records)
            self.assertEqual((True, sentence), (result.failed, result.sentence))
        found = self.judged(fault, *wrong, report=REPORT)
        self.assertEqual((REPORT, "it ended"), (found.report, found.sentence))
        self.assertFalse(self.judged(paper.question("so", 9, 0, 0)).failed)

    def test_why_there_is_no_pass_is_said(self):
        passes = {"board": "mps2_an385", "with_host": True}
        self.assertEqual("", reason_to_skip(Options(**passes)))
        for more, said in (
                ({"board": "host"}, "the run itself was on the host"),
                ({"interrupts": "timer"}, "--interrupts timer come elsewhere"),
                ({"elf": "a.elf"}, "no --host PROGRAM was given"),
                ({"with_host": False}, "--no-host, or a --board was named")):
            self.assertIn(said, reason_to_skip(Options(**{**passes, **more})))
        self.assertEqual("", reason_to_skip(Options(**passes, elf="a", host="b")))

    def test_a_run_that_is_itself_on_the_host_has_its_sanitizer_s_report(self):
        for more, skipped, sanitized in (
                ({}, "", True), ({"sanitize": False}, ", with --no-sanitize", False),
                ({"pool_sanitizer": True}, ", with --sanitize", False)):
            with mock.patch.object(host_pass, "report_of", return_value=REPORT):
                found = host_pass.of_the_run(Options(board="host", **more), "")
            self.assertEqual((f"the run itself was on the host{skipped}", sanitized),
                             (found.skipped, found.sanitized))
            self.assertEqual((REPORT, REPORT.sentence()) if sanitized else (None, ""),
                             (found.report, found.sentence))

    def lines(self, host):
        return host_pass.host_lines(SimpleNamespace(host=host))

    def test_each_check_is_passed_failed_or_skipped_with_its_number(self):
        skipped = "there was no pass on the host"
        self.assertEqual([(CLEAN, None, skipped), (AGREES, None, skipped)],
                         self.lines(None))
        for report, line in ((None, (CLEAN, True, "0 reports", 0)),
                             (REPORT, (CLEAN, False, "x", 1))):
            own = HostPass(skipped="own", sanitized=True, report=report,
                           sentence="x" * bool(report))
            self.assertEqual([line, (AGREES, None, "own")], self.lines(own))
        for failed in (False, True):
            one = HostPass(failed=failed, sentence="bad", compared=1, difference="d")
            self.assertEqual([
                (CLEAN, not failed, host_pass.said(one), int(failed)),
                (AGREES, False, f"d. {host_pass.SAME_LIVE}", 1)], self.lines(one))

    def test_the_summary_has_what_was_found_with_its_line_and_frame(self):
        self.assertEqual([{"skipped": "there was no pass"}, {"skipped": "x"}], [
            host_pass.host_summary(one) for one in (None, HostPass(skipped="x"))])
        for one, told in (
                (self.judged(), ("", "", None)),
                (self.judged(paper.fault(6)), ("poison fault in frame 1234", "", 1234)),
                (self.judged(paper.audit("bad")), ("bad, in frame 600", "", 600)),
                (self.judged(paper.audit("bad"), code=1), ("it ended", "", 600)),
                (self.judged(code=1, report=REPORT),
                 ("it ended", "f() at a.c:7", 60))):
            found = host_pass.host_summary(one)
            self.assertEqual(told, (found["found"], found["line"], found["frame"]))
            self.assertEqual((600, 20.0, ""), (
                found["frames"], found["cpu_speedup"], found["state_hash"]))
        own = HostPass(skipped="own", sanitized=True, report=REPORT, sentence="s")
        self.assertEqual("s", host_pass.host_summary(own)["found"])


class Shared(unittest.TestCase):
    def test_of_a_long_run_the_host_plays_the_first_day(self):
        self.assertEqual([60, FRAMES_PER_DAY, FRAMES_PER_DAY], [
            frames_of(Options(frames=frames))
            for frames in (60, FRAMES_PER_DAY, 3 * FRAMES_PER_DAY)])
