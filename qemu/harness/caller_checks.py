# SPDX-License-Identifier: MIT
"""Who calls an allocator is whom its row names: allocates, frees and waits."""

from .number_text import grouped
from .records import CALLS

UNMASKED = {2: "the NMI", 3: "the HardFault"}
OF_A_CORE = 512  # Of its number in a priority: lib/check/tp_called.h.
NAMED = "who calls is whom the rows name"


def caller_lines(_, ledger):
    """(name, passed, detail, number)."""
    return [(NAMED, *_judged(ledger))]


def _judged(ledger):
    """(passed, detail, how many were not named)."""
    wrong = [stranger_sentence(ledger, one) for one in ledger.strangers]
    if wrong:
        return False, "; ".join(wrong), len(wrong)
    if not ledger.named:
        return None, "no row names one, or none could be told from another", 0
    unseen = [f"{ledger.pool_name(one.allocator)}, {_words(one.calls & ~one.seen)}"
              f" {one.name}" for one in ledger.named.values() if one.calls & ~one.seen]
    said = sum(bin(one.calls).count("1") for one in ledger.named.values())
    seen = sum(bin(one.calls & one.seen).count("1") for one in ledger.named.values())
    return True, f"{seen} of {said} that rows say were seen" + (
        f"; never was: {'; '.join(unseen)}" if unseen else ""), 0


def stranger_sentence(ledger, one):
    """Of whom, what, by whom, where, when; and whom the row names."""
    line = ledger.callers.get(one.site, f"0x{one.site:08x}")
    key, did = CALLS[one.call]
    names = [named.name for named in ledger.named.values()
             if named.allocator == one.allocator and named.calls & one.call]
    row = f"; its row says {key} = {names}".replace("'", '"') if names else ""
    return (f"{ledger.title(one.allocator)}: {_who(one)} {did} in {line}, frame"
            f" {grouped(one.frame)}{row}")


def named_sentence(one):
    """Of a context that a row names."""
    return (f"{one.name} {_words(one.calls)}; seen:"
            f" {_words(one.calls & one.seen) or 'nothing'}")


def _words(calls):
    return " and ".join(key for call, (key, _) in CALLS.items() if calls & call)


def _who(one):
    core, priority = divmod(one.priority, OF_A_CORE)
    where = f" of core {core}" * (core > 0)
    if one.exception == 0:
        return f"task {one.task}" if one.task else f"a task{where}"
    return UNMASKED.get(one.exception) or (
        f"exception {one.exception}{where}, an interrupt of priority {priority:#04x},")
