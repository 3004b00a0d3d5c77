# SPDX-License-Identifier: MIT
"""The folder of a result: written in hiding, published all at once.

A run works in DIR/.running. When everything is written, that is renamed to
DIR/.finished, and from there the files move to DIR: summary.json leaves first
and comes back last, so that whoever finds it finds the files that belong to
it. Whoever is killed in between leaves nothing that cannot be finished later.
"""

import contextlib
import json
import os
import shutil
from pathlib import Path

from . import durable
from .errors import CannotRun
from .folder_lock import locked
from .packing import SUFFIX, pack, unpack

HIDDEN, FINISHED = ".running", ".finished"
CUT_SHORT = ".cut-short"  # What the same command would have gone on with.
ELF, TELEMETRY, CHECKPOINTS = "console.elf", "telemetry.bin", "checkpoints"
PREFIX, DIGITS = "frame-", 10  # Of the name of a checkpoint.
ONE_OF_THEM = PREFIX + DIGITS * "[0-9]"  # What is called otherwise, is somebody's copy.
PACKED = TELEMETRY + SUFFIX
FORMS = {TELEMETRY: PACKED, PACKED: TELEMETRY}  # There is one of the two.
HOST_ELF = "host.elf"  # The same firmware as a program of this machine.
SANITIZED_ELF = "sanitized.elf"  # The same, built with --sanitize.
HOST_LOG = "host.log"  # What a program of this machine printed as errors.
NEW_ELF = ".console.elf"  # Built, but perhaps of a run that is there already.
RUN, SUMMARY = "run.json", "summary.json"
SWARM = "swarm"  # What repeats its rounds: scenarios, tables, a firmware.
FILES = (SWARM, TELEMETRY, PACKED, ELF, "samples.ndjson", "console.log", "junit.xml",
         "findings.sarif", "report.html", HOST_ELF, SANITIZED_ELF, CHECKPOINTS, RUN,
         SUMMARY)


@contextlib.contextmanager
def result_folder(out):
    """Holds DIR; no other soak writes to it until the block ends.

    What is left in hiding then, is left for a run that can go on with it.
    """
    busy = (f"another soak is writing to {out}; wait for it or choose another"
            " --out.")
    with locked(out, busy):
        settle(out)
        _refuse_others(out)
        try:
            yield
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(out / NEW_ELF)
            if not (out / HIDDEN / RUN).exists():
                shutil.rmtree(out / HIDDEN, ignore_errors=True)


def _refuse_others(out):
    """Raises CannotRun if files are there that we would replace, and not ours."""
    there = [name for name in FILES if (out / name).exists()]
    if there and not _is_ours(out):
        raise CannotRun(f"{out} holds {' and '.join(there)}, which is of no soak and"
                        " would be replaced; choose another --out.")


def _is_ours(out):
    """Whether a soak was here. Others write a summary.json, too."""
    return (out / RUN).exists() or (out / HIDDEN).exists() \
        or "verdict" in (_told(out) or {})


def _told(out):
    """What the summary that is there tells, by name; None if none can be read."""
    try:
        there = json.loads((out / SUMMARY).read_text())
    except (FileNotFoundError, NotADirectoryError, ValueError, RecursionError):
        return None
    return there if isinstance(there, dict) else {}


def refuse_to_replace(path):
    """Raises CannotRun if a file is to be written in the place of one of a result."""
    final = Path(os.path.realpath(path))
    for folder in final.parents:
        name = final.relative_to(folder).parts[0]
        if name in FILES and any((folder / page).exists() for page in (RUN, SUMMARY)):
            raise CannotRun(f"{path} is of the result in {folder} and would be"
                            " replaced; choose another --out.")


def refuse_unless(key, out, whose):
    """Raises CannotRun if a summary is there that is another kind of result."""
    told = _told(out)
    if told is not None and key not in told:
        raise CannotRun(f"{out} holds another result, which that of {whose} would"
                        " replace; choose another --out.")


def fresh(out):
    """An empty hidden folder, whatever was there."""
    scratch = out / HIDDEN
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    return scratch


def set_aside(out, is_kept):
    """Before a run begins anew: what was cut short is kept or forgotten."""
    shutil.rmtree(out / CUT_SHORT, ignore_errors=True)
    if is_kept:
        os.rename(out / HIDDEN, out / CUT_SHORT)


def bring_back(out):
    """In place of a run that did not get as far."""
    if _last_checkpoint(out / CUT_SHORT) > max(_last_checkpoint(out / HIDDEN),
                                               _last_checkpoint(out)):
        shutil.rmtree(out / HIDDEN, ignore_errors=True)
        os.rename(out / CUT_SHORT, out / HIDDEN)


def _last_checkpoint(folder):
    """The name of the last; they are in order."""
    return max((one.name for one in (folder / CHECKPOINTS).glob(ONE_OF_THEM)),
               default="")


def reopened(out):
    """A hidden folder with what a run stopped before its end needs to go on. Raises
    CannotRun."""
    scratch = fresh(out)
    try:
        shutil.copyfile(out / ELF, scratch / ELF)
        unpack(out / TELEMETRY, scratch / TELEMETRY)
        shutil.copytree(out / CHECKPOINTS, scratch / CHECKPOINTS)
    except FileNotFoundError as missing:
        raise CannotRun(f"{missing.filename} is not there any more, and without it"
                        " the run cannot go on; start a new one.") from None
    for built in (HOST_ELF, SANITIZED_ELF):
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(out / built, scratch / built)
    # Last: with it, the folder is one that can be gone on with.
    shutil.copyfile(out / RUN, scratch / RUN)
    return scratch


def publish(out):
    """Replaces the previous result, if any, by the one in hiding."""
    pack(out / HIDDEN / TELEMETRY)
    durable.rename(out / HIDDEN, out / FINISHED)
    _forget(out / SUMMARY)
    for name in FILES:
        if not (out / FINISHED / name).exists():
            _forget(out / name)
    settle(out)


def settle(out):
    """Brings to its end a publication that may have been cut short."""
    finished = out / FINISHED
    if (finished / SUMMARY).exists():
        _forget(out / SUMMARY)
        for name in FILES:
            _move(finished / name, out / name)
        durable.sync(out)
    shutil.rmtree(finished, ignore_errors=True)


def _forget(path):
    """A file, a link or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)


def _move(source, target):
    if not source.exists():  # It went there before we were cut short.
        return
    if source.name in FORMS:
        _forget(target.with_name(FORMS[source.name]))
    if target.is_dir():
        _forget(target)
    os.replace(source, target)
