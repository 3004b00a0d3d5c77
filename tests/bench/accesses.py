# SPDX-License-Identifier: MIT
"""What a build of the sanitizer costs: instructions for each load or store, which the
compiler makes a call of, and bytes of text and RAM."""

import re

import support
from support import tool

BOARD, FIRMWARE = "mps2_an385", "dungeon"
# The most of what is promised: instructions of the commonest accesses.
MOST = {"its own variables": 16, "a pool: another": 17}


def build(target, **options):
    kind = "bench-sanitized" if options else ""
    return support.build(BOARD, "fast", target, kind=kind, **options) / f"{target}.elf"


def sizes(elf):
    """Bytes of text, and of RAM."""
    text, *ram = map(int, tool("arm-none-eabi-size", elf).split("\n")[1].split()[:3])
    return text, sum(ram)


def measured(emulate):
    """access -> instructions; and "text", "ram": its bytes without, and with."""
    on = {"TIDEPOOL_SANITIZE": "ON"}
    output = emulate(build("accesses", **on))
    found = {name: int(cost) for name, cost in
             re.findall(r"^access (.*) cost=(\d+)$", output, re.M)}
    found["text"], found["ram"] = zip(sizes(build(FIRMWARE)),
                                      sizes(build(FIRMWARE, **on)))
    return found


def costs(found):
    return {name: cost for name, cost in found.items() if name not in ("text", "ram")}


def rows(found):
    """As bench.json has them."""
    return [{"name": f"access-{name}", "core": "M3", "opt": "-O2", "cost": cost}
            for name, cost in costs(found).items()] + [
        {"name": f"sanitizer-{what}", "core": "M3", f"{what}_bytes": found[what][1],
         f"{what}_bytes_without": found[what][0]} for what in ("text", "ram")]


def table(found):
    plain, asking = found["text"]
    lines = ["| access to, or call | instructions |", "|---|--:|"]
    lines += [f"| {name} | {cost} |" for name, cost in costs(found).items()]
    more = 100 * (asking - plain) / plain
    return "\n".join(lines) + (
        "\n\nText of [qemu/dungeon](../qemu/dungeon), all of it, at -O2:"
        f" {plain} bytes, and {asking} with\nthe sanitizer, {more:.0f} % more; RAM:"
        f" {found['ram'][0]} bytes, and {found['ram'][1]}.")


def promises(found):
    """(sentence, measured, most)"""
    for name, most in MOST.items():
        yield f"sanitizer: an access to {name}", found[name], most
    plain, asking = found["text"]
    yield "sanitizer: more text, in percent", round(100 * (asking - plain) / plain), 20
