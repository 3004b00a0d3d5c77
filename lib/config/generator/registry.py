# SPDX-License-Identifier: MIT
"""Print: the list of all allocators, tp_registry of core/tp_registry.h."""

import collections

from .allocators import Blocks, Dense, Frame, Nest, Relocating, Scenes, Sleeper, Stack
from .page import descriptor
from .rows import Pool

# What one allocator has there. [most], [bytes] and [stride] are expressions of C.
Entry = collections.namedtuple("Entry", "name kind allocator policy bank most bytes "
                                        "stride spare life seal")

KINDS = {Stack: "stack", Frame: "frame", Blocks: "blocks", Relocating: "reloc",
         Dense: "dense", Nest: "nest", Scenes: "scenes",
         Sleeper: "scenes"}


def entries(config):
    """Those of [pools] first, in their order, then what lies behind or within them."""
    first = [pool_entry(pool) for pool in config.pools]
    rows = [row for row in config.rows() if not isinstance(row, Pool)]
    parts = [pool_entry(part) for row in config.rows() for part in parts_of(row)]
    return first + [entry for row in rows for entry in row_entries(row)] + parts


def identifiers_of(row, config):
    """The names by which the header numbers what a row makes."""
    own = [pool_entry(row)] if isinstance(row, Pool) else row_entries(row)
    parts = [pool_entry(part) for part in parts_of(row)]
    return [f"{config.prefix}_ID_{entry.name}".upper() for entry in own + parts]


def parts_of(row):
    """Pools that a row makes beside its own."""
    if isinstance(row, Blocks):
        return row.classes_made()
    return row.tenants()[1:] if isinstance(row, Pool) else []


def pool_entry(pool):
    """A chunk may be released, so it has a kind of its own."""
    noun = "chunk" if pool.borrowers else "pool"
    size = "0" if pool.cut else f"sizeof {pool.name}_storage"
    return Entry(pool.name, noun, f"{pool.name}_{noun}", pool.policy or pool.full,
                 pool.lies_in, str(pool.slots), size, f"{pool.name}_stride",
                 pool.spare, pool.life or 0, seal_of(pool))


def seal_of(row):
    """Of its descriptor, which scenes write. Blocks have one for each class."""
    return f"&{row.name}_scene_seal" if row.cut else "NULL"


def row_entries(row):
    """Of what is no pool: one, but two of what counts both blocks and bytes."""
    kind, noun = KINDS[type(row)], row.noun
    kind = noun if kind == "stack" else kind
    size = f"sizeof {row.arena}" if row.ARENA else "0"
    stride = f"{row.name}_stride" if isinstance(row, Dense) else "1"
    entry = Entry(row.name, kind, f"{row.name}_{noun}", row.full, row.lies_in,
                  most_of(row), size, stride, row.spare, 0, seal_of(row))
    if kind != "reloc":
        return [entry]
    return [entry._replace(bytes="0", stride="0"),
            entry._replace(name=f"{row.name}_arena", kind="arena", most=str(row.bytes))]


def most_of(row):
    """The capacity of what is no pool, in what its kind counts."""
    if isinstance(row, (Dense, Relocating)):
        return str(row.slots)
    if isinstance(row, Blocks):
        return str(most_bytes(row))
    if isinstance(row, Scenes):
        return f"{row.name}_most"
    return f"{row.name}_rest" if isinstance(row, Nest) else str(row.most)


def most_bytes(blocks):
    """Those of all classes, or of the scene that has the most of them."""
    sizes = [one.size for one in blocks.classes_made()]
    return max(sum(size * count for size, count in zip(sizes, counts))
               for counts in blocks.shares or [blocks.amount])


def identifiers(config):
    """The lines of the header that number them."""
    low, up = config.prefix, config.prefix.upper()
    names = [f"{up}_ID_{entry.name.upper()}" for entry in entries(config)]
    pools, others = names[:len(config.pools)], names[len(config.pools):]
    first = [f"{name} = {up}_POOL_N," for name in others[:1]]
    last = [f"{up}_ALLOCATOR_N" + ("," if others else f" = {up}_POOL_N,")]
    lines = first + [f"{name}," for name in others[1:]] + last
    listed = [f"extern const struct tp_entry {low}_entries[{up}_ALLOCATOR_N];"]
    return ([f"enum {low}_pool_id {{", *[f"  {name}," for name in pools],
             f"  {up}_POOL_N,", "};"]
            + [f"enum {low}_allocator_id {{", *[f"  {line}" for line in lines], "};"]
            + listed * bool(config.build.name and names))


def definition(config):
    """The lines of the source that list them: those of a library for who includes
    its table, who lists all."""
    own, library = entries(config), config.build.name
    first = "" if library else "static "
    lines = [f"{first}const struct tp_entry {config.prefix}_entries[] = {{",
             "  // name, kind, allocator, policy, bank, most, bytes, stride, spare, "
             "life, seal",
             *[f"  {{{cells(entry)}}}," for entry in own], "};"] if own else []
    return lines if library else (
        lines + joined(config) + notes(config) + callers(config))


def joined(config):
    """tp_registry, of its own entries and of those that it includes."""
    counts = [(one, len(entries(one))) for one in [config, *config.included]]
    declared = [f"extern const struct tp_entry {one.prefix}_entries[];"
                for one, count in counts[1:] if count]
    listed = [f"  &{one.prefix}_entries[{number}],"
              for one, count in counts for number in range(count)]
    if not listed:
        return []
    return [*declared, "static const struct tp_entry *const tp_listed[] = {", *listed,
            "};", *descriptor("const struct tp_registry", "tp_registry",
                              [("entries", "tp_listed"), ("count", len(listed)),
                               ("config", "TP_CONFIG_HASH")])]


def noted(config):
    """What has notes of owners, of all tables: (table, name)."""
    return [(one, f"{part.name}_owned") for one in [config, *config.included]
            for pool in one.pools for part in [pool, *parts_of(pool)] if part.owner]


def notes(config):
    """tp_owned_rows of those, where all tables come together."""
    found = [] if config.build.name else noted(config)
    if not found:
        return []
    declared = [f"extern const struct tp_owned {name};" for one, name in found
                if one is not config]
    return [*declared, "const struct tp_owned *const tp_owned_rows[] = {",
            *[f"  &{name}," for _, name in found], "  NULL,", "};"]


def callers(config):
    """tp_called_rows: who calls each row that says so, where all tables come
    together. Of a row that lends slots only if all that borrow them say so, too."""
    rows = [] if config.build.name else [
        row for one in [config, *config.included] for row in one.rows()
        if row.named and all(other.named for other in row.family)]
    if not rows:
        return []
    return ["#if TIDEPOOL_SOAK", '#include "check/tp_called.h"',
            *[line for row in rows for line in callers_of(row)],
            "const struct tp_called tp_called_rows[] = {",
            *[f'  {{"{name}", {row.name}_callers}},' for row in rows
              for name in (row.name, *reserves(row))],
            "  {NULL, NULL},", "};", "#endif"]


def reserves(row):
    """The names of what the calls of a pool take slots of beside its own."""
    return [part.name for part in parts_of(row)] if isinstance(row, Pool) else []


CALLS = {"TP_CALLS_ALLOC": ("allocates", "waits"), "TP_CALLS_WAIT": ("waits",),
         "TP_CALLS_FREE": ("frees",)}


def callers_of(row):
    """The lines that define them. Who borrows of it, calls it as the own row says."""
    lines = [f"static struct tp_caller {row.name}_callers[] = {{"]
    for user in row.users:
        said = [call for call, keys in CALLS.items()
                if any(user.name in getattr(pool, key)
                       for pool in row.family for key in keys)]
        priority = "TP_CALLER_TASK" if user.task else f"{user.interrupt:#04x}"
        priority += f" + {user.core} * TP_CALLER_CORE" if user.core else ""
        lines += [f'  {{"{user.name}", {priority}, {" | ".join(said)}, 0}},']
    return [*lines, "  {NULL, 0, 0, 0},", "};"]


def cells(entry):
    """The fields of a struct tp_entry, in their order."""
    bank = f'"{entry.bank}"' if entry.bank else "NULL"
    return (f'"{entry.name}", &tp_{entry.kind}_kind, &{entry.allocator}, '
            f'"{entry.policy}",\n   {bank}, {entry.most}, {entry.bytes}, '
            f"{entry.stride}, {int(entry.spare)}, {entry.life}u, {entry.seal}")
