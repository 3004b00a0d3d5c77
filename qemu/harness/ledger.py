# SPDX-License-Identifier: MIT
"""What the telemetry adds up to, in memory that does not grow with the run."""

from .activity import Activity
from .cost import CallCost
from .curve import Curve
from .demand import Demand
from .drift import Figure
from .frame_cost import FrameCost
from .histogram import Histogram
from .options import FRAMES_PER_SECOND
from .records import (NO_POOL, Audit, Caller, Clock, Costs, Done, Expectation, Fault,
                      FOREVER, Figures, FrameCosts, Guard, Hello, Holes, Oldest,
                      Picture, Place, Planted, Question, Refused, Sample, Scene,
                      Setting, Stack, Stranger, Text)
from .records import Figure as Declared

# What is told by the firmware's clock, which need not start at 0.
CLOCKED = {Fault: ("frame",), Audit: ("frame",), Planted: ("frame",),
           Figures: ("frame",), Scene: ("frame",), Picture: ("frame",),
           FrameCosts: ("frame", "most_frame"), Stack: ("frame",),
           Oldest: ("frame",), Stranger: ("frame",), Holes: ("frame",),
           Expectation: ("first",), Question: ("first",)}
COUNTERS = ("allocs", "frees", "steals", "refused", "spills", "full_frames")
AUDITS_KEPT = 100  # Of a broken pool that is found broken every second.
SCENES_KEPT = 1000
SOON_FRAMES = 600  # After an audit, what a fault adds to it has come.
LINES_KEPT = 100  # Of text; console.log has them all.
OF_NO_TABLE = "an allocator of no table"


def unwrapped(total, raw):
    """`total` advanced to the next number that ends in the 32 bits `raw`."""
    return total + ((raw - total) & 0xFFFFFFFF)


def _moved(more, usage):
    """What was served and given back; of bytes, whether anything was."""
    return sum(more[name] for name in ("allocs", "frees", "steals", "spills")) \
        or int(usage.low != usage.high)


def was_full(peak, capacity):
    """Whether every slot was live at some time; never what has none."""
    return 0 < capacity <= peak


class Cut:
    """What was seen of an allocator while it had one capacity."""

    def __init__(self):
        self.peak = self.frames = self.full_frames = 0
        self.allocs = self.refused = self.steals = self.wanted = 0

    def add(self, frames, high, more):
        self.peak = max(self.peak, high)
        self.frames += frames
        for name in ("full_frames", "allocs", "refused", "steals"):
            setattr(self, name, getattr(self, name) + more[name])

    def summary(self, capacity):
        return {"capacity": capacity, **vars(self)}


class AllocatorLedger:
    """One allocator's counters, never wrapped, and what they did wrong."""

    def __init__(self, allocator):
        (self.name, self.kind, self.unit, self.policy, self.bank, self.capacity,
         self.bytes, self.stride, self.spare) = allocator
        self.capacity_now = self.capacity  # Scenes and chunks change it.
        self.frame = self.live = self.peak = self.peak_frame = 0
        self.allocs = self.frees = self.steals = 0
        self.refused = self.spills = self.full_frames = 0
        self.first_unbalanced = ""
        self.first_overfull = ""
        self.curve = Curve()
        self.cuts = {}  # Its capacity in a scene -> Cut.
        self.demand = Demand(self.counts_objects)
        self.wanted = 0  # At once, most of all.
        self.firsts = {}  # What happened -> the frame of the sample that told.
        self.histogram = Histogram(self.capacity)
        self.activity = Activity()
        self.life = 0  # Frames that an object lives, as its row says; 0: unsaid.
        self.oldest = None  # The Oldest of most age,
        self.first_outlived = None  # and the first that was too old.
        self.ages = Curve()
        self.largest, self.in_holes = None, None  # Figures, of what has holes.
        self.served = (0, 0)  # Frame of the last that was, and refused by then.

    def add(self, frame, usage):
        frames, self.frame = max(0, frame - self.frame), frame
        before = {name: getattr(self, name) for name in COUNTERS}
        for name in COUNTERS:
            setattr(self, name, unwrapped(before[name], getattr(usage, name)))
        more = {name: getattr(self, name) - before[name] for name in COUNTERS}
        self._note_cut(frames, usage, more)
        self.capacity_now, self.live = usage.capacity, usage.live
        peak = max(self._most(usage.peak), usage.high)
        if peak > self.peak:
            self.peak, self.peak_frame = peak, frame
        self.histogram.add(usage.live, frames, more["full_frames"])
        moved = _moved(more, usage)
        self.activity.add(frame, moved)
        if moved:
            self.served = (frame, self.refused)
        self.curve.add(usage.low, usage.high, self.peak, usage.live)
        self._note_firsts(frame)
        self._audit(frame)

    def _most(self, peak):
        """Of blocks the sum of what each class came to, maybe in another scene."""
        return min(peak, self.capacity) if self.kind == "blocks" else peak

    def _note_cut(self, frames, usage, more):
        """The first sample of a scene tells of the one before, too."""
        cut = self.cuts.setdefault(usage.capacity, Cut()) if usage.capacity else Cut()
        if usage.capacity != self.capacity_now:
            self.demand.restart()
            cut.peak = max(cut.peak, self._in_scene(usage, usage.live))
            return
        cut.add(frames, self._in_scene(usage, usage.high), more)
        cut.wanted = max(cut.wanted, self.demand.add(frames, usage, more))
        self.wanted = max(self.wanted, cut.wanted)

    def _in_scene(self, usage, seen):
        """The peak of what starts each scene with one of 0; else what was seen."""
        return usage.peak if self.kind in ("stack", "frame") else seen

    @property
    def unmet(self):
        """Requests that were refused, or served by a theft."""
        return self.refused + self.steals

    @property
    def unmet_percent(self):
        """Of all requests; None where only those are counted that were refused."""
        requests = self.allocs + self.spills + self.refused
        known = self.counts_objects and requests
        return 100 * self.unmet / requests if known else None

    @property
    def was_full(self):
        return was_full(self.peak, self.capacity) or self.full_frames > 0

    @property
    def was_tried(self):
        """Whether a request has found it full. What fills by bytes hardly ever is to
        the last: then, whether one was refused."""
        return self.unmet > 0 or self.counts_objects and self.was_full

    @property
    def was_used(self):
        return self.peak > 0

    def note_holes(self, holes):
        if self.largest is None:
            self.largest = Figure(f"{self.name}: largest hole", "bytes", self.capacity)
            self.in_holes = Figure(f"{self.name}: in holes", "bytes", self.capacity)
        self.largest.add(holes.frame, holes.largest)
        self.in_holes.add(holes.frame, holes.bytes)

    def note_oldest(self, oldest):
        self.life = oldest.life
        if self.oldest is None or oldest.age > self.oldest.age:
            self.oldest = oldest
        if oldest.age > oldest.life and not self.first_outlived:
            self.first_outlived = oldest
        self.ages.add(oldest.age, oldest.age, self.oldest.age, oldest.age)

    @property
    def keeps(self):
        """What may stay for ever: it need not come back to what it was."""
        return self.life == FOREVER

    @property
    def steals_when_full(self):
        return self.policy.startswith("steal")

    @property
    def counts_objects(self):
        """Whether it counts what is allocated and freed; else only bytes."""
        return self.unit != "bytes"

    @property
    def title(self):
        return f"{self.kind} {self.name}"

    def _note_firsts(self, frame):
        for what, happened in (("full", self.was_full), ("refused", self.refused),
                               ("steals", self.steals),
                               ("spills", self.spills)):
            if happened:
                self.firsts.setdefault(what, frame)

    def _audit(self, frame):
        balance = self.frees + self.steals + self.live
        if self.counts_objects and self.allocs != balance:
            self.first_unbalanced = self.first_unbalanced or (
                f"{self.name} at frame {frame}: {self.allocs} allocs, but"
                f" {self.frees} frees + {self.steals} steals +"
                f" {self.live} live")
        for used, room in ((self.live, self.capacity_now),
                           (self.peak, self.capacity)):
            if used > room:
                self.first_overfull = self.first_overfull or (
                    f"{self.name} at frame {frame}: {used} live of {room}")


class Ledger:
    """Everything a verdict, a screen and a report need to know of a run."""

    def __init__(self):
        self.hello = self.done = None
        self.host = None  # What the host made of the same frames.
        self.share = None  # What the share came to that was played first,
        self.accesses = None  # and what was played with --sanitize.
        self.restarted = False  # What came after that is another run's.
        self.allocators = []  # Of every kind, by index.
        self.frame = self.samples = self.irqs = self.state_hash = 0
        self.faults, self.audits = [], []
        self.lines, self.line_count = [], 0  # (frame, text) as printed.
        self.planted = None
        self.figures = {}  # What the firmware declared, by index.
        self.costs = {}  # Name -> CallCost.
        self.scenes = []
        self.refusals = {}  # Call site -> Refused.
        self.picture = None  # The newest, of whatever.
        self.worst_pictures = {}  # By index of an allocator: its worst frame.
        self.settings = {}  # What the firmware asked of the scenario.
        self.expectations = {}  # Name -> Expectation.
        self.questions = {}  # What the library was asked -> Question.
        self.places = []  # Who asked what, of a firmware with hooks.
        self.named = {}  # (allocator, name) -> Caller, whom its row names,
        self.strangers = []  # and those whom it does not.
        self.seconds_without_irq = 0
        self.interrupts = Activity()
        self.frame_cost = FrameCost()
        self.guard = None
        self.clock_start = 0
        self.stacks = {}  # Name -> the newest Stack,
        self.depths = {}  # and how deep it was, over time.
        self.callers = {}  # Return address -> its line of source.
        self.owners = {}  # Foreign pointer -> whose it is.
        self.audit_count = 0
        self.audit_kinds = {}  # (pool, text) -> how often, and the first.
        self.damaged_bytes = 0
        self.torn_records = 0  # With text in their middle.

    @property
    def sim_seconds(self):
        return self.frame / FRAMES_PER_SECOND

    @property
    def pools(self):
        return [one for one in self.allocators if one.kind == "pool"]

    def pool_name(self, index):
        """Of any allocator; "" where none is meant."""
        if index == NO_POOL:
            return ""
        if index < len(self.allocators):
            return self.allocators[index].name
        # Of those that a table names it has told: this it has opened in a nest, say.
        return OF_NO_TABLE if self.hello else f"allocator {index}"

    def name_of(self, fault):
        """Of the allocator that it is about, as a table or the firmware calls it."""
        return fault.opened or self.pool_name(fault.pool)

    def title_of(self, finding):
        """The same of any finding: 'pool sounds'."""
        opened = getattr(finding, "opened", "")
        return f"{opened}, {OF_NO_TABLE}" if opened else self.title(finding.pool)

    def title(self, index):
        """'pool sounds'; "" where none is meant."""
        known = index < len(self.allocators)
        return self.allocators[index].title if known else self.pool_name(index)

    def place(self, finding):
        """'pool sounds, slot 3', or what of it is known."""
        where = [self.title_of(finding)] if finding.pool != NO_POOL else []
        where += [f"slot {finding.slot}"] if finding.slot else []
        return ", ".join(where) or "the firmware"

    def place_name(self, place):
        """'orders: serve() at main.c:40'."""
        line = self.callers.get(place.site, f"0x{place.site:08x}")
        return f"{self.pool_name(place.allocator)}: {line}"

    def add(self, record):
        self.restarted |= isinstance(record, Hello) and self.hello is not None
        if not self.restarted:
            record = self._from_0(record)
            self._ADD[type(record)](self, record)
        return record

    def _from_0(self, record):
        """The record with its frames counted from the beginning of the run."""
        names = CLOCKED.get(type(record), ()) if self.clock_start else ()
        return record._replace(**{
            name: (getattr(record, name) - self.clock_start) % 2**32
            for name in names})

    def _hello(self, hello):
        self.hello = hello
        self.allocators = [AllocatorLedger(one) for one in hello.allocators]

    def _sample(self, sample):
        irqs = self.irqs
        self._moment(sample)
        self.samples += 1
        if self.host:
            self.host.compare(sample)
        self.seconds_without_irq += self.irqs == irqs
        self.interrupts.add(sample.frame, self.irqs - irqs)
        for allocator, usage in zip(self.allocators, sample.usages):
            allocator.add(sample.frame, usage)

    def _declared(self, figure):
        self.figures[figure.index] = Figure(figure.name, figure.unit,
                                            figure.scale, figure.flat)

    def _figures(self, figures):
        for index, value in enumerate(figures.values):
            if index in self.figures:
                self.figures[index].add(figures.frame, value)

    def _costs(self, costs):
        self.costs.setdefault(costs.name, CallCost()).add(costs, self.frame)

    def _scene(self, scene):
        """The last that is kept stands for all that come after it."""
        if len(self.scenes) == SCENES_KEPT - 1:
            scene = scene._replace(name="more scenes")
        if len(self.scenes) < SCENES_KEPT:
            self.scenes.append(scene)

    def _refused(self, refused):
        self.refusals[refused.name] = refused

    def _setting(self, setting):
        self.settings[setting.name] = setting.value

    def _expectation(self, expectation):
        self.expectations[expectation.name] = expectation

    def _question(self, question):
        self.questions[question.name] = question

    def _place(self, place):
        self.places.append(place)

    def _fault(self, fault):
        self.frame = max(self.frame, fault.frame)
        self.faults.append(fault)

    def _audit(self, audit):
        self.audit_count += 1
        kind = (audit.pool, audit.text)
        is_new = kind not in self.audit_kinds
        if is_new or len(self.audits) < AUDITS_KEPT:
            self.audits.append(audit)
        count, first = self.audit_kinds.get(kind, (0, audit))
        self.audit_kinds[kind] = count + 1, first

    @property
    def first_audit(self):
        """The frame of the first that disagreed, or None."""
        return self.audits[0].frame if self.audits else None

    def is_enough(self, most):
        """Whether there were so many different audits a while ago that nothing
        that comes now will explain them better."""
        if not most or len(self.audit_kinds) < most:
            return False
        last = max(first.frame for _, first in self.audit_kinds.values())
        return self.frame >= last + SOON_FRAMES

    @property
    def audits_folded(self):
        """(how often, the first) of equal audits, the rarest first."""
        return sorted(self.audit_kinds.values(),
                      key=lambda kind: (kind[0], kind[1].frame))

    def _text(self, text):
        self.line_count += 1
        if len(self.lines) < LINES_KEPT:
            self.lines.append((self.frame, text.text))

    def _planted(self, planted):
        self.planted = planted

    def _frame_costs(self, costs):
        self.frame_cost.add(costs)

    def _guard(self, guard):
        self.guard = guard

    def _clock(self, clock):
        self.clock_start = clock.start

    def _stack(self, stack):
        self.stacks[stack.name] = stack
        self.depths.setdefault(stack.name, Curve()).add(*[stack.deepest] * 4)

    def _oldest(self, oldest):
        if oldest.allocator < len(self.allocators):
            self.allocators[oldest.allocator].note_oldest(oldest)

    def _stranger(self, stranger):
        self.strangers.append(stranger)

    def _caller(self, caller):
        self.named[caller.allocator, caller.name] = caller

    def _holes(self, holes):
        if holes.allocator < len(self.allocators):
            self.allocators[holes.allocator].note_holes(holes)

    def outlived(self):
        """The first object of each pool that was older than its life."""
        return [one.first_outlived for one in self.allocators if one.first_outlived]

    def _picture(self, picture):
        """For people: it is no part of what is judged."""
        self.picture = picture
        for index, _ in picture.uses:
            if index < len(self.allocators):
                self.worst_pictures[index] = picture

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
            Refused: _refused, Setting: _setting,
            Expectation: _expectation, Place: _place, Text: _text,
            Picture: _picture, FrameCosts: _frame_costs, Stack: _stack,
            Oldest: _oldest, Guard: _guard, Clock: _clock, Holes: _holes,
            Question: _question, Stranger: _stranger, Caller: _caller}
