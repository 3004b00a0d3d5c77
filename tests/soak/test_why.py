# SPDX-License-Identifier: MIT
"""Back to the culprit: the real firmware, run once more and looked at."""

import json
import re
import shutil
import socket
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import paper
from command import soak
from harness import checkpoint, odd_calls, source_lines, tail_calls, why
from harness.cpu_fault import interrupts_in
from harness.errors import CannotRun
from harness.firmware_debug import ask_gdb
from harness.gdb_remote import TRAP, GdbRemote, Gone, Stop
from harness.machine import Ending
from harness.monitor import NoAnswer
from harness.odd_calls import by_level, parting
from harness.replay import (NEAR_FRAMES, TRACE, Known, Mark, Moment, Replay,
                            _leading_to)
from harness.result_folder import ELF
from harness.run import located
from harness.source_lines import line_at
from harness.why_text import DEEDS
from support import is_full, only_in_full, tool

from decoder.elf import Elf
from decoder.lines import Lines

# Bug -> the level that finds it, what was done and the place that must be named.
CULPRITS = {
    "write-after-free": ("poison", "access", "write_dead", "4u - 1] = 3;"),
    "flip-link": ("fast", "access", "flip_link", "word_at(link) ^"),
    "flip-descriptor": ("fast", "access", "flip_descriptor", "word_at(word) ^"),
    "overrun": ("full", "access", "write_behind", "byte_at(byte) ^ 1u"),
    "double-free": ("fast", "freed", "burn_out", "particles_free("),
    "forgotten-init": ("poison", "issued", "ignite", "particles_alloc("),
    "interior": ("fast", "noticed", "free_inside", "tp_pool_free("),
}
# Those that are much like one of them: in the full tests.
MORE_CULPRITS = {
    "flip-free": ("poison", "access", "flip_dead", "word_at(word) ^"),
    "flip-age": ("fast", "access", "flip_age", "half_at(way) ^"),
    "underrun": ("full", "access", "write_before", "byte_at(byte) ^ 1u"),
    "unbalanced-pin": ("fast", "noticed", "unpin_twice", "tp_pool_unpin("),
}
# The same of what names no slot: for that, a second is looked through.
ODD = {
    "leak": ("poison", "issued", "ignite", "particles_alloc("),
    "stale-handle": ("poison", "freed", "watch_voices_frame", "sounds_free_handle("),
    "flip-generation": ("fast", "access", "flip_generation", "word_at(tag) ^"),
    "wrong-victim": ("poison", "access", "spare_oldest", "tp_age_"),
    "lost-unlock": ("poison", "locked", "lose_unlock", "tp_port_lock()"),
    "frame-drift": ("poison", "joined", "drift", "draw_alloc("),
}
MORE_ODD = {
    "flip-live": ("off", "access", "flip_live", "word_at(tag) ^"),
    "skipped-evict": ("poison", "left_out", "voice_stopped", "PLANT_SKIPPED_EVICT"),
}
FRAMES = 6000  # A bug is planted in the middle.


class Why(unittest.TestCase):
    def setUp(self):
        self.out = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.out, ignore_errors=True)

    def fail_by(self, plant, checks, *more, frames=FRAMES):
        code, said, _ = soak(
            "run", "--frames", str(frames), "--plant", plant, "--checks",
            checks, "--out", str(self.out), "--no-why", "--no-host", *more)
        self.assertEqual(code, 1, said)
        return said

    def struck(self):
        """The frame of the mistake."""
        summary = json.loads((self.out / "summary.json").read_text())
        return summary["planted"]["frame"]

    def why(self):
        code, answer, said = soak("why", str(self.out), "--json")
        self.assertEqual(code, 0, said)
        return json.loads(answer), said

    def assert_place(self, deed, function, words):
        """It is that function's, and that line of source holds the words."""
        place = deed["place"]
        self.assertEqual(place["function"], function)
        line = Path(place["file"]).read_text().split("\n")[place["line"] - 1]
        self.assertIn(words, line)

    def test_who_wrote_who_had_freed_and_who_had_been_issued_it_are_told(self):
        source = (paper.ROOT / "qemu/telemetry/tp_plant.c").read_text()
        line = source[:source.index("4u - 1] = 3;")].count("\n") + 1
        said = self.fail_by("write-after-free", "poison")
        named = re.search(r"why   qemu/soak why (\S+)", said)[1]
        self.assertEqual(Path(named).resolve(), self.out.resolve())
        moved = self.out.with_name(self.out.name + "-moved")
        self.addCleanup(shutil.rmtree, moved, ignore_errors=True)
        self.out.rename(moved)
        code, said, _ = soak("why", str(moved))
        self.assertEqual(code, 0)
        self.assertRegex(
            said, r"0x1deadb0b at 0x[0-9a-f]{8} became 0x[0-9a-f]{8} by"
            fr" write_dead\(\) at qemu/telemetry/tp_plant.c:{line},"
            r" in frame 3000:\n  #0  write_dead\(\)")
        for deed in ("freed by burn_out", "issued to ignite"):
            self.assertRegex(said, fr"\nslot \d+ was {deed}\(\) at"
                                   r" qemu/game/particles.c:\d+, in frame \d+:")
        self.assertRegex(said, r"\nnoticed in \w+\(\) at qemu/\w+/\w+.c:\d+,"
                               r" in frame 3\d+:\n")

    def test_every_kind_of_mistake_leads_to_its_line(self):
        culprits = {**CULPRITS, **(MORE_CULPRITS if is_full() else {})}
        for plant, (checks, deed, function, words) in culprits.items():
            self.fail_by(plant, checks)
            answer, _ = self.why()
            with self.subTest(plant=plant):
                self.assert_place(answer[deed], function, words)
                if deed != "freed":
                    self.assertEqual(answer[deed]["frame"], self.struck())

    def test_a_wrong_access_is_its_own_cause(self):
        self.fail_by("flip-descriptor", "fast", "--sanitize", frames=600)
        answer, _ = self.why()
        self.assertEqual(["noticed"], [deed for deed in DEEDS if answer[deed]])
        self.assert_place(answer["noticed"], "flip_descriptor", "word_at(word) ^")

    def test_of_what_names_no_slot_the_odd_call_is_found(self):
        odd = {**ODD, **(MORE_ODD if is_full() else {})}
        for plant, (checks, deed, function, words) in odd.items():
            self.fail_by(plant, checks)
            answer, _ = self.why()
            with self.subTest(plant=plant):
                self.assert_place(answer[deed], function, words)

    @only_in_full
    def test_a_mistake_after_two_thousand_million_instructions_is_found(self):
        self.fail_by("write-after-free", "poison", frames=126000)
        access = self.why()[0]["access"]
        self.assertEqual((access["frame"], access["place"]["function"]),
                         (63000, "write_dead"))

    def test_a_mistake_that_no_word_tells_of_is_shown_where_it_was_noticed(self):
        self.fail_by("foreign", "fast")
        _, said, _ = soak("why", str(self.out))
        self.assertRegex(said, r"noticed in free_another\(\) at"
                               r" qemu/telemetry/tp_plant.c"
                         fr":\d+, in frame {self.struck()}:\n  #0  tp_fault\(\)")
        self.assertIn(" strike() at qemu/telemetry/tp_plant.c:", said)
        self.assertNotIn("became", said)

    def test_one_before_a_clock_wraps_is_found_from_power_on(self):
        """The clock is zero then, which later is the frame in which it wraps."""
        self.fail_by("foreign", "fast", "--near-wrap")
        answer, _ = self.why()
        self.assertEqual((self.struck(), "free_another"), (
            answer["noticed"]["frame"], answer["noticed"]["place"]["function"]))

    def test_hours_before_a_checkpoint_are_not_run_again(self):
        self.fail_by("write-after-free", "poison", "--checkpoint-every",
                     "0.02", "--interrupts", "timer", frames=43200)
        kept = checkpoint.all_in(self.out)
        self.assertTrue(kept)
        answer, said = self.why()
        self.assertEqual(answer["access"]["frame"], 21600)
        self.assertNotIn("power-on", said)

    def test_a_run_that_fails_looks_at_once_for_who_made_it(self):
        code, said, _ = soak("run", "--frames", "1200", "--plant",
                             "write-after-free", "--out", str(self.out))
        self.assertEqual(code, 1)
        words = r" by write_dead\(\) at qemu/telemetry/tp_plant.c:\d+, in frame 600"
        self.assertRegex(said, r"\ncause 0x1deadb0b at 0x\w+ became 0x\w+" + words)
        for name in ("summary.json", "junit.xml", "report.html", "findings.sarif"):
            text = (self.out / name).read_text()
            self.assertRegex(text, words)
            self.assertIn("ignite()" if name != "findings.sarif" else '"ignite"',
                          text)
        first = json.loads(text)["runs"][0]["results"][0]
        place = first["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"]["uri"], "qemu/telemetry/tp_plant.c")
        titles = [stack["message"]["text"] for stack in first["stacks"]]
        self.assertEqual([re.findall("became|freed|issued|noticed", title)
                          for title in titles],
                         [["became"], ["freed"], ["issued"], ["noticed"]])

    def test_a_run_that_passed_is_a_sentence(self):
        soak("run", "--frames", "600", "--no-host", "--out", str(self.out))
        code, _, said = soak("why", str(self.out))
        self.assertEqual(code, 2)
        self.assertRegex(said, r"^soak: there is nothing to go back to: \d+"
                               " checks passed")

    def test_a_folder_without_a_run_is_a_sentence(self):
        code, _, said = soak("why", str(self.out))
        self.assertEqual(code, 2)
        self.assertRegex(said, "^soak: there is no result of a run in")

    def test_another_firmware_is_refused(self):
        self.fail_by("interior", "fast", frames=600)
        (self.out / "console.elf").write_bytes(b"other")
        code, _, said = soak("why", str(self.out))
        self.assertEqual(code, 2)
        self.assertIn("is not the firmware that ran", said)


class OfPaper(Replay):
    """A run in which a word becomes the next greater one every 100 frames."""

    def __init__(self):
        self.now, self.looked_at, self.strayed = 0, [], set()

    def load(self, mark):
        self.now = mark.frame

    def approach(self, frame):
        return [Mark("", at) for at in (self.now, (self.now + frame) // 2)]

    def values(self, ranges):
        return {8: self.now // 100}

    def changes(self, ranges, last, stops=()):
        self.looked_at.append((self.now, last))
        return [Moment(at, (), b"", 8, at // 100 - 1, at // 100)
                for at in range(self.now // 100 * 100 + 100, last + 1, 100)]


class Diverted(OfPaper):
    """A run in which a word becomes the frame of each of two deeds; after the stop at
    the one, the other is not done."""

    def __init__(self, *deeds):
        super().__init__()
        self.deeds, self.loaded = deeds, []

    def load(self, mark):
        super().load(mark)
        self.loaded += [mark.frame] * (mark.frame not in self.loaded)

    def approach(self, frame, near=NEAR_FRAMES):
        return [Mark("", at) for at in (self.now, *(
            self.now + one for one in self.lengths[:1] if self.now + one < frame))]

    def values(self, ranges):
        return {8: max((at for at in self.deeds if at <= self.now), default=0)}

    def changes(self, ranges, last, stops=()):
        return [Moment(at, (), b"", 8, 0, at)
                for at in self.deeds if self.now < at <= last][:1]


class Alike(Diverted):
    """The same, but that after the first stop another store of the same comes."""

    def changes(self, ranges, last, stops=()):
        first = super().changes(ranges, last, stops)
        return first + [one._replace(frame=40, after=self.deeds[-1])
                        for one in first if one.frame < self.deeds[-1]]


class Stalled(Replay):
    """A run of 600 frames, 4000 a second, on a machine that first does nothing."""
    frame = property(lambda self: self.now)

    def __init__(self):
        self.now, self.gdb, self._speed, self._stop = 0, self, 4000, ()
        self.is_stalled = True

    def go(self, seconds):
        self.now += 0 if self.is_stalled else int(4000 * seconds)
        self.is_stalled = False
        if self.now > 600:
            raise Gone

    def mark(self):
        return Mark("", self.now)

    def load(self, mark):
        self.now = mark.frame


class Late(Stalled):
    """One that is stopped a second too late the first three times."""

    def __init__(self):
        super().__init__()
        self.late = 3

    def go(self, seconds):
        self.now += int(4000 * (seconds + (self.late > 0)))
        self.late -= 1


class HeldUp(Replay):
    """QEMU on a busy machine, as it was seen: it comes to no frame more at a write
    to a watched word, aborts if it goes on, and tells at a breakpoint there."""
    frame = 7

    def __init__(self):
        self.gdb, self._stop, self.pc, self.breakpoint = self, (), 0x8E1E, 0
        self.goes = 0

    def registers(self):
        return (0,) * 15 + (self.pc, 0)

    def insert(self, _, address, size):
        self.breakpoint = address

    def remove(self, kind, address, size):
        self.breakpoint = 0

    def go(self, seconds):
        self.goes += 1
        if self.breakpoint == self.pc:
            return Stop(TRAP, 8)
        if self.goes > 1:
            raise Gone
        return Stop(2, 0)


class Search(unittest.TestCase):
    """How a history is looked through, and what is looked for, without QEMU."""

    def test_an_end_that_comes_in_place_of_an_answer_is_no_word(self):
        """A firmware reset the processor as it was being stopped."""
        ours, theirs = socket.socketpair()
        with ours, theirs:
            for text in ("OK", "W00"):
                theirs.sendall(b"$%b#%02x" % (text.encode(),
                                              sum(text.encode()) & 255))
            gdb = GdbRemote(ours)
            with self.assertRaises(Gone):
                gdb.word(0x20010000)

    def test_a_checkpoint_made_after_the_finding_is_no_start_though_named_earlier(
            self):
        finding = why.Finding("poison", 5000, "b", 1, 0, 0)
        asked = {"symbols": {}, "fields": {"tp_pool": {}}}
        search = why.Search(finding, asked, None)
        self.assertEqual([search.is_too_late(frame) for frame in (4999, 5000)],
                         [False, True])
        ended = why.Search(finding._replace(what=why.END), asked, None)
        self.assertFalse(ended.is_too_late(5001))

    def test_damage_that_a_question_does_and_undoes_is_nobodys_deed(self):
        search = why.Search(why.Finding("link", 0, "b", 1, 0, 0), {
            "symbols": {why.ASKS: 0x300}, "fields": {"tp_pool": {}}}, None)
        search._functions = SimpleNamespace(begin=lambda at: at & ~0xFF)
        self.assertEqual([True, False], [search._is_question(
            Moment(9, (0,) * 15 + (counter,), b"")) for counter in (0x304, 0x404)])

    def test_who_frees_what_is_none_of_its_slots_did_so_where_it_is_noticed(self):
        fields = {name: (0, 4) for name in ("tag", "capacity", "age", "evict")}
        odd = []
        for what in ("foreign", "invariant"):
            search = why.Search(why.Finding(what, 60, "b", 0, 0, 0), {
                "symbols": {"b_pool": 0x100}, "fields": {"tp_pool": fields}}, None)
            search.noticed, replay = Moment(60, (0,) * 17, b""), mock.Mock()
            replay.values.return_value, replay.gdb.read.return_value = {}, bytes(4)
            search._find_words(replay)
            odd.append(bool(search._odd))
        self.assertEqual([False, True], odd)

    def test_power_on_is_early_enough_for_a_finding_in_the_first_frame(self):
        asked = {"symbols": {}, "fields": {"tp_pool": {}}}
        search = why.Search(why.Finding("poison", 0, "b", 1, 0, 0), asked, None)
        self.assertFalse(search.is_too_late(0))

    def test_a_machine_that_stalls_is_not_taken_for_a_slow_one(self):
        marks = Stalled().approach(360)
        self.assertGreaterEqual(marks[-1].frame, 360 - NEAR_FRAMES)

    def test_a_run_that_went_too_far_thrice_comes_near_all_the_same(self):
        marks = Late().approach(3000)
        self.assertIn(marks[-1].frame, range(3000 - NEAR_FRAMES, 3000))

    def test_a_write_that_a_busy_machine_is_held_up_by_is_a_stop(self):
        self.assertEqual(Stop(TRAP, 8), HeldUp()._next_stop(9))

    def test_a_machine_that_comes_to_no_frame_has_come_to_nothing(self):
        replay = HeldUp()
        replay.go = lambda seconds: replay.__dict__.update(goes=replay.goes + 1) \
            or Stop(TRAP if replay.breakpoint or replay.goes > 4 else 2, 0)
        self.assertEqual((Stop(TRAP, 0), 5),
                         (replay._next_stop(9), replay.goes))

    def test_a_frame_is_traced_until_that_tells_enough(self):
        replay = HeldUp()
        with tempfile.TemporaryDirectory() as work:
            replay._work = Path(work)
            (replay._work / TRACE).write_bytes(bytes(9))
            replay.go = lambda _: self.fail("it went on")
            replay._trace_end = 8
            self.assertIsNone(replay._next_stop(9))

    def test_who_called_by_a_jump_is_found_by_the_path_of_instructions(self):
        """main() calls by_jump(), whose last deed is to call the last."""
        begins = {0x100: "main", 0x200: "by_jump", 0x300: "last"}
        functions = SimpleNamespace(begin=lambda at: at & ~0xFF)
        whole = {"is_whole": True}
        trace = [dict(whole, function="last", pc=0x304, calls=0),
                 dict(whole, function="main", pc=0x114, calls=0x200)]
        self.assertTrue(tail_calls.lacks_callers(trace, functions))
        with mock.patch.object(tail_calls, "places_at", lambda _, at: [
                {"function": begins[at & ~0xFF], "pc": at}]):
            found = tail_calls.with_callers(
                trace, [0x110, 0x200, 0x20A, 0x300, 0x304], functions, "")
        self.assertEqual(["last", "by_jump", "main"],
                         [one["function"] for one in found])

    def test_who_called_early_in_a_frame_is_looked_for_from_before_it(self):
        replay = OfPaper()
        replay._marks = [Mark("a", 7), Mark("b", 8), Mark("c", 9)]
        moment = Moment(9, (), b"", mark=replay._marks[-1])
        self.assertEqual("b", replay.mark_before(moment).name)
        self.assertEqual("c", replay.mark_before(moment._replace(frame=10)).name)
        replay._marks = replay._marks[-1:]
        self.assertEqual("c", replay.mark_before(moment).name)

    def test_a_path_that_leads_to_the_end_of_the_run_is_none(self):
        moment = Moment(9, (0,) * 17, b"", mark=Mark("a", 8))
        for end in (Gone, NoAnswer):
            replay = OfPaper()
            replay._marks, replay._go_to_frame = [], mock.Mock(side_effect=end)
            self.assertEqual([], replay.path_to(moment))

    def test_the_last_interrupts_are_those_whose_handlers_were_entered(self):
        table = {0x400: [15], 0x500: [16, 17], 0x600: [47]}
        self.assertEqual(
            ["SysTick", "interrupt 31", "an unexpected one"],
            interrupts_in([0x100, 0x400, 0x402, 0x600, 0x100, 0x500], table))

    def test_what_a_call_left_out_begins_where_it_went_another_way_than_all_others(
            self):
        """At 4 it calls 100, and at 8 all but one go on to 10; what differs within
        the call matters less."""
        def steps(*path):
            return [(0,) * 13 + (64 - 8 * (at > 100), back, at) for at, back in path]
        called = [(2, 0x901), (4, 0x901), (100, 9), (102, 9)]
        other = by_level(steps(*called, (104, 9), (8, 9), (10, 9), (12, 9)))
        odd = by_level(steps(*called, (106, 9), (8, 9), (12, 9)))
        self.assertEqual((104, 1), other[4])
        self.assertEqual((8, 0), odd[parting(odd, [other, other])])
        self.assertIsNone(parting(other, [other, other]))

    def test_who_joined_is_who_used_a_frame_and_did_not_a_second_before(self):
        replay = mock.Mock()
        noticed = odd_calls.Noticed("", 600, {}, {}, (), used=((8, 4),))
        change = SimpleNamespace(_replace=lambda mark: change)
        replay.changes.side_effect = [[change] * 2, [change]]
        with mock.patch.object(odd_calls, "by_place", side_effect=[
                {"draw": [1], "drift": [change]}, {"draw": [1]}]):
            found = odd_calls.odd_deeds(replay, noticed, [Mark("", 0)], None)
        self.assertEqual({"joined": change}, found)

    def test_an_audit_that_begins_with_an_allocator_s_name_means_that(self):
        audit = {"text": "draw: a frame used more", "pool": "", "slot": 0, "frame": 19}
        summary = {"pools": [], "allocators": [{"name": "draw"}], "faults": [],
                   "audits": [audit, dict(audit, text="drew: not so", frame=20)]}
        self.assertEqual("draw", why.first_finding(summary).pool)
        summary["audits"].pop(0)
        self.assertEqual("", why.first_finding(summary).pool)

    def test_changes_come_newest_first_from_where_they_were_last_made(self):
        replay = OfPaper()
        changes = replay.history([Mark("", 0)], Known(3000, {8: 30}), [(8, 4)],
                                 ())
        self.assertEqual([next(changes).frame for _ in range(3)],
                         [3000, 2900, 2800])
        begin = min(begin for begin, _ in replay.looked_at)
        self.assertGreater(begin, 2600)  # No more was run than that took.

    def test_what_a_stop_sends_another_way_is_looked_for_from_behind_that_stop(self):
        """The first stop is at frame 20; after it, the deed at 50 does not come."""
        replay = Diverted(20, 50)
        replay.lengths = [30]
        found = list(replay.history([Mark("", 0)], Known(60, {8: 50}), [(8, 4)], ()))
        self.assertEqual(([50, 20], set()), ([one.frame for one in found],
                                             replay.strayed))

    def test_what_only_looks_alike_after_a_stop_is_not_taken_for_the_deed(self):
        """Where a mark parts them, as here between frames 20 and 40."""
        for lengths, frames in (([30], [50, 20]), ([], [40, 20])):
            replay = Alike(20, 50)
            replay.lengths = lengths
            found = replay.history([Mark("", 0)], Known(60, {8: 50}), [(8, 4)], ())
            self.assertEqual(frames, [one.frame for one in found])

    def test_a_fault_that_a_question_asked_for_is_not_the_one_that_was_found(self):
        asked = {"symbols": {why.FAULT: 16, why.ASKING: 32}, "fields": {"tp_pool": {}}}
        search = why.Search(why.Finding("poison", 9, "b", 1, 0, 0), asked, None)
        replay = mock.Mock()
        for frame, asking, is_it in ((8, b"\1", False), (8, b"\0", True),
                                     (9, b"\1", True)):
            replay.gdb.read.return_value = asking
            self.assertEqual(is_it, search._is_it(replay, Moment(
                frame, (0,) * 15 + (16,), b"")))

    def test_of_a_word_that_strayed_no_more_is_looked_for(self):
        replay = Diverted(20, 50)
        replay.lengths = []
        marks = [Mark("", frame) for frame in (-200, -100, 0)]
        self.assertEqual([], list(replay.history(marks, Known(60, {8: 50}), [(8, 4)],
                                                 ())))
        self.assertEqual([0], replay.loaded)

    def test_of_words_only_what_leads_to_what_they_hold_is_kept(self):
        def change(address, after):
            return Moment(0, (), b"", address, 0, after)
        kept, strayed = _leading_to(
            {4: 7, 8: 1, 12: 9}, {4: 0, 8: 1, 12: 0},
            [change(4, 7), change(8, 5), change(4, 3), change(12, 2), change(4, 7),
             change(4, 6), change(16, 7)])
        self.assertEqual([7, 3, 7], [one.after for one in kept])
        self.assertEqual({12}, strayed)

    def test_of_a_word_that_no_run_changes_so_nobody_is_told(self):
        replay = Diverted(20, 50)
        replay.lengths = []  # There is no mark between them.
        self.assertEqual([], list(replay.history(
            [Mark("", 0)], Known(60, {8: 50}), [(8, 4)], ())))
        self.assertEqual({8}, replay.strayed)

    def test_the_first_finding_counts_whether_fault_or_audit(self):
        fault = {"kind": "poison", "pool": "b", "slot": 3, "frame": 20,
                 "address": "0x20000000", "offset": 8}
        audit = {"text": "the age ring is broken", "pool": "b", "slot": 2,
                 "frame": 19}
        summary = {"pools": [{"name": "a"}, {"name": "b"}], "why": "x", "results": [],
                   "faults": [fault], "audits": [audit], "verdict": "pass",
                   "complete": True}
        self.assertEqual(why.first_finding(summary), why.Finding(
            "the age ring is broken", 19, "b", 2, 0, 0))
        with self.assertRaises(CannotRun):
            why.first_finding(dict(summary, faults=[], audits=[]))

    def test_a_finding_that_names_no_slot_gives_way_to_one_that_does_soon_after(
            self):
        fault = {"kind": "link", "pool": "a", "slot": 3, "frame": 20,
                 "address": "0x20000000", "offset": 0}
        audit = {"text": "the free list has the wrong length", "pool": "a",
                 "slot": 0, "frame": 19}
        summary = {"pools": [{"name": "a"}, {"name": "b"}], "why": "x",
                   "faults": [fault], "audits": [audit]}
        self.assertEqual(why.first_finding(summary).what, "link")
        for change in ({"frame": 19 + why.SOON_FRAMES + 1}, {"pool": "b"}):
            later = dict(summary, faults=[dict(fault, **change)])
            self.assertEqual(why.first_finding(later).frame, 19, change)

    def test_of_blocks_the_class_that_names_a_slot_soon_after_is_looked_at(self):
        audits = [{"text": "its free memory is broken", "pool": "msgs", "slot": 0,
                   "frame": 19},
                  {"text": "a link was written over", "pool": "msgs_48", "slot": 2,
                   "frame": 19}]
        summary = {"pools": [{"name": "msgs_48"}, {"name": "msgs_x"}],
                   "allocators": [{"name": "msgs", "kind": "blocks"}], "why": "x",
                   "faults": [], "audits": audits}
        self.assertEqual(("a link was written over", 19, "msgs_48", 2),
                         why.first_finding(summary)[:4])
        audits[1]["pool"] = "msgs_x"
        self.assertEqual(0, why.first_finding(summary).slot)
        audits[1]["pool"] = "msgs_48"
        summary["allocators"][0]["kind"] = "pool"
        self.assertEqual(0, why.first_finding(summary).slot)

    def test_of_what_has_no_slots_a_fault_that_names_a_word_soon_after_is_looked_at(
            self):
        fault = {"kind": "poison", "pool": "motes", "slot": 0, "frame": 58,
                 "address": "0x20017ef8", "offset": 0}
        audit = {"text": "something is broken", "pool": "motes", "slot": 0,
                 "frame": 19}
        summary = {"pools": [{"name": "a"}], "why": "x", "faults": [fault],
                   "allocators": [{"name": "motes"}, {"name": "sparks"}],
                   "audits": [audit]}
        self.assertEqual(("poison", 58), why.first_finding(summary)[:2])
        for change in ({"kind": "order"}, {"pool": "sparks"}, {"address": "0x0"}):
            other = dict(summary, faults=[dict(fault, **change)])
            self.assertEqual(19, why.first_finding(other).frame, change)


class Names(unittest.TestCase):
    """Of a folder with letters that are not ASCII, or not even UTF-8."""
    STOPPED = Moment(0, (*[0] * 13, 0x20000000, 0, 0x100, 1 << 24), bytes(64))

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)

    def compiled(self, name, file="main.c"):
        source = self.folder / name / file
        source.parent.mkdir()
        source.write_text("void stop(void)\n{\n  for (;;) continue;\n}\n")
        tool("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-g", "-nostdlib",
             "-Wl,-estop,-Ttext=0x100", source, "-o", self.folder / ELF)
        return source

    def test_of_what_is_inlined_every_place_is_known_and_a_header_s_told_last(self):
        (self.folder / ELF).write_bytes(b"\x7fELF" + bytes(14) + b"\x28\x00")
        asked = {0x100: (("get", "/game/list.h:3"), ("step", "/game/a.c:7"),
                         ("main", "/game/b.c:9 (discriminator 2)")),
                 0x102: (("get", "/game/list.h:3"), ("main", "/game/list.h:4")),
                 0x104: (("tp_pool_free", "/lib/tp_core.c:5"), ("?", "??:0")),
                 0x106: (("tp_pool_free", "/lib/tp_core.c:5"), ("f", "/game/c.c:1"))}
        text = "".join(f"0x{at:08x}\n" + "".join(f"{name}\n{line}\n" for name, line
                                                 in places)
                       for at, places in asked.items())
        elf = self.folder / ELF
        with mock.patch.object(source_lines, "told_by", return_value=text) as told:
            self.assertEqual({
                0x100: ("step", "/game/a.c", 7), 0x102: ("get", "/game/list.h", 3),
                0x106: ("f", "/game/c.c", 1)}, source_lines.own_places(elf, asked))
            self.assertEqual([("get", 3), ("step", 7), ("main", 9)], [
                (one["function"], one["line"])
                for one in source_lines.places_at(elf, 0x100)])
            self.assertEqual("main() at /game/b.c:9",
                             source_lines.home_line_at(elf, 0x100))
            self.assertEqual("", source_lines.line_at(elf, 0x104))
        self.assertEqual({"arm-none-eabi-addr2line"},
                         {call.args[0] for call in told.mock_calls})
        self.assertEqual("0x100\n0x102\n0x104\n0x106",
                         told.mock_calls[0].kwargs["given"])

    def test_gdb_names_a_source_in_letters_of_any_alphabet_whatever_the_locale(self):
        source = self.compiled("\u043c\u043e\u0439")
        for locale in ("C", "C.UTF-8"):
            with mock.patch.dict("os.environ", LC_ALL=locale):
                said = ask_gdb(self.folder, moments=[self.STOPPED])
            self.assertEqual(str(source), said["backtraces"][0][0]["file"], locale)

    def test_of_a_processor_that_is_at_address_0_the_place_is_told(self):
        self.compiled("mine")
        registers = (*self.STOPPED.registers[:15], 0, 1 << 24)
        said = ask_gdb(self.folder, moments=[
            self.STOPPED._replace(registers=registers)])
        self.assertEqual(("0x0", 0), (said["backtraces"][0][0]["function"],
                                      said["backtraces"][0][0]["calls"]))

    def test_what_the_linker_left_out_is_not_named_for_what_lies_there_now(self):
        sources = [self.folder / name for name in ("main.c", "more.c")]
        sources[0].write_text(
            "int called(int);\n"
            "int start(void)\n{\n  return called(1) + called(2);\n}\n")
        sources[1].write_text(
            "volatile int out;\nvoid left_out(void)\n{\n"
            + "  out++;\n" * 99 + "}\nint called(int in)\n{\n  return out += in;\n}\n")
        elf = self.folder / ELF
        tool("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-g", "-O2",
             "-nostdlib", "-ffunction-sections",
             "-Wl,--gc-sections,-estart,-Ttext=0", *sources, "-o", elf)
        called = re.search("(.*) T called", tool("arm-none-eabi-nm", elf))[1]
        registers = [*self.STOPPED.registers[:14], 7, int(called, 16), 1 << 24]
        trace = ask_gdb(self.folder, moments=[
            self.STOPPED._replace(registers=registers)])["backtraces"][0]
        self.assertEqual([("called", "more.c"), ("start", "main.c")], [
            (one["function"], Path(one["file"]).name) for one in trace[:2]])

    def test_who_called_is_told_wherever_in_a_variable_the_stack_of_a_task_lies(self):
        source = self.folder / "main.c"
        source.write_text(
            "char stack[4096];\n"
            "__attribute__((noipa)) int called(int in)\n{\n"
            '  __asm volatile("halted: nop" : : : "r4", "lr");\n'
            "  return in;\n}\n"
            "int start(void)\n{\n  return called(1) + called((int)stack);\n}\n")
        elf = self.folder / ELF
        tool("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-g", "-O1",
             "-nostdlib", "-Wl,-estart,-Ttext=0x100,-Tbss=0x20000000", source,
             "-o", elf)
        at = {name: int(value, 16) for value, name in re.findall(
            "(.*) . (start|halted|stack)\n", tool("arm-none-eabi-nm", elf))}
        for offset in range(0, 128, 8):
            registers = [*[0] * 13, at["stack"] + offset, 7, at["halted"], 1 << 24]
            frames = (0).to_bytes(4, "little") + (at["start"] + 9).to_bytes(4, "little")
            trace = ask_gdb(self.folder, moments=[Moment(
                0, tuple(registers), frames + bytes(64))])["backtraces"][0]
            self.assertEqual(["called", "start"],
                             [one["function"] for one in trace[:2]], offset)

    def test_a_run_that_hangs_within_the_library_is_told_its_function(self):
        source = self.compiled("lib", "tp_scene.c")
        ending = located(Ending("it hangs", stuck_at=0x102), self.folder / ELF)
        self.assertEqual(f"it hangs in stop() at {source}:2", ending.sentence)
        ending = located(Ending("it hangs", stuck_at=0x20000102), self.folder / ELF)
        self.assertEqual("it hangs in address 0x20000102", ending.sentence)

    def test_a_line_is_named_in_a_folder_whose_name_has_a_bracket(self):
        told = f"stop() at {self.compiled('mine (copy)')}:3"
        elf = self.folder / ELF
        self.assertEqual(told, line_at(elf, 0x104))
        self.assertIn(told, Lines(elf, Elf(elf.read_bytes())).caller(0x107))

    def test_a_line_is_without_what_tells_it_from_others_of_the_same(self):
        with mock.patch.object(source_lines, "told_by", return_value=(
                "0x00000102\nstop\n/a (b)/main.c:3 (discriminator 2)\n")), \
                mock.patch.object(source_lines, "_addr2line"):
            self.assertEqual("stop() at /a (b)/main.c:3", line_at(__file__, 0x102))

    def test_a_line_is_named_in_a_folder_whose_name_is_not_utf_8(self):
        self.compiled("M\udcfcller")
        named = f"{self.folder}/M\ufffdller/main.c"
        self.assertEqual(f"stop() at {named}:2", line_at(self.folder / ELF, 0x102))
        said = ask_gdb(self.folder, moments=[self.STOPPED])
        self.assertEqual(named, said["backtraces"][0][0]["file"])
