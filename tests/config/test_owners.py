# SPDX-License-Identifier: MIT
"""owner = true: what is made of it, what is refused, what it costs."""

import re
import unittest

from helper import GOLDEN, complaints, files, read, row, table

NOTED = re.compile(r"tp_owner_(take|give)\w*\(")
# A row of each kind of call that issues a slot or takes one back, and their names.
ROWS = [
    row("a", more=", owner = true"),
    row("b", full='"steal-oldest"', more=', owner = true, evict = "gone", pin = true'),
    row("c", more=", owner = true, handles = 32"),
    row("d", full='"steal-least"',
        more=', owner = true, score = "s", handles = 64, init = "born"'),
    row("e", more=", owner = true, reserve = 1, handles = 32"),
    row("f", more=", owner = true, wait = true"),
    row("g", more=', owner = true, low_water = 1, on_low = "dry"'),
    row("h", full='"spill"', more=', owner = true, spill = "a", then = "drop"'),
    row("i", more=', owner = true, init = { one = "born", other = "born" }'),
    row("j", more=", owner = true, link = 8"),
    row("k", more=', owner = true, lock = "none"'),
]
ISSUES = re.compile(r"(alloc|create)(_\w+)?$")
TAKES_BACK = re.compile(r"(free|destroy)(_handle)?$")
CLASS = ('tidepool = 1\n[pools]\nfoes = { type = "game::foe", size = 8, count = 4, '
         'full = "steal-least", score = "rank", handles = 32, owner = true }\n')


def bodies(header):
    """{name of a call, less that of its row: what it does}"""
    parts = [part.split("\n}")[0] for part in header.split("static inline TP_CALL ")]
    return {re.search(r"(\w+)\(", part)[1].split("_", 1)[1]: part for part in parts[1:]}


class Owners(unittest.TestCase):
    maxDiff = None

    def test_every_call_that_issues_or_takes_back_makes_a_note_and_no_other(self):
        for line in ROWS:
            self.check(files(table(*ROWS[:1], line) if "spill" in line
                             else table(line))["tp_pools.h"])

    def test_so_does_every_call_of_a_class_that_constructs_or_destroys(self):
        header = files(CLASS)["tp_pools.h"]
        self.check(header)
        self.assertIn("foes_owner_of(const game::foe *object)", header)

    def check(self, header):
        calls = bodies(header)
        for name, body in calls.items():
            verb = ["take"] if ISSUES.match(name) else \
                ["give"] if TAKES_BACK.match(name) else []
            self.assertEqual(verb, sorted(set(NOTED.findall(body))), name)
        self.assertIn("owner_of", calls)

    def test_without_it_nothing_is_generated_of_it(self):
        plain = [line.replace(", owner = true", "") for line in ROWS]
        made = files(table(*plain))
        self.assertNotIn("tp_owner", "".join(made.values()))
        self.assertNotIn("_owned", "".join(made.values()))
        denied = [line.replace("owner = true", "owner = false") for line in ROWS]
        for name, text in files(table(*denied)).items():
            self.assertEqual(re.sub("HASH 0x.*", "", text),
                             re.sub("HASH 0x.*", "", made[name]))

    def test_the_build_table_says_it_for_the_rows_that_do_not(self):
        made = files((GOLDEN / "owners" / "pools.toml").read_text(encoding="utf-8"))
        found = re.findall(r"^const struct tp_owned (\w+)_owned = ", made["tp_pools.c"],
                           re.M)
        self.assertEqual({"sounds", "packets", "packets_reserve", "tide", "bay"},
                         set(found))

    def test_a_note_leads_to_where_else_an_object_may_lie(self):
        source = files((GOLDEN / "owners" / "pools.toml").read_text(encoding="utf-8"))[
            "tp_pools.c"]
        for line in ("  .owners = packets_owners,\n  .next = &packets_reserve_owned,\n",
                     "  .owners = tide_owners,\n  .next = &bay_owned,\n",
                     "  .owners = bay_owners,\n};",
                     "static struct tp_owner sounds_owners[32];"):
            self.assertIn(line, source)

    def test_a_row_of_it_has_tags_at_every_level(self):
        self.assertIn("  .tagged = 1,\n", files(table(ROWS[0]))["tp_pools.c"])

    def test_it_costs_16_bytes_a_slot_and_12_of_flash(self):
        config = read(table(row("a", count="10", more=", owner = true"),
                            row("b", count="10", more=", reserve = 3, owner = true"),
                            row("c", count="10")))
        noted, shared, plain = config.pools
        self.assertEqual(160, noted.metadata_bytes() - plain.metadata_bytes())
        self.assertEqual(12, noted.flash_bytes - plain.flash_bytes)
        self.assertEqual([112, 48], [tenant.metadata()["owners"]
                                     for tenant in shared.tenants()])

    def test_notes_lie_in_zeroed_memory_though_the_pool_outlives_a_reset(self):
        text = ('tidepool = 1\n[banks]\nkeep = { region = "RAM", retained = true }\n'
                + row("[pools]\na", more=', owner = true, bank = "keep"') + "\n")
        source = files(text)["tp_pools.c"]
        self.assertIn(";\nstatic struct tp_owner a_owners[4];", source)
        kept = sum(size for _, _, size in read(text).pools[0].pieces())
        plain = read(text.replace(", owner = true", "")).pools[0].pieces()
        self.assertEqual(kept, sum(size for _, _, size in plain))

    def test_code_of_its_own_and_chunks_are_refused(self):
        own = row(more=', code = "own", owner = true')
        self.assertEqual(['3:66: error: pool "a": code = "own" makes no note of owners',
                          "= take it out; what is hot enough for it has no time for "
                          "notes"], complaints(table(own)))
        herd = row("herd", full='"spill"', more=', chunks = ["east"], then = "drop"')
        text = "build.owner = true\n" + table(herd, row("east"))
        self.assertEqual(['4:1: error: pool "herd": a pool with chunks has no owners, '
                          "which [build] wants", "= owner = false"], complaints(text))
        self.assertEqual([], complaints(text.replace(
            ', chunks', ', owner = false, chunks')))

    def test_of_a_pool_without_locks_its_owner_alone_is_told(self):
        more = ', code = "own", lock = "exclusive", owner = true'
        said = complaints(table(row(more=more)))
        self.assertEqual(2, len(said), said)


if __name__ == "__main__":
    unittest.main()
