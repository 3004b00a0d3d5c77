# SPDX-License-Identifier: MIT
"""Mutants of files of lib, file by file: what of them the tests kill."""

import sys
from collections import Counter

import page
from support import ROOT

sys.path.insert(0, str(ROOT / "tests" / "mutants"))
import listed  # noqa: E402
import trial  # noqa: E402

LEAST_PERCENT = 98  # Killed, of all that are no equivalents.
COUNTED = ("total", "killed", "equivalent", "survived", "unbuilt")


def tried(mutants, held):
    """What is not as the list says, file by file, a line each: of those that are held,
    and of what is listed of others."""
    bench, known = trial.Bench(), listed.listed()
    held = set(map(listed.key, held))
    files = {}
    for one in mutants:
        files.setdefault(one.file, []).append(one)
    for file, each in files.items():
        outcomes = list(bench.tried(each))
        noted(file, outcomes, known)
        yield file, len(outcomes), list(wrong(outcomes, known, held))


def too_few():
    """A line iff of all that were ever tried of this tree less are killed than must
    be."""
    percent = page.noted()["mutants"]["percent"]
    return [] if percent >= LEAST_PERCENT else [
        f"FAIL {percent} % of the mutants of lib are killed, at least {LEAST_PERCENT}"]


def verdict(outcome, known):
    """Of one the compiler makes the same of, and one that is argued: equivalent."""
    kind = known.get(listed.key(outcome.mutant), ("",))[0]
    if outcome.verdict == "same" or (outcome.verdict, kind) == ("survived",
                                                                "equivalent"):
        return "equivalent"
    return outcome.verdict


def wrong(outcomes, known, held):
    for outcome in outcomes:
        name = f"{outcome.mutant.file}:{outcome.mutant.line} {outcome.mutant.name}"
        is_listed = listed.key(outcome.mutant) in known
        is_held = listed.key(outcome.mutant) in held
        if outcome.verdict == "survived" and is_held and not is_listed:
            yield f"a test fails for {name}"
        if outcome.verdict != "survived" and is_listed:
            yield f"{name} is listed, but {outcome.verdict} {outcome.by}".strip()


def noted(file, outcomes, known):
    count = Counter(verdict(one, known) for one in outcomes)
    figures = {"total": len(outcomes), **{key: count[key] for key in COUNTED[1:]}}
    functions = {}
    for one in outcomes:
        name = f"{file} {one.mutant.name.split(':')[0]}"
        functions.setdefault(name, Counter())[verdict(one, known)] += 1
    alive = [[f"{one.mutant.file}:{one.mutant.line}", one.mutant.name]
             for one in outcomes if verdict(one, known) == "survived"]
    before = page.noted()
    files = {**before.get("mutants_by_file", {}), file: figures}
    by_function = {**{name: each for name, each in
                      before.get("mutants_by_function", {}).items()
                      if not name.startswith(file + " ")}, **functions}
    survived = [row for row in before.get("mutants_survived", ())
                if not row[0].startswith(file + ":")] + alive
    total = {key: sum(one[key] for one in files.values()) for key in COUNTED}
    judged = total["killed"] + total["survived"]
    total["percent"] = round(100 * total["killed"] / max(1, judged), 2)
    page.note(mutants=total, mutants_by_file=files, mutants_survived=survived,
              mutants_by_function=by_function)
