# SPDX-License-Identifier: MIT
"""A firmware that gets on no more has failed, and where it is, is told."""

import json
import tempfile
import unittest
from pathlib import Path

import trials
from command import soak
from harness.progress import (ASLEEP_LOOKS, BUSY, PLACE_LOOKS, STORM,
                              WAITING_SECONDS, Look, place, verdict_on)
from support import build

SOURCE = "tests/soak/stuck/main.c"
FRAMES = 600
# What is asked of the host by semihosting, and refused.
ATTACKS = {
    7: "to execute the command `touch ../made`",
    8: "to open the file `/etc/hostname`",
    9: "to open the file `../made`", 10: "to remove the file `../victim`",
    11: "to rename the file `../victim` to `../made`"}
PRINTS, TAKEN_AWAY, GIVEN_UP, ABOVE_BUDGET, RESETS, AGAIN = 12, 13, 14, 15, 16, 17
# The scenario's trouble -> what is said of it, and in which function it is.
TROUBLES = {
    1: (r"it hangs, 1 875 million instructions without a frame more, in spin\(\)",
        "spin"),
    2: (r"it waits, an hour of its time without a frame more, in board_sleep\(\)",
        "board_sleep"),
    3: (r"it floods the host, 4 194 304 bytes without a frame more, in", None),
    4: (r"QEMU ended with code 3 after frame 120 of 600", "touch"),
    5: (r"it never leaves interrupt 31, 156 million instructions without a frame"
        r" more, in \w+\(\)", None),
    6: (r"^items are whole: asked 600 times, failed 470 times, first in frame 130",
        "play_a_frame"),
}


class Trouble(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.elf = build(trials.BOARD, "poison", "stuck") / "stuck.elf"

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def get_into(self, trouble, *more):
        """(exit code, summary)"""
        code, said, _ = soak(
            "run", *self.words_of(trouble), "--out", str(self.folder / "out"), "--json",
            "--no-why", "--no-share", *more)
        return code, json.loads(said)

    def words_of(self, trouble):
        scenario = self.folder / "trouble.toml"
        scenario.write_text(f"scenario = 1\n[settings]\ntrouble = {trouble}\n")
        return ("--elf", str(self.elf), "--frames", str(FRAMES), "--scenario",
                str(scenario))

    def why(self):
        code, said, stderr = soak("why", str(self.folder / "out"), "--json")
        self.assertEqual(code, 0, stderr)
        return json.loads(said)

    def test_every_trouble_is_a_failure_with_its_line(self):
        for trouble, (words, function) in TROUBLES.items():
            with self.subTest(trouble=trouble):
                code, summary = self.get_into(trouble)
                self.assertEqual((code, summary["complete"]), (1, True))
                self.assertRegex(summary["why"], words)
                if function:
                    noticed = self.why()["noticed"]
                    self.assertEqual((noticed["place"]["function"],
                                      noticed["frame"]), (function, 130))

    def test_a_fault_of_the_processor_comes_with_what_it_knows(self):
        self.get_into(4)
        cpu = self.why()["cpu"]
        self.assertEqual((cpu["exception"], cpu["BFAR"], cpu["flags"]),
                         ("HardFault", 0x9FFF0000, ["PRECISERR", "BFARVALID"]))
        self.assertEqual((cpu["registers"]["r3"], cpu["interrupts"]),
                         (0x9FFF0000, []))
        _, said, _ = soak("why", str(self.folder / "out"))
        self.assertIn("CFSR 0x00008200, HFSR 0x40000000, BFAR 0x9fff0000", said)
        self.assertRegex(said, r"lr 0x[0-9a-f]{8}, pc 0x[0-9a-f]{8}")
        self.assertRegex(said, r"\nHardFault \(PRECISERR, BFARVALID\) in touch\(\)"
                               fr" at {SOURCE}:\d+, in frame"
                               r" 130:\n  #0  unexpected\(\)")

    def test_a_firmware_that_resets_itself_has_no_profile(self):
        """QEMU ends with code 0 then."""
        code, said, stderr = soak("profile", *self.words_of(RESETS))
        self.assertEqual((2, ""), (code, said))
        self.assertIn("soak: the run ended before its last frame; a run that fails has"
                      " no profile.\n", stderr)

    def test_a_firmware_that_resets_itself_is_called_that_with_who_does(self):
        code, summary = self.get_into(RESETS)
        self.assertEqual(1, code)
        self.assertIn("the firmware reset the processor after frame 120 of 600",
                      summary["why"])
        noticed = self.why()["noticed"]
        self.assertEqual(("reset_the_system", 130), (noticed["place"]["function"],
                                                     noticed["frame"]))

    def test_who_begins_again_is_named_where_it_does(self):
        """With a checkpoint in between, too."""
        for every in ("0", "0.0005"):
            code, summary = self.get_into(AGAIN, "--checkpoint-every", every)
            self.assertEqual((1, "the run finished: the firmware restarted after frame"
                              " 120 of 600"), (code, summary["why"]))
            noticed = self.why()["noticed"]
            self.assertEqual(("get_into", 130), (noticed["place"]["function"],
                                                 noticed["frame"]))
        _, said, _ = soak("why", str(self.folder / "out"))
        self.assertIn("\nthe firmware begins again in get_into()", said)

    def test_a_firmware_gets_no_file_and_no_command_of_the_host(self):
        out = self.folder / "out"
        out.mkdir()
        for trouble, words in ATTACKS.items():
            with self.subTest(words):
                (out / "victim").write_text("here")
                code, summary = self.get_into(trouble)
                self.assertEqual(code, 1)
                self.assertIn(f"it asked this machine {words}, and a firmware gets no"
                              " file and no command of it, after frame", summary["why"])
                self.assertFalse((out / "made").exists())
                self.assertEqual((out / "victim").read_text(), "here")
        self.assertEqual(self.why()["noticed"]["place"]["function"], "name_files")

    def test_a_firmware_that_prints_plays_the_same_with_checkpoints(self):
        said = []
        for every in ("0", "0.0005"):
            code, summary = self.get_into(PRINTS, "--checkpoint-every", every)
            self.assertEqual((code, summary["verdict"]), (0, "pass"))
            said.append((self.folder / "out" / "telemetry.bin").read_bytes())
        self.assertEqual(*said)

    def test_a_frame_above_the_budget_that_the_firmware_states_is_named(self):
        code, summary = self.get_into(ABOVE_BUDGET)
        self.assertEqual(code, 1)
        self.assertRegex(summary["why"], "^frames keep their budget: at most [4-9]. ..."
                         r" instructions, in frame 130, of 20 000; first above it in"
                         " frame 130$")
        self.assertEqual("burn", self.why()["spent"]["place"]["function"])

    def test_a_legal_write_after_a_wrong_free_names_the_free(self):
        for trouble, words in (
                (TAKEN_AWAY, r"slot \d+ was freed by tidy_up\(\) at"
                             r" tests/soak/stuck/tidy.c:10, though who was issued it"
                             r" still wrote to it, in frame 131"),
                (GIVEN_UP, r"0x\w+ at 0x\w+ became 0x\w+ by keep_writing\(\) at"
                           fr" {SOURCE}:\d+, in frame 131")):
            code, _ = self.get_into(trouble)
            self.assertEqual(code, 1)
            _, said, _ = soak("why", str(self.folder / "out"))
            self.assertRegex(said, fr"^[^\n]+\n\n{words}:\n")

    def test_a_folder_that_was_moved_without_its_scenario_is_explained(self):
        self.get_into(6)
        (self.folder / "trouble.toml").unlink()
        (self.folder / "out").rename(self.folder / "moved")
        code, said, _ = soak("why", str(self.folder / "moved"))
        self.assertEqual(code, 0)
        self.assertIn("noticed in play_a_frame() at", said)


class Looks(unittest.TestCase):
    """Of a firmware that has come to no frame more since the first."""

    def verdict(self, *last, count=5):
        return verdict_on([Look(0, 0.0, last[2])] + [Look(*last)] * (count - 1))

    def test_work_without_end_is_a_hang(self):
        self.assertIn("it hangs", self.verdict(BUSY, 60.0, 0, count=2))
        self.assertEqual(self.verdict(BUSY - 1, 60.0, 0, count=2), "")

    def test_an_exception_without_end_is_found_earlier(self):
        self.assertIn("it never leaves SysTick",
                      self.verdict(STORM, 5.0, 15, count=2))
        self.assertEqual(verdict_on([Look(0, 0.0, 15), Look(STORM // 2, 2.0, 0),
                                     Look(STORM, 5.0, 15)]), "")

    def test_waiting_without_end_is_one_too(self):
        self.assertIn("it waits", self.verdict(9, WAITING_SECONDS, 0, count=2))

    def test_a_sleep_in_which_no_time_goes_by_has_no_end(self):
        self.assertIn("it sleeps", self.verdict(9, 9.0, 0, count=ASLEEP_LOOKS + 1))
        self.assertEqual(self.verdict(9, 9.0, 0, count=ASLEEP_LOOKS), "")


class Counters:
    """A monitor that says where a firmware is, and it goes on meanwhile."""

    def __init__(self, *counters):
        self._counters = list(counters)

    def human(self, _command):
        return f"R15={self._counters.pop(0):08x} XPSR=61000000"


class Places(unittest.TestCase):
    def test_who_returns_from_an_interrupt_is_at_no_place_and_asked_again(self):
        self.assertEqual(place(Counters(0xFFFFFFF8, 0xFFFFFFFC, 0x1B0)), 0x1B0)

    def test_who_is_at_no_place_ever_is_asked_no_more(self):
        self.assertEqual(place(Counters(*[0xFFFFFFF8] * PLACE_LOOKS)), 0)
