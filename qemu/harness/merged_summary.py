# SPDX-License-Identifier: MIT
"""The summary.json of many runs: what they add up to."""

from types import SimpleNamespace

from .advice import advice
from .ledger import was_full
from .number_text import counted, span

SHAPE = ("name", "kind", "unit", "policy", "capacity")
TOTALS = ("live", "allocs", "frees", "refused", "steals", "spills",
          "full_frames")


def merged_summary(runs, missing, disagreements):
    """The merged summary of runs, each with its folder and summary."""
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
        "warnings": _unlike(summaries) + sorted(
            {warning for one in summaries for warning in one["warnings"]
             if _in_all(warning, summaries)}),
    }


def _unlike(summaries):
    """What is no disagreement, for another machine's paths are in its file."""
    seeds = {}
    for one in summaries:
        builds = seeds.setdefault((one["board"], one["checks"]), {})
        builds.setdefault(one["elf_hash"], []).append(one["seed"])
    return [f"the runs on {board} at {checks} are of {len(builds)} firmwares: " +
            "; ".join(f"{_ranges(sorted(each))} of {elf}"
                      for elf, each in builds.items())
            for (board, checks), builds in seeds.items() if len(builds) > 1]


def _why(summaries, failed, missing, disagreements):
    troubles = []
    if failed:
        first = next(one for one in summaries if one["verdict"] == "fail")
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
            shape = tuple(pool[key] for key in SHAPE)
            groups.setdefault(shape, []).append((one, pool))
    names = {shape[0] for shape in groups}
    return [_pool(dict(zip(SHAPE, shape)), members, names)
            for shape, members in groups.items()]


def _pool(shape, members, names):
    pools = [pool for _, pool in members]
    peaks = sorted(pool["peak"] for pool in pools)
    entry = {**shape,
             "peak": peaks[-1], "peak_median": peaks[len(peaks) // 2],
             "peak_least": peaks[0],
             "peak_seed": max(members, key=lambda m: m[1]["peak"])[0]["seed"],
             **{key: sum(pool[key] for pool in pools) for key in TOTALS}}
    frames = sum(one["frames"] for one, _ in members)
    cuts = {cut["capacity"] for pool in pools for cut in pool["cuts"]}
    pool = SimpleNamespace(**entry, cuts=cuts,
                           was_full=was_full(peaks[-1], entry["capacity"]))
    return {**entry, "frames": frames, "advice": advice(pool, frames, names)}


def _results(summaries):
    """Every check: how many runs passed it, and which did not."""
    verdicts = {}
    for one in summaries:
        for check in one["results"]:
            verdicts.setdefault(check["name"], []).append(
                (one["seed"], check["passed"]))
    return [_check(name, seeds) for name, seeds in verdicts.items()]


def _check(name, seeds):
    failed = sorted(seed for seed, passed in seeds if passed is False)
    good = sum(passed is True for _, passed in seeds)
    detail = f"{good} of {counted(len(seeds), 'run')}"
    skipped = len(seeds) - good - len(failed)
    detail += f", {skipped} skipped" * (skipped > 0)
    passed = None if skipped == len(seeds) else not failed
    return {"name": name, "passed": passed, "failed_seeds": failed,
            "detail": detail + (f"; failed: {_ranges(failed)}" if failed
                                else "")}


def _in_all(warning, summaries):
    return all(warning in one["warnings"] for one in summaries)
