# SPDX-License-Identifier: MIT
"""What may be said on the command line, and what each word means."""

import argparse
import contextlib
from pathlib import Path

from . import refusals, scenario
from .boards import BOARDS
from .errors import CannotRun
from .ledger import SOON_FRAMES
from .options import (CHECKS, FRAMES_MAX, FRAMES_PER_DAY, FRAMES_PER_HOUR,
                      FRAMES_PER_SECOND, HOST, INTERRUPTS, ROUND_FRAMES, Options)
from .plants import ALL
from .usage_between import add_between, folder_there
from .usage_result import add_no_install, add_result

DESCRIPTION = """\
Builds the demo console, runs it in QEMU for simulated hours while watching
every pool, and gives a verdict. `qemu/soak` alone runs one simulated hour."""

EPILOG = """\
The result is in DIR: report.html for people, summary.json, samples.ndjson and
junit.xml for machines, console.log, telemetry.bin and console.elf to dig in.

Exit code: 0 every check passed, 1 a check failed, 2 it could not run (a build
that broke, no QEMU, a full disk, wrong usage, stopped before the end)."""

SEEDS_MAX = ROUNDS_MAX = 100000
FINDINGS_MAX = 1000
PROFILED_FRAMES = 1200
PROGRAM = "qemu/soak"


def words_of(arguments):
    """What was given, by name; a verb left out means `run`."""
    if not arguments or arguments[0].startswith("--") \
            and arguments[0] != "--help":
        arguments = ["run", *arguments]
    return vars(_parser().parse_args(arguments))


def show(text):
    """What is not taken is refused now, while there is somebody to say so."""
    print(text, end="", flush=True)


class Parser(argparse.ArgumentParser):
    def print_help(self, file=None):
        show(self.format_help())

    def parse_known_args(self, args=None, namespace=None):
        """So a verb refuses itself what it does not know."""
        words, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return words, unknown

    def error(self, message):
        message = message.replace("argument ", "", 1)
        verb = self.prog if self.prog != PROGRAM else f"{PROGRAM} run"
        raise CannotRun(f"{message}; `{verb} --help` lists what there is.")


def _parser():
    parser = Parser(prog=PROGRAM, description=DESCRIPTION,
                    allow_abbrev=False)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    add = verbs.add_parser(
        "run", help="one run, one verdict", description=DESCRIPTION,
        epilog=EPILOG, allow_abbrev=False,
        # What is not given is for Options to know.
        argument_default=argparse.SUPPRESS,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    _add_length(add.add_mutually_exclusive_group())
    _add_subject(add, [*BOARDS, HOST])
    add.add_argument("--cores", metavar="N", type=int, choices=(1, 2),
                     help="with --elf: 2, that of a firmware which has two share"
                          " its pools, on the machine of two that a board has: "
                          + ", ".join(name for name, board in BOARDS.items()
                                      if board.of_two))
    _add_host(add)
    _add_plant(add)
    _add_near_wrap(add)
    _add_ask(add)
    _add_refusals(add)
    _add_output(add)
    _add_many(add)
    _add_swarm(add)
    _add_merge(verbs)
    add_result(verbs)
    _add_profile(verbs)
    _add_play(verbs)
    add_between(verbs)
    return parser


def _add_length(length):
    length.add_argument("--hours", metavar="H", dest="frames",
                        type=_frames(FRAMES_PER_HOUR),
                        help="simulated hours (1)")
    length.add_argument("--days", metavar="D", dest="frames",
                        type=_frames(FRAMES_PER_DAY),
                        help="simulated days")
    length.add_argument("--frames", metavar="N", dest="frames",
                        type=_frames(1),
                        help="simulated frames, 60 a second: for short tests")


def _add_subject(add, boards=BOARDS):
    add.add_argument("--seed", metavar="N", type=_seed,
                     help=f"what the demo does ({Options.seed})")
    add.add_argument("--board", choices=boards, metavar="BOARD",
                     help=f"%(choices)s ({Options.board})")
    add.add_argument("--pools", metavar="FILE", type=_pools,
                     help="a pools.toml instead of the demo's own")
    add.add_argument("--elf", metavar="FILE", type=_elf,
                     help="a firmware of your own instead of the demo, with"
                          " qemu/telemetry/ in it, built with TIDEPOOL_SOAK; what"
                          " only the demo heeds is refused then")
    add.add_argument("--checks", choices=CHECKS, metavar="LEVEL",
                     help=f"%(choices)s ({Options.checks}; of --elf what it was built"
                          " for)")
    add.add_argument("--interrupts", choices=INTERRUPTS, metavar="MODE",
                     help="at seeded points of the frame, the same on every"
                          " board, or anywhere by a timer (on the host, at any"
                          " edge of a lock), which a firmware of"
                          f" your own hands over: %(choices)s ({Options.interrupts})")
    add.add_argument("--scenario", metavar="FILE", type=_scenario,
                     help="what happens how often, instead of the demo's own: a"
                          " file, or one of " + ", ".join(sorted(
                              path.stem for path in
                              scenario.FOLDER.glob("*.toml"))))


def _add_host(add):
    add.add_argument("--host", metavar="PROGRAM", type=_elf,
                     help="with --elf: the same firmware as a program of this"
                          " machine, which plays the run first")
    add.add_argument("--no-host", dest="with_host", action="store_false",
                     help="not on the host first, which is done when no --board is"
                          " named: it must play the same, and its sanitizers must"
                          " find nothing")
    sanitizer = add.add_mutually_exclusive_group()
    _add_sanitize(sanitizer)
    sanitizer.add_argument("--no-sanitize", dest="sanitize", action="store_false",
                           help="with --board host: without sanitizers, faster")


def _add_sanitize(add):
    add.add_argument("--sanitize", dest="pool_sanitizer", action="store_true",
                     help="built with TIDEPOOL_SANITIZE: at each load and store of the"
                          " application the pools are asked whose the memory is (with"
                          " --checks full, if none is named)")


def _add_plant(add):
    faults = "; ".join(f"{name}: {plant.what}"
                       for name, plant in ALL.items())
    add.add_argument("--plant", choices=ALL, metavar="FAULT",
                     help="do something wrong half-way, to see it found ("
                          + faults + ")")


def _add_near_wrap(add):
    add.add_argument("--near-wrap", action="store_true",
                     help="start the clock, and what counters the firmware asks for,"
                          " so that they wrap half-way")


def _add_ask(add):
    add.add_argument("--ask", action="store_true",
                     help="ask the library, all the time, what it must answer in one"
                          " way: wrong frees, stale handles, damage done on purpose")
    add.add_argument("--share", dest="with_share", action="store_true",
                     help="play a tenth of the frames with --interrupts timer and"
                          " --ask first, and a fourth of those with --sanitize, as is"
                          " done when neither --board nor --no-host is given")
    add.add_argument("--no-share", dest="with_share", action="store_false",
                     help="do not")


def _add_refusals(add):
    add.add_argument("--fail-nth", metavar="N", type=_nth,
                     help="refuse every Nth request of each call site")
    add.add_argument("--fail-rate", metavar="P", type=_rate,
                     help="refuse any request with probability P")
    add.add_argument("--fail-site", metavar="SITE", type=_not_empty,
                     help="only of the allocator of that name, or at the place"
                          " that the firmware calls so")


def _add_output(add):
    add.add_argument("--out", metavar="DIR", type=_not_empty,
                     help="where the result goes"
                          " (build/soak/BOARD-CHECKS-seedN, with --elf the name"
                          " of that before it, with --sanitize that behind CHECKS)")
    add.add_argument("--checkpoint-every", metavar="H",
                     type=_checkpoint_every,
                     help="simulated hours between two checkpoints; 0 for none"
                          " (1)")
    add.add_argument("--resume", metavar="DIR", type=_not_empty,
                     help="go on with the run in DIR from its last checkpoint,"
                          " after a kill -9 or Ctrl-C")
    add.add_argument("--json", action="store_true",
                     help="the summary as one line on stdout, progress on"
                          " stderr")
    add.add_argument("--max-findings", metavar="N", type=_count,
                     help="different audits that disagree until the run is"
                          f" stopped, {SOON_FRAMES // FRAMES_PER_SECOND} simulated"
                          f" seconds later ({Options.max_findings}); 0 for never")
    add.add_argument("--no-why", dest="why", action="store_false",
                     help="if it fails, do not look at once for who made it")
    add_no_install(add)


def _add_many(add):
    add.add_argument("--seeds", metavar="A-B", type=_seeds,
                     help="a run for every seed, each in DIR/seed-N, and one"
                          " result from all; what is there already is kept")
    add.add_argument("--jobs", metavar="J", type=_jobs,
                     help="runs at a time (as many as there are processors)")
    add.add_argument("--once", action="store_true",
                     help="nothing if DIR holds this very run, with the same"
                          " firmware; go on with it if it was cut short")


def _add_swarm(add):
    add.add_argument("--swarm", action="store_true",
                     help="share the time among many rounds on the host, each with"
                          " features turned on and off by chance; keep and change what"
                          " reaches new branches or peaks")
    add.add_argument("--rounds", metavar="N", type=_rounds,
                     help="with --swarm: so many rounds (as many as have"
                          f" {ROUND_FRAMES} frames)")


def _add_merge(verbs):
    add = verbs.add_parser(
        "merge", help="one report from many", allow_abbrev=False,
        description="Makes one summary, report and junit.xml from the runs in"
                    " the folders, and names the seeds that are missing.")
    add.add_argument("folders", metavar="DIR", nargs="+", type=folder_there,
                     help="a result, or a folder of seed-N")
    add.add_argument("--seeds", metavar="A-B", type=_seeds, default=(),
                     help="the seeds that should be there (from the first to"
                          " the last found)")
    add.add_argument("--out", metavar="DIR", default="",
                     help="where the merged result goes (the first DIR)")
    add.add_argument("--json", action="store_true",
                     help="the merged summary as one line on stdout")


def _add_profile(verbs):
    add = verbs.add_parser(
        "profile", help="what the instructions are spent on",
        allow_abbrev=False, argument_default=argparse.SUPPRESS,
        description="Counts every instruction of a short run, by function, and"
                    " says what telemetry costs. Exit code: 1 if that is more"
                    " than 2 %.")
    add.add_argument("--frames", metavar="N", type=_frames(1),
                     help=f"how many ({PROFILED_FRAMES})")
    _add_subject(add)
    _add_sanitize(add)
    _add_plant(add)
    add.add_argument("--json", action="store_true",
                     help="the numbers as one line on stdout")
    add_no_install(add)


def _add_play(verbs):
    add = verbs.add_parser(
        "play", help="the game in this terminal", allow_abbrev=False,
        argument_default=argparse.SUPPRESS,
        description="Plays the game in this terminal, 30 pictures a second; q"
                    " quits. Exit code: 0 when it was over or somebody quit, 1"
                    " after a fault.")
    _add_subject(add)
    add_no_install(add)


def _seeds(text):
    first, dash, last = text.partition("-")
    numbers = [_seed(first), _seed(last if dash else first)]
    if numbers[0] <= numbers[1] < numbers[0] + SEEDS_MAX:
        return tuple(range(numbers[0], numbers[1] + 1))
    raise argparse.ArgumentTypeError(
        f"{text!r} is not a range of 1 to {SEEDS_MAX} seeds, such as 1-64")


def _jobs(text):
    if text.isascii() and text.isdigit() and 0 < int(text) <= 4096:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 4096")


def _rounds(text):
    if text.isascii() and text.isdigit() and 0 < int(text) <= ROUNDS_MAX:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {ROUNDS_MAX}")


def _count(text):
    if text.isascii() and text.isdigit() and int(text) <= FINDINGS_MAX:
        return int(text)
    raise argparse.ArgumentTypeError(
        f"{text!r} is not a number from 0 to {FINDINGS_MAX}")


def _frames(unit):
    def parse(text):
        with contextlib.suppress(ValueError, OverflowError):
            frames = round(float(text) * unit)
            if 1 <= frames <= FRAMES_MAX:
                return frames
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number from 1 frame to"
            f" {FRAMES_MAX // FRAMES_PER_DAY} days")
    return parse


def _checkpoint_every(text):
    with contextlib.suppress(ValueError):
        if float(text) == 0:
            return 0
    return _frames(FRAMES_PER_HOUR)(text)


def _seed(text):
    if text.isascii() and text.isdigit() and int(text) < 2**64:
        return int(text)
    raise argparse.ArgumentTypeError(
        f"{text!r} is not a whole number from 0 to 2^64 - 1")


def _nth(text):
    if text.isascii() and text.isdigit() and 0 < int(text) < 2**32:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 2^32 - 1")


def _not_empty(text):
    if text:
        return text
    raise argparse.ArgumentTypeError("it is empty")


def _rate(text):
    with contextlib.suppress(ValueError):
        if 1 / refusals.PER_MILLION <= float(text) <= 1:
            return float(text)
    raise argparse.ArgumentTypeError(
        f"{text!r} is not a probability from 0.000001 to 1")


def _scenario(text):
    if not scenario.file_of(text).is_file():
        raise argparse.ArgumentTypeError(f"there is no scenario {text!r}")
    return text


def _elf(text):
    try:
        with open(text, "rb") as file:
            if file.read(4) == b"\x7fELF":
                return text
    except FileNotFoundError:
        raise argparse.ArgumentTypeError(f"there is no file {text!r}") from None
    except OSError as trouble:
        raise argparse.ArgumentTypeError(
            f"{text!r} cannot be read: {trouble.strerror}") from None
    raise argparse.ArgumentTypeError(f"{text!r} is not an ELF file")


def _pools(text):
    if Path(text).is_file():
        return text
    raise argparse.ArgumentTypeError(f"there is no file {text!r}")
