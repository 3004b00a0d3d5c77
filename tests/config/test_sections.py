# SPDX-License-Identifier: MIT
"""Complaints about what is no pool: stacks, frames, blocks, relocating and dense
pools, nests."""

import itertools
import unittest

from helper import complaints, files, read, row, table

HEAD = "tidepool = 1\n[pools]\n" + row("z") + "\n"


class Sections(unittest.TestCase):
    maxDiff = None

    def expect(self, section, text, *expected):
        """For rows below [section], the first on line 5, of which no number is told."""
        found = complaints(f"{HEAD}[{section}]\n{text}\n")
        self.assertEqual([line[2:] if line.startswith("5:") else line
                          for line in found], list(expected))


class Stacks(Sections):
    def test_bytes_and_full_are_needed(self):
        self.expect("stacks", "a = { }", '1: error: stack "a": bytes is missing',
                    "= how much memory there is",
                    '1: error: stack "a": full is missing',
                    "= what happens when full is a decision, so it has no default")

    def test_only_pools_steal_or_borrow(self):
        for full in ("steal-oldest", "steal-least", "spill"):
            for section, what, more in [
                    ("stacks", "stack", "bytes = 8"), ("frames", "frame", "bytes = 8"),
                    ("dense", "dense pool", "size = 8, count = 3"),
                    ("relocating", "relocating pool", "bytes = 64, handles = 3"),
                    ("blocks", "blocks", "classes = [ { size = 8, count = 2 } ]")]:
                text = f'a = {{ {more}, full = "{full}" }}'
                self.expect(section, text, f'{text.index(full)}: error: {what} "a":'
                            f' full is unknown: "{full}"', "= known: assert, drop")

    def test_a_stack_has_one_or_two_ends(self):
        self.expect("stacks", 'a = { bytes = 8, full = "drop", ends = 3 }',
                    '40: error: stack "a": ends must be 1 to 2, not 3')

    def test_bytes_are_a_multiple_of_8(self):
        for section, what, more in [("stacks", "stack", ""), ("frames", "frame", ""),
                                    ("nests", "nest", ""),
                                    ("relocating", "relocating pool", ", handles = 3")]:
            self.expect(section, f'a = {{ bytes = 1001, full = "drop"{more} }}',
                        f'15: error: {what} "a": bytes '
                        "must be a multiple of 8, not 1001", "= bytes = 1008")

    def test_bytes_take_a_unit(self):
        self.expect("stacks", 'a = { bytes = "8K", full = "drop" }')
        self.expect("stacks", 'a = { bytes = 8K, full = "drop" }',
                    "15: error: a number with a unit needs quotes: 8K",
                    '= write "8K"')

    def test_bytes_end_at_a_quarter_of_a_gigabyte(self):
        self.expect("stacks", 'a = { bytes = "257M", full = "drop" }',
                    '15: error: stack "a": bytes must be '
                    "268435456 at most, not 269484032")

    def test_the_buffers_of_a_frame_are_no_larger_than_an_int(self):
        frame = 'f = { bytes = "256M", buffers = 8, full = "drop" }'
        self.expect("frames", frame, '33: error: frame "f": 8 buffers of 268435456 '
                    "bytes are 2147483648 bytes; 2147483647 are the most",
                    "= buffers = 7")
        self.expect("frames", frame.replace("= 8", "= 7"))


class Frames(Sections):
    def test_a_frame_has_1_to_255_buffers(self):
        for buffers in [0, 256]:
            self.expect("frames",
                        f'a = {{ bytes = 8, full = "drop", buffers = {buffers} }}',
                        f'43: error: frame "a": buffers must be 1 to 255, not '
                        f'{buffers}')


class Blocks(Sections):
    def expect_classes(self, classes, *expected):
        self.expect("blocks", f'a = {{ full = "drop", classes = {classes} }}',
                    *expected)

    def test_classes_ascend(self):
        self.expect_classes("[ { size = 16, count = 1 }, { size = 16, count = 1 }, { "
                            "size = 8, count = 1 } ]",
                            '69: error: blocks "a": classes must ascend, but 16 '
                            'follows 16',
                            '95: error: blocks "a": classes must ascend, but 8 follows '
                            '16')

    def test_each_is_counted_with_its_line_in_their_table(self):
        made = read("tidepool = 1\n[blocks]\nm = { classes = [{ size = 8, "
                    'count = 3 }], full = "drop" }\n').tenants()[0]
        pool, line, name = 68, 3 * 4, len("m_8") + 1
        self.assertEqual(pool + line + name, made.flash_bytes)

    def test_there_are_at_most_255_of_them(self):
        rows = ", ".join(f"{{ size = {8 * one}, count = 1 }}" for one in range(1, 257))
        self.expect_classes(f"[ {rows} ]",
                            '32: error: blocks "a": 256 classes are too many',
                            "= 255 are the most")

    def test_classes_are_multiples_of_8(self):
        self.expect_classes("[ { size = 20, count = 1 } ]",
                            '43: error: blocks "a": a class must be a multiple of 8, '
                            'not 20', "= size = 24")

    def test_a_class_has_a_size_and_a_count_and_nothing_else(self):
        rows = 'blocks "a": classes must be rows of { size = 16, count = 64 }'
        self.expect_classes("[ { size = 16 } ]", f"34: error: {rows}")
        self.expect_classes("[ { size = 16, count = 2, full = 3 } ]",
                            f"58: error: {rows}")
        self.expect_classes("[ { size = 16, count = 0 } ]",
                            f"55: error: {rows}", "= count must be 1 to 32767, not 0")
        self.expect_classes("[ { size = 'x', count = 1 } ]",
                            f"43: error: {rows}",
                            "= size must be a whole number, not a string")
        self.expect_classes("[ 3 ]", '34: error: blocks "a": classes must be a table, '
                                     'not a whole number')
        self.expect_classes("[ ]", '32: error: blocks "a": classes must be at least '
                                   'one { size = 16, count = 64 }')
        self.expect_classes("16", '32: error: blocks "a": classes must be an array, '
                                  'not a whole number')


class RelocatingPools(Sections):
    def test_places_are_counted_in_16_bits(self):
        self.expect("relocating", 'a = { bytes = "512K", full = "drop", handles = 1 }',
                    '15: error: relocating pool '
                    '"a": bytes must be 16 to 524272, not 524288',
                    "= for small objects; a step copies a block whole")

    def test_a_generation_that_wraps_within_a_day_is_refused(self):
        self.expect("relocating", 'a = { bytes = 800, full = "drop", handles = 512 }',
                    '45: error: relocating pool '
                    '"a": a generation of 22 bits wraps after 19.4 hours of 60 reuses '
                    'a second of one slot',
                    "= generation_wrap = true accepts it")


class DensePools(Sections):
    def test_wasted_bytes_are_counted(self):
        self.expect("dense", 'a = { size = 20, count = 4, full = "drop" }',
                    '14: warning: dense pool "a": size = 20 '
                    "is not a multiple of align = 8: 4 bytes lost per slot, 16 in all",
                    "= size = 24 costs the same",
                    "= align = 4 loses none")

    def test_a_generation_that_wraps_within_a_day_is_refused(self):
        self.expect("dense", 'a = { size = 8, count = 512, full = "drop" }',
                    '25: error: dense pool "a": a generation '
                    "of 22 bits wraps after 19.4 hours of 60 reuses a second of one "
                    "slot", "= handles = 64 lasts 53024 days",
                    "= generation_wrap = true accepts it")

    def test_a_thousand_objects_have_handles_of_64_bits(self):
        self.expect("dense", 'a = { size = 8, count = 1000, full = "drop", '
                             'handles = 64 }')
        self.expect("dense", 'a = { size = 8, count = 10, full = "drop", handles = 16 '
                             '}',
                    '54: error: dense pool "a": handles must be 32 or 64, not 16',
                    "= the bits of one handle")

    def test_one_function_cannot_be_told_of_two_types(self):
        self.expect("dense", 'a = { size = 8, count = 5, full = "drop", on_move = "f", '
                             'type = "struct a" }\n'
                    'b = { size = 8, count = 5, full = "drop", on_move = "f" }',
                    '6:53: error: dense pool "b": f would take a void and a b_handle_t '
                    'here, a struct a and a a_handle_t on line 5',
                    "= one function for each type")


class Nests(Sections):
    NEST = 'n_ = { bytes = 128 }\n'

    def test_an_unknown_nest_gets_the_closest_known_one_as_a_hint(self):
        self.expect("stacks", 'a = { bytes = 8, full = "drop", in = "roof" }\n'
                              '[nests]\nroot = { bytes = 16 }',
                    '38: error: stack "a": unknown nest "roof"',
                    '= did you mean "root"?')
        self.expect("stacks", 'a = { bytes = 8, full = "drop", in = "roof" }',
                    '38: error: stack "a": unknown nest '
                    '"roof"', '= declare it: [nests] roof = { bytes = "..." }')

    def test_what_is_nested_has_no_bank_of_its_own(self):
        text = ('a = { bytes = 8, full = "drop", in = "root", bank = "b" }\n'
                '[nests]\nroot = { bytes = 16 }\n')
        self.expect("stacks", text + '[banks]\nb = { region = "B" }',
                    '53: error: stack "a": it lies in a nest, and so where that lies',
                    "= take bank out",
                    '9:1: warning: bank "b": nothing lies in it')

    def test_only_what_is_nested_has_an_end(self):
        self.expect("stacks", 'a = { bytes = 8, full = "drop", end = "low" }',
                    '39: error: stack "a": it lies in no nest', '= add in = "NEST"')

    def test_nested_pools_are_aligned_to_8_at_most(self):
        self.expect("pools.a", 'size = 16\ncount = 1\nfull = "drop"\nalign = 16\n'
                               'in = "root"\n[nests]\n'
                    "root = { bytes = 64 }",
                    '8:9: error: pool "a": what lies in a nest is aligned to 8 at most',
                    "= take in out and give it a bank")

    def test_a_nest_holds_its_rows_and_8_bytes_more(self):
        text = ('a = { bytes = 104, full = "drop", in = "root" }\n'
                'b = { bytes = 40, full = "drop", in = "root" }\n'
                "[nests]\nroot = { bytes = %d }")
        self.expect("stacks", text % 152)
        self.expect("stacks", text % 144,
                    '8:18: error: nest "root": 152 bytes wanted, 144 there: 8 too many',
                    "= 8 must be left; largest: a 104 (line 5), b 40 (line 6)")

    def test_a_nest_whose_rows_are_mistaken_is_not_too_small(self):
        self.expect("stacks", 'a = { bytes = -104, full = "drop", in = "root" }\n'
                              '[nests]\nroot = { bytes = 16 }',
                    '15: error: stack "a": bytes must be 1 to 4294967295, not -104')

    def test_rows_of_all_tables_lie_in_nests(self):
        for section, text in [
                ("blocks", 'classes = [ { size = 8, count = 4 } ], full = "drop"'),
                ("relocating", 'bytes = 64, handles = 2, full = "drop"'),
                ("dense", 'size = 8, count = 4, full = "drop"')]:
            nest = '[nests]\nroot = { bytes = %d, bank = "b" }\n' \
                   '[banks]\nb = { region = "B", budget = "1K" }'
            row = f'a = {{ {text}, in = "root", end = "high" }}\n'
            self.expect(section, row + nest % 80)
            found = complaints(f"tidepool = 1\n[{section}]\n{row}{nest % 32}")
            self.assertIn('nest "root": ', found[0])
            self.assertIn(" bytes wanted, 32 there", found[0])
            found = complaints(f"tidepool = 1\n[{section}]\n"
                               f'a = {{ {text}, end = "high" }}\n')
            self.assertEqual(found[1:], ['= add in = "NEST"'])

    def test_a_bank_counts_what_lies_in_its_nests(self):
        text = ('a = { bytes = 104, full = "drop", in = "root" }\n[nests]\n'
                'root = { bytes = 152, bank = "b" }\n'
                '[banks]\nb = { region = "B", budget = %d }')
        self.expect("stacks", text % 152)
        self.expect("stacks", text % 151,
                    '9:30: error: bank "b": 152 bytes wanted, 151 allowed: 1 too many',
                    "= largest: a 104 (line 5), root 48 (line 7)")


class Scenes(Sections):
    def test_an_unknown_pool_gets_the_closest_known_one_as_a_hint(self):
        self.expect("scenes", "a = { z = 3, zz = 4 }",
                    '14: error: scene "a": unknown row "zz"',
                    '= did you mean "z"?')

    def test_where_no_row_is_known_no_list_of_them_is_a_hint(self):
        found = complaints("tidepool = 1\n[scenes]\na = { z = 3 }\n")
        self.assertIn('3:7: error: scene "a": unknown row "z"', found)
        self.assertEqual([], [line for line in found if "known:" in line])

    def test_a_count_is_0_to_32767(self):
        self.expect("scenes", "a = { z = 32768 }",
                    '11: error: scene "a": z must be 0 to 32767, not 32768')
        self.expect("scenes", "a = { z = true }",
                    '11: error: scene "a": z must be a whole number, not true or false')

    def more(self, rows, scene, *found):
        text = ("tidepool = 1\n[pools]\n" + row("x") + f"\n{rows}\n"
                f"[scenes]\na = {{ x = 3, {scene} }}\n")
        self.assertEqual(complaints(text), list(found))

    def test_a_scene_gives_bytes_to_stacks_and_frames(self):
        stack = '[stacks]\nz = { bytes = 16, full = "drop" }'
        self.more(stack, 'z = "1K"')
        self.more(stack, "z = 12", '7:18: error: scene "a": z must be a multiple of 8, '
                                   "not 12", "= 16")
        self.more('[frames]\nz = { bytes = 16, full = "drop" }', "z = -8",
                  '7:18: error: scene "a": z must be 0 to 268435456, not -8')

    def test_a_scene_gives_each_class_of_blocks_its_slots(self):
        blocks = ("[blocks]\nz = { classes = [ { size = 8, count = 4 }, "
                  '{ size = 16, count = 2 } ], full = "drop" }')
        self.more(blocks, "z = [ 0, 8 ]")
        self.more(blocks, "z = 4",
                  '7:18: error: scene "a": z must be an array, not a whole number')
        self.more(blocks, "z = [ 4 ]", '7:18: error: scene "a": z must be 2 numbers of '
                                       "slots, one a class")
        self.more(blocks, "z = [ 4, -1 ]",
                  '7:18: error: scene "a": z must be 0 to 32767, not -1')
        self.more(blocks, "z = [ 0, 0 ]",
                  '7:18: error: scene "a": z has nothing in any scene',
                  "= give it some in one, or take it out of all")

    def test_there_are_at_most_255_scenes(self):
        scenes = [f"s{number} = {{ x = 3 }}" for number in range(256)]
        text = table(row("x"), "[scenes]", *scenes)
        self.assertEqual(complaints(text), [
            '260:1: error: scene "s255": 256 scenes are too many',
            "= 255 are the most"])
        source = files(text.rsplit("s255", 1)[0])["tp_pools.c"]
        self.assertIn("  scenes_s254_most = TP_LARGER(scenes_s254, scenes_s253_most),\n"
                      "  scenes_most = scenes_s254_most,\n", source)

    def test_scenes_do_not_cut_what_moves_by_itself_or_holds_rows(self):
        for section, what, text in [
                ("relocating", "relocating pool",
                 'bytes = 64, handles = 2, full = "drop"'),
                ("nests", "nest", "bytes = 64")]:
            self.more(f"[{section}]\nz = {{ {text} }}", "z = 64",
                      f'7:14: error: scene "a": scenes cut no {what}, as "z" is',
                      "= they cut pools, stacks, frames, blocks and dense pools")

    def test_what_scenes_cut_lies_in_no_nest(self):
        self.more('[stacks]\nz = { bytes = 16, full = "drop", in = "m" }\n'
                  "[nests]\nm = { bytes = 64 }", "z = 8",
                  '5:39: error: stack "z": scenes cut it, which in does not allow',
                  "= its memory is the scenes' or the nest's")
        self.more('[blocks]\nz = { classes = [{ size = 8, count = 2 }], full = "drop", '
                  'in = "m" }\n[nests]\nm = { bytes = 64 }', "z = [1]",
                  '5:64: error: blocks "z": scenes cut it, which in does not allow',
                  "= its memory is the scenes' or the nest's")

    def test_a_scene_is_a_table(self):
        self.expect("scenes", "a = 3", '1: error: scene "a" must be a table, not a '
                                       'whole number',
                    "= write a = { ... } or [scenes.a]")

    def test_a_pool_that_a_scene_does_not_name_keeps_its_count_there(self):
        self.expect("scenes", "a = { z = 8 }\nb = { }",
                    '6:1: warning: scene "b": pool "z" is missing',
                    "= its count = 4 on line 3 holds there")

    def test_a_pool_that_has_no_slots_in_any_scene_is_refused(self):
        self.expect("scenes", "a = { z = 0 }",
                    '11: error: scene "a": z has nothing in any scene',
                    "= give it some in one, or take it out of all")

    def test_a_pool_that_scenes_cut_is_plain(self):
        for more, key in [("reserve = 1", "reserve"),
                          ("low_water = 1", "low_water")]:
            found = complaints(f"tidepool = 1\n[pools]\n{row('z', more=', ' + more)}\n"
                               f"[scenes]\na = {{ z = 3 }}\n")
            self.assertRegex(found[0], f'^3:.*: error: pool "z": scenes cut it, which '
                                       f'{key}.* does not allow')

    def test_scenes_cut_neither_what_spills_nor_what_lends(self):
        rows = (row("x", full='"spill", spill = "y", then = "drop"') + "\n" + row("y"))
        for name, line, why in (("x", 3, 'full = "spill"'),
                                ("y", 4, "what others spill into it")):
            found = complaints(f"tidepool = 1\n[pools]\n{rows}\n"
                               f"[scenes]\na = {{ {name} = 3 }}\n")
            self.assertRegex(found[0], f'^{line}:.*: error: pool "{name}": scenes cut '
                                       f"it, which {why} does not allow")

    def test_scenes_cut_pools_of_interrupts_and_with_code_of_their_own(self):
        for more in ("isr = true", 'code = "own"', 'isr = true, code = "own"'):
            self.assertEqual(complaints(
                f"tidepool = 1\n[pools]\n{row('z', more=', ' + more)}\n"
                "[scenes]\na = { z = 3 }\n"), [])

    def test_scenes_cut_one_memory(self):
        found = complaints('tidepool = 1\n[banks]\nb = { region = "B" }\n'
                           "[pools]\n" + row("x") + "\n"
                           + row("y",
                                 more=', bank = "b"') + "\n[scenes]\na = { x = 3, y = "
                                                        "4 }\n")
        self.assertEqual(found,
                         ['6:51: error: pool "y": scenes cut it, and x on line 5 out '
                          'of one memory, but their '
                          "banks differ"])

    def test_a_mistaken_bank_is_not_also_another_memory(self):
        rows = [row(name, more=', bank = "b"') for name in "xyz"]
        for i in range(3):
            some = "\n".join(rows[:i] + [rows[i].replace('"b"', "1")] + rows[i + 1:])
            found = complaints('tidepool = 1\n[banks]\nb = { region = "B" }\n[pools]\n'
                               f"{some}\n[scenes]\na = {{ x = 3, y = 4, z = 1 }}\n")
            self.assertEqual(
                [f'{i + 5}:51: error: pool "{"xyz"[i]}": bank must be a string, not a '
                 "whole number"], found)

    def test_a_bank_counts_the_greediest_scene(self):
        text = ('tidepool = 1\n[banks]\nb = { region = "B", budget = %d }\n'
                "[pools]\n" + row("x", more=', bank = "b"')
                + "\n" + row("y",
                             more=', bank = "b"') + "\n[scenes]\na = { x = 3, y = 4 "
                                                    "}\nc = { x = 1, y = 9 }\n")
        self.assertEqual(complaints(text % 240), [])
        self.assertEqual(complaints(text % 239)[0],
                         '3:30: error: bank "b": 240 bytes wanted, 239 allowed: 1 too '
                         'many')

    def test_release_belongs_to_scenes(self):
        found = complaints("tidepool = 1\n[pools]\n" + row(more=', release = "f"'))
        self.assertEqual(found[1:], ["= it belongs to pools that scenes cut"])


class RetainedBanks(Sections):
    def test_a_retained_bank_holds_plain_pools_only(self):
        for section, text, what in [
                ("pools", row("a", more=', bank = "b", deinit = "f"'), "deinit"),
                ("pools", row("a", more=', bank = "b", reserve = 1'), "reserve"),
                ("pools", row("a", more=', bank = "b", low_water = 1'), "low_water"),
                ("stacks", 'a = { bytes = 8, full = "drop", bank = "b" }', "a stack"),
                ("frames", 'a = { bytes = 8, full = "drop", bank = "b" }', "a frame"),
                ("nests", 'a = { bytes = 8, full = "drop", bank = "b" }', "a nest")]:
            text = f"{text}\n[banks]\nb = {{ region = 'B', retained = true }}"
            before = "" if section == "pools" else f"[pools]\n{row('z')}\n"
            found = complaints(f"tidepool = 1\n{before}[{section}]\n{text}\n")
            self.assertIn(f'"a": bank "b" is retained, which {what} is not', found[0])
            self.assertEqual(found[1:],
                             ["= the metadata that lies elsewhere is cleared by a "
                              "reset"])

    def test_metadata_lies_in_its_bank_where_the_row_says_so(self):
        text = ('tidepool = 1\n[banks]\nb = { region = "R", budget = %d }\n[pools]\n'
                'a = { size = 24, count = 4, bank = "b", full = "drop"%s }\n')
        more = ', metadata = "bank"'
        self.assertEqual(complaints(text % (96, "")), [])
        self.assertIn("144 bytes wanted, 96 allowed: 48 too many",
                      complaints(text % (96, more))[0])
        made = files(text % (144, more))
        self.assertIn('__attribute__((section(".bss.tp_arena.b.a.metadata")))\n'
                      "static uint32_t a_tag[", made["tp_pools.c"])
        self.assertIn("bool a_validate(void)\n", made["tp_pools.h"])

    def test_metadata_needs_a_bank_and_a_plain_pool(self):
        row_of = ('tidepool = 1\n[pools]\n'
                  'a = { size = 24, count = 4, full = "drop", %s }')
        self.assertEqual(complaints(row_of % 'metadata = "bank"'), [
            '3:55: error: pool "a": it lies in no bank', '= add bank = "BANK"'])
        self.assertIn("deinit has metadata elsewhere", complaints(
            (row_of % 'bank = "b", deinit = "f", metadata = "bank"')
            + "\n[banks]\nb = { region = 'B' }\n")[0].replace(
                '3:81: error: pool "a": ', ""))

    def test_metadata_counts_in_a_retained_bank(self):
        text = ("tidepool = 1\n[pools]\n" + row(more=', bank = "b"')
                + "\n[banks]\nb = { region = 'B', budget = %d, %s }")
        self.assertEqual(complaints(text % (96, "retained = false")), [])
        self.assertIn("144 bytes wanted, 96 allowed",
                      complaints(text % (96, "retained = true"))[0])


class Names(Sections):
    def test_what_makes_calls_shares_its_names(self):
        self.expect("stacks", 'z = { bytes = 8, full = "drop" }',
                    '1: error: stack "z": the name "z" is that of a pool',
                    "= the first is on line 3")

    def test_a_class_of_blocks_is_a_pool_too(self):
        self.expect("stacks", 'a_16 = { bytes = 8, full = "drop" }\n[blocks]\n'
                    'a = { full = "drop", classes = [ { size = 16, count = 1 } ] }',
                    '7:1: error: blocks "a": the name "a_16" is that of a stack',
                    "= the first is on line 5")

    def test_scenes_that_cut_one_of_two_of_a_name_change_no_complaint(self):
        sections = {"blocks": 'b = { classes = [ { size = 16, count = 4 } ], full ='
                              ' "drop" }', "dense": 'b = { size = 8, count = 4, full ='
                              ' "drop" }', "pools": row("b")}
        for one, other, given in itertools.product(sections, sections, ("3", "[ 3 ]")):
            if one != other:
                found = complaints("\n".join((
                    "tidepool = 1", f"[{one}]", sections[one], f"[{other}]",
                    sections[other], "[scenes]", f"day = {{ b = {given} }}")))
                self.assertIn('the name "b" is that of a', "\n".join(found))


del Sections

if __name__ == "__main__":
    unittest.main()
