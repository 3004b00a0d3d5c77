# SPDX-License-Identifier: MIT
"""Checkpoints: where a run that was killed goes on.

A checkpoint is a folder that appears whole, by a rename: the emulator's state
as a qcow2 image, and a page about it with the checksums of the image and of
the telemetry up to that moment. Everything else a run knows is in the
telemetry, so a run goes on by reading that again.
"""

import errno
import hashlib
import json
import os
import shutil
import subprocess
from typing import NamedTuple

from . import durable
from .errors import CannotRun
from .monitor import NoAnswer
from .result_folder import CHECKPOINTS, DIGITS, ONE_OF_THEM, PREFIX, TELEMETRY

DISK = "disk.qcow2"
PAGE = "checkpoint.json"
SNAPSHOT = "soak"  # The name inside the image; each image holds one.
KEPT = 8  # The newest; a fault may have been sown before the last of them.


# What its page says.
KEYS = {"frame": int, "telemetry_bytes": int, "wall_seconds": (int, float),
        "telemetry_sha256": str, "disk_sha256": str}


class NotKept(Exception):
    """A checkpoint that could not be written, and why."""


class Start(NamedTuple):
    """Where a run begins: at power-on, or at a checkpoint."""
    frame: int = 0
    telemetry_bytes: int = 0
    wall_seconds: float = 0.0
    snapshot: str = ""


def power_on(folder):
    """Gives the emulator an empty disk and a telemetry file to begin with."""
    (folder / CHECKPOINTS).mkdir(exist_ok=True)
    (folder / TELEMETRY).write_bytes(b"")
    _create_disk(folder / DISK)
    return Start()


def take(monitor, folder, frame, wall_seconds):
    """Freezes the guest for a moment and keeps what it is then.

    Does nothing if QEMU has ended meanwhile. Raises NotKept if the state
    cannot be written; the checkpoints there are stay as they are.
    """
    new = folder / CHECKPOINTS / ".new"
    try:
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        frozen = _freeze(monitor, folder, new)
        _write_page(new, dict(frozen, frame=frame,
                              wall_seconds=round(wall_seconds, 3)))
        durable.sync(folder / TELEMETRY)
        durable.rename(new, _vacant(folder / CHECKPOINTS / _name(frame)))
    except NoAnswer:
        shutil.rmtree(new, ignore_errors=True)
        return
    except OSError as trouble:
        raise NotKept("a checkpoint could not be written:"
                      f" {trouble.strerror}") from None


def forget(folder, found):
    """Removes the oldest, but what `why` begins with: the last before the first
    finding, which was in frame `found`, or None; and the one before that, as
    each was made somewhat after the frame of its name."""
    before = [one for one in all_in(folder)
              if found is not None and int(one.name[len(PREFIX):]) < found]
    for old in all_in(folder)[:-KEPT]:
        if old not in before[-2:]:
            shutil.rmtree(old)


def _freeze(monitor, folder, new):
    """Copies the guest's state to `new`; the checksums that belong to it."""
    monitor.ask("stop")
    _savevm(monitor)
    shutil.copyfile(folder / DISK, new / DISK)
    size = os.path.getsize(folder / TELEMETRY)
    monitor.human(f"delvm {SNAPSHOT}")
    monitor.ask("cont")
    return {"telemetry_bytes": size,
            "telemetry_sha256": _digest(folder / TELEMETRY, size),
            "disk_sha256": _digest(new / DISK)}


def all_in(folder):
    """The complete checkpoints of a run, oldest first."""
    return sorted((folder / CHECKPOINTS).glob(ONE_OF_THEM))


def newest_whole(folder, say):
    """Makes `folder` what it was at its newest checkpoint that is whole, and
    returns the start; power-on, if none is."""
    for one in reversed(all_in(folder)):
        try:
            return _restore(folder, one)
        except CannotRun as trouble:
            say(f"{trouble} Going on from the one before it.")
            shutil.rmtree(one)
    return power_on(folder)


def _restore(folder, checkpoint):
    """Makes `folder` what it was at `checkpoint` and returns the start."""
    page = read_page(checkpoint)
    telemetry, size = folder / TELEMETRY, page["telemetry_bytes"]
    load(checkpoint, folder)
    _compare(checkpoint, telemetry, size, page["telemetry_sha256"])
    os.truncate(telemetry, size)
    return Start(page["frame"], size, page["wall_seconds"], SNAPSHOT)


def load(checkpoint, folder):
    """Puts the checkpoint's state on the emulator's disk in `folder`."""
    _compare(checkpoint, checkpoint / DISK, None,
             read_page(checkpoint)["disk_sha256"])
    shutil.copyfile(checkpoint / DISK, folder / DISK)


def read_page(checkpoint):
    try:
        page = json.loads((checkpoint / PAGE).read_text())
        whole = all(isinstance(page[key], kind) for key, kind in KEYS.items()) \
            and page["telemetry_bytes"] >= 0
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        whole = False
    if not whole:
        raise _damaged(checkpoint, f"{PAGE} cannot be read")
    if checkpoint.name != _name(page["frame"]):
        raise _damaged(checkpoint, f"{PAGE} is of frame {page['frame']}")
    return page


def _name(frame):
    return f"{PREFIX}{frame:0{DIGITS}}"


def _savevm(monitor):
    trouble = monitor.human(f"savevm {SNAPSHOT}")
    if trouble:
        raise NotKept(f"QEMU could not write a checkpoint: {trouble}")


def _create_disk(path):
    whole = os.path.abspath(path)  # qemu-img takes "at:12" for a protocol.
    made = subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", whole, "64M"],
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          errors="replace")
    if made.returncode == 0:
        return
    if os.strerror(errno.ENOSPC) in made.stderr:
        raise CannotRun(f"the disk of {path.parent} is full; free some space or choose"
                        " another --out.")
    raise CannotRun(f"{path} could not be made, and why is said above; correct that or"
                    " choose another --out.", made.stderr)


def _write_page(folder, page):
    (folder / PAGE).write_text(json.dumps(page, indent=2) + "\n")


def _vacant(path):
    """`path`, without what a run that went on from before left there."""
    shutil.rmtree(path, ignore_errors=True)
    return path


def _digest(path, size=None):
    """SHA-256 of the first `size` bytes; of all of them without `size`."""
    sha = hashlib.sha256()
    with open(path, "rb") as file:
        left = os.path.getsize(path) if size is None else size
        while left:
            data = file.read(min(left, 1 << 20))
            if not data:
                break
            sha.update(data)
            left -= len(data)
    return sha.hexdigest()


def _compare(checkpoint, path, size, digest):
    try:
        same = _digest(path, size) == digest
    except OSError:
        raise _damaged(checkpoint, f"{path.name} cannot be read") from None
    if not same:
        raise _damaged(checkpoint, f"{path.name} is not what was written")


def _damaged(checkpoint, how):
    return CannotRun(f"checkpoint {checkpoint} is damaged: {how}.")
