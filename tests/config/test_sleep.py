# SPDX-License-Identifier: MIT
"""Banks that sleep: what is made of one, and what cannot lie there."""

import unittest

from helper import complaints, files, row

HEAD = 'tidepool = 1\n[banks]\nb = { region = "B", sleeps = true }\n'
IN = ', bank = "b"'
CAN = "= pools, stacks, frames, blocks and dense pools can"


class Sleep(unittest.TestCase):
    maxDiff = None

    def refused(self, rows, *expected, bank=HEAD):
        """Rows from line 4 on; the places of complaints are those of keys."""
        found = complaints(bank + rows + "\n")
        self.assertEqual([line.split(" ", 1)[1] if line[0].isdigit() else line
                          for line in found], list(expected))

    def test_what_may_sleep_is_accepted(self):
        self.refused("[pools]\n" + row("a", more=IN) + "\n[stacks]\n"
                     f'c = {{ bytes = 8, full = "drop"{IN} }}\n[frames]\n'
                     f'd = {{ bytes = 8, full = "drop"{IN} }}\n[dense]\n'
                     f'e = {{ size = 8, count = 3, full = "drop"{IN} }}\n[blocks]\n'
                     f'f = {{ classes = [ {{ size = 8, count = 2 }} ], full = "drop"'
                     f"{IN} }}")

    def test_what_knows_its_memory_for_good_is_refused(self):
        for section, what, keys in [
                ("relocating", "relocating pool", 'bytes = 64, handles = 2, '
                                                  'full = "drop"'),
                ("nests", "nest", "bytes = 64")]:
            self.refused(f"[{section}]\na = {{ {keys}{IN} }}",
                         f'error: {what} "a": bank "b" sleeps, which a {what} cannot',
                         CAN)

    def test_what_scenes_cut_is_refused(self):
        self.refused("[pools]\n" + row("a", more=IN) + "\n[scenes]\nday = { a = 2 }",
                     'error: pool "a": bank "b" sleeps, and scenes cut it',
                     "= a scene that gives nothing to what lies there does the same: "
                     "take sleeps out")

    def test_what_scenes_name_and_never_cut_is_refused_asleep_too(self):
        self.refused("[pools]\n" + row("a", more=IN) + "\n[scenes]\nday = { a = 0 }",
                     'error: scene "day": a has nothing in any scene',
                     "= give it some in one, or take it out of all")

    def test_a_pool_that_sleeps_is_plain(self):
        for more, key in [("reserve = 1", "reserve"), ("low_water = 1", "low_water")]:
            self.refused("[pools]\n" + row("a", more=f"{IN}, {more}"),
                         f'error: pool "a": its bank "b" sleeps, which {key} does not '
                         "allow", "= all slots of such a pool lie side by side")

    def test_what_is_retained_is_kept_awake(self):
        self.refused("[pools]\n" + row("a", more=f"{IN}, deinit = \"f\", "
                                       "retain = [8, 4]"),
                     'error: pool "a": its bank "b" sleeps, and what is retained would '
                     "not be there any more", "= take it out, or another bank")
        self.refused("[pools]\n" + row("a", more=IN),
                     'error: bank "b": it is retained, and would be neither',
                     "= what is retained outlives a reset, not a loss of power",
                     'error: pool "a": bank "b" is retained, which a bank that sleeps '
                     "is not",
                     "= the metadata that lies elsewhere is cleared by a reset",
                     bank=HEAD.replace("true", "true, retained = true"))

    def test_nobody_forces_it_so_release_has_no_meaning(self):
        self.refused("[pools]\n" + row("a", more=f'{IN}, release = "f"'),
                     'error: pool "a": release has no meaning here',
                     "= it belongs to pools that scenes cut")

    def test_a_count_is_a_number(self):
        self.refused('[pools]\na = { size = 8, count = "2 * N", full = "drop"'
                     f"{IN} }}",
                     'error: pool "a": its bank "b" sleeps, so its count must be a '
                     "number")

    def test_its_calls_have_the_name_of_the_bank_so_no_row_has(self):
        self.refused("[pools]\n" + row("b", more=IN),
                     'error: bank "b": the name "b" is that of a pool',
                     "= the first is on line 5")

    def test_the_bank_has_what_all_rows_take_and_its_calls(self):
        made = files(HEAD + "[pools]\n" + row("a", more=IN) + "\n")
        for call in ("uint32_t b_sleep(struct tp_scene_holder *holders)",
                     "void b_wake(void)", "bool b_is_awake(void)"):
            self.assertIn(call, made["tp_pools.h"])
        self.assertIn("static const uint32_t a_amounts[] = {0, 4};", made["tp_pools.c"])
        self.assertIn("a_amounts, a_peaks, NULL, NULL, &a_scene_seal},",
                      made["tp_pools.c"])

    def test_asleep_it_has_no_block_of_any_class(self):
        made = files(HEAD + "[blocks]\nm = { classes = [{ size = 8, count = 2 }, "
                     f'{{ size = 24, count = 3 }}], full = "drop"{IN} }}\n')
        for amounts in ("m_8_amounts[] = {0, 2};", "m_24_amounts[] = {0, 3};"):
            self.assertIn(amounts, made["tp_pools.c"])

    def test_what_its_rows_answer_asleep_is_said(self):
        said = files(HEAD + "[pools]\n" + row("a", more=IN) + "\n" +
                     row("o", more=IN).replace("count = 4", "count = 1") + "\n[dense]\n"
                     f'e = {{ size = 8, count = 3, full = "assert"{IN} }}\n[stacks]\n'
                     f's = {{ bytes = 8, full = "drop"{IN} }}\n'
                     )["tp_pools.h"].replace("\n// ", " ")
        for line in ("When all 4 are live, or its bank sleeps: NULL.\n",
                     "When its one slot is live, or its bank sleeps: NULL.\n",
                     "When all 3 live, or its bank sleeps: a fault, FULL.\n",
                     "Of more than it has in all, unless that is nothing: a fault, "
                     "LARGE.\n"):
            self.assertIn(line, said)

    def test_a_bank_that_nothing_lies_in_makes_no_calls(self):
        made = files(HEAD + "[pools]\n" + row("a") + "\n")
        self.assertNotIn("b_sleep", made["tp_pools.h"])

    def test_a_library_has_calls_of_its_own(self):
        made = files(HEAD.replace("[banks]", '[build]\nname = "net"\n[banks]')
                     + "[pools]\n" + row("a", more=IN) + "\n")
        self.assertIn("void net_b_wake(void)", made["net_pools.h"])


if __name__ == "__main__":
    unittest.main()
