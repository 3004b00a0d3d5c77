# SPDX-License-Identifier: MIT
"""What can be compared of two results: numbers with a name, from a summary.json
of one run or of many."""

from typing import NamedTuple

from .errors import CannotRun
from .number_text import counted
from .pages import page
from .result_folder import SUMMARY


class Measure(NamedTuple):
    group: str  # One of GROUPS, which says what bound counts.
    name: str
    value: float
    unit: str
    is_better_when_more: bool = False


# In the order in which they are told, with the percentage that each may get worse
# by. None: told only, since the machine has its part in it.
GROUPS = {"budgets": 5.0, "peaks": 5.0, "costs": 5.0, "speed": None,
          "coverage": 0.0}


def summary_in(folder):
    """The summary of a result, of which all can be measured; None if there is
    none. Raises CannotRun."""
    summary = page(folder / SUMMARY)
    try:
        if summary:
            measures(summary)
            findings(summary)
    except (KeyError, TypeError, AttributeError):
        raise CannotRun(f"{folder / SUMMARY} is damaged, or of another version of the"
                        " soak: it lacks what can be compared.") from None
    return summary


def measures(summary):
    """{(group, name): Measure}"""
    found = [*_budgets(summary), *_peaks(summary), *_costs(summary),
             *_speed(summary), *_coverage(summary)]
    return {(one.group, one.name): one for one in found}


def _budgets(summary):
    cost = summary.get("frame_cost") or {}
    for key, name in (("most", "the costliest frame"),
                      ("slowest", "a frame in the slowest minute")):
        if key in cost:
            yield Measure("budgets", name, cost[key], "instructions")
    for stack in summary.get("stacks", ()):
        yield Measure("budgets", f"stack {stack['name']}", stack["deepest"], "bytes")
    for memory in summary.get("memory", ()):
        yield Measure("budgets", f"section {memory['section']}", memory["bytes"],
                      "bytes")


def _peaks(summary):
    for one in _allocators(summary):
        yield Measure("peaks", f"{one['kind']} {one['name']}", one["peak"],
                      one["unit"])
    for one in _allocators(summary):
        requests = one["allocs"] + one["refused"]
        if one["unit"] != "bytes" and requests:
            share = 100 * (one["refused"] + one["steals"]) / requests
            yield Measure("peaks", f"unmet requests of {one['name']}",
                          round(share, 2), "%")


def _costs(summary):
    for cost in summary.get("costs", ()):
        for key in ("p50", "p99"):
            yield Measure("costs", f"{cost['name']}, {key}", cost[key],
                          "instructions")


def speed_of(summary):
    """Times real time: by processor time, which many runs together have not."""
    return summary.get("cpu_speedup", summary.get("speedup", 0))


def _speed(summary):
    yield Measure("speed", "times real time", speed_of(summary), "x", True)


def _coverage(summary):
    used = sum(one["peak"] > 0 for one in _allocators(summary))
    full = sum(one["full_frames"] > 0 for one in _allocators(summary))
    judged = sum(check["passed"] is not None for check in summary["results"])
    for name, value in (("allocators used", used), ("allocators that were full", full),
                        ("checks that had something to look at", judged),
                        ("places that asked", len(summary.get("places", ())))):
        yield Measure("coverage", name, value, "", True)


def _allocators(summary):
    return summary["pools"] + summary.get("allocators", [])


def findings(summary):
    """What a person would call one, in words, sorted."""
    found = {f"check failed: {check['name']}" for check in summary["results"]
             if check["passed"] is False}
    found |= {f"{fault['kind']} fault in {fault['pool'] or 'no pool'}"
              for fault in summary.get("faults", ())}
    found |= {f"audit of {audit['pool'] or 'no pool'}: {audit['text']}"
              for audit in summary.get("audits", ())}
    found |= {f"seed {run['seed']} failed" for run in summary.get("runs", ())
              if run["verdict"] == "fail"}
    missing = len(summary.get("missing", ()))
    found |= {f"missing: {counted(missing, 'seed')}"} if missing else set()
    if summary["verdict"] == "fail" and not found:
        found.add(summary["why"])
    return sorted(found)
