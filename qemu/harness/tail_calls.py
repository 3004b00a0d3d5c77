# SPDX-License-Identifier: MIT
"""Callers that a backtrace lacks: a call that is the last thing a function does
is a jump, and leaves nothing on the stack. The path of instructions up to there
has them."""

import bisect
import re
import subprocess

from .elf_tools import told_by
from .source_lines import places_at

JUMP = re.compile(r"^ *([0-9a-f]+):\t.*\tb(?!lx?\t)[a-z.]*\t([0-9a-f]+) <", re.M)


class Functions:
    """Where the functions of an ELF begin."""

    def __init__(self, elf):
        result = subprocess.run(["arm-none-eabi-nm", str(elf)],
                                stdout=subprocess.PIPE, encoding="utf-8",
                                errors="replace")
        rows = [line.split() for line in result.stdout.splitlines()]
        self._begins = sorted({int(row[0], 16) & ~1 for row in rows
                               if len(row) == 3 and row[1] in "TtWw"})

    def begin(self, address):
        """Of the function that holds `address`; 0 if none does."""
        at = bisect.bisect_right(self._begins, address)
        return self._begins[at - 1] if at else 0

    def end(self, address):
        """Where the function behind it begins."""
        at = bisect.bisect_right(self._begins, address)
        return self._begins[at] if at < len(self._begins) else address + 2


def lacks_callers(trace, functions):
    """Whether a function of the backtrace was not called by the one below."""
    return any(below["calls"] != functions.begin(above["pc"])
               for above, below in _called(trace))


def with_callers(trace, path, functions, elf):
    """The backtrace with those that the path of instructions shows."""
    jumps, at = {}, len(path)
    for above, below in _called(trace):
        found, at = _jumps(path[:at], functions.begin(above["pc"]),
                           below["pc"], functions)
        jumps[id(above)] = [place for jump in found
                            for place in places_at(elf, jump)]
        if not at:
            break
    return [place for one in trace for place in (one, *jumps.get(id(one), ()))]


def with_handler(trace, handler, functions, elf):
    """The backtrace with the function at `handler`, where an interrupt entered it and
    it left by a jump. Of several jumps it is not known which."""
    names = [place["function"] for place in trace]
    at = names.index("interrupt") if "interrupt" in names else 0
    whole = [place for place in trace[:at] if place.get("is_whole")]
    begin = functions.begin(whole[-1]["pc"]) if whole else handler
    if begin == handler or not handler:
        return trace
    text = told_by("arm-none-eabi-objdump", "-d", f"--start-address={handler}",
                   f"--stop-address={functions.end(handler)}", elf)
    jumps = [int(jump, 16) for jump, to in JUMP.findall(text) if int(to, 16) == begin]
    places = places_at(elf, jumps[0]) if len(jumps) == 1 else \
        places_at(elf, handler)[-1:]
    return [*trace[:at], *places, *trace[at:]]


def _called(trace):
    """Each function that is no inlined one, with the one it returns to; not
    across interrupts."""
    whole = [place for place in trace if place["is_whole"]]
    return [pair for pair in zip(whole, whole[1:])
            if not any(place["function"] == "interrupt" for place in pair)]


def _jumps(path, begin, returns_to, functions):
    """From where the function at `begin` was jumped to, and from where that
    one, until one was called; and where in the path that was, or 0."""
    found, at = [], len(path) - 1
    while at > 0:
        if path[at] == begin:
            if path[at - 1] in (returns_to - 4, returns_to - 2):
                return found, at
            found.append(path[at - 1])
            begin = functions.begin(path[at - 1])
        at -= 1
    return [], 0
