# SPDX-License-Identifier: MIT
"""What `qemu/soak why` has found out, in words."""

import itertools

from .lasting import CREEPS, KEPT, SILENT
from .odd_calls import LEAK
from .options import FRAMES_PER_SECOND as SECOND
from .records import ACCESSES
from .source_lines import is_application, is_watcher, shown
from .suspects import means_dead

RESTART = "it begins again"  # A finding of a kind of its own.
STRAYED = ("Who did it does not show: while it is looked for, the firmware's own timer"
           " interrupts elsewhere.")
# What is meant where a finding names no slot.
MEANT = {LEAK: "what is never freed", KEPT: "what is never freed",
         SILENT: "the last slot", CREEPS: "the slot with which it was the most"}


def told(summary, answer):
    """Who did it, what had been done to the object before, where it showed."""
    lines = [summary["why"], "", *_sanitized(summary)]
    for title, trace in stacks(answer):
        lines += [f"{title}:", *_trace(trace), ""]
    lines += _processor(answer["cpu"]) if answer["cpu"] else []
    if answer["words"] and not answer["access"]:
        lines += [STRAYED if answer["strayed"] else
                  "It was done before the first frame: look at start-up code, and at"
                  " what nobody clears there. At power-on RAM holds anything."]
    return "\n".join(lines).rstrip()


def _sanitized(summary):
    if not summary.get("sanitized"):
        return []
    return ["The run was sanitized: a wrong access is reported before it happens.", ""]


def stacks(answer):
    """(what was done by whom, backtrace) of all that was found, the guilty first."""
    names = sorted(DEEDS, key=lambda name: name != _guilty_name(answer))
    return [(f"{DEEDS[name](answer)}, in frame {answer[name]['frame']}",
             answer[name]["backtrace"]) for name in names if answer[name]]


def headline(answer):
    """The one that says most."""
    name = _guilty_name(answer)
    return f"{DEEDS[name](answer)}, in frame {answer[name]['frame']}"


def guilty(answer):
    return answer[_guilty_name(answer)]


def _guilty_name(answer):
    """Of a finding that names a slot, who freed and who was issued it are the
    story before; of one that names none, they are the story. A free that took an
    object away from whoever still wrote to it was wrong, not the write."""
    if _was_taken_away(answer):
        return "freed"
    names = ["access", "locked", "left_out", "joined", "spent", "held", "changed",
             "served", "told"]
    names += ["touched"] * _was_lost(answer)
    if not (answer["finding"]["slot"] and answer["noticed"]):
        names += ["freed", "issued"]
    return next((name for name in names if answer[name]), "noticed")


def _was_lost(answer):
    """Whether nobody had to do with an object any more, long before it was found."""
    touched = answer["touched"]
    return bool(touched) and touched["frame"] + SECOND < answer["finding"]["frame"]


def _was_taken_away(answer):
    """Whether a freed slot was written to by the file of source that it was issued
    to, and another file had freed it."""
    by = {name: answer[name] and answer[name]["place"]
          for name in ("access", "freed", "issued")}
    if not answer["finding"]["slot"] or not all(by.values()) \
            or not means_dead(answer["finding"]["what"]):
        return False
    writer, freer, owner = (place["file"] for place in by.values())
    return writer == owner != freer


def _access(answer):
    store = answer["access"]
    return (f"0x{store['before']:08x} at 0x{store['address']:08x} became"
            f" 0x{store['after']:08x} by {_who(store)}")


def _locked(answer):
    return f"the lock that was not given back was taken by {_who(answer['locked'])}"


def _left_out(answer):
    return (f"what is done whenever an object of {answer['finding']['pool']} is stolen"
            f" was not done by {_who(answer['left_out'])}")


def _joined(answer):
    return (f"{answer['finding']['pool']} was used by {_who(answer['joined'])}, which"
            " did not a second before")


def _spent(answer):
    spent = answer["spent"]
    place = spent["place"]
    than = f"frame {spent['than']}" if spent["frames"] == 1 else \
        f"{spent['frames']} frames from {spent['than']} on"
    return (f"{place['instructions']} instructions more than in {than} were"
            f" executed in {_place(place)}")


def _freed(answer):
    how = "freed first" if answer["finding"]["what"] == "double-free" else "freed"
    how = "stolen" if _is_theft(answer["freed"]["backtrace"]) else how
    still = ", though who was issued it still wrote to it" * _was_taken_away(answer)
    return f"{_what(answer)} was {how} by {_who(answer['freed'])}{still}"


def _is_theft(trace):
    """Whether a request on a full pool ended that life, not a call that frees."""
    own = itertools.takewhile(lambda place: not is_application(place["file"]), trace)
    return any(place["function"].startswith("tp_steal_") for place in own)


def _issued(answer):
    return f"{_what(answer)} was issued to {_who(answer['issued'])}"


def _touched(answer):
    return f"{_what(answer)} was touched last by {_who(answer['touched'])}"


def _what(answer):
    """Of a finding that names no slot, what was looked for instead."""
    finding = answer["finding"]
    if finding["slot"]:
        return f"slot {finding['slot']}"
    return MEANT.get(finding["what"],
                     "what no other place did in that second: a slot")


def _held(answer):
    return f"what does not move was locked by {_who(answer['held'])}"


def _changed(answer):
    return (f"{answer['finding']['pool']} was used last by"
            f" {_who(answer['changed'])}")


def _served(answer):
    served = answer["served"]
    names = [place["function"] for place in served["backtrace"]]
    inside = served["backtrace"][names.index("interrupt") + 1:] \
        if "interrupt" in names else ()
    own = [one for one in inside if is_application(one["file"])
           and not is_watcher(one["file"])]
    during = f", within {_place(own[0])}" if own else ""
    return f"the last interrupt was served by {_who(served)}{during}"


def _told(answer):
    return f"{answer['finding']['pool']} is told by {_who(answer['told'])}"


def _noticed(answer):
    cpu = answer["cpu"]
    what = cpu["exception"] if cpu else "noticed"
    if cpu and cpu["flags"]:  # None is set of BKPT, say.
        what += f" ({', '.join(cpu['flags'])})"
    if answer["finding"]["what"] in ACCESSES:
        what = "the wrong access is made"
    if answer["finding"]["what"] == RESTART:
        what = "the firmware begins again"
    return f"{what} in {_who(answer['noticed'])}"


DEEDS = {"access": _access, "locked": _locked, "left_out": _left_out,
         "joined": _joined, "spent": _spent,
         "touched": _touched, "freed": _freed,
         "issued": _issued, "held": _held, "changed": _changed, "served": _served,
         "told": _told, "noticed": _noticed}


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


def _trace(trace):
    return [f"  #{number:<2} {_place(place)}"
            for number, place in enumerate(trace)]


def _place(place):
    where = f" at {shown(place['file'])}:{place['line']}" if place["file"] else ""
    return f"{place['function']}(){where}"
