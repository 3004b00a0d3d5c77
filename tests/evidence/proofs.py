# SPDX-License-Identifier: MIT
"""What closes each goal of the proofs, and which mutants of what is proved open one."""

import sys
from collections import Counter

import page
from support import ROOT

sys.path.insert(0, str(ROOT / "tests" / "proof"))
import apart  # noqa: E402
import unnoticed  # noqa: E402


def goals():
    """(what, goals, what is not as listed), unit by unit; the sums are noted."""
    listed, found = apart.listed(), {}
    for unit in apart.units(apart.CHEAP):
        one = apart.row(unit)
        found[unit.sentence] = one["goals"]
        yield f"provers of: {unit.sentence}", one["goals"]["total"], list(
            differing(one, listed.get(unit.sentence, {})))
    total = {key: sum(one[key] for one in found.values()) for key in apart.COUNTED}
    page.note(goals={**total, "units": len(found), "of_units": len(apart.sentences())},
              goals_of=found)


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
    """The same of mutants: a sample."""
    known = unnoticed.known()
    outcomes = list(unnoticed.outcomes())
    count = Counter(unnoticed.verdict(one, known) for one in outcomes)
    figures = {key: count[key] for key in unnoticed.VERDICTS[1:]}
    page.note(contract_mutants={"total": len(outcomes), **figures,
                                "of": len(list(unnoticed.trials()))})
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
