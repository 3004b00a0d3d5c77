# SPDX-License-Identifier: MIT
"""What moves its objects, in memory: dense and relocating pools."""

from .kind import Kind, Slot
from .pool import AUDITED, POISON, POISONS, Figures, Finding

UNIT = 8  # Bytes of a unit of a relocating pool.


class Dense(Kind):
    STRUCT = "tp_dense"

    def __init__(self, memory, address, level):
        super().__init__(memory, address, level)
        self.state = memory.struct("tp_dense_state", self.it.state)
        self.fresh = min(self.state.fresh, self.it.capacity)
        self.entries = memory.numbers(self.it.entry, self.fresh, 2)
        self.places = memory.numbers(self.it.place, self.it.capacity + 1)

    def figures(self):
        return Figures(self.it.capacity, self.state.count, self.state.fresh,
                       self.state.refused)

    def slots(self):
        """By the number of its entry, which handles name."""
        mask = (1 << self.it.bits) - 1
        return [Slot(entry, self.it.storage + (self.places[entry] & mask)
                     * self.it.stride, (self.places[entry] & mask) < self.state.count,
                     None) for entry in range(1, self.fresh + 1)]

    def handle_like(self, bits):
        """(the slot that a handle names, or 0; the handle of what lives there, or
        None)."""
        mask = (1 << self.it.bits) - 1
        slot = bits & mask
        if not 1 <= slot <= self.it.capacity:
            return 0, None
        place = self.places[slot]
        now = (place - (place & mask) + self.it.salt) & 0xFFFFFFFF | slot
        is_live = slot <= self.fresh and place & mask < self.state.count
        return slot, now if is_live else None

    def is_impossible(self):
        return not self.state.count <= self.state.fresh <= self.it.capacity

    def wrong(self):
        state = self.state
        if self.is_impossible():
            return [Finding("more is live than there is room for", 0, state.base)]
        if not state.seen <= state.old <= state.count:
            return [Finding("a walk goes on behind the objects", 0, state.base)]
        found = [finding for index in range(self.fresh)
                 for finding in self._wrong_index(index)]
        return found or self._wrong_copy() or self._wrong_ends()

    def _wrong_copy(self):
        """Entry 0, which nobody has, keeps one for audits."""
        count, copy = self.state.count, self.places[0] >> 16
        if self.level < AUDITED or copy == count:
            return []
        return [Finding(f"{count} objects are counted, and {copy} in its copy", 0,
                        self.state.base)]

    def _wrong_ends(self):
        """Each object that ended is counted, and by the generation of its entry. Entry
        0 says how many entries scenes had that were left."""
        bits, left = self.it.bits, self.places[0]
        most = max(self.fresh, left & 0xFFFF if self.level >= AUDITED else left)
        if most >> bits:
            return [Finding(f"no scene had {most} objects", 0, self.it.place)]
        places = self.memory.numbers(self.it.place, most + 1)
        ended = sum(place >> bits for place in places[1:])
        if (ended - self.state.frees) % (1 << 32 - bits) == 0:
            return []
        return [Finding(f"a generation was written over: by them {ended} objects ended,"
                        f" {self.state.frees} are counted", 0, self.state.base)]

    def _wrong_index(self, index):
        """Each index below fresh leads to an entry, which leads back to it."""
        entry, at = self.entries[index], self.it.entry + 2 * index
        if not 1 <= entry <= self.fresh:
            return [Finding(f"index {index} leads to entry {entry} of {self.fresh}",
                            entry, at)]
        back = self.places[entry] & ((1 << self.it.bits) - 1)
        if back != index:
            return [Finding(f"index {index} leads to entry {entry}, which leads to"
                            f" index {back}", entry, at)]
        return self._wrong_bytes(index, entry)

    def _wrong_bytes(self, index, entry):
        if self.level < POISONS or index < self.state.count:
            return []
        begin = self.it.storage + index * self.it.stride
        other = self.memory.first_other(begin, begin + self.it.stride, POISON)
        if not other:
            return []
        place, word = other
        return [Finding(f"index {index}, which is dead, was written to at byte"
                        f" {place - begin}: {word:#010x}", entry, place)]

    def memory_range(self):
        return self.it.storage, self.it.capacity * self.it.stride


class Relocating(Kind):
    """Its blocks."""
    STRUCT = "tp_reloc"

    def __init__(self, memory, address, level):
        super().__init__(memory, address, level)
        self.state = memory.struct("tp_reloc_state", self.it.state)
        self.fresh = min(self.state.fresh, self.it.handles)
        self.entries = memory.structs("tp_reloc_entry", self.it.entry, self.fresh + 1)

    def figures(self):
        return Figures(self.it.handles, self.state.live, self.state.fresh,
                       self.state.refused)

    def slots(self):
        return [Slot(index, self._block(entry) if entry.generation % 2 else 0,
                     entry.generation % 2 == 1, (entry.generation + 1) // 2)
                for index, entry in enumerate(self.entries) if index]

    def handle_like(self, bits):
        """As of a dense pool."""
        slot = bits & (1 << self.it.handle_bits) - 1
        if not 1 <= slot <= self.it.handles:
            return 0, None
        generation = self.entries[slot].generation if slot <= self.fresh else 0
        now = generation >> 1 << self.it.handle_bits | slot
        return slot, now & 0xFFFFFFFF if generation % 2 else None

    def _block(self, entry):
        return self.it.arena + (entry.at + 1) * UNIT

    def is_impossible(self):
        return not self.state.live <= self.state.fresh <= self.it.handles

    def wrong(self):
        if self.is_impossible():
            return [Finding("more blocks are live than handles", 0, self.state.base)]
        blocks, holes, found = self._walk()
        live = [index for index, entry in enumerate(self.entries)
                if index and entry.generation % 2]
        if not found and (len(live) != self.state.live or set(blocks) != set(live)):
            return [Finding(f"{len(blocks)} blocks were found, {len(live)} handles are"
                            f" live, {self.state.live} counted", 0, self.state.base)]
        begins = {self.entries[block].at for block in blocks} | {at for at, _ in holes}
        return found or self._wrong_places(begins | {self.state.top}) \
            or self._wrong_holes(holes) or self._wrong_entries()

    def _walk(self):
        """The handles of the blocks from the first to the top; (where it begins, its
        units) of each hole; what is wrong there. A header stands behind the last."""
        at, before, top, blocks, holes = 0, 0, self.state.top, [], []
        while at < min(top, self.it.units) or at == top and self.state.touched:
            head = self.memory.struct("tp_head", self._at(at))
            is_last = at == top
            if not is_sound(head, top - at) or head.before != before:
                return blocks, holes, [Finding(f"the header {at * UNIT} bytes into the"
                                               " arena was written over", 0, head.base)]
            if head.owner and (head.owner > self.fresh
                               or self.entries[head.owner].at != at):
                return blocks, holes, [Finding(
                    f"the block of handle {head.owner} is not where its entry says",
                    head.owner, head.base)]
            blocks += [head.owner] * bool(head.owner)
            holes += [(at, head.units)] * (not head.owner and not is_last)
            if is_last:
                break
            at, before = at + head.units, head.units
        return blocks, holes, []

    def _at(self, unit):
        return self.it.arena + unit * UNIT

    def _wrong_places(self, begins):
        """How far the arena was ever filled, and where compaction goes on."""
        state, units = self.state, self.it.units
        if state.touched > units + 1 or not state.touched and state.top:
            return [Finding(f"{state.touched} units were filled at most, of {units}", 0,
                            state.base)]
        if state.cursor not in begins:
            return [Finding(f"compaction goes on {state.cursor * UNIT} bytes into the"
                            " arena, where nothing begins", 0, state.base)]
        return []

    def _wrong_holes(self, holes):
        state, units = self.state, sum(size for _, size in holes)
        if (len(holes), units) != (state.holes, state.hole_units):
            return [Finding(f"{len(holes)} holes of {units * UNIT} bytes were found,"
                            f" {state.holes} of {state.hole_units * UNIT} are counted",
                            0, state.base)]
        dead = [(at + 1, at + size) for at, size in holes]
        if state.touched:
            dead.append((state.top + 1, state.touched))
        others = [self.memory.first_other(self._at(begin), self._at(end), POISON)
                  for begin, end in dead if self.level >= POISONS]
        return [Finding(f"byte {other[0] - self.it.arena} of the arena, which is"
                        f" nobody's, was written to: {other[1]:#010x}", 0, other[0])
                for other in others if other]

    def _wrong_entries(self):
        """Who is dead is on a list. Entry 0 counts all steps for audits."""
        index, seen = self.state.free_index, set()
        while index and index <= self.fresh and index not in seen \
                and self.entries[index].generation % 2 == 0:
            seen.add(index)
            index = self.entries[index].at
        if index or len(seen) + self.state.live != self.fresh:
            return [Finding(f"the list of free handles leads to {len(seen)} of"
                            f" {self.fresh - self.state.live}, then to {index}", 0,
                            self.state.base)]
        zero, *others = [entry.generation for entry in self.entries]
        if self.level < AUDITED or (sum(others) - zero) & 0xFFFFFFFF == 0:
            return []
        return [Finding("a generation was written over, or their sum:"
                        f" {sum(others)}, and {zero} was kept", 0, self.it.entry)]


def is_sound(head, left):
    """Whether it is as it was written, of so many units up to the top."""
    return head.guard == guard_of(head) and head.units <= left \
        and (head.units == 0) == (left == 0)


def guard_of(head):
    """tp_head_guard()."""
    mixed = (head.units | head.before << 16) * 0x9E3779B1 \
        + (head.owner + 1) * 0x85EBCA77
    return mixed >> 16 & 0xFFFF


class Arena(Kind):
    """The bytes of a relocating pool."""
    STRUCT = "tp_reloc"

    def __init__(self, memory, address, level):
        super().__init__(memory, address, level)
        self.state = memory.struct("tp_reloc_state", self.it.state)

    def figures(self):
        return Figures(self.it.units * UNIT, self.state.top * UNIT,
                       max(0, self.state.touched - 1) * UNIT, self.state.refused)

    def is_impossible(self):
        return self.state.top > self.it.units

    def wrong(self):
        if self.is_impossible():
            return [Finding("more is filled than there is", 0, self.state.base)]
        return []

    def memory_range(self):
        return self.it.arena, self.it.units * UNIT
