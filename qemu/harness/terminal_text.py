# SPDX-License-Identifier: MIT
"""Coloured pieces of text, cut to a width, with or without a terminal.

A line is a list of (text, style) pieces: its width is known before any escape
sequence is in it.
"""

import os
from dataclasses import dataclass

_CODES = {"title": "1", "dim": "2", "good": "32", "warn": "33", "bad": "31",
          "bar": "36"}


@dataclass(frozen=True)
class Glyphs:
    used: str
    high: str
    free: str
    done: str
    to_do: str


_BLOCKS = Glyphs(used="█", high="▒", free="·", done="━", to_do="─")
_ASCII = Glyphs(used="#", high="=", free=".", done="=", to_do="-")


def glyphs_for(stream):
    """Blocks where the stream's encoding has them, ASCII elsewhere."""
    try:
        "█▒·━─".encode(stream.encoding or "ascii")
    except UnicodeError:
        return _ASCII
    return _BLOCKS


def may_colour(stream):
    """By the NO_COLOR convention: set to anything but nothing."""
    return stream.isatty() and not os.environ.get("NO_COLOR") \
        and os.environ.get("TERM", "dumb") != "dumb"


def whole(line, width):
    """The line without the pieces that would be cut, nor what follows them."""
    kept = []
    for text, style in line:
        width -= len(text)
        if width < 0:
            break
        kept.append((text, style))
    return kept


def paint(line, width, colour):
    """The line as a string of at most `width` visible characters."""
    words = []
    for text, style in line:
        text = text[:width]
        width -= len(text)
        code = _CODES.get(style)
        words.append(f"\x1b[{code}m{text}\x1b[m" if colour and code and text
                     else text)
    return "".join(words)
