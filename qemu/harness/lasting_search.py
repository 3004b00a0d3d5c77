# SPDX-License-Identifier: MIT
"""Who does what only a run as a whole shows: looked for from where it shows."""

from collections import Counter
from itertools import islice

from .cpu_fault import FAULTS, VTOR, handler_of, handlers
from .firmware_debug import ask_gdb
from .lasting import (CREEPS, CUT_UP, DEEP, FIGURE, KEPT, OUTLIVED, RATE, SILENT,
                      SLOWER, SPIKE)
from .last_touch import last_touch
from .odd_calls import LEAK, LEAKED_FRAMES, Noticed, kept_deeds, tags_of
from .replay import NEAR_FRAMES
from .result_folder import ELF
from .source_lines import own_places
from .suspects import LIVE, Pool
from .tail_calls import Functions, lacks_callers, with_callers, with_handler

LINES = 5  # That are told of what takes time.
SOME, APART = 6, 9  # Frames that are looked at, so far from each other.
SAMPLE_FRAMES = 60  # In which what a sample told of was done.
CHANGES = 1000  # Of the state of an allocator that are looked at.
FIGURES = "tp_soak_figure"
SYSTICK = 15
# Of the state of an allocator, what requests change that are refused.
ASKED = ("refused", "overflows", "spills", "steals", "refused_by_rule")


def symbols(name):
    """What there may be of an allocator."""
    return [f"{name}_state", f"{name}_bump",
            f"{name.removesuffix('_arena')}_entry", FIGURES]


class LastingSearch:
    """As why.Search, which asks for the same."""

    def __init__(self, finding, asked, work):
        self.finding = finding
        self._work = work
        self._symbols = asked["symbols"]
        self._fields = asked["fields"]["tp_pool"]
        self._layouts = asked["layouts"]
        self._is_off = asked.get("is_off", False)
        self.deeds, self.traces = {}, {}
        self.damaged, self.locked, self.cpu, self.strayed = (), [], None, False
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
            self.traces[name] = with_handler(trace, handler_of(replay.gdb, moment),
                                             functions, elf)

    def _pool(self, replay):
        return Pool(replay, self._symbols[f"{self.finding.pool}_pool"], self._fields,
                    self._is_off)

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
            replay.load(marks[-1])  # The run may have gone on to its end.
            self._keep("touched", iter(filter(None, [last_touch(
                replay, marks, self.finding.frame, self._pool(replay),
                self.deeds["issued"], self._work / ELF)])))

    def _look_at_last(self, replay, marks):
        """The newest change of its state: of a pool's, who was issued a slot."""
        newest = None
        for change in self._changes(replay, marks):
            newest = newest or change
            if self._is_pool() and change.after >= LIVE:
                self.deeds["issued"] = change
                return
        if newest:
            self.deeds["freed" if self._is_pool() else "changed"] = newest

    def _look_at_peak(self, replay, marks):
        """Who was issued the slot with which it was the most; or who used last more
        of what has no slots."""
        if not self._is_pool():
            self._keep("changed", (change for change in self._changes(replay, marks)
                                   if change.after > change.before))
            return
        live = most = 0
        for change in self._changes(replay, marks):
            if change.frame + SAMPLE_FRAMES < self.finding.frame:
                break
            if change.after >= LIVE and live >= most:
                most, self.deeds["issued"] = live, change
            live += (change.before >= LIVE) - (change.after >= LIVE)

    def _changes(self, replay, marks):
        ranges = self._state(replay)
        known = replay.known(marks[-1], ranges, self.finding.frame + 1)
        return islice(replay.history(marks, known, ranges, ()), CHANGES) \
            if ranges else ()

    def _is_pool(self):
        return bool(self._symbols[f"{self.finding.pool}_pool"])

    def _state(self, replay):
        """The words that tell of what is issued and freed."""
        if self._is_pool():
            return tags_of(self._pool(replay))
        name = f"{self.finding.pool}_state"
        words = {(self._symbols[name] + at) & ~3
                 for field, (at, size) in self._layouts[name].items()
                 if self._symbols[name] and field not in ASKED}
        return [(word, 4) for word in sorted(words)]

    def _look_at_holes(self, replay, marks):
        """Who locked last what has not moved for long after."""
        name = f"{self.finding.pool.removesuffix('_arena')}_entry"
        size = self._layouts[name].get("", (0, 0))[1]
        ranges = [(self._symbols[name] + at, 4) for at in range(4, size, 8)]
        before = replay.values(ranges)
        replay.load(replay.approach(self.finding.frame + LEAKED_FRAMES)[-1])
        held = [(word, 4) for word, value in replay.values(ranges).items()
                if value == before[word] and value >> 16]
        known = replay.known(marks[-1], held, self.finding.frame)
        if held:
            self._keep("held", replay.history(marks, known, held, ()))

    def _look_at_interrupts(self, replay, marks):
        """The last that was served."""
        entries = [address for address, numbers in handlers(replay.gdb).items()
                   if address and max(numbers) >= SYSTICK
                   and not set(numbers) & set(FAULTS)]
        self._keep("served", self._newest(replay, marks, entries))

    def _look_at_figure(self, replay, marks):
        """Where it is told."""
        self._keep("told", self._newest(
            replay, marks, [self._symbols[FIGURES]],
            lambda moment: replay.text(moment.registers[0]) == self.finding.pool))

    def _newest(self, replay, marks, addresses, is_it=lambda _: True):
        """The moments at which one of the addresses is reached, the newest first; of
        those that are it then and there: the run may end before all are known."""
        until = self.finding.frame
        for mark in reversed(marks):
            replay.load(mark)
            yield from reversed([moment._replace(mark=mark) for moment in
                                 replay.run_to(addresses, until) if is_it(moment)])
            until = mark.frame

    def _look_at_stack(self, replay, marks):
        """The newest store to its lowest word."""
        low = (replay.gdb.word(replay.gdb.word(VTOR)) - self.finding.address, 4)
        marks = marks + replay.approach(self.finding.frame + NEAR_FRAMES + 1)
        known = replay.known(marks[-1], [low], max(marks[-1].frame, self.finding.frame))
        self._keep("access", replay.history(marks, known, [low], ()))

    def _keep(self, name, changes):
        change = next(changes, None)
        if change:
            self.deeds[name] = change

    def _look_at_time(self, replay, marks):
        """The lines that were executed oftener than in the frame to compare with."""
        frame, than = self.finding.frame, self.finding.offset
        more = self._executed(replay, marks[-1], frame)
        replay.load([mark for mark in marks if mark.frame <= than][-1])
        more.subtract(self._executed(replay, replay.approach(than)[-1], than))
        lines = by_line(more, own_places(self._work / ELF, more))
        if lines:
            self.spent = {"frame": frame, "than": than, "frames": self._frames(),
                          "place": lines[0], "backtrace": lines[:LINES]}

    def _frames(self):
        """How many are looked at: a load that comes and goes needs some."""
        return SOME if self.finding.what == SLOWER else 1

    def _executed(self, replay, mark, frame):
        """Address -> how often."""
        return sum((Counter(replay.path_of(mark, frame + APART * at))
                    for at in range(self._frames())), Counter())


def by_line(counts, places):
    """The lines of the application in which something was executed, by how much; first
    all of the function that executed most."""
    functions, lines = Counter(), Counter()
    for address, count in counts.items():
        if address in places:
            function, file, _ = places[address]
            functions[function, file] += count
            lines[places[address]] += count
    found = sorted((one for one in lines if lines[one] > 0),
                   key=lambda one: (-functions[one[:2]], -lines[one]))
    return [{"function": function, "file": file, "line": line,
             "instructions": lines[function, file, line]}
            for function, file, line in found]


_LOOKS = {OUTLIVED: LastingSearch._look_at_slot, KEPT: LastingSearch._look_at_pool,
          SPIKE: LastingSearch._look_at_time, SLOWER: LastingSearch._look_at_time,
          DEEP: LastingSearch._look_at_stack, SILENT: LastingSearch._look_at_last,
          CREEPS: LastingSearch._look_at_peak, CUT_UP: LastingSearch._look_at_holes,
          RATE: LastingSearch._look_at_interrupts,
          FIGURE: LastingSearch._look_at_figure}
