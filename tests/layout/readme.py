#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What README.md shows of a soak, measured: readme.py --write rewrites it."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = "<!-- soak: written by tests/layout/readme.py --write -->"
OUT = ROOT / "build" / "soak" / "readme"
COLUMNS = ("name", "policy", "capacity", "peak", "allocs", "frees", "steals",
           "drops")


def soak():
    subprocess.run([ROOT / "qemu" / "soak", "run", "--frames", "3600",
                    "--seed", "7", "--out", OUT], check=True, cwd=ROOT,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads((OUT / "summary.json").read_text())


def block():
    summary = soak()
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---|---|" + "--:|" * 6]
    lines += ["| " + " | ".join(str(pool[key]) for key in COLUMNS) + " |"
              for pool in summary["pools"]]
    return "\n".join([MARK, *lines, "", f"{summary['verdict']}, state hash"
                      f" `{summary['state_hash']}`, on this and every other"
                      " board with the same pools.", MARK])


def shown():
    parts = (ROOT / "README.md").read_text().split(MARK)
    return MARK + parts[1] + MARK if len(parts) == 3 else ""


def main(arguments):
    if arguments != ["--write"]:
        print("usage: readme.py --write", file=sys.stderr)
        return 2
    text = (ROOT / "README.md").read_text()
    (ROOT / "README.md").write_text(text.replace(shown(), block()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
