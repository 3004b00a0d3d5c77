# SPDX-License-Identifier: MIT
"""Who does what only a run as a whole shows: looked for from where it shows."""

from collections import Counter

from .cpu_fault import VTOR
from .firmware_debug import ask_gdb
from .lasting import DEEP, KEPT, OUTLIVED, SLOWER, SPIKE
from .last_touch import last_touch
from .odd_calls import LEAK, Noticed, kept_deeds, tags_of
from .replay import NEAR_FRAMES
from .result_folder import ELF
from .source_lines import own_places
from .suspects import LIVE, Pool
from .tail_calls import Functions, lacks_callers, with_callers

LINES = 5  # That are told of what takes time.


class LastingSearch:
    """As why.Search, which asks for the same."""

    def __init__(self, finding, asked, work):
        self.finding = finding
        self._work = work
        self._symbols = asked["symbols"]
        self._fields = asked["fields"]["tp_pool"]
        self.deeds, self.traces = {}, {}
        self.damaged, self.locked, self.cpu = (), [], None
        self.spent = None  # What took the time, and where.

    def is_too_late(self, frame):
        """Where there is a frame to compare with, that is the first to look at."""
        return frame >= (self.finding.offset or self.finding.frame)

    def is_over_after(self, replay):
        marks = replay.approach(self.finding.frame)
        replay.load(marks[-1])
        _LOOKS[self.finding.what](self, replay, marks)
        return bool(self.deeds or self.spent)

    def moments(self):
        return self.deeds

    def trace(self, replay):
        elf = self._work / ELF
        functions = Functions(elf)
        answer = ask_gdb(self._work, moments=self.deeds.values())["backtraces"]
        for (name, moment), trace in zip(self.deeds.items(), answer):
            if lacks_callers(trace, functions):
                trace = with_callers(trace, replay.path_to(moment), functions, elf)
            self.traces[name] = trace

    def _pool(self, replay):
        return Pool(replay, self._symbols[f"{self.finding.pool}_pool"], self._fields)

    def _look_at_slot(self, replay, marks):
        """Who was issued it last."""
        tag = (self._pool(replay).tag_of(self.finding.slot), 4)
        known = replay.known(marks[-1], [tag], self.finding.frame)
        self._keep("issued", (change for change in replay.history(
            marks, known, [tag], ()) if change.after >= LIVE))
        self._look_at_touch(replay, marks)

    def _look_at_pool(self, replay, marks):
        tags = replay.values(tags_of(self._pool(replay)))
        self.deeds = kept_deeds(replay, Noticed(LEAK, marks[-1].frame, tags, {}, ()),
                                marks)
        self._look_at_touch(replay, marks)

    def _look_at_touch(self, replay, marks):
        if "issued" in self.deeds:
            self._keep("touched", iter(filter(None, [last_touch(
                replay, marks, self.finding.frame, self._pool(replay),
                self.deeds["issued"], self._work / ELF)])))

    def _look_at_stack(self, replay, marks):
        """The newest store to its lowest word."""
        low = (replay.gdb.word(replay.gdb.word(VTOR)) - self.finding.address, 4)
        marks = marks + replay.approach(self.finding.frame + NEAR_FRAMES + 1)
        known = replay.known(marks[-1], [low])
        self._keep("access", replay.history(marks, known, [low], ()))

    def _keep(self, name, changes):
        change = next(changes, None)
        if change:
            self.deeds[name] = change

    def _look_at_time(self, replay, marks):
        """The lines that were executed oftener than in the frame to compare with."""
        frame, than = self.finding.frame, self.finding.offset
        more = Counter(replay.path_of(marks[-1], frame))
        replay.load([mark for mark in marks if mark.frame <= than][-1])
        more.subtract(replay.path_of(replay.approach(than)[-1], than))
        lines = by_line(more, own_places(self._work / ELF, more))
        if lines:
            self.spent = {"frame": frame, "than": than, "instructions": sum(
                more.values()), "place": lines[0], "backtrace": lines[:LINES]}


def by_line(counts, places):
    """The lines of the application, by what was executed in them; first all of the
    function that executed most."""
    functions, lines = Counter(), Counter()
    for address, count in counts.items():
        if address in places:
            function, file, _ = places[address]
            functions[function, file] += count
            lines[places[address]] += count
    found = sorted(lines, key=lambda one: (-functions[one[:2]], -lines[one]))
    return [{"function": function, "file": file, "line": line,
             "instructions": lines[function, file, line]}
            for function, file, line in found]


_LOOKS = {OUTLIVED: LastingSearch._look_at_slot, KEPT: LastingSearch._look_at_pool,
          SPIKE: LastingSearch._look_at_time, SLOWER: LastingSearch._look_at_time,
          DEEP: LastingSearch._look_at_stack}
