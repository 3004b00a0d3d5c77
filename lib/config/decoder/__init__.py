# SPDX-License-Identifier: MIT
"""The walk from a firmware's ELF and its memory to what its allocators hold.

elf, inputs and memory (where bytes come from), layout (the structs of C), firmware
(the list of allocators), pool and kinds (what each holds, what is wrong with it),
record (the fault), holders, owners and lines (who, in lines of source), report (all of
it in words), core (for a debugger). `tidepool.py dump` and port/gdb/tidepool_gdb.py are
two ways to ask the same modules; the one reads a file, the other the target.
"""


class Unreadable(Exception):
    """A sentence: why something cannot be told."""
