# SPDX-License-Identifier: MIT
"""`qemu/soak why DIR`: from where a bug was noticed to the store that did it.

The run is repeated up to shortly before, recorded from there, and replayed
under GDB, which can go backwards in a replay. If the store lies before the
recording, the next one begins earlier.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from . import checkpoint, install, machine, resume
from .errors import CannotRun
from .monitor import NoAnswer
from .options import FRAMES_PER_SECOND, Options
from .result_folder import ELF, TELEMETRY
from .telemetry import Audit, Decoder, Fault
from .why_text import told

TOOLS = {"gdb-multiarch": "gdb-multiarch",
         "qemu-system-arm": "qemu-system-arm", "qemu-img": "qemu-utils"}
SCRIPT = Path(__file__).with_name("reverse_gdb.py")
SOCKET = "gdb.sock"
# The audits find nearly everything within a second: the nearer, the faster.
NEAR_FRAMES = 10 * FRAMES_PER_SECOND
RUN_SECONDS, GDB_SECONDS = 3600, 1800
POLL_SECONDS = 0.002

# What a fault or an audit calls the bug -> the word that was written.
WATCH = {
    "poison": "damage", "red-zone": "damage", "link": "damage",
    "retain": "damage", "double-free": "tag", "tag": "tag",
    "a dead slot was written to": "poison",
    "a red zone was written to": "red zone", "the age ring is broken": "age",
    "the free list is broken": "link", "live, but never initialised": "tag",
}


class Finding(NamedTuple):
    """The first thing that was found wrong."""
    what: str
    frame: int
    pool: str  # Its name; "" for none.
    slot: int
    address: int
    offset: int


def why(words):
    """Explains the failed run in words.folder and returns the exit code."""
    folder = Path(words.folder)
    summary, page = resume.result_in(folder)
    finding = first_finding(summary)
    install.ensure(TOOLS, words.install, _progress)
    with tempfile.TemporaryDirectory() as work:
        answer = _explain(Options(**page["options"]), folder, Path(work),
                          finding)
    print(json.dumps(answer) if words.json else told(summary, finding, answer))
    return 0


def first_finding(summary):
    """Or, if that names no word, the first that does soon after."""
    findings = sorted((_finding(summary, entry) for entry in
                       summary["faults"] + summary["audits"]),
                      key=lambda finding: finding.frame)
    if not findings:
        raise CannotRun(f"there is nothing to go back to: {summary['why']}.")
    soon = [finding for finding in findings
            if finding.pool == findings[0].pool
            and finding.frame <= findings[0].frame + NEAR_FRAMES]
    return next((finding for finding in soon
                 if _watched(finding) != "nothing"), findings[0])


def _finding(summary, entry):
    names = [pool["name"] for pool in summary["pools"]]
    pool = entry["pool"] if entry["pool"] in names else ""
    return Finding(entry.get("kind") or entry["text"], entry["frame"], pool,
                   entry["slot"], int(entry.get("address", "0"), 16),
                   entry.get("offset", 0))


def _explain(options, folder, work, finding):
    """What GDB found out, from the nearest start that is early enough."""
    shutil.copyfile(folder / ELF, work / ELF)
    for prepare in _starts(options, folder, work, finding):
        snapshot = prepare()
        if snapshot is None:
            continue
        _record(options, work, snapshot, finding)
        answer = _replay(options, work, finding)
        if answer["store"] or not answer["words"]:
            return answer
        _progress("the store was made earlier")
    return answer


def _starts(options, folder, work, finding):
    """Ways to make a disk from which to record, the nearest first."""
    kept = [one for one in checkpoint.all_in(folder)
            if checkpoint.read_page(one)["frame"] < finding.frame]
    starts = [lambda one=one: _load(one, work) for one in reversed(kept)]
    starts.append(lambda: _power_on(work))
    return [lambda: _approach(options, work, starts[0](), finding), *starts]


def _load(one, work):
    _power_on(work)
    checkpoint.load(one, work)
    return checkpoint.SNAPSHOT


def _power_on(work):
    return checkpoint.power_on(work).snapshot


def _approach(options, work, snapshot, finding):
    """A snapshot shortly before the finding; None if there is no room."""
    target = finding.frame - NEAR_FRAMES
    if target <= 0:
        return None
    _progress(f"running up to frame {target}")
    with machine.Machine(machine.command(options, snapshot), work,
                         RUN_SECONDS) as qemu:
        _watch(qemu, work, lambda record: getattr(record, "frame", 0) >= target)
        try:
            return _save_before(qemu, work, snapshot, finding)
        except NoAnswer:  # It was faster than we, and has ended.
            return None


def _save_before(qemu, work, snapshot, finding):
    """A snapshot of now, or None if the finding is already past."""
    qemu.monitor.ask("stop")
    records = Decoder().feed((work / TELEMETRY).read_bytes())
    if any(getattr(record, "frame", 0) >= finding.frame for record in records):
        return None
    if snapshot:
        qemu.monitor.human(f"delvm {snapshot}")
    qemu.monitor.human(f"savevm {checkpoint.SNAPSHOT}")
    return checkpoint.SNAPSHOT


def _record(options, work, snapshot, finding):
    """Records from the snapshot until what was found is found again."""
    _progress("recording")
    (work / TELEMETRY).write_bytes(b"")
    words = machine.command(options, snapshot, "record")
    with machine.Machine(words, work, RUN_SECONDS) as qemu:
        _watch(qemu, work, lambda record: isinstance(record, (Fault, Audit)))
        qemu.quit()


def _watch(qemu, work, is_wanted):
    """The frame of the first wanted record, or of the last one there is."""
    decoder, frame = Decoder(), 0
    with open(work / TELEMETRY, "rb") as telemetry:
        while True:
            ending = qemu.ending()
            for record in decoder.feed(telemetry.read()):
                frame = max(frame, getattr(record, "frame", 0))
                if is_wanted(record):
                    return frame
            if ending:
                return frame
            time.sleep(POLL_SECONDS)


def _replay(options, work, finding):
    """Lets GDB loose on the recording; what it found out."""
    _progress("replaying, and going back")
    (work / TELEMETRY).write_bytes(b"")
    (work / "case.json").write_text(json.dumps(dict(
        finding._asdict(), socket=SOCKET, watch=_watched(finding),
        breakpoints=["tp_fault", "telemetry_audit", "tp_record_audit"])))
    words = machine.command(options, "", "replay") + [
        "-S", "-gdb", f"unix:path={SOCKET},server=on,wait=off"]
    with machine.Machine(words, work, RUN_SECONDS) as qemu:
        _wait_for(work / SOCKET, qemu)
        result = subprocess.run(
            ["gdb-multiarch", "-nx", "-batch", ELF, "-x", str(SCRIPT)],
            cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=GDB_SECONDS)
    try:
        return json.loads((work / "answer.json").read_text())
    except (OSError, ValueError):
        raise CannotRun("GDB could not follow the replay; its words are above.",
                        output=result.stdout) from None


def _watched(finding):
    """What to watch; without a slot there is no one word, but for a ring."""
    watch = WATCH.get(finding.what, "nothing")
    return watch if finding.slot or watch == "age" else "nothing"


def _wait_for(path, qemu):
    while not path.exists() and not qemu.ending():
        time.sleep(POLL_SECONDS)


def _progress(text):
    print(f"why: {text}", file=sys.stderr, flush=True)
