# SPDX-License-Identifier: MIT
"""The same frames on the host first, under sanitizers; then QEMU is compared
with them, sample by sample."""

import os
import select
import subprocess
from array import array
from dataclasses import dataclass, field, replace

from . import build
from .host_program import HostProgram, command, report_of
from .number_text import counted, grouped
from .options import FRAMES_PER_DAY, FRAMES_PER_SECOND, HOST
from .records import Audit, Fault, Hello, Question, Sample
from .result_folder import HOST_ELF
from .telemetry import Decoder

POLL_SECONDS = 0.05
CHECKS = "full"  # Whatever QEMU plays: the state is the same at every level.
FRAMES_MOST = FRAMES_PER_DAY  # Of a longer run, its beginning.
CLEAN = "the host's sanitizers found nothing"
AGREES = "the host played the same, frame by frame"
SAME_LIVE = "As many objects live everywhere as there, to the end"


@dataclass
class HostPass:
    """What a pass on the host came to; and where QEMU first differed from it."""
    skipped: str = ""  # Why there was none.
    report: object = None  # A sanitizer's, if it found something.
    sentence: str = ""  # How the program ended,
    failed: bool = False  # if not as it should.
    sanitized: bool = False  # It is of a run that is itself on the host.
    frame: int = 0  # The last it told of.
    said_bytes: int = 0
    cpu_seconds: float = 0.0
    faults: list = field(default_factory=list)
    audit: object = None  # The first that disagreed.
    names: list = field(default_factory=list)  # Of all allocators.
    wrong: list = field(default_factory=list)  # Answers of the library.
    counts: bool = True  # QEMU's level knows how many objects live,
    # in these allocators, name by index: bytes differ with the level.
    objects: dict = field(default_factory=dict)
    compared: int = 0
    difference: str = ""  # The first,
    others_live: str = ""  # and the first in live objects.
    # Of every sample, in order: two numbers, and what is live of all objects.
    frames: array = field(default_factory=lambda: array("L"))
    hashes: array = field(default_factory=lambda: array("Q"))
    lives: array = field(default_factory=lambda: array("I"))

    def take_in(self, record):
        if isinstance(record, Sample):
            self.frame = record.frame
            self.frames.append(record.frame)
            self.hashes.append(record.state_hash)
            self.lives.extend(self._live(record))
        elif isinstance(record, Fault):
            self.faults.append(record)
        elif isinstance(record, Audit):
            self.audit = self.audit or record
        elif isinstance(record, Question) and record.wrong:
            self.wrong.append(record)
        elif isinstance(record, Hello):
            self.names = [one.name for one in record.allocators]
            self.objects = {index: one.name for index, one in
                            enumerate(record.allocators)
                            if self.counts and one.unit != "bytes"}

    def compare(self, sample):
        """With the sample of the same number: the first that differs is kept, and
        the first in which other objects live."""
        if self.others_live or self.compared >= len(self.frames):
            return
        at = self.compared
        self.compared += 1
        self._compare_live(sample, at)
        is_same = (self.frames[at], self.hashes[at]) == (sample.frame,
                                                         sample.state_hash)
        if not self.difference and not is_same:
            self.difference = (
                f"frame {grouped(sample.frame)}: state {sample.state_hash:016x};"
                f" on the host {self.hashes[at]:016x} in frame"
                f" {grouped(self.frames[at])}")
        elif not self.difference and self.others_live:
            self.difference = (f"frame {grouped(sample.frame)}: the same state,"
                               " but other numbers of live objects")

    def _compare_live(self, sample, at):
        count = len(self.objects)
        ours, theirs = self._live(sample), self.lives[count * at:count * (at + 1)]
        wrong = [f"{name} has {our} live, on the host {their}" for name, our, their
                 in zip(self.objects.values(), ours, theirs) if our != their]
        if wrong:
            self.others_live = f"frame {grouped(sample.frame)}: {', '.join(wrong)}"

    def _live(self, sample):
        """How many objects live in each; 0 of what the sample does not tell of."""
        return [sample.usages[index].live if index < len(sample.usages) else 0
                for index in self.objects]

    @property
    def speed(self):
        """Simulated seconds in a second of processor time."""
        seconds = self.frame / FRAMES_PER_SECOND
        return round(seconds / self.cpu_seconds, 1) if self.cpu_seconds else 0


def reason_to_skip(options):
    """Why there is no pass on the host before this run; "" if there is one."""
    if options.board == HOST:
        return "the run itself was on the host"
    if options.interrupts != "scheduled":
        return f"--interrupts {options.interrupts} come elsewhere on the host"
    if options.elf and not options.host:
        return "no --host PROGRAM was given"
    return "" if options.with_host else "--no-host, or a --board was named"


def frames_of(options):
    """So many of the run's frames are played on the host."""
    return min(options.frames, FRAMES_MOST)


def play(options, scratch, screen, stop):
    """Builds the program, plays all frames of the run on it and returns what it
    came to."""
    skipped = reason_to_skip(options)
    if skipped:
        return HostPass(skipped=skipped)
    folder = scratch / "host"
    folder.mkdir(exist_ok=True)
    ours = replace(options, board=HOST, checks=CHECKS, elf=options.host,
                   pool_sanitizer=False)
    screen.say(f"playing {options.host} on the host first" if options.host else
               "playing the console on the host first, sanitizers on")
    if not (scratch / HOST_ELF).exists():  # Of the run that this goes on with.
        build.build(ours, scratch / HOST_ELF)
    result = HostPass(counts=options.checks != "off")
    words = [word if word[:7] != "frames=" else f"frames={frames_of(options)}"
             for word in command(ours, f"../{HOST_ELF}")]
    words += [f"ask={options.share_frames}"] if options.with_share else []
    with HostProgram(words, folder, subprocess.PIPE,
                     lambda: result.said_bytes) as program:
        ending = _follow(program, result, stop)
    result.cpu_seconds = program.cpu_seconds
    _judge(result, folder, ending, options)
    screen.say(f"host: {said(result)}")
    return result


def _follow(program, result, stop):
    """How it ended, all that it said taken in."""
    decoder = Decoder()
    pipe = program.process.stdout.fileno()
    os.set_blocking(pipe, False)
    ending = None
    while True:
        ending = ending or program.ending(stop[0] if stop else "")
        data = _read(pipe, 0 if ending else POLL_SECONDS)
        for record in decoder.feed(data):
            result.take_in(record)
        result.said_bytes += len(data)
        if ending and not data:
            return ending


def _read(pipe, seconds):
    """What there is to read within so many seconds."""
    select.select([pipe], [], [], seconds)
    try:
        return os.read(pipe, 1 << 16)
    except BlockingIOError:
        return b""


def _judge(result, folder, ending, options):
    result.sentence = ending.sentence
    result.report = report_of(folder)
    result.failed = bool(ending.code or result.faults or result.audit
                         or result.wrong) or result.frame != frames_of(options)
    if ending.was_stopped:
        result.skipped = ending.sentence
    elif result.report is None and result.faults:
        fault = result.faults[0]
        result.sentence = f"{fault.kind} fault in frame {fault.frame}"
    elif result.report is None and result.audit and not ending.code:
        result.sentence = _disagreement(result)
    elif result.report is None and result.wrong:
        first = result.wrong[0]
        result.sentence = f"not so: {first.name}, in frame {first.first}"


def _disagreement(result):
    """The program goes on after it."""
    first = result.audit
    whose = [f"{name}: " for name in result.names[first.pool:first.pool + 1]]
    return f"{''.join(whose)}{first.text}, in frame {first.frame}"


def _first_frame(host):
    """Of what was found; None where that has none."""
    found = host.report or next(iter(host.faults), host.audit)
    return found.frame if found else None


def said(result):
    """The outcome in a line."""
    if result.skipped:
        return f"skipped: {result.skipped}"
    played = (f"{counted(result.frame, 'frame')} at {result.speed:.0f} times real"
              " time, by processor time")
    return f"{result.sentence} ({played})" if result.failed else \
        f"nothing found in {played}"


def of_the_run(options, folder):
    """The same of a run that is itself on the host."""
    skipped = reason_to_skip(options)
    report = report_of(folder)
    if not options.has_asan:
        word = "--sanitize" if options.pool_sanitizer else "--no-sanitize"
        return HostPass(skipped=f"{skipped}, with {word}")
    return HostPass(skipped=skipped, report=report, sanitized=True,
                    sentence=report.sentence() if report else "")


def host_lines(ledger):
    """The checks: name, passed, detail, number."""
    host = ledger.host or HostPass(skipped="there was no pass on the host")
    clean = (CLEAN, None, host.skipped)
    if host.sanitized:
        clean = (CLEAN, not host.report, host.sentence or "0 reports",
                 int(bool(host.report)))
    if not host.skipped:
        clean = (CLEAN, not host.failed, said(host), int(host.failed))
    return [clean, (AGREES, *_agreement(host))]


def _agreement(host):
    if host.skipped or not host.compared:
        return None, host.skipped or "neither told of a frame"
    if host.difference:
        return False, f"{host.difference}. {host.others_live or SAME_LIVE}", 1
    last = host.frames[host.compared - 1]
    return True, (f"{counted(host.compared, 'sample')}, up to frame"
                  f" {grouped(last)}")


def host_summary(host):
    """For summary.json."""
    if host is None or host.skipped and not host.report:
        return {"skipped": host.skipped if host else "there was no pass"}
    report = host.report
    return {"frames": host.frame, "cpu_speedup": host.speed,
            "state_hash": f"{host.hashes[-1]:016x}" if host.hashes else "",
            "found": host.sentence if host.failed or report else "",
            "line": report.line if report else "",
            "frame": _first_frame(host),
            "compared": host.compared, "difference": host.difference,
            "others_live": host.others_live}
