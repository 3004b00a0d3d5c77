# SPDX-License-Identifier: MIT
"""What may be said on the command line, at its limits."""

import argparse
import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import paper  # noqa: F401: where the harness is.
from harness import usage
from harness.errors import CannotRun
from harness.options import FRAMES_MAX

DAY = 24 * 3600 * 60


class Numbers(unittest.TestCase):
    def assert_read(self, parse, good, bad, said):
        for text, value in good.items():
            found = parse(text)
            self.assertEqual((value, type(value)), (found, type(found)), text)
        for text in bad:
            with self.assertRaises(argparse.ArgumentTypeError) as refused:
                parse(text)
            self.assertEqual(f"{text!r} {said}", str(refused.exception))

    def test_seeds_are_one_or_from_one_to_another(self):
        most = 2**64 - 1
        self.assert_read(
            usage._seeds, {"7": (7,), "3-5": (3, 4, 5), "5-5": (5,),
                           f"{most}": (most,)},
            ("5-4", "1-100001"), "is not a range of 1 to 100000 seeds, such as 1-64")
        self.assertEqual(100000, len(usage._seeds("1-100000")))
        for text in ("1-", "-1", "1-2-3", "1-x"):
            with self.assertRaisesRegex(argparse.ArgumentTypeError, "a whole number"):
                usage._seeds(text)

    def test_a_seed_is_64_bits(self):
        self.assert_read(usage._seed, {"0": 0, str(2**64 - 1): 2**64 - 1},
                         (str(2**64), "-1", "\u00b2", "\u0663", "", "1.0"),
                         "is not a whole number from 0 to 2^64 - 1")

    def test_other_counts_have_a_least_and_a_most(self):
        for parse, least, most, said in (
                (usage._jobs, 1, 4096, "from 1 to 4096"),
                (usage._rounds, 1, 100000, "from 1 to 100000"),
                (usage._count, 0, 1000, "from 0 to 1000"),
                (usage._nth, 1, 2**32 - 1, "from 1 to 2^32 - 1")):
            self.assert_read(parse, {str(least): least, str(most): most},
                             (str(least - 1), str(most + 1), "x", "\u0663", ""),
                             f"is not a number {said}")

    def test_a_length_is_a_frame_or_more(self):
        said = "is not a number from 1 frame to 828 days"
        self.assertEqual(828, FRAMES_MAX // DAY)
        self.assert_read(usage._frames(1), {"1": 1, str(FRAMES_MAX): FRAMES_MAX},
                         ("0", "0.4", str(FRAMES_MAX + 1), "nan", "inf", "x"), said)
        self.assert_read(usage._frames(DAY), {"0.5": DAY // 2, "1e-7": 1},
                         ("1e-8", "-1", "829"), said)

    def test_checkpoints_come_every_so_many_hours_or_never(self):
        self.assert_read(usage._checkpoint_every,
                         {"0": 0, "0.0": 0, "0.5": 108000, "1": 216000},
                         ("-1", "nan", "x"), "is not a number from 1 frame to 828 days")

    def test_a_probability_is_one_in_a_million_or_more(self):
        self.assert_read(usage._rate, {"0.000001": 1e-6, "1": 1.0, "0.5": 0.5},
                         ("0", "9e-7", "1.01", "nan", "x"),
                         "is not a probability from 0.000001 to 1")


class Words(unittest.TestCase):
    def test_a_verb_that_is_left_out_is_run(self):
        for words in ([], ["run"], ["--frames", "60"]):
            self.assertEqual("run", usage.words_of(words)["verb"])
        said = io.StringIO()
        with contextlib.redirect_stdout(said), self.assertRaises(SystemExit):
            usage.words_of(["--help"])
        self.assertIn("one report from many", said.getvalue())

    def test_what_is_not_said_is_no_word(self):
        self.assertEqual({"verb": "run"}, usage.words_of([]))
        self.assertEqual({"verb": "profile"}, usage.words_of(["profile"]))
        self.assertEqual({"verb": "play"}, usage.words_of(["play"]))
        self.assertEqual(
            {"verb": "merge", "folders": ["/"], "seeds": (), "out": "", "json": False},
            usage.words_of(["merge", "/"]))

    def test_each_switch_says_what_it_is_named_for(self):
        for word, name, value in (
                ("--no-host", "with_host", False), ("--no-sanitize", "sanitize", False),
                ("--sanitize", "pool_sanitizer", True),
                ("--near-wrap", "near_wrap", True),
                ("--ask", "ask", True), ("--share", "with_share", True),
                ("--no-share", "with_share", False), ("--json", "json", True),
                ("--no-why", "why", False), ("--no-install", "install", False),
                ("--once", "once", True), ("--swarm", "swarm", True)):
            self.assertEqual({"verb": "run", name: value}, usage.words_of([word]))

    def test_each_word_with_a_number_has_it(self):
        for word, name, value in (
                ("--hours", "frames", 2 * DAY // 24), ("--days", "frames", 2 * DAY),
                ("--frames", "frames", 2), ("--seed", "seed", 2),
                ("--cores", "cores", 2),
                ("--fail-nth", "fail_nth", 2), ("--jobs", "jobs", 2),
                ("--max-findings", "max_findings", 2), ("--rounds", "rounds", 2),
                ("--seeds", "seeds", (2,)), ("--resume", "resume", "2"),
                ("--checkpoint-every", "checkpoint_every", 2 * DAY // 24),
                ("--out", "out", "2"), ("--fail-site", "fail_site", "2")):
            self.assertEqual({"verb": "run", name: value}, usage.words_of([word, "2"]))

    def refused(self, *words):
        with self.assertRaises(CannotRun) as refused:
            usage.words_of(list(words))
        return str(refused.exception)

    def test_a_word_is_neither_cut_short_nor_said_twice_over(self):
        end = "; `qemu/soak run --help` lists what there is."
        self.assertEqual("unrecognized arguments: --frame 7" + end,
                         self.refused("--frame", "7"))
        self.assertEqual("--jobs: 'x' is not a number from 1 to 4096" + end,
                         self.refused("--jobs", "x"))
        self.assertEqual("--fail-nth: '4294967296' is not a number from 1 to 2^32 - 1"
                         + end, self.refused("--fail-nth", "4294967296"))
        self.assertIn("not allowed with", self.refused("--sanitize", "--no-sanitize"))
        self.assertIn("invalid choice: 'host'", self.refused("play", "--board", "host"))
        self.assertIn("invalid choice: 3", self.refused("--cores", "3"))

    def test_an_empty_word_is_refused_where_it_would_mean_another_run(self):
        """As a variable of a script is that nobody set."""
        for word in ("--out", "--resume", "--fail-site"):
            self.assertEqual(f"{word}: it is empty; `qemu/soak run --help` lists what"
                             " there is.", self.refused("run", word, ""))
        for verb in ("why", "merge", "history"):
            self.assertEqual(f"DIR: there is no folder ''; `qemu/soak {verb} --help`"
                             " lists what there is.", self.refused(verb, ""))

    def test_the_help_that_is_named_is_that_of_the_verb(self):
        for words, verb in ((["why"], "why"), (["play", "--board", "host"], "play"),
                            (["run", "--hours", "x"], "run"), (["walk"], "run"),
                            (["why", ".", "--typo"], "why"), (["--typo"], "run"),
                            (["play", "more"], "play")):
            self.assertIn(f"; `qemu/soak {verb} --help` lists", self.refused(*words))

    def test_files_are_there_and_what_they_are_said_to_be(self):
        with tempfile.TemporaryDirectory() as name:
            file = Path(name) / "file"
            for data, is_elf in ((b"\x7fELF", True), (b"\x7fEL", False), (b"", False)):
                file.write_bytes(data)
                if is_elf:
                    self.assertEqual(str(file), usage.words_of(["--elf", str(file)])[
                        "elf"])
                else:
                    self.assertIn("is not an ELF file",
                                  self.refused("--elf", str(file)))
            self.assertEqual(str(file), usage.words_of(["--pools", str(file)])["pools"])
            self.assertIn(f"there is no file '{name}'", self.refused("--pools", name))
            for word in ("calm", str(file)):
                self.assertEqual(word, usage.words_of(["--scenario", word])["scenario"])
            self.assertIn(f"there is no scenario '{name}'",
                          self.refused("--scenario", name))


if __name__ == "__main__":
    unittest.main()
