# SPDX-License-Identifier: MIT
"""What frames took, held against what the run's own first minutes took."""

from statistics import median

from .curve import Curve
from .options import FRAMES_PER_SECOND

MINUTE = 60 * FRAMES_PER_SECOND
LEARNED = 5 * MINUTE  # Frames that the others are held against.
SPIKE = 10  # Times what the costliest frame of a second takes, as a rule.
SLOWER = 2  # Times the slowest of the minutes that were learned from.


class FrameCost:
    def __init__(self):
        self.curve = Curve()
        self.budget = self.most = self.most_frame = 0
        self.over_budget = self.first_over = 0  # Records, a frame.
        self.spikes = self.first_spike = 0
        self.slow_minutes = self.first_slow = 0
        self.slowest_learned = self.slowest = 0  # Mean of a minute.
        self.usual = 0  # Of the costliest frames of the seconds learned from.
        self._worst = []  # Of each record: (instructions, frame), while learning.
        self._minute = (0, 0)  # Instructions and frames of it so far.

    def add(self, record):
        most = record.instructions(record.most)
        mean = record.instructions(record.mean)
        if most > self.most:
            self.most, self.most_frame = most, record.most_frame
        self.curve.add(record.instructions(record.least), most, self.most, mean)
        self._note_budget(record, most)
        self._note_spike(record, most)
        self._note_minute(record, mean)

    @property
    def is_learned(self):
        return not self._worst and self.most > 0

    def _note_budget(self, record, most):
        self.budget = record.budget
        if self.budget and most > self.budget:
            self.first_over = self.first_over or record.most_frame
            self.over_budget += 1

    def _note_spike(self, record, most):
        """Those of the first minutes are looked at when these are over."""
        if record.frame <= LEARNED:
            self._worst.append((most, record.most_frame))
        if record.frame < LEARNED:
            return
        looked_at = self._worst or [(most, record.most_frame)]
        if self._worst or not self.usual:
            self.usual = median(cost for cost, _ in looked_at)
        for cost, frame in looked_at:
            if cost > SPIKE * self.usual:
                self.first_spike = self.first_spike or frame
                self.spikes += 1
        self._worst = []

    def _note_minute(self, record, mean):
        total, frames = self._minute
        self._minute = (total + mean * record.frames, frames + record.frames)
        if record.frame % MINUTE or not self._minute[1]:
            return
        minute = self._minute[0] // self._minute[1]
        self._minute = (0, 0)
        if record.frame <= LEARNED or not self.slowest_learned:
            self.slowest_learned = max(self.slowest_learned, minute)
        elif minute > SLOWER * self.slowest_learned:
            self.first_slow = self.first_slow or record.frame - MINUTE
            self.slow_minutes += 1
        self.slowest = max(self.slowest, minute)
