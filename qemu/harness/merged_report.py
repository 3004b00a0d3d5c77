# SPDX-License-Identifier: MIT
"""report.html of many runs: which failed, how to repeat them, what was used."""

import os
import re
from html import escape

from .advice import RULE
from .html_parts import (check_table, fact_list, item_list, link, page, section,
                         table, verdict_box)
from .number_text import counted, grouped, percent, span


def merged_report(result, out):
    """The whole page; `out` is the folder it will lie in."""
    runs = result["runs"]
    title = f"{result['verdict']}: {counted(len(runs), 'soak')}"
    return page(title, (
        f"<h1>Tidepool, {counted(len(runs), 'soak')}</h1>\n"
        + verdict_box(result["verdict"], result["why"])
        + _facts(result) + _failed(runs, out) + _missing(result)
        + _pools(result["pools"])
        + section("Checks", check_table(result["results"]))
        + _runs(runs, out)
        + section("Notes", item_list("notes", [RULE, *result["warnings"]]))))


def _facts(result):
    runs = result["runs"]
    return fact_list((
        ("Runs", counted(len(runs), "run")),
        ("Failed", str(sum(run["verdict"] == "fail" for run in runs))),
        ("Missing", str(len(result["missing"]))),
        ("Simulated", span(result["sim_seconds"])),
        ("Real time, added up", span(result["wall_seconds"])),
        ("Speed of one run", f"{result['speedup']:.0f} x real time")))


def _failed(runs, out):
    """A section for those that failed alike: of the same, but for the numbers."""
    groups = {}
    for run in runs:
        if run["verdict"] == "fail":
            groups.setdefault(re.sub(r"0x[0-9a-f]+|\d+", "#", run["why"]),
                              []).append(run)
    alike = sorted(groups.values(), key=len)  # Rare ones first.
    return "".join(_cluster(group, out) for group in alike)


def _cluster(runs, out):
    first, links = runs[0], ", ".join(_seed(run, out) for run in runs)
    title = f"Seed {first['seed']} failed" if len(runs) == 1 else \
        f"{counted(len(runs), 'seed')} failed alike"
    return section(title, f"<p>{escape(first['why'])}</p>\n<p>Seed {links}</p>\n"
                          f"<pre>{escape(first['reproduce'])}</pre>")


def _seed(run, out):
    """A link to the report of the run."""
    page = os.path.join(run["folder"], "report.html")
    return link(str(run["seed"]), os.path.relpath(page, out))


def _missing(result):
    troubles = [f"seed {seed} has no complete result"
                for seed in result["missing"]] + result["disagreements"]
    return section("Missing and in doubt",
                   item_list("warnings", troubles)) if troubles else ""


def _pools(pools):
    headings = ["Pool", "When full", "#Capacity", "#Highest", "#Median high",
                "#Lowest high", "#Highest in seed", "#Time full", "Advice"]
    rows = [("", [pool["name"], pool["policy"], grouped(pool["capacity"]),
                  grouped(pool["peak"]), grouped(pool["peak_median"]),
                  grouped(pool["peak_least"]), str(pool["peak_seed"]),
                  percent(pool["full_frames"], pool["frames"]),
                  pool["advice"]]) for pool in pools]
    return section("Pools, over all runs", table(headings, rows))


def _runs(runs, out):
    headings = ["!Result", "#Seed", "Board", "Checks", "#Frames", "#Speed",
                "State"]
    rows = [("ok" if run["verdict"] == "pass" else "bad",
             ["passed" if run["verdict"] == "pass" else "failed",
              _seed(run, out), run["board"], run["checks"],
              grouped(run["frames"]), f"{run['speedup']:.0f} x",
              run["state_hash"]]) for run in runs]
    return section("Runs", table(headings, rows))
