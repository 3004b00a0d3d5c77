# SPDX-License-Identifier: MIT
"""A checkout of its own for a test: the real soak, tools made of paper."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import paper

CMAKE = """\
[ -z "$CMAKE_SAYS" ] || { echo "$CMAKE_SAYS"; exit 1; }
[ "$1" = --build ] && { mkdir -p "$2"; echo elf $ELF_SAYS > "$2/console.elf"; }
exit 0
"""
GENERATOR = """\
import sys
words = open(sys.argv[2]).read()
if "bad" in words:
    print(sys.argv[2] + ":1:1: error: bad pools")
    sys.exit(1)
"""


class Checkout:
    def __init__(self, test):
        self.root = Path(tempfile.mkdtemp())
        test.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        for name in ("qemu/harness", "linker", "lib/config/decoder"):
            shutil.copytree(paper.ROOT / name, self.root / name)
        shutil.copy(paper.ROOT / "qemu" / "soak", self.root / "qemu")
        self.out = self.root / "result"
        generator = self.root / "lib" / "config" / "tidepool.py"
        generator.write_text(GENERATOR)
        self._make_tools()

    def _make_tools(self):
        self.tool("cmake", CMAKE)
        for name in ("ninja", "arm-none-eabi-gcc", "qemu-img"):
            self.tool(name, "exit 0\n")
        here = Path(__file__).parent
        self.tool("qemu-system-arm",
                  f'PYTHONPATH={here} exec {sys.executable}'
                  f' {here / "paper_qemu.py"} "$@"\n')

    def tool(self, name, body):
        path = self.root / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n" + body)
        path.chmod(0o755)

    def own_firmware(self):
        """A file for --elf; how it plays is said as of the console."""
        path = self.root / "own.elf"
        path.write_bytes(paper.elf())
        return str(path)

    def remove_tool(self, name):
        (self.root / "bin" / name).unlink()

    def start(self, *arguments, play="well", path=None,
              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **environment):
        """On paper there is no host."""
        if arguments[:1] == ("run",) or "".join(arguments[:1])[:2] in ("", "--"):
            arguments = (*arguments, "--no-host")
        path = path or f"{self.root / 'bin'}:{os.environ['PATH']}"
        if arguments[:1] == ("run",) or arguments[:1] and arguments[0][:2] == "--":
            arguments += ("--no-why",)  # The paper cannot be looked into.
        return subprocess.Popen(
            [sys.executable, str(self.root / "qemu" / "soak"), *arguments],
            env=dict(os.environ, PATH=path, PLAY=play, **environment),
            stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
            universal_newlines=True, cwd=self.root)

    def run(self, *arguments, out=None, **how):
        """(exit code, stdout, stderr) of a soak of a minute."""
        process = self.start("--frames", "3600", "--out", str(out or self.out),
                             *arguments, **how)
        stdout, stderr = process.communicate(timeout=paper.HANG_SECONDS)
        return process.returncode, stdout, stderr

    def wait_for_samples(self, process):
        """Until QEMU, which [process] starts, is writing."""
        paper.wait_for_samples(self.out, 500, process)
