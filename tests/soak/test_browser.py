# SPDX-License-Identifier: MIT
"""The report as Chromium shows it: wide, as narrow as a telephone, and dark."""

import contextlib
import io
import json
import shutil
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace

import paper
from browser import ask
from harness.merge import merge
from harness.report import report
from test_report import summary_of

SCENES = ("calm", "battle", "storm")
SECONDS = 600
MEMORY = [{"bank": "psram", "section": ".tp_arena_psram", "address": 0x21000000,
           "bytes": 3200, "parts": [{"name": "particles", "bytes": 3200}]}]
# What a person would notice: words that stick out, things without a size.
LOOK = """
const shown = one => one.getClientRects().length > 0;
const all = words => [...page.querySelectorAll(words)];
const view = page.defaultView;
const style = one => view.getComputedStyle(one);
return {
  width: page.documentElement.scrollWidth,
  outside: all('body *').filter(one => shown(one)
    && one.getBoundingClientRect().right
      > page.documentElement.clientWidth + 1
    && !one.closest('.times, svg')).map(one => one.outerHTML.slice(0, 80)),
  headings: all('h2').filter(shown).map(one => one.textContent),
  verdict: page.querySelector('.verdict').innerText,
  plots: all('.plot svg').map(one => [one.clientWidth, one.clientHeight]),
  bars: all('.histogram rect').filter(
    one => one.getBoundingClientRect().height > 0).length,
  scenes: all('.scenes span').map(one => one.textContent),
  bank: all('.bank h3').map(one => one.textContent),
  heads: all('thead').filter(shown).length,
  dark: view.matchMedia('(prefers-color-scheme: dark)').matches,
  paper: style(page.body).backgroundColor, ink: style(page.body).color,
  text: page.body.innerText,
};
"""


def run_with_everything():
    """A failed run in three scenes, with costs and figures of its own."""
    frames = 60 * SECONDS
    body = [paper.scene(frames * n // 3, name) for n, name in
            enumerate(SCENES)]
    body += [paper.healthy_sample(60 * second) + paper.figures(60 * second, 9)
             for second in range(1, SECONDS)]
    return b"".join([
        paper.hello(frames), paper.figure(0, "meshes: largest hole"), *body,
        paper.costs("particles: alloc", [0, 10, 500, 90, 3], 20, 2),
        paper.audit("a dead slot was written to", frames - 60),
        paper.fault(paper.POISON, frames - 30)])


def luminance(colour):
    """Of 'rgb(r, g, b)', by the formula of the web's contrast rules."""
    parts = [int(part) / 255 for part in
             colour[colour.index("(") + 1:-1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045
              else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in
               zip((0.2126, 0.7152, 0.0722), linear))


class Shown(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        summary, ledger = summary_of(run_with_everything(), 60 * SECONDS)
        summary["memory"] = MEMORY
        cls.page = cls.folder / "report.html"
        cls.page.write_text(report(summary, ledger))
        cls.wide = ask(cls.page, LOOK, 1280)
        cls.narrow = ask(cls.page, LOOK, 400)
        cls.dark = ask(cls.page, LOOK, 1280, dark=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_nothing_sticks_out_at_any_width(self):
        self.assertEqual((self.wide["width"], self.wide["outside"]),
                         (1280, []))
        self.assertEqual((self.narrow["width"], self.narrow["outside"]),
                         (400, []))

    def test_every_part_is_there_in_its_order(self):
        for seen in (self.wide, self.narrow, self.dark):
            self.assertEqual(seen["headings"], [
                "How to reproduce it", "Faults", "Audits that disagreed",
                "Pools and other allocators", "In use over simulated time",
                "What went on, each second: served and given back; changes of"
                " figures", "What calls cost, in instructions",
                "Figures of the firmware",
                "RAM, as the linker laid it out", "Events", "Checks",
                "What was looked for, with checks poison", "Notes"])

    def test_the_verdict_is_the_first_thing_one_reads(self):
        self.assertRegex(self.wide["verdict"], "^Fail\n+poison fault in pool")
        self.assertIn("qemu/soak why DIR", self.wide["text"])

    def test_every_pool_has_a_plot_with_bands_and_a_histogram(self):
        for seen, least in ((self.wide, 800), (self.narrow, 200)):
            self.assertEqual(len(seen["plots"]), 8)
            for width, height in seen["plots"]:
                self.assertGreater(width, least)
                self.assertGreater(height, 70)
            self.assertEqual(seen["scenes"], 3 * list(SCENES))
            self.assertGreaterEqual(seen["bars"], 3)

    def test_costs_figures_and_ram_are_shown_with_their_numbers(self):
        for words in ("particles: alloc", "603", "meshes: largest hole",
                      "3 200 bytes from 0x21000000", "storm"):
            self.assertIn(words, self.wide["text"], words)
        self.assertEqual(self.wide["bank"],
                         ["bank psram3 200 bytes from 0x21000000"])

    def test_tables_become_cards_on_a_telephone(self):
        self.assertGreater(self.wide["heads"], 0)
        self.assertEqual(self.narrow["heads"], 0)

    def test_dark_is_dark_and_can_be_read(self):
        self.assertEqual((self.wide["dark"], self.dark["dark"]), (False, True))
        for seen, paper_is_light in ((self.wide, True), (self.dark, False)):
            light, dark = sorted(
                (luminance(seen["paper"]), luminance(seen["ink"])))[::-1]
            self.assertGreater((light + 0.05) / (dark + 0.05), 7)
            self.assertEqual(luminance(seen["paper"]) > 0.5, paper_is_light)


class Merged(unittest.TestCase):
    def test_the_report_of_many_runs_fits_any_width_too(self):
        with tempfile.TemporaryDirectory() as name:
            for seed in (1, 2):
                summary, _ = summary_of(paper.healthy_run(seed=seed)
                                        if seed == 1 else
                                        paper.hello(seed=seed)
                                        + paper.fault(paper.POISON), seed=seed)
                folder = Path(name) / f"seed-{seed}"
                folder.mkdir()
                (folder / "summary.json").write_text(json.dumps(summary))
            with contextlib.redirect_stdout(io.StringIO()):
                merge(SimpleNamespace(folders=[name], seeds=(1, 2, 3),
                                      json=False, out=""))
            for width in (1280, 400):
                seen = ask(Path(name) / "report.html", LOOK, width)
                self.assertEqual((seen["width"], seen["outside"]), (width, []))
                self.assertIn("Seed 2 failed", seen["headings"])
                self.assertIn("seed 3 has no complete result", seen["text"])
