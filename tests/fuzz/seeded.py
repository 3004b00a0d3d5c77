#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mistakes put into a copy of the library, one at a time: does the fuzz find each?

    tests/fuzz/seeded.py [PART]

of all of seeded.toml, or of those with PART in their sentence. Prints after how many
inputs each was found, and by what. Exit code 0 iff all were.
"""

import shutil
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import NamedTuple

import fuzz
from support import ROOT, ToolFailed

LIST = ROOT / "tests" / "fuzz" / "seeded.toml"
INPUTS = 100000  # Tried at most; few need more than a hundred.


class Found(NamedTuple):
    bug: str
    inputs: int
    by: str  # What showed it; "" if nothing did.


def listed(part=""):
    with open(LIST, "rb") as text:
        return [row for row in tomllib.load(text)["seeded"] if part in row["bug"]]


def changed(row):
    """The text of its file with the mistake. Raises ToolFailed."""
    text = (ROOT / row["file"]).read_text()
    if text.count(row["is"]) != 1:
        raise ToolFailed(f"{LIST.name}: {row['file']} must have this once, for"
                         f" {row['bug']!r}: {row['is']}")
    return text.replace(row["is"], row["becomes"])


def found(image, row):
    with tempfile.TemporaryDirectory(prefix="tidepool-seeded-") as home:
        home = Path(home)
        shutil.copytree(ROOT / "lib", home / "lib")
        (home / row["file"]).write_text(changed(row))
        one = fuzz.tried(image.changed(row["file"], home), image.home, INPUTS)
        return Found(row["bug"], one.inputs, one.trouble)


def all_found(rows):
    """What came of each row, as it does."""
    images = {of: fuzz.Image(*of) for of in {image_of(row) for row in rows}}
    for row in rows:
        yield found(images[image_of(row)], row)


def image_of(row):
    """At which level, and whether with a port of two cores."""
    return row["level"], row.get("cores", False)


def main(words):
    rows = listed(*words)
    if not rows:
        print(f"tests/fuzz/seeded.py: no sentence of {LIST.name} has {words[0]!r}",
              file=sys.stderr)
        return 2
    missed = 0
    for one in all_found(rows):
        print(f"{one.bug}: {one.inputs} inputs, {one.by or 'NOT FOUND'}", flush=True)
        missed += not one.by
    return int(missed > 0)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:2]))
    except ToolFailed as trouble:
        print(f"tests/fuzz/seeded.py: {trouble}", file=sys.stderr)
        sys.exit(2)
