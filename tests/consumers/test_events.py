# SPDX-License-Identifier: MIT
"""With one option each way to build keeps as many of the last events as it says."""

import re
import unittest

from consumer import PREFIX, Project, exit_code, install, is_full, made_by, tool


def setUpModule():
    install()


class Events(unittest.TestCase):
    def keeps(self, count, elf):
        self.assertEqual(0, exit_code(elf))
        symbols = tool("arm-none-eabi-nm", "-S", elf)
        found = re.findall(r" (\w+) \w tp_events$", symbols, re.M)
        self.assertEqual([8 + 8 * count] * bool(count),
                         [int(size, 16) for size in found])

    def test_by_make_and_made_anew_for_another_number(self):
        """From none to some it is made; of every other change in a full run, else it
        is looked whether each object would be."""
        project = made_by("gcc").elsewhere("make-events")
        self.keeps(0, project.folder / "firmware")
        project.must("make", "-j2", "TIDEPOOL_EVENTS=16")
        self.keeps(16, project.folder / "firmware")
        for count in (64, 0):
            defined = [f"-DTIDEPOOL_EVENTS={count}"] * bool(count)
            self.assertEqual({tuple(defined)}, {
                tuple(re.findall(r"-DTIDEPOOL_EVENTS=\S+", line))
                for line in project.compiled_anew(f"TIDEPOOL_EVENTS={count}")})
            if is_full():
                project.must("make", "-j2", f"TIDEPOOL_EVENTS={count}")
                self.keeps(count, project.folder / "firmware")

    def test_by_cmake(self):
        for way in ("find_package", *["add_subdirectory"] * is_full()):
            project = Project(way, f"{way}-events")
            project.configure(f"-DCMAKE_PREFIX_PATH={PREFIX}",
                              "-DTIDEPOOL_EVENTS=32").must_build()
            self.keeps(32, project.folder / "build" / "firmware")

    def test_what_is_no_number_is_a_sentence(self):
        project = Project("make", "make-events-wrong")
        for number in ("some", "-1"):
            code, output = project.run("make", f"TIDEPOOL_EVENTS={number}")
            self.assertNotEqual(0, code)
            self.assertIn(f'TIDEPOOL_EVENTS is "{number}": it must be 0 or a power of'
                          " two", output)
        code, output = project.run("make", "TIDEPOOL_EVENTS=3")
        self.assertNotEqual(0, code)
        self.assertIn("TIDEPOOL_EVENTS must be 0 or a power of two", output)
        project = Project("add_subdirectory", "add_subdirectory-events-wrong")
        self.assertIn('TIDEPOOL_EVENTS is "many": it must be 0 or a power of two',
                      project.run(
                          "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
                          f"-DCMAKE_TOOLCHAIN_FILE={project.folder}/gcc.cmake",
                          "-DTIDEPOOL_EVENTS=many")[1].replace("\n", " "))


if __name__ == "__main__":
    unittest.main()
