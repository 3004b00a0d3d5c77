# SPDX-License-Identifier: MIT
"""dma = true: slots with cache lines of their own, calls that look, what is refused."""

import re
import subprocess
import unittest

from helper import ROOT, InFolder, complaints, files, read, row, table

DMA = ", dma = true"
BANK = 'tidepool = 1\n[banks]\nb = { region = "B", cache_line = 64 }\n[pools]\n'


class Lines(unittest.TestCase):
    def stride(self, text):
        self.assertEqual([], complaints(text))
        return read(text).pools[0].stride()

    def test_slots_are_rounded_up_to_lines_of_32_bytes(self):
        for size, stride in (("4", 32), ("32", 32), ("33", 64), ("100", 128)):
            self.assertEqual(stride, self.stride(table(row(size=size, more=DMA))))
        self.assertEqual(24, self.stride(table(row())))

    def test_a_bank_or_the_build_table_says_how_long_a_line_is(self):
        self.assertEqual(64, self.stride(BANK + row(more=DMA + ', bank = "b"')))
        self.assertEqual(32, self.stride(table(row(more=DMA))))
        line = "build.cache_line = 4\n" + table(row(size="12", more=DMA))
        self.assertEqual(16, self.stride("build.align = 8\n" + line))
        self.assertEqual(12, self.stride("build.align = 4\n" + line))
        longer = "build.cache_line = 16\n" + BANK
        self.assertEqual(64, self.stride(longer + row(more=DMA + ', bank = "b"')))

    def test_at_full_red_zones_have_lines_of_their_own_too(self):
        pool = read(table(row(size="20", more=DMA))).pools[0]
        self.assertEqual((64, 32 + 4 * 64),
                         (pool.stride("full"), pool.bytes_of(4, "full")))

    def test_an_alignment_that_splits_lines_is_refused(self):
        self.assertEqual(
            ['3:64: error: pool "a": slots aligned to 8 share cache lines of 32 bytes, '
             "and DMA writes behind the cache", "= align = 32, or leave it out"],
            complaints(table(row(size="32", more=DMA + ", align = 8"))[:-1]))

    def test_a_reset_serves_who_waits(self):
        text = files(table(row(size="32", more=DMA + ", wait = true")))["tp_pools.h"]
        self.assertIn("{\n  tp_dma_reset(&a_dma);\n  tp_wait_serve(&a_wait);\n}", text)
        self.assertIn("is lent; nobody is told, and slots go\n// to who waits.\n", text)

    def test_a_scene_s_arena_is_cut_at_lines(self):
        text = table(row(size="20", more=DMA)) + "[scenes]\nday = { a = 2 }\n"
        self.assertEqual(32, read(text).scenes.align)

    def test_two_bytes_a_slot_are_counted_and_8_of_flash(self):
        lent, plain = read(table(row(size="32", count="10", more=DMA),
                                 row("b", "32", "10"))).pools
        self.assertEqual(20, lent.metadata_bytes() - plain.metadata_bytes())
        self.assertEqual(2, lent.metadata("off")["lent"])
        self.assertEqual(8, lent.flash_bytes - plain.flash_bytes)

    def test_what_is_lent_is_forgotten_though_the_pool_outlives_a_reset(self):
        text = ('tidepool = 1\n[banks]\nkeep = { region = "RAM", retained = true }\n'
                + row("[pools]\na", "32", more=', bank = "keep", dma = true') + "\n")
        self.assertIn("\nstatic uint16_t a_lent[TP_LENT(4)];",
                      files(text)["tp_pools.c"])
        plain = read(text.replace(DMA, "")).pools[0].pieces()[1]
        self.assertEqual(plain, read(text).pools[0].pieces()[1])


GIVES_BACK = re.compile(r"((free|destroy|unpin)(_handle)?)$")
ROWS = [
    row("a", more=DMA),
    row("b", full='"steal-oldest"', more=DMA + ', pin = true, evict = "e"'),
    row("c", more=DMA + ", handles = 32, owner = true"),
    row("d", full='"steal-least"',
        more=DMA + ', score = "s", handles = 64, init = "f"'),
    row("e", more=DMA + ", wait = true"),
    row("f", more=DMA + ', low_water = 1, on_low = "g"'),
    row("g", more=DMA + ", link = 8"),
    row("h", more=DMA + ', deinit = "k"'),
]


class Calls(unittest.TestCase):
    def test_each_call_that_gives_back_or_unpins_looks_and_no_other(self):
        for line in ROWS:
            header = files(table(line))["tp_pools.h"]
            for part in header.split("static inline TP_CALL ")[1:]:
                name = re.search(r"(\w+)\(", part)[1].split("_", 1)[1]
                looks = "tp_dma_give" in part.split("\n}")[0]
                self.assertEqual(bool(GIVES_BACK.match(name)), looks, name)

    def test_without_it_nothing_is_generated_of_it(self):
        made = files(table(*[line.replace(DMA, "") for line in ROWS]))
        for word in ("tp_dma", "_lent", "TP_OBJECT_LENT"):
            self.assertNotIn(word, "".join(made.values()))
        denied = files(table(*[line.replace("dma = true", "dma = false")
                               for line in ROWS]))
        for name, text in denied.items():
            self.assertEqual(re.sub("HASH 0x.*", "", made[name]),
                             re.sub("HASH 0x.*", "", text))


class Refused(unittest.TestCase):
    def refused(self, text, *rows):
        found = [line for line in complaints(table(*rows)) if "error" in line]
        self.assertEqual(1, len(found), found)
        self.assertIn(text, found[0])

    def test_what_does_not_look_whether_an_object_is_lent_is_refused(self):
        self.refused('code = "own" does not look', row(more=DMA + ', code = "own"'))
        lends = "a pool that lends or borrows slots"
        spills = row("b", full='"spill"', more=', spill = "a", then = "drop"')
        self.refused(lends, row(more=DMA), spills)
        self.refused(lends, row(more=", align = 32"), spills.replace(" }", DMA + " }"))
        self.refused(lends, row(more=DMA + ", reserve = 1"))
        self.refused("a class has no bytes for a device",
                     'a = { type = "game::foe", size = 8, count = 4, full = "drop"'
                     + DMA + " }")

    def test_what_may_be_stolen_can_be_pinned(self):
        steals = row(full='"steal-oldest"', more=DMA + ', evict = "f"')
        self.refused("what a device has may be stolen", steals)
        for more in (", pin = true", ", handles = 32"):
            self.assertEqual([], complaints(table(steals.replace(" }", more + " }"))))


class Made(InFolder):
    maxDiff = None

    def compile(self, *folders, level="fast"):
        rows = [line for line in ROWS if "wait" not in line]
        for name, text in files(table(*rows)).items():
            self.write(name, text)
        words = ["arm-none-eabi-gcc", "-mcpu=cortex-m7", "-mthumb", "-std=c11", "-Os",
                 "-I", self.folder, f"-I{ROOT}/lib", f"-I{ROOT}/port/cortex_m",
                 *[f"-I{ROOT}/port/cache/{folder}" for folder in folders],
                 f"-DTP_CHECKS=TP_CHECKS_{level.upper()}",
                 "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-r", "-nostdlib",
                 self.folder / "tp_pools.c", f"{ROOT}/lib/object/tp_dma.c",
                 "-o", self.folder / "tp_pools.o"]
        done = subprocess.run(words, stderr=subprocess.PIPE, text=True)
        return done.returncode, done.stderr

    def test_with_each_port_it_compiles(self):
        for folder in ("cortex_m7", "none"):
            for level in ("off", "fast", "poison", "full"):
                self.assertEqual((0, ""), self.compile(folder, level=level), level)

    def test_what_looks_as_an_object_ends_is_called_and_not_jumped_to(self):
        """Or a fault would name the library as who called."""
        self.compile("none")
        code = self.run_tool("arm-none-eabi-objdump", "-dr", "tp_pools.o").stdout
        ends = re.findall(r"<([a-z])_given>:\n(.*?)\n\n", code, re.S)
        self.assertTrue(ends)
        for name, body in ends:
            self.assertRegex(body, r"\bbl\b.*\n.*tp_dma_give\b", name)
            self.assertNotRegex(body, r"\bb\.[nw]\b.*\n.*tp_dma_give\b", name)

    def test_without_a_port_the_compiler_says_what_is_wanted(self):
        code, said = self.compile()
        self.assertNotEqual(0, code)
        self.assertIn("a: dma = true wants tp_dma_port.h, of a folder of port/cache, "
                      "on the include path", said)

    def test_a_port_of_longer_lines_is_refused(self):
        text = (ROOT / "port/cache/none/tp_dma_port.h").read_text(encoding="utf-8")
        self.write("tp_dma_port.h", text.replace("LINE 4", "LINE 64"))
        self.assertIn("lines of at most 32 bytes", self.compile()[1])


if __name__ == "__main__":
    unittest.main()
