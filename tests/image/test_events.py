# SPDX-License-Identifier: MIT
"""What TIDEPOOL_EVENTS adds to an image, and that it adds nothing to any other."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bare import Bare, library  # noqa: E402
from support import (LEVELS, ROOT, build, emulator, is_full,  # noqa: E402
                     symbol_sizes, tool)

HOOK = re.compile(r"^ +tp_hook_(event|freed|fault)\(.*\);\n", re.M)
BUILDS = (("cortex-m3", "full"),)
MORE_BUILDS = (("cortex-m0", "fast"), ("cortex-m3", "off"))  # In the full tests.
KEPT = 16


def code(core, level, lib=ROOT / "lib"):
    """{object file: its bytes}"""
    return {made.name: made.read_bytes()
            for made in library(core, LEVELS.index(level), lib=lib)}


class OfEvents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_without_it_the_library_is_byte_for_byte_as_if_there_were_no_hooks(self):
        bare = self.folder / "lib"
        shutil.copytree(ROOT / "lib", bare)
        hooks = 0
        for file in bare.glob("*/*.[ch]"):
            text, found = HOOK.subn("", file.read_text())
            hooks += found
            file.write_text(text)
        self.assertGreaterEqual(hooks, 9)
        for core, level in BUILDS + MORE_BUILDS * is_full():
            with_hooks, without = code(core, level), code(core, level, bare)
            self.assertEqual([], [name for name in with_hooks
                                  if with_hooks[name] != without[name]], (core, level))

    def test_without_it_no_symbol_of_it_is_there(self):
        found = [name for made in library("cortex-m3", 1)
                 for name in symbol_sizes(made)]
        self.assertIn("tp_pool_alloc", found)
        self.assertEqual([], [name for name in found if "event" in name])

    def test_an_event_takes_8_bytes_of_ram(self):
        made = self.folder / "tp_events.o"
        Bare.compile("cortex-m3", "-DTP_CHECKS=1", f"-DTIDEPOOL_EVENTS={KEPT}", "-c",
                     "lib/check/tp_events.c", "-o", made)
        self.assertEqual(8 + 8 * KEPT, symbol_sizes(made)["tp_events"])

    def test_what_is_no_number_of_events_is_a_sentence(self):
        for number in ("3", "-4", "100"):
            done = subprocess.run(
                ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb",
                 f"-DTIDEPOOL_EVENTS={number}", f"-I{ROOT}/lib",
                 f"-I{ROOT}/port/cortex_m", "-fsyntax-only",
                 ROOT / "lib" / "check" / "tp_check.c"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.assertNotEqual(0, done.returncode)
            self.assertIn("TIDEPOOL_EVENTS must be 0 or a power of two", done.stdout)

    def test_a_call_that_notes_costs_the_same_whether_the_ring_has_room_or_not(self):
        costs = set()
        for kept in (4, 1024):
            elf = build("mps2_an385", "fast", "calls", kind=f"bench-events{kept}",
                        TIDEPOOL_EVENTS=str(kept)) / "calls.elf"
            said = tool(*emulator("mps2_an385", elf,
                                  icount="shift=10,align=off,sleep=off"))
            costs.add(tuple(re.findall(r"^call (alloc|free) cost=(\d+)$", said, re.M)))
        self.assertEqual([2], [len(one) for one in costs])


if __name__ == "__main__":
    unittest.main()
