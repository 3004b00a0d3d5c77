# SPDX-License-Identifier: MIT
"""What a firmware shows, as lines for a terminal."""

from itertools import groupby

from .records import Picture

__all__ = ["Picture", "half_blocks", "wide_cells"]

_RESET = "\x1b[m"


def half_blocks(picture):
    """Two rows a line: the upper half of a character, and what is behind it."""
    rows = _rows(picture)
    if len(rows) % 2:
        rows.append(bytes(picture.width))
    return [_line(zip(upper, lower), _half)
            for upper, lower in zip(rows[::2], rows[1::2])]


def wide_cells(picture):
    """A row a line, each cell two blanks wide, which is about square."""
    return [_line(row, _wide) for row in _rows(picture)]


def _rows(picture):
    return [picture.pixels[at:at + picture.width]
            for at in range(0, picture.width * picture.height, picture.width)]


def _line(cells, paint):
    """Neighbours of one colour share its escape sequence."""
    return "".join(paint(cell, len(list(group)))
                   for cell, group in groupby(cells)) + _RESET


def _half(pair, count):
    upper, lower = pair
    return (f"\x1b[38;5;{colour_256(upper)};48;5;{colour_256(lower)}m"
            + "▀" * count)


def _wide(pixel, count):
    return f"\x1b[48;5;{colour_256(pixel)}m" + "  " * count


def colour_256(pixel):
    """The nearest of a terminal's 6 x 6 x 6 colours: of 3, 3 and 2 bits."""
    red, green, blue = pixel >> 5, pixel >> 2 & 7, pixel & 3
    return 16 + 36 * _sixth(red, 7) + 6 * _sixth(green, 7) + _sixth(blue, 3)


def _sixth(part, most):
    return (5 * part + most // 2) // most
