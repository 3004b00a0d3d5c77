# SPDX-License-Identifier: MIT
"""The forms of a dump, the core that is made of one, and handles in words, of a few
bytes each: nothing is built and nothing emulated."""

import types
import unittest
from unittest import mock

from paper_memory import Paper
from decoder import Unreadable
from decoder.core import elf_core, in_order, registers_of
from decoder.dump import gaps_in, opened, read_file
from decoder.handle import handle_in_words
from decoder.holders import sealed
from decoder.inputs import core_pieces, read_dump
from decoder.lines import called_before
from decoder.memory import Missing, joined
from decoder.owners import context_name
from decoder.pool import LIVE
from decoder.record import NAMES, in_words, kind_name
from decoder.report import place_in


def intel(address, kind, *data):
    record = bytes([len(data), address >> 8, address & 255, kind, *data])
    return b":" + (record + bytes([-sum(record) & 255])).hex().encode() + b"\n"


def motorola(kind, address, width, *data):
    record = bytes([width + len(data) + 1]) + address.to_bytes(width, "big") \
        + bytes(data)
    check = bytes([~sum(record) & 255])
    return b"S%d" % kind + (record + check).hex().encode() + b"\n"


class Records(unittest.TestCase):
    def pieces(self, *lines):
        dump = read_dump(b"".join(lines), 0)
        self.assertEqual([], dump.warnings)
        return dump.pieces

    def test_a_segment_of_intel_hex_counts_in_16_and_a_line_in_65536(self):
        end = intel(0, 1)
        for kind, base in ((2, 0x20010), (4, 0x20010000)):
            high = 0x2001
            self.assertEqual({base + 4: b"\7\x08"}, self.pieces(
                intel(0, kind, high >> 8, high & 255), intel(4, 0, 7, 8), end))

    def test_each_width_of_an_s_record_has_its_end(self):
        for width, data, end in ((2, 1, 9), (3, 2, 8), (4, 3, 7)):
            address = 0x12345678 >> 8 * (4 - width)
            self.assertEqual({address: b"\7"}, self.pieces(
                motorola(data, address, width, 7), motorola(end, 0, width)))

    def test_a_wrong_sum_tears_a_record(self):
        for good, end in ((intel(0, 0, 7), intel(0, 1)),
                          (motorola(1, 0, 2, 7), motorola(9, 0, 2))):
            for bad in (good.replace(b"07", b"08"), good[:-5] + good[-3:]):
                dump = read_dump(bad + end, 0)
                self.assertEqual(({}, ["line 1 is torn: what follows it is not read"]),
                                 (dump.pieces, dump.warnings))

    def test_lines_are_counted_from_the_first_of_the_file_though_it_is_empty(self):
        for good in (intel(0, 0, 7), motorola(1, 0, 2, 7)):
            dump = read_dump(b"\n \r\n" + good + good[:-3], 0)
            self.assertEqual({0: b"\7"}, dump.pieces)
            self.assertEqual(["line 4 is torn: what follows it is not read"],
                             dump.warnings)

    def test_a_record_of_another_length_than_it_says_is_torn(self):
        for record in (b"\1\0\0\0\7\x09", b"\2\0\0\0\7"):
            text = b":" + (record + bytes([-sum(record) & 255])).hex().encode()
            self.assertEqual({}, read_dump(text, 0).pieces)
        for record in (b"\4\0\0\7\x09", b"\5\0\0\7"):
            text = b"S1" + (record + bytes([~sum(record) & 255])).hex().encode()
            self.assertEqual({}, read_dump(text, 0).pieces)

    def test_a_log_that_begins_with_the_letter_of_a_record_is_a_text(self):
        for first in (b"Started\n", b"S1 is pressed\n", b": up\n", b":0\n", b"S19\n"):
            self.assertEqual({0x20000000: b"\1"}, self.pieces(first, b"20000000: 01\n"))

    def test_words_are_little_endian_and_bytes_are_in_their_order(self):
        for text, data in ((b"20000000: 01020304 05060708", b"\4\3\2\1\x08\7\6\5"),
                           (b"20000000: 0x0102 0x0304", b"\2\1\4\3"),
                           (b"20000000: 0102 0304", b"\1\2\3\4"),
                           (b"20000000 = 0102 0304", b"\2\1\4\3"),
                           (b"20000000 = 01020304 \r\n", b"\4\3\2\1"),
                           (b"20000000 = 01 02  ..", b"\1\2"),
                           (b"0x20000000 <a+4>:\t0x01 0x02", b"\1\2")):
            self.assertEqual({0x20000000: data}, self.pieces(text))

    def test_what_lies_at_an_address_has_any_name_that_c_has_or_c_plus_plus(self):
        for name in ("a", "a+4", "of<int>::all", "guard variable for f<b>()::a",
                     "of<two<int> >::all+4", "operator>>(in&)::a", "a> >"):
            text = f"0x20000000 <{name}>:\t0x01 0x02\n".encode()
            self.assertEqual({0x20000000: b"\1\2"}, self.pieces(text), name)

    def test_a_log_with_noise_of_its_line_and_other_letters_is_a_text(self):
        line = b"20000000: 0x01 0x02\r\n"
        for noise in (b"\xff\0boot and 25 others\r\n", "it was 25 °C here\n".encode()):
            self.assertEqual({0x20000000: b"\1\2"}, self.pieces(noise, line))
        self.assertEqual({0: b"\0\xff" + line}, self.pieces(b"\0\xff", line))

    def test_registers_are_read_from_text_by_each_of_their_names(self):
        dump = read_dump(b"20000000: 01\nPC = 0x00000010 psr: 61000000\n"
                         b"xPSR=0x01000000 r12 00000001 lr:00000002\n", 0)
        self.assertEqual({"pc": 16, "xpsr": 1 << 24, "lr": 2}, dump.registers)


class Cores(unittest.TestCase):
    def test_a_core_gives_back_the_memory_it_was_made_of_and_no_note(self):
        pieces = {0x1000: b"code", 0x20000000: b"data"}
        self.assertEqual(pieces, core_pieces(elf_core([0] * 17, pieces)))

    def test_registers_have_other_names_too_and_the_state_is_thumb(self):
        self.assertEqual([0] * 13 + [1, 2, 3, 1 << 24],
                         in_order({"SP": 1, "r14": 2, "PC": 3}))
        for name in ("xpsr", "psr", "CPSR"):
            self.assertEqual(5, in_order(registers_of(f'{{"{name}": "0x5"}}'))[-1])

    def test_what_no_register_is_called_is_a_sentence(self):
        for text, said in (('{"r16": 1}', "there is no register 'r16'"),
                           ("[1]", 'registers are {"r0": 1'),
                           ('{"r0": null}', 'registers are {"r0": 1'),
                           ('{"r0": 1e999}', 'registers are {"r0": 1'),
                           ("[" * 100000, 'registers are {"r0": 1')):
            with self.assertRaisesRegex(Unreadable, said):
                registers_of(text)


class Files(unittest.TestCase):
    def pieces(self, name):
        """The places of a file of two bytes, of a core of 32 bits."""
        elf = types.SimpleNamespace(pointer_bytes=4, variables=lambda: [(0x2345, 0)])
        with mock.patch("decoder.dump.contents", lambda path: b"\0\xff"):
            return [*read_file(name, elf).pieces]

    def test_raw_bytes_begin_where_their_name_says_or_at_a_page_of_the_ram(self):
        for name, begin in (("a", 0x2000), ("a@0x1fF", 0x1FF), ("a@b@0x1", 1),
                            ("a@10", 0x2000), ("a@0x1g", 0x2000), ("@0x1", 0x2000),
                            ("a@0xfffffffe", 0xFFFFFFFE)):
            self.assertEqual([begin], self.pieces(name), name)

    def test_bytes_behind_the_last_address_are_a_sentence(self):
        for begin in (0xFFFFFFFF, 1 << 40):
            said = f"^a: it would end at {begin + 2:#x}, which is no address that "
            with self.assertRaisesRegex(Unreadable, said):
                self.pieces(f"a@{begin:#x}")

    def test_a_file_does_not_hide_what_another_has_behind_its_own(self):
        """As the words of a log, and all of the RAM."""
        files = {"a": b"\0\1\2\3", "b": b"\7\xff"}
        elf = types.SimpleNamespace(pointer_bytes=4, variables=lambda: [])
        with mock.patch("decoder.dump.contents", files.get), \
                mock.patch("decoder.dump.read_elf", lambda _: elf), \
                mock.patch("decoder.dump.Lines"), \
                mock.patch("decoder.dump.Firmware"):
            for names, held in ((("a", "b"), b"\7\xff\2\3"), (("b", "a"), files["a"])):
                self.assertEqual({0: held}, opened("fw.elf", names)[1].pieces)


class Bytes(unittest.TestCase):
    def test_pieces_that_overlap_are_one_and_what_is_behind_the_second_stays(self):
        self.assertEqual({4: b"abXYef", 20: b"g"},
                         joined({4: b"abcdef", 6: b"XY", 20: b"g"}.items()))
        for told, whole in ((((8, b"cd"), (4, b"ab"), (6, b"XY")), {4: b"abXYcd"}),
                            (((4, b"ab"), (8, b"cd"), (5, b"VWXYZ")), {4: b"aVWXYZ"}),
                            (((6, b"c"), (4, b"a"), (9, b"")), {4: b"a", 6: b"c"}),
                            (((4, b"abcd"), (4, b"X")), {4: b"Xbcd"})):
            self.assertEqual(whole, joined(told))

    def test_of_two_crashes_in_a_text_no_word_of_the_later_is_the_earlier_s(self):
        lines = [f"{at:08x}: {word:08x} {word:08x}\n".encode()
                 for word, begin in ((1, 0x100), (2, 0x104)) for at in
                 range(begin, begin + 24, 8)]
        self.assertEqual({0x100: b"\1\0\0\0" + b"\2\0\0\0" * 6},
                         read_dump(b"".join(lines), 0).pieces)

    def test_what_is_not_in_the_dump_is_told_by_its_first_address(self):
        paper = Paper()
        paper.numbers(0x100, 1, 2)
        memory = paper.memory()
        self.assertEqual([1, 2], memory.numbers(0x100, 2))
        for address, missing in ((0x104, 0x108), (0x10c, 0x10c), (0xfc, 0xfc)):
            with self.assertRaises(Missing) as caught:
                memory.numbers(address, 2)
            self.assertEqual(missing, caught.exception.address)

    def test_a_text_without_an_end_ends_after_the_longest_name_that_is_told(self):
        paper = Paper()
        paper.numbers(0x100, *b"a" * 300, size=1)
        self.assertEqual("a" * 255, paper.memory().text(0x100))

    def test_gaps_are_those_between_the_pieces_within_a_section(self):
        paper = Paper()
        for address, size in ((4, 4), (12, 4), (40, 4)):
            paper.numbers(address, *bytes(size), size=1)
        memory = paper.memory()
        self.assertEqual([(0, 4), (8, 12), (16, 20)], gaps_in(memory, 0, 20))
        self.assertEqual([], gaps_in(memory, 4, 8))
        self.assertEqual([(20, 30)], gaps_in(memory, 20, 30))


class Words(unittest.TestCase):
    def handle(self, bits, width=32, tags=(0, LIVE + 5, 5), fresh=2):
        pool = types.SimpleNamespace(
            pool=types.SimpleNamespace(handle_bits=3, policy=0), capacity=4,
            fresh=fresh, tags=list(tags))
        entry = types.SimpleNamespace(it=types.SimpleNamespace(pool=lambda: pool))
        firmware = types.SimpleNamespace(called=lambda name: entry)
        return handle_in_words(firmware, "sounds_handle_t", bits, width)

    def test_a_handle_is_live_only_with_the_whole_tag_of_a_live_slot(self):
        for bits, said in ((0, "none"), (5 << 3 | 1, "slot 1 of sounds, live"),
                           (4 << 3 | 1, "slot 1 of sounds, stale"),
                           (5 << 3 | 2, "slot 2 of sounds, stale"),
                           (5 << 3 | 3, "slot 3 of sounds, stale"),
                           (5 << 3, "none of sounds's"),
                           (5 << 3 | 5, "none of sounds's")):
            self.assertEqual(said, self.handle(bits), bits)

    def test_a_wide_handle_has_its_slot_in_16_bits_and_the_tag_above(self):
        for tag, slot, said in ((LIVE + 5, 1, "live"), (5, 1, "stale"),
                                (5, 2, "stale")):
            self.assertEqual(f"slot {slot} of sounds, {said}",
                             self.handle(tag << 16 | slot, 64))
        self.assertEqual("none of sounds's", self.handle(LIVE + 5 << 16 | 9, 64))

    def borrowed(self, bits, width=32, policy="tp_spill_overflow", into=0x200):
        """Of `sounds`, of four slots, which spills into `more`, of two."""
        paper = Paper()
        paper.struct(0x100, "tp_spill", policy=dict(overflow=0x801), into=into,
                     state=0x140)
        paper.struct(0x200, "tp_chunk", pool=0x300, owner=0x240)
        paper.numbers(0x240, 0, 0x140, 0x150)
        paper.struct(0x300, "tp_pool", name=0x380, tag=0x390, state=0x3b0, capacity=2,
                     stride=8, tagged=1)
        paper.numbers(0x380, *b"more\0", size=1)
        paper.numbers(0x390, 2 << 16, LIVE + 5, LIVE + 5)
        paper.struct(0x3b0, "tp_pool_state", fresh=2)
        pool = types.SimpleNamespace(
            pool=types.SimpleNamespace(handle_bits=3, policy=0x100), capacity=4,
            fresh=0, tags=[0] * 5)
        entry = types.SimpleNamespace(it=types.SimpleNamespace(pool=lambda: pool))
        elf = types.SimpleNamespace(
            pointer_bytes=4, function_at=lambda address: policy * (address == 0x800))
        firmware = types.SimpleNamespace(called=lambda name: entry, level=1, elf=elf,
                                         memory=paper.memory())
        return handle_in_words(firmware, "sounds_handle_t", bits, width)

    def test_a_handle_of_what_was_borrowed_names_the_slot_of_who_lends_it(self):
        for bits, width, said in (
                (5 << 3 | 5, 32, "slot 1 of more, live"),
                (4 << 3 | 5, 32, "slot 1 of more, stale"),
                (5 << 3 | 6, 32, "slot 2 of more, stale"),  # Another has it.
                (5 << 3 | 7, 32, "none of sounds's"),
                (LIVE + 5 << 16 | 5, 64, "slot 1 of more, live")):
            self.assertEqual(said, self.borrowed(bits, width), bits)
        self.assertEqual("none of sounds's", self.borrowed(5 << 3 | 5, policy="mine"))
        self.assertEqual("none of sounds's", self.borrowed(5 << 3 | 5, into=0))

    def test_an_exception_has_the_name_that_arm_gives_it(self):
        for number, name in ((0, ""), (2, ", in NMI"), (3, ", in HardFault"),
                             (4, ", in MemManage"), (5, ", in BusFault"),
                             (6, ", in UsageFault"), (11, ", in SVCall"),
                             (12, ", in DebugMonitor"), (14, ", in PendSV"),
                             (15, ", in SysTick"), (16, ", in interrupt 0"),
                             (7, ", in exception 7")):
            self.assertEqual(name, context_name(number))

    def test_a_kind_that_is_not_known_is_a_number(self):
        self.assertEqual(["device", f"kind {len(NAMES)}"],
                         [kind_name(len(NAMES) - 1), kind_name(len(NAMES))])

    def test_an_address_in_a_pool_is_in_a_slot_or_in_a_red_zone(self):
        def slot_of(address):
            place, byte = divmod(address - 100, 16)
            return place + 1, byte
        pool = types.SimpleNamespace(slot_of=slot_of, size=8, fresh=1, tags=[1, LIVE],
                                     is_live=lambda slot: True, issued=lambda slot: 4,
                                     lead=0)
        entry = types.SimpleNamespace(
            name="a", it=types.SimpleNamespace(pool=lambda: pool))
        elf = types.SimpleNamespace(address_of=lambda _: None, symbols={})
        firmware = types.SimpleNamespace(elf=elf, memory=None, listed=False,
                                         named=lambda *_: [])
        for address, said in ((99, "pool a, the red zone before slot 1"),
                              (107, "pool a, slot 1, byte 7: live, issued 4 times"),
                              (108, "pool a, the red zone behind slot 1"),
                              (116, "pool a, slot 2, byte 0: never issued")):
            self.assertEqual(said, place_in(firmware, entry, address))

    def guard(self, **fields):
        firmware = types.SimpleNamespace(
            memory=types.SimpleNamespace(text=lambda _: "a"),
            lines=types.SimpleNamespace(caller=lambda address: f"f{address}()"))
        record = dict(name=1, slot=0, frame=0, kind=NAMES.index("guard"), offset=0,
                      address=0x100, found=0, expected=0)
        return in_words(firmware, types.SimpleNamespace(**{**record, **fields}))[1:]

    def test_a_guard_says_what_was_refused_and_of_a_dead_slot_who_had_it(self):
        refused = "  at 0x00000100: refused to "
        self.assertEqual([refused + "read or write"], self.guard())
        self.assertEqual([refused + "execute"], self.guard(found=1))
        self.assertEqual([refused + "read or write", "  issued by f1()",
                          "  freed by f2()"], self.guard(found=1, expected=2))
        self.assertEqual(["  at 0x00000100, 8 bytes on: refused to read or write"],
                         self.guard(offset=8))

    def test_a_record_whose_name_is_not_in_the_dump_is_told_without_it(self):
        memory = Paper().memory()
        record = types.SimpleNamespace(name=0x100, kind=NAMES.index("full"), frame=3,
                                       slot=2, address=0, offset=0, found=4, expected=5)
        self.assertEqual(["fault: full of ?, slot 2, in frame 3",
                          "  4 were asked for, where 5 fit"],
                         in_words(types.SimpleNamespace(memory=memory), record))

    def test_of_two_generations_with_one_bit_apart_the_seals_differ(self):
        for bit in range(31):
            self.assertNotEqual(sealed(0x1234567), sealed(0x1234567 ^ 1 << bit), bit)

    def test_a_call_leads_forwards_and_back_and_what_is_none_leads_nowhere(self):
        # BL +8 and BL -4 of a Cortex-M3; two moves; half of one.
        for code, target in (("00f004f8", 0x1008), ("fff7feff", 0xffc),
                             ("00bf00bf", 0), ("00f00480", 0), ("00f0", 0)):
            self.assertEqual(target, called_before(bytes.fromhex(code), 0x1000), code)
        # As GNU's assembler has calls so far that all bits of theirs are wanted.
        for code, target in (("00f400d0", 0x1000000), ("00f001f4", 0x2400802),
                             ("00f0aada", 0x2800554), ("fff7abf2", 0x1bff556),
                             ("fff701de", 0x17ffc02)):
            self.assertEqual(target, called_before(bytes.fromhex(code), 0x2000000))


if __name__ == "__main__":
    unittest.main()
