# SPDX-License-Identifier: MIT
"""Who waits for a slot, in the order in which they are served: the rows that say
wait = true, lib/policy/tp_wait.h."""

from . import Unreadable
from .memory import Missing
from .owners import made_or_none


class Waiters:
    """The lists of all such rows; Unreadable where there is none."""

    def __init__(self, firmware):
        self.memory = firmware.memory
        found = [(firmware.entry_at(it.pool), it.state)
                 for it in firmware.named("_wait", "tp_wait")]
        # A function may have such a name, too: it leads to no pool.
        self.states = {entry.name: state for entry, state in found if entry}
        if not self.states:
            raise Unreadable("no row has wait = true")

    def of(self, name):
        """([struct tp_waiter], of whom the first is served next; what is wrong with the
        list, or "")."""
        found = {}
        try:
            link = self.memory.struct("tp_wait_state", self.states[name]).first
            while link.waiter:
                at = link.waiter
                if at in found or at != link.copy:
                    return list(found.values()), "the list of them was written over"
                found[at] = self.memory.struct("tp_waiter", at)
                link = found[at].next
        except Missing as missing:
            return list(found.values()), f"who waits behind that: {missing}"
        return list(found.values()), ""


def waiters(firmware, name):
    """Which lines of the application wait for a slot of the pool."""
    lists = Waiters(firmware)
    firmware.index(name)
    if name not in lists.states:
        raise Unreadable(f"{name} does not say wait = true")
    return told(firmware, lists, name) or ["nobody waits"]


def told(firmware, lists, name):
    found, trouble = lists.of(name)
    lines = [f"{number}. {firmware.lines.caller(it.caller)}, urgency {it.urgency}"
             for number, it in enumerate(found, 1)]
    return lines + [trouble] * bool(trouble)


def all_waiters(firmware):
    """The same of every pool that somebody waits for."""
    lists, lines = made_or_none(Waiters, firmware), []
    for name in lists.states if lists else ():
        own = told(firmware, lists, name)
        if own:
            lines += [f"{name}: waited for by", *("  " + line for line in own)]
    return lines
