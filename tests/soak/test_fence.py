# SPDX-License-Identifier: MIT
"""What the fence makes of a call that a firmware makes of this machine, each asked of
this process's own memory: nothing is fenced in."""

import ctypes
import os
import platform
import signal
import struct
import unittest
from unittest import mock

import paper  # noqa: F401: where the harness is.
from harness import fence

ALLOW, NOTIFY = 0x7FFF0000, 0x7FC00000


def instructions(calls):
    return list(struct.iter_unpack("HBBI", fence._filter(calls)))


class Fence(unittest.TestCase):
    def fence(self, calls="x86_64"):
        one = fence.Fence.__new__(fence.Fence)
        one.asked, one._main, one._calls = "", 0, fence.CALLS[calls]
        return one

    def text(self, words):
        """Its address, as long as this test."""
        buffer = ctypes.create_string_buffer(words.encode())
        self.addCleanup(lambda: buffer)
        return ctypes.addressof(buffer)

    def list_of(self, *words):
        pointers = (ctypes.c_uint64 * (len(words) + 1))(*map(self.text, words), 0)
        self.addCleanup(lambda: pointers)
        return ctypes.addressof(pointers)

    def words(self, call, *arguments, calls="x86_64"):
        return self.fence(calls)._words(os.getpid(), call, [*arguments, 0, 0, 0])

    def test_what_is_asked_for_is_said_in_words_whatever_the_call_is(self):
        one, other = self.text("a"), self.text("b")
        for calls, call, arguments, said in (
                ("x86_64", 2, (one,), "open the file `a`"),
                ("x86_64", 85, (one,), "open the file `a`"),
                ("x86_64", 257, (9, one), "open the file `a`"),
                ("x86_64", 437, (9, one), "open the file `a`"),
                ("x86_64", 87, (one,), "remove the file `a`"),
                ("x86_64", 84, (one,), "remove the file `a`"),
                ("x86_64", 263, (9, one), "remove the file `a`"),
                ("x86_64", 82, (one, other), "rename the file `a` to `b`"),
                ("x86_64", 264, (9, one, 9, other), "rename the file `a` to `b`"),
                ("x86_64", 316, (9, one, 9, other), "rename the file `a` to `b`"),
                ("x86_64", 59, (9, self.list_of("sh", "-c", "rm")),
                 "execute the command `rm`"),
                ("x86_64", 322, (9, one, self.list_of("x")),
                 "execute the command `x`"),
                ("x86_64", 59, (9, self.list_of()), "execute the command `?`"),
                ("aarch64", 56, (9, one), "open the file `a`"),
                ("aarch64", 437, (9, one), "open the file `a`"),
                ("aarch64", 35, (9, one), "remove the file `a`"),
                ("aarch64", 38, (9, one, 9, other), "rename the file `a` to `b`"),
                ("aarch64", 276, (9, one, 9, other), "rename the file `a` to `b`"),
                ("aarch64", 221, (9, self.list_of("true")),
                 "execute the command `true`"),
                ("aarch64", 281, (9, one, self.list_of("x")),
                 "execute the command `x`")):
            with self.subTest(calls, call=call):
                self.assertEqual(f"to {said}", self.words(call, *arguments,
                                                          calls=calls))

    def test_what_the_c_library_looks_at_is_harmless_to_open_and_nothing_else(self):
        for path, harmless in (
                ("/sys/devices/system/cpu/online", True), ("/sys/devices/x", False),
                ("/proc/sys/vm/overcommit_memory", True), ("/etc/passwd", False),
                ("/sys/devices/system/cpu/../../../../etc/passwd", False)):
            self.assertEqual(harmless, not self.words(2, self.text(path)), path)
        self.assertIn("to remove", self.words(87, self.text(
            "/sys/devices/system/cpu/online")))

    def test_what_cannot_be_read_is_refused_all_the_same(self):
        self.assertEqual("to open the file `?`", self.words(2, 8))
        self.assertEqual("to execute the command `?`", self.words(59, 0, 8))

    def decided(self, one, thread, path="/etc/passwd"):
        """(how often the kernel may go on, whom it ended)"""
        data = fence._REQUEST.pack(7, thread, 0, 2, 0, 0, self.text(path), *[0] * 5)
        with mock.patch("fcntl.ioctl") as answer, mock.patch("os.kill") as kill:
            one._decide(3, data)
        for call in answer.mock_calls:
            self.assertEqual((3, fence._SEND, struct.pack("QqiI", 7, 0, 0, 1)),
                             call.args)
        return answer.call_count, [call.args for call in kill.mock_calls]

    def test_qemu_s_own_thread_may_do_all_and_the_first_of_another_ends_it(self):
        one, ours = self.fence(), os.getpid()
        self.assertEqual((1, []), self.decided(one, 99))
        self.assertEqual((1, []), self.decided(one, 99))
        self.assertEqual((1, []), self.decided(one, ours, fence.HARMLESS[0] + "x"))
        self.assertEqual("", one.asked)
        self.assertEqual((0, [(99, signal.SIGKILL)]), self.decided(one, ours))
        self.assertEqual((0, [(99, signal.SIGKILL)]), self.decided(one, ours, "/b"))
        self.assertEqual("to open the file `/etc/passwd`", one.asked)

    def test_each_call_comes_to_us_and_all_others_pass(self):
        for calls in fence.CALLS.values():
            first, *lines, last = instructions(calls)
            self.assertEqual(((0x20, 0, 0, 0), (6, 0, 0, ALLOW)), (first, last))
            self.assertEqual([(0x15, 0, 1, call) for call in calls], lines[::2])
            self.assertEqual({(6, 0, 0, NOTIFY)}, set(lines[1::2]))
            self.assertEqual(2 * len(calls), len(lines))

    def test_where_there_is_no_fence_a_debugger_is_asked_who_is_not_there(self):
        for system, machine in (("darwin", "x86_64"), ("linux", "riscv64")):
            fence.can_stand.cache_clear()
            with mock.patch("sys.platform", system), \
                    mock.patch.object(platform, "machine", lambda: machine), \
                    mock.patch.object(fence, "Fence") as one:
                self.assertEqual("gdb", fence.calls_go_to())
            one.assert_not_called()
        with mock.patch.object(fence, "can_stand", lambda: True):
            self.assertEqual("native", fence.calls_go_to())
        fence.can_stand.cache_clear()


if __name__ == "__main__":
    unittest.main()
