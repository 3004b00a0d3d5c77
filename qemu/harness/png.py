# SPDX-License-Identifier: MIT
"""A picture as a PNG file within a page."""

import base64
import struct
import zlib

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PALETTE = 3


def data_uri(picture):
    """What <img src> takes."""
    return "data:image/png;base64," + base64.b64encode(png(picture)).decode()


def png(picture):
    """A byte a pixel, each with its colour in a palette of 256."""
    width, height = picture.width, picture.height
    head = struct.pack(">IIBBBBB", width, height, 8, _PALETTE, 0, 0, 0)
    rows = b"".join(b"\0" + picture.pixels[at:at + width]
                    for at in range(0, width * height, width))
    palette = bytes(part for pixel in range(256) for part in colour(pixel))
    return (_SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"PLTE", palette)
            + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b""))


def colour(pixel):
    """Red, green and blue, from 0 to 255, of 3, 3 and 2 bits."""
    red, green, blue = pixel >> 5, pixel >> 2 & 7, pixel & 3
    return red * 255 // 7, green * 255 // 7, blue * 85


def _chunk(kind, data):
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
