# SPDX-License-Identifier: MIT
"""What the telemetry adds up to, in memory that does not grow with the run."""

from .curve import Curve
from .drift import Figure
from .histogram import Histogram
from .options import FRAMES_PER_SECOND
from .telemetry import (NO_POOL, Audit, Costs, Done, Fault, Figures, Hello,
                        Picture, Planted, Refused, Sample, Scene, Text)
from .telemetry import Figure as Declared

COUNTERS = ("allocs", "frees", "steals", "refused", "spills", "full_frames")
AUDITS_KEPT = 100  # Of a broken pool that is found broken every second.
SCENES_KEPT = 1000
LINES_KEPT = 100  # Of text; console.log has them all.


def unwrapped(total, raw):
    """`total` advanced to the next number that ends in the 32 bits `raw`."""
    return total + ((raw - total) & 0xFFFFFFFF)


def was_full(peak, capacity):
    """Whether every slot was live at some time; never what has none."""
    return 0 < capacity <= peak


class PoolLedger:
    """One pool's counters, never wrapped, and what they did wrong."""

    def __init__(self, pool):
        self.name, self.capacity, self.stride, self.policy = pool
        self.frame = self.live = self.peak = 0
        self.allocs = self.frees = self.steals = 0
        self.refused = self.spills = self.full_frames = 0
        self.first_unbalanced = ""
        self.first_overfull = ""
        self.curve = Curve()
        self.firsts = {}  # What happened -> the frame of the sample that told.
        self.histogram = Histogram(self.capacity)
        self.live_figure = Figure(self.name, "slots", self.capacity)

    def add(self, frame, usage, third):
        frames, full = frame - self.frame, self.full_frames
        self.frame = frame
        for name in COUNTERS:
            total = unwrapped(getattr(self, name), getattr(usage, name))
            setattr(self, name, total)
        self.live = usage.live
        self.peak = max(self.peak, usage.peak, usage.high)
        self.live_figure.add(usage.live, third)
        self.histogram.add(usage.live, max(0, frames), self.full_frames - full)
        self.curve.add(usage.low, usage.high, self.peak, usage.live)
        self._note_firsts(frame)
        self._audit(frame)

    @property
    def was_full(self):
        return was_full(self.peak, self.capacity)

    def _note_firsts(self, frame):
        for what, happened in (("full", self.was_full), ("refused", self.refused),
                               ("steals", self.steals),
                               ("spills", self.spills)):
            if happened:
                self.firsts.setdefault(what, frame)

    def _audit(self, frame):
        if self.allocs != self.frees + self.steals + self.live:
            self.first_unbalanced = self.first_unbalanced or (
                f"{self.name} at frame {frame}: {self.allocs} allocs, but"
                f" {self.frees} frees + {self.steals} steals +"
                f" {self.live} live")
        if max(self.peak, self.live) > self.capacity:
            self.first_overfull = self.first_overfull or (
                f"{self.name} at frame {frame}:"
                f" {max(self.peak, self.live)} live of {self.capacity}")


class Ledger:
    """Everything a verdict, a screen and a report need to know of a run."""

    def __init__(self, frames_asked):
        self.frames_asked = frames_asked
        self.hello = self.done = None
        self.restarted = False  # What came after that is another run's.
        self.pools = []
        self.frame = self.samples = self.irqs = self.state_hash = 0
        self.faults, self.audits = [], []
        self.lines, self.line_count = [], 0  # (frame, text) as printed.
        self.planted = None
        self.free_bytes = Figure("free bytes", "bytes", 0)
        self.figures = {}  # What the firmware declared, by index.
        self.costs = {}  # Name -> the newest Costs.
        self.scenes = []
        self.refusals = {}  # Call site -> Refused.
        self.seconds_without_irq = 0
        self.callers = {}  # Return address -> its line of source.
        self.owners = {}  # Foreign pointer -> whose it is.
        self.audit_count = 0
        self.damaged_bytes = 0

    @property
    def sim_seconds(self):
        return self.frame / FRAMES_PER_SECOND

    def pool_name(self, index):
        if index == NO_POOL:
            return ""
        known = index < len(self.pools)
        return self.pools[index].name if known else f"pool {index}"

    def place(self, finding):
        """'pool sounds, slot 3', or what of it is known."""
        where = [f"pool {self.pool_name(finding.pool)}"] \
            if finding.pool != NO_POOL else []
        where += [f"slot {finding.slot}"] if finding.slot else []
        return ", ".join(where) or "the console"

    def add(self, record):
        self.restarted |= isinstance(record, Hello) and self.hello is not None
        if not self.restarted:
            self._ADD[type(record)](self, record)

    def _hello(self, hello):
        self.hello = hello
        self.pools = [PoolLedger(pool) for pool in hello.pools]

    def _sample(self, sample):
        irqs = self.irqs
        self._moment(sample)
        self.samples += 1
        self.seconds_without_irq += self.irqs == irqs
        third = self._third(sample.frame)
        for pool, usage in zip(self.pools, sample.pools):
            pool.add(sample.frame, usage, third)
        self.free_bytes.add(sum((pool.capacity - pool.live) * pool.stride
                                for pool in self.pools), third)

    def _third(self, frame):
        """0, 1 or 2: of the run as it was asked for."""
        return min(2, 3 * frame // (self.frames_asked + 1))

    def _declared(self, figure):
        self.figures[figure.index] = Figure(figure.name, figure.unit,
                                            figure.scale, figure.flat)

    def _figures(self, figures):
        third = self._third(figures.frame)
        for index, value in enumerate(figures.values):
            if index in self.figures:
                self.figures[index].add(value, third)

    def _costs(self, costs):
        self.costs[costs.name] = costs

    def _scene(self, scene):
        """The last that is kept stands for all that come after it."""
        if len(self.scenes) == SCENES_KEPT - 1:
            scene = scene._replace(name="more scenes")
        if len(self.scenes) < SCENES_KEPT:
            self.scenes.append(scene)

    def _refused(self, refused):
        self.refusals[refused.name] = refused

    def _fault(self, fault):
        self.frame = max(self.frame, fault.frame)
        self.faults.append(fault)

    def _audit(self, audit):
        self.audit_count += 1
        if len(self.audits) < AUDITS_KEPT:
            self.audits.append(audit)

    def _text(self, text):
        self.line_count += 1
        if len(self.lines) < LINES_KEPT:
            self.lines.append((self.frame, text.text))

    def _planted(self, planted):
        self.planted = planted

    def _picture(self, picture):
        """For people: it is no part of what is judged."""

    def _done(self, done):
        self._moment(done)
        self.done = done

    def _moment(self, record):
        self.frame = max(self.frame, record.frame)
        self.irqs = unwrapped(self.irqs, record.irqs)
        self.state_hash = record.state_hash

    _ADD = {Hello: _hello, Sample: _sample, Fault: _fault, Audit: _audit,
            Planted: _planted, Done: _done, Declared: _declared,
            Figures: _figures, Costs: _costs, Scene: _scene,
            Refused: _refused, Text: _text, Picture: _picture}
