# SPDX-License-Identifier: MIT
"""The firmwares of qemu/examples, booted: each prints its output.txt."""

import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ROOT, build, emulator, tool  # noqa: E402

FOLDER = ROOT / "qemu" / "examples"
EXAMPLES = sorted(path.parent for path in FOLDER.glob("*/pools.toml"))
PAGE = 88  # Lines.


def images(level):
    return build("mps2_an385", level, "examples")


def printed(image):
    """What a firmware prints until it ends. It must end with 0."""
    words = [word for word in emulator("mps2_an385", image, serial="stdio")
             if word != "-no-reboot"]  # One resets itself.
    output = tool(*words)
    return "".join(line for line in output.splitlines(keepends=True)
                   if not line.startswith("qemu"))


def numbers(text):
    return [int(digits) for digits in re.findall(r"\d+", text)]


def words(text):
    return re.sub(r"\d+", "N", without_addresses(text))


def without_addresses(text):
    """As another compiler's firmware might print it, of another size."""
    text = re.sub(r"(?m)^[0-9a-f]{8}: .*\n", "", text)
    return re.sub(r"= [0-9a-f]{8}", "= N", text)


class Examples(unittest.TestCase):
    def test_each_prints_what_it_says(self):
        folder = images("fast")
        for example in EXAMPLES:
            with self.subTest(example.name):
                self.prints(example, folder)

    def prints(self, example, folder):
        """Instructions that were measured are at most a tenth more."""
        said = without_addresses((example / "output.txt").read_text())
        found = without_addresses(printed(folder / f"example_{example.name}.bin"))
        if "instructions" not in said:
            self.assertEqual(said, found)
        self.assertEqual(words(said), words(found))
        for one, other in zip(numbers(said), numbers(found)):
            self.assertLessEqual(other, one * 1.1)

    def test_none_misuses_a_pool_at_the_level_that_looks_for_most(self):
        folder = images("full")  # But for one that means to.
        for example in EXAMPLES:
            with self.subTest(example.name):
                said = (example / "output.txt").read_text()
                found = printed(folder / f"example_{example.name}.bin")
                self.assertEqual(words(said), words(found))

    def test_each_table_passes_without_a_warning(self):
        for example in EXAMPLES:
            self.assertEqual("", tool(
                sys.executable, ROOT / "lib/config/tidepool.py", "check",
                example / "pools.toml"))

    def test_each_is_one_page_of_c_and_a_table(self):
        for example in EXAMPLES:
            files = {path.name for path in example.iterdir()}
            self.assertLessEqual(
                {"main.c", "output.txt", "pools.toml", "types.h"}, files)
            more = {f"{example.name}{ending}" for ending in (".c", ".h")}
            self.assertLessEqual(len(files - more), 4, files)  # What it stands on.
            lines = (example / "main.c").read_text().count("\n")
            self.assertLessEqual(lines, PAGE, example.name)

    def test_a_pool_costs_less_than_what_it_replaces(self):
        heap, most_of_heap, pool, most_of_pool = numbers(
            (FOLDER / "from_malloc" / "output.txt").read_text())
        self.assertLess(pool, heap)
        self.assertLess(most_of_pool, most_of_heap)
        scan = numbers((FOLDER / "from_scan" / "output.txt").read_text())
        arrays, pools = scan[1::3], scan[2::3]
        self.assertEqual(1, len(set(pools)))
        self.assertLess(pools[1], arrays[1])

    def test_the_readme_lists_them_all_and_no_other(self):
        table = (FOLDER / "README.md").read_text()
        named = re.findall(r"^\| \[(\w+)\]\(\1/main\.c\) \|", table, re.M)
        self.assertEqual([path.name for path in EXAMPLES], sorted(named))
