# SPDX-License-Identifier: MIT
"""A trace as Perfetto and chrome://tracing read it: Trace Event Format, JSON.

Each allocator is a counter of what is live and what is free, each figure one; a scene
is a slice; thefts, refusals, faults and audits are instants.
"""

import json

from .trace_events import Begun, Counted, Event, Measured, microseconds

PROCESS, SCENES, EVENTS = 1, 1, 2  # Of these the last two are threads.


def chrome(run, file):
    """Writes it all, an event a line."""
    writer = _Writer(file)
    for one in run.happenings():
        writer.add(one)
    writer.end(run.end)


class _Writer:
    def __init__(self, file):
        self._file = file
        self._last = {}  # Of each counter what it was last.
        self._scene, self._frame = "", 0
        file.write(b'{"displayTimeUnit":"ms","traceEvents":[')
        self._comma = b"\n"

    def add(self, one):
        self._frame = one.frame
        self._ADD[type(one)](self, one)

    def end(self, frame):
        self._frame = max(self._frame, frame)
        self._end_scene()
        self._file.write(b"\n]}\n")

    def _put(self, kind, name, **more):
        event = {"ph": kind, "name": name, "pid": PROCESS, **more}
        self._file.write(self._comma + json.dumps(
            event, separators=(",", ":")).encode())
        self._comma = b",\n"

    def _count(self, name, **values):
        """Nothing, where it is what it was."""
        if self._last.get(name) != values:
            self._last[name] = values
            self._put("C", name, ts=microseconds(self._frame), args=values)

    def _begun(self, begun):
        hello = begun.hello
        self._put("M", "process_name", args={
            "name": f"{hello.board or 'firmware'}, seed {hello.seed}"})
        for thread, name in ((SCENES, "scenes"), (EVENTS, "events")):
            self._put("M", "thread_name", tid=thread, args={"name": name})

    def _counted(self, counted):
        for use in counted.uses:
            free = max(0, use.usage.capacity - use.usage.live)
            self._count(f"{use.allocator.name} ({use.allocator.unit})",
                        live=use.usage.live, free=free)
        self._count("bytes live", bytes=counted.bytes)
        self._count("interrupts", interrupts=counted.interrupts)

    def _measured(self, measured):
        self._count(measured.name, **{measured.unit or "value": measured.value})

    def _event(self, event):
        if event.what == "scene":
            self._end_scene()
            self._scene = event.words
            self._put("B", event.words, tid=SCENES, ts=microseconds(event.frame))
            return
        args = {"frame": event.frame, "count": event.count}
        args.update({name: value for name, value in (
            ("slot", event.slot), ("words", event.words)) if value})
        self._put("i", f"{event.allocator} {event.what}".strip(), tid=EVENTS, s="t",
                  ts=microseconds(event.frame), args=args)

    def _end_scene(self):
        if self._scene:
            self._put("E", self._scene, tid=SCENES, ts=microseconds(self._frame))
        self._scene = ""

    _ADD = {Begun: _begun, Counted: _counted, Measured: _measured, Event: _event}
