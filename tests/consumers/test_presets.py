# SPDX-License-Identifier: MIT
"""cmake --preset X && cmake --build --preset X."""

import json
import unittest

from consumer import BUILD, ROOT, exit_code, tool

PRESETS = json.loads((ROOT / "CMakePresets.json").read_text())
NAMES = [preset["name"] for preset in PRESETS["configurePresets"]
         if not preset.get("hidden")]


class Presets(unittest.TestCase):
    def test_each_board_has_one_for_each_compiler(self):
        boards = {path.stem.split("_")[-1]
                  for path in (ROOT / "linker").glob("*.cmake")}
        clang = {f"{board}-clang" for board in boards}
        self.assertEqual({"host", "host-asan"} | boards | clang, set(NAMES))

    def test_each_that_configures_also_builds(self):
        built = [preset["name"] for preset in PRESETS["buildPresets"]]
        self.assertEqual(NAMES, built)

    def test_each_configures(self):
        for name in NAMES:
            with self.subTest(name):
                tool("cmake", "--preset", name)

    def test_what_they_build_runs(self):
        for name in ("host", "an385", "an385-clang"):
            tool("cmake", "--preset", name)
            tool("cmake", "--build", "--preset", name, "--target", "unit_noinit")
        tool(BUILD / "host" / "unit_noinit")
        for name in ("an385", "an385-clang"):
            self.assertEqual(0, exit_code(BUILD / name / "unit_noinit.elf"))
