# SPDX-License-Identifier: MIT
"""What every call costs: instructions at -O2 and -Os, and the cycles that Arm's table
gives for the instructions executed.

The table is that of the Cortex-M3 Technical Reference Manual, 3.3, with no wait
states. It leaves two things open: whether a load or store is pipelined with its
neighbour, and how many cycles a branch takes to refill the pipeline, 1 to 3. The
fewest cycles have every load pipelined and a refill of 1, the most none and 3.
"""

import re
import tempfile

import model
import support
from support import tool

# By what its name matches, in this order: the fewest cycles of an instruction, and the
# most. N is how many registers its list has; a branch that is taken adds the refill.
TIMES = [
    (r"ldrd|strd", "3", "3"),
    (r"ldm|stm|push|pop|vpush|vpop", "1+N", "1+N"),
    (r"ldrex|strex", "2", "2"),
    (r"ldr|str", "1", "2"),
    (r"[us]mull", "3", "5"),
    (r"[us]mlal", "4", "7"),
    (r"mla|mls", "2", "2"),
    (r"[us]div", "2", "12"),
    (r"tb[bh]", "2", "2"),
    (r"mrs|msr|cps", "1", "2"),
    (r"dmb|dsb|isb", "1", "4"),
    (r"it[te]*$", "0", "1"),
    (r"", "1", "1"),
]
REFILL = (1, 3)
# The most of what is promised, in instructions; and the goals that are not reached.
MOST = [
    (("alloc_handle", "free_handle"), 59),  # 58
    (("get",), 18),  # 13
    (("get, stale",), 15),
    (("own: alloc_handle", "own: free_handle"), 52),
    (("64 bits: alloc_handle", "64 bits: free_handle"), 66),
    (("exclusive: alloc", "exclusive: free"), 53),  # 40
    (("two cores: alloc", "two cores: free"), 82),
    (("magazine: alloc", "magazine: free"), 75),  # Less, without the lock of both.
    (("hardened: alloc", "hardened: free"), 43 + 15),  # Of one that is not: 43.
    (("first issue of a slot",), 54),
    (("steal the oldest",), 81),  # 36
    (("steal the oldest, with handle",), 116),  # 50
    (("steal the oldest, and tell",), 109),
    (("steal the least of 32",), 1073),  # 300
    (("stack: alloc",), 27),
    (("stack: alloc that raises the peak",), 33),  # 27
    (("frame: alloc",), 30),  # 27
    (("blocks: alloc of 256", "blocks: free of 256"), 89),
]


# Of one core, and of what two cores share.
IMAGES = ("calls", "two_cores")


def image(name, optimise):
    kind = "" if optimise == "-O2" else "bench-small"
    folder = support.build("mps2_an385", "fast", name, kind=kind,
                           TIDEPOOL_OPTIMISE=optimise)
    return folder / f"{name}.elf"


def read(output):
    """call -> instructions, in the order in which they were made"""
    return {name: int(cost) for name, cost in
            re.findall(r"^call (.*) cost=(\d+)$", output, re.M)}


class Code:
    """What an image executes, by address."""

    def __init__(self, elf):
        listing = tool("arm-none-eabi-objdump", "-d", elf)
        self.at = {}
        for address, code, name, rest in re.findall(
                r"^ *([0-9a-f]+):\t([0-9a-f ]+?) *\t(\S+)(.*)", listing, re.M):
            size = len(code.replace(" ", "")) // 2
            self.at[int(address, 16)] = (name.split(".")[0], rest, size)
        measure = re.search(r"^[0-9a-f]+ <measure>:\n((?:.+\n)*)", listing, re.M)[1]
        self.call = int(re.search(r"^ *([0-9a-f]+):.*\tblx\t", measure, re.M)[1], 16)

    def cycles(self, address, after):
        """(fewest, most) of the instruction there, followed by that at [after]."""
        name, rest, size = self.at[address]
        _, low, high = next(row for row in TIMES if re.match(row[0], name))
        count = registers(rest)
        times = [int(text.replace("1+N", str(1 + count))) for text in (low, high)]
        if after == address + size:
            return tuple(times)
        return tuple(time + refill for time, refill in zip(times, REFILL))


def registers(rest):
    """How many a list in braces names."""
    listed = re.search(r"\{(.*?)\}", rest)
    return len(listed[1].split(",")) if listed else 0


def segments(code, trace):
    """The addresses executed in each measured call."""
    inside = None
    for address in trace:
        if address == code.call + 2 and inside is not None:
            yield inside
            inside = None
        if inside is not None:
            inside.append(address)
        if address == code.call:
            inside = []


def cycles(elf, emulate):
    """{"cycles_lo", "cycles_hi"} and what model.py says of each call, in the order in
    which they were made"""
    code = Code(elf)
    with tempfile.NamedTemporaryFile("r") as log:
        emulate(elf, "-singlestep", "-d", "exec,nochain", "-D", log.name)
        found = re.findall(r"\[[0-9a-f]+/([0-9a-f]+)/", log.read())
    calls = list(segments(code, [int(text, 16) for text in found]))
    sums = []
    for executed, other in zip(calls, model.beside(code, calls)):
        each = [code.cycles(address, after) for address, after
                in zip(executed, executed[1:] + [code.call + 2])]
        low, high = map(sum, zip(*each))
        sums.append({"cycles_lo": low, "cycles_hi": high, **other})
    return sums


def measured(emulate):
    """call -> {"cost", "cost_small"} and what cycles() says.

    [emulate] runs an image, with more words of QEMU's and arguments of its own.
    """
    return {call: costs for name in IMAGES
            for call, costs in measured_of(name, emulate).items()}


def measured_of(name, emulate):
    """The same of the calls of one image."""
    elf = image(name, "-O2")
    costs, small = read(emulate(elf)), read(emulate(image(name, "-Os")))
    times = cycles(elf, lambda *words: emulate(*words, arguments=["traced"]))
    if len(times) != len(costs):
        raise support.ToolFailed(f"{len(times)} calls traced, {len(costs)} measured")
    return {name: {"cost": cost, "cost_small": small[name], **time}
            for (name, cost), time in zip(costs.items(), times)}


def table(found):
    lines = ["| call | -O2 | -Os | cycles |", "|---|--:|--:|--:|"]
    for name, one in found.items():
        lines.append(f"| {name} | {one['cost']} | {one['cost_small']} | "
                     f"{one['cycles_lo']}–{one['cycles_hi']} |")
    return "\n".join(lines)


def promises(found):
    """(sentence, measured, most)"""
    for names, most in MOST:
        yield " + ".join(names), sum(found[name]["cost"] for name in names), most
    yield from model.promises(found)
