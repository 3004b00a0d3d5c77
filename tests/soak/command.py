# SPDX-License-Identifier: MIT
"""The command line of the soak, in this process and in one of its own."""

import contextlib
import io
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import HANG_SECONDS, ROOT  # noqa: E402

from harness import cli  # noqa: E402

SOAK = [sys.executable, str(ROOT / "qemu" / "soak")]


class Said(NamedTuple):
    code: int
    out: str
    error: str

    @property
    def whole(self):
        return self.out + self.error


def soak(*words, seconds=HANG_SECONDS):
    """Said, by one that has a process of its own and nothing to read."""
    done = subprocess.run([*SOAK, *map(str, words)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=seconds)
    return Said(done.returncode, done.stdout, done.stderr)


def say(*words):
    """Exit code, and what it said."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = cli.main([*map(str, words)])
    return code, said.getvalue()
