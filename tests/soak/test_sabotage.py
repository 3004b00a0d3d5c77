# SPDX-License-Identifier: MIT
"""A library that is broken is noticed within a minute of soak, by the right name."""

import tempfile
import unittest

from sabotage import BOARD, HOST, Copy

# What is broken: the file, what stands there, what stands there then, and the
# question that is answered wrong.
ON_THE_HOST = {
    "a double free is not seen": (
        "lib/core/tp_tag.h", "  if (!TP_LIKELY(retired < tag)) return false;\n", "",
        "a second free is refused"),
    "links are not checked": (
        "lib/core/tp_slot.h", "return TP_LIKELY(link - expected <= capacity);",
        "return link != expected + 0xffffffffu;", "a damaged link is named"),
    "generations are ignored": (
        "lib/core/tp_tag.h", "^ wanted->tag) & wanted->mask) == 0",
        "^ wanted->tag) & TP_LIVE) == 0", "the handle of what was freed is stale"),
    "only pools of five slots look at links": (
        "lib/core/tp_slot.h", "return TP_LIKELY(link - tp_list_expected(word) <= ",
        "return pool->capacity != 5 || TP_LIKELY(link - tp_list_expected(word) <= ",
        "a damaged link is named, in any pool"),
    "only pools of five slots look at generations": (
        "lib/core/tp_claim.h",
        "  if (!tp_claim_agrees(pool->tag[claim.slot], claim.tag, bits)) {",
        "  if (pool->capacity == 5 &&\n"
        "      !tp_claim_agrees(pool->tag[claim.slot], claim.tag, bits)) {",
        "no older handle resolves, in any pool"),
    "compaction moves nothing": (
        "lib/allocator/tp_reloc_step.c", "if (!hole || ", "if (true || ",
        "a block moves into the hole before it"),
    "compaction leaves the bytes behind": (
        "lib/allocator/tp_reloc_step.c", "(units - 1) * (TP_RELOC_UNIT / 4));", "0);",
        "what is moved keeps its bytes"),
    "what dies is not poisoned": (
        "lib/check/tp_check.h", "  tp_pattern_put(words + begin, bytes - 4 * begin,"
        " TP_POISON);\n", "  words[begin] += 0;\n", "poison intact"),
    "the youngest is stolen": (
        "lib/core/tp_core.h", "return age[0].newer;", "return age[0].older;",
        "the oldest is stolen"),
    "the peak is not counted": (
        "lib/core/tp_sum.h", "return fresh > reached ? fresh : reached;",
        "return fresh > reached ? 1 : reached;", "the peak is counted"),
    "a slot in 500 is lost": (
        "lib/core/tp_slot.h", "  tp_port_put_less(list, word, (uint32_t)slot);\n",
        "  static uint32_t puts;\n"
        "  if (++puts % 500 == 0) slot = tp_list_top_of(word);\n"
        "  tp_port_put_less(list, word, (uint32_t)slot);\n",
        "every slot is issued once"),
    "red zones are not looked at": (
        "lib/check/tp_check.h", "  return tp_zone_damage_behind(pool, words) |\n",
        "  return 0 * tp_zone_damage_behind(pool, words) && \n",
        "a damaged red zone is named"),
    "a foreign pointer is let pass": (
        "lib/core/tp_core.c", "  tp_raise_free(pool, object, site);\n", "",
        "a foreign pointer is refused"),
    "thefts are not counted": (
        "lib/policy/tp_steal.h", "    state->steals++;\n    stands", "    stands",
        "what was issued and stolen is counted"),
}
ON_A_BOARD = {
    "the port does not lock": (
        "port/cortex_m/tp_port.h", "mrs %0, primask\\n\\tcpsid i", "mrs %0, primask",
        "interrupts wait for the lock"),
    "a request does not lock": (
        "lib/core/tp_core.h", "tp_core_enter(pool, lock, site);\n"
        "  uint32_t key = tp_lock_take(lock);\n  if (!TP_CONSTANT",
        "tp_core_enter(pool, lock, site);\n  uint32_t key = 0;\n  if (!TP_CONSTANT",
        "a call within a call leaves a pool whole"),
}


class Sabotage(unittest.TestCase):
    def assert_noticed(self, target, sabotages):
        with tempfile.TemporaryDirectory() as folder:
            copy = Copy(folder, target)
            self.assertEqual(set(), copy.failed())
            for title, (name, whole, broken, check) in sabotages.items():
                with self.subTest(title):
                    self.assertIn(check, copy.failed_with(name, whole, broken))

    def test_a_library_broken_in_any_of_fourteen_ways_is_noticed_on_the_host(self):
        self.assert_noticed(HOST, ON_THE_HOST)

    def test_a_library_without_a_lock_is_noticed_on_a_board(self):
        self.assert_noticed(BOARD, ON_A_BOARD)
