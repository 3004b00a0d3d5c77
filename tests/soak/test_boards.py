# SPDX-License-Identifier: MIT
"""A board is two files of linker/: nothing else names it but its presets."""

import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import trials
from harness import boards, machine
from harness.errors import CannotRun
from harness.gdb_remote import GdbRemote
from harness.options import Options
from support import HANG_SECONDS, tool

NAME = "my_board"


def checkout_with_another_board(folder):
    """All files of this checkout, and a board: two files, copied."""
    for name in tool("git", "ls-files", "--cached", "--others",
                     "--exclude-standard").splitlines():
        if (trials.ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(trials.ROOT / name, folder / name)
    for ending in ("ld", "cmake"):
        shutil.copy(folder / "linker" / f"mps2_an386.{ending}",
                    folder / "linker" / f"{NAME}.{ending}")


def python(folder, *words):
    return subprocess.run([sys.executable, *words], cwd=folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=HANG_SECONDS)


REGION = re.compile(r"^ +\w+ \(\w+\) +: ORIGIN = (\w+), LENGTH = (.+)$", re.M)
BYTES = {"K": 1 << 10, "M": 1 << 20}
MARKS = 8  # So many words of each region, evenly, and its first.


def regions(board):
    """The addresses of each that the linker script gives away, in order."""
    text = (boards.FOLDER / f"{board}.ld").read_text()
    found = []
    for origin, length in REGION.findall(text):
        size, *less = (int(number) * BYTES[unit] for number, unit in
                       re.findall(r"(\d+)([KM])", length))
        begin = int(origin, 16)
        found.append(range(begin, begin + size - sum(less)))
    return sorted(found, key=lambda memory: memory.start)


def marks_in(memory):
    return [memory.start, *(memory.start + len(memory) * mark // MARKS - 4
                            for mark in range(1, MARKS + 1))]


def debugged(test, board):
    """The machine before its first instruction, with nothing in it."""
    ours, theirs = socket.socketpair()
    with theirs:
        qemu = subprocess.Popen(
            ["qemu-system-arm", "-M", boards.BOARDS[board].machine, "-S", "-display",
             "none", "-monitor", "none", "-serial", "null", "-nic", "none", "-chardev",
             f"socket,id=gdb,fd={theirs.fileno()}", "-gdb", "chardev:gdb"],
            pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
    for clean_up in (qemu.wait, qemu.kill, ours.close):
        test.addCleanup(clean_up)
    return GdbRemote(ours)


class Memory(unittest.TestCase):
    def test_what_a_linker_script_gives_away_the_machine_has_and_has_once(self):
        for board in boards.BOARDS:
            with self.subTest(board=board):
                gdb = debugged(self, board)
                given = regions(board)
                self.assertGreaterEqual(len(given), 3)
                marks = [mark for memory in given for mark in marks_in(memory)]
                for number, mark in enumerate(marks, 1):  # Also in its flash.
                    gdb._tell(f"M{mark:x},4:{number:02x}000000")
                self.assertEqual([*range(1, len(marks) + 1)],
                                 [gdb.word(mark) for mark in marks])

    def test_no_two_regions_of_a_board_overlap(self):
        for board in boards.BOARDS:
            given = regions(board)
            for one, next_one in zip(given, given[1:]):
                self.assertLessEqual(one.stop, next_one.start, board)


class Boards(unittest.TestCase):
    def test_a_board_is_added_by_its_description_and_its_linker_script(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            checkout_with_another_board(folder)
            run = python(folder, "qemu/soak", "run", "--board", NAME,
                         "--frames", "600", "--out", "result", "--json")
            self.assertEqual(0, run.returncode, run.stderr)
            self.assertEqual(NAME, json.loads(run.stdout)["board"])
            found = python(folder / "tests", "-c",
                           "from support import *;"
                           f"print(has_tests('{NAME}', 'bench'),"
                           f" *emulator('{NAME}', 'x.elf'))")
            self.assertRegex(found.stdout,
                             "^True qemu-system-arm -M mps2-an386 ")

    def test_every_linker_script_of_a_board_has_a_description_beside_it(self):
        scripts = {path.stem for path in boards.FOLDER.glob("*.ld")}
        self.assertEqual(set(boards.BOARDS), scripts - {"sections"})

    def test_the_page_says_how_fast_each_is_or_that_it_plays_less(self):
        page = (trials.ROOT / "qemu" / "README.md").read_text()
        for name in boards.BOARDS:
            self.assertRegex(page, rf"(?m)^(\| )?`{name}` (\|.*\| [\d.]+ \|$|plays a)")

    def test_a_run_on_a_board_that_has_gone_since_is_a_sentence(self):
        with self.assertRaisesRegex(CannotRun, "^there is no board moon any more: a run"
                                               " on it wants linker/moon.cmake.$"):
            machine.command(Options(board="moon"))

    def test_a_board_that_nobody_described_is_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            told = subprocess.run(
                ["cmake", "-S", trials.ROOT, "-B", folder, "-G", "Ninja",
                 "-DTIDEPOOL_BOARD=moon"], stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True).stdout
        self.assertIn('there is no board "moon" in linker', told)
