# SPDX-License-Identifier: MIT
"""Firmwares in C++, whose tables name classes, without any library of C++."""

import subprocess
import unittest

from consumer import HERE, OUT, ROOT, Project, exit_code, tool

GENERATOR = ROOT / "lib" / "config" / "tidepool.py"
CLASSES = HERE / "cpp"


def project(name, sources="firmware"):
    """A firmware of both folders, beside a tidepool/."""
    made = Project("cpp", name, sources)
    (made.folder / "tidepool").symlink_to(ROOT)
    return made


class Classes(unittest.TestCase):
    def test_cmake_makes_a_firmware_of_classes(self):
        made = project("cpp").configure(toolchain="gxx.cmake")
        made.must_build()
        self.assertEqual(0, exit_code(made.folder / "build/firmware"))

    def test_cmake_and_clang_make_one(self):
        made = project("cpp-clang").configure(toolchain="clangxx.cmake")
        made.must_build()
        self.assertEqual(0, exit_code(made.folder / "build/firmware"))

    def test_make_makes_one(self):
        made = project("cpp-make")
        made.must("make", "-j2")
        self.assertEqual(0, exit_code(made.folder / "firmware"))

    def test_they_link_nothing_of_a_library_of_cpp(self):
        made = project("cpp-alone")
        made.must("make", "-j2")
        self.assertNotRegex(tool("arm-none-eabi-nm", made.folder / "firmware"),
                            r"_ZdlPv|__cxa_|__gxx_|_ZSt|malloc")

    def test_a_project_of_c_alone_is_told_to_name_cpp(self):
        made = project("cpp-unnamed")
        made.edit("CMakeLists.txt", "project(firmware C CXX)", "project(firmware C)")
        code, said = made.run(
            "cmake", "-S", ".", "-B", "build", "-G", "Ninja",
            f"-DCMAKE_TOOLCHAIN_FILE={made.folder}/gxx.cmake")
        self.assertNotEqual(0, code)
        self.assertIn("names types of C++: name it too, as in project(firmware C CXX)",
                      " ".join(said.split()))

    def test_the_first_class_of_a_table_changes_its_language(self):
        made = project("cpp-first")
        restore = made.edit("pools.toml", "::", "_")
        made.edit("game.hpp", "#include", "#define game_BULLETS 4\n#include")
        made.configure(toolchain="gxx.cmake")
        made.build()
        restore()
        made.must_build()
        self.assertEqual(0, exit_code(made.folder / "build/firmware"))

    def test_a_compiler_of_c_is_told_the_row(self):
        folder = OUT / "cpp-as-c"
        folder.mkdir(parents=True, exist_ok=True)
        tool("python3", GENERATOR, "generate", CLASSES / "pools.toml", "--out", folder)
        said = subprocess.run(
            ["gcc", "-std=c11", "-I", ROOT / "lib", "-I", ROOT / "port" / "host", "-c",
             "tp_pools.c"], cwd=folder, text=True, stderr=subprocess.PIPE).stderr
        self.assertIn("pools.toml:5: bullets: its type is one of C++: compile "
                      "tp_pools.c as C++20", said)

    def test_they_are_taken_where_casts_of_c_are_forbidden(self):
        folder = OUT / "cpp-casts"
        folder.mkdir(parents=True, exist_ok=True)
        tool("python3", GENERATOR, "generate", CLASSES / "pools.toml", "--out", folder,
             "--libraries")
        for source in (CLASSES / "play.cpp", folder / "tp_pools.c",
                       ROOT / "lib" / "tidepool.hpp"):
            for compiler in ("g++", "clang++-19"):
                tool(compiler, "-x", "c++", "-std=c++20", "-Wold-style-cast", "-Werror",
                     "-I", ROOT / "lib", "-I", ROOT / "port" / "host", "-I", folder,
                     "-I", CLASSES, "-I", CLASSES / "birds", "-fsyntax-only", source)

    def test_each_port_is_taken_where_casts_of_c_and_a_null_of_0_are_forbidden(self):
        port, arm = ROOT / "port", ["arm-none-eabi-g++", "-mthumb", "-ffreestanding",
                                    "-DTP_CORES_SPINLOCK=0xd0000170"]
        least, most = [*arm, "-mcpu=cortex-m0"], [*arm, "-mcpu=cortex-m33"]
        for words, header in (
                (["g++"], "host/tp_port.h"), (["g++"], "posix/tp_port.h"),
                (["clang++-19", "--target=riscv32"], "riscv/tp_port.h"),
                (least, "cortex_m/tp_port.h"), (most, "cortex_m/tp_port.h"),
                (most, "wait/bare/tp_wait_port.h"),
                ([*most, "-isystem", HERE / "paper_rtos"],
                 "wait/cmsis_rtos2/tp_wait_port.h"),
                ([*most, "-isystem", HERE / "paper_rtos"],
                 "wait/zephyr/tp_wait_port.h"),
                ([*most, "-isystem", ROOT / "qemu/kernel"],
                 "wait/freertos/tp_wait_port.h"),
                (most, "cache/cortex_m7/tp_dma_port.h"),
                (most, "cores/exclusive/tp_cores_port.h"),
                (least, "cores/sio/tp_cores_port.h")):
            tool(*words, "-x", "c++", "-std=c++20", "-Wold-style-cast",
                 "-Wzero-as-null-pointer-constant", "-Werror", "-fsyntax-only", "-I",
                 ROOT / "lib", "-I", port / "cortex_m", "-include", port / header,
                 "/dev/null")

    def test_what_a_firmware_tells_a_soak_is_taken_without_a_warning(self):
        source = OUT / "told.cpp"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text('#include "tp_soak.h"\n'
                          "static struct tp_soak soak = TP_SOAK;\n"
                          "uint64_t seed() { return soak.seed; }\n")
        for standard in ("c++17", "c++20"):
            tool("arm-none-eabi-g++", f"-std={standard}", "-mcpu=cortex-m4", "-mthumb",
                 "-ffreestanding", "-DTP_CHECKS=1", "-DTIDEPOOL_SOAK=1", "-Wall",
                 "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
                 "-Wold-style-cast", "-Werror", "-I", ROOT / "lib", "-I",
                 ROOT / "port/cortex_m", "-I", ROOT / "qemu/telemetry",
                 "-fsyntax-only", source)

    def test_on_the_host_they_are_right_too(self):
        self.assertEqual(0, run(on_host("gcc", "-fsanitize=address,undefined")))
        self.assertEqual(0, run(on_host("clang-19")))


def run(program):
    return subprocess.run([program]).returncode


def on_host(compiler, *more, source="play.cpp", name="cpp"):
    """The program of a [source] beside the table, with the library in it."""
    folder = OUT / f"{name}-{compiler}"
    folder.mkdir(parents=True, exist_ok=True)
    tool("python3", GENERATOR, "generate", CLASSES / "pools.toml", "--out", folder,
         "--libraries")
    flags = ["-I", ROOT / "lib", "-I", ROOT / "port" / "host", "-I", folder, "-I",
             CLASSES, "-I", CLASSES / "birds", "-g", "-DTP_CHECKS=2", *more]
    for path in [*(ROOT / "lib").glob("*/*.c"), *(ROOT / "port/host").glob("*.c")]:
        tool(compiler, "-std=c11", *flags, "-c", path, "-o", folder / f"{path.stem}.o")
    cpp = {"gcc": "g++", "clang-19": "clang++-19"}[compiler]
    objects = sorted(folder.glob("*.o"))
    tool(cpp, "-x", "c++", "-std=c++20", *flags, "-Wall", "-Wextra", "-Wshadow",
         "-Wconversion", "-Werror", folder / "tp_pools.c", folder / "birds_pools.c",
         CLASSES / source, "-x", "none", *objects, "-o", folder / "program")
    return folder / "program"
