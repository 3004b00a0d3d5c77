# SPDX-License-Identifier: MIT
"""One result from many: `qemu/soak merge DIR...`.

What is found in the folders is all there is to know: no list of jobs, no
server. Two results of one run must agree, whichever machines they are from.
"""

import contextlib
import json
import sys
from pathlib import Path
from typing import NamedTuple

from .errors import CannotRun
from .junit import junit_of_many
from .merged_report import merged_report
from .merged_summary import merged_summary
from .pages import page
from .result_folder import SUMMARY, refuse_unless
from .usage import SEEDS_MAX
from .verdict_text import say_merged
from .whole_output import whole_file

# What two results of one run must have alike, and what it is called.
TOLD_ALIKE = {"state_hash": "state ", "verdict": ""}


class Run(NamedTuple):
    folder: Path
    seed: int
    summary: dict  # None if there is none.


def merge(options):
    """Merges the folders' runs, writes the result and returns the exit code."""
    out = Path(options.out or options.folders[0])
    refuse_unless("runs", out, "many runs")
    result, runs = merged(options.folders, options.seeds)
    _write(out, result, runs)
    say_merged(options, result, out,
               sys.stderr if options.json else sys.stdout)
    return exit_code(result)


def exit_code(result):
    """1 if a run failed, else 2 if one is missing, else 0."""
    if any(run["verdict"] == "fail" for run in result["runs"]) \
            or result["disagreements"]:
        return 1
    return 2 if result["missing"] else 0


def merged(folders, seeds):
    """The merged summary, and the runs it was made of."""
    found = [run for run in map(_run_in, _candidates(folders))
             if not seeds or run.seed in seeds]
    runs = [run for run in found if run.summary and run.summary["complete"]]
    if not seeds:
        _refuse_without_a_result(folders)
    disagreements, runs = _without_twins(runs)
    missing = sorted(_wanted(seeds, found) - {run.seed for run in runs})
    return merged_summary(runs, missing, disagreements), runs


def _refuse_without_a_result(folders):
    """No seed is asked for that would be missing then."""
    for folder in folders:
        if not any(_candidates([folder])):
            page(Path(folder) / SUMMARY)
            raise CannotRun(f"there is no result in {folder}.")


def _candidates(folders):
    """The folders that hold one run, or were begun to hold one."""
    for folder in map(Path, folders):
        if _summary(folder):
            yield folder
        yield from sorted((one for one in folder.glob("seed-*")
                           if _seed_of(one) >= 0), key=_seed_of)


def _run_in(folder):
    summary = _summary(folder)
    seed = summary["seed"] if summary else _seed_of(folder)
    return Run(folder, seed, summary)


def _seed_of(folder):
    digits = folder.name.rpartition("-")[2]
    return int(digits) if digits.isascii() and digits.isdigit() else -1


def _summary(folder):
    """Of one run. None where it is damaged, too: then that seed is missing."""
    with contextlib.suppress(CannotRun):
        told = page(folder / SUMMARY)
        return told if told and "seed" in told else None


def _wanted(seeds, found):
    """The seeds asked for; or else those begun, and what lies between."""
    if seeds:
        return set(seeds)
    first, last = min(run.seed for run in found), max(run.seed for run in found)
    if last - first >= SEEDS_MAX:
        raise CannotRun(f"the seeds that were found, {first} to {last}, are further"
                        f" apart than {SEEDS_MAX}: say by --seeds A-B which there"
                        " should be.")
    return set(range(first, last + 1))


def _without_twins(runs):
    """What twins disagree about, and one run of each."""
    disagreements, first = [], {}
    for run in runs:
        twin = first.setdefault(run.summary["reproduce"], run)
        for key, what in TOLD_ALIKE.items():
            told = [twin.summary[key], run.summary[key]]
            if told[0] != told[1]:
                disagreements.append(
                    f"seed {run.seed}: {what}{told[0]} in"
                    f" {twin.folder}, {told[1]} in {run.folder}")
    return disagreements, sorted(first.values(),
                                 key=lambda run: run.seed)


def _write(out, result, runs):
    """summary.json last: whoever finds it finds the rest."""
    for name, text in (
            ("junit.xml", junit_of_many(result, [one.summary for one in runs])),
            ("report.html", merged_report(result, out)),
            (SUMMARY, json.dumps(result, indent=2) + "\n")):
        with whole_file(out / name) as file:
            file.write(text.encode())
