# SPDX-License-Identifier: MIT
"""Whatever is in a file that a soak reads again, it says a sentence; and whatever a
firmware sends, there is a verdict and a report."""

import contextlib
import json
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import damage
import paper
from command import say
from support import ROOT, is_full
from harness import resume, scenario, summary, why
from harness.errors import CannotRun
from harness.ledger import Ledger
from harness.log_files import LogFiles
from harness.options import Options
from harness.qemu_run import Effort
from harness.report import report
from harness.result_folder import CHECKPOINTS, ELF, RUN, SUMMARY, TELEMETRY
from harness.telemetry import Decoder
from harness.usage_result import TRACES
from harness.verdict import judge

TRIALS = 300 if is_full() else 100  # Of each kind.
FRAMES = 600
A_BUG = "a bug of the soak itself"


class Damaged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.out = Path(folder.name)
        cls.results = [
            cls.played("good", 0),
            cls.played("bad", 1, "--plant", "double-free", "--no-sanitize"),
            cls.out / "many"]
        code, said = say("merge", *cls.results[:2], "--out", cls.results[2])
        assert code == 1, said

    @classmethod
    def played(cls, name, wanted, *more):
        code, said = say("run", "--board", "host", "--frames", FRAMES, "--out",
                         cls.out / name, *more)
        assert code == wanted, said
        return cls.out / name

    def test_a_damaged_result_is_a_sentence_whoever_reads_it(self):
        copy, good = self.out / "copy", self.results[0]
        copy.mkdir()
        verbs = (("merge", copy, good, "--out", self.out / "merged"),
                 ("compare", copy, good), ("compare", good, copy),
                 ("history", copy, good, "--out", self.out / "history.html"),
                 ("why", copy),
                 ("trace", copy, "--format", "massif", "--no-sites"),
                 ("trace", copy, "--format", "chrome"))
        with mock.patch.object(why, "explained", side_effect=CannotRun("not now")):
            for number in range(TRIALS):
                result = self.results[number % len(self.results)]
                self.copy_pages(result, copy)
                pages = sorted(copy.glob("*.json"))
                page = pages[number // 3 % len(pages)]
                page.write_text(damage.damaged_json(page.read_text(), number))
                code, said = say(*verbs[number % len(verbs)])
                self.assertIn(code, (0, 1, 2))
                self.assertNotIn(A_BUG, said, f"{number}: {page.name}")

    def copy_pages(self, result, copy):
        shutil.rmtree(copy)
        copy.mkdir()
        for name in (SUMMARY, RUN, ELF, TELEMETRY):
            if (result / name).exists():
                shutil.copy(result / name, copy / name)

    def test_a_result_without_its_firmware_is_a_sentence(self):
        copy = self.out / "alone"
        copy.mkdir()
        self.copy_pages(self.results[1], copy)
        (copy / ELF).unlink()
        code, said = say("why", copy)
        self.assertEqual(2, code)
        self.assertIn("the firmware that ran, is not there any more", said)

    def test_a_damaged_run_is_gone_on_with_or_refused_by_a_sentence(self):
        copy, whole = self.out / "resumed", self.results[0]
        qemu = json.loads((whole / RUN).read_text())["qemu"]
        for number in range(TRIALS):
            shutil.rmtree(copy, ignore_errors=True)
            copy.mkdir()
            for name in (RUN, ELF, TELEMETRY):
                shutil.copy(whole / name, copy / name)
            shutil.copytree(whole / CHECKPOINTS, copy / CHECKPOINTS)
            if number % 10 == 0:
                (copy / (ELF, TELEMETRY, RUN)[number // 10 % 3]).unlink()
            else:
                page = copy / RUN
                page.write_text(damage.damaged_json(page.read_text(), number))
            with contextlib.suppress(CannotRun):
                options = resume.resumed_options({"resume": str(copy)})
                resume.go_on(options, qemu, lambda _: None)

    def test_a_damaged_scenario_is_a_sentence_with_its_place(self):
        texts = [path.read_bytes() for path
                 in sorted((ROOT / "qemu/scenarios").glob("*.toml"))]
        path = self.out / "scenario.toml"
        for number in range(TRIALS):
            path.write_bytes(damage.damaged_bytes(texts[number % len(texts)], number))
            with contextlib.suppress(CannotRun):
                scenario.arguments(str(path))

    def test_a_value_that_is_missing_in_a_scenario_is_pointed_at(self):
        path = self.out / "broken.toml"
        path.write_text("scenario = 1\n[sounds]\nvolley =\n")
        with self.assertRaises(CannotRun) as caught:
            scenario.arguments(str(path))
        self.assertIn("broken.toml:3:", caught.exception.output)

    def test_the_scenario_of_a_run_that_is_not_there_any_more_is_named(self):
        with self.assertRaisesRegex(CannotRun, "gone.toml: No such file"):
            scenario.arguments(str(self.out / "gone.toml"))

    def test_whatever_a_firmware_sends_has_a_verdict_and_a_report(self):
        sent = [damage.records_in((result / "telemetry.bin").read_bytes())
                for result in self.results[:2]]
        with mock.patch.object(summary, "ram_map", return_value=[]):
            for number in range(TRIALS):
                parts = sent[number % len(sent)]
                with contextlib.suppress(CannotRun):
                    self.report_of(damage.damaged_telemetry(parts, number), number)

    def test_whatever_a_firmware_sends_is_told_of_in_a_trace(self):
        copy = self.out / "traced"
        copy.mkdir()
        self.copy_pages(self.results[0], copy)
        page = json.loads((copy / SUMMARY).read_text())
        (copy / SUMMARY).write_text(json.dumps(dict(page, results=[], frames=0)))
        parts = damage.records_in((copy / TELEMETRY).read_bytes())
        for number in range(TRIALS):
            (copy / TELEMETRY).write_bytes(damage.damaged_telemetry(parts, number))
            for format_ in TRACES:
                code, said = say("trace", copy, "--format", format_, "--no-sites")
                self.assertIn(code, (0, 2))
                self.assertNotIn(A_BUG, said, f"{number}: {format_}")

    def report_of(self, data, number):
        ledger, decoder = Ledger(), Decoder()
        with LogFiles(self.out, ledger) as log:
            for at in range(0, len(data), 1 + number * 37):
                for record in decoder.feed(data[at:at + 1 + number * 37]):
                    log.add(ledger.add(record))
                    if ledger.restarted:
                        break
        options = Options(board="host", frames=FRAMES)
        verdict = judge(options, ledger, paper.good_ending())
        result = summary.summary(options, ledger, verdict, self.results[0] / ELF,
                                 "none", Effort(10.0, 20.0, 5.0))
        json.dumps(result, allow_nan=False)
        report(result, ledger)


class Odd(unittest.TestCase):
    """What was found so."""

    def test_a_mistake_of_an_unknown_name_is_not_found_by_it(self):
        self.judged(paper.planted("of nobody"))

    def test_a_frame_cost_that_is_told_of_late_is_no_spike(self):
        result = self.judged(paper.frame_costs(3600 * 9, 10, 20, 30)
                             + paper.frame_costs(3600 * 10, 10, 20, 30))
        self.assertEqual([], [one["name"] for one in result["results"]
                              if one["passed"] is False and "frame" in one["name"]])

    def test_ages_are_drawn_of_a_run_without_a_frame(self):
        ledger = paper.ledger_of(paper.hello() + paper.oldest(0, 0, 60, 1, 7)
                                 + paper.healthy_sample(0))
        with mock.patch.object(summary, "ram_map", return_value=[]):
            self.assertIn("age of the oldest", report(self.summed_up(ledger), ledger))

    def test_a_stack_of_no_bytes_does_not_hold(self):
        result = self.judged(paper.stack(60, 0, 0))
        self.assertIn(("stacks hold", False), [
            (one["name"], one["passed"]) for one in result["results"]])

    def judged(self, more):
        ledger = paper.ledger_of(paper.hello() + more + paper.healthy_sample(3600)
                                 + paper.done())
        with mock.patch.object(summary, "ram_map", return_value=[]):
            return self.summed_up(ledger)

    def summed_up(self, ledger):
        return summary.summary(paper.options(), ledger,
                               judge(paper.options(), ledger, paper.good_ending()),
                               ROOT / "README.md", "none", Effort(10.0, 20.0, 5.0))


if __name__ == "__main__":
    unittest.main()
