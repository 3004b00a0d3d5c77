# SPDX-License-Identifier: MIT
import json
import platform
import re
import struct
import tempfile
import unittest
import zlib
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import paper
from harness.events import events
from harness.histogram import Histogram, histogram
from harness.junit import junit
from harness.log_files import LogFiles
from harness.machine import Ending
from harness.options import FRAMES_PER_HOUR
from harness.plot import HEADROOM, HEIGHT, _slot_ticks, _time_ticks, plot
from harness.png import png
from harness.qemu_run import Effort
from harness.ram_map import ram_map
from harness.records import Hello
from harness.report import SCENES_MOST, report
from harness.sarif import sarif
from harness.summary import summary
from harness.telemetry import Decoder
from harness.verdict import judge
from support import tool
from trials import build

VOID = {"meta", "br", "img"}
DESIGN_KEYS = {
    "verdict", "why", "seed", "board", "checks", "config_hash", "elf_hash",
    "qemu", "frames", "sim_seconds", "wall_seconds", "speedup", "state_hash",
    "pools", "faults"}
POOL_KEYS = {
    "name", "policy", "capacity", "peak", "live", "allocs", "frees", "refused",
    "steals", "spills", "full_frames", "advice"}


def summary_of(data, frames=3600, ending=None, **asked):
    ledger = paper.ledger_of(data)
    options = paper.options(frames, **asked)
    verdict = judge(options, ledger, ending or paper.good_ending())
    with tempfile.NamedTemporaryFile() as elf:
        return summary(options, ledger, verdict, Path(elf.name),
                       "QEMU emulator version 7.2.22 (Debian)",
                       Effort(2.0, ledger.sim_seconds, 1.5)), ledger


def page_of(data, frames=3600, ending=None, **asked):
    return report(*summary_of(data, frames, ending, **asked))


class SummedUp(unittest.TestCase):
    def test_what_the_sanitizer_found_says_how_much_and_others_do_not(self):
        for kind, found, expected, access in (
                (24, 4, 0, "4 bytes read"), (25, 1, 1, "1 byte written"),
                (6, 4, 0, "")):
            page, _ = summary_of(paper.hello() + paper.fault(
                kind, found=found, expected=expected))
            self.assertEqual(access, page["faults"][0]["access"])

    def test_a_run_that_was_stopped_is_not_complete_and_one_that_failed_is(self):
        for data, complete in ((paper.healthy_run(), True), (b"", False),
                               (paper.hello() + paper.fault(6), True)):
            self.assertEqual(complete, summary_of(data)[0]["complete"])

    def test_of_each_capacity_that_scenes_gave_it_the_use_is_told(self):
        page, _ = summary_of(paper.hello(pools=(("sparks", 50, 32, 1),)) + b"".join(
            paper.sample(60 * at, paper.usage(live, allocs=9 * at, frees=9 * at - live,
                                              capacity=size))
            for at, live, size in ((1, 3, 50), (2, 4, 20), (3, 9, 20))))
        self.assertEqual([(20, 9, 60), (50, 3, 60)], [
            (cut["capacity"], cut["peak"], cut["frames"])
            for cut in page["pools"][0]["cuts"]])

    def test_a_mistake_that_was_planted_is_told_with_what_found_it(self):
        data = paper.hello() + paper.planted("overrun", 60, 0, 17)
        zone = "a red zone was written to"
        for more, found in (
                (b"", None), (paper.audit("bad", 70), None),
                (paper.audit(zone, 59), None),
                (paper.fault(5, frame=65) + paper.fault(7, frame=70),
                 {"how": "red-zone", "frames": 10}),
                (paper.audit(zone, 59) + paper.audit(zone, 60),
                 {"how": zone, "frames": 0})):
            planted = summary_of(data + more, plant="overrun")[0]["planted"]
            self.assertEqual(("overrun", "particles", 60),
                             (planted["name"], planted["pool"], planted["frame"]))
            self.assertEqual(found, planted["found"])


class Planted(unittest.TestCase):
    def test_what_nobody_looked_for_is_said_of_a_mistake_that_was_not_found(self):
        data = paper.healthy_run()
        at = len(paper.hello())
        more = paper.guard(why_not="there is no MPU") + paper.planted("null-store")
        page, _ = summary_of(data[:at] + more + data[at:], plant="null-store")
        self.assertIn("null-store was planted in frame 600 and not found by its name;"
                      " nothing stores to address 0 or to code: there is no MPU",
                      page["warnings"])


class Balanced(HTMLParser):
    """Collects what is opened and complains about what is not closed."""

    def __init__(self, page):
        super().__init__()
        self.open, self.seen, self.attributes = [], set(), []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        """<path/> opens nothing."""

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Summary(unittest.TestCase):
    def test_the_summary_has_every_key_of_the_contract(self):
        result, _ = summary_of(paper.healthy_run())
        self.assertLessEqual(DESIGN_KEYS, set(result))
        for pool in result["pools"]:
            self.assertLessEqual(POOL_KEYS, set(pool))
            self.assertEqual(pool["allocs"], pool["frees"] + pool["steals"]
                             + pool["live"])

    def test_the_summary_says_what_ran_and_how_fast(self):
        result, _ = summary_of(paper.healthy_run())
        self.assertEqual(
            (result["verdict"], result["frames"], result["sim_seconds"],
             result["speedup"], result["cpu_speedup"], result["state_hash"],
             result["config_hash"]),
            ("pass", 3600, 60.0, 30.0, 40.0, "1122334455667788", "00c0ffee"))
        self.assertEqual(json.loads(json.dumps(result)), result)

    def test_a_fault_is_listed_with_its_address_in_hexadecimal(self):
        result, _ = summary_of(paper.hello() + paper.fault(paper.POISON))
        fault = result["faults"][0]
        self.assertEqual(
            (result["verdict"], fault["kind"], fault["pool"], fault["slot"],
             fault["address"], fault["frame"], fault["expected"]),
            ("fail", "poison", "particles", 17, "0x21000220", 1234,
             "0x1deadb0b"))

    def test_a_run_without_a_hello_has_a_summary_too(self):
        result, _ = summary_of(b"", ending=Ending("QEMU ended", 1))
        self.assertEqual((result["verdict"], result["pools"],
                          result["config_hash"]), ("fail", [], ""))


class Printed(unittest.TestCase):
    def test_what_the_firmware_printed_is_shown_with_its_frame(self):
        page = page_of(paper.hello() + paper.healthy_sample(600)
                       + b"orders: <12>\n" + paper.done())
        self.assertIn("What the firmware printed", page)
        self.assertRegex(page, r">600</td>\s*<td[^>]*>orders: &lt;12&gt;</td>")
        self.assertNotIn("console.log.", page)

    def test_of_many_lines_the_first_are_shown_and_the_others_counted(self):
        data = paper.hello() + b"again\n" * 1234 + paper.done()
        result, ledger = summary_of(data)
        self.assertEqual((1234, 100), (result["printed"]["lines"],
                                       len(result["printed"]["first"])))
        self.assertIn("1 134 more lines in console.log.", report(result, ledger))

    def test_a_firmware_that_prints_nothing_has_no_such_section(self):
        self.assertNotIn("What the firmware printed",
                         page_of(paper.healthy_run()))


class Pictures(unittest.TestCase):
    def test_each_allocator_is_shown_in_its_worst_frame(self):
        page = page_of(paper.hello() + paper.picture(600, (0, 90), (2, 8))
                       + paper.picture(720, (0, 100), (1, 16)) + paper.done())
        Balanced(page)
        captions = re.findall("<figcaption>(.*)</figcaption>", page)
        self.assertEqual(captions, [
            "frame 600, 00:00:10: enemies 8 of 8 slots",
            "frame 720, 00:00:12: particles 100 of 100 slots, sounds 16 of 16"
            " slots"])

    def test_the_moment_of_a_fault_is_shown(self):
        data = paper.hello() + paper.picture(600, (0, 90)) + paper.picture(1234)
        page = page_of(data + paper.fault(paper.POISON))
        self.assertIn("<figcaption>At the fault: frame 1234, 00:00:20<", page)
        self.assertNotIn("At the fault", page_of(data + paper.done()))

    def test_a_firmware_that_shows_nothing_has_no_such_section(self):
        self.assertNotIn("<figure>", page_of(paper.healthy_run()))

    def test_a_picture_is_a_png_of_its_colours(self):
        shown, = Decoder().feed(paper.picture(600))
        data = png(shown)
        self.assertEqual(data[:16], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
        self.assertEqual(struct.unpack(">II", data[16:24]), (2, 2))
        at = data.index(b"IDAT")
        size, = struct.unpack(">I", data[at - 4:at])
        self.assertEqual(zlib.decompress(data[at + 4:at + 4 + size]),
                         b"\0\xe0\x1c\0\x03\xff")
        palette = data[data.index(b"PLTE") + 4:][:768]
        self.assertEqual(palette[3 * 0xe0:3 * 0xe0 + 3], b"\xff\0\0")


class Junit(unittest.TestCase):
    def test_every_check_is_a_test_case(self):
        result, _ = summary_of(paper.healthy_run())
        suite = ET.fromstring(junit(result))
        names = [case.get("name") for case in suite.iter("testcase")]
        self.assertEqual(names, [check["name"] for check in result["results"]])
        self.assertEqual((suite.get("tests"), suite.get("failures")),
                         (str(len(names)), "0"))

    def test_what_ran_is_said_beside_the_cases(self):
        result, _ = summary_of(paper.healthy_run())
        said = {one.get("name"): one.get("value")
                for one in ET.fromstring(junit(result)).iter("property")}
        self.assertEqual({name: str(result[name]) for name in (
            "seed", "board", "checks", "sanitized", "interrupts", "config_hash",
            "elf_hash", "qemu", "frames", "state_hash", "reproduce")}, said)

    def test_any_letter_is_read_as_it_was_but_for_those_that_no_xml_has(self):
        odd = "the \"game's\" <&>\t\r\n\x01\x1b\uffff.elf"
        result, _ = summary_of(paper.healthy_run())
        suite = ET.fromstring(junit({**result, "reproduce": odd, "why": odd}))
        said, = (one.get("value") for one in suite.iter("property")
                 if one.get("name") == "reproduce")
        self.assertEqual("the \"game's\" <&>\t\r\n\ufffd\ufffd\ufffd.elf", said)
        self.assertEqual("the \"game's\" <&>\t\n\ufffd\ufffd\ufffd.elf",
                         suite.find("system-out").text)
        self.assertIn("game's", junit({**result, "why": odd}))

    def test_a_check_that_failed_is_one_finding_and_of_a_clean_run_there_is_none(self):
        result, _ = summary_of(paper.healthy_run())
        result["cause"] = {"sentence": "s", "file": "a.c", "function": "f", "line": 7,
                           "stacks": []}
        self.assertEqual([], json.loads(sarif(result))["runs"][0]["results"])
        result["results"] = [{"name": "no peak creeps", "passed": False, "detail": "x"}]
        finding, = json.loads(sarif(result))["runs"][0]["results"]
        self.assertEqual(("no-peak-creeps", 1, "no peak creeps: x: s"), (
            finding["ruleId"], finding["occurrenceCount"], finding["message"]["text"]))

    def test_what_was_not_looked_at_is_skipped_never_passed(self):
        result, _ = summary_of(paper.healthy_run(checks=1), checks="fast")
        named = {check["name"]: check["passed"] for check in result["results"]}
        skipped = [name for name, passed in named.items() if passed is None]
        self.assertIn("poison intact", skipped)
        suite = ET.fromstring(junit(result))
        self.assertEqual(skipped, [case.get("name") for case
                                   in suite.iter("testcase")
                                   if case.find("skipped") is not None])
        self.assertEqual(suite.get("skipped"), str(len(skipped)))
        self.assertIn('data-label="Result">skipped</td>',
                      page_of(paper.healthy_run(checks=1), checks="fast"))

    def test_what_stopped_before_it_had_a_rhythm_is_a_skipped_case(self):
        body = (paper.sample(60 * second, paper.usage(1, allocs=min(second, 9)))
                for second in range(1, 601))
        result, _ = summary_of(b"".join([paper.hello(36000, pools=[
            ("sparks", 9, 32, 1)]), *body, paper.done(36000)]), frames=36000)
        cases = {case.get("name"): case
                 for case in ET.fromstring(junit(result)).iter("testcase")}
        skipped = cases["pool sparks goes on"].find("skipped")
        self.assertIn("not judged: it moved in 9 samples", skipped.get("message"))

    def test_a_failed_check_is_a_failure_with_its_numbers(self):
        result, _ = summary_of(paper.hello() + paper.audit('<"&>'))
        suite = ET.fromstring(junit(result))
        failures = {case.get("name"): case.find("failure").get("message")
                    for case in suite.iter("testcase")
                    if case.find("failure") is not None}
        self.assertEqual(int(suite.get("failures")), len(failures))
        self.assertIn('<"&>', failures["the audits agree"])

    def test_equal_audits_are_one_line_of_the_report_and_one_finding_for_viewers(
            self):
        result, ledger = summary_of(
            paper.hello() + 50 * paper.audit("often") + paper.audit("rare", 700))
        rows = re.findall(r"<td[^>]*>(1|50)</td><td[^>]*>(\d+)</td>",
                          report(result, ledger))
        self.assertEqual(rows[:2], [("1", "700"), ("50", "600")])
        findings = json.loads(sarif(result))["runs"][0]["results"]
        self.assertEqual([(one["ruleId"], one["occurrenceCount"])
                          for one in findings], [("often", 50), ("rare", 1)])
        self.assertIn("1 time from frame 700",
                      next(check["detail"] for check in result["results"]
                           if check["name"] == "the audits agree"))

    def test_a_failed_check_that_tells_of_a_line_has_its_place_for_viewers(self):
        """A place is a URI reference, whatever the file is called."""
        result, _ = summary_of(paper.healthy_run())
        for detail, place in (
                ("task second freed in serve() at src/main.c:57, frame 4", (
                    "serve", "src/main.c", 57)),
                ("issued by f.part.0() at /my way/a#1%.c:8; by g() at b.c:9", (
                    "f.part.0", "/my%20way/a%231%25.c", 8)),
                ("it hangs, in wait() at a:b/main.c:80 at frame 3", (
                    "wait", "a%3Ab/main.c", 80)),
                ("asked 3 times, failed once", None)):
            result["results"] = [{"name": "one", "passed": False, "detail": detail}]
            finding, = json.loads(sarif(result))["runs"][0]["results"]
            self.assertEqual(place and [place], self.places(finding), detail)

    def test_who_did_it_is_the_place_and_the_stacks_of_the_first_finding(self):
        result, _ = summary_of(paper.hello() + paper.audit("later", 700)
                               + paper.fault(6, frame=60))
        result["cause"] = {
            "sentence": "overrun() wrote it", "file": "a.c", "function": "overrun",
            "line": 7, "stacks": [{"title": "who wrote", "frames": [
                {"function": "overrun", "file": "a.c", "line": 7},
                {"function": "reset", "file": "", "line": 0}]}]}
        whole = json.loads(sarif(result))
        run, = whole.pop("runs")
        self.assertEqual({"$schema": "https://json.schemastore.org/sarif-2.1.0.json",
                          "version": "2.1.0"}, whole)
        self.assertEqual("utf16CodeUnits", run["columnKind"])
        self.assertEqual("tidepool soak", run["tool"]["driver"]["name"])
        first, second = run["results"]
        self.assertEqual({"error"}, {one["level"] for one in run["results"]})
        self.assertEqual([("overrun", "a.c", 7)], self.places(first))
        self.assertIsNone(self.places(second))
        self.assertEqual("poison, particles, frame 60: overrun() wrote it",
                         first["message"]["text"])
        stack, = first["stacks"]
        self.assertEqual(("who wrote", 1),
                         (stack["message"]["text"], len(stack["frames"])))
        self.assertNotIn("stacks", second)
        self.assertEqual(["later", "poison"],
                         [one["id"] for one in run["tool"]["driver"]["rules"]])
        self.assertEqual({"seed": 1, "frames": 60, "reproduce": result["reproduce"]},
                         run["properties"])
        said = ET.fromstring(junit(result)).find("system-out").text
        self.assertEqual([result["why"], "overrun() wrote it", "", "who wrote:",
                          "  overrun() at a.c:7", "  reset() at :0"], said.split("\n"))

    def places(self, finding):
        """(function, uri, line) of each; None: it has none."""
        return finding.get("locations") and [(
            one["logicalLocations"][0]["name"],
            one["physicalLocation"]["artifactLocation"]["uri"],
            one["physicalLocation"]["region"]["startLine"])
            for one in finding["locations"]]


class Page(unittest.TestCase):
    def test_the_page_is_whole_html_and_asks_no_network(self):
        for data in (paper.healthy_run(), paper.hello() + paper.fault(6),
                     paper.hello() + paper.audit("bad"), b""):
            page = Balanced(page_of(data))
            self.assertEqual(page.open, [])
            self.assertFalse(page.seen & {"link", "img", "iframe"})
            self.assertFalse({name for name, _ in page.attributes}
                             & {"src", "href", "onload", "onclick"})

    def test_its_script_asks_no_network_either_and_makes_nothing_of_the_page(self):
        page = page_of(paper.healthy_run())
        without, script = re.fullmatch(r"(.*)<script>(.*)</script>(.*)", page,
                                       re.S).group(1, 2)
        self.assertNotRegex(script, r"http|fetch|Request|import|Socket|\.src\b")
        for words in ("<h2>Checks</h2>", 'class="swing"', 'class="times"'):
            self.assertIn(words, without)

    def test_the_page_says_what_its_level_does_not_look_for(self):
        for checks, sanitized, missed in (
                ("off", False, ["an object is freed twice"]),
                ("poison", False, ["one byte is written behind an object"]),
                ("full", False, ["an object is read after it was freed"]),
                ("fast", True, ["one byte is written behind an object"]),
                ("full", True, [])):
            page = page_of(paper.healthy_run(), checks=checks, pool_sanitizer=sanitized)
            words = checks + ", sanitized" * sanitized
            self.assertIn(f"looked for, with checks {words}<", page)
            no = re.findall(r'"Looked for">no</td><td[^>]*>([^<]*)<', page)
            self.assertEqual(bool(no), bool(missed), checks)
            self.assertLessEqual(set(missed), set(no))

    def test_who_asks_and_what_he_holds_is_told_of_a_firmware_with_hooks(self):
        run = paper.healthy_run()
        goodbye = len(paper.done())
        self.assertNotIn("Who asks", page_of(run))
        page = page_of(run[:-goodbye] + paper.place(1, 0x1234, 40, 7, 5, 3)
                       + run[-goodbye:], elf="fw.elf")
        asks = page.partition("Who asks")[2].partition("</section>")[0]
        self.assertEqual(re.findall(r">([^<>\n]+)</td>", asks),
                         ["sounds", "0x00001234", "40", "5", "7", "3"])
        self.assertIn("<dd>fw.elf</dd>", page)
        self.assertIn("<dd>the demo, battle</dd>",
                      page_of(run, scenario="battle"))

    def test_how_deep_stacks_are_is_drawn_over_time_and_told(self):
        data = paper.hello() + b"".join(
            [paper.stack(60 * at, 2048, 300 + 10 * min(at, 4), name)
             for at in range(1, 60) for name in ("main", "worker")]) + paper.done()
        page = page_of(data)
        Balanced(page)
        frames = page.partition("Frames and stacks")[2].partition("</section>")[0]
        for name in ("main", "worker"):
            self.assertIn(f"stack {name}: deepest so far, in bytes over 1 minute:"
                          " at most 340", frames)
        self.assertEqual(["main", "340", "2 048", "worker", "340", "2 048"],
                         re.findall(r">([^<>\n]+)</td>", frames))

    def test_everything_that_is_judged_over_time_is_drawn(self):
        allocators = (("sparks", 90, 8, 1),
                      ("meshes", 4096, 1, 1, "relocating", "bytes"))
        body = [paper.sample(at, paper.usage(9, allocs=at), paper.usage(at))
                + paper.figures(at, at) + paper.frame_costs(at, 900, 1000, 2000)
                + paper.stack(at, 2048, 300) + paper.oldest(at, 0, 600, 7, 60)
                + paper.holes(at, 1, 3000, 2, 500) for at in range(60, 1200, 60)]
        page = page_of(b"".join([paper.hello(pools=allocators),
                                 paper.figure(0, "score", flat=True), *body]))
        Balanced(page)
        drawn = re.findall('aria-label="([^"]+) over 19 seconds', page)
        self.assertEqual([
            "Slots of sparks in use", "sparks: age of the oldest, in frames",
            "Slots of meshes in use", "meshes: largest hole", "meshes: in holes",
            "instructions of a frame", "stack main: deepest so far, in bytes",
            "pool sparks", "relocating meshes", "figure score", "interrupts", "score"],
            drawn)
        self.assertIn('class="floor"', page)

    def test_it_says_when_where_and_by_which_line_it_ran(self):
        with mock.patch.dict("os.environ", SOURCE_DATE_EPOCH="86400"):
            result, ledger = summary_of(paper.healthy_run())
        page = report(result, ledger)
        for words in ("<dt>Date</dt><dd>1970-01-02 00:00 UTC</dd>",
                      f"<dt>Revision</dt><dd>{result['origin']['revision']}</dd>",
                      f"<dt>Machine</dt><dd>{platform.system()} ",
                      "qemu-system-arm -M mps2-an385 -display none ",
                      "-icount shift=5,sleep=off"):
            self.assertIn(words, page)
        self.assertRegex(result["origin"]["revision"], "^[0-9a-z.-]+$")

    def test_scenes_are_shaded_while_they_can_be_told_apart(self):
        for count in (SCENES_MOST, SCENES_MOST + 1):
            page = page_of(paper.hello() + b"".join(
                paper.scene(60 * n, f"scene {n}") + paper.healthy_sample(60 * n + 60)
                for n in range(count)))
            self.assertEqual(count > SCENES_MOST, "61 scenes, too many to show" in page)
            self.assertEqual(count <= SCENES_MOST, 'class="band0"' in page)

    def test_it_says_in_which_steps_costs_are_counted(self):
        page = page_of(paper.healthy_run() + paper.costs("spark", [9, 1], 20, 16))
        self.assertIn("Counted in steps of 16: each number is the last of its", page)

    def test_what_a_call_costs_is_drawn_minute_by_minute_of_some(self):
        for minutes in (1, 2):
            page = page_of(paper.hello() + b"".join(
                paper.healthy_sample(3600 * n) + paper.costs("spark", [9 * n, n], 20)
                for n in range(1, minutes + 1)))
            self.assertEqual(minutes > 1, 'aria-label="spark: instructions of a call'
                                          ' over 2 minutes: at most 27"' in page)

    def test_of_somebodys_own_firmware_only_the_library_looks(self):
        bugs = {claim["bug"] for claim in
                summary_of(paper.healthy_run(), elf="own.elf")[0]["claims"]}
        self.assertIn("an object is freed twice", bugs)
        self.assertNotIn("one object in 10 000 is never freed", bugs)

    def test_the_page_fetches_nothing_by_its_style(self):
        page = page_of(paper.healthy_run())
        for words in ("url(", "@import", "http"):
            self.assertFalse(words in page, words)

    def test_the_page_knows_light_and_dark(self):
        page = page_of(paper.healthy_run())
        self.assertTrue("color-scheme: light dark" in page)
        self.assertTrue("prefers-color-scheme: dark" in page)

    def test_the_page_names_the_guilty_and_the_way_back(self):
        page = page_of(paper.hello() + paper.healthy_sample(1200)
                       + paper.fault(paper.DOUBLE_FREE), plant="double-free")
        for words in ("double-free fault in pool particles, slot 17",
                      "qemu/soak run --frames 3600 --seed 1",
                      "--plant double-free", 'class="fault"'):
            self.assertTrue(words in page, words)

    def test_names_from_the_firmware_cannot_break_the_page(self):
        pools = (("<b>&\"", 4, 8, 1),)
        page = page_of(paper.hello(pools=pools)
                       + paper.sample(60, paper.usage(1)) + paper.audit("<i>"))
        self.assertFalse("<b>" in page or "<i>" in page)
        self.assertEqual(Balanced(page).open, [])

    def test_the_page_of_days_is_hardly_larger_than_that_of_an_hour(self):
        def size(hours):
            frames = hours * 216000
            samples = (paper.sample(60 * n, *[paper.usage(n % 7)] * 3)
                       for n in range(1, hours * 3600))
            return len(page_of(b"".join([paper.hello(frames), *samples]),
                               frames))
        self.assertLess(size(20), 2 * size(1))


def pool_with(usages, capacity=100):
    data = paper.hello(pools=(("sparks", capacity, 32, 1),)) + b"".join(
        paper.sample(60 * (n + 1), usage) for n, usage in enumerate(usages))
    return paper.ledger_of(data).pools[0]


class Memory(unittest.TestCase):
    def test_the_firmware_says_what_lies_in_which_bank(self):
        elf = build("mps2_an385", "poison", "console") / "console.elf"
        sections = {one.section: one for one in ram_map(elf)}
        bank = sections[".tp_arena_psram"]
        names = [name for name, _ in bank.parts]
        self.assertEqual((bank.bank, bank.address, names),
                         ("psram", 0x21020000, ["particles", "meshes_arena"]))
        for section in sections.values():
            self.assertEqual(sum(size for _, size in section.parts),
                             section.bytes, section.section)

    def test_code_that_is_copied_to_ram_lies_there_too(self):
        with tempfile.TemporaryDirectory() as folder:
            source, script = Path(folder) / "a.c", Path(folder) / "a.ld"
            source.write_text('__attribute__((section(".fast"), used)) void tick(void)'
                              " {}\nvoid _start(void) {}\nint words[3] = {1};\n")
            script.write_text(
                "MEMORY { FLASH : ORIGIN = 0, LENGTH = 64K\n"
                " RAM : ORIGIN = 0x20000000, LENGTH = 64K }\n"
                "SECTIONS { .text : { *(.text*) } > FLASH\n"
                " .data : { *(.data*) } > RAM AT > FLASH\n"
                " .fast : { *(.fast) } > RAM AT > FLASH }\n")
            elf = f"{folder}/a.elf"
            tool("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-O1", "-nostdlib",
                 "-T", script, source, "-o", elf)
            sections = {one.section: one for one in ram_map(elf)}
        self.assertEqual({".data", ".fast"}, set(sections))
        self.assertEqual([("tick", 2)], sections[".fast"].parts[:1])
        self.assertEqual(12, sections[".data"].bytes)

    def test_what_is_no_firmware_has_no_map(self):
        self.assertEqual(ram_map(__file__), [])


class Occupancy(unittest.TestCase):
    def test_only_frames_at_full_are_in_the_last_bucket(self):
        for capacity in (1, 7, 1000, 32767):
            counted = Histogram(capacity)
            for live in range(capacity + 1):
                counted.add(live, 60, 2)
            self.assertEqual((counted.counts[-1], sum(counted.counts)),
                             (2 * (capacity + 1), 60 * (capacity + 1)))

    def test_the_chart_says_the_share_at_full_that_the_table_says(self):
        pools = (("never", 8, 8, 1), ("often", 8, 8, 1), ("always", 8, 8, 1),
                 ("nothing", 0, 8, 1))
        samples = [paper.sample(60 * n, paper.usage(3),
                                paper.usage(2, high=8, full_frames=29 * n),
                                paper.usage(8, full_frames=60 * n),
                                paper.usage(0)) for n in range(1, 61)]
        page = page_of(b"".join([paper.hello(pools=pools), *samples]))
        told = re.findall(r"<td[^>]*>([\d.]+ %)</td>", page)
        self.assertEqual(["0 %", "48.3 %", "100 %", "0 %"], told)
        self.assertEqual(told, re.findall(r"<span>full ([^<]*)</span>", page))
        self.assertEqual(told, re.findall(r"all of them in ([\d.]+ %)", page))

    def test_a_pool_without_samples_has_no_histogram(self):
        self.assertEqual(histogram([0] * 21), "")


class Events(unittest.TestCase):
    def test_firsts_scenes_and_faults_are_in_the_order_of_time(self):
        ledger = paper.ledger_of(
            paper.hello() + paper.healthy_sample(60) + paper.scene(90, "storm")
            + paper.healthy_sample(120) + paper.scene(125, "storm")
            + paper.fault(6, frame=130))
        told = [(frame, words) for frame, words, _ in events(ledger)]
        self.assertEqual(told, [
            (60, "particles: full for the first time"),
            (60, "particles: first request refused"),
            (60, "sounds: full for the first time"),
            (60, "sounds: first object stolen"), (90, "scene storm"),
            (130, "pool particles, slot 17: poison fault")])


class Plot(unittest.TestCase):
    def test_a_peak_of_one_second_in_hours_is_in_the_picture(self):
        usages = [paper.usage(10)] * 9000
        usages[4321] = paper.usage(10, high=90)
        picture = plot(pool_with(usages), 9000.0, [])
        swing = re.search(r'class="swing" d="([^"]*)"', picture).group(1)
        top = round(HEIGHT * (1 - 90 / (100 * HEADROOM)), 1)
        self.assertIn(f"V{top:g}H", swing)

    def test_a_fault_is_marked_at_its_moment(self):
        picture = plot(pool_with([paper.usage(1)] * 100), 100.0, [25.0])
        self.assertIn('class="fault" d="M250,0', picture)

    def test_a_pool_without_samples_has_words_for_a_picture(self):
        self.assertIn("No sample", plot(pool_with([]), 0.0, []))

    def test_slot_labels_are_round_and_include_the_capacity(self):
        self.assertEqual(_slot_ticks(1000), [0, 200, 400, 600, 800, 1000])
        self.assertEqual(_slot_ticks(48), [0, 10, 20, 30, 40, 48])
        self.assertEqual(_slot_ticks(1), [0, 1])
        self.assertEqual(_slot_ticks(65534), [0, 20000, 40000, 65534])

    def test_time_labels_are_round_and_few_for_any_length(self):
        self.assertEqual([text for _, text in _time_ticks(3600)],
                         ["0 min", "15 min", "30 min", "45 min", "60 min"])
        for seconds in (0.5, 1, 59, 61, 600, 7200, 86400, 3 * 86400,
                        500 * 86400):
            ticks = _time_ticks(seconds)
            self.assertLessEqual(len(ticks), 6, seconds)
            self.assertLessEqual(ticks[-1][0], seconds)


class StreamFiles(unittest.TestCase):
    def test_a_longer_run_keeps_moments_and_as_many_as_an_hour(self):
        for hours in (1, 72):
            ledger = paper.ledger_of(paper.hello(hours * FRAMES_PER_HOUR))
            with tempfile.TemporaryDirectory() as folder:
                with LogFiles(Path(folder), ledger) as streams:
                    for record in Decoder().feed(paper.healthy_run(60 * 720)):
                        if not isinstance(record, Hello):
                            ledger.add(record)
                            streams.add(record)
                lines = (Path(folder) / "samples.ndjson").read_text().splitlines()
            self.assertEqual(len(lines), 720 // hours)

    def test_samples_and_log_are_written_as_they_come(self):
        data = (paper.healthy_run(600) + paper.text("hi") + paper.fault(6)
                + paper.audit("bad") + paper.costs("spark", [9]))
        ledger = paper.Ledger()
        with tempfile.TemporaryDirectory() as folder:
            with LogFiles(Path(folder), ledger) as streams:
                for record in Decoder().feed(data):
                    ledger.add(record)
                    streams.add(record)
            lines = (Path(folder) / "samples.ndjson").read_text().splitlines()
            samples = [json.loads(line) for line in lines]
            log = (Path(folder) / "console.log").read_text()

        self.assertEqual(len(samples), 10)
        self.assertEqual((samples[0]["frame"],
                          samples[0]["pools"]["sounds"]["live"]), (60, 15))
        self.assertNotIn("spark", log)
        for words in ("hello: seed 1", "done: frame 600", "] hi",
                      "poison fault in pool particles", "audit: frame 600"):
            self.assertIn(words, log)
