# SPDX-License-Identifier: MIT
"""What a Cortex-M knows of a fault of its own, read where its handler begins."""

import contextlib

from .gdb_remote import Gone
from .progress import EXCEPTIONS, name_of

VTOR, CFSR, HFSR, MMFAR, BFAR = (0xE000ED08, 0xE000ED28, 0xE000ED2C, 0xE000ED34,
                                 0xE000ED38)
FAULTS = (2, 3, 4, 5, 6)
VECTORS = 64
STACKED = ("r0", "r1", "r2", "r3", "r12", "lr", "pc", "xpsr")
# Of the CFSR, by bit.
FLAGS = {0: "IACCVIOL", 1: "DACCVIOL", 3: "MUNSTKERR", 4: "MSTKERR", 5: "MLSPERR",
         7: "MMARVALID", 8: "IBUSERR", 9: "PRECISERR", 10: "IMPRECISERR",
         11: "UNSTKERR", 12: "STKERR", 13: "LSPERR", 15: "BFARVALID",
         16: "UNDEFINSTR", 17: "INVSTATE", 18: "INVPC", 19: "NOCP",
         24: "UNALIGNED", 25: "DIVBYZERO"}
PROCESS_STACK = 4  # In EXC_RETURN: what was stacked is not on this stack.


def handlers(gdb):
    """Address -> the exceptions that it handles, by number."""
    table = gdb.word(VTOR)
    found = {}
    for number in range(2, VECTORS):
        found.setdefault(gdb.word(table + 4 * number) & ~1, []).append(number)
    return found


def handler_of(gdb, moment):
    """Of the exception that the processor was in then; 0 of none, and once QEMU has
    ended."""
    number = moment.registers[16] & 511
    with contextlib.suppress(Gone):
        return gdb.word(gdb.word(VTOR) + 4 * number) & ~1 if number else 0
    return 0


def fault_handlers(gdb):
    return [address for address, numbers in handlers(gdb).items()
            if address and set(numbers) & set(FAULTS)]


def cpu_fault(gdb, moment):
    """What is known of the fault whose handler begins at `moment`, by name;
    None if it is no fault's."""
    number = moment.registers[16] & 511
    if number not in EXCEPTIONS:
        return None
    status = gdb.word(CFSR)
    known = {"exception": name_of(number), "CFSR": status, "HFSR": gdb.word(HFSR),
             "flags": [name for bit, name in FLAGS.items() if status >> bit & 1]}
    if "BFARVALID" in known["flags"]:
        known["BFAR"] = gdb.word(BFAR)
    if "MMARVALID" in known["flags"]:
        known["MMFAR"] = gdb.word(MMFAR)
    return dict(known, registers=_registers(moment))


def _registers(moment):
    """As they were when it happened."""
    kept = {f"r{number}": moment.registers[number] for number in range(4, 12)}
    if moment.registers[14] & PROCESS_STACK:
        return kept
    if len(moment.stack) < 4 * len(STACKED):  # It is where no memory is.
        return {**kept, "sp": moment.registers[13]}
    words = [int.from_bytes(moment.stack[at:at + 4], "little")
             for at in range(0, 4 * len(STACKED), 4)]
    stacked = dict(zip(STACKED, words))
    return {**{name: stacked[name] for name in STACKED[:4]}, **kept,
            **{name: stacked[name] for name in STACKED[4:]}}


def interrupts_in(path, table):
    """The exceptions that a path of instructions entered, the last of them
    last: by the addresses of their handlers."""
    return [_name_at(table[address]) for address in path if address in table]


def _name_at(numbers):
    return name_of(numbers[0]) if len(numbers) == 1 else "an unexpected one"
