# SPDX-License-Identifier: MIT
"""What a build of the sanitizer costs: instructions for each load or store, which the
compiler makes a call of, and bytes of text."""

import re

import support
from support import tool

BOARD, FIRMWARE = "mps2_an385", "dungeon"
# The most of what is promised: instructions of the commonest accesses.
MOST = {"its own variables": 12, "a pool: another": 15}


def build(target, **options):
    kind = "bench-sanitized" if options else ""
    return support.build(BOARD, "fast", target, kind=kind, **options) / f"{target}.elf"


def text_bytes(elf):
    return int(tool("arm-none-eabi-size", elf).split("\n")[1].split()[0])


def measured(emulate):
    """access -> instructions; and "text": its bytes without, and with."""
    on = {"TIDEPOOL_SANITIZE": "ON"}
    output = emulate(build("accesses", **on))
    found = {name: int(cost) for name, cost in
             re.findall(r"^access (.*) cost=(\d+)$", output, re.M)}
    found["text"] = (text_bytes(build(FIRMWARE)), text_bytes(build(FIRMWARE, **on)))
    return found


def rows(found):
    """As bench.json has them."""
    plain, asking = found["text"]
    return [{"name": f"access-{name}", "core": "M3", "opt": "-O2", "cost": cost}
            for name, cost in found.items() if name != "text"] + [
        {"name": "sanitizer-text", "core": "M3", "text_bytes": asking,
         "text_bytes_without": plain}]


def table(found):
    plain, asking = found["text"]
    lines = ["| access to | instructions |", "|---|--:|"]
    lines += [f"| {name} | {cost} |" for name, cost in found.items() if name != "text"]
    more = 100 * (asking - plain) / plain
    return "\n".join(lines) + (
        "\n\nText of [qemu/dungeon](../qemu/dungeon), all of it, at -O2:"
        f" {plain} bytes, and {asking} with\nthe sanitizer, {more:.0f} % more.")


def promises(found):
    """(sentence, measured, most)"""
    for name, most in MOST.items():
        yield f"sanitizer: an access to {name}", found[name], most
    plain, asking = found["text"]
    yield "sanitizer: more text, in percent", round(100 * (asking - plain) / plain), 20
