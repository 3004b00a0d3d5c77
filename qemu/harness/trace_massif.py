# SPDX-License-Identifier: MIT
"""The bytes that are live over time, and whose they are, as Valgrind's massif writes
them and ms_print reads them."""

from .errors import CannotRun
from .trace_events import Counted, microseconds

SNAPSHOTS = 100  # At most, evenly over the time; and that of the most bytes.
DETAILED = 10  # Of so many snapshots one tells whose the bytes are.
HEAD = "(all allocators of the firmware)"
UNKNOWN = "???"


def massif(run, file, sites):
    """Writes it all. sites(run, moments) is {frame: {allocator: {place: bytes}}}; None
    if nobody shall say which place has what."""
    kept = _Kept()
    for one in run.happenings():
        if isinstance(one, Counted):
            kept.add(one)
    if not kept.peak:
        raise CannotRun("no second of the run ended in these frames, and only then"
                        " is told what was live.")
    moments = kept.moments()
    detailed = [one for number, one in enumerate(moments)
                if number % DETAILED == 0 or one is kept.peak]
    places = sites(run, detailed) if sites else {}
    _line(file, "desc: --time-unit=ms")
    _line(file, f"cmd: {run.summary['reproduce']}")
    _line(file, "time_unit: ms")
    for number, one in enumerate(moments):
        kind = "peak" if one is kept.peak else \
            "detailed" if one in detailed else "empty"
        _snapshot(file, number, one, kind)
        if kind != "empty":
            _tree(file, one, places.get(one.frame, {}))


class _Kept:
    """Some of all moments, evenly, and that of the most bytes."""

    def __init__(self):
        self._some, self._every, self._count = [], 1, 0
        self.peak = None

    def add(self, counted):
        if self._count % self._every == 0:
            self._some.append(counted)
        if len(self._some) == SNAPSHOTS:
            self._some, self._every = self._some[::2], self._every * 2
        self._count += 1
        if self.peak is None or counted.bytes > self.peak.bytes:
            self.peak = counted

    def moments(self):
        others = [one for one in self._some if one is not self.peak]
        return sorted([*others, self.peak], key=lambda one: one.frame)


def _snapshot(file, number, one, kind):
    rule = "#-----------"
    for text in (rule, f"snapshot={number}", rule,
                 f"time={microseconds(one.frame) // 1000}",
                 f"mem_heap_B={one.bytes}", "mem_heap_extra_B=0", "mem_stacks_B=0",
                 f"heap_tree={kind}"):
        _line(file, text)


def _tree(file, one, places):
    """Allocators, and below each the places that hold its bytes."""
    holding = sorted((use for use in one.uses if use.bytes),
                     key=lambda use: (-use.bytes, use.allocator.name))
    _line(file, f"n{len(holding)}: {one.bytes} {HEAD}")
    for use in holding:
        below = _below(use, places.get(use.allocator.name, {}))
        _line(file, f" n{len(below)}: {use.bytes} {use.allocator.name}"
                    f" ({use.allocator.kind}, {use.usage.live} of"
                    f" {use.usage.capacity} {use.allocator.unit})")
        for place, amount in below:
            _line(file, f"  n0: {amount} {place}")


def _below(use, places):
    """[(place, bytes)], the most first; what no place is known of comes last."""
    found = sorted(places.items(), key=lambda item: (-item[1], item[0]))
    rest = use.bytes - sum(places.values())
    return found + [(UNKNOWN, rest)] * (bool(found) and rest > 0)


def _line(file, text):
    file.write(text.encode() + b"\n")
