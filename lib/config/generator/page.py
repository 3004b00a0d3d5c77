# SPDX-License-Identifier: MIT
"""Print: what the generated files share."""

import collections
import os
import re

SENTINEL = "tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld"

# Functions of the application that take objects: what they return, their parameters
# as it writes them and as the library calls them, and how the former are made of those.
Hook = collections.namedtuple("Hook", "returns typed plain cast")
HOOKS = {
    "evict": Hook("void", "{to}victim", "void *victim", "({to})victim"),
    "score": Hook("uint32_t", "{of}object", "const void *object", "({of})object"),
    "init": Hook("bool", "{to}object, void *context", "void *object, void *context",
                 "({to})object, context"),
    "deinit": Hook("void", "{to}object", "void *object", "({to})object"),
    "in_use": Hook("bool", "{of}object", "const void *object", "({of})object"),
    "release": Hook("void", "{to}object", "void *object", "({to})object"),
    "on_move": Hook("void", "{to}to, {of}from, tp_handle_t handle",
                    "void *to, const void *from, tp_handle_t handle",
                    "({to})to, ({of})from, handle"),
}


class Page:
    """A file made of [config], which was read from [lines] of the file at [path]."""

    def __init__(self, config, path, lines):
        self.config = config
        self.lines = lines
        self.base = re.sub(r"[^A-Za-z0-9 ._+-]", "_", os.path.basename(path))
        self.banner = (f"Generated from {self.base} by tidepool.py. Edit {self.base}, "
                       "not this file.")

    def at(self, row, key=None):
        return f"{self.base}:{row.place(key).line}: {row.name}"


def array(kind, name, count=None, where="", align=None):
    """A static variable of zeros, or an array of them, in a section and aligned."""
    align = f"_Alignas({align})" if align else ""
    before = " ".join(filter(None, [align, where]))
    size = f"[{count}]" if count else ""
    return ([before] if before else []) + [f"static {kind} {name}{size};"]


def descriptor(kind, name, fields):
    """A struct with what is decided at build time."""
    return [f"{kind} {name} = {{",
            *[f"  .{field} = {value}," for field, value in fields], "};"]


def section(row, part=""):
    """The attribute that places it in its bank; none if it has no bank.

    A bank's section is named .bss.* so that a linker script that forgets it still
    places it, and never loads it.
    """
    if not row.lies_in:
        return ""
    name = f'section(".bss.tp_arena.{row.lies_in}.{row.place_in_bank}{part}")'
    return f"__attribute__(({name}))"
