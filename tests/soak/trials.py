# SPDX-License-Identifier: MIT
"""Short runs of the console, each with a bug in it: what is it called, when?"""

import os
import resource
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import HANG_SECONDS, LEVELS, ROOT, build, emulator  # noqa: E402

sys.path.insert(0, str(ROOT / "qemu"))
from harness.ledger import Ledger  # noqa: E402
from harness.options import HOST  # noqa: E402
from harness.plants import PLANTS, found  # noqa: E402
from harness.telemetry import Decoder  # noqa: E402

BOARD = "mps2_an385"
FRAMES = 3600
SEED = 1  # Of the table.
PLANTED = 900  # The frame from which a bug is due.
FRAMES_OF_LUCK = 600  # Some bugs wait for an occasion.
CPU_SECONDS = 10  # A trial takes less than one, ...
FRAMES_A_SECOND = 500  # ... the longest a seventh of what these give it.


def limit_processor(frames=FRAMES):
    """Ends a firmware that a bug sent round for ever, long after a slow machine
    would have played what it was asked."""
    seconds = CPU_SECONDS + frames // FRAMES_A_SECOND
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def play(elf, *arguments, board=BOARD, frames=FRAMES):
    """What the telemetry of a run says, on a board or the host, however it ended."""
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "telemetry"
        told = f"frames={frames}", *arguments
        words = [elf, *told, "clock=none"] if board == HOST else emulator(
            board, elf, serial=f"file:{out}", arguments=("soak", *told))
        with open(out if board == HOST else os.devnull, "wb") as said:
            subprocess.run(words, stdin=subprocess.DEVNULL, stdout=said,
                           stderr=subprocess.DEVNULL, timeout=HANG_SECONDS,
                           preexec_fn=lambda: limit_processor(frames))
        decoder, ledger = Decoder(), Ledger()
        for record in decoder.feed(out.read_bytes()) + decoder.finish():
            ledger.add(record)
    return ledger


@lru_cache(maxsize=None)
def console(level):
    return build(BOARD, level, "console") / "console.elf"


@lru_cache(maxsize=None)
def trial(name, level, seed):
    return trial_of(console(level), name, seed)


def trial_of(elf, name, seed=SEED, board=BOARD):
    """What became of a bug that was planted: Found, or None."""
    ledger = play(elf, f"seed={seed}", f"plant={name}", f"plant_frame={PLANTED}",
                  board=board,
                  frames=PLANTED + PLANTS[name].within + FRAMES_OF_LUCK)
    if ledger.planted is None:
        return None
    findings = sorted([*ledger.faults, *ledger.audits],
                      key=lambda finding: finding.frame)
    return found(name, ledger.planted, findings)


def table():
    """The rows of README.md: after how many frames each level names a bug."""
    lines = ["| bug | `--plant` | within | " + " | ".join(LEVELS) + " |",
             "|---|---|--:|" + "--:|" * len(LEVELS)]
    for name, plant in PLANTS.items():
        hits = [trial(name, level, SEED) for level in LEVELS]
        cells = [str(hit.frames) if hit else "-" for hit in hits]
        lines.append(f"| {plant.what} | {name} | {plant.within} | "
                     + " | ".join(cells) + " |")
    return lines
