# SPDX-License-Identifier: MIT
"""Rules at their limits: what is just refused, and what is just not."""

import unittest

from helper import complaints, files, row, table


class Limits(unittest.TestCase):
    def found(self, *lines):
        """Complaints without where, and their hints."""
        return [line.split(": ", 2)[-1] for line in complaints(table(*lines))]

    def test_what_lies_in_a_nest_has_no_reserve(self):
        self.assertEqual(
            ['pool "a": what lies in a nest has no reserve'],
            self.found(row(more=', reserve = 1, in = "m"'), "[nests]",
                       "m = { bytes = 256 }"))

    def test_nobody_waits_for_a_slot_behind_ldrex_and_strex(self):
        found = self.found(row(more=', wait = true, lock = "exclusive", '
                                    'code = "shared"'))
        self.assertIn('pool "a": does not go with lock = "exclusive"', found)

    def test_a_lender_may_be_aligned_better_than_who_borrows(self):
        borrower = row(full='"spill"', more=', spill = "b", then = "drop", align = 4')
        self.assertEqual([], self.found(borrower, row("b", more=", align = 8")))

    def test_of_what_lends_its_patience_is_what_scenes_do_not_cut(self):
        found = self.found(
            row("x", full='"spill"', more=', spill = "y", then = "drop"'),
            row("y", more=", patience = 2"), "[scenes]", "a = { y = 3 }")
        self.assertIn('pool "y": scenes cut it, which patience does not allow', found)

    def test_a_retained_bank_keeps_nothing_that_others_spill_into(self):
        found = self.found(
            row(full='"spill"', more=', spill = "b", then = "drop"'),
            row("b", more=', bank = "kept"'), "[banks]",
            'kept = { region = "R", retained = true }')
        self.assertIn('pool "b": bank "kept" is retained, which what others spill into '
                      "is not", found)

    def test_a_frame_that_is_too_large_is_one_mistake(self):
        found = complaints('tidepool = 1\n[frames]\nf = { bytes = "512M", buffers = 8, '
                           'full = "drop" }\n')
        self.assertEqual(1, len(found))
        self.assertIn("bytes must be 268435456 at most", found[0])

    def test_who_has_the_very_priority_that_the_rtos_masks_may_wake(self):
        rows = row("x", more=', isr = true, allocates = ["t"], frees = ["i"], '
                             'waits = ["t"], handles = 32')
        for priority, wrong in (("0x40", False), ("0x20", True)):
            found = complaints(
                f"tidepool = 1\n[build]\nrtos_mask = 0x40\n[pools]\n{rows}\n"
                f'[contexts]\nt = "task"\ni = {{ interrupt = {priority} }}\n')
            self.assertEqual(wrong, any("is above rtos_mask" in one for one in found))

    def test_a_life_is_written_in_frames_of_a_soak(self):
        for life, frames in (('"10 s"', 600), ('"5 min"', 18000), ('"2 h"', 432000),
                             ("7", 7), ('"forever"', 2**32 - 1)):
            source = files(table(row(more=f", life = {life}")))["tp_pools.c"]
            self.assertIn(f", {frames}u, NULL}},", source)


class Cores(unittest.TestCase):
    def test_each_cortex_m_is_known_with_the_locks_that_it_has(self):
        for cores, locks in (("0 0plus 1", ""), ("23", "exclusive"),
                             ("3 4 7 33 35p 52 55 85", "exclusive basepri:64")):
            for core in cores.split():
                for lock in ("exclusive", "basepri:64"):
                    found = complaints(f'build.cpu = "cortex-m{core}"\n'
                                       + table(row(more=f', lock = "{lock}", code = '
                                                        '"own"')))
                    self.assertNotIn("is unknown", "".join(found))
                    self.assertEqual(lock not in locks, any(
                        ": error: " in line for line in found), (core, lock, found))


CONTEXTS = """tidepool = 1
[contexts]
main  = "task"
radio = { interrupt = 0x40 }
dsp   = { core = 1 }
hot   = { interrupt = 2 }
warm  = { interrupt = 3 }
[pools]
"""


class WhoCalls(unittest.TestCase):
    def found(self, *lines):
        return complaints(CONTEXTS + "\n".join(lines) + "\n")

    def test_who_is_denied_and_has_no_lock_is_told_once(self):
        found = self.found(row(more=', lock = "none", isr = false, allocates = '
                                    '["main"], frees = ["radio"]'))
        self.assertEqual(['9:65: error: pool "a": isr = false, but radio may interrupt '
                          "main in a call of it",
                          "= take isr out, or write isr = true"], found)

    def test_of_two_keys_that_name_contexts_the_one_that_allocates_is_shown(self):
        stack = 's = { bytes = 64, full = "drop", '
        for other, found in (("radio", "a stack is for one context"),
                             ("dsp", "main is of core 0 and dsp of core 1")):
            for keys, key in (('frees = ["main"], allocates = ["%s"]', "allocates"),
                              ('frees = ["main", "%s"]', "frees")):
                text = stack + keys % other + " }"
                problem = self.found(row(), "[stacks]", text)[0]
                self.assertIn(found if other == "radio" or key == "frees" else
                              "which call it at once", problem)
                column = text.index("[", text.index(key)) + 1
                self.assertEqual(f"11:{column}", problem.partition(": ")[0])

    def test_no_basepri_is_proposed_that_masks_nothing_or_is_a_lock(self):
        for name, hints in (("hot", 1), ("warm", 2)):
            found = self.found(row(more=', code = "own", lock = "basepri:4", '
                                        f'allocates = ["{name}"]'))
            self.assertEqual(hints, sum(line[0] == "=" for line in found))

    def test_two_cores_share_nothing_that_is_waited_for_or_of_a_class(self):
        for text, what in (
                (row(more=', lock = "cores", waits = ["main"], frees = ["dsp"]'),
                 "wait"),
                ('a = { type = "app::Foe", count = 4, full = "drop", '
                 'lock = "cores" }', "a class")):
            self.assertIn(f'pool "a": two cores cannot share {what}',
                          self.found(text)[0])

    def test_a_core_may_keep_all_but_one_and_a_quarter_is_proposed(self):
        for magazine, wrong in ((7, False), (8, True), (9, True)):
            found = self.found(row(
                count=8, more=f', lock = "cores", magazine = {magazine}'))
            self.assertEqual(["= write magazine = 2, or less"] * wrong, found[1:])

    def test_waits_end_only_where_contexts_wait_whatever_wait_says(self):
        found = self.found(row(more=", wait = true, waits_end = true"))
        self.assertIn('pool "a": nobody waits for it', found[0])


class ScenesAndBanks(unittest.TestCase):
    def test_each_mistake_of_what_scenes_cut_is_told_and_no_other_of_it(self):
        dense = '[dense]\nd = { size = 8, count = "N", full = "drop" }\n'
        scenes = "[scenes]\nx = { %s }\ny = { %s }\n"
        both = row() + "\n" + row("b") + "\n"
        for text, found in (
                (row() + "\n" + dense + scenes % ("d = 4", "d = 1"),
                 "dense pool \"d\": scenes cut it, so its count must be a number"),
                (both.replace("count = 4", 'count = "N"', 1)
                 + scenes % ("a = 4, b = 1", "b = 2"),
                 'pool "a": scenes cut it, so its count must be a number'),
                (row() + "\n" + scenes % ("a = 0", 'a = "no"'),
                 'scene "y": a must be a whole number, not a string'),
                (both.replace('"drop" }\nb', '"drop", bank = "r" }\nb').replace(
                    "b = { size = 24", "b = { bank = 3, size = 24")
                 + '[banks]\nr = { region = "R" }\n'
                 + scenes % ("a = 2, b = 1", "a = 1, b = 2"),
                 'pool "b": bank must be a string, not a whole number')):
            told = [line for line in complaints("tidepool = 1\n[pools]\n" + text)
                    if line[0] != "="]
            self.assertEqual([found], [line.split("error: ")[-1] for line in told])

    def test_a_row_that_a_scene_may_have_meant_is_not_told_of(self):
        released = 'sparks = { size = 8, count = 4, full = "drop", release = "f" }'
        for scenes in ("x = { sparks = 1.5 }", "x = { spraks = 3 }",
                       "x = { sparks = 0 }\ny = { spraks = 3 }"):
            found = complaints(f"tidepool = 1\n[pools]\n{released}\n"
                               f"[scenes]\n{scenes}\n")
            self.assertEqual(1, sum(line[0] != "=" for line in found), found)
        for scenes in ("x = { sparks = 3, b = 2 }\ny = { spraks = 3, b = 1 }",
                       "x = { sparks = 3, b = 2 }\ny = { sparks = -1, b = 1 }"):
            found = complaints(f"tidepool = 1\n[pools]\n{row('b')}\n{released}\n"
                               f"[scenes]\n{scenes}\n")
            self.assertEqual(1, sum(line[0] != "=" for line in found), found)

    def test_of_blocks_whose_classes_are_mistaken_no_scene_is_told(self):
        for scene in ("m = [1]", "m = [1, 2]"):
            found = complaints(
                "tidepool = 1\n[pools]\n" + row() + "\n[blocks]\n"
                'm = { classes = [{ size = 8 }, 7], full = "drop" }\n'
                f"[scenes]\nx = {{ {scene} }}\n")
            self.assertEqual(1, sum("error: " in line for line in found), found)

    def test_a_row_that_is_unknown_is_not_told_where_a_table_is_lost(self):
        found = complaints("tidepool = 1\n[pools\n" + row() + "\n[scenes]\n"
                           "x = { a = 3 }\n")
        self.assertEqual(1, len(found), found)

    def test_what_a_scene_leaves_out_holds_there_what_its_row_says(self):
        for text, holds in (
                ("[blocks]\nm = { classes = [{ size = 8, count = 4 }], "
                 'full = "drop" }\n',
                 "what its classes say on line 5"),
                ('[stacks]\nm = { bytes = 64, full = "drop" }\n',
                 "its bytes = 64 on line 5")):
            cut = "[3]" if "classes" in text else "8"
            found = complaints(f"tidepool = 1\n[pools]\n{row()}\n{text}[scenes]\n"
                               f"x = {{ m = {cut} }}\ny = {{ a = 2 }}\n")
            self.assertIn(f"= {holds} holds there", found)

    def test_a_mistaken_row_is_not_told_that_it_cannot_sleep(self):
        text = ('tidepool = 1\n[banks]\nr = { region = "R", sleeps = true }\n'
                "[pools]\n" + row() + "\n[relocating]\nm = { bytes = 64, handles = 4, "
                'full = "drop", bank = "r"%s }\n')
        self.assertIn("which a relocating pool cannot", complaints(text % "")[0])
        self.assertNotIn("cannot", str(complaints(text % ", moves = 0")))


class Descriptors(unittest.TestCase):
    """What a row says is what its descriptor says."""

    def made(self, text):
        return files("tidepool = 1\n" + text)["tp_pools.c"]

    def test_a_relocating_pool_has_its_moves_and_what_they_may_take(self):
        source = self.made("[relocating]\nm = { bytes = 256, handles = 9, "
                           'full = "assert", moves = 3, move_bytes = 64 }\n')
        for field in ("move_bytes = 64", "moves = 3", "units = 32", "handles = 9",
                      "handle_bits = 4", "full = 1"):
            self.assertIn(f"  .{field},\n", source)

    def test_blocks_hand_on_only_where_bigger_says_so(self):
        for bigger in (0, 1):
            source = self.made(
                '[blocks]\nm = { classes = [{ size = 8, count = 4 }], full = "drop"'
                + ", bigger = true" * bigger + " }\n")
            self.assertIn(f"  .bigger = {bigger},\n", source)

    def test_each_size_finds_the_smallest_class_that_fits(self):
        made = self.made('[blocks]\nm = { classes = [{ size = 8, count = 4 }, { size = '
                         "24, count = 4 }, { size = 32, count = 4 }], full = "
                         '"drop" }\n')
        self.assertIn("m_by_size[] = {\n  0, 1, 1, 2\n};", made)
        self.assertIn(".sizes = 4,", made)

    def test_what_lies_in_a_nest_is_listed_with_its_kind_and_end(self):
        source = self.made(
            "[nests]\nm = { bytes = 1024 }\n"
            '[stacks]\na = { bytes = 64, full = "assert", in = "m", end = "high" }\n'
            'b = { bytes = 64, full = "drop", in = "m", ends = 2 }\n'
            '[frames]\nc = { bytes = 64, full = "drop", in = "m" }\n')
        for name, kind, end in (("a", "STACK", "HIGH"), ("b", "DSTACK", "LOW"),
                                ("c", "FRAME", "LOW")):
            self.assertRegex(source, rf'(?s)\.name = "{name}"[^}}]*\.kind = '
                                     rf"TP_NEST_{kind}, \.end = TP_{end}}}")
        self.assertRegex(source, r"(?s) a_stack = {[^}]*TP_FULL_ASSERT")
        self.assertRegex(source, r"(?s) b_dstack = {[^}]*TP_FULL_DROP")

    def test_the_list_of_all_names_what_a_pool_is_and_what_it_does(self):
        source = self.made("[pools]\n" + row(
            "a", full='"spill"', more=', spill = "b", then = "drop"') + "\n"
            + row("b", more=", patience = 5, spare = true") + "\n"
            'c = { size = 8, count = 4, policy = "mine" }\n')
        for cells in ('"a", &tp_pool_kind, &a_pool, "spill",',
                      '"b", &tp_chunk_kind, &b_chunk, "drop",',
                      '"c", &tp_pool_kind, &c_pool, "mine",'):
            self.assertIn("  {" + cells, source)
        self.assertIn("b_stride, 1, 0u, NULL},", source)
        self.assertIn("  .patience = 5,\n", source)

    def of(self, text, name):
        """The fields of one descriptor."""
        return self.made(text).split(f" {name} = {{\n", 1)[1].split("\n}", 1)[0]

    def test_a_score_below_all_is_refused_only_where_that_is_said(self):
        for refuses in (False, True):
            fields = self.of("[pools]\n" + row(
                full='"steal-least"', more=', score = "s", evict = "f"'
                + ", refuse_below = true" * refuses) + "\n", "a_least")
            self.assertEqual(refuses, ".refuses_below = 1" in fields)

    def test_a_reserve_of_what_has_handles_keeps_the_tags_of_both(self):
        for more, tagged in (("", False), (", handles = 32", True)):
            text = "[pools]\n" + row(more=", reserve = 1" + more) + "\n"
            for name in ("a_spill", "a_calm"):
                self.assertEqual(tagged, ".tagged = 1" in self.of(text, name), name)
            self.assertNotIn(".refuses", self.of(text, "a_pool"))
        self.assertIn(".refuses = 1", self.of("[pools]\n" + row() + "\n", "a_pool"))

    def test_what_a_policy_takes_back_is_foreign(self):
        for takes in (False, True):
            fields = self.of('[pools]\na = { size = 8, count = 4, policy = "mine"'
                             + ", take_back = true" * takes + " }\n", "a_pool")
            self.assertEqual(takes, ".takes_foreign = 1" in fields)

    def test_what_is_retained_is_counted_from_the_slot_which_begins_at_the_link(self):
        for link, offset in ((0, 8), (8, 0)):
            fields = self.of('[pools]\n' + row(
                more=f", link = {link}, retain = [8, 12]") + "\n", "a_retain")
            self.assertRegex(fields, rf"\.offset = {offset}," if offset else
                             r"\.size = 12")
            self.assertEqual(offset == 8, ".offset = 8" in fields)

    def test_notes_of_owners_are_listed_with_those_of_the_reserve(self):
        source = self.made("[pools]\n" + row(more=", owner = true, reserve = 1")
                           + "\n")
        self.assertIn("tp_owned_rows[] = {\n  &a_owned,\n  &a_reserve_owned,\n"
                      "  NULL,\n};", source)

    def test_who_calls_from_the_other_core_is_listed_with_it(self):
        source = self.made("[contexts]\nfar = { core = 1 }\n[pools]\n" + row(
            more=', lock = "cores", allocates = ["far"], frees = ["far"]') + "\n")
        self.assertIn('{"far", TP_CALLER_TASK + 1 * TP_CALLER_CORE, '
                      "TP_CALLS_ALLOC | TP_CALLS_FREE, 0},", source)

    def test_links_outside_have_a_word_a_slot_behind_the_tags(self):
        for more, words in (("", ""), (', link = "outside"', " + 4")):
            source = self.made("[pools]\n" + row(more=', code = "own"' + more) + "\n")
            self.assertIn(f"a_tag[TP_TAGS(4) + 1{words}];", source)


if __name__ == "__main__":
    unittest.main()
