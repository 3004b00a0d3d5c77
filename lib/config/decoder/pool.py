# SPDX-License-Identifier: MIT
"""A pool in memory: its slots, and what tp_pool_verify() would say of it."""

import collections

LIVE = 0x80000000  # In a tag; the rest counts how often the slot was issued.
# Of the code of a hardened pool's tags, core/tp_code.h: what a death adds to them, and
# its inverse; what a birth adds; after how many deaths it begins again.
LIFE, INVERSE, BIRTH, LIVES = 0x6F9B, 0xA91F5E93, 0x81818181, 0x8000
CODED, OUTSIDE = 1, 2  # In .hardened.
WORD = 0xFFFFFFFF
POISON, RED = 0x1DEADB0B, 0x0DDBA115
FAST, POISONS, FULL = 1, 2, 3  # Levels.
AUDITED = 4  # Full, where TP_AUDIT is not 0.

# What is wrong: with which slot (0: with none by itself), at which address (or 0).
Finding = collections.namedtuple("Finding", "text slot address")
# What an allocator did, as in struct tp_stats; None: it does not count that.
Figures = collections.namedtuple("Figures", "capacity live peak refused")


def issues(tag):
    """How often the slot of a code's [tag] was issued; None: it is none of the code."""
    deaths, births = tag * INVERSE & WORD, (tag - BIRTH) * INVERSE & WORD
    if deaths <= LIVES:
        return deaths
    return births + 1 if births < LIVES else None


def kept(word):
    """How many slots are on the list of a magazine."""
    return -(word >> 16) & 0xFFFF


def counts_refusals(pool, level):
    """Without tags one that drops counts only some of those that it refuses."""
    return level >= FAST or bool(pool.tagged) or not pool.refuses


def figures_of(state, capacity, live, fresh, is_coded=False, is_counted=True):
    """Of a struct tp_pool_state. What was refused is 0 where not all is counted."""
    spills = 0 if is_coded else state.spills
    refused = state.overflows - state.steals - spills & WORD if is_counted else 0
    return Figures(capacity, live, max(fresh, state.reached), refused)


class Pool:
    """A struct tp_pool, read once."""

    def __init__(self, memory, address, level):
        self.memory, self.level = memory, level
        self.pool = memory.struct("tp_pool", address)
        for name in ("capacity", "stride", "size", "zone", "storage"):
            setattr(self, name, getattr(self.pool, name))
        self.lead = self.stride - self.size - self.zone  # Of an object before its link.
        self.state = memory.struct("tp_pool_state", self.pool.state)
        self.fresh = min(self.state.fresh, self.capacity)
        self.counts = level >= FAST
        self.tagged = self.counts or self.pool.tagged
        words = memory.numbers(self.pool.tag, self.capacity + 1 if self.tagged else 1)
        self.word, self.tags = words[0], words if self.tagged else []
        self.coded = self.pool.hardened & CODED
        self.outside = self.pool.hardened & OUTSIDE
        self.magazines = self._magazines() if self.pool.magazine else []
        self.free, self.broken = self._free_slots()

    def address(self, slot):
        """Where its link is, unless that is outside."""
        return self.storage + (slot - 1) * self.stride

    def slot_of(self, address):
        """(slot, byte behind its link); slot 0 lies before the first."""
        slot, byte = divmod(address - self.storage, self.stride or 1)
        return slot + 1, byte

    def _behind(self):
        """What lies behind its tags."""
        return self.pool.tag + 4 * (self.capacity + 1 if self.tagged else 2)

    def _magazines(self):
        """The list of each of two cores: core/tp_magazine.h."""
        return self.memory.numbers(self._behind(), 2)

    def _link(self, slot):
        """Where it is while the slot is dead."""
        return self._behind() + 4 * (slot - 1) if self.outside else self.address(slot)

    def _free_slots(self):
        """Those on the list, the next first, and those that cores keep; what is wrong
        with it, or None."""
        slots, broken = self._follow(self.word, [], self._top_of, 1)
        for core, word in enumerate(self.magazines):
            if broken:
                break
            before = len(slots)
            slots, broken = self._follow(word, slots, lambda word: word & 0xFFFF, 0)
            if not broken and len(slots) - before != kept(word):
                broken = Finding(f"core {core} keeps {len(slots) - before} slots,"
                                 f" {kept(word)} are counted", 0, self.pool.tag)
        return slots, broken

    def _follow(self, word, slots, top_of, more):
        """[slots] and those on a list, whose links count so many more than the word
        that leads there; what is wrong with it, or None."""
        begin = len(slots)
        while top_of(word) != 0:
            slot, last = top_of(word), slots[-1] if slots[begin:] else 0
            if not 1 <= slot <= self.fresh:
                return slots, self._leads_out(last, f"{slot} of {self.fresh}")
            if slot in slots:
                return slots, Finding("the free list goes round for ever", slot,
                                      self.address(slot))
            if self.tags and self.tags[slot] >= LIVE:
                return slots, Finding(f"slot {slot} is live and on the free list",
                                      slot, self.address(slot))
            link = self.memory.word(self._link(slot))
            count = (word >> 16) + more
            if self.counts and not self._follows(count, link):
                return slots, Finding(
                    f"the link of slot {slot} was written over: {link:#010x} stands"
                    f" there, not {count:#06x} and a slot", slot, self._link(slot))
            slots.append(slot)
            word = link if more else link + 0x10000 & WORD
        return slots, None

    def _leads_out(self, last, where):
        if last:
            return Finding(f"the link of slot {last} leads to slot {where}", last,
                           self.address(last))
        return Finding(f"the free list begins at slot {where}", 0, self.pool.tag)

    def _follows(self, count, link):
        return link >> 16 == count and link & 0xFFFF <= self.capacity

    def _top_of(self, word):
        if self.counts or word == 0:
            return word & 0xFFFF
        slot, byte = self.slot_of(word)
        return -1 if byte or slot == 0 else slot  # 0 would be its end.

    @property
    def live(self):
        if self.counts:
            return (self.word >> 16) - sum(map(kept, self.magazines)) & 0xFFFF
        return self.fresh - len(self.free)

    def is_live(self, slot):
        if slot > self.fresh:
            return False
        return self.tags[slot] >= LIVE if self.tags else slot not in self.free

    def live_slots(self):
        return [slot for slot in range(1, self.fresh + 1) if self.is_live(slot)]

    def issued(self, slot):
        """How often it was, or since its code began; None where nobody counts that."""
        if not self.tags:
            return None
        tag = self.tags[slot]
        return issues(tag) or 0 if self.coded else tag % LIVE

    def generation(self, slot):
        """Of its tag, as the firmware compares it."""
        return self.tags[slot] % LIVE

    def figures(self):
        return figures_of(self.state, self.capacity, self.live, self.fresh, self.coded,
                          counts_refusals(self.pool, self.level))

    def memory_range(self):
        return (self.storage - self.lead - self.zone,
                self.zone + self.capacity * self.stride)

    def is_impossible(self):
        """Whether its counts are none that a pool of this size ever has."""
        return self.state.fresh > self.capacity or self.counts and (
            self.word >> 16 > self.fresh or self.word & 0xFFFF > self.fresh)

    def wrong(self):
        found = [self.broken] if self.broken else []
        if self.state.fresh > self.capacity:
            found.append(Finding(f"{self.state.fresh} slots were issued of"
                                 f" {self.capacity}", 0, self.state.base))
        elif self.tags and not self.broken:
            found += self._wrong_counts()
        found += self._wrong_ring() if self.pool.age else []
        for slot in range(1, self.fresh + 1):
            found += self._wrong_bytes(slot)
        return found

    def _wrong_counts(self):
        """The list word, the tags and the length of the list say the same."""
        live = self.live_slots()
        lost = self.fresh - len(live) - len(self.free)
        found = [Finding(f"slot {slot} is live, but was never issued", slot,
                         self.pool.tag + 4 * slot)
                 for slot in range(self.fresh + 1, self.capacity + 1)
                 if self.tags[slot] >= LIVE]
        if self.counts and len(live) != self.live:
            found.append(Finding(f"{len(live)} slots are live, {self.live} are"
                                 " counted", 0, self.pool.tag))
        found += self._wrong_tags() if self.coded else []
        found += self._wrong_sum() if not found else []
        if lost:
            gone = set(range(1, self.fresh + 1)) - set(live) - set(self.free)
            text = "is neither live nor on the free list"
            found += [Finding(f"slot {slot} {text}", slot, self.address(slot))
                      for slot in sorted(gone)]
        return found

    def _wrong_tags(self):
        """Each is a word of the code."""
        return [Finding(f"the tag of slot {slot} was written over: {tag:#010x}", slot,
                        self.pool.tag + 4 * slot)
                for slot, tag in enumerate(self.tags)
                if slot > 0 and issues(tag) is None]

    def _wrong_sum(self):
        """Of its generations, modulo 2^16 - 1: rows with tags at every level keep it
        from poison up, the others for audits."""
        if self.level < (POISONS if self.pool.tagged else AUDITED):
            return []
        total = sum(tag % LIVE for tag in self.tags[1:])
        noted = self.state.generations
        if (total - noted) % 0xFFFF == 0:
            return []
        return [Finding("a generation was written over, or their sum:"
                        f" {total % 0xFFFF}, and {noted} was kept", 0,
                        self.state.base)]

    def _wrong_ring(self):
        """It leads once round the live slots, both ways. Each leads back to the one
        before, so that it comes back to 0 or is broken. What is pinned is a ring of its
        own."""
        ring = self.memory.structs("tp_age_link", self.pool.age, self.capacity + 1)
        at, seen = 0, set()
        while True:
            newer = ring[at].newer
            if newer > self.capacity or ring[newer].older != at:
                return [Finding(f"the age ring is broken behind slot {at}", at,
                                ring[at].base)]
            if newer and not self.is_live(newer) and self.tags:
                return [Finding(f"slot {newer} is in the age ring, but not live", newer,
                                ring[newer].base)]
            at = newer
            seen.add(at)
            if at == 0:
                break
        return [Finding(f"slot {slot} is live, but not in the age ring", slot,
                        ring[slot].base)
                for slot in self.live_slots() if self.tags and slot not in seen
                and not ring[slot].newer == ring[slot].older == slot]

    def _wrong_bytes(self, slot):
        """What its level keeps in dead slots and between all of them."""
        begin, found = self.address(slot), []
        if self.level >= POISONS and slot in self.free:
            first = begin if self.outside else begin + 4
            found += self._differs(first, begin + self.size, POISON,
                                   f"slot {slot}, which is dead, was written to", slot)
        if self.level >= FULL:
            found += self._differs(begin + self.size, begin + self.size + self.zone,
                                   RED, f"the red zone behind slot {slot} was written"
                                   " to", slot)
        if self.level >= FULL and slot == 1:
            end = begin - self.lead
            found += self._differs(end - self.zone, end, RED,
                                   "the red zone before slot 1 was written to", slot)
        return found

    def _differs(self, begin, end, pattern, text, slot):
        other = self.memory.first_other(begin, end, pattern)
        if not other:
            return []
        place, word = other
        byte = place - self.address(slot) + self.lead
        return [Finding(f"{text} at byte {byte}: {word:#010x}", slot, place)]
