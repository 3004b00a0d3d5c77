# SPDX-License-Identifier: MIT
"""From an empty folder to a linked image, in the fewest lines of a new user."""

import re
import subprocess
import time
import unittest

from consumer import (HANG_SECONDS, HERE, ROOT, Project, emulator, section_size,
                      tool)

FOLDER = HERE / "quickstart"


def lines(*names):
    """What there is to write: no blank lines, no licence."""
    return [line for name in names
            for line in (FOLDER / name).read_text().split("\n")
            if line.strip() and "SPDX" not in line]


def halfword(elf, address):
    """What the board holds there as soon as it is not 0; 0 if it never is."""
    board = subprocess.Popen(emulator("mps2_an385", elf, monitor="stdio"),
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True)
    found, deadline = 0, time.monotonic() + HANG_SECONDS
    while not found and time.monotonic() < deadline:
        board.stdin.write(f"xp /1hx {address:#x}\n")
        board.stdin.flush()
        answer = None
        while not answer:
            line = board.stdout.readline()
            assert line, "the emulator ended"
            answer = re.match(r"[0-9a-f]+: 0x([0-9a-f]+)", line)
        found = int(answer[1], 16)
    board.communicate("quit\n", timeout=HANG_SECONDS)
    return found


class Quickstart(unittest.TestCase):
    def test_sixteen_lines_of_each_kind_are_enough(self):
        self.assertIn("CMake, TOML and C of sixteen lines at most",
                      " ".join((ROOT / "README.md").read_text().split()))
        for names in (["CMakeLists.txt"], ["pools.toml"], ["main.c", "game.h"]):
            self.assertLessEqual(len(lines(*names)), 16)

    def test_it_links_two_pools_in_two_banks_and_runs(self):
        project = Project("quickstart", sources="quickstart")
        project.must("cmake", "-S", ".", "-B", "build")
        project.must("cmake", "--build", "build")
        elf = project.folder / "build" / "firmware.elf"
        symbols = {name: int(value, 16) for value, name in re.findall(
            r"^(\w+) \w (\w+)$", tool("arm-none-eabi-nm", elf), re.M)}
        self.assertEqual(0x20010000, symbols["sparks_storage"])
        self.assertEqual(0x21020000, symbols["packets_storage"])
        self.assertEqual(1, halfword(elf, symbols["packets_state"]))
        self.assertIn(halfword(elf, symbols["sparks_state"]), (1, 2))

    def test_it_links_only_what_it_uses(self):
        project = Project("quickstart", "quickstart-size", sources="quickstart")
        project.must("cmake", "-S", ".", "-B", "build")
        project.must("cmake", "--build", "build")
        elf = project.folder / "build" / "firmware.elf"
        self.assertLess(section_size(elf, ".text"), 2048)
        self.assertNotIn("tp_registry", project.must("arm-none-eabi-nm", elf))
