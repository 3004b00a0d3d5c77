# SPDX-License-Identifier: MIT
"""The rows of pools on the live screen, in as many columns as there is room."""

from typing import NamedTuple

from .number_text import grouped, percent

BAR_CELLS = 12
NAME_MIN = 6
ROOMY = 60  # From this width on, columns stand further apart.


class Column(NamedTuple):
    title: str
    cells: list


def pool_rows(ledger, width, glyphs):
    """A heading and a line a pool, none wider than `width`."""
    pools = ledger.allocators
    if not pools:
        return []
    gap = 2 if width >= ROOMY else 1
    room = width - len(_lead("", 0)) - BAR_CELLS
    longest = max(len(pool.name) for pool in pools)
    columns = _fitting(_required(pools), _optional(ledger), room - longest, gap)
    name_width = max(NAME_MIN, min(longest, room - _total(columns, gap)))
    return [_heading(columns, name_width, gap)] + [
        [(_lead(pool.name, name_width), ""), *_bar(pool, glyphs),
         ("".join(column.cells[row].rjust(_width(column, gap))
                  for column in columns), "")]
        for row, pool in enumerate(pools)]


def _heading(columns, name_width, gap):
    titles = (column.title.rjust(_width(column, gap)) for column in columns)
    return [(_lead("pool", name_width) + "in use".ljust(BAR_CELLS)
             + "".join(titles), "dim")]


def _lead(name, width):
    return f" {name[:width].ljust(width)} "


def _width(column, gap):
    return gap + max(map(len, [column.title, *column.cells]))


def _total(columns, gap):
    return sum(_width(column, gap) for column in columns)


def _required(pools):
    return [Column("now", [str(pool.live) for pool in pools]),
            Column("high ", [str(pool.peak) + "* "[not pool.was_full]
                             for pool in pools]),
            Column("cap", [str(pool.capacity) for pool in pools])]


def _optional(ledger):
    """What a pool of one of these policies, at least, can have."""
    pools = ledger.allocators
    counts = [Column(name, [_count(getattr(pool, name)) for pool in pools])
              for name, verb in (("refused", "drop"), ("steals", "steal"),
                                 ("spills", "spill"))
              if any(pool.policy.startswith(verb) or getattr(pool, name)
                     for pool in pools)]
    shares = [percent(pool.full_frames, ledger.frame) for pool in pools]
    return counts + [Column("full", shares)]


def _count(number):
    return grouped(number) if number else "-"


def _fitting(required, optional, room, gap):
    """The required columns and those of the others that still fit."""
    columns = list(required)
    for column in optional:
        if _total([*columns, column], gap) <= room:
            columns.append(column)
    return columns


def _bar(pool, glyphs):
    """Twelve cells: in use now, the highest use so far, never used."""
    used = _cells(pool.live, pool.capacity)
    high = max(used, _cells(pool.peak, pool.capacity))
    style = "warn" if pool.live >= pool.capacity else "bar"
    return [(glyphs.used * used, style),
            (glyphs.high * (high - used), style),
            (glyphs.free * (BAR_CELLS - high), "dim")]


def _cells(count, capacity):
    """A full bar means full; one object shows."""
    if not count:
        return 0
    return max(1, min(BAR_CELLS, BAR_CELLS * count // capacity))
