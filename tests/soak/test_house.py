# SPDX-License-Identifier: MIT
"""The house of the soak: a game that knows nothing of its rig, modules in order."""

import ast
import re
import unittest

import paper

QEMU = paper.ROOT / "qemu"
MODULES = sorted(path for path in (QEMU / "harness").glob("*.py")
                 if path.stem != "__init__")


def sources(folder):
    return sorted([*(QEMU / folder).glob("*.[ch]")])


class Game(unittest.TestCase):
    def test_the_game_includes_nothing_of_the_rig(self):
        allowed = {path.name for path in (QEMU / "game").glob("*.h")}
        allowed |= {"tp_pools.h", "tidepool.h", "tp_port.h"}
        for path in sources("game"):
            device = {"board.h", "semihost.h", "check/tp_crash.h"} \
                if path.name == "main.c" else set()
            named = set(re.findall(r'#include "(.*)"', path.read_text()))
            self.assertLessEqual(named, allowed | device, path.name)

    def test_the_game_says_no_word_of_what_the_rig_does(self):
        words = re.compile(r"(?i)\b(rig|ledger|audit|plant|telemetry|site|hash|soak)")
        for path in sources("game"):
            self.assertIsNone(words.search(path.read_text()), path.name)

    def test_the_game_calls_the_library_for_what_is_not_generated_only(self):
        called = set()
        for path in sources("game"):
            called |= set(re.findall(r"\b(tp_\w+)\(", path.read_text()))
        self.assertEqual({"tp_port_lock", "tp_port_unlock", "tp_chunk_release",
                          "tp_fault", "tp_crash_save", "tp_crash_validate",
                          "tp_crash_print", "tp_crash_forget"}, called)

    def test_the_rig_comes_between_the_game_and_each_of_its_allocators(self):
        header = (QEMU / "rig" / "intercept.h").read_text()
        renamed = set(re.findall(r"^#define (\w+_(?:alloc|free)\w*) +rig_\1$",
                                 header, re.M))
        called = set()
        for path in sources("game"):
            called |= set(re.findall(r"\b(\w+_(?:alloc|free)(?:_\w+)?)\b",
                                     path.read_text()))
        self.assertEqual(called, renamed)


class Harness(unittest.TestCase):
    def test_every_module_says_in_its_first_line_what_it_is_for(self):
        for path in MODULES:
            text = ast.get_docstring(ast.parse(path.read_text())) or ""
            self.assertGreater(len(text.split("\n")[0]), 20, path.name)

    def test_its_readme_places_every_module(self):
        text = (QEMU / "harness" / "README.md").read_text()
        placed = set(re.findall(r"`(\w+)`", text))
        self.assertEqual([], [path.stem for path in MODULES
                              if path.stem not in placed])
