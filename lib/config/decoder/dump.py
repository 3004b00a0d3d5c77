# SPDX-License-Identifier: MIT
"""The verbs `dump`, `history` and `core` of tidepool.py: files in, text or an ELF core
out.

They end with 0 where nothing is wrong, with 1 where something is, and with 2 where
the files, or a part of what was asked for, could not be read.
"""

import re
import struct

from . import Unreadable, report
from .core import elf_core, in_order, registers_of
from .elf import Elf
from .firmware import Firmware
from .history import history, history_if_kept
from .inputs import Dump, read_dump
from .lines import Lines
from .memory import Memory, Missing, joined
from .record import kept_crash
from .waiters import all_waiters

SOUND, WRONG, UNREADABLE = range(3)
RAM_STEP = 4096  # To so many bytes is rounded down where the RAM may begin.


def opened(elf_path, names):
    """The firmware, and the Dump of all files together."""
    elf = read_elf(elf_path)
    whole = Dump({})
    for name in names:
        one = read_file(name, elf)
        whole.pieces = joined([*whole.pieces.items(), *one.pieces.items()])
        whole.registers.update(one.registers)
        whole.warnings += [f"{name}: {text}" for text in one.warnings]
    firmware = Firmware(elf, Memory(elf, whole.pieces))
    firmware.lines = Lines(elf_path, elf)
    return firmware, whole


def read_elf(path):
    try:
        return Elf(contents(path))
    except (ValueError, IndexError, OverflowError, struct.error):
        raise Unreadable(f"{path}: not an ELF file with symbols") from None


def contents(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as problem:
        raise Unreadable(f"{path}: cannot read it: {problem.strerror}") from None


def place_in(name):
    """(path, address) of FILE@ADDRESS; None for the address of a file alone."""
    found = re.match(r"(.+)@(0x[0-9a-fA-F]+)$", name)
    return (found[1], int(found[2], 16)) if found else (name, None)


def path_in(name):
    return place_in(name)[0]


def read_file(name, elf):
    """Of a file, or FILE@ADDRESS."""
    path, base = place_in(name)
    if base is None:
        base = ram_begin(elf)
    try:
        dump = read_dump(contents(path), base)
    except Unreadable as trouble:
        if str(trouble).startswith(f"{path}: "):
            raise
        raise Unreadable(f"{path}: {trouble}") from None
    except struct.error:
        raise Unreadable(f"{path}: it is torn") from None
    end = max((start + len(data) for start, data in dump.pieces.items()), default=0)
    if end > 1 << 8 * elf.pointer_bytes:
        raise Unreadable(f"{path}: it would end at {end:#x}, which is no address that"
                         " the firmware has. FILE@ADDRESS says where raw bytes begin.")
    return dump


def ram_begin(elf):
    variables = elf.variables()
    return variables[0][0] // RAM_STEP * RAM_STEP if variables else 0


def missing(firmware):
    """A sentence of how much of the firmware's variables the dump lacks; or ""."""
    gaps = [gap for begin, end in firmware.elf.variables()
            for gap in gaps_in(firmware.memory, begin, end)]
    if not gaps:
        return ""
    held = ", ".join(f"{start:#010x} to {start + len(data):#010x}" for start, data
                     in sorted(firmware.memory.pieces.items())) or "nothing"
    return (f"it is short: {sum(end - begin for begin, end in gaps)} bytes of the"
            f" firmware's variables are not in it, from {gaps[0][0]:#010x} on; it"
            f" holds {held}. FILE@ADDRESS says where raw bytes begin.")


def gaps_in(memory, begin, end):
    at, gaps = begin, []
    for start in memory.starts:
        stop = start + len(memory.pieces[start])
        if start > at and start < end:
            gaps.append((at, start))
        if stop > at and start < end:
            at = stop
    return gaps + [(at, end)] * (at < end)


def is_other_code(firmware):
    """Whether the dump holds code, and that is not the ELF's."""
    elf = firmware.elf
    for section in elf.allocated(False, is_loaded=True):
        own = elf.at(section.address, section.size)
        for start, data in firmware.memory.pieces.items():
            begin = max(start, section.address)
            end = min(start + len(data), section.address + len(own))
            if begin < end and data[begin - start:end - start] != \
                    own[begin - section.address:end - section.address]:
                return True
    return False


def refuse_foreign(firmware, whole):
    if firmware.is_foreign() or is_other_code(firmware):
        raise Unreadable("\n".join([*whole.warnings, (
            "the dump is not of this ELF: most tables hold what none of this firmware"
            " can, or its code differs. FILE@ADDRESS says where raw bytes begin.")]))


def say_dump(elf_path, names, pool, say):
    """Prints all that is known, or the slots of one pool; the exit code."""
    firmware, whole = opened(elf_path, names)
    refuse_foreign(firmware, whole)
    troubles = list(whole.warnings)
    troubles += filter(None, [missing(firmware)])
    lines, sound = report.check(firmware)
    record = report.fault(firmware)
    if pool:
        say(report.slots(firmware, pool))
    else:
        say(record if record else ["no fault was recorded"] if record is not None else
            ["the fault record is not in the dump"])
        for part in (report.pools(firmware), lines, report.all_slots(firmware),
                     report.all_holders(firmware), all_waiters(firmware),
                     history_if_kept(firmware)):
            say(["", *part] if part else [])
    if troubles:
        raise Unreadable("\n".join(troubles))
    return SOUND if sound and not record else WRONG


def say_history(elf_path, names, pool, slot, say):
    """Prints what happened last, as the firmware kept it; the exit code."""
    firmware, whole = opened(elf_path, names)
    refuse_foreign(firmware, whole)
    say(history(firmware, pool, slot))
    if whole.warnings:
        raise Unreadable("\n".join(whole.warnings))
    return SOUND


def kept(firmware):
    """What a firmware that calls tp_crash_save() knew when it crashed."""
    try:
        return kept_crash(firmware)
    except Missing:
        return {}, {}


def write_core(elf_path, names, out, write, say):
    """Writes {out: bytes}, an ELF core of the files, one of which may be registers;
    the exit code."""
    files = [name for name in names if not name.endswith(".json")]
    firmware, whole = opened(elf_path, files)
    for name in names:
        if name.endswith(".json"):
            whole.registers.update(registers_of(contents(name)))
    pieces = firmware.memory.pieces
    if not whole.registers:
        whole.registers, stack = kept(firmware)
        pieces = joined([*pieces.items(), *stack.items()])
    try:
        core = elf_core(in_order(whole.registers), pieces)
    except struct.error:
        raise Unreadable(f"an ELF core of 32 bits has no room for {len(pieces)} pieces,"
                         f" the last at {max(pieces):#x}") from None
    write({out: core})
    known = "" if {"pc", "r15"} & set(map(str.lower, whole.registers)) else \
        ", without registers: there is no backtrace"
    say([f"wrote {out}{known}; gdb-multiarch {elf_path} {out}"])
    say(filter(None, [missing(firmware)]))
    if whole.warnings:
        raise Unreadable("\n".join(whole.warnings))
    return SOUND
