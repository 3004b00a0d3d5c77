#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns pools.toml into C: tp_pools.h, tp_pools.c and tp_pools.ld.

    tidepool.py generate pools.toml --out DIR    writes the three files
    tidepool.py check pools.toml                 says what is wrong, writes nothing
    tidepool.py table pools.toml                 prints what every pool takes
    tidepool.py init | schema | explain KEY      help to write one
    tidepool.py map pools.toml fw.elf            compares it with what the linker did
    tidepool.py advise pools.toml summary.json   recommends counts from what soaks saw
    tidepool.py dump fw.elf ram.bin              prints what a dump of RAM says
    tidepool.py history fw.elf ram.bin           prints the last events it kept
    tidepool.py core fw.elf ram.bin [regs.json]  makes an ELF core of it, for GDB
    tidepool.py sbom pools.toml fw.elf --map M   writes what the image is made of

The steps are the modules of generator/, decoder/ and sbom/, beside this file.
"""

import os
import sys

if __name__ == "__main__":
    sys.dont_write_bytecode = True  # Where it is installed, nothing is written.
    sys.stderr = sys.stderr or open(os.devnull, "w")  # Where it was closed.
    sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))
    try:
        from generator.cli import main
        sys.exit(main())
    except KeyboardInterrupt:
        trouble = "stopped by Ctrl-C"
    except MemoryError:
        trouble = "there is too little memory for it: allow more, or free some"
    sys.stderr.write(f"error: {trouble}\n")
    sys.exit(2)
