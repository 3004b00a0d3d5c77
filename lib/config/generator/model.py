# SPDX-License-Identifier: MIT
"""Read: the tree to rows that know each other; and what a table may hold, in words."""

import collections

from .allocators import (
    Blocks, Dense, Frame, Nest, Relocating, Scene, Scenes, Sleeper, Stack)
from .contexts import Context, rivals
from .dma import widen
from .keys import (
    BANK_KEYS, BLOCK_KEYS, BUILD_KEYS, CONTEXT_KEYS, DENSE_KEYS, FRAME_KEYS, NEST_KEYS,
    POOL_KEYS, RELOCATING_KEYS, STACK_KEYS)
from .page import paragraphs
from .rows import Bank, Build, Pool
from .toml import BROKEN, Node, closest, did_you_mean, error, quote
from .values import (
    BYTES_OR_NONE, IDENTIFIER, KINDS, VERSION, Wrong, slots_by_class, unknown)

# A table of rows: the class of a row, what one is called, its keys, what explain says.
Section = collections.namedtuple("Section", "kind what keys says")

SECTIONS = {
    "build": Section(Build, "build", BUILD_KEYS, "What holds for the whole file."),
    "banks": Section(Bank, "bank", BANK_KEYS,
                     "RAM that the rest may use, one row a bank."),
    "contexts": Section(Context, "context", CONTEXT_KEYS,
                        "Who calls: tasks and interrupts, one row each."),
    "pools": Section(Pool, "pool", POOL_KEYS,
                     "Equal slots, issued and taken back one by one."),
    "stacks": Section(Stack, "stack", STACK_KEYS,
                      "Memory given back in reverse order, to a mark."),
    "frames": Section(Frame, "frame", FRAME_KEYS,
                      "Memory given back all at once, every frame."),
    "blocks": Section(Blocks, "blocks", BLOCK_KEYS,
                      "Requests of any size, served by pools of a few."),
    "relocating": Section(Relocating, "relocating pool", RELOCATING_KEYS,
                          "Blocks of any size that may be moved, held by handle."),
    "dense": Section(Dense, "dense pool", DENSE_KEYS,
                     "Objects side by side, for walking over them."),
    "scenes": Section(Scene, "scene", {},
                      "Slots, objects or bytes of some rows, by name: one row a scene, "
                      "all in the same memory."),
    "nests": Section(Nest, "nest", NEST_KEYS,
                     "Memory that other rows lie in, from both ends."),
}


NO_ROWS = ("build", "banks", "contexts", "scenes")  # Tables that make no calls.


class Config:
    """What pools.toml says, as far as it could be read; the rest is [problems].

    [lost] tells that a whole table may be missing, so that nothing can be said
    about names that are not there.
    """

    included = ()  # The configs of the tables that it includes, and they in turn.

    def __init__(self, parser, lock=None):
        self.tree = parser.parse()
        self.lost = parser.lost
        self.problems = parser.problems
        self.build = None
        self.tables = {name: [] for name in SECTIONS}
        self.scenes, self.sleepers = None, []
        self.read_tables()
        self.build.lock = lock or self.build.lock
        self.banks = {row.name: row for row in self.tables["banks"]}
        self.nests = {row.name: row for row in self.tables["nests"]}
        self.contexts = {row.name: row for row in self.tables["contexts"]}
        self.pools = self.tables["pools"]
        self.learned = {}, None
        self.connect()

    def complain(self, place, text, *hints):
        self.problems.append(error(place, text, *hints))

    def read_tables(self):
        guessed = self.report_unknown(self.tree, ["tidepool"] + list(SECTIONS))
        self.lost = self.lost or bool(guessed)
        self.read_version(self.tree.value.get("tidepool"))
        for name, section in SECTIONS.items():
            node = self.tree.value.get(name)
            if name == "build":
                self.read_build(node or Node({}, self.tree.place), section)
            elif node:
                self.tables[name] = self.read_rows(name, section, node)
        if not self.build.include and not any(
                self.tables[name]
                for name in SECTIONS if name not in ("build", "banks", "contexts")):
            self.require_pools(self.tree.value.get("pools"))

    def require_pools(self, node):
        hint = "one row below [pools] is one pool"
        if node and node.value == {}:
            self.complain(node.name, "there is no pool", hint)
        elif not node and not self.lost:
            self.complain(self.tree.place, '"pools" is missing', hint)

    def read_version(self, node):
        if not node and not self.lost:
            self.complain(self.tree.place, '"tidepool" is missing',
                          f"write tidepool = {VERSION} above the first table")
        known = not node or type(node.value) is int and node.value == VERSION
        if not known and node.value is not BROKEN:
            self.complain(node.place,
                          f"the format of this file must be tidepool = {VERSION}")

    def read_build(self, node, section):
        self.build = section.kind(node)
        self.read_row(self.build, section.keys)

    def read_rows(self, name, section, node):
        if not isinstance(node.value, dict):
            self.refuse_kind(node, f"[{name}]",
                             f"[{name}] above rows of NAME = {{ ... }}")
            self.lost = True
            return []
        rows = [section.kind(name, section.what, *item) for item in node.value.items()]
        for row in rows:
            if section.kind is Scene:
                row.read_counts(self)
            else:
                self.read_row(row, section.keys)
        return rows

    def read_row(self, row, keys):
        """Gives [row] an attribute for each of [keys]."""
        if not isinstance(row.node.value, dict):
            self.refuse_kind(row.node, row.title, row.forms)
            row.node = row.node.emptied()
            row.wrong = set(keys)
        row.wrong |= self.report_unknown(row.node, keys, f" in {row.title}")
        for name, key in keys.items():
            setattr(row, row.attribute(name), self.read_key(row, name, key))
        row.settle()

    def refuse_kind(self, node, title, form):
        if node.value is not BROKEN:
            kind = KINDS[type(node.value)]
            self.complain(node.name, f"{title} must be a table, not {kind}",
                          f"write {form}")

    def report_unknown(self, node, known, where=""):
        """Returns the missing names that the unknown ones were probably meant to be."""
        unknown = {name: child
                   for name, child in node.value.items() if name not in known}
        for name, child in unknown.items():
            what = "key" if where or not isinstance(child.value,
                                                    (dict, list)) else "table"
            self.complain(child.name, f"unknown {what} {quote(name)}{where}",
                          did_you_mean(name, known))
        return {closest(name, known) for name in unknown} - set(node.value) - {None}

    def read_key(self, row, name, key):
        node = row.node.value.get(name)
        if node is None and (name in row.wrong or not key.needed
                             or set(key.unless) & set(row.node.value)):
            return key.default
        if node and node.value is not BROKEN:
            try:
                return key.read(node)
            except Wrong as wrong:
                place = wrong.place or node.place
                self.complain(place, f"{row.title}: {name} {wrong}", *wrong.hints)
        elif not node and not row.wrong.intersection(key.unless):
            self.complain(row.place(), f"{row.title}: {name} is missing", key.needed)
        row.wrong.add(name)
        return key.default

    def inherit(self, row, key):
        """What [build] says for all rows, where this one does not say it."""
        if key not in row.node.value:
            setattr(row, key, getattr(self.build, key))
            row.wrong |= self.build.wrong & {key}

    def connect(self):
        """Gives rows the default alignment, nests their rows, banks their tenants."""
        for row in self.tables["pools"] + self.tables["dense"]:
            self.inherit(row, "align")
        for pool in self.tables["pools"]:
            self.inherit(pool, "owner")
            self.inherit(pool, "lock")
        for row in self.rows():
            row.library = self.build.name
            row.nest = self.nests.get(row.nest, row.nest)
            names = dict.fromkeys([*row.allocates, *row.waits, *row.frees])
            found = [self.contexts[name] for name in names if name in self.contexts]
            row.named = [one for one in found
                         if one.urgency is not None and one.knows("interrupt", "core")]
        for pool in self.pools:
            widen(pool, self)
        for nest in self.nests.values():
            nest.rows = [tenant for row in self.rows() if row.nest is nest
                         for tenant in row.tenants() if tenant.ARENA]
        self.connect_scenes(self.tables["scenes"])
        self.connect_sleepers()
        self.connect_spills()
        for pool in self.pools:
            pool.isr = pool.isr or "isr" not in pool.node.value and bool(
                rivals(pool.users))
        for bank in self.banks.values():
            for pool in self.pools:
                lies_here = pool.lies_in == bank.name
                kept = bank.retained or pool.metadata_in == "bank"
                pool.retained = pool.retained or kept and lies_here
            bank.residents = [tenant
                              for tenant in self.tenants()
                              if tenant.lies_in == bank.name]

    def connect_spills(self):
        """Who spills into whom, in one pass however many pools there are."""
        named, borrowers = {}, {}
        for pool in self.pools:
            named.setdefault(pool.name, []).append(pool)
            for name in {pool.spill, *(pool.chunks or [])}:
                borrowers.setdefault(name, []).append(pool)
        for pool in self.pools:
            pool.borrowers = borrowers.get(pool.name, [])
            others = [other for other in named.get(pool.spill, ()) if other is not pool]
            pool.lender = others[0] if others and pool.full == "spill" else None
            if pool.full == "spill":
                pool.attached = [other for name in pool.chunks or ()
                                 for other in named.get(name, ()) if other is not pool]

    def connect_scenes(self, scenes):
        cut = []
        # Of two that have one name, which is a mistake, the one that scenes read.
        for row in {row.name: row for row in self.rows()}.values():
            given = [scene.counts.get(row.name) for scene in scenes]
            if any(any(share) if isinstance(share, list) else share for share in given):
                row.share(given)
                cut.append(row)
        if cut:
            node = self.tree.value["scenes"]
            self.scenes = Scenes(("scenes", "table", "scenes", node), scenes, cut)
            self.scenes.name = f"{self.build.name}_scenes" if self.build.name else \
                "scenes"
            self.scenes.library = self.build.name

    def connect_sleepers(self):
        """What of a bank that sleeps can do so; of the rest a rule tells."""
        for bank in self.banks.values():
            rows = [row for row in self.rows()
                    if bank.sleeps and row.bank == bank.name
                    and row.SHARE and not row.parts()]
            if rows:
                sleeper = Sleeper(bank, rows)
                sleeper.library = self.build.name
                if self.build.name:
                    sleeper.name = f"{self.build.name}_{bank.name}"
                self.sleepers.append(sleeper)

    @property
    def prefix(self):
        """Of its files and of what its header names."""
        return self.build.name or "tp"

    def learn(self, made, level):
        """What C made of the numbers that the table leaves to it, {row: (stride,
        capacity)}, in an image of that level."""
        self.learned = made, level
        for row in self.pools + self.tables["dense"]:
            stride, capacity = made.get(row.name, (0, 0))
            if unknown(row.size or 0) and stride:
                row.size = stride - (row.zone(level) if row in self.pools else 0)
            if unknown(row.count or 0) and capacity:
                row.count = capacity + (getattr(row, "reserve", 0) or 0)

    @property
    def level(self):
        """Of the checks that sizes are counted at."""
        return self.build.checks or "fast"

    def rows(self):
        """Of all tables that make calls, in the order they are printed in."""
        rows = [row for name in SECTIONS if name not in NO_ROWS
                for row in self.tables[name]]
        return rows + ([self.scenes] if self.scenes else []) + self.sleepers

    def tenants(self):
        return [tenant for row in self.rows() for tenant in row.tenants()]


def schema():
    """The file as a JSON Schema, in the words that draft 4 to draft 7 share."""
    properties = {"tidepool": {"enum": [VERSION], "description":
                               "The format of this file."}}
    for name, section in SECTIONS.items():
        counted = section.kind is Scene
        table = schema_of_counts() if counted else schema_of_row(section.keys)
        if section.kind is Context:
            table = {"anyOf": [{"enum": ["task"]}, *[dict(table, required=[key])
                                                     for key in section.keys]]}
        if name != "build":
            table = {"type": "object",
                     "patternProperties": {f"^{IDENTIFIER.pattern}$": table},
                     "additionalProperties": False}
        properties[name] = dict(table, description=section.says)
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "pools.toml",
            "type": "object", "properties": properties, "required": ["tidepool"],
            "additionalProperties": False}


def schema_of_counts():
    shares = [BYTES_OR_NONE.schema, slots_by_class.schema]
    return {"type": "object", "patternProperties":
            {f"^{IDENTIFIER.pattern}$": {"anyOf": shares}},
            "additionalProperties": False}


def schema_of_row(keys):
    properties = {name: dict(key.read.schema,
                             description=f"{key.value}. Makes {key.says}.")
                  for name, key in keys.items()}
    needed = [name for name, key in keys.items() if key.needed and not key.unless]
    row = {"type": "object", "properties": properties, "additionalProperties": False}
    return dict(row, required=needed) if needed else row


def explain(word):
    """What [word] means, a table, a key or TABLE.KEY; None if there is none such."""
    table, _, name = word.strip("[]").rpartition(".")
    if not table and name in SECTIONS:
        section = SECTIONS[name]
        return paragraphs([[f"[{name}]  {section.says}"]]
                          + [explain_key(*item) for item in section.keys.items()])
    found = [(where, section.keys[name]) for where, section in SECTIONS.items()
             if name in section.keys and table in ("", where)]
    parts = [[f"[{where}]"] + explain_key(name, key) for where, key in found]
    return paragraphs(parts) if parts else None


def explain_key(name, key):
    return [f"  {name}: {key.value}", f"      makes {key.says}"]


def explainable():
    return list(SECTIONS) + sorted({name for section in SECTIONS.values()
                                    for name in section.keys})


STARTER = """\
#:schema ./tidepool.schema.json
# The pools of this firmware. One row below [pools] is one pool; a row may also be
# written as a block, [pools.NAME], with a key a line. `tidepool.py explain KEY` tells
# what a key means, `tidepool.py schema` prints tidepool.schema.json for editors.
tidepool = 1                     # The format of this file.

[build]
headers = []                     # What declares the types below: ["game/types.h"].
#checks = "poison"               # Only if the firmware is always built at that level.

# RAM that the pools may use. Without any bank they lie in ordinary .bss. With one,
# write INCLUDE tp_pools.ld into SECTIONS of the linker script, before .bss.
[banks]
#ram = { region = "RAM", budget = "16K" }

[pools]
# What nobody misses: when it is full, the caller gets NULL.
sparks = { size = 24, count = 64, full = "drop" }

# What must exist: when it is full, that is a bug and stops the firmware.
#bosses = { type = "struct boss", count = 4, full = "assert" }

# What masks its own loss: when it is full, the oldest is told and makes room.
#voices = { size = 32, count = 16, full = "steal-oldest", evict = "voice_stopped" }
"""
