# SPDX-License-Identifier: MIT
"""How much would be in use at once if no request went unmet: an estimate.

A request that was refused would have lived as long as others do; one that was
served by a theft cut another short by as much. How long that is: the time that all
of them lived, by the number of those that were freed. What is missing then comes
and goes as what is there does.
"""

import math


class Demand:
    """Of one allocator, sample by sample."""

    def __init__(self, counts_objects):
        self._counts_objects = counts_objects
        self._lived = 0.0  # Frames, of all objects together.
        self._freed = 0
        self._missing = 0.0  # Unmet requests that would be live now.

    def add(self, frames, usage, more):
        """The use at its highest in these frames, with what was missing; `more`:
        what happened in them."""
        unmet = more["refused"] + more["steals"]
        if not self._counts_objects:
            return _of_bytes(usage.high, more["allocs"], unmet)
        if usage.high < usage.capacity:
            unmet = 0  # For want of something else.
        self._lived += frames * (usage.low + usage.high) / 2
        self._freed += more["frees"]
        self._missing = self._later(frames, unmet)
        return usage.high + math.ceil(round(self._missing, 3))

    def restart(self):
        """In another scene nobody waits for what was missing in the last."""
        self._missing = 0.0

    def _later(self, frames, unmet):
        if not self._freed or not self._lived or frames <= 0:
            return self._missing + unmet
        life = self._lived / self._freed
        left = math.exp(-frames / life)
        return self._missing * left + unmet * life / frames * (1 - left)


def _of_bytes(high, served, unmet):
    """Requests, not bytes, are counted: each is as large as the mean of others."""
    return high + -(-high * unmet // served) if served else high
