# SPDX-License-Identifier: MIT
"""An ELF core of a Cortex-M, which GDB makes a backtrace of."""

import struct

PT_LOAD, PT_NOTE, NT_PRSTATUS = 1, 4, 1
ET_CORE, EM_ARM, EABI5 = 4, 40, 0x5000000
HEADER, SEGMENT = struct.Struct("<16sHHIIIIIHHHHHH"), struct.Struct("<8I")


def elf_core(registers, address, memory):
    """r0 to r15 and xPSR, and what `memory` holds from `address` on."""
    # As Linux would write it: its processes are all that GDB knows cores of.
    status = struct.pack("<72x18I4x", *registers, 0)
    note = struct.pack("<III8s", 5, len(status), NT_PRSTATUS, b"CORE") + status
    at = HEADER.size + 2 * SEGMENT.size
    return b"".join((
        HEADER.pack(b"\x7fELF\1\1\1", ET_CORE, EM_ARM, 1, 0, HEADER.size, 0,
                    EABI5, HEADER.size, SEGMENT.size, 2, 0, 0, 0),
        SEGMENT.pack(PT_NOTE, at, 0, 0, len(note), 0, 0, 4),
        SEGMENT.pack(PT_LOAD, at + len(note), address, address, len(memory),
                     len(memory), 6, 4),
        note, memory))
