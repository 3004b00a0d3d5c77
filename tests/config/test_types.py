# SPDX-License-Identifier: MIT
"""Sizes and counts that are left to C: what the compilers make of them, and say."""

import re
import struct
import unittest

from firmware import CLANG, Firmware
from helper import GENERATOR, ROOT, InFolder, complaints, files, read, row, table
from generator.measure import memory_table
from generator.values import is_formula

HEADER = """#include <stdint.h>
#define PORTS 6u
enum { MAX_CONNS = 5 };
struct conn { struct conn *next; uint32_t bytes[5]; };
struct huge { char bytes[70000]; };
struct tiny { char byte; };
"""
BUILD = 'build.headers = ["app.h"]\n'
COMPILERS = {"gcc": ["-std=c11"], "arm-none-eabi-gcc": ["-std=c11", "-mcpu=cortex-m3"],
             "clang-19": ["-std=c11"], "g++": ["-std=c++17"],
             "clang++-19": ["-std=c++17"]}
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
BUDGET = """tidepool = 1
build.headers = ["stdint.h"]
[banks]
psram = { region = "PSRAM", budget = 96 }
[pools]
sparks = { type = "uint64_t", count = "4 * sizeof(int)", bank = "psram", full = "drop" }
"""
MAIN = """
void reset(void);
void reset(void) { for (;;) sparks_free(sparks_alloc()); }
"""


def of_c(name="a", count="4", full='"drop"', more=""):
    """A row whose size is that of its type."""
    return (f'{name} = {{ type = "struct conn", count = {count}, full = {full}'
            f"{more} }}")


def rule(more, count='"PORTS"', full='"drop"'):
    return of_c(count=count, full=full, more=", " + more)


class ByCompilers(InFolder):
    def setUp(self):
        super().setUp()
        self.write("app.h", HEADER)
        self.write("use.cpp", '#include "tp_pools.h"\n')

    def compile(self, compiler, *rows, level="fast"):
        """What it says of tp_pools.c, or in C++ of tp_pools.h."""
        for name, content in files(BUILD + table(*rows)).items():
            self.write(name, content)
        return self.compile_file(compiler, "use.cpp" if "++" in compiler else
                                 "tp_pools.c", level)

    def compile_file(self, compiler, source, level):
        port = "cortex_m" if "arm" in compiler else "host"
        return self.run_tool(compiler, *COMPILERS[compiler], *WARNINGS,
                             f"-DTP_CHECKS=TP_CHECKS_{level.upper()}", "-I", ".", "-I",
                             ROOT / "lib", "-I", ROOT / "port" / port, "-c", source,
                             "-o", "x.o").stdout

    def sizes(self):
        listing = self.run_tool("nm", "-S", "x.o").stdout
        return {name: int(size, 16) for size, name in
                re.findall(r"^\w+ (\w+) . (?:_ZL\d+)?(\w+)$", listing, re.M)}


class LeftToC(ByCompilers):
    def test_a_row_of_a_type_has_its_size_on_the_host_and_on_the_board(self):
        for compiler, size in [("gcc", 32), ("arm-none-eabi-gcc", 24)]:
            self.assertEqual("", self.compile(compiler, of_c()))
            self.assertEqual(4 * size, self.sizes()["a_storage"])

    def test_a_union_has_the_size_of_its_largest_type(self):
        text = 'a = { union = ["int", "struct conn", "char *"], count = 3, ' \
               'full = "drop" }'
        for compiler in COMPILERS:
            self.assertEqual("", self.compile(compiler, text))
        self.compile("arm-none-eabi-gcc", text)
        self.assertEqual(3 * 24, self.sizes()["a_storage"])

    def test_a_count_may_be_a_constant_or_an_expression_of_a_header(self):
        for text, count in [("MAX_CONNS", 5), ("2 * PORTS", 12),
                            ("(PORTS + 2) / 3", 2), ("1 << MAX_CONNS", 32),
                            ("sizeof(struct tiny) + 1", 2)]:
            self.assertEqual("", self.compile("gcc", of_c(count=f'"{text}"')))
            self.assertEqual(count * 32, self.sizes()["a_storage"])

    def test_a_size_may_be_an_expression_of_a_header(self):
        self.assertEqual("", self.compile("gcc", row(size='"8 * PORTS"')))
        self.assertEqual(4 * 48, self.sizes()["a_storage"])

    def test_a_size_of_a_type_may_be_an_expression_for_each_compiler(self):
        for compiler in COMPILERS:
            self.assertEqual("", self.compile(compiler,
                                              of_c(more=', size = "8 * PORTS"')))

    def test_numbers_may_have_a_unit(self):
        self.assertEqual("", self.compile("gcc", row(size='"1K"', count='"1K"')))
        self.assertEqual(1 << 20, self.sizes()["a_storage"])

    def test_what_is_more_than_arithmetic_is_refused(self):
        for text in ["f(3)", "a = 3", "1; x", "x++", "sizeof(x)[1]", "a.b", "'a'",
                     "3 4", "(1", "1)", "()", "", "1 +", "* 2",
                     "a ? b : c", "if", "1, 2",
                     "sizeof()", "sizeof(1)", '\\"', "1.5", "08x", "2 /* */",
                     "--4", "4--4", "1++2", "4ulu", "4lul", "4lL", "08+1"]:
            self.assertFalse(is_formula(text), text)
            self.assertIn("count must be", complaints(table(row(count=f'"{text}"')))[0])

    def test_what_is_arithmetic_is_taken(self):
        for text in ["N", "2*N", "-1 + N", "(N)", "((A + B)) % 7u", "0x10 >> 1",
                     "sizeof(struct a *)", "sizeof (int) * 2", " N ", "A - -B",
                     "A+-B", "017 + 0", "4ull + 4LLu - 0xfUL"]:
            self.assertTrue(is_formula(text), text)

    def test_each_compiler_names_the_row_whose_count_is_none(self):
        for text in ["PORTS - 6", "8192 * PORTS", "-3"]:
            for compiler in COMPILERS:
                said = self.compile(compiler, of_c(count=f'"{text}"'))
                self.assertIn(f"pools.toml:4: a: count = {text} must be 1 to 32767",
                              said)

    def test_each_compiler_names_the_row_whose_type_does_not_fit_a_slot(self):
        for name in ["huge", "tiny"]:
            text = of_c().replace("conn", name)
            for compiler in COMPILERS:
                self.assertIn(f"pools.toml:4: a: sizeof(struct {name}) must be 4 to "
                              "65535, or size = 4 be written",
                              self.compile(compiler, text))

    def test_each_compiler_shows_the_row_that_names_what_no_header_has(self):
        for compiler in COMPILERS:
            for text in [of_c().replace("conn", "con"), of_c(count='"PORT"')]:
                self.assertRegex(self.compile(compiler, text),
                                 r"A_(SIZE|COUNT) = .*,  // pools.toml:4: a\n")

    def test_a_rule_about_a_number_of_c_is_asserted_in_c(self):
        for text, sentence in [
                (rule("reserve = 6"), "reserve = 6 must be less than count"),
                (rule('low_water = 3, refill = 9, on_low = "f"'),
                 "low_water = 3 must be below refill = 9, and that at most count"),
                (rule("retain = [24, 16]"), "16 bytes at 24 end behind the object"),
                (rule("handles = 32", '"100 * PORTS"'),
                 "more than 511 handles wrap within a day"),
                (rule("align = 64").replace("conn", "most"),
                 "its slots take more than 65535 bytes each, with what the level of "
                 "checks adds")]:
            self.write("app.h", HEADER + "struct most { char bytes[65500]; };\n")
            for compiler in ("gcc", "clang-19"):
                self.assertIn(f"pools.toml:4: a: {sentence}",
                              self.compile(compiler, text))
        for text in [row(size="65528"), "[blocks]\na = { classes = [{ size = 65528, "
                     "count = 2 }], full = 'drop' }"]:
            said = self.compile("gcc", *text.split("\n"), level="full")
            self.assertRegex(said, "pools.toml:[45]: a: its slots take more than 65535")
        said = self.compile("gcc", rule('spill = "b", then = "drop", untyped = true',
                                        full='"spill"'), row("b", size="8"))
        self.assertIn("pools.toml:4: a: its slots do not fit into those of b", said)
        chunked = rule('chunks = ["b"], then = "drop"', full='"spill"')
        said = self.compile("gcc", chunked, of_c("b", more=", size = 8"))
        self.assertIn("pools.toml:4: a: its slots do not fit into those of b", said)
        self.assertEqual("", self.compile("gcc", chunked, of_c("b")))

    def test_generations_that_are_accepted_are_not_asserted(self):
        self.assertEqual("", self.compile("gcc", rule(
            "handles = 32, generation_wrap = true", '"100 * PORTS"')))
        self.assertEqual("", self.compile("gcc", rule("handles = 64",
                                                      '"100 * PORTS"')))

    def test_a_constant_is_not_called_as_the_header_calls_it(self):
        self.assertEqual(['3:37: error: pool "a": A_COUNT is what tp_pools.h calls it',
                          "= name the application's constant otherwise"],
                         complaints(table(of_c(count='"2 + A_COUNT"'))))
        self.assertIn('pool "a": A_SIZE is what tp_pools.h calls it',
                      complaints(table(row(size='"A_SIZE + 1"')))[0])

    def test_scenes_cut_pools_of_a_typed_count(self):
        text = table(of_c(count='"PORTS"'), "[scenes]", "day = { a = 3 }")
        self.assertIn('3:37: error: pool "a": scenes cut it, so its count must be a '
                      "number", complaints(text))

    def test_scenes_and_a_bank_that_sleeps_give_a_row_of_a_type_what_it_says(self):
        for more, head, tail in [
                ("", "", ["[scenes]", "day = { a = 3 }", "night = { b = 2 }"]),
                (', bank = "r"', 'banks.r = { region = "R", sleeps = true }\n', [])]:
            text = BUILD + head + table(of_c(more=more), row("b", more=more), *tail)
            self.write("tp_pools.c", files(text)["tp_pools.c"])
            given = "0, 4" if head else "3, 4"
            self.assertIn(f"a_amounts[] = {{{given}}};", files(text)["tp_pools.c"])
            self.assertIn("A_COUNT = 4,", files(text)["tp_pools.h"])

    def test_a_row_of_a_type_that_a_scene_leaves_out_is_told_of(self):
        found = complaints(table(of_c(), row("b"), "[scenes]", "night = { b = 2 }",
                                 "day = { a = 3, b = 2 }"))
        self.assertIn('6:1: warning: scene "night": pool "a" is missing', found)

    def test_a_row_needs_a_size_or_a_type(self):
        self.assertEqual(['3:1: error: pool "a": size is missing',
                          "= the bytes of one slot"],
                         complaints(table('a = { count = 3, full = "drop" }')))
        self.assertEqual([], complaints(table(of_c())))

    def test_memory_that_outlived_a_reset_is_not_that_of_another_count(self):
        text = ('tidepool = 1\nbanks.keep = { region = "R", retained = true }\n'
                "[pools]\n" + of_c(count='"PORTS"', more=', bank = "keep"') + "\n")
        self.assertRegex(files(text)["tp_pools.c"],
                         r"\.config = TP_CONFIG_HASH \^ \w+u \* A_SIZE \^ \w+u \* "
                         r"A_COUNT,")


OPAQUE = 'a = { type = "struct door", opaque = true, size = 24, count = 3, %s }'


class Opaque(ByCompilers):
    def test_a_type_that_no_header_defines_has_typed_calls(self):
        for compiler in COMPILERS:
            self.assertEqual("", self.compile(compiler, OPAQUE % 'full = "drop"'))
        self.assertIn("\nstruct door;\n",
                      (self.folder / "tp_pools.h").read_text())
        self.assertIn("struct door *a_alloc(void)",
                      (self.folder / "tp_pools.h").read_text())

    def test_who_defines_it_may_see_the_calls(self):
        self.write("app.h", HEADER + "struct door { long wood[40]; };\n")
        for compiler in COMPILERS:
            self.assertEqual("", self.compile(compiler, OPAQUE % 'full = "drop"'))

    def test_its_hooks_are_typed(self):
        more = 'full = "steal-oldest", deinit = "door_shut", handles = 32'
        for compiler in COMPILERS:
            self.assertEqual("", self.compile(compiler, OPAQUE % more))

    def test_its_size_is_written(self):
        text = (OPAQUE % 'full = "drop"').replace("size = 24, ", "")
        self.assertEqual(['3:1: error: pool "a": size is missing',
                          "= no compiler sees how large an opaque struct door is"],
                         complaints(table(text)))

    def test_what_has_no_type_is_not_opaque(self):
        self.assertEqual(['3:53: error: pool "a": opaque has no meaning here',
                          "= it belongs to rows of a type"],
                         complaints(table(row(more=", opaque = true"))))


CLASS = ('a = { type = "app::Bird", count = "app::BIRDS", full = "steal-oldest", '
         "handles = 32 }")
BIRD = """
namespace app {
enum { BIRDS = 3 };
struct Bird { Bird(int wings); Bird(const Bird &); ~Bird(); int wings[2]; };
}
typedef app::Bird Flock;
"""


class Classes(ByCompilers):
    """What a firmware does with them is in tests/consumers/test_cpp.py."""

    def of_cpp(self, row, compiler="g++", source="tp_pools.c"):
        """What a compiler of C++ says of tp_pools.c."""
        self.write("app.hpp", BIRD)
        text = 'build.cpp_headers = ["app.hpp"]\n' + table(row)
        for name, content in files(text).items():
            self.write(name, content)
        return self.run_tool(compiler, "-x", "c++", "-std=c++20", "-Wall", "-Wextra",
                             "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror", "-I",
                             ".", "-I", ROOT / "lib", "-I", ROOT / "port/host", "-c",
                             source, "-o", "x.o").stdout

    def test_a_class_may_have_no_size_and_a_constant_of_its_namespace(self):
        for compiler in ("g++", "clang++-19"):
            self.assertEqual("", self.of_cpp(CLASS, compiler))
            self.assertEqual(3 * 8, self.sizes()["a_storage"])

    def test_a_class_larger_than_its_size_is_named_with_its_line(self):
        said = self.of_cpp(CLASS.replace("app::Bird", "::Flock").replace(
            "count", "size = 4, count"))
        self.assertIn("a: size = 4 is less than sizeof(::Flock)", said)

    def test_a_file_of_c_may_include_the_header(self):
        self.of_cpp(CLASS)
        self.write("use.c", '#include "tp_pools.h"\n'
                   "const struct tp_pool *birds(void) { return &a_pool; }\n")
        self.assertEqual("", self.run_tool(
            "gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", ".", "-I",
            ROOT / "lib", "-I", ROOT / "port" / "host", "-c", "use.c").stdout)

    def test_a_class_has_no_raw_alloc_or_free(self):
        self.of_cpp(CLASS)
        text = (self.folder / "tp_pools.h").read_text()
        self.assertEqual({"create", "create_handle", "destroy", "destroy_handle",
                          "handle", "get", "same", "pin_handle", "unpin_handle",
                          "is_live", "update", "walk", "clear", "audit"},
                         set(re.findall(r"TP_CALL .*\ba_(\w+)\(", text)))

    def test_who_audits_a_class_is_told_that_its_last_stores_may_be_left_out(self):
        for more, told in [(', in_use = "f"', True), ("", False)]:
            self.of_cpp(CLASS.replace(" }", f"{more} }}"))
            text = (self.folder / "tp_pools.h").read_text()
            self.assertEqual(told, "-fno-lifetime-dse" in text, more)

    def test_what_goes_past_constructor_and_destructor_is_refused(self):
        for more, key in [(', init = "f"', "init"), (', deinit = "f"', "deinit"),
                          (", retain = [0, 4]", "retain"), (", reserve = 1", "reserve"),
                          (', code = "own"', 'code = "own"'),
                          (", low_water = 1", "low_water")]:
            text = f'a = {{ type = "app::Bird", count = 3, full = "drop"{more} }}'
            self.assertIn(f'"a": {key} has no meaning for a class',
                          "".join(complaints(table(text))))
        text = ('a = { type = "app::Bird", count = 3, full = "spill", spill = "b", '
                'then = "drop", untyped = true }\nb = { size = 8, count = 3, '
                'full = "drop" }')
        self.assertIn('"a": full = "spill" has no meaning for a class',
                      "".join(complaints(table(text))))

    def test_a_dense_pool_of_a_class_that_has_a_destructor_is_refused(self):
        said = self.of_cpp('[dense]\na = { type = "app::Bird", count = 3, '
                           'full = "drop" }')
        self.assertIn("pools.toml:5: a: a dense pool moves a app::Bird by its bytes",
                      said)


class Figures(Firmware):
    def test_the_table_says_which_figures_are_c_s(self):
        lines = memory_table(read(BUDGET), "fast").split("\n")
        self.assertRegex(lines[1], r"sparks +by C +by C +by C +by C +\d+ psram +drop")
        self.assertRegex(lines[4], r"psram +PSRAM +by C +96 +by C")
        self.assertEqual("by C: `tidepool.py map fw.elf` shows it as the firmware has "
                         "it", lines[-2])

    def test_the_map_says_them_from_the_image(self):
        self.link_with(BUDGET.replace("96", "128"), MAIN)
        self.write("pools.toml", BUDGET.replace("96", "128"))
        said = self.run_tool("python3", GENERATOR, "map", "pools.toml", "image.elf")
        self.assertRegex(said.stdout, r"pool sparks .* 16 +8 +128 OK\n")
        self.assertEqual(0, said.returncode)

    def test_the_linker_checks_the_budget(self):
        self.assertIn("pools.toml:4: psram: more than the budget of 96 bytes",
                      self.link_with(BUDGET, MAIN).stdout)

    def test_a_descriptor_of_32_bits_has_its_stride_where_map_reads_it(self):
        self.link_with(BUDGET.replace("96", "128"), MAIN)
        offsets = [struct.unpack("<I", self.descriptor(size))[0] for size in (52, 54)]
        self.assertEqual([8 | 8 << 16, 8 | 16 << 16], offsets)

    def descriptor(self, offset):
        place = self.at("sparks_pool") + offset
        self.run_tool("arm-none-eabi-objcopy", "-O", "binary", "-j", ".text",
                      "image.elf", "text.bin")
        return (self.folder / "text.bin").read_bytes()[place: place + 4]


SHARED = """[pools]
a = { size = "3 * sizeof(int)", count = 3, bank = "ext", full = "drop" }
d = { size = 24, count = 4, align = 64, bank = "ext", full = "drop", reserve = 1 }
c = { type = "uint32_t", count = 5, bank = "ext", full = "drop" }
[blocks]
b = { classes = [{ size = 8, count = 3 }], bank = "ext", full = "drop" }
[dense]
f = { type = "uint32_t", count = 5, bank = "ext", full = "drop" }
[relocating]
g = { bytes = 40, handles = 9, bank = "ext", full = "drop" }
[nests]
h = { bytes = 240, bank = "ext" }
[stacks]
e = { bytes = 80, full = "drop", in = "h", end = "high" }
"""
KEPT = """[pools]
a = { size = 24, count = "1 + 2", bank = "ext", full = "drop" }
b = { size = 8, count = 5, align = 32, bank = "ext", full = "steal-oldest", \
handles = 32, min_age = 2, owner = true }
"""
SLEEPING = """[pools]
a = { type = "uint32_t", count = 5, bank = "ext", full = "drop" }
b = { size = 24, count = 5, align = 64, bank = "ext", full = "drop" }
"""


class Shares(Firmware, ByCompilers):
    """The budget of a library's table, of which the linker knows nothing."""

    def setUp(self):
        Firmware.setUp(self)
        ByCompilers.setUp(self)

    def table(self, rows, budget, more="", name=""):
        bank = f'ext = {{ region = "EXTRA", budget = {budget}{more} }}'
        return ('tidepool = 1\n[build]\nheaders = ["stdint.h"]\n'
                f"{name}[banks]\n{bank}\n{rows}")

    def share(self, rows, budget, more="", level="fast", compiler="arm-none-eabi-gcc"):
        """What a compiler says of a library's table."""
        made = files(self.table(rows, budget, more, 'name = "net"\n'))
        for name, content in made.items():
            self.write(name, content)
        return self.compile_file(compiler, "net_pools.c", level)

    def test_a_library_s_budget_is_compared_with_what_the_linker_makes_of_it(self):
        for rows, more in [(SHARED, ""), (KEPT, ", retained = true"),
                           (SLEEPING, ", sleeps = true")]:
            for number, level in [(1, "fast"), (3, "full")]:
                self.link_with(self.table(rows, 4000, more), "void reset(void);\n"
                               "void reset(void) { for (;;) a_free(a_alloc()); }\n",
                               level=number, region="EXTRA")
                taken = (self.at("tp_arena_ext_end")
                         - self.at("tp_arena_ext_start"))
                self.assertEqual("", self.share(rows, taken, more, level))
                self.assertIn("pools.toml:6: ext: more than the budget of "
                              f"{taken - 1} bytes",
                              self.share(rows, taken - 1, more, level))

    def test_each_compiler_compares_a_library_s_budget_on_cores_of_32_bits(self):
        row = '[pools]\na = { size = "6 * sizeof(void *)", count = 4, bank = "ext", ' \
              'full = "drop" }\n'
        for budget in (96, 95):
            for compiler in ("gcc", "clang-19"):
                self.assertEqual("", self.share(row, budget, compiler=compiler))
            for how in (["arm-none-eabi-gcc"], CLANG, ["arm-none-eabi-g++", "-xc++"]):
                said = self.run_tool(*how, *WARNINGS, "-std=c++20" if "-xc++" in how
                                     else "-std=c11", "-mcpu=cortex-m3", "-I", ".",
                                     "-I", ROOT / "lib", "-I", ROOT / "port/cortex_m",
                                     "-c", "net_pools.c", "-o", "x.o").stdout
                self.assertEqual(budget < 96, "than the budget of 95 bytes" in said)
                self.assertEqual(budget == 96, said == "")

    def test_a_library_s_budget_counts_what_a_table_that_it_includes_says_itself(self):
        base = self.table('[pools]\nz = { size = 24, count = 4, bank = "ext", full = '
                          '"drop" }\n', 96, name='name = "base"\n')
        self.write("base.toml", base)
        for budget in (112, 111):
            self.write("pools.toml", self.table(
                '[pools]\na = { type = "uint32_t", count = 4, align = 4, bank = "ext", '
                'full = "drop" }\n', budget,
                name='name = "net"\ninclude = ["base.toml"]\n'))
            said = self.run_generator("generate", "pools.toml", "--out", ".")
            self.assertEqual("", said.stderr)
            said = self.compile_file("arm-none-eabi-gcc", "net_pools.c", "fast")
            self.assertEqual(budget < 112, "than the budget of 111 bytes" in said)


if __name__ == "__main__":
    unittest.main()
