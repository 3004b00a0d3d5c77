# SPDX-License-Identifier: MIT
"""What tests share: the library's objects, and of a row's option an image of a table
and of one function, without start-up code, with what it needs of the library."""

import functools
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BARE_FLAGS, ROOT, tool  # noqa: E402

LIBRARIES = tempfile.TemporaryDirectory()
# Beside each object, which files it is made of and who calls whom.
BESIDE = ("-MMD", "-fcallgraph-info=su")
PORT_OF_DMA = "tp_dma_port.h"


@functools.cache  # Of the same process, for several tests.
def library(core, level, *flags, lib=ROOT / "lib"):
    """The objects of all of lib, or of a copy of it."""
    folder = Path(tempfile.mkdtemp(dir=LIBRARIES.name))
    subprocess.run(
        ["arm-none-eabi-gcc", f"-mcpu={core}", f"-I{lib}", f"-I{ROOT}/port/cortex_m",
         *BARE_FLAGS, *BESIDE, f"-DTP_CHECKS={level}", *flags, "-c",
         *sorted(lib.glob("*/*.c"))], cwd=folder, check=True)
    return sorted(folder.glob("*.o"))


def ported(core, level, port):
    """The library with a port of the cache: what is made of no file that looks for one
    is as it is without."""
    folder = Path(tempfile.mkdtemp(dir=LIBRARIES.name))
    looking = [str(path) for path in (ROOT / "lib").glob("*/*.[ch]")
               if PORT_OF_DMA in path.read_text()]
    objects = []
    for one in library(core, level):
        if any(name in one.with_suffix(".d").read_text() for name in looking):
            source, = (ROOT / "lib").glob(f"*/{one.stem}.c")
            one = folder / one.name
            Bare.compile(core, f"-DTP_CHECKS={level}", f"-I{port}", "-c", source,
                         "-o", one)
        objects.append(one)
    return objects


class Bare(unittest.TestCase):
    TABLE = MAIN = ""  # Of the subclass: each row of the table ends with OPTION.

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        (cls.folder / "main.c").write_text(cls.MAIN)

    def image(self, option, core, level, objects, *flags):
        """Of [objects] and the table with [option] in its rows."""
        (self.folder / "pools.toml").write_text(self.TABLE.replace("OPTION", option))
        tool("python3", "lib/config/tidepool.py", "generate",
             self.folder / "pools.toml", "--out", self.folder)
        elf = self.folder / "image.elf"
        self.compile(core, f"-DTP_CHECKS={level}", *flags, f"-I{self.folder}",
                     "-nostdlib", "-Wl,--gc-sections,-e,start", "-o", elf,
                     self.folder / "main.c", self.folder / "tp_pools.c", *objects)
        return elf

    @staticmethod
    def compile(core, *words):
        tool("arm-none-eabi-gcc", f"-mcpu={core}", *BARE_FLAGS, *words)
