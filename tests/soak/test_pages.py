# SPDX-License-Identifier: MIT
"""The words, marks and shapes of a report, on numbers made up for them."""

import io
import json
import re
import shlex
import tempfile
import unittest
from contextlib import redirect_stdout
from types import SimpleNamespace
from unittest import mock
from xml.etree import ElementTree

import paper  # noqa: F401: where the harness is.
from harness import plot, report, swarm_report, verdict_text
from harness.curve import SOME, Column, Curve, joined, share_of
from harness.histogram import BUCKETS, Histogram, histogram
from harness.html_parts import check_table, item_list
from harness.junit import junit_of_swarm
from harness.number_text import percent, plain, span
from harness.options import Options
from harness.ram_html import ram_bars
from harness.verdict import FINISHED

FAULT = {"kind": "poison", "pool": "sparks", "slot": 3, "address": "0x20000100",
         "owner": "", "frame": 60, "offset": 4, "expected": 7, "found": 9, "access": "",
         "caller": "0x1001", "caller_line": ""}


def cells_of(html):
    """The cells of each row of its tables."""
    return [re.findall("<td[^>]*>([^<]*)</td>", row)
            for row in re.findall("<tr class=.*", html)]


def curve_of(values):
    one = Curve()
    for value in values:
        one.add(value, value, value, value)
    return one


def series_of(values):
    return plot.Series("load", curve_of(values))


def path_of(name, picture):
    return re.search(f'class="{name}" d="([^"]*)"', picture)[1]


class Tables(unittest.TestCase):
    def row(self, **more):
        row, = cells_of(report._faults({"faults": [dict(FAULT, **more)]}))
        return row

    def test_a_fault_has_its_owner_its_damage_and_its_line(self):
        self.assertEqual(["poison", "sparks", "3", "0x20000100", "60", "4", "7", "9",
                          "0x1001"], self.row())
        self.assertEqual(["0x20000100, of sounds", "-", "-", "-", "explode()"], [
            self.row(owner="of sounds", found=7, caller_line="explode()")[at]
            for at in (3, 5, 6, 7, 8)])
        self.assertEqual(["4", "-", "write of 2 bytes"],
                         self.row(access="write of 2 bytes")[5:8])

    def test_what_the_library_answered_wrong_is_not_so(self):
        html = report._questions({"questions": [
            {"name": name, "asked": asked, "wrong": wrong}
            for name, asked, wrong in (("a", 9, 1), ("b", 9, 0), ("c", 0, 0))]})
        self.assertEqual(["no", "yes", "-"], [row[0] for row in cells_of(html)])
        self.assertEqual(["bad", "ok", "ok"], re.findall('<tr class="(.*?)"', html))

        self.assertIn("<h2>What the library was asked</h2>", html)

    def test_a_figure_has_its_name_its_unit_and_its_ends(self):
        html = report._figures({"figures": [
            {"name": "hole", "unit": "bytes", "low": 1, "high": None, "last": 3000}]},
            SimpleNamespace(figures={}))
        self.assertEqual([["hole", "bytes", "1", "-", "3 000"]], cells_of(html))

    def test_each_line_of_a_plot_is_in_its_legend(self):
        pool = SimpleNamespace(curve=curve_of([1, 2]))
        html = report._legend(SimpleNamespace(allocators=[pool], scenes=[]))
        self.assertEqual([
            ("always", "in use throughout"), ("swing", "lowest to highest"),
            ("floor", "floor"), ("high", "highest use so far"),
            ("capacity", "capacity")], re.findall('<i class="(.*?)"></i>(.*?)<', html))

    def test_the_facts_of_a_run_are_told_whole(self):
        html = report._facts({
            "sim_seconds": 60, "frames": 3600, "frames_asked": 7200, "speedup": 240.0,
            "wall_seconds": 0.25, "irqs": 1234, "interrupts": "timer", "plant": "",
            "checks": "full", "sanitized": True, "firmware": "a.elf", "scenario": "b",
            "state_hash": "12", "config_hash": "34", "elf_hash": "56",
            "qemu": "QEMU emulator version 7.2.22 (Debian 1)", "origin": {
                "date": "today", "revision": "", "machine": "one"}})
        self.assertEqual([
            ("Simulated", "1 minute"), ("Frames", "3 600 of 7 200"),
            ("Real time", "0.2 s, 240 x faster"), ("Interrupts", "1 234"),
            ("Interrupt mode", "timer"), ("Checks", "full, sanitized"),
            ("Firmware", "a.elf, b"), ("Planted fault", "none"), ("State hash", "12"),
            ("Configuration", "34"), ("ELF (SHA-256)", "56"),
            ("Emulator", "QEMU 7.2.22"), ("Date", "today"), ("Revision", "unknown"),
            ("Machine", "one")], re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", html))

    def test_what_was_not_looked_for_has_no_mark(self):
        html = report._claims({"checks": "fast", "sanitized": False, "claims": [
            {"looked_for": is_so, "bug": "b", "level": "fast"}
            for is_so in (True, False)]})
        self.assertEqual(["ok", ""], re.findall('<tr class="(.*?)"', html))

    def test_spills_have_a_column_if_any_allocator_spilled(self):
        pool = {"name": "a", "kind": "pool", "unit": "slots", "policy": "spill",
                "capacity": 8, "peak": 8, "full_frames": 0, "allocs": 9, "refused": 0,
                "steals": 0, "advice": "fits"}
        for spills in ((3, 0), (0, 0)):
            html = report._pools({"frames": 60, "allocators": [], "pools": [
                dict(pool, spills=count) for count in spills]})
            self.assertEqual(any(spills), ">Spills</th>" in html)

    def test_what_a_place_holds_is_what_lives_now(self):
        html = report._places({"places": [{
            "allocator": "a", "line": "b", "requests": 4, "refused": 3,
            "refused_on_purpose": 2, "held": 1}]})
        self.assertEqual([["a", "b", "4", "3", "2", "1"]], cells_of(html))
        self.assertIn(">Live now</th>", html)

    def test_an_event_has_its_time_and_its_frame(self):
        with mock.patch.object(report, "events", return_value=[(3600, "x", True)]):
            self.assertEqual([["00:01:00", "3 600", "x"]],
                             cells_of(report._events(None)))

    def test_lines_that_are_not_shown_are_counted(self):
        said = report._printed({"printed": {"lines": 5, "first": [
            {"frame": 1, "text": "a"}, {"frame": 2, "text": "b"}]}})
        self.assertIn("<p>3 more lines in console.log.</p>", said)

    def test_frames_are_told_of_those_asked_unless_all_were_played(self):
        self.assertEqual("60", report._share(60, 60))
        self.assertEqual("60 of 3 600", report._share(60, 3600))

    def test_there_is_a_way_back_to_what_can_be_explained_on_one_core(self):
        for faults, cores, there in (([1], 1, True), ([1], 2, False), ([], 1, False)):
            html = report._reproduce({
                "reproduce": "qemu/soak run", "origin": {"command": "qemu"},
                "faults": faults, "audits": [], "results": [], "complete": True,
                "cores": cores})
            self.assertEqual(there, "\nqemu/soak why DIR  #" in html)

    def test_a_cost_of_one_minute_is_no_curve(self):
        cost = {"name": "a", "calls": 9, "p50": 1, "p90": 2, "p99": None, "max": 4,
                "step": 8}
        for samples in (1, 2):
            ledger = SimpleNamespace(costs={"a": SimpleNamespace(
                curve=curve_of([4] * samples))})
            html = report._costs({"costs": [cost]}, ledger)
            self.assertEqual(samples > 1, "<svg" in html)
            self.assertEqual([["a", "9", "1", "2", "-", "4"]], cells_of(html))
        self.assertIn('data-seconds="120"', html)

    def test_a_scene_lasts_until_the_next_begins_and_the_last_to_the_end(self):
        scenes = [SimpleNamespace(name=name, frame=frame) for name, frame in (
            ("a", 0), ("b", 60), ("c", 90))]
        self.assertEqual([("a", 0, 1), ("b", 1, 1.5), ("c", 1.5, 4.0)], report._scenes(
            SimpleNamespace(scenes=scenes, sim_seconds=4.0)))
        self.assertEqual((60, 0), tuple(len(report._scenes(SimpleNamespace(
            scenes=scenes[:1] * count, sim_seconds=4.0))) for count in (60, 61)))

    def test_of_what_there_is_nothing_there_is_no_section(self):
        nothing = dict.fromkeys((
            "faults", "audits", "costs", "figures", "places", "memory", "questions",
            "warnings", "cause"), ())
        nothing["printed"] = {"lines": 0, "first": []}
        self.assertEqual("", "".join(
            section(nothing) for section in (
                report._faults, report._audits, report._places, report._memory,
                report._questions, report._warnings, report._cause, report._printed))
            + report._costs(nothing, None) + report._figures(nothing, None)
            + report._events(paper.Ledger()) + report._moves(paper.Ledger())
            + report._frames(paper.Ledger()))

    def test_who_did_it_has_each_call_on_a_line(self):
        html = report._cause({"cause": {"sentence": "a & b", "stacks": [
            {"title": "freed <by>", "frames": [
                {"function": name, "file": f"{name}.c", "line": line}
                for name, line in (("f", 1), ("g", 23))]}]}})
        self.assertIn("<h2>Who did it</h2>\n<p>a &amp; b</p>\n<h3>freed &lt;by&gt;</h3>"
                      "\n<pre>f()  f.c:1\ng()  g.c:23</pre>\n", html)

    def test_a_sentence_that_is_the_title_of_a_stack_is_not_said_twice(self):
        html = report._cause({"cause": {"sentence": "issued by f()", "stacks": [
            {"title": "issued by f()", "frames": []}]}})
        self.assertEqual(1, html.count("issued by f()"))

    def test_what_is_worth_knowing_is_listed(self):
        html = report._warnings({"warnings": ["a & b"]})
        self.assertIn('<h2>Worth knowing</h2>\n<ul class="warnings"><li>a &amp; b</li>',
                      html)

    def test_what_is_skipped_is_dim_and_what_is_listed_is_text(self):
        check = {"name": "a", "passed": None, "detail": ""}
        self.assertIn('<tr class="dim">', check_table([check]))
        self.assertEqual('<ul class="x"><li>&lt;b&gt;</li></ul>',
                         item_list("x", ["<b>"]))


class Shapes(unittest.TestCase):
    def test_the_capacity_is_a_little_below_the_top(self):
        pool = SimpleNamespace(capacity=100, peak=10)
        self.assertEqual(["200", "14.8"], [plot._y(pool, value) for value in (0, 100)])

    def test_where_most_samples_lie_is_of_four_in_five_and_of_half(self):
        """Of a band: there along its higher edge, back along its lower."""
        picture = plot.series_plot(series_of([
            1 + 37 * at % 101 for at in range(10000)]), 10000)
        for name, shares in (("most", (0.9, 0.1)), ("half", (0.75, 0.25)),
                             ("median", (0.5,))):
            for share, edge in zip(shares, path_of(name, picture).split("L")):
                heights = [float(y) for y in re.findall(r"[,V]([\d.]+)", edge)]
                self.assertAlmostEqual(200 * (1 - share / plot.HEADROOM),
                                       sum(heights) / len(heights), delta=4)

    def test_a_line_goes_down_too_and_not_where_it_stays(self):
        pool = SimpleNamespace(capacity=100, peak=100)
        self.assertEqual("0,107.4H250H500V200H1000", plot._steps(
            pool, [(0, 0.25, 50), (0.25, 0.5, 50), (0.5, 1, 0)]))

    def test_a_curve_is_dense_from_eight_samples_a_column_on(self):
        for samples, dense in ((4 * 720, False), (4 * 720 + 1, True)):
            self.assertEqual(dense, plot.is_dense(curve_of([1] * samples)))

    def test_points_are_lowest_median_and_highest(self):
        column = Column(1, 9, 9, 12, 3, [1, 2, 9])
        self.assertEqual(' data-seconds="60" data-points="1,2,9"',
                         plot._points([(0, 1, column)], 60.0))

    def test_the_highest_use_so_far_stays_where_it_was(self):
        one = Curve()
        for live, peak in ((5, 5), (1, 5)):
            one.add(live, live, peak, live)
        pool = SimpleNamespace(curve=one, capacity=10, peak=5)
        self.assertEqual("M0,107.4H500H1000",
                         path_of("high", plot._shapes(pool, one.columns())))

    def test_scenes_have_names_where_there_is_room_and_shades_by_name(self):
        scenes = [("b", 0, 12), ("a", 12, 23), ("b", 23, 100)]
        self.assertEqual(["b", "", "b"], re.findall(
            ">([^<]*)</span>", plot._scene_labels(scenes, 100)))
        self.assertEqual(["1", "0", "1"], re.findall(
            'class="band(.)"', plot._bands(scenes, 100)))

    def test_what_is_no_whole_number_of_a_unit_is_told_in_minutes(self):
        with mock.patch.object(plot, "SECONDS", (5400,)):
            self.assertEqual((5400, "90 min"), plot._time_ticks(5400)[1])


class Memory(unittest.TestCase):
    def test_a_section_is_a_bar_whose_pieces_are_its_objects(self):
        bank = dict(bank="psram", section=".tp_arena_psram", address=0x21020000,
                    bytes=2000, parts=[dict(name="a<b", bytes=1500)] + [
                        dict(name=f"part {at}", bytes=100) for at in range(5)])
        rest = dict(bank="", section=".bss", address=0x40, bytes=1,
                    parts=[dict(name="the rest", bytes=1)])
        first, second = ram_bars([bank, rest]).splitlines()
        self.assertIn("<h3>bank psram<small>2 000 bytes from 0x21020000<", first)
        self.assertIn("<h3>.bss<small>1 byte from 0x00000040<", second)
        pieces = re.findall(r'<i class="shade(\d)" style="flex:(\d+)"></i>', first)
        self.assertEqual([(str(at), str(part["bytes"])) for at, part
                          in enumerate(bank["parts"])], pieces)
        words = re.findall(r'<li><i class="shade(\d)"></i>(.*?)</li>', first)
        self.assertEqual([("0", "a&lt;b <b>1 500</b> (75.0 %)"),
                          ("1", "part 0 <b>100</b> (5.0 %)")], words[:2])
        self.assertEqual(len(pieces), len(words))
        self.assertIn("the rest <b>1</b> (100 %)", second)


class Numbers(unittest.TestCase):
    def test_a_column_keeps_the_highest_use_of_both_and_samples_of_all_its_time(self):
        one, other = (curve_of([value]).columns()[0][2]._replace(
            some=list(range(begin, begin + SOME)))
            for value, begin in ((1, 0), (9, 100)))
        both = joined(one, other)
        self.assertEqual((1, 9, 9), both[:3])
        self.assertEqual([0, 2, 130], [both.some[at] for at in (0, 1, -1)])

    def test_the_median_of_some_is_the_one_in_their_middle(self):
        self.assertEqual([1, 2, 3], [share_of([1, 2, 3], share)
                                     for share in (0, 0.5, 1)])

    def test_a_bucket_is_a_twentieth_of_the_capacity(self):
        one = Histogram(100)
        for live in (4, 5, 24, 99, 100):
            one.add(live, 1, 0)
        self.assertEqual([(0, 1), (1, 1), (4, 1), (BUCKETS - 1, 2)], [
            (at, count) for at, count in enumerate(one.counts) if count])

    def test_half_of_the_slots_are_ten_buckets_and_every_bar_is_seen(self):
        counts = [0] * 21
        counts[9], counts[10], counts[20] = 1, 1, 998
        picture = histogram(counts)
        self.assertIn("at most half of the slots in 0.1 % of", picture)
        self.assertEqual(["1.0", "1.0", "100.0"],
                         re.findall(r'<rect[^>]* height="([\d.]+)"', picture))

    def test_a_share_is_never_said_to_be_none_or_all_if_it_is_not(self):
        self.assertEqual(["0 %", "< 0.1 %", "0.1 %", "99.9 %", "> 99.9 %", "100 %"], [
            percent(part, 10000) for part in (0, 9, 10, 9990, 9991, 10000)])

    def test_a_number_has_no_more_digits_than_it_needs(self):
        self.assertEqual(["14.3", "0.12", "1 234"], list(map(plain, (
            14.3, 0.125, 1234.0))))
        self.assertEqual("1 day 1 hour", span(86400 + 3600 + 60))


def result(**more):
    return {**{"verdict": "fail", "why": "b: 2 wrong", "cause": None, "warnings": [],
               "frames": 60, "wall_seconds": 1.0, "speedup": 1.0, "cpu_speedup": 2.0,
               "state_hash": "0", "reproduce": "qemu/soak run", "cores": 1,
               "complete": True, "config_hash": "1", "faults": [1], "audits": [],
               "results": []}, **more}


class Printed(unittest.TestCase):
    def labels(self, **more):
        return [label for label, *_ in verdict_text._lines(Options(), result(**more))]

    def test_what_failed_beside_is_told_unless_it_is_told_already(self):
        for name, detail, told in (("a", "3 wrong", True), ("b", "2 wrong", False),
                                   (FINISHED, "3 wrong", False)):
            self.assertEqual(told, "also" in self.labels(results=[
                {"name": name, "passed": False, "detail": detail}]))

    def test_of_two_that_failed_alike_both_are_told(self):
        """As two expectations of one place do, and one in frame 7, one in 70."""
        for details in (("first in frame 7",) * 2,
                        ("first in frame 70", "first in frame 7")):
            results = [{"name": name, "passed": False, "detail": detail}
                       for name, detail in zip("ab", details)]
            told = [text for label, text, _ in verdict_text._lines(Options(), result(
                why=f"a: {details[0]}", results=results)) if label == "also"]
            self.assertEqual([f"b: {details[1]}"], told)

    def test_what_is_told_in_a_sentence_of_its_own_is_not_told_twice(self):
        fault = "tag fault in pool sparks"
        for detail, told in ((fault, []), (f"{fault}; {fault}", ["also"])):
            labels = self.labels(why=fault, results=[
                {"name": "no fault", "passed": False, "detail": detail}])
            self.assertEqual(told, [one for one in labels if one == "also"])

    def test_the_way_back_is_told_of_what_failed_on_one_core(self):
        for cores, verdict, told in ((1, "fail", True), (2, "fail", False),
                                     (1, "pass", False)):
            self.assertEqual(told, "why" in self.labels(cores=cores, verdict=verdict))

    def test_the_way_back_may_be_copied_whatever_letters_the_folder_has(self):
        told = {label: text for label, text, _ in verdict_text._lines(
            Options(out="a run's"), result())}
        self.assertEqual(["qemu/soak", "why", "a run's"], shlex.split(told["why"]))

    def test_a_run_can_go_on_if_it_had_begun_and_did_not_end(self):
        for complete, begun, told in ((False, "1", True), (True, "1", False),
                                      (False, "", False)):
            self.assertEqual(told, "go on" in self.labels(complete=complete,
                                                          config_hash=begun))

    def test_prose_keeps_within_the_width_with_its_label(self):
        words = " ".join(map(str, range(1000, 1030)))
        rows = ["".join(text for text, _ in row) for row in verdict_text._wrapped(
            "note", words, "warn", 40)]
        self.assertLessEqual(max(map(len, rows)), 40)
        self.assertEqual(f"note {words}", " ".join(" ".join(rows).split()))
        self.assertEqual({"      "}, {row[:6] for row in rows[1:]})
        self.assertEqual(1, len(verdict_text._wrapped("ran", words, "", 40)))

    def test_a_path_is_told_the_shorter_way(self):
        self.assertEqual("a/b", verdict_text.short(paper.Path("a/b").absolute()))
        self.assertEqual("/b", verdict_text.short(paper.Path("/b")))

    def test_all_that_is_told_is_in_order_and_each_has_its_style(self):
        cause = {"sentence": "f() did it"}
        failed = result(cause=cause, warnings=["short"], results=[
            {"name": name, "passed": passed, "detail": "x"} for name, passed in (
                ("a", False), ("c", True), ("d", None))])
        passed = result(verdict="pass", faults=[], why="all held")
        ran = "60 frames in 1.0 s, 1 x real time (2 x by processor time), state 0"
        for one, told in (
                (failed, [("FAIL", "b: 2 wrong", "bad"), ("cause", "f() did it", "bad"),
                          ("also", "a: x", "bad"), ("note", "short", "warn"),
                          ("ran", ran, "dim"), ("again", "qemu/soak run", ""),
                          ("why", "qemu/soak why o", ""),
                          ("see", "o/report.html", "")]),
                (passed, [("PASS", "all held", "good"), ("ran", ran, "dim"),
                          ("see", "o/report.html", "")])):
            self.assertEqual(told, [*verdict_text._lines(Options(out="o"), one)])

    def test_json_is_the_result_alone(self):
        said = io.StringIO()
        with redirect_stdout(said):
            verdict_text.say_verdict(Options(json=True), result(), io.StringIO())
        self.assertEqual(1, said.getvalue().count("\n"))


class Swarms(unittest.TestCase):
    def test_a_swarm_that_was_stopped_did_not_pass(self):
        for complete in (True, False):
            suite = ElementTree.fromstring(junit_of_swarm(
                {"findings": [], "why": "x", "complete": complete}).partition("\n")[2])
            self.assertEqual(("0", "0" if complete else "1"),
                             (suite.get("failures"), suite.get("skipped")))

    def test_each_finding_of_one_is_a_case_that_failed(self):
        case, = ElementTree.fromstring(junit_of_swarm({"complete": True, "findings": [
            {"why": "tag fault", "reproduce": "qemu/soak run"}]}).partition("\n")[2])
        self.assertEqual(("no round of the swarm fails: tag fault", "qemu/soak run"),
                         (case.get("name"), case.find("failure").get("message")))

    def test_of_findings_each_is_told_with_the_line_that_plays_it_again(self):
        found = [{"round": number, "why": f"tag fault, frame {frame}",
                  "reproduce": f"again {number}"}
                 for number, frame in ((3, 60), (5, 6))]
        told = [(label, text) for label, text, _ in swarm_report._lines({
            "verdict": "fail", "why": "round 3, console: tag fault, frame 60",
            "findings": found, "kept": [], "branches": {"by_firmware": {}},
            "swarm": {"rounds": 5}, "frames": 60, "wall_seconds": 1.0,
            "complete": True}) if label in ("also", "again")]
        self.assertEqual([("again", "again 3"), ("also", "round 5: tag fault, frame 6"),
                          ("again", "again 5")], told)

    SWARM = {
        "verdict": "fail", "why": "round 3, game: tag fault", "complete": True,
        "frames": 1200, "sim_seconds": 20.0, "wall_seconds": 61.25,
        "swarm": {"seed": 7, "rounds": 2, "frames_of_a_round": 600},
        "origin": {"date": "today", "revision": "", "machine": "one"},
        "reproduce": "all & again", "branches": {
            "reached": 1234, "of": 5000, "by_firmware": {"a < b": 1, "c": 1230},
            "files": [{"file": "a.c", "reached": 1, "of": 4},
                      {"file": "none.c", "reached": 0, "of": 0}]},
        "kept": [{"round": 0, "firmware": "game", "new_branches": 12,
                  "new_peaks": ["a", "b"], "told": "", "reproduce": "line <0>"}],
        "peaks": [{"firmware": "game", "name": "a", "kind": "pool", "policy": "drop",
                   "capacity": 9, "peak": 8, "unit": "slots", "round": 1}],
        "findings": [
            {"round": 3, "firmware": "game", "why": "tag > fault", "count": count,
             "told": told, "reproduce": "again & again"}
            for count, told in ((1, ""), (3, "ask"))]}

    def test_the_page_of_one_has_its_facts_its_tables_and_its_lines(self):
        html = swarm_report.report(self.SWARM)
        self.assertEqual([
            ("Branches reached", "1 234 of 5 000"), ("Of these in the a &lt; b", "1"),
            ("Of these in the c", "1 230"), ("Rounds", "2 of 600 frames"),
            ("Kept", "1 round"), ("Simulated", "20 seconds"),
            ("Real time", "1 minute 1 second"), ("Begun at seed", "7"),
            ("Date", "today"), ("Revision", "unknown"), ("Machine", "one")],
            re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", html))
        self.assertEqual([
            ["0", "game", "12", "a, b", "nothing", "line &lt;0&gt;"],
            ["game", "a", "pool", "drop", "9", "8", "slots", "1"],
            ["a.c", "1", "4", "25.0 %"]],
            cells_of(re.sub("</?code>", "", html)))
        self.assertEqual([
            "Round", "Firmware", "New branches", "New highest use of", "Told", "Again",
            "Firmware", "Allocator", "Kind", "When full", "Capacity", "Highest", "Unit",
            "In round", "File", "Reached", "Of", "Share"],
            re.findall('data-label="(.*?)"', html))
        self.assertEqual(["Round 3 failed"] * 2 + [
            "The swarm again", "What was kept", "Highest use", "Branches by file"],
            re.findall("<h2>(.*?)</h2>", html))
        self.assertEqual(["game: tag &gt; fault", "Told: nothing",
                          "game: tag &gt; fault, and 2 rounds more alike", "Told: ask"],
                         re.findall("<p>(.*?)</p>", html)[1:])
        self.assertEqual(["again &amp; again"] * 2 + ["all &amp; again"],
                         re.findall("<pre>(.*?)</pre>", html))
        self.assertIn('<div class="verdict fail"><strong>Fail</strong>', html)

    def test_what_is_printed_of_one_is_in_the_order_of_its_use(self):
        said = io.StringIO()
        swarm_report.say(Options(out="x/y"), dict(
            self.SWARM, findings=[], verdict="pass"), said)
        self.assertEqual([
            "PASS  round 3, game: tag fault",
            "kept  1 round that reached new branches or peaks",
            "      1 branch in the a < b", "      1 230 branches in the c",
            "ran   2 rounds, 1 200 frames in 61.2 s", "see   x/y/report.html"],
            said.getvalue().splitlines())
        for verdict, style in (("pass", "good"), ("fail", "bad")):
            self.assertEqual(style, next(swarm_report._lines(
                dict(self.SWARM, verdict=verdict)))[2])

    def test_the_files_of_one_are_its_summary_and_what_is_made_of_it(self):
        with tempfile.TemporaryDirectory() as name:
            folder = paper.Path(name)
            swarm_report.write(self.SWARM, folder)
            self.assertEqual(
                json.dumps(self.SWARM, indent=2) + "\n",
                (folder / "summary.json").read_text())
            self.assertEqual(2, (folder / "junit.xml").read_text().count("<failure"))
            self.assertIn("swarm of 2 rounds</title>",
                          (folder / "report.html").read_text())


class Lines(unittest.TestCase):
    """What the line has that repeats a run."""

    def test_each_option_that_is_of_the_run_is_in_its_line(self):
        for how, words in (
                ({"near_wrap": True}, "--near-wrap"), ({"ask": True}, "--ask"),
                ({"sanitize": False}, "--no-sanitize"), ({"cores": 2}, "--cores 2"),
                ({"elf": "a", "host": "b"}, "--host b"),
                ({"pool_sanitizer": True}, "--sanitize"),
                ({"max_findings": 0}, "--max-findings 0")):
            self.assertIn(f" {words}", Options(**how).command_line())
            self.assertNotIn(f" {words}", Options().command_line())

    def test_many_runs_go_on_by_their_own_line_with_as_many_at_a_time(self):
        one = Options(seeds=(1, 2), jobs=3, out="x")
        self.assertTrue(one.resume_line().endswith(" --jobs 3 --out x"))

    def test_shares_of_the_frames_are_bounded(self):
        self.assertEqual([(60, 60), (600, 600), (1000, 600), (21600, 5400),
                          (216000, 54000)], [
            (one.share_frames, one.sanitized_frames) for one in (
                Options(frames=frames) for frames in (
                    60, 3600, 10000, 216000, 9000000))])

    def test_a_plant_and_the_end_of_a_clock_are_half_way(self):
        one = Options(frames=1000, near_wrap=True)
        self.assertEqual((500, 2**32 - 500), (one.plant_frame, one.clock_start))
        self.assertEqual(0, Options(frames=1000).clock_start)

    def test_without_sanitizers_it_is_built_in_another_folder(self):
        self.assertNotEqual(Options().build_folder,
                            Options(sanitize=False).build_folder)


if __name__ == "__main__":
    unittest.main()
