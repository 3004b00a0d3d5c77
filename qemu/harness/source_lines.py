# SPDX-License-Identifier: MIT
"""From an address in the firmware to a line of its source."""

import os
import re
import shutil
import sys

from .elf_tools import told_by
from .options import ROOT

sys.path.insert(0, str(ROOT / "lib" / "config"))
from decoder.lines import LLVM, file_and_line, wants_llvm  # noqa: E402

# The library's own files, wherever a firmware has them, what its generator
# wrote, what watches it for the soak but for the mistakes that are planted, and
# what comes between it and the demo game: all of it inlined into the caller.
LIBRARY = {path.name for folder in ("lib", "port", "qemu/telemetry")
           for path in (ROOT / folder).rglob("tp_*.[ch]")
           if not path.name.startswith("tp_plant")} | {
    "tidepool.h", "tp_pools.h", "tp_pools.c"}
# Folders of sources of C libraries, whose lines a toolchain's archives may tell.
C_LIBRARY = re.compile(r"/(newlib/lib[cm]|libgloss|picolibc|libgcc|libstdc\+\+-v3)/")
GENERATED = re.compile(rb"// Generated from [^\n]+ by tidepool\.py\.")
ARM = 40  # e_machine of ELF.
INTERCEPT = os.path.join("qemu", "rig", "intercept.h")


def name_callers(ledger, elf):
    """Whoever a ledger knows by an address it returns to, by his line."""
    sites = (*ledger.places, *ledger.outlived(), *ledger.strangers)
    ledger.callers = caller_lines(elf, [one.caller for one in ledger.faults]
                                  + [one.site for one in sites])


def caller_lines(elf, addresses):
    """Return address -> 'explode() at qemu/console/enemies.c:57'."""
    # Bit 0 says Thumb. The call itself ends just before the return address.
    calls = {address: (address & ~1) - 1 for address in addresses}
    places = _places(elf, calls.values())
    lines = {address: _line(places[call]) for address, call in calls.items()
             if call in places}
    return {address: line for address, line in lines.items() if line}


def line_at(elf, address):
    """The line of one address; or nothing."""
    return _line(_places(elf, [address]).get(address, ()))


def _line(places):
    """The innermost of the application itself; or of the rig, of what it does not
    inline into the game; or nothing."""
    for belongs in (is_application, lambda path: path.endswith(INTERCEPT)):
        for function, path, line in places:
            if belongs(path):
                return _named(function, path, line)
    return ""


def _named(function, path, line):
    return f"{function}() at {shown(path)}:{line}"


def is_application(path):
    """Whether a file of source is neither the library's nor the C library's nor
    generated."""
    return bool(path) and os.path.basename(path) not in LIBRARY \
        and not path.endswith(INTERCEPT) and not C_LIBRARY.search(path) \
        and not is_generated(path)


def is_watcher(path):
    """Whether it is of the rig, or of the soak's own files."""
    return shown(path).startswith(("qemu/rig/", "qemu/telemetry/", "qemu/boards/"))


def is_generated(path):
    """Whether the table of a library of the firmware's has made it: NAME_pools.h."""
    if not path.endswith(("_pools.h", "_pools.c")):
        return False
    try:
        with open(path, "rb") as file:
            return bool(GENERATED.match(file.readline()))
    except OSError:  # Of a folder that was moved here, say.
        return True


def shown(path):
    """Within the checkout without the folders before it."""
    inside = os.path.relpath(os.path.realpath(path), ROOT)
    return path if inside.startswith("..") else inside


def home_of(elf, address):
    """The file of the function that holds `address`, inlined code aside."""
    return next((shown(path) for _, path, _ in _home(elf, address)), "")


def home_line_at(elf, address):
    """The line of that function, whosever it is; or nothing."""
    return next((_named(*place) for place in _home(elf, address)), "")


def _home(elf, address):
    """Its place, alone; or none."""
    return _places(elf, [address]).get(address, [])[-1:]


def places_at(elf, address):
    """The same, innermost first, as a backtrace has them."""
    return [{"function": function, "file": path, "line": line}
            for function, path, line in _places(elf, [address]).get(address, ())]


def tool_for(elf, name):
    """The binary utility for a file: a board's, or this machine's own."""
    with open(elf, "rb") as file:
        head = file.read(20)
    return f"arm-none-eabi-{name}" if head[18:19] == bytes([ARM]) else name


def _addr2line(elf):
    with open(elf, "rb") as file:
        is_llvm_s = wants_llvm(file.read())
    found = [name for name in LLVM if is_llvm_s and shutil.which(name)]
    return found[0] if found else tool_for(elf, "addr2line")


def own_places(elf, addresses):
    """Address -> (function, file, line) of the application's innermost, of those
    that have one."""
    found = {}
    for address, places in _places(elf, addresses).items():
        own = [place for place in places if is_application(place[1])]
        if own:  # A header's line tells less than that which it was inlined into.
            found[address] = min(own, key=lambda one: one[1].endswith(".h"))
    return found


def _places(elf, addresses):
    """Address -> [(function, file, line)] of it, then of what it was inlined into."""
    if not addresses or not os.path.exists(elf):
        return {}
    text = told_by(_addr2line(elf), "-a", "-f", "-i", "-e", elf,
                   given="\n".join(map(hex, addresses)))
    blocks = [block.rstrip("\n").split("\n")
              for block in re.split("^0x", text, flags=re.M)[1:]]
    return {int(address, 16): list(_pairs(lines)) for address, *lines in blocks}


def _pairs(lines):
    for function, place in zip(lines[::2], lines[1::2]):
        path, line = file_and_line(place)
        if line.isdigit() and not path.startswith("?"):
            yield function, path, int(line)
