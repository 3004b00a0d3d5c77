# SPDX-License-Identifier: MIT
"""What is there for who asks for it, port/mpu and lib/check/tp_crash.h: instructions of
an alloc and a free together, bytes of text and of RAM."""

import re
import subprocess

from support import HANG_SECONDS, build, emulator, symbol_sizes, tool

BOARD, FIRMWARE = "mps2_an385", "sampled"  # tests/sanitize/sampled/main.c
LIBRARY = "tidepool_compiled"  # That it is linked with.
PAIR_MOST = 25
SOURCES = {"guards": "port/mpu/tp_mpu.c", "sample": "port/mpu/tp_mpu_sample.c",
           "crash": "lib/check/tp_crash.c"}
PAST = 8  # Bytes a slot: struct tp_mpu_past.


def asked(elf, *words):
    """{name: number} that the firmware prints."""
    told = subprocess.run(emulator(BOARD, elf, arguments=words), text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=HANG_SECONDS).stdout
    return {name: int(value) for name, value in
            re.findall(r"^(\w+) (\d+)$", told, re.M)}


def object_bytes(folder, source):
    """(text, RAM) of a source, as the firmware has it."""
    target = LIBRARY if source.startswith("lib/") else FIRMWARE
    path, = folder.glob(f"*/CMakeFiles/{target}.dir/__/{source}.obj")
    text, data, bss = tool("arm-none-eabi-size", path).split("\n")[1].split()[:3]
    return int(text), int(data) + int(bss)


def measured():
    """option -> (instructions of a pair, text, RAM)"""
    folder = build(BOARD, "fast", FIRMWARE)
    elf = folder / f"{FIRMWARE}.elf"
    noting, bare = asked(elf, "cost"), asked(elf, "cost", "bare")
    pair = (noting["instructions"] - bare["instructions"]) / noting["frees"]
    found = {name: (0, *object_bytes(folder, source))
             for name, source in SOURCES.items()}
    found["sample"] = (pair, *found["sample"][1:])
    found["one"] = symbol_sizes(elf)["sample"]
    return found


def rows(found):
    """As bench.json has them."""
    return [{"name": f"option-{name}", "core": "M3", "opt": "-O2",
             "cost": found[name][0], "text_bytes": found[name][1],
             "ram_bytes": found[name][2]} for name in SOURCES]


def table(found):
    said = {"guards": ("fences by the MPU, `tp_mpu_guard()`", ""),
            "sample": ("a dead slot covered, `tp_mpu_sample()`, another every 16 steps",
                       f", {found['one']} a pool and {PAST} a slot"),
            "crash": ("what outlives a reset, `tp_crash_save()` and `_print()`", "")}
    lines = ["| option | instructions | text | RAM |", "|---|--:|--:|--:|"]
    for name, (text, more) in said.items():
        cost, code, ram = found[name]
        lines.append(f"| {text} | {cost:.1f} | {code} | {ram}{more} |")
    return "\n".join(lines)


def promises(found):
    """(sentence, measured, most)"""
    yield "a covered dead slot: what an alloc and a free take for it", \
        round(found["sample"][0], 1), PAIR_MOST
