# SPDX-License-Identifier: MIT
"""Each block of README.md and port/README.md is built, run, or part of what is."""

import re
import shutil
import subprocess
import unittest

from consumer import HERE, OUT, ROOT, Project, exit_code

BUILT = {
    "README.md": {
        "ld": ["firmware/firmware.ld", "firmware/firmware.ld"],
        "cmake": ["add_subdirectory/CMakeLists.txt",
                  "fetch_content/CMakeLists.txt"],
        "make": ["make/Makefile"],
    },
    "port/README.md": {
        "cmake": ["find_package/CMakeLists.txt"],
        "make": ["pkg_config/Makefile"],
    },
}
GAME_TYPES = """
#include <stdint.h>
struct spark { uint32_t word[4]; };
struct sound { uint32_t frames_left, word[3]; };
struct packet { uint32_t word[16]; };
struct enemy { uint32_t word[8]; };
void alarm_starts(void);
void every_frame(void);
"""
# Plays the siren to its end; then again, but takes its slot away.
GAME_MAIN = """
#include "tp_pools.h"
static uint32_t live(void)
{
  struct tp_stats stats;
  tp_pool_stats(&sounds_pool, &stats);
  return stats.live;
}
int main(void)
{
  alarm_starts();
  for (int i = 0; i < 599; i++) every_frame();
  if (live() != 1) return 1;
  every_frame();
  if (live() != 0) return 2;
  alarm_starts();
  sounds_handle_t handle;
  for (int i = 0; i < 32; i++) sounds_alloc_handle(&handle);
  for (int i = 0; i < 600; i++) every_frame();
  return live() == 32 ? 0 : 3;
}
"""


def blocks(page, language):
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(),
                      re.S)


class Blocks(unittest.TestCase):
    def test_each_block_of_a_build_stands_in_a_file_that_is_built(self):
        for page, languages in BUILT.items():
            for language, names in languages.items():
                for block, name in zip(blocks(page, language), names,
                                       strict=True):
                    self.assertIn(block, (HERE / name).read_text(), name)

    def test_a_whole_file_of_the_readme_is_the_whole_file(self):
        for language, name in (("cmake", "add_subdirectory/CMakeLists.txt"),
                               ("make", "make/Makefile")):
            text = (HERE / name).read_text()
            text = text.replace("# SPDX-License-Identifier: MIT\n", "")
            self.assertEqual(blocks("README.md", language)[0], text)

    def test_no_block_is_of_another_kind(self):
        for page, languages in BUILT.items():
            kinds = re.findall(r"^```(\w+)$", (ROOT / page).read_text(), re.M)
            more = {"toml", "c", "sh"} if page == "README.md" else set()
            self.assertEqual(set(languages) | more, set(kinds))

    def test_the_commands_of_the_readme_make_a_firmware_from_nothing(self):
        commands, = blocks("README.md", "sh")
        folder = OUT / "nothing"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "tidepool").symlink_to(ROOT)
        result = subprocess.run(["sh", "-e"], input=commands, cwd=folder, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(0, result.returncode, result.stdout)
        self.assertTrue((folder / "hello" / "build" / "firmware.elf").exists())

    def test_the_table_and_the_c_of_the_readme_are_a_firmware_that_runs(self):
        project = Project("add_subdirectory", "readme")
        table, = blocks("README.md", "toml")
        code, = blocks("README.md", "c")
        for name, text in (("pools.toml", table), ("game.c", code),
                           ("game.h", GAME_TYPES), ("main.c", GAME_MAIN)):
            (project.folder / name).write_text(text)
        project.edit("CMakeLists.txt", "main.c", "main.c game.c")
        project.configure().must_build()
        self.assertEqual(0, exit_code(project.folder / "build/firmware"))
