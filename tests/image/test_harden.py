# SPDX-License-Identifier: MIT
"""What harden = true adds to an image, and that it adds nothing to any other row."""

import re
import unittest

import bare
from support import symbol_sizes, tool

TABLE = """tidepool = 1
[pools]
plain = { size = 16, count = 8, full = "drop", code = "own" }
thief = { size = 16, count = 8, full = "steal-oldest", code = "own", evict = "gone" }
safe  = { size = 16, count = 8, full = "drop", code = "own"OPTION }
"""
MAIN = """
#include "core/tp_registry.h"
#include "tp_pools.h"
void *volatile object;
struct tp_stats stats;
void gone(void *victim);
void gone(void *victim)
{
  object = victim;
}
void start(void);
void start(void)
{
  object = plain_alloc(), plain_free(object);
  object = thief_alloc(), thief_free(object);
  object = safe_alloc(), safe_free(object);
  object = tp_pool_alloc(&plain_pool), tp_pool_free(&plain_pool, object);
  tp_pool_stats(&plain_pool, &stats), tp_pool_reset(&plain_pool);
  if (!tp_pool_verify(&plain_pool, NULL)) object = NULL;
}
"""
HARD = ", harden = true"
TARGETS = (("cortex-m3", 1), ("cortex-m0", 1))  # A core and a level.
OF_IT = "tp_harden"  # The file of what is hardened.
# What other rows call: that of their own code, and of all pools'.
OF_OTHERS = ("plain_alloc", "plain_free", "thief_alloc", "thief_free",
             "tp_pool_alloc", "tp_pool_free", "tp_pool_extend", "tp_quick_extend",
             "tp_pool_foreign", "tp_pool_verify")


class Harden(bare.Bare):
    TABLE, MAIN = TABLE, MAIN

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.libraries = {target: bare.library(*target) for target in TARGETS}

    def test_without_it_an_image_is_what_it_is_of_a_library_that_knows_it_not(self):
        for target, library in self.libraries.items():
            before = [one for one in library if one.stem != OF_IT]
            self.assertEqual(len(before) + 1, len(library))
            made = [self.image("", *target, objects).read_bytes()
                    for objects in (library, before)]
            self.assertEqual(made[0], made[1], target)

    def test_beside_a_hardened_row_no_call_of_another_has_another_instruction(self):
        for target, library in self.libraries.items():
            codes = [self.instructions(self.image(option, *target, library))
                     for option in ("", HARD)]
            for name in OF_OTHERS:
                self.assertGreater(len(codes[0].get(name, [])), 1, name)
                self.assertEqual(codes[0][name], codes[1][name], (target, name))
            self.assertNotEqual(codes[0]["safe_free"], codes[1]["safe_free"])

    def test_it_takes_no_byte_of_ram(self):
        for target, library in self.libraries.items():
            images = [self.image(option, *target, library) for option in ("", HARD)]
            sizes = [[symbol_sizes(image).get(f"safe_{name}")
                      for name in ("tag", "state", "storage", "pool")]
                     for image in images]
            self.assertEqual(sizes[0], sizes[1])
            self.assertNotIn(None, sizes[0])

    @staticmethod
    def instructions(elf):
        """function -> its instructions, whatever addresses they name"""
        text = tool("arm-none-eabi-objdump", "-d", "--no-show-raw-insn", elf)
        found = {}
        for name, body in re.findall(r"^\w+ <(\w+)>:\n((?:.+\n)*)", text, re.M):
            found[name] = [re.sub(r"<(\w+)[^>]*>", r"\\1", re.sub(
                r"(\.word\t|\b)(0x)?[0-9a-f]{2,8}\b(?= <| *$|\t@)", "", line))
                for line in re.findall(r":\t(.*)", body) if ".word" not in line]
        return found


if __name__ == "__main__":
    unittest.main()
