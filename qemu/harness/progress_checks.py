# SPDX-License-Identifier: MIT
"""What goes on in a run must go on until its end."""

from .activity import MOVES, SPAN
from .number_text import clock, counted, span
from .options import FRAMES_PER_SECOND
from .trend_checks import FROM_SECONDS

STARVED = 300 * FRAMES_PER_SECOND  # Frames in which nobody is served,
REQUESTS = 60  # of so many that ask.


def progress_lines(options, ledger):
    """(name, passed, detail, number) of each."""
    names = ("nothing falls silent", "no pool starves")
    if options.sim_seconds < FROM_SECONDS:
        excuse = f"not judged below {span(FROM_SECONDS)} of simulated time"
        return [(name, None, excuse, 0) for name in names]
    return [(names[0], *_silent(ledger)), (names[1], *_starved(ledger)),
            *_unjudged(ledger)]


def _unjudged(ledger):
    """What may have fallen silent before it had a rhythm: a check each, skipped."""
    return [(f"{name} goes on", None, _too_seldom(one, ledger.frame), 0)
            for name, one in activities(ledger).items() if not one.is_known()]


def _too_seldom(one, frame):
    if not one.moves:
        return "not judged: nothing of it was seen to move"
    return (f"not judged: it moved in {counted(one.moves, 'sample')}, since"
            f" {clock(one.last / FRAMES_PER_SECOND)} in none, for"
            f" {span((frame - one.last) / FRAMES_PER_SECOND)}; a rhythm is {MOVES} of"
            f" them over {span(SPAN / FRAMES_PER_SECOND)}")


def activities(ledger):
    """Name -> what moves, of everything that may."""
    found = {one.title: one.activity for one in ledger.allocators
             if not one.keeps}
    found.update((f"figure {one.name}", one.activity)
                 for one in ledger.figures.values())
    if ledger.irqs:
        found["interrupts"] = ledger.interrupts
    return found


def _silent(ledger):
    """(passed, detail, the longest pause in units of the longest before it)."""
    known = {name: one for name, one in activities(ledger).items()
             if one.is_known()}
    if not known:
        return None, "not judged: nothing went on for a minute", 0
    wrong = [_sentence(name, one, ledger.frame) for name, one in known.items()
             if one.fell_silent(ledger.frame)]
    longest = max(one.pauses(ledger.frame) for one in known.values())
    return (not wrong, "; ".join(wrong) or f"{counted(len(known), 'source')} went"
            " on until the end", round(longest, 1))


def _sentence(name, one, frame):
    silence = (frame - one.last) / FRAMES_PER_SECOND
    return (f"{name}: nothing since {clock(one.last / FRAMES_PER_SECOND)}, for"
            f" {span(silence)}; before, it never paused for longer than"
            f" {span(one.longest / FRAMES_PER_SECOND)}")


def _starved(ledger):
    """(passed, detail, how many pools)."""
    wrong = [_refusals(one) for one in ledger.allocators
             if starves(one, ledger.frame)]
    return (not wrong, "; ".join(wrong) or "every pool that was asked served until"
            " the end", len(wrong))


def starves(one, frame):
    """Whether all that an allocator was asked for long before [frame] is refused."""
    return (one.counts_objects and not one.keeps and one.capacity_now > 0
            and frame - one.served[0] >= STARVED
            and one.refused - one.served[1] >= REQUESTS)


def _refusals(one):
    return (f"{one.name}: every one of"
            f" {counted(one.refused - one.served[1], 'request')} refused since"
            f" {clock(one.served[0] / FRAMES_PER_SECOND)}")
