# SPDX-License-Identifier: MIT
"""How long each call masks interrupts: from the traces of the operations that
tests/sweep interrupts everywhere, on whatever way through the call they take.

A function of the library that masks, and that no operation goes through, is an
error: no list by hand says which calls are looked at.
"""

import bisect
import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "sweep"))
import test_sweep as sweep  # noqa: E402
from support import tool  # noqa: E402

LEVEL = "fast"
# The images of the sweep: of one core, and of one that knows of two.
KINDS = ("", "solo")
BOARDS = {"M3": "mps2_an385", "M0": "microbit"}
# Functions of a pool of its own, by what stands before the call's name; and those
# that stand in for two of its calls.
OWN = re.compile(r"(?:drop|steal|keyed)_own_|below_|exclusive_")
INNER = {"NAME_alloc_wide": "NAME_alloc_handle", "NAME_end": "NAME_free_handle",
         "tp_update_begin": "tp_object_update"}
# By contract they mask for O(capacity): at full alone, and where an interrupt came
# while tp_scene_switch() looked at what another had been issued a slot of.
LONG = {"tp_pool_audit", "doubt"}


class Image:
    """An image of the sweep: what stands where in it."""

    def __init__(self, kind, board):
        self.elf = sweep.build_image(kind, board, LEVEL)
        self.steps = sweep.steps_of_the_lock(self.elf)
        functions = sorted(re.findall(r"^([0-9a-f]+) [tTwW] (?!\$)(\S+)$",
                                      tool("arm-none-eabi-nm", self.elf), re.M))
        self._starts = [int(address, 16) & ~1 for address, _ in functions]
        self._names = [name for _, name in functions]
        self.calls = sweep.traced(board, self.elf)
        self.ours = set(self._ours())

    def function(self, address):
        return self._names[bisect.bisect_right(self._starts, address) - 1]

    def _ours(self):
        """Of the steps those not of the tests themselves, whatever was inlined."""
        said = tool("arm-none-eabi-addr2line", "-a", "-i", "-e", self.elf,
                    *map(hex, self.steps))
        for address, places in re.findall(r"^(0x[0-9a-f]+)\n((?:[^0].*\n)+)", said,
                                          re.M):
            outermost = places.splitlines()[-1]
            if "/lib/" in outermost or "tp_pools.c" in outermost:
                yield int(address, 16)

    def masking(self):
        """Functions of the library in which interrupts become masked."""
        return {self.function(address) for address in self.ours
                if self.steps[address] > 0}


def windows(image, executed):
    """(function that masks, instructions until it is undone) of one operation."""
    depth = length = 0
    for address in executed:
        length += depth > 0
        step = image.steps.get(address, 0)
        if step > 0 and depth == 0:
            first, length = address, 0
        depth += step
        if step < 0 and depth == 0 and first in image.ours:
            yield image.function(first), length


def call_of(image, executed):
    """What the operation calls, as its user names it."""
    names = map(image.function, executed)
    name = next(name for name in names if name.startswith("tp_") or OWN.match(name))
    own = OWN.sub("NAME_", name)
    return INNER.get(own, own)


def by_call(kind, core):
    """(call -> the most instructions it masks, functions never gone through)"""
    image = Image(kind, BOARDS[core])
    longest, passed = defaultdict(int), set()
    for executed in image.calls.values():
        for function, length in windows(image, executed):
            call = call_of(image, executed)
            longest[call] = max(longest[call], length)
            passed.add(OWN.sub("NAME_", function))
    masking = {OWN.sub("NAME_", function) for function in image.masking()}
    return dict(longest), masking - passed - LONG


def measured():
    """(call -> its longest windows, by core; functions never gone through)"""
    found, unknown = {}, set()
    for at, core in enumerate(BOARDS):
        for kind in KINDS:
            longest, missing = by_call(kind, core)
            unknown |= missing
            for call, length in longest.items():
                both = found.setdefault(call, [0, 0])
                both[at] = both[at] or length  # Without what it knows of others.
    return found, unknown


def table(found):
    rows = sorted(found.items(), key=lambda row: (-max(row[1]), row[0]))
    return "\n".join(["| call | M3 | M0 |", "|---|--:|--:|"] + [
        f"| {call} | {m3} | {m0} |" for call, (m3, m0) in rows])
