# SPDX-License-Identifier: MIT
"""Runs inside gdb-multiarch, on a replay: forward to where a bug was noticed,
backwards to the store that did it. Takes case.json, leaves answer.json.

Stops by the command `continue` are seen as they are; a stop going backwards is
only known by what has changed, because QEMU reports the beginning of history
and a watchpoint alike.
"""

import json

import gdb

POISON, RED = 0x1DEADB0B, 0x0DDBA115  # As in lib/check/tp_level.h.
UNSIGNED = gdb.lookup_type("unsigned int")


def main():
    case = json.load(open("case.json"))
    for setting in ("pagination off", "confirm off", "height 0", "width 0"):
        gdb.execute(f"set {setting}", to_string=True)
    gdb.execute(f"target remote {case['socket']}", to_string=True)
    noticed = _run_to(case)
    words = sorted(WATCHED[case["watch"]](case))
    _write({"noticed": noticed, "words": words,
            "store": _go_back_to_store(words) if words else None})


def _write(answer):
    with open("answer.json", "w") as file:
        json.dump(answer, file)


def _run_to(case):
    """Forward to the fault, or to the audit that found something."""
    for name in case["breakpoints"]:
        if gdb.lookup_global_symbol(name):
            gdb.Breakpoint(name)
    gdb.execute("continue", to_string=True)
    for breakpoint in gdb.breakpoints():
        breakpoint.delete()
    return _here()


def _go_back_to_store(words):
    """Where one of them was last changed; None if before the history."""
    found = _values(words)
    watches = [gdb.Breakpoint(f"*(unsigned int *){word:#x}",
                              gdb.BP_WATCHPOINT, internal=True)
               for word in words]
    gdb.execute("reverse-continue", to_string=True)
    for watch in watches:
        watch.delete()
    # Behind the store; one instruction back, and the word is what it was.
    gdb.execute("reverse-stepi", to_string=True)
    before = _values(words)
    changed = [word for word in words if before[word] != found[word]]
    return dict(_here(), address=changed[0], before=before[changed[0]],
                after=found[changed[0]]) if changed else None


def _values(words):
    return {word: _word(word) for word in words}


def _here():
    frames, frame = [], gdb.newest_frame()
    while frame is not None and len(frames) < 40:
        frames.append(_place(frame))
        frame = frame.older()
    return {"backtrace": frames, "frame": _clock()}


def _place(frame):
    line = frame.find_sal()
    interrupt = frame.type() == gdb.SIGTRAMP_FRAME
    return {"function": "interrupt" if interrupt
            else frame.name() or f"{frame.pc():#x}",
            "file": line.symtab.fullname() if line.symtab else "",
            "line": line.line}


def _clock():
    """The application's clock, in frames of the game."""
    try:
        return int(gdb.parse_and_eval("tp_clock_now"))
    except gdb.error:
        return None


def _word(address):
    return int(gdb.Value(address).cast(UNSIGNED.pointer()).dereference())


def _pool(case):
    """The pool's descriptor, as tp_pools.c calls it."""
    return gdb.parse_and_eval(f"{case['pool']}_pool")


def _damage(case):
    return {case["address"] + case["offset"] & 0xFFFFFFFC}


def _tag(case):
    return {int(_pool(case)["tag"]) + 4 * case["slot"]}


def _age(case):
    """The links of the ring that do not answer each other."""
    ring = _pool(case)["age"]
    suspects = set()
    for ahead, back in (("newer", "older"), ("older", "newer")):
        slot = 0
        for _ in range(int(_pool(case)["capacity"]) + 1):
            following = int(ring[slot][ahead])
            if following > int(_pool(case)["capacity"]) \
                    or int(ring[following][back]) != slot:
                suspects.add(int(ring) + 4 * slot)
                break
            slot = following
    return suspects


def _slot(case):
    """The pool, and where the slot begins."""
    pool = _pool(case)
    return pool, int(pool["storage"]) + int(pool["stride"]) * (case["slot"] - 1)


def _link(case):
    return {_slot(case)[1]}


def _poison(case):
    """The words of a dead slot, behind its link, that are no poison."""
    pool, words = _slot(case)
    return _others(words + 4, words + int(pool["stride"]) - int(pool["zone"]),
                   POISON)


def _red_zone(case):
    """The words before and behind a slot that are no red zone."""
    pool, words = _slot(case)
    zone, end = int(pool["zone"]), words + int(pool["stride"])
    return _others(words - zone, words, RED) | _others(end - zone, end, RED)


def _others(begin, end, pattern):
    return {address for address in range(begin, end, 4)
            if _word(address) != pattern}


WATCHED = {"nothing": lambda case: set(), "damage": _damage, "tag": _tag,
           "age": _age, "link": _link, "poison": _poison,
           "red zone": _red_zone}

main()
