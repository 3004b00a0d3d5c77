# SPDX-License-Identifier: MIT
"""With one option each way to build has the application ask at each access, by the
flags of its compiler; without it none does."""

import unittest

from consumer import (CLANG_FOR_MAKE, PREFIX, Project, exit_code, install, is_full,
                      made_by, tool)

DEAD = 24  # As lib/check/tp_level.h numbers it.
MISTAKE = """\
static uint32_t kind;

static void note(const struct tp_fault_record *record)
{
  kind = record->kind;
}

int main(void)
{
  tp_sanitize_report(note);
  struct voice *voice = voices_alloc();
  voices_free(voice);
  voice->note[7] = 440;
  return (int)kind;
}
"""


def setUpModule():
    install()


def firmware(project):
    """[project], but it writes to what it gave back."""
    text = (project.folder / "main.c").read_text()
    head = text[:text.index("static int count_sparks")]
    project.edit("main.c", text, head + '#include "check/tp_sanitize.h"\n\n' + MISTAKE)
    project.edit("startup.c", "void reset(void)\n{",
                 '__attribute__((no_sanitize("address"))) void reset(void)\n{')
    return project


class Sanitized(unittest.TestCase):
    def asks(self, project, elf):
        self.assertEqual(DEAD, exit_code(project.folder / elf))
        self.assertIn("_noabort", tool("arm-none-eabi-nm", project.folder / elf))

    def test_by_make(self):
        """By Clang; by GCC the tests behind it do."""
        more = [("gcc", ())] * is_full()
        for name, compiler in (("clang", (CLANG_FOR_MAKE,)), *more):
            with self.subTest(compiler=name):
                project = firmware(Project("make", f"make-sanitized-{name}"))
                project.must("make", "-j2", "TIDEPOOL_SANITIZE=1", *compiler)
                self.asks(project, "firmware")

    def test_by_make_whatever_flags_its_command_line_has(self):
        project = firmware(Project("make", "make-sanitized-flags"))
        project.must("make", "-j2", "TIDEPOOL_SANITIZE=1",
                     "CFLAGS=-mcpu=cortex-m3 -mthumb -O1",
                     "LDFLAGS=-nostdlib -T firmware.ld")
        self.asks(project, "firmware")

    def test_by_find_package_and_by_add_subdirectory(self):
        """Each way and each compiler once, the other pairs in a full run."""
        pairs = [("find_package", "gcc"), ("add_subdirectory", "clang")]
        more = [("find_package", "clang"), ("add_subdirectory", "gcc")]
        for way, compiler in pairs + more * is_full():
            with self.subTest(way=way, compiler=compiler):
                project = firmware(Project(way, f"{way}-sanitized-{compiler}"))
                project.configure(f"-DCMAKE_PREFIX_PATH={PREFIX}",
                                  "-DTIDEPOOL_SANITIZE=ON",
                                  toolchain=f"{compiler}.cmake").must_build()
                self.asks(project, "build/firmware")

    def test_what_a_soak_plants_is_looked_at_by_make_too(self):
        """It stands for the application: unseen, a wrong read of it was a pass."""
        project = firmware(Project("make", "make-sanitized-soak"))
        out = "build/tidepool"
        for name, asks in (("tp_plant_access", True), ("tp_plant", True),
                           ("tp_soak", False), ("tp_core", False)):
            project.must("make", "TIDEPOOL_SANITIZE=1", "TIDEPOOL_SOAK=1",
                         f"{out}/{name}.o")
            symbols = tool("arm-none-eabi-nm", project.folder / out / f"{name}.o")
            self.assertEqual(asks, "_noabort" in symbols, name)

    def test_an_image_that_was_made_without_is_made_anew_with_it(self):
        """And without again, of which it is looked what make would compile."""
        project = firmware(made_by("gcc").elsewhere("make-sanitized-later"))
        project.must("make", "-j2", "TIDEPOOL_SANITIZE=0")
        self.assertEqual(0, exit_code(project.folder / "firmware"))
        project.must("make", "-j2", "TIDEPOOL_SANITIZE=1")
        self.asks(project, "firmware")
        for line in project.compiled_anew("TIDEPOOL_SANITIZE=0"):
            self.assertNotRegex(line, r"-fsanitize|-fno-sanitize|-DTIDEPOOL_SANITIZE")
        if is_full():
            project.must("make", "-j2", "TIDEPOOL_SANITIZE=0")
            self.assertEqual(0, exit_code(project.folder / "firmware"))

    def test_at_off_nobody_knows_who_lives_and_it_says_so(self):
        project = firmware(Project("make", "make-sanitized-off"))
        code, output = project.run("make", "TIDEPOOL_SANITIZE=1", "TIDEPOOL_CHECKS=off")
        self.assertNotEqual(0, code)
        self.assertIn("TP_CHECKS must be 1 or more", output)


if __name__ == "__main__":
    unittest.main()
