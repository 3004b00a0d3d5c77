# SPDX-License-Identifier: MIT
"""What gdb-multiarch reads in a firmware's ELF: symbols, structs, backtraces."""

import json
import subprocess
import sys
from pathlib import Path

from .errors import CannotRun
from .options import ROOT
from .result_folder import ELF
from .source_lines import places_at

sys.path.insert(0, str(ROOT / "lib" / "config"))
from decoder.core import elf_core  # noqa: E402

SCRIPT = Path(__file__).with_name("gdb_script.py")
SECONDS = 600


def ask_gdb(work, symbols=(), structs=(), moments=()):
    """Its answer: addresses by name, fields by struct, a backtrace a moment."""
    cores = []
    for number, moment in enumerate(moments):
        cores.append(f"{number}.core")
        (work / cores[-1]).write_bytes(elf_core(
            moment.registers, {moment.registers[13]: moment.stack}))
    (work / "case.json").write_text(json.dumps({
        "symbols": list(symbols), "structs": list(structs), "cores": cores}))
    (work / "answer.json").unlink(missing_ok=True)
    said = _run_gdb(work)
    try:
        answer = json.loads((work / "answer.json").read_text())
    except (OSError, ValueError):
        raise CannotRun("GDB could not read the firmware; its words are above.",
                        output=said) from None
    answer["backtraces"] = [_of_this_image(work / ELF, trace)
                            for trace in answer["backtraces"]]
    return answer


def _of_this_image(elf, trace):
    """The backtrace without functions that the linker left out: their lines are said
    to begin at address 0, and GDB finds them where others lie there."""
    left_out = {place["pc"] for place in trace
                if place["is_whole"] and place["begin"] == 0}
    told = []
    for number, place in enumerate(trace):
        if place["pc"] not in left_out:
            told.append(place)
        elif place["is_whole"]:
            told += _places(elf, place, trace[:number])
    return told


def _places(elf, place, above):
    """One of them and what was inlined into it, as the lines of this image say. The
    innermost, and what an interrupt stopped, is where it is, others behind a call."""
    whole = [one["function"] for one in above
             if one["is_whole"] and one["pc"] != place["pc"]]
    is_there = not whole or whole[-1] == "interrupt"
    found = places_at(elf, place["pc"] - (0 if is_there else 1))
    return [dict(place, **one, is_whole=one is found[-1]) for one in found] or [place]


def _run_gdb(work):
    result = subprocess.run(
        ["gdb-multiarch", "-nx", "-batch", "-ex", "set osabi GNU/Linux",
         "-ex", f"file {ELF}", "-x", str(SCRIPT)],
        cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SECONDS)
    return result.stdout
