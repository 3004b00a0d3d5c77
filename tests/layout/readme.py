#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What qemu/SOAK.md shows, measured: readme.py --write rewrites it."""

import functools
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "soak"))
import trials  # noqa: E402

PAGE = ROOT / "qemu" / "SOAK.md"
COLUMNS = ("name", "policy", "capacity", "peak", "allocs", "frees", "steals",
           "refused")


@functools.lru_cache(None)
def soak_folder():
    """The result of five simulated minutes of seed 7."""
    out = ROOT / "build" / "soak" / "readme"
    subprocess.run([ROOT / "qemu" / "soak", "run", "--frames", "18000",
                    "--seed", "7", "--no-host", "--out", out], check=True, cwd=ROOT,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return out


def soak():
    summary = json.loads((soak_folder() / "summary.json").read_text())
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
    parts = PAGE.read_text().split(mark(name))
    return mark(name) + parts[1] + mark(name) if len(parts) == 3 else ""


def main(arguments):
    if arguments != ["--write"]:
        print("usage: readme.py --write", file=sys.stderr)
        return 2
    for name in BLOCKS:
        PAGE.write_text(PAGE.read_text().replace(shown(name), block(name)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
