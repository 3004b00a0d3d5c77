# SPDX-License-Identifier: MIT
"""The rows of all tables but [build], [banks] and [pools].

All sizes are those of a 32-bit core.
"""

import collections
import itertools

from .rows import Handled, Part, Row, Tenant, round_up
from .toml import BROKEN, closest
from .values import (
    ARENA_ALIGN, BUMP_BYTES, BYTES_OR_NONE, CLASS_FIELDS, DENSE_BYTES, END_BYTES,
    SLOTS_OR_NONE, Wrong, most, slots_by_class)

# Bytes that the table of sizes of blocks reaches to, and entries of that of pages.
BY_SIZE_MOST, PAGES_MOST = 512, 256


class Stack(Tenant):
    SIZES = ("bytes",)
    SHARE = staticmethod(BYTES_OR_NONE)
    BYTES = 24

    @property
    def noun(self):
        return "dstack" if self.ends == 2 else "stack"

    @property
    def amount(self):
        return self.bytes

    def metadata(self, level="fast"):
        return {"state": END_BYTES * self.ends, **super().metadata(level)}


class Frame(Tenant):
    SIZES = ("bytes", "buffers")
    SHARE = staticmethod(BYTES_OR_NONE)
    NOUN, BYTES = "frame", 32

    @property
    def amount(self):
        return self.bytes

    def metadata(self, level="fast"):
        return {"state": 8, "bump": BUMP_BYTES * self.buffers,
                **super().metadata(level)}

    def bytes_of(self, amount, level):
        return amount * self.buffers


class Relocating(Handled, Tenant):
    CALLBACKS = ("on_move",)
    ATTRIBUTES = {"in": "nest", "handles": "count"}
    SIZES = ("bytes", "handles")
    NOUN, BYTES = "reloc", 36
    STORAGE = "arena"

    def metadata(self, level="fast"):
        return {"state": 24, "entry": 8 * (self.count + 1)}

    def arena_bytes(self, level="fast"):
        return self.bytes + 8  # And what guards the end.


class Dense(Handled, Tenant):
    CALLBACKS = ("on_move",)
    SIZES = ("size", "count", "align")
    SHARE = staticmethod(SLOTS_OR_NONE)
    NOUN, BYTES = "dense", DENSE_BYTES
    SIZE_MIN = 1

    @property
    def generation_bits(self):
        """Those that 32 bits leave, and how often they wrapped in 16 more."""
        more = 16 if self.handles == 64 else 0
        return 32 - self.slots.bit_length() + more

    def constants(self):
        wide = {"dense64": 8} if self.handles == 64 else {}
        return {**super().constants(), **wide}

    def metadata(self, level="fast"):
        wide = {"wraps": 2 * (self.slots + 1)} if self.handles == 64 else {}
        return {"state": 16, "place": 4 * (self.slots + 1), "entry": 2 * self.slots,
                **wide, **super().metadata(level)}

    def stride(self, level="fast"):
        return round_up(self.size, self.align)

    def bytes_of(self, count, level):
        return self.stride() * count


class BlockClass(Part):
    """One of the sizes of blocks."""

    LISTED = 12
    align = ARENA_ALIGN

    def __init__(self, blocks, node, cut=()):
        fields = {name: read(node.value[name]) for name, read in CLASS_FIELDS.items()}
        super().__init__(blocks, "class", f"{blocks.name}_{fields['size']}", node)
        self.size, self.count, self.align = fields["size"], fields["count"], ARENA_ALIGN
        self.blocks, self.cut, self.together = blocks, cut, blocks.name
        self.nest, self.end = blocks.nest, blocks.end

    def metadata(self, level="fast"):
        asked = 2 * (self.slots + 1 if level != "off" or self.cut else 2)
        return dict(super().metadata(level), asked=asked, waste=8)


class Blocks(Tenant):
    """The table of its classes, which are what takes memory."""

    SHARE = staticmethod(slots_by_class)
    NOUN, BYTES = "blocks", 32
    STORAGE = None
    shares = None  # The slots of each class, by scene, if scenes cut them.

    @property
    def amount(self):
        return [CLASS_FIELDS["count"](node.value["count"])
                for node in self.classes or []]

    def share(self, by_scene):
        self.shares = [given or self.amount for given in by_scene]

    def classes_made(self):
        """With bigger, all but the largest hand on what they refuse."""
        cuts = list(zip(*self.shares)) if self.shares else [()] * len(self.amount)
        made = [BlockClass(self, node, list(cut))
                for node, cut in zip(self.classes or [], cuts)]
        largest = max((one.size for one in made), default=0)
        for one in made:
            one.full = "drop" if self.bigger and one.size != largest else self.full
            one.sleeps = self.sleeps
        return made

    def parts(self):
        return self.classes_made() if self.shares else []

    def tenants(self):
        return self.classes_made() + [self]

    def by_size(self):
        """The class of 1 to 8 bytes, of 9 to 16 and so on, as far as that pays."""
        sizes = [one.size for one in self.classes_made()]
        most = min(max(sizes, default=0), BY_SIZE_MOST)
        return [next(i for i, size in enumerate(sizes) if size >= need)
                for need in range(ARENA_ALIGN, most + 1, ARENA_ALIGN)]

    def in_memory(self):
        """[(class, where it ends)], one behind another, unless scenes cut them."""
        made = [] if self.shares else self.classes_made()
        if self.lies_in:
            made = sorted(made, key=lambda one: one.place_in_bank)
        return list(zip(made, itertools.accumulate(one.arena_bytes() for one in made)))

    def page_shift(self):
        """Of the pages at whose ends classes end, if there are not too many."""
        ends = [end for _, end in self.in_memory()]
        shift = min((end & -end for end in ends), default=1).bit_length() - 1
        while max(ends, default=0) >> shift > PAGES_MOST:
            shift += 1
        return shift

    def by_page(self):
        """The class of each page's first byte."""
        sizes = [one.size for one in self.classes_made()]
        found, page = [], 1 << self.page_shift()
        for one, end in self.in_memory():
            found += [sizes.index(one.size)] * (-(-end // page) - len(found))
        return found

    def constants(self):
        pages = {"by_page": len(self.by_page())} if self.by_page() else {}
        return {**super().constants(), "by_size": len(self.by_size()), **pages}

    def metadata(self, level="fast"):
        return {"waste": 8}

    def arena_bytes(self, level="fast"):
        return 0


class Nest(Tenant):
    """A double-ended stack that rows lie in; the rest of it is for children opened
    at run time. Its own arena is that rest."""

    SIZES = ("bytes",)
    NOUN, BYTES = "nest", 128
    rows = ()

    def constants(self):
        rows = {"rows": 16 * len(self.rows)} if self.rows else {}
        return {**super().constants(), **rows}

    def metadata(self, level="fast"):
        return {"dstack_state": 2 * END_BYTES, "nest_state": 8}

    def taken(self, level="fast"):
        return sum(round_up(row.arena_bytes(level), ARENA_ALIGN) for row in self.rows)

    def arena_bytes(self, level="fast"):
        return self.bytes - self.taken(level)

    def counts(self):
        return super().counts() and all(row.counts() for row in self.rows)

    @property
    def place_in_bank(self):
        return f"{self.name}.1free.{self.name}" if self.rows else self.name


class Scene(Row):
    """What each allocator has there, by name."""

    counts = {}

    def read_counts(self, config):
        """Of rows of other tables, which are read already."""
        rows, self.counts = {row.name: row for row in config.rows()}, {}
        if not isinstance(self.node.value, dict):
            config.refuse_kind(self.node, self.title, self.forms)
            self.node = self.node.emptied()
            config.lost = True
        self.wrong |= ({closest(name, rows) for name in self.node.value
                        if name not in rows} - set(self.node.value) - {None})
        for name, node in self.node.value.items():
            row = rows.get(name)
            try:
                self.counts[name] = self.read_share(row, node)
            except Wrong as wrong:
                config.complain(wrong.place or node.place,
                                f"{self.title}: {name} {wrong}", *wrong.hints)
                self.wrong.add(name)

    def read_share(self, row, node):
        if not (row and row.SHARE) or node.value is BROKEN or row.wrong & {"classes"}:
            return None
        given = row.SHARE(node)
        if isinstance(row, Blocks) and len(given) != len(row.amount):
            raise Wrong(f"must be {len(row.amount)} numbers of slots, one a class")
        if isinstance(row, (Stack, Frame)) and given % ARENA_ALIGN:
            raise Wrong(f"must be a multiple of {ARENA_ALIGN}, not {given}",
                        str(round_up(given, ARENA_ALIGN)))
        return given


class Scenes(Tenant):
    """All of [scenes]: an arena as large as the greediest of them."""

    NOUN, BYTES = "scenes", 28
    STORAGE = "arena"
    spare = False

    def __init__(self, row, scenes, rows):
        super().__init__(*row)
        self.title, self.full = f"[{self.section}]", ""
        self.scenes, self.cut_rows = scenes, rows
        self.bank = rows[0].bank

    @property
    def cut_parts(self):
        return [part for row in self.cut_rows for part in row.parts()]

    @property
    def align(self):
        return max(part.align for part in self.cut_parts)

    def scene_bytes(self, scene, level="fast"):
        number = self.scenes.index(scene)
        return sum(round_up(part.bytes_of(part.cut[number], level), self.align)
                   for part in self.cut_parts)

    def arena_bytes(self, level="fast"):
        return most(self.scene_bytes(scene, level) for scene in self.scenes)

    def counts(self):
        return all(row.counts() for row in self.cut_rows)

    def metadata(self, level="fast"):
        return {"scene_state": 16}

    def constants(self):
        return {**super().constants(), "scene_parts": 36 * len(self.cut_parts)}


Phase = collections.namedtuple("Phase", "name")  # Of such a bank: a scene.


class Sleeper(Scenes):
    """All that lies in a bank that sleeps, and has nothing while it does."""

    def __init__(self, bank, rows):
        for row in rows:
            row.sleeps = True
            row.share([[0] * len(row.amount) if isinstance(row, Blocks) else 0, None])
        super().__init__(("banks", "bank", bank.name, bank.node),
                         [Phase("asleep"), Phase("awake")], rows)
        self.title = bank.title
