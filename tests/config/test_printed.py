# SPDX-License-Identifier: MIT
"""What is printed for C at its limits: what it claims of numbers that only C knows, how
much memory each allocator is given, what scenes are told, what the header counts."""

import re
import unittest

from helper import files, row, table

SCENES = """tidepool = 1
[banks]
r = { region = "R", sleeps = true }
[pools]
a = { size = 24, count = 4, full = "drop", deinit = "gone", release = "let" }
k = { size = 24, count = 4, full = "drop", deinit = "gone", retain = [8, 4] }
s = { size = 24, count = 4, full = "drop", bank = "r", deinit = "gone" }
w = { size = 24, count = 4, full = "drop", align = 32 }
[scenes]
x = { a = 3, k = 2, w = 1, d = 2, e = 3, t = 24, g = 8, b = [3, 0] }
y = { a = 5, k = 0, w = 2, d = 9, e = 1, t = 8, g = 16, b = [0, 40] }
z = { a = 1, k = 0, w = 2, d = 9, e = 1, t = 8, g = 16, b = [0, 41] }
[dense]
d = { size = 12, count = 4, align = 4, full = "drop" }
e = { size = 12, count = 4, align = 4, full = "drop", handles = 64 }
[stacks]
t = { bytes = 8, full = "drop" }
[frames]
g = { bytes = 8, buffers = 3, full = "drop" }
[blocks]
b = { classes = [{ size = 8, count = 4 }, { size = 24, count = 2 }], full = "drop" }
"""


class Printed(unittest.TestCase):
    def source(self, *lines):
        return files(table(*lines))["tp_pools.c"]

    def header(self, *lines):
        return files(table(*lines))["tp_pools.h"]

    def lines(self, text, *wanted):
        for line in wanted:
            self.assertIn(line, text)


class Claims(Printed):
    """What the rules ask of a number that C computes."""

    def claimed(self, *lines):
        """The claims of the source, each without where it comes from."""
        found = re.findall(r"TP_STATIC_ASSERT\((.*),  //", self.source(*lines))
        return [claim for claim in found if "TP_STRIDE" not in claim]

    def test_each_is_asked_at_the_very_limit(self):
        for line, claim in (
                (row(size='"F"', more=", link = 8"), "8 + 4 <= A_SIZE"),
                (row(count='"N"', more=", reserve = 2"), "2 < A_COUNT"),
                (row(count='"N"', more=', low_water = 1, refill = 3, on_low = "f"'),
                 "1 < 3 && 3 <= A_COUNT"),
                (row(size='"F"', more=', deinit = "f", retain = [8, 12]'),
                 "20 <= A_SIZE")):
            self.assertEqual([claim], self.claimed(line))

    def test_slots_of_two_pools_are_compared_if_the_size_of_either_is_unknown(self):
        for key in ('spill = "b"', 'chunks = ["b"]'):
            for own, other in (('"F"', '"F"'), ("8", '"F"'), ('"F"', "64")):
                more = f', {key}, then = "drop"'
                if key.startswith("chunks") and own != other:
                    continue
                self.assertEqual(["(int)A_SIZE <= (int)B_SIZE"], self.claimed(
                    row(size=own, full='"spill"', more=more), row("b", size=other)))
            self.assertEqual([], self.claimed(
                row(size="8", full='"spill"', more=more), row("b", size="8")))

    def test_of_known_numbers_nothing_is_claimed(self):
        self.assertEqual([], self.claimed(
            row(more=', low_water = 1, refill = 3, on_low = "f"'),
            row("b", more=", reserve = 2"), row("c", more=", link = 8"),
            row("d", more=", handles = 32")))

    def test_handles_are_claimed_to_last_a_day_unless_that_is_accepted(self):
        for more, claims in ((", handles = 32", ["A_COUNT <= 511"]),
                             (", handles = 32, generation_wrap = true", []),
                             (", handles = 64", []), ("", [])):
            found = self.claimed(row(count='"N"', more=more))
            self.assertEqual(len(claims), len(found), (more, found))

    def test_a_stride_is_claimed_where_red_zones_may_be_too_much_for_it(self):
        for size, claimed in ((65440, False), (65528, True)):
            self.assertEqual(claimed, f"(TP_STRIDE({size}, 8) <= 65535," in
                             self.source(row(size=str(size))))

    def test_the_header_claims_what_a_count_and_a_size_may_be(self):
        made = self.header(row(count='"N"', size='"F"'))
        self.lines(made, "(A_COUNT >= 1 && A_COUNT <= 32767,", "(A_SIZE >= 4 && A_SIZE "
                   "<= 65535,", "count = N must be 1 to 32767", "size = F must be 4 to")
        made = self.header('a = { type = "struct foe", count = 4, full = "drop" }')
        self.lines(made, "a: sizeof(struct foe) must be 4 to 65535, or size = 4 be "
                   "written")
        made = self.header("[dense]", 'a = { size = "F", count = 4, full = "drop" }')
        self.lines(made, "(A_SIZE >= 1 && A_SIZE <= 65535,")

    def test_a_type_may_be_just_as_large_and_as_aligned_as_its_slot(self):
        made = self.header(row(more=', type = "struct foe", align = 8'))
        self.lines(made, "(sizeof(struct foe) <= A_SIZE,", "(TP_ALIGNOF(struct foe) "
                   "<= 8,", "a: size = 24 is less than sizeof(struct foe)",
                   "a: align = 8 is less than struct foe needs")

    def test_how_many_bytes_a_slot_must_hold_is_said_where_it_has_a_size(self):
        for size, said in (("size = 24, ", True), ("", False)):
            made = self.header(f'a = {{ {size}type = "struct foe", count = 4, '
                               'full = "drop" }')
            self.assertEqual(said, "a_size_must_be[" in made)


class Memory(Printed):
    """What each allocator is given, and what its descriptor says of that."""

    def test_each_has_its_bytes_and_one_word_more_where_it_counts_from_1(self):
        made = self.source(
            "[relocating]", 'm = { bytes = 64, handles = 8, full = "drop" }',
            'o = { bytes = 64, handles = 7, full = "drop" }', "[dense]",
            'd = { size = 12, count = 4, full = "drop", handles = 64 }', "[frames]",
            'f = { bytes = 64, buffers = 3, full = "drop" }', "[stacks]",
            's = { bytes = 64, full = "drop", ends = 2 }')
        self.lines(made, "m_entry[8 + 1];", "m_arena[(64 + 8) / 4];",
                   "  .handles = 8,\n  .handle_bits = 4,",
                   "  .handles = 7,\n  .handle_bits = 3,",
                   "d_place[4 + 1];", "d_entry[4];", "d_wraps[4 + 1];",
                   "f_storage[3 * 64 / 4];", "f_bump[3];", "  .buffers = 3,\n",
                   "s_storage[64 / 4];", "  .capacity = 4,\n")

    def test_blocks_find_their_classes_by_tables_of_their_own_length(self):
        made = self.source(
            "[banks]", 'b = { region = "R" }', "[blocks]",
            "m = { classes = [{ size = 16, count = 4 }, { size = 128, count = 2 }], "
            'full = "drop", bank = "b" }',
            "o = { classes = [{ size = 8, count = 4 }, { size = 1024, count = 2 }], "
            'full = "drop" }')
        for name, first in (("m", "m_128"), ("o", "o_8")):
            own = made.split(f" {name}_blocks = {{\n")[1].split("};")[0]
            for table_name, field in (("by_size", "sizes"), ("by_page", "pages")):
                cells = made.split(f"{name}_{table_name}[] = {{\n")[1].split("};")[0]
                self.assertIn(f"  .{field} = {len(cells.split(','))},\n", own)
            self.assertIn(f"  .begin = {first}_storage,\n", own)
        self.lines(made, "m_16_asked[TP_TAGS(4) + 1];", "o_8_asked[TP_TAGS(4) + 1];")
        self.assertEqual(64, len(made.split("o_by_size[] = {\n")[1]
                                 .split("};")[0].split(",")))

    def test_blocks_have_256_pages_at_most_and_the_last_may_be_a_part(self):
        for count, shift, pages in ((85, 3, 256), (86, 4, 130)):
            made = self.source("[blocks]", "m = { classes = [{ size = 8, count = 1 }, "
                               f'{{ size = 24, count = {count} }}], full = "drop" }}')
            self.lines(made, f"  .shift = {shift},\n", f"  .pages = {pages},\n")

    def test_of_blocks_that_hand_on_the_largest_answers_as_the_row_says(self):
        made = self.source("[blocks]", "m = { classes = [{ size = 8, count = 1 }, "
                           "{ size = 24, count = 2 }], "
                           'full = "assert", bigger = true }')
        for name, full in (("m_8", "drop"), ("m_24", "assert")):
            self.assertIn(f'"{name}", &tp_pool_kind, &{name}_pool, "{full}",', made)

    def test_salts_of_two_dense_rows_differ_above_the_bits_that_number_objects(self):
        made = self.source("[dense]", 'd = { size = 12, count = 4, full = "drop" }',
                           'e = { size = 12, count = 300, full = "drop" }',
                           'f = { size = 12, count = "N", full = "drop" }')
        salts = re.findall(r"  \.salt = (0x\w+)u(.*),", made)
        self.assertEqual((0, 0), (int(salts[0][0], 16) % 8, int(salts[1][0], 16) % 512))
        self.assertNotEqual(int(salts[0][0], 16) >> 9, int(salts[1][0], 16) >> 9)
        self.assertEqual(["", "", " << TP_HANDLE_BITS(F_COUNT)"],
                         [shift for _, shift in salts])

    def test_so_do_those_of_two_rows_that_are_alike(self):
        like = ' = { size = 12, count = 4, full = "drop" }'
        made = self.source("[dense]", "d" + like, "e" + like)
        salts = re.findall(r"  \.salt = (\w+),", made)
        self.assertEqual(2, len(set(salts)))

    def test_what_is_left_of_a_nest_is_8_bytes_at_least_behind_what_lies_in_it(self):
        made = self.source("[nests]", "m = { bytes = 1024 }", "[stacks]",
                           's = { bytes = 64, full = "drop", in = "m" }')
        self.lines(made, "m_s = (sizeof s_storage + 7) / 8 * 8,",
                   "m_rest = 1024 - (m_s),", "(m_rest >= 8,", "m_storage[m_rest / 4];",
                   "  .bytes = 1024,\n  .kind = TP_NEST_DSTACK,\n")
        entry = re.search(r'  {"m", (.*),\n   (.*),', made)
        self.assertEqual(("&tp_nest_kind, &m_nest, \"drop\"", "NULL, m_rest, sizeof "
                          "m_storage, 1, 0, 0u"),
                         (entry[1], entry[2].rpartition(",")[0]))

    def test_a_pool_has_the_headers_of_what_its_own_code_calls(self):
        made = self.source(row(more=', code = "own", lock = "exclusive"'))
        self.assertIn('#include "core/tp_exclusive.h"', made)
        for handles in ("", ", handles = 32"):
            made = self.source(row(more=', code = "own"' + handles))
            self.assertEqual(bool(handles), '"core/tp_claim.h"' in made)
            self.assertNotIn("tp_exclusive.h", made)


class Scenes(Printed):
    def setUp(self):
        made = files(SCENES)
        self.c, self.h = made["tp_pools.c"], made["tp_pools.h"]

    def test_each_part_takes_bytes_up_to_the_strictest_alignment(self):
        self.lines(self.c, "  scenes_x = TP_CUT(3, a_stride, 8, 32) +",
                   "TP_CUT(1, w_stride, 32, 32) +\n    32 +\n    32 +",
                   "TP_CUT(2, w_stride, 32, 32) +\n    32 +\n    64 +",
                   "(2 * d_stride + 31) / 32 * 32", "aligned(32)",
                   "scenes_arena[(scenes_most + 3) / 4];",
                   "  .part_count = 9,\n  .scene_count = 3,\n  .align = 32,\n")

    def test_the_arena_is_that_of_the_greediest_scene(self):
        self.lines(self.c, "scenes_y_most = TP_LARGER(scenes_y, scenes_x),",
                   "scenes_z_most = TP_LARGER(scenes_z, scenes_y_most),",
                   "  scenes_most = scenes_z_most,")

    def test_lives_end_as_their_kind_ends_them_and_nobody_is_told_of_a_nap(self):
        for name, beside, end, release in (
                ("a", "&a_objects", "tp_object", "let"),
                ("k", "&k_objects", "tp_retain", "NULL"),
                ("w", "NULL", "tp_pool", "NULL"), ("t", "NULL", "tp_stack", "NULL"),
                ("g", "NULL", "tp_frame", "NULL"),
                ("b_8", "&b_blocks", "tp_blocks", "NULL"),
                ("d", "NULL", "tp_dense", "NULL"),
                ("e", "&e_dense64", "tp_dense64", "NULL")):
            self.assertIn(f', {beside}, "{name}",\n   {name}_amounts, {name}_peaks, '
                          f"{end}_end_scene, {release}, &{name}_scene_seal}},", self.c)
        lent = SCENES.replace('bank = "r", deinit = "gone"',
                              'bank = "r", align = 32, dma = true')
        for made in (self.c, files(lent)["tp_pools.c"]):
            self.assertIn(', NULL, "s",\n   s_amounts, s_peaks, NULL, NULL, '
                          "&s_scene_seal},", made)
        made = self.source(row(), "[banks]", 'r = { region = "R", sleeps = true }',
                           "[blocks]", "m = { classes = [{ size = 8, count = 4 }], "
                           'full = "drop", bank = "r" }')
        self.assertIn("   m_8_amounts, m_8_peaks, NULL, NULL, &m_8_scene_seal},", made)

    def test_each_call_of_what_scenes_cut_compares_its_descriptor_first(self):
        calls = re.findall(r"^static inline TP_CALL [^;{}]*?\b([a-z])_\w+\([^;{}]*\n"
                           r"\{\n(.*?)^\}", self.h, re.M | re.S)
        self.assertEqual(set("akswbdetgr"), {name for name, _ in calls})
        for name, body in calls:
            parts = {"b": ("b_8", "b_24"), "r": ()}.get(name, (name,))
            first = "".join(f"  tp_seal_check(&{part}_scene_seal);\n" for part in parts)
            if "tp_" in body:
                self.assertEqual(first, body[:len(first)])
                self.assertEqual(len(parts), body.count("tp_seal_check"))

    def test_so_does_code_of_its_own(self):
        for handles in ("32", "64"):
            made = self.source(row(more=f', code = "own", handles = {handles}'),
                               "[scenes]", "x = { a = 2 }")
            bodies = re.findall(r"^TP_NOINLINE [^;{}]*\n\{\n(.*?)^\}", made,
                                re.M | re.S)
            self.assertEqual(5, len(bodies))
            for body in bodies:
                self.assertTrue(body.startswith("  tp_seal_check(&a_scene_seal);\n"))

    def test_the_list_of_all_has_the_seals_of_what_scenes_cut(self):
        for name in ("a", "k", "s", "w", "b_8", "b_24", "d", "e", "t", "g"):
            self.assertRegex(self.c, rf'  {{"{name}", [^{{}}]* &{name}_scene_seal}},')
        for name in ("b", "scenes", "r"):
            self.assertRegex(self.c, rf'  {{"{name}", [^{{}}]*, 0u, NULL}},')

    def test_what_scenes_cut_has_no_number_or_memory_before_the_first(self):
        for name in ("a_pool", "d_dense", "e_dense", "t_stack", "g_frame"):
            own = self.c.split(f" {name} = {{\n")[1].split("\n}")[0]
            self.assertNotIn(".capacity", own)
            self.assertNotIn("_storage", own)
            self.assertNotRegex(self.c, rf"const struct \w+ {name} = ")

    def test_counts_and_sizes_are_those_of_the_most_generous_scene(self):
        self.lines(self.h, "A_COUNT = 5,", "K_COUNT = 2,", "D_COUNT = 9,",
                   "E_COUNT = 3,", "T_SIZE = 24,", "G_COUNT = 3,\n  G_SIZE = 16,",
                   "B_COUNT = 44,",
                   "TP_SCENE_X,\n  TP_SCENE_Y,\n  TP_SCENE_Z,\n  TP_SCENE_N,")

    def test_the_list_of_all_says_the_most_and_no_size_of_what_is_cut(self):
        for cells in ('"a", &tp_pool_kind, &a_pool, "drop",\n   NULL, 5, 0, a_stride',
                      '"b", &tp_blocks_kind, &b_blocks, "drop",\n   NULL, 984, 0, 1,',
                      '"t", &tp_stack_kind, &t_stack, "drop",\n   NULL, 24, 0, 1,',
                      '"scenes", &tp_scenes_kind, &scenes_scenes, "",\n   NULL, '
                      "scenes_most, sizeof scenes_arena, 1,"):
            self.assertIn("  {" + cells, self.c)

    def test_of_a_type_s_size_the_bytes_of_scenes_are_what_c_counts(self):
        made = self.header(row(size='"F"'), row("b"), "[scenes]", "x = { a = 2 }",
                           "y = { a = 3 }")
        self.assertIn("// RAM: as C counts it.\nenum tp_scene_id", made)

    def test_a_comment_tells_who_gives_the_memory(self):
        said = self.h.replace("\n// ", " ")
        self.lines(said, "RAM: slots as scenes cut them, 24 of tags,",
                   "RAM: 4 slots, awake in r, ", "RAM: what scenes give it, 64 of ")
        said = files(SCENES.split("[pools]")[0] + '[stacks]\nt = { bytes = 8, '
                     'full = "drop", bank = "r" }\n')["tp_pools.h"]
        self.assertIn("RAM: what it has awake in r, ", said)

    def test_a_comment_tells_how_much_of_it_is_full(self):
        said = self.h.replace("\n// ", " ")
        self.lines(said, "When all that the scene gives it are live: NULL.",
                   "When all that the scene gives it live: NULL.",
                   "Of more than it has in all, unless that is nothing: a fault, ")


class Listed(Printed):
    """Each allocator in tp_registry."""

    def test_each_kind_is_listed_by_what_it_counts(self):
        made = self.source(
            row(), "[stacks]", 's = { bytes = 64, full = "drop" }',
            'o = { bytes = 64, full = "drop", ends = 2 }', "[frames]",
            'f = { bytes = 64, full = "drop", buffers = 2 }', "[relocating]",
            'm = { bytes = 256, handles = 9, full = "drop" }', "[dense]",
            'd = { size = 8, count = 5, full = "assert", spare = true }', "[nests]",
            "q = { bytes = 512 }")
        for name, kind, noun, full, cells in (
                ("a", "pool", "pool", "drop", "4, sizeof a_storage, a_stride, 0"),
                ("s", "stack", "stack", "drop", "64, sizeof s_storage, 1, 0"),
                ("o", "dstack", "dstack", "drop", "64, sizeof o_storage, 1, 0"),
                ("f", "frame", "frame", "drop", "64, sizeof f_storage, 1, 0"),
                ("m", "reloc", "reloc", "drop", "9, 0, 0, 0"),
                ("m_arena", "arena", "reloc", "drop", "256, sizeof m_arena, 1, 0"),
                ("d", "dense", "dense", "assert", "5, sizeof d_storage, d_stride, 1"),
                ("q", "nest", "nest", "drop", "q_rest, sizeof q_storage, 1, 0")):
            self.assertIn(f'  {{"{name}", &tp_{kind}_kind, &{name.split("_")[0]}_{noun}'
                          f', "{full}",\n   NULL, {cells}, 0u, NULL}},', made)


class Told(Printed):
    def test_a_comment_counts_what_a_pool_takes_of_ram(self):
        for more, full, told in (
                ("", '"drop"', "RAM: 96 bytes of slots, 20 of tags (8 at off), and"),
                (", handles = 32", '"steal-oldest"', "bytes of slots, 20 of ages"),
                (", handles = 32, min_age = 2", '"steal-oldest"', ", 40 of ages,")):
            said = self.header(row(full=full, more=more)).replace("\n// ", " ")
            self.assertIn(told, said)
        said = self.header(row(more=", handles = 32")).replace("\n// ", " ")
        self.assertNotIn("at off", said.split("RAM:")[1].split("state.")[0])

    def test_of_what_only_c_knows_a_comment_names_it(self):
        said = self.header(row(size='"F"')).replace("\n// ", " ")
        self.assertIn("RAM: 4 slots of F bytes", said.replace("A_SIZE", "F"))
        self.assertIn("their metadata", self.header(row(count='"N"')))
        said = self.header("[dense]", 'd = { size = 8, count = "N", full = "drop" }')
        self.assertIn("RAM: as C counts it", said)

    def test_the_comment_above_the_first_line_of_a_file_is_looked_for_no_further(self):
        made = files('# Of all.\npools.a = { size = 8, count = 4, full = "drop" }\n'
                     "tidepool = 1\n")["tp_pools.h"]
        self.assertIn("\n// Of all.\n", made)

    def test_headings_of_columns_are_not_carried_along(self):
        made = self.header("# what     how many", "# A pool.", row())
        self.assertIn("\n// A pool.\n", made)
        self.assertNotIn("how many", made)

    def test_every_header_that_a_row_needs_is_included_and_no_other(self):
        for lines, header in (
                ([row(more=", reserve = 1")], "policy/tp_spill.h"),
                (["[stacks]", 's = { bytes = 8, full = "drop", ends = 2 }'],
                 "allocator/tp_dstack.h"),
                (["[dense]", 'd = { size = 8, count = 4, full = "drop", '
                             "handles = 64 }"], "allocator/tp_dense64.h"),
                ([row(more=", link = 8")], "object/tp_link.h")):
            self.assertIn(f'#include "{header}"', self.header(*lines))
            self.assertNotIn(header, self.header(row()))
        self.assertIn('#include "tidepool_version.h"', self.header(row()))

    def test_what_borrows_by_handles_and_what_is_of_a_class_has_the_calls_of_that(self):
        made = self.header(row(full='"spill"', more=', spill = "b", then = "drop", '
                               "handles = 32"), row("b"))
        self.assertIn('#include "object/tp_lent.h"', made)
        made = self.header('a = { type = "app::Foe", count = 4, full = "drop" }')
        self.assertIn('#include "object/tp_update.h"', made)

    def test_what_stops_the_compiler_stands_at_the_key_that_wants_more(self):
        for key, value in (("type", '"app::Foe"'), ("union", '["app::Foe", "int"]')):
            made = self.source("[pools.a]", "count = 4", 'full = "drop"',
                               f"{key} = {value}")
            self.assertIn('#error "pools.toml:6: a: its type is one of C++', made)
        made = self.source("[pools.a]", "count = 4", 'full = "drop"', "size = 8",
                           'lock = "cores"')
        self.assertIn('#if !TP_CORES_PORTED\n#error "pools.toml:7: a: this lock wants',
                      made)
        made = self.header("[pools.a]", "count = 4", 'full = "drop"',
                           'type = "struct foe"', "size = 8", "align = 4")
        self.lines(made, "pools.toml:7: a: size = 8 is less",
                   "pools.toml:8: a: align = 4 is less")

    def test_a_dense_pool_of_a_class_claims_that_its_bytes_may_be_moved(self):
        made = self.header("[dense]", 'd = { type = "app::Foe", count = 4, '
                           'full = "drop" }')
        self.assertIn("TP_STATIC_ASSERT(__is_trivially_copyable(app::Foe),", made)

    def test_a_retained_pool_declares_what_keeps_it_and_a_pointer_what_it_is_to(self):
        made = files('tidepool = 1\n[banks]\nk = { region = "K", retained = true }\n'
                     "[pools]\n" + row(more=', bank = "k"') + "\n")["tp_pools.h"]
        self.assertIn("extern const struct tp_noinit a_noinit;", made)
        made = self.header('a = { type = "struct foe *", opaque = true, size = 4, '
                           'count = 4, full = "drop" }')
        self.assertIn("\nstruct foe;\n", made)

    def test_up_to_two_days_are_told_in_hours(self):
        for count, lasts in (("300", "38.8 hours"), ("200", "3.2 days")):
            words = self.header(row(count=count, more=", handles = 32"))
            self.assertIn(f"wrap after {lasts} of", words.replace("\n//", ""))

    def test_who_is_told_of_an_object_behind_its_link_is_given_its_begin(self):
        made = self.source(row(more=', link = 8, deinit = "f"'))
        self.assertIn(".deinit = deinit_of_a,", made)
        self.assertIn(".deinit = f,", self.source(row(more=', deinit = "f"')))

    def test_what_the_application_defines_is_declared(self):
        made = self.header(
            row(more=', low_water = 1, refill = 2, on_low = "f", on_refill = "g"'),
            row("b"))
        self.lines(made, "void f(const struct tp_pool *pool, uint32_t free);",
                   "void g(const struct tp_pool *pool, uint32_t free);")
        made = self.header(row(more=', deinit = "f", retain = [8, 4], validate = "v", '
                               'close = "c"'))
        self.lines(made, "bool v(void *part);", "void c(void *part);")
        for type_ in ("union both", "struct one"):
            made = self.header(f'u = {{ type = "{type_}", opaque = true, count = 4, '
                               'full = "drop", size = 8 }')
            self.assertIn(f"\n{type_};\n", made)


if __name__ == "__main__":
    unittest.main()
