# SPDX-License-Identifier: MIT
"""`qemu/soak trace FW.ELF RAM.BIN`: what the viewers read is what a firmware of
somebody's, built with TIDEPOOL_EVENTS, had done last."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

from command import say

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "dump")]
from session import BOARD, RAM, REBOOT, live  # noqa: E402
from support import build  # noqa: E402
from traced import SECOND, US, babeltrace, gtkwave, ms_print  # noqa: E402

STOP = """
gdb.execute("tbreak all_is_noted")
gdb.execute("continue")
ram(FILE, *RAM)
"""
# As tests/dump/kept/main.c does it: frame, kind, pool, slot, function.
DONE = [(5000, "alloc", "packets", 1, "send"), (5001, "free", "packets", 1,
                                                "acknowledge"),
        (5002, "alloc", "sounds", 1, "play"), (5003, "alloc", "sounds", 2, "play"),
        (5004, "steal", "sounds", 1, "play"), (5004, "alloc", "sounds", 1, "play"),
        (5005, "free", "sounds", 1, "stop")]
LAST = (9000, "alloc", "packets", 1, "send")


class OfARing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.elf = build(BOARD, "fast", "kept", kind="events32",
                        TIDEPOOL_EVENTS="32") / "kept.elf"
        cls.ram = cls.folder / "ram.bin"
        live(cls.elf, f"FILE, RAM = {str(cls.ram)!r}, {RAM}\n{STOP}")

    def trace(self, format_, *words):
        out = self.folder / format_
        code, said = say("trace", self.elf, self.ram, "--format", format_, "--out",
                         out, *words)
        self.assertEqual((0, f"see   {out}\n"), (code, said))
        return out

    def test_a_trace_takes_the_place_of_neither_the_firmware_nor_the_dump(self):
        before = self.elf.read_bytes(), self.ram.read_bytes()
        for out in (self.elf, self.ram):
            code, said = say("trace", self.elf, f"{self.ram}@{RAM[0]:#x}", "--format",
                             "vcd", "--out", out)
            self.assertEqual((2, f"soak: {out} is what the trace is made of, which"
                                 " would be replaced; choose another --out.\n"),
                             (code, said))
        self.assertEqual(before, (self.elf.read_bytes(), self.ram.read_bytes()))

    def done(self, format_, *words):
        """What babeltrace reads of single calls."""
        return [(event.frame, event.name, event.fields["allocator"],
                 event.fields["slot"], re.match(r"by (\w+)\(\) at .*main\.c:\d+$",
                                                event.fields["words"])[1])
                for event in babeltrace(self.trace(format_, *words))
                if event.name in ("alloc", "free", "steal")]

    def test_babeltrace_reads_each_call_with_its_slot_and_line(self):
        done = self.done("ctf")
        self.assertEqual(16, len(done))
        self.assertEqual(DONE, done[:len(DONE)])
        self.assertEqual(LAST, done[-1])

    def test_some_of_its_frames_can_be_asked_for(self):
        self.assertEqual(DONE[2:5 + 1], self.done("ctf", "--from", "5002",
                                                  "--to", "5004"))

    def test_of_a_firmware_that_booted_again_it_is_the_last_boot(self):
        again = self.folder / "again.bin"
        live(self.elf, f"{REBOOT}ram({str(again)!r}, *{RAM})")
        once = self.done("ctf")
        code, said = say("trace", self.elf, again, "--format", "ctf", "--out",
                         self.folder / "again")
        self.assertEqual(0, code, said)
        told = [event.frame for event in babeltrace(self.folder / "again")
                if event.name in ("alloc", "free", "steal")]
        self.assertEqual([frame for frame, *_ in once], told)

    def test_perfetto_reads_each_call_as_an_instant(self):
        events = json.loads(self.trace("chrome").read_text())["traceEvents"]
        calls = [(event["args"]["frame"], event["name"]) for event in events
                 if event["ph"] == "i"]
        self.assertEqual([(frame, f"{pool} {kind}")
                          for frame, kind, pool, _, _ in DONE], calls[:len(DONE)])

    def test_gtkwave_reads_what_was_live_behind_each_frame(self):
        waves = gtkwave(self.trace("vcd"), self.folder)
        at = [frame * US // SECOND for frame in (5000, 5001, 9000)]
        self.assertEqual(dict(zip(at, (1, 0, 1))), waves["packets.live"])
        at = [frame * US // SECOND for frame in (5002, 5003, 5005)]
        self.assertLessEqual(dict(zip(at, (1, 2, 1))).items(),
                             waves["sounds.live"].items())

    def test_ms_print_reads_whose_the_bytes_were(self):
        snapshots, most = ms_print(self.trace("massif"))
        root, = snapshots[most].tree
        pool, = root.below
        place, = pool.below
        self.assertEqual(2 * 16, snapshots[most].bytes)
        self.assertRegex(pool.words, r"^sounds \(pool, 2 of 2 slots\)$")
        self.assertRegex(place.words, r"^play\(\) at .*main\.c:\d+$")

    def test_what_is_no_trace_of_a_ring_is_a_sentence(self):
        words = "--format", "vcd", "--out", self.folder / "none"
        owned = build(BOARD, "fast", "owned") / "owned.elf"
        short = self.folder / "short.bin"
        short.write_bytes(self.ram.read_bytes()[:64])
        junk = self.folder / "junk.bin"
        junk.write_bytes(b"\xa5" * (RAM[1] - RAM[0]))
        for files, sentence in (
                ((self.folder / "nowhere",), "there is no folder .*name its ELF"),
                ((self.elf, self.folder / "nothing"), "cannot read it"),
                ((owned, self.ram), "TIDEPOOL_EVENTS|not of this ELF"),
                ((self.elf, junk), "not of this ELF"),
                ((self.elf, short), "is not in the dump")):
            code, said = say("trace", *files, *words)
            self.assertEqual(2, code, said)
            self.assertRegex(said, f"^soak: .*({sentence})")
            self.assertNotRegex(said, "Traceback|bug of the soak")
        code, said = say("trace", self.elf, self.ram, *words, "--from", "6000", "--to",
                         "7000")
        self.assertEqual((2, "soak: the firmware kept no event of these frames.\n"),
                         (code, said))
        self.assertFalse((self.folder / "none").exists())


if __name__ == "__main__":
    unittest.main()
