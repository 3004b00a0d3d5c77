# SPDX-License-Identifier: MIT
"""What an ELF file says of itself, so that one that cannot be soaked is refused
before QEMU waits for it: whose code it is, for which core, with telemetry or not.
"""

import re
import struct
import sys
from pathlib import Path

from .boards import BOARDS
from .errors import CannotRun
from .options import CHECKS

RELOCATABLE, ARM = 1, 40  # e_type and e_machine.
SYMBOLS, ATTRIBUTES = 2, 0x70000003  # Types of sections.
MACHINES = {3: "x86", 62: "x86-64", 183: "64-bit Arm", 243: "RISC-V", 94: "Xtensa"}
CPU_ARCH, PROFILE = 6, 7  # Tags; the numbers of the first, and what each core runs:
NAMES = {10: "Armv7-M", 11: "Armv6-M", 12: "Armv6S-M", 13: "Armv7E-M",
         16: "Armv8-M Baseline", 17: "Armv8-M Mainline", 21: "Armv8.1-M"}
_V6 = {11, 12}
_V7 = _V6 | {10}
RUNS = {"m0": _V6, "m0plus": _V6, "m1": _V6, "m3": _V7, "m4": _V7 | {13},
        "m7": _V7 | {13}, "m23": _V6 | {16}, "m33": _V7 | {13, 16, 17},
        "m55": set(NAMES), "m85": set(NAMES)}
# A symbol of every image that has telemetry, LTO or not.
TELEMETRY = re.compile(rb"\0tp_(soak|record)_")
# What a compiler has an application call at its loads and stores.
ASKS = re.compile(rb"\0__asan_(load|store)(\d+|N)_noabort\0")
# What the library defines for its own level: lib/check/tp_alike.h.
LEVEL = re.compile(rb"\0tidepool_ERROR_CHECKS_([0-3])_AUDIT_\d_here_not_in_the_library"
                   rb"\0")
TEXTS = {4, 5}  # Attributes that hold a text, as all odd ones above 32 do.


def refuse_what_cannot_be_soaked(path, board):
    """Raises CannotRun if the board cannot run the file, or not be told by it."""
    try:
        with open(path, "rb") as file:
            _refuse(path, file.read(), board)
    except OSError as trouble:
        raise CannotRun(f"{path}: {trouble.strerror}.") from None
    except (struct.error, IndexError, ValueError):
        raise CannotRun(f"{path} is cut short or damaged: it does not hold the"
                        " sections that its header tells of.") from None


def refuse_what_is_no_program_here(path):
    """Raises CannotRun if this machine, which runs Python, cannot run the file."""
    heads = []
    for name in (path, sys.executable):
        with open(name, "rb") as file:
            head = file.read(20)
            heads.append((head[4:6], head[18:20]))
    if heads[0] != heads[1]:
        raise CannotRun(f"{path} is no program of this machine: build it with its"
                        " own compiler, as qemu/README.md tells.")


def level_of(path):
    """The level that its library was built for; "" if the file does not say."""
    try:
        found = LEVEL.search(Path(path).read_bytes())
    except OSError:  # That it cannot be read is said later.
        found = None
    return CHECKS[int(found[1])] if found else ""


def refuse_without_sanitizer(path):
    """Raises CannotRun if the application was compiled without it, as far as the
    file says: one that was stripped does not."""
    data = Path(path).read_bytes()
    if TELEMETRY.search(data) and not ASKS.search(data):
        raise CannotRun(f"{path} was built without TIDEPOOL_SANITIZE: nothing in it"
                        " asks at its loads and stores; build it with"
                        " -DTIDEPOOL_SANITIZE=ON, or leave out --sanitize.")


def _refuse(path, data, board):
    kind, machine = struct.unpack_from(">2H" if data[5] == 2 else "<2H", data, 16)
    if machine != ARM or data[4:6] != b"\1\1":
        name = MACHINES.get(machine, f"machine {machine} of the ELF list")
        raise CannotRun(f"{path} is a program for"
                        f" {name if machine != ARM else 'big-endian Arm'}, not for a"
                        f" Cortex-M; build it for {board}.")
    if kind == RELOCATABLE:
        raise CannotRun(f"{path} is an object file, not yet linked; say the firmware"
                        " that it is a part of.")
    sections = _sections(data)
    tags = _attributes(data, sections)
    if not _runs(board, tags):
        name = NAMES.get(tags.get(CPU_ARCH)) if _is_m(tags) else ""
        raise CannotRun(f"{path} was built for {name or 'an Arm that is no Cortex-M'},"
                        f" which the {BOARDS[board].core} of"
                        f" {board} does not run; build it for that core, or say another"
                        " --board.")
    names = [data[sections[link][1]:][:sections[link][2]]
             for kind, _, _, link in sections if kind == SYMBOLS]
    if names and not any(map(TELEMETRY.search, names)):
        raise CannotRun(f"{path} has no telemetry: nothing in it calls"
                        " tp_soak_begin(); build it with -DTIDEPOOL_SOAK=ON, as"
                        " qemu/telemetry/tp_soak.h tells.")


def _runs(board, tags):
    """Whether its core does. What nobody knows of a core or a file may be so."""
    core = BOARDS[board].core.replace("cortex-", "")
    if CPU_ARCH not in tags or core not in RUNS:
        return _is_m(tags)
    return _is_m(tags) and tags[CPU_ARCH] in RUNS[core]


def _is_m(tags):
    return chr(tags.get(PROFILE, 0)) not in "AR"


def _sections(data):
    """[(type, offset, bytes, the section of its names)]"""
    table, = struct.unpack_from("<I", data, 32)
    step, count = struct.unpack_from("<2H", data, 46)
    heads = [struct.unpack_from("<7I", data, table + step * n) for n in range(count)]
    return [(head[1], *head[4:7]) for head in heads]


def _attributes(data, sections):
    """{tag: number} of the file's attributes, as far as those wanted here."""
    for kind, offset, size, _ in sections:
        if kind == ATTRIBUTES:
            # A version, then "aeabi": length, name, 1 for the file, length.
            end = data.index(b"\0", offset + 5)
            return _numbers(data[end + 6:offset + size])
    return {}


def _numbers(data):
    at, numbers = 0, {}
    while at < len(data) and PROFILE not in numbers:
        tag, at = _number(data, at)
        if tag in TEXTS or tag > 32 and tag % 2:
            at = data.index(b"\0", at) + 1
        else:
            numbers[tag], at = _number(data, at)
    return numbers


def _number(data, at):
    """One of seven bits a byte, and what comes after it."""
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            return value, at
