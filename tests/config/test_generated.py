# SPDX-License-Identifier: MIT
"""What is generated: one folder of golden/ a feature, and what must not change it.

After a wanted change: TIDEPOOL_REWRITE_GOLDEN=1 python3 -m unittest ..., then
read the difference.
"""

import re
import unittest

from helper import GOLDEN, NAMES, complaints, files, read, rewriting, row, table
from generator.measure import memory_table
from generator.text import config_hash


class Golden(unittest.TestCase):
    maxDiff = None

    def expect(self, folder):
        text = (GOLDEN / folder / "pools.toml").read_text(encoding="utf-8")
        made = files(text)
        self.assertEqual(list(made), NAMES)
        for name, content in made.items():
            path = GOLDEN / folder / name
            if rewriting():
                path.write_text(content, encoding="utf-8")
            self.assertEqual(content, path.read_text(encoding="utf-8"), path)

    def test_a_row_becomes_a_typed_pool(self):
        self.expect("plain")

    def test_a_row_without_type_becomes_a_pool_of_void(self):
        self.expect("untyped")

    def test_comments_above_rows_and_blocks_are_carried_along(self):
        self.expect("blocks")

    def test_a_stealing_pool_has_an_age_ring_and_tells_the_victims_owner(self):
        self.expect("stealing")

    def test_handles_are_declared_and_the_day_they_wrap_is_stated(self):
        self.expect("handles")

    def test_handles_of_64_bits_last_for_a_year(self):
        self.expect("handles_of_64_bits")

    def test_a_hot_pool_gets_code_of_its_own(self):
        self.expect("own_code")

    def test_a_pool_locks_as_its_row_says(self):
        self.expect("locks")

    def test_banks_become_arenas_with_guards(self):
        self.expect("banks")

    def test_lenders_are_defined_before_those_who_spill_into_them(self):
        self.expect("spilling")

    def test_the_least_is_told_by_a_typed_score(self):
        self.expect("least")

    def test_a_reserve_is_a_second_pool_for_urgent_calls(self):
        self.expect("reserve")

    def test_low_water_is_told(self):
        self.expect("water")

    def test_a_policy_of_the_application_is_declared_once(self):
        self.expect("own_policy")

    def test_objects_have_typed_hooks(self):
        self.expect("objects")

    def test_scenes_cut_one_arena(self):
        self.expect("scenes")

    def test_a_retained_bank_holds_metadata_and_a_seal_too(self):
        self.expect("retained")

    def test_a_file_without_pools_has_no_table_of_them(self):
        self.expect("no_pools")

    def test_stacks_and_frames_are_given_back_all_at_once(self):
        self.expect("scratch")

    def test_blocks_are_a_pool_for_each_class(self):
        self.expect("size_classes")

    def test_relocating_pools_move_so_much_at_a_step(self):
        self.expect("relocating")

    def test_dense_pools_tell_what_moves(self):
        self.expect("dense")

    def test_rows_of_a_nest_lie_side_by_side_in_its_bank(self):
        self.expect("nests")

    def test_a_check_level_is_asserted_and_counted_with(self):
        self.expect("checks")
        text = (GOLDEN / "checks" / "pools.toml").read_text()
        self.assertIn("136 bytes wanted, 135 allowed",
                      complaints(text.replace("200", "135"))[0])


class Hash(unittest.TestCase):
    def hash(self, text):
        return config_hash(read(text).tree)

    def test_the_hash_ignores_comments_layout_and_form(self):
        rows = table(row("a"), row("b"))
        blocks = ("# Hello.\ntidepool=0x1\n[pools.a]\nfull='drop' # no\ncount = 4\n"
                  "size = 2_4\n"
                  "[pools]\nb.size = 24\nb.count = 4\nb.full = 'drop'")
        self.assertEqual(self.hash(rows), self.hash(blocks))

    def test_the_hash_changes_with_a_value(self):
        self.assertNotEqual(self.hash(table(row(count="4"))),
                            self.hash(table(row(count="5"))))

    def test_the_hash_changes_with_the_order_of_pools(self):
        self.assertNotEqual(self.hash(table(row("a"), row("b"))),
                            self.hash(table(row("b"), row("a"))))


class Header(unittest.TestCase):
    def test_the_line_in_a_static_assert_is_that_of_the_size(self):
        made = files("tidepool = 1\n[pools.a]\ncount = 3\nfull = 'drop'\n"
                     "type = 'struct a'\nsize = 8\n")
        self.assertIn('"pools.toml:6: a: size = 8 is less than sizeof(struct a)"',
                      made["tp_pools.h"])

    def test_headers_are_included_as_they_are_written(self):
        made = files('tidepool = 1\n[build]\nheaders = ["b c.h", "<a/b.h>", "a.h"]\n'
                     '[pools]\n' + row())
        self.assertIn('#include "tidepool_version.h"\n#include "b c.h"\n'
                      '#include <a/b.h>\n#include "a.h"\n', made["tp_pools.h"])

    def test_a_comment_cannot_swallow_the_next_line(self):
        for end in ["\\", "\\ ", "\\\\", "??/", "??/\\ ??/"]:
            made = files(table("# A comment " + end, row()))
            self.assertIn("// A comment\n", made["tp_pools.h"])

    def test_headings_of_columns_stay_behind(self):
        made = files(table("#    size     count", "# Kept.", row()))
        self.assertNotIn("count\n//", made["tp_pools.h"])
        self.assertIn("// Kept.\n// RAM", made["tp_pools.h"])

    def test_a_comment_apart_from_the_row_stays_behind(self):
        self.assertNotIn("Apart", files(table("# Apart.", "", row()))["tp_pools.h"])

    def test_the_evict_function_of_two_pools_is_declared_once(self):
        rows = [row(name, full='"steal-oldest"',
                    more=', evict = "gone"') for name in "ab"]
        self.assertEqual(files(table(*rows))["tp_pools.h"].count("void gone(void "
                                                                 "*victim);"), 1)


class Everywhere(unittest.TestCase):
    def test_a_strange_file_name_cannot_leave_its_comment(self):
        made = files(table(row()), '/tmp/a"\\\n*??b\udcff.toml')
        for content in made.values():
            self.assertIn("Generated from a______b_.toml by tidepool.py.", content)

    def test_only_the_last_part_of_the_path_is_printed(self):
        made = files(table(row()), "/home/me/pools.toml")
        self.assertNotIn("home", "".join(made.values()))

    def test_no_line_ends_in_blanks(self):
        for path in GOLDEN.glob("*/tp_pools.*"):
            self.assertIsNone(re.search(r"[ \t]$", path.read_text(encoding="utf-8"),
                                        re.M), path)


class Table(unittest.TestCase):
    maxDiff = None

    def expect(self, folder, level):
        config = read((GOLDEN / folder / "pools.toml").read_text(encoding="utf-8"))
        made, path = memory_table(config, level), GOLDEN / folder / "table.txt"
        if rewriting():
            path.write_text(made)
        self.assertEqual(made, path.read_text())

    def test_the_table_shows_every_pool_and_every_bank(self):
        self.expect("banks", "fast")

    def test_the_table_counts_at_the_level_it_is_asked_for(self):
        self.expect("stealing", "off")
        self.expect("plain", "full")

    def test_the_table_shows_what_is_no_pool(self):
        for folder in ["scratch", "size_classes", "relocating", "dense", "nests",
                       "spilling", "least", "reserve", "water",
                       "objects", "scenes", "retained"]:
            self.expect(folder, "fast")


if __name__ == "__main__":
    unittest.main()
