# SPDX-License-Identifier: MIT
"""A number that comes with every sample and, perhaps, must not drift."""

from .activity import Activity
from .curve import Curve


class Figure:
    def __init__(self, name, unit, scale, flat=True):
        self.name, self.unit, self.flat = name, unit, flat
        self._scale = scale
        self.low = self.high = self.last = None
        self.curve = Curve()
        self.activity = Activity()

    def add(self, frame, value):
        self.activity.add(frame, abs(value - (self.last or 0)))
        self.last = value
        self.low = value if self.low is None else min(self.low, value)
        self.high = value if self.high is None else max(self.high, value)
        self.curve.add(value, value, self.high, value)

    @property
    def scale(self):
        """What a change of it is measured by."""
        return self._scale or self.high or 0
