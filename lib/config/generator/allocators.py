# SPDX-License-Identifier: MIT
"""The rows of all tables but [build], [banks] and [pools].

All sizes are those of a 32-bit core.
"""

from .rows import Handled, Part, Row, Tenant, round_up
from .toml import BROKEN
from .values import (
    ARENA_ALIGN, BUMP_BYTES, CLASS_FIELDS, COUNT_MAX, DENSE_BYTES, END_BYTES, Wrong,
    most, whole)


class Stack(Tenant):
    SIZES = ("bytes",)

    def constants(self):
        return {"dstack" if self.ends == 2 else "stack": 24}

    def metadata(self, level="fast"):
        return {"state": END_BYTES * self.ends}

    def arena_bytes(self, level="fast"):
        return self.bytes


class Frame(Tenant):
    SIZES = ("bytes", "buffers")

    def constants(self):
        return {"frame": 32}

    def metadata(self, level="fast"):
        return {"state": 8, "bump": BUMP_BYTES * self.buffers}

    def arena_bytes(self, level="fast"):
        return self.bytes * self.buffers


class Relocating(Handled, Tenant):
    CALLBACKS = ("on_move",)
    ATTRIBUTES = {"handles": "count"}
    SIZES = ("bytes", "handles")
    ARENA = "arena"

    def constants(self):
        return {"reloc": 36}

    def metadata(self, level="fast"):
        return {"state": 24, "entry": 8 * (self.count + 1)}

    def arena_bytes(self, level="fast"):
        return self.bytes + 8  # And what guards the end.


class Dense(Handled, Tenant):
    CALLBACKS = ("on_move",)
    SIZES = ("size", "count", "align")
    SIZE_MIN = 1

    @property
    def generation_bits(self):
        """Those that 32 bits leave, and how often they wrapped in 16 more."""
        more = 16 if self.handles == 64 else 0
        return 32 - self.slots.bit_length() + more

    def constants(self):
        wide = {"dense64": 8} if self.handles == 64 else {}
        return {"dense": DENSE_BYTES, **wide}

    def metadata(self, level="fast"):
        wide = {"wraps": 2 * (self.count + 1)} if self.handles == 64 else {}
        return {"state": 16, "place": 4 * (self.count + 1), "entry": 2 * self.count,
                **wide}

    def stride(self, level="fast"):
        return round_up(self.size, self.align)

    def arena_bytes(self, level="fast"):
        return self.stride() * self.count


class BlockClass(Part):
    """One of the sizes of blocks."""

    LISTED = 12
    align = ARENA_ALIGN

    def __init__(self, blocks, node):
        fields = {name: read(node.value[name]) for name, read in CLASS_FIELDS.items()}
        super().__init__(blocks, "class", f"{blocks.name}_{fields['size']}", node)
        self.size, self.count, self.align = fields["size"], fields["count"], ARENA_ALIGN

    def metadata(self, level="fast"):
        asked = 2 * (self.count + 1 if level != "off" else 2)
        return dict(super().metadata(level), asked=asked, waste=8)


class Blocks(Tenant):
    """The table of its classes, which are what takes memory."""

    ARENA = None

    def classes_made(self):
        """With bigger, all but the largest hand on what they refuse."""
        made = [BlockClass(self, node) for node in self.classes or []]
        largest = max((one.size for one in made), default=0)
        for one in made:
            one.full = "drop" if self.bigger and one.size != largest else self.full
        return made

    def tenants(self):
        return self.classes_made() + [self]

    def constants(self):
        return {"blocks": 16}

    def metadata(self, level="fast"):
        return {"waste": 8}

    def arena_bytes(self, level="fast"):
        return 0


class Nest(Tenant):
    """A double-ended stack that rows lie in; the rest of it is for children opened
    at run time. Its own arena is that rest."""

    SIZES = ("bytes",)
    rows = ()

    def constants(self):
        return {"nest": 112,
                "rows": 16 * len(self.rows)} if self.rows else {"nest": 112}

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
    """A row of counts, by the name of the pool."""

    counts = {}

    def read_counts(self, config):
        read, self.counts = whole(0, COUNT_MAX), {}
        if not isinstance(self.node.value, dict):
            config.refuse_kind(self.node, self.title, self.forms)
            self.node = self.node.emptied()
            config.lost = True
        for name, node in self.node.value.items():
            try:
                self.counts[name] = 0 if node.value is BROKEN else read(node)
            except Wrong as wrong:
                config.complain(node.place, f"{self.title}: {name} {wrong}",
                                *wrong.hints)
                self.wrong.add(name)


class Scenes(Tenant):
    """All of [scenes]: an arena as large as the greediest of them."""

    ARENA = "arena"
    spare = False

    def __init__(self, node, scenes, pools):
        super().__init__("scenes", "table", "scenes", node)
        self.title, self.full = "[scenes]", ""
        self.scenes, self.pools = scenes, pools
        self.bank = pools[0].bank

    @property
    def align(self):
        return max(pool.align for pool in self.pools)

    def scene_bytes(self, scene, level="fast"):
        number = self.scenes.index(scene)
        return sum(round_up(pool.bytes_of(pool.cut[number], level), self.align)
                   for pool in self.pools)

    def arena_bytes(self, level="fast"):
        return most(self.scene_bytes(scene, level) for scene in self.scenes)

    def counts(self):
        return all(pool.counts() for pool in self.pools)

    def metadata(self, level="fast"):
        return {"scene_state": 16}

    def constants(self):
        return {"scenes": 28, "scene_pools": 24 * len(self.pools)}
