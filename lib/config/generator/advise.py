# SPDX-License-Identifier: MIT
"""Advise: counts from what soaks saw."""

import json
import re

from .check import read_text
from .problems import Trouble
from .text import columns, paragraphs

ADVICE = """\
A pool should keep an eighth more slots than its highest use, and at least one more.
It is called too large when its highest use is at most 75 % of its capacity, and too
small when it was full in more than 1 % of the frames or, if it must never be full,
when it lacks that eighth. How many more a pool needs that was full cannot be seen:
that is not advised, and nothing is for a pool that no run used."""


class Seen:
    """What the runs saw of one pool, all together."""

    def __init__(self):
        self.peak = self.allocs = self.full_frames = self.frames = 0

    def add(self, entry, frames):
        self.peak = max(self.peak, entry["peak"])
        self.allocs += entry["allocs"]
        self.full_frames += entry["full_frames"]
        self.frames += frames

    @property
    def often_full(self):
        return 100 * self.full_frames > self.frames


def enough(peak):
    """The highest use and an eighth, rounded up; at least one more."""
    return peak + max(1, -(-peak // 8))


def advised_count(count, must_fit, seen):
    """The count that the rule above advises: [count] itself where it is right."""
    need = enough(seen.peak)
    if not seen.allocs:
        return count
    if must_fit and need > count:
        return need
    if not must_fit and seen.often_full:
        return count
    return need if 4 * seen.peak <= 3 * count and need < count else count


def read_summary(path):
    """The summary.json of a soak, if it has what advice needs."""
    try:
        summary = json.loads(read_text(path))
        pools = summary["pools"]
        numbers = [summary["frames"]] + [entry[name] for entry in pools for name in
                                         ("capacity", "peak", "allocs", "full_frames")]
        names = [summary["config_hash"]] + [entry["name"] for entry in pools]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Trouble(f"{path}: error: not the summary.json of a soak")
    kinds = {type(number) for number in numbers}, {type(name) for name in names}
    if kinds != ({int}, {str}):
        raise Trouble(f"{path}: error: not the summary.json of a soak")
    return summary


def gather(config, summaries):
    """{name: Seen} of the pools that every one of [summaries] saw as they are now."""
    seen = {pool.name: Seen() for pool in config.pools if not pool.cut}
    for summary in summaries:
        entries = {entry["name"]: entry for entry in summary["pools"]}
        for pool in config.pools:
            entry = entries.get(pool.name)
            if pool.name not in seen:
                continue
            if entry and entry["capacity"] == pool.slots:
                seen[pool.name].add(entry, summary["frames"])
            else:
                del seen[pool.name]
    return seen


def advice_table(config, seen, counts):
    rows = [("pool", "when full", "slots", "peak", "full", "advised", "RAM", "bank")]
    total = 0
    for pool in config.pools:
        if pool.name not in seen:
            rows.append((pool.name, pool.full, str(pool.count), *"----",
                         pool.bank or "-"))
            continue
        resized = pool.resized(counts[pool.name])
        won = resized.ram_bytes(config.level) - pool.ram_bytes(config.level)
        total += won
        rows.append((pool.name, pool.full, str(pool.count), str(seen[pool.name].peak),
                     share(seen[pool.name]), str(counts[pool.name]),
                     f"{won:+d}" if won else "0", pool.bank or "-"))
    won = f"RAM: {total:+d} bytes" if total else "RAM: 0 bytes"
    return paragraphs([columns(rows, "<<>>>>><"), [won], ADVICE.split("\n")])


def share(seen):
    return f"{100 * seen.full_frames / seen.frames:.1f} %" if seen.frames else "-"


def rewrite_counts(text, config, counts):
    """[text] with new counts, and with all else in the column where it was."""
    lines = text.split("\n")
    for pool in config.pools:
        line, column, width = pool.place("count")
        if counts.get(pool.name, pool.count) != pool.count:
            lines[line - 1] = replace_number(lines[line - 1], column - 1, width,
                                             counts[pool.name])
    return "\n".join(lines)


def replace_number(line, start, width, number):
    before, after = line[:start], line[start + width:]
    old, new = width, len(str(number))
    comma, blanks, rest = re.fullmatch(r"((?:[ \t]*,)?)( *)(.*)", after, re.S).groups()
    if rest.strip():
        blanks = " " * max(len(blanks) + old - new, min(len(blanks), 1))
    return f"{before}{number}{comma}{blanks}{rest}"
