# SPDX-License-Identifier: MIT
"""A tree as its report prints it, and the section the linker made of it."""

import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import (HANG_SECONDS, build, emulator,  # noqa: E402
                     symbol_sizes, tool)


def section_bytes(elf, name):
    """Bytes from the start to the end of an arena."""
    lines = tool("arm-none-eabi-nm", elf).splitlines()
    at = {words[2]: int(words[0], 16)
          for words in map(str.split, lines) if len(words) == 3}
    return at[f"tp_arena_{name}_end"] - at[f"tp_arena_{name}_start"]


def up_to_8(size):
    return (size + 7) // 8 * 8


class Tree:
    """What the image prints: (depth, bytes, children, name) in its order."""

    def __init__(self, board, level):
        self.elf = build(board, level, "nest") / "nest.elf"
        result = subprocess.run(emulator(board, self.elf), timeout=HANG_SECONDS,
                                stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)
        lines = [line.split() for line in result.stdout.splitlines()]
        self.items = [(int(line[0]), int(line[1]), int(line[2]), line[3])
                      for line in lines if len(line) == 4 and line[0].isdigit()]
        self.free = next(int(line[0]) for line in lines
                         if len(line) == 2 and line[1] == "free")

    def below(self, depth):
        return sum(item[1] for item in self.items if item[0] == depth)


class Report(unittest.TestCase):
    def check(self, board, level):
        tree = Tree(board, level)
        depth, size, children, name = tree.items[0]
        self.assertEqual((0, 6144, "town"), (depth, size, name))
        self.assertEqual(["sparks", "level", "draw", "texts_16", "texts_24", "maps",
                          "motes", "trail", "scene", "smoke"],
                         [item[3] for item in tree.items[1:]])
        self.assertEqual(children, tree.below(1))
        self.assertEqual(size, tree.below(1) + tree.free)
        aside = symbol_sizes(tree.elf)["aside_storage"]
        self.assertEqual(up_to_8(section_bytes(tree.elf, "ram")),
                         up_to_8(aside) + size)

    def test_the_tree_adds_up_to_the_section_the_linker_made_of_it(self):
        for level in ("off", "fast", "full"):
            with self.subTest(level=level):
                self.check("mps2_an385", level)

    def test_and_on_the_small_end(self):
        self.check("microbit", "fast")

    def test_rows_of_a_nest_lie_side_by_side_around_what_is_free(self):
        elf = build("mps2_an385", "fast", "nest") / "nest.elf"
        lines = tool("arm-none-eabi-nm", "-n", elf).splitlines()
        names = [line.split()[2] for line in lines]
        first = names.index("draw_storage")
        self.assertEqual(["draw_storage", "maps_arena", "texts_16_storage",
                          "texts_24_storage", "town_storage", "level_storage",
                          "motes_storage", "sparks_storage"], names[first:first + 8])


if __name__ == "__main__":
    unittest.main()
