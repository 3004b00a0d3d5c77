# SPDX-License-Identifier: MIT
"""Every complaint: its words, its place, its hint, and what it keeps quiet."""

import re
import unittest

from helper import GOLDEN, complaints, is_full, read, rewriting, row, table
from generator.check import check
from generator.keys import POOL_KEYS
from generator.model import SECTIONS
from generator.toml import Place, Problem, render
from generator.values import POLICIES

BANKS = "tidepool = 1\n[banks]\n"
MISTAKES = GOLDEN / "mistakes" / "pools.toml"
KNOWN_TABLES = "= known: " + ", ".join(["tidepool"] + list(SECTIONS))


class Complaints(unittest.TestCase):
    maxDiff = None

    def expect(self, text, *expected):
        self.assertEqual(complaints(text), list(expected))

    def expect_row(self, text, *expected):
        """For a row on line 3; its complaints without the line."""
        self.expect(table(text), *[re.sub("^:", "3:", line) for line in expected])

    def expect_pool(self, more, *expected):
        self.expect_row(row(more=", " + more), *expected)


class SayingNothing(Complaints):
    def test_a_right_file_has_no_complaints(self):
        self.expect(table(row()))

    def test_every_key_may_be_written(self):
        self.expect('tidepool = 1\n[build]\nheaders = ["a.h", "<b/c.h>"]\nalign = 16\n'
                    '[banks]\nram = { region = "RAM", budget = 4096 }\n'
                    '[pools]\na = { type = "struct a *", size = 32, count = 3, full = '
                    '"steal-oldest", '
                    'bank = "ram", align = 32, isr = true, evict = "gone", handles = '
                    '64, '
                    'code = "own", lock = "primask" }\n')


class Rendering(Complaints):
    def test_a_complaint_shows_line_caret_and_hint(self):
        text = table('particles = { size = 24, count = 256, bnak = "dtcm", full = '
                     '"drop" }')
        problem = check(read(text))[0]
        self.assertEqual(
            render(problem, "some/pools.toml", text.split("\n")),
            'some/pools.toml:3:39: error: unknown key "bnak" in pool "particles"\n'
            '    3 | particles = { size = 24, count = 256, bnak = "dtcm", full = '
            '"drop" }\n'
            '      |                                       ^~~~\n'
            '      = did you mean "bank"?\n')

    def test_a_sheet_of_mistakes_is_complained_about_line_by_line(self):
        text = MISTAKES.read_text()
        problems = check(read(text))
        shown = "".join(render(p, "pools.toml", text.split("\n")) for p in problems)
        path = MISTAKES.parent / "complaints.txt"
        if rewriting():
            path.write_text(shown)
        self.assertEqual(shown, path.read_text())

    def test_the_caret_stands_below_the_token_behind_tabs(self):
        text = table("\ta\t=\tx")
        problem = check(read(text))[0]
        self.assertIn("      | \t \t \t^\n", render(problem, "p", text.split("\n")))

    def test_the_caret_is_as_wide_as_the_token_and_ends_with_its_line(self):
        for column, width, caret in ((1, 1, "^"), (1, 3, "^~~"), (2, 9, " ^~"),
                                     (3, 9, "  ^"), (4, 1, "   ^"), (4, 9, "   ^"),
                                     (1, 0, "^")):
            problem = Problem("error", Place(2, column, width), "no", ())
            self.assertEqual(f"p:2:{column}: error: no\n    2 | abc\n      | {caret}\n",
                             render(problem, "p", ["", "abc", ""]))

    def test_of_a_line_with_control_characters_the_first_alone_is_told(self):
        self.assertEqual(["1:9: error: control character 0x01",
                          "3:1: error: control character 0x02",
                          "4:9: error: control character 0x7f"],
                         complaints("tidepool\x01=\x011\n[pools]\n\x02" + row()
                                    + "\n[stacks]\x7f\x7f\n"))

    def test_a_terminal_cannot_be_steered_by_the_file(self):
        text = 'a = "\x1b[31m"\n"\\u001b[31m\\u009b" = 1\n'
        for problem in check(read(text)):
            shown = render(problem, "p", text.split("\n"))
            self.assertTrue(all(c.isprintable() or c == "\n" for c in shown), shown)

    def test_complaints_come_in_the_order_of_lines(self):
        text = table(row("a", full='"x"'), row("b", size="0"), row("c", count="0"))
        lines = [int(line.split(":")[0]) for line in complaints(text) if line[0] != "="]
        self.assertEqual(lines, [3, 4, 5])


class Syntax(Complaints):
    def test_a_unit_needs_quotes(self):
        self.expect(table("[banks]", "a = { region = 'A', budget = 48K }",
                          row(more=", bank = 'a'"))
                    .replace("[pools]\n", "").replace("\na = { size",
                                                      "\n[pools]\na = { size"),
                    "3:30: error: a number with a unit needs quotes: 48K",
                    '= write "48K"')
        for word, amount in (("4_096k", "4096K"), ("1MiB", "1M"), ("2mb", "2M")):
            self.expect_row(row(size=word), ":14: error: a number with a unit needs "
                            f"quotes: {word}", f'= write "{amount}"')

    def test_a_string_needs_quotes(self):
        self.expect_row(row(full="drop"), ":36: error: unknown value drop",
                        '= a string needs quotes: "drop"')

    def test_a_row_must_stay_on_one_line(self):
        self.expect_row("a = { size = 24,\n  count = 4 }",
                        ":17: error: a { } row must stay on one line",
                        "= use the [pools.NAME] form")

    def test_a_row_does_not_end_with_a_comma(self):
        self.expect_row("a = { size = 24, }", ':18: error: expected a key after ","',
                        "= a { } row does not end with a comma")

    def test_a_missing_equals_sign_is_said(self):
        self.expect_row("a { size = 24 }", ':3: error: expected "=" after the key "a"')

    def test_a_string_must_be_closed(self):
        self.expect_row(row(full='"drop'), ":36: error: this string is not closed")

    def test_a_repeated_key_names_the_line_of_the_first(self):
        self.expect(table(row(), "", row()), '5:1: error: key "a" is written twice',
                    "= the first is on line 3")

    def test_a_repeated_key_in_a_row_names_the_line_of_the_first(self):
        self.expect_row(row(more=", size = 8"),
                        ':44: error: key "size" is written twice',
                        "= the first is on line 3")

    def test_a_repeated_table_names_the_line_of_the_first(self):
        self.expect(table(row(), "[pools]", row("b")),
                    '4:2: error: table "pools" is written twice',
                    "= the first is on line 2")

    def test_a_repeated_table_is_checked_too(self):
        self.expect(table(row(), "[pools]", row("b", count="-1")),
                    '4:2: error: table "pools" is written twice',
                    "= the first is on line 2",
                    '5:26: error: pool "b": count must be 1 to 32767, not -1',
                    "= to do without a pool, take its row out")

    def test_a_row_and_a_block_of_one_name_are_one_mistake(self):
        self.expect(table(row(), "[pools.a]", "size = 8"),
                    '4:8: error: table "a" is written twice',
                    "= the first is on line 3")

    def test_control_characters_are_named(self):
        self.expect(table(row() + " # \x07\x08"), "3:47: error: control character 0x07")


class Tables(Complaints):
    def test_an_unknown_table_gets_the_closest_known_one_as_a_hint(self):
        self.expect(table(row(), "[bnaks]"), '4:2: error: unknown table "bnaks"',
                    '= did you mean "banks"?')

    def test_an_unknown_table_unlike_any_gets_all_known_ones_as_a_hint(self):
        self.expect(table(row(), "[[levels]]"), '4:3: error: unknown table "levels"',
                    KNOWN_TABLES)

    def test_a_key_outside_of_all_tables_is_unknown(self):
        self.expect("align = 8\n" + table(row()), '1:1: error: unknown key "align"',
                    KNOWN_TABLES)

    def test_the_format_version_is_required(self):
        self.expect("[pools]\n" + row(), '1:1: error: "tidepool" is missing',
                    "= write tidepool = 1 above the first table")

    def test_only_format_version_1_is_read(self):
        for version in ["2", '"1"', "true", "1.0"]:
            self.expect(f"tidepool = {version}\n[pools]\n{row()}",
                        "1:12: error: the format of this file must be tidepool = 1")

    def test_a_file_without_pools_is_refused(self):
        self.expect("tidepool = 1\n", '1:1: error: "pools" is missing',
                    "= one row below [pools] is one pool")
        self.expect("tidepool = 1\n[pools]\n", "2:2: error: there is no pool",
                    "= one row below [pools] is one pool")

    def test_a_file_may_do_without_pools_if_it_has_anything_else(self):
        self.expect('tidepool = 1\n[stacks]\na = { bytes = 8, full = "drop" }\n')

    def test_a_table_must_be_a_table(self):
        self.expect("tidepool = 1\npools = 3",
                    "2:1: error: [pools] must be a table, not a whole number",
                    "= write [pools] above rows of NAME = { ... }")
        self.expect("tidepool = 1\n[[pools]]",
                    "2:3: error: [pools] must be a table, not an array",
                    "= write [pools] above rows of NAME = { ... }")
        self.expect("tidepool = 1\nbuild = 'x'\n[pools]\n" + row(),
                    "2:1: error: [build] must be a table, not a string",
                    "= write [build]")

    def test_a_row_must_be_a_table(self):
        self.expect_row("a = 3", ':1: error: pool "a" must be a table, not a whole '
                                 'number',
                        "= write a = { ... } or [pools.a]")
        self.expect_row("[[pools.a]]", ':9: error: pool "a" must be a table, not an '
                                       'array',
                        "= write a = { ... } or [pools.a]")

    def test_an_unknown_key_gets_the_closest_known_one_as_a_hint(self):
        self.expect_pool("handels = 32",
                         ':44: error: unknown key "handels" in pool "a"',
                         '= did you mean "handles"?')
        self.expect("tidepool = 1\n[build]\nheader = []\n[pools]\n" + row(),
                    '3:1: error: unknown key "header" in [build]',
                    '= did you mean "headers"?')

    def test_an_unknown_key_unlike_any_gets_all_known_ones_as_a_hint(self):
        self.expect_pool("x = 32", ':44: error: unknown key "x" in pool "a"',
                         "= known: " + ", ".join(POOL_KEYS))

    def test_a_missing_key_is_said_with_its_meaning(self):
        self.expect_row("a = { }", ':1: error: pool "a": size is missing',
                        "= the bytes of one slot",
                        ':1: error: pool "a": count is missing',
                        "= how many slots there are",
                        ':1: error: pool "a": full is missing',
                        "= what happens when full is a decision, so it has no default")
        self.expect("tidepool = 1\n[banks.b]\n[pools]\n" + row(more=", bank = 'b'"),
                    '2:8: error: bank "b": region is missing',
                    "= the name that MEMORY has for it in the linker script")


class Names(Complaints):
    def test_a_name_must_be_a_c_identifier(self):
        self.expect_row(row("a-b"), ':1: error: pool "a-b": the name is not a C '
                                    'identifier', "= write a_b")
        self.expect_row(row('"é b"'), ':1: error: pool "é b": the name is not a C '
                                      'identifier', "= write __b")
        self.expect_row(row("8bit"), ':1: error: pool "8bit": the name is not a C '
                                     'identifier')

    def test_a_name_must_not_be_a_keyword_of_c_or_cpp(self):
        for word in ["int", "class", "_Bool", "constexpr"]:
            self.expect_row(row(word), f':1: error: pool "{word}": the name is a '
                                       f'keyword of C or C++')

    def test_names_that_differ_in_case_only_are_refused(self):
        self.expect(table(row("foes"), row("Foes")),
                    '4:1: error: pool "Foes": the name differs from "foes" in case '
                    'only',
                    "= both would be FOES in an enum; the first is on line 3")

    def test_a_bank_may_be_called_like_a_pool(self):
        self.expect(BANKS + 'a = { region = "A" }\n[pools]\n'
                    + row(more=', bank = "a"'))

    def test_names_of_the_library_are_reserved(self):
        for word in ["n", "N", "all", "tp", "tp_pool", "TP_X"]:
            self.expect_row(row(word), f':1: error: pool "{word}": the name is '
                                       f'reserved',
                            "= n, all, tp and what begins with tp_ belong to the "
                            "library")

    def test_the_names_of_banks_obey_the_same_rules(self):
        self.expect(BANKS + "fast-ram = { region = 'A' }\n[pools]\n"
                    + row(more=", bank = 'fast-ram'"),
                    '3:1: error: bank "fast-ram": the name is not a C identifier',
                    "= write fast_ram",
                    '5:51: error: pool "a": bank must be the name of a bank, not '
                    '"fast-ram"')

    def test_an_unknown_bank_gets_the_closest_known_one_as_a_hint(self):
        self.expect(BANKS + "PSRAM = { region = 'A' }\n[pools]\n"
                    + row(more=", bank = 'psarm'")
                    + "\n" + row("b", more=", bank = 'PSRAM'"),
                    '5:51: error: pool "a": unknown bank "psarm"',
                    '= did you mean "PSRAM"?')

    def test_a_bank_in_a_file_without_banks_gets_its_declaration_as_a_hint(self):
        self.expect_pool("bank = 'fast'", ':51: error: pool "a": unknown bank "fast"',
                         '= declare it: [banks] fast = { region = "..." }')

    def test_an_unknown_policy_gets_the_closest_known_one_as_a_hint(self):
        self.expect_row(row(full='"dorp"'),
                        ':36: error: pool "a": full is unknown: "dorp"',
                        '= did you mean "drop"?')
        self.expect_row(row(full='"burn"'),
                        ':36: error: pool "a": full is unknown: "burn"',
                        "= known: " + ", ".join(POLICIES))

    def test_unknown_code_and_unknown_locks_are_refused(self):
        self.expect_pool("code = 'won'", ':51: error: pool "a": code is unknown: "won"',
                         '= did you mean "own"?')
        self.expect_pool("lock = 'mutex'",
                         ':51: error: pool "a": lock is unknown: "mutex"',
                         "= known: primask, none, exclusive, cores, basepri:N")

    def test_a_type_must_be_a_c_type(self):
        for name in ["", "struct x;", "int[4]", "a:b", "a::", "a::b c", "x\\n",
                     "struct  x", "3d", "const int", "static int", "int int", "struct",
                     "struct int", "long char", "app::int", "volatile struct x"]:
            self.expect_pool(f'type = "{name}"',
                             ':51: error: pool "a": type must be a C type such as '
                             f'"struct particle", not "{name}"')
        for name in ["unsigned long int", "long long", "const char *", "void *", "int*",
                     "enum x", "_Atomic int", "struct x const *", "double _Complex"]:
            self.expect_pool(f'type = "{name}"')
        self.expect_pool('type = "void"', ':51: error: pool "a": type must not be void',
                         "= slots without a type have no type key")

    def test_a_region_is_no_word_of_the_linker_script(self):
        for name in ["LENGTH", "ORIGIN", "l", "len", "org", "o", "NOLOAD"]:
            self.expect(BANKS + f'b = {{ region = "{name}" }}\n[pools]\n'
                        + row(more=', bank = "b"'),
                        '3:16: error: bank "b": region must be the name of a region of '
                        f'the linker script, not "{name}"',
                        "= ld reads that as a word of its own")

    def test_evict_must_be_a_c_function(self):
        self.expect_row(row(full='"steal-oldest"', more=', evict = "a()"'),
                        ':60: error: pool "a": evict must be the name of a C function, '
                        'not "a()"')

    def test_a_header_must_be_a_file_name(self):
        for name in ["", 'a\\"b', "a\\nb", "a\\\\b", "<a", "é\\u0007"]:
            shown = complaints(f'tidepool = 1\n[build]\nheaders = ["ok.h", "{name}"]\n'
                               f'[pools]\n{row()}')
            self.assertEqual(len(shown), 1)
            self.assertIn('3:20: error: [build]: headers must be names such as '
                          '"game/types.h", not', shown[0])


class Kinds(Complaints):
    def test_a_value_of_the_wrong_kind_is_one_complaint(self):
        self.expect_pool("isr = 1", ':50: error: pool "a": isr must be true or false, '
                                    'not a whole number')
        self.expect_pool("evict = 1", ':52: error: pool "a": evict must be a string, '
                                      'not a whole number')
        self.expect_pool("bank = []", ':51: error: pool "a": bank must be a string, '
                                      'not an array')
        self.expect_pool("type = {}", ':51: error: pool "a": type must be a string, '
                                      'not a table')
        self.expect_pool("handles = true",
                         ':54: error: pool "a": handles must be a whole number, '
                         "not true or false")
        self.expect_row(row(full="1"), ':36: error: pool "a": full must be a string, '
                                       'not a whole number')
        self.expect_row(row(size="8.0"),
                        ':14: error: pool "a": size must be a whole number, '
                        "not a number with a fraction")
        self.expect('tidepool = 1\n[build]\nheaders = "a.h"\n[pools]\n' + row(),
                    "3:11: error: [build]: headers must be an array, not a string")
        self.expect('tidepool = 1\n[build]\nheaders = ["a.h", 1]\n[pools]\n' + row(),
                    "3:19: error: [build]: headers must be a string, not a whole "
                    "number")

    def test_a_number_in_quotes_is_to_be_written_without(self):
        self.expect_row(row(size='"24"'),
                        ':14: error: pool "a": size must be a whole number, '
                        "not a string", "= write 24 without quotes")
        self.expect_row(row(size='"024"'),  # Which a number may not begin with.
                        ':14: error: pool "a": size must be a whole number, '
                        "not a string", "= write 24 without quotes")

    def test_what_would_be_wrong_without_quotes_too_is_not_to_be(self):
        for kind, more in (("true or false", ', pin = "24"'),
                           ("a whole number", ', min_age = "true"'),
                           ("an array", ', union = "24"')):
            told = complaints(table(row(full='"steal-oldest"', more=more)))
            self.assertEqual([line[line.index("must"):] for line in told
                              if "must" in line],
                             [f"must be {kind}, not a string"])
            self.assertNotIn("quotes", "".join(told))


class Numbers(Complaints):
    def test_a_count_of_0_says_how_to_do_without_the_pool(self):
        self.expect_row(row(count="0"),
                        ':26: error: pool "a": count must be 1 to 32767, not 0',
                        "= to do without a pool, take its row out")

    def test_a_count_is_1_to_32767(self):
        self.expect_row(row(count="32768"),
                        ':26: error: pool "a": count must be 1 to 32767, not 32768')
        self.expect_row(row(count="-4"),
                        ':26: error: pool "a": count must be 1 to 32767, not -4',
                        "= to do without a pool, take its row out")
        for count in ["1", "32767"]:
            self.expect_row(row(count=count))

    def test_a_slot_has_room_for_a_link(self):
        for size in ["0", "3", "-1"]:
            self.expect_row(row(size=size),
                            f':14: error: pool "a": size must be 4 to 65535, not '
                            f'{size}',
                            "= a free slot holds a link of 4 bytes")

    def test_a_slot_is_smaller_than_64_kib(self):
        self.expect_row(row(size="65536"),
                        ':14: error: pool "a": size must be 4 to 65535, not 65536')
        self.expect_row(row(size="65530"),
                        ':14: error: pool "a": size = 65530 at align = 8 makes '
                        "slots of 65536 bytes; 65535 is the most")

    def test_a_slot_is_smaller_than_64_kib_with_its_red_zones(self):
        self.expect_row(row(size="65528"))
        self.expect('build.checks = "full"\n' + table(row(size="65528")),
                    '4:14: error: pool "a": size = 65528 at align = 8 makes slots of '
                    "65536 bytes with red zones; 65535 is the most")
        classes = ("build.checks = 'full'\ntidepool = 1\n[blocks]\n"
                   "a = { classes = [{ size = 65528, count = 2 }], full = 'drop' }\n")
        self.expect(classes, '4:27: error: blocks "a": size = 65528 at align = 8 makes '
                    "slots of 65536 bytes with red zones; 65535 is the most")
        self.expect(classes.replace("full'", "poison'", 1))

    def test_an_alignment_is_a_power_of_two_from_4_to_64(self):
        for align in ["0", "2", "24", "128", "-8"]:
            self.expect_pool(f"align = {align}",
                             f':52: error: pool "a": align must be a power of two '
                             f"from 4 to 64, not {align}", "= one of 4, 8, 16, 32, 64")

    def test_the_default_alignment_obeys_the_same_rule(self):
        self.expect("tidepool = 1\n[build]\nalign = 6\n[pools]\n" + row(size="9"),
                    "3:9: error: [build]: align must be a power of two from 4 to 64, "
                    "not 6",
                    "= one of 4, 8, 16, 32, 64")

    def test_wasted_bytes_are_counted(self):
        self.expect_row(row(size="20"),
                        ':14: warning: pool "a": size = 20 is not a multiple of '
                        "align = 8: 4 bytes lost per slot, 16 in all",
                        "= size = 24 costs the same",
                        "= align = 4 loses none")
        self.expect_row(row(size="21"),
                        ':14: warning: pool "a": size = 21 is not a multiple of '
                        "align = 8: 3 bytes lost per slot, 12 in all",
                        "= size = 24 costs the same")

    def test_handles_have_0_32_or_64_bits(self):
        self.expect_pool("handles = 16",
                         ':54: error: pool "a": handles must be 0, 32 or 64, not 16',
                         "= the bits of one handle; 0 means that there are none")

    def test_a_budget_is_an_amount(self):
        for budget in ['"4Q"', '"48k"', '"48 K"', '""', '"0"', '"-1"', '"5000M"',
                       '"1.5K"']:
            self.expect(BANKS + f"b = {{ region = 'B', budget = {budget} }}\n[pools]\n"
                        + row(more=", bank = 'b'"),
                        '3:30: error: bank "b": budget must be an amount such as '
                        '"48K", "1M" or 49152, '
                        f"not {budget}")
        for budget in ['"48K"', '"1M"', '"4096"', "4096", "0x1000"]:
            self.expect(BANKS + f"b = {{ region = 'B', budget = {budget} }}\n[pools]\n"
                        + row(more=", bank = 'b'"))

    def test_a_budget_of_0_is_refused(self):
        self.expect(BANKS + "b = { region = 'B', budget = 0 }\n[pools]\n"
                    + row(more=", bank = 'b'"),
                    '3:30: error: bank "b": budget must be 1 to 4294967295, not 0')


class Memory(Complaints):
    def test_a_bank_over_budget_names_its_largest_users(self):
        banks = BANKS + "b = { region = 'B', budget = '1K' }\n[pools]\n"
        rows = [row(name, size, count, more=", bank = 'b'") for name, size, count in
                [("w", "8", "2"), ("x", "24", "10"), ("y", "64", "16"),
                 ("z", "96", "2")]]
        self.expect(banks + "\n".join(rows),
                    '3:30: error: bank "b": 1472 bytes wanted, 1024 allowed: '
                    "448 too many", "= largest: y 1024 (line 7), x 240 (line 6), z 192 "
                                    "(line 8)")

    def test_a_budget_counts_the_padding_between_pools(self):
        rows = [row("a", "4", "1", more=", align = 4, bank = 'b'"),
                row("b", "64", "1", more=", align = 64, bank = 'b'")]
        for budget in (127, 128):
            found = complaints(BANKS + f"b = {{ region = 'B', budget = {budget} }}\n"
                                       f"[pools]\n" + "\n".join(rows))
            self.assertEqual(bool(found), budget == 127)

    def test_pools_outside_of_a_bank_do_not_count(self):
        self.expect(BANKS + "b = { region = 'B', budget = 96 }\n[pools]\n"
                    + row(more=", bank = 'b'")
                    + "\n" + row("c"))

    def test_two_banks_on_one_region_are_pointed_out(self):
        self.expect(BANKS + "b = { region = 'B' }\nc = { region = 'B' }\n[pools]\n"
                    + row("x", more=", bank = 'b'") + "\n" + row("y",
                                                                 more=", bank = 'c'"),
                    '4:16: warning: bank "c": bank "b" on line 3 has the same region B',
                    "= each budget is checked, their sum is not")

    def test_dma_must_reach_the_bank(self):
        self.expect(BANKS + "b = { region = 'B', dma = false }\n[pools]\n"
                    + row(more=", bank = 'b', dma = true"),
                    '5:51: error: pool "a": DMA does not reach bank "b"',
                    "= it says dma = false on line 3")
        self.expect(BANKS + "b = { region = 'B', dma = false }\n[pools]\n"
                    + row(more=", bank = 'b'"))

    def test_slots_for_dma_have_cache_lines_of_their_own(self):
        banks = BANKS + "b = { region = 'B', cache_line = 32 }\n[pools]\n"
        self.expect(banks + row(size="32", more=", bank = 'b', dma = true, align = 8"),
                    '5:76: error: pool "a": slots aligned to 8 '
                    "share cache lines of 32 bytes, and DMA writes behind the cache",
                    "= align = 32, or leave it out")
        self.expect(banks + row(size="32", more=", bank = 'b', dma = true"))
        self.expect(banks + row(size="32", more=", bank = 'b', dma = true, align = 64"),
                    '5:14: warning: pool "a": size = 32 is not a multiple of align = '
                    '64: 32 bytes lost per slot, 128 in '
                    "all", "= size = 64 costs the same", "= align = 32 loses none")

    def test_where_no_cache_line_is_known_no_slot_shares_one(self):
        for build, bank in [("[build]\ncache_line = 48\n", ""),
                            ("", ", cache_line = 48"), ("", ", cache_lime = 64")]:
            found = complaints(f"tidepool = 1\n{build}[banks]\nb = {{ region = 'B'"
                               + bank + " }\n[pools]\n" + row(
                                   size="32",
                                   more=", bank = 'b', dma = true, align = 8"))
            self.assertEqual(1, sum(line[0] != "=" for line in found), found)

    def test_an_unused_bank_is_pointed_out(self):
        self.expect(BANKS + "b = { region = 'B' }\n[pools]\n" + row(),
                    '3:1: warning: bank "b": nothing lies in it')


class Policies(Complaints):
    STEAL = '"steal-oldest"'

    def test_raw_pointers_and_theft_do_not_mix(self):
        self.expect_row(row(full=self.STEAL),
                        ':36: error: pool "a": raw pointers and theft do not mix',
                        '= evict = "FUNCTION" lets the owner forget the victim',
                        "= handles = 32 lets the owner notice")

    def test_either_evict_or_handles_will_do(self):
        self.expect_row(row(full=self.STEAL, more=', evict = "gone"'))
        self.expect_row(row(full=self.STEAL, more=", handles = 32"))

    def test_theft_in_interrupts_needs_handles(self):
        for more in [", isr = true", ', isr = true, evict = "gone"']:
            self.expect_row(row(full=self.STEAL, more=more),
                            ':36: error: pool "a": a pool that steals '
                            "in interrupts needs handles",
                            "= an interrupt may steal what is just being "
                            "freed; add handles = 32")
        self.expect_row(row(full=self.STEAL, more=", isr = true, handles = 32"))

    def test_only_thieves_evict(self):
        self.expect_pool('evict = "gone"',
                         ':52: error: pool "a": full = "drop" never evicts',
                         "= evict belongs to steal-oldest, steal-least")

    def test_an_assert_in_an_interrupt_is_pointed_out(self):
        self.expect_row(row(full='"assert"', more=", isr = true"),
                        ':36: warning: pool "a": when it is '
                        "full, an interrupt stops the firmware",
                        '= full = "drop" leaves the answer to the interrupt')

    def test_interrupts_need_a_lock(self):
        self.expect_pool('lock = "none", isr = true',
                         ':51: error: pool "a": a pool used from interrupts '
                         "needs a lock", '= write lock = "primask"')

    def test_a_basepri_that_masks_nothing_is_refused(self):
        for number in ["0", "2", "256", "0xfff"]:
            known = f'must be basepri:3 to basepri:255, not "basepri:{number}"'
            hint = "= the byte as BASEPRI holds it: the priority in its high bits"
            if number == "0xfff":
                known = f'is unknown: "basepri:{number}"'
                hint = '= did you mean "basepri:N"?'
            self.expect_pool(f'code = "own", lock = "basepri:{number}"',
                             f':65: error: pool "a": lock {known}', hint)

    def test_locks_beside_primask_want_code_of_their_own(self):
        for lock in ["basepri:0x40", "exclusive"]:
            self.expect_pool(f'lock = "{lock}"',
                             ':51: error: pool "a": the code that all pools share '
                             "masks by PRIMASK", '= add code = "own", or lock ='
                             ' "primask" where that has no meaning')

    def test_an_exclusive_pool_keeps_neither_ages_nor_handles(self):
        self.expect_pool('code = "own", lock = "exclusive", handles = 64',
                         ':65: error: pool "a": LDREX and '
                         "STREX change one word at a time; a pool with handles changes "
                         "more",
                         '= write lock = "primask"')
        self.expect_row(row(full='"steal-oldest"',
                            more=', code = "own", lock = "exclusive", evict = "f"'),
                        ':73: error: pool "a": LDREX and STREX change one word at a '
                        'time; a pool with ages '
                        "changes more", '= write lock = "primask"')

    def test_a_lock_that_the_core_has_not_is_refused_with_the_reason(self):
        refused = {"cortex-m0": ["basepri:64", "exclusive"],
                   "cortex-m0plus": ["basepri:64", "exclusive"],
                   "cortex-m23": ["basepri:64"], "cortex-m3": []}
        for cpu, locks in refused.items():
            for lock in ["basepri:64", "exclusive"]:
                text = table(row(more=f', code = "own", lock = "{lock}"'),
                             f'[build]\ncpu = "{cpu}"')
                reason = ("has no LDREX and STREX" if lock == "exclusive"
                          else "has no BASEPRI")
                found = any(f"{cpu} {reason}" in line for line in complaints(text))
                self.assertEqual(found, lock in locks, (cpu, lock))

    def test_a_generation_that_wraps_within_a_day_is_refused(self):
        self.expect_row(row(count="512", more=", handles = 32"),
                        ':56: error: pool "a": a generation of '
                        "22 bits wraps after 19.4 hours of 60 reuses a second of one "
                        "slot",
                        "= handles = 64 lasts 414 days",
                        "= generation_wrap = true accepts it")

    def test_a_generation_that_lasts_longer_is_accepted(self):
        self.expect_row(row(count="511", more=", handles = 32"))
        self.expect_row(row(count="32767", more=", handles = 64"))

    def test_generation_wrap_accepts_a_short_generation(self):
        self.expect_row(row(count="32767",
                            more=", handles = 32, generation_wrap = true"))

    def test_generation_wrap_without_need_is_pointed_out(self):
        for more in ["", ", handles = 32", ", handles = 64"]:
            shown = complaints(table(row(more=more + ", generation_wrap = true")))
            self.assertEqual(len(shown), 2)
            self.assertIn('warning: pool "a": no generation wraps in under 24 hours '
                          'here', shown[0])

    def test_one_function_cannot_evict_two_types(self):
        self.expect(table(row("a", full=self.STEAL,
                              more=', evict = "gone", type = "struct a"'),
                          row("b", full=self.STEAL,
                              more=', evict = "gone", type = "struct b"'),
                          row("c", full=self.STEAL,
                              more=', evict = "gone", type = "struct a"')),
                    '4:60: error: pool "b": gone would take a struct b here, a struct '
                    'a on line 3',
                    "= one function for each type")


class KeepingQuiet(Complaints):
    """What follows from a complaint is not a complaint of its own."""

    def test_a_misspelled_key_is_not_also_missing(self):
        self.expect_row('a = { size = 24, cuont = 4, full = "drop" }',
                        ':18: error: unknown key "cuont" in pool "a"',
                        '= did you mean "count"?')

    def test_nor_is_what_may_stand_in_its_place(self):
        for text, at, word, key in [
                ('size = 24, count = 4, polciy = "p"', 29, "polciy", "policy"),
                ('tyep = "x", count = 4, full = "drop"', 7, "tyep", "type"),
                ('uniom = ["x"], count = 4, full = "drop"', 7, "uniom", "union")]:
            self.expect_row(f"a = {{ {text} }}",
                            f':{at}: error: unknown key "{word}" in pool "a"',
                            f'= did you mean "{key}"?')

    def test_a_misspelled_evict_is_not_also_a_theft(self):
        self.expect_row(row(full='"steal-oldest"', more=', evcit = "gone"'),
                        ':52: error: unknown key "evcit" in pool "a"',
                        '= did you mean "evict"?')

    def test_a_bank_is_not_unused_while_a_pool_may_mean_it(self):
        self.expect(BANKS + "b = { region = 'B' }\n[pools]\n"
                    + row(more=", bnak = 'b'"),
                    '5:44: error: unknown key "bnak" in pool "a"',
                    '= did you mean "bank"?')

    def test_a_bank_is_not_unknown_while_its_table_is_misspelled(self):
        self.expect("tidepool = 1\n[bank]\nb = { region = 'B' }\n[pools]\n"
                    + row(more=", bank = 'b'"),
                    '2:2: error: unknown table "bank"', '= did you mean "banks"?')

    def test_a_bank_is_not_unknown_while_a_header_is_broken(self):
        self.expect("tidepool = 1\n[banks\nb = { region = 'B' }\n[pools]\n"
                    + row(more=", bank = 'b'"),
                    '2:7: error: expected "]" after the table name')

    def test_a_bank_is_not_unknown_while_its_row_is_broken(self):
        self.expect(BANKS + "b = { region = B }\n[pools]\n" + row(more=", bank = 'b'"),
                    "3:16: error: unknown value B", '= a string needs quotes: "B"')

    def test_pools_are_not_missing_while_their_table_is_misspelled(self):
        self.expect("tidepool = 1\n[pool]\n" + row(),
                    '2:2: error: unknown table "pool"',
                    '= did you mean "pools"?')

    def test_a_broken_row_lacks_nothing(self):
        self.expect_row("a = { size = }", ":14: error: expected a value")

    def test_a_wrong_policy_breaks_no_rule(self):
        self.expect_row(row(full='"steal-odlest"', more=", isr = true"),
                        ':36: error: pool "a": full is unknown: "steal-odlest"',
                        '= did you mean "steal-oldest"?')

    def test_a_wrong_count_takes_no_memory(self):
        self.expect(BANKS + "b = { region = 'B', budget = 96 }\n[pools]\n"
                    + row(count="40000", more=", bank = 'b'"),
                    '5:26: error: pool "a": count must be 1 to 32767, not 40000')

    def test_a_wrong_size_takes_no_memory_in_a_reserve_either(self):
        self.expect(BANKS + "b = { region = 'B', budget = 96 }\n[pools]\n"
                    + row(size="2", more=", bank = 'b', reserve = 1"),
                    '5:14: error: pool "a": size must be 4 to 65535, not 2',
                    "= a free slot holds a link of 4 bytes")

    def test_a_mistake_in_any_key_of_a_right_table_is_one_complaint(self):
        """A value of no key's kind, or a letter written twice."""
        for path in sorted({*GOLDEN.glob("*/pools.toml")} - {MISTAKES}):
            text, seen = path.read_text(), set()
            for one in sum(read(text).tables.values(), []):
                for key, node in one.node.value.items():
                    if is_full() or (one.section, key) not in seen:
                        seen.add((one.section, key))
                        self.one_complaint(text, key, node)

    def one_complaint(self, text, key, node):
        for place, word in [(node.name, key + key[-1]), (node.place, "1.5")]:
            before, at = text.split("\n"), place.column - 1
            line = before[place.line - 1]
            before[place.line - 1] = line[:at] + word + line[at + place.width:]
            if word != "1.5" or not isinstance(node.value, (dict, list)):
                found = complaints("\n".join(before))
                self.assertEqual(1, sum(": error: " in one for one in found),
                                 [before[place.line - 1], *found])

    def test_independent_mistakes_of_one_row_are_all_complained_about(self):
        self.expect_row('int = { size = 2, count = 0, full = "x", isr = 1, lock = "y" '
                        '}',
                        ':1: error: pool "int": the name is a keyword of C or C++',
                        ':16: error: pool "int": size must be 4 to 65535, not 2',
                        "= a free slot holds a link of 4 bytes",
                        ':27: error: pool "int": count must be 1 to 32767, not 0',
                        "= to do without a pool, take its row out",
                        ':37: error: pool "int": full is unknown: "x"',
                        "= known: " + ", ".join(POLICIES),
                        ':48: error: pool "int": isr must be true or false, not a '
                        'whole number',
                        ':58: error: pool "int": lock is unknown: "y"',
                        "= known: primask, none, exclusive, cores, basepri:N")


if __name__ == "__main__":
    unittest.main()
