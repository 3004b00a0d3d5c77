# SPDX-License-Identifier: MIT
"""What make says of a Makefile that includes tidepool.mk, before it compiles."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from consumer import ROOT

MAKEFILE = """\
include tidepool/lib/config/tidepool.mk

firmware: $(TIDEPOOL_FILES)
clean: ; rm -rf $(TIDEPOOL_OUT)
other: ; @echo $(TIDEPOOL_OUT) $(TIDEPOOL_LEVEL) $(notdir $(TIDEPOOL_HEADER))
"""
POOLS = 'tidepool = 1\n[pools]\na = { size = 24, count = 8, full = "drop" }\n'


class Make(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tidepool-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "tidepool").symlink_to(ROOT)
        (self.folder / "Makefile").write_text(MAKEFILE)
        (self.folder / "pools.toml").write_text(POOLS)

    def make(self, *words, timeout=None):
        return subprocess.run(["make", *words], cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=timeout)

    def test_a_setting_that_is_not_one_of_its_words_is_a_sentence(self):
        for name, value, must in (
                ("CHECKS", "fast full", "off, fast, poison or full"),
                ("CHECKS", "", "off, fast, poison or full"), ("SOAK", "0 1", "0 or 1"),
                ("SANITIZE", "1 1", "0 or 1"), ("REPRODUCIBLE", "", "0 or 1"),
                ("OUT", "", "one path, without a blank"),
                ("OUT", "/", "one path, without a blank"),
                ("OUT", "a b", "one path, without a blank"),
                ("POOLS", "", "one path, without a blank"),
                ("POOLS", "my pools.toml", "one path, without a blank"),
                ("PORT", "", "one path, without a blank")):
            done = self.make(f"TIDEPOOL_{name}={value}")
            shown = "" if value == "/" else value
            self.assertEqual(2, done.returncode)
            self.assertIn(f'TIDEPOOL_{name} is "{shown}": it must be {must}.  Stop.',
                          done.stdout)
        self.assertEqual(["Makefile", "pools.toml", "tidepool"],
                         sorted(path.name for path in self.folder.iterdir()))

    def test_a_checkout_in_a_folder_with_a_blank_is_a_sentence(self):
        (self.folder / "my lib").mkdir()
        (self.folder / "tidepool").rename(self.folder / "my lib" / "tidepool")
        (self.folder / "Makefile").write_text(
            MAKEFILE.replace("include tidepool", "include my\\ lib/tidepool"))
        for goal in ("firmware", "clean"):
            done = self.make(goal)
            self.assertEqual(2, done.returncode)
            self.assertIn('there is no "lib/tidepool/lib/config/tidepool.mk": include '
                          "it by a path without a blank.  Stop.", done.stdout)

    def test_the_goal_stays_that_of_who_includes_it_with_a_bill_of_materials_too(self):
        done = self.make("-n", "TIDEPOOL_SBOM=image")
        self.assertIn("-o build/tidepool/tp_core.o", done.stdout)
        self.assertNotIn("sbom", done.stdout)

    def test_who_cleans_needs_no_table_that_is_right(self):
        (self.folder / "pools.toml").write_text(POOLS.replace("size", "sise"))
        for goals, code in (((), 2), (("clean",), 0), (("clean", "firmware"), 2)):
            done = self.make(*goals)
            self.assertEqual(code, done.returncode, done.stdout)
            self.assertEqual(code == 2, "sise" in done.stdout)

    def test_the_folder_may_be_written_with_dots_and_slashes(self):
        for out, shown in ((".", "."), ("./out/", "./out"), ("out//", "out/")):
            done = self.make("--no-print-directory", "other", f"TIDEPOOL_OUT={out}")
            self.assertEqual(f"{shown} 1 tp_pools.h", done.stdout.splitlines()[-1])

    def test_an_included_table_whose_path_is_no_word_of_make_s_is_a_sentence(self):
        """Not a run without end; and who names it otherwise need not clean first."""
        for name in ("my net", "net#1", "net$1", "net\\1", "net"):
            library = self.folder / name / "pools.toml"
            library.parent.mkdir()
            library.write_text('build.name = "net"\n' + POOLS.replace("a =", "b ="))
            path = name.replace("\\", "\\\\")
            (self.folder / "pools.toml").write_text(
                f'build.include = ["{path}/pools.toml"]\n' + POOLS)
            done = self.make("--no-print-directory", "other", timeout=20)
            right = name == "net"
            self.assertEqual(0 if right else 2, done.returncode, done.stdout)
            self.assertEqual(not right, "it must be one path, without a blank"
                             in done.stdout, done.stdout)
        self.assertIn("net_pools.h", done.stdout)


if __name__ == "__main__":
    unittest.main()
