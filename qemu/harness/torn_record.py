# SPDX-License-Identifier: MIT
"""Where text may stand in the middle of a record: what an interrupt printed while
the record was sent."""

import re
from itertools import islice

LONGEST = 1000  # Text, in bytes.
_HALF_LINE = 80  # What does not end with its line is no longer.
_LEAST = 4
_TRIES = 4000
_RUN = re.compile(rb"(?:[\t\r\n\x1b\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]"
                  rb"|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){4,}")
_LAST = re.compile(rb"[\t\r\n\x1b\x20-\x7e\x80-\xff]+\Z")


def texts(data, at, end):
    """(begin, end) of each piece of `data` that may be text within what should be
    a record from `at` to `end`, or whose header says nothing, if that is `at`:
    whole lines, then short pieces of one. The longest of each begin comes first, for
    an interrupt may print very many lines."""
    end = max(end, at + 4)
    runs = [run.span() for run in _RUN.finditer(data, at + 1, end + LONGEST)]
    pieces = [(run, ends) for how in (_lines, _short) for run in runs
              if (ends := how(data, *run))]
    return islice(((begin, behind) for (first, _), ends in pieces
                   for begin in range(first, min(end, ends[0] - _LEAST + 1))
                   for behind in ends if behind - begin >= _LEAST), _TRIES)


def _lines(data, first, last):
    return [at + 1 for at in range(last - 1, first - 1, -1) if data[at] == 0x0A]


def _short(_, first, last):
    return range(last, first, -1) if last - first <= _HALF_LINE else ()


def may_go_on(data, at, end):
    """Whether text that begins in the same may not all have come."""
    end = max(end, at + 4)
    last = _LAST.search(data, at + 1)
    return last and last.start() < end and len(data) < end + LONGEST
