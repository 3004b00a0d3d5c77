# SPDX-License-Identifier: MIT
"""The fault record in memory, lib/tidepool.h, at its end; and what tp_crash_save()
kept with it, lib/check/tp_crash.h."""

import zlib

from .core import REGISTERS
from .memory import Missing

MAGIC, CRASH_MAGIC = 0x7E11A1E5, 0x7E11DEAD
CRASH_HEAD = 12  # Bytes of a struct tp_crash that its checksum is not of.
# By number, as lib/check/tp_check.c calls them.
NAMES = ("none", "foreign", "interior", "double-free", "link", "tag", "poison",
         "red-zone", "full", "kind 9", "invariant", "handle-pool", "order", "mark",
         "size", "large", "child", "pin", "lock", "scene", "retain", "in-use", "chunk",
         "closed", "dead", "beside", "metadata", "null-page", "unlocked", "context",
         "guard", "unwritten", "lent", "device")
# Of these, [found] stood in memory; of the others both are numbers of the call's.
DAMAGE = ("link", "tag", "poison", "red-zone", "retain")
# Of these, [found] was asked for, of so many that [expected] says.
ASKED = ("full", "large", "foreign")
# Of these, [found] is how many bytes were accessed, and [expected] whether written.
ACCESS = ("dead", "beside", "metadata", "null-page", "unlocked", "unwritten", "device")
EXECUTES = 1  # What a guard found, port/mpu/tp_mpu.h; else it was a load or store.


def fault_record(firmware):
    """The struct, if there was a fault; else None."""
    places = firmware.elf.symbols.get("tp_fault_record")
    if not places:
        return None
    record = firmware.memory.struct("tp_fault_record", places[0].address)
    return record if record.magic == MAGIC else None


def kept_crash(firmware):
    """({register: value}, {address: stack}) that the firmware kept when it crashed;
    ({}, {}) if it kept nothing, or that does not agree with its checksum."""
    places = firmware.elf.symbols.get("tp_crash")
    crash = firmware.memory.struct("tp_crash", places[0].address) if places else None
    if not crash or crash.magic != CRASH_MAGIC or crash.bytes != places[0].size:
        return {}, {}
    summed = firmware.memory.read(crash.base + CRASH_HEAD, crash.bytes - CRASH_HEAD)
    if zlib.crc32(summed) != crash.checksum:
        return {}, {}
    size = firmware.memory.layouts["tp_crash"].size
    stack = firmware.memory.read(crash.base + size, 4 * crash.words)
    return dict(zip(REGISTERS, crash.registers)), {crash.bottom: stack}


def kind_name(number):
    return NAMES[number] if number < len(NAMES) else f"kind {number}"


def text_or_none(memory, address):
    try:
        return memory.text(address) if address else None
    except Missing:
        return None


def offset_in_words(offset):
    """', 4 bytes on', and of a negative one how many before; nothing for 0."""
    if offset >> 31:
        return f", {(1 << 32) - offset} bytes before"
    return f", {offset} bytes on" if offset else ""


def numbers_in_words(kind, found, expected):
    """Of a kind whose are a call's."""
    if kind == "full":
        return f"{found} were asked for, where {expected} fit"
    if kind == "large":
        return f"{found} were asked for, where no more than {expected} ever fit"
    if kind == "foreign":
        return f"index {found} was asked for, of {expected}"
    return f"found is {found:#x}, expected {expected:#x}"


def in_words(firmware, record):
    """What it says, less who did it: a line or two."""
    name = text_or_none(firmware.memory, record.name) or "?"
    where = f", slot {record.slot}" if record.slot else ""
    lines = [f"fault: {kind_name(record.kind)} of {name}{where}, in frame"
             f" {record.frame}"]
    beside = offset_in_words(record.offset)
    at = f"at {record.address:#010x}{beside}" if record.address else "nowhere"
    if kind_name(record.kind) == "guard":
        executes = record.found == EXECUTES and not record.expected
        what = "to execute" if executes else "to read or write"
        lines.append(f"  at {record.address:#010x}{beside}: refused {what}")
        if record.expected:  # A dead slot: port/mpu/tp_mpu_sample.h.
            lines += [f"  issued by {firmware.lines.caller(record.found)}",
                      f"  freed by {firmware.lines.caller(record.expected)}"]
    elif kind_name(record.kind) in ACCESS:
        access = "write" if record.expected else "read"
        lines.append(f"  at {record.address:#010x}{beside}: a {access} of"
                     f" {record.found} bytes")
    elif kind_name(record.kind) in DAMAGE:
        lines.append(f"  {at}: {record.found:#010x} stood there, not"
                     f" {record.expected:#010x}")
    elif record.found or record.expected:
        numbers = numbers_in_words(kind_name(record.kind), record.found,
                                   record.expected)
        is_asked = kind_name(record.kind) in ASKED or not record.address
        lines.append(f"  {numbers}" if is_asked else f"  {at}: {numbers}")
    elif record.address:
        lines.append(f"  {at}")
    return lines
