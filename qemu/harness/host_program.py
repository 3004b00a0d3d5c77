# SPDX-License-Identifier: MIT
"""A program of this machine in place of QEMU: started, watched, ended.

It is told what a firmware is told, says what a firmware says, on its standard
output, and what a sanitizer finds on its standard error.
"""

import contextlib
import os
import platform
import signal
import subprocess
from pathlib import Path

from .errors import CannotRun
from .lesser_rights import drop_rights
from .machine import Ending, Program, arguments, how_it_ended
from .monitor import NoAnswer
from .number_text import span
from .result_folder import ELF, HOST_LOG
from .sanitizer import ENVIRONMENT, HUNG, report_in
from .stop_signals import die_with

# Of its own processor time, however busy the machine is. A frame slower than a
# board's is hopeless; a program that is alive speaks every simulated second.
SILENT_SECONDS = 20
_TICKS = os.sysconf("SC_CLK_TCK")


def version():
    return f"none: {platform.system()} {platform.machine()}"


def report_of(folder):
    """What a sanitizer said of the program that ran there, or None."""
    return report_in((folder / HOST_LOG).read_text(errors="replace"))


def command(options, program=f"./{ELF}"):
    """Runs it in the working folder. The demo times no calls here."""
    clock = [] if options.elf else ["clock=none"]
    return [program, *arguments(options), *clock]


def _hook(parent):
    hooks = [die_with(parent), drop_rights]
    return lambda: [hook() for hook in hooks if hook]


class NoMonitor:
    """What QEMU's would say, nobody does here."""

    def ask(self, *_):
        raise NoAnswer

    def human(self, *_):
        return ""


class HostProgram(Program):
    """A running program of this machine. `said` tells how many bytes it has said so
    far to `out`, a file's path or a pipe."""

    monitor = NoMonitor()

    def __init__(self, words, folder, out, said, more=None):
        self._words = words
        self._folder = Path(folder)
        self._out = out
        self._said = said
        self._environment = dict(os.environ, **ENVIRONMENT, **more or {})
        self._heard = self._size = 0

    def _start(self):
        os.chmod(self._folder / self._words[0], 0o755)
        try:
            with self._output() as out, open(self._folder / HOST_LOG, "wb") as log:
                self.process = subprocess.Popen(
                    self._words, cwd=self._folder, stdin=subprocess.DEVNULL,
                    stdout=out, stderr=log, env=self._environment,
                    start_new_session=True, preexec_fn=_hook(os.getpid()))
        except OSError as trouble:
            raise CannotRun("the program does not start on this machine:"
                            f" {trouble.strerror}; --no-host leaves it out.") from None

    def _output(self):
        if self._out == subprocess.PIPE:
            return contextlib.nullcontext(self._out)
        return open(self._out, "ab")

    def _overdue(self):
        return self._hung() if self._silent_seconds() > SILENT_SECONDS else None

    def _silent_seconds(self):
        """Of its processor time, since it last said something."""
        size, now = self._said(), self._processor_seconds()
        if size != self._size:
            self._size, self._heard = size, now
        return now - self._heard

    def _hung(self):
        """A sanitizer that it is built with then says where it was."""
        self.process.send_signal(signal.SIGABRT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(SILENT_SECONDS)
        self.process.kill()
        self.process.wait()
        silence = (f"said nothing for {span(SILENT_SECONDS)} of processor time and"
                   " was stopped")
        with open(self._folder / HOST_LOG, "a") as log:
            log.write(HUNG.format(silence))
        report = report_of(self._folder)
        where = f" in {report.line}" if report and report.line else ""
        return Ending(f"the program {silence}{where}", 1)

    def _exit_sentence(self, code):
        report = report_of(self._folder) if code else None
        if report:
            return f"the program ended: {report.sentence()}"
        return f"the program {how_it_ended(code)}"

    def _processor_seconds(self):
        """Its own, so far; what it was when it cannot be read any more."""
        try:
            text = Path(f"/proc/{self.process.pid}/stat").read_text()
        except OSError:
            return self._heard
        user, system = text.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / _TICKS
