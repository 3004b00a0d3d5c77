# SPDX-License-Identifier: MIT
"""A run for `qemu/soak trace`, and what the viewers of traces read in the answers."""

import json
import re
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple

from command import say, soak
from support import tool

SECOND, US = 60, 1000000  # Frames, and microseconds.
FIELD = re.compile(r'(\w+) = (?:"((?:[^"\\]|\\.)*)"|(\d+))')


class Traced(unittest.TestCase):
    """A planted mistake ends the run after half a minute, with much still live."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.result = run(Path(folder.name) / "result")
        cls.summary = json.loads((cls.result / "summary.json").read_text())
        cls.allocators = {one["name"]: one for one in
                          cls.summary["pools"] + cls.summary["allocators"]}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def trace(self, format_, *words, result=None, name="trace"):
        """Where it is."""
        out = self.folder / name
        code, said = say("trace", result or self.result, "--format", format_, "--out",
                         out, *words)
        self.assertEqual(0, code, said)
        self.assertTrue(said.endswith(f"see   {out}\n"), said)
        return out


def run(out, *words, frames=60 * SECOND, code=1):
    """The folder of the demo's."""
    said = soak("run", "--frames", frames, "--no-host", "--no-why", "--out", out,
                *(words or ("--plant", "double-free")))
    if said.code != code:
        raise AssertionError(said.whole)
    return out


class CtfEvent(NamedTuple):
    frame: int
    name: str
    fields: dict


def babeltrace(folder):
    """The events of a trace in CTF."""
    said = tool("babeltrace2", "--clock-cycles", "--no-delta", folder)
    events = [re.fullmatch(r"\[(\d+)\] (\w+): \{ (.*) \}", line)
              for line in said.splitlines()]
    return [CtfEvent(int(one[1]), one[2],
                     {name: int(number) if number else re.sub(r"\\(.)", r"\1", text)
                      for name, text, number in FIELD.findall(one[3])})
            for one in events]


def gtkwave(file, folder):
    """Wave, as 'particles.live' -> {microsecond: what it became}, by the way through
    GTKWave's own form of a trace."""
    tool("vcd2fst", file, folder / "fst")
    head, _, body = tool("fst2vcd", folder / "fst").partition("$enddefinitions $end")
    names, waves, time = wave_names(head), {}, 0
    for line in body.split("\n"):
        change = re.fullmatch(r"(?:b([01]+) |(1))(\S+)", line)
        if line.startswith("#"):
            time = int(line[1:])
        elif change:
            value = int(change[1] or change[2], 2)
            waves.setdefault(names[change[3]], {})[time] = value
    return waves


def wave_names(head):
    names, scopes = {}, []
    for words in map(str.split, head.splitlines()):
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"]:
            names[words[3]] = ".".join([*scopes[1:], words[4]])
    return names


class Node(NamedTuple):
    """Of the tree of a snapshot."""
    bytes: int
    words: str
    below: list


class Snapshot(NamedTuple):
    second: float
    bytes: int
    tree: list  # Of one Node; of none, where nothing is told in detail.


def ms_print(file):
    """(snapshots, the number of that of the most)"""
    said = tool("ms_print", "--threshold=0", file)
    most = re.search(r"(\d+) \(peak\)", said)
    snapshots = []
    for line in said.splitlines():
        row = re.match(r" *\d+ +([\d,]+) +([\d,]+) +[\d,]+ +0 +0$", line)
        node = re.match(r"([ |]*)(?:->)?[\d.]+% \(([\d,]+)B\) (.*)", line)
        if row:
            snapshots.append(Snapshot(number(row[1]) / 1000, number(row[2]), []))
        elif node:
            below = snapshots[-1].tree
            for _ in range((len(node[1]) + 2 * ("->" in line)) // 2):
                below = below[-1].below
            below.append(Node(number(node[2]), node[3], []))
    return snapshots, int(most[1])


def content(path):
    """Of a file, or of all in a folder."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [one.read_bytes() for one in files]


def number(text):
    return int(text.replace(",", ""))
