# SPDX-License-Identifier: MIT
"""Of a run with --near-wrap: what compares frames does so from its start on, by
whatever the clock is then."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import paper  # noqa: F401 - makes the harness importable
from support import ROOT, tool

SOURCES = ("tests/soak/wrapped/main.c", "qemu/telemetry/tp_picture.c",
           "qemu/rig/plant.c")
FOLDERS = ("-Ilib", "-Iport/host", "-Iqemu/telemetry", "-Iqemu/rig")


class Wrapped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "wrapped"
            (Path(folder) / "tp_pools.h").write_text('#include "core/tp_registry.h"\n')
            tool("gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", *FOLDERS,
                 f"-I{folder}", *SOURCES, "-o", program)
            cls.said = subprocess.run([program], cwd=ROOT, stdout=subprocess.PIPE,
                                      text=True, check=True).stdout.splitlines()

    def frames(self, what):
        return [int(line.split()[1]) for line in self.said
                if line.split()[0] == what]

    def test_pictures_of_the_worst_are_two_seconds_apart_before_it_and_behind(self):
        self.assertEqual([0, 120, 240, 360, 700, 820, 940, 1060, 1180],
                         self.frames("picture"))

    def test_a_mistake_of_the_dungeon_is_made_from_its_frame_to_the_end(self):
        self.assertEqual([100], self.frames("frame-drift"))
        self.assertEqual([1100], self.frames("struck"))


if __name__ == "__main__":
    unittest.main()
