# SPDX-License-Identifier: MIT
"""Whether a curve goes one way from the beginning of a run to its end.

Mann and Kendall's test: each window is compared with each that follows it, and
the score says how many standard deviations of chance lie between the later ones
being higher as often as lower. It asks for no shape: a line, steps, or a rise
that ends at the capacity all score. A curve that came back did not go one way,
so the quarters of the run have to agree.
"""

from collections import Counter
from itertools import combinations
from math import sqrt
from typing import NamedTuple

from .curve import joined

WINDOWS = 64  # A run has at most so many: neighbours must not be alike by chance.
ENOUGH = 32  # With fewer, nothing is said.
SURE = 5  # Of 15 000 curves of clean runs the highest score is 4.


class Trend(NamedTuple):
    quarters: tuple  # The value of each quarter of the run.
    score: float  # Below 0: it falls.

    def rises(self, least):
        """By [least] or more, which chance does not do."""
        return self.score >= SURE and self._agree and self._change >= least

    def moves(self, least):
        return abs(self.score) >= SURE and self._agree \
            and abs(self._change) >= least

    @property
    def _change(self):
        return self.quarters[-1] - self.quarters[0]

    @property
    def _agree(self):
        return list(self.quarters) in (sorted(self.quarters),
                                       sorted(self.quarters, reverse=True))


def floors(curve):
    return trend([column.low for column in windows(curve)], min)


def peaks(curve):
    return trend([column.high for column in windows(curve)], max)


def means(curve):
    return trend([column.total / column.samples for column in windows(curve)],
                 _mean)


def windows(curve):
    """The columns of a curve, joined to at most WINDOWS of them. Those that make
    up no whole window are left out, at the beginning, where it is empty."""
    columns = [column for *_, column in curve.columns()]
    size = -(-len(columns) // WINDOWS) or 1
    first = len(columns) % size
    return [_joined(columns[at:at + size])
            for at in range(first, len(columns), size)]


def trend(values, of_quarter):
    """None of a run that is too short; [of_quarter] makes one value of many."""
    if len(values) < ENOUGH:
        return None
    size = len(values) / 4
    quarters = [values[round(at * size):round((at + 1) * size)]
                for at in range(4)]
    return Trend(tuple(map(of_quarter, quarters)), _score(values))


def _score(values):
    """Ties count for neither side, and make chance smaller."""
    count = len(values)
    higher = sum((b > a) - (b < a) for a, b in combinations(values, 2))
    ties = Counter(values).values()
    variance = (_pairs(count) - sum(map(_pairs, ties))) / 18
    return round(higher / sqrt(variance), 2) if variance else 0.0


def _pairs(count):
    return count * (count - 1) * (2 * count + 5)


def _joined(columns):
    whole = columns[0]
    for column in columns[1:]:
        whole = joined(whole, column)
    return whole


def _mean(values):
    return round(sum(values) / len(values), 1)
