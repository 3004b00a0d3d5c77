# SPDX-License-Identifier: MIT
"""Rows with harden = true or link = "outside": their rules, and what their own code
calls in place of what serves the tags and links of any pool."""

from .pool_rules import pool_rule, thief
from .rows import Pool
from .toml import quote
from .values import unknown

OFF = "at off nothing is checked, and nothing hardened"


# What a row may not be.

def key_of(pool):
    return "harden" if pool.harden else "link"


def takes(pool):
    """What other code would do."""
    return "takes tags for counts" if pool.harden else "looks for links in objects"


@pool_rule("harden", "link", "code")
def closed_rows_have_code_of_their_own(pool, _):
    if pool.closed and pool.code != "own":
        yield pool.error(key_of(pool), f"the code that all pools share {takes(pool)}",
                         'add code = "own"')


@pool_rule("harden")
def nothing_is_hardened_at_off(pool, config):
    build = config.build
    if pool.harden and build.knows("checks") and build.checks == "off":
        yield pool.error("harden", OFF,
                         f"[build] says checks = \"off\" on line "
                         f"{build.place('checks').line}")


@pool_rule("harden", "link", "full", "then", "spill", "chunks", "reserve", "lock",
           *Pool.OBJECT_KEYS)
def closed_rows_are_changed_by_their_own_code_alone(pool, config):
    """What has code that all pools share, which issues and takes back too."""
    hooks = [key for key in pool.OBJECT_KEYS if getattr(pool, key)]
    lends = "what others spill into it" if pool.borrowers else None
    found = [f"{thief(pool)} = {quote(pool.answer)}"] \
        * (pool.answer == "steal-least")
    found += [f"full = {quote(pool.full)}"] * (pool.full == "spill")
    found += ["reserve"] * bool(pool.reserve) + hooks[:1] + [lends] * bool(lends)
    found += pool.shared_out()
    found += [f"lock = {quote(pool.lock)}"] * (pool.lock == "cores")
    if pool.closed and found:
        yield pool.error(key_of(pool), f"does not go with {found[0]}",
                         f"that is done by code that {takes(pool)}",
                         "such a pool asserts, drops, steals the oldest or has a "
                         "policy; handles, pins and min_age go with it")


@pool_rule("harden", "handles", "generation_wrap")
def generations_of_a_code_are_short(pool, _):
    """Of so many slots as only C knows: of others check.py says it."""
    if pool.harden and pool.handles and unknown(pool.count) \
            and not pool.generation_wrap:
        yield pool.error("harden",
                         f"its generations wrap after {LIVES} lives of a slot",
                         "generation_wrap = true accepts it")


LIVES = 0x7FFF  # Of a slot, until its code begins again: core/tp_code.h.


# Of tp_pools.c.

def prologue(config):
    """What tells the core that a pool of this file may be closed to other code."""
    if not any(pool.closed for pool in config.pools):
        return []
    return ["#define TP_HARDENED 1"]


def calls(config):
    """Of the executable's table: what any row calls, if one of any is closed."""
    tables = [config, *config.included]
    some = any(pool.closed for one in tables for pool in one.pools)
    return ["TP_HARDENED_CALLS;"] * (some and not config.build.name)


def guard(at):
    """Stops the compiler at a level where there is nothing to harden. [at] is the
    place of the row."""
    return ["#if TP_CHECKS < TP_CHECKS_FAST", f'#error "{at}: {OFF}"', "#endif"]


def noun_of(pool):
    """Of the library, for what is rare in the calls of its own code."""
    return "tp_hardened" if pool.closed else "tp_pool"


def fields(pool):
    """Of its descriptor, which calls for any pool follow: (field, is there, value)."""
    words = ["TP_CODED"] * pool.harden + ["TP_OUTSIDE"] * pool.outside
    return [("hardened", True, " | ".join(words)),
            ("general", True, "&tp_hardened_general")]


def policy(pool):
    """What answers when it is full, where the library's would change its tags."""
    if pool.closed and pool.full == "steal-oldest":
        return "&tp_hardened_oldest"
    return None
