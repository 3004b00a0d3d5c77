# SPDX-License-Identifier: MIT
"""Nothing stands in README.md that does not run."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import readme

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text()
GAME = """
#include <stdint.h>
struct particle { uint32_t word[4]; };
struct voice { uint32_t word[4]; };
struct enemy { uint32_t word[8]; };
"""


def snippet(language):
    return re.search(rf"```{language}\n(.*?)```", TEXT, re.S).group(1)


def run(*words, folder):
    result = subprocess.run([str(word) for word in words], cwd=folder,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            text=True)
    return result.returncode, result.stdout


class Readme(unittest.TestCase):
    def test_its_pools_generate_and_its_program_compiles(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "pools.toml").write_text(snippet("toml"))
            (folder / "game.h").write_text(GAME)
            (folder / "game.c").write_text(snippet("c"))
            generator = ROOT / "lib" / "config" / "tidepool.py"
            self.assertEqual((0, ""), run("python3", generator, "generate",
                                          "pools.toml", "--out", ".",
                                          folder=folder))
            self.assertEqual((0, ""), run(
                "arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-std=c11",
                "-Wall", "-Wextra", "-Werror", "-I", ROOT / "lib", "-I",
                ROOT / "port" / "cortex_m", "-I.", "-c", "game.c",
                "tp_pools.c", folder=folder))

    def test_its_soak_is_what_that_soak_gives(self):
        self.assertEqual(readme.shown("soak"), readme.block("soak"))

    def test_every_folder_it_names_exists_and_none_is_missing(self):
        table = TEXT.split("## This tree")[1].split("\n## ")[0]
        named = set(re.findall(r"^\| `([a-z/]+)` \|", table, re.M))
        there = {f"lib/{path.name}" for path in (ROOT / "lib").iterdir()
                 if path.is_dir()} | {"port", "linker", "qemu", "tests"}
        self.assertEqual(there, named)

    def test_every_suite_it_names_exists_and_none_is_missing(self):
        line = re.search(r"^\| `tests` \|.*$", TEXT, re.M).group(0)
        named = set(re.findall(r"`(\w+)`", line)) - {"tests"}
        there = {path.name for path in (ROOT / "tests").iterdir()
                 if path.is_dir() and not path.name.startswith("_")}
        self.assertEqual(there, named)

    def test_every_file_it_links_to_exists(self):
        for target in re.findall(r"\]\((?!http)(.*?)\)", TEXT):
            self.assertTrue((ROOT / target).exists(), target)
