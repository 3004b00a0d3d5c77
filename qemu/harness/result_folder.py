# SPDX-License-Identifier: MIT
"""The folder of a result: written in hiding, published all at once.

A run works in DIR/.running. When everything is written, that is renamed to
DIR/.finished, and from there the files move to DIR: summary.json leaves first
and comes back last, so that whoever finds it finds the files that belong to
it. Whoever is killed in between leaves nothing that cannot be finished later.
"""

import contextlib
import os
import shutil

from .folder_lock import locked

HIDDEN, FINISHED = ".running", ".finished"
ELF, TELEMETRY, CHECKPOINTS = "console.elf", "telemetry.bin", "checkpoints"
HOST_ELF = "host.elf"  # The same firmware as a program of this machine.
HOST_LOG = "host.log"  # What a program of this machine printed as errors.
NEW_ELF = ".console.elf"  # Built, but perhaps of a run that is there already.
RUN, SUMMARY = "run.json", "summary.json"
FILES = (TELEMETRY, ELF, "samples.ndjson", "console.log", "junit.xml", "findings.sarif",
         "report.html", HOST_ELF, CHECKPOINTS, RUN, SUMMARY)


@contextlib.contextmanager
def result_folder(out):
    """Holds DIR; no other soak writes to it until the block ends.

    What is left in hiding then, is left for a run that can go on with it.
    """
    busy = (f"another soak is writing to {out}; wait for it or choose another"
            " --out.")
    with locked(out, busy):
        settle(out)
        try:
            yield
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(out / NEW_ELF)
            if not (out / HIDDEN / RUN).exists():
                shutil.rmtree(out / HIDDEN, ignore_errors=True)


def fresh(out):
    """An empty hidden folder, whatever was there."""
    scratch = out / HIDDEN
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    return scratch


def reopened(out):
    """A hidden folder with what a run stopped before its end needs to go on."""
    scratch = fresh(out)
    for name in (ELF, TELEMETRY):
        shutil.copyfile(out / name, scratch / name)
    shutil.copytree(out / CHECKPOINTS, scratch / CHECKPOINTS)
    with contextlib.suppress(FileNotFoundError):
        shutil.copyfile(out / HOST_ELF, scratch / HOST_ELF)
    # Last: with it, the folder is one that can be gone on with.
    shutil.copyfile(out / RUN, scratch / RUN)
    return scratch


def publish(out):
    """Replaces the previous result, if any, by the one in hiding."""
    os.rename(out / HIDDEN, out / FINISHED)
    settle(out)


def settle(out):
    """Brings to its end a publication that may have been cut short."""
    finished = out / FINISHED
    if (finished / SUMMARY).exists():
        with contextlib.suppress(FileNotFoundError):
            os.unlink(out / SUMMARY)
        for name in FILES:
            _move(finished / name, out / name)
    shutil.rmtree(finished, ignore_errors=True)


def _move(source, target):
    if not source.exists():  # It went there before we were cut short.
        return
    if target.is_dir():
        shutil.rmtree(target)
    os.replace(source, target)
