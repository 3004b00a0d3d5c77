#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What README.md shows of the soak, measured: readme.py --write rewrites it."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "soak"))
import trials  # noqa: E402

OUT = ROOT / "build" / "soak" / "readme"
COLUMNS = ("name", "policy", "capacity", "peak", "allocs", "frees", "steals",
           "drops")


def soak():
    """A simulated minute of seed 7."""
    subprocess.run([ROOT / "qemu" / "soak", "run", "--frames", "3600",
                    "--seed", "7", "--out", OUT], check=True, cwd=ROOT,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    summary = json.loads((OUT / "summary.json").read_text())
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---|---|" + "--:|" * 6]
    lines += ["| " + " | ".join(str(pool[key]) for key in COLUMNS) + " |"
              for pool in summary["pools"]]
    return [*lines, "", f"{summary['verdict']}, state hash"
            f" `{summary['state_hash']}`, on this and every other board with"
            " the same pools."]


BLOCKS = {"soak": soak, "plants": trials.table}


def mark(name):
    return f"<!-- {name}: written by tests/layout/readme.py --write -->"


def block(name):
    return "\n".join([mark(name), *BLOCKS[name](), mark(name)])


def shown(name):
    parts = (ROOT / "README.md").read_text().split(mark(name))
    return mark(name) + parts[1] + mark(name) if len(parts) == 3 else ""


def main(arguments):
    if arguments != ["--write"]:
        print("usage: readme.py --write", file=sys.stderr)
        return 2
    for name in BLOCKS:
        text = (ROOT / "README.md").read_text()
        (ROOT / "README.md").write_text(text.replace(shown(name), block(name)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
