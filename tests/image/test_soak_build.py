# SPDX-License-Identifier: MIT
"""What a build for the soak asks of each request is in no other build, nor what a
sanitized one asks at each load and store."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bare import Bare, library  # noqa: E402
from support import ROOT, is_full, tool  # noqa: E402

HOOKS = {"tp_soak_refuses", "tp_soak_issued", "tp_soak_frees"}
# A line, with those that it goes on in.
LINE = re.compile(r"(?:[^\n]*\\\n)*[^\n]*\n")
BUILDS = (("cortex-m3", 1),)  # Core and level.
MORE_BUILDS = (("cortex-m0", 1), ("cortex-m3", 0), ("cortex-m3", 3))  # In the full.
ONLY_SANITIZED = ("check/tp_sanitize.c", "check/tp_sanitize_memory.c",
                  "core/tp_shadow_pool.c", "allocator/tp_shadow_kinds.c")
# A part for it, and what stands there without.
SANITIZED = re.compile(r"^#if TIDEPOOL_SANITIZE\n.*?^(?:#else\n(.*?)^)?#endif\n",
                       re.M | re.S)
ASKING = ("core/tp_core.c", "allocator/tp_stack.c", "allocator/tp_dense.c",
          "allocator/tp_reloc.c")  # Of a build for the soak.


def by_clang(folder, core, level, lib):
    """The objects of all of it, in a folder of that folder."""
    folder = Path(tempfile.mkdtemp(dir=folder))
    subprocess.run(
        ["clang-19", "--target=arm-none-eabi", f"-mcpu={core}", "-mthumb", "-std=c11",
         "-O2", "-w", f"-DTP_CHECKS={level}", f"-I{lib}", f"-I{ROOT}/port/cortex_m",
         "-c", *sorted(lib.glob("*/*.c"))], cwd=folder, check=True)
    return sorted(folder.glob("*.o"))


def asked(objects):
    """The symbols that they ask for, and do not define."""
    lines = tool("arm-none-eabi-nm", "-u", *objects).splitlines()
    return {words[1] for words in map(str.split, lines) if len(words) == 2}


def without_hooks(folder):
    """A copy of the library that has not one line of them."""
    lib = Path(folder) / "lib"
    shutil.copytree(ROOT / "lib", lib)
    for name in ONLY_SANITIZED:
        (lib / name).unlink()
    for path in [*lib.glob("*/*.c"), *lib.glob("*/*.h")]:
        text = "".join(line for line in LINE.findall(path.read_text())
                       if "tp_hook_" not in line or line.startswith("#define"))
        path.write_text(SANITIZED.sub(r"\1", text))
    return lib


class SoakBuild(unittest.TestCase):
    def test_a_release_is_byte_for_byte_as_if_there_was_nothing_of_both(self):
        with tempfile.TemporaryDirectory() as folder:
            bare = without_hooks(folder)
            for core, level in BUILDS + MORE_BUILDS * is_full():
                self.assert_same(library(core, level), library(core, level, lib=bare))
                self.assert_same(by_clang(folder, core, level, ROOT / "lib"),
                                 by_clang(folder, core, level, bare))

    def assert_same(self, whole, bare):
        """Of all that is no code of the sanitizer, and that has nothing."""
        only = {f"{Path(name).stem}.o" for name in ONLY_SANITIZED}
        self.assertEqual({one.name for one in bare}, {one.name for one in whole} - only)
        self.assertNotIn("<", tool("arm-none-eabi-objdump", "-dr", *[
            one for one in whole if one.name in only]))
        for one in bare:
            same = (whole[0].parent / one.name).read_bytes() == one.read_bytes()
            self.assertTrue(same, one)
        names = asked(whole)
        self.assertEqual(set(), names & HOOKS)
        self.assertNotIn("tp_shadow", str(names))

    def test_a_build_for_the_soak_asks_of_every_allocator(self):
        every = set()
        for source in ASKING:
            with tempfile.TemporaryDirectory() as folder:
                made = Path(folder) / "made.o"
                Bare.compile("cortex-m3", "-DTP_CHECKS=0", "-DTIDEPOOL_SOAK=1", "-c",
                             f"lib/{source}", "-o", made)
                names = asked([made])
            self.assertLessEqual({"tp_soak_refuses", "tp_soak_frees"}, names, source)
            every |= names
        self.assertLessEqual(HOOKS, every)


if __name__ == "__main__":
    unittest.main()
