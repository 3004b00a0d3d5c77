# SPDX-License-Identifier: MIT
"""Print: rows to tp_pools.h."""

import pathlib
import re

from .allocators import Blocks, Dense, Frame, Nest, Relocating, Scenes, Sleeper, Stack
from .calls import handle_type, print_call, print_prototype, remark
from .dma import dma_objects
from .page import (
    USELESS, Page, c_types, cast, comment, declared_casts, duration, formula, hash_of,
    hook, in_cpp, paragraphs, pointers)
from .owners import owned_objects
from .pool_calls import calls_of, own_handle_calls, plain_calls, print_class
from .registry import identifiers
from .rows import Pool
from .toml import plain
from .values import COUNT_MAX, REUSES_PER_SECOND, STRIDE_MAX, unknown

# The header of each kind of row, and of what a pool may have.
HEADERS = {Stack: "allocator/tp_stack.h", Frame: "allocator/tp_frame.h",
           Blocks: "allocator/tp_blocks.h", Relocating: "allocator/tp_reloc.h",
           Dense: "allocator/tp_dense.h", Nest: "allocator/tp_nest.h",
           Scenes: "object/tp_scene.h", Sleeper: "object/tp_scene.h"}
DSTACK_HEADER = "allocator/tp_dstack.h"
DENSE64_HEADER = "allocator/tp_dense64.h"
FEATURE_HEADERS = [
    ("core/tp_cores.h", lambda pool: pool.lock == "cores"),
    ("core/tp_magazine.h", lambda pool: pool.magazine),
    ("policy/tp_steal_least.h", lambda pool: pool.answer == "steal-least"),
    ("policy/tp_spill.h",
     lambda pool: pool.full == "spill" or pool.borrowers or pool.reserve),
    ("policy/tp_watermark.h", lambda pool: pool.watched),
    ("policy/tp_wait.h", lambda pool: pool.awaited),
    ("object/tp_object.h", lambda pool: pool.objects),
    ("object/tp_lent.h", lambda pool: pool.lent),
    ("object/tp_link.h", lambda pool: pool.link),
    ("object/tp_dma.h", lambda pool: pool.dma),
    ("object/tp_owner.h", lambda pool: pool.owner),
    ("object/tp_update.h", lambda pool: pool.sees_steps),
    ("object/tp_build.h", lambda pool: pool.retained),
]


VERSION_HEADER = pathlib.Path(__file__).resolve().parents[2] / "tidepool_version.h"


def version_guard():
    """Stops the compiler if the library is of another version than this generator."""
    text = VERSION_HEADER.read_text(encoding="utf-8")
    number = re.search(r"VERSION +(\d+)$", text, re.M)[1]
    version = re.search(r'VERSION_TEXT "(.*)"', text)[1]
    return [f"TP_STATIC_ASSERT(TIDEPOOL_VERSION == {number},",
            f'                 "tidepool.py of version {version} generated this, but '
            'the library is of version "',
            "                 TIDEPOOL_VERSION_TEXT);"]


# Clang looks for casts of C in extern "C", too.
SILENT = ["#pragma GCC diagnostic push",
          '#pragma GCC diagnostic ignored "-Wold-style-cast"']
LOUD = ["#pragma GCC diagnostic pop"]


class Header(Page):
    """Declares what each row makes, under the comment that stands above the row."""

    def __init__(self, config, path, lines):
        super().__init__(config, path, lines)
        self.declared = set()

    def text(self):
        return paragraphs([
            [f"// {self.banner}", "// clang-format off"],
            [f"#ifndef {self.upper}_POOLS_H", f"#define {self.upper}_POOLS_H"],
            in_cpp(*SILENT, *USELESS) + self.includes() + in_cpp(*LOUD),
            *[declare_handle(row) for row in self.config.rows()
              if getattr(row, "handles", 0)],
            self.includes_of_the_application(),
            in_cpp(*SILENT, 'extern "C" {'),
            ["// Of the values alone: comments and layout do not change it.",
             f"#define {self.upper}_CONFIG_HASH {hash_of(self.config):#010x}u"],
            version_guard(),
            identifiers(self.config),
            *[self.declare(row) for row in self.config.rows()],
            in_cpp("}", *LOUD),
            ["#endif"],
        ])

    def includes(self):
        names = {name for row in self.config.rows() for name in headers_of(row)}
        names |= {"core/tp_registry.h"} if self.config.build.name else set()
        return [include(name) for name in
                ["tidepool.h", "tidepool_version.h", *sorted(names)]]

    def includes_of_the_application(self):
        """Behind the types of handles, which its structs may hold."""
        build, rows = self.config.build, self.config.rows()
        lines = [include(name) for name in build.headers]
        cpp = [include(name) for name in build.cpp_headers]
        cpp += ['#include "tidepool.hpp"'] * any(row.is_class for row in rows)
        return lines + (in_cpp(*cpp) if cpp else [])

    def declare(self, row):
        """All of a row: what it takes, its numbers, what it is given, its calls."""
        return self.comments_above(row) + self.costs(row) + who_calls(row) \
            + self.wraps(row) + self.body(row)

    def body(self, row):
        """Of that what the compiler reads."""
        objects = [f"extern {what} {row.name}_{name};"
                   for what, name in objects_of(row)]
        objects += [f"extern const struct tp_seal {part.name}_scene_seal;"
                    for part in row.parts()]
        if row.is_cpp:
            return objects + in_cpp(*self.typed(row, []))
        return self.typed(row, objects)

    def typed(self, row, objects):
        """What names its type."""
        lines = self.numbers(row) + self.claims(row) + self.prototypes(row) + objects
        if isinstance(row, Pool) and row.code == "own":
            calls = plain_calls(row)
            calls += own_handle_calls(row) if row.own_handles else []
            lines += [line for call in calls for line in print_prototype(row, call)]
        lines += [line for call in calls_of(row) for line in print_call(row, call)]
        if isinstance(row, (Pool, Dense)) and row.handles:
            lines += resolve(row)
        return lines + (print_class(row) if row.is_class and isinstance(row, Pool)
                        else [])

    def numbers(self, row):
        """Counts and sizes as constants, and the scenes by name."""
        numbers = numbers_of(row)
        lines = [f"  {row.name.upper()}_{name} = {self.number(row, name, number)}"
                 for name, number in numbers]
        lines = ["enum {", *lines, "};"] if numbers else []
        if row.union and unknown(row.size):
            lines = self.union(row) + lines
        if row is self.config.scenes:
            names = [scene.name.upper() for scene in row.scenes] + ["N"]
            lines += [f"enum {self.config.prefix}_scene_id {{",
                      *[f"  {self.upper}_SCENE_{name}," for name in names], "};"]
        return lines

    def number(self, row, name, number):
        """Where it names what the compiler does not know, that shows the row."""
        if not unknown(number):
            return f"{number},"
        key, text = formula(row, name)
        return f"{text},  // {self.at(row, key)}"

    def union(self, row):
        """What is as large as the largest of its types."""
        members = [f"{name}{'' if name.endswith('*') else ' '}type_{number};"
                   for number, name in enumerate(row.union, 1)]
        return [f"union {row.name}_slot {{  // {self.at(row, 'union')}",
                *[f"  {member}" for member in members], "};"]

    def prototypes(self, row):
        """What the application defines."""
        lines = []
        if row.opaque and re.match("(struct|union) ", row.type):
            lines = self.once(f"{row.type.rstrip(' *')};")
        for key in row.CALLBACKS:
            lines += self.hook_prototype(row, key)
        for key in declared_casts(row):
            lines += [line.replace("static", "static inline", 1)
                      for line in cast(row, key)]
        if not isinstance(row, Pool):
            return lines
        if row.policy:
            lines += self.once(f"extern const struct tp_policy {row.policy};")
        for key in ("on_low", "on_refill"):
            lines += self.prototype(getattr(row, key), "void",
                                    "const struct tp_pool *pool, uint32_t free")
        lines += self.prototype(row.validate, "bool", "void *part")
        return lines + self.prototype(row.close, "void", "void *part")

    def comments_above(self, row):
        """The comment on top of the row, without headings of columns."""
        first = last = row.place().line - 1
        while first and self.lines[first - 1].lstrip(" \t").startswith("#"):
            first -= 1
        texts = [line.strip(" \t").lstrip("#") for line in self.lines[first:last]]
        return [comment(text) for text in texts if not re.search(r"\S {3,}\S", text)]

    def costs(self, row):
        """What it takes of RAM."""
        if isinstance(row, Pool):
            return remark(f"RAM: {self.pool_costs(row)}, and its state.")
        where = f" in {row.lies_in}" if row.lies_in else ""
        parts = row.tenants()
        if not all(part.counts() for part in parts):
            return remark(f"RAM: as C counts it{where}.")
        own = f"{sum(part.arena_bytes() for part in parts)} bytes{where}"
        if row.parts():
            own = f"what{where} scenes give it"
            own = f"what it has awake{where}" if row.sleeps else own
        return remark(f"RAM: {own}, "
                      f"{sum(part.metadata_bytes() for part in parts)} of metadata.")

    def pool_costs(self, pool):
        where = f" in {pool.lies_in}" if pool.lies_in else ""
        off = "" if pool.tagged else f" ({pool.tag_bytes('off')} at off)"
        metadata = pool.metadata()
        ages = metadata.get("age", 0) + metadata.get("born", 0)
        rest = pool.metadata_bytes() - metadata["state"] - metadata["tag"] - ages
        slots = f"{pool.arena_bytes()} bytes of slots{where}"
        if pool.sleeps:
            slots = f"{pool.slots} slots, awake{where}"
        elif pool.cut:
            slots = f"slots{where} as scenes cut them"
        elif unknown(pool.arena_bytes()):
            slots = f"{pool.slots} slots of {pool.size} bytes{where}"
        if unknown(pool.slots):
            return f"{slots}, their metadata"
        parts = [slots, f"{ages} of ages" if ages else "",
                 f"{pool.tag_bytes()} of tags{off}",
                 f"{rest} of other metadata" if rest else ""]
        return ", ".join(filter(None, parts))

    def wraps(self, row):
        if not getattr(row, "handles", 0) or unknown(row.slots):
            return []
        return remark(f"Handles: {row.generation_bits} bits of generation wrap after "
                      f"{duration(row.wrap_seconds)} of {REUSES_PER_SECOND} reuses a "
                      "second.")

    def claims(self, row):
        """That each C type is what the row says, and each number what it may be."""
        types = c_types(row)
        lines = [line for name, number in numbers_of(row) if unknown(number)
                 for line in self.bounds(row, name)]
        lines += [line for name in types for line in self.claim(row, name)]
        if row.is_class and isinstance(row, Dense):
            lines += self.promise(row, "type", f"__is_trivially_copyable({row.type})",
                                  f"a dense pool moves a {row.type} by its bytes")
        bounded = types and "size" in row.node.value
        return lines + (self.needs(row, types) if bounded else [])

    def bounds(self, row, name):
        """Of a number that C computes."""
        key, text = formula(row, name)
        low, high = (1, COUNT_MAX) if name == "COUNT" else (row.SIZE_MIN, STRIDE_MAX)
        what, hint = f"{key} = {text}", ""
        if key in ("type", "union"):
            what, hint = text, f", or size = {low} be written"
        number = f"{row.name.upper()}_{name}"
        return self.promise(row, key, f"{number} >= {low} && {number} <= {high}",
                            f"{what} must be {low} to {high}{hint}")

    def needs(self, row, types):
        """GCC does not say of an assertion of C what its numbers are."""
        typedef = f"typedef char {row.name}_size_must_be"
        size = f"(size_t){row.size}" if unknown(row.size) else row.size
        return [*self.once("// Twice the same type, or the compiler says how many "
                           "bytes a slot must hold."),
                f"{typedef}[{row.size}];",
                *[f"{typedef}[sizeof({name}) > {size} ? sizeof({name}) : {size}];"
                  for name in types]]

    def claim(self, row, name):
        """A compiler that does not know the type shows the line of its row, too."""
        size, lines = row.node.value.get("size"), []
        key = "type" if row.type else "union"
        if size:
            lines = self.promise(row, key, f"sizeof({name}) <= {row.name.upper()}_SIZE",
                                 f"size = {plain(size)} is less than sizeof({name})",
                                 "size")
        return lines + self.promise(row, key, f"TP_ALIGNOF({name}) <= {row.align}",
                                    f"align = {row.align} is less than {name} needs",
                                    "align")

    def prototype(self, function, returns, parameters):
        return self.once(f"{returns} {function}({parameters});") if function else []

    def hook_prototype(self, row, key):
        made = hook(key)
        return self.prototype(getattr(row, key), made.returns,
                              made.typed.format(**pointers(row)))

    def once(self, declaration):
        """With the first row that needs it."""
        if declaration in self.declared:
            return []
        self.declared.add(declaration)
        return [declaration]


def who_calls(row):
    """The contexts that the row names."""
    said = [f"{word}: {', '.join(names)}." for word, names in [
        ("Allocates", row.allocates), ("Waits", row.waits), ("Frees", row.frees)]
        if names]
    return remark(" ".join(said))


def declare_handle(row):
    """A type of its own, for the compiler to tell from those of other rows."""
    none, kind = f"{row.name.upper()}_NO_HANDLE", handle_type(row)
    bits = "tp_handle64_t" if row.handles == 64 else "tp_handle_t"
    return [*remark(f"A handle of {row.name}, which no other row takes. {{0}} and "
                    f"{none} are of none."),
            "typedef struct {", f"  {bits} bits;", f"}} {kind};",
            f"static const {kind} {none} __attribute__((unused)) = {{0}};"]


def resolve(row):
    """NAME_get() by a name in common, for templates."""
    return ["", "// For tidepool::handle<>, tidepool.hpp.", "#ifdef __cplusplus",
            'extern "C++" {',
            f"static inline TP_CALL {pointers(row)['to']}tp_get({handle_type(row)} "
            "handle)", "{", f"  return {row.name}_get(handle);", "}", "}", "#endif"]


def include(name):
    return f"#include {name}" if name[0] == "<" else f'#include "{name}"'


def headers_of(row):
    if isinstance(row, Pool):
        return [name for name, needed in FEATURE_HEADERS if needed(row)]
    if isinstance(row, Stack) and row.ends == 2:
        return [DSTACK_HEADER]
    return [DENSE64_HEADER if is_wide(row) else HEADERS[type(row)]]


def is_wide(row):
    return isinstance(row, Dense) and row.handles == 64


def objects_of(row):
    """(type, name behind that of the row) of what tp_pools.c defines for it."""
    own = f"{'' if row.cut else 'const '}struct tp_{row.noun}"
    if not isinstance(row, Pool):
        wide = [("const struct tp_dense64", "dense64")] * is_wide(row)
        return [(own, row.noun), *wide]
    made = [(True, own, "pool"),
            (row.watched, "const struct tp_watermark", "watermark"),
            (row.awaited, "const struct tp_wait", "wait"),
            (row.reserve, "const struct tp_pool", "urgent_pool"),
            (row.reserve, "const struct tp_pool", "reserve_pool"),
            (row.full == "spill", "const struct tp_spill", "spill"),
            (row.borrowers, "const struct tp_chunk", "chunk"),
            (row.retained, "const struct tp_noinit", "noinit"),
            (row.objects, "const struct tp_objects", "objects"),
            *[(True, "const struct tp_objects", f"{one}_objects")
              for one in row.inits]]
    return [(what, name) for has, what, name in made if has] + owned_objects(row) \
        + dma_objects(row)


def numbers_of(row):
    """(name, number) of the constants of a row."""
    if isinstance(row, Pool):
        return [("COUNT", max(row.cut or [row.count])), ("SIZE", row.size)]
    if isinstance(row, Dense):
        return [("COUNT", row.slots), ("SIZE", row.size)]
    if isinstance(row, Frame):
        return [("COUNT", row.buffers), ("SIZE", row.most)]
    if isinstance(row, Relocating):
        return [("COUNT", row.count), ("SIZE", row.bytes)]
    if isinstance(row, Blocks):
        classes = row.classes_made()
        return [("COUNT", sum(one.slots for one in classes)),
                ("SIZE", max(one.size for one in classes))]
    if isinstance(row, Stack):
        return [("SIZE", row.most)]
    return [("SIZE", row.bytes)] if isinstance(row, Nest) else []
