# SPDX-License-Identifier: MIT
"""What is told of several results, or commits: compare, history, bisect."""

import contextlib
import copy
import io
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import paper  # noqa: F401: where the harness is.
from harness import cli

SUMMARY = {
    "verdict": "pass", "why": "12 checks passed", "complete": True, "frames": 3600,
    "seed": 1, "board": "mps2_an385", "checks": "poison", "cpu_speedup": 200.0,
    "sim_seconds": 60.0, "wall_seconds": 0.3, "speedup": 200.0, "cause": None,
    "config_hash": "0", "elf_hash": "0", "state_hash": "0", "warnings": [],
    "reproduce": "qemu/soak run --frames 3600",
    "origin": {"date": "2026-01-02 03:04 UTC", "revision": "abc1234"},
    "frame_cost": {"most": 100000, "slowest": 30000},
    "stacks": [{"name": "main", "size": 4096, "deepest": 400}],
    "memory": [{"section": ".bss", "bytes": 2000}],
    "costs": [{"name": "spark", "p50": 63, "p99": 127}],
    "places": [{}, {}],
    "pools": [{"name": "sparks", "kind": "pool", "unit": "slots", "policy": "drop",
               "capacity": 90, "cuts": [], "live": 0, "peak": 90, "allocs": 900,
               "frees": 900, "refused": 100, "steals": 0, "spills": 0,
               "full_frames": 7}],
    "allocators": [], "faults": [], "audits": [],
    "results": [{"name": "the run finished", "passed": True, "detail": ""},
                {"name": "stacks hold", "passed": True, "detail": ""}]}


def soak(*words):
    """(exit code, what was printed, what was said of errors)"""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        code = cli.main([str(word) for word in words])
    return code, out.getvalue(), error.getvalue()


class Results(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.before = self.result("before")

    def result(self, name, change=lambda summary: None):
        summary = copy.deepcopy(SUMMARY)
        change(summary)
        (self.root / name).mkdir()
        (self.root / name / "summary.json").write_text(json.dumps(summary))
        return self.root / name

    def compare(self, change, *bounds):
        after = self.result("after", change)
        return soak("compare", self.before, after, *bounds)


class Compare(Results):
    def assert_worse(self, change, words, *bounds):
        code, said, _ = self.compare(change, *bounds)
        self.assertEqual(code, 1, said)
        self.assertIn(f"worse {words}", said)
        self.assertIn("FAIL  1 regression", said)

    def test_two_results_that_are_alike_pass_and_the_bounds_are_told(self):
        code, said, _ = self.compare(lambda summary: None)
        self.assertEqual(code, 0)
        self.assertIn("bounds budgets 5 %, peaks 5 %, costs 5 %, speed told only,"
                      " coverage 0 %, findings none\n"
                      "PASS  nothing became worse beyond the bounds", said)

    def test_a_frame_that_takes_more_than_its_bound_is_worse(self):
        self.assert_worse(lambda one: one["frame_cost"].update(most=110000),
                          "budgets: the costliest frame: 100 000 -> 110 000"
                          " instructions (10 % worse)")

    def test_a_peak_a_cost_or_a_place_less_is_worse(self):
        for at, (change, words) in enumerate((
                (lambda one: one["pools"][0].update(peak=99), "peaks: pool sparks:"),
                (lambda one: one["pools"][0].update(refused=300),
                 "peaks: unmet requests of sparks: 10 -> 25 %"),
                (lambda one: one["costs"][0].update(p99=159), "costs: spark, p99:"),
                (lambda one: one["places"].pop(),
                 "coverage: places that asked: 2 -> 1"),
                (lambda one: one["results"][1].update(passed=None),
                 "coverage: checks that had something to look at: 2 -> 1"))):
            with self.subTest(words):
                self.before = self.result(f"before{at}")
                after = self.result(f"after{at}", change)
                code, said, _ = soak("compare", self.before, after)
                self.assertEqual(code, 1)
                self.assertIn(f"worse {words}", said)

    def test_what_is_measured_no_more_is_worse(self):
        self.assert_worse(lambda one: one["stacks"].clear(),
                          "budgets: stack main: 400 -> none bytes")

    def test_a_new_finding_is_worse_and_an_old_one_that_is_gone_is_told(self):
        def fail(one):
            one["results"][0].update(passed=False)
            one.update(verdict="fail")
        self.assert_worse(fail, "finding: check failed: the run finished")
        code, said, _ = soak("compare", self.root / "after", self.before)
        self.assertEqual(code, 0)
        self.assertIn("gone  finding: check failed: the run finished", said)

    def test_bounds_are_options_and_speed_counts_only_if_it_has_one(self):
        def change(one):
            one["frame_cost"].update(most=110000)
            one.update(cpu_speedup=100.0)
        code, said, _ = self.compare(change, "--budgets", "10")
        self.assertEqual(code, 0)
        self.assertIn("speed: times real time: 200 -> 100 x (50 % worse)", said)
        code, said, _ = soak("compare", self.before, self.root / "after",
                             "--budgets", "10", "--speed", "20")
        self.assertEqual(code, 1)
        self.assertIn("worse speed:", said)

    def test_results_of_unlike_runs_are_called_so(self):
        _, said, _ = self.compare(lambda one: one.update(seed=2))
        self.assertIn("note  not the same run: seed 1 -> 2", said)

    def test_json_is_one_line_with_what_became_worse(self):
        _, said, _ = self.compare(lambda one: one["pools"][0].update(peak=99), "--json")
        worse, = json.loads(said)["regressions"]
        self.assertEqual((worse["name"], worse["percent"]), ("pool sparks", 10.0))

    def test_what_is_no_result_is_a_sentence(self):
        code, _, error = soak("compare", self.before, self.root)
        self.assertEqual(code, 2)
        self.assertRegex(error, "^soak: B: there is no result in '.*'; .*--help.*\n$")
        bad = self.result("bad", lambda one: one["pools"][0].pop("peak"))
        code, _, error = soak("compare", self.before, bad)
        self.assertEqual((code, error.count("\n")), (2, 1))
        self.assertIn("is damaged, or of another version", error)


class History(Results):
    def test_the_page_has_a_row_a_result_and_a_curve_a_number(self):
        self.result("later", lambda one: one.update(
            origin={"date": "2026-02-03 04:05 UTC", "revision": "def5678"},
            verdict="fail", why="the pool <broke>"))
        code, said, _ = soak("history", self.root, "--out", self.root / "h.html")
        self.assertEqual((code, said), (0, f"see   {self.root / 'h.html'}\n"))
        page = (self.root / "h.html").read_text()
        for words in ("2 results", "2026-01-02 03:04 UTC", "def5678",
                      'href="later/report.html"', "the costliest frame",
                      "pool sparks", "spark, p99", "the pool &lt;broke&gt;",
                      "<title>2026-02-03 04:05 UTC def5678: 90 slots</title>"):
            self.assertIn(words, page)
        self.assertLess(page.index("abc1234"), page.index("def5678"))

    def test_a_page_that_finds_no_room_leaves_the_one_that_was_there(self):
        page = self.root / "h.html"
        page.write_text("old")
        done = subprocess.run(
            ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", sys.executable,
             paper.ROOT / "qemu" / "soak", "history", self.root, "--out", page],
            stderr=subprocess.PIPE, text=True)
        self.assertEqual((2, f"soak: {page}: File too large; correct that or choose"
                             " another --out.\n"), (done.returncode, done.stderr))
        self.assertEqual("old", page.read_text())
        self.assertEqual(["before", "h.html"],
                         sorted(one.name for one in self.root.iterdir()))

    def test_a_page_takes_the_place_of_no_file_of_a_result(self):
        (self.root / "link").symlink_to(self.before)
        for name in ("before/summary.json", "before/report.html", "link/run.json"):
            code, _, error = soak("history", self.root, "--out", self.root / name)
            self.assertEqual((2, f"soak: {self.root / name} is of the result in"
                                 f" {self.before} and would be replaced; choose another"
                                 " --out.\n"), (code, error))
        self.assertEqual(["summary.json"], [one.name for one in self.before.iterdir()])
        self.assertEqual(SUMMARY,
                         json.loads((self.before / "summary.json").read_text()))

    def test_a_link_in_a_circle_is_a_sentence_and_stays(self):
        loop = self.root / "loop"
        loop.symlink_to(loop)
        code, _, error = soak("history", self.before, "--out", loop)
        self.assertEqual((2, f"soak: {loop}: Too many levels of symbolic links; correct"
                             " that or choose another --out.\n"), (code, error))
        self.assertTrue(loop.is_symlink())

    def test_a_folder_without_a_result_is_a_sentence(self):
        (self.root / "empty").mkdir()
        code, _, error = soak("history", self.root / "empty")
        self.assertEqual((code, error), (2, f"soak: there is no result in {self.root}"
                                            "/empty, nor in a folder of it.\n"))


class Bisect(unittest.TestCase):
    """A repository of ten commits, whose number is what is in `file`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.repo = Path(folder.name)
        self.git("init", "-q", "-b", "main")
        for number in range(10):
            (self.repo / "file").write_text(f"{number}\n")
            self.git("add", "file")
            self.git("-c", "user.name=a", "-c", "user.email=b", "commit", "-qm",
                     f"number {number}")

    def git(self, *words):
        return subprocess.run(["git", "-C", self.repo, *words], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def bisect(self, command, good="HEAD~9", bad="HEAD"):
        return soak("bisect", "--repo", self.repo, "--good", good, "--bad", bad, "--",
                    "sh", "-c", command)

    def test_the_first_commit_at_which_the_command_fails_is_named(self):
        code, said, error = self.bisect("test $(cat file) -lt 7")
        self.assertEqual(code, 0, error)
        self.assertRegex(said, r"^[0-9a-f]+ \d{4}-\d\d-\d\d number 7\n$")
        self.assertEqual(error.count("bisect: "), 5)
        self.assertEqual(self.bisect("test $(cat file) -lt 7")[1:], (said, error))

    def test_the_checkout_it_is_from_stays_as_it_is(self):
        (self.repo / "mine").write_text("untracked")
        code, said, _ = self.bisect("n=$(cat file); echo x > file; touch made;"
                                    " test $n -lt 3")
        self.assertEqual((code, "number 3" in said), (0, True))
        self.assertEqual((self.repo / "file").read_text(), "9\n")
        self.assertEqual(self.git("status", "--porcelain"), "?? mine\n")
        self.assertEqual(self.git("worktree", "list").count("\n"), 1)
        self.assertEqual(self.git("branch", "--show-current"), "main\n")

    def test_commits_that_cannot_be_tried_are_left_out(self):
        code, said, _ = self.bisect(
            "n=$(cat file); test $n = 4 && exit 125; test $n -lt 7")
        self.assertEqual((code, "number 7" in said), (0, True))
        code, said, _ = self.bisect(
            "n=$(cat file); test $n = 6 && exit 125; test $n -lt 6")
        self.assertEqual(code, 2)
        self.assertRegex(said, "(?s)one of these.*number 6\n.*number 7\n$")

    def refused(self, words, command="false", **revisions):
        code, _, error = self.bisect(command, **revisions)
        last = error.splitlines()[-1]
        self.assertEqual((code, last[:6]), (2, "soak: "), error)
        self.assertIn(words, last)

    def test_revisions_that_make_no_sense_are_refused(self):
        self.refused("--good nowhere: there is no such commit", good="nowhere")
        self.refused("are the same commit", good="HEAD")
        self.refused("does not come before --bad HEAD~3", good="HEAD", bad="HEAD~3")

    def test_a_command_that_contradicts_what_was_said_is_refused(self):
        self.refused("was said to be good and is bad", "false")
        self.refused("was said to be bad and is good", "true")
        self.refused("ended with code 200", "exit 200")

    def test_changes_that_are_in_no_commit_are_refused(self):
        (self.repo / "file").write_text("mine\n")
        self.refused("has changes that are in no commit")
        self.assertEqual((self.repo / "file").read_text(), "mine\n")

    def test_a_folder_without_a_repository_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            self.repo = Path(folder)
            self.refused("is not in a git repository; --repo says where it is")


if __name__ == "__main__":
    unittest.main()
