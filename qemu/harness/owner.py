# SPDX-License-Identifier: MIT
"""Whose a foreign pointer is: the record of its fault names the pool that was
called, the firmware's symbols tell which pool's memory the pointer leads to."""

from .elf_tools import told_by


def owners(elf, pools, addresses):
    """Address -> 'slot 3 of pool clients', of those that lie in a pool."""
    storages = _storages(elf) if addresses else {}
    found = {}
    for pool in pools:
        begin, size = storages.get(f"{pool.name}_storage", (0, 0))
        if pool.stride < 4:
            continue
        slots = begin + size - pool.capacity * pool.stride  # Behind a red zone.
        for address in addresses:
            if begin <= address < begin + size:
                slot = max(0, (address - slots) // pool.stride) + 1
                found[address] = f"slot {slot} of {pool.title}"
    return found


def _storages(elf):
    """Symbol -> (address, bytes)."""
    rows = map(str.split, told_by("arm-none-eabi-nm", "-S", elf).splitlines())
    return {row[3]: (int(row[0], 16), int(row[1], 16))
            for row in rows if len(row) == 4}
