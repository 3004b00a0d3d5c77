# SPDX-License-Identifier: MIT
"""What a build does after an edit, by Ninja, by Unix Makefiles and by make."""

import os
import shutil
import unittest

from consumer import ROOT, Project, exit_code, is_full, made_by, section_size


class ByNinja(unittest.TestCase):
    generator = "Ninja"
    elf = "build/firmware"

    @classmethod
    def make(cls):
        return Project("add_subdirectory", "edits-" + cls.__name__).configure(
            generator=cls.generator)

    @classmethod
    def setUpClass(cls):
        cls.project = cls.make()
        code, output = cls.build()
        assert code == 0, output
        cls.image = cls.project.folder / cls.elf

    @classmethod
    def build(cls):
        return cls.project.build()

    def edit(self, name, old, new):
        """For this test only; the next one finds all built as it was."""
        def undo():
            restore()
            self.built()
        restore = self.project.edit(name, old, new)
        self.addCleanup(undo)

    def built(self):
        code, output = self.build()
        self.assertEqual(0, code, output)

    def refused(self):
        code, output = self.build()
        self.assertNotEqual(0, code)
        return output

    def does_nothing(self):
        """Asserts that a build writes none of its products."""
        before = {path: time for path, time in self.project.times().items()
                  if path.suffix in ("", ".o", ".obj", ".c", ".h", ".ld")
                  and path.name != ".ninja_log"}
        self.built()
        after = self.project.times()
        self.assertEqual(before, {path: after[path] for path in before})

    def test_a_second_build_does_nothing(self):
        self.does_nothing()

    def test_a_second_build_does_nothing_after_an_edit_of_no_consequence(self):
        self.edit("pools.toml", "tidepool = 1", "tidepool = 1  # Hello.")
        self.built()
        self.does_nothing()

    def test_an_edited_table_is_generated_compiled_and_linked(self):
        self.assertEqual(16 * 32, section_size(self.image, ".tp_arena_psram"))
        self.edit("pools.toml", "count = 16", "count = 48")
        self.built()
        self.assertEqual(48 * 32, section_size(self.image, ".tp_arena_psram"))
        self.assertEqual(0, exit_code(self.image))

    def test_a_newer_linker_fragment_links_again(self):
        before = self.image.stat().st_mtime_ns
        fragment, = self.project.folder.rglob("tp_pools.ld")
        fragment.touch()
        self.built()
        self.assertLess(before, self.image.stat().st_mtime_ns)

    def test_an_edited_type_is_compiled(self):
        before = self.image.stat().st_mtime_ns
        self.edit("game.h", "int16_t x, y", "int16_t x, z")
        self.built()
        self.assertLess(before, self.image.stat().st_mtime_ns)

    def test_a_renamed_header_is_compiled(self):
        folder = self.project.folder
        self.edit("pools.toml", '"game.h"', '"play.h"')
        (folder / "game.h").rename(folder / "play.h")
        self.addCleanup((folder / "play.h").rename, folder / "game.h")
        self.built()
        self.assertEqual(0, exit_code(self.image))

    def test_a_mistake_in_the_table_stops_the_build_with_its_place(self):
        self.edit("pools.toml", "count = 16", "count = 0 ")
        self.assertRegex(self.refused(),
                         r"(?m)^(.*/)?pools\.toml:11:\d+: error: ")

    def test_a_struct_that_outgrows_its_slot_stops_the_compiler(self):
        self.edit("game.h", "note[8]", "note[9]")
        self.assertIn("pools.toml:11: voices: size = 32 is less than"
                      " sizeof(struct voice)", self.refused())


class ByUnixMakefiles(ByNinja):
    generator = "Unix Makefiles"


class ByMake(ByNinja):
    elf = "firmware"

    @classmethod
    def make(cls):
        return made_by("gcc").elsewhere("edits-make")

    @classmethod
    def build(cls):
        return cls.project.run("make", "-j2")

    def test_another_level_is_compiled_and_linked(self):
        """And the first again: its compilation, but in a full run, is looked at."""
        before = section_size(self.image, ".text")
        other = self.project.elsewhere("edits-make-level")
        other.must("make", "-j2", "TIDEPOOL_CHECKS=full")
        self.assertLess(before, section_size(other.folder / self.elf, ".text"))
        for line in other.compiled_anew():
            self.assertIn(" -DTP_CHECKS=1 ", line)
        if is_full():
            other.must("make", "-j2")
            self.assertEqual(before, section_size(other.folder / self.elf, ".text"))

    def test_another_table_is_generated_though_it_is_older(self):
        other = self.project.elsewhere("edits-make-table")
        table = other.folder / "other.toml"
        text = (other.folder / "pools.toml").read_text()
        table.write_text(text.replace("count = 16", "count = 48"))
        os.utime(table, (1, 1))
        other.must("make", "-j2", "TIDEPOOL_POOLS=other.toml")
        self.assertEqual(48 * 32, section_size(other.folder / self.elf,
                                               ".tp_arena_psram"))

    def test_another_port_is_compiled(self):
        other = self.project.elsewhere("edits-make-port")
        shutil.copytree(ROOT / "port" / "cortex_m", other.folder / "mine")
        for line in other.compiled_anew("TIDEPOOL_PORT=mine"):
            self.assertIn(" -Imine ", line)
        other.must("make", "TIDEPOOL_PORT=mine", "build/tidepool/tp_core.o")
        told = (other.folder / "build/tidepool/tp_core.d").read_text()
        self.assertIn("mine/tp_port.h", told)
        self.assertNotIn("cortex_m/tp_port.h", told)

    def test_the_command_line_of_make_may_add_flags(self):
        self.edit("main.c", "int main(void)", "int MAIN(void)")
        self.project.must("make", "-j2", "CPPFLAGS=-DMAIN=main")


class Newer(unittest.TestCase):
    """A library of one's own, which is renewed between two builds."""

    def check(self, way, *build):
        project = Project(way, "newer-" + way)
        library = project.folder / "tidepool"
        library.unlink()
        library.mkdir()
        for part in ("lib", "port"):
            shutil.copytree(ROOT / part, library / part)
        shutil.copy(ROOT / "CMakeLists.txt", library)
        if way == "add_subdirectory":
            project.configure()
        for part in ("tidepool_version.h", "config/generator/header.py"):
            with self.subTest(part=part):
                project.must(*build)
                header, = project.folder.rglob("tp_pools.h")
                before = header.stat().st_mtime_ns
                (library / "lib" / part).touch()
                project.must(*build)
                self.assertLess(before, header.stat().st_mtime_ns)

    def test_another_library_generates_again_by_cmake(self):
        self.check("add_subdirectory", "ninja", "-C", "build",
                   "firmware_pools/tp_pools.h")

    def test_another_library_generates_again_by_make(self):
        self.check("make", "make", "build/tidepool/tp_pools.h")
