# SPDX-License-Identifier: MIT
"""Two libraries with a table each, of one firmware with a bank for both."""

import functools
import unittest

from consumer import (CLANG_FOR_MAKE, Project, edited, exit_code, is_full, only_in_full,
                      section_size)

PACKETS, VOICES = 8 * 64, 16 * 32
GCC, CLANG = "gcc.cmake", "clang.cmake"
# Kinds of libraries and linkers: each once, the other pairs in a full run. What is
# edited below is INTERFACE, by GCC and Unix Makefiles.
PAIRS = [("STATIC", GCC), ("OBJECT", CLANG)]
MORE_PAIRS = [("INTERFACE", GCC), ("STATIC", CLANG), ("OBJECT", GCC),
              ("INTERFACE", CLANG)]


def joined(kind="STATIC", generator="Ninja", toolchain=GCC):
    """Configured once; who edits it undoes that."""
    return configured(kind, generator, toolchain)


@functools.lru_cache(None)
def configured(kind, generator, toolchain):
    name = f"tables-{kind}-{generator[0]}-{toolchain[:-6]}".lower()
    return Project("tables", name).configure(
        f"-DKIND={kind}", generator=generator, toolchain=toolchain)


class Tables(unittest.TestCase):
    def refused(self, project, *sentences):
        code, output = project.build()
        self.assertNotEqual(0, code)
        for sentence in sentences:
            self.assertIn(sentence, output)

    def boots(self, project, elf="build/firmware"):
        self.assertEqual(PACKETS + VOICES,
                         section_size(project.folder / elf, ".tp_arena_psram"))
        self.assertEqual(0, exit_code(project.folder / elf))


class Joined(Tables):
    def test_libraries_of_each_kind_are_joined_by_each_linker(self):
        for kind, toolchain in PAIRS + MORE_PAIRS * is_full():
            with self.subTest(kind=kind, toolchain=toolchain):
                project = joined(kind, toolchain=toolchain)
                project.must_build()
                self.boots(project)

    def test_a_library_may_add_the_checkout_that_the_firmware_has(self):
        project = edited(self, joined(), (
            "net/CMakeLists.txt", "add_library(net ${KIND})",
            "add_subdirectory(../tidepool tidepool)\nadd_library(net ${KIND})"))
        project.must_build()
        self.boots(project)

    @only_in_full  # INTERFACE is below, and by Ninja each.
    def test_by_unix_makefiles_too(self):
        for kind in ("OBJECT", "STATIC", "INTERFACE"):
            with self.subTest(kind=kind):
                project = joined(kind, "Unix Makefiles")
                project.must_build()
                self.boots(project)

    def test_by_make_from_the_executable_s_table_alone(self):
        """By Clang; by GCC one is edited below."""
        for more in ((CLANG_FOR_MAKE,), *[()] * is_full()):
            project = Project("tables", "tables-make")
            project.must("make", "-j2", *more)
            self.boots(project, "firmware")

    def test_by_make_into_a_folder_that_ends_with_a_slash(self):
        project = Project("tables", "tables-slash")
        project.must("make", "-j2", "TIDEPOOL_OUT=out/")
        self.boots(project, "firmware")

    def test_a_program_of_this_machine_needs_no_linker_script(self):
        """And with TIDEPOOL_SOAK it is what --host wants."""
        project = Project("tables", "tables-host")
        project.edit("CMakeLists.txt", " startup.c", "")
        project.edit("CMakeLists.txt", " -T ${CMAKE_SOURCE_DIR}/firmware.ld", "")
        project.edit("main.c", "(uintptr_t)audio_play(440) >> 24 != 0x21",
                     "!audio_play(440)")
        project.edit("main.c", "int main(", "void tp_soak_put(uint8_t byte)\n"
                     "{\n  (void)byte;\n}\n\nint main(")
        project.must("cmake", "-B", "build", "-DKIND=STATIC", "-DTIDEPOOL_SOAK=ON")
        project.must_build()
        project.must("build/firmware")

    def test_a_table_of_nothing_but_includes_is_enough(self):
        project = edited(self, joined(), (
            "pools.toml", "[pools]\nsparks = { size = 8, count = 100, "
            'full = "drop" }\n', ""))
        project.must_build()
        self.boots(project)


class Edited(Tables):
    """An edit of a library's table makes the executable's files and image anew."""

    def check(self, project, build, elf):
        build()
        self.boots(project, elf)
        arena = section_size(project.folder / elf, ".tp_arena_psram")
        edited(self, project, ("net/pools.toml", "count = 8,", "count = 5,"))
        build()
        self.assertEqual(arena - 3 * 64, section_size(project.folder / elf,
                                                      ".tp_arena_psram"))
        edited(self, project, ("net/pools.toml", "conns  ", "links  "),
               ("net/net.c", "conns_", "links_"), ("main.c", '"conns"', '"links"'))
        build()
        self.assertEqual(0, exit_code(project.folder / elf))

    def test_by_ninja(self):
        self.check(joined(), joined().must_build, "build/firmware")

    def test_by_unix_makefiles(self):
        project = joined("INTERFACE", "Unix Makefiles")
        self.check(project, project.must_build, "build/firmware")

    def test_by_make(self):
        project = Project("tables", "tables-make")
        self.check(project, lambda: project.must("make", "-j2"), "firmware")


class Refused(Tables):
    def test_an_image_whose_table_has_a_library_s_name_is_a_sentence(self):
        says = "pools.toml:4:8: error: an image is built of this table"
        project = edited(self, joined(), (
            "pools.toml", "[build]\n", '[build]\nname = "app"\n'))
        self.refused(project, says)
        code, output = project.run("make", "-j2")
        self.assertNotEqual(0, code)
        self.assertIn(says, output)

    def test_sources_that_include_a_table_by_its_old_name_do_not_compile(self):
        joined().must_build()
        project = edited(self, joined(), ("net/pools.toml", '"net"', '"lan"'))
        self.refused(project, "net_pools.h: No such file or directory")

    def test_tables_that_are_over_the_budget_together_are_a_sentence(self):
        project = edited(self, joined(), ("pools.toml", '"1K"', "1023"))
        self.refused(project, "pools.toml:7:", '"psram": 1024 bytes wanted by all '
                              "tables, 1023 allowed: 1 too many")

    def test_the_linker_counts_what_a_level_adds(self):
        for toolchain in (CLANG, *[GCC] * is_full()):
            project = Project("tables", f"tables-full-{toolchain[:-6]}").configure(
                "-DKIND=STATIC", "-DTIDEPOOL_CHECKS=full", toolchain=toolchain)
            self.refused(project, "pools.toml:7: psram: more than the budget of "
                                  "1024 bytes")

    def test_a_library_that_nobody_includes_does_not_link(self):
        for toolchain in (GCC, *[CLANG] * is_full()):
            project = edited(
                self, joined(toolchain=toolchain),
                ("pools.toml", ', "audio/pools.toml"', ""),
                ("main.c", " + AUDIO_ALLOCATOR_N", ""))
            self.refused(project, "audio_pools.c", "tidepool_ERROR_linker_script_"
                         "lacks_INCLUDE_tp_pools_ld_of_a_pools_toml_that_includes_"
                         "audio")

    def test_nor_does_one_without_a_bank(self):
        for toolchain in (CLANG, *[GCC] * is_full()):
            project = edited(
                self, joined("OBJECT", toolchain=toolchain),
                ("pools.toml", '"net/pools.toml", ', ""),
                ("net/pools.toml", ', bank = "psram"', ""))
            self.refused(
                project, "tidepool_ERROR_table_net_is_in_no_include_of_the_"
                         "executables_pools_toml")

    def test_two_rows_of_one_name_are_shown_with_their_places(self):
        project = edited(self, joined(), ("pools.toml", "sparks", "voices"))
        self.refused(project, "audio/pools.toml:11:1: error: ",
                     'the name "voices" is that of a pool of another table',
                     "/pools.toml:10")


if __name__ == "__main__":
    unittest.main()
