# SPDX-License-Identifier: MIT
"""What is refused of a firmware of somebody's own, before it costs a run."""

from .errors import CannotRun
from .options import CHECKS


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
