# SPDX-License-Identifier: MIT
"""port/gdb/tidepool_gdb.py: what it reads is what the firmware itself says."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

import trials
from support import HANG_SECONDS, ROOT, build, emulator

SCRIPT = ROOT / "port" / "gdb" / "tidepool_gdb.py"
# Stops a firmware that has allocators of every kind in frame 201, asks the script,
# then the firmware; damages it, and asks again. Each answer ends at a mark.
ASK = """\
import gdb, json

def ask(words):
    try:
        return gdb.execute(words, to_string=True)
    except gdb.error as trouble:
        return str(trouble)

def told(index):
    entry = f"tp_registry.entries[{index}]"
    gdb.parse_and_eval(f"{entry}->kind->stats({entry}->allocator, "
                       "(struct tp_stats *)shown)")
    live, peak, *_, refused = [int(gdb.parse_and_eval(f"shown[{i}]"))
                               for i in range(7)]
    name = gdb.parse_and_eval(f"{entry}->name").string()
    return [name, live, peak, refused]

answers = {"before": ask("tp pools")}
gdb.execute("target remote " + TARGET)
gdb.execute("tbreak tp_soak_frame if soak->frame == 200")
gdb.execute("continue")
for words in WORDS:
    answers[words] = ask(words)
count = int(gdb.parse_and_eval("tp_registry.count"))
answers["firmware"] = [told(index) for index in range(count)]
gdb.execute("set var ((uint32_t *)orders_pool.storage)[6] ^= 0x200000")
gdb.execute("set var plates_state.count = 99")
gdb.execute("set var recipe_state.bump.used = 9999")
gdb.execute("set var tunes_age[0].newer = 7")
answers["damaged"] = ask("tp check")
print("ANSWERS " + json.dumps(answers))
gdb.execute("kill")
"""
WORDS = ("tp pools", "tp slots orders", "tp check", "tp who &orders_storage",
         "tp who (char *)orders_pool.storage + 27", "tp who 16", "tp holders orders",
         "tp slots nobody", "tp slots recipe", "tp slots", "tp check it",
         "tp who orders_nothing")


class Gdb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        elf = build(trials.BOARD, "poison", "soaked") / "soaked.elf"
        qemu = " ".join(emulator(trials.BOARD, elf, "-S", "-gdb", "stdio",
                                 arguments=("soak", "frames=600")))
        with tempfile.TemporaryDirectory() as folder:
            ask = Path(folder) / "ask.py"
            ask.write_text(f"TARGET = {'| exec ' + qemu!r}\nWORDS = {WORDS}\n{ASK}")
            said = subprocess.run(
                ["gdb-multiarch", "-nx", "-batch", "-ex", "set confirm off", "-x",
                 SCRIPT, "-x", ask, elf], stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                timeout=HANG_SECONDS).stdout
        if "ANSWERS " not in said:
            raise AssertionError(said)
        cls.answers = json.loads(said.split("ANSWERS ")[1].splitlines()[0])

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

    def test_the_slots_of_a_pool_are_live_or_free(self):
        lines = self.answers["tp slots orders"].strip().split("\n")
        states = [line.split()[2] for line in lines[1:-1]]
        live = next(row[1] for row in self.answers["firmware"] if row[0] == "orders")
        self.assertEqual(states.count("live"), live)
        self.assertRegex(lines[-1], rf"^{20 - len(states)} more were never issued$")

    def test_an_address_is_told_its_slot_and_byte(self):
        self.assertRegex(self.answers["tp who &orders_storage"],
                         r"^0x2\w{7}: pool orders, slot 1, byte 0: (live|free), issued")
        self.assertRegex(self.answers["tp who (char *)orders_pool.storage + 27"],
                         r"^0x2\w{7}: pool orders, slot 2, byte 3: ")
        self.assertEqual("0x00000010 lies in no allocator",
                         self.answers["tp who 16"].strip())

    def test_the_holders_of_slots_are_lines_of_the_application(self):
        self.assertRegex(self.answers["tp holders orders"],
                         r"\d+ +take_orders\(\) at \S+/tests/soak/firmware/main.c:\d+")

    def test_what_is_damaged_is_named(self):
        self.assertRegex(self.answers["tp check"], r"^\d+ allocators, none broken\n$")
        for line in (r"pool orders: the link of slot 2 was written over",
                     r"pool tunes: the age ring is broken behind slot 0",
                     r"dense plates: more is live than there is room for",
                     r"stack recipe: more is used than there is",
                     r"\d+ allocators, 4 broken"):
            self.assertRegex(self.answers["damaged"], rf"(?m)^{line}$")

    def test_what_cannot_be_told_is_a_sentence(self):
        for words, said in (
                ("before", "there is no target: `target remote` one"),
                ("tp slots nobody", "there is no allocator called 'nobody'"),
                ("tp slots recipe", "recipe is a stack, which has no slots"),
                ("tp slots", "tp slots POOL: each slot"),
                ("tp check it", "tp check: whether each"),
                ("tp who orders_nothing", 'No symbol "orders_nothing"')):
            self.assertIn(said, self.answers[words])
            self.assertNotIn("Traceback", self.answers[words])
