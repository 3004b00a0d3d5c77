# SPDX-License-Identifier: MIT
"""A smallest firmware around a table of pools: compiled for a Cortex-M3, and linked."""

import atexit
import functools
import pathlib
import re
import shutil
import subprocess
import tempfile

from helper import ROOT, InFolder, files

SCRIPT = """ENTRY(reset)
MEMORY {{
  FLASH (rx) : ORIGIN = 0, LENGTH = 128K
  RAM (rw) : ORIGIN = 0x20000000, LENGTH = 64K
  {region} (rw) : ORIGIN = 0x60000000, LENGTH = 64K
}}
SECTIONS {{
  .text : {{ *(.text* .rodata*) }} > FLASH
  .ARM.exidx : {{ *(.ARM.exidx*) }} > FLASH
  .data : {{ *(.data*) }} > RAM AT > FLASH
  {before}
  .bss (NOLOAD) : {{ *(.bss* COMMON) }} > RAM
  {after}
  .noinit (NOLOAD) : {{ *(.noinit*) }} > RAM
}}
"""
INCLUDE = "INCLUDE tp_pools.ld"
GCC = ["arm-none-eabi-gcc"]
CLANG = ["clang-19", "--target=arm-none-eabi", "-ffreestanding"]
COMPILE = ["-mcpu=cortex-m3", "-mthumb", "-Os", "-std=c11", "-ffunction-sections",
           "-fdata-sections",
           "-I", ROOT / "lib", "-I", ROOT / "port" / "cortex_m", "-I", ".", "-c"]
# What compilers call on their own; nothing runs here.
MEMSET = """
void *memset(void *to, int byte, size_t count) { (void)byte; (void)count; return to; }
void __aeabi_memclr4(void *to, size_t count) { (void)to; (void)count; }
"""
FOLDERS = []


def compile_in(folder, compiler, level, sources):
    """The objects of [sources]."""
    subprocess.run([str(word) for word in [*compiler, *COMPILE, f"-DTP_CHECKS={level}",
                                           *sources]],
                   cwd=str(folder), check=True)
    return sorted(folder.glob("*.o"))


def new_folder():
    FOLDERS.append(pathlib.Path(tempfile.mkdtemp(prefix="tidepool-")))
    return FOLDERS[-1]


@functools.lru_cache(maxsize=None)
def library(compiler, level):
    return compile_in(new_folder(), compiler, level,
                      sorted((ROOT / "lib").glob("*/*.c")))


@functools.lru_cache(maxsize=None)
def compiled(pools, main, compiler, level):
    """The objects of a firmware: [main] is its C, [pools] its table."""
    folder = new_folder()
    (folder / "main.c").write_text('#include "tp_pools.h"\n' + main + MEMSET)
    for name, content in files(pools).items():
        (folder / name).write_text(content)
    return compile_in(folder, compiler, level,
                      ["main.c", "tp_pools.c"]) + library(compiler, level)


@atexit.register
def remove_compiled():
    """At the end: the library's objects are those of all modules of the suite."""
    while FOLDERS:
        shutil.rmtree(str(FOLDERS.pop()))


class Firmware(InFolder):
    compiler = GCC
    linker = ["arm-none-eabi-ld", "--gc-sections"]

    def link_with(self, pools, main, level=1, region="PSRAM", before=INCLUDE, after=""):
        """Links image.elf in [self.folder]; returns what the linker said."""
        objects = compiled(pools, main, tuple(self.compiler), level)
        self.write("tp_pools.ld", files(pools)["tp_pools.ld"])
        self.write("script.ld",
                   SCRIPT.format(region=region, before=before, after=after))
        return self.run_tool(*self.linker, "-L", ".", "-T", "script.ld", *objects,
                             "-o", "image.elf")

    def symbols(self):
        """name -> (address, size, kind)"""
        listing = self.run_tool("arm-none-eabi-nm", "-S", "image.elf").stdout
        found = re.findall(r"^(\w+) (?:(\w+) )?(\w) (\w+)$", listing, re.M)
        return {name: (int(value, 16), int(size or "0", 16), kind) for value, size,
                kind, name in found}

    def at(self, name):
        return self.symbols()[name][0]
