# SPDX-License-Identifier: MIT
"""Rows with dma = true: their rules, the lines that their slots have to themselves, and
what is printed for object/tp_dma.h to know whose an object is."""

from .calls import Call, slot_of
from .page import array, descriptor, hooked, pointers
from .pool_rules import bank_of, pool_rule
from .toml import quote

CACHE_LINE = 32  # Where neither the bank nor [build] says how long one is.


def line_of(pool, config):
    """The bytes of a cache line where it lies; None if that is not known."""
    bank, build = config.banks.get(pool.lies_in), config.build
    if not all(row.knows("cache_line") for row in (bank, build) if row):
        return None
    return bank and bank.cache_line or build.cache_line or CACHE_LINE


def widen(pool, config):
    """Gives it lines of its own, where the row does not say how it is aligned."""
    if pool.dma and "align" not in pool.node.value:
        pool.align = max(pool.align, line_of(pool, config) or pool.align)


# What a row may not be.

@pool_rule("bank", "in", "dma")
def dma_reaches_the_bank(pool, config):
    bank = bank_of(pool, config, "dma")
    if pool.dma and bank and not bank.dma:
        yield pool.error("bank" if pool.bank else "in",
                         f"DMA does not reach bank {quote(bank.name)}",
                         f"it says dma = false on line {bank.place('dma').line}")


@pool_rule("bank", "in", "dma", "align")
def slots_for_dma_have_cache_lines_of_their_own(pool, config):
    line = line_of(pool, config)
    if pool.dma and line and pool.align % line:
        yield pool.error("align",
                         f"slots aligned to {pool.align} share cache lines of "
                         f"{line} bytes, and DMA writes behind the cache",
                         f"align = {line}, or leave it out")


@pool_rule("dma", "code", "full", "spill", "chunks", "reserve", "type")
def what_is_lent_to_devices_is_the_row_s_own(pool, _):
    reasons = [(pool.code == "own", 'code = "own" does not look whether it is lent'),
               (pool.borrows or pool.borrowers or pool.take_back,
                "a pool that lends or borrows slots does not know what is lent to a "
                "device"),
               (pool.is_class, "a class has no bytes for a device")]
    for has, reason in reasons:
        if pool.dma and has:
            yield pool.error("dma", reason)


@pool_rule("dma", "full", "then", "pin", "handles")
def what_is_lent_is_not_stolen(pool, _):
    if pool.dma and pool.steals and not (pool.pin or pool.handles):
        yield pool.error("dma", "what a device has may be stolen",
                         "add pin = true: what is lent is pinned before")


# Of the calls.

def kept(pool, expression):
    """[expression], an object about to be given back, which is not lent."""
    if not pool.dma:
        return expression
    return f"tp_dma_give(&{pool.name}_dma, {expression})"


def kept_handle(pool):
    """The same of its handle."""
    if not pool.dma:
        return "handle.bits"
    noun = "handle64" if pool.handles == 64 else "handle"
    return f"tp_dma_give_{noun}(&{pool.name}_dma, handle.bits)"


def dma_calls(pool):
    own, to, slot = f"&{pool.name}_dma", pointers(pool)["to"], slot_of(pool)
    pinned = " It is pinned before." if pool.steals else ""
    return [
        Call("void", "lend", f"{to}object, enum tp_dma_direction direction",
             f"tp_dma_lend({own}, {slot}, direction)",
             "Hands it to a device: memory holds what was written to it, and the CPU "
             f"lets it be until {pool.name}_take().{pinned}"),
        Call("void", "take", f"{to}object", f"tp_dma_take({own}, {slot})",
             "The device is done with it: what that wrote may be read."),
        Call("void", "reset", "void", resetting(pool),
             f"Takes every object back, none of which is lent; {told_of_reset(pool)}"),
    ]


def resetting(pool):
    """Where low water is watched, what is counted there begins anew, too; slots go to
    who waits."""
    reset = f"tp_dma_reset(&{pool.name}_dma)"
    if pool.awaited:
        return [f"{reset};", f"tp_wait_serve(&{pool.name}_wait)"]
    if not pool.watched:
        return reset
    return [f"{reset};", f"tp_watermark_reset(&{pool.name}_watermark)"]


def told_of_reset(pool):
    told = f"{pool.on_refill}() is told if it was low" if pool.on_refill \
        else "nobody is told"
    told += ", and slots go to who waits" * pool.awaited
    return f"{told}."


# Of tp_pools.c.

def define_dma(pool):
    """What is noted of each slot, in memory that begins as zeros, and what finds it."""
    if not pool.dma:
        return []
    name = pool.name
    return [f"#if !TP_DMA_PORTED || {pool.align} % TP_DMA_PORT_LINE != 0",
            f'#error "{name}: dma = true wants tp_dma_port.h, of a folder of '
            'port/cache, on the include path, and there lines of at most '
            f'{pool.align} bytes"',
            "#endif",
            *descriptor("const struct tp_dma", f"{name}_dma", [
                ("pool", f"&{name}_pool"), ("lent", f"{name}_lent")]),
            *define_end(pool)]


def notes(pool):
    """Ahead of its descriptor, which names it where a sanitizer asks."""
    return array("uint16_t", f"{pool.name}_lent", f"TP_LENT({pool.slots})") * pool.dma


def ending_key(pool):
    """Which function of the application's is told when the library ends a life."""
    if not pool.dma or not (pool.objects or pool.cut and not pool.sleeps):
        return None
    return "deinit" if pool.objects else "release"


def define_end(pool):
    """What is called in place of that: it looks first; and then again, whether deinit
    has lent it. What is released may be another's by then. Were it left by a jump, a
    fault would name the library as who called."""
    key = ending_key(pool)
    if not key:
        return []
    looks = f"  tp_dma_give(&{pool.name}_dma, object);"
    told = [f"  {hooked(pool, key)}(object);"] * bool(getattr(pool, key))
    again = [looks] * bool(told and key == "deinit")
    stays = ["  TP_BARRIER();"] * bool(again or not told)
    return [f"static void {pool.name}_given(void *object)", "{", looks, *told, *again,
            *stays, "}"]


def ended(pool, key):
    """What the library calls for [key]; nothing if there is no such function."""
    return f"{pool.name}_given" if ending_key(pool) == key else hooked(pool, key)


def dma_objects(pool):
    """(type, name behind that of the row) of what the header declares of it."""
    return [("const struct tp_dma", "dma")] * pool.dma
