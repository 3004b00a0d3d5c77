# SPDX-License-Identifier: MIT
"""Every kind of allocator, alone in a bank: where the linkers put it, and the sentences
that end a link."""

import unittest

from firmware import INCLUDE, Firmware

BANK = 'tidepool = 1\n[banks]\nextra = { region = "EXTRA", budget = %d }\n'
SLEEPS = BANK.replace(" }", ", sleeps = true }")
# Its rows, the bytes they take of the bank, and a call that uses them.
KINDS = {
    "pool": ('[pools]\na = { size = 24, count = 10, bank = "extra", full = "drop" }',
             240, "a_free(a_alloc());"),
    "reserve": ('[pools]\na = { size = 24, count = 10, bank = "extra", full = "drop", '
                'reserve = 3 }', 240,
                "a_free(a_alloc_urgent());"),
    "spill": ('[pools]\na = { size = 24, count = 4, full = "spill", spill = "b", then '
              '= "drop" }\n'
              'b = { size = 24, count = 10, bank = "extra", full = "drop" }', 240,
              "a_free(a_alloc());"),
    "stack": ('[stacks]\na = { bytes = 240, bank = "extra", full = "drop" }', 240,
              "a_alloc(8, 8);"),
    "ends": ('[stacks]\na = { bytes = 240, bank = "extra", full = "drop", ends = 2 }',
             240, "a_alloc(TP_LOW, 8, 8);"),
    "frame": ('[frames]\na = { bytes = 120, buffers = 2, bank = "extra", full = "drop" '
              '}', 240, "a_alloc(8, 8);"),
    "blocks": ('[blocks]\na = { classes = [ { size = 8, count = 10 }, { size = 16, '
               'count = 10 } ], bank = "extra", '
               'full = "drop" }', 240, "a_free(a_alloc(8));"),
    "relocating": ('[relocating]\n'
                   'a = { bytes = 232, handles = 9, bank = "extra", full = "drop" }',
                   240, "a_alloc(8);"),
    "dense": ('[dense]\na = { size = 24, count = 10, bank = "extra", full = "drop" }',
              240, "a_alloc(NULL);"),
    "scenes": ('[pools]\na = { size = 24, count = 1, bank = "extra", full = "drop" }\n'
               "[scenes]\nday = { a = 3 }\nnight = { a = 10 }", 240,
               "scenes_force(TP_SCENE_DAY); a_alloc();"),
    "sleeper": ('[pools]\na = { size = 24, count = 10, bank = "extra", full = "drop" }',
                240, "extra_wake(); a_alloc();"),
    "nest": ('[nests]\na = { bytes = 240, bank = "extra" }', 240,
             "tp_dstack_alloc(&a_nest.as.dstack, TP_LOW, 8, 8);"),
    "nested": ('[nests]\nn_ = { bytes = 240, bank = "extra" }\n'
               '[stacks]\na = { bytes = 80, full = "drop", in = "n_", end = "high" }',
               240,
               "a_alloc(8, 8); tp_dstack_alloc(&n__nest.as.dstack, TP_LOW, 8, 8);"),
}
MAIN = "void reset(void);\nvoid reset(void) {{ for (;;) {{ {use} }} }}\n"
SENTINEL = "tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld"


class Arenas(Firmware):
    def each(self, kinds=KINDS, region="EXTRA", **how):
        """Links a firmware of each kind: (kind, bytes, what the linker said)."""
        for kind in kinds:
            rows, size, use = KINDS[kind]
            bank = SLEEPS if kind == "sleeper" else BANK
            yield kind, size, self.link_with(bank % size + rows + "\n",
                                             MAIN.format(use=use), region=region, **how)

    def refused(self, sentence, **how):
        for kind, _, result in self.each(**how):
            self.assertNotEqual(result.returncode, 0, kind)
            self.assertIn(sentence, result.stdout, kind)

    def test_each_lies_in_its_region_and_nothing_else_does(self):
        for kind, size, result in self.each():
            self.assertEqual(result.stdout, "", kind)
            self.assertEqual(self.at("tp_arena_extra_start"), 0x60000000, kind)
            self.assertEqual(self.at("tp_arena_extra_end"), 0x60000000 + size, kind)

    def test_none_is_in_the_image(self):
        for kind, _, _ in self.each():
            self.run_tool("arm-none-eabi-objcopy", "-O", "binary", "image.elf",
                          "image.bin")
            self.assertLess((self.folder / "image.bin").stat().st_size, 8000, kind)

    def test_a_script_without_the_include_is_a_sentence_for_each(self):
        self.refused(SENTINEL, before="")

    def test_an_include_behind_bss_is_a_sentence_for_each(self):
        self.refused("pools.toml:3: extra: INCLUDE tp_pools.ld must stand before .bss",
                     before="", after=INCLUDE)

    def test_a_region_that_memory_lacks_is_a_sentence_for_each(self):
        self.refused(self.no_region, region="OTHER")

    def test_red_zones_over_the_budget_are_a_sentence_for_each_that_has_them(self):
        self.refused("pools.toml:3: extra: more than the budget of 240 bytes", level=3,
                     kinds=["pool", "reserve", "spill", "blocks", "scenes",
                            "sleeper"])

    no_region = "pools.toml:3: extra: MEMORY of the linker script has no EXTRA"


class ArenasByLld(Arenas):
    linker = ["ld.lld-19", "--gc-sections"]
    no_region = "memory region not defined: EXTRA"


if __name__ == "__main__":
    unittest.main()
