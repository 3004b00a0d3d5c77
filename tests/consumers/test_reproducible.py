# SPDX-License-Identifier: MIT
"""The same sources give the same image in another folder, under another name."""

import shutil
import unittest

from consumer import CLANG_FOR_MAKE, OUT, ROOT, Project, is_full, only_in_full, tool

OPTION = "TIDEPOOL_REPRODUCIBLE"
# Who compiles in which way: each once, both in a full run.
COMPILERS = {"add_subdirectory": ("gcc", *["clang"] * is_full()),
             "make": ("clang", *["gcc"] * is_full())}


class Reproducible(unittest.TestCase):
    def folders(self, way):
        """Two projects: one sees the library by a link, the other has a copy in a
        folder with a blank in its name; each with a name for what is built."""
        one = Project(way, f"rebuilt-{way}")
        other = Project(way, f"rebuilt elsewhere/{way} again")
        mine = other.folder / "tidepool"
        mine.unlink()
        for part in ("lib", "port"):
            shutil.copytree(ROOT / part, mine / part)
        shutil.copy(ROOT / "CMakeLists.txt", mine)
        return (one, "build/here"), (other, "out")

    def images(self, flags, way="add_subdirectory", option=False, edit=None):
        """By compiler, the ELF files of both folders."""
        found = {}
        for compiler in COMPILERS[way]:
            found[compiler] = []
            for project, out in self.folders(way):
                if edit:
                    project.edit(*edit)
                built = self.by_make if way == "make" else self.by_cmake
                found[compiler].append(built(project, out, compiler, flags, option))
        return found

    def by_cmake(self, project, out, compiler, flags, option):
        project.edit(f"{compiler}.cmake", '_C_FLAGS_INIT "',
                     f'_C_FLAGS_INIT "{flags} ')
        project.must("cmake", "-S", ".", "-B", out, "-G", "Ninja", "-DCMAKE_TOOLCHAIN"
                     f"_FILE={project.folder}/{compiler}.cmake", f"-D{OPTION}={option}")
        project.must("cmake", "--build", out, "-j2")
        return project.folder / out / "firmware"

    def by_make(self, project, out, compiler, flags, option):
        project.edit("Makefile", "-mthumb -Os", f"-mthumb {flags}")
        project.must("make", "-j2", f"TIDEPOOL_OUT={out}", f"{OPTION}={int(option)}",
                     *[CLANG_FOR_MAKE] * (compiler == "clang"))
        return project.folder / "firmware"

    def same(self, images):
        return {compiler: one.read_bytes() == other.read_bytes()
                for compiler, (one, other) in images.items()}

    def flashed(self, images):
        """What of them a board gets."""
        for pair in images.values():
            for image in pair:
                tool("arm-none-eabi-objcopy", "-O", "binary", image,
                     image.with_suffix(".bin"))
        return {compiler: [image.with_suffix(".bin") for image in pair]
                for compiler, pair in images.items()}

    def assert_same(self, expected, images):
        self.assertEqual(dict.fromkeys(images, expected), self.same(images))

    def test_the_elf_file_is_the_same_in_another_folder_by_cmake(self):
        self.assert_same(True, self.images("-Os"))

    def test_the_elf_file_is_the_same_in_another_folder_by_make(self):
        self.assert_same(True, self.images("-Os", "make"))

    @only_in_full
    def test_optimised_across_files_it_is_the_same_too(self):
        self.assert_same(True, self.images("-O2 -flto"))

    def test_with_debug_information_the_elf_file_is_the_same_where_that_is_wanted(self):
        for way in ("make", *["add_subdirectory"] * is_full()):
            images = self.images("-Os -g", way, option=True)
            self.assert_same(True, images)
            for image in sum(images.values(), []):
                self.assertNotIn(str(OUT).encode(), image.read_bytes())

    def test_with_debug_information_and_without_that_only_what_is_flashed_is_the_same(
            self):
        """So a path that gets into an image is seen by these tests."""
        for way in ("add_subdirectory", *["make"] * is_full()):
            images = self.images("-Os -g", way)
            self.assert_same(False, images)
            self.assert_same(True, self.flashed(images))

    def test_with_that_it_is_the_same_optimised_across_files_too(self):
        images = self.images("-O2 -flto -g", option=True)
        self.assert_same(True, images)

    def test_with_that_a_folder_may_begin_as_that_of_the_library_does(self):
        """As /work/tide and /work/tidepool do."""
        found = []
        for rest in ("rary", "s"):
            home = OUT / f"begins {rest}"
            shutil.rmtree(home, ignore_errors=True)
            project = Project("add_subdirectory", f"begins {rest}/lib{rest}")
            (project.folder / "tidepool").unlink()
            for part in ("lib", "port"):
                shutil.copytree(ROOT / part, home / "lib" / part)
            shutil.copy(ROOT / "CMakeLists.txt", home / "lib")
            (project.folder / "tidepool").symlink_to(home / "lib")
            found.append(self.by_cmake(project, "build", "gcc", "-g", True))
        one, other = (image.read_bytes() for image in found)
        self.assertEqual(one, other)

    @only_in_full
    def test_the_name_of_a_file_in_the_application_is_the_same_where_that_is_wanted(
            self):
        edit = ("main.c", "int main(void)\n{", "const char *volatile where;\n\n"
                "int main(void)\n{\n  where = __FILE__;")
        without = self.flashed(self.images("-Os", edit=edit))
        self.assert_same(False, without)
        wanted = self.images("-Os", edit=edit, option=True)
        self.assert_same(True, wanted)

    def test_another_word_than_0_or_1_is_a_sentence_of_make(self):
        code, output = Project("make", "rebuilt-never").run("make", f"{OPTION}=yes")
        self.assertNotEqual(0, code)
        self.assertIn(f'{OPTION} is "yes": it must be 0 or 1', output)


if __name__ == "__main__":
    unittest.main()
