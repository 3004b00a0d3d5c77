# SPDX-License-Identifier: MIT
"""No object may live longer than the row of its pool says."""

from .number_text import grouped, span
from .options import FRAMES_PER_SECOND


def life_lines(_, ledger):
    """(name, passed, detail, number)."""
    return [("no object outlives its pool's life", *_judged(ledger))]


def _judged(ledger):
    """(passed, detail, the highest age in units of what the row says)."""
    known = [one for one in ledger.allocators if one.life and not one.keeps]
    if not known:
        return None, 'no row says one; life = "10 s" in pools.toml does', 0
    wrong = [_sentence(ledger, one) for one in known if one.first_outlived]
    share = max(one.oldest.age / one.life for one in known)
    return not wrong, "; ".join(wrong) or ", ".join(
        f"{one.name}: the oldest was {_time(one.oldest.age)} old, of"
        f" {_time(one.life)}" for one in known), round(share, 3)


def _sentence(ledger, one):
    first = one.first_outlived
    line = ledger.callers.get(first.site, f"0x{first.site:08x}")
    return (f"{one.name}, slot {first.slot}: {_time(first.age)} old in frame"
            f" {grouped(first.frame)}, its row says {_time(one.life)}; issued by"
            f" {line}; the oldest of all was {_time(one.oldest.age)} old")


def _time(frames):
    return span(frames / FRAMES_PER_SECOND)
