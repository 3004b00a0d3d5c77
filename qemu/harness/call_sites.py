# SPDX-License-Identifier: MIT
"""Which place of the application holds which bytes, at some moments of a run.

The run is made once more, and stopped where it tells of a second: there the account
that a build with TIDEPOOL_SOAK keeps of who was issued each slot is in its memory. What
a debugger's stop changes of the time to the next timer is undone, since the run goes
on from a snapshot that was made before.
"""

import contextlib
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from .errors import CannotRun
from .gdb_remote import Gone
from .monitor import NoAnswer
from .options import HOST, ROOT, Options
from .replay import Replay
from .result_folder import ELF
from .source_lines import caller_lines
from .why import CLOCK, TIMES, Finding, starts

sys.path.insert(0, str(ROOT / "lib" / "config"))
from decoder import Unreadable  # noqa: E402
from decoder.elf import Elf  # noqa: E402
from decoder.firmware import Firmware  # noqa: E402
from decoder.holders import Holders  # noqa: E402
from decoder.memory import Memory  # noqa: E402

TOOLS = {"qemu-system-arm": "qemu-system-arm", "qemu-img": "qemu-utils"}
TELLS = "tp_record_sample"  # Called with what begins with the frame.
ACCOUNT = ("places", "holder", "first_slot")
NEEDED = (TELLS, CLOCK, *ACCOUNT)


def why_unknown(run):
    """Why nobody can say; "" if it can be tried."""
    if run.page["options"]["board"] == HOST:
        return "a run on the host is no board's, whose memory could be looked at"
    elf = Elf((run.folder / ELF).read_bytes())
    if any(elf.address_of(name) is None for name in NEEDED):
        return "only a build with TIDEPOOL_SOAK, and with symbols, knows who asked"
    return ""


def call_sites(run, moments):
    """{frame: {allocator: {place: bytes}}} of moments in order."""
    for _ in range(TIMES):
        with contextlib.suppress(Gone, NoAnswer), \
                tempfile.TemporaryDirectory() as work:
            return _named(run, _held(run, moments, Path(work)))
        run.refuse_to_go_on()
        _say("QEMU ended while the run was made once more")
    raise CannotRun("QEMU ended each time the run was made once more.")


def _say(text):
    print(f"trace: {text}", file=sys.stderr, flush=True)


def _held(run, moments, work):
    """frame -> allocator -> Counter of return addresses."""
    shutil.copyfile(run.folder / ELF, work / ELF)
    elf = Elf((work / ELF).read_bytes())
    first = Finding("", moments[0].frame, "", 0, 0, 0)
    for snapshot in starts(run.folder, work, first, _say):
        with Replay(Options(**run.page["options"]), run.page["arguments"], work,
                    snapshot, elf.address_of(CLOCK), run.stop) as replay:
            if replay.frame < first.frame:
                return {one.frame: _at(replay, one, elf) for one in moments}
    raise CannotRun(f"the run did not come to frame {first.frame} again.")


def _at(replay, moment, elf):
    """Who holds what at that moment. The replay is then where it is shortly before."""
    before = replay.approach(moment.frame)[-1]
    replay.load(before)
    for stop in replay.run_to([elf.address_of(TELLS) & ~1], moment.frame):
        if replay.gdb.word(stop.registers[0]) == moment.frame:
            held = _held_in(_memory(replay.gdb, elf), moment)
            replay.load(before)
            return held
    raise _other(moment)


def _memory(gdb, elf):
    pieces = {begin: gdb.read(begin, end - begin) for begin, end in elf.variables()}
    return Memory(elf, pieces)


def _held_in(memory, moment):
    try:
        firmware = Firmware(memory.elf, memory)
        holders = Holders(firmware)
        return {use.allocator.name: _holders_of(firmware, holders, use, moment)
                for use in moment.uses}
    except Unreadable as trouble:
        raise CannotRun(f"whose the bytes are cannot be told: {trouble}; --no-sites"
                        " leaves it out.") from None


def _holders_of(firmware, holders, use, moment):
    """Return address -> how many of its bytes; 0: nobody knows."""
    entry = firmware.entries[firmware.index(use.allocator.name)]
    pool = entry.it.pool() if entry.it else None
    if not pool or not use.usage.live:  # At `off` size classes tell of none.
        return Counter()
    slots = pool.live_slots()
    if len(slots) != use.usage.live:
        raise _other(moment)
    held = Counter(holders.caller(use.allocator.name, slot) for slot in slots)
    return Counter({place: count * use.allocator.stride
                    for place, count in held.items() if place})


def _other(moment):
    return CannotRun(f"the run did not come to frame {moment.frame} as it did, as one"
                     " with interrupts by a timer may not; --no-sites leaves out whose"
                     " the bytes are.")


def _named(run, held):
    """The same, of lines of source in place of addresses."""
    addresses = {address for allocators in held.values()
                 for places in allocators.values() for address in places}
    lines = caller_lines(run.folder / ELF, sorted(addresses))
    return {frame: {name: {_place(address, lines): amount
                           for address, amount in places.items()}
                    for name, places in allocators.items()}
            for frame, allocators in held.items()}


def _place(address, lines):
    """As massif has one: '0x00001672: explode (qemu/game/enemies.c:57)'."""
    function, _, line = lines.get(address, "").partition("() at ")
    return f"0x{address:08X}: " + (f"{function} ({line})" if line else "???")
