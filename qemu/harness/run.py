# SPDX-License-Identifier: MIT
"""One run from beginning to end: build, watch, judge, report."""

import json
import os
import sys
from dataclasses import replace

from . import (access_pass, build, checkpoint, host_pass, host_program, install,
               machine, resume, share_pass)
from .cause import add_cause
from .junit import junit
from .ledger import Ledger
from .number_text import grouped
from .options import HOST
from .owner import owners
from .qemu_run import QemuRun
from .report import report
from .result_folder import (ELF, NEW_ELF, SUMMARY, fresh, publish, refuse_unless,
                            result_folder, set_aside)
from .sarif import sarif
from .screen import screen_for
from .source_lines import home_line_at, line_at, name_callers
from .stop_signals import stop_signals
from .summary import summary
from .verdict import judge
from .verdict_text import say_verdict


def run(options):
    """Runs the soak, or goes on with one, and returns the exit code."""
    stream = sys.stderr if options.json else sys.stdout
    with screen_for(stream, options) as screen:
        install.ensure(install.tools_of(options), options.install, screen.say)
        with result_folder(options.out_folder):
            refuse_unless("seed", options.out_folder, "one run")
            result = _wanted_result(options, screen)
    say_verdict(options, result, stream)
    return exit_code(result)


def exit_code(result):
    """0 if it passed, 1 if a check failed, 2 if it did not get that far."""
    if not result["complete"]:
        return 2
    return 0 if result["verdict"] == "pass" else 1


def _wanted_result(options, screen):
    """The summary of the run, which may be there already."""
    if options.resume:
        return _continued(options, screen)
    screen.say(f"taking {options.elf}" if options.elf else
               f"building the console for {options.board}, checks"
               f" {options.checks_text}")
    new_elf = options.out_folder / NEW_ELF
    build.build(options, new_elf)
    qemu = _emulator(options)
    if options.once and resume.is_there(options, new_elf, qemu):
        return _continued(options, screen)
    frame = resume.cut_short_at(options, new_elf, qemu)
    if frame:
        screen.say(f"{options.out_folder} holds this very run, cut short at frame"
                   f" {grouped(frame)}, and `{options.resume_line()}` would go on with"
                   " it. Beginning anew; that one is kept until this one is over")
    set_aside(options.out_folder, is_kept=frame > 0)
    scratch = fresh(options.out_folder)
    os.replace(new_elf, scratch / ELF)
    start = checkpoint.power_on(scratch)
    resume.write_page(options, scratch, qemu)
    return _result(options, screen, scratch, start)


def _continued(options, screen):
    """The result that is there, or else what a run cut short comes to."""
    return resume.finished(options.out_folder) or _result(
        options, screen, *resume.go_on(options, _emulator(options), screen.say))


def _emulator(options):
    on_host = options.board == HOST
    return host_program.version() if on_host else machine.version()


def _result(options, screen, scratch, start):
    """Runs QEMU from `start` on and publishes the result."""
    with stop_signals() as stop:
        result = _soak(options, screen, scratch, start, stop)
        publish(options.out_folder)
        if result["complete"]:
            set_aside(options.out_folder, is_kept=False)
        return result


def _soak(options, screen, scratch, start, stop):
    """Runs QEMU in `scratch` and writes every file of the result there."""
    ledger = Ledger()
    ledger.host = host_pass.play(options, scratch, screen, stop)
    ledger.share = share_pass.play(options, scratch, screen, stop)
    ledger.accesses = access_pass.play(options, scratch, screen, stop)
    ending, effort = QemuRun(options, scratch, start, ledger, screen,
                             stop).run()
    elf = scratch / ELF
    if options.board == HOST:
        ledger.host = host_pass.of_the_run(options, scratch)
    if ending.stuck_at:
        ending = located(ending, elf)
    name_callers(ledger, elf)
    ledger.owners = owners(elf, ledger.allocators, [
        fault.address for fault in ledger.faults if fault.kind == "foreign"])
    verdict = judge(options, ledger, ending)
    result = summary(options, ledger, verdict, elf, _emulator(options),
                     effort)
    add_cause(result, options, scratch, screen.say, stop)
    _write(scratch, result, ledger)
    return result


def located(ending, elf):
    """The same ending, with the line of source at which it was met."""
    at = ending.stuck_at
    line = line_at(elf, at) or home_line_at(elf, at) or f"address {at:#x}"
    return replace(ending, sentence=f"{ending.sentence} in {line}")


def _write(scratch, result, ledger):
    for name, text in (
            (SUMMARY, json.dumps(result, indent=2) + "\n"),
            ("junit.xml", junit(result)),
            ("findings.sarif", sarif(result)),
            ("report.html", report(result, ledger))):
        (scratch / name).write_text(text, encoding="utf-8")
