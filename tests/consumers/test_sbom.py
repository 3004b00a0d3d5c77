# SPDX-License-Identifier: MIT
"""The bill of materials of a user's image says what is in it, and nothing else."""

import copy
import hashlib
import json
import os
import re
import shutil
import unittest

import bills
from consumer import (CLANG_FOR_MAKE, HERE, OUT, PREFIX, ROOT, Project, built,
                      compiled_library, edited, install, is_full, made_by,
                      only_in_full, tool)

VERB = ("python3", "tidepool/lib/config/tidepool.py", "sbom")
VERSION = re.search(r'VERSION_TEXT "(.*)"', (ROOT / "lib" / "tidepool_version.h")
                    .read_text())[1]


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hashes(document):
    """name -> SHA-256 of each file, of either form."""
    if "spdxVersion" in document:
        return {one["fileName"][2:]: one["checksums"][1]["checksumValue"]
                for one in document["files"]}
    files = [*document["components"], *document["components"][0]["components"]]
    return {one["name"]: one["hashes"][1]["content"]
            for one in files if one["type"] == "file"}


# Two programs and a library of both, each with a same.c. With that library comes ours.
OF_ONE_NAME = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.20)
project(names C)
add_subdirectory(tidepool)
add_library(net STATIC net/same.c)
target_link_libraries(net PRIVATE tidepool::tidepool PUBLIC tidepool::headers)
set(TIDEPOOL_LIBRARY tidepool::headers)
foreach(name one two)
  add_executable(${name} ${name}/same.c)
  target_link_libraries(${name} PRIVATE net)
  tidepool_pools(TARGET ${name} CONFIG ${name}/pools.toml)
  tidepool_sbom(TARGET ${name})
endforeach()
""",
    "net/same.c": "int net(void);\nint net(void) { return 0; }\n",
    "one/same.c": '#include "tp_pools.h"\nint net(void);\n'
                  "int main(void) { return net() + !a_alloc(); }\n",
    "two/same.c": '#include "tp_pools.h"\nint net(void);\n'
                  "int main(void) { return net() + !b_alloc(); }\n",
    "one/pools.toml": "tidepool = 1\n[pools]\n"
                      'a = { size = 8, count = 4, full = "drop" }\n',
    "two/pools.toml": "tidepool = 1\n[pools]\n"
                      'b = { size = 8, count = 5, full = "drop" }\n'}


class ByCMake(unittest.TestCase):
    image = "build/firmware"

    @classmethod
    def project_of(cls, name):
        """One with a library of its own, which may be edited."""
        project = Project("sbom", f"{cls.__name__}-{name}")
        mine = project.folder / "tidepool"
        mine.unlink()
        for part in ("lib", "port"):
            shutil.copytree(ROOT / part, mine / part)
        for part in ("CMakeLists.txt", "LICENSE"):
            shutil.copy(ROOT / part, mine / part)
        return project

    @classmethod
    def build(cls, project):
        if not (project.folder / "build").exists():
            project.configure()
        return project.build()

    @classmethod
    def documents(cls, project):
        """As it is now: SPDX, CycloneDX."""
        code, output = cls.build(project)
        assert code == 0, output
        return [json.loads((project.folder / f"{cls.image}.{form}.json").read_text())
                for form in ("spdx", "cdx")]

    @classmethod
    def setUpClass(cls):
        cls.project = cls.project_of("bill")
        cls.spdx, cls.cyclonedx = cls.documents(cls.project)

    def test_both_have_what_their_specifications_require(self):
        self.assertEqual([], list(bills.wrong(self.spdx, bills.SPDX)))
        self.assertEqual([], list(bills.wrong(self.cyclonedx, bills.CYCLONEDX)))
        self.assertEqual([], bills.dangling(self.spdx, self.cyclonedx))

    def test_the_image_is_named_by_its_hash(self):
        wanted = sha256(self.project.folder / self.image)
        image = self.spdx["packages"][0]
        self.assertEqual(("firmware", wanted),
                         (image["name"], image["checksums"][1]["checksumValue"]))
        image = self.cyclonedx["metadata"]["component"]
        self.assertEqual(("firmware", wanted),
                         (image["name"], image["hashes"][1]["content"]))

    def test_version_licence_level_and_compiler_are_named(self):
        library, compiler = self.spdx["packages"][1:3]
        self.assertEqual((VERSION, "MIT"), (library["versionInfo"],
                                            library["licenseDeclared"]))
        self.assertIn("Check level fast.", library["comment"])
        version = tool("arm-none-eabi-gcc", "-dumpfullversion").strip()
        self.assertEqual("GCC", compiler["name"])
        self.assertIn(version, compiler["versionInfo"])
        library, compiler = (self.cyclonedx["components"][at] for at in (0, -1))
        self.assertEqual((VERSION, [{"license": {"id": "MIT"}}]),
                         (library["version"], library["licenses"]))
        self.assertEqual([{"name": "tidepool:checks", "value": "fast"}],
                         library["properties"])
        self.assertIn(version, compiler["version"])

    def test_each_file_has_its_hash_and_both_documents_the_same(self):
        found = hashes(self.spdx)
        self.assertEqual(found, hashes(self.cyclonedx))
        for name, value in found.items():
            if "/" in name:
                path = self.project.folder / "tidepool" / name
            elif name == "pools.toml":
                path = self.project.folder / name
            else:
                path, = self.project.folder.rglob(name)
            self.assertEqual(sha256(path), value, name)
        self.assertLessEqual({"pools.toml", "tp_pools.h", "tp_pools.c", "tp_pools.ld",
                              "lib/tidepool.h", "port/cortex_m/tp_port.h"},
                             set(found))

    def test_a_file_whose_code_comes_into_the_image_is_named_from_then_on(self):
        newly = {f"lib/allocator/tp_{name}" for name in ("stack.c", "stack.h", "bump.c",
                                                         "bump.h")}
        before = set(hashes(self.spdx))
        self.assertEqual(set(), newly & before)
        restore = [self.project.edit(
            "pools.toml", "[pools]", "[stacks]\nscratch = { bytes = 64, full ="
            ' "drop" }\n[pools]'), self.project.edit(
            "main.c", "int main(void)\n{", "int main(void)\n{\n"
            "  if (!scratch_alloc(8, 8)) return 4;")]
        for undo in restore:
            self.addCleanup(undo)
        after = set(hashes(self.documents(self.project)[0]))
        self.assertLessEqual(newly, after)
        self.assertEqual(set(), before - after)
        for undo in restore:
            undo()
        again = self.documents(self.project)
        self.assertEqual([self.spdx, self.cyclonedx], again)

    def test_one_byte_of_a_file_changes_its_hash_and_no_other(self):
        for path, name in (("tidepool/lib/policy/tp_policy.c",
                            "lib/policy/tp_policy.c"), ("pools.toml", "pools.toml")):
            text = (self.project.folder / path).read_text()
            (self.project.folder / path).write_text(text + " ")
            try:
                for old, new in zip((self.spdx, self.cyclonedx),
                                    self.documents(self.project)):
                    was, now = hashes(old), hashes(new)
                    self.assertEqual({name}, {one for one in was | now
                                              if was.get(one) != now.get(one)})
            finally:
                (self.project.folder / path).write_text(text)

    def test_the_same_input_gives_the_same_bytes_wherever_it_lies(self):
        other = self.project_of("a longer name")
        self.assertEqual([self.spdx, self.cyclonedx], self.documents(other))

    def test_no_path_of_this_machine_is_in_it(self):
        text = json.dumps([self.spdx, self.cyclonedx])
        for path in (str(ROOT), str(OUT), "/usr", os.path.expanduser("~") + "/"):
            self.assertNotIn(path, text)


class ByMake(ByCMake):
    image = "firmware"

    # One script writes both, of the same lists: of CMake's it is shown by default.
    test_the_same_input_gives_the_same_bytes_wherever_it_lies = only_in_full(
        ByCMake.test_the_same_input_gives_the_same_bytes_wherever_it_lies)

    @classmethod
    def build(cls, project):
        return project.run("make", "-j2")


class Documents(unittest.TestCase):
    """Of an image by make; what a document says, and what is no document."""

    @classmethod
    def setUpClass(cls):
        """Linked at first without a map, and all the rest made."""
        cls.project = made_by("gcc").elsewhere("sbom-documents")
        shutil.copy(HERE / "sbom/Makefile", cls.project.folder)
        cls.project.edit("Makefile", "-mthumb -Os", "-mthumb -Os -g")
        cls.map = "build/tidepool/link.map"
        assert not (cls.project.folder / cls.map).exists()
        cls.project.must("make", "-j2")

    def say(self, *words, **settings):
        before = dict(os.environ)
        os.environ.update(settings)
        try:
            return self.project.run(*VERB, *words)
        finally:
            os.environ.clear()
            os.environ.update(before)

    def document(self, form="spdx", name="firmware"):
        return json.loads((self.project.folder / f"{name}.{form}.json").read_text())

    def refused(self, sentence, *words, code=2, **settings):
        found, output = self.say(*words, **settings)
        self.assertEqual(code, found, output)
        self.assertIn(sentence, output)
        self.assertEqual(1, output.count("\n"), output)

    def written(self, name, data):
        path = self.project.folder / name
        path.write_bytes(data)
        self.addCleanup(path.unlink)
        return name

    def test_make_links_again_where_the_image_was_linked_without_a_map(self):
        self.assertIn("lib/core/tp_core.c", hashes(self.document()))

    def test_the_checker_notices_whatever_is_left_out(self):
        for document, form in ((self.document(), bills.SPDX),
                               (self.document("cdx"), bills.CYCLONEDX)):
            for key in [key for key in form if key[0] != "?"]:
                less = copy.deepcopy(document)
                del less[key]
                self.assertEqual([f"/{key}: missing"], list(bills.wrong(less, form)))
        less = self.document()
        less["files"][3]["checksums"][0]["checksumValue"] = "0123"
        self.assertEqual(1, len(list(bills.wrong(less, bills.SPDX))))
        less["relationships"][0]["relatedSpdxElement"] = "SPDXRef-None"
        self.assertEqual(["SPDXRef-None"], bills.dangling(less, self.document("cdx")))

    def test_the_sources_named_are_those_that_the_image_s_debug_information_names(self):
        """Which another compiler's part wrote down in another way."""
        lines = tool("arm-none-eabi-nm", "-l", self.project.folder / "firmware")
        wanted = set(re.findall(r"tidepool/(lib/\S+\.[ch]):\d+$", lines, re.M))
        found = {name for name in hashes(self.document()) if name.startswith("lib/")}
        self.assertGreater(len(wanted), 2)
        self.assertEqual({name for name in wanted if name.endswith(".c")},
                         {name for name in found if name.endswith(".c")})
        self.assertLessEqual(wanted, found)

    def test_the_time_is_that_of_source_date_epoch_and_no_clock_s(self):
        self.assertEqual("1970-01-01T00:00:00Z",
                         self.document()["creationInfo"]["created"])
        self.assertNotIn("timestamp", self.document("cdx")["metadata"])
        self.say("firmware", "--map", self.map, "--out", ".",
                 SOURCE_DATE_EPOCH="1700000000")
        self.addCleanup(self.say, "firmware", "--map", self.map)
        self.assertEqual("2023-11-14T22:13:20Z",
                         self.document()["creationInfo"]["created"])
        self.assertEqual("2023-11-14T22:13:20Z",
                         self.document("cdx")["metadata"]["timestamp"])
        self.say("firmware", "--map", self.map, "--out", ".",
                 SOURCE_DATE_EPOCH="-60000000000")  # Four digits, whatever the year.
        self.assertEqual("0068-09-03T13:20:00Z",
                         self.document()["creationInfo"]["created"])
        self.refused('SOURCE_DATE_EPOCH is "today": it must be seconds since 1970',
                     "firmware", "--map", self.map, SOURCE_DATE_EPOCH="today")

    def test_an_object_without_a_list_of_its_headers_is_told_of(self):
        hidden = self.project.folder / "main.d"
        hidden.rename(hidden.with_suffix(".kept"))
        code, output = self.say("firmware", "--map", self.map)
        hidden.with_suffix(".kept").rename(hidden)
        self.addCleanup(self.say, "firmware", "--map", self.map)
        self.assertEqual((0, "firmware: note: of main.o no list of its headers was"
                          " found: it may have more of Tidepool\n"), (code, output))
        self.assertIn("main.o", self.document()["packages"][0]["comment"])
        self.assertEqual("incomplete",
                         self.document("cdx")["compositions"][1]["aggregate"])

    def test_what_is_no_image_or_no_map_is_a_sentence(self):
        self.refused("cannot read it: No such file", "firmware", "--map", "no.map")
        self.refused("cannot read it: No such file", "none", "--map", self.map)
        self.refused("main.c: it is no whole link map of GNU ld or lld", "firmware",
                     "--map", "main.c")
        self.refused("main.c: not an ELF file", "main.c", "--map", self.map)
        begun = (self.project.folder / "firmware").read_bytes()[:700]
        self.refused("not an ELF file", self.written("torn", begun), "--map", self.map)
        self.refused("no object in it was compiled of a file of", "firmware", "--map",
                     self.map, "--folder", "/dev")

    def test_what_was_stripped_is_a_sentence(self):
        self.written("bare", (self.project.folder / "firmware").read_bytes())
        self.project.must("arm-none-eabi-objcopy", "-R", ".comment", "bare")
        self.refused("--compiler does", "bare", "--map", self.map)
        self.assertEqual((0, ""), self.say("bare", "--map", self.map, "--compiler",
                                           "GCC: 12.2.1"))
        self.assertEqual("12.2.1", self.document(name="bare")["packages"][2]
                         ["versionInfo"])
        self.project.must("arm-none-eabi-strip", "bare")
        self.refused("or its symbols were stripped", "bare", "--map", self.map)

    def test_a_table_that_was_edited_since_is_a_sentence(self):
        self.addCleanup(self.project.edit("pools.toml", "count = 100", "count = 99"))
        self.refused("it is not what the table makes now: build again", "firmware",
                     "--map", self.map)

    def test_a_torn_map_or_that_of_another_image_is_a_sentence(self):
        whole = (self.project.folder / self.map).read_bytes()
        torn = self.project.folder / self.written("torn.map", b"")
        for end in range(0, whole.index(b"\nOUTPUT("), len(whole) // 24):
            torn.write_bytes(whole[:end])
            self.refused("it is no whole link map", "firmware", "--map", "torn.map")
        size = re.search(rb"^\.text +0x0+ +0x(\w+)", whole, re.M)[1]
        torn.write_bytes(whole.replace(size, size[:-1] + b"1", 1))
        self.refused("it is the map of another image", "firmware", "--map", "torn.map")


class Ways(unittest.TestCase):
    """Other ways to build than those that all is tried with."""

    def names(self, project, image="build/firmware"):
        return sorted(hashes(json.loads(
            (project.folder / f"{image}.spdx.json").read_text())))

    def built(self, name, edits=(), way="sbom", settings=(), **options):
        project = Project(way, f"sbom-{name}")
        for edit in edits:
            project.edit(*edit)
        project.configure(*settings, **options).must_build()
        return project

    @only_in_full
    def test_by_ninja_and_unix_makefiles_and_make_it_is_the_same_files(self):
        ninja, = [self.names(self.built("ninja"))]
        makefiles = self.built("makefiles", generator="Unix Makefiles")
        self.assertEqual(ninja, self.names(makefiles))
        make = Project("sbom", "sbom-by-make")
        make.must("make", "-j2")
        self.assertEqual(ninja, self.names(make, "firmware"))

    def test_a_ninja_that_is_not_there_is_a_sentence(self):
        project = built("sbom")
        project.must_build()
        code, output = project.run(
            *VERB, "build/firmware", "--map", "build/firmware_pools/link.map",
            "--folder", "build", "--ninja", "no-such-ninja")
        self.assertEqual(2, code)
        self.assertIn("build was built by ninja, and no-such-ninja does not say of"
                      " what: --ninja names the one that built it", output)

    def test_a_folder_whose_name_ninja_loses_is_a_sentence(self):
        project = Project("sbom", "sbom it's & so").configure(compiled_library())
        code, output = project.build()
        self.assertNotEqual(0, code)
        self.assertRegex(output, "ninja loses the names of files whose path has & or ',"
                                 " and what to build again: build in another folder")

    def test_of_several_configurations_each_image_has_its_own(self):
        """Whichever is the default, and linked in the same moment."""
        names = ("Debug", "MinSizeRel")
        project = self.built("multi", settings=(
            f"-DCMAKE_CONFIGURATION_TYPES={';'.join(names)}", compiled_library(),
            "-DCMAKE_CROSS_CONFIGS=all"), generator="Ninja Multi-Config")
        project.must("cmake", "--build", "build", "--config", names[1])
        project.edit("main.c", "return 2", "return 4")
        project.must("ninja", "-C", "build", "all:all")
        for name in names:
            image = project.folder / "build" / name / "firmware"
            document = json.loads((image.parent / "firmware.cdx.json").read_text())
            self.assertEqual(sha256(image), document["metadata"]["component"]
                             ["hashes"][1]["content"])
            self.assertIn("tp_pools.h", self.names(project, f"build/{name}/firmware"))

    def test_a_folder_s_name_is_none_of_the_linker_s_words(self):
        for generator in ("Ninja", "Unix Makefiles"):
            project = Project("sbom", "sbom, 100% so")
            project.configure(compiled_library(), generator=generator).must_build()
            self.names(project)

    def test_the_map_may_be_one_that_the_link_writes_anyway(self):
        project = edited(self, built("sbom"), (
            "CMakeLists.txt", "tidepool_sbom(TARGET firmware)", "target_link_options("
            "firmware PRIVATE -Wl,-Map=mine.map)\ntidepool_sbom(TARGET firmware MAP"
            " mine.map)"))
        (project.folder / "build/firmware_pools/link.map").unlink()
        project.must_build()
        self.assertIn("lib/core/tp_core.c", self.names(project))
        self.assertFalse((project.folder / "build/firmware_pools/link.map").exists())

    def test_of_a_program_of_this_machine_too(self):
        project = Project("sbom", "sbom-host")
        project.edit("CMakeLists.txt", " startup.c", "")
        project.edit("CMakeLists.txt", "target_link_options(firmware PRIVATE"
                     " -T ${CMAKE_SOURCE_DIR}/firmware.ld)\n", "")
        project.must("cmake", "-B", "build", "-DCMAKE_C_COMPILER=gcc")
        project.must_build()
        document = json.loads((project.folder / "build/firmware.spdx.json").read_text())
        self.assertEqual([], list(bills.wrong(document, bills.SPDX)))
        self.assertIn("port/host/tp_port.h", self.names(project))
        gcc = tool("gcc", "-dumpfullversion").strip()
        self.assertTrue(any(one["name"] == "GCC" and gcc in one["versionInfo"]
                            for one in document["packages"]))

    def test_an_object_of_an_archive_is_not_taken_for_another_of_its_name(self):
        """As unity_0_c.c.o, which each target has of a unity build."""
        for generator in ("Ninja", "Unix Makefiles"):
            project = Project("sbom", f"sbom-names-{generator[0]}".lower())
            for name, text in OF_ONE_NAME.items():
                path = project.folder / name
                path.parent.mkdir(exist_ok=True)
                path.write_text(text)
            project.must("cmake", "-B", "build", "-G", generator,
                         "-DCMAKE_C_COMPILER=gcc")
            project.must_build()
            for name in ("one", "two"):
                self.assertIn("tp_pools.h", self.names(project, f"build/{name}"))

    def test_by_clang_and_lld_too(self):
        """By make; by CMake in a full run, where they name the same."""
        one = Project("sbom", "sbom-make-clang")
        one.must("make", "-j2", CLANG_FOR_MAKE)
        self.assertIn("lib/core/tp_core.c", self.names(one, "firmware"))
        document = json.loads((one.folder / "firmware.cdx.json").read_text())
        self.assertEqual(["Debian LLD", "Debian clang"], [
            part["name"] for part in document["components"]
            if part["type"] == "application"])
        if is_full():
            other = self.built("clang", toolchain="clang.cmake")
            self.assertEqual(self.names(other), self.names(one, "firmware"))

    @only_in_full
    def test_tables_of_libraries_are_named_and_what_is_made_of_each(self):
        for kind in ("STATIC", "INTERFACE"):
            for generator in ("Ninja", "Unix Makefiles"):
                project = self.built(
                    f"tables-{kind}-{generator[0]}".lower(), way="tables",
                    edits=[("CMakeLists.txt", "tidepool_pools(TARGET firmware CONFIG"
                            " pools.toml)", "tidepool_pools(TARGET firmware CONFIG"
                            " pools.toml)\ntidepool_sbom(TARGET firmware)")],
                    settings=[f"-DKIND={kind}"], generator=generator)
                self.assertLessEqual(
                    {"pools.toml", "net/pools.toml", "net_pools.c", "audio_pools.c"},
                    set(self.names(project)))
                document = json.loads((project.folder / "build/firmware.cdx.json")
                                      .read_text())
                made = {one["ref"]: one["dependsOn"]
                        for one in document["dependencies"]}
                self.assertEqual(["net/pools.toml"], made["net_pools.c"])

    @only_in_full
    def test_an_installed_package_writes_it_too(self):
        install()
        project = self.built("installed", way="find_package", edits=[(
            "CMakeLists.txt", "tidepool_pools(TARGET firmware CONFIG pools.toml)",
            "tidepool_pools(TARGET firmware CONFIG pools.toml)\n"
            "tidepool_sbom(TARGET firmware)")],
            settings=[f"-DCMAKE_PREFIX_PATH={PREFIX}"])
        self.assertIn("lib/core/tp_core.c", self.names(project))

    @only_in_full
    def test_optimised_across_files_it_says_what_it_does_not_know(self):
        flag = [("gcc.cmake", "-mthumb", "-mthumb -flto")]
        project = self.built("lto-gcc", flag)
        document = json.loads(
            (project.folder / "build/firmware.spdx.json").read_text())
        self.assertIn("all that were linked are here",
                      document["packages"][0]["comment"])
        self.assertIn("lib/allocator/tp_stack.c", self.names(project))
        clang = Project("sbom", "sbom-lto-clang")
        clang.edit("clang.cmake", "-ffreestanding", "-ffreestanding -flto")
        code, output = clang.configure(toolchain="clang.cmake").build()
        self.assertNotEqual(0, code)
        self.assertIn("the map does not say what was linked with -flto", output)

    def test_a_target_without_a_table_is_a_sentence(self):
        project = Project("sbom", "sbom-early")
        project.edit("CMakeLists.txt", "tidepool_pools(TARGET firmware CONFIG"
                     " pools.toml)\n", "")
        code, output = project.run(
            "cmake", "-B", "build",
            f"-DCMAKE_TOOLCHAIN_FILE={project.folder}/gcc.cmake")
        self.assertNotEqual(0, code)
        self.assertIn("tidepool_pools() was called for before",
                      " ".join(output.split()))


if __name__ == "__main__":
    unittest.main()
