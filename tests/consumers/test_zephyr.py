# SPDX-License-Identifier: MIT
"""The Zephyr module: its metadata by linters, its CMake code on paper."""

import subprocess
import unittest

from consumer import HERE, OUT, Project, exit_code, section_size
from ecosystem import DEBIAN_PYTHON, PORT, yaml


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
            "config CPU_CORTEX_M\n\tdef_bool y\n"
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
        return set(result.stdout.split()) - {"CPU_CORTEX_M"}

    def test_kconfig_is_off_by_default_and_then_fast(self):
        self.assertEqual(set(), self.kconfig())
        self.assertEqual({"TIDEPOOL", "TIDEPOOL_CHECKS_FAST"},
                         self.kconfig("CONFIG_TIDEPOOL=y"))

    def test_kconfig_offers_every_level(self):
        for level in ("OFF", "FAST", "POISON", "FULL"):
            self.assertEqual(
                {"TIDEPOOL", f"TIDEPOOL_CHECKS_{level}"},
                self.kconfig("CONFIG_TIDEPOOL=y",
                             f"CONFIG_TIDEPOOL_CHECKS_{level}=y"))

    def configured(self, name, *symbols):
        return Project("zephyr", name).configure(
            f"-DZephyr_DIR={HERE}/paper_zephyr",
            f"-DZEPHYR_EXTRA_MODULES={self.MODULE}",
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

    def test_a_module_that_is_off_adds_nothing(self):
        project = Project("zephyr", "zephyr-off")
        project.edit("CMakeLists.txt", "tidepool_zephyr_pools(pools.toml)",
                     "if(TARGET tidepool)\n  message(FATAL_ERROR it is)\n"
                     "endif()")
        project.configure(f"-DZephyr_DIR={HERE}/paper_zephyr",
                          f"-DZEPHYR_EXTRA_MODULES={self.MODULE}")
