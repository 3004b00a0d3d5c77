# SPDX-License-Identifier: MIT
"""How objects end, by the calls of a table that runs on the host."""

import subprocess
import unittest

from helper import ROOT, InFolder, files, host_library, row, table

HEAD = """#include "tp_pools.h"
#include <stdlib.h>
void tp_fault(const struct tp_fault_record *record) { exit(100 + record->kind); }
"""
STEALS = row(full='"steal-oldest"', more=', handles = %d, pin = true, deinit = "dies"')
DIES = "static int died;\nvoid dies(void *object) { (void)object; died++; }\n"


class Ends(InFolder):
    def run_main(self, text, main, more=HEAD):
        """What [main] returns, the body of a function. The unit tests' library has no
        port of a cache, and so no calls for what is lent."""
        for name, content in files(text).items():
            self.write(name, content)
        self.write("main.c", f"{more}int main(void) {{ {main} }}\n")
        flags = ["-I.", f"-I{ROOT}/lib", f"-I{ROOT}/port/host",
                 f"-I{ROOT}/port/cache/none", "-Wall", "-Wextra", "-Werror"]
        made = self.run_tool("gcc", "-std=gnu11", *flags, "main.c", "tp_pools.c",
                             *sorted((ROOT / "lib").glob("*/tp_dma*.c")),
                             *host_library("fast"), "-o", "run")
        self.assertEqual("", made.stdout)
        return subprocess.run([str(self.folder / "run")]).returncode

    def test_a_reset_of_a_row_with_low_water_counts_anew_and_tells_who_waits(self):
        for more in (", dma = true", ""):
            water = row(more=more + ', low_water = 1, on_low = "low", '
                                    'on_refill = "fine"')
            self.assertEqual(0, self.run_main(table(water), """
              for (int i = 0; i < 4; i++) a_alloc();
              a_reset();
              if (tp_watermark_is_low(&a_watermark) || told != 4) return 1;
              a_reset();
              return a_watermark.state->live == 0 && told == 4 ? 0 : 2;
            """, HEAD + """static uint32_t told;
void low(const struct tp_pool *pool, uint32_t free) { (void)pool; (void)free; }
void fine(const struct tp_pool *pool, uint32_t free) { (void)pool; told += free; }
"""))

    def test_an_object_that_is_pinned_is_destroyed_by_its_handle(self):
        for bits in (32, 64):
            text = table(STEALS % bits)
            self.assertEqual(0, self.run_main(text, """
              a_handle_t one, other;
              a_create_handle(NULL, &one);
              a_create_handle(NULL, &other);
              a_pin_handle(one);
              if (!a_destroy_handle(one) || a_destroy_handle(one)) return 1;
              if (!a_destroy_handle(other) || a_destroy_handle(other)) return 2;
              return died == 2 && tp_pool_live(&a_pool) == 0 ? 0 : 3;
            """, HEAD + DIES))

    def test_what_frees_a_slot_alone_says_that_deinit_is_not_told(self):
        header = files(table(STEALS % 32))["tp_pools.h"]
        words = " ".join(header.replace("//", "").split())
        for call in ("a_destroy()", "a_destroy_handle()"):
            self.assertIn(f"dies() is not told: {call} tells it.", words)
        self.assertNotIn("put aside", words)

    def test_it_says_of_what_a_slot_retains_that_it_is_lost_too(self):
        row = 'type = "struct a", size = 16, count = 2, full = "drop", retain = [8, 8]'
        header = files(table(f'a = {{ {row} }}'))["tp_pools.h"]
        words = " ".join(header.replace("//", "").split())
        self.assertIn("Takes back what a_alloc() returned. What it retains is not put"
                      " aside: a_destroy() does that.", words)


if __name__ == "__main__":
    unittest.main()
