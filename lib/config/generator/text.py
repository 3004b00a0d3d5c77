# SPDX-License-Identifier: MIT
"""What every step that prints needs."""

import json
import re
import zlib

from .rows import Pool
from .toml import plain


def c_name(row):
    return row.type or "void"


def c_types(row):
    """Every type that a slot is for."""
    return [row.type] if row.type else row.union or []


def pointers(row):
    """Pointers to an object, and to one that is only read, as written before a name."""
    name = c_name(row)
    if name.endswith("*"):
        return {"to": f"{name}*", "of": f"{name}const *"}
    return {"to": f"{name} *", "of": f"const {name} *"}


def casts(row):
    return {key: pointer.rstrip() for key, pointer in pointers(row).items()}


def hooked(row, key):
    """What the library calls: the application's function, or a cast in front of it."""
    function = getattr(row, key)
    return f"{key}_of_{row.name}" if function and row.type else function


def lenders_first(rows):
    """[rows] with every pool behind the one that it spills into."""
    pools, done = {row.name: row for row in rows if isinstance(row, Pool)}, []

    def visit(row):
        if row not in done:
            if isinstance(row, Pool) and row.full == "spill":
                visit(pools[row.spill])
            done.append(row)

    for row in rows:
        visit(row)
    return done


def comment(text):
    """A // line that cannot swallow the next one."""
    return ("//" + re.sub(r"(\\|\?\?/|\s)+$", "", text)).rstrip()


def columns(rows, sides):
    """Rows of cells as lines, every column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [" ".join(f"{cell:{side}{width}}"
                     for cell, side, width in zip(row, sides, widths))
            .rstrip() for row in rows]


def paragraphs(parts):
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def config_hash(tree):
    """Of the values alone. The order of pools and scenes counts: it numbers them."""
    orders = [list(tree.value[name].value)
              for name in ("pools", "scenes") if name in tree.value]
    content = orders + [plain(tree)]
    return zlib.crc32(json.dumps(content, sort_keys=True).encode())
