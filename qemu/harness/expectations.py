# SPDX-License-Identifier: MIT
"""What only some runs are asked: did that come which was asked for, and what the
application itself expects."""

from . import scenario
from .number_text import counted


def own_lines(options, ledger):
    """(name, passed, detail, number) of each."""
    return [*_planted(options, ledger), _wrapped(options, ledger),
            *_settings(options, ledger),
            *(_expected(one) for one in ledger.expectations.values())]


def _planted(options, ledger):
    """A fault that never came proves nothing of what would find it."""
    if not options.plant or not ledger.done:
        return []
    planted = ledger.planted
    detail = f"{options.plant}: nothing was in a state for it from frame" \
        f" {options.plant_frame} on"
    if planted:
        detail = f"{planted.name} in frame {planted.frame}"
    return [("the fault was planted as asked", planted is not None, detail,
             int(planted is None))]


def _wrapped(options, ledger):
    name = "the clock wraps and nothing else happens"
    if not options.near_wrap:
        return name, None, "not looked at: --near-wrap starts clocks near their end", 0
    if not ledger.done:
        return name, None, "not judged: the run did not finish", 0
    asked = ledger.clock_start == options.clock_start
    return (name, asked, f"it started at {ledger.clock_start}",
            ledger.clock_start)


def _settings(options, ledger):
    """A name that the firmware never asks for is mistyped."""
    if not options.elf or not options.scenario:
        return []
    names = [word.partition("=")[0]
             for word in scenario.arguments(options.scenario, own=True)]
    unasked = [name for name in names if name not in ledger.settings]
    detail = f"never asked for: {', '.join(unasked)}; tp_soak_setting() asks" \
        if unasked else ", ".join(names)
    return [("the firmware asked for each setting of the scenario", not unasked,
             detail, len(unasked))]


def _expected(one):
    detail = f"asked {counted(one.asked, 'time')}"
    if one.failed:
        detail += f", failed {counted(one.failed, 'time')}, first in frame" \
            f" {one.first}"
    return (one.name, not one.failed, detail, one.failed)
