# SPDX-License-Identifier: MIT
"""Check: rules for all kinds of rows, for banks and for nests."""

import re

from .problems import did_you_mean, error, quote
from .rows import (
    Blocks, Dense, Frame, Handled, Nest, Pool, Relocating, Row, Stack, arena_bytes,
    round_up)
from .text import c_name
from .values import (
    ARENA_ALIGN, DAY_SECONDS, IDENTIFIER, KEYWORDS, REGION_MAX, RELOCATING_MAX,
    REUSES_PER_SECOND, STRIDE_MAX)

ROW_RULES = []
CONFIG_RULES = []


def row_rule(kinds, *needed):
    """Registers a rule for rows of [kinds], for those whose [needed] keys are known."""
    def register(rule):
        ROW_RULES.append((kinds, needed, rule))
        return rule
    return register


def pool_rule(*needed):
    return row_rule(Pool, *needed)


def config_rule(rule):
    CONFIG_RULES.append(rule)
    return rule


@config_rule
def names_fit_into_c(config):
    for row in config.tables["banks"] + config.tables["scenes"] + config.rows():
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


@row_rule((Pool, Stack, Frame), "in", "end")
def only_what_is_nested_has_an_end(row, _):
    if not row.nest and "end" in row.node.value:
        yield row.error("end", "it lies in no nest", 'add in = "NEST"')


@pool_rule("in", "align")
def nests_align_to_8(pool, _):
    if pool.nest and pool.align > ARENA_ALIGN:
        yield pool.error("align",
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


@row_rule(Relocating, "bytes")
def relocating_pools_count_in_16_bits(row, _):
    if not 2 * ARENA_ALIGN <= row.bytes <= RELOCATING_MAX:
        yield row.error("bytes",
                        f"bytes must be 16 to {RELOCATING_MAX}, not {row.bytes}",
                        "for small objects; a step copies a block whole")


@row_rule(Blocks, "classes")
def classes_ascend_in_steps_of_8(blocks, _):
    sizes = [node.value["size"] for node in blocks.classes]
    for size, before in zip(sizes, [None] + sizes):
        if size.value % ARENA_ALIGN:
            yield error(size.place,
                        f"{blocks.title}: a class must be a multiple of {ARENA_ALIGN}, "
                        f"not {size.value}",
                        f"size = {round_up(size.value, ARENA_ALIGN)}")
        if before and size.value <= before.value:
            yield error(size.place,
                        f"{blocks.title}: classes must ascend, but {size.value} "
                        f"follows {before.value}")


@row_rule((Pool, Dense), "size", "align")
def the_stride_fits(pool, config):
    if pool.stride() > STRIDE_MAX:
        yield pool.error("size",
                         f"size = {pool.size} at align = {pool.align} makes slots of "
                         f"{pool.stride()} bytes; {STRIDE_MAX} is the most")


@row_rule((Pool, Dense), "size", "count", "align")
def alignment_wastes_nothing(pool, config):
    waste = pool.stride() - pool.size
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
    longer = ["handles = 64 lasts 414 days"] if isinstance(row, Pool) else []
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


@config_rule
def one_function_takes_one_type(config):
    first = {}
    for row in config.rows():
        for key in row.CALLBACKS:
            function = getattr(row, key)
            if function and row.knows("type", key):
                other, theirs = first.setdefault(function, (row, key))
                if c_name(other) != c_name(row):
                    yield row.error(key,
                                    f"{function} would take a {c_name(row)} here, a "
                                    f"{c_name(other)} on line "
                                    f"{other.place(theirs).line}",
                                    "one function for each type")


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
    if not config.lost and all(row.knows("bank", "in") for row in config.rows()):
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


def largest(tenants, level):
    by_size = sorted(tenants, key=lambda tenant: -tenant.arena_bytes(level))[:3]
    return ", ".join(f"{tenant.name} {tenant.arena_bytes(level)} (line "
                     f"{tenant.place().line})"
                     for tenant in by_size)


def duration(seconds):
    if seconds < 2 * DAY_SECONDS:
        return f"{seconds / 3600:.1f} hours"
    return f"{seconds / DAY_SECONDS:.1f} days"
