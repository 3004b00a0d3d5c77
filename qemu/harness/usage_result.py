# SPDX-License-Identifier: MIT
"""The verbs that look back at one result, on the command line."""

import argparse

from .options import FRAMES_MAX
from .usage_between import folder_there

# The formats of a trace, and the name of what is written if none is given.
TRACES = {"ctf": "trace.ctf", "chrome": "trace.json", "vcd": "trace.vcd",
          "massif": "massif.out"}


def add_result(verbs):
    _add_why(verbs)
    _add_debug(verbs)
    _add_trace(verbs)


def _add_why(verbs):
    add = verbs.add_parser(
        "why", help="who did it", allow_abbrev=False,
        description="Runs a failed run once more, to where the mistake was"
                    " noticed, and back from there to the calls that made it.")
    _add_folder(add, "the result of a run that failed")
    add.add_argument("--json", action="store_true",
                     help="what was found as one line on stdout")
    add_no_install(add)


def _add_debug(verbs):
    add = verbs.add_parser(
        "debug", help="GDB on any frame of a run", allow_abbrev=False,
        description="Opens GDB, with the commands of port/gdb, on the memory of a"
                    " finished run as it was when a frame began.")
    _add_folder(add, "the result of a run")
    add.add_argument("--frame", metavar="N", type=_frame, default=None,
                     help="which one (that of the first finding, else the last)")
    add.add_argument("--ex", metavar="COMMAND", action="append", default=[],
                     help="what GDB is to do before it ends; may be repeated")
    add_no_install(add)


def _add_trace(verbs):
    add = verbs.add_parser(
        "trace", help="for other viewers of traces", allow_abbrev=False,
        description="Writes what a finished run held, and what happened in it, for"
                    " Babeltrace (ctf), Perfetto and chrome://tracing (chrome),"
                    " GTKWave (vcd), or ms_print (massif); or the last events that a"
                    " firmware built with TIDEPOOL_EVENTS kept, 60 units of its clock"
                    " to a second.")
    add.add_argument("files", metavar="DIR, or FW.ELF RAM.BIN[@ADDRESS]", nargs="+",
                     help="the result of a run; or a firmware and a dump of its RAM")
    add.add_argument("--format", choices=TRACES, required=True, metavar="FORMAT",
                     help="%(choices)s")
    add.add_argument("--from", metavar="F", dest="first", type=_frame, default=0,
                     help="the first frame that is told of (%(default)s)")
    add.add_argument("--to", metavar="F", dest="last", type=_frame,
                     default=FRAMES_MAX, help="the last (that of the run)")
    add.add_argument("--out", metavar="FILE", default="",
                     help="where it goes, of ctf a folder ("
                          + ", ".join(f"DIR/{name}" for name in TRACES.values()) + ")")
    add.add_argument("--no-sites", dest="sites", action="store_false",
                     help="of massif: do not make the run once more, to see which"
                          " lines of source hold the bytes")
    add_no_install(add)


def _add_folder(add, what):
    add.add_argument("folder", metavar="DIR", type=folder_there, help=what)


def add_no_install(add):
    """For every verb that needs tools."""
    add.add_argument("--no-install", dest="install", action="store_false",
                     help="only say which tools are missing")


def _frame(text):
    if text.isascii() and text.isdigit() and int(text) <= FRAMES_MAX:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a frame, from 0 on")
