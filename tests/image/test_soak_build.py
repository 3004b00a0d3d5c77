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
COMPILERS = (["arm-none-eabi-gcc"], ["clang-19", "--target=arm-none-eabi"])


def code(compiler, core, level, lib, *switches):
    """(object -> its instructions as text, symbols that all of them ask for)"""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [*compiler, f"-mcpu={core}", "-mthumb", "-std=c11", "-O2", "-w",
             f"-DTP_CHECKS={level}", f"-I{lib}", f"-I{ROOT}/port/cortex_m",
             *switches, "-c", *map(str, sorted(lib.glob("*/*.c")))], cwd=folder,
            check=True)
        objects = sorted(Path(folder).glob("*.o"))
        asked = {words[1] for words in map(str.split, tool(
            "arm-none-eabi-nm", "-u", *objects).splitlines()) if len(words) == 2}
        return {path.name: tool("arm-none-eabi-objdump", "-dr", path).split(
            "file format")[1] for path in objects}, asked


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
            for compiler in COMPILERS:
                for core, level in BUILDS + MORE_BUILDS * is_full():
                    whole, asked = code(compiler, core, level, ROOT / "lib")
                    empty = [whole.pop(f"{Path(name).stem}.o")
                             for name in ONLY_SANITIZED]
                    self.assertNotIn("<", "".join(empty))
                    self.assertEqual(whole, code(compiler, core, level, bare)[0],
                                     (compiler, core, level))
                    self.assertEqual(asked & HOOKS, set())
                    self.assertNotIn("tp_shadow", str(asked))

    def test_a_build_for_the_soak_asks_of_every_allocator(self):
        found, asked = code(COMPILERS[0], "cortex-m3", 0, ROOT / "lib",
                            "-DTIDEPOOL_SOAK=1")
        self.assertEqual(asked & HOOKS, HOOKS)
        for name in ("tp_core", "tp_stack", "tp_dense", "tp_reloc"):
            for hook in ("tp_soak_refuses", "tp_soak_frees"):
                self.assertIn(hook, found[f"{name}.o"], name)


if __name__ == "__main__":
    unittest.main()
