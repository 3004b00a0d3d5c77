# SPDX-License-Identifier: MIT
"""Does the C that tests/run evidence alone builds compile still? A name of the library
that changed is not to be found out there, days later."""

import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "tests" / "fuzz"))
import fuzz  # noqa: E402
from support import LEVELS  # noqa: E402

FLAGS = ("-std=gnu11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror")
WAYS = ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-Wno-clobbered", "-Ilib",
        "-Iport/cortex_m", "-Iport/cache/none", "-Itests", "-Itests/evidence/ways")


def worlds(home):
    """The command that compiles the fuzz of a folder, and its files."""
    folders = [*fuzz.INCLUDES, *[fuzz.PORT_OF_CORES] * (home != fuzz.HERE)]
    return ["gcc", *(f"-I{folder}" for folder in folders)], [
        name for name in fuzz.sources(home) if name.startswith("tests/fuzz/")]


def complaints(command, files, level):
    """What the compiler says of them at a level."""
    return subprocess.run(
        [*command, *FLAGS, f"-DTP_CHECKS={level}", *files], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout


class Compiled(unittest.TestCase):
    def compiles(self, command, files):
        self.assertTrue(files)
        with ThreadPoolExecutor(2) as pool:
            said = pool.map(lambda level: complaints(command, files, level),
                            range(len(LEVELS)))
        self.assertEqual([""] * len(LEVELS), list(said))

    def test_the_worlds_of_the_fuzz_compile_at_every_level(self):
        self.compiles(*worlds(fuzz.HERE))

    def test_its_worlds_of_two_cores_compile_at_every_level(self):
        self.compiles(*worlds(fuzz.HERE / "cores"))

    def test_what_goes_every_way_of_the_object_code_compiles_at_every_level(self):
        files = (ROOT / "tests" / "evidence" / "ways").glob("*.c")
        self.compiles(WAYS, [path.relative_to(ROOT) for path in sorted(files)])
