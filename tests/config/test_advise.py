# SPDX-License-Identifier: MIT
"""advise: one rule, the RAM it wins or needs, and counts written into the table."""

import json
import re
import stat
import sys
import unittest

from helper import ROOT, InFolder, read, row, table
from generator.advice import (
    EXACT, RULE, SERVE, Advice, Seen, advise, advised, gather, numbers_of, ram_of,
    replace_number, rewrite, rule)
from generator.page import config_hash

sys.path.insert(0, str(ROOT / "qemu"))
from harness import advice as harness  # noqa: E402

POOLS = """\
# The pools of a game.
tidepool = 1

[pools]
# what                size       how many      when full
sparks = { size = 24, count = 256, full = "drop"   }  # Nobody misses one.
bosses = { size = 96, count = 8,   full = "assert" }
quiet  = { size = 8,  count = 16,  full = "drop"   }

[pools.voices]
size  = 32
count = 1000     # As many as there were.
full  = "steal-oldest"
handles = 64
"""


def entry(name, capacity, peak, full_frames=0, allocs=1, refused=0, **more):
    return {"name": name, "capacity": capacity, "peak": peak,
            "full_frames": full_frames, "allocs": allocs, "refused": refused,
            "steals": 0, **more}


def cut(capacity, peak, frames=500, full_frames=0, **more):
    return dict(entry("", capacity, peak, full_frames, **more), frames=frames)


def summary(*pools, text=POOLS, frames=1000, others=()):
    return {"config_hash": f"{config_hash(read(text).tree):08x}", "frames": frames,
            "pools": list(pools), "allocators": list(others)}


class Rule(unittest.TestCase):
    def test_it_is_the_rule_of_the_soaks_report(self):
        class Pool:
            name, kind, unit, cuts, was_full = "a", "pool", "slots", {}, False
        for capacity in [1, 2, 3, 7, 8, 64, 1000, 32767]:
            for peak in {0, 1, capacity // 2, capacity * 3 // 4, capacity * 3 // 4 + 1,
                         capacity - 1, capacity}:
                for policy in ["assert", "drop"]:
                    for full_frames in [0, 10, 11]:
                        Pool.capacity, Pool.peak = capacity, peak
                        Pool.policy, Pool.full_frames = policy, full_frames
                        said = re.search(r"count = (\d+)", harness.advice(Pool, 1000))
                        seen = Seen()
                        seen.add(entry("a", capacity, peak, full_frames), 1000)
                        count = advised(capacity, policy == "assert", seen)
                        self.assertEqual(count, int(said[1]) if said else capacity,
                                         (capacity, peak, policy))

    def test_its_words_are_those_of_the_soaks_report(self):
        self.assertIn(harness.RULE.rstrip("."), " ".join(RULE.split()))

    def test_runs_are_judged_together(self):
        seen = Seen()
        seen.add(entry("a", 64, 10, 0), 1000)
        seen.add(entry("a", 64, 40, 5), 1000)
        self.assertEqual((seen.peak, seen.frames, seen.full_frames), (40, 2000, 5))
        self.assertEqual(advised(64, False, seen), 45)


class Numbers(unittest.TestCase):
    """Which numbers of a table advice may change, and how it writes them."""

    def told(self, text):
        return {number.title: (number.now, number.capacity)
                for number in numbers_of(read(text))}

    def test_a_reserve_and_the_rows_of_a_nest_are_no_capacity_of_it(self):
        nested = table(row("a", more=', in = "big"'), row("b", more=", reserve = 1"),
                       row("c", count='"2 * N"')) + """
[nests]
big  = { bytes = 4096 }
full = { bytes = 64 }
[stacks]
rest = { bytes = 64, full = "drop", in = "full" }
"""
        room = 4096 - 4 * 24
        self.assertEqual({"a": (4, 4), "b": (4, 3), "big": (4096, room),
                          "rest": (64, 64)}, self.told(nested))
        number, = [one for one in numbers_of(read(nested)) if one.title == "big"]
        seen = Seen()
        seen.add(entry("big", room, 9), 10)
        self.assertEqual({"big": 4 * 24 + 16}, advise(read(nested), {"big": seen}))

    def test_rows_of_a_bank_that_sleeps_are_told_once(self):
        text = ('tidepool = 1\n[banks]\nb = { region = "B", sleeps = true }\n[pools]\n'
                + row(more=', bank = "b"') + "\n")
        self.assertEqual({"a": (4, 4)}, self.told(text))

    def test_what_no_summary_tells_of_is_not_advised(self):
        text = table(row(), row("b")) + "[scenes]\nx = { a = 4, b = 1 }\n"
        numbers = numbers_of(read(text))
        ran = summary(entry("a", 4, 4), text=text)
        self.assertEqual({}, gather(numbers, [ran]))
        cuts = summary(entry("a", 4, 4, cuts=[cut(4, 2)]), text=text)
        self.assertEqual(["a in x"], [*gather(numbers, [cuts])])
        self.assertEqual({}, gather(numbers, [cuts, ran]))

    def test_thefts_are_unmet_and_full_is_more_than_a_hundredth(self):
        seen = Seen()
        seen.add(dict(entry("a", 8, 8, 101, allocs=9, refused=1), steals=2), 10000)
        self.assertEqual((3, True, "30.0 %"),
                         (seen.unmet, seen.often_full, seen.share_unmet()))
        seen.add(entry("a", 8, 8, 0), 100)
        self.assertFalse(seen.often_full)
        few = Seen()
        few.add(entry("a", 8, 8, allocs=0, refused=1), 10)
        self.assertEqual("1 of ?", few.share_unmet())

    def test_bytes_are_rounded_up_in_each_way_of_advice(self):
        seen = Seen()
        seen.add(entry("a", 64, 9, refused=1, wanted=70), 100)
        self.assertEqual([16, 16, 80, 72],
                         [advised(64, False, seen, 8, *how) for how in
                          ((), (True,), (False, True), (True, True))])

    def test_two_numbers_of_a_line_may_both_change_their_length(self):
        text = ('tidepool = 1\n[relocating]\n'
                'a = { bytes = 64, handles = 9, full = "drop" }  \n')
        for wanted, line in (
                ({"a_arena": 1024, "a, handles": 10},
                 'a = { bytes = 1024, handles = 10, full = "drop" }  '),
                ({"a_arena": 8}, 'a = { bytes = 8,  handles = 9, full = "drop" }  '),
                ({}, text.split("\n")[2])):
            self.assertEqual(line, rewrite(text, read(text), wanted).split("\n")[2])

    def test_blanks_behind_the_last_of_a_line_stay(self):
        self.assertEqual("count = 100  ", replace_number("count = 8  ", 8, 1, 100))

    def test_bytes_of_a_bank_are_those_at_the_level_of_the_table(self):
        text = ('tidepool = 1\nbuild.checks = "full"\n[banks]\nb = { region = "B" }\n'
                "[pools]\n" + row(more=', bank = "b"') + "\n")
        for level, size in (("fast", 4 * 24), ("full", 4 * 32 + 8)):
            config = read(text.replace("full", level, 1))
            self.assertEqual(size, ram_of(config)["bank b"])

    def test_the_bank_is_told_and_what_serve_means_only_where_it_is_asked_for(self):
        text = ('tidepool = 1\n[banks]\nb = { region = "B" }\n[pools]\n'
                + row(more=', bank = "b"') + "\n")
        config = read(text)
        rows = [Advice(text, config, {}, {}).row(one) for one in numbers_of(config)]
        self.assertEqual([("a", "drop", "4", *"------", "b")], rows)
        self.assertEqual([f"{RULE}\n", f"{EXACT}\n{SERVE}\n"],
                         [rule(False, False), rule(True, True)])


class Advising(InFolder):
    def setUp(self):
        super().setUp()
        self.write("pools.toml", POOLS)

    def advise(self, *summaries, more=()):
        names = [self.write(f"{n}.json", json.dumps(one)).name for n,
                 one in enumerate(summaries)]
        return self.run_generator("advise", *names, *more)

    def seen(self):
        return summary(entry("sparks", 256, 100), entry("bosses", 8, 8),
                       entry("quiet", 16, 0, allocs=0),
                       entry("voices", 1000, 80))

    def test_the_table_says_what_each_count_wins_or_needs(self):
        result = self.advise(self.seen())
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout.split("\n\n")[0], """\
allocator when full     has peak unmet  full wanted advised    RAM bank
sparks    drop          256  100 0.0 % 0.0 %    100     113  -4004 -
bosses    assert          8    8 0.0 % 0.0 %      8       9   +100 -
quiet     drop           16    0     - 0.0 %      0      16      0 -
voices    steal-oldest 1000   80 0.0 % 0.0 %     80      90 -36400 -""")
        self.assertIn("\n\n.bss: -40304 bytes of 48276\n\n", result.stdout)
        self.assertIn("an eighth more slots", result.stdout)
        self.assertEqual((self.folder / "pools.toml").read_text(), POOLS)

    def test_sizes_that_are_left_to_c_are_those_of_the_image_that_ran(self):
        text = table('a = { type = "struct a", count = 8, full = "drop" }',
                     'b = { type = "struct b", count = "2 * N", full = "drop" }')
        self.write("pools.toml", text)
        for level, stride in [("poison", 24), ("full", 32)]:
            seen = summary(entry("a", 8, 1, stride=stride),
                           entry("b", 9, 1, stride=stride), text=text)
            said = self.advise(dict(seen, checks=level)).stdout
            self.assertRegex(said, r"a +drop +8 +1 +0.0 % 0.0 % +1 +2 +-168 -\n")
            self.assertIn("\n.bss: -168 bytes of 532\n", said)
        self.assertNotIn("\nb ", said)
        self.assertIn("nor of a number that is C", said.replace("\n", " "))
        said = self.advise(summary(entry("a", 8, 1), entry("b", 9, 1), text=text))
        self.assertRegex(said.stdout, r"a +drop +8 +1 +0.0 % 0.0 % +1 +2 +by C -\n")
        self.assertIn("\n.bss: by C bytes of by C\n", said.stdout)
        broken = summary(entry("a", 8, 1, stride="x"), entry("b", 9, 1), text=text)
        self.assertIn("not the summary.json of a soak", self.advise(broken).stderr)

    def test_apply_rewrites_the_counts_and_nothing_else(self):
        self.assertEqual(self.advise(self.seen(), more=["--apply"]).returncode, 0)
        expected = POOLS.replace("count = 256,", "count = 113,").replace("count = 8,  ",
                                                                         "count = 9,  ")
        expected = expected.replace("count = 1000     #", "count = 90       #")
        self.assertEqual((self.folder / "pools.toml").read_text(), expected)

    def test_apply_writes_to_where_a_link_leads_and_keeps_the_mode(self):
        table, real = self.folder / "pools.toml", self.folder / "real.toml"
        table.rename(real)
        table.symlink_to(real.name)
        for mode in (0o640, 0o444):
            real.chmod(0o600)
            real.write_text(POOLS)
            real.chmod(mode)
            self.assertEqual(self.advise(self.seen(), more=["--apply"]).returncode, 0)
            self.assertTrue(table.is_symlink())
            self.assertIn("count = 113,", real.read_text())
            self.assertEqual(mode, stat.S_IMODE(real.stat().st_mode))

    def test_a_number_of_another_length_leaves_the_columns_where_they_are(self):
        for line, number, expected in [
                ("a = { count = 8,   full = 1 }", 100, "a = { count = 100, full = 1 }"),
                ("a = { count = 8, full = 1 }", 100, "a = { count = 100, full = 1 }"),
                ("a = { count = 8,full = 1 }", 100, "a = { count = 100,full = 1 }"),
                ("a = { full = 1, count = 8 }", 10, "a = { full = 1, count = 10 }"),
                ("a = { full = 1, count = 8  }", 10, "a = { full = 1, count = 10 }"),
                ("count = 8", 100, "count = 100"),
                ("count = 8 \r", 100, "count = 100 \r")]:
            start = line.index("count = ") + 8
            self.assertEqual(replace_number(line, start, 1, number), expected)

    def test_marks_and_line_ends_of_the_file_survive(self):
        strange = b"\xef\xbb\xbf" + POOLS.replace("\n", "\r\n").encode()
        self.write("pools.toml", strange)
        self.assertEqual(self.advise(self.seen(), more=["--apply"]).returncode, 0)
        self.assertEqual((self.folder / "pools.toml").read_bytes(),
                         strange.replace(b"count = 256,",
                                         b"count = 113,").replace(b"count = 8,",
                                                                  b"count = 9,")
                         .replace(b"count = 1000     #", b"count = 90       #"))

    def test_counts_that_break_a_budget_are_refused_and_nothing_is_written(self):
        text = ('tidepool = 1\n[banks]\nr = { region = "R", budget = 96 }\n[pools]\n'
                + row(full='"assert"', more=', bank = "r"') + "\n")
        self.write("pools.toml", text)
        result = self.advise(summary(entry("a", 4, 4), text=text), more=["--apply"])
        self.assertEqual(result.returncode, 1)
        self.assertIn("3:30: error: bank \"r\": 120 bytes wanted, 96 allowed: 24 too "
                      "many", result.stderr)
        self.assertEqual((self.folder / "pools.toml").read_text(), text)

    def test_a_pool_that_was_often_full_is_left_alone(self):
        often = summary(entry("sparks", 256, 256, full_frames=11, allocs=300,
                              refused=100, wanted=300))
        result = self.advise(often, more=["--apply"])
        self.assertIn("sparks    drop          256  256 25.0 % 1.1 %    300     256"
                      "   0 -", result.stdout)
        self.assertEqual((self.folder / "pools.toml").read_text(), POOLS)

    def test_of_what_is_not_counted_no_share_is_told(self):
        said = self.advise(summary(entry("sparks", 256, 256, allocs=0, refused=7)))
        self.assertIn("sparks    drop          256  256 7 of ? 0.0 %", said.stdout)

    def test_what_went_unmet_has_room_too_where_that_is_asked_for(self):
        often = [summary(entry("sparks", 256, 256, full_frames=11, allocs=300,
                               refused=refused, wanted=wanted),
                         entry("quiet", 16, 2, allocs=9),
                         entry("voices", 1000, 1000, allocs=9, wanted=1000))
                 for refused, wanted in ((0, 256), (100, 300))]
        result = self.advise(*often, more=["--serve", "--apply"])
        self.assertIn("what went unmet has room too.", result.stdout)
        text = (self.folder / "pools.toml").read_text()
        for count in ("count = 338,", "count = 3,  ", "count = 1000 "):
            self.assertIn(count, text)
        self.write("pools.toml", POOLS)
        self.advise(*often, more=["--serve", "--apply", "--exact"])
        self.assertIn("count = 300,", (self.folder / "pools.toml").read_text())

    def test_never_more_is_advised_than_a_table_may_say(self):
        text = table(row("a", count="32000", full='"assert"'),
                     row("b", count="30000", more=", reserve = 5")) + """
[relocating]
heap = { bytes = "400K", handles = 32000, full = "assert", generation_wrap = true }
[stacks]
deep = { bytes = "250M", full = "assert" }
"""
        self.write("pools.toml", text)
        unmet = {"allocs": 9, "refused": 9, "wanted": 10 ** 9}
        ran = summary(entry("a", 32000, 32000), entry("b", 29995, 29995, **unmet),
                      text=text, others=[
                          entry("heap", 32000, 32000),
                          entry("heap_arena", 400 << 10, 400 << 10, **unmet),
                          entry("deep", 250 << 20, 250 << 20)])
        result = self.advise(ran, more=["--serve", "--apply"])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        text = (self.folder / "pools.toml").read_text()
        self.assertEqual(3, len(re.findall("(?:count|handles) = 32767,", text)))
        self.assertIn("heap = { bytes = 524272,", text)
        self.assertIn("deep = { bytes = 268435456,", text)

    def test_no_fewer_slots_are_advised_than_the_rest_of_the_row_wants(self):
        """So many must be free at once that it is told, and more than a core keeps."""
        watched = ', low_water = 20, on_low = "f"'
        text = table(row("a", count="100", more=watched),
                     row("b", count="100", more=watched + ", refill = 40"),
                     row("c", count="100"),
                     row("d", count="100", more=', lock = "cores", magazine = 20'))
        for more in ((), ("--exact",)):
            self.write("pools.toml", text)
            ran = summary(*[entry(name, 100, 5) for name in "abcd"], text=text)
            result = self.advise(ran, more=["--apply", *more])
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(["21", "40", "5" if more else "6", "21"], re.findall(
                r"count = (\d+)", (self.folder / "pools.toml").read_text()))

    def test_a_nest_is_advised_what_its_rows_would_take_too(self):
        text = table(row("a", count="40", full='"assert"', more=', in = "big"')) + """
[relocating]
heap = { bytes = 256, handles = 9, full = "drop", in = "big" }
[stacks]
deep = { bytes = 256, full = "drop", in = "big" }
[nests]
big = { bytes = 1600 }
"""
        room = 1600 - 40 * 24 - 256 - 8 - 256
        for peak, left in ((room, room), (8, 16)):
            self.write("pools.toml", text)
            ran = summary(entry("a", 40, 40), text=text, others=[
                entry("heap_arena", 256, 32), entry("deep", 256, 16),
                entry("big", room, peak)])
            result = self.advise(ran, more=["--apply"])
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            told = read((self.folder / "pools.toml").read_text())
            nest = told.nests["big"]
            self.assertEqual(45 * 24 + 40 + 8 + 24, nest.taken())
            self.assertEqual(left, nest.arena_bytes())

    def test_a_run_of_another_table_is_refused(self):
        result = self.advise(summary(entry("a", 4, 4), text=table(row())))
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (1, "", "0.json: error: a run of another table, or of this"
                          " one before it was changed; soak again\n"))

    def test_what_cannot_be_is_refused_with_a_sentence(self):
        for pool, words in [
                (entry("sparks", 256, -3), "peak is -3"),
                (entry("sparks", 256, 300), "peak is 300 of a capacity of 256"),
                (entry("sparks", -1, 0), "capacity is -1"),
                (entry("sparks", 256, 1, refused=-7), "refused is -7"),
                (entry("sparks", 256, 1.5), "peak is no whole number"),
                (entry("sparks", 256, 1, wanted="x"), "wanted is no whole number"),
                (entry("sparks", True, 1), "capacity is no whole number"),
                (entry("sparks", 256, 1, allocs=-1), "allocs is -1"),
                (dict(entry("sparks", 256, 1), steals=-1), "steals is -1"),
                (entry("sparks", 256, 1, full_frames=-1), "full_frames is -1"),
                (entry("sparks", 256, 9, wanted=-1), "wanted is -1"),
                (entry("sparks", 256, 9, stride=1.5), "stride is no whole number"),
                (entry("sparks", 256, 9, cuts=[cut(9, 1.5)]),
                 "peak is no whole number"),
                (entry("sparks", 256, 9, refused=10 ** 309), f"refused is {10 ** 309}"),
                (entry("sparks", 256, 9, cuts=[cut(9, -4)]), "peak is -4"),
                (entry("sparks", 256, 9, cuts=[cut(9, 1, frames="x")]),
                 "frames is no whole number"),
                (entry("sparks", 256, 9, cuts=[cut(9, 1, wanted="x")]),
                 "wanted is no whole number"),
                (entry("sparks", 256, 9, full_frames=1001),
                 "full in 1001 of 1000 frames")]:
            result = self.advise(summary(pool), more=["--apply"])
            self.assertEqual((result.returncode, result.stderr), (
                1, f"0.json: error: sparks: {words}: no soak says that\n"))
        for frames in (float("inf"), float("nan"), 1.5, True):
            result = self.advise(summary(entry("sparks", 256, 1), frames=frames))
            self.assertEqual((result.returncode, result.stderr), (
                1, "0.json: error: frames is no whole number: no soak says that\n"))
        least = summary(entry("sparks", 256, 1, full_frames=1), frames=1)
        del least["allocators"]
        self.assertEqual(self.advise(least).returncode, 0)
        result = self.advise(summary(entry("sparks", 256, 1), frames=0))
        self.assertEqual((result.returncode, result.stderr), (
            1, "0.json: error: a run without a frame has seen nothing\n"))
        self.assertEqual((self.folder / "pools.toml").read_text(), POOLS)

    def test_exact_is_the_highest_use(self):
        result = self.advise(self.seen(), more=["--exact", "--apply"])
        self.assertIn("with nothing to spare", result.stdout)
        text = (self.folder / "pools.toml").read_text()
        for count in ("count = 100,", "count = 8,  ", "count = 16, ",
                      "count = 80       #"):
            self.assertIn(count, text)

    def test_the_table_may_be_named(self):
        self.write("other.toml", POOLS)
        self.write("s.json", json.dumps(self.seen()))
        result = self.run_generator("advise", "other.toml", "s.json", "--apply")
        self.assertEqual(result.returncode, 0)
        self.assertIn("count = 113", (self.folder / "other.toml").read_text())
        self.assertEqual((self.folder / "pools.toml").read_text(), POOLS)

    def test_what_is_no_summary_is_a_sentence(self):
        for text in ["", "[]", "{}", "3", "nonsense", "[" * 100000,
                     '{"frames": 1, "pools": [1], "config_hash": ""}',
                     json.dumps(dict(self.seen(), frames="x")),
                     json.dumps(dict(self.seen(), pools=[{}])),
                     json.dumps(summary(entry("sparks", 256, 1, cuts=[{}]))),
                     json.dumps(summary(entry("sparks", 256, 1, cuts=3))),
                     json.dumps(dict(self.seen(), allocators=[{}]))]:
            self.write("s.json", text)
            result = self.run_generator("advise", "s.json")
            self.assertEqual((result.returncode, result.stderr),
                             (1, "s.json: error: not the summary.json of a soak\n"),
                             text[:20])

    def test_the_summary_of_many_runs_is_known_and_leads_to_those_of_each(self):
        self.write("s.json", json.dumps({"verdict": "pass", "frames": 120, "runs": [],
                                         "pools": [{"name": "sparks"}]}))
        result = self.run_generator("advise", "s.json")
        self.assertEqual((1, "s.json: error: it is of many runs: name the summary.json"
                             " of each\n"), (result.returncode, result.stderr))

    def test_wrong_usage_exits_2(self):
        self.assertEqual(self.run_generator("advise", "pools.toml").returncode, 2)


EVERY_KIND = """\
tidepool = 1

[banks]
ram = { region = "RAM" }

[pools]
crowd = { size = 8, count = 40, full = "drop" }
cast  = { size = 8, count = 64, full = "drop" }
calls = { size = 8, count = 40, reserve = 8, full = "drop" }

[scenes]
battle = { crowd = 40, cast = 8, deck = 64, foam = 40, mail = [ 8, 40 ] }
title  = { crowd = 8,  cast = 64, deck = 40, foam = 64, mail = [ 40, 8 ] }

[stacks]
deck = { bytes = 64, full = "drop" }
level = { bytes = "4K", bank = "ram", full = "drop" }
[frames]
foam = { bytes = 64, full = "drop" }
draw = { bytes = 1024, buffers = 2, bank = "ram", full = "drop" }
[blocks]
mail.classes = [ { size = 8, count = 1 }, { size = 24, count = 1 } ]
mail.full = "drop"
texts.classes = [ { size = 16, count = 32 }, { size = 64, count = 16 } ]
texts.full = "drop"
[relocating]
meshes = { bytes = "8K", handles = 64, bank = "ram", full = "drop" }
[dense]
shots = { size = 16, count = 128, bank = "ram", full = "drop" }
"""


class EveryKind(InFolder):
    """Of each a half is used."""

    def setUp(self):
        super().setUp()
        self.write("pools.toml", EVERY_KIND)
        cuts = [cut(40, 20), cut(8, 4), cut(64, 32)]
        self.write("s.json", json.dumps(summary(
            entry("crowd", 40, 20, cuts=cuts), entry("cast", 64, 32, cuts=cuts),
            entry("calls", 32, 16), entry("texts_16", 32, 16),
            entry("texts_64", 16, 8), text=EVERY_KIND, others=[
                entry("deck", 64, 32, cuts=cuts), entry("foam", 64, 32, cuts=cuts),
                entry("mail_8", 40, 20, cuts=cuts), entry("mail_24", 40, 20, cuts=cuts),
                entry("level", 4096, 2041), entry("draw", 1024, 512),
                entry("texts", 1536, 700), entry("meshes", 64, 32),
                entry("meshes_arena", 8192, 4000), entry("shots", 128, 64)])))

    def test_every_allocator_and_every_scene_is_advised(self):
        result = self.run_generator("advise", "s.json", "--apply")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        text = (self.folder / "pools.toml").read_text()
        for line in ("battle = { crowd = 23, cast = 5, deck = 40, foam = 24, "
                     "mail = [ 5, 23 ] }",
                     "title  = { crowd = 5,  cast = 36, deck = 24, foam = 40, "
                     "mail = [ 23, 5 ] }",
                     "calls = { size = 8, count = 26, reserve = 8,",
                     "level = { bytes = 2304, bank", "draw = { bytes = 576,  buffers",
                     "[ { size = 16, count = 18 }, { size = 64, count = 9  } ]",
                     "meshes = { bytes = 4504, handles = 36,",
                     "shots = { size = 16, count = 72, "):
            self.assertIn(line, text)

    def test_a_scene_is_told_what_was_seen_of_it_alone(self):
        cuts = [cut(40, 40, 400, 100, allocs=60, refused=20, wanted=50),
                cut(8, 4, 100, allocs=5)]
        self.write("s.json", json.dumps(summary(
            entry("crowd", 40, 40, 100, allocs=65, refused=20, cuts=cuts),
            text=EVERY_KIND)))
        said = self.run_generator("advise", "s.json").stdout
        self.assertRegex(said, r"crowd in battle +drop +40 +40 +25.0 % 25.0 % +50 +40 ")
        self.assertRegex(said, r"crowd in title +drop +8 +4 +0.0 % +0.0 % +4 +5 ")

    def test_what_it_wins_is_told_bank_by_bank(self):
        """And it is what the table says that has the new numbers."""
        before = self.memory()
        result = self.run_generator("advise", "s.json", "--apply")
        after = self.memory()
        for bank, lines in (("ram", "bank ram"), (".bss", ".bss")):
            won = after[bank] - before[bank]
            self.assertLess(won, -500)
            self.assertIn(f"{lines}: {won:+d} bytes of {before[bank]}\n",
                          result.stdout)

    def memory(self):
        lines = self.run_generator("table", "pools.toml").stdout.split("\n")
        cells = [line.split() for line in lines]
        return {line[0] if line[0] == "ram" else line[1]: int(line[2])
                for line in cells if line[:1] in (["ram"], ["-"])}


if __name__ == "__main__":
    unittest.main()
