# SPDX-License-Identifier: MIT
"""What a row is, and those of [pools], which know what they take of RAM and flash.

All sizes are those of a 32-bit core.
"""

from .keys import POOL_KEYS
from .toml import error, quote, warning
from .values import (
    AGE_BYTES, ARENA_ALIGN, LINK_BYTES, MAGAZINE_BYTES, OUTSIDE, OWN_POLICY,
    OWNER_BYTES, POINTER_BYTES, POOL_BYTES, RED_ZONE_BYTES, REUSES_PER_SECOND,
    SLOTS_OR_NONE, STATE_BYTES, TAG_BYTES, THIEVES, Formula, most, unknown)


class Row:
    """A table of the file, with an attribute for each key it may have.

    [wrong] names the keys whose value is not to be relied on, because it is
    missing, mistaken or probably misspelled. Rules that need one stay silent.
    """

    ATTRIBUTES = {"in": "nest"}  # Where one is not called like its key.
    CALLBACKS = ()               # Keys that name a function which takes its type.
    bank = nest = type = union = spill = opaque = None
    SHARE = None                 # How what a scene gives it is read, if one can.
    link = 0                     # Bytes of an object before the link of its slot.
    outside = False              # The link is beside its tags.
    library = None               # The name of its table, if that is a library's.
    allocates = frees = waits = ()  # Names of contexts,
    named = ()                      # and those that there are, each once.

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

    def attribute(self, key):
        return self.ATTRIBUTES.get(key, key)

    def knows(self, *keys):
        """Whether the values of [keys] can be relied on, and are no business of C."""
        values = [getattr(self, self.attribute(key), None) for key in keys]
        return not self.wrong.intersection(keys) and not any(
            isinstance(value, Formula) for value in values)

    def tenants(self):
        """What of it takes memory."""
        return []

    def settle(self):
        """What follows from its keys, once they are read."""

    @property
    def family(self):
        """The rows whose calls are calls of this one, too."""
        return [self]

    @property
    def users(self):
        """The contexts that call it."""
        return list(dict.fromkeys(user for row in self.family for user in row.named))

    @property
    def is_cpp(self):
        """Whether C does not know its type, or a number of it."""
        keys = ("size", "count", "handles")
        texts = [self.node.value[key].value for key in keys if key in self.node.value]
        texts += [self.type, *(self.union or [])]
        return any("::" in str(text) for text in texts)

    @property
    def is_class(self):
        """Whether what lies in it is constructed."""
        return "::" in (self.type or "") and self.type[-1] != "*" and not self.opaque

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
    home = None     # The config it is of, where there are several.


class Tenant(Row):
    """What takes memory: its arena in a bank or in .bss, its metadata in .bss, its
    descriptor in flash. All sizes are those of a 32-bit core.

    SIZES are the keys that its size depends on. Its definition makes NAME_ARENA, what
    metadata() and constants() name, and nothing else. Its descriptor is NAME_NOUN, of
    BYTES: in flash, or in RAM where scenes write to it.
    """

    SIZES = ()
    NOUN, BYTES = "", 0
    STORAGE = "storage"
    LISTED = 0  # Bytes of its entry in a table.
    align = ARENA_ALIGN
    cut = ()    # What scenes give it, by scene, if they cut it.
    retained = False  # Its bank keeps it.
    sleeps = False   # Its bank does: there are two, which give it nothing and all.
    together = None  # The row whose parts lie one behind another, of which it is one.

    @property
    def noun(self):
        return self.NOUN

    @property
    def ARENA(self):
        return None if self.cut else self.STORAGE

    @property
    def amount(self):
        """What it has where no scene says so: slots, objects or bytes."""
        raise NotImplementedError

    @property
    def most(self):
        """That, or the most that a scene gives it."""
        return most(self.cut) if self.cut else self.amount

    def share(self, by_scene):
        """What the scenes give it: one item a scene, None where it is not named."""
        own = self.amount if self.knows_amount() else 0
        self.cut = [own if given is None else given for given in by_scene]

    def parts(self):
        """What of it scenes cut."""
        return [self] if self.cut else []

    def shared_out(self):
        """Why it has not all of its memory at all times, for a complaint."""
        what = "a bank that sleeps" if self.sleeps else "what scenes cut"
        return [what] * bool(self.parts())

    def tenants(self):
        return [self]

    def constants(self):
        """{suffix: bytes} of what is in flash."""
        cut = {"amounts": 4 * len(self.cut), "scene_seal": 16}
        return cut if self.cut else {self.noun: self.BYTES}

    def metadata(self, level="fast"):
        """{suffix: bytes} of what is in RAM beside the arena."""
        words = {"peaks": 4 * len(self.cut), "scene_word": 4}
        return {self.noun: self.BYTES, **words} if self.cut else {}

    def bytes_of(self, amount, level):
        """Those of the arena that [amount] takes."""
        return amount

    def arena_bytes(self, level="fast"):
        return 0 if self.cut else self.bytes_of(self.amount, level)

    def metadata_bytes(self, level="fast"):
        return sum(self.metadata(level).values())

    @property
    def flash_bytes(self):
        """With what a descriptor in RAM is loaded from."""
        return (sum(self.constants().values()) + self.LISTED + len(self.name) + 1
                + (self.BYTES if self.cut else 0))

    @property
    def descriptor(self):
        return f"{self.name}_{self.noun}"

    @property
    def arena(self):
        return f"{self.name}_{self.ARENA}"

    @property
    def lies_in(self):
        """The name of its bank, or of that of its nest; None if it has neither."""
        return self.nest.bank if isinstance(self.nest, Row) else self.bank

    @property
    def place_in_bank(self):
        """What follows the bank in the name of its section."""
        if isinstance(self.nest, Row):
            part = "0low" if self.end == "low" else "2high"
            return f"{self.nest.name}.{part}.{self.name}"
        return self.name

    def kept(self, level="fast"):
        """{suffix: bytes} of the metadata that lies where its slots do."""
        return {name: size for name, size in self.metadata(level).items()
                if self.retained and name in ("tag", "state", "seal", "age", "born")}

    def pieces(self, level="fast"):
        """(section, alignment, bytes) of what it has in a bank, or would have."""
        arena = [(self.place_in_bank, self.arena_align, self.arena_bytes(level))]
        kept = [(f"{self.place_in_bank}.metadata", 4, sum(self.kept(level).values()))]
        return arena * bool(self.ARENA) + kept * self.retained

    @property
    def arena_align(self):
        """A nest counts what it gives in steps of 8 bytes."""
        return max(self.align, ARENA_ALIGN) if self.nest else self.align

    def knows_amount(self):
        """Whether [amount] can be relied on, whoever knows the size of one."""
        return self.knows(*set(self.SIZES) - {"size"})

    def counts(self):
        """Whether the keys that its size depends on are known."""
        return self.knows(*self.SIZES)


class Handled:
    """What hands out handles: [count] things, [handles] bits."""

    handles = 32
    size = None

    def settle(self):
        """Numbers that C computes: by the names that it has for them."""
        if isinstance(self.count, str):
            self.count = Formula(f"{self.name.upper()}_COUNT")
        typed = {"type", "union"} & set(self.node.value)
        if isinstance(self.size, str) or self.size is None and typed:
            self.size = Formula(f"{self.name.upper()}_SIZE")

    @property
    def amount(self):
        return self.count

    @property
    def slots(self):
        return self.most

    @property
    def numbered(self):
        """The slots that a handle tells apart."""
        return self.slots

    @property
    def generation_bits(self):
        counted = 15 if getattr(self, "harden", False) else 31
        return min(counted, self.handles - self.numbered.bit_length())

    @property
    def wrap_seconds(self):
        return (1 << self.generation_bits) // REUSES_PER_SECOND


class Pool(Handled, Tenant):
    ATTRIBUTES = {"in": "nest", "metadata": "metadata_in"}
    CALLBACKS = ("evict", "score", "init", "deinit", "in_use", "release")
    OBJECT_KEYS = ("init", "deinit", "in_use", "retain")
    SIZES = ("size", "count", "align", "reserve", "in")
    SHARE = staticmethod(SLOTS_OR_NONE)
    NOUN, BYTES = "pool", POOL_BYTES
    SIZE_MIN = LINK_BYTES
    borrowers = ()  # Pools that spill into it.
    lender = None   # The pool that it spills into.
    attached = ()   # Those that its chunks are.
    inits = ()      # Names of its inits, if it has several.

    @property
    def amount(self):
        return self.count - (self.reserve or 0)

    def settle(self):
        super().settle()
        if "policy" in self.node.value and "full" not in self.node.value:
            self.full = OWN_POLICY
            self.wrong |= {"full"} if "policy" in self.wrong else set()
        if isinstance(self.init, dict):
            self.inits = tuple(self.init)
            self.CALLBACKS += tuple(f"init_{name}" for name in self.init)
            self.CALLBACKS = tuple(key for key in self.CALLBACKS if key != "init")
            for name, function in self.init.items():
                setattr(self, f"init_{name}", function)
        self.outside = self.link == OUTSIDE
        self.link = 0 if self.outside else self.link
        if self.watched and self.refill is None:
            self.refill = self.low_water + 1

    def tenants(self):
        return [self, Reserve(self)] if self.reserve else [self]

    def zone(self, level):
        return max(RED_ZONE_BYTES, self.align) if level == "full" else 0

    def stride(self, level="fast"):
        return round_up(self.size, self.align) + self.zone(level)

    def bytes_of(self, slots, level):
        return self.zone(level) + self.stride(level) * slots if slots else 0

    def tag_bytes(self, level="fast"):
        """The list's word, a tag for each slot or a spare one, and what is behind."""
        tags = self.slots if self.tagged or level != "off" else 1
        behind = LINK_BYTES * self.slots if self.outside else 0
        return TAG_BYTES * (tags + 1) + (MAGAZINE_BYTES if self.magazine else behind)

    def metadata(self, level="fast"):
        once, ages = self.slots, AGE_BYTES * (self.slots + 1)
        parts = {"state": STATE_BYTES, "tag": self.tag_bytes(level),
                 **super().metadata(level)}
        parts.update({"age": ages} if self.steals else {})
        parts.update({"born": ages} if self.min_age else {})
        parts.update({"seal": 4} if self.retained else {})
        parts.update({"spill_state": 20} if self.borrows else {})
        parts.update({"chunk_state": 28} if self.borrowers else {})
        parts.update({"owner": POINTER_BYTES * (once + 1)} if self.owned else {})
        parts.update({"owners": OWNER_BYTES * once} if self.owner else {})
        parts.update({"lent": 2 * (1 if level == "off" else once)} if self.dma else {})
        parts.update({"watermark_state": 4} if self.watched else {})
        parts.update({"wait_state": 2 * POINTER_BYTES} if self.awaited else {})
        parts.update({"births": 8, "newborn": round_up(self.walked, 4)}
                     if self.objects else {})
        parts.update({"kept": once * self.retain[1], "kept_sum": 4 * once}
                     if self.retain else {})
        return parts

    def constants(self):
        parts = super().constants()
        parts.update({"least": 16} if self.answer == "steal-least" else {})
        parts.update({"spill": 24} if self.borrows else {})
        parts.update({"calm": 24, "urgent_pool": POOL_BYTES} if self.reserve else {})
        parts.update({"chunk": 20} if self.borrowers else {})
        parts.update({"noinit": 16} if self.retained else {})
        parts.update({"owned": 3 * POINTER_BYTES} if self.owner else {})
        parts.update({"dma": 2 * POINTER_BYTES} if self.dma else {})
        parts.update({"watermark": 20} if self.watched else {})
        parts.update({"wait": 2 * POINTER_BYTES} if self.awaited else {})
        parts.update({"objects": 36} if self.objects else {})
        parts.update({f"{name}_objects": 36 for name in self.inits})
        parts.update({"retain": 28} if self.retain else {})
        return parts

    @property
    def family(self):
        """With all that borrow its slots."""
        family = [self]
        for pool in family:
            family += [other for other in pool.borrowers if other not in family]
        return family

    @property
    def fills_in_interrupts(self):
        """Whether one of them may find it full."""
        asks = {*self.allocates, *self.waits}
        return self.isr and (not self.named or any(
            user.name in asks and not user.task for user in self.named))

    @property
    def answer(self):
        """What it does when nobody lends it a slot."""
        return self.then if self.full == "spill" else self.full

    @property
    def steals(self):
        return self.answer in THIEVES

    @property
    def owned(self):
        """Whether it knows who borrowed each slot."""
        return len(self.borrowers) > 1 or self.lends_what_is_known

    @property
    def lends_what_is_known(self):
        """Whether what others have in its slots has hooks or handles."""
        return any(pool.objects or pool.handles for pool in self.borrowers)

    @property
    def own_handles(self):
        """Whether code of its own makes and resolves them."""
        return self.code == "own" and self.handles and not self.lent

    @property
    def closed(self):
        """Whether code of its own alone knows its tags or its links."""
        return self.harden or self.outside

    @property
    def sees_steps(self):
        """Whether its update is part of the caller."""
        return self.objects and not self.link and not self.borrows

    @property
    def walked(self):
        """Its slots, and those that it may borrow."""
        return self.slots + self.lender.slots if self.lender else self.slots

    @property
    def lent(self):
        """Whether its handles number slots of another pool, too."""
        return bool(self.handles and self.borrows)

    @property
    def numbered(self):
        if not self.lent:
            return self.slots
        numbers = [self.count] if self.reserve else [self.slots]
        if self.lender and (self.lender.cut or self.lender.count):
            numbers.append(self.lender.slots)
        if any(map(unknown, numbers)):
            return Formula(" + ".join(map(str, numbers)))
        return sum(numbers)

    @property
    def objects(self):
        """Whether something is known of what lies in its slots."""
        return self.is_class or any(getattr(self, key) for key in self.OBJECT_KEYS)

    @property
    def tagged(self):
        """Whether it has tags at every check level."""
        return bool(self.handles or self.objects or self.cut
                    or self.answer == "steal-least" or self.owner
                    or self.lends_what_is_known)

    @property
    def watched(self):
        return self.low_water is not None

    @property
    def awaited(self):
        return bool(self.wait or self.waits)

    @property
    def borrows(self):
        return self.full == "spill" or bool(self.reserve)

    @property
    def lock_means(self):
        """What the core needs for it: "basepri", "exclusive" or nothing."""
        if isinstance(self.lock, int):
            return "basepri"
        return self.lock if self.lock == "exclusive" else None


class Part(Pool):
    """A pool that a row makes beside its own, or instead: the table of pools does
    not name it. Its keys are those of a plain pool."""

    LISTED = 0

    def __init__(self, row, what, name, node):
        super().__init__(row.section, what, name, node)
        for key, meaning in POOL_KEYS.items():
            setattr(self, self.ATTRIBUTES.get(key, key), meaning.default)
        self.full, self.bank, self.spare = row.full, row.bank, row.spare
        self.library, self.wrong = row.library, row.wrong


class Reserve(Part):
    """The slots that only urgent requests may take."""

    def __init__(self, pool):
        super().__init__(pool, "reserve", f"{pool.name}_reserve", pool.node)
        self.size, self.count, self.align = pool.size, pool.reserve, pool.align
        self.link, self.written = pool.link, pool.written
        self.owner = pool.owner
        self.borrowers = [pool]
        self.full = "drop"
        self.spare = True  # Urgent requests are rare.

    @property
    def place_in_bank(self):
        return self.name[: -len("_reserve")]


def round_up(number, step):
    return -(-number // step) * step


def arena_bytes(tenants, level="fast"):
    """What the linker makes of them: by section, each at its alignment."""
    end = 0
    for _, align, size in sorted(piece for tenant in tenants
                                 for piece in tenant.pieces(level)):
        end = round_up(end, align) + size
    return end
