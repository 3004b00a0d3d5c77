# SPDX-License-Identifier: MIT
"""How a run is asked to stop, and how a child is kept from outliving us."""

import contextlib
import ctypes
import os
import signal
import sys


NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM",
         signal.SIGHUP: "the end of its terminal"}


@contextlib.contextmanager
def stop_signals():
    """A list that names the first signal which asked us to stop.

    Not an exception: the report of what was seen so far must be written whole.
    """
    asked, terminals = [], [one for one in (1, 2) if os.isatty(one)]

    def ask(number, _):
        asked.append(NAMES[number])
        if number == signal.SIGHUP:
            say_no_more(terminals)

    before = {number: signal.signal(number, ask) for number in NAMES
              # Of nohup.
              if signal.getsignal(number) != signal.SIG_IGN}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def say_no_more(descriptors):
    """A terminal or a reader that is gone takes nothing, and says so by an error; so
    does what is left in a buffer, at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for one in descriptors:
        os.dup2(nowhere, one)
    os.close(nowhere)


def die_with(parent):
    """A hook for the child: be killed when `parent` is, even by kill -9."""
    if not sys.platform.startswith("linux"):
        return None
    prctl = ctypes.CDLL(None).prctl
    set_parent_death_signal = 1

    def hook():
        prctl(set_parent_death_signal, signal.SIGKILL)
        if os.getppid() != parent:  # It died before the line above.
            os._exit(1)
    return hook
