#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts the instructions of every row, compares them with what is promised.

    tests/run bench            measures, prints the table, checks lib/COSTS.md
    tests/bench/bench.py --write      measures and rewrites the block of lib/COSTS.md

Counts are of instructions executed, in QEMU, from a call's first to its
return: exact, repeatable, and not cycles.
"""

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import accesses  # noqa: E402
import calls  # noqa: E402
import frames  # noqa: E402
import growth  # noqa: E402
import kept  # noqa: E402
import masked  # noqa: E402
import model  # noqa: E402
import options  # noqa: E402
import support  # noqa: E402
from support import BUILD, LEVELS, ROOT, ToolFailed, tool  # noqa: E402
from support import symbol_sizes  # noqa: E402

# Name of the core, the board it runs on, and the core to compile for if that
# is not the board's own.
CORES = {
    "M3": ("mps2_an385", ""),
    "M0": ("mps2_an385", "cortex-m0"),
    "M4F": ("mps2_an386", ""),
    "M7": ("mps2_an500", ""),
    "M33": ("mps2_an505", ""),
    "M55": ("mps3_an547", ""),
}
HEAPS = ("newlib", "newlib-nano", "picolibc")
CAPACITY = 1024
PAGE = ROOT / "lib" / "COSTS.md"
MARK = "<!-- bench: written by tests/bench/bench.py --write -->"


class BenchFailed(Exception):
    """Why there are no figures."""


def build(core, level, *targets):
    board, cpu = CORES[core]
    own = {"kind": f"bench-{core}", "TIDEPOOL_CORE": cpu} if cpu else {}
    return support.build(board, level, *targets, **own)


def emulate(core, elf, *more, arguments=(), shift=10):
    """[shift]: two to its power are the nanoseconds of an instruction."""
    words = support.emulator(CORES[core][0], elf, *more, arguments=arguments,
                             icount=f"shift={shift},align=off,sleep=off")
    return tool(*words)


def read_rows(output):
    """(name, capacity) -> everything the image said of it."""
    rows = {}
    for line in re.findall(r"^row (.*)", output, re.M):
        name, *pairs = line.split()
        values = {key: int(value) for key, value in
                  (pair.split("=") for pair in pairs)}
        rows.setdefault((name, values.pop("capacity")), {}).update(values)
    return rows


# Masked windows ---------------------------------------------------------------

def masking(elf):
    """Addresses of the instructions that mask and unmask."""
    listing = tool("arm-none-eabi-objdump", "-d", elf)
    found = {"cpsid\ti": set(), "msr\tPRIMASK": set()}
    for address, text in re.findall(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(.*)",
                                    listing, re.M):
        for what, addresses in found.items():
            if text.startswith(what):
                addresses.add(int(address, 16))
    return found["cpsid\ti"], found["msr\tPRIMASK"]


def longest_window(core, level):
    """Most instructions between one that masks and the one that unmasks."""
    elf = build(core, level, "windows") / "windows.elf"
    masks, unmasks = masking(elf)
    with tempfile.NamedTemporaryFile("r") as log:
        emulate(core, elf, "-singlestep", "-d", "exec,nochain", "-D", log.name)
        trace = re.findall(r"\[[0-9a-f]+/([0-9a-f]+)/", log.read())
    longest = length = 0
    masked = False
    for text in trace:
        address = int(text, 16)
        length += masked
        if address in unmasks:
            longest = max(longest, length)
            masked = False
        elif address in masks and not masked:
            masked, length = True, 0
    return longest


# Sizes ------------------------------------------------------------------------

def text_bytes(cpu, level):
    """The core that all pools share: alloc, free and the gate in them."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pool.o"
        tool("arm-none-eabi-gcc", f"-mcpu={cpu}", "-mthumb", "-std=c11",
             "-ffreestanding", "-Os", f"-DTP_CHECKS={LEVELS.index(level)}",
             "-Ilib", "-Iport/cortex_m", "-c", "lib/core/tp_core.c", "-o", out)
        sizes = symbol_sizes(out)
        return sizes["tp_pool_alloc"] + sizes["tp_pool_free"]


def ram_per_slot(folder, pool):
    """Bytes a slot costs beside its own, the pool's fixed part apart."""
    sizes = symbol_sizes(folder / "bench.elf")
    ages = sizes.get(f"{pool}_age", 0)
    return (sizes[f"{pool}_tag"] + ages) // CAPACITY


def dropping_rows():
    """All that an image with one dropping pool has of the library."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for core in ("M3", "M0"):
            for level in LEVELS:
                elf = support.dropping_image(
                    folder, f"cortex-{core.lower()}", level)
                sections = tool("arm-none-eabi-size", "-A", elf)
                found = re.findall(r"^\.(?:text|rodata)\s+(\d+)", sections,
                                   re.M)
                rows.append({"name": f"tidepool-{level}-drop-image",
                             "core": core, "opt": "-Os",
                             "text_bytes": sum(map(int, found))})
    return rows


def quickstart_row():
    """The whole firmware of tests/consumers/quickstart, as its user builds it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "firmware"
        shutil.copytree(ROOT / "tests" / "consumers" / "quickstart", folder)
        (folder / "tidepool").symlink_to(ROOT)
        tool("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja")
        tool("cmake", "--build", folder / "build")
        sections = tool("arm-none-eabi-size", "-A", folder / "build/firmware.elf")
    return {"name": "quickstart", "core": "M3", "opt": "-O2",
            "text_bytes": int(re.search(r"^\.text\s+(\d+)", sections, re.M)[1])}


def dropping_table(rows):
    at = {(entry["name"], entry["core"]): entry for entry in rows}
    lines = ["| bytes of flash | " + " | ".join(LEVELS) + " |",
             "|---" * (len(LEVELS) + 1) + "|"]
    for core in ("M3", "M0"):
        sizes = [str(at[f"tidepool-{level}-drop-image", core]["text_bytes"])
                 for level in LEVELS]
        lines.append(f"| {core} | " + " | ".join(sizes) + " |")
    return "\n".join(lines)


# The eight faults -------------------------------------------------------------

NAMED = {"off": 0, "fast": 5, "poison": 6, "full": 8}


def faults():
    """level -> {fault: what it was called, or "-"}"""
    found = {}
    for level in LEVELS:
        elf = build("M3", level, "faults") / "faults.elf"
        output = emulate("M3", elf)
        found[level] = dict(re.findall(r"^fault (.*): (.*)$", output, re.M))
    return found


def fault_table(found):
    lines = ["| fault | " + " | ".join(LEVELS) + " |", "|---|---|---|---|---|"]
    for name in found["off"]:
        lines.append(f"| {name} | "
                     + " | ".join(found[level][name] for level in LEVELS)
                     + " |")
    counts = [named(found[level]) for level in LEVELS]
    lines.append("| named, of 8 | " + " | ".join(map(str, counts)) + " |")
    return "\n".join(lines)


def named(kinds):
    return sum(kind != "-" for kind in kinds.values())


# Any size ---------------------------------------------------------------------

def pairs(line):
    return {key: int(value) for key, value in re.findall(r"(\w+)=(\d+)", line)}


def sizes():
    """What size classes and the relocating pool cost, M3, fast."""
    elf = build("M3", "fast", "sizes") / "sizes.elf"
    output = emulate("M3", elf)
    rows = read_rows(output)
    steady(rows)
    return {"blocks": rows["blocks", CAPACITY],
            "reloc": pairs(re.search("^reloc .*", output, re.M)[0]),
            "steps": [pairs(line) for line in
                      re.findall("^step .*", output, re.M)]}


def frame_costs():
    return frames.read(emulate("M3", build("M3", "fast", "frames") / "frames.elf"))


def sizes_table(found):
    blocks, reloc = found["blocks"], found["reloc"]
    lines = ["| call | instructions |", "|---|--:|",
             "| blocks by hand, 32 bytes, the third of six classes: alloc + free |"
             f" {blocks['alloc'] + blocks['free']} |",
             "| relocating: alloc at the top, lock, unlock, free |"
             f" {reloc['alloc']}, {reloc['lock']}, {reloc['unlock']},"
             f" {reloc['free']} |"]
    lines += [f"| relocating: step of {step['moves']} moves and"
              f" {step['bytes']} bytes, worst | {step['few']} |"
              for step in found["steps"]]
    return "\n".join(lines)


def size_promises(found):
    """(sentence, measured, most): a step costs what it moves, not what is."""
    for step in found["steps"]:
        name = f"step of {step['moves']} moves and {step['bytes']} bytes"
        yield (f"{name}: worst among 512 blocks, that among 64",
               step["many"], step["few"])
        yield (f"{name}: worst of random histories, that of the checkerboard",
               step["history"], step["few"])


# Rows -------------------------------------------------------------------------

def row(name, core, values, **more):
    """A row of bench.json; what was not measured is null."""
    churn = values["churn_alloc_sum"] + values["churn_free_sum"]
    filled = dict(
        name=name, core=core, opt="-O2", alloc=values["alloc"],
        free=values["free"], pair=values["alloc"] + values["free"],
        churn_mean=round(churn / values["churn_steps"], 3),
        churn_alloc_max=values["churn_alloc_max"],
        churn_free_max=values["churn_free_max"], capacity=CAPACITY,
        full=values.get("full"),
        steal=None, init=None, first=values["first"], text_bytes=None,
        ram_per_slot=None, ram_per_slot_aged=None, locked_max=None)
    filled.update(more)
    return filled


def steady(rows):
    """At every capacity each of our calls costs the same, churn or no churn."""
    for (name, capacity), values in rows.items():
        for call in ("alloc", "free"):
            if call in values and (values[f"churn_{call}_max"] != values[call]
                                   or values[f"churn_{call}_sum"] !=
                                   values[call] * values["churn_steps"]):
                raise BenchFailed(f"{name}, capacity {capacity}: {call} does"
                                  f" not always cost the same: {values}")


def our_rows(core, level):
    folder = build(core, level, "bench")
    rows = read_rows(emulate(core, folder / "bench.elf"))
    steady(rows)
    cpu = "cortex-m0" if core == "M0" else "cortex-m3"
    window = longest_window(core, level)
    ram = dict(ram_per_slot=ram_per_slot(folder, "own1024"),
               ram_per_slot_aged=ram_per_slot(folder, "thief"))
    found = []
    for pool, thief, suffix in (("bare", "", ""), ("own", "own-thief", ""),
                                ("shared", "shared-thief", "-shared")):
        if pool == "bare" and level != "off":
            continue
        locked = "-locked" if level == "off" and pool != "bare" else ""
        more = dict(ram, init=0, locked_max=0 if pool == "bare" else window)
        if thief:
            more["pair_by_capacity"] = {
                str(capacity): values["alloc"] + values["free"]
                for (name, capacity), values in rows.items() if name == pool}
            more["steal"] = rows[thief, CAPACITY]["steal"]
        if pool == "shared":
            more["text_bytes"] = text_bytes(cpu, level)
        found.append(row(f"tidepool-{level}{locked}{suffix}", core,
                         rows[pool, CAPACITY], **more))
    return found


def others(core):
    folder = build(core, "off", "bench_floor", *[f"bench_{h}" for h in HEAPS])
    rows = {}
    for image in ["floor", *HEAPS]:
        rows.update(read_rows(emulate(core, folder / f"bench_{image}.elf")))
    return [row(name, core, values) for (name, _), values in rows.items()]


# Rows of the table whose pair is among the calls too: it, and a user of it.
IN_CALLS = {"tidepool-fast": ("own: alloc", "own: free", "in use: own alloc, free"),
            "tidepool-fast-shared": ("alloc", "free", "in use: alloc, free")}


def join_calls(rows, by_call):
    """What is known of calls, in rows of their own and in those of their pairs."""
    for entry in rows:
        if entry["core"] != "M3" or entry["name"] not in IN_CALLS:
            continue
        alloc, free, use = (by_call[name] for name in IN_CALLS[entry["name"]])
        entry.update({key: alloc[key] + free[key]
                      for key in ("cycles_lo", "cycles_hi")}, in_use=use["cost"])
    rows += [{"name": f"call-{name}", "core": "M3", "opt": "-O2", **one}
             for name, one in by_call.items()]


def measure(told):
    rows = []
    for core in CORES:
        if core in ("M3", "M0"):
            rows += others(core)
        for level in LEVELS if core in ("M3", "M0") else ("off", "fast"):
            rows += our_rows(core, level)
    rows += [*dropping_rows(), quickstart_row()]
    rows += [{"name": f"frame-{name}-1-in-{share}", "core": "M3", "opt": "-O2",
              "each": cost} for (name, share), cost in told.each.items()]
    join_calls(rows, told.by_call)
    rows += accesses.rows(told.by_access) + kept.rows(told.by_note)
    rows += options.rows(told.by_option) + growth.rows(told.by_count)
    for at, core in enumerate(masked.BOARDS):
        entry, = [row for row in rows if (row["name"], row["core"])
                  == ("tidepool-fast", core)]
        entry["masked_by_call"] = {call: most[at] for call, most
                                   in told.windows.items()}
    BUILD.mkdir(exist_ok=True)
    (BUILD / "bench.json").write_text(json.dumps(rows, indent=1) + "\n")
    return rows


# What is promised -------------------------------------------------------------

def promises(rows):
    """(sentence, measured, most) for every figure we hold ourselves to."""
    at = {(r["name"], r["core"]): r for r in rows}

    def of(name, key, core="M3"):
        return at[name, core][key]

    yield "off: alloc + free", of("tidepool-off", "pair"), 11
    yield "off, locked: alloc + free", of("tidepool-off-locked", "pair"), 17
    # 40, and 3 that look whether the list word was written over.
    yield "fast: alloc + free", of("tidepool-fast", "pair"), 43
    yield "fast, shared: alloc + free", of("tidepool-fast-shared", "pair"), 48
    yield ("fast, shared: alloc + free on M0",
           of("tidepool-fast-shared", "pair", "M0"), 66)
    yield ("off, shared: alloc + free",
           of("tidepool-off-locked-shared", "pair"), 36)
    yield "poison: alloc + free", of("tidepool-poison", "pair"), 90
    yield "full: alloc + free", of("tidepool-full", "pair"), 110
    yield ("poison, shared: alloc + free",
           of("tidepool-poison-shared", "pair"), 125)
    yield ("full, shared: alloc + free",
           of("tidepool-full-shared", "pair"), 200)
    yield ("off, locked: alloc on a full dropping pool",
           of("tidepool-off-locked", "full"), 9)
    yield ("fast: steal the oldest, request to new object",
           of("tidepool-fast", "steal"), 70)
    yield "fast: init of a pool of 1024", of("tidepool-fast", "init"), 0
    yield "off: RAM per slot", of("tidepool-off", "ram_per_slot"), 0
    yield "fast: RAM per slot", of("tidepool-fast", "ram_per_slot"), 4
    yield ("fast: RAM per slot, steal-oldest",
           of("tidepool-fast", "ram_per_slot_aged"), 8)
    # 24, and 2 that a theft looks with whether its links lead out of the ring.
    yield ("fast: longest masked window", of("tidepool-fast", "locked_max"),
           26)
    yield ("fast: longest masked window on M0",
           of("tidepool-fast", "locked_max", "M0"), 40)
    yield ("fast, shared: text at -Os on M3",
           of("tidepool-fast-shared", "text_bytes"), 270)
    yield ("fast, shared: text at -Os on M0",
           of("tidepool-fast-shared", "text_bytes", "M0"), 360)
    # The goals are 740 and 1000.
    for core, most in {"M3": 884, "M0": 896}.items():
        fast = of("tidepool-fast-drop-image", "text_bytes", core)
        yield f"fast: an image of one dropping pool on {core}", fast, most
        yield (f"off: the same on {core}",
               of("tidepool-off-drop-image", "text_bytes", core), fast - 1)
    yield "quickstart: bytes of text", of("quickstart", "text_bytes"), 2048
    for name in ("tidepool-fast", "tidepool-fast-shared", "tidepool-poison",
                 "tidepool-full"):
        worst = of(name, "churn_alloc_max") + of(name, "churn_free_max")
        yield (f"{name}: worst of 100 000 steps over the mean, times 1000",
               round(1000 * worst / of(name, "churn_mean")), 1000)


# What people read -------------------------------------------------------------

COLUMNS = (("alloc", "alloc"), ("free", "free"), ("pair", "pair"),
           ("full", "full"), ("steal", "steal"), ("locked_max", "masked"),
           ("ram_per_slot", "RAM/slot"), ("text_bytes", "text"))


def cell(value):
    return "" if value is None else str(value)


def worst(entry):
    pair = entry["churn_alloc_max"] + entry["churn_free_max"]
    return f"{pair / entry['churn_mean']:.2f}"


def table(rows):
    """The rows of one core as Markdown, aligned to be read as it is."""
    heads = ["row"] + [head for _, head in COLUMNS] + ["worst/mean"]
    lines = [heads] + [[entry["name"]] + [cell(entry[key]) for key, _ in
                                          COLUMNS] + [worst(entry)]
                       for entry in rows]
    widths = [max(map(len, column)) for column in zip(*lines)]
    lines.insert(1, ["-" * widths[0]] + ["-" * (w - 1) + ":" for w in
                                         widths[1:]])
    return "\n".join("| " + " | ".join(
        text.ljust(width) if i == 0 else text.rjust(width)
        for i, (text, width) in enumerate(zip(line, widths))) + " |"
        for line in lines)


def pairs_by_core(rows):
    names = ("tidepool-off", "tidepool-off-locked", "tidepool-fast",
             "tidepool-fast-shared")
    at = {(entry["name"], entry["core"]): entry for entry in rows}
    lines = ["| alloc + free | " + " | ".join(CORES) + " |",
             "|---|" + "--:|" * len(CORES)]
    for name in names:
        counts = [str(at[name, core]["pair"]) for core in CORES]
        lines.append(f"| {name} | " + " | ".join(counts) + " |")
    windows = [str(at["tidepool-fast", core]["locked_max"]) for core in CORES]
    lines.append("| longest masked window, fast | " + " | ".join(windows)
                 + " |")
    return "\n".join(lines)


def block(told):
    """What lib/COSTS.md shows."""
    m3 = [entry for entry in told.rows if entry["core"] == "M3"
          and "alloc" in entry]
    version = tool("arm-none-eabi-gcc", "-dumpversion").strip()
    quickstart, = [entry["text_bytes"] for entry in told.rows
                   if entry["name"] == "quickstart"]
    return f"""{MARK}
Instructions executed in the callee, first to return; Cortex-M3, 32-byte
objects, capacity {CAPACITY}, -O2, no LTO, GCC {version}. QEMU counts instructions,
not cycles. *full*: a refused request. *steal*: from the request
on a full pool to the new object. *masked*: longest window with interrupts off
in these. *text*: bytes at -Os of the code all pools share.

{table(m3)}

Six cores (M0: its code on the M3 board):

{pairs_by_core(told.rows)}

The longest window with interrupts off in each call that masks them, at fast, on
whatever way through it, as traced by `tests/run sweep`; `NAME_` are calls of pools
with code of their own. What stands behind other calls masks where these do, or not
at all; only the audit, at full, masks for all of a pool. The longest ways are rare:
in `alloc` a slot whose generation starts again, or the theft of the least noticed.

{masked.table(told.windows)}

An image with one dropping pool of 64, at -Os, whatever brings it in:
descriptor, calls, faults; no start-up code, no C library.

{dropping_table(told.rows)}

The whole firmware of [tests/consumers/quickstart](../tests/consumers/quickstart),
vectors, start-up, two pools and what they find wrong, at -O2 and fast: {quickstart}
bytes of text, M3.

What each level names, with pool, slot and byte, when it is done to it:

{fault_table(told.faults)}

Requests of any size, M3, fast. The worst step is the same among 64 blocks and
among 512:

{sizes_table(told.by_size)}

A frame of all objects, M3, fast: instructions for each that lives, by how many of 1024
slots do. Its step moves an object of 32 bytes and counts its frames, 9 of them.

{frames.table(told.each)}

Every call, M3, fast, pools of 64: instructions, and the cycles that Arm's table of the
Cortex-M3 gives for those executed at -O2, with no wait states, from the fewest to the
most: it leaves open how loads overlap, and that a branch refills the pipeline in 1 to 3
cycles. *In use* is a function of a user's, arguments and checks included.
{model.sentence(told.by_call)}

{calls.table(told.by_call)}

How calls grow, M3, fast, objects of 8 bytes: instructions with n slots, all of them
live but for the one that a call needs. The law holds for all columns, and for 4 slots,
exactly; without n in it the call is O(1). To steal the least noticed takes the fewest
where the oldest is it, and the most where everybody is less than who is older.

{growth.calls_table(told.by_count["calls"])}

How an image grows with rows that say `full = "drop"`, M3, fast, -Os: one pool has less
text with shared code already. What the generator, the compiler and the linker execute
for a row among 500 is at most {growth.DEARER} % more than for one among 100.

{growth.rows_table(told.by_count["rows"])}

A build of the [sanitizer](SANITIZER.md), M3, fast: what each load or store of the
application's calls, beside itself. *The first* follows accesses to another allocator.

{accesses.table(told.by_access)}

A build that keeps its last events, `TIDEPOOL_EVENTS`, M3, fast: calls that note one,
or, in a theft, two. No other call takes an instruction more.

{kept.table(told.by_note)}

What else is there for who asks for it, M3, fast, -O2: instructions more of an alloc and
a free together, notes, steps and exceptions included; bytes of what it brings.

{options.table(told.by_option)}
{MARK}"""


def page_block():
    text = PAGE.read_text()
    parts = text.split(MARK)
    return MARK + parts[1] + MARK if len(parts) == 3 else ""


def write_page(new):
    PAGE.write_text(PAGE.read_text().replace(page_block(), new))


def drift(text):
    """The lines the page has, and the ones it should have."""
    old, new = page_block().split("\n"), text.split("\n")
    if old == new:
        return ""
    return "\n".join([f"  page     {line}" for line in old if line not in new]
                     + [f"  measured {line}" for line in new
                        if line not in old])


def window_promises(windows):
    """The goals are 28 and 40; see lib/COSTS.md for who is above."""
    for at, (core, most) in enumerate({"M3": 30, "M0": 49}.items()):
        call = max(windows, key=lambda name: windows[name][at])
        yield (f"fast: longest masked window of all calls on {core}, in {call}",
               windows[call][at], most)


def check(told, unswept, text):
    """Sentences that hold, and failures."""
    passed, failures = [], []

    def note(holds, sentence):
        (passed if holds else failures).append(sentence)

    for sentence, measured, most in [*promises(told.rows),
                                     *size_promises(told.by_size),
                                     *window_promises(told.windows),
                                     *frames.promises(told.each),
                                     *calls.promises(told.by_call),
                                     *growth.promises(told.by_count),
                                     *accesses.promises(told.by_access),
                                     *kept.promises(told.by_note),
                                     *options.promises(told.by_option)]:
        note(measured <= most, f"{sentence}: {measured}, at most {most}")
    for level in LEVELS:
        count = named(told.faults[level])
        note(count == NAMED[level] and len(told.faults[level]) == 8,
             f"{level}: {count} of the eight faults named, {NAMED[level]}"
             " expected")
    note(not unswept, "the sweep goes through every function that masks interrupts"
         + ", but not " * bool(unswept) + ", ".join(sorted(unswept)))
    changed = drift(text)
    note(not changed, "lib/COSTS.md shows the last bench"
         + (":\n" + changed if changed else ""))
    return passed, failures


def on_m3(elf, *more, **settings):
    return emulate("M3", elf, *more, **settings)


def run(write=False):
    """Measures, prints and checks everything."""
    windows, unswept = masked.measured()
    told = SimpleNamespace(
        windows=windows, each=frame_costs(), by_call=calls.measured(on_m3),
        by_count=growth.measured(build("M3", "fast", "growth"), on_m3),
        by_access=accesses.measured(on_m3), by_note=kept.measured(on_m3),
        by_option=options.measured(), faults=faults(), by_size=sizes())
    told.rows = measure(told)
    text = block(told)
    if write:
        write_page(text)
    print(text.replace(MARK, "").strip())
    return check(told, unswept, text)


def main(arguments):
    if arguments not in ([], ["--write"]):
        print("usage: tests/bench/bench.py [--write]", file=sys.stderr)
        return 2
    passed, failures = run(write=bool(arguments))
    for line in passed:
        print("ok " + line)
    for line in failures:
        print("FAIL " + line)
    return 1 if failures else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (BenchFailed, ToolFailed) as trouble:
        print(trouble, file=sys.stderr)
        sys.exit(2)
