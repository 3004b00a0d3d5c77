# SPDX-License-Identifier: MIT
"""Rows that say who calls, and who does: what a soak makes of both."""

import re
import tempfile
import unittest

import paper
import trials
from harness.caller_checks import NAMED
from harness.no_line import no_line
from harness.verdict import judge
from support import build, is_full
from test_elf import soak

FRAMES = ("--frames", "240")
# By number of enum mistake in callers/main.c: of what, by whom, what, and what the row
# says of it. It is made in frame 100; that of a priority, from the first on.
MOTOR = "exception 25, an interrupt of priority 0x40,"
RADIO = "exception 24, an interrupt of priority 0x80,"
URGENT = "exception 24, an interrupt of priority 0x20,"
ASKED, GAVE, WAITED = "asked for memory", "gave some back", "waited for a slot"
MISTAKES = {
    1: [("pool packets", MOTOR, ASKED, "allocates", "radio"),
        ("pool packets", MOTOR, GAVE, "frees", "player")],
    2: [("pool packets", RADIO, GAVE, "frees", "player")],
    3: [("pool replies", "task loader", WAITED, "waits", "player")],
    4: [("stack level", MOTOR, GAVE, "frees", "loader")],
    5: [("pool replies", URGENT, GAVE, "frees", "radio, loader"),
        ("pool replies", URGENT, ASKED, "allocates", "player"),
        ("pool packets", URGENT, ASKED, "allocates", "radio")],
    6: [(what, "task player", GAVE, "frees", "loader")
        for what in ("dense notes", "relocating meshes", "blocks texts")],
    7: [("frame draw", "task loader", GAVE, "frees", "player")],
    8: [("pool pulses", "task loader", GAVE, "frees", "player")],
    9: [("pool sparks", "task loader", ASKED, "allocates", "player"),
        ("pool sparks", "task loader", GAVE, "frees", "player")],
    10: [("stack level", MOTOR, ASKED, "allocates", "loader"),
         ("stack level", MOTOR, GAVE, "frees", "loader")],
    11: [(what, "task player", GAVE, "frees", "loader")
         for what in ("stack level", "dense notes")],
    12: [("pool ticks", MOTOR, ASKED, "allocates", "player"),
         ("pool ticks", MOTOR, GAVE, "frees", "player")],
    13: [("pool alarms", "task loader", ASKED, "allocates", "player"),
         ("pool alarms", "task loader", GAVE, "frees", "player")],
    14: [("pool packets", MOTOR, ASKED, "allocates", "radio"),
         ("pool packets", MOTOR, GAVE, "frees", "player")]}
OF_TASKS = (3, 6, 7, 8, 9, 11, 13)  # Of one where another should, not of an interrupt.
SENTENCE = re.compile(
    r"(?:; )?(\w+ \w+): (.*?) (asked for memory|gave some back|waited for a slot) in"
    r" (\w+)\(\) at tests/soak/callers/main\.c:\d+, frame (\d+); its row says (\w+) ="
    r" \[\"(.*?)\"\]")


class Callers(unittest.TestCase):
    maxDiff = None
    level = "fast"

    @classmethod
    def setUpClass(cls):
        cls.elf = build(trials.BOARD, cls.level, "soak_callers") / "soak_callers.elf"

    def play(self, mistake=0, *more, settings=""):
        """(exit code, the check of who calls) of a run with that mistake."""
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(f"scenario = 1\n[settings]\nmistake = {mistake}\n{settings}")
            file.flush()
            code, summary = soak(self.elf, "--checks", self.level, "--scenario",
                                 file.name, *FRAMES, *more)
        check, = [one for one in summary["results"] if one["name"] == NAMED]
        return code, check

    def test_rows_that_are_true_pass_and_what_was_never_seen_of_them_is_said(self):
        for more in ((), ("--fail-nth", "3"), ("--ask",), ("--plant", "double-free")):
            code, check = self.play(0, *more)
            self.assertEqual((code, check["passed"]), ("--plant" in more, True), more)
            self.assertEqual(check["detail"], "27 of 28 that rows say were seen;"
                             " never was: replies, frees loader", more)

    def test_who_waits_is_handed_a_slot_though_each_request_is_refused(self):
        _, summary = soak(self.elf, "--checks", self.level, "--fail-nth", "1", *FRAMES)
        self.assertEqual(summary["frames"], 240)  # None of them waits for ever.
        served, = [one for one in summary["pools"] if one["name"] == "replies"]
        self.assertEqual((served["allocs"], served["refused"]), (240, 0))

    def test_each_call_that_no_row_says_is_named_with_its_caller(self):
        for mistake, expected in MISTAKES.items():
            code, check = self.play(mistake)
            found = [one.groups() for one in SENTENCE.finditer(check["detail"])]
            self.assertEqual((code, check["passed"], check["number"]),
                             (1, False, len(expected)), check["detail"])
            self.assertEqual([(what, who, did, key, names.replace('", "', ", "))
                              for what, who, did, _, _, key, names in found], expected)
            self.assertIn("has its line, which is above", no_line({"results": [check]}))
            self.assertEqual({frame for *_, frame, _, _ in found},
                             {"1" if mistake == 5 else "100"})

    def test_tasks_without_names_are_not_told_from_each_other(self):
        for mistake in MISTAKES if is_full() else (1, 3, 9):
            code, check = self.play(mistake, settings="nameless = 1")
            self.assertEqual(code == 0, mistake in OF_TASKS, check["detail"])

    def test_a_table_that_names_nobody_is_asked_nothing(self):
        elf = build(trials.BOARD, self.level, "soaked") / "soaked.elf"
        _, summary = soak(elf, "--checks", self.level, *FRAMES)
        self.assertIn((NAMED, None), [(one["name"], one["passed"])
                                      for one in summary["results"]])


class OnPaper(unittest.TestCase):
    def check(self, *records):
        run, goodbye = paper.healthy_run(), len(paper.done())
        ledger = paper.ledger_of(run[:-goodbye] + b"".join(records) + run[-goodbye:])
        check, = [one for one in judge(paper.options(), ledger, paper.good_ending())
                  .checks if one.name == NAMED]
        return check[1:]

    def test_whom_rows_name_and_what_was_never_seen_of_them(self):
        self.assertEqual((None, "no row names one, or none could be told from another",
                          0), self.check())
        seen = paper.caller(0, "radio", 3, 3)
        self.assertEqual((True, "2 of 2 that rows say were seen", 0), self.check(seen))
        self.assertEqual(
            (True, "3 of 5 that rows say were seen; never was: sounds, allocates and"
             " waits player", 0), self.check(seen, paper.caller(1, "player", 7, 2)))

    def test_who_is_not_named_is_told_by_what_the_core_says_of_it(self):
        for exception, priority, task, who in (
                (0, 256, "loader", "task loader"), (0, 256, "", "a task"),
                (0, 768, "", "a task of core 1"), (2, 0xFFFF, "", "the NMI"),
                (3, 0xFFFF, "", "the HardFault"),
                (24, 0x40, "", "exception 24, an interrupt of priority 0x40,"),
                (24, 0x280, "",
                 "exception 24 of core 1, an interrupt of priority 0x80,")):
            self.assertEqual(
                (False, f"pool sounds: {who} asked for memory in 0x00001001, frame 9",
                 1), self.check(paper.stranger(9, 1, 1, exception, priority, task)))

    def test_those_are_told_whom_the_row_of_that_allocator_names_for_that_call(self):
        named = [paper.caller(0, "radio", 3, 3), paper.caller(1, "player", 2, 2),
                 paper.caller(1, "loader", 3, 3), paper.caller(1, "motor", 1, 1)]
        self.assertEqual(
            (False, "pool sounds: a task gave some back in 0x00001001, frame 9; its row"
             ' says frees = ["player", "loader"]; pool enemies: a task waited for a'
             " slot in 0x00001001, frame 10", 2),
            self.check(*named, paper.stranger(9, 1, 2), paper.stranger(10, 2, 4)))


if __name__ == "__main__":
    unittest.main()
