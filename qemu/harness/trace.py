# SPDX-License-Identifier: MIT
"""`qemu/soak trace DIR --format FORMAT`: a finished run for other people's viewers;
and FW.ELF RAM.BIN in place of DIR the events that a firmware kept (trace_ring).

All but call sites is in what the run said, so it is read once more, piece by piece,
and written as it comes: nothing is built or played, and days take no memory. Whose
the bytes of massif.out are, is asked of the memory of some moments (call_sites).
"""

import shlex
import sys
from pathlib import Path
from typing import NamedTuple

from . import install, resume
from .call_sites import TOOLS, call_sites, why_unknown
from .errors import CannotRun
from .packing import opened
from .result_folder import TELEMETRY, refuse_to_replace
from .stop_signals import stop_signals
from .telemetry import Decoder
from .trace_chrome import chrome
from .trace_ctf import ctf
from .trace_events import happenings, within
from .trace_massif import massif
from .trace_ring import Ring, paths_of, ring_in
from .trace_vcd import vcd
from .usage_result import TRACES
from .verdict import UNDAMAGED
from .whole_output import whole_file, whole_folder

PIECE = 1 << 16


class Run(NamedTuple):
    """A finished run, as what writes a format is given it."""
    folder: Path
    summary: dict
    page: dict
    first: int  # The frames that are asked for.
    last: int
    stop: list  # Holds the reason once somebody wants us to stop.

    @property
    def end(self):
        """The last of these frames that there was."""
        return min(self.last, self.summary["frames"])

    def refuse_to_go_on(self):
        """Raises CannotRun if that is so."""
        if self.stop:
            raise CannotRun(f"stopped by {self.stop[0]}")

    def happenings(self):
        """What happened in these frames, from the beginning at each call."""
        return within(happenings(self._records(), self.summary), self.first, self.last)

    def _records(self):
        decoder, path = Decoder(), self.folder / TELEMETRY
        was_whole = any(one["name"] == UNDAMAGED and one["passed"]
                        for one in self.summary["results"])
        try:
            with opened(path) as telemetry:
                for data in iter(lambda: telemetry.read(PIECE), b""):
                    self.refuse_to_go_on()
                    records = decoder.feed(data)
                    if was_whole and decoder.damaged_bytes:
                        raise CannotRun(f"{path}, what the run said, is damaged.")
                    yield from records
                yield from decoder.finish()
        except FileNotFoundError:
            raise CannotRun(f"{path}, what the run said, is not there any more.") \
                from None


def trace(words):
    """Writes the trace and returns the exit code."""
    with stop_signals() as stop:
        is_run = len(words.files) == 1
        run = _run_in(Path(words.files[0]), words, stop) if is_run else \
            ring_in(words.files, words, stop)
        beside = Path(words.files[0]) if is_run else Path(words.files[1]).parent
        out = Path(words.out) if words.out else beside / TRACES[words.format]
        _refuse_to_replace(words.files, out)
        _WRITE[words.format](run, out, words)
        _say(f"see   {out}")
    return 0


def _refuse_to_replace(files, out):
    """Raises CannotRun if it would be what the trace is made of."""
    refuse_to_replace(out)
    for path in paths_of(files):
        if out.exists() and out.samefile(path):
            raise CannotRun(f"{out} is what the trace is made of, which would be"
                            " replaced; choose another --out.")


def _say(text):
    """Not where --out /dev/stdout may go."""
    print(text, file=sys.stderr, flush=True)


def _run_in(folder, words, stop):
    """Raises CannotRun unless there is a run that came to its end."""
    if not folder.is_dir():
        raise CannotRun(f"there is no folder '{folder}'; of a firmware's own events,"
                        " name its ELF file and a dump of its RAM.")
    summary, page = resume.result_in(folder)
    if not summary["complete"] and not summary["config_hash"]:  # It had not begun.
        raise CannotRun(f"there is nothing to show, for {summary['why']}")
    if not summary["complete"]:
        again = f"qemu/soak run --resume {shlex.quote(str(folder))}"
        raise CannotRun(f"the run in {folder} was stopped before its end; `{again}`"
                        " goes on with it.")
    if words.first > summary["frames"]:
        raise CannotRun(f"the run has no frame {words.first}: it ended in"
                        f" {summary['frames']}.")
    if words.first > words.last:
        raise CannotRun(f"--from {words.first} is behind --to {words.last}.")
    return Run(folder, summary, page, words.first, words.last, stop)


def _chrome(run, out, _):
    with whole_file(out) as file:
        chrome(run, file)


def _vcd(run, out, _):
    with whole_file(out) as file:
        vcd(run, file)


def _ctf(run, out, _):
    with whole_folder(out, ("metadata", "stream")) as (metadata, stream):
        ctf(run, metadata, stream)


def _massif(run, out, words):
    if isinstance(run, Ring):
        with whole_file(out) as file:
            massif(run, file, run.places if words.sites else None)
        return
    unknown = why_unknown(run) if words.sites else ""
    if unknown:
        _say(f"note  whose the bytes are is left out: {unknown}")
    is_asked = words.sites and not unknown
    if is_asked:
        install.ensure(TOOLS, words.install, _say)
    with whole_file(out) as file:
        massif(run, file, call_sites if is_asked else None)


_WRITE = {"ctf": _ctf, "chrome": _chrome, "vcd": _vcd, "massif": _massif}
