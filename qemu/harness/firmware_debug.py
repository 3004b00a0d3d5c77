# SPDX-License-Identifier: MIT
"""What gdb-multiarch reads in a firmware's ELF: symbols, structs, backtraces."""

import json
import subprocess
import sys
from pathlib import Path

from .errors import CannotRun
from .options import ROOT
from .result_folder import ELF

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
        return json.loads((work / "answer.json").read_text())
    except (OSError, ValueError):
        raise CannotRun("GDB could not read the firmware; its words are above.",
                        output=said) from None


def _run_gdb(work):
    result = subprocess.run(
        ["gdb-multiarch", "-nx", "-batch", "-ex", "set osabi GNU/Linux",
         "-ex", f"file {ELF}", "-x", str(SCRIPT)],
        cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", timeout=SECONDS)
    return result.stdout
