# SPDX-License-Identifier: MIT
"""Many seeds and the one result of them, with tools made of paper."""

import io
import json
import shutil
import signal
import unittest
import xml.etree.ElementTree as ET

from checkout import Checkout
from harness import seeds
from harness.merged_report import merged_report
from harness.options import Options
from paper import HANG_SECONDS, wait_until


class Many(unittest.TestCase):
    def setUp(self):
        self.checkout = Checkout(self)
        self.out = self.checkout.out

    def seeds(self, seeds, *arguments, **how):
        return self.checkout.run("--seeds", seeds, *arguments, **how)

    def merge(self, *arguments):
        return self.verb("merge", *arguments)

    def verb(self, *arguments):
        process = self.checkout.start(*map(str, arguments))
        stdout, stderr = process.communicate(timeout=HANG_SECONDS)
        return process.returncode, stdout, stderr

    def summary(self, *folder):
        path = self.out.joinpath(*folder, "summary.json")
        return json.loads(path.read_text())


class Seeds(Many):
    def test_every_seed_has_a_folder_and_all_have_one_result(self):
        code, stdout, _ = self.seeds("1-4", "--jobs", "2")
        self.assertEqual(code, 0)
        self.assertIn("PASS  4 seeds passed over 4 minutes", stdout)
        self.assertEqual([run["seed"] for run in self.summary()["runs"]],
                         [1, 2, 3, 4])
        for seed in range(1, 5):
            self.assertEqual(self.summary(f"seed-{seed}")["seed"], seed)

    def test_a_failed_seed_is_named_with_the_line_that_repeats_it(self):
        self.seeds("1-2")
        code, stdout, _ = self.seeds("1-3", play="badly")
        self.assertEqual(code, 1)
        self.assertIn("1 seed of 3 failed, the first is seed 3: poison fault",
                      stdout)
        self.assertIn("again qemu/soak run --frames 3600 --seed 3", stdout)
        page = (self.out / "report.html").read_text()
        for words in ("Seed 3 failed", "--frames 3600 --seed 3"):
            self.assertIn(words, page)
        self.assertEqual(
            self.verb("why", self.out)[::2],
            (2, f"soak: {self.out} holds the runs of many seeds; seed 3 is the first"
                f" that failed: its run is in {self.out}/seed-3.\n"))
        self.assertIn("they go on when they are begun again by the same line",
                      self.verb("run", "--resume", self.out)[2])

    def test_a_finished_seed_is_not_run_again(self):
        self.seeds("5")
        before = (self.out / "seed-5/summary.json").stat().st_mtime_ns
        code, _, _ = self.seeds("5", play="badly")
        self.assertEqual(code, 0)
        self.assertEqual((self.out / "seed-5/summary.json").stat().st_mtime_ns,
                         before)

    def test_another_length_or_firmware_is_run_again(self):
        self.seeds("5")
        self.assertEqual(self.seeds("5", "--checks", "full", play="badly")[0],
                         1)
        self.seeds("6")
        self.assertEqual(self.seeds("6", play="badly", ELF_SAYS="other")[0], 1)

    def test_a_firmware_that_would_be_told_otherwise_is_run_again(self):
        page = self.out / "seed-5" / "run.json"
        self.seeds("5")
        self.assertIn("frames=3600", json.loads(page.read_text())["arguments"])
        page.write_text(page.read_text().replace("frames=3600", "frames=7"))
        self.assertEqual(self.seeds("5", play="badly")[0], 1)

    def test_a_seed_that_was_killed_goes_on(self):
        process = self.checkout.start("--frames", "3600", "--seeds", "1-1",
                                      "--out", str(self.out), play="on")
        running = self.out / "seed-1" / ".running" / "run.json"
        wait_until(running.exists, process)
        process.kill()
        process.communicate(timeout=HANG_SECONDS)
        wait_until(lambda: self.merge("--seeds", "1", self.out)[0] == 2)
        code, _, _ = self.seeds("1")
        self.assertEqual(code, 0)

    def test_ctrl_c_ends_all_and_names_the_seeds_that_are_missing(self):
        process = self.checkout.start("--hours", "1", "--seeds", "1-3",
                                      "--jobs", "2", "--out", str(self.out),
                                      play="on")
        wait_until(lambda: len(list(self.out.glob("seed-*/.running/run.json"))) == 2,
                   process)
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual(process.returncode, 2)
        self.assertIn("FAIL  missing: seeds 1-3", stdout)
        self.assertIn("go on qemu/soak run --hours 1 --seeds 1-3 --board mps2_an385"
                      " --checks poison --interrupts scheduled --jobs 2 --out"
                      f" {self.out}\n", stdout)

    def test_a_terminal_shows_how_far_the_seeds_are(self):
        terminal = io.StringIO()
        terminal.isatty = lambda: True
        folder = self.out / "seed-7"
        folder.mkdir(parents=True)
        (folder / "progress.log").write_text(
            "00:10:00 of 1 hour  16.7 %  100 x real time, 5 s left\n")
        options = Options(seeds=(5, 6, 7, 8), out=str(self.out))
        seeds._show(options, 1, {7: None}, terminal)
        seeds._say(terminal, "seed 7: PASS")
        self.assertEqual(terminal.getvalue(),
                         "\r2 of 4 done; seed 7 16.7 %\x1b[K"
                         "\r\x1b[Kseed 7: PASS\n")

    def test_a_broken_build_is_said_once(self):
        code, _, stderr = self.seeds("1-4", CMAKE_SAYS="console.c:1:1: error")
        self.assertEqual(code, 2)
        self.assertEqual(stderr.count("console.c:1:1: error"), 1)


class Merge(Many):
    def test_results_of_several_machines_become_one(self):
        self.seeds("1-2")
        there = self.checkout.root / "there"
        self.checkout.run("--seeds", "3-4", out=there)
        code, stdout, _ = self.merge(self.out, there, "--out",
                                     self.checkout.root / "all")
        self.assertEqual(code, 0)
        self.assertIn("PASS  4 seeds passed", stdout)

    def test_seeds_without_a_result_are_missing(self):
        self.seeds("1-4")
        shutil.rmtree(self.out / "seed-2")
        (self.out / "seed-4" / "summary.json").unlink()
        code, stdout, _ = self.merge(self.out)
        self.assertEqual((code, self.summary()["missing"]), (2, [2, 4]))
        self.assertIn("FAIL  missing: seeds 2, 4", stdout)
        code, stdout, _ = self.merge(self.out, "--seeds", "1-7")
        self.assertIn("FAIL  missing: seeds 2, 4-7", stdout)
        self.assertIn("seed 7 has no complete result",
                      (self.out / "report.html").read_text())

    def test_a_run_that_hung_is_one_that_failed_with_its_line(self):
        self.seeds("1-2")
        page = self.out / "seed-2" / "summary.json"
        hung = "the run finished: the firmware was stopped: it hangs, in spin() at x:7"
        page.write_text(json.dumps(dict(self.summary("seed-2"), verdict="fail",
                                        why=hung)))
        code, stdout, _ = self.merge(self.out)
        self.assertEqual((code, self.summary()["missing"]), (1, []))
        self.assertIn(f"1 seed of 2 failed, the first is seed 2: {hung}",
                      " ".join(stdout.split()))
        self.assertIn(hung, (self.out / "report.html").read_text())

    def test_seeds_that_failed_alike_are_one_section_with_a_link_to_each(self):
        failed = {"verdict": "fail", "reproduce": "qemu/soak run", "board": "b",
                  "checks": "full", "frames": 60, "speedup": 9.0, "state_hash": "0"}
        runs = [dict(failed, seed=seed, why=why, folder=str(self.out / f"seed-{seed}"))
                for seed, why in ((3, "poison fault in slot 7, frame 60"),
                                  (5, "poison fault in slot 12, frame 71"),
                                  (8, "it hangs"))]
        page = merged_report({
            "runs": runs, "verdict": "fail", "why": "3 seeds of 3 failed", "pools": [],
            "missing": [], "disagreements": [], "sim_seconds": 3.0, "warnings": [],
            "wall_seconds": 1.0, "speedup": 9.0, "results": []}, self.out)
        rare, _, alike = page.partition("2 seeds failed alike")
        self.assertIn("Seed 8 failed", rare)
        self.assertIn('<a href="seed-3/report.html">3</a>,'
                      ' <a href="seed-5/report.html">5</a>', alike)

    def test_two_results_of_one_run_must_agree(self):
        self.seeds("1")
        there = self.checkout.root / "there"
        shutil.copytree(self.out / "seed-1", there / "seed-1")
        code, _, _ = self.merge(self.out, there)
        self.assertEqual((code, len(self.summary()["runs"])), (0, 1))
        page = there / "seed-1" / "summary.json"
        page.write_text(page.read_text().replace("1122334455667788", "0" * 16))
        code, stdout, _ = self.merge(self.out, there)
        self.assertEqual(code, 1)
        self.assertRegex(stdout, "FAIL  seed 1: state 1122334455667788 in .*,"
                                 " 0000000000000000 in ")

    def test_the_pools_of_all_runs_are_one_table(self):
        self.seeds("1-3")
        pool = self.summary()["pools"][0]
        one = self.summary("seed-1")["pools"][0]
        self.assertEqual((pool["name"], pool["peak"], pool["peak_seed"]),
                         ("particles", 100, 1))
        self.assertEqual(pool["allocs"], 3 * one["allocs"])
        self.assertEqual(pool["allocs"],
                         pool["frees"] + pool["steals"] + pool["live"])
        self.assertEqual(pool["advice"], one["advice"])

    def test_junit_has_a_suite_a_run_and_one_of_all(self):
        self.seeds("1-2")
        self.merge(self.out, "--seeds", "1-3")
        suites = ET.parse(self.out / "junit.xml").getroot()
        self.assertEqual([suite.get("name") for suite in suites],
                         ["soak seeds", "soak mps2_an385 poison seed 1",
                          "soak mps2_an385 poison seed 2"])
        self.assertEqual([case.get("name") for case in suites[0]
                          if case.find("failure") is not None],
                         ["seed 3 has a result"])

    def test_json_is_the_merged_summary(self):
        self.seeds("1")
        _, stdout, _ = self.merge(self.out, "--json")
        self.assertEqual(json.loads(stdout), self.summary())

    def test_folders_without_a_result_are_a_sentence(self):
        code, _, stderr = self.merge(self.checkout.root)
        self.assertEqual(code, 2)
        self.assertRegex(stderr, "^soak: there is no result in .*\n$")

    def test_a_folder_that_is_named_and_has_no_whole_result_is_not_passed_by(self):
        """A run of one machine that was cut off on its way here is not a pass."""
        self.checkout.run()
        there = self.checkout.root / "there"
        self.checkout.run("--seed", "2", out=there)
        page = there / "summary.json"
        words = self.out, there, "--out", self.checkout.root / "all"
        self.assertEqual(0, self.merge(*words)[0])
        page.write_text(page.read_text()[:100])
        code, _, stderr = self.merge(*words)
        self.assertEqual((code, stderr.partition(" is damaged")[0]),
                         (2, f"soak: {page}"))
        page.unlink()
        code, _, stderr = self.merge(*words)
        self.assertEqual((code, stderr),
                         (2, f"soak: there is no result in {there}.\n"))

    def test_one_result_is_not_replaced_by_a_merged_one(self):
        self.seeds("1")
        code, _, stderr = self.merge(self.out / "seed-1")
        self.assertEqual(code, 2)
        self.assertIn("choose another --out", stderr)
