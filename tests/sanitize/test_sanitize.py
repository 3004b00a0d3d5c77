# SPDX-License-Identifier: MIT
"""The sanitizer: what it says of each wrong access, by compiler, core and level;
and that it says nothing of what is right."""

import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))
from support import build, emulator, is_full, tool  # noqa: E402
from test_examples import EXAMPLES, printed, words  # noqa: E402

KIND = "sanitize"
ON = {"TIDEPOOL_SANITIZE": "ON"}
# Board, level and compiler: the least and the most that is checked, a core of each
# set of instructions that the checks are compiled to, and the other compiler.
BUILDS = (("host", "full", ""), ("microbit", "fast", ""), ("mps2_an385", "full", ""),
          ("mps2_an385", "full", "clang"))
MORE_BUILDS = tuple(
    (board, level, toolchain) for toolchain in ("", "clang")
    for board in ("microbit", "mps2_an385", "mps2_an386", "mps2_an500", "mps2_an505",
                  "mps3_an547") for level in ("fast", "poison", "full"))


def sanitized(board, level, *targets, toolchain=""):
    more = {"TIDEPOOL_ASAN": "OFF", "TIDEPOOL_EVENTS": "8"} if board == "host" else {}
    return build(board, level, *targets, kind=KIND, toolchain=toolchain, **ON, **more)


def output(words):
    return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", timeout=300)


class Cases(unittest.TestCase):
    def test_each_wrong_access_is_named_and_no_right_one(self):
        for board, level, toolchain in BUILDS + MORE_BUILDS * is_full():
            with self.subTest(board=board, level=level, toolchain=toolchain):
                elf = sanitized(board, level, "sanitize",
                                toolchain=toolchain) / "sanitize.elf"
                words = [elf] if board == "host" else emulator(board, elf)
                result = output(words)
                self.assertEqual(0, result.returncode, result.stdout)
                self.assertIn(", 0 failed", result.stdout)


class Interrupted(unittest.TestCase):
    def test_an_interrupt_at_each_instruction_of_an_access_changes_no_verdict(self):
        for board, level in (("mps2_an385", "full"), ("microbit", "fast"),
                             *[("mps2_an385", "fast")] * is_full()):
            with self.subTest(board=board, level=level):
                elf = sanitized(board, level, "interrupted") / "interrupted.elf"
                result = output(emulator(board, elf,
                                         icount="shift=10,align=off,sleep=off"))
                self.assertEqual(0, result.returncode, result.stdout)
                self.assertIn("4 passed, 0 failed", result.stdout)


class Clean(unittest.TestCase):
    def test_no_example_does_anything_wrong(self):
        folder = sanitized("mps2_an385", "fast", "examples")
        for example in EXAMPLES:
            with self.subTest(example.name):
                image = folder / f"example_{example.name}"
                self.assertIn("_noabort",
                              tool("arm-none-eabi-nm", image.with_suffix(".elf")))
                self.assertEqual(words((example / "output.txt").read_text()),
                                 words(printed(image.with_suffix(".bin"))))


if __name__ == "__main__":
    unittest.main()
