# SPDX-License-Identifier: MIT
"""Back to the culprit: the real firmware, recorded, replayed and reversed."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import paper
from paper import HANG_SECONDS
from harness import checkpoint, why
from harness.errors import CannotRun
from harness.options import Options

SOAK = paper.ROOT / "qemu" / "soak"
# Bug -> the level that finds it, and who must be found to have done it.
CULPRITS = {
    "write-after-free": ("poison", "write_after_free"),
    "flip-link": ("fast", "flip_dead"),
    "flip-age": ("fast", "flip_age"),
    "overrun": ("full", "write_outside"),
    "underrun": ("full", "write_outside"),
}


class Why(unittest.TestCase):
    def setUp(self):
        self.out = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.out, ignore_errors=True)

    def soak(self, *words):
        """(exit code, stdout, stderr)"""
        result = subprocess.run(
            [sys.executable, str(SOAK), *words], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            timeout=HANG_SECONDS)
        return result.returncode, result.stdout, result.stderr

    def fail_by(self, plant, checks, *more, frames=7200):
        code, said, _ = self.soak(
            "run", "--frames", str(frames), "--plant", plant, "--checks",
            checks, "--out", str(self.out), *more)
        self.assertEqual(code, 1, said)
        return said

    def struck(self):
        """The frame of the mistake: the first from 3600 on that it could be made
        in."""
        summary = json.loads((self.out / "summary.json").read_text())
        self.assertLess(summary["planted"]["frame"], 3900)
        return summary["planted"]["frame"]

    def why(self):
        code, answer, said = self.soak("why", str(self.out), "--json")
        self.assertEqual(code, 0, said)
        return json.loads(answer), said

    def test_the_store_that_did_it_is_found_with_line_and_frame(self):
        source = (paper.ROOT / "qemu/rig/damage.c").read_text()
        line = source[:source.index("spark->dy = 3;")].count("\n") + 1
        said = self.fail_by("write-after-free", "poison")
        named = re.search(r"why   qemu/soak why (\S+)", said)[1]
        self.assertEqual(Path(named).resolve(), self.out.resolve())
        code, said, _ = self.soak("why", named)
        self.assertEqual(code, 0)
        self.assertRegex(
            said, r"0x1deadb0b at 0x[0-9a-f]{8} became 0x[0-9a-f]{8} by"
            fr" write_after_free\(\) at qemu/rig/damage.c:{line},"
            r" in frame 3600:\n  #0  write_after_free\(\)")
        self.assertRegex(said, r"noticed in frame \d+:\n"
                               r"  #0  (tp_fault|telemetry_audit|tp_record_audit)\(\)")

    def test_every_kind_of_damage_leads_to_its_culprit(self):
        for plant, (checks, function) in CULPRITS.items():
            self.fail_by(plant, checks)
            answer, _ = self.why()
            store = answer["store"]
            self.assertEqual((store["backtrace"][0]["function"],
                              store["frame"]), (function, self.struck()), plant)

    def test_of_a_double_free_the_first_free_is_found(self):
        self.fail_by("double-free", "poison")
        _, said, _ = self.soak("why", str(self.out))
        self.assertRegex(said, r"slot \d+ was freed first by burn_out\(\) at"
                               r" qemu/game/particles.c:\d+, in frame \d+")

    def test_a_bug_without_a_store_is_shown_where_it_was_noticed(self):
        self.fail_by("interior", "fast")
        _, said, _ = self.soak("why", str(self.out))
        self.assertIn(f"noticed in frame {self.struck()}:", said)
        self.assertIn("No one word of memory tells who did it", said)

    def test_hours_before_a_checkpoint_are_not_run_again(self):
        self.fail_by("write-after-free", "poison", "--checkpoint-every",
                     "0.02", "--interrupts", "timer", frames=43200)
        kept = checkpoint.all_in(self.out)
        self.assertTrue(kept)
        answer, _ = self.why()
        self.assertEqual(answer["store"]["frame"], 21600)

    def test_a_run_that_passed_is_a_sentence(self):
        self.soak("run", "--frames", "600", "--out", str(self.out))
        code, _, said = self.soak("why", str(self.out))
        self.assertEqual(code, 2)
        self.assertRegex(said, r"^soak: there is nothing to go back to: \d+"
                               " checks passed")

    def test_a_folder_without_a_run_is_a_sentence(self):
        code, _, said = self.soak("why", str(self.out))
        self.assertEqual(code, 2)
        self.assertRegex(said, "^soak: there is no result of a run in")

    def test_another_firmware_is_refused(self):
        self.fail_by("interior", "fast", frames=600)
        (self.out / "console.elf").write_bytes(b"other")
        code, _, said = self.soak("why", str(self.out))
        self.assertEqual(code, 2)
        self.assertIn("is not the firmware that ran", said)


class Search(unittest.TestCase):
    """Which recordings are tried, without QEMU."""

    def starts(self, answers):
        """The start of each recording made until one has the store."""
        made = []
        finding = why.Finding("poison", 5000, 0, 1, 0x20000000, 4)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "console.elf").write_bytes(b"")
            for frame in (1000, 3000, 6000):
                one = folder / "checkpoints" / f"frame-{frame:010}"
                one.mkdir(parents=True)
                (one / "checkpoint.json").write_text(
                    json.dumps({"frame": frame}))
            with mock.patch.multiple(
                    why, _approach=lambda *_: made.append("near") or "soak",
                    _load=lambda one, _: made.append(one.name) or "soak",
                    _power_on=lambda _: made.append("power-on") or "",
                    _record=lambda *_: None, _progress=lambda _: None,
                    _replay=lambda *_: {"words": [1], "store": answers.pop(0)}):
                why._explain(Options(), folder, Path(name) / "checkpoints",
                             finding)
        return [re.sub("^frame-0*", "", one) for one in made]

    def test_a_store_before_the_recording_is_looked_for_further_back(self):
        self.assertEqual(self.starts([None, None, None, {}]),
                         ["3000", "near", "3000", "1000", "power-on"])

    def test_the_nearest_recording_that_has_the_store_is_the_last(self):
        self.assertEqual(self.starts([{"frame": 1}]), ["3000", "near"])

    def test_the_first_finding_counts_whether_fault_or_audit(self):
        fault = {"kind": "poison", "pool": "b", "slot": 3, "frame": 20,
                 "address": "0x20000000", "offset": 8}
        audit = {"text": "the age ring is broken", "pool": "b", "slot": 2,
                 "frame": 19}
        summary = {"pools": [{"name": "a"}, {"name": "b"}], "why": "x",
                   "faults": [fault], "audits": [audit]}
        self.assertEqual(why.first_finding(summary), why.Finding(
            "the age ring is broken", 19, "b", 2, 0, 0))
        with self.assertRaises(CannotRun):
            why.first_finding(dict(summary, faults=[], audits=[]))

    def test_a_finding_that_names_no_word_gives_way_to_one_that_does_soon_after(
            self):
        fault = {"kind": "link", "pool": "a", "slot": 3, "frame": 20,
                 "address": "0x20000000", "offset": 0}
        audit = {"text": "the free list has the wrong length", "pool": "a",
                 "slot": 0, "frame": 19}
        summary = {"pools": [{"name": "a"}, {"name": "b"}], "why": "x",
                   "faults": [fault], "audits": [audit]}
        self.assertEqual(why.first_finding(summary).what, "link")
        for change in ({"frame": 19 + why.NEAR_FRAMES + 1}, {"pool": "b"}):
            later = dict(summary, faults=[dict(fault, **change)])
            self.assertEqual(why.first_finding(later).frame, 19, change)
