# SPDX-License-Identifier: MIT
"""The pictures of a report: what was shown when most was in use."""

from html import escape

from .html_parts import section
from .number_text import clock, grouped
from .options import FRAMES_PER_SECOND
from .png import data_uri

ABOUT = """<p>What the firmware showed in the worst frame of each allocator, or
close to it: such a picture comes at most every two seconds.</p>
"""


def pictures(ledger):
    """A figure for each picture; "" if the firmware sent none."""
    figures = [_figure(picture, f"At the fault: {_moment(picture)}")
               for picture in _of_fault(ledger)]
    figures += [_figure(picture, f"{_moment(picture)}: {_uses(ledger, indices)}")
                for picture, indices in _by_frame(ledger)]
    if not figures:
        return ""
    return section("Pictures", ABOUT + '<div class="pictures">\n'
                   + "".join(figures) + "</div>\n")


def _of_fault(ledger):
    """The one that was sent on the way into tp_fault()."""
    newest = ledger.picture
    return [newest] if newest and ledger.faults and not newest.uses else []


def _by_frame(ledger):
    """(picture, those that it is the worst of), in the order of time."""
    frames = {}
    for index, picture in ledger.worst_pictures.items():
        frames.setdefault(picture.frame, (picture, []))[1].append(index)
    return [frames[frame] for frame in sorted(frames)]


def _uses(ledger, indices):
    uses = []
    for index in sorted(indices):
        one = ledger.allocators[index]
        live = dict(ledger.worst_pictures[index].uses)[index]
        uses.append(f"{one.name} {grouped(live)} of {grouped(one.capacity)}"
                    f" {one.unit}")
    return ", ".join(uses)


def _moment(picture):
    seconds = picture.frame / FRAMES_PER_SECOND
    return f"frame {picture.frame}, {clock(seconds)}"


def _figure(picture, words):
    return (f'<figure><img src="{data_uri(picture)}" width="{8 * picture.width}"'
            f' height="{8 * picture.height}" alt="The screen in frame'
            f' {picture.frame}"><figcaption>{escape(words)}</figcaption>'
            "</figure>\n")
