# SPDX-License-Identifier: MIT
"""A curve of any length in a fixed number of columns that forget no peak."""

from typing import NamedTuple

COLUMNS = 720
SOME = 32  # Samples that a column keeps, evenly spaced.


class Column(NamedTuple):
    low: int
    high: int
    peak: int
    total: int  # Of the live counts of
    samples: int  # this many samples,
    some: list  # and of some of them.


def ordered(columns):
    """The samples that were kept of them, the lowest first."""
    return sorted(value for column in columns for value in column.some)


def share_of(values, share):
    """What [share] of the ordered values are at most: with 0.5 their median. None
    is the lowest or highest of all, unless by luck."""
    return values[min(len(values) - 1, int(share * len(values)))]


class Curve:
    """Keeps the lowest and highest value of every column.

    When the columns are used up, neighbours are joined and each stands for
    twice as many samples from then on: O(1) memory, and O(1) time on average.
    """

    def __init__(self, columns=COLUMNS):
        self.samples = 0
        self.samples_per_column = 1
        self._most = columns
        self._columns = []

    def add(self, low, high, peak, live):
        every = max(1, self.samples_per_column // SOME)
        some = [] if self.samples % every else [live]
        column = Column(low, high, peak, live, 1, some)
        if self.samples % self.samples_per_column:
            self._columns[-1] = joined(self._columns[-1], column)
        else:
            self._make_room()
            self._columns.append(column)
        self.samples += 1

    def columns(self):
        """(start, end, column), with the whole curve reaching from 0 to 1."""
        width = self.samples_per_column / max(1, self.samples)
        return [(i * width, min(1.0, (i + 1) * width), column)
                for i, column in enumerate(self._columns)]

    def _make_room(self):
        if len(self._columns) < self._most:
            return
        pairs = zip(self._columns[::2], self._columns[1::2])
        self._columns = [joined(*pair) for pair in pairs]
        self.samples_per_column *= 2


def joined(one, other):
    """Half of what both keep, evenly spaced again, once it is too much."""
    some = one.some + other.some if other.some else one.some
    some = some[::2] if len(some) > SOME else some
    return Column(min(one.low, other.low), max(one.high, other.high),
                  max(one.peak, other.peak), one.total + other.total,
                  one.samples + other.samples, some)
