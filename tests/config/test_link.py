# SPDX-License-Identifier: MIT
"""The linker fragment, by GNU ld and by lld: what it places, and how it fails."""

import unittest

from firmware import GCC, INCLUDE, Firmware

POOLS = """tidepool = 1
[banks]
psram = { region = "PSRAM", budget = 1600 }
[pools]
sparks = { size = 24, count = 10, bank = "psram", full = "drop" }
embers = { size = 24, count = 20, bank = "psram", full = "drop", align = 64 }
smoke  = { size = 24, count = 30, full = "drop" }
"""
MAIN = """
void reset(void);
void reset(void) {{ for (;;) {pool}_free({pool}_alloc()); }}
"""
SENTINEL = "tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld"


class Linking(Firmware):
    def link(self, pool="sparks", **how):
        return self.link_with(POOLS, MAIN.format(pool=pool), **how)

    def refusal(self, **how):
        result = self.link(**how)
        self.assertNotEqual(result.returncode, 0)
        return result.stdout

    def test_a_bank_lies_in_its_region_and_is_not_loaded(self):
        self.assertEqual(self.link().stdout, "")
        self.assertEqual(self.at("embers_storage"), 0x60000000)
        self.assertEqual(self.at("sparks_storage"), 0x60000000 + 20 * 64)

    def test_a_pool_without_bank_is_ordinary_zeroed_memory(self):
        self.assertEqual(self.link(pool="smoke").stdout, "")
        self.assertEqual(self.at("smoke_storage") >> 28, 2)

    def test_the_image_does_not_contain_the_arena(self):
        self.link()
        self.run_tool("arm-none-eabi-objcopy", "-O", "binary", "image.elf", "image.bin")
        self.assertLess((self.folder / "image.bin").stat().st_size, 2000)

    def test_a_script_without_the_include_is_a_sentence(self):
        self.assertIn(SENTINEL, self.refusal(before=""))

    def test_an_include_behind_bss_is_a_sentence(self):
        self.assertIn("pools.toml:3: psram: INCLUDE tp_pools.ld must stand before .bss",
                      self.refusal(before="", after=INCLUDE))

    def test_a_bank_over_its_budget_is_a_sentence(self):
        self.assertIn("pools.toml:3: psram: more than the budget of 1600 bytes",
                      self.refusal(level=3))

    def test_a_region_that_memory_lacks_is_a_sentence(self):
        self.assertIn("pools.toml:3: psram: MEMORY of the linker script has no PSRAM",
                      self.refusal(region="OTHER"))


class LinkingWithLld(Linking):
    linker = ["ld.lld-19", "--gc-sections"]

    def test_a_region_that_memory_lacks_is_a_sentence(self):
        self.assertIn("memory region not defined: PSRAM", self.refusal(region="OTHER"))


class LinkingWithLto(Firmware):
    """By GCC, which does not tell GNU ld what pools are gone."""
    compiler = GCC + ["-flto"]
    linker = GCC + ["-mcpu=cortex-m3", "-mthumb", "-Os", "-nostdlib", "-flto",
                    "-Wl,--gc-sections"]

    def link(self, pool):
        return self.link_with(POOLS, MAIN.format(pool=pool))

    def test_a_bank_has_the_pools_of_it_that_are_used(self):
        self.assertEqual(self.link("sparks").stdout, "")
        self.assertEqual(self.at("tp_arena_psram_start"), 0x60000000)
        self.assertEqual(self.at("tp_arena_psram_end"), 0x60000000 + 10 * 24)

    def test_a_bank_whose_pools_nobody_uses_is_a_sentence_that_says_so(self):
        said = self.link("smoke").stdout
        self.assertIn("INCLUDE tp_pools.ld must stand before .bss, or with -flto "
                      "a pool of it must be used", said)


if __name__ == "__main__":
    unittest.main()
