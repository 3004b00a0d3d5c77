# SPDX-License-Identifier: MIT
"""What is told of several results, or commits: compare, history, bisect."""

import contextlib
import copy
import errno
import functools
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import paper  # noqa: F401: where the harness is.
from harness import cli
from harness.bisect import Search
from harness.errors import CannotRun
from harness.history import Result, history_page
from harness.measures import findings, measures
from harness.pages import page
from harness.whole_output import whole_folder

SUMMARY = {
    "verdict": "pass", "why": "12 checks passed", "complete": True, "frames": 3600,
    "seed": 1, "board": "mps2_an385", "checks": "poison", "cpu_speedup": 200.0,
    "sim_seconds": 60.0, "wall_seconds": 0.3, "speedup": 200.0, "cause": None,
    "config_hash": "0", "elf_hash": "0", "state_hash": "0", "warnings": [],
    "reproduce": "qemu/soak run --frames 3600", "sanitized": False,
    "interrupts": "scheduled", "qemu": "none",
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


TROUBLE = {"frame": 1, "pool": "sparks", "slot": 2}
POOL = dict(SUMMARY["pools"][0], cuts=[{"capacity": 30}])
# With all that is read again, of one run and of many.
WHOLE = {
    **SUMMARY, "restarted": False, "pools": [POOL], "allocators": [POOL],
    "faults": [{**TROUBLE, "kind": "link", "address": "0x20000000", "offset": 4}],
    "audits": [{**TROUBLE, "text": "odd"}], "warnings": ["short"],
    "expectations": [{"name": "a", "failed": 1, "first": 2}],
    "suspicions": [{**TROUBLE, "what": "a", "address": 3, "than": 4}],
    "cause": {"sentence": "a", "stacks": [{"title": "b", "frames": [
        {"function": "c", "file": "d", "line": 5}]}]}}
OF_MANY = {
    "verdict": "fail", "why": "a", "complete": True, "frames": 60, "speedup": 2.0,
    "missing": [3], "results": [{"name": "a", "passed": True}],
    "runs": [{"seed": 1, "verdict": "pass", "folder": "a"}],
    "pools": [{key: value for key, value in SUMMARY["pools"][0].items()
               if key != "cuts"}]}
MAY_LACK = {
    "origin", "frame_cost", "frame_cost.most", "frame_cost.slowest", "stacks", "memory",
    "costs", "places", "allocators", "cpu_speedup", "restarted", "expectations",
    "suspicions"}
PAGE = {"options": {"board": "host", "seed": 1, "frames": 60}, "arguments": ["a"],
        "elf_sha256": "0", "qemu": "none", "checkpoint_every": 60}
LOOKED_AT_BY_NOBODY = {"stacks.0.size"}


def places_in(tree, path=()):
    """The path of each value in it that has a name."""
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        if isinstance(tree, dict):
            yield (*path, key)
        if isinstance(value, (dict, list)):
            yield from places_in(value, (*path, key))


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


class Pages(Results):
    """The summary of a result, as it is read again."""

    def is_read(self, content, path, change):
        file = self.before / ("run.json" if content is PAGE else "summary.json")
        content = copy.deepcopy(content)
        table = functools.reduce(lambda tree, key: tree[key], path[:-1], content)
        change(table, path[-1])
        file.write_text(json.dumps(content))
        with contextlib.suppress(CannotRun):
            return bool(page(file))
        return False

    def read(self, summary, change):
        """The names of what may be changed so."""
        return {".".join(map(str, path)) for path in places_in(summary)
                if self.is_read(summary, path, change)} - LOOKED_AT_BY_NOBODY

    def test_a_value_that_is_read_again_must_be_there(self):
        self.assertEqual(MAY_LACK, self.read(WHOLE, dict.pop))
        self.assertEqual({"speedup", "missing"}, self.read(OF_MANY, dict.pop))
        self.assertEqual(set(), self.read(PAGE, dict.pop))

    def test_a_value_that_is_read_again_is_of_its_kind(self):
        def other(table, key):
            value = table[key]
            table[key] = 7 if type(value) in (str, bool) else "there"
        for summary in (WHOLE, OF_MANY, PAGE):
            self.assertEqual(set(), self.read(summary, other))
            self.assertTrue(self.is_read(summary, ("",), lambda *_: None))

    def test_a_page_of_a_run_has_no_option_that_there_is_not(self):
        for name, value, is_read in (("seeds", [1], True), ("fail_rate", 1, True),
                                     ("fail_rate", 0.5, True), ("sed", 1, False),
                                     ("near_wrap", 1, False), ("seeds", 1, False)):
            self.assertEqual(is_read, self.is_read(
                PAGE, ("options", name), lambda table, key: table.update({key: value})))

    def test_a_check_may_be_skipped_and_what_made_it_fail_unknown(self):
        for path in (("results", 0, "passed"), ("cause",)):
            self.assertTrue(self.is_read(WHOLE, path,
                                         lambda table, key: table.update({key: None})))


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
        kinds = ("board", "firmware", "checks", "interrupts", "scenario")
        before, after = (self.result(f"run{seed}", lambda one: one.update(
            dict.fromkeys(kinds, f"{seed}"), seed=seed, frames=seed,
            sanitized=seed == 2)) for seed in (1, 2))
        _, said, error = soak("compare", before, after)
        self.assertIn("note  not the same run: sanitized False -> True", said, error)
        for kind in (*kinds, "seed", "frames"):
            self.assertIn(f"note  not the same run: {kind} 1 -> 2", said, error)

    def test_one_more_is_no_trend_and_two_of_none_are_worse(self):
        def stack(size):
            return lambda one: one["stacks"][0].update(deepest=size)
        for before, after, code in ((10, 11, 0), (10, 12, 1), (0, 1, 0), (0, 2, 1)):
            self.before = self.result(f"from{before}to{after}", stack(before))
            there = self.result(f"to{after}from{before}", stack(after))
            self.assertEqual(code, soak("compare", self.before, there)[0],
                             (before, after))

    def test_all_that_is_not_the_same_is_told_and_what_became_worse_first(self):
        def before(one):
            one["results"][0].update(passed=False)
            one.update(verdict="fail", scenario="battle")
            one["pools"][0].update(full_frames=0)
            one["stacks"].append({"name": "b", "deepest": 80})
            one["faults"] = [{"frame": 1, "pool": "", "slot": 0, "kind": "link",
                              "address": "0x20000000", "offset": 4}]

        def after(one):
            before(one)
            one["faults"] = []
            one["pools"][0].update(full_frames=7)
            one["stacks"] = [{"name": "b", "deepest": 90}, {"name": "c", "deepest": 8}]
            one["costs"][0].update(p50=56)
            one["audits"] = [{"frame": 1, "pool": "", "slot": 0, "text": "odd"}]
            del one["scenario"]
            one.update(firmware="new")
        self.before, there = self.result("before them", before), self.result(
            "after them", after)
        code, said, _ = soak("compare", self.before, there)
        self.assertEqual((1, [
            f"{self.before} -> {there}",
            "worse finding: audit of no pool: odd",
            "worse budgets: stack main: 400 -> none bytes",
            "worse budgets: stack b: 80 -> 90 bytes (12.5 % worse)",
            "gone  finding: link fault in no pool",
            "      budgets: stack c: none -> 8 bytes",
            "      costs: spark, p50: 63 -> 56 instructions (11.1 % better)",
            "      coverage: allocators that were full: 0 -> 1"]),
            (code, said.split("\nbounds ")[0].split("\n")))

    def test_unmet_is_what_was_refused_or_stolen_of_what_counts_requests(self):
        def unmet(**pool):
            one = copy.deepcopy(SUMMARY)
            one["pools"][0].update(pool)
            found = measures(one).get(("peaks", "unmet requests of sparks"))
            return found and found.value
        self.assertEqual(25, unmet(allocs=300, steals=0))
        self.assertEqual(12.5, unmet(allocs=1500, steals=100))
        self.assertEqual(12.35, unmet(allocs=8765, refused=1235, steals=0))
        self.assertIsNone(unmet(allocs=0, refused=0))
        self.assertIsNone(unmet(unit="bytes"))

    def test_all_that_is_measured_has_its_name_value_and_unit(self):
        one = dict(SUMMARY, allocators=[dict(
            SUMMARY["pools"][0], name="draw", kind="frame", unit="bytes", peak=0,
            full_frames=0)])
        self.assertEqual([
            ("budgets", "the costliest frame", 100000, "instructions"),
            ("budgets", "a frame in the slowest minute", 30000, "instructions"),
            ("budgets", "stack main", 400, "bytes"),
            ("budgets", "section .bss", 2000, "bytes"),
            ("peaks", "pool sparks", 90, "slots"), ("peaks", "frame draw", 0, "bytes"),
            ("peaks", "unmet requests of sparks", 10.0, "%"),
            ("costs", "spark, p50", 63, "instructions"),
            ("costs", "spark, p99", 127, "instructions"),
            ("speed", "times real time", 200.0, "x"),
            ("coverage", "allocators used", 1, ""),
            ("coverage", "allocators that were full", 1, ""),
            ("coverage", "checks that had something to look at", 2, ""),
            ("coverage", "places that asked", 2, "")],
            [measure[:4] for measure in measures(one).values()])

    def test_a_fault_and_an_audit_are_findings_of_their_pool_or_of_none(self):
        for pool, name in (("sparks", "sparks"), ("", "no pool")):
            self.assertEqual(
                [f"audit of {name}: bad", f"poison fault in {name}"], findings(dict(
                    SUMMARY, faults=[{"kind": "poison", "pool": pool}],
                    audits=[{"text": "bad", "pool": pool}])))

    def test_what_lacks_what_can_be_compared_as_of_a_swarm_is_a_sentence(self):
        (self.root / "swarm").mkdir()
        (self.root / "swarm/summary.json").write_text(json.dumps({
            "verdict": "fail", "why": "", "complete": True, "frames": 9, "swarm": {}}))
        code, _, said = soak("compare", self.before, self.root / "swarm")
        self.assertEqual(2, code)
        self.assertRegex(said, "swarm/summary.json is damaged, .* it lacks what")

    def test_of_many_runs_those_that_failed_are_findings(self):
        runs = [{"seed": 1, "verdict": "pass"}, {"seed": 2, "verdict": "fail"}]
        self.assertEqual(["missing: 2 seeds", "seed 2 failed"], findings(
            dict(SUMMARY, runs=runs, missing=[3, 4])))

    def test_of_a_run_that_failed_for_no_check_why_is_the_finding(self):
        self.assertEqual(["it was stopped"], findings(dict(
            SUMMARY, verdict="fail", why="it was stopped")))
        self.assertEqual(["missing: 1 seed"], findings(dict(
            SUMMARY, verdict="fail", missing=[3])))
        self.assertEqual([], findings(dict(SUMMARY, missing=[])))

    def test_what_nobody_used_is_not_covered(self):
        one = copy.deepcopy(SUMMARY)
        one["allocators"] = [dict(one["pools"][0], name="idle", peak=0, full_frames=0)]
        known = measures(one)
        self.assertEqual((1, 1), (
            known["coverage", "allocators used"].value,
            known["coverage", "allocators that were full"].value))

    def test_what_many_runs_do_not_tell_is_not_measured(self):
        many = {key: SUMMARY[key] for key in ("pools", "results", "speedup")}
        self.assertEqual({"peaks", "speed", "coverage"},
                         {group for group, _ in measures(many)})

    def test_one_run_is_not_compared_with_many(self):
        runs = [{"seed": seed, "verdict": "pass", "folder": f"os/seed-{seed}"}
                for seed in (1, 2)]
        many = self.result("many", lambda one: one.update(runs=runs, missing=[]))
        for pair, which in ((self.before, many), "B"), ((many, self.before), "A"):
            code, said, error = soak("compare", *pair)
            self.assertEqual((2, ""), (code, said))
            self.assertEqual(f"soak: {which} is the result of 2 runs, and the other of "
                             "one: compare one of them, such as os/seed-1\n", error)
        self.assertEqual(0, soak("compare", many, many)[0])
        none = self.result("none", lambda one: one.update(runs=[], missing=[1]))
        self.assertRegex(soak("compare", none, self.before)[2],
                         "^soak: A .* 0 runs, .*: compare one of them\n$")

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

    def test_what_is_no_number_of_a_soak_is_damage_whatever_it_is_of(self):
        fault = {"frame": 9, "pool": "sparks", "slot": 1, "kind": "poison",
                 "offset": 0}
        for at, (change, word) in enumerate((
                (lambda one: one["frame_cost"].update(most="@"), '"a"'),
                (lambda one: one["frame_cost"].update(slowest="@"), "null"),
                (lambda one: one["frame_cost"].update(most="@"), "1e999"),
                (lambda one: one.update(cpu_speedup="@"), "-1e999"),
                (lambda one: one.update(cpu_speedup="@"), "9" * 400),
                (lambda one: one["pools"][0].update(steals="@"), "-" + "9" * 400),
                (lambda one: one.update(faults=[dict(fault, address="@")]), '"there"'),
                (lambda one: one.update(faults=[dict(fault, address="@")]), "16"))):
            bad = self.result(f"bad{at}", change) / "summary.json"
            bad.write_text(bad.read_text().replace('"@"', word))
            for words in (("compare", self.before, bad.parent),
                          ("history", bad.parent, "--out", self.root / "h.html")):
                code, _, error = soak(*words)
                self.assertEqual(2, code)
                self.assertIn(f"{bad} is damaged, or of another version", error)

    def test_numbers_of_64_bits_and_a_run_that_was_not_measured_are_compared(self):
        after = self.result("after", lambda one: one.update(
            seed=2**64 - 1, frame_cost={}, faults=[]))
        self.assertIn(f"not the same run: seed 1 -> {2**64 - 1}",
                      soak("compare", self.before, after)[1])

    def test_a_result_that_may_not_be_read_is_a_sentence_and_not_missing(self):
        (self.root / "a" / "seed-1").mkdir(parents=True)
        refused = PermissionError(errno.EACCES, "Permission denied", "a/summary.json")
        for words in (("compare", self.before, self.before), ("merge", self.before),
                      ("merge", self.root / "a"), ("history", self.before, "--out",
                                                   self.root / "h.html")):
            with mock.patch.object(Path, "read_text", side_effect=refused):
                code, _, error = soak(*words)
            self.assertEqual((2, "soak: a/summary.json: Permission denied; correct that"
                              " or choose another --out.\n"), (code, error), words)


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

    def test_results_are_in_the_order_of_their_dates_and_the_last_is_the_verdict(self):
        self.result("a-newer", lambda one: one.update(
            origin={"date": "2026-02-03 04:05 UTC", "revision": "aaa"}, why="newer"))
        soak("history", self.root, "--out", self.root / "h.html")
        page = (self.root / "h.html").read_text()
        cell = '<td class="text" data-label="Revision">'
        self.assertLess(page.index(f"{cell}abc1234"), page.index(f"{cell}aaa"))
        self.assertIn("<p>the last: newer</p>", page)

    def test_of_a_folder_with_a_result_those_in_it_are_its_own(self):
        (self.before / "seed-1").mkdir()
        (self.before / "seed-1" / "summary.json").write_text(json.dumps(SUMMARY))
        soak("history", self.before, "--out", self.root / "h.html")
        self.assertIn("<dt>Results</dt><dd>1</dd>",
                      (self.root / "h.html").read_text())

    def page_of(self, *deepest):
        """A page of results in which a stack was that deep; None: not told."""
        results = []
        for at, size in enumerate(deepest):
            one = copy.deepcopy(SUMMARY)
            one.update(origin={"date": "", "revision": f"r{at}"})
            one["stacks"] = [] if size is None else [dict(one["stacks"][0],
                                                          deepest=size)]
            results.append(Result(self.root / f"{at}", one))
        return history_page(results, self.root)

    def test_each_cell_of_a_row_stands_below_what_it_is_called(self):
        one = Result(self.root / "a", dict(SUMMARY, faults=WHOLE["faults"]))
        page = history_page([one], self.root)
        cells = re.findall('data-label="([^"]*)">(?:<a [^>]*>)?([^<]*)', page)
        self.assertIn("<h2>Results</h2>\n<table>", page)
        self.assertEqual([
            ("Result", "passed"), ("Date", "2026-01-02 03:04 UTC"),
            ("Revision", "abc1234"), ("Board", "mps2_an385"), ("Seed", "1"),
            ("Frames", "3 600"), ("Speed", "200 x"),
            ("What was found", "link fault in sparks")], cells[:8])

    def test_a_row_says_which_failed_and_how_many_did(self):
        results = [Result(self.root / name, dict(copy.deepcopy(SUMMARY), verdict=name))
                   for name in ("pass", "fail", "pass")]
        page = history_page(results, self.root)
        self.assertEqual(["ok", "bad", "ok"],
                         re.findall('<tr class="(ok|bad)"', page))
        self.assertEqual(["passed", "failed", "passed"],
                         re.findall('<a href="[^"]*">(passed|failed)</a>', page))
        self.assertIn("<dt>Failed</dt><dd>1</dd>", page)

    def test_a_curve_is_in_the_section_of_its_group_alone(self):
        page = self.page_of(100, 300)
        self.assertEqual(1, page.count(">stack main, bytes</td>"))

    def test_a_curve_says_what_it_is_of_to_who_cannot_see_it(self):
        self.assertIn('aria-label="stack main, one after the other"',
                      self.page_of(100, 300))

    def test_a_result_that_says_no_date_is_before_those_that_do(self):
        self.result("a", lambda one: one.pop("origin"))
        soak("history", self.root, "--out", self.root / "h.html")
        self.assertIn("<dt>First</dt><dd>a</dd>", (self.root / "h.html").read_text())

    def test_what_was_measured_once_has_no_curve(self):
        self.assertIn("stack main", self.page_of(100, 300))
        self.assertNotIn("stack main", self.page_of(100, None))

    def test_a_curve_has_its_least_and_its_most_and_rises_with_them(self):
        page = self.page_of(200, 400, 100, None, 300)
        row = page[page.index("stack main"):]
        cells = re.findall("<td[^>]*>([^<]*)</td>", row)[:4]
        self.assertEqual(["200", "100", "400", "300"], cells)
        self.assertIn('<polyline points="6.0,30.0 153.0,6.0 300.0,42.0 594.0,18.0"/>',
                      row)
        self.assertIn("<title>r4: 300 bytes</title>", row)

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

    def test_a_page_may_lie_beside_the_files_of_a_result_and_be_called_as_one(self):
        (self.root / "mine").mkdir()
        for name in ("before/h.html", "mine/report.html"):
            self.assertEqual(0, soak("history", self.root, "--out",
                                     self.root / name)[0])

    def test_where_nothing_can_be_made_is_a_sentence(self):
        for out in map(Path, ("/proc/h.html", "/proc/none/h.html")):
            code, _, error = soak("history", self.before, "--out", out)
            self.assertEqual(2, code)
            self.assertRegex(error, "^soak: /proc/.* cannot be made: No such file or"
                                    " directory; choose another --out.\n$")
            with self.assertRaisesRegex(CannotRun, "^/proc/.* cannot be made"), \
                    whole_folder(out, ["stream"]):
                pass

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

    def test_of_commits_that_could_not_be_tried_only_those_between_are_named(self):
        _, said, _ = self.bisect(
            "n=$(cat file); test $n = 6 && exit 125; test $n -lt 6")
        self.assertEqual(["number 6", "number 7"],
                         re.findall(r"number \d", said))

    def test_a_merge_is_one_commit_of_the_branch_it_came_to(self):
        self.git("checkout", "-qb", "side", "HEAD~1")
        (self.repo / "other").write_text("")
        self.git("add", "other")
        names = "-c", "user.name=a", "-c", "user.email=b"
        self.git(*names, "commit", "-qm", "side")
        self.git("checkout", "-q", "main")
        self.git(*names, "merge", "-q", "--no-ff", "-m", "merged", "side")
        _, said, error = self.bisect("test ! -e other", "HEAD~2")
        self.assertTrue(said.endswith(" merged\n"), error)

    def test_what_a_command_prints_is_not_the_answer(self):
        done = subprocess.run(
            [sys.executable, paper.ROOT / "qemu" / "soak", "bisect", "--repo",
             self.repo, "--good", "HEAD~9", "--bad", "HEAD", "--", "sh", "-c",
             "echo printed; test $(cat file) -lt 7"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual((1, 5), (done.stdout.count("\n"),
                                  done.stderr.count("printed\n")))

    def test_each_commit_is_tried_without_what_the_one_before_made(self):
        (self.repo / ".gitignore").write_text("made\n")
        self.git("add", ".gitignore")
        for name in ("ignores", "good", "bad", "worse"):
            (self.repo / "file").write_text(f"{name}\n")
            self.git("-c", "user.name=a", "-c", "user.email=b", "commit", "-qam", name)
        code, said, _ = self.bisect("test ! -e made || exit 200; touch made;"
                                    " ! grep -q 'bad\\|worse' file", "HEAD~3")
        self.assertEqual((0, True), (code, said.endswith(" bad\n")))

    def test_a_letter_that_git_writes_otherwise_is_no_bug(self):
        self.git("config", "i18n.logOutputEncoding", "ISO-8859-1")
        self.git("-c", "user.name=a", "-c", "user.email=b", "commit", "--allow-empty",
                 "-qm", "caf\u00e9")
        code, said, error = self.bisect("test $(git log --oneline | wc -l) -lt 11",
                                        good="HEAD~1")
        self.assertEqual((0, " caf\ufffd\n"), (code, said[-6:]), error)

    def test_what_git_says_of_another_checkout_is_not_passed_on(self):
        for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
            with mock.patch.dict(os.environ, {name: "/nowhere"}):
                code, said, error = self.bisect(
                    f"test -z \"${name}\" || exit 200; test $(cat file) -lt 7")
            self.assertEqual((0, True), (code, "number 7" in said), error)

    def test_a_stop_is_no_answer_of_the_command(self):
        with mock.patch.object(Search, "_run", return_value=0), \
                self.assertRaisesRegex(CannotRun, "stopped by Ctrl-C"):
            Search(self.repo, ["true"], ["Ctrl-C"])._try("HEAD")

    def refused(self, words, command="false", **revisions):
        code, _, error = self.bisect(command, **revisions)
        last = error.splitlines()[-1]
        self.assertEqual((code, last[:6]), (2, "soak: "), error)
        self.assertIn(words, last)

    def test_revisions_that_make_no_sense_are_refused(self):
        self.refused("--good nowhere: there is no such commit", good="nowhere")
        self.refused("are the same commit", good="HEAD")
        self.refused("does not come before --bad HEAD~3", good="HEAD", bad="HEAD~3")

    def test_a_good_commit_that_came_by_a_merge_is_refused_as_such(self):
        """From its tip the merge was the answer, whoever on main had done it."""
        names = "-c", "user.name=a", "-c", "user.email=b"
        self.git("checkout", "-qb", "side", "HEAD~3")
        for _ in range(2):
            self.git(*names, "commit", "-qm", "side", "--allow-empty")
        self.git("checkout", "-q", "main")
        self.git(*names, "merge", "-q", "--no-ff", "-m", "merged", "side")
        for good in ("side", "side~1"):
            self.refused(f"--good {good} came to --bad HEAD by a merge", good=good)

    def test_a_command_that_contradicts_what_was_said_is_refused(self):
        self.refused("was said to be good and is bad", "false")
        self.refused("was said to be bad and is good", "true")

    def test_of_submodules_it_is_said_that_they_are_not_checked_out(self):
        names = "-c", "user.name=a", "-c", "user.email=b"
        (self.repo / ".gitmodules").write_text("")
        self.git("add", ".gitmodules")
        for _ in range(2):
            self.git(*names, "commit", "-qm", "with one", "--allow-empty")
        self.refused("good and is bad: the command tells them by its exit code."
                     " Submodules are not checked out", "false", good="HEAD~1")
        self.refused("ended with code 200", "exit 200")

    def test_changes_that_are_in_no_commit_are_refused(self):
        (self.repo / "file").write_text("mine\n")
        self.refused("has changes that are in no commit")
        self.assertEqual((self.repo / "file").read_text(), "mine\n")

    def test_a_folder_without_a_repository_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            self.repo = Path(folder)
            self.refused(f"git opens no repository in {folder}, and why is said above;"
                         " correct that, or --repo says where it is")

    def test_why_git_opens_no_repository_is_said_as_git_says_it(self):
        """One of another user, in a container say, is there and not opened."""
        with open(self.repo / ".git" / "config", "a") as config:
            config.write("[core\n")
        self.refused("git opens no repository")
        self.assertIn("bad config", self.bisect("true")[2])


if __name__ == "__main__":
    unittest.main()
