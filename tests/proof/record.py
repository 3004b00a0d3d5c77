# SPDX-License-Identifier: MIT
"""What was proved, to the letter: proved.json says it of each unit.

A unit's text is what the prover reads of the project: its file and all that this
includes of lib/ and tests/proof, preprocessed, without comments but contracts, the
functions, the options and the versions of all that takes part. The same text makes
the same goals, and as provers count steps they answer as they did. So what is
recorded need not be asked again until someone changes a word of it.
"""

import functools
import hashlib
import json
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
LIST = HERE / "proved.json"
TOOLS = (["frama-c", "-version"], ["why3", "--version"], ["z3", "--version"],
         ["cvc4", "--version"])
MARK = re.compile(r'# \d+ "([^"]*)"')
COMMENT = re.compile(r"//(?!@)[^\n]*|/\*(?!@).*?\*/", re.S)


@functools.lru_cache(None)
def versions():
    """The first line that each tool says of itself; of one that is missing, nothing."""
    said = []
    for tool in TOOLS:
        try:
            done = subprocess.run(tool, capture_output=True, text=True, check=False)
        except OSError:
            continue
        said += done.stdout.splitlines()[:1]
    return said


def text_of(source, signs, folders):
    """What [source] reads of [folders] when it is compiled with [signs]: macros too,
    since contracts, which are comments to a compiler, use them."""
    done = subprocess.run(["cc", "-E", "-CC", "-dD", *signs, str(source)], text=True,
                          capture_output=True, check=True)
    lines, own = [], False
    for line in done.stdout.splitlines():
        mark = MARK.match(line)
        if mark:
            place = pathlib.Path(mark[1]).resolve()
            own = not mark[1].startswith("<") and any(  # As "<built-in>" does.
                folder in place.parents for folder in folders)
        elif own:
            lines.append(line)
    return " ".join(COMMENT.sub(" ", "\n".join(lines)).split())


def digest(words):
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def known():
    """Sentence of a unit -> digest of what was proved."""
    return json.loads(LIST.read_text())


def write(proved):
    """Adds what was proved to the list."""
    save(LIST, {**known(), **proved})


def save(path, rows):
    path.write_text(json.dumps(rows, indent=1, sort_keys=True) + "\n")


def current(path, text_of):
    """Name -> row, of those whose "text" is still what text_of() says of the name."""
    return {name: one for name, one in json.loads(path.read_text()).items()
            if one["text"] == text_of(name)}
