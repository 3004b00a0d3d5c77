# SPDX-License-Identifier: MIT
"""Broken files: whatever they hold, they end in 0 or in complaints."""

import contextlib
import io
import os
import random
import unittest

from helper import GOLDEN, NAMES, InFolder, is_full, read
from generator.check import check
from generator.cli import main
from generator.model import schema as json_schema
from generator.toml import Parser, plain
import trees
from test_verbs import violations

try:
    import tomllib
except ImportError:
    tomllib = None  # Before Python 3.11.

CASES = 2000 if is_full() else 500  # Others of the same kinds of mistakes.
PIECES = ["[", "]", "[[", "]]", "{", "}", "=", ",", ".", '"', "'", '"""', "#", "\n",
          "\r", "\t", "\\",
          "0", "-1", "1_0", "0x", "1e9", "99999999999999999999", "4K", "true", "nan",
          "1979-05-27",
          "[pools]", "[banks]\n", "pools.a = 1\n", "a = {}\n", "é", "\x00", "\x7f",
          "size", "full",
          '"spill"', "[scenes]\n", "[nests]\n", "[blocks.a]\n", "[relocating]\n",
          "[[dense]]\n", "a = { sparks = 3 }\n",
          'in = "root"', "retained = true", "retain = [0, 4]",
          '"2 * N"', '"sizeof(int)"', "union = []",
          "[contexts]\n", 'radio = "task"\n', 'frees = ["main"]', 'waits = ["main"]',
          "classes = [ { } ]", "bytes = '8K'",
          'spill = "sparks"', "reserve = 3", "low_water = 2", 'policy = "p"', "\\u0000",
          '"\\ud800"', "[[pools]]\n", "[pools.sounds]\n", "tidepool = 1\n"]
# What tomllib reads, and the subset does not.
SUBSET = ["not used here", "does not fit in 64 bits", "nested more than"]


def mutate(text, dice):
    """[text] with one to four things wrong."""
    for _ in range(dice.randint(1, 4)):
        lines = text.split("\n")
        at, line = dice.randrange(len(text) + 1), dice.randrange(len(lines))
        text = dice.choice([
            lambda: text[:at] + dice.choice(PIECES) + text[at:],
            lambda: text[:at] + text[at + dice.randint(1, 8):],
            lambda: text[:at] + dice.choice(PIECES) + text[at + 1:],
            lambda: "\n".join(lines[:line] + lines[line + 1:]),
            lambda: "\n".join(lines + [dice.choice(lines)]),
            lambda: "\n".join(lines[line:] + lines[:line]),
            lambda: text[:at],
        ])()
    return text


def cases(change=mutate):
    good = [path.read_text(encoding="utf-8")
            for path in sorted(GOLDEN.glob("*/pools.toml"))]
    for seed in range(CASES):
        dice = random.Random(seed)
        yield seed, change(dice.choice(good), dice)


class BrokenFiles(InFolder):
    def test_every_broken_file_is_generated_or_refused(self):
        self.generate_or_refuse(mutate)

    def test_every_table_of_odd_values_is_generated_or_refused(self):
        generated = self.generate_or_refuse(trees.odd)
        self.assertGreater(generated, CASES / 20)  # Else it is all too odd.

    def generate_or_refuse(self, change):
        """How many were generated."""
        generated = 0
        for seed, text in cases(change):
            shown, out = io.StringIO(), self.folder / str(seed)
            path = self.write("pools.toml", text)
            with contextlib.redirect_stderr(shown):
                code = main(["generate", str(path), "--out", str(out)])
            self.assertIn(code, (0, 1), seed)
            self.assertEqual(code, int(": error: " in shown.getvalue()),
                             (seed, shown.getvalue()))
            self.assertEqual(sorted(os.listdir(str(out))) if out.exists() else [],
                             [] if code else sorted(NAMES), seed)
            generated += code == 0
        return generated

    def test_broken_bytes_are_refused(self):
        good = (GOLDEN / "banks" / "pools.toml").read_bytes()
        for seed in range(200):
            dice = random.Random(seed)
            broken = bytearray(good)
            for _ in range(3):
                broken[dice.randrange(len(broken))] = dice.randrange(256)
            path = self.write("pools.toml", bytes(broken))
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertIn(main(["check", str(path)]), (0, 1), seed)

    def test_every_complaint_stands_within_the_file(self):
        for seed, text in cases():
            text = text.replace("\r\n", "\n")
            lines = text.split("\n")
            for line, column, width in (problem.place for problem in check(read(text))):
                self.assertLessEqual(line, len(lines), seed)
                self.assertLessEqual(column, len(lines[line - 1]) + 1, seed)
                self.assertGreaterEqual(min(line, column, width), 1, seed)

    def test_what_is_generated_pleases_the_schema(self):
        schema = json_schema()
        for seed, text in cases():
            config = read(text.replace("\r\n", "\n"))
            if not any(problem.severity == "error" for problem in check(config)):
                self.assertEqual(violations(plain(config.tree), schema), [],
                                 (seed, text))

    if tomllib:
        def test_broken_files_mean_to_us_what_they_mean_to_tomllib(self):
            for seed, text in cases():
                parser = Parser(text.replace("\r\n", "\n"))
                tree = parser.parse()
                try:
                    theirs = tomllib.loads(text)
                except tomllib.TOMLDecodeError:
                    self.assertTrue(parser.problems, (seed, text))
                    continue
                if not any(part in problem.text for problem in parser.problems
                           for part in SUBSET):
                    self.assertEqual(parser.problems, [], (seed, text))
                    self.assertEqual(repr(plain(tree)), repr(theirs), (seed, text))


if __name__ == "__main__":
    unittest.main()
