# SPDX-License-Identifier: MIT
"""A firmware and its memory: tp_registry, or what stands in for it, read once."""

import re

from . import Unreadable
from .kinds import KINDS
from .memory import Missing
from .pool import AUDITED, FULL

# Which the library defines for its own level: lib/check/tp_alike.h.
LEVEL = re.compile(r"tidepool_ERROR_CHECKS_(\d)_AUDIT_(\d)_here_not_in_the_library$")
# Where the name of an allocator stands in its struct, of those an image without a
# list is searched for.
NAMED = {"pool": "tp_pool", "stack": "tp_stack", "dstack": "tp_dstack",
         "frame": "tp_frame", "nest": "tp_nest", "blocks": "tp_blocks",
         "dense": "tp_dense", "reloc": "tp_reloc", "scenes": "tp_scenes"}
FEW = 8  # Words that say too little.
UNITS = {"pool": "slots", "chunk": "slots", "dense": "objects", "reloc": "blocks"}
# What a list calls those that it does not call by their kind.
TITLES = {"chunk": "pool", "dstack": "stack", "reloc": "relocating",
          "arena": "relocating"}


def is_as_large(place, struct, kind):
    """Whether a symbol may be such a struct; that of a nest goes on behind what is
    known of it."""
    return place.size in (struct.size, 0) or kind == "nest" and place.size > struct.size


class Entry:
    """An allocator: a row of tp_registry."""

    def __init__(self, memory, level, kind, name, address):
        self.kind, self.name, self.address = kind, name, address
        self.title, self.unit = kind, UNITS.get(kind, "bytes")
        self.policy = self.bank = "-"
        self.it = self.figures = self.trouble = None
        try:
            it = KINDS[kind](memory, address, level)
            self.it, self.figures = it, it.figures()
        except Missing as missing:
            self.trouble = missing

    def is_impossible(self, elf):
        """Whether its words lead nowhere, or are none that it ever has."""
        if self.it:
            return self.it.is_impossible()
        return not is_memory_of(elf, self.trouble.address)


def is_memory_of(elf, address):
    return any(section.address <= address < section.address + section.size
               for section in elf.allocated(True) + elf.allocated(False))


class Firmware:
    def __init__(self, elf, memory):
        self.elf, self.memory = elf, memory
        levels = [(int(found[1]), int(found[2]))
                  for found in map(LEVEL.match, elf.symbols) if found]
        if not levels:
            raise Unreadable("the ELF is no firmware with this library, or its symbols"
                             " were stripped")
        self.level, audits = levels[0]
        # What more is kept at full, is for audits.
        self.checks = AUDITED if audits and self.level == FULL else self.level
        self.listed = "tp_registry" in elf.symbols
        self.entries = self._listed() if self.listed else self._searched()
        if not self.entries:
            raise Unreadable("the ELF has no allocator")

    def _listed(self):
        registry = self.memory.struct("tp_registry",
                                      self.elf.symbols["tp_registry"][0].address)
        return [self._entry(self.memory.struct("tp_entry", address)) for address in
                self.memory.pointers(registry.entries, registry.count)]

    def _entry(self, row):
        kind = self._kind_of(row.kind)
        made = Entry(self.memory, self.checks, kind, self.memory.text(row.name),
                     row.allocator)
        told = self.memory.struct("tp_kind", row.kind)
        made.title, made.unit = map(self.memory.text, (told.name, told.unit))
        made.policy = self.memory.text(row.policy) if row.policy else "-"
        made.bank = self.memory.text(row.bank) if row.bank else "-"
        return made

    def _kind_of(self, address):
        for kind in KINDS:
            if self.elf.address_of(f"tp_{kind}_kind") == address:
                return kind
        raise Unreadable(f"no kind of allocator is known at {address:#x}: these scripts"
                         " are not of the library's version")

    def _searched(self):
        """NAME_pool and the like, where nothing in the image reads tp_registry. A pool
        that NAME_chunk leads to is told of as that: its memory may be nobody's."""
        made, chunks = [], {it.pool: it.base for it in self.named("_chunk", "tp_chunk")}
        for symbol, places in self.elf.symbols.items():
            name, _, kind = symbol.rpartition("_")
            struct = self.memory.layouts.get(NAMED.get(kind))
            for place in places:
                if struct and name and is_as_large(place, struct, kind) and \
                        self._name_at(kind, place.address) == name:
                    made += self._found(kind, name, place.address, chunks)
        return sorted(made, key=lambda entry: entry.address)

    def _found(self, kind, name, address, chunks):
        """Its entries, as a list has them: of a relocating pool two."""
        pairs = [(kind, name, address)]
        if kind == "reloc":
            pairs.append(("arena", name + "_arena", address))
        if kind == "pool" and address in chunks:
            pairs = [("chunk", name, chunks[address])]
        made = [Entry(self.memory, self.checks, *pair) for pair in pairs]
        for entry in made:
            entry.title = TITLES.get(entry.kind, entry.kind)
        return made

    def _name_at(self, kind, address):
        try:
            it = self.memory.struct(NAMED[kind], address)
            region = kind in ("stack", "dstack", "frame")
            return self.memory.text((it.region if region else it).name)
        except Missing:
            return ""

    def named(self, ending, struct):
        """The structs of the symbols that end like that and are as large."""
        size = self.memory.layouts[struct].size
        for name, places in self.elf.symbols.items():
            for place in places if name.endswith(ending) else ():
                try:
                    if place.size in (size, 0):
                        yield self.memory.struct(struct, place.address)
                except Missing:
                    pass

    def index(self, name):
        names = [entry.name for entry in self.entries]
        if name not in names:
            raise Unreadable(f"there is no allocator called {name!r}; these are:"
                             f" {', '.join(names)}")
        return names.index(name)

    def unchanged(self):
        """Of each word of .data that does not begin as 0 whether it is as it began."""
        same = []
        for section in self.elf.allocated(True, is_loaded=True):
            own = self.elf.at(section.address, section.size)
            for at in range(0, len(own) - 3, 4):
                try:
                    now = self.memory.read(section.address + at, 4)
                except Missing:
                    break
                if any(own[at:at + 4]):
                    same.append(own[at:at + 4] == now)
        return same

    def called(self, name):
        found = self.entries[self.index(name)]
        if found.trouble:
            raise Unreadable(f"{name} cannot be told of: {found.trouble}")
        return found

    def entry_at(self, address):
        """That whose struct, or whose pool's, lies there; None if none does."""
        return next((entry for entry in self.entries if entry.it and (
            entry.address == address or entry.it.pool()
            and entry.it.pool().pool.base == address)), None)

    def row_at(self, address):
        """The same; of the second descriptor of a row with a reserve, too, which is for
        urgent requests: it has the tags of the first."""
        entry = self.entry_at(address)
        if entry:
            return entry
        try:
            tag = self.memory.struct("tp_pool", address).tag
        except Missing:
            return None
        pools = [(one, one.it.pool()) for one in self.entries if one.it]
        return next((one for one, it in pools if it and it.pool.tag == tag), None)

    def holding(self, address):
        """The entries in whose storage it lies."""
        found = []
        for entry in self.entries:
            begin, size = entry.it.memory_range() if entry.it else (0, 0)
            if begin <= address < begin + size:
                found.append(entry)
        return found

    def slot_at(self, address):
        """(the entry, the number) of the slot that begins there; (None, 0) if none
        does. What is constant is enough."""
        for entry in self.entries:
            pool = self._descriptor(entry)
            place, byte = divmod(address - pool.storage, pool.stride or 1) if pool \
                else (0, 1)
            if byte == 0 and 0 <= place < pool.capacity:
                return entry, place + 1
        return None, 0

    def _descriptor(self, entry):
        """Its struct tp_pool; None where there is none, or it is not known."""
        if entry.it:
            return entry.it.pool() and entry.it.pool().pool
        try:
            return self.memory.struct("tp_pool", entry.address) \
                if entry.kind == "pool" else None
        except Missing:
            return None

    def has(self, address):
        """Whether something of the firmware lies there, in the dump or not."""
        return is_memory_of(self.elf, address)

    def findings(self):
        """[(entry, finding)] of all that is wrong, and what cannot be known."""
        found = []
        for entry in self.entries:
            try:
                wrong = entry.it.wrong() if entry.it else ()
                found += [(entry, finding) for finding in wrong]
            except Missing as missing:
                entry.trouble = missing
        return found

    def is_foreign(self):
        """Whether it is the memory of another firmware: of what .data begins with most
        words are others; where that is little, most tables hold what none of this
        firmware does. One wild write does neither."""
        same = self.unchanged()
        if len(same) >= FEW:
            return sum(same) * 2 < len(same)
        seen = [entry.is_impossible(self.elf) for entry in self.entries]
        return sum(seen) * 2 > len(seen)
