# SPDX-License-Identifier: MIT
"""Runs inside gdb-multiarch: what the ELF of a firmware says of itself, and the
backtraces of its cores. Takes case.json, leaves answer.json."""

import json
import os
import sys

import gdb

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../lib/config"))
from decoder.lines import called_before  # noqa: E402

DEEPEST = 40


def main():
    case = json.load(open("case.json"))
    for setting in ("pagination off", "confirm off", "height 0", "width 0",
                    "backtrace past-main off",
                    "print frame-info short-location",
                    "host-charset ISO-8859-1"):  # Every byte: see _name().
        gdb.execute(f"set {setting}", to_string=True)
    answer = {"symbols": {name: _address(name) for name in case["symbols"]},
              "fields": {name: _fields(name) for name in case["structs"]},
              "layouts": {name: _layout(name) for name in case["symbols"]},
              "backtraces": [_backtrace(core) for core in case["cores"]]}
    with open("answer.json", "w") as file:
        json.dump(answer, file)


def _address(name):
    """0 if there is no such thing."""
    try:
        return int(gdb.parse_and_eval(f"(unsigned long)&{name}")) & 0xFFFFFFFE
    except gdb.error:
        return 0


def _fields(name):
    """Of a struct: name -> (offset, size); {} if there is no such thing."""
    try:
        return _parts(gdb.lookup_type(f"struct {name}"))
    except gdb.error:
        return {}


def _layout(name):
    """The same of a variable; of an array what it is as a whole, under no name."""
    try:
        kind = gdb.parse_and_eval(name).type.strip_typedefs()
    except gdb.error:
        return {}
    if kind.code == gdb.TYPE_CODE_ARRAY:
        return {"": (0, kind.sizeof)}
    return _parts(kind) if kind.code == gdb.TYPE_CODE_STRUCT else {}


def _parts(struct):
    fields = struct.fields()
    return {field.name: (field.bitpos // 8, field.type.sizeof)
            for field in fields}


def _backtrace(core):
    try:
        gdb.execute(f"core-file {core}", to_string=True)
        return _places()
    except gdb.error:
        return []


def _places():
    places, frame = [], gdb.newest_frame()
    while frame is not None and len(places) < DEEPEST:
        places.append(_place(frame))
        frame = _older(frame)
    return places


def _older(frame):
    """None where the stack that was kept ends."""
    try:
        return frame.older()
    except gdb.error:
        return None


def _place(frame):
    line = frame.find_sal()
    interrupt = frame.type() == gdb.SIGTRAMP_FRAME
    return {"function": "interrupt" if interrupt
            else _name(frame.name() or f"{frame.pc():#x}"),
            "file": _name(line.symtab.fullname()) if line.symtab else "",
            "line": line.line, "pc": frame.pc(), "begin": _begin(frame),
            "is_whole": frame.type() != gdb.INLINE_FRAME,
            "calls": _called_before(frame.pc())}


def _begin(frame):
    """Where its function begins; -1 of none, and of what is inlined."""
    if not frame.function() or frame.type() == gdb.INLINE_FRAME:
        return -1
    return int(frame.function().value().address) & ~1


def _name(text):
    """As its bytes say, whatever the locale."""
    return text.encode("latin-1").decode("utf-8", "replace")


def _called_before(address):
    """What is called by the instruction before `address`; 0 if that does not
    say, or is none."""
    try:
        code = bytes(gdb.selected_inferior().read_memory(address - 4, 4))
    except (gdb.error, OverflowError):  # Below address 0 there is nothing.
        return 0
    return called_before(code, address)


main()
