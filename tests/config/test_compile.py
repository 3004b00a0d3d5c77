# SPDX-License-Identifier: MIT
"""The generated C, by the compilers it is for, with every warning an error."""

import pathlib
import re
import shutil
import tempfile
import unittest

from helper import GOLDEN, ROOT, TYPES, InFolder, files, is_full, read, row, table

from generator.allocators import Scenes
from generator.header import FEATURE_HEADERS, HEADERS

FOLDERS = sorted(path.parent.name for path in GOLDEN.glob("*/pools.toml")
                 if path.parent.name not in ("mistakes", "checks", "locks"))
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Wshadow", "-Werror"]
INCLUDES = ["-I", ROOT / "lib", "-I", TYPES]
PORT = ROOT / "port"
HOST = INCLUDES + ["-I", PORT / "host", "-I", PORT / "wait" / "posix",
                   "-D_POSIX_C_SOURCE=200809L"]
ARM = INCLUDES + ["-I", PORT / "cortex_m", "-I", PORT / "wait" / "bare", "-mthumb",
                  "-O2"]
LEVELS = range(4)


class Compiling(InFolder):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        """A folder each with what is generated from a table of golden/."""
        cls.all = pathlib.Path(tempfile.mkdtemp(prefix="tidepool-"))
        cls.addClassCleanup(shutil.rmtree, cls.all)
        for folder in [*FOLDERS, "locks"]:
            text = (GOLDEN / folder / "pools.toml").read_text(encoding="utf-8")
            (cls.all / folder).mkdir()
            for name, content in files(text).items():
                (cls.all / folder / name).write_text(content, encoding="utf-8")

    def made(self, folder):
        return self.all / folder

    def config(self, folder):
        return read((GOLDEN / folder / "pools.toml").read_text(encoding="utf-8"))

    def compile(self, *command):
        result = self.run_tool(*command)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def each(self, *command):
        """The objects of all of them, which what they are made by says nothing of."""
        for folder in FOLDERS:
            self.compile(*command, "-c", self.made(folder) / "tp_pools.c", "-o",
                         f"{folder}.o")

    def is_right(self, *command):
        """Its compiler says nothing of any, nor has it to make them."""
        self.compile(*command, "-fsyntax-only",
                     *[self.made(folder) / "tp_pools.c" for folder in FOLDERS])

    def test_gcc_compiles_it_as_c11(self):
        self.is_right("gcc", "-std=c11", *WARNINGS, *HOST)

    def test_clang_compiles_it_as_c11(self):
        self.is_right("clang-19", "-std=c11", *WARNINGS, *HOST)

    def test_it_is_cpp20_too_and_needs_no_start_up_code(self):
        for compiler in ("g++", "clang++-19"):
            self.each(compiler, "-x", "c++", "-std=c++20", "-O0", *WARNINGS, *HOST)
            self.assertNotIn(".init_array", self.run_tool(
                "objdump", "-h", *[f"{folder}.o" for folder in FOLDERS]).stdout)

    def test_as_cpp20_its_casts_of_c_are_no_warning(self):
        out = self.made("own_code")
        for command in (["arm-none-eabi-g++", "-mcpu=cortex-m3", *ARM],
                        ["clang++-19", *HOST]):
            self.compile(*command, "-x", "c++", "-std=c++20", "-Wold-style-cast",
                         "-Werror", "-fsyntax-only", "-I", out, out / "tp_pools.c")

    def test_as_cpp20_no_cast_of_it_is_called_useless(self):
        for folder in FOLDERS:
            self.compile("g++", "-x", "c++", "-std=c++20", "-Wuseless-cast", "-Werror",
                         *HOST, "-fsyntax-only", "-I", self.made(folder),
                         self.made(folder) / "tp_pools.c")

    def test_no_cast_of_the_header_and_of_how_a_task_waits_is_called_useless(self):
        use = self.write("use.cpp", '#include "tp_pools.h"\n')
        for port in ("freertos", "cmsis_rtos2", "zephyr", "bare"):
            self.compile("arm-none-eabi-g++", "-mcpu=cortex-m3", "-mthumb",
                         "-ffreestanding", "-std=c++17", "-Wuseless-cast", "-Werror",
                         "-fsyntax-only", *INCLUDES, "-I", PORT / "cortex_m", "-I",
                         PORT / "wait" / port, "-isystem", ROOT / "qemu/kernel",
                         "-isystem", ROOT / "tests/consumers/paper_rtos", "-I",
                         self.made("waiting"), use)

    def test_as_cpp20_it_takes_no_byte_more_than_as_c11(self):
        """Of code, constants and zeroed memory; the names of what is static differ. By
        GCC for Arm, whose enums are short, and with all its warnings."""
        def sections(*language):
            self.each("arm-none-eabi-gcc", *language, "-mcpu=cortex-m3", *WARNINGS,
                      *ARM, "-fno-exceptions")
            return self.run_tool("arm-none-eabi-size",
                                 *[f"{folder}.o" for folder in FOLDERS]).stdout
        self.assertEqual(sections("-std=c11"), sections("-x", "c++", "-std=c++20"))

    def test_gcc_for_arm_compiles_it_as_c11_at_every_level(self):
        """With code at full, which has most of it; at the others, but in a full run,
        it is looked at what the compiler says."""
        for level in LEVELS:
            compiles = self.each if is_full() or level == 3 else self.is_right
            compiles("arm-none-eabi-gcc", "-mcpu=cortex-m0", "-std=c11",
                     f"-DTP_CHECKS={level}", *WARNINGS, *ARM)

    def test_an_application_that_includes_it_is_the_same_code_at_every_level(self):
        self.write("main.c", '#include "tp_pools.h"\n')
        calls = 0
        for folder in FOLDERS:
            # Every call of the header is there, though nobody makes it.
            command = ["arm-none-eabi-gcc", "-mcpu=cortex-m3", *ARM, "-Dinline=",
                       "-Dalways_inline=used", "-I", self.made(folder), "main.c"]
            levels = [f"-DTP_CHECKS={level}" for level in LEVELS]
            of_text = {self.run_tool(*command, level, "-E", "-P").stdout: level
                       for level in levels}  # Of one text there is one code.
            codes = [self.run_tool(*command, level, "-S", "-o", "-").stdout
                     for level in of_text.values()]
            self.assertEqual(1, len(set(codes)), folder)
            calls += codes[0].count("\tbl\t")
        self.assertGreater(calls, 100)

    def test_locks_compile_for_the_cores_that_have_them_and_for_no_other(self):
        out = self.made("locks")
        command = ["arm-none-eabi-gcc", "-std=c11", *WARNINGS, *ARM, "-I", out, "-c",
                   out / "tp_pools.c", "-o", "locks.o"]
        for core in ["m3", "m4", "m7", "m33", "m55"]:
            self.compile(*command, f"-mcpu=cortex-{core}")
        for core, lacks in [("m0", "BASEPRI"), ("m0", "LDREX and STREX"),
                            ("m23", "BASEPRI")]:
            result = self.run_tool(*command, f"-mcpu=cortex-{core}")
            self.assertIn(f"this core has no {lacks}", result.stdout)

    def test_gxx_compiles_the_header_as_cpp17(self):
        self.as_cpp17("g++")

    def test_clang_compiles_the_header_as_cpp17_where_casts_of_c_are_refused(self):
        self.as_cpp17("clang++-19")

    def as_cpp17(self, compiler):
        for folder in FOLDERS:
            calls = "".join(f"{pool.name}_free({pool.name}_alloc()); "
                            for pool in self.config(folder).pools)
            use = self.write(f"{folder}.cpp", '#include "tp_pools.h"\n'
                             f"void use();\nvoid use() {{ {calls} }}\n")
            self.compile(compiler, "-std=c++17", *WARNINGS, "-Wold-style-cast", *HOST,
                         "-isystem", PORT / "wait" / "posix", "-I",
                         self.made(folder), "-fsyntax-only", use)

    def test_gxx_compiles_what_the_header_may_include_as_cpp17(self):
        """By rows that none of golden/ has, too: one with a link, of two cores."""
        ports = [PORT / "cores" / "exclusive", PORT / "cache" / "none"]
        more = [word for port in ports for word in ("-isystem", port)]
        for name in {*HEADERS.values(), *[name for name, _ in FEATURE_HEADERS]}:
            use = self.write("use.cpp", f'#include "{name}"\n')
            self.compile("arm-none-eabi-g++", "-mcpu=cortex-m3", "-std=c++17",
                         *WARNINGS, "-Wold-style-cast", *ARM, *more, "-fsyntax-only",
                         use)

    def test_rows_may_be_called_as_macros_of_the_application_are(self):
        """As I2C1 is one of a vendor's header: no name of a row stands alone."""
        for folder in FOLDERS:
            out = self.made(folder)
            macros = [f"-D{row.name}=((int *)0x40005400)"
                      for row in self.config(folder).rows()
                      if not isinstance(row, Scenes)]
            use = self.write(f"{folder}.cpp", '#include "tp_pools.h"\n')
            self.compile("g++", "-std=c++17", *WARNINGS, *HOST, *macros, "-I", out,
                         "-fsyntax-only", use)
            self.compile("gcc", "-std=c11", *WARNINGS, *HOST, *macros, "-I", out,
                         "-fsyntax-only", out / "tp_pools.c")


class Refusing(InFolder):
    """What only the compiler can know is said with the line of pools.toml."""

    def refusal(self, text):
        for name, content in files(text).items():
            self.write(name, content)
        return self.run_tool("gcc", "-std=c11", *HOST, "-I", ".", "-c",
                             "tp_pools.c").stdout

    def test_a_type_that_outgrew_its_slot_is_named_with_its_line(self):
        text = table(row(size="8", more=', type = "struct enemy"')).replace(
            "[pools]", '[build]\nheaders = ["game/types.h"]\n[pools]')
        self.assertIn('"pools.toml:5: a: size = 8 is less than sizeof(struct enemy)"',
                      self.refusal(text))

    def test_a_type_that_no_header_has_is_shown_with_its_line(self):
        said = self.refusal(table(row(size="8", more=', type = "struct enmy"')))
        self.assertRegex(said,
                         r"sizeof\(struct enmy\) <= A_SIZE,  // pools.toml:3: a\n")

    def test_each_compiler_says_how_many_bytes_the_type_needs(self):
        text = table(row(size="8", more=', type = "struct box"'),
                     row("b", size="16", more=', union = ["int", "struct box"]'))
        text = text.replace("[pools]", '[build]\nheaders = ["box.h"]\n[pools]')
        self.write("box.h", "struct box { int cells[10]; };\n")
        self.write("use.cpp", '#include "tp_pools.h"\n')
        made = self.refusal(text)
        for compiler in (["gcc", "-std=c11"], ["arm-none-eabi-gcc", "-std=c11"],
                         ["clang-19", "-std=c11"], ["g++", "-std=c++17"],
                         ["clang++-19", "-std=c++17"]):
            source = "use.cpp" if "++" in compiler[0] else "tp_pools.c"
            said = self.run_tool(*compiler, *HOST, "-I", ".", "-c", source).stdout
            with self.subTest(compiler=compiler[0]):
                self.assertEqual(2, len(re.findall(
                    r"(?:a|b)_size_must_be.?; have .char\[40\]"
                    r"|typedef char (?:a|b)_size_must_be \[40\]"
                    r"|different types \('char\[40\]'", said)), said)
        self.assertIn("pools.toml:5: a: size = 8 is less than", made)

    def test_another_check_level_than_that_of_the_file_is_named_with_its_line(self):
        self.assertIn('"pools.toml:1: compiled at another check level than full"',
                      self.refusal('build.checks = "full"\n' + table(row())))

    def test_a_library_of_another_version_is_a_sentence_that_names_both(self):
        header = (ROOT / "lib" / "tidepool_version.h").read_text()
        header = re.sub(r"VERSION +\d+$", "VERSION 990100", header, flags=re.M)
        self.write("tidepool_version.h", re.sub('".*"', '"99.1.0"', header))
        self.assertRegex(self.refusal(table(row())).replace('" "', ""),
                         r"tidepool.py of version \d+\.\d+\.\d+ generated this, but "
                         r"the library is of version 99\.1\.0")

    def test_a_type_that_needs_more_alignment_is_named_with_its_line(self):
        self.assertIn('"pools.toml:3: a: align = 4 is less than max_align_t needs"',
                      self.refusal(table(row(
                          size="64", more=', align = 4, type = "max_align_t"'))))


if __name__ == "__main__":
    unittest.main()
