# SPDX-License-Identifier: MIT
"""Each line of port/mpu/README.md is compiled, or printed."""

import re
import unittest

from guarded import GUARDED, ROOT, Image

FOLDER = ROOT / "tests" / "sanitize"
PAGE = (ROOT / "port" / "mpu" / "README.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


def blind(text):
    """Without what another compiler makes otherwise."""
    return re.sub(r"\b0x[0-9a-f]{8}\b", "ADDRESS", text.replace(f"{ROOT}/", ""))


class Page(unittest.TestCase):
    def test_each_block_of_the_page_stands_in_a_firmware_that_runs(self):
        files = [path.read_text() for name in ("guard", "sampled")
                 for path in sorted((FOLDER / name).iterdir())]
        found = blocks("c") + blocks("toml")
        self.assertEqual(4, len(found))
        for block in found:
            self.assertTrue(any(block in text for text in files), block)

    def test_each_fault_of_the_page_is_what_the_dump_of_one_says(self):
        said = [blind(Image(name).decoded(GUARDED[0], Image(name).said(*case)[1]))
                for name, case in (("guard", (GUARDED[0], "overrun")),
                                   ("sampled", (GUARDED[0], "late")))]
        self.assertEqual(said, [blind(block).rstrip() for block in blocks("text")])


if __name__ == "__main__":
    unittest.main()
