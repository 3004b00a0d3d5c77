# SPDX-License-Identifier: MIT
"""The regions that port/mpu makes of rows are those that the registers can have and
the rows ask for, and what it is refused and told is so: on the host, by a model of the
registers."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from guarded import ROOT


class Regions(unittest.TestCase):
    def check(self, folder, *more):
        with tempfile.TemporaryDirectory() as made:
            program = Path(made) / "regions"
            subprocess.run(["gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror",
                            *more, "-I", "port/mpu",
                            f"tests/sanitize/{folder}/main.c", "-o", program],
                           cwd=ROOT, check=True)
            done = subprocess.run([program], stdout=subprocess.PIPE, text=True)
        self.assertEqual((0, ""), (done.returncode, done.stdout))

    def check_regions(self, header, *more):
        self.check("regions", f'-DMPU_HEADER="{header}"', *more)

    def test_of_pmsav7_a_row_is_the_least_region_and_a_fence_is_nothing_beside_it(self):
        self.check_regions("tp_mpu_v7.h")

    def test_of_a_cortex_m0plus_regions_begin_at_256_bytes(self):
        self.check_regions("tp_mpu_v7.h", "-D__ARM_ARCH_6M__")

    def test_of_pmsav8_rows_share_no_32_bytes_and_a_fence_is_twice_or_within(self):
        self.check_regions("tp_mpu_v8.h")

    def test_all_regions_are_used_and_a_refused_access_told_as_the_core_says_it(self):
        """Addresses of 32 bits are pointers there; a sanitizer of addresses keeps its
        own where the registers are."""
        for architecture in (7, 8):
            self.check("registers", f"-D__ARM_ARCH={architecture}", "-I", "lib",
                       "-I", "port/host", "-DTP_CHECKS=1", "-fsanitize=undefined",
                       "-fno-sanitize-recover=all", "-Wno-int-to-pointer-cast",
                       "-Wno-pointer-to-int-cast")


if __name__ == "__main__":
    unittest.main()
