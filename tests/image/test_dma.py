# SPDX-License-Identifier: MIT
"""What dma = true adds to an image, that it adds nothing to any other, and that images
of a core with a data cache run where there is none."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import (HANG_SECONDS, ROOT, build, emulator,  # noqa: E402
                     symbol_sizes, tool)

TABLE = """tidepool = 1
[pools]
sounds  = { size = 32, count = 8, full = "steal-oldest", handles = 32, isr = trueDMA }
packets = { size = 32, count = 4, full = "drop"DMA }
"""
MAIN = """
#include "core/tp_registry.h"
#include "tp_pools.h"
void *volatile object;
uint32_t volatile listed;
void start(void);
void start(void)
{
  sounds_handle_t sound;
  object = sounds_alloc_handle(&sound), sounds_free_handle(sound);
  object = packets_alloc();
#ifdef LENT
  packets_lend(object, TP_DMA_RX), packets_take(object);
#endif
  packets_free(object), listed = tp_registry.count;
}
"""
TARGETS = (("cortex-m7", 1, "cortex_m7"), ("cortex-m0", 0, "none"))
FLAGS = ("-mthumb", "-std=c11", "-Os", "-ffreestanding", "-ffunction-sections",
         "-fdata-sections", "-Ilib", "-Iport/cortex_m")
LEVELS = ("off", "fast")


class Dma(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        (cls.folder / "main.c").write_text(MAIN)

    def library(self, core, level, *ports):
        """The objects of all of lib, with these ports on the include path."""
        folder = self.folder / "-".join((core, *ports))
        folder.mkdir(exist_ok=True)
        for source in sorted((ROOT / "lib").glob("*/*.c")):
            tool("arm-none-eabi-gcc", f"-mcpu={core}", *FLAGS, f"-DTP_CHECKS={level}",
                 *self.paths(ports), "-c", source, "-o", folder / f"{source.stem}.o")
        return sorted(folder.glob("*.o"))

    @staticmethod
    def paths(ports):
        return [f"-Iport/cache/{port}" for port in ports]

    def image(self, dma, core, level, objects, *ports):
        """Of [objects] and a table whose rows end with [dma]."""
        (self.folder / "pools.toml").write_text(TABLE.replace("DMA", dma))
        tool("python3", "lib/config/tidepool.py", "generate",
             self.folder / "pools.toml", "--out", self.folder)
        elf = self.folder / "image.elf"
        tool("arm-none-eabi-gcc", f"-mcpu={core}", *FLAGS, f"-DTP_CHECKS={level}",
             *["-DLENT"] * bool(dma), *self.paths(ports), f"-I{self.folder}",
             "-nostdlib", "-Wl,--gc-sections,-e,start", "-o", elf,
             self.folder / "main.c", self.folder / "tp_pools.c", *objects)
        return elf

    def test_without_it_an_image_is_the_same_with_a_port_without_and_without_code(self):
        for core, level, port in TARGETS:
            ported = self.library(core, level, port)
            before = [one for one in ported if one.stem != "tp_dma"]
            self.assertEqual(len(before) + 1, len(ported))
            made = [self.image("", core, level, ported, port).read_bytes(),
                    self.image("", core, level, before).read_bytes(),
                    self.image("", core, level, self.library(core, level)).read_bytes()]
            self.assertEqual([made[0]] * 3, made, core)

    def test_with_it_a_slot_takes_two_bytes_and_what_is_not_called_is_not_linked(self):
        for core, level, port in TARGETS:
            sizes = symbol_sizes(self.image(", dma = true", core, level,
                                            self.library(core, level, port), port))
            self.assertEqual([2 * 8 if level else 2, 2 * 4 if level else 2, 8],
                             [sizes[name] for name in
                              ("sounds_lent", "packets_lent", "packets_dma")])
            self.assertNotIn("tp_dma_reset", sizes)
            self.assertNotIn("tp_dma_give_handle64", sizes)

    def test_to_lend_and_to_take_have_a_loop_and_two_barriers(self):
        made = self.folder / "dma.o"
        tool("arm-none-eabi-gcc", "-mcpu=cortex-m7", *FLAGS, "-Iport/cache/cortex_m7",
             "-DTP_CHECKS=0", "-c", ROOT / "lib/object/tp_dma.c", "-o", made)
        code = tool("arm-none-eabi-objdump", "-d", "--no-show-raw-insn", made)
        for name in ("lend", "take"):
            text = code.split(f"<tp_dma_{name}>:")[1].split("\n\n")[0]
            found = re.findall(r"\t(dsb|isb|str)", text)
            self.assertEqual(["dsb", "dsb", "isb", "isb", "str"], sorted(found), name)


class Runs(unittest.TestCase):
    def test_an_image_for_a_data_cache_runs_where_there_is_none(self):
        for level in LEVELS:
            with self.subTest(level):
                elf = build("mps2_an500", level, "lent") / "lent.elf"
                done = subprocess.run(emulator("mps2_an500", elf), text=True,
                                      stdin=subprocess.DEVNULL, timeout=HANG_SECONDS,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                said = "abcd aligned " + "lent\n" * (level != "off")
                self.assertIn(said, done.stdout)


if __name__ == "__main__":
    unittest.main()
