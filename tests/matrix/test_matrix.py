# SPDX-License-Identifier: MIT
"""The same seed gives the same run on every board, by either compiler."""

import itertools
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import (BOARDS, HANG_SECONDS, ROOT, build,  # noqa: E402
                     emulator, is_full, tool)

sys.path.insert(0, str(ROOT / "qemu"))
from harness.scenario import arguments  # noqa: E402

FRAMES = 1800
GAME_FRAMES = 3600  # As qemu/game/main.c says.
HELLO, SAMPLE, DONE, FIGURES = 1, 2, 4, 9  # The last of the figures is the score.
SMALLEST = "microbit"  # It plays a share of the game, in other pools.
SMALL = {"TIDEPOOL_GAME_POOLS": ROOT / "qemu/game/pools_small.toml",
         "TIDEPOOL_GAME_LOAD": 20, "TIDEPOOL_ASAN": "OFF"}
OF_THE_BOARD = (15, 17, 18, 19, 20)  # Where, how long, how deep, what is guarded.


def records(data):
    """The types and payloads of an undamaged telemetry."""
    start = data.index(0xb7)
    while start < len(data):
        length = int.from_bytes(data[start + 2:start + 4], "little")
        yield data[start + 1], data[start + 4:start + 4 + length]
        start += length + 6


def behind_hello(data):
    """All records but the first, which names the board, and those of the board."""
    first, *rest = records(data)
    if first[0] != HELLO:
        raise AssertionError(f"the first record is of type {first[0]}")
    return [record for record in rest if record[0] not in OF_THE_BOARD]


def telemetry(board, level="poison", toolchain="", arguments=("seed=7",),
              frames=FRAMES, **settings):
    """What the console says on [board], from its first record on. All builds are
    those of other suites, too."""
    words = ("soak", f"frames={frames}", *arguments)
    folder = build(board, level, "console", toolchain=toolchain,
                   kind="small" if settings else "", **settings)
    elf = folder / "console.elf"
    if board == "host":
        return subprocess.run([elf, *words], stdout=subprocess.PIPE,
                              timeout=HANG_SECONDS, check=True).stdout
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "telemetry"
        tool(*emulator(board, elf, serial=f"file:{out}", arguments=words))
        data = out.read_bytes()
    return data[data.index(0xb7):]


def state_hash(*where, **how):
    last, payload = list(records(telemetry(*where, **how)))[-1]
    if last != DONE:
        raise AssertionError(f"{where}: the last record is of type {last}")
    return payload[4:12][::-1].hex()


class Matrix(unittest.TestCase):
    def test_six_boards_two_compilers_and_all_levels_agree_on_the_hash(self):
        hashes = {board: state_hash(board) for board in BOARDS
                  if board != SMALLEST}
        hashes["clang"] = state_hash("mps2_an385", toolchain="clang")
        for level in ("off", "fast", "full"):
            hashes[level] = state_hash("mps2_an385", level)
        self.assertEqual(1, len(set(hashes.values())), hashes)
        print(f"matrix: {len(hashes)} builds agree on the state hash "
              f"{hashes['clang']} after {FRAMES} frames of seed 7")

    def test_the_smallest_board_agrees_with_the_host_on_the_hash(self):
        self.assertEqual(state_hash("host", **SMALL), state_hash(SMALLEST))

    def test_another_seed_gives_another_hash(self):
        self.assertNotEqual(
            state_hash("mps2_an385"),
            state_hash("mps2_an385", arguments=("seed=8",)))

    def test_the_host_says_what_an_m3_says_frame_by_frame_to_the_byte(self):
        pairs = [("poison", "battle"), ("full", "leak-hunt")]
        if is_full():
            pairs = itertools.product(("fast", "poison", "full"),
                                      ("battle", "leak-hunt"))
        for level, scenario in pairs:
            with self.subTest(level=level, scenario=scenario):
                words = ("seed=9", "report_every=1", "clock=none",
                         *arguments(scenario))
                host, target = (behind_hello(telemetry(board, level, arguments=words))
                                for board in ("host", "mps2_an385"))
                samples = [kind for kind, _ in host if kind == SAMPLE]
                self.assertEqual(FRAMES, len(samples))
                self.assertTrue(host == target, (level, scenario))

    def test_the_game_alone_plays_what_it_plays_on_the_rig(self):
        alone = build("mps2_an385", "fast", "game") / "game.elf"
        self.assertNotIn("qemu/rig/", tool("arm-none-eabi-nm", "-l", alone))
        score = int(re.search(r"score (\d+)", tool(*emulator(
            "mps2_an385", alone))).group(1))
        data = telemetry("mps2_an385", "fast", frames=GAME_FRAMES, arguments=(
            "seed=7", "interrupts=first"))
        told = [payload for kind, payload in records(data) if kind == FIGURES]
        self.assertEqual(score, int.from_bytes(told[-1][-4:], "little"))
        self.assertGreater(score, 100)
