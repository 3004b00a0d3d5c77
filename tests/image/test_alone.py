# SPDX-License-Identifier: MIT
"""The library needs nothing of a C library, nor of the compiler's own."""

import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import ROOT, is_full, tool  # noqa: E402

CORES = ("cortex-m0", "cortex-m3")
OTHER_CORES = ("cortex-m4", "cortex-m7", "cortex-m33", "cortex-m55")
COMPILERS = (["arm-none-eabi-gcc"], ["clang-19", "--target=arm-none-eabi"])
OPTIONS = ("-O0", "-Og", "-O1", "-Os", "-Oz", "-O2", "-O3")
# The passes that see a loop as a call are those of these two. The other cores
# have the instructions of the M3 and more.
EAGER = ("-Os", "-O3")
# What is sanitized, for the core that has least: the others have the same loops.
OF_LEAST = ("cortex-m0", "-Os")
MORE = (("cortex-m3", "-O0"), ("cortex-m3", "-Os"), ("cortex-m3", "-O3"))
DIVISIONS = {"__aeabi_idiv", "__aeabi_uidiv", "__aeabi_uidivmod"}
WEAK = "tp_registry"  # A firmware without a table has none.
VECTORS = (COMPILERS[1], "cortex-m55", "-O3")  # No other has them.
# Without a port of these there is nothing of tp_wait.c and tp_dma.c.
PORTS = ("cortex_m", "wait/bare", "cache/cortex_m7")


def rows():
    """(compiler, core, option): in the full tests all, in others the extremes."""
    if not is_full():
        return [(COMPILERS[0], CORES[0], "-O3"), (COMPILERS[0], CORES[1], "-O0"),
                (COMPILERS[0], CORES[1], "-Os"), (COMPILERS[1], CORES[0], "-Os"),
                VECTORS]
    return [(compiler, core, option) for compiler in COMPILERS
            for cores, options in ((CORES, OPTIONS), (OTHER_CORES, EAGER))
            for core in cores for option in options]


def missing(row, *more):
    """What all of the library, linked with nothing, still asks for."""
    compiler, core, option = row
    sources = sorted((ROOT / "lib").glob("*/*.c"))
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            [*compiler, f"-mcpu={core}", "-mthumb", "-std=c11", option,
             "-DTP_CHECKS=3", *more, f"-I{ROOT}/lib",
             *(f"-I{ROOT}/port/{port}" for port in PORTS), "-w", "-c",
             *map(str, sources)], cwd=folder, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        if result.returncode:
            return result.stdout
        whole = Path(folder) / "whole.o"
        tool("arm-none-eabi-ld", "-r", "-o", whole, *Path(folder).glob("*.o"))
        return " ".join(tool("arm-none-eabi-nm", "-u", whole).split()[1::2])


class Alone(unittest.TestCase):
    def test_no_compiler_on_any_core_asks_for_a_c_library(self):
        with ThreadPoolExecutor(2) as pool:
            found = dict(zip(map(str, rows()), pool.map(missing, rows())))
        self.assertEqual({}, {row: names for row, names in found.items()
                              if names})

    def test_the_sanitizer_asks_for_no_more_than_a_division_where_there_is_none(self):
        for compiler in COMPILERS:
            for core, option in (OF_LEAST, *MORE * is_full()):
                with self.subTest(compiler=compiler, core=core, option=option):
                    asked = missing((compiler, core, option), "-DTIDEPOOL_SANITIZE=1")
                    allowed = DIVISIONS if core == "cortex-m0" else set()
                    self.assertLessEqual(set(asked.split()), allowed | {WEAK})


if __name__ == "__main__":
    unittest.main()
