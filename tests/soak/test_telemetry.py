# SPDX-License-Identifier: MIT
import random
import re
import struct
import unittest
from unittest import mock

import paper
from harness import telemetry
from harness.errors import CannotRun
from harness.records import done_by


def decode(data):
    decoder = telemetry.Decoder()
    return decoder.feed(data) + decoder.finish(), decoder.damaged_bytes


class Telemetry(unittest.TestCase):
    def test_the_checksum_is_fletcher_16(self):
        self.assertEqual(telemetry.fletcher16(b"abcde"), 0xC8F0)
        self.assertEqual(telemetry.fletcher16(b"abcdefgh"), 0x0627)

    def test_a_record_of_every_type_comes_back_as_it_was_sent(self):
        records, damaged = decode(
            paper.hello(seed=7) + paper.text("boot")
            + paper.sample(60, *[paper.usage(3)] * 3)
            + paper.audit("off by one", slot=3) + paper.fault(6)
            + paper.planted("leak", pool=0) + paper.done())

        hello, text, sample, audit, fault, planted, done = records
        self.assertEqual(hello.seed, 7)
        self.assertEqual(hello.allocators[1], telemetry.Allocator(
            "sounds", "pool", "slots", "steal-oldest", "ram", 16, 16 * 24, 24,
            False))
        self.assertEqual(text.text, "boot")
        self.assertEqual((sample.frame, sample.usages[2].live), (60, 3))
        self.assertEqual((audit.slot, audit.text), (3, "off by one"))
        self.assertEqual(planted, telemetry.Planted(600, 0, 0, "leak"))
        self.assertEqual((fault.kind, fault.slot, fault.address),
                         ("poison", 17, 0x21000220))
        self.assertEqual((done.frame, done.state_hash),
                         (3600, 0x1122334455667788))
        self.assertEqual(damaged, 0)

    def test_figures_costs_and_scenes_come_back_as_they_were_sent(self):
        records, damaged = decode(
            paper.hello() + paper.figure(0, "hole", "bytes", 4096, False)
            + paper.figures(60, 7, 2**32 - 1) + paper.scene(90, "storm")
            + paper.costs("sparks: alloc", [1, 2, 3], first=8, step=2))
        self.assertEqual(records[1:], [
            telemetry.Figure(0, False, 4096, "hole", "bytes"),
            telemetry.Figures(60, (7, 2**32 - 1)),
            telemetry.Scene(90, "storm"),
            telemetry.Costs("sparks: alloc", 8, 2, (1, 2, 3))])
        self.assertEqual(damaged, 0)

    def test_every_number_of_every_other_record_comes_back_in_its_place(self):
        sent = {
            "Refused": (paper.refused("b", 1, 2), (1, 2, "b")),
            "Setting": (paper.setting("b", 1), (1, "b")),
            "Expectation": (paper.expectation("b", 1, 2, 3), (1, 2, 3, "b")),
            "Place": (paper.place(1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)),
            "Picture": (paper.picture(1, (2, 3), width=1, height=2, pixels=b"45"),
                        (1, 1, 2, ((2, 3),), b"45")),
            "FrameCosts": (paper.frame_costs(1, 2, 3, 4, 5, 6),
                           (1, 5, 60, 8192, 2, 3, 4, 6)),
            "Stack": (paper.stack(1, 2, 3, "b"), (1, 2, 3, "b")),
            "Oldest": (paper.oldest(1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)),
            "Guard": (paper.guard(1, 2, "b"), (1, 2, "b")),
            "Clock": (paper.clock(1), (1,)),
            "Holes": (paper.holes(1, 2, 3, 4, 5), (1, 2, 3, 4, 5)),
            "Question": (paper.question("b", 1, 2, 3), (1, 2, 3, "b")),
            "Stranger": (paper.stranger(1, 2, 1, 4, 5, "b", 6),
                         (1, 2, 6, 4, 5, 1, "b")),
            "Caller": (paper.caller(1, "b", 2, 3, 4), (1, 4, 2, 3, "b"))}
        records, damaged = decode(b"".join(data for data, _ in sent.values()))
        self.assertEqual(([(name, told) for name, (_, told) in sent.items()], 0), (
            [(type(one).__name__, tuple(one)) for one in records], damaged))

    def test_a_picture_of_fewer_uses_than_it_says_is_none(self):
        payload = struct.pack("<IHHB", 1, 3, 0, 2) + struct.pack("<BI", 1, 2)
        self.assertEqual([], decode(paper.record(16, payload))[0])

    def test_what_an_access_did_is_told_in_words(self):
        for expected, found, said in ((0, 1, "1 byte read"), (1, 4, "4 bytes written")):
            (one,), _ = decode(paper.fault(22, expected=expected, found=found))
            self.assertEqual(said, done_by(one))

    def test_each_bit_of_what_a_firmware_can_do_says_one_thing(self):
        for bits, told in ((0, (0, False, False, False)), (1, (1, False, False, False)),
                           (2, (0, True, False, False)), (4, (0, False, True, False)),
                           (8, (0, False, False, True))):
            (one,), _ = decode(paper.hello(interrupts=bits, hooks=False))
            self.assertEqual(told, (one.interrupts, one.hooks, one.timed,
                                    one.sanitized))

    def test_a_picture_that_is_not_as_large_as_it_says_is_none(self):
        for width, height, pixels, right in (
                (2, 2, b"1234", True), (2, 2, b"123", False), (2, 2, b"12345", False),
                (0, 7, b"", False)):
            records, damaged = decode(paper.hello() + paper.picture(
                60, (0, 9), (1, 8), width=width, height=height, pixels=pixels))
            self.assertEqual([telemetry.Picture(60, 2, 2, ((0, 9), (1, 8)), b"1234")]
                             * right, records[1:])
            self.assertEqual(right, not damaged)

    def test_records_arrive_whole_however_the_bytes_are_cut(self):
        data = b"boot\n" + paper.healthy_run(600) + "a\u00b7b\nc".encode()
        whole, _ = decode(data)
        decoder, pieces = telemetry.Decoder(), []
        for byte in data:
            pieces += decoder.feed(bytes([byte]))
        self.assertEqual(pieces + decoder.finish(), whole)

    def test_a_byte_too_many_before_the_first_record_is_not_damage(self):
        for junk in (b"\x00", b"\xb7", b"\xb7\xb7\x01"):
            records, damaged = decode(junk + paper.healthy_run(600))
            self.assertEqual((len(records), damaged), (12, 0), junk)

    def test_lines_of_text_among_records_are_text_and_no_damage(self):
        for text in (b"heap left: 12\r\n", b"no newline",
                     "21 \u00b7 \u00b0C\n".encode(),
                     b"\x1b[31mred\x1b[0m\n", b"a\tb\n\nc\n"):
            first, *others = text.decode().split("\n")
            records, damaged = decode(paper.hello() + text + paper.done())
            self.assertEqual(damaged, 0, text)
            self.assertEqual([type(record).__name__ for record in records],
                             ["Hello", *["Text"] * len(
                                 [line for line in [first, *others] if line]),
                              "Done"])
        self.assertEqual([telemetry.Text("a?b"), telemetry.Text("c")],
                         records[1:-1])

    def test_text_before_the_first_record_and_after_the_last_is_text(self):
        records, damaged = decode(b"\x00boot\n" + paper.healthy_run(600) + b"bye")
        self.assertEqual((telemetry.Text("boot"), telemetry.Text("bye"), 0),
                         (records[0], records[-1], damaged))

    def test_the_last_letter_that_is_seen_is_text_and_the_next_is_damage(self):
        for letter, damaged in ((b"~", 0), (b"\x7f", 1)):
            self.assertEqual(damaged, decode(paper.hello() + letter + paper.done())[1])
        records, damaged = decode(paper.hello() + b"x" * 1000 + b"~\n" + paper.done())
        self.assertEqual(("~", 0), (records[2].text, damaged))

    def test_after_damage_only_whole_lines_are_text(self):
        records, damaged = decode(paper.hello() + b"te\x01xt\nmore\nrest"
                                  + paper.done())
        self.assertEqual((telemetry.Text("more"), 3, 10),
                         (records[1], len(records), damaged))

    def test_text_among_records_is_shown_as_text(self):
        """Wherever an interrupt printed it, and however the bytes come."""
        before, after = paper.hello(), paper.done()
        record = paper.sample(60, *[paper.usage(3)] * 3)
        for printed in (b"heap left: 12\r\n", b"one\ntwo\n", b"count=7",
                        "21 \u00b7\u00b0C\n".encode()):
            for at in range(1, len(record), 3):
                data = before + record[:at] + printed + record[at:] + after
                records, damaged = decode(data)
                said = [one.text for one in records if type(one) is telemetry.Text]
                others = [one for one in records if type(one) is not telemetry.Text]
                self.assertEqual((0, decode(before + record + after)[0]),
                                 (damaged, others), (printed, at))
                self.assertEqual("".join(printed.decode().split()),
                                 "".join("".join(said).split()), at)

    def test_text_within_text_is_found_whatever_stands_beside_it(self):
        record = paper.text("of the firmware, with letters all around")
        for printed in (b"count=7", b"count=12", 8 * b"radio: lost\n"):
            for at in range(1, len(record)):
                records, damaged = decode(paper.hello() + record[:at] + printed
                                          + record[at:] + paper.done())
                self.assertEqual(([*printed.decode().splitlines(),
                                   "of the firmware, with letters all around"], 0),
                                 ([one.text for one in records[1:-1]], damaged), at)

    def test_three_letters_within_text_are_damage_as_anywhere(self):
        record = paper.text("of the firmware, with letters all around")
        for printed in (b"ab\n", b"abc"):
            _, damaged = decode(paper.hello() + record[:20] + printed + record[20:]
                                + paper.done())
            self.assertGreater(damaged, 0)

    def test_text_whose_characters_end_as_records_begin_is_no_damage(self):
        for text in ("\u00b7" * 28, "\u0437" * 28, "ok \u00f7\u00f7\u00f7\u00f7\u00f7",
                     "\u2577" * 9, "done\u00b7\u00b7\u00b7\u00b7\n"):
            records, damaged = decode(paper.hello() + text.encode() + paper.done())
            self.assertEqual((0, [telemetry.Text(text.rstrip())]),
                             (damaged, records[1:-1]), text)

    def test_the_end_of_a_character_is_not_taken_for_a_torn_record(self):
        """That costs thousands of tries for each."""
        text = "\u0437 \u00b7\u00b7 \u2577 \U0001f0b7\n"
        with mock.patch.object(telemetry.torn_record, "texts") as tries:
            records, damaged = decode(paper.hello() + 50 * text.encode() + paper.done())
        self.assertEqual((50 * [telemetry.Text(text.strip())], 0, 0),
                         (records[1:-1], damaged, tries.call_count))

    def test_text_within_a_record_is_found_byte_by_byte(self):
        record = paper.sample(60, *[paper.usage(3)] * 3)
        for at in (1, 2, 3, 4, 70):
            decoder, pieces = telemetry.Decoder(), []
            for byte in (paper.hello() + record[:at] + b"heap left: 12\n" + record[at:]
                         + paper.done()):
                pieces += decoder.feed(bytes([byte]))
            pieces += decoder.finish()
            self.assertEqual(["Hello", "Text", "Sample", "Done"],
                             [type(record).__name__ for record in pieces])
            self.assertEqual((1, 0), (decoder.torn_records, decoder.damaged_bytes))

    def test_text_within_a_record_has_4_bytes_and_without_its_end_no_more_than_80(self):
        record = paper.sample(60, *[paper.usage(3)] * 3)
        for text, is_text in ((b"abc", False), (b"abcd", True), (b"x" * 80, True),
                              (b"x" * 81, False), (b"x" * 80 + b"\n", True),
                              (b"x" * 200 + b"\n" + b"y" * 99 + b"\n", True)):
            data = record[:40] + text + record[40:] + paper.done()
            for cut in (41, 40 + len(text), len(record) + len(text)):
                decoder = telemetry.Decoder()
                said = [one.text for part in (paper.hello() + data[:cut], data[cut:])
                        for one in decoder.feed(part) if type(one) is telemetry.Text]
                self.assertEqual((is_text, is_text * text.decode().split()),
                                 (not decoder.damaged_bytes, said), (text, cut))

    def test_text_within_a_record_may_be_of_very_many_lines(self):
        record = paper.sample(60, *[paper.usage(3)] * 3)
        for line, count in ((b"radio: 12 packets lost\r\n", 30), (b"x\n", 450)):
            records, damaged = decode(paper.hello() + record[:70] + count * line
                                      + record[70:] + paper.done())
            said = [one.text for one in records if type(one) is telemetry.Text]
            self.assertEqual((0, count * [line.decode().rstrip()]), (damaged, said))

    def test_the_tries_for_one_record_are_bounded_however_many_lines_there_are(self):
        data = b"\xb7" + 9000 * b"\n" + 9000 * b"x" + b"\n"
        tried = list(telemetry.torn_record.texts(data, 0, len(data)))
        self.assertEqual((4000, True), (len(tried), all(
            end - begin >= 4 and data[end - 1:end] == b"\n" for begin, end in tried)))

    def test_a_record_that_text_does_not_explain_stays_damage(self):
        record = bytearray(paper.sample(60, *[paper.usage(3)] * 3))
        record[30] ^= 1
        records, damaged = decode(paper.hello() + bytes(record[:70]) + b"heap: 12\n"
                                  + bytes(record[70:]) + paper.done())
        self.assertEqual(["Hello", "Text", "Done"],
                         [type(record).__name__ for record in records])
        self.assertGreaterEqual(damaged, len(record))

    def test_a_flood_of_what_begins_like_records_is_read_in_time_by_its_bytes(self):
        decoder = telemetry.Decoder()
        decoder.feed(paper.hello())
        chance = random.Random(1)
        for _ in range(40):
            decoder.feed(bytes(chance.choice(b"\xb7\x02\x05\n ab") for _ in range(500)))
        self.assertEqual(["Done"], [type(record).__name__ for record in
                                    decoder.feed(paper.done()) + decoder.finish()
                                    if type(record) is not telemetry.Text])

    def test_text_without_an_end_comes_in_pieces(self):
        records, damaged = decode(paper.hello() + b"x" * 100_000 + paper.done())
        self.assertEqual(("x" * 100_000, 0), ("".join(
            record.text for record in records[1:-1]), damaged))

    def test_a_flood_of_letters_is_taken_a_line_at_a_time(self):
        by_itself = telemetry.Decoder._text
        with mock.patch.object(telemetry.Decoder, "_text", autospec=True,
                               side_effect=by_itself) as bytes_taken:
            records, _ = decode(paper.hello() + b"x" * 100_000 + paper.done())
        self.assertEqual(102, len(records))
        self.assertLess(bytes_taken.call_count, 300)

    def test_a_piece_of_text_ends_with_a_whole_character(self):
        for one in ("x", "\u00b0", "\u2500", "\U0001f30a"):
            text = "x" + one * 5000
            records, damaged = decode(paper.hello() + text.encode() + paper.done())
            self.assertEqual((text, 0), ("".join(
                record.text for record in records[1:-1]), damaged))

    def test_a_flipped_bit_costs_one_record_and_is_counted(self):
        data = bytearray(paper.healthy_run(600))
        size = len(paper.hello())
        for at in range(size, size + len(paper.healthy_sample(60))):
            data[at] ^= 0x10
            records, damaged = decode(data)
            data[at] ^= 0x10
            self.assertEqual(len(records), 11, at)
            self.assertGreater(damaged, 0, at)

    def test_a_lost_byte_costs_one_record_and_is_counted(self):
        data = paper.healthy_run(600)
        at = len(paper.hello()) + 40
        records, damaged = decode(data[:at] + data[at + 1:])
        self.assertEqual(len(records), 11)
        self.assertGreater(damaged, 0)

    def test_a_false_start_with_a_huge_length_delays_nothing(self):
        decoder = telemetry.Decoder()
        decoder.feed(paper.hello())
        false_start = b"\xb7\x02\xff\xff"
        self.assertEqual(len(decoder.feed(false_start + paper.done())), 1)

    def test_half_a_last_record_is_damage_once_nothing_more_comes(self):
        decoder = telemetry.Decoder()
        decoder.feed(paper.hello() + paper.done()[:-1])
        self.assertEqual(decoder.damaged_bytes, 0)
        decoder.finish()
        self.assertEqual(decoder.damaged_bytes, len(paper.done()) - 1)

    def test_a_whole_record_of_the_wrong_size_is_damage(self):
        records, damaged = decode(paper.hello() + paper.record(4, b"short")
                                  + paper.done())
        self.assertEqual(len(records), 2)
        self.assertEqual(damaged, len(paper.record(4, b"short")))

    def test_a_whole_record_of_any_kind_that_is_too_short_is_survived(self):
        for kind in range(256):
            for size in range(4):
                decode(paper.hello() + paper.record(kind, bytes(size)))

    def test_a_stranger_whose_call_there_is_not_is_damage(self):
        for call in (0, 1, 2, 3, 4, 8, 1000):
            whole = paper.record(24, struct.pack("<IIIHHI", 60, 0, 0, 0, 256, call))
            records, damaged = decode(paper.text("boot") + whole)
            self.assertEqual(call in (1, 2, 4), len(records) == 2, call)
            self.assertEqual(call in (1, 2, 4), damaged == 0, call)

    def test_noise_is_survived(self):
        chance = random.Random(1)
        for _ in range(200):
            noise = bytes(chance.choice(b"\xb7\x01\x02\x00\x05\xff")
                          for _ in range(300))
            records, _ = decode(noise + paper.done())
            self.assertIn(telemetry.Done, map(type, records))

    def test_another_telemetry_version_is_refused_with_a_sentence(self):
        with self.assertRaisesRegex(CannotRun, "version 9.*same checkout"):
            decode(paper.hello(version=9))

    def test_text_cannot_steer_a_terminal(self):
        records, _ = decode(paper.text("a\x1b[2Jb\nc"))
        self.assertEqual(records[0].text, "a?[2Jb?c")

    def test_fault_names_are_those_of_the_library(self):
        header = (paper.ROOT / "lib/check/tp_level.h").read_text()
        source = (paper.ROOT / "lib/check/tp_check.c").read_text()
        numbers = dict(re.findall(r"(TP_FAULT_\w+) = (\d+)", header))
        names = dict(re.findall(r'\[(TP_FAULT_\w+)\] = "(.*)"', source))
        del names["TP_FAULT_NONE"]
        self.assertEqual(telemetry.FAULTS, {
            int(numbers[key]): name for key, name in names.items()})
