# SPDX-License-Identifier: MIT
"""One round of a swarm: played by a program that counts its branches and by one with
sanitizers, and judged as a run is."""

import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from . import branches, host_pass, swarm_draw
from .errors import CannotRun
from .host_program import HostProgram, command
from .ledger import Ledger
from .options import CHECKS, HOST, INTERRUPTS, Options
from .own_firmware import places_to_refuse, refuse_at_hello
from .records import Hello
from .source_lines import name_callers
from .telemetry import Decoder
from .verdict import judge

POLL_SECONDS = 0.005
TELEMETRY = "telemetry.bin"
REFUSALS = {"fail_nth": 0, "fail_rate": 0.0, "fail_site": ""}  # None of them.


class Program(NamedTuple):
    path: Path
    counts: bool  # Its branches,
    sanitized: bool  # built with sanitizers.


@dataclass
class Firmware:
    """What rounds play, and what is known of it since its first."""
    name: str
    options: Options  # Of a round, and of the line that repeats one.
    repeat: Options
    programs: list
    knobs: dict = field(default_factory=dict)
    sites: list = field(default_factory=list)
    capacities: dict = field(default_factory=dict)
    settings: dict = field(default_factory=dict)
    timed: bool = False  # A timer of its own can interrupt it.

    def learn(self, ledger):
        """From a round that was told nothing: what there is to tell it."""
        self.settings = dict(ledger.settings)
        self.capacities = {one.name: one.capacity for one in ledger.allocators}
        if ledger.hello:
            self.sites = places_to_refuse(ledger.hello) if ledger.hello.hooks else []
            self.timed = ledger.hello.timed or not self.options.elf
        self.knobs = swarm_draw.own_knobs(self.settings) if self.options.elf \
            else swarm_draw.demo_knobs()

    def fitted(self, drawn):
        return drawn if self.options.elf else swarm_draw.fitted(
            drawn, self.capacities, self.settings)


@dataclass
class Outcome:
    """What a round came to."""
    drawn: swarm_draw.Round
    ledger: Ledger
    taken: set  # Branches,
    known: set  # of these.
    finding: str  # Why it failed; "" if it did not.
    was_stopped: bool

    @property
    def peaks(self):
        return {one.name: one.peak for one in self.ledger.allocators}


def round_options(options, drawn, scenario):
    """A run that is told what the round is told."""
    return replace(options, seed=drawn.seed, scenario=str(scenario),
                   **drawn.options)


def options_again(firmware, drawn, scenario):
    """Of the line that repeats it. A timer's interrupts come elsewhere on a board."""
    options = round_options(firmware.repeat, drawn, scenario)
    if options.interrupts == INTERRUPTS[0]:
        return options
    return replace(options, board=HOST, with_host=False, host="",
                   elf=options.host or options.elf)


def play(firmware, drawn, scenario, folder, stop):
    """Plays the round in `folder`, with the scenario that was written for it."""
    options = round_options(firmware.options, drawn, scenario)
    folder.mkdir(parents=True, exist_ok=True)
    runs = [_Run(options, program, folder).play(stop)
            for program in firmware.programs]
    last = runs[-1]
    if any(run.ending.was_stopped for run in runs):  # Its counts may be half written.
        return Outcome(drawn, last.ledger, set(), set(), "", True)
    counted = next(run for run in runs if run.program.counts)
    taken, known = branches.branches(counted.gcda)
    if not known and not counted.why:
        raise CannotRun(f"{options.host or options.elf or 'the demo'} left no counts of"
                        " its branches, though it ended well; link it with --coverage,"
                        " too.")
    finding = last.why or counted.why
    hashes = {f"{run.ledger.state_hash:016x}" for run in runs}
    if not finding and len(hashes) > 1:
        finding = "with sanitizers and without, it plays differently: state" \
            f" {' and '.join(sorted(hashes))}"
    if not refused_any(last.ledger):  # Then it is the same round without.
        drawn = replace(drawn, options={name: value for name, value
                                        in drawn.options.items()
                                        if name not in REFUSALS})
    return Outcome(drawn, last.ledger, taken, known, finding, False)


class _Run:
    """A program, followed from its start to its end."""

    def __init__(self, options, program, folder):
        self.program = program
        self.ledger = Ledger()
        self.why = ""
        self.gcda = folder / "counts" / program.path.parent.name / program.path.name
        self._folder = folder
        self._options = replace(options, sanitize=program.sanitized)

    def play(self, stop):
        branches.forget(self.gcda)
        told = self._folder / TELEMETRY
        told.write_bytes(b"")
        with HostProgram(command(self._options, str(self.program.path)), self._folder,
                         told, lambda: told.stat().st_size,
                         branches.environment(self.gcda)) as program:
            self.ending = _ending(program, stop)
        self._take_in(told.read_bytes())
        if not self.ending.was_stopped:
            self._judge()
        return self

    def _take_in(self, data):
        decoder = Decoder()
        for record in decoder.feed(data) + decoder.finish():
            if isinstance(record, Hello):
                self._greet(record)
            self.ledger.add(record)
        self.ledger.damaged_bytes = decoder.damaged_bytes
        self.ledger.torn_records = decoder.torn_records

    def _greet(self, hello):
        """The program of another machine may be at another level than the firmware
        is here; nothing else may be otherwise."""
        if hello.checks < len(CHECKS) and self._options.host:
            self._options = replace(self._options, checks=CHECKS[hello.checks])
        refuse_at_hello(replace(self._options, board=HOST), hello)

    def _judge(self):
        ledger = self.ledger
        ledger.host = host_pass.of_the_run(replace(self._options, board=HOST),
                                           self._folder)
        if ledger.faults:
            name_callers(ledger, self.program.path)
        options = self._options
        if not refused_any(ledger):
            options = replace(options, **REFUSALS)
        verdict = judge(options, ledger, self.ending)
        if not verdict.passed:
            self.why = verdict.why


def _ending(program, stop):
    while True:
        ending = program.ending(stop[0] if stop else "")
        if ending:
            return ending
        time.sleep(POLL_SECONDS)


def refused_any(ledger):
    """Whether any request was refused on purpose."""
    return any(place.on_purpose for place in ledger.places) or any(
        one.refused for one in ledger.refusals.values())
