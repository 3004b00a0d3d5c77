# SPDX-License-Identifier: MIT
"""Print: rows to tp_pools.c, and banks to tp_pools.ld, which places them."""

import os
import textwrap

from . import join
from .allocators import (
    BlockClass, Blocks, Dense, Frame, Nest, Relocating, Scenes, Sleeper, Stack)
from .dma import ended
from .harden import calls, guard, prologue
from .page import (
    SENTINEL, USELESS, Page, array, cast, clean, declared_casts, descriptor, hooked,
    in_cpp, joined_symbol, lenders_first, paragraphs, section, sentinel, times)
from .pool_definitions import DETACHED, define_part, define_pool, never_turns
from .pool_rules import LACKS
from .registry import definition, notes
from .rows import Handled, Pool, arena_bytes, round_up
from .values import ARENA_ALIGN, DAY_SLOTS, STRIDE_MAX, unknown


class Source(Page):
    """Defines what each row makes."""

    def text(self):
        return paragraphs([
            [f"// {self.banner}", "// clang-format off", *prologue(self.config)],
            in_cpp('#pragma GCC diagnostic ignored "-Wold-style-cast"', *USELESS),
            [f'#include "{name}"' for name in self.includes()],
            ["#ifdef __cplusplus", "#pragma GCC diagnostic ignored "
             '"-Wmissing-field-initializers"', "#endif"],
            self.alike(),
            self.level_guard(),
            self.sentinels(),
            self.policies(),
            [f"TP_ALIKE_DEFINE({joined_symbol(one.prefix, None)});"
             for one in self.config.included if not self.config.build.name],
            calls(self.config),
            *[self.define(row) for row in lenders_first(self.config.rows())],
            *[self.share(bank) for bank in join.banks(self.config)
              if bank.name in self.config.banks],
            definition(self.config),
        ])

    def alike(self):
        """What must be compiled alike: a library's table and the executable's, that
        and Tidepool."""
        if self.config.build.name:
            return [f'TP_ALIKE_HERE("{self.config.prefix}_pools_c", "tp_pools_c");']
        return ['TP_ALIKE_HERE("tp_pools_c", "the_library");',
                *[f'TP_ALIKE_THERE("{one.prefix}_pools_c", "tp_pools_c");'
                  for one in self.config.included]]

    def sentinels(self):
        found = sorted({sentinel(tenant) for tenant in self.config.tenants()} - {None})
        told = ["// Who defines it: tp_pools.ld, or the tp_pools.c of who includes "
                "this table.", "// A link without that ends with this sentence."]
        return told * bool(found) + [f"extern const char {name}[];" for name in found]

    def policies(self):
        """What rows name of policy/tp_steal.h, which own code alone includes."""
        if "policy/tp_steal.h" in self.includes():
            return []
        return [f"extern const struct tp_policy {DETACHED};"] * any(
            map(never_turns, self.config.pools))

    def includes(self):
        names = [f"{self.config.prefix}_pools.h", "check/tp_alike.h",
                 "core/tp_registry.h", "core/tp_shape.h"]
        own = [pool for pool in self.config.pools if pool.code == "own"]
        names += ["core/tp_core.h"] if own else []
        names += ["core/tp_claim.h"] * any(pool.own_handles for pool in own)
        names += ["core/tp_harden.h"] * bool(calls(self.config))
        if any(pool.lock == "exclusive" for pool in own):
            names.append("core/tp_exclusive.h")
        if any(pool.full == "steal-oldest" for pool in own):
            names.append("policy/tp_steal.h")
        if notes(self.config):
            names.append("object/tp_owner.h")
        return names

    def level_guard(self):
        """Stops the compiler at another check level than the file counts with."""
        build = self.config.build
        if not build.checks:
            return []
        return [f"TP_STATIC_ASSERT(TP_CHECKS == TP_CHECKS_{build.checks.upper()},\n"
                f'                 "{self.base}:{build.place("checks").line}: '
                f'compiled at another check level than {build.checks}");']

    def define(self, row):
        lines = self.port_guard(row) if isinstance(row, Pool) else []
        if isinstance(row, Pool) and row.harden:
            lines += guard(self.at(row, "harden"))
        lines += self.language_guard(row)
        lines += [line for key, claim, text in rules_for_c(row)
                  for line in self.promise(row, key, claim, text)]
        for key in row.CALLBACKS:
            lines += [] if key in declared_casts(row) else cast(row, key)
        if isinstance(row, Pool):
            return lines + define_pool(row)
        return lines + DEFINITIONS[type(row)](row)

    def language_guard(self, row):
        """Stops a compiler of C where a type is one of C++."""
        if not row.is_cpp:
            return []
        key = "type" if row.type else "union"
        return ["#ifndef __cplusplus",
                f'#error "{self.at(row, key)}: its type is one of C++: compile '
                f'{self.config.prefix}_pools.c as C++20, by g++ -x c++ -std=c++20"',
                "#endif"]

    def port_guard(self, pool):
        """Stops the compiler where there is not what the pool locks with."""
        key = "lock"
        if pool.magazine:
            key, has = "magazine", "TP_CORES_NUMBERED"
            reason = ("a magazine wants a tp_cores_port.h, of a folder of port/cores "
                      "on the include path, that says TP_CORES_PORT_NUMBER()")
        elif pool.lock == "cores":
            has = "TP_CORES_PORTED"
            reason = ("this lock wants tp_cores_port.h, of a folder of port/cores, on "
                      "the include path")
        elif pool.lock_means:
            has = f"TP_PORT_HAS_{pool.lock_means.upper()}"
            reason = f"this core {LACKS[pool.lock_means]}"
        else:
            return []
        return [f"#if !{has}", f'#error "{self.at(pool, key)}: {reason}"', "#endif"]

    def share(self, bank):
        """Holds what C makes of a library's rows against its budget: the linker knows
        the executable's alone. What has an arena has pointers of 32 bits."""
        told = self.config.build.name and bank.budget and bank.budget < 1 << 31
        pieces = [piece for tenant in bank.residents
                  for piece in self.pieces_in_c(tenant)]
        if not told or not pieces or not unknown(arena_bytes(bank.residents)):
            return []
        lines, end = [], f"tp_share_{bank.name}_"
        for _, align, size in sorted(pieces, key=lambda piece: piece[:2]):
            begin = f"({end}{len(lines)} + {align - 1}) / {align} * {align} + "
            lines += [f"  {end}{len(lines) + 1} = {begin if lines else ''}{size},"]
        return ["enum {", *lines, "};", *self.promise(
            bank, "budget", f"sizeof(void *) > 4 || {end}{len(lines)} <= {bank.budget}",
            f"more than the budget of {bank.budget} bytes")]

    def pieces_in_c(self, tenant):
        """Those that arena_bytes() counts, in C; of another table, what it knows."""
        if tenant.library != self.config.build.name:
            return [piece for piece in tenant.pieces() if not unknown(piece[2])]
        sizes = [f"sizeof {tenant.arena}", " + ".join(
            f"sizeof {tenant.name}_{name}" for name in tenant.kept())]
        return [(place, align, size) for (place, align, _), size
                in zip(tenant.pieces(), sizes)]


def rules_for_c(row):
    """(key, claim, sentence) of what the rules ask of numbers that only C knows."""
    if isinstance(row, Blocks):
        for one in row.classes_made():
            yield from stride_fits(one, "classes")
    if not isinstance(row, Handled):
        return
    if isinstance(row, (Pool, Dense)):
        yield from stride_fits(row, "size")
    slots = row.numbered
    if unknown(slots) and row.handles == 32 and not row.generation_wrap:
        yield ("handles", f"{slots} <= {DAY_SLOTS}",
               f"more than {DAY_SLOTS} handles wrap within a day; "
               "generation_wrap = true accepts it")
    if isinstance(row, Pool):
        yield from rules_of_pools(row)


def stride_fits(one, key):
    """At the level that it is compiled at, which may add red zones."""
    if not one.stride("full") <= STRIDE_MAX:
        yield (key, f"TP_STRIDE({one.size}, {one.align}) <= {STRIDE_MAX}",
               f"its slots take more than {STRIDE_MAX} bytes each, with what the "
               "level of checks adds")


def rules_of_pools(pool):
    size, count = f"{pool.name.upper()}_SIZE", pool.count
    if unknown(pool.size) and pool.link:
        yield ("link", f"{pool.link} + 4 <= {size}",
               f"a link of 4 bytes at {pool.link} ends behind the object")
    if unknown(count) and pool.reserve:
        yield ("reserve", f"{pool.reserve} < {count}",
               f"reserve = {pool.reserve} must be less than count")
    if unknown(count) and pool.magazine:
        yield ("magazine", f"{pool.magazine} < {count}",
               "one core may keep all of its slots: magazine must be less than count")
    if unknown(count) and pool.watched:
        yield ("refill",
               f"{pool.low_water} < {pool.refill} && {pool.refill} <= {count}",
               f"low_water = {pool.low_water} must be below refill = {pool.refill}, "
               "and that at most count")
    if unknown(pool.size) and pool.retain:
        offset, kept = pool.retain
        yield ("retain", f"{offset + kept} <= {size}",
               f"{kept} bytes at {offset} end behind the object")
    lenders = [("chunks", other) for other in pool.attached]
    for key, other in [("spill", pool.lender)] * bool(pool.lender) + lenders:
        if unknown(other.size) or unknown(pool.size):
            yield (key, f"(int){size} <= (int){other.name.upper()}_SIZE",
                   f"its slots do not fit into those of {other.name}")


class Linker(Page):
    """An arena for each bank, and checks that it came where it should."""

    def text(self):
        banks = [bank for bank in join.banks(self.config) if bank.residents]
        symbols = [SENTINEL] + [joined_symbol(one.prefix, True)
                                for one in self.config.included]
        return paragraphs([
            [f"/* {self.banner}", "   INCLUDE it inside SECTIONS, before .bss. */"],
            [f"{symbol} = 0x1deadb0b;" for symbol in symbols],
            *[self.arena(bank) for bank in banks],
        ])

    def at(self, row, key=None):
        """With the path of a table that is included."""
        if row.home in (None, self.config):
            return super().at(row, key)
        path = os.path.relpath(row.home.path, os.path.dirname(self.config.path) or ".")
        return f"{clean(path)}:{row.place(key).line}: {row.name}"

    def arena(self, bank):
        start, end = f"tp_arena_{bank.name}_start", f"tp_arena_{bank.name}_end"
        lines = must(f"LENGTH({bank.region}) < 0x80000000",
                     f"{self.at(bank, 'region')}: MEMORY of the linker script has no "
                     f"{bank.region}")
        lines += [f".tp_arena_{bank.name} (NOLOAD) : ALIGN(8)", "{",
                  f"  {start} = .;",
                  f"  KEEP(*(SORT_BY_NAME(.bss.tp_arena.{bank.name}.*)))",
                  f"  {end} = .;",
                  f"}} > {bank.region}"]
        if bank.budget:
            lines += must(f"{end} - {start} <= {bank.budget}",
                          f"{self.at(bank, 'budget')}: more than the budget of "
                          f"{bank.budget} bytes")
        # A pool that is used must have come here; one that is not may be collected. By
        # GCC's -flto what was, is still DEFINED(), and to read its place would keep it.
        used = " || ".join(f"DEFINED({tenant.descriptor})" for tenant in bank.residents)
        return lines + must(f"{end} > {start} || !({used})",
                            f"{self.at(bank)}: INCLUDE tp_pools.ld must stand before "
                            ".bss, or with -flto a pool of it must be used")


def must(claim, text):
    return [f"ASSERT({claim},", f'       "{text}")']


SALT = 0x9e3779b1  # Scatters the numbers of lines.


def link_check(row):
    return [("link_check", sentinel(row))] if sentinel(row) else []


def region(row, size):
    """The fields of a struct tp_region. Before the first scene it has no bytes, but is
    not closed: it begins anywhere."""
    full = "TP_FULL_ASSERT" if row.full == "assert" else "TP_FULL_DROP"
    begin = f"(tp_word_t *)&{row.name}_state" if row.cut else f"{row.name}_storage"
    return [("storage", begin), ("name", f'"{row.name}"'), *link_check(row),
            *[("bytes", size)] * (not row.cut), ("full", full)]


def within(name, fields):
    return [(f"{name}.{field}", value) for field, value in fields]


def storage(row, words):
    """Its memory, unless scenes give it some."""
    return [] if row.cut else array("tp_word_t", row.arena, words, section(row),
                                    row.arena_align)


def described(row, fields):
    """Its descriptor, which scenes write to."""
    const = "" if row.cut else "const "
    return descriptor(f"{const}struct tp_{row.noun}", row.descriptor, fields)


def define_stack(stack):
    name = stack.name
    lines = storage(stack, f"{stack.bytes} / 4")
    lines += array(f"struct tp_{stack.noun}_state", f"{name}_state")
    return lines + described(stack, [*within("region", region(stack, stack.bytes)),
                                     ("state", f"&{name}_state")])


def define_frame(frame):
    name = frame.name
    lines = storage(frame, f"{frame.buffers} * {frame.bytes} / 4")
    lines += array("struct tp_frame_state", f"{name}_state")
    lines += array("struct tp_bump", f"{name}_bump", str(frame.buffers))
    return lines + described(frame, [
        *within("region", region(frame, frame.bytes)), ("state", f"&{name}_state"),
        ("bump", f"{name}_bump"), ("buffers", frame.buffers)])


def define_blocks(blocks):
    name, lines, rows = blocks.name, [], []
    for one in blocks.classes_made():
        lines += array("uint16_t", f"{one.name}_asked", f"{one.slots} + 1" if
                       one.cut else f"TP_TAGS({one.count}) + 1")
        lines += array("struct tp_blocks_waste", f"{one.name}_waste")
        lines += define_part(one, f"tp_{one.full}")
        rows += [f"  {{&{one.name}_pool, {one.name}_asked, &{one.name}_waste}},"]
    lines += [f"static const struct tp_blocks_class {name}_classes[] = {{", *rows, "};"]
    lines += array("struct tp_blocks_waste", f"{name}_waste")
    tables, found = block_tables(blocks)
    return lines + tables + descriptor("const struct tp_blocks", f"{name}_blocks", [
        ("classes", f"{name}_classes"), ("waste", f"&{name}_waste"),
        ("name", f'"{name}"'), ("count", len(rows)), ("bigger", int(blocks.bigger)),
        *found])


def block_tables(blocks):
    """What finds the class of a size and of an address, and the fields for it."""
    name, sizes, pages = blocks.name, blocks.by_size(), blocks.by_page()
    lines = numbers(f"{name}_by_size", sizes)
    fields = [("sizes", len(sizes)), ("by_size", f"{name}_by_size")]
    if not pages:
        return lines, fields
    first = blocks.in_memory()[0][0].name
    return lines + numbers(f"{name}_by_page", pages), [
        fields[0], ("shift", blocks.page_shift()), fields[1],
        ("by_page", f"{name}_by_page"), ("begin", f"{first}_storage"),
        ("pages", len(pages))]


def numbers(name, values):
    """A table of bytes in flash."""
    return [f"static const uint8_t {name}[] = {{", *textwrap.wrap(
        ", ".join(map(str, values)), 80, initial_indent="  ",
        subsequent_indent="  "), "};"]


def define_relocating(row):
    name = row.name
    lines = array("struct tp_reloc_entry", f"{name}_entry", f"{row.count} + 1")
    lines += array("struct tp_reloc_state", f"{name}_state")
    lines += array("tp_word_t", f"{name}_arena", f"({row.bytes} + 8) / 4", section(row),
                   ARENA_ALIGN)
    return lines + descriptor("const struct tp_reloc", f"{name}_reloc", [
        ("arena", f"{name}_arena"), ("entry", f"{name}_entry"),
        ("state", f"&{name}_state"),
        *([("on_move", hooked(row, "on_move"))] if row.on_move else []),
        ("name", f'"{name}"'), *link_check(row), ("move_bytes", row.move_bytes),
        ("moves", row.moves), ("units", row.bytes // ARENA_ALIGN),
        ("handles", row.count), ("handle_bits", row.count.bit_length()),
        ("full", int(row.full == "assert"))])


def define_dense(row):
    name, bits, align = row.name, row.slots.bit_length(), row.align
    lines = ["enum {",
             f"  {name}_stride = ({row.size} + {align - 1}) / {align} * {align},", "};"]
    lines += array("uint32_t", f"{name}_place", f"{row.slots} + 1")
    lines += array("tp_slot_t", f"{name}_entry", str(row.slots))
    lines += array("struct tp_dense_state", f"{name}_state")
    lines += storage(row, f"{times(row.slots)} * {name}_stride / 4")
    wide = []
    if row.handles == 64:
        lines += array("uint16_t", f"{name}_wraps", f"{row.slots} + 1")
        wide = descriptor("const struct tp_dense64", f"{name}_dense64", [
            ("dense", f"&{name}_dense"), ("wraps", f"{name}_wraps")])
    return lines + described(row, [
        ("place", f"{name}_place"), ("entry", f"{name}_entry"),
        ("state", f"&{name}_state"),
        *[("storage", f"{name}_storage")] * (not row.cut),
        *([("on_move", hooked(row, "on_move"))] if row.on_move else []),
        ("name", f'"{name}"'), *link_check(row), ("salt", salt(row, bits)),
        ("stride", f"{name}_stride"), ("size", row.size),
        *[("capacity", row.count)] * (not row.cut),
        ("bits", bits), ("full", int(row.full == "assert"))]) + wide


def salt(row, bits):
    """Above the bits of a handle that number its object."""
    number = row.place().line * SALT & 0xFFFFFFFF
    if unknown(row.slots):
        return f"{number:#010x}u << {bits}"
    return f"{number << bits & 0xFFFFFFFF:#010x}u"


def taken(part, amount, align):
    """The bytes of an arena of parts so aligned that [amount] takes, in C."""
    if isinstance(part, Pool):
        return f"TP_CUT({amount}, {part.name}_stride, {part.align}, {align})"
    if isinstance(part, Dense):
        return f"({amount} * {part.name}_stride + {align - 1}) / {align} * {align}"
    return str(round_up(part.bytes_of(amount, None), align))


def ending(part):
    """How lives end there, and what must be known for that. Nobody ends them for a
    bank to sleep."""
    if part.sleeps:
        return "NULL", "NULL"
    if isinstance(part, BlockClass):
        return "tp_blocks_end_scene", f"&{part.blocks.descriptor}"
    if isinstance(part, Pool) and part.objects:
        end = "retain" if part.retain else "object"
        return f"tp_{end}_end_scene", f"&{part.name}_objects"
    if isinstance(part, Dense) and part.handles == 64:
        return "tp_dense64_end_scene", f"&{part.name}_dense64"
    return f"tp_{part.noun}_end_scene", "NULL"


def scene_part(part):
    """Its line in the table of them."""
    end, beside = ending(part)
    release = ended(part, "release") if isinstance(part, Pool) else None
    return (f"  {{&tp_scene_{part.noun}, &{part.descriptor}, {beside}, "
            f'"{part.name}",\n   {part.name}_amounts, {part.name}_peaks, '
            f"{end}, {release or 'NULL'}, &{part.name}_scene_seal}},")


def define_scenes(scenes):
    """Enumerators for the bytes of each scene, and for those of the greediest so far:
    a line each, for what a macro is given twice grows with every scene."""
    name, parts, lines = scenes.name, scenes.cut_parts, []
    for number, scene in enumerate(scenes.scenes):
        terms = [taken(part, part.cut[number], scenes.align) for part in parts]
        lines += [f"  {name}_{scene.name} = " + " +\n    ".join(terms) + ","]
    most = f"{name}_{scenes.scenes[0].name}"
    for one in [f"{name}_{scene.name}" for scene in scenes.scenes[1:]]:
        lines.append(f"  {one}_most = TP_LARGER({one}, {most}),")
        most = f"{one}_most"
    lines = ["enum {", *lines, f"  {name}_most = {most},", "};"]
    for part in parts:
        cut = ", ".join(map(str, part.cut))
        lines += [f"static const uint32_t {part.name}_amounts[] = {{{cut}}};",
                  f"static uint32_t {part.name}_peaks[{len(part.cut)}];",
                  f"static uint32_t {part.name}_scene_word;"]
        lines += descriptor("const struct tp_seal", f"{part.name}_scene_seal", [
            ("descriptor", f"&{part.descriptor}"), ("word", f"&{part.name}_scene_word"),
            ("name", f'"{part.name}"'), ("count", f"sizeof {part.descriptor} / 4")])
    lines += [f"static const struct tp_scene_part {name}_scene_parts[] = {{",
              "  // kind, allocator, beside, name, amounts, peaks, end, release, seal",
              *map(scene_part, parts), "};"]
    lines += array("tp_word_t", f"{name}_arena", f"({name}_most + 3) / 4",
                   section(scenes), scenes.align)
    lines += array("struct tp_scene_state", f"{name}_scene_state")
    return lines + descriptor("const struct tp_scenes", f"{name}_scenes", [
        ("parts", f"{name}_scene_parts"), ("arena", f"{name}_arena"),
        ("state", f"&{name}_scene_state"), ("name", f'"{name}"'), *link_check(scenes),
        ("bytes", f"{name}_most"), ("part_count", len(parts)),
        ("scene_count", len(scenes.scenes)), ("align", scenes.align)])


def define_nest(nest):
    """Behind what lies in it: how much that takes, nobody else knows at this level."""
    name, lines, rows = nest.name, [], []
    for row in nest.rows:
        size = f"{name}_{row.name}"
        lines += [f"  {size} = (sizeof {row.arena} + 7) / 8 * 8,"]
        rows += [f"  {{.name = \"{row.name}\", .allocator = &{row.descriptor}, "
                 f".bytes = {size},", f"   .kind = TP_NEST_{row.noun.upper()}, "
                 f".end = TP_{row.end.upper()}}},"]
    taken = " + ".join(f"{name}_{row.name}" for row in nest.rows) or "0"
    lines = ["enum {", *lines, f"  {name}_rest = {nest.bytes} - ({taken}),", "};",
             f'TP_STATIC_ASSERT({name}_rest >= 8, "{name}: its rows take more bytes '
             'than it has, less 8");']
    if rows:
        lines += [f"static const struct tp_nest_row {name}_rows[] = {{", *rows, "};"]
    lines += array("tp_word_t", f"{name}_storage", f"{name}_rest / 4", section(nest),
                   ARENA_ALIGN)
    lines += array("struct tp_dstack_state", f"{name}_dstack_state")
    lines += array("struct tp_nest_state", f"{name}_nest_state")
    table = [("rows", f"{name}_rows"), ("row_count", len(nest.rows))] if rows else []
    return lines + descriptor("const struct tp_nest", f"{name}_nest", [
        ("name", f'"{name}"'), ("state", f"&{name}_nest_state"), *table,
        ("bytes", nest.bytes), ("kind", "TP_NEST_DSTACK"),
        *within("as.dstack.region", region(nest, f"{name}_rest")),
        ("as.dstack.state", f"&{name}_dstack_state")])


DEFINITIONS = {Stack: define_stack, Frame: define_frame, Blocks: define_blocks,
               Relocating: define_relocating, Dense: define_dense,
               Nest: define_nest, Scenes: define_scenes,
               Sleeper: define_scenes}
