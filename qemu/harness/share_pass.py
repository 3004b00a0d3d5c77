# SPDX-License-Identifier: MIT
"""A share of the frames first: with interrupts at any instruction, while the
library is asked questions whose answers are known."""

import shutil
from dataclasses import replace

from . import checkpoint
from .errors import CannotRun
from .ledger import Ledger
from .number_text import counted
from .options import HOST, INTERRUPTS
from .qemu_run import QemuRun
from .question_checks import Share
from .result_folder import ELF
from .source_lines import name_callers
from .verdict import judge

FOLDER = "share"
# What a short run has no time for.
TOO_EARLY = ("every pool was used", "demand was met")


class NoScreen:
    """Nobody looks at a share while it is played."""

    def update(self, *_, last=False):
        """There is nothing to show."""


def reason_to_skip(options):
    """Why there is no share before this run; "" if there is one."""
    if options.board == HOST:
        return "the run is on the host: --interrupts timer and --ask do it there"
    if options.plant:
        return f"with --plant {options.plant} something is wrong on purpose"
    if options.ask or options.interrupts != INTERRUPTS[0]:
        return "the run itself was asked for what the share is for"
    return "" if options.with_share else "--no-share, --no-host, or a --board was named"


def play(options, scratch, screen, stop):
    """Plays the share of the run whose firmware is in `scratch`."""
    skipped = reason_to_skip(options)
    if skipped:
        return Share(skipped=skipped)
    ours = replace(options, frames=options.share_frames, interrupts="timer",
                   ask=True, with_host=False, host="", with_share=False,
                   checkpoint_every=0, resume="")
    screen.say(f"playing {counted(ours.frames, 'frame')} with --interrupts timer"
               " and --ask first")
    share = _play(options, ours, scratch, stop)
    screen.say(f"share: {share.skipped or share.unasked or share.why}")
    return share


def _play(options, ours, scratch, stop):
    """What a firmware of one's own cannot do, is not asked of it."""
    elf, folder = scratch / ELF, scratch / FOLDER
    try:
        return judged(ours, elf, folder, stop)
    except CannotRun as trouble:
        if not options.elf:
            raise
        untimed = str(trouble)
    try:
        share = judged(replace(ours, interrupts=INTERRUPTS[0]), elf, folder, stop)
        return replace(share, untimed=untimed)
    except CannotRun as trouble:
        return Share(untimed=untimed, unasked=str(trouble))


def judged(ours, elf, folder, stop):
    """What a run of `elf` comes to, played in a folder of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copyfile(elf, folder / ELF)
    ledger = Ledger()
    ending, _ = QemuRun(ours, folder, checkpoint.power_on(folder), ledger,
                        NoScreen(), stop).run()
    if ending.was_stopped:
        return Share(skipped=ending.sentence)
    name_callers(ledger, folder / ELF)
    return came_to(judge(ours, ledger, ending), ours, ledger)


def came_to(verdict, ours, ledger):
    """The share whose verdict that is."""
    failed = [check for check in verdict.checks
              if check.failed and check.name not in TOO_EARLY]
    why = verdict.why if failed or verdict.passed else "nothing else was found"
    if failed and why.startswith(TOO_EARLY):
        why = f"{failed[0].name}: {failed[0].detail}"
    return Share(frames=ledger.frame, passed=not failed, why=why,
                 again=ours.command_line(), questions=ledger.questions)
