# SPDX-License-Identifier: MIT
"""The rows of the table as objects that know what they take of RAM and flash.

All sizes are those of a 32-bit core.
"""

import copy

from .keys import POOL_KEYS
from .toml import BROKEN, error, quote, warning
from .values import (
    AGE_BYTES, ARENA_ALIGN, BUMP_BYTES, COUNT_MAX, END_BYTES, OWN_POLICY, POINTER_BYTES,
    POOL_BYTES, RED_ZONE_BYTES, REUSES_PER_SECOND, STATE_BYTES, TAG_BYTES, THIEVES,
    Wrong, whole)


class Row:
    """A table of the file, with an attribute for each key it may have.

    [wrong] names the keys whose value is not to be relied on, because it is
    missing, mistaken or probably misspelled. Rules that need one stay silent.
    """

    ATTRIBUTES = {"in": "nest"}  # Where one is not called like its key.
    CALLBACKS = ()               # Keys that name a function which takes its type.
    bank = nest = type = union = spill = None

    def __init__(self, section, what, name, node):
        self.section = section
        self.what = what
        self.name = name
        self.node = node
        self.title = f"{what} {quote(name)}"
        self.forms = f"{name} = {{ ... }} or [{section}.{name}]"
        self.wrong = set()

    def place(self, key=None):
        """Of the key's value where it is written, else of the row's name."""
        written = self.node.value.get(key)
        return written.place if written else self.node.name

    def knows(self, *keys):
        return not self.wrong.intersection(keys)

    def tenants(self):
        """What of it takes memory."""
        return []

    def settle(self):
        """What follows from its keys, once they are read."""

    def error(self, key, text, *hints):
        return error(self.place(key), f"{self.title}: {text}", *hints)

    def warning(self, key, text, *hints):
        return warning(self.place(key), f"{self.title}: {text}", *hints)


class Build(Row):
    def __init__(self, node):
        super().__init__("build", "build", "", node)
        self.title = self.forms = "[build]"


class Bank(Row):
    residents = ()  # The tenants that lie in it.


class Tenant(Row):
    """What takes memory: its arena in a bank or in .bss, its metadata in .bss, its
    descriptor in flash. All sizes are those of a 32-bit core.

    SIZES are the keys that its size depends on. Its definition makes NAME_ARENA, what
    metadata() and constants() name, and nothing else; the first of the constants is its
    descriptor.
    """

    SIZES = ()
    ARENA = "storage"
    LISTED = 0  # Bytes of its entry in a table.
    align = ARENA_ALIGN

    def tenants(self):
        return [self]

    def constants(self):
        """{suffix: bytes} of what is in flash."""
        raise NotImplementedError

    def metadata(self, level="fast"):
        """{suffix: bytes} of what is in RAM beside the arena."""
        raise NotImplementedError

    def arena_bytes(self, level="fast"):
        raise NotImplementedError

    def metadata_bytes(self, level="fast"):
        return sum(self.metadata(level).values())

    @property
    def flash_bytes(self):
        return sum(self.constants().values()) + self.LISTED + len(self.name) + 1

    @property
    def descriptor(self):
        return f"{self.name}_{next(iter(self.constants()))}"

    @property
    def arena(self):
        return f"{self.name}_{self.ARENA}"

    @property
    def lies_in(self):
        """The name of its bank, or of that of its nest; None if it has neither."""
        return self.nest.bank if isinstance(self.nest, Nest) else self.bank

    @property
    def place_in_bank(self):
        """What follows the bank in the name of its section."""
        if isinstance(self.nest, Nest):
            part = "0low" if self.end == "low" else "2high"
            return f"{self.nest.name}.{part}.{self.name}"
        return self.name

    def pieces(self, level="fast"):
        """(section, alignment, bytes) of what it has in a bank, or would have."""
        return [(self.place_in_bank, self.align,
                 self.arena_bytes(level))] if self.ARENA else []

    def counts(self):
        """Whether the keys that its size depends on are known."""
        return self.knows(*self.SIZES)

    def ram_bytes(self, level):
        return self.arena_bytes(level) + self.metadata_bytes(level)


class Handled:
    """What hands out handles: [count] things, [handles] bits."""

    handles = 32

    @property
    def slots(self):
        return self.count

    @property
    def generation_bits(self):
        return min(31, self.handles - self.slots.bit_length())

    @property
    def wrap_seconds(self):
        return (1 << self.generation_bits) // REUSES_PER_SECOND


class Pool(Handled, Tenant):
    CALLBACKS = ("evict", "score", "init", "deinit", "in_use", "release")
    OBJECT_KEYS = ("init", "deinit", "in_use", "retain")
    SIZES = ("size", "count", "align", "reserve", "in")
    LISTED = POINTER_BYTES
    borrowers = ()  # Pools that spill into it.
    cut = ()        # Slots by scene, if scenes cut it.
    retained = False

    def pieces(self, level="fast"):
        if not self.retained:
            return super().pieces(level)
        return super().pieces(level) + [(f"{self.place_in_bank}.metadata", 4,
                                         self.metadata_bytes(level))]

    @property
    def slots(self):
        """Those of its own arena, or the most that a scene gives it."""
        return max(self.cut) if self.cut else self.count - (self.reserve or 0)

    @property
    def ARENA(self):
        return None if self.cut else "storage"

    def settle(self):
        if "policy" in self.node.value and "full" not in self.node.value:
            self.full = OWN_POLICY
            self.wrong |= {"full"} if "policy" in self.wrong else set()
        if self.watched and self.refill is None:
            self.refill = self.low_water + 1

    def tenants(self):
        return [self, Reserve(self)] if self.reserve else [self]

    def zone(self, level):
        return max(RED_ZONE_BYTES, self.align) if level == "full" else 0

    def stride(self, level="fast"):
        return round_up(self.size, self.align) + self.zone(level)

    def arena_bytes(self, level="fast"):
        return 0 if self.cut else self.bytes_of(self.slots, level)

    def bytes_of(self, slots, level):
        return self.zone(level) + self.stride(level) * slots if slots else 0

    def tag_bytes(self, level="fast"):
        """The list's word, and a tag for each slot or a spare one."""
        tags = self.slots if self.tagged or level != "off" else 1
        return TAG_BYTES * (tags + 1)

    def metadata(self, level="fast"):
        once, ages = self.slots, AGE_BYTES * (self.slots + 1)
        parts = {"state": STATE_BYTES, "tag": self.tag_bytes(level)}
        parts.update({"pool": POOL_BYTES, "peaks": 2 * len(self.cut)} if self.cut
                     else {})
        parts.update({"age": ages} if self.steals else {})
        parts.update({"born": ages} if self.min_age else {})
        parts.update({"seal": 4} if self.retained else {})
        parts.update({"spill_state": 16} if self.borrows else {})
        parts.update({"chunk_state": 24} if self.borrowers else {})
        parts.update({"owner": POINTER_BYTES * (once + 1)} if len(self.borrowers) > 1
                     else {})
        parts.update({"watermark_state": 4} if self.watched else {})
        parts.update({"generations": 2 * once} if self.objects else {})
        parts.update({"kept": once * self.retain[1], "kept_sum": 4 * once}
                     if self.retain else {})
        return parts

    def constants(self):
        parts = {"counts": 2 * len(self.cut)} if self.cut else {"pool": POOL_BYTES}
        parts.update({"least": 16} if self.full == "steal-least" else {})
        parts.update({"spill": 20} if self.borrows else {})
        parts.update({"calm": 20, "urgent_pool": POOL_BYTES} if self.reserve else {})
        parts.update({"chunk": 20} if self.borrowers else {})
        parts.update({"noinit": 16} if self.retained else {})
        parts.update({"watermark": 20} if self.watched else {})
        parts.update({"objects": 28} if self.objects else {})
        parts.update({"retain": 28} if self.retain else {})
        return parts

    @property
    def flash_bytes(self):
        """With what a descriptor in RAM is loaded from."""
        return super().flash_bytes + (POOL_BYTES if self.cut else 0)

    @property
    def descriptor(self):
        return f"{self.name}_pool"

    def resized(self, count):
        """The same pool with another count."""
        other = copy.copy(self)
        other.count = count
        return other

    @property
    def steals(self):
        return self.full in THIEVES

    @property
    def objects(self):
        """Whether something is known of what lies in its slots."""
        return any(getattr(self, key) for key in self.OBJECT_KEYS)

    @property
    def tagged(self):
        """Whether it has tags at every check level."""
        return bool(self.handles or self.objects or self.cut
                    or self.full == "steal-least")

    @property
    def watched(self):
        return self.low_water is not None

    @property
    def borrows(self):
        return self.full == "spill" or bool(self.reserve)

    @property
    def lock_means(self):
        """What the core needs for it: "basepri", "exclusive" or nothing."""
        if isinstance(self.lock, int):
            return "basepri"
        return self.lock if self.lock == "exclusive" else None


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

    def constants(self):
        return {"dense": 40}

    def metadata(self, level="fast"):
        return {"state": 16, "place": 4 * (self.count + 1), "entry": 2 * self.count}

    def stride(self, level="fast"):
        return round_up(self.size, self.align)

    def arena_bytes(self, level="fast"):
        return self.stride() * self.count


class Part(Pool):
    """A pool that a row makes beside its own, or instead: the table of pools does
    not name it. Its keys are those of a plain pool."""

    LISTED = 0

    def __init__(self, row, what, name, node):
        super().__init__(row.section, what, name, node)
        for key, meaning in POOL_KEYS.items():
            setattr(self, self.ATTRIBUTES.get(key, key), meaning.default)
        self.full, self.bank = row.full, row.bank


class Reserve(Part):
    """The slots that only urgent requests may take."""

    def __init__(self, pool):
        super().__init__(pool, "reserve", f"{pool.name}_reserve", pool.node)
        self.size, self.count, self.align = pool.size, pool.reserve, pool.align
        self.borrowers = [pool]

    @property
    def place_in_bank(self):
        return self.name[: -len("_reserve")]


class BlockClass(Part):
    """One of the sizes of blocks."""

    LISTED = 12
    align = ARENA_ALIGN

    def __init__(self, blocks, node):
        fields = {name: child.value for name, child in node.value.items()}
        super().__init__(blocks, "class", f"{blocks.name}_{fields['size']}", node)
        self.size, self.count, self.align = fields["size"], fields["count"], ARENA_ALIGN

    def metadata(self, level="fast"):
        asked = 2 * (self.count + 1 if level != "off" else 2)
        return dict(super().metadata(level), asked=asked, waste=8)


class Blocks(Tenant):
    """The table of its classes, which are what takes memory."""

    ARENA = None

    def classes_made(self):
        return [BlockClass(self, node) for node in self.classes or []]

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
        return max(self.scene_bytes(scene, level) for scene in self.scenes)

    def counts(self):
        return all(pool.counts() for pool in self.pools)

    def metadata(self, level="fast"):
        return {"scene_state": 16}

    def constants(self):
        return {"scenes": 28, "scene_pools": 20 * len(self.pools)}


def has_arena(tenant):
    return tenant.ARENA is not None


def round_up(number, step):
    return -(-number // step) * step


def arena_bytes(tenants, level="fast"):
    """What the linker makes of them: by section, each at its alignment."""
    end = 0
    for _, align, size in sorted(piece for tenant in tenants
                                 for piece in tenant.pieces(level)):
        end = round_up(end, align) + size
    return end
