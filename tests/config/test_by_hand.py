# SPDX-License-Identifier: MIT
"""Pools written by hand: the same firmware, with them and with what is generated."""

import unittest

from helper import HERE, ROOT, TYPES, InFolder, files

BY_HAND = HERE / "by_hand"
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
INCLUDES = ["-I", ROOT / "lib", "-I", TYPES]
HOST = INCLUDES + ["-I", ROOT / "port" / "host"]


class ByHand(InFolder):
    maxDiff = None

    def expect(self, *command):
        result = self.run_tool(*command)
        self.assertEqual((result.returncode, result.stdout), (0, ""), command)

    def run_with(self, folder, compiler, level):
        sources = sorted((ROOT / "lib").glob("*/*.c")) + [ROOT / "port/host/tp_port.c"]
        self.expect(compiler, "-std=c11", *WARNINGS, *HOST, "-I", folder,
                    f"-DTP_CHECKS={level}",
                    "-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections",
                    folder / "main.c", folder / "tp_pools.c", *sources, "-o",
                    "firmware")
        self.expect("./firmware")

    def test_pools_written_by_hand_make_a_firmware_without_python(self):
        for level in range(4):
            self.run_with(BY_HAND, "gcc", level)
        self.run_with(BY_HAND, "clang-19", 1)

    def test_the_same_firmware_runs_with_what_is_generated(self):
        for name, content in files((BY_HAND / "pools.toml").read_text()).items():
            self.write(name, content)
        self.write("main.c", (BY_HAND / "main.c").read_text())
        self.run_with(self.folder, "gcc", 1)

    def test_it_compiles_for_a_cortex_m0(self):
        self.expect("arm-none-eabi-gcc", "-mcpu=cortex-m0", "-mthumb", "-O2",
                    "-std=c11", *WARNINGS, *INCLUDES,
                    "-I", ROOT / "port" / "cortex_m", "-I", BY_HAND, "-c",
                    BY_HAND / "tp_pools.c")

    def test_its_header_is_cpp17_too(self):
        self.write("use.cpp", '#include "tp_pools.h"\nvoid use();\n'
                   "void use() { particles_free(particles_alloc()); sounds_get(0); }\n")
        for compiler in ["g++", "clang++-19"]:
            self.expect(compiler, "-std=c++17", *WARNINGS, *HOST, "-I", BY_HAND, "-c",
                        "use.cpp")

    def test_a_number_that_cannot_be_stops_the_compiler_with_a_sentence(self):
        text = (BY_HAND / "tp_pools.c").read_text()
        self.write("tp_pools.c", text.replace("ENEMIES_COUNT, 8", "0, 8"))
        shown = self.run_tool("gcc", "-std=c11", *HOST, "-I", BY_HAND, "-c",
                              "tp_pools.c")
        self.assertIn("enemies: a pool has 1 to 32767 slots", shown.stdout)


if __name__ == "__main__":
    unittest.main()
