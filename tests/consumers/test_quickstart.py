# SPDX-License-Identifier: MIT
"""From an empty folder to a linked image, in the fewest lines of a new user."""

import re
import subprocess
import unittest

from consumer import HERE, Project, emulator, tool

FOLDER = HERE / "quickstart"


def lines(*names):
    """What there is to write: no blank lines, no licence."""
    return [line for name in names
            for line in (FOLDER / name).read_text().split("\n")
            if line.strip() and "SPDX" not in line]


def halfword(elf, address):
    """What the running board holds there, a moment after its reset."""
    board = subprocess.Popen(emulator("mps2_an385", elf, monitor="stdio"),
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True)
    for _ in range(100):
        board.stdin.write(f"xp /1hx {address:#x}\n")
        board.stdin.flush()
        found = None
        while not found:
            found = re.match(r"[0-9a-f]+: 0x([0-9a-f]+)",
                             board.stdout.readline())
        if int(found[1], 16):
            break
    board.communicate("quit\n", timeout=60)
    return int(found[1], 16)


class Quickstart(unittest.TestCase):
    def test_ten_lines_of_each_kind_are_too_many(self):
        self.assertLess(len(lines("CMakeLists.txt")), 10)
        self.assertLess(len(lines("pools.toml")), 10)
        self.assertLess(len(lines("main.c", "game.h")), 10)

    def test_it_links_two_pools_in_two_banks_and_runs(self):
        project = Project("quickstart", sources="quickstart")
        project.must("cmake", "-S", ".", "-B", "build")
        project.must("cmake", "--build", "build")
        elf = project.folder / "build" / "firmware.elf"
        symbols = {name: int(value, 16) for value, name in re.findall(
            r"^(\w+) \w (\w+)$", tool("arm-none-eabi-nm", elf), re.M)}
        self.assertEqual(0x20000000, symbols["sparks_storage"])
        self.assertEqual(0x21000000, symbols["packets_storage"])
        for pool in ("sparks", "packets"):
            self.assertEqual(1, halfword(elf, symbols[f"{pool}_state"]))
