# SPDX-License-Identifier: MIT
"""The kinds of allocators in memory, as lib/allocator/tp_kinds.c sees them."""

from .kind import Kind, Slot
from .moving import Arena, Dense, Relocating
from .pool import (AUDITED, FAST, POISON, POISONS, Figures, Finding, Pool,
                   counts_refusals, figures_of)

SEAL_OF_NONE = 0x5ea1ed00  # FIRST of core/tp_seal.c.


class PoolKind(Kind):
    STRUCT = "tp_pool"

    def __init__(self, memory, address, level):
        super().__init__(memory, address, level)
        self._pool = Pool(memory, address, level)

    def pool(self):
        return self._pool

    def slots(self):
        pool = self.pool()
        return [Slot(slot, pool.address(slot) - pool.lead, pool.is_live(slot),
                     pool.issued(slot))
                for slot in range(1, pool.fresh + 1)] if pool else []

    def figures(self):
        return self.pool().figures()

    def wrong(self):
        return self.pool().wrong()

    def memory_range(self):
        return self.pool().memory_range()

    def is_impossible(self):
        return self.pool().is_impossible()


class Chunk(PoolKind):
    """While its memory is released nothing of that could be read."""
    STRUCT = "tp_chunk"

    def __init__(self, memory, address, level):
        Kind.__init__(self, memory, address, level)
        state = memory.struct("tp_chunk_state", self.it.state)
        self._pool = Pool(memory, self.it.pool, level) if state.phase == 0 else None

    def figures(self):
        """Its counts lie beside its memory, and last."""
        if self._pool:
            return self._pool.figures()
        it = self.memory.struct("tp_pool", self.it.pool)
        state = self.memory.struct("tp_pool_state", it.state)
        return figures_of(state, 0, 0, min(state.fresh, it.capacity),
                          is_counted=counts_refusals(it, self.level))

    def wrong(self):
        return self._pool.wrong() if self._pool else []

    def memory_range(self):
        return self._pool.memory_range() if self._pool else (0, 0)

    def is_impossible(self):
        return bool(self._pool) and self._pool.is_impossible()


def peak_of(bump):
    """Bytes: at full the lowest bit is no part of it (tp_region.h)."""
    return bump.peak & ~1


def is_odd(number):
    """1 if as many bits of it are set; else 0."""
    return bin(number).count("1") % 2


class Stack(Kind):
    STRUCT = "tp_stack"

    def region(self):
        return self.it.region

    def bumps(self):
        return [self.memory.struct("tp_stack_state", self.it.state).bump]

    def figures(self):
        bumps = self.bumps()
        peak = sum(peak_of(bump) for bump in bumps)
        return Figures(self.region().bytes, sum(bump.used for bump in bumps),
                       min(self.region().bytes, peak),
                       sum(bump.refused for bump in bumps))

    def wrong(self):
        most = self.region().bytes
        found = self.wrong_bumps()
        used, first = sum(bump.used for bump in self.bumps()), self.bumps()[0]
        if not found and used > most:
            return [Finding(f"{used} bytes of {most} are used", 0, first.base)]
        return found or self.wrong_bytes()

    def wrong_bumps(self):
        most = self.region().bytes
        return [Finding(f"{bump.used} bytes are used, {peak_of(bump)} at most, of"
                        f" {most}", 0, bump.base) for bump in self.bumps()
                if not bump.used <= peak_of(bump) <= most or bump.used % 4] or [
            Finding(f"{bump.used} bytes are used, which bit 0 of the peak is not of", 0,
                    bump.base) for bump in self.bumps()
            if self.level >= AUDITED and is_odd(bump.used) != bump.peak % 2]

    def dead(self):
        """Of the bytes that are nobody's those that somebody had: (first, behind)."""
        return [(bump.used, peak_of(bump)) for bump in self.bumps()]

    def wrong_bytes(self):
        if self.level < POISONS:
            return []
        storage = self.region().storage
        for begin, end in self.dead():
            other = self.memory.first_other(storage + begin, storage + end, POISON)
            if other:
                place, word = other
                return [Finding(f"byte {place - storage}, which was given back, was"
                                f" written to: {word:#010x}", 0, place)]
        return []

    def memory_range(self):
        return self.region().storage, self.region().bytes


class DoubleStack(Stack):
    STRUCT = "tp_dstack"

    def bumps(self):
        return self.memory.struct("tp_dstack_state", self.it.state).bump

    def dead(self):
        (low, high), most = self.bumps(), self.region().bytes
        begin, end = low.used, most - high.used
        lowest = most - peak_of(high)
        return [(begin, min(peak_of(low), end)), (max(lowest, begin), end)]


class Nest(DoubleStack):
    STRUCT = "tp_nest"

    def region(self):
        return self.it.dstack.region

    def bumps(self):
        return self.memory.struct("tp_dstack_state", self.it.dstack.state).bump

    def memory_range(self):
        return 0, 0


class Frame(Stack):
    STRUCT = "tp_frame"

    def __init__(self, memory, address, level):
        super().__init__(memory, address, level)
        self.current = memory.struct("tp_frame_state", self.it.state).current

    def bumps(self):
        return self.memory.structs("tp_bump", self.it.bump, self.it.buffers)

    def figures(self):
        bumps = self.bumps()
        live = bumps[self.current].used if self.current < len(bumps) else 0
        return Figures(self.region().bytes, live, max(map(peak_of, bumps), default=0),
                       sum(bump.refused for bump in bumps))

    def wrong(self):
        if self.current >= self.it.buffers:
            return [Finding(f"no buffer is number {self.current}", 0, self.it.state)]
        return self.wrong_bumps() or self.wrong_bytes()

    def dead(self):
        most = self.region().bytes
        return [(most * number + used, most * number + peak)
                for number, (used, peak) in enumerate(super().dead())]

    def memory_range(self):
        begin, size = super().memory_range()
        return begin, size * self.it.buffers


class Blocks(Kind):
    STRUCT = "tp_blocks"

    def __init__(self, memory, address, level):
        super().__init__(memory, address, level)
        self.classes = memory.structs("tp_blocks_class", self.it.classes, self.it.count)
        self.pools = [Pool(memory, one.pool, level) for one in self.classes]

    def figures(self):
        seen = [(pool.size, pool.figures()) for pool in self.pools]
        last = seen[-1:] if self.it.bigger else seen
        return Figures(*(sum(size * each[i] for size, each in seen) for i in range(3)),
                       sum(each.refused for _, each in last))

    def wrong(self):
        """Each class is a pool with an entry of its own, which tells of it."""
        wasted = [self.memory.struct("tp_blocks_waste", one.waste).now
                  for one in self.classes]
        total = self.memory.struct("tp_blocks_waste", self.it.waste)
        found = [finding for number in range(len(self.pools))
                 for finding in self._wrong_class(number, wasted[number])]
        if sum(wasted) != total.now:
            found.append(Finding(f"{total.now} bytes are counted as wasted, of the"
                                 f" classes {sum(wasted)}", 0, total.base))
        return found

    def _wrong_class(self, number, wasted):
        """Where nobody keeps tags, nobody counts what is wasted."""
        pool, one = self.pools[number], self.classes[number]
        if not pool.tagged:
            return []
        asked = self.memory.numbers(one.asked, pool.capacity + 1, 2)
        strange = [slot for slot in range(1, pool.capacity + 1)
                   if pool.is_live(slot) != bool(asked[slot])]
        if strange:
            return [Finding(f"of block {strange[0]} of {pool.size}, which is"
                            f" {'live' if pool.is_live(strange[0]) else 'dead'},"
                            f" {asked[strange[0]]} bytes were asked for", 0,
                            one.asked + 2 * strange[0])]
        spare = sum(pool.size - asked[slot] for slot in pool.live_slots())
        return [] if spare == wasted else [
            Finding(f"{wasted} bytes of blocks of {pool.size} are counted as wasted, it"
                    f" is {spare}", 0, one.asked)]


class Scenes(Kind):
    STRUCT = "tp_scenes"

    def __init__(self, memory, address, level):
        super().__init__(memory, address, level)
        self.state = memory.struct("tp_scene_state", self.it.state)

    def figures(self):
        entered = self.state.entered
        live = self._bytes(entered - 1) if not self.is_impossible() and entered else 0
        return Figures(self.it.bytes, live, self.state.peak, self.state.refused)

    def is_impossible(self):
        return self.state.entered > self.it.scene_count \
            or self.state.peak > self.it.bytes

    def wrong(self):
        if self.is_impossible():
            return [Finding(f"there is no scene {self.state.entered}, or it is too"
                            " large", 0, self.state.base)]
        return [Finding("the descriptor of "
                        f"{self.memory.text(part.name)} was written over", 0,
                        part.allocator)
                for part in self.parts() if part.seal and self._is_broken(part.seal)]

    def parts(self):
        return self.memory.structs("tp_scene_part", self.it.parts, self.it.part_count)

    def _is_broken(self, address):
        """Not while scenes write it, or before it was ever compared; at off it is
        never."""
        if self.level < FAST:
            return False
        seal = self.memory.struct("tp_seal", address)
        word, = self.memory.numbers(seal.word, 1)
        made = SEAL_OF_NONE
        for one in self.memory.numbers(seal.descriptor, seal.count):
            made ^= one
        return word not in (0, 1, made)

    def _bytes(self, scene):
        align, total = self.it.align, 0
        for part in self.parts():
            amount = self.memory.numbers(part.amounts, scene + 1)[scene]
            size = self._part_bytes(part, amount) if amount else 0
            total += -(-size // align) * align
        return total

    def _part_bytes(self, part, amount):
        """What [amount] of it takes: of slots, of objects or of bytes."""
        kind = next((kind for kind in ("pool", "dense", "frame") if part.kind
                     == self.memory.elf.address_of(f"tp_scene_{kind}")), "")
        it = self.memory.struct(f"tp_{kind}", part.allocator) if kind else None
        if kind == "pool":
            return it.zone + amount * it.stride
        if kind == "dense":
            return amount * it.stride
        return amount * (it.buffers if kind == "frame" else 1)


# By the name of its tp_NAME_kind.
KINDS = {"pool": PoolKind, "chunk": Chunk, "stack": Stack, "dstack": DoubleStack,
         "frame": Frame, "nest": Nest, "blocks": Blocks, "dense": Dense,
         "reloc": Relocating, "arena": Arena, "scenes": Scenes}
