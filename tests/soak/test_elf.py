# SPDX-License-Identifier: MIT
"""Somebody's own firmware: built with qemu/telemetry/, soaked and judged."""

import json
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import command
import trials
from checkout import Checkout
from harness.caller_checks import NAMED
from harness.plants import LASTING
from harness.question_checks import ANSWERS, ANYWHERE
from support import HANG_SECONDS, ROOT, build, is_full, tool

FRAMES = 3600


def soak(elf, *more, why=False):
    """(exit code, summary) of a run of that firmware."""
    with tempfile.TemporaryDirectory() as out:
        said = command.soak("run", "--elf", elf, "--frames", FRAMES, "--out", out,
                            "--json", "--no-share",
                            *(() if why else ("--no-why",)), *more)
        return said.code, json.loads(said.out)


class OwnFirmware(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = build(trials.BOARD, "poison", "soaked", "soaked_badly")

    def soak(self, *more, **how):
        return soak(self.folder / "soaked.elf", *more, **how)

    def scenario(self, settings):
        file = tempfile.NamedTemporaryFile("w", suffix=".toml")
        file.write(f"scenario = 1\n[settings]\n{settings}")
        file.flush()
        return file

    def passes(self, *more):
        code, summary = self.soak(*more)
        self.assertEqual((code, summary["verdict"]), (0, "pass"), summary["why"])
        return summary

    def test_a_firmware_that_tells_nothing_is_refused_before_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            mute = Path(folder) / "mute"
            source = mute.with_suffix(".c")
            source.write_text("void tp_soak_begin(void);\nvoid _start(void)\n{\n}\n")
            tool("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-g3", "-nostdlib",
                 source, "-o", mute)
            self.assertIn(f"{mute} has no telemetry", self.refused("--elf", mute))

    def refused(self, *more):
        """What is said of a run that is not begun."""
        with tempfile.TemporaryDirectory() as out:
            said = command.soak("run", "--elf", self.folder / "soaked.elf", "--frames",
                                FRAMES, "--out", out, "--no-share", *more)
        self.assertEqual(said.code, 2, said.out)
        return said.error

    def test_a_firmware_of_ones_own_is_soaked_and_passes(self):
        summary = self.passes("--seed", "7")
        self.assertEqual(summary["frames"], FRAMES)
        orders, clients = summary["pools"][:2]
        self.assertEqual((orders["name"], orders["policy"]),
                         ("orders", "drop"))
        self.assertEqual((clients["peak"], clients["policy"]), (1, "assert"))
        self.assertGreater(orders["allocs"], 1000)

    def test_every_allocator_of_it_is_watched_whatever_its_kind(self):
        summary = self.passes()
        kinds = {one["name"]: (one["kind"], one["unit"])
                 for one in summary["pools"] + summary["allocators"]}
        self.assertEqual({name: kinds[name] for name in (
            "garden", "recipe", "ledger", "bill", "notes", "notes_8", "plates",
            "menus", "menus_arena", "house", "scenes")}, {
            "garden": ("pool", "slots"), "recipe": ("stack", "bytes"),
            "ledger": ("stack", "bytes"), "bill": ("frame", "bytes"),
            "notes": ("blocks", "bytes"), "notes_8": ("pool", "slots"),
            "plates": ("dense", "objects"), "menus": ("relocating", "blocks"),
            "menus_arena": ("relocating", "bytes"), "house": ("nest", "bytes"),
            "scenes": ("scenes", "bytes")})
        idle = [one["name"] for one in summary["pools"] + summary["allocators"]
                if not one["peak"]]
        self.assertEqual(idle, ["alarms", "parcels"])  # Spares.

    def test_a_share_of_it_is_asked_though_it_has_no_timer(self):
        summary = self.passes("--frames", "600", "--share")
        checks = {one["name"]: one for one in summary["results"]}
        self.assertIsNone(checks[ANYWHERE]["passed"])
        self.assertIn("hands over no timer", checks[ANYWHERE]["detail"])
        self.assertTrue(checks[ANSWERS]["passed"])
        self.assertGreater(sum(one["asked"] for one in summary["questions"]), 2000)

    def test_where_no_level_is_said_it_is_that_which_it_was_built_for(self):
        fast = build(trials.BOARD, "fast", "soaked") / "soaked.elf"
        code, summary = soak(fast, "--frames", "600")
        self.assertEqual((code, summary["checks"]), (0, "fast"), summary["why"])
        self.assertIn("--checks fast", summary["reproduce"])

    def test_policies_have_their_own_names(self):
        policies = {one["name"]: one["policy"] for one in self.passes()["pools"]}
        self.assertEqual(
            {name: policies[name] for name in ("tables", "tunes", "guests")},
            {"tables": "spill", "tunes": "steal-oldest", "guests": "turn_away"})

    def test_figures_expectations_costs_and_scenes_of_its_own_are_told(self):
        summary = self.passes()
        self.assertEqual([(one["name"], one["unit"], one["last"])
                          for one in summary["figures"]],
                         [("turned away", "guests", 150)])
        self.assertEqual([(one["name"], one["calls"]) for one in summary["costs"]],
                         [("take an order", FRAMES)])
        self.assertEqual([one["name"] for one in summary["scenes"]][:3],
                         ["noon", "evening", "noon"])
        checks = {one["name"]: one["detail"] for one in summary["results"]}
        self.assertEqual(checks["a full house is full"], "asked 150 times")

    def test_an_expectation_that_fails_is_a_check_that_fails(self):
        with self.scenario("mood = 100\n") as file:
            code, summary = self.soak("--scenario", file.name)
        failed = {one["name"] for one in summary["results"] if one["passed"] is False}
        self.assertEqual((code, failed), (1, {"the mood is bearable"}))

    def test_requests_are_refused_at_every_place_or_of_one_allocator(self):
        summary = self.passes("--fail-nth", "3")
        refused = {one["allocator"]: one["refused_on_purpose"]
                   for one in summary["places"]}
        self.assertEqual(refused["clients"], 0)  # They may not be refused.
        for name in ("orders", "tables", "recipe", "bill", "notes", "plates", "menus"):
            self.assertGreater(refused[name], 10, name)
        summary = self.passes("--fail-rate", "0.1", "--fail-site", "orders")
        refused = {one["allocator"] for one in summary["places"]
                   if one["refused_on_purpose"]}
        self.assertEqual(refused, {"orders"})

    def test_a_place_that_the_firmware_has_a_name_for_can_be_refused_alone(self):
        summary = self.passes("--fail-nth", "3", "--fail-site", "till")
        self.assertEqual(summary["refusals"], [
            {"requests": FRAMES, "refused": FRAMES // 3, "name": "till"}])
        self.assertEqual({one["allocator"]: one["refused_on_purpose"]
                          for one in summary["places"] if one["refused_on_purpose"]},
                         {"notes": FRAMES // 3})

    def test_what_an_allocator_refused_is_told_of_the_place_that_asked(self):
        for more in ((), ("--fail-nth", "3")):
            summary = self.passes(*more)
            at_places = Counter()
            for place in summary["places"]:
                at_places[place["allocator"]] += place["refused"]
            allocators = summary["pools"] + summary["allocators"]
            self.assertGreater(sum(at_places.values()), 100)
            self.assertEqual(
                {one["name"]: one["refused"] for one in allocators
                 if one["name"] in at_places}, dict(at_places))

    def test_who_holds_what_is_known_by_its_line(self):
        places = {one["allocator"]: one for one in self.passes()["places"]}
        orders = places["orders"]
        self.assertRegex(orders["line"],
                         r"^take_orders\(\) at tests/soak/firmware/main\.c:\d+$")
        self.assertGreater(orders["held"], 0)
        self.assertEqual(places["clients"]["held"], 0)

    def test_what_the_library_finds_is_planted_and_found(self):
        for plant, kind in (("double-free", "double-free"), ("foreign", "foreign"),
                            ("interior", "interior"), ("flip-link", "link"),
                            ("flip-descriptor", "invariant"),
                            ("write-after-free", "poison"), ("flip-free", "poison"),
                            ("unbalanced-pin", "pin")):
            code, summary = self.soak("--plant", plant)
            self.assertEqual(code, 1, plant)
            self.assertEqual([one["kind"] for one in summary["faults"]], [kind])
            self.assertEqual(summary["planted"]["frame"], FRAMES // 2)
        for plant, text in (
                ("lost-unlock", "interrupts are masked: an unlock was lost"),
                ("flip-age", "the age ring is broken")):
            code, summary = self.soak("--plant", plant)
            self.assertEqual((code, summary["planted"]["found"]),
                             (1, {"how": text, "frames": 0}))

    def test_what_goes_on_and_on_is_planted_and_found(self):
        """Each over as many frames as it takes, some of which are learned from."""
        for plant, frames, line, guilty in (
                ("slow-leak", 18060, "orders: at least ", "leak"),
                *[("slow-frame", 36000, "with such a frame, the first is 18 000", ""),
                  ("flash-store", 300, "QEMU ended with code 3 after frame 120", "")
                  ] * is_full(),
                ("slow-frames", 36000, "from 00:05:00 on a frame takes ", "burn"),
                ("figure-drift", 18060, "what was planted is flat frames drifted",
                 "tell_more"),
                ("null-store", 300, "QEMU ended with code 3 after frame 120", ""),
                ("deep-stack", 600, "main: 32 768 of 32 768 bytes", "go_deep")):
            code, summary = self.soak("--plant", plant, "--frames", str(frames),
                                      why=bool(guilty))
            self.assertEqual(code, 1, plant)
            if guilty:
                self.assertEqual(summary["cause"]["function"], guilty)
            self.assertIn(line, "\n".join(f"{one['name']} {one['detail']}"
                                          for one in summary["results"]))
            self.assertEqual(summary["planted"]["found"]["how"],
                             LASTING[plant].checks[0])
            if plant == "slow-leak":
                self.assertIn("issued by ", "".join(
                    check["detail"] for check in summary["results"]
                    if check["name"] == "no object outlives its pool's life"))

    def test_it_passes_though_its_clock_wraps_half_way(self):
        summary = self.passes("--near-wrap")
        self.assertEqual(summary["scenes"][1]["frame"], 240)
        checks = {one["name"]: one["detail"] for one in summary["results"]}
        self.assertEqual(checks["the clock wraps and nothing else happens"],
                         f"it started at {2**32 - FRAMES // 2}")

    def test_why_goes_back_to_an_audit_of_it(self):
        with tempfile.TemporaryDirectory() as out:
            words = ["run", "--elf", self.folder / "soaked.elf", "--frames", "3600",
                     "--out", out, "--plant", "lost-unlock", "--no-why"], ["why", out]
            for arguments in words:
                told = subprocess.run(
                    [sys.executable, ROOT / "qemu" / "soak", *arguments],
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, text=True, timeout=HANG_SECONDS)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertRegex(told.stdout, r"the lock that was not given back was taken"
                                      r" by .*, in frame 1800:\n")
        self.assertIn("tp_soak_check_lock() at qemu/telemetry/tp_soak.c", told.stdout)

    def test_what_was_planted_and_not_found_is_worth_knowing(self):
        warnings = self.soak("--plant", "overrun")[1]["warnings"]
        self.assertIn("overrun was planted in frame 1800 and not found by its name:"
                      " that takes --checks full", warnings)

    def test_a_scenario_of_its_own_has_settings_it_must_ask_for(self):
        with self.scenario("mood = 3\n") as file:
            moody = self.passes("--scenario", file.name)
            self.assertNotEqual(moody["state_hash"],
                                self.passes()["state_hash"])
            file.write("wether = 2\n")
            file.flush()
            code, summary = self.soak("--scenario", file.name)
            self.assertEqual(code, 1)
            self.assertIn("never asked for: wether", summary["why"])

    def test_what_it_cannot_do_is_refused_with_a_sentence(self):
        for words, said in (
                (("--plant", "leak"), "--plant leak is a mistake of the demo's code"),
                (("--fail-site", "orders"), "add --fail-nth N or --fail-rate P"),
                (("--fail-site", "nobody", "--fail-nth", "2"),
                 "has a name for; there are till, orders, tables, "),
                (("--fail-site", "clients", "--fail-nth", "2"),
                 "--fail-site clients: it is an allocator that may refuse, or a"),
                (("--scenario", "battle"), '"emitters" is unknown'),
                (("--interrupts", "timer"), "hands over no timer, which --interrupts"),
                (("--board", "microbit"), "was built for Armv7-M, which the cortex-m0"
                                          " of microbit does not run"),
                (("--board", "mps2_an386"),
                 "was built for mps2_an385, not mps2_an386")):
            self.assertIn(said, self.refused(*words), words)

    def test_a_profile_of_another_level_is_refused_too(self):
        told = subprocess.run(
            [sys.executable, ROOT / "qemu" / "soak", "profile", "--elf",
             self.folder / "soaked.elf", "--frames", "60", "--checks", "fast"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, timeout=HANG_SECONDS)
        self.assertEqual((told.returncode, told.stdout), (2, ""))
        self.assertIn("was built with checks poison, not fast", told.stderr)

    def test_another_seed_is_another_run(self):
        hashes = {self.soak("--seed", seed)[1]["state_hash"]
                  for seed in ("7", "7", "8")}
        self.assertEqual(len(hashes), 2)

    def test_who_writes_where_no_dense_object_is_any_more_is_named_by_its_line(self):
        with self.scenario("smear = 779\n") as file:
            code, summary = self.soak("--scenario", file.name, why=True)
        text = (ROOT / "tests/soak/firmware/main.c").read_text().split("\n")
        wrong = next(line for line, what in enumerate(text, 1) if "= smear)" in what)
        self.assertEqual(
            (1, [("plates", 779, "its metadata or its free memory is broken")], wrong),
            (code, [(one["pool"], one["frame"], one["text"])
                    for one in summary["audits"]],
             summary["cause"]["line"]))

    def test_its_mistake_is_named_with_its_line(self):
        code, summary = soak(self.folder / "soaked_badly.elf")
        self.assertEqual((code, summary["verdict"]), (1, "fail"))
        fault = summary["faults"][0]
        self.assertEqual((fault["kind"], fault["pool"], fault["frame"]),
                         ("double-free", "orders", 700))
        self.assertIn("tests/soak/firmware/main.c", summary["why"])

    def test_what_it_told_of_itself_is_told_of_a_run_that_ends_in_a_fault_too(self):
        _, summary = soak(self.folder / "soaked_badly.elf")
        checks = {one["name"]: one["detail"] for one in summary["results"]}
        self.assertEqual("asked 700 times", checks["a tune that begins plays"][:15])
        self.assertEqual([("take an order", 700)], [
            (one["name"], one["calls"]) for one in summary["costs"]])


class Dungeon(unittest.TestCase):
    def test_the_dungeon_passes_though_its_clock_wraps(self):
        elf = build(trials.BOARD, "poison", "dungeon") / "dungeon.elf"
        code, summary = soak(elf, "--near-wrap")
        self.assertEqual(code, 0, summary["why"])

    def test_the_dungeon_passes_and_every_allocator_of_it_is_used(self):
        for level in ("poison", *["full"] * is_full()):
            elf = build(trials.BOARD, level, "dungeon") / "dungeon.elf"
            code, summary = soak(elf, "--seed", "3", "--checks", level)
            self.assertEqual(code, 0, summary["why"])
            kinds = {one["kind"] for one in summary["pools"]
                     + summary["allocators"] if one["peak"]}
            self.assertEqual(kinds, {"pool", "stack", "frame", "blocks", "nest",
                                     "scenes", "dense", "relocating"})
            cuts = {one["name"]: [cut["capacity"] for cut in one["cuts"]]
                    for one in summary["pools"] + summary["allocators"]}
            self.assertEqual(cuts["baggage"], [64, 512])
            self.assertEqual((cuts["motes"], cuts["scratch"]), ([12, 40], [256, 512]))

    def test_a_timer_of_it_interrupts_it_anywhere(self):
        elf = build(trials.BOARD, "full", "dungeon") / "dungeon.elf"
        runs = [soak(elf, "--interrupts", "timer", "--checks", "full", "--seed", seed)
                for seed in "33"]
        for code, summary in runs:
            self.assertEqual((code, summary["irqs"]), (0, FRAMES - 1), summary["why"])
        knocks = [one["allocs"] for _, summary in runs for one in summary["pools"]
                  if one["name"] == "sounds"]
        self.assertEqual(knocks[0], knocks[1])
        self.assertGreater(knocks[0], FRAMES / 2)


class Tasks(unittest.TestCase):
    """qemu/examples/tasks: no frame loop, but a task that is woken by each tick."""

    @classmethod
    def setUpClass(cls):
        cls.elf = build(trials.BOARD, "poison", "soaked_tasks") / "soaked_tasks.elf"

    def test_a_firmware_of_tasks_passes_with_a_tick_as_its_frame(self):
        code, summary = soak(self.elf, "--fail-nth", "9")
        self.assertEqual((code, summary["frames"]), (0, FRAMES), summary["why"])
        messages = summary["pools"][0]
        self.assertEqual((messages["peak"], messages["full_frames"] > 9), (6, True))
        self.assertGreater(summary["places"][0]["refused_on_purpose"], 100)
        self.assertEqual(["2 of 2 that rows say were seen"], [
            one["detail"] for one in summary["results"]
            if one["name"] == NAMED])

    def test_a_mistake_among_tasks_is_found(self):
        code, summary = soak(self.elf, "--plant", "write-after-free")
        self.assertEqual((code, summary["faults"][0]["kind"]), (1, "poison"))


class OwnFirmwareOfPaper(unittest.TestCase):
    def setUp(self):
        self.checkout = Checkout(self)
        self.elf = self.checkout.own_firmware()

    def run_it(self, *more, play="well"):
        """(exit code, stderr) of an hour: more than the paper would last."""
        process = self.checkout.start("--elf", self.elf, "--hours", "1", "--out",
                                      str(self.checkout.out), *more, play=play)
        _, stderr = process.communicate(timeout=HANG_SECONDS)
        return process.returncode, stderr

    def test_another_level_than_it_was_built_for_is_refused_at_its_hello(self):
        code, stderr = self.run_it("--checks", "fast", play="on")
        self.assertEqual(code, 2)
        self.assertEqual(stderr, f"soak: {self.elf} was built with checks poison,"
                                 " not fast; say --checks poison, or build it and"
                                 " its library with TP_CHECKS=1.\n")
        self.assertEqual(list(self.checkout.out.iterdir()), [])

    def test_a_firmware_that_restarts_has_failed_and_is_stopped_at_once(self):
        code, stderr = self.run_it(play="twice")
        summary = json.loads((self.checkout.out / "summary.json").read_text())
        self.assertEqual((code, stderr), (1, ""))
        self.assertEqual("the run finished: the firmware restarted after frame 600"
                         " of 216 000", summary["why"])

    def test_a_level_that_nobody_knows_is_refused_too(self):
        code, stderr = self.run_it(play="of level 9")
        self.assertEqual(code, 2)
        self.assertIn("says it has checks 9, which this harness does not know",
                      stderr)
