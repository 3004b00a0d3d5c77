# SPDX-License-Identifier: MIT
"""A fourth of the share's frames once more, in a build in which each load and store
of the application is judged, with interrupts at any instruction."""

import re
from dataclasses import replace

from . import build, share_pass
from .errors import CannotRun
from .number_text import counted
from .question_checks import Share
from .result_folder import SANITIZED_ELF

FOLDER = "sanitized"
# As linkers, and linker/sections.ld, say of memory that is too small.
TOO_SMALL = re.compile(r"overflowed by|is left for the stack")


def reason_to_skip(options):
    """Why there is no such pass before this run; "" if there is one."""
    if options.pool_sanitizer:
        return "the run itself has --sanitize"
    if options.elf:
        return "needs a firmware built with -DTIDEPOOL_SANITIZE=ON, and --sanitize"
    if options.checks == "off":
        return "not looked at: --checks off does not know which slots live"
    return share_pass.reason_to_skip(options)


def play(options, scratch, screen, stop):
    """Builds the firmware so and plays as many frames of the run."""
    skipped = reason_to_skip(options)
    if skipped:
        return Share(skipped=skipped)
    ours = replace(options, frames=options.sanitized_frames, interrupts="timer",
                   pool_sanitizer=True, with_host=False, with_share=False,
                   checkpoint_every=0, resume="")
    screen.say(f"playing {counted(ours.frames, 'frame')} with --interrupts timer"
               " and --sanitize")
    found = _play(ours, scratch, stop)
    screen.say(f"sanitizer: {found.skipped or found.why}")
    return found


def _play(ours, scratch, stop):
    elf = scratch / SANITIZED_ELF
    try:
        if not elf.exists():  # Of the run that this goes on with.
            build.build(ours, elf)
    except CannotRun as trouble:
        if not TOO_SMALL.search(trouble.output):
            raise
        return Share(skipped=f"the memory of {ours.board} is too small for a build"
                             f" with --sanitize --checks {ours.checks}")
    return share_pass.judged(ours, elf, scratch / FOLDER, stop)
