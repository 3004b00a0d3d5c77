# SPDX-License-Identifier: MIT
"""The last events of a firmware, as it keeps them itself: a build with
TIDEPOOL_EVENTS, lib/check/tp_events.h."""

import collections

from . import Unreadable
from .memory import Missing
from .record import fault_record, kind_name

MAGIC = 0x7E11E7E5  # With how many are kept in its low bits, by XOR.
CLOCK = (1 << 12) - 1  # Of struct tp_event's [by]: the clock; above it the caller.
CALLER_BITS = 20
WINDOW = 2 << CALLER_BITS  # Addresses so far apart have the same bits there.
FAULT, ALLOC, FREE, STEAL = range(4)
WORDS = ("fault", "alloc", "free", "steal")

IN_DUMP = 16  # Lines of a whole dump.

# [entry] is None where no allocator has the slot, which lies at [address]; of a fault
# [address] is its number.
Event = collections.namedtuple("Event", "frame kind entry slot address caller")


class History:
    """[events], the latest last, of [count] since power-on; Unreadable where the
    firmware keeps none, or has none yet."""

    def __init__(self, firmware):
        self.firmware, self.memory = firmware, firmware.memory
        places = firmware.elf.symbols.get("tp_events")
        if not places:
            raise Unreadable("only a build with TIDEPOOL_EVENTS keeps what happened")
        head, step = (self.memory.layouts[name].size
                      for name in ("tp_events", "tp_event"))
        self.room = (places[0].size - head) // step
        ring = self.memory.struct("tp_events", places[0].address)
        kept = self.memory.structs("tp_event", ring.base + head, self.room)
        begin, is_written = ring.count % self.room, ring.magic == MAGIC ^ self.room
        latest = [event for event in kept[begin:] + kept[:begin]
                  if is_written and event.what]
        has_wrapped = len(latest) > ring.count
        self.count = ring.count * is_written + (has_wrapped << 32)
        self.events = self._dated(latest)

    def _dated(self, kept):
        """Events of the notes: how much earlier each is than the one behind it is
        known modulo the clock's bits. Behind a fault the clock may have begun anew,
        but of the last one the record has the frame."""
        frame, made, record = self._now(), [], self._record()
        for note in reversed(kept):
            frame = frame - (frame - note.by & CLOCK)
            if note.what & 3 == FAULT and record:
                frame = frame if record.frame - note.by & CLOCK else record.frame
                record = None
            made.append(self._event(frame & 0xFFFFFFFF, note))
        return made[::-1]

    def _record(self):
        try:
            return fault_record(self.firmware)
        except Missing:
            return None

    def _now(self):
        """The clock; of a dump without it, that of the fault."""
        clock = self.firmware.elf.address_of("tp_clock_now")
        try:
            return self.memory.word(clock)
        except Missing:
            record = self._record()
        return record.frame if record else 0

    def _event(self, frame, note):
        kind, address, caller = note.what & 3, note.what & ~3, self._caller(note.by)
        if kind == FAULT:
            return Event(frame, kind, None, 0, address // 4, caller)
        entry, slot = self.firmware.slot_at(address)
        return Event(frame, kind, entry, slot, address, caller)

    def _caller(self, by):
        """The address in the code that these bits are of; 0: nobody knows."""
        known = (by >> 12) * 2
        if not known:
            return 0
        for section in self.firmware.elf.allocated(False):
            at = section.address + (known - section.address) % WINDOW
            if at <= section.address + section.size:
                return at | 1
        return 0


def history(firmware, name="", slot=0, most=None):
    """Lines: the latest events last; of all, of one pool or of one slot of it."""
    told = History(firmware)
    entry = firmware.called(name) if name else None
    events = [event for event in told.events if not name
              or event.entry is entry and slot in (0, event.slot)]
    shown = events[-(most or 0):]
    head = f"the last {len(told.events if name else shown)} of {told.count} events"
    if name:
        head += f", {len(events)} of them of {name}" + f", slot {slot}" * bool(slot)
    return [head, *(in_words(firmware, event) for event in shown)]


def in_words(firmware, event):
    entry = event.entry
    if event.kind == FAULT:
        where = kind_name(event.address)
    elif not entry:
        where = f"{event.address:#010x}, in no allocator"
    else:
        where = f"{entry.name}, slot {event.slot}"
    by = firmware.lines.caller(event.caller)
    return f"frame {event.frame}: {WORDS[event.kind]:5} {where}, by {by}"


def history_if_kept(firmware):
    """The last few of them in a dump; nothing where there are none."""
    try:
        return history(firmware, most=IN_DUMP)
    except Unreadable:
        return []
