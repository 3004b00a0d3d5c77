# SPDX-License-Identifier: MIT
"""run.json and summary.json as they are read again: of the shape that a soak gives
them, or a sentence."""

import json
import math
import re
from dataclasses import fields

from .errors import CannotRun
from .options import Options
from .result_folder import RUN, SUMMARY


class IfThere(dict):
    """A shape of what may be left out."""


# A shape is a type; (one of these); [of each item]; what a text must match; or
# {key: of its value}, where more keys are no harm.
NOTHING = type(None)
NUMBER = (int, float)
PASSED = (bool, NOTHING)
CHECK = {"name": str, "passed": PASSED, "detail": str}
TROUBLE = {"frame": int, "pool": str, "slot": int}
COUNTED = {"name": str, "kind": str, "unit": str, "policy": str, **dict.fromkeys(
    ("capacity", "peak", "live", "allocs", "frees", "refused", "steals", "spills",
     "full_frames"), int)}
ALLOCATOR = {**COUNTED, "cuts": [{"capacity": int}]}
PLACE = {"function": str, "file": str, "line": int}
CAUSE = {"sentence": str, "stacks": [{"title": str, "frames": [PLACE]}]}
ADDRESS = re.compile("0x[0-9a-f]{1,16}")
FAULT = {**TROUBLE, "kind": str, "address": ADDRESS, "offset": int}
SHAPES = {
    RUN: {"options": {"board": str, "seed": int, "frames": int},
          "arguments": [str], "elf_sha256": str, "qemu": str, "checkpoint_every": int},
    SUMMARY: {"verdict": str, "why": str, "complete": bool, "frames": int}}
ONE_RUN = {
    "seed": int, "board": str, "checks": str, "config_hash": str, "elf_hash": str,
    "reproduce": str, "state_hash": str, "results": [CHECK], "pools": [ALLOCATOR],
    "sanitized": bool, "interrupts": str, "qemu": str,
    "sim_seconds": NUMBER, "wall_seconds": NUMBER, "speedup": NUMBER,
    "faults": [FAULT], "audits": [{**TROUBLE, "text": str}],
    "warnings": [str], "cause": (NOTHING, CAUSE)}
MANY_RUNS = {"results": [{"name": str, "passed": PASSED}],
             "pools": [COUNTED],
             "runs": [{"seed": int, "verdict": str, "folder": str}]}
SWARM = {"swarm": dict}
IF_THERE = IfThere({
    "allocators": [ALLOCATOR], "cpu_speedup": NUMBER, "speedup": NUMBER,
    "missing": [int], "restarted": bool,
    "origin": {"date": str, "revision": str},
    "frame_cost": IfThere(most=NUMBER, slowest=NUMBER), "places": [dict],
    "stacks": [{"name": str, "deepest": int}],
    "memory": [{"section": str, "bytes": int}],
    "costs": [{"name": str, "p50": NUMBER, "p99": NUMBER}],
    "expectations": [{"name": str, "failed": int, "first": int}],
    "suspicions": [{**TROUBLE, "what": str, "address": int, "than": int}]})
BITS = 64  # Of a number of a soak.
FROM_JSON = {float: NUMBER, tuple: (list,)}  # What it makes of some.


def page(path):
    """What the file holds, or None if there is none. Raises CannotRun."""
    try:
        content = json.loads(path.read_text(), parse_constant=_no_number,
                             parse_int=_whole, parse_float=_fraction)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, RecursionError):
        content = None
    if not _is_whole(content, path.name):
        raise CannotRun(f"{path} is damaged, or of another version: it does not hold"
                        " what a soak writes there.")
    return content


def _no_number(word):
    raise ValueError(f"{word} is no number of a soak")


def _whole(word):
    number = int(word)
    return number if number.bit_length() <= BITS else _no_number(word)


def _fraction(word):
    number = float(word)
    return number if math.isfinite(number) else _no_number(word)


def _is_whole(content, name):
    return fits(content, SHAPES[name]) and fits(content, IF_THERE) \
        and _are_options(content.get("options", {})) \
        and (name != SUMMARY or fits(content, _kind_of(content)))


def _kind_of(summary):
    """The shape of one run's, of many runs' or of a swarm's."""
    if "seed" in summary:
        return ONE_RUN
    return MANY_RUNS if "runs" in summary else SWARM


def fits(value, shape):
    """Whether it has the shape. True is no number."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(one, shape[0]) for one in value)
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(
            fits(value[key], one) if key in value else isinstance(shape, IfThere)
            for key, one in shape.items())
    if isinstance(shape, re.Pattern):
        return isinstance(value, str) and bool(shape.fullmatch(value))
    if isinstance(shape, tuple):
        return any(fits(value, one) for one in shape)
    return type(value) is shape


def _are_options(options):
    kinds = {field.name: type(field.default) for field in fields(Options)}
    return options.keys() <= kinds.keys() and all(
        type(value) in FROM_JSON.get(kinds[name], (kinds[name],))
        for name, value in options.items())
