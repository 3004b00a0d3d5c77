# SPDX-License-Identifier: MIT
"""The record of a fault names the application's function, however compiled, and so
does the note of who asked for a slot or gave it back."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import HANG_SECONDS, ROOT, emulator, is_full, tool  # noqa: E402

HERE = ROOT / "tests" / "image" / "caller"
BOARDS = {"cortex-m0": "microbit", "cortex-m3": "mps2_an385"}
GCC = ["arm-none-eabi-gcc"]
CLANG = ["clang-19", "--target=arm-none-eabi"]
# Of each compiler the extremes, one for each core; in the full tests every one of both
# compilers for both.
OPTIONS = [["-O0"], ["-Os"], ["-O2"], ["-O2", "-fno-optimize-sibling-calls"]]
MORE_OPTIONS = [["-Og"], ["-O1"], ["-O3"]]
OF_GCC, OF_CLANG = (OPTIONS + MORE_OPTIONS,) * 2 if is_full() else (
    OPTIONS[1::2], OPTIONS[::2])

# What the application needs of lib/: without one of these it does not link.
LIBRARY = ("allocator/tp_blocks", "allocator/tp_bump", "allocator/tp_dense",
           "allocator/tp_reloc", "allocator/tp_reloc_block",
           "allocator/tp_stack", "check/tp_check", "core/tp_core",
           "core/tp_handle", "core/tp_pin", "object/tp_object", "object/tp_owner",
           "object/tp_update", "policy/tp_harden", "policy/tp_policy")


def some(core, choices):
    """What is tried of [choices] for a core: in the full tests all."""
    return choices if is_full() else [choices[list(BOARDS).index(core)]]


def symbols(elf):
    """name -> (address, bytes) of the functions of an image."""
    rows = map(str.split, tool("arm-none-eabi-nm", "-S", elf).splitlines())
    return {row[3]: (int(row[0], 16), int(row[1], 16)) for row in rows
            if len(row) == 4 and row[2] in "tT"}


class Caller(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.here = Path(cls.folder.name)
        tool("python3", "lib/config/tidepool.py", "generate",
             HERE / "pools.toml", "--out", cls.here)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_caller_is_the_applications_by_gcc(self):
        for core in BOARDS:
            for options in some(core, OF_GCC):
                self.check(GCC, core, options)

    def test_the_caller_is_the_applications_when_files_are_optimised_together(self):
        for core in BOARDS:
            for compiler in some(core, [GCC, CLANG]):
                self.check(compiler, core, ["-O2", "-flto"])
                if is_full():
                    self.check(compiler, core, ["-Os", "-flto"])

    def test_the_caller_is_the_applications_by_clang(self):
        for core in BOARDS:
            for options in some(core, OF_CLANG):
                self.check(CLANG, core, options)

    def check(self, compiler, core, options):
        with self.subTest(compiler=compiler[0], core=core, options=options):
            elf = self.link(compiler, core, options)
            functions = symbols(elf)
            result = subprocess.run(
                emulator(BOARDS[core], elf), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                timeout=HANG_SECONDS)
            lines = re.findall(r"^(\w+) (.*)$", result.stdout, re.M)
            self.assertEqual(27, len(lines), result.stdout)
            wrong = [name for name, caller in lines
                     if not self.lies_in(caller, functions[name])]
            self.assertEqual([], wrong, result.stdout)

    def lies_in(self, caller, function):
        begin, size = function
        return (re.fullmatch("[0-9a-f]{8}", caller) is not None
                and begin < int(caller, 16) <= begin + size + 1)

    def link(self, compiler, core, options):
        elf = self.here / "caller.elf"
        flags = [f"-mcpu={core}", "-mthumb", "-std=gnu11", "-ffreestanding",
                 "-ffunction-sections", "-fdata-sections", "-w", "-DTP_CHECKS=1",
                 f"-I{ROOT}/lib", f"-I{ROOT}/port/cortex_m",
                 f"-I{self.here}", f"-I{HERE}"]
        sources = [HERE / "mistakes.c", self.here / "tp_pools.c",
                   *[ROOT / "lib" / f"{name}.c" for name in LIBRARY]]
        objects = self.compile(compiler + flags + options, sources)
        objects += self.compile(GCC + flags + ["-O1"], [HERE / "startup.c"])
        linker = [*GCC, f"-mcpu={core}", "-mthumb", *options, "-nostdlib",
                  "-Wl,--gc-sections"]
        if compiler == CLANG and "-flto" in options:  # GNU ld reads GCC's only.
            linker = ["ld.lld-19", "--gc-sections"]
        tool(*linker, "-T", HERE / "caller.ld", "-o", elf, *objects)
        return elf

    def compile(self, command, sources):
        """Object files of the sources, all by one command, in the folder."""
        result = subprocess.run(
            [*map(str, command), "-c", *map(str, sources)], cwd=self.here,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(0, result.returncode, result.stdout)
        return [self.here / (source.stem + ".o") for source in sources]


if __name__ == "__main__":
    unittest.main()
