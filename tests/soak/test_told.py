# SPDX-License-Identifier: MIT
"""What a firmware says of itself is told as it was said, to the last that there is
room for: figures, expectations, costs, stacks; and an interrupt that stays away."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import paper  # noqa: F401 - makes the harness importable
from harness.records import (Audit, Clock, Costs, Done, Expectation, Fault, Figure,
                             Figures, Hello, Holes, Oldest, Place, Question, Sample,
                             Scene, Stack)
from harness.telemetry import Decoder
from support import ROOT, tool

TELEMETRY = ("tp_soak_own.c", "tp_soak_stack.c", "tp_soak_timer.c",
             "tp_soak_holes.c", "tp_record.c")
SOURCES = ("tests/soak/told/main.c", "tests/soak/told/hooks.c", "port/host/tp_port.c",
           *(f"qemu/telemetry/{name}" for name in TELEMETRY))
FOLDERS = ("-Ilib", "-Iport/host", "-Iqemu", "-Iqemu/telemetry",
           "-DTP_CHECKS=1", "-DTIDEPOOL_SOAK=1")
MOST = 32  # Of each kind of name.
PLACES = 128
NO_POOL = 255

# A whole soak of a small pool: all of the library, and of what tells of it.
BEGUN = [f"tests/soak/begun/{name}.c" for name in ("main", "asked")]
ALL = [str(path.relative_to(ROOT)) for folder in ("lib", "qemu/telemetry")
       for path in sorted((ROOT / folder).rglob("*.c"))
       if "config" not in path.parts and path.name != "tp_ask.c"]


class Program:
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.program = Path(cls.holder.name) / "told"
        tool("gcc", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror",
             "-fsanitize=address,undefined", "-fno-sanitize-recover=all", *FOLDERS,
             *cls.SOURCES, "-o", cls.program)

    def said(self, *words, code=0):
        """Its records, all of which are whole."""
        done = subprocess.run([self.program, *words], stdout=subprocess.PIPE)
        self.assertEqual(code, done.returncode)
        decoder = Decoder()
        records = decoder.feed(done.stdout) + decoder.finish()
        self.assertEqual(0, decoder.damaged_bytes)
        return records

    @staticmethod
    def of(kind, records):
        return [one for one in records if isinstance(one, kind)]


class Told(Program, unittest.TestCase):
    SOURCES = SOURCES

    def test_figures_are_as_many_as_there_may_be_and_one_more_is_an_audit(self):
        records = self.said("figures")
        self.assertEqual([Figure(i, i == 1, 0, str(i), "m") for i in range(MOST)],
                         self.of(Figure, records))
        self.assertEqual([Figures(0, tuple(range(100, 100 + MOST)))],
                         self.of(Figures, records))
        self.assertEqual(["the firmware has too many figures"],
                         [one.text for one in self.of(Audit, records)])

    def test_an_audit_of_a_slot_that_no_pool_can_have_names_none(self):
        """At `off` a list leads to addresses: what begins there may be no slot."""
        self.assertEqual([(2**16 - 1, "the last"), (0, "none")], [
            (one.slot, one.text) for one in self.of(Audit, self.said("far_slots"))])

    def test_what_is_freed_wrongly_has_the_address_that_the_application_gave(self):
        """A typed call of a row with link = N adds that; what is damaged stays."""
        self.assertEqual(
            [("foreign", 0x1010, 4), ("interior", 0x1010, 4),
             ("double-free", 0x1010, 4), ("poison", 0x1018, 4)],
            [(one.kind, one.address, one.offset)
             for one in self.of(Fault, self.said("given"))])

    def test_an_expectation_is_told_with_the_frame_of_its_first_failure(self):
        records = self.said("expectations")
        told = self.of(Expectation, records)
        self.assertEqual(Expectation(8, 2, 3, "even"), told[0])
        self.assertEqual([Expectation(1, 0, 0, str(i)) for i in range(MOST - 1)],
                         told[1:])
        self.assertEqual(["the firmware has too many expectations"],
                         [one.text for one in self.of(Audit, records)])

    def test_a_cost_counts_where_it_begins_and_the_dearest_in_the_last(self):
        records = self.said("costs")
        told = self.of(Costs, records)
        self.assertEqual(Costs("a call", 0, 8, (2, 2, 1, *[0] * 7, 1, 4)), told[0])
        self.assertEqual([str(i) for i in range(MOST - 1)],
                         [one.name for one in told[1:]])
        self.assertEqual(["the firmware has too many costs"],
                         [one.text for one in self.of(Audit, records)])

    def test_costs_are_told_each_minute_while_the_clock_wraps_too(self):
        for more in ((), ("near wrap",)):
            seconds, told = 0, []
            for one in self.said("minutes", *more):
                seconds += isinstance(one, Scene)
                told += [seconds] if isinstance(one, Costs) else []
            first = 1 if more else 60  # Before that it told of none.
            self.assertEqual([first, first + 60], told[:2])
            self.assertLessEqual(len(told), 3)

    def test_the_lowest_word_of_a_stack_is_told_a_minute_later_if_it_skipped_some(self):
        for more, start in ((), 0), (("near wrap",), 2**32 - 4320):
            self.assertEqual([
                Stack(start + frame, 1600, 4 * words, "a task") for frame, words in (
                    (60, 10), (180, 103), (3600, 300), (3660, 400))],
                self.said("stack", *more))

    def test_stacks_are_as_many_as_there_may_be_and_one_more_is_an_audit(self):
        records = self.said("stacks")
        self.assertEqual([(str(i), 16, 0) for i in range(8)], [
            (one.name, one.size, one.deepest) for one in self.of(Stack, records)])
        self.assertEqual(["the firmware has too many stacks"],
                         [one.text for one in self.of(Audit, records)])

    def test_of_the_stack_that_it_runs_on_nothing_in_use_is_painted(self):
        self.assertEqual([Scene(0, "0")], self.said("own_stack"))

    def test_of_memory_that_moves_the_largest_hole_is_told_how_many_and_how_large(self):
        self.assertEqual([Holes(60, 1, 300, 3, 500)], self.said("holes"))

    def test_an_interrupt_by_timer_is_due_in_16_to_30000_instructions(self):
        self.assertEqual(["1", "soon", "late"],
                         [one.name for one in self.said("comes")])

    def test_one_that_stays_away_or_counts_twice_is_an_audit_and_fired_no_more(self):
        for deed in ("stays_away", "comes_twice"):
            records = self.said(deed)
            audit, = self.of(Audit, records)
            self.assertEqual(101, audit.frame)
            self.assertIn("the interrupt of soak.timer did not come", audit.text)
            self.assertEqual("0", self.of(Scene, records)[0].name)

    def test_an_object_lives_since_it_was_issued_whatever_other_pools_issue(self):
        told = self.of(Oldest, self.said("lives"))
        self.assertEqual([(100, 1, 1000, 1, 90), (100, 2, 2000, 1, 80),
                          (100, 1, 1000, 2, 80), (100, 2, 2000, 1, 80)],
                         [one[:5] for one in told])
        self.assertEqual(1, told[2].site - told[0].site)

    def test_places_are_told_as_many_as_there_is_room_for(self):
        told = self.of(Place, self.said("places"))
        self.assertEqual([(0, 1, 0, 0)] * PLACES, [
            (one.allocator, one.requests, one.on_purpose, one.refused)
            for one in told])
        self.assertEqual(PLACES, len({one.site for one in told}))

    def test_of_slots_that_a_place_without_room_was_issued_no_generation_is_told(self):
        """But of all others it is."""
        self.assertEqual([(0, 2)], [(one.pool, one.slot) for one in self.of(
            Audit, self.said("strangers"))])

    def test_where_a_place_has_no_room_an_object_is_as_old_as_it_is_and_nobody_s(self):
        records = self.said("stranger")
        self.assertEqual([(1, 1, 60, 0), (2, 0, 0, 0)], [
            (one.allocator, one.slot, one.age, one.site)
            for one in self.of(Oldest, records)])
        self.assertEqual({0}, {one.held for one in self.of(Place, records)})

    def test_where_a_place_has_no_room_nothing_is_refused_on_purpose(self):
        self.assertEqual(["served"] * 2, [
            one.name for one in self.of(Scene, self.said("refused"))])

    def test_two_requests_of_a_place_are_two_and_what_it_gave_back_it_holds_not(self):
        told, = self.of(Place, self.said("served"))
        self.assertEqual((2, 1), (told.requests, told.held))

    def test_a_place_that_asked_before_the_soak_began_is_one_like_any_other(self):
        records = self.said("before")
        self.assertEqual([], self.of(Audit, records))
        self.assertEqual([(0, 1, 0), (0, 2, 1)], sorted(
            (one.allocator, one.requests, one.held)
            for one in self.of(Place, records)))

    def test_of_any_bit_of_a_generation_that_flips_its_seal_is_another(self):
        self.assertEqual([], self.said("seals"))

    def test_a_request_that_goes_on_is_one_though_an_interrupt_asked_meanwhile(self):
        told = self.of(Place, self.said("interrupted"))
        self.assertEqual([(1, 0, 1), (2, 1, 0)], sorted(
            (one.requests, one.refused, one.held) for one in told))


class Begun(Program, unittest.TestCase):
    SOURCES = (*BEGUN, *ALL, "port/host/tp_port.c", "qemu/semihost_host.c")

    def asked(self, question, *words, code=0):
        """What is told of four times that question in a frame, and (asked, wrong,
        frame) of it, each time that it is told."""
        records = self.said("deed=questions", "ask=1", f"question={question}", *words,
                            code=code)
        self.assertEqual(["as it was"], [one.name for one in self.of(Scene, records)])
        return records, [one[:3] for one in self.of(Question, records)]

    def test_an_argument_is_the_one_of_its_whole_name(self):
        for words in (("seeds=9", "see=3", "xseed=4", "seed", "seed=7", "seed=8"),
                      ("seed=7",)):
            hello, = self.of(Hello, self.said("deed=none", *words))
            self.assertEqual(7, hello.seed)
        hello, = self.of(Hello, self.said("deed=none", "seeds=9", "seed"))
        self.assertEqual(1, hello.seed)

    def test_a_name_that_is_too_long_to_be_counted_is_cut(self):
        hello, = self.of(Hello, self.said("deed=long"))
        self.assertEqual(("n" * 255, "pool", "n" * 255), (
            hello.allocators[0].name, hello.allocators[0].kind, hello.board))

    def test_a_clock_near_its_wrap_wraps_half_way(self):
        records = self.said("deed=none", "near_wrap=1", "frames=100")
        self.assertEqual([Clock(2**32 - 50)], self.of(Clock, records))
        self.assertEqual([], self.of(Clock, self.said("deed=none", "near_wrap=0")))

    def test_fewest_and_most_of_a_second_are_of_the_ends_of_its_frames(self):
        first, second = self.of(Sample, self.said("deed=use", "report_every=2"))
        self.assertEqual((2, 0, 2), first.usages[0][1:2] + first.usages[0][3:5])
        self.assertEqual((2, 2, 3), second.usages[0][1:2] + second.usages[0][3:5])

    def test_a_storm_of_interrupts_is_asked_for_no_sooner_than_others(self):
        records = self.said("deed=timed", "interrupts=timer", "plant=storm",
                            "plant_frame=9")
        self.assertEqual(["in time"], [one.name for one in self.of(Scene, records)])

    def test_a_fault_without_a_name_is_of_no_allocator(self):
        for deed, pool in (("unnamed", NO_POOL), ("named", 0)):
            fault, = self.of(Fault, self.said(f"deed={deed}", code=1))
            self.assertEqual(pool, fault.pool)

    def test_a_question_is_asked_unless_it_was_skipped_or_is_of_a_higher_level(self):
        for question, times in (("right", 4), ("noisy", 4), ("skipped", 0),
                                ("half", 2), ("higher", 0)):
            self.assertEqual([(times, 0, 0)], self.asked(question)[1], question)

    def test_a_wrong_answer_and_a_fault_are_told_at_once_and_leave_all_as_it_was(self):
        for question in ("wrong", "fault", "second_fault"):
            records, told = self.asked(question)
            self.assertEqual([(1, 1, 0), (4, 4, 0)], told, question)
            self.assertIsInstance(records[-1], Done)

    def test_a_fault_behind_a_question_is_the_firmware_s(self):
        for question in ("right", "fault", "noisy"):
            records, _ = self.asked(question, "then=fault", code=1)
            self.assertEqual(["foreign"], [
                one.kind for one in self.of(Fault, records)])


if __name__ == "__main__":
    unittest.main()
