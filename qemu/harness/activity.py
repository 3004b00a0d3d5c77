# SPDX-License-Identifier: MIT
"""Whether something that went on and on has stopped, by its own rhythm."""

from .curve import Curve
from .options import FRAMES_PER_SECOND

MOVES = 30  # Samples in which it moved, at least,
SPAN = 60 * FRAMES_PER_SECOND  # and frames from the first of them to the last.
SILENCE = 60 * FRAMES_PER_SECOND  # A shorter one is none,
TIMES = 10  # nor one that is not so many times the longest pause before it.


class Activity:
    def __init__(self):
        self.first = self.last = None  # Frames in which it moved.
        self.moves = self.longest = 0  # Pause between two of them.
        self.most = 0
        self.curve = Curve()

    def add(self, frame, moved):
        """`moved` is how much, since the sample before."""
        self.most = max(self.most, moved)
        self.curve.add(moved, moved, self.most, moved)
        if not moved:
            return
        if self.moves:
            self.longest = max(self.longest, frame - self.last)
        else:
            self.first = frame
        self.last = frame
        self.moves += 1

    def is_known(self):
        """Long enough to have a rhythm."""
        return self.moves >= MOVES and self.last - self.first >= SPAN

    def pauses(self, frame):
        """The pause until [frame], in units of the longest before it."""
        return (frame - self.last) / max(self.longest, SILENCE / TIMES)

    def fell_silent(self, frame):
        return self.is_known() and self.pauses(frame) >= TIMES
