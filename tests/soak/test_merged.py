# SPDX-License-Identifier: MIT
"""What many runs add up to, of summaries by hand; and the words of a seed's end."""

import contextlib
import io
import json
import os
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock
from xml.etree import ElementTree

import paper  # noqa: F401: where the harness is.
from harness import merge, seeds
from harness.errors import CannotRun
from harness.junit import junit_of_many
from harness.merge import Run
from harness.merged_summary import merged_summary
from harness.options import FRAMES_PER_HOUR, Options
from harness.resume import result_in
from harness.verdict_text import say_merged

POOL = {"name": "sparks", "kind": "pool", "unit": "slots", "policy": "drop",
        "capacity": 90, "cuts": [], "peak": 0, "live": 1, "allocs": 2, "frees": 3,
        "refused": 4, "steals": 5, "spills": 6, "full_frames": 7}
LIKE = "seed", "board", "verdict", "frames"


def summary(seed, peak=0, **more):
    return {"seed": seed, "board": "b", "checks": "full", "verdict": "pass",
            "why": f"why {seed}", "complete": True, "frames": 60 * seed,
            "sim_seconds": float(seed), "wall_seconds": 0.5, "speedup": 2.0 * seed,
            "state_hash": f"{seed}", "config_hash": "0", "elf_hash": "0",
            "reproduce": f"line {seed}", "faults": [], "audits": [], "cause": None,
            "sanitized": False, "interrupts": "scheduled", "qemu": "none",
            "warnings": [], "pools": [dict(POOL, peak=peak)],
            "results": [{"name": "ok", "passed": True, "detail": ""}], **more}


def merged(*summaries, missing=(), disagreements=()):
    return merged_summary([Run(Path(f"r{one['seed']}"), one["seed"], one)
                           for one in summaries], list(missing), list(disagreements))


def checks(*passed):
    return {"results": [{"name": f"check {at}", "passed": one, "detail": ""}
                        for at, one in enumerate(passed)]}


class Added(unittest.TestCase):
    def test_frames_and_seconds_are_sums_and_speed_is_of_the_sums(self):
        one = merged(*(summary(seed) for seed in (1, 2, 4)))
        self.assertEqual((420, 7.0, 1.5, 4.7), tuple(one[key] for key in (
            "frames", "sim_seconds", "wall_seconds", "speedup")))
        self.assertEqual(("pass", True, "3 seeds passed over 7 seconds of simulated"
                          " time"), (one["verdict"], one["complete"], one["why"]))
        self.assertEqual(0, merged(summary(1, wall_seconds=0))["speedup"])

    def test_a_run_is_a_line_with_its_folder(self):
        line, = merged(summary(3))["runs"]
        self.assertEqual((3, "b", "pass", 180, "r3"),
                         tuple(line[key] for key in (*LIKE, "folder")))
        self.assertEqual({"checks", "why", "wall_seconds", "speedup", "state_hash",
                          "config_hash", "elf_hash", "reproduce", "faults"},
                         set(line) - {*LIKE, "folder"})

    def test_whose_peaks_they_were_is_told_and_that_in_the_middle(self):
        pool, = merged(*(summary(seed, peak) for seed, peak in (
            (1, 30), (2, 80), (3, 10), (4, 80))))["pools"]
        self.assertEqual((80, 80, 10, 2), tuple(pool[key] for key in (
            "peak", "peak_median", "peak_least", "peak_seed")))
        self.assertEqual([4, 8, 12, 16, 20, 24, 28, 600], [pool[key] for key in (
            "live", "allocs", "frees", "refused", "steals", "spills", "full_frames",
            "frames")])

    def test_advice_is_of_all_runs_together(self):
        """A pool of 90 that is full for seven frames of each run."""
        def advice(*peaks, cuts=((), ()), seed=99):
            runs = [summary(seed, pools=[dict(POOL, peak=peak, cuts=[
                {"capacity": size} for size in cut])])
                for peak, cut in zip(peaks, cuts)]
            return merged(*runs)["pools"][0]["advice"]
        self.assertEqual("fits, but was full at times", advice(20, 90))
        self.assertEqual("fits", advice(20, 89))
        self.assertIn("full 11.7 % of the time", advice(20, 90, seed=1))
        self.assertIn("scenes cut it", advice(20, 90, cuts=((9,), (8,))))

    def test_pools_of_another_shape_are_others(self):
        for key in ("name", "kind", "unit", "policy", "capacity"):
            other = dict(POOL, **{key: 91 if key == "capacity" else "other"})
            pools = merged(summary(1), summary(2, pools=[other]))["pools"]
            self.assertEqual([60, 120], [one["frames"] for one in pools], key)

    def test_a_check_counts_those_that_passed_and_names_those_that_failed(self):
        one = merged(*(summary(seed, **checks(passed, None, True)) for seed, passed in (
            (3, False), (4, None), (1, True), (2, False))))
        self.assertEqual(
            [(False, [2, 3], "1 of 4 runs, 1 skipped; failed: seeds 2-3"),
             (None, [], "0 of 4 runs, 4 skipped"), (True, [], "4 of 4 runs")],
            [(each["passed"], each["failed_seeds"], each["detail"])
             for each in one["results"]])

    def test_of_several_firmwares_on_one_board_it_is_said_whose_seeds_were_which(self):
        one = merged(*(summary(seed, elf_hash=elf, checks=level)
                       for seed, elf, level in ((4, "a", "full"), (1, "a", "full"),
                                                (2, "b", "full"), (3, "c", "fast"))))
        self.assertEqual(["the runs on b at full are of 2 firmwares: seeds 1, 4 of a;"
                          " seed 2 of b"], one["warnings"])
        self.assertEqual("pass", one["verdict"])
        said = io.StringIO()
        say_merged(SimpleNamespace(json=False), one, Path("out"), said)
        self.assertIn(f"\nnote  {one['warnings'][0]}\n", said.getvalue())

    def test_warnings_are_those_of_all(self):
        one = merged(summary(1, warnings=[*"hgfedcba"]),
                     summary(2, warnings=[*"gafbecdx"]))
        self.assertEqual([*"abcdefg"], one["warnings"])

    def test_the_first_that_failed_comes_before_what_is_missing(self):
        one = merged(summary(2, verdict="fail"), summary(5, verdict="fail"), summary(7),
                     missing=[3, 4, 6], disagreements=["they differ"])
        self.assertEqual(("fail", False), (one["verdict"], one["complete"]))
        self.assertEqual("2 seeds of 3 failed, the first is seed 2: why 2; missing:"
                         " seeds 3-4, 6; they differ", one["why"])
        for more, why in (((summary(1), summary(2, verdict="fail")), "1 seed of 2"),
                          ((summary(1),), "they differ")):
            one = merged(*more, disagreements=["they differ"] * (len(more) < 2))
            self.assertEqual(("fail", True, why), (
                one["verdict"], one["complete"], one["why"][:11]))
        one = merged(missing=[0, 1, 2, 3, 8])
        self.assertEqual(("fail", False, "missing: seeds 0-3, 8"), tuple(
            one[key] for key in ("verdict", "complete", "why")))
        self.assertEqual("missing: seed 8", merged(missing=[8])["why"])

    def test_of_one_seed_on_two_boards_the_one_that_failed_is_quoted(self):
        one = merged(summary(1), summary(1, board="c", verdict="fail", why="broken"))
        self.assertEqual("1 seed of 2 failed, the first is seed 1: broken", one["why"])


class Found(unittest.TestCase):
    """In folders."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def runs(self, *summaries):
        for one in summaries:
            (self.root / f"seed-{one['seed']}").mkdir()
            (self.root / f"seed-{one['seed']}" / "summary.json").write_text(
                json.dumps(one))

    def found(self, *asked):
        result, _ = merge.merged([self.root], asked)
        return [run["seed"] for run in result["runs"]], result["missing"]

    def test_of_more_than_was_asked_for_only_that_is_merged(self):
        self.runs(*map(summary, (1, 2, 9, 10)))
        self.assertEqual(([2, 9], [3]), self.found(2, 3, 9))
        self.assertEqual(([1, 2, 9, 10], [*range(3, 9)]), self.found())

    def test_a_run_that_was_stopped_is_missing(self):
        self.runs(summary(1), summary(2, complete=False), summary(3),
                  summary(4, complete=False))
        self.assertEqual(([1, 3], [2, 4]), self.found())

    def test_a_seed_of_which_there_is_no_result_of_one_run_is_missing(self):
        """What is damaged is none, nor is that of many runs or of a swarm."""
        self.runs(summary(0), summary(1), summary(2), summary(3))
        many, _ = merge.merged([self.root], ())
        swarm = {key: many[key] for key in ("verdict", "why", "complete", "frames")}
        for seed, text in ((1, "{"), (2, json.dumps(many)),
                           (3, json.dumps(dict(swarm, swarm={})))):
            (self.root / f"seed-{seed}" / "summary.json").write_text(text)
        self.assertEqual(([0], [1, 2, 3]), self.found())

    def test_a_run_is_found_by_its_own_folder_of_any_name(self):
        self.runs(summary(5))
        os.rename(self.root / "seed-5", self.root / "mine")
        result, _ = merge.merged([self.root / "mine"], ())
        self.assertEqual(([5], []), ([run["seed"] for run in result["runs"]],
                                     result["missing"]))

    def test_a_folder_that_is_named_like_no_seed_is_none(self):
        self.runs(summary(1))
        for name in ("seed-new", "seed-\u00b2", "seed-"):
            (self.root / name).mkdir()
        self.assertEqual(([1], []), self.found())

    def test_seeds_too_far_apart_to_miss_all_between_are_a_sentence(self):
        self.runs(summary(5), summary(4 + merge.SEEDS_MAX))
        self.assertEqual(merge.SEEDS_MAX - 2, len(self.found()[1]))
        self.runs(summary(5 + merge.SEEDS_MAX))
        with self.assertRaises(CannotRun) as refused:
            self.found()
        self.assertEqual("the seeds that were found, 5 to 100005, are further apart"
                         " than 100000: say by --seeds A-B which there should be.",
                         str(refused.exception))
        self.assertEqual(([5], []), self.found(5))

    def test_two_results_of_one_run_are_one_and_must_agree(self):
        for name, state in (("a", "1"), ("b", "1"), ("c", "2")):
            (self.root / name / "seed-1").mkdir(parents=True)
            (self.root / name / "seed-1" / "summary.json").write_text(
                json.dumps(summary(1, state_hash=state)))
        self.assertEqual(([], 1), self.twins("a", "b"))
        self.assertEqual(([f"seed 1: state 1 in {self.root}/a/seed-1, 2 in"
                           f" {self.root}/c/seed-1"], 1), self.twins("a", "c"))

    def test_two_results_of_one_run_must_have_one_verdict(self):
        for name, verdict in ("a", "pass"), ("b", "fail"):
            (self.root / name / "seed-1").mkdir(parents=True)
            (self.root / name / "seed-1" / "summary.json").write_text(
                json.dumps(summary(1, verdict=verdict)))
        for names, told in ((("a", "b"), ("pass", "fail")),
                            (("b", "a"), ("fail", "pass"))):
            one, other = (f"{verdict} in {self.root}/{name}/seed-1"
                          for name, verdict in zip(names, told))
            self.assertEqual(([f"seed 1: {one}, {other}"], 1), self.twins(*names))

    def twins(self, *names):
        result, _ = merge.merged([self.root / name for name in names], ())
        return result["disagreements"], len(result["runs"])

    def test_a_run_that_lacks_what_is_told_of_each_is_missing(self):
        self.runs(summary(1))
        for seed, key in enumerate(("sanitized", "interrupts", "qemu"), 2):
            bad = summary(seed)
            del bad[key]
            self.runs(bad)
            result, _ = merge.merged([self.root], (1, seed))
            self.assertEqual([seed], result["missing"])

    def test_a_folder_without_a_result_is_named(self):
        self.runs(summary(1))
        empty = self.root / "empty"
        empty.mkdir()
        with self.assertRaisesRegex(CannotRun, f"^there is no result in {empty}.$"):
            merge.merged([self.root, empty], ())
        self.assertEqual([2], merge.merged([self.root, empty], (1, 2))[0]["missing"])
        (empty / "summary.json").write_text("{")
        with self.assertRaisesRegex(CannotRun, f"{empty}/summary.json is damaged"):
            merge.merged([self.root, empty], ())

    def test_a_result_of_many_has_its_files_and_says_the_verdict(self):
        self.runs(summary(1), summary(3, verdict="fail", sanitized=False,
                                      interrupts="scheduled", qemu="none"))
        page = self.root / "seed-1" / "summary.json"
        page.write_text(json.dumps(summary(1, sanitized=False, interrupts="scheduled",
                                           qemu="none")))
        out, said = self.root / "all", io.StringIO()
        with contextlib.redirect_stdout(said):
            code = merge.merge(SimpleNamespace(folders=[self.root], seeds=(),
                                               out=str(out), json=False))
        self.assertEqual(1, code)
        self.assertEqual(["FAIL  1 seed of 2 failed, the first is seed 3: why 3;"
                          " missing: seed 2", "seed  3: why 3", "again line 3",
                          "ran   2 runs, 240 frames"], said.getvalue().splitlines()[:4])
        self.assertEqual({"summary.json", "junit.xml", "report.html"},
                         {one.name for one in out.iterdir()})
        suites = ElementTree.parse(out / "junit.xml").getroot()
        cases = {one.get("name"): one.find("failure") is None
                 for one in suites[0].iter("testcase")}
        self.assertEqual({"seed 2 has a result": False, "seed 1 has a result": True,
                          "seed 3 has a result": True}, cases)
        self.assertEqual(3, len(suites))

    def test_results_that_disagree_are_a_case_that_failed(self):
        text = junit_of_many({"missing": [], "disagreements": ["they differ"],
                              "runs": []}, [])
        case, = ElementTree.fromstring(text.partition("\n")[2]).iter("testcase")
        self.assertEqual(("results of one run agree", "they differ"), (
            case.get("name"), case.find("failure").get("message")))

    def test_a_failure_outweighs_what_is_missing(self):
        good, bad = {"verdict": "pass"}, {"verdict": "fail"}
        for runs, missing, disagreements, code in (
                ([good], [], [], 0), ([good], [2], [], 2), ([good, bad], [2], [], 1),
                ([good], [2], ["x"], 1)):
            self.assertEqual(code, merge.exit_code({
                "runs": runs, "missing": missing, "disagreements": disagreements}))

    def test_of_many_runs_that_passed_why_says_where_each_is(self):
        page = dict(merged(summary(1)), verdict="fail")
        (self.root / "summary.json").write_text(json.dumps(page))
        with self.assertRaisesRegex(CannotRun, "none failed of those that ended; each"
                                               f" is in {self.root}/seed-N"):
            result_in(self.root)


class Started(unittest.TestCase):
    """A process a seed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)

    def words(self, **more):
        """What the process of seed 7 is told."""
        options = Options(seeds=(6, 7), frames=60, out=str(self.out), **more)
        with mock.patch.object(seeds.subprocess, "Popen") as process:
            seeds._start(options, 7)
        return process.call_args[0][0][2:]

    def test_a_seed_is_one_run_that_goes_on_where_it_was_cut_short(self):
        words = self.words(checkpoint_every=FRAMES_PER_HOUR // 2)
        for option, value in (("--seed", "7"), ("--frames", "60"),
                              ("--checkpoint-every", "0.5"),
                              ("--out", str(self.out / "seed-7"))):
            self.assertEqual(value, words[words.index(option) + 1])
        self.assertLess({"--once", "--no-install"}, set(words))
        self.assertFalse({"--seeds", "--no-why"} & set(words))
        self.assertIn("--no-why", self.words(why=False))

    def test_no_seed_is_played_where_another_result_would_be_replaced(self):
        (self.out / "summary.json").write_text(json.dumps(summary(1)))
        with mock.patch.object(seeds, "_build_once") as build, \
                mock.patch.object(seeds.install, "ensure"), \
                self.assertRaisesRegex(CannotRun, "holds another result"):
            seeds.run_seeds(Options(seeds=(6, 7), frames=60, out=str(self.out)))
        build.assert_not_called()

    def test_a_seed_whose_folder_cannot_be_made_is_a_sentence(self):
        self.out = Path("/proc/none")
        with self.assertRaisesRegex(CannotRun, "^/proc/none/seed-7 cannot be made"):
            self.words()

    def test_its_last_words_are_its_verdict_or_what_it_said_last(self):
        for log, said in (("", "it said nothing"), ("building\nsoak: no", "soak: no"),
                          ("PASS  all\nsee   report", "PASS  all"),
                          ("FAIL  one\nagain line\n", "FAIL  one"),
                          ("PASSED\nno", "no")):
            self.assertEqual(said, seeds._last_words(log))

    def test_how_far_a_seed_is_is_what_it_said_last(self):
        options = Options(out=str(self.out))
        (self.out / "seed-7").mkdir()
        log = self.out / "seed-7" / seeds.LOG
        for said, share in (("building\n", "0 %"),
                            ("a  5 %  b\nc  16.7 %  d\n", "16.7 %")):
            log.write_text(said)
            self.assertEqual(share, seeds._share(options, 7))

    def reaped(self, jobs, cores, count=4):
        """(most at once, what was said) of processes that end one after the other."""
        options = Options(seeds=tuple(range(1, count + 1)), jobs=jobs,
                          out=str(self.out))
        running, most, said = [], [], io.StringIO()

        def start(_, seed):
            folder = self.out / f"seed-{seed}"
            folder.mkdir(exist_ok=True)
            (folder / seeds.LOG).write_text(f"PASS  {seed} passed\n")
            running.append(seed)
            most.append(len(running))
            return SimpleNamespace(terminate=None, poll=lambda: ended(seed))

        def ended(seed):
            if running[0] != seed:
                return None
            running.remove(seed)
            return 0
        with mock.patch.object(seeds, "_start", start), \
                mock.patch.object(seeds, "POLL_SECONDS", 0), \
                mock.patch.object(seeds.os, "cpu_count", lambda: cores):
            seeds._run_all(options, said, [])
        return max(most), said.getvalue()

    def test_as_many_run_at_a_time_as_was_said_or_as_there_are_processors(self):
        for jobs, cores, most in ((2, 3, 2), (0, 3, 3), (9, 1, 4)):
            at_once, said = self.reaped(jobs, cores)
            self.assertEqual(most, at_once)
            self.assertEqual({f"seed {seed}: PASS  {seed} passed"
                              for seed in range(1, 5)}, set(said.splitlines()))


if __name__ == "__main__":
    unittest.main()
