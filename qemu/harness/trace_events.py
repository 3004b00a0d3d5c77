# SPDX-License-Identifier: MIT
"""What the records of a run tell of one moment after the other, for any format."""

from typing import NamedTuple

from .errors import CannotRun
from .ledger import COUNTERS, Ledger
from .options import FRAMES_PER_SECOND
from .records import (Allocator, Audit, Fault, Figures, FrameCosts, Hello, Planted,
                      Sample, Scene, Text, Usage)

# What is told of an allocator as an event, of the counters of a second.
TOLD = ("steals", "refused", "spills")
# What gives all of its memory to others of the table, who count it.
SHARED_OUT = ("blocks", "scenes")


class Use(NamedTuple):
    """An allocator at the end of a second."""
    allocator: Allocator
    usage: Usage
    counts: dict  # Of all the run so far, by name,
    more: dict    # and of these since the second before.

    @property
    def bytes(self):
        """That are live, and of nobody else in the table."""
        if self.allocator.kind in SHARED_OUT:
            return 0
        each = 1 if self.allocator.unit == "bytes" else self.allocator.stride
        return self.usage.live * each


class Begun(NamedTuple):
    """The run begins: what there is."""
    frame: int
    hello: Hello


class Counted(NamedTuple):
    """A second is over."""
    frame: int
    interrupts: int  # In it.
    uses: tuple

    @property
    def bytes(self):
        return sum(use.bytes for use in self.uses)


class Measured(NamedTuple):
    """A figure of the firmware's own, or what a frame takes."""
    frame: int
    name: str
    unit: str
    value: int


class Event(NamedTuple):
    """Something happened; thefts and refusals some time in the second before, lines
    of text some time in that behind."""
    frame: int
    what: str
    allocator: str  # "": of none.
    slot: int  # 0: of none.
    count: int
    words: str


def microseconds(frame):
    return frame * 1000000 // FRAMES_PER_SECOND


def happenings(records, summary):
    """Begun, and then what came, in the order of time."""
    teller, last, early = _Teller(summary), 0, []
    for record in records:
        found = teller.told(record)
        if not teller.hello:
            early += found
            continue
        for one in found + early:
            last = max(last, one.frame)
            yield one._replace(frame=last)
        early = []
    if not teller.hello:
        raise CannotRun("the telemetry of the run holds nothing that a soak wrote.")
    if teller.frame < summary["frames"]:
        raise CannotRun("the telemetry of the run is cut short: it ends in frame"
                        f" {teller.frame}, and the run ended in {summary['frames']}.")


def within(found, first, last):
    """Of what happened, that from one frame to another; a scene that began before
    begins with the first."""
    scene = []
    for one in found:
        if one.frame > last:
            break
        if one.frame >= first or isinstance(one, Begun):
            yield from [*scene, one]
            scene = []
        elif isinstance(one, Event) and one.what == "scene":
            scene = [one._replace(frame=first)]
    yield from scene


class _Teller(Ledger):
    """A ledger that says what each record means."""

    def __init__(self, summary):
        super().__init__()
        self._lines = {str(one.get("caller")): str(one.get("caller_line") or "")
                       for one in summary["faults"]}

    def told(self, record):
        """What happened, as a list."""
        is_sample = isinstance(record, Sample)
        before = [_counts(one) for one in self.allocators] if is_sample else []
        irqs = self.irqs
        record = self.add(record)
        if self.restarted or is_sample and not self.hello:
            return []
        if is_sample:
            return self._second(record, before, self.irqs - irqs)
        tell = self._TELL.get(type(record))
        return tell(self, record) if tell else []

    def _second(self, sample, before, interrupts):
        uses = []
        for entry, usage, one, old in zip(self.hello.allocators, sample.usages,
                                          self.allocators, before):
            now = _counts(one)
            more = {name: now[name] - old[name] for name in now}
            uses.append(Use(entry, usage, now, more))
        events = [Event(sample.frame, name, use.allocator.name, 0, use.more[name], "")
                  for use in uses for name in TOLD if use.more[name]]
        return [Counted(sample.frame, interrupts, tuple(uses)), *events]

    def _begun(self, hello):
        return [Begun(0, hello)]

    def _measured(self, figures):
        known = [(self.figures[index], value) for index, value
                 in enumerate(figures.values) if index in self.figures]
        return [Measured(figures.frame, figure.name, figure.unit, value)
                for figure, value in known]

    def _frame_took(self, costs):
        return [Measured(costs.frame, f"a frame: {name}", "instructions",
                         costs.instructions(getattr(costs, name)))
                for name in ("mean", "most")]

    def _scene_began(self, scene):
        return [Event(scene.frame, "scene", "", 0, 1, scene.name)]

    def _faulted(self, fault):
        line = self._lines.get(f"0x{fault.caller:08x}")
        words = f"{fault.kind} fault at 0x{fault.address:08x}"
        return [self._found("fault", fault,
                            f"{words}, called from {line}" if line else words)
                ._replace(allocator=self.name_of(fault))]

    def _disagreed(self, audit):
        return [self._found("audit", audit, audit.text)]

    def _was_planted(self, planted):
        return [self._found("planted", planted, planted.name)]

    def _found(self, what, finding, words):
        return Event(finding.frame, what, self.pool_name(finding.pool), finding.slot,
                     1, words)

    def _printed(self, text):
        return [Event(self.frame, "text", "", 0, 1, text.text)]

    _TELL = {Hello: _begun, Figures: _measured, FrameCosts: _frame_took,
             Scene: _scene_began, Fault: _faulted, Audit: _disagreed,
             Planted: _was_planted, Text: _printed}


def _counts(allocator):
    return {name: getattr(allocator, name) for name in COUNTERS}
