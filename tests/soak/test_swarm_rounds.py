# SPDX-License-Identifier: MIT
"""What the rounds of a swarm draw, come to and add up to, all of paper."""

import json
import shutil
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import paper
from harness import branches, scenario, swarm_draw, swarm_result, swarm_round
from harness.errors import CannotRun
from harness.options import HOST, Options
from harness.records import Place
from harness.swarm_draw import Chance, Round
from harness.swarm_result import Result

EACH = 600
DRAWN = Round(0, 77, {("enemies", "wave"): (2, 9), ("load", "percent"): (50,)},
              {"interrupts": "timer", "ask": True, "fail_nth": 3})


def used(name, peak):
    return SimpleNamespace(name=name, kind="pool", policy="drop", unit="slots",
                           capacity=90, peak=peak)


def outcome(taken=(), finding="", **peaks):
    ledger = SimpleNamespace(allocators=[used(*one) for one in peaks.items()],
                             state_hash=0xAB)
    return swarm_round.Outcome(DRAWN, ledger, {f"a.c:{at}:0" for at in taken},
                               {f"a.c:{at}:0" for at in (1, 2, 3)} | {"b.c:1:1"},
                               finding, False)


class Added(unittest.TestCase):
    def setUp(self):
        self.result = Result(Options(rounds=4, seed=5, plant="leak"), EACH)

    def add(self, *outcomes, firmware="game"):
        return [self.result.add(self.result.rounds, firmware, one, f"line {at}")
                for at, one in enumerate(outcomes)]

    def summary(self, was_stopped=False):
        with mock.patch.object(swarm_result, "origin", return_value={
                "date": "today", "command": "x"}):
            return self.result.summary([SimpleNamespace(name="game", options=None)],
                                       was_stopped, 1.23456)

    def test_what_is_new_of_a_round_is_said_and_kept(self):
        self.assertEqual(
            [["round 0, game: 2 new branches, highest use so far of a, 2 branches in"
              " all"], [], [], ["round 3, game: 1 new branch, 3 branches in all"]],
            self.add(outcome((1, 2), a=5, b=0), outcome((2,), a=5),
                     outcome(a=6, b=0), outcome((3,), a=6)))
        self.assertEqual([(0, 2, ["a"]), (2, 0, ["a"]), (3, 1, [])], [
            (one.number, one.branches, one.peaks) for one in self.result.kept])
        self.assertEqual([0, 2, 3], self.result.numbers())

    def test_of_many_peaks_three_are_said(self):
        for peaks, said in ((3, "p0, p1, p2,"), (4, "p0, p1, p2, more,")):
            result = Result(Options(rounds=4), EACH)
            words, = result.add(0, "game", outcome((1,), **{
                f"p{at}": 1 for at in range(peaks)}), "")
            self.assertIn(f"highest use so far of {said} 1 branch in all", words)

    def test_a_peak_is_the_highest_of_its_firmware_with_the_line_that_repeats_it(self):
        self.add(outcome(a=5), outcome(a=9), outcome(a=7))
        self.add(outcome(a=1), firmware="other")
        self.assertEqual(
            [("game", 9, 1, "line 1"), ("other", 1, 3, "line 0")],
            [tuple(one[key] for key in ("firmware", "peak", "round", "reproduce"))
             for one in self.summary()["peaks"]])

    def test_a_finding_is_said_and_those_alike_are_one_with_their_number(self):
        said = self.add(outcome(finding="fault at 0x1f"), outcome(finding="it hangs"),
                        outcome(finding="fault at 0x2e0"), outcome((1,)))
        self.assertEqual(["round 0, game: fault at 0x1f"], said[0])
        self.assertEqual([3, 0, 2, 1], self.result.numbers())
        page = self.summary()
        self.assertEqual([("fault at 0x1f", 0, 2), ("it hangs", 1, 1)], [
            (one["why"], one["round"], one["count"]) for one in page["findings"]])
        self.assertEqual(("fail", True, "round 0, game: fault at 0x1f"), tuple(
            page[key] for key in ("verdict", "complete", "why")))

    def test_all_rounds_without_a_finding_pass(self):
        self.add(outcome((1, 2)), outcome((2, 3)), outcome(), outcome())
        page = self.summary()
        self.assertEqual(
            ("pass", True, "4 rounds, 40 seconds of simulated time: no round failed, 3"
                           " of 4 branches reached"),
            tuple(page[key] for key in ("verdict", "complete", "why")))
        self.assertEqual((2400, 40.0, 1.235), tuple(page[key] for key in (
            "frames", "sim_seconds", "wall_seconds")))
        self.assertEqual({"seed": 5, "rounds": 4, "rounds_asked": 4,
                          "frames_of_a_round": EACH, "firmwares": ["game"]},
                         page["swarm"])
        self.assertEqual(("poison", "leak", {"date": "today"}), tuple(
            page[key] for key in ("checks", "plant", "origin")))
        self.assertEqual(
            {"reached": 3, "of": 4, "by_firmware": {"game": 3},
             "after_round": [2, 3, 3, 3],
             "files": [{"file": "a.c", "reached": 3, "of": 3},
                       {"file": "b.c", "reached": 0, "of": 1}]}, page["branches"])

    def test_branches_are_of_each_firmware_that_took_them(self):
        self.add(outcome((1, 2)))
        other = outcome((2, 3))
        other.known = {"c.c:1:0"}
        self.add(other, firmware="other")
        page = self.summary()["branches"]
        self.assertEqual(({"game": 2, "other": 2}, 3, 5),
                         tuple(page[key] for key in ("by_firmware", "reached", "of")))

    def test_too_few_rounds_are_complete_where_one_failed(self):
        self.add(outcome((1,)))
        self.assertEqual(("fail", False), tuple(
            self.summary()[key] for key in ("verdict", "complete")))
        self.add(outcome(finding="it hangs"))
        self.assertEqual(("fail", True), tuple(
            self.summary()[key] for key in ("verdict", "complete")))

    def test_a_swarm_that_was_stopped_is_neither_passed_nor_complete(self):
        self.add(outcome((1,)))
        page = self.summary(was_stopped=True)
        self.assertEqual(
            ("fail", False, "stopped after 1 round, 10 seconds of simulated time of 4"
                            " rounds"),
            tuple(page[key] for key in ("verdict", "complete", "why")))
        self.assertEqual((1, 4), (page["swarm"]["rounds"],
                                  page["swarm"]["rounds_asked"]))
        self.add(*[outcome()] * 3)
        self.assertFalse(self.summary(was_stopped=True)["complete"])

    def test_what_is_kept_says_what_it_was_told(self):
        self.add(outcome((1, 3)))
        kept, = self.summary()["kept"]
        self.assertEqual(
            {"round": 0, "firmware": "game", "seed": 77, "new_branches": 2,
             "told": "enemies.wave 2-9, load.percent 50, interrupts timer, ask,"
                     " fail-nth 3", "new_peaks": [], "state_hash": f"{0xAB:016x}",
             "reproduce": "line 0"}, kept)


def run(why="", state=1, counts=False, stopped=False, ledger=None):
    ledger = ledger or paper.Ledger()
    ledger.state_hash = state
    return SimpleNamespace(ledger=ledger, why=why, gcda="", program=SimpleNamespace(
        counts=counts), ending=SimpleNamespace(was_stopped=stopped))


def refusing(*places, **calls):
    """A ledger in which requests were refused on purpose."""
    ledger = paper.Ledger()
    ledger.places = [Place(0, 0, 9, count, 0, 0) for count in places]
    ledger.refusals = {name: SimpleNamespace(refused=count)
                       for name, count in calls.items()}
    return ledger


class Came(unittest.TestCase):
    """What a round comes to: counts by the first program, the second sanitized."""

    def play(self, first, last, branches=({"a"}, {"a", "b"}), options=Options()):
        runs = iter([first, last])
        firmware = swarm_round.Firmware("game", options, options, ["", ""])
        with tempfile.TemporaryDirectory() as name, \
                mock.patch.object(swarm_round, "_Run") as played, \
                mock.patch.object(swarm_round.branches, "branches",
                                  return_value=branches):
            played.return_value.play.side_effect = lambda _: next(runs)
            return swarm_round.play(firmware, DRAWN, "calm", Path(name), [])

    def test_what_either_program_fails_by_is_the_finding_the_sanitizer_s_first(self):
        for first, last, finding in (("", "", ""), ("bad", "", "bad"),
                                     ("", "worse", "worse"), ("bad", "worse", "worse")):
            came = self.play(run(first, counts=True), run(last))
            self.assertEqual((finding, {"a"}, {"a", "b"}, False), (
                came.finding, came.taken, came.known, came.was_stopped))

    def test_two_programs_that_play_differently_are_a_finding(self):
        self.assertEqual(
            "with sanitizers and without, it plays differently: state"
            f" {1:016x} and {2:016x}",
            self.play(run(state=2, counts=True), run(state=1)).finding)
        self.assertEqual("bad", self.play(run("bad", 2, True), run()).finding)

    def test_a_round_of_which_either_was_stopped_is_no_finding(self):
        for stopped in ((True, False), (False, True)):
            first, last = (run("x", at, at == 0, one) for at, one in enumerate(stopped))
            came = self.play(first, last)
            self.assertEqual((True, "", set(), set()), (
                came.was_stopped, came.finding, came.taken, came.known))

    def test_a_program_that_counts_nothing_though_it_ended_well_is_a_sentence(self):
        for options, name in ((Options(), "the demo"), (Options(elf="a.elf"), "a.elf"),
                              (Options(elf="a.elf", host="b"), "b")):
            with self.assertRaisesRegex(CannotRun, f"^{name} left no counts of its"):
                self.play(run(counts=True), run(), (set(), set()), options)
        self.assertEqual("bad", self.play(run("bad", counts=True), run(),
                                          (set(), set())).finding)

    def test_who_was_told_to_refuse_and_did_not_was_not_told(self):
        for ledger, told in ((refusing(), False), (refusing(0, 2), True),
                             (refusing(0, a=0, b=1), True),
                             (refusing(0, a=0), False)):
            came = self.play(run(counts=True), run(ledger=ledger))
            self.assertEqual(told, "fail_nth" in came.drawn.options)
            self.assertLess({"interrupts", "ask"}, {*came.drawn.options, "x"})

    def test_the_line_that_repeats_a_timer_s_round_is_of_the_host(self):
        for elf, host, again in (("", "", ""), ("a.elf", "b", "b"),
                                 ("a.elf", "", "a.elf")):
            options = Options(elf=elf, host=host, with_host=True)
            firmware = swarm_round.Firmware("x", options, options, [])
            timed = swarm_round.options_again(firmware, DRAWN, "s.toml")
            self.assertEqual((HOST, again, "", False, 77, "s.toml", 3), (
                timed.board, timed.elf, timed.host, timed.with_host, timed.seed,
                timed.scenario, timed.fail_nth))
            calm = swarm_round.options_again(firmware, Round(0, 77), "s.toml")
            self.assertEqual((options.board, elf, host, True), (
                calm.board, calm.elf, calm.host, calm.with_host))

    def test_a_firmware_is_known_by_a_round_that_was_told_nothing(self):
        able = paper.hello(sites=("mesh",), interrupts=4)
        for data, elf, sites, timed in (
                (able, "a.elf", ["mesh", "particles", "sounds"], True),
                (paper.hello(hooks=False), "a.elf", [], False),
                (paper.hello(hooks=False), "", [], True)):
            ledger = paper.ledger_of(data)
            ledger.settings = {"orders": 10}
            options = Options(elf=elf)
            firmware = swarm_round.Firmware("x", options, options, [])
            firmware.learn(ledger)
            self.assertEqual((sites, timed, {"particles": 100, "sounds": 16,
                                             "enemies": 8}),
                             (firmware.sites, firmware.timed, firmware.capacities))
            self.assertEqual({"orders": 10}, firmware.settings)
            self.assertEqual({(scenario.OWN, "orders")} if elf else
                             {*swarm_draw.demo_knobs()}, {*firmware.knobs})


class Followed(unittest.TestCase):
    """A program that says what is in a file."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def played(self, told, code=0, **asked):
        (self.folder / "told").write_bytes(told)
        program = self.folder / "program"
        program.write_text(f"#!/bin/sh\ncat '{self.folder}/told'\nexit {code}\n")
        program.chmod(0o755)
        return swarm_round._Run(
            Options(board=HOST, frames=60, **asked),
            swarm_round.Program(program, True, False), self.folder).play([])

    def test_it_fails_by_what_it_says_by_damage_and_by_its_exit_code(self):
        said = paper.healthy_run(60)
        self.assertEqual(("", 60), (self.played(said).why,
                                    self.played(said).ledger.frame))
        first = len(paper.hello(60))
        self.assertRegex(self.played(said[:first] + b"\x01" + said[first:]).why,
                         "telemetry undamaged: 1 damaged byte")
        self.assertRegex(self.played(said, 3).why, "ended with code 3")
        self.assertEqual("more", self.played(said + b"more").ledger.lines[-1][1])

    def test_text_within_its_records_is_told_beside_damage_as_in_a_run(self):
        said, first = paper.healthy_run(60), len(paper.hello(60))
        torn = said[:first + 9] + b"heap left: 12\n" + said[first + 9:]
        self.assertEqual(("", 1), (self.played(torn).why,
                                   self.played(torn).ledger.torn_records))
        self.assertRegex(self.played(torn + b"\x01").why,
                         "telemetry undamaged: 1 damaged byte, 1 sample; the firmware"
                         " printed within 1 record")

    def test_to_refuse_what_nobody_asks_for_is_no_failure(self):
        for name, value in (("fail_nth", 3), ("fail_rate", 0.5), ("fail_site", "mesh")):
            self.assertEqual("", self.played(paper.healthy_run(60, sites=("mesh",)),
                                             **{"fail_nth": 9, name: value}).why)

    def test_it_may_be_at_another_level_than_the_firmware_and_nothing_else(self):
        asked = "the firmware ran what was asked: checks 3, not 2"
        for level, host, why in ((2, "", ""), (3, "", asked), (3, "program", "")):
            came = self.played(paper.healthy_run(60, checks=level), checks="poison",
                               host=host, elf=host)
            self.assertEqual(why, came.why)
        with self.assertRaisesRegex(CannotRun, "checks 9, which this harness does not"):
            self.played(paper.healthy_run(60, checks=9), host="program", elf="program")


class Drawn(unittest.TestCase):
    """Out of many draws."""

    def setUp(self):
        knobs = {**swarm_draw.demo_knobs(), **swarm_draw.own_knobs(
            {"orders": 10, "life_frames": 9000})}
        self.firmware = swarm_round.Firmware(
            "x", Options(elf="x.elf"), Options(), [], knobs, ["mesh", "draw"],
            timed=True)

    def rounds(self, kept=(), count=400, **more):
        vars(self.firmware).update(more)
        return [swarm_draw.drawn_round(Chance(1, number), [self.firmware], EACH,
                                       list(kept)) for number in range(count)]

    def test_about_half_of_the_rounds_change_one_that_was_kept(self):
        kept = Round(0, 7, {("load", "percent"): (3,)}, {"ask": True, "fail_nth": 9})
        found = self.rounds([kept])
        for same, least, most in (
                (lambda one: one.seed == 7, 70, 100),
                (lambda one: one.seed == 7 and len(one.settings) > 1, 15, 40),
                (lambda one: one.options == kept.options, 85, 115),
                (lambda one: ("load", "percent") not in one.settings, 225, 265),
                (lambda one: one.settings.get(("load", "percent")) == (3,), 100, 135)):
            self.assertTrue(least < sum(map(same, found)) < most)
        self.assertEqual({("load", "percent"): (3,)}, kept.settings)

    def test_none_or_some_requests_are_refused_in_one_place_or_everywhere(self):
        found = [one.options for one in self.rounds()]
        some = [one for one in found if {"fail_nth", "fail_rate"} & set(one)]
        self.assertTrue(150 < len(some) < 250)
        self.assertFalse([one for one in some if len({"fail_nth", "fail_rate"}
                                                     & set(one)) > 1])
        nth = [one["fail_nth"] for one in some if "fail_nth" in one]
        self.assertEqual((1, 100), (min(nth), max(nth)))
        rates = [one["fail_rate"] for one in some if "fail_rate" in one]
        self.assertEqual((0.0001, 0.5), (min(rates), max(rates)))
        sites = Counter(one.get("fail_site") for one in some)
        self.assertEqual({None, "mesh", "draw"}, set(sites))
        self.assertTrue(70 < sites[None] < 130)
        self.assertFalse([one for one in found if "fail_site" in one and
                          one not in some])

    def test_who_cannot_be_told_is_not(self):
        for name, more in (("interrupts", {"timed": True}), ("ask", {"sites": ["a"]})):
            for is_able, told in (({"timed": False, "sites": []}, False), (more, True)):
                with self.subTest(name, told=told):
                    found = sum(name in one.options for one in self.rounds(
                        **{"timed": False, "sites": [], **is_able}))
                    self.assertEqual(told, 150 < found < 250)
                    self.assertTrue(told or not found)

    def test_frames_and_what_is_told_are_within_a_round_and_what_may_be_said(self):
        most = Counter()
        for one in self.rounds():
            for name, numbers in one.settings.items():
                key = self.firmware.knobs[name]
                self.assertEqual(len(key.names), len(numbers))
                self.assertEqual(sorted(numbers), list(numbers))
                self.assertLessEqual(key.low, numbers[0])
                most[name] = max(most[name], numbers[-1])
        for (table, key), number in most.items():
            low, high = self.firmware.knobs[table, key][1:]
            if table == "load":
                high = 100
            elif table in ("storms", "lulls", "scenes") and key != "times":
                high = EACH // 60
            elif "frames" in key:
                high = max(low, EACH)
            self.assertEqual(high, number, (table, key))

    def test_a_magnitude_is_as_likely_as_another_and_the_ends_more_so(self):
        chance = Chance(1, 1)
        found = Counter(chance.spread(10, 9999) for _ in range(4000))
        self.assertEqual((10, 9999), (min(found), max(found)))
        self.assertTrue(480 < found[10] < 800, found[10])
        self.assertTrue(180 < found[9999] < 320, found[9999])
        for low in (11, 100, 1000):
            number = sum(count for one, count in found.items()
                         if low <= one < 10 * low and one != 9999)
            self.assertTrue(850 < number < 1250, (low, number))
        self.assertEqual({0, 1, 2}, {chance.spread(0, 2) for _ in range(99)})
        self.assertTrue(600 < Counter(chance.spread(1, 2) for _ in range(1000))[1]
                        < 690)

    def test_twice_a_setting_is_at_most_what_a_word_holds(self):
        knobs = swarm_draw.own_knobs({"a": 2**31, "b": 2**31 - 1})
        self.assertEqual([2**32 - 1, 2**32 - 2], [one.high for one in knobs.values()])

    def fitted(self, settings, enemies=48):
        asked = {"wave_frames": 120, "wave_low": 4, "wave_high": 12,
                 "enemy_frames_low": 30, "enemy_frames_high": 400}
        return swarm_draw.fitted(Round(0, 7, settings, {"ask": True}), {
            "enemies": enemies, "meshes_arena": 2048}, asked)

    def test_what_fits_stays_and_what_does_not_is_made_to_fit(self):
        self.assertEqual({("meshes", "words"): (9, 496)}, self.fitted(
            {("meshes", "words"): (9, 497)}).settings)
        self.assertEqual({}, self.fitted({}).settings)
        wave, life = ("enemies", "wave"), ("enemies", "enemy_frames")
        for told, fits in (({wave: (5, 60)}, {wave: (5, 48), life: (30, 120)}),
                           ({wave: (50, 60)}, {wave: (48, 48), life: (30, 120)}),
                           ({wave: (0, 0)}, {wave: (0, 0), life: (30, 400)}),
                           ({life: (500, 900)}, {wave: (4, 12), life: (480, 480)}),
                           ({("enemies", "wave_frames"): (10,)},
                            {wave: (4, 12), life: (30, 40)})):
            self.assertEqual({**told, **fits}, self.fitted(told).settings)
        self.assertEqual((7, {"ask": True}), (self.fitted({}).seed,
                                              self.fitted({}).options))

    def test_a_scenario_says_first_why_it_is_there(self):
        self.assertEqual(
            "# Round 3\nscenario = 1\n\n[demand]\nidle_pools = 1\n\n[enemies]\n"
            "wave = [2, 9]\n\n[load]\npercent = 50\n",
            swarm_draw.scenario_text(DRAWN, "Round 3"))


class Counted(unittest.TestCase):
    """What gcov says of a round, which is made of paper."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)

    def counted(self, *files, code=0):
        """`files`: (folder, file, {line: counts of its branches})."""
        pages = [json.dumps({"current_working_directory": folder, "files": [{
            "file": name, "lines": [{"line_number": line, "branches": [
                {"count": count} for count in counts]}
                for line, counts in lines.items()]}]}) for folder, name, lines in files]
        gcov = SimpleNamespace(returncode=code, stdout="\n".join(pages) + "\n\n",
                               stderr="its words")
        (self.folder / "a.gcda").touch()
        with mock.patch.object(branches.subprocess, "run", return_value=gcov) as run:
            found = branches.branches(self.folder)
        self.assertEqual(str(self.folder / "a.gcda"), run.call_args[0][0][-1])
        return found

    def test_a_branch_has_its_file_line_and_number_and_was_taken_in_any_page(self):
        lib = f"{paper.ROOT}/build/../lib"
        self.assertEqual(
            ({"lib/core/a.c:7:1", "lib/core/a.c:9:0", "/game/b.c:3:0"},
             {"lib/core/a.c:7:0", "lib/core/a.c:7:1", "lib/core/a.c:9:0",
              "/game/b.c:3:0"}),
            self.counted((lib, "core/a.c", {7: (0, 5), 8: (), 9: (0,)}),
                         ("/x", f"{lib}/core/a.c", {7: (0, 0), 9: (1,)}),
                         ("/game", "b.c", {3: (2,)}),
                         ("/game", "/usr/include/c.h", {3: (2,)})))

    def test_what_watches_is_not_watched_wherever_it_lies(self):
        root = paper.ROOT
        for path, watched in (
                (f"{root}/lib/core/tp_core.c", True),
                (f"{root}/qemu/game/game.c", True),
                ("/game/main.c", True), (f"{root}/qemu/rig/main.c", False),
                (f"{root}/qemu/boards/host.c", False), ("/usr/include/a.h", False),
                (f"{root}/qemu/semihost_host.c", False), ("/x/tp_soak.c", False),
                (f"{root}/port/host/tp_port.c", False), ("/gone/net_pools.c", False)):
            self.assertEqual(watched, branches.is_watched(path), path)

    def test_counts_that_gcov_does_not_read_are_a_sentence_and_none_are_none(self):
        self.assertEqual((set(), set()), branches.branches(self.folder))
        for files, code in (((), 0), ((("/", "a.c", {1: (1,)}),), 1)):
            with self.assertRaisesRegex(CannotRun, "gcov does not read") as caught:
                self.counted(*files, code=code)
            self.assertEqual("its words", caught.exception.output)

    def test_what_the_compiler_noted_is_copied_beside_the_counts_once(self):
        built = self.folder / "built"
        built.mkdir()
        (built / "a.gcno").write_text("notes")
        inside = self.folder / "round" / str(built).lstrip("/")
        inside.mkdir(parents=True)
        for name in ("a", "gone"):
            (inside / f"{name}.gcda").touch()
        for text in ("notes", "own"):
            with mock.patch.object(branches, "_pages", return_value=[]) as pages:
                branches.branches(self.folder / "round")
            pages.assert_called_with([inside / "a.gcda", inside / "gone.gcda"])
            self.assertEqual(text, (inside / "a.gcno").read_text())
            (inside / "a.gcno").write_text("own")
        branches.forget(self.folder / "round")
        self.assertEqual(["a.gcno"], [one.name for one in inside.iterdir()])

    def test_a_program_without_counters_is_refused(self):
        program = self.folder / "a.elf"
        program.write_bytes(b"\177ELF /x/a.gcda")
        branches.refuse_without_counters(program)
        program.write_bytes(b"\177ELF")
        with self.assertRaisesRegex(CannotRun, "a.elf counts no branches"):
            branches.refuse_without_counters(program)


if __name__ == "__main__":
    unittest.main()
