# SPDX-License-Identifier: MIT
"""The Zephyr module: its metadata by linters, its CMake code on paper."""

import functools
import re
import subprocess
import sys
import unittest

from consumer import (HERE, OUT, ROOT, Project, edited, exit_code, host_library,
                      section_size, tool)
from ecosystem import DEBIAN_PYTHON, PORT, yaml


# What holds a spark and all voices, and asks the shell.
MAIN = """
#include <stdarg.h>
#include <stdio.h>
#include <zephyr/shell/shell.h>
#include "tp_pools.h"

extern const struct paper_command paper_shell_COMMAND;

void tp_fault(const struct tp_fault_record *record)
{
  (void)record;
}

void shell_print(const struct shell *shell, const char *format, ...)
{
  va_list arguments;
  (void)shell;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  puts("");
}

int main(void)
{
  sparks_alloc();
  sparks_free(sparks_alloc());
  while (voices_alloc()) continue;
  return paper_shell_COMMAND.handler(NULL, 1, NULL);
}
"""


DEFAULT = {"TIDEPOOL", "TIDEPOOL_CHECKS_FAST", "TIDEPOOL_LOCK_TABLE"}


@functools.lru_cache(None)
def settling():
    return Project("zephyr", "zephyr-settled")


class Zephyr(unittest.TestCase):
    MODULE = PORT / "zephyr"

    def test_the_module_names_files_that_exist(self):
        module = yaml(self.MODULE / "zephyr/module.yml")
        self.assertEqual({"name", "build"}, set(module))
        self.assertEqual({"cmake", "kconfig"}, set(module["build"]))
        self.assertTrue((self.MODULE / module["build"]["cmake"] /
                         "CMakeLists.txt").is_file())
        self.assertTrue((self.MODULE / module["build"]["kconfig"]).is_file())

    def test_readers_are_given_the_absolute_path_that_zephyr_wants(self):
        told = (PORT / "README.md").read_text()
        self.assertIn("`ZEPHYR_EXTRA_MODULES=$PWD/tidepool/port/zephyr`", told)

    def kconfig(self, *lines):
        """The symbols that are y after a configuration of [lines]."""
        folder = OUT / "kconfig"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "Kconfig").write_text(
            "config CPU_CORTEX_M\n\tdef_bool y\nconfig SHELL\n\tbool \"shell\"\n"
            f'source "{self.MODULE}/Kconfig"\n')
        (folder / ".config").write_text("\n".join(lines) + "\n")
        code = ("import kconfiglib as k\n"
                "c = k.Kconfig('Kconfig', warn_to_stderr=False)\n"
                "c.warn_assign_undef = True\n"
                "c.load_config('.config')\n"
                "assert not c.warnings, c.warnings\n"
                "print(*[s.name for s in c.unique_defined_syms"
                " if s.str_value == 'y'])\n")
        result = subprocess.run([DEBIAN_PYTHON, "-c", code], cwd=folder,
                                stdout=subprocess.PIPE, check=True, text=True)
        return set(result.stdout.split()) - {"CPU_CORTEX_M", "SHELL"}

    def test_kconfig_is_off_by_default_and_then_fast(self):
        self.assertEqual(set(), self.kconfig())
        self.assertEqual(DEFAULT, self.kconfig("CONFIG_TIDEPOOL=y"))

    def test_kconfig_offers_every_level(self):
        for level in ("OFF", "FAST", "POISON", "FULL"):
            self.assertEqual(
                {"TIDEPOOL", f"TIDEPOOL_CHECKS_{level}", "TIDEPOOL_LOCK_TABLE"},
                self.kconfig("CONFIG_TIDEPOOL=y",
                             f"CONFIG_TIDEPOOL_CHECKS_{level}=y"))

    def test_kconfig_offers_the_sanitizer_and_with_a_shell_a_command(self):
        self.assertIn("TIDEPOOL_SANITIZE", self.kconfig(
            "CONFIG_TIDEPOOL=y", "CONFIG_TIDEPOOL_SANITIZE=y"))
        self.assertIn("TIDEPOOL_SHELL", self.kconfig(
            "CONFIG_SHELL=y", "CONFIG_TIDEPOOL=y", "CONFIG_TIDEPOOL_SHELL=y"))
        self.assertEqual(DEFAULT, self.kconfig(
            "CONFIG_TIDEPOOL=y", "CONFIG_TIDEPOOL_SHELL=y"))

    def test_rows_that_name_no_lock_have_that_of_kconfig(self):
        for name, wanted in (("TABLE", "PRIMASK"), ("PRIMASK", "PRIMASK"),
                             ("NONE", "NONE")):
            symbols = self.kconfig("CONFIG_TIDEPOOL=y",
                                   f"CONFIG_TIDEPOOL_LOCK_{name}=y")
            self.assertEqual({f"TIDEPOOL_LOCK_{name}"},
                             {one for one in symbols if "LOCK" in one})
            project = self.settled(*symbols)
            source = (project.folder / "build/app_pools/tp_pools.c").read_text()
            self.assertEqual({wanted},
                             set(re.findall(r"\.lock = TP_LOCK_(\w+),", source)))

    def configured(self, name, *symbols):
        return self.on_paper(Project("zephyr", name), *symbols,
                             modules=f"-DZEPHYR_EXTRA_MODULES={self.MODULE}")

    def settled(self, *symbols, edits=()):
        """One project for all who look at what is configured: anew each time, and what
        another turned on is off."""
        every = re.findall(r"config (\w+)\n\tbool", (self.MODULE / "Kconfig")
                           .read_text(), re.M)
        return edited(self, settling(), *edits).configure(
            f"-DZephyr_DIR={HERE}/paper_zephyr",
            f"-DZEPHYR_EXTRA_MODULES={self.MODULE}",
            *[f"-DCONFIG_{one}={'ON' if one in symbols else 'OFF'}" for one in every])

    @staticmethod
    def on_paper(project, *symbols, modules):
        return project.configure(f"-DZephyr_DIR={HERE}/paper_zephyr", modules,
                                 *[f"-DCONFIG_{symbol}=y" for symbol in symbols])

    def test_an_application_with_banks_links_and_an_edit_links_it_again(self):
        project = self.configured("zephyr", *self.kconfig(
            "CONFIG_TIDEPOOL=y", "CONFIG_TIDEPOOL_CHECKS_POISON=y"))
        elf = project.folder / "build" / "firmware"
        project.must_build()
        self.assertEqual(0, exit_code(elf))
        self.assertIn("-DTP_CHECKS=2",
                      (project.folder / "build/build.ninja").read_text())
        before = section_size(elf, ".tp_arena_psram")
        project.edit("pools.toml", "count = 16", "count = 32")
        project.must_build()
        self.assertEqual(2 * before, section_size(elf, ".tp_arena_psram"))

    def test_the_module_is_found_by_one_line_before_find_package(self):
        line = ("list(APPEND ZEPHYR_EXTRA_MODULES"
                " ${CMAKE_CURRENT_SOURCE_DIR}/tidepool/port/zephyr)")
        self.assertIn(f"`{line}`", (PORT / "README.md").read_text())
        project = Project("zephyr", "zephyr-line")
        (project.folder / "tidepool").symlink_to(ROOT)
        project.edit("CMakeLists.txt", "find_package(", line + "\nfind_package(")
        self.on_paper(project, "TIDEPOOL", modules="-DTIDEPOOL_GC_SECTIONS=OFF")
        self.assertTrue(self.compiles(project, "tp_pools.c", "tp_core.c", "main.c"))

    def test_paper_refuses_the_paths_that_zephyr_refuses(self):
        for path in ("tidepool/port/zephyr", ROOT):  # Relative; no module.yml.
            project = Project("zephyr", "zephyr-refused")
            (project.folder / "tidepool").symlink_to(ROOT)
            with self.assertRaisesRegex(AssertionError, "not a valid zephyr module"):
                self.on_paper(project, "TIDEPOOL",
                              modules=f"-DZEPHYR_EXTRA_MODULES={path}")

    @classmethod
    @functools.lru_cache(None)
    def watched(cls):
        """An image for the sanitizer, which keeps events too."""
        project = Project("zephyr", "zephyr-watched").configure(
            f"-DZephyr_DIR={HERE}/paper_zephyr", "-DCONFIG_TIDEPOOL=y",
            f"-DZEPHYR_EXTRA_MODULES={cls.MODULE}", "-DCONFIG_TIDEPOOL_SANITIZE=y",
            "-DCONFIG_TIDEPOOL_EVENTS=32")
        project.must_build()
        return project.folder / "build/firmware"

    def test_the_sanitizer_looks_at_the_application_s_accesses(self):
        asked = tool("arm-none-eabi-objdump", "-d", "--disassemble=voices_lie_in_psram",
                     self.watched())
        self.assertEqual(0, exit_code(self.watched()))
        self.assertRegex(asked, r"bl\s.*<__asan_(load|store)")

    def test_as_many_events_are_kept_as_it_says(self):
        self.assertIn("TIDEPOOL", self.kconfig(
            "CONFIG_TIDEPOOL=y", "CONFIG_TIDEPOOL_EVENTS=32"))
        symbols = tool("arm-none-eabi-nm", "-S", self.watched())
        self.assertRegex(symbols, r" 00000108 \w tp_events\n")

    def test_what_is_turned_off_again_is_off_in_the_same_build_folder(self):
        project = Project("zephyr", "zephyr-again")
        modules = f"-DZEPHYR_EXTRA_MODULES={self.MODULE}"
        for sanitize, events, there in (("ON", 32, True), ("OFF", 0, False)):
            project.configure(f"-DZephyr_DIR={HERE}/paper_zephyr", modules,
                              "-DCONFIG_TIDEPOOL=y",
                              f"-DCONFIG_TIDEPOOL_SANITIZE={sanitize}",
                              f"-DCONFIG_TIDEPOOL_EVENTS={events}")
            built = (project.folder / "build/build.ninja").read_text()
            for name in ("SANITIZE=1", "EVENTS=32"):
                self.assertEqual(there, f"-DTIDEPOOL_{name}" in built, name)

    def test_a_table_that_waits_finds_the_port_of_zephyr(self):
        project = self.settled("TIDEPOOL", edits=[
            ("pools.toml", 'count = 100, full = "drop"',
             'count = 100, full = "drop", wait = true')])
        self.assertTrue(self.compiles(project, "tp_pools.c", "tp_wait.c", "main.c"))

    def page(self):
        """The application of port/wait/README.md: what each block is written in."""
        told = (PORT / "wait/README.md").read_text()
        section = re.search(r"^## On Zephyr\n(.*?)^## ", told, re.M | re.S)[1]
        return dict(re.findall(r"^```(\w+)\n(.*?)^```$", section, re.M | re.S))

    def test_the_application_of_the_page_on_waits_compiles_as_it_stands_there(self):
        page = self.page()
        project = Project("page", "zephyr-page")
        (project.folder / "tidepool").symlink_to(ROOT)
        for name, language in (("CMakeLists.txt", "cmake"), ("pools.toml", "toml"),
                               ("main.c", "c")):
            (project.folder / name).write_text(page[language])
        (project.folder / "packet.h").write_text(
            "#include <stdint.h>\nstruct packet {\n  uint32_t words[16];\n};\n")
        flags = "-mcpu=cortex-m3 -mthumb -std=c99 -Wall -Werror"
        self.on_paper(project, "TIDEPOOL", modules=f"-DCMAKE_C_FLAGS={flags}")
        project.must("cmake", "--build", "build", "--target", "app")
        self.assertIn(flags, (project.folder / "build/build.ninja").read_text())
        self.assertTrue(any((project.folder / "build").rglob("main.c.*o*")))

    def test_what_is_above_the_mask_may_not_free_what_the_page_s_sender_waits_for(self):
        folder = OUT / "zephyr-above"
        folder.mkdir(parents=True, exist_ok=True)
        table = self.page()["toml"]
        for priority, code in (("0x40", 0), ("0x20", 0), ("0x00", 1)):
            (folder / "pools.toml").write_text(
                table.replace("interrupt = 0x40", f"interrupt = {priority}"))
            result = subprocess.run(
                [sys.executable, ROOT / "lib/config/tidepool.py", "check",
                 folder / "pools.toml"], stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True)
            self.assertEqual(code, result.returncode, result.stdout)
            self.assertEqual(code, result.stdout.count("is above rtos_mask = 0x20"))

    def asked(self, command, more=""):
        """What the shell prints of two pools, whose rows end with [more]: in words."""
        folder = OUT / "zephyr-shell"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "pools.toml").write_text(
            "tidepool = 1\n[pools]\n"
            f'sparks = {{ size = 8, count = 100, full = "drop"{more} }}\n'
            'voices = { size = 32, count = 16, full = "drop" }\n')
        tool(sys.executable, ROOT / "lib/config/tidepool.py", "generate",
             folder / "pools.toml", "--out", folder)
        (folder / "main.c").write_text(MAIN.replace("COMMAND", command))
        tool("gcc", "-no-pie", "-g", "-std=gnu11", "-Wall", "-Wextra", "-Werror",
             *[f"-I{path}" for path in (ROOT / "lib", PORT / "host", folder,
                                        HERE / "paper_rtos")],
             folder / "main.c", folder / "tp_pools.c",
             self.MODULE / f"{command.replace('tidepool', 'tidepool_shell')}.c",
             *host_library("poison"), "-o", folder / "shell")
        return [line.split() for line in tool(folder / "shell").splitlines()]

    def test_the_shell_prints_who_asked_for_each_slot_and_who_gave_it_back(self):
        head, held, back = self.asked("tidepool_owners", ", owner = true")
        self.assertEqual("name slot state asked freed since context".split(), head)
        self.assertEqual(["sparks", "1", "held", "(nil)", "0", "0"],
                         held[:3] + held[4:])
        self.assertEqual(["sparks", "2", "given", "back", "0", "0"],
                         back[:4] + back[6:])
        source = MAIN.splitlines()
        for address, said in ((held[3], "sparks_alloc();"),
                              (back[4], "sparks_free("), (back[5], "sparks_free(")):
            self.assertIn(said, source[self.line_before(address) - 1])

    def line_before(self, address):
        """Of main.c, that of the call which returns there."""
        told = tool("addr2line", "-ie", OUT / "zephyr-shell" / "shell",
                    hex(int(address, 16) - 1))
        return int(re.findall(r"main\.c:(\d+)", told)[-1])

    def test_the_shell_prints_what_each_allocator_holds(self):
        rows = self.asked("tidepool")
        self.assertEqual([["name", "kind", "live", "peak", "capacity", "refused"],
                          ["sparks", "pool", "1", "2", "100", "0", "slots"],
                          ["voices", "pool", "16", "16", "16", "1", "slots"]], rows)

    def compiles(self, project, *sources):
        """Whether the application has objects of them all, which then compile: of
        the library the other images have."""
        told = (project.folder / "build/build.ninja").read_text()
        objects = [re.search(rf"^build (\S*/{re.escape(source)}\.o\w*): ", told, re.M)
                   for source in sources]
        if not all(objects):
            return False
        project.must("ninja", "-C", "build", *[each[1] for each in objects])
        return True

    def test_the_shell_s_command_is_in_an_image_that_asks_for_it(self):
        for symbols, there in ((["TIDEPOOL"], False),
                               (["TIDEPOOL", "TIDEPOOL_SHELL"], True)):
            project = self.settled(*symbols)
            self.assertEqual(there, self.compiles(project, "tidepool_shell.c"))

    def test_the_command_of_owners_is_in_an_image_whose_rows_ask_for_notes(self):
        for more, there in (("", False), (", owner = true", True)):
            project = self.settled("TIDEPOOL", "TIDEPOOL_SHELL", edits=[
                ("pools.toml", 'full = "drop" }', f'full = "drop"{more} }}')])
            self.assertEqual(there, self.compiles(project, "tidepool_shell_owners.c"))

    def test_a_module_that_is_off_adds_nothing(self):
        project = Project("zephyr", "zephyr-off")
        project.edit("CMakeLists.txt", "tidepool_zephyr_pools(pools.toml)",
                     "if(TARGET tidepool)\n  message(FATAL_ERROR it is)\n"
                     "endif()")
        project.configure(f"-DZephyr_DIR={HERE}/paper_zephyr",
                          f"-DZEPHYR_EXTRA_MODULES={self.MODULE}")
