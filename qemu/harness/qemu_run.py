# SPDX-License-Identifier: MIT
"""One run of QEMU, followed: what it says, its checkpoints, its end."""

import shutil
import time
from dataclasses import replace
from typing import NamedTuple

from . import checkpoint, power_on
from .errors import CannotRun
from .host_program import HostProgram
from .host_program import command as host_command
from .log_files import LogFiles
from .machine import Machine, command, wall_limit
from .options import FRAMES_PER_SECOND, HOST
from .own_firmware import refuse_at_hello, refuse_other_sanitizer
from .progress import Progress, place
from .records import Hello
from .result_folder import RUN, TELEMETRY
from .telemetry import Decoder

POLL_SECONDS = 0.05
DISK_BYTES_MIN = 1 << 20


class Effort(NamedTuple):
    wall_seconds: float  # In all, with what went on before a resume.
    played_seconds: float  # Simulated, by this QEMU, in
    cpu_seconds: float  # so many seconds of one processor.


class QemuRun:
    """One run in `scratch`, from `start` to however it ends."""

    def __init__(self, options, scratch, start, ledger, screen, stop):
        self._options = options
        self._scratch = scratch
        self._start = start
        self._ledger = ledger
        self._screen = screen
        self._stop = stop  # Holds the reason once somebody wants us to stop.
        self._decoder = Decoder()
        self._progress = Progress()
        self._next_checkpoint = self._after(start.frame)

    def run(self):
        """How QEMU ended, and what it took."""
        with LogFiles(self._scratch, self._ledger) as streams, \
                open(self._scratch / TELEMETRY, "rb") as telemetry, \
                self._machine() as qemu:
            ending = self._watch(qemu, telemetry, streams)
            streams.log(ending.sentence)
            seconds = self._seconds(qemu)
            self._screen.update(self._ledger, seconds, last=True)
            played = (self._ledger.frame - self._start.frame) \
                / FRAMES_PER_SECOND
            return ending, Effort(seconds, played, qemu.cpu_seconds)

    def _machine(self):
        options, scratch = self._options, self._scratch
        if options.board == HOST:
            file = scratch / TELEMETRY
            return HostProgram(host_command(options), scratch, file,
                               lambda: file.stat().st_size)
        power_on.write(scratch, options.seed)
        return Machine(command(options, self._start.snapshot), scratch,
                       wall_limit(options.frames))

    def _watch(self, qemu, telemetry, streams):
        while True:
            # Asked before reading, so that what QEMU wrote last is read too.
            ending = qemu.ending(self._stop[0] if self._stop else "")
            data = telemetry.read()
            last = ending and not ending.was_stopped
            self._take_in(data, last, streams)
            if self._is_enough() and not (ending and ending.was_stopped):
                return replace(qemu.stopped("stopped after what was found"),
                               was_enough=True)
            if ending:
                return ending
            if self._ledger.restarted:
                return qemu.stopped("the firmware restarted and was stopped")
            self._progress.note(self._ledger.frame, len(data))
            trouble = self._progress.trouble(qemu.monitor)
            if trouble:
                return _hung(qemu, trouble)
            self._check_disk()
            self._keep_checkpoint(qemu)
            self._screen.update(self._ledger, self._seconds(qemu))
            time.sleep(POLL_SECONDS)

    def _take_in(self, data, last, streams):
        records = self._decoder.feed(data)
        if last:
            records += self._decoder.finish()
        self._ledger.damaged_bytes = self._decoder.damaged_bytes
        self._ledger.torn_records = self._decoder.torn_records
        for record in records:
            if isinstance(record, Hello):
                self._greet(record)
            if self._is_enough():
                break
            record = self._ledger.add(record)
            if self._ledger.restarted:
                break
            streams.add(record)

    def _is_enough(self):
        """By frames alone: whatever else has come, is not looked at."""
        return not self._ledger.done and self._ledger.is_enough(
            self._options.max_findings)

    def _greet(self, hello):
        """What is refused now leaves nothing that one could go on with."""
        try:
            refuse_at_hello(self._options, hello)
            refuse_other_sanitizer(self._options, hello)
        except CannotRun:
            (self._scratch / RUN).unlink(missing_ok=True)
            raise

    def _check_disk(self):
        """A full disk stops the firmware for ever: its UART waits for room."""
        if shutil.disk_usage(self._scratch).free < DISK_BYTES_MIN:
            raise self._go_on_later(f"the disk of {self._scratch} is full")

    def _keep_checkpoint(self, qemu):
        frame = self._ledger.frame
        if not self._next_checkpoint or frame < self._next_checkpoint:
            return
        try:
            checkpoint.take(qemu.monitor, self._scratch, frame,
                            self._seconds(qemu))
            checkpoint.forget(self._scratch, self._ledger.first_audit)
        except checkpoint.NotKept as trouble:
            raise self._go_on_later(str(trouble)) from None
        self._next_checkpoint = self._after(frame)

    def _go_on_later(self, trouble):
        return CannotRun(f"{trouble}; free some space and go on with"
                         f" `{self._options.resume_line()}`.")

    def _after(self, frame):
        """The next frame to take a checkpoint at; 0 for never."""
        on_host = self._options.board == HOST
        every = 0 if on_host else self._options.checkpoint_every
        return every and (frame // every + 1) * every

    def _seconds(self, qemu):
        return self._start.wall_seconds + qemu.wall_seconds


def _hung(qemu, trouble):
    """How a firmware ended that would never have, and where it is."""
    return qemu.stopped(f"the firmware was stopped: {trouble}", place(qemu.monitor))
