# SPDX-License-Identifier: MIT
"""What is generated: three tables in full, the telling lines of the others.

After a wanted change: TIDEPOOL_REWRITE_GOLDEN=1 python3 -m unittest ..., then
read the difference.
"""

import re
import unittest

from helper import GOLDEN, NAMES, complaints, files, read, rewriting, row, table
from generator.measure import memory_table
from generator.page import config_hash


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

    def test_banks_become_arenas_with_guards(self):
        self.expect("banks")

    def test_a_stealing_pool_has_an_age_ring_and_tells_the_victims_owner(self):
        self.expect("stealing")

    def test_objects_have_typed_hooks(self):
        self.expect("objects")


class Telling(unittest.TestCase):
    """The few lines that a table of golden/ is there for."""

    def made(self, folder):
        return files((GOLDEN / folder / "pools.toml").read_text(encoding="utf-8"))

    def header(self, folder, *lines):
        """Wherever its comments are broken."""
        self.all_in(lines, self.made(folder)["tp_pools.h"].replace("\n// ", " "))

    def source(self, folder, *lines):
        self.all_in(lines, self.made(folder)["tp_pools.c"])

    def all_in(self, lines, text):
        for line in lines:
            self.assertIn(line, text)

    def test_a_row_becomes_a_typed_pool(self):
        self.header("plain", "  PARTICLES_COUNT = 256,\n  PARTICLES_SIZE = 24,\n",
                    "A slot, not initialised. When all 256 are live: NULL.\n"
                    "static inline TP_CALL struct particle *particles_alloc(void)\n",
                    "A slot, not initialised. When all 48 are live: a fault, FULL.")

    def test_no_call_of_tp_pools_h_is_a_macro(self):
        for path in GOLDEN.glob("*/pools.toml"):
            if path.parent.name != "mistakes":
                header = self.made(path.parent.name)["tp_pools.h"]
                self.assertEqual(re.findall(r"#define (\w+)\(|DECLARE|##", header),
                                 [], path)

    def test_a_row_without_type_becomes_a_pool_of_void(self):
        self.header("untyped", "static inline TP_CALL void *packets_alloc(void)\n",
                    "uint8_t **pointers_alloc(void)")

    def test_comments_above_rows_and_blocks_are_carried_along(self):
        text = (GOLDEN / "blocks" / "pools.toml").read_text()
        comment = re.search(r"^#( .*)\n\[pools", text, re.M)[1]
        self.header("blocks", comment)

    def test_handles_are_declared_and_the_day_they_wrap_is_stated(self):
        self.header("handles", "struct voice *sounds_get(sounds_handle_t handle)\n",
                    "Handles: 27 bits of generation wrap after 25.9 days",
                    "sounds_pin_handle(")
        self.assertNotIn("lamps_pin_handle(", self.made("handles")["tp_pools.h"])

    def test_handles_of_64_bits_last_for_a_year(self):
        self.header("handles_of_64_bits", "  tp_handle64_t bits;\n} sparks_handle_t;\n",
                    "wrap after 414.3 days")

    def test_a_hot_pool_gets_code_of_its_own(self):
        self.header("own_code", "\nstruct particle *particles_alloc(void);\n")
        self.source("own_code", "\nTP_NOINLINE struct particle *particles_alloc(void)"
                    "\n{\n  return (struct particle *)tp_core_alloc(&particles_pool")

    def test_a_pool_locks_as_its_row_says(self):
        self.source("locks", "  .lock = 64,\n", "tp_exclusive_alloc(&frames_pool)")

    def test_lenders_are_defined_before_those_who_spill_into_them(self):
        source = self.made("spilling")["tp_pools.c"]
        order = re.findall(r"^const struct tp_pool (\w+)_pool", source, re.M)
        self.assertEqual(order, ["depot", "rubble", "sparks", "embers"])
        self.header("spilling",
                    "a slot of rubble; when that has none either: NULL.")

    def test_calls_of_memory_that_is_released_say_what_becomes_of_it(self):
        said = self.made("spilling")["tp_pools.h"].replace("\n// ", " ")
        for words in ("either: NULL. Released memory of rubble is taken again.",
                      "Not after rubble_release() was true, until another pool has "
                      "borrowed a slot: the memory is nobody's."):
            self.assertIn(words, said)

    def test_the_least_is_told_by_a_typed_score(self):
        self.source("least",
                    "  return voice_loudness((const struct voice *)object);\n",
                    "  .score = score_of_voices,\n  .refuses_below = 1,\n")

    def test_several_inits_have_a_call_each(self):
        text = ('tidepool = 1\n[pools]\nfoes = { type = "struct foe", size = 8, '
                'count = 4, full = "drop", handles = 32, deinit = "foe_died", '
                'init = { grunt = "grunt_init", boss = "boss_init" } }\n')
        made = files(text)
        header = made["tp_pools.h"]
        self.assertIn("bool grunt_init(struct foe *object, void *context);\n"
                      "bool boss_init(struct foe *object, void *context);\n", header)
        self.assertIn("foes_create_boss(void *context)\n{\n  return (struct foe *)"
                      "tp_object_alloc(&foes_boss_objects, context);\n", header)
        self.assertIn("foes_create_grunt_handle(", header)
        self.assertIn("grunt_init() makes it one; NULL if that returns false. When",
                      header.replace("\n// ", " "))
        self.assertNotIn("foes_create(", header)
        self.assertIn("const struct tp_objects foes_grunt_objects = {\n"
                      "  .pool = &foes_pool,\n  .init = init_grunt_of_foes,\n"
                      "  .deinit = deinit_of_foes,\n", made["tp_pools.c"])

    def test_a_score_and_a_handle_are_had_in_one_call(self):
        self.header("least", "void *tracks_alloc_scored(uint32_t score,\n",
                    "  return tp_least_alloc_handle(&tracks_pool, score, "
                    "&handle->bits);\n")
        text = ('tidepool = 1\n[pools]\nfoes = { size = 8, count = 4, '
                'full = "steal-least", score = "rank", refuse_below = true, '
                'handles = 64, init = "foe_made", deinit = "foe_died" }\n')
        header = files(text)["tp_pools.h"]
        for call in ("handle64(&foes_objects, context, UINT32_MAX, &handle->bits)",
                     "handle64(&foes_objects, context, score, &handle->bits)"):
            self.assertIn(f"  return tp_object_alloc_{call};\n", header)

    def test_where_what_could_be_stolen_can_be_pinned_null_says_so(self):
        for more, said in [(", handles = 32", True), (", pin = true", True),
                           ("", False)]:
            text = ('tidepool = 1\n[pools]\na = { size = 8, count = 4, '
                    f'full = "steal-oldest", evict = "gone"{more} }}\n')
            header = files(text)["tp_pools.h"].replace("\n// ", " ")
            self.assertEqual(said, "_pin" in header, more)
            self.assertEqual(
                said, "NULL iff each is pinned or changing hands." in header, more)

    def test_a_reserve_is_a_second_pool_for_urgent_calls(self):
        self.header("reserve", "2 more are for voices_alloc_urgent().",
                    "tp_pool_alloc(&voices_urgent_pool)")

    def test_a_pool_grows_by_chunks(self):
        text = ('tidepool = 1\n[pools]\nherd = { size = 8, count = 4, '
                'full = "spill", chunks = ["east"], then = "drop" }\n'
                'east = { size = 8, count = 4, full = "drop" }\n')
        made = files(text)
        self.assertIn("void herd_attach(const struct tp_chunk *chunk)\n",
                      made["tp_pools.h"])
        self.assertIn("live: a slot of a chunk that is attached; when that has none "
                      "either: NULL.", made["tp_pools.h"].replace("\n// ", " "))
        self.assertNotIn(".into", made["tp_pools.c"])

    def test_who_waits_has_a_call_and_whoever_frees_looks_for_them(self):
        self.header("waiting", "struct enemy *packets_alloc_wait(uint32_t ticks)\n",
                    "  tp_wait_free(&packets_wait, object);\n",
                    "packets_alloc() that waits while all 8 are live, first come first "
                    "served among tasks as urgent. NULL iff")
        self.header("waiting", "struct enemy *replies_alloc_wait_handle("
                    "replies_handle_t *handle,",
                    "  if (freed && tp_wait_is_awaited(&replies_wait)) "
                    "tp_wait_serve(&replies_wait);\n  return freed;\n")
        self.source("waiting", "TP_STATIC_ASSERT(TP_WAIT_PORTED,",
                    "  .state = &packets_wait_state,\n")

    def test_low_water_is_told(self):
        self.header("water", "close_window() is told when 4 are left.")
        text = ('tidepool = 1\n[pools]\na = { size = 8, count = 4, full = "drop", '
                'low_water = 0, refill = 1, on_low = "low", on_refill = "more" }\n')
        for end in ("low() is told when 0 are left.\n",
                    "more() is told when 1 is free again.\n"):
            self.assertIn(end, files(text)["tp_pools.h"].replace("\n// ", " "))
        self.source("water", "  .low = 4,\n  .refill = 16,\n")

    def test_a_policy_of_the_application_is_declared_once(self):
        line = "extern const struct tp_policy app_drop_farthest;"
        header = self.made("own_policy")["tp_pools.h"]
        self.assertEqual(header.count(line), 1)

    def test_scenes_cut_one_arena(self):
        self.header("scenes", "  TP_SCENE_BATTLE,\n", "scenes_force(uint32_t scene)")
        self.source("scenes", "_most = TP_LARGER(", '{&tp_scene_pool, &enemies_pool, '
                    'NULL, "enemies",\n   enemies_amounts, enemies_peaks, '
                    "tp_pool_end_scene, release_of_enemies, &enemies_scene_seal},")

    def test_each_part_of_a_scene_ends_in_its_own_way(self):
        for part in ("pool, &voices_pool, NULL", "stack, &level_stack, NULL",
                     "dstack, &sides_dstack, NULL", "frame, &draw_frame, NULL",
                     "pool, &texts_16_pool, &texts_blocks",
                     "dense, &motes_dense, &motes_dense64",
                     "dense, &flies_dense, NULL"):
            self.source("scenes", "{&tp_scene_" + part)
        self.source("scenes", *[f" tp_{kind}_end_scene, NULL, &" for kind in (
            "pool", "stack", "dstack", "frame", "blocks", "dense", "dense64")])
        self.source("scenes", "static const uint32_t texts_16_amounts[] = {4, 0, 2};")

    def test_what_a_forced_switch_takes_back_is_retired(self):
        text = ('tidepool = 1\n[pools]\nfoes = { type = "struct foe", size = 8, '
                'count = 4, full = "drop", deinit = "foe_died" }\n'
                "[scenes]\na = { foes = 3 }\n")
        source = files(text)["tp_pools.c"]
        self.assertIn("{&tp_scene_pool, &foes_pool, &foes_objects, ", source)
        self.assertIn("foes_peaks, tp_object_end_scene, NULL, &foes_", source)

    def test_a_retained_bank_holds_metadata_and_a_seal_too(self):
        self.source("retained", '__attribute__((section(".bss.tp_arena.keep.notes.'
                    'metadata")))\nstatic uint32_t notes_seal;\n')

    def test_a_file_without_pools_has_no_table_of_them(self):
        self.assertNotIn("tp_pool_table", "".join(self.made("no_pools").values()))

    def test_what_never_fits_into_scratch_memory_is_told_to_be_a_fault(self):
        told = "Of more than it has in all: a fault, LARGE."
        header = self.made("scratch")["tp_pools.h"].replace("\n// ", " ")
        self.assertEqual(header.count(told), header.count("When they do not fit:"))
        self.header("relocating", told)

    def test_stacks_and_frames_are_given_back_all_at_once(self):
        self.header("scratch", "level_release(struct tp_mark mark)\n",
                    "sides_alloc(enum tp_end end", "void draw_end(void)\n")

    def test_stacks_take_back_their_last_block_without_a_mark(self):
        self.header("scratch", "level_free(void *block)\n",
                    "  tp_dstack_free(&sides_dstack, end, block);")

    def test_blocks_are_a_pool_for_each_class(self):
        self.source("size_classes", "  {&scripts_16_pool, scripts_16_asked, "
                    "&scripts_16_waste},\n")

    def test_a_header_says_how_many_blocks_all_classes_have(self):
        self.header("size_classes", "  SCRIPTS_COUNT = ")

    def test_relocating_pools_move_so_much_at_a_step(self):
        self.header("relocating", "return tp_reloc_step(&meshes_reloc, 8, 2048);")

    def test_dense_pools_tell_what_moves(self):
        self.header("dense", "The last object moves into its place. "
                    "bullet_moved() is told.")

    def test_a_thousand_dense_objects_have_wide_handles(self):
        text = ('tidepool = 1\n[dense]\nbees = { size = 8, count = 1000, '
                'full = "drop", handles = 64, on_move = "bee_moved" }\n')
        made = files(text)
        self.assertIn("tp_dense64_alloc(&bees_dense64, (tp_handle64_t *)handle);\n",
                      made["tp_pools.h"])
        self.assertIn("bees_handle_t handle = {tp_dense64_of(&bees_dense64, bits)};\n",
                      made["tp_pools.c"])

    def test_rows_of_a_nest_lie_side_by_side_in_its_bank(self):
        self.assertIn(".0low.", self.made("nests")["tp_pools.c"])
        self.assertIn(".2high.", self.made("nests")["tp_pools.c"])

    def test_a_check_level_is_asserted_and_counted_with(self):
        self.source("checks", "TP_STATIC_ASSERT(TP_CHECKS == TP_CHECKS_FULL,")
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

    def test_the_hash_changes_with_the_order_of_scenes(self):
        rows = table(row("a"), row("b"))
        one, other = "x = { a = 4, b = 1 }\n", "y = { a = 1, b = 4 }\n"
        self.assertNotEqual(self.hash(f"{rows}[scenes]\n{one}{other}"),
                            self.hash(f"{rows}[scenes]\n{other}{one}"))

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
        self.assertIn('#pragma GCC diagnostic pop\n#endif\n\n#include "b c.h"\n'
                      '#include <a/b.h>\n#include "a.h"\n\n#ifdef', made["tp_pools.h"])

    def test_a_comment_cannot_swallow_the_next_line(self):
        for end in ["\\", "\\ ", "\\\\", "??/", "??/\\ ??/"]:
            made = files(table("# A comment " + end, row()))
            self.assertIn("// A comment\n", made["tp_pools.h"])

    def test_what_turns_text_around_is_left_out_of_a_comment(self):
        """Of which GCC warns without being asked: -Wbidi-chars."""
        for code in (0x202a, 0x202e, 0x2066, 0x2069):
            made = files(table(f"# A {chr(code)}comment", row()))
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
        for path in GOLDEN.glob("*/pools.toml"):
            if path.parent.name != "mistakes":
                made = files(path.read_text(encoding="utf-8"))
                found = re.search(r"[ \t]$", "".join(made.values()), re.M)
                self.assertIsNone(found, path)


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

    def test_the_table_shows_what_is_no_pool(self):
        self.expect("nests", "fast")

    def test_the_table_counts_at_the_level_it_is_asked_for(self):
        config = read(table(row("a", size="24", count="4")))
        for level, slots in [("fast", "96"), ("full", "136")]:
            line = memory_table(config, level).split("\n")[1].split()
            self.assertEqual(line[:5], ["pool", "a", "4", line[3], slots])


if __name__ == "__main__":
    unittest.main()
