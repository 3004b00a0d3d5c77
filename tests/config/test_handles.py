# SPDX-License-Identifier: MIT
"""A handle of one row is of no other: the compilers say so, and it costs nothing."""

import re
import unittest

from helper import ROOT, InFolder, files

POOLS = """tidepool = 1
[pools]
cats   = { size = 8, count = 9, full = "drop", handles = 32 }
dogs   = { size = 8, count = 9, full = "drop", handles = 32 }
whales = { size = 8, count = 9, full = "steal-oldest", handles = 64 }
seals  = { size = 8, count = 9, full = "drop", handles = 64 }
terns  = { size = 8, count = 9, full = "drop" }
[pools.gulls]
size = 8
count = 9
full = "spill"
spill = "terns"
then = "drop"
handles = 32
[dense]
bees = { size = 8, count = 9, full = "drop", on_move = "bee_moved" }
[relocating]
worms = { bytes = 256, handles = 9, full = "drop", on_move = "worm_moved" }
"""
COMPILERS = {"gcc": "-std=c11", "clang-19": "-std=c11", "g++": "-std=c++17",
             "clang++-19": "-std=c++17"}
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Wshadow", "-Werror"]
# What works on handles, by the calls of tp_pools.h; and by those of the library.
TYPED = """
bool end_cat(cats_handle_t cat);
bool end_cat(cats_handle_t cat) { return cats_free_handle(cat); }
void *get_cat(const cats_handle_t *cat);
void *get_cat(const cats_handle_t *cat) { return cats_get(*cat); }
void *get_gull(gulls_handle_t gull);
void *get_gull(gulls_handle_t gull) { return gulls_get(gull); }
bool end_gull(gulls_handle_t gull);
bool end_gull(gulls_handle_t gull) { return gulls_free_handle(gull); }
void *pin_whale(whales_handle_t whale);
void *pin_whale(whales_handle_t whale) { return whales_pin_handle(whale); }
void new_cats(cats_handle_t *one, cats_handle_t *other);
void new_cats(cats_handle_t *one, cats_handle_t *other)
{
  *one = cats_handle(cats_alloc_handle(other));
}
void new_seals(seals_handle_t *one, seals_handle_t *other);
void new_seals(seals_handle_t *one, seals_handle_t *other)
{
  *one = seals_handle(seals_alloc_handle(other));
}
int all_bees(void);
int all_bees(void)
{
  int count = 0;
  bees_handle_t bee;
  for (void *at = bees_first(&bee); at; at = bees_next(&bee)) count++;
  return bees_free(bees_handle(0)) ? count : 0;
}
void *first_worm(worms_handle_t *worm);
void *first_worm(worms_handle_t *worm)
{
  *worm = worms_alloc(8);
  return worms_lock(*worm);
}
"""
COMPARING = """
int two_cats(cats_handle_t one, cats_handle_t other);
int two_cats(cats_handle_t one, cats_handle_t other)
{
  return cats_same(one, other) || cats_get(other) == cats_get(CATS_NO_HANDLE);
}
int two_seals(seals_handle_t one, seals_handle_t other);
int two_seals(seals_handle_t one, seals_handle_t other)
{
  return seals_same(one, other);
}
"""
RAW = [(r"\b(whales|seals)_handle_t\b", "tp_handle64_t"),
       (r"\b\w+_handle_t\b", "tp_handle_t"),
       (r"CATS_NO_HANDLE", "TP_NO_HANDLE"),
       (r"\bseals_same\(", "same_numbers64("), (r"\b\w+_same\(", "same_numbers("),
       (r"\b(whales|seals)_(alloc|free|get|pin)_?(?:handle)?\(",
        r"tp_handle64_\2(&\1_pool, "),
       (r"\b(whales|seals)_handle\(", r"tp_handle64_of(&\1_pool, "),
       (r"\bgulls_(get|free)_?(?:handle)?\(", r"tp_lent_\1(&gulls_pool, "),
       (r"\bcats_(alloc|free|get)_?(?:handle)?\(", r"tp_handle_\1(&cats_pool, "),
       (r"\bcats_handle\(", "tp_handle_of(&cats_pool, "),
       (r"\bbees_(\w+)\(", r"tp_dense_\1(&bees_dense, "),
       (r"\bworms_(\w+)\(", r"tp_reloc_\1(&worms_reloc, ")]


SAME = """
static inline TP_CALL bool same_numbers(tp_handle_t one, tp_handle_t other)
{ return one == other; }
static inline TP_CALL bool same_numbers64(tp_handle64_t one, tp_handle64_t other)
{ return one == other; }
"""


def raw(text):
    """The same without the types of tp_pools.h."""
    for pattern, replacement in RAW:
        text = re.sub(pattern, replacement, text)
    return SAME + text


def words(listing):
    """What its instructions are called."""
    return re.findall(r"^ +[0-9a-f]+:\t[0-9a-f ]+\t(\S+)", listing, re.M)


class Handles(InFolder):
    def setUp(self):
        super().setUp()
        for name, content in files(POOLS).items():
            self.write(name, content)

    def compile(self, compiler, text, *more, flags=WARNINGS):
        name = "use.cpp" if "++" in compiler else "use.c"
        self.write(name, '#include "tp_pools.h"\n' + text)
        arm = "arm" in compiler or "--target=arm-none-eabi" in more
        return self.run_tool(compiler, COMPILERS.get(compiler, "-std=c11"), *flags,
                             *more, "-I", ".", "-I", ROOT / "lib", "-I",
                             ROOT / "port" / ("cortex_m" if arm else "host"), "-c",
                             name, "-o", "use.o").stdout

    def each(self, body):
        for compiler in COMPILERS:
            yield compiler, self.compile(compiler, f"void use(void);\n"
                                                   f"void use(void) {{ {body} }}\n")

    def test_the_handle_of_one_row_does_not_compile_where_anothers_is_wanted(self):
        for body in ["dogs_handle_t dog = {0}; cats_get(dog);",
                     "seals_handle_t seal = {0}; whales_get(seal);",
                     "bees_handle_t bee = {0}; cats_free_handle(bee);",
                     "gulls_handle_t gull = {0}; cats_get(gull);",
                     "cats_handle_t cat = {0}; gulls_get(cat);",
                     "cats_handle_t cat = {0}; bees_get(cat);",
                     "worms_handle_t worm = {0}; bees_free(worm);",
                     "bees_handle_t bee = {0}; worms_lock(bee);",
                     "cats_handle_t cat = {0}; dogs_handle_t dog = {0}; "
                     "cats_same(cat, dog);",
                     "dogs_handle_t dog; cats_alloc_handle(&dog);",
                     "cats_get(17);", "tp_handle_t bits = 17; cats_get(bits);"]:
            for compiler, said in self.each(body):
                self.assertRegex(said, "error: ", (compiler, body))

    def test_what_is_right_compiles_without_a_warning(self):
        for compiler in COMPILERS:
            self.assertEqual("", self.compile(compiler, TYPED + COMPARING))

    def test_none_is_zero_or_a_constant_and_a_number_is_stored_as_one(self):
        for compiler, said in self.each(
                "cats_handle_t none = {0}; if (cats_same(none, CATS_NO_HANDLE)) "
                "none = CATS_NO_HANDLE; tp_handle_t number = none.bits; "
                "cats_handle_t again = {number}; cats_get(again);"):
            self.assertEqual("", said, compiler)

    def test_they_cost_no_instruction(self):
        """But which side of a comparison stands first is the compiler's whim."""
        for compiler, *core in [("arm-none-eabi-gcc", "-mcpu=cortex-m3"),
                                ("arm-none-eabi-gcc", "-mcpu=cortex-m0"),
                                ("clang-19", "--target=arm-none-eabi",
                                 "-mcpu=cortex-m3", "-ffreestanding")]:
            for optimised in ("-O2", "-Os"):
                flags = [compiler, *core, "-mthumb", optimised]
                with self.subTest(flags=flags):
                    self.assertEqual(self.code(raw(TYPED), *flags),
                                     self.code(TYPED, *flags))
                    self.assertEqual(words(self.code(raw(COMPARING), *flags)),
                                     words(self.code(COMPARING, *flags)))

    def code(self, text, compiler, *flags):
        said = self.compile(compiler, text, *flags, flags=())
        self.assertEqual("", said)
        listing = self.run_tool("arm-none-eabi-objdump", "-dr", "use.o").stdout
        self.assertGreater(len(words(listing)), 8)
        return listing

    def test_who_is_told_of_a_move_gets_a_handle_of_its_row(self):
        text = ("void bee_moved(void *to, const void *from, bees_handle_t bee)\n"
                "{ (void)to; (void)from; bees_get(bee); }\n"
                "void worm_moved(void *to, const void *from, worms_handle_t worm)\n"
                "{ (void)to; (void)from; worms_unlock(worm); }\n")
        for compiler in COMPILERS:
            self.assertEqual("", self.compile(compiler, text))
        self.assertRegex(self.compile("gcc", text.replace("bees_handle_t", "int")),
                         "conflicting types")

    def test_a_struct_of_the_application_may_hold_one(self):
        text = POOLS.replace("[pools]", 'build.headers = ["app.h"]\n[pools]', 1)
        text = text.replace("cats   = { size = 8", 'cats = { type = "struct cat"')
        self.write("app.h", "struct cat { dogs_handle_t enemy; };\n")
        for name, content in files(text).items():
            self.write(name, content)
        for compiler, said in self.each("struct cat *cat = cats_alloc(); "
                                        "if (cat) dogs_get(cat->enemy);"):
            self.assertEqual("", said, compiler)


if __name__ == "__main__":
    unittest.main()
