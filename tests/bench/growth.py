# SPDX-License-Identifier: MIT
"""How costs grow: those of calls with what there is of slots, objects and blocks, and
those of the generator, the compiler, the linker and the image with how many rows there
are."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from accesses import sizes
from support import BARE_FLAGS, ROOT, ToolFailed, tool

# Calls whose cost nothing of it may reach.
CONSTANT = {
    "alloc, refused", "alloc", "free", "tp_pool_live", "ring: alloc_handle",
    "get", "ring: free_handle", "steal the oldest", "pin", "unpin", "dense: alloc",
    "dense: get", "dense: free of the first", "blocks: alloc", "blocks: free",
    "relocating: alloc at the top", "relocating: lock", "relocating: unlock",
    "relocating: free of the first"}
SHIFT = 7  # Of icount, as NS_PER_INSTRUCTION in tests/CMakeLists.txt.
SHOWN = (100, 1000, 10000, 32767)
ROWS = (1, 10, 100, 500)
# What a row of 500 may cost more than one of 100, in percent: of the generator, the
# compiler and the linker, which all write a line or a symbol a row.
DEARER = 15
FLAGS = ("-mcpu=cortex-m3", "-DTP_CHECKS=1", *BARE_FLAGS)
HEAD = '#include "tp_pools.h"\nvoid *volatile object;\n'
# What a compiler takes for a function grows with the square of what it calls.
ROWS_A_FUNCTION = 100
USE = "  object = p{0:03}_alloc();\n  if (object) p{0:03}_free(object);\n"
COUNT_LINES = Path(__file__).with_name("count_lines.py")


# Calls ------------------------------------------------------------------------

def read(output):
    """call -> {n: instructions}"""
    found = {}
    for name, n, cost in re.findall(r"^growth (.*) n=(\d+) cost=(\d+)$", output, re.M):
        found.setdefault(name, {})[int(n)] = int(cost)
    return found


def law(costs):
    """(a, b) of the line a + b n through the two in the middle."""
    (n, low), (more, high) = sorted(costs.items())[-3:-1]
    each = (high - low) // (more - n)
    return low - each * n, each


def off(costs):
    """The most that one of them is off that line."""
    base, each = law(costs)
    return max(abs(cost - base - each * n) for n, cost in costs.items())


def calls_table(found):
    lines = ["| call | " + " | ".join(f"{n}" for n in SHOWN) + " | law |",
             "|---|" + "--:|" * (len(SHOWN) + 1)]
    for name, costs in found.items():
        base, each = law(costs)
        said = f"{base} + {each} n" if each else f"{base}"
        lines.append(f"| {name} | " + " | ".join(str(costs[n]) for n in SHOWN)
                     + f" | {said} |")
    return "\n".join(lines)


# Rows -------------------------------------------------------------------------

def counted(*words):
    """Instructions that a program and those it starts execute, as valgrind counts."""
    told = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--trace-children=yes",
         "--cachegrind-out-file=/dev/null", *map(str, words)], cwd=ROOT,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True)
    each = [int(text.replace(",", "")) for text
            in re.findall(r"I +refs: +([0-9,]+)", told.stderr)]
    if told.returncode or not each:
        raise ToolFailed(f"valgrind counts nothing of {words[0]}: {told.stderr}")
    return sum(each)


def compiled(source, target, *more):
    words = ("arm-none-eabi-gcc", *FLAGS, *more, "-c", source, "-o", target)
    tool(*words)
    return words


def library(folder):
    """An archive of all of lib."""
    sources = sorted((ROOT / "lib").glob("*/*.c"))
    objects = [folder / f"{source.stem}.o" for source in sources]
    for source, path in zip(sources, objects):
        compiled(source, path)
    tool("arm-none-eabi-ar", "rc", folder / "lib.a", *objects)
    return folder / "lib.a"


def uses(count):
    """The functions that call what so many pools have, the first of them start()."""
    firsts = range(0, count, ROWS_A_FUNCTION)
    for first in reversed(firsts):
        then = first + ROWS_A_FUNCTION
        yield f"void uses{first}(void)\n{{\n" if first else "void start(void)\n{\n"
        yield from (USE.format(i) for i in range(first, min(then, count)))
        yield f"  uses{then}();\n}}\n" if then in firsts else "}\n"


def written(folder, count, option=""):
    """The table of an image of so many pools, and what calls them."""
    (folder / "pools.toml").write_text("tidepool = 1\n\n[pools]\n" + "".join(
        f'p{i:03} = {{ size = 16, count = 8, full = "drop"{option} }}\n'
        for i in range(count)))
    (folder / "main.c").write_text(HEAD + "".join(uses(count)))
    return ("lib/config/tidepool.py", "generate", folder / "pools.toml", "--out",
            folder)


def image(folder, archive):
    """Bytes of text and of RAM of what is written; what compiles its pools, and what
    links it."""
    pools, start, elf = folder / "tp_pools.o", folder / "main.o", folder / "image.elf"
    compiling = compiled(folder / "tp_pools.c", pools)
    compiled(folder / "main.c", start, f"-I{folder}")
    linking = ("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-nostdlib",
               "-Wl,--gc-sections,-e,start", "-o", elf, start, pools, archive)
    tool(*linking)
    return *sizes(elf), compiling, linking


def with_rows(folder, count, archive):
    """What an image of so many pools takes, and what it takes to make it."""
    tool(sys.executable, *written(folder, count, ', code = "own"'))
    own, *_ = image(folder, archive)
    generating = tool(sys.executable, COUNT_LINES, *written(folder, count))
    text, ram, compiling, linking = image(folder, archive)
    return {"text": text, "own": own, "ram": ram,
            "generator": int(generating.split()[-1]), "compiler": counted(*compiling),
            "linker": counted(*linking)}


def rows_table(found):
    said = {"text": "text of an image that calls alloc and free of each",
            "own": "the same, `code = \"own\"`",
            "ram": "RAM of both, 8 slots of 16 bytes a pool"}
    lines = ["| bytes, by how many pools | " + " | ".join(map(str, ROWS)) + " |",
             "|---|" + "--:|" * len(ROWS)]
    lines += [f"| {text} | " + " | ".join(str(found[count][key]) for count in ROWS)
              + " |" for key, text in said.items()]
    return "\n".join(lines)


def dearer(found, key):
    """A row's share of what comes with those from 101 to 500, in percent of that of
    those before."""
    one, _, some, many = ROWS
    early = (found[some][key] - found[one][key]) / (some - one)
    late = (found[many][key] - found[some][key]) / (many - some)
    return round(100 * late / early)


# Both -------------------------------------------------------------------------

def measured(built, emulate):
    """{"calls": call -> {n: instructions}, "rows": how many -> what they take}"""
    by_call = read(emulate(built / "growth.elf", shift=SHIFT))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive = library(folder)
        by_row = {count: with_rows(folder, count, archive) for count in ROWS}
    return {"calls": by_call, "rows": by_row}


def rows(found):
    """As bench.json has them."""
    laws = {name: law(costs) for name, costs in found["calls"].items()}
    return [{"name": f"growth-{name}", "core": "M3", "opt": "-O2", "base": base,
             "each": each} for name, (base, each) in laws.items()] + [
        {"name": f"rows-{count}", "core": "M3", "opt": "-Os", "text_bytes": one["text"],
         "text_bytes_own": one["own"], "ram_bytes": one["ram"]}
        for count, one in found["rows"].items()]


def promises(found):
    """(sentence, measured, most)"""
    for name, costs in found["calls"].items():
        yield f"growth of {name}: instructions off its law", off(costs), 0
        if name in CONSTANT:
            yield f"growth of {name}: for each that there is more", law(costs)[1], 0
    yield "an image of one pool: its text, that of one with code of its own at most", \
        found["rows"][1]["text"], found["rows"][1]["own"]
    for key in ("generator", "compiler", "linker", "text", "own", "ram"):
        yield (f"{key}: a row among 500, in percent of one among 100",
               dearer(found["rows"], key), 100 + DEARER)
