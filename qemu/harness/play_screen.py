# SPDX-License-Identifier: MIT
"""A terminal that shows pictures, and listens for a key."""

import os
import select
import termios
import time
import tty

from .errors import CannotRun
from .picture import half_blocks, wide_cells

_OPEN = "\x1b[?1049h\x1b[?25l\x1b[2J"
_CLOSE = "\x1b[m\x1b[?25h\x1b[?1049l"
_QUIT = b"qQ\x1b\x03\x04"


def refuse_what_is_none(keys, stream):
    """Raises CannotRun unless pictures can be shown there."""
    if not (keys.isatty() and stream.isatty()):
        raise CannotRun("play needs a terminal to draw in, and this is none;"
                        " `qemu/soak run` writes a report with pictures.")
    if os.environ.get("TERM", "dumb") == "dumb":
        raise CannotRun("play needs a terminal with colours; TERM says it is"
                        " dumb.")
    try:
        "▀".encode(stream.encoding or "ascii")
    except UnicodeError:
        raise CannotRun("play draws with Unicode blocks; set LC_ALL=C.UTF-8,"
                        " or PYTHONIOENCODING=utf-8.") from None


class PlayScreen:
    """Inside the `with` block the terminal is ours; after it, as it was."""

    def __init__(self, keys, stream):
        self._keys = keys.fileno()
        self._stream = stream
        self._size = None

    def __enter__(self):
        self._before = termios.tcgetattr(self._keys)
        tty.setcbreak(self._keys)
        self._stream.write(_OPEN)
        return self

    def __exit__(self, *_):
        self._stream.write(_CLOSE)
        self._stream.flush()
        termios.tcsetattr(self._keys, termios.TCSADRAIN, self._before)

    def draw(self, picture, words):
        size = os.get_terminal_size(self._stream.fileno())
        lines = fitting(picture, size) or [_too_small(picture)[:size.columns]]
        words = words[:size.columns - 1]
        clear = "\x1b[2J" if size != self._size else ""
        self._size = size
        self._stream.write(f"{clear}\x1b[H" + "".join(
            f"{line}\x1b[K\r\n" for line in lines) + f"{words}\x1b[K")
        self._stream.flush()

    def quits_before(self, moment):
        """Whether a key that quits is hit until then."""
        while True:
            left = max(0.0, moment - time.monotonic())
            if not select.select([self._keys], [], [], left)[0]:
                return False
            key = os.read(self._keys, 1)
            if not key or key in _QUIT:
                return True


def _too_small(picture):
    return (f"too small: {picture.width} x {(picture.height + 1) // 2 + 1}"
            " characters are needed; q quits")


def fitting(picture, size):
    """The picture as large as the terminal allows; none if that is not."""
    if size.columns >= 2 * picture.width and size.lines > picture.height:
        return wide_cells(picture)
    if size.columns >= picture.width and size.lines > (picture.height + 1) // 2:
        return half_blocks(picture)
    return []
