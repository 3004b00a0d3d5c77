# SPDX-License-Identifier: MIT
"""What a build that keeps its last events costs, lib/check/tp_events.h: instructions of
the calls that note one, and bytes of text."""

from support import build

import calls
from accesses import BOARD, FIRMWARE, sizes

EVENTS = 64
THEFT = "steal the oldest, and tell"  # The others take this way where they are noted.
NOTED = ("alloc", "free", "own: alloc", "own: free", "alloc_handle", "free_handle",
         "exclusive: alloc", "exclusive: free", THEFT)
UNNOTED = ("get", "pin", "stack: alloc", "dense: alloc")  # Nothing of it.
MOST = 50  # Instructions of a note; a theft makes two.


def built(target, kept):
    folder = build(BOARD, "fast", target, kind="bench-events" if kept else "",
                   TIDEPOOL_EVENTS=str(kept))
    return folder / f"{target}.elf"


def measured(emulate):
    """call -> its instructions without, and with; and "text": bytes."""
    plain, noting = (calls.read(emulate(built("calls", kept))) for kept in (0, EVENTS))
    found = {name: (plain[name], noting[name]) for name in NOTED + UNNOTED}
    found["text"] = tuple(sizes(built(FIRMWARE, kept))[0] for kept in (0, EVENTS))
    return found


def rows(found):
    """As bench.json has them."""
    return [{"name": f"events-{name}", "core": "M3", "opt": "-O2", "cost": noting,
             "cost_without": plain} for name, (plain, noting) in found.items()]


def table(found):
    lines = ["| call | without | with |", "|---|--:|--:|"]
    lines += [f"| {name} | {found[name][0]} | {found[name][1]} |" for name in NOTED]
    plain, noting = found["text"]
    return "\n".join(lines) + (
        "\n\nText of [qemu/dungeon](../qemu/dungeon), all of it, at -O2:"
        f" {plain} bytes, and {noting} with\nit, {noting - plain} more; RAM: 8 bytes,"
        " and 8 an event.")


def promises(found):
    """(sentence, measured, most)"""
    for name in NOTED:
        plain, noting = found[name]
        notes = 2 if name == THEFT else 1
        yield f"events: what {name} takes for a note", noting - plain, MOST * notes
    for name in UNNOTED:
        yield f"events: what {name} takes more", found[name][1] - found[name][0], 0
