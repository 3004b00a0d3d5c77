# SPDX-License-Identifier: MIT
"""port/gdb/tidepool_gdb.py and `tidepool.py dump`: what they read is what the
firmware itself says, and the same."""

import unittest

from session import BOARD, RAM, gdb, live, scratch, tidepool
from decoder.elf import Elf
from support import build

WORDS = ("tp pools", "tp slots orders", "tp slots orders --live",
         "tp slots orders --dead", "tp check", "tp who &orders_storage",
         "tp who (char *)orders_pool.storage + 27", "tp who 16", "tp holders orders",
         "tp slots nobody", "tp slots recipe", "tp slots", "tp check it", "tp fault",
         "tp slots orders --all-of-them", "tp who orders_nothing",
         "tp who orders_storage", "tp who orders_pool", "tp who $nothing.x",
         "tp who -1",
         "print orders_pool", "print *(tunes_handle_t *)TUNE",
         "print *tunes_pool.policy", "print *tables_pool.policy", "print tp_assert")
# Stops a firmware that has allocators of every kind in frame 201, asks the script,
# then the firmware; damages it, and asks again.
SCRIPT = """
def told(index):
    entry = f"tp_registry.entries[{index}]"
    gdb.parse_and_eval(f"{entry}->kind->stats({entry}->allocator, "
                       "(struct tp_stats *)shown)")
    live, peak, *_, refused = [number(f"shown[{i}]") for i in range(7)]
    return [gdb.parse_and_eval(f"{entry}->name").string(), live, peak, refused]

gdb.execute("tbreak tp_soak_frame if soak->frame == 200")
gdb.execute("continue")
ram(FOLDER + "/whole.bin", *RAM)
for words in WORDS:
    answers[words] = ask(words)
answers["firmware"] = [told(index) for index in range(number("tp_registry.count"))]
gdb.execute("set var ((uint32_t *)orders_pool.storage)[6] ^= 0x200000")
gdb.execute("set var plates_state.count = 99")
gdb.execute("set var recipe_state.bump.used = 9999")
gdb.execute("set var ((uint32_t *)ledger_dstack.region.storage)[63] ^= 1")
gdb.execute("set var ((uint32_t *)bill_frame.region.storage)"
            "[64 * bill_state.current] ^= 1")
gdb.execute("set var tunes_age[0].newer = 7")
ram(FOLDER + "/damaged.bin", *RAM)
answers["damaged"] = ask("tp check")
"""
DAMAGE = (r"pool orders: the link of slot 2 was written over",
          r"pool tunes: the age ring is broken behind slot 0",
          r"dense plates: more is live than there is room for",
          r"stack recipe: 9999 bytes are used, 40 at most, of 256",
          r"stack ledger: byte 252, which was given back, was written to: 0x1deadb0a",
          r"frame bill: byte (0|256), which was given back, was written to: 0x1dead",
          r"\d+ allocators, 6 broken")


class Read(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.elf = build(BOARD, "poison", "soaked") / "soaked.elf"
        cls.folder = scratch(cls)
        tune = Elf(cls.elf.read_bytes()).address_of("tune")  # A function's own.
        known = f"FOLDER = {str(cls.folder)!r}\nRAM = {RAM}\nWORDS = {WORDS}\n" \
            f"gdb.execute('macro define TUNE {tune:#x}')\n"
        cls.answers = live(cls.elf, known + SCRIPT, "soak", "frames=600")

    def dump(self, name, code, *words):
        return tidepool("dump", self.elf, self.folder / name, *words, code=code)

    def test_every_allocator_is_listed_with_the_firmware_s_own_figures(self):
        rows = [line.split() for line in
                self.answers["tp pools"].strip().split("\n")[1:]]
        shown = {row[0]: [int(row[i]) for i in (-5, -4, -2)] for row in rows}
        firmware = {name: [live, peak, refused] for name, live, peak, refused
                    in self.answers["firmware"]}
        self.assertEqual(shown, firmware)
        kinds = {row[1] for row in rows}
        self.assertEqual(kinds, {"pool", "stack", "frame", "blocks", "dense",
                                 "relocating", "nest", "scenes"})

    def test_the_dump_says_what_gdb_says_of_the_target(self):
        said = self.dump("whole.bin", 0)
        self.assertIn(self.answers["tp pools"], said)
        self.assertIn(self.answers["tp check"], said)
        self.assertIn(self.answers["tp fault"], said)
        self.assertEqual(self.answers["tp slots orders"],
                         self.dump("whole.bin", 0, "--slots", "orders"))

    def test_gdb_says_of_a_core_what_it_said_of_the_target(self):
        core = self.folder / "whole.core"
        tidepool("core", self.elf, self.folder / "whole.bin", "--out", core)
        commands = [words for words in WORDS if words.startswith("tp ")]
        script = "for words in WORDS: answers[words] = ask(words)"
        answers = gdb(self.elf, f"WORDS = {commands}\n{script}", "-ex",
                      f"core-file {core}")
        self.assertEqual({words: self.answers[words] for words in commands}, answers)

    def test_the_slots_of_a_pool_are_live_or_dead(self):
        lines = self.answers["tp slots orders"].strip().split("\n")
        states = [line.split()[2] for line in lines[1:-1]]
        live = next(row[1] for row in self.answers["firmware"] if row[0] == "orders")
        self.assertEqual(states.count("live"), live)
        self.assertRegex(lines[-1], rf"^{20 - len(states)} more were never issued$")
        for state in ("live", "dead"):
            some = self.answers[f"tp slots orders --{state}"].strip().split("\n")[1:-1]
            self.assertEqual([state] * states.count(state),
                             [line.split()[2] for line in some])

    def test_an_address_is_told_its_slot_and_byte(self):
        self.assertRegex(self.answers["tp who &orders_storage"],
                         r"^0x2\w{7}: pool orders, slot 1, byte 0: (live|dead), issued")
        self.assertRegex(self.answers["tp who (char *)orders_pool.storage + 27"],
                         r"^0x2\w{7}: pool orders, slot 2, byte 3: ")
        self.assertEqual(self.answers["tp who &orders_storage"],
                         self.answers["tp who orders_storage"])
        for words in ("tp who orders_pool", "tp who -1"):
            self.assertRegex(self.answers[words], "^0x[0-9a-f]{8} lies in no allocator")
        self.assertEqual("0x00000010 lies in no allocator",
                         self.answers["tp who 16"].strip())

    def test_the_holders_of_slots_are_lines_of_the_application(self):
        line = (r"\d+ of 20 held by take_orders\(\) at"
                r" \S+/tests/soak/firmware/main.c:\d+")
        self.assertRegex(self.answers["tp holders orders"], line)
        self.assertRegex(self.dump("whole.bin", 0), rf"orders:\n +{line}")

    def test_what_is_printed_of_an_allocator_or_a_handle_is_what_it_holds(self):
        self.assertRegex(self.answers["print orders_pool"],
                         r"= orders: \d+ of 20 slots = \{tag = 0x")
        self.assertRegex(self.answers["print *(tunes_handle_t *)TUNE"],
                         r"= 0x\w{8}: slot \d of tunes, live")

    def test_what_is_printed_of_a_policy_is_what_it_does_and_of_which_pools(self):
        for words, said in (
                ("print *tunes_pool.policy", r"steal-oldest of tunes = \{overflow = "),
                ("print *tables_pool.policy", r"spill of tables = \{overflow = 0x"),
                ("print tp_assert", r"assert of clients, alarms = \{")):
            self.assertRegex(self.answers[words], rf"= {said}")

    def test_what_is_damaged_is_named(self):
        self.assertRegex(self.answers["tp check"], r"^\d+ allocators, none broken\n$")
        said = self.dump("damaged.bin", 1)
        for line in DAMAGE:
            self.assertRegex(self.answers["damaged"], rf"(?m)^{line}")
            self.assertRegex(said, rf"(?m)^{line}")

    def test_what_cannot_be_told_is_a_sentence(self):
        for words, said in (
                ("before", "there is no target: `target remote` one"),
                ("tp slots nobody", "there is no allocator called 'nobody'; these are"),
                ("tp slots recipe", "recipe is a stack, which has no slots"),
                ("tp slots", "tp slots POOL [--live|--dead]: each slot"),
                ("tp slots orders --all-of-them", "tp slots POOL [--live|--dead]"),
                ("tp check it", "tp check: whether each"),
                ("tp who $nothing.x", "Attempt to extract a component"),
                ("tp who orders_nothing", 'No symbol "orders_nothing"')):
            self.assertIn(said, self.answers[words])
            self.assertNotIn("Traceback", self.answers[words])
