# SPDX-License-Identifier: MIT
"""What a run shows as a whole, and where `why` can look for who does it: an object
that lives on, memory that is never given back or cut up, what falls silent, peaks
that creep, frames that take too long, a stack that is used up."""

from .frame_checks import rising
from .frame_cost import LEARNED
from .odd_calls import LEAKED_FRAMES
from .options import FRAMES_PER_SECOND
from .progress_checks import starves
from .trend import floors, means, peaks
from .trend_checks import (FROM_SECONDS, changes_rate, cut_up, drifts, of_trends,
                           rises)

OUTLIVED = "it lives longer than its row says"
KEPT = "ever more are live"
SPIKE = "a frame takes far longer than others"
SLOWER = "frames have become slower"
DEEP = "all of a stack was used"
SILENT = "nothing is issued or freed any more"
CREEPS = "its peak goes up and up"
CUT_UP = "its memory is cut up ever more"
RATE = "interrupts do not come as often as before"
FIGURE = "a figure has stopped, or drifts"
# What is looked into when which checks fail.
KINDS = {OUTLIVED: ("no object outlives its pool's life",),
         KEPT: ("no floor rises", "no pool starves"),
         SPIKE: ("frames keep their budget", "no frame takes far longer than others"),
         SLOWER: ("frames do not become slower",), DEEP: ("stacks hold",),
         SILENT: ("nothing falls silent",), CREEPS: ("no peak creeps",),
         CUT_UP: ("memory is not cut up ever more",),
         RATE: ("interrupts come as often as before", "nothing falls silent"),
         FIGURE: ("{} is flat", "nothing falls silent")}


def suspicions(ledger):
    """What there is to look into, the surest first: what, the frame, the pool, its
    slot, and a frame to compare with. Only what a check fails for: no trend of a
    short run."""
    looks = [_outlived, _deep, _slow]
    if ledger.frame >= FROM_SECONDS * FRAMES_PER_SECOND:
        looks = [_outlived, _kept, _deep, _cut_up, _interrupts, _silent, _creeping,
                 _slow, _figures]
    return [_suspicion(*one) for look in looks for one in look(ledger)]


def checks_of(suspicion):
    """The names of those that fail for it."""
    return [name.format(suspicion["pool"]) for name in KINDS[suspicion["what"]]]


def _suspicion(what, frame, pool="", slot=0, than=0, address=0):
    return {"what": what, "frame": frame, "pool": pool, "slot": slot, "than": than,
            "address": address}


def _outlived(ledger):
    return [(OUTLIVED, one.first_outlived.frame, one.name, one.first_outlived.slot)
            for one in ledger.pools if one.first_outlived]


def _kept(ledger):
    """A while before the end, for what is kept is live then and at the end."""
    frame = ledger.frame - 2 * LEAKED_FRAMES
    return [(KEPT, frame, one.name) for one in ledger.pools
            if ledger.done and not one.steals_when_full and not one.keeps
            and (rises(floors(one.curve)) or starves(one, ledger.frame))]


def _slow(ledger):
    """Held against the frame before, or against one of those that were learned;
    within a budget any frame may be."""
    cost = ledger.frame_cost
    first = cost.first_over if cost.budget else cost.first_spike
    if first:
        return [(SPIKE, first, "", 0, first - 1)]
    is_slower = cost.is_learned and (cost.slow_minutes or rising(cost))
    return [(SLOWER, ledger.frame - 60, "", 0, LEARNED // 2)] if is_slower else []


def _deep(ledger):
    return [(DEEP, one.frame, one.name, 0, 0, one.size)
            for one in ledger.stacks.values() if one.deepest >= one.size
            and one.name == "main"]


def _silent(ledger):
    """Pools first, for of those more is known."""
    found = [one for one in ledger.allocators
             if not one.keeps and one.activity.fell_silent(ledger.frame)]
    return [(SILENT, one.activity.last, one.name)
            for one in sorted(found, key=lambda one: one.kind != "pool")]


def _creeping(ledger):
    known = of_trends(ledger) if ledger.done else ()
    return [(CREEPS, one.peak_frame, one.name)
            for one in known if rises(peaks(one.curve))]


def _cut_up(ledger):
    """A while before the end, as of what is kept."""
    frame = ledger.frame - 2 * LEAKED_FRAMES
    return [(CUT_UP, frame, one.name) for one in ledger.allocators
            if ledger.done and cut_up(one)]


def _interrupts(ledger):
    """When they came last: at the end, if it is their rate that changed."""
    one = ledger.interrupts
    is_odd = ledger.irqs and (one.fell_silent(ledger.frame)
                              or ledger.done and changes_rate(means(one.curve)))
    return [(RATE, one.last)] if is_odd else []


def _figures(ledger):
    return [(FIGURE, one.activity.last, one.name) for one in ledger.figures.values()
            if one.activity.fell_silent(ledger.frame)
            or one.flat and ledger.done and drifts(one)]
