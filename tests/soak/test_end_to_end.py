# SPDX-License-Identifier: MIT
"""The real firmware in the real QEMU, for a simulated minute at a time."""

import json
import lzma
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

import command
import paper
from paper import HANG_SECONDS
from support import only_in_full
from harness import packing
from harness.boards import BOARDS
from harness.checkpoint import KEPT
from harness.log_files import MOMENTS_MOST


class EndToEnd(unittest.TestCase):
    def setUp(self):
        self.out = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.out, ignore_errors=True)

    def soak(self, *arguments, frames=3600):
        """(exit code, summary) of a short run."""
        said = command.soak("run", "--frames", frames, "--out", self.out, "--json",
                            "--no-host", "--no-why", *arguments)
        self.assertIn(said.code, (0, 1), said.error)
        summary = json.loads(said.out)
        self.assertEqual(
            summary, json.loads((self.out / "summary.json").read_text()))
        return said.code, summary

    @only_in_full
    def test_a_run_passes_on_every_board(self):
        for board in BOARDS:
            code, summary = self.soak("--board", board)
            self.assertEqual((code, summary["verdict"]), (0, "pass"),
                             summary["why"])
            self.assertEqual(summary["frames"], 3600)

    def test_a_run_passes_at_every_level_of_checks_and_plays_the_same_game(self):
        hashes = set()
        for level in ("off", "fast", "poison", "full"):
            code, summary = self.soak("--checks", level, frames=600)
            self.assertEqual((code, summary["checks"]), (0, level),
                             summary["why"])
            hashes.add(summary["state_hash"])
        self.assertEqual(len(hashes), 1)

    def test_two_runs_of_one_seed_are_the_same_to_the_byte(self):
        for mode in ("scheduled", "timer"):
            _, first = self.soak("--seed", "7", "--interrupts", mode)
            telemetry = (self.out / "telemetry.bin").read_bytes()
            _, second = self.soak("--seed", "7", "--interrupts", mode)
            self.assertEqual(first["state_hash"], second["state_hash"])
            self.assertEqual(first["pools"], second["pools"])
            self.assertEqual((self.out / "telemetry.bin").read_bytes(),
                             telemetry)

    def test_three_days_take_less_than_120_megabytes(self):
        """Of five minutes' bytes, as many as three days have of each kind."""
        self.soak("--checkpoint-every", "0.05", frames=18000)
        size = {path.name: path.stat().st_size for path in self.out.iterdir()}
        telemetry = lzma.compress((self.out / "telemetry.bin").read_bytes(),
                                  preset=packing.PRESET)
        kept = sum(path.stat().st_size for path in self.out.glob("checkpoints/*/*"))
        count = len(list((self.out / "checkpoints").iterdir()))
        whole = {"telemetry.bin": len(telemetry) * 72 * 12,
                 "samples.ndjson": size["samples.ndjson"] * MOMENTS_MOST // 300,
                 "checkpoints": kept // count * (KEPT + 2),
                 "report.html": size["report.html"] * 4}
        total = sum({**size, **whole}.values())
        print(f"soak: three days take {total // 10**6} MB: " + ", ".join(
            f"{name} {bytes_ / 1e6:.1f}" for name, bytes_ in whole.items()))
        self.assertLess(total, 120 * 10**6)

    def test_another_seed_is_another_run(self):
        _, first = self.soak("--seed", "7")
        _, second = self.soak("--seed", "8")
        self.assertNotEqual(first["state_hash"], second["state_hash"])

    def test_a_planted_bug_fails_the_run_and_is_named(self):
        for plant in ("double-free", "interior"):
            code, summary = self.soak("--plant", plant)
            self.assertEqual((code, summary["verdict"]), (1, "fail"), plant)
            self.assertEqual(summary["planted"]["found"]["how"], plant)
            fault = summary["faults"][0]
            self.assertEqual(fault["kind"], plant)
            self.assertGreaterEqual(fault["frame"], 1800)
            for part in (plant, fault["pool"], f"slot {fault['slot']}",
                         fault["address"], f"frame {fault['frame']}",
                         "qemu/telemetry/tp_plant.c"):
                self.assertIn(part, summary["why"])

    def test_a_bug_that_no_fault_shows_fails_the_run_by_an_audit(self):
        code, summary = self.soak("--plant", "leak", "--checks", "off")
        self.assertEqual((code, summary["faults"]), (1, []))
        self.assertEqual(summary["planted"]["found"],
                         {"how": "live, but held by nobody: leaked",
                          "frames": 59})
        self.assertIn("pool particles: live, but held by nobody",
                      summary["why"])

    def test_the_counts_of_every_pool_balance(self):
        _, summary = self.soak()
        for pool in summary["pools"]:
            self.assertEqual(pool["allocs"], pool["frees"] + pool["steals"]
                             + pool["live"], pool["name"])

    def test_ctrl_c_still_writes_a_report(self):
        process = subprocess.Popen(
            [*command.SOAK, "run", "--days", "3", "--no-host",
             "--out", str(self.out)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        paper.wait_for_samples(self.out, 5000, process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG_SECONDS)
        summary = json.loads((self.out / "summary.json").read_text())
        self.assertEqual((process.returncode, summary["verdict"]), (2, "fail"))
        self.assertIn("stopped by Ctrl-C after", summary["why"])
        self.assertIn(summary["why"], (self.out / "report.html").read_text())
