# SPDX-License-Identifier: MIT
"""Check: who may call what, by what [contexts] and rows declare.

A row that names no context is asked nothing here.
"""

from .allocators import Dense, Frame, Relocating, Stack
from .contexts import endless, rivals
from .pool_rules import config_rule, pool_rule, row_rule
from .rows import Pool, Row
from .toml import did_you_mean, quote
from .values import CPUS, written

KEYS = ("allocates", "frees", "waits")


@config_rule
def contexts_are_tasks_or_interrupts(config):
    for context in config.contexts.values():
        if context.knows("interrupt", "core") and context.urgency is None:
            yield context.error(None, "it is neither a task nor an interrupt",
                                f"write {context.forms}")


@config_rule
def the_core_has_such_priorities(config):
    cpu = config.build.cpu
    for context in config.contexts.values() if cpu else []:
        if "basepri" not in CPUS[cpu] and (context.interrupt or 0) % 0x40:
            yield context.error("interrupt",
                                f"{cpu} has no priority {context.interrupt:#04x}",
                                "it has 0x00, 0x40, 0x80 and 0xc0")


@config_rule
def the_core_has_such_a_mask(config):
    cpu, mask = config.build.cpu, config.build.rtos_mask
    if cpu and mask and "basepri" not in CPUS[cpu]:
        yield config.build.error("rtos_mask", f"{cpu} has no BASEPRI",
                                 "its RTOS masks all interrupts: take rtos_mask out")


@row_rule(Row)
def contexts_exist(row, config):
    for key in KEYS:
        for name in getattr(row, key):
            if name not in config.contexts and not config.lost:
                hint = f'declare it: [contexts] {name} = "task"'
                if config.contexts:
                    hint = did_you_mean(name, config.contexts)
                yield row.error(key, f"unknown context {quote(name)}", hint)


@row_rule((Stack, Frame, Relocating, Dense), *KEYS)
def what_has_no_lock_is_for_one_context(row, _):
    pair = rivals(row.users)
    if pair:
        yield row.error("allocates" if row.allocates else "frees",
                        f"a {row.what} is for one context, and {pair[0].name} may "
                        f"interrupt {pair[1].name}",
                        f"give {pair[0].name} one of its own")


@pool_rule("isr", *KEYS)
def isr_says_what_contexts_say(pool, _):
    pair = rivals(pool.users)
    if pair and not pool.isr:
        yield pool.error("isr",
                         f"isr = false, but {pair[0].name} may interrupt "
                         f"{pair[1].name} in a call of it",
                         "take isr out, or write isr = true")


@pool_rule("lock", "isr", *KEYS)
def contexts_that_interrupt_each_other_need_a_lock(pool, _):
    pair = rivals(pool.users)
    if pair and pool.isr and pool.lock == "none":
        yield pool.error("lock",
                         f"{pair[0].name} may interrupt {pair[1].name} in a call of "
                         "it, which masks nothing",
                         'write lock = "primask"')


@pool_rule("lock", *KEYS)
def the_lock_masks_every_interrupt(pool, _):
    for user in pool.users if isinstance(pool.lock, int) else []:
        if user.urgency < pool.lock:
            low = user.urgency > 2  # BASEPRI = 0 masks nothing, 1 and 2 are locks.
            lower = [f'"basepri:{user.urgency:#04x}" masks it'] * low
            yield pool.error("lock",
                             f"basepri:{pool.lock:#04x} does not mask {user.name}, of "
                             f"priority {user.urgency:#04x}", *lower,
                             '"primask" masks every interrupt')


@pool_rule("lock", *KEYS)
def the_lock_is_a_byte_of_basepri(pool, config):
    has_more_bits = any((one.urgency or 0) % 16 for one in config.contexts.values())
    if isinstance(pool.lock, int) and pool.lock < 16 and not has_more_bits:
        yield pool.warning("lock",
                           f"of basepri:{pool.lock} a chip with 4 bits of priority "
                           "keeps 0, which masks nothing",
                           f"priority {pool.lock} of 4 bits is "
                           f'"basepri:{pool.lock << 4:#04x}"')


@row_rule(Row, "lock", *KEYS)
def what_two_cores_use_has_their_lock(row, _):
    first = next(iter(row.users), None)
    other = next((user for user in row.users if user.core != first.core), None)
    if other and getattr(row, "lock", None) != "cores":
        pool = isinstance(row, Pool)
        hint = 'write lock = "cores"' if pool else f"give {other.name} one of its own"
        yield row.error("lock" if pool else "allocates" if row.allocates else "frees",
                        f"{first.name} is of core {first.core} and {other.name} of "
                        f"core {other.core}, which call it at once", hint)


@pool_rule("lock", "code", "full", "policy", "spill", "chunks", "reserve", "wait",
           "waits", *Pool.OBJECT_KEYS)
def two_cores_share_what_one_lock_guards(pool, _):
    found = ['code = "own"'] * (pool.code == "own")
    if pool.full not in ("assert", "drop", "steal-oldest"):
        found.append(written(pool.full))
    found += ["reserve"] * bool(pool.reserve) + ["wait"] * pool.awaited
    found += [key for key in pool.OBJECT_KEYS if getattr(pool, key)]
    found += ["a class"] * pool.is_class + pool.shared_out()
    found += ["what others spill into it"] * bool(pool.borrowers)
    if pool.lock == "cores" and found:
        yield pool.error("lock", f"two cores cannot share {found[0]}",
                         "their pools drop, assert or steal the oldest, and have no "
                         "reserve, hooks, or code of their own, and nobody waits")


@pool_rule("magazine", "lock", "full", "handles", "low_water")
def what_a_core_keeps_for_itself_nobody_else_asks_for(pool, _):
    found = ["the lock of one core"] * (pool.lock != "cores")
    found += ["a pool that steals"] * pool.steals + ["handles"] * bool(pool.handles)
    found += ["low_water"] * pool.watched
    if pool.magazine and found:
        yield pool.error("magazine", f"a magazine does not go with {found[0]}",
                         'pools of lock = "cores" that drop or assert have one, and '
                         "neither handles nor low_water")


@pool_rule("magazine", "count")
def one_core_alone_does_not_keep_all(pool, _):
    if pool.magazine and pool.magazine >= pool.count:
        some = max(1, pool.count // 4)
        less = f"write magazine = {some}{', or less' if some > 1 else ''}"
        yield pool.error("magazine", "one core may keep all of its slots",
                         less if pool.count > 1 else "leave magazine out")


@pool_rule("lock", "full", "handles", "pin")
def one_core_does_not_steal_what_another_looks_at(pool, _):
    if pool.lock == "cores" and pool.steals and not (pool.handles and pool.pin):
        yield pool.error("lock", "one core may steal what the other looks at",
                         "add handles = 32, pin = true, and pin while you look")


@pool_rule("wait", "waits")
def who_waits_has_a_call_to(pool, _):
    if pool.waits and "wait" in pool.node.value and not pool.wait:
        yield pool.error("wait", f"wait = false, but {pool.waits[0]} waits for it",
                         "take wait out: waits says it")


@pool_rule("waits", "waits_end")
def only_waits_end(pool, _):
    if pool.waits_end and not pool.waits:
        yield pool.error("waits_end", "nobody waits for it", 'waits = ["CONTEXT"]')


@pool_rule("waits")
def interrupts_do_not_wait(pool, _):
    for user in pool.named:
        if user.name in pool.waits and not user.task:
            yield pool.error("waits", f"{user.name} is an interrupt, which cannot wait",
                             f"{pool.name}_alloc() does not: write it into allocates")


@pool_rule("frees", "waits")
def frees_wake_below_the_mask(pool, config):
    yield from wakes_above(pool, config.build.rtos_mask)


def wakes_above(pool, mask):
    """What is wrong with the interrupts that free a slot somebody waits for."""
    for user in pool.named if mask and pool.waits else []:
        if user.name in pool.frees and user.urgency < mask:
            yield pool.error("frees",
                             f"{user.name}, of priority {user.urgency:#04x}, is above "
                             f"rtos_mask = {mask:#04x}, and to free wakes who waits: a "
                             "call of the RTOS",
                             f"give it {mask:#04x} or a larger number, or free in "
                             "another context")


@config_rule
def waits_end(config):
    yield from (row.error("waits", *told) for row, *told in endless(config.rows()))
