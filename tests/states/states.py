# SPDX-License-Identifier: MIT
"""How many states small pools can be in, counted by going to each, and by thought.

A slot that was ever issued is dead, at some place of the free list; or live, at some
place of the ring if the pool steals; or pinned. All arrangements can be come to, and
nothing else can.
"""

from math import comb, factorial
from typing import NamedTuple

from support import BUILD, LEVELS, ROOT, tool

HERE = ROOT / "tests" / "states"
FLAGS = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-clobbered", "-Ilib",
         "-Iport/host", "-Itests/states")
POLICIES = ("drop", "assert", "steal-oldest", "steal-least", "spill")
GENERATIONS = (1, 0x7fffffff)  # The first, and the last before it wraps.
CHUNK = 2  # Slots that a pool which spills borrows.


class Run(NamedTuple):
    policy: str
    capacity: int
    generation: int
    level: str


class Found(NamedTuple):
    states: int
    calls: int
    wrong: int  # Wrong calls, each of which was a fault of the right name.
    damages: int  # Flipped bits that verify saw.


def runs(level, generation, most):
    """Of every policy and capacity."""
    return [Run(policy, capacity, generation, level) for policy in POLICIES
            for capacity in range(1, most + 1)]


def program(level):
    folder = BUILD / "states"
    folder.mkdir(parents=True, exist_ok=True)
    sources = [path for place in ("lib/*", "port/host", "tests/states")
               for path in sorted(ROOT.glob(f"{place}/*.c"))]
    image = folder / f"states-{level}"
    tool("gcc", *FLAGS, f"-DTP_CHECKS={LEVELS.index(level)}", "-o", image, *sources)
    return image


def explored(run):
    """What was found. Raises ToolFailed where the pool does otherwise than the
    model."""
    places = 2 * expected(run) + 3
    said = tool(BUILD / "states" / f"states-{run.level}", run.policy, run.capacity,
                run.generation, places)
    return Found(*map(int, said.split()[1::2]))


def expected(run):
    """How many states there are."""
    least = 0 if run.policy != "spill" else run.capacity
    ways = _ways_with_pins if run.policy.startswith("steal") else _ways
    alone = sum(ways(issued) for issued in range(run.capacity + 1))
    lent = sum(map(_ways, range(1, CHUNK + 1))) if least else 0
    return alone + ways(least) * lent


def _ways(issued):
    """The dead in the order of the free list, the rest is live."""
    return sum(factorial(issued) // factorial(issued - dead)
               for dead in range(issued + 1))


def _ways_with_pins(issued):
    """The rest in the order of the ring, but for the pinned."""
    return sum(comb(issued, pinned) * factorial(issued - pinned) * (issued - pinned + 1)
               for pinned in range(issued + 1))
