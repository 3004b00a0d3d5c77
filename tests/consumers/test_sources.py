# SPDX-License-Identifier: MIT
"""One list of sources, one version; what lists must be is checked here."""

import json
import re
import unittest

from consumer import ROOT, tool
from ecosystem import PORT, sources, yaml

VERSION = re.search(r"project\(tidepool VERSION (\S+)",
                    (ROOT / "CMakeLists.txt").read_text())[1]


class Sources(unittest.TestCase):
    def test_the_list_of_cmake_is_what_lies_in_lib(self):
        there = [str(path.relative_to(ROOT))
                 for path in ROOT.glob("lib/*/*.c")]
        self.assertEqual(sorted(there), sources())

    def test_every_manifest_has_the_version_of_cmake(self):
        self.assertEqual(VERSION, json.loads(
            (PORT / "platformio/library.json").read_text())["version"])
        self.assertEqual(VERSION, yaml(
            PORT / "esp-idf/tidepool/idf_component.yml")["version"])

    def test_every_yaml_file_passes_yamllint(self):
        tool("yamllint", "--strict", "-d",
             "{extends: default, rules: {document-start: disable}}",
             *PORT.rglob("*.yml"))
