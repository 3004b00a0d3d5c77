# SPDX-License-Identifier: MIT
"""tests/proof/proved.json: what is another text, and so proved again? And do the
mistakes that the fuzz must find still change one?"""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "proof"))
sys.path.insert(0, str(ROOT / "tests" / "fuzz"))

import record  # noqa: E402
import run as proofs  # noqa: E402
import seeded  # noqa: E402


class Recorded(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tidepool-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copytree(ROOT / "lib", self.folder / "lib")
        shutil.copytree(proofs.HERE, self.folder / "proof")

    def text(self, unit):
        """As it stands in the copy."""
        return proofs.text_of(unit, self.folder / "lib", self.folder / "proof")

    def is_another(self, unit, file, old, new):
        """Is the text of the unit, where one word of a file is another?"""
        path = self.folder / file
        was, kept = self.text(unit), path.read_text()
        self.assertEqual(1, kept.count(old), (file, old))
        path.write_text(kept.replace(old, new))
        now = self.text(unit)
        path.write_text(kept)
        return now != was

    def test_what_each_control_of_the_proofs_changes_is_another_text(self):
        for unit in proofs.UNITS:
            for file, old, new, *_ in (unit.control, *unit.others):
                self.assertTrue(self.is_another(unit, f"lib/{file}", old, new), old)

    def test_a_contract_and_what_it_is_written_with_are_part_of_the_text(self):
        unit = proofs.UNITS[0]
        self.assertTrue(self.is_another(unit, "proof/tp_model.h",
                                        "predicate slot_scales(", "predicate scales("))
        self.assertTrue(self.is_another(unit, "lib/core/tp_core.h",
                                        "TP_ISSUES(made == \\null, pool, tag);", ""))

    def test_a_comment_and_the_place_of_a_line_are_not(self):
        self.assertFalse(self.is_another(
            proofs.UNITS[0], "lib/core/tp_core.h", "#ifndef TP_CORE_H\n",
            "// New.\n\n#ifndef TP_CORE_H\n"))

    def test_where_it_is_asked_from_is_none_of_it(self):
        unit, before = proofs.UNITS[0], self.text(proofs.UNITS[0])
        self.addCleanup(os.chdir, os.getcwd())
        for folder in (self.folder / "lib", self.folder / "proof"):
            os.chdir(folder)
            self.assertEqual(before, self.text(unit), folder.name)

    def test_what_is_recorded_is_of_a_unit_that_there_is(self):
        self.assertLessEqual(set(record.known()),
                             {unit.sentence for unit in proofs.UNITS})
        self.assertTrue(all(len(one) == 64 for one in record.known().values()))

    def test_another_option_or_version_is_another_digest(self):
        self.assertNotEqual(record.digest(["text", "1"]), record.digest(["text", "2"]))
        self.assertNotEqual(record.digest(["a", "bc"]), record.digest(["ab", "c"]))


class Seeded(unittest.TestCase):
    def test_what_each_mistake_that_the_fuzz_must_find_changes_stands_there_once(self):
        for row in seeded.listed():
            self.assertNotEqual((ROOT / row["file"]).read_text(), seeded.changed(row),
                                row["bug"])
