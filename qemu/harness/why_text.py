# SPDX-License-Identifier: MIT
"""What `qemu/soak why` has found out, in words."""

from .odd_calls import LEAK
from .source_lines import shown


def told(summary, answer):
    """Who did it, what had been done to the object before, where it showed."""
    lines = [summary["why"], ""]
    for name, words in (("access", _access), ("locked", _locked),
                        ("freed", _freed), ("issued", _issued),
                        ("noticed", _noticed)):
        if answer[name]:
            lines += [f"{words(answer)}, in frame {answer[name]['frame']}:",
                      *_trace(answer[name]), ""]
    lines += _processor(answer["cpu"]) if answer["cpu"] else []
    if answer["words"] and not answer["access"]:
        lines += ["It was done before the first frame: look at start-up code."]
    return "\n".join(lines).rstrip()


def _access(answer):
    store = answer["access"]
    return (f"0x{store['before']:08x} at 0x{store['address']:08x} became"
            f" 0x{store['after']:08x} by {_who(store)}")


def _locked(answer):
    return f"the lock that was not given back was taken by {_who(answer['locked'])}"


def _freed(answer):
    first = " first" if answer["finding"]["what"] == "double-free" else ""
    return f"{_what(answer)} was freed{first} by {_who(answer['freed'])}"


def _issued(answer):
    return f"{_what(answer)} was issued to {_who(answer['issued'])}"


def _what(answer):
    """Of a finding that names no slot, what was looked for instead."""
    finding = answer["finding"]
    if finding["slot"]:
        return f"slot {finding['slot']}"
    return "what is never freed" if finding["what"] == LEAK else \
        "what no other place did in that second: a slot"


def _noticed(answer):
    return f"noticed in {_who(answer['noticed'])}"


def _processor(cpu):
    """What it says of its own fault, as a debugger would show it."""
    lines = [f"{cpu['exception']}: {', '.join(cpu['flags']) or 'no flag is set'}"]
    lines += ["  " + ", ".join(f"{name} 0x{cpu[name]:08x}" for name in (
        "CFSR", "HFSR", "BFAR", "MMFAR") if name in cpu)]
    registers = [f"{name} 0x{value:08x}"
                 for name, value in cpu["registers"].items()]
    lines += ["  " + ", ".join(registers[at:at + 4])
              for at in range(0, len(registers), 4)]
    entered = ", ".join(cpu.get("interrupts", ())) or "none in this frame"
    return [*lines, f"  last interrupts: {entered}"]


def _who(moment):
    return _place(moment["place"] or moment["backtrace"][0]) \
        if moment["backtrace"] else "somebody"


def _trace(moment):
    return [f"  #{number:<2} {_place(place)}"
            for number, place in enumerate(moment["backtrace"])]


def _place(place):
    where = f" at {shown(place['file'])}:{place['line']}" if place["file"] else ""
    return f"{place['function']}(){where}"
