# SPDX-License-Identifier: MIT
"""Nothing stands in README.md, or in the pages it leads to, that is not so."""

import re
import unittest
from pathlib import Path

import pictures
import readme

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text()
PAGES = ["README.md", "lib/DESIGN.md", "lib/COSTS.md", "lib/CHANGELOG.md",
         "lib/config/README.md", "qemu/SOAK.md", "qemu/examples/README.md",
         "port/README.md", "tests/README.md"]


def costs(row, column):
    """A figure of the first table of lib/COSTS.md."""
    lines = [[cell.strip() for cell in line.split("|")] for line in
             (ROOT / "lib" / "COSTS.md").read_text().splitlines()
             if line.startswith("|")]
    found = [cells for cells in lines if cells[1] == row]
    return found[0][lines[0].index(column)]


def longest_window():
    """Of the table of all calls that mask, on M3."""
    table = (ROOT / "lib" / "COSTS.md").read_text().split("| call | M3 | M0 |")[1]
    return max(int(m3) for m3 in re.findall(r"^\| \w+ \| (\d+) \|",
                                            table.split("\n\n")[0], re.M))


class Readme(unittest.TestCase):
    def test_it_is_short_and_soon_says_how_to_add_the_library(self):
        self.assertLessEqual(len(TEXT.split()), 1500)
        lines = TEXT.splitlines()
        self.assertLess(lines.index("## Add it to a firmware"), 60)

    def test_its_figures_are_those_of_the_bench(self):
        words = " ".join(TEXT.split())
        for sentence in (
                f"together take {costs('tidepool-fast-shared', 'pair')} instructions",
                f"checks nothing, {costs('newlib-nano', 'pair')} or more",
                f"costs {costs('tidepool-fast-shared', 'RAM/slot')} bytes beside",
                f"masks for more than {longest_window()} instructions on a"):
            self.assertIn(sentence, words)

    def test_it_names_what_nobody_would_look_for(self):
        for name in ("NAME_create()", "NAME_update()", "retain", "[scenes]", "[dense]",
                     "[stacks]", "[frames]", "[nests]", "TP_POOL_DEFINE()",
                     "tp_pool_stats()", "privileged code", "one core", "MISRA C",
                     "armclang", "IAR", ".noinit", "TIDEPOOL_SOAK"):
            self.assertIn(name, TEXT)

    def test_it_promises_no_price_that_its_figures_do_not_show(self):
        words = " ".join(TEXT.split())
        ours, theirs = [int(costs(row, "pair")) for row in
                        ("tidepool-fast-shared", "newlib-nano")]
        self.assertLess(ours, theirs)
        self.assertEqual("1.00", costs("tidepool-fast-shared", "worst/mean"))
        self.assertIn("At the default level no call masks for more", words)
        self.assertIn("at `full`, the audit of a whole pool masks for a time that"
                      " grows with it", words)

    def test_the_fault_that_is_told_has_the_fields_and_the_kind_of_one(self):
        record = (ROOT / "lib" / "tidepool.h").read_text()
        record = record.split("struct tp_fault_record {")[1].split("}")[0]
        told = TEXT.split("`print tp_fault_record`")[1].split("addr2line")[0]
        fields = re.findall(r"`(\w+)(?: = \d+)?`", told)
        there = re.findall(r"^ .*?(\w+);", record, re.M)
        self.assertEqual(5, len(fields))
        self.assertEqual(fields, [name for name in there if name in fields])
        kinds = (ROOT / "lib" / "check" / "tp_level.h").read_text()
        self.assertIn("DOUBLE_FREE = " + re.search(r"kind = (\d+)", told)[1], kinds)

    def test_the_soak_that_is_shown_is_what_that_soak_gives(self):
        self.assertEqual(readme.shown("soak"), readme.block("soak"))

    def test_each_picture_is_what_its_script_draws(self):
        for name, draw in pictures.PICTURES.items():
            self.assertTrue(draw() == (ROOT / name).read_text(),
                            f"{name}: run tests/layout/pictures.py --write")

    def test_every_folder_is_told_of_and_no_other(self):
        text = (ROOT / "lib" / "DESIGN.md").read_text()
        tables = text.split("## Reading order")[1].split("\n## ")[0]
        named = re.findall(r"^\| `(\w+)` \|", tables, re.M)
        rooms = {path.name for path in (ROOT / "lib").iterdir() if path.is_dir()}
        self.assertEqual(rooms | {"port", "linker", "qemu", "tests"}, set(named))

    def test_folders_that_one_opens_first_have_a_page(self):
        for folder in ("qemu", "linker", "tests", "port", "lib/config",
                       "qemu/harness", "qemu/examples"):
            self.assertTrue((ROOT / folder / "README.md").is_file(), folder)

    def test_the_inner_loop_is_told_with_its_commands(self):
        loop = "cmake --build --preset host --target unit && ctest --preset host"
        told = (ROOT / "lib" / "DESIGN.md").read_text().split("## Contributing")[1]
        for words in (loop, "tests/run unit NAME", "a policy", "a board", "a test"):
            self.assertIn(words, told)

    def test_every_source_file_that_a_page_names_exists(self):
        there = {path.name for folder in ("lib", "port", "qemu", "tests", "linker")
                 for path in (ROOT / folder).rglob("*.[chld]*")}
        made = {"tp_pools.h", "tp_pools.c", "tp_pools.ld", "main.c", "startup.c",
                "firmware.ld", "game.h", "NAME.ld", "NAME_pools.h", "NAME_pools.c",
                "net_pools.h", "net_pools.c"}
        for page in PAGES:
            named = set(re.findall(r"\b(\w+\.(?:c|h|ld))\b", (ROOT / page).read_text()))
            self.assertEqual(set(), named - there - made, page)

    def test_every_file_that_a_page_links_to_exists(self):
        for page in PAGES:
            folder = (ROOT / page).parent
            text = (ROOT / page).read_text()
            for target in re.findall(r"\]\((?!http)([^)#]+)", text):
                self.assertTrue((folder / target).exists(), f"{page}: {target}")
