# SPDX-License-Identifier: MIT
"""Whether a firmware still gets on: one that is alive reports every sixty
frames. How long one may take for more is counted in its own instructions and
its own time; real time says only when to look.
"""

import re
import sys
import time
from typing import NamedTuple

from .monitor import NoAnswer
from .number_text import counted, grouped
from .options import ROOT

sys.path.insert(0, str(ROOT / "lib" / "config"))
from decoder import owners  # noqa: E402

# A minute of nothing but work, at 32 ns an instruction; five seconds if every
# look finds it in the same exception; an hour of waiting.
BUSY, STORM, WAITING_SECONDS = 1_875_000_000, 156_250_000, 3600
ASLEEP_LOOKS = 3  # In which neither time went by nor an instruction.
FLOOD_BYTES = 4 << 20  # A sample is of some 1000 bytes.
LOOK_SECONDS = 3  # Real, between two looks.
EXC_RETURN = 0xF0000000  # From here on; at no instruction, between two.
PLACE_LOOKS = 100
EXCEPTIONS = {**owners.EXCEPTIONS, 7: "SecureFault"}  # Of Armv8-M alone.


class Look(NamedTuple):
    instructions: int
    seconds: float  # Of its time.
    exception: int


class Progress:
    def __init__(self):
        self._frame = -1
        self._start()

    def _start(self):
        self._bytes = 0
        self._looked = time.monotonic()
        self._looks = []  # Since it got on.

    def note(self, frame, size):
        """The firmware has come to `frame`, in `size` bytes more."""
        self._bytes += size
        if frame != self._frame:
            self._frame = frame
            self._start()

    def trouble(self, monitor):
        """What keeps it from going on, in words; "" for nothing."""
        if self._bytes > FLOOD_BYTES:
            return f"it floods the host, {grouped(FLOOD_BYTES)} bytes without a" \
                " frame more,"
        if time.monotonic() < self._looked + LOOK_SECONDS:
            return ""
        try:
            self._looks.append(look(monitor))
        except NoAnswer:
            return ""
        self._looked = time.monotonic()
        return verdict_on(self._looks)


def verdict_on(looks):
    """The trouble that a row of looks shows, with no frame between them."""
    first, last = looks[0], looks[-1]
    work = last.instructions - first.instructions
    if looks[-ASLEEP_LOOKS:] == [last] * ASLEEP_LOOKS:
        return "it sleeps, and nothing will ever wake it,"
    if work >= BUSY:
        return f"it hangs, {_executed(BUSY)},"
    if last.exception and {one.exception for one in looks} == {last.exception} \
            and work >= STORM:
        return f"it never leaves {name_of(last.exception)}, {_executed(STORM)},"
    if last.seconds - first.seconds >= WAITING_SECONDS:
        return "it waits, an hour of its time without a frame more,"
    return ""


def _executed(work):
    return f"{counted(work // 1000000, 'million instruction')} without a frame more"


def name_of(exception):
    """As of the number in xPSR."""
    return EXCEPTIONS.get(exception, f"interrupt {exception - owners.INTERRUPTS}")


def look(monitor):
    answer = monitor.ask("query-replay")
    status = re.search(r"XPSR=([0-9a-f]+)", monitor.human("info registers"))
    if not status or "icount" not in answer:
        raise NoAnswer
    return Look(answer["icount"], virtual_seconds(monitor),
                int(status[1], 16) & 511)


def virtual_seconds(monitor):
    """The emulated clock: a snapshot's page is what tells it."""
    monitor.human("savevm clock")
    page = monitor.human("info snapshots")
    monitor.human("delvm clock")
    found = re.search(r"^\S+\s+clock\b.*?(\d+):(\d\d):(\d\d\.\d+)", page, re.M)
    if not found:
        raise NoAnswer
    # The first that looks like a time is that of the day it was made.
    hours, minutes, seconds = re.findall(r"(\d+):(\d\d):(\d\d\.\d+)", found[0])[-1]
    return 3600 * int(hours) + 60 * int(minutes) + float(seconds)


def place(monitor):
    """The instruction that a running firmware is at; 0 if it is not to be had."""
    for _ in range(PLACE_LOOKS):
        counter = re.search(r"R15=([0-9a-f]+)", monitor.human("info registers"))
        if counter and int(counter[1], 16) < EXC_RETURN:
            return int(counter[1], 16)
    return 0
