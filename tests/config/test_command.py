# SPDX-License-Identifier: MIT
"""The command: exit codes, what it writes, and what it says when it cannot."""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

from helper import GENERATOR, GOLDEN, NAMES, InFolder, row, table
from generator import files

GOOD = table(row())
BAD = table(row(count="0"))
WARNED = table(row(size="20"))


class Command(InFolder):
    def setUp(self):
        super().setUp()
        self.write("pools.toml", GOOD)

    def generate(self, *more, **options):
        return self.run_generator("generate", "pools.toml", "--out", "out", *more,
                                  **options)

    def listing(self):
        return sorted(str(path.relative_to(self.folder))
                      for path in self.folder.rglob("*"))

    def texts(self):
        return {name: (self.folder / name).read_bytes() for name in self.listing()}

    def interrupted(self, where):
        """The end of a check that Ctrl-C meets at a line of Python of its modules."""
        script = (f"import runpy, sys\nsys.path.insert(0, {str(GENERATOR.parent)!r})\n"
                  "def stop(*_, **__): raise KeyboardInterrupt\n"
                  f"{where}\nsys.argv[1:] = ['check', 'pools.toml']\n"
                  f"runpy.run_path({str(GENERATOR)!r}, run_name='__main__')")
        return subprocess.run([sys.executable, "-B", "-c", script], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def expect(self, result, code, *parts):
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertNotIn("Traceback", result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)


class Generating(Command):
    def test_a_link_that_lies_in_wait_for_what_it_writes_is_not_followed(self):
        victim, target = self.folder / "victim", self.folder / "tp_pools.h"
        victim.write_text("mine")
        (self.folder / "tp_pools.h.guessed.tmp").symlink_to(victim)
        with mock.patch.object(files.secrets, "token_hex", return_value="guessed"):
            with self.assertRaises(files.Trouble):
                files.write_all({str(target): b"generated"})
        self.assertEqual(("mine", False), (victim.read_text(), target.exists()))

    def test_a_right_file_becomes_three_files_without_a_word(self):
        result = self.generate()
        self.expect(result, 0)
        self.assertEqual(result.stdout + result.stderr, "")
        self.assertEqual(self.listing(),
                         ["out", *sorted(f"out/{name}" for name in NAMES),
                          "pools.toml"])

    def test_the_generator_can_be_executed(self):
        self.assertTrue(os.access(str(GENERATOR), os.X_OK))
        self.assertTrue(GENERATOR.read_text().startswith("#!/usr/bin/env python3\n"))

    def test_a_wrong_file_fails_and_nothing_is_written(self):
        self.write("pools.toml", BAD)
        self.expect(self.generate("--depfile", "d"), 1, "pools.toml:3:26: error: ")
        self.assertEqual(self.listing(), ["pools.toml"])

    def test_what_was_there_survives_a_wrong_file(self):
        self.generate()
        before = (self.folder / "out" / "tp_pools.h").read_bytes()
        self.write("pools.toml", BAD)
        self.expect(self.generate(), 1)
        self.assertEqual((self.folder / "out" / "tp_pools.h").read_bytes(), before)

    def test_a_warning_is_printed_and_does_not_fail(self):
        self.write("pools.toml", WARNED)
        self.expect(self.generate(), 0, "pools.toml:3:14: warning: ")
        self.assertEqual(len(self.listing()), 5)

    def test_the_same_input_gives_the_same_bytes_wherever_it_lies(self):
        for place in ["one", "two/three"]:
            shutil.copytree(str(GOLDEN / "banks"), str(self.folder / place))
            path = self.folder / place / "pools.toml"
            env = dict(os.environ, PYTHONHASHSEED=str(len(place)), TZ="Asia/Tokyo",
                       LC_ALL="C")
            self.expect(self.run_generator("generate", path, "--out",
                                           path.parent / "out", env=env), 0)
        for name in NAMES:
            one = (self.folder / "one" / "out" / name).read_bytes()
            self.assertEqual(one, (self.folder / "two/three/out" / name).read_bytes())
            self.assertEqual(one, (GOLDEN / "banks" / name).read_bytes())

    def test_unchanged_files_keep_their_inode_and_get_a_new_time(self):
        self.generate()
        path = self.folder / "out" / "tp_pools.c"
        os.utime(str(path), (1000, 1000))
        inode = path.stat().st_ino
        self.generate()
        self.assertEqual(path.stat().st_ino, inode)
        self.assertGreater(path.stat().st_mtime, 1000)

    def test_changed_files_are_replaced_and_leave_no_temporary_ones(self):
        self.generate()
        self.write("out/tp_pools.c", "edited")
        self.expect(self.generate(), 0)
        self.assertIn("const struct tp_pool a_pool",
                      (self.folder / "out" / "tp_pools.c").read_text())
        self.assertEqual(sorted(os.listdir(str(self.folder / "out"))), sorted(NAMES))

    def test_files_get_the_permissions_that_a_compiler_would_give(self):
        self.generate()
        self.write("plain", "")
        modes = {os.stat(str(self.folder / name)).st_mode
                 for name in ["plain", "out/tp_pools.h"]}
        self.assertEqual(len(modes), 1)

    def test_rows_without_a_lock_have_that_of_build_or_of_the_command(self):
        rows = table(row("a"), row("b", more=', lock = "none"'),
                     row("c", more=', lock = "primask"'))
        for build, more, wanted in (
                ("", [], "PRIMASK NONE PRIMASK"),
                ('build.lock = "none"\n', [], "NONE NONE PRIMASK"),
                ('build.lock = "none"\n', ["--lock=primask"], "PRIMASK NONE PRIMASK"),
                ("", ["--lock=none"], "NONE NONE PRIMASK")):
            self.write("pools.toml", build + rows)
            self.expect(self.generate(*more), 0)
            source = (self.folder / "out/tp_pools.c").read_text()
            self.assertEqual(wanted.split(),
                             re.findall(r"^  \.lock = TP_LOCK_(\w+),", source, re.M))

    def test_what_interrupts_call_is_refused_the_lock_of_build_too(self):
        called = table(row(more=", isr = true"))
        for build, more in (('build.lock = "none"\n', []), ("", ["--lock=none"])):
            self.write("pools.toml", build + called)
            self.expect(self.generate(*more), 1, "used from interrupts needs a lock",
                        'write lock = "primask"')

    def test_a_lock_of_build_that_is_none_is_refused_where_it_stands(self):
        self.write("pools.toml", 'build.lock = "mutex"\n' + GOOD)
        self.expect(self.generate(), 1, "pools.toml:1:14: error: [build]: lock ")
        self.write("pools.toml", GOOD)
        self.expect(self.generate("--lock=cores"), 2, "invalid choice: 'cores'")

    def test_the_depfile_names_outputs_and_input(self):
        self.write("my pools$#.toml", GOOD)
        result = self.run_generator("generate", "my pools$#.toml", "--out", "out",
                                    "--depfile", "out/d")
        self.expect(result, 0)
        self.assertEqual((self.folder / "out" / "d").read_text(),
                         "out/tp_pools.h out/tp_pools.c out/tp_pools.ld: my\\ "
                         "pools$$\\#.toml\n")

    def test_a_depfile_in_place_of_a_table_or_of_what_is_made_is_refused(self):
        self.write("net.toml", 'build.name = "net"\n' + table(row("b")))
        self.write("pools.toml", 'build.include = ["net.toml"]\n' + GOOD)
        (self.folder / "link").symlink_to("net.toml")
        before = self.texts()
        for name in ("pools.toml", "./net.toml", "link"):
            self.expect(self.generate("--depfile", name), 1,
                        f"{name}: error: it is read, and would be replaced: name "
                        "another file to write\n")
        self.expect(self.generate("--depfile", "out/../out/tp_pools.h"), 1,
                    "out/../out/tp_pools.h: error: two files would be written there:")
        self.assertEqual(before, self.texts())

    def test_a_table_that_is_called_as_what_is_made_of_it_is_left(self):
        self.write("tp_pools.c", GOOD)
        self.expect(self.run_generator("generate", "tp_pools.c", "--out", "."), 1,
                    "tp_pools.c: error: it is read, and would be replaced")
        self.assertEqual(GOOD, (self.folder / "tp_pools.c").read_text())

    def test_a_device_gets_the_depfile_and_stays_a_device(self):
        self.expect(self.generate("--depfile", "/dev/null"), 0)
        self.assertTrue(Path("/dev/null").is_char_device())

    def test_make_understands_the_depfile(self):
        self.write("my pools.toml", GOOD)
        self.run_generator("generate", "my pools.toml", "--out", "out", "--depfile",
                           "d")
        self.write("Makefile", "out/tp_pools.h:\n\t@echo made from: $<\ninclude d\n")
        os.utime(str(self.folder / "out" / "tp_pools.h"), (1000, 1000))
        self.assertEqual(self.run_tool("make", "out/tp_pools.h").stdout,
                         "made from: my pools.toml\n")

    def test_a_byte_order_mark_and_windows_line_ends_change_nothing(self):
        self.generate()
        before = (self.folder / "out" / "tp_pools.h").read_bytes()
        self.write("pools.toml", b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
        self.expect(self.generate(), 0)
        self.assertEqual((self.folder / "out" / "tp_pools.h").read_bytes(), before)

    def test_nothing_is_left_beside_the_generator(self):
        alone = self.folder / "alone"
        shutil.copytree(GENERATOR.parent, alone,
                        ignore=shutil.ignore_patterns("__pycache__"))
        before = sorted(alone.rglob("*"))
        subprocess.run([sys.executable, str(alone / GENERATOR.name), "check",
                        "pools.toml"], cwd=self.folder, check=True,
                       env={"PATH": os.environ["PATH"]})
        self.assertEqual(sorted(alone.rglob("*")), before)


class Comparing(Command):
    def test_files_that_are_up_to_date_pass(self):
        self.generate()
        self.expect(self.generate("--check"), 0)

    def test_a_file_that_differs_is_named(self):
        self.generate()
        self.write("out/tp_pools.h", "edited")
        result = self.generate("--check")
        self.expect(result, 1, "out/tp_pools.h: error: not what pools.toml says; "
                               "generate it again")
        self.assertNotIn("tp_pools.c", result.stderr)
        self.assertEqual((self.folder / "out" / "tp_pools.h").read_text(), "edited")

    def test_missing_files_are_named_and_not_made(self):
        self.expect(self.generate("--check", "--depfile", "d"), 1, *NAMES)
        self.assertEqual(self.listing(), ["pools.toml"])


class Checking(Command):
    def test_check_says_the_same_and_writes_nothing(self):
        self.expect(self.run_generator("check", "pools.toml"), 0)
        self.write("pools.toml", BAD)
        checked = self.run_generator("check", "pools.toml")
        self.expect(checked, 1)
        self.assertEqual(checked.stderr, self.generate().stderr)
        self.assertEqual(self.listing(), ["pools.toml"])

    def test_the_path_is_printed_as_it_was_given(self):
        self.write("below/p.toml", BAD)
        self.expect(self.run_generator("check", "./below/../below/p.toml"), 1,
                    "./below/../below/p.toml:3:26: error: ")

    def test_the_table_goes_to_standard_output(self):
        result = self.run_generator("table", "pools.toml")
        self.expect(result, 0)
        self.assertTrue("\npool a        4     24    96" in result.stdout,
                        result.stdout)

    def test_there_is_no_table_of_a_wrong_file(self):
        self.write("pools.toml", BAD)
        result = self.run_generator("table", "pools.toml")
        self.expect(result, 1, "error: ")
        self.assertEqual(result.stdout, "")


class Failing(Command):
    """Each failure of the world around is a sentence, and no traceback."""

    def check(self, path):
        return self.run_generator("check", path)

    def test_a_missing_file_is_a_sentence(self):
        self.expect(self.check("none.toml"), 1,
                    "none.toml: error: cannot read it: No such file or directory\n")

    def test_a_folder_is_a_sentence(self):
        self.expect(self.check("."), 1, ".: error: cannot read it: Is a directory\n")

    def test_a_file_that_is_not_utf_8_is_a_sentence_with_its_place(self):
        self.write("latin.toml", b"tidepool = 1\n\xc3\xa9 \xe9\n")
        self.expect(self.check("latin.toml"), 1,
                    "latin.toml:2:3: error: not UTF-8, in which TOML is written\n")

    def test_a_name_that_is_not_utf_8_is_a_sentence(self):
        path = self.folder / os.fsdecode(b"p\xff.toml")
        path.write_text(BAD)
        self.expect(self.check(path.name), 1, ".toml:3:26: error: ")

    def test_a_new_table_may_have_a_name_that_is_not_utf_8(self):
        self.expect(self.run_generator("init", os.fsdecode(b"p\xff.toml")), 0)
        self.assertIn(os.fsdecode(b"p\xff.toml"), self.listing())

    def test_without_standard_output_it_says_so_and_writes_no_table(self):
        for verb in (["table", "pools.toml"], ["schema"], ["explain", "size"],
                     ["init", "new.toml"]):
            self.expect(self.run_generator(*verb, closed=1), 1,
                        "standard output: error: it is closed\n")
        self.expect(self.run_generator("check", "pools.toml", closed=1), 0)
        self.assertEqual(self.listing(), ["pools.toml"])

    def test_without_standard_error_a_right_table_is_right(self):
        self.write("warned.toml", WARNED)
        self.expect(self.run_generator("generate", "warned.toml", "--out", "out",
                                       closed=2), 0)
        self.assertEqual(sorted(os.listdir(str(self.folder / "out"))), sorted(NAMES))
        self.expect(self.run_generator("check", "none.toml", closed=2), 1)

    def test_a_new_table_that_finds_no_room_leaves_nothing(self):
        self.expect(self.run_generator("init", "new.toml", room=10), 1,
                    "new.toml: error: cannot write it: File too large\n")
        self.assertEqual(self.listing(), ["pools.toml"])
        self.expect(self.run_generator("init", "new.toml"), 0)

    def test_stopped_by_ctrl_c_it_says_so_from_its_first_module_on(self):
        for where in ("class Finder:\n"
                      "  def find_spec(_, name, *more):\n"
                      "    name == 'generator' and stop()\n"
                      "sys.meta_path.insert(0, Finder())",
                      "from generator import cli; cli.load = stop"):
            self.expect(self.interrupted(where), 2, "error: stopped by Ctrl-C\n")

    def test_too_little_memory_is_a_sentence(self):
        with open(self.folder / "long.toml", "wb") as file:
            file.truncate(1 << 34)
        self.expect(self.run_generator("check", "long.toml", memory=1 << 30), 2,
                    "error: there is too little memory for it: allow more, or free")

    def test_a_pipe_and_a_device_are_refused_and_not_waited_for(self):
        os.mkfifo(str(self.folder / "pipe"))
        for name in ("pipe", "/dev/zero"):
            self.expect(self.check(name), 1, f"{name}: error: cannot read it: it is a "
                                             "device or a pipe, not a file\n")

    def test_binary_rubbish_is_refused(self):
        self.write("rubbish", bytes(range(128)) * 20)
        self.expect(self.check("rubbish"), 1)

    def test_a_file_in_place_of_the_folder_is_a_sentence(self):
        self.write("out", "")
        self.expect(self.generate(), 1,
                    "out: error: cannot make this folder: File exists\n")

    def test_a_folder_in_place_of_a_file_is_a_sentence_and_leaves_nothing(self):
        (self.folder / "out" / "tp_pools.ld").mkdir(parents=True)
        self.expect(self.generate(), 1,
                    "out/tp_pools.ld: error: cannot write it: Is a directory\n")
        self.assertEqual(os.listdir(str(self.folder / "out")), ["tp_pools.ld"])

    def test_a_depfile_in_no_folder_is_a_sentence(self):
        self.expect(self.generate("--depfile", "no/d"), 1,
                    "no/d: error: cannot write it: No such file")

    def test_a_full_disk_is_a_sentence_for_what_is_printed(self):
        for words in (["table", "pools.toml"], ["--help"], ["table", "--help"]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([sys.executable, str(GENERATOR), *words],
                                        cwd=str(self.folder), stdout=full,
                                        stderr=subprocess.PIPE,
                                        universal_newlines=True)
            self.expect(result, 1)
            self.assertEqual(result.stderr,
                             "standard output: error: No space left on device\n")

    def test_a_disk_that_takes_a_part_of_what_is_printed_is_a_sentence(self):
        for words, name in ((["schema"], "a"), (["--help"], "b")):
            done = self.run_generator(*words, room=600, out=name)
            self.expect(done, 1)
            self.assertEqual(done.stderr, "standard output: error: File too large\n")
            self.assertEqual(600, (self.folder / name).stat().st_size)

    def test_a_disk_that_takes_no_more_is_a_sentence_and_changes_nothing(self):
        self.generate()
        before = {name: (self.folder / "out" / name).read_bytes() for name in NAMES}
        self.write("pools.toml", table(row(count="5")))
        result = self.run_generator("generate", "pools.toml", "--out", "out", room=300)
        self.expect(result, 1)
        self.assertEqual(result.stderr,
                         "out/tp_pools.h: error: cannot write it: File too large\n")
        after = {path.name: path.read_bytes()
                 for path in (self.folder / "out").iterdir()}
        self.assertEqual(before, after)


class WrongUsage(Command):
    def test_wrong_usage_exits_2_with_a_sentence(self):
        for arguments, sentence in [
                ([], "the following arguments are required: VERB"),
                (["make"], "argument VERB: invalid choice: 'make'"),
                (["check"], "the following arguments are required: pools.toml"),
                (["generate", "pools.toml"],
                 "the following arguments are required: --out"),
                (["generate", "pools.toml", "--out"],
                 "argument --out: expected one argument"),
                (["check", "pools.toml", "--fast"], "unrecognized arguments: --fast"),
                (["history", "fw.elf", "ram.bin", "--slot", "3"],
                 "--slot is a number from 1 on, of the pool that --of names"),
                (["history", "fw.elf", "ram.bin", "--of", "a", "--slot", "0"],
                 "--slot is a number from 1 on"),
                (["generate", "pools.toml", "--ou", "x"],
                 "the following arguments are required: --out")]:
            self.expect(self.run_generator(*arguments), 2, sentence)

    def test_help_exits_0(self):
        self.assertEqual(self.run_generator("--help").returncode, 0)


if __name__ == "__main__":
    unittest.main()
