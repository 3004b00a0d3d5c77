# SPDX-License-Identifier: MIT
"""The same seed gives the same run on every board, by either compiler."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BOARDS, ROOT, build, emulator, tool  # noqa: E402

FRAMES = 1800
DONE = 4


def records(data):
    """The types and payloads of an undamaged telemetry."""
    start = data.index(0xb7)
    while start < len(data):
        length = int.from_bytes(data[start + 2:start + 4], "little")
        yield data[start + 1], data[start + 4:start + 4 + length]
        start += length + 6


def state_hash(board, level="fast", toolchain="gcc", seed=7):
    folder = build(board, level, "console", kind="matrix", toolchain=toolchain,
                   TIDEPOOL_CONSOLE_POOLS=ROOT / "tests/matrix/pools.toml")
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "telemetry"
        tool(*emulator(board, folder / "console.elf", serial=f"file:{out}",
                       arguments=("soak", f"seed={seed}", f"frames={FRAMES}")),
             timeout=120)
        last, payload = list(records(out.read_bytes()))[-1]
    if last != DONE:
        raise AssertionError(f"{board}: the last record is of type {last}")
    return payload[4:12][::-1].hex()


class Matrix(unittest.TestCase):
    def test_six_boards_two_compilers_and_all_levels_agree_on_the_hash(self):
        hashes = {board: state_hash(board) for board in BOARDS}
        hashes["clang"] = state_hash("mps2_an385", toolchain="clang")
        for level in ("off", "poison", "full"):
            hashes[level] = state_hash("mps2_an385", level)
        self.assertEqual(1, len(set(hashes.values())), hashes)
        print(f"matrix: {len(hashes)} builds agree on the state hash "
              f"{hashes['microbit']} after {FRAMES} frames of seed 7")

    def test_another_seed_gives_another_hash(self):
        self.assertNotEqual(state_hash("mps2_an385", seed=7),
                            state_hash("mps2_an385", seed=8))
