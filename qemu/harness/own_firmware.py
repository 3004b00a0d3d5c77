# SPDX-License-Identifier: MIT
"""What is refused of a firmware of somebody's own, before it costs a run."""

from . import scenario
from .boards import BOARDS
from .errors import CannotRun
from .firmware_file import (refuse_what_cannot_be_soaked,
                            refuse_what_is_no_program_here,
                            refuse_without_sanitizer)
from .options import CHECKS, HOST, word_of
from .plants import ALL, GAMES

# What tp_plant.c can do wrong, tp_plant_lasting.c and tp_plant_access.c; the others
# are the game's.
PLANTS = tuple(name for name in ALL if name not in GAMES)


def refuse_what_it_ignores(options):
    """Raises CannotRun if something was asked for that this firmware, the demo
    or one's own, would not do."""
    if options.scenario:
        scenario.arguments(options.scenario, own=bool(options.elf))
    if options.fail_site and not (options.fail_nth or options.fail_rate):
        raise CannotRun("--fail-site says where, not how often: add --fail-nth N"
                        " or --fail-rate P.")
    _refuse_of_the_host(options)
    if options.cores == 2:
        _refuse_of_two_cores(options)
    if options.pool_sanitizer and options.checks == "off":
        raise CannotRun("--sanitize asks the tags of slots, which --checks off has"
                        " not: say fast, poison or full.")
    _refuse_a_plant_that_needs_more(options)
    if options.elf:
        _refuse_what_only_the_demo_does(options)
        if not options.resume:  # That goes on with a copy.
            _refuse_files(options)


def _refuse_files(options):
    if options.board == HOST:
        refuse_what_is_no_program_here(options.elf)
    else:
        refuse_what_cannot_be_soaked(options.elf, options.board)
    if options.host:
        refuse_what_is_no_program_here(options.host)
    if options.pool_sanitizer:
        refuse_without_sanitizer(options.elf)


def _refuse_a_plant_that_needs_more(options):
    asks = getattr(ALL.get(options.plant), "asks", {})
    for name, value in asks.items():
        word = f"--{word_of(name)}" + f" {value}" * (value is not True)
        if getattr(options, name) != value:
            raise CannotRun(f"--plant {options.plant} does nothing without {word}:"
                            " add it.")


def _refuse_of_the_host(options):
    if options.board != HOST and not options.sanitize:
        raise CannotRun("--no-sanitize is for --board host: no other board has"
                        " sanitizers.")
    if options.host and (not options.elf or options.board == HOST):
        raise CannotRun("--host is what --elf is as a program of this machine: give"
                        " both, and the board of the second.")


def _refuse_of_two_cores(options):
    there = [name for name, board in BOARDS.items() if board.of_two]
    if not options.elf:
        raise CannotRun("--cores 2 is for a firmware of your own: the demo runs on"
                        " one core; add --elf FILE.")
    if options.board not in there:
        raise CannotRun(f"--cores 2: there is no machine of two that is like"
                        f" {options.board}; say --board {' or '.join(there)}.")
    for name, why in (("host", "a program of this machine runs on one core"),
                      ("checkpoint_every", "whose turn it is is in no checkpoint")):
        if getattr(options, name):
            word = name.replace("_", "-")
            raise CannotRun(f"--{word} does not go with --cores 2: {why};"
                            " leave it out.")


def _refuse_what_only_the_demo_does(options):
    if options.pools:
        raise CannotRun("--pools has no meaning with --elf: it is the table of the"
                        " demo; leave one of the two out.")
    if options.plant and options.plant not in PLANTS:
        raise CannotRun(f"--plant {options.plant} is a mistake of the demo's"
                        f" code; with --elf there are {', '.join(PLANTS)}.")


def refuse_at_hello(options, hello):
    """Raises CannotRun if what it says of itself is not what was asked for."""
    for refuse in (refuse_other_board, refuse_other_level, refuse_without_hooks,
                   refuse_without_timer):
        refuse(options, hello)


def refuse_without_hooks(options, hello):
    """Raises CannotRun if the firmware cannot do what was asked for."""
    asked = [f"--{name.replace('_', '-')}" for name in
             ("plant", "fail_nth", "fail_rate", "fail_site", "ask")
             if getattr(options, name)]
    if not asked:
        return
    if not hello.hooks:
        raise CannotRun(f"{options.elf or 'the demo'} was built without"
                        f" TIDEPOOL_SOAK, which {' and '.join(asked)}"
                        f" need{'s' * (len(asked) < 2)}; build it with"
                        " -DTIDEPOOL_SOAK=ON.")
    names = places_to_refuse(hello)
    if options.fail_site and options.fail_site not in names:
        raise CannotRun(f"--fail-site {options.fail_site}: it is an allocator that"
                        " may refuse, or a place that the firmware has a name for;"
                        f" there are {', '.join(names)}.")


def places_to_refuse(hello):
    """What --fail-site may say of a firmware with hooks."""
    return [*hello.sites, *(one.name for one in hello.allocators
                            if _can_be_refused(one))]


def _can_be_refused(one):
    """A row that asserts never answers NULL."""
    return one.policy not in ("assert", "") and one.kind != "nest" \
        and (one.kind, one.unit) != ("relocating", "bytes")


def refuse_without_timer(options, hello):
    """Raises CannotRun if its interrupts do not come as --interrupts says."""
    if options.elf and options.interrupts == "timer" and not hello.interrupts:
        raise CannotRun(f"{options.elf} hands over no timer, which --interrupts timer"
                        " needs: soak.timer of qemu/telemetry/tp_soak.h.")


def refuse_other_board(options, hello):
    """Raises CannotRun if it says that it was built for another board."""
    if hello.board and hello.board != options.board:
        raise CannotRun(f"{options.elf or 'the firmware'} was built for"
                        f" {hello.board}, not {options.board}; say --board"
                        f" {hello.board}, or build it for {options.board}.")


def refuse_other_sanitizer(options, hello):
    """Raises CannotRun if it was built with the sanitizer and not asked for it, or
    the other way round."""
    if not options.elf or hello.sanitized == options.pool_sanitizer:
        return
    if hello.sanitized:
        raise CannotRun(f"{options.elf} was built with TIDEPOOL_SANITIZE; say"
                        " --sanitize, or build it without.")
    raise CannotRun(f"{options.elf} was built without TIDEPOOL_SANITIZE; leave out"
                    " --sanitize, or build it and its library with"
                    " -DTIDEPOOL_SANITIZE=ON.")


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
