# SPDX-License-Identifier: MIT
"""What happened when: the first of each kind, and what went wrong."""

FIRSTS = {"full": "full for the first time", "refused": "first request refused",
          "steals": "first object stolen", "spills": "first object spilled"}
SHOWN = 40


def events(ledger):
    """(frame, words, is it bad) in the order of time."""
    found = [(frame, f"{one.name}: {FIRSTS[what]}", False)
             for one in ledger.allocators for what, frame in one.firsts.items()]
    first = {scene.name: scene.frame for scene in reversed(ledger.scenes)}
    found += [(frame, f"scene {name}", False) for name, frame in first.items()]
    if ledger.planted:
        found.append((ledger.planted.frame, f"{ledger.place(ledger.planted)}:"
                      f" {ledger.planted.name} planted, as asked", False))
    found += [(fault.frame, f"{ledger.place(fault)}: {fault.kind} fault", True)
              for fault in ledger.faults]
    found += [(first.frame, f"{ledger.place(first)}: {first.text}", True)
              for _, first in ledger.audits_folded[:SHOWN]]
    return sorted(found, key=lambda event: event[0])
