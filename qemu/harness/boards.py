# SPDX-License-Identifier: MIT
"""The boards there are: what each linker/BOARD.cmake says, which CMake reads too."""

import re
from pathlib import Path
from typing import NamedTuple

from .errors import CannotRun

FOLDER = Path(__file__).resolve().parents[2] / "linker"


class Board(NamedTuple):
    machine: str  # What QEMU calls it,
    of_two: str  # and one that is like it, but has two cores; "": none is.
    core: str  # "cortex-m3"; "" if the file does not say.
    tests: tuple  # The kinds of tests that run on it, beside those on all.


def read(path):
    words = dict(re.findall(r"^set\(TIDEPOOL_(\w+) (.*)\)$", path.read_text(), re.M))
    core = re.search(r"-mcpu=(cortex-\w+)", words.get("CPU", ""))
    return Board(words["MACHINE"], words.get("MACHINE_OF_TWO", ""),
                 core.group(1) if core else "",
                 tuple(words.get("BOARD_TESTS", "").split()))


BOARDS = {path.stem: read(path) for path in sorted(FOLDER.glob("*.cmake"))}


def board_of(name):
    """The board of a run that is there, whose files may have gone since."""
    if name not in BOARDS:
        raise CannotRun(f"there is no board {name} any more: a run on it wants"
                        f" linker/{name}.cmake.")
    return BOARDS[name]
