# SPDX-License-Identifier: MIT
"""The firmware's binary telemetry, byte for byte.

A record is 0xB7, type u8, length u16, payload, Fletcher-16 over all but the
0xB7. Everything is little-endian. A reader that meets a bad byte drops it and
looks for the next record, so that damage costs no more than what it hit. Text
between two records is the application's, and no damage. Nor is text in the middle
of one, which an interrupt printed: without it the record is whole.
"""

import re
import struct
from itertools import accumulate

from . import torn_record
from .errors import CannotRun
from .records import (CALLS, FAULTS, Allocator, Audit, Caller, Clock, Costs, Done,
                      Expectation, Fault, Figure, Figures, FrameCosts, Guard, Hello,
                      Holes, Oldest, Picture, Place, Planted, Question, Refused, Sample,
                      Scene, Setting, Stack, Stranger, Text, Usage)

VERSION = 3
SYNC = 0xB7
PAYLOAD_MAX = 16384
LINE_MAX = 1000  # Longer lines come in pieces.
_TEXT = frozenset(b"\t\r\x1b") | frozenset(range(0x20, 0x100)) - {0x7F}
_PLAIN = re.compile(r"[\t\x20-\x7e]{4,}")  # Text for certain.
_LETTERS = re.compile(rb"[\t\r\x1b\x20-\x7e]+")  # No part of anything else.
_NO_LETTER = re.compile("[\udc80-\udcff]")  # A byte that was none, decoded.
_HALF_A_CHARACTER = re.compile(
    rb"(?:[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})\Z")

_HEADER = struct.Struct("<BBH")
_HELLO = struct.Struct("<IIQIIBBB")
_ALLOCATOR = struct.Struct("<IIHB")
_SAMPLE = struct.Struct("<IQI")
_USAGE = struct.Struct("<11I")
_FAULT = struct.Struct("<IBBHIIIII")
_DONE = struct.Struct("<IQI")
_AUDIT = struct.Struct("<IBxH")
_FIGURE = struct.Struct("<BBxxI")
_REFUSED = struct.Struct("<II")
_PICTURE = struct.Struct("<IHHB")
_PICTURE_USE = struct.Struct("<BI")
_COSTS = struct.Struct("<BxHH")
_SETTING = struct.Struct("<I")
_EXPECTATION = struct.Struct("<III")
_PLACE = struct.Struct("<6I")
_FRAME_COSTS = struct.Struct("<IIHH4I")
_STACK = struct.Struct("<III")
_OLDEST = struct.Struct("<6I")
_GUARD = struct.Struct("<II")
_HOLES = struct.Struct("<5I")
_STRANGER = struct.Struct("<IIIHHI")
_CALLER = struct.Struct("<IHBB")


class Decoder:
    """Bytes in, records out, as they come."""

    def __init__(self):
        self.damaged_bytes = 0
        self.torn_records = 0  # That had text in their middle.
        self._pending = bytearray()
        self._line = bytearray()  # Of text, so far.
        self._began = False
        self._hit = False  # By damage, until the next record.

    def feed(self, data):
        """The records that `data` completes."""
        self._pending += data
        return self._records(more_may_come=True)

    def finish(self):
        """The records in what is left, now that nothing more will come."""
        return self._records(more_may_come=False) + self._end_line()

    def _records(self, more_may_come):
        records, at = [], 0
        while at < len(self._pending):
            end = _record_end(self._pending, at)
            if end > len(self._pending) and more_may_come:
                break
            record, lines = _record(self._pending[at:end]), []
            if not record and self._pending[at] == SYNC and self._may_be_torn():
                record, lines, end = _torn(self._pending, at, end)
                if more_may_come and end > len(self._pending):
                    break
                self.torn_records += record is not None
            if record:
                records += [*self._end_line(), *lines, record]
                self._began, self._hit = True, False
                at = end
            elif letters := self._letters(at):
                self._line += letters
                at += len(letters)
            else:
                records += self._text(self._pending[at])
                at += 1
        del self._pending[:at]
        return records

    def _may_be_torn(self):
        """A byte that ends a character of text begins no record."""
        return not (self._hit or _HALF_A_CHARACTER.search(self._line[-3:]))

    def _letters(self, at):
        """As many as the line has room for: byte by byte, a flood takes minutes."""
        room = at + LINE_MAX - len(self._line)
        found = _LETTERS.match(self._pending, at, room)
        return found and found[0]

    def _text(self, byte):
        """The line that a byte outside of records completes, if any."""
        if byte != 0x0A and byte not in _TEXT:
            self._damage(len(self._line) + 1)
        elif byte == 0x0A:
            return self._end_line(1)
        elif len(self._line) >= (LINE_MAX if byte & 0xC0 != 0x80 else 2 * LINE_MAX):
            return self._end_line() + self._text(byte)  # Between two characters.
        else:
            self._line.append(byte)
        return []

    def _end_line(self, newline=0):
        """The line so far, as text; what is none, is damage."""
        line = bytes(self._line)
        text = line.decode(errors="surrogateescape").rstrip("\r")
        if not _is_text(text) or self._hit and not (newline and _PLAIN.fullmatch(text)):
            self._damage(len(line) + newline)
            return []
        self._line.clear()
        return [Text(_printable(text))] if text else []

    def _damage(self, size):
        # Some UARTs send a byte at power-on: not damage.
        self._hit = self._hit or self._began or SYNC in self._line
        self._line.clear()
        self.damaged_bytes += size * self._began


def _is_text(text):
    return not _NO_LETTER.search(text)


def _torn(data, at, end):
    """What the record at `at` was without text in its middle, that text in lines,
    and where both end; no record, if it was none, and an end beyond the data, if
    what comes next may tell."""
    more = len(data) + 1 if torn_record.may_go_on(data, at, end) else at
    for begin, behind in torn_record.texts(data, at, end):
        whole = _record_end(data[at:min(begin, at + 4)] + data[behind:behind + 4], 0)
        last = whole - (begin - at) + behind
        if last <= behind:
            continue
        record = _record(data[at:begin] + data[behind:last]) \
            if _may_follow(data[last:last + 1]) else None
        if record:
            lines = words_of(data[begin:behind].replace(b"\r", b""), "\n").split("\n")
            return record, [Text(line) for line in lines if line], last
        more = len(data) + 1 if last > len(data) else more
    return None, [], more


def _may_follow(behind):
    """Whether that can stand behind a record: another, text, or nothing so far."""
    return not behind or behind[0] in _TEXT or behind[0] == 0x0A


def fletcher16(data):
    """Two sums modulo 255, the first in the low byte."""
    sums = list(accumulate(data, initial=0))
    return sums[-1] % 255 | (sum(sums) % 255) << 8


def _record_end(data, at):
    """Where the record at `at` ends, or `at` if there is none."""
    if data[at] != SYNC:
        return at
    if at + _HEADER.size > len(data):
        return at + _HEADER.size
    length = _HEADER.unpack_from(data, at)[2]
    return at + _HEADER.size + length + 2 if length <= PAYLOAD_MAX else at


def _record(data):
    """The record that fills `data`, or None if that is not a whole one."""
    if len(data) < _HEADER.size + 2:
        return None
    _, kind, length = _HEADER.unpack_from(data)
    checksum = int.from_bytes(data[-2:], "little")
    if len(data) != _HEADER.size + length + 2 or kind not in _PARSERS \
            or fletcher16(data[1:-2]) != checksum:
        return None
    try:
        return _PARSERS[kind](bytes(data[_HEADER.size:-2]))
    except (struct.error, IndexError):  # Whole, but not what it says it is.
        return None


def _hello(payload):
    version, config, seed, frames, ticks, checks, interrupts, count = \
        _HELLO.unpack_from(payload)
    if version != VERSION:
        raise CannotRun(f"the firmware speaks telemetry version {version}, this"
                        f" harness version {VERSION}; take both from the same"
                        " checkout.")
    (board,), at = _texts(payload, _HELLO.size, 1)
    allocators = []
    for _ in range(count):
        *numbers, spare = _ALLOCATOR.unpack_from(payload, at)
        texts, at = _texts(payload, at + _ALLOCATOR.size, 5)
        allocators.append(Allocator(*texts, *numbers, bool(spare)))
    sites, _ = _texts(payload, at + 1, payload[at])
    return Hello(config, seed, frames, ticks, checks, interrupts & 1,
                 *(bool(interrupts & bit) for bit in (2, 4, 8)), board,
                 tuple(allocators), tuple(sites))


def _texts(payload, at, count):
    """`count` texts, each behind its length, and where they end."""
    texts = []
    for _ in range(count):
        end = at + 1 + payload[at]
        texts.append(words_of(payload[at + 1:end]))
        at = end
    return texts, at


def _sample(payload):
    usages = _USAGE.iter_unpack(payload[_SAMPLE.size:])
    return Sample(*_SAMPLE.unpack_from(payload),
                  tuple(Usage(*usage) for usage in usages))


def _fault(payload):
    frame, kind, *rest = _FAULT.unpack_from(payload)
    return Fault(frame, FAULTS.get(kind, f"fault {kind}"), *rest,
                 words_of(payload[_FAULT.size:]))


def _done(payload):
    return Done(*_DONE.unpack(payload))


def _text(payload):
    return Text(words_of(payload))


def _audit(payload):
    return Audit(*_AUDIT.unpack_from(payload), words_of(payload[_AUDIT.size:]))


def _planted(payload):
    return Planted(*_AUDIT.unpack_from(payload), words_of(payload[_AUDIT.size:]))


def words_of(data, kept=""):
    return _printable(data.decode(errors="replace"), kept)


def _printable(text, kept=""):
    """Text without what could steer a terminal or break a file format."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept else "?" for c in text)


def _figure(payload):
    index, flat, scale = _FIGURE.unpack_from(payload)
    name, _, unit = words_of(payload[_FIGURE.size:]).partition("|")
    return Figure(index, bool(flat), scale, name, unit)


def _figures(payload):
    frame, = struct.unpack_from("<I", payload)
    return Figures(frame, struct.unpack(f"<{len(payload) // 4}I", payload)[1:])


def _costs(payload):
    length, first, step = _COSTS.unpack_from(payload)
    counts = _COSTS.size + length
    buckets = struct.unpack(f"<{(len(payload) - counts) // 4}I",
                            payload[counts:])
    return Costs(words_of(payload[_COSTS.size:counts]), first, step, buckets)


def _scene(payload):
    return Scene(int.from_bytes(payload[:4], "little"), words_of(payload[4:]))


def _refused(payload):
    return Refused(*_REFUSED.unpack_from(payload),
                   words_of(payload[_REFUSED.size:]))


def _picture(payload):
    frame, width, height, count = _PICTURE.unpack_from(payload)
    begin = _PICTURE.size + count * _PICTURE_USE.size
    uses = tuple(_PICTURE_USE.iter_unpack(payload[_PICTURE.size:begin]))
    pixels = payload[begin:]
    if not width or len(pixels) != width * height or len(uses) != count:
        raise struct.error("not as large as it says")
    return Picture(frame, width, height, uses, pixels)


def _setting(payload):
    return Setting(*_SETTING.unpack_from(payload),
                   words_of(payload[_SETTING.size:]))


def _expectation(payload):
    return Expectation(*_EXPECTATION.unpack_from(payload),
                       words_of(payload[_EXPECTATION.size:]))


def _place(payload):
    return Place(*_PLACE.unpack(payload))


def _frame_costs(payload):
    return FrameCosts(*_FRAME_COSTS.unpack(payload))


def _stack(payload):
    return Stack(*_STACK.unpack_from(payload), words_of(payload[_STACK.size:]))


def _oldest(payload):
    return Oldest(*_OLDEST.unpack(payload))


def _guard(payload):
    return Guard(*_GUARD.unpack_from(payload), words_of(payload[_GUARD.size:]))


def _clock(payload):
    return Clock(int.from_bytes(payload[:4], "little"))


def _holes(payload):
    return Holes(*_HOLES.unpack(payload))


def _stranger(payload):
    figures = _STRANGER.unpack_from(payload)
    if figures[-1] not in CALLS:
        raise struct.error("no call")
    return Stranger(*figures, words_of(payload[_STRANGER.size:]))


def _caller(payload):
    return Caller(*_CALLER.unpack_from(payload), words_of(payload[_CALLER.size:]))


def _question(payload):
    return Question(*_EXPECTATION.unpack_from(payload),
                    words_of(payload[_EXPECTATION.size:]))


_PARSERS = {1: _hello, 2: _sample, 3: _fault, 4: _done, 5: _text, 6: _audit,
            7: _planted, 8: _figure, 9: _figures, 10: _costs, 11: _scene,
            12: _refused, 13: _setting, 14: _expectation, 15: _place,
            16: _picture, 17: _frame_costs, 18: _stack, 19: _oldest,
            20: _guard, 21: _clock, 22: _holes, 23: _question,
            24: _stranger, 25: _caller}
