# SPDX-License-Identifier: MIT
"""One result from many: `qemu/soak merge DIR...`.

What is found in the folders is all there is to know: no list of jobs, no
server. Two results of one run must agree, whichever machines they are from.
"""

import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

from .advice import advice
from .closing import say_merged
from .errors import CannotRun
from .folder import SUMMARY
from .junit import junit_of_many
from .merged_report import merged_report
from .words import counted, span

TOTALS = ("live", "allocs", "frees", "drops", "steals", "spills",
          "full_frames")


class Run(NamedTuple):
    folder: Path
    seed: int
    summary: dict  # None if there is none.


def merge(options):
    """Merges the folders' runs, writes the result and returns the exit code."""
    out = Path(options.out or options.folders[0])
    if (out / SUMMARY).exists() and "runs" not in _summary(out):
        raise CannotRun(f"{out} holds the result of one run, which the merged"
                        " one would replace; choose another --out.")
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
    if not found and not seeds:
        raise CannotRun(f"there is no result in {', '.join(folders)}.")
    disagreements, runs = _without_twins(runs)
    missing = sorted(_wanted(seeds, found) - {run.seed for run in runs})
    return _result(runs, missing, disagreements), runs


def _candidates(folders):
    """The folders that hold one run, or were begun to hold one."""
    for folder in map(Path, folders):
        if "seed" in (_summary(folder) or ()):
            yield folder
        yield from sorted((one for one in folder.glob("seed-*")
                           if _seed_of(one) >= 0), key=_seed_of)


def _run_in(folder):
    summary = _summary(folder)
    seed = summary["seed"] if summary else _seed_of(folder)
    return Run(folder, seed, summary)


def _seed_of(folder):
    digits = folder.name.rpartition("-")[2]
    return int(digits) if digits.isdigit() else -1


def _summary(folder):
    try:
        return json.loads((folder / SUMMARY).read_text())
    except (OSError, ValueError):
        return None


def _wanted(seeds, found):
    """The seeds asked for; or else those begun, and what lies between."""
    if seeds:
        return set(seeds)
    begun = {run.seed for run in found}
    return set(range(min(begun), max(begun) + 1))


def _without_twins(runs):
    """What twins disagree about, and one run of each."""
    disagreements, first = [], {}
    for run in runs:
        twin = first.setdefault(run.summary["reproduce"], run)
        hashes = [twin.summary["state_hash"], run.summary["state_hash"]]
        if hashes[0] != hashes[1]:
            disagreements.append(
                f"seed {run.seed}: state {hashes[0]} in"
                f" {twin.folder}, {hashes[1]} in {run.folder}")
    return disagreements, sorted(first.values(),
                                 key=lambda run: run.seed)


def _result(runs, missing, disagreements):
    summaries = [run.summary for run in runs]
    failed = [one["seed"] for one in summaries if one["verdict"] == "fail"]
    wall = sum(one["wall_seconds"] for one in summaries)
    sim = sum(one["sim_seconds"] for one in summaries)
    good = not (failed or missing or disagreements)
    return {
        "verdict": "pass" if good else "fail",
        "why": _why(summaries, failed, missing, disagreements),
        "complete": not missing,
        "frames": sum(one["frames"] for one in summaries),
        "sim_seconds": round(sim, 3),
        "wall_seconds": round(wall, 3),
        "speedup": round(sim / wall, 1) if wall else 0,
        "missing": missing,
        "disagreements": disagreements,
        "runs": [_line_of(run) for run in runs],
        "pools": _pools(summaries),
        "results": _results(summaries),
        "warnings": sorted({warning for one in summaries
                            for warning in one["warnings"]
                            if _in_all(warning, summaries)}),
    }


def _why(summaries, failed, missing, disagreements):
    troubles = []
    if failed:
        first = next(one for one in summaries if one["seed"] == failed[0])
        troubles.append(f"{counted(len(failed), 'seed')} of {len(summaries)}"
                        f" failed, the first is seed {failed[0]}:"
                        f" {first['why']}")
    if missing:
        troubles.append(f"missing: {_ranges(missing)}")
    sim = sum(one["sim_seconds"] for one in summaries)
    return "; ".join(troubles + disagreements) or (
        f"{counted(len(summaries), 'seed')} passed over {span(sim)} of"
        " simulated time")


def _ranges(seeds):
    """[1, 2, 3, 7] -> 'seeds 1-3, 7'."""
    runs = []
    for seed in seeds:
        if runs and seed == runs[-1][1] + 1:
            runs[-1][1] = seed
        else:
            runs.append([seed, seed])
    words = [str(a) if a == b else f"{a}-{b}" for a, b in runs]
    return f"seed{'s' if len(seeds) > 1 else ''} {', '.join(words)}"


def _line_of(run):
    keys = ("seed", "board", "checks", "verdict", "why", "frames",
            "wall_seconds", "speedup", "state_hash", "config_hash", "elf_hash",
            "reproduce", "faults")
    return {**{key: run.summary[key] for key in keys},
            "folder": str(run.folder)}


def _pools(summaries):
    """Pools of one name and shape, over all runs."""
    groups = {}
    for one in summaries:
        for pool in one["pools"]:
            shape = (pool["name"], pool["policy"], pool["capacity"])
            groups.setdefault(shape, []).append((one, pool))
    return [_pool(*shape, members) for shape, members in groups.items()]


def _pool(name, policy, capacity, members):
    pools = [pool for _, pool in members]
    peaks = sorted(pool["peak"] for pool in pools)
    entry = {"name": name, "policy": policy, "capacity": capacity,
             "peak": peaks[-1], "peak_median": peaks[len(peaks) // 2],
             "peak_least": peaks[0],
             "peak_seed": max(members, key=lambda m: m[1]["peak"])[0]["seed"],
             **{key: sum(pool[key] for pool in pools) for key in TOTALS}}
    frames = sum(one["frames"] for one, _ in members)
    book = SimpleNamespace(**entry, was_full=entry["peak"] >= capacity)
    return {**entry, "frames": frames, "advice": advice(book, frames)}


def _results(summaries):
    """Every check: how many runs passed it, and which did not."""
    verdicts = {}
    for one in summaries:
        for check in one["results"]:
            verdicts.setdefault(check["name"], []).append(
                (one["seed"], check["passed"]))
    return [_check(name, seeds) for name, seeds in verdicts.items()]


def _check(name, seeds):
    failed = sorted(seed for seed, passed in seeds if not passed)
    detail = f"{len(seeds) - len(failed)} of {counted(len(seeds), 'run')}"
    return {"name": name, "passed": not failed, "failed_seeds": failed,
            "detail": detail + (f"; failed: {_ranges(failed)}" if failed
                                else "")}


def _in_all(warning, summaries):
    return all(warning in one["warnings"] for one in summaries)


def _write(out, result, runs):
    """summary.json last: whoever finds it finds the rest."""
    out.mkdir(parents=True, exist_ok=True)
    for name, text in (
            ("junit.xml", junit_of_many(result, [one.summary for one in runs])),
            ("report.html", merged_report(result)),
            (SUMMARY, json.dumps(result, indent=2) + "\n")):
        new = out / f".{name}"
        new.write_text(text, encoding="utf-8")
        os.replace(new, out / name)
