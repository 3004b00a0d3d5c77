# SPDX-License-Identifier: MIT
"""What is told of a firmware's memory, as lines of text."""

import collections

from . import Unreadable
from .memory import Missing
from .owners import Known, Owners, made_or_none
from .record import fault_record, in_words

ALL, LIVE, DEAD = "all", "live", "dead"


def table(rows, left):
    """Lines; the first [left] columns begin where their heads do."""
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(str(cell).ljust(width) if i < left else str(cell).rjust(width)
                      for i, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in rows]


def ranges(numbers):
    """'1-3 7 9-10'."""
    found = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in found) or "none"


def pools(firmware):
    """Every allocator: live, peak, capacity, refused."""
    rows = [("name", "kind", "full", "bank", "live", "peak", "of", "refused", "unit")]
    for entry in firmware.entries:
        figures = ["?"] * 4
        if entry.it:
            capacity, live, peak, refused = entry.figures
            figures = [live, peak, capacity, refused]
        rows.append((entry.name, entry.title, entry.policy, entry.bank, *figures,
                     entry.unit))
    return table(rows, 4)


def slots_of(firmware, name):
    """(its entry, its slots ever issued)."""
    entry = firmware.called(name)
    slots = entry.it.slots()
    if slots is None:
        raise Unreadable(f"{name} is a {entry.title}, which has no slots")
    return entry, slots


def slots(firmware, name, which=ALL):
    """Each slot that was ever issued: where it lies, live or dead, how often issued,
    who holds it."""
    entry, listed = slots_of(firmware, name)
    who = made_or_none(Known, firmware)
    rows = [("slot", "address", "state", "issued") + ("by",) * bool(who)]
    for slot in listed:
        if which in (ALL, LIVE if slot.is_live else DEAD):
            rows.append((slot.number, f"{slot.address:#010x}",
                         "live" if slot.is_live else "dead",
                         "-" if slot.issued is None else slot.issued,
                         *([line_of(firmware, who, entry, slot)] if who else ())))
    capacity = entry.figures.capacity
    return table(rows, 3) + [f"{capacity - len(listed)} more were never issued"]


def line_of(firmware, who, entry, slot):
    return firmware.lines.caller(who.caller(entry, slot.number))


def holders(firmware, name):
    """Which lines of the application hold its live slots, and since when."""
    entry, listed = slots_of(firmware, name)
    return held_by(firmware, Known(firmware), entry,
                   [slot for slot in listed if slot.is_live])


def held_by(firmware, who, entry, live):
    """Lines, the first that of who holds most."""
    ages, most = collections.defaultdict(list), entry.figures.capacity
    for slot in live:
        note = who.note(entry, slot.number)
        by = f" by {line_of(firmware, who, entry, slot)}"
        by = by if who.caller(entry, slot.number) else ", nobody knows by whom"
        ages[by + (note.context if note else "")].append(
            (who.age(note.since), note.since) if note else (-1, None))
    return [f"{len(found)} of {most} held{since(max(found))}{by}"
            for by, found in sorted(ages.items(), key=lambda one: -len(one[1]))]


def since(oldest):
    """Of the longest (age, frame), if that is known."""
    return "" if oldest[1] is None else f" since frame {oldest[1]}"


def who(firmware, address):
    """Which allocator an address lies in, which slot, how far into it."""
    found = firmware.holding(address)
    if not found:
        raise Unreadable(f"{address:#010x} lies in no allocator")
    return [f"{address:#010x}: {place_in(firmware, entry, address)}" for entry in found]


def place_in(firmware, entry, address):
    pool = entry.it.pool()
    if not pool:
        begin, _ = entry.it.memory_range()
        return f"{entry.title} {entry.name}, byte {address - begin} of it"
    slot, byte = pool.slot_of(address + pool.lead)
    if slot == 0 or byte >= pool.lead + pool.size:
        where = f"behind slot {slot}" if slot else "before slot 1"
        return f"pool {entry.name}, the red zone {where}"
    where = f"pool {entry.name}, slot {slot}, byte {byte}"
    return f"{where}: {state_of(firmware, entry, slot)}"


def state_of(firmware, entry, slot):
    """'live, issued 3 times, at serve() ...' of a slot of a pool."""
    pool = entry.it.pool()
    if slot > pool.fresh:
        return "never issued"
    words = ["live" if pool.is_live(slot) else "dead"]
    if pool.tags:
        words.append(f"issued {pool.issued(slot)} times")
    known = made_or_none(Known, firmware)
    if known and known.note(entry, slot):
        words += note_in_words(firmware, known.note(entry, slot))
    elif known and known.caller(entry, slot):
        line = firmware.lines.caller(known.caller(entry, slot))
        words.append(f"the last time to {line}")
    return ", ".join(words)


def note_in_words(firmware, note):
    """Who had it last, and who gave it back, if that is known."""
    asked, freed = map(firmware.lines.caller, (note.asked, note.freed))
    when = f"frame {note.since}"
    if note.is_given_back:
        return [f"given back in {when} by {freed}{note.context}",
                f"asked for by {asked}"]
    return [f"asked for in {when} by {asked}{note.context}"]


def check(firmware):
    """(lines, whether all is sound): what is wrong with each allocator."""
    found = firmware.findings()
    known = made_or_none(Known, firmware)
    found += known.changed() if known else []
    lines = [line for entry, finding in found
             for line in finding_lines(firmware, entry, finding)]
    untold = [entry for entry in firmware.entries if entry.trouble]
    astray = [entry for entry in untold if not firmware.has(entry.trouble.address)]
    lines += [trouble_line(entry, entry in astray) for entry in untold]
    broken = len({entry.name for entry, _ in found} | {one.name for one in astray})
    lacking = len(untold) - len(astray)
    return lines + [f"{len(firmware.entries)} allocators, {broken or 'none'} broken"
                    + f", {lacking} not told of" * bool(lacking)], not broken


def trouble_line(entry, is_astray):
    """Of one that is not told of, for the dump lacks it, or nobody has it."""
    return f"{entry.title} {entry.name}: " + (
        f"it leads to {entry.trouble.address:#010x}, where the ELF has no memory"
        if is_astray else f"cannot be told of: {entry.trouble}")


def finding_lines(firmware, entry, finding):
    lines = [f"{entry.title} {entry.name}: {finding.text}"]
    if finding.slot and entry.it.pool():
        lines.append(f"  slot {finding.slot} is"
                     f" {state_of(firmware, entry, finding.slot)}")
    return lines


def fault(firmware):
    """What the record says of the fault; [] if there was none, None if nobody knows."""
    try:
        record = fault_record(firmware)
    except Missing:
        return None
    if not record:
        return []
    lines = in_words(firmware, record)
    lines.append(f"  by {firmware.lines.caller(record.caller)}")
    entry = firmware.row_at(record.pool) if record.pool else None
    if entry and record.slot:
        lines.append(f"  slot {record.slot} is"
                     f" {state_of(firmware, entry, record.slot)}")
    elif record.slot:
        lines += kept_note(firmware, record)
    for home in firmware.holding(record.address):
        if home is not entry:
            lines.append(f"  {record.address:#010x} is"
                         f" {place_in(firmware, home, record.address)}")
    return lines


def kept_note(firmware, record):
    """Of whom a slot was, if that is all that is known of its pool: a line."""
    owners = made_or_none(Owners, firmware)
    note = owners and owners.kept_note(record.pool, record.slot)
    words = note_in_words(firmware, note) if note else []
    return [f"  slot {record.slot} was {', '.join(words)}"] if words else []


def all_slots(firmware):
    """Of each allocator with slots which are live and which dead."""
    lines = []
    for entry in firmware.entries:
        listed = entry.it.slots() if entry.it else None
        if listed is None or not entry.figures.capacity:
            continue
        live = ranges(slot.number for slot in listed if slot.is_live)
        dead = ranges(slot.number for slot in listed if not slot.is_live)
        lines.append(f"{entry.title} {entry.name}: live {live}; dead {dead}")
    return lines


def all_holders(firmware):
    """Who holds what, of every pool; nothing where nobody knows."""
    known, lines = made_or_none(Known, firmware), []
    for entry in firmware.entries if known else ():
        if entry.it and entry.it.pool() and entry.it.pool().live:
            live = [slot for slot in entry.it.slots() if slot.is_live]
            lines += [f"{entry.name}:", *("  " + line for line in
                                          held_by(firmware, known, entry, live))]
    return lines
