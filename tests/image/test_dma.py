# SPDX-License-Identifier: MIT
"""What dma = true adds to an image, that it adds nothing to any other, and that images
of a core with a data cache run where there is none."""

import re
import subprocess
import unittest

from bare import Bare, library, ported
from support import (HANG_SECONDS, ROOT, build, emulator, is_full, symbol_sizes,
                     tool)

TABLE = """tidepool = 1
[pools]
sounds = { size = 32, count = 8, full = "steal-oldest", handles = 32, isr = trueOPTION }
packets = { size = 32, count = 4, full = "drop"OPTION }
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
# A level and a core that are others' too: for them the library is compiled once.
TARGETS = (("cortex-m7", 0, "cortex_m7"), ("cortex-m0", 1, "none"))
LEVELS = ("off", "fast") if is_full() else ("fast",)


def cache(port):
    return f"-Iport/cache/{port}"


class Dma(Bare):
    TABLE, MAIN = TABLE, MAIN

    def test_without_it_an_image_is_the_same_with_a_port_without_and_without_code(self):
        for core, level, port in TARGETS:
            knowing = ported(core, level, f"port/cache/{port}")
            before = [one for one in knowing if one.stem != "tp_dma"]
            self.assertEqual(len(before) + 1, len(knowing))
            made = [self.image("", core, level, knowing, cache(port)).read_bytes(),
                    self.image("", core, level, before).read_bytes(),
                    self.image("", core, level, library(core, level)).read_bytes()]
            self.assertEqual([made[0]] * 3, made, core)

    def test_with_it_a_slot_takes_two_bytes_and_what_is_not_called_is_not_linked(self):
        for core, level, port in TARGETS:
            sizes = symbol_sizes(self.image(
                ", dma = true", core, level, ported(core, level, f"port/cache/{port}"),
                cache(port), "-DLENT"))
            self.assertEqual([2 * 8 if level else 2, 2 * 4 if level else 2, 8],
                             [sizes[name] for name in
                              ("sounds_lent", "packets_lent", "packets_dma")])
            self.assertNotIn("tp_dma_reset", sizes)
            self.assertNotIn("tp_dma_give_handle64", sizes)

    def test_to_lend_and_to_take_have_a_loop_and_two_barriers(self):
        made = self.folder / "dma.o"
        self.compile("cortex-m7", cache("cortex_m7"), "-DTP_CHECKS=0", "-c",
                     ROOT / "lib/object/tp_dma.c", "-o", made)
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
