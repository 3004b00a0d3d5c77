# SPDX-License-Identifier: MIT
"""What every kind of allocator answers."""

import collections

# A place for an object: its number, where it lies, whether one lives there and how
# often it was issued, or None.
Slot = collections.namedtuple("Slot", "number address is_live issued")


class Kind:
    """An allocator of [struct]."""
    STRUCT = ""

    def __init__(self, memory, address, level):
        self.memory, self.level = memory, level
        self.it = memory.struct(self.STRUCT, address)

    def pool(self):
        """It as a pool, if it is one now; else None."""

    def slots(self):
        """Those ever issued; None where there are no such."""

    def memory_range(self):
        """(address, bytes) of its storage; nothing of what lies in another's."""
        return 0, 0

    def is_impossible(self):
        return False

    def figures(self):
        """What it did: Figures of pool.py."""
        raise NotImplementedError

    def wrong(self):
        """Findings: where its metadata does not agree with itself."""
        raise NotImplementedError
