# SPDX-License-Identifier: MIT
"""port/mpu: what the MPU refuses, by core; what it lets be; and that without it
nothing of that is noticed."""

import re
import sys
import unittest

from guarded import DECODER, GUARDED, NO_MPU, PMSA_V7, PMSA_V8, Image, levels

GUARD = Image("guard")
KEPT = Image("guard", "events8", TIDEPOOL_EVENTS="8")

# What the record names, a pool and its slot or a row; where the access is; and what
# was refused.
READ_OR_WRITE, EXECUTE = "read or write", "execute"
REFUSED = {"overrun": ("sparks, slot 7", "first_fence", READ_OR_WRITE),
           "read_behind": ("voices, slot 5", "second_fence+28", READ_OR_WRITE),
           "execute": ("voices, slot 1", "voices_storage", EXECUTE),
           "write_flash": ("flash", "rows", READ_OR_WRITE),
           "locked": ("sparks, slot 7", "first_fence", READ_OR_WRITE),
           "on_psp": ("sparks, slot 7", "first_fence", READ_OR_WRITE)}
NULL = {"write_null": 0, "read_null": 12}


class Guard(unittest.TestCase):
    def assert_refused(self, board, case, of, address, what):
        """At that address, by the line of main.c that says so."""
        code, lines = GUARD.said(board, case)
        self.assertEqual((1, "on"), (code, lines[0]), lines)
        told = GUARD.decoded(board, lines)
        self.assertIn(f"fault: guard of {of}, in frame 0\n", told)
        found = re.search(r"at 0x(\w+)(?:, (\d+) bytes on)?: refused to (.*)", told)
        self.assertEqual((address, what), (int(found[1], 16) + int(found[2] or 0),
                                           found[3]), told)
        self.assertIn(f"by {case}() at {GUARD.line_of(case)}", told)

    def test_a_refused_access_is_a_fault_at_its_own_instruction(self):
        for board in GUARDED:
            for case, (of, place, what) in REFUSED.items():
                with self.subTest(board=board, case=case):
                    self.assert_refused(board, case, of,
                                        GUARD.address_of(board, place), what)

    def test_a_refused_access_is_the_last_of_the_events(self):
        _, lines = KEPT.said("mps2_an385", "overrun")
        told = KEPT.asked("mps2_an385", lines, sys.executable, DECODER, "history")
        self.assertRegex(told.splitlines()[-1],
                         r"^frame 0: fault guard, by overrun\(\) at ")

    def test_null_is_not_read_or_written_where_flash_lies_elsewhere(self):
        for board in PMSA_V8:
            for case, address in NULL.items():
                with self.subTest(board=board, case=case):
                    self.assert_refused(board, case, "NULL", address, READ_OR_WRITE)

    def test_null_is_read_and_not_written_where_the_vectors_lie_there(self):
        for board in PMSA_V7:
            with self.subTest(board=board):
                self.assert_refused(board, "write_null", "flash", 0, READ_OR_WRITE)
                self.assertEqual((0, ["on", "it goes on"]),
                                 GUARD.said(board, "read_null"))

    def test_without_the_call_nothing_of_it_faults(self):
        for board in GUARDED:
            for case in (*REFUSED, *NULL):
                with self.subTest(board=board, case=case):
                    self.assertEqual((0, ["it goes on"]),
                                     GUARD.said(board, case, "bare"))

    def test_all_calls_and_all_bytes_of_all_objects_are_let_be(self):
        for board in GUARDED:
            for level in levels(board, "fast", "full"):
                with self.subTest(board=board, level=level):
                    self.assertEqual((0, ["on", "all is sound", "it goes on"]),
                                     GUARD.said(board, "legal", level=level))

    def test_two_rows_of_data_may_meet_where_the_mpu_cannot_tell_them_apart(self):
        for board in GUARDED:
            with self.subTest(board=board):
                code, lines = GUARD.said(board, "adjacent")
                self.assertEqual((1, ["on", "all is sound"]), (code, lines[:2]))
                self.assertIn(f"by adjacent() at {GUARD.line_of('adjacent')}",
                              GUARD.decoded(board, lines))

    def test_what_is_no_fault_of_the_mpu_goes_on_in_the_other_handler(self):
        for board in GUARDED:
            self.assertEqual((3, ["on", "another fault"]), GUARD.said(board, "other"))

    def test_it_refuses_without_an_mpu_and_changes_nothing_where_it_refuses(self):
        self.assertEqual((0, ["absent", "it goes on"]), GUARD.said(NO_MPU, "overrun"))
        for board in GUARDED:
            with self.subTest(board=board):
                self.assertEqual(
                    (0, ["few", "empty", "off", "on", "taken", "it goes on"]),
                    GUARD.said(board, "refusals"))

    def test_a_debugger_sees_through_the_exception_who_did_it(self):
        for board in GUARDED:
            with self.subTest(board=board):
                told = GUARD.backtrace(board, GUARD.said(board, "overrun")[1])
                self.assertRegex(told, r"(?s)tp_mpu_raise .*<signal handler called>"
                                       r".* overrun \(\).* main \(\)")


if __name__ == "__main__":
    unittest.main()
