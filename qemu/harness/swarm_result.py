# SPDX-License-Identifier: MIT
"""What the rounds of a swarm add up to."""

import re
from collections import Counter
from typing import NamedTuple

from .number_text import counted, grouped, span
from .options import FRAMES_PER_SECOND
from .origin import origin
from .swarm_draw import Round

SAID_PEAKS = 3


class Kept(NamedTuple):
    """A round that reached something first, or that failed."""
    number: int
    firmware: str
    drawn: Round
    branches: int  # New ones.
    peaks: list  # Names of allocators.
    state_hash: str
    line: str  # That repeats it.
    why: str = ""  # It failed.


class Result:
    def __init__(self, options, each):
        self._options = options
        self._each = each
        self.rounds = 0
        self.kept = []
        self.findings = {}  # Without its numbers -> [Kept], alike.
        self._taken, self._known = {}, set()  # Branch -> the round that took it first.
        self._by_firmware = {}  # Name -> what was taken there.
        self._curve = []
        self._peaks = {}  # (firmware, allocator) -> its entry of the summary.

    def add(self, number, firmware, outcome, line):
        """Takes a round in; returns what is to be said of it."""
        self.rounds = number + 1
        fresh = outcome.taken - self._taken.keys()
        self._taken.update(dict.fromkeys(fresh, number))
        self._known |= outcome.known
        self._by_firmware.setdefault(firmware, set()).update(outcome.taken)
        self._curve.append(len(self._taken))
        peaks = self._new_peaks(number, firmware, outcome, line)
        one = Kept(number, firmware, outcome.drawn, len(fresh), peaks,
                   f"{outcome.ledger.state_hash:016x}", line, outcome.finding)
        if outcome.finding:
            alike = re.sub(r"0x[0-9a-f]+|\d+", "#", outcome.finding)
            self.findings.setdefault(alike, []).append(one)
            return [f"round {number}, {firmware}: {outcome.finding}"]
        if not fresh and not peaks:
            return []
        self.kept.append(one)
        return [f"round {number}, {firmware}: {_said(one)},"
                f" {branches(len(self._taken))} in all"] if fresh else []

    def numbers(self):
        """Of the rounds that can be repeated."""
        failed = [one for alike in self.findings.values() for one in alike]
        return [one.number for one in [*self.kept, *failed]]

    def _new_peaks(self, number, firmware, outcome, line):
        names = []
        for one in outcome.ledger.allocators:
            before = self._peaks.get((firmware, one.name))
            if one.peak and (before is None or one.peak > before["peak"]):
                names.append(one.name)
                self._peaks[firmware, one.name] = {
                    "firmware": firmware, "name": one.name, "kind": one.kind,
                    "policy": one.policy, "unit": one.unit, "capacity": one.capacity,
                    "peak": one.peak, "round": number, "reproduce": line}
        return names

    def summary(self, firmwares, was_stopped, seconds):
        """For summary.json, in the order a person would read it."""
        frames = self.rounds * self._each
        complete = not was_stopped and bool(
            self.findings or self.rounds == self._options.rounds)
        return {
            "verdict": "pass" if complete and not self.findings else "fail",
            "why": self._why(was_stopped),
            "complete": complete,
            "swarm": {"seed": self._options.seed, "rounds": self.rounds,
                      "rounds_asked": self._options.rounds,
                      "frames_of_a_round": self._each,
                      "firmwares": [one.name for one in firmwares]},
            "checks": self._options.checks,
            "plant": self._options.plant,
            "origin": {name: value for name, value
                       in origin(firmwares[0].options).items() if name != "command"},
            "reproduce": self._options.command_line(),
            "frames": frames,
            "sim_seconds": round(frames / FRAMES_PER_SECOND, 3),
            "wall_seconds": round(seconds, 3),
            "branches": self._branches(),
            "findings": [_finding(alike) for alike in self.findings.values()],
            "peaks": list(self._peaks.values()),
            "kept": [_entry(one) for one in self.kept],
        }

    def _why(self, was_stopped):
        if self.findings:
            first = next(iter(self.findings.values()))[0]
            return f"round {first.number}, {first.firmware}: {first.why}"
        played = (f"{counted(self.rounds, 'round')},"
                  f" {span(self.rounds * self._each / FRAMES_PER_SECOND)} of simulated"
                  " time")
        if was_stopped:
            return f"stopped after {played} of {counted(self._options.rounds, 'round')}"
        return (f"{played}: no round failed,"
                f" {grouped(len(self._taken))} of {branches(len(self._known))} reached")

    def _branches(self):
        reached = Counter(_file(branch) for branch in self._taken)
        of = Counter(map(_file, self._known))
        return {"reached": len(self._taken), "of": len(self._known),
                "by_firmware": {name: len(taken) for name, taken
                                in self._by_firmware.items()},
                "after_round": self._curve,
                "files": [{"file": name, "reached": reached[name], "of": of[name]}
                          for name in sorted(of)]}


def branches(number, kind=""):
    """(1, 'new ') -> '1 new branch'."""
    return f"{grouped(number)} {kind}branch" + "es" * (number != 1)


def _file(branch):
    return branch.rsplit(":", 2)[0]


def _said(one):
    peaks = one.peaks[:SAID_PEAKS] + ["more"] * (len(one.peaks) > SAID_PEAKS)
    return f"{branches(one.branches, 'new ')}" + bool(peaks) * (
        ", highest use so far of " + ", ".join(peaks))


def _entry(one):
    return {"round": one.number, "firmware": one.firmware,
            "seed": one.drawn.seed, "told": told(one.drawn),
            "new_branches": one.branches, "new_peaks": one.peaks,
            "state_hash": one.state_hash, "reproduce": one.line}


def _finding(alike):
    return dict(_entry(alike[0]), why=alike[0].why, count=len(alike))


def told(drawn):
    """What the round was told, in a line."""
    words = [f"{table}.{key} {'-'.join(map(str, numbers))}"
             for (table, key), numbers in sorted(drawn.settings.items())]
    words += [name.replace("_", "-") + f" {value}" * (value is not True)
              for name, value in drawn.options.items()]
    return ", ".join(words)
