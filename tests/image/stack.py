#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The most stack that a call of the library takes, from the compiler's own call
graph: what it and all that it calls put there, on the deepest way.

    tests/image/stack.py --write     rewrites the table of lib/COSTS.md

A call through a pointer goes to any function of the library that is stored in a
member of that name. What the application hands over comes on top, where it is called.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bare import library  # noqa: E402
from support import LEVELS, ROOT  # noqa: E402

PAGE = ROOT / "lib" / "COSTS.md"
MARK = "<!-- stack: written by tests/image/stack.py --write -->\n"
COLUMNS = [("M3", "cortex-m3", "fast"), ("M0", "cortex-m0", "fast"),
           ("M3 full", "cortex-m3", "full")]
INDIRECT = "__indirect_call"
THEIRS = {"tp_fault"}  # Of the application, as far as the graph knows.
_NODE = re.compile(r'^node: { title: "([^"]+)" label: "[^"]*\\n(\d+) bytes \((\w+)')
_EDGE = re.compile(r'^edge: { sourcename: "([^"]+)" targetname: "([^"]+)"'
                   r' label: "([^":]+):(\d+):(\d+)"')
# Another name of a function, which has no node of its own.
_ALIAS = re.compile(r'\b(tp_\w+)\([^()]*\)\s*__attribute__\(\(weak, alias\("(\w+)"')
# What a policy is made of is stored by its place, too.
_STORED = re.compile(r"\.(\w+) = (\w+)[,}\s]")
_BY_PLACE = {"overflow": ("tp_spill_overflow", "tp_least_overflow",
                          "tp_reserve_overflow"),
             "take_back": ("tp_spill_take_back",),
             "alloc": ("tp_pool_alloc_for",), "free": ("tp_pool_free_for",)}
# What a pool that spills calls of another: the same functions once more.
SPILLS = {"tp_spill_overflow", "tp_reserve_overflow", "tp_spill_take_back"}
# What a full pool answers by.
ANSWERS = {"drop": "tp_policy.c:refuse", "steal-oldest": "tp_policy.c:steal",
           "steal-least": "tp_least_overflow"}


class Graph:
    """Of all of the library, for one core and level."""

    def __init__(self, core, level):
        self.own = {}  # Function -> bytes; of a static one "file:function".
        self.calls = defaultdict(set)
        self.unbounded = []
        for made in library(core, LEVELS.index(level)):
            self._take_in(made.with_suffix(".ci").read_text())
        for path in (ROOT / "lib").glob("*/*.c"):
            for name, function in _ALIAS.findall(path.read_text()):
                self.own[name] = 0
                self.calls[name].add(function)

    def _take_in(self, text):
        for line in text.splitlines():
            node, edge = _NODE.match(line), _EDGE.match(line)
            if node:
                self.own[node[1]] = int(node[2])
                self.unbounded += [node[1]] * (node[3] != "static")
            elif edge and edge[2] == INDIRECT:
                self.calls[edge[1]] |= set(stored(_called(edge[3], int(edge[4]))))
            elif edge:
                self.calls[edge[1]].add(edge[2])

    def unknown(self):
        """What is called, and neither the library's nor the application's."""
        called = set().union(*self.calls.values())
        return sorted(called - self.own.keys() - THEIRS)

    def bytes_of(self, function, without=(), times=1, above=()):
        """Of the call and all below, a function so many times on a way at most."""
        above = (*above, function)
        below = [self.bytes_of(one, without, times, above)
                 for one in self.calls[function]
                 if one in self.own.keys() - without and above.count(one) < times]
        return self.own[function] + max(below, default=0)


def _called(file, line):
    """The member, or the parameter, that is called there."""
    text = (ROOT / file).read_text().split("\n")[line - 1]
    members = re.findall(r"(?:->|\.)(\w+)\(", text)
    return members[-1] if members else ""


def stored(member):
    """The functions of the library that may be in a member of that name."""
    found = list(_BY_PLACE.get(member, ()))
    for path in (ROOT / "lib").glob("*/*.c"):
        source = path.read_text()
        for name, function in _STORED.findall(source):
            if name == member and re.search(rf"^\w.*\b{function}\(", source, re.M):
                is_static = re.search(rf"^static .*\b{function}\(", source, re.M)
                found.append(f"{path}:{function}" if is_static else function)
    return found


# What is inline and does nothing but call another.
INLINE = {"tp_stack_release": "tp_stack_release_mark",
          "tp_dstack_release": "tp_dstack_release_mark"}


def public():
    """call -> function, of those that contracts speak of, and that are not inline."""
    text = (ROOT / "tests" / "CONTRACTS.md").read_text()
    calls = sorted(set(re.findall(r"^\| `(tp_\w+)`", text, re.M)))
    return {call: INLINE.get(call, call) for call in calls}


def measured():
    """(call -> bytes by column, the graphs)"""
    graphs = [Graph(core, level) for _, core, level in COLUMNS]
    found = {call: [graph.bytes_of(name, SPILLS) for graph in graphs]
             for call, name in public().items()
             if all(name in graph.own for graph in graphs)}
    for policy, answer in ANSWERS.items():
        others = {one for one in stored("overflow") if not one.endswith(answer)}
        found[f"tp_pool_alloc, {policy}"] = [graph.bytes_of("tp_pool_alloc", others)
                                             for graph in graphs]
    for name in ("tp_pool_alloc", "tp_pool_free"):
        found[f"{name}, spill"] = [graph.bytes_of(name, times=2) for graph in graphs]
    return found, graphs


def table(found):
    rows = sorted(found.items(), key=lambda row: (-max(row[1]), row[0]))
    return "\n".join(
        ["| call | " + " | ".join(name for name, *_ in COLUMNS) + " |",
         "|---" + "|--:" * len(COLUMNS) + "|",
         *(f"| {name} | " + " | ".join(map(str, numbers)) + " |"
           for name, numbers in rows)]) + "\n"


def parts():
    """The page: what stands before the table, the table, what stands behind."""
    return PAGE.read_text().split(MARK)


def main():
    before, _, behind = parts()
    PAGE.write_text(MARK.join((before, table(measured()[0]), behind)))


if __name__ == "__main__":
    main()
