# SPDX-License-Identifier: MIT
"""What the tests of lib/config share."""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
from contextlib import ExitStack

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GOLDEN = HERE / "golden"
GENERATOR = ROOT / "lib" / "config" / "tidepool.py"
TYPES = GOLDEN / "include"  # The C types that the golden tables name.
NAMES = ["tp_pools.h", "tp_pools.c", "tp_pools.ld"]


sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tests"))
from support import LEVELS, host_library, is_full  # noqa: E402, F401

sys.path.insert(0, str(GENERATOR.parent))
from generator.check import check  # noqa: E402
from generator.cli import made  # noqa: E402
from generator.model import Config  # noqa: E402
from generator.toml import Parser  # noqa: E402


def read(text):
    return Config(Parser(text))


def complaints(text):
    """What is wrong with [text], as "line:column: severity: text", then "= hint"."""
    found = []
    for problem in check(read(text)):
        line, column, _ = problem.place
        found.append(f"{line}:{column}: {problem.severity}: {problem.text}")
        found += [f"= {hint}" for hint in problem.hints]
    return found


def files(text, name="pools.toml"):
    """The generated files for a [text] that is right."""
    wrong = [line for line in complaints(text) if "error:" in line]
    assert not wrong, wrong
    return made(read(text), name, text.split("\n"))


def table(*rows):
    """A file of pools; the first of [rows] stands on line 3."""
    return "\n".join(("tidepool = 1", "[pools]") + rows) + "\n"


def row(name="a", size="24", count="4", full='"drop"', more=""):
    return f"{name} = {{ size = {size}, count = {count}, full = {full}{more} }}"


def changed_by_shared_code(more):
    """(what, rows) of each row with [more] that shared code would change, too."""
    for what, key in [("init", ', init = "f"'), ("deinit", ', deinit = "f"'),
                      ("in_use", ', in_use = "f"'), ("reserve", ", reserve = 1")]:
        yield what, [row(more=more + key)]
    yield 'full = "steal-least"', [row(full='"steal-least"', more=more
                                       + ', score = "s", evict = "f"')]
    lends = ', spill = "b", then = "drop"'
    yield 'full = "spill"', [row(full='"spill"', more=more + lends), row("b")]
    yield "what others spill into it", [row("b", more=more),
                                        row(full='"spill"', more=lends)]


class InFolder(unittest.TestCase):
    """Tests with a folder of their own, [self.folder]."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tidepool-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def run_generator(self, *arguments, env=None, room=None, memory=None, closed=None,
                      out=None):
        """Runs it in [self.folder]; no file may grow beyond [room] bytes, nor it beyond
        [memory], [closed] is a descriptor that it does not have, and [out] a file for
        what it prints."""
        def narrow():
            for limit, most in ((resource.RLIMIT_FSIZE, room),
                                (resource.RLIMIT_AS, memory)):
                if most is not None:
                    resource.setrlimit(limit, (most, most))
            if closed is not None:
                os.close(closed)
        command = [sys.executable, "-B",
                   str(GENERATOR)] + [str(word) for word in arguments]
        with ExitStack() as files:
            printed = subprocess.PIPE
            if out:
                printed = files.enter_context(open(self.folder / out, "wb"))
            return subprocess.run(command, cwd=str(self.folder), env=env,
                                  preexec_fn=narrow, stdout=printed,
                                  stderr=subprocess.PIPE, encoding="utf-8")

    def run_tool(self, *command):
        return subprocess.run([str(word) for word in command], cwd=str(self.folder),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              universal_newlines=True)


def rewriting():
    return os.environ.get("TIDEPOOL_REWRITE_GOLDEN") == "1"
