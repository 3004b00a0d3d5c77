# SPDX-License-Identifier: MIT
"""Which branches of library and application a program of this machine takes: built
by GCC with counters in it, which gcov adds up after each round."""

import contextlib
import json
import os
import shutil
import subprocess
from functools import lru_cache
from pathlib import Path

from .build import build_program
from .errors import CannotRun
from .options import ROOT
from .source_lines import is_generated, shown

# The library does not audit each call, so that it plays as fast as on a board; and
# no call is inlined before its branches are numbered: they are those of the source.
SETTINGS = {"CMAKE_C_FLAGS": "--coverage -fprofile-abs-path -DTP_AUDIT=0"
                             " -fno-early-inlining",
            "TIDEPOOL_OPTIMISE": "-O2", "TIDEPOOL_ASAN": "OFF"}
KIND = "coverage"
GCOV = {"gcov": "gcc"}
# What watches, and is not watched.
RIG = tuple(f"{ROOT}/{name}" for name in ("qemu/rig/", "qemu/boards/",
                                          "qemu/semihost", "port/host/"))
SYSTEM = "/usr/"


def build_counted(options, *targets):
    """The folder with the demo's programs, counters in them."""
    return build_program(options, SETTINGS, KIND, targets)


def refuse_without_counters(path):
    """Raises CannotRun if the program was not built for coverage."""
    if b".gcda" not in Path(path).read_bytes():
        raise CannotRun(f"{path} counts no branches: --swarm needs it built by GCC"
                        " with --coverage -fprofile-abs-path, and its folder of"
                        " objects.")


def environment(folder):
    """Where a program leaves its counts."""
    return {"GCOV_PREFIX": str(folder), "GCOV_PREFIX_STRIP": "0"}


def forget(folder):
    """The counts of the round before."""
    for counts in Path(folder).rglob("*.gcda"):
        counts.unlink()


def branches(folder):
    """(those that were taken, all there are), each as 'lib/core/tp_core.c:25:1'."""
    counts = sorted(Path(folder).rglob("*.gcda"))
    for path in counts:
        _copy_notes(folder, path)
    taken, known = set(), set()
    for page in _pages(counts):
        for file in page["files"]:
            path = os.path.normpath(os.path.join(
                page["current_working_directory"], file["file"]))
            if is_watched(path):
                _note(file, shown(path), taken, known)
    return taken, known


@lru_cache(maxsize=None)
def is_watched(path):
    """Whether a file is the library's or the application's."""
    return not (path.startswith((SYSTEM, *RIG))
                or os.path.basename(path) in _telemetry() or is_generated(path))


@lru_cache(maxsize=None)
def _telemetry():
    """The names of what a firmware takes from us: it may be a copy."""
    return {path.name for path in (ROOT / "qemu" / "telemetry").iterdir()}


def _note(file, name, taken, known):
    for line in file["lines"]:
        for index, branch in enumerate(line["branches"]):
            key = f"{name}:{line['line_number']}:{index}"
            known.add(key)
            if branch["count"]:
                taken.add(key)


def _copy_notes(folder, counts):
    """gcov wants what the compiler noted of a file beside its counts: a copy, so that
    whoever builds meanwhile changes nothing."""
    notes = counts.with_suffix(".gcno")
    with contextlib.suppress(FileNotFoundError):  # gcov says it, to who has none.
        if not notes.exists():
            shutil.copyfile("/" / notes.relative_to(folder), notes)


def _pages(counts):
    """What gcov says of each file."""
    if not counts:
        return []
    result = subprocess.run(
        ["gcov", "--branch-probabilities", "--json-format", "--stdout",
         *map(str, counts)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, universal_newlines=True, errors="replace",
        start_new_session=True)  # Ctrl-C is for us.
    pages = [json.loads(line) for line in result.stdout.splitlines() if line] \
        if result.returncode == 0 else []
    if not any(page["files"] for page in pages):
        raise CannotRun("gcov does not read the counts of branches: was the program"
                        " built by another compiler, or are its objects (.gcno) gone?",
                        output=result.stderr)
    return pages
