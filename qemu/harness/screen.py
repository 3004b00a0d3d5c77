# SPDX-License-Identifier: MIT
"""What a person sees while a run goes on."""

import errno
import os
import signal
import time
from pathlib import Path

from .number_text import clock, counted, grouped, percent, span
from .options import FRAMES_PER_SECOND
from .screen_table import pool_rows
from .terminal_text import glyphs_for, may_colour, paint, whole

BAR_MAX = 40


def screen_for(stream, options):
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    kind = LiveScreen if stream.isatty() and not dumb else PlainScreen
    return kind(stream, options)


def _show(stream, text):
    """A terminal that is gone stops the run as its signal does, which may come later,
    or to others."""
    try:
        stream.write(text)
        stream.flush()
    except OSError as trouble:
        if trouble.errno != errno.EIO:
            raise
        signal.raise_signal(signal.SIGHUP)


class PlainScreen:
    """A line every ten seconds, for logs."""

    EVERY = 10.0

    def __init__(self, stream, options):
        self._stream = stream
        self._options = options
        self._next = time.monotonic() + self.EVERY

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """There is nothing to restore."""

    def say(self, text):
        _show(self._stream, text + "\n")

    def update(self, ledger, wall_seconds, last=False):
        now = time.monotonic()
        if now < self._next and not last:
            return
        self._next = now + self.EVERY
        pools = "  ".join(f"{pool.name} {pool.live}/{pool.peak}/{pool.capacity}"
                          for pool in ledger.allocators)
        self.say(f"{_clock_text(self._options, ledger)}"
                 f"  {percent(ledger.frame, self._options.frames)}"
                 f"  {_speed_text(self._options, ledger, wall_seconds)}"
                 f"  {pools}")


class LiveScreen:
    """A block of lines, redrawn in place four times a second."""

    EVERY = 0.25

    def __init__(self, stream, options):
        self._stream = stream
        self._options = options
        self._glyphs = glyphs_for(stream)
        self._colour = may_colour(stream)
        self._next = 0.0
        self._height = 0  # Lines on the screen that the next drawing replaces.
        self._size = None

    def __enter__(self):
        _show(self._stream, "\x1b[?25l")
        return self

    def __exit__(self, *_):
        _show(self._stream, "\x1b[?25h")

    def say(self, text):
        """A line that the next one, or the next drawing, replaces."""
        self._draw([[(text, "dim")]])

    def update(self, ledger, wall_seconds, last=False):
        now = time.monotonic()
        if now < self._next and not last:
            return
        self._next = now + self.EVERY
        width = self._measure().columns
        self._draw(frame(self._options, ledger, wall_seconds, width or 80,
                         self._glyphs))

    def _measure(self):
        try:
            return os.get_terminal_size(self._stream.fileno())
        except OSError:  # The terminal is gone.
            return os.terminal_size((80, 24))

    def _draw(self, lines):
        size = self._measure()
        up = f"\x1b[{self._height}A" if self._height else ""
        home = up if size == self._size or not self._size else "\x1b[2J\x1b[H"
        rows = [paint(line, size.columns or 80, self._colour) + "\x1b[K\n"
                for line in lines[:max(1, size.lines - 1)]]
        _show(self._stream, "\r" + home + "".join(rows) + "\x1b[J")
        self._height, self._size = len(rows), size


def frame(options, ledger, wall_seconds, width, glyphs):
    """All lines of the live screen."""
    return [whole(_title(options), width),
            _progress(options, ledger, width, glyphs),
            [(" " + _speed_text(options, ledger, wall_seconds), "")],
            [],
            *pool_rows(ledger, width, glyphs),
            [],
            whole(_health(options, ledger), width),
            []]


def _title(options):
    words = [f"seed {options.seed}", f"checks {options.checks_text}",
             f"interrupts {options.interrupts}"]
    words += [Path(options.scenario).stem] if options.scenario else []
    words += [f"plant {options.plant}"] if options.plant else []
    return [(f" soak {options.board}", "title"),
            *((f"  {word}", "dim") for word in words)]


def _progress(options, ledger, width, glyphs):
    left = f" {_clock_text(options, ledger)} "
    right = f" {percent(ledger.frame, options.frames)}"
    room = min(BAR_MAX, width - len(left) - len(right) - 1)
    done = max(0, room) * min(ledger.frame, options.frames) // options.frames
    return [(left, ""), (glyphs.done * done, "bar"),
            (glyphs.to_do * (room - done), "dim"), (right, "")]


def _clock_text(options, ledger):
    return f"{clock(ledger.sim_seconds)} of {span(options.sim_seconds)}"


def _speed_text(options, ledger, wall_seconds):
    if not ledger.frame or wall_seconds <= 0:
        return "starting"
    speed = ledger.sim_seconds / wall_seconds
    left = (options.frames - ledger.frame) / FRAMES_PER_SECOND / speed
    rest = f"{span(left)} left" if left > 0 else f"{wall_seconds:.1f} s in all"
    return f"{speed:.0f} x real time, {rest}"


def _health(options, ledger):
    unbalanced = sum(bool(pool.first_unbalanced) for pool in ledger.allocators)
    troubles = [counted(number, noun) for number, noun in (
        (len(ledger.faults), "fault"),
        (ledger.audit_count, "audit disagreement"),
        (unbalanced, "unbalanced pool"),
        (ledger.damaged_bytes, "damaged byte")) if number]
    health = (", ".join(troubles), "bad") if troubles else \
        ("no faults, counts balance", "good")
    return [(f" checks {options.checks_text}: ", "dim"), health,
            (f"   interrupts {grouped(ledger.irqs)}", "dim")]
