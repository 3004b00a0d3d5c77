#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays firmwares without a mistake, many seeds of each, and prints the highest
number that any check came to: clean_seeds.py FIRST LAST [NAME]

Exit code: 0 iff no check failed, of any seed: there is no false alarm.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import trials
from harness.machine import Ending
from harness.options import Options
from harness.verdict import judge
from support import build

MINUTES = 6  # From 5 on all is judged.
FRAMES = MINUTES * 3600

# Name: the program, what it is told, frames, and what is judged otherwise for it.
FIRMWARES = {
    "console": ("console", (), FRAMES, {}),
    "soaked": ("soaked", (), FRAMES, {"elf": "soaked.elf"}),
    "wrap": ("soaked", ("near_wrap=1",), FRAMES,
             {"elf": "soaked.elf", "near_wrap": True}),
    "dungeon": ("dungeon", (), FRAMES, {"elf": "dungeon.elf"}),
    "share": ("console", ("interrupts=timer", "ask=600"), 600,
              {"interrupts": "timer", "ask": True}),
    "minute": ("console", ("interrupts=timer", "ask=3600"), 3600,
               {"interrupts": "timer", "ask": True}),
    "timer": ("console", ("interrupts=timer", f"ask={FRAMES}"), FRAMES,
              {"interrupts": "timer", "ask": True}),
}


def checks_of(name, seed, folder):
    """The checks of one clean run."""
    program, told, frames, asked = FIRMWARES[name]
    ledger = trials.play(folder / f"{program}.elf", f"seed={seed}", *told,
                         frames=frames)
    options = Options(frames=frames, seed=seed, board=trials.BOARD, **asked)
    return judge(options, ledger, Ending("QEMU ended with code 0")).checks


def alarms_of(name, seeds, folder):
    """How many checks failed, after they and the highest numbers were printed."""
    alarms, highest = 0, {}
    for seed in seeds:
        for check in checks_of(name, seed, folder):
            judged, most = highest.get(check.name, (0, 0))
            highest[check.name] = (judged + (check.passed is not None),
                                   max(most, abs(check.number)))
            if check.failed:
                alarms += 1
                print(f"{name}, seed {seed}: {check.name}: {check.detail}", flush=True)
    for check, (judged, most) in highest.items():
        if judged and most:
            print(f"{name}: {check}: judged {judged} times, at most {most:g}",
                  flush=True)
    return alarms


def main(first, last, *names):
    programs = sorted({program for program, *_ in FIRMWARES.values()})
    built = build(trials.BOARD, "poison", *programs)
    with tempfile.TemporaryDirectory() as folder:  # Whoever builds meanwhile.
        for program in programs:
            shutil.copy(built / f"{program}.elf", folder)
        alarms = sum(alarms_of(name, range(int(first), int(last) + 1), Path(folder))
                     for name in names or FIRMWARES)
    print(f"{alarms} false alarms")
    return alarms != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
