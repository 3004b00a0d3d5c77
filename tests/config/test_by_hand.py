# SPDX-License-Identifier: MIT
"""Pools written by hand: the same firmware, with them and with what is generated."""

import re
import unittest

from helper import HERE, LEVELS, ROOT, TYPES, InFolder, files, host_library, is_full

BY_HAND = HERE / "by_hand"
DEFINE = ROOT / "lib" / "config" / "tp_define.h"
EVERY_DEFINITION = """
#include "config/tp_define.h"
#include "allocator/tp_blocks.h"
#include "allocator/tp_dense.h"
#include "allocator/tp_dstack.h"
#include "allocator/tp_frame.h"
#include "allocator/tp_nest.h"
#include "allocator/tp_reloc.h"
#include "allocator/tp_stack.h"
TP_POOL_DEFINE(a, 24, 4, 8, .policy = &tp_drop, .refuses = 1);
TP_POOL_DEFINE_TAGGED(b, 24, 4, 8, .policy = &tp_assert);
TP_STACK_DEFINE(c, 256, .full = TP_FULL_DROP);
TP_DSTACK_DEFINE(d, 256, .full = TP_FULL_ASSERT);
TP_FRAME_DEFINE(e, 256, 2, .full = TP_FULL_DROP);
TP_BLOCK_CLASS(f_8, 8, 4, .policy = &tp_drop, .refuses = 1);
TP_BLOCK_CLASS(f_16, 16, 4, .policy = &tp_drop, .refuses = 1);
TP_BLOCKS_DEFINE(f, 1, TP_BLOCK_ROW(f_8), TP_BLOCK_ROW(f_16));
TP_RELOC_DEFINE(g, 256, 4, .moves = 1, .move_bytes = 64);
TP_DENSE_DEFINE(h, 24, 4, 8, .full = 1);
TP_NEST_DEFINE(i, 256, .full = TP_FULL_DROP);
"""
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
INCLUDES = ["-I", ROOT / "lib", "-I", TYPES]
HOST = INCLUDES + ["-I", ROOT / "port" / "host"]


def function_like(path):
    """The macros of a header that take arguments."""
    return re.findall(r"^ *# *define +(\w+)\(", path.read_text(), re.M)


class ByHand(InFolder):
    maxDiff = None

    def expect(self, *command):
        result = self.run_tool(*command)
        self.assertEqual((result.returncode, result.stdout), (0, ""), command)

    def run_with(self, folder, level):
        """By GCC, with the library that the unit tests are linked with."""
        self.expect("gcc", "-std=c11", *WARNINGS, *HOST, "-I", folder,
                    folder / "main.c", folder / "tp_pools.c", *host_library(level),
                    "-Wl,--gc-sections", "-o", "firmware")
        self.expect("./firmware")

    def test_pools_written_by_hand_make_a_firmware_without_python(self):
        for level in LEVELS:
            self.run_with(BY_HAND, level)

    def test_with_the_library_they_are_c11_without_a_warning(self):
        """Of Clang, whose firmware runs in a full run, at the level of most users."""
        sources = [*BY_HAND.glob("*.c"), *sorted((ROOT / "lib").glob("*/*.c")),
                   ROOT / "port/host/tp_port.c"]
        common = ["-std=c11", *WARNINGS, *HOST, "-I", BY_HAND, *sources]
        for level in range(4):
            self.expect("gcc", f"-DTP_CHECKS={level}", *common, "-fsyntax-only")
        by_clang = ["clang-19", "-DTP_CHECKS=1", *common]
        self.expect(*by_clang, "-fsyntax-only")
        if is_full():
            self.expect(*by_clang, "-o", "firmware")
            self.expect("./firmware")

    def test_the_same_firmware_runs_with_what_is_generated(self):
        for name, content in files((BY_HAND / "pools.toml").read_text()).items():
            self.write(name, content)
        self.write("main.c", (BY_HAND / "main.c").read_text())
        self.run_with(self.folder, "fast")

    def test_it_compiles_for_a_cortex_m0(self):
        self.expect("arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-O2",
                    "-std=c11", *WARNINGS, *INCLUDES,
                    "-I", ROOT / "port" / "cortex_m", "-I", BY_HAND, "-c",
                    BY_HAND / "tp_pools.c")

    def test_its_header_is_cpp17_too(self):
        self.write("use.cpp", '#include "tp_pools.h"\nvoid use();\n'
                   "void use() { particles_free(particles_alloc()); "
                   "sounds_get({0}); }\n")
        for compiler in ["g++", "clang++-19"]:
            self.expect(compiler, "-std=c++17", *WARNINGS, *HOST, "-I", BY_HAND, "-c",
                        "use.cpp")

    def test_whatever_may_be_defined_by_hand_takes_its_name_and_bytes_first(self):
        self.write("all.c", EVERY_DEFINITION)
        for level in range(4):
            self.expect("arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-std=c11",
                        *WARNINGS, *INCLUDES, "-I", ROOT / "port" / "cortex_m",
                        f"-DTP_CHECKS={level}", "-c", "all.c")
        used = set(re.findall(r"^(TP_\w+)\(", EVERY_DEFINITION, re.M))
        self.assertEqual(used | {"TP_BLOCK_ROW"}, set(function_like(DEFINE)))

    def test_public_headers_have_at_most_12_macros_with_arguments_in_one_place(self):
        self.assertLessEqual(len(function_like(DEFINE)), 12)
        for path in sorted((ROOT / "lib").rglob("*.h")):
            about = path.read_text().split("\n")[1]
            if path != DEFINE and " - internal" not in about:
                self.assertEqual(function_like(path), [], path)

    def test_a_number_that_cannot_be_stops_the_compiler_with_a_sentence(self):
        text = (BY_HAND / "tp_pools.c").read_text()
        self.write("tp_pools.c", text.replace("ENEMIES_COUNT, 8", "0, 8"))
        shown = self.run_tool("gcc", "-std=c11", *HOST, "-I", BY_HAND, "-c",
                              "tp_pools.c")
        self.assertIn("enemies: a pool has 1 to 32767 slots", shown.stdout)


if __name__ == "__main__":
    unittest.main()
