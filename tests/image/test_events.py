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
from support import (LEVELS, ROOT, build, emulator, is_full,  # noqa: E402
                     symbol_sizes, tool)

HOOK = re.compile(r"^ +tp_hook_(event|freed|fault)\(.*\);\n", re.M)
BUILDS = (("cortex-m3", "full"),)
MORE_BUILDS = (("cortex-m0", "fast"), ("cortex-m3", "off"))  # In the full tests.
KEPT = 16


def loaded(made):
    """The bytes of an object file's code, and its symbols' sizes."""
    raw = made.with_suffix(".bin")
    tool("arm-none-eabi-objcopy", "-O", "binary", "-j", ".text", made, raw)
    return raw.read_bytes(), symbol_sizes(made)


class OfEvents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def code(self, lib, core, level, *more):
        """{file: what its object code holds}"""
        out = Path(tempfile.mkdtemp(dir=self.folder))
        subprocess.run(
            ["arm-none-eabi-gcc", f"-mcpu={core}", "-mthumb", "-std=c11", "-Os",
             f"-DTP_CHECKS={LEVELS.index(level)}", f"-I{lib}",
             f"-I{ROOT}/port/cortex_m", *more, "-c", *sorted(lib.glob("*/*.c"))],
            cwd=out, check=True)
        return {made.name: loaded(made) for made in out.glob("*.o")}

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
            self.assertEqual(self.code(bare, core, level),
                             self.code(ROOT / "lib", core, level), (core, level))

    def test_without_it_no_symbol_of_it_is_there(self):
        found = self.code(ROOT / "lib", "cortex-m3", "fast")
        self.assertEqual([], [name for _, symbols in found.values()
                              for name in symbols if "event" in name])

    def test_an_event_takes_8_bytes_of_ram(self):
        sizes = self.code(ROOT / "lib", "cortex-m3", "fast",
                          f"-DTIDEPOOL_EVENTS={KEPT}")["tp_events.o"][1]
        self.assertEqual(8 + 8 * KEPT, sizes["tp_events"])

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
