# SPDX-License-Identifier: MIT
"""The same seed gives the same run on every board, by either compiler."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOARDS = ("microbit", "mps2_an385", "mps2_an386", "mps2_an500", "mps2_an505",
          "mps3_an547")
FRAMES = 1800
DONE = 4


def tool(*words, timeout=300):
    result = subprocess.run([str(word) for word in words], cwd=ROOT,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True,
                            timeout=timeout)
    if result.returncode:
        raise AssertionError(f"{' '.join(map(str, words))}\n{result.stdout}")


def build(board, level, toolchain):
    folder = ROOT / "build" / f"matrix-{toolchain}-{board}-{level}"
    tool("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja",
         f"-DTIDEPOOL_BOARD={board}", f"-DTIDEPOOL_CHECKS={level}",
         f"-DTIDEPOOL_CONSOLE_POOLS={ROOT}/tests/matrix/pools.toml",
         f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/qemu/boards/{toolchain}.cmake")
    tool("cmake", "--build", folder, "--target", "console")
    return folder / "console.elf"


def records(data):
    """The types and payloads of an undamaged telemetry."""
    start = data.index(0xb7)
    while start < len(data):
        length = int.from_bytes(data[start + 2:start + 4], "little")
        yield data[start + 1], data[start + 4:start + 4 + length]
        start += length + 6


def state_hash(board, level="fast", toolchain="gcc", seed=7):
    elf = build(board, level, toolchain)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "telemetry"
        words = ["soak", f"seed={seed}", f"frames={FRAMES}"]
        tool("qemu-system-arm", "-M", board.replace("_", "-"), "-display",
             "none", "-monitor", "none", "-nic", "none", "-serial",
             f"file:{out}", "-icount", "shift=5,sleep=off", "-no-reboot",
             "-semihosting-config", "enable=on,target=native,"
             + ",".join(f"arg={word}" for word in words), "-kernel", elf,
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
