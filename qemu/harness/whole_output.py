# SPDX-License-Identifier: MIT
"""A file, or a folder of some, that has its name only once all of it is written."""

import contextlib
import errno
import os
import shutil
from pathlib import Path

from .errors import CannotRun
from .folder_lock import make, makeable


@contextlib.contextmanager
def whole_file(path):
    """A binary file to write to. What is no regular file, as a pipe, is written to
    itself."""
    if path.exists() and not path.is_file():
        with _named(path, path), open(path, "wb") as file:
            yield file
        return
    final, hidden = _places(path)
    try:
        with _named(path, hidden):
            with open(hidden, "wb") as file:
                yield file
            os.replace(hidden, final)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(hidden)


@contextlib.contextmanager
def whole_folder(path, names):
    """The binary files of these names in a folder. One that is there is replaced, if
    it holds such files and no others."""
    if path.exists() and not (path.is_dir() and set(os.listdir(path)) <= set(names)):
        raise CannotRun(f"{path} is there and is no trace, which would be replaced;"
                        " choose another --out.")
    final, hidden = _places(path)
    try:
        with _named(path, hidden):
            hidden.mkdir()
            with contextlib.ExitStack() as files:
                yield [files.enter_context(open(hidden / name, "wb"))
                       for name in names]
            shutil.rmtree(final, ignore_errors=True)
            os.rename(hidden, final)
    finally:
        shutil.rmtree(hidden, ignore_errors=True)


def _places(path):
    """Where it goes, whatever links lead there, and where it is until then: beside
    it, in a folder that is made if it is not there."""
    final = Path(os.path.realpath(path))
    if final.is_symlink():  # It leads in a circle.
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    make(final.parent)
    return final, final.with_name(f".{final.name}.{os.getpid()}")


@contextlib.contextmanager
def _named(path, written):
    """What cannot be written goes by the name that was given."""
    try:
        yield
    except OSError as trouble:
        if not str(trouble.filename or written).startswith(str(written)):
            raise
        with makeable(path):
            raise OSError(trouble.errno, trouble.strerror, str(path)) from None
