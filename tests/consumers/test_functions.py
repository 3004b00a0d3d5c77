# SPDX-License-Identifier: MIT
"""What the functions of tidepool.cmake decide, and what is installed: each is called
by CMake without a project, where what a target would be given is printed."""

import re
import shutil
import subprocess
import unittest

from consumer import OUT, PREFIX, ROOT, install, tool

GIVES = """
foreach(verb target_compile_definitions target_compile_options target_link_options
        target_sources target_include_directories)
  cmake_language(EVAL CODE "function(${verb})
    list(JOIN ARGN \\" \\" words)
    message(\\"${verb} \\${words}\\")
  endfunction()")
endforeach()
function(add_library)
endfunction()
"""
DEFINES = "target_compile_definitions tidepool_headers INTERFACE"
CROSS = "set(CMAKE_CROSSCOMPILING ON)\n"


class Functions(unittest.TestCase):
    def run_cmake(self, lines, *settings):
        folder = OUT / "functions"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        script = folder / "script.cmake"
        script.write_text(f"{GIVES}include({ROOT}/lib/config/tidepool.cmake)\n{lines}")
        result = subprocess.run(["cmake", *settings, "-P", script],
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
        self.assertEqual(0, result.returncode, result.stdout)
        return result.stdout

    def told(self, function, before="", *settings):
        """What a function sets its result to."""
        said = self.run_cmake(f'{before}\n{function}\nmessage("<${{result}}>")\n',
                              *settings)
        return re.search("<(.*)>", said)[1]


class Decided(Functions):
    def test_a_port_follows_from_the_processor_however_it_is_spelled(self):
        for words, port in (("arm", "cortex_m"), ("cortex-m7", "cortex_m"),
                            ("thumbv7em", "cortex_m"), ("ARMv7-M", "cortex_m"),
                            ("riscv32", "riscv"), ("riscv", "riscv")):
            for name in ("SYSTEM_PROCESSOR", "C_COMPILER_TARGET"):
                self.assertEqual(f"{ROOT}/port/{port}", self.told(
                    "tidepool_port(result)", f"{CROSS}set(CMAKE_{name} {words})"))
        self.assertEqual(f"{ROOT}/port/host", self.told(
            "tidepool_port(result)", "set(CMAKE_SYSTEM_PROCESSOR arm)"))

    def test_a_compiler_is_asked_where_nothing_says_what_it_compiles_for(self):
        self.assertEqual(f"{ROOT}/port/cortex_m", self.told(
            "tidepool_port(result)",
            f"{CROSS}set(CMAKE_C_COMPILER arm-none-eabi-gcc)"))

    def test_a_port_that_is_named_is_a_folder_of_port_or_a_path(self):
        for named in ("posix", f"{ROOT}/port/posix"):
            self.assertEqual(f"{ROOT}/port/posix", self.told(
                "tidepool_port(result)", "", f"-DTIDEPOOL_PORT={named}"))

    def test_a_comment_names_no_class_in_whatever_language_it_is(self):
        """Else a project of C alone is told to name C++."""
        OUT.mkdir(parents=True, exist_ok=True)
        table = OUT / "comments.toml"
        for comment in ('"std::vector"', 'Für "std::vector"', "用 'std::vector'"):
            table.write_text(f"tidepool = 1  # {comment}\n", encoding="utf-8")
            self.run_cmake(f"tidepool_language({table} tp_pools.c)")

    def test_a_level_is_its_number(self):
        for number, level in enumerate(("off", "fast", "poison", "full")):
            self.assertEqual(str(number), self.told(
                "tidepool_level(result)", "", f"-DTIDEPOOL_CHECKS={level}"))
        self.assertEqual("1", self.told("tidepool_level(result)"))

    def test_a_lock_that_is_named_is_that_of_the_generator(self):
        call = "tidepool_generator(result pools.toml out)"
        known = "set_property(GLOBAL PROPERTY tidepool_python py)"
        made = f"py;{ROOT}/lib/config/tidepool.py;generate;pools.toml;--out;out"
        self.assertEqual(made, self.told(call, known))
        self.assertEqual(made + ";--lock=none",
                         self.told(call, known, "-DTIDEPOOL_LOCK=none"))


class Given(Functions):
    def given(self, call, *settings, before=""):
        return self.run_cmake(f"{before}\n{call}\n", *settings).split("\n")[:-1]

    def test_a_program_of_this_machine_sorts_what_lies_in_a_bank_by_itself(self):
        wanted = "tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld"
        call = 'tidepool_without_script(fw PRIVATE "{}")'
        for of in ("", "_of_a_pools_toml_that_includes_net"):
            self.assertEqual(["target_link_options fw PRIVATE -Wl,--defsym="
                              f"{wanted}{of}=0 -Wl,--sort-section=name"],
                             self.given(call.format(of)))
        self.assertEqual([], self.given(call.format(""), before=CROSS))

    def test_events_are_kept_where_their_number_is_not_0(self):
        self.assertEqual([], self.given("tidepool_events()"))
        self.assertEqual([f"{DEFINES} TIDEPOOL_EVENTS=16"],
                         self.given("tidepool_events()", "-DTIDEPOOL_EVENTS=16"))

    def test_each_compiler_has_checks_of_its_own_where_they_are_wanted(self):
        call, folder = "tidepool_sanitize()", f"{ROOT}/lib/config"
        self.assertEqual([], self.given(call))
        for compiler, flags in (("GNU", "gnu"), ("Clang", "clang"),
                                ("AppleClang", "clang")):
            self.assertEqual(
                ["target_compile_options tidepool_checks INTERFACE "
                 f"$<$<COMPILE_LANGUAGE:C,CXX>:@{folder}/sanitize_{flags}.flags>",
                 "target_link_options tidepool_checks INTERFACE "
                 f"@{folder}/sanitize_link.flags", f"{DEFINES} TIDEPOOL_SANITIZE=1"],
                self.given(call, "-DTIDEPOOL_SANITIZE=ON",
                           before=f"set(CMAKE_C_COMPILER_ID {compiler})"))

    def test_a_soak_speaks_by_semihosting_or_to_the_host(self):
        for before, file in (("", "semihost_host.c"), (CROSS, "semihost.c")):
            found = self.given("tidepool_soak()", before=before)
            self.assertRegex(found[0], rf"/telemetry/\S+\.c .*/qemu/{file}$")
            self.assertEqual("target_include_directories tidepool_headers INTERFACE "
                             f"{ROOT}/qemu/telemetry", found[1])
            self.assertEqual(f"{DEFINES} TIDEPOOL_SOAK=1", found[2])


class Installed(unittest.TestCase):
    def setUp(self):
        install()
        self.share = PREFIX / "share" / "tidepool"

    def test_every_port_of_a_firmware_is_installed_to_the_last_header(self):
        there = {path.relative_to(ROOT) for path in (ROOT / "port").rglob("*.[ch]")
                 if path.parts[len(ROOT.parts) + 1] != "zephyr"}
        self.assertEqual(there, {path.relative_to(self.share) for path in
                                 (self.share / "port").rglob("*.[ch]")})
        self.assertTrue((self.share / "port/gdb/tidepool_gdb.py").is_file())

    def test_the_generator_and_what_both_builds_read_are_installed(self):
        wanted = [path.relative_to(ROOT) for ending in ("*.py", "*.mk", "*.flags",
                                                        "*.cmake", "*.[ch]", "*.hpp")
                  for path in (ROOT / "lib").rglob(ending)
                  if path.name != "install.cmake"]
        for path in wanted:
            self.assertTrue((self.share / path).is_file(), path)
        self.assertTrue((self.share / "LICENSE").is_file())

    def test_a_package_serves_who_wants_its_minor_version_or_an_older_patch(self):
        file = self.share / "tidepool-config-version.cmake"
        version = re.search(r'PACKAGE_VERSION "([\d.]+)"', file.read_text())[1]
        major, minor = version.split(".")[:2]
        script = OUT / "version.cmake"
        for wanted, serves in ((version, True), (f"{major}.{int(minor) + 1}", False),
                               (f"{int(major) + 1}.{minor}", False),
                               *[(f"{major}.{int(minor) - 1}", False)]
                               * (minor != "0")):
            script.write_text(
                f"set(PACKAGE_FIND_VERSION {wanted})\nset(PACKAGE_FIND_VERSION_MAJOR "
                f"{wanted.split('.')[0]})\nset(PACKAGE_FIND_VERSION_MINOR "
                f'{wanted.split(".")[1]})\ninclude({file})\n'
                'message(STATUS "<${PACKAGE_VERSION_COMPATIBLE}>")\n')
            self.assertEqual(serves, "<TRUE>" in tool("cmake", "-P", script), wanted)


if __name__ == "__main__":
    unittest.main()
