# SPDX-License-Identifier: MIT
"""What `table` and `map` say at the edges of a bank, of an image made up for it; and
the notes of owners that a row leads to."""

import collections
import unittest

from helper import files, read, row, table
from generator import measure
from generator.rows import arena_bytes

Symbol = collections.namedtuple("Symbol", "address size section empty content")
BANK = 'tidepool = 1\n[banks]\nb = { region = "R", budget = 96 }\n[pools]\n'


def at(address, size=96, empty=True):
    return [Symbol(address, size, ".bss", empty, b"")]


class Mapped(unittest.TestCase):
    def verdict(self, begin, end, address, size=96, empty=True):
        """Of a bank from [begin] to [end], and of a pool of 96 bytes in it."""
        config = read(BANK + row(more=', bank = "b"') + "\n")
        symbols = {"tp_arena_b_start": at(begin), "tp_arena_b_end": at(end),
                   "a_storage": at(address, size, empty)}
        pool = config.pools[0]
        return (measure.bank_placement(config.banks["b"], symbols)[-1],
                measure.misplaced(pool, symbols["a_storage"][0], symbols, 96))

    def test_a_pool_may_begin_where_its_bank_does_and_not_where_that_ends(self):
        self.assertEqual(("OK", "OK"), self.verdict(64, 160, 64))
        self.assertEqual(("OK", "OK"), self.verdict(64, 160, 159))
        self.assertEqual(("OK", "not in b"), self.verdict(64, 160, 160))
        self.assertEqual(("OK", "not in b"), self.verdict(64, 160, 63))

    def test_a_bank_may_be_as_full_as_its_budget(self):
        self.assertEqual("over its budget of 96", self.verdict(64, 161, 64)[0])

    def test_a_size_that_differs_and_what_is_loaded_are_told(self):
        self.assertEqual("96 bytes expected", self.verdict(0, 96, 0, size=88)[1])
        self.assertEqual("part of the image", self.verdict(0, 96, 0, empty=False)[1])

    def test_the_level_is_that_whose_sizes_the_most_arenas_have(self):
        config = read(BANK + row() + "\n" + row("b", count="5") + "\n")
        for level in ("fast", "full"):
            symbols = {tenant.arena: at(0, tenant.arena_bytes(level))
                       for tenant in config.pools}
            self.assertEqual(level, measure.built_level(config, symbols))


class Told(unittest.TestCase):
    def test_the_table_shows_what_each_scene_gives(self):
        config = read(table(row(), row("b"), "[scenes]", "x = { a = 1, b = 7 }",
                            "y = { a = 9, b = 2 }"))
        self.assertRegex(measure.memory_table(config, "fast"),
                         r"x +192 +1 +7\ny +264 +9 +2\n")

    def test_metadata_that_lies_in_a_bank_is_not_counted_in_bss(self):
        text = ('tidepool = 1\n[banks]\nk = { region = "R", retained = true }\n'
                "[pools]\n" + row(more=', bank = "k"') + "\n")
        config = read(text)
        self.assertLess(measure.bss_bytes(config.tenants(), "fast"),
                        sum(one.metadata_bytes("fast") for one in config.tenants()))

    def test_of_what_is_kept_notes_and_waiters_are_counted_where_they_lie(self):
        for more, beside in [("", 0), (", wait = true", 8), (", owner = true", 64),
                             (", dma = true", 8)]:
            config = read('tidepool = 1\n[banks]\nk = { region = "R", retained = true '
                          "}\n[pools]\n" + row(size="32", more=more + ', bank = "k"')
                          + "\n")
            self.assertEqual(beside, measure.bss_bytes(config.tenants(), "fast"))
            self.assertEqual(4 * 32 + 48, arena_bytes(config.tenants()))


class Owned(unittest.TestCase):
    def made(self, *rows):
        return files(table(*rows))

    def test_calls_of_a_handle_of_64_bits_note_by_one_of_64(self):
        for bits, call in ((32, "handle("), (64, "handle64(")):
            made = self.made(row(more=f", owner = true, handles = {bits}"))
            for verb in ("take", "give"):
                self.assertIn(f"tp_owner_{verb}_{call}", made["tp_pools.h"])

    def test_notes_lead_to_those_of_what_is_borrowed_if_there_are_any(self):
        spills = ', spill = "b", then = "drop", owner = true'
        for more, noted in (("", False), (", owner = true", True)):
            made = self.made(row(full='"spill"', more=spills), row("b", more=more))
            self.assertEqual(noted, ".next = &b_owned" in made["tp_pools.c"])

    def test_the_notes_of_a_reserve_are_declared_beside_those_of_its_pool(self):
        made = self.made(row(more=", owner = true, reserve = 1"))
        for name in ("a_owned", "a_reserve_owned"):
            self.assertIn(f"extern const struct tp_owned {name};", made["tp_pools.h"])


if __name__ == "__main__":
    unittest.main()
