# SPDX-License-Identifier: MIT
"""What the verbs of a dump print, in which order, and how they end, of files and a
firmware on paper: nothing is built and nothing emulated."""

import contextlib
import json
import struct
import types
import unittest
from unittest import mock

import paper_memory  # noqa: F401: where the decoder is.
from decoder import Unreadable, dump
from decoder.inputs import Dump, core_pieces

of = types.SimpleNamespace
PARTS = ("report.pools", "report.all_slots", "report.all_holders", "all_waiters",
         "history_if_kept")


class Said(unittest.TestCase):
    def setUp(self):
        self.said = []

    def patched(self, **functions):
        """The functions of the module return that."""
        stack = contextlib.ExitStack()
        for name, returns in functions.items():
            stack.enter_context(mock.patch(f"decoder.dump.{name}",
                                           lambda *_, returns=returns: returns))
        return stack

    def say(self, lines):
        self.said += lines


class Dumped(Said):
    def dump(self, warnings=(), missing="", sound=True, fault=(), foreign=False,
             other=False, pool="", empty=()):
        firmware = of(is_foreign=lambda: foreign)
        parts = {name: [] if name in empty else [name] for name in PARTS}
        with self.patched(opened=(firmware, Dump({}, warnings)), missing=missing,
                          is_other_code=other, **parts,
                          **{"report.check": (["checked"], sound),
                             "report.fault": None if fault is None else list(fault),
                             "report.slots": ["slots"]}):
            return dump.say_dump("fw.elf", ["ram"], pool, self.say)

    def test_its_parts_come_in_their_order_and_none_that_is_empty(self):
        self.assertEqual(0, self.dump())
        self.assertEqual(["no fault was recorded", "", PARTS[0], "", "checked", "",
                          PARTS[1], "", PARTS[2], "", PARTS[3], "", PARTS[4]],
                         self.said)
        self.said.clear()
        self.assertEqual(0, self.dump(empty=PARTS[1:]))
        self.assertEqual(["no fault was recorded", "", PARTS[0], "", "checked"],
                         self.said)

    def test_slots_of_a_pool_are_told_alone(self):
        self.assertEqual(0, self.dump(pool="a"))
        self.assertEqual(["slots"], self.said)

    def test_a_fault_and_what_is_not_sound_end_with_1(self):
        self.assertEqual(1, self.dump(fault=["fault: full"]))
        self.assertEqual("fault: full", self.said[0])
        self.assertEqual(1, self.dump(sound=False))
        self.assertEqual(1, self.dump(sound=False, fault=["fault: full"]))

    def test_what_is_not_in_the_dump_is_told_behind_all_that_is(self):
        for more, trouble in (({"warnings": ["torn"]}, "torn"),
                              ({"missing": "short"}, "short"),
                              ({"warnings": ["torn"], "missing": "short"},
                               "torn\nshort")):
            self.said.clear()
            with self.assertRaisesRegex(Unreadable, f"^{trouble}$"):
                self.dump(fault=None, **more)
            self.assertEqual(("the fault record is not in the dump", PARTS[4]),
                             (self.said[0], self.said[-1]))

    def test_a_dump_of_another_firmware_is_refused_with_what_else_was_wrong(self):
        for more in ({"foreign": True}, {"other": True}):
            with self.assertRaisesRegex(Unreadable, "^torn\nthe dump is not of this "):
                self.dump(["torn"], **more)
            self.assertEqual([], self.said)


class Cores(Said):
    def core(self, registers, *names, kept=({}, {}), known=(), warnings=(), short="",
             pieces={0x100: b"ram!"}):
        """What is written: its registers and its memory."""
        firmware = of(memory=of(pieces=pieces))
        written, opened = {}, []

        def open_them(_, files):
            opened.extend(files)
            return firmware, Dump({}, warnings, known)
        with self.patched(kept=kept, missing=short, contents=json.dumps(registers)), \
                mock.patch("decoder.dump.opened", open_them):
            dump.write_core("fw.elf", names or ["ram.bin"], "out", written.update,
                            self.say)
        self.assertEqual([name for name in names or ["ram.bin"] if "ram" in name],
                         opened)
        data, = written.values()
        status = data.index(b"CORE\0\0\0\0") + 8 + 72
        return struct.unpack_from("<17I", data, status), core_pieces(data)

    def test_registers_of_json_are_laid_over_those_of_a_dump(self):
        values, pieces = self.core({"SP": 1, "pc": 2}, "r.json", "ram.bin",
                                   known={"pc": 9, "lr": 3})
        self.assertEqual(((1, 3, 2), {0x100: b"ram!"}), (values[13:16], pieces))

    def test_what_was_kept_of_a_crash_stands_in_for_registers(self):
        kept = {"r15": 7}, {0x104: b"top"}
        values, pieces = self.core({}, kept=kept)
        self.assertEqual((7, {0x100: b"ram!top"}), (values[15], pieces))
        values, pieces = self.core({}, kept=kept, known={"pc": 8})
        self.assertEqual((8, {0x100: b"ram!"}), (values[15], pieces))

    def test_that_there_is_no_backtrace_is_told_where_no_register_leads_to_it(self):
        bare = ", without registers: there is no backtrace"
        for registers, more in (({}, bare), ({"sp": 1}, bare), ({"PC": 1}, ""),
                                ({"pc": 1}, ""), ({"R15": 1}, "")):
            self.said.clear()
            self.core(registers, "ram.bin", "r.json", short="short")
            self.assertEqual([f"wrote out{more}; gdb-multiarch fw.elf out", "short"],
                             self.said)

    def test_a_torn_dump_is_written_and_told(self):
        with self.assertRaisesRegex(Unreadable, "^torn$"):
            self.core({}, warnings=["torn"])
        self.assertEqual(1, len(self.said))

    def test_what_no_core_of_32_bits_has_room_for_is_a_sentence(self):
        for pieces, said in (({1 << 32: b"a"}, "1 pieces, the last at 0x100000000$"),
                             ({8 * at: b"a" for at in range(1 << 16)}, "65536 pieces")):
            with self.assertRaisesRegex(Unreadable, f"has no room for {said}"):
                self.core({}, pieces=pieces)

    def test_a_dump_that_ends_before_what_a_crash_kept_has_none_of_it(self):
        with mock.patch("decoder.dump.kept_crash", side_effect=dump.Missing(4)):
            self.assertEqual(({}, {}), dump.kept(None))


class Read(Said):
    ELF = of(pointer_bytes=4, variables=lambda: [])

    def test_what_is_wrong_with_a_file_is_told_with_its_name_and_once(self):
        for name in ("ram.bin", "it", "empty", "i"):
            with self.patched(contents=b""), \
                    self.assertRaisesRegex(Unreadable, f"^{name}: it is empty$"):
                dump.read_file(f"{name}@0x10", self.ELF)
        with self.assertRaisesRegex(Unreadable, "^/none/it: cannot read it: No such"):
            dump.read_file("/none/it", self.ELF)

    def test_a_core_that_is_cut_is_torn_and_a_last_record_alone_is_no_memory(self):
        with self.patched(contents=b"\x7fELF\1\1"), \
                self.assertRaisesRegex(Unreadable, "^a: it is torn$"):
            dump.read_file("a", self.ELF)
        with self.patched(contents=b":00000001FF\n"):
            self.assertEqual({}, dump.read_file("a", self.ELF).pieces)

    def test_several_files_are_one_dump_and_each_is_named_where_it_is_torn(self):
        one = Dump({1: b"a"}, ["torn"], {"pc": 1})
        other = Dump({1: b"b", 9: b"c"}, ["cut", "off"], {"lr": 2})
        files = {"x": one, "y": other}
        memory = mock.Mock()
        with self.patched(read_elf=self.ELF, Firmware=of(memory=None), Lines=None), \
                mock.patch("decoder.dump.read_file", lambda name, _: files[name]), \
                mock.patch("decoder.dump.Memory", memory):
            _, whole = dump.opened("fw.elf", ["x", "y"])
        self.assertEqual(({1: b"b", 9: b"c"}, {"pc": 1, "lr": 2}),
                         (whole.pieces, whole.registers))
        self.assertEqual(["x: torn", "y: cut", "y: off"], whole.warnings)
        memory.assert_called_once_with(self.ELF, whole.pieces)


if __name__ == "__main__":
    unittest.main()
