# SPDX-License-Identifier: MIT
"""The mistakes of tests/soak/mistakes: do they still fit the tree, and are those
that the host sees noticed as qemu/README.md says? All of them, in QEMU too, are
tried by tests/soak/noticed.py."""

import json
import os
import shlex
import subprocess
import tempfile
import unittest
from pathlib import Path

import noticed
from support import HANG_SECONDS, ROOT, build, tool
from harness.sanitizer import ENVIRONMENT, report_in

ON_HOST = ("flash_of_the_dead", "last_word", "old_leader")
LEAST, NOTHING_MOST = 30, 4
NOTICED_OF_30 = 26  # By the default gate.
# Of each of these there is one, at least.
CLASSES = {
    "leak", "held past its life", "pool that falls silent", "frame cost spike",
    "frame cost that drifts", "stack depth", "interrupt ever more often",
    "interrupt lost", "peak that creeps", "clock near its end", "store to address 0",
    "store to flash", "fragmentation", "read after free",
    "stale write to a re-issued slot", "uninitialised half", "overlap", "wrong pool",
    "race with an interrupt", "double free", "hang", "HardFault"}


class OnPaper(unittest.TestCase):
    def test_every_mistake_applies_to_the_tree(self):
        found = noticed.mistakes()
        self.assertGreaterEqual(len(found), LEAST)
        for mistake in found:
            with self.subTest(mistake.name):
                for _, own in noticed.applied(mistake).values():
                    self.assertTrue(own)
                self.assertTrue(mistake.sentence.endswith("."), mistake.sentence)

    def test_the_page_has_a_row_of_every_mistake_and_few_that_nothing_notices(self):
        rows = noticed.rows()
        self.assertEqual({one.name for one in noticed.mistakes()}, set(rows))
        for mistake in noticed.mistakes():
            self.assertIn(f"| {mistake.kind} |", rows[mistake.name])
        unseen = [name for name, line in rows.items() if "| nothing |" in line]
        self.assertLessEqual(len(unseen), NOTHING_MOST, unseen)

    def test_each_class_of_mistakes_has_one(self):
        self.assertEqual(set(), CLASSES - {one.kind for one in noticed.mistakes()})

    def test_the_page_says_that_the_default_gate_notices_26_of_30(self):
        cells = [line.split("|")[3].strip() for line in noticed.rows().values()]
        seen = sum(cell != "-" for cell in cells)
        self.assertGreaterEqual(LEAST * seen, NOTICED_OF_30 * len(cells))


class OnTheHost(unittest.TestCase):
    """One source compiled again, and linked with the console that is there."""

    @classmethod
    def setUpClass(cls):
        cls.folder = build("host", "full", "console")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name)
        cls.objects = {Path(one["file"]): one for one in json.loads(
            tool("ninja", "-C", cls.folder, "-t", "compdb"))
            if "console.dir" in one["output"]}
        cls.link = tool("ninja", "-C", cls.folder, "-t", "commands",
                        "console.elf").rstrip().split("\n")[-1]

    def run_in_build(self, words):
        subprocess.run(words, cwd=self.folder, check=True, timeout=HANG_SECONDS)

    def make(self, mistake):
        """The program that has it."""
        link = self.link
        for name, (text, _) in noticed.applied(mistake).items():
            one = self.objects[ROOT / name]
            source, made = self.work / Path(name).name, self.work / "mistake.o"
            source.write_text(text)
            words = [str(source) if word == one["file"] else
                     str(made) if word == one["output"] else word
                     for word in shlex.split(one["command"])]
            self.run_in_build(words)
            link = link.replace(f" {one['output']} ", f" {made} ")
        words = shlex.split(link.split("&&")[1])
        words[words.index("-o") + 1] = str(self.work / "mistake.elf")
        self.run_in_build(words)
        return self.work / "mistake.elf"

    def test_the_host_says_of_three_what_the_page_says_by_the_line_of_the_mistake(self):
        rows = noticed.rows()
        for mistake in noticed.mistakes(ON_HOST):
            result = subprocess.run(
                [self.make(mistake), "soak", "frames=1200", "clock=none"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, env=dict(os.environ, **ENVIRONMENT),
                timeout=HANG_SECONDS)
            report = report_in(result.stderr.decode())
            cells = [cell.strip() for cell in rows[mistake.name].split("|")]
            with self.subTest(mistake.name):
                self.assertEqual(cells[4], str(report.frame))
                self.assertIn(report.what, cells[6])
                ((name, (_, own)),) = noticed.applied(mistake).items()
                line = int(report.line.rpartition(":")[2])
                self.assertIn(line, own, report.line)
