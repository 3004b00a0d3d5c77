# SPDX-License-Identifier: MIT
"""Where `why` looks for who did it, in a replay made of paper: no QEMU runs."""

import struct
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import paper  # noqa: F401: where the harness is.
from harness import call_sites, lasting_search, odd_calls, replay, why
from harness.cpu_fault import VTOR
from harness.errors import CannotRun
from harness.gdb_remote import ACCESSES, BREAKPOINT, TRAP, WRITES, Gone, Stop
from harness.lasting import CUT_UP, DEEP, OUTLIVED, RATE, SLOWER, SPIKE
from harness.lasting_search import SOME, LastingSearch, by_line
from harness.odd_calls import Noticed, Returns
from harness.replay import Known, Mark, Moment, Replay
from harness.suspects import LIVE
from harness.unaligned import is_elsewhere
from harness.why import Finding

from decoder import Unreadable

# Of words, to [r0 or r14] of the test: each encoding with where it goes.
STORES = (
    (0x6081, 0x108),                                  # str r1, [r0, #8]
    (0x5081, 0x102),                                  # str r1, [r0, r2]
    (0x1006F8C0, 0x106), (0x1FFFF8C0, 0x10FF),        # str.w r1, [r0, #6]
    (0x1022F840, 0x108),                              # str.w r1, [r0, r2, lsl #2]
    (0x1C05F840, 0xFB), (0x1F05F840, 0x105),          # [r0, #-5], [r0, #5]!
    (0x1B05F84E, 0x400), (0x1906F84E, 0x400),         # [lr], #5 and #-6
    (0x67C1, 0x17C), (0x502B, 0x3),                   # [r0, #124], [r5, r0]: it wraps
    (0x3032F84E, 0x410),                              # str.w r3, [lr, r2, lsl #3]
)
HALVES = (
    (0x87C1, 0x13E), (0x8041, 0x102),                 # strh r1, [r0, #62], [r0, #2]
    (0x53C3, 0x7100), (0x526B, 0x103),                # [r0, r7], [r5, r1]: it wraps
    (0x3ABCF8AE, 0xEBC), (0x3C05F82E, 0x3FB),         # strh.w: [lr, #0xabc], [lr, #-5]
    (0x3B04F82E, 0x400), (0x3F04F82E, 0x404),         # [lr], #4 and [lr, #4]!
    (0x3011F82E, 0x800), (0x3017F825, 0xDF03),        # [lr, r1, lsl #1], [r5, r7, ...]
)

GAME, LIBRARY = "/game/enemies.c", "/lib/core/tp_core.c"


def moment(frame, counter=0, address=0, before=0, after=0, stack=b"", **registers):
    words = [0] * 17
    words[15] = counter
    for name, value in registers.items():
        words[int(name[1:])] = value
    return Moment(frame, tuple(words), stack, address, before, after)


class Memory:
    """Words at addresses; what is read of a run that is not run."""

    def __init__(self, words=()):
        self.words, self.gdb, self.loaded = dict(words), self, []

    def word(self, address):
        return self.words.get(address, 0)

    def read(self, address, size):
        return b"".join(struct.pack("<I", self.word(at))
                        for at in range(address, address + size + 3, 4))[:size]

    def values(self, ranges):
        return Replay.values(self, ranges)

    def load(self, mark):
        self.loaded.append(mark.frame)


class Odd(unittest.TestCase):
    def test_the_tags_of_a_pool_begin_behind_the_first_and_its_ring_with_it(self):
        pool = SimpleNamespace(tag=100, capacity=3, age=200, has_tags=True)
        self.assertEqual(([(104, 12)], [(200, 16)]),
                         (odd_calls.tags_of(pool), odd_calls.ring_of(pool)))
        pool.age = 0
        self.assertEqual([], odd_calls.ring_of(pool))

    def test_a_word_is_a_return_where_a_call_is_before_it(self):
        code = Memory({0x100: 0x4780BF00, 0xFF: 0x4780BF00,
                       0x200: 0xF800F000, 0x300: 0xBF00BF00,
                       0x400: 0xD800F000, 0x500: 0xC000F000})
        stack = struct.pack("<8I", 0x105, 0x104, 0x205, 0x305, 0x405, 0x505, 0x105, 7)
        self.assertEqual([0x105, 0x205, 0x405, 0x105],
                         Returns(code).all_in(stack + bytes(200)))
        near, far = odd_calls.STACK_LOOKED_AT - 4, odd_calls.STACK_LOOKED_AT
        for at, found in ((near, [0x105]), (far, [])):
            stack = bytes(at) + struct.pack("<I", 0x105) + bytes(8)
            self.assertEqual(found, Returns(code).all_in(stack))

    def test_stores_are_told_apart_by_the_application_s_innermost_place(self):
        stores = [moment(at, counter) for at, counter in (
            (1, 2), (2, 4), (3, 2), (4, 6))]
        asked = []

        def ask(_, moments):
            asked.extend(one.frame for one in moments)
            return {"backtraces": [[{"file": LIBRARY, "line": 1}, {
                "file": GAME, "line": 7 + (one.registers[15] == 6)},
                {"file": GAME, "line": 9}] for one in moments]}
        returns = SimpleNamespace(all_in=lambda _: [])
        with mock.patch.object(odd_calls, "ask_gdb", ask):
            found = odd_calls.by_place(stores, returns, "")
        self.assertEqual({(GAME, 7): [2, 1, 3], (GAME, 8): [4]}, {
            place: [one.frame for one in group] for place, group in found.items()})
        self.assertEqual([2, 4, 3], asked)

    def test_the_application_s_own_last_store_is_guilty_before_any_that_is_rare(self):
        stores = [moment(frame, counter, address) for frame, counter, address in (
            (541, 2, 8), (542, 4, 8), (543, 4, 8), (544, 6, 8), (545, 9, 64))]
        run = mock.Mock()
        run.stores.return_value = stores
        noticed = Noticed("", 600, {8: LIVE}, {64: 1}, (0x40,))
        for own, found in (((2, 4), {"access": 543}), ((), {"freed": 544})):
            with mock.patch.object(odd_calls, "home_of", lambda _, at: GAME if at in own
                                   else LIBRARY), \
                    mock.patch.object(odd_calls, "by_place", lambda all_, *_: {
                        at: [one for one in all_ if one.registers[15] == at]
                        for at in (4, 6, 9)}):
                deeds = odd_calls.odd_deeds(run, noticed, [Mark("a", 500), Mark(
                    "b", 539), Mark("c", 540)], Path("x"))
            self.assertEqual(found, {name: one.frame for name, one in deeds.items()})
            self.assertEqual(["b"], [one.mark.name for one in deeds.values()])
            run.load.assert_called_with(Mark("b", 539))
            run.stores.assert_called_with([8, 64], 600, (0x40,))

    def left_out(self, *odd, at=1):
        """Calls of which those numbered in odd do not go on from 4 to 8."""
        run = mock.Mock()
        run.calls_of.return_value = [[moment(number, counter) for counter in (
            (2, 4, 12) if number in odd else (2, 4, 8, 12))]
            for number in range(4)][:at]
        with mock.patch.object(odd_calls, "UNTOLD", "untold"):
            found = odd_calls.odd_deeds(run, Noticed("untold", 600, {}, {}, (), 0x40), [
                Mark("a", 500), Mark("b", 540)], Path("x"))
        run.load.assert_called_once_with(Mark("a", 500))
        run.calls_of.assert_called_once_with(0x40, 600)
        return found

    def test_of_three_calls_that_which_left_out_what_others_did_is_told(self):
        found = self.left_out(1, at=3)["left_out"]
        self.assertEqual((1, 4, "a"), (found.frame, found.registers[15],
                                       found.mark.name))
        self.assertEqual({}, self.left_out(at=3))
        self.assertEqual({}, self.left_out(1, at=2))

    def test_a_call_is_of_two_bytes_or_of_four_and_no_jump_to_where_it_returns(self):
        for last, now, level in ((96, 40, 1), (98, 40, 1), (94, 40, 0), (99, 40, 0),
                                 (96, 100, 0)):
            steps = [(0,) * 13 + (64, 101, at) for at in (last, now)]
            self.assertEqual([(last, 0), (now, level)], odd_calls.by_level(steps))

    def test_who_uses_a_frame_is_known_of_some_frames_of_each_second(self):
        """Of which there must be some, and in them somebody."""
        asked, run = [], mock.Mock()
        run.known = lambda *words: asked.append(words)
        run.changes = lambda *words: asked.append(words) or [moment(words[1])]
        noticed = Noticed("", 600, {}, {}, (), used=((8, 4),))
        a, b = Mark("a", 500), Mark("b", 560)
        one = moment(600)._replace(mark=b)
        for now, before, found in (
                ({"x": [1], "y": [one]}, {"x": [9]}, {"joined": one}),
                ({"x": [1]}, {"x": [9]}, {}), ({"x": [1]}, {}, {}),
                ({}, {"x": [9]}, {})):
            del asked[:]
            with mock.patch.object(odd_calls, "by_place", side_effect=(now, before)) \
                    as by_place:
                self.assertEqual(found, odd_calls.odd_deeds(run, noticed, [a, b], "w"))
            self.assertEqual([(b, [], 596), (((8, 4),), 600),
                              (a, [], 535), (((8, 4),), 539)], asked)
            self.assertEqual([[(600, b)], [(539, a)]], [
                [(one.frame, one.mark) for one in call.args[0]]
                for call in by_place.mock_calls])
            self.assertEqual({"w"}, {call.args[2] for call in by_place.mock_calls})

    def test_of_several_that_use_a_frame_anew_the_newest_is_told(self):
        """Though another did so oftener, and comes later for that; and of one place
        those that came there by fewer calls come first."""
        first, second, last = (moment(at) for at in (597, 598, 599))
        run = mock.Mock()
        run.changes.side_effect = [[first, second, last], [moment(538)]]
        noticed = Noticed("", 600, {}, {}, (), used=((8, 4),))
        marked = [one._replace(mark=Mark("a", 500)) for one in (first, second, last)]
        with mock.patch.object(odd_calls, "by_place", side_effect=(
                {"x": [marked[2], marked[0]], "y": [marked[1]]}, {"z": [9]})):
            self.assertEqual({"joined": marked[2]}, odd_calls.odd_deeds(
                run, noticed, [Mark("a", 500)], "w"))

    def test_of_many_that_are_kept_the_last_eight_slots_are_looked_at(self):
        tags = {4 * at: LIVE + at for at in range(1, 11)}
        run = mock.Mock()
        run.gdb.word.side_effect = tags.get
        run.approach.return_value = [Mark("x", 0), Mark("late", 6200)]
        run.history.return_value = iter([moment(9, after=2), moment(8, after=LIVE)])
        found = odd_calls.kept_deeds(run, Noticed("", 5000, tags, {}, (1,)),
                                     [Mark("a", 1), Mark("b", 2)])
        self.assertEqual(8, found["issued"].frame)
        self.assertEqual([(at, 4) for at in range(12, 44, 4)],
                         run.history.call_args[0][2])
        self.assertEqual([Mark("b", 2), Mark("late", 6200)],
                         [call.args[0] for call in run.load.mock_calls])
        run.gdb.word.side_effect = lambda _: 0
        self.assertEqual({}, odd_calls.kept_deeds(
            run, Noticed("", 5000, tags, {}, ()), [Mark("a", 1)]))
        run.history.assert_called_once()


class Stepped(Replay):
    """A run of a few instructions: counters and stack pointers."""

    def __init__(self, *steps):
        self.steps, self.at, self.gdb, self._stop = list(steps), 0, self, ()
        self._clock, self._clock_start, self.deeds = 4, 0, []

    def registers(self):
        counter, stack, back = self.steps[min(self.at, len(self.steps) - 1)]
        return (0,) * 13 + (stack, back, counter, 0)

    def step(self):
        self.deeds.append("step")
        self.at += 1

    def insert(self, kind, address, size):
        self.deeds.append(("insert", kind, address))

    def remove(self, kind, address, size):
        self.deeds.append(("remove", kind, address))

    def word(self, address):
        return 7

    def read(self, address, size):
        return bytes(address + at & 255 for at in range(size))


class Replayed(unittest.TestCase):
    def test_the_frame_is_counted_from_where_the_clock_began(self):
        run = Stepped((0, 0, 0))
        self.assertEqual(7, run.frame)
        run._clock_start = 8
        self.assertEqual(0, run.frame)  # The clock is behind: not started yet.
        run._clock_start = 2**32 - 3
        self.assertEqual(10, run.frame)

    def test_a_call_s_steps_end_where_it_returns_to_with_the_stack_that_it_had(self):
        run = Stepped((100, 64, 11), (102, 56, 11), (10, 56, 11), (104, 48, 11),
                      (10, 64, 11), (12, 64, 11))
        with mock.patch.object(run, "run_to", return_value=[run._moment()]):
            steps, = run.calls_of(100, 9)
        self.assertEqual([(100, 64), (102, 56), (10, 56), (104, 48)],
                         [(one.registers[15], one.registers[13]) for one in steps])
        self.assertEqual([(64, 4080), (56, 4088), (56, 4088), (48, 4096)],
                         [(one.stack[0], len(one.stack)) for one in steps])
        self.assertEqual([("remove", BREAKPOINT, 100), *["step"] * 4,
                          ("insert", BREAKPOINT, 100)], run.deeds)
        run = Stepped((100, 64, 11))
        with mock.patch.object(replay, "STEPS_MOST", 5):
            self.assertEqual(5, len(list(run._until_return(run._moment()))))

    def test_a_touched_word_is_stepped_over_without_its_watchpoints(self):
        run = Stepped((100, 64, 11))
        stops = iter([Stop(TRAP, 8), Stop(TRAP, 0)])
        run._next_stop = lambda last: next(stops)
        self.assertEqual([7], [one.frame for one in run.touches([8, 12], 9)])
        words = [("insert", ACCESSES, at) for at in (8, 12)]
        gone = [("remove", ACCESSES, at) for at in (8, 12)]
        self.assertEqual([*words, *gone, "step", *words, *gone], run.deeds)

    def test_a_store_is_stepped_over_without_each_watchpoint_that_it_stops_at(self):
        run, stops = Stepped((100, 64, 11)), iter([Stop(TRAP, 16), Stop(TRAP, 0)])
        run.step = lambda: run.deeds.append("step") or next(stops)
        self.assertEqual([], list(run._store(12)))
        self.assertEqual([("remove", WRITES, 12), "step",
                          ("remove", WRITES, 16), "step",
                          ("insert", WRITES, 12), ("insert", WRITES, 16)], run.deeds)

    def test_a_store_that_qemu_takes_for_one_to_all_before_it_is_no_touch(self):
        registers = [0x100, 0x200, 2, 0, 0, 2**32 - 0xFD, 0, 0x7000, *[0] * 6, 0x400]
        for size, stores in ((4, STORES), (2, HALVES)):
            for code, address in stores:
                for low, is_it in ((address - 4, False), (address - 3, True),
                                   (address, True), (address + size - 1, True),
                                   (address + size, False)):
                    self.assertEqual(not is_it, is_elsewhere(
                        registers, code, [2**30, low]), (hex(code), low))
        run, stops = Stepped((100, 64, 11)), iter([Stop(TRAP, 8), Stop(TRAP, 0)])
        run._next_stop = lambda last: next(stops)
        with mock.patch.object(replay, "is_elsewhere", return_value=True):
            self.assertEqual([None], list(run.touches([8, 12], 9)))

    def test_what_qemu_stops_at_rightly_is_a_touch(self):
        for code in (0x7041, 0x6841, 0x0001F8D0, 0x0001F800, 0xC006):
            self.assertFalse(is_elsewhere([0x101] * 17, code, [8]), hex(code))

    def test_a_change_of_a_word_is_told_with_what_it_was_and_is(self):
        self.assertEqual([(4, 1, 2), (12, 3, 0)], [
            (one.address, one.before, one.after) for one in replay._differences(
                moment(9), {4: 1, 8: 7, 12: 3}, {4: 2, 8: 7, 12: 0})])

    def test_text_ends_where_c_ends_it(self):
        run = Stepped()
        run.read = lambda address, size: (b"sc\xffre\0more" + bytes(80))[:size]
        self.assertEqual("sc\ufffdre", run.text(0))

    def test_text_is_as_telemetry_tells_it_however_long(self):
        for text, told in ((b"a\tb\x01", "a?b?"), (b"x" * 300, "x" * 300)):
            run, data = Stepped(), text + b"\0more" + bytes(80)
            run.read = lambda address, size: data[address:address + size]
            self.assertEqual(told, run.text(0))

    def test_words_of_ranges_are_known_by_their_addresses(self):
        run = Memory({8: 1, 12: 2, 40: 3})
        self.assertEqual({8: 1, 12: 2, 40: 3}, run.values([(8, 8), (40, 4)]))

    def test_a_path_is_looked_for_by_all_registers_and_then_by_some(self):
        run = Stepped()
        asked = []

        def path(_, same):
            asked.append(same)
            return [1, 2] if len(asked) > 1 else []
        run._path_to = path
        self.assertEqual([1, 2], run.path_to(moment(9)))
        self.assertEqual([slice(None), slice(13, 16)], asked)

    def test_what_is_known_is_of_a_frame_or_else_of_the_mark(self):
        run = Stepped()
        run.load, run._go_to_frame = mock.Mock(), mock.Mock()
        run.values = lambda ranges: {8: 1}
        self.assertEqual(Known(60, {8: 1}), run.known(Mark("a", 60), []))
        run._go_to_frame.assert_not_called()
        self.assertEqual(Known(90, {8: 1}), run.known(Mark("a", 60), [], 90))
        run._go_to_frame.assert_called_with(90)


class Lasting(unittest.TestCase):
    def search(self, what, symbols=None, layouts=None, pool="meshes_arena", **more):
        finding = Finding(what, 120, pool, 0, 0, 0)._replace(**more)
        one = LastingSearch(finding, {
            "symbols": symbols or {}, "fields": {"tp_pool": {}},
            "layouts": layouts or {}}, Path("x"))
        one._pool = lambda _: SimpleNamespace(
            tag=100, capacity=4, has_tags=True, tag_of=lambda slot: 100 + 4 * slot)
        return one

    def test_what_there_may_be_of_an_allocator_is_asked_for(self):
        self.assertEqual(["meshes_arena_state", "meshes_arena_bump", "meshes_entry",
                          "tp_soak_figure"], lasting_search.symbols("meshes_arena"))

    def test_the_frame_to_compare_with_is_the_first_to_look_at(self):
        for offset, early in ((0, 119), (90, 89)):
            one = self.search(SLOWER, offset=offset)
            self.assertEqual([False, True], [one.is_too_late(frame)
                                             for frame in (early, early + 1)])

    def test_who_locked_what_does_not_move_is_of_words_that_stay_locked(self):
        """Of four entries the first is never locked, the second unlocked later and the
        third moved."""
        run = Memory({68: 7, 76: 1 << 16, 84: 2 << 16 | 5, 92: 1 << 16 | 9})
        later = {76: 0, 84: 1 << 16 | 5}

        def load(mark):
            run.words.update(later if mark.frame else {})
        run.load, asked = load, []
        run.approach = lambda frame: asked.append(frame) or [Mark("b", 1319)]
        run.known = lambda mark, ranges, frame: asked.append(frame)
        run.history = lambda marks, known, ranges, stops: asked.append(ranges) or iter(
            [moment(90), moment(80)])
        one = self.search(CUT_UP, {"meshes_entry": 64}, {"meshes_entry": {"": [0, 32]}})
        one._look_at_holes(run, [Mark("a", 0)])
        self.assertEqual({"held": 90}, {name: deed.frame
                                        for name, deed in one.deeds.items()})
        self.assertEqual([120 + lasting_search.LEAKED_FRAMES, 120, [(92, 4)]], asked)
        later.update({84: 0, 92: 0})
        one.deeds.clear()
        one._look_at_holes(run, [Mark("a", 0)])
        self.assertEqual({}, one.deeds)

    def test_the_last_interrupt_is_no_fault_and_no_call_of_the_system(self):
        table = {VTOR: 0x100, **{0x100 + 4 * number: 0x201 for number in range(2, 7)},
                 0x100 + 4 * 11: 0x301, 0x100 + 4 * 15: 0x401, 0x100 + 4 * 16: 0x501,
                 0x100 + 4 * 17: 0x201}
        run, asked = Memory(table), []

        def run_to(addresses, until):
            asked.append((run.loaded[-1], addresses, until))
            return [] if until == 120 else [moment(20), moment(30)]
        run.run_to = run_to
        one = self.search(RATE)
        one._look_at_interrupts(run, [Mark("a", 0), Mark("b", 60)])
        self.assertEqual((30, "a"), (one.deeds["served"].frame,
                                     one.deeds["served"].mark.name))
        self.assertEqual([(60, [0x400, 0x500], 120), (0, [0x400, 0x500], 60)], asked)

    def test_a_figure_is_told_where_its_name_is_given(self):
        run, names = Memory(), {1: "score", 2: "meshes_arena"}
        run.text = names.get
        run.run_to = lambda addresses, until: [
            moment(frame, r0=name) for frame, name in ((10, 2), (20, 2), (30, 1))]
        one = self.search("", {"tp_soak_figure": 0x40})
        one._look_at_figure(run, [Mark("a", 0)])
        self.assertEqual(20, one.deeds["told"].frame)

    def test_the_lowest_word_of_the_stack_is_looked_at_from_behind_the_frame(self):
        run = Memory({VTOR: 0x100, 0x100: 0x2000})
        run.approach = lambda frame: [Mark("b", frame)]
        run.known, run.history = mock.Mock(return_value="known"), mock.Mock(
            return_value=iter([moment(9)]))
        one = self.search(DEEP, address=0x80)
        one._look_at_stack(run, [Mark("a", 60)])
        low = [(0x1F80, 4)]
        run.known.assert_called_with(Mark("b", 181), low, 181)
        run.history.assert_called_with([Mark("a", 60), Mark("b", 181)], "known", low,
                                       ())
        self.assertEqual(9, one.deeds["access"].frame)

    def test_who_was_issued_a_slot_that_outlived_is_told_with_its_last_touch(self):
        run = Memory()
        run.known = lambda mark, ranges, frame: (mark.name, ranges, frame)
        run.history = lambda *asked: iter([moment(9, after=2), moment(8, after=LIVE)]) \
            if asked[1] == ("b", [(112, 4)], 120) else iter(())
        for touch, deeds in ((moment(7), {"issued": 8, "touched": 7}),
                             (None, {"issued": 8})):
            one = self.search(OUTLIVED, slot=3)
            with mock.patch.object(lasting_search, "last_touch", return_value=touch):
                one._look_at_slot(run, [Mark("a", 0), Mark("b", 60)])
            self.assertEqual(60, run.loaded[-1])  # The run may be over since.
            self.assertEqual(deeds, {name: deed.frame
                                     for name, deed in one.deeds.items()})
        run.history = lambda *_: iter([moment(9, after=2)])
        one = self.search(OUTLIVED, slot=3)
        one._look_at_slot(run, [Mark("a", 0)])
        self.assertEqual({}, one.deeds)

    def test_more_of_what_has_no_slots_is_a_change_upwards(self):
        run = Memory()
        run.known = lambda *_: None
        run.history = lambda *_: iter([moment(9, before=5, after=5), moment(
            8, before=6, after=5), moment(7, before=5, after=6)])
        one = self.search("", {"meshes_arena_pool": 0, "meshes_arena_state": 64},
                          {"meshes_arena_state": {"top": [0, 4]}})
        one._look_at_peak(run, [Mark("a", 0)])
        self.assertEqual({"changed": 7}, {name: deed.frame
                                          for name, deed in one.deeds.items()})

    def test_time_is_held_against_the_frame_to_compare_with(self):
        run, places = Memory(), {2: ("f", GAME, 7), 4: ("f", GAME, 8),
                                 6: ("g", GAME, 9)}
        run.approach = lambda frame: [Mark("x", 0), Mark("y", frame)]
        for what, frames in ((SPIKE, 1), (SLOWER, SOME)):
            asked = []

            def path(mark, frame):
                asked.append((mark.name, frame))
                return [2] * 5 + [4] * 3 + [6] if mark.name == "b" else [2] * 4 + [6]
            run.path_of = path
            one = self.search(what, offset=90)
            with mock.patch.object(lasting_search, "own_places", lambda _, at: places):
                one._look_at_time(run, [Mark("a", 30), Mark("a", 60), Mark("b", 100)])
            self.assertEqual({"frame": 120, "than": 90, "frames": frames}, {
                name: one.spent[name] for name in ("frame", "than", "frames")})
            lines = one.spent["backtrace"]
            self.assertEqual([(8, 3 * frames), (7, frames)], [
                (line["line"], line["instructions"]) for line in lines])
            self.assertEqual(lines[0], one.spent["place"])
            self.assertEqual([(name, begin + 9 * at) for name, begin in (
                ("b", 120), ("y", 90)) for at in range(frames)], asked)
            self.assertEqual(60, run.loaded[-1])

    def test_where_no_line_took_more_nobody_is_told_of(self):
        run = Memory()
        run.approach = lambda frame: [Mark("x", 0), Mark("y", frame)]
        run.path_of = lambda mark, frame: [2] * (4 + (frame == 90))
        one = self.search(SPIKE, offset=90)
        with mock.patch.object(lasting_search, "own_places",
                               lambda *_: {2: ("f", GAME, 7)}):
            self.assertFalse(one.is_over_after(run))
        self.assertIsNone(one.spent)

    def test_all_of_the_function_that_took_most_comes_first(self):
        places = {1: ("f", "a.c", 1), 2: ("g", "a.c", 2), 3: ("g", "a.c", 3)}
        self.assertEqual(
            [("g", 3, 6), ("g", 2, 5), ("f", 1, 9)],
            [(one["function"], one["line"], one["instructions"]) for one in by_line(
                {1: 9, 2: 5, 3: 6, 4: 99}, places)])


class Sites(unittest.TestCase):
    """Whose the bytes are that `trace` tells of."""

    def setUp(self):
        self.use = SimpleNamespace(allocator=SimpleNamespace(name="sparks", stride=12),
                                   usage=SimpleNamespace(live=3))
        self.moment = SimpleNamespace(frame=60, uses=[self.use])

    def held(self, slots=(1, 2, 5), pool=True):
        pool = SimpleNamespace(live_slots=lambda: list(slots)) if pool else None
        entry = SimpleNamespace(it=SimpleNamespace(pool=lambda: pool))
        firmware = SimpleNamespace(index=lambda name: 7, entries={7: entry})
        with mock.patch.object(call_sites, "Firmware", return_value=firmware), \
                mock.patch.object(call_sites, "Holders") as holders:
            holders.return_value.caller = lambda name, slot: (
                name == "sparks" and {1: 0x101, 2: 0x101, 5: 0, 6: 0x205}[slot])
            return call_sites._held_in(SimpleNamespace(elf="", memory=""), self.moment)

    def test_each_place_holds_the_bytes_of_its_slots_and_nobody_those_of_none(self):
        self.assertEqual({"sparks": {0x101: 24}}, self.held())
        self.assertEqual({"sparks": {0x101: 24, 0x205: 12}}, self.held((1, 2, 6)))
        self.assertEqual({"sparks": {}}, self.held(pool=False))
        self.use.usage.live = 0  # Of size classes, say.
        self.assertEqual({"sparks": {}}, self.held())

    def test_a_run_that_went_another_way_or_cannot_be_read_is_a_sentence(self):
        with self.assertRaisesRegex(CannotRun, "did not come to frame 60 as it did"):
            self.held((1, 2))
        with mock.patch.object(call_sites, "Firmware", side_effect=Unreadable("x")), \
                self.assertRaisesRegex(CannotRun, "cannot be told: x; --no-sites"):
            call_sites._held_in(SimpleNamespace(elf="", memory=""), self.moment)

    def test_it_is_looked_where_that_frame_is_told_and_gone_on_from_before(self):
        run, asked = Memory({4: 59, 8: 60}), []
        run.approach = lambda frame: [Mark("a", 0), Mark("b", frame - 9)]
        run.run_to = lambda addresses, last: asked.append((addresses, last)) or iter(
            [moment(59, r0=4), moment(60, r0=8)])
        elf = SimpleNamespace(address_of=lambda _: 0x301, variables=lambda: [(4, 12)])
        with mock.patch.object(call_sites, "_held_in", return_value="held"), \
                mock.patch.object(call_sites, "Memory") as memory:
            self.assertEqual("held", call_sites._at(run, self.moment, elf))
            memory.assert_called_once_with(elf, {4: run.read(4, 8)})
            self.assertEqual(([([0x300], 60)], [51, 51]), (asked, run.loaded))
            del run.words[8]
            with self.assertRaisesRegex(CannotRun, "frame 60 as it did"):
                call_sites._at(run, self.moment, elf)

    def test_places_are_named_by_their_lines_and_those_without_by_their_address(self):
        held = {60: {"sparks": {0x101: 24, 0x205: 12}, "sounds": {}}}
        lines = {0x101: "explode() at /game/a b.c:7"}
        with mock.patch.object(call_sites, "caller_lines", return_value=lines) as asked:
            self.assertEqual(
                {60: {"sparks": {"0x00000101: explode (/game/a b.c:7)": 24,
                                 "0x00000205: ???": 12}, "sounds": {}}},
                call_sites._named(SimpleNamespace(folder=Path("x")), held))
        asked.assert_called_once_with(Path("x/console.elf"), [0x101, 0x205])

    def test_it_is_tried_again_where_qemu_ends_and_then_said(self):
        run = mock.Mock()
        for ends, found in ((1, "held"), (2, None)):
            tries = [Gone] * ends + ["held"]
            with mock.patch.object(call_sites, "_held", side_effect=tries), \
                    mock.patch.object(call_sites, "_say"), \
                    mock.patch.object(call_sites, "_named", lambda run, held: held):
                if found:
                    self.assertEqual(found, call_sites.call_sites(run, []))
                else:
                    with self.assertRaisesRegex(CannotRun, "ended each time"):
                        call_sites.call_sites(run, [])
        self.assertEqual(3, run.refuse_to_go_on.call_count)


class Noticing(unittest.TestCase):
    """Where a run is stopped that shall be explained."""
    AT = {why.FAULT: 0x100, why.AUDIT: 0x200, why.EXPECT: 0x300, why.BEGIN: 0x400,
          why.EXITS[0]: 0, why.EXITS[1]: 0x500, "b_pool": 0}
    A, B = Mark("a", 0), Mark("b", 60)

    def search(self, **finding):
        found = Finding("poison", 90, "b", 3, 8, 0)._replace(**finding)
        return why.Search(found, {"symbols": self.AT, "fields": {"tp_pool": {}}}, None)

    def run_of(self, *moments, words=()):
        run = Memory(words)
        run.frame_of = lambda clock: clock - 1000
        run.text = {1: "score", 2: "the ring is broken"}.get
        run.run_to = lambda addresses, last: self.asked.append(
            (sorted(addresses), last)) or iter(moments)
        self.asked = []
        return run

    def test_a_fault_of_its_frame_is_it_and_the_run_is_stopped_there_again(self):
        run, one = self.run_of(moment(90, 0x100), words={8: 7}), self.search()
        self.assertEqual((0x100,), one._notice(run, [self.A, self.B]))
        self.assertEqual((90, self.B), (one.noticed.frame, one.noticed.mark))
        self.assertEqual(({8}, Known(90, {8: 7}), [60], [([0x100, 0x200], 90)]),
                         (one.damaged, one._known, run.loaded, self.asked))

    def test_an_audit_is_it_by_its_frame_slot_and_text(self):
        said = {"r0": 1090, "r2": 3, "r3": 2}
        for change, slot, is_it in (
                ({}, 3, True), ({"r0": 1089}, 3, False), ({"r2": 0}, 3, False),
                ({"r3": 1}, 3, False), ({"r2": 65536}, 0, True),
                ({"r2": 65535}, 65535, True), ({"r2": 0x10003}, 3, False)):
            one = self.search(what="the ring is broken", slot=slot)
            run = self.run_of(moment(90, 0x200, **{**said, **change}))
            if is_it:
                self.assertEqual((0x200,), one._notice(run, [self.B]))
                continue
            with self.assertRaisesRegex(CannotRun, "did not come to frame 90 as it"):
                one._notice(run, [self.B])

    def test_an_expectation_is_it_where_it_failed_by_its_name(self):
        run = self.run_of(*(moment(at, 0x300, r0=name, r1=hoped) for at, name, hoped in
                            ((70, 2, 0), (80, 1, 1), (85, 1, 0))))
        one = self.search(what=why.EXPECTATION, pool="score", slot=0, address=0)
        one._notice(run, [self.B])
        self.assertEqual((85, [([0x300], 90)]), (one.noticed.frame, self.asked))

    def test_it_begins_again_where_it_says_for_the_second_time_who_it_is(self):
        for mark, begins, frame in ((self.A, (1, 2, 3), 2), (self.B, (70, 80), 70),
                                    (self.A, (1,), None)):
            run, one = self.run_of(*map(moment, begins)), self.search(what=why.RESTART)
            if frame is None:
                with self.assertRaisesRegex(CannotRun, "did not begin again"):
                    one._notice(run, [mark, Mark("late", 80)])
                continue
            self.assertEqual((), one._notice(run, [mark, Mark("late", 80)]))
            self.assertEqual((frame, mark, Known(frame, {})), (
                one.noticed.frame, one.noticed.mark, one._known))
            self.assertEqual(([0x400], [mark.frame]), (self.asked[0][0], run.loaded))

    def test_an_end_is_told_with_what_the_processor_knows_if_it_is_a_fault(self):
        for counter, mark, cpu in ((0x600, self.B, "cpu"), (0x500, self.B, None),
                                   (0x700, None, None)):
            run, one = self.run_of(), self.search(what=why.END)
            run.end = lambda mark, stops: self.asked.append((mark, stops)) or moment(
                95, counter)
            with mock.patch.object(why, "fault_handlers", lambda gdb: [0x600]), \
                    mock.patch.object(why, "cpu_fault", lambda gdb, stop: "cpu"):
                self.assertEqual((), one._notice(run, [self.B]))
            self.assertEqual((mark, cpu, Known(95, {}), [(self.B, [0x600, 0x500])]), (
                one.noticed.mark, one.cpu, one._known, self.asked))
        run.end = lambda *_: None
        with mock.patch.object(why, "fault_handlers", lambda gdb: []), \
                self.assertRaisesRegex(CannotRun, "QEMU ended before"):
            one._notice(run, [self.B])

    def test_what_changed_since_a_mark_is_looked_through_up_to_who_was_issued_it(self):
        one, run = self.search(), self.run_of()
        one.noticed, one._known, one._tag = moment(90), Known(90, {}), 12
        one.damaged, run.strayed = {8}, {8}
        run.approach = lambda frame: self.asked.append(frame) or [self.A, self.B]
        run.known = lambda mark, ranges: (mark, ranges)
        changes = [moment(80, address=8, after=1), moment(70, address=12, after=1),
                   moment(60, address=12, after=LIVE), moment(50, address=12)]
        run.history = lambda *words: self.asked.append(words) or iter(left)
        for count, over, strayed in ((4, True, False), (2, True, True)):
            left, one.deeds, one.strayed = changes[:count], {}, False
            one._known = Known(90, {})
            self.asked = []
            self.assertEqual((over, strayed), (one.is_over_after(run), one.strayed))
            self.assertEqual([90, ([self.A, self.B], Known(90, {}), [(8, 4), (12, 4)],
                                   ())], self.asked)
        self.assertEqual((self.A, [(8, 4), (12, 4)]), one._known)
        left, one.deeds, one._known, run.strayed = [], {}, Known(90, {}), set()
        self.assertFalse(one.is_over_after(run))  # It was done earlier.

    def explained(self, symbols=(), fields=True, is_over=(True,), deeds=None,
                  checks="fast"):
        """(what is explained, how many runs were traced, what was said)"""
        answer = {"symbols": {why.CLOCK: 4, "b_pool": 8, **dict(symbols)},
                  "fields": {"tp_pool": {"tag": (0, 4)} if fields else {}}}
        over, said = iter(is_over), []
        search = mock.Mock(finding=Finding("poison", 90, "b", 3, 8, 0), damaged=(),
                           cpu=None, strayed=False, spent=None, locked=[])
        search.is_too_late = lambda frame: frame == 80
        search.is_over_after = lambda replay: next(over)
        search.moments.return_value = deeds or {}
        search.traces = {name: [] for name in deeds or {}}
        frames = iter((80, 40, 0))
        with mock.patch.object(why, "ask_gdb", return_value=answer), \
                mock.patch.object(why.shutil, "copyfile"), \
                mock.patch.object(why, "starts", return_value=["c", "b", "a"]), \
                mock.patch.object(why, "Search", return_value=search), \
                mock.patch.object(why, "Replay") as replay:
            replay.return_value.__enter__ = lambda _: SimpleNamespace(
                frame=next(frames))
            page = {"options": {"checks": checks}, "arguments": ["x"]}
            found = why.explain(search.finding, page, Path("x"), Path("y"),
                                say=said.append)
        replay.assert_called_with(why.Options(checks=checks), ["x"], Path("y"),
                                  mock.ANY, 4, (), False)
        self.assertEqual(checks == "off", answer["is_off"])
        return found, search.trace.call_count, said

    def test_it_goes_back_from_checkpoint_to_checkpoint_as_far_as_that_takes(self):
        deeds = {"noticed": moment(90)}
        found, traced, said = self.explained(is_over=(False, True), deeds=deeds)
        self.assertEqual((90, None), (found["noticed"]["frame"], found["access"]))
        self.assertEqual((2, ["it was done earlier"]), (traced, said))
        _, traced, said = self.explained(deeds=deeds, checks="off")
        self.assertEqual((1, []), (traced, said))

    def test_what_cannot_be_told_is_a_sentence(self):
        for more, words in (({}, "does not tell who did it"),
                            ({"symbols": {why.CLOCK: 0}}, "has no symbols"),
                            ({"fields": False}, "compile it with -g")):
            with self.assertRaisesRegex(CannotRun, words):
                self.explained(**more)
        self.explained({"b_pool": 0}, False, deeds={"noticed": moment(9)})

    def test_who_took_the_lock_is_looked_for_on_the_path(self):
        for at, locked in ((0, []), (0x40, [0x40])):
            one = self.search(what=odd_calls.UNLOCK)
            self.assertTrue(one._wants_path())
            with mock.patch.object(why, "who_locked", lambda run, path: at), \
                    mock.patch.object(why, "places_at", lambda elf, at: [at]):
                one._note_path(None, [0x40], "")
            self.assertEqual((locked, None), (one.locked, one.cpu))
        self.assertFalse(self.search()._wants_path())

    def test_of_a_pool_its_slot_s_tag_is_looked_at_too_and_of_no_slot_the_odd(self):
        at = {**self.AT, "b_pool": 0x40}
        fields = {name: (4 * number, 4) for number, name in enumerate((
            "storage", "stride", "zone", "capacity", "tag", "age", "evict"))}
        words = dict(zip(range(0x40, 0x5C, 4), (0x1000, 24, 4, 3, 0x2000, 0, 0x701)))
        for slot, tag, odd in ((3, 0x200C, None), (0, 0, ("order", 90, {
                0x2004: 0, 0x2008: 0, 0x200C: 0}, {}, (0x100,), 0x700, ()))):
            one = why.Search(Finding("order", 90, "b", slot, 0, 0), {
                "symbols": at, "fields": {"tp_pool": fields}}, None)
            one.noticed = moment(90, 0x100)
            one._find_words(Memory(words))
            self.assertEqual((tag, odd, {}), (one._tag, one._odd, one._links))

    def test_at_off_what_would_be_a_tag_is_not_looked_at(self):
        at = {**self.AT, "b_pool": 0x40}
        fields = {name: (4 * number, 4) for number, name in enumerate((
            "storage", "stride", "zone", "capacity", "tag", "age", "evict", "tagged",
            "hardened"))}
        words = dict(zip(range(0x40, 0x5C, 4), (0x1000, 24, 4, 3, 0x2000, 0, 0x701)))
        for slot, tagged, tag in ((3, 0, 0), (3, 1, 0x200C), (4, 1, 0)):
            one = why.Search(Finding("order", 90, "b", slot, 0, 0), {
                "symbols": at, "fields": {"tp_pool": fields}, "is_off": True}, None)
            one.noticed = moment(90, 0x100)
            one._find_words(Memory({**words, 0x5C: tagged}))
            self.assertEqual((tag, [0x1000, 0x1018, 0x1030]),
                             (one._tag, list(one._links)))
            self.assertEqual({0x2004, 0x2008, 0x200C} if slot > 3 else set(),
                             set(one._odd.tags if one._odd else ()))

    def test_of_what_has_no_slots_how_much_is_used_is_looked_at(self):
        for name, used in (("b", ((0x80, 8),)), ("c", ())):
            one = why.Search(Finding("used more", 90, name, 0, 0, 0), {
                "symbols": {"b_bump": 0x80, "c_bump": 0}, "fields": {"tp_pool": {}},
                "layouts": {"b_bump": {"": [0, 8]}}}, None)
            one.noticed = moment(90, 0x100)
            one._find_words(Memory())
            self.assertEqual(Noticed("used more", 90, {}, {}, (0x100,), used=used)
                             if used else None, one._odd)

    def test_the_nearest_checkpoint_is_the_first_start_and_power_on_the_last(self):
        said = []

        def load(one, work):
            if one == "damaged":
                raise CannotRun("it is damaged")
        with mock.patch.object(why, "_frames_before", return_value={
                10: "far", 50: "near", 70: "damaged"}), \
                mock.patch.object(why.checkpoint, "load", side_effect=load) as loaded, \
                mock.patch.object(why.checkpoint, "power_on") as power_on:
            power_on.return_value.snapshot = "none"
            self.assertEqual([why.checkpoint.SNAPSHOT] * 2 + ["none"], list(
                why.starts("folder", "work", None, said.append)))
        self.assertEqual(["damaged", "near", "far"],
                         [call.args[0] for call in loaded.mock_calls])
        self.assertEqual(["it is damaged", "running from frame 50",
                          "running from frame 10", "running from power-on"], said)

    def test_a_backtrace_that_lacks_callers_is_made_whole_by_the_path(self):
        """Where there is a mark from which to come to it; each once."""
        one, run = self.search(), mock.Mock()
        one._work, one._functions = Path("x"), "functions"
        one.noticed = moment(90)
        one.deeds = {"access": moment(80)._replace(mark=self.A)}
        with mock.patch.object(why, "ask_gdb", return_value={
                "backtraces": [["noticed"], ["access"]]}) as asked, \
                mock.patch.object(why, "lacks_callers", return_value=True), \
                mock.patch.object(why, "with_callers", lambda *words: list(words)), \
                mock.patch.object(why, "handler_of", return_value=0x40), \
                mock.patch.object(why, "with_handler", lambda *words: list(words)):
            one.trace(run)
            self.assertEqual([90, 80], [
                each.frame for each in asked.call_args[1]["moments"]])
            asked.return_value = {"backtraces": []}
            one.trace(run)
            self.assertEqual([], list(asked.call_args[1]["moments"]))
        run.path_to.assert_called_once_with(one.deeds["access"])
        elf = Path("x/console.elf")
        self.assertEqual([["noticed"], 0x40, "functions", elf], one.traces["noticed"])
        self.assertEqual([[["access"], run.path_to.return_value, "functions", elf],
                          0x40, "functions", elf], one.traces["access"])

    def test_an_answer_has_all_that_was_found(self):
        at = {"function": "take", "file": GAME, "line": 7, "is_whole": True}
        one = self.search()
        one.noticed, one.damaged, one.locked = moment(90, 0, 8, 1, 2), {8, 12}, [at]
        one.traces = {"noticed": [dict(at, function="handler"), dict(
            at, function="interrupt", file=""), dict(at, function="step")]}
        for cpu, name in ({}, "handler"), ({"exception": "x"}, "step"):
            one.cpu, one.strayed = cpu, bool(cpu)
            found = why._answer(one)
            self.assertEqual((2, cpu, bool(cpu), None, "poison"), (
                found["words"], found["cpu"], found["strayed"], found["spent"],
                found["finding"]["what"]))
            self.assertEqual((90, 8, 1, 2, name), (*(found["noticed"][key] for key in (
                "frame", "address", "before", "after")),
                found["noticed"]["place"]["function"]))
            self.assertEqual((90, at, [at]), tuple(found["locked"][key] for key in (
                "frame", "place", "backtrace")))
        one.locked = []
        self.assertIsNone(why._answer(one)["locked"])

    def test_who_stores_to_a_tag_himself_frees_and_issues_nothing_but_did_it(self):
        own = {"function": "flip", "file": GAME, "line": 7}
        library = dict(own, file=LIBRARY)
        for deeds, said in (
                ({"freed": [own], "issued": [library]}, {"access": 8, "issued": 7}),
                ({"freed": [library], "issued": [own]}, {"freed": 8, "access": 7}),
                ({"freed": [library, own], "issued": []}, {"freed": 8, "issued": 7}),
                ({"freed": [own], "access": [own]}, {"freed": 8, "access": 6})):
            one = self.search()
            frames = {"freed": 8, "issued": 7, "access": 6}
            one.deeds = {name: moment(frames[name]) for name in deeds}
            one.traces = deeds
            found = why._answer(one)
            self.assertEqual(said, {name: found[name]["frame"]
                                    for name in frames if found[name]})


if __name__ == "__main__":
    unittest.main()
