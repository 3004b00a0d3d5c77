# SPDX-License-Identifier: MIT
"""Somebody's own firmware: built with qemu/telemetry/, soaked and judged."""

import json
import subprocess
import sys
import tempfile
import unittest

import trials
from checkout import Checkout
from support import HANG_SECONDS, ROOT, build

FRAMES = 3600


def soak(elf, *more):
    """(exit code, summary) of a run of that firmware."""
    with tempfile.TemporaryDirectory() as out:
        result = subprocess.run(
            [sys.executable, ROOT / "qemu" / "soak", "run", "--elf", elf,
             "--frames", str(FRAMES), "--out", out, "--json", *more],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, timeout=HANG_SECONDS)
        return result.returncode, json.loads(result.stdout)


class OwnFirmware(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = build(trials.BOARD, "poison", "soaked", "soaked_badly")

    def test_a_firmware_of_ones_own_is_soaked_and_passes(self):
        code, summary = soak(self.folder / "soaked.elf", "--seed", "7")
        self.assertEqual((code, summary["verdict"]), (0, "pass"),
                         summary["why"])
        self.assertEqual(summary["frames"], FRAMES)
        orders, clients = summary["pools"]
        self.assertEqual((orders["name"], orders["policy"]),
                         ("orders", "drop"))
        self.assertEqual((clients["peak"], clients["policy"]), (1, "assert"))
        self.assertGreater(orders["allocs"], 1000)

    def test_another_seed_is_another_run(self):
        hashes = {soak(self.folder / "soaked.elf", "--seed", seed)[1]
                  ["state_hash"] for seed in ("7", "7", "8")}
        self.assertEqual(len(hashes), 2)

    def test_its_mistake_is_named_with_its_line(self):
        code, summary = soak(self.folder / "soaked_badly.elf")
        self.assertEqual((code, summary["verdict"]), (1, "fail"))
        fault = summary["faults"][0]
        self.assertEqual((fault["kind"], fault["pool"], fault["frame"]),
                         ("double-free", "orders", 700))
        self.assertIn("tests/soak/firmware/main.c", summary["why"])


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
