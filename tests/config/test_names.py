# SPDX-License-Identifier: MIT
"""Names of C that two rows would make, or a row and the application."""

import re
import time
import unittest

from helper import GOLDEN, ROOT, TYPES, InFolder, complaints, files, read, row, table
from generator import names

HANDLES, INITS = ", handles = 32", ', init = { b = "f", b_handle = "g" }'
HEAP = '[relocating]\nheap = { bytes = 1024, handles = 8, full = "drop" }\n'
SCENES = "[scenes]\nNAME = { a = 3 }\nother = { a = 2 }\n"
OF_SCENES = ["most", "arena", "current", "force", "scenes", "scene_state",
             "scene_parts", "other_most"]
OF_NESTS = ["rest", "rows", "storage", "nest", "nest_state", "dstack_state"]


class Names(InFolder):
    def expect(self, text, place, told):
        with self.subTest(told):
            self.assertEqual(complaints(text)[:1], [f"{place}: error: {told}"])

    def test_a_name_is_made_of_one_row(self):
        for rows, name, first, second in [
                ((row("a", more=HANDLES), row("a_alloc", more=HANDLES)),
                 "a_alloc_handle", "a", "a_alloc"),
                ((row("a_free", more=HANDLES), row("a", more=HANDLES)),
                 "a_free_handle", "a_free", "a"),
                ((row("a", more=', init = { alloc = "f" }'), row("a_create")),
                 "a_create_alloc", "a", "a_create"),
                ((row("a", more=', init = { b = "f" }'), row("a_b", more=INITS)),
                 "a_b_objects", "a", "a_b"),
                ((row("x", more=", reserve = 1"), row("x_urgent")),
                 "x_urgent_pool", "x", "x_urgent"),
                ((row("pool", more=', type = "int", deinit = "f"'),
                  row("deinit_of")), "deinit_of_pool", "pool", "deinit_of")]:
            self.expect(table(*rows), "4:1", f'pool "{second}": {name} would be made '
                        f'for it and for pool "{first}" on line 3')
        self.expect(table(row("heap_arena")) + HEAP, "5:1", 'relocating pool "heap": '
                    "TP_ID_HEAP_ARENA would be made for it and for pool "
                    '"heap_arena" on line 3')

    def test_a_row_makes_a_name_once(self):
        self.expect(table(row(more=HANDLES + INITS)), "3:65", 'pool "a": '
                    'a_create_b_handle would be made twice for pool "a"')
        for name in OF_SCENES:
            self.expect(table(row()) + SCENES.replace("NAME", name), "5:1",
                        f'scene "{name}": scenes_{name} would be made twice for '
                        "[scenes]")
        for name in OF_NESTS:
            rows = table(row(name, more=', in = "n1"'))
            self.expect("nests.n1.bytes = 1024\n" + rows, "4:1", f'pool "{name}": '
                        f'n1_{name} would be made twice for nest "n1"')

    def test_a_function_of_the_application_is_not_one_that_is_made(self):
        for key, name, more in [
                ("deinit", "a_destroy", ""), ("init", "a_create", ""),
                ("init", "a_pool", ""), ("on_low", "a_alloc", ", low_water = 1")]:
            self.expect(table(row(more=f', {key} = "{name}"{more}')),
                        f"3:{47 + len(key)}", f'pool "a": {name} is made for pool "a" '
                        "on line 3")
        self.expect(table('a = { size = 24, count = 4, policy = "a_pool" }'), "3:38",
                    'pool "a": a_pool is made for pool "a" on line 3')
        self.expect(table(row("b", more=', deinit = "a_free"'), row("a")), "3:53",
                    'pool "b": a_free is made for pool "a" on line 4')

    def test_a_function_of_the_application_is_not_one_of_the_library(self):
        for name in ["tp_pool_free", "tp_fault"]:
            self.expect(table(row(more=f', deinit = "{name}"')), "3:53",
                        f'pool "a": {name} is a name of the library\'s')

    def test_rows_that_begin_alike_are_no_mistake(self):
        rows = [row("a", more=HANDLES + ', deinit = "a_died"'),
                row("a_b", more=HANDLES + ', deinit = "a_b_died"'), row("a_alloc")]
        self.assertEqual(complaints(table(*rows)), [])

    def test_a_table_that_is_included_makes_other_names(self):
        self.write("net.toml", 'build.name = "net"\n' + table(row("a", more=HANDLES)))
        self.write("pools.toml", 'build.include = ["net.toml"]\n'
                   + table(row("a_alloc", more=HANDLES)))
        said = self.run_generator("check", "pools.toml")
        self.assertIn('net.toml:4:1: error: pool "a": a_alloc_handle would be made for '
                      'it and for pool "a_alloc" in pools.toml:4\n', said.stderr)
        self.assertEqual(said.returncode, 1)

    def test_every_symbol_of_what_is_printed_is_known(self):
        for case in ["objects", "scenes", "nests", "own_code", "blocks", "owners"]:
            text = (GOLDEN / case / "pools.toml").read_text()
            for name, content in files(text).items():
                self.write(name, content)
            said = self.run_tool("gcc", "-c", "tp_pools.c", "-o", "x.o", "-I", ".",
                                 "-I", ROOT / "lib", "-I", ROOT / "port" / "host",
                                 "-I", TYPES, "-DTP_CHECKS=TP_CHECKS_FULL")
            self.assertEqual(said.stdout, "")
            table_of = read(text)
            made = {name for one in table_of.rows()
                    for name in names.made_by(one, table_of)}
            found = re.findall(r"^\w+ \w (?!tp_|tidepool_)(\w+)$",
                               self.run_tool("nm", "--defined-only", "x.o").stdout,
                               re.M)
            self.assertLess(5, len(found))
            self.assertEqual(set(found) - made, set())

    def test_names_that_cannot_meet_are_not_printed_for_it(self):
        rows = [row(f"r{number}", more=f', deinit = "r{number}_died"')
                for number in range(2000)]
        config = read(table(*rows, row("r7_b"), row("s", more=HANDLES),
                            row("s_alloc", more=HANDLES)))
        began = time.process_time()
        found = names.suspects([config])
        self.assertEqual([one.name for _, one in found], ["s", "s_alloc"])
        self.assertLess(time.process_time() - began, 5)


if __name__ == "__main__":
    unittest.main()
