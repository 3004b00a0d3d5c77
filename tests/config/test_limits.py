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
            self.assertIn(f", {frames}u}},", source)


if __name__ == "__main__":
    unittest.main()
