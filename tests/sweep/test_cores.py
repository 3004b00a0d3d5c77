# SPDX-License-Identifier: MIT
"""Two cores at once on the same pools: those of the mps2-an521, by LDREX and STREX.

With -icount the emulator runs them in turns, the same each time; without, at once, by
two threads of the host. The control is the same firmware, but its table says
lock = "primask", which keeps out the interrupts of one core. The RP2040's spinlocks are
played by the handler of the fault that they are on that machine.

On the host, where a core may be preempted is each access of the library to memory that
is written to: the compiler calls the test there.
"""

import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import (BOARDS, HANG_SECONDS, LEVELS, ROOT, build,  # noqa: E402
                     emulator, is_full, only_in_full)

BOARD = "mps2_an505"
MACHINE = BOARDS[BOARD].of_two
PORTED = (f"-I{ROOT / 'port' / 'cores' / 'exclusive'}"
          " -DTP_CORES_IDENTITY=0x5001f000")  # CPU_IDENTITY of an SSE-200.
STOPPED = 3  # The exit code of qemu/startup.c at an exception that nobody awaits.
IN_TURNS = ["-icount", "shift=5,sleep=off,align=off"]
# What poison does is part of what full does.
MOST_LEVELS = LEVELS if is_full() else ("off", "fast", "full")
COUNTS = ["waits of core 0", "waits of core 1", "passed", "raced", "stolen", "low"]
KINDS = ["packets", "crates", "jobs", "sounds"]


def on_two(elf, **how):
    """What runs it there."""
    words = emulator(BOARD, elf, **how)
    words[words.index("-M") + 1] = MACHINE
    return words


def play(image, level, *turns):
    """What a run printed, and its exit code."""
    words = on_two(build(BOARD, level, image) / f"{image}.elf")
    at = words.index("-icount")
    words[at:at + 2] = turns
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, timeout=HANG_SECONDS)
    return done.stderr, done.returncode


def interleave(image, kind):
    """Of a kind of pool: pairs of scripts broken, pairs, interleavings; exit code. In
    a run that is not full those are not played that come to what another came to."""
    program = build("host", "fast", image) / image
    words = [program, kind, *["each"] * is_full()]
    done = subprocess.run(words, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True, timeout=HANG_SECONDS)
    print(done.stdout, end="", flush=True)
    found = re.match(rf"{kind}: (\d+) of (\d+) pairs of scripts broken, "
                     r"(\d+) interleavings", done.stdout)
    return *map(int, found.groups()), done.returncode


class Orders(unittest.TestCase):
    """What a core or a device finds in memory, of each state that it may be in."""

    @classmethod
    def setUpClass(cls):
        cls.found = {}
        for level in LEVELS:
            said = subprocess.run([build("host", level, "litmus") / "litmus"],
                                  stdout=subprocess.PIPE, text=True, check=True).stdout
            print(f"litmus at {level}: {' / '.join(said.splitlines())}", flush=True)
            for line in said.splitlines():
                name, *numbers = line.split()
                releases, acquires, wrong, states = map(int, numbers)
                cls.found[level, name, releases, acquires] = wrong, states

    def wrong(self, releases, acquires, *but):
        return {(level, name): wrong for (level, name, *barriers), (wrong, _)
                in self.found.items()
                if barriers == [releases, acquires] and name not in but}

    def test_what_a_core_left_or_lent_is_there_for_who_is_issued_it_or_lent_it(self):
        self.assertEqual(5 * len(LEVELS), len(self.wrong(1, 1)))
        self.assertEqual({0}, set(self.wrong(1, 1).values()))

    def test_without_the_barrier_of_who_gives_it_some_state_is_wrong(self):
        wrong = self.wrong(0, 1, "taken")  # A device has its own.
        self.assertNotIn(0, wrong.values(), wrong)

    def test_without_the_barrier_of_who_takes_it_some_state_is_wrong(self):
        wrong = self.wrong(1, 0)
        self.assertNotIn(0, wrong.values(), wrong)


class Cores(unittest.TestCase):
    def expect_whole(self, level, *turns, image="cores"):
        """What was counted of a run that ends well."""
        said, code = play(image, level, *turns)
        self.assertEqual(0, code, said)
        counts = dict(re.findall(r"^(.*) (\d+)$", said, re.M))
        self.assertEqual(COUNTS, list(counts))
        told = ", ".join(map(" ".join, counts.items()))
        print(f"{image} at {level}: {told}", flush=True)
        return {name: int(count) for name, count in counts.items()}

    def test_a_million_steps_of_each_core_in_turns_leave_every_pool_whole(self):
        counts = self.expect_whole("fast", *IN_TURNS)
        for name, count in counts.items():
            self.assertGreater(count, 1000, name)

    # How often they meet is then the host's affair.
    def test_a_million_steps_of_both_cores_at_once_leave_every_pool_whole(self):
        for level in MOST_LEVELS:
            with self.subTest(level):
                self.expect_whole(level)

    def test_so_do_fifty_thousand_by_a_spinlock_of_the_rp2040(self):
        counts = self.expect_whole("fast", *IN_TURNS, image="cores_sio_0")
        for name, count in counts.items():
            self.assertGreater(count, 100, name)

    @only_in_full
    def test_so_do_fifty_thousand_of_both_at_once_by_that_spinlock(self):
        """The port is the same as in turns, and the library at once as above; each
        access to the lock is a fault, so this takes long."""
        self.expect_whole("full", image="cores_sio_0")

    def test_a_spinlock_that_both_cores_may_have_is_found_out_in_turns(self):
        said, code = play("cores_sio_1", "fast", *IN_TURNS)
        self.assertEqual(1, code, said)
        self.assertIn("a fault", said)

    def test_a_lock_of_one_core_is_found_out_in_turns(self):
        """By its words, or because what it broke stops the core first."""
        codes = set()
        for shift in (4, 6, 8):
            said, code = play("cores_apart", "off", "-icount",
                              f"shift={shift},sleep=off,align=off")
            self.assertNotIn("context", said)
            codes.add(code)
        self.assertLessEqual(codes, {1, STOPPED})
        self.assertIn(1, codes)

    def test_the_core_that_a_pool_is_not_of_is_refused_at_its_first_call(self):
        for level in MOST_LEVELS[1:]:
            said, code = play("cores_apart", level, *IN_TURNS)
            self.assertEqual(1, code, said)
            self.assertRegex(said, r"(?m)^context of \w+, found 4$", level)


class Units(unittest.TestCase):
    def test_where_there_are_two_cores_every_unit_is_as_on_one(self):
        folder = build(BOARD, "fast", "unit", kind="ported", CMAKE_C_FLAGS=PORTED)
        images = sorted(folder.glob("unit_*.elf"))
        self.assertGreater(len(images), 20)
        for image in images:
            done = subprocess.run(on_two(image, arguments=["only=-million"]), text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=HANG_SECONDS)
            self.assertRegex(done.stdout, r"(?m)^[1-9]\d* passed, 0 failed$", image)
            self.assertEqual(0, done.returncode, image)


class Interleavings(unittest.TestCase):
    def test_no_interleaving_of_three_calls_of_each_core_breaks_a_pool(self):
        for kind in KINDS:
            broken, _, interleavings, code = interleave("turns_cores", kind)
            self.assertGreater(interleavings, 1000000, kind)
            self.assertEqual((0, 0), (broken, code), kind)

    def test_with_a_lock_of_one_core_most_scripts_have_one_that_does(self):
        for kind in KINDS:
            broken, pairs, _, code = interleave("turns_cores_apart", kind)
            self.assertGreater(broken, pairs // 2, kind)
            self.assertEqual(1, code, kind)

    def test_a_magazine_that_is_not_of_one_core_is_found_out(self):
        broken, pairs, _, code = interleave("turns_cores_alike", "crates")
        self.assertGreater(broken, pairs // 2)
        self.assertEqual(1, code)


if __name__ == "__main__":
    unittest.main()
