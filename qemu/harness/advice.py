# SPDX-License-Identifier: MIT
"""How many slots a pool should have, judged by what one run needed."""

from .number_text import counted, percent

RULE = ("A pool should keep an eighth more slots than its highest use, and at"
        " least one more. It is called too large when its highest use is at"
        " most 75 % of its capacity, and too small when it was full in more"
        " than 1 % of the frames or, if it must never be full, when it lacks"
        " that eighth.")


def enough(peak):
    """The highest use and an eighth, rounded up; at least one more."""
    return peak + max(1, -(-peak // 8))


def advice(pool, frames):
    """One short sentence by the rule above, of what counts slots or objects."""
    if not pool.peak:
        return "never used in this run"
    if pool.unit == "bytes":
        return ""
    if pool.policy == "assert":
        return _never_full(pool) or _too_large(pool) or "fits"
    return _often_full(pool, frames) or _too_large(pool) or _fits(pool)


def _never_full(pool):
    need = enough(pool.peak)
    if pool.capacity >= need:
        return ""
    spare = pool.capacity - pool.peak
    if spare <= 0:  # Waves of 48 for 48 slots: only the author knows.
        return f"fits exactly: meant so? count = {need} if not"
    return f"only {counted(spare, 'slot')} to spare: count = {need} would be" \
           " safe"


def _often_full(pool, frames):
    if 100 * pool.full_frames <= frames:
        return ""
    share = percent(pool.full_frames, frames)
    return f"full {share} of the time: intended? More slots if not"


def _too_large(pool):
    need = enough(pool.peak)
    if 4 * pool.peak > 3 * pool.capacity or need >= pool.capacity:
        return ""
    return f"count = {need} would do"


def _fits(pool):
    return "fits, but was full at times" if pool.was_full else "fits"
