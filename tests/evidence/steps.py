# SPDX-License-Identifier: MIT
"""What the library does to the words of a pool, an instruction at a time, as QEMU
executes it: each load and store, and what masks and claims.

A step is a line, as calls.pml prints it: "load list.top 2", "store link 1 is 1:2"."""

import re
import tempfile
from pathlib import Path
from typing import NamedTuple

from support import ToolFailed, build, emulator, tool

BOARD = "mps2_an385"
SLOTS, SLOT_BYTES, CALLS = 2, 16, 11
RAM, STACK = 0x20000000, 0x203f0000
PRIORITY = 0x40  # BASEPRI's value of priority 1.
FRESH, OVERFLOWS = 0, 4  # Of struct tp_pool_state.
BYTES = "bytes"  # Of a slot that is on no list: whoever has it fills them.
NAMES = [f"r{number}" for number in range(13)] + ["sp", "lr", "pc"]
NAMES[9:13] = ["r9", "sl", "fp", "ip"]
ACCESS = re.compile(r"(ldr|str)(ex|h|b|d)?(?:\.w|\.n)? (\w+), (?:(\w+), )?"
                    r"\[(\w+)(?:, (#-?\d+|\w+)(?:, lsl #(\d))?)?\](?:, #-?\d+)?$")
MASKING = {"mrs PRIMASK": "read primask", "cpsid i": "cpsid",
           "msr PRIMASK": "write primask", "mrs BASEPRI": "read basepri",
           "msr BASEPRI": "write basepri", "msr BASEPRI_MAX": "write basepri_max"}


class NotUnderstood(Exception):
    """A sentence: an instruction that this does not read."""


class State(NamedTuple):
    """Where the core is, and its registers before it goes on."""
    address: int
    registers: dict


def image(level):
    return build(BOARD, level, "steps", kind="small",
                 TIDEPOOL_OPTIMISE="-Os") / "steps.elf"


def of_calls(pool, level="fast"):
    """The steps of each call that steps.c makes of [pool], in order. At poison dead
    bytes are filled, links too before they are one: there they are left out."""
    elf = image(level)
    words, code = words_of(elf, pool), disassembled(elf)
    if level == "poison":
        start = symbols(elf)[f"{pool}_storage"]
        words.update(dict.fromkeys(range(start, start + SLOTS * SLOT_BYTES), BYTES))
    return checked(pool, [in_call(call, code, words) for call in calls(elf, pool)])


def in_call(call, code, words):
    return [line for now, then in zip(call, call[1:])
            for line in steps(code[now.address], now, then, words)]


def checked(pool, found):
    if len(found) != CALLS:
        raise ToolFailed(f"{len(found)} calls of {pool}, not those of steps.c")
    return found


def disassembled(elf):
    """address -> instruction, without what objdump remarks."""
    found = re.findall(r"^\s*([0-9a-f]+):\t[0-9a-f ]+\t(.*)",
                       tool("arm-none-eabi-objdump", "-d", elf), re.M)
    return {int(address, 16): re.sub(r"\s*[@;].*", "", text).replace("\t", " ")
            for address, text in found}


def symbols(elf):
    lines = tool("arm-none-eabi-nm", elf).splitlines()
    return {words[-1]: int(words[0], 16) for words in map(str.split, lines)
            if len(words) == 3}


def words_of(elf, pool):
    """address -> what the model calls the word there."""
    at = symbols(elf)
    tag, storage, state = [at[f"{pool}_{name}"]
                           for name in ("tag", "storage", "state")]
    words = {tag: "list", tag + 2: "list.live", state + FRESH: "fresh",
             state + OVERFLOWS: "overflows"}
    for slot in range(1, SLOTS + 1):
        words[tag + 4 * slot] = f"tag {slot} is"
        words[storage + SLOT_BYTES * (slot - 1)] = f"link {slot} is"
    return words


def calls(elf, pool):
    """The states of each call, to the end of it or to its fault."""
    at, found, call = symbols(elf), [], None
    for state in executed(elf, pool):
        if state.address == at["step_begin"]:
            call = []
        elif call is not None:
            call.append(state)
        if call and state.address in (at["step_end"], at["tp_raise_free"]):
            found.append(call)
            call = None
    return found


def executed(elf, pool):
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        tool(*emulator(BOARD, elf, "-singlestep", "-d", "exec,cpu,nochain", "-D",
                       log, arguments=(pool,)))
        text = log.read_text()
    last = None
    for one in text.split("Trace ")[1:]:
        registers = [int(value, 16) for value in
                     re.findall(r"R\d\d=([0-9a-f]{8})", one)]
        state = State(registers[15], dict(zip(NAMES, registers)))
        if state != last:  # What could not begin is told again when it does.
            yield state
        last = state


def steps(text, now, then, words):
    """The line of an instruction, if it touches a word or a mask."""
    masking = re.match(r"(mrs|msr|cpsid) ?(?:(\w+), )?(\w+)", text)
    if masking:
        yield masked(*masking.groups(), now.registers)
    elif re.match(r"(ldm|stm|push|pop|ldrd|strd|ldr\w*|str\w*)\b", text):
        yield from touched(text, now, then, words)


def masked(verb, to, of, registers):
    name = MASKING[f"{verb} {to if verb == 'msr' else of}"]
    if verb == "msr" and "primask" not in name:
        return f"{name} {registers[of] // PRIORITY}"
    return f"{name} {registers[of] & 1}" if verb == "msr" else name


def touched(text, now, then, words):
    if re.match(r"(push|pop|ldmia\.w sp!|stmdb sp!)", text):
        return  # The stack.
    found = ACCESS.match(text)
    if not found:
        raise NotUnderstood(f"a load or store that is not read here: {text}")
    verb, kind, first, second, base, index, shift = found.groups()
    address = now.registers[base] + offset(index, shift, now.registers)
    if base == "pc" or address < RAM or address >= STACK:
        return
    name = words.get(address)
    if name == BYTES:
        return
    if name is None or kind == "d":
        raise NotUnderstood(f"{text} touches {address:#x}, no word of a pool")
    value = then.registers[first] if verb == "ldr" else \
        now.registers[second or first]
    verb = {"ldr": "load", "str": "store"}[verb] if kind != "ex" else verb + kind
    yield f"{verb} {shown(name, kind == 'h', value)}"


def offset(index, shift, registers):
    if not index:
        return 0
    if index.startswith("#"):
        return int(index[1:])
    return registers[index] << int(shift or 0)


def shown(word, is_half, value):
    """Its name and what it holds, of a tag whether it is live."""
    if word == "overflows":
        return word
    if word.startswith("tag"):
        return f"{word} {value >> 31}"
    if is_half:
        return f"{word + '.top' * (word == 'list')} {value & 0xffff}"
    return f"{word} {value >> 16}:{value & 0xffff}"
