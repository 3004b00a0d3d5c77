# SPDX-License-Identifier: MIT
"""What `why` makes of memory, of paths and of deeds, without QEMU: which words tell
of a mistake, whose deed it was, and how that is said."""

import struct
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import paper
from harness import cause, cpu_fault, odd_calls, suspects, tail_calls, why
from harness.errors import CannotRun
from harness.last_touch import MOST, last_touch
from harness.owner import owners
from harness.replay import Mark, Moment
from harness.suspects import LIVE, POISON, RED
from harness.why_text import DEEDS, guilty, headline, stacks, told

FINDING = why.Finding("poison", 5000, "b", 3, 0x20000100, 6)
GAME, LIBRARY = "/game/enemies.c", "/lib/core/tp_core.c"
FIELDS = {name: (4 * at, 4) for at, name in enumerate((
    "storage", "stride", "zone", "capacity", "tag", "age", "hardened", "tagged",
    "size"))}


class Memory:
    """Words at addresses, as a Replay reads them."""

    def __init__(self, words):
        self.words, self.gdb = words, self

    def read(self, address, size):
        return b"".join(struct.pack("<I", self.words.get(at, 0))
                        for at in range(address, address + size, 4))

    def word(self, address):
        return self.words.get(address, 0)

    def values(self, ranges):
        return {at: self.words.get(at, 0) for begin, size in ranges
                for at in range(begin, begin + size, 4)}


def memory_of(age=0, hardened=0, tagged=0, is_off=False, size=20, **words):
    """A pool at 0: three slots of 24 bytes from 0x1000 on, red zones of 4."""
    fields = {"storage": 0x1000, "stride": 24, "zone": 4, "capacity": 3,
              "tag": 0x2000, "age": age, "hardened": hardened,
              "tagged": tagged, "size": size}
    memory = Memory({offset: fields[name] for name, (offset, _) in FIELDS.items()})
    memory.words.update(words)
    return memory, suspects.Pool(memory, 0, FIELDS, is_off)


def words_of(what, memory, pool, slot=2):
    return suspects.damaged_words(FINDING._replace(what=what, slot=slot), pool, memory)


class Words(unittest.TestCase):
    def test_the_word_that_a_damaged_byte_lies_in_is_looked_at(self):
        self.assertEqual({0x20000104}, words_of("poison", *memory_of()))

    def test_the_words_of_a_slot_begin_where_it_does(self):
        self.assertEqual({0x2008}, words_of("tag", *memory_of()))
        self.assertEqual({0x1018}, words_of("the free list is broken", *memory_of()))

    def test_where_the_list_leads_to_a_slot_that_lives_its_tag_is_looked_at(self):
        memory, pool = memory_of()
        for tag, word in ((LIVE, 0x2008), (LIVE - 1, 0x1018)):
            memory.words[0x2008] = tag
            self.assertEqual({word}, words_of("the free list is broken", memory, pool))

    def list_of(self, *links, live=(), leads=1):
        """[links]: of slots 1 to 3, (live objects, slot), or what else is there."""
        memory, pool = memory_of()
        memory.words[0x2000] = len(live) << 16 | leads
        memory.words.update({0x2000 + 4 * slot: LIVE + 1 for slot in live})
        memory.words.update({0x1000 + 24 * at: live << 16 | slot
                             for at, (live, slot) in enumerate(links)})
        return memory, pool

    def test_a_link_that_leads_to_the_wrong_slot_is_looked_at_in_place_of_that(self):
        """The list is of slots 1, 2 and 3. The link of 1 leads to 3, or to a slot that
        lives; or that of 2 is wrong itself."""
        broken, wrong = "a link was written over", "the free list is broken"
        for links, live, what, slot, words in (
                (((1, 3), (2, 3), (3, 0)), (), broken, 3, {0x1000}),
                (((1, 2), (2, 3), (3, 1)), (), broken, 1, {0x1030}),
                (((1, 2), (9, 3), (3, 0)), (), broken, 2, {0x1018}),
                (((1, 2), (9, 3), (9, 0)), (), broken, 3, {0x1030}),
                (((1, 2), (9, 3), (10, 0)), (), broken, 3, {0x1030}),
                (((2, 2), (0, 7), (3, 0)), (2,), wrong, 2, {0x1000}),
                (((2, 2), (0, 7), (3, 0)), (2,), "tag", 2, {0x1000}),
                (((2, 2), (3, 3), (4, 0)), (2,), wrong, 2, {0x2008})):
            self.assertEqual(words, words_of(what, *self.list_of(
                *links, live=live), slot=slot), (links, what))

    def test_what_the_word_of_the_list_leads_to_wrongly_has_no_link_to_look_at(self):
        """It was issued, and its link written over since."""
        for links, live, what in ((((0, 7), (2, 3), (3, 0)), (1,), "tag"),
                                  (((3, 0), (2, 1), (0, 7)), (3,), "link")):
            self.assertEqual(set(), words_of(what, *self.list_of(
                *links, live=live), slot=1))

    def test_of_a_list_that_is_right_up_to_a_slot_or_ends_before_that_is_looked_at(
            self):
        for links in (((1, 2), (2, 3), (3, 0)), ((1, 0), (1, 3), (3, 0)),
                      ((1, 9), (1, 3), (3, 0)), ((1, 2), (5, 3), (1, 0))):
            self.assertEqual({0x1030}, words_of("link", *self.list_of(*links), slot=3),
                             links)
        memory, pool = self.list_of((1, 3), (2, 3), (3, 0))
        memory.words[0x2000] += 0x10000  # As while an interrupt is in a call.
        self.assertEqual({0x1030}, words_of("link", memory, pool, 3))

    def test_where_the_list_names_no_slot_its_word_is_looked_at(self):
        self.assertEqual({0x2000}, words_of("link", *memory_of(), slot=0))
        self.assertEqual({0x2000}, words_of("the free list is broken", *memory_of(), 4))
        self.assertTrue(suspects.names_a_word(FINDING._replace(what="link", slot=0)))

    def test_at_off_the_list_is_followed_by_addresses_to_what_leads_astray(self):
        """The list is of slots 1, 2 and 3, and said to be broken at 3, or at none. A
        word behind the list is none of the pool's, unless its row has handles."""
        one, two, three = 0x1000, 0x1018, 0x1030
        for words, tagged, slot, found in (
                ((one, two, 0x1031, 0), 0, 0, {two}),
                ((one, two, 0x1048, 0), 0, 0, {two}),
                ((one, 0xFE8, three, 0), 0, 0, {one}),
                ((one, two, three, two), 0, 2, {three}),
                ((one, two, three, 0), 0, 3, {two}),
                ((one, two, three, 0), 0, 0, set()),
                ((7, two, three, 0), 0, 0, set()),
                ((one, two, three, 5), 1, 2, {0x2008})):
            memory, pool = memory_of(tagged=tagged, is_off=True)
            memory.words.update(zip((0x2000, one, two, three), words))
            memory.words[0x2008] = LIVE
            self.assertEqual(found, words_of("the free list is broken", memory, pool,
                                             slot), words)

    def test_at_off_there_is_no_tag_but_of_a_row_that_has_handles(self):
        for is_off, tagged, hardened, tags, link in (
                (False, 0, 2, 3, 0x2014), (True, 1, 2, 3, 0x2014),
                (True, 0, 2, 0, 0x200C), (True, 0, 0, 0, 0x1018)):
            _, pool = memory_of(hardened=hardened, tagged=tagged, is_off=is_off)
            self.assertEqual(link, pool.link_of(2))
            self.assertEqual([(0x2004, 4 * tags)] if tags else [],
                             odd_calls.tags_of(pool))
            self.assertEqual({link: 0x1018} if is_off else {}, {
                at: slot for at, slot in pool.off_links.items() if at == link})

    def test_links_may_lie_behind_the_tags(self):
        self.assertEqual({0x1018}, words_of("link", *memory_of(hardened=1)))
        memory, pool = memory_of(hardened=2)
        self.assertEqual({0x2014}, words_of("link", memory, pool))
        memory.words.update({at: POISON for at in range(0x1018, 0x102C, 4)})
        memory.words[0x1018] = 7
        self.assertEqual({0x1018}, words_of("a dead slot was written to", memory,
                                            pool))

    def test_of_a_slot_that_counts_though_it_was_never_issued_the_tag_is(self):
        name = "the live count is wrong"
        self.assertEqual({0x2008}, words_of(name, *memory_of()))
        self.assertEqual(set(), words_of(name, *memory_of(), slot=0))
        self.assertFalse(suspects.names_a_word(FINDING._replace(what=name, slot=0)))

    def test_of_a_dead_slot_the_link_and_the_red_zone_are_no_poison(self):
        memory, pool = memory_of()
        memory.words.update({at: POISON for at in range(0x101C, 0x102C, 4)})
        memory.words[0x1024] = 7
        self.assertEqual({0x1024}, words_of("a dead slot was written to", memory,
                                            pool))

    def test_a_red_zone_is_before_a_slot_and_behind_it(self):
        memory, pool = memory_of()
        memory.words.update({0x1014: 7, 0x102C: RED})
        name = "a red zone was written to"
        self.assertEqual({0x1014}, words_of(name, memory, pool))
        memory.words.update({0x1014: RED, 0x102C: 7})
        self.assertEqual({0x102C}, words_of(name, memory, pool))

    def test_what_stands_before_the_link_of_the_next_is_neither_dead_nor_a_zone(self):
        memory, pool = memory_of(size=12)  # And 8 of the object before its link.
        memory.words.update({at: POISON for at in (0x101C, 0x1020)})
        memory.words.update({at: RED for at in (0x100C, 0x1024)})
        for what in ("a dead slot was written to", "a red zone was written to"):
            self.assertEqual(set(), words_of(what, memory, pool))
        memory.words[0x100C] = 7
        self.assertEqual({0x100C}, words_of(what, memory, pool))

    def test_a_ring_is_broken_where_a_neighbour_does_not_answer(self):
        memory, pool = memory_of(age=0x3000)
        for slot, (newer, older) in enumerate(((1, 3), (2, 0), (3, 1), (0, 2))):
            memory.words[0x3000 + 4 * slot] = newer | older << 16
        name = "the age ring is broken"
        self.assertEqual(set(), words_of(name, memory, pool, slot=0))
        for newer, links in ((3, {0x3004, 0x3008}), (4, {0x3008, 0x300C})):
            memory.words[0x3008] = newer | (newer == 4) << 16  # There is no slot 4.
            self.assertEqual(links, words_of(name, memory, pool, slot=0))

    def test_a_word_is_named_by_a_slot_a_ring_or_an_address_of_damage(self):
        for what, slot, address, names in (
                ("order", 3, 0, True), ("order", 0, 8, False), ("poison", 0, 8, True),
                ("poison", 0, 0, False), ("the age ring is broken", 0, 0, True),
                ("the free list is broken", 0, 8, False)):
            self.assertEqual(names, suspects.names_a_word(FINDING._replace(
                what=what, slot=slot, address=address)), (what, slot, address))
        self.assertEqual(set(), words_of("tag", memory_of()[0], None))

    def test_of_a_descriptor_that_is_not_as_it_was_sealed_each_word_is_looked_at(self):
        seal = Memory({0x40: 0x800, 0x44: 1, 0x48: 2, 0x4C: 3})
        for what, address, words in (("invariant", 0x800, {0x800, 0x804, 0x808}),
                                     ("invariant", 0x804, set()),
                                     ("link", 0x800, set())):
            self.assertEqual(words, suspects.descriptor_words(FINDING._replace(
                what=what, address=address), 0x40, seal))

    def test_of_a_tag_written_over_the_library_s_own_counting_is_harmless(self):
        finding = FINDING._replace(what=suspects.RESEALED)
        for before, after, harmless in (
                (77, LIVE + 1, True), (5, LIVE + 5, True), (LIVE + 5, 6, True),
                (5, 6, False), (5, LIVE + 9, False)):
            change = SimpleNamespace(before=before, after=after)
            self.assertEqual(harmless, suspects.is_harmless(finding, change))
            self.assertFalse(suspects.is_harmless(FINDING, change))


def search(what="poison", tag=0, damaged=(), links=()):
    one = why.Search(FINDING._replace(what=what),
                     {"symbols": {}, "fields": {"tp_pool": {}}}, None)
    one._tag, one.damaged, one._links = tag, set(damaged), dict(links)
    return one


class Taken(unittest.TestCase):
    """Of changes that come newest first."""

    def test_what_makes_a_tag_live_issues_and_what_does_not_frees(self):
        one = search(tag=8)
        one._take(Moment(9, (), b"", 8, LIVE + 1, 2))
        self.assertFalse(one._is_complete())
        one._take(Moment(7, (), b"", 8, LIVE, 1))
        one._take(Moment(5, (), b"", 8, 0, LIVE))
        self.assertEqual({"freed": 9, "issued": 5},
                         {name: deed.frame for name, deed in one.deeds.items()})
        self.assertTrue(one._is_complete())

    def test_who_wrote_to_a_damaged_word_is_looked_for_before_who_freed_it(self):
        one = search("red-zone", tag=8, damaged={4})
        one._take(Moment(9, (), b"", 8, LIVE, 1))
        one._take(Moment(8, (), b"", 4, 1, 2))
        one._take(Moment(7, (), b"", 4, 0, 1))
        self.assertEqual({"access": 8},
                         {name: deed.frame for name, deed in one.deeds.items()})

    def test_who_made_a_slot_dead_whose_bytes_nobody_poisoned_then_did_it(self):
        """Who frees poisons: a tag that changed by itself makes them look damaged."""
        for what, frame in (("poison", 9), ("a dead slot was written to", 9),
                            ("red-zone", 8), ("link", 8)):
            one = search(what, tag=8, damaged={4})
            one._take(Moment(9, (), b"", 8, LIVE + 1, 1))
            one._take(Moment(8, (), b"", 4, POISON, 7))
            one._take(Moment(8, (), b"", 8, 0, LIVE + 1))
            self.assertEqual({"access": frame, "issued": 8},
                             {name: deed.frame for name, deed in one.deeds.items()})

    def test_a_link_that_was_none_before_was_freed_with_what_the_list_led_to(self):
        """Then it was somebody before, whom nothing shows."""
        for before, deeds in ((0x1018, {"access": 8}), (0, {}), (5, {})):
            one = search("the free list is broken", damaged={4},
                         links={4: 0x1000, 8: 0x1018})
            one._take(Moment(8, (), b"", 4, before, 0x1031))
            self.assertTrue(one._is_complete())
            self.assertEqual(deeds, {name: deed.frame
                                     for name, deed in one.deeds.items()})

    def test_harmless_changes_are_nobodys_deed(self):
        one = search(suspects.RESEALED, damaged={4})
        one._take(Moment(9, (), b"", 4, 5, LIVE + 5))
        self.assertEqual({}, one.deeds)
        one._take(Moment(8, (), b"", 4, 5, 99))
        self.assertEqual(8, one.deeds["access"].frame)


def place(function, file=GAME, line=7, **more):
    return dict({"function": function, "file": file, "line": line, "is_whole": True},
                **more)


class Interrupted(unittest.TestCase):
    def test_of_the_interrupts_before_a_fault_the_last_five_are_told(self):
        one = search()
        one.cpu = {"exception": "x"}
        with mock.patch.object(why, "handlers"), mock.patch.object(
                why, "interrupts_in", return_value=list("abcdefg")):
            one._note_path(mock.Mock(), [1], "")
        self.assertEqual(list("cdefg"), one.cpu["interrupts"])

    def test_the_interrupts_of_a_kernel_have_their_names(self):
        gdb = Memory({cpu_fault.VTOR: 0x100, **{
            0x100 + 4 * number: at | 1 for number, at in (
                (3, 0x500), (4, 0x500), (11, 0x510), (14, 0x520), (15, 0x530),
                (24, 0x540))}})
        self.assertEqual(
            ["interrupt 8", "an unexpected one", "SVCall", "PendSV", "SysTick"],
            cpu_fault.interrupts_in([0x540, 0x502, 0x500, 0x510, 0x520, 0x530],
                                    cpu_fault.handlers(gdb)))
        self.assertEqual([0x500], cpu_fault.fault_handlers(gdb))


class OfTheProcessor(unittest.TestCase):
    """What is known where the handler of one of its faults begins."""

    def fault(self, status, number=3, link=0xFFFFFFF9, there=32):
        stack = struct.pack("<8I", *range(100, 108))[:there]
        moment = SimpleNamespace(stack=stack, registers=[
            *range(13), 0x1FFFFF80, link, 0, number | 1 << 24])
        gdb = Memory({cpu_fault.CFSR: status, cpu_fault.HFSR: 1 << 30,
                      cpu_fault.BFAR: 0xB0, cpu_fault.MMFAR: 0xA0})
        return cpu_fault.cpu_fault(gdb, moment)

    def test_its_flags_are_named_and_the_address_where_one_says_that_it_is_valid(self):
        for status, flags, more in (
                (0, [], {}), (1 << 25 | 1 << 16, ["UNDEFINSTR", "DIVBYZERO"], {}),
                (0x82, ["DACCVIOL", "MMARVALID"], {"MMFAR": 0xA0}),
                (0x8200, ["PRECISERR", "BFARVALID"], {"BFAR": 0xB0})):
            known = self.fault(status)
            del known["registers"]
            self.assertEqual({"exception": "HardFault", "CFSR": status, "flags": flags,
                              "HFSR": 1 << 30, **more}, known)
        self.assertIsNone(self.fault(0, 16))

    def test_its_registers_are_those_before_of_a_task_only_what_is_still_there(self):
        kept = {f"r{number}": number for number in range(4, 12)}
        self.assertEqual({"r0": 100, "r1": 101, "r2": 102, "r3": 103, **kept,
                          "r12": 104, "lr": 105, "pc": 106, "xpsr": 107},
                         self.fault(0)["registers"])
        self.assertEqual(kept, self.fault(0, link=0xFFFFFFFD)["registers"])

    def test_of_a_stack_that_ran_out_of_memory_its_pointer_is_told_and_no_zeros(self):
        kept = {f"r{number}": number for number in range(4, 12)}
        for there in (0, 4, 28):
            self.assertEqual({**kept, "sp": 0x1FFFFF80},
                             self.fault(0, there=there)["registers"])


class Whose(unittest.TestCase):
    """A foreign pointer leads to the memory of another pool."""

    def test_the_pool_is_named_and_the_slot_behind_its_red_zone(self):
        pools = paper.ledger_of(paper.hello(pools=(
            ("clients", 4, 16, 1), ("flags", 9, 2, 1)))).pools
        said = ("20000100 00000044 b clients_storage\n20000200 00000012 b"
                " flags_storage\n00000000 T no_size\n")
        with mock.patch("harness.owner.told_by", return_value=said):
            self.assertEqual(
                {0x20000100: "slot 1 of pool clients",
                 0x20000104: "slot 1 of pool clients",
                 0x20000113: "slot 1 of pool clients",
                 0x20000114: "slot 2 of pool clients",
                 0x20000143: "slot 4 of pool clients"},
                owners("", pools, [0x200000FF, 0x20000100, 0x20000104, 0x20000113,
                                   0x20000114, 0x20000143, 0x20000144,
                                   0x20000202]))
        with mock.patch("harness.owner.told_by", side_effect=AssertionError):
            self.assertEqual({}, owners("", pools, []))


class Own(unittest.TestCase):
    """The application's innermost place of a backtrace."""

    def own(self, *trace, is_cpu_fault=False):
        found = why._own_place(trace, is_cpu_fault)
        return found and found["function"]

    def test_what_the_application_does_with_a_fault_is_not_its_place(self):
        self.assertEqual("explode", self.own(
            place(why.FAULT), place("tp_free", LIBRARY), place("explode")))
        self.assertEqual("step", self.own(place("step"), place("main")))
        self.assertEqual(why.FAULT, self.own(place(why.FAULT), place("explode")))
        self.assertIsNone(self.own(place("tp_free", LIBRARY)))

    def test_of_a_fault_of_the_processor_the_place_is_before_its_handler(self):
        trace = place("handler"), place("interrupt", ""), place("explode")
        self.assertEqual("explode", self.own(*trace, is_cpu_fault=True))
        self.assertEqual("handler", self.own(*trace))

    def test_a_header_tells_less_than_what_it_was_inlined_into(self):
        header = place("get", "/game/get.h", is_whole=False)
        self.assertEqual("explode", self.own(header, place("explode")))
        self.assertEqual("get", self.own(header, place("tp_free", LIBRARY)))
        inlined = place("inlined", is_whole=False)
        self.assertEqual("inlined", self.own(header, inlined, place("main")))
        self.assertEqual("get", self.own(dict(header, is_whole=True), place("main")))


def deed(frame=4000, file=GAME, function="explode", **more):
    one = place(function, file)
    return dict({"frame": frame, "address": 0x2008, "before": 0x12, "after": 0x34,
                 "place": one, "backtrace": [one]}, **more)


def answer(finding=FINDING, cpu=None, words=0, **deeds):
    return {**dict.fromkeys(DEEDS), "finding": finding._asdict(), "words": words,
            "cpu": cpu, "spent": None, "strayed": False, **deeds}


class Said(unittest.TestCase):
    def test_a_write_is_said_with_what_was_there_and_what_is(self):
        self.assertEqual(
            "0x00000012 at 0x00002008 became 0x00000034 by explode() at"
            f" {GAME}:7, in frame 4000", headline(answer(access=deed())))

    def test_who_freed_is_guilty_only_if_it_was_not_its_own_to_free(self):
        write = deed(4900)
        for owner, freer, wrong in ((GAME, "/game/b.c", True), (GAME, GAME, False),
                                    ("/game/b.c", GAME, False)):
            said = answer(access=write, issued=deed(1, owner), freed=deed(2, freer))
            self.assertEqual("freed" if wrong else "access",
                             "freed" if guilty(said) is said["freed"] else "access")
            self.assertEqual(wrong, "though who was issued it still wrote to it"
                             in "".join(title for title, _ in stacks(said)))

    def test_of_a_finding_that_names_a_slot_where_it_was_noticed_is_said_first(self):
        story = {"noticed": deed(5000), "freed": deed(3), "issued": deed(2)}
        named = answer(FINDING._replace(what="double-free"), **story)
        self.assertIs(named["noticed"], guilty(named))
        self.assertIn(("slot 3 was freed first by explode() at /game/enemies.c:7,"
                       " in frame 3"), [title for title, _ in stacks(named)])
        unnamed = answer(FINDING._replace(what=odd_calls.LEAK, slot=0), **story)
        self.assertTrue(headline(unnamed).startswith("what is never freed was freed"))
        whole = answer(**dict(story, noticed=None))
        self.assertIs(whole["freed"], guilty(whole))

    def test_a_slot_that_a_request_stole_was_not_freed(self):
        theft = place("tp_steal_take", "/tree/lib/policy/tp_steal.h")
        free = place("tp_core_free", "/tree/lib/core/tp_core.h")
        play = place("explode", GAME)
        for trace, word in (([theft, play], "stolen"), ([free, play], "freed first"),
                            ([free, play, theft, play], "freed first")):
            said = answer(FINDING._replace(what="double-free"), noticed=deed(5000),
                          freed=deed(3, backtrace=trace))
            self.assertIn(f"slot 3 was {word} by explode() at {GAME}:7, in frame 3",
                          [title for title, _ in stacks(said)])

    def test_what_nobody_touched_for_a_second_was_lost(self):
        for frame, lost in ((4939, True), (4940, False)):
            said = answer(noticed=deed(5000), touched=deed(frame))
            self.assertEqual(lost, guilty(said) is said["touched"])

    def test_a_page_is_why_it_failed_and_the_stacks_of_all_the_guilty_first(self):
        said = answer(noticed=deed(5000), access=dict(deed(), backtrace=[
            place("", "", 0), place("explode")]))
        self.assertEqual(f"""poison fault

The run was sanitized: a wrong access is reported before it happens.

0x00000012 at 0x00002008 became 0x00000034 by explode() at {GAME}:7, in frame 4000:
  #0  ()
  #1  explode() at {GAME}:7

noticed in explode() at {GAME}:7, in frame 5000:
  #0  explode() at {GAME}:7""", told({"why": "poison fault", "sanitized": True}, said))

    def test_each_deed_that_made_it_so_is_guilty_before_where_it_was_noticed(self):
        by = f" explode() at {GAME}:7, in frame 4000"
        for name, words in (
                ("locked", "the lock that was not given back was taken by"),
                ("left_out", "what is done whenever an object of b is stolen was not"
                             " done by"),
                ("joined", f"b was used by explode() at {GAME}:7, which did not a"
                           " second before, in frame 4000"),
                ("held", "what does not move was locked by"),
                ("changed", "b was used last by"), ("told", "b is told by"),
                ("served", "the last interrupt was served by")):
            said = headline(answer(noticed=deed(5000), **{name: deed()}))
            self.assertEqual(words if name == "joined" else words + by, said)

    def test_what_takes_time_is_held_against_one_frame_or_some(self):
        for frames, than in ((1, "frame 90"), (6, "6 frames from 90 on")):
            where = dict(place("explode"), instructions=500)
            spent = {"frame": 120, "than": 90, "frames": frames, "place": where,
                     "backtrace": [where]}
            self.assertEqual(
                f"500 instructions more than in {than} were executed in explode() at"
                f" {GAME}:7, in frame 120", headline(answer(spent=spent)))

    def test_where_it_is_noticed_is_said_as_what_it_is(self):
        for what, words in (("dead", "the wrong access is made in"),
                            (why.RESTART, "the firmware begins again in"),
                            ("poison", "noticed in")):
            said = headline(answer(FINDING._replace(what=what), noticed=deed(5000)))
            self.assertEqual(f"{words} explode() at {GAME}:7, in frame 5000", said)

    def test_somebody_is_the_innermost_where_no_place_is_the_application_s(self):
        for trace, who in (([place("tp_free", LIBRARY), place("main")],
                            f"tp_free() at {LIBRARY}:7"), ([], "somebody")):
            said = headline(answer(noticed=deed(5000, place=None, backtrace=trace)))
            self.assertEqual(f"noticed in {who}, in frame 5000", said)

    def test_an_interrupt_comes_within_a_line_of_the_application_s_alone(self):
        rig = f"{paper.ROOT}/qemu/rig/main.c"
        inside = [place("tp_free", LIBRARY), place("rig", rig), place("step"),
                  place("main")]
        for trace, words in (
                ([place("tick"), place("interrupt", ""), *inside],
                 f", within step() at {GAME}:7"), (inside, ""),
                ([place("tick"), place("interrupt", ""), *inside[:2]], "")):
            said = headline(answer(served=deed(backtrace=trace)))
            self.assertEqual("the last interrupt was served by explode() at"
                             f" {GAME}:7{words}, in frame 4000", said)

    def test_a_slot_that_is_not_dead_was_not_taken_away(self):
        story = {"access": deed(4900), "issued": deed(1), "freed": deed(2, "/game/b.c")}
        for what, said in (("poison", "freed"), ("red-zone", "access")):
            one = answer(FINDING._replace(what=what), **story)
            self.assertIs(one[said], guilty(one))
            self.assertIn("slot 3 was freed by", "".join(
                title for title, _ in stacks(one)))

    def test_damage_that_no_frame_did_is_start_up_code_s(self):
        for words, access, said in ((1, None, True), (0, None, False),
                                    (1, deed(), False)):
            self.assertEqual(said, "look at start-up code" in told(
                {"why": "x"}, answer(words=words, access=access)))

    def test_damage_that_does_not_show_is_not_said_to_be_start_up_code_s(self):
        said = told({"why": "poison fault"}, answer(words=1, strayed=True))
        self.assertIn("Who did it does not show", said)
        self.assertNotIn("start-up", said)

    def test_a_sanitized_run_says_that_it_was(self):
        for sanitized in (True, False):
            self.assertEqual(sanitized, "The run was sanitized" in told(
                {"why": "x", "sanitized": sanitized}, answer(access=deed())))

    def test_the_flags_of_a_fault_are_behind_its_name_if_there_are_any(self):
        for flags, name in (([], "HardFault in "), (["STKERR"], "HardFault (STKERR) ")):
            cpu = {"exception": "HardFault", "flags": flags}
            said = headline(answer(cpu=cpu, noticed=deed(5000)))
            self.assertTrue(said.startswith(name), said)

    def test_the_registers_of_a_fault_are_four_to_a_line(self):
        cpu = {"exception": "HardFault", "flags": [], "CFSR": 2,
               "registers": {f"r{at}": at for at in range(5)}}
        lines = told({"why": "x"}, answer(cpu=cpu, noticed=deed(5000))).split("\n")
        self.assertIn("HardFault: no flag is set", lines)
        self.assertIn("  CFSR 0x00000002", lines)
        self.assertIn("  r0 0x00000000, r1 0x00000001, r2 0x00000002, r3 0x00000003",
                      lines)
        self.assertIn("  r4 0x00000004", lines)
        self.assertIn("  last interrupts: none in this frame", lines)
        cpu.update(flags=["MMARVALID", "DACCVIOL"], HFSR=1, BFAR=3, MMFAR=4,
                   interrupts=["SysTick", "PendSV"])
        lines = told({"why": "x"}, answer(cpu=cpu, noticed=deed(5000))).split("\n")
        self.assertIn("HardFault: MMARVALID, DACCVIOL", lines)
        self.assertIn("  CFSR 0x00000002, HFSR 0x00000001, BFAR 0x00000003, MMFAR"
                      " 0x00000004", lines)
        self.assertIn("  last interrupts: SysTick, PendSV", lines)


class Odd(unittest.TestCase):
    def test_a_lock_that_is_held_is_the_outermost_that_was_not_given_back(self):
        codes = {2: 0xB672, 4: 0xB662, 6: 0x8810F383, 8: 0xBF00,
                 10: 0x8811F383, 12: 0x8810F3EF}  # BASEPRI; it is read.
        replay = SimpleNamespace(gdb=SimpleNamespace(
            read=lambda at, size: struct.pack("<I", codes[at & 0xF])))
        for path, at in (((2, 4), 0), ((2, 8, 6), 0), ((2, 0x12, 4), 2),
                         ((2, 10), 2), ((2, 12), 2),
                         ((2, 4, 0x12), 0x12), ((4, 8, 2), 2), ((2, 0x12), 2)):
            self.assertEqual(at, odd_calls.who_locked(replay, path), path)

    def test_what_was_issued_and_is_still_live_long_after_was_kept(self):
        """Of three slots the first is freed and the second dead all the time."""
        tags = {4: LIVE + 1, 8: 2, 12: LIVE + 3}
        replay = mock.Mock()
        replay.gdb.word.side_effect = {4: 2, 8: 2, 12: LIVE + 3}.get
        replay.approach.return_value = [Mark("late", 6200)]
        replay.history.side_effect = lambda marks, known, ranges, stops: [
            Moment(80, (), b"", at, 0, known.values[at]) for at in known.values]
        noticed = odd_calls.Noticed(odd_calls.LEAK, 5000, tags, {}, ())
        found = odd_calls.odd_deeds(replay, noticed, [Mark("a", 4900)], None)
        self.assertEqual(12, found["issued"].address)
        self.assertEqual([(12, 4)], replay.history.call_args[0][2])
        replay.approach.assert_called_with(5000 + odd_calls.LEAKED_FRAMES)

    def test_a_place_that_did_so_once_is_the_odd_one(self):
        store = SimpleNamespace(after=LIVE)
        with mock.patch.object(odd_calls, "by_place", return_value={
                "a": [store] * 2, "b": [SimpleNamespace(after=1)], "c": [store] * 3}):
            self.assertEqual(["freed"], list(odd_calls._only_one([], None, None)))

    def test_what_leads_to_no_line_of_the_application_is_no_odd_place(self):
        stores = [Moment(at, (0,) * 15 + (at,), b"", 4, 0, after)
                  for at, after in ((8, 1), (9, LIVE))]
        traces = [[{"file": "", "line": 0}], [{"file": GAME, "line": 57}]]
        with mock.patch.object(odd_calls, "ask_gdb",
                               return_value={"backtraces": traces}):
            found = odd_calls._only_one(stores, odd_calls.Returns(None), None)
        self.assertEqual({"issued": stores[1]}, found)

    def test_of_a_mark_from_long_before_only_the_seconds_before_are_looked_at(self):
        seen = []
        replay = mock.Mock()
        replay.stores.return_value = [
            Moment(at, (0,) * 16, b"", 4, 0, LIVE) for at in (1000, 4890, 4990)]
        noticed = odd_calls.Noticed("generation", 5000, {4: LIVE}, {}, ())
        with mock.patch.multiple(
                odd_calls, _by_application=lambda *_: {},
                _only_one=lambda stores, *_: seen.extend(stores)):
            odd_calls.odd_deeds(replay, noticed, [Mark("a", 900)], Path())
        self.assertEqual([4890, 4990], [store.frame for store in seen])

    def test_a_mark_of_the_frame_itself_is_before_it(self):
        marks = [Mark("a", 7), Mark("b", 9), Mark("c", 11)]
        self.assertEqual(["a", "a", "b", "c"], [
            odd_calls._before(frame, marks).name for frame in (5, 8, 9, 12)])

    def test_a_call_of_two_bytes_is_one_too(self):
        steps = [(0,) * 13 + (64, back, at)
                 for back, at in ((1, 4), (7, 100), (7, 6), (7, 8))]
        self.assertEqual([0, 1, 0, 0],
                         [level for _, level in odd_calls.by_level(steps)])


class Jumps(unittest.TestCase):
    def test_a_caller_returns_behind_a_call_of_two_bytes_or_of_four(self):
        functions = SimpleNamespace(begin=lambda at: at & ~0xFF)
        for call in (0x110, 0x112):
            self.assertEqual(([0x20A], 1), tail_calls._jumps(
                [call, 0x200, 0x20A, 0x300], 0x300, 0x114, functions))

    def test_who_left_by_a_jump_is_told_between_who_was_called_and_who_called(self):
        """main() calls play() at 0x110, which jumps at 0x20A; what that leads to calls
        last() at 0x30C, by a jump of another at 0x40E."""
        functions = SimpleNamespace(begin=lambda at: at & ~0xFF)
        trace = [dict(place("last"), pc=0x504, calls=0),
                 dict(place("inlined", is_whole=False), pc=0x504),
                 dict(place("middle"), pc=0x310, calls=0x400),
                 dict(place("main"), pc=0x114, calls=0x200),
                 dict(place("interrupt", ""), pc=0, calls=0),
                 dict(place("sleep"), pc=0x604, calls=0x600)]
        path = [0x10E, 0x110, 0x200, 0x20A, 0x300, 0x30C, 0x400, 0x40E, 0x500, 0x504]
        self.assertTrue(tail_calls.lacks_callers(trace, functions))
        self.assertFalse(tail_calls.lacks_callers(trace[4:], functions))
        trace[2]["calls"], trace[3]["calls"] = 0x500, 0x300
        self.assertFalse(tail_calls.lacks_callers(trace, functions))
        for ahead, names in ((path, "last by 0x40e inlined middle by 0x20a main"),
                             (path[4:], "last by 0x40e inlined middle main"),
                             ([], "last inlined middle main")):
            with mock.patch.object(tail_calls, "places_at", lambda elf, at: [
                    place(f"by {at:#x}")] if elf == "elf" else []):
                found = tail_calls.with_callers(trace, ahead, functions, "elf")
            self.assertEqual(f"{names} interrupt sleep", " ".join(
                one["function"] for one in found))

    def test_a_handler_that_left_by_a_jump_is_told_with_the_line_of_that(self):
        """Of two jumps to the same function it is not known which."""
        listed = ("     210:\tf000 b8f6 \tbl\t300 <last>\n"
                  "     214:\tf000 b8f6 \tb.w\t300 <last>\n"
                  "     218:\te7b7      \tb.n\t208 <handler+0x8>\n")
        jumped = {"function": "by_jump", "file": GAME, "line": 9}
        trace = [dict(place("last", LIBRARY, is_whole=True), pc=0x304),
                 dict(place("interrupt", "", is_whole=True), pc=0xFFFFFFF9),
                 dict(place("sleep", is_whole=True), pc=0x104)]
        functions = SimpleNamespace(begin=lambda at: at & ~0xFF,
                                    end=lambda at: at + 256)
        for text, handler, more in ((listed, 0x200, ["0x214"]),
                                    (2 * listed, 0x200, ["0x200"]),
                                    (listed, 0x300, []), (listed, 0, [])):
            with mock.patch.object(tail_calls, "told_by", return_value=text), \
                    mock.patch.object(tail_calls, "places_at",
                                      lambda _, at: [place(f"{at:#x}")]):
                found = tail_calls.with_handler(trace, handler, functions, "x.elf")
                later = tail_calls.with_handler([jumped, *trace], handler, functions,
                                                "")
            self.assertEqual(["last", *more, "interrupt", "sleep"],
                             [one["function"] for one in found])
            self.assertEqual([jumped, *found], later)

    def test_a_function_holds_its_first_instruction_and_may_be_weak(self):
        listed = SimpleNamespace(stdout="00000100 T main\n00000201 W handler\n"
                                        "00000300 D data\n         U other\n")
        with mock.patch.object(tail_calls.subprocess, "run", return_value=listed):
            functions = tail_calls.Functions("x.elf")
        self.assertEqual([0, 0x100, 0x100, 0x200, 0x200], [
            functions.begin(at) for at in (0xFE, 0x100, 0x1FE, 0x200, 0x310)])
        self.assertEqual([0x100, 0x200, 0x200, 0x202], [
            functions.end(at) for at in (0xFE, 0x100, 0x1FE, 0x200)])


class Touches(unittest.TestCase):
    """From the newest mark back; the application's own has an even address."""

    def newest(self, by_mark, **pool):
        """[by_mark]: mark's frame -> (frame, counter) of each touch."""
        self.asked, self.words = [], set()
        replay = mock.Mock()
        replay.load.side_effect = lambda mark: self.asked.append([mark.frame])

        def touches(words, until):
            self.asked[-1].append(until)
            self.words.update(words)
            return [Moment(frame, (0,) * 15 + (counter,), b"") if counter else None
                    for frame, counter in by_mark[self.asked[-1][0]]]
        replay.touches.side_effect = touches
        with mock.patch("harness.last_touch._is_own",
                        side_effect=lambda counter, *_: counter % 2 == 0):
            return last_touch(
                replay, [Mark("", at) for at in sorted(by_mark)], 900,
                memory_of(**pool)[1],
                Moment(50, (0,) * 15 + (8,), b"", 0x2008), "")

    def test_the_last_of_the_application_s_is_told_with_where_to_begin(self):
        found = self.newest({0: [(20, 2)], 300: [(310, 2), (320, 4), (330, 5)],
                             600: [(700, 1)]})
        self.assertEqual((320, 300), (found.frame, found.mark.frame))
        self.assertEqual([[600, 900], [300, 600]], self.asked)

    def test_an_object_begins_before_its_link(self):
        for size, begin in ((20, 0x1018), (4, 0x1008)):
            self.newest({0: [(60, 2)]}, size=size)
            self.assertEqual({*range(begin, begin + 16, 4)} | {0x2008}, self.words)

    def test_of_too_many_touches_nothing_is_told(self):
        for count, told_of in ((MOST - 1, True), (MOST, False)):
            self.assertEqual(told_of, self.newest({600: [(700, 2)] * count})
                             is not None)

    def test_what_only_looked_like_a_touch_is_none_but_is_one_more_looked_at(self):
        found = self.newest({0: [], 600: [(700, 2), (710, 0)]})
        self.assertEqual(700, found.frame)
        self.assertIsNone(self.newest({600: [(700, 2)] + [(710, 0)] * (MOST - 1)}))

    def test_before_it_was_issued_nobody_touched_it(self):
        self.assertIsNone(self.newest({0: [(20, 2)], 40: [(60, 1)], 600: []}))
        self.assertEqual([600, 40], [mark for mark, _ in self.asked])
        for frames in (20, 20, 30, 50), (49, 49, 50, 50), (50, 50, 50, 50):
            before, found = [(at, 2) for at in frames], (50, 4)
            self.assertIsNone(self.newest({40: [*before, (50, 8)]}))
            self.assertEqual(found, (50, self.newest(
                {40: [*before, (50, 8), found, (60, 1)]}).registers[15]))
        self.assertIsNone(self.newest({0: [(20, 2), (49, 2), (60, 1)]}))


def summary(**more):
    return {**{"verdict": "fail", "complete": True, "why": "x", "frames": 9000,
               "faults": [], "audits": [], "warnings": [], "results": [],
               "pools": [], "cause": None}, **more}


class Others(unittest.TestCase):
    """What is neither a fault nor an audit."""

    def test_an_expectation_that_failed_first_comes_first(self):
        hoped = [{"name": name, "asked": 3, "failed": failed, "first": first}
                 for name, failed, first in (("a", 1, 90), ("b", 1, 80), ("c", 0, 0))]
        found = why.first_finding(summary(expectations=hoped))
        self.assertEqual((why.EXPECTATION, 80, "b"), found[:3])

    def test_an_end_too_early_is_one_unless_it_was_asked_for(self):
        for passed, complete, there in ((False, True, True), (None, True, False),
                                        (True, True, False), (False, False, False)):
            result = summary(complete=complete, results=[
                {"name": why.FINISHED, "passed": passed}])
            self.assertEqual(there, why.can_explain(result))

    def test_soon_after_is_a_frame_that_is_still_counted(self):
        audit = {"text": "the free list has the wrong length", "pool": "a", "slot": 0,
                 "frame": 19}
        fault = {"kind": "link", "pool": "a", "slot": 3, "address": "0x20",
                 "frame": 19 + why.SOON_FRAMES, "offset": 0}
        result = summary(pools=[{"name": "a"}], faults=[fault], audits=[audit])
        self.assertEqual("link", why.first_finding(result).what)

    def test_a_run_on_the_host_goes_no_way_back(self):
        page = {"options": {"board": why.HOST}}
        with mock.patch.object(why.resume, "result_in",
                               return_value=(summary(faults=[1]), page)), \
                self.assertRaisesRegex(CannotRun, "goes no way back"):
            why.why(SimpleNamespace(folder="x"))

    def test_a_checkpoint_of_the_very_frame_is_not_before_it(self):
        pages = {"a": 4999, "b": 5000}
        with mock.patch.object(why.checkpoint, "all_in", return_value=list(pages)), \
                mock.patch.object(why.checkpoint, "read_page",
                                  side_effect=lambda one: {"frame": pages[one]}):
            self.assertEqual(4999, why.nearest_start("", FINDING))


class Looked(unittest.TestCase):
    """Whether a run that failed is looked into at once."""

    def add(self, frame, start=0, **result):
        audit = {"text": "a dead slot was written to", "pool": "", "slot": 1,
                 "frame": frame}
        result = summary(audits=[audit], **result)
        options = SimpleNamespace(why=True, board="mps2_an385")
        with mock.patch.object(cause.shutil, "which", return_value="there"), \
                mock.patch.object(cause, "nearest_start", return_value=start), \
                mock.patch.object(cause, "_look", return_value="LOOKED"):
            cause.add_cause(result, options, "", lambda text: None, ())
        return " ".join(result["warnings"])

    def test_two_hours_are_run_once_more_and_not_a_frame_more(self):
        hours = 2 * 3600 * 60
        self.assertIn("LOOKED", self.add(hours))
        self.assertIn("that takes longer", self.add(hours + 1))
        self.assertIn("LOOKED", self.add(hours + 60, start=60))
        self.assertIn("that takes longer", self.add(hours + 61, start=60))

    def test_a_run_that_was_stopped_or_passed_is_not_looked_into(self):
        self.assertEqual("", self.add(60, complete=False))
        self.assertEqual("", self.add(60, verdict="pass"))


if __name__ == "__main__":
    unittest.main()
