# SPDX-License-Identifier: MIT
"""One pool's occupancy over time as inline SVG.

The shapes stretch with the page, the words around them are HTML and do not, so
that the plot is as readable on a telephone as on a desk.
"""

from dataclasses import dataclass
from functools import cached_property
from html import escape

from .curve import Curve, ordered, share_of
from .number_text import grouped, span
from .trend import windows

WIDTH, HEIGHT = 1000, 200
HEADROOM = 1.08  # So that the line of the capacity is inside the plot.
TICKS = 5
LABELLED = 0.12  # Of the width: room for the name of a scene.
DENSE = 8  # Samples a column, from which on it shows how they are spread.
BANDS = {"most": (0.1, 0.9), "half": (0.25, 0.75)}  # Shares of the samples,
GROUPS = 90  # of so many parts of a curve.
SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
           10800, 21600, 43200, 86400)
UNITS = ((86400, "d"), (3600, "h"), (60, "min"), (1, "s"))


def plot(pool, seconds, fault_seconds, scenes=()):
    """`pool` over `seconds`; a mark at each of `fault_seconds`, and a band for
    each (name, first second, last second) of `scenes`."""
    columns = pool.curve.columns()
    if not columns:
        return "<p>No sample arrived.</p>"
    marks = "".join(_mark(at / seconds) for at in fault_seconds if seconds)
    shapes = f"{_bands(scenes, seconds)}{_shapes(pool, columns)}{marks}"
    return (f'<div class="plot"{_points(columns, seconds)}>'
            f"{_picture(pool, seconds, shapes, _description)}"
            f"{_scene_labels(scenes, seconds)}</div>")


def _points(columns, seconds):
    """What report.js tells of: lowest, median and highest of each column."""
    points = ";".join(f"{column.low},{share_of(ordered([column]), 0.5)},{column.high}"
                      for *_, column in columns)
    return f' data-seconds="{_number(seconds)}" data-points="{points}"'


@dataclass(frozen=True)
class Series:
    """A number over time that has no bound."""
    name: str
    curve: Curve

    @cached_property  # A plot asks at each of its points.
    def peak(self):
        return max((column.high for *_, column in self.curve.columns()), default=0)

    @property
    def capacity(self):
        return self.peak


def series_plot(series, seconds):
    columns = series.curve.columns()
    if not columns or not series.peak:
        return ""
    shapes = _range(series, columns) + _spread(series, columns)
    return (f'<div class="plot small"{_points(columns, seconds)}>'
            f"{_picture(series, seconds, shapes, _series_description)}</div>")


def is_dense(curve):
    return curve.samples_per_column >= DENSE


def _picture(pool, seconds, shapes, describe):
    dense = ' class="dense"' if is_dense(pool.curve) else ""
    return (f"{_slot_labels(pool)}"
            f'<svg{dense} viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none"'
            f' role="img" aria-label="{describe(pool, seconds)}">{shapes}</svg>'
            f"{_high_label(pool)}{_time_labels(seconds)}")


def _series_description(series, seconds):
    return escape(f"{series.name} over {span(seconds)}: at most"
                  f" {grouped(series.peak)}")


def _description(pool, seconds):
    return escape(f"Slots of {pool.name} in use over {span(seconds)}: at most"
                  f" {pool.peak} of {pool.capacity}")


def _shapes(pool, columns):
    peaks = [(start, end, column.peak) for start, end, column in columns]
    return (_range(pool, columns)
            + _spread(pool, columns)
            + _floor(pool)
            + _line("high", _steps(pool, peaks))
            + _line("capacity", _steps(pool, [(0, 1, pool.capacity)])))


def _range(pool, columns):
    lows = [(start, end, column.low) for start, end, column in columns]
    highs = [(start, end, column.high) for start, end, column in columns]
    return (_area("always", pool, lows, [(0, 1, 0)])
            + _area("swing", pool, highs, lows))


def _spread(pool, columns):
    """Where most samples lie, and half of them, and their median: of groups of
    columns, since one has too few to be smooth."""
    if not is_dense(pool.curve):
        return ""
    size = -(-len(columns) // GROUPS)
    groups = [_group(columns[at:at + size]) for at in range(0, len(columns), size)]
    return "".join(
        _area(name, pool, _shares(groups, high), _shares(groups, low))
        for name, (low, high) in BANDS.items()
    ) + _line("median", _steps(pool, _shares(groups, 0.5)))


def _group(columns):
    """Where it begins and ends, and its samples in order."""
    return columns[0][0], columns[-1][1], ordered([column for *_, column in columns])


def _shares(groups, share):
    return [(start, end, share_of(values, share)) for start, end, values in groups]


def _floor(pool):
    """The least that was in use in each window that the verdict compares."""
    found = windows(pool.curve)
    starts = [at / len(found) for at in range(len(found) + 1)]
    return _line("floor", _steps(pool, [
        (start, end, column.low)
        for start, end, column in zip(starts, starts[1:], found)]))


def _area(name, pool, upper, lower):
    """Between two step curves: along the upper, back along the lower."""
    back = [(end, start, value) for start, end, value in reversed(lower)]
    return (f'<path class="{name}" d="M{_steps(pool, upper)}'
            f'L{_steps(pool, back)}Z"/>')


def _line(name, steps):
    return f'<path class="{name}" d="M{steps}"/>'


def _bands(scenes, seconds):
    """Every scene has its shade; equal scenes have the same."""
    names = sorted({name for name, _, _ in scenes})
    return "".join(
        f'<rect class="band{names.index(name) % 4}" x="{_at(begin, seconds)}"'
        f' width="{_at(end - begin, seconds)}" y="0" height="{HEIGHT}">'
        f"<title>{escape(name)}</title></rect>" for name, begin, end in scenes)


def _at(second, seconds):
    return _number(WIDTH * second / max(seconds, 1))


def _scene_labels(scenes, seconds):
    """A strip of the bands, with the names of those long enough for one."""
    names = sorted({name for name, _, _ in scenes})
    labels = "".join(_scene_label(name, names.index(name) % 4, begin / seconds,
                                  (end - begin) / seconds)
                     for name, begin, end in scenes if seconds)
    return f'<div class="scenes">{labels}</div>' if labels else ""


def _scene_label(name, shade, begin, length):
    text = escape(name) if length >= LABELLED else ""
    return (f'<span class="band{shade}" title="{escape(name)}" style="left:'
            f'{_number(100 * begin)}%;width:{_number(100 * length)}%">'
            f"{text}</span>")


def _mark(share):
    x = _number(WIDTH * share)
    return f'<path class="fault" d="M{x},0V{HEIGHT}"/>'


def _steps(pool, curve):
    """'x,y H x V y H x ...' through (start, end, value)."""
    start, end, value = curve[0]
    words = [f"{_number(WIDTH * start)},{_y(pool, value)}"
             f"H{_number(WIDTH * end)}"]
    last = value
    for start, end, value in curve[1:]:
        if value != last:
            words.append(f"V{_y(pool, value)}")
        words.append(f"H{_number(WIDTH * end)}")
        last = value
    return "".join(words)


def _y(pool, value):
    return _number(HEIGHT * (1 - _height(pool, value)))


def _height(pool, value):
    """0 at the bottom of the plot, 1 at its top."""
    return value / (max(pool.capacity, pool.peak, 1) * HEADROOM)


def _number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _slot_labels(pool):
    labels = "".join(_slot_label(pool, value, grouped(value))
                     for value in _slot_ticks(pool.capacity))
    return f'<div class="slots" aria-hidden="true">{labels}</div>'


def _slot_label(pool, value, text):
    bottom = _number(100 * _height(pool, value))
    return f'<span style="bottom:{bottom}%">{text}</span>'


def _slot_ticks(capacity):
    """0, the capacity, and round numbers that keep off the latter."""
    step = _round_step(capacity / TICKS)
    between = [n for n in range(step, capacity, step)
               if n <= capacity - 0.75 * step]
    return [0, *between, capacity]


def _round_step(least):
    """The smallest of 1, 2, 5, 10, 20, 50, ... that is at least `least`."""
    decade = 1
    while True:
        for factor in (1, 2, 5):
            if factor * decade >= least:
                return factor * decade
        decade *= 10


def _high_label(pool):
    label = _slot_label(pool, pool.peak, f"high<br>{grouped(pool.peak)}")
    return f'<div class="highs" aria-hidden="true">{label}</div>'


def _time_labels(seconds):
    labels = "".join(
        f'<span style="left:{_number(100 * at / (seconds or 1))}%">{text}</span>'
        for at, text in _time_ticks(seconds))
    return f'<div class="times" aria-hidden="true">{labels}</div>'


def _time_ticks(seconds):
    """At most TICKS + 1 round moments from 0 on."""
    days = _round_step(seconds / TICKS / 86400) * 86400
    step = next((s for s in SECONDS if s * (TICKS + 1) > seconds), days)
    size, unit = next((size, unit) for size, unit in UNITS if step >= size)
    if step % size:  # 90 minutes read better than 1.5 h.
        size, unit = 60, "min"
    return [(at, f"{at // size} {unit}")
            for at in range(0, int(seconds) + 1, step)]
