# SPDX-License-Identifier: MIT
"""Play: the game's pictures in a terminal that is as large as it says."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time
import unittest
from collections import deque
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import paper
import trials
from harness.errors import CannotRun
from harness.options import Options
from harness.picture import Picture, colour_256, half_blocks, wide_cells
from harness.play import Game, command
from harness.play_screen import fitting
from harness.telemetry import Decoder

SOAK = str(trials.ROOT / "qemu/soak")
PATIENCE = 120  # Seconds; it may have to build.


class Terminal:
    """A pseudo terminal with `qemu/soak play` in it."""

    def __init__(self, columns, lines, *words, **environment):
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ,
                    struct.pack("HHHH", lines, columns, 0, 0))
        self.before = termios.tcgetattr(theirs)
        self.theirs = theirs
        self.seen = b""
        self.process = subprocess.Popen(
            [SOAK, "play", "--no-install", *words], stdin=theirs,
            stdout=theirs, stderr=theirs, start_new_session=True,
            # Ctrl-C is ignored by what a shell began in the background.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            env={**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                 **environment})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)

    def waits_for(self, words):
        """Whether it shows them before we lose patience."""
        deadline = time.monotonic() + PATIENCE
        while words.encode() not in self.seen:
            left = deadline - time.monotonic()
            if left < 0 or not select.select([self.ours], [], [], left)[0]:
                return False
            self.seen += os.read(self.ours, 65536)
        return True

    def hits(self, key):
        os.write(self.ours, key)

    def code(self):
        """Its exit code; what it prints meanwhile is read."""
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            if select.select([self.ours], [], [], 0.05)[0]:
                self.seen += os.read(self.ours, 65536)
        return self.process.poll()


class Pictures(unittest.TestCase):
    PICTURE = Picture(7, 2, 3, (), bytes([0xe0, 0xe0, 0x1c, 0x03, 0xff, 0x00]))

    def test_two_rows_of_a_picture_are_a_line_of_half_blocks(self):
        self.assertEqual(half_blocks(self.PICTURE), [
            "\x1b[38;5;196;48;5;46m▀\x1b[38;5;196;48;5;21m▀\x1b[m",
            "\x1b[38;5;231;48;5;16m▀\x1b[38;5;16;48;5;16m▀\x1b[m"])

    def test_cells_of_one_colour_share_its_escape_sequence(self):
        self.assertEqual(wide_cells(self.PICTURE)[0], "\x1b[48;5;196m    \x1b[m")

    def test_every_pixel_is_a_colour_of_the_terminals_cube(self):
        colours = {colour_256(pixel) for pixel in range(256)}
        self.assertLessEqual(colours, set(range(16, 232)))
        self.assertGreater(len(colours), 100)

    def test_a_picture_is_drawn_as_large_as_the_terminal_allows(self):
        sizes = [(4, 4, wide_cells), (4, 3, half_blocks), (2, 3, half_blocks)]
        for columns, lines, draw in sizes:
            size = os.terminal_size((columns, lines))
            self.assertEqual(fitting(self.PICTURE, size), draw(self.PICTURE))
        for columns, lines in ((1, 9), (9, 2)):
            size = os.terminal_size((columns, lines))
            self.assertEqual(fitting(self.PICTURE, size), [])

    def test_a_picture_of_another_size_than_it_says_is_damage(self):
        for uses, pixels, wanted in ((0, 6, 1), (0, 5, 0), (0, 7, 0), (1, 11, 1),
                                     (1, 6, 0), (3, 6, 0)):
            head = struct.pack("<IHHB", 7, 2, 3, uses)
            record = paper.record(16, head + bytes(pixels))
            found = Decoder().feed(record)
            self.assertEqual(len(found), wanted, (uses, pixels))


class Told(unittest.TestCase):
    """The game, of records by hand."""

    def game(self, *data, **options):
        game = Game(Options(seed=7, **options), "x.elf")
        for record in Decoder().feed(b"".join(data)):
            game._note(record)
        return game

    def test_below_a_picture_are_seed_time_and_what_is_live(self):
        game = self.game(paper.hello(pools=paper.POOLS[:2]), paper.sample(
            60, paper.usage(9, capacity=100), paper.usage(3, capacity=16)))
        self.assertEqual("seed 7  00:01:02  q quits  particles 9/100  sounds 3/16",
                         game.words(SimpleNamespace(frame=62 * 60)))
        self.assertEqual("seed 7  00:00:00  q quits  ",
                         self.game().words(SimpleNamespace(frame=0)))

    def test_how_a_game_ended_is_a_sentence(self):
        self.assertEqual("the game is over.", self.game(paper.hello()).ending)
        for pool, where in ((1, " of sounds"), (3, ""), (255, "")):
            self.assertEqual(
                f"the game ended in frame 1234 with a fault: poison{where}.",
                self.game(paper.hello(), paper.fault(paper.POISON, pool=pool)).ending)

    def test_whoever_is_ahead_by_more_than_eight_pictures_waits(self):
        game = self.game()
        game._process = mock.Mock()
        for pictures, told in ((0, signal.SIGCONT), (8, signal.SIGCONT),
                               (9, signal.SIGSTOP)):
            game._pictures = deque(range(pictures))
            game._pace()
            game._process.send_signal.assert_called_with(told)
        game._runs = False
        game._process.send_signal.reset_mock()
        game._pace()
        game._process.send_signal.assert_not_called()

    def test_pictures_come_in_their_order_and_all_before_the_end(self):
        game = self.game()
        game._process = mock.Mock()
        told = [paper.picture(2) + paper.picture(4), None, None,
                paper.picture(6) + paper.picture(8)]
        game._process.stdout.read.side_effect = lambda: told.pop(0) if told else b""
        pictures = game.pictures()
        self.assertEqual((2, 3), (next(pictures).frame, len(told)))
        self.assertEqual([4, 6, 8], [one.frame for one in pictures])

    def test_a_firmware_that_shows_nothing_is_a_sentence(self):
        game = self.game()
        game._process = mock.Mock()
        game._process.stdout.read.return_value = None
        with mock.patch("harness.play.PATIENCE", 0), \
                self.assertRaisesRegex(CannotRun, "sent no picture for 0 seconds; it"
                                                  " says where that is by tp_soak_pic"):
            next(game.pictures())

    def test_a_picture_comes_every_other_frame_and_nobody_answers_the_firmware(self):
        words = " ".join(command(Options(seed=7), "x.elf"))
        for part in ("-M mps2-an385 ", "arg=seed=7", ",arg=picture_every=2 ",
                     "enable=on,target=gdb,arg=", "-icount shift=5,sleep=off",
                     "-nic none", "-no-reboot", "-kernel x.elf"):
            self.assertIn(part, words)


class Playing(unittest.TestCase):
    def test_play_draws_the_game_until_q_is_hit(self):
        with Terminal(90, 35) as terminal:
            self.assertTrue(terminal.waits_for("q quits  particles "),
                            terminal.seen)
            self.assertIn(b"\x1b[48;5;", terminal.seen)
            terminal.hits(b"q")
            self.assertEqual(terminal.code(), 0)
            self.assertIn(b"\x1b[?1049l", terminal.seen)
            self.assertEqual(termios.tcgetattr(terminal.theirs),
                             terminal.before)

    def test_control_c_quits_too(self):
        with Terminal(60, 20) as terminal:
            self.assertTrue(terminal.waits_for("▀"), terminal.seen)
            os.kill(terminal.process.pid, 2)
            self.assertEqual(terminal.code(), 0)
            self.assertNotIn(b"Traceback", terminal.seen)

    def test_a_terminal_that_is_too_small_is_told_what_is_needed(self):
        with Terminal(39, 20) as terminal:
            self.assertTrue(terminal.waits_for("too small: 40 x 16 characters"),
                            terminal.seen)
            terminal.hits(b"q")
            self.assertEqual(terminal.code(), 0)

    def test_a_game_that_faults_ends_with_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "many.toml"
            path.write_text("scenario = 1\n[enemies]\nwave = [49, 49]\n")
            with Terminal(90, 35, "--scenario", str(path)) as terminal:
                self.assertEqual(terminal.code(), 1)
                self.assertIn(b"ended in frame 0 with a fault: full of enemies",
                              terminal.seen)

    def test_a_firmware_of_another_level_is_not_played(self):
        for options, said in ((Options(elf="mine.elf", checks="full"),
                               "was built with checks poison, not full"),
                              (Options(elf="mine.elf", interrupts="timer"),
                               "hands over no timer")):
            game = Game(options, "mine.elf")
            hello, = Decoder().feed(paper.hello())
            with self.assertRaisesRegex(CannotRun, said):
                game._note(hello)

    def test_play_says_so_where_it_cannot_draw(self):
        piped = subprocess.run([SOAK, "play"], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(piped.returncode, 2)
        self.assertIn(b"soak: play needs a terminal", piped.stderr)
        for environment, words in (({"TERM": "dumb"}, "dumb"),
                                   ({"PYTHONIOENCODING": "ascii"}, "LC_ALL")):
            with Terminal(90, 35, **environment) as terminal:
                self.assertEqual(terminal.code(), 2)
                self.assertIn(words.encode(), terminal.seen)
