#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which changes of a proved function does no goal of it notice?

    python3 tests/proof/unnoticed.py [--write] [UNIT ...]      every mutant
    python3 tests/proof/unnoticed.py --sample [UNIT ...]

A mutant is one of tests/mutants, of the body of a function that a unit of run.py
proves; its contract alone is asked, for callers see nothing else. It is noticed when a
goal stays open that CVC4 closes, within as few steps, without the change; or when there
is a goal more, in any row of the unit that proves the function. Those that are not
stand in unnoticed.toml, with the reason. One that the compiler makes the same of at
fast, which the proofs are of, is no change. With --write tried.json has how many of
each unit came to what, and the digest of the text that was changed. A run that was
stopped goes on where it stood, as long as that text is the same.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, namedtuple
from functools import lru_cache
from pathlib import Path

import apart
import record
import run

for folder in (run.HERE.parent, run.HERE.parent / "mutants"):
    sys.path.insert(0, str(folder))
import listed  # noqa: E402
import mutator  # noqa: E402

LIST = run.HERE / "unnoticed.toml"
TRIED = run.HERE / "tried.json"
ONE_OF = 6  # Of those of SAMPLED, in the sample.
FIRST = run.PROVERS.split(",")[0]  # Closes nearly all that the two do.
SAMPLED = ("list", "slot")  # Whose functions are small.
TO_WHAT = ("noticed", "same", "unnoticed", "unbuilt")
VERDICTS = ("total", "noticed", "equivalent", "unnoticed", "unbuilt")

# Of a function of a unit, in some of its rows. Its verdict: noticed, by which goal;
# unnoticed; same, as the compiler sees it; or unbuilt.
Trial = namedtuple("Trial", "name rows function mutant")
Outcome = namedtuple("Outcome", "mutant verdict by")


@lru_cache(None)
def lines(unit):
    """file of lib/ -> its lines of which there is something in what is proved."""
    found, path, number = {}, "", 0
    for line in compiled(run.LIB, unit, run.HERE, "-E").splitlines():
        mark = re.match(r'# (\d+) "(.*?)"', line)
        if mark:
            path, number = mark[2], int(mark[1])
        else:
            if line.strip() and path.startswith(f"{run.LIB}/"):
                found.setdefault(Path(path), set()).add(number)
            number += 1
    return found


def compiled(lib, unit, port=run.ROOT / "port" / "host", what="-S"):
    """What GCC makes of every function of a unit, on a port where locks count."""
    return subprocess.run(
        ["gcc", *run.signs(lib, unit), f"-I{port}", "-Dinline=", "-Dalways_inline=",
         "-O2", "-w", "-fkeep-static-functions", what, "-o", "-",
         run.HERE / f"{unit.name}.c"], check=True, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL).stdout


@lru_cache(None)
def trials():
    """Every mutant, with the first unit that proves its function, in all its rows."""
    found, owners = {}, {}
    for unit in run.UNITS:
        for path, there in sorted(lines(unit).items()):
            name = path.relative_to(run.ROOT).as_posix()
            for mutant in mutator.mutants(name, path.read_text()):
                function = mutant.name.split(":")[0]
                if function in unit.functions.split() and mutant.line in there and \
                        owners.setdefault((name, function), unit.name) == unit.name:
                    found.setdefault(listed.key(mutant), Trial(
                        unit.name, [], function, mutant)).rows.append(unit)
    return list(found.values())


def chosen(names, sample=True):
    """Every one of some units, or some of them."""
    every = [one for one in trials() if one.name in names]
    if not sample:
        return every
    some = {listed.key(one) for one in
            listed.sample([each.mutant for each in every], ONE_OF)}
    return [each for each in every if listed.key(each.mutant) in some]


def answers(lib, unit, trial, folder):
    """(goal, is it closed) as they come; raises ValueError if it is no C."""
    work = subprocess.Popen(
        run.command(lib, unit, trial.function, run.FEW_STEPS, provers=FIRST),
        cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True)
    with work:
        try:
            for line in work.stdout:
                hit = apart.GOAL.match(line)
                if hit:
                    yield hit[2], hit[3] == "Valid"
        finally:
            if work.poll() is None:  # Nobody wants the rest.
                os.killpg(work.pid, signal.SIGTERM)
    if work.returncode:
        raise ValueError(trial.mutant.name)


class Bench:
    """A copy of lib/ into which each mutant is put."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.lib = self.folder / "lib"
        shutil.copytree(run.LIB, self.lib)
        self.known = {}
        self.made = {}

    def closed(self, unit, trial):
        """Goal -> whether it is closed without a change."""
        key = unit.sentence, trial.function
        if key not in self.known:
            self.known[key] = dict(answers(run.LIB, unit, trial, self.folder))
        return self.known[key]

    def same(self, unit):
        """Does the compiler make of it what it makes of the library?"""
        if unit.sentence not in self.made:
            self.made[unit.sentence] = compiled(run.LIB, unit)
        return compiled(self.lib, unit) == self.made[unit.sentence]

    def outcome(self, trial):
        path = self.folder / trial.mutant.file
        text = path.read_text()
        path.write_text(mutator.applied(text, trial.mutant))
        try:
            return Outcome(trial.mutant, *self.judged(trial))
        except (ValueError, subprocess.CalledProcessError):
            return Outcome(trial.mutant, "unbuilt", "")
        finally:
            path.write_text(text)

    def judged(self, trial):
        rows = [unit for unit in trial.rows if not self.same(unit)]
        for unit in rows:
            closed = self.closed(unit, trial)
            for goal, valid in answers(self.lib, unit, trial, self.folder):
                if not valid and closed.get(goal, True):
                    return "noticed", goal
        return "unnoticed" if rows else "same", ""


def known():
    """(file, name) -> (equivalent or open, why)."""
    with open(LIST, "rb") as text:
        rows = tomllib.load(text)
    return {(one["file"], name): (kind, one["why"])
            for kind in ("equivalent", "open") for one in rows.get(kind, ())
            for name in one["mutants"]}


def outcomes(names=SAMPLED):
    """Of some of the mutants of some units."""
    yield from anew(chosen(names))


def anew(some):
    run.prepare()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        for trial in some:
            yield bench.outcome(trial)


def journal(name):
    """Where each outcome of a unit goes as it comes: of another text, elsewhere."""
    return run.CACHE / f"{name}-{text_of(name)[:16]}.tried"


def before(path):
    """Mutant -> its verdict and by what; the line that a run was stopped at is none."""
    lines = path.read_text().splitlines(True) if path.exists() else []
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return {(file, name): answer for file, name, *answer in rows}


def every_outcome(name):
    """Of all mutants of a unit: those of a run that was stopped are not tried again."""
    run.prepare()
    path, every = journal(name), chosen([name], False)
    known_of = before(path)
    with path.open("w") as lines:
        for key, answer in known_of.items():
            print(json.dumps([*key, *answer]), file=lines, flush=True)
        for one in every:
            if listed.key(one.mutant) in known_of:
                yield Outcome(one.mutant, *known_of[listed.key(one.mutant)])
        for one in anew(one for one in every
                        if listed.key(one.mutant) not in known_of):
            print(json.dumps([*listed.key(one.mutant), one.verdict, one.by]),
                  file=lines, flush=True)
            yield one


def text_of(name):
    """The digest of what is changed in the mutants of a unit."""
    return record.digest([run.text_of(unit) for unit in run.UNITS if unit.name == name])


def recorded():
    """Unit -> of those whose text is still the same: how many came to what."""
    return {name: one["mutants"] for name, one in
            record.current(TRIED, text_of).items()}


def write(found):
    """Adds it; what was of another text goes."""
    record.save(TRIED, {**record.current(TRIED, text_of), **{
        name: {"text": text_of(name), "mutants": one} for name, one in found.items()}})


def argued():
    """(unit, equivalent or open) -> how many are listed so."""
    kinds = known()
    return Counter((one.name, kinds[listed.key(one.mutant)][0])
                   for one in trials() if listed.key(one.mutant) in kinds)


def judged():
    """Of what is recorded: unit -> verdict -> how many."""
    of_list = argued()
    for name, one in recorded().items():
        equivalent = of_list[name, "equivalent"]
        yield name, {"total": sum(one.values()), "noticed": one["noticed"],
                     "equivalent": one["same"] + equivalent,
                     "unnoticed": one["unnoticed"] - equivalent,
                     "unbuilt": one["unbuilt"]}


def counted(name, sample):
    """How many of a unit came to what, each of them told."""
    count = Counter()
    for one in outcomes([name]) if sample else every_outcome(name):
        count[one.verdict] += 1
        print(f"{one.verdict:10} {one.mutant.file}:{one.mutant.line} {one.mutant.name}"
              f"  {re.sub('^typed_cast_', '', one.by)}", flush=True)
    return {key: count[key] for key in TO_WHAT}


def main():
    options = {"--sample", "--write"} & set(sys.argv)
    names = [name for name in sys.argv[1:] if name not in options]
    sample = "--sample" in options
    every = SAMPLED if sample else sorted({unit.name for unit in run.UNITS})
    for name in names or every:
        count = counted(name, sample)
        print(f"{name}: {count}", flush=True)
        if options == {"--write"}:
            write({name: count})


if __name__ == "__main__":
    main()
