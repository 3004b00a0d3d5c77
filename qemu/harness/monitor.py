# SPDX-License-Identifier: MIT
"""What one may ask a running QEMU: QMP over its standard input and output.

The answers go to a file, so that neither side ever waits for the other.
"""

import contextlib
import json
import time

POLL_SECONDS = 0.002


class NoAnswer(Exception):
    """QEMU has ended, or is not to be reached."""


class Monitor:
    def __init__(self, process, answers):
        self._process = process
        self._answers = answers
        self._asked = 0
        self._read = 0  # Bytes of the answers that were looked through.

    def greet(self):
        """QMP takes no other command before this one."""
        with contextlib.suppress(NoAnswer):
            self._send("qmp_capabilities", {})

    def ask(self, command, seconds=60.0, **arguments):
        """The answer to a command of QMP. Raises NoAnswer."""
        number = self._send(command, arguments)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            ended = self._process.poll() is not None
            for answer in self._new_answers():
                if answer.get("id") == number:
                    return answer.get("return", answer.get("error"))
            if ended:
                raise NoAnswer
            time.sleep(POLL_SECONDS)
        raise NoAnswer

    def human(self, line, seconds=60.0):
        """What the monitor for people says to `line`. Raises NoAnswer."""
        return str(self.ask("human-monitor-command", seconds,
                            **{"command-line": line})).strip()

    def _send(self, command, arguments):
        self._asked += 1
        question = {"execute": command, "arguments": arguments,
                    "id": self._asked}
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise NoAnswer from None
        return self._asked

    def _new_answers(self):
        """The whole lines that have come since."""
        with open(self._answers, "rb") as file:
            file.seek(self._read)
            lines = file.read().split(b"\n")[:-1]
        self._read += sum(len(line) + 1 for line in lines)
        for line in lines:
            with contextlib.suppress(ValueError):
                yield json.loads(line)
