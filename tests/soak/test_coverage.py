# SPDX-License-Identifier: MIT
"""How much of the library the soaked firmwares run in ten simulated minutes."""

import json
import re
import subprocess
import sys
import unittest
from collections import defaultdict

import trials
from harness import branches, scenario
from harness.plants import PLANTS
from support import ROOT, tool

sys.path.insert(0, str(ROOT / "tests" / "layout"))
import contracts  # noqa: E402

ENOUGH = 95  # Percent of the library's lines.
FRAMES = 36000
SEEDS = range(1, 5)  # Of each planted bug.
# What a planted bug may do on the host: it is no board that somebody resets.
SECONDS = 20
FUNCTION = re.compile(r"^(?!#|typedef)[\w *]*?\b(tp_\w+)\([^;{]*[;{]", re.M)
# What a soak stops at: tests/unit/crash runs it; what no row of its asks for; what the
# faults of hardened rows say: tests/unit/harden.
ELSEWHERE = {"check/tp_crash.c", "check/tp_events.c", "object/tp_dma.c",
             "object/tp_owner.c", "object/tp_owner.h", "policy/tp_harden.c"}
# Called only where TP_AUDIT is not 0; of all that is soaked it is: tests/unit.
AUDITS = {"tp_pool_audit", "tp_pool_check_caller", "unserved", "is_other_core",
          "verify_alone"}
NEVER_RUN = {
    "tp_sanitize_off": "of a build with TIDEPOOL_SANITIZE: tests/sanitize",
    "tp_sanitize_on": "the same",
    "tp_sanitize_report": "the same",
    "tp_fault_name": "after a fault, by firmwares that print it: tp_crash_print()",
    **dict.fromkeys(("tp_crash_save", "tp_crash_validate", "tp_crash_forget",
                     "tp_crash_note", "tp_crash_print"),
                    "by firmwares that reset after a fault: qemu/examples/crash"),
    **dict.fromkeys(("tp_wait_alloc", "tp_wait_free", "tp_wait_serve",
                     "tp_wait_cancel", "tp_wait_is_awaited"),
                    "by firmwares with tasks: tests/sweep/wait.c"),
    **dict.fromkeys(("tp_owner_take", "tp_owner_take_handle", "tp_owner_take_handle64",
                     "tp_owner_give", "tp_owner_give_handle", "tp_owner_give_handle64",
                     "tp_owner_stay", "tp_owner_of", "tp_fault_owner_of"),
                    "by rows with owner = true: tests/unit/owner"),
    **dict.fromkeys(("tp_event_note", "tp_event_note_fault"),
                    "of a build with TIDEPOOL_EVENTS: tests/sweep/kept.c"),
    **dict.fromkeys(("tp_dma_lend", "tp_dma_take", "tp_dma_give", "tp_dma_give_handle",
                     "tp_dma_give_handle64", "tp_dma_reset"),
                    "by rows with dma = true: tests/unit/dma"),
    **dict.fromkeys(("tp_cores_alloc", "tp_cores_free", "tp_magazine_alloc",
                     "tp_magazine_free"),
                    "by firmwares on two cores: tests/sweep/cores"),
}


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = trials.build(
            "host", "full", "console", "dungeon", kind=branches.KIND,
            **branches.SETTINGS)
        for counts in cls.folder.rglob("*.gcda"):
            counts.unlink()
        cls.play("dungeon", f"frames={FRAMES}")
        cls.play("console", f"frames={FRAMES}")
        for name in ("console", "dungeon"):
            cls.play(name, "frames=3600", "interrupts=timer")
            cls.play(name, "frames=3600", "ask=3600")
        for name in ("calm", "battle", "boss", "storm"):
            cls.play("console", "frames=3600", *scenario.arguments(name))
        cls.play("console", "frames=60", "wave_low=60", "wave_high=60")
        cls.play("console", "frames=600", "mesh_words_low=8000",
                 "mesh_words_high=8000")
        for name in ("console", "dungeon"):
            for seed in SEEDS:  # Which slot it is in, and so where it is noticed.
                for plant in PLANTS:
                    cls.play(name, "frames=3000", f"plant={plant}",
                             "plant_frame=600", seed=seed)
        cls.count()

    @classmethod
    def play(cls, name, *words, seed=1):
        """To its end, or until it hangs: that is what some bugs do."""
        words = ["soak", f"seed={seed}", *words]
        if name == "console":
            words.append("clock=none")
        try:
            subprocess.run([cls.folder / f"{name}.elf", *words],
                           stdin=subprocess.DEVNULL, timeout=SECONDS,
                           stdout=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            pass

    def test_of_the_librarys_lines_the_soak_runs_95_percent(self):
        lines = self.lines
        missed = defaultdict(list)
        for (name, number), count in sorted(lines.items()):
            if not count:
                missed[name].append(number)
        ran = len(lines) - sum(map(len, missed.values()))
        percent = 100 * ran / len(lines)
        print(f"soak: {percent:.1f} % of the library's {len(lines)} lines run")
        listed = "\n".join(f"{name}: {', '.join(map(str, numbers))}"
                           for name, numbers in missed.items())
        self.assertGreaterEqual(percent, ENOUGH, listed)

    def test_the_soak_runs_every_public_function(self):
        idle = [name for header in contracts.public_headers()
                for name in functions_of(header)
                if not self.calls[name] and not self.runs_inline(header, name)]
        self.assertEqual(sorted(idle), sorted(NEVER_RUN))

    def runs_inline(self, header, name):
        """Whether a line of its body ran in some caller that it was inlined into."""
        text = (ROOT / header).read_text()
        body = re.search(rf"^[\w *]*\b{name}\([^;{{]*{{.*?^}}", text, re.M | re.S)
        if not body:
            return False
        first, last = (text.count("\n", 0, at) + 1 for at in body.span())
        return any(self.lines.get((header.partition("/")[2], number))
                   for number in range(first, last + 1))

    @classmethod
    def count(cls):
        """(file, line) of the library, and its functions -> how often they ran."""
        cls.lines, cls.calls = defaultdict(int), defaultdict(int)
        for counts in cls.folder.rglob("*.gcda"):
            text = tool("gcov", "-t", "--json-format", counts)
            for page in map(json.loads, text.splitlines()):
                for file in page["files"]:
                    cls.count_file(file)

    @classmethod
    def count_file(cls, file):
        _, ours, name = file["file"].partition(f"{ROOT}/lib/")
        for function in file["functions"]:
            cls.calls[function["name"]] += function["execution_count"]
        audits = {number for function in file["functions"]
                  if function["name"] in AUDITS for number in
                  range(function["start_line"], function["end_line"] + 1)}
        if not ours or name in ELSEWHERE:
            return
        for line in file["lines"]:
            if line["line_number"] not in audits:
                cls.lines[name, line["line_number"]] += line["count"]


def functions_of(header):
    """Those that it declares, or defines inline."""
    text = re.sub(r"//.*", "", (ROOT / header).read_text())
    return set(FUNCTION.findall(text)) - {"tp_fault"}  # The application's.
