# SPDX-License-Identifier: MIT
"""lib/config/README.md keeps up with the keys."""

import re
import unittest

from helper import ROOT, complaints, tidepool

README = (ROOT / "lib" / "config" / "README.md").read_text(encoding="utf-8")


class Readme(unittest.TestCase):
    def test_its_tables_name_every_key_and_no_other(self):
        for title, keys in [("build", tidepool.BUILD_KEYS), ("banks", tidepool.BANK_KEYS),
                            ("pools", tidepool.POOL_KEYS)]:
            section = README.split(f"## `[{title}]`")[1].split("\n## ")[0]
            self.assertEqual(re.findall(r"^\| `(\w+)`", section, re.M), list(keys))

    def test_its_example_has_no_complaints(self):
        self.assertEqual(complaints(re.search(r"```toml\n(.*?)```", README, re.S)[1]), [])


if __name__ == "__main__":
    unittest.main()
