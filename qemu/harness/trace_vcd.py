# SPDX-License-Identifier: MIT
"""What each allocator held over time as waves: VCD, as GTKWave reads it.

A scope an allocator: how much is live, the least and the most in the second before,
how much there is, and what was stolen, refused or spilled in it. A fault and an audit
that disagreed are events.
"""

import re

from .trace_events import TOLD, Begun, Counted, Event, microseconds

WAVES = ("live", "low", "high", "capacity")
MOMENTS = ("fault", "audit")
BITS = 64


def vcd(run, file):
    """Writes it all; of each wave what changes."""
    writer = _Writer(file)
    for one in run.happenings():
        add = _ADD.get(type(one))
        if add:
            add(writer, one)
    writer.go_to(run.end)


class _Writer:
    def __init__(self, file):
        self._file = file
        self._ids = {}  # (allocator's number or None, wave) -> its short name.
        self._last = {}  # Short name -> value.
        self._time = -1

    def begin(self, begun):
        self._line("$version Tidepool's soak $end")
        self._line("$timescale 1 us $end")
        self._line("$scope module soak $end")
        for name in MOMENTS:
            self._declare("event", 1, None, name)
        self._declare("integer", BITS, None, "bytes_live")
        self._declare("integer", BITS, None, "interrupts")
        for number, allocator in enumerate(begun.hello.allocators):
            self._line(f"$scope module {_word(allocator.name)} $end")
            for wave in (*WAVES, *TOLD):
                self._declare("integer", BITS, number, wave)
            self._line("$upscope $end")
        self._line("$upscope $end")
        self._line("$enddefinitions $end")

    def count(self, counted):
        self.go_to(counted.frame)
        self._change((None, "bytes_live"), counted.bytes)
        self._change((None, "interrupts"), counted.interrupts)
        for number, use in enumerate(counted.uses):
            for wave in WAVES:
                self._change((number, wave), getattr(use.usage, wave))
            for wave in TOLD:
                self._change((number, wave), use.more[wave])

    def happen(self, event):
        if event.what in MOMENTS:
            self.go_to(event.frame)
            self._line("1" + self._ids[None, event.what])

    def go_to(self, frame):
        if microseconds(frame) > self._time:
            self._time = microseconds(frame)
            self._line(f"#{self._time}")

    def _declare(self, kind, bits, number, wave):
        short = self._ids[number, wave] = _short(len(self._ids))
        self._line(f"$var {kind} {bits} {short} {wave} $end")

    def _change(self, wave, value):
        short = self._ids[wave]
        if self._last.get(short) != value:
            self._last[short] = value
            self._line(f"b{value:b} {short}")

    def _line(self, text):
        self._file.write(text.encode() + b"\n")


_ADD = {Begun: _Writer.begin, Counted: _Writer.count, Event: _Writer.happen}


def _short(number):
    """A name of characters from ! to ~, no two the same."""
    text = ""
    while not text or number:
        number, digit = divmod(number, 94)
        text += chr(33 + digit)
    return text


def _word(name):
    """As a name of Verilog's."""
    return re.sub(r"\W", "_", name, flags=re.A) or "_"
