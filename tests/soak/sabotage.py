# SPDX-License-Identifier: MIT
"""A copy of the library with one thing in it broken: built, and soaked for a
minute, to see what the questions of --ask make of it."""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import trials
from harness.ledger import Ledger
from harness.machine import Ending
from harness.options import Options
from harness.telemetry import Decoder
from harness.verdict import judge
from support import HANG_SECONDS, ROOT, emulator, tool

FRAMES = 3600  # A minute.
COPIED = ("lib", "port", "linker", "qemu/telemetry", "qemu/boards")


class Target(NamedTuple):
    board: str
    level: int
    compiler: tuple
    port: str
    sources: tuple  # Beside library and telemetry, of qemu.
    linker: tuple


HOST = Target(
    "host", 3, ("gcc", "-O0", "-fno-pie"), "port/host",
    ("semihost_host.c", "boards/host.c"),
    ("-no-pie", "-Wl,--defsym=tidepool_ERROR_linker_script_lacks_INCLUDE"
     "_tp_pools_ld=0"))
BOARD = Target(
    trials.BOARD, 2,
    ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-O1", "-ffreestanding",
     "-ffunction-sections", "-fdata-sections", "-DUART=0x40004000u",
     "-DCLOCK_HZ=25000000u"), "port/cortex_m",
    ("startup.c", "semihost.c", "boards/cmsdk.c"),
    ("-nostartfiles", "-Wl,--gc-sections", f"-T{trials.BOARD}.ld"))


class Copy:
    """The library and a firmware for it in `folder`, compiled for `target`."""

    def __init__(self, folder, target):
        self.folder, self.target = Path(folder), target
        self.made = self.folder / "made"
        self.broken = self.folder / "broken"  # Objects, while something is.
        for name in COPIED:
            shutil.copytree(ROOT / name, self.folder / name)
        for path in (ROOT / "qemu").glob("*.[ch]"):
            shutil.copy(path, self.folder / "qemu")
        for path in (ROOT / "tests" / "soak" / "host").glob("*"):
            shutil.copy(path, self.folder)
        tool(sys.executable, self.folder / "lib/config/tidepool.py", "generate",
             self.folder / "pools.toml", "--out", self.made)
        self._compile_all(self._sources(), self.made)

    def _sources(self):
        qemu = [self.folder / "qemu" / name for name in self.target.sources]
        return [self.folder / "main.c", self.made / "tp_pools.c", *qemu,
                *(self.folder / "lib").glob("*/*.c"),
                *(self.folder / "qemu/telemetry").glob("*.c"),
                *(self.folder / self.target.port).glob("*.c")]

    def _object(self, source):
        """The newest that there is of it."""
        name = f"{source.parent.name}-{source.stem}.o"
        broken = self.broken / name
        return broken if broken.exists() else self.made / name

    def _compile(self, source, folder):
        target = self.target
        folders = ("lib", target.port, "qemu", "qemu/boards", "qemu/telemetry", "made")
        tool(*target.compiler, "-std=c11", "-MMD", "-c", f"-DTP_CHECKS={target.level}",
             "-DTP_AUDIT=0", "-DTIDEPOOL_SOAK=1",
             f'-DTIDEPOOL_BOARD_NAME="{target.board}"',
             *(f"-I{self.folder / folder}" for folder in folders), "-o",
             folder / f"{source.parent.name}-{source.stem}.o", source)

    def _compile_all(self, sources, folder):
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda source: self._compile(source, folder), sources))

    def _readers(self, path):
        """The sources that are compiled anew when `path` changes."""
        return [source for source in self._sources() if source == path or str(path)
                in self._object(source).with_suffix(".d").read_text()]

    def _link(self):
        program = self.made / "console.elf"
        tool(self.target.compiler[0], *self.target.compiler[1:3],
             f"-L{self.folder / 'linker'}", f"-L{self.made}", "-o", program,
             *map(self._object, self._sources()), *self.target.linker)
        return program

    def failed_with(self, name, whole, broken):
        """The checks that fail once `broken` stands for `whole` in a file."""
        path = self.folder / name
        text = path.read_text()
        if text.count(whole) != 1:
            raise AssertionError(f"{name} has {whole!r} {text.count(whole)} times")
        readers = self._readers(path)
        path.write_text(text.replace(whole, broken))
        self.broken.mkdir()
        try:
            self._compile_all(readers, self.broken)
            return self.failed()
        finally:
            path.write_text(text)
            shutil.rmtree(self.broken)

    def failed(self):
        """The checks that fail in a minute of soak."""
        ledger, ending = self._play()
        options = Options(frames=FRAMES, board=self.target.board, ask=True,
                          elf="firmware.elf", checks=("off", "fast", "poison", "full")[
                              self.target.level])
        return {check.name for check in judge(options, ledger, ending).checks
                if check.failed}

    def _play(self):
        told = ("soak", f"frames={FRAMES}", f"ask={FRAMES}")
        said, program = self.made / "said", self._link()
        words = [program, *told] if self.target == HOST else emulator(
            self.target.board, program, serial=f"file:{said}", arguments=told)
        result = subprocess.run(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, timeout=HANG_SECONDS,
            preexec_fn=trials.limit_processor)
        decoder, ledger = Decoder(), Ledger()
        data = result.stdout if self.target == HOST else said.read_bytes()
        for record in decoder.feed(data) + decoder.finish():
            ledger.add(record)
        return ledger, Ending("it ended", result.returncode)
