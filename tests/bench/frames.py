# SPDX-License-Identifier: MIT
"""What a frame of all objects costs for each that lives, by how many slots do."""

import re

# The least that each costs: with all slots live, with a quarter of them. The goals
# are 14 and 20, and 12 for a walk of a dense pool: a step that says whether its object
# goes on costs one more than the chapter's, and a dead slot as much as there.
MOST = {"update": {1: 15, 4: 33}, "dense_walk": {1: 12}}
LOOPS = {
    "chapter": "the loop of the chapter, which frees nobody",
    "update": "`NAME_update()`",
    "update_isr": "`NAME_update()`, `isr = true`",
    "update_called": "`NAME_update()` of what may be lent, `tp_object_update()`",
    "dense_walk": "`NAME_walk()` of a dense pool",
    "dense_at": "the same by `NAME_at()`",
    "dense_next": "the same by `NAME_next()`",
}


def read(output):
    """(loop, one in how many slots lives) -> instructions for each that does"""
    lines = re.findall(r"^frame (\w+) live=(\d+) each=(\d+)$", output, re.M)
    most = max(int(live) for _, live, _ in lines)
    return {(name, most // int(live)): int(each) for name, live, each in lines}


def table(found):
    shares = sorted({share for _, share in found})
    heads = ["full"] + [f"1 in {share}" for share in shares[1:]]
    lines = ["| loop | " + " | ".join(heads) + " |", "|---|" + "--:|" * len(heads)]
    for name, text in LOOPS.items():
        counts = [str(found.get((name, share), "")) for share in shares]
        lines.append(f"| {text} | " + " | ".join(counts) + " |")
    return "\n".join(lines)


def promises(found):
    """(sentence, measured, most)"""
    for name, shares in MOST.items():
        for share, most in shares.items():
            yield (f"{name}: each object, one in {share} slots live",
                   found[name, share], most)
