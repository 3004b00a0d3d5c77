# SPDX-License-Identifier: MIT
"""What a run shows as a whole, and where `why` can look for who does it: an object
that lives on, memory that is never given back, frames that take too long, a stack
that is used up."""

from .frame_cost import LEARNED
from .odd_calls import LEAKED_FRAMES
from .trend import floors
from .trend_checks import LEAST

OUTLIVED = "it lives longer than its row says"
KEPT = "ever more are live"
SPIKE = "a frame takes far longer than others"
SLOWER = "frames have become slower"
DEEP = "all of a stack was used"
KINDS = (OUTLIVED, KEPT, SPIKE, SLOWER, DEEP)


def suspicions(ledger):
    """What there is to look into, the surest first: what, the frame, the pool, its
    slot, and a frame to compare with."""
    found = [*_outlived(ledger), *_kept(ledger), *_deep(ledger),
             *_slow(ledger.frame_cost, ledger.frame)]
    return [_suspicion(*one) for one in found]


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
            if frame > 0 and ledger.done and not one.steals_when_full and not one.keeps
            and _rises(one)]


def _rises(one):
    trend = floors(one.curve)
    return bool(trend) and trend.rises(LEAST)


def _slow(cost, last):
    """Held against the frame before, or against one of those that were learned."""
    if cost.spikes:
        return [(SPIKE, cost.first_spike, "", 0, cost.first_spike - 1)]
    return [(SLOWER, last - 60, "", 0, LEARNED // 2)] if cost.slow_minutes else []


def _deep(ledger):
    return [(DEEP, one.frame, one.name, 0, 0, one.size)
            for one in ledger.stacks.values() if one.deepest >= one.size
            and one.name == "main"]
