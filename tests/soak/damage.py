# SPDX-License-Identifier: MIT
"""Files that a soak reads again, damaged by chance: what a disk, a careless hand or a
firmware gone wild may make of them. The same for the same number, in every Python."""

import json
import random

from paper import record
from harness import telemetry

VALUES = (None, -1, 0, 1e300, "", [], {}, True, "x" * 300, [[]], {"a": 1}, 2**70,
          "<script>", "\x1b[31m")
TOKENS = (b"=", b"[", b"]", b'"', b"\n", b"-1", b"1e9", b"9" * 20, b"true", b"nan",
          b"[[a]]", b"{a=1}", b"\0", b"\xff", b'""', b"1979-05-27", b"0x10", b".5",
          b",")
HEAD, CHECK = 4, 2  # Bytes of a record before what it says, and behind.
KINDS = 40  # Of records, and a few that there are not.


def damaged_json(text, number):
    """Values lost or replaced at any depth; rarely, bytes."""
    chance = random.Random(number)
    if chance.random() < 0.1:
        return damaged_bytes(text.encode(), number).decode(errors="replace")
    tree = json.loads(text)
    for _ in range(chance.randrange(1, 3)):
        _change(chance, tree)
    return json.dumps(tree)


def _change(chance, tree):
    path = chance.choice([path for path in _paths(tree) if path])
    if chance.random() < 0.5:  # Whole tables as often as what stands in them.
        path = path[:chance.randrange(1, len(path) + 1)]
    for key in path[:-1]:
        tree = tree[key]
    if chance.random() < 0.4:
        del tree[path[-1]]
    else:
        tree[path[-1]] = json.loads(json.dumps(chance.choice(VALUES)))


def _paths(tree, path=()):
    yield path
    entries = tree.items() if isinstance(tree, dict) else \
        enumerate(tree) if isinstance(tree, list) else ()
    for key, value in entries:
        yield from _paths(value, (*path, key))


def damaged_bytes(data, number):
    """Tokens put in, bytes lost, lines twice."""
    chance = random.Random(number)
    for _ in range(chance.randrange(1, 5)):
        at, what = chance.randrange(len(data) + 1), chance.random()
        if what < 0.4:
            data = data[:at] + chance.choice(TOKENS) + data[at:]
        elif what < 0.8:
            data = data[:at] + data[at + chance.randrange(1, 9):]
        else:
            lines = data.split(b"\n")
            lines.insert(chance.randrange(len(lines)), chance.choice(lines))
            data = b"\n".join(lines)
    return data


def records_in(data):
    """The records of whole telemetry, and the bytes between them."""
    parts, at = [], 0
    while at < len(data):
        end = telemetry._record_end(data, at)
        parts.append(data[at:max(end, at + 1)])
        at += len(parts[-1])
    return parts


def damaged_telemetry(parts, number):
    """Records lost, sent twice, cut, or of other contents though their checksum is
    right: those a firmware may send whose memory is written over."""
    chance, parts = random.Random(number), list(parts)
    for _ in range(chance.randrange(1, 4)):
        at, what = chance.randrange(len(parts)), chance.random()
        if what < 0.15:
            del parts[at]
        elif what < 0.25:
            parts.insert(chance.randrange(len(parts)), parts[at])
        elif what < 0.3:
            parts[at] = parts[at][:chance.randrange(len(parts[at]) + 1)]
        elif len(parts[at]) > HEAD + CHECK:
            parts[at] = _other(chance, parts[at])
    return b"".join(parts)


def _other(chance, whole):
    kind, payload = whole[1], bytearray(whole[HEAD:-CHECK])
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(payload))
        payload[at] = chance.choice((0, 255, chance.randrange(256),
                                     payload[at] ^ 1 << chance.randrange(8)))
    if chance.random() < 0.15:
        del payload[chance.randrange(len(payload)):]
    if chance.random() < 0.2:
        kind = chance.randrange(KINDS)
    return record(kind, bytes(payload))
