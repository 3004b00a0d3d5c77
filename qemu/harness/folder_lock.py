# SPDX-License-Identifier: MIT
"""A lock on a folder that two runs must not write at the same time."""

import contextlib
import fcntl
import os

from .errors import CannotRun


@contextlib.contextmanager
def locked(folder, busy=""):
    """Holds `folder` until the block ends; the kernel lets go if we die.

    Waits for whoever holds it, or raises CannotRun(busy) if `busy` is given.
    """
    make(folder)
    handle = os.open(folder, os.O_RDONLY)
    try:
        _lock(handle, busy)
        yield folder
    finally:
        os.close(handle)


def make(folder):
    """With all above it."""
    with makeable(folder):
        folder.mkdir(parents=True, exist_ok=True)


@contextlib.contextmanager
def makeable(path):
    """Raises CannotRun of /proc, where nothing can be made."""
    try:
        yield
    except FileNotFoundError as trouble:
        raise CannotRun(f"{path} cannot be made: {trouble.strerror}; choose"
                        " another --out.") from None


def _lock(handle, busy):
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (fcntl.LOCK_NB if busy else 0))
    except BlockingIOError:
        raise CannotRun(busy) from None
