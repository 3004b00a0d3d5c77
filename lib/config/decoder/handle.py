# SPDX-License-Identifier: MIT
"""What a handle refers to: its pool is named by its type, NAME_handle_t."""

from . import Unreadable
from .pool import LIVE, Pool

WIDE = 64  # Bits: of a slot 16, above them its whole tag.


def handle_in_words(firmware, type_name, bits, width=32):
    """'slot 3 of sounds, live', or what else it is."""
    if bits == 0:
        return "none"
    name = where = type_name[:-len("_handle_t")]
    entry = firmware.called(name)
    pool = entry.it.pool()
    if not pool:
        return moving_in_words(firmware, entry, bits)
    low = 16 if width == WIDE else pool.pool.handle_bits
    slot, tag = bits & (1 << low) - 1, bits >> low
    is_own = True
    if slot > pool.capacity:
        slot -= pool.capacity
        where, pool, is_own = lent(firmware, pool, slot)
    if not pool or not 1 <= slot <= pool.capacity:
        return f"none of {name}'s"
    mask = 0xFFFFFFFF if width == WIDE else 0xFFFFFFFF >> low
    now = pool.tags[slot] if slot <= pool.fresh else 0
    is_held = is_own and now >= LIVE and (now ^ tag) & mask == 0
    return f"slot {slot} of {where}, {'live' if is_held else 'stale'}"


def moving_in_words(firmware, entry, bits):
    """The same of what moves its objects."""
    if entry.kind not in ("dense", "reloc"):
        raise Unreadable(f"{entry.name} has no handles")
    slot, now = entry.it.handle_like(bits & 0xFFFFFFFF)
    if not slot:
        return f"none of {entry.name}'s"
    wraps = wraps_of(firmware, entry.name, slot)
    is_held = now == bits & 0xFFFFFFFF and wraps == bits >> 32
    return f"slot {slot} of {entry.name}, {'live' if is_held else 'stale'}"


def wraps_of(firmware, name, slot):
    """How often a generation of a dense pool with handles of 64 bits has wrapped:
    allocator/tp_dense64.h."""
    memory, step = firmware.memory, firmware.elf.pointer_bytes
    address = firmware.elf.address_of(f"{name}_dense64")
    if not address:
        return 0
    wraps, = memory.pointers(address + step, 1)
    return memory.numbers(wraps + 2 * slot, 1, 2)[0]


def lent(firmware, borrower, slot):
    """(name, pool) of who lends to it, and whether it has that slot now: the numbers
    above its own are such, lib/object/tp_lent.h. No pool: nobody does."""
    spill = spill_of(firmware, borrower.pool.policy)
    if not spill or not spill.into:
        return "", None, False
    memory = firmware.memory
    chunk = memory.struct("tp_chunk", spill.into)
    lender = Pool(memory, chunk.pool, firmware.level)
    step = firmware.elf.pointer_bytes
    is_own = slot <= lender.capacity and chunk.owner and \
        memory.pointers(chunk.owner + slot * step, 1)[0] == spill.state
    return memory.text(lender.pool.name), lender, is_own


def spill_of(firmware, policy):
    """It as a struct tp_spill, or None."""
    overflow = policy and firmware.memory.struct("tp_policy", policy).overflow
    is_spill = overflow and \
        firmware.elf.function_at(overflow & ~1).split(".")[0] == "tp_spill_overflow"
    return firmware.memory.struct("tp_spill", policy) if is_spill else None
