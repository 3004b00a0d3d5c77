# SPDX-License-Identifier: MIT
"""`qemu/soak run --sanitize`: a wrong access is named in its frame, by its own line."""

import json
import re
import tempfile
import unittest
from functools import lru_cache
from pathlib import Path

import trials
from command import say, soak
from harness import own_firmware
from harness.errors import CannotRun
from harness.options import (CHECKS, FRAMES_PER_DAY, FRAMES_PER_HOUR,
                             HOST, Options)
from harness.plants import ACCESSES, ALL, PLANTS, ZONED, claims, found
from harness.source_lines import caller_lines
from support import (BOARDS, HANG_SECONDS, ROOT, build, is_full, only_in_full,
                     tool)

SOURCE = "qemu/telemetry/tp_plant_access.c"
FRAME = 120  # Of the mistakes, or soon after it.
CLEAN = "the sanitizer found nothing"


def line_of(name):
    """'read_it() at qemu/telemetry/tp_plant_access.c:112': the end of the deed."""
    text = (ROOT / SOURCE).read_text()
    deed = re.search(rf'{{"{name}", \w+, \w+, (\w+)}}', text)[1]
    end = text.index("\n}", text.index(f"static void {deed}("))
    return f"{deed}() at {SOURCE}:{text[:end].count(chr(10)) + 1}"


@lru_cache(maxsize=None)
def sanitized(level, name="console", board=trials.BOARD):
    more = {"TIDEPOOL_ASAN": "OFF"} if board == HOST else {}
    folder = build(board, level, name, kind="sanitize", TIDEPOOL_SANITIZE="ON", **more)
    return folder / f"{name}.elf"


def planted(elf, name, board=trials.BOARD):
    return trials.play(elf, f"plant={name}", f"plant_frame={FRAME}", board=board,
                       frames=4 * FRAME)


def accesses(*keys):
    """What can be made in a firmware some of whose rows have these keys."""
    return [name for name, plant in ACCESSES.items() if plant.key in ("", *keys)]


def run(*words, seconds=HANG_SECONDS):
    """(exit code, what it says, the summary if there is one) of qemu/soak."""
    with tempfile.TemporaryDirectory() as out:
        said = soak("run", "--out", out, *words, seconds=seconds)
        summary = Path(out) / "summary.json"
        return (said.code, said.whole,
                json.loads(summary.read_text()) if summary.exists() else None)


class Asserts(unittest.TestCase):
    def assert_named(self, elf, name, ledger):
        """In the frame that it is done in; the only finding."""
        fault, = ledger.faults
        self.assertIn(fault.kind, ALL[name].access)
        self.assertEqual((ledger.planted.name, ledger.planted.frame, []),
                         (name, fault.frame, ledger.audits))
        return caller_lines(elf, [fault.caller])[fault.caller]


class Plants(Asserts):
    def test_each_wrong_access_is_named_by_its_line_in_its_frame(self):
        for level in ("fast", "full"):
            elf = sanitized(level)
            for name in accesses("written"):
                with self.subTest(name, level=level):
                    ledger = planted(elf, name)
                    self.assertEqual(line_of(name),
                                     self.assert_named(elf, name, ledger))

    def test_so_it_is_in_a_firmware_of_ones_own(self):
        for firmware, keys in (("dungeon", ()), ("soaked", ("dma",))):
            elf = sanitized("fast", firmware)
            for name in accesses(*keys):
                with self.subTest(name, firmware=firmware):
                    ledger = planted(elf, name)
                    self.assertEqual(line_of(name),
                                     self.assert_named(elf, name, ledger))

    def test_what_no_row_has_the_key_for_is_not_made(self):
        for firmware, name in (("console", "lent-object"),
                               ("dungeon", "unwritten-word")):
            ledger = planted(sanitized("fast", firmware), name)
            self.assertEqual((None, []), (ledger.planted, ledger.faults))

    def test_each_has_a_row_of_the_page(self):
        page = (ROOT / "qemu" / "SOAK.md").read_text()
        for name, plant in ACCESSES.items():
            more = f", of a row with `{plant.key}`" * bool(plant.key)
            called = ", ".join(f"`{kind}`" for kind in plant.access)
            self.assertIn(f"| {plant.what}{more} | `{name}` | {called} |", page)

    def test_what_others_find_later_is_named_at_once(self):
        for name in set(ALL) - set(ACCESSES):
            if not ALL[name].access:
                continue
            takes_zones = ALL[name].names == ZONED
            elf = sanitized("full" if takes_zones else "fast")
            with self.subTest(name):
                self.assertRegex(self.assert_named(elf, name, planted(elf, name)),
                                 r"\w+\(\) at qemu/telemetry/tp_plant\w*.c:\d+")

    def test_without_it_none_is_made_or_asked_for(self):
        for name in ACCESSES:
            ledger = planted(trials.console("poison"), name)
            self.assertEqual((None, [], []),
                             (ledger.planted, ledger.faults, ledger.audits))
            with self.assertRaisesRegex(CannotRun, "does nothing without --sanitize"):
                own_firmware.refuse_what_it_ignores(Options(plant=name))

    def test_what_it_looks_for_more_is_claimed(self):
        for level in ("fast", "full"):
            plain, asked = ({one["bug"] for one in claims(Options(
                checks=level, pool_sanitizer=is_asked)) if one["looked_for"]}
                for is_asked in (False, True))
            self.assertLessEqual({one.what for one in ACCESSES.values()}, asked - plain)
            self.assertEqual("one byte is written behind an object" in asked,
                             level == "full")


class Boards(Asserts):
    """Of microbit the memory is too small for red zones, for a row of the game that
    says written, and for the firmware of tests/soak/firmware."""

    def images(self):
        boards = (HOST, *BOARDS) if is_full() else (HOST, trials.BOARD)
        for board in boards:
            level = "fast" if board == "microbit" else "full"
            yield board, level, sanitized(level, board=board)

    def test_each_wrong_access_is_named_on_each_board_and_on_the_host(self):
        for board, level, elf in self.images():
            names = [name for name in set(ALL) - set(ACCESSES) if ALL[name].access
                     and (ALL[name].names != ZONED or level == "full")]
            names += accesses() if board == "microbit" else accesses("written")
            for name in names:
                with self.subTest(name, board=board):
                    line = self.assert_named(elf, name, planted(elf, name, board))
                    self.assertRegex(
                        line, r"\w+\(\) at qemu/telemetry/tp_plant\w*.c:\d+")
                    if name in ACCESSES:
                        self.assertEqual(line_of(name), line)

    def test_what_a_device_has_is_named_on_each_board(self):
        for board in BOARDS if is_full() else (trials.BOARD,):
            if board == "microbit":
                continue
            with self.subTest(board):
                elf = sanitized("fast", "soaked", board)
                self.assertEqual(line_of("lent-object"), self.assert_named(
                    elf, "lent-object", planted(elf, "lent-object", board)))

    def test_what_the_library_names_at_once_it_names_in_such_a_build_too(self):
        for board, level, elf in self.images():
            for name, plant in PLANTS.items():
                if plant.within or plant.access:
                    continue
                with self.subTest(name, board=board):
                    ledger = planted(elf, name, board)
                    hit = found(name, ledger.planted, [*ledger.faults, *ledger.audits])
                    self.assertEqual(0, hit.frames)

    def test_what_an_audit_finds_it_finds_as_soon_in_such_a_build(self):
        for board, level, elf in self.images():
            for name, plant in PLANTS.items():
                known = CHECKS.index(plant.level) <= CHECKS.index(level)
                if not plant.within or plant.access or not known:
                    continue
                with self.subTest(name, board=board):
                    hit = trials.trial_of(elf, name, board=board)
                    self.assertIsNotNone(hit)
                    self.assertLessEqual(hit.frames, plant.within)


class Clean(unittest.TestCase):
    def test_the_game_does_nothing_wrong_and_plays_as_it_does_without(self):
        plain = trials.play(trials.console("poison"))
        for level in ("fast", "full"):
            ledger = trials.play(sanitized(level))
            self.assertEqual(([], []), (ledger.faults, ledger.audits))
            self.assertEqual(plain.done, ledger.done)
            self.assertEqual((False, True),
                             (plain.hello.sanitized, ledger.hello.sanitized))


class Long(unittest.TestCase):
    """A simulated day on the host, an hour in QEMU; but in tests/run full only the
    game, and no more than two minutes and a half and five seconds."""

    ON_HOST = FRAMES_PER_DAY if is_full() else 9000
    IN_QEMU = FRAMES_PER_HOUR if is_full() else 300

    def assert_nothing_is_said(self, board, frames, *words):
        code, said, summary = run("--board", board, "--sanitize", "--checks", "fast",
                                  "--frames", str(frames), *words,
                                  seconds=HANG_SECONDS + frames // 500)
        self.assertEqual((0, frames), (code, summary["frames"]), said)
        self.assertIn((CLEAN, True), [(one["name"], one["passed"])
                                      for one in summary["results"]])

    def test_the_game_does_nothing_wrong_for_long(self):
        self.assert_nothing_is_said(HOST, self.ON_HOST)
        self.assert_nothing_is_said(trials.BOARD, self.IN_QEMU)

    @only_in_full
    def test_no_example_that_is_soaked_does_anything_wrong_for_long(self):
        examples = [path.parent.name for path in ROOT.glob("qemu/examples/*/main.c")
                    if '"soaked.h"' in path.read_text()]
        self.assertEqual(["game_loop", "packets", "tasks"], sorted(examples))
        for name in examples:
            board, frames = (trials.BOARD, self.IN_QEMU) if name == "tasks" \
                else (HOST, self.ON_HOST)  # Tasks need a core.
            with self.subTest(name):
                self.assert_nothing_is_said(
                    board, frames, "--elf", sanitized("fast", f"soaked_{name}", board))


class Run(unittest.TestCase):
    def test_the_game_is_built_so_and_passes(self):
        code, said, summary = run("--sanitize", "--checks", "fast", "--frames", "600",
                                  "--no-host", "--no-share")
        self.assertEqual(0, code, said)
        self.assertIn("checks fast, sanitized", said)
        self.assertTrue(summary["sanitized"])
        self.assertIn("--sanitize", summary["reproduce"])
        self.assertIn((CLEAN, True), [(one["name"], one["passed"])
                                      for one in summary["results"]])

    def test_a_wrong_access_fails_the_run_and_is_told_in_words(self):
        code, said, summary = run(
            "--sanitize", "--checks", "fast", "--frames", "600", "--no-host",
            "--no-share", "--no-why", "--plant", "read-after-free")
        self.assertEqual(1, code, said)
        fault, = summary["faults"]
        self.assertEqual("4 bytes read", fault["access"])
        sentence = f"4 bytes read at offset 0 by {line_of('read-after-free')}"
        self.assertIn(f"frame {fault['frame']}: {sentence}\n", said)
        failed = {one["name"]: one["detail"] for one in summary["results"]
                  if one["passed"] is False}
        self.assertEqual(f"dead: {sentence}", failed[CLEAN])
        self.assertEqual({"how": "dead", "frames": 0}, summary["planted"]["found"])

    def test_on_the_host_the_pools_are_asked_instead_of_its_own_sanitizers(self):
        words = ("--board", "host", "--sanitize", "--checks", "fast", "--frames", "600")
        code, said, summary = run(*words)
        self.assertEqual((0, True), (code, summary["sanitized"]), said)
        self.assertIn("with --sanitize", json.dumps(summary["results"]))
        code, said, summary = run(*words, "--plant", "moved-block", "--no-why")
        self.assertEqual(1, code, said)
        self.assertIn(f"by {line_of('moved-block')}\n", said)


class Refused(unittest.TestCase):
    def refused(self, *words):
        code, said, summary = run(*words)
        self.assertEqual((2, None), (code, summary), said)
        return said

    def own(self, elf, level, *words):
        return ("--elf", elf, "--checks", level, "--frames", "600", "--no-share",
                *words)

    def test_a_firmware_that_was_built_so_is_run_only_so(self):
        dungeon = self.own(sanitized("fast", "dungeon"), "fast")
        code, said, _ = run(*dungeon, "--sanitize")
        self.assertEqual(0, code, said)
        self.assertIn("was built with TIDEPOOL_SANITIZE; say --sanitize",
                      self.refused(*dungeon))

    def test_one_that_was_not_is_refused_even_if_it_was_stripped(self):
        elf = trials.console("poison")
        self.assertIn("nothing in it asks at its loads and stores",
                      self.refused(*self.own(elf, "poison", "--sanitize")))
        with tempfile.TemporaryDirectory() as folder:
            bare = Path(folder) / "bare.elf"
            tool("arm-none-eabi-strip", "-o", bare, elf)
            self.assertIn("was built without TIDEPOOL_SANITIZE; leave out --sanitize",
                          self.refused(*self.own(bare, "poison", "--sanitize")))

    def test_what_does_not_go_with_it_is_a_sentence(self):
        for words, sentence in (
                (("--swarm",), "a swarm's rounds have the sanitizers of the host"),
                (("--checks", "off"), "asks the tags of slots, which --checks off has"),
                (("--no-sanitize",), "not allowed with argument")):
            code, said = say("run", "--sanitize", *words)
            self.assertEqual(2, code)
            self.assertIn(sentence, said)


if __name__ == "__main__":
    unittest.main()
