# SPDX-License-Identifier: MIT
"""The linker fragment, by GNU ld and by lld: what it places, and how it fails."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from helper import ROOT, InFolder, files

POOLS = """tidepool = 1
[banks]
psram = { region = "PSRAM", budget = 1600 }
[pools]
sparks = { size = 24, count = 10, bank = "psram", full = "drop" }
embers = { size = 24, count = 20, bank = "psram", full = "drop", align = 64 }
smoke  = { size = 24, count = 30, full = "drop" }
"""
MAIN = """#include "tp_pools.h"
void reset(void);
void reset(void) {{ for (;;) {pool}_free({pool}_alloc()); }}
void *memset(void *to, int byte, size_t count) {{ (void)byte; (void)count; return to; }}
"""
SCRIPT = """ENTRY(reset)
MEMORY {{
  FLASH (rx) : ORIGIN = 0, LENGTH = 64K
  RAM (rw) : ORIGIN = 0x20000000, LENGTH = 16K
  {region} (rw) : ORIGIN = 0x60000000, LENGTH = 16K
}}
SECTIONS {{
  .text : {{ *(.text* .rodata*) }} > FLASH
  .ARM.exidx : {{ *(.ARM.exidx*) }} > FLASH
  {before}
  .bss (NOLOAD) : {{ *(.bss* COMMON) }} > RAM
  {after}
  .noinit (NOLOAD) : {{ *(.noinit*) }} > RAM
}}
"""
INCLUDE = "INCLUDE tp_pools.ld"
SENTINEL = "tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld"
COMPILE = ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-Os", "-std=c11", "-ffunction-sections",
           "-fdata-sections", "-I", ROOT / "lib", "-I", ROOT / "port" / "cortex_m", "-I", ".", "-c"]


class Linking(InFolder):
    linker = ["arm-none-eabi-ld"]
    objects = {}  # Compiled once: what they are compiled for, and where they lie.

    def compile(self, pool, level):
        """The objects of a program that uses [pool]."""
        if (pool, level) not in self.objects:
            folder = pathlib.Path(tempfile.mkdtemp(prefix="tidepool-"))
            self.objects[pool, level] = folder
            sources = ["main.c", "tp_pools.c"] + sorted((ROOT / "lib").glob("*/*.c"))
            (folder / "main.c").write_text(MAIN.format(pool=pool))
            for name, content in files(POOLS).items():
                (folder / name).write_text(content)
            subprocess.run([str(word) for word in COMPILE + [f"-DTP_CHECKS={level}"] + sources],
                           cwd=str(folder), check=True)
        return sorted(self.objects[pool, level].glob("*.o"))

    def link(self, region="PSRAM", before=INCLUDE, after="", level=1, pool="sparks"):
        objects = self.compile(pool, level)
        self.write("tp_pools.ld", files(POOLS)["tp_pools.ld"])
        self.write("script.ld", SCRIPT.format(region=region, before=before, after=after))
        return self.run_tool(*self.linker, "--gc-sections", "-L", ".", "-T", "script.ld", *objects,
                             "-o", "image.elf")

    def refusal(self, **how):
        result = self.link(**how)
        self.assertNotEqual(result.returncode, 0)
        return result.stdout

    def symbols(self):
        listing = self.run_tool("arm-none-eabi-nm", "image.elf").stdout
        return {name: int(value, 16) for value, name in re.findall(r"^(\w+) \w (\w+)$", listing, re.M)}

    def test_a_bank_lies_in_its_region_and_is_not_loaded(self):
        self.assertEqual(self.link().stdout, "")
        at = self.symbols()
        self.assertEqual(at["embers_storage"], 0x60000000)
        self.assertEqual(at["sparks_storage"], 0x60000000 + 20 * 64)

    def test_a_pool_without_bank_is_ordinary_zeroed_memory(self):
        self.assertEqual(self.link(pool="smoke").stdout, "")
        self.assertEqual(self.symbols()["smoke_storage"] >> 28, 2)

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
        self.assertIn("pools.toml:3: psram: more than the budget of 1600 bytes", self.refusal(level=3))

    def test_a_region_that_memory_lacks_is_a_sentence(self):
        self.assertIn("pools.toml:3: psram: MEMORY of the linker script has no PSRAM", self.refusal(region="OTHER"))


def tearDownModule():
    for folder in Linking.objects.values():
        shutil.rmtree(str(folder))


class LinkingWithLld(Linking):
    linker = ["ld.lld-19"]

    def test_a_region_that_memory_lacks_is_a_sentence(self):
        self.assertIn("memory region not defined: PSRAM", self.refusal(region="OTHER"))


if __name__ == "__main__":
    unittest.main()
