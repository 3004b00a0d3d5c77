# SPDX-License-Identifier: MIT
"""How often a pool was how full: counted in frames as samples come, drawn as SVG."""

from .number_text import percent

BUCKETS = 20  # Of the capacity; one more for what is full.
WIDTH, HEIGHT = 1000, 100
GAP = 4


class Histogram:
    def __init__(self, capacity):
        self._capacity = max(1, capacity)
        self.counts = [0] * (BUCKETS + 1)

    def add(self, live, frames, full):
        """Of so many frames, `full` ended with every slot live: the firmware
        counts those. For the others stands the sample at their end."""
        full = min(full, frames)
        self.counts[BUCKETS] += full
        bucket = min(BUCKETS - 1, BUCKETS * live // self._capacity)
        self.counts[bucket] += frames - full


def histogram(counts):
    """Bars of the share of frames, the last one of those that were full."""
    most, total = max(counts), sum(counts)
    if not total:
        return ""
    step = WIDTH / len(counts)
    bars = "".join(_bar(at * step, step - GAP, count / most,
                        at == len(counts) - 1)
                   for at, count in enumerate(counts) if count)
    return (f'<div class="histogram"><svg viewBox="0 0 {WIDTH} {HEIGHT}"'
            f' preserveAspectRatio="none" role="img" aria-label="{_words(counts)}'
            f'">{bars}</svg><div class="ends" aria-hidden="true">'
            f"<span>empty</span><span>share of the frames by slots in use"
            f"</span><span>full {percent(counts[-1], total)}</span></div>"
            "</div>")


def _bar(x, width, share, is_full):
    height = max(1.0, HEIGHT * share)
    return (f'<rect class="{"brim" if is_full else "level"}" x="{x:.1f}"'
            f' y="{HEIGHT - height:.1f}" width="{width:.1f}"'
            f' height="{height:.1f}"/>')


def _words(counts):
    total = sum(counts)
    half = sum(counts[:len(counts) // 2])
    return (f"in use: at most half of the slots in {percent(half, total)} of"
            f" the frames, all of them in {percent(counts[-1], total)}")
