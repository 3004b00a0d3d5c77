# SPDX-License-Identifier: MIT
"""What the sanitizer said of the application's loads and stores: in the run itself, or
in what is played with it before."""

from .number_text import counted
from .records import ACCESSES

CLEAN = "the sanitizer found nothing"


def access_lines(options, ledger, sentence_of):
    """The check: name, passed, detail, number."""
    if not options.pool_sanitizer:
        return [_of_the_pass(ledger.accesses)]
    found = [fault for fault in ledger.faults if fault.kind in ACCESSES]
    return [(CLEAN, not found, "; ".join(
        f"{fault.kind}: {sentence_of(ledger, fault)}" for fault in found)
        or "0 wrong accesses", len(found))]


def _of_the_pass(one):
    if one is None or one.skipped:
        return CLEAN, None, one.skipped if one else "not looked at: needs --sanitize"
    said = f"{counted(one.frames, 'frame')}: {one.why}"
    return (CLEAN, one.passed, said if one.passed else
            f"{said}; again with {one.again}", int(not one.passed))
