# SPDX-License-Identifier: MIT
"""Join: a table and those it includes, which are libraries' of the same image."""

import copy
import os
import sys

from . import names
from .check import judge, largest, names_made, read_text
from .context_rules import wakes_above
from .contexts import endless
from .page import hash_of
from .rows import arena_bytes
from .toml import Trouble, error, quote, render

# What a bank and a context are to all tables.
AGREED = {"banks": ("region", "dma", "cache_line", "retained", "sleeps"),
          "contexts": ("interrupt", "core")}

# Tables within each other; Python is not asked for more calls than it gives.
DEEPEST = 200


def load(path, above=(), known=None, read=read_text, lock=None):
    """The config of the file, joined with what it includes, or None; its lines.

    [above] are the files that include this one, [known] those that were read.
    [lock] is in place of that of each [build].
    """
    config, lines = judge(read(path), path, lock)
    if not config:
        return None, lines
    known = {} if known is None else known
    found = [find(config, node, (*above, path), known, read, lock)
             for node in includes(config)]
    if not all(found):
        return None, lines
    config.included = once(each for one in found for each in (one, *one.included))
    problems = [problem for rule in RULES for problem in rule(config)]
    for home, problem in problems:
        sys.stderr.write(render(problem, home.path, home.lines))
    return None if problems else config, lines


def once(configs):
    return list({id(config): config for config in configs}.values())


def includes(config):
    written = config.build.node.value.get("include")
    return written.value if written else []


def find(config, node, above, known, read, lock):
    """The config of the file that [node] names, or None after saying why not."""
    path = os.path.join(os.path.dirname(config.path), node.value)
    same, short = os.path.realpath(path), os.path.normpath(path)
    if os.path.realpath(short) == same:  # Not where .. leads out of a linked folder.
        path = short
    if same in map(os.path.realpath, above):
        return refuse(config, node, "the tables include each other in a circle: "
                      + ", ".join((*above, path)))
    if len(above) == DEEPEST:
        return refuse(config, node, f"more than {DEEPEST} tables include one another "
                      "in a row", "include some of them in the first")
    try:
        if same not in known:
            known[same], _ = load(path, above, known, read, lock)
    except Trouble as trouble:
        return refuse(config, node, *trouble.args)
    if known[same] and not known[same].build.name:
        return refuse(config, node, f"{path} has no name",
                      '[build] name = "net" there would make it net_pools.h')
    return known[same]


def refuse(config, node, text, *hints):
    sys.stderr.write(render(error(node.place, text, *hints), config.path, config.lines))


def every(config):
    """Its own config first."""
    return [config, *config.included]


def tables_have_names_of_their_own(config):
    first = {}
    for one in every(config):
        other = first.setdefault((one.build.name or "tp").lower(), one)
        if other is not one:
            yield one, one.build.error("name", "two tables are called "
                                       + quote(one.build.name),
                                       f"the other is {other.path}")


def rows_have_names_of_their_own(config):
    """What they make is in one image. Within each table that was looked at."""
    first = {}
    for one in every(config):
        for row, name in names_made(one.rows()):
            home, other = first.setdefault(name.upper(), (one, row))
            if home is not one:
                yield one, row.error(None, f"the name {quote(name)} is that of a "
                                     f"{other.what} of another table",
                                     f"see {home.path}:{other.place().line}")


def names_are_made_once(config):
    """Of C, across tables: within each it was looked at."""
    return names.made_twice(every(config), within=False) if config.included else []


def banks_and_contexts_agree(config):
    for table, keys in AGREED.items():
        first = {}
        for one in every(config):
            for row in one.tables[table]:
                home, other = first.setdefault(row.name, (one, row))
                for key in keys:
                    yield from disagree(key, one, row, home, other)


def disagree(key, one, row, home, other):
    if getattr(row, key) != getattr(other, key):
        yield one, row.error(key, f"{key} is another in {home.path}:"
                             f"{other.place(key).line}",
                             f"a {row.what} is one in all tables of an image")


def frees_wake_below_the_mask(config):
    """That of a table without one is another's."""
    homes = [one for one in every(config) if one.build.rtos_mask]
    for one in every(config) if homes else []:
        mask = homes[0].build.rtos_mask
        if one in homes:
            yield from disagree("rtos_mask", one, one.build, homes[0], homes[0].build)
        else:
            yield from ((one, problem) for row in one.rows()
                        for problem in wakes_above(row, mask))


def waits_end(config):
    """Across tables: within each it was looked at."""
    homes = {id(row): one for one in every(config) for row in one.rows()}
    for row, *told in endless([row for one in every(config) for row in one.rows()]):
        yield homes[id(row)], row.error("waits", *told)


def banks_keep_their_budgets(config):
    """That of a table is for its rows and those of the tables it includes."""
    homes = {id(tenant): one.path for one in every(config)
             for bank in one.banks.values() for tenant in bank.residents}
    for bank in banks(config) if config.included else []:
        tenants = [tenant for tenant in bank.residents if tenant.counts()]
        wanted = arena_bytes(tenants, config.level)
        if bank.home is config and bank.budget and wanted > bank.budget:
            yield config, bank.error(
                "budget", f"{wanted} bytes wanted by all tables, {bank.budget} allowed:"
                f" {wanted - bank.budget} too many",
                "largest: " + largest(tenants, config.level, lambda tenant:
                                      f"{homes[id(tenant)]}:{tenant.place().line}"))


RULES = (tables_have_names_of_their_own, rows_have_names_of_their_own,
         names_are_made_once, banks_and_contexts_agree, frees_wake_below_the_mask,
         waits_end, banks_keep_their_budgets)


def banks(config):
    """Those of all tables, each with [residents] of all and the [home] it is of."""
    joined = {}
    for one in every(config):
        for bank in one.banks.values():
            if bank.name not in joined:
                joined[bank.name] = copy.copy(bank)
                joined[bank.name].home, joined[bank.name].residents = one, []
            joined[bank.name].residents += bank.residents
    return list(joined.values())


class Whole:
    """The rows of all tables, for what looks at the image."""

    def __init__(self, config):
        self.configs = every(config)
        self.scenes = config.scenes
        self.hash = hash_of(config)
        self.banks = {bank.name: bank for bank in banks(config)}
        self.contexts = {name: context for one in self.configs
                         for name, context in one.contexts.items()}

    def rows(self):
        return [row for config in self.configs for row in config.rows()]

    def tenants(self):
        return [tenant for config in self.configs for tenant in config.tenants()]
