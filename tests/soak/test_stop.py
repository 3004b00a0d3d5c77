# SPDX-License-Identifier: MIT
"""How a run is asked to stop, and what a child of it may do."""

import os
import signal
import subprocess
import sys
import unittest
from unittest import mock

import paper  # noqa: F401: where the harness is.
from harness import lesser_rights, stop_signals

DEATH_SIGNAL = """
import ctypes
told = ctypes.c_int()
ctypes.CDLL(None).prctl(2, ctypes.byref(told))
print(told.value)
"""


class Asked(unittest.TestCase):
    def test_each_signal_is_told_by_its_name_in_its_order(self):
        with stop_signals.stop_signals() as asked:
            self.assertEqual([], asked)
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.raise_signal(number)
        self.assertEqual(["SIGTERM", "Ctrl-C"], asked)

    def test_at_the_end_of_its_terminal_nothing_is_said_there_any_more(self):
        for terminals in ((), (1,), (2,), (1, 2)):
            with mock.patch("os.isatty", lambda one, there=terminals: one in there), \
                    mock.patch.object(stop_signals, "say_no_more") as silenced, \
                    stop_signals.stop_signals() as asked:
                signal.raise_signal(signal.SIGTERM)
                silenced.assert_not_called()
                signal.raise_signal(signal.SIGHUP)
            silenced.assert_called_once_with([*terminals])
            self.assertEqual(["SIGTERM", "the end of its terminal"], asked)

    def test_what_was_ignored_stays_so_and_all_is_afterwards_as_before(self):
        def mine(*_):
            pass
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGHUP, before)
        self.addCleanup(signal.signal, signal.SIGTERM,
                        signal.signal(signal.SIGTERM, mine))
        with stop_signals.stop_signals() as asked:
            signal.raise_signal(signal.SIGHUP)
        self.assertEqual(([], signal.SIG_IGN, mine), (
            asked, signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGTERM)))

    def test_who_is_gone_takes_what_is_still_said_and_no_file_stays_open(self):
        reader, writer = os.pipe()
        os.close(reader)
        open_files = len(os.listdir("/proc/self/fd"))
        stop_signals.say_no_more([writer])
        self.assertEqual(4, os.write(writer, b"last"))
        self.assertEqual(open_files, len(os.listdir("/proc/self/fd")))
        os.close(writer)


class Children(unittest.TestCase):
    def test_a_child_is_killed_when_its_parent_dies(self):
        said = subprocess.run([sys.executable, "-c", DEATH_SIGNAL], text=True,
                              stdout=subprocess.PIPE,
                              preexec_fn=stop_signals.die_with(os.getpid()))
        self.assertEqual((0, f"{int(signal.SIGKILL)}\n"),
                         (said.returncode, said.stdout))

    def test_a_child_whose_parent_had_died_before_does_not_begin(self):
        self.assertEqual(1, subprocess.run(
            ["true"], preexec_fn=stop_signals.die_with(os.getpid() + 1)).returncode)

    def test_a_child_of_root_has_none_of_its_powers_and_others_lose_nothing(self):
        for user, platform, dropped in ((0, "linux", [*range(64)]), (0, "darwin", []),
                                        (1000, "linux", [])):
            with mock.patch("os.geteuid", return_value=user), \
                    mock.patch.object(sys, "platform", platform), \
                    mock.patch.object(lesser_rights, "_LIBC") as libc:
                lesser_rights.drop_rights()
            self.assertEqual([mock.call(24, one, 0, 0, 0) for one in dropped],
                             libc.prctl.mock_calls)

    def test_only_linux_kills_a_child_with_its_parent(self):
        with mock.patch.object(sys, "platform", "darwin"):
            self.assertIsNone(stop_signals.die_with(1))


if __name__ == "__main__":
    unittest.main()
