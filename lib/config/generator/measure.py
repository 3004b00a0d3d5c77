# SPDX-License-Identifier: MIT
"""Measure: what the rows take, and what the linker gave them."""

import collections
import struct

from decoder import Unreadable
from decoder.elf import Elf
from decoder.memory import Memory

from .allocators import Dense
from .page import columns, paragraphs
from .rows import Pool, arena_bytes
from .toml import Trouble
from .values import DENSE_BYTES, POOL_BYTES, unknown

# tp_registry of an image: its entries by name, and the hash of the table.
Registry = collections.namedtuple("Registry", "entries config")
Entry = collections.namedtuple("Entry", "name most bytes stride")


def read_elf(path):
    try:
        with open(path, "rb") as file:
            elf = Elf(file.read())
            if not elf.symbols:
                raise ValueError
            elf.registry = registry_in(elf)
            return elf
    except OSError as problem:
        raise Trouble(f"{path}: error: cannot read it: {problem.strerror}")
    except (ValueError, IndexError, OverflowError, MemoryError, struct.error,
            Unreadable):
        raise Trouble(f"{path}: error: not an ELF file with symbols")


def registry_in(elf):
    """That of the image; None if nothing in it reads it, for then it is not linked."""
    memory, address = Memory(elf, {}), elf.address_of("tp_registry")
    if address is None:
        return None
    registry = memory.struct("tp_registry", address)
    rows = [memory.struct("tp_entry", row)
            for row in memory.pointers(registry.entries, registry.count)]
    names = [memory.text(row.name) for row in rows]
    return Registry({name: Entry(name, row.most, row.bytes, row.stride)
                     for name, row in zip(names, rows)}, registry.config)


def memory_table(config, level):
    """What every pool and every bank takes."""
    tenants = config.tenants()
    cells = [("", "name", "slots", "stride", "bytes", "metadata", "flash", "bank",
              "when full")]
    cells += [tenant_cells(tenant, level) for tenant in tenants]
    banks = [("bank", "region", "bytes", "budget", "left")]
    banks += [bank_cells(bank, level) for bank in config.banks.values()]
    banks += [bss_cells(tenants, level)]
    flash = sum(tenant.flash_bytes for tenant in tenants)
    return paragraphs([columns(cells, "<<>>>>><<"), scene_table(config.scenes, level),
                       columns(banks, "<<>>>"), context_table(config),
                       [f"checks = {level}, on a 32-bit core; flash: {flash} bytes and "
                        "the code"] + hint(tenants)])


def hint(tenants):
    """Where what the table does not know is told."""
    if all(tenant.counts() for tenant in tenants):
        return []
    return [f"{BY_C}: `tidepool.py map fw.elf` shows it as the firmware has it"]


BY_C = "by C"  # A number that only the compiler knows.


def shown(number, form=""):
    return BY_C if unknown(number) else format(number, form)


def scene_table(scenes, level):
    """The bytes of each scene, and what it gives to whom."""
    if not scenes:
        return []
    parts = scenes.cut_parts
    rows = [("scene", "bytes", *[part.name for part in parts])]
    rows += [(scene.name, shown(scenes.scene_bytes(scene, level)),
              *[str(part.cut[number]) for part in parts])
             for number, scene in enumerate(scenes.scenes)]
    return columns(rows, "<>" + ">" * len(parts))


def context_table(config):
    """Who calls what, as far as rows say it."""
    if not config.contexts:
        return []
    rows = [("context", "priority", "allocates", "waits", "frees")]
    for context in config.contexts.values():
        called = [", ".join(row.name for row in config.rows()
                            if context.name in getattr(row, key)) or "-"
                  for key in rows[0][2:]]
        rows.append((context.name, "-" if context.task else f"{context.interrupt:#04x}",
                     *called))
    return columns(rows, "<<<<<")


def tenant_cells(tenant, level):
    slots, stride = "-", "-"
    if isinstance(tenant, (Pool, Dense)):
        slots, stride = shown(tenant.slots), shown(tenant.stride(level))
    return (tenant.what, tenant.name, slots, stride, shown(tenant.arena_bytes(level)),
            shown(tenant.metadata_bytes(level)), str(tenant.flash_bytes),
            tenant.lies_in or "-",
            tenant.full or "-")


def bank_cells(bank, level):
    used = arena_bytes(bank.residents, level)
    budget = ("-", "-")
    if bank.budget:
        budget = (str(bank.budget), shown(bank.budget - used))
    return (bank.name, bank.region, shown(used)) + budget


def bss_cells(tenants, level):
    """What has no bank, and the metadata of all."""
    return ("-", ".bss", shown(bss_bytes(tenants, level)), "-", "-")


def bss_bytes(tenants, level):
    metadata = sum(tenant.metadata_bytes(level) - sum(tenant.kept(level).values())
                   for tenant in tenants)
    arenas = arena_bytes([tenant for tenant in tenants if not tenant.lies_in], level)
    return arenas + metadata


def placement(config, elf):
    """(table of what lies where, whether all of it is as the file says)."""
    symbols = elf.symbols
    level = built_level(config, symbols)
    rows = [("", "bank", "section", "address", "slots", "stride", "bytes", "")]
    rows += [bank_placement(bank, symbols)
             for bank in config.banks.values() if bank.residents]
    rows += [tenant_placement(tenant, elf, level)
             for tenant in filter(has_arena, config.tenants())]
    rows += registry_placement(config, elf.registry)
    right = all(row[-1] == "OK" for row in rows[1:])
    return paragraphs([columns(rows, "<<<>>>><")]), right


def has_arena(tenant):
    return tenant.ARENA is not None


def built_level(config, symbols):
    """The level whose sizes the most arenas have."""
    def fits(level):
        return sum(symbol.size == tenant.arena_bytes(level)
                   for tenant in filter(has_arena, config.tenants())
                   for symbol in symbols.get(tenant.arena, ()))
    return max(["fast", "full"], key=fits)


def bounds(bank, symbols):
    """Start and end of the bank's arena, or None."""
    ends = [symbols.get(f"tp_arena_{bank}_{end}") for end in ("start", "end")]
    return [end[0].address for end in ends] if all(ends) else None


def bank_placement(bank, symbols):
    found = bounds(bank.name, symbols)
    if not found:
        return (f"bank {bank.name}", bank.name, "-", "-", "-", "-", "-",
                "tp_pools.ld is not in it")
    start, end = found
    over = bank.budget and end - start > bank.budget
    verdict = f"over its budget of {bank.budget}" if over else "OK"
    return (f"bank {bank.name}", bank.name, f".tp_arena_{bank.name}", f"{start:#010x}",
            "-", "-", str(end - start), verdict)


def registry_placement(config, registry):
    """What the image has that the table has not."""
    if not registry:
        return []
    nowhere = ("-",) * 6
    if registry.config != config.hash:
        return [("tp_registry", *nowhere, f"of another table: {registry.config:08x} in "
                 f"it, {config.hash:08x} here")]
    return [("tp_registry", *nowhere, "OK")]


def tenant_placement(tenant, elf, level):
    symbols = elf.symbols
    found = symbols.get(tenant.arena)
    title = f"{tenant.what} {tenant.name}"
    if not found:
        return (title, tenant.lies_in or "-", "-", "-", "-", "-", "-",
                "missing: nothing uses it")
    wanted = tenant.arena_bytes(level)
    symbol = next((one for one in found if one.size == wanted), found[0])
    return (title, tenant.lies_in or "-", symbol.section, f"{symbol.address:#010x}",
            *shape(tenant, elf), str(symbol.size),
            misplaced(tenant, symbol, symbols, wanted))


# Where the stride of a descriptor of 32 bits lies; size and capacity follow it.
STRIDE_AT = {POOL_BYTES: 52, DENSE_BYTES: 32}


def shape(tenant, elf):
    """Slots and stride, as the image has them: by its registry, or where nothing reads
    that by the allocator's own descriptor."""
    if isinstance(tenant, (Pool, Dense)):
        listed = elf.registry and elf.registry.entries.get(tenant.name)
        if listed:
            return str(listed.most), str(listed.stride)
        for symbol in elf.symbols.get(tenant.descriptor, ()):
            if len(symbol.content) in STRIDE_AT:
                stride, _, slots = struct.unpack_from("<3H", symbol.content,
                                                      STRIDE_AT[symbol.size])
                return str(slots), str(stride)
    return "-", "-"


def misplaced(tenant, symbol, symbols, wanted):
    """What is wrong with where [tenant] lies, or OK."""
    limits = bounds(tenant.lies_in, symbols) if tenant.lies_in else None
    if tenant.lies_in and not (limits and limits[0] <= symbol.address < limits[1]):
        return f"not in {tenant.lies_in}"
    if not unknown(wanted) and symbol.size != wanted:
        return f"{wanted} bytes expected"
    return "OK" if symbol.empty else "part of the image"
