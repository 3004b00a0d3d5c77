# SPDX-License-Identifier: MIT
"""What `qemu/soak why` has found out, in words."""

from .source_lines import is_application, shown

# What the word of a tag tells is not damage, but the last who had the slot.
TAG_MEANS = {"double-free": "freed first",
             "live, but never initialised": "issued"}


def told(summary, finding, answer):
    """Where it was noticed, and where it was done."""
    lines = [summary["why"], "",
             f"noticed in frame {answer['noticed']['frame']}:",
             *_trace(answer["noticed"]), ""]
    store = answer["store"]
    if store:
        lines += [f"{_deed(finding, store)}, in frame {store['frame']}:",
                  *_trace(store)]
    elif answer["words"]:
        lines += ["It was done before the first frame: look at start-up code."]
    else:
        lines += ["No one word of memory tells who did it: the call above is"
                  " where it shows."]
    return "\n".join(lines)


def _deed(finding, store):
    places = store["backtrace"]
    who = _place(next((place for place in places
                       if is_application(place["file"])), places[0]))
    if finding.what in TAG_MEANS:
        return f"slot {finding.slot} was {TAG_MEANS[finding.what]} by {who}"
    return (f"0x{store['before']:08x} at 0x{store['address']:08x} became"
            f" 0x{store['after']:08x} by {who}")


def _trace(here):
    return [f"  #{number:<2} {_place(place)}"
            for number, place in enumerate(here["backtrace"])]


def _place(place):
    where = f" at {shown(place['file'])}:{place['line']}" if place["file"] else ""
    return f"{place['function']}(){where}"
