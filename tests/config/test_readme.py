# SPDX-License-Identifier: MIT
"""lib/config/README.md keeps up with the keys."""

import re
import unittest

from helper import ROOT, complaints, rewriting
from generator.cli import command_line
from generator.model import SECTIONS

PATH = ROOT / "lib" / "config" / "README.md"


def section(text, title):
    """The head, the rows and the rest of the table under a heading."""
    return re.fullmatch(rf"(.*\n## `\[{title}\]`\n\n\|[^\n]*\n\|---\|---\|---\|\n)"
                        r"((?:\|[^\n]*\n)*)(.*)", text, re.S)


def rows(keys):
    return "".join(f"| `{name}` | {key.value} | {key.says} |\n" for name,
                   key in keys.items())


class Readme(unittest.TestCase):
    maxDiff = None

    def test_its_tables_say_of_every_key_what_explain_says(self):
        for title, keys in [(name, section.keys) for name,
                            section in SECTIONS.items() if section.keys]:
            head, found, rest = section(PATH.read_text(encoding="utf-8"),
                                        title).groups()
            if rewriting():
                PATH.write_text(head + rows(keys) + rest, encoding="utf-8")
                found = rows(keys)
            self.assertEqual(found, rows(keys))

    def test_it_names_every_verb(self):
        verbs = re.findall(r"^    tidepool.py (\w+)", PATH.read_text(encoding="utf-8"),
                           re.M)
        self.assertEqual(verbs,
                         list(command_line()._subparsers._group_actions[0].choices))

    def test_its_example_has_no_complaints(self):
        example = re.search(r"```toml\n(.*?)```", PATH.read_text(encoding="utf-8"),
                            re.S)[1]
        self.assertEqual(complaints(example), [])


if __name__ == "__main__":
    unittest.main()
