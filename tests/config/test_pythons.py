# SPDX-License-Identifier: MIT
"""The generator, by every Python from 3.8 on that is here."""

import ast
import shutil
import subprocess
import unittest

from helper import GENERATOR, GOLDEN, NAMES, InFolder

NEWEST = 20


def pythons():
    """Every python3.N on the path that runs."""
    for minor in range(8, NEWEST):
        path = shutil.which(f"python3.{minor}")
        if path and not subprocess.call([path, "-c", ""], stderr=subprocess.DEVNULL):
            yield path


class Pythons(InFolder):
    def test_it_uses_no_grammar_newer_than_3_8(self):
        ast.parse(GENERATOR.read_text(encoding="utf-8"), feature_version=(3, 8))

    def test_it_imports_nothing_but_the_standard_library(self):
        tree = ast.parse(GENERATOR.read_text(encoding="utf-8"))
        names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        self.assertEqual(names, {"argparse", "bisect", "collections", "copy", "difflib", "json", "os", "re",
                                 "struct", "sys", "zlib"})
        self.assertFalse([node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)])

    def test_every_python_writes_the_same_bytes(self):
        for python in pythons():
            for verb in (["schema"], ["explain", "pools"], ["table", GOLDEN / "banks" / "pools.toml"],
                         ["generate", GOLDEN / "banks" / "pools.toml", "--out", "out"]):
                result = self.run_tool(python, "-B", GENERATOR, *verb)
                self.assertEqual(result.returncode, 0, (python, result.stdout))
            for name in NAMES:
                self.assertEqual((self.folder / "out" / name).read_bytes(),
                                 (GOLDEN / "banks" / name).read_bytes(), python)


if __name__ == "__main__":
    unittest.main()
