# SPDX-License-Identifier: MIT
"""One list of sources, one version; what lists must be is checked here."""

import json
import re
import unittest
import xml.etree.ElementTree as xml

from consumer import OUT, ROOT, install, tool
from ecosystem import PORT, sources, yaml

HEADER = (ROOT / "lib" / "tidepool_version.h").read_text()
VERSION = re.search(r'VERSION_TEXT "(.*)"', HEADER)[1]


class Sources(unittest.TestCase):
    def test_the_list_of_cmake_is_what_lies_in_lib(self):
        there = [str(path.relative_to(ROOT))
                 for path in ROOT.glob("lib/*/*.c")]
        self.assertEqual(sorted(there), sources())

    def test_the_number_of_the_version_is_that_of_its_text(self):
        number = int(re.search(r"VERSION +(\d+)$", HEADER, re.M)[1])
        parts = (number // 10000, number // 100 % 100, number % 100)
        self.assertEqual(VERSION, ".".join(map(str, parts)))

    def test_the_changelog_begins_with_the_version(self):
        text = (ROOT / "lib" / "CHANGELOG.md").read_text()
        self.assertEqual(VERSION, re.search(r"^## ([\d.]+)", text, re.M)[1])

    def test_cmake_has_the_version_of_the_header(self):
        install()
        cache = (OUT / "host" / "CMakeCache.txt").read_text()
        self.assertIn(f"CMAKE_PROJECT_VERSION:STATIC={VERSION}\n", cache)

    def test_every_manifest_has_the_version_of_the_header(self):
        self.assertEqual(VERSION, json.loads(
            (PORT / "platformio/library.json").read_text())["version"])
        self.assertEqual(VERSION, yaml(
            PORT / "esp-idf/tidepool/idf_component.yml")["version"])
        self.assertEqual(VERSION, xml.parse(PORT / "cmsis-pack/Tidepool.scvd")
                         .getroot().find("component").get("version"))

    def test_every_yaml_file_passes_yamllint(self):
        tool("yamllint", "--strict", "-d",
             "{extends: default, rules: {document-start: disable}}",
             *PORT.rglob("*.yml"))
