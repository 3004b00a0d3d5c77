# SPDX-License-Identifier: MIT
"""From an address in the code to a line of the application's, by binutils or LLVM;
without either, or without debug information, to the function that is there."""

import os
import re
import shutil
import subprocess

LLVM = ("llvm-addr2line-19", "llvm-addr2line")
TOOLS = ("arm-none-eabi-addr2line", *LLVM, "addr2line")
GENERATED = re.compile(r"\w+_pools\.[ch]$")
HERE = os.path.dirname(os.path.realpath(__file__))


def library_files():
    """The names of the library's and the ports' own files, which are inlined into
    callers."""
    lib = os.path.dirname(os.path.dirname(HERE))
    port = os.path.join(os.path.dirname(lib), "port")
    return {name for root in (lib, port) for _, _, names in os.walk(root)
            for name in names if name.endswith((".c", ".h", ".hpp"))}


def wants_llvm(data):
    """Of a file that Clang and lld made: what Clang inlines in pieces, binutils 2.40
    leave out. Of GNU ld's LLVM takes what that left out, said to begin at address 0,
    for what lies there."""
    return b"clang version" in data and b" LLD " in data


def file_and_line(place):
    """Of what an addr2line says, without its " (discriminator 2)"."""
    path, _, line = place.partition(" (discriminator ")[0].rpartition(":")
    return os.path.normpath(path), line


class Lines:
    """Of the ELF file at [path]."""

    def __init__(self, path, elf):
        self.path, self.elf = path, elf
        first = LLVM if wants_llvm(elf.data) else ()
        self.tool = next(filter(None, map(shutil.which, (*first, *TOOLS))), None)
        self.ours = library_files()
        self.known = {}

    def caller(self, address):
        """'serve() at src/main.c:40', of what an address that a call returns to is
        behind: the innermost of the application, whatever was inlined there."""
        if not address:
            return "nobody knows"
        back = address & ~1
        if back not in self.known:
            self.known[back] = self._jumper(back) + self._line(back - 1)
        return self.known[back]

    def _jumper(self, back):
        """'leak(), called by ', if what is called there is not the library's: its last
        deed was a jump into that, which left no other trace."""
        target = called_before(self.elf.constant(back - 4, 4), back)
        name = self.elf.function_at(target) if target else ""
        places = self._places(target) if name else []
        if not places or self._is_ours(places[-1][1]):
            return ""
        return f"{name}(), called by "

    def _line(self, address):
        places = self._places(address)
        own = [place for place in places if not self._is_ours(place[1])]
        if own:
            return f"{own[0][0]}() at {own[0][1]}:{own[0][2]}"
        function = self.elf.function_at(address)
        return f"{function}()" if function else f"{address + 1:#010x}"

    def _is_ours(self, path):
        name = os.path.basename(path)
        return name in self.ours or bool(GENERATED.match(name))

    def _places(self, address):
        """[(function, file, line)], the innermost first."""
        if not self.tool:
            return []
        words = [self.tool, "-f", "-i", "-e", self.path, hex(address)]
        lines = subprocess.run(words, stdout=subprocess.PIPE, encoding="utf-8",
                               stderr=subprocess.DEVNULL).stdout.split("\n")
        places = [(function, *file_and_line(place))
                  for function, place in zip(lines[::2], lines[1::2])]
        return [place for place in places if place[2].isdigit()]


def called_before(code, back):
    """What the BL of Thumb in [code] calls, which returns to [back]; 0 if it is
    none."""
    if len(code) < 4:
        return 0
    high, low = (int.from_bytes(code[at:at + 2], "little") for at in (0, 2))
    if high & 0xF800 != 0xF000 or low & 0xD000 != 0xD000:
        return 0
    sign = high >> 10 & 1
    bit23, bit22 = ((low >> bit & 1) ^ sign ^ 1 for bit in (13, 11))
    offset = (bit23 << 23 | bit22 << 22 | (high & 0x3FF) << 12
              | (low & 0x7FF) << 1) - (sign << 24)
    return back + offset & 0xFFFFFFFE
