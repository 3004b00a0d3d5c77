# SPDX-License-Identifier: MIT
"""report.html of many runs: which failed, how to repeat them, what was used."""

from html import escape

from .advice import RULE
from .html_parts import (check_table, fact_list, item_list, page, section, table,
                         verdict_box)
from .number_text import counted, grouped, percent, span


def merged_report(result):
    runs = result["runs"]
    title = f"{result['verdict']}: {counted(len(runs), 'soak')}"
    return page(title, (
        f"<h1>Tidepool, {counted(len(runs), 'soak')}</h1>\n"
        + verdict_box(result["verdict"], result["why"])
        + _facts(result) + _failed(runs) + _missing(result)
        + _pools(result["pools"])
        + section("Checks", check_table(result["results"]))
        + _runs(runs)
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


def _failed(runs):
    failed = [run for run in runs if run["verdict"] == "fail"]
    return "".join(
        section(f"Seed {run['seed']} failed",
                f"<p>{escape(run['why'])}</p>\n"
                f"<pre>{escape(run['reproduce'])}</pre>")
        for run in failed)


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


def _runs(runs):
    headings = ["!Result", "#Seed", "Board", "Checks", "#Frames", "#Speed",
                "State"]
    rows = [("ok" if run["verdict"] == "pass" else "bad",
             ["passed" if run["verdict"] == "pass" else "failed",
              str(run["seed"]), run["board"], run["checks"],
              grouped(run["frames"]), f"{run['speedup']:.0f} x",
              run["state_hash"]]) for run in runs]
    return section("Runs", table(headings, rows))
