# SPDX-License-Identifier: MIT
"""The TOML subset: the same tree as tomllib, and a place for everything in it."""

import math
import unittest

import helper  # noqa: F401 It knows where the generator is.
from generator.toml import Parser, plain

try:
    import tomllib
except ImportError:
    tomllib = None  # Before Python 3.11. The trees are then compared elsewhere.


def parsed(text):
    parser = Parser(text)
    return parser.parse(), parser.problems


def first_problem(text):
    problem = parsed(text)[1][0]
    line, column, width = problem.place
    return f"{line}:{column}+{width} {problem.text}"


VALUES = """
decimal = [0, 1, -1, +7, 1_000_000, -0, 9223372036854775807, -9223372036854775808]
others = [0x2A, 0xdead_BEEF, 0o17, 0b1010_1]
floats = [0.5, -1.25e3, 1e6, +3.0, 6.02_2E+2_3, -0.0, inf, -inf]
words = [true, false]
strings = ["", "plain", "q\\"q", "\\\\ \\b \\t \\n \\f \\r",
           "\\u00e9 \\U0001F40B", 'C:\\dir', '"', "a # b"]
"""
SHAPES = """# A comment.
a = 1 # Another.
   b   =   2
"quoted key" = 3
'literal key' = 4
"" = 5
1234 = 6
x.y.z = 7
x.y."w.w" = 8
x . v = 9
inline = { a = 1, b.c = 2, b.d = [ { e = 3 } ], "f" = {} }
many = [
  1,  # One.
  [2, 3,], # Two and three.

  "four"
]
empty = []

[ table ]
x = 1
[table.below.deep]
y = 2
[table.below]
z = 3
[ "a b" . c ]
w = 4
[[list]]
n = 1
[list.of]
k = 1
[[list]]
n = 2
[[list.of]]
k = 2
[[list.of]]
k = 3
"""
ODD_ENDS = ["", "\n", "# only", "a=1", "a=1#", "a=1\r\nb=2\r\n", "\t[a]\t\n\tb\t=\t1\t",
            "[a]", "[[a]]"]
REFUSED = [
    "a", "a =", "= 1", "a = 1 2", "a = 1, b = 2", "a b = 1", "[a", "[a]]", "[[a]", "[]",
    "[a.]",
    "[.a]", "[a] b = 1", "a = [1 2]", "a = [1", "a = [,]", "a = {", "a = { b = 1",
    "a = { b = 1,\n}",
    "a = {\nb = 1 }", "a = { b }", "a = { , }", "a = 'x", 'a = "x', 'a = "\n"',
    r'a = "\q"',
    r'a = "\u12"', r'a = "\ud800"', r'a = "\U00110000"', "a = 01", "a = 1_", "a = _1",
    "a = 1__0",
    "a = 0x", "a = 0xg", "a = -0x1", "a = .5", "a = 5.", "a = 1.e5", "a = +-1",
    "a = True",
    "a = drop", "a = 1\na = 2", "a = 1\na.b = 2", "a.b = 1\na = 2", "[a]\n[a]",
    "a = 1\n[a]",
    "a = 1\n[a.b]", "a = 1\n[[a]]", "a = []\n[[a]]", "[a]\n[[a]]", "[[a]]\n[a]",
    "a = {}\n[a.b]",
    "a = {}\na.b = 1", "a = { b.c = 1, b = 2 }", "a = { b = 1, b = 2 }",
    "[a.b]\nc = 1\n[a]\nb.d = 1",
    "a.b = 1\n[a]", "a = 1\rb = 2", "a = \"\0\"", "# \x01", "a = 1\x0b", "é = 1",
    "a = 1\x85",
]


class TheTree(unittest.TestCase):
    def test_numbers_strings_and_words_have_the_values_of_toml(self):
        tree, problems = parsed(VALUES)
        values = plain(tree)
        self.assertEqual(problems, [])
        self.assertEqual(values["decimal"],
                         [0, 1, -1, 7, 1000000, 0, 2 ** 63 - 1, -2 ** 63])
        self.assertEqual(values["others"], [42, 0xdeadbeef, 15, 21])
        self.assertEqual(values["floats"],
                         [.5, -1250., 1e6, 3., 6.022e23, 0., math.inf, -math.inf])
        self.assertEqual(values["words"], [True, False])
        self.assertEqual(values["strings"],
                         ["", "plain", 'q"q', "\\ \b \t \n \f \r", "é 🐋",
                          "C:\\dir", '"', "a # b"])

    def test_a_row_a_block_and_dotted_keys_make_the_same_tree(self):
        row = parsed("[pools]\na = { size = 8, count = 2 }")[0]
        block = parsed("[pools.a]\nsize = 8\ncount = 2")[0]
        dotted = parsed("[pools]\na.size = 8\na.count = 2")[0]
        self.assertEqual(plain(row), {"pools": {"a": {"size": 8, "count": 2}}})
        self.assertEqual(plain(block), plain(row))
        self.assertEqual(plain(dotted), plain(row))

    def test_every_key_and_value_knows_its_line_column_and_width(self):
        tree, _ = parsed("[pools]  # here\n  sparks = { size = 24, full = 'drop' }\n")
        sparks = tree.value["pools"].value["sparks"]
        size, full = sparks.value["size"], sparks.value["full"]
        self.assertEqual(tuple(tree.value["pools"].name), (1, 2, 5))
        self.assertEqual(tuple(sparks.name), (2, 3, 6))
        self.assertEqual(tuple(size.name), (2, 14, 4))
        self.assertEqual(tuple(size.place), (2, 21, 2))
        self.assertEqual(tuple(full.place), (2, 32, 6))

    def test_windows_line_ends_do_not_shift_places(self):
        tree, problems = parsed("a = 1\nb = 2\n")
        self.assertEqual((problems, tuple(tree.value["b"].place)), ([], (2, 5, 1)))


if tomllib:
    class TheSameAsTomllib(unittest.TestCase):
        def test_it_builds_the_tree_that_tomllib_builds(self):
            for text in [VALUES, SHAPES] + ODD_ENDS:
                tree, problems = parsed(text.replace("\r\n", "\n"))
                self.assertEqual((plain(tree), problems), (tomllib.loads(text), []),
                                 text)

        def test_it_refuses_what_tomllib_refuses(self):
            for text in REFUSED:
                with self.assertRaises(tomllib.TOMLDecodeError, msg=text):
                    tomllib.loads(text)


class Mistakes(unittest.TestCase):
    def test_everything_that_is_not_toml_is_refused(self):
        for text in REFUSED:
            self.assertTrue(parsed(text)[1], text)

    def test_a_mistake_is_shown_where_it_is(self):
        self.assertEqual(first_problem('a = "x'), "1:5+2 this string is not closed")
        self.assertEqual(first_problem("\na = [1,\n  2 3]"),
                         '3:5+1 expected "," or "]" in the array')
        self.assertEqual(first_problem("x = 1\nb 2"),
                         '2:3+1 expected "=" after the key "b"')
        self.assertEqual(first_problem(r'a = "x\q"'), r"1:7+2 unknown escape \q")
        self.assertEqual(first_problem("a = {b = 1"),
                         "1:11+1 a { } row must stay on one line")

    def test_one_mistake_does_not_hide_the_next(self):
        _, problems = parsed("a = 'x\nb = 2\nc 3\n[d\ne = \n[f]\ng = 1 1\n")
        self.assertEqual([problem.place.line for problem in problems], [1, 3, 4, 5, 7])

    def test_an_unclosed_array_ends_before_the_next_statement(self):
        tree, problems = parsed('a = [1,\n  2\n[pools]\nb = 3\n')
        self.assertEqual([problem.place.line for problem in problems], [3])
        self.assertEqual(tree.value["pools"].value["b"].value, 3)

    def test_a_broken_array_is_one_mistake(self):
        _, problems = parsed('a = [\n  1 2,\n  3,\n  "x",\n]\nb = 1\nc\n')
        self.assertEqual([problem.place.line for problem in problems], [2, 7])

    def test_a_row_broken_over_lines_is_one_mistake(self):
        _, problems = parsed("a = { b = 1,\n      c = 2,\n      d = 3 }\n"
                             "e = { f = 1 }\n")
        self.assertEqual([problem.text for problem in problems],
                         ["a { } row must stay on one line"])

    def test_what_toml_has_beyond_the_subset_is_named(self):
        self.assertEqual(first_problem('a = """x"""'),
                         "1:5+3 strings of several lines are not used here")
        self.assertEqual(first_problem("a = 1979-05-27"),
                         "1:5+10 dates and times are not used here")
        self.assertEqual(first_problem("a = 07:32:00"),
                         "1:5+8 dates and times are not used here")

    def test_numbers_beyond_64_bits_are_refused(self):
        for number in [str(2 ** 63), str(-2 ** 63 - 1), "0x" + "f" * 17, "9" * 5000]:
            self.assertIn("does not fit in 64 bits", first_problem("a = " + number))

    def test_deep_nesting_is_refused(self):
        for text in ["a = " + "[" * 5000, "a = " + "{a=" * 5000]:
            self.assertIn("nested more than 16 deep", first_problem(text))

    def test_what_lies_side_by_side_is_not_nested(self):
        for one in ("[1]", "{ b = 1 }"):
            self.assertEqual([], parsed("a = [" + f"{one}, " * 40 + "]")[1])

    def test_long_dotted_keys_are_read(self):
        self.assertEqual(parsed(".".join(["a"] * 3000) + " = 1")[1], [])


if __name__ == "__main__":
    unittest.main()
