# SPDX-License-Identifier: MIT
"""What calls cost, read off a histogram that the firmware keeps."""

from .curve import Curve
from .options import FRAMES_PER_SECOND

QUANTILES = (50, 90, 99)
MINUTE = 60 * FRAMES_PER_SECOND  # What the firmware tells of at once.


class CallCost:
    """What a call has cost since power-on, and minute by minute."""

    def __init__(self):
        self.newest = None  # Costs.
        self.curve = Curve()
        self._frame = 0

    def add(self, costs, frame):
        """What is left at the end, if it is no minute, is in no column."""
        before = self.newest.counts if self.newest else [0] * len(costs.counts)
        self.newest = costs
        if frame - self._frame < MINUTE:
            return
        self._frame = frame
        more = cost_summary(costs._replace(counts=[
            (count - old) % 2**32 for count, old in zip(costs.counts, before)]), 0)
        least, median, most = (more[name] or 0 for name in ("p0", "p50", "max"))
        self.curve.add(least, most, most, median)


def cost_summary(costs, *others):
    """Percentiles in instructions, of [others], too; each is the end of its
    bucket."""
    total = sum(costs.counts)
    return {"name": costs.name, "calls": total, "step": costs.step,
            **{f"p{percent}": _quantile(costs, percent, total)
               for percent in (*others, *QUANTILES)},
            "max": _quantile(costs, 100, total)}


def _quantile(costs, percent, total):
    """What `percent` of the calls did not exceed; None of no calls."""
    seen = 0
    for bucket, count in enumerate(costs.counts):
        seen += count
        if count and 100 * seen >= percent * total:
            return costs.first + (bucket + 1) * costs.step - 1
    return None
