# SPDX-License-Identifier: MIT
"""report.html: one file, no script, no network; for a person."""

from html import escape
from pathlib import Path

from .advice import RULE
from .options import FRAMES_PER_SECOND
from .plot import plot
from .words import counted, grouped, percent, span

LEGEND = (("always", "in use throughout"), ("swing", "in use at times"),
          ("mean", "mean"), ("high", "highest use so far"),
          ("capacity", "capacity"))
CSS = Path(__file__).with_name("report.css")


def report(summary, ledger):
    """The whole page. `ledger` gives the curves, `summary` all else."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{_title(summary)}</title>\n"
        f"<style>\n{CSS.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n"
        + _verdict(summary) + _facts(summary)
        + _section("How to reproduce it",
                   f"<pre>{escape(summary['reproduce'])}</pre>")
        + _faults(summary) + _audits(summary)
        + _pools(summary) + _warnings(summary)
        + _curves(summary, ledger) + _checks(summary) + _notes()
        + "</body>\n</html>\n")


def _title(summary):
    return escape("{verdict}: soak of {board}, seed {seed}".format(**summary))


def _verdict(summary):
    verdict = summary["verdict"]
    return (f"<h1>Tidepool soak of {escape(summary['board'])}, seed"
            f" {summary['seed']}</h1>\n"
            f'<div class="verdict {verdict}"><strong>{verdict.capitalize()}'
            f"</strong><p>{escape(summary['why'])}</p></div>\n")


def _facts(summary):
    facts = (
        ("Simulated", span(summary["sim_seconds"])),
        ("Frames", _share(summary["frames"], summary["frames_asked"])),
        ("Real time", f"{summary['wall_seconds']:.1f} s"),
        ("Speed", f"{summary['speedup']:.0f} x real time"),
        ("Interrupts", grouped(summary["irqs"])),
        ("Interrupt mode", summary["interrupts"]),
        ("Checks", summary["checks"]),
        ("Planted fault", summary["plant"] or "none"),
        ("State hash", summary["state_hash"]),
        ("Configuration", summary["config_hash"]),
        ("ELF (SHA-256)", summary["elf_hash"]),
        ("Emulator", _short_version(summary["qemu"])))
    entries = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>"
                      for name, value in facts)
    return f'<dl class="facts">{entries}</dl>\n'


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
    return _section("Faults", _table(headings, rows))


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
    return _section("Audits that disagreed",
                    _table(["Frame", "Pool", "What disagreed"], rows))


def _pools(summary):
    pools, frames = summary["pools"], summary["frames"]
    counts = ["allocs", "drops", "steals"]
    counts += ["spills"] if any(pool["spills"] for pool in pools) else []
    headings = ["Pool", "When full", "#Capacity", "#High", "#Time full",
                *(f"#{name.capitalize()}" for name in counts), "Advice"]
    rows = [("", _pool_cells(pool, counts, frames)) for pool in pools]
    return _section("Pools", _table(headings, rows))


def _pool_cells(pool, counts, frames):
    numbers = [grouped(pool[name]) for name in ("capacity", "peak")]
    numbers.append(percent(pool["full_frames"], frames))
    numbers += [grouped(pool[name]) if pool[name] else "-" for name in counts]
    return [pool["name"], pool["policy"], *numbers, pool["advice"]]


def _warnings(summary):
    if not summary["warnings"]:
        return ""
    items = "".join(f"<li>{escape(warning)}</li>"
                    for warning in summary["warnings"])
    return _section("Worth knowing", f'<ul class="warnings">{items}</ul>')


def _curves(summary, ledger):
    legend = "".join(f'<li><i class="{name}"></i>{text}</li>'
                     for name, text in LEGEND)
    figures = "".join(_curve(pool, summary, ledger) for pool in ledger.pools)
    return _section("Slots in use over simulated time",
                    f'<ul class="legend">{legend}</ul>\n{figures}')


def _curve(pool, summary, ledger):
    moments = [fault["frame"] / FRAMES_PER_SECOND
               for fault in summary["faults"] if fault["pool"] == pool.name]
    about = escape(f"{counted(pool.capacity, 'slot')}, {pool.policy}")
    return (f'<div class="pool"><h3>{escape(pool.name)}<small>{about}</small>'
            f"</h3>{plot(pool, ledger.sim_seconds, moments)}</div>\n")


def _checks(summary):
    rows = [("ok" if result["passed"] else "bad",
             ["passed" if result["passed"] else "failed", result["name"],
              result["detail"]]) for result in summary["results"]]
    return _section("Checks", _table(["!Result", "Check", "Numbers"], rows))


def _notes():
    notes = (
        "Simulated time is frames divided by 60. No clock of the host takes"
        " part in a verdict, so the line above repeats the run exactly.",
        "QEMU counts instructions, not cycles: this report says nothing of how"
        " fast the firmware is on a real chip.",
        RULE)
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return _section("Notes", f'<ul class="notes">{items}</ul>')


def _section(title, body):
    return f"<section>\n<h2>{title}</h2>\n{body}\n</section>\n"


def _table(headings, rows):
    """A heading that begins with # is of numbers, one with ! of verdicts."""
    styles = [{"#": "number", "!": "mark"}.get(heading[0], "text")
              for heading in headings]
    labels = [heading.lstrip("#!") for heading in headings]
    head = "".join(f'<th class="{style}">{label}</th>'
                   for style, label in zip(styles, labels))
    body = "".join(_row(name, cells, styles, labels) for name, cells in rows)
    return (f"<table><thead><tr>{head}</tr></thead>"
            f"<tbody>\n{body}</tbody></table>")


def _row(name, cells, styles, labels):
    return f'<tr class="{name}">' + "".join(
        f'<td class="{style}" data-label="{label}">{escape(cell)}</td>'
        for cell, style, label in zip(cells, styles, labels)) + "</tr>\n"
