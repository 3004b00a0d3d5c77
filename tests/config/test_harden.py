# SPDX-License-Identifier: MIT
"""harden = true: what is made of it, what is refused, what it costs."""

import re
import unittest

from helper import changed_by_shared_code, complaints, files, read, row, table

OWN = ', code = "own"'
HARD = OWN + ", harden = true"
WRAPS = HARD + ", generation_wrap = true"
# A row of each kind that it goes with, by its name.
ROWS = [
    row("a", more=HARD),
    row("b", full='"assert"', more=HARD),
    row("c", full='"steal-oldest"', more=HARD + ', evict = "f", pin = true'),
    row("d", more=WRAPS + ", handles = 32"),
    row("e", more=WRAPS + ", handles = 64"),
    row("f", full='"steal-oldest"', more=WRAPS + ", handles = 64, min_age = 9"),
    row("g", more=HARD + ', lock = "exclusive"'),
    row("h", more=HARD + ', lock = "none"'),
    row("i", more=HARD + ', lock = "basepri:64"'),
    row("j", more=HARD + ", link = 8"),
]


class Harden(unittest.TestCase):
    maxDiff = None

    def refused(self, sentence, *lines, hint=None, build=""):
        said = complaints(build + table(*lines))
        self.assertRegex(said[0], r"^\d+:\d+: error: pool \"\w+\": " + sentence)
        if hint:
            self.assertIn(hint, said)

    def test_what_it_goes_with_has_no_complaint(self):
        self.assertEqual([], complaints(table(*ROWS)))

    def test_a_policy_of_the_application_s_may_answer(self):
        line = row("a", more=HARD + ', policy = "mine"').replace(
            'full = "drop", ', "")
        self.assertEqual([], complaints(table(line)))
        self.assertIn(".policy = &mine,", files(table(line))["tp_pools.c"])

    def test_without_it_nothing_is_generated_of_it(self):
        plain = [line.replace(", harden = true", "").replace(
            ", generation_wrap = true", "") for line in ROWS]
        text = "".join(files(table(*plain)).values())
        self.assertNotRegex(text, "(?i)harden")
        denied = [line.replace('code = "own"', 'code = "own", harden = false')
                  for line in plain]
        made = files(table(*plain))
        for name, text in files(table(*denied)).items():
            self.assertEqual(re.sub("HASH 0x.*", "", text),
                             re.sub("HASH 0x.*", "", made[name]))

    def test_a_row_without_it_is_printed_as_if_no_other_had_it(self):
        lines = [row("plain", more=OWN), row("a", more=HARD)]
        alone = files(table(lines[0]))["tp_pools.c"]
        made = files(table(*lines))["tp_pools.c"]
        begin, end = "enum {\n  plain_stride", "tp_core_free(&plain_pool"
        cut = [text[text.index(begin):text.index(end)] for text in (alone, made)]
        self.assertEqual(*cut)

    def test_its_calls_and_its_descriptor_name_what_knows_it(self):
        made = files(table(ROWS[0], ROWS[2]))["tp_pools.c"]
        for line in ("#define TP_HARDENED 1\n", "  .hardened = TP_CODED,\n",
                     "  .general = &tp_hardened_general,\n", "TP_GATE(+a_stride, 0)",
                     "a_pool.lock, tp_hardened_extend, NULL, NULL, NULL);",
                     "a_pool.lock, tp_hardened_foreign, object, NULL);",
                     "  .policy = &tp_hardened_oldest,\n"):
            self.assertIn(line, made)
        self.assertLess(made.index("#define TP_HARDENED 1"), made.index("#include"))

    def test_the_executable_s_table_alone_brings_what_any_row_calls(self):
        self.assertIn("\nTP_HARDENED_CALLS;\n", files(table(ROWS[0]))["tp_pools.c"])
        named = 'build.name = "radio"\n' + table(ROWS[0])
        made = "".join(files(named).values())
        self.assertIn(".hardened = TP_CODED,", made)
        self.assertNotIn("TP_HARDENED_CALLS", made)

    def test_it_costs_no_byte(self):
        config = read(table(row("a", more=HARD), row("b", more=OWN)))
        hard, plain = config.pools
        self.assertEqual(plain.metadata_bytes(), hard.metadata_bytes())
        self.assertEqual(plain.flash_bytes, hard.flash_bytes)

    def test_shared_code_is_refused(self):
        self.assertEqual(
            ['3:53: error: pool "a": the code that all pools share takes tags for '
             'counts', '= add code = "own"'],
            complaints(table(row("a", more=", harden = true"))))

    def test_what_shared_code_changes_too_is_refused(self):
        for what, rows in changed_by_shared_code(HARD):
            with self.subTest(what):
                self.refused(f"does not go with {what}", *rows)

    def test_what_scenes_cut_is_refused(self):
        text = table(row("a", more=HARD)) + "[scenes]\nday = { a = 4 }\n"
        self.assertIn("does not go with what scenes cut", complaints(text)[0])

    def test_what_its_own_code_does_not_go_with_is_refused_as_of_any(self):
        for more in (", owner = true", ", dma = true", ", wait = true",
                     ', low_water = 1, on_low = "f"'):
            self.assertNotEqual([], complaints(table(row("a", more=HARD + more))))

    def test_a_table_for_off_is_refused(self):
        said = complaints('build.checks = "off"\n' + table(row("a", more=HARD)))
        self.assertIn("at off nothing is checked, and nothing hardened", said[0])
        self.assertIn('= [build] says checks = "off" on line 1', said)
        said = complaints('build.checks = "fast"\n' + table(row("a", more=HARD)))
        self.assertEqual([], said)

    def test_at_off_the_compiler_says_so(self):
        made = files(table(ROWS[0]))["tp_pools.c"]
        self.assertRegex(made, r"#if TP_CHECKS < TP_CHECKS_FAST\n#error \"[\w.]+:3: a: "
                               r"at off nothing is checked, and nothing hardened\"")

    def test_its_handles_wrap_within_the_hour_and_say_so(self):
        for handles in ("32", "64"):
            more = f", handles = {handles}"
            said = complaints(table(row("a", more=HARD + more)))
            self.assertIn("a generation of 15 bits wraps after 0.2 hours of 60 reuses",
                          said[0])
            self.assertEqual(["= generation_wrap = true accepts it"], said[1:])
            header = files(table(row("a", more=WRAPS + more)))["tp_pools.h"]
            self.assertIn("Handles: 15 bits of generation wrap after 0.2 hours",
                          header.replace("\n// ", " "))

    def test_handles_of_as_many_slots_as_c_knows_wrap_too(self):
        line = row("a", count='"2 * PORTS"', more=HARD + ", handles = 32")
        self.refused("its generations wrap after 32767 lives of a slot", line,
                     hint="= generation_wrap = true accepts it")
        self.assertEqual([], complaints(table(
            line.replace("handles", "generation_wrap = true, handles"))))


if __name__ == "__main__":
    unittest.main()
