# SPDX-License-Identifier: MIT
"""The habits a tool can see: layout of files, linters, and the test preset."""

import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

import tidy

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BOARDS, BUILD, ROOT, is_full, locked, tool  # noqa: E402

TABS = ("Makefile", ".mk", "Kconfig", ".md")  # .md: what goes into a Makefile.


def tracked(*patterns):
    listed = tool("git", "ls-files", "--cached", "--others",
                  "--exclude-standard", *patterns)
    return sorted({name for name in listed.splitlines()
                   if (ROOT / name).is_file()})


def scripts():
    """Whatever is Python, with .py in its name or without."""
    return [name for name in tracked() if name.endswith(".py") or
            (ROOT / name).read_bytes().startswith(b"#!/usr/bin/env python3")]


RULES = "tests/layout/flake8.ini"
FLAKE8 = ["flake8", "--config", RULES]


def c_files():
    """All C but what the generator writes."""
    return [name for name in tracked("*.c", "*.h") if "/golden/" not in name]


def complaints(*words):
    """What a linter says; nothing when it is content."""
    result = subprocess.run([str(word) for word in words], cwd=ROOT, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return result.stdout or ("" if result.returncode == 0 else
                             f"exit code {result.returncode}")


class Habits(unittest.TestCase):
    def test_every_file_is_laid_out_as_editorconfig_says(self):
        for name in tracked():
            text = (ROOT / name).read_text()
            lines = text.split("\n")
            with self.subTest(name):
                self.assertIn(lines[-1:], ([""], []), "no newline at the end")
                self.assertNotIn("\r", text)
                if not name.endswith(".patch"):  # A blank line of context.
                    self.assertEqual([], [line for line in lines
                                          if line != line.rstrip()])
                if not name.endswith(TABS):
                    self.assertNotIn("\t", text)

    def test_flake8_has_nothing_to_say_of_any_python_file(self):
        self.assertGreater(len(scripts()), 60)
        self.assertEqual("", complaints(*FLAKE8, *scripts()))

    def test_clang_tidy_has_nothing_to_say_of_any_c_file_we_ship(self):
        """The analyzer takes four times as long as the rest: it is for the full tests.
        Without it clang-tidy tells what Clang warns of, too: other tests do."""
        less = () if is_full() else ("--checks=-clang-analyzer-*", "--extra-arg=-w")
        self.assertGreater(len(tidy.sources()), 60)
        self.assertEqual("", "".join(tidy.complaints(tidy.sources(), *less)))

    def test_clang_format_would_change_no_c_file(self):
        self.assertGreater(len(c_files()), 200)
        self.assertEqual("", complaints("clang-format-19", "--dry-run",
                                        "--Werror", *c_files()))

    def test_no_line_of_c_that_could_be_broken_is_wider_than_80(self):
        wide = [f"{name}:{number}" for name in c_files() for number, line in
                enumerate((ROOT / name).read_text().split("\n"), 1)
                if len(line) > 80 and " " in line.strip()]
        self.assertEqual([], wide)

    def test_the_linter_knows_the_one_width_of_python_and_editors_too(self):
        linter = (ROOT / RULES).read_text()
        editor = (ROOT / ".editorconfig").read_text().split("*.py")[1]
        self.assertIn("\nmax-line-length = 88\n", linter)
        self.assertIn("\nmax_line_length = 88\n", editor)

    def test_every_board_has_a_preset_for_gcc_and_one_for_clang(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())
        settings = {preset["name"]: preset.get("cacheVariables", {})
                    for preset in presets["configurePresets"]}
        for board in BOARDS:
            name = board.split("_")[-1]
            self.assertEqual(board, settings[name]["TIDEPOOL_BOARD"])
            self.assertIn(f"{name}-clang", settings)
        for name in [preset["name"] for preset in presets["buildPresets"]]:
            self.assertIn(name, settings)

    def test_ctest_with_the_preset_host_runs_every_unit_image(self):
        """All are built and listed by name; that each passes on the host, the suite
        unit shows, with sanitizers, and so but a few are run, if not in the full."""
        areas = {path.name for path in (ROOT / "tests" / "unit").iterdir()
                 if path.is_dir()}
        some = areas if is_full() else {"unzeroed", "trap"}
        with locked(BUILD / "host"):
            tool("cmake", "--preset", "host")
            steps = tool("ninja", "-C", BUILD / "host", "-t", "commands", "unit")
            tool("cmake", "--build", "--preset", "host", "--target",
                 *(f"unit_{area}" for area in some))
            listed = tool("ctest", "--preset", "host", "-N")
            told = tool("ctest", "--preset", "host", "-R",
                        f"^unit_({'|'.join(some)})$")
        self.assertEqual(areas, set(re.findall(r"Test +#\d+: unit_(\w+)\n", listed)))
        self.assertEqual(areas, set(re.findall(r" -o unit_(\w+) ", steps)))
        self.assertIn("100% tests passed, 0 tests failed out of"
                      f" {len(some)}\n", told)
