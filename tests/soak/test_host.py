# SPDX-License-Identifier: MIT
"""The host as a board: what its sanitizers see there that no board sees."""

import os
import re
import subprocess
import unittest

from support import HANG_SECONDS, ROOT, build
from harness.sanitizer import ENVIRONMENT, report_in

SOURCE = ROOT / "tests" / "soak" / "host" / "main.c"
MISTAKES = re.search(r"mistakes\[\].*?{(.*?)}", SOURCE.read_text(),
                     re.S)[1].replace(",", " ").split()
FRAME = 90  # Of the mistake.


def line_of(mistake):
    """'overrun() at tests/soak/host/main.c:49'."""
    lines = SOURCE.read_text().split("\n")
    number = next(i for i, line in enumerate(lines, 1)
                  if line.endswith(f"// {mistake}"))
    return f"{mistake}() at {SOURCE.relative_to(ROOT)}:{number}"


class Sanitized(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = build("host", "full", "mistakes", "console")

    def play(self, name, *words):
        """Exit code, what it said of itself, what a sanitizer said of it."""
        result = subprocess.run(
            [self.folder / f"{name}.elf", "soak", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=dict(os.environ, **ENVIRONMENT),
            timeout=HANG_SECONDS)
        return (result.returncode, result.stdout,
                report_in(result.stderr.decode()))

    def make(self, mistake):
        return self.play("mistakes", f"mistake={MISTAKES.index(mistake)}",
                         "frames=180")

    def test_a_touch_of_what_is_nobodys_is_named_by_its_line_in_its_frame(self):
        for mistake, word in (
                ("read_after_free", "read from memory that is nobody's, 4 bytes"),
                ("write_after_free", "write to memory that is nobody's, 4 bytes"),
                ("overrun", "write"), ("underrun", "write"),
                ("never_issued", "write"), ("last_frame", "write"),
                ("gone_bird", "write"), ("moved_map", "write"),
                ("overflow", "signed integer overflow")):
            with self.subTest(mistake):
                code, _, report = self.make(mistake)
                self.assertNotEqual(0, code)
                self.assertEqual((line_of(mistake), FRAME), report[1:])
                self.assertIn(word, report.what)

    def test_what_the_library_finds_it_says_on_the_host_too(self):
        code, said, report = self.make("freed_twice")
        self.assertEqual((1, None), (code, report))
        self.assertIn(b"\xb7\x03\x1c\0Z\0\0\0", said)  # A fault, in frame 90.

    def test_a_program_without_a_mistake_hears_nothing(self):
        self.assertEqual((0, None), self.make("nothing")[::2])
        self.assertEqual((0, None), self.play("console", "frames=1800")[::2])
