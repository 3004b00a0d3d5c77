# SPDX-License-Identifier: MIT
"""Which lines of the library, outcomes of its branches and conditions of its
decisions the unit suites reach on the host, at any level, as Clang counts them.

A condition is reached, as MC/DC has it, if two runs of its decision differ in it,
not in the others, and in the outcome. What a level decides while it is compiled is
no branch there. What a macro holds counts wherever the macro is used."""

import json
import re
import tomllib
from collections import defaultdict, namedtuple
from pathlib import Path

from conditions import conditions
from support import LEVELS, ROOT, build, tool

FLAGS = "-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc"
# What llvm-cov exports of a region: its place, what was counted, the file it is in,
# of an expansion the file it makes, and the kind.
CODE, EXPANSION, MCDC_BRANCH = 0, 1, 6
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
UNREACHED = ROOT / "tests" / "evidence" / "unreached.toml"
KINDS = ("lines", "branches", "mcdc")
# What is built: full also without its audit, which is first to see all damage.
BUILDS = [(level, "") for level in LEVELS] + [("full", "-DTP_AUDIT=0")]
AREAS = sorted(path.name for path in (ROOT / "tests" / "unit").iterdir()
               if path.name != "time")  # It counts by what GCC adds.


class NotUnderstood(Exception):
    """A sentence: what Clang counts does not look as it did."""


def listed():
    """(file, function, text, what) -> why it cannot be reached."""
    with open(UNREACHED, "rb") as text:
        entries = tomllib.load(text)["unreached"]
    return {(one["file"], one.get("function", ""), one["text"], what): one["why"]
            for one in entries for what in one["what"]}


def key(place):
    """What of a place is in the list: all but its line."""
    file, _, function, text, what = place
    return file, function, text, what


def commented(text):
    """Its lines of nothing but a comment: what has no code in a function that ran has a
    count, of 0, in one that an image does not use."""
    code = COMMENT.sub(lambda hit: "\n" * hit[0].count("\n"), text).splitlines()
    return {number for number, line in enumerate(text.splitlines(), 1)
            if line.strip() and not code[number - 1].strip()}


Source = namedtuple("Source", "lines commented")


class Reached:
    """place -> whether it was reached, of each kind of place. A place is (file,
    line, function, text, what). [functions] has the same of all regions, which are
    what a run goes through as a whole: "file function" -> extent -> whether."""

    def __init__(self):
        self.places = {kind: {} for kind in KINDS}
        self.functions = defaultdict(dict)
        self.sources = {}

    def note(self, kind, place, reached):
        places = self.places[kind]
        places[place] = places.get(place, False) or bool(reached)

    def missed(self, kind):
        return sorted(place for place, reached in self.places[kind].items()
                      if not reached)

    def figures(self, kind, unreachable):
        """How many there are, how many of them are listed, and in percent how
        many of the others are reached."""
        missed = [place for place in self.missed(kind)
                  if key(place) not in unreachable]
        total = len(self.places[kind])
        left_out = len(self.missed(kind)) - len(missed)
        percent = 100 * (1 - len(missed) / (total - left_out))
        return {"total": total, "listed": left_out, "percent": round(percent, 2)}

    def regions(self):
        """"file function" -> how many regions were reached, and there are."""
        return {name: [sum(regions.values()), len(regions)]
                for name, regions in sorted(self.functions.items())}

    def source(self, file):
        if file not in self.sources:
            text = (ROOT / file).read_text()
            self.sources[file] = Source(text.splitlines(True), commented(text))
        return self.sources[file]

    def text(self, file, extent):
        """What stands there, of one line or several."""
        line, column, end_line, end_column = extent
        lines = self.source(file).lines[line - 1:end_line]
        lines[-1] = lines[-1][:end_column - 1]
        lines[0] = lines[0][column - 1:]
        return "".join(lines)


def measure():
    """What all areas of the unit suite reach at all levels."""
    reached = Reached()
    for level, option in BUILDS:
        folder = build_counting(level, option)
        for area in AREAS:
            add(reached, export(folder, area))
    return reached


def build_counting(level, option):
    flags = f"{FLAGS} -Wno-unknown-warning-option {option}".strip()
    return build("host", level, *[f"unit_{area}" for area in AREAS],
                 kind="reached-unaudited" if option else "reached",
                 CMAKE_C_COMPILER="clang-19", TIDEPOOL_ASAN="OFF",
                 CMAKE_C_FLAGS=flags)


def export(folder, area):
    """What llvm-cov says of one image, once it has run."""
    image, counts = folder / f"unit_{area}", folder / f"{area}.profraw"
    merged = counts.with_suffix(".profdata")
    tool("env", f"LLVM_PROFILE_FILE={counts}", image)
    tool("llvm-profdata-19", "merge", counts, "-o", merged)
    return json.loads(tool("llvm-cov-19", "export", image,
                           f"-instr-profile={merged}"))["data"][0]


def add(reached, data):
    for record in data["files"]:
        name = named(record["filename"])
        for line, count in line_counts(record["segments"]).items() if name else ():
            if line in reached.source(name).commented:
                continue
            extent = (max(1, line - 1), 1, line, 1000)
            text = " ".join(reached.text(name, extent).split())
            reached.note("lines", (name, line, "", text, "line"), count)
    for record in data["functions"]:
        if named(record["filenames"][0]):
            function = Function(record, reached)
            function.add_regions()
            function.add_branches()
            function.add_conditions()


def named(path):
    """Its name in the tree; "" if it is not the library's."""
    path = Path(path)
    if ROOT not in path.parents:
        return ""
    name = path.relative_to(ROOT).as_posix()
    return name if name.startswith(("lib/", "port/host/")) else ""


def line_counts(segments):
    """line -> how often it ran: most of what begins in it and of what goes on."""
    counts, going_on, starts = {}, None, defaultdict(list)
    for line, _, count, has_count, is_entry, is_gap in segments:
        starts[line].append((count if has_count else None, is_entry and not is_gap))
    for line in range(min(starts, default=1), max(starts, default=0) + 1):
        begun = [count for count, entry in starts[line]
                 if entry and count is not None]
        begun += [] if going_on is None else [going_on]
        if begun:
            counts[line] = max(begun)
        if starts[line]:
            going_on = starts[line][-1][0]
    return counts


class Function:
    """One function of an export."""

    def __init__(self, record, reached):
        self.record = record
        self.reached = reached
        self.name = record["name"].split(":")[-1]
        self.files = [named(path) for path in record["filenames"]]
        self.uses = {region[6]: region for region in record["regions"]
                     if region[7] == EXPANSION}

    def lifted(self, region, file, target):
        """The extent, in the file [target], of a region or of the use of the macro
        that it is in; None if it is in neither."""
        while file != target and file in self.uses:
            region = self.uses[file]
            file = region[5]
        return tuple(region[:4]) if file == target else None

    def place(self, extent, file, text, what):
        """Where it stands: of a macro, where that is used."""
        line = self.lifted(extent, file, 0)[0]
        while file in self.uses:
            text += " in " + self.text(self.uses[file], self.uses[file][5])
            file = self.uses[file][5]
        return self.files[0], line, self.name, text, what

    def text(self, region, file):
        return " ".join(self.reached.text(self.files[file], region[:4]).split())

    def add_regions(self):
        regions = self.reached.functions[f"{self.files[0]} {self.name}"]
        for region in self.record["regions"]:
            if region[7] == CODE and region[5] == 0:
                extent = tuple(region[:4])
                regions[extent] = regions.get(extent, False) or region[4] > 0

    def add_branches(self):
        """Those of one macro's argument stand at one place: they are numbered."""
        seen = defaultdict(int)
        for branch in self.record["branches"]:
            extent, file = tuple(branch[:4]), branch[6]
            seen[extent, file] += 1
            text = self.text(extent, file) + numbered(seen[extent, file])
            for what, count in zip(("true", "false"), branch[4:6]):
                place = self.place(extent, file, text, what)
                self.reached.note("branches", place, count)

    def add_conditions(self):
        records = defaultdict(list)
        for *region, shown in self.record["mcdc_records"]:
            records[tuple(region[:4])].append(shown)
        for extent, each in records.items():
            files = self.deciding(extent)
            if len(files) != len(each):
                raise NotUnderstood(f"{self.files[0]}:{extent[0]}: {len(each)}"
                                    f" decisions in {len(files)} places")
            for file, shown in zip(files, each):
                self.add_decision(extent, file, shown)

    def deciding(self, extent):
        """The files of this function that have a decision at [extent], in order:
        each use of a macro is one. Its last operand may be such a use."""
        return sorted({region[5] for region in self.record["regions"]
                       if region[7] in (CODE, EXPANSION) and inside(region, extent)
                       and tuple(region[2:4]) == extent[2:]})

    def add_decision(self, extent, file, shown):
        text = self.reached.text(self.files[file], extent)
        leaves = [" ".join(text[begin:end].split()) + f" of {' '.join(text.split())}"
                  for begin, end in conditions(text)]
        left = self.left_to_run(extent, file, text, len(shown))
        if len(leaves) != len(shown):  # The argument of a macro is at one place.
            leaves = [text + numbered(one + 1) for one in range(len(shown))]
        for is_left, is_shown, leaf in zip(left, shown, leaves):
            if is_left:
                place = self.place(extent, file, leaf, "condition")
                self.reached.note("mcdc", place, is_shown)

    def left_to_run(self, extent, file, text, number):
        """Of each condition, whether it was not decided while it was compiled."""
        branches = [self.lifted(branch[:4], branch[6], file)
                    for branch in self.record["branches"]
                    if branch[8] == MCDC_BRANCH]
        branches = [one for one in branches if one and inside(one, extent)]
        if len(branches) == number:
            return [True] * number
        leaves = [(place_in(extent, text, begin), place_in(extent, text, end))
                  for begin, end in conditions(text)]
        if len(leaves) != number:
            raise NotUnderstood(f"{self.files[file]}:{extent[0]}: {number}"
                                f" conditions in {text!r}")
        return [any(begin <= one[:2] < end for one in branches)
                for begin, end in leaves]


def place_in(extent, text, offset):
    """(line, column) of an offset in the text of [extent]."""
    before = text[:offset].split("\n")
    if len(before) == 1:
        return extent[0], extent[1] + offset
    return extent[0] + len(before) - 1, len(before[-1]) + 1


def inside(region, extent):
    return tuple(region[:2]) >= extent[:2] and tuple(region[2:4]) <= extent[2:]


def numbered(number):
    return f" #{number}" if number > 1 else ""
