# SPDX-License-Identifier: MIT
"""The demo's table with less room in it: what a swarm plays beside the table itself.

Rows that assert keep their room, for whoever asks must fit; so do sizes of slots
and numbers that are written as C.
"""

import re

# Name -> so many times less.
SHARES = {"a quarter": 4, "a sixteenth": 16}
BYTES_LEAST = 2048  # Of what is cut up into any sizes: the demo's largest fit.
_TABLE = re.compile(r"\[(\w+)\]")
_COUNT = re.compile(r"\b(count *= *)(\d+)")
_CUT = re.compile(r"(= *)(\d+)\b")
_BYTES = re.compile(r'\b(bytes *= *)"?(\d+)(K?)"?')
_HANDLES = re.compile(r"\b(handles *= *)(\d+)")


def smaller(text, share):
    """The text of a pools.toml, everything in it so many times smaller."""
    name, lines = "", []
    for line in text.split("\n"):
        heading = _TABLE.match(line)
        name = heading[1] if heading else name
        lines.append(line if line.startswith("#") else _smaller(name, line, share))
    return "\n".join(lines)


def _smaller(name, line, share):
    def less(match):
        return f"{match[1]}{max(1, int(match[2]) // share)}"
    if name == "scenes":
        return _CUT.sub(less, line)
    if name in ("pools", "blocks", "dense") and '"assert"' not in line:
        return _COUNT.sub(less, line)
    if name == "relocating":
        line = _HANDLES.sub(less, line)
    if name in ("relocating", "frames"):
        return _BYTES.sub(lambda match: match[1] + _less_bytes(match, share), line)
    return line


def _less_bytes(match, share):
    bytes_ = int(match[2]) * (1024 if match[3] else 1)
    return str(min(bytes_, max(BYTES_LEAST, bytes_ // share // 8 * 8)))
