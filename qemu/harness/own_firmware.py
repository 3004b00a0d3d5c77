# SPDX-License-Identifier: MIT
"""What is refused of a firmware of somebody's own, before it costs a run."""

from .errors import CannotRun
from .options import CHECKS, Options

_OF_THE_DEMO = {
    "plant": "the faults are planted in the demo",
    "scenario": "it says what happens in the demo",
    "pools": "it is the table of the demo",
    "interrupts": "those of the demo are meant",
    "fail_nth": "the call sites are those of the demo",
    "fail_rate": "the call sites are those of the demo",
    "fail_site": "the call sites are those of the demo",
}


def refuse_what_it_ignores(options):
    """Raises CannotRun if something was asked for that only the demo does."""
    for name, why in _OF_THE_DEMO.items():
        if options.elf and getattr(options, name) != getattr(Options, name):
            raise CannotRun(f"--{name.replace('_', '-')} has no meaning with"
                            f" --elf: {why}; leave one of the two out.")


def refuse_other_board(options, hello):
    """Raises CannotRun if it says that it was built for another board."""
    if hello.board and hello.board != options.board:
        raise CannotRun(f"{options.elf or 'the firmware'} was built for"
                        f" {hello.board}, not {options.board}; say --board"
                        f" {hello.board}, or build it for {options.board}.")


def refuse_other_level(options, hello):
    """Raises CannotRun if it was built for another level than --checks says."""
    if not options.elf or hello.checks == CHECKS.index(options.checks):
        return
    if hello.checks >= len(CHECKS):
        raise CannotRun(f"{options.elf} says it has checks {hello.checks}, which"
                        " this harness does not know; take its qemu/telemetry/"
                        " from the same checkout.")
    built = CHECKS[hello.checks]
    raise CannotRun(f"{options.elf} was built with checks {built}, not"
                    f" {options.checks}; say --checks {built}, or build it and"
                    f" its library with TP_CHECKS={CHECKS.index(options.checks)}.")
