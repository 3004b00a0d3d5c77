# SPDX-License-Identifier: MIT
"""What a firmware keeps over the reset that follows a fault, and the page that tells
of it: port/gdb/README.md, each line of which is printed here."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from session import BOARD, SCRIPT, live, scratch, tidepool
from support import HANG_SECONDS, ROOT, build, emulator

FEW = 12  # Enemies, which must not be refused: the game's waves have more.

PAGE = ROOT / "port" / "gdb" / "README.md"
RAM = 0x20010000, 0x20011000
DUMP = """
gdb.execute("tbreak reset_the_system")
gdb.execute("continue")
ram(FILE, *RAM)
ram(STACK, number("(unsigned)$sp"), number("(unsigned)&stack_top"))
answers["sp"] = number("(unsigned)$sp")
"""


def booted(image, code=0):
    """What the second boot of it prints, and its first."""
    words = emulator(BOARD, image, serial="stdio")
    words.remove("-no-reboot")
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=HANG_SECONDS)
    if done.returncode != code:
        raise AssertionError(f"{done.returncode}: {done.stdout}")
    return done.stdout


def blind(text):
    """Without what another compiler makes otherwise: addresses, numbers, paths."""
    text = text.replace(f"{ROOT}/", "")
    text = re.sub(r"\b(0x)?[0-9a-f]{8}\b", "ADDRESS", text)
    return re.sub(r" +", " ", text)


class Crash(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch(cls)
        built = build(BOARD, "fast", "examples")
        cls.elf = cls.folder / "radio.elf"
        shutil.copy(built / "example_crash.elf", cls.elf)
        cls.log = cls.folder / "boot.log"
        cls.log.write_text(booted(built / "example_crash.bin"))
        ram, stack = cls.folder / "ram.bin", cls.folder / "stack.bin"
        told = live(cls.elf, f"FILE, STACK, RAM = {str(ram)!r}, {str(stack)!r}, {RAM}\n"
                    + DUMP)
        cls.sp, cls.ram, cls.stack = told["sp"], ram, stack

    def core(self, *files):
        """(its file, what is said)."""
        path = self.folder / f"{files[0].stem}.core"
        return path, tidepool("core", self.elf, *files, "--out", path)

    def gdb(self, core, *words):
        return subprocess.run(
            ["gdb-multiarch", "-nx", "-batch", *words, self.elf, core],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=HANG_SECONDS).stdout

    def test_each_line_of_the_page_is_printed_by_its_command(self):
        boot, told = self.core(self.log)
        ram, _ = self.core(self.ram)
        said = [self.log.read_text(), tidepool("dump", self.elf, self.log, code=2),
                told.replace(f"{self.folder}/", ""),
                self.gdb(boot, "-ex", "backtrace"),
                tidepool("dump", self.elf, self.ram, code=1),
                self.gdb(ram, "-x", SCRIPT, "-ex", "tp slots packets")]
        printed = {line.rstrip() for text in said for line in blind(text).splitlines()}
        blocks = re.findall(r"```text\n(.*?)```", PAGE.read_text(), re.S)
        lines = [line for block in blocks for line in block.splitlines()
                 if not line.startswith("$ ")]
        self.assertGreater(len(lines), 15)
        for line in lines:
            if not re.match(r"[0-9a-f]{8}: |r0 = ", line):
                self.assertIn(blind(line), printed)

    def test_the_line_is_that_of_the_second_free(self):
        source = (ROOT / "qemu/examples/crash/main.c").read_text().splitlines()
        number = int(re.search(r"The line is `main.c:(\d+)`", PAGE.read_text())[1])
        self.assertIn("packets_free(sent)", source[number - 1])

    def test_of_a_dump_the_registers_are_those_that_the_firmware_kept(self):
        """The stack may be another's by now: that of the crash is in the dump."""
        core, told = self.core(self.ram)
        self.assertNotIn("without registers", told)
        self.assertRegex(self.gdb(core, "-ex", "backtrace"),
                         r"(?s)tp_crash_save .* tp_fault .* acknowledge .* main \(\)")

    def test_the_stack_in_a_core_begins_where_a_line_of_gdbs_cache_does(self):
        """Else GDB takes the first words for zeroes, where that is a task's own."""
        core, _ = self.core(self.log)
        told = self.gdb(core, "-ex", "info files", "-ex", "print (unsigned)$sp")
        stack = int(re.search(r"\$1 = (\d+)", told)[1])
        begins = [int(begin, 16) for begin, end in re.findall(
            r"(0x[0-9a-f]{8}) - (0x[0-9a-f]{8}) is load", told)
            if int(begin, 16) <= stack < int(end, 16)]
        self.assertEqual([stack & -64], begins)

    def test_what_a_core_has_not_gdb_is_not_told_as_zeroes(self):
        """Of the log the core has record and stack, and of no pool the words."""
        core, _ = self.core(self.log)
        told = self.gdb(core, "-x", SCRIPT, "-ex", "tp pools", "-ex", "tp check",
                        "-ex", "tp fault")
        self.assertRegex(told, r"packets +pool +- +- +\? +\? +\? +\? +slots")
        self.assertIn("packets: cannot be told of: ", told)
        self.assertIn("fault: double-free of packets, slot 1", told)
        told = self.gdb(core, "-x", SCRIPT, "-ex", "tp slots packets")
        self.assertIn("packets cannot be told of: ", told)

    def test_one_that_was_written_over_is_none(self):
        data = bytearray(self.ram.read_bytes())
        at = data.index(bytes.fromhex("adde117e"))
        data[at + 100] ^= 4
        broken = self.folder / "broken.bin"
        broken.write_bytes(data)
        self.assertIn("without registers", self.core(broken)[1])


class Game(unittest.TestCase):
    """The game with a pool too small for it: a fault, a reset, and what it prints."""

    def test_it_says_after_a_reset_of_what_it_died(self):
        with tempfile.TemporaryDirectory() as folder:
            pools = Path(folder) / "pools.toml"
            text = (ROOT / "qemu" / "game" / "pools.toml").read_text()
            text, changed = re.subn(r"(?m)^(enemies .* count = )\d+",
                                    rf"\g<1>{FEW}", text)
            self.assertEqual(1, changed)
            pools.write_text(text)
            built = build(BOARD, "fast", "game", kind="crashing",
                          TIDEPOOL_GAME_POOLS=pools)
            log = Path(folder) / "boot.log"
            log.write_text(booted(built / "game.bin", code=1))
            told = tidepool("dump", built / "game.elf", log, code=2)
        self.assertRegex(told, r"^fault: full of enemies, in frame [1-9]\d*\n"
                         rf"  {FEW + 1} were asked for, where {FEW} fit\n"
                         r"  by \w+\(\) at \S+/qemu/game/enemies.c:\d+\n")


if __name__ == "__main__":
    unittest.main()
