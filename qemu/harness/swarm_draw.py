# SPDX-License-Identifier: MIT
"""What a round of a swarm plays: drawn anew, or from one that was kept.

Each feature is on or off by chance, so that what is off in a round makes room for
what is on: a pool that is always full is never seen half empty.
"""

import math
import random
from dataclasses import dataclass, field

from . import scenario
from .options import FRAMES_PER_SECOND
from .refusals import PER_MILLION

LOAD = "load"
# What counts seconds, and the tables and keys that count frames: no more of either
# than a round has.
SECONDS = {"storms", "lulls", "scenes"}
CHANGES_MOST = 4
RATE_MOST = 0.5  # Where more is refused, little else happens.
RATE_LEAST = 0.0001
NTH_MOST = 100
SEEDS = 1 << 32


@dataclass(frozen=True)
class Round:
    """What is played: a firmware by its index, and what it is told."""
    firmware: int
    seed: int
    settings: dict = field(default_factory=dict)  # (table, key) -> its numbers.
    options: dict = field(default_factory=dict)  # Names as in Options.


class Chance:
    """Numbers of a seed and of the number of a round, the same in every Python."""

    def __init__(self, seed, number):
        self._random = random.Random(f"{seed}/{number}")

    def below(self, bound):
        return int(self._random.random() * bound)

    def is_likely(self, share):
        return self._random.random() < share

    def one_of(self, items):
        return items[self.below(len(items))]

    def spread(self, low, high):
        """Any magnitude is as likely as any other, and the ends more so."""
        if self.is_likely(0.2):
            return low if self.is_likely(0.7) else high
        first, last = math.log(max(low, 1)), math.log(high + 1)
        number = math.exp(first + (last - first) * self._random.random())
        return min(high, max(low, int(number)))


def first_round(firmware, seed):
    """As a run without a swarm would play it."""
    return Round(firmware, seed)


def drawn_round(chance, firmwares, frames, kept):
    """From one of `kept` as likely as from nothing."""
    if kept and chance.is_likely(0.5):
        drawn = _changed(chance, firmwares, frames, chance.one_of(kept))
    else:
        index = chance.below(len(firmwares))
        drawn = Round(index, chance.below(SEEDS),
                      _settings(chance, firmwares[index], frames),
                      _options(chance, firmwares[index]))
    return firmwares[drawn.firmware].fitted(drawn)


def _changed(chance, firmwares, frames, parent):
    seed, settings = parent.seed, dict(parent.settings)
    options, firmware = parent.options, firmwares[parent.firmware]
    for _ in range(1 + chance.below(CHANGES_MOST)):
        what = chance.below(4)
        if what == 0:
            seed = chance.below(SEEDS)
        elif what == 1:
            options = _options(chance, firmware)
        elif what == 2 and settings:
            del settings[chance.one_of(sorted(settings))]
        elif firmware.knobs:
            _turn(chance, settings, firmware, frames,
                  chance.one_of(sorted(firmware.knobs)))
    return Round(parent.firmware, seed, settings, options)


def _settings(chance, firmware, frames):
    """Half of the tables as they are; of the others, half of the keys."""
    settings = {}
    for table in sorted({name for name, _ in firmware.knobs}):
        is_on = chance.is_likely(0.5)
        for name in sorted(firmware.knobs):
            if is_on and name[0] == table and chance.is_likely(0.5):
                _turn(chance, settings, firmware, frames, name)
    return settings


def _turn(chance, settings, firmware, frames, name):
    key = firmware.knobs[name]
    high = min(key.high, max(key.low, _most(name, frames)))
    settings[name] = tuple(sorted(chance.spread(key.low, high) for _ in key.names))


def _most(name, frames):
    table, key = name
    if table == LOAD:
        return 100  # More would not fit what asserts.
    if table in SECONDS and key != "times":
        return frames // FRAMES_PER_SECOND
    return frames if "frames" in key else scenario.ANY.high


def _options(chance, firmware):
    """When interrupts come; and of what a firmware with hooks can do: be refused
    requests, ask the library."""
    timed = {"interrupts": "timer"} if firmware.timed and chance.is_likely(0.5) \
        else {}
    if not firmware.sites:
        return timed
    asked = {"ask": True} if chance.is_likely(0.5) else {}
    return {**timed, **asked, **_refusals(chance, firmware)}


def _refusals(chance, firmware):
    """None, or some; everywhere, or in one place."""
    if chance.is_likely(0.5):
        return {}
    refusals = {"fail_nth": chance.spread(1, NTH_MOST)} if chance.is_likely(0.5) else {
        "fail_rate": chance.spread(round(RATE_LEAST * PER_MILLION),
                                   round(RATE_MOST * PER_MILLION)) / PER_MILLION}
    if chance.is_likely(0.5):
        refusals["fail_site"] = chance.one_of(firmware.sites)
    return refusals


def demo_knobs():
    """(table, key) -> Key of what a scenario of the demo may say."""
    return {(table, name): key for table, keys in scenario.TABLES.items()
            for name, key in keys.items() if key.names}


def own_knobs(settings):
    """The same of somebody's own firmware: half to twice what it asked for."""
    return {(scenario.OWN, name): scenario.Key(
        (name,), value // 2, min(2 * value or 1, scenario.ANY.high))
        for name, value in settings.items()}


def fitted(drawn, capacities, asked):
    """The same round with what must fit its table made to fit: enemies, of whom all
    that live at once have a slot, and meshes."""
    def said(table, key, *names):
        return drawn.settings.get((table, key)) or tuple(asked[name]
                                                         for name in names)
    settings = dict(drawn.settings)
    if any(name[0] == "enemies" for name in settings):
        every, = said("enemies", "wave_frames", "wave_frames")
        wave = said("enemies", "wave", "wave_low", "wave_high")
        life = said("enemies", "enemy_frames", "enemy_frames_low",
                    "enemy_frames_high")
        most = min(wave[1], capacities["enemies"])
        longest = min(life[1], capacities["enemies"] // most * every) if most \
            else life[1]
        settings["enemies", "wave"] = (min(wave[0], most), most)
        settings["enemies", "enemy_frames"] = (min(life[0], longest), longest)
    if ("meshes", "words") in settings:
        most = (capacities["meshes_arena"] - MESH_HEAD) // 4
        settings["meshes", "words"] = tuple(min(number, most) for number in
                                            settings["meshes", "words"])
    return Round(drawn.firmware, drawn.seed, settings, drawn.options)


MESH_HEAD = 64  # Bytes, at least what a block of a relocating pool has around it.


def scenario_text(drawn, why):
    """The file that says it to a run; `why` is its first line."""
    tables = {scenario.DEMAND: ["idle_pools = 1"]}
    for (table, key), numbers in sorted(drawn.settings.items()):
        said = list(numbers) if len(numbers) > 1 else numbers[0]
        tables.setdefault(table, []).append(f"{key} = {said}")
    return f"# {why}\nscenario = 1\n" + "".join(
        f"\n[{table}]\n" + "".join(f"{line}\n" for line in lines)
        for table, lines in tables.items())
