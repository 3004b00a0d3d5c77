# SPDX-License-Identifier: MIT
"""The bugs the rig can plant, and what is promised of each."""

from typing import NamedTuple

from .options import CHECKS
from .records import Fault
from .suspects import RESEALED

# The console audits all its counts and pools once a simulated second.
SECOND = 60


class Plant(NamedTuple):
    what: str
    level: str  # From this level of checks on it is found,
    within: int  # in at most so many frames,
    names: tuple  # as one of these faults or audits,
    access: tuple = ()  # and with --sanitize at once, as one of these.


POISONED = ("poison", "a dead slot was written to")
ZONED = ("red-zone", "a red zone was written to")
BROKEN_LIST = ("the free list is broken", "the free list has the wrong length")
LINKED = ("link", "tag", "a link was written over", *BROKEN_LIST)

PLANTS = {
    "leak": Plant("one object in 10 000 is never freed", "off", SECOND,
                  ("live, but held by nobody: leaked",)),
    "double-free": Plant("an object is freed twice", "fast", 0,
                         ("double-free",)),
    "interior": Plant("a pointer into the middle of an object is freed",
                      "fast", 0, ("interior",)),
    "foreign": Plant("a pointer to something else is freed", "fast", 0,
                     ("foreign",)),
    "stale-handle": Plant("a handle is kept after its object was freed", "off",
                          SECOND, ("held, but not live: a stale reference",)),
    "write-after-free": Plant("an object is written to after it was freed",
                              "poison", SECOND, POISONED, ("dead",)),
    "overrun": Plant("one byte is written behind an object", "full", SECOND,
                     ZONED, ("beside",)),
    "underrun": Plant("one byte is written before an object", "full", SECOND,
                      ZONED, ("beside",)),
    "flip-free": Plant("a bit flips in a free slot", "poison", SECOND,
                       POISONED, ("dead",)),
    "flip-link": Plant("a bit flips in the link of a free slot", "fast",
                       SECOND, LINKED, ("dead", "metadata")),
    "flip-generation": Plant("a bit flips in a slot's generation", "off",
                             SECOND, ("generations differ from allocs", RESEALED,
                                      "a generation was written over", "invariant",
                                      "tag"),
                             ("metadata",)),
    "flip-live": Plant("a bit flips that says whether a slot is live", "off", SECOND,
                       ("tag", "double-free", "poison", "invariant",
                        "live counts differ",
                        "generations differ from allocs", "the live count is wrong",
                        *BROKEN_LIST), ("metadata",)),
    "flip-age": Plant("a bit flips in a link of the age ring", "off", 0,
                      ("the age ring is broken",), ("metadata",)),
    "flip-descriptor": Plant("a bit flips in a descriptor that scenes write", "fast",
                             0, ("invariant",), ("metadata",)),
    "lost-unlock": Plant("interrupts are masked and never let in again", "off",
                         0, ("interrupts are masked: an unlock was lost",)),
    "wrong-victim": Plant("the oldest object is spared, another stolen", "off",
                          20 * SECOND, ("the victim was not the oldest",)),
    "forgotten-init": Plant("a new object is not initialised", "poison",
                            SECOND, ("live, but never initialised",)),
    "skipped-evict": Plant("an owner is not told that his object was stolen",
                           "off", SECOND, ("steals differ from evictions",)),
    "frame-drift": Plant("a frame allocates a byte more every frame", "off",
                         SECOND, ("draw: a frame used more than was drawn",)),
    "unbalanced-pin": Plant("an object is unpinned twice", "fast", 0,
                            ("pin",)),
}

# What only the game's code can do wrong, and only the console's audits find.
GAMES = ("leak", "stale-handle", "wrong-victim", "forgotten-init", "skipped-evict",
         "frame-drift")


class Lasting(NamedTuple):
    """What goes on and on, and fails a check of the run as a whole."""
    what: str
    checks: tuple  # One of them fails.
    names: tuple = ()  # As the demo's own audits find it, in a second.
    guard: str = ""  # A check that says whether it ends the run,
    asks: dict = {}  # and what the run must be asked for.
    access: tuple = ()  # As the sanitizer calls it, at once.

    @property
    def shown_by(self):
        """The checks without which it does not show."""
        return *self.checks, self.guard


STORES = "nothing stores to address 0 or to code"
TIMER = {"interrupts": "timer"}

# A slot of which the game knows nothing.
HELD = ("live counts differ", "live, but held by nobody: leaked")


LASTING = {
    "slow-leak": Lasting("an object in 300 frames is never freed",
                         ("no floor rises",), HELD),
    "dead-pool": Lasting("all slots are taken and never freed",
                         ("nothing falls silent", "no pool starves"), HELD),
    "creeping-peak": Lasting("every ten seconds one object more is held",
                             ("no peak creeps",), HELD),
    "slow-frames": Lasting("frames become many times slower",
                           ("frames do not become slower",)),
    "slow-frame": Lasting("one frame of 600 becomes many times slower",
                          ("no frame takes far longer than others",
                           "frames keep their budget")),
    "null-store": Lasting("a word is stored at address 0", ("the run finished",),
                          guard=STORES, access=("null-page",)),
    "flash-store": Lasting("a word is stored among the code", ("the run finished",),
                           guard=STORES),
    "outlived": Lasting("an object outlives what its pool's row says",
                        ("no object outlives its pool's life",)),
    "wrapped-clock": Lasting("times are compared that wrap: see --near-wrap",
                             ("nothing falls silent", "no pool starves"),
                             asks={"near_wrap": True}),
    "storm": Lasting("with --interrupts timer, they come ever more often",
                     ("interrupts come as often as before",), asks=TIMER),
    "lost-interrupts": Lasting("with --interrupts timer, ever more of them are lost",
                               ("interrupts come as often as before",), asks=TIMER),
    "holes": Lasting("blocks that stay cut up memory that moves",
                     ("memory is not cut up ever more",)),
    "figure-drift": Lasting("a figure said to be flat goes up and up",
                            ("what was planted is flat",)),
    "deep-stack": Lasting("33 KiB of the stack are used", ("stacks hold",)),
}


class Access(NamedTuple):
    """What does no damage that anybody could find, or seldom: only the sanitizer calls
    it by its name, in the frame that it is done in."""
    what: str
    access: tuple
    names: tuple = ()
    asks: dict = {"pool_sanitizer": True}
    key: str = ""  # Of a row that says so; without one it is never made.


ACCESSES = {
    "read-after-free": Access("an object is read after it was freed", ("dead",)),
    "stale-pointer": Access("a pointer to an object is written by once that is freed",
                            ("dead",)),
    "ended-frame": Access("what a frame gave is read when its buffer has another turn",
                          ("dead",)),
    "unlocked-block": Access("a block that may move is written to, not locked",
                             ("unlocked",)),
    "moved-block": Access("a block is read where it was before it moved",
                          ("dead", "unlocked")),
    "block-end": Access("a word behind the bytes asked for of a block is written",
                        ("beside",)),
    "null-read": Access("a member of what NULL points to is read", ("null-page",)),
    "unwritten-word": Access("a word of a new object is read that nobody wrote",
                             ("unwritten",), key="written"),
    "lent-object": Access("an object is read that a device has and writes to",
                          ("device",), key="dma"),
}
ALL = {**PLANTS, **LASTING, **ACCESSES}


class Found(NamedTuple):
    how: str  # What the firmware called it.
    frames: int  # From the deed until then; None: until the end of the run.


def claims(options):
    """Every class of bugs and whether this run looked for it: in somebody's own
    firmware those that the soak knows to plant there."""
    return [{"bug": plant.what, "level": plant.level,
             "looked_for": _is_looked_for(plant, options)}
            for name, plant in PLANTS.items()
            if not options.elf or name not in GAMES] + [
        {"bug": plant.what, "level": "--sanitize",
         "looked_for": options.pool_sanitizer} for plant in ACCESSES.values()]


def _is_looked_for(plant, options):
    """What is written beside an object takes its red zones, sanitized or not."""
    is_asked = options.pool_sanitizer and plant.access and plant.names != ZONED
    return bool(is_asked) or \
        CHECKS.index(plant.level) <= CHECKS.index(options.checks)


def failed_for(name, checks):
    """The check that what lasts is to fail, if it did; None if not."""
    if name not in LASTING:
        return None
    failed = [check for check in checks if check.failed
              and check.name in LASTING[name].checks]
    return Found(failed[0].name, None) if failed else None


def found(name, planted, findings):
    """The first of the findings since then that calls the bug by its name, or None;
    so it is of a bug that only the firmware knows."""
    plant = ALL.get(name)
    if not plant:
        return None
    for finding in findings:
        how = finding.kind if isinstance(finding, Fault) else finding.text
        if finding.frame >= planted.frame and how in plant.names + plant.access:
            return Found(how, finding.frame - planted.frame)
    return None
