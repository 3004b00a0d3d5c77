# SPDX-License-Identifier: MIT
"""RAM at power-on. That of a device holds anything, that of QEMU zeros: a firmware
which forgets to clear a bank is right here and wrong there. So QEMU is given a copy
of the ELF in which RAM that is only reserved is loaded too, with noise: by the seed,
so that a run is exact. Where the linker has code or data copied to, is noise as well.
"""

import random
import struct
from typing import NamedTuple

from .errors import CannotRun
from .result_folder import ELF

POWER_ON = "power_on.elf"
LOAD, READ, WRITE = 1, 4, 2  # p_type, p_flags.
HEAD, ROW = struct.Struct("<24x2I10x2H6x"), struct.Struct("<8I")
NOISE_MAX = 256 << 20  # Bytes: no board has more.
ADDRESSES = 1 << 32


class Segment(NamedTuple):
    kind: int
    offset: int
    address: int  # Where it runs,
    loaded: int  # and where it is at power-on.
    bytes_there: int
    bytes: int
    flags: int
    align: int

    @property
    def shift(self):
        return self.address - self.loaded

    def noise(self, alias):
        """[from, to) of RAM that nothing is loaded to. What stands `alias` off from
        where it is loaded is copied by nobody: it is one memory."""
        end = self.address + self.bytes
        if self.shift not in (0, alias):
            return self.address, end
        return (self.address + self.bytes_there if self.flags & WRITE else end), end


def write(folder, seed, known=(0, b"")):
    """Makes it of console.elf there. What is known, an address and its bytes, is no
    noise: for who looks there before the firmware does."""
    try:
        elf = (folder / ELF).read_bytes()
        (folder / POWER_ON).write_bytes(noisy(elf, seed, known))
    except OSError as trouble:
        raise CannotRun(f"{folder / POWER_ON}: {trouble.strerror}.") from None


def noisy(elf, seed, known=(0, b"")):
    """The same program with segments of its own; what is no whole ELF is as it is, for
    QEMU to refuse."""
    try:
        entry, segments = _segments(elf)
    except struct.error:
        return elf
    if any(one.offset + one.bytes_there > len(elf) for one in segments):
        return elf
    gaps, source = _gaps(segments, _alias(entry, segments)), random.Random(seed)
    if sum(end - begin for begin, end in gaps) > NOISE_MAX:
        gaps = []
    rows = [one._replace(bytes=one.bytes_there) for one in segments if one.bytes_there]
    at = len(elf) + ROW.size * (len(rows) + len(gaps))
    noise = b""
    for begin, end in gaps:
        rows.append(Segment(LOAD, at + len(noise), begin, begin, end - begin,
                            end - begin, READ | WRITE, 1))
        noise += _noise(source, begin, end, known)
    head = bytearray(elf[:HEAD.size])
    struct.pack_into("<I", head, 28, len(elf))  # Where they begin,
    struct.pack_into("<H", head, 44, len(rows))  # and how many there are.
    return b"".join([head, elf[HEAD.size:], *(ROW.pack(*one) for one in rows), noise])


def _segments(elf):
    """Where it begins to run, and what is loaded."""
    entry, table, step, count = HEAD.unpack_from(elf)
    rows = [Segment(*ROW.unpack_from(elf, table + step * n)) for n in range(count)]
    return entry, [one for one in rows if one.kind == LOAD]


def _alias(entry, segments):
    """The first code that runs was copied by nobody. If it is loaded elsewhere, its
    memory has two addresses, so far apart: a secure one and another, say."""
    return next((one.shift for one in segments
                 if one.address <= entry < one.address + one.bytes_there), 0)


def _gaps(segments, alias):
    """[from, to) of noise: nothing is loaded there, and none is there twice."""
    taken = sorted((one.loaded, one.loaded + one.bytes_there)
                   for one in segments if one.bytes_there)
    gaps, at = [], 0
    for begin, end in sorted(one.noise(alias) for one in segments):
        begin = max(begin, at)
        for low, high in taken:
            if low < end and begin < high:
                gaps.append((begin, low))
                begin = high
        gaps.append((begin, end))
        at = max(at, end)
    return [(begin, end) for begin, end in gaps if begin < end <= ADDRESSES]


def _noise(source, begin, end, known):
    data = bytearray(source.getrandbits(8 * (end - begin)).to_bytes(end - begin,
                                                                    "little"))
    address, word = known
    if begin <= address < end:
        data[address - begin:address - begin + len(word)] = word
    return bytes(data)
