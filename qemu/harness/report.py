# SPDX-License-Identifier: MIT
"""report.html: one file, no script, no network; for a person."""

from html import escape

from .advice import RULE
from .options import FRAMES_PER_SECOND
from .page import (check_table, fact_list, item_list, page, section, table,
                   verdict_box)
from .plot import plot
from .words import counted, grouped, percent, span

LEGEND = (("always", "in use throughout"), ("swing", "in use at times"),
          ("mean", "mean"), ("high", "highest use so far"),
          ("capacity", "capacity"))


def report(summary, ledger):
    """The whole page. `ledger` gives the curves, `summary` all else."""
    title = "{verdict}: soak of {board}, seed {seed}".format(**summary)
    return page(title, (
        _heading(summary) + _facts(summary)
        + section("How to reproduce it",
                  f"<pre>{escape(summary['reproduce'])}</pre>")
        + _faults(summary) + _audits(summary)
        + _pools(summary) + _warnings(summary)
        + _curves(summary, ledger)
        + section("Checks", check_table(summary["results"])) + _notes()))


def _heading(summary):
    return (f"<h1>Tidepool soak of {escape(summary['board'])}, seed"
            f" {summary['seed']}</h1>\n"
            + verdict_box(summary["verdict"], summary["why"]))


def _facts(summary):
    return fact_list((
        ("Simulated", span(summary["sim_seconds"])),
        ("Frames", _share(summary["frames"], summary["frames_asked"])),
        ("Real time", f"{summary['wall_seconds']:.1f} s"),
        ("Speed", f"{summary['speedup']:.0f} x real time"),
        ("Interrupts", grouped(summary["irqs"])),
        ("Interrupt mode", summary["interrupts"]),
        ("Checks", summary["checks"]),
        ("Scenario", summary["scenario"] or "the demo's own"),
        ("Planted fault", summary["plant"] or "none"),
        ("State hash", summary["state_hash"]),
        ("Configuration", summary["config_hash"]),
        ("ELF (SHA-256)", summary["elf_hash"]),
        ("Emulator", _short_version(summary["qemu"]))))


def _share(part, whole):
    return grouped(part) if part == whole else \
        f"{grouped(part)} of {grouped(whole)}"


def _short_version(qemu):
    """'QEMU emulator version 7.2.22 (Debian ...)' -> 'QEMU 7.2.22'."""
    return qemu.split(" (")[0].replace(" emulator version", "")


def _faults(summary):
    if not summary["faults"]:
        return ""
    headings = ["Kind", "Pool", "Slot", "Address", "Frame", "Offset",
                "Expected", "Found", "Called from"]
    rows = [("bad", _fault_cells(fault)) for fault in summary["faults"]]
    return section("Faults", table(headings, rows))


def _fault_cells(fault):
    fields = ("kind", "pool", "slot", "address", "frame")
    damage = [str(fault[field]) for field in ("offset", "expected", "found")]
    return [*(str(fault[field]) for field in fields),
            *(damage if fault["expected"] != fault["found"] else "---"),
            fault["caller_line"] or fault["caller"]]


def _audits(summary):
    if not summary["audits"]:
        return ""
    rows = [("bad", [str(audit["frame"]), audit["pool"], audit["text"]])
            for audit in summary["audits"]]
    return section("Audits that disagreed",
                   table(["Frame", "Pool", "What disagreed"], rows))


def _pools(summary):
    pools, frames = summary["pools"], summary["frames"]
    counts = ["allocs", "drops", "steals"]
    counts += ["spills"] if any(pool["spills"] for pool in pools) else []
    headings = ["Pool", "When full", "#Capacity", "#High", "#Time full",
                *(f"#{name.capitalize()}" for name in counts), "Advice"]
    rows = [("", _pool_cells(pool, counts, frames)) for pool in pools]
    return section("Pools", table(headings, rows))


def _pool_cells(pool, counts, frames):
    numbers = [grouped(pool[name]) for name in ("capacity", "peak")]
    numbers.append(percent(pool["full_frames"], frames))
    numbers += [grouped(pool[name]) if pool[name] else "-" for name in counts]
    return [pool["name"], pool["policy"], *numbers, pool["advice"]]


def _warnings(summary):
    if not summary["warnings"]:
        return ""
    return section("Worth knowing",
                   item_list("warnings", summary["warnings"]))


def _curves(summary, ledger):
    legend = "".join(f'<li><i class="{name}"></i>{text}</li>'
                     for name, text in LEGEND)
    figures = "".join(_curve(pool, summary, ledger) for pool in ledger.pools)
    return section("Slots in use over simulated time",
                   f'<ul class="legend">{legend}</ul>\n{figures}')


def _curve(pool, summary, ledger):
    moments = [fault["frame"] / FRAMES_PER_SECOND
               for fault in summary["faults"] if fault["pool"] == pool.name]
    about = escape(f"{counted(pool.capacity, 'slot')}, {pool.policy}")
    return (f'<div class="pool"><h3>{escape(pool.name)}<small>{about}</small>'
            f"</h3>{plot(pool, ledger.sim_seconds, moments)}</div>\n")


def _notes():
    notes = (
        "Simulated time is frames divided by 60. No clock of the host takes"
        " part in a verdict, so the line above repeats the run exactly.",
        "QEMU counts instructions, not cycles: this report says nothing of how"
        " fast the firmware is on a real chip.",
        RULE)
    return section("Notes", item_list("notes", notes))
