# SPDX-License-Identifier: MIT
"""How much an allocator should have, judged by what one run needed."""

from .number_text import counted, percent

RULE = ("A pool should keep an eighth more slots than its highest use, and at"
        " least one more. It is called too large when its highest use is at"
        " most 75 % of its capacity, and too small when it was full in more"
        " than 1 % of the frames or, if it must never be full, when it lacks"
        " that eighth. Bytes are rounded up to 8.")

STEP = 8  # Of bytes.
RESERVE = "_reserve"  # What a pool's own is called by.
# Those that are others together.
SUMS = {"blocks": "see its classes", "scenes": "see its pools"}


def enough(peak):
    """The highest use and an eighth, rounded up; at least one more."""
    return peak + max(1, -(-peak // 8))


def advice(allocator, frames, names=()):
    """One short sentence by the rule above; `names` are of all there are."""
    if allocator.kind in SUMS:
        return SUMS[allocator.kind]
    if not allocator.peak:
        return "never used in this run"
    if len(allocator.cuts) > 1:
        return "scenes cut it: `advise` tells of each"
    if allocator.policy == "assert":
        return (_never_full(allocator, names) or _too_large(allocator, names)
                or "fits")
    return (_often_full(allocator, frames) or _too_large(allocator, names)
            or _fits(allocator))


def _need(allocator):
    need = enough(allocator.peak)
    return need if allocator.unit != "bytes" else -(-need // STEP) * STEP


def _said(allocator, names):
    """What its row is to say: the key of it, and what that counts beside."""
    need, name = _need(allocator), allocator.name
    if allocator.unit == "bytes":
        return f"bytes = {need}" + " beside its rows" * (allocator.kind == "nest")
    if allocator.kind == "relocating":
        return f"handles = {need}"
    if name.endswith(RESERVE) and name[:-len(RESERVE)] in names:
        return f"reserve = {need}"
    return f"count = {need}" + " beside its reserve" * (name + RESERVE in names)


def _never_full(allocator, names):
    if allocator.capacity >= _need(allocator):
        return ""
    said, spare = _said(allocator, names), allocator.capacity - allocator.peak
    if spare <= 0:  # Waves of 48 for 48 slots: only the author knows.
        return f"fits exactly: meant so? {said} if not"
    unit = allocator.unit[:-1]
    return f"only {counted(spare, unit)} to spare: {said} would be safe"


def _often_full(allocator, frames):
    if 100 * allocator.full_frames <= frames:
        return ""
    share = percent(allocator.full_frames, frames)
    return f"full {share} of the time: intended? More {allocator.unit} if not"


def _too_large(allocator, names):
    need = _need(allocator)
    if 4 * allocator.peak > 3 * allocator.capacity or need >= allocator.capacity:
        return ""
    return f"{_said(allocator, names)} would do"


def _fits(allocator):
    return "fits, but was full at times" if allocator.was_full else "fits"
