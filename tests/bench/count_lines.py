#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a script and prints how many lines of the files beside it were executed.

    tests/bench/count_lines.py SCRIPT [ARGUMENT ...]"""

import runpy
import sys
from pathlib import Path

COUNT = 0


def line(_, event, __):
    global COUNT
    COUNT += event == "line"
    return line


def main(arguments):
    sys.argv = arguments
    folder = str(Path(arguments[0]).resolve().parent)
    sys.settrace(lambda frame, *_: line if frame.f_code.co_filename.startswith(folder)
                 else None)
    code = 0
    try:
        runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as end:
        code = end.code or 0
    sys.settrace(None)
    print(COUNT)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
