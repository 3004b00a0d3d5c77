# SPDX-License-Identifier: MIT
"""What somebody else's model of the core says of the cycles: that of llvm-mca, which
has one of the Cortex-M3 and M4.

It does not know what a branch costs that is taken, nor that an instruction may move
several registers, claim one or add what it multiplied: it has them in a cycle or two.
A call it does not follow. Without these prices what it says of the instructions that a
call executes must lie between the fewest and the most cycles of Arm's table, calls.py.
"""

import re
import tempfile

from support import tool

MCA = ("llvm-mca-19", "-mtriple=thumbv7m-none-eabi", "-mcpu=cortex-m3", "-iterations=1",
       "-instruction-info=0", "-resource-pressure=0")
# Until the last instruction has left the pipeline.
DRAIN = 2
# What executes more is left out: llvm-mca keeps all of it.
LONGEST = 2000
BRANCH = re.compile(r"b(?:eq|ne|cs|cc|mi|pl|vs|vc|hi|ls|ge|lt|gt|le)?$")
SEVERAL = re.compile(r"ldrd|strd|ldm|stm|push|pop|ldrex|strex|mla|mls")


def text(name, rest):
    """An instruction of objdump's as LLVM reads it; a call is none."""
    operands = re.sub(r"\s*[@;].*|<.*?>", "", rest).strip()
    if name in ("bl", "blx"):
        return "nop"
    if BRANCH.match(name):
        return f"{name} there"
    if name in ("cbz", "cbnz"):
        return f"{name} {operands.split(',')[0]}, there"
    return f"{name} {operands}"


def bounds(code, executed):
    """(fewest, most) cycles by the table, of what the model knows."""
    low = high = 0
    for address in executed:
        name, _, size = code.at[address]
        fewest, most = code.cycles(address, address + size)
        if SEVERAL.match(name):
            fewest, most = 1, 2
        low, high = low + fewest, high + most
    return low, high


def cycles(code, calls):
    """Those of the model for each of the [calls]."""
    lines = ["there:"]
    for at, executed in enumerate(calls):
        lines += [f"@ LLVM-MCA-BEGIN {at}",
                  *[text(*code.at[address][:2]) for address in executed],
                  "@ LLVM-MCA-END"]
    with tempfile.NamedTemporaryFile("w", suffix=".s") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        said = tool(*MCA, file.name)
    return [int(count) - DRAIN for count
            in re.findall(r"^Total Cycles: +(\d+)$", said, re.M)]


def beside(code, calls):
    """{"model", "model_lo", "model_hi"} of each of the [calls], {} if it is long."""
    short = [executed for executed in calls if len(executed) <= LONGEST]
    found = {}
    for executed, count in zip(short, cycles(code, short)):
        low, high = bounds(code, executed)
        found[id(executed)] = {"model": count, "model_lo": low, "model_hi": high}
    return [found.get(id(executed), {}) for executed in calls]


def outside(found):
    """(calls whose cycles are others than ours, all that the model was asked of)"""
    asked = [one for one in found.values() if "model" in one]
    return [one for one in asked
            if not one["model_lo"] <= one["model"] <= one["model_hi"]], asked


def promises(found):
    """(sentence, measured, most)"""
    wrong, asked = outside(found)
    yield f"of {len(asked)} calls, those whose cycles llvm-mca denies", len(wrong), 0


def sentence(found):
    """Of the page."""
    wrong, asked = outside(found)
    return (f"The model of that core in llvm-mca, which knows neither the price of a "
            f"branch, of a call\nnor of several registers at once, has {len(asked)} of "
            f"these without them within such bounds, {len(wrong)} not.")
