# SPDX-License-Identifier: MIT
"""Files out: whole or not at all, and never in place of one that was read."""

import contextlib
import os
import secrets
import shutil

from .toml import Trouble


def old_bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write_all(contents):
    """Writes the {path: bytes} that differ, all or none; renews the time of each.

    A link stays and leads to what is written; a file that is there keeps its mode.
    """
    temporary = {}
    try:
        for path, data in contents.items():
            if is_device(path):
                with open(path, "wb") as file:
                    file.write(data)
            elif old_bytes(path) != data:
                final = os.path.realpath(path)
                temporary[path] = f"{final}.{secrets.token_hex(8)}.tmp"
                write_beside(final, temporary[path], data)
        for path in list(temporary):
            os.replace(temporary[path], os.path.realpath(path))
            del temporary[path]
        for path in contents:
            os.utime(path)
    except OSError as problem:
        raise cannot_write(path, problem)
    finally:
        for leftover in temporary.values():
            with contextlib.suppress(FileNotFoundError):
                os.remove(leftover)


def cannot_write(path, problem):
    return Trouble(f"{path}: error: cannot write it: {problem.strerror}")


def write_beside(final, temporary, data):
    with open(temporary, "xb") as file:  # No link is followed.
        if os.path.exists(final):
            shutil.copymode(final, temporary)
        file.write(data)


def is_device(path):
    """Or a pipe: it is there, and can be neither replaced nor read to compare."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


@contextlib.contextmanager
def new_file(path, data):
    """Makes a file that is not there yet, which is gone again if the block fails."""
    try:
        file = open(path, "xb")
    except FileExistsError:
        raise Trouble(f"{path}: error: it exists, and is left as it is")
    except OSError as problem:
        raise cannot_write(path, problem)
    try:
        fill(path, file, data)
        yield
    except BaseException:
        os.remove(path)
        raise


def fill(path, file, data):
    try:
        with file:
            file.write(data)
    except OSError as problem:
        raise cannot_write(path, problem)


def refuse_to_replace(inputs, outputs):
    """What is read would be lost, and so would one output by another of its name."""
    for at, path in enumerate(outputs):
        if any(is_same(path, one) for one in inputs):
            raise Trouble(f"{path}: error: it is read, and would be replaced: name "
                          "another file to write")
        if any(is_same(path, one) for one in outputs[:at]):
            raise Trouble(f"{path}: error: two files would be written there: name "
                          "another for one of them")


def is_same(one, other):
    """Whether both names lead to one file, be it there or not."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)
