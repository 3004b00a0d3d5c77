# SPDX-License-Identifier: MIT
import json
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from unittest import mock

import command
import paper
from support import only_in_full
from harness import checkpoint, profile
from harness.errors import CannotRun
from harness.options import Options
from harness.profile import Blocks

LOG = """\
----------------
IN: main
0x00000100:  4a14       ldr      r2, [pc, #0x50]
0x00000102:  4915       ldr      r1, [pc, #0x54]
0x00000104:  b508       push     {r3, lr}

Trace 0: 0x7f00 [00800400/00000100/00000110/ff020200] main
----------------
IN: put8
0x00000200:  6001       str      r1, [r0]
0x00000202:  4770       bx       lr

Trace 0: 0x7f40 [00800400/00000200/00000110/ff020200] put8
Trace 0: 0x7f40 [00800400/00000200/00000110/ff020200] put8
"""


def counted(text):
    blocks = Blocks()
    blocks.read(text.splitlines())
    found = Counter()
    for (function, _), count in blocks.instructions.items():
        found[function] += count
    return dict(found)


class Counting(unittest.TestCase):
    def test_a_block_counts_each_time_it_is_executed(self):
        self.assertEqual(counted(LOG), {"main": 3, "put8": 4})

    def test_a_block_that_met_a_device_counts_up_to_there(self):
        rewound = "cpu_io_recompile: rewound execution of TB to 00000202\n"
        self.assertEqual(counted(LOG + rewound), {"main": 3, "put8": 3})

    def test_a_block_that_was_stopped_before_it_began_does_not_count(self):
        stopped = "Stopped execution of TB chain before 0x7f40 [00000200] x\n"
        self.assertEqual(counted(LOG + stopped), {"main": 3, "put8": 2})

    def test_a_function_begins_where_a_block_of_it_does_and_may_have_no_name(self):
        blocks = Blocks()
        blocks.read((LOG + "Trace 0: 0x7f00 [00800400/00000100/00000110/ff020200]\n")
                    .splitlines())
        self.assertEqual({("main", 0x100): 3, ("put8", 0x200): 4, ("?", 0x100): 3},
                         blocks.instructions)


HOMES = {0x100: "qemu/game/main.c", 0x200: "qemu/telemetry/tp_record.c",
         0x300: "lib/core/tp_core.c", 0x400: "lib/core/tp_tag.c", 0x500: "",
         0x600: "/usr/lib/libc.c", 0x700: "qemu/telemetry/tp_soak.c"}


def result_of(*counts, frames=10):
    """Of functions f0, f1, ..., each of a file of HOMES."""
    blocks = Blocks()
    blocks.instructions.update({(f"f{at}", home): count for at, (home, count)
                                in enumerate(zip(HOMES, counts))})
    return result_from(blocks, frames)


def result_from(blocks, frames):
    listed = mock.Mock(stdout="".join(f"{home:08x} t f\n" for home in HOMES))
    with mock.patch.object(profile, "home_of", lambda _, address: HOMES[address]), \
            mock.patch("harness.tail_calls.subprocess.run", return_value=listed):
        return profile._result(blocks, "x.elf", frames)


class Told(unittest.TestCase):
    """What is said of instructions that were counted."""

    def test_each_function_has_its_share_and_the_most_comes_first(self):
        result = result_of(7000, 100, 1500, 500, 300, 400, 200)
        self.assertEqual((10, 10000, 1000.0, 0.01, 0.03), tuple(
            result[key] for key in ("frames", "instructions", "instructions_per_frame",
                                    "telemetry_share", "soak_share")))
        self.assertEqual(
            ["f0", "f2", "f3", "f5", "f4", "f6", "f1"],
            [row["function"] for row in result["functions"]])
        self.assertEqual({"function": "f2", "file": "lib/core/tp_core.c",
                          "instructions": 1500, "share": 0.15}, result["functions"][1])

    def test_two_functions_of_one_name_are_two_each_of_its_own_file(self):
        blocks = Blocks()
        blocks.instructions.update({
            ("reset", 0x100): 1, ("reset", 0x102): 2, ("reset", 0x300): 5,
            ("?", 0x100): 4, ("?", 0x400): 8})
        result = result_from(blocks, 10)
        self.assertEqual(
            [("?", "qemu/game/main.c", 12), ("reset", "lib/core/tp_core.c", 5),
             ("reset", "qemu/game/main.c", 3)],
            [(row["function"], row["file"], row["instructions"])
             for row in result["functions"]])

    def test_files_of_the_demo_are_told_one_by_one_and_others_by_folder(self):
        said = profile._told(result_of(7000, 100, 1000, 50, 800, 850, 200))
        self.assertEqual([
            "10 000 instructions in 10 frames, 1 000 a frame", "",
            " share  a frame  function", " 70.0 %    700.0  f0  qemu/game/main.c"],
            said.split("\n")[:4])
        self.assertEqual([
            "", " share  file or folder", " 70.0 %  qemu/game/main.c",
            " 16.5 %  elsewhere", " 10.5 %  lib/core",
            "  2.0 %  qemu/telemetry/tp_soak.c", "  1.0 %  qemu/telemetry/tp_record.c",
            "", "telemetry costs 1.00 % of all instructions, less than 2 %; all of"
            " qemu/telemetry/, which audits, and keeps account of places, too, 3.0 %"],
            said.split("\n")[10:])

    def test_two_percent_are_more_than_telemetry_may_cost(self):
        for count, words, code in ((199, "less", 0), (200, "more", 1)):
            result = result_of(10000 - count, count)
            self.assertIn(f"instructions, {words} than 2 %", profile._told(result))
            with mock.patch.multiple(
                    profile, install=mock.DEFAULT, build=mock.DEFAULT,
                    checkpoint=mock.DEFAULT, _count=mock.DEFAULT,
                    _result=mock.Mock(return_value=result)), \
                    mock.patch("builtins.print") as said:
                self.assertEqual(code, profile.profile(Options(json=True)))
                self.assertEqual(result, json.loads(said.call_args[0][0]))
                profile.profile(Options())
                self.assertEqual(profile._told(result), said.call_args[0][0])

    def test_what_telemetry_costs_is_not_told_of_a_firmware_without_lines(self):
        with mock.patch.multiple(
                profile, install=mock.DEFAULT, build=mock.DEFAULT,
                checkpoint=mock.DEFAULT, _count=mock.DEFAULT,
                _result=mock.Mock(return_value=result_of(7000))), \
                self.assertRaisesRegex(CannotRun, "compile the firmware with -g"):
            profile.profile(Options())

    def test_telemetry_of_another_checkout_counts_too(self):
        for vendor in ("/elsewhere/", "vendor/"):
            homes = {at: f"{vendor}{file}" for at, file in HOMES.items()}
            with mock.patch.dict(HOMES, homes):
                result = result_of(7000, 100, 1500, 500, 300, 400, 200)
            self.assertEqual((0.01, 0.03), (
                result["telemetry_share"], result["soak_share"]))

    def test_of_many_functions_some_are_told(self):
        rows = [{"function": f"f{at}", "file": "a", "instructions": 1, "share": 0.01}
                for at in range(profile.ROWS + 1)]
        said = profile._told(dict(result_of(10), functions=rows))
        self.assertIn(f"f{profile.ROWS - 1}  a\n", said)
        self.assertNotIn(f"f{profile.ROWS}  a", said)

    def test_another_firmware_than_was_asked_for_has_no_profile(self):
        options = Options(elf="a.elf", checks="full")
        with self.assertRaisesRegex(CannotRun, "built with checks poison, not full"):
            profile._refuse_another(options, paper.hello())
        profile._refuse_another(options, paper.text("hi"))

    def test_a_run_that_did_not_come_to_its_end_has_none_either(self):
        begun = paper.hello() + paper.healthy_sample(60)
        with self.assertRaisesRegex(CannotRun, "ended before its last frame"):
            profile._refuse_unfinished(begun)
        profile._refuse_unfinished(begun + paper.done())

    def test_a_qemu_that_does_not_start_is_a_sentence(self):
        """It has not opened the log then, which another end of waits for."""
        with tempfile.TemporaryDirectory() as name:
            checkpoint.power_on(Path(name))
            (Path(name) / profile.ELF).touch()
            with mock.patch.object(profile, "command", return_value=["false"]), \
                    self.assertRaisesRegex(CannotRun, "QEMU ended with code 1; a run"):
                profile._count(Options(), Path(name))


class Profile(unittest.TestCase):
    """The real firmware: its own numbers, the same on any machine."""

    def profile(self, *words, frames=600, code=0):
        said = command.soak("profile", "--frames", frames, "--json", *words)
        self.assertEqual(said.code, code, said.error)
        return json.loads(said.out)

    def test_telemetry_costs_less_than_two_percent(self):
        result = self.profile()
        self.assertLess(result["telemetry_share"], 0.02)
        self.assertGreater(result["telemetry_share"], 0)
        self.assertAlmostEqual(result["soak_share"], sum(
            row["share"] for row in result["functions"]
            if row["file"].startswith("qemu/telemetry/")))
        self.assertEqual(sum(row["instructions"]
                             for row in result["functions"]),
                         result["instructions"])

    def test_a_profile_is_exact(self):
        # In two seconds the beginning and the end take more than 2 %.
        self.assertEqual(self.profile("--seed", "2", frames=120, code=1),
                         self.profile("--seed", "2", frames=120, code=1))

    @only_in_full
    def test_what_the_sanitizer_takes_is_among_it(self):
        result = self.profile("--sanitize", frames=60)
        shares = {row["function"]: row["share"] for row in result["functions"]}
        self.assertGreater(shares["__asan_load4_noabort"], 0.05)

    def test_a_run_that_fails_has_no_profile(self):
        said = command.soak("profile", "--frames", "120", "--plant", "double-free")
        self.assertEqual(said.code, 2)
        self.assertIn("soak: QEMU ended with code 1; a run that fails has no"
                      " profile.", said.error)
