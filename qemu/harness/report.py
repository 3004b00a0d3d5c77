# SPDX-License-Identifier: MIT
"""report.html: one file, no network; for a person."""

from html import escape

from .advice import RULE
from .events import events
from .histogram import histogram
from .html_parts import (check_table, fact_list, item_list, page, section, table,
                         verdict_box)
from .number_text import clock, counted, grouped, percent, span
from .options import FRAMES_PER_SECOND, checks_text
from .picture_html import pictures
from .plot import Series, is_dense, plot, series_plot
from .progress_checks import activities
from .ram_html import ram_bars
from .why import can_explain

LEGEND = (("always", "in use throughout"), ("swing", "lowest to highest"),
          ("most", "four samples in five"), ("half", "half of the samples"),
          ("median", "median"),
          ("floor", "floor"), ("high", "highest use so far"),
          ("capacity", "capacity"))
NOT_DENSE = ("always",)
OF_DENSE = ("most", "half", "median")
SCENES_MOST = 60  # With more, bands could not be told from each other.


def report(summary, ledger):
    """The whole page. `ledger` gives the curves, `summary` all else."""
    title = "{verdict}: soak of {board}, seed {seed}".format(**summary)
    return page(title, (
        _heading(summary) + _facts(summary)
        + _cause(summary) + _reproduce(summary)
        + _faults(summary) + _audits(summary)
        + _pools(summary) + _warnings(summary) + pictures(ledger)
        + _curves(summary, ledger) + _frames(ledger) + _moves(ledger)
        + _costs(summary, ledger) + _figures(summary, ledger) + _places(summary)
        + _memory(summary) + _events(ledger) + _printed(summary)
        + section("Checks", check_table(summary["results"]))
        + _questions(summary) + _claims(summary) + _notes()))


def _heading(summary):
    return (f"<h1>Tidepool soak of {escape(summary['board'])}, seed"
            f" {summary['seed']}</h1>\n"
            + verdict_box(summary["verdict"], summary["why"]))


def _facts(summary):
    return fact_list((
        ("Simulated", span(summary["sim_seconds"])),
        ("Frames", _share(summary["frames"], summary["frames_asked"])),
        ("Real time", f"{summary['wall_seconds']:.1f} s, {_speed(summary)}"),
        ("Interrupts", grouped(summary["irqs"])),
        ("Interrupt mode", summary["interrupts"]),
        ("Checks", _checks(summary)),
        ("Firmware", ", ".join(filter(None, (summary["firmware"],
                                             summary["scenario"])))),
        ("Planted fault", summary["plant"] or "none"),
        ("State hash", summary["state_hash"]),
        ("Configuration", summary["config_hash"]),
        ("ELF (SHA-256)", summary["elf_hash"]),
        ("Emulator", _short_version(summary["qemu"])),
        ("Date", summary["origin"]["date"]),
        ("Revision", summary["origin"]["revision"] or "unknown"),
        ("Machine", summary["origin"]["machine"])))


def _checks(summary):
    return checks_text(summary["checks"], summary["sanitized"])


def _cause(summary):
    cause = summary["cause"]
    if not cause:
        return ""
    stacks = "".join(
        f"<h3>{escape(stack['title'])}</h3>\n<pre>"
        + escape("\n".join(f"{one['function']}()  {one['file']}:{one['line']}"
                           for one in stack["frames"])) + "</pre>\n"
        for stack in cause["stacks"])
    sentence = f"<p>{escape(cause['sentence'])}</p>\n"
    said = cause["sentence"] in [stack["title"] for stack in cause["stacks"]]
    return section("Who did it", stacks if said else sentence + stacks)


def _reproduce(summary):
    lines = [summary["reproduce"]]
    if can_explain(summary) and summary["cores"] == 1:
        lines.append("qemu/soak why DIR  # goes back to who did it")
    whole = f"# What it ran, in this folder:\n{summary['origin']['command']}"
    return section("How to reproduce it",
                   f"<pre>{escape(chr(10).join([*lines, whole]))}</pre>")


def _speed(summary):
    return f"{summary['speedup']:.0f} x faster"


def _share(part, whole):
    return grouped(part) if part == whole else \
        f"{grouped(part)} of {grouped(whole)}"


def _short_version(qemu):
    """'QEMU emulator version 7.2.22 (Debian ...)' -> 'QEMU 7.2.22'."""
    return qemu.split(" (")[0].replace(" emulator version", "")


def _questions(summary):
    """What the library was asked whose answers are known."""
    rows = [("bad" if one["wrong"] else "ok",
             ["no" if one["wrong"] else "yes" if one["asked"] else "-",
              one["name"], grouped(one["asked"]), grouped(one["wrong"])])
            for one in summary["questions"]]
    return section("What the library was asked", table(
        ["!So", "What must be", "#Asked", "#Answered wrong"], rows)) if rows else ""


def _faults(summary):
    if not summary["faults"]:
        return ""
    headings = ["Kind", "Pool", "Slot", "Address", "Frame", "Offset",
                "Expected", "Found", "Called from"]
    rows = [("bad", _fault_cells(fault)) for fault in summary["faults"]]
    return section("Faults", table(headings, rows))


def _fault_cells(fault):
    address = f"{fault['address']}, {fault['owner']}" if fault["owner"] \
        else fault["address"]
    return [fault["kind"], fault["pool"], str(fault["slot"]), address,
            str(fault["frame"]),
            *_damage(fault), fault["caller_line"] or fault["caller"]]


def _damage(fault):
    """Where, what should be there, and what is; of a wrong access what it does."""
    if fault["access"]:
        return [str(fault["offset"]), "-", fault["access"]]
    damage = [str(fault[field]) for field in ("offset", "expected", "found")]
    return damage if fault["expected"] != fault["found"] else "---"


def _audits(summary):
    if not summary["audits"]:
        return ""
    rows = [("bad", [grouped(audit["count"]), str(audit["frame"]),
                     audit["pool"], audit["text"]])
            for audit in summary["audits_folded"]]
    return section("Audits that disagreed",
                   table(["Times", "First in frame", "Pool", "What disagreed"],
                         rows))


def _pools(summary):
    frames = summary["frames"]
    pools = summary["pools"] + summary["allocators"]
    counts = ["allocs", "refused", "steals"]
    counts += ["spills"] if any(pool["spills"] for pool in pools) else []
    headings = ["Allocator", "Kind", "When full", "#Capacity", "#High", "#Time full",
                *(f"#{name.capitalize()}" for name in counts), "Advice"]
    rows = [("", _pool_cells(pool, counts, frames)) for pool in pools]
    return section("Pools and other allocators", table(headings, rows))


def _pool_cells(pool, counts, frames):
    numbers = [grouped(pool[name]) for name in ("capacity", "peak")]
    numbers.append(percent(pool["full_frames"], frames))
    numbers += [grouped(pool[name]) if pool[name] else "-" for name in counts]
    kind = f"{pool['kind']}, {pool['unit']}"
    return [pool["name"], kind, pool["policy"], *numbers, pool["advice"]]


def _warnings(summary):
    if not summary["warnings"]:
        return ""
    return section("Worth knowing",
                   item_list("warnings", summary["warnings"]))


def _curves(summary, ledger):
    figures = "".join(_curve(one, summary, ledger) for one in ledger.allocators)
    return section("In use over simulated time", _legend(ledger) + _grid(figures))


def _legend(ledger):
    dense = any(is_dense(one.curve) for one in ledger.allocators)
    names = "".join(f'<li><i class="{name}"></i>{text}</li>'
                    for name, text in LEGEND
                    if name not in (NOT_DENSE if dense else OF_DENSE))
    count = len(ledger.scenes)
    many = f"<p>{counted(count, 'scene')}, too many to show.</p>\n" \
        if count > SCENES_MOST else ""
    return f'<ul class="legend{" dense" if dense else ""}">{names}</ul>\n{many}'


def _grid(plots, more=""):
    return f'<div class="plots{more}">\n{plots}</div>'


def _curve(pool, summary, ledger):
    moments = [fault["frame"] / FRAMES_PER_SECOND
               for fault in summary["faults"] if fault["pool"] == pool.name]
    about = escape(", ".join(filter(None, (
        pool.kind, f"{grouped(pool.capacity)} {pool.unit}", pool.policy))))
    return (f'<div class="pool"><h3>{escape(pool.name)}<small>{about}</small>'
            f"</h3>{plot(pool, ledger.sim_seconds, moments, _scenes(ledger))}"
            f"{histogram(pool.histogram.counts)}{_ages(pool, ledger)}"
            f"{_holes(pool, ledger)}</div>\n")


def _holes(pool, ledger):
    return "".join(f"<p>{escape(one.name)}, in {one.unit}:</p>"
                   + series_plot(Series(one.name, one.curve), ledger.sim_seconds)
                   for one in (pool.largest, pool.in_holes) if one)


def _ages(pool, ledger):
    """Of its oldest object, in frames, if its row says how long they live."""
    if not pool.life or pool.keeps:
        return ""
    picture = series_plot(Series(f"{pool.name}: age of the oldest, in frames",
                                 pool.ages), ledger.sim_seconds)
    return f"<p>The oldest object, in frames:</p>{picture}"


def _frames(ledger):
    cost = Series("instructions of a frame", ledger.frame_cost.curve)
    picture = "".join(_titled(one.name, series_plot(one, ledger.sim_seconds))
                      for one in (cost, *_depths(ledger)))
    rows = [("", [one.name, grouped(one.deepest), grouped(one.size)])
            for one in ledger.stacks.values()]
    stacks = table(["Stack", "#Deepest, bytes", "#Of"], rows) if rows else ""
    plots = _grid(picture) if picture else ""
    return section("Frames and stacks", plots + stacks) if picture + stacks else ""


def _depths(ledger):
    return [Series(f"stack {name}: deepest so far, in bytes", curve)
            for name, curve in ledger.depths.items()]


def _moves(ledger):
    plots = "".join(_titled(name, series_plot(Series(name, one.curve),
                                              ledger.sim_seconds))
                    for name, one in activities(ledger).items())
    return section("What went on, each second: served and given back; changes of"
                   " figures", _grid(plots)) if plots else ""


def _titled(name, picture):
    return picture and (f'<div class="pool"><h3>{escape(name)}</h3>{picture}</div>\n')


def _scenes(ledger):
    """(name, first second, last second) of every scene, unless there are many."""
    if len(ledger.scenes) > SCENES_MOST:
        return []
    starts = [scene.frame / FRAMES_PER_SECOND for scene in ledger.scenes]
    ends = [*starts[1:], ledger.sim_seconds]
    return [(scene.name, start, end) for scene, start, end
            in zip(ledger.scenes, starts, ends)]


def _costs(summary, ledger):
    """Each minute of a run of some, too."""
    if not summary["costs"]:
        return ""
    plots = "".join(_titled(name, series_plot(
        Series(f"{name}: instructions of a call", one.curve), 60 * one.curve.samples))
        for name, one in ledger.costs.items() if one.curve.samples > 1)
    rows = [("", [cost["name"], grouped(cost["calls"]), *(
        _count(cost[key]) for key in ("p50", "p90", "p99", "max"))])
            for cost in summary["costs"]]
    steps = sorted({cost["step"] for cost in summary["costs"]})
    said = (f"<p>Counted in steps of {' or '.join(map(grouped, steps))}: each number"
            " is the last of its step, and the calls of one are not told apart.</p>\n")
    grid = _grid(plots, " many") if plots else ""
    return section("What calls cost, in instructions", grid + said + table(
        ["Call", "#Calls", "#Median", "#90 %", "#99 %", "#Most"], rows))


def _figures(summary, ledger):
    """What they were over time, too: whether one drifts is seen there."""
    if not summary["figures"]:
        return ""
    plots = "".join(_titled(f"{one.name}, in {one.unit}", series_plot(
        Series(one.name, one.curve), ledger.sim_seconds))
        for one in ledger.figures.values())
    rows = [("", [figure["name"], figure["unit"], *(
        _count(figure[key]) for key in ("low", "high", "last"))])
            for figure in summary["figures"]]
    return section("Figures of the firmware", (_grid(plots) if plots else "") + table(
        ["Figure", "Unit", "#Lowest", "#Highest", "#Last"], rows))


def _count(number):
    return "-" if number is None else grouped(number)


def _places(summary):
    """Of a firmware with hooks."""
    if not summary["places"]:
        return ""
    numbers = ("requests", "refused", "refused_on_purpose", "held")
    headings = ["Allocator", "Asked from", "#Requests", "#Refused",
                "#Refused on purpose", "#Live now"]
    rows = [("", [place["allocator"], place["line"],
                  *(grouped(place[name]) for name in numbers)])
            for place in summary["places"]]
    return section("Who asks", table(headings, rows))


def _memory(summary):
    return section("RAM, as the linker laid it out",
                   ram_bars(summary["memory"])) if summary["memory"] else ""


def _events(ledger):
    found = events(ledger)
    rows = [("bad" if bad else "", [clock(frame / FRAMES_PER_SECOND),
                                    grouped(frame), words])
            for frame, words, bad in found]
    return section("Events", table(["Time", "#Frame", "What happened"], rows)) \
        if found else ""


def _printed(summary):
    printed = summary["printed"]
    if not printed["lines"]:
        return ""
    rows = [("", [grouped(line["frame"]), line["text"]])
            for line in printed["first"]]
    rest = printed["lines"] - len(rows)
    more = f"<p>{counted(rest, 'more line')} in console.log.</p>" if rest else ""
    return section("What the firmware printed",
                   table(["#After frame", "Text"], rows) + more)


def _claims(summary):
    """So that nobody takes what was not looked for as not there."""
    rows = [("ok" if claim["looked_for"] else "",
             ["yes" if claim["looked_for"] else "no", claim["bug"],
              claim["level"]]) for claim in summary["claims"]]
    return section(f"What was looked for, with checks {_checks(summary)}",
                   table(["!Looked for", "Bug", "From level"], rows))


def _notes():
    notes = (
        "Simulated time is frames divided by 60. No clock of the host takes"
        " part in a verdict, so the line above repeats the run exactly.",
        "QEMU counts instructions, not cycles: this report says nothing of how"
        " fast the firmware is on a real chip.",
        RULE)
    return section("Notes", item_list("notes", notes))
