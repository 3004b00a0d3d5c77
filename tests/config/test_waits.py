# SPDX-License-Identifier: MIT
"""Waits that [contexts] allow, and those that may never end."""

import itertools
import pathlib
import random
import re
import unittest

from helper import complaints, read
from generator.contexts import endless

TABLES = pathlib.Path(__file__).resolve().parent / "waits"
TASKS = ["main", "net", "disk", "shell"]
HEAD = """tidepool = 1
[build]
{}
[contexts]
radio = {{ interrupt = 0x40 }}
""" + "".join(f'{name} = "task"\n' for name in TASKS) + "[pools]\n"


def names(words):
    return str(words.split()).replace("'", '"')


def waiting(name, waits, frees):
    """A row; the contexts as words between blanks."""
    freed = f", frees = {names(frees)}" * bool(frees)
    return (f'{name} = {{ size = 8, count = 2, full = "drop", waits = {names(waits)}'
            f"{freed} }}")


def table(*rows, build=""):
    return HEAD.format(build) + "\n".join(rows) + "\n"


def found(text):
    """The sentences of its complaints, without places and hints."""
    return [re.sub(r"^\d+:\d+: error: ", "", line) for line in complaints(text)
            if line[0] != "="]


class Waits(unittest.TestCase):
    maxDiff = None

    def refused(self, text, *expected):
        self.assertEqual([f'pool "{row}": a wait that may never end: {says}'
                          for row, says in expected], found(text))


class Zephyr(Waits):
    """What hung there, a table each; and what hangs no more after one word."""

    def text(self, name):
        return (TABLES / f"zephyr_{name}.toml").read_text(encoding="utf-8")

    def test_each_table_has_a_test(self):
        tests = pathlib.Path(__file__).read_text(encoding="utf-8")
        for path in TABLES.glob("*.toml"):
            self.assertIn(f'self.text("{path.stem[7:]}")', tests)

    def test_a_queue_of_work_cannot_wait_for_what_it_sends(self):
        text = self.text("17867")
        self.refused(text, ("acl_tx", "sysworkq waits for acl_tx, which only sysworkq"
                                      " frees"))
        self.assertEqual([], found(text.replace(
            "[contexts]", '[contexts]\nl2cap = "task"').replace(
                'waits = ["sysworkq"]', 'waits = ["l2cap"]')))

    def test_of_two_pools_one_that_only_the_waiter_frees_is_enough(self):
        text = self.text("53455")
        self.refused(text, ("sent", "sysworkq waits for sent, which only sysworkq "
                                    "frees"))
        self.assertEqual([], found(text.replace('frees = ["sysworkq"]',
                                                'frees = ["sysworkq", "driver"]')))

    def test_two_that_wait_for_each_other_are_refused(self):
        text = self.text("61146")
        self.refused(text, ("received",
                            "bt_rx waits for received, which only bt_workq frees; "
                            "bt_workq waits for allowed, which only bt_rx frees"))
        self.assertEqual([], found(text.replace('waits = ["bt_workq"]',
                                                'allocates = ["bt_workq"]')))

    def test_a_thread_may_wait_for_a_work_item_that_does_not(self):
        text = self.text("71697")
        self.refused(text, ("net_buf", "sysworkq waits for net_buf, which only "
                                       "sysworkq frees"))
        self.assertEqual([], found(text.replace(
            'waits = ["app", "sysworkq"]',
            'allocates = ["sysworkq"], waits = ["app"]')))

    def test_one_buffer_for_two_is_freed_in_an_interrupt_or_not_waited_for(self):
        text = self.text("119998")
        self.refused(text, ("sdp", "bt_workq waits for sdp, which only bt_workq frees"))
        sdp = text.index("sdp      =")
        self.assertEqual([], found(text[:sdp] + text[sdp:].replace(
            'frees = ["', 'frees = ["hci", "')))


class Circles(Waits):
    RING = [waiting("a", "main", "net"), waiting("b", "net", "disk"),
            waiting("c", "disk", "main")]

    def test_a_ring_of_three_is_named_in_its_order(self):
        self.refused(table(*self.RING),
                     ("a", "main waits for a, which only net frees; net waits for b, "
                           "which only disk frees; disk waits for c, which only main "
                           "frees"))

    def test_an_interrupt_or_another_task_breaks_a_ring(self):
        for freer in ("radio", "shell"):
            for broken in range(3):
                ring = list(self.RING)
                ring[broken] = ring[broken].replace('frees = ["',
                                                    f'frees = ["{freer}", "')
                self.assertEqual([], found(table(*ring)), (freer, broken))

    def test_a_row_of_which_nobody_has_a_slot_while_he_waits_breaks_a_ring(self):
        for broken in range(3):
            ring = list(self.RING)
            ring[broken] = ring[broken].replace(" }", ", waits_end = true }")
            self.assertEqual([], found(table(*ring)), broken)
        self.assertEqual([], found(table(waiting("a", "main net", "main net").replace(
            " }", ", waits_end = true }"))))

    def test_a_mistake_where_waits_may_be_said_to_end_is_one_complaint(self):
        for word in ("waits_end = 1", "waits_edn = true"):
            says = waiting("a", "main", "main").replace(" }", f", {word} }}")
            self.assertEqual(1, len(found(table(says))), found(table(says)))

    def test_waits_end_is_no_answer_where_nobody_frees_nor_where_nobody_waits(self):
        says = waiting("a", "main", "").replace(" }", ", waits_end = true }")
        self.refused(table(says), ("a", "main waits for a, which nobody frees"))
        says = says.replace('waits = ["main"], ', "")
        self.assertEqual(['pool "a": nobody waits for it'], found(table(says)))

    def test_another_task_that_is_stuck_itself_breaks_none(self):
        self.refused(table(waiting("a", "main", "main shell"),
                           waiting("b", "shell", "main")),
                     ("a", "main waits for a, which only main and shell free; shell "
                           "waits for b, which only main frees"))

    def test_what_nobody_frees_is_waited_for_in_vain(self):
        self.refused(table(waiting("a", "main", "")),
                     ("a", "main waits for a, which nobody frees"))
        self.assertIn('= frees = ["CONTEXT"] says who gives slots back',
                      complaints(table(waiting("a", "main", ""))))

    def test_a_wait_that_only_leads_into_a_circle_is_not_told(self):
        self.refused(table(waiting("a", "shell", "main"), waiting("b", "main", "main")),
                     ("b", "main waits for b, which only main frees"))

    def test_each_of_two_circles_is_told(self):
        self.refused(table(waiting("a", "main", "main"), waiting("b", "main", "main"),
                           waiting("c", "net", "disk"), waiting("d", "disk", "net")),
                     ("a", "main waits for a, which only main frees"),
                     ("b", "main waits for b, which only main frees"),
                     ("c", "net waits for c, which only disk frees; disk waits for d, "
                           "which only net frees"))

    def test_the_way_out_is_told(self):
        self.assertIn("= let another context free a too, or main call a_alloc(), which "
                      "does not wait; or, if nobody waits while he has one, "
                      "waits_end = true",
                      complaints(table(waiting("a", "main", "main"))))

    def test_a_name_that_is_wrong_is_one_complaint(self):
        self.assertEqual(['pool "a": unknown context "diks"'],
                         found(table(waiting("a", "main", "main diks"))))
        self.assertEqual(['pool "a": frees must be an array, not a string'],
                         found(table(waiting("a", "main", "main").replace(
                             '["main"] }', '"main" }'))))

    def test_what_is_refused_is_what_some_of_them_can_wait_for_together(self):
        """Compared with a look at every set of tasks."""
        refused = 0
        for seed in range(400):
            dice = random.Random(seed)
            rows = []
            for name in "abc"[:dice.randint(1, 3)]:
                waits = dice.sample(TASKS, dice.randint(1, 3))
                frees = dice.sample(TASKS + ["radio"], dice.randint(0, 3))
                rows.append((name, waits, frees))
            text = table(*[waiting(name, " ".join(waits), " ".join(frees))
                           for name, waits, frees in rows])
            told = list(endless(read(text).rows()))
            self.assertEqual(bool(told), any(
                can_all_wait(some, rows) for size in range(1, 5)
                for some in itertools.combinations(TASKS, size)), text)
            for _, says, _ in told:
                some = re.findall(r"(\w+) waits for", says)
                self.assertTrue(can_all_wait(some, rows), (text, says))
            refused += bool(told)
        self.assertTrue(100 < refused < 300, refused)  # Else it tells too little.


def can_all_wait(some, rows):
    return all(any(task in waits and set(frees) <= set(some)
                   for _, waits, frees in rows) for task in some)


class Interrupts(Waits):
    def test_an_interrupt_cannot_wait(self):
        text = table(waiting("a", "main radio", "radio"))
        self.assertEqual(['pool "a": radio is an interrupt, which cannot wait'],
                         found(text))
        self.assertIn("= a_alloc() does not: write it into allocates", complaints(text))

    def test_above_the_mask_nobody_is_woken(self):
        for mask, refused in [(0x41, True), (0x40, False), (0x20, False)]:
            text = table(waiting("a", "main", "radio"), build=f"rtos_mask = {mask}")
            says = (f'pool "a": radio, of priority 0x40, is above rtos_mask = {mask:#x}'
                    ", and to free wakes who waits: a call of the RTOS")
            self.assertEqual([says] * refused, found(text))

    def test_above_the_mask_an_interrupt_allocates_and_frees_unawaited_slots(self):
        asks = waiting("a", "main", "net").replace("waits",
                                                   'allocates = ["radio"], waits')
        self.assertEqual([], found(table(
            asks, waiting("b", "main", "radio").replace("waits", "allocates"),
            build="rtos_mask = 0x80")))


if __name__ == "__main__":
    unittest.main()
