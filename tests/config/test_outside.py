# SPDX-License-Identifier: MIT
"""link = "outside": what is made of it, what is refused, what it costs."""

import unittest

from helper import changed_by_shared_code, complaints, files, read, row, table

OUT = ', code = "own", link = "outside"'
# A row of each kind that it goes with.
ROWS = [
    row("a", more=OUT),
    row("b", full='"assert"', more=OUT),
    row("c", full='"steal-oldest"', more=OUT + ', evict = "f", pin = true'),
    row("d", more=OUT + ", handles = 32"),
    row("e", full='"steal-oldest"', more=OUT + ", handles = 64, min_age = 9"),
    row("g", more=OUT + ', lock = "exclusive"'),
    row("h", more=OUT + ', lock = "none"'),
    row("i", more=OUT + ', lock = "basepri:64"'),
    row("j", more=OUT + ", harden = true"),
]


class Outside(unittest.TestCase):
    def refused(self, sentence, *lines):
        said = complaints(table(*lines))
        self.assertRegex(said[0], r"^\d+:\d+: error: pool \"\w+\": " + sentence)
        self.assertIn("= that is done by code that looks for links in objects", said)

    def test_what_it_goes_with_has_no_complaint(self):
        self.assertEqual([], complaints(table(*ROWS)))

    def test_at_off_it_is_as_good(self):
        self.assertEqual([], complaints('build.checks = "off"\n' + table(ROWS[0])))
        self.assertNotIn("#error", files(table(ROWS[0]))["tp_pools.c"])

    def test_its_calls_and_its_descriptor_name_what_knows_it(self):
        made = files(table(ROWS[0], ROWS[2], ROWS[-1]))["tp_pools.c"]
        for line in ("#define TP_HARDENED 1\n", "  .hardened = TP_OUTSIDE,\n",
                     "  .hardened = TP_CODED | TP_OUTSIDE,\n", "TP_HARDENED_CALLS;\n",
                     "  .general = &tp_hardened_general,\n", "TP_GATE(+a_stride, 0)",
                     "a_pool.lock, tp_hardened_extend, NULL, NULL, NULL);",
                     "a_pool.lock, tp_hardened_foreign, object, NULL);",
                     "  .policy = &tp_hardened_oldest,\n"):
            self.assertIn(line, made)

    def test_a_row_beside_it_is_printed_as_if_it_was_not_there(self):
        plain = row("plain", more=', code = "own"')
        begin, end = "enum {\n  plain_stride", "tp_core_free(&plain_pool"
        cut = [text[text.index(begin):text.index(end)]
               for text in (files(table(plain))["tp_pools.c"],
                            files(table(plain, ROWS[0]))["tp_pools.c"])]
        self.assertEqual(*cut)

    def test_it_costs_4_bytes_a_slot_and_none_of_flash(self):
        config = read(table(row("a", more=OUT), row("b", more=', code = "own"')))
        out, plain = config.pools
        for level in ("off", "fast", "poison", "full"):
            self.assertEqual(plain.metadata_bytes(level) + 4 * plain.count,
                             out.metadata_bytes(level))
            self.assertEqual(plain.arena_bytes(level), out.arena_bytes(level))
        self.assertEqual(plain.flash_bytes, out.flash_bytes)

    def test_shared_code_is_refused(self):
        said = complaints(table(row("a", more=', link = "outside"')))
        self.assertIn('error: pool "a": the code that all pools share looks for links '
                      'in objects', said[0])
        self.assertEqual(['= add code = "own"'], said[1:])

    def test_what_shared_code_changes_too_is_refused(self):
        for what, rows in changed_by_shared_code(OUT):
            with self.subTest(what):
                self.refused(f"does not go with {what}", *rows)
        self.refused('does not go with lock = "cores"',
                     row("a", more=OUT + ', lock = "cores"'))
        for more in (", owner = true", ", dma = true", ", wait = true",
                     ', low_water = 1, on_low = "f"'):
            self.assertNotEqual([], complaints(table(row("a", more=OUT + more))))

    def test_a_word_that_says_no_place_is_refused(self):
        for word in ("inside", "Outside", ""):
            said = complaints(table(row("a", more=f', code = "own", link = "{word}"')))
            self.assertIn(f'link is unknown: "{word}"', said[0])
            self.assertEqual(['= bytes, or "outside"'], said[1:])


if __name__ == "__main__":
    unittest.main()
