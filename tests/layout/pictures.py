#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pictures of README.md and lib/DESIGN.md; pictures.py --write draws them."""

import json
import sys
from html import escape

from readme import ROOT, soak_folder

# Light, and what a page in the dark makes of it.
COLOURS = {"page": ("#ffffff", "#0d1117"), "edge": ("#d0d7de", "#30363d"),
           "text": ("#1f2328", "#e6edf3"), "quiet": ("#59636e", "#9198a1"),
           "live": ("#0969da", "#4493f8"), "soft": ("#ddf4ff", "#12345a"),
           "warn": ("#bc4c00", "#f0883e"), "free": ("#f6f8fa", "#151b23")}
FONT = "font-family:system-ui,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
MONO = "font-family:ui-monospace,Menlo,Consolas,monospace"


def colours(index):
    return ";".join(f"--{name}:{pair[index]}" for name, pair in COLOURS.items())


class Picture:
    """An SVG of fixed width, drawn from simple shapes."""

    def __init__(self, width, height, title, story):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            ' role="img" aria-labelledby="title story">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="story">{escape(story)}</desc>', "<style>",
            f"svg{{{colours(0)}}}",
            f"@media(prefers-color-scheme:dark){{svg{{{colours(1)}}}}}",
            f"text{{{FONT};font-size:13px;fill:var(--text)}}",
            ".quiet{fill:var(--quiet)}.warn{fill:var(--warn)}",
            f".mono{{{MONO};font-size:12px}}.bold{{font-weight:600}}",
            ".middle{text-anchor:middle}.end{text-anchor:end}", "</style>"]
        self.box(0.5, 0.5, width - 1, height - 1, "page", radius=8)

    def box(self, x, y, width, height, fill, edge="edge", radius=4):
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"'
            f' style="fill:var(--{fill});stroke:var(--{edge})"/>')

    def text(self, x, y, words, kind=""):
        self.parts.append(f'<text x="{x}" y="{y}" class="{kind}">'
                          f'{escape(words)}</text>')

    def line(self, points, colour="quiet", width=1, more=""):
        path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
        self.parts.append(f'<path d="{path}" style="fill:none;stroke:var(--{colour});'
                          f'stroke-width:{width}{more}"/>')

    def area(self, points, colour):
        path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + "Z"
        self.parts.append(f'<path d="{path}" style="fill:var(--{colour})"/>')

    def arrow(self, points, colour="quiet"):
        """Ends with a head that points to the right, left, up or down."""
        (x, y), (to_x, to_y) = points[-2], points[-1]
        step_x = (to_x > x) - (to_x < x)
        step_y = (to_y > y) - (to_y < y)
        self.line([*points[:-1], (to_x - 6 * step_x, to_y - 6 * step_y)], colour, 1.5)
        wing_x, wing_y = 4 * step_y, 4 * step_x
        back = (to_x - 7 * step_x, to_y - 7 * step_y)
        self.area([(to_x, to_y), (back[0] + wing_x, back[1] + wing_y),
                   (back[0] - wing_x, back[1] - wing_y)], colour)

    def done(self):
        return "\n".join([*self.parts, "</svg>", ""])


# A run of the soak -------------------------------------------------------------

CHART = (168, 560)  # Left edge and width.
ROW, HEIGHT = 46, 32


def samples():
    lines = (soak_folder() / "samples.ndjson").read_text().splitlines()
    return [entry for entry in map(json.loads, lines) if "pools" in entry]


def strip(picture, y, pool, rows):
    """A pool: least and most slots in use in each second, and when it was full."""
    left, width = CHART
    full = pool["capacity"]

    def spot(index, value):
        return (round(left + width * index / (len(rows) - 1)),
                round(y + HEIGHT - HEIGHT * value / full, 1))

    picture.box(left, y, width, HEIGHT, "free", radius=0)
    most = [spot(index, row["high"]) for index, row in enumerate(rows)]
    least = [spot(index, row["low"]) for index, row in enumerate(rows)]
    picture.area(most + least[::-1], "soft")
    picture.line(most, "live", 1.2)
    for first, last in spans_when_full(rows):
        (start, _), (end, _) = spot(first, full), spot(last, full)
        picture.line([(start, y - 3), (end, y - 3)], "warn", 3)


def spans_when_full(rows):
    """(first, last) of the seconds in a row in which the pool was full."""
    spans = []
    for index in range(1, len(rows)):
        if rows[index]["full_frames"] == rows[index - 1]["full_frames"]:
            continue
        if spans and spans[-1][1] == index - 1:
            spans[-1] = (spans[-1][0], index)
        else:
            spans.append((index - 1, index))
    return spans


def lost(pool):
    for word in ("steals", "spills", "refused"):
        if pool[word]:
            return f"{pool[word]:,} {word}".replace(",", " ")
    return "never full" if not pool["full_frames"] else "full, none lost"


def soak():
    summary = json.loads((soak_folder() / "summary.json").read_text())
    rows, pools = samples(), summary["pools"]
    height = 56 + ROW * len(pools) + 44
    minutes = summary["frames"] // 3600
    title = (f"{minutes} simulated minutes of the demo game, seed {summary['seed']}:"
             f" {summary['verdict']}")
    picture = Picture(880, height, title, "For each pool, the least and the most"
                      " slots that were in use in each second, and when it was full.")
    picture.text(16, 30, title, "bold")
    picture.text(864, 30, f"state hash {summary['state_hash']}", "quiet mono end")
    for index, pool in enumerate(pools):
        y = 52 + ROW * index
        picture.text(16, y + 14, pool["name"], "bold")
        picture.text(16, y + 30, f"{pool['policy']}, {pool['capacity']} slots", "quiet")
        strip(picture, y, pool, [row["pools"][pool["name"]] for row in rows])
        picture.text(740, y + 14, f"peak {pool['peak']}")
        picture.text(740, y + 30, lost(pool), "quiet")
    y = height - 20
    left = CHART[0]
    picture.box(left, y - 11, 20, 12, "soft", "live", 0)
    picture.text(left + 28, y, "slots in use, least to most of each second", "quiet")
    picture.line([(left + 312, y - 5), (left + 332, y - 5)], "warn", 3)
    picture.text(left + 340, y, "the pool was full", "quiet")
    return picture.done()


# The RAM of a pool -------------------------------------------------------------

SLOTS = [  # Tag, state, first word, its meaning; as after four were issued and
           # 2 and then 4 were freed.
    ("0x80000001", "live", "an object", ""),
    ("0x00000001", "free", "0x00040000", "4 lived, none below"),
    ("0x80000001", "live", "an object", ""),
    ("0x00000001", "free", "0x00030002", "3 lived, 2 is below"),
    ("0x00000000", "new", "", ""),
    ("0x00000000", "new", "", ""),
]
FILLS = {"live": "soft", "free": "free", "new": "page"}


def pool():
    picture = Picture(880, 404, "The memory of a pool of six slots",
                      "Four slots were issued, then slot 2 and slot 4 were freed.")
    picture.text(16, 30, "A pool of six slots: four were issued, then 2 and 4 were"
                 " freed", "bold")
    picture.text(16, 66, "flash", "quiet")
    picture.box(16, 76, 190, 96, "page")
    picture.text(28, 98, "const struct tp_pool", "mono bold")
    for index, words in enumerate(("capacity 6, stride, lock", "policy: drop, steal…",
                                   "tag, state, storage")):
        picture.text(28, 120 + 19 * index, words)
    picture.text(16, 206, "RAM: zero at boot", "quiet")
    picture.box(16, 216, 190, 76, "page")
    picture.text(28, 238, "state", "mono bold")
    picture.text(28, 260, "fresh = 4: slots 1 to 4")
    picture.text(28, 279, "were issued at least once")
    picture.text(270, 66, "RAM: tag[ ], apart from the objects", "quiet")
    picture.text(560, 66, "RAM: slots", "quiet")
    picture.box(270, 76, 200, 34, "page", "live")
    picture.text(282, 98, "0x00020004", "mono bold")
    picture.text(370, 98, "2 live, top is 4", "quiet")
    for index, (tag, state, word, meaning) in enumerate(SLOTS):
        slot(picture, index, tag, state, word, meaning)
    links(picture)
    picture.arrow([(206, 152), (238, 152), (238, 93), (270, 93)])
    picture.arrow([(180, 172), (180, 216)])
    picture.text(16, 388, "The free list is 4, 2. A link counts one live object more"
                 " than the word that leads to it: one comparison finds one written"
                 " over.", "quiet")
    return picture.done()


def slot(picture, index, tag, state, word, meaning):
    y = 118 + 42 * index
    picture.box(270, y, 200, 34, "page")
    picture.text(282, y + 22, tag, "mono")
    picture.text(370, y + 22, "never issued" if state == "new" else state, "quiet")
    picture.box(560, y, 304, 34, FILLS[state], "live" if state == "live" else "edge")
    picture.text(526, y + 22, str(index + 1), "bold")
    picture.text(574, y + 22, word, "" if state == "live" else "mono")
    picture.text(668, y + 22, meaning, "quiet")


def links(picture):
    """From the list word to slot 4, from there to slot 2."""
    top, second = 118 + 42 * 3 + 17, 118 + 42 + 17
    picture.arrow([(470, 93), (506, 93), (506, top), (522, top)], "live")
    picture.arrow([(560, top), (546, top), (546, second), (560, second)], "live")


# The life of a slot ------------------------------------------------------------

def life():
    picture = Picture(880, 300, "The life of a slot",
                      "Never issued, live, free, live again; or stolen.")
    picture.text(16, 30, "The life of a slot, and what it does to its tag", "bold")
    for x, fill, name, tag, more in (
            (16, "page", "never issued", "0x00000000", "its bytes are untouched"),
            (340, "soft", "live", "0x80000001", "its handles resolve"),
            (664, "free", "free, on the list", "0x00000001",
             "its first word is the link")):
        picture.box(x, 76, 200, 84, fill, "live" if name == "live" else "edge")
        picture.text(x + 100, 99, name, "bold middle")
        picture.text(x + 100, 121, tag, "mono middle")
        picture.text(x + 100, 144, more, "quiet middle")
    picture.arrow([(216, 118), (340, 118)], "live")
    picture.text(278, 92, "alloc", "bold middle")
    picture.text(278, 108, "+ 0x80000001", "mono quiet middle")
    picture.arrow([(540, 100), (664, 100)], "live")
    picture.text(602, 76, "free", "bold middle")
    picture.text(602, 92, "+ 0x80000000", "mono quiet middle")
    picture.arrow([(664, 142), (540, 142)], "live")
    picture.text(602, 160, "alloc", "bold middle")
    picture.text(602, 176, "+ 0x80000001", "mono quiet middle")
    picture.arrow([(400, 160), (400, 196), (480, 196), (480, 160)], "warn")
    picture.text(440, 214, "stolen: both at once, 0x80000002", "warn middle")
    picture.text(440, 231, "every older handle is stale from here on", "quiet middle")
    picture.text(16, 262, "Issuing must not carry out of the word, freeing must: one"
                 " addition finds a second free and a slot that is issued twice.",
                 "quiet")
    picture.text(16, 281, "Summed over the slots, generations and live bits are the"
                 " statistics: allocs, frees, live.", "quiet")
    return picture.done()


PICTURES = {"qemu/soak.svg": soak, "lib/pool.svg": pool, "lib/slot.svg": life}


def main(arguments):
    if arguments != ["--write"]:
        print("usage: pictures.py --write", file=sys.stderr)
        return 2
    for name, draw in PICTURES.items():
        (ROOT / name).write_text(draw())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
