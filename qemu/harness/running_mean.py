# SPDX-License-Identifier: MIT
"""The mean of a restless curve, and how sure one can be of it."""

from math import sqrt

# Neighbouring samples resemble each other: the spread of the means of batches
# this long tells how far the mean of many would differ by chance.
BATCH = 20

TOLERANCE = 0.05  # Of the capacity.
SURE = 5  # Standard errors that chance does not reach.
RULE = (f"they may differ by {TOLERANCE * 100:.0f} % of the most there can be,"
        f" by {SURE} standard errors, or by one, whichever is most")


class RunningMean:
    """Values come in one by one; memory stays the same."""

    def __init__(self):
        self._total = self._count = 0
        self._batch = 0
        self._batches = 0
        self._batch_mean = self._squares = 0.0  # Welford's running sums.

    def add(self, value):
        self._total += value
        self._count += 1
        self._batch += value
        if self._count % BATCH == 0:
            self._end_batch(self._batch / BATCH)
            self._batch = 0

    @property
    def mean(self):
        return self._total / self._count if self._count else 0.0

    @property
    def variance(self):
        """Of the mean, not of the values."""
        if self._batches < 2:
            return 0.0
        return self._squares / (self._batches - 1) / self._batches

    def _end_batch(self, mean):
        self._batches += 1
        step = mean - self._batch_mean
        self._batch_mean += step / self._batches
        self._squares += step * (mean - self._batch_mean)


def tolerance(first, last, capacity):
    """How much two means may differ and still be called the same."""
    chance = SURE * sqrt(first.variance + last.variance)
    return max(1.0, TOLERANCE * capacity, chance)
