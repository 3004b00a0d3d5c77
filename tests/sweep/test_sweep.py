# SPDX-License-Identifier: MIT
"""Interrupts at every instruction boundary, on two cores, at all levels in a full run.

Each image runs twice. Swept, it prints the address that every interrupt found
stacked. Traced, it calls each operation once, and QEMU tells the instructions
that were executed. An interrupt due at a boundary must come there, or, where
interrupts are masked, at the next boundary that is not: so from the trace and
the disassembly follows every address of the sweep, in order.

An interrupt that waits from the first masked boundary on to the next that is not
comes there as one does that is due in between: only in a full run is one made due at
each of these. Each is in the list of addresses: as often as the first says it is late.
"""

import functools
import re
import subprocess
import sys
import tempfile
import unittest
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import (BOARDS, BUILD, HANG_SECONDS, LEVELS,  # noqa: E402
                     build, emulator, has_tests, is_full, only_in_full, tool)

# Each board at each level; and once with link-time optimisation, as
# applications may be built: the compiler then sees through all calls; and with a
# port of two cores, of which there is one: for what each keeps; and with a row that
# code of its own alone may change. In a run that is not full the M0 is there at one
# level, the M3 without events and without poison, which is part of what full does.
KINDS = ([("", level) for level in LEVELS]
         + [("lto", "fast"), ("solo", "fast"), ("closed", "fast"), ("events", "fast")])
FEWER = {"microbit": [("", "fast")],
         "mps2_an385": [kind for kind in KINDS if not {"poison", "events"} & set(kind)]}
IMAGES = [(kind, board, level)
          for board in BOARDS if has_tests(board, "sweep")
          for kind, level in (KINDS if is_full() else FEWER.get(board, KINDS))]
SWEPT = "each" if is_full() else "sweep"
SOLO = Path(__file__).resolve().parent / "solo"
AUDITED = ("audited", "mps2_an385", "full")
SETTINGS = {"lto": {"CMAKE_C_FLAGS": "-flto"}, "events": {"TIDEPOOL_EVENTS": "64"},
            "solo": {"CMAKE_C_FLAGS": f"-I{SOLO}"},
            "closed": {"SWEEP_CLOSED": "ON"}, "audited": {"SWEEP_AUDITED": "ON"}}

Row = namedtuple("Row", "operation move kind runs broken hits")
Image = namedtuple("Image", "code output rows expected")
# The address an interrupt finds at each boundary of a call, in order; at how
# many of them it is taken at once; the addresses executed only masked; the most
# instructions that are, one after another.
Expected = namedtuple("Expected", "hits boundaries masked window")
# Pools whose policy brings locked windows of its own, and those without.
AROUND = ("spilling.", "reserving.", "chunked.", "watched.", "waited.")
CORE = ("drop_shared.", "steal_shared.", "named.")  # With tags at every level.


def label(words):
    return " ".join(filter(None, words))


def build_image(kind, board, level):
    folder = build(board, level, "sweep", kind=kind, **SETTINGS.get(kind, {}))
    return folder / "sweep.elf"


def emulate(board, elf, *more, argument=SWEPT, limit=HANG_SECONDS):
    """Exit code and output. A run that takes too long is killed."""
    words = emulator(board, elf, *more, arguments=(argument,),
                     icount="shift=10,align=off,sleep=off")
    try:
        result = subprocess.run(words, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True,
                                errors="replace", timeout=limit)
        return result.returncode, result.stdout
    except subprocess.TimeoutExpired as late:
        return -9, (late.stdout or b"").decode(errors="replace")


def symbols(elf):
    """name -> address"""
    lines = tool("arm-none-eabi-nm", elf).splitlines()
    return {words[-1]: int(words[0], 16)
            for words in map(str.split, lines) if len(words) == 3}


def steps_of_the_lock(elf):
    """address -> +1 where interrupts are masked, -1 where that is undone"""
    meaning = {"cpsid": 1, "msr\tPRIMASK": -1,
               "msr\tBASEPRI_MAX": 1, "msr\tBASEPRI": -1}
    pattern = re.compile(r"\s*([0-9a-f]+):\t[0-9a-f ]+\t"
                         r"(cpsid|msr\t(?:PRIMASK|BASEPRI(?:_MAX)?))\b")
    found = map(pattern.match, tool("arm-none-eabi-objdump", "-d",
                                    elf).splitlines())
    return {int(line[1], 16): meaning[line[2]] for line in found if line}


def recorded(board, elf):
    """(operation, its instructions, the addresses it executes when nothing interrupts
    it) of each."""
    marks = symbols(elf)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "trace"
        _, output = emulate(board, elf, "-singlestep", "-d", "exec,nochain",
                            "-D", str(log), argument="trace")
        calls = calls_in(log, marks["armed_enter"], marks["armed_return"])
    operations = re.findall(r"^operation (\S+) has (\d+) instructions", output,
                            re.M)
    assert len(calls) == len(operations), "calls without a name, or names"
    return [(name, int(length), call)
            for (name, length), call in zip(operations, calls)]


def traced(board, elf):
    """operation -> the addresses it executes when nothing interrupts it"""
    found = recorded(board, elf)
    for name, length, call in found:
        assert len(call) == length, f"{name}: {length} {len(call)}"
    return {name: call for name, _, call in found}


def calls_in(log, enter, leave):
    """What was executed between the two addresses, each time."""
    calls, call, last = [], None, None
    with log.open() as lines:
        for line in lines:
            # An instruction that could not begin, as when QEMU's slice of
            # instructions is used up, is logged again when it does.
            fields = line.split("/", 2)
            if not line.startswith("Trace") or fields[1] == last:
                continue
            last = fields[1]
            address = int(last, 16)
            if address == enter:
                call = []
            elif address == leave and call is not None:
                calls.append(call)
                call = None
            elif call is not None:
                call.append(address)
    return calls


def expect(executed, steps, leave):
    """What the sweep of a call must show: see Expected."""
    depth, opened = 0, []
    for address in executed:
        opened.append(depth == 0)
        depth += steps.get(address, 0)
    assert depth == 0, "the call leaves interrupts masked"
    addresses, opened = executed + [leave], opened + [True]
    hits, following = [], None
    for address, is_open in zip(reversed(addresses), reversed(opened)):
        following = address if is_open else following
        hits.append(following)
    masked = {a for a, is_open in zip(addresses, opened) if not is_open}
    windows = "".join("o" if is_open else "m" for is_open in opened).split("o")
    return Expected(hits[::-1], sum(opened), masked - set(hits),
                    max(map(len, windows)))


def rows_in(output):
    pattern = (r"^row (\S+) (\S+) (\S+) runs (\d+) broken (\d+)$")
    rows, hits = [], []
    for line in output.splitlines():
        if line.startswith("operation "):
            hits = []
        elif line.startswith("at"):
            hits += [int(word, 16) for word in line.split()[1:]]
        found = re.match(pattern, line)
        if found:
            rows.append(Row(found[1], found[2], found[3], int(found[4]),
                            int(found[5]), hits))
    return rows


@functools.lru_cache(None)
def image(kind, board, level):
    elf = BUILD / "-".join(filter(None, (kind, board, level))) / "sweep.elf"
    leave = symbols(elf)["armed_return"]
    steps = steps_of_the_lock(elf)
    expected = {name: expect(executed, steps, leave)
                for name, executed in traced(board, elf).items()}
    code, output = emulate(board, elf)
    return Image(code, output, rows_in(output), expected)


def summary(name, found):
    rows = [row for row in found.rows if row.kind != "control"]
    operations = {row.operation for row in rows}
    boundaries = sum(found.expected[name].boundaries for name in operations)
    return (f"sweep {name}: {boundaries} boundaries of "
            f"{len(operations)} operations interrupted, "
            f"{sum(row.runs for row in rows)} runs, "
            f"{sum(row.broken for row in rows)} broken")


class Sweep(unittest.TestCase):
    def each_image(self, check):
        for words in IMAGES:
            with self.subTest(image=label(words)):
                check(image(*words))

    @classmethod
    def setUpClass(cls):
        for words in IMAGES:
            build_image(*words)
        with ThreadPoolExecutor(2) as pool:
            for words, found in zip(IMAGES, pool.map(image, *zip(*IMAGES))):
                print(summary(label(words), found), flush=True)

    def test_an_interrupt_at_any_boundary_leaves_every_pool_whole(self):
        self.each_image(lambda found: self.is_whole(found.code, found.output))

    @only_in_full
    def test_so_do_the_audits_of_full_find_it_at_any_boundary_of_theirs_too(self):
        """Ten times as many as without, so their addresses are not compared."""
        found = emulate(AUDITED[1], build_image(*AUDITED), limit=4 * HANG_SECONDS)
        self.is_whole(*found)

    def is_whole(self, code, output):
        broken = {row.operation for row in rows_in(output)
                  if row.broken and row.kind != "control"}
        complaints = [line for line in output.splitlines()
                      if line.startswith("broken ")
                      and line.split()[1] in broken]
        last = output.splitlines()[-1]
        self.assertRegex(last, r"^[1-9]\d* passed, 0 failed$",
                         "\n".join(complaints))
        self.assertEqual(0, code)

    def test_every_boundary_that_is_not_masked_is_interrupted(self):
        def check(found):
            swept = [row for row in found.rows if row.kind != "masked"]
            self.assertEqual(set(found.expected),
                             {row.operation for row in swept})
            for row in swept:
                hits = found.expected[row.operation].hits
                if row.kind == "control" and row.broken:
                    hits = hits[:len(row.hits)]  # It ends where it breaks.
                self.assertEqual(hits, row.hits, f"{row.operation} {row.move}")
        self.each_image(check)

    def test_no_instruction_with_interrupts_masked_is_interrupted(self):
        def check(found):
            masked = {name for name, expected in found.expected.items()
                      if expected.masked}
            self.assertGreater(len(masked), 40)
            for row in found.rows:
                if row.kind == "swept":
                    hits = found.expected[row.operation].masked & set(row.hits)
                    self.assertEqual(set(), hits, row.operation)
        self.each_image(check)

    # At full, slot 1 fills two red zones while masked: the core's sweeps begin
    # behind it, a second region with it.
    def test_no_second_region_or_watermark_masks_longer_than_the_core_does(self):
        for words in IMAGES:
            if "full" in words:
                continue
            windows = {name: expected.window for name, expected
                       in image(*words).expected.items()}
            core = max(window for name, window in windows.items()
                       if name.startswith(CORE))
            for name, window in windows.items():
                if name.startswith(AROUND):
                    self.assertLessEqual(window, core, name)

    def test_a_masked_caller_is_interrupted_only_when_it_unmasks(self):
        def check(found):
            masked = [row for row in found.rows if row.kind == "masked"]
            self.assertGreater(len(masked), 40)
            for row in masked:
                self.assertEqual(1, len(set(row.hits)), row.operation)
                self.assertEqual(0, row.broken, row.operation)
        self.each_image(check)

    def test_a_pool_without_its_lock_is_found_broken(self):
        def check(found):
            for pool in ("bare_drop", "bare_steal", "bare_keyed"):
                broken = sum(row.broken for row in found.rows
                             if row.operation.startswith(pool + "."))
                self.assertGreater(broken, 0, pool)
        self.each_image(check)


if __name__ == "__main__":
    unittest.main()
