# SPDX-License-Identifier: MIT
"""A firmware made of paper: telemetry without a processor, for the tests."""

import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support import HANG_SECONDS, wait_until  # noqa: E402, F401

from harness import telemetry  # noqa: E402
from harness.ledger import Ledger  # noqa: E402
from harness.machine import Ending  # noqa: E402
from harness.options import CHECKS, Options  # noqa: E402

POLICIES = ("assert", "drop", "steal-oldest", "steal-least", "spill")

# Name, capacity, stride, number of the policy or its name; and what is not as of a
# pool: see entry().
POOLS = (("particles", 100, 32, 1), ("sounds", 16, 24, 2),
         ("enemies", 8, 40, 0))
POISON, DOUBLE_FREE, FULL, TAG, INVARIANT, METADATA = 6, 3, 8, 5, 10, 26


def wait_for_samples(out, least, process):
    """Until a run into [out], which [process] makes, has said [least] bytes."""
    telemetry = out / ".running" / "telemetry.bin"
    wait_until(lambda: telemetry.exists() and telemetry.stat().st_size > least,
               process)


def elf(machine=40, architecture=None, profile="M", names=None, text=b"", kind=2):
    """A file for --elf: a header, perhaps attributes, perhaps a symbol's name."""
    tags = bytes([5]) + b"3-M\0" + bytes([6, architecture or 0, 7, ord(profile)])
    attributes = b"A" + struct.pack("<I", 20 + len(tags)) + b"aeabi\0" \
        + b"\1" + struct.pack("<I", 5 + len(tags)) + tags
    sections = [(0x70000003, attributes, 0)] * (architecture is not None)
    if names is not None:
        sections += [(2, b"", len(sections) + 1), (3, b"\0" + names, 0)]
    body, heads = b"", b""
    for section, content, link in sections:
        heads += struct.pack("<10I", 0, section, 0, 0, 52 + len(body), len(content),
                             link, 0, 1, 0)
        body += content
    return b"\x7fELF\1\1\1" + bytes(9) + struct.pack(
        "<2H5I6H", kind, machine, 1, 0, 0, 52 + len(body), 0, 52, 0, 0, 40,
        len(sections), 0) + body + heads + text


def record(kind, payload):
    body = struct.pack("<BH", kind, len(payload)) + payload
    checksum = telemetry.fletcher16(body)
    return b"\xb7" + body + struct.pack("<H", checksum)


def counted(*texts):
    return b"".join(bytes([len(text)]) + text.encode() for text in texts)


def entry(name, capacity, stride, policy, kind="pool", unit="slots", bank="ram",
          spare=False):
    policy = policy if isinstance(policy, str) else POLICIES[policy]
    return struct.pack("<IIHB", capacity, capacity * stride, stride, spare) \
        + counted(name, kind, unit, policy, bank)


def hello(frames=3600, seed=1, checks=2, interrupts=0, pools=POOLS, version=3,
          board="", hooks=True, sites=()):
    payload = struct.pack("<IIQIIBBB", version, 0xC0FFEE, seed, frames, 60, checks,
                          interrupts + 2 * hooks, len(pools)) + counted(board)
    payload += b"".join(entry(*pool) for pool in pools)
    return record(1, payload + bytes([len(sites)]) + counted(*sites))


def usage(live, peak=None, low=None, high=None, allocs=None, frees=None,
          steals=0, refused=0, spills=0, full_frames=0, capacity=2**32 - 1):
    """The numbers of one pool; what is not given balances."""
    allocs = live + steals if allocs is None else allocs
    frees = allocs - steals - live if frees is None else frees
    high = live if high is None else high
    return struct.pack("<11I", capacity, live, high if peak is None else peak,
                       live if low is None else low, high,
                       *(n % 2**32 for n in (allocs, frees, steals, refused,
                                             spills, full_frames)))


def sample(frame, *usages, state_hash=0x1122334455667788, irqs=None):
    irqs = frame if irqs is None else irqs
    head = struct.pack("<IQI", frame, state_hash, irqs % 2**32)
    return record(2, head + b"".join(usages))


def fault(kind, frame=1234, pool=0, slot=17, address=0x21000220, offset=8,
          expected=0x1DEADB0B, found=0xBAD, caller=0x1001, opened=""):
    return record(3, struct.pack("<IBBHIIIII", frame, kind, pool, slot, address,
                                 offset, expected, found, caller) + opened.encode())


def done(frame=3600, state_hash=0x1122334455667788, irqs=3600):
    return record(4, struct.pack("<IQI", frame, state_hash, irqs))


def text(words):
    return record(5, words.encode())


def audit(words, frame=600, pool=1, slot=0):
    return record(6, struct.pack("<IBBH", frame, pool, 0, slot) + words.encode())


def planted(name, frame=600, pool=1, slot=0):
    return record(7, struct.pack("<IBBH", frame, pool, 0, slot) + name.encode())


def figure(index, name, unit="bytes", scale=0, flat=True):
    return record(8, struct.pack("<BBxxI", index, flat, scale)
                  + f"{name}|{unit}".encode())


def figures(frame, *values):
    return record(9, struct.pack(f"<{1 + len(values)}I", frame, *values))


def costs(name, counts, first=0, step=4):
    name = name.encode()
    return record(10, struct.pack("<BxHH", len(name), first, step) + name
                  + struct.pack(f"<{len(counts)}I", *counts))


def scene(frame, name):
    return record(11, struct.pack("<I", frame) + name.encode())


def refused(name, requests, refused):
    return record(12, struct.pack("<II", requests, refused) + name.encode())


def picture(frame, *uses, width=2, height=2, pixels=b"\xe0\x1c\x03\xff"):
    """[uses]: (allocator, how much it holds)."""
    head = struct.pack("<IHHB", frame, width, height, len(uses))
    return record(16, head + b"".join(struct.pack("<BI", *use) for use in uses)
                  + pixels)


def expectation(name, asked, failed, first):
    return record(14, struct.pack("<III", asked, failed, first) + name.encode())


def question(name, asked, wrong, first):
    return record(23, struct.pack("<III", asked, wrong, first) + name.encode())


def place(allocator, site, requests, on_purpose, refused, held=0):
    return record(15, struct.pack("<6I", allocator, site, requests, on_purpose,
                                  refused, held))


def frame_costs(frame, least, mean, most, most_frame=None, budget=0):
    """In instructions: a tick is one."""
    most_frame = frame - 1 if most_frame is None else most_frame
    return record(17, struct.pack("<IIHH4I", frame, most_frame, 60, 8192, least,
                                  mean, most, budget))


def stack(frame, size, deepest, name="main"):
    return record(18, struct.pack("<III", frame, size, deepest) + name.encode())


def oldest(frame, allocator, life, slot, age, site=0x1001):
    return record(19, struct.pack("<6I", frame, allocator, life, slot, age, site))


def guard(begin=0, end=0x8000, why_not=""):
    return record(20, struct.pack("<II", begin, end) + why_not.encode())


def holes(frame, allocator, largest, count, size):
    return record(22, struct.pack("<5I", frame, allocator, largest, count, size))


def clock(start):
    return record(21, struct.pack("<I", start))


def setting(name, value=1):
    return record(13, struct.pack("<I", value) + name.encode())


def stranger(frame, allocator, call, exception=0, priority=256, task="", site=0x1001):
    return record(24, struct.pack("<IIIHHI", frame, allocator, site, exception,
                                  priority, call) + task.encode())


def caller(allocator, name, calls, seen, priority=256):
    return record(25, struct.pack("<IHBB", allocator, priority, calls, seen)
                  + name.encode())


def healthy_sample(frame):
    """All pools used, the first two full at times, the last one never."""
    return sample(frame,
                  usage(60, high=100, low=10, allocs=frame, refused=frame // 3,
                        full_frames=frame // 100),
                  usage(15, high=16, allocs=frame + 15, steals=frame,
                        full_frames=frame // 2),
                  usage(3, high=4, low=2, allocs=frame // 60 + 3))


def healthy_run(frames=3600, **how):
    samples = [healthy_sample(frame) for frame in range(60, frames + 1, 60)]
    return b"".join([hello(frames, **how), *samples,
                     done(frames, irqs=frames)])


def ledger_of(data):
    """What the harness makes of a run that ended by itself."""
    ledger, decoder = Ledger(), telemetry.Decoder()
    for entry in decoder.feed(data) + decoder.finish():
        ledger.add(entry)
    ledger.damaged_bytes = decoder.damaged_bytes
    ledger.torn_records = decoder.torn_records
    return ledger


def good_ending():
    return Ending("QEMU ended with code 0")


def options(frames=3600, checks="poison", **others):
    assert checks in CHECKS
    return Options(frames=frames, checks=checks, **others)
