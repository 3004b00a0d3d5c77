# SPDX-License-Identifier: MIT
"""The pools of a firmware, in GDB: `source port/gdb/tidepool_gdb.py`, then

    tp pools          every allocator: live, peak, capacity, refused
    tp slots POOL     each slot of a pool: where it lies, live or not, how often issued
    tp who ADDRESS    which allocator an address lies in, which slot, how far into it
    tp check          whether each allocator's metadata agrees with itself
    tp holders POOL   which lines of the application hold the live slots

of a board, a gdbstub or a core file. It reads tp_registry, with the debug
information that GCC and Clang write by -g, and calls nothing in the target. Where
nothing in a firmware reads tp_registry it is not linked: -Wl,-u,tp_registry links
it. `tp holders` needs a build with TIDEPOOL_SOAK.
"""

import re
import shutil
import subprocess
from collections import Counter

import gdb

ADDR2LINE = "arm-none-eabi-addr2line"
OURS = re.compile(r"_pools\.h:|/tidepool\.h:|/tp_\w+\.[ch]:")  # Inlined into callers.
LIVE = 0x80000000  # In a tag; the rest counts how often the slot was issued.
RELOC_UNIT = 8


class Pool:
    """A struct tp_pool, read once."""

    def __init__(self, value):
        self.value = value
        for name in ("capacity", "stride", "size", "tagged", "zone"):
            setattr(self, name, int(value[name]))
        self.storage = int(value["storage"])
        self.state = value["state"].dereference() if int(value["state"]) else None
        self.fresh = min(int(self.state["fresh"]), self.capacity)
        self.word = int(value["tag"][0])
        self.counts = self.fresh and self._is_counting(self.word)
        self.tags = self._read_tags()

    def _is_counting(self, word):
        """Whether the list word counts, as from level fast up; else it is an
        address, or 0."""
        return word != 0 and word >> 16 <= self.fresh and word & 0xffff <= self.fresh

    def _read_tags(self):
        """By slot, from 1; none where the pool keeps none."""
        if not (self.counts or self.tagged):
            return []
        tag = self.value["tag"]
        return [0] + [int(tag[slot]) for slot in range(1, self.fresh + 1)]

    def address(self, slot):
        return self.storage + (slot - 1) * self.stride

    def free_slots(self):
        """Those on the list; and what is wrong with it, or ""."""
        word, slots = self.word, []
        while len(slots) <= self.fresh:
            slot = self._top_of(word)
            if slot == 0:
                return slots, ""
            if not 1 <= slot <= self.fresh:
                return slots, f"the free list leads to slot {slot} of {self.fresh}"
            link = read_word(self.address(slot))
            if self.counts and link >> 16 != (word >> 16) + 1:
                return slots, f"the link of slot {slot} was written over"
            slots.append(slot)
            word = link
        return slots, "the free list goes round for ever"

    def _top_of(self, word):
        if self.counts or word == 0:
            return word & 0xffff
        slot, rest = divmod(word - self.address(1), self.stride)
        return slot + 1 if rest == 0 else -1

    @property
    def live(self):
        return self.word >> 16 if self.counts else \
            self.fresh - len(self.free_slots()[0])

    def is_live(self, slot, free):
        return self.tags[slot] >= LIVE if self.tags else slot not in free

    def stats(self):
        state = self.state
        reached = max(self.fresh, int(state["reached"]))
        refused = int(state["overflows"]) - int(state["steals"]) - int(state["spills"])
        return self.live, reached, refused & 0xffffffff

    def wrong(self):
        free, wrong = self.free_slots()
        if wrong:
            return wrong
        if int(self.state["fresh"]) > self.capacity:
            return "more slots were issued than there are"
        live = [slot for slot in range(1, len(self.tags)) if self.tags[slot] >= LIVE]
        if set(live) & set(free):
            return f"slot {min(set(live) & set(free))} is live and on the free list"
        if self.tags and self.counts and len(live) != self.word >> 16:
            return f"{len(live)} slots are live, {self.word >> 16} are counted"
        if self.tags and len(live) + len(free) != self.fresh:
            return f"{self.fresh - len(live) - len(free)} slots are lost"
        return self._wrong_ring()

    def _wrong_ring(self):
        """The ring of a pool that steals leads back, both ways."""
        age = self.value["age"]
        at, steps = 0, 0
        while int(age) and steps <= self.capacity:
            newer = int(age[at]["newer"])
            if newer > self.capacity or int(age[newer]["older"]) != at:
                return f"the age ring is broken behind slot {at}"
            at, steps = newer, steps + 1
            if at == 0:
                return ""
        return "the age ring goes round for ever" if int(age) else ""


def of_pool(value):
    pool = Pool(value)
    return pool.capacity, *pool.stats(), pool.wrong()


def of_chunk(value):
    """A chunk whose memory was released has nothing that could be read."""
    if not is_open(value):
        return 0, 0, 0, 0, ""
    return of_pool(value["pool"].dereference())


def is_open(chunk):
    return str(chunk["state"]["phase"].cast(gdb.lookup_type(
        "enum tp_chunk_phase"))) == "TP_CHUNK_OPEN"


def of_stack(value):
    bump = value["state"]["bump"]
    return _bumps(int(value["region"]["bytes"]), [bump], int(bump["used"]))


def of_dstack(value):
    bumps = [value["state"]["bump"][end] for end in (0, 1)]
    capacity = int(value["region"]["bytes"])
    used = sum(int(bump["used"]) for bump in bumps)
    _, live, _, refused, wrong = _bumps(capacity, bumps, used)
    peak = min(capacity, sum(int(bump["peak"]) for bump in bumps))
    return capacity, live, peak, refused, wrong


def of_frame(value):
    bumps = [value["bump"][i] for i in range(int(value["buffers"]))]
    current = int(value["state"]["current"])
    if current >= len(bumps):
        return int(value["region"]["bytes"]), 0, 0, 0, f"no buffer is number {current}"
    return _bumps(int(value["region"]["bytes"]), bumps, int(bumps[current]["used"]))


def _bumps(capacity, bumps, live):
    peak = max(int(bump["peak"]) for bump in bumps)
    refused = sum(int(bump["refused"]) for bump in bumps)
    wrong = any(not int(bump["used"]) <= int(bump["peak"]) <= capacity
                for bump in bumps) or live > capacity
    return capacity, live, peak, refused, "more is used than there is" if wrong else ""


def of_blocks(value):
    classes = [value["classes"][i]["pool"].dereference()
               for i in range(int(value["count"]))]
    pools = [(int(one["size"]), of_pool(one)) for one in classes]
    capacity = sum(size * seen[0] for size, seen in pools)
    live, peak = (sum(size * seen[i] for size, seen in pools) for i in (1, 2))
    last = pools[-1:] if int(value["bigger"]) else pools
    wrong = next((seen[4] for _, seen in pools if seen[4]), "")
    return capacity, live, peak, sum(seen[3] for _, seen in last), wrong


def of_dense(value):
    state, capacity = value["state"], int(value["capacity"])
    count, fresh = int(state["count"]), int(state["fresh"])
    wrong = "" if count <= fresh <= capacity else "more is live than there is room for"
    return capacity, count, fresh, int(state["refused"]), wrong or _dense_wrong(value)


def _dense_wrong(value):
    """Each index below fresh leads to an entry, which leads back to it."""
    for index in range(int(value["state"]["fresh"])):
        entry = int(value["entry"][index])
        if not 1 <= entry <= int(value["capacity"]):
            return f"index {index} leads to entry {entry}"
    return ""


def of_relocating(value):
    state, handles = value["state"], int(value["handles"])
    live, fresh = int(state["live"]), int(state["fresh"])
    wrong = "" if live <= fresh <= handles else "more blocks are live than handles"
    return handles, live, fresh, int(state["refused"]), wrong


def of_arena(value):
    state = value["state"]
    top, touched = int(state["top"]), int(state["touched"])
    capacity = int(value["units"])
    wrong = "" if top <= capacity else "more is filled than there is"
    return (capacity * RELOC_UNIT, top * RELOC_UNIT, max(0, touched - 1) * RELOC_UNIT,
            int(state["refused"]), wrong)


def of_scenes(value):
    state, capacity = value["state"], int(value["bytes"])
    entered, peak = int(state["entered"]), int(state["peak"])
    good = entered <= int(value["scene_count"]) and peak <= capacity
    live = _scene_bytes(value, entered - 1) if good and entered else 0
    return (capacity, live, peak, int(state["refused"]),
            "" if good else f"there is no scene {entered}")


def _scene_bytes(value, scene):
    total, align = 0, int(value["align"])
    for number in range(int(value["part_count"])):
        part = value["parts"][number]
        amount = int(part["amounts"][scene])
        total += -(-_part_bytes(part, amount) // align) * align if amount else 0
    return total


def _part_bytes(part, amount):
    """What [amount] of it takes: of slots, of objects or of bytes."""
    kind = re.search(r"<tp_scene_(\w+)>", str(part["kind"]))[1]
    allocator = part["allocator"].cast(
        gdb.lookup_type(f"struct tp_{kind}").pointer()).dereference()
    if kind == "pool":
        return int(allocator["zone"]) + amount * int(allocator["stride"])
    each = {"dense": "stride", "frame": "buffers"}.get(kind)
    return amount * int(allocator[each]) if each else amount


# The struct of each kind, by the name of its tp_NAME_kind, and what reads it:
# (capacity, live, peak, refused, what is wrong).
KINDS = {"pool": ("tp_pool", of_pool), "chunk": ("tp_chunk", of_chunk),
         "stack": ("tp_stack", of_stack), "dstack": ("tp_dstack", of_dstack),
         "frame": ("tp_frame", of_frame),
         "nest": ("tp_nest", lambda value: of_dstack(value["as"]["dstack"])),
         "blocks": ("tp_blocks", of_blocks), "dense": ("tp_dense", of_dense),
         "reloc": ("tp_reloc", of_relocating), "arena": ("tp_reloc", of_arena),
         "scenes": ("tp_scenes", of_scenes)}


class Entry:
    """A row of tp_registry."""

    def __init__(self, value):
        self.name = value["name"].string()
        self.policy = value["policy"].string() if int(value["policy"]) else "-"
        self.bank = value["bank"].string() if int(value["bank"]) else "-"
        self.title = value["kind"]["name"].string()
        self.unit = value["kind"]["unit"].string()
        self.bytes, self.stride = int(value["bytes"]), int(value["stride"])
        self.kind = _kind_at(int(value["kind"]))
        struct, self._read = KINDS[self.kind]
        self.value = value["allocator"].cast(
            gdb.lookup_type(f"struct {struct}").pointer()).dereference()

    def read(self):
        return self._read(self.value)

    def pool(self):
        """Its slots, if it has some now; else None."""
        if self.kind == "chunk" and is_open(self.value):
            return Pool(self.value["pool"].dereference())
        return Pool(self.value) if self.kind == "pool" else None

    def memory(self):
        """(address, bytes) of its storage; nothing of what lies in another's."""
        pool = self.pool()
        if pool:
            return pool.storage - pool.zone, pool.zone + pool.capacity * pool.stride
        if self.kind in ("stack", "dstack", "frame"):
            buffers = int(self.value["buffers"]) if self.kind == "frame" else 1
            region = self.value["region"]
            return int(region["storage"]), int(region["bytes"]) * buffers
        if self.kind == "dense":
            size = int(self.value["capacity"]) * int(self.value["stride"])
            return int(self.value["storage"]), size
        if self.kind == "arena":
            return int(self.value["arena"]), int(self.value["units"]) * RELOC_UNIT
        return 0, 0


def _kind_at(address):
    for name in KINDS:
        symbol = gdb.lookup_global_symbol(f"tp_{name}_kind")
        if symbol and int(symbol.value().address) == address:
            return name
    raise gdb.GdbError(f"no kind of allocator is known at {address:#x}: is this"
                       " script of the same version as the library?")


def entries():
    registry = gdb.lookup_global_symbol("tp_registry")
    if not registry or not registry.symtab:
        raise gdb.GdbError(
            "there is no tp_registry with debug information: link with"
            " -Wl,-u,tp_registry, and compile tp_pools.c and the library with -g")
    value = registry.value()
    return [Entry(value["entries"][i].dereference())
            for i in range(int(value["count"]))]


def pool_called(name):
    found = [entry for entry in entries() if entry.name == name]
    if not found:
        raise gdb.GdbError(f"there is no allocator called {name!r}; `tp pools` lists"
                           " them")
    if found[0].kind not in ("pool", "chunk"):
        raise gdb.GdbError(f"{name} is a {found[0].title}, which has no slots")
    return found[0]


def slots_of(name):
    pool = pool_called(name).pool()
    if not pool:
        raise gdb.GdbError(f"the memory of {name} is released: it has no slots now")
    return pool


def read_word(address):
    return int.from_bytes(gdb.selected_inferior().read_memory(address, 4).tobytes(),
                          "little")


def show(rows, left):
    """A table; the first [left] columns begin where their heads do."""
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [str(cell).ljust(width) if i < left else str(cell).rjust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


class Prefix(gdb.Command):
    """The pools of the firmware: tp pools, slots, who, check, holders."""

    def __init__(self):
        super().__init__("tp", gdb.COMMAND_DATA, prefix=True)


class Command(gdb.Command):
    WORDS = 0

    def __init__(self, name):
        super().__init__(f"tp {name}", gdb.COMMAND_DATA)
        self.name = name

    def invoke(self, argument, _):
        if bool(argument.strip()) != bool(self.WORDS):
            raise gdb.GdbError(self.__doc__.split("\n")[0])
        if not gdb.selected_inferior().pid:
            raise gdb.GdbError("there is no target: `target remote` one, or open a"
                               " `core-file`")
        try:
            self.run(argument.strip())
        except gdb.MemoryError as trouble:
            raise gdb.GdbError(f"{trouble}: is the target running, or the core without"
                               " its RAM?") from None


class Pools(Command):
    """tp pools: every allocator: live, peak, capacity, refused."""

    def run(self, _):
        rows = [("name", "kind", "full", "bank", "live", "peak", "of", "refused",
                 "unit")]
        for entry in entries():
            capacity, live, peak, refused, _ = entry.read()
            rows.append((entry.name, entry.title, entry.policy, entry.bank, live, peak,
                         capacity, refused, entry.unit))
        show(rows, 4)


class Slots(Command):
    """tp slots POOL: each slot of a pool that was ever issued."""
    WORDS = 1

    def run(self, name):
        pool = slots_of(name)
        free, wrong = pool.free_slots()
        rows = [("slot", "address", "state", "issued")]
        for slot in range(1, pool.fresh + 1):
            issued = pool.tags[slot] % LIVE if pool.tags else "-"
            rows.append((slot, f"{pool.address(slot):#010x}",
                         "live" if pool.is_live(slot, free) else "free", issued))
        show(rows, 3)
        print(f"{pool.capacity - pool.fresh} more were never issued"
              + (f"; {wrong}" if wrong else ""))


class Who(Command):
    """tp who ADDRESS: which allocator it lies in, which slot, how far into it."""
    WORDS = 1

    def run(self, text):
        address = int(gdb.parse_and_eval(text))
        found = [entry for entry in entries() if self._holds(entry, address)]
        if not found:
            raise gdb.GdbError(f"{address:#010x} lies in no allocator")
        for entry in found:
            print(f"{address:#010x}: {self._place(entry, address)}")

    @staticmethod
    def _holds(entry, address):
        begin, size = entry.memory()
        return begin <= address < begin + size

    @staticmethod
    def _place(entry, address):
        begin, _ = entry.memory()
        pool = entry.pool()
        if not pool:
            return f"{entry.title} {entry.name}, byte {address - begin} of it"
        slot, byte = divmod(address - pool.storage, pool.stride)
        slot += 1
        where = f"pool {entry.name}, slot {slot}, byte {byte}"
        if slot == 0 or byte >= pool.size:
            return f"pool {entry.name}, the red zone behind slot {slot}" if slot else \
                f"pool {entry.name}, the red zone before slot 1"
        if slot > pool.fresh:
            return f"{where}: never issued"
        live = pool.is_live(slot, pool.free_slots()[0])
        count = f", issued {pool.tags[slot] % LIVE} times" if pool.tags else ""
        return f"{where}: {'live' if live else 'free'}{count}"


class Check(Command):
    """tp check: whether each allocator's metadata agrees with itself."""

    def run(self, _):
        listed = [(entry, entry.read()[4]) for entry in entries()]
        bad = [(entry, wrong) for entry, wrong in listed if wrong]
        for entry, wrong in bad:
            print(f"{entry.title} {entry.name}: {wrong}")
        print(f"{len(listed)} allocators, {len(bad) or 'none'} broken")


class Holders(Command):
    """tp holders POOL: which lines of the application hold its live slots."""
    WORDS = 1

    def run(self, name):
        pool = slots_of(name)
        places = gdb.lookup_static_symbol("places")
        holder, first = map(gdb.lookup_static_symbol, ("holder", "first_slot"))
        if not (places and holder and first):
            raise gdb.GdbError("only a build with TIDEPOOL_SOAK knows who asked")
        index = [entry.name for entry in entries()].index(name)
        before, free = int(first.value()[index]) - 1, pool.free_slots()[0]
        held = Counter(int(holder.value()[before + slot])
                       for slot in range(1, pool.fresh + 1) if pool.is_live(slot, free))
        rows = [(count, self._line(places.value(), place))
                for place, count in held.most_common()]
        show([("slots", "asked for at"), *rows], 2)

    @staticmethod
    def _line(places, place):
        if place == 0:
            return "nobody knows"
        caller = (int(places[place - 1]["caller"]) & ~1) - 1
        return line_of(caller) or function_of(caller) or f"{caller:#010x}"


def line_of(address):
    """'serve() at main.c:40', of the application, whatever was inlined there: GDB
    does not tell, binutils do; "" without them."""
    tool, file = shutil.which(ADDR2LINE), gdb.objfiles()[0].filename
    if not tool:
        return ""
    words = [tool, "-f", "-i", "-e", file, hex(address)]
    lines = subprocess.run(words, stdout=subprocess.PIPE, text=True).stdout.split("\n")
    own = [f"{function}() at {place.split(' (')[0]}"
           for function, place in zip(lines[::2], lines[1::2])
           if not OURS.search(place) and not place.startswith("?")]
    return own[0] if own else ""


def function_of(address):
    """The function that was compiled as one, and its file."""
    block, outer = gdb.block_for_pc(address), None
    while block and not block.is_static:
        outer = block if block.function else outer
        block = block.superblock
    return f"{outer.function}() in {outer.function.symtab.filename}" if outer else ""


Prefix()
for command in (Pools, Slots, Who, Check, Holders):
    command(command.__name__.lower())
