# SPDX-License-Identifier: MIT
"""lock = "cores": what becomes of it, what does not go with it, what it wants."""

import subprocess
import unittest

from helper import ROOT, InFolder, complaints, files, read, row, table

LOCK = ', lock = "cores"'
HINT = ("= their pools drop, assert or steal the oldest, and have no reserve, hooks, "
        "or code of their own, and nobody waits")
STEALS = '"steal-oldest"'
KEEPS = LOCK + ", magazine = 2"


def refused(*rows):
    """What one lock of two cores does not guard, of each of the rows."""
    found = [line for line in complaints(table(*rows)) if "two cores" in line]
    return [line.split("cannot share ")[1] for line in found]


class Refused(unittest.TestCase):
    maxDiff = None

    def test_two_cores_share_pools_that_drop_or_assert(self):
        for full in ('"drop"', '"assert"'):
            for more in ("", ", handles = 32", ', low_water = 1, on_low = "tell"'):
                if "handles" not in more or "low" not in more:
                    text = table(row(full=full, more=LOCK + more))
                    self.assertEqual([], complaints(text))

    def test_two_cores_share_pools_that_steal_the_oldest_by_handles_and_pins(self):
        self.assertEqual([], complaints(table(row(
            full=STEALS, more=LOCK + ", handles = 64, pin = true, isr = true"))))

    def test_one_core_does_not_steal_what_the_other_looks_at(self):
        for more in (', evict = "tell"', ", handles = 32",
                     ', evict = "tell", pin = true'):
            self.assertEqual(
                ['error: pool "a": one core may steal what the other looks at',
                 "= add handles = 32, pin = true, and pin while you look"],
                [line.split(": ", 1)[-1] if "error" in line else line
                 for line in complaints(table(row(full=STEALS, more=LOCK + more)))])

    def test_what_more_than_one_window_guards_is_not_for_two_cores(self):
        for more, found in [('code = "own"', 'code = "own"'),
                            ("reserve = 1", "reserve"), ("wait = true", "wait"),
                            ('init = "begin"', "init"), ('deinit = "end"', "deinit"),
                            ("retain = [0, 4], init = 'i'", "init")]:
            self.assertEqual([found], refused(row(more=f"{LOCK}, {more}")))

    def test_what_lends_or_borrows_is_not_for_two_cores(self):
        lender = row("b")
        borrower = ', spill = "b", then = "drop"'
        self.assertEqual(['full = "spill"'],
                         refused(row(full='"spill"', more=LOCK + borrower), lender))
        self.assertEqual(["what others spill into it"], refused(
            row("b", more=LOCK), row(full='"spill"', more=borrower)))

    def test_who_steals_the_least_and_who_answers_himself_stay_on_one_core(self):
        least = LOCK + ', score = "loss", handles = 32, pin = true'
        self.assertEqual(['full = "steal-least"'],
                         refused(row(full='"steal-least"', more=least)))
        self.assertEqual(["policy"], refused(
            f'a = {{ size = 24, count = 4, policy = "mine"{LOCK} }}'))

    def test_what_scenes_cut_stays_on_one_core(self):
        text = table(row(more=LOCK)) + "[scenes]\nfirst = { a = 4 }\n"
        self.assertTrue(any("two cores cannot share what scenes cut" in line
                            for line in complaints(text)))


class Magazines(unittest.TestCase):
    maxDiff = None

    def expect(self, more, text, hint, full='"drop"', count=4):
        found = complaints(table(row(full=full, count=count, more=more)))
        found = [line.split(": ", 1)[-1] if "error" in line else line for line in found]
        self.assertEqual([f'error: pool "a": {text}', f"= {hint}"], found)

    def test_pools_that_drop_or_assert_have_one(self):
        for full in ('"drop"', '"assert"'):
            self.assertEqual([], complaints(table(row(full=full, more=KEEPS))))

    def test_what_the_other_core_must_find_is_not_kept(self):
        hint = ('pools of lock = "cores" that drop or assert have one, and neither '
                "handles nor low_water")
        for more, what in [(", magazine = 2", "the lock of one core"),
                           (', magazine = 2, lock = "none"', "the lock of one core"),
                           (KEEPS + ", handles = 32", "handles"),
                           (KEEPS + ', low_water = 1, on_low = "tell"', "low_water")]:
            self.expect(more, f"a magazine does not go with {what}", hint)
        self.expect(KEEPS + ", handles = 32, pin = true",
                    "a magazine does not go with a pool that steals", hint, STEALS)

    def test_one_core_does_not_keep_all(self):
        text = "one core may keep all of its slots"
        self.assertEqual([], complaints(table(row(count=3, more=KEEPS))))
        self.expect(KEEPS, text, "write magazine = 1", count=2)
        self.expect(LOCK + ", magazine = 1", text, "leave magazine out", count=1)

    def test_of_a_count_that_only_c_knows_the_compiler_asks_it(self):
        source = files(table(row(count='"2 * PORTS"', more=KEEPS)))["tp_pools.c"]
        self.assertIn("TP_STATIC_ASSERT(2 < A_COUNT,  // pools.toml:3: a", source)
        self.assertIn("one core may keep all of its slots: magazine must be less than "
                      "count", source)


CONTEXTS = """tidepool = 1
[contexts]
main  = "task"
radio = { interrupt = 0x40, core = 1 }
dsp   = { core = 1 }
"""
AT_ONCE = "main is of core 0 and dsp of core 1, which call it at once"
BOTH = 'allocates = ["main"], frees = ["dsp"]'


class Contexts(unittest.TestCase):
    def expect(self, rows, text, *expected):
        found = complaints(f"{CONTEXTS}[{rows}]\n{text}\n")
        self.assertEqual(list(expected), [line.split("error: ")[-1] for line in found])

    def test_what_two_cores_call_has_their_lock(self):
        for lock in ("", ', lock = "none"', ', lock = "basepri:64", code = "own"'):
            self.expect("pools", row(more=f", {BOTH}{lock}"),
                        f'pool "a": {AT_ONCE}', '= write lock = "cores"')
        self.expect("pools", row(more=f", {BOTH}{LOCK}"))

    def test_what_has_no_lock_is_for_one_core(self):
        for rows, what, more in [("stacks", "stack", "bytes = 64"),
                                 ("frames", "frame", "bytes = 64"),
                                 ("dense", "dense pool", "size = 8, count = 4")]:
            text = f'a = {{ {more}, full = "drop", allocates = ["main", "dsp"] }}'
            self.expect(rows, text, f'{what} "a": {AT_ONCE}',
                        "= give dsp one of its own")

    def test_an_interrupt_interrupts_its_own_core_alone(self):
        self.expect("pools", row(
            more=', lock = "none", allocates = ["radio"], frees = ["dsp"]'),
            'pool "a": radio may interrupt dsp in a call of it, which masks nothing',
            '= write lock = "primask"')
        self.expect("pools", row(more=f', {BOTH}, isr = false{LOCK}'))


class Made(InFolder):
    def generate(self, more=""):
        for name, text in files(table(row(more=LOCK + more))).items():
            self.write(name, text)

    def compile(self, *folders, cpu="cortex-m33", more=()):
        words = ["arm-none-eabi-gcc", f"-mcpu={cpu}", "-mthumb", "-std=c11", "-Os",
                 "-I", self.folder, f"-I{ROOT}/lib", f"-I{ROOT}/port/cortex_m",
                 *[f"-I{ROOT}/port/cores/{folder}" for folder in folders], *more,
                 "-Wall", "-Wextra", "-Werror", "-ffreestanding", "-r", "-nostdlib",
                 self.folder / "tp_pools.c", f"{ROOT}/lib/core/tp_core.c",
                 "-o", self.folder / "tp_pools.o"]
        done = subprocess.run(words, stderr=subprocess.PIPE, text=True)
        return done.returncode, done.stderr

    def test_its_calls_take_that_lock(self):
        header = files(table(row(more=LOCK)))["tp_pools.h"]
        self.assertIn("tp_cores_alloc(&a_pool)", header)
        self.assertIn("tp_cores_free(&a_pool, object)", header)

    def test_the_calls_of_other_pools_see_no_slot_of_it(self):
        for more in ("", ", handles = 32"):
            source = files(table(row(more=LOCK + more)))["tp_pools.c"]
            self.assertIn(".gate = TP_GATE(+a_stride, 0),", source)
            self.assertIn(".general = &tp_cores_general,", source)

    def test_who_keeps_slots_has_calls_and_words_for_it(self):
        made = files(table(row(more=KEEPS)))
        self.assertIn("tp_magazine_alloc(&a_pool)", made["tp_pools.h"])
        self.assertIn("tp_magazine_free(&a_pool, object)", made["tp_pools.h"])
        self.assertIn("static uint32_t a_tag[TP_TAGS(4) + 1 + 2];", made["tp_pools.c"])
        self.assertIn(".magazine = 2,", made["tp_pools.c"])

    def test_who_keeps_slots_wants_a_port_that_tells_the_core(self):
        self.generate(", magazine = 2")
        wanted = ("pools.toml:3: a: a magazine wants a tp_cores_port.h, of a folder of "
                  "port/cores on the include path, that says TP_CORES_PORT_NUMBER()")
        for folders in ([], ["exclusive"]):
            self.assertIn(wanted, self.compile(*folders)[1])
        identity = ["-DTP_CORES_IDENTITY=0x5001f000"]
        self.assertEqual((0, ""), self.compile("exclusive", more=identity))
        self.assertEqual((0, ""), self.compile(
            "sio", cpu="cortex-m0plus", more=["-DTP_CORES_SPINLOCK=0xd0000170"]))

    def test_the_table_counts_what_they_take(self):
        self.generate(", magazine = 2")
        self.assertEqual(0, self.compile("exclusive", more=[
            "-DTP_CORES_IDENTITY=0x5001f000"])[0])
        lines = subprocess.run(["arm-none-eabi-nm", "-S", self.folder / "tp_pools.o"],
                               stdout=subprocess.PIPE, text=True).stdout.splitlines()
        sizes = {words[3]: int(words[1], 16) for words in map(str.split, lines)
                 if len(words) == 4}
        pool = read(table(row(more=KEEPS))).pools[0]
        self.assertEqual(sizes["a_tag"], pool.metadata()["tag"])

    def test_without_a_port_the_compiler_says_what_is_wanted(self):
        self.generate()
        code, said = self.compile()
        self.assertNotEqual(0, code)
        self.assertIn("pools.toml:3: a: this lock wants tp_cores_port.h, of a folder "
                      "of port/cores, on the include path", said)

    def test_with_each_port_it_compiles(self):
        self.generate(", handles = 32")
        self.assertEqual((0, ""), self.compile("exclusive"))
        self.assertEqual((0, ""), self.compile("semaphore"))
        self.assertEqual((0, ""), self.compile(
            "sio", cpu="cortex-m0plus", more=["-DTP_CORES_SPINLOCK=0xd0000170"]))

    def test_a_port_that_this_core_or_nobody_knows_how_to_use_says_so(self):
        self.generate()
        self.assertIn("which spinlock?", self.compile("sio")[1])
        self.assertIn("this core has no LDREX and STREX: take another folder",
                      self.compile("exclusive", cpu="cortex-m0plus")[1])


if __name__ == "__main__":
    unittest.main()
