# SPDX-License-Identifier: MIT
"""What a trace is made of, without a run: what records tell of one moment after the
other, and what the events that a firmware kept tell of what was live."""

import unittest
from types import SimpleNamespace

import paper
from harness import trace_events
from harness.errors import CannotRun
from harness.telemetry import Decoder
from harness.trace_events import Begun, Counted, Event, Measured, within
from harness.trace_ring import Ring
from decoder.history import ALLOC, FAULT, FREE, STEAL
from decoder.history import Event as Kept

POOLS = (("sparks", 90, 32, 1), ("bytes", 400, 4, 1, "pool", "bytes"),
         ("sizes", 400, 4, 1, "blocks", "bytes"), ("acts", 9, 8, 1, "scenes"))


def told(*records, frames=0, faults=()):
    """What happened in a run of these records."""
    return list(trace_events.happenings(
        Decoder().feed(b"".join(records)), {"frames": frames, "faults": list(faults)}))


def events(*records, **how):
    return [one for one in told(*records, **how) if isinstance(one, Event)]


class Records(unittest.TestCase):
    def test_bytes_count_once_and_slots_by_their_size(self):
        _, second = told(paper.hello(pools=POOLS), paper.sample(
            60, *(paper.usage(live) for live in (3, 50, 70, 2))))
        self.assertEqual([96, 50, 0, 0], [use.bytes for use in second.uses])
        self.assertEqual((60, 60, 146),
                         (second.frame, second.interrupts, second.bytes))

    def test_a_second_tells_what_came_since_the_one_before(self):
        found = told(paper.hello(pools=POOLS[:1]), *(paper.sample(
            frame, paper.usage(1, allocs=1 + steals + refused, steals=steals, frees=0,
                               refused=refused, spills=spills), irqs=irqs)
            for frame, steals, refused, spills, irqs in (
                (60, 2, 0, 0, 7), (120, 5, 4, 0, 9), (180, 5, 4, 6, 9))))
        self.assertEqual([7, 2, 0], [one.interrupts for one in found
                                     if isinstance(one, Counted)])
        self.assertEqual(
            [(60, "steals", "sparks", 2), (120, "steals", "sparks", 3),
             (120, "refused", "sparks", 4), (180, "spills", "sparks", 6)],
            [(one.frame, one.what, one.allocator, one.count) for one in found
             if isinstance(one, Event)])
        self.assertEqual((5, 3), tuple(getattr(found[3].uses[0], name)["steals"]
                                       for name in ("counts", "more")))

    def test_what_came_before_the_firmware_greeted_comes_behind_it(self):
        found = told(paper.text("early"), paper.hello(), paper.text("late"))
        self.assertEqual([Begun, Event, Event], [*map(type, found)])
        self.assertEqual(["early", "late"], [one.words for one in found[1:]])

    def test_no_moment_is_before_the_one_before_it(self):
        found = events(paper.hello(), paper.healthy_sample(120),
                       paper.scene(90, "late"), paper.audit("x", 600),
                       paper.planted("y", 130), frames=120)
        self.assertEqual(
            [(120, "scene"), (600, "audit"), (600, "planted")],
            [(one.frame, one.what) for one in found
             if one.what not in trace_events.TOLD])

    def test_a_fault_is_told_with_the_line_it_was_called_from(self):
        line = {"caller": "0x00001001", "caller_line": "explode() at a.c:7"}
        for faults, more in (((), ""), ((line,), ", called from explode() at a.c:7"),
                             ((dict(line, caller="0x00001003"),), ""),
                             ((dict(line, caller_line=None),), "")):
            fault, = events(paper.hello(), paper.fault(6), faults=faults)
            self.assertEqual(
                Event(1234, "fault", "particles", 17, 1, "poison fault at 0x21000220"
                      + more), fault)

    def test_figures_and_what_a_frame_takes_are_measured(self):
        found = told(paper.hello(), paper.figure(0, "score", "points"),
                     paper.figures(60, 7, 9), paper.frame_costs(120, 10, 20, 30))
        self.assertEqual([
            Measured(60, "score", "points", 7),
            Measured(120, "a frame: mean", "instructions", 20),
            Measured(120, "a frame: most", "instructions", 30)], found[1:])

    def test_telemetry_must_come_to_the_end_of_the_run(self):
        records = paper.hello(), paper.healthy_sample(60)
        self.assertEqual(2, len([one for one in told(*records, frames=60)
                                 if isinstance(one, (Begun, Counted))]))
        with self.assertRaisesRegex(CannotRun, "ends in frame 60, and the run ended in"
                                               " 61"):
            told(*records, frames=61)
        with self.assertRaisesRegex(CannotRun, "holds nothing that a soak wrote"):
            told(paper.text("hi"))

    def test_of_some_frames_the_first_and_the_last_are_two(self):
        def at(frame, what="x"):
            return Event(frame, what, "", 0, 1, what)
        begun, old, new = Begun(0, None), at(1, "scene"), at(2, "scene")
        whole = [begun, old, new, at(8), at(9), at(12), at(13), at(14)]
        self.assertEqual([begun, new._replace(frame=9), *whole[4:7]],
                         list(within(whole, 9, 13)))
        self.assertEqual([begun, old, new], list(within(whole, 1, 7)))
        self.assertEqual([begun, new._replace(frame=10)], list(within(whole, 10, 11)))

    def test_a_frame_is_a_sixtieth_of_a_second(self):
        self.assertEqual([0, 16666, 33333, 1000000], [
            trace_events.microseconds(frame) for frame in (0, 1, 2, 60)])


def pool(name, live, capacity=4, has_slots=True):
    it = SimpleNamespace(pool=lambda: SimpleNamespace(
        capacity=capacity, stride=8) if has_slots else None)
    return Row(name=name, title="pool", unit="slots", policy="drop", bank="ram", it=it,
               figures=SimpleNamespace(capacity=capacity, live=live, peak=capacity))


class Row(SimpleNamespace):
    __hash__ = object.__hash__
    __eq__ = object.__eq__


class Rings(unittest.TestCase):
    """Of a pool of which two slots are live at the end."""

    def setUp(self):
        self.pool = pool("orders", 2)

    def ring(self, *made, first=0, last=2**32, others=()):
        """made: (frame, kind, slot), each by who has the number of its frame."""
        kept = [Kept(frame, kind, None if kind == FAULT else self.pool, slot,
                     3 if kind == FAULT else 0x20, frame)
                for frame, kind, slot in made]
        firmware = SimpleNamespace(entries=[self.pool, *others], level=2,
                                   lines=SimpleNamespace(caller="line {}".format))
        return Ring("x.elf", SimpleNamespace(firmware=firmware, events=kept), first,
                    last, [])

    def live(self, *made, **how):
        return [(one.frame, one.uses[0].usage.live)
                for one in self.ring(*made, **how).happenings()
                if isinstance(one, Counted)]

    def test_what_was_live_is_counted_back_from_the_end(self):
        made = (5, ALLOC, 1), (5, ALLOC, 2), (6, FREE, 1), (7, STEAL, 2), \
            (7, ALLOC, 2), (9, ALLOC, 1)
        self.assertEqual([(5, 2), (6, 1), (7, 1), (9, 2)], self.live(*made))
        self.assertEqual([(6, 1), (7, 1)], self.live(*made, first=6, last=7))
        self.assertEqual([(5, 0), (6, 0)], self.live(
            (5, FREE, 1), (6, FREE, 1), (7, ALLOC, 2), (8, ALLOC, 1), (8, ALLOC, 3),
            last=6))

    def test_what_a_boot_before_did_alike_is_not_counted_back(self):
        boot = (5, ALLOC, 1), (6, ALLOC, 2)
        more = (7, ALLOC, 3)
        for before in ((more,), (*boot, more), (*boot, more, *boot)):
            self.assertEqual([(5, 1), (6, 2)], self.live(*before, *boot))

    def test_of_what_happened_twice_in_a_frame_both_are_told(self):
        made = (5, ALLOC, 1), (5, FREE, 1), (5, ALLOC, 1), (6, ALLOC, 2)
        self.assertEqual([(5, 1), (6, 2)], self.live(*made))

    def test_each_is_told_with_its_slot_and_who_did_it(self):
        begun, fault, behind, alloc, _ = self.ring(
            (5, FAULT, 0), (6, ALLOC, 3)).happenings()
        row, = begun.hello.allocators
        self.assertEqual((5, 2, "orders", 4, 32, 8), (
            begun.frame, begun.hello.checks, row.name, row.most, row.bytes, row.stride))
        self.assertEqual((4, 1, 4), behind.uses[0].usage[:3])
        self.assertEqual(Event(6, "alloc", "orders", 3, 1, "by line 6"), alloc)
        self.assertEqual(Event(5, "fault", "", 0, 1, "double-free fault, called from"
                                                     " line 5"), fault)
        self.assertEqual((5, 8), (behind.frame, behind.bytes))

    def test_what_has_no_slots_is_left_out_and_what_is_unknown_refused(self):
        ring = self.ring((5, ALLOC, 1), others=[pool("heap", 0, has_slots=False)])
        self.assertEqual(["orders"], [one.name for one in
                                      next(ring.happenings()).hello.allocators])
        self.pool.it = None
        with self.assertRaisesRegex(CannotRun, "what was live of orders is not in the"
                                               " dump"):
            next(self.ring((5, ALLOC, 1)).happenings())

    def test_whose_the_bytes_are_is_whose_was_issued_and_not_freed(self):
        ring = self.ring((5, ALLOC, 1), (5, ALLOC, 2), (6, FREE, 1), (6, FAULT, 0),
                         (7, ALLOC, 1), (8, FREE, 1))
        self.assertEqual({5: {"orders": {"line 5": 16}}, 6: {"orders": {"line 5": 8}},
                          7: {"orders": {"line 5": 8, "line 7": 8}},
                          8: {"orders": {"line 5": 8}}},
                         ring.places(None, [SimpleNamespace(frame=frame)
                                            for frame in (5, 6, 7, 8)]))

    def test_of_some_frames_whose_the_bytes_are_is_known_from_before_them_too(self):
        made = (5, ALLOC, 1), (6, ALLOC, 2), (8, FREE, 1), (9, ALLOC, 1)
        moments = [SimpleNamespace(frame=frame) for frame in (6, 8)]
        whole = self.ring(*made).places(None, moments)
        self.assertEqual({"line 5": 8, "line 6": 8}, whole[6]["orders"])
        for first in (6, 7):
            asked = [one for one in moments if one.frame >= first]
            self.assertEqual({one.frame: whole[one.frame] for one in asked},
                             self.ring(*made, first=first, last=8).places(None, asked))

    def test_the_frames_that_are_asked_for_end_with_the_last_of_them(self):
        made = (5, ALLOC, 1), (6, ALLOC, 2), (9, FREE, 1)
        self.assertEqual([9, 6], [self.ring(*made, last=last).end for last in (9, 8)])
        with self.assertRaisesRegex(CannotRun, "kept no event of these frames"):
            self.ring(*made, first=7, last=8).end

    def test_a_stop_ends_it_with_a_sentence(self):
        ring = self.ring((5, ALLOC, 1))._replace(stop=["Ctrl-C"])
        with self.assertRaisesRegex(CannotRun, "stopped by Ctrl-C"):
            list(ring.happenings())


if __name__ == "__main__":
    unittest.main()
