# SPDX-License-Identifier: MIT
"""The rows of [contexts]: who may interrupt whom, and who waits for whom."""

import itertools

from .rows import Row

TASK_URGENCY = 256  # Behind that of every interrupt.


class Context(Row):
    """Who calls: "task", or { interrupt = ... } of a priority."""

    def __init__(self, section, what, name, node):
        super().__init__(section, what, name, node)
        self.forms = f'{name} = "task" or {name} = {{ interrupt = 0x40 }}'
        keys = node.value if isinstance(node.value, dict) else ()
        self.task = node.value == "task" or "core" in keys and "interrupt" not in keys
        if isinstance(node.value, str):
            self.node = node.emptied()

    @property
    def urgency(self):
        """Less is more: every interrupt comes before every task. None if it is
        neither."""
        return TASK_URGENCY if self.task else self.interrupt

    def interrupts(self, other):
        """Tasks preempt each other; interrupts of one priority do not. And nobody
        those of another core."""
        return self.core == other.core and (
            self.urgency < other.urgency or self.task and other.task)


def rivals(users):
    """The first two of whom one may interrupt the other, that one first; or None."""
    pairs = ((one, other) for pair in itertools.combinations(users, 2)
             for one, other in (pair, pair[::-1]) if one.interrupts(other))
    return next(pairs, None)


def endless(rows):
    """(row, sentence, hint) of each circle of contexts that wait for what only they
    free: the shortest first, and none that only leads into another."""
    wanted, told = stuck(rows), set()
    starts = [(name, row) for name in wanted for row in wanted[name]]
    for circle in sorted((follow(start, wanted) for start in starts), key=len):
        if not told.intersection(circle):
            told.update(circle)
            yield (circle[0][1],
                   "a wait that may never end: " + "; ".join(map(say, circle)),
                   way_out(*circle[0]))


def stuck(rows):
    """{context: rows}: the most contexts that can all wait for what only they free.

    Whoever is not among them goes on and frees, so whoever that wakes goes on, too.
    """
    waits = {}
    for row in rows:
        for user in row.named if row.knows("frees", "waits") else []:
            if user.task and user.name in row.waits and not ends(row):
                waits.setdefault(user.name, []).append(row)
    before = None
    while waits != before:
        before = waits
        left = {name: [row for row in wanted if set(row.frees) <= set(before)]
                for name, wanted in before.items()}
        waits = {name: wanted for name, wanted in left.items() if wanted}
    return waits


def ends(row):
    """Does the table say so? Then whoever has a slot goes on, and gives it back."""
    return row.frees and (row.waits_end or not row.knows("waits_end"))


def follow(start, wanted):
    """Who waits for whom, from [start] on: (context, row) in that order."""
    circle, met = [start], {start[0]}
    for _, row in circle:
        more = [name for name in row.frees if name not in met]
        met.update(more)
        circle += [(name, wanted[name][0]) for name in more]
    return circle


def way_out(name, row):
    if not row.frees:
        return 'frees = ["CONTEXT"] says who gives slots back'
    return (f"let another context free {row.name} too, or {name} call "
            f"{row.name}_alloc(), which does not wait; or, if nobody waits while he "
            "has one, waits_end = true")


def say(link):
    name, row = link
    if not row.frees:
        return f"{name} waits for {row.name}, which nobody frees"
    frees = "frees" if len(row.frees) == 1 else "free"
    return f"{name} waits for {row.name}, which only {' and '.join(row.frees)} {frees}"
