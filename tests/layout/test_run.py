# SPDX-License-Identifier: MIT
"""tests/run, as somebody who changes the tree uses it: one test at a time."""

import contextlib
import io
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import LEVELS, ROOT, is_full  # noqa: E402


def run(*words):
    """Exit code, output, what was said of an error."""
    result = subprocess.run([sys.executable, "tests/run", *words], cwd=ROOT,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    return result.returncode, result.stdout, result.stderr


def sentence_of_c():
    sources = "".join(path.read_text() for path in
                      (ROOT / "tests" / "unit" / "pool").glob("*.c"))
    return re.search(r"\bRUN\((\w+)\)", sources)[1]


class Run(unittest.TestCase):
    def test_a_sentence_of_c_is_asked_for_alone_at_every_level(self):
        """It is run by what the next test runs."""
        runner = runpy.run_path(str(ROOT / "tests" / "run"))
        suite, tally = runner["suite_unit"], runner["Tally"]()
        asked = mock.Mock()
        with mock.patch.dict(suite.__globals__, run_cases=asked):
            suite(tally, sentence_of_c())
        asked.assert_called_once_with(
            tally, [*(("host", level, "") for level in LEVELS),
                    ("mps2_an385", "poison", "")], sentence_of_c())

    def test_a_sentence_of_c_runs_alone_on_the_host_and_on_a_board(self):
        runner, case = runpy.run_path(str(ROOT / "tests" / "run")), sentence_of_c()
        machines = [("host", "fast", ""), ("mps2_an385", "poison", "")]
        if is_full():
            machines = [*(("host", level, "") for level in LEVELS), machines[1]]
        with contextlib.redirect_stdout(io.StringIO()) as output:
            runner["run_cases"](runner["Tally"](), machines, case)
        self.assertEqual(
            [f"unit pool {case} {board} {level}: 1 passed, 0 failed"
             for board, level, _ in machines], output.getvalue().splitlines())

    def test_a_method_of_python_runs_alone(self):
        name = "test_every_source_file_names_its_licence"
        code, output, _ = run("layout", name)
        self.assertEqual((code, output.splitlines()[-1]),
                         (0, "1 passed, 0 failed"))

    def test_a_part_of_a_name_with_blanks_is_enough(self):
        code, output, _ = run("layout", "source file names its")
        self.assertEqual((code, output.splitlines()[-1]),
                         (0, "1 passed, 0 failed"))

    def test_a_name_no_test_has_is_refused_with_those_close_to_it(self):
        code, output, trouble = run("layout", "evry_source_file_names_licence")
        self.assertEqual((code, output), (2, ""))
        self.assertIn("test_every_source_file_names_its_licence", trouble)
        code, output, trouble = run("unit", "zzzz")
        self.assertEqual((code, output), (2, ""))
        self.assertEqual(trouble, "tests/run: there is no test 'zzzz', nor one"
                                  " of a like name\n")

    def test_where_nobody_reads_its_output_it_ends_with_a_sentence(self):
        with subprocess.Popen(
                [sys.executable, "tests/run", "layout", "names its licence"], cwd=ROOT,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True) as process:
            process.stdout.close()
            trouble = process.stderr.read()
        self.assertEqual((2, "tests/run: nobody reads its output any more\n"),
                         (process.returncode, trouble))

    def test_a_test_that_fails_in_two_parts_is_one_that_did_not_pass(self):
        def fail(test):
            for part in range(2):
                with test.subTest(part):
                    test.assertEqual(part, -1)
        result = unittest.TestResult()
        type("Parts", (unittest.TestCase,), {"runTest": fail})().run(result)
        runner = runpy.run_path(str(ROOT / "tests" / "run"))
        self.assertEqual((2, 1), (len(result.failures), runner["unfit"](result)))

    def test_with_no_install_what_is_missing_is_named_and_nothing_is_installed(self):
        with tempfile.TemporaryDirectory() as empty:
            result = subprocess.run(
                [sys.executable, "tests/run", "unit", "--no-install"], cwd=ROOT,
                env={"PATH": empty}, stdin=subprocess.DEVNULL, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((2, ""), (result.returncode, result.stdout))
        self.assertRegex(result.stderr, "^tests/run: some tools are missing; install"
                                        " them with: apt-get install .* qemu-utils")
        self.assertNotIn("chromium", result.stderr)

    def test_whatever_python_is_first_on_the_path_tests_are_run_by_debians(self):
        runner = runpy.run_path(str(ROOT / "tests" / "run"))
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch("os.execv") as execv, \
                mock.patch.dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"):
            own = Path(folder) / "python3"
            own.write_text("#!/bin/sh\n")
            own.chmod(0o755)
            with mock.patch.object(sys, "executable", str(own)):
                runner["by_debians_python"]()
            self.assertTrue(os.path.samefile("/usr/bin/python3",
                                             shutil.which("python3")))
        execv.assert_called_once_with(
            "/usr/bin/python3",
            ["/usr/bin/python3", str(ROOT / "tests" / "run"), *sys.argv[1:]])

    def test_asked_for_help_it_says_how_it_is_called(self):
        for words in (("--help",), ("-h",), ("unit", "--help")):
            code, output, trouble = run(*words)
            self.assertEqual((0, ""), (code, trouble))
            self.assertRegex(output, r"(?s)^Runs the tests: .*\n    tests/run unit NA")

    def test_full_beside_a_suite_is_not_said_to_be_none(self):
        self.assertEqual((2, "", "tests/run: full is every suite, and stands alone\n"),
                         run("full", "unit"))

    def test_of_three_words_each_is_a_suite(self):
        code, output, trouble = run("layout", "config", "zzzz")
        self.assertEqual((code, output), (2, ""))
        self.assertIn("there is no suite 'zzzz'", trouble)
