# SPDX-License-Identifier: MIT
"""What closes each goal of the proofs, and which mutants of what is proved open one."""

import sys

import page
from support import ROOT

sys.path.insert(0, str(ROOT / "tests" / "proof"))
import apart  # noqa: E402
import unnoticed  # noqa: E402


def goals():
    """(what, goals, what is not as listed), unit by unit; the sums are noted."""
    listed, anew = apart.current(), {}
    for unit in apart.units(apart.CHEAP):
        anew[unit.sentence] = one = apart.row(unit)
        yield f"provers of: {unit.sentence}", one["goals"]["total"], list(
            differing(one, listed.get(unit.sentence, {})))
    found = {sentence: one["goals"] for sentence, one in {**listed, **anew}.items()}
    total = {key: sum(one[key] for one in found.values()) for key in apart.COUNTED}
    page.note(goals={**total, "units": len(found), "anew": len(anew),
                     "of_units": len(apart.sentences())}, goals_of=found)


def differing(one, listed):
    """What a unit is, and is not listed as: a line each."""
    if one["goals"]["open"]:
        yield f"no prover closes {one['goals']['open']} goals"
    for prover in apart.PROVERS:
        for goal in sorted(set(one[prover]) ^ set(listed.get(prover, ()))):
            yield f"{goal} is closed by {prover} alone iff that is listed"
    if one["goals"] != listed.get("goals"):
        yield f"its goals are {one['goals']}: tests/proof/apart.py --write"


def contracts():
    """The same of mutants: those of units that are recorded, and a sample anew."""
    known, rows = unnoticed.known(), dict(unnoticed.judged())
    outcomes = list(unnoticed.outcomes())
    page.note(contract_mutants={
        **{key: sum(one[key] for one in rows.values()) for key in unnoticed.VERDICTS},
        "of": len(unnoticed.trials()), "anew": len(outcomes)},
        contract_mutants_of=rows)
    yield "mutants of proved functions", len(outcomes), list(wrong(outcomes, known))


def wrong(outcomes, known):
    for one in outcomes:
        name = f"{one.mutant.file}:{one.mutant.line} {one.mutant.name}"
        is_listed = unnoticed.listed.key(one.mutant) in known
        if one.verdict == "unnoticed" and not is_listed:
            yield f"a goal notices {name}"
        if one.verdict != "unnoticed" and is_listed:
            yield f"{name} is listed, but {one.verdict} {one.by}".strip()


def tried():
    """Both, as they end."""
    yield from goals()
    yield from contracts()
