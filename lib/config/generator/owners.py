# SPDX-License-Identifier: MIT
"""Rows with owner = true: their rules, and what is printed where a slot of theirs is
issued or taken back, so that object/tp_owner.h notes who called."""

from .calls import Call, slot_of
from .dma import kept, kept_handle
from .page import array, descriptor, pointers
from .pool_rules import pool_rule


# What a row may not be.

@pool_rule("owner", "code")
def owners_are_noted_by_shared_code(pool, _):
    if pool.owner and pool.code == "own":
        yield refused(pool, 'code = "own" makes no note of owners',
                      'take it out; what is hot enough for it has no time for notes')


@pool_rule("owner", "full", "chunks")
def chunks_come_and_go_without_notes(pool, _):
    if pool.owner and pool.chunks:
        yield refused(pool, "a pool with chunks has no owners",
                      "slots that come and go have no notes")


def refused(pool, text, *hints):
    """At the key; where [build] says it for all rows, at the row."""
    if "owner" in pool.node.value:
        return pool.error("owner", text, *hints)
    return pool.error("owner", f"{text}, which [build] wants", "owner = false")


# Of the calls: each is part of its caller, so that these see the application's.

def handle_of(pool):
    """How the library's noun for a handle of the row ends."""
    return "handle64" if pool.handles == 64 else "handle"


def taken(pool, expression, handled=False):
    """[expression], which issues a slot and writes its handle if it is [handled]."""
    if not pool.owner:
        return expression
    if handled:
        return (f"tp_owner_stay(tp_owner_take_{handle_of(pool)}(&{pool.name}_owned,\n"
                f"    {expression}, &handle->bits))")
    return f"tp_owner_stay(tp_owner_take(&{pool.name}_owned,\n    {expression}))"


def given(pool, name="object"):
    """What the library takes for the object called [name], which is given back."""
    slot = kept(pool, slot_of(pool, name))
    return f"tp_owner_give(&{pool.name}_owned, {slot})" if pool.owner else slot


def given_handle(pool):
    """The same of its handle."""
    handle = kept_handle(pool)
    if not pool.owner:
        return handle
    return f"tp_owner_give_{handle_of(pool)}(&{pool.name}_owned, {handle})"


def owner_calls(pool):
    return [Call("const struct tp_owner *", "owner_of",
                 f"{pointers(pool)['of']}object",
                 f"tp_owner_of(&{pool.name}_owned, {slot_of(pool)})",
                 "Who asked for it, who gave its slot back last, when and in which "
                 "context; NULL iff nobody knows.")]


# Of tp_pools.c.

def next_of(pool):
    """The name of the pool where its objects may lie too, if that is noted."""
    if pool.reserve:
        return f"{pool.name}_reserve"
    return pool.lender.name if pool.lender and pool.lender.owner else None


def define_owners(pool):
    """The notes, in memory that begins as zeros, and what leads to them."""
    if not pool.owner:
        return []
    name, other = pool.name, next_of(pool)
    return [*array("struct tp_owner", f"{name}_owners", str(pool.slots)),
            *descriptor("const struct tp_owned", f"{name}_owned", [
                ("pool", f"&{name}_pool"), ("owners", f"{name}_owners"),
                *[("next", f"&{other}_owned")] * bool(other)])]


def owned_objects(pool):
    """(type, name behind that of the row) of what the header declares of them."""
    names = ["owned"] + ["reserve_owned"] * bool(pool.reserve)
    return [("const struct tp_owned", name) for name in names] if pool.owner else []
