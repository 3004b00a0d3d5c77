# SPDX-License-Identifier: MIT
"""Print: rows to tp_pools.h."""

import re

from .page import HOOKS, Page
from .rows import Blocks, Dense, Frame, Nest, Pool, Relocating, Scenes, Stack
from .rules import duration
from .text import c_name, c_types, columns, comment, config_hash, paragraphs, pointers
from .values import REUSES_PER_SECOND


class Header(Page):
    """Declares what each row makes, under the comment that stands above the row."""

    def __init__(self, config, path, lines):
        super().__init__(config, path, lines)
        self.declared = set()

    def text(self):
        pools = self.config.pools
        ids = [f"TP_ID_{pool.name.upper()}" for pool in pools]
        return paragraphs([
            [f"// {self.banner}", "// clang-format off"],
            ["#ifndef TP_POOLS_H", "#define TP_POOLS_H"],
            self.includes(),
            ["#ifdef __cplusplus", 'extern "C" {', "#endif"],
            ["// Of the values alone: comments and layout do not change it.",
             f"#define TP_CONFIG_HASH {config_hash(self.config.tree):#010x}u"],
            self.x_macro(),
            ["enum tp_pool_id {", *[f"  {name}," for name in ids + ["TP_POOL_N"]],
             "};"],
            ["extern const struct tp_pool *const tp_pool_table[TP_POOL_N];"]
            if pools else [],
            *[self.comments_above(row) + self.DECLARATIONS[type(row)](self, row)
              for row in self.config.rows()],
            ["#ifdef __cplusplus", "}", "#endif"],
            ["#endif"],
        ])

    def includes(self):
        names = [name if name[0] == "<" else f'"{name}"'
                 for name in self.config.build.headers]
        ours = ["tidepool.h", "config/tp_declare.h", *self.headers()]
        return [f"#include {name}" for name in [f'"{name}"' for name in ours] + names]

    def headers(self):
        """Those of the library, beside the page of the pool, that the rows use."""
        tables, pools = self.config.tables, self.config.pools
        ends = {stack.ends for stack in tables["stacks"]}
        users = [("allocator/tp_blocks.h", tables["blocks"]),
                 ("allocator/tp_dense.h", tables["dense"]),
                 ("allocator/tp_dstack.h", 2 in ends),
                 ("allocator/tp_frame.h", tables["frames"]),
                 ("allocator/tp_nest.h", tables["nests"]),
                 ("allocator/tp_reloc.h", tables["relocating"]),
                 ("allocator/tp_stack.h", 1 in ends),
                 ("object/tp_noinit.h", any(pool.retained for pool in pools)),
                 ("object/tp_scene.h", tables["scenes"]),
                 ("object/tp_walk.h", any(pool.objects for pool in pools)),
                 ("policy/tp_reserve.h", any(pool.reserve for pool in pools)),
                 ("policy/tp_spill.h", any(pool.full == "spill" or pool.borrowers
                                           for pool in pools)),
                 ("policy/tp_steal_least.h", any(pool.full == "steal-least"
                                                 for pool in pools)),
                 ("policy/tp_watermark.h", any(pool.watched for pool in pools))]
        return [name for name, used in users if used]

    def x_macro(self):
        cells = [("name,", "C type,", "size,", "count,", "when full")]
        cells += [(f"{pool.name},", f"{c_name(pool)},", f"{pool.size},",
                   f"{max(pool.cut or [pool.count])},",
                   pool.full.upper().replace("-", "_")) for pool in self.config.pools]
        if not self.config.pools:
            return ["#define TP_POOLS(X)"]
        title, *rows = columns(cells, "<<>><")
        rows = " \\\n".join(f"  X({row})" for row in rows)
        return [f"//  {title.replace(',', ' ')}", "#define TP_POOLS(X) \\", rows]

    def declare_pool(self, pool):
        lines = self.costs(pool) + self.claims(pool)
        for key in pool.CALLBACKS:
            lines += self.hook_prototype(pool, key)
        if pool.policy:
            lines += self.once(f"extern const struct tp_policy {pool.policy};")
        for key in ("on_low", "on_refill"):
            lines += self.prototype(getattr(pool, key), "void",
                                    "const struct tp_pool *pool, uint32_t free")
        lines += self.prototype(pool.validate, "bool", "void *part")
        lines += self.prototype(pool.close, "void", "void *part")
        return lines + [f"{macro}({', '.join((pool.name,) + more)});"
                        for macro, more in self.calls_of_pool(pool)]

    def calls_of_pool(self, pool):
        """(macro, what it takes beside the name) for each set of calls that it has."""
        typed = (c_name(pool),)
        own = "TP_POOL_DECLARE_OWN" if pool.code == "own" else "TP_POOL_DECLARE"
        own = "TP_SCENE_POOL_DECLARE" if pool.cut else own
        calls = [(True, "TP_WATERMARK_DECLARE" if pool.watched else own, typed),
                 (pool.handles, "TP_POOL_DECLARE_HANDLES",
                  typed + (str(pool.handles),)),
                 (pool.full == "steal-least", "TP_POOL_DECLARE_SCORED", typed),
                 (pool.pin, "TP_POOL_DECLARE_PINS", typed),
                 (pool.reserve, "TP_RESERVE_DECLARE", typed),
                 (pool.full == "spill", "TP_SPILL_DECLARE", ()),
                 (pool.borrowers, "TP_CHUNK_DECLARE", ()),
                 (pool.retained, "TP_NOINIT_DECLARE", ()),
                 (pool.objects, "TP_OBJECTS_DECLARE", typed)]
        return [(macro, more) for has, macro, more in calls if has]

    def comments_above(self, row):
        """The comment on top of the row, without headings of columns."""
        first = last = row.place().line - 1
        while first and self.lines[first - 1].lstrip(" \t").startswith("#"):
            first -= 1
        texts = [line.strip(" \t").lstrip("#") for line in self.lines[first:last]]
        return [comment(text) for text in texts if not re.search(r"\S {3,}\S", text)]

    def costs(self, pool):
        where = f" in {pool.lies_in}" if pool.lies_in else ""
        off = "" if pool.tagged else f" ({pool.tag_bytes('off')} at off)"
        metadata = pool.metadata()
        ages = metadata.get("age", 0) + metadata.get("born", 0)
        rest = pool.metadata_bytes() - metadata["state"] - metadata["tag"] - ages
        slots = f"{pool.arena_bytes()} bytes of slots{where}"
        if pool.cut:
            slots = f"slots{where} as scenes cut them"
        parts = [slots, f"{ages} of ages" if ages else "",
                 f"{pool.tag_bytes()} of tags{off}",
                 f"{rest} of other metadata" if rest else ""]
        parts = ", ".join(filter(None, parts))
        return [f"// RAM: {parts}, and its state."] + self.wraps(pool)

    def wraps(self, row):
        if not row.handles:
            return []
        return [f"// Handles: {row.generation_bits} bits of generation wrap after "
                f"{duration(row.wrap_seconds)} of {REUSES_PER_SECOND} reuses a second."]

    def takes(self, row):
        """What a row without check levels takes."""
        where = f" in {row.lies_in}" if row.lies_in else ""
        return [f"// RAM: {row.arena_bytes()} bytes{where}, {row.metadata_bytes()} of "
                "metadata."]

    def declare_stack(self, stack):
        macro = "TP_DSTACK_DECLARE" if stack.ends == 2 else "TP_STACK_DECLARE"
        return self.takes(stack) + [f"{macro}({stack.name});"]

    def declare_frame(self, frame):
        return self.takes(frame) + [f"TP_FRAME_DECLARE({frame.name});"]

    def declare_blocks(self, blocks):
        parts = blocks.tenants()
        where = f" in {blocks.bank}" if blocks.bank else ""
        return [f"// RAM: {sum(part.arena_bytes() for part in parts)} bytes{where}, "
                f"{sum(part.metadata_bytes() for part in parts)} of metadata.",
                f"TP_BLOCKS_DECLARE({blocks.name});"]

    def declare_relocating(self, row):
        return (self.takes(row) + self.wraps(row)
                + self.prototype(row.on_move, "void",
                                 "void *to, const void *from, tp_handle_t handle")
                + [f"TP_RELOC_DECLARE({row.name});"])

    def declare_dense(self, row):
        return (self.takes(row) + self.wraps(row) + self.claims(row)
                + self.hook_prototype(row, "on_move")
                + [f"TP_DENSE_DECLARE({row.name}, {c_name(row)});"])

    def declare_scenes(self, scenes):
        names = [f"TP_SCENE_{scene.name.upper()}" for scene in scenes.scenes]
        return self.takes(scenes) + ["enum tp_scene_id {",
                                     *[f"  {name}," for name in names + ["TP_SCENE_N"]],
                                     "};",
                                     f"TP_SCENES_DECLARE({scenes.name});"]

    def declare_nest(self, nest):
        return self.takes(nest) + [f"TP_NEST_DECLARE({nest.name});"]

    def claims(self, row):
        """That each C type is what the row says."""
        return [line for name in c_types(row) for line in self.claim(row, name)]

    def claim(self, row, name):
        claims = [(f"sizeof({name}) <= {row.size}", "size",
                   f"size = {row.size} is less than sizeof({name})"),
                  (f"TP_ALIGNOF({name}) <= {row.align}", "align",
                   f"align = {row.align} is less than {name} needs")]
        return [f"TP_STATIC_ASSERT({claim},\n"
                f'                 "{self.at(row, key)}: {text}");'
                for claim, key, text in claims]

    def prototype(self, function, returns, parameters):
        return self.once(f"{returns} {function}({parameters});") if function else []

    def hook_prototype(self, row, key):
        hook = HOOKS[key]
        return self.prototype(getattr(row, key), hook.returns,
                              hook.typed.format(**pointers(row)))

    def once(self, declaration):
        """With the first row that needs it."""
        if declaration in self.declared:
            return []
        self.declared.add(declaration)
        return [declaration]

    DECLARATIONS = {Pool: declare_pool, Stack: declare_stack, Frame: declare_frame,
                    Blocks: declare_blocks, Relocating: declare_relocating,
                    Dense: declare_dense,
                    Nest: declare_nest, Scenes: declare_scenes}
