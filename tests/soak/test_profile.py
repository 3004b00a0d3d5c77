# SPDX-License-Identifier: MIT
import json
import subprocess
import sys
import unittest

import paper
from paper import HANG_SECONDS
from support import only_in_full
from harness.profile import Blocks

SOAK = paper.ROOT / "qemu" / "soak"
LOG = """\
----------------
IN: main
0x00000100:  4a14       ldr      r2, [pc, #0x50]
0x00000102:  4915       ldr      r1, [pc, #0x54]
0x00000104:  b508       push     {r3, lr}

Trace 0: 0x7f00 [00800400/00000100/00000110/ff020200] main
----------------
IN: put8
0x00000200:  6001       str      r1, [r0]
0x00000202:  4770       bx       lr

Trace 0: 0x7f40 [00800400/00000200/00000110/ff020200] put8
Trace 0: 0x7f40 [00800400/00000200/00000110/ff020200] put8
"""


def counted(text):
    blocks = Blocks()
    blocks.read(text.splitlines())
    return dict(blocks.instructions)


class Counting(unittest.TestCase):
    def test_a_block_counts_each_time_it_is_executed(self):
        self.assertEqual(counted(LOG), {"main": 3, "put8": 4})

    def test_a_block_that_met_a_device_counts_up_to_there(self):
        rewound = "cpu_io_recompile: rewound execution of TB to 00000202\n"
        self.assertEqual(counted(LOG + rewound), {"main": 3, "put8": 3})

    def test_a_block_that_was_stopped_before_it_began_does_not_count(self):
        stopped = "Stopped execution of TB chain before 0x7f40 [00000200] x\n"
        self.assertEqual(counted(LOG + stopped), {"main": 3, "put8": 2})


class Profile(unittest.TestCase):
    """The real firmware: its own numbers, the same on any machine."""

    def profile(self, *words, frames=600, code=0):
        result = subprocess.run(
            [sys.executable, str(SOAK), "profile", "--frames", str(frames),
             "--json", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=HANG_SECONDS)
        self.assertEqual(result.returncode, code, result.stderr)
        return json.loads(result.stdout)

    def test_telemetry_costs_less_than_two_percent(self):
        result = self.profile()
        self.assertLess(result["telemetry_share"], 0.02)
        self.assertGreater(result["telemetry_share"], 0)
        self.assertAlmostEqual(result["soak_share"], sum(
            row["share"] for row in result["functions"]
            if row["file"].startswith("qemu/telemetry/")))
        self.assertEqual(sum(row["instructions"]
                             for row in result["functions"]),
                         result["instructions"])

    def test_a_profile_is_exact(self):
        # In two seconds the beginning and the end take more than 2 %.
        self.assertEqual(self.profile("--seed", "2", frames=120, code=1),
                         self.profile("--seed", "2", frames=120, code=1))

    @only_in_full
    def test_what_the_sanitizer_takes_is_among_it(self):
        result = self.profile("--sanitize", frames=60)
        shares = {row["function"]: row["share"] for row in result["functions"]}
        self.assertGreater(shares["__asan_load4_noabort"], 0.05)

    def test_a_run_that_fails_has_no_profile(self):
        result = subprocess.run(
            [sys.executable, str(SOAK), "profile", "--frames", "120",
             "--plant", "double-free"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=HANG_SECONDS)
        self.assertEqual(result.returncode, 2)
        self.assertIn("soak: QEMU ended with code 1; a run that fails has no"
                      " profile.", result.stderr)
