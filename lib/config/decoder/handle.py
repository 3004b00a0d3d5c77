# SPDX-License-Identifier: MIT
"""What a handle refers to: its pool is named by its type, NAME_handle_t."""

from . import Unreadable
from .pool import LIVE

WIDE = 64  # Bits: of a slot 16, above them its whole tag.


def handle_in_words(firmware, type_name, bits, width=32):
    """'slot 3 of sounds, live', or what else it is."""
    if bits == 0:
        return "none"
    name = type_name[:-len("_handle_t")]
    entry = firmware.called(name)
    pool = entry.it.pool()
    if not pool:
        raise Unreadable(f"{name} is no pool")
    low = 16 if width == WIDE else pool.pool.handle_bits
    slot, tag = bits & (1 << low) - 1, bits >> low
    if not 1 <= slot <= pool.capacity:
        return f"none of {name}'s"
    mask = 0xFFFFFFFF if width == WIDE else 0xFFFFFFFF >> low
    now = pool.tags[slot] if slot <= pool.fresh else 0
    is_held = now >= LIVE and (now ^ tag) & mask == 0
    return f"slot {slot} of {name}, {'live' if is_held else 'stale'}"
