# SPDX-License-Identifier: MIT
"""`qemu/soak debug DIR`: GDB on the memory of a run as it was in a frame.

The run is made once more, from the checkpoint before, up to there; what GDB then
opens is a core of that moment, so any other frame, before or behind, is as near.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from . import install, resume
from .errors import CannotRun
from .firmware_debug import ask_gdb
from .options import HOST, ROOT, Options
from .replay import Replay
from .result_folder import ELF
from .why import (CLOCK, TOOLS, Finding, can_explain, first_finding, refuse_without,
                  starts)

sys.path.insert(0, str(ROOT / "lib" / "config"))
from decoder.core import elf_core  # noqa: E402
from decoder.elf import Elf  # noqa: E402

SCRIPT = ROOT / "port" / "gdb" / "tidepool_gdb.py"
STACK_TOP = "stack_top"  # As our linker scripts call it.
STACK_BYTES = 65536  # Read at most.


def debug(words):
    """Opens GDB, or lets it do what --ex says; its exit code."""
    folder = Path(words.folder)
    summary, page = resume.result_in(folder)
    if page["options"]["board"] == HOST:
        raise CannotRun("a run on the host is no board's: start its program in GDB.")
    install.ensure(TOOLS, words.install, _say)
    frame = words.frame
    if frame is None:
        frame = first_finding(summary).frame if can_explain(summary) \
            else summary["frames"]
    if frame > summary["frames"]:
        raise CannotRun(f"the run has no frame {frame}: it ended in"
                        f" {summary['frames']}.")
    with tempfile.TemporaryDirectory() as work:
        core = Path(work) / "frame.core"
        core.write_bytes(_core_at(frame, page, folder, Path(work)))
        batch = ["-batch"] if words.ex else ["-q"]
        return subprocess.run(
            ["gdb-multiarch", "-nx", *batch, "-x", str(SCRIPT),
             str(folder / ELF), str(core),
             *[word for one in words.ex for word in ("-ex", one)]]).returncode


def _say(text):
    print(f"debug: {text}", file=sys.stderr, flush=True)


def _core_at(frame, page, folder, work):
    data = (folder / ELF).read_bytes()
    (work / ELF).write_bytes(data)
    clock = ask_gdb(work, [CLOCK])["symbols"][CLOCK]
    refuse_without(clock)
    moment = Finding("", frame, "", 0, 0, 0)
    for snapshot in starts(folder, work, moment, _say):
        with Replay(Options(**page["options"]), page["arguments"], work, snapshot,
                    clock) as replay:
            if replay.frame <= frame:
                replay.known(replay.approach(frame)[-1], (), frame)
                return _core_of(replay.gdb, Elf(data))
    raise CannotRun(f"the run did not come to frame {frame} again.")


def _core_of(gdb, elf):
    """Its variables and its stack."""
    registers = gdb.registers()
    stack = registers[13]
    top = elf.address_of(STACK_TOP) or stack
    ranges = [*elf.variables(), (stack, min(max(stack, top), stack + STACK_BYTES))]
    return elf_core(registers, {begin: gdb.read(begin, end - begin)
                                for begin, end in ranges if begin < end})
