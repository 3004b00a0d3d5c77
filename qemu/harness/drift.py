# SPDX-License-Identifier: MIT
"""A number that comes with every sample and, perhaps, must not drift."""

from .running_mean import RunningMean, tolerance


class Figure:
    def __init__(self, name, unit, scale, flat=True):
        self.name, self.unit, self.flat = name, unit, flat
        self._scale = scale
        self.low = self.high = self.last = None
        self.thirds = [RunningMean(), RunningMean(), RunningMean()]  # Of the run.

    def add(self, value, third):
        self.last = value
        self.low = value if self.low is None else min(self.low, value)
        self.high = value if self.high is None else max(self.high, value)
        self.thirds[third].add(value)

    @property
    def drift(self):
        """How far the last third is from the first; 1 is just tolerated."""
        first, _, last = self.thirds
        scale = self._scale or self.high or 0
        return abs(last.mean - first.mean) / tolerance(first, last, scale)

    @property
    def means(self):
        first, _, last = self.thirds
        return f"{first.mean:.1f} and {last.mean:.1f}"
