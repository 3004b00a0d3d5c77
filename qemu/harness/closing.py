# SPDX-License-Identifier: MIT
"""What is said once a run has ended."""

import json
import os
import shutil
import sys
import textwrap

from .paint import may_colour, paint
from .verdict import FINISHED
from .words import counted

INDENT = 6


def say_verdict(options, result, stream):
    """The verdict in words; with --json, the summary as a line on stdout."""
    if options.json:
        print(json.dumps(result))
        sys.stdout.flush()
    width = shutil.get_terminal_size().columns if stream.isatty() else 0
    for label, text, style in _lines(options, result):
        for line in _wrapped(label, text, style, width):
            print(paint(line, len(text) + INDENT, may_colour(stream)),
                  file=stream)


def _lines(options, result):
    """(label, text, style of the label); commands and paths have no style."""
    passed = result["verdict"] == "pass"
    yield (result["verdict"].upper(), result["why"],
           "good" if passed else "bad")
    for check in result["results"]:
        if not check["passed"] and check["name"] != FINISHED \
                and check["detail"] not in result["why"]:
            yield "also", f"{check['name']}: {check['detail']}", "bad"
    for warning in result["warnings"]:
        yield "note", warning, "warn"
    yield "ran", _effort(result), "dim"
    if not passed:
        yield "again", result["reproduce"], ""
    if not result["complete"]:
        yield "go on", options.resume_line(), ""
    yield "see", _short(options.out_folder / "report.html"), ""


def _effort(result):
    return (f"{counted(result['frames'], 'frame')} in"
            f" {result['wall_seconds']:.1f} s, {result['speedup']:.0f} x real"
            f" time, state {result['state_hash']}")


def _wrapped(label, text, style, width):
    """Prose is wrapped at `width`; what may be copied stays on one line."""
    room = max(20, width - INDENT)
    rows = textwrap.wrap(text, room) if width and style else [text]
    return [[(label.ljust(INDENT), style), (rows[0], "")]] + [
        [(" " * INDENT + row, "")] for row in rows[1:]]


def _short(path):
    """Relative if that is the shorter way to say it."""
    return min(str(path), os.path.relpath(path), key=len)
