# SPDX-License-Identifier: MIT
"""A trace in the Common Trace Format 1.8, as Babeltrace reads it: a folder of
its description, `metadata`, and its events, `stream`.

The clock counts frames. What each event says of itself, FIELDS has.
"""

import struct

from .options import FRAMES_PER_SECOND
from .trace_events import Begun, Counted, Event, Measured

MAGIC = 0xC1FC1FC1
NOW = ("capacity", "live", "low", "high", "peak")
SINCE_POWER_ON = ("allocs", "frees", "steals", "refused", "spills")
# Of each event its fields: "string", or unsigned numbers of so many bits.
FIELDS = {
    "allocator": {"name": "string", "unit": "string", **dict.fromkeys(NOW, 32),
                  **dict.fromkeys(SINCE_POWER_ON, 64)},
    "second": {"bytes_live": 64, "interrupts": 32},
    "figure": {"name": "string", "unit": "string", "value": 64},
    "steals": {"allocator": "string", "count": 32},
    "refused": {"allocator": "string", "count": 32},
    "spills": {"allocator": "string", "count": 32},
    "alloc": {"allocator": "string", "slot": 32, "words": "string"},
    "free": {"allocator": "string", "slot": 32, "words": "string"},
    "steal": {"allocator": "string", "slot": 32, "words": "string"},
    "fault": {"allocator": "string", "slot": 32, "words": "string"},
    "audit": {"allocator": "string", "slot": 32, "words": "string"},
    "planted": {"allocator": "string", "slot": 32, "words": "string"},
    "scene": {"words": "string"},
    "text": {"words": "string"}}
NUMBERS = {name: number for number, name in enumerate(FIELDS)}
HEAD = struct.Struct("<HQ")
SIZES = {32: "<I", 64: "<Q"}

BEGIN = """\
/* CTF 1.8 */

trace {
  major = 1;
  minor = 8;
  byte_order = le;
  packet.header := struct {
    integer { size = 32; align = 8; signed = false; base = 16; } magic;
  };
};

clock {
  name = frames;
  description = "frames of the firmware";
  freq = %d;
};

stream {
  event.header := struct {
    integer { size = 16; align = 8; signed = false; } id;
    integer { size = 64; align = 8; signed = false; map = clock.frames.value; }
      timestamp;
  };
};
""" % FRAMES_PER_SECOND


def ctf(run, metadata, stream):
    """Writes both files."""
    stream.write(MAGIC.to_bytes(4, "little"))
    for one in run.happenings():
        if isinstance(one, Begun):
            metadata.write(_description(one.hello).encode())
        else:
            _WRITE[type(one)](stream, one)


def _description(hello):
    environment = {"domain": "tidepool", "board": hello.board, "seed": str(hello.seed)}
    lines = [f"  {name} = {_quoted(text)};" for name, text in environment.items()]
    return "\n".join([BEGIN, "env {", *lines, "};", *map(_event_class, FIELDS), ""])


def _event_class(name):
    fields = [f"    {_type(kind)} {field};" for field, kind in FIELDS[name].items()]
    return "\n".join(["", "event {", f"  id = {NUMBERS[name]};", f'  name = "{name}";',
                      "  fields := struct {", *fields, "  };", "};"])


def _type(kind):
    if kind == "string":
        return "string { encoding = UTF8; }"
    return f"integer {{ size = {kind}; align = 8; signed = false; }}"


def _quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _put(stream, frame, name, *values):
    data = HEAD.pack(NUMBERS[name], frame)
    for kind, value in zip(FIELDS[name].values(), values):
        data += value.encode() + b"\0" if kind == "string" else \
            struct.pack(SIZES[kind], value)
    stream.write(data)


def _counted(stream, counted):
    for use in counted.uses:
        _put(stream, counted.frame, "allocator", use.allocator.name,
             use.allocator.unit, *[getattr(use.usage, name) for name in NOW],
             *[use.counts[name] for name in SINCE_POWER_ON])
    _put(stream, counted.frame, "second", counted.bytes, counted.interrupts)


def _measured(stream, measured):
    _put(stream, measured.frame, "figure", measured.name, measured.unit,
         measured.value)


def _event(stream, event):
    told = {"allocator": event.allocator, "slot": event.slot, "count": event.count,
            "words": event.words}
    _put(stream, event.frame, event.what, *[told[name] for name in FIELDS[event.what]])


_WRITE = {Counted: _counted, Measured: _measured, Event: _event}
