# SPDX-License-Identifier: MIT
"""Tables that include others: what they join, and what does not go together."""

import contextlib
import io
import json
import re
import unittest

from helper import GOLDEN, ROOT, TYPES, InFolder, files
from generator.join import load

NET = """tidepool = 1
build.name = "net"
[banks]
psram = { region = "PSRAM", budget = "1K" }
[pools]
packets = { size = 64, count = 8, full = "drop", bank = "psram" }
conns   = { size = 16, count = 4, full = "drop" }
"""
AUDIO = """tidepool = 1
build.name = "audio"
[banks]
psram = { region = "PSRAM" }
[pools]
voices = { size = 32, count = 8, full = "drop", bank = "psram" }
[scenes]
menu  = { voices = 2 }
level = { voices = 8 }
"""
OWN = """tidepool = 1
build.include = ["../net/pools.toml", "../audio/pools.toml"]
[banks]
psram = { region = "PSRAM", budget = 768 }
[pools]
sparks = { size = 8, count = 10, full = "drop" }
"""
LITTLE = '{ size = 24, count = 4, full = "drop" }'
CONTEXTS = """[contexts]
main = "task"
net = "task"
radio = { interrupt = 0x40 }
[pools]"""


class Joining(InFolder):
    def setUp(self):
        super().setUp()
        self.tables(NET, AUDIO, OWN)

    def tables(self, net=NET, audio=AUDIO, own=OWN):
        self.write("net/pools.toml", net)
        self.write("audio/pools.toml", audio)
        self.write("app/pools.toml", own)

    def right(self, *arguments):
        result = self.run_generator(*arguments)
        self.assertEqual((0, ""), (result.returncode, result.stderr))
        return result.stdout

    def refused(self, *sentences, table="app/pools.toml"):
        result = self.run_generator("check", table)
        self.assertEqual(1, result.returncode)
        for sentence in sentences:
            self.assertIn(sentence, result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def generated(self, name, table="app/pools.toml", *more):
        self.right("generate", table, "--out", "out", *more)
        return (self.folder / "out" / name).read_text()


class Joined(Joining):
    def test_a_library_s_table_makes_files_of_its_name(self):
        self.right("generate", "net/pools.toml", "--out", "out")
        self.assertEqual({"net_pools.h", "net_pools.c"},
                         {path.name for path in (self.folder / "out").iterdir()})

    def test_an_image_is_not_built_of_a_library_s_table(self):
        result = self.run_generator("generate", "net/pools.toml", "--out", "out",
                                    "--image")
        self.assertEqual(1, result.returncode)
        self.assertRegex(result.stderr, r"^net/pools.toml:\d+:\d+: error: an image is "
                         "built of this table, and it has a library's name\n")
        self.assertFalse((self.folder / "out").exists())

    def test_what_numbers_its_rows_begins_with_its_name(self):
        header = self.generated("audio_pools.h", "audio/pools.toml")
        for name in ("AUDIO_POOLS_H", "AUDIO_ID_VOICES", "AUDIO_POOL_N",
                     "AUDIO_ALLOCATOR_N", "AUDIO_CONFIG_HASH", "AUDIO_SCENE_MENU",
                     "audio_scenes_switch("):
            self.assertIn(name, header)

    def test_the_headers_of_all_go_together_in_c_and_in_cplusplus(self):
        self.right("generate", "app/pools.toml", "--out", "out", "--libraries")
        self.write("all.c", '#include "audio_pools.h"\n#include "tp_pools.h"\n'
                            '#include "net_pools.h"\n')
        for compiler in (["gcc", "-std=c11"], ["g++", "-std=c++17", "-xc++"]):
            result = self.run_tool(*compiler, "-Wall", "-Wextra", "-Werror",
                                   "-fsyntax-only", "-Iout", f"-I{ROOT}/lib",
                                   f"-I{ROOT}/port/host", "all.c")
            self.assertEqual("", result.stdout)

    def test_the_registry_lists_its_own_rows_and_then_those_it_includes(self):
        source = self.generated("tp_pools.c")
        places = [source.index(f"&{name}_entries[0]")
                  for name in ("tp", "net", "audio")]
        self.assertEqual(sorted(places), places)
        self.assertIn(".count = 5,", source)

    def test_what_has_notes_of_owners_is_listed_of_all_tables(self):
        noted = 'full = "drop", owner = true'
        self.tables(net=NET.replace('full = "drop"', noted),
                    own=OWN.replace('full = "drop"', noted + ", reserve = 2"))
        source = self.generated("tp_pools.c")
        self.assertIn("tp_owned_rows[] = {\n  &sparks_owned,\n"
                      "  &sparks_reserve_owned,\n  &packets_owned,\n"
                      "  &conns_owned,\n  NULL,\n};", source)
        self.assertNotIn("tp_owned_rows", self.generated("net_pools.c",
                                                         "net/pools.toml"))
        self.tables(net=NET.replace('full = "drop"', noted))
        self.right("generate", "app/pools.toml", "--out", "out", "--libraries")
        for compiler in (["gcc", "-std=c11"], ["g++", "-std=c++17", "-xc++"]):
            result = self.run_tool(*compiler, "-Wall", "-Wextra", "-Werror",
                                   "-fsyntax-only", "-Iout", f"-I{ROOT}/lib",
                                   f"-I{ROOT}/port/host", "out/tp_pools.c")
            self.assertEqual("", result.stdout)

    def test_who_calls_is_listed_of_all_tables(self):
        named = 'full = "drop", allocates = ["net"], frees = ["radio"]'
        self.tables(net=NET.replace('full = "drop"', named).replace(
            "[pools]", CONTEXTS), own=OWN.replace("[pools]", CONTEXTS))
        source = self.generated("tp_pools.c")
        self.assertIn('tp_called_rows[] = {\n  {"packets", packets_callers},\n'
                      '  {"conns", conns_callers},\n  {NULL, NULL},\n};\n#endif',
                      source)
        self.assertNotIn("tp_called", self.generated("net_pools.c", "net/pools.toml"))
        self.right("generate", "app/pools.toml", "--out", "out", "--libraries")
        for compiler in (["gcc", "-std=c11"], ["g++", "-std=c++17", "-xc++"]):
            result = self.run_tool(*compiler, "-Wall", "-Wextra", "-Werror",
                                   "-DTIDEPOOL_SOAK=1", "-fsyntax-only", "-Iout",
                                   f"-I{ROOT}/lib", f"-I{ROOT}/port/host",
                                   "out/tp_pools.c")
            self.assertEqual("", result.stdout)

    def test_the_linker_has_one_arena_for_a_bank_of_several_tables(self):
        fragment = self.generated("tp_pools.ld")
        self.assertEqual(1, fragment.count(".tp_arena_psram (NOLOAD)"))
        self.assertIn("DEFINED(packets_pool) || DEFINED(voices_pool)", fragment)
        self.assertIn("<= 768,\n       \"pools.toml:4: psram: more than", fragment)

    def test_a_bank_of_a_library_alone_is_told_with_its_table(self):
        self.tables(own=OWN.replace("[banks]\n", "").replace(
            'psram = { region = "PSRAM", budget = 768 }\n', ""))
        self.assertIn('"../net/pools.toml:4: psram: more than the budget of 1024',
                      self.generated("tp_pools.ld"))

    def test_an_include_is_looked_for_where_a_linked_folder_leads(self):
        (self.folder / "far/lib").mkdir(parents=True)
        for name in ("app", "net", "audio"):
            (self.folder / name).rename(self.folder / "far/lib" / name)
        (self.folder / "app").symlink_to("far/lib/app")
        rule = self.generated("d", "app/pools.toml", "--depfile", "out/d")
        self.assertIn(" app/pools.toml app/../net/pools.toml ", rule)
        self.write("far/lib/net/pools.toml", NET.replace(
            "[banks]", 'build.include = ["../app/pools.toml"]\n[banks]'))
        said = self.run_generator("check", "app/pools.toml").stderr
        self.assertIn("in a circle: app/pools.toml, app/../net/pools.toml, ", said)

    def test_an_executable_s_table_may_be_nothing_but_includes(self):
        self.tables(own="\n".join(OWN.split("\n")[:2]) + "\n")
        self.assertIn(".count = 4,", self.generated("tp_pools.c"))

    def test_what_two_include_is_there_once(self):
        include = 'build.include = ["../net/pools.toml"]\n[banks]'
        self.tables(audio=AUDIO.replace("[banks]", include))
        self.assertEqual(1, self.generated("tp_pools.c").count("&net_entries[0]"))

    def test_what_a_library_includes_is_joined_too(self):
        include = 'build.include = ["../audio/pools.toml"]\n[banks]'
        self.tables(net=NET.replace("[banks]", include),
                    own=OWN.replace(', "../audio/pools.toml"', ""))
        self.assertIn("&audio_entries[0]", self.generated("tp_pools.c"))

    def test_the_rule_for_make_names_every_table(self):
        rule = self.generated("d", "app/pools.toml", "--depfile", "out/d")
        self.assertTrue(rule.endswith(
            "out/tp_pools.ld: app/pools.toml net/pools.toml audio/pools.toml\n"), rule)

    def test_what_a_table_made_by_its_old_name_is_removed(self):
        """Where a depfile tells what that was; else sources went on including it."""
        command = ("app/pools.toml", "--libraries", "--depfile", "out put/d#")
        self.write("out put/net_pools.txt", "mine")
        self.write("out put/my_pools.h", "mine")
        for name in ("net", "lan"):
            self.tables(net=NET.replace('"net"', f'"{name}"'))
            self.right("generate", *command, "--out", "out put")
        self.assertEqual(
            {"audio_pools.c", "audio_pools.h", "d#", "lan_pools.c", "lan_pools.h",
             "my_pools.h", "net_pools.txt", "tp_pools.c", "tp_pools.h", "tp_pools.ld"},
            {path.name for path in (self.folder / "out put").iterdir()})

    def test_the_table_of_memory_shows_the_rows_of_all(self):
        shown = self.right("table", "app/pools.toml")
        for name in ("sparks", "packets", "conns", "voices"):
            self.assertIn(f" {name} ", shown)
        self.assertRegex(shown, r"psram PSRAM +768 +768 +0\n")

    def test_the_hash_of_an_image_changes_with_each_of_its_tables(self):
        def hash_now():
            header = self.generated("tp_pools.h")
            return header[header.index("TP_CONFIG_HASH"):][:25]
        before = hash_now()
        self.tables(net=NET.replace("count = 4", "count = 5"))
        self.assertNotEqual(before, hash_now())


class Compiled(InFolder):
    def test_every_kind_of_row_compiles_in_a_library_s_table(self):
        for path in sorted(GOLDEN.glob("*/pools.toml")):
            if path.parent.name in ("mistakes", "checks", "locks"):
                continue
            text = path.read_text(encoding="utf-8").replace(
                "[build]\n", '[build]\nname = "net"\n')
            if 'name = "net"' not in text:
                text = re.sub(r"(?m)^(tidepool = 1.*)", r'\1\nbuild.name = "net"', text)
            for name, content in files(text).items():
                self.write(name, content)
            with self.subTest(table=path.parent.name):
                result = self.run_tool(
                    "gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I.",
                    f"-I{ROOT}/lib", f"-I{ROOT}/port/host", f"-I{TYPES}",
                    f"-I{ROOT}/port/wait/posix", "-D_POSIX_C_SOURCE=200809L",
                    "-fsyntax-only", "net_pools.c")
                self.assertEqual("", result.stdout)


class Advised(Joining):
    def advise(self, *more):
        number = self.generated("tp_pools.h").split("TP_CONFIG_HASH 0x")[1][:8]
        rows = [("sparks", 10, 9), ("packets", 8, 3), ("conns", 4, 1)]
        self.write("s.json", json.dumps({
            "config_hash": number, "frames": 1000, "allocators": [], "pools": [
                {"name": name, "capacity": capacity, "peak": peak, "allocs": 100,
                 "refused": 0, "steals": 0, "full_frames": 0}
                for name, capacity, peak in rows]}))
        return self.right("advise", "app/pools.toml", "s.json", *more)

    def test_advice_is_for_the_rows_of_all_tables(self):
        shown = self.advise()
        for row in (r"app/pools.toml\n", r"sparks +drop +10 +9 ", r"net/pools.toml\n",
                    r"packets +drop +8 +3 .* 4 +-272 +psram"):
            self.assertRegex(shown, row)

    def test_what_all_tables_win_together_is_told(self):
        self.assertRegex(self.advise(), r"all tables\n\nbank psram: -256 bytes of 768\n"
                                        r"\.bss: -56 bytes of \d+\n\nA pool should")

    def test_what_is_over_a_budget_together_is_written_nowhere(self):
        self.tables(own=OWN.replace("768", "800"))
        before = [path.read_text() for path in self.folder.rglob("*.toml")]
        number = self.generated("tp_pools.h").split("TP_CONFIG_HASH 0x")[1][:8]
        self.write("s.json", json.dumps({
            "config_hash": number, "frames": 1000, "allocators": [], "pools": [
                {"name": "packets", "capacity": 8, "peak": 8, "allocs": 90,
                 "refused": 9, "steals": 0, "full_frames": 90, "wanted": 9}]}))
        result = self.run_generator("advise", "app/pools.toml", "s.json", "--apply",
                                    "--serve", "--exact")
        self.assertEqual(1, result.returncode)
        self.assertIn("832 bytes wanted by all tables, 800 allowed: 32 too many",
                      result.stderr)
        self.assertEqual(before, [path.read_text()
                                  for path in self.folder.rglob("*.toml")])

    def test_it_is_applied_to_each_table(self):
        self.advise("--apply")
        self.assertIn("size = 64, count = 4, ",
                      (self.folder / "net/pools.toml").read_text())
        self.assertEqual(OWN, (self.folder / "app/pools.toml").read_text())


class OnPaper(unittest.TestCase):
    """Tables that are read from no file."""

    def said(self, own, net):
        """What is wrong with a table with [own] that includes one with [net]."""
        texts = {"pools.toml": 'tidepool = 1\nbuild.include = ["net.toml"]\n' + own,
                 "net.toml": f'tidepool = 1\nbuild.name = "net"\n{net}[pools]\n'
                             f"aBC = {LITTLE}\n"}
        with contextlib.redirect_stderr(io.StringIO()) as shown:
            config, _ = load("pools.toml", read=texts.__getitem__)
        self.assertEqual(": error: " in shown.getvalue(), config is None)
        return re.findall("error: (.*)", shown.getvalue())

    def test_all_that_a_bank_says_but_its_budget_is_the_same_in_all_tables(self):
        for key, value in (("dma", "false"), ("cache_line", "64"), ("sleeps", "true"),
                           ("retained", "true")):
            bank = f'[banks]\nb = {{ region = "B", {key} = {value} }}\n'
            self.assertEqual([], self.said(bank, bank))
            other = '[banks]\nb = { region = "B" }\n'
            self.assertEqual([f'bank "b": {key} is another in pools.toml:4'],
                             self.said(other, bank))
        self.assertEqual([], self.said('[banks]\nb = { region = "B", budget = 8 }\n',
                                       '[banks]\nb = { region = "B", budget = 9 }\n'))

    def test_a_context_is_of_one_core_in_all_tables(self):
        said = self.said('[contexts]\nc = { interrupt = 32, core = 1 }\n',
                         '[contexts]\nc = { interrupt = 32 }\n')
        self.assertEqual(['context "c": core is another in pools.toml:4'], said)

    def test_names_that_differ_in_capitals_alone_are_one_name(self):
        said = self.said(f"[pools]\nAbc = {LITTLE}\n", "")
        self.assertEqual(['pool "aBC": the name "aBC" is that of a pool of another '
                          "table"], said)


class Refused(Joining):
    def test_a_circle_is_shown_where_it_closes(self):
        circle = 'build.include = ["../app/pools.toml"]\n[banks]'
        self.tables(net=NET.replace("[banks]", circle))
        self.refused("net/pools.toml:3:18: error: the tables include each other in a "
                     "circle: app/pools.toml, net/pools.toml, app/pools.toml")

    def test_a_chain_of_tables_has_an_end_and_a_longer_one_is_refused_there(self):
        for number in range(1200):
            self.write(f"{number}.toml", 'tidepool = 1\n'
                       f'build = {{ name = "t{number}", include = '
                       f'["{number + 1}.toml"] }}\n[pools]\n'
                       f'row{number} = {LITTLE}\n')
        self.refused('199.toml:2:37: error: more than 200 tables include one another in'
                     ' a row\n', table="0.toml")
        self.write("199.toml", 'tidepool = 1\nbuild.name = "last"\n[pools]\n'
                   f'last = {LITTLE}\n')
        self.right("check", "0.toml")

    def test_a_file_that_is_missing_is_told_at_its_include(self):
        self.tables(own=OWN.replace("../net/", "../nat/"))
        self.refused("app/pools.toml:2:18: error: nat/pools.toml: error: cannot read")

    def test_a_path_that_no_file_can_have_is_refused(self):
        for path, shown in (("", '""'), ("a\\u0000b", '"a\\u0000b"')):
            self.tables(own=OWN.replace("../net/pools.toml", path))
            self.refused("app/pools.toml:2:18: error: [build]: include must be paths "
                         f'such as "net/pools.toml", not {shown}\n')

    def test_a_table_without_a_name_cannot_be_included(self):
        self.tables(net=NET.replace('build.name = "net"\n', ""))
        self.refused("app/pools.toml:2:18: error: net/pools.toml has no name")

    def test_a_mistake_in_an_included_table_is_shown_there(self):
        self.tables(net=NET.replace("count = 4", "count = 0"))
        self.refused("net/pools.toml:7:32: error: ")

    def test_two_tables_of_one_name_are_refused(self):
        self.tables(audio=AUDIO.replace('"audio"', '"net"'))
        self.refused('audio/pools.toml:2:14: error: [build]: two tables are called '
                     '"net"', "the other is net/pools.toml")

    def test_a_name_of_the_library_s_own_is_refused(self):
        self.tables(net=NET.replace('"net"', '"tp_net"'))
        self.refused("the name is reserved", table="net/pools.toml")

    def test_two_rows_of_one_name_are_shown_with_both_places(self):
        self.tables(own=OWN.replace("sparks", "packets"))
        self.refused('net/pools.toml:6:1: error: pool "packets": the name "packets" '
                     "is that of a pool of another table", "see app/pools.toml:6")

    def test_a_bank_is_the_same_in_all_tables(self):
        self.tables(audio=AUDIO.replace('"PSRAM"', '"SRAM"'))
        self.refused('audio/pools.toml:4:20: error: bank "psram": region is another '
                     "in app/pools.toml:4")

    def calling(self, net, own, build=""):
        """Who calls packets, in one table, and sparks, in the other."""
        self.tables(net=NET.replace("[pools]", CONTEXTS).replace(
                        'psram" }\nconns', f'psram", {net} }}\nconns'),
                    own=OWN.replace("[banks]", build + "[banks]").replace(
                        "[pools]", CONTEXTS).replace('"drop"', f'"drop", {own}'))

    def test_a_context_is_the_same_in_all_tables(self):
        self.calling('frees = ["radio"]', 'frees = ["radio"]')
        self.assertRegex(self.right("table", "app/pools.toml"),
                         r"\nradio +0x40 +- +- +sparks, packets\n")
        for other in ("{ interrupt = 0x60 }", '"task"'):
            text = (self.folder / "app/pools.toml").read_text()
            self.write("app/pools.toml", text.replace("{ interrupt = 0x40 }", other))
            self.refused('context "radio": interrupt is another in app/pools.toml:',
                         "a context is one in all tables of an image")
            self.write("app/pools.toml", text)

    def test_a_wait_is_followed_from_table_to_table(self):
        self.calling('waits = ["net"], frees = ["main"]',
                     'waits = ["main"], frees = ["net", "radio"]')
        self.right("check", "app/pools.toml")
        self.calling('waits = ["net"], frees = ["main"]',
                     'waits = ["main"], frees = ["net"]')
        self.refused('app/pools.toml:10:57: error: pool "sparks": a wait that may '
                     "never end: main waits for sparks, which only net frees; net "
                     "waits for packets, which only main frees")

    def test_the_mask_of_one_table_is_for_the_rows_of_all(self):
        self.calling('waits = ["net"], frees = ["radio"]', 'frees = ["main"]',
                     build="build.rtos_mask = 0x40\n")
        self.right("check", "app/pools.toml")
        self.calling('waits = ["net"], frees = ["radio"]', 'frees = ["main"]',
                     build="build.rtos_mask = 0x50\n")
        self.refused('net/pools.toml:10:91: error: pool "packets": radio, of priority '
                     "0x40, is above rtos_mask = 0x50")

    def test_two_masks_are_refused(self):
        self.calling('frees = ["radio"]', 'frees = ["main"]',
                     build="build.rtos_mask = 0x50\n")
        net = (self.folder / "net/pools.toml").read_text()
        self.write("net/pools.toml", net.replace("[banks]",
                                                 "build.rtos_mask = 0x40\n[banks]"))
        self.refused("net/pools.toml:3:19: error: [build]: rtos_mask is another in "
                     "app/pools.toml:3")

    def test_a_budget_is_for_the_rows_of_all_tables(self):
        self.tables(own=OWN.replace("768", "767"))
        self.refused('app/pools.toml:4:38: error: bank "psram": 768 bytes wanted by '
                     "all tables, 767 allowed: 1 too many",
                     "largest: packets 512 (net/pools.toml:6)")

    def test_a_library_s_budget_is_its_share(self):
        self.tables(net=NET.replace('"1K"', "511"))
        self.refused('net/pools.toml:4:38: error: bank "psram": 512 bytes wanted')


if __name__ == "__main__":
    unittest.main()
