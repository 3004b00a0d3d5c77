# SPDX-License-Identifier: MIT
"""Which words of memory tell who made a mistake that was noticed."""

POISON, RED = 0x1DEADB0B, 0x0DDBA115  # As in lib/check/tp_level.h.
LIVE = 0x80000000  # A tag's highest bit.
ONE_LIVE = 0x10000  # In a word of the list: below is the slot that it leads to.
OUTSIDE = 2  # In .hardened of a pool, as in lib/check/tp_check.h.
RESEALED = "the generation of a slot was written over"

# What a fault or an audit calls the mistake -> the words to look at.
WORDS = {
    "poison": "damage", "red-zone": "damage", "link": "list",
    "retain": "damage", "tag": "list",
    "a dead slot was written to": "poison",
    "a red zone was written to": "red zone", "the age ring is broken": "age",
    "the free list is broken": "list", "a link was written over": "list",
    RESEALED: "tag", "the live count is wrong": "tag",
}


# Those of a slot that nobody has.
POISONED = ("poison", "a dead slot was written to")
OF_THE_DEAD = (*POISONED, "link", "a link was written over", "the free list is broken")


def means_dead(what):
    return what in OF_THE_DEAD


def died_unpoisoned(finding, change):
    """Whether a change of a tag, since which nobody wrote to a dead slot that holds no
    poison, made it dead: who frees poisons."""
    return finding.what in POISONED and change.before >= LIVE > change.after


def names_a_word(finding):
    which = WORDS.get(finding.what)
    return bool(finding.slot) or which == "age" or finding.what == "link" \
        or which == "damage" and bool(finding.address)


def is_harmless(finding, change, links=()):
    """Whether a change of a damaged word is one that calls of the library make: to
    a tag whose generation was written over they go on to count; and what is freed has
    no link yet, of `links` that there are, and is linked to what the list led to."""
    if links and change.address in links:
        return change.before not in links.values()
    return finding.what == RESEALED and (
        change.after == LIVE + 1
        or (change.after - change.before) % 2**32 in (LIVE, LIVE + 1))


class Pool:
    """A pool's descriptor, as it stands in the memory of a Replay."""

    def __init__(self, replay, address, fields, is_off=False):
        self._replay = replay
        self._address = address
        self._fields = fields
        self.is_off = is_off  # The words of its list are addresses of slots.

    def __getattr__(self, name):
        offset, size = self._fields[name]
        return int.from_bytes(
            self._replay.gdb.read(self._address + offset, size), "little")

    def slot(self, number):
        return self.storage + self.stride * (number - 1)

    @property
    def lead(self):
        """The bytes of an object that stand before its link."""
        return self.stride - self.size - self.zone

    def tag_of(self, slot):
        return self.tag + 4 * slot

    @property
    def has_tags(self):
        """Each slot its own; at `off` only where the row has handles, say."""
        return not self.is_off or bool(self.tagged)

    @property
    def is_outside(self):
        """Whether its links lie behind its tags."""
        return bool(self.hardened & OUTSIDE)

    def link_of(self, slot):
        tags = self.capacity if self.has_tags else 1  # Which nobody uses.
        return self.tag_of(tags + slot) if self.is_outside else self.slot(slot)

    @property
    def off_links(self):
        """At `off`, by the address of each what a link can say but for 0."""
        slots = range(1, self.capacity + 1) if self.is_off else ()
        return {self.link_of(slot): self.slot(slot) for slot in slots}

    def slot_at(self, address):
        """Which begins there; 0 if none does."""
        number, rest = divmod(address - self.storage, self.stride)
        return 0 if rest or not 0 <= number < self.capacity else number + 1


def damaged_words(finding, pool, replay):
    """The addresses of the words that hold what they should not."""
    which = WORDS.get(finding.what)
    if which == "damage":
        return {finding.address + finding.offset & 0xFFFFFFFC}
    if not which or not pool:
        return set()
    if which == "list" and pool.is_off:
        return _off_list(finding, pool, replay)
    if which == "list" and finding.slot > pool.capacity:
        return {pool.tag}  # What others lead to, is looked at before.
    if finding.slot or which == "age":
        return _FIND[which](finding, pool, replay)
    return {pool.tag} if finding.what == "link" else set()  # It names no slot.


def descriptor_words(finding, seal, replay):
    """Those of the descriptor that scenes write, with a struct tp_seal at an address:
    if what was found is that somebody else wrote there, too."""
    begin, _, _, count = replay.values([(seal, 16)]).values()
    is_it = finding.what == "invariant" and finding.address == begin
    return {begin + 4 * at for at in range(count)} if is_it else set()


def _tag(finding, pool, _):
    return {pool.tag_of(finding.slot)}


def _list(finding, pool, replay):
    """Of what the list leads to, what says that it lives; or else its link. Or the
    link that leads there, if that is wrong; none, if it was written over since."""
    tag = pool.tag_of(finding.slot)
    lives = replay.gdb.word(tag) >= LIVE
    astray = _astray(pool, replay, finding.slot, lives)
    if astray:
        return {astray} - {pool.tag}
    return {tag if lives or finding.what == "tag" else pool.link_of(finding.slot)}


def _off_list(finding, pool, replay):
    """The same where the words of the list are addresses: which leads to no slot, back
    to one before, or to the slot that was found, which was never issued."""
    leads, at = {}, pool.tag  # The word that leads to each.
    while pool.slot_at(replay.gdb.word(at)) not in (0, *leads):
        slot = pool.slot_at(replay.gdb.word(at))
        if pool.has_tags and replay.gdb.word(pool.tag_of(slot)) >= LIVE:
            return {pool.tag_of(slot)}
        leads[slot], at = at, pool.link_of(slot)
    is_whole = replay.gdb.word(at) == 0
    return {leads.get(finding.slot) if is_whole else at} - {None, pool.tag}


def _astray(pool, replay, slot, lives):
    """The address of the word of the list that leads to a slot wrongly; 0 if it is
    not known to do so. Where the slot itself is wrong, its link fits no other."""
    top = replay.gdb.word(pool.tag)
    tags = replay.values([(pool.tag_of(1), 4 * pool.capacity)])
    if top // ONE_LIVE != sum(tag >= LIVE for tag in tags.values()):
        return 0  # As while an interrupt is issued one.
    links = {at: pool.link_of(at) for at, tag in enumerate(tags.values(), 1)
             if tag < LIVE or at == slot}
    words = {0: top, **{at: replay.gdb.word(link) for at, link in links.items()}}
    before = _before(words, slot)
    if before is None:
        return 0
    is_sound = lives or any(
        _follows(word, words[slot]) for at, word in words.items()
        if at not in (slot, before) and word % ONE_LIVE == slot)
    return links.get(before, pool.tag) if is_sound else 0


def _before(words, slot):
    """Whose link, of the list that begins with words[0], is the first that leads to
    what does not follow, if that is the slot; or None."""
    before = 0
    for _ in words:
        top = words[before] % ONE_LIVE
        if top == 0 or top not in words:
            return None
        if not _follows(words[before], words[top]):
            return before if top == slot else None
        before = top
    return None


def _follows(word, link):
    """Whether a link is of the list that comes to it by a word."""
    return link // ONE_LIVE == word // ONE_LIVE + 1


def _poison(finding, pool, replay):
    """The words of a dead slot, its link aside, that are no poison."""
    begin = pool.slot(finding.slot)
    first = begin if pool.is_outside else begin + 4
    return _others(replay, first, begin + pool.size, POISON)


def _red_zone(finding, pool, replay):
    """The words before and behind a slot that are no red zone. Some bytes of the
    next object may stand behind that: its link does not begin it."""
    behind = pool.slot(finding.slot) + pool.size
    return {word for begin in (behind - pool.stride, behind)
            for word in _others(replay, begin, begin + pool.zone, RED)}


def _others(replay, begin, end, pattern):
    words = replay.values([(begin, end - begin)])
    return {address for address, word in words.items() if word != pattern}


def _age(_, pool, replay):
    """The links of the ring that do not answer each other: a pair of halves a
    slot, to the newer and to the older."""
    ring = replay.gdb.read(pool.age, 4 * (pool.capacity + 1))
    links = [(int.from_bytes(ring[at:at + 2], "little"),
              int.from_bytes(ring[at + 2:at + 4], "little"))
             for at in range(0, len(ring), 4)]
    return {pool.age + 4 * slot for ahead in (0, 1)
            for slot in _broken(links, ahead)}


def _broken(links, ahead):
    """Where the ring, followed in one direction, first does not answer."""
    slot = 0
    for _ in links:
        following = links[slot][ahead]
        if following >= len(links) or links[following][1 - ahead] != slot:
            return [slot]
        slot = following
    return []


_FIND = {"tag": _tag, "list": _list, "poison": _poison, "red zone": _red_zone,
         "age": _age}
