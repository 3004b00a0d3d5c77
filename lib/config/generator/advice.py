# SPDX-License-Identifier: MIT
"""Advise: what soaks saw of each allocator, and the numbers that would fit it."""

import collections
import json
import re

from .allocators import Blocks, Dense, Frame, Nest, Relocating, Stack
from .check import read_text
from .measure import bss_bytes, shown
from .model import Config
from .page import columns, hash_of, paragraphs
from .rows import arena_bytes, round_up
from .toml import Parser, Trouble
from .values import ARENA_ALIGN, COUNT_MAX, REGION_MAX, RELOCATING_MAX, left_to_c

RULE = """\
A pool should keep an eighth more slots than its highest use, and at least one more.
It is called too large when its highest use is at most 75 % of its capacity, and too
small when it was full in more than 1 % of the frames or, if it must never be full,
when it lacks that eighth. Bytes are rounded up to 8. Unmet are requests that were
refused, or served by a theft. Wanted is an estimate: what had been in use at once if
each of them had lived as long as others do. Who may be full stays as it is, unless
--serve asks for what is wanted; soak again with it. Nothing is advised for what no
run used, nor of a number that is C, and never more than a table may say, nor less
than what low_water, refill and magazine in its row want."""

EXACT = """\
As asked, each is as large as its highest use, with nothing to spare: it serves the
same load again, and no other."""

SERVE = """\
As asked, what went unmet has room too."""


class Number(collections.namedtuple(
        "Number", "title entry row node now beside step cut")):
    """A number of the table that says how much an allocator has.

    [entry] is what the soak calls the allocator, [node] where the number is written;
    [beside], of [now], is no capacity of this allocator. With [cut] it is a scene's:
    its highest use is that of this capacity.
    """

    @property
    def capacity(self):
        return self.now - self.beside

    @property
    def most(self):
        """That the table may say."""
        if self.step == 1:
            return COUNT_MAX
        return RELOCATING_MAX if isinstance(self.row, Relocating) else REGION_MAX

    @property
    def least(self):
        """That it may say beside what else is in the row, of which a Pool has both."""
        kept = getattr(self.row, "magazine", None)
        return kept + 1 if kept else getattr(self.row, "refill", None) or 0


def numbers_of(config):
    """All that advice may change."""
    numbers = []
    for row in config.rows():
        if row.wrong:
            continue
        if row.parts() and not row.sleeps:
            numbers += _of_scenes(config, row)
        elif row in config.pools:
            numbers += [_number(row, row.name, row, "count", row.reserve or 0)]
        elif isinstance(row, Blocks):
            numbers += [_number(one, one.name, one, "count")
                        for one in row.classes_made()]
        elif isinstance(row, (Frame, Stack, Nest)):
            beside = row.bytes - row.arena_bytes() if isinstance(row, Nest) else 0
            numbers.append(_number(row, row.name, row, "bytes", beside))
        elif isinstance(row, Relocating):
            numbers += [_number(row, f"{row.name}, handles", row, "handles"),
                        _number(row, f"{row.name}_arena", row, "bytes")]
        elif isinstance(row, Dense):
            numbers.append(_number(row, row.name, row, "count"))
    return [number for number in numbers if number and number.capacity > 0]


def _of_scenes(config, row):
    """What each scene gives its parts."""
    step = ARENA_ALIGN if isinstance(row, (Frame, Stack)) else 1
    numbers = []
    for number, scene in enumerate(config.scenes.scenes):
        node = scene.node.value.get(row.name)
        for index, part in enumerate(row.parts() if node else []):
            written = node.value[index] if isinstance(row, Blocks) else node
            numbers.append(Number(f"{part.name} in {scene.name}", part.name, part,
                                  written, part.cut[number], 0, step, True))
    return numbers


def _number(row, title, written, key, beside=0):
    """None where the table leaves it out, or to C."""
    node = written.node.value.get(key)
    now = getattr(row, row.attribute(key), None)
    if node is None or left_to_c(node.value) or not isinstance(now, int):
        return None
    return Number(title, title.partition(",")[0], row, node, now, beside,
                  ARENA_ALIGN if key == "bytes" else 1, False)


class Seen:
    """What the runs saw of one allocator, all together."""

    def __init__(self):
        self.peak = self.requests = self.unmet = self.full_frames = self.frames = 0
        self.wanted = 0

    def add(self, entry, frames):
        self.peak = max(self.peak, entry["peak"])
        self.unmet += entry["refused"] + entry["steals"]
        self.requests += entry["allocs"] + entry["refused"]
        self.full_frames += entry["full_frames"]
        self.frames += frames
        self.wanted = max(self.wanted, self.peak, entry.get("wanted", 0))

    def share_unmet(self):
        """Of the requests; some allocators count those only that they refuse."""
        if 0 < self.unmet == self.requests:
            return f"{self.unmet} of ?"
        return share(self.unmet, self.requests)

    @property
    def often_full(self):
        return 100 * self.full_frames > self.frames


def enough(peak):
    """The highest use and an eighth, rounded up; at least one more."""
    return peak + max(1, -(-peak // 8))


def advised(capacity, must_fit, seen, step=1, exact=False, serve=False):
    """What the rule above advises: [capacity] itself where it is right."""
    if not seen.peak:
        return capacity
    if serve and seen.unmet:
        most = seen.wanted if exact else enough(seen.wanted)
        return max(capacity, round_up(most, step))
    if exact:
        return min(capacity, round_up(seen.peak, step))
    need = round_up(enough(seen.peak), step)
    if must_fit and need > capacity:
        return need
    if not must_fit and seen.often_full:
        return capacity
    too_large = 4 * seen.peak <= 3 * capacity and need < capacity
    return need if too_large else capacity


def read_summary(path, config):
    """The summary.json of a soak of [config], if it is one and can be true."""
    try:
        summary = json.loads(read_text(path))
        if "runs" in summary:
            raise Trouble(f"{path}: error: it is of many runs: name the summary.json "
                          "of each")
        for entry in _entries(summary):
            _ = entry["name"] + "", [part[name] + 0 for part in _parts(entry)
                                     for name in NUMBERS]
        made = {entry["name"]: (entry.get("stride", 0) + 0, entry["capacity"])
                for entry in _entries(summary)}
        frames, other = summary["frames"], summary["config_hash"] + ""
        _ = frames + 0
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Trouble(f"{path}: error: not the summary.json of a soak")
    if type(frames) is not int:
        raise Trouble(f"{path}: error: frames is no whole number: no soak says that")
    if frames < 1:
        raise Trouble(f"{path}: error: a run without a frame has seen nothing")
    for entry in _entries(summary):
        nonsense = _nonsense(entry, frames)
        if nonsense:
            raise Trouble(f"{path}: error: {entry['name']}: {nonsense}: no soak says "
                          "that")
    if other != f"{hash_of(config):08x}":
        raise Trouble(f"{path}: error: a run of another table, or of this one before "
                      "it was changed; soak again")
    config.learn(made, summary.get("checks"))
    return summary


NUMBERS = ("capacity", "peak", "allocs", "refused", "steals", "full_frames")
MAY_LACK = ("wanted", "frames", "stride")
TOO_MANY = 1 << 64  # Of whatever is counted.


def _entries(summary):
    return summary["pools"] + summary.get("allocators", [])


def _parts(entry):
    """What is told of an allocator: of all of it, and of what scenes made of it."""
    return [entry, *entry.get("cuts", ())]


def _nonsense(entry, frames):
    """What cannot be, in words; "" if all of it can."""
    for part in _parts(entry):
        for name in (*NUMBERS, *MAY_LACK):
            if type(part.get(name, 0)) is not int:
                return f"{name} is no whole number"
            if not 0 <= part.get(name, 0) < TOO_MANY:
                return f"{name} is {part[name]}"
    if entry["peak"] > entry["capacity"]:
        return f"peak is {entry['peak']} of a capacity of {entry['capacity']}"
    if entry["full_frames"] > frames:
        return f"full in {entry['full_frames']} of {frames} frames"
    return ""


def gather(numbers, summaries):
    """{number: Seen} of what every one of [summaries] tells of."""
    seen = {}
    for number in numbers:
        of_runs = [_entry_of(number, summary) for summary in summaries]
        if all(of_runs):
            seen[number.title] = Seen()
            for entry, summary in zip(of_runs, summaries):
                seen[number.title].add(entry, entry.get("frames", summary["frames"]))
    return seen


def _entry_of(number, summary):
    """What the summary says of it; of a pool that scenes cut, at this capacity."""
    for entry in _entries(summary):
        if entry["name"] == number.entry:
            if not number.cut:
                return entry
            cuts = {cut["capacity"]: cut for cut in entry.get("cuts", [])}
            return cuts.get(number.now)
    return None


def advise(config, seen, exact=False, serve=False):
    """{title: number} of what is advised."""
    numbers = [number for number in numbers_of(config) if number.title in seen]
    wanted = {number.title: max(number.least, min(number.most, number.beside + advised(
        number.capacity, number.row.full == "assert", seen[number.title],
        number.step, exact, serve))) for number in numbers}
    for number in numbers:
        if isinstance(number.row, Nest):
            total = wanted[number.title] + taken_more(number.row, wanted)
            wanted[number.title] = min(number.most, total)
    return wanted


def taken_more(nest, wanted):
    """Bytes that the rows in it would take more than they do now."""
    more = 0
    for row in nest.rows if nest.counts() else ():
        if isinstance(row, Relocating):
            more += wanted.get(f"{row.name}_arena", row.bytes) - row.bytes
            continue
        now, then = (round_up(row.bytes_of(amount, "fast"), ARENA_ALIGN) for amount in
                     (row.amount, wanted.get(row.name, row.amount)))
        more += then - now
    return more


class Advice:
    """The table of it, and of the bytes that it wins or needs, bank by bank."""

    def __init__(self, text, config, seen, wanted):
        self.text, self.config, self.seen, self.wanted = text, config, seen, wanted
        self.banks = ram_of(config)

    def page(self):
        rows = [("allocator", "when full", "has", "peak", "unmet", "full", "wanted",
                 "advised", "RAM", "bank")]
        rows += [self.row(number) for number in numbers_of(self.config)]
        return paragraphs([columns(rows, "<<>>>>>>><"), total_lines([self])])

    def row(self, number):
        head = (number.title, number.row.full or "-", str(number.now))
        bank = number.row.lies_in or "-"
        seen = self.seen.get(number.title)
        if not seen:
            return (*head, *"------", bank)
        wanted = self.wanted[number.title]
        won = sum(self.change({number.title: wanted}).values())
        return (*head, str(seen.peak), seen.share_unmet(),
                share(seen.full_frames, seen.frames), str(seen.wanted), str(wanted),
                signed(won), bank)

    def change(self, wanted):
        """{bank: bytes} that [wanted] would take more than there is now."""
        text = rewrite(self.text, self.config, wanted)
        config = Config(Parser(text.replace("\r\n", "\n")))
        config.learn(*self.config.learned)
        then = ram_of(config)
        return {bank: then[bank] - now for bank, now in self.banks.items()}

    def rewritten(self):
        """The table with what is advised."""
        return rewrite(self.text, self.config, self.wanted)


def rule(exact, serve):
    return (EXACT if exact else RULE) + f"\n{SERVE}" * serve + "\n"


def total_lines(advices):
    """What the tables of one image win or need together, bank by bank."""
    now, won = {}, {}
    for one in advices:
        for bank, change in one.change(one.wanted).items():
            now[bank] = now.get(bank, 0) + one.banks[bank]
            won[bank] = won.get(bank, 0) + change
    return [f"{bank}: {signed(won[bank])} bytes of {shown(now[bank])}" for bank in now]


def ram_of(config):
    """{bank: bytes} of all banks, and of the rest of the RAM."""
    banks = {f"bank {bank.name}": arena_bytes(bank.residents, config.level)
             for bank in config.banks.values()}
    return dict(banks, **{".bss": bss_bytes(config.tenants(), config.level)})


def signed(number):
    return shown(number, "+d") if number else "0"


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def rewrite(text, config, wanted):
    """[text] with other numbers, and with all else in the column where it was."""
    lines = text.split("\n")
    changed = [(number.node.place, wanted[number.title])
               for number in numbers_of(config)
               if wanted.get(number.title, number.now) != number.now]
    # From right to left: what stands to the left of a number does not move.
    for (line, column, width), number in sorted(changed, reverse=True):
        lines[line - 1] = replace_number(lines[line - 1], column - 1, width, number)
    return "\n".join(lines)


def replace_number(line, start, width, number):
    before, after = line[:start], line[start + width:]
    old, new = width, len(str(number))
    comma, blanks, rest = re.fullmatch(r"((?:[ \t]*,)?)( *)(.*)", after, re.S).groups()
    if rest.strip():
        blanks = " " * max(len(blanks) + old - new, min(len(blanks), 1))
    return f"{before}{number}{comma}{blanks}{rest}"
