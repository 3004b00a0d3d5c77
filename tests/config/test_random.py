# SPDX-License-Identifier: MIT
"""Whatever passes the rules compiles: random tables, for a Cortex-M3."""

import random
import unittest

from helper import ROOT, InFolder, files, read
from generator.check import check
from generator.keys import POOL_KEYS

CASES = 30
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror",
            "-Wno-unused-function"]
BANKS = ('banks.ram = { region = "RAM" }\n'
         'banks.keep = { region = "RAM2", retained = true }\n'
         'contexts.main = "task"\ncontexts.radio = { interrupt = 0x60 }\n'
         'nests.root = { bytes = "4K", bank = "ram" }\nnests.side = { bytes = "2K" }\n')
# Keys of a pool and some of their values.
KEYS = {
    "type": ['"uint64_t"'], "align": ["8", "16"], "isr": ["true"],
    "refuse_below": ["true"], "min_age": ["3"],
    "pin": ["true"], "untyped": ["true"], "reserve": ["2"], "low_water": ["1"],
    "wait": ["true"], "take_back": ["true"],
    "refill": ["3"],
    "retain": ["[0, 8]"], "handles": ["32", "64"], "code": ['"own"'],
    "in": ['"root"', '"side"'], "end": ['"high"'],
    "lock": ['"none"', '"basepri:64"', '"exclusive"'], "bank": ['"ram"', '"keep"'],
    "allocates": ['["main"]', '["radio", "main"]'], "waits": ['["main"]'],
    "frees": ['["radio"]', '["main", "radio"]'],
    "owner": ["true", "false"], "written": ["true"],
    "link": ["4", '"outside"'], "metadata": ['"bank"'], "union": ['["int", "double"]'],
}
KEYS.update({key: ['"NAME_' + key + '"'] for key in [
    "evict", "score", "on_low", "on_refill", "init", "deinit", "in_use", "validate",
    "close", "release"]})
SIZES = [{"size": "16"}, {"size": '"2 * sizeof(double)"'}, {"type": '"uint64_t"'},
         {"union": '["int", "double"]'}]
# What each answer to a full pool needs.
POLICIES = [{"full": '"assert"'}, {"full": '"drop"'},
            {"full": '"steal-oldest"', "evict": '"NAME_gone"'},
            {"full": '"steal-oldest"', "handles": "32"},
            {"full": '"steal-oldest"', "deinit": '"NAME_died"'},
            {"full": '"steal-least"', "score": '"NAME_score"', "evict": '"NAME_gone"'},
            {"full": '"spill"', "spill": '"p0"', "then": '"drop"', "untyped": "true"},
            {"policy": '"NAME_policy"'}]


def text_of(rows, scenes):
    lines = [f"{name} = {{ " + ", ".join(f"{key} = {value}" for key,
                                         value in row.items()) + " }"
             for name, row in rows]
    return "tidepool = 1\n" + BANKS + "[pools]\n" + "\n".join(lines) + "\n" + scenes


def is_right(text):
    return not any(problem.severity == "error" for problem in check(read(text)))


def random_row(dice, name, others, scenes):
    """A row with every key, in random order, that breaks no rule."""
    row = dict(dice.choice(SIZES), count=dice.choice(["4", "9", '"3 * 3"']),
               **dice.choice(POLICIES))
    for key in dice.sample(sorted(KEYS), len(KEYS)):
        more = dict(row, **{key: dice.choice(KEYS[key])})
        if key not in row and is_right(text_of(others + [(name, more)], scenes)):
            row = more
    return {key: value.replace("NAME", name) for key, value in row.items()}


def random_table(dice):
    rows = [("p0", {"size": "16", "count": "4", "full": '"drop"', "isr": "true"})]
    scenes = ""
    for name in ["p1", "p2", "p3"]:
        if name == "p3" and dice.random() < 0.5:
            scenes = "[scenes]\nday = { p3 = 3 }\nnight = { p3 = 7 }\n"
        row = random_row(dice, name, rows, scenes)
        if is_right(text_of(rows + [(name, row)], scenes)):
            rows.append((name, row))
    return text_of(rows, scenes if rows[-1][0] == "p3" else "")


class Random(InFolder):
    def test_whatever_passes_the_rules_compiles(self):
        keys = set()
        for seed in range(CASES):
            text = random_table(random.Random(seed))
            pools = read(text).tree.value["pools"].value
            keys |= {key for node in pools.values() for key in node.value}
            for name, content in files(text).items():
                self.write(name, content)
            for level in (0, 3):
                result = self.run_tool(
                    "arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-O1",
                    "-std=c11", *WARNINGS,
                    "-I", ROOT / "lib", "-I", ROOT / "port" / "cortex_m", "-I", ".",
                    "-I", ROOT / "port" / "wait" / "bare",
                    f"-DTP_CHECKS={level}",
                    "-c", "tp_pools.c", "-o", "x.o")
                self.assertEqual((result.returncode, result.stdout), (0, ""),
                                 (seed, text))
        self.assertGreater(len(keys),
                           0.8 * len(POOL_KEYS))  # Else it has tried too little.


if __name__ == "__main__":
    unittest.main()
