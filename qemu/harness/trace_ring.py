# SPDX-License-Identifier: MIT
"""`qemu/soak trace FW.ELF RAM.BIN ...`: the last events that a firmware kept, and a
dump of its RAM holds (lib/check/tp_events.h), as what writes a trace is given a run.

What was live at the end is in the dump; before each event it was one more or less.
"""

import sys
from collections import Counter
from typing import NamedTuple

from .errors import CannotRun
from .ledger import COUNTERS
from .options import ROOT
from .records import Allocator, Hello, Usage
from .trace_events import Begun, Counted, Event, Use

sys.path.insert(0, str(ROOT / "lib" / "config"))
from decoder import Unreadable  # noqa: E402
from decoder.dump import opened, path_in, refuse_foreign  # noqa: E402
from decoder.history import ALLOC, FAULT, WORDS, History  # noqa: E402
from decoder.record import kind_name  # noqa: E402

GROWTH = {ALLOC: 1}  # Of what is live; of what ends it -1.


class Ring(NamedTuple):
    """What a dump tells, in place of trace.Run."""
    elf: str
    told: History
    first: int  # The frames that are asked for.
    last: int
    stop: list  # Holds the reason once somebody wants us to stop.

    @property
    def summary(self):
        return {"reproduce": f"qemu/soak trace {self.elf}"}

    @property
    def end(self):
        return self._events()[-1].frame

    def refuse_to_go_on(self):
        """Raises CannotRun if that is so."""
        if self.stop:
            raise CannotRun(f"stopped by {self.stop[0]}")

    def happenings(self):
        """Each event, and behind the last of a frame what is live."""
        events, pools = self._events(), self._pools()
        live = self._live_before(events, pools)
        yield Begun(events[0].frame, self._hello(pools))
        for event, behind in zip(events, [*events[1:], None]):
            self.refuse_to_go_on()
            count(live, event)
            yield self._happened(event)
            if behind is None or behind.frame != event.frame:
                yield self._counted(event.frame, pools, live)

    def places(self, _, moments):
        """{frame: {pool: {place: bytes}}} of these moments, as far as it was kept who
        was issued a slot, before the frames that are asked for too."""
        holder, found = {}, {}
        asked, events = {one.frame for one in moments}, of_the_last_boot(
            self.told.events)
        for event, behind in zip(events, [*events[1:], None]):
            if event.entry:
                holder.pop((event.entry, event.slot), None)
                if event.kind == ALLOC:
                    holder[event.entry, event.slot] = self._caller(event)
            if event.frame in asked and (not behind or behind.frame != event.frame):
                found[event.frame] = held(holder)
        return found

    def _events(self):
        found = [event for event in of_the_last_boot(self.told.events)
                 if self.first <= event.frame <= self.last]
        if not found:
            raise CannotRun("the firmware kept no event of these frames.")
        return found

    def _pools(self):
        """Those of the table; CannotRun where the dump does not hold them."""
        for event in self.told.events:
            if event.entry and not event.entry.it:
                raise CannotRun(f"what was live of {event.entry.name} is not in the"
                                " dump: a trace needs all of the firmware's variables.")
        return [entry for entry in self.told.firmware.entries
                if entry.it and entry.it.pool()]

    def _live_before(self, events, pools):
        """{entry: how many of it were live before the first of [events]}"""
        live = Counter({entry: entry.figures.live for entry in pools})
        since = of_the_last_boot(self.told.events)  # One before may have done alike.
        for event in since[since.index(events[0]):]:
            count(live, event, -1)
        return live

    def _hello(self, pools):
        return Hello(0, 0, 0, 0, self.told.firmware.level, 0, False, False, False,
                     self.elf, tuple(allocator(entry) for entry in pools), ())

    def _happened(self, event):
        name = event.entry.name if event.entry else ""
        words = f"by {self._caller(event)}"
        if event.kind == FAULT:
            words = f"{kind_name(event.address)} fault, called from" \
                    f" {self._caller(event)}"
        return Event(event.frame, WORDS[event.kind], name, event.slot, 1, words)

    def _caller(self, event):
        return self.told.firmware.lines.caller(event.caller)

    def _counted(self, frame, pools, live):
        return Counted(frame, 0, tuple(use(entry, live[entry]) for entry in pools))


def of_the_last_boot(events):
    """Those since the clock began anew: no trace goes back in time."""
    begins = [at for at in range(1, len(events))
              if events[at].frame < events[at - 1].frame]
    return events[begins[-1] if begins else 0:]


def count(live, event, times=1):
    if event.entry:
        live[event.entry] += times * GROWTH.get(event.kind, -1)


def allocator(entry):
    pool = entry.it.pool()
    return Allocator(entry.name, entry.title, entry.unit, entry.policy, entry.bank,
                     pool.capacity, pool.capacity * pool.stride, pool.stride, False)


def use(entry, live):
    none = dict.fromkeys(COUNTERS, 0)
    live = max(0, live)  # Less, where a reset forgot what was live.
    usage = Usage(entry.figures.capacity, live, entry.figures.peak, live, live,
                  0, 0, 0, 0, 0, 0)
    return Use(allocator(entry), usage, none, none)


def held(holder):
    """{pool: {place: bytes}}"""
    found = {}
    for (entry, _), place in holder.items():
        places = found.setdefault(entry.name, Counter())
        places[place] += entry.it.pool().stride
    return found


def paths_of(names):
    """Of files; FILE@ADDRESS is one."""
    return [path_in(name) for name in names]


def ring_in(names, words, stop):
    """The Ring of fw.elf and the files of a dump. Raises CannotRun."""
    try:
        firmware, whole = opened(names[0], names[1:])
        refuse_foreign(firmware, whole)
        told = History(firmware)
    except Unreadable as trouble:
        raise CannotRun(f"{trouble}.") from None
    if whole.warnings:
        raise CannotRun("\n".join(whole.warnings))
    return Ring(names[0], told, words.first, words.last, stop)
