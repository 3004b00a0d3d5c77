# SPDX-License-Identifier: MIT
"""Who asked for what lives in a slot, and whether its generation is the one it was
issued with: what a build with TIDEPOOL_SOAK keeps account of, tp_soak_hooks.c."""

from . import Unreadable
from .memory import Missing
from .pool import Finding

SIZES = {"places": 24, "holder": 64, "first_slot": 2}  # Each a multiple of.


class Holders:
    """Its tables; Unreadable where the image has none."""

    def __init__(self, firmware):
        self.firmware, self.elf = firmware, firmware.elf
        self.memory = firmware.memory
        tables = [self._table(name, size) for name, size in SIZES.items()]
        if not all(tables) or not firmware.listed:
            raise Unreadable("only a build with TIDEPOOL_SOAK knows who asked")
        self.places, self.holder, self.first = tables

    def _table(self, name, size):
        return next((symbol for symbol in self.elf.symbols.get(name, ())
                     if symbol.size and symbol.size % size == 0), None)

    def caller(self, name, slot):
        """What the call that was issued the slot returns to; 0: nobody knows."""
        try:
            place = self._byte(self.holder, self._at(name, slot))
            size = self.memory.layouts["place"].size
            return self.memory.struct("place", self.places.address + (place - 1)
                                      * size).caller if place else 0
        except Missing:
            return 0

    def _at(self, name, slot):
        """Where of all slots together it is."""
        index = self.firmware.index(name)
        return self.memory.numbers(self.first.address + 2 * index, 1, 2)[0] + slot - 1

    def _byte(self, table, at):
        """0 behind its end."""
        if at >= table.size:
            return 0
        return self.memory.numbers(table.address + at, 1, 1)[0]

    def changed(self):
        """[(entry, finding)] of slots whose generation was written over: what the
        firmware has noticed, or else what it has not yet looked at."""
        try:
            slot = self._number("changed_slot", 4)
            if slot:
                entry = self.firmware.entries[self._number("changed_index", 4)]
                return [(entry, self._finding(entry, slot))]
            return [(entry, self._finding(entry, slot))
                    for entry in self.firmware.entries if self._number("sealing", 1)
                    for slot in self._unsealed(entry)]
        except (Missing, IndexError):
            return []

    def _number(self, name, size):
        symbol = self._table(name, size)
        return self.memory.numbers(symbol.address, 1, size)[0] if symbol else 0

    def _finding(self, entry, slot):
        pool = entry.it and entry.it.pool()
        return Finding(f"the generation of slot {slot} was written over", slot,
                       pool.pool.tag + 4 * slot if pool else 0)

    def _unsealed(self, entry):
        pool, seals = entry.it and entry.it.pool(), self._table("seal", 1)
        if not pool or not pool.tags or not seals:
            return []
        places = [(slot, self._at(entry.name, slot))
                  for slot in range(1, pool.fresh + 1)]
        return [slot for slot, at in places if at < seals.size
                and self._byte(self.holder, at)
                and self._byte(seals, at) != sealed(pool.generation(slot))]


def sealed(generation):
    """As there: of any two of which one bit differs, they differ."""
    folded = generation ^ generation >> 16
    return (folded ^ folded >> 8) & 255
