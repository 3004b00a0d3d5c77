# SPDX-License-Identifier: MIT
"""An ELF core of a Cortex-M, which GDB makes a backtrace of."""

import json
import struct

from . import Unreadable
from .memory import joined

PT_LOAD, PT_NOTE, NT_PRSTATUS = 1, 4, 1
ET_CORE, EM_ARM, EABI5 = 4, 40, 0x5000000
HEADER, SEGMENT = struct.Struct("<16sHHIIIIIHHHHHH"), struct.Struct("<8I")
THUMB = 1 << 24  # Of xPSR.
SP, LINE = 13, 64  # LINE: bytes of GDB's cache of stacks.
# r0 to r15 and xPSR, and other names of some.
REGISTERS = [f"r{number}" for number in range(16)] + ["xpsr"]
ALSO = {"sp": "r13", "lr": "r14", "pc": "r15", "psr": "xpsr", "cpsr": "xpsr"}


def elf_core(registers, pieces):
    """r0 to r15 and xPSR, and what [pieces] hold, {address: bytes}."""
    pieces = from_a_line(registers[SP], pieces)
    # As Linux would write it: its processes are all that GDB knows cores of.
    status = struct.pack("<72x18I4x", *registers, 0)
    note = struct.pack("<III8s", 5, len(status), NT_PRSTATUS, b"CORE") + status
    count = 1 + len(pieces)
    at = HEADER.size + count * SEGMENT.size
    heads = [SEGMENT.pack(PT_NOTE, at, 0, 0, len(note), 0, 0, 4)]
    at += len(note)
    for address, data in pieces.items():
        heads.append(SEGMENT.pack(PT_LOAD, at, address, address, len(data), len(data),
                                  6, 4))
        at += len(data)
    head = HEADER.pack(b"\x7fELF\1\1\1", ET_CORE, EM_ARM, 1, 0, HEADER.size, 0, EABI5,
                       HEADER.size, SEGMENT.size, count, 0, 0, 0)
    return b"".join((head, *heads, note, *pieces.values()))


def from_a_line(stack, pieces):
    """The same with 0 for what is not known of some bytes below the stack, where
    nothing is. If a line of GDB's cache begins in no piece but in a variable, as the
    stacks of tasks are, it takes all of the line to be 0."""
    is_there = any(at <= stack < at + len(data) for at, data in pieces.items())
    below = stack % LINE * is_there
    return joined([(stack - below, bytes(below)), *pieces.items()])


def in_order(named):
    """The 17 of them; what is not named is 0."""
    known = {ALSO.get(name.lower(), name.lower()): value
             for name, value in named.items()}
    known.setdefault("xpsr", THUMB)
    return [known.get(name, 0) & 0xFFFFFFFF for name in REGISTERS]


def registers_of(text):
    """{name: value} of a JSON file: numbers, or text as C writes them."""
    try:
        told = json.loads(text)
        found = {name: int(value, 0) if isinstance(value, str) else int(value)
                 for name, value in told.items()}
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise Unreadable('registers are {"r0": 1, ..., "sp": "0x20001000", "pc": ...}'
                         ) from None
    known = [*REGISTERS, *ALSO]
    strange = [name for name in found if name.lower() not in known]
    if strange:
        raise Unreadable(f"there is no register {strange[0]!r}")
    return found
