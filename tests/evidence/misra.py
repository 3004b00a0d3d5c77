#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which rules of MISRA C:2012 the library departs from, how often, and why.

    tests/evidence/misra.py --write     rewrites the numbers of lib/MISRA.md
"""

import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ROOT  # noqa: E402

PAGE = ROOT / "lib" / "MISRA.md"
WORDS = ("cppcheck", "--addon=misra", "--std=c11", "--enable=style", "-q",
         "--template={file}:{line}:{id}", "-Ilib", "-Iport/host", "-DTP_CHECKS=3",
         "-D__GNUC__=12")
MANDATORY = {"9.1", "12.5", "13.6", "17.3", "17.4", "17.6", "19.1", "21.13", "21.17",
             "21.18", "21.19", "21.20", "22.2", "22.4", "22.5", "22.6"}


def found():
    """Rule -> its places, each once however many files include it."""
    with tempfile.TemporaryDirectory() as folder:
        files = [path.relative_to(ROOT) for path in (ROOT / "lib").glob("*/*.c")]
        said = subprocess.run(
            [*WORDS, f"--cppcheck-build-dir={folder}", *sorted(files)], cwd=ROOT,
            text=True, stderr=subprocess.PIPE, check=True).stderr
    places = set(re.findall(r"^(lib/.*):misra-c2012-([0-9.]+)$", said, re.M))
    return Counter(rule for _, rule in places)


def listed():
    """Rule -> (category, places, why)"""
    rows = re.findall(r"^\| ([0-9.]+) \| (\w+) \| (\d+) \| (.+) \|$", PAGE.read_text(),
                      re.M)
    return {rule: (category, int(places), why) for rule, category, places, why in rows}


def main():
    count = found()
    PAGE.write_text(re.sub(
        r"^\| ([0-9.]+) \| (\w+) \| \d+ \|",
        lambda row: f"| {row[1]} | {row[2]} | {count[row[1]]} |", PAGE.read_text(),
        flags=re.M))


if __name__ == "__main__":
    main()
