# SPDX-License-Identifier: MIT
"""Print: the calls of each row of [pools], with their contracts."""

import collections
import re

from .calls import (
    CALLS, Call, all_of, cast, handle_type, print_call, refusal, remark, same_call,
    seal_checks, slot_of)
from .dma import dma_calls, kept, kept_handle, told_of_reset
from .owners import given, given_handle, owner_calls, taken
from .page import hooked, pointers
from .rows import Pool
from .values import OWN_POLICY


def calls_of(row):
    """Those of any row."""
    return pool_calls(row) if isinstance(row, Pool) else CALLS[type(row)](row)


def when_full(pool):
    """What a request gets that finds every slot live."""
    return f"When {all_live(pool)}: {answer(pool)}."


def all_live(pool):
    if pool.magazine:
        return (f"none of {pool.slots} is free, but for up to {pool.magazine} that the "
                "other core keeps, and what an interrupt gives back meanwhile")
    one = "its one slot is live"
    return all_of(pool, one if pool.slots == 1 else f"all {pool.slots} are live",
                  "are live")


def answer(pool):
    if pool.full == OWN_POLICY:
        return f"what {pool.policy} answers"
    if pool.full == "spill":
        lenders = [pool.spill] * bool(pool.spill)
        lenders += ["a chunk that is attached"] * bool(pool.chunks)
        then = theft(pool) if pool.steals else refusal(pool.then)
        return f"a slot of {' or of '.join(lenders)}; when that has none either: {then}"
    if pool.reserve:
        return (f"{refusal(pool.full)}. {pool.reserve} more are for "
                f"{pool.name}_alloc_urgent()")
    return theft(pool) if pool.steals else refusal(pool.full)


def theft(pool):
    victim = "oldest"
    if pool.answer == "steal-least":
        victim = f"one of the least {pool.score}()"
    told = pool.evict or pool.deinit
    loss = f"{told}() is told" if told else "its handle is stale"
    loss = "its destructor runs" if pool.is_class else loss
    spared = ["pinned"] * bool(pool.pin or pool.handles)
    spared += [f"younger than {pool.min_age}"] if pool.min_age else []
    spared = ", ".join(spared + ["changing hands"])
    spared = re.sub(r"(.*), ", r"\1 or ", spared)
    return f"the {victim} is stolen, {loss}. NULL iff each is {spared}{disturbed(pool)}"


def disturbed(pool):
    """A scan for the least begins anew when an interrupt changes what it looks at."""
    scans = pool.answer == "steal-least" and pool.isr
    return ", or interrupts changed the pool in each of four looks" * scans


def noun_of(pool):
    """Of the library's calls: pools with a ring, or another lock, have their own."""
    if pool.magazine:
        return "tp_magazine"
    if pool.lock in ("none", "cores"):
        return "tp_unlocked" if pool.lock == "none" else "tp_cores"
    return "tp_aged" if pool.steals else "tp_pool"


def plain_calls(pool):
    """Those that issue slots and take them back."""
    own = f"&{pool.name}_" + ("watermark" if pool.watched else "pool")
    noun = "tp_watermark" if pool.watched else noun_of(pool)
    free = f"tp_wait_free(&{pool.name}_wait" if pool.awaited else f"{noun}_free({own}"
    to = pointers(pool)["to"]
    low = f" {pool.on_low}() is told when {some(pool.low_water)} left." \
        if pool.on_low else ""
    return [
        Call(to, "alloc", "void", cast(pool, taken(pool, f"{noun}_alloc({own})")),
             f"A slot, not initialised. {when_full(pool)}{low}{released(pool)}"),
        Call("void", "free", f"{to}object", f"{free}, {given(pool)})",
             f"Takes back what {pool.name}_alloc() returned.{freeing(pool)}"
             f"{untold(pool)}"),
    ]


def some(slots):
    return "1 is" if slots == 1 else f"{slots} are"


def released(pool):
    """What is said of memory that comes and goes."""
    if is_lender(pool):
        return (f" Not after {pool.name}_release() was true, until another pool has "
                "borrowed a slot: the memory is nobody's.")
    if pool.full == "spill" and pool.spill:
        return f" Released memory of {pool.spill} is taken again."
    return ""


def freeing(pool):
    if pool.handles and pool.isr and pool.steals:
        return " Where an interrupt steals, free by handle."
    return f" {pool.on_refill}() is told when {some(pool.refill)} free again." \
        if pool.on_refill else ""


def untold(pool, by=""):
    """What is said of a call that knows slots alone, where there are hooks, or parts
    that slots retain."""
    destroys = f"{pool.name}_destroy{by}()"
    told = f" {pool.deinit}() is not told: {destroys} tells it." * bool(pool.deinit)
    kept = f" What it retains is not put aside: {destroys} does that."
    return told + kept * bool(pool.retain)


def handle_noun(pool):
    return ("tp_lent" if pool.lent else "tp_handle") + "64" * (pool.handles == 64)


def handle_verb(pool, verb):
    """The library's call that issues a slot, or takes one back, by handle."""
    quick = pool.lent or noun_of(pool) == "tp_pool"
    return f"{handle_noun(pool)}_{verb}" + ("" if quick else "_aged")


def handle_calls(pool):
    noun, kind = handle_noun(pool), handle_type(pool)
    own, to = f"&{pool.name}_pool", pointers(pool)["to"]
    calls = [
        alloc_handle(pool, "alloc", "pool"),
        Call(kind, "handle", f"{pointers(pool)['of']}object",
             f"{noun}_of({own}, {slot_of(pool)})",
             "The handle of a live object; of none iff it is none of these."),
        Call(to, "get", f"{kind} handle",
             cast(pool, f"{noun}_get({own}, handle.bits)"),
             "What the handle refers to; NULL iff that is gone."),
        Call("bool", "free_handle", f"{kind} handle",
             served(pool, f"{handle_verb(pool, 'free')}({own}, {given_handle(pool)})"),
             f"Takes it back; false iff it is gone already.{untold(pool, '_handle')}"),
        same_call(pool),
    ] + (pin_handle_calls(pool) if pool.steals else [])
    return [call for call in calls
            if not pool.own_handles or call.name not in OWN_HANDLE_CALLS]


def served(pool, freed):
    """Of a pool that is waited for: [freed], and if it was, who waits has the slot."""
    if not pool.awaited:
        return freed
    own = f"&{pool.name}_wait"
    return [f"bool freed = {freed};",
            f"if (freed && tp_wait_is_awaited({own})) tp_wait_serve({own});", "freed"]


# Those that tp_pools.c defines where a row has code of its own.
OWN_HANDLE_CALLS = ("alloc_handle", "get", "free_handle")


def own_handle_calls(pool):
    kind, to = handle_type(pool), pointers(pool)["to"]
    handle = alloc_handle(pool, "alloc", "pool")
    return [
        handle,
        Call(to, "get", f"{kind} handle", "",
             "What the handle refers to; NULL iff that is gone."),
        Call("bool", "free_handle", f"{kind} handle", "",
             "Takes it back; false iff it is gone already."),
    ]


def alloc_handle(pool, verb, descriptor):
    known = f"&{pool.name}_{descriptor}, " + "UINT32_MAX, " * pool.lent
    return Call(pointers(pool)["to"], f"{verb}_handle", f"{handle_type(pool)} *handle",
                cast(pool, taken(pool, f"{handle_verb(pool, 'alloc')}({known}"
                                 "&handle->bits)", True)),
                f"{pool.name}_{verb}(), and the handle of what it returns.")


def pin_handle_calls(pool):
    noun, kind = handle_noun(pool), handle_type(pool)
    own, to = f"&{pool.name}_pool", pointers(pool)["to"]
    return [
        Call(to, "pin_handle", f"{kind} handle",
             cast(pool, f"{noun}_pin({own}, handle.bits)"),
             "Keeps it from being stolen; NULL iff it is gone."),
        Call("bool", "unpin_handle", f"{kind} handle",
             f"{noun}_unpin({own}, {kept_handle(pool)})",
             "Lets it be stolen again; false iff it is gone."),
    ]


REFUSED = " NULL also iff the score is below all others'."


def scored_calls(pool):
    own, to, handled = f"&{pool.name}_pool", pointers(pool)["to"], handle_out(pool)
    refused = REFUSED if pool.refuse_below else ""
    said = ", and the handle of what it returns" if pool.handles else ""
    alloc = f"{handle_noun(pool)}_alloc" if pool.lent else \
        f"tp_least_alloc{handled.verb}"
    return [Call(to, "alloc_scored", f"uint32_t score{handled.declared}",
                 cast(pool, taken(pool, f"{alloc}({own}, score{handled.given})",
                                  pool.handles)),
                 f"{pool.name}_alloc() for what has this score{said}.{refused}")]


# How a call that also gives a handle goes on: its parameter, the library's verb and
# the argument; nothing for a row without handles.
Handled = collections.namedtuple("Handled", "declared verb given")


def handle_out(pool):
    if not pool.handles:
        return Handled("", "", "")
    wide = "64" if pool.handles == 64 else ""
    return Handled(f", {handle_type(pool)} *handle", f"_handle{wide}",
                   ", &handle->bits")


def pin_calls(pool):
    own, to = f"&{pool.name}_pool", pointers(pool)["to"]
    return [
        Call("void", "pin", f"{to}object", f"tp_pool_pin({own}, {slot_of(pool)})",
             "Keeps a live object from being stolen. It may be freed."),
        Call("void", "unpin", f"{to}object",
             f"tp_pool_unpin({own}, {kept(pool, slot_of(pool))})",
             "Lets it be stolen again, last of all."),
    ]


def wait_calls(pool):
    own, to = f"&{pool.name}_wait", pointers(pool)["to"]
    by_handle = Call(to, "alloc_wait_handle",
                     f"{handle_type(pool)} *handle, uint32_t ticks",
                     [f"{to}object = {pool.name}_alloc_wait(ticks);",
                      f"*handle = {pool.name}_handle(object);", "object"],
                     f"{pool.name}_alloc_wait(), and the handle of what it returns.")
    return [
        Call(to, "alloc_wait", "uint32_t ticks",
             cast(pool, taken(pool, f"tp_wait_alloc({own}, ticks)")),
             f"{pool.name}_alloc() that waits while {all_live(pool)}, first come first "
             "served among tasks as urgent. NULL iff none was free within [ticks], "
             f"TP_WAIT_FOREVER for no end, or {pool.name}_cancel_wait() was called. "
             "Not in interrupts."),
        Call("uint32_t", "cancel_wait", "void", f"tp_wait_cancel({own})",
             "Sends all away who wait now. Returns how many."),
    ] + [by_handle] * bool(pool.handles)


def urgent_calls(pool):
    return [Call(pointers(pool)["to"], "alloc_urgent", "void",
                 cast(pool, taken(pool, f"tp_pool_alloc(&{pool.name}_urgent_pool)")),
                 f"The same, the reserve of {pool.reserve} included. When all "
                 f"{pool.count} are live: {refusal(pool.full)}.")] \
        + [alloc_handle(pool, "alloc_urgent", "urgent_pool")] * pool.lent


def watched_calls(pool):
    return [Call("void", "reset", "void", f"tp_watermark_reset(&{pool.name}_watermark)",
                 f"Takes every object back; {told_of_reset(pool)}")]


def chunk_calls(pool):
    own = f"&{pool.name}_pool"
    chunk = "const struct tp_chunk *chunk"
    return [
        Call("void", "attach", chunk, f"tp_chunk_attach({own}, chunk)",
             "Adds the slots of one of " + ", ".join(f"&{name}_chunk"
                                                     for name in pool.chunks) + "."),
        Call("bool", "detach", chunk, f"tp_chunk_detach({own}, chunk)",
             "Takes it away again; false iff an object in it is live."),
        Call("uint32_t", "release", "void", f"tp_spill_release({own})",
             "Takes all away that are empty. Returns how many stay."),
        Call("void", "reset", "void", f"tp_spill_reset({own})",
             "Takes every object back, here and in all that are attached; nobody is "
             "told."),
    ]


def lender_calls(pool):
    return [Call("bool", "release", "void", f"tp_chunk_release(&{pool.name}_chunk)",
                 "Gives its memory up while nothing of it is lent: true iff it is "
                 "nobody's now. The next need takes it again.")]


def is_lender(pool):
    return any(other.spill == pool.name for other in pool.borrowers)


def retained_calls(pool):
    return [Call("bool", "validate", "void",
                 f"tp_noinit_validate(&{pool.name}_noinit)",
                 "Once after each reset, before all else: true iff what lives in "
                 "it is as it was. Otherwise it is empty now.")]


def create_calls(pool):
    """For each init, with a handle or with a score and a handle if there are any."""
    return [call for name in pool.inits or [""] for call in creating(pool, name)]


def creating(pool, name):
    part, init = f"_{name}" * bool(name), f"init_{name}" if name else "init"
    own, to = f"&{pool.name}{part}_objects", pointers(pool)["to"]
    handled, create = handle_out(pool), f"{pool.name}_create{part}()"
    hook = getattr(pool, init)
    made = f" {hook}() makes it one; NULL if that returns false." if hook else ""
    calls = [Call(to, f"create{part}", "void *context",
                  cast(pool, taken(pool, f"tp_object_alloc({own}, context)")),
                  f"An object.{made} {when_full(pool)}")]
    if pool.handles:
        calls += [Call(to, f"create{part}_handle", f"void *context{handled.declared}",
                       cast(pool, taken(pool, f"{handled_create(pool)}({own}, context, "
                                        f"UINT32_MAX{handled.given})", True)),
                       f"{create}, and the handle of what it returns.")]
    if pool.answer == "steal-least":
        refused = REFUSED if pool.refuse_below else ""
        said = ", and the handle of what it returns" if pool.handles else ""
        calls += [Call(to, f"create{part}_scored",
                       f"void *context, uint32_t score{handled.declared}",
                       cast(pool, taken(pool, f"{handled_create(pool)}({own}, context, "
                                        f"score{handled.given})", pool.handles)),
                       f"{create} for what will have this score{said}.{refused}")]
    return calls


def handled_create(pool):
    if pool.lent:
        return f"{handle_noun(pool)}_create"
    return f"tp_object_alloc{handle_out(pool).verb or '_scored'}"


def seen_update(pool):
    """An update that is part of the caller."""
    given = [f"&{pool.name}_objects", f"&{pool.name}_pool",
             "true" if pool.isr else "false", hooked(pool, "in_use") or "NULL", "step",
             "context"]
    head = "tp_update_objects("
    return head + (",\n" + " " * (2 + len(head))).join(
        [", ".join(given[:3]), ", ".join(given[3:])]) + ")"


def object_calls(pool):
    own, to = f"&{pool.name}_objects", pointers(pool)["to"]
    slot, noun = slot_of(pool), "tp_link" if pool.link else "tp_object"
    at = f"{own}, {pool.link}" if pool.link else own
    update = f"{noun}_update({at}, step, context)"
    if pool.sees_steps:
        update = seen_update(pool)
    told = f" {pool.deinit}() is told." if pool.deinit else ""
    return [
        *create_calls(pool),
        Call("void", "destroy", f"{to}object", f"tp_object_free({own}, {given(pool)})",
             f"Ends a live object.{told}{untouched(pool)}"),
        *ending_calls(pool),
        Call("bool", "is_live", f"{pointers(pool)['of']}object",
             f"tp_object_is_live({own}, {slot})",
             "Does a live object of these begin there?"),
        Call("void", "update", "bool (*step)(void *, void *), void *context",
             update,
             "Calls step(object, context) for each live object and destroys those "
             "for which it returns false. Those born meanwhile wait."),
        Call("void", "walk", "void (*visit)(void *, void *), void *context",
             f"{noun}_walk({at}, visit, context)",
             "Calls visit(object, context) for each live object."),
        Call("void", "clear", "void", f"tp_object_clear({own})",
             "Destroys every live object."),
        Call("void", "audit", "void", f"tp_object_audit({own})",
             "Compares what in_use says with who lives. Faults: IN_USE."
             f"{last_stores(pool)}"),
    ]


def last_stores(pool):
    """What is said of who asks the dead of a class."""
    return (" What a destructor writes last GCC leaves out, so that a dead object may "
            "say that it lives: -fno-lifetime-dse, or a volatile member.") \
        * bool(pool.is_class and pool.in_use)


LIFE = ("alloc", "free", "alloc_handle", "free_handle", "create", "create_handle",
        "create_scored", "destroy", "destroy_handle")


def class_calls(pool):
    """Those of a row of a class that begin and end no life, as print_class() does."""
    groups = [(pool.handles, handle_calls), (pool.pin, pin_calls),
              (pool.owner, owner_calls), (True, object_calls)]
    return [call for has, group in groups if has for call in group(pool)
            if call.name not in LIFE]


def print_class(pool):
    """What constructs and destroys."""
    name, to, handled = pool.name, pointers(pool)["to"], handle_out(pool)
    own = f"&{name}_pool"
    lines = construction(pool, "create", "",
                         taken(pool, f"{noun_of(pool)}_alloc({own})"),
                         f"Constructs an object of the arguments. {when_full(pool)}")
    if pool.handles:
        lines += construction(pool, "create_handle", handled.declared[2:] + ", ",
                              taken(pool, f"{handle_verb(pool, 'alloc')}({own}"
                                    f"{handled.given})", True),
                              f"{name}_create(), and the handle of what it returns.")
    if pool.answer == "steal-least":
        refused = REFUSED if pool.refuse_below else ""
        lines += construction(pool, "create_scored",
                              f"uint32_t score{handled.declared}, ",
                              taken(pool, f"tp_least_alloc{handled.verb}({own}, score"
                                    f"{handled.given})", pool.handles),
                              f"{name}_create() for what will have this score."
                              f"{refused}")
    free = f"tp_object_free(&{name}_objects, {given(pool)})"
    lines += print_call(pool, Call("void", "destroy", f"{to}object", free,
                                   "Destroys a live object and frees its slot."
                                   + untouched(pool)))
    return lines + [line for call in ending_calls(pool)
                    for line in print_call(pool, call)]


def ending_calls(pool):
    if not pool.handles:
        return []
    return [Call("bool", "destroy_handle", f"{handle_type(pool)} handle", ended(pool),
                 f"{pool.name}_destroy() of what it refers to, pinned or not; false "
                 "iff that is gone already.")]


def untouched(pool):
    """What is ending is pinned, so that nobody steals it."""
    others = pool.steals and (pool.pin or pool.handles) and pool.isr
    return " No interrupt pins or unpins it meanwhile." * bool(others)


def ended(pool):
    """What may be stolen is held meanwhile, but for what is lent."""
    wide = "64" * (pool.handles == 64)
    held = f"tp_object_free_handle{wide}(&{pool.name}_objects, {given_handle(pool)})"
    found = [f"{pointers(pool)['to']}object = {pool.name}_get(handle);",
             f"if (object) tp_object_free(&{pool.name}_objects, {given(pool)});",
             "object != NULL"]
    if not pool.steals:
        return found
    return [f"if ({held}) return true;", *found] if pool.lent else held


def construction(pool, verb, parameter, slot, says):
    to = pointers(pool)["to"]
    lost = ["  if (!object) *handle = {};"] \
        if pool.steals and "*handle" in parameter else []
    return ["", *remark(says), 'extern "C++" {', "template <class... Arguments>",
            f"static inline TP_CALL {to}{pool.name}_{verb}("
            + parameter + "Arguments &&...arguments)", "{",
            *[f"  {line}" for line in seal_checks(pool)],
            f"  {to}object = tidepool::construct<{pool.type}>(",
            f"      {pool.name}_pool, tp_update_born(&{pool.name}_objects,",
            f"                                  {slot}),",
            "      static_cast<Arguments &&>(arguments)...);", *lost,
            "  return object;", "}", "}"]


def pool_calls(pool):
    """Those that stand for a call of the library."""
    if pool.is_class:
        return class_calls(pool)
    groups = [(pool.code != "own", plain_calls), (pool.handles, handle_calls),
              (pool.answer == "steal-least", scored_calls), (pool.pin, pin_calls),
              (pool.owner, owner_calls), (pool.dma, dma_calls),
              (pool.watched and not pool.dma, watched_calls),
              (pool.reserve, urgent_calls), (pool.awaited, wait_calls),
              (pool.chunks, chunk_calls),
              (is_lender(pool), lender_calls), (pool.retained, retained_calls),
              (pool.objects, object_calls)]
    return [call for has, group in groups if has for call in group(pool)]
