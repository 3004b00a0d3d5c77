# SPDX-License-Identifier: MIT
"""README.md shows of each way a part of what the tests build."""

import re
import unittest

from consumer import HERE, ROOT

SECTION = (ROOT / "README.md").read_text().split(
    "## Add it to a firmware")[1].split("\n## ")[0]
BUILT = {
    "ld": ["firmware/firmware.ld"],
    "cmake": ["add_subdirectory/CMakeLists.txt", "fetch_content/CMakeLists.txt",
              "find_package/CMakeLists.txt"],
    "make": ["make/Makefile", "pkg_config/Makefile"],
}


class Blocks(unittest.TestCase):
    def test_each_block_stands_in_a_file_that_is_built(self):
        for language, names in BUILT.items():
            blocks = re.findall(rf"```{language}\n(.*?)```", SECTION, re.S)
            for block, name in zip(blocks, names, strict=True):
                self.assertIn(block, (HERE / name).read_text(), name)
