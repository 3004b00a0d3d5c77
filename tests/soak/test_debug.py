# SPDX-License-Identifier: MIT
"""`qemu/soak debug`: GDB on any frame of a run, in any order."""

import tempfile
import unittest

import trials
from command import soak
from support import build, tool


class Debug(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        elf = build(trials.BOARD, "fast", "soaked_badly") / "soaked_badly.elf"
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        soak("run", "--elf", elf, "--checks", "fast", "--frames", "1200", "--out",
             cls.folder, "--no-share", "--no-why")

    def at(self, *frame):
        said = soak("debug", self.folder, *frame, "--ex", "print tp_clock_now",
                    "--ex", "tp fault", "--ex", "tp holders orders")
        self.assertEqual(0, said.code, said)
        return said.out

    def test_each_frame_is_as_it_was_the_later_ones_first(self):
        for frame in (700, 650, 61):
            said = self.at("--frame", str(frame))
            self.assertIn(f"$1 = {frame}\nno fault was recorded\n", said)
            self.assertRegex(said, r"\n\d+ of \d+ held by take_orders\(\) at"
                                   r" \S+main.c:\d+\n")

    def test_without_a_frame_it_is_that_of_the_first_finding(self):
        self.assertIn("$1 = 700\n", self.at())

    def test_a_firmware_without_symbols_is_a_sentence(self):
        with tempfile.TemporaryDirectory() as work:
            elf = f"{work}/firmware.elf"
            tool("arm-none-eabi-strip", build(trials.BOARD, "fast", "soaked_badly")
                 / "soaked_badly.elf", "-o", elf)
            soak("run", "--elf", elf, "--checks", "fast", "--frames", "120",
                 "--no-share", "--out", f"{work}/out")
            said = soak("debug", f"{work}/out", "--frame", "60", "--ex", "bt")
        self.assertEqual(2, said.code)
        self.assertIn("has no symbols: it needs the file that the linker wrote",
                      said.error)

    def test_a_frame_that_the_run_has_not_is_a_sentence(self):
        said = soak("debug", self.folder, "--frame", "9999")
        self.assertEqual((2, "soak: the run has no frame 9999: it ended in 700.\n"),
                         (said.code, said.error))


if __name__ == "__main__":
    unittest.main()
