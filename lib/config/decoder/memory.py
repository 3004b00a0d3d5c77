# SPDX-License-Identifier: MIT
"""Memory: the bytes of a firmware as they were, and structs of C in it."""

import bisect
import struct

from . import Unreadable
from .layout import layouts

TEXT = 255  # Bytes that a name has at most.


class Missing(Unreadable):
    """Nobody knows what stands there."""

    def __init__(self, address):
        super().__init__(f"{address:#010x} is not in the dump")
        self.address = address


class Memory:
    """What of the ELF is constant; and what [pieces] of a dump hold, {address: bytes}.
    """

    def __init__(self, elf, pieces):
        self.elf, self.pieces = elf, joined(pieces.items())
        self.starts = sorted(self.pieces)
        self.layouts = layouts(elf.pointer_bytes)

    def read(self, address, size):
        found = self.elf.constant(address, size)
        return found if len(found) == size else self.variable(address, size)

    def variable(self, address, size):
        at = bisect.bisect_right(self.starts, address) - 1
        if at >= 0:
            start = self.starts[at]
            piece = self.pieces[start][address - start:address - start + size]
            if len(piece) == size:
                return piece
            address += len(piece)
        raise Missing(address)

    def numbers(self, address, count, size=4):
        form = f"<{count}{ {1: 'B', 2: 'H', 4: 'I', 8: 'Q'}[size] }"
        return list(struct.unpack(form, self.read(address, count * size)))

    def first_other(self, begin, end, pattern):
        """(address, word) of the first word there that is not [pattern]; or None."""
        words = enumerate(self.numbers(begin, max(0, end - begin) // 4))
        return next(((begin + 4 * number, word) for number, word in words
                     if word != pattern), None)

    def word(self, address):
        return self.numbers(address, 1)[0]

    def pointers(self, address, count):
        return self.numbers(address, count, self.elf.pointer_bytes)

    def text(self, address):
        """Up to its zero, a piece at a time: it may stand last."""
        found = b""
        while b"\0" not in found and len(found) < TEXT:
            found += self.read(address + len(found), 1)
        return found.split(b"\0")[0].decode("ascii", "replace")

    def struct(self, name, address):
        return Struct(self, name, address)

    def structs(self, name, address, count):
        size = self.layouts[name].size
        return [Struct(self, name, address + number * size) for number in range(count)]


def joined(told):
    """{address: bytes} of [(address, bytes)], those that meet made one; of bytes told
    twice the later count."""
    made, starts = {}, []
    for address, data in told:
        at = bisect.bisect_right(starts, address) - 1
        if at < 0 or starts[at] + len(made[starts[at]]) < address:
            at += 1
            starts.insert(at, address)
            made[address] = bytearray()
        piece, begin = made[starts[at]], address - starts[at]
        piece[begin:begin + len(data)] = data
        end = starts[at] + len(piece)
        while at + 1 < len(starts) and starts[at + 1] <= end:
            behind = starts.pop(at + 1)
            piece += made.pop(behind)[end - behind:]
            end = starts[at] + len(piece)
    return {start: bytes(made[start]) for start in starts if made[start]}


class Struct:
    """A struct of C at [base]; its fields are attributes: numbers, structs or lists."""

    def __init__(self, memory, name, address):
        self.base = address
        self._memory, self._layout = memory, memory.layouts[name]
        self._bytes = memory.read(address, self._layout.size)

    def __getattr__(self, name):
        field = self._layout.fields[name]
        values = [self._value(field, number) for number in range(field.count)]
        return values if field.is_array else values[0]

    def _value(self, field, number):
        begin = field.offset + number * field.size
        if field.struct:
            return Struct(self._memory, field.struct, self.base + begin)
        return int.from_bytes(self._bytes[begin:begin + field.size], "little")
