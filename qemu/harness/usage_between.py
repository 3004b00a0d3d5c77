# SPDX-License-Identifier: MIT
"""The verbs that look at several results or commits, on the command line."""

import argparse
import contextlib
from pathlib import Path

from .measures import GROUPS
from .result_folder import SUMMARY

HISTORY = "history.html"
BOUNDS = {"budgets": "frames, stacks and sections", "peaks": "allocators",
          "costs": "calls", "speed": "the run, by processor time",
          "coverage": "what was used and looked at"}


def add_between(verbs):
    _add_compare(verbs)
    _add_history(verbs)
    _add_bisect(verbs)


def _add_compare(verbs):
    add = verbs.add_parser(
        "compare", help="what became worse", allow_abbrev=False,
        description="Compares two results, of one run or of many, and names what"
                    " became worse. Exit code: 1 if something did beyond its bound,"
                    " or was found that had not been.")
    add.add_argument("before", metavar="A", type=_result, help="a result")
    add.add_argument("after", metavar="B", type=_result, help="a later one")
    for group, bound in GROUPS.items():
        usual = "told only" if bound is None else f"{bound:g}"
        add.add_argument(f"--{group}", metavar="P", type=_percent, default=bound,
                         help=f"percent by which {BOUNDS[group]} may become worse"
                              f" ({usual})")
    add.add_argument("--json", action="store_true",
                     help="the comparison as one line on stdout")


def _add_history(verbs):
    add = verbs.add_parser(
        "history", help="one page of many results", allow_abbrev=False,
        description="Writes one HTML page of the results in the folders, the"
                    " oldest first: what was found, and each number over time.")
    add.add_argument("folders", metavar="DIR", nargs="+", type=folder_there,
                     help="a result, or a folder of results")
    add.add_argument("--out", metavar="FILE", default=HISTORY,
                     help="the page (%(default)s)")


def _add_bisect(verbs):
    add = verbs.add_parser(
        "bisect", help="since which commit", allow_abbrev=False,
        usage="qemu/soak bisect --good REV --bad REV [--repo DIR] -- COMMAND...",
        description="Finds the first commit at which COMMAND fails. It runs in a"
                    " checkout of its own: 0 is good, 125 cannot be tried, others up"
                    " to 127 are bad. Exit code: 0 found, 2 not.")
    add.add_argument("--good", metavar="REV", required=True,
                     help="a commit at which it does not fail")
    add.add_argument("--bad", metavar="REV", required=True,
                     help="a later one, at which it does")
    add.add_argument("--repo", metavar="DIR", type=folder_there, default=".",
                     help="whose commits (those of this folder)")
    add.add_argument("words", metavar="COMMAND", nargs="+",
                     help="and its arguments, after --")


def _result(text):
    if (Path(text) / SUMMARY).is_file():
        return text
    raise argparse.ArgumentTypeError(f"there is no result in {text!r}")


def folder_there(text):
    """What argparse is given for a folder of somebody's."""
    if text and Path(text).is_dir():  # Path("") is the one it is started in.
        return text
    raise argparse.ArgumentTypeError(f"there is no folder {text!r}")


def _percent(text):
    with contextlib.suppress(ValueError):
        if 0 <= float(text) < 1e6:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a percentage from 0")
