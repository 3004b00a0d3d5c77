#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which provers close each goal of the proofs: those of run.py, and cvc5?

    python3 tests/proof/apart.py [--write] [UNIT ...]

Every goal that WP's own simplifier leaves is given to those of run.py, as it does, and
by itself to cvc5. Prints a line a unit; --write puts what was found of the units that
were asked for into provers.json, with the digest of what was read, and README's table
with it. What is known of a goal, to the letter, is remembered where run.py remembers
it.
"""

import json
import os
import re
import sys
import tempfile
from collections import namedtuple
from pathlib import Path

import record
import run

LIST = run.HERE / "provers.json"
PAGE = run.HERE / "README.md"
PROVERS = ("cvc4", "z3", "cvc5")  # The last is not asked by run.py.
SECOND, SECOND_STEPS = "CVC5", 100_000
KNOWN = run.ROOT / "build" / "why3.conf"  # What why3 is told of them.
COUNTED = ("total", "by_simplifier", "by_two", "by_one", "open")
CHEAP = ("bits", "bytes", "list", "slot")  # Units that take minutes at most.
BITS = "words of 32 and 64 bits do what is admitted"
BEGIN, END = "<!-- apart.py --write -->", "<!-- end -->"
GOAL = re.compile(r"^\[wp\] \[(\w+)[^\]]*\] Goal (\S+)(?: : (\w+))?", re.M)

# Of a unit: goal -> those of PROVERS that close it; none if the simplifier does.
Unit = namedtuple("Unit", "sentence text simplified proved")


def prepare():
    """Tells why3 of the last, which `why3 config detect` does not find."""
    run.prepare()
    KNOWN.write_text((Path.home() / ".why3.conf").read_text() + f"""
[prover]
name = "{SECOND}"
version = "1.0"
command = "cvc5 --stats-internal --tlimit=%t000 --lang=smt2 %f"
command_steps = "cvc5 --stats-internal --rlimit=%S --lang=smt2 %f"
driver = "{run.HERE}/cvc5.drv"
editor = ""
in_place = false
interactive = false
""")
    os.environ["WHY3CONFIG"] = str(KNOWN)


def asked(unit, provers, steps):
    """Goal -> who closes it: Qed, which is the simplifier, one of [provers] or ""."""
    told = {}
    with tempfile.TemporaryDirectory() as folder:
        for functions, only in run.parts(unit):
            _, goals, output = run.frama_c(run.LIB, unit, functions, folder, steps,
                                           only, provers)
            found = GOAL.findall(output)
            if not goals or len(found) != goals:
                raise RuntimeError(f"{unit.sentence}: {provers} was not asked:"
                                   f" {output.strip()[-300:]}")
            told.update({goal: by if answer == "Valid" else ""
                         for by, goal, answer in found})
    return told


def measured(unit):
    """What each prover closes of a unit."""
    first = asked(unit, run.PROVERS, run.STEPS)
    second = asked(unit, SECOND, SECOND_STEPS)
    simplified = {goal for goal, by in first.items() if by == "Qed"}
    if (simplified, list(first)) != (
            {goal for goal, by in second.items() if by == "Qed"}, list(second)):
        raise RuntimeError(f"{unit.sentence}: not the same goals for every prover")
    return Unit(unit.sentence, text_of(unit), simplified, {
        goal: [by.lower() for by in (first[goal], second[goal]) if by]
        for goal in first if goal not in simplified})


def text_of(unit):
    """The digest of what is asked."""
    return record.digest([run.text_of(unit)])


def bits():
    """The lemmas about bits: run.bits() wants the answer of both."""
    total, problem = run.bits()
    if problem:
        raise RuntimeError(problem)
    return Unit(BITS, text_of_bits(), set(),
                {str(one): list(PROVERS[:2]) for one in range(total)})


def text_of_bits():
    return record.digest([(run.HERE / "bits.smt2").read_text()])


def row(unit):
    """What is kept of it: how many goals, and those that one prover alone closes."""
    by = [len(provers) for provers in unit.proved.values()]
    alone = {prover: sorted(goal for goal, provers in unit.proved.items()
                            if provers == [prover]) for prover in PROVERS}
    return {"text": unit.text,
            "goals": {"total": len(by) + len(unit.simplified),
                      "by_simplifier": len(unit.simplified), "by_two": by.count(2),
                      "by_one": by.count(1), "open": by.count(0)}, **alone}


def units(names):
    """Each that is asked for, as it is measured."""
    prepare()
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
    return json.loads(LIST.read_text())


def current():
    """Of these, those whose text is still the one that was asked."""
    texts = {BITS: text_of_bits(), **{one.sentence: text_of(one) for one in run.UNITS}}
    return record.current(LIST, texts.get)


def block():
    """The table of README: what is proved, of what, and by whom."""
    known = current()
    rows = ["| proved | for | goals | none needed | by two | by one | functions |",
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
    """Adds it; what was of another text goes."""
    record.save(LIST, {**current(), **found})
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
