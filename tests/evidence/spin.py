# SPDX-License-Identifier: MIT
"""Every state that models/*.pml can come to, by Spin: a pool that a thread and
interrupts use, kept apart by PRIMASK, by BASEPRI or by LDREX and STREX."""

import re
from typing import NamedTuple

from support import BUILD, ROOT, ToolFailed, tool

MODELS = ROOT / "tests" / "evidence" / "models"
DEPTH = 2000000  # Steps of one run of the model: enough, or the search says so.
ERRORS = 20000   # So many are looked at, of a model that is wrong on purpose.

KINDS = {"PRIMASK": (), "PRIMASK, filled unlocked": ("-DPOISON",),
         "BASEPRI": ("-DBASEPRI=1",), "LDREX and STREX": ("-DEXCLUSIVE",)}
SHAPES = {"3 slots, an interrupt": ("-DSLOTS=3", "-DUSERS=1"),
          "2 slots, an interrupt inside another": ("-DSLOTS=2", "-DUSERS=2")}
# The more urgent interrupt is not masked, and keeps away.
ABOVE = {"3 slots, an interrupt, one that is not masked": (
    "-DBASEPRI=2", "-DSLOTS=3", "-DUSERS=1", "-DBYSTANDER")}

# What is asked for in each state, by the beginning of its text.
LENT, LOST, ENDLESS, COUNTED, ALONE, LINK, FULL, FAULT = (
    "no slot is lent twice", "none is lost", "the list ends",
    "as many are live as are counted", "who masks all is alone",
    "the links hold what they held", "who is refused found all live", "no fault")
PROPERTIES = {"!(lent[": LENT, "((object+live)==fresh)": LOST, "(top==0)": ENDLESS,
              "(list.live==live)": COUNTED, "!(alone)": ALONE, "((link[": LINK,
              "(live<": FULL, "!(tagged)": FAULT, "((next.live": FAULT,
              "((old.top": FAULT, "((top!=0)": LINK}
BROKEN_LIST = {LENT, LOST, ENDLESS, COUNTED, LINK, FAULT}
# What is wrong on purpose -> how, and what must be found.
CONTROLS = {
    "nothing is masked": (("-DNO_LOCK", *SHAPES["3 slots, an interrupt"]),
                          BROKEN_LIST | {FULL}),
    "masked again one store too early": (
        ("-DEARLY", *SHAPES["3 slots, an interrupt"]), BROKEN_LIST | {FULL}),
    "an interrupt above BASEPRI": (
        ("-DBASEPRI=2", *SHAPES["2 slots, an interrupt inside another"]),
        BROKEN_LIST | {FULL}),
    "compare and swap, without a monitor": (
        ("-DEXCLUSIVE", "-DNO_MONITOR", *SHAPES["3 slots, an interrupt"]),
        BROKEN_LIST),
    "PRIMASK cleared, not put back": (
        ("-DUNMASKS", *SHAPES["3 slots, an interrupt"]), {ALONE}),
    "BASEPRI written, not BASEPRI_MAX": (
        ("-DLOWERS", *ABOVE["3 slots, an interrupt, one that is not masked"]),
        {ALONE})}


class Search(NamedTuple):
    states: int
    broken: set  # Of PROPERTIES.
    unreached: set  # (process, number of a step, text of it)


def shapes(kind):
    return SHAPES | (ABOVE if kind == "BASEPRI" else {})


def searched(name, flags, errors=1, depth=DEPTH):
    """Raises ToolFailed unless every state was gone to, or [errors] found."""
    program = built(name, flags)
    said = tool("env", "-C", program.parent, program, f"-m{depth}", f"-c{errors}")
    count = re.search(r"^State-vector .*, errors: (\d+)$\s*(\d+) states, stored$", said,
                      re.M)
    if not count:
        raise ToolFailed(f"{name}: the search did not end:\n{said[-2000:]}")
    if count[1] == "0" and not is_whole(said):
        raise ToolFailed(f"{name}: the search was cut short:\n{said[:2000]}")
    return Search(int(count[2]), broken(said), unreached(said))


def built(name, flags):
    """The program that goes through all states of the model."""
    folder = BUILD / "models" / re.sub(r"\W+", "-", name)
    folder.mkdir(parents=True, exist_ok=True)
    there = "env", "-C", folder
    tool(*there, "spin", "-a", *flags, MODELS / "interrupts.pml")
    tool(*there, "gcc", "-O1", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c")
    return folder / "pan"


def is_whole(said):
    """Whether nothing was left out: by depth, by memory, or by a hash of states."""
    return "Full statespace search for:" in said and \
        "invalid end states\t+" in said and \
        not re.search(r"search depth too small|MEMLIM|out of memory|Bit statespace"
                      r"|interrupted", said)


def broken(said):
    texts = set(re.findall(r"^pan:\d+: (.*) \(at depth \d+\)$", said, re.M))
    return {named(text) for text in texts} - {None}


def named(text):
    """Of an error its property; what follows from an index that is wrong has none."""
    found = re.match(r"assertion violated\s+(.*)", text)
    if not found:
        return text
    if found[1] == "- invalid array index":
        return None
    return next(name for begin, name in PROPERTIES.items()
                if found[1].startswith(begin))


def unreached(said):
    return {(process, step, text) for process, steps in re.findall(
        r"^unreached in proctype (\w+)$((?:\n\t.*)*)", said, re.M)
        for step, text in re.findall(r'state (\d+), "(.*)"$', steps, re.M)}


def steps(*flags):
    """What the calls of calls.pml do, call by call."""
    said = tool("spin", "-T", *flags, MODELS / "calls.pml")
    lines = [line.strip() for line in said.splitlines()]
    ends = [number for number, line in enumerate(lines) if line == "call"]
    return [lines[begin + 1:end] for begin, end in zip(ends, [*ends[1:], -1])]
