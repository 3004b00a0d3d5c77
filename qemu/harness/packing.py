# SPDX-License-Identifier: MIT
"""Telemetry of days, packed: a fifth of its size, the same bytes every time."""

import contextlib
import lzma
import os
import shutil

from .errors import CannotRun

SUFFIX = ".xz"
LEAST_BYTES = 16 << 20  # Five hours of the demo; less stays as it is.
PRESET = 0  # A second of processor time for ten megabytes.


def pack(path):
    """Replaces the file, if there is one and it is long."""
    if not path.exists() or path.stat().st_size < LEAST_BYTES:
        return
    with open(path, "rb") as source, \
            lzma.open(f"{path}{SUFFIX}", "wb", preset=PRESET) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    os.unlink(path)


def unpack(path, target):
    """Copies a file, which is packed or not, to where it is not. Raises CannotRun."""
    with opened(path) as source, open(target, "wb") as file:
        shutil.copyfileobj(source, file, 1 << 20)


@contextlib.contextmanager
def opened(path):
    """What to read a file from, which is packed or not. Raises CannotRun."""
    is_packed = not path.exists()
    try:
        with lzma.open(f"{path}{SUFFIX}") if is_packed else open(path, "rb") as file:
            yield file
    except (EOFError, lzma.LZMAError):
        raise CannotRun(f"{path}{SUFFIX} is damaged: it cannot be unpacked.") from None
