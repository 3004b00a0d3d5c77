# SPDX-License-Identifier: MIT
"""What a soak saw is what the table needs: soak, advise, soak again."""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import trials
from support import HANG_SECONDS

sys.path.insert(0, str(trials.ROOT / "lib" / "config"))
from generator.advice import numbers_of, rewrite  # noqa: E402
from generator.join import load  # noqa: E402

FRAMES = 18000
ROOT = trials.ROOT
GENERATOR = ROOT / "lib" / "config" / "tidepool.py"


class Sizing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.table = self.folder / "pools.toml"
        shutil.copyfile(ROOT / "qemu/game/pools.toml", self.table)

    def soak(self, scenario):
        """The summary, and whether it passed."""
        out = self.folder / "out"
        result = subprocess.run(
            [ROOT / "qemu/soak", "run", "--pools", self.table, "--scenario",
             scenario, "--frames", str(FRAMES), "--no-host", "--no-why", "--out", out,
             "--json"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=HANG_SECONDS)
        self.assertIn(result.returncode, (0, 1), result.stderr.decode())
        return json.loads(result.stdout), result.returncode == 0

    def advise(self, *more):
        subprocess.run([GENERATOR, "advise", self.table,
                        self.folder / "out/summary.json", "--apply", *more],
                       check=True, stdout=subprocess.DEVNULL)

    def test_what_is_advised_passes_with_less_ram(self):
        original = self.table.read_text()
        for scenario in ("calm", "battle", "boss", "storm"):
            with self.subTest(scenario):
                self.table.write_text(original)
                before, passed = self.soak(scenario)
                self.assertTrue(passed, before["why"])
                self.advise()
                after, passed = self.soak(scenario)
                self.assertTrue(passed, after["why"])
                self.assertLess(ram(after), ram(before) - 2000)

    def test_of_what_calm_needs_nowhere_a_slot_can_be_taken(self):
        self.soak("calm")
        self.advise("--exact")
        exact, passed = self.soak("calm")
        self.assertTrue(passed, exact["why"])
        fitting = self.table.read_text()
        config, _ = load(str(self.table))
        for number in numbers_of(config):
            with self.subTest(number.title):
                self.table.write_text(rewrite(fitting, config, {
                    number.title: number.now - least(number)}))
                self.assertFalse(self.soak("calm")[1])


def least(number):
    """What cannot be spared: a slot. Of an arena that is compacted, a twentieth,
    for what is too large for its end may find a hole."""
    return number.now // 160 * 8 if "arena" in number.title else number.step


def ram(summary):
    return sum(section["bytes"] for section in summary["memory"])
