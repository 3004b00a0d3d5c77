# SPDX-License-Identifier: MIT
"""A component viewer on paper: what port/cmsis-pack/Tidepool.scvd asks of a firmware,
read from an ELF and a dump of its RAM, and the lines that a debugger would show.

Its expressions are those of C; without conditional ones they are Python's but for a
few signs. Everything is read by the offsets and sizes that the file itself states.
"""

import re
import textwrap
import types
import xml.etree.ElementTree as xml

BYTES = {"uint8_t": 1, "uint16_t": 2, "uint32_t": 4}
SPECIFIER = re.compile(r"%([NuxES])\[((?:[^][]|\[[^][]*\])*)\]")


class Found(list):
    """What a readlist collected."""
    _count = property(len)


class Viewer:
    def __init__(self, path, firmware):
        self.tree = xml.parse(path).getroot()
        self.memory, self.elf = firmware.memory, firmware.elf
        self.typedefs = {one.get("name"): one for one in self.tree.iter("typedef")}

    def show(self, name):
        """The lines of an object: (depth, property, value)."""
        self.names = {"__Symbol_exists": lambda symbol: symbol in self.elf.symbols,
                      "__FindSymbol": self.elf.address_of,
                      "__Offset_of": self.offset_of}
        self.lines = []
        it, = (one for one in self.tree.iter("object") if one.get("name") == name)
        self.run(it, 0)
        return self.lines

    def offset_of(self, path):
        name, member = path.split(":")
        return int(self.typedefs[name].find(f"member[@name='{member}']").get("offset"))

    def value(self, text):
        return eval(python(text), self.names)

    def run(self, parent, depth):
        for one in parent:
            if self.value(one.get("cond", "1")):
                getattr(self, f"do_{one.tag}")(one, depth)

    def do_var(self, one, _):
        self.names[one.get("name")] = self.value(one.get("value"))

    def do_calc(self, one, _):
        exec(python(textwrap.dedent(one.text)), self.names)

    def do_read(self, one, _):
        address = self.elf.address_of(one.get("symbol"))
        self.names[one.get("name")] = self.read(one.get("type"), address)

    def do_readlist(self, one, _):
        typedef, address = one.get("type"), self.value(one.get("offset"))
        count = self.value(one.get("count", "1"))
        step = int(self.typedefs[typedef].get("size"))
        places = self.memory.numbers(address, count) if one.get("based") else \
            [address + step * number for number in range(count)]
        self.names[one.get("name")] = Found(self.read(typedef, at) for at in places)

    def read(self, typedef, address):
        """The struct that lies there, all of it, by its members."""
        it = types.SimpleNamespace(typedef=typedef)
        described = self.typedefs[typedef]
        read = self.memory.read(address, int(described.get("size")))
        for member in described.findall("member"):
            begin = int(member.get("offset"))
            size = int(member.get("size", BYTES[member.get("type")]))
            number = int.from_bytes(read[begin:begin + size], "little")
            setattr(it, member.get("name"), number)
        for var in described.findall("var"):
            setattr(it, var.get("name"), self.value(var.get("value")))
        return it

    def do_list(self, one, depth):
        for number in range(self.value(one.get("start")), self.value(one.get("limit"))):
            self.names[one.get("name")] = number
            self.run(one, depth)

    def do_out(self, one, depth):
        self.run(one, depth)

    def do_item(self, one, depth):
        prints = [form for form in one.findall("print")
                  if self.value(form.get("cond"))]
        shown = prints[0] if prints else one
        self.lines.append((depth, *(SPECIFIER.sub(self.in_words, shown.get(name, ""))
                                    for name in ("property", "value"))))
        self.run(one, depth + 1)

    def do_print(self, one, _):
        """The item that it is of has printed it."""

    def in_words(self, found):
        specifier, text = found.groups()
        number = self.value(text)
        if specifier == "N":
            return self.memory.text(number)
        if specifier == "E":
            return self.enumerator(*text.rsplit(".", 1), number)
        if specifier == "S":
            return self.elf.function_at(number)
        return f"{number:#010x}" if specifier == "x" else str(number)

    def enumerator(self, struct, member, number):
        described = self.typedefs[self.value(struct).typedef]
        return described.find(f"member[@name='{member}']/enum[@value='{number}']"
                              ).get("name")


def python(text):
    text = re.sub(r"__Offset_of\((\w+:\w+)\)", r'__Offset_of("\1")', text)
    return text.replace("&&", " and ").replace("||", " or ").replace(";", "")
