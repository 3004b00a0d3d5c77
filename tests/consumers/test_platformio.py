# SPDX-License-Identifier: MIT
"""The PlatformIO package: its manifest, and its script run on paper."""

import contextlib
import fnmatch
import json
import os
import sys
import unittest

from consumer import HERE, Project, exit_code
from ecosystem import image_bytes, link, objects, package, sources


@contextlib.contextmanager
def working_in(folder):
    """In [folder], and with the complaints of child processes thrown away."""
    before, kept = os.getcwd(), os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.chdir(folder)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)
        os.chdir(before)


class PaperScons:
    """The part of PlatformIO's environments that our script touches."""

    def __init__(self, options=(), **words):
        self.options, self.words = dict(options), words
        self.appended, self.built = {}, []

    def subst(self, text):
        for name, value in self.words.items():
            text = text.replace("$" + name, str(value))
        return text

    def GetProjectOption(self, name, default):
        return self.options.get(name, default)

    def Append(self, **more):
        for name, values in more.items():
            self.appended.setdefault(name, []).extend(values)

    def BuildSources(self, _, folder):
        self.built.append(folder)

    def Exit(self, code):
        sys.exit(code)


class PlatformIo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = package("platformio")
        cls.manifest = json.loads((cls.folder / "library.json").read_text())
        build = cls.manifest["build"]
        folders = [build["includeDir"], *[flag[2:] for flag in build["flags"]]]
        cls.library = objects("platformio", cls.selected(),
                              [cls.folder / folder for folder in folders])

    @classmethod
    def selected(cls):
        """What the manifest's filter takes of the folder it names."""
        build, chosen = cls.manifest["build"], set()
        root = cls.folder / build["srcDir"]
        for rule in build["srcFilter"]:
            names = {path for path in root.rglob("*.c") if fnmatch.fnmatch(
                str(path.relative_to(root)), rule[2:-1])}
            chosen = chosen | names if rule[0] == "+" else chosen - names
        return sorted(chosen)

    def test_the_filter_takes_all_sources(self):
        self.assertEqual(sources(), [str(path.relative_to(self.folder))
                                     for path in self.selected()])

    def test_every_name_in_the_manifest_exists(self):
        build = self.manifest["build"]
        for name in (build["includeDir"] + "/" + self.manifest["headers"],
                     build["extraScript"], *[
                         flag.replace("-I", "") for flag in build["flags"]]):
            self.assertTrue((self.folder / name).exists(), name)

    def run_script(self, project, **options):
        words = {"PROJECT_DIR": project.folder,
                 "BUILD_DIR": project.folder / ".pio"}
        paper = {"env": PaperScons(), "projenv": PaperScons(options, **words),
                 "Import": lambda *names: None}
        default = PaperScons()
        paper["DefaultEnvironment"] = lambda: default
        script = self.folder / self.manifest["build"]["extraScript"]
        with working_in(self.folder):
            exec(compile(script.read_text(), str(script), "exec"), paper)
        return paper["projenv"], default

    def firmware(self, name, **options):
        """The image of a project of that folder, with options of platformio.ini."""
        project = Project(name, "platformio-project")
        projenv, default = self.run_script(project, **options)
        built = [path for folder in projenv.built
                 for path in sorted(HERE.joinpath(folder).glob("*.c"))]
        return link(project, self.library + built,
                    projenv.appended["CPPPATH"], default.appended["LIBPATH"])

    def test_the_script_generates_and_the_firmware_runs(self):
        self.assertEqual(0, exit_code(self.firmware("firmware")))

    def test_a_fence_stops_who_writes_to_it_if_the_project_asks_for_the_mpu(self):
        self.assertEqual(0, exit_code(self.firmware("guarded",
                                                    custom_tidepool_mpu="yes")))
        with self.assertRaisesRegex(AssertionError, "tp_mpu.h: No such file"):
            self.firmware("guarded")

    def test_of_the_guards_by_the_mpu_nothing_is_linked_that_nobody_calls(self):
        without = image_bytes(self.firmware("firmware"))
        self.assertEqual(without, image_bytes(self.firmware(
            "firmware", custom_tidepool_mpu="yes")))

    def test_the_tables_that_the_project_s_includes_are_generated_too(self):
        project = Project("tables", "platformio tables")
        projenv, default = self.run_script(project)
        generated = sorted(HERE.joinpath(projenv.built[0]).glob("*.c"))
        self.assertEqual(3, len(generated))
        elf = link(project, [*self.library, *generated, "net/net.c",
                             "audio/audio.c"],
                   projenv.appended["CPPPATH"], default.appended["LIBPATH"])
        self.assertEqual(0, exit_code(elf))

    def test_flags_of_the_project_alone_that_change_the_level_do_not_link(self):
        """build_src_flags = -DTP_CHECKS=0: the library's objects have no such."""
        project = Project("platformio-project", sources="firmware")
        projenv, default = self.run_script(project)
        generated = sorted(HERE.joinpath(projenv.built[0]).glob("*.c"))
        includes = [f"-I{folder}" for folder in projenv.appended["CPPPATH"]]
        project.must("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-c",
                     "-DTP_CHECKS=0", *includes, *generated)
        with self.assertRaisesRegex(
                AssertionError, "tidepool_ERROR_TIDEPOOL_CHECKS_is_off_in_"
                                "tp_pools_c_but_fast_in_the_library"):
            link(project, [*self.library, "tp_pools.o"],
                 projenv.appended["CPPPATH"], default.appended["LIBPATH"])

    def test_a_mistake_in_the_table_stops_the_script(self):
        project = Project("platformio-project", sources="firmware")
        project.edit("pools.toml", "count = 16", "count = 0")
        with self.assertRaises(SystemExit):
            self.run_script(project)
