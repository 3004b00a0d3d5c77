# SPDX-License-Identifier: MIT
"""At power-on RAM holds anything, in QEMU too: who forgets to clear it, or to ask what
a reset has left, is found."""

import struct
import tempfile
import unittest
from pathlib import Path

import trials
from command import soak
from harness import power_on
from support import build

FLASH, RAM, BANK = 0x08000000, 0x20000000, 0x10000000
CODE, DATA = b"code" * 4, b"data" * 2


def elf(*segments):
    """Of (address, where it is loaded, data, bytes in all, flags if not 6)."""
    at = 52 + 32 * len(segments)
    rows = data = b""
    for address, loaded, there, size, *flags in segments:
        rows += struct.pack("<8I", 1, at + len(data), address, loaded, len(there), size,
                            *flags or [6], 4)
        data += there
    return struct.pack("<16s2H5I6H", b"\x7fELF\1\1\1", 2, 40, 1, FLASH + 1, 52, 1234, 5,
                       52, 32, len(segments), 40, 9, 8) + rows + data


def loaded(data):
    """Address -> data of what is loaded there."""
    table, = struct.unpack_from("<I", data, 28)
    count, = struct.unpack_from("<H", data, 44)
    rows = [struct.unpack_from("<8I", data, table + 32 * n) for n in range(count)]
    for kind, _, _, _, there, size, _, _ in rows:
        assert (kind, there) == (1, size)
    return {row[3]: data[row[1]:][:row[4]] for row in rows}


class Noise(unittest.TestCase):
    def setUp(self):
        self.elf = elf((FLASH, FLASH, CODE, 16), (RAM, FLASH + 16, DATA, 40),
                       (BANK, FLASH + 24, b"", 24))

    def test_what_is_only_reserved_is_noise_and_what_is_loaded_is_as_it_was(self):
        there = loaded(power_on.noisy(self.elf, 1))
        self.assertEqual({FLASH: 16, FLASH + 16: 8, RAM: 40, BANK: 24},
                         {address: len(data) for address, data in there.items()})
        self.assertEqual((CODE, DATA), (there[FLASH], there[FLASH + 16]))
        for address in (RAM, BANK):
            self.assertGreater(len(set(there[address])), 16)
        self.assertNotEqual(there[RAM][:24], there[BANK])

    def test_all_else_of_the_file_is_as_it_was_its_symbols_too(self):
        data = bytearray(power_on.noisy(self.elf, 1)[:len(self.elf)])
        data[28:32], data[44:46] = self.elf[28:32], self.elf[44:46]
        self.assertEqual(self.elf, bytes(data))

    def test_it_is_of_the_seed(self):
        one, again, other = (power_on.noisy(self.elf, seed) for seed in (1, 1, 2))
        self.assertEqual(one, again)
        self.assertNotEqual(loaded(one)[RAM], loaded(other)[RAM])

    def test_nothing_is_loaded_over_what_is_loaded_there_and_nothing_twice(self):
        """As of code in RAM, and of parts that share their room."""
        there = loaded(power_on.noisy(elf(
            (RAM, RAM, CODE, 16), (RAM + 8, RAM + 8, b"", 24), (RAM, RAM, b"", 48),
            (RAM + 40, RAM + 40, DATA, 8)), 1))
        self.assertEqual({RAM: 16, RAM + 16: 24, RAM + 40: 8},
                         {address: len(data) for address, data in there.items()})
        self.assertEqual((CODE, DATA), (there[RAM], there[RAM + 40]))

    def test_a_word_that_is_looked_at_before_it_is_cleared_is_as_one_says(self):
        noise = loaded(power_on.noisy(self.elf, 1))[BANK]
        for at in (0, 8, 20):
            there = loaded(power_on.noisy(self.elf, 1, (BANK + at, b"word")))[BANK]
            self.assertEqual(noise[:at] + b"word" + noise[at + 4:], there)

    def test_what_runs_without_being_copied_is_not_moved_to_its_other_address(self):
        """As at the secure and the other address of one memory: the first code that
        runs was copied by nobody, nor what stands as far from where it is loaded."""
        there = loaded(power_on.noisy(elf(
            (FLASH, 0, CODE, 24), (FLASH + 32, 32, CODE, 16),
            (RAM, 16, DATA, 40)), 1))
        self.assertEqual({0: 16, FLASH + 16: 8, 32: 16, 16: 8, RAM: 40},
                         {address: len(data) for address, data in there.items()})
        self.assertEqual((CODE, CODE), (there[0], there[32]))

    def test_a_page_of_flash_that_is_only_reserved_is_left_as_it_is(self):
        """Nobody writes there: what it holds on a device came by other ways. Code that
        is copied to RAM is only read, too, and noise until then."""
        there = loaded(power_on.noisy(elf(
            (FLASH, FLASH, CODE, 64, 5), (FLASH + 64, FLASH + 64, b"", 32, 4),
            (RAM, FLASH + 128, CODE, 16, 5)), 1))
        self.assertEqual({FLASH: 16, FLASH + 128: 16, RAM: 16},
                         {address: len(data) for address, data in there.items()})

    def test_what_is_no_whole_elf_is_left_for_qemu_to_refuse(self):
        """Noise at its end is nothing that the file has lost."""
        for size in (0, 4, 60, 148, len(self.elf) - 1):
            data = self.elf[:size]
            self.assertEqual(data, power_on.noisy(data, 1))

    def test_what_ends_beyond_the_last_address_is_left_as_it_is(self):
        for top in ((2**32 - 16, 2**32 - 16, CODE, 32), (2**32 - 8, FLASH, b"", 16)):
            data = elf((FLASH, FLASH, CODE, 16), top)
            self.assertEqual({FLASH: CODE, 2**32 - 16: CODE} if top[2]
                             else {FLASH: CODE}, loaded(power_on.noisy(data, 1)))

    def test_more_than_any_board_has_is_left_as_it_is(self):
        there = loaded(power_on.noisy(elf((FLASH, FLASH, CODE, 16),
                                          (RAM, RAM, b"", 1 << 29)), 1))
        self.assertEqual({FLASH: CODE}, there)


class Forgotten(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.elf = build(trials.BOARD, "fast", "soak_power_on") / "soak_power_on.elf"

    def run_it(self, validates):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        scenario = Path(folder.name) / "asks.toml"
        scenario.write_text(f"scenario = 1\n[settings]\nvalidates = {validates}\n")
        out = Path(folder.name) / "out"
        code, said, _ = soak("run", "--elf", str(self.elf), "--frames", "120",
                             "--scenario", str(scenario), "--out", str(out),
                             "--no-share")
        return code, said, out

    def test_a_retained_pool_that_nobody_asked_about_is_a_fault_and_why_says_so(self):
        code, said, out = self.run_it(validates=0)
        self.assertEqual(1, code, said)
        self.assertIn("FAIL  link fault in pool journal,", said)
        self.assertIn("main() at tests/soak/power_on/main.c:29", said)
        _, told, _ = soak("why", str(out))
        self.assertIn("look at start-up code, and at what nobody clears there", told)

    def test_one_that_somebody_asked_about_is_none(self):
        code, said, _ = self.run_it(validates=1)
        self.assertEqual(0, code, said)


if __name__ == "__main__":
    unittest.main()
