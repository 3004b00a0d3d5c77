# SPDX-License-Identifier: MIT
"""All mutants of the library, and those that no test kills, with the reason."""

import tomllib
from hashlib import sha256

import mutator
from support import ROOT

LIST = ROOT / "tests" / "mutants" / "survivors.toml"
# Whose survivors are all listed; and of whose files those that decide a condition.
HELD = ("lib/check/tp_check.c", "lib/core/tp_core.c", "lib/core/tp_pin.c")
DECIDED = "lib/core"


def of(place):
    """Every mutant of a file of lib, or of a folder of it."""
    place = ROOT / place
    files = [place] if place.is_file() else sorted(
        path for path in place.iterdir() if path.suffix in (".c", ".h"))
    return [mutant for path in files for mutant in
            mutator.mutants(path.relative_to(ROOT).as_posix(), path.read_text())]


def held():
    """Every mutant that a test fails for, or that is listed."""
    whole = [one for place in HELD for one in of(place)]
    return whole + [one for one in of(DECIDED)
                    if one.file not in HELD and mutator.decides(one)]


def every():
    """Every mutant of the library."""
    return [one for place in places() if place.endswith((".c", ".h"))
            for one in of(place)]


def places():
    """What can be asked for."""
    files = {path.relative_to(ROOT).as_posix()
             for path in (ROOT / "lib").glob("*/*.[ch]")}
    return sorted(files | {name.rsplit("/", 1)[0] for name in files})


def key(mutant):
    return mutant.file, mutant.name


def listed():
    """(file, name) -> (equivalent or open, why)."""
    with open(LIST, "rb") as text:
        rows = tomllib.load(text)
    return {(one["file"], name): (kind, one["why"])
            for kind in ("equivalent", "open") for one in rows.get(kind, ())
            for name in one["mutants"]}


def sample(mutants, one_of):
    """One of so many, whichever else there are: by a sum of what it is."""
    return [one for one in mutants
            if int(sha256("".join(key(one)).encode()).hexdigest(), 16) % one_of == 0]
