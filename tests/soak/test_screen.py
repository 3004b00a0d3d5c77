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
