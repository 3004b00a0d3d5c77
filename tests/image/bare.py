# SPDX-License-Identifier: MIT
"""What tests of a row's option share: an image of a table and of one function, without
start-up code, with what it needs of the library and nothing else."""

import functools
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BARE_FLAGS, ROOT, tool  # noqa: E402

LIBRARIES = tempfile.TemporaryDirectory()


class Bare(unittest.TestCase):
    TABLE = MAIN = ""  # Of the subclass: each row of the table ends with OPTION.

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        (cls.folder / "main.c").write_text(cls.MAIN)

    @staticmethod
    @functools.cache  # Of the same process, for several tests.
    def library(core, level, *flags):
        """The objects of all of lib."""
        folder = Path(tempfile.mkdtemp(dir=LIBRARIES.name))
        for source in sorted((ROOT / "lib").glob("*/*.c")):
            Bare.compile(core, f"-DTP_CHECKS={level}", *flags, "-c", source,
                         "-o", folder / f"{source.stem}.o")
        return sorted(folder.glob("*.o"))

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
