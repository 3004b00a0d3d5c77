# SPDX-License-Identifier: MIT
"""What the tests of port/mpu share: an image is run, and its crash is read."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import HANG_SECONDS, ROOT, build, emulator, is_full, tool  # noqa: E402

PMSA_V7, PMSA_V8, NO_MPU = ("mps2_an385", "mps2_an500"), ("mps2_an505",), "microbit"
GUARDED = PMSA_V7 + PMSA_V8
DECODER = ROOT / "lib" / "config" / "tidepool.py"


def levels(board, usual, other):
    """A level on each board, and the other on the first and in the full tests: what
    the library does there is the same for each MPU."""
    return (usual, other) if board == GUARDED[0] or is_full() else (usual,)


class Image:
    """That of a folder here."""

    def __init__(self, name, kind="", **settings):
        self.name, self.kind, self.settings = name, kind, settings
        self.source = ROOT / "tests" / "sanitize" / name / "main.c"

    def elf(self, board, level="fast"):
        return build(board, level, self.name, kind=self.kind, **self.settings) \
            / f"{self.name}.elf"

    def said(self, board, *arguments, level="fast"):
        """(exit code, lines) of a run."""
        result = subprocess.run(
            emulator(board, self.elf(board, level), arguments=arguments),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=HANG_SECONDS)
        lines = [line for line in result.stdout.splitlines()
                 if not line.startswith("qemu-system-arm: warning")]
        return result.returncode, lines

    def decoded(self, board, lines):
        """What tidepool.py dump makes of the lines of a crash: those of the fault."""
        told = self.asked(board, lines, sys.executable, DECODER, "dump")
        return told.split("\n\n")[0]

    def backtrace(self, board, lines):
        with tempfile.TemporaryDirectory() as folder:
            core = Path(folder) / "core"
            self.asked(board, lines, sys.executable, DECODER, "core", "--out", core)
            return printed("gdb-multiarch", "-nx", "-batch", "-ex", "backtrace",
                           self.elf(board), core)

    def asked(self, board, lines, *words):
        """What the words, the image and a file of [lines] print."""
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "boot.log"
            log.write_text("\n".join(lines))
            return printed(*words, self.elf(board), log)

    def address_of(self, board, place):
        """Of a symbol, or of NAME+BYTES."""
        name, _, beside = place.partition("+")
        symbols = tool("arm-none-eabi-nm", self.elf(board))
        found = re.search(rf"^(\w+) \w {name}$", symbols, re.M)
        return int(found[1], 16) + int(beside or 0)

    def line_of(self, mark):
        """file:line of main.c where a comment says so."""
        lines = self.source.read_text().splitlines()
        number = next(number for number, line in enumerate(lines, 1)
                      if line.endswith(f"// {mark}"))
        return f"{self.source}:{number}"


def printed(*words):
    return subprocess.run([str(word) for word in words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True,
                          timeout=HANG_SECONDS).stdout
