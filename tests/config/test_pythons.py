# SPDX-License-Identifier: MIT
"""The generator and the decoder, by every Python from 3.8 on that is here."""

import ast
import re
import shutil
import subprocess
import unittest

from helper import GENERATOR, GOLDEN, NAMES, InFolder

NEWEST = 20
SOURCES = [GENERATOR, *[path for package in ("decoder", "generator", "sbom")
                        for path in sorted((GENERATOR.parent / package).glob("*.py"))]]


def pythons():
    """Every python3.N on the path that runs."""
    for minor in range(8, NEWEST):
        path = shutil.which(f"python3.{minor}")
        if path and not subprocess.call([path, "-c", ""], stderr=subprocess.DEVNULL):
            yield path


class Pythons(InFolder):
    def test_it_uses_no_grammar_newer_than_3_8(self):
        for path in SOURCES:
            ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 8))

    def test_it_imports_nothing_but_the_standard_library(self):
        names = set()
        for path in SOURCES:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    names |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    own = node.level or node.module.split(".")[0] in (
                        "decoder", "generator", "sbom")
                    self.assertTrue(own, (path, node.module))
        self.assertEqual(names, {"argparse", "bisect", "collections", "contextlib",
                                 "copy", "datetime", "difflib", "hashlib", "itertools",
                                 "json", "os", "pathlib", "re", "shutil", "secrets",
                                 "struct", "subprocess", "sys", "textwrap", "uuid",
                                 "zlib"})

    def test_no_module_comes_back_to_itself_by_imports(self):
        graph = {}
        for path in SOURCES:
            text = path.read_text(encoding="utf-8")
            graph[path.stem] = re.findall(
                r"^from (?:decoder|sbom)?\.(\w+) import", text, re.M)
        while graph:
            ends = {name for name in graph if not set(graph[name]) & set(graph)}
            self.assertTrue(ends, graph)
            graph = {name: graph[name] for name in set(graph) - ends}

    def test_it_runs_by_a_symbolic_link(self):
        (self.folder / "pools").symlink_to(GENERATOR)
        result = self.run_tool("python3", "pools", "explain", "pools")
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_every_python_writes_the_same_bytes(self):
        for python in pythons():
            for verb in (["schema"], ["explain", "pools"],
                         ["table", GOLDEN / "banks" / "pools.toml"],
                         ["generate", GOLDEN / "banks" / "pools.toml", "--out", "out"]):
                result = self.run_tool(python, "-B", GENERATOR, *verb)
                self.assertEqual(result.returncode, 0, (python, result.stdout))
            for name in NAMES:
                self.assertEqual((self.folder / "out" / name).read_bytes(),
                                 (GOLDEN / "banks" / name).read_bytes(), python)


if __name__ == "__main__":
    unittest.main()
