# SPDX-License-Identifier: MIT
"""`qemu/soak history DIR...`: one page of many results, the oldest first."""

import os
from html import escape
from pathlib import Path
from typing import NamedTuple

from .errors import CannotRun
from .html_parts import Html, fact_list, link, page, section, table, verdict_box
from .measures import GROUPS, findings, measures, speed_of, summary_in
from .number_text import counted, grouped, plain
from .result_folder import refuse_to_replace
from .whole_output import whole_file

WIDTH, HEIGHT, EDGE = 600, 60, 6  # Of a curve, and around it.
TITLES = {"budgets": "Budgets", "peaks": "Peaks", "costs": "Costs",
          "speed": "Speed", "coverage": "Coverage"}


class Result(NamedTuple):
    folder: Path
    summary: dict

    @property
    def date(self):
        return self.summary.get("origin", {}).get("date", "")

    @property
    def name(self):
        origin = self.summary.get("origin", {})
        return origin.get("revision") or self.folder.name


def history(words):
    """Writes the page and returns the exit code."""
    results = _results(words.folders)
    out = Path(words.out)
    refuse_to_replace(out)
    with whole_file(out) as file:
        file.write(history_page(results, out.parent).encode())
    print(f"see   {out}")
    return 0


def _results(folders):
    """Of the folders themselves, or else of those in them; by date, then as
    they were given."""
    found = {}
    for folder in map(Path, folders):
        within = [folder, *sorted(one for one in folder.iterdir() if one.is_dir())]
        results = [Result(one, summary) for one, summary in
                   ((one, summary_in(one)) for one in within) if summary]
        if not results:
            raise CannotRun(f"there is no result in {folder}, nor in a folder of it.")
        whole = [one for one in results if one.folder == folder]
        found.update({one.folder.resolve(): one for one in whole or results})
    return sorted(found.values(), key=lambda result: result.date)


def history_page(results, out):
    """The whole page, which will lie in `out`."""
    failed = sum(one.summary["verdict"] == "fail" for one in results)
    last = results[-1].summary
    return page(f"history of {counted(len(results), 'result')}", (
        f"<h1>Tidepool, {counted(len(results), 'result')}</h1>\n"
        + verdict_box(last["verdict"], f"the last: {last['why']}")
        + fact_list((("Results", str(len(results))), ("Failed", str(failed)),
                     ("First", _when(results[0])), ("Last", _when(results[-1]))))
        + _table(results, out) + _curves(results)))


def _when(result):
    return " ".join(filter(None, (result.date, result.name)))


def _table(results, out):
    headings = ["!Result", "Date", "Revision", "Board", "#Seed", "#Frames", "#Speed",
                "What was found"]
    return section("Results", table(headings, [_row(one, out) for one in results]))


def _row(result, out):
    summary = result.summary
    is_good = summary["verdict"] == "pass"
    report = os.path.relpath(result.folder / "report.html", out)
    return ("ok" if is_good else "bad",
            [link("passed" if is_good else "failed", report), result.date,
             result.name, summary.get("board", "many"),
             str(summary.get("seed", "many")), grouped(summary["frames"]),
             f"{speed_of(summary):.0f} x", "; ".join(findings(summary))])


def _curves(results):
    """A section a group, of what was measured more than once."""
    known = [measures(one.summary) for one in results]
    keys = [key for key in dict.fromkeys(key for one in known for key in one)
            if sum(key in one for one in known) > 1]
    return "".join(
        section(TITLES[group], table(
            ["Of", "#First", "#Least", "#Most", "#Last", "One after the other"],
            [_curve(key, [one.get(key) for one in known], results)
             for key in keys if key[0] == group]))
        for group in GROUPS if any(key[0] == group for key in keys))


def _curve(key, line, results):
    values = [one.value for one in line if one]
    unit = next(one.unit for one in line if one)
    cells = [plain(value) for value in (values[0], min(values), max(values),
                                        values[-1])]
    return ("", [", ".join(filter(None, (key[1], unit))), *cells,
                 Html(_picture(key[1], line, results))])


def _picture(name, line, results):
    """A dot a result, which says which and how much; joined."""
    top = max(one.value for one in line if one) or 1
    step = (WIDTH - 2 * EDGE) / max(1, len(line) - 1)
    dots = [(EDGE + at * step, HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * one.value / top,
             f"{_when(results[at])}: {plain(one.value)} {one.unit}")
            for at, one in enumerate(line) if one]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in dots)
    marks = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{escape(text)}'
                    "</title></circle>" for x, y, text in dots)
    return (f'<svg class="history" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
            f' aria-label="{escape(name)}, one after the other">'
            f'<polyline points="{points}"/>{marks}</svg>')
