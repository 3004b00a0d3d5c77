# SPDX-License-Identifier: MIT
"""`qemu/soak trace`: what the viewers read is what the run had told."""

import json
import lzma
import re
import shutil
from collections import Counter
from unittest import main

import paper
import traced
from support import ROOT, tool
from harness.verdict import UNDAMAGED
from traced import SECOND, US, babeltrace, content, gtkwave, ms_print

COUNTS = ("allocs", "frees", "steals", "refused", "spills")
FORMATS = ("ctf", "chrome", "vcd", "massif")


def bytes_of(allocator):
    """What of it is live, and counted for no other of the table."""
    return 0 if allocator["kind"] in ("blocks", "scenes") \
        else allocator["live"] * allocator["stride"]


class Trace(traced.Traced):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.sites = cls.result.with_name("massif.out")
        traced.say("trace", cls.result, "--format", "massif", "--out", cls.sites)

    def live(self):
        return {name: one["live"] for name, one in self.allocators.items()}

    def told(self, what):
        """Allocator -> how often, of those that it happened to."""
        return {name: one[what] for name, one in self.allocators.items() if one[what]}

    def test_babeltrace_reads_what_each_allocator_held_and_did_up_to_the_end(self):
        last = {}
        for event in babeltrace(self.trace("ctf")):
            if event.name == "allocator":
                last[event.fields["name"]] = event
        self.assertEqual(set(self.allocators), set(last))
        for name, event in last.items():
            self.assertEqual(self.summary["frames"], event.frame)
            for count in ("live", *COUNTS):
                self.assertEqual(self.allocators[name][count], event.fields[count],
                                 (name, count))

    def test_thefts_and_refusals_that_babeltrace_reads_add_up_to_all_there_were(self):
        events = babeltrace(self.trace("ctf"))
        for what in ("steals", "refused", "spills"):
            sums = Counter()
            for event in events:
                if event.name == what:
                    sums[event.fields["allocator"]] += event.fields["count"]
            self.assertEqual(self.told(what), sums)
            self.assertTrue(sums, what)

    def test_babeltrace_reads_where_a_planted_mistake_was_made_and_found(self):
        planted, fault = babeltrace(self.trace("ctf"))[-2:]
        self.assertEqual(("planted", "fault"), (planted.name, fault.name))
        self.assertEqual("double-free", planted.fields["words"])
        for event, known in ((planted, self.summary["planted"]),
                             (fault, self.summary["faults"][0])):
            self.assertEqual((known["frame"], known["pool"], known["slot"]), (
                event.frame, event.fields["allocator"], event.fields["slot"]))
        found = self.summary["faults"][0]
        self.assertEqual(f"double-free fault at {found['address']}, called from"
                         f" {found['caller_line']}", fault.fields["words"])

    def test_the_clock_of_babeltrace_tells_seconds_of_the_game(self):
        said = tool("babeltrace2", "--clock-seconds", self.trace("ctf"))
        self.assertEqual(f"[{self.summary['sim_seconds']:.9f}]",
                         said.splitlines()[-1].split()[0])

    def chrome(self, *words):
        return json.loads(self.trace("chrome", *words).read_text())["traceEvents"]

    def test_counters_of_chrome_end_at_what_was_live(self):
        units = {f"{name} ({one['unit']})": name
                 for name, one in self.allocators.items()}
        last = {one["name"]: one["args"] for one in self.chrome() if one["ph"] == "C"}
        self.assertEqual(self.live(), {name: last[title]["live"]
                                       for title, name in units.items()})
        self.assertEqual(sum(map(bytes_of, self.allocators.values())),
                         last["bytes live"]["bytes"])
        for figure in self.summary["figures"]:
            self.assertEqual({figure["unit"]: figure["last"]}, last[figure["name"]])

    def test_slices_of_chrome_are_scenes_and_its_instants_what_happened(self):
        events = self.chrome()
        begun = [(one["name"], one["ts"]) for one in events if one["ph"] == "B"]
        ended = [(one["name"], one["ts"]) for one in events if one["ph"] == "E"]
        scenes = self.summary["scenes"]
        ends = [one["frame"] for one in scenes[1:]] + [self.summary["frames"]]
        self.assertEqual([(one["name"], one["frame"] * US // SECOND)
                          for one in scenes], begun)
        self.assertEqual([(one["name"], end * US // SECOND)
                          for one, end in zip(scenes, ends)], ended)
        happened = Counter()
        for one in events:
            if one["ph"] == "i":
                happened[one["name"]] += one["args"]["count"]
        for what in ("steals", "refused"):
            for name, count in self.told(what).items():
                self.assertEqual(count, happened[f"{name} {what}"])
        self.assertEqual((1, self.summary["faults"][0]["slot"]), (
            happened["sounds fault"], events[-2]["args"]["slot"]))

    def test_waves_of_gtkwave_end_at_what_was_live_and_hold_each_theft(self):
        waves = gtkwave(self.trace("vcd"), self.folder)
        end = self.summary["frames"] * US // SECOND
        for name, allocator in self.allocators.items():
            wave = waves[f"{name}.live"]
            self.assertEqual(allocator["live"], wave[max(wave)], name)
            for what in ("steals", "refused", "spills"):
                self.assertEqual(allocator[what], area(waves[f"{name}.{what}"], end))
        self.assertEqual({end: 1}, waves["fault"])

    def test_waves_and_counters_change_as_babeltrace_reads_it_second_by_second(self):
        waves, counters = {}, {}
        for event in babeltrace(self.trace("ctf", name="ctf")):
            if event.name == "allocator":
                time, fields = event.frame * US // SECOND, event.fields
                for name in ("live", "low", "high", "capacity"):
                    change(waves, f"{fields['name']}.{name}", time, fields[name])
                change(counters, f"{fields['name']} ({fields['unit']})", time, {
                    "live": fields["live"],
                    "free": fields["capacity"] - fields["live"]})
        found = gtkwave(self.trace("vcd"), self.folder)
        self.assertEqual(waves, {name: found[name] for name in waves})
        told = {}
        for one in self.chrome():
            if one["name"] in counters:
                told.setdefault(one["name"], {})[one["ts"]] = one["args"]
        self.assertEqual(counters, told)

    def test_ms_print_reads_what_was_live_each_second_and_most_of_all(self):
        snapshots, most = ms_print(self.trace("massif", "--no-sites"))
        told = [(event.frame / SECOND, event.fields["bytes_live"])
                for event in babeltrace(self.trace("ctf", name="ctf"))
                if event.name == "second"]
        self.assertEqual(told, [(one.second, one.bytes) for one in snapshots])
        self.assertEqual(max(one.bytes for one in snapshots), snapshots[most].bytes)
        self.assertEqual(sum(map(bytes_of, self.allocators.values())),
                         snapshots[-1].bytes)
        for one in snapshots[::10]:
            self.assertEqual(one.bytes, sum(each.bytes for each in one.tree[0].below))

    def test_massif_names_lines_of_source_that_hold_all_bytes_of_a_pool(self):
        snapshots, most = ms_print(self.sites)
        pools = {one["name"]: one["stride"] for one in self.summary["pools"]}
        named = set()
        for node in snapshots[most].tree[0].below:
            name, live = re.match(r"(\w+) \(\S+ (\d+) of ", node.words).groups()
            if name in pools:
                self.assertEqual(int(live) * pools[name], node.bytes)
                self.assertEqual(node.bytes, sum(one.bytes for one in node.below))
            for place in node.below:
                function, file, line = re.fullmatch(
                    r"0x[0-9A-F]{8}: (\w+) \((\S+):(\d+)\)", place.words).groups()
                source = (ROOT / file).read_text().split("\n")[int(line) - 1]
                self.assertIn("alloc", source)
                named.add((name, function))
        self.assertLess({("particles", "ignite"), ("sounds", "play"),
                         ("enemies", "spawn")}, named)

    def test_without_sites_massif_has_the_same_allocators_and_no_line(self):
        whole, _ = ms_print(self.sites)
        less, _ = ms_print(self.trace("massif", "--no-sites"))
        self.assertEqual([without_lines(one) for one in whole], less)
        self.assertNotEqual(whole, less)

    def test_the_same_run_made_twice_is_the_same_bytes_in_every_format(self):
        again = traced.run(self.folder / "again")
        for format_ in ("ctf", "chrome", "vcd"):
            first = content(self.trace(format_, name="first" + format_))
            self.assertEqual(first, content(self.trace(
                format_, result=again, name="second" + format_)), format_)
        self.assertEqual(content(self.sites),
                         content(self.trace("massif", result=again)))

    def test_packed_telemetry_gives_the_same_bytes(self):
        packed = shutil.copytree(self.result, self.folder / "packed")
        plain = packed / "telemetry.bin"
        with lzma.open(f"{plain}.xz", "wb") as file:
            file.write(plain.read_bytes())
        plain.unlink()
        self.assertEqual(content(self.trace("ctf", name="plain")),
                         content(self.trace("ctf", result=packed)))

    def test_frames_that_are_asked_for_are_told_of_as_in_the_whole(self):
        events = babeltrace(self.trace("ctf", "--from", 600, "--to", 1200))
        scene, whole = events[0], babeltrace(self.trace("ctf", name="whole"))
        self.assertEqual((600, "scene", {"words": "battle"}), scene)
        self.assertEqual([one for one in whole if 600 <= one.frame <= 1200],
                         events[1:])
        self.assertEqual({600, 1200}, {events[1].frame, events[-1].frame})

    def test_the_other_formats_keep_to_these_frames_too(self):
        words = "--from", 601, "--to", 1199
        times = [one["ts"] for one in self.chrome(*words) if "ts" in one]
        self.assertEqual((601 * US // SECOND, 1199 * US // SECOND),
                         (times[0], times[-1]))
        waves = gtkwave(self.trace("vcd", *words), self.folder)
        self.assertEqual({second * US for second in range(11, 20)},
                         {time for wave in waves.values() for time in wave})
        snapshots, _ = ms_print(self.trace("massif", *words))
        self.assertEqual([*range(11, 20)], [one.second for one in snapshots])
        self.assertIn("ignite", str(snapshots[0].tree))

    def test_by_itself_it_goes_into_the_folder_of_the_result(self):
        result = shutil.copytree(self.result, self.folder / "result")
        before = set(result.iterdir())
        for _ in range(2):  # The second takes the place of the first.
            for format_ in FORMATS:
                traced.say("trace", result, "--format", format_, "--no-sites")
        self.assertEqual({"trace.ctf", "trace.json", "trace.vcd", "massif.out"},
                         {one.name for one in set(result.iterdir()) - before})
        self.assertEqual(content(self.trace("ctf")), content(result / "trace.ctf"))


class Paper(traced.Traced):
    """What no run of half a minute has: telemetry by hand, in its folder."""

    def retold(self, *records, frames, is_whole=True):
        result = shutil.copytree(self.result, self.folder / "retold")
        (result / "telemetry.bin").write_bytes(b"".join(records))
        check = {"name": UNDAMAGED, "passed": is_whole, "detail": ""}
        (result / "summary.json").write_text(json.dumps(
            {**self.summary, "frames": frames, "results": [check]}))
        return result

    def test_what_a_firmware_prints_and_its_audits_find_is_read_back(self):
        words = 'say "ü", 100 % \\o/'
        result = self.retold(
            paper.hello(120, board='"\\o/"'), paper.healthy_sample(60),
            paper.text(words), paper.audit(words, 90, 1, 7),
            paper.healthy_sample(120), frames=120)
        events = babeltrace(self.trace("ctf", result=result))
        self.assertEqual([(60, "text", {"words": words}), (90, "audit", {
            "allocator": "sounds", "slot": 7, "words": words})],
            [one for one in events if one.name in ("text", "audit")])
        instants = [(one["name"], one["args"]["words"]) for one in json.loads(
            self.trace("chrome", result=result, name="json").read_text())[
                "traceEvents"] if "words" in one.get("args", ())]
        self.assertEqual([("text", words), ("sounds audit", words)], instants)
        waves = gtkwave(self.trace("vcd", result=result, name="vcd"), self.folder)
        self.assertEqual({1500000: 1}, waves["audit"])

    def test_counters_go_on_where_those_of_the_firmware_wrap(self):
        pools = (("two words", 100, 32, 1),)
        samples = [paper.sample(60 * at, paper.usage(1, allocs=at * 2**31))
                   for at in (1, 2, 3)]
        result = self.retold(paper.hello(180, pools=pools), *samples, frames=180)
        allocs = [one.fields["allocs"] for one in babeltrace(
            self.trace("ctf", result=result)) if one.name == "allocator"]
        self.assertEqual([2**31, 2**32, 3 * 2**31], allocs)
        waves = gtkwave(self.trace("vcd", result=result, name="vcd"), self.folder)
        self.assertEqual({US: 1}, waves["two_words.live"])

    def test_of_a_long_run_massif_has_a_hundred_moments_and_that_of_the_most(self):
        samples = [paper.sample(60 * at, paper.usage(90 if at == 1001 else at % 50))
                   for at in range(1, 3601)]
        result = self.retold(paper.hello(216000, pools=paper.POOLS[:1]), *samples,
                             frames=216000)
        snapshots, most = ms_print(self.trace("massif", "--no-sites", result=result))
        self.assertEqual((1001, 90 * 32), snapshots[most][:2])
        steps = Counter(b.second - a.second for a, b in zip(
            snapshots[::], snapshots[1:]) if 1001 not in (a.second, b.second))
        self.assertEqual([64], [*steps])
        self.assertLessEqual(len(snapshots), 100)

    def test_a_run_whose_telemetry_came_damaged_is_told_of_without_that(self):
        result = self.retold(paper.hello(), paper.healthy_sample(60), b"\0\0\0",
                             paper.healthy_sample(120), frames=120,
                             is_whole=False)
        events = babeltrace(self.trace("ctf", result=result))
        self.assertEqual([60, 120], [one.frame for one in events
                                     if one.name == "second"])

    def test_what_a_firmware_says_after_it_restarted_is_left_out(self):
        result = self.retold(paper.hello(), paper.healthy_sample(60), paper.hello(),
                             paper.healthy_sample(120), frames=60)
        events = babeltrace(self.trace("ctf", result=result))
        self.assertEqual({60}, {one.frame for one in events})


def change(waves, name, time, value):
    """Notes it, unless it was that before."""
    wave = waves.setdefault(name, {})
    if not wave or list(wave.values())[-1] != value:
        wave[time] = value


def area(wave, end):
    """The sum of what a wave was in each second."""
    total = value = 0
    for time in range(US, end + 1, US):
        value = wave.get(time, value)
        total += value
    return total


def without_lines(snapshot):
    tree = [root._replace(below=[one._replace(below=[]) for one in root.below])
            for root in snapshot.tree]
    return snapshot._replace(tree=tree)


if __name__ == "__main__":
    main()
