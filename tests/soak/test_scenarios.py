# SPDX-License-Identifier: MIT
"""Scenarios: read with care, played as told, from empty to full and back."""

import contextlib
import re
import tempfile
import unittest
from pathlib import Path

import trials
from support import only_in_full
from harness import scenario
from harness.errors import CannotRun
from harness.machine import Ending, arguments
from harness.options import Options
from harness.verdict import judge

SHIPPED = sorted(path.stem for path in scenario.FOLDER.glob("*.toml"))


@contextlib.contextmanager
def written(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "own.toml"
        path.write_text(text)
        yield str(path)


class Reading(unittest.TestCase):
    def complaint(self, text):
        with written(text) as path, self.assertRaises(CannotRun) as caught:
            scenario.arguments(path)
        return caught.exception.output.replace(path, "own.toml")

    def test_a_scenario_becomes_the_firmwares_numbers(self):
        with written("scenario = 1\n[sounds]\nvoice_frames = [3, 9]\n"
                     "[storms]\ntimes = 2\n") as path:
            self.assertEqual(scenario.arguments(path), [
                "voice_frames_low=3", "voice_frames_high=9", "storm_times=2"])

    def test_a_mistake_is_shown_where_it_stands(self):
        for text, words in (
                ("[sound]\n", 'own.toml:1:2: error: "sound" is unknown'),
                ("[storms]\ntime = 1\n", 'own.toml:2:1: error: "time" is'),
                ("[storms]\ntimes = 99\n", "own.toml:2:9: error: must be 1 to"
                                           " 16, not 99"),
                ("[sounds]\nvoice_frames = 3\n", "own.toml:2:16: error: must"
                                                 " be [lowest, highest]"),
                ("[sounds]\nvoice_frames = [3, 1]\n", ":16: error: 3 is above"),
                ("sounds = 1\n", "own.toml:1:10: error: must be a table"),
                ("scenario = 2\n", "own.toml:1:12: error: must be 1"),
                ("[sounds\n", "own.toml:1:")):
            self.assertIn(words, self.complaint(text))

    def test_the_console_and_the_harness_know_the_same_numbers(self):
        source = (trials.ROOT / "qemu/rig/settings.c").read_text()
        names = [name for table in scenario.TABLES.values()
                 for key in table.values() for name in key.names]
        self.assertEqual(re.findall(r'\{"(\w+)", &', source), names)

    def test_no_setting_has_a_name_that_the_soak_asks_for(self):
        sources = (trials.ROOT / "qemu/telemetry").glob("*.c")
        asked = {name for path in sources for name in re.findall(
            r'tp_soak_(?:number|argument)\("(\w+)"', path.read_text())}
        self.assertEqual(asked, set(scenario.TAKEN))


class Playing(unittest.TestCase):
    def test_every_shipped_scenario_plays_without_a_fault(self):
        self.assertEqual(SHIPPED, ["battle", "boss", "calm", "leak-hunt",
                                   "storm"])
        hashes = set()
        for name in SHIPPED:
            ledger = trials.play(trials.console("poison"),
                                 *scenario.arguments(name))
            self.assertIsNotNone(ledger.done, name)
            self.assertEqual((ledger.faults, ledger.audits), ([], []), name)
            hashes.add(ledger.state_hash)
        self.assertEqual(len(hashes), len(SHIPPED))

    def test_loads_swing_from_empty_to_full(self):
        for name in ("", "leak-hunt"):
            words = scenario.arguments(name) if name else ()
            ledger = trials.play(trials.console("poison"), *words, "seed=3")
            for pool in ledger.pools:
                columns = [column for _, _, column in pool.curve.columns()]
                self.assertEqual(min(c.low for c in columns[5:]), 0, pool.name)
                if not name:
                    self.assertGreaterEqual(3 * pool.peak, pool.capacity,
                                            pool.name)

    def test_what_leaks_in_a_hunt_for_leaks_is_a_floor_that_rises(self):
        options = Options(frames=18060, plant="slow-leak", scenario="leak-hunt")
        ledger = trials.play(trials.console("poison"), *arguments(options)[3:],
                             frames=options.frames)
        failed = {check.name for check in judge(options, ledger, Ending("")).checks
                  if check.failed}
        self.assertIn("no floor rises", failed)

    def test_bullets_hit_and_sparks_are_drawn(self):
        ledger = trials.play(trials.console("poison"), frames=1800)
        figures = {one.name: one for one in ledger.figures.values()}
        self.assertGreater(figures["score"].last, 0)
        self.assertGreater(len(set(ledger.picture.pixels)), 20)

    def test_meshes_of_a_smaller_machine_are_no_smaller_than_they_are_said_to_be(self):
        ledger = trials.play(trials.console("fast"), "load_percent=20",
                             "mesh_words_low=100", "mesh_words_high=200",
                             "mesh_percent=15", "lull_every=0")
        self.assertEqual([], ledger.faults)
        meshes, = (one for one in ledger.allocators if one.name == "meshes")
        self.assertGreater(meshes.allocs, 0)
        self.assertEqual(0, meshes.refused)

    def test_a_wave_too_large_for_its_pool_overflows_it(self):
        ledger = trials.play(trials.console("fast"), "wave_low=49",
                             "wave_high=49")
        fault, = ledger.faults
        self.assertEqual((fault.kind, fault.frame), ("full", 0))

    @only_in_full
    def test_the_game_wants_as_much_of_smaller_pools(self):
        """What every pool was asked for, issued or not."""
        wanted = []
        for share in (1, 2):
            pools = (trials.ROOT / "qemu/game/pools.toml").read_text()
            with written(pools.replace(
                    "count = 1000", f"count = {1000 // share}")) as table:
                elf = trials.build(trials.BOARD, "fast", "console",
                                   kind=f"share{share}",
                                   TIDEPOOL_GAME_POOLS=table) / "console.elf"
                ledger = trials.play(elf, "lull_every=0")
            particles = ledger.pools[0]
            wanted.append(particles.allocs + particles.refused)
        self.assertEqual(*wanted)
