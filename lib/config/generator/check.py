# SPDX-License-Identifier: MIT
"""Check: a file to a table that obeys every rule, or to complaints.

The rules for all kinds of rows, for banks, nests and scenes are here.
"""

import copy
import re
import sys

from . import context_rules  # noqa: F401  It has rules of its own.
from . import dma  # noqa: F401  The same.
from . import harden  # noqa: F401  The same.
from . import owners  # noqa: F401  The same.
from . import scene_rules  # noqa: F401  The same.
from . import spill_rules  # noqa: F401  The same.
from .allocators import Blocks, Dense, Frame, Nest, Relocating, Scenes, Stack
from .files import is_device
from .model import Config
from .page import OTHER_HOOKS, c_name, duration, hooks_of, signature
from .pool_rules import (
    CONFIG_RULES, PRINTED_RULES, ROW_RULES, config_rule, pool_rule, row_rule)
from .rows import Handled, Pool, Row, arena_bytes, round_up
from .toml import Parser, Trouble, did_you_mean, error, quote, render
from .values import (
    ARENA_ALIGN, CLASSES_MAX, DAY_SECONDS, IDENTIFIER, INT_MAX, KEYWORDS,
    REGION_MAX, RELOCATING_MAX, REUSES_PER_SECOND, STRIDE_MAX)


def read_text(path):
    try:
        if is_device(path):
            raise Trouble(f"{path}: error: cannot read it: it is a device or a pipe, "
                          "not a file")
        with open(path, "rb") as file:
            data = file.read()
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as problem:
        raise Trouble(f"{path}: error: cannot read it: {problem.strerror}")
    except UnicodeDecodeError as problem:
        before = data[: problem.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise Trouble(f"{path}:{line}:{column}: error: not UTF-8, in which TOML is "
                      "written")


def judge(text, path, lock=None):
    """The config of the file, without a problem worse than a warning, or None."""
    lines = text.split("\n")
    config = Config(Parser(text), lock)
    config.path, config.lines = path, lines
    problems = check(config)
    for problem in problems:
        sys.stderr.write(render(problem, path, lines))
    if any(problem.severity == "error" for problem in problems):
        return None, lines
    return config, lines


def check(config):
    """Every problem of [config], in the order of lines."""
    problems = list(config.problems)
    for row in config.rows():
        for kinds, needed, rule in ROW_RULES:
            if isinstance(row, kinds) and row.knows(*needed):
                problems += rule(row, config)
    for rule in CONFIG_RULES:
        problems += rule(config)
    if not any(problem.severity == "error" for problem in problems):
        problems += [problem for rule in PRINTED_RULES for problem in rule(config)]
    return sorted(problems, key=lambda problem: problem.place[:2])


@config_rule
def names_fit_into_c(config):
    for row in [*config.banks.values(), *config.tables["contexts"],
                *config.tables["scenes"], *config.rows()]:
        folded = row.name.lower()
        if not IDENTIFIER.fullmatch(row.name):
            better = re.sub(r"[^A-Za-z0-9_]", "_", row.name)
            hints = [f"write {better}"] if IDENTIFIER.fullmatch(better) else []
            yield row.error(None, "the name is not a C identifier", *hints)
        elif row.name in KEYWORDS:
            yield row.error(None, "the name is a keyword of C or C++")
        elif folded in ("n", "all", "tp") or folded.startswith("tp_"):
            yield row.error(None, "the name is reserved",
                            "n, all, tp and what begins with tp_ belong to the library")


@config_rule
def the_name_is_a_prefix(config):
    name = (config.build.name or "").lower()
    if name == "tp" or name.startswith("tp_"):
        yield config.build.error("name", "the name is reserved",
                                 "tp and what begins with tp_ belong to the library")


@config_rule
def names_differ(config):
    """Rows that make calls share their names, whatever their table; banks do not."""
    for rows in (config.tables["banks"], config.tables["scenes"], config.rows()):
        first = {}
        for row, name in names_made(rows):
            other = first.setdefault(name.upper(), row)
            if other is not row:
                yield same_name(row, name, other)


def names_made(rows):
    for row in rows:
        yield row, row.name
        yield from ((row, tenant.name) for tenant in row.tenants() if tenant is not row)


def same_name(row, name, other):
    hint = f"the first is on line {other.place().line}"
    if name == other.name:
        return row.error(None, f"the name {quote(name)} is that of a {other.what}",
                         hint)
    return row.error(None, f"the name differs from {quote(other.name)} in case only",
                     f"both would be {name.upper()} in an enum; {hint}")


@row_rule(Row, "bank")
def the_bank_exists(row, config):
    if row.bank and row.bank not in config.banks and not config.lost:
        hint = f'declare it: [banks] {row.bank} = {{ region = "..." }}'
        if config.banks:
            hint = did_you_mean(row.bank, config.banks)
        yield row.error("bank", f"unknown bank {quote(row.bank)}", hint)


@row_rule(Row, "in")
def the_nest_exists(row, config):
    if isinstance(row.nest, str) and not config.lost:
        hint = f'declare it: [nests] {row.nest} = {{ bytes = "..." }}'
        if config.nests:
            hint = did_you_mean(row.nest, config.nests)
        yield row.error("in", f"unknown nest {quote(row.nest)}", hint)


@row_rule(Row, "in", "bank")
def what_is_nested_lies_where_its_nest_does(row, _):
    if row.nest and row.bank:
        yield row.error("bank", "it lies in a nest, and so where that lies",
                        "take bank out")


@row_rule((Pool, Stack, Frame, Blocks, Relocating, Dense), "in", "end")
def only_what_is_nested_has_an_end(row, _):
    if not row.nest and "end" in row.node.value:
        yield row.error("end", "it lies in no nest", 'add in = "NEST"')


@row_rule((Pool, Dense), "in", "align")
def nests_align_to_8(row, _):
    if row.nest and row.align > ARENA_ALIGN:
        yield row.error("align",
                        f"what lies in a nest is aligned to {ARENA_ALIGN} at most",
                        "take in out and give it a bank")


@row_rule(Nest, "bytes")
def nests_hold_their_rows(nest, config):
    if nest.counts() and nest.arena_bytes(config.level) < ARENA_ALIGN:
        wanted = nest.taken(config.level) + ARENA_ALIGN
        yield nest.error("bytes",
                         f"{wanted} bytes wanted, {nest.bytes} there: "
                         f"{wanted - nest.bytes} too many",
                         f"{ARENA_ALIGN} must be left; largest: "
                         + largest(nest.rows, config.level))


@row_rule((Stack, Frame, Relocating, Nest), "bytes")
def bytes_are_whole_units(row, _):
    if row.bytes % ARENA_ALIGN:
        yield row.error("bytes",
                        f"bytes must be a multiple of {ARENA_ALIGN}, not {row.bytes}",
                        f"bytes = {round_up(row.bytes, ARENA_ALIGN)}")


@row_rule((Stack, Frame, Nest), "bytes")
def regions_are_no_larger_than_they_can_be(row, _):
    if row.bytes > REGION_MAX:
        yield row.error("bytes", f"bytes must be {REGION_MAX} at most, not {row.bytes}")


@row_rule(Frame, "bytes", "buffers")
def buffers_are_no_larger_than_an_int(frame, _):
    total = frame.bytes_of(frame.most, None)
    if total > INT_MAX and frame.most <= REGION_MAX:
        yield frame.error("buffers",
                          f"{frame.buffers} buffers of {frame.most} bytes are {total} "
                          f"bytes; {INT_MAX} are the most",
                          f"buffers = {INT_MAX // frame.most}")


@row_rule(Relocating, "bytes")
def relocating_pools_count_in_16_bits(row, _):
    if not 2 * ARENA_ALIGN <= row.bytes <= RELOCATING_MAX:
        yield row.error("bytes",
                        f"bytes must be 16 to {RELOCATING_MAX}, not {row.bytes}",
                        "for small objects; a step copies a block whole")


@row_rule(Blocks, "classes")
def classes_are_counted_in_a_byte(blocks, _):
    if len(blocks.classes) > CLASSES_MAX:
        yield blocks.error("classes", f"{len(blocks.classes)} classes are too many",
                           f"{CLASSES_MAX} are the most")


@row_rule(Blocks, "classes")
def classes_ascend_in_steps_of_8(blocks, _):
    before = 0
    for node, size in zip(blocks.classes, [one.size for one in blocks.classes_made()]):
        place = node.value["size"].place
        if size % ARENA_ALIGN:
            yield error(place,
                        f"{blocks.title}: a class must be a multiple of {ARENA_ALIGN}, "
                        f"not {size}", f"size = {round_up(size, ARENA_ALIGN)}")
        if size <= before:
            yield error(place, f"{blocks.title}: classes must ascend, but {size} "
                               f"follows {before}")
        before = size


@row_rule((Pool, Dense), "size", "align")
def the_stride_fits(pool, config):
    if pool.stride(config.level) > STRIDE_MAX:
        yield pool.error("size", too_wide(pool, config))


@row_rule(Blocks, "classes")
def the_strides_of_classes_fit(blocks, config):
    for node, one in zip(blocks.classes, blocks.classes_made()):
        if one.stride(config.level) > STRIDE_MAX:
            yield error(node.value["size"].place,
                        f"{blocks.title}: {too_wide(one, config)}")


def too_wide(one, config):
    zones = " with red zones" if one.stride() <= STRIDE_MAX else ""
    return (f"size = {one.size} at align = {one.align} makes slots of "
            f"{one.stride(config.level)} bytes{zones}; {STRIDE_MAX} is the most")


@row_rule((Pool, Dense), "size", "count", "align")
def alignment_wastes_nothing(pool, config):
    waste = pool.stride() - pool.size
    if "align" not in pool.node.value and getattr(pool, "dma", False):
        return  # What is left of its last line is nobody's.
    if waste and pool.stride() <= STRIDE_MAX:
        power = pool.size & -pool.size
        smaller = [f"align = {power} loses none"] if power >= 4 else []
        yield pool.warning("size",
                           f"size = {pool.size} is not a multiple of align = "
                           f"{pool.align}: {waste} bytes lost per slot, "
                           f"{waste * pool.count} in all",
                           f"size = {pool.stride()} costs the same", *smaller)


@row_rule(Handled, "handles", "count", "generation_wrap")
def generations_outlast_a_day(row, _):
    too_soon = row.handles and row.wrap_seconds < DAY_SECONDS
    longer = []
    if isinstance(row, (Pool, Dense)):
        other = copy.copy(row)
        other.handles = 64
        if other.generation_bits > row.generation_bits:
            longer = [f"handles = 64 lasts {other.wrap_seconds // DAY_SECONDS} days"]
    if too_soon and not row.generation_wrap:
        yield row.error("handles" if "handles" in row.node.value else "count",
                        f"a generation of {row.generation_bits} bits wraps after "
                        f"{duration(row.wrap_seconds)} of {REUSES_PER_SECOND} reuses a "
                        "second of one slot", *longer,
                        "generation_wrap = true accepts it")
    if row.generation_wrap and not too_soon:
        yield row.warning("generation_wrap",
                          "no generation wraps in under 24 hours here",
                          "generation_wrap is not needed")


@row_rule(Handled)
def numbers_of_c_have_names_of_their_own(row, _):
    """The header makes NAME_COUNT and NAME_SIZE of them."""
    for key, name in [("count", "COUNT"), ("handles", "COUNT"), ("size", "SIZE")]:
        node, made = row.node.value.get(key), f"{row.name.upper()}_{name}"
        if node and isinstance(node.value, str) and re.search(rf"\b{made}\b",
                                                              node.value):
            yield row.error(key, f"{made} is what tp_pools.h calls it",
                            "name the application's constant otherwise")


@row_rule((Pool, Dense), "type", "opaque")
def opaque_types_have_a_size(row, _):
    if row.opaque and not row.type:
        yield row.error("opaque", "opaque has no meaning here",
                        "it belongs to rows of a type")
    elif row.opaque and "size" not in row.node.value:
        yield row.error(None, "size is missing",
                        f"no compiler sees how large an opaque {row.type} is")


@config_rule
def one_function_takes_one_type(config):
    first = {}
    for row in config.rows():
        for key in hooks_of(row):
            function, place = getattr(row, key), written(key)
            if function.lower().startswith("tp_"):
                yield row.error(place, f"{function} is a name of the library's",
                                "what begins with tp_ belongs to it")
            elif row.knows("type", place):
                other, theirs = first.setdefault(function, (row, key))
                ours, others = taken(row, key), taken(other, theirs)
                line = f"on line {other.place(written(theirs)).line}"
                if None not in (ours, others) and ours != others:
                    yield row.error(place,
                                    f"{function} would take {ours} here, {others} "
                                    f"{line}", "one function for each type")
                elif signature(row, key) != signature(other, theirs):
                    yield row.error(place,
                                    f"{function} would be {signature(row, key)} here, "
                                    f"{signature(other, theirs)} {line}",
                                    "one function for each")


def written(key):
    """The key that stands in the file: several inits are one."""
    return "init" if key.startswith("init_") else key


def taken(row, key):
    """What a function of the application takes, if it takes objects."""
    if key in OTHER_HOOKS:
        return None
    handle = f" and a {row.name}_handle_t" if key == "on_move" else ""
    return f"a {c_name(row)}{handle}"


@config_rule
def banks_have_regions_of_their_own(config):
    first = {}
    for bank in config.banks.values():
        other = first.setdefault(bank.region, bank)
        if other is not bank and bank.knows("region"):
            yield bank.warning("region",
                               f"bank {quote(other.name)} on line "
                               f"{other.place('region').line} has the same region "
                               f"{bank.region}",
                               "each budget is checked, their sum is not")


@config_rule
def banks_are_used(config):
    """By its own rows or those of a table that it includes."""
    told = config.lost or config.build.include
    if not told and all(row.knows("bank", "in") for row in config.rows()):
        for bank in config.banks.values():
            if not bank.residents:
                yield bank.warning(None, "nothing lies in it")


@config_rule
def banks_keep_their_budgets(config):
    for bank in config.banks.values():
        tenants = [tenant for tenant in bank.residents if tenant.counts()]
        wanted = arena_bytes(tenants, config.level)
        if bank.budget and wanted > bank.budget:
            yield bank.error("budget",
                             f"{wanted} bytes wanted, {bank.budget} allowed: "
                             f"{wanted - bank.budget} too many",
                             "largest: " + largest(tenants, config.level))


def on_line(tenant):
    return f"line {tenant.place().line}"


def largest(tenants, level, where=on_line):
    by_size = sorted(tenants, key=lambda tenant: -tenant.arena_bytes(level))[:3]
    return ", ".join(f"{tenant.name} {tenant.arena_bytes(level)} ({where(tenant)})"
                     for tenant in by_size)


def more_than_kept(row):
    """What of a row is not kept where its slots are."""
    if not isinstance(row, Pool):
        return [f"a {row.what}"]
    found = [f'full = "{row.full}"'] if row.full == "spill" else []
    found += [key for key in ("reserve", "written") + row.OBJECT_KEYS
              if getattr(row, key)]
    found += ["low_water"] * row.watched + ["in"] * (row.nest is not None)
    found += row.shared_out()
    return found + ["what others spill into"] * bool(row.borrowers)


# By key, who else writes to an object, or lets its bytes stand.
UNSEEN = {"retain": "what is retained is written by the library",
          "link": "what stands before a link is left as it was",
          "dma": "nobody sees what DMA writes"}


@pool_rule("written", *UNSEEN)
def what_is_written_is_seen(pool, _):
    for key, why in UNSEEN.items() if pool.written else ():
        if getattr(pool, key):
            yield pool.error("written", f"not every write is seen: {why}",
                             f"take it out, or {key}")


@pool_rule("metadata", "bank", "in", "full", "reserve", "low_water",
           "written", *Pool.OBJECT_KEYS)
def metadata_lies_in_banks_that_there_are(pool, _):
    if pool.metadata_in and not pool.lies_in:
        yield pool.error("metadata", "it lies in no bank", 'add bank = "BANK"')
    elif pool.metadata_in and more_than_kept(pool):
        yield pool.error("metadata",
                         f"{more_than_kept(pool)[0]} has metadata elsewhere",
                         "that of a plain pool lies in its bank")


@config_rule
def retained_banks_keep_plain_pools(config):
    for bank in config.banks.values():
        for row in config.rows() if bank.retained else []:
            if row.lies_in != bank.name or isinstance(row, Scenes):
                continue
            if more_than_kept(row):
                yield row.error("bank",
                                f"bank {quote(bank.name)} is retained, which "
                                f"{more_than_kept(row)[0]} is not",
                                "the metadata that lies elsewhere is cleared by a "
                                "reset")
