# SPDX-License-Identifier: MIT
"""Every way to add the library to a firmware ends with one that runs."""

import shutil
import unittest

from consumer import CLANG_FOR_MAKE, HERE, OUT, PREFIX, ROOT, Project, exit_code
from consumer import install, tool


SOAKED = """#include "tp_pools.h"
#include "tp_soak.h"
void tp_fault(const struct tp_fault_record *record) { tp_soak_fault(record); }
void tp_soak_put(uint8_t byte) { (void)byte; }
int main(void)
{
  static struct tp_soak soak = TP_SOAK;
  tp_soak_begin(&soak);
  for (uint32_t i = 0; i < soak.frames; i++) {
    sparks_free(sparks_alloc());
    tp_soak_frame(&soak);
  }
  tp_soak_end(&soak);
}
"""


def setUpModule():
    install()


class Ways(unittest.TestCase):
    def boots(self, project, elf="build/firmware"):
        if elf.startswith("build/"):
            project.must_build()
        self.assertEqual(0, exit_code(project.folder / elf))

    def test_add_subdirectory(self):
        self.boots(Project("add_subdirectory").configure())

    def test_add_subdirectory_by_clang_and_lld(self):
        self.boots(Project("add_subdirectory", "add_subdirectory-clang")
                   .configure(toolchain="clang.cmake"))

    def test_add_subdirectory_in_a_unity_build(self):
        self.boots(Project("add_subdirectory", "add_subdirectory-unity")
                   .configure("-DCMAKE_UNITY_BUILD=ON"))

    def test_fetch_content(self):
        """From a clone of the last commit: what is not committed is not in it."""
        url = OUT / "clone.git"
        if not url.exists():
            tool("git", "clone", "--quiet", "--bare", "--shared", ROOT, url)
        tool("git", "-C", url, "fetch", "--quiet", ROOT, "HEAD")
        commit = tool("git", "rev-parse", "HEAD").strip()
        self.boots(Project("fetch_content").configure(
            f"-DTIDEPOOL_URL={url}", f"-DTIDEPOOL_COMMIT={commit}"))

    def test_find_package(self):
        self.boots(Project("find_package").configure(
            f"-DCMAKE_PREFIX_PATH={PREFIX}"))

    def test_find_package_by_clang_and_lld(self):
        self.boots(Project("find_package", "find_package-clang").configure(
            f"-DCMAKE_PREFIX_PATH={PREFIX}", toolchain="clang.cmake"))

    def test_find_package_with_what_programs_the_mpu(self):
        """Where it refuses, that is another exit code."""
        project = Project("find_package", "find_package-mpu")
        project.edit("CMakeLists.txt", "tidepool_pools(",
                     "target_link_libraries(firmware PRIVATE tidepool::mpu)\n"
                     "tidepool_pools(")
        project.edit("main.c", '#include "tp_pools.h"\n',
                     '#include "tp_mpu.h"\n#include "tp_pools.h"\n'
                     "extern char tp_arena_psram_start[], tp_arena_psram_end[];\n"
                     'const struct tp_mpu_row row = {"psram", tp_arena_psram_start,'
                     " tp_arena_psram_end, TP_MPU_DATA};\n")
        project.edit("main.c", "int main(void)\n{\n",
                     "int main(void)\n{\n"
                     "  if (tp_mpu_guard(&row, 1) != TP_MPU_ON) return 4;\n")
        self.boots(project.configure(f"-DCMAKE_PREFIX_PATH={PREFIX}"))

    def test_find_package_with_a_pool_that_is_waited_for(self):
        project = Project("find_package", "find_package-wait")
        project.edit("CMakeLists.txt", "tidepool_pools(",
                     "target_include_directories(firmware PRIVATE"
                     " ${tidepool_DIR}/port/wait/bare)\ntidepool_pools(")
        project.edit("pools.toml", 'count = 100, full = "drop"',
                     'count = 100, full = "drop", wait = true')
        project.edit("main.c", "if (!sparks_alloc()) return 2;",
                     "if (!sparks_alloc_wait(1)) return 2;")
        self.boots(project.configure(f"-DCMAKE_PREFIX_PATH={PREFIX}"))

    def lends(self, project, of):
        """What the page of caches tells who has it by [of], but of a core without."""
        line = f"target_include_directories(firmware PRIVATE ${{{of}}}/port/cache/%s)"
        page = (ROOT / "port" / "cache" / "README.md").read_text()
        self.assertIn(line % "cortex_m7", page)
        project.edit("CMakeLists.txt", "tidepool_pools(",
                     f"{line % 'none'}\ntidepool_pools(")
        project.edit("pools.toml", 'count = 100, full = "drop"',
                     'count = 100, full = "drop", dma = true')
        project.edit("main.c", "if (!sparks_alloc()) return 2;",
                     "struct spark *spark = sparks_alloc();\n"
                     "  if (!spark) return 2;\n"
                     "  sparks_lend(spark, TP_DMA_RX);\n"
                     "  sparks_take(spark);")
        return project

    def test_add_subdirectory_with_a_pool_whose_objects_are_lent_to_a_device(self):
        project = Project("add_subdirectory", "add_subdirectory-dma")
        self.boots(self.lends(project, "tidepool_SOURCE_DIR").configure())

    def test_find_package_with_a_pool_whose_objects_are_lent_to_a_device(self):
        project = Project("find_package", "find_package-dma")
        self.boots(self.lends(project, "tidepool_DIR").configure(
            f"-DCMAKE_PREFIX_PATH={PREFIX}"))

    def test_find_package_where_the_toolchain_file_hides_prefixes(self):
        project = Project("find_package", "find_package-hidden")
        project.edit("gcc.cmake", "set(CMAKE_SYSTEM_NAME Generic)",
                     "set(CMAKE_SYSTEM_NAME Generic)\n"
                     "set(CMAKE_FIND_ROOT_PATH /usr/arm-none-eabi)\n"
                     "set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)")
        project.configure(f"-Dtidepool_DIR={PREFIX}/share/tidepool")

    def test_pkg_config(self):
        project = Project("pkg_config")
        project.must("make", "-j2")
        self.boots(project, "firmware")

    def test_pkg_config_by_clang_and_lld(self):
        project = Project("pkg_config", "pkg_config-clang")
        project.must("make", "-j2", CLANG_FOR_MAKE)
        self.boots(project, "firmware")

    def test_make(self):
        project = Project("make")
        project.must("make", "-j2")
        self.boots(project, "firmware")

    def test_make_by_clang_and_lld(self):
        project = Project("make", "make-clang")
        project.must("make", "-j2", CLANG_FOR_MAKE)
        self.boots(project, "firmware")

    def test_make_for_the_soak_needs_no_c_library(self):
        for more in ((), (CLANG_FOR_MAKE,)):
            project = Project("make", "make-soak")
            (project.folder / "main.c").write_text(SOAKED)
            project.must("make", "-j2", "TIDEPOOL_SOAK=1", *more)


class Corners(unittest.TestCase):
    def package(self, name, old="", new=""):
        """A project that finds the package, with a toolchain file of its own,
        in a folder with a blank in its name."""
        project = Project("find_package", "corner " + name)
        if old:
            project.edit("gcc.cmake", old, new)
        return project

    def configured(self, project, *settings):
        return project.run("cmake", "-S", ".", "-B", "build", "-G", "Ninja",
                           "-DCMAKE_TOOLCHAIN_FILE=gcc.cmake",
                           f"-DCMAKE_PREFIX_PATH={PREFIX}", *settings)

    def test_a_toolchain_file_need_not_name_the_cpu(self):
        project = self.package("cpu", "set(CMAKE_SYSTEM_PROCESSOR arm)\n")
        code, output = self.configured(project)
        self.assertEqual(0, code, output)
        project.must_build()
        self.assertEqual(0, exit_code(project.folder / "build/firmware"))

    def test_a_compiler_that_was_not_told_the_core_is_a_sentence(self):
        project = self.package("core", "-mcpu=cortex-m3 -mthumb")
        self.configured(project)
        code, output = project.run("cmake", "--build", "build", "--", "-k0")
        self.assertNotEqual(0, code)
        self.assertIn("this port is for Cortex-M: tell the compiler", output)

    def test_a_toolchain_file_that_names_no_system_is_a_sentence(self):
        """To CMake that is no cross compiler: it takes the port of this machine."""
        project = self.package("system", "set(CMAKE_SYSTEM_NAME Generic)\n")
        self.configured(project)
        code, output = project.run("cmake", "--build", "build")
        self.assertNotEqual(0, code)
        self.assertIn("this port is for a desktop machine", output)

    def test_optimisation_across_files_leaves_the_banks_alone(self):
        for compiler, flag in (("gcc", "-mthumb"), ("clang", "-ffreestanding")):
            project = Project("add_subdirectory", "lto-" + compiler)
            project.edit(f"{compiler}.cmake", flag, f"{flag} -flto -O2")
            project.configure(toolchain=f"{compiler}.cmake").must_build()
            self.assertEqual(0, exit_code(project.folder / "build/firmware"))

    def test_optimisation_across_files_leaves_the_handlers_of_the_mpu_alone(self):
        for compiler, flag in (("gcc", "-mthumb"), ("clang", "-ffreestanding")):
            project = Project("add_subdirectory", f"lto-mpu-{compiler}")
            shutil.copy(HERE / "guarded/main.c", project.folder)
            project.edit(f"{compiler}.cmake", flag, f"{flag} -flto -O2")
            project.edit("CMakeLists.txt", "tidepool_pools(",
                         "target_link_libraries(firmware PRIVATE tidepool::mpu)\n"
                         "tidepool_pools(")
            project.configure(toolchain=f"{compiler}.cmake").must_build()
            self.assertEqual(0, exit_code(project.folder / "build/firmware"))

    def test_the_application_can_be_cplusplus(self):
        project = self.package("cplusplus", "set(CMAKE_C_COMPILER",
                               "set(CMAKE_CXX_COMPILER arm-none-eabi-g++)\n"
                               'set(CMAKE_CXX_FLAGS_INIT "-mcpu=cortex-m3'
                               ' -mthumb -fno-exceptions")\n'
                               "set(CMAKE_C_COMPILER")
        (project.folder / "main.c").rename(project.folder / "main.cpp")
        project.edit("CMakeLists.txt", "main.c", "main.cpp")
        project.edit("CMakeLists.txt", "(firmware C)", "(firmware C CXX)")
        code, output = self.configured(project)
        self.assertEqual(0, code, output)
        project.must_build()
        self.assertEqual(0, exit_code(project.folder / "build/firmware"))

    def test_the_package_is_built_and_installed_by_a_toolchain_file_of_ones_own(self):
        """As an ExternalProject does: there is nothing in it to build."""
        project = self.package("external")
        project.must("cmake", "-S", ROOT, "-B", "package", "-G", "Ninja",
                     f"-DCMAKE_TOOLCHAIN_FILE={project.folder}/gcc.cmake")
        project.must("cmake", "--build", "package")
        project.must("cmake", "--install", "package", "--prefix", "prefix")
        project.must("test", "-e", "prefix/share/tidepool/tidepool-config.cmake")

    def test_a_cpu_without_port_is_a_sentence(self):
        code, output = self.configured(self.package("avr", "PROCESSOR arm",
                                                    "PROCESSOR avr"))
        self.assertNotEqual(0, code)
        self.assertIn('Tidepool has no port for "avr"', output)

    def test_a_folder_of_ones_own_can_be_the_port(self):
        project = self.package("port", "PROCESSOR arm", "PROCESSOR avr")
        code, output = self.configured(
            project, f"-DTIDEPOOL_PORT={ROOT}/port/cortex_m")
        self.assertEqual(0, code, output)

    def test_a_folder_that_is_no_port_is_a_sentence(self):
        code, output = self.configured(self.package("no port"),
                                       "-DTIDEPOOL_PORT=/no-such")
        self.assertNotEqual(0, code)
        self.assertIn('TIDEPOOL_PORT is "/no-such": it must be a folder', output)

    def test_a_target_of_another_folder_is_a_sentence(self):
        """Where it was made, no rule would make its files."""
        project = self.package("folder")
        (project.folder / "sub").mkdir()
        (project.folder / "sub/CMakeLists.txt").write_text(
            "tidepool_pools(TARGET firmware CONFIG ../pools.toml)\n")
        project.edit("CMakeLists.txt", "tidepool_pools(TARGET firmware CONFIG "
                     "pools.toml)", "add_subdirectory(sub)")
        code, output = self.configured(project)
        self.assertNotEqual(0, code)
        self.assertIn("call it in the CMakeLists.txt that makes firmware",
                      " ".join(output.split()))

    def test_a_target_that_is_none_or_has_its_table_is_a_sentence(self):
        line = "tidepool_pools(TARGET firmware CONFIG pools.toml)"
        for name, call, sentence in (
                ("none", line.replace("firmware", "frimware"),
                 "call it behind add_executable() or add_library()"),
                ("two", f"{line}\n{line}", "its table is that one already: a table has "
                 "others joined by include = [")):
            project = self.package(name)
            project.edit("CMakeLists.txt", line, call)
            code, output = self.configured(project)
            self.assertNotEqual(0, code)
            self.assertIn(sentence, " ".join(output.split()))

    def test_a_level_that_is_none_is_a_sentence(self):
        code, output = self.configured(self.package("level"),
                                       "-DTIDEPOOL_CHECKS=fsat")
        self.assertNotEqual(0, code)
        self.assertIn("it must be off, fast, poison or full", output)

    def test_a_project_without_c_is_told_so(self):
        project = self.package("no c")
        project.edit("CMakeLists.txt", "project(firmware C)",
                     "project(firmware NONE)")
        code, output = self.configured(project)
        self.assertNotEqual(0, code)
        self.assertIn("Tidepool is C: name it", output)
