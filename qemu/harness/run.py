# SPDX-License-Identifier: MIT
"""One run from beginning to end: build, watch, judge, report."""

import contextlib
import json
import signal
import sys
import time
from dataclasses import replace

from . import build, install, machine
from .blame import caller_lines, line_at
from .closing import say_verdict
from .folder import SUMMARY, publish, working_folder
from .junit import junit
from .ledger import Ledger
from .report import report
from .screen import screen_for
from .streams import Streams
from .summary import summary
from .telemetry import Decoder
from .verdict import judge

POLL_SECONDS = 0.05
TELEMETRY = "telemetry.bin"


def run(options):
    """Runs the soak and returns the exit code."""
    stream = sys.stderr if options.json else sys.stdout
    with screen_for(stream, options) as screen:
        install.ensure(install.SOAK_TOOLS, options.install, screen.say)
        with working_folder(options.out_folder) as scratch:
            screen.say(f"building the console for {options.board}, checks"
                       f" {options.checks}")
            build.build(options, scratch / "console.elf")
            with _stop_signals() as stop:
                result, verdict = _soak(options, scratch, screen, stop)
                publish(scratch, options.out_folder)
    say_verdict(options, result, stream)
    return verdict.exit_code


def _soak(options, scratch, screen, stop):
    """Runs QEMU in `scratch` and writes every file of the result there."""
    elf = scratch / "console.elf"
    ledger = Ledger(options.frames)
    ending, wall_seconds = _follow(options, scratch, ledger, screen, stop)
    if ending.stuck_at:
        ending = _located(ending, elf)
    ledger.callers = caller_lines(elf, [f.caller for f in ledger.faults])
    verdict = judge(options, ledger, ending)
    result = summary(options, ledger, verdict, elf, machine.version(),
                     wall_seconds)
    _write(scratch, result, ledger)
    return result, verdict


def _located(ending, elf):
    """The same ending, with the line of source at which it was met."""
    line = line_at(elf, ending.stuck_at) or f"address {ending.stuck_at:#x}"
    return replace(ending, sentence=f"{ending.sentence} in {line}")


def _follow(options, scratch, ledger, screen, stop):
    """Runs QEMU to its end: how it ended, and after how many seconds."""
    (scratch / TELEMETRY).touch()
    words, limit = machine.command(options), machine.wall_limit(options.frames)
    with Streams(scratch, ledger) as streams, \
            machine.Machine(words, scratch, limit) as qemu:
        ending = _watch(qemu, scratch, ledger, streams, screen, stop)
        wall_seconds = qemu.wall_seconds
        streams.log(ending.sentence)
        screen.update(ledger, wall_seconds, last=True)
        return ending, wall_seconds


def _watch(qemu, scratch, ledger, streams, screen, stop):
    """Follows the telemetry until QEMU ends, and says how it ended."""
    decoder = Decoder()
    with open(scratch / TELEMETRY, "rb") as telemetry:
        while True:
            # Asked before reading, so that what QEMU wrote last is read too.
            ending = qemu.ending(stop[0] if stop else "")
            data = telemetry.read()
            records = decoder.feed(data)
            if ending and not ending.was_stopped:
                records += decoder.finish()
            ledger.damaged_bytes = decoder.damaged_bytes
            for record in records:
                ledger.add(record)
                streams.add(record)
            if ending:
                return ending
            if data:
                qemu.heard()
            screen.update(ledger, qemu.wall_seconds)
            time.sleep(POLL_SECONDS)


def _write(scratch, result, ledger):
    for name, text in (
            (SUMMARY, json.dumps(result, indent=2) + "\n"),
            ("junit.xml", junit(result)),
            ("report.html", report(result, ledger))):
        (scratch / name).write_text(text, encoding="utf-8")


@contextlib.contextmanager
def _stop_signals():
    """A list that names the first signal which asked us to stop.

    Not an exception: the report of what was seen so far must be written whole.
    """
    asked = []
    names = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
    before = {number: signal.signal(number, lambda got, _:
                                    asked.append(names[got]))
              for number in names}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
