# SPDX-License-Identifier: MIT
"""A swarm: what it draws, reaches, keeps and repeats, and what it finds."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import trials
from command import say
from support import HANG_SECONDS, ROOT, build
from harness import (branches, cli, scenario, swarm_draw, swarm_result, swarm_round,
                     swarm_tables)
from harness.options import HOST, Options
from harness.result_folder import SWARM
from harness.swarm import Swarm
from harness.swarm_firmwares import firmwares_of

sys.path.insert(0, str(ROOT / "lib" / "config"))
from generator import check  # noqa: E402

ROUNDS, EACH = 40, 600
MISTAKE = "overrun"
# Stopped while it writes its counts.
TORN = f"""#!{sys.executable}
import os, time
from pathlib import Path
folder = Path(os.environ["GCOV_PREFIX"])
folder.mkdir(parents=True)
(folder / "half_written.gcno").write_bytes(b"")
(folder / "half_written.gcda").write_bytes(b"")
time.sleep(600)
"""


class StopOnce(list):
    """Ctrl-C, as soon as there is such a file."""

    def __init__(self, path):
        super().__init__(["Ctrl-C"])
        self._path = path

    def __bool__(self):
        return self._path.exists()


class Played(unittest.TestCase):
    """Without smaller tables, which would be built for this alone."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.out = Path(folder.name)
        (cls.out / SWARM).mkdir()
        with mock.patch.object(swarm_tables, "SHARES", {}):
            cls.firmwares = firmwares_of(cls.options(), EACH, cls.out, lambda _: None)
        cls.said = []
        cls.result = cls.play(cls.options(), cls.said.append)

    @classmethod
    def options(cls, rounds=ROUNDS, **more):
        return Options(swarm=True, rounds=rounds, frames=rounds * EACH, board=HOST,
                       checks="full", out=str(cls.out), **more)

    @classmethod
    def play(cls, options, told=lambda _: None):
        return Swarm(options, cls.firmwares, cls.out, told).play()

    def churn(self, frames):
        """How many branches one run reaches, nothing drawn."""
        shooter = self.firmwares[0]
        path = self.out / "churn.toml"
        drawn = swarm_draw.first_round(0, 1)
        path.write_text(swarm_draw.scenario_text(drawn, "churn"))
        options = replace(shooter.options, frames=frames)
        shooter = replace(shooter, options=options)
        folder = self.out / f"churn-{frames}"
        return len(swarm_round.play(shooter, drawn, path, folder, []).taken)

    def test_it_reaches_a_fifth_more_branches_than_churn_in_as_many_frames(self):
        churn, tenth = (self.churn(ROUNDS * EACH // share) for share in (1, 10))
        reached = self.result["branches"]
        print(f"soak: a swarm reaches {reached['reached']} branches of {reached['of']},"
              f" {reached['by_firmware']['shooter']} of them in the shooter, churn"
              f" {churn}, a tenth of it {tenth}")
        self.assertEqual(ROUNDS * EACH, self.result["frames"])
        self.assertGreaterEqual(100 * reached["reached"], 120 * churn)
        self.assertGreater(reached["by_firmware"]["shooter"], churn)
        told = re.findall(r"^\| (?:one run|a tenth|of the shooter).* (\d+) \|$",
                          (ROOT / "qemu/README.md").read_text(), re.M)
        for number, figure in zip((churn, tenth, reached["by_firmware"]["shooter"],
                                   reached["reached"]), told, strict=True):
            self.assertAlmostEqual(number, int(figure), delta=number // 20)

    def test_the_same_seed_draws_the_same_however_many_play_at_once(self):
        rounds = 12
        again = self.play(self.options(rounds, jobs=1))
        whole = [one for one in self.result["kept"] if one["round"] < rounds]
        self.assertEqual(self.result["branches"]["after_round"][:rounds],
                         again["branches"]["after_round"])
        self.assertEqual(whole, again["kept"])

    def test_the_line_of_what_was_kept_plays_the_same_and_passes(self):
        for name, feature in (("shooter", "fail"), ("dungeon", "fail"),
                              ("shooter", "timer"), ("dungeon", "timer")):
            kept = next(one for one in self.result["kept"]
                        if one["firmware"] == name and feature in one["told"])
            words = shlex.split(kept["reproduce"])[1:]
            out = self.out / f"again-{name}-{feature}"
            self.assertIn("--scenario", words)
            self.assertEqual(0, say(*words, "--out", out)[0], kept)
            again = json.loads((out / "summary.json").read_text())
            self.assertEqual(kept["state_hash"], again["state_hash"])

    def test_what_is_kept_reached_something_first_and_nothing_else_is_left(self):
        self.assertEqual([], [one for one in self.result["kept"]
                              if not one["new_branches"] and not one["new_peaks"]])
        self.assertEqual(self.result["branches"]["reached"], sum(
            one["new_branches"] for one in self.result["kept"]))
        for one in self.result["peaks"]:
            self.assertIn(one["round"], [kept["round"] for kept in self.result["kept"]])

    def test_what_fails_in_a_round_fails_the_swarm_with_its_line(self):
        firmwares = [replace(one, options=replace(
            one.options, plant=MISTAKE), repeat=replace(
                one.repeat, plant=MISTAKE)) for one in self.firmwares[:1]]
        options = self.options(4, plant=MISTAKE)
        result = Swarm(options, firmwares, self.out, self.said.append).play()
        finding, = result["findings"]
        self.assertEqual(("fail", True), (result["verdict"], result["complete"]))
        self.assertIn("write_behind() at qemu/telemetry/tp_plant.c", finding["why"])
        self.assertIn(finding["why"], result["why"])
        self.assertIn(f"--plant {MISTAKE}", finding["reproduce"])


class Told(unittest.TestCase):
    """By the command line alone."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "out"

    def swarm(self, *words):
        return say("run", "--swarm", "--out", self.out, *words)

    def test_a_firmware_of_ones_own_is_played_by_its_program(self):
        program = build("host", "full", "dungeon", kind=branches.KIND,
                        **branches.SETTINGS) / "dungeon.elf"
        code, said = self.swarm("--elf", program, "--board", "host", "--checks", "full",
                                "--frames", 720, "--rounds", 12)
        summary = json.loads((self.out / "summary.json").read_text())
        self.assertEqual(0, code, said)
        self.assertEqual(["dungeon"], summary["swarm"]["firmwares"])
        self.assertIn("lib/allocator/tp_nest.c", [
            one["file"] for one in summary["branches"]["files"] if one["reached"]])
        report = (self.out / "report.html").read_text()
        scenarios = [path.name for path in (self.out / SWARM).iterdir()]
        for one in summary["kept"]:
            self.assertIn(one["reproduce"], report)
            self.assertIn(f"round-{one['round']}.toml", scenarios)
        self.assertIn('failures="0"', (self.out / "junit.xml").read_text())
        for words in (("why", self.out), ("merge", self.out), ("run", "--resume",
                                                               self.out)):
            code, said = say(*words)
            self.assertEqual(2, code)
            self.assertNotIn("bug of the soak", said)

    def test_ctrl_c_ends_it_with_what_it_has_come_to(self):
        program = build("host", "full", "dungeon", kind=branches.KIND,
                        **branches.SETTINGS) / "dungeon.elf"
        words = [ROOT / "qemu/soak", "run", "--swarm", "--elf", program, "--board",
                 HOST, "--checks", "full", "--days", "1", "--out", self.out]
        with subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                              text=True, start_new_session=True) as process:
            self.assertIn("round 0, ", process.stdout.readline())
            os.killpg(process.pid, signal.SIGINT)
            said, _ = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual(2, process.returncode, said)
        self.assertIn("stopped after ", said)
        summary = json.loads((self.out / "summary.json").read_text())
        self.assertEqual(("fail", False), (summary["verdict"], summary["complete"]))

    def test_the_counts_of_a_program_that_was_stopped_are_not_read(self):
        program = self.out.parent / "torn.py"
        program.write_text(TORN)
        counts = self.out.parent / "counts" / program.parent.name / program.name
        options = Options(board=HOST, checks="full")
        firmware = swarm_round.Firmware("torn", options, options, [
            swarm_round.Program(program, True, True)])
        outcome = swarm_round.play(
            firmware, swarm_draw.Round(0, 1), "calm", self.out.parent,
            StopOnce(counts / "half_written.gcda"))
        self.assertTrue(outcome.was_stopped)
        self.assertEqual((set(), set()), (outcome.taken, outcome.known))

    def test_what_makes_no_sense_is_a_sentence(self):
        counts_nothing = build("host", "full", "dungeon") / "dungeon.elf"
        firmware = build(trials.BOARD, "poison", "dungeon") / "dungeon.elf"
        for words, sentence in (
                (("--seeds", "1-3"), "a swarm draws its seeds itself"),
                (("--scenario", "calm"), "a swarm draws its scenarios itself"),
                (("--fail-nth", 3), "a swarm draws its refusals itself"),
                (("--no-host",), "a swarm plays on the host alone"),
                (("--ask",), "draws by itself who asks"),
                (("--no-share",), "a swarm plays on the host alone"),
                (("--near-wrap",), "a swarm's rounds are short"),
                (("--checkpoint-every", 1), "rounds are short"),
                (("--interrupts", "timer"), "a swarm draws by itself when interrupts"),
                (("--board", trials.BOARD), "it plays on the host"),
                (("--elf", firmware), "add --host PROGRAM"),
                (("--elf", firmware, "--host", counts_nothing), "counts no branches"),
                (("--rounds", 0), "'0' is not a number from 1"),
                (("--frames", 59), "1 round of 59 frames are shorter"),
                (("--frames", 600, "--rounds", 11), "are shorter than 60 frames")):
            code, said = self.swarm(*words)
            self.assertEqual(2, code)
            self.assertIn(sentence, said)
        self.assertIn("add --swarm", say("run", "--rounds", 3)[1])

    def test_the_line_of_the_swarm_is_one_that_is_accepted(self):
        for words in ((), ("--board", HOST), ("--plant", MISTAKE)):
            with mock.patch.object(cli, "swarm") as swarm:
                self.swarm(*words, "--rounds", 5)
                options = swarm.call_args[0][0]
                say(*shlex.split(options.command_line())[1:], "--out", self.out)
                self.assertEqual(options, swarm.call_args[0][0])

    def test_the_result_of_a_run_is_not_replaced(self):
        self.out.mkdir()
        for there, sentence in (('{"verdict": "pass"}', "holds another result"),
                                ("5", "is of no soak"), ("null", "is of no soak")):
            (self.out / "summary.json").write_text(there)
            code, said = self.swarm("--frames", 600)
            self.assertEqual(2, code)
            self.assertIn(sentence, said)


class Drawn(unittest.TestCase):
    CAPACITIES = {"enemies": 48, "meshes_arena": 2048}
    ASKED = {"wave_frames": 120, "wave_low": 4, "wave_high": 12,
             "enemy_frames_low": 30, "enemy_frames_high": 400}

    def setUp(self):
        self.shooter = swarm_round.Firmware(
            "shooter", Options(), Options(), [], swarm_draw.demo_knobs(), ["draw"],
            self.CAPACITIES, self.ASKED, timed=True)

    def rounds(self, seed=1):
        kept = []
        for number in range(100):
            kept.append(swarm_draw.drawn_round(swarm_draw.Chance(seed, number),
                                               [self.shooter], EACH, kept))
        return kept

    def test_each_scenario_that_is_drawn_can_be_read(self):
        with tempfile.NamedTemporaryFile("w+", suffix=".toml") as file:
            for drawn in self.rounds():
                file.seek(0)
                file.truncate()
                file.write(swarm_draw.scenario_text(drawn, "drawn"))
                file.flush()
                words = scenario.arguments(file.name)
                self.assertEqual(len(words), sum(map(len, drawn.settings.values())))

    def test_no_number_is_more_than_a_round_has(self):
        most = {"load": 100, **dict.fromkeys(swarm_draw.SECONDS, EACH // 60)}
        times = []
        for drawn in self.rounds():
            for (group, key), numbers in drawn.settings.items():
                if key == "times":
                    times += numbers
                elif group in most:
                    self.assertLessEqual(max(numbers), most[group], (group, key))
        self.assertGreater(max(times), EACH // 60)  # It counts no seconds.

    def test_all_enemies_that_live_at_once_have_a_slot(self):
        for drawn in self.rounds():
            said = {name: drawn.settings.get(("enemies", name), otherwise)
                    for name, otherwise in (("wave_frames", (120,)), ("wave", (4, 12)),
                                            ("enemy_frames", (30, 400)))}
            every, = said["wave_frames"]
            waves = -(-said["enemy_frames"][1] // every)
            self.assertLessEqual(waves * said["wave"][1], 48, drawn.settings)

    def test_another_seed_draws_other_rounds_and_the_same_seed_the_same(self):
        self.assertEqual(self.rounds(), self.rounds())
        self.assertNotEqual(self.rounds(), self.rounds(2))

    def test_each_feature_is_on_in_some_rounds_and_off_in_others(self):
        rounds = self.rounds()
        for name in self.shooter.knobs:
            on = sum(name in drawn.settings for drawn in rounds)
            self.assertTrue(0 < on < len(rounds), name)

    def test_a_setting_of_ones_own_firmware_is_drawn_from_half_to_twice(self):
        knobs = swarm_draw.own_knobs({"orders": 10, "mood": 0})
        self.assertEqual({"orders": (5, 20), "mood": (0, 1)}, {
            name: (key.low, key.high) for (_, name), key in knobs.items()})

    def test_a_smaller_table_is_a_table_and_what_asserts_keeps_its_room(self):
        text = (ROOT / "qemu/game/pools.toml").read_text()
        for share in swarm_tables.SHARES.values():
            smaller = swarm_tables.smaller(text, share)
            self.assertIn('size = 24, count = 48, bank = "ram", full = "assert"',
                          smaller)
            self.assertIn(f"count = {1000 // share}, ", smaller)
            self.assertIsNotNone(check.judge(smaller, "pools.toml"))

    def test_equal_findings_are_one_with_their_number(self):
        result = swarm_result.Result(Options(rounds=3), EACH)
        for number in range(3):
            result.add(number, "shooter", swarm_round.Outcome(
                swarm_draw.Round(0, number), swarm_round.Ledger(), set(), set(),
                f"fault in slot {number}, frame {7 * number}", False), "line")
        finding, = result.findings.values()
        self.assertEqual([0, 1, 2], [one.number for one in finding])
