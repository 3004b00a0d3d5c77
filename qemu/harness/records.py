# SPDX-License-Identifier: MIT
"""What a firmware tells, a record each: the fields of the telemetry by name."""

from typing import NamedTuple

from .number_text import counted

NO_POOL = 255
CALIBRATION = 8192
FOREVER = 2**32 - 1

FAULTS = {1: "foreign", 2: "interior", 3: "double-free", 4: "link", 5: "tag",
          6: "poison", 7: "red-zone", 8: "full", 10: "invariant",
          11: "handle-pool", 12: "order", 13: "mark", 14: "size", 15: "large",
          16: "child", 17: "pin", 18: "lock", 19: "scene", 20: "retain",
          21: "in-use", 22: "chunk", 23: "closed",
          24: "dead", 25: "beside", 26: "metadata", 27: "null-page", 28: "unlocked",
          29: "context", 30: "guard", 31: "unwritten", 32: "lent",
          33: "device"}


# What the sanitizer calls a wrong access, whose own instruction the caller is then:
# `found` bytes are written, or read if `expected` is 0.
ACCESSES = ("dead", "beside", "metadata", "null-page", "unlocked", "unwritten",
            "device")


class Allocator(NamedTuple):
    """An entry of the firmware's registry: core/tp_registry.h tells of each."""
    name: str
    kind: str
    unit: str
    policy: str
    bank: str  # "": none.
    most: int  # Its capacity, the most that it ever has.
    bytes: int
    stride: int
    spare: bool


class Hello(NamedTuple):
    config_hash: int
    seed: int
    frames: int
    ticks_per_second: int
    checks: int
    interrupts: int
    hooks: bool  # Built with TIDEPOOL_SOAK.
    timed: bool  # It hands over a timer of its own.
    sanitized: bool  # Built with TIDEPOOL_SANITIZE.
    board: str  # "": it does not say.
    allocators: tuple
    sites: tuple  # Names of places where requests can be refused.


class Usage(NamedTuple):
    """One allocator in one sample. Counters are modulo 2**32."""
    capacity: int  # Now.
    live: int
    peak: int
    low: int
    high: int
    allocs: int
    frees: int
    steals: int
    refused: int
    spills: int
    full_frames: int


class Sample(NamedTuple):
    frame: int
    state_hash: int
    irqs: int
    usages: tuple


class Fault(NamedTuple):
    frame: int
    kind: str
    pool: int
    slot: int
    address: int
    offset: int
    expected: int
    found: int
    caller: int
    opened: str = ""  # What the firmware calls it, if no table does.


def done_by(fault):
    """What a wrong access does: '4 bytes written'."""
    return (f"{counted(fault.found, 'byte')}"
            f" {'written' if fault.expected else 'read'}")


class Done(NamedTuple):
    frame: int
    state_hash: int
    irqs: int


class Text(NamedTuple):
    text: str


class Audit(NamedTuple):
    """An audit that disagreed with the pool's own counts."""
    frame: int
    pool: int
    slot: int  # 0 if no one slot is meant.
    text: str


class Planted(NamedTuple):
    """A bug that was asked for has just been done."""
    frame: int
    pool: int
    slot: int
    name: str


class Figure(NamedTuple):
    """The firmware will send a number of its own with every sample."""
    index: int
    flat: bool  # It must not drift over the run.
    scale: int  # What its drift is measured by: its highest value; 0: itself.
    name: str  # "meshes: largest hole"
    unit: str


class Figures(NamedTuple):
    """The numbers declared so far, in the order of their index."""
    frame: int
    values: tuple


class Costs(NamedTuple):
    """How often a call has cost how many instructions, since power-on."""
    name: str  # "particles: alloc"
    first: int  # Instructions that fall into the first bucket, at least.
    step: int  # Instructions from one bucket to the next.
    counts: tuple  # The last bucket also counts what cost more.


class Scene(NamedTuple):
    """From this frame on the application is in another scene."""
    frame: int
    name: str


class Refused(NamedTuple):
    """How many requests of a call site were refused on purpose."""
    requests: int
    refused: int
    name: str


class Picture(NamedTuple):
    """What the firmware showed in a frame: a byte a pixel, of 3 bits of red,
    3 of green and 2 of blue."""
    frame: int
    width: int
    height: int
    uses: tuple  # (allocator, how much it held): it never held more before.
    pixels: bytes


class Setting(NamedTuple):
    """The firmware asked for a number of the scenario, and got this."""
    value: int
    name: str


class Expectation(NamedTuple):
    """What the application itself checked."""
    asked: int
    failed: int
    first: int  # The frame of the first failure.
    name: str


class Place(NamedTuple):
    """What one place of the application asked of an allocator."""
    allocator: int
    site: int  # Where its calls return to.
    requests: int
    on_purpose: int  # Of these refused by the soak,
    refused: int  # and by the allocator.
    held: int  # Slots issued to it that are live.


class FrameCosts(NamedTuple):
    """What the frames since the record before took, in ticks of a clock."""
    frame: int
    most_frame: int  # That took most.
    frames: int
    calibrated: int  # Ticks that CALIBRATION instructions take.
    least: int
    mean: int
    most: int
    budget: int  # Instructions; 0: none is stated.

    def instructions(self, ticks):
        return ticks * CALIBRATION // max(1, self.calibrated)


class Stack(NamedTuple):
    """How deep one of the application's stacks ever was."""
    frame: int
    size: int
    deepest: int
    name: str


class Oldest(NamedTuple):
    """The oldest object of a pool that says how long its objects live."""
    frame: int
    allocator: int
    life: int  # Frames; FOREVER.
    slot: int  # 0: none is live.
    age: int
    site: int  # Where the call that issued it returns to.


# Of a call's number: what a row says of it, and what who makes it did.
CALLS = {1: ("allocates", "asked for memory"), 2: ("frees", "gave some back"),
         4: ("waits", "waited for a slot")}


class Stranger(NamedTuple):
    """Someone called an allocator whose row does not say so."""
    frame: int
    allocator: int
    site: int  # Where the call returns to.
    exception: int  # 0: a task.
    priority: int  # 256: a task; 512 for each core more; 0xFFFF: none, of an NMI.
    call: int  # One of CALLS.
    task: str  # What the firmware calls the task; "": nothing.


class Caller(NamedTuple):
    """Someone of whom a row says that he calls it."""
    allocator: int
    priority: int
    calls: int  # Sum of these, as the row says,
    seen: int  # and of those that were seen.
    name: str


class Guard(NamedTuple):
    """Stores to address 0 and to the code are faults of the processor."""
    begin: int  # Where the code begins,
    end: int  # and ends.
    why_not: str  # "": they are.


class Clock(NamedTuple):
    """What the firmware's clock was before the first frame, if not 0."""
    start: int


class Holes(NamedTuple):
    """How the memory of a relocating allocator is cut up."""
    frame: int
    allocator: int  # That which counts its bytes.
    largest: int  # Request that would be served.
    holes: int
    bytes: int  # In holes.


class Question(NamedTuple):
    """What the library was asked whose answer is known."""
    asked: int
    wrong: int  # Of these, the answers that were not the known one,
    first: int  # and the frame of the first.
    name: str  # What is true if the answer is right.
