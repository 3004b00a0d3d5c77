# SPDX-License-Identifier: MIT
"""What a soak saw is what the table needs: soak, advise, soak again. On the host,
which plays the same frame by frame, as test_host.py shows."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import command
import trials
from harness.ledger import Ledger
from harness.machine import Ending, arguments
from harness.options import Options
from harness.telemetry import Decoder
from harness.verdict import judge
from support import HANG_SECONDS, is_full, only_in_full, tool

sys.path.insert(0, str(trials.ROOT / "lib" / "config"))
from generator.advice import numbers_of, rewrite  # noqa: E402
from generator.join import load  # noqa: E402

FRAMES = 18000
ROOT = trials.ROOT
GENERATOR = ROOT / "lib" / "config" / "tidepool.py"


class Sizing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """One path of a table, for there is a build of each."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.table = cls.folder / "pools.toml"

    def setUp(self):
        shutil.copyfile(ROOT / "qemu/game/pools.toml", self.table)

    def soak(self, scenario):
        """The summary, and whether it passed."""
        out = self.folder / scenario
        said = command.soak(
            "run", "--pools", self.table, "--scenario", scenario, "--frames", FRAMES,
            "--board", "host", "--no-sanitize", "--no-why", "--out", out, "--json")
        self.assertIn(said.code, (0, 1), said.error)
        return json.loads(said.out), said.code == 0

    def advise(self, scenario, *more):
        subprocess.run([GENERATOR, "advise", self.table,
                        self.folder / scenario / "summary.json", "--apply", *more],
                       check=True, stdout=subprocess.DEVNULL, timeout=HANG_SECONDS)

    def test_what_is_advised_passes_with_less_ram(self):
        original, had = self.table.read_text(), self.ram()
        scenarios = ("storm", *("calm", "battle", "boss") * is_full())
        for scenario in scenarios:  # All by one build.
            before, passed = self.soak(scenario)
            self.assertTrue(passed, before["why"])
        for scenario in scenarios:
            with self.subTest(scenario):
                self.table.write_text(original)
                self.advise(scenario)
                after, passed = self.soak(scenario)
                self.assertTrue(passed, after["why"])
                self.assertLess(self.ram(), had - 2000)

    def ram(self):
        """Of a board, at poison."""
        config, _ = load(str(self.table))
        return sum(tenant.arena_bytes("poison") + tenant.metadata_bytes("poison")
                   for tenant in config.tenants())

    @only_in_full
    def test_of_what_calm_needs_nowhere_a_slot_can_be_taken(self):
        self.soak("calm")
        self.advise("calm", "--exact")
        exact, passed = self.soak("calm")
        self.assertTrue(passed, exact["why"])
        options = Options(board="host", scenario="calm", frames=FRAMES,
                          pools=str(self.table), sanitize=False)
        fitting = self.table.read_text()
        config, _ = load(str(self.table))
        self.assertEqual([], self.failed(options))
        for number in numbers_of(config):
            with self.subTest(number.title):
                self.table.write_text(rewrite(fitting, config, {
                    number.title: number.now - least(number)}))
                self.assertTrue(self.failed(options))

    def failed(self, options):
        """The checks that fail with the pools of the table as it is now."""
        played = subprocess.run([self.linked(options), *arguments(options)],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                timeout=HANG_SECONDS)
        decoder, ledger = Decoder(), Ledger()
        for record in decoder.feed(played.stdout) + decoder.finish():
            ledger.add(record)
        checks = judge(options, ledger, Ending("it ended")).checks
        return [check.name for check in checks if check.failed]

    def linked(self, options):
        """The console as it was compiled, but for tp_pools.c."""
        folder, program = self.folder / "made", self.folder / "console"
        tool(sys.executable, GENERATOR, "generate", self.table, "--out", folder)
        built = options.build_folder
        commands = tool("ninja", "-C", built, "-t", "commands", "console").splitlines()
        compiled, = [line for line in commands
                     if line.endswith("console_pools/tp_pools.c")]
        own = re.search(r" -o (\S+)", compiled)[1]
        there = str(Path(compiled.split()[-1]).parent)
        made = compiled.replace(f" -o {own}", f" -o {program}.o").replace(
            there, str(folder))
        whole = commands[-1].replace(own, f"{program}.o").replace(
            "-o console.elf", f"-o {program}")
        tool("sh", "-c", f"cd {built} && {made} && ({whole})")
        return program


def least(number):
    """What cannot be spared: a slot. Of an arena that is compacted, a twentieth,
    for what is too large for its end may find a hole."""
    return number.now // 160 * 8 if "arena" in number.title else number.step
