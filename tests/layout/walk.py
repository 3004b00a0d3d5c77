#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where a call of the library leads: walk.py [FUNCTION] prints room by room.

A room is a file of lib/, a source and its header being one. Calls are followed
in the order in which they are written, each function once; entering a room
that was left before is a return.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEFINITION = re.compile(
    r"^((?:TP_INLINE |TP_NOINLINE |TP_NORETURN |static |inline )*)"
    r"\w[\w ]*[ *]+(\w+)\([^;{}]*\)\n\{\n(.*?)^\}$", re.M | re.S)
# What stands in for a part of another file at one level, or of some ports.
VARIANTS = {"core/tp_list_off", "check/tp_plain"}


def bare(text):
    """The text without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def functions():
    """name -> {room: body}, of all that lib/ defines; room "" where one alone
    may be called from everywhere."""
    found = {}
    for path in sorted((ROOT / "lib").rglob("*.[ch]")):
        room = path.relative_to(ROOT / "lib").with_suffix("").as_posix()
        for kind, name, body in DEFINITION.findall(bare(path.read_text())):
            rooms = found.setdefault(name, {})
            rooms[room] = body
            if "static" not in kind and room not in VARIANTS:
                rooms[""] = room
    return found


def pick(rooms, room):
    """(room, body) that a call in a room means; None for no function."""
    there = room if room and room in rooms else rooms.get("")
    return (there, rooms[there]) if there else None


def walk(start):
    """The rooms that a call enters, in order."""
    known, passed, stays = functions(), set(), []

    def visit(name, room):
        found = pick(known[name], room)
        if not found:
            return
        room, body = found
        if stays[-1:] != [room]:
            stays.append(room)
        if (room, name) in passed:
            return
        passed.add((room, name))
        for called in re.findall(r"\b(\w+)\(", body):
            if called in known and called != name:
                visit(called, room)

    visit(start, "")
    return stays


def returns(stays):
    """How often a room is entered that was left before."""
    return len(stays) - len(set(stays))


def main(arguments):
    stays = walk(arguments[0] if arguments else "tp_pool_alloc")
    print("\n".join(stays))
    print(f"{len(set(stays))} rooms, {returns(stays)} returns")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
