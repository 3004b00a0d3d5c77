#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs clang-tidy over the C of lib, port and qemu: tidy.py [FILE...]

Each file as CMake compiles it, for a board if it can be and else for the host.
Prints what .clang-tidy does not want; exit code 0 iff there is nothing. What
was clean before, to the letter, is not looked at again: build/tidy remembers.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BUILD, ROOT, build, tool  # noqa: E402

FOLDERS = ("lib", "port", "qemu")
BUILDS = (("mps2_an385", "poison", "clang"), ("host", "poison", ""))
BOARD, HOST = "qemu/boards/cmsdk.c", "port/host/tp_port.c"
PAPER = ROOT / "tests/consumers/paper_rtos"  # An RTOS that is not here.
OF_GCC = " -fsanitize=bounds-strict"  # What clang would not know.


def sources():
    names = tool("git", "ls-files", "--cached", "--others",
                 "--exclude-standard", *FOLDERS).splitlines()
    return sorted({name for name in names
                   if name.endswith(".c") and (ROOT / name).is_file()})


def compiled(board, level, toolchain):
    """file -> how this build compiles it. Its generated headers are made, nothing
    is compiled."""
    def made(*headers):
        return build(board, level, *headers, toolchain=toolchain)

    folder = made("qemu/console_pools/tp_pools.h")
    found = json.loads((folder / "compile_commands.json").read_text())
    ours = {os.path.relpath(entry["file"], ROOT): entry for entry in found}
    ours = {name: entry for name, entry in ours.items()
            if name.split("/")[0] in FOLDERS}
    pools = {path for entry in ours.values() for path in
             re.findall(fr"-I{folder}/(\S+_pools)\b", entry["command"])}
    made(*(f"{path}/tp_pools.h" for path in sorted(pools)))
    return ours


def commands(names):
    """A compilation database for [names], an entry each."""
    board, host = (compiled(*each) for each in BUILDS)
    for name in names:
        entry = board.get(name) or host.get(name)
        if not entry:  # Another board, or port of the host: the flags of one do.
            like, of = (HOST, host) if name.startswith("port/") else (BOARD, board)
            entry = dict(of[like], file=str(ROOT / name))
            entry["command"] = entry["command"].replace(
                str(ROOT / like), str(ROOT / name)) + f" -I{PAPER}"
        yield dict(entry, command=entry["command"].replace(OF_GCC, ""))


def complaints(names, *options):
    """What clang-tidy says of each of [names] that it does not like."""
    folder = BUILD / "tidy"
    folder.mkdir(parents=True, exist_ok=True)
    entries = list(commands(names))
    (folder / "compile_commands.json").write_text(json.dumps(entries, indent=1))
    around = headers()

    def run(entry):
        clean = folder / digest(around, json.dumps([options, entry]).encode(),
                                Path(entry["file"]).read_bytes())
        if clean.exists():
            return ""
        result = subprocess.run(
            ["clang-tidy-19", "--quiet", "-p", str(folder), *options, entry["file"]],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True)
        if result.returncode == 0:
            clean.touch()
        return result.stdout if result.returncode else ""

    with ThreadPoolExecutor(os.cpu_count()) as workers:
        return list(filter(None, workers.map(run, entries)))


def headers():
    """All that a file's verdict can depend on beside itself."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.h")]
    found += [path for words in BUILDS for path in
              (BUILD / "-".join(filter(None, words))).rglob("tp_pools.h")]
    return digest(*[path.read_bytes() for path in
                    (ROOT / ".clang-tidy", *sorted(found))]).encode()


def digest(*parts):
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def main(names):
    unknown = set(names) - set(sources())
    if unknown:
        print(f"tidy.py: no C file of lib, port or qemu: {min(unknown)}",
              file=sys.stderr)
        return 2
    found = complaints(names or sources())
    print("".join(found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
