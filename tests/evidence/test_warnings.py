# SPDX-License-Identifier: MIT
"""What two compilers warn of in the library and the host's port, at every level."""

import re
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import page
from support import LEVELS, ROOT

COMPILERS = {
    "gcc": ("-O2", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow",
            "-Wcast-align=strict", "-Wstrict-aliasing=2", "-fanalyzer"),
    "clang-19": ("-O2", "-Weverything")}
# Warning -> why it is not heeded.
NOT_HEEDED = {
    "-Wanalyzer-null-dereference": "a fault of no pool gives none to what asks for a"
    " pool; the analyzer joins one caller's NULL to another's way",
    "-Wpadded": "padding is looked at where it costs, in the rows of a table",
    "-Wunsafe-buffer-usage": "every pointer into an array in C is one",
    "-Wdeclaration-after-statement": "a name is declared where it gets its value",
    "-Wunreachable-code": "what a level does not look for is compiled, and left out",
    "-Wunreachable-code-return": "a call that only full makes returns first below it",
    "-Wmissing-noreturn": "of functions that end in a fault: tp_fault() may return",
    "-Wused-but-marked-unused": "what a header makes part of its caller, nobody calls"
    " who includes that for something else",
    "-Wbad-function-cast": "the address of a slot is worked out as a number",
    "-Wcomma": "two pointers that walk together",
    "-Wpre-c11-compat": "compilers of C99 that are used here know _Static_assert"}


def warned(compiler, level):
    """[(warning, place)]"""
    found = []
    for path in sorted([*(ROOT / "lib").glob("*/*.c"),
                        *(ROOT / "port/host").glob("*.c")]):
        said = subprocess.run(
            [compiler, "-std=c11", *COMPILERS[compiler], "-Ilib", "-Iport/host",
             f"-DTP_CHECKS={LEVELS.index(level)}", "-c", path.relative_to(ROOT), "-o",
             "/dev/null"], cwd=ROOT, text=True, stderr=subprocess.PIPE,
            check=True).stderr
        found += [(flag, place) for place, flag in re.findall(
            r"^(\S+:\d+):\d+: warning: .*\[(-W[\w=+-]+)\]$", said, re.M)]
    return found


class Warnings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with ThreadPoolExecutor(2) as pool:
            cls.found = {one for each in pool.map(warned, *zip(*product(
                COMPILERS, LEVELS))) for one in each}
        open_ = [one for one in cls.found if one[0] not in NOT_HEEDED]
        print(f"evidence: {len(cls.found)} places that a compiler warns of,"
              f" {len(open_)} without a reason")
        page.note(warnings={"open": len(open_), "not_heeded": NOT_HEEDED})

    def test_no_compiler_warns_of_what_has_no_reason(self):
        self.assertEqual([], sorted(one for one in self.found
                                    if one[0] not in NOT_HEEDED))

    def test_what_is_not_heeded_is_warned_of(self):
        self.assertEqual(set(), NOT_HEEDED.keys() - {flag for flag, _ in self.found})


if __name__ == "__main__":
    unittest.main()
