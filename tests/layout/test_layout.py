# SPDX-License-Identifier: MIT
"""The house rules a machine can see: who includes whom, and what is nowhere."""

import re
import subprocess
import unittest
from pathlib import Path

import walk

ROOT = Path(__file__).resolve().parents[2]

# The folders of lib/, each above those that it may include. Below them all is
# the page of the pool, lib/tidepool.h.
FLOORS = ["check", "core", "policy", "object", "allocator", "config"]
PAGE_LINES = 400
# A number that packagers and scripts look for under this name, and no more.
VERSION = "lib/tidepool_version.h"
STANDARD = {"stdint.h", "stdbool.h", "stddef.h"}


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard",
         *patterns], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return sorted(set(listed.stdout.split("\n")) - {""})


def includes(name):
    text = (ROOT / name).read_text()
    return re.findall(r'#include ([<"])(.*?)[>"]', text)


def shipped():
    return [name for name in tracked("lib", "port")
            if name.endswith((".c", ".h"))]


PAGE_AND_PORTS = ("tidepool.h", "tp_port.h", "tp_wait_port.h", "tp_cores_port.h",
                  "tp_dma_port.h")
# What stands between the library and somebody's threads knows both.
TO_AN_RTOS = ("port/wait/", "port/posix/", "port/zephyr/")
# And what stands between it and a device of the core, for who asks for it.
KNOWS_BOTH = (*TO_AN_RTOS, "port/mpu/")


class Layout(unittest.TestCase):
    def test_each_folder_of_lib_includes_only_those_below_it(self):
        for name in shipped():
            if not name.startswith("lib/") or name.count("/") < 2:
                continue
            below = FLOORS[:FLOORS.index(name.split("/")[1]) + 1]
            for kind, target in includes(name):
                if kind == '"' and target not in PAGE_AND_PORTS:
                    self.assertIn(target.split("/")[0], below,
                                  f"{name} includes {target}")

    def test_lib_is_the_page_its_version_and_at_most_eight_folders(self):
        folders = {name.split("/")[1] for name in shipped()
                   if name.startswith("lib/") and name.count("/") > 1}
        self.assertEqual(folders, set(FLOORS))
        self.assertLessEqual(len(FLOORS), 8)

    def test_a_call_of_alloc_walks_at_most_six_rooms_and_returns_17_times(self):
        stays = walk.walk("tp_pool_alloc")
        self.assertLessEqual(len(set(stays)), 6, stays)
        self.assertGreater(len(stays), 10)
        self.assertLessEqual(walk.returns(stays), 17, stays)

    def test_the_page_of_the_pool_is_one_page_and_includes_only_the_level(self):
        text = (ROOT / "lib" / "tidepool.h").read_text()
        self.assertLessEqual(text.count("\n"), PAGE_LINES)
        self.assertEqual(["check/tp_level.h"],
                         [target for kind, target in includes("lib/tidepool.h")
                          if kind == '"'])

    def test_files_of_lib_have_60_to_400_lines(self):
        for name in shipped():
            if name.startswith("lib/") and name != VERSION:
                lines = (ROOT / name).read_text().count("\n")
                self.assertLessEqual(60, lines, name)
                self.assertLessEqual(lines, 400, name)

    def test_modules_of_the_generator_have_90_to_500_lines(self):
        for name in tracked("lib/config/generator/*.py"):
            if not name.endswith("/__init__.py"):  # It says what the walk is.
                lines = (ROOT / name).read_text().count("\n")
                self.assertLessEqual(90, lines, name)
                self.assertLessEqual(lines, 500, name)

    def test_the_decoder_asks_the_generator_nothing_and_is_files_to_read(self):
        for name in tracked("lib/config/decoder/*.py"):
            text = (ROOT / name).read_text()
            self.assertNotRegex(text, r"(from|import) generator", name)
            self.assertLessEqual(text.count("\n"), 400, name)

    def test_the_version_is_a_number_and_a_text_and_nothing_else(self):
        text = (ROOT / VERSION).read_text()
        self.assertEqual(["TIDEPOOL_VERSION_H", "TIDEPOOL_VERSION",
                          "TIDEPOOL_VERSION_TEXT"],
                         re.findall(r"^#define (\w+)", text, re.M))
        self.assertEqual([], re.findall(r"^[^#/\n].*", text, re.M))

    def test_no_two_headers_have_one_name_or_one_guard(self):
        headers = [name for name in shipped()
                   if name.endswith(".h") and name.startswith("lib/")]
        names = [name.split("/")[-1] for name in headers]
        guards = [re.search(r"#ifndef (\w+)", (ROOT / name).read_text()).group(1)
                  for name in headers]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len(guards), len(set(guards)))

    def test_proofs_annotate_and_do_not_outweigh(self):
        annotations = lines = 0
        for name in shipped():
            if not name.startswith("lib/"):
                continue
            text = (ROOT / name).read_text()
            spans = re.findall(r"/\*@.*?\*/|//@[^\n]*", text, re.S)
            ours = sum(span.count("\n") + 1 for span in spans)
            self.assertLessEqual(3 * ours, text.count("\n"), name)
            annotations += ours
            lines += text.count("\n")
        self.assertLessEqual(4 * annotations, lines)

    def test_shipped_files_include_only_three_standard_headers(self):
        for name in shipped():
            for kind, target in includes(name):
                if kind == "<" and not name.startswith(TO_AN_RTOS):
                    self.assertIn(target, STANDARD, name)

    def test_no_include_of_lib_comes_back_to_its_file(self):
        graph = {name: [f"lib/{target}" for _, target in includes(name)]
                 for name in shipped()}
        done, path = set(), []

        def visit(name):
            self.assertNotIn(name, path, "a cycle of includes")
            if name in done or name not in graph:
                return
            path.append(name)
            for target in graph[name]:
                visit(target)
            done.add(path.pop())

        for name in graph:
            visit(name)

    def test_the_port_includes_nothing_of_the_library(self):
        for name in tracked("port"):
            if name.endswith((".c", ".h")) and not name.startswith(KNOWS_BOTH):
                for _, target in includes(name):
                    self.assertIn(target, STANDARD | {"tp_port.h"}, name)

    def test_only_check_the_core_and_definitions_know_the_level(self):
        knows = {name for name in shipped()
                 if re.search(r"\bTP_CHECKS\b", (ROOT / name).read_text())}
        allowed = {name for name in shipped() if name.startswith("lib/check/")}
        self.assertLessEqual(knows, allowed | {
            "lib/config/tp_define.h", "lib/core/tp_core.h",
            "lib/core/tp_shape.h", "lib/core/tp_slot.h", "lib/core/tp_tag.h",
            "lib/core/tp_verify.c", "lib/core/tp_words.h"})

    def test_frames_at_full_are_counted_in_one_place(self):
        """Totals and the soak have one answer, also for no slots."""
        counts = re.compile(r"full_frames *(?:\+=|\+\+)|\+\+[\w.>-]*full_frames")
        self.assertEqual(["lib/core/tp_totals.h"], [
            name for name in tracked("lib", "qemu") if name.endswith((".c", ".h"))
            and counts.search((ROOT / name).read_text())])
        for name in ("lib/core/tp_totals.c", "qemu/telemetry/tp_soak.c"):
            self.assertIn("tp_use_note(", (ROOT / name).read_text(), name)

    def test_golden_files_are_few_and_the_generator_is_files_to_read(self):
        tests = tracked("tests")
        golden = [name for name in tests if "/golden/" in name]
        self.assertLess(6 * len(golden), len(tests))
        for name in tracked("lib/config/generator"):
            lines = (ROOT / name).read_text().count("\n")
            self.assertLessEqual(lines, 500, name)

    def test_where_a_call_stands_has_a_type_of_its_own(self):
        """Only the record of a fault, and that of who waits, which outlives the frame
        of a call, keep it as the address that it is."""
        self.assertEqual(["lib/policy/tp_wait.c", "lib/tidepool.h"], sorted(
            name for name in shipped()
            if re.search(r"const void \*caller", (ROOT / name).read_text())))

    def test_no_file_of_the_core_names_a_policy(self):
        names = re.compile(r"\btp_(assert|drop|steal_oldest)\b")
        for name in shipped():
            if name.startswith("lib/core/"):
                code = re.sub(r"//.*", "", (ROOT / name).read_text())
                self.assertIsNone(names.search(code), name)

    def test_every_sentence_of_the_tests_readme_is_a_test(self):
        text = (ROOT / "tests" / "README.md").read_text()
        table = text[text.index("## What an allocator must do"):]
        tests = set()
        for name in tracked("tests"):
            if name.endswith((".c", ".py")):
                tests |= set(re.findall(r"(?:RUN\(|def )(\w+)",
                                        (ROOT / name).read_text()))
        sentences = re.findall(r"`([a-z]\w+)`", table)
        self.assertGreater(len(sentences), 80)
        self.assertEqual([], [one for one in sentences if one not in tests])

    def test_every_source_file_names_its_licence(self):
        for name in tracked():
            if name.endswith((".c", ".h", ".py", ".ld", ".cmake")):
                head = (ROOT / name).read_text()[:200]
                golden = "/golden/" in name
                self.assertTrue(golden or "SPDX-License-Identifier: MIT"
                                in head, name)

    def test_the_top_level_holds_only_the_fixed_names(self):
        fixed = {"lib", "port", "tests", "qemu", "linker", "CMakeLists.txt",
                 "README.md", "LICENSE", "CMakePresets.json", ".ci",
                 ".clang-format", ".clang-tidy", ".editorconfig",
                 ".gitignore"}
        tops = {name.split("/")[0] for name in tracked()}
        self.assertLessEqual(tops, fixed)

    def test_public_functions_are_called_tp_noun_verb(self):
        for name in shipped():
            for found in re.findall(r"^[a-z].*?\b(\w+)\(.*\);$",
                                    (ROOT / name).read_text(), re.M):
                self.assertRegex(found, r"^tp_[a-z]+(64)?(_[a-z]+)*$|^TP_", name)
                self.assertNotIn(found, {"tp_init", "tp_alloc", "tp_free"})
