# SPDX-License-Identifier: MIT
"""Each sentence of what is wrong with an allocator, and its figures, of memory that is
whole but for one word."""

import unittest
from types import SimpleNamespace
from unittest import mock

from paper_memory import Paper
from decoder import Unreadable
from decoder.handle import handle_in_words
from decoder.kinds import (Blocks, Chunk, DoubleStack, Frame, Nest, PoolKind, Scenes,
                           Stack)
from decoder.moving import Arena, Dense, Relocating, guard_of
from decoder.pool import (AUDITED, BIRTH, CODED, FAST, FULL, LIFE, LIVE, OUTSIDE,
                          POISON, POISONS, RED, WORD, Figures, issues)
from decoder.report import place_in

IT, STATE, TAG, AGE, PLACE, ENTRY = 0x1000, 0x1100, 0x1200, 0x1300, 0x1400, 0x1500
STORAGE = 0x2000
OFF = 0


def told(it):
    return [finding.text for finding in it.wrong()]


class Pools(unittest.TestCase):
    """Of four slots of 8 bytes the first is live, and two are dead."""

    def pool(self, level=FAST, word=1 << 16 | 2, links=(2 << 16 | 3, 3 << 16),
             tags=(LIVE + 1, 1, 2, 0), fresh=3, age=(), at=None, zone=8, hardened=0,
             tagged=0, refuses=0, **state):
        paper = Paper()
        paper.struct(IT, "tp_pool", tag=TAG, state=STATE, storage=STORAGE,
                     age=AGE if age else 0, stride=16, size=8, capacity=4, zone=zone,
                     hardened=hardened, tagged=tagged, refuses=refuses)
        paper.struct(STATE, "tp_pool_state", fresh=fresh, **state)
        paper.numbers(TAG, word, *tags, *[0, *links, 0] * (hardened == OUTSIDE))
        paper.numbers(STORAGE - 8, RED, RED, *[POISON, POISON, RED, RED] * 4)
        if age:
            paper.structs(AGE, "tp_age_link", *[dict(older=older, newer=newer)
                                                for older, newer in age])
        memory = paper.memory()
        for slot, link in enumerate(links if hardened != OUTSIDE else (), 2):
            self.write(memory, STORAGE + 16 * (slot - 1), link)
        if at is not None:
            self.write(memory, STORAGE + at, 7)
        return PoolKind(memory, IT, level)

    def write(self, memory, address, word):
        begin = STORAGE - 8
        data = bytearray(memory.pieces[begin])
        data[address - begin:address - begin + 4] = word.to_bytes(4, "little")
        memory.pieces[begin] = bytes(data)

    def test_of_a_pool_that_is_whole_nothing_is_told(self):
        ring = ((1, 1), (0, 0), (0, 0), (0, 0), (0, 0))
        for level in (FAST, POISONS, FULL):
            self.assertEqual([], told(self.pool(level, age=ring)), level)

    def test_what_one_that_drops_refused_is_told_where_it_counts_all_of_them(self):
        for refuses, tagged, level, refused in (
                (1, 0, OFF, 0), (1, 1, OFF, 9), (0, 0, OFF, 9), (1, 0, FAST, 9)):
            it = self.pool(level, word=0, refuses=refuses, tagged=tagged, overflows=9)
            self.assertEqual(refused, it.figures().refused)

    def test_a_free_list_that_does_not_lead_once_round_the_dead_is_told(self):
        for changed, said in (
                (dict(links=(2 << 16 | 3, 3 << 16 | 2)),
                 "the free list goes round for ever"),
                (dict(tags=(LIVE + 1, LIVE + 1, 2, 0)),
                 "slot 2 is live and on the free list"),
                (dict(links=(2 << 16 | 4, 3 << 16)),
                 "the link of slot 2 leads to slot 4 of 3"),
                (dict(word=1 << 16 | 4), "the free list begins at slot 4 of 3"),
                (dict(links=(2 << 16, 3 << 16)),
                 "slot 3 is neither live nor on the free list")):
            self.assertEqual([said], told(self.pool(**changed)))

    def test_counts_that_do_not_agree_with_the_tags_are_told(self):
        for changed, said in (
                (dict(tags=(LIVE + 1, 1, 2, LIVE + 1)),
                 "slot 4 is live, but was never issued"),
                (dict(word=2 << 16 | 2, links=(3 << 16 | 3, 4 << 16)),
                 "1 slots are live, 2 are counted"),
                (dict(fresh=5), "5 slots were issued of 4")):
            self.assertEqual(said, told(self.pool(**changed))[0])

    def test_an_age_ring_that_does_not_lead_round_the_live_is_told(self):
        for ring, said in (
                (((1, 5), (0, 0)), "the age ring is broken behind slot 0"),
                (((1, 1), (3, 0)), "the age ring is broken behind slot 0"),
                (((1, 1), (0, 1)), "the age ring is broken behind slot 1"),
                (((2, 1), (0, 2), (1, 0)), "slot 2 is in the age ring, but not live"),
                (((0, 0), (0, 0)), "slot 1 is live, but not in the age ring")):
            ring += ((0, 0),) * (5 - len(ring))
            self.assertEqual([said], told(self.pool(age=ring)))

    def test_what_is_pinned_is_a_ring_of_its_own(self):
        self.assertEqual([], told(self.pool(age=((0, 0), (1, 1), *[(0, 0)] * 3))))

    def test_generations_that_do_not_add_up_are_told_where_they_are_summed(self):
        said = ["a generation was written over, or their sum: 4, and 5 was kept"]
        for level, tagged, kept, wanted in (
                (POISONS, 1, 4, []), (POISONS, 1, 5, said), (FULL, 1, 5, said),
                (FAST, 1, 5, []), (POISONS, 0, 5, []), (FULL, 0, 5, []),
                (AUDITED, 0, 5, said), (AUDITED, 0, 4, [])):
            pool = self.pool(level, generations=kept, tagged=tagged)
            self.assertEqual(wanted, told(pool))
        self.assertEqual([], told(self.pool(POISONS, tags=(LIVE + 0xFFFB, 1, 2, 0),
                                            tagged=1, generations=0xFFFE)))

    def test_a_write_to_a_red_zone_or_a_dead_slot_is_told_where_it_is_looked_for(self):
        for at, level, said in (
                (-4, FULL, "the red zone before slot 1 was written to at byte -4"),
                (8, FULL, "the red zone behind slot 1 was written to at byte 8"),
                (28, FULL, "the red zone behind slot 2 was written to at byte 12"),
                (20, POISONS, "slot 2, which is dead, was written to at byte 4")):
            self.assertEqual([f"{said}: 0x00000007"], told(self.pool(level, at=at)))
            self.assertEqual([], told(self.pool(level - 1, at=at)))

    def test_a_finding_is_of_a_slot_and_at_an_address_or_of_none_by_itself(self):
        second, third = STORAGE + 16, STORAGE + 32
        for changed, slot, address in (
                (dict(links=(2 << 16 | 3, 3 << 16 | 2)), 2, second),
                (dict(tags=(LIVE + 1, LIVE + 1, 2, 0)), 2, second),
                (dict(links=(2 << 16 | 4, 3 << 16)), 2, second),
                (dict(links=(3 << 16 | 3, 3 << 16)), 2, second),
                (dict(word=1 << 16 | 4), 0, TAG),
                (dict(links=(2 << 16, 3 << 16)), 3, third),
                (dict(tags=(LIVE + 1, 1, 2, LIVE + 1)), 4, TAG + 16),
                (dict(word=2 << 16 | 2, links=(3 << 16 | 3, 4 << 16)), 0, TAG),
                (dict(fresh=5), 0, STATE),
                (dict(age=((1, 5), (0, 0))), 0, AGE),
                (dict(age=((1, 1), (0, 1), *[(0, 0)] * 3)), 1, AGE + 4),
                (dict(age=((2, 1), (0, 2), (1, 0), *[(0, 0)] * 2)), 2, AGE + 8),
                (dict(age=((0, 0), (0, 0))), 1, AGE + 4),
                (dict(level=FULL, at=-4), 1, STORAGE - 4),
                (dict(level=FULL, at=28), 2, STORAGE + 28),
                (dict(level=POISONS, at=20), 2, STORAGE + 20)):
            ring = changed.get("age")
            changed.update(age=(*ring, *[(0, 0)] * (5 - len(ring))) if ring else ())
            self.assertEqual((slot, address), self.pool(**changed).wrong()[0][1:])

    def test_a_link_that_leads_beyond_the_pool_or_counts_otherwise_was_written_over(
            self):
        for link in (2 << 16 | 5, 0xFFFF, 1 << 16 | 3):
            self.assertEqual(
                f"the link of slot 2 was written over: {link:#010x} stands there, not"
                " 0x0002 and a slot", told(self.pool(links=(link, 3 << 16)))[0])

    def test_its_last_slot_may_be_live_and_in_the_ring(self):
        ring = ((4, 1), (0, 2), (1, 3), (2, 4), (3, 0))
        self.assertEqual([], told(self.pool(word=4 << 16, tags=[LIVE + 1] * 4, fresh=4,
                                            links=(), age=ring)))

    def test_counts_that_no_pool_of_its_size_has_are_impossible(self):
        for changed, impossible in (
                ({}, False), (dict(fresh=5), True), (dict(word=4 << 16 | 2), True),
                (dict(word=1 << 16 | 4), True), (dict(word=3 << 16 | 3), False),
                (dict(level=OFF, word=STORAGE + 16, links=(STORAGE + 32, 0)), False)):
            self.assertEqual(impossible, self.pool(**changed).is_impossible())

    def test_without_checks_its_links_are_addresses_and_nobody_counts_lives(self):
        how = dict(level=OFF, links=(STORAGE + 32, 0))
        pool = self.pool(word=STORAGE + 16, overflows=3, **how)
        self.assertEqual(Figures(4, 1, 3, 3), pool.figures())
        self.assertEqual([(1, STORAGE, True, None), (2, STORAGE + 16, False, None),
                          (3, STORAGE + 32, False, None)],
                         [tuple(slot)[:4] for slot in pool.slots()])
        self.assertEqual([], told(pool))
        for word, slot in ((STORAGE + 20, -1), (STORAGE + 48, 4)):
            self.assertEqual([f"the free list begins at slot {slot} of 3"],
                             told(self.pool(word=word, **how)))

    def test_at_off_a_list_that_leads_to_just_before_a_pool_does_not_end_there(self):
        """As where the last object of the pool before it was given to this one."""
        before = STORAGE - 16
        for how, said in (
                (dict(word=before), "the free list begins at slot -1 of 3"),
                (dict(word=STORAGE + 16, links=(before, 0)),
                 "the link of slot 2 leads to slot -1 of 3")):
            self.assertEqual([said], told(self.pool(level=OFF, **how)))

    def test_a_hardened_pool_has_its_links_behind_its_tags_and_poison_from_the_first(
            self):
        self.assertEqual([], told(self.pool(FULL, hardened=OUTSIDE)))
        self.assertEqual((2, TAG + 24), self.pool(
            hardened=OUTSIDE, links=(7 << 16, 0)).wrong()[0][1:])
        dead = "slot 2, which is dead, was written to at byte 0: 0x00000007"
        self.assertEqual([dead], told(self.pool(POISONS, at=16, hardened=OUTSIDE)))

    def of_links_within(self, at=STORAGE):
        """Of a live and a dead slot of 24 bytes, whose links are at byte 8 of them."""
        paper = Paper()
        paper.struct(IT, "tp_pool", tag=TAG, state=STATE, storage=STORAGE + 16,
                     stride=32, size=16, capacity=2, zone=8)
        paper.struct(STATE, "tp_pool_state", fresh=2)
        paper.numbers(TAG, 1 << 16 | 2, LIVE + 1, 1)
        words = [RED, RED, *[7] * 6, RED, RED, 7, 7, 2 << 16, *[POISON] * 3, RED, RED]
        words[(at - STORAGE) // 4] ^= 1 if at > STORAGE else 0
        paper.numbers(STORAGE, *words)
        return PoolKind(paper.memory(), IT, FULL)

    def test_what_stands_before_a_link_is_of_its_object_and_no_red_zone(self):
        pool = self.of_links_within()
        self.assertEqual(([], (STORAGE, 72)), (told(pool), pool.memory_range()))
        self.assertEqual([STORAGE + 8, STORAGE + 40],
                         [slot.address for slot in pool.slots()])
        for at, said in ((4, "the red zone before slot 1 was written to at byte -4"),
                         (8, ""), (32, "the red zone behind slot 1 was written to at"
                                   " byte 24"), (40, ""),
                         (56, "slot 2, which is dead, was written to at byte 16")):
            found = "".join(told(self.of_links_within(STORAGE + at)))
            self.assertEqual(said, found.rpartition(":")[0])
        entry = SimpleNamespace(name="a", it=pool)
        with mock.patch("decoder.report.state_of", lambda *_: "it"):
            for at, said in ((7, "the red zone before slot 1"),
                             (8, "slot 1, byte 0: it"), (31, "slot 1, byte 23: it"),
                             (32, "the red zone behind slot 1"),
                             (40, "slot 2, byte 0: it")):
                self.assertEqual(f"pool a, {said}", place_in(None, entry, STORAGE + at))

    def of_two_cores(self, *magazines, links):
        """Its two dead slots are kept by cores, as these words say."""
        paper = Paper()
        paper.struct(IT, "tp_pool", tag=TAG, state=STATE, storage=STORAGE, stride=16,
                     size=8, capacity=4, magazine=1)
        paper.struct(STATE, "tp_pool_state", fresh=3)
        paper.numbers(TAG, 3 << 16, LIVE + 1, 1, 2, 0, *magazines)
        for slot, link in enumerate(links, 2):
            paper.numbers(STORAGE + 16 * (slot - 1), link)
        return PoolKind(paper.memory(), IT, FAST)

    def test_what_two_cores_keep_is_neither_live_nor_lost(self):
        one, two = 0xFFFF << 16, 0xFFFE << 16
        for magazines, links in (((two | 2, 0), (two | 3, one)),
                                 ((0, two | 3), (one, two | 2)),
                                 ((one | 2, one | 3), (one, one))):
            pool = self.of_two_cores(*magazines, links=links)
            self.assertEqual(([], 1, [True, False, False]), (
                told(pool), pool.figures().live, [slot[2] for slot in pool.slots()]))
        for magazines, links, said in (
                ((two | 2, 0), (two, 0), "core 0 keeps 1 slots, 2 are counted"),
                ((one | 2, two | 3), (one, two), "core 1 keeps 1 slots, 2 are counted"),
                ((two | 2, 0), (two | 4, one),
                 "the link of slot 2 leads to slot 4 of 3"),
                ((one | 2, one | 2), (one, one),
                 "the free list goes round for ever")):
            pool = self.of_two_cores(*magazines, links=links)
            self.assertEqual(said, pool.wrong()[0].text)

    def test_a_tag_of_a_code_tells_how_often_its_slot_was_issued_or_is_none(self):
        most = 0x8000 * LIFE & WORD
        for tag, times in ((0, 0), (BIRTH, 1), (LIFE, 1), (BIRTH + LIFE, 2),
                           (7 * LIFE, 7), (most, 0x8000), (BIRTH + most - LIFE, 0x8000),
                           (BIRTH + most, None), (most + LIFE, None), (1, None),
                           (LIVE + 1, None)):
            self.assertEqual(times, issues(tag & WORD), hex(tag))
        tags = [BIRTH + LIFE, LIFE, 2 * LIFE, 0]
        pool = self.pool(hardened=CODED, tags=tags, overflows=5, steals=2, spills=1)
        self.assertEqual([], told(pool))
        self.assertEqual([2, 1, 2], [slot[3] for slot in pool.slots()])
        self.assertEqual(3, pool.figures().refused)
        tags[2] = 7
        self.assertEqual([("the tag of slot 3 was written over: 0x00000007", 3,
                           TAG + 12)],
                         [tuple(one) for one in self.pool(
                             hardened=CODED, tags=tags).wrong()])

    def test_what_was_neither_stolen_nor_spilled_was_refused(self):
        pool = self.pool(overflows=9, steals=2, spills=3, reached=4)
        self.assertEqual(Figures(4, 1, 4, 4), pool.figures())

    def test_its_first_red_zone_is_of_its_memory(self):
        self.assertEqual((STORAGE - 8, 8 + 64), self.pool().memory_range())

    def test_of_a_chunk_whose_memory_is_nobody_s_nothing_is_read(self):
        for phase in (0, 1, 2):
            paper = Paper()
            paper.struct(IT, "tp_chunk", pool=0x1800, state=STATE)
            paper.struct(STATE, "tp_chunk_state", phase=phase)
            paper.struct(0x1800, "tp_pool", tag=TAG, state=AGE, stride=8, size=8,
                         storage=STORAGE, capacity=2)
            paper.struct(AGE, "tp_pool_state", fresh=1, reached=2, overflows=7)
            paper.numbers(TAG, 1 << 16, LIVE + 1, 0)
            chunk = Chunk(paper.memory(), IT, FAST)
            seen = (chunk.figures(), chunk.memory_range(), chunk.is_impossible())
            wanted = (Figures(0, 0, 2, 7), (0, 0), False) if phase else \
                (Figures(2, 1, 2, 7), (STORAGE, 16), False)
            self.assertEqual(wanted, seen)
            self.assertEqual([], told(chunk))
            paper.struct(AGE, "tp_pool_state", fresh=3)
            self.assertEqual(not phase, Chunk(paper.memory(), IT, FAST).is_impossible())


class Regions(unittest.TestCase):
    """Of 64 bytes, all of them poison."""

    def paper(self, bumps, state, bytes_of_all=64):
        paper = Paper()
        fields = {"bump": bumps[0] if state == "tp_stack_state" else bumps}
        if state != "tp_frame_state":
            paper.struct(STATE, state, **fields)
        paper.fill(STORAGE, STORAGE + bytes_of_all, POISON)
        return paper

    def region(self):
        return dict(storage=STORAGE, bytes=64)

    def stack(self, bump, level=POISONS):
        paper = self.paper([bump], "tp_stack_state")
        paper.struct(IT, "tp_stack", region=self.region(), state=STATE)
        return Stack(paper.memory(), IT, level)

    def ends(self, low, high, written=None):
        paper = self.paper([low, high], "tp_dstack_state")
        paper.struct(IT, "tp_dstack", region=self.region(), state=STATE)
        if written is not None:
            paper.fill(STORAGE, STORAGE + written, POISON)
            paper.numbers(STORAGE + written, 7)
            paper.fill(STORAGE + written + 4, STORAGE + 64, POISON)
        return DoubleStack(paper.memory(), IT, POISONS)

    def test_more_than_there_is_or_was_at_its_highest_is_told(self):
        for used, peak in ((40, 32), (8, 72)):
            self.assertEqual([f"{used} bytes are used, {peak} at most, of 64"],
                             told(self.stack(dict(used=used, peak=peak))))
        self.assertEqual(["72 bytes of 64 are used"], told(self.ends(
            dict(used=40, peak=40), dict(used=32, peak=32))))

    def test_the_lowest_bit_of_a_peak_is_none_of_its_bytes(self):
        stack = self.stack(dict(used=8, peak=33, refused=2))
        self.assertEqual(Figures(64, 8, 32, 2), stack.figures())
        self.assertEqual([], told(self.stack(dict(used=64, peak=65))))

    def test_what_is_used_is_whole_words(self):
        for used in (9, 10):
            self.assertEqual([f"{used} bytes are used, 16 at most, of 64"],
                             told(self.stack(dict(used=used, peak=16))))

    def test_for_audits_bit_0_of_a_peak_is_whether_what_is_used_has_odd_bits(self):
        for used, peak, is_told in ((0, 16, False), (0, 17, True), (8, 17, False),
                                    (8, 16, True), (12, 16, False), (12, 17, True)):
            bump = dict(used=used, peak=peak)
            said = [f"{used} bytes are used, which bit 0 of the peak is not of"]
            self.assertEqual(said * is_told, told(self.stack(bump, AUDITED)))
            self.assertEqual([], told(self.stack(bump, FULL)))

    def test_what_an_end_gave_back_is_looked_at_and_what_nobody_had_is_not(self):
        low, high = dict(used=8, peak=24), dict(used=8, peak=16)
        for at, is_told in ((8, True), (20, True), (24, False), (44, False),
                            (48, True), (52, True), (56, False), (4, False)):
            self.assertEqual([f"byte {at}, which was given back, was written to:"
                              " 0x00000007"] * is_told, told(self.ends(low, high, at)))

    def test_a_finding_is_at_the_byte_or_at_what_counts_the_bytes(self):
        low, high = dict(used=8, peak=24), dict(used=8, peak=16)
        self.assertEqual((0, STORAGE + 20), self.ends(low, high, 20).wrong()[0][1:])
        self.assertEqual((0, STATE), self.stack(dict(used=40, peak=32)).wrong()[0][1:])

    def test_a_nest_is_a_stack_of_two_ends_in_the_memory_of_another(self):
        paper = self.paper([dict(used=8, peak=24), dict(used=8, peak=16)],
                           "tp_dstack_state")
        paper.struct(IT, "tp_nest", dstack=dict(region=self.region(), state=STATE))
        nest = Nest(paper.memory(), IT, POISONS)
        self.assertEqual(((0, 0), [], 64, 16), (
            nest.memory_range(), told(nest), *nest.figures()[:2]))

    def test_what_the_other_end_has_now_was_not_given_back(self):
        low, high = dict(used=24, peak=48), dict(used=24, peak=56)
        for at, is_told in ((20, False), (24, True), (36, True), (40, False)):
            said = told(self.ends(low, high, at))
            self.assertEqual(is_told, bool(said), at)

    def frame(self, current, written=None):
        bumps = [dict(used=8, peak=16, refused=1), dict(used=24, peak=32, refused=2)]
        paper = self.paper(bumps, "tp_frame_state", 128)
        paper.struct(IT, "tp_frame", region=self.region(), state=STATE, bump=PLACE,
                     buffers=2)
        paper.struct(STATE, "tp_frame_state", current=current)
        paper.structs(PLACE, "tp_bump", *bumps)
        if written is not None:
            paper.numbers(STORAGE + written, 7)
            paper.fill(STORAGE, STORAGE + written, POISON)
            paper.fill(STORAGE + written + 4, STORAGE + 128, POISON)
        return Frame(paper.memory(), IT, POISONS)

    def test_each_buffer_of_a_frame_is_looked_at(self):
        self.assertEqual([], told(self.frame(1)))
        self.assertEqual(["no buffer is number 2"], told(self.frame(2)))
        for at, is_told in ((8, True), (16, False), (84, False), (88, True),
                            (96, False)):
            self.assertEqual(is_told, bool(told(self.frame(1, at))), at)

    def test_of_a_frame_that_is_live_which_is_being_filled(self):
        for current, live in ((0, 8), (1, 24), (2, 0)):
            self.assertEqual(Figures(64, live, 32, 3), self.frame(current).figures())
        self.assertEqual((STORAGE, 128), self.frame(0).memory_range())


class OfClasses(unittest.TestCase):
    """Of 8 and of 16 bytes, two slots each, of which the first is live."""

    def blocks(self, wasted=(3, 4), total=7, bigger=0, level=FAST, asked=(5, 0)):
        paper = Paper()
        paper.struct(IT, "tp_blocks", classes=PLACE, waste=0x1480, count=2,
                     bigger=bigger)
        paper.structs(PLACE, "tp_blocks_class", *[
            dict(pool=0x3000 + 0x100 * at, asked=0x4000 + 16 * at,
                 waste=0x1440 + 16 * at) for at in (0, 1)])
        paper.struct(0x1480, "tp_blocks_waste", now=total)
        for at, size, known in ((0, 8, asked), (1, 16, (12, 0))):
            pool = 0x3000 + 0x100 * at
            paper.struct(pool, "tp_pool", tag=pool + 0x60, state=pool + 0x80, size=size,
                         stride=size, capacity=2, storage=STORAGE + 64 * at)
            paper.struct(pool + 0x80, "tp_pool_state", fresh=1, overflows=at + 2)
            paper.numbers(pool + 0x60, 1 << 16, LIVE + 1, 0)
            paper.struct(0x1440 + 16 * at, "tp_blocks_waste", now=wasted[at])
            paper.numbers(0x4000 + 16 * at, 0, *known, size=2)
        return Blocks(paper.memory(), IT, level)

    def test_what_is_counted_as_wasted_is_compared_with_what_was_asked(self):
        self.assertEqual([], told(self.blocks()))
        self.assertEqual(["2 bytes of blocks of 8 are counted as wasted, it is 3"],
                         told(self.blocks((2, 4), 6)))
        self.assertEqual(["8 bytes are counted as wasted, of the classes 7"],
                         told(self.blocks(total=8)))

    def test_of_what_is_dead_nothing_was_asked_for(self):
        for asked, said in (((5, 1), "2 of 8, which is dead, 1"),
                            ((0, 0), "1 of 8, which is live, 0")):
            self.assertEqual([f"of block {said} bytes were asked for"],
                             told(self.blocks(asked=asked)))

    def test_without_checks_nobody_counts_what_is_wasted(self):
        self.assertEqual([], told(self.blocks((0, 0), 0, level=OFF)))

    def test_only_the_largest_refuses_where_the_others_hand_on(self):
        for bigger, refused in ((0, 5), (1, 3)):
            self.assertEqual(Figures(48, 24, 24, refused),
                             self.blocks(bigger=bigger).figures())


class OfScenes(unittest.TestCase):
    KINDS = {f"tp_scene_{name}": 0x100 * at for at, name in
             enumerate(("pool", "dense", "frame", "stack"), 1)}

    def scenes(self, entered, peak=200, word=None, level=FAST):
        paper = Paper(self.KINDS)
        paper.struct(IT, "tp_scenes", parts=PLACE, state=STATE, bytes=256, part_count=4,
                     scene_count=2, align=16)
        paper.struct(STATE, "tp_scene_state", entered=entered, peak=peak, refused=3)
        parts = []
        for at, (kind, amounts) in enumerate(zip(self.KINDS.values(), (
                (2, 0), (3, 0), (20, 8), (8, 0)))):
            paper.numbers(0x1600 + 8 * at, *amounts)
            parts.append(dict(kind=kind, allocator=0x3000 + 0x100 * at,
                              amounts=0x1600 + 8 * at))
        if word is not None:
            paper.struct(0x2200, "tp_seal", descriptor=0x2240, word=0x2280, count=3)
            paper.numbers(0x2240, 1, 7, 0x80000000)
            paper.numbers(0x2280, word)
            paper.fill(0x22c0, 0x22c4, 0x61)
            parts[1].update(seal=0x2200, name=0x22c0)
        paper.structs(PLACE, "tp_scene_part", *parts)
        paper.struct(0x3000, "tp_pool", zone=8, stride=24)
        paper.struct(0x3100, "tp_dense", stride=12)
        paper.struct(0x3200, "tp_frame", buffers=2)
        return Scenes(paper.memory(), IT, level)

    def test_what_a_scene_takes_is_what_its_parts_do_each_aligned(self):
        for entered, live in ((0, 0), (1, 64 + 48 + 48 + 16), (2, 16)):
            scenes = self.scenes(entered)
            self.assertEqual(Figures(256, live, 200, 3), scenes.figures())
            self.assertEqual([], told(scenes))

    def test_a_scene_that_is_not_there_or_is_too_large_is_told(self):
        for scenes in (self.scenes(3), self.scenes(1, 257)):
            self.assertEqual(1, len(told(scenes)))
            self.assertEqual(0, scenes.figures().live)

    def test_a_descriptor_that_is_not_as_scenes_left_it_is_told(self):
        sealed = 0x5ea1ed00 ^ 1 ^ 7 ^ 0x80000000
        for word in (sealed, 0, 1):  # 0: at boot; 1: scenes write it.
            self.assertEqual([], told(self.scenes(1, word=word)))
        for word in (sealed ^ 4, sealed ^ 0x80000000, 2, 3):
            self.assertEqual([], told(self.scenes(1, word=word, level=OFF)))
            finding, = told(self.scenes(1, word=word))
            self.assertIn("the descriptor of a was written over", finding)


class Moving(unittest.TestCase):
    """Three objects ever, of which two are live, where their entries say."""

    def dense(self, places=(0, 1, 0, 2), entries=(2, 1, 3), level=POISONS, written=0,
              zero=0, left=0, salt=0, wraps=(), **state):
        paper = Paper()
        paper.numbers(0x2800, 0, 0x2880)
        paper.numbers(0x2880, *wraps, size=2)
        paper.struct(IT, "tp_dense", salt=salt, place=PLACE, entry=ENTRY, state=STATE,
                     stride=8, storage=STORAGE, size=8, capacity=4, bits=3)
        paper.struct(STATE, "tp_dense_state", **{
            "count": 2, "fresh": 3, "seen": 0, "old": 0, "frees": 3 * 0x15, **state})
        paper.numbers(PLACE, zero, *(0xA8 | place for place in places[1:]), left)
        paper.numbers(ENTRY, *entries, 0, size=2)
        paper.numbers(STORAGE, 1, 2, 3, 4, POISON, written or POISON)
        return Dense(paper.memory(), IT, level)

    def test_an_index_and_its_entry_lead_to_each_other(self):
        self.assertEqual([], told(self.dense()))
        self.assertEqual(["index 0 leads to entry 4 of 3"],
                         told(self.dense(entries=(4, 1, 3))))
        self.assertEqual(["index 0 leads to entry 2, which leads to index 1"],
                         told(self.dense(places=(0, 1, 1, 2))))

    def test_counts_that_no_dense_pool_has_are_told(self):
        for state, said in ((dict(count=4), "more is live than there is room for"),
                            (dict(fresh=5), "more is live than there is room for"),
                            (dict(seen=2, old=1), "a walk goes on behind the objects"),
                            (dict(old=3), "a walk goes on behind the objects")):
            self.assertEqual([said], told(self.dense(**state)))
        for state in (dict(seen=1, old=2), dict(seen=2, old=2), dict(old=1)):
            self.assertEqual([], told(self.dense(**state)))

    def test_generations_that_are_not_as_many_as_objects_that_ended_are_told(self):
        said = "a generation was written over: by them {} objects ended, {} are counted"
        self.assertEqual([said.format(63, 62)], told(self.dense(frees=62)))
        self.assertEqual([said.format(71, 63)], told(self.dense(
            places=(0, 1, 0, 0x40 | 2, 0))))
        self.assertEqual([], told(self.dense(frees=63 + (1 << 29))))

    def test_entries_that_another_scene_had_ended_objects_too(self):
        self.assertEqual([], told(self.dense(zero=4, left=5 << 3, frees=68)))
        self.assertEqual([], told(self.dense(zero=2, left=5 << 3)))
        self.assertEqual(["no scene had 8 objects"], told(self.dense(zero=8)))

    def test_at_full_a_dense_pool_counts_its_objects_twice(self):
        for copy, said in ((2, []), (3, ["2 objects are counted, and 3 in its copy"])):
            self.assertEqual(said, told(self.dense(level=AUDITED, zero=copy << 16 | 3)))

    def test_a_write_to_a_dead_object_is_told_where_it_is_poison(self):
        said = ["index 2, which is dead, was written to at byte 4: 0x00000007"]
        self.assertEqual(said, told(self.dense(written=7)))
        self.assertEqual([], told(self.dense(written=7, level=FAST)))

    def test_its_slots_are_its_entries(self):
        self.assertEqual([(1, STORAGE + 8, True, None), (2, STORAGE, True, None),
                          (3, STORAGE + 16, False, None)], self.dense().slots())

    def handle(self, it, bits, kind, symbols=(), **more):
        entry = SimpleNamespace(kind=kind, name="a", it=it)
        firmware = SimpleNamespace(
            called=lambda name: entry, memory=it.memory, elf=SimpleNamespace(
                pointer_bytes=4, address_of=dict(symbols).get))
        return handle_in_words(firmware, "a_handle_t", bits, **more)

    def test_a_handle_of_a_dense_pool_is_of_what_lives_at_its_place(self):
        """The generation of each entry is 21; entry 3 is dead."""
        for bits, said in ((0xA8 | 1, "slot 1 of a, live"), (0xA0 | 1, "slot 1 of a, "
                           "stale"), (0xA8 | 2, "slot 2 of a, live"), (0xA8 | 3,
                           "slot 3 of a, stale"), (0xA8 | 4, "slot 4 of a, stale"),
                           (0xA8 | 5, "none of a's"), (0xA8, "none of a's"),
                           (0, "none")):
            self.assertEqual(said, self.handle(self.dense(), bits, "dense"), hex(bits))

    def test_what_dense_pools_add_to_their_handles_is_of_none_but_these(self):
        self.assertEqual(["stale", "live"], [
            self.handle(self.dense(salt=0xFFFFFFF8), bits, "dense").split(", ")[1]
            for bits in (0xA8 | 1, 0xA0 | 1)])

    def test_a_wide_handle_of_a_dense_pool_says_how_often_its_generation_wrapped(self):
        it, symbols = self.dense(wraps=(0, 0, 7, 0, 0)), {"a_dense64": 0x2800}
        for bits, said in ((7 << 32 | 0xA8 | 2, "live"), (6 << 32 | 0xA8 | 2, "stale"),
                           (0xA8 | 2, "stale"), (0xA8 | 1, "live")):
            self.assertEqual(f"slot {bits & 7} of a, {said}", self.handle(
                it, bits, "dense", symbols, width=64))

    def test_a_handle_of_a_relocating_pool_is_of_a_block(self):
        for bits, said in ((0 << 3 | 1, "slot 1 of a, live"),
                           (1 << 3 | 1, "slot 1 of a, stale"),
                           (1 << 3 | 2, "slot 2 of a, live"),
                           (2 << 3 | 3, "slot 3 of a, stale"),
                           (0 << 3 | 4, "slot 4 of a, stale"), (5, "none of a's")):
            self.assertEqual(said, self.handle(self.relocating(), bits, "reloc"))

    def test_what_has_no_handles_says_so(self):
        with self.assertRaisesRegex(Unreadable, "^a has no handles$"):
            self.handle(self.relocating(Arena), 1, "arena")

    def relocating(self, kind=Relocating, heads=(), entries=(), level=POISONS, zero=0,
                   written=None, **state):
        """The block of handle 1, a hole, that of handle 2; handle 3 is dead."""
        paper = Paper()
        paper.struct(IT, "tp_reloc", arena=STORAGE, entry=ENTRY, state=STATE,
                     units=16, handles=4, handle_bits=3)
        paper.struct(STATE, "tp_reloc_state", **{
            "top": 7, "touched": 10, "fresh": 3, "live": 2, "refused": 5, "holes": 1,
            "hole_units": 3, "free_index": 3, **state})
        known = {1: (1, 0), 2: (3, 5), 3: (4, 0), **dict(entries)}
        paper.structs(ENTRY, "tp_reloc_entry", dict(generation=zero), *[
            dict(generation=generation, at=at) for generation, at in known.values()])
        words = [POISON] * 35
        if written is not None:
            words[1 + written // 4] = 7
        paper.numbers(STORAGE - 4, *words)
        known = {0: (2, 0, 1), 2: (3, 2, 0), 5: (2, 3, 2), 7: (0, 2, 0), **dict(heads)}
        for at, (units, before, owner) in known.items():
            head = dict(units=units, before=before, owner=owner)
            memory = Paper()
            memory.struct(0, "tp_head", **head)
            guard = guard_of(memory.memory().struct("tp_head", 0))
            paper.struct(STORAGE + 8 * at, "tp_head", guard=guard, **head)
        return kind(paper.memory(), IT, level)

    def test_a_header_that_is_not_as_its_neighbours_say_is_told(self):
        self.assertEqual([], told(self.relocating()))
        for head in ((3, 3, 0), (6, 2, 0), (0, 2, 0)):
            self.assertEqual(["the header 16 bytes into the arena was written over"],
                             told(self.relocating(heads=[(2, head)])))
        self.assertEqual(["the block of handle 2 is not where its entry says"],
                         told(self.relocating(entries=[(2, (3, 2))])))
        self.assertEqual(["the block of handle 4 is not where its entry says"],
                         told(self.relocating(heads=[(5, (2, 3, 4))])))

    def test_the_header_behind_the_last_block_is_one_of_them(self):
        for head in ((0, 3, 0), (1, 2, 0)):
            self.assertEqual(["the header 56 bytes into the arena was written over"],
                             told(self.relocating(heads=[(7, head)])))

    def test_what_is_counted_of_holes_is_compared_with_those_that_are_found(self):
        for changed, said in (
                (dict(holes=2), "2 of 24"), (dict(hole_units=2), "1 of 16")):
            self.assertEqual([f"1 holes of 24 bytes were found, {said} are counted"],
                             told(self.relocating(**changed)))

    def test_where_compaction_goes_on_something_begins(self):
        for cursor, is_one in ((0, True), (1, False), (2, True), (5, True), (6, False),
                               (7, True), (8, False)):
            said = [f"compaction goes on {8 * cursor} bytes into the arena, where"
                    " nothing begins"] * (not is_one)
            self.assertEqual(said, told(self.relocating(cursor=cursor)))

    def test_no_more_of_an_arena_was_ever_filled_than_there_is(self):
        self.assertEqual([], told(self.relocating(touched=17)))
        for touched in (0, 18):
            self.assertEqual([f"{touched} units were filled at most, of 16"],
                             told(self.relocating(touched=touched)))

    def test_a_write_to_a_hole_or_behind_all_blocks_is_told_where_it_is_poison(self):
        for at, is_nobodys in ((8, False), (24, True), (36, True), (48, False),
                               (64, True), (76, True), (80, False)):
            said = [f"byte {at} of the arena, which is nobody's, was written to:"
                    " 0x00000007"] * is_nobodys
            self.assertEqual(said, told(self.relocating(written=at)))
            self.assertEqual([], told(self.relocating(written=at, level=FAST)))

    def test_the_dead_handles_are_on_a_list(self):
        for changed, said in ((dict(free_index=0), "0 of 1, then to 0"),
                              (dict(free_index=2), "0 of 1, then to 2"),
                              (dict(free_index=4), "0 of 1, then to 4"),
                              (dict(entries=[(3, (4, 3))]), "1 of 1, then to 3")):
            self.assertEqual([f"the list of free handles leads to {said}"],
                             told(self.relocating(**changed)))

    def test_for_audits_the_steps_of_all_generations_are_counted(self):
        for zero, said in ((8, []), (9, [
                "a generation was written over, or their sum: 8, and 9 was kept"])):
            self.assertEqual(said, told(self.relocating(level=AUDITED, zero=zero)))
            self.assertEqual([], told(self.relocating(level=FULL, zero=zero)))

    def test_blocks_and_live_handles_are_the_same(self):
        for changed, said in (
                (dict(live=1), "2 blocks were found, 2 handles are live, 1 counted"),
                (dict(entries=[(3, (5, 9))], live=3),
                 "2 blocks were found, 3 handles are live, 3 counted"),
                (dict(live=4), "more blocks are live than handles")):
            self.assertEqual([said], told(self.relocating(**changed)))

    def test_a_slot_is_a_handle_and_its_block_lies_behind_the_header(self):
        self.assertEqual([(1, STORAGE + 8, True, 1), (2, STORAGE + 48, True, 2),
                          (3, 0, False, 2)], self.relocating().slots())
        self.assertEqual(Figures(4, 2, 3, 5), self.relocating().figures())

    def test_the_bytes_of_its_arena_are_counted_in_units_of_8(self):
        arena = self.relocating(Arena)
        self.assertEqual(Figures(128, 56, 72, 5), arena.figures())
        self.assertEqual((STORAGE, 128), arena.memory_range())
        self.assertEqual(["more is filled than there is"],
                         told(self.relocating(Arena, top=17)))


if __name__ == "__main__":
    unittest.main()
