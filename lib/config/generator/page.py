# SPDX-License-Identifier: MIT
"""Print: what every step that prints needs, and what the three files share."""

import collections
import itertools
import json
import os
import re
import zlib

from .allocators import Relocating
from .rows import Pool
from .toml import plain
from .values import DAY_SECONDS, unknown


def c_name(row):
    return row.type or "void"


def c_types(row):
    """Every type that a slot is for, if the compiler sees what it is."""
    if row.opaque:
        return []
    return [row.type] if row.type else row.union or []


def formula(row, name):
    """(key, C) of the COUNT or the SIZE of a row that only the compiler knows."""
    key = "handles" if isinstance(row, Relocating) else name.lower()
    if key in row.node.value:
        return key, row.node.value[key].value
    if row.type:
        return "type", f"sizeof({row.type})"
    return "union", f"sizeof(union {row.name}_slot)"


def pointers(row):
    """Pointers to an object, and to one that is only read, as written before a name;
    and the type of its handles."""
    name, handle = c_name(row), f"{row.name}_handle_t"
    if name.endswith("*"):
        return {"to": f"{name}*", "of": f"{name}const *", "handle": handle}
    return {"to": f"{name} *", "of": f"const {name} *", "handle": handle}


def casts(row):
    return {key: pointer.rstrip() for key, pointer in pointers(row).items()}


def hooked(row, key):
    """What the library calls: the application's function, or a cast in front of it."""
    function = getattr(row, key)
    wrapped = function and (row.type or row.link or key == "on_move")
    return f"{key}_of_{row.name}" if wrapped else function


def lenders_first(rows):
    """[rows] with every pool behind the one that it spills into."""
    pools, done = {row.name: row for row in rows if isinstance(row, Pool)}, []

    def visit(row):
        if row not in done:
            if isinstance(row, Pool) and row.full == "spill" and row.spill:
                visit(pools[row.spill])
            done.append(row)

    for row in rows:
        visit(row)
    return done


# What turns the text behind it around, of which compilers warn.
TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")


def comment(text):
    """A // line that cannot swallow the next one, nor look as another would."""
    text = TURNING.sub("", text)
    return ("//" + re.sub(r"(\\|\?\?/|\s)+$", "", text)).rstrip()


def columns(rows, sides):
    """Rows of cells as lines, every column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [" ".join(f"{cell:{side}{width}}"
                     for cell, side, width in zip(row, sides, widths))
            .rstrip() for row in rows]


def in_cpp(*lines):
    return ["#ifdef __cplusplus", *lines, "#endif"]


# What is a cast on this core is none on another. Clang has no such warning.
USELESS = ["#ifndef __clang__", '#pragma GCC diagnostic ignored "-Wuseless-cast"',
           "#endif"]


def paragraphs(parts):
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def config_hash(*trees):
    """Of the values alone. The order of pools and scenes counts: it numbers them."""
    content = []
    for tree in trees:
        content += [list(tree.value[name].value)
                    for name in ("pools", "scenes") if name in tree.value]
        content += [plain(tree)]
    return zlib.crc32(json.dumps(content, sort_keys=True).encode())


def hash_of(config):
    """That of the file and of those it includes."""
    return config_hash(config.tree, *[one.tree for one in config.included])


def duration(seconds):
    if seconds < 2 * DAY_SECONDS:
        return f"{seconds / 3600:.1f} hours"
    return f"{seconds / DAY_SECONDS:.1f} days"


SENTINEL = "tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld"


def sentinel(row):
    """What a row's link_check refers to: a symbol that only tp_pools.ld defines, or
    for a library's row without a bank tp_pools.c, of who includes its table."""
    if not row.library:
        return SENTINEL if row.lies_in else None
    return joined_symbol(row.library, row.lies_in)


def joined_symbol(library, bank):
    if bank:
        return f"{SENTINEL}_of_a_pools_toml_that_includes_{library}"
    return (f"tidepool_ERROR_table_{library}_is_in_no_include_of_the_executables_"
            "pools_toml")


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
    "on_move": Hook("void", "{to}to, {of}from, {handle} handle",
                    "void *to, const void *from, tp_handle_t bits",
                    "({to})to, ({of})from, handle"),
}


def hook(key):
    """Several inits of one row have keys of their own, behind init_."""
    return HOOKS["init" if key.startswith("init_") else key]


# What else a row of [pools] may name of the application's, and what that is.
OTHER_HOOKS = {"on_low": "void (const struct tp_pool *, uint32_t)",
               "on_refill": "void (const struct tp_pool *, uint32_t)",
               "validate": "bool (void *)", "close": "void (void *)",
               "policy": "const struct tp_policy"}


def hooks_of(row):
    """The keys by which it names something of the application's."""
    keys = [*row.CALLBACKS, *(OTHER_HOOKS if isinstance(row, Pool) else ())]
    return [key for key in keys if getattr(row, key)]


def signature(row, key):
    """What that is, without the names of its parameters."""
    if key in OTHER_HOOKS:
        return OTHER_HOOKS[key]
    made = hook(key)
    typed = re.sub(r" ?\b\w+(,|$)", r"\1", made.typed)
    return f"{made.returns} ({typed.format(**pointers(row))})"


def clean(path):
    """[path] as it may stand in a comment and in a string of C."""
    return re.sub(r"[^A-Za-z0-9 ./_+-]", "_", path)


class Page:
    """A file made of [config], which was read from [lines] of the file at [path]."""

    def __init__(self, config, path, lines):
        self.config = config
        self.lines = lines
        self.base = clean(os.path.basename(path))
        self.banner = (f"Generated from {self.base} by tidepool.py. Edit {self.base}, "
                       "not this file.")

    def at(self, row, key=None):
        return f"{self.base}:{row.place(key).line}: {row.name}"

    @property
    def upper(self):
        """The prefix of constants."""
        return self.config.prefix.upper()

    def promise(self, row, key, claim, text, told=None):
        """Behind what is claimed the line of [key]; in the sentence that of [told]."""
        return [f"TP_STATIC_ASSERT({claim},  // {self.at(row, key)}\n"
                f'                 "{self.at(row, told or key)}: {text}");']


def array(kind, name, count=None, where="", align=None):
    """A static variable of zeros, or an array of them, in a section and aligned."""
    attributes = [f"aligned({align})"] * bool(align) + [where] * bool(where)
    size = f"[{count}]" if count else ""
    before = [f"__attribute__(({', '.join(attributes)}))"] if attributes else []
    return before + [f"static {kind} {name}{size};"]


def descriptor(kind, name, fields):
    """A struct with what is decided at build time: its [fields] in their order, for
    C++, a struct within as fields of a name in common before a dot."""
    return [f"{kind} {name} = {{", *initialisers(fields, "  "), "};"]


def initialisers(fields, margin):
    lines = []
    for name, group in itertools.groupby(fields, lambda field: field[0].split(".")[0]):
        group = list(group)
        if group[0][0] == name:
            lines += [f"{margin}.{name} = {group[0][1]},"]
        else:
            inner = [(field.partition(".")[2], value) for field, value in group]
            lines += [f"{margin}.{name} = {{", *initialisers(inner, margin + "  "),
                      f"{margin}}},"]
    return lines


def declared_casts(row):
    """Keys of functions that typed calls name as the library calls them."""
    return ["in_use"] * bool(isinstance(row, Pool) and row.sees_steps and row.in_use)


def times(number):
    """[number] as a factor of an enumerator: C++20 wants no two enums in a product."""
    return f"(int){number}" if unknown(number) else number


def section(row, part=""):
    """The attribute that places it in its bank; none if it has no bank.

    A bank's section is named .bss.* so that a linker script that forgets it still
    places it, and never loads it. Without one, what lies together has a section.
    """
    if not row.lies_in:
        return f'section(".bss.{row.together}_storage"), TP_IN_ORDER' \
            if row.together else ""
    return f'section(".bss.tp_arena.{row.lies_in}.{row.place_in_bank}{part}")'


def cast(row, key):
    """A function as the library calls it, in front of the application's typed one."""
    if hooked(row, key) == getattr(row, key):
        return []
    made = hook(key)
    back = "" if made.returns == "void" else "return "
    given = made.cast.format(**casts(row))
    if row.link:
        first = re.match(r"(\(.*?\))(\w+)", given)
        typed = "" if c_name(row) == "void" else first[1]
        object_of = f"{typed}tp_link_object({first[2]}, {row.link})"
        given = object_of + given[first.end():]
    bits = "bits"
    if key == "on_move" and row.handles == 64:
        bits = f"tp_dense64_of(&{row.name}_dense64, bits)"
    handle = [f"  {row.name}_handle_t handle = {{{bits}}};"] * (key == "on_move")
    return [f"static {made.returns} {hooked(row, key)}({made.plain})", "{", *handle,
            f"  {back}{getattr(row, key)}({given});", "}"]
