# SPDX-License-Identifier: MIT
"""Print: the calls of each row, with their contracts, as functions of tp_pools.h."""

import collections
import re
import textwrap

from .allocators import Blocks, Dense, Frame, Nest, Relocating, Scenes, Stack
from .page import c_name, pointers
from .rows import Pool
from .values import OWN_POLICY

WIDTH = 80  # Of C.

# A function: what it returns, its name behind that of the row, its parameters, the
# expression it stands for, its contract.
Call = collections.namedtuple("Call", "returns name parameters does says")


def print_call(row, call):
    """Its lines, an empty one on top."""
    back = "" if call.returns == "void" else "return "
    body = [f"  {back}{call.does};"]
    if call.returns == handle_type(row):
        body = [f"  {call.returns} handle = {{{call.does}}};", "  return handle;"]
    return ["", *remark(call.says), *signature(row, call, "static inline TP_CALL "),
            "{", *body, "}"]


def print_prototype(row, call):
    """The same for what tp_pools.c defines."""
    lines = signature(row, call, "")
    return ["", *remark(call.says), *lines[:-1], lines[-1] + ";"]


def signature(row, call, before):
    gap = "" if call.returns.endswith("*") else " "
    head = f"{before}{call.returns}{gap}{row.name}_{call.name}("
    line = f"{head}{call.parameters})"
    if len(line) < WIDTH:
        return [line]
    parts = re.split(r", (?![^(]*\))", call.parameters)
    return (head + (",\n" + " " * len(head)).join(parts) + ")").split("\n")


def remark(text):
    """[text] as comment."""
    return [f"// {line}" for line in
            textwrap.wrap(text, WIDTH - 3, break_long_words=False)]


def calls_of(row):
    return CALLS[type(row)](row)


def handle_type(row):
    return f"{row.name}_handle_t"


def same_call(row):
    kind = handle_type(row)
    return Call("bool", "same", f"{kind} one, {kind} other", "one.bits == other.bits",
                "Are they of one object, or both of none?")


def cast(row, expression):
    """[expression], a pointer to void at a slot, as one to the row's type."""
    if row.link:
        expression = f"tp_link_result({expression}, {row.link})"
    if c_name(row) == "void":
        return expression
    return f"({pointers(row)['to'].rstrip()}){expression}"


def slot_of(row, name="object"):
    """What the library takes for the object called [name]."""
    return f"tp_link_slot({name}, {row.link})" if row.link else name


def refusal(full):
    return "a fault, FULL" if full == "assert" else "NULL"


# Pools.

def when_full(pool):
    """What a request gets that finds every slot live."""
    return f"When {all_live(pool)}: {answer(pool)}."


def all_live(pool):
    if pool.cut:
        return "all that the scene gives it are live"
    return "its one slot is live" if pool.slots == 1 else f"all {pool.slots} are live"


def answer(pool):
    if pool.full == OWN_POLICY:
        return f"what {pool.policy} answers"
    if pool.full == "spill":
        return (f"a slot of {pool.spill}; when that has none either: "
                f"{refusal(pool.then)}")
    if pool.reserve:
        return (f"{refusal(pool.full)}. {pool.reserve} more are for "
                f"{pool.name}_alloc_urgent()")
    return theft(pool) if pool.steals else refusal(pool.full)


def theft(pool):
    victim = "oldest"
    if pool.full == "steal-least":
        victim = f"one of the least {pool.score}()"
    told = pool.evict or pool.deinit
    loss = f"{told}() is told" if told else "its handle is stale"
    loss = "its destructor runs" if pool.is_class else loss
    spared = ["pinned"] * pool.pin
    spared += [f"younger than {pool.min_age}"] if pool.min_age else []
    spared = ", ".join(spared + ["changing hands"])
    spared = re.sub(r"(.*), ", r"\1 or ", spared)
    return f"the {victim} is stolen, {loss}. NULL iff each is {spared}"


def plain_calls(pool):
    """Those that issue slots and take them back."""
    own = f"&{pool.name}_" + ("watermark" if pool.watched else "pool")
    noun = "tp_watermark" if pool.watched else "tp_pool"
    to = pointers(pool)["to"]
    low = f" {pool.on_low}() is told when {pool.low_water} are left." \
        if pool.on_low else ""
    return [
        Call(to, "alloc", "void", cast(pool, f"{noun}_alloc({own})"),
             f"A slot, not initialised. {when_full(pool)}{low}"),
        Call("void", "free", f"{to}object", f"{noun}_free({own}, {slot_of(pool)})",
             f"Takes back what {pool.name}_alloc() returned.{freeing(pool)}"),
    ]


def freeing(pool):
    if pool.handles and pool.isr and pool.steals:
        return " Where an interrupt steals, free by handle."
    return f" {pool.on_refill}() is told when {pool.refill} are free again." \
        if pool.on_refill else ""


def handle_calls(pool):
    noun = "tp_handle64" if pool.handles == 64 else "tp_handle"
    kind, own, to = handle_type(pool), f"&{pool.name}_pool", pointers(pool)["to"]
    home = " Never a slot of another pool." if pool.borrows else ""
    return [
        Call(to, "alloc_handle", f"{kind} *handle",
             cast(pool, f"{noun}_alloc({own}, &handle->bits)"),
             f"{pool.name}_alloc(), and the handle of what it returns.{home}"),
        Call(kind, "handle", f"{pointers(pool)['of']}object",
             f"{noun}_of({own}, {slot_of(pool)})",
             "The handle of a live object; of none iff it is none of these."),
        Call(to, "get", f"{kind} handle",
             cast(pool, f"{noun}_get({own}, handle.bits)"),
             "What the handle refers to; NULL iff that is gone."),
        Call("bool", "free_handle", f"{kind} handle",
             f"{noun}_free({own}, handle.bits)",
             "Takes it back; false iff it is gone already."),
        same_call(pool),
    ] + (pin_handle_calls(pool) if pool.steals else [])


def pin_handle_calls(pool):
    noun = "tp_handle64" if pool.handles == 64 else "tp_handle"
    kind, own, to = handle_type(pool), f"&{pool.name}_pool", pointers(pool)["to"]
    return [
        Call(to, "pin_handle", f"{kind} handle",
             cast(pool, f"{noun}_pin({own}, handle.bits)"),
             "Keeps it from being stolen; NULL iff it is gone."),
        Call("bool", "unpin_handle", f"{kind} handle",
             f"{noun}_unpin({own}, handle.bits)",
             "Lets it be stolen again; false iff it is gone."),
    ]


REFUSED = " NULL also iff the score is below all others'."


def scored_calls(pool):
    own, to, handled = f"&{pool.name}_pool", pointers(pool)["to"], handle_out(pool)
    refused = REFUSED if pool.refuse_below else ""
    said = ", and the handle of what it returns" if pool.handles else ""
    return [Call(to, "alloc_scored", f"uint32_t score{handled.declared}",
                 cast(pool, f"tp_least_alloc{handled.verb}({own}, score"
                      f"{handled.given})"),
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
        Call("void", "unpin", f"{to}object", f"tp_pool_unpin({own}, {slot_of(pool)})",
             "Lets it be stolen again, last of all."),
    ]


def urgent_calls(pool):
    return [Call(pointers(pool)["to"], "alloc_urgent", "void",
                 cast(pool, f"tp_pool_alloc(&{pool.name}_urgent_pool)"),
                 f"The same, the reserve of {pool.reserve} included. When all "
                 f"{pool.count} are live: {refusal(pool.full)}.")]


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
    made = f" {getattr(pool, init)}() makes it one." if getattr(pool, init) else ""
    calls = [Call(to, f"create{part}", "void *context",
                  cast(pool, f"tp_object_alloc({own}, context)"),
                  f"An object.{made} {when_full(pool)}")]
    if pool.handles:
        calls += [Call(to, f"create{part}_handle", f"void *context{handled.declared}",
                       cast(pool, f"tp_object_alloc{handled.verb}({own}, context, "
                            f"UINT32_MAX{handled.given})"),
                       f"{create}, and the handle of what it returns.")]
    if pool.full == "steal-least":
        refused = REFUSED if pool.refuse_below else ""
        said = ", and the handle of what it returns" if pool.handles else ""
        calls += [Call(to, f"create{part}_scored",
                       f"void *context, uint32_t score{handled.declared}",
                       cast(pool, f"tp_object_alloc{handled.verb or '_scored'}({own}, "
                            f"context, score{handled.given})"),
                       f"{create} for what will have this score{said}.{refused}")]
    return calls


def object_calls(pool):
    own, to = f"&{pool.name}_objects", pointers(pool)["to"]
    slot, noun = slot_of(pool), "tp_link" if pool.link else "tp_object"
    at = f"{own}, {pool.link}" if pool.link else own
    told = f" {pool.deinit}() is told." if pool.deinit else ""
    return [
        *create_calls(pool),
        Call("void", "destroy", f"{to}object", f"tp_object_free({own}, {slot})",
             f"Ends a live object.{told}"),
        Call("bool", "is_live", f"{pointers(pool)['of']}object",
             f"tp_object_is_live({own}, {slot})",
             "Does a live object of these begin there?"),
        Call("void", "update", "bool (*step)(void *, void *), void *context",
             f"{noun}_update({at}, step, context)",
             "Calls step(object, context) for each live object and destroys those "
             "for which it returns false. Those born meanwhile wait."),
        Call("void", "walk", "void (*visit)(void *, void *), void *context",
             f"{noun}_walk({at}, visit, context)",
             "Calls visit(object, context) for each live object."),
        Call("void", "clear", "void", f"tp_object_clear({own})",
             "Destroys every live object."),
        Call("void", "audit", "void", f"tp_object_audit({own})",
             "Compares what in_use says with who lives. Faults: IN_USE."),
    ]


LIFE = ("alloc", "free", "alloc_handle", "free_handle", "create", "create_handle",
        "create_scored", "destroy")


def class_calls(pool):
    """Those of a row of a class that begin and end no life, as print_class() does."""
    groups = [(pool.handles, handle_calls), (pool.pin, pin_calls), (True, object_calls)]
    return [call for has, group in groups if has for call in group(pool)
            if call.name not in LIFE]


def print_class(pool):
    """What constructs and destroys."""
    name, to, handled = pool.name, pointers(pool)["to"], handle_out(pool)
    own = f"&{name}_pool"
    lines = construction(pool, "create", "", f"tp_pool_alloc({own})",
                         f"Constructs an object of the arguments. {when_full(pool)}")
    if pool.handles:
        lines += construction(pool, "create_handle", handled.declared[2:] + ", ",
                              f"tp{handled.verb}_alloc({own}{handled.given})",
                              f"{name}_create(), and the handle of what it returns.")
    if pool.full == "steal-least":
        refused = REFUSED if pool.refuse_below else ""
        lines += construction(pool, "create_scored",
                              f"uint32_t score{handled.declared}, ",
                              f"tp_least_alloc{handled.verb}({own}, score"
                              f"{handled.given})",
                              f"{name}_create() for what will have this score."
                              f"{refused}")
    free = f"tp_object_free(&{name}_objects, object)"
    lines += print_call(pool, Call("void", "destroy", f"{to}object", free,
                                   "Destroys a live object and frees its slot."))
    if not pool.handles:
        return lines
    get = f"{name}_pin_handle" if pool.steals else f"{name}_get"
    return lines + ["", "// The same; false iff it is gone already.",
                    f"static inline TP_CALL bool {name}_destroy_handle("
                    f"{handle_type(pool)} handle)", "{",
                    f"  {to}object = {get}(handle);", f"  if (object) {free};",
                    "  return object != nullptr;", "}"]


def construction(pool, verb, parameter, slot, says):
    head = f"static inline TP_CALL {pointers(pool)['to']}{pool.name}_{verb}("
    return ["", *remark(says), 'extern "C++" {', "template <class... Arguments>",
            head + parameter + "Arguments &&...arguments)", "{",
            f"  return tidepool::construct<{pool.type}>({pool.name}_pool,",
            f"                             {slot},",
            "                             static_cast<Arguments &&>(arguments)...);",
            "}", "}"]


def pool_calls(pool):
    """Those that stand for a call of the library."""
    if pool.is_class:
        return class_calls(pool)
    groups = [(pool.code != "own", plain_calls), (pool.handles, handle_calls),
              (pool.full == "steal-least", scored_calls), (pool.pin, pin_calls),
              (pool.reserve, urgent_calls), (pool.retained, retained_calls),
              (pool.objects, object_calls)]
    return [call for has, group in groups if has for call in group(pool)]


# Memory given back all at once.

SCRATCH = "[size] bytes at a multiple of [align], a power of two."


def stack_calls(stack):
    noun, end, side = "tp_stack", "", f"&{stack.name}_stack"
    if stack.ends == 2:
        noun, end, side = "tp_dstack", "enum tp_end end, ", f"&{stack.name}_dstack, end"
    return [
        Call("void *", "alloc", f"{end}size_t size, size_t align",
             f"{noun}_alloc({side}, size, align)",
             f"{SCRATCH} When they do not fit: {refusal(stack.full)}."),
        Call("struct tp_mark", "mark", end.rstrip(", ") or "void",
             f"{noun}_mark({side})",
             f"Where {'that end' if end else 'it'} stands, to go back to."),
        Call("void", "release", f"{end}struct tp_mark mark",
             f"{noun}_release({side}, mark)",
             "Gives back all that was allocated since the mark, which must be the "
             "newest."),
        Call("void *", "alloc_block", f"{end}size_t size, size_t align",
             f"{noun}_alloc_block({side}, size, align)",
             f"{stack.name}_alloc() of what {stack.name}_free() takes back. It takes "
             "16 bytes more, or [align] if that is more."),
        Call("void", "free", f"{end}void *block", f"{noun}_free({side}, block)",
             f"Takes back what {stack.name}_alloc_block() returned last."),
    ]


def frame_calls(frame):
    life = "this frame lasts" if frame.buffers == 1 else f"{frame.buffers} frames last"
    return [
        Call("void *", "alloc", "size_t size, size_t align",
             f"tp_frame_alloc(&{frame.name}_frame, size, align)",
             f"{SCRATCH} Good for as long as {life}. When they do not fit: "
             f"{refusal(frame.full)}."),
        Call("void", "end", "void", f"tp_frame_end(&{frame.name}_frame)",
             "Ends the frame. What the next one allocates overwrites the oldest."),
    ]


def nest_calls(_):
    return []


# Requests of any size.

def block_calls(blocks):
    own, sizes = f"&{blocks.name}_blocks", [one.size for one in blocks.classes_made()]
    full = "When its size has no block left"
    if blocks.bigger:
        full = "When neither its size nor a bigger one has a block left"
    return [
        Call("void *", "alloc", "size_t size", f"tp_blocks_alloc({own}, size)",
             f"A block of at least [size] bytes, 1 to {max(sizes)}, aligned to 8. "
             f"{full}: {refusal(blocks.full)}."),
        Call("void", "free", "void *block", f"tp_blocks_free({own}, block)",
             f"Takes back what {blocks.name}_alloc() returned."),
    ]


def relocating_calls(row):
    own, kind = f"&{row.name}_reloc", handle_type(row)
    full = "that of none" if row.full == "drop" else "a fault, FULL"
    told = f" {row.on_move}() is told of each." if row.on_move else ""
    return [
        Call(kind, "alloc", "size_t size", f"tp_reloc_alloc({own}, size)",
             f"A block of [size] bytes, by handle. When they do not fit, or "
             f"{row.count} blocks live: {full}."),
        Call("bool", "free", f"{kind} handle", f"tp_reloc_free({own}, handle.bits)",
             "Takes the block back; false iff it is gone already."),
        Call("void *", "lock", f"{kind} handle", f"tp_reloc_lock({own}, handle.bits)",
             "Its address, where it stays until it is unlocked."),
        Call("bool", "unlock", f"{kind} handle",
             f"tp_reloc_unlock({own}, handle.bits)",
             "Lets it be moved again; false iff it is gone."),
        same_call(row),
        Call("struct tp_reloc_moved", "step", "void",
             f"tp_reloc_step({own}, {row.moves}, {row.move_bytes})",
             f"Moves at most {row.moves} blocks together, of {row.move_bytes} bytes "
             f"in all.{told}"),
    ]


# Objects side by side.

def dense_calls(row):
    own, to, kind = f"&{row.name}_dense", pointers(row)["to"], handle_type(row)
    wide = "64" if row.handles == 64 else ""
    noun, held, out = f"tp_dense{wide}", own + wide, f"(tp_handle{wide}_t *)handle"
    told = f" {row.on_move}() is told." if row.on_move else ""
    return [
        Call(to, "alloc", f"{kind} *handle",
             cast(row, f"{noun}_alloc({held}, {out})"),
             "An object behind the last, not initialised, and its handle. When all "
             f"{row.count} live: {refusal(row.full)}."),
        Call("bool", "free", f"{kind} handle", f"{noun}_free({held}, handle.bits)",
             "Takes it back; false iff it is gone already. The last object moves into "
             f"its place.{told}"),
        Call("void", "reset", "void", f"{noun}_reset({held})",
             "Takes them all back."),
        Call(to, "get", f"{kind} handle",
             cast(row, f"{noun}_get({held}, handle.bits)"),
             "What the handle refers to, good until the next one is freed; NULL iff "
             "that is gone."),
        Call(to, "at", "uint32_t index", cast(row, f"tp_dense_at({own}, index)"),
             f"The object at an index below {row.name}_count()."),
        Call(kind, "handle", "uint32_t index",
             f"{noun}_handle({held}, index)", "The handle of that object."),
        same_call(row),
        Call("uint32_t", "count", "void", f"tp_dense_count({own})",
             "Objects that live."),
        Call(to, "first", f"{kind} *handle",
             cast(row, f"{noun}_first({held}, {out})"),
             "Begins a walk, during which any object may be freed."),
        Call(to, "next", f"{kind} *handle",
             cast(row, f"{noun}_next({held}, {out})"),
             "The next that lived when the walk began; NULL behind the last."),
    ]


# The scenes of a game.

def scene_calls(scenes):
    own = f"&{scenes.name}_scenes"
    return [
        Call("uint32_t", "switch",
             "uint32_t scene, struct tp_scene_holder *holders",
             f"tp_scene_switch({own}, scene, holders)",
             "Leaves the current scene for another. Returns how many pools still "
             "have live objects, and lists them in [holders]; 0 iff it is entered."),
        Call("void", "force", "uint32_t scene", f"tp_scene_force({own}, scene)",
             "The same, but takes every live object back first."),
        Call("uint32_t", "current", "void", f"tp_scene_current({own})",
             "The scene entered last; TP_NO_SCENE iff there was none."),
    ]


CALLS = {Pool: pool_calls, Stack: stack_calls, Frame: frame_calls, Nest: nest_calls,
         Blocks: block_calls, Relocating: relocating_calls, Dense: dense_calls,
         Scenes: scene_calls}
