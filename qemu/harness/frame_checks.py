# SPDX-License-Identifier: MIT
"""What frames may take, how deep stacks may be, and what nobody may store to."""

from .frame_cost import LEARNED, SLOWER, SPIKE
from .number_text import clock, counted, grouped, span
from .options import FRAMES_PER_SECOND
from .plants import STORES
from .trend import means
from .trend_checks import listed

CREEP = 0.1  # Of the slowest minute: what a trend must come to.


def frame_lines(_, ledger):
    """(name, passed, detail, number) of each."""
    cost = ledger.frame_cost
    return [("frames keep their budget", *_budget(cost)),
            ("no frame takes far longer than others", *_spikes(cost)),
            ("frames do not become slower", *_slower(cost)),
            ("stacks hold", *_stacks(ledger.stacks.values())),
            (STORES, *_stores(ledger))]


def _budget(cost):
    if not cost.budget:
        return None, "none is stated; tp_soak_budget() does", cost.most
    said = (f"at most {grouped(cost.most)} instructions, in frame"
            f" {grouped(cost.most_frame)}, of {grouped(cost.budget)}")
    if cost.over_budget:
        said += f"; first above it in frame {grouped(cost.first_over)}"
    return not cost.over_budget, said, cost.most


def _spikes(cost):
    if cost.budget:
        return None, "not judged: a budget is stated", 0
    if not cost.is_learned:
        return None, _not_learned(cost), 0
    ratio = round(cost.most / max(cost.usual, 1), 1)
    said = (f"frame {grouped(cost.most_frame)} took {grouped(cost.most)}"
            f" instructions; the costliest of a second takes"
            f" {grouped(round(cost.usual))}, {SPIKE} times that is too much")
    if cost.spikes:
        said += (f"; {counted(cost.spikes, 'second')} with such a frame, the first"
                 f" is {grouped(cost.first_spike)}")
    return not cost.spikes, said, ratio


def _slower(cost):
    if not cost.is_learned:
        return None, _not_learned(cost), 0
    ratio = round(cost.slowest / max(1, cost.slowest_learned), 2)
    if cost.slow_minutes:
        at = clock(cost.first_slow / FRAMES_PER_SECOND)
        return False, (f"from {at} on a frame takes {grouped(cost.slowest)}"
                       " instructions in the mean of a minute, in the slowest of the"
                       f" first {LEARNED // FRAMES_PER_SECOND // 60}"
                       f" {grouped(cost.slowest_learned)}; {SLOWER} times that is"
                       " too much"), ratio
    trend = rising(cost)
    if trend:
        return False, (f"mean instructions of a frame in the quarters of the run:"
                       f" {listed(trend)}; score {trend.score}"), ratio
    return True, (f"the slowest minute takes {ratio:g} times what the slowest of the"
                  " first does"), ratio


def rising(cost):
    """The trend of what frames take, if it goes up; else None."""
    trend = means(cost.curve)
    return trend if trend and trend.rises(CREEP * cost.slowest) else None


def _not_learned(cost):
    if cost.most:
        return ("not judged below"
                f" {span(LEARNED / FRAMES_PER_SECOND)} of simulated time")
    return "not measured: the firmware uses SysTick itself, or says nothing of it"


def _stores(ledger):
    """One is a fault of the processor, and ends the run."""
    guard = ledger.guard
    if not guard or guard.why_not:
        return None, guard.why_not if guard else "the firmware says nothing of it", 0
    if not ledger.done:
        return None, "the run did not finish", 0
    return True, (f"the MPU kept the first 4 KiB and 0x{guard.begin:08x} to"
                  f" 0x{guard.end:08x}"), 0


def _stacks(stacks):
    if not stacks:
        return None, ("not looked at: no stack is known; a linker script names the end"
                      " of the main one as stack_low, __StackLimit or end"), 0
    wrong = [one for one in stacks if one.deepest >= one.size]
    said = "; ".join(f"{one.name}: {grouped(one.deepest)} of {grouped(one.size)} bytes"
                     for one in wrong or stacks)
    more = "; all that is looked at was used: tp_soak_stack() says how large it is"
    share = max(one.deepest / max(one.size, 1) for one in stacks)
    return not wrong, said + more * bool(wrong), round(share, 3)
