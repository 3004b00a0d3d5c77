# SPDX-License-Identifier: MIT
"""The fence around QEMU: a firmware gets no file and no command of this machine.

By semihosting it may ask for both. QEMU's own thread opens what QEMU needs; the
others, which run the firmware, come to us before the kernel opens, removes or
renames a file or starts a program for them: QEMU ends there. Their time does not
go on meanwhile: a run stays exact. It takes Linux 5.5 (seccomp's
user notification); elsewhere such calls are given to nobody (`calls_go_to`).
"""

import array
import contextlib
import ctypes
import fcntl
import os
import platform
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from functools import lru_cache

# What to call it -> how the kernel numbers it, and which arguments are names.
_ALIKE = {"execve": ("execute", (1,)), "openat": ("open", (1,)),
          "unlinkat": ("remove", (1,)), "renameat2": ("rename", (1, 3))}
CALLS = {
    "x86_64": {2: ("open", (0,)), 85: ("open", (0,)), 257: _ALIKE["openat"],
               437: _ALIKE["openat"], 87: ("remove", (0,)), 84: ("remove", (0,)),
               263: _ALIKE["unlinkat"], 82: ("rename", (0, 1)),
               264: _ALIKE["renameat2"], 316: _ALIKE["renameat2"],
               59: _ALIKE["execve"], 322: ("execute", (2,))},
    "aarch64": {56: _ALIKE["openat"], 437: _ALIKE["openat"],
                35: _ALIKE["unlinkat"], 38: _ALIKE["renameat2"],
                276: _ALIKE["renameat2"], 221: _ALIKE["execve"],
                281: ("execute", (2,))}}
# What the C library looks at to know how much memory to take.
HARMLESS = ("/sys/devices/system/cpu/", "/proc/sys/vm/overcommit_memory")
NAME_BYTES = 4096
LOOK_MILLISECONDS = 200  # Old kernels do not say that QEMU has ended.

# seccomp(2) and the instructions of its filters.
_SECCOMP = {"x86_64": 317, "aarch64": 277}
_NO_NEW_PRIVILEGES, _SET_FILTER, _LISTENER_AND_SPEED = 38, 1, 8 | 4
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_NOTIFY, _ALLOW = 0x7FC00000, 0x7FFF0000
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_REQUEST, _ANSWER = struct.Struct("QIIiIQ6Q"), struct.Struct("QqiI")
_PERMITTED = 1  # A flag: let the kernel go on with it.


class Fence:
    """`hook` is for the child to call before it becomes QEMU. `asked` tells of the
    first call that was refused, in words."""

    def __init__(self):
        self.asked = ""
        self.stands = False
        self._over = False
        self._calls = CALLS[platform.machine()]
        # All there is to know before the fork: no lock may be waited for after it.
        self._libc = ctypes.CDLL(None)
        self._seccomp = _SECCOMP[platform.machine()]
        self._filter = ctypes.create_string_buffer(_filter(self._calls))
        self._program = struct.pack("HxxxxxxQ", len(self._filter) // 8,
                                    ctypes.addressof(self._filter))
        self._main = 0  # The thread that may do everything.
        self._ours, self._theirs = socket.socketpair()
        self._thread = threading.Thread(target=self._guard, daemon=True)
        self._thread.start()

    def hook(self):
        self._libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        listener = self._libc.syscall(self._seccomp, _SET_FILTER,
                                      _LISTENER_AND_SPEED, self._program)
        if listener < 0:
            os._exit(1)
        self._theirs.sendmsg([b"f"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                       array.array("i", [listener]))])
        os.close(listener)

    def close(self):
        """Once QEMU has ended, or was never started."""
        self._over = True
        self._theirs.close()
        self._thread.join()
        self._ours.close()

    def _guard(self):
        listener = _received(self._ours)
        if listener is None:
            return
        self.stands = True
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        while not self._over:
            for _, event in poll.poll(LOOK_MILLISECONDS):
                if event & select.POLLIN:
                    self._answer(listener)
                else:
                    self._over = True
        os.close(listener)

    def _answer(self, listener):
        data = bytearray(_REQUEST.size)
        with contextlib.suppress(FileNotFoundError):  # Who asked is gone meanwhile.
            fcntl.ioctl(listener, _RECEIVE, data)
            self._decide(listener, data)

    def _decide(self, listener, data):
        number, thread, _, call, _, _, *arguments = _REQUEST.unpack(data)
        self._main = self._main or thread
        words = "" if thread == self._main else self._words(thread, call, arguments)
        if words:
            self.asked = self.asked or words
            os.kill(self._main, signal.SIGKILL)
        else:
            fcntl.ioctl(listener, _SEND, _ANSWER.pack(number, 0, 0, _PERMITTED))

    def _words(self, thread, call, arguments):
        """What it asks for; "" if that is harmless."""
        what, which = self._calls[call]
        try:
            with open(f"/proc/{thread}/mem", "rb", 0) as memory:
                names = [_text(memory, arguments[at]) if what != "execute" else
                         _command(memory, arguments[at]) for at in which]
        except (OSError, struct.error):
            names = ["?"]
        if what == "open" and names[0].startswith(HARMLESS) and ".." not in names[0]:
            return ""
        noun = "the command" if what == "execute" else "the file"
        return f"to {what} {noun} " + " to ".join(f"`{name}`" for name in names)


def _filter(calls):
    """A filter: the calls come to us, all others pass."""
    lines = [(_LOAD, 0, 0, 0)]
    for number in calls:
        lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _NOTIFY)]
    return b"".join(struct.pack("HBBI", *line)
                    for line in [*lines, (_RETURN, 0, 0, _ALLOW)])


def _received(connection):
    """The file that came over it; None if it was closed before."""
    _, ancillary, *_ = connection.recvmsg(1, socket.CMSG_SPACE(4))
    return struct.unpack("i", ancillary[0][2][:4])[0] if ancillary else None


def _text(memory, address):
    data = os.pread(memory.fileno(), NAME_BYTES, address)
    return data.split(b"\0")[0].decode(errors="replace")


def _command(memory, address):
    """The last word of a list of words: of `sh -c COMMAND` what it is to do."""
    words = []
    while True:
        word, = struct.unpack("Q", os.pread(memory.fileno(), 8, address))
        if not word:
            return words[-1] if words else "?"
        words.append(_text(memory, word))
        address += 8


@lru_cache(maxsize=None)
def can_stand():
    """Whether there is such a fence on this machine: tried once."""
    if not sys.platform.startswith("linux") or platform.machine() not in CALLS:
        return False
    fence = Fence()
    try:
        subprocess.run(["true"], preexec_fn=fence.hook)
    except (OSError, subprocess.SubprocessError):
        pass
    fence.close()
    return fence.stands


def calls_go_to():
    """QEMU's word for who gets what a firmware asks for: this machine, over the
    fence; or a debugger, and there is none."""
    return "native" if can_stand() else "gdb"
