# SPDX-License-Identifier: MIT
"""A run once more, from a snapshot on, stopped where `why` wants to look.

Stopped from outside, QEMU goes on as if nothing had been. A breakpoint or a
watchpoint is exact too, but what comes after it is not: QEMU skips the time to
the next timer then. So a run is cut by marks, snapshots of its own that only
stops from outside have made, and each hit is looked for from the mark nearest
before it.
"""

import contextlib
import socket
from typing import NamedTuple

from . import machine, power_on
from .errors import CannotRun
from .gdb_remote import (ACCESSES, BREAKPOINT, QUIT, TRAP, WRITES, GdbRemote,
                         Gone, Stop)
from .telemetry import words_of
from .unaligned import is_elsewhere

RUN_SECONDS = 3600
# From the last mark before a frame to that frame, at most, where it can be.
NEAR_FRAMES = 60
SHARE = 0.5  # Of the way to a frame that is run before the next mark,
LEAST_SHARE = 0.01  # the less the oftener that went too far,
TOO_FAR = 20  # which it may so often: a busy machine stops late.
FEWEST_SECONDS = 0.0005
SPEED = 4000  # Frames a second of real time: a guess, until it is known.
LOOK_SECONDS = 0.2  # Between two looks at the clock while nothing is hit.
LOST_LOOKS = 10  # Without a frame more, of a run known to have none.
STACK_BYTES, LITTLE_STACK = 4096, 1024
STEPS_MOST = 10000
TRACE = "trace.log"
TRACE_BYTES = 2**29  # Then it ends: of a frame that takes so long this tells enough.
TEXT_BYTES, TEXT_MOST = 80, 4096  # Read at once, and at all.


class Mark(NamedTuple):
    name: str  # Of the snapshot.
    frame: int


class Moment(NamedTuple):
    """A stop: where, and the stack from its pointer on."""
    frame: int
    registers: tuple
    stack: bytes
    address: int = 0  # The word that the stopped instruction writes to,
    before: int = 0   # what it held, and what then.
    after: int = 0
    mark: Mark = None  # From where it was come to.


class Known(NamedTuple):
    """What watched words hold at the end of a frame."""
    frame: int
    values: dict  # Address -> word.


class Replay:
    """Holds QEMU. `clock`: where the firmware counts its frames. A debugger is
    asked what the firmware asks of this machine if `is_asked`: that is a stop."""
    _trace_end = 0  # Bytes of the trace that are enough; 0: there is none.

    def __init__(self, options, told, work, snapshot, clock, stop=(),
                 is_asked=False):
        if options.cores > 1:
            raise CannotRun("this run is of two cores, and what is looked for is"
                            " looked for on one.")
        self._asks = "gdb" if is_asked else ""
        self._stop = stop  # Holds the reason once somebody wants us to stop.
        self._options = options
        self._told = told
        self._work = work
        self._snapshot = snapshot
        self._clock = clock
        self._clock_start = options.clock_start
        self._speed = SPEED
        self._marks = []
        self.strayed = set()  # Words of which it is not known who changed them last.
        self._qemu = contextlib.ExitStack()

    def __enter__(self):
        word = self._clock_start.to_bytes(4, "little")  # As of no frame yet.
        power_on.write(self._work, self._options.seed, (self._clock, word))
        self._start(self._snapshot)
        return self

    def __exit__(self, *_):
        self._qemu.close()

    def _start(self, snapshot, *more):
        self._qemu.close()
        ours, theirs = socket.socketpair()
        self._qemu.enter_context(ours)
        with theirs:
            words = machine.command(self._options, snapshot, self._told,
                                    self._asks) + [
                "-S", "-chardev", f"socket,id=gdb,fd={theirs.fileno()}",
                "-gdb", "chardev:gdb", *more]
            qemu = self._qemu.enter_context(machine.Machine(
                words, self._work, RUN_SECONDS, pass_fds=(theirs.fileno(),)))
        self._monitor = qemu.monitor
        self.gdb = GdbRemote(ours)

    @property
    def frame(self):
        frame = self.frame_of(self.gdb.word(self._clock))
        return frame if frame < 2**31 else 0  # The clock is not started yet.

    def frame_of(self, clock):
        return (clock - self._clock_start) % 2**32

    def mark(self):
        name = f"mark{len(self._marks) + 1}"
        self._monitor.human(f"savevm {name}")
        self._marks.append(Mark(name, self.frame))
        return self._marks[-1]

    def load(self, mark):
        try:
            self._monitor.human(f"loadvm {mark.name}")
            self.gdb.registers()
        except (Gone, machine.NoAnswer):
            self._start(mark.name)

    def approach(self, frame, near=NEAR_FRAMES):
        """Marks ever nearer to `frame` and before it, the first of them now."""
        marks, share, too_far = [self.mark()], SHARE, 0
        while too_far < TOO_FAR and frame - marks[-1].frame > near \
                and not self._is_stopped():
            try:
                ahead = self._run((frame - marks[-1].frame) * share) < frame
            except Gone:  # That was the end of the run: it is faster than thought.
                ahead, self._speed = False, self._speed * 4
            if ahead and self.frame > marks[-1].frame:
                marks.append(self.mark())
                share = min(SHARE, share * 2)
            elif not ahead:
                self.load(marks[-1])
                share, too_far = max(LEAST_SHARE, share / 4), too_far + 1
        return marks

    def _run(self, frames):
        """Runs about so many frames; the frame that it has come to."""
        began = self.frame
        seconds = max(FEWEST_SECONDS, frames / self._speed)
        self.gdb.go(seconds)
        now = self.frame
        if seconds > 0.01 and now > began:  # A busy machine may have stalled it.
            self._speed = max(100, (now - began) / seconds)
        return now

    def run_to(self, addresses, last):
        """Moments at which one of the addresses is reached, until a frame is
        over or the run is."""
        with self._breakpoints(addresses):
            while True:
                stop = self._next_stop(last)
                if stop is None:
                    return
                yield self._moment()
                self._step_over(addresses)

    def calls_of(self, address, last):
        """Of each call of a function, until a frame is over: its steps, each a
        Moment, of which no more is looked at than STEPS_MOST."""
        for moment in self.run_to([address], last):
            self.gdb.remove(BREAKPOINT, address, 2)
            steps = list(self._until_return(moment))
            self.gdb.insert(BREAKPOINT, address, 2)
            # What is below stays as it is until then.
            lowest = min(step[13] for step in steps)
            stack = self.gdb.read(lowest, STACK_BYTES)
            yield [moment._replace(registers=step, stack=stack[step[13] - lowest:])
                   for step in steps]

    def _until_return(self, moment):
        """The registers before each step."""
        now, steps = moment.registers, 0
        back, stack = now[14] & ~1, now[13]
        while (now[15], now[13]) != (back, stack) and steps < STEPS_MOST:
            yield now
            steps += 1
            self.gdb.step()
            now = self.gdb.registers()

    def end(self, mark, handlers):
        """Where a handler is reached, or where it is once it comes to no frame
        more, as of a reset; None if QEMU has ended."""
        self._start(mark.name, "-no-shutdown")
        frame, looks = self.frame, 0
        with self._breakpoints(handlers):
            while looks < LOST_LOOKS and not self._is_stopped():
                try:
                    stop = self.gdb.go(LOOK_SECONDS)
                except Gone:
                    return None
                if stop.signal in (TRAP, QUIT):
                    break
                looks = looks + 1 if self.frame == frame else 0
                frame = self.frame
        return self._moment()

    def changes(self, ranges, last, stops=()):
        """Every change of a word of the ranges (address, size), as a Moment,
        until a frame is over, one of the addresses in `stops` is reached, or
        the run is over."""
        with self._breakpoints(stops):
            while True:
                with self._watched(ranges):
                    stop = self._next_stop(last)
                if stop is None or not stop.watched:
                    return
                before, moment = self.values(ranges), self._moment()
                self.gdb.step()
                yield from _differences(moment, before, self.values(ranges))

    def history(self, marks, last, ranges, stops):
        """The changes of words between the first mark and where they are known
        to be what `last` says, the newest first; as few runs as that takes. Of a
        word whose changes do not lead there, none: a firmware's own timer has come
        elsewhere."""
        following = last
        for mark in reversed(marks):
            ranges = [one for one in ranges if not self._is_strayed(*one)]
            if not ranges:  # Whatever came before, it is not known to lead there.
                return
            for change in self._between(mark, following, ranges, stops):
                if change.address not in self.strayed:
                    yield change
            following = self.known(mark, ranges)
            stops = ()

    def _is_strayed(self, address, size):
        return self.strayed.issuperset(range(address, address + size, 4))

    def _between(self, mark, following, ranges, stops):
        self.load(mark)
        before = self.values(ranges)
        known = {address: following.values[address] for address in before}
        if not stops and before == known:
            return
        frames = following.frame - mark.frame
        if frames > 2 * NEAR_FRAMES:
            marks = self.approach(following.frame)
            yield from self.history(marks, following, ranges, stops)
            return
        changes = list(self.changes(ranges, following.frame, stops))
        changes, strayed = _leading_to(known, before, changes)
        if strayed or len(changes) > 1:  # Only the first stop of a run is exact.
            self.load(mark)
            marks = self.approach(following.frame, frames // 2)
            if len(marks) > 1:
                yield from self.history(marks, following, ranges, stops)
                return
        self.strayed |= strayed
        for change in reversed(changes):
            yield change._replace(mark=mark)

    def known(self, mark, ranges, frame=0):
        """At the mark, or when a later frame begins."""
        self.load(mark)
        if frame:
            self._go_to_frame(frame)
        return Known(frame or mark.frame, self.values(ranges))

    def stores(self, words, last, stops):
        """The same for very many words: each has a watchpoint of its own."""
        with self._breakpoints(stops), self._watched([(one, 4) for one in words]):
            while True:
                stop = self._next_stop(last)
                if stop is None or not stop.watched:
                    return
                yield from self._store(stop.watched)

    def _store(self, word):
        """It is stopped at for each watchpoint that it hits, or that QEMU takes it to
        hit, as often as it is begun: all of them are out of its way."""
        moment, hit = self._moment(LITTLE_STACK), []
        while word:
            hit.append((word, 4))
            self.gdb.remove(WRITES, word, 4)
            before = self.values(hit)
            word = self.gdb.step().watched
        for one, size in hit:
            self.gdb.insert(WRITES, one, size)
        yield from _differences(moment, before, self.values(hit))

    def touches(self, words, last):
        """Every instruction that reads or writes one of the words, until a frame is
        over; None for each that QEMU only takes for one."""
        with self._inserted_all(ACCESSES, words):
            while True:
                stop = self._next_stop(last)
                if stop is None or not stop.watched:
                    return
                moment = self._moment(LITTLE_STACK)
                code = self.gdb.word(moment.registers[15])
                yield None if is_elsewhere(moment.registers, code, words) else moment
                for word in words:
                    self.gdb.remove(ACCESSES, word, 4)
                self.gdb.step()
                for word in words:
                    self.gdb.insert(ACCESSES, word, 4)

    def path_to(self, moment):
        """The address of every instruction of its frame, up to its own; [] if
        it was not come to again. What a register holds may tell the time, which a
        debugger's stops change: then stack, caller and place have to do."""
        return self._path_to(moment, slice(None)) or self._path_to(moment,
                                                                   slice(13, 16))

    def _path_to(self, moment, same):
        """[same]: of the registers."""
        try:
            return self._traced_to(moment, same)
        except (Gone, machine.NoAnswer):  # It went another way, and to its end.
            return []

    def _traced_to(self, moment, same):
        self.load(self.mark_before(moment))
        self._go_to_frame(moment.frame)
        with self._traced() as path:
            again = any(here.registers[same] == moment.registers[same] for here in
                        self.run_to([moment.registers[15]], moment.frame))
        return path + [moment.registers[15]] if again else []

    def mark_before(self, moment):
        """The last before its frame, for who called may have done so early in it;
        where there is none, that from which it was come to."""
        early = [mark for mark in self._marks if mark.frame < moment.frame]
        return moment.mark if moment.mark.frame < moment.frame else \
            max(early, key=lambda mark: mark.frame, default=moment.mark)

    def path_of(self, mark, frame):
        """The address of every instruction of a frame after the mark."""
        self.load(mark)
        self._go_to_frame(frame)
        with self._traced() as path:
            self._go_to_frame(frame + 1)
        return path

    def _go_to_frame(self, frame):
        while self.frame < frame:
            with self._watched([(self._clock, 4)]):
                if self._next_stop(frame) is None:
                    return
            self.gdb.step()

    @contextlib.contextmanager
    def _traced(self):
        """A list, which holds the address of every instruction of the block, once
        that is left."""
        path = []
        for line in (f"logfile {TRACE}", "singlestep on", "log exec,nochain"):
            self._monitor.human(line)
        with open(self._work / TRACE, "rb") as trace:
            # QEMU goes on with what is there.
            self._trace_end = trace.seek(0, 2) + TRACE_BYTES
            try:
                yield path
            finally:
                self._trace_end = 0
            self._monitor.human("log none")
            self._monitor.human("singlestep off")
            path += [int(line.split(b"/", 2)[1], 16) for line in trace
                     if line.startswith(b"Trace")]

    def text(self, address):
        """That of C which begins there, as telemetry tells it."""
        data, piece = b"", b" "
        while piece and b"\0" not in data and len(data) < TEXT_MOST:
            piece = self.gdb.read(address + len(data), TEXT_BYTES)
            data += piece
        return words_of(data.split(b"\0")[0])

    def values(self, ranges):
        """Address -> word, of all ranges."""
        return {address + at: word for address, size in ranges
                for at, word in _words(self.gdb.read(address, size))}

    def _moment(self, stack=STACK_BYTES):
        registers = self.gdb.registers()
        return Moment(self.frame, registers,
                      self.gdb.read(registers[13], stack))

    def _is_stopped(self):
        if self._stop:
            raise CannotRun(f"stopped by {self._stop[0]}")
        return False

    def _is_traced(self):
        return self._trace_end \
            and (self._work / TRACE).stat().st_size > self._trace_end

    def _next_stop(self, last):
        """A breakpoint or a watchpoint; None if the time is over before, or the trace
        long enough."""
        frame = self.frame
        while not self._is_stopped() and not self._is_traced():
            try:
                stop = self.gdb.go(LOOK_SECONDS)
                if stop.signal != TRAP and self.frame == frame:
                    stop = self._held_up()
            except Gone:
                return None
            frame = self.frame
            if frame > last:
                return None
            if stop.watched or stop.signal == TRAP:
                return stop

    def _held_up(self):
        """The watchpoint, if any, that QEMU is held up by, of no frame in all that
        time: on a busy machine it may begin the instruction again and again, and
        abort if it goes on from there. A breakpoint makes it tell."""
        with self._breakpoints([self.gdb.registers()[15]]):
            stop = self.gdb.go(LOOK_SECONDS)
        return stop if stop.watched else Stop(0, 0)

    def _step_over(self, addresses):
        for address in addresses:
            self.gdb.remove(BREAKPOINT, address, 2)
        self.gdb.step()
        for address in addresses:
            self.gdb.insert(BREAKPOINT, address, 2)

    @contextlib.contextmanager
    def _breakpoints(self, addresses):
        yield from self._inserted(BREAKPOINT, [(one, 2) for one in addresses])

    @contextlib.contextmanager
    def _watched(self, ranges):
        yield from self._inserted(WRITES, ranges)

    @contextlib.contextmanager
    def _inserted_all(self, kind, words):
        yield from self._inserted(kind, [(word, 4) for word in words])

    def _inserted(self, kind, ranges):
        for address, size in ranges:
            self.gdb.insert(kind, address, size)
        try:
            yield
        finally:
            with contextlib.suppress(Gone):
                for address, size in ranges:
                    self.gdb.remove(kind, address, size)


def _words(data):
    return [(at, int.from_bytes(data[at:at + 4], "little"))
            for at in range(0, len(data), 4)]


def _leading_to(known, before, changes):
    """The changes of words by which they come to be what is known; and the words
    that do not."""
    newest = {(one.address, one.after): at for at, one in enumerate(changes)}
    kept = [one for at, one in enumerate(changes)
            if at <= newest.get((one.address, known.get(one.address)), -1)]
    strayed = {address for address, word in known.items()
               if word != before[address] and (address, word) not in newest}
    return kept, strayed


def _differences(moment, before, after):
    return [moment._replace(address=address, before=before[address],
                            after=after[address])
            for address in before if before[address] != after[address]]
