# SPDX-License-Identifier: MIT
"""What `table` counts and `map` reads, against what the linkers really did."""

import random
import struct
import unittest

from firmware import CLANG, Firmware
from helper import is_full, read
from generator.allocators import BlockClass
from generator.measure import placement, read_elf
from generator.rows import arena_bytes
from generator.toml import Trouble
from generator.values import LEVELS

POOLS = """tidepool = 1
[banks]
psram = { region = "PSRAM" }
[pools]
sparks = { size = 24, count = 10, bank = "psram", full = "drop" }
embers = { size = 64, count = 20, bank = "psram", full = "drop", align = 64 }
smoke  = { size = 24, count = 30, full = "drop" }
sounds = { size = 12, count = 7, align = 4, full = "steal-oldest", handles = 32 }
"""


def of_each_pool(main, text):
    """[main] with a call for each row of [pools]."""
    calls = " ".join(f"tp_pool_alloc(&{pool.name}_pool);" for pool in read(text).pools)
    return main.replace("ALLOC_OF_EACH_POOL", calls)


MAIN = """
void reset(void);
void reset(void)
{
  ALLOC_OF_EACH_POOL
}
"""
ALL = POOLS.replace("[pools]",
                    'keep = { region = "RAM", retained = true }\n[pools]') + """\
grains = { size = 12, count = 3, align = 4, full = "drop", in = "root", end = "high" }
rocks  = { size = 24, count = 5, full = "spill", spill = "rubble", then = "drop" }
stones = { size = 24, count = 6, full = "spill", spill = "rubble", then = "drop" }
rubble = { size = 24, count = 7, full = "drop", bank = "psram" }
voices = { size = 8, count = 5, full = "steal-least", score = "loudness", \
min_age = 3, pin = true, evict = "gone" }
urgent = { size = 8, count = 5, full = "drop", reserve = 2, bank = "psram", \
owner = true }
packet = { size = 8, count = 5, full = "drop", low_water = 1, on_low = "low" }
links  = { size = 16, count = 3, full = "drop", deinit = "gone", retain = [8, 4] }
notes  = { size = 24, count = 5, bank = "keep", full = "steal-oldest", handles = 32, \
min_age = 3, owner = true }
words  = { size = 4, count = 5, align = 4, bank = "keep", full = "drop" }
bats   = { size = 24, count = 9, bank = "psram", full = "steal-oldest", handles = 32, \
release = "gone" }
owls   = { size = 36, count = 5, align = 4, bank = "psram", full = "drop" }
[scenes]
day   = { bats = 1, owls = 40, deck = 64, rope = 0, foam = 40, mail = [4, 0], ants = 3 }
night = { bats = 30, owls = 0, deck = 0, rope = 8, foam = 16, mail = [2, 9], ants = 0 }
dusk  = { bats = 12, owls = 30, deck = 8, rope = 80, foam = 0, mail = [0, 1], ants = 9 }
[stacks]
deck = { bytes = 8, bank = "psram", full = "drop" }
rope = { bytes = 8, ends = 2, bank = "psram", full = "drop" }
level = { bytes = "1K", bank = "psram", full = "drop" }
sides = { bytes = "1K", ends = 2, full = "assert" }
inner = { bytes = 200, full = "drop", in = "root" }
[frames]
foam = { bytes = 8, buffers = 2, bank = "psram", full = "drop" }
draw = { bytes = 264, buffers = 3, bank = "psram", full = "drop" }
[blocks]
mail.classes = [ { size = 8, count = 1 }, { size = 24, count = 1 } ]
mail.full = "drop"
mail.bank = "psram"
scripts = { classes = [ { size = 16, count = 5 }, { size = 48, count = 3 } ], \
bank = "psram", full = "drop" }
bins.classes = [ { size = 16, count = 5 }, { size = 48, count = 3 } ]
bins.full = "drop"
bins.in = "root"
[relocating]
plans = { bytes = 200, handles = 9, full = "drop", in = "root", end = "high" }
meshes = { bytes = 1000, handles = 9, bank = "psram", full = "drop" }
[dense]
birds = { size = 20, count = 7, align = 4, full = "drop", in = "root" }
ants = { size = 12, count = 1, align = 4, bank = "psram", full = "drop", handles = 64 }
bullets = { size = 20, count = 7, align = 4, bank = "psram", full = "drop" }
[nests]
root = { bytes = "2K", bank = "psram" }
"""
USE_ALL = """
#include "core/tp_registry.h"
uint32_t listed;
uint32_t loudness(const void *voice) { return voice != NULL; }
void gone(void *object) { (void)object; }
void low(const struct tp_pool *pool, uint32_t left) { (void)pool, (void)left; }
void reset(void);
void reset(void)
{
  notes_validate(), words_validate(), scenes_switch(TP_SCENE_NIGHT, NULL);
  links_create(NULL), urgent_alloc_urgent(), notes_alloc(), packet_alloc();
  ALLOC_OF_EACH_POOL
  level_alloc(8, 8), sides_alloc(TP_LOW, 8, 8), draw_alloc(8, 8);
  scripts_free(scripts_alloc(8));
  meshes_free(meshes_alloc(8)), bullets_alloc(NULL);
  deck_alloc(8, 8), rope_alloc(TP_LOW, 8, 8), foam_alloc(8, 8), ants_alloc(NULL);
  mail_free(mail_alloc(8)), bins_free(bins_alloc(8));
  plans_free(plans_alloc(8)), birds_alloc(NULL);
  tp_dstack_alloc(&root_nest.as.dstack, TP_LOW, 8, 8);
  listed = tp_registry.count;
  for (unsigned i = 0; i < root_nest.row_count; i++)
    tp_stack_reset(root_nest.rows[i].allocator);
}
"""


class Measured(Firmware):
    """Every figure of the table is the size of a symbol, at every level."""
    levels = range(len(LEVELS))

    def test_the_figures_are_those_of_the_linker_at_every_level(self):
        config = read(ALL)
        for number in self.levels:
            level = LEVELS[number]
            made = self.link_with(ALL, of_each_pool(USE_ALL, ALL), number)
            self.assertEqual(made.stdout, "")
            sizes = {name: size for name, (_, size, _) in self.symbols().items()}
            self.assertEqual(sizes["scripts_classes"], 2 * BlockClass.LISTED)
            for tenant in config.tenants():
                told = dict(tenant.metadata(level), **tenant.constants())
                told.update({tenant.ARENA: tenant.arena_bytes(level)}
                            if tenant.ARENA else {})
                made = {part: sizes.get(f"{tenant.name}_{part}") for part in told}
                self.assertEqual(told, made, (tenant.title, level))
            for bank in config.banks.values():
                arena = self.at(f"tp_arena_{bank.name}_end") \
                    - self.at(f"tp_arena_{bank.name}_start")
                self.assertEqual(arena_bytes(bank.residents, level), arena,
                                 (bank.name, level))


class MeasuredByClangAndLld(Measured):
    """At full, which has most of them; at all in a full run."""
    levels = range(len(LEVELS)) if is_full() else [LEVELS.index("full")]
    compiler = CLANG
    linker = ["ld.lld-19"]


class Mapping(Firmware):
    def map(self, pools=POOLS, image="image.elf"):
        self.write("pools.toml", pools)
        return self.run_generator("map", "pools.toml", image)

    def expect(self, result, code, *parts):
        self.assertEqual((result.returncode, result.stderr), (code, ""), result.stdout)
        for part in parts:
            self.assertRegex(result.stdout, part)

    def test_an_image_that_is_as_the_file_says_is_ok(self):
        for level in range(4):
            self.link_with(POOLS, of_each_pool(MAIN, POOLS), level)
            self.expect(self.map(), 0, r"bank psram .* \.tp_arena_psram +0x60000000 "
                                       r"+- +- +\d+ OK\n",
                        r"pool sparks +psram +\.tp_arena_psram 0x6\w+ +10 +\d+ "
                        r"+\d+ OK\n",
                        r"pool smoke +- +\.bss +0x2\w+ +30 +\d+ +\d+ OK\n")

    def test_every_kind_of_allocator_is_looked_at(self):
        self.link_with(ALL, of_each_pool(USE_ALL, ALL))
        self.expect(self.map(ALL), 0,
                    *[rf"{tenant.what} {tenant.name} .* OK\n"
                      for tenant in read(ALL).tenants()
                      if tenant.ARENA])

    def test_slots_and_strides_are_those_of_the_registry(self):
        """Which is told apart from another table's, whatever that has in common."""
        self.link_with(ALL, of_each_pool(USE_ALL, ALL), 3)
        said = self.map(ALL).stdout
        for line in (r"pool sparks .* 10 +32 +\d+ OK", r"tp_registry +- +- .* OK",
                     r"dense pool bullets .* 7 +20 +\d+ OK"):
            self.assertRegex(said, line + "\n")
        self.expect(self.map(ALL.replace("min_age = 3", "min_age = 4")), 1,
                    r"tp_registry .* of another table: \w{8} in it, \w{8} here\n",
                    r"pool sparks .* OK\n")

    def test_a_pool_that_nothing_uses_is_missing(self):
        self.link_with(POOLS, "void reset(void);\n"
                              "void reset(void) { sparks_alloc(); }\n")
        self.expect(self.map(), 1, "pool sparks .* OK\n",
                    "pool smoke .* missing: nothing uses it\n")

    def test_a_pool_of_another_size_differs(self):
        self.link_with(POOLS, of_each_pool(MAIN, POOLS))
        self.expect(self.map(POOLS.replace("count = 30", "count = 31")), 1,
                    "pool smoke .* 30 +24 +720 744 bytes expected\n",
                    "pool sparks .* OK\n")

    def test_a_pool_outside_of_its_bank_differs(self):
        self.link_with(POOLS, of_each_pool(MAIN, POOLS))
        moved = POOLS.replace('smoke  = { size = 24, count = 30,',
                              'smoke  = { size = 24, count = 30, bank = "psram",')
        self.expect(self.map(moved), 1, r"pool smoke +psram .*\.bss .* not in psram\n")

    def test_a_bank_over_its_budget_differs(self):
        self.link_with(POOLS, of_each_pool(MAIN, POOLS), 3)
        self.expect(self.map(POOLS.replace('"PSRAM" }', '"PSRAM", budget = 1600 }')), 1,
                    "bank psram .* over its budget of 1600\n")

    def test_an_image_without_the_fragment_differs(self):
        self.link_with(POOLS.replace(', bank = "psram"', ""), of_each_pool(MAIN, POOLS))
        self.expect(self.map(), 1, "bank psram .* tp_pools.ld is not in it\n",
                    "pool sparks .* not in psram\n")

    def test_a_pool_in_the_image_differs(self):
        self.link_with(POOLS, of_each_pool(MAIN, POOLS))
        self.run_tool("arm-none-eabi-objcopy", "--set-section-flags",
                      ".bss=alloc,load,contents",
                      "image.elf", "loaded.elf")
        self.expect(self.map(image="loaded.elf"), 1,
                    "pool smoke .* part of the image\n")

    def test_what_is_no_elf_file_is_a_sentence(self):
        for data in [b"", b"\x7fELF", b"\x7fELF\1\1" + bytes(100),
                     b"\x7fELF\2\2" + b"\xff" * 100]:
            self.write("image.elf", data)
            result = self.map()
            self.assertEqual(result.returncode, 1)
            self.assertEqual((result.stdout, result.stderr),
                             ("", "image.elf: error: not an ELF file with symbols\n"))

    def test_an_image_without_symbols_is_a_sentence_and_lacks_no_pool(self):
        self.link_with(POOLS, of_each_pool(MAIN, POOLS))
        self.run_tool("arm-none-eabi-strip", "image.elf")
        result = self.map()
        self.assertEqual((1, "", "image.elf: error: not an ELF file with symbols\n"),
                         (result.returncode, result.stdout, result.stderr))

    def test_a_missing_image_is_a_sentence(self):
        self.assertEqual(self.map(image="none").stderr,
                         "none: error: cannot read it: No such file or directory\n")

    def test_a_broken_image_is_read_or_refused_and_no_traceback(self):
        self.link_with(POOLS, of_each_pool(MAIN, POOLS))
        good = (self.folder / "image.elf").read_bytes()
        path = self.folder / "broken.elf"
        for seed in range(300):
            dice = random.Random(seed)
            broken = bytearray(good)
            for _ in range(dice.randint(1, 4)):
                broken[dice.choice([dice.randrange(64),
                                    dice.randrange(len(good))])] = dice.randrange(256)
            path.write_bytes(bytes(broken[: dice.choice([len(good),
                                                         dice.randrange(len(good))])]))
            try:
                placement(read(POOLS), read_elf(str(path)))
            except Trouble:
                pass

    def test_elf_files_of_64_bits_and_of_the_other_byte_order_are_read(self):
        self.write("a.c", "static char sparks_storage[240]; char *use(void) { return "
                          "sparks_storage; }")
        self.run_tool("gcc", "-c", "a.c")
        found = read_elf(str(self.folder / "a.o")).symbols["sparks_storage"]
        self.assertEqual([(one.size, one.section, one.empty) for one in found],
                         [(240, ".bss", True)])
        self.run_tool("arm-none-eabi-gcc", "-mbig-endian", "-c", "a.c")
        self.assertEqual(struct.unpack_from("B", (self.folder / "a.o").read_bytes(), 5),
                         (2,))
        found = read_elf(str(self.folder / "a.o")).symbols["sparks_storage"]
        self.assertEqual([(one.size, one.section, one.empty) for one in found],
                         [(240, ".bss", True)])

    def test_wrong_usage_exits_2(self):
        self.assertEqual(self.run_generator("map", "pools.toml").returncode, 2)


if __name__ == "__main__":
    unittest.main()
