# SPDX-License-Identifier: MIT
"""A firmware of two cores that share its pools, soaked on the machine of two."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import command
from trials import LEVELS, ROOT, build
from harness.caller_checks import NAMED
from support import is_full
from test_elf import soak

BOARD = "mps2_an505"
FRAMES = ("--frames", "600")
# Of enum mistake in cores/main.c, what is told of it.
MISTAKES = {
    1: "context fault in pool mine",
    2: "pool packets: task second asked for memory in serve()",
    3: "double-free fault in pool packets",
    4: "pool packets: exception 19 of core 1, an interrupt of priority 0x40, asked for"
       " memory in board_handler()"}


def elf(level):
    return build(BOARD, level, "soak_cores") / "soak_cores.elf"


def play(level, *more, **how):
    return soak(elf(level), "--checks", level, "--board", BOARD, "--cores", "2",
                *FRAMES, *more, **how)


def scenario(mistake):
    file = tempfile.NamedTemporaryFile("w", suffix=".toml")
    file.write(f"scenario = 1\n[settings]\nmistake = {mistake}\n")
    file.flush()
    return file


def told(summary):
    return " ".join(one["detail"] for one in summary["results"]
                    if one["passed"] is False)


class Cores(unittest.TestCase):
    def test_two_cores_that_share_pools_pass(self):
        """At two levels, in the full run at all: what two cores do to each other at
        the others, tests/sweep/cores looks at."""
        for level in LEVELS if is_full() else ("fast", "full"):
            code, summary = play(level)
            self.assertEqual((0, 2), (code, summary["cores"]), summary["why"])
        check, = [one for one in summary["results"] if one["name"] == NAMED]
        self.assertRegex(check["detail"], "^13 of 13 that rows say were seen")

    def test_the_same_run_is_the_same_again(self):
        one, other = (play("fast")[1] for _ in range(2))
        for key in ("state_hash", "pools", "results"):
            self.assertEqual(one[key], other[key])

    def test_what_else_can_be_asked_for_goes_with_two_cores(self):
        for more in (("--ask",), ("--near-wrap",), ("--fail-nth", "3"), ("--share",)):
            code, summary = play("fast", *more)
            self.assertEqual(0, code, (more, summary["why"]))

    def test_what_the_second_core_does_wrong_is_named(self):
        for mistake, expected in MISTAKES.items():
            with scenario(mistake) as file:
                code, summary = play("fast", "--scenario", file.name)
            self.assertEqual(1, code)
            self.assertIn(expected, told(summary))
            self.assertIn("tests/soak/cores/main.c:", told(summary))

    def test_a_store_of_the_second_core_to_address_0_or_to_code_ends_the_run(self):
        for mistake in (5, 6):
            with scenario(mistake) as file:
                code, summary = play("fast", "--scenario", file.name)
            self.assertEqual(1, code, mistake)
            self.assertIn("the run finished",
                          [one["name"] for one in summary["results"]
                           if one["passed"] is False])

    def test_a_mistake_of_each_kind_in_what_they_share_is_found(self):
        """In the full run what flips other words, too."""
        more = ("flip-link", "flip-generation") * is_full()
        for plant in ("double-free", "flip-age", "lost-unlock", *more):
            code, summary = play("full", "--plant", plant)
            self.assertEqual(1, code, (plant, summary["why"]))

    def test_who_did_it_is_not_looked_for_and_that_is_said(self):
        with scenario(3) as file:
            _, summary = play("fast", "--scenario", file.name, why=True)
        self.assertIn("who did it was not looked for: this run is of two cores",
                      " ".join(summary["warnings"]))

    def test_of_two_cores_nobody_is_sent_to_ask_why(self):
        """It would answer that it looks on one core alone."""
        with scenario(3) as file, tempfile.TemporaryDirectory() as out:
            said = command.soak("run", "--elf", elf("fast"), "--board", BOARD,
                                "--cores", "2", *FRAMES, "--scenario", file.name,
                                "--out", out, "--no-why")
            report = (Path(out) / "report.html").read_text()
        self.assertEqual(1, said.code, said.whole)
        self.assertIn("\nagain qemu/soak run", said.out)
        self.assertNotIn("qemu/soak why", said.whole)
        self.assertNotIn("qemu/soak why", report)


class Refused(unittest.TestCase):
    def refused(self, *words):
        said = command.soak("run", *words)
        self.assertEqual(2, said.code, said.whole)
        return said.whole

    def test_what_two_cores_do_not_go_with_is_a_sentence(self):
        own = ("--elf", elf("fast"), "--board", BOARD, "--cores", "2")
        for words, sentence in (
                (("--cores", "2"), "--cores 2 is for a firmware of your own"),
                (("--cores", "2", "--elf", own[1], "--board", "mps2_an385"),
                 f"there is no machine of two that is like mps2_an385; say --board"
                 f" {BOARD}"),
                ((*own, "--checkpoint-every", "1"), "whose turn it is"),
                ((*own, "--host", sys.executable), "--host does not go with --cores 2"),
                (("--cores", "3"), "invalid choice: 3")):
            self.assertIn(sentence, self.refused(*words))

    def test_a_result_of_two_cores_is_not_looked_into(self):
        with tempfile.TemporaryDirectory() as folder, scenario(3) as file:
            out = Path(folder) / "result"
            subprocess.run(
                [sys.executable, ROOT / "qemu" / "soak", "run", "--elf", elf("fast"),
                 "--checks", "fast", "--board", BOARD, "--cores", "2", *FRAMES,
                 "--scenario", file.name, "--out", out, "--no-why"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, check=False)
            for verb in (("why",), ("debug", "--ex", "bt")):
                done = subprocess.run(
                    [sys.executable, ROOT / "qemu" / "soak", verb[0], out, *verb[1:]],
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT, text=True, check=False)
                self.assertEqual(2, done.returncode, done.stdout)
                self.assertIn("this run is of two cores", done.stdout)


if __name__ == "__main__":
    unittest.main()
