# SPDX-License-Identifier: MIT
"""The pools of a firmware, in GDB: `source port/gdb/tidepool_gdb.py`, then

    tp pools                       every allocator: live, peak, capacity, refused
    tp slots POOL [--live|--dead]  each slot: where it lies, how often issued, to whom
    tp who ADDRESS                 which allocator and slot it lies in, how far into it
    tp check                       whether each allocator agrees with itself
    tp holders POOL                which lines of the application hold the live slots
    tp waiters POOL                which wait for one, who is served next first
    tp history [POOL [SLOT]]       the last calls that issued a slot or took one back
    tp fault                       what the fault record says

of a board, a gdbstub or a core file; and `print` tells of each allocator and handle
what it holds, of a policy whose it is. It calls nothing in the target and needs no
debug information, but for lines. lib/config/decoder, which `tidepool.py dump` asks the
same, does the work.
"""

import os
import re
import sys

import gdb

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "lib", "config"))
sys.dont_write_bytecode = True
from decoder import Unreadable, report  # noqa: E402
from decoder.elf import Elf  # noqa: E402
from decoder.firmware import NAMED, Firmware  # noqa: E402
from decoder.handle import handle_in_words  # noqa: E402
from decoder.history import history  # noqa: E402
from decoder.inputs import core_pieces  # noqa: E402
from decoder.lines import Lines  # noqa: E402
from decoder.memory import Memory, Missing  # noqa: E402
from decoder.waiters import waiters  # noqa: E402


class Target(Memory):
    """What GDB reads, but for what is constant."""

    def __init__(self, elf):
        super().__init__(elf, {})

    def variable(self, address, size):
        try:
            return gdb.selected_inferior().read_memory(address, size).tobytes()
        except gdb.MemoryError:
            raise Missing(address) from None


def memory_of(elf):
    """Of a core what it holds alone: GDB reads zeroes where the ELF has a variable
    that the core has not."""
    core = re.search(r"core dump file:\s+`(.*)', file type",
                     gdb.execute("info files", to_string=True))
    if not core:
        return Target(elf)
    with open(core[1], "rb") as file:
        return Memory(elf, core_pieces(file.read()))


opened = {}  # (path, time of its last change): (Elf, Lines)


def elf_of_target():
    path = gdb.current_progspace().filename
    if not path:
        raise Unreadable("there is no program: `file` opens the firmware's ELF")
    key = path, os.stat(path).st_mtime
    if key not in opened:
        with open(path, "rb") as file:
            elf = Elf(file.read())
        opened.clear()
        opened[key] = elf, Lines(path, elf)
    return opened[key]


def firmware():
    if not gdb.selected_inferior().pid:
        raise Unreadable("there is no target: `target remote` one, or open a"
                         " `core-file`")
    elf, lines = elf_of_target()
    found = Firmware(elf, memory_of(elf))
    found.lines = lines
    return found


# What has an address in place of a value.
PLACES = (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_STRUCT,
          gdb.TYPE_CODE_UNION)


def what_is(words):
    """What an expression is: of an object or an array, where it lies."""
    try:
        value = gdb.parse_and_eval(words)
        if value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            value = value.referenced_value()
        code = value.type.strip_typedefs().code
        if code == gdb.TYPE_CODE_ERROR:
            raise gdb.error(f"nothing tells the type of {words}: &{words} is where it"
                            " lies")
        if code in PLACES and value.address is not None:
            value = value.address
        found = int(value)
    except gdb.error as trouble:
        raise gdb.GdbError(str(trouble)) from None
    return found % 2**32 if found < 0 else found  # As a cast to int has made it.


class Prefix(gdb.Command):
    """The pools of the firmware: tp pools, slots, who, check, holders, waiters,
    history and fault."""

    def __init__(self):
        super().__init__("tp", gdb.COMMAND_DATA, prefix=True)


class Command(gdb.Command):
    LEAST = MOST = 0  # Words behind it.

    def __init__(self):
        super().__init__(f"tp {type(self).__name__.lower()}", gdb.COMMAND_DATA)

    def invoke(self, argument, _):
        words = gdb.string_to_argv(argument)
        if not self.LEAST <= len(words) <= self.MOST:
            raise gdb.GdbError(self.__doc__)
        try:
            print("\n".join(self.lines(*words)))
        except Unreadable as trouble:
            raise gdb.GdbError(str(trouble)) from None


class Pools(Command):
    """tp pools: every allocator: live, peak, capacity, refused."""

    def lines(self):
        return report.pools(firmware())


class Slots(Command):
    """tp slots POOL [--live|--dead]: each slot of a pool that was ever issued."""
    LEAST, MOST = 1, 2

    def lines(self, name, which="--all"):
        if which not in ("--all", "--live", "--dead"):
            raise gdb.GdbError(self.__doc__)
        return report.slots(firmware(), name, which[2:])


class Who(Command):
    """tp who ADDRESS: which allocator it lies in, which slot, how far into it."""
    LEAST, MOST = 1, 99

    def lines(self, *words):
        return report.who(firmware(), what_is(" ".join(words)))


class Check(Command):
    """tp check: whether each allocator's metadata agrees with itself."""

    def lines(self):
        return report.check(firmware())[0]


class Holders(Command):
    """tp holders POOL: which lines of the application hold its live slots."""
    LEAST = MOST = 1

    def lines(self, name):
        return report.holders(firmware(), name)


class Waiters(Command):
    """tp waiters POOL: which lines of the application wait for a slot."""
    LEAST = MOST = 1

    def lines(self, name):
        return waiters(firmware(), name)


class History(Command):
    """tp history [POOL [SLOT]]: the last events of a build with TIDEPOOL_EVENTS."""
    MOST = 2

    def lines(self, name="", slot="0"):
        return history(firmware(), name, what_is(slot))


class Fault(Command):
    """tp fault: what the fault record says."""

    def lines(self):
        told = report.fault(firmware())
        return ["the fault record cannot be read"] if told is None else \
            told or ["no fault was recorded"]


class Printer:
    """Of an allocator: what it holds, then its fields."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            told = firmware()
            entry = told.entry_at(int(self.value.address))
            figures = entry.figures
            return f"{entry.name}: {figures.live} of {figures.capacity} {entry.unit}"
        except (Unreadable, AttributeError, TypeError):
            return ""  # None of the list: a copy, or a child.

    def children(self):
        return ((field.name, self.value[field]) for field in self.value.type.fields())


class HandlePrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        bits, name = int(self.value["bits"]), self.value.type.name
        width = 8 * self.value["bits"].type.sizeof
        try:
            return f"{bits:#010x}: {handle_in_words(firmware(), name, bits, width)}"
        except Unreadable:
            return f"{bits:#010x}"


class PolicyPrinter(Printer):
    """What the pools that have it do when they are full; then its functions."""

    def to_string(self):
        try:
            return policy_in_words(firmware(), int(self.value.address))
        except Unreadable:
            return ""


def policy_in_words(told, address):
    pools = [(entry, entry.it.pool()) for entry in told.entries if entry.it]
    has_it = [entry for entry, it in pools if it and it.pool.policy == address]
    words = {entry.policy for entry in has_it} - {"-"}
    names = ", ".join(entry.name for entry in has_it)
    return f"{'/'.join(sorted(words)) or 'policy'} of {names or 'no pool'}"


def printer_of(value):
    kind = value.type.strip_typedefs()
    if kind.tag == "tp_policy" and value.address:
        return PolicyPrinter(value)
    if (value.type.name or "").endswith("_handle_t") and \
            kind.code == gdb.TYPE_CODE_STRUCT:
        return HandlePrinter(value)
    return Printer(value) if kind.tag in STRUCTS and value.address else None


STRUCTS = {*NAMED.values(), "tp_chunk", "tp_scenes"}
gdb.pretty_printers.append(printer_of)
Prefix()
for command in (Pools, Slots, Who, Check, Holders, Waiters, History, Fault):
    command()
