# SPDX-License-Identifier: MIT
"""Print: rows to tp_pools.c."""

from .page import HOOKS, SENTINEL, Page
from .pool_rules import LACKS
from .rows import Blocks, Dense, Frame, Nest, Pool, Relocating, Scenes, Stack
from .text import c_name, casts, hooked, lenders_first, paragraphs
from .values import LOCKS, OWN_POLICY

POLICY_OBJECTS = {"assert": "tp_assert", "drop": "tp_drop",
                  "steal-oldest": "tp_steal_oldest"}
NEST_ROWS = {"pool": "POOL", "stack": "STACK", "dstack": "DSTACK", "frame": "FRAME"}


class Source(Page):
    """Defines what each row makes."""

    def text(self):
        pools = self.config.pools
        sentinel = ["// Only tp_pools.ld defines it. A link without that ends with "
                    "this sentence.",
                    f"extern const char {SENTINEL}[];"]
        return paragraphs([
            [f"// {self.banner}", "// clang-format off"],
            ['#include "tp_pools.h"', '#include "config/tp_define.h"'],
            self.level_guard(),
            sentinel if any(tenant.lies_in for tenant in self.config.tenants()) else [],
            *[self.DEFINITIONS[type(row)](self, row)
              for row in lenders_first(self.config.rows())],
            ["const struct tp_pool *const tp_pool_table[TP_POOL_N] = {",
             *[f"  &{pool.name}_pool," for pool in pools], "};"] if pools else [],
        ])

    def level_guard(self):
        """Stops the compiler at another check level than the file counts with."""
        build = self.config.build
        if not build.checks:
            return []
        return [f"TP_STATIC_ASSERT(TP_CHECKS == TP_CHECKS_{build.checks.upper()},\n"
                f'                 "{self.base}:{build.place("checks").line}: compiled '
                'at another '
                f'check level than {build.checks}");']

    def bank(self, row):
        """The macro that places it."""
        if not row.lies_in:
            return "TP_NO_BANK"
        *nest, name = row.place_in_bank.split(".")
        words = ", ".join(f'"{word}"' for word in [row.lies_in, *nest, name])
        return f"TP_IN_NEST({words})" if nest else f"TP_BANK({words})"

    def placed(self, row):
        return [f".link_check = {SENTINEL}"] if row.lies_in else []

    def define(self, macro, *arguments):
        return [f"{macro}(" + (",\n " + " " * len(macro)).join(arguments) + ");"]

    def define_pool(self, pool):
        lines = self.port_guard(pool)
        for key in pool.CALLBACKS:
            lines += self.cast(pool, key)
        return lines + self.ahead_of(pool) + self.define_slots(pool) + self.behind(pool)

    def tags(self, pool):
        return "TP_TAGS_ALWAYS" if pool.tagged else "TP_TAGS_IF_CHECKED"

    def define_slots(self, pool):
        tags = self.tags(pool)
        if pool.reserve:
            return self.define("TP_RESERVE_DEFINE",
                               f"{pool.name}, {pool.size}, {pool.count}, "
                               f"{pool.reserve}, {pool.align}",
                               f"{self.bank(pool)}, {tags}, "
                               f"{POLICY_OBJECTS[pool.full]}",
                               *self.initialisers(pool))
        if pool.cut:
            return self.define("TP_SCENE_POOL_DEFINE",
                               f"{pool.name}, {pool.size}, {pool.slots}, {pool.align}",
                               f"({', '.join(map(str, pool.cut))})",
                               *self.initialisers(pool))
        return self.define("TP_POOL_DEFINE",
                           f"{pool.name}, {pool.size}, {pool.count}, {pool.align}",
                           f"{self.bank(pool)}, {tags}", *self.initialisers(pool))

    def ahead_of(self, pool):
        """What the initialisers of a pool name."""
        name, lines = pool.name, []
        macro, bank = ("TP_NOINIT",
                       f', "{pool.bank}"') if pool.retained else ("TP_POOL", "")
        if pool.retained:
            lines += [f"TP_NOINIT_METADATA({name}, {pool.slots}, "
                      f"{self.tags(pool)}{bank});"]
        if pool.steals:
            lines += [f"{macro}_AGE({name}, {pool.slots}{bank});"]
        if pool.min_age:
            lines += [f"{macro}_BORN({name}, {pool.slots}{bank});"]
        if pool.full == "steal-least":
            below = ", .refuses_below = 1" if pool.refuse_below else ""
            lines += [f"static const struct tp_steal_least {name}_least = {{",
                      f"  TP_STEAL_LEAST, .score = {hooked(pool, 'score')}{below}}};"]
        if pool.full == "spill":
            lines += [f"TP_SPILL_DEFINE({name}, {pool.spill}, "
                      f"{POLICY_OBJECTS[pool.then]});"]
        if pool.objects and pool.steals:
            lines += [f"TP_OBJECTS_EVICT({name});"]
        return lines

    def behind(self, pool):
        """What names a pool."""
        name, lines = pool.name, []
        if pool.code == "own":
            lines += [f"{self.own_macro(pool)}({name}, {c_name(pool)});"]
        if pool.retained:
            lines += [f"TP_NOINIT_DEFINE({name}, TP_CONFIG_HASH);"]
        if len(pool.borrowers) > 1:
            lines += [f"TP_CHUNK_OWNERS({name});"]
        if pool.borrowers:
            owner = f".owner = {name}_owner, " if len(pool.borrowers) > 1 else ""
            lines += [f"TP_CHUNK_DEFINE({name}, {owner}.patience = {pool.patience});"]
        if pool.watched:
            lines += [f"TP_WATERMARK_DEFINE({name}, {pool.low_water}, "
                      f"{pool.on_low or 'NULL'}, {pool.refill}, "
                      f"{pool.on_refill or 'NULL'});"]
        return lines + self.objects(pool)

    def objects(self, pool):
        name, lines, known = pool.name, [], []
        if pool.retain:
            lines += self.define("TP_RETAIN_DEFINE",
                                 f"{name}, {pool.slots}, {pool.retain[0]}, "
                                 f"{pool.retain[1]}",
                                 f".validate = {pool.validate or 'NULL'}",
                                 f".close = {pool.close or 'NULL'}")
            known = [f".retain = &{name}_retain"]
        known += [f".{key} = {hooked(pool, key)}"
                  for key in ("init", "deinit", "in_use")
                  if getattr(pool, key)]
        if known:
            lines += self.define("TP_OBJECTS_DEFINE", f"{name}, {pool.slots}", *known)
        return lines

    def cast(self, row, key):
        """A function as the library calls it, before the application's typed one."""
        if hooked(row, key) == getattr(row, key):
            return []
        hook = HOOKS[key]
        back = "" if hook.returns == "void" else "return "
        return [f"static {hook.returns} {hooked(row, key)}({hook.plain})", "{",
                f"  {back}{getattr(row, key)}({hook.cast.format(**casts(row))});", "}"]

    def define_stack(self, stack):
        macro = "TP_DSTACK_DEFINE" if stack.ends == 2 else "TP_STACK_DEFINE"
        return self.define(macro, f"{stack.name}, {stack.bytes}", self.bank(stack),
                           *self.region(stack))

    def define_frame(self, frame):
        return self.define("TP_FRAME_DEFINE",
                           f"{frame.name}, {frame.bytes}, {frame.buffers}",
                           self.bank(frame), *self.region(frame))

    def region(self, row):
        full = "TP_FULL_ASSERT" if row.full == "assert" else "TP_FULL_DROP"
        return [f".full = {full}"] + self.placed(row)

    def define_blocks(self, blocks):
        classes = blocks.classes_made()
        lines = [line for one in classes for line in self.define_class(blocks, one)]
        rows = [f"TP_BLOCK_ROW({blocks.name}, {one.size})" for one in classes]
        return lines + self.define("TP_BLOCKS_DEFINE",
                                   f"{blocks.name}, {int(blocks.bigger)}",
                                   *rows)

    def define_class(self, blocks, one):
        """With bigger, all classes but the last hand on what they refuse."""
        last = one.size == max(other.size for other in blocks.classes_made())
        drops = blocks.full == "drop" or blocks.bigger and not last
        policy = [".policy = &tp_drop", ".refuses = 1"] if drops else [".policy = "
                                                                       "&tp_assert"]
        return self.define("TP_BLOCK_CLASS", f"{blocks.name}, {one.size}, {one.count}",
                           self.bank(one),
                           ", ".join(policy), *self.placed(one))

    def define_relocating(self, row):
        told = [f".on_move = {row.on_move}"] if row.on_move else []
        return self.define("TP_RELOC_DEFINE", f"{row.name}, {row.bytes}, {row.count}",
                           self.bank(row),
                           f".moves = {row.moves}, .move_bytes = {row.move_bytes}",
                           *told,
                           f".full = {int(row.full == 'assert')}", *self.placed(row))

    def define_dense(self, row):
        told = [f".on_move = {hooked(row, 'on_move')}"] if row.on_move else []
        return self.cast(row, "on_move") + self.define(
            "TP_DENSE_DEFINE", f"{row.name}, {row.size}, {row.count}, {row.align}",
            self.bank(row), *told,
            f".full = {int(row.full == 'assert')}", *self.placed(row))

    def define_scenes(self, scenes):
        """Enumerators for the bytes of each scene, and for the most of all so far."""
        lines, most = [], "0"
        for number, scene in enumerate(scenes.scenes):
            terms = [f"TP_SCENE_BYTES({pool.name}, {pool.cut[number]}, {scenes.align})"
                     for pool in scenes.pools]
            bytes_ = " +\n      ".join(terms)
            lines += [f"  scenes_bytes_{scene.name} = {bytes_},",
                      f"  scenes_most_{scene.name} = TP_LARGER({most}, "
                      f"scenes_bytes_{scene.name}),"]
            most = f"scenes_most_{scene.name}"
        cuts = [f"TP_SCENE_POOL({pool.name}, {hooked(pool, 'release') or 'NULL'})"
                for pool in scenes.pools]
        return ["enum {", *lines, "};"] + self.define(
            "TP_SCENES_DEFINE", f"{scenes.name}, {most}",
            f"{len(scenes.scenes)}, {scenes.align}",
            self.bank(scenes), *cuts)

    def define_nest(self, nest):
        if not nest.rows:
            return self.define("TP_NEST_DEFINE", f"{nest.name}, {nest.bytes}, 0",
                               self.bank(nest),
                               "NULL",
                               *self.region(nest))
        lines = [f"static const struct tp_nest_row {nest.name}_rows[] = {{"]
        lines += [f"  TP_NEST_ROW_{NEST_ROWS[next(iter(row.constants()))]}({row.name}, "
                  f"TP_{row.end.upper()}),"
                  for row in nest.rows]
        taken = " + ".join(f"TP_NEST_TAKES({row.name})" for row in nest.rows)
        return lines + ["};"] + self.define("TP_NEST_DEFINE",
                                            f"{nest.name}, {nest.bytes}", taken,
                                            self.bank(nest), f"{nest.name}_rows",
                                            *self.region(nest))

    def own_macro(self, pool):
        if pool.lock == "exclusive":
            return "TP_POOL_OWN_EXCLUSIVE"
        return "TP_POOL_OWN_STEALING" if pool.full == "steal-oldest" else "TP_POOL_OWN"

    def port_guard(self, pool):
        """Stops the compiler for a core that lacks what the pool locks with."""
        if not pool.lock_means:
            return []
        reason = f"{self.at(pool, 'lock')}: this core {LACKS[pool.lock_means]}"
        return [f"#if !TP_PORT_HAS_{pool.lock_means.upper()}", f'#error "{reason}"',
                "#endif"]

    def initialisers(self, pool):
        policy = {"steal-least": f".policy = &{pool.name}_least.policy, ",
                  "spill": f"TP_SPILLS({pool.name}, {pool.spill}), ",
                  OWN_POLICY: f".policy = &{pool.policy}, "}
        answer = policy.get(pool.full) or f".policy = &{POLICY_OBJECTS[pool.full]}, "
        lock = f".lock = {LOCKS.get(pool.lock, pool.lock)}"
        yield lock if pool.reserve else answer + lock
        if pool.full == "drop" and not pool.reserve:
            yield ".refuses = 1"
        if pool.steals:
            yield f".age = {pool.name}_age"
        if pool.min_age:
            yield f".born = {pool.name}_born, .min_age = {pool.min_age}"
        if pool.steals and pool.objects:
            yield f".evict = {pool.name}_evict"
        elif pool.evict:
            yield f".evict = {hooked(pool, 'evict')}"
        yield from self.placed(pool)

    DEFINITIONS = {Pool: define_pool, Stack: define_stack, Frame: define_frame,
                   Blocks: define_blocks, Relocating: define_relocating,
                   Dense: define_dense,
                   Nest: define_nest, Scenes: define_scenes}
