# SPDX-License-Identifier: MIT
"""The mutator changes what it should, and nothing else."""

import unittest

import listed
import mutator

TEXT = """\
#define NO(x) ((x) + 1)
static int f(int *a, int b)
{
  // if (a == b) comes not from here, nor "1 + 1".
  const char *text = "a == b";
  if (b >= 10 && !a) return 1;
  go(a, b);
  *a += 2;
  return a ? b : -1;
}
"""


class Mutator(unittest.TestCase):
    def names(self, text=TEXT):
        return [one.name for one in mutator.mutants("f.c", text)]

    def test_operators_constants_conditions_arguments_and_statements_change(self):
        for name in (">= -> >", ">= -> <", "&& -> ||", "! -> ", "10 -> 9",
                     "10 -> 11", "+= -> -=", "a, b -> b, a", "go(a, b); -> ;",
                     "*a += 2; -> ;", "b >= 10 && !a -> 0", "b >= 10 && !a -> 1"):
            self.assertIn(f"f: {name}", self.names())

    def test_what_makes_a_condition_one_thing_always_decides_it_and_nothing_else(self):
        decide = [one.name for one in mutator.mutants("f.c", TEXT)
                  if mutator.decides(one)]
        self.assertEqual(["f: b >= 10 && !a -> 0", "f: b >= 10 && !a -> 1"], decide)

    def test_comments_strings_signs_and_pointers_stay(self):
        begins = {one.begin for one in mutator.mutants("f.c", TEXT)}
        self.assertGreater(min(begins), TEXT.index("if (b"))
        self.assertNotIn("f: - -> +", self.names())
        self.assertNotIn("f: * -> +", self.names())

    def test_a_level_is_off_by_one(self):
        text = "int f(void)\n{\n  if (TP_CHECKS < TP_CHECKS_FAST) return 1;\n}\n"
        self.assertIn("f: TP_CHECKS_FAST -> TP_CHECKS_OFF", self.names(text))
        self.assertIn("f: TP_CHECKS_FAST -> TP_CHECKS_POISON", self.names(text))

    def test_an_attribute_is_no_function(self):
        text = "__attribute__((weak)) void f(int a)\n{\n  go(a);\n}\n"
        self.assertEqual(["f: go(a); -> ;"], self.names(text))

    def test_a_mutant_is_one_change_and_its_name_its_own(self):
        found = mutator.mutants("f.c", TEXT)
        self.assertEqual(len(found), len({one.name for one in found}))
        for one in found:
            changed = mutator.applied(TEXT, one)
            end = len(TEXT) - one.begin - len(one.text)
            self.assertEqual(changed[:one.begin], TEXT[:one.begin])
            self.assertEqual(changed[len(changed) - end:], TEXT[len(TEXT) - end:])
            self.assertNotEqual(changed, TEXT)

    def test_each_survivor_that_is_listed_is_a_mutant_of_the_library(self):
        known = {listed.key(one) for file in {file for file, _ in listed.listed()}
                 for one in listed.of(file)}
        self.assertEqual(sorted(set(listed.listed()) - known), [])


if __name__ == "__main__":
    unittest.main()
