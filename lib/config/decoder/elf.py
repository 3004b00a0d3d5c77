# SPDX-License-Identifier: MIT
"""An ELF file: its sections, and the data of it by name or address."""

import collections
import re
import struct


class Elf:
    """The data symbols of an ELF file of either size and byte order.

    {name: [(address, bytes, section, loaded)]}; a name counts up to its first dot,
    since compilers number what is local to a file, and as it was before C++ mangled it.
    """

    NOBITS, WRITE, ALLOC = 8, 1, 2
    FUNCTION, FILE = 2, 4  # Of symbols.

    def __init__(self, data):
        self.data = data
        self.symbols = collections.defaultdict(list)
        self.functions = []  # (address, end, name)
        if not re.match(rb"\x7fELF[\1\2][\1\2]", data):
            raise ValueError
        self.wide = data[4] == 2
        self.order = "<" if data[5] == 1 else ">"
        self.sections = self.read_sections()
        for section in self.sections:
            if section.kind == 2:
                self.read_symbols(section)

    def unpack(self, form, offset):
        return struct.unpack_from(self.order + form, self.data, offset)

    def read_sections(self):
        table, = self.unpack("Q" if self.wide else "I", 40 if self.wide else 32)
        step, count, names = self.unpack("3H", 58 if self.wide else 46)
        form = "IIQQQQII" if self.wide else "8I"
        heads = [self.unpack(form, table + step * n) for n in range(count)]
        self.names_at = heads[names][4]
        return [ElfSection(self.text(self.names_at + head[0]), *head[1:7])
                for head in heads]

    def read_symbols(self, section):
        strings = self.sections[section.link].offset
        step = 24 if self.wide else 16
        for offset in range(section.offset, section.offset + section.size - step + 1,
                            step):
            if self.wide:
                name, info, _, home, value, size = self.unpack("IBBHQQ", offset)
            else:
                name, value, size, info, _, home = self.unpack("IIIBBH", offset)
            if info & 15 == self.FILE:
                continue
            if self.is_in_memory(home) or home == 0xFFF1:
                title = self.text(strings + name)
                self.add(title.split(".")[0], value, size, home)
                if info & 15 == self.FUNCTION:
                    self.functions.append((value & ~1, (value & ~1) + size, title))

    def is_in_memory(self, home):
        """Not of debug information, which has symbols where GCC links with -flto."""
        return 0 < home < len(self.sections) \
            and bool(self.sections[home].flags & self.ALLOC)

    def add(self, name, value, size, home):
        nowhere = ElfSection("", 0, 0, 0, 0, 0, 0)
        where = self.sections[home] if home < len(self.sections) else nowhere
        start = where.offset + value - where.address
        content = self.data[start: start + size] if where.kind != self.NOBITS else b""
        name = re.sub(r"^_ZL\d+", "", name)
        self.symbols[name].append(Symbol(value, size, where.name,
                                         where.kind == self.NOBITS, content))

    @property
    def pointer_bytes(self):
        return 8 if self.wide else 4

    def at(self, address, size):
        """What the image holds there, which is not zeroed memory."""
        for section in self.sections:
            inside = section.address <= address < section.address + section.size
            if inside and section.flags & self.ALLOC and section.kind != self.NOBITS:
                start = section.offset + address - section.address
                return self.data[start: start + size]
        raise ValueError(address)

    def constant(self, address, size):
        """The same, of what no firmware can change; as much of it as there is."""
        for section in self.sections:
            inside = section.address <= address < section.address + section.size
            is_const = section.flags & (self.ALLOC | self.WRITE) == self.ALLOC
            if inside and is_const and section.kind != self.NOBITS:
                begin = address - section.address
                return self.at(address, min(size, section.size - begin))
        return b""

    def function_at(self, address):
        """The name of the function that its instruction is of; "" if none."""
        return next((name for begin, end, name in self.functions
                     if begin <= address < end), "")

    def address_of(self, name):
        """Of a symbol; None if there is none."""
        return self.symbols[name][0].address if name in self.symbols else None

    def allocated(self, is_writable, is_loaded=False):
        """The sections that take memory: what it can change, or what not; or, of
        these, only what does not begin as zeroes."""
        return [section for section in self.sections
                if section.size and section.flags & self.ALLOC
                and bool(section.flags & self.WRITE) == is_writable
                and not (is_loaded and section.kind == self.NOBITS)]

    def variables(self):
        """[(address, end)] of what it can change, in order."""
        return sorted((section.address, section.address + section.size)
                      for section in self.allocated(True))

    def text_at(self, address):
        return self.at(address, 256).split(b"\0")[0].decode("ascii", "replace")

    def text(self, offset):
        return self.data[offset: self.data.index(b"\0", offset)].decode("ascii",
                                                                        "replace")


ElfSection = collections.namedtuple("ElfSection",
                                    "name kind flags address offset size link")
Symbol = collections.namedtuple("Symbol", "address size section empty content")
