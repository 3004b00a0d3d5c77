# SPDX-License-Identifier: MIT
"""QEMU: its command line, its life and its death."""

import contextlib
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass
from functools import lru_cache

from . import refusals, scenario
from .boards import board_of
from .checkpoint import DISK
from .fence import Fence, calls_go_to, can_stand
from .lesser_rights import drop_rights
from .monitor import Monitor, NoAnswer
from .number_text import span
from .options import FRAMES_PER_SECOND
from .power_on import POWER_ON
from .result_folder import TELEMETRY
from .stop_signals import die_with

# Somebody else did this to QEMU: it says nothing of the firmware. At a signal that
# QEMU takes it ends with code 0, and says to its monitor why.
KILLED = (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGHUP, -signal.SIGINT)
RESET, SIGNALLED = b'"guest-reset"', b'"host-signal"'


def wall_limit(frames):
    """Seconds of real time after which a run is given up."""
    return 60 + frames / FRAMES_PER_SECOND


@dataclass(frozen=True)
class Ending:
    """How QEMU ended: by itself with a code, or stopped by us."""
    sentence: str
    code: int = 0
    was_stopped: bool = False
    was_enough: bool = False  # Stopped, for what it had been found to do.
    stuck_at: int = 0  # The guest's program counter, if it was asked for.


def version():
    """The first line of what QEMU says about itself."""
    result = subprocess.run(["qemu-system-arm", "--version"],
                            stdout=subprocess.PIPE, universal_newlines=True)
    return result.stdout.split("\n")[0]


@lru_cache(maxsize=None)
def sandbox():
    """QEMU's own fence, where it was built with one, but for what ours knows the
    name of."""
    spawn = "allow" if can_stand() else "deny"
    words = ["-sandbox", "on,obsolete=deny,elevateprivileges=deny,"
             f"resourcecontrol=deny,spawn={spawn}"]
    result = subprocess.run(["qemu-system-arm", *words, "-machine", "help"],
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    return words if result.returncode == 0 else []


def command(options, snapshot="", told=None, asks=""):
    """Runs what power_on made of console.elf in the working folder, telemetry beside
    it, from power-on or from a snapshot on the disk; the firmware is told what the
    options say, or `told`. What it asks of the host is answered by `asks`, a word
    of QEMU's: "gdb" if there is no fence around it."""
    told = arguments(options) if told is None else told
    board = board_of(options.board)
    return ["qemu-system-arm",
            "-M", board.of_two if options.cores == 2 else board.machine,
            "-display", "none", "-qmp", "stdio", "-nic", "none",
            # A reset ends the run: without DONE, it has failed.
            "-no-reboot",
            # A file never slows the guest down, a pipe or socket may.
            "-chardev", f"file,id=telemetry,path={TELEMETRY},append=on",
            "-serial", "chardev:telemetry",
            "-semihosting-config", semihosting(asks or calls_go_to(), told),
            # One instruction is 32 ns, idle time is skipped: a run is exact.
            "-icount", "shift=5,sleep=off",
            *sandbox(),
            # No board reads it: snapshots need a disk to be written to. What is to
            # outlive QEMU is copied from it, so nothing waits until it is written.
            "-drive", f"file={DISK},if=none,id=disk,cache=unsafe",
            *(["-loadvm", snapshot] if snapshot else []),
            "-kernel", POWER_ON]


def semihosting(target, told):
    """Who answers the firmware, and what it is told; QEMU takes two commas for one."""
    return ",".join([f"enable=on,target={target}",
                     *("arg=" + word.replace(",", ",,") for word in told)])


def arguments(options):
    """What the firmware is told."""
    words = ["soak", f"seed={options.seed}", f"frames={options.frames}",
             f"interrupts={options.interrupts}"]
    if options.plant:
        words += [f"plant={options.plant}",
                  f"plant_frame={options.plant_frame}"]
    if options.ask:
        words.append(f"ask={options.frames}")
    if options.near_wrap:
        words.append("near_wrap=1")
    if options.scenario:
        words += scenario.arguments(options.scenario, own=bool(options.elf))
    words += refusals.arguments(options)
    return words


def how_it_ended(code):
    """What the exit code of a process says, in words."""
    names = {one.value: one.name for one in signal.Signals}
    return f"ended with code {code}" if code >= 0 else \
        f"died of {names.get(-code, f'signal {-code}')}"


class Program:
    """A running program. Leaving the `with` block ends it, whatever happened.
    Each kind says how it starts, when it must end and what it had ended with."""

    def __enter__(self):
        self._began = time.monotonic()
        self._cpu_began = children_seconds()
        self._start()
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    @property
    def wall_seconds(self):
        return time.monotonic() - self._began

    @property
    def cpu_seconds(self):
        """Of the processor, once it has ended: the same on a busy machine."""
        return children_seconds() - self._cpu_began

    def ending(self, stop_reason=""):
        """None while it should go on; else it has ended or must end now."""
        code = self.process.poll()
        if code is not None:
            return Ending(self._exit_sentence(code), code, self._was_killed(code))
        if stop_reason:
            return self._stopped(f"stopped by {stop_reason}")
        return self._overdue()

    def stopped(self, sentence, stuck_at=0):
        """The ending of a program that has failed, but goes on."""
        return self._stopped(sentence, False, stuck_at)

    def _was_killed(self, code):
        return code in KILLED

    def _stopped(self, sentence, was_stopped=True, stuck_at=0):
        self.process.kill()
        return Ending(sentence, self.process.wait(), was_stopped, stuck_at=stuck_at)


class Machine(Program):
    """A running QEMU."""

    def __init__(self, words, folder, limit, pass_fds=()):
        self._words = words
        self._pass_fds = pass_fds
        self._folder = folder
        self._limit = limit

    def _start(self):
        self._fence = Fence() if can_stand() else None
        with open(self._folder / "monitor.log", "wb") as answers, \
                open(self._folder / "qemu.log", "wb") as log:
            self.process = subprocess.Popen(
                self._words, cwd=self._folder, stdin=subprocess.PIPE,
                stdout=answers, stderr=log,
                pass_fds=self._pass_fds,
                # Ctrl-C is for us; we stop QEMU when we are ready.
                start_new_session=True, preexec_fn=self._hook())
        self.monitor = Monitor(self.process, self._folder / "monitor.log")
        self.monitor.greet()

    def _hook(self):
        hooks = [die_with(os.getpid()), drop_rights,
                 self._fence and self._fence.hook]
        return lambda: [hook() for hook in hooks if hook]

    def __exit__(self, *trouble):
        super().__exit__(*trouble)
        if self._fence:
            self._fence.close()
        with contextlib.suppress(OSError):  # It may have died unread.
            self.process.stdin.close()

    def ending(self, stop_reason=""):
        ending = super().ending(stop_reason)
        asked = self._fence.asked if self._fence else ""
        if not ending or not asked:
            return ending
        return Ending(f"the firmware was stopped: it asked this machine {asked}, and a"
                      " firmware gets no file and no command of it,", ending.code)

    def quit(self):
        """Lets it end in good order, if it has not ended yet."""
        with contextlib.suppress(NoAnswer):
            self.monitor.ask("quit")
        self.process.wait()

    def _overdue(self):
        if self.wall_seconds <= self._limit:
            return None
        return self._stopped(f"stopped at the limit of {span(self._limit)} of real"
                             " time")

    def _exit_sentence(self, code):
        if self._has_said(RESET):
            return "the firmware reset the processor"
        if self._has_said(SIGNALLED):
            return "QEMU was ended by a signal"
        return f"QEMU {how_it_ended(code)}{self._last_words() if code else ''}"

    def _was_killed(self, code):
        return super()._was_killed(code) or self._has_said(SIGNALLED)

    def _has_said(self, why):
        return why in (self._folder / "monitor.log").read_bytes()

    def _last_words(self):
        """The first line QEMU printed that is more than a warning."""
        text = (self._folder / "qemu.log").read_text(errors="replace")
        lines = [line for line in text.split("\n")
                 if line.strip() and ": warning: " not in line]
        return f" ({lines[0]})" if lines else ""


def children_seconds():
    """Processor time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
