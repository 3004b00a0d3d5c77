# SPDX-License-Identifier: MIT
"""How a run is asked to stop, and how a child is kept from outliving us."""

import contextlib
import ctypes
import os
import signal
import sys


@contextlib.contextmanager
def stop_signals():
    """A list that names the first signal which asked us to stop.

    Not an exception: the report of what was seen so far must be written whole.
    """
    asked = []
    names = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
    before = {number: signal.signal(number, lambda got, _:
                                    asked.append(names[got]))
              for number in names}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
