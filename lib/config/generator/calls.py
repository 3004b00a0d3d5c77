# SPDX-License-Identifier: MIT
"""Print: a call as a function of tp_pools.h, and those of each row but pools."""

import collections
import re
import textwrap

from .allocators import Blocks, Dense, Frame, Nest, Relocating, Scenes, Sleeper, Stack
from .page import c_name, pointers

WIDTH = 80  # Of C.

# A function: what it returns, its name behind that of the row, its parameters, the
# expression it stands for, its contract.
Call = collections.namedtuple("Call", "returns name parameters does says")


def print_call(row, call):
    """Its lines, an empty one on top. What it [does] is an expression, or statements
    and then one."""
    *before, does = [call.does] if isinstance(call.does, str) else call.does
    if "tp_" in " ".join([*before, does]):
        before = [*seal_checks(row), *before]
    back = "" if call.returns == "void" else "return "
    body = [f"  {line}" for line in before] + [f"  {back}{does};"]
    if call.returns == handle_type(row):
        body[-1:] = [f"  {call.returns} handle = {{{call.does}}};", "  return handle;"]
    return ["", *remark(call.says), *signature(row, call, "static inline TP_CALL "),
            "{", *body, "}"]


def seal_checks(row):
    """What comes first where the library reads descriptors that scenes write."""
    return [f"tp_seal_check(&{part.name}_scene_seal);" for part in row.parts()]


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


def all_of(row, those, live):
    """Are all that [row] has now [live]? As [those] says, but for what scenes cut."""
    if row.cut and not row.sleeps:
        return f"all that the scene gives it {live}"
    return those + ", or its bank sleeps" * bool(row.sleeps)


# Memory given back all at once.

SCRATCH = "[size] bytes at a multiple of [align], a power of two."


def never(row):
    """Of what does not fit even where nothing else is."""
    some = ", unless that is nothing" * bool(row.cut)
    return f"Of more than it has in all{some}: a fault, LARGE."


def stack_calls(stack):
    noun, end, side = "tp_stack", "", f"&{stack.name}_stack"
    if stack.ends == 2:
        noun, end, side = "tp_dstack", "enum tp_end end, ", f"&{stack.name}_dstack, end"
    return [
        Call("void *", "alloc", f"{end}size_t size, size_t align",
             f"{noun}_alloc({side}, size, align)",
             f"{SCRATCH} When they do not fit: {refusal(stack.full)}. {never(stack)}"),
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
             f"{refusal(frame.full)}. {never(frame)}"),
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
             f"{row.count} blocks live: {full}. {never(row)}"),
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
    full = all_of(row, f"all {row.slots} live", "live")
    return [
        Call(to, "alloc", f"{kind} *handle",
             cast(row, f"{noun}_alloc({held}, {out})"),
             "An object behind the last, not initialised, and its handle. When "
             f"{full}: {refusal(row.full)}."),
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
        Call("void", "walk", "void (*visit)(void *, void *), void *context",
             f"tp_dense_walk({own}, ({row.name.upper()}_SIZE + {row.align - 1}) / "
             f"{row.align} * {row.align}, visit, context)",
             "Calls visit(object, context) for each object, which frees none."),
    ]


# The scenes of a game.

def scene_calls(scenes):
    own = f"&{scenes.name}_scenes"
    return [
        Call("uint32_t", "switch",
             "uint32_t scene, struct tp_scene_holder *holders",
             f"tp_scene_switch({own}, scene, holders)",
             "Leaves the current scene for another. Returns how many rows still have "
             "something live, and lists them in [holders]; 0 iff it is entered."),
        Call("void", "force", "uint32_t scene", f"tp_scene_force({own}, scene)",
             "The same, but takes everything back first."),
        Call("uint32_t", "current", "void", f"tp_scene_current({own})",
             "The scene entered last; TP_NO_SCENE iff there was none."),
    ]


def sleeper_calls(sleeper):
    own = f"&{sleeper.name}_scenes"
    return [
        Call("uint32_t", "sleep", "struct tp_scene_holder *holders",
             f"tp_scene_switch({own}, 0, holders)",
             "From here on every row of this table in the bank is full, and nothing "
             "of them touches its memory, which may lose power once those of all "
             "tables sleep. Returns how many rows still have something "
             "live, and lists them in [holders], unless that is NULL: then nothing "
             "changed; 0 iff it sleeps."),
        Call("void", "wake", "void", f"(void)tp_scene_switch({own}, 1, NULL)",
             "The rows of the bank are empty and have all of their memory, which has "
             "power again. At boot they sleep. Nothing changes if something lives."),
        Call("bool", "is_awake", "void", f"tp_scene_current({own}) == 1",
             "Was it woken last? False after boot."),
    ]


CALLS = {Stack: stack_calls, Frame: frame_calls, Nest: nest_calls,
         Blocks: block_calls, Relocating: relocating_calls, Dense: dense_calls,
         Scenes: scene_calls, Sleeper: sleeper_calls}
