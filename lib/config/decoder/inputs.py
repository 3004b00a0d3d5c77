# SPDX-License-Identifier: MIT
"""The forms of a dump: raw bytes, Intel HEX, S-records, an ELF core, the text that a
crash handler or a debugger printed. Each becomes {address: bytes}."""

import re
import struct

from . import Unreadable
from .memory import joined

RECORD = {b":": re.compile(rb":([0-9A-Fa-f]{2})+\s*$"),
          b"S": re.compile(rb"S\d([0-9A-Fa-f]{2})+\s*$")}
NOISE = 16  # Of so many bytes of a text no more than one is none.
TORN = "line {} is torn: what follows it is not read"
# "20001000: 00 01 02", "0x20001000 <name>:\t0x01020304 0x05", "20001000  01020304",
# "20001000 = 0102 0304".
LINE = re.compile(r"\s*(?:0x)?([0-9A-Fa-f]{8})(?: <(?:.*?>(?=:\s)|[^>]*>))?"
                  r"(?:( ?=)|:|\s)\s*(.*)")
GROUP = re.compile(r"(0x)?([0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{8})(?=\s|$)\s*")
REGISTER = re.compile(r"\b(r\d|r1[0-5]|sp|lr|pc|xpsr|psr)\s*[:=]\s*(?:0x)?"
                      r"([0-9a-f]{8})\b", re.I)


class Dump:
    """[pieces] by address, what went wrong with them, registers by name."""

    def __init__(self, pieces, warnings=(), registers=()):
        self.pieces, self.warnings = pieces, list(warnings)
        self.registers = dict(registers)


def read_dump(data, base):
    """Of the bytes of a file; raw ones lie from [base] on."""
    if not data:
        raise Unreadable("it is empty")
    if data.startswith(b"\x7fELF"):
        return Dump(core_pieces(data))
    first = data.lstrip()[:1]
    if first in RECORD and RECORD[first].match(data.lstrip().split(b"\n")[0]):
        return of_records(data, intel if first == b":" else motorola)
    if is_text(data):
        return of_text(data.decode("ascii", "replace"))
    return Dump({base: data})


def is_text(data):
    """Little of it is none: noise of a line, or letters that ASCII has not."""
    begin = data[:4096]
    other = [byte for byte in begin
             if byte not in b"\t\r\n\x1b" and not 32 <= byte < 127]
    return len(other) * NOISE <= len(begin)


def core_pieces(data):
    """The memory of an ELF core."""
    table, = struct.unpack_from("<I", data, 28)
    step, count = struct.unpack_from("<HH", data, 42)
    pieces = {}
    for number in range(count):
        kind, offset, address, _, size = struct.unpack_from("<5I", data,
                                                            table + number * step)
        if kind == 1:
            pieces[address] = data[offset:offset + size]
    return pieces


def of_records(data, read):
    """A record a line, until one says that it is the last."""
    pieces, state = {}, {"base": 0}
    for number, line in enumerate(data.split(b"\n"), 1):
        try:
            record = bytes.fromhex(line.strip()[read is intel or 2:].decode())
            if line.strip() and read(line.strip(), record, pieces, state):
                return Dump(pieces)
        except (ValueError, IndexError, struct.error):
            return Dump(pieces, [TORN.format(number)])
    return Dump(pieces, ["it ends without its last record: more is missing"])


def intel(_, record, pieces, state):
    """Adds what a record of Intel HEX holds; whether it is the last."""
    size, address, kind = struct.unpack_from(">BHB", record)
    data = record[4:4 + size]
    if sum(record) & 255 or len(record) != size + 5:
        raise ValueError
    if kind == 0:
        pieces[state["base"] + address] = data
    elif kind in (2, 4):
        state["base"] = int.from_bytes(data, "big") << (4 if kind == 2 else 16)
    return kind == 1


def motorola(line, record, pieces, _):
    """The same of an S-record."""
    kind = int(line[1:2])
    if sum(record) & 255 != 255 or record[0] != len(record) - 1:
        raise ValueError
    width = {1: 2, 2: 3, 3: 4}.get(kind)
    if width:
        pieces[int.from_bytes(record[1:1 + width], "big")] = record[1 + width:-1]
    return kind in (7, 8, 9)


def of_text(text):
    """Lines of an address and bytes or words; others are passed by."""
    told = []
    for line in text.splitlines():
        found = LINE.match(line)
        data = group_bytes(found[3], bool(found[2])) if found else b""
        if data:
            told.append((int(found[1], 16), data))
    if not told:
        raise Unreadable("no line of it has an address and what stands there")
    return Dump(joined(told), registers={
        name.lower().replace("psr", "xpsr").replace("xx", "x"): int(value, 16)
        for name, value in REGISTER.findall(text)})


def group_bytes(text, are_words):
    """Groups of two or four digits are bytes in their order, as of xxd; of eight,
    all with 0x, and all behind an =, as of J-Link, words as the processor reads them.
    """
    data, at, width = b"", 0, None
    while found := GROUP.match(text, at):
        value = bytes.fromhex(found[2])
        if width not in (None, len(value)):
            break  # What stands beside it, as characters.
        width, at = len(value), found.end()
        data += value[::-1] if are_words or found[1] or width == 4 else value
    return data
