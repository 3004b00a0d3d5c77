# SPDX-License-Identifier: MIT
"""`qemu/soak why DIR`: from where a mistake was noticed to who made it.

A run is exact, so it is run once more, from the checkpoint before, to where
the mistake was noticed; there the words of memory that tell of it are known.
What changed them last is looked for ever further back.
"""

import contextlib
import json
import shutil
import sys
import tempfile
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from . import checkpoint, install, resume
from .cpu_fault import (cpu_fault, fault_handlers, handler_of, handlers,
                        interrupts_in)
from .errors import CannotRun
from .firmware_debug import ask_gdb
from .gdb_remote import Gone
from .lasting import KINDS
from .lasting_search import LastingSearch, symbols
from .ledger import SOON_FRAMES
from .monitor import NoAnswer
from .no_line import no_line
from .odd_calls import (UNLOCK, Noticed, odd_deeds, ring_of, tags_of,
                        who_locked)
from .options import FRAMES_MAX, HOST, Options
from .records import ACCESSES
from .replay import Known, Replay
from .result_folder import ELF
from .source_lines import is_application, places_at
from .suspects import (LIVE, Pool, damaged_words, descriptor_words, died_unpoisoned,
                       is_harmless, names_a_word)
from .tail_calls import Functions, lacks_callers, with_callers, with_handler
from .verdict import FINISHED
from .why_text import DEEDS, RESTART, told

TOOLS = {"gdb-multiarch": "gdb-multiarch",
         "qemu-system-arm": "qemu-system-arm", "qemu-img": "qemu-utils"}
FAULT, AUDIT, CLOCK = "tp_fault", "tp_record_audit", "tp_clock_now"
FAULT_INSIDE = "tp_soak_fault"  # What LTO inlines the former into.
ASKS, ASKING = "tp_ask_flip", "tp_ask_asking"
BEGIN, EXPECT = "tp_soak_begin", "tp_soak_expect"
EXITS = ("tp_soak_exit", "semihost_exit")
FOREIGN = "foreign"  # It is handed what is none of the pool's.
END, EXPECTATION = "the end", "an expectation"  # Findings of a kind of their own.
LAST_INTERRUPTS = 5
SLOT_MOST = 2**16 - 1
TIMES = 2  # That it is tried.


class Finding(NamedTuple):
    """The first thing that was found wrong."""
    what: str
    frame: int
    pool: str  # Its name; "" for none.
    slot: int
    address: int
    offset: int


def _progress(text):
    print(f"why: {text}", file=sys.stderr, flush=True)


def why(words):
    """Explains the failed run in words.folder and returns the exit code."""
    folder = Path(words.folder)
    summary, page = resume.result_in(folder)
    if page["options"]["board"] == HOST:
        raise CannotRun("a run on the host goes no way back: what its sanitizers"
                        f" found has its line already. {summary['why']}.")
    finding = first_finding(summary)
    install.ensure(TOOLS, words.install, _progress)
    answer = explained(finding, page, folder)
    print(json.dumps(answer) if words.json else told(summary, answer))
    return 0


def first_finding(summary):
    """Or, if that names no word, the first that does soon after."""
    entries = sorted(summary["faults"] + summary["audits"],
                     key=lambda entry: entry["frame"])
    findings = [_finding(summary, entry) for entry in entries] or _others(summary)
    if not findings:
        failed = summary["complete"] and summary["verdict"] == "fail"
        more = f". {no_line(summary).capitalize()}" if failed else ""
        raise CannotRun(f"there is nothing to go back to: {summary['why']}{more}.")
    soon = [finding for entry, finding in zip(entries, findings)
            if _is_of(summary, entry["pool"], entries[0]["pool"])
            and finding.frame <= findings[0].frame + SOON_FRAMES]
    return next((finding for finding in soon if names_a_word(finding)),
                findings[0])


def _is_of(summary, name, whole):
    """Whether it is that allocator, or a pool that is a class of its blocks."""
    blocks = [one["name"] for one in summary.get("allocators", ())
              if one.get("kind") == "blocks"]
    return name == whole or whole in blocks and name.startswith(f"{whole}_") \
        and name[len(whole) + 1:].isdigit()


def _finding(summary, entry):
    names = [pool["name"] for pool in summary["pools"]]
    pool = entry["pool"] if entry["pool"] in names else _begins(summary, entry)
    return Finding(entry.get("kind") or entry["text"], entry["frame"], pool,
                   entry["slot"], int(entry.get("address", "0"), 16),
                   entry.get("offset", 0))


def _begins(summary, entry):
    """The allocator that an audit's text begins with: 'draw: a frame used more'."""
    name = entry.get("text", "").partition(":")[0]
    return name if name in [one["name"] for one in summary.get("allocators", ())] \
        else ""


def can_explain(summary):
    """Whether there is anything to look into."""
    return bool(summary["faults"] or summary["audits"] or _others(summary))


def _others(summary):
    """What is neither a fault nor an audit: an end too early, what the application
    had expected, and what the run shows as a whole."""
    what = RESTART if summary.get("restarted") else END
    ended = [Finding(what, summary["frames"], "", 0, 0, 0)
             for check in summary["results"] if summary["complete"]
             and check["name"] == FINISHED and check["passed"] is False]
    failed = [one for one in summary.get("expectations", ()) if one["failed"]]
    hoped = [Finding(EXPECTATION, one["first"], one["name"], 0, 0, 0)
             for one in sorted(failed, key=lambda one: one["first"])]
    return ended or hoped or [
        Finding(one["what"], one["frame"], one["pool"], one["slot"], one["address"],
                one["than"]) for one in summary.get("suspicions", ())]


def nearest_start(folder, finding):
    """The frame of the last checkpoint before it; 0: power-on."""
    return max([0, *_frames_before(folder, finding)])


def _frames_before(folder, finding):
    """Frame -> checkpoint, of those before it."""
    frames = {}
    for one in checkpoint.all_in(folder):
        with contextlib.suppress(CannotRun):  # That one is damaged.
            frames[checkpoint.read_page(one)["frame"]] = one
    return {frame: one for frame, one in frames.items() if frame < finding.frame}


def explained(finding, page, folder, stop=(), say=_progress):
    """As explain() does; again, if QEMU ends meanwhile: it did once in a hundred
    times, of a machine with five times as much to do as it can."""
    for _ in range(TIMES):
        with contextlib.suppress(Gone, NoAnswer), \
                tempfile.TemporaryDirectory() as work:
            return explain(finding, page, folder, Path(work), stop, say)
        say("QEMU ended while the run was made once more")
    raise CannotRun("QEMU ended each time the run was made once more.")


def explain(finding, page, folder, work, stop=(), say=_progress):
    """What was done to whom by which calls. `stop` holds a reason once somebody
    wants us to stop."""
    shutil.copyfile(folder / ELF, work / ELF)
    asked = ask_gdb(work, [FAULT, FAULT_INSIDE, AUDIT, CLOCK, BEGIN, EXPECT, ASKS,
                           ASKING, *EXITS, f"{finding.pool}_pool",
                           f"{finding.pool}_scene_seal",
                           *symbols(finding.pool)],
                    ["tp_pool"])
    options = Options(**page["options"])
    asked["is_off"] = options.checks == "off"
    kind = LastingSearch if finding.what in KINDS else Search
    search = kind(finding, asked, work)
    for snapshot in starts(folder, work, finding, say):
        with Replay(options, page["arguments"], work, snapshot,
                    asked["symbols"][CLOCK], stop, finding.what == END) as replay:
            _check_told(finding, asked)
            if search.is_too_late(replay.frame):
                continue
            is_over = search.is_over_after(replay)
            search.trace(replay)
            if is_over:
                break
        say("it was done earlier")
    answer = _answer(search)
    if not any(answer[name] for name in DEEDS):
        raise CannotRun("what was looked at does not tell who did it.")
    return answer


def refuse_without(symbol):
    """Of one that each firmware of a soak has."""
    if not symbol:
        raise CannotRun("the firmware has no symbols: it needs the file that the linker"
                        " wrote, not stripped.")


def _check_told(finding, asked):
    """That the firmware says where what is looked at lies."""
    symbols = asked["symbols"]
    refuse_without(symbols[CLOCK])
    if symbols[f"{finding.pool}_pool"] and not asked["fields"]["tp_pool"]:
        raise CannotRun("the firmware does not say what is where in a pool: compile"
                        " it with -g.")


def starts(folder, work, finding, say):
    """Puts what to start from on the disk, the nearest first, as asked for."""
    for frame, one in sorted(_frames_before(folder, finding).items(),
                             reverse=True):
        checkpoint.power_on(work)
        try:
            checkpoint.load(one, work)
        except CannotRun as trouble:
            say(str(trouble))
            continue
        say(f"running from frame {frame}")
        yield checkpoint.SNAPSHOT
    say("running from power-on")
    yield checkpoint.power_on(work).snapshot


def _answer(search):
    answer = {**dict.fromkeys(DEEDS), "finding": search.finding._asdict(),
              "words": len(search.damaged), "cpu": search.cpu,
              "strayed": search.strayed, "spent": search.spent}
    if search.locked:
        answer["locked"] = _told(search.noticed, search.locked, False)
    return dict(answer, **_by_a_store({
        name: _told(moment, search.traces[name], bool(search.cpu))
        for name, moment in search.moments().items() if moment}))


def _by_a_store(deeds):
    """The same, where the application itself stored to a tag: that is what it did, and
    it freed and issued nothing."""
    for name in ("freed", "issued"):
        trace = deeds[name]["backtrace"] if name in deeds else ()
        if trace and is_application(trace[0]["file"]) and "access" not in deeds:
            return {"access" if one == name else one: deed
                    for one, deed in deeds.items()}
    return deeds


def _told(moment, trace, is_cpu_fault):
    """A moment, as the answer has it, with the application's own line."""
    return {"frame": moment.frame, "address": moment.address,
            "before": moment.before, "after": moment.after,
            "place": _own_place(trace, is_cpu_fault), "backtrace": trace}


def _own_place(trace, is_cpu_fault):
    """The application's innermost, but for what it does with faults; or None. A
    header's line tells less than that which it was inlined into."""
    own = [is_application(place["file"]) for place in trace]
    names, begin = [place["function"] for place in trace], 0
    fault = names.index(FAULT) if FAULT in names else len(own)
    if False in own[fault:] and not any(own[:fault]):
        begin = own.index(False, fault)
    elif is_cpu_fault and "interrupt" in names:
        begin = names.index("interrupt")
    places = [place for place, is_own in zip(trace[begin:], own[begin:]) if is_own]
    return next((place for place in places if place.get("is_whole")
                 or not place["file"].endswith(".h")), places[0] if places else None)


class Search:
    """Who changed the words that tell of a finding, newest first: by what they
    show damage, and the tag of their slot, which says when it was freed and
    issued."""

    def __init__(self, finding, asked, work):
        self.finding = finding
        self._work = work
        self._odd = None  # Of a finding that names no slot of its pool.
        self.noticed = None
        self.damaged = set()
        self.deeds = {}  # "access", "freed", "issued": a Moment each.
        self.traces = {}  # Of each its backtrace.
        self.strayed = False  # Who did the damage does not show.
        self.spent = None  # That is for what lasts.
        self.locked = []  # Where the lock was taken that was not given back.
        self.cpu = None  # Of a fault of the processor's, what it knows.
        self._symbols = asked["symbols"]
        self._fault = self._symbols.get(FAULT) or self._symbols.get(FAULT_INSIDE)
        self._fields = asked["fields"]["tp_pool"]
        self._layouts = asked.get("layouts", {})
        self._is_off = asked.get("is_off", False)
        self._tag, self._links, self._died = 0, {}, None
        self._known = None  # From when on all is known, and what is where then.

    def is_too_late(self, frame):
        """A checkpoint is of a moment after the frame that it is called by; at
        power-on there has been none."""
        return not self.noticed and self.finding.what != END \
            and frame > 0 and frame >= self.finding.frame

    def is_over_after(self, replay):
        """Looks from where `replay` starts; whether that was far enough."""
        marks = replay.approach(self._known.frame if self._known
                                else self.finding.frame)
        stops = ()
        if not self.noticed:
            stops = self._notice(replay, marks)
            if self._odd:
                self.deeds = odd_deeds(replay, self._odd, marks, self._work)
                return True
        for change in replay.history(marks, self._known, self._ranges(), stops):
            if not self._is_question(change):
                self._take(change)
            if self._is_complete():
                return True
        self._known = replay.known(marks[0], self._ranges())
        self.strayed = bool(self.damaged & replay.strayed)
        return not self.damaged or "access" in self.deeds or self.strayed

    def moments(self):
        return {"noticed": self.noticed, **self.deeds}

    def trace(self, replay):
        """Makes the backtraces of what `replay` has come to."""
        new = {name: moment for name, moment in self.moments().items()
               if name not in self.traces}
        elf, functions = self._work / ELF, self._functions
        answer = ask_gdb(self._work, moments=new.values())["backtraces"]
        for (name, moment), trace in zip(new.items(), answer):
            if moment.mark and (self._wants_path()
                                or lacks_callers(trace, functions)):
                path = replay.path_to(moment)
                trace = with_callers(trace, path, functions, elf)
                self._note_path(replay, path, elf)
            self.traces[name] = with_handler(trace, handler_of(replay.gdb, moment),
                                             functions, elf)

    def _wants_path(self):
        return self.cpu or self.finding.what == UNLOCK

    def _note_path(self, replay, path, elf):
        """The interrupts that came before the processor faulted; and who took
        the lock that was never given back."""
        if self.finding.what == UNLOCK:
            at = who_locked(replay, path)
            self.locked = places_at(elf, at) if at else []
        if self.cpu:
            entered = interrupts_in(path[:-1], handlers(replay.gdb))
            self.cpu["interrupts"] = entered[-LAST_INTERRUPTS:]

    def _notice(self, replay, marks):
        """Runs to where it was noticed; that place in the code."""
        mark = marks[-1]
        if self.finding.what == RESTART:
            self._notice_restart(replay, marks[0])
            return ()
        replay.load(mark)
        if self.finding.what == END:
            self._notice_end(replay, mark)
            return ()
        for moment in replay.run_to(self._reported(), self.finding.frame):
            if self._is_it(replay, moment):
                self.noticed = moment._replace(mark=mark)
                self._find_words(replay)
                return (moment.registers[15],)
        raise CannotRun(
            f"the run did not come to frame {self.finding.frame} as it did: its"
            " firmware, arguments and QEMU must be those that it began with.")

    def _notice_restart(self, replay, mark):
        """From the first mark on, for others may be of after it: where it says for the
        second time who it is."""
        replay.load(mark)
        begins = replay.run_to([self._symbols[BEGIN]], FRAMES_MAX)
        if not mark.frame:
            next(begins, None)  # The first was right.
        moment = next(begins, None)
        if moment is None:
            raise CannotRun("the run did not begin again as it did.")
        self.noticed = moment._replace(mark=mark)
        self._known = Known(moment.frame, {})

    def _reported(self):
        """Where what was found passes by."""
        places = [self._symbols[EXPECT]] if self.finding.what == EXPECTATION \
            else [self._fault, self._symbols[AUDIT]]
        return list(filter(None, places))

    def _notice_end(self, replay, mark):
        exits = [self._symbols[name] for name in EXITS if self._symbols[name]]
        faults = fault_handlers(replay.gdb)
        moment = replay.end(mark, faults + exits)
        if moment is None:
            raise CannotRun("QEMU ended before the firmware was anywhere that"
                            " tells why.")
        is_fault = moment.registers[15] in faults
        self.noticed = moment._replace(
            mark=mark if moment.registers[15] in faults + exits else None)
        self.cpu = cpu_fault(replay.gdb, moment) if is_fault else None
        self._known = Known(moment.frame, {})

    def _is_it(self, replay, moment):
        if moment.registers[15] == self._fault:
            return moment.frame >= self.finding.frame or not self._is_answer(replay)
        first, second, slot, text = moment.registers[:4]
        if self.finding.what == EXPECTATION:
            return not second and replay.text(first) == self.finding.pool
        slot = slot if slot <= SLOT_MOST else 0  # As tp_record_finding() has it.
        return (replay.frame_of(first), slot, replay.text(text)) == (
            self.finding.frame, self.finding.slot, self.finding.what)

    def _find_words(self, replay):
        address = self._symbols.get(f"{self.finding.pool}_pool")
        pool = Pool(replay, address, self._fields, self._is_off) if address else None
        if pool and pool.has_tags and 0 < self.finding.slot <= pool.capacity:
            self._tag = pool.tag_of(self.finding.slot)
        self._links = pool.off_links if pool else {}
        self.damaged = damaged_words(self.finding, pool, replay)
        seal = self._symbols.get(f"{self.finding.pool}_scene_seal")
        if seal:
            self.damaged |= descriptor_words(self.finding, seal, replay)
        self._known = Known(self.finding.frame, replay.values(self._ranges()))
        stops = (self.noticed.registers[15],)
        if self.finding.what in (*ACCESSES, FOREIGN):
            return  # Who did it is where it was noticed.
        if pool and not (self._tag or self.damaged):
            self._odd = Noticed(
                self.finding.what, self.finding.frame,
                replay.values(tags_of(pool)), replay.values(ring_of(pool)), stops,
                pool.evict & ~1)
        elif self._used():
            self._odd = Noticed(self.finding.what, self.finding.frame, {}, {}, stops,
                                used=self._used())

    def _used(self):
        """Where a frame says how much of it is."""
        name = f"{self.finding.pool}_bump"
        size = self._layouts.get(name, {}).get("", (0, 0))[1]
        return ((self._symbols[name], size),) if size else ()

    def _ranges(self):
        words = self.damaged | ({self._tag} if self._tag else set())
        return [(word, 4) for word in sorted(words)]

    @cached_property
    def _functions(self):
        return Functions(self._work / ELF)

    def _is_answer(self, replay):
        """A fault that --ask has asked for: after it the run goes on."""
        asking = self._symbols.get(ASKING)
        return bool(asking) and replay.gdb.read(asking, 1) != b"\0"

    def _is_question(self, change):
        """Damage that --ask does itself, and undoes."""
        asks = self._symbols.get(ASKS)
        return asks and self._functions.begin(change.registers[15]) == asks

    def _take(self, change):
        if self.damaged and "access" not in self.deeds:
            if change.address in self._links and change.address in self.damaged \
                    and is_harmless(self.finding, change, self._links):
                self.damaged.discard(change.address)  # Whoever it was, was before.
            elif change.address in self.damaged \
                    and not is_harmless(self.finding, change):
                self.deeds["access"] = self._died or change
            elif change.address == self._tag and died_unpoisoned(self.finding, change):
                self._died = change
        elif change.address == self._tag and "issued" not in self.deeds:
            what = "issued" if change.after >= LIVE else "freed"
            self.deeds.setdefault(what, change)

    def _is_complete(self):
        return "issued" in self.deeds or not self._tag and (
            "access" in self.deeds or not self.damaged)
