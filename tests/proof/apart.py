#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which provers close each goal of the proofs, when each is asked by itself.

    python3 tests/proof/apart.py [--write] [UNIT ...]

Every goal that WP's own simplifier leaves is given to each of two provers, within
the steps that run.py gives them. Prints a line a unit; --write puts what was found of
the units that were asked for into provers.json, and README's table with it. What is
known of a goal, to the letter, is remembered where run.py remembers it.
"""

import json
import re
import sys
import tempfile
from collections import namedtuple

import run

LIST = run.HERE / "provers.json"
PAGE = run.HERE / "README.md"
PROVERS = ("cvc4", "z3")
COUNTED = ("total", "by_simplifier", "by_two", "by_one", "open")
CHEAP = ("bits", "bytes", "list", "slot")  # Units that take minutes at most.
BITS = "words of 32 and 64 bits do what is admitted"
BEGIN, END = "<!-- apart.py --write -->", "<!-- end -->"
GOAL = re.compile(r"^\[wp\] \[(\w+)[^\]]*\] Goal (\S+)(?: : (\w+))?", re.M)

# Of a unit: goal -> those of PROVERS that close it; none if the simplifier does.
Unit = namedtuple("Unit", "sentence simplified proved")


def asked(unit, prover):
    """(goals that are left to no prover, goal -> whether this one closes it)"""
    simplified, told = set(), {}
    with tempfile.TemporaryDirectory() as folder:
        for functions, only in run.parts(unit):
            _, goals, output = run.frama_c(run.LIB, unit, functions, folder,
                                           run.STEPS, only, prover)
            found = GOAL.findall(output)
            if not goals or len(found) != goals:
                raise RuntimeError(f"{unit.sentence}: {prover} was not asked:"
                                   f" {output.strip()[-300:]}")
            for by, goal, answer in found:
                if by == "Qed":
                    simplified.add(goal)
                else:
                    told[goal] = answer == "Valid"
    return simplified, told


def measured(unit):
    """What each prover closes of a unit."""
    answers = {prover: asked(unit, prover) for prover in PROVERS}
    (simplified, told), *others = answers.values()
    if any((one, list(each)) != (simplified, list(told)) for one, each in others):
        raise RuntimeError(f"{unit.sentence}: not the same goals for every prover")
    return Unit(unit.sentence, simplified,
                {goal: [prover for prover in PROVERS if answers[prover][1][goal]]
                 for goal in told})


def bits():
    """The lemmas about bits: run.bits() wants the answer of both."""
    total, problem = run.bits()
    if problem:
        raise RuntimeError(problem)
    return Unit(BITS, set(),
                {str(one): list(PROVERS) for one in range(total)})


def row(unit):
    """What is kept of it: how many goals, and those that one prover alone closes."""
    by = [len(provers) for provers in unit.proved.values()]
    alone = {prover: sorted(goal for goal, provers in unit.proved.items()
                            if provers == [prover]) for prover in PROVERS}
    return {"goals": {"total": len(by) + len(unit.simplified),
                      "by_simplifier": len(unit.simplified), "by_two": by.count(2),
                      "by_one": by.count(1), "open": by.count(0)}, **alone}


def units(names):
    """Each that is asked for, as it is measured."""
    run.prepare()
    for unit in run.UNITS:
        if not names or unit.name in names:
            yield measured(unit)
    if not names or "bits" in names:
        yield bits()


def sentences():
    """Of every unit, in order."""
    return [*[unit.sentence for unit in run.UNITS], BITS]


def listed():
    """sentence -> what row() said of it."""
    return json.loads(LIST.read_text()) if LIST.exists() else {}


def block():
    """The table of README: what is proved, of what, and by whom."""
    known = listed()
    rows = ["| proved | for | goals | none needed | by each | by one | functions |",
            "|---|---|---|---|---|---|---|"]
    for unit in run.UNITS:
        names = " ".join(f"`{name}`" for name in unit.functions.split())
        of = unit.of or f"stride {4 * unit.words}"
        rows.append(" | ".join(("| " + unit.sentence, of, str(unit.goals),
                                *told(known.get(unit.sentence)), names + " |")))
    rows.append(" | ".join(("| " + BITS, "1 to 15 bits", *told(known.get(BITS), True),
                            "lemmas of both models |")))
    return "\n".join([BEGIN, *rows, END])


def told(one, total=False):
    keys = COUNTED[not total:-1]
    return [str(one["goals"][key]) if one else "not asked" for key in keys]


def write(found):
    LIST.write_text(json.dumps({**listed(), **found}, indent=1, sort_keys=True) + "\n")
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + block() + rest.split(END)[1])


def main():
    names = [name for name in sys.argv[1:] if name != "--write"]
    for unit in units(names):
        found = row(unit)
        print(f"{unit.sentence}: {found['goals']}", flush=True)
        if "--write" in sys.argv:
            write({unit.sentence: found})


if __name__ == "__main__":
    main()
