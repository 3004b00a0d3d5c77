# SPDX-License-Identifier: MIT
"""From an address in the firmware to a line of its source."""

import os
import subprocess

from .options import ROOT

# The library's own code, what its generator wrote and what comes between it and
# the demo game: all of it inlined into the caller.
LIBRARY = (f"lib{os.sep}", f"build{os.sep}",
           os.path.join("qemu", "rig", "intercept.h"))


def caller_lines(elf, addresses):
    """Return address -> 'explode() at qemu/console/enemies.c:57'."""
    # Bit 0 says Thumb. The call itself ends just before the return address.
    lines = {address: line_at(elf, (address & ~1) - 1)
             for address in set(addresses)}
    return {address: line for address, line in lines.items() if line}


def line_at(elf, address):
    """The innermost line of the application itself, or nothing."""
    for function, place in _places(elf, address):
        if not place.startswith(LIBRARY):
            return f"{function}() at {place}"
    return ""


def home_of(elf, address):
    """The file of the function that holds `address`, inlined code aside."""
    places = _places(elf, address)
    return places[-1][1].rpartition(":")[0] if places else ""


def _places(elf, address):
    """(function, file:line) of `address`, then of what it was inlined into."""
    try:
        result = subprocess.run(
            ["arm-none-eabi-addr2line", "-f", "-i", "-e", str(elf),
             hex(address)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            universal_newlines=True)
    except FileNotFoundError:
        return []
    lines = result.stdout.split("\n")
    return [(function, _relative(place))
            for function, place in zip(lines[::2], lines[1::2])
            if not place.startswith("?")]


def _relative(place):
    # Without its " (discriminator 2)".
    return os.path.relpath(place.split(" (")[0], ROOT)
