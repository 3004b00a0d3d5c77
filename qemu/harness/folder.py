# SPDX-License-Identifier: MIT
"""The folder of a result: written in hiding, published all at once.

A run works in DIR/.running. When everything is written, the files move to DIR;
summary.json leaves first and comes back last, so that whoever finds it finds
the files that belong to it.
"""

import contextlib
import os
import shutil

from .files import locked

SUMMARY = "summary.json"
FILES = ("telemetry.bin", "console.elf", "samples.ndjson", "console.log",
         "junit.xml", "report.html", SUMMARY)


@contextlib.contextmanager
def working_folder(out):
    """The hidden folder of a run; it is gone when the block ends."""
    busy = (f"another soak is writing to {out}; wait for it or choose another"
            " --out.")
    with locked(out, busy):
        scratch = out / ".running"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir()
        try:
            yield scratch
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def publish(scratch, out):
    """Replaces the previous result, if any, by the one in `scratch`."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(out / SUMMARY)
    for name in FILES:
        os.replace(scratch / name, out / name)
