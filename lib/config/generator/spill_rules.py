# SPDX-License-Identifier: MIT
"""The rules for rows that spill into another pool, or into chunks."""

from .page import c_name
from .pool_rules import config_rule, pool_rule, thief
from .toml import did_you_mean, quote
from .values import written


@pool_rule("full", "spill", "chunks", "then")
def spilling_says_where_to_and_what_then(pool, _):
    if pool.full == "spill":
        for key, hint in [("spill", "the pool that lends its slots"),
                          ("then",
                           "the answer when that one is full too: assert, drop or "
                           "a theft")]:
            if not getattr(pool, key) and not (key == "spill" and pool.chunks):
                yield pool.error("full", f"{key} is missing", hint)


@pool_rule("full", "chunks")
def chunks_are_pools(pool, config):
    if pool.full != "spill" or not pool.chunks or config.lost:
        return
    names = names_beside(pool, config)
    for name in pool.chunks:
        if name == pool.name:
            yield pool.error("chunks", "it cannot be a chunk of itself")
        elif name not in names:
            yield pool.error("chunks", f"unknown pool {quote(name)}",
                             *[did_you_mean(name, names)] if names else [])


def names_beside(pool, config):
    return [other.name for other in config.pools if other is not pool]


@pool_rule("full", "spill", "chunks", "type", "union", "align", "link", "isr")
def chunks_are_like_their_pool(pool, config):
    for other in pool.attached:
        place = f"{other.name} on line {other.place().line}"
        if other.name == pool.spill:
            yield pool.error("chunks", f"{place} is what it spills into already",
                             "take it out of one of the two")
        elif other.borrowers != [pool]:
            yield pool.error("chunks", f"{place} is a chunk of another pool too")
        elif not other.knows("full"):
            continue
        elif other.full != "drop":
            yield pool.error("chunks",
                             f"{place} would answer with {written(other.full)}",
                             'a chunk says full = "drop"')
        elif other_shape(other, pool) or other_size(other, pool):
            yield pool.error("chunks", f"{place} has other slots",
                             "type, size, align, link and isr must be the same")


def shape_of(pool):
    return c_name(pool), pool.align, pool.link, pool.isr


def other_shape(one, other):
    """Whether they differ in it, as far as it is known; that of [other] is."""
    return (one.knows("type", "union", "align", "link", "isr")
            and shape_of(one) != shape_of(other))


def other_size(one, other):
    """Whether they differ, as far as the table says; of the rest C is asked."""
    return one.knows("size") and other.knows("size") and one.size != other.size


@pool_rule("full", "spill")
def what_is_spilled_into_exists(pool, config):
    if pool.spill == pool.name:
        yield pool.error("spill", "it cannot spill into itself")
    elif pool.full == "spill" and pool.spill and not (config.lost or pool.lender):
        names = names_beside(pool, config)
        yield pool.error("spill", f"unknown pool {quote(pool.spill)}",
                         *[did_you_mean(pool.spill, names)] if names else [])


def lender(pool, *needed):
    """The pool that it spills into, if that is known so far."""
    return pool.lender if pool.lender and pool.lender.knows(*needed) else None


@pool_rule("full", "spill", "size")
def what_is_spilled_fits(pool, config):
    other = lender(pool, "size")
    if other and other.size < pool.size:
        yield pool.error("spill",
                         f"slots of {pool.size} bytes do not fit into those of "
                         f"{other.name}, {other.size}",
                         f"its size is on line {other.place('size').line}")


@pool_rule("full", "spill", "align")
def what_is_spilled_is_aligned(pool, config):
    other = lender(pool, "align")
    if other and other.align < pool.align:
        yield pool.error("spill",
                         f"slots aligned to {pool.align} do not fit into those of "
                         f"{other.name}, aligned to {other.align}")


@pool_rule("full", "spill", "type", "union", "untyped")
def what_is_spilled_has_the_type(pool, config):
    other = lender(pool, "type", "union")
    if other and c_name(other) != c_name(pool) and not pool.untyped:
        yield pool.error("spill",
                         f"a slot of {other.name} is for a {c_name(other)}, not for a "
                         f"{c_name(pool)}",
                         "untyped = true accepts it")


@pool_rule("full", "spill", "isr")
def lenders_are_as_safe(pool, config):
    other = lender(pool, "isr")
    if other and pool.isr and not other.isr:
        yield pool.error("spill",
                         f"interrupts would use {other.name}, which is not for them",
                         f"add isr = true to it on line {other.place().line}")


@pool_rule("full", "spill")
def lenders_keep_their_slots(pool, config):
    other = lender(pool, "full", "then")
    if other and (other.full not in ("drop", "spill") or other.steals):
        yield pool.error("spill",
                         f"{other.name} on line {other.place().line} would answer with "
                         f"{written(other.answer, thief(other))}",
                         'what is spilled into must say "drop" or "spill", and steal '
                         "nothing")


@config_rule
def spills_end(config):
    """The first pool of each ring, in the order of the file, is told of it."""
    told, named = set(), {pool.name: pool for pool in config.pools}
    for pool in config.pools:
        ring = ring_of(pool, named)
        if ring and not told.intersection(ring):
            told.update(ring)
            way = " to ".join(ring + [pool.name])
            yield pool.error("spill", f"spills in a ring: {way}")


def ring_of(pool, pools):
    """The names on the way from [pool] back to itself, or nothing."""
    names, other = [], pool
    while other and other.full == "spill" and other.name not in names:
        names.append(other.name)
        other = pools.get(other.spill)
    return names if other is pool and len(names) > 1 else []


@pool_rule("full", "spill", "chunks", "handles")
def handles_number_the_slots_of_one_lender(pool, _):
    if not pool.handles or pool.full != "spill":
        return
    if pool.chunks:
        yield pool.error("handles", "a pool with chunks has no handles",
                         "slots that come and go have no numbers")
    elif pool.lender and pool.lender.full == "spill":
        yield pool.error("handles", f"{pool.lender.name} spills in turn",
                         "handles number the slots of one other pool")


@pool_rule("full", "spill", "link")
def what_is_spilled_has_the_link_there_too(pool, config):
    other = lender(pool, "link")
    if other and other.link != pool.link:
        yield pool.error("link" if pool.link else "spill",
                         f"link = {pool.link} here, {other.link} in the slots of "
                         f"{other.name} on line {other.place().line}",
                         f"link = {other.link}")
