# SPDX-License-Identifier: MIT
"""Play: the game in a terminal, as fast as people look."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

from . import build, install
from .boards import BOARDS
from .errors import CannotRun
from .machine import arguments, sandbox, semihosting
from .number_text import clock
from .options import FRAMES_PER_SECOND
from .own_firmware import refuse_at_hello
from .play_screen import PlayScreen, refuse_what_is_none
from .records import Fault, Hello, Picture, Sample
from .stop_signals import die_with
from .telemetry import Decoder

PICTURE_EVERY = 2  # Frames: 30 pictures a second.
SECONDS = PICTURE_EVERY / FRAMES_PER_SECOND
AHEAD = 8  # Pictures that QEMU may be ahead of what is seen.
PATIENCE = 10.0


def play(options):
    """Shows the game until it ends or somebody quits. Returns the exit code."""
    refuse_what_is_none(sys.stdin, sys.stdout)
    install.ensure(install.tools_of(options), options.install)
    with tempfile.TemporaryDirectory(prefix="tidepool-play-") as folder:
        elf = Path(folder) / "console.elf"
        print("building the game", flush=True)
        build.build(options, elf)
        with Game(options, elf) as game:
            _show(game)
    print(game.ending)
    return 1 if game.fault else 0


def _show(game):
    with PlayScreen(sys.stdin, sys.stdout) as screen:
        moment = time.monotonic()
        for picture in game.pictures():
            screen.draw(picture, game.words(picture))
            moment = max(moment + SECONDS, time.monotonic())
            if screen.quits_before(moment):
                return


def command(options, elf):
    """QEMU with the firmware's UART as our pipe."""
    words = arguments(options) + [f"picture_every={PICTURE_EVERY}"]
    return ["qemu-system-arm", "-M", BOARDS[options.board].machine, "-display",
            "none", "-monitor", "none", "-nic", "none", "-no-reboot",
            "-chardev", "stdio,id=uart,signal=off", "-serial", "chardev:uart",
            "-semihosting-config", semihosting("gdb", words),
            *sandbox(), "-icount", "shift=5,sleep=off", "-kernel", str(elf)]


class Game:
    """QEMU, held back to the pace at which its pictures are taken."""

    def __init__(self, options, elf):
        self._command = command(options, elf)
        self._options = options
        self._seed = options.seed
        self._decoder = Decoder()
        self._pictures = deque()
        self._allocators = ()
        self._usages = ()
        self._runs = True
        self.fault = None

    def __enter__(self):
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True,
            preexec_fn=die_with(os.getpid()))
        os.set_blocking(self._process.stdout.fileno(), False)
        return self

    def __exit__(self, kind, *_):
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
        return kind is KeyboardInterrupt  # Ctrl-C quits, too.

    def pictures(self):
        """Each picture, until the game is over."""
        while self._take() or self._pictures:
            self._pace()
            if self._pictures:
                yield self._pictures.popleft()

    def _take(self):
        """Reads what there is, and waits for a picture if there is none yet.
        Returns whether more may come."""
        deadline = time.monotonic() + PATIENCE
        while self._read() and not self._pictures:
            if time.monotonic() > deadline:
                raise CannotRun("the firmware sent no picture for"
                                f" {PATIENCE:.0f} seconds; it says where that"
                                " is by tp_soak_picture().")
            time.sleep(0.001)
        return self._runs

    def _read(self):
        data = self._process.stdout.read()
        for record in self._decoder.feed(data or b""):
            self._note(record)
        self._runs = data != b""
        return self._runs

    def _note(self, record):
        if isinstance(record, Picture):
            self._pictures.append(record)
        elif isinstance(record, Hello):
            refuse_at_hello(self._options, record)
            self._allocators = record.allocators
        elif isinstance(record, Sample):
            self._usages = record.usages
        elif isinstance(record, Fault):
            self.fault = record

    def _pace(self):
        """Whoever is ahead waits."""
        if self._runs:
            self._process.send_signal(signal.SIGSTOP if len(self._pictures)
                                      > AHEAD else signal.SIGCONT)

    def words(self, picture):
        """The line below a picture."""
        pools = "  ".join(f"{one.name} {usage.live}/{usage.capacity}"
                          for one, usage in zip(self._allocators, self._usages))
        return (f"seed {self._seed}  "
                f"{clock(picture.frame / FRAMES_PER_SECOND)}  q quits  {pools}")

    @property
    def ending(self):
        if not self.fault:
            return "the game is over."
        names = [one.name for one in self._allocators]
        where = f" of {names[self.fault.pool]}" \
            if self.fault.pool < len(names) else ""
        return (f"the game ended in frame {self.fault.frame} with a fault:"
                f" {self.fault.kind}{where}.")
