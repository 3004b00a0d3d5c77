# SPDX-License-Identifier: MIT
"""The fault record in memory: lib/tidepool.h, at its end."""

MAGIC = 0x7E11A1E5
# By number, as lib/check/tp_check.c calls them.
NAMES = ("none", "foreign", "interior", "double-free", "link", "tag", "poison",
         "red-zone", "full", "kind 9", "invariant", "handle-pool", "order", "mark",
         "size", "large", "child", "pin", "lock", "scene", "retain", "in-use", "chunk",
         "closed")


def fault_record(firmware):
    """The struct, if there was a fault; else None."""
    places = firmware.elf.symbols.get("tp_fault_record")
    if not places:
        return None
    record = firmware.memory.struct("tp_fault_record", places[0].address)
    return record if record.magic == MAGIC else None


def kind_name(number):
    return NAMES[number] if number < len(NAMES) else f"kind {number}"


def in_words(firmware, record):
    """What it says, less who did it: a line or two."""
    name = firmware.memory.text(record.name) if record.name else "?"
    where = f", slot {record.slot}" if record.slot else ""
    lines = [f"fault: {kind_name(record.kind)} of {name}{where}, in frame"
             f" {record.frame}"]
    beside = f", {record.offset} bytes on" if record.offset else ""
    at = f"at {record.address:#010x}{beside}" if record.address else "nowhere"
    if record.found or record.expected:
        lines.append(f"  {at}: {record.found:#010x} stood there, not"
                     f" {record.expected:#010x}")
    elif record.address:
        lines.append(f"  {at}")
    return lines
