# SPDX-License-Identifier: MIT
"""Check: that a name of C is made once, and not of the application's functions.

What is printed is asked, not a list: who adds a call or a constant to it has no
second place to know of. Whatever a row makes begins with its name, or with a word
before that, so only those rows are printed here whose names allow two to be one, and
one of each shape.
"""

import re

from . import header, registry, source
from .allocators import Blocks, Nest, Scenes
from .check import written
from .page import HOOKS, hooks_of
from .pool_calls import is_lender
from .pool_rules import printed_rule
from .rows import Pool, Row

# What is defined in a printed line that begins at its margin: a function with a body,
# an object, a type; and the lines of an enum.
DEFINED = re.compile(r"^(?!extern|typedef|template)[A-Za-z_][^\n(\[=;]*[ *](\w+)"
                     r"(?:(\()|\[|;| =)|^\} (\w+);|^enum [\w ]*\{\n(.*?)^\};",
                     re.M | re.S)
ENUMERATOR = re.compile(r"^  (\w+)(?: =|,)", re.M)
ATTRIBUTES = re.compile(r" *__attribute__ *\(\(.*?\)\)")
# What begins with none: casts of hooks, and what a library's table numbers.
NO_ROWS_OWN = re.compile("(?:{})(?:_of.*)?|in|on|init".format("|".join(HOOKS)))


def defined_in(lines):
    """The names of C that printed [lines] define, as often as they do."""
    text, found = ATTRIBUTES.sub("", "\n".join(lines)), []
    for match in DEFINED.finditer(text):
        name, parameters, of_type, enumerators = match.groups()
        if enumerators is not None:
            found += ENUMERATOR.findall(enumerators)
        elif not parameters or re.match(r"[^;{]*\{", text[match.end():]):
            found.append(name or of_type)
    return [name for name in found if not name.startswith("tp_")]


def made_by(row, config):
    """All that is defined for it, in the header and in the source."""
    page = header.Header(config, "", []), source.Source(config, "", [])
    lines = header.declare_handle(row) if getattr(row, "handles", 0) else []
    lines = [*lines, *page[0].body(row), *page[1].define(row)]
    return defined_in(lines) + registry.identifiers_of(row, config)


def owners_of(name, named):
    """(row, rest of [name] behind it) of each that [name] begins with."""
    name = name.lower()
    for match in re.finditer("_", name):
        if name[:match.start()] in named:
            yield named[name[:match.start()]], name[match.start():]


# Keys of which the words decide what a row makes; of others, whether they are there.
WORDS = ("full", "then", "lock", "handles", "code")


def shape(row):
    """Rows of one shape make the same names, but for their own."""
    if makes_names_of_names(row) or isinstance(row, Blocks):
        return id(row)
    keys = [(key, value if key in WORDS else bool(value))
            for key, value in sorted(vars(row).items()) if key != "CALLBACKS"]
    more = [row.is_class, row.owned, is_lender(row)] if isinstance(row, Pool) else []
    return (type(row), *keys, *more)


class Endings:
    """What the names of a row end with behind its own; printed once for each shape."""

    def __init__(self):
        self.known = {}

    def of(self, row, config):
        """All, and what a row may be called behind this one and make one of them."""
        key = shape(row)
        if key not in self.known:
            size, ids = len(row.name), registry.identifiers_of(row, config)
            ends = {name[size:].lower() for name in made_by(row, config)
                    if name.lower().startswith(row.name.lower())}
            starts = {end[:match.start()] for end in ends
                      for match in re.finditer("_", end)}
            own = len(f"{config.prefix}_ID_{row.name}")
            self.known[key] = ends, starts | {name[own:].lower() for name in ids}
        return self.known[key]


def suspects(configs):
    """(config, row) of each row of which a name may be made twice, or a hook's."""
    rows = [(config, row) for config in configs for row in config.rows()]
    named = {row.name.lower(): (config, row) for config, row in rows}
    others = {f"{config.prefix}_{word}".lower() for config in configs
              for word in ("id", "scene")}
    found, endings = {}, Endings()
    for config, row in rows:
        hooks = [getattr(row, key) for key in hooks_of(row)]
        if any(NO_ROWS_OWN.fullmatch(name.lower()) or name.lower() in others
               for name in [row.name, *hooks]):
            return rows
        if makes_names_of_names(row):
            found[id(row)] = row
        for (home, other), rest in owners_of(row.name, named):
            if rest in endings.of(other, home)[1]:
                found.update({id(row): row, id(other): other})
        for (home, other), rest in [one for name in hooks
                                    for one in owners_of(name, named)]:
            if rest in endings.of(other, home)[0]:
                found[id(other)] = other
    return [one for one in rows if id(one[1]) in found]


def makes_names_of_names(row):
    return isinstance(row, (Scenes, Nest)) or bool(getattr(row, "inits", ()))


def twice(row, name):
    """Told where that stands which [name] ends with: in the row, or what it holds."""
    parts = row.scenes if isinstance(row, Scenes) else getattr(row, "rows", ())
    part = next((part for part in parts if isinstance(part, Row)
                 and name == f"{row.name}_{part.name}"), row)
    told = "call it otherwise" if part is not row else "call one of its inits otherwise"
    return part.error("init" if part is row else None,
                      f"{name} would be made twice for {row.title}", told)


def made_twice(configs, within=True):
    """(config, problem) of each row with such a name, once for each other row; if not
    [within], of those that are of another table than that."""
    first, told = {}, set()
    for config, row in suspects(configs):
        for name in made_by(row, config):
            if name not in first:
                first[name] = config, row
                continue
            home, other = first[name]
            if (id(row), id(other)) in told or home is config and not within:
                continue
            told.add((id(row), id(other)))
            if other is row:
                yield config, twice(row, name)
            else:
                yield config, row.error(
                    None, f"{name} would be made for it and for {other.title} "
                    + on_line(other, home, config), "call one of the two otherwise")
    for config in configs:
        for row in config.rows():
            for key in hooks_of(row):
                name = getattr(row, key)
                home, other = first.get(name, (None, None))
                if home and (within or home is not config):
                    yield config, row.error(
                        written(key), f"{name} is made for {other.title} "
                        + on_line(other, home, config),
                        "call the application's otherwise")


def on_line(other, home, config):
    line = other.place().line
    return f"on line {line}" if home is config else f"in {home.path}:{line}"


@printed_rule
def names_are_made_once(config):
    for _, problem in made_twice([config]):
        yield problem
