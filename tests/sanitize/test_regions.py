# SPDX-License-Identifier: MIT
"""The regions that port/mpu makes of rows are those that the registers can have and
the rows ask for: on the host, by a model of the registers."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from guarded import ROOT


class Regions(unittest.TestCase):
    def check(self, header, *more):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "regions"
            subprocess.run(["gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror",
                            f'-DMPU_HEADER="{header}"', *more, "-I", "port/mpu",
                            "tests/sanitize/regions/main.c", "-o", program], cwd=ROOT,
                           check=True)
            done = subprocess.run([program], stdout=subprocess.PIPE, text=True)
        self.assertEqual((0, ""), (done.returncode, done.stdout))

    def test_of_pmsav7_a_row_is_the_least_region_and_a_fence_is_nothing_beside_it(self):
        self.check("tp_mpu_v7.h")

    def test_of_a_cortex_m0plus_regions_begin_at_256_bytes(self):
        self.check("tp_mpu_v7.h", "-D__ARM_ARCH_6M__")

    def test_of_pmsav8_rows_share_no_32_bytes_and_a_fence_is_twice_or_within(self):
        self.check("tp_mpu_v8.h")


if __name__ == "__main__":
    unittest.main()
