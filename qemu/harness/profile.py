# SPDX-License-Identifier: MIT
"""`qemu/soak profile`: what the firmware's instructions are spent on, exactly.

QEMU logs every block of instructions it executes; a block counts for the
function it begins in. No clock takes part: a run has the same profile on any
machine, busy or not.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from select import select

from . import build, checkpoint, install, power_on
from .errors import CannotRun
from .machine import command
from .number_text import grouped
from .own_firmware import refuse_at_hello
from .records import Done, Hello
from .result_folder import ELF, TELEMETRY
from .source_lines import home_of
from .tail_calls import Functions
from .telemetry import Decoder

LOG = "blocks.log"
POLL_SECONDS = 0.05
UNKNOWN = "?"  # A function without a symbol.
# What these files do is telemetry; it may take this share of all instructions.
TELEMETRY_FILES = ("/qemu/telemetry/tp_record.c",
                   "/qemu/telemetry/tp_soak_own.c")
TELEMETRY_LIMIT = 0.02
SOAK = "qemu/telemetry/"  # These and what audits, and keeps account of places.
DEMO = ("qemu/game", "qemu/rig", "qemu/telemetry")
ROWS = 24
HELLO_BYTES_MAX = 1 << 17  # Of 255 allocators and their names.


def profile(options):
    """Prints the table; 1 if telemetry costs more than it may, else 0."""
    install.ensure(install.tools_of(options), options.install, _progress)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build.build(options, folder / ELF)
        checkpoint.power_on(folder)
        result = _result(_count(options, folder), folder / ELF, options.frames)
    if not result["soak_share"]:
        raise CannotRun(f"no instruction is known to be of {SOAK}: compile the firmware"
                        " with -g.")
    print(json.dumps(result) if options.json else _told(result))
    return 0 if result["telemetry_share"] < TELEMETRY_LIMIT else 1


class Blocks:
    """Counts the instructions of a log, line by line."""

    def __init__(self):
        self.instructions = Counter()  # By function and address of each block.
        self._blocks = {}  # QEMU's name of a block -> its addresses.
        self._translated = []  # Addresses of the block being listed.
        self._last = (("", 0), ())  # The key and addresses of the last executed.

    def read(self, lines):
        for line in lines:
            if line.startswith("Trace"):
                self._executed(line)
            elif line.startswith("0x"):
                self._translated.append(int(line[2:10], 16))
            elif line.startswith("IN:"):
                self._translated = []
            elif "rewound execution" in line:
                # A device was met in its middle: the rest comes once more.
                self._take_back(int(line.split()[-1], 16))
            elif line.startswith("Stopped execution"):
                self._take_back(0)

    def _executed(self, line):
        words = line.split()
        block = words[2]
        if block not in self._blocks:
            self._blocks[block] = tuple(self._translated)
        addresses = self._blocks[block]
        key = words[4] if len(words) > 4 else UNKNOWN, addresses[0]
        self.instructions[key] += len(addresses)
        self._last = (key, addresses)

    def _take_back(self, start):
        """The last block ended before `start`."""
        key, addresses = self._last
        self.instructions[key] -= sum(one >= start for one in addresses)


def _count(options, folder):
    """Runs the firmware and reads its log while it is written."""
    _progress(f"running {options.frames} frames, every block logged")
    os.mkfifo(folder / LOG)
    power_on.write(folder, options.seed)
    words = command(options, asks="gdb") + ["-d", "in_asm,exec,nochain", "-D", LOG]
    blocks = Blocks()
    # An end that waits for the other would do so for ever, if QEMU does not start.
    pipe = os.open(folder / LOG, os.O_RDONLY | os.O_NONBLOCK)
    with open(pipe, errors="replace") as log, subprocess.Popen(
            words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL) as qemu:
        while not select([pipe], (), (), POLL_SECONDS)[0] and qemu.poll() is None:
            pass
        os.set_blocking(pipe, True)
        blocks.read(log)
        qemu.stdin.close()
    telemetry = (folder / TELEMETRY).read_bytes()
    _refuse_another(options, telemetry)
    if qemu.returncode != 0:
        raise CannotRun(f"QEMU ended with code {qemu.returncode}; a run that"
                        " fails has no profile.")
    _refuse_unfinished(telemetry)
    return blocks


def _refuse_another(options, telemetry):
    """What else would be a profile of something that was not asked for."""
    for record in Decoder().feed(telemetry[:HELLO_BYTES_MAX]):
        if isinstance(record, Hello):
            refuse_at_hello(options, record)


def _refuse_unfinished(telemetry):
    """After a reset, and where somebody else ended it, QEMU ends with code 0 too."""
    decoder = Decoder()
    records = decoder.feed(telemetry) + decoder.finish()
    if not any(isinstance(record, Done) for record in records):
        raise CannotRun("the run ended before its last frame; a run that fails has no"
                        " profile.")


def _result(blocks, elf, frames):
    counts, blocks_of = _by_function(blocks, Functions(elf))
    total = sum(counts.values())
    rows = [{"function": key[0], "file": home_of(elf, blocks_of[key]),
             "instructions": count, "share": count / total}
            for key, count in counts.most_common()]
    # Of another checkout than this one, too.
    telemetry = sum(row["instructions"] for row in rows
                    if f"/{row['file']}".endswith(TELEMETRY_FILES))
    soak = sum(row["instructions"] for row in rows if f"/{SOAK}" in f"/{row['file']}")
    return {"frames": frames, "instructions": total,
            "instructions_per_frame": round(total / frames, 1),
            "telemetry_share": telemetry / total, "soak_share": soak / total,
            "functions": rows}


def _by_function(blocks, functions):
    """Counts by name and by where it begins, for many files may have a static one of
    a name; and of each the address of a block."""
    counts, found = Counter(), {}
    for (name, block), count in blocks.instructions.items():
        key = name, 0 if name == UNKNOWN else functions.begin(block)
        counts[key] += count
        found.setdefault(key, block)
    return counts, found


def _told(result):
    rows = result["functions"]
    lines = [f"{grouped(result['instructions'])} instructions in"
             f" {grouped(result['frames'])} frames,"
             f" {grouped(round(result['instructions_per_frame']))} a frame", "",
             " share  a frame  function"]
    lines += [_line(row, result["frames"]) for row in rows[:ROWS]]
    lines += ["", " share  file or folder"]
    lines += [f"{100 * share:5.1f} %  {place}"
              for place, share in _by_place(rows)]
    verdict = "less" if result["telemetry_share"] < TELEMETRY_LIMIT else "more"
    return "\n".join(lines + ["", (
        f"telemetry costs {100 * result['telemetry_share']:.2f} % of all"
        f" instructions, {verdict} than {100 * TELEMETRY_LIMIT:.0f} %; all of {SOAK},"
        " which audits, and keeps account of places, too,"
        f" {100 * result['soak_share']:.1f} %")])


def _line(row, frames):
    return (f"{100 * row['share']:5.1f} % {row['instructions'] / frames:8.1f}"
            f"  {row['function']}  {row['file']}")


def _by_place(rows):
    """Shares of the files of game, rig and soak, and of other folders as a whole."""
    shares = Counter()
    for row in rows:
        shares[_place(row["file"])] += row["share"]
    return shares.most_common()


def _place(file):
    if not file or os.path.isabs(file):
        return "elsewhere"
    return file if file.startswith(DEMO) else os.path.dirname(file)


def _progress(text):
    print(f"profile: {text}", file=sys.stderr, flush=True)
