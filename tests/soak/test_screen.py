# SPDX-License-Identifier: MIT
import io
import os
import re
import unittest
from unittest import mock

import paper
from harness import screen
from harness.number_text import clock, counted, grouped, percent, span
from harness.terminal_text import glyphs_for, may_colour, paint

MANY = tuple((f"pool_with_a_long_name_{n}", 65534, 8, 1) for n in range(20))


def ledgers():
    yield paper.ledger_of(b"")
    yield paper.ledger_of(paper.healthy_run())
    yield paper.ledger_of(paper.healthy_run() + paper.fault(6)
                          + paper.audit("bad"))
    yield paper.ledger_of(paper.hello(pools=MANY) + paper.sample(
        60, *[paper.usage(65534, refused=10**9, allocs=4 * 10**9)] * 20))


class Terminal(io.StringIO):
    """A stream that says it is a terminal of a given size."""

    def __init__(self, columns=80, lines=24, encoding="utf-8"):
        super().__init__()
        self.size = os.terminal_size((columns, lines))
        self._encoding = encoding

    encoding = property(lambda self: self._encoding)

    def isatty(self):
        return True

    def fileno(self):
        return 1


def drawn(columns, ledger, wall=1.0, environment=None, **how):
    terminal = Terminal(columns, **how)
    variables = {"TERM": "xterm", "NO_COLOR": "", **(environment or {})}
    with mock.patch.dict(os.environ, variables), \
            mock.patch("os.get_terminal_size", lambda _: terminal.size):
        with screen.screen_for(terminal, paper.options()) as live:
            live.update(ledger, wall, last=True)
    return terminal.getvalue()


def visible(text):
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", text)


class LiveScreen(unittest.TestCase):
    def test_no_line_is_wider_than_the_terminal(self):
        for ledger in ledgers():
            for columns in range(40, 201):
                for line in visible(drawn(columns, ledger)).split("\n"):
                    self.assertLessEqual(len(line), columns, line)

    def test_forty_columns_are_enough_for_now_high_and_capacity(self):
        text = visible(drawn(40, paper.ledger_of(paper.healthy_run())))
        self.assertRegex(text, r"particles \S{12} +60 +100\* +100\n")

    def test_eighty_columns_are_enough_for_everything(self):
        text = visible(drawn(80, paper.ledger_of(paper.healthy_run())))
        for word in ("refused", "steals", "full", "interrupts 3 600", "seed 1",
                     "00:01:00 of 1 minute", "100 %"):
            self.assertIn(word, text)

    def test_more_pools_than_lines_do_not_scroll(self):
        ledger = paper.ledger_of(paper.hello(pools=MANY))
        text = drawn(80, ledger, lines=10)
        self.assertEqual(text.count("\n"), 9)

    def test_a_drawing_replaces_the_one_before(self):
        terminal = Terminal()
        with mock.patch.dict(os.environ, {"TERM": "xterm"}), \
                mock.patch("os.get_terminal_size", lambda _: terminal.size):
            live = screen.LiveScreen(terminal, paper.options())
            live.say("building")
            live.update(paper.ledger_of(paper.healthy_run()), 1.0, last=True)
            live.update(paper.ledger_of(paper.healthy_run()), 1.0, last=True)
        self.assertIn("\x1b[1A", terminal.getvalue())
        heights = re.findall(r"\x1b\[(\d+)A", terminal.getvalue())
        self.assertEqual(heights, ["1", "11"])

    def test_the_cursor_is_hidden_and_comes_back_even_after_an_error(self):
        terminal = Terminal()
        with self.assertRaises(KeyboardInterrupt):
            with screen.LiveScreen(terminal, paper.options()):
                raise KeyboardInterrupt
        self.assertTrue(terminal.getvalue().startswith("\x1b[?25l"))
        self.assertTrue(terminal.getvalue().endswith("\x1b[?25h"))

    def test_a_fault_is_shown_in_words(self):
        ledger = paper.ledger_of(paper.healthy_run() + paper.fault(6))
        self.assertIn("1 fault", visible(drawn(80, ledger)))

    def test_no_color_means_no_colour_and_the_same_words(self):
        ledger = paper.ledger_of(paper.healthy_run())
        plain = drawn(80, ledger, environment={"NO_COLOR": "1"})
        self.assertNotRegex(plain, r"\x1b\[\d*m")
        self.assertEqual(visible(plain), visible(drawn(80, ledger)))

    def test_an_ascii_terminal_gets_ascii(self):
        text = drawn(80, paper.ledger_of(paper.healthy_run()), encoding="ascii")
        self.assertTrue(text.isascii())
        self.assertIn("#######=====", visible(text))

    def rows(self, *records, width=80, wall=1.0, frames=3600, **options):
        """What is in each line, and in what style."""
        ledger = paper.ledger_of(b"".join(records))
        lines = screen.frame(paper.options(frames, **options), ledger, wall, width,
                             glyphs_for(Terminal(encoding="ascii")))
        return ["".join(text for text, _ in line) for line in lines], lines

    def test_the_title_has_what_was_asked_for(self):
        for more, words in (
                ({}, ""), ({"plant": "leak"}, "  plant leak"),
                ({"scenario": "/x/storm.toml"}, "  storm"),
                ({"scenario": "x.toml", "plant": "leak"}, "  x  plant leak")):
            self.assertEqual(" soak mps2_an385  seed 1  checks poison  interrupts"
                             f" scheduled{words}", self.rows(width=200, **more)[0][0])

    def test_how_far_it_is_and_how_long_it_takes(self):
        now = paper.hello(7200) + paper.sample(1800, *[paper.usage(1)] * 3)
        for records, wall, width, progress, speed in (
                (now, 2.0, 80, " 00:00:30 of 2 minutes " + "=" * 10 + "-" * 30
                 + " 25.0 %", " 15 x real time, 6 seconds left"),
                (now, 2.0, 49, " 00:00:30 of 2 minutes " + "=" * 4 + "-" * 14
                 + " 25.0 %", " 15 x real time, 6 seconds left"),
                (now, 2.0, 20, " 00:00:30 of 2 minutes  25.0 %",
                 " 15 x real time, 6 seconds left"),
                (now, 0.0, 20, " 00:00:30 of 2 minutes  25.0 %", " starting"),
                (b"", 2.0, 20, " 00:00:00 of 2 minutes  0 %", " starting"),
                (paper.healthy_run(7200), 2.0, 80, " 00:02:00 of 2 minutes "
                 + "=" * 40 + " 100 %", " 60 x real time, 2.0 s in all")):
            said, _ = self.rows(records, wall=wall, width=width, frames=7200)
            self.assertEqual([progress, speed], said[1:3])

    def test_each_kind_of_trouble_is_counted(self):
        run, usages = paper.healthy_run(), [paper.usage(1)] * 2
        unbalanced = paper.sample(3660, *usages, paper.usage(1, allocs=9, frees=3))
        for records, words, style in (
                ((), "no faults, counts balance", "good"),
                ((paper.audit("bad"), paper.audit("bad", 660)),
                 "2 audit disagreements", "bad"),
                ((unbalanced, paper.fault(6), b"\xb7\xff"),
                 "1 fault, 1 unbalanced pool, 2 damaged bytes", "bad")):
            said, lines = self.rows(run, *records, width=120)
            self.assertTrue(said[-2].startswith(f" checks poison: {words}   interr"),
                            said[-2])
            self.assertEqual(style, lines[-2][1][1])

    def test_the_bar_of_a_pool_that_is_full_now_is_of_another_colour(self):
        """One object of many shows, and so does one that is not used."""
        pools = [(name, capacity, 8, 1) for name, capacity in (
            ("a", 12), ("b", 12), ("c", 1000), ("d", 1000), ("e", 12))]
        said, lines = self.rows(paper.hello(pools=pools), paper.sample(60, *(
            paper.usage(live, peak=peak, capacity=capacity) for live, peak, capacity
            in ((12, 12, 12), (3, 6, 12), (1, 999, 1000), (0, 0, 1000), (0, 1, 12)))))
        bars = [(one[1][1], one[1][0] + one[2][0] + one[3][0]) for one in lines[5:10]]
        self.assertEqual([("warn", "#" * 12), ("bar", "###===......"),
                          ("bar", "#==========."), ("bar", "............"),
                          ("bar", "=...........")], bars)
        self.assertRegex(said[5], r"^ a      #{12} ")

    def test_only_what_a_policy_can_do_has_a_column(self):
        for policy, columns in (
                ("drop", ["refused", "full"]), ("steal-oldest", ["steals", "full"]),
                ("spill", ["spills", "full"]), ("assert", ["full"])):
            said, _ = self.rows(paper.hello(pools=(("a", 12, 8, policy),)),
                                paper.sample(60, paper.usage(1, capacity=12)))
            self.assertEqual(columns, said[4].split()[6:])
            self.assertEqual(["-"] * (len(columns) - 1) + ["0", "%"],
                             said[5].split()[5:], said[5])

    def test_it_is_drawn_four_times_a_second_at_most(self):
        terminal, now = Terminal(), [0.0]
        with mock.patch("os.get_terminal_size", lambda _: terminal.size), \
                mock.patch("time.monotonic", lambda: now[0]):
            live, drawn_at = screen.LiveScreen(terminal, paper.options()), []
            for now[0] in (10.0, 10.1, 10.2, 10.25, 10.3, 10.5):
                before = len(terminal.getvalue())
                live.update(paper.ledger_of(b""), 1.0)
                drawn_at += [now[0]] * (len(terminal.getvalue()) > before)
        self.assertEqual([10.0, 10.25, 10.5], drawn_at)


class OtherStreams(unittest.TestCase):
    def test_a_pipe_gets_a_plain_line_each_ten_seconds(self):
        stream, now = io.StringIO(), [0.0]
        with mock.patch("time.monotonic", lambda: now[0]):
            plain = screen.screen_for(stream, paper.options())
            for now[0] in (0.0, 5.0, 10.0, 15.0, 20.0):
                plain.update(paper.ledger_of(paper.healthy_run()), 2.0)
        self.assertIsInstance(plain, screen.PlainScreen)
        self.assertEqual(stream.getvalue().count("\n"), 2)
        self.assertIn("30 x real time", stream.getvalue())
        self.assertIn("00:01:00 of 1 minute  100 %  30 x", stream.getvalue())
        self.assertIn("sounds 15/16/16", stream.getvalue())

    def test_a_dumb_terminal_gets_plain_lines(self):
        with mock.patch.dict(os.environ, {"TERM": "dumb"}):
            kind = type(screen.screen_for(Terminal(), paper.options()))
        self.assertIs(kind, screen.PlainScreen)

    def test_only_a_terminal_is_coloured(self):
        with mock.patch.dict(os.environ, {"TERM": "xterm", "NO_COLOR": ""}):
            self.assertFalse(may_colour(io.StringIO()))
            self.assertTrue(may_colour(Terminal()))

    def test_blocks_are_used_where_the_encoding_has_them(self):
        self.assertEqual(glyphs_for(Terminal(encoding="latin-1")).used, "#")
        self.assertEqual(glyphs_for(Terminal()).used, "█")

    def test_escape_sequences_do_not_count_as_width(self):
        line = [("good", "good"), ("bye", "bad")]
        self.assertEqual(visible(paint(line, 6, colour=True)), "goodby")
        self.assertEqual(paint(line, 6, colour=False), "goodby")


class Words(unittest.TestCase):
    def test_numbers_are_grouped_by_thousands(self):
        self.assertEqual(grouped(1234567), "1 234 567")
        self.assertEqual(counted(1, "slot"), "1 slot")
        self.assertEqual(counted(2000, "slot"), "2 000 slots")

    def test_spans_name_their_two_largest_units(self):
        self.assertEqual(span(3600), "1 hour")
        self.assertEqual(span(90061), "1 day 1 hour")
        self.assertEqual(span(0.4), "0 seconds")

    def test_the_clock_counts_days(self):
        self.assertEqual(clock(59), "00:00:59")
        self.assertEqual(clock(93784), "1 d 02:03:04")

    def test_a_share_is_never_rounded_to_none_or_all(self):
        self.assertEqual(percent(1, 10**6), "< 0.1 %")
        self.assertEqual(percent(999999, 10**6), "> 99.9 %")
        self.assertEqual(percent(0, 10), "0 %")
        self.assertEqual(percent(10, 10), "100 %")
        self.assertEqual(percent(0, 0), "0 %")
