# SPDX-License-Identifier: MIT
"""Who asked for what lives in a slot: what a build with TIDEPOOL_SOAK keeps account
of, qemu/telemetry/tp_soak_hooks.c."""

from . import Unreadable
from .memory import Missing


class Holders:
    """Its tables; Unreadable where the image has none."""

    def __init__(self, firmware):
        self.firmware, elf = firmware, firmware.elf
        place = firmware.memory.layouts["place"].size
        tables = [next((symbol for symbol in elf.symbols.get(name, ())
                        if symbol.size and symbol.size % size == 0), None)
                  for name, size in (("places", place), ("holder", 64),
                                     ("first_slot", 2))]
        if not all(tables) or not firmware.listed:
            raise Unreadable("only a build with TIDEPOOL_SOAK knows who asked")
        self.places, self.holder, self.first = tables

    def caller(self, name, slot):
        """What the call that was issued the slot returns to; 0: nobody knows."""
        try:
            return self._caller(name, slot)
        except Missing:
            return 0

    def _caller(self, name, slot):
        memory, index = self.firmware.memory, self.firmware.index(name)
        first = memory.numbers(self.first.address + 2 * index, 1, 2)[0]
        at = first + slot - 1
        if at >= self.holder.size:
            return 0
        place = memory.numbers(self.holder.address + at, 1, 1)[0]
        if place == 0:
            return 0
        size = memory.layouts["place"].size
        return memory.struct("place", self.places.address + (place - 1) * size).caller
