# SPDX-License-Identifier: MIT
"""Pools that tasks wait for: by real threads, and on paper by each RTOS."""

import os
import shutil
import subprocess
import sys
import unittest

from consumer import HERE, OUT, ROOT, tool

WAITS, PAPER = HERE / "waits", HERE / "paper_rtos"
KERNEL = ROOT / "qemu" / "kernel"  # What stands in for FreeRTOS has its headers.
WAIT_PORTS = ROOT / "port" / "wait"
GENERATOR = ROOT / "lib" / "config" / "tidepool.py"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]
LIMIT_SECONDS = 120


class Threads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = OUT / "waits"
        shutil.rmtree(cls.folder, ignore_errors=True)
        cls.folder.mkdir(parents=True)
        tool(sys.executable, GENERATOR, "generate", WAITS / "pools.toml", "--out",
             cls.folder)

    def played(self, level, port):
        """Exit code and output of six threads under ThreadSanitizer, which ends a
        program with 66 at the first race that it sees."""
        program = self.folder / "waits"
        tool("gcc", "-std=gnu11", "-g", "-O1", "-fsanitize=thread", *WARNINGS[:2],
             f"-DTP_CHECKS={level}", "-I", ROOT / "lib", "-I", ROOT / "port/posix",
             "-I", WAIT_PORTS / "posix", "-I", WAITS, "-I", self.folder,
             WAITS / "main.c", self.folder / "tp_pools.c", port,
             *sorted((ROOT / "lib").glob("*/*.c")), "-o", program, "-pthread")
        result = subprocess.run([program], stdin=subprocess.DEVNULL, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env={**os.environ, "TSAN_OPTIONS": "halt_on_error=1"},
                                timeout=LIMIT_SECONDS)
        return result.returncode, result.stdout

    def test_six_threads_that_want_two_packets_get_them_without_a_race(self):
        for level in range(4):
            with self.subTest(level=level):
                code, said = self.played(level, ROOT / "port/posix/tp_port.c")
                self.assertEqual(0, code, said)
                self.assertRegex(said,
                                 r"^\d+ of 30000 in vain, \d+ refused, 0 live\n$")

    def test_without_the_lock_a_race_is_seen(self):
        code, said = self.played(1, WAITS / "unlocked.c")
        self.assertEqual(66, code, said)
        self.assertIn("WARNING: ThreadSanitizer: data race", said)


class Paper(unittest.TestCase):
    def compile(self, *words, port):
        return subprocess.run(
            [*words, *WARNINGS, "-I", ROOT / "lib", "-I", ROOT / "port/cortex_m",
             "-I", WAIT_PORTS / port, "-I", PAPER, "-I", KERNEL, "-c",
             ROOT / "lib/policy/tp_wait.c", "-o", "/dev/null"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def test_each_port_keeps_to_what_its_rtos_documents(self):
        for port in ("bare", "freertos", "zephyr", "cmsis_rtos2"):
            for compiler in (
                    ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"],
                    ["clang-19", "--target=arm-none-eabi", "-mcpu=cortex-m0",
                     "-ffreestanding"]):
                with self.subTest(port=port, compiler=compiler[0]):
                    made = self.compile(*compiler, "-std=c11", "-O2", port=port)
                    self.assertEqual((0, ""), (made.returncode, made.stdout))

    def test_every_port_on_the_disk_is_tried(self):
        self.assertEqual({"bare", "freertos", "zephyr", "cmsis_rtos2", "posix"},
                         {path.name for path in WAIT_PORTS.iterdir() if path.is_dir()})

    def test_a_table_that_waits_does_not_compile_without_a_port(self):
        made = OUT / "waits_without"
        shutil.rmtree(made, ignore_errors=True)
        tool(sys.executable, GENERATOR, "generate", WAITS / "pools.toml", "--out", made)
        result = subprocess.run(
            ["gcc", "-std=c11", "-I", ROOT / "lib", "-I", ROOT / "port/host", "-I",
             WAITS, "-I", made, "-c", made / "tp_pools.c", "-o", "/dev/null"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertIn("packets: wait = true wants tp_wait_port.h, of a folder of"
                      " port/wait, on the include path", result.stdout)
        self.assertNotEqual(0, result.returncode)


if __name__ == "__main__":
    unittest.main()
