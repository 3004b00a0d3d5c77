# SPDX-License-Identifier: MIT
"""What the linker put where in RAM, read off the firmware itself."""

import re
from typing import NamedTuple

from .elf_tools import told_by

PARTS_SHOWN = 12
ARENA = ".tp_arena_"
_SECTION = re.compile(r" *\d+ (\S+)" + 3 * r" +([0-9a-f]{8})" + r" .*\n +(.*)")
_SYMBOL = re.compile(r"^[0-9a-f]{8} ......[OF] (\S+)\t([0-9a-f]{8}) (?:\.hidden )?"
                     r"(\S+)$", re.M)


class Section(NamedTuple):
    bank: str  # "" for what lies in no bank.
    section: str
    address: int
    bytes: int
    parts: list  # (name, bytes), the largest first; the rest is the last.


def ram_map(elf):
    """The sections of RAM by address; none of what is no ELF file."""
    text = told_by("arm-none-eabi-objdump", "-h", "-t", elf)
    return sorted(_sections(text), key=lambda one: one.address)


def _sections(text):
    """Code is of RAM if it is loaded elsewhere, and copied there."""
    for name, size, address, loaded, flags in _SECTION.findall(text):
        if "ALLOC" in flags and int(size, 16) and (
                "READONLY" not in flags or loaded != address):
            yield Section(name[len(ARENA):] if name.startswith(ARENA) else "",
                          name, int(address, 16), int(size, 16),
                          _parts(text, name, int(size, 16)))


def _parts(text, section, size):
    objects = [(_plain(name), int(length, 16)) for home, length, name
               in _SYMBOL.findall(text) if home == section and int(length, 16)]
    objects.sort(key=lambda part: (-part[1], part[0]))
    shown = objects[:PARTS_SHOWN]
    rest = size - sum(length for _, length in shown)
    return shown + ([("the rest", rest)] if rest > 0 else [])


def _plain(symbol):
    """'particles_storage' -> 'particles'; 'live.0' -> 'live'."""
    name = symbol.split(".")[0]
    return name[:-len("_storage")] if name.endswith("_storage") else name
