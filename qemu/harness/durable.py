# SPDX-License-Identifier: MIT
"""What outlives a power cut: bytes first, then the name that vouches for them."""

import os


def sync(path):
    """Returns once a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_all(folder):
    """The same of all that lies in it, at any depth."""
    for path, _, names in os.walk(folder, topdown=False):
        for name in names:
            sync(os.path.join(path, name))
        sync(path)


def rename(old, new):
    """Gives a folder a name, which only a whole one gets."""
    sync_all(old)
    os.rename(old, new)
    sync(os.path.dirname(new))
