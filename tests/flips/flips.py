#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Flips each bit that an allocator keeps of its own, and counts what comes of it.

    tests/run flips            all levels and allocators, beside limits.json
    tests/run flips SUBJECT    one allocator
    tests/flips/flips.py --write     rewrites limits.json, and README's table of it

Prints a table and leaves every count, by kind of word, in build/flips.json.
"""

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BUILD, LEVELS, ROOT, ToolFailed, tool  # noqa: E402

HERE = ROOT / "tests" / "flips"
LIMITS = HERE / "limits.json"
PAGE = HERE / "README.md"
MARK = "<!-- flips: written by tests/flips/flips.py --write -->\n"
OUTCOMES = ("outside", "astray", "hang", "named", "late", "verify", "capacity",
            "silent", "figure", "none")
HELD = ("outside", "astray", "hang", "late", "verify", "capacity", "silent")
TOLD = ("outside", "astray", "hang", "named", *HELD[3:])  # Of these the page tells.
SIGNS = ("-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-Ilib",
         "-Iport/host", "-Itests", "-Itests/flips", "-no-pie", "-fno-pie")
# Where subjects are, and what the library of theirs is compiled with: a port of two
# cores makes another one of it.
HOMES = {HERE: (), HERE / "cores": ("-Itests/unit/cores",)}
JUDGED = LEVELS[1:]  # At off nothing is promised.
# They keep pointers in RAM. Where a flipped one leads, how long the code is that
# lies before what it leads to decides, so a few may be sorted otherwise.
POINTERS = ("spilling", "lending", "nest", "stack", "dstack")


def compile_level(level, home):
    """The image of a level, and of the subjects of a folder. All but the counter calls
    it in every basic block."""
    folder = BUILD / "flips"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"flips-{level}" if home == HERE else f"flips-{home.name}-{level}"
    signs = [*SIGNS, f"-DTP_CHECKS={LEVELS.index(level)}", *HOMES[home]]
    counter = folder / f"{name}.o"
    tool("gcc", *signs, "-c", HERE / "flips.c", "-o", counter)
    sources = [path for path in [*sorted((ROOT / "lib").glob("*/*.c")),
                                 *sorted((ROOT / "port" / "host").glob("*.c")),
                                 *sorted({*home.glob("*.c"), HERE / "use.c"})]
               if path != HERE / "flips.c"]
    tool("gcc", *signs, "-fsanitize-coverage=trace-pc", "-o", folder / name, *sources,
         counter)
    return folder / name


def measure(level, subject=""):
    """subject -> kind of word -> outcome -> flips."""
    counts = {}
    for home in HOMES:
        output = tool(compile_level(level, home), *filter(None, [subject]))
        for name, kind, pairs in re.findall(r"^flips (\w+)/(.*?) (outside=.*)$",
                                            output, re.M):
            counts.setdefault(name, {})[kind] = {
                outcome: int(count)
                for outcome, count in re.findall(r"(\w+)=(\d+)", pairs)}
    return counts


def measure_all(subject=""):
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(LEVELS, pool.map(lambda level: measure(level, subject),
                                         LEVELS)))


def sums(kinds):
    """What came of all flips of an allocator."""
    return {outcome: sum(counts[outcome] for counts in kinds.values())
            for outcome in OUTCOMES}


def table(level, subjects):
    rows = {name: sums(kinds) for name, kinds in subjects.items()}
    rows["all"] = sums(rows)
    lines = [f"{level:12}" + "".join(f"{head:>9}" for head in OUTCOMES)]
    lines += [f"{name:12}" + "".join(f"{row[head]:9}" for head in OUTCOMES)
              for name, row in rows.items()]
    return "\n".join(lines)


def held(counts):
    """What limits.json says of them."""
    return {level: {name: {head: sums(kinds)[head] for head in TOLD}
                    for name, kinds in counts[level].items()}
            for level in JUDGED}


def page_table(limits):
    """What README tells of all flips, by level and allocator."""
    lines = ["| level | allocator | " + " | ".join(TOLD) + " |",
             "|---|---" + "|--:" * len(TOLD) + "|"]
    for level, subjects in limits.items():
        lines += [f"| {level} | {name} | "
                  + " | ".join(str(counts[head] or "") for head in TOLD) + " |"
                  for name, counts in subjects.items()]
    return "\n".join(lines) + "\n"


def write_page(limits):
    before, _, after = PAGE.read_text().split(MARK)
    PAGE.write_text(before + MARK + page_table(limits) + MARK + after)


def judge_page(limits):
    """The sentence that holds, or fails, of README's table."""
    sentence = "the page's table is that of limits.json"
    _, table, _ = PAGE.read_text().split(MARK)
    return ([sentence], []) if table == page_table(limits) else ([], [sentence])


def most_of(name, limits):
    """What may come of flips of an allocator."""
    most = limits.get(name, dict.fromkeys(HELD, 0))
    if name not in POINTERS:
        return most
    return {head: count + count // 8 + 8 for head, count in most.items()}


def judge(counts):
    """Sentences that hold, and failures."""
    limits = json.loads(LIMITS.read_text())
    passed, failures = judge_page(limits)
    found_by_level = held(counts)
    for level in JUDGED:
        for name, found in found_by_level[level].items():
            most = most_of(name, limits[level])
            worse = [f"{head}: {found[head]}, at most {most[head]}"
                     for head in HELD if found[head] > most[head]]
            sentence = f"{level}: a flipped bit in {name} harms no more than it did"
            if worse:
                failures.append(sentence + ": " + "; ".join(worse))
            else:
                passed.append(sentence)
    return passed, failures


def run(subject=""):
    """Measures, prints and checks everything."""
    counts = measure_all(subject)
    if not subject:
        (BUILD / "flips.json").write_text(json.dumps(counts, indent=1) + "\n")
    for level, subjects in counts.items():
        print(table(level, subjects) + "\n")
    return judge(counts)


def subjects():
    """Names of all allocators that are flipped."""
    return [name for home in HOMES for name in re.findall(
        r"X\((\w+)\)", (home / "subjects.c").read_text())]


def main(arguments):
    if arguments not in ([], ["--write"]):
        print("usage: tests/flips/flips.py [--write]", file=sys.stderr)
        return 2
    if arguments:
        limits = held(measure_all())
        LIMITS.write_text(json.dumps(limits, indent=1) + "\n")
        write_page(limits)
        return 0
    passed, failures = run()
    for line in failures:
        print("FAIL " + line)
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ToolFailed as trouble:
        print(trouble, file=sys.stderr)
        sys.exit(2)
