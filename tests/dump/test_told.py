# SPDX-License-Identifier: MIT
"""What a dump says of a ring of events, of addresses and of all allocators together,
of memory on paper: nothing is built and nothing emulated."""

import types
import unittest
from unittest import mock

from paper_memory import LAYOUTS, Paper
from decoder import Unreadable, dump, report
from decoder.firmware import FEW, Entry, Firmware
from decoder.history import ALLOC, FAULT, FREE, MAGIC, STEAL, History, history
from decoder.holders import Holders, sealed
from decoder.memory import Missing
from decoder.owners import Known, Owners
from decoder.pool import AUDITED, Figures
from decoder.record import MAGIC as FAULT_MAGIC, NAMES

RING, CLOCK, RECORD, CODE = 0x1000, 0x1100, 0x1200, 0x8000
FULL_FAULT = NAMES.index("full") * 4
of = types.SimpleNamespace


def section(address, size):
    return of(address=address, size=size)


class Ring(unittest.TestCase):
    """Of four places; slots of 8 bytes from 0x2000 on are those of `a`."""

    def firmware(self, *notes, count=None, magic=MAGIC ^ 4, now=5000, record=None,
                 code=((CODE, 0x100),)):
        paper = Paper({"tp_clock_now": CLOCK})
        paper.struct(RING, "tp_events", magic=magic,
                     count=len(notes) if count is None else count)
        notes = [dict(zip(("what", "by"), note)) for note in notes]
        paper.structs(RING + 8, "tp_event", *notes, *[{}] * (4 - len(notes)))
        if now is not None:
            paper.numbers(CLOCK, now)
        if record is not None:
            paper.struct(RECORD, "tp_fault_record", magic=FAULT_MAGIC, frame=record)
        memory = paper.memory()
        symbols = {"tp_events": [of(address=RING, size=8 + 4 * 8)],
                   "tp_fault_record": [of(address=RECORD, size=52)]}
        elf = of(symbols=symbols, address_of=paper.symbols.get,
                 allocated=lambda _: [section(*one) for one in code])
        a = of(name="a")
        return of(elf=elf, memory=memory, called=lambda name: a,
                  lines=of(caller=lambda address: f"{address:#x}"),
                  slot_at=lambda address: (a, (address - 0x2000) // 8 + 1)
                  if address >= 0x2000 else (None, 0))

    def frames(self, *clocks, kind=ALLOC, **more):
        notes = [(0x2000 | kind, clock) for clock in clocks]
        return [event.frame for event in History(self.firmware(*notes, **more)).events]

    def places(self, *numbers, **more):
        notes = [(number and 0x2000 + 8 * number | FREE, 0) for number in numbers]
        return [event.slot - 1
                for event in History(self.firmware(*notes, **more)).events]

    def test_the_oldest_of_a_full_ring_is_the_one_that_is_next_replaced(self):
        self.assertEqual([1, 2], self.places(1, 2))
        self.assertEqual([1, 2, 3, 4], self.places(1, 2, 3, 4))
        self.assertEqual([2, 3, 4, 5], self.places(5, 2, 3, 4, count=5))
        self.assertEqual([4, 5, 6, 7], self.places(5, 6, 7, 4, count=1 << 20 | 7))

    def test_a_place_that_is_not_yet_filled_is_left_out(self):
        self.assertEqual([1, 3], self.places(1, 0, 3))
        self.assertEqual([4], self.places(0, 0, 0, 4, count=7))

    def test_where_the_count_has_wrapped_the_ring_is_full_as_before(self):
        self.assertEqual([2, 3, 4, 5], self.places(5, 2, 3, 4, count=1))
        notes = [(0x2001, 0)] * 4
        for count, said in ((0, 1 << 32), (1, (1 << 32) + 1), (4, 4)):
            self.assertEqual(f"the last 4 of {said} events",
                             history(self.firmware(*notes, count=count))[0])

    def test_what_power_on_left_is_no_event(self):
        self.assertEqual(["the last 0 of 0 events"],
                         history(self.firmware((0x2001, 0), magic=MAGIC ^ 4 ^ 1)))

    def test_a_ring_of_another_size_is_another_firmware_s(self):
        for magic in (MAGIC, MAGIC ^ 8):
            self.assertEqual(["the last 0 of 0 events"],
                             history(self.firmware((0x2001, 0), magic=magic)))

    def test_frames_go_back_from_the_clock_by_less_than_its_bits_each(self):
        self.assertEqual([5000], self.frames(5000 & 0xFFF))
        self.assertEqual([905, 5000], self.frames(905, 5000 & 0xFFF))
        self.assertEqual([4096, 4097], self.frames(0, 1))
        self.assertEqual([0xFFFFFFFF, 3], self.frames(0xFFF, 3, now=4))

    def test_the_last_fault_has_the_frame_of_its_record(self):
        far = 3 << 20 | 0x123
        self.assertEqual([far - 1, far], self.frames(0x122, 0x123, kind=FAULT,
                                                     record=far))
        firmware = self.firmware((FAULT | 4, 0x123), (0x2000 | ALLOC, 0x200),
                                 (FAULT | 4, 0x123), record=far)
        self.assertEqual([far - 0x1000, far - 0xF23, far],
                         [event.frame for event in History(firmware).events])
        self.assertEqual([4096 + 0x124], self.frames(0x124, kind=FAULT, record=far))
        self.assertEqual([4096 + 0x123], self.frames(0x123, record=far))

    def test_without_a_clock_it_is_that_of_the_fault_or_nothing(self):
        self.assertEqual([77], self.frames(77, now=None, record=77))
        self.assertEqual([0xFFFFF04D], self.frames(77, now=None))

    def callers(self, *halves, **more):
        notes = [(0x2000 | ALLOC, half << 12) for half in halves]
        return [event.caller for event in
                History(self.firmware(*notes, **more)).events]

    def test_a_caller_is_the_first_address_of_the_code_that_has_its_bits(self):
        far = 5 << 21
        self.assertEqual([CODE | 1, CODE + 0x100 | 1, 0, 0], self.callers(
            CODE // 2, CODE // 2 + 0x80, CODE // 2 + 0x81, 0))
        self.assertEqual([CODE + 4 | 1, far + 2 | 1], self.callers(
            CODE // 2 + 2, 1, code=((CODE, 0x100), (far, 0x100))))
        self.assertEqual([far + 0x1FFFFE | 1], self.callers(
            0xFFFFF, code=((far + 0x1FFF00, 0x200),)))
        self.assertEqual([0], self.callers(0, code=((0, 0x100),)))

    def test_an_event_is_told_in_words_by_where_its_slot_is(self):
        firmware = self.firmware((FULL_FAULT | FAULT, 5000 & 0xFFF),
                                 (0x2008 | STEAL, 5000 & 0xFFF),
                                 (0x1FF8 | ALLOC, CODE << 11 | 5000 & 0xFFF))
        told = ["frame 5000: fault full, by 0x0", "frame 5000: steal a, slot 2, by 0x0",
                "frame 5000: alloc 0x00001ff8, in no allocator, by 0x8001"]
        self.assertEqual(["the last 3 of 3 events", *told], history(firmware))
        self.assertEqual(["the last 2 of 3 events", *told[1:]],
                         history(firmware, most=2))
        self.assertEqual(["the last 3 of 3 events, 1 of them of a", told[1]],
                         history(firmware, "a"))
        for slot, lines in ((2, told[1:2]), (1, [])):
            self.assertEqual([f"the last 3 of 3 events, {len(lines)} of them of a, slot"
                              f" {slot}", *lines], history(firmware, "a", slot))


class Entries(unittest.TestCase):
    """Two pools and a stack, of which one pool cannot be told of."""

    def setUp(self):
        self.firmware = object.__new__(Firmware)
        paper = Paper()
        paper.struct(0x300, "tp_pool", storage=0x3000, stride=8, capacity=2)
        self.firmware.memory = paper.memory()
        self.firmware.entries = [
            self.entry("a", "pool", 0x100, self.pool(0x2000, 16, 3), (0x2000, 48)),
            self.entry("s", "stack", 0x200, None, (0x2020, 64)),
            of(name="b", kind="pool", title="pool", address=0x300, it=None,
               figures=None, trouble=Missing(0x300), policy="drop", bank="-",
               unit="slots")]
        self.firmware.elf = of(allocated=lambda is_writable: [
            section(0, 0x1000) if is_writable else section(CODE, 0x100)])

    def pool(self, storage, stride, capacity):
        return of(pool=of(base=0x180, storage=storage, stride=stride,
                          capacity=capacity))

    def entry(self, name, kind, address, pool, memory_range, figures=(3, 2, 3, 1),
              wrong=(), slots=None):
        it = of(pool=lambda: pool, memory_range=lambda: memory_range,
                wrong=lambda: wrong, slots=lambda: slots)
        return of(name=name, kind=kind, title=kind, address=address, it=it,
                  figures=Figures(*figures), trouble=None, policy="drop", bank="-",
                  unit="slots")

    def test_a_slot_is_found_where_it_begins_and_nowhere_else(self):
        a, _, b = self.firmware.entries
        nobody = None, 0
        for address, found in ((0x2000, (a, 1)), (0x2020, (a, 3)), (0x2030, nobody),
                               (0x1FF0, nobody), (0x2008, nobody), (0x3000, (b, 1)),
                               (0x3008, (b, 2)), (0x3010, nobody)):
            self.assertEqual(found, self.firmware.slot_at(address), hex(address))

    def test_an_address_is_held_by_all_in_whose_memory_it_lies(self):
        a, s, _ = self.firmware.entries
        for address, found in ((0x1FFF, []), (0x2000, [a]), (0x2020, [a, s]),
                               (0x2030, [s]), (0x205F, [s]), (0x2060, []), (0, [])):
            self.assertEqual(found, self.firmware.holding(address), hex(address))

    def test_a_pool_is_called_by_its_address_and_by_that_of_its_owner(self):
        a, s, _ = self.firmware.entries
        self.assertEqual([a, a, s, None, None], [
            self.firmware.entry_at(at) for at in (0x100, 0x180, 0x200, 0x300, 0)])

    def test_the_descriptor_of_urgent_requests_is_of_the_row_that_has_its_tags(self):
        a, s, _ = self.firmware.entries
        a.it.pool().pool.tag = 0x600
        paper = Paper()
        paper.struct(0x400, "tp_pool", tag=0x600)
        paper.struct(0x500, "tp_pool", tag=0x604)
        self.firmware.memory = paper.memory()
        self.assertEqual([a, a, s, None, None, None], [
            self.firmware.row_at(at) for at in (0x400, 0x100, 0x200, 0x500, 0x700, 0)])

    def test_scenes_are_found_where_the_image_has_no_list(self):
        """Only they have what a descriptor in RAM is compared with."""
        paper = Paper()
        paper.struct(0x100, "tp_scenes", state=0x300, name=0x200, bytes=64)
        paper.struct(0x300, "tp_scene_state", peak=8)
        paper.pieces[0x200] = b"levels\0"
        found = object.__new__(Firmware)
        found.memory, found.checks = paper.memory(), 1
        found.elf = of(symbols={"levels_scenes": [
            of(address=0x100, size=LAYOUTS["tp_scenes"].size)]})
        entry, = found._searched()
        self.assertEqual(("levels", "scenes", "scenes", "bytes", 64), (
            entry.name, entry.kind, entry.title, entry.unit, entry.figures.capacity))

    def test_what_cannot_be_told_of_is_said_so(self):
        with self.assertRaisesRegex(Unreadable, "b cannot be told of: 0x00000300 is"):
            self.firmware.called("b")
        with self.assertRaisesRegex(Unreadable, "called 'c'; these are: a, s, b$"):
            self.firmware.called("c")
        self.firmware.findings = lambda: []
        with mock.patch.object(report, "made_or_none", lambda *_: None):
            self.assertEqual((["pool b: cannot be told of: 0x00000300 is not in the"
                               " dump",
                               "3 allocators, none broken, 1 not told of"], True),
                             report.check(self.firmware))
        self.assertEqual(["b     pool   drop  -        ?     ?   ?        ?  slots"],
                         report.pools(self.firmware)[3:])

    def test_a_word_that_leads_to_memory_of_nobody_is_broken(self):
        """As of a descriptor in RAM that somebody wrote over: no dump has more."""
        self.firmware.findings = lambda: []
        self.firmware.entries[2].trouble = Missing(0xDEADBEEF)
        with mock.patch.object(report, "made_or_none", lambda *_: None):
            self.assertEqual((["pool b: it leads to 0xdeadbeef, where the ELF has no"
                               " memory", "3 allocators, 1 broken"], False),
                             report.check(self.firmware))

    def test_what_the_dump_lacks_while_it_is_looked_at_is_told_and_no_finding(self):
        a, s, _ = self.firmware.entries
        for entry in (a, s):
            entry.it.wrong = lambda: ["x"]
        a.it.wrong = mock.Mock(side_effect=Missing(0x2000))
        self.assertEqual([(s, "x")], self.firmware.findings())
        with mock.patch.object(report, "made_or_none", lambda *_: None):
            self.assertIn("pool a: cannot be told of: 0x00002000 is not in the dump",
                          report.check(of(entries=[a], findings=lambda: [],
                                          has=lambda _: True))[0])

    def fault(self, pool, slot, address):
        self.firmware.lines = of(caller=lambda _: "f()")
        record = of(pool=pool, slot=slot, address=address, caller=1)
        with mock.patch.multiple(
                report, fault_record=lambda _: record, in_words=lambda *_: ["fault"],
                state_of=lambda *_: "dead", kept_note=lambda *_: ["noted"],
                place_in=lambda _, entry, at: entry.name):
            return report.fault(self.firmware)[2:]

    def test_of_a_fault_its_slot_is_told_and_where_else_its_address_lies(self):
        slot, also = "  slot 2 is dead", "  0x00002020 is "
        for told, lines in (((0x100, 2, 0x2010), [slot]),
                            ((0x100, 2, 0x2020), [slot, also + "s"]),
                            ((0x100, 0, 0x2020), [also + "s"]),
                            ((0, 0, 0x2020), [also + "a", also + "s"]),
                            ((0, 2, 0), ["noted"]), ((0x999, 2, 0), ["noted"])):
            self.assertEqual(lines, self.fault(*told), told)

    def test_an_allocator_with_two_findings_is_one_that_is_broken(self):
        stack = self.firmware.entries[1]
        self.firmware.findings = lambda: [(stack, of(text=text, slot=0))
                                          for text in ("x", "y")]
        with mock.patch.object(report, "made_or_none", lambda *_: None):
            lines, sound = report.check(self.firmware)
        self.assertEqual(["stack s: x", "stack s: y"], lines[:2])
        self.assertEqual(("3 allocators, 1 broken, 1 not told of", False),
                         (lines[-1], sound))

    def test_live_and_dead_slots_are_told_of_what_has_slots(self):
        listed = [of(number=n, is_live=n in (1, 2, 4, 6, 7, 8)) for n in range(1, 9)]
        self.firmware.entries = [
            self.entry("a", "pool", 0, None, (0, 0), slots=listed),
            self.entry("n", "pool", 0, None, (0, 0), slots=[]),
            self.entry("none", "pool", 0, None, (0, 0), (0, 0, 0, 0), slots=[]),
            self.entry("s", "stack", 0, None, (0, 0))]
        self.assertEqual(["pool a: live 1-2 4 6-8; dead 3 5",
                          "pool n: live none; dead none"],
                         report.all_slots(self.firmware))

    def test_who_holds_what_is_told_of_what_is_not_whole_too(self):
        """As of a pool whose slots lie in a bank that is not in the dump."""
        listed = [of(number=n, is_live=n < 3) for n in range(1, 5)]
        self.firmware.lines = of(caller=lambda _: "f()")
        self.firmware.entries = [
            self.entry(name, "pool", 0, pool, (0, 0), slots=listed) for name, pool in
            (("a", of(live=2)), ("empty", of(live=0)), ("s", None))]
        self.firmware.entries.append(of(it=None))
        self.firmware.entries[0].trouble = Missing(0x60000000)
        known = of(note=lambda *_: None, caller=lambda *_: 1)
        with mock.patch.object(report, "made_or_none", lambda *_: known):
            self.assertEqual(["a:", "  2 of 3 held by f()"],
                             report.all_holders(self.firmware))
        with mock.patch.object(report, "made_or_none", lambda *_: None):
            self.assertEqual([], report.all_holders(self.firmware))

    def test_slots_are_listed_as_they_are_asked_for(self):
        listed = [of(number=n, address=16 * n, is_live=n == 2, issued=issued)
                  for n, issued in ((1, 3), (2, None))]
        self.firmware.entries[0] = self.entry("a", "pool", 0, None, (0, 0),
                                              slots=listed)
        dead = "1     0x00000010  dead        3"
        live = "2     0x00000020  live        -"
        for which, rows in ((report.ALL, [dead, live]), (report.LIVE, [live]),
                            (report.DEAD, [dead])):
            with mock.patch.object(report, "made_or_none", lambda *_: None):
                self.assertEqual(
                    ["slot  address     state  issued", *rows,
                     "1 more were never issued"],
                    report.slots(self.firmware, "a", which))
        known = of(caller=lambda _, number: number)
        self.firmware.lines = of(caller=lambda number: f"f{number}()")
        with mock.patch.object(report, "made_or_none", lambda *_: known):
            self.assertEqual(f"{dead}  f1()", report.slots(self.firmware, "a")[1])
        with self.assertRaisesRegex(Unreadable, "^s is a stack, which has no slots$"):
            report.slots(self.firmware, "s")

    def test_an_address_is_told_of_in_each_that_holds_it(self):
        self.assertEqual(["0x00002030: stack s, byte 16 of it"],
                         report.who(self.firmware, 0x2030))
        with self.assertRaisesRegex(Unreadable, "^0x00000010 lies in no allocator$"):
            report.who(self.firmware, 16)

    def test_who_had_a_slot_is_told_of_one_who_gave_it_back_too(self):
        self.firmware.lines = of(caller=lambda number: f"f{number}()")
        pool = of(fresh=2, tags=[1], is_live=lambda slot: slot == 1,
                  issued=lambda _: 5)
        entry = of(it=of(pool=lambda: pool))
        note = of(asked=1, freed=2, since=9, context=", in NMI", is_given_back=False)
        back = of(**{**vars(note), "is_given_back": True})
        for known, slot, said in (
                (None, 1, "live, issued 5 times"), (None, 3, "never issued"),
                (of(note=lambda *_: note), 1,
                 "live, issued 5 times, asked for in frame 9 by f1(), in NMI"),
                (of(note=lambda *_: back), 2, "dead, issued 5 times, given back in "
                 "frame 9 by f2(), in NMI, asked for by f1()"),
                (of(note=lambda *_: None, caller=lambda *_: 7), 2,
                 "dead, issued 5 times, the last time to f7()"),
                (of(note=lambda *_: None, caller=lambda *_: 0), 2,
                 "dead, issued 5 times")):
            with mock.patch.object(report, "made_or_none", lambda *_: known):
                self.assertEqual(said, report.state_of(self.firmware, entry, slot))
        pool.tags = []
        with mock.patch.object(report, "made_or_none", lambda *_: None):
            self.assertEqual("live", report.state_of(self.firmware, entry, 1))

    def test_who_holds_most_comes_first_since_his_oldest(self):
        notes = {1: of(context="", since=90), 2: of(context=", in SysTick", since=70),
                 3: of(context="", since=80), 4: None, 5: None, 6: None}
        who = of(note=lambda _, slot: notes[slot], age=lambda since: 100 - since,
                 caller=lambda _, slot: slot < 5 and 1)
        self.firmware.lines = of(caller=lambda _: "f()")
        entry = of(figures=Figures(9, 6, 6, 0))
        self.assertEqual(
            ["3 of 9 held since frame 80 by f()", "2 of 9 held, nobody knows by whom",
             "1 of 9 held since frame 70 by f(), in SysTick"],
            report.held_by(self.firmware, who, entry,
                           [of(number=n) for n in range(1, 7)]))


class Kept(unittest.TestCase):
    """Of two pools with notes, one of which lies in memory that is not there."""

    def owners(self):
        paper = Paper()
        paper.struct(0x100, "tp_pool", tag=0x600)
        paper.struct(0x300, "tp_pool", tag=0x600)
        paper.structs(0x900, "tp_owner", {}, dict(
            asked=5, since=7, generation=9, context=0x8000 | 15), dict(
            freed=4, generation=0xffff, context=16))
        paper.structs(0xA00, "tp_owner", dict(asked=6, since=8))
        rows = of(pool=0x100, owners=0x900), of(pool=0x200, owners=0xA00)
        return Owners(of(memory=paper.memory(), named=lambda *_: rows))

    def kept(self, pool, slot):
        note = self.owners().kept_note(pool, slot)
        return note and note.asked

    def test_a_note_is_found_by_the_descriptor_of_its_row(self):
        self.assertEqual([5, None, 6, None], [
            self.kept(*at) for at in ((0x100, 2), (0x100, 1), (0x200, 1), (0x400, 1))])

    def test_a_note_is_a_slot_s_if_it_is_of_the_object_that_was_issued_last(self):
        def note(slot, issued, tags=(1,)):
            pool = of(tags=tags, pool=of(base=0x100), issued=lambda _: issued)
            return self.owners().note(of(it=of(pool=lambda: pool)), slot)
        self.assertEqual((5, 0, 7, ", in SysTick", True), note(2, 9))
        self.assertEqual((5, 0, 7, ", in SysTick", True), note(2, 0x10009))
        self.assertEqual((0, 4, 0, ", in interrupt 0", False), note(3, 0x1ffff))
        self.assertEqual([None] * 4, [note(2, 10), note(2, 9, ()), note(1, 0),
                                      note(3, 0xfffe)])
        self.assertIsNone(self.owners().note(of(it=of(pool=lambda: None)), 2))

    def test_that_of_a_row_with_a_reserve_is_found_by_its_second_one_too(self):
        self.assertEqual(5, self.kept(0x300, 2))


class Asked(unittest.TestCase):
    """What a build with TIDEPOOL_SOAK keeps account of: slots of `a` come first, three
    of them, then those of `b`, of which the account has one."""

    TABLES = {"places": (0x100, 2 * 24), "holder": (0x200, 64),
              "first_slot": (0x300, 4), "seal": (0x400, 64), "sealing": (0x500, 1),
              "changed_slot": (0x504, 4), "changed_index": (0x508, 4)}
    GENERATIONS = 0x80000005, 0x80000016, 0x123, 0x80000007

    def firmware(self, holder=(1, 2, 0, 2), sealing=1, seals=GENERATIONS,
                 changed=(0, 0), kept=64, names=TABLES, listed=True):
        paper = Paper({"tp_clock_now": 0x600})
        paper.structs(0x100, "place", dict(caller=0x8001), dict(caller=0x8101))
        paper.numbers(0x200, *holder, *[0] * (64 - len(holder)), size=1)
        paper.numbers(0x300, 0, 3, size=2)
        paper.numbers(0x400, *map(sealed, seals), *[0] * (64 - len(seals)), size=1)
        paper.numbers(0x500, sealing, size=1)
        paper.numbers(0x504, *changed)
        paper.numbers(0x600, 20)
        symbols = {name: [of(address=at, size=size)] for name, (at, size)
                   in self.TABLES.items() if name in names}
        if "seal" in symbols:
            symbols["seal"][0].size = kept
        if "holder" in symbols:  # The application may have one, too, of other size.
            symbols["holder"].insert(0, of(address=0x700, size=12))
        entries = [of(name=name, it=of(pool=lambda own=own: own)) for name, own in (
            ("a", self.pool(0, 3, 0x700)), ("b", self.pool(3, 1, 0x800)))]
        elf = of(symbols=symbols, address_of=paper.symbols.get)
        return of(elf=elf, memory=paper.memory(), listed=listed, named=lambda *_: (),
                  entries=[*entries, of(name="s", it=None)],
                  index=lambda name: "ab".index(name))

    def pool(self, first, fresh, tag):
        return of(fresh=fresh, tags=[1], pool=of(tag=tag),
                  generation=lambda slot: self.GENERATIONS[first + slot - 1])

    def changed(self, **more):
        return [(entry.name, finding.slot, finding.address) for entry, finding
                in Holders(self.firmware(**more)).changed()]

    def test_who_asked_is_the_place_that_the_slot_names_behind_those_of_pools_before(
            self):
        asked = Holders(self.firmware())
        self.assertEqual([0x8001, 0x8101, 0, 0x8101, 0, 0], [
            asked.caller(*at) for at in (("a", 1), ("a", 2), ("a", 3), ("b", 1),
                                         ("b", 61), ("b", 62))])
        lost = Holders(self.firmware(holder=(99,)))
        self.assertEqual(0, lost.caller("a", 1))

    def test_what_the_firmware_has_noticed_of_a_generation_is_told_alone(self):
        self.assertEqual([("b", 1, 0x804)],
                         self.changed(changed=(1, 1), seals=(0,) * 4))
        self.assertEqual([], self.changed(changed=(1, 7)))

    def test_a_generation_that_is_not_as_it_was_issued_is_told_if_somebody_was(self):
        self.assertEqual([], self.changed())
        others = [1 + one for one in self.GENERATIONS]
        every = [("a", 1, 0x704), ("a", 2, 0x708), ("b", 1, 0x804)]
        self.assertEqual(every, self.changed(seals=others))
        self.assertEqual(every[:2], self.changed(seals=others, kept=3))
        self.assertEqual([], self.changed(seals=others, sealing=0))
        for name in ("seal", "sealing"):
            self.assertEqual([], self.changed(
                seals=others, names=set(self.TABLES) - {name}))

    def test_another_build_knows_nobody(self):
        for more in ({"listed": False}, {"names": ["places", "holder"]}, {"names": ()}):
            with self.assertRaisesRegex(Unreadable, "^only a build with TIDEPOOL_SOAK"):
                Holders(self.firmware(**more))
        with self.assertRaisesRegex(Unreadable, "^only rows with owner = true and "):
            Known(self.firmware(names=()))

    def test_a_note_of_the_row_goes_before_the_account_of_the_build(self):
        known = Known(self.firmware())
        entry = of(name="a")
        self.assertEqual((None, 0x8001), (known.note(entry, 1), known.caller(entry, 1)))
        known.owners = of(note=lambda *_: of(asked=7))
        self.assertEqual((7, 7), (known.note(entry, 1).asked, known.caller(entry, 1)))
        known.holders, known.owners = None, of(note=lambda *_: None)
        self.assertEqual((0, []), (known.caller(entry, 1), known.changed()))

    def test_how_long_ago_it_was_is_told_by_a_clock_that_may_have_wrapped(self):
        known = Known(self.firmware())
        self.assertEqual((20, 0, 2**32 - 1, 30), tuple(map(known.age, (
            0, 20, 21, 2**32 - 10))))


class Found(unittest.TestCase):
    """An image with a stack, a pool and a dense pool, whose names lie at 0x800."""

    NAMES = {"s": 0x800, "a": 0x810, "d": 0x820, "pool": 0x830, "slots": 0x840,
             "drop": 0x850}
    LEVEL = "tidepool_ERROR_CHECKS_1_AUDIT_0_here_not_in_the_library"

    def setUp(self):
        self.paper = Paper()
        for name, at in self.NAMES.items():
            self.paper.numbers(at, *name.encode(), 0, size=1)
        self.paper.struct(0x100, "tp_pool", tag=0x600, state=0x640, storage=0x3000,
                          stride=8, size=8, capacity=2, name=0x810)
        self.paper.struct(0x640, "tp_pool_state")
        self.paper.numbers(0x600, 0, 0, 0)
        self.paper.struct(0x200, "tp_stack", state=0x680,
                          region={"name": 0x800, "storage": 0x4000, "bytes": 64})
        self.paper.struct(0x680, "tp_stack_state")
        self.paper.struct(0x300, "tp_dense", name=0x820, state=0x9000)
        self.symbols = {self.LEVEL: [(1, 0)], "a_pool": [(0x100, "tp_pool")],
                        "s_stack": [(0x200, 0)], "d_dense": [(0x300, "tp_dense")]}

    def firmware(self, **symbols):
        made = {name: [of(address=at, size=LAYOUTS[size].size if size else 0)
                       for at, size in places]
                for name, places in {**self.symbols, **symbols}.items()}
        elf = of(symbols=made, address_of=lambda name: made[name][0].address
                 if name in made else None)
        return Firmware(elf, self.paper.memory())

    def told(self, **symbols):
        return [(one.name, one.kind, one.title, one.unit, one.policy, one.bank)
                for one in self.firmware(**symbols).entries]

    POOL = ("a", "pool", "pool", "slots", "-", "-")
    STACK = ("s", "stack", "stack", "bytes", "-", "-")
    DENSE = ("d", "dense", "dense", "objects", "-", "-")

    def test_of_a_relocating_pool_that_is_found_the_arena_is_too(self):
        self.paper.numbers(0x880, *b"r\0", size=1)
        self.paper.struct(0xa00, "tp_reloc", name=0x880, arena=0x5000, entry=0xb00,
                          state=0xb80, units=8, handles=2)
        self.paper.struct(0xb80, "tp_reloc_state")
        self.paper.structs(0xb00, "tp_reloc_entry", {})
        self.symbols = {self.LEVEL: [(1, 0)], "r_reloc": [(0xa00, "tp_reloc")]}
        self.assertEqual([("r", "reloc", "relocating", "blocks", "-", "-"),
                          ("r_arena", "arena", "relocating", "bytes", "-", "-")],
                         self.told())
        for address, names in ((0x5000, ["r_arena"]), (0x503F, ["r_arena"]),
                               (0x5040, [])):
            self.assertEqual(names, [entry.name for entry in
                                     self.firmware().holding(address)])

    def test_a_stack_of_two_ends_that_is_found_is_called_one(self):
        self.paper.numbers(0x880, *b"e\0", size=1)
        self.paper.struct(0xa00, "tp_dstack", state=0xb00, region={"name": 0x880})
        self.paper.struct(0xb00, "tp_dstack_state")
        self.symbols = {self.LEVEL: [(1, 0)], "e_dstack": [(0xa00, "tp_dstack")]}
        self.assertEqual([("e", "dstack", "stack", "bytes", "-", "-")], self.told())

    def test_what_audits_keep_is_looked_at_where_there_are_audits(self):
        symbols = self.symbols
        for level, audit, checks in ((0, 1, 0), (2, 1, 2), (3, 0, 3), (3, 1, AUDITED)):
            told = self.LEVEL.replace("1_AUDIT_0", f"{level}_AUDIT_{audit}")
            self.symbols = {told: [(1, 0)], **symbols}
            del self.symbols[self.LEVEL]
            found = self.firmware()
            self.assertEqual((level, checks), (found.level, found.checks))
            self.assertEqual(checks, found.entries[0].it.level)

    def test_an_image_without_a_list_has_what_is_called_as_it_calls_itself(self):
        found = [self.POOL, self.STACK, self.DENSE]
        self.assertEqual(found, self.told())
        self.assertEqual(found, self.told(
            b_pool=[(0x100, "tp_pool")], a_bool=[(0x100, "tp_pool")], pool=[(0x100, 0)],
            s_frame=[(0x900, "tp_frame")], a_stack=[(0x200, 0)]))
        self.assertEqual(found[1:], self.told(a_pool=[(0x100, "tp_stack")]))
        self.assertEqual([1] * 3, [self.firmware().level] * 3)

    def test_a_nest_is_found_though_its_struct_goes_on_as_that_of_a_pool(self):
        size = LAYOUTS["tp_nest"].size + 44
        self.paper.numbers(0x880, *b"n\0", size=1)
        self.paper.struct(0xa00, "tp_nest", name=0x880, kind=0,
                          dstack={"state": 0xb00, "region": {"bytes": 64}})
        self.paper.struct(0xb00, "tp_dstack_state")
        made = self.firmware(n_nest=[(0xa00, "tp_nest")])
        place = made.elf.symbols["n_nest"][0]
        place.size = size
        names = [one.name for one in Firmware(made.elf, self.paper.memory()).entries]
        self.assertIn("n", names)
        place.size = LAYOUTS["tp_nest"].size - 4
        names = [one.name for one in Firmware(made.elf, self.paper.memory()).entries]
        self.assertNotIn("n", names)

    def test_a_pool_that_lends_and_whose_memory_is_nobody_s_is_known_without_a_list(
            self):
        self.paper.struct(0x500, "tp_chunk", pool=0x100, state=0x580)
        lends = {"a_chunk": [(0x500, "tp_chunk")]}
        self.paper.struct(0x640, "tp_pool_state", fresh=2)
        for phase, capacity, wrong in ((0, 2, 2), (1, 0, 0), (2, 0, 0)):
            self.paper.struct(0x580, "tp_chunk_state", phase=phase)
            found = [one for one in self.firmware(**lends).entries if one.name == "a"]
            self.assertEqual([("chunk", "pool", "slots", capacity, wrong)], [
                (one.kind, one.title, one.unit, one.figures.capacity,
                 len(one.it.wrong())) for one in found])

    def test_one_whose_state_is_not_in_the_dump_is_listed_and_cannot_be_told_of(self):
        pool, stack, dense = self.firmware().entries
        self.assertEqual((0x100, 2, None), (pool.address, pool.figures.capacity,
                                            pool.trouble))
        self.assertEqual(64, stack.figures.capacity)
        self.assertIsNone(dense.it)
        self.assertEqual(0x9000, dense.trouble.address)

    def test_an_image_with_a_list_has_what_that_says(self):
        self.paper.struct(0x400, "tp_registry", entries=0x440, count=1)
        self.paper.numbers(0x440, 0x480)
        self.paper.struct(0x4C0, "tp_kind", name=0x830, unit=0x840)
        row = {"name": 0x810, "kind": 0x4C0, "allocator": 0x100}
        listed = {"tp_registry": [(0x400, 0)], "tp_pool_kind": [(0x4C0, 0)]}
        self.paper.struct(0x480, "tp_entry", policy=0x850, bank=0x800, **row)
        self.assertEqual([(*self.POOL[:4], "drop", "s")], self.told(**listed))
        self.paper.struct(0x480, "tp_entry", **row)
        self.assertEqual([self.POOL], self.told(**listed))
        listed["tp_pool_kind"] = [(0x4C4, 0)]
        with self.assertRaisesRegex(Unreadable, "^no kind of allocator is known at "
                                                "0x4c0: these scripts are not of"):
            self.told(**listed)

    def test_an_image_without_allocators_and_one_without_the_library_are_sentences(
            self):
        self.symbols = {self.LEVEL: [(1, 0)]}
        with self.assertRaisesRegex(Unreadable, "^the ELF has no allocator$"):
            self.told()
        self.symbols = {"x" + self.LEVEL: [(1, 0)]}
        with self.assertRaisesRegex(Unreadable, "^the ELF is no firmware with this"):
            self.told()

    def test_structs_of_a_name_are_those_that_are_as_large_and_are_in_the_dump(self):
        firmware = self.firmware(
            x_owned=[(0x640, "tp_owned"), (0x100, "tp_pool"), (0x9000, "tp_owned")],
            y_owned=[(0x680, 0)], owned_z=[(0x680, 0)])
        self.assertEqual([0x640, 0x680], [
            one.base for one in firmware.named("_owned", "tp_owned")])


class Foreign(unittest.TestCase):
    def is_foreign(self, same, impossible=()):
        firmware = object.__new__(Firmware)
        firmware.elf, firmware.unchanged = None, lambda: same
        firmware.entries = [of(is_impossible=lambda _, one=one: one)
                            for one in impossible]
        return firmware.is_foreign()

    def test_most_words_of_data_must_be_others(self):
        half = FEW // 2
        self.assertFalse(self.is_foreign([True] * half + [False] * half, [True] * 3))
        self.assertTrue(self.is_foreign([True] * (half - 1) + [False] * (half + 1)))

    def test_where_there_are_few_words_most_tables_must_be_impossible(self):
        few = [False] * (FEW - 1)
        self.assertFalse(self.is_foreign(few, [True, False]))
        self.assertTrue(self.is_foreign(few, [True, True, False]))
        self.assertFalse(self.is_foreign(few))

    def test_words_of_data_that_begin_as_0_or_are_not_in_the_dump_do_not_count(self):
        firmware = object.__new__(Firmware)
        own = b"\1\0\0\0" b"\0\0\0\0" b"\2\0\0\0" b"\3\0\0\0" b"\4\0"
        asked = set()

        def allocated(is_writable, is_loaded):
            asked.add((is_writable, is_loaded))
            return [section(0x100, 18)]
        firmware.elf = of(allocated=allocated, at=lambda *_: own)
        paper = Paper()
        for words, same in (((1, 7, 9), [True, False]),
                            ((1, 0, 2, 8, 4), [True, True, False])):
            paper.numbers(0x100, *words)
            firmware.memory = paper.memory()
            self.assertEqual(same, firmware.unchanged())
        self.assertEqual({(True, True)}, asked)

    def other(self, data, start=0x100, own=b"\1\2\3\4"):
        elf = of(allocated=lambda *_, **__: [section(0x100, 4)], at=lambda *_: own)
        return dump.is_other_code(of(elf=elf, memory=of(pieces={start: data})))

    def test_code_is_other_code_only_where_both_have_it(self):
        self.assertFalse(self.other(b"\1\2\3\4"))
        self.assertTrue(self.other(b"\1\2\3\5"))
        self.assertFalse(self.other(b"\0\0\1\2\3\4\0\0", 0xFE))
        self.assertTrue(self.other(b"\0\0\0", 0xFE))
        self.assertFalse(self.other(b"\4\0", 0x103))
        self.assertTrue(self.other(b"\0", 0x103))
        self.assertFalse(self.other(b"\0", 0x104))
        self.assertFalse(self.other(b"\0\0", 0xFE))

    def test_a_trouble_within_the_firmware_makes_no_table_impossible(self):
        entry = object.__new__(Entry)
        entry.it = None
        elf = of(allocated=lambda writable: [section(0x200 if writable else 0x100, 8)])
        for address, said in ((0x100, False), (0x207, False), (0x208, True),
                              (0xFF, True)):
            entry.trouble = of(address=address)
            self.assertEqual(said, entry.is_impossible(elf), hex(address))


class Short(unittest.TestCase):
    def missing(self, *pieces):
        elf = of(variables=lambda: [(0x100, 0x110), (0x200, 0x208)])
        paper = Paper()
        for address, size in pieces:
            paper.numbers(address, *bytes(size), size=1)
        return dump.missing(of(elf=elf, memory=paper.memory()))

    def test_what_a_dump_lacks_of_the_variables_is_told_in_bytes(self):
        self.assertEqual("", self.missing((0x100, 0x10), (0x200, 8)))
        self.assertRegex(self.missing((0x100, 8), (0x200, 8)),
                         "^it is short: 8 bytes of .* not in it, from 0x00000108 on; it"
                         " holds 0x00000100 to 0x00000108, 0x00000200 to 0x00000208. ")
        self.assertRegex(self.missing(), "^it is short: 24 bytes .* from 0x00000100 on;"
                                         " it holds nothing. FILE@")

    def test_the_ram_begins_at_the_page_of_its_first_variable(self):
        for begin, page in ((0x1000, 0x1000), (0x1FFF, 0x1000), (0xFFF, 0)):
            self.assertEqual(page, dump.ram_begin(of(variables=lambda: [
                (begin, 0x3000), (0x2000, 0x2100)])))
        self.assertEqual(0, dump.ram_begin(of(variables=lambda: [])))


if __name__ == "__main__":
    unittest.main()
