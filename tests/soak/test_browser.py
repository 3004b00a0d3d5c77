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
from browser import ask, pages_printed
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


# What who cannot see it so relies on: rules of the Web Content Accessibility
# Guidelines 2.1, and the least contrast of level AA.
ACCESSIBLE = """
const all = words => [...page.querySelectorAll(words)];
const view = page.defaultView;
const parts = colour => colour.match(/[\\d.]+/g).map((part, at) =>
  part * (colour.startsWith('color(srgb') && at < 3 ? 255 : 1));
const luminance = colour => parts(colour).slice(0, 3).map(part => part / 255)
  .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
const behind = one => {
  const colour = view.getComputedStyle(one).backgroundColor;
  return (parts(colour)[3] ?? 1) || !one.parentElement ? colour
    : behind(one.parentElement);
};
const contrast = one => {
  const both = [view.getComputedStyle(one).color, behind(one)].map(luminance);
  return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
};
const says = one => [...one.childNodes].some(
  node => node.nodeType === 3 && node.textContent.trim());
const levels = all('h1, h2, h3').map(one => Number(one.tagName[1]));
return {
  outside: all('body *').filter(one => says(one)
    && !one.closest('main, script, style')).length,
  titles: levels.filter(level => level === 1).length,
  skipped: levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1).length,
  unnamed: all('svg:not([aria-label]), img:not([alt]), th:not([scope])').length,
  pale: all('body *').filter(one => one.getClientRects().length && says(one)
    && !one.closest('script') && contrast(one) < 4.5)
    .map(one => [one.outerHTML.slice(0, 80), contrast(one)]),
};
"""
NOTHING_WRONG = {"outside": 0, "titles": 1, "skipped": 0, "unnamed": 0, "pale": []}
# A mouse goes to the middle of the first plot, then drags over its second half.
DRAG = """
const look = page.querySelector('.look'), view = page.defaultView;
const box = look.getBoundingClientRect();
const move = (name, share) => look.dispatchEvent(new view.PointerEvent(name, {
  clientX: box.left + share * box.width, bubbles: true}));
move('pointermove', 0.5);
const told = look.querySelector('b').textContent;
move('pointerdown', 0.5);
move('pointermove', 0.8);
move('pointerup', 1);
const closer = [...page.querySelectorAll('.plot svg')].map(
  one => one.getAttribute('viewBox'));
page.dispatchEvent(new view.KeyboardEvent('keydown', {key: 'Escape'}));
return {told, closer, again: page.querySelector('.plot svg').getAttribute('viewBox')};
"""


def run_of_days(pools=17, samples=6000):
    """That no second of is like another."""
    names = [(f"pool_{n}", 100, 32, 1) for n in range(pools)]
    body = (paper.sample(60 * second, *(paper.usage(second * (n + 7) % 97)
                                        for n in range(pools)))
            for second in range(1, samples + 1))
    return b"".join([paper.hello(60 * samples, pools=names), *body])


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
        cls.tablet = ask(cls.page, LOOK, 800)
        cls.narrow = ask(cls.page, LOOK, 400)
        cls.dark = ask(cls.page, LOOK, 1280, dark=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_nothing_sticks_out_at_any_width(self):
        self.assertEqual((self.wide["width"], self.wide["outside"]),
                         (1280, []))
        self.assertEqual((self.tablet["width"], self.tablet["outside"]),
                         (800, []))
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
            self.assertEqual(len(seen["plots"]), 9)
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

    def test_it_is_read_to_who_cannot_see_it_and_pale_nowhere(self):
        for dark in (False, True):
            self.assertEqual(NOTHING_WRONG, ask(self.page, ACCESSIBLE, 1280, dark))

    def test_a_plot_tells_its_numbers_and_all_go_closer_together(self):
        seen = ask(self.page, DRAG, 1280)
        self.assertEqual("00:04:59  10 to 100, median 60", seen["told"])
        self.assertEqual({"500 0 500 200"}, set(seen["closer"]))
        self.assertEqual("0 0 1000 200", seen["again"])


class Printed(unittest.TestCase):
    def test_days_of_many_pools_are_at_most_six_sheets(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "report.html"
            page.write_text(report(*summary_of(run_of_days(), 360000)))
            self.assertIn('class="half"', page.read_text())
            self.assertLessEqual(pages_printed(page), 6)


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
