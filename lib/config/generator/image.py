# SPDX-License-Identifier: MIT
"""Image: tp_registry as an ELF file has it, what each allocator became there."""

import collections
import struct

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
