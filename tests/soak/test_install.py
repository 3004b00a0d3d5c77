# SPDX-License-Identifier: MIT
import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import paper  # noqa: F401 - makes the harness importable
from harness import install
from harness.errors import CannotRun
from harness.options import HOST, Options

TOOLS = {"sh": "dash", "newt --works": "libnewt", "newt": "newt"}


class Install(unittest.TestCase):
    """With a PATH of our own, on which apt-get is a script."""

    def setUp(self):
        self.bin = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.bin)
        for name in ("sh", "env", "cat", "chmod", "true"):
            (self.bin / name).symlink_to(shutil.which(name))
        self.log = self.bin / "log"
        self.log.write_text("")
        path = mock.patch.dict(os.environ, {"PATH": str(self.bin)})
        path.start()
        self.addCleanup(path.stop)
        self.be_user(0)

    def be_user(self, number):
        user = mock.patch("os.geteuid", lambda: number)
        user.start()
        self.addCleanup(user.stop)

    def script(self, name, body):
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def apt_get(self, body):
        """It logs its words and how it was asked to behave."""
        self.script("apt-get", f'echo "$DEBIAN_FRONTEND $*" >> {self.log}\n'
                               f"{body}")

    def ensure(self, install_missing=True):
        install.ensure(TOOLS, install_missing, say=lambda _: None)

    makes_newt = property(lambda self: (
        f"case $* in *install*) printf '#!/bin/sh\\n' > {self.bin}/newt;"
        f" chmod +x {self.bin}/newt;; esac"))

    def test_nothing_happens_when_nothing_is_missing(self):
        self.apt_get("exit 1")
        self.script("newt", "")
        self.ensure()
        self.assertEqual(self.log.read_text(), "")

    def test_what_is_missing_is_installed_without_questions(self):
        self.apt_get(self.makes_newt)
        self.ensure()
        self.assertEqual(
            self.log.read_text(), "noninteractive install --yes"
            " --no-install-recommends libnewt newt\n")

    def test_package_lists_are_fetched_only_when_needed(self):
        self.apt_get(f"if [ -e {self.bin}/lists ]; then\n"
                     f"{self.makes_newt}\nexit; fi\n"
                     f"case $* in update) : > {self.bin}/lists;; *) exit 100;;"
                     " esac")
        self.ensure()
        verbs = [line.split()[1] for line in self.log.read_text().splitlines()]
        self.assertEqual(verbs, ["install", "update", "install"])

    def test_no_install_only_prints_the_line(self):
        self.apt_get("")
        with self.assertRaisesRegex(CannotRun, "apt-get install"
                                    " --no-install-recommends libnewt newt$"):
            self.ensure(install_missing=False)
        self.assertEqual(self.log.read_text(), "")

    def test_a_command_that_does_not_succeed_is_missing(self):
        self.script("newt", 'exit "$#"')
        with self.assertRaisesRegex(CannotRun, "recommends libnewt$"):
            self.ensure(install_missing=False)

    def test_a_command_of_one_word_is_there_whether_it_succeeds_or_not(self):
        self.script("newt", 'test "$1" = --works')
        self.ensure(install_missing=False)

    def test_apt_get_that_fails_shows_its_own_words(self):
        self.apt_get("echo no such package; exit 100")
        with self.assertRaisesRegex(CannotRun, "by hand: apt-get") as trouble:
            self.ensure()
        self.assertEqual(trouble.exception.output, "no such package\n")

    def test_packages_that_bring_no_command_are_named(self):
        self.apt_get("")
        with self.assertRaisesRegex(CannotRun, "yet not found"):
            self.ensure()

    def test_without_apt_get_the_packages_are_still_named(self):
        with self.assertRaisesRegex(CannotRun, "no apt-get.*libnewt newt"):
            self.ensure()

    def test_a_user_who_may_not_become_root_is_told_the_line(self):
        self.apt_get("")
        self.be_user(1000)
        with self.assertRaisesRegex(CannotRun, "run: sudo apt-get install"):
            self.ensure()

    def test_a_user_whom_sudo_refuses_is_told_the_line_and_nothing_is_installed(self):
        self.apt_get("")
        self.be_user(1000)
        self.script("sudo", "exit 1")
        with self.assertRaisesRegex(CannotRun, "run: sudo apt-get install"):
            self.ensure()
        self.assertEqual("", self.log.read_text())

    def test_a_user_who_may_becomes_root_by_sudo(self):
        self.apt_get(self.makes_newt)
        self.be_user(1000)
        self.script("sudo", f'echo sudo >> {self.log}\nshift\nexec "$@"')
        self.ensure()
        self.assertIn("sudo\nnoninteractive install", self.log.read_text())


class Wanted(unittest.TestCase):
    def test_of_a_firmware_that_is_there_nothing_is_wanted_that_builds_one(self):
        builders = {"arm-none-eabi-gcc", "cmake", "gcc", "ninja"}
        for board in ("mps2_an385", HOST):
            for with_host in (False, True):
                asked = Options(board=board, with_host=with_host)
                self.assertLess({"cmake", "ninja"}, set(install.tools_of(asked)))
                own = install.tools_of(Options(board=board, with_host=with_host,
                                               elf="own.elf"))
                self.assertFalse(builders & set(own), own)
                self.assertIn("qemu-img", own)

    def test_what_a_run_starts_is_looked_for_before_and_the_host_s_if_it_plays_there(
            self):
        board = {"arm-none-eabi-gcc", "cmake", "ninja", "qemu-img", "qemu-system-arm",
                 "arm-none-eabi-gcc -E -x c -include string.h /dev/null"}
        own = {"arm-none-eabi-addr2line", "qemu-img", "qemu-system-arm"}
        host = {"gcc", "gcc -E -x c -include stdio.h /dev/null"}
        for options, wanted in (
                (Options(), board), (Options(with_host=True), board | host),
                (Options(board=HOST), board | host), (Options(elf="own.elf"), own),
                (Options(elf="own.elf", with_host=True), own | {"addr2line"}),
                (Options(elf="own.elf", board=HOST), own | {"addr2line"})):
            self.assertEqual(wanted, set(install.tools_of(options)))
