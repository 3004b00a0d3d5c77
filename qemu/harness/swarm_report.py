# SPDX-License-Identifier: MIT
"""What a swarm came to, as it is written and printed: which branches and peaks it
reached, what was kept, and the line that repeats each."""

import json
from html import escape

from .html_parts import (Html, fact_list, page, section, table, verdict_box)
from .junit import junit_of_swarm
from .number_text import counted, grouped, percent, span
from .result_folder import SUMMARY
from .swarm_result import branches
from .verdict_text import say_lines, short


def write(result, scratch):
    for name, text in ((SUMMARY, json.dumps(result, indent=2) + "\n"),
                       ("junit.xml", junit_of_swarm(result)),
                       ("report.html", report(result))):
        (scratch / name).write_text(text, encoding="utf-8")


def say(options, result, stream):
    """The verdict in words; with --json, the summary as a line on stdout."""
    say_lines(options, result, stream, [
        *_lines(result), ("see", short(options.out_folder / "report.html"), "")])


def report(result):
    """The whole page."""
    rounds = counted(result["swarm"]["rounds"], "round")
    return page(f"{result['verdict']}: swarm of {rounds}", (
        f"<h1>Tidepool, a swarm of {rounds}</h1>\n"
        + verdict_box(result["verdict"], result["why"])
        + _facts(result)
        + "".join(map(_finding, result["findings"]))
        + section("The swarm again", f"<pre>{escape(result['reproduce'])}</pre>")
        + section("What was kept", _kept(result))
        + section("Highest use", _peaks(result))
        + section("Branches by file", _files(result))))


def _facts(result):
    reached, swarm = result["branches"], result["swarm"]
    firmwares = [(f"Of these in the {escape(name)}", grouped(number))
                 for name, number in reached["by_firmware"].items()]
    return fact_list((
        ("Branches reached", f"{grouped(reached['reached'])} of"
                             f" {grouped(reached['of'])}"),
        *firmwares,
        ("Rounds", f"{grouped(swarm['rounds'])} of"
                   f" {counted(swarm['frames_of_a_round'], 'frame')}"),
        ("Kept", counted(len(result["kept"]), "round")),
        ("Simulated", span(result["sim_seconds"])),
        ("Real time", span(result["wall_seconds"])),
        ("Begun at seed", str(swarm["seed"])),
        ("Date", result["origin"]["date"]),
        ("Revision", result["origin"]["revision"] or "unknown"),
        ("Machine", result["origin"]["machine"])))


def _finding(one):
    alike = f", and {counted(one['count'] - 1, 'round')} more alike" \
        if one["count"] > 1 else ""
    return section(
        f"Round {one['round']} failed",
        f"<p>{escape(one['firmware'])}: {escape(one['why'])}{alike}</p>\n"
        f"<p>Told: {escape(one['told'] or 'nothing')}</p>\n"
        f"<pre>{escape(one['reproduce'])}</pre>")


def _kept(result):
    rows = [("", [str(one["round"]), one["firmware"], grouped(one["new_branches"]),
                  ", ".join(one["new_peaks"]), one["told"] or "nothing",
                  Html(f"<code>{escape(one['reproduce'])}</code>")])
            for one in result["kept"]]
    return table(["#Round", "Firmware", "#New branches", "New highest use of", "Told",
                  "Again"], rows)


def _peaks(result):
    rows = [("", [one["firmware"], one["name"], one["kind"], one["policy"],
                  grouped(one["capacity"]), grouped(one["peak"]), one["unit"],
                  str(one["round"])]) for one in result["peaks"]]
    return table(["Firmware", "Allocator", "Kind", "When full", "#Capacity",
                  "#Highest", "Unit", "#In round"], rows)


def _files(result):
    rows = [("", [one["file"], grouped(one["reached"]), grouped(one["of"]),
                  percent(one["reached"], one["of"])])
            for one in result["branches"]["files"] if one["of"]]
    return table(["File", "#Reached", "#Of", "#Share"], rows)


def _lines(result):
    """(label, text, style) of what is printed."""
    passed = result["verdict"] == "pass"
    yield (result["verdict"].upper(), result["why"], "good" if passed else "bad")
    for at, one in enumerate(result["findings"]):
        if at:  # That is of the first.
            yield "also", f"round {one['round']}: {one['why']}", "bad"
        yield "again", one["reproduce"], ""
    yield "kept", (f"{counted(len(result['kept']), 'round')} that reached new branches"
                   " or peaks"), "dim"
    for name, number in result["branches"]["by_firmware"].items():
        yield "", f"{branches(number)} in the {name}", "dim"
    yield "ran", (f"{counted(result['swarm']['rounds'], 'round')},"
                  f" {counted(result['frames'], 'frame')} in"
                  f" {result['wall_seconds']:.1f} s"), "dim"
