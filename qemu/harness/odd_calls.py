# SPDX-License-Identifier: MIT
"""Who did it, if a pool is found wrong and no one slot is meant.

All that was stored to its metadata in the seconds before is looked at: a store
by the application itself is guilty; else the place that did only once what
others did all the time. Of a leak it is who was issued what is never freed;
of a lock that was never given back, who took it; of thefts that nobody was told
of, the call that left out what all others did; of a frame that holds more than it
should, who uses it and did not a second before.
"""

from itertools import islice
from typing import NamedTuple

from .firmware_debug import ask_gdb
from .replay import NEAR_FRAMES, Known
from .result_folder import ELF
from .source_lines import home_of, is_application
from .suspects import LIVE

SOME_FRAMES = 4  # In which whoever uses a frame does so.
AUDITS_FRAMES = 61  # An audit comes once in so many.
LEAKED_FRAMES = 1200  # What lives on for so long was forgotten.
LEAKS = 8  # Slots that are looked at, the others being no other story.
GROUPS = 60  # Of calls that are told apart, by so many returns
RETURNS, STACK_LOOKED_AT = 4, 160  # in so many bytes of the stack.
BLX, BL = 0x4780, (0xF000, 0xD000)
LEAK = "live, but held by nobody: leaked"
UNLOCK = "interrupts are masked: an unlock was lost"
UNTOLD = "steals differ from evictions"
CALLS = 100  # That are compared, at most.
CPSID, CPSIE, MSR, PRIMASK = 0xB672, 0xB662, 0xF380, 0x8810


class Noticed(NamedTuple):
    """Where a finding showed that names no slot of its pool."""
    what: str
    frame: int
    tags: dict  # Address -> word, of all slots.
    ring: dict  # The same, of the links of the ring of ages.
    stops: tuple  # The place in the code.
    evict: int = 0  # Who is told of a theft.
    used: tuple = ()  # Ranges that say how much is used of what has no slots.


def tags_of(pool):
    return [(pool.tag + 4, 4 * pool.capacity)] if pool.has_tags else []


def ring_of(pool):
    return [(pool.age, 4 + 4 * pool.capacity)] if pool.age else []


def odd_deeds(replay, noticed, marks, work):
    """Name -> Moment of what was done wrongly; {} if that does not show."""
    if noticed.what == LEAK:
        return kept_deeds(replay, noticed, marks)
    if noticed.what == UNTOLD:
        return _left_out(replay, noticed, marks, work / ELF)
    if noticed.used:
        return _joined(replay, noticed, marks, work)
    return _odd_stores(replay, noticed, marks, work)


def kept_deeds(replay, noticed, marks):
    """Who was issued last what was live then and is long after."""
    replay.load(marks[-1])
    later = replay.approach(noticed.frame + LEAKED_FRAMES)[-1]
    replay.load(later)
    kept = [tag for tag, word in noticed.tags.items()
            if word >= LIVE and replay.gdb.word(tag) == word][-LEAKS:]
    known = Known(noticed.frame, {tag: noticed.tags[tag] for tag in kept})
    history = replay.history(marks, known, [(tag, 4) for tag in kept],
                             noticed.stops) if kept else ()
    issued = next((change for change in history if change.after >= LIVE), None)
    return {"issued": issued} if issued else {}


def _before(frame, marks):
    """The mark nearest before it, or else the first."""
    return ([mark for mark in marks if mark.frame <= frame] or marks[:1])[-1]


def _left_out(replay, noticed, marks, elf):
    """The call by which an owner is told that did not do what all others did, where
    it went another way than they."""
    mark = _before(noticed.frame - AUDITS_FRAMES, marks)
    replay.load(mark)
    calls = list(islice(replay.calls_of(noticed.evict, noticed.frame), CALLS))
    paths = [by_level([step.registers for step in steps]) for steps in calls]
    for at in reversed(range(len(paths) if len(paths) > 2 else 0)):
        others = paths[:at] + paths[at + 1:]
        parted = parting(paths[at], others)
        if parted is not None:
            return {"left_out": calls[at][parted]._replace(mark=mark)}
    return {}


def by_level(steps):
    """(address, calls within calls) of each: a call is left where it returns to."""
    path, under_way, last = [], [], 0
    for *_, stack, back, now in (step[:16] for step in steps):
        if under_way and (now, stack) == under_way[-1]:
            under_way.pop()
        elif 2 <= (back & ~1) - last <= 4 and now != back & ~1:
            under_way.append((back & ~1, stack))
        path.append((now, len(under_way)))
        last = now
    return path


def parting(path, others):
    """Where a path of (address, level) went on another way than to what all others
    have, the first of the least levels; None if it has all of that."""
    missed = set.intersection(*map(set, others)) - set(path)
    known = [one for one, ahead in zip(others[0], others[0][1:])
             if one not in missed and ahead in missed and one in path]
    least = min(known, key=lambda one: one[1], default=None)
    return len(path) - 1 - path[::-1].index(least) if known else None


def _joined(replay, noticed, marks, work):
    """The newest change by somebody who made none a second before."""
    def changes(frame):
        mark = _before(frame - SOME_FRAMES, marks)
        replay.known(mark, [], frame - SOME_FRAMES)
        return [change._replace(mark=mark)
                for change in replay.changes(noticed.used, frame)]
    latest = changes(noticed.frame)
    now = by_place(latest, Returns(replay), work)
    before = by_place(changes(noticed.frame - AUDITS_FRAMES), Returns(replay), work)
    new = [change for place, changes in now.items() if place not in before
           for change in changes]
    return {"joined": max(new, key=latest.index)} if before and new else {}


def _odd_stores(replay, noticed, marks, work):
    mark = _before(noticed.frame - AUDITS_FRAMES, marks)
    replay.load(mark)
    # However far from it the mark is.
    since = noticed.frame - AUDITS_FRAMES - NEAR_FRAMES
    stores = [store._replace(mark=mark) for store in replay.stores(
        [*noticed.tags, *noticed.ring], noticed.frame, noticed.stops)
        if store.frame >= since]
    return _by_application(stores, work / ELF) or _only_one(
        [store for store in stores if store.address in noticed.tags],
        Returns(replay), work)


def _by_application(stores, elf):
    """The last store to metadata that is in no function of the library's."""
    last = {store.registers[15]: store for store in stores}
    guilty = [store for counter, store in last.items()
              if is_application(home_of(elf, counter))]
    return {"access": max(guilty, key=lambda store: store.frame)} \
        if guilty else {}


def _only_one(stores, returns, work):
    """What was issued or freed in the one place that did so once."""
    return {"issued" if group[-1].after >= LIVE else "freed": group[-1]
            for group in by_place(stores, returns, work).values()
            if len(group) == 1}


def by_place(stores, returns, work):
    """Place of the application -> what it stored, of those that did so least; of what
    leads to none, nothing, for a stop may come before a function has a frame."""
    groups = {}
    for store in stores:
        calls = (store.registers[15], *returns.all_in(store.stack)[:RETURNS])
        groups.setdefault(calls, []).append(store)
    chosen = sorted(groups.values(), key=len)[:GROUPS]
    traces = ask_gdb(work, moments=[group[-1] for group in chosen])["backtraces"]
    places = {}
    for group, trace in zip(chosen, traces):
        place = _own(trace)
        if place:
            places.setdefault(place, []).extend(group)
    return places


class Returns:
    """Which words of a stack calls return to."""

    def __init__(self, replay):
        self._replay = replay
        self._known = {}

    def all_in(self, stack):
        words = [int.from_bytes(stack[at:at + 4], "little")
                 for at in range(0, STACK_LOOKED_AT, 4)]
        return [word for word in words if self._is_one(word)]

    def _is_one(self, word):
        if word not in self._known:
            self._known[word] = bool(word & 1) and self._follows_call(word - 1)
        return self._known[word]

    def _follows_call(self, address):
        code = self._replay.gdb.read(address - 4, 4)
        high = int.from_bytes(code[:2], "little")
        low = int.from_bytes(code[2:], "little")
        return low & 0xFF87 == BLX or (high & 0xF800, low & 0xD000) == BL


def _own(trace):
    own = next((place for place in trace if is_application(place["file"])), None)
    return own and (own["file"], own["line"])


def who_locked(replay, path):
    """The address at which the lock was taken that is held still."""
    taken, code = [], {}
    for at in path:
        if at not in code:
            code[at] = replay.gdb.read(at, 4)
        first = int.from_bytes(code[at][:2], "little")
        second = int.from_bytes(code[at][2:], "little")
        if first == CPSID:
            taken.append(at)
        elif taken and (first == CPSIE or first & 0xFFF0 == MSR
                        and second == PRIMASK):
            taken.pop()
    return taken[0] if taken else 0
