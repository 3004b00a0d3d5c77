# SPDX-License-Identifier: MIT
"""Complaints about who calls what, by what [contexts] and rows declare."""

import re
import unittest

from helper import GOLDEN, ROOT, complaints, files, read, row
from generator.measure import memory_table

CONTEXTS = """tidepool = 1
[contexts]
main  = "task"
shell = "task"
radio = { interrupt = 0x40 }
uart  = { interrupt = 0x40 }
timer = { interrupt = 0x20 }
[pools]
"""


class Contexts(unittest.TestCase):
    maxDiff = None

    def expect(self, text, *expected):
        """Its complaints without their places."""
        self.assertEqual([re.sub(r"^\d+:\d+: ", "", line) for line in complaints(text)],
                         list(expected))

    def pool(self, more, *expected, full='"drop"'):
        """For one pool that the [contexts] above may call."""
        self.expect(CONTEXTS + row(full=full, more=", " + more), *expected)

    def declared(self, line, *expected):
        self.expect(f"tidepool = 1\n[contexts]\n{line}\n[pools]\n{row()}", *expected)


class Declared(Contexts):
    def test_a_context_is_a_task_or_an_interrupt(self):
        self.declared('a = "task"')
        self.declared("a = { interrupt = 0 }")
        self.declared("[contexts.a]\ninterrupt = 255")
        for nothing in ("{ }", '"tsak"'):
            self.declared(f"a = {nothing}",
                          'error: context "a": it is neither a task nor an interrupt',
                          '= write a = "task" or a = { interrupt = 0x40 }')
        self.declared("a = 3", 'error: context "a" must be a table, not a whole number',
                      '= write a = "task" or a = { interrupt = 0x40 }')

    def test_a_misspelled_key_is_one_complaint(self):
        self.declared("a = { interupt = 3 }",
                      'error: unknown key "interupt" in context "a"',
                      '= did you mean "interrupt"?')

    def test_a_mistaken_core_is_one_complaint_too(self):
        self.declared("a = { coer = 1 }", 'error: unknown key "coer" in context "a"',
                      '= did you mean "core"?')
        stack = '[stacks]\ns = { bytes = 64, full = "drop", allocates = ["a", "b"] }\n'
        for keys in ("interrupt = 3, core = 9", "interupt = 3, core = 1",
                     "interrupt = -1, core = 0"):
            found = complaints('tidepool = 1\n[contexts]\nb = { core = 1 }\n'
                               f"a = {{ {keys} }}\n{stack}")
            self.assertEqual(1, sum("error: " in line for line in found), found)

    def test_a_context_is_declared_once(self):
        self.declared('a = "task"\na = { interrupt = 3 }',
                      'error: key "a" is written twice', "= the first is on line 3")

    def test_a_priority_fits_into_a_byte(self):
        self.declared("a = { interrupt = 256 }",
                      'error: context "a": interrupt must be 0 to 255, not 256')

    def test_a_priority_is_one_that_the_core_has(self):
        for cpu, known in [("cortex-m0", False), ("cortex-m23", False),
                           ("cortex-m3", True)]:
            self.declared(f'a = {{ interrupt = 0x20 }}\n[build]\ncpu = "{cpu}"', *(
                [] if known else [
                    f'error: context "a": {cpu} has no priority 0x20',
                    "= it has 0x00, 0x40, 0x80 and 0xc0"]))
        for any_core_has in ("{ interrupt = 0xc0 }", "{ interrupt = 0 }", '"task"',
                             "{ core = 1 }"):
            self.declared(f'a = {any_core_has}\n[build]\ncpu = "cortex-m0"')

    def test_a_core_without_basepri_has_no_mask_of_an_rtos(self):
        self.declared('[build]\nrtos_mask = 0x40\ncpu = "cortex-m0"',
                      "error: [build]: cortex-m0 has no BASEPRI",
                      "= its RTOS masks all interrupts: take rtos_mask out")
        self.declared('[build]\nrtos_mask = 0x40\ncpu = "cortex-m4"')

    def test_its_name_is_one_of_c(self):
        self.declared('a-b = "task"',
                      'error: context "a-b": the name is not a C identifier',
                      "= write a_b")

    def test_a_table_is_more_than_contexts(self):
        self.expect('tidepool = 1\n[contexts]\na = "task"\n',
                    'error: "pools" is missing', "= one row below [pools] is one pool")


class Named(Contexts):
    def test_rows_name_contexts_that_there_are(self):
        for key in ("allocates", "frees"):
            self.pool(f'{key} = ["raido"]', 'error: pool "a": unknown context "raido"',
                      '= did you mean "radio"?')
        self.expect(CONTEXTS.split("[contexts]")[0] + "[pools]\n"
                    + row(more=', frees = ["main"]'),
                    'error: pool "a": unknown context "main"',
                    '= declare it: [contexts] main = "task"')

    def test_where_a_table_is_lost_no_context_is_unknown(self):
        text = CONTEXTS.replace("[contexts]", "[contexts")
        self.assertNotIn("unknown context", str(complaints(
            text + row(more=', frees = ["main"]'))))

    def test_a_row_names_each_context_once(self):
        for names in ('["main", "main"]', "[]"):
            self.pool(f"allocates = {names}",
                      'error: pool "a": allocates must be names of contexts, each once')

    def test_only_pools_are_waited_for(self):
        found = complaints(CONTEXTS + row() + '\n[stacks]\ns = { bytes = 8, full = '
                           '"drop", waits = ["main"] }')
        self.assertIn('error: unknown key "waits" in stack "s"', found[0])

    def test_the_header_says_who_calls(self):
        text = (GOLDEN / "contexts" / "pools.toml").read_text(encoding="utf-8")
        header = files(text)["tp_pools.h"]
        self.assertIn("\n// Allocates: shell. Waits: main. Frees: radio, main.\nenum {"
                      "\n  PACKETS_COUNT = 8,\n", header)
        self.assertIn("\n// Allocates: radio. Frees: radio.\n// Handles: ", header)
        self.assertNotIn("Allocates", files("tidepool = 1\n[pools]\n" + row())[
            "tp_pools.h"])

    def test_the_table_shows_what_each_context_calls(self):
        text = (GOLDEN / "contexts" / "pools.toml").read_text(encoding="utf-8")
        shown = memory_table(read(text), "fast")
        self.assertIn("\ncontext priority allocates ", shown)
        self.assertRegex(shown, "\nshell   - +packets +replies +-\n"
                                "radio   0x60 +motes +- +packets, motes\n")
        shown = memory_table(read("tidepool = 1\n[pools]\n" + row()), "fast")
        self.assertNotIn("context", shown)

    def test_the_example_of_the_page_is_right_and_needs_its_interrupt(self):
        page = (ROOT / "lib" / "config" / "README.md").read_text(encoding="utf-8")
        example = re.search(r"## `\[contexts\]`.*?```toml\n(.*?)```", page, re.S)[1]
        self.expect(example)
        self.assertIn("main waits for buffers, which only main frees",
                      complaints(example.replace('"radio", ', ""))[0])


class Locks(Contexts):
    def unmasked(self, who):
        return (f'error: pool "a": {who} in a call of it, which masks nothing',
                '= write lock = "primask"')

    def test_contexts_that_interrupt_each_other_need_a_lock(self):
        for allocates, frees, who in [("main", "radio", "radio may interrupt main"),
                                      ("main", "shell", "main may interrupt shell"),
                                      ("radio", "timer", "timer may interrupt radio"),
                                      ("timer", "radio", "timer may interrupt radio")]:
            more = f'allocates = ["{allocates}"], frees = ["{frees}"], lock = '
            self.pool(more + '"none"', *self.unmasked(who))
            self.pool(more + '"primask"')

    def test_one_context_and_interrupts_of_one_priority_need_none(self):
        self.pool('allocates = ["main"], frees = ["main"], lock = "none"')
        self.pool('allocates = ["radio"], frees = ["uart"], lock = "none"')

    def test_who_waits_calls_too(self):
        found = complaints(CONTEXTS + row(
            more=', full = "drop", waits = ["main"], frees = ["radio"], lock = "none"'))
        self.assertIn(self.unmasked("radio may interrupt main")[0],
                      [re.sub(r"^\d+:\d+: ", "", line) for line in found])

    def test_who_waits_has_a_call_that_waits(self):
        self.pool('waits = ["main"], frees = ["radio"], wait = true')
        self.pool('waits = ["main"], frees = ["radio"], wait = false',
                  'error: pool "a": wait = false, but main waits for it',
                  "= take wait out: waits says it")

    def test_basepri_masks_every_interrupt_that_calls(self):
        more = 'allocates = ["radio", "timer"], frees = ["main"], code = "own", lock = '
        self.pool(more + '"basepri:0x20"')
        self.pool(more + '"exclusive"')
        for lock in (0x21, 0x40):
            self.pool(f'{more}"basepri:{lock}"',
                      f'error: pool "a": basepri:{lock:#04x} does not mask timer, of '
                      "priority 0x20", '= "basepri:0x20" masks it',
                      '= "primask" masks every interrupt')

    def test_basepri_masks_every_interrupt_that_borrows(self):
        borrower = row("b", full='"spill"',
                       more=', spill = "a", then = "drop", frees = ["timer"]')
        lender = row(more=', frees = ["radio"], code = "own", lock = "basepri:0x40"')
        self.assertIn('error: pool "a": basepri:0x40 does not mask timer',
                      complaints(CONTEXTS + lender + "\n" + borrower)[0])

    def test_no_basepri_masks_the_most_urgent_interrupts(self):
        text = CONTEXTS.replace("0x20", "0") + row(
            more=', allocates = ["timer"], code = "own", lock = "basepri:0x10"')
        self.expect(text, 'error: pool "a": basepri:0x10 does not mask timer, of '
                          "priority 0x00", '= "primask" masks every interrupt')

    def test_a_priority_that_is_no_byte_of_basepri_is_told_of(self):
        found = ('warning: pool "a": of basepri:5 a chip with 4 bits of priority keeps'
                 ' 0, which masks nothing', '= priority 5 of 4 bits is "basepri:0x50"')
        more = ', frees = ["main"], code = "own", lock = "basepri:'
        for lock, wrong in (("5", found), ("0x05", found), ("16", ()), ("0x50", ())):
            self.expect(CONTEXTS + row(more=f'{more}{lock}"'), *wrong)
        finer = CONTEXTS.replace("0x20", "0x2c")  # Of such a chip that is no priority.
        self.expect(finer + row(more=f'{more}5"'))

    def test_who_borrows_slots_calls_their_pool(self):
        borrower = row("b", full='"spill"',
                       more=', spill = "a", then = "drop", frees = ["radio"]')
        for lock, wrong in [("none", self.unmasked("radio may interrupt main")),
                            ("primask", ())]:
            lender = row(more=f', frees = ["main"], lock = "{lock}"')
            self.expect(CONTEXTS + lender + "\n" + borrower, *wrong)

    def test_what_has_no_lock_is_for_one_context(self):
        for table, what, keys in [
                ("stacks", "stack", "bytes = 8"), ("frames", "frame", "bytes = 8"),
                ("dense", "dense pool", "size = 8, count = 3"),
                ("relocating", "relocating pool", "bytes = 64, handles = 3")]:
            text = CONTEXTS + row() + f'\n[{table}]\nb = {{ {keys}, full = "drop", '
            self.expect(text + 'allocates = ["main"], frees = ["main"] }')
            self.expect(text + 'allocates = ["uart"], frees = ["radio"] }')
            for key, names in [("allocates", ["main", "radio"]),
                               ("frees", ["radio", "main"])]:
                self.expect(text + f'{key} = ["{names[0]}", "{names[1]}"] }}',
                            f'error: {what} "b": a {what} is for one context, and '
                            "radio may interrupt main", "= give radio one of its own")

    def test_the_caret_stands_below_the_key_that_names_them(self):
        for key in ("allocates", "frees"):
            text = f'b = {{ bytes = 8, full = "drop", {key} = ["main", "radio"] }}'
            found = complaints(f"{CONTEXTS}{row()}\n[stacks]\n{text}")
            self.assertTrue(found[0].startswith(f"11:{text.index('[') + 1}: "), found)

    def test_blocks_are_for_any_context(self):
        self.expect(CONTEXTS + row() + '\n[blocks]\nb = { classes = [ { size = 8, count'
                    ' = 2 } ], full = "drop", allocates = ["timer", "main", "radio"] }')


class Interrupts(Contexts):
    def test_isr_follows_from_contexts(self):
        for names, isr in [('"main"', False), ('"main", "shell"', True),
                           ('"main", "radio"', True), ('"radio", "uart"', False)]:
            config = read(CONTEXTS + row(more=f", frees = [{names}]"))
            self.assertEqual(isr, config.pools[0].isr, names)

    def test_isr_does_not_deny_what_contexts_say(self):
        self.pool('frees = ["main", "radio"], isr = false',
                  'error: pool "a": isr = false, but radio may interrupt main in a '
                  "call of it", "= take isr out, or write isr = true")
        self.pool('frees = ["main"], isr = false')

    def test_tasks_that_steal_from_each_other_need_handles(self):
        self.pool('allocates = ["main"], evict = "gone"', full='"steal-oldest"')
        self.pool('allocates = ["main", "shell"], evict = "gone"',
                  'error: pool "a": a pool that steals in tasks needs handles',
                  "= a task may steal what is just being freed; add handles = 32",
                  full='"steal-oldest"')

    def test_only_an_interrupt_that_asks_is_stopped_by_an_assert(self):
        self.pool('allocates = ["main"], frees = ["radio"]', full='"assert"')
        self.pool('allocates = ["main", "radio"]',
                  'warning: pool "a": when it is full, an interrupt stops the firmware',
                  '= full = "drop" leaves the answer to the interrupt',
                  full='"assert"')


class Told(Contexts):
    """What a soak is told of who calls."""

    def callers(self, text):
        """{row: its callers}, as they are printed."""
        source = files(CONTEXTS + text)["tp_pools.c"]
        found = re.findall(r"static struct tp_caller (\w+)_callers\[\] = {\n(.*?)"
                           r"  {NULL, 0, 0, 0},\n};", source, re.S)
        listed = re.findall(r'  {"(\w+)", (\w+)_callers},', source)
        self.assertEqual([(name, name) for name, _ in found],
                         [one for one in listed if one[0] == one[1]])
        self.reserves = [one for one in listed if one[0] != one[1]]
        self.assertEqual(bool(found), "tp_called_rows[] = {" in source)
        return {name: re.findall(r'{"(\w+)", (.*), 0},', rows) for name, rows in found}

    def test_each_row_that_says_so_has_its_callers(self):
        self.assertEqual({}, self.callers(row()))
        more = ', allocates = ["radio", "main"], waits = ["shell"], frees = ["main"]'
        self.assertEqual(
            {"a": [("radio", "0x40, TP_CALLS_ALLOC"),
                   ("main", "TP_CALLER_TASK, TP_CALLS_ALLOC | TP_CALLS_FREE"),
                   ("shell", "TP_CALLER_TASK, TP_CALLS_ALLOC | TP_CALLS_WAIT")]},
            self.callers(f"{row(more=more)}\n{row('b')}"))

    def test_who_borrows_calls_what_lends_and_if_none_says_who_neither_does(self):
        borrower = ('b = { size = 24, count = 3, full = "spill", spill = "a", '
                    'then = "drop"')
        lender = row(more=', allocates = ["main"]') + "\n" + borrower
        self.assertEqual({}, self.callers(lender + " }"))
        self.assertEqual(
            {"a": [("main", "TP_CALLER_TASK, TP_CALLS_ALLOC"),
                   ("timer", "0x20, TP_CALLS_FREE")],
             "b": [("timer", "0x20, TP_CALLS_FREE")]},
            self.callers(lender + ', frees = ["timer"] }'))

    def test_a_reserve_is_called_by_who_calls_its_pool(self):
        self.callers(row(more=', allocates = ["main"], reserve = 2'))
        self.assertEqual([("a_reserve", "a")], self.reserves)

    def test_other_kinds_of_rows_have_theirs(self):
        named = 'full = "drop", allocates = ["main"] }'
        rows = {"stacks": "s = { bytes = 8, ", "frames": "f = { bytes = 8, ",
                "dense": "d = { size = 8, count = 3, ",
                "relocating": "r = { bytes = 64, handles = 3, ",
                "blocks": "k = { classes = [ { size = 8, count = 2 } ], "}
        text = "\n".join(f"[{kind}]\n{begin}{named}" for kind, begin in rows.items())
        self.assertEqual(dict.fromkeys("sfdrk", [("main",
                                                  "TP_CALLER_TASK, TP_CALLS_ALLOC")]),
                         self.callers(row() + "\n" + text))


if __name__ == "__main__":
    unittest.main()
