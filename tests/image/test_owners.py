# SPDX-License-Identifier: MIT
"""What owner = true adds to an image, and that it adds nothing to any other."""

import unittest

import bare
from support import ROOT, symbol_sizes

TABLE = """tidepool = 1
[pools]
sounds = { size = 16, count = 8, full = "steal-oldest", handles = 32, isr = trueOPTION }
packets = { size = 16, count = 4, full = "drop", reserve = 1OPTION }
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
  object = packets_alloc(), packets_free(object);
  object = packets_alloc_urgent(), listed = tp_registry.count;
}
"""
CODE = 240  # Bytes of a function at most, as lib/COSTS.md says.
TARGETS = (("cortex-m3", 0), ("cortex-m0", 1))  # A core and a level.
OF_OWNERS = ROOT / "lib" / "object" / "tp_owner.c"


class Owners(bare.Bare):
    TABLE, MAIN = TABLE, MAIN

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.libraries = {target: bare.library(*target) for target in TARGETS}

    def test_without_it_an_image_is_what_it_is_of_a_library_without_notes(self):
        for target, library in self.libraries.items():
            before = [one for one in library if one.stem != OF_OWNERS.stem]
            self.assertEqual(len(before) + 1, len(library))
            made = [self.image("", *target, objects).read_bytes()
                    for objects in (library, before)]
            self.assertEqual(made[0], made[1], target)

    def test_with_it_each_slot_has_its_note(self):
        for target, library in self.libraries.items():
            sizes = symbol_sizes(self.image(", owner = true", *target, library))
            self.assertEqual([8 * 16, 3 * 16, 1 * 16, 12, 12],
                             [sizes.get(name) for name in (
                                 "sounds_owners", "packets_owners",
                                 "packets_reserve_owners", "sounds_owned",
                                 "packets_owned")])
            self.assertNotIn("tp_owner_take_handle64", sizes)
            self.assertNotIn("tp_owned_rows", sizes)

    def test_the_code_of_notes_is_no_more_than_the_page_says(self):
        self.assertIn(f"Each of the six takes {CODE} bytes of code at most",
                      (ROOT / "lib" / "COSTS.md").read_text().replace("\n", " "))
        for core, _ in TARGETS:
            made = self.folder / "owner.o"
            self.compile(core, "-c", OF_OWNERS, "-o", made)
            sizes = symbol_sizes(made)
            of = sizes.pop("tp_owner_of")
            self.assertEqual(6, len(sizes), sizes)
            self.assertTrue(CODE // 2 < max(sizes.values()) <= CODE, sizes)
            self.assertLess(of, CODE // 2)


if __name__ == "__main__":
    unittest.main()
