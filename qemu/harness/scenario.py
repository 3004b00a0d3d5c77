# SPDX-License-Identifier: MIT
"""A scenario file: TOML for people, numbers for the firmware.

Each table and key below may be left out and is then as in the demo. A key says
one number or, where the firmware wants a range, two: [lowest, highest]. Read
by the parser of pools.toml, which points at what is wrong.
"""

import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

from .errors import CannotRun
from .options import ROOT

# The tables of a scenario for a firmware of one's own.
OWN, DEMAND = "settings", "demand"
# What the soak itself tells the firmware.
TAKEN = ("seed", "frames", "interrupts", "plant", "plant_frame", "fail_nth",
         "fail_per_million", "fail_site", "report_every", "picture_every", "ask",
         "near_wrap")
FOLDER = ROOT / "qemu" / "scenarios"
VERSION = 1


class Key(NamedTuple):
    names: tuple  # What the firmware calls it: one number, the two ends, or
    #               nothing: it is for the verdict.
    low: int
    high: int


ANY = Key((), 0, 2**32 - 1)


def _number(name, low, high):
    return Key((name,), low, high)


def _range(name, low, high):
    return Key((f"{name}_low", f"{name}_high"), low, high)


TABLES = {
    "load": {"percent": _number("load_percent", 1, 1000)},
    "emitters": {"weather_frames": _number("weather_frames", 1, 60000),
                 "calm_percent": _number("calm_percent", 0, 100),
                 "sparks": _range("sparks", 0, 2000),
                 "spark_frames": _range("spark_frames", 1, 60000)},
    "sounds": {"voice_percent": _number("voice_percent", 0, 100),
               "volley_interrupts": _number("volley_interrupts", 1, 60000),
               "volley_voices": _number("volley_voices", 0, 1000),
               "voice_frames": _range("voice_frames", 1, 60000),
               "note_percent": _number("note_percent", 0, 1000)},
    "enemies": {"wave_frames": _number("wave_frames", 1, 60000),
                "wave": _range("wave", 0, 1000),
                "enemy_frames": _range("enemy_frames", 1, 60000),
                "explosion_sparks": _number("explosion_sparks", 0, 1000),
                "explosion_pieces": _number("explosion_pieces", 0, 1000)},
    "player": {"shot_frames": _number("shot_frames", 1, 60000)},
    "scenery": {"crowd_percent": _number("crowd_percent", 0, 1000),
                "credits_percent": _number("credits_percent", 0, 1000),
                "frames": _range("prop_frames", 1, 60000)},
    "scripts": {"percent": _number("script_percent", 0, 1000)},
    "meshes": {"percent": _number("mesh_percent", 0, 1000),
               "words": _range("mesh_words", 2, 8000)},
    "interrupts": {"per_frame": _number("interrupts_per_frame", 1, 8)},
    "storms": {"every_seconds": _number("storm_every", 0, 60000),
               "seconds": _number("storm_seconds", 0, 60000),
               "times": _number("storm_times", 1, 16)},
    "scenes": {"seconds": _number("scene_seconds", 0, 60000)},
    "lulls": {"every_seconds": _number("lull_every", 0, 60000),
              "seconds": _number("lull_seconds", 0, 60000)},
    DEMAND: {"unmet_percent": Key((), 0, 100), "idle_pools": Key((), 0, 1)},
}


def file_of(word):
    """A scenario's file, given as a path or as the name of a shipped one."""
    shipped = FOLDER / f"{word}.toml"
    return shipped if os.path.isfile(shipped) else Path(word)


def arguments(word, own=False):
    """What the firmware is told: ["wave_frames=120", ...]. If it is one's own,
    the file has [settings] of any names."""
    return _Reader(file_of(word), own).read()


def demand(options):
    """What the scenario of a run wants of it. `unmet_percent`: the share of its
    requests that may be refused of an allocator, or served by a theft; without it,
    any, for a pool is full on purpose. `idle_pools`: 1 if some may never be used."""
    if not options.scenario:
        return {}
    reader = _Reader(file_of(options.scenario), bool(options.elf))
    reader.read()
    return reader.judged


class _Reader:
    def __init__(self, path, own):
        self._own = own
        self.judged = {}  # What is for the verdict, by its key.
        sys.path.insert(0, str(ROOT / "lib" / "config"))
        from generator import toml, values
        self._toml, self._value = toml, values
        self._path = path
        try:
            self._text = Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError as trouble:
            raise CannotRun(f"{path}: {trouble.strerror}; it is the scenario of the"
                            " run.") from None
        parser = toml.Parser(self._text)
        self._root = parser.parse()
        self._problems = parser.problems

    def read(self):
        words = []
        for name, node in self._entries(self._root):
            if name == "scenario":
                self._number(node, Key((), VERSION, VERSION))
            elif self._known(name, node, (*self._tables(), "scenario")):
                words += self._settings(node) if name == OWN \
                    else self._table(TABLES[name], node)
        if self._problems:
            lines = self._text.split("\n")
            raise CannotRun(
                f"{self._path} has errors; correct them and run again.",
                output="".join(self._toml.render(problem, self._path, lines)
                               for problem in self._problems))
        return words

    def _tables(self):
        return (OWN, DEMAND) if self._own else TABLES

    def _settings(self, table):
        return [f"{name}={self._number(node, ANY)}"
                for name, node in self._entries(table)
                if self._is_name(name, node)]

    def _is_name(self, name, node):
        if re.fullmatch("[a-z][a-z0-9_]{0,30}", name) and name not in TAKEN:
            return True
        self._problems.append(self._toml.error(
            node.name, f"{self._toml.quote(name)} is no name of a setting:"
            " lower-case letters, digits and _, and none that the soak uses"))
        return False

    def _table(self, keys, table):
        words = []
        for name, node in self._entries(table):
            if self._known(name, node, keys):
                numbers = self._numbers(node, keys[name])
                if not keys[name].names:
                    self.judged[name] = numbers[0]
                words += [f"{what}={number}" for what, number
                          in zip(keys[name].names, numbers)]
        return words

    def _entries(self, table):
        if type(table.value) is dict:  # What is broken, the parser has told.
            return [entry for entry in table.value.items()
                    if entry[1].value is not self._toml.BROKEN]
        self._complain(table, "must be a table")
        return ()

    def _known(self, name, node, known):
        if name in known:
            return True
        self._problems.append(self._toml.error(
            node.name, f"{self._toml.quote(name)} is unknown",
            self._toml.did_you_mean(name, known)))
        return False

    def _numbers(self, node, key):
        if len(key.names) < 2:
            return [self._number(node, key)]
        if type(node.value) is not list or len(node.value) != 2:
            self._complain(node, "must be [lowest, highest]")
            return []
        low, high = (self._number(end, key) for end in node.value)
        if low > high:
            self._complain(node, f"{low} is above {high}")
        return [low, high]

    def _number(self, node, key):
        if node.value is self._toml.BROKEN:
            return key.low
        try:
            return self._value.whole(key.low, key.high)(node)
        except self._value.Wrong as wrong:
            self._complain(node, str(wrong), *wrong.hints)
            return key.low

    def _complain(self, node, text, *hints):
        self._problems.append(self._toml.error(node.place, text, *hints))
