# SPDX-License-Identifier: MIT
"""A firmware built with TIDEPOOL_EVENTS: GDB, a dump and the text of its crash tell
what happened last, in order, at every level."""

import subprocess
import unittest

from session import BOARD, RAM, REBOOT, line_of, live, near, scratch, tidepool
from support import HANG_SECONDS, LEVELS, ROOT, build, emulator

SOURCE = ROOT / "tests" / "dump" / "kept" / "main.c"
KEPT = 32
SCRIPT = """
gdb.execute("tbreak all_is_noted")
gdb.execute("continue")
ram(FILE, *RAM)
for words in ASKED:
    answers[words] = ask(words)
"""
ASKED = ("tp history", "tp history packets", "tp history sounds 1",
         "tp history nobody", "tp history packets 1 2")


def event(frame, kind, slot, by, comment):
    return f"frame {frame}: {kind:5} {slot}, by {by}() at {line_of(SOURCE, comment)}"


PACKET = [event(5000, "alloc", "packets, slot 1", "send", "A packet."),
          event(5001, "free", "packets, slot 1", "acknowledge", "It came.")]
SOUND = [event(5002, "alloc", "sounds, slot 1", "play", "A sound."),
         event(5003, "alloc", "sounds, slot 2", "play", "A sound."),
         event(5004, "steal", "sounds, slot 1", "play", "A sound."),
         event(5004, "alloc", "sounds, slot 1", "play", "A sound."),
         event(5005, "free", "sounds, slot 1", "stop", "Its end.")]
OTHERS = [event(frame, kind, f"{slot}, slot 1", by, f"{comment}")
          for frame, slot, by, comment in (
              (5006, "sparks", "shout", "A spark."),
              (5007, "orders", "order", "An order."),
              (5008, "heap_32", "build", "A block."),
              (5009, "notes", "board_handler", "A note."))
          for kind in ("alloc", "free")]
LATE = event(9000, "alloc", "packets, slot 1", "send", "A packet.")
FAULT = [event(9001, "free", "packets, slot 1", "acknowledge", "It came."),
         event(9002, "fault", "double-free", "acknowledge", "It came.")]
ALL = [*PACKET, *SOUND, *OTHERS, LATE]


def lines_of(text):
    return near(SOURCE, text).strip().split("\n")


class Events(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch(cls)
        cls.elf, cls.answers = {}, {}
        for level in LEVELS:
            known = f"FILE, RAM, ASKED = {str(cls.ram(level))!r}, {RAM}, {ASKED}\n"
            cls.elf[level] = cls.built(level, KEPT)
            cls.answers[level] = live(cls.elf[level], known + SCRIPT)

    @classmethod
    def built(cls, level, kept):
        return build(BOARD, level, "kept", kind=f"events{kept}",
                     TIDEPOOL_EVENTS=str(kept)) / "kept.elf"

    @classmethod
    def ram(cls, level):
        return cls.folder / f"{level}.bin"

    def crashed(self, elf):
        """The file of what it printed when it crashed."""
        said = subprocess.run(emulator(BOARD, elf), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              timeout=HANG_SECONDS).stderr
        log = self.folder / "crash.txt"
        log.write_bytes(said)
        return log

    def test_each_call_is_told_by_line_in_its_order(self):
        for level, answers in self.answers.items():
            self.assertEqual(["the last 16 of 16 events", *ALL],
                             lines_of(answers["tp history"]), level)

    def test_a_pool_and_a_slot_have_a_history_of_their_own(self):
        for level, answers in self.answers.items():
            self.assertEqual(["the last 16 of 16 events, 3 of them of packets",
                              *PACKET, LATE], lines_of(answers["tp history packets"]))
            self.assertEqual(
                ["the last 16 of 16 events, 4 of them of sounds, slot 1", SOUND[0],
                 *SOUND[2:]], lines_of(answers["tp history sounds 1"]), level)
            self.assertIn("no allocator called 'nobody'", answers["tp history nobody"])
            self.assertIn("tp history [POOL [SLOT]]", answers["tp history packets 1 2"])

    def test_a_dump_says_the_same_as_gdb(self):
        for level, answers in self.answers.items():
            words = self.elf[level], self.ram(level)
            self.assertEqual(answers["tp history"].strip(),
                             tidepool("history", *words).strip(), level)
            self.assertEqual(answers["tp history sounds 1"].strip(), tidepool(
                "history", *words, "--of", "sounds", "--slot", "1").strip())
            self.assertIn(answers["tp history"].strip(), tidepool("dump", *words))

    def test_the_text_of_a_crash_tells_what_led_to_it(self):
        for level in LEVELS[1:]:
            said = tidepool("history", self.elf[level], self.crashed(self.elf[level]))
            self.assertEqual(["the last 18 of 18 events", *ALL, *FAULT], lines_of(said))

    def test_of_the_boot_before_a_fault_s_frame_is_its_own(self):
        ram = self.folder / "rebooted.bin"
        live(self.elf["fast"], f"{REBOOT}ram({str(ram)!r}, *{RAM})")
        said = tidepool("history", self.elf["fast"], ram)
        self.assertEqual(["the last 32 of 34 events", *ALL[2:], *FAULT, *ALL],
                         lines_of(said))

    def test_of_more_events_than_are_kept_the_last_are_told(self):
        elf = self.built("fast", 4)
        said = tidepool("history", elf, self.crashed(elf))
        self.assertEqual(["the last 4 of 18 events", ALL[-2], LATE, *FAULT],
                         lines_of(said))

    def test_a_firmware_that_keeps_none_is_a_sentence(self):
        elf = build(BOARD, "fast", "owned") / "owned.elf"
        said = tidepool("history", elf, self.ram("fast"), code=2)
        self.assertIn("only a build with TIDEPOOL_EVENTS keeps what happened", said)

    def test_a_dump_of_another_firmware_is_refused(self):
        junk = self.folder / "junk.bin"
        junk.write_bytes(b"\xa5" * (RAM[1] - RAM[0]))
        said = tidepool("history", self.elf["fast"], junk, code=2)
        self.assertIn("the dump is not of this ELF", said)


if __name__ == "__main__":
    unittest.main()
