#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does `why` find who did it days after power-on? late_plants.py HOUR [PLANT...]

Plays the demo at poison to HOUR, unless build/late-HOUR holds that. In the
checkpoint a quarter of an hour before, each mistake of --plant is made ready in
turn: the words of memory are changed in which a run that was begun with it differs
from one that was not, three frames after power-on. From there the run goes on, as
--resume does, and `why` is asked.

Prints of each what it was told and the seconds that took, of real time and of the
processor. Exit code: 0 iff each led to the function that did it.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import trials
from harness import checkpoint, machine, resume
from harness.firmware_debug import ask_gdb
from harness.options import FRAMES_PER_HOUR, Options
from harness.packing import unpack
from harness.records import Sample
from harness.replay import Replay
from harness.result_folder import CHECKPOINTS, ELF, HIDDEN, RUN, TELEMETRY
from harness.telemetry import Decoder
from test_why import CULPRITS, MORE_ODD, ODD

SOAK = trials.ROOT / "qemu" / "soak"
HOURS = 1, 37  # Of the suite.
CHECKS = "poison"
QUARTER = FRAMES_PER_HOUR // 4
LEARNED = 310 * 60  # Frames of which the telemetry is kept: all is learned then.
BEGUN = 3  # Frames after power-on, in which a mistake is waiting.
MEMORY = (".data", ".bss", ".noinit")  # What lies in these, stacks do not.
CLOCK = "tp_clock_now"
# Mistake -> the function that `why` must name.
WANTED = {
    **{name: function for name, (checks, _, function, _) in
       {**CULPRITS, **ODD, **MORE_ODD}.items() if checks != "full"},
    "null-store": "store_at_0", "flash-store": "store_in_code",
    "deep-stack": "go_deep", "outlived": "keep_one", "slow-frame": "burn",
}


class Changed(Replay):
    """One whose memory is written to."""

    def write(self, words):
        for address, word in words.items():
            self.gdb._tell(f"M{address:x},4:{word.to_bytes(4, 'little').hex()}")

    def save(self, name):
        """The state of the firmware as a snapshot of that name."""
        self._monitor.human(f"delvm {name}")
        self._monitor.human(f"savevm {name}")


def play(hour):
    """The folder of a run that went on a little longer."""
    out = trials.ROOT / "build" / f"late-{hour:g}"
    subprocess.run([SOAK, "run", "--once", "--hours", f"{hour + 0.2:g}", "--board",
                    trials.BOARD, "--checks", CHECKS, "--no-host", "--no-share",
                    "--no-why", "--checkpoint-every", "0.25", "--out", out],
                   check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return out


def ranges(elf):
    said = subprocess.run(["arm-none-eabi-size", "-A", elf], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return [(int(address), int(size) & ~3) for name, size, address in re.findall(
        r"^(\S+) +(\d+) +(\d+)$", said, re.M) if name in MEMORY and int(address)]


def begun(options, told, folder):
    """The words of its memory, soon after power-on."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        shutil.copyfile(folder / ELF, work / ELF)
        checkpoint.power_on(work)
        clock = ask_gdb(work, [CLOCK])["symbols"][CLOCK]
        with Replay(options, told, work, "", clock) as replay:
            replay.known(replay.mark(), [], BEGUN)
            return replay.values(ranges(work / ELF))


def changed(ran, told, folder):
    """Address -> word, where a run that is told so differs."""
    options = Options(**ran["options"])
    before = begun(options, ran["arguments"], folder)
    return {address: word for address, word in begun(options, told, folder).items()
            if word != before[address]}


def put(words, one, ran, folder, target):
    """Makes of the checkpoint `one` another, with these words changed."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        shutil.copyfile(folder / ELF, work / ELF)
        checkpoint.load(one, work)
        clock = ask_gdb(work, [CLOCK])["symbols"][CLOCK]
        with Changed(Options(**ran["options"]), ran["arguments"], work,
                     checkpoint.SNAPSHOT, clock) as replay:
            replay.write(words)
            replay.save(checkpoint.SNAPSHOT)
        shutil.copyfile(work / checkpoint.DISK, target / checkpoint.DISK)


def beginning(folder):
    """The bytes of the telemetry up to a sample of LEARNED."""
    with tempfile.TemporaryDirectory() as name:
        unpack(folder / TELEMETRY, Path(name) / TELEMETRY)
        data = (Path(name) / TELEMETRY).read_bytes()
    decoder, at = Decoder(), 0
    while at < len(data):
        records = decoder.feed(data[at:at + 1])
        at += 1
        if any(isinstance(one, Sample) and one.frame >= LEARNED for one in records):
            return data[:at]
    return data


def prepare(name, hour, folder, told, out):
    """Makes `out` a run that was cut short at a checkpoint, with a mistake to come;
    `told`: the beginning of its telemetry."""
    ran = json.loads((folder / RUN).read_text())
    frame = int(hour * FRAMES_PER_HOUR)
    one = [one for one in checkpoint.all_in(folder)
           if checkpoint.read_page(one)["frame"] <= frame - QUARTER][-1]
    target = out / HIDDEN / CHECKPOINTS / one.name
    target.mkdir(parents=True)
    shutil.copyfile(folder / ELF, out / HIDDEN / ELF)
    (out / HIDDEN / TELEMETRY).write_bytes(told)
    words = changed(ran, [*ran["arguments"], f"plant={name}", f"plant_frame={frame}"],
                    folder)
    put(words, one, ran, folder, target)
    page = dict(checkpoint.read_page(one), telemetry_bytes=len(told),
                telemetry_sha256=sha256(told),
                disk_sha256=sha256((target / checkpoint.DISK).read_bytes()))
    (target / checkpoint.PAGE).write_text(json.dumps(page))
    resume.write_page(Options(**{**ran["options"], "plant": name}), out / HIDDEN,
                      machine.version())


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def soak(*words):
    """(exit code, what it printed, real seconds, of the processor)."""
    began, cpu = time.monotonic(), sum(os.times()[2:4])
    result = subprocess.run([SOAK, *words], stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return (result.returncode, result.stdout or result.stderr,
            time.monotonic() - began, sum(os.times()[2:4]) - cpu)


def asked(name, hour, folder, told):
    """Whether it was found, and its line of what is printed."""
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "late"
        prepare(name, hour, folder, told, out)
        code, said, *_ = soak("run", "--resume", out, "--no-why", "--json")
        if code != 1:
            return False, f"{name}: the run ended with {code}: {said[-300:]}"
        noticed = json.loads(said)["why"]
        _, said, real, cpu = soak("why", out)
    found = f" {WANTED[name]}() at " in said
    line = next((line for line in said.split("\n") if WANTED[name] in line), said)
    return found, (f"{name}: {'found' if found else 'NOT FOUND'} in {real:.1f} s,"
                   f" {cpu:.1f} s of the processor: {line.strip()[:160]}"
                   f" [{noticed[:90]}]")


def tried(hour, names, folder=None):
    """The same of each, one after the other."""
    folder = folder or play(hour)
    told = beginning(folder)
    for name in names:
        yield asked(name, hour, folder, told)


def main(hour, *names):
    wrong = 0
    for found, line in tried(float(hour), names or WANTED):
        wrong += not found
        print(line, flush=True)
    print(f"{len(names or WANTED) - wrong} of {len(names or WANTED)} led to who did it")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
