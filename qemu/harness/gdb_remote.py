# SPDX-License-Identifier: MIT
"""The debugger's side of QEMU's GDB stub: stops, registers, memory.

A command is `$text#sum`; so is an answer, which is acknowledged by a plus. Only
what `why` asks for is here.
"""

import re
import socket
import struct
from typing import NamedTuple

BREAKPOINT, WRITES, ACCESSES = 1, 2, 4
CHUNK = 1024  # Bytes read at once; the stub takes no more than 2048.
SECONDS = 60  # Until an answer must have come.
# The signal of a breakpoint, and of a QEMU that ended and stays; a stop that was asked
# for has another.
TRAP, QUIT = 5, 3


class Gone(Exception):
    """QEMU has ended."""


class Stop(NamedTuple):
    signal: int
    watched: int  # Where the watchpoint begins that is about to be written to.


class GdbRemote:
    def __init__(self, connection):
        self._connection = connection
        self._connection.settimeout(SECONDS)
        self._pending = bytearray()
        # A step is of one instruction, with no interrupt before it.
        self._tell("Qqemu.sstep=7")

    def insert(self, kind, address, size):
        self._tell(f"Z{kind},{address:x},{size:x}")

    def remove(self, kind, address, size):
        self._tell(f"z{kind},{address:x},{size:x}")

    def go(self, seconds):
        """The next stop, which is asked for after so many seconds."""
        self._send("c")
        answer = self._stopped(seconds)
        if answer is None:
            self._write(b"\x03")
            answer = self._stopped(SECONDS)
        return _stop(answer)

    def _stopped(self, seconds):
        """The next packet about a stop. What the firmware asks of this machine
        comes here, too: it may print. Nothing else is given to it: a stop."""
        while True:
            answer = self._answer(seconds)
            if answer is None or answer[0] != "F":
                return answer
            if not answer.startswith(("Fwrite,", "Fisatty,")):
                return f"S{TRAP:02x}"
            self._send("F" + answer.rpartition(",")[2])

    def step(self):
        self._send("s")
        return _stop(self._stopped(SECONDS))

    def registers(self):
        """r0 to r15 and, the last that is sent, xPSR."""
        raw = bytes.fromhex(self._ask("g"))
        return struct.unpack_from("<16I", raw) + struct.unpack("<I", raw[-4:])

    def read(self, address, size):
        """Memory, as much of it as there is."""
        data, chunk = b"", CHUNK
        while chunk and len(data) < size:
            want = min(chunk, size - len(data))
            answer = self._ask(f"m{address + len(data):x},{want:x}")
            if answer.startswith("E"):  # There is not all of it, maybe some.
                chunk = want // 2
            else:
                data += bytes.fromhex(answer)
        return data

    def word(self, address):
        return int.from_bytes(self.read(address, 4), "little")

    def _tell(self, command):
        answer = self._ask(command)
        if answer != "OK":
            raise Gone(f"{command}: {answer}")

    def _ask(self, command):
        self._send(command)
        answer = self._answer(SECONDS)
        if not answer or answer[0] in "WX":  # It ended as it was being stopped.
            raise Gone
        return answer

    def _send(self, command):
        data = command.encode()
        self._write(b"$%b#%02x" % (data, sum(data) & 255))

    def _write(self, data):
        try:
            self._connection.sendall(data)
        except OSError:
            raise Gone from None

    def _answer(self, seconds):
        """The text of the next packet; None if it does not come in time."""
        self._connection.settimeout(seconds)
        while b"#" not in self._pending[:-2]:
            try:
                data = self._connection.recv(65536)
            except socket.timeout:
                return None
            except OSError:
                raise Gone from None
            if not data:
                raise Gone
            self._pending += data
        begin, end = self._pending.index(b"$"), self._pending.index(b"#")
        text = bytes(self._pending[begin + 1:end]).decode()
        del self._pending[:end + 3]
        self._write(b"+")
        return text


def _stop(answer):
    if answer is None or answer[0] in "WX":
        raise Gone
    watched = re.search("watch:([0-9a-f]+)", answer)
    return Stop(int(answer[1:3], 16), int(watched[1], 16) if watched else 0)
