# SPDX-License-Identifier: MIT
"""What `why` says to QEMU and what it makes of the answers, with no QEMU: its stub is
a socket, its run a list of instructions."""

import contextlib
import socket
import struct
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import paper
from harness import replay
from harness.errors import CannotRun
from harness.gdb_remote import (ACCESSES, BREAKPOINT, CHUNK, QUIT, TRAP, WRITES,
                                GdbRemote, Gone, Stop)
from harness.monitor import NoAnswer
from harness.replay import TRACE, Mark, Moment, Replay


def packet(text):
    return b"$%b#%02x" % (text.encode(), sum(text.encode()) & 255)


class Remote(unittest.TestCase):
    """A stub that has answered before it is asked."""

    def setUp(self):
        ours, self.theirs = socket.socketpair()
        for one in (ours, self.theirs):
            self.addCleanup(one.close)
        self.answer("OK")
        self.gdb = GdbRemote(ours)
        self.sent()

    def answer(self, *texts):
        self.theirs.sendall(b"+".join(map(packet, texts)))

    def sent(self):
        """All since it was asked last."""
        self.theirs.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            return self.theirs.recv(65536)

    def said(self, *texts):
        """These commands, each of whose answers was taken."""
        return b"".join(packet(text) + b"+" for text in texts)

    def test_a_step_is_of_one_instruction_without_interrupts(self):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            theirs.sendall(packet("OK"))
            GdbRemote(ours)
            self.assertEqual(self.said("Qqemu.sstep=7"), theirs.recv(99))

    def test_where_to_stop_is_said_in_hexadecimal_and_what_is_refused_is_an_end(self):
        self.answer("OK", "OK")
        self.gdb.insert(BREAKPOINT, 0x1F2, 2)
        self.gdb.remove(ACCESSES, 0x200A, 16)
        self.assertEqual(self.said("Z1,1f2,2", "z4,200a,10"), self.sent())
        self.answer("E22")
        with self.assertRaisesRegex(Gone, "Z2,8,4: E22"):
            self.gdb.insert(WRITES, 8, 4)

    def test_a_stop_has_its_signal_and_the_watched_word(self):
        for text, stop in (("T05thread:01;watch:2000ab10;", Stop(TRAP, 0x2000AB10)),
                           ("T05thread:01;", Stop(TRAP, 0)), ("S11", Stop(17, 0)),
                           ("T03", Stop(QUIT, 0))):
            self.answer(text)
            self.assertEqual(stop, self.gdb.go(9))
            self.answer(text)
            self.assertEqual(stop, self.gdb.step())
            self.assertEqual(self.said("c", "s"), self.sent())

    def test_it_is_stopped_where_it_has_not_stopped_by_itself_in_time(self):
        def write(data):
            if data == b"\3":
                self.answer("T02thread:01;")
        with mock.patch.object(self.gdb, "_write", write):
            self.assertEqual(Stop(2, 0), self.gdb.go(0.01))
        with mock.patch("harness.gdb_remote.SECONDS", 0.01), self.assertRaises(Gone):
            self.gdb.go(0.01)  # Nor when it is told to.

    def test_what_the_firmware_prints_goes_on_and_all_else_that_it_asks_is_a_stop(self):
        self.answer("Fwrite,1,20000000,1f", "Fisatty,1", "T05")
        self.assertEqual(Stop(TRAP, 0), self.gdb.go(9))
        self.assertEqual(self.said("c", "F1f", "F1"), self.sent())
        self.answer("Fopen,20000000,9,0,0")
        self.assertEqual(Stop(TRAP, 0), self.gdb.step())

    def test_an_end_is_one_however_it_comes(self):
        for text in ("W00", "X06"):
            self.answer(text)
            with self.assertRaises(Gone):
                self.gdb.go(9)
            self.answer(text)
            with self.assertRaises(Gone):
                self.gdb.registers()
        for end in (lambda: self.theirs.shutdown(socket.SHUT_WR), self.theirs.close):
            end()
            for deed in (self.gdb.step, lambda: self.gdb.word(8)):
                with self.assertRaises(Gone):
                    deed()

    def test_a_stub_that_does_not_answer_or_lets_go_is_an_end(self):
        with mock.patch("harness.gdb_remote.SECONDS", 0.01), self.assertRaises(Gone):
            self.gdb.word(8)
        with mock.patch.object(self.gdb, "_connection") as connection:
            connection.recv.side_effect = ConnectionResetError
            with self.assertRaises(Gone):
                self.gdb.word(8)

    def test_an_answer_may_come_in_pieces(self):
        whole = packet("78563412")
        pieces = [whole[at:at + 1] for at in range(len(whole))]
        with mock.patch.object(self.gdb, "_connection") as connection:
            connection.recv.side_effect = [b"+" + whole[:1], *pieces[1:]]
            self.assertEqual(0x12345678, self.gdb.word(8))
            connection.recv.side_effect = [packet("01000000") + packet("02000000")]
            self.assertEqual([1, 2], [self.gdb.word(8), self.gdb.word(12)])

    def test_the_registers_are_sixteen_and_what_is_sent_last(self):
        words = [*range(16), *[77] * 25, 0x61000000]
        self.answer(struct.pack(f"<{len(words)}I", *words).hex())
        self.assertEqual((*range(16), 0x61000000), self.gdb.registers())

    def test_memory_is_read_piece_by_piece_as_far_as_there_is_any(self):
        self.answer("ab" * CHUNK, "cd" * 3)
        self.assertEqual(b"\xab" * CHUNK + b"\xcd" * 3, self.gdb.read(0x20, CHUNK + 3))
        self.assertEqual(self.said("m20,400", "m420,3"), self.sent())
        self.answer("01000080")
        self.assertEqual(2**31 + 1, self.gdb.word(0x24))
        self.assertEqual(self.said("m24,4"), self.sent())

    def test_memory_is_read_to_its_last_byte(self):
        def ask(command):  # What stands there begins at 0 and ends with byte 2999.
            address, size = (int(word, 16) for word in command[1:].split(","))
            return "E14" if address + size > 3000 else "ab" * size
        with mock.patch.object(self.gdb, "_ask", ask):
            for begin in (0, 1976, 1977, 2600, 2996, 2999, 3000, 3001):
                self.assertEqual(max(0, 3000 - begin),
                                 len(self.gdb.read(begin, 4 * CHUNK)), begin)


class Played(Replay):
    """A run of (counter, {address: word that it stores}), whose clock is at 4."""

    def __init__(self, *instructions, hit=WRITES):
        self.run, self.now, self.words = instructions, 0, {}
        self.there, self.gdb, self.asks = [], self, []
        self._clock, self._clock_start, self._stop = 4, 0, []
        self._marks, self._speed, self.strayed = [], replay.SPEED, set()
        self._monitor = SimpleNamespace(human=self.asks.append)
        self.hit = hit

    def insert(self, kind, address, size):
        self.there.append((kind, address, size))

    def remove(self, kind, address, size):
        self.there.remove((kind, address, size))

    def registers(self):
        if self.now >= len(self.run):
            raise Gone
        return (*[0] * 13, 0x100, 0, self.run[self.now][0], 0)

    def read(self, address, size):
        return b"".join(self.words.get(at, 0).to_bytes(4, "little")
                        for at in range(address, address + size, 4))

    def word(self, address):
        return self.words.get(address, 0)

    def step(self):
        self.registers()
        self.words.update(self.run[self.now][1])
        self.now += 1
        return Stop(TRAP, 0)

    def go(self, seconds):
        while True:
            counter = self.registers()[15]
            if (BREAKPOINT, counter, 2) in self.there:
                return Stop(TRAP, 0)
            for kind, address, size in self.there:
                if kind == self.hit and any(address <= one < address + size
                                            for one in self.run[self.now][1]):
                    return Stop(TRAP, address)
            self.step()


def clock(frame):
    return (2, {4: frame})


class Run(unittest.TestCase):
    def test_each_change_of_a_word_comes_with_where_it_was_made(self):
        run = Played((8, {64: 1}), (10, {64: 1}), clock(1), (12, {68: 2, 72: 9}),
                     (14, {64: 3}), clock(2), clock(3), (16, {64: 4}))
        self.assertEqual(
            [(0, 8, 64, 0, 1), (1, 12, 68, 0, 2), (1, 14, 64, 1, 3)],
            [(one.frame, one.registers[15], one.address, one.before, one.after)
             for one in run.changes([(64, 8)], 2)])
        self.assertEqual([], run.there)

    def test_changes_end_where_it_is_to_stop_and_where_the_run_does(self):
        run = (8, {64: 1}), (10, {}), (12, {64: 2})
        for stops, counters in (((10,), [8]), ((), [8, 12])):
            played = Played(*run)
            self.assertEqual(counters, [one.registers[15] for one in played.changes(
                [(64, 4)], 2, stops)])
            self.assertEqual([], played.there)

    def test_each_time_that_an_address_is_reached_is_a_moment(self):
        run = Played((8, {}), clock(1), (8, {}), (10, {}), clock(2), (8, {}), clock(3),
                     (8, {}))
        self.assertEqual([(0, 8), (1, 8), (1, 10), (2, 8)], [
            (one.frame, one.registers[15]) for one in run.run_to([8, 10], 2)])
        self.assertEqual([], run.there)

    def test_stores_to_very_many_words_are_told_one_by_one(self):
        run = Played((8, {64: 1}), (10, {68: 2}), clock(1), (12, {64: 1}), (14, {}),
                     (16, {64: 3}), (18, {64: 4}))
        self.assertEqual([(8, 64, 0, 1), (10, 68, 0, 2), (16, 64, 1, 3)], [
            (one.registers[15], one.address, one.before, one.after)
            for one in run.stores([64, 68], 1, [18])])
        self.assertEqual([], run.there)

    def test_every_touch_is_told_until_a_frame_is_over(self):
        run = Played((8, {64: 0}), clock(1), (10, {68: 0}), (12, {72: 0}), clock(2),
                     (14, {64: 0}), hit=ACCESSES)
        self.assertEqual([(0, 8), (1, 10)], [
            (one.frame, one.registers[15]) for one in run.touches([64, 68], 1)])
        self.assertEqual([], run.there)

    def test_a_frame_is_gone_to_by_the_stores_to_its_clock(self):
        run = Played((8, {}), clock(1), (8, {}), clock(2), (10, {}), clock(3))
        run._go_to_frame(2)
        self.assertEqual((2, 10), (run.frame, run.registers()[15]))
        run._go_to_frame(2)
        self.assertEqual(10, run.registers()[15])
        run._go_to_frame(9)  # The run is over before.
        self.assertEqual([], run.there)

    def test_somebody_who_wants_us_to_stop_is_heeded(self):
        run = Played((8, {}), (10, {}))
        run._stop.append("Ctrl-C")
        for deed in (lambda: list(run.run_to([10], 1)), lambda: run.approach(900)):
            with self.assertRaisesRegex(CannotRun, "stopped by Ctrl-C"):
                deed()

    def traced(self, run, *lines):
        """As QEMU writes it at the end."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        run._work = Path(folder.name)
        (run._work / TRACE).write_bytes(b"Trace 0: 0x1 [0/00000900/0/0] older\n")

        def human(line):
            run.asks.append(line)
            if line == "log none":
                with open(run._work / TRACE, "ab") as file:
                    file.write(b"".join(b"Trace 0: 0x7f [0/%08x/1/2] f\n" % one
                                        for one in lines) + b"Stopped execution\n")
        run._monitor = SimpleNamespace(human=human)
        return run

    def test_the_path_of_a_frame_is_what_qemu_writes_while_it_is_played(self):
        run = self.traced(Played((8, {}), clock(1), (10, {}), clock(2)), 0x1A, 0x2B)
        run.load = mock.Mock()
        self.assertEqual([0x1A, 0x2B], run.path_of(Mark("m", 0), 1))
        run.load.assert_called_once_with(Mark("m", 0))
        self.assertEqual(2, run.frame)
        self.assertEqual([f"logfile {TRACE}", "singlestep on", "log exec,nochain",
                          "log none", "singlestep off"], run.asks)
        self.assertEqual(0, run._trace_end)

    def test_the_path_to_a_moment_ends_with_it_if_it_is_come_to_again(self):
        mark = Mark("m", 0)
        for stack, path in ((0x100, [0x1A, 10]), (0x104, [])):
            run = self.traced(Played(clock(1), (10, {}), (12, {})), 0x1A)
            run.load = mock.Mock()
            self.assertEqual(path, run.path_to(Moment(
                1, (*[0] * 13, stack, 0, 10, 0), b"", mark=mark)))
            run.load.assert_called_with(mark)

    def test_a_path_begins_at_the_nearest_mark_before_its_frame(self):
        run = Played()
        own, near = Mark("own", 9), Mark("near", 8)
        run._marks = [Mark("far", 2), near, own]
        for mark, frame, found in ((own, 9, near), (Mark("far", 2), 9, run._marks[0]),
                                   (own, 10, own), (own, 2, own)):
            self.assertEqual(found, run.mark_before(Moment(frame, (), b"", mark=mark)))

    def test_a_mark_is_a_snapshot_and_where_qemu_has_ended_begins_it_anew(self):
        run = Played(clock(1), (8, {}))
        run.step()
        self.assertEqual([Mark("mark1", 1), Mark("mark2", 1)], [run.mark(), run.mark()])
        run._start = mock.Mock()
        run.load(Mark("mark1", 1))
        self.assertEqual(["savevm mark1", "savevm mark2", "loadvm mark1"], run.asks)
        run._start.assert_not_called()
        run.step()  # Behind the last instruction.
        run.load(Mark("mark2", 1))
        run._start.assert_called_once_with("mark2")
        run._monitor.human = mock.Mock(side_effect=NoAnswer)
        run.load(Mark("mark3", 1))
        run._start.assert_called_with("mark3")

    def end(self, *looks):
        """Of looks that each come to (a frame, a signal)."""
        run, stops = Played((8, {})), iter(looks)

        def go(_):
            frame, signal = next(stops)
            run.words[4] = frame
            if not signal:
                raise Gone
            return Stop(signal, 0)
        run._start, run.go = mock.Mock(), go
        moment = run.end(Mark("mark1", 0), [64])
        run._start.assert_called_once_with("mark1", "-no-shutdown")
        return moment and moment.frame, len(list(stops)), run.there

    def test_an_end_is_a_handler_or_where_no_frame_more_comes_or_none(self):
        self.assertEqual((7, 1, []), self.end((5, 2), (7, TRAP), (8, 2)))
        self.assertEqual((5, 1, []), self.end((5, QUIT), (6, 2)))
        self.assertEqual((None, 0, []), self.end((5, 2), (5, 0)))
        lost = replay.LOST_LOOKS
        self.assertEqual((6, 1, []), self.end(
            (5, 2), *[(5, 2)] * (lost - 1), (6, 2), *[(6, 2)] * lost, (9, 2)))

    def test_one_of_two_cores_is_refused(self):
        with self.assertRaisesRegex(CannotRun, "of two cores"):
            Replay(paper.options(cores=2), (), None, "", 4)
        Replay(paper.options(), (), None, "", 4)
