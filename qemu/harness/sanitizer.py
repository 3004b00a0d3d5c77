# SPDX-License-Identifier: MIT
"""What AddressSanitizer or UBSan said of a program: what was wrong, in which
line of the application, in which frame."""

import re
from typing import NamedTuple

from .options import ROOT
from .source_lines import is_application, shown

# What a run adds to the program itself; the words of both are their own.
ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_leaks=0:handle_abort=1:color=never",
    "UBSAN_OPTIONS": "print_stacktrace=1:abort_on_error=1:color=never",
}
OURS = tuple(f"{ROOT}/qemu/{name}" for name in (
    "rig/", "telemetry/", "boards/", "semihost"))
_ADDRESS = re.compile(r"^==\d+==ERROR: AddressSanitizer: (\S+)", re.M)
_UNDEFINED = re.compile(r"^\S.*:\d+:\d+: runtime error: (.+)$", re.M)
_ACCESS = re.compile(r"^(READ|WRITE) of size (\d+)", re.M)
_PLACE = re.compile(r"^ *#\d+ 0x[0-9a-f]+ in (\S+(?:\(.*\))?) (.+?):(\d+)", re.M)
_FRAME = re.compile(r"^tidepool: frame (\d+)$", re.M)
# What stands behind the report of a program that was aborted since it hangs.
HUNG = "The program {}.\n"
_HUNG = re.compile("^" + HUNG.format(r"(said nothing .*)"), re.M)


class Report(NamedTuple):
    what: str
    line: str  # 'explode() at qemu/game/enemies.c:57'; "" if there is none.
    frame: int  # -1 if it did not say.

    def sentence(self):
        where = f" in {self.line}" if self.line else ""
        return self.what + where + f", frame {self.frame}" * (self.frame >= 0)


def report_in(text):
    """The first report in what a program printed, or None."""
    found = [match for match in (_UNDEFINED.search(text), _ADDRESS.search(text))
             if match]
    if not found:
        return None
    first = min(found, key=lambda match: match.start())
    text = text[first.start():]
    frame = _FRAME.search(text)
    return Report(_what(first, text), _line(text),
                  int(frame.group(1)) if frame else -1)


def _what(match, text):
    kind = match.group(1)
    access = _ACCESS.search(text)
    if match.re is _UNDEFINED or not access:
        return _aborted(text) if kind == "ABRT" else kind
    verb = {"READ": "read from", "WRITE": "write to"}[access.group(1)]
    where = "memory that is nobody's" if kind == "use-after-poison" else \
        "memory of something else"
    return f"a {verb} {where}, {access.group(2)} bytes ({kind})"


def _aborted(text):
    """By itself, or by us."""
    hung = _HUNG.search(text)
    return f"it {hung[1]}" if hung else "it was aborted"


def _line(text):
    """Of the first stack: the innermost line of the application itself, or of
    the soak's own mistakes if they were planted."""
    places = [place for place in _PLACE.findall(_first_stack(text))
              if is_application(place[1]) and place[1].startswith("/")]
    own = [place for place in places if not place[1].startswith(OURS)]
    for function, path, number in (own or places)[:1]:
        return f"{function}() at {shown(path)}:{number}"
    return ""


def _first_stack(text):
    """Its lines are numbered from #0 and end with an empty one."""
    begin = text.find("    #0 ")
    return text[begin:text.find("\n\n", begin)] if begin >= 0 else ""
