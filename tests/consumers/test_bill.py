# SPDX-License-Identifier: MIT
"""What a bill of materials says of parts made up here, word by word; and the archives,
maps and lists that it reads, of a few lines each. Nothing is built."""

import hashlib
import sys
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import bills

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib/config"))
from decoder import Unreadable  # noqa: E402
from sbom import cyclonedx, parts, spdx  # noqa: E402
from sbom.archive import MAGIC, members  # noqa: E402
from sbom.linked import Sources, objects  # noqa: E402

TIME, UUID = "2026-01-02T03:04:05Z", "0" * 8 + ("-" + "0" * 4) * 3 + "-" + "0" * 12


def sums(letter):
    return letter * 40, f"{letter}0" * 32


def made(**more):
    """A library's two files, one generated of a table, and the compiler."""
    files = [parts.File("lib/b.c", "library", *sums("b"), "MIT", ()),
             parts.File("lib/a.h", "library", *sums("c"), "", ()),
             parts.File("pools.toml", "table", *sums("d"), "", ()),
             parts.File("tp_pools.c", "generated", *sums("e"), "", ("pools.toml",))]
    said = SimpleNamespace(
        name="fw", sha1="1" * 40, sha256="2" * 64, version="9.8", level="full",
        files=files, tools=[parts.Tool("GCC", "12"), parts.Tool("odd", "")],
        unknown=[], is_exact=True, licences=lambda: ["MIT"],
        of=lambda origin: [one for one in files if one.origin == origin])
    vars(said).update(more)
    return said


class Spdx(unittest.TestCase):
    def setUp(self):
        self.page = spdx.document(made(), TIME, UUID)
        self.named = {one["SPDXID"]: one.get("name") or one["fileName"]
                      for one in self.page["packages"] + self.page["files"]}

    def test_it_is_what_the_specification_requires(self):
        self.assertEqual([], list(bills.wrong(self.page, bills.SPDX)))

    def test_who_contains_what_and_is_made_of_what(self):
        told = {(self.named.get(one["spdxElementId"], "-"), one["relationshipType"],
                 self.named[one["relatedSpdxElement"]])
                for one in self.page["relationships"]}
        self.assertEqual({
            ("-", "DESCRIBES", "fw"), ("fw", "CONTAINS", "tidepool"),
            ("tidepool", "CONTAINS", "./lib/b.c"),
            ("tidepool", "CONTAINS", "./lib/a.h"), ("fw", "CONTAINS", "./tp_pools.c"),
            ("./tp_pools.c", "GENERATED_FROM", "./pools.toml"),
            ("GCC", "BUILD_TOOL_OF", "fw"), ("odd", "BUILD_TOOL_OF", "fw")}, told)

    def test_each_file_has_its_kind_its_licence_and_both_sums(self):
        wanted = {"./lib/b.c": ("SOURCE", "MIT", "b"),
                  "./lib/a.h": ("SOURCE", "NOASSERTION", "c"),
                  "./pools.toml": ("TEXT", "NOASSERTION", "d"),
                  "./tp_pools.c": ("SOURCE", "NOASSERTION", "e")}
        for one in self.page["files"]:
            kind, licence, letter = wanted[one["fileName"]]
            self.assertEqual(([kind], licence, [licence]), (
                one["fileTypes"], one["licenseConcluded"], one["licenseInfoInFiles"]))
            self.assertEqual(
                list(zip(("SHA1", "SHA256"), sums(letter))),
                [(each["algorithm"], each["checksumValue"])
                 for each in one["checksums"]])

    def test_the_library_is_verified_by_the_sorted_sums_of_its_files(self):
        wanted = hashlib.sha1(("b" * 40 + "c" * 40).encode()).hexdigest()
        files = made().of("library")
        for one in (files, files[::-1]):
            self.assertEqual(wanted, spdx.verification(one))
        code = self.page["packages"][1]["packageVerificationCode"]
        self.assertEqual({"packageVerificationCodeValue": wanted}, code)
        self.assertTrue(self.page["packages"][1]["filesAnalyzed"])
        self.assertIn("Check level full.", self.page["packages"][1]["comment"])

    def test_without_a_time_it_says_why_it_is_1970(self):
        self.assertEqual({"created": TIME, "creators": ["Tool: tidepool.py-9.8"]},
                         self.page["creationInfo"])
        info = spdx.document(made(), "", UUID)["creationInfo"]
        self.assertEqual(("1970-01-01T00:00:00Z", spdx.NO_CLOCK),
                         (info["created"], info["comment"]))

    def test_what_it_does_not_know_is_in_its_remarks(self):
        self.assertEqual("Of the image's parts only those of Tidepool are named.",
                         spdx.remarks(made()))
        self.assertIn("What else x.o, y.o included is not known",
                      spdx.remarks(made(unknown=["x.o", "y.o"])))
        self.assertIn("The image was optimised across files",
                      spdx.remarks(made(is_exact=False)))


class CycloneDx(unittest.TestCase):
    def setUp(self):
        self.page = cyclonedx.document(made(), TIME, UUID)

    def test_it_is_what_the_specification_requires(self):
        self.assertEqual([], list(bills.wrong(self.page, bills.CYCLONEDX)))

    def test_what_is_generated_depends_on_its_table_and_the_image_on_that(self):
        self.assertEqual([{"ref": "image", "dependsOn": ["tidepool", "tp_pools.c"]},
                          {"ref": "tp_pools.c", "dependsOn": ["pools.toml"]}],
                         self.page["dependencies"])

    def test_each_file_has_its_origin_its_licence_and_both_sums(self):
        library, *others = self.page["components"]
        told = {one["name"]: (one["properties"][0]["value"], one.get("licenses"),
                              [(each["alg"], each["content"])
                               for each in one["hashes"]])
                for one in (*library["components"], *others) if one["type"] == "file"}
        mit = [{"license": {"id": "MIT"}}]
        self.assertEqual({
            name: (origin, licence, list(zip(("SHA-1", "SHA-256"), sums(letter))))
            for name, origin, licence, letter in (
                ("lib/b.c", "library", mit, "b"), ("lib/a.h", "library", None, "c"),
                ("pools.toml", "table", None, "d"),
                ("tp_pools.c", "generated", None, "e"))}, told)

    def test_it_is_complete_only_where_all_lists_were_found(self):
        for unknown, said in (([], "complete"), (["x.o"], "incomplete")):
            page = cyclonedx.document(made(unknown=unknown), TIME, UUID)
            self.assertEqual(["incomplete", said], [
                one["aggregate"] for one in page["compositions"]])

    def test_a_tool_without_a_version_has_none(self):
        self.assertEqual([("tool:GCC 12", "12"), ("tool:odd", None)], [
            (one["bom-ref"], one.get("version"))
            for one in self.page["components"][-2:]])


def member(name, data):
    head = name.ljust(16) + b" " * 32 + str(len(data)).encode().ljust(10) + b"`\n"
    return head + data + b"\n" * (len(data) % 2)


class Archives(unittest.TestCase):
    def test_members_are_found_by_short_and_long_names_of_gnu_and_bsd(self):
        long = b"a_name_that_is_long.o"
        data = MAGIC + member(b"/", b"list") + member(
            b"//", b"first_long_name_of_all.o/\n" + long + b"/\n") \
            + member(b"a.o/", b"odd") + member(b"/26", b"even") \
            + member(b"#1/24", long + b"\0\0\0" + b"bsd") + member(b"b.o", b"last")
        for name, found in (("a.o", [b"odd"]), ("b.o", [b"last"]),
                            (long.decode(), [b"even", b"bsd"]), ("c.o", [])):
            self.assertEqual(found, members(data, name))

    def test_what_is_no_archive_or_a_torn_one_holds_nothing_more(self):
        data = MAGIC + member(b"a.o/", b"one")
        self.assertEqual([], members(b"!<thin>\n" + data[8:], "a.o"))
        self.assertEqual([b"one"], members(data + b"x" * 70, "a.o"))


MAP = """\
LOAD main.o
LOAD idle.o

Linker script and memory map

.text           0x00000000       0x10
 .text          0x00000000        0x8 main.o
 .text.a_long_name_that_wants_a_line
                0x00000008        0x8 lib.a(tp.o)
 .text          0x00000010        0x0 idle.o
.text           0x00000000
.debug          0x00000000       0x99
 .debug         0x00000000       0x99 debugged.o
OUTPUT(firmware elf32-littlearm)
"""


class Maps(unittest.TestCase):
    def test_what_has_a_byte_in_a_section_of_the_image_is_in_it(self):
        self.assertEqual(({"main.o", "lib.a(tp.o)"}, True),
                         objects(MAP, {".text": 16}))
        with self.assertRaisesRegex(Unreadable, "the map of another image"):
            objects(MAP, {".text": 17})

    def test_what_was_optimised_together_is_all_that_was_linked(self):
        joined = MAP.replace("0x8 main.o", "0x8 /tmp/x.ltrans0.ltrans.o")
        self.assertEqual(({"main.o", "idle.o", "lib.a(tp.o)"}, False),
                         objects(joined, {".text": 16}))

    def test_what_the_linker_makes_itself_is_of_no_file(self):
        own = MAP.replace("0x8 main.o", "0x8 <internal>")
        self.assertEqual(({"lib.a(tp.o)"}, True), objects(own, {".text": 16}))

    def test_a_name_may_be_of_any_bytes(self):
        sections = [SimpleNamespace(name=".text", size=16)]
        elf = SimpleNamespace(allocated=lambda writable: sections * writable)
        with tempfile.NamedTemporaryFile() as file:
            file.write(MAP.replace("main.o", "m\xe4in.o").encode("latin-1"))
            file.flush()
            self.assertEqual(({"m\udce4in.o", "lib.a(tp.o)"}, True),
                             parts.linked(elf, file.name))


class Lists(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_names_with_blanks_hashes_and_dollars_are_read_from_a_rule(self):
        (self.folder / "main.d").write_text(
            "main.o: a\\ b.c \\\n c\\#.h d$$.h\nd.h:\n")
        sources = Sources(str(self.folder), str(self.folder), "ninja")
        self.assertEqual([str(self.folder / name) for name in
                          ("a b.c", "c#.h", "d$.h")], sources.of("main.o"))
        self.assertEqual([], sources.of("other.o"))

    def test_what_lies_outside_of_the_build_is_somebody_else_s(self):
        sources = Sources(str(self.folder), str(self.folder), "ninja")
        for name, foreign in (("a.o", False), ("x.a(a.o)", False), ("../a.o", True),
                              ("/usr/lib/libc.a(a.o)", True)):
            self.assertEqual(foreign, sources.is_foreign(name), name)

    def test_what_of_a_checkout_may_be_in_an_image_is_the_library(self):
        for name in ("lib/core/tp_core.c", "port/host/tp_port.h",
                     "qemu/telemetry/tp_record.c", "qemu/semihost.c"):
            self.assertEqual(name, parts.named(f"{parts.ROOT}/{name}"))
        for name in ("qemu/game/game.c", "tests/tp_test.c", "../elsewhere.c"):
            self.assertEqual("", parts.named(f"{parts.ROOT}/{name}"))

    def test_of_an_object_made_elsewhere_nobody_misses_a_list(self):
        lists = {"main.o": [f"{parts.ROOT}/lib/tidepool.h"]}
        sources = SimpleNamespace(of=lambda name: lists.get(name, []),
                                  is_foreign=lambda name: "libc" in name)
        one = parts.Parts.__new__(parts.Parts)
        one.name, one.unknown = "fw", []
        names = {*lists, "mine.o", "libc.a(memset.o)"}
        with mock.patch.object(parts, "linked", lambda *_: (names, True)):
            found = one.library(None, "map", sources)
        self.assertEqual((["lib/tidepool.h"], ["mine.o"]),
                         ([each.name for each in found], one.unknown))

    def test_the_level_is_the_one_that_the_library_defines(self):
        for number, level in enumerate(("off", "fast", "poison", "full")):
            name = f"tidepool_ERROR_CHECKS_{number}_AUDIT_1_here_not_in_the_library"
            self.assertEqual(level, parts.level_of("fw", SimpleNamespace(
                symbols={"main": 0, name: 0})))


if __name__ == "__main__":
    unittest.main()
