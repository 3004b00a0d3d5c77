# SPDX-License-Identifier: MIT
"""Complaints about what a pool does when it is full, and about its objects."""

import re
import unittest

from helper import complaints, files, row, table

LEAST = 'full = "steal-least", score = "f", handles = 32'


class Policies(unittest.TestCase):
    maxDiff = None

    def found(self, *rows):
        """Complaints as "key: text": the key that the caret stands below."""
        text = table(*rows)
        lines, found = text.split("\n"), []
        for line in complaints(text):
            if line[0] == "=":
                found.append(line)
                continue
            number, column, what = line.split(":", 2)
            before = lines[int(number) - 1][: int(column) - 1].rstrip(" =\"")
            found.append(f"{number}:{before.split()[-1] if before else ''}:{what}")
        return found

    def pool(self, more, *expected):
        """For one pool of 16 slots of 24 bytes."""
        self.assertEqual(self.found(f"a = {{ size = 24, count = 16, {more} }}"),
                         list(expected))


class Least(Policies):
    def test_the_least_needs_a_score(self):
        self.pool('full = "steal-least", handles = 32',
                  '3:full: error: pool "a": score is missing',
                  '= score = "FUNCTION" tells how much an object would be missed')

    def test_raw_pointers_and_theft_do_not_mix_here_either(self):
        self.pool('full = "steal-least", score = "f"',
                  '3:full: error: pool "a": raw pointers and theft do not mix',
                  '= evict = "FUNCTION" lets the owner forget the victim',
                  "= handles = 32 lets the owner notice")

    def test_a_scan_in_an_interrupt_is_pointed_out(self):
        self.pool(LEAST + ", isr = true, min_age = 2",
                  '3:full: warning: pool "a": when it is full, an interrupt looks at '
                  'up to '
                  "16 objects", '= full = "steal-oldest" looks at one')

    def test_a_scan_in_an_interrupt_that_spares_nobody_is_pointed_out(self):
        found = self.found(f"a = {{ size = 24, count = 16, {LEAST}, isr = true }}")
        self.assertIn('3:full: warning: pool "a": an interrupt may take what was '
                      "issued a moment ago, by the score of what lay there before",
                      found)
        self.assertIn("= min_age = 2 spares it, in units of tp_clock_now", found)

    def test_that_interrupts_may_keep_a_scan_from_its_end_is_said(self):
        looks = "or interrupts changed the pool in each of four looks."
        for more, said in (("", False), (", isr = true", True)):
            made = files(table(f"a = {{ size = 24, count = 16, {LEAST}{more} }}"))
            comment = made["tp_pools.h"].replace("\n// ", " ")
            self.assertEqual(said, looks in comment)

    def test_what_belongs_to_thieves_is_refused_elsewhere(self):
        for key, whose in [('score = "f"', 'full = "steal-least"'),
                           ("refuse_below = true", 'full = "steal-least"'),
                           ("min_age = 3", "pools that steal"),
                           ("pin = true", "pools that steal")]:
            name = key.split()[0]
            self.pool(f'full = "drop", {key}',
                      f'3:{name}: error: pool "a": {name} has no meaning here',
                      f"= it belongs to {whose}")


class Oldest(unittest.TestCase):
    def policy(self, more):
        """Of one pool that steals."""
        text = files(table(row(full='"steal-oldest"', more=", " + more)))["tp_pools.c"]
        return re.search(r"\.policy = &(\w+),", text)[1]

    def test_rows_whose_thefts_nobody_is_told_of_hand_slots_over_in_one_window(self):
        for more in ("handles = 32", "handles = 64, pin = true"):
            self.assertEqual("tp_steal_oldest", self.policy(more), more)

    def test_rows_with_evict_a_clock_or_another_lock_take_no_code_for_that(self):
        for more in ('evict = "f"', "handles = 32, min_age = 3",
                     'handles = 32, lock = "none"', 'handles = 32, deinit = "g"'):
            self.assertEqual("tp_steal_detached", self.policy(more), more)


class Lives(Policies):
    def test_how_long_an_object_lives_is_said_in_time_or_for_ever(self):
        for life in ('"10 s"', '"5 min"', '"2 h"', "600", '"forever"'):
            self.pool(f'full = "drop", life = {life}')
        for life in ('"10"', '"0 s"', '"ten s"', '"3 days"'):
            self.pool(f'full = "drop", life = {life}',
                      '3:life: error: pool "a": life must be a time such as'
                      f' "10 s", or "forever", not {life}')


class Written(Policies):
    def test_what_is_written_is_seen(self):
        self.pool('full = "drop", written = true')
        for more, key, why in (
                ("retain = [4, 8]", "retain", "what is retained is written by the "
                                              "library"),
                ("link = 4", "link", "what stands before a link is left as it was"),
                ("dma = true", "dma", "nobody sees what DMA writes")):
            self.pool(f'full = "drop", written = true, {more}',
                      '3:written: error: pool "a": not every write is seen: ' + why,
                      f"= take it out, or {key}")


class Links(Policies):
    def test_a_link_is_a_word_of_the_object(self):
        self.pool('full = "drop", link = 6',
                  '3:link: error: pool "a": must be a multiple of 4, not 6',
                  "= link = 4")
        self.pool('full = "drop", link = 24',
                  '3:link: error: pool "a": a link of 4 bytes at 24 ends behind '
                  "size = 24")
        self.pool('full = "drop", link = 20')

    def test_what_is_retained_lies_behind_the_link(self):
        self.pool('full = "drop", link = 8, retain = [4, 8]',
                  '3:retain: error: pool "a": it begins at 4, before link = 8',
                  "= what is retained lies behind the link")

    def test_policies_of_the_application_know_no_link(self):
        self.pool('policy = "mine", link = 4',
                  '3:link: error: pool "a": mine would not know of it',
                  "= policies deal in slots, which begin at their link")

    def test_what_is_spilled_has_the_link_there_too(self):
        spill = '"spill", spill = "b", then = "drop"'
        self.assertEqual(self.found(row("a", full=spill, more=", link = 4"), row("b")),
                         ['3:link: error: pool "a": link = 4 here, 0 in the slots of b '
                          "on line 4", "= link = 0"])
        self.assertEqual(self.found(row("a", full=spill, more=", link = 4"),
                                    row("b", more=", link = 4")), [])


def typed(row="b", name="msg", full="drop", more=""):
    """A row whose size only C knows."""
    return f'{row} = {{ type = "struct {name}", count = 4, full = "{full}"{more} }}'


class Chunks(Policies):
    def chunk(self, more, *others):
        return self.found(row("a", full='"spill", then = "drop"', more=more), *others)

    def test_a_chunk_is_a_pool_of_the_table(self):
        self.assertEqual(self.chunk(', chunks = ["c"]', row("b")),
                         ['3:chunks: error: pool "a": unknown pool "c"', "= known: b"])
        self.assertEqual(self.chunk(', chunks = ["b", "b"]', row("b")),
                         ['3:chunks: error: pool "a": chunks must be names of pools, '
                          "each once"])

    def test_a_pool_is_no_chunk_of_itself(self):
        self.assertEqual(self.chunk(', chunks = ["a"]', row("b")), [
            '3:chunks: error: pool "a": it cannot be a chunk of itself'])

    def test_a_chunk_has_the_slots_of_its_pool_and_no_other_pool(self):
        chunks = ', chunks = ["b"]'
        self.assertEqual(self.chunk(chunks, row("b")), [])
        self.assertEqual(self.chunk(chunks, row("b", size="32")),
                         ['3:chunks: error: pool "a": b on line 4 has other slots',
                          "= type, size, align, link and isr must be the same"])
        self.assertEqual(self.chunk(chunks, row("b", full='"assert"')),
                         ['3:chunks: error: pool "a": b on line 4 would answer with '
                          'full = "assert"', '= a chunk says full = "drop"'])
        self.assertEqual(self.chunk(chunks, row("b"), row(
            "c", full='"spill", spill = "b", then = "drop"')),
            ['3:chunks: error: pool "a": b on line 4 is a chunk of another pool too'])

    def test_a_chunk_is_not_what_its_pool_spills_into_anyway(self):
        """To attach it is the fault CHUNK, and at off no end of asking it."""
        self.assertEqual(self.chunk(', spill = "b", chunks = ["b"]', row("b")),
                         ['3:chunks: error: pool "a": b on line 4 is what it spills '
                          "into already", "= take it out of one of the two"])
        self.assertEqual(self.chunk(', spill = "c", chunks = ["b"]', row("b"),
                                    row("c")), [])

    def test_a_chunk_is_like_its_pool_whoever_knows_their_sizes(self):
        a = typed("a", full="spill", more=', chunks = ["b"], then = "drop"')
        for b, told in [(typed(name="other"), "has other slots"),
                        (typed(more=", isr = true"), "has other slots"),
                        (typed(more=", link = 4"), "has other slots"),
                        (typed(full="assert"), 'would answer with full = "assert"'),
                        (typed() + "\n" + a.replace("a =", "c ="),
                         "is a chunk of another pool too")]:
            with self.subTest(b):
                self.assertEqual(f'3:chunks: error: pool "a": b on line 4 {told}',
                                 self.found(a, b)[0])
        self.assertEqual(self.found(a, typed()), [])

    def test_a_chunk_with_a_mistake_is_not_also_unlike_its_pool(self):
        a = typed("a", full="spill", more=', chunks = ["b"], then = "drop"')
        for b, key in [(typed(full="dorp"), "full"), (typed(name="1"), "type"),
                       (typed(more=", link = []"), "link"),
                       (typed(more=", align = 5"), "align"),
                       (typed(more=", isr = 1"), "isr")]:
            found = [line for line in self.found(a, b) if line[0] != "="]
            self.assertEqual([f"4:{key}"], [line.rsplit(": error")[0]
                                            for line in found], found)


class Inits(Policies):
    def test_an_init_is_a_function_or_several_by_name(self):
        self.pool('full = "drop", init = {}',
                  '3:init: error: pool "a": init must be at least one '
                  '{ name = "FUNCTION" }')
        self.pool('full = "drop", init = { boss = "no function" }',
                  '3:init: error: pool "a": init must be the name of a C function, not '
                  '"no function"')
        self.pool('full = "drop", init = { boss = "boss_init", grunt = "f" }')


class Spills(Policies):
    def spill(self, more="", other='b = { size = 24, count = 4, full = "drop" }',
              into="b"):
        return self.found('a = { size = 24, count = 16, full = "spill", '
                          f'spill = "{into}", then = "drop"{more} }}',
                          other)

    def test_where_to_and_what_then_are_needed(self):
        self.pool('full = "spill"', '3:full: error: pool "a": spill is missing',
                  "= the pool that lends its slots",
                  '3:full: error: pool "a": then is missing',
                  "= the answer when that one is full too: assert, drop or a theft")

    def test_what_is_missing_then_may_be_a_theft(self):
        for key in ('evict = "f"', 'score = "f"', "refuse_below = true", "min_age = 1",
                    "pin = true"):
            self.assertEqual(['3:full: error: pool "a": then is missing'],
                             self.found(row("a", full='"spill"', more=', spill = "b", '
                                            + key), row("b"))[::2], key)

    def test_a_pool_that_lends_must_be_there(self):
        self.assertEqual(self.spill(into="c"),
                         ['3:spill: error: pool "a": unknown pool "c"', "= known: b"])

    def test_a_pool_cannot_spill_into_itself(self):
        self.assertEqual(self.spill(into="a"),
                         ['3:spill: error: pool "a": it cannot spill into itself'])

    def test_slots_that_are_too_small_are_refused(self):
        self.assertEqual(self.spill(other=row("b", size="16")), [
            '3:spill: error: pool "a": slots of 24 bytes do not fit into those of b, '
            '16',
            "= its size is on line 4"])

    def test_slots_that_are_aligned_less_are_refused(self):
        self.assertEqual(self.spill(other=row("b", more=", align = 4")), [
            '3:spill: error: pool "a": slots aligned to 8 do not fit into those of b, '
            'aligned to 4'])

    def test_another_type_is_refused_unless_it_is_accepted(self):
        other = row("b", more=', type = "struct b"')
        self.assertEqual(self.spill(other=other), [
            '3:spill: error: pool "a": a slot of b is for a struct b, not for a void',
            "= untyped = true accepts it"])
        self.assertEqual(self.spill(", untyped = true", other), [])

    def test_a_lender_is_for_interrupts_if_a_borrower_is(self):
        self.assertEqual(self.spill(", isr = true"), [
            '3:spill: error: pool "a": interrupts would use b, which is not for them',
            "= add isr = true to it on line 4"])
        self.assertEqual(self.spill(", isr = true", row("b", more=", isr = true")), [])

    def test_a_lender_neither_steals_nor_asserts(self):
        self.assertEqual(self.spill(other=row("b", full='"assert"')), [
            '3:spill: error: pool "a": b on line 4 would answer with full = "assert"',
            '= what is spilled into must say "drop" or "spill", and steal nothing'])

    def test_a_ring_of_spills_is_told_once(self):
        spill = '"spill", then = "drop"'
        self.assertEqual(self.found(row("x", full=spill, more=', spill = "a"'),
                                    row("a", full=spill, more=', spill = "b"'),
                                    row("b", full=spill, more=', spill = "c"'),
                                    row("c", full=spill, more=', spill = "a"')),
                         ['4:spill: error: pool "a": spills in a ring: a to b to c to '
                          'a'])

    def test_handles_number_the_slots_of_one_lender(self):
        self.assertEqual(self.spill(", handles = 32"), [])
        self.assertEqual(
            self.found(row("a", full='"spill", spill = "b", then = "drop"',
                           more=", handles = 32"),
                       row("b", full='"spill", spill = "c", then = "drop"'), row("c")),
            ['3:handles: error: pool "a": b spills in turn',
             "= handles number the slots of one other pool"])
        self.assertEqual(
            self.found(row("a", full='"spill", chunks = ["b"], then = "drop"',
                           more=", handles = 32"), row("b")),
            ['3:handles: error: pool "a": a pool with chunks has no handles',
             "= slots that come and go have no numbers"])

    def test_what_belongs_to_spills_is_refused_elsewhere(self):
        for key in ['spill = "a"', 'then = "drop"', "untyped = true"]:
            name = key.split()[0]
            found = self.found(row(more=", " + key))
            self.assertIn(f'3:{name}: error: pool "a": {name} has no meaning here',
                          found)
        self.pool('full = "drop", patience = 3',
                  '3:patience: error: pool "a": patience has no meaning here',
                  "= it belongs to pools that others spill into")

    def test_patience_is_not_refused_while_a_spill_is_mistaken(self):
        self.assertEqual(self.found('a = { size = 24, count = 16, full = "spill", '
                                    'spill = 3, then = "drop" }',
                                    row("b", more=", patience = 3")),
                         ['3:spill: error: pool "a": spill must be a string, not a '
                          'whole number'])


class Reserves(Policies):
    def test_a_reserve_is_less_than_all(self):
        self.pool('full = "drop", reserve = 16',
                  '3:reserve: error: pool "a": must be less than count = 16, not 16')

    def test_only_pools_that_drop_or_assert_have_one(self):
        self.pool('full = "steal-oldest", evict = "f", reserve = 2',
                  '3:reserve: error: pool "a": full = '
                  '"steal-oldest" has no reserve',
                  "= pools that assert or drop may have one")


class Own(Policies):
    def test_an_answer_of_the_application_is_called_by_its_key(self):
        self.pool('policy = "mine", reserve = 2',
                  '3:reserve: error: pool "a": policy has no reserve',
                  "= pools that assert or drop may have one")
        own = row("b").replace('full = "drop"', 'policy = "mine"')
        for more in (', spill = "b"', ', chunks = ["b"]'):
            self.assertIn("b on line 4 would answer with policy", self.found(
                row("a", full='"spill", then = "drop"', more=more), own)[0])


class Waits(Policies):
    def test_a_pool_that_is_waited_for_is_plain_and_drops(self):
        for more, what in [('full = "assert"', 'full = "assert"'),
                           ('policy = "mine"', "policy"),
                           ('full = "drop", low_water = 3', "low_water"),
                           ('full = "drop", handles = 32, deinit = "f"', "deinit"),
                           ('full = "drop", deinit = "f"', "deinit"),
                           ('full = "drop", code = "own"', 'code = "own"'),
                           ('full = "drop", lock = "none"', 'lock = "none"')]:
            self.pool(f"{more}, wait = true",
                      f'3:wait: error: pool "a": does not go with {what}',
                      '= a pool that is waited for has full = "drop", a lock that '
                      "masks, and no class, reserve, low_water, hooks, or code of "
                      "its own")

    def test_nobody_waits_for_an_object_of_a_class(self):
        self.assertIn('3:wait: error: pool "a": does not go with a class', self.found(
            'a = { type = "app::Job", count = 4, full = "drop", wait = true }'))


class Water(Policies):
    def test_refill_is_above_low_water_and_within_the_pool(self):
        for more, key in [("low_water = 4, refill = 4", "refill"),
                          ("low_water = 4, refill = 17", "refill"),
                          ("low_water = 16", "low_water")]:
            found = self.found('a = { size = 24, count = 16, full = "drop", '
                               f'{more} }}')
            self.assertEqual(len(found), 1)
            self.assertIn(f'3:{key}: error: pool "a": low_water = ', found[0])

    def test_a_watched_pool_is_plain(self):
        for more, what in [("handles = 32", "handles"), ("reserve = 2", "reserve"),
                           ('code = "own"', 'code = "own"'),
                           ('deinit = "f"', "deinit")]:
            self.pool(f'full = "drop", low_water = 3, {more}',
                      f'3:low_water: error: pool "a": does not go with {what}, whose '
                      "calls would not be counted",
                      "= a pool with low_water drops or asserts, and has no reserve, "
                      "handles, hooks, or code of its own")

    def test_what_lends_is_not_watched(self):
        self.assertEqual('3:low_water: error: pool "a": does not go with what others '
                         "spill into it, whose calls would not be counted",
                         self.found(row("a", more=", low_water = 1"),
                                    row("b", full='"spill"',
                                        more=', spill = "a", then = "drop"'))[0])

    def test_what_belongs_to_low_water_is_refused_elsewhere(self):
        for key in ['on_low = "f"', "refill = 3", 'on_refill = "f"']:
            name = key.split()[0]
            self.pool(f'full = "drop", {key}',
                      f'3:{name}: error: pool "a": {name} has no meaning here',
                      "= it belongs to pools with low_water")


class OwnPolicies(Policies):
    def test_a_policy_stands_in_place_of_full(self):
        self.pool('policy = "mine"')
        self.pool('full = "drop", policy = "mine"',
                  '3:policy: error: pool "a": full and policy are two answers',
                  "= take one of them out")

    def test_what_it_lends_it_takes_back(self):
        self.pool('policy = "mine", take_back = true')
        self.pool('full = "drop", take_back = true',
                  '3:take_back: error: pool "a": take_back has no meaning here',
                  "= it belongs to pools with policy")

    def test_what_is_taken_back_is_known_by_its_address_alone(self):
        for more, key in (("handles = 32", "handles"), ("low_water = 2", "low_water"),
                          ('code = "own"', "code"), ('init = "f"', "init"),
                          ('in_use = "f"', "in_use"), ("retain = [4, 4]", "retain")):
            self.pool(f'policy = "mine", take_back = true, {more}',
                      f'3:{key}: error: pool "a": {key} knows nothing of what mine '
                      "lends", "= take_back = false, or leave it out")

    def test_without_either_full_is_missing(self):
        self.assertEqual(self.found("a = { size = 24, count = 16 }"), [
            '3:: error: pool "a": full is missing',
            "= what happens when full is a decision, so it has no default"])


class Objects(Policies):
    def test_deinit_is_told_of_theft(self):
        self.pool('full = "steal-oldest", deinit = "f"')
        self.pool('full = "steal-oldest", deinit = "f", evict = "g"',
                  '3:evict: error: pool "a": deinit is told of '
                  "theft as well", "= write deinit in place of evict")

    def test_so_is_a_destructor(self):
        self.assertEqual(['3:evict: error: pool "a": the destructor runs in a theft as '
                          "well", "= do there what evict would"],
                         self.found('a = { type = "app::Foe", count = 4, full = '
                                    '"steal-oldest", evict = "gone" }'))

    def test_objects_stay_at_home(self):
        self.pool('full = "drop", reserve = 2, in_use = "f"',
                  '3:in_use: error: pool "a": a pool with a reserve has '
                  "no hooks", "= objects in the reserve would miss them")

    def test_a_spill_may_end_in_theft(self):
        b = 'b = { size = 24, count = 4, full = "drop" }'
        a = 'a = { size = 24, count = 16, full = "spill", spill = "b", then = '
        self.assertEqual(self.found(a + '"steal-oldest", evict = "f" }', b), [])
        self.assertEqual(self.found(a + '"steal-least", score = "g", deinit = "f", '
                                    "refuse_below = true, pin = true }", b), [])
        self.assertEqual(self.found(a + '"steal-oldest" }', b)[0],
                         '3:then: error: pool "a": raw pointers and theft do not mix')
        self.assertEqual(self.found(a + '"steal-least", deinit = "f" }', b)[0],
                         '3:then: error: pool "a": score is missing')
        self.assertEqual(self.found(a + '"drop", evict = "f" }', b)[0],
                         '3:evict: error: pool "a": then = "drop" never evicts')

    def test_a_thief_lends_nothing(self):
        c = ('c = { size = 24, count = 9, full = "spill", spill = "a", '
             'then = "drop" }')
        found = self.found('a = { size = 24, count = 16, full = "spill", spill = "b", '
                           'then = "steal-oldest", evict = "f" }',
                           'b = { size = 24, count = 4, full = "drop" }', c)
        self.assertEqual(found, [
            '5:spill: error: pool "c": a on line 3 would answer with then = '
            '"steal-oldest"',
            '= what is spilled into must say "drop" or "spill", and steal nothing'])

    def test_hooks_reach_what_one_other_pool_lends(self):
        self.assertEqual(self.hooked(), [])
        for found, told in [
                (self.hooked(more=', retain = [8, 4]'),
                 "3:retain: error: pool \"a\": what spills retains nothing"),
                (self.hooked(more=', chunks = ["c"]', third=True),
                 '3:init: error: pool "a": a pool with chunks has no hooks'),
                (self.hooked(b='"spill", spill = "c", then = "drop"', third=True),
                 '3:init: error: pool "a": b spills in turn, so its objects would miss '
                 "the hooks")]:
            self.assertEqual(found[0], told)

    def test_what_lends_has_no_hooks_and_is_of_no_class(self):
        for key in ['spill = "b"', 'chunks = ["b"]']:
            for hook, value in [("init", '"f"'), ("deinit", '"f"'), ("in_use", '"f"'),
                                ("init", '{ boss = "f" }'), ("retain", "[8, 4]")]:
                self.lent(key, f"has {hook}", f", {hook} = {value}")
            self.lent(key, "has deinit", ', type = "struct foe", deinit = "f"')
            self.lent(key, "is of a class", ', type = "app::Foe"')

    def lent(self, key, what, more):
        """By b, whose objects [more] tells of, to a, which knows nothing of them."""
        a = row("a", full='"spill"', more=f', {key}, then = "drop", untyped = true')
        with self.subTest(key, more=more):
            self.assertIn(f'3:{key.split()[0]}: error: pool "a": b {what} on line 4, '
                          "which would meet what it lends",
                          self.found(a, row("b", more=more)))

    def hooked(self, b='"drop"', more="", third=False):
        rows = ['a = { size = 24, count = 16, full = "spill", spill = "b", '
                f'then = "drop", init = "f"{more} }}',
                f"b = {{ size = 24, count = 4, full = {b} }}"]
        rows += ['c = { size = 24, count = 4, full = "drop" }'] * third
        return self.found(*rows)

    def test_what_is_retained_lies_in_the_object(self):
        self.pool('full = "drop", retain = [16, 12]',
                  '3:retain: error: pool "a": 12 bytes at 16 end behind size = 24')
        for part in ["[4]", "[2, 8]", "[0, 0]", "[0, 6]"]:
            self.pool(f'full = "drop", retain = {part}',
                      '3:retain: error: pool "a": retain must be [offset, size], '
                      "two multiples of 4")

    def test_what_belongs_to_retain_is_refused_elsewhere(self):
        for name in ["validate", "close"]:
            self.pool(f'full = "drop", {name} = "f"',
                      f'3:{name}: error: pool "a": {name} has no meaning here',
                      "= it belongs to pools with retain")

    def test_exclusive_pools_have_no_hooks(self):
        self.pool('full = "drop", code = "own", lock = "exclusive", deinit = "f"',
                  '3:lock: error: pool "a": LDREX '
                  "and STREX change one word at a time; a pool with hooks or spills "
                  "changes more",
                  '= write lock = "primask"')

    def test_type_and_union_exclude_each_other(self):
        self.pool('full = "drop", type = "struct a", union = ["struct a", "struct b"]',
                  '3:union: error: pool "a": '
                  "type and union are two answers", "= take one of them out")

    def test_a_union_has_2_to_8_types(self):
        for types in [["a"], list("abcdefghi")]:
            self.pool(f'full = "drop", union = {types}'.replace("'", '"'),
                      '3:union: error: pool "a": union must be 2 '
                      f"to 8 types, not {len(types)}")

    def test_one_function_takes_one_type_whatever_it_is_told(self):
        self.assertEqual(self.found(row("a", more=', deinit = "f", type = "struct a"'),
                                    row("b", full='"steal-oldest"',
                                        more=', evict = "f"')),
                         ['4:evict: error: pool "b": f would take a void here, a '
                          'struct a on line 3',
                          "= one function for each type"])

    def test_one_function_is_one_for_the_compiler_too(self):
        watched = 'full = "drop", low_water = 1, on_low = "f"'
        for keys, key, ours, theirs in [
                ('init = "f", deinit = "f"', "deinit", "void (void *)",
                 "bool (void *, void *)"),
                ('in_use = "f", deinit = "f"', "in_use", "bool (const void *)",
                 "void (void *)"),
                ('retain = [0, 8], validate = "f", close = "f"', "close",
                 "void (void *)", "bool (void *)")]:
            self.pool(f'full = "drop", {keys}', f'3:{key}: error: pool "a": f would be '
                      f"{ours} here, {theirs} on line 3", "= one function for each")
        self.assertIn('4:evict: error: pool "b": f would be void (void *) here, void '
                      "(const struct tp_pool *, uint32_t) on line 3", self.found(
                          f"a = {{ size = 24, count = 16, {watched} }}",
                          row("b", full='"steal-oldest"', more=', evict = "f"')))
        self.pool('full = "drop", deinit = "f", retain = [0, 8], close = "f"')


del Policies

if __name__ == "__main__":
    unittest.main()
