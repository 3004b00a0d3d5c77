# SPDX-License-Identifier: MIT
"""Who asked for what lies in a slot and who gave it back, as the firmware itself notes:
the rows that say owner = true, lib/object/tp_owner.h."""

import collections

from . import Unreadable
from .holders import Holders
from .memory import Missing

FREED = 0x8000  # In a context: the note is of the call that gives back.
EXCEPTIONS = {2: "NMI", 3: "HardFault", 4: "MemManage", 5: "BusFault", 6: "UsageFault",
              11: "SVCall", 12: "DebugMonitor", 14: "PendSV", 15: "SysTick"}
INTERRUPTS = 16  # The number of the first.

# Addresses that calls return to, 0: nobody knows; and when and where the later was.
Note = collections.namedtuple("Note", "asked freed since context is_given_back")


class Owners:
    """The notes of all such rows; Unreadable where there is none."""

    def __init__(self, firmware):
        self.memory = firmware.memory
        self.notes = {self._tags(owned.pool): owned.owners
                      for owned in firmware.named("_owned", "tp_owned")}
        if not self.notes:
            raise Unreadable("no row has owner = true")

    def _tags(self, pool):
        """What both descriptors of a row with a reserve lead to; or itself, of one that
        is not in the dump."""
        try:
            return self.memory.struct("tp_pool", pool).tag
        except Missing:
            return pool

    def note(self, entry, slot):
        """The Note of a slot; None where there is none, or it is of another object."""
        pool = entry.it.pool()
        it = pool and pool.tags and self._written(pool.pool.base, slot)
        is_own = it and it.generation == pool.issued(slot) & 0xFFFF
        return in_note(it) if is_own else None

    def kept_note(self, pool, slot):
        """The same of a dump that has the note and not the pool at that address, as
        the text of a crash has it: the firmware looked whose it is."""
        it = self._written(pool, slot)
        return in_note(it) if it else None

    def _written(self, pool, slot):
        """The struct; None where there is none, or nobody wrote it."""
        step = self.memory.layouts["tp_owner"].size
        try:
            notes = self.notes[self._tags(pool)]
            it = self.memory.struct("tp_owner", notes + (slot - 1) * step)
        except (KeyError, Missing):
            return None
        return it if it.asked | it.freed else None


def in_note(it):
    return Note(it.asked, it.freed, it.since, context_name(it.context & ~FREED),
                bool(it.context & FREED))


def context_name(number):
    """', in SysTick'; nothing for a task."""
    if number >= INTERRUPTS:
        return f", in interrupt {number - INTERRUPTS}"
    return f", in {EXCEPTIONS.get(number, f'exception {number}')}" if number else ""


class Known:
    """What rows of owners and a build with TIDEPOOL_SOAK know; Unreadable where there
    is neither."""

    def __init__(self, firmware):
        self.clock = firmware.elf.address_of("tp_clock_now")
        self.memory = firmware.memory
        self.owners, self.holders = (made_or_none(kind, firmware)
                                     for kind in (Owners, Holders))
        if not self.owners and not self.holders:
            raise Unreadable("only rows with owner = true and builds with TIDEPOOL_SOAK"
                             " know who asked")

    def note(self, entry, slot):
        return self.owners.note(entry, slot) if self.owners else None

    def caller(self, entry, slot):
        """What the call that was issued the slot returns to; 0: nobody knows."""
        note = self.note(entry, slot)
        if note:
            return note.asked
        return self.holders.caller(entry.name, slot) if self.holders else 0

    def changed(self):
        return self.holders.changed() if self.holders else []

    def age(self, since):
        """In units of the application's clock, which may have wrapped."""
        try:
            now = self.memory.word(self.clock) if self.clock else 0
        except Missing:
            now = 0
        return now - since & 0xFFFFFFFF


def made_or_none(kind, firmware):
    try:
        return kind(firmware)
    except Unreadable:
        return None
