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
import time
from pathlib import Path

from .errors import CannotRun
from .machine import KILLED, Ending, arguments, children_seconds
from .monitor import NoAnswer
from .number_text import span
from .result_folder import ELF, HOST_LOG
from .sanitizer import ENVIRONMENT, report_in
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


class NoMonitor:
    """What QEMU's would say, nobody does here."""

    def ask(self, *_):
        raise NoAnswer

    def human(self, *_):
        return ""


class HostProgram:
    """A running program. Leaving the `with` block ends it, whatever happened.
    `said` tells how many bytes it has said to `out` so far."""

    monitor = NoMonitor()

    def __init__(self, words, folder, out, said):
        self._words = words
        self._folder = Path(folder)
        self._out = out
        self._said = said

    def __enter__(self):
        self._began = time.monotonic()
        self._cpu_began = children_seconds()
        self._heard = self._size = 0
        os.chmod(self._folder / self._words[0], 0o755)
        try:
            self._start()
        except OSError as trouble:
            raise CannotRun("the program does not start on this machine:"
                            f" {trouble.strerror}; --no-host leaves it out.") from None
        return self

    def _start(self):
        with open(self._folder / HOST_LOG, "wb") as log:
            self.process = subprocess.Popen(
                self._words, cwd=self._folder, stdin=subprocess.DEVNULL,
                stdout=self._out, stderr=log, env=dict(os.environ, **ENVIRONMENT),
                start_new_session=True, preexec_fn=die_with(os.getpid()))

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    @property
    def wall_seconds(self):
        return time.monotonic() - self._began

    @property
    def cpu_seconds(self):
        return children_seconds() - self._cpu_began

    def ending(self, stop_reason=""):
        """None while it should go on; else it has ended or must end now."""
        code = self.process.poll()
        if code is not None:
            return Ending(self._exit_sentence(code), code, code in KILLED)
        if stop_reason:
            self.process.kill()
            return Ending(f"stopped by {stop_reason}", self.process.wait(), True)
        if self._silent_seconds() > SILENT_SECONDS:
            return self._hung()
        return None

    def stopped(self, sentence, _=0):
        """The ending of a program that has failed, but goes on."""
        self.process.kill()
        return Ending(sentence, self.process.wait())

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
        report = report_of(self._folder)
        where = f" in {report.line}" if report and report.line else ""
        return Ending(f"the program said nothing for {span(SILENT_SECONDS)} of"
                      f" processor time and was stopped{where}", 1)

    def _exit_sentence(self, code):
        report = report_of(self._folder) if code else None
        if report:
            return f"the program ended: {report.sentence()}"
        how = f"ended with code {code}" if code >= 0 else \
            f"died of {signal.Signals(-code).name}"
        return f"the program {how}"

    def _processor_seconds(self):
        """Its own, so far; what it was when it cannot be read any more."""
        try:
            text = Path(f"/proc/{self.process.pid}/stat").read_text()
        except OSError:
            return self._heard
        user, system = text.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / _TICKS
