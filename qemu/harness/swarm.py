# SPDX-License-Identifier: MIT
"""`qemu/soak run --swarm`: many short rounds on this machine, each with features
turned on and off by chance; what reaches new branches or peaks is kept and changed.

Rounds are drawn eight at a time, from what was kept before them, and judged in their
order: how many play at once changes nothing.
"""

import os
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from . import branches, install, swarm_draw, swarm_report, swarm_round
from .errors import CannotRun
from .number_text import counted
from .options import FRAMES_PER_SECOND, HOST, ROUND_FRAMES
from .result_folder import SWARM, fresh, publish, refuse_unless, result_folder
from .stop_signals import stop_signals
from .swarm_firmwares import firmwares_of
from .swarm_result import Result

BATCH = 8
TOOLS = {"cmake": "cmake", "ninja": "ninja-build", **install.HOST_TOOLS,
         **branches.GCOV}
# What a swarm draws, or has no use for.
DRAWN = {"seeds": "a swarm draws its seeds itself; --seed N says where it begins",
         "scenario": "a swarm draws its scenarios itself",
         "fail_nth": "a swarm draws its refusals itself",
         "fail_rate": "a swarm draws its refusals itself",
         "fail_site": "a swarm draws its refusals itself",
         "ask": "a swarm draws by itself who asks",
         "interrupts": "a swarm draws by itself when interrupts come",
         "with_share": "a swarm plays on the host alone",
         "near_wrap": "a swarm's rounds are short and begin at 0",
         "resume": "a swarm is not gone on with: its line, said again, plays the same",
         "once": "a swarm is played anew: its line, said again, plays the same",
         "checkpoint_every": "rounds are short and have no checkpoints",
         "pool_sanitizer": "a swarm's rounds have the sanitizers of the host",
         "with_host": "a swarm plays on the host alone"}

FLAGS = {"with_host": "no-host", "with_share": "share or --no-share",
         "pool_sanitizer": "sanitize"}


def refuse_what_a_swarm_decides(words):
    """Raises CannotRun for what makes no sense with --swarm, or without it."""
    if not words.get("swarm"):
        if "rounds" in words:
            raise CannotRun("--rounds says how many rounds a swarm has: add --swarm or"
                            " leave it out.")
        return
    for name, reason in DRAWN.items():
        if name in words:
            flag = FLAGS.get(name, name.replace("_", "-"))
            raise CannotRun(f"--{flag} with --swarm: {reason}; leave one of the two"
                            " out.")
    if "elf" not in words and words.get("board", HOST) != HOST:
        raise CannotRun(f"--board {words['board']} with --swarm: it plays on the host;"
                        " the lines that it ends with repeat a round in QEMU, too.")
    if "elf" in words and "host" not in words and words.get("board") != HOST:
        raise CannotRun("--swarm plays on the host: add --host PROGRAM, what --elf is"
                        " as a program of this machine, built with --coverage.")


def swarm(options):
    """Plays the swarm, writes its result and returns the exit code."""
    options = replace(options, rounds=options.rounds or max(
        1, options.frames // ROUND_FRAMES))
    each = frames_of_a_round(options)
    stream = sys.stderr if options.json else sys.stdout

    def say(text):
        print(text, file=stream, flush=True)
    install.ensure(branches.GCOV if options.elf else TOOLS, options.install, say)
    with result_folder(options.out_folder):
        refuse_unless("swarm", options.out_folder, "a swarm")
        scratch = fresh(options.out_folder).resolve()
        (scratch / SWARM).mkdir()
        firmwares = firmwares_of(options, each, scratch, say)
        result = Swarm(options, firmwares, scratch, say).play()
        swarm_report.write(result, scratch)
        publish(options.out_folder)
    swarm_report.say(options, result, stream)
    return exit_code(result)


def exit_code(result):
    if result["findings"]:
        return 1
    return 0 if result["complete"] else 2


def frames_of_a_round(options):
    each = options.frames // options.rounds
    if each < FRAMES_PER_SECOND:
        raise CannotRun(f"{counted(options.rounds, 'round')} of"
                        f" {counted(options.frames, 'frame')} are shorter than"
                        f" {FRAMES_PER_SECOND} frames, a second, each: give more"
                        " --frames, or fewer --rounds.")
    return each


class Swarm:
    """Rounds of `firmwares`, played in `scratch`; `say` is told what is new."""

    def __init__(self, options, firmwares, scratch, say):
        self._options = options
        self._firmwares = firmwares
        self._each = frames_of_a_round(options)
        self._scratch = scratch
        self._say = say
        self._result = Result(options, self._each)

    def play(self):
        """The summary of all rounds."""
        began = time.monotonic()
        with stop_signals() as stop, ThreadPoolExecutor(
                self._options.jobs or os.cpu_count()) as pool:
            while self._goes_on() and not stop:
                self._batch(pool, stop)
        self._forget_others()
        return self._result.summary(self._firmwares, bool(stop),
                                    time.monotonic() - began)

    def _goes_on(self):
        most = self._options.max_findings
        return self._result.rounds < self._options.rounds and (
            not most or len(self._result.findings) < most)

    def _batch(self, pool, stop):
        first = self._result.rounds
        numbers = range(first, min(first + BATCH, self._options.rounds)) if first \
            else range(min(len(self._firmwares), self._options.rounds))
        drawn = [self._drawn(number) for number in numbers]
        jobs = [pool.submit(self._round, number, one, stop)
                for number, one in zip(numbers, drawn)]
        for number, job in zip(numbers, jobs):
            outcome = job.result()
            if outcome.was_stopped:
                break
            self._take_in(number, outcome)

    def _drawn(self, number):
        chance = swarm_draw.Chance(self._options.seed, number)
        if number < len(self._firmwares):
            return swarm_draw.first_round(number, chance.below(swarm_draw.SEEDS))
        return swarm_draw.drawn_round(chance, self._firmwares, self._each,
                                      [one.drawn for one in self._result.kept])

    def _round(self, number, drawn, stop):
        """In a folder of its own: it keeps what gcov needs of each program."""
        firmware = self._firmwares[drawn.firmware]
        scenario = self._scenario(number)
        scenario.write_text(swarm_draw.scenario_text(
            drawn, f"Round {number} of {self._options.command_line()}"))
        folder = self._scratch / "rounds" / str(number % BATCH)
        return swarm_round.play(firmware, drawn, scenario, folder, stop)

    def _scenario(self, number, folder=None):
        return (folder or self._scratch) / SWARM / f"round-{number}.toml"

    def _take_in(self, number, outcome):
        firmware = self._firmwares[outcome.drawn.firmware]
        if not firmware.capacities:
            firmware.learn(outcome.ledger)
        options = swarm_round.options_again(
            firmware, outcome.drawn, self._scenario(number, self._options.out_folder))
        line = options.command_line()
        for text in self._result.add(number, firmware.name, outcome, line):
            self._say(text)

    def _forget_others(self):
        """Scenarios of rounds that were not kept, and what rounds worked with."""
        told = {self._scenario(number).name for number in self._result.numbers()}
        for path in (self._scratch / SWARM).glob("round-*.toml"):
            if path.name not in told:
                path.unlink()
        shutil.rmtree(self._scratch / "rounds", ignore_errors=True)
