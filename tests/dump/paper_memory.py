# SPDX-License-Identifier: MIT
"""Memory of a firmware made word by word, for what no firmware comes to by itself."""

import struct
import sys
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib/config"))
from decoder.layout import layouts  # noqa: E402
from decoder.memory import Memory  # noqa: E402

LAYOUTS = layouts(4)
FORMS = {1: "B", 2: "H", 4: "I"}


class Paper:
    """Structs of C and numbers at addresses; what is not named of them is 0."""

    def __init__(self, symbols=()):
        self.symbols, self.pieces = dict(symbols), {}

    def struct(self, address, name, /, **values):
        self.pieces[address] = packed(name, values)

    def structs(self, address, name, *rows):
        self.pieces[address] = b"".join(packed(name, values) for values in rows)

    def numbers(self, address, *numbers, size=4):
        self.pieces[address] = struct.pack(f"<{len(numbers)}{FORMS[size]}", *numbers)

    def fill(self, begin, end, word):
        self.numbers(begin, *[word] * ((end - begin) // 4))

    def memory(self):
        elf = SimpleNamespace(pointer_bytes=4, constant=lambda *_: b"",
                              address_of=self.symbols.get)
        return Memory(elf, self.pieces)


def packed(name, values):
    layout, data = LAYOUTS[name], bytearray(LAYOUTS[name].size)
    for key, value in values.items():
        field = layout.fields[key]
        for number, one in enumerate(value if field.is_array else [value]):
            at = field.offset + number * field.size
            data[at:at + field.size] = packed(field.struct, one) if field.struct \
                else one.to_bytes(field.size, "little")
    return bytes(data)
