# SPDX-License-Identifier: MIT
"""What is printed once a run has ended: the verdict, why, and what to do next."""

import json
import os
import shlex
import shutil
import sys
import textwrap

from .number_text import counted
from .terminal_text import may_colour, paint
from .verdict import FINISHED
from .why import can_explain

INDENT = 6


def say_verdict(options, result, stream):
    """The verdict in words; with --json, the summary as a line on stdout."""
    say_lines(options, result, stream, _lines(options, result))


def say_merged(options, result, out, stream):
    """The verdict on many, each that failed with the way to repeat it."""
    say_lines(options, result, stream, _merged_lines(result, out))


def say_lines(options, result, stream, lines):
    """(label, text, style) each; with --json, the result as a line on stdout."""
    if options.json:
        print(json.dumps(result))
        sys.stdout.flush()
    width = shutil.get_terminal_size().columns if stream.isatty() else 0
    for label, text, style in lines:
        for line in _wrapped(label, text, style, width):
            print(paint(line, len(text) + INDENT, may_colour(stream)),
                  file=stream)


def _merged_lines(result, out):
    passed = result["verdict"] == "pass"
    yield (result["verdict"].upper(), result["why"],
           "good" if passed else "bad")
    for run in result["runs"]:
        if run["verdict"] == "fail":
            yield "seed", f"{run['seed']}: {run['why']}", "bad"
            yield "again", run["reproduce"], ""
    for warning in result["warnings"]:
        yield "note", warning, "warn"
    yield "ran", (f"{counted(len(result['runs']), 'run')},"
                  f" {counted(result['frames'], 'frame')}"), "dim"
    yield "see", short(out / "report.html"), ""


def _lines(options, result):
    """(label, text, style of the label); commands and paths have no style."""
    passed = result["verdict"] == "pass"
    yield (result["verdict"].upper(), result["why"],
           "good" if passed else "bad")
    if result["cause"]:
        yield "cause", result["cause"]["sentence"], "bad"
    for check in _others(result):
        yield "also", f"{check['name']}: {check['detail']}", "bad"
    for warning in result["warnings"]:
        yield "note", warning, "warn"
    yield "ran", _effort(result), "dim"
    if not passed:
        yield "again", result["reproduce"], ""
    if not passed and can_explain(result) and result["cores"] == 1:
        yield "why", f"qemu/soak why {shlex.quote(short(options.out_folder))}", ""
    if not result["complete"] and result["config_hash"]:  # It had begun.
        yield "go on", options.resume_line(), ""
    yield "see", short(options.out_folder / "report.html"), ""


def _others(result):
    """The checks that failed, too: all but that which `why` is of. Where it is of none,
    it is a sentence that one may say again."""
    why = result["why"]
    failed = [check for check in result["results"] if check["passed"] is False]
    of_why = [check for check in failed
              if why == f"{check['name']}: {check['detail']}"] \
        or [check for check in failed if check["detail"] in why]
    return [check for check in failed
            if check["name"] != FINISHED and check not in of_why]


def _effort(result):
    return (f"{counted(result['frames'], 'frame')} in"
            f" {result['wall_seconds']:.1f} s, {result['speedup']:.0f} x real"
            f" time ({result['cpu_speedup']:.0f} x by processor time), state"
            f" {result['state_hash']}")


def _wrapped(label, text, style, width):
    """Prose is wrapped at `width`; what may be copied stays on one line."""
    room = max(20, width - INDENT)
    rows = textwrap.wrap(text, room) if width and style else [text]
    return [[(label.ljust(INDENT), style), (rows[0], "")]] + [
        [(" " * INDENT + row, "")] for row in rows[1:]]


def short(path):
    """Relative if that is the shorter way to say it."""
    return min(str(path), os.path.relpath(path), key=len)
