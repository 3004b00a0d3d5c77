# SPDX-License-Identifier: MIT
"""Image: the data of an ELF file by name, and its tp_registry: what each allocator
became there."""

import collections
import re
import struct

from .toml import Trouble


class Elf:
    """The data symbols of an ELF file of either size and byte order.

    {name: [(address, bytes, section, loaded)]}; a name counts up to its first dot,
    since compilers number what is local to a file, and as it was before C++ mangled it.
    """

    NOBITS, ALLOC = 8, 2

    def __init__(self, data):
        self.data = data
        self.symbols = collections.defaultdict(list)
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
            if 0 < home < len(self.sections) or home == 0xFFF1:
                self.add(self.text(strings + name).split(".")[0], value, size, home)

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

    def text_at(self, address):
        return self.at(address, 256).split(b"\0")[0].decode("ascii", "replace")

    def text(self, offset):
        return self.data[offset: self.data.index(b"\0", offset)].decode("ascii",
                                                                        "replace")


ElfSection = collections.namedtuple("ElfSection",
                                    "name kind flags address offset size link")
Symbol = collections.namedtuple("Symbol", "address size section empty content")


def read_elf(path):
    try:
        with open(path, "rb") as file:
            elf = Elf(file.read())
            elf.registry = registry_in(elf)
            return elf
    except OSError as problem:
        raise Trouble(f"{path}: error: cannot read it: {problem.strerror}")
    except (ValueError, IndexError, OverflowError, struct.error):
        raise Trouble(f"{path}: error: not an ELF file with symbols")


# What a struct tp_entry says.
Entry = collections.namedtuple("Entry", "name most bytes stride")
POINTERS = 5  # With which it begins: name, kind, allocator, policy, bank.


class Registry:
    """The [entries] by name, and the [config] hash of the table they were made of."""

    def __init__(self, entries, config):
        self.entries = {entry.name: entry for entry in entries}
        self.config = config


def registry_in(elf):
    """That of the image; None if nothing in it reads it, for then it is not linked."""
    form = elf.order + ("QII" if elf.wide else "III")
    found = [symbol.content for symbol in elf.symbols.get("tp_registry", ())
             if symbol.size == struct.calcsize(form)]  # And no file of that name.
    if not found:
        return None
    listed, count, config = struct.unpack(form, found[0])
    pointers = elf.at(listed, count * elf.pointer_bytes)
    one = elf.order + ("Q" if elf.wide else "I")
    return Registry([entry_at(elf, *pointer)
                     for pointer in struct.iter_unpack(one, pointers)], config)


def entry_at(elf, address):
    """Its struct: pointers, the most, the bytes, a halfword of stride."""
    form = elf.order + ("5Q" if elf.wide else "5I") + "IIH"
    fields = struct.unpack(form, elf.at(address, struct.calcsize(form)))
    return Entry(elf.text_at(fields[0]), *fields[POINTERS:])
