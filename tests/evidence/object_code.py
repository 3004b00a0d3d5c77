#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which instructions of the library, as it ships for a Cortex-M3 at -Os, the unit
suites execute on a board, and which way each goes that has a condition.

A conditional branch goes two ways, taken or not; an instruction within an IT block,
too, done or passed by, and is executed if it was done once.

    tests/evidence/object_code.py --write     the list of what is not, counted anew
"""

import functools
import json
import re
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BUILD, ROOT, build, emulator, tool  # noqa: E402

BOARD = "mps2_an385"
CONDITIONS = ("eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt",
              "gt", "le")
BRANCH = re.compile(rf"(?:b({'|'.join(CONDITIONS)})(?:\.[nw])?|cbn?z)$")
LIBRARY = "tests/libtidepool_once.a"
PASSED, DONE = 1, 2
LIST = ROOT / "tests" / "evidence" / "unexecuted.toml"
WATCHED = ("off", "fast")  # Levels.
ALL = "all of it"


class Instruction(NamedTuple):
    member: str  # Of the library's archive.
    section: str
    offset: int
    function: str
    source: tuple  # (file, line)
    text: str
    kind: str  # i: any; b: a conditional branch; c: in an IT block.
    condition: int  # Of one in an IT block.
    ways: tuple  # Of a branch: offsets of what comes next, not taken and taken.


def of_library(folder):
    """(member, section, offset) -> Instruction"""
    return {(one.member, one.section, one.offset): one
            for one in disassembled("-dl", folder / LIBRARY)}


def disassembled(*words):
    found = Listing()
    for line in tool("arm-none-eabi-objdump", *words).splitlines():
        found.read(line)
    return found.instructions


class Listing:
    """What objdump prints, read line by line."""

    def __init__(self):
        self.member = self.section = self.function = ""
        self.source, self.block, self.instructions = ("", 0), [], []

    def read(self, line):
        for pattern, take in self.LINES:
            found = re.match(pattern, line)
            if found:
                take(self, *found.groups())
                return

    def take_member(self, name):
        self.member = name

    def take_section(self, name):
        self.section = name

    def take_function(self, name):
        self.function = name

    def take_source(self, path, line):
        path = Path(path)
        if ROOT in path.parents:
            path = path.relative_to(ROOT)
        self.source = path.as_posix(), int(line)

    def take_instruction(self, offset, code, name, operands):
        if name.startswith(".") or name == "nop":
            return  # Data; and what fills up to it.
        offset, size = int(offset, 16), 2 * len(code.split())
        kind, condition, ways = "i", 0, ()
        if self.block:
            kind, condition = "c", self.block.pop(0)
        elif BRANCH.match(name):
            kind = "b"
            target = re.search(r"(?:^|, )([0-9a-f]+) <", operands)
            ways = offset + size, int(target[1], 16)
        elif re.match(r"it[te]*$", name):
            self.block = [CONDITIONS.index(operands.strip()) ^ (one == "e")
                          for one in "t" + name[2:]]
        self.instructions.append(Instruction(
            self.member, self.section, offset, self.function, self.source,
            f"{name} {operands}".strip(), kind, condition, ways))

    LINES = ((r"(\S+):\s+file format", take_member),
             (r"Disassembly of section (\S+):", take_section),
             (r"[0-9a-f]+ <(.*)>:", take_function),
             (r"(/\S+):(\d+)", take_source),
             (r" *([0-9a-f]+):\t([0-9a-f ]+)\t(\S+)\s*([^@;]*)", take_instruction))


def placed(image, instructions):
    """Where the image has each that it links: address -> its key."""
    linked = image.with_suffix(".map").read_text().split("Linker script and")[1]
    at = {}
    for section, address, size, member in re.findall(
            r"^ (\.text\S*)\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) \S*" + re.escape(LIBRARY)
            + r"\((\S+)\)$", linked, re.M):
        begin = int(address, 16)
        at.update({begin + offset: (member, section, offset)
                   for offset in range(0, int(size, 16), 2)
                   if (member, section, offset) in instructions})
    return at


def run(watching, image, instructions):
    """key -> (ways that a condition had, keys of what came next), of what ran."""
    at = placed(image, instructions)
    places = {address: instructions[key] for address, key in at.items()}
    return {at[address]: (ways, [at[one] for one in after])
            for address, ways, after in watched(watching, image, places)}


def watched(watching, image, places):
    """(address, ways, addresses of what came next) of each place that ran."""
    with tempfile.TemporaryDirectory() as folder:
        given, seen = Path(folder) / "places", Path(folder) / "seen"
        given.write_text("".join(f"{address:x} {one.kind} {one.condition}\n"
                                 for address, one in places.items()))
        tool(*emulator(BOARD, image, "-singlestep", "-plugin",
                       f"{watching},places={given},seen={seen}",
                       arguments=("only=-million",)))
        for row in seen.read_text().splitlines():
            address, ways, *after = row.split()
            yield int(address, 16), int(ways), [int(one, 16) for one in after]


def plugin():
    library = BUILD / "executed.so"
    tool("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o",
         library, ROOT / "tests/evidence/executed.c")
    return library


class Executed:
    """What the images of one level execute of the library."""

    def __init__(self, level):
        folder = build(BOARD, level, "unit", "ways", kind="small",
                       TIDEPOOL_OPTIMISE="-Os")
        self.folder, self.instructions = folder, of_library(folder)
        images = [*sorted(folder.glob("unit_*.elf")), folder / "ways.elf"]
        watching = plugin()
        with ThreadPoolExecutor(2) as pool:
            self.by_image = dict(zip([image.stem for image in images], pool.map(
                lambda image: run(watching, image, self.instructions), images)))

    def union(self, but=""):
        """key -> (ways, what came next), of all images but one."""
        ways, after = defaultdict(int), defaultdict(set)
        for image, seen in self.by_image.items():
            for key, (had, following) in seen.items() if image != but else ():
                ways[key] |= had
                after[key].update(following)
        return {key: (ways[key], after[key]) for key in after}

    def missed(self, but=""):
        """[(instruction, what)]: not executed, or a way that it never goes."""
        seen = self.union(but)
        return [(one, what) for key, one in self.instructions.items()
                for what in lacking(one, seen.get(key))]

    def figures(self):
        missed = self.missed()
        branches = [one for one in self.instructions.values() if one.kind != "i"]
        one_way = {one for one, what in missed if what != "executed"}
        return {"instructions": len(self.instructions),
                "executed": len(self.instructions) - sum(
                    what == "executed" for _, what in missed),
                "branches": len(branches), "both_ways": len(branches) - len(one_way)}


def lacking(one, seen):
    """What is lacking of an instruction."""
    ways, after = seen or (0, ())
    offsets = {key[2] for key in after if key[:2] == (one.member, one.section)}
    if one.kind == "c":
        gone = bool(ways & PASSED), bool(ways & DONE)
    elif one.kind == "b":
        gone = tuple(offset in offsets for offset in one.ways)
    else:
        gone = ()
    if seen is None or one.kind == "c" and not ways & DONE:
        yield "executed"
    yield from (what for what, was in zip(("not taken", "taken"), gone) if not was)


def grouped(executed):
    """(file, text of the line) -> level -> function -> how much is lacking. Of a
    function that no image calls the text is ALL."""
    groups = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for level, one in executed.items():
        missed = one.missed()
        all_of = Counter(place.function for place in one.instructions.values())
        never = Counter(place.function for place, what in missed if what == "executed")
        for place, _ in missed:
            of = (place.member, ALL) if never[place.function] == all_of[
                place.function] else (place.source[0], line(*place.source))
            groups[of][level][place.function] += 1
    return {of: {level: dict(sorted(functions.items()))
                 for level, functions in levels.items()}
            for of, levels in sorted(groups.items())}


@functools.lru_cache(None)
def lines(file):
    return (ROOT / file).read_text().split("\n")


def line(file, number):
    return " ".join(lines(file)[number - 1].split())


def listed():
    """(file, text) -> (why, level -> function -> how much)"""
    with open(LIST, "rb") as text:
        entries = tomllib.load(text).get("unexecuted", ())
    return {(one["file"], one["text"]): (
        one["why"], {level: one[level] for level in WATCHED if level in one})
        for one in entries}


def not_tried(entries, level):
    """How much of what is listed a test could reach."""
    return sum(sum(levels.get(level, {}).values()) for why, levels in entries.values()
               if "not tried" in why.lower())


def write():
    """The list as it is now. A reason stays with its line."""
    groups, known = grouped({level: Executed(level) for level in WATCHED}), listed()
    head = LIST.read_text().split("[[unexecuted]]")[0].rstrip()
    LIST.write_text("\n\n".join([head, *(
        entry(of, levels, known.get(of, ("",))[0])
        for of, levels in groups.items())]) + "\n")


def entry(of, levels, why):
    file, text = map(json.dumps, of)
    rows = ["[[unexecuted]]", f"file = {file}", f"text = {text}"]
    for level, functions in levels.items():
        rows.append(f"{level} = {{ " + ", ".join(
            f"{json.dumps(name) if '.' in name else name} = {count}"
            for name, count in functions.items()) + " }")
    return "\n".join([*rows, f"why = {json.dumps(why)}"])


def main(arguments):
    if arguments != ["--write"]:
        print("usage: object_code.py --write", file=sys.stderr)
        return 2
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
