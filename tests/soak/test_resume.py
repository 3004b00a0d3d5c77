# SPDX-License-Identifier: MIT
"""Killed and gone on with: the real firmware in the real QEMU."""

import contextlib
import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import command
from paper import HANG_SECONDS, wait_until

from harness import checkpoint, durable, packing, result_folder, resume, run
from harness.errors import CannotRun
from harness.monitor import NoAnswer
from harness.options import Options
from harness.result_folder import CHECKPOINTS
from test_between import SUMMARY

KILLS = 10


class Ended:
    """The monitor of an emulator that is there no longer."""

    def ask(self, _):
        raise NoAnswer("QEMU has ended")


class Kept(unittest.TestCase):
    def test_a_disk_is_made_in_a_folder_of_any_name(self):
        with tempfile.TemporaryDirectory() as name:
            self.addCleanup(os.chdir, os.getcwd())
            os.chdir(name)
            for folder in map(Path, ("at 12:30", "-dash", "plain")):
                folder.mkdir()
                checkpoint.power_on(folder)
                self.assertTrue((folder / checkpoint.DISK).is_file())

    def test_the_checkpoints_before_the_first_finding_stay_beside_the_newest(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for frame in range(1000, 13000, 1000):
                (folder / "checkpoints" / f"frame-{frame:010}").mkdir(parents=True)
            checkpoint.forget(folder, 2500)
            kept = [int(one.name[6:]) for one in checkpoint.all_in(folder)]
            self.assertEqual(kept, [1000, 2000, *range(5000, 13000, 1000)])
            checkpoint.forget(folder, None)
            self.assertEqual(len(checkpoint.all_in(folder)), checkpoint.KEPT)

    def test_of_many_before_a_finding_the_last_two_stay_and_none_of_its_frame(self):
        for found, kept in ((4000, [2000, 3000]), (4001, [3000, 4000]), (1, [])):
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                for frame in range(1000, 14000, 1000):
                    (folder / "checkpoints" / f"frame-{frame:010}").mkdir(parents=True)
                checkpoint.forget(folder, found)
                self.assertEqual([*kept, *range(6000, 14000, 1000)], [
                    int(one.name[6:]) for one in checkpoint.all_in(folder)])


class Taken(unittest.TestCase):
    def test_a_checkpoint_that_the_end_of_the_run_cuts_short_leaves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / CHECKPOINTS).mkdir()
            checkpoint.take(Ended(), Path(folder), 3600, 1.0)
            self.assertEqual([], list((Path(folder) / CHECKPOINTS).iterdir()))

    def test_a_checkpoint_that_finds_no_room_is_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(
                    checkpoint.NotKept, "^a checkpoint could not be written: No such"
                                        " file or directory$"):
                checkpoint.take(Ended(), Path(folder), 3600, 1.0)


class Whole(unittest.TestCase):
    """Checkpoints that a run goes on from, of paper."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / CHECKPOINTS).mkdir()
        self.telemetry = self.folder / "telemetry.bin"
        self.telemetry.write_bytes(b"")

    def keep(self, frame, told, asked=None):
        """As the run makes one when it has told so much."""
        self.telemetry.write_bytes(self.telemetry.read_bytes() + told)
        (self.folder / checkpoint.DISK).write_bytes(b"disk %d" % frame)
        monitor = mock.Mock()
        monitor.human.return_value = ""
        monitor.ask.side_effect = asked
        checkpoint.take(monitor, self.folder, frame, 1.23456)
        self.assertEqual(["stop", "savevm soak", "delvm soak", "cont"],
                         [call.args[0] for call in monitor.mock_calls])
        return checkpoint.all_in(self.folder)[-1]

    def start(self):
        said = []
        with mock.patch.object(checkpoint, "_create_disk"):
            return checkpoint.newest_whole(self.folder, said.append), said

    def test_a_run_goes_on_from_the_newest_with_what_was_told_until_then(self):
        self.keep(60, b"abc")
        self.keep(120, b"def")
        self.telemetry.write_bytes(b"abcdefghi")
        self.assertEqual(((120, 6, 1.235, "soak"), []), self.start())
        self.assertEqual(b"abcdef", self.telemetry.read_bytes())
        self.assertEqual(b"disk 120", (self.folder / checkpoint.DISK).read_bytes())

    def test_what_is_told_once_it_goes_on_is_of_no_checkpoint(self):
        def goes_on(words):
            if words == "cont":
                with open(self.telemetry, "ab") as file:
                    file.write(b"more")
        self.keep(60, b"abc", goes_on)
        self.assertEqual(((60, 3, 1.235, "soak"), []), self.start())

    def test_what_somebody_put_beside_the_checkpoints_is_none_and_stays(self):
        self.keep(60, b"abc")
        copy = self.folder / CHECKPOINTS / "frame-0000000060.copy"
        copy.mkdir()
        self.assertEqual(((60, 3, 1.235, "soak"), []), self.start())
        checkpoint.forget(self.folder, 3600)
        self.assertTrue(copy.is_dir())

    def test_what_was_told_until_then_is_on_the_disk_before_it_is_there(self):
        deeds = mock.Mock()
        with mock.patch.object(checkpoint, "durable", deeds):
            with self.assertRaises(IndexError):  # It is given no name.
                self.keep(60, b"abc")
        self.assertEqual(["sync", "rename"], [call[0] for call in deeds.mock_calls])
        deeds.sync.assert_called_with(self.telemetry)

    def test_a_checkpoint_that_was_made_again_takes_the_place_of_the_other(self):
        self.keep(60, b"abc")
        (self.keep(60, b"") / "more").write_text("")
        self.keep(60, b"d")
        self.assertEqual(4, self.start()[0].telemetry_bytes)
        self.assertEqual(1, len(checkpoint.all_in(self.folder)))

    def test_of_each_word_that_its_page_lacks_it_is_damaged(self):
        page = json.loads((self.keep(60, b"abc") / checkpoint.PAGE).read_text())
        self.assertEqual(set(page), set(checkpoint.KEYS))
        for key in page:
            for wrong in ({}, {key: None}):
                one = self.keep(120, b"")
                (one / checkpoint.PAGE).write_text(json.dumps({**{
                    name: value for name, value in page.items() if name != key},
                    **wrong}))
                start, (said,) = self.start()
                self.assertEqual(60, start.frame)
                self.assertEqual(f"checkpoint {one} is damaged: checkpoint.json cannot"
                                 " be read. Going on from the one before it.", said)
                self.assertFalse(one.exists())

    def test_a_page_of_less_than_no_bytes_or_that_nests_without_end_is_damaged(self):
        page = json.loads((self.keep(60, b"abc") / checkpoint.PAGE).read_text())
        for text in (json.dumps({**page, "telemetry_bytes": -1}), "[" * 100000, "{"):
            (self.keep(120, b"") / checkpoint.PAGE).write_text(text)
            start, (said,) = self.start()
            self.assertEqual(60, start.frame)
            self.assertIn("checkpoint.json cannot be read", said)

    def test_a_page_of_another_frame_than_its_folder_is_damaged(self):
        page = json.loads((self.keep(60, b"abc") / checkpoint.PAGE).read_text())
        one = self.keep(120, b"")
        (one / checkpoint.PAGE).write_text(json.dumps(page))
        start, (said,) = self.start()
        self.assertEqual(60, start.frame)
        self.assertIn(f"{one} is damaged: checkpoint.json is of frame 60", said)

    def test_what_is_not_what_was_written_is_named(self):
        for told in b"b", b"":
            one = self.keep(60, b"a")
            self.telemetry.write_bytes(told)
            self.assertIn("telemetry.bin is not what was written", self.start()[1][0])
        for name, change, said in (
                (checkpoint.DISK, b"disc 60", "disk.qcow2 is not what was written"),
                (checkpoint.DISK, None, "disk.qcow2 cannot be read")):
            one = self.keep(60, b"a")
            (one / name).unlink()
            if change:
                (one / name).write_bytes(change)
            start, words = self.start()
            self.assertEqual(checkpoint.Start(), start)
            self.assertIn(said, words[0])
            self.assertEqual(b"", self.telemetry.read_bytes())

    def test_an_emulator_that_cannot_write_one_says_why(self):
        monitor = mock.Mock()
        monitor.human.return_value = "Error: no room"
        with self.assertRaisesRegex(checkpoint.NotKept,
                                    "QEMU could not write a checkpoint: Error: no"):
            checkpoint.take(monitor, self.folder, 60, 1.0)
        self.assertEqual([], checkpoint.all_in(self.folder))


class Pages(unittest.TestCase):
    """What run.json says of a run, and who may go on with it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name)
        self.elf = self.out / "console.elf"
        self.elf.write_bytes(b"elf")

    def write(self, where=".", **options):
        folder = self.out / where
        folder.mkdir(exist_ok=True)
        (folder / "console.elf").write_bytes(b"elf")
        resume.write_page(Options(out=str(self.out), **options), folder, "qemu 7")

    def there(self, qemu="qemu 7", **options):
        return resume.is_there(Options(out=str(self.out), **options), self.elf, qemu)

    def test_how_it_is_run_is_no_other_run_and_what_is_run_is(self):
        self.write()
        for more in ({"json": True}, {"install": False}, {"once": True}, {"jobs": 2},
                     {"checkpoint_every": 7}, {"seeds": (1, 2)}, {"why": False},
                     {"swarm": True}, {"rounds": 3}, {"resume": "x"}):
            self.assertTrue(self.there(**more), more)
        for more in ({"seed": 2}, {"frames": 60}, {"checks": "full"}, {"plant": "leak"},
                     {"max_findings": 2}, {"sanitize": False}, {"ask": True},
                     {"with_host": True}, {"qemu": "qemu 8"}):
            self.assertFalse(self.there(**more), more)
        self.elf.write_bytes(b"other")
        self.assertFalse(self.there())

    def test_a_run_that_was_moved_is_the_same(self):
        self.write(seed=3)
        moved = self.out / "moved"
        moved.mkdir()
        shutil.copy(self.out / "run.json", moved)
        self.assertTrue(resume.is_there(Options(seed=3, out=str(moved)), self.elf,
                                        "qemu 7"))
        self.assertEqual(str(moved), resume.resumed_options({"resume": str(moved)}).out)

    def test_up_to_where_it_is_there_is_its_last_checkpoint(self):
        def frame(**more):
            return resume.cut_short_at(Options(out=str(self.out), **more), self.elf,
                                       "qemu 7")
        self.write(".running")
        self.assertEqual(0, frame())
        for at in (60, 7200):
            (self.out / ".running" / "checkpoints" / f"frame-{at:010}").mkdir(
                parents=True)
        self.assertEqual([7200, 0], [frame(), frame(seed=2)])

    def test_what_was_cut_short_comes_before_what_is_there(self):
        for at, where in enumerate((".", ".cut-short", ".running")):
            self.write(where, seed=at)
            self.assertEqual([at], [seed for seed in range(3) if self.there(seed=seed)])

    def test_a_run_goes_on_as_it_began_unless_told_otherwise(self):
        self.write(seed=3, checkpoint_every=7)
        found = resume.resumed_options({"resume": str(self.out)})
        self.assertEqual((3, 7, str(self.out)), (found.seed, found.checkpoint_every,
                                                 found.out))
        again = {"resume": str(self.out), "checkpoint_every": 9, "json": True}
        found = resume.resumed_options({**again, "seed": 3})
        self.assertEqual((3, 9, True), (found.seed, found.checkpoint_every, found.json))
        with self.assertRaisesRegex(CannotRun, "has seed 3, not 4; leave that option"):
            resume.resumed_options({**again, "seed": 4})
        with self.assertRaisesRegex(CannotRun, "has sanitize False, not True; leave"):
            resume.resumed_options({**again, "pool_sanitizer": True})

    def test_options_that_the_firmware_was_not_told_of_are_not_the_scenario_s(self):
        scenario = self.out / "mine.toml"
        scenario.write_text("scenario = 1\n[enemies]\nwave_frames = 60\n")
        for given in ("", str(scenario)):
            self.write(".running", frames=600, scenario=given)
            page = self.out / ".running" / "run.json"
            page.write_text(page.read_text().replace('"frames": 600', '"frames": 6'))
            with self.assertRaisesRegex(CannotRun, "run.json is not what was written"):
                resume.go_on(resume.resumed_options({"resume": str(self.out)}),
                             "qemu 7", print)

    def test_a_run_is_finished_that_is_complete_and_not_begun_again(self):
        def finished(complete=True):
            (self.out / "summary.json").write_text(json.dumps(
                dict(SUMMARY, complete=complete)))
            return bool(resume.finished(self.out))
        self.assertIsNone(resume.finished(self.out))
        self.assertEqual([True, False], [finished(), finished(False)])
        for name in (".running", ".cut-short"):
            self.write(name)
            self.assertFalse(finished())
            shutil.rmtree(self.out / name)


class Durable(unittest.TestCase):
    def test_a_folder_has_its_name_when_all_bytes_in_it_are_on_the_disk(self):
        deeds = []
        with tempfile.TemporaryDirectory() as name, \
                mock.patch("os.fsync", lambda handle: deeds.append(
                    os.path.basename(os.readlink(f"/proc/self/fd/{handle}")))), \
                mock.patch("os.rename", lambda *_: deeds.append("rename")):
            new = Path(name) / "new"
            new.mkdir()
            (new / "page").write_text("x")
            durable.rename(new, Path(name) / "whole")
        self.assertEqual(deeds, ["page", "new", "rename", Path(name).name])


class Published(unittest.TestCase):
    def setUp(self):
        self.out = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.out)

    def publish(self, *names):
        """A result of these files beside its summary; what is there then."""
        (self.out / ".running").mkdir()
        for name in (*names, "summary.json"):
            (self.out / ".running" / name).write_text('{"verdict": "pass"}')
        result_folder.publish(self.out)
        return sorted(one.name for one in self.out.iterdir())

    def test_every_file_of_a_result_comes_out_of_hiding(self):
        names = ["checkpoints", "console.elf", "console.log", "findings.sarif",
                 "host.elf", "junit.xml", "report.html", "run.json", "samples.ndjson",
                 "sanitized.elf", "summary.json", "swarm", "telemetry.bin"]
        self.assertEqual(names, self.publish(*names))

    def test_its_files_are_on_the_disk_before_where_they_were_is_forgotten(self):
        deeds = mock.Mock()
        with mock.patch.object(result_folder, "durable", deeds), \
                mock.patch.object(result_folder.shutil, "rmtree", deeds.forget), \
                mock.patch.object(result_folder.os, "replace", deeds.move):
            (self.out / ".finished").mkdir()
            for name in ("console.elf", "summary.json"):
                (self.out / ".finished" / name).write_text("")
            result_folder.settle(self.out)
        finished = self.out / ".finished"
        self.assertEqual([
            *(mock.call.move(finished / name, self.out / name)
              for name in ("console.elf", "summary.json")),
            mock.call.sync(self.out), mock.call.forget(finished, ignore_errors=True)],
            deeds.mock_calls)

    def test_what_a_result_has_not_is_not_there_of_the_one_before(self):
        self.assertEqual(["console.elf", "host.elf", "summary.json"],
                         self.publish("console.elf", "host.elf"))
        (self.out / "progress.log").write_text("")
        (self.out / "swarm").mkdir()
        self.assertEqual(["console.elf", "progress.log", "summary.json"],
                         self.publish("console.elf"))

    def test_the_result_of_many_runs_or_of_a_swarm_is_not_replaced_by_one_of_a_run(
            self):
        for told, refused in ({"runs": []}, True), ({"swarm": {}}, True), (
                {"seed": 1}, False):
            (self.out / "summary.json").write_text(json.dumps(dict(
                told, verdict="pass")))
            with mock.patch.object(run, "_wanted_result") as wanted, \
                    mock.patch.object(run, "say_verdict"), \
                    mock.patch.object(run, "exit_code"), \
                    mock.patch.object(run.install, "ensure"), \
                    contextlib.redirect_stdout(io.StringIO()), \
                    contextlib.suppress(CannotRun):
                run.run(Options(out=str(self.out)))
            self.assertEqual(refused, not wanted.called, told)

    def test_a_summary_of_somebody_else_is_not_replaced_whatever_is_in_it(self):
        for text in ("{", "5", "null", "[" * 100000, '{"seed": 1}'):
            (self.out / "summary.json").write_text(text)
            with self.assertRaisesRegex(CannotRun, "summary.json, which is of no"), \
                    result_folder.result_folder(self.out):
                pass

    def test_a_link_in_the_place_of_a_folder_of_a_result_is_replaced_and_not_followed(
            self):
        (self.out / "elsewhere").mkdir()
        self.publish("run.json")
        for name in "checkpoints", "swarm":
            (self.out / name).symlink_to(self.out / "elsewhere")
        self.assertEqual(["checkpoints", "elsewhere", "run.json", "summary.json"],
                         self.publish("run.json", "checkpoints"))
        self.assertFalse((self.out / "checkpoints").is_symlink())

    def test_a_folder_of_a_result_takes_the_place_of_that_of_the_one_before(self):
        for name in ("old", "new"):
            kept = self.out / ".running" / "checkpoints" / name
            kept.mkdir(parents=True)
            (kept.parents[1] / "summary.json").write_text('{"verdict": "pass"}')
            result_folder.publish(self.out)
        self.assertEqual(["new"], os.listdir(self.out / "checkpoints"))

    def test_a_run_that_goes_on_takes_all_that_it_needs_with_it(self):
        needed = ["checkpoints", "console.elf", "host.elf", "run.json", "sanitized.elf",
                  "telemetry.bin"]
        for name in (*needed[1:], "summary.json", "report.html"):
            (self.out / name).write_text(name)
        (self.out / "checkpoints" / "frame-0000000060").mkdir(parents=True)
        (self.out / ".running").mkdir()
        (self.out / ".running" / "old").write_text("")
        scratch = result_folder.reopened(self.out)
        self.assertEqual(needed, sorted(os.listdir(scratch)))
        self.assertEqual(["frame-0000000060"], os.listdir(scratch / "checkpoints"))
        (self.out / "console.elf").unlink()
        with self.assertRaisesRegex(CannotRun, "console.elf is not there any more"):
            result_folder.reopened(self.out)

    def test_what_was_cut_short_comes_back_if_it_had_got_further(self):
        for aside, there, hidden, wanted in ((2, 1, 0, 2), (2, 2, 0, 0), (2, 0, 2, 2),
                                             (2, 3, 1, 1), (3, 1, 2, 3)):
            for folder, frame in ((self.out / ".cut-short", aside), (self.out, there),
                                  (self.out / ".running", hidden)):
                shutil.rmtree(folder / "checkpoints", ignore_errors=True)
                (folder / "checkpoints" / f"frame-{frame:010}").mkdir(parents=True)
            result_folder.bring_back(self.out)
            self.assertEqual([f"frame-{wanted:010}"],
                             os.listdir(self.out / ".running" / "checkpoints"))

    def test_what_was_cut_short_is_set_aside_or_forgotten(self):
        for is_kept in (True, False):
            for name in (".cut-short", ".running"):
                (self.out / name / name[1:]).mkdir(parents=True)
            result_folder.set_aside(self.out, is_kept)
            self.assertEqual([not is_kept, is_kept], [
                (self.out / one).exists() for one in (
                    ".running/running", ".cut-short/running")])
            self.assertFalse((self.out / ".cut-short" / "cut-short").exists())

    def test_what_a_kill_left_of_it_is_all_there_after_the_next_begins(self):
        """Wherever the kill came while its files moved."""
        names = "console.elf", "host.elf", "junit.xml"
        whole = self.publish(*names)
        for moves in range(len(whole)):
            with mock.patch.object(result_folder.os, "replace", dying(moves)), \
                    self.assertRaises(KeyboardInterrupt):
                self.publish(*names)
            self.assertFalse((self.out / "summary.json").exists())
            with result_folder.result_folder(self.out):
                self.assertEqual(whole, sorted(
                    one.name for one in self.out.iterdir()))


def dying(moves):
    """os.replace(), which after so many moves is the last that is done."""
    done = []

    def replace(old, new):
        if len(done) == moves:
            raise KeyboardInterrupt
        done.append(new)
        os.rename(old, new)
    return replace


class Packed(unittest.TestCase):
    def test_long_telemetry_is_packed_and_comes_out_as_it_was(self):
        data = bytes(range(256)) * 8
        with tempfile.TemporaryDirectory() as name, \
                mock.patch.object(packing, "LEAST_BYTES", 1000):
            path = Path(name) / "telemetry.bin"
            path.write_bytes(data)
            packing.pack(path)
            self.assertEqual(os.listdir(name), ["telemetry.bin.xz"])
            packing.unpack(path, Path(name) / "again")
            self.assertEqual((Path(name) / "again").read_bytes(), data)


class Resume(unittest.TestCase):
    def setUp(self):
        self.out = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.out, ignore_errors=True)

    def start(self, *arguments):
        return subprocess.Popen(
            [*command.SOAK, "run", *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, universal_newlines=True)

    def soak(self, *arguments):
        """(exit code, everything it said)."""
        process = self.start(*arguments)
        said = process.communicate(timeout=HANG_SECONDS)[0]
        return process.returncode, said

    def run_of(self, frames, out, *more):
        return ["--frames", str(frames), "--seed", "3", "--checkpoint-every",
                "0.02", "--no-host", "--out", str(out), *more]

    def summary(self, out=None):
        return json.loads(((out or self.out) / "summary.json").read_text())

    def cut_short(self, frames=43200, least=2):
        """A run of which the harness was killed after some checkpoints."""
        process = self.start(*self.run_of(frames, self.out))
        wait_until(lambda: len(self.checkpoints()) >= least
                   or process.poll() is not None)
        process.kill()
        process.communicate(timeout=HANG_SECONDS)

    def checkpoints(self):
        return sorted(self.out.glob(".running/checkpoints/frame-*"))

    def assert_refused(self, sentence, *arguments):
        code, said = self.soak("--resume", str(self.out), *arguments)
        self.assertEqual(code, 2, said)
        self.assertRegex(said.splitlines()[-1], f"^soak: .*{sentence}")


class Killed(Resume):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.whole = Path(folder.name) / "whole"  # Never killed.
        code, said = cls().soak(*cls().run_of(43200, cls.whole))
        assert code == 0, said

    def test_a_run_killed_ten_times_ends_as_one_that_never_was(self):
        chance = random.Random(6)
        killed = self.out / "killed"
        process = self.start(*self.run_of(43200, killed))
        wait_until((killed / ".running" / "run.json").exists, process)
        most = (self.whole / "telemetry.bin").stat().st_size // (KILLS + 2)
        for _ in range(KILLS):
            self.let_run(process, killed, chance.randrange(most))
            time.sleep(chance.uniform(0, 0.1))
            self.assertIsNone(process.poll(), "it ended before it was killed")
            self.kill(process, chance.choice(("harness", "QEMU")))
            process = self.start("--resume", str(killed))
        said = process.communicate(timeout=HANG_SECONDS)[0]
        self.assertEqual(process.returncode, 0, said)
        self.assert_same_run(self.whole, killed)

    def let_run(self, process, folder, more):
        """Until it has sent so many bytes more than when it was killed."""
        before = self.sent(folder / ".running") or self.sent(folder)
        wait_until(lambda: self.sent(folder / ".running") >= before + more
                   or process.poll() is not None)

    def sent(self, folder):
        with contextlib.suppress(FileNotFoundError):
            return (folder / "telemetry.bin").stat().st_size
        return 0

    def kill(self, process, which):
        """kill -9, and QEMU may not have begun or may have died with it."""
        target = process.pid
        if which == "QEMU":
            with contextlib.suppress(OSError):
                words = Path(f"/proc/{process.pid}/task/{process.pid}/children"
                             ).read_text().split()
                target = int(words[0]) if words else target
        with contextlib.suppress(ProcessLookupError):
            os.kill(target, signal.SIGKILL)
        process.communicate(timeout=HANG_SECONDS)

    def assert_same_run(self, one, other):
        for name in ("telemetry.bin", "samples.ndjson"):
            self.assertEqual((one / name).read_bytes(),
                             (other / name).read_bytes(), name)
        first, second = self.summary(one), self.summary(other)
        for key in ("state_hash", "pools", "results", "irqs", "why"):
            self.assertEqual(first[key], second[key], key)

    def test_a_run_stopped_by_ctrl_c_goes_on_where_it_was(self):
        process = self.start(*self.run_of(43200, self.out))
        wait_until(lambda: len(self.checkpoints()) >= 2, process)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=HANG_SECONDS)[0]
        self.assertEqual(process.returncode, 2)
        named = re.search(r"go on qemu/soak run --resume (\S+)", said)[1]
        self.assertEqual(Path(named).resolve(), self.out.resolve())
        self.assertEqual(self.soak("--resume", str(self.out))[0], 0)
        self.assertEqual(self.summary(self.whole)["state_hash"],
                         self.summary()["state_hash"])

    def test_an_interrupt_by_timer_comes_at_the_same_place_after_a_resume(self):
        timer = ("--interrupts", "timer")
        process = self.start(*self.run_of(43200, self.out, *timer))
        wait_until(lambda: len(self.checkpoints()) >= 2, process)
        process.kill()
        process.communicate(timeout=HANG_SECONDS)
        self.assertEqual(self.soak("--resume", str(self.out))[0], 0)
        resumed = (self.out / "telemetry.bin").read_bytes()
        self.soak(*self.run_of(43200, self.out, *timer))
        self.assertEqual((self.out / "telemetry.bin").read_bytes(), resumed)

    def test_the_same_command_after_a_kill_says_how_it_could_have_gone_on(self):
        self.cut_short()
        process = self.start(*self.run_of(43200, self.out))
        wait_until((self.out / ".cut-short").exists, process)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=HANG_SECONDS)[0]
        self.assertRegex(said, r"holds this very run, cut short at frame \d[\d ]+, and"
                               r" `qemu/soak run --resume \S+` would go on with it")
        code, said = self.soak("--resume", str(self.out))
        self.assertEqual((code, self.summary()["verdict"]), (0, "pass"), said)
        self.assertFalse((self.out / ".cut-short").exists())

    def test_a_finished_run_is_not_run_again(self):
        self.soak(*self.run_of(3600, self.out))
        before = (self.out / "summary.json").stat().st_mtime_ns
        code, said = self.soak("--resume", str(self.out))
        self.assertEqual(code, 0, said)
        self.assertIn("PASS", said)
        self.assertEqual((self.out / "summary.json").stat().st_mtime_ns, before)

    def test_only_the_newest_checkpoints_are_kept(self):
        kept = list((self.whole / "checkpoints").iterdir())
        self.assertEqual(len(kept), 8)

    def test_a_publication_that_was_cut_short_is_finished(self):
        self.soak(*self.run_of(3600, self.out))
        finished = self.out / ".finished"
        finished.mkdir()
        for name in ("report.html", "summary.json"):
            os.rename(self.out / name, finished / name)
        self.assertEqual(self.soak("--resume", str(self.out))[0], 0)
        self.assertTrue((self.out / "report.html").exists())
        self.assertFalse(finished.exists())


class Refused(Resume):
    def test_a_folder_without_a_run_is_a_sentence(self):
        self.assert_refused("there is no run in")

    def test_damaged_checkpoints_are_named_and_the_one_before_them_goes_on(self):
        self.cut_short(least=3)
        newest, one, *_ = reversed(self.checkpoints())
        with open(newest / "disk.qcow2", "r+b") as image:
            image.seek(500000)
            image.write(b"\x55")
        (one / "checkpoint.json").write_text('{"frame": 4320}')
        code, said = self.soak("--resume", str(self.out))
        self.assertEqual(code, 0, said)
        self.assertRegex(said, f"{newest.name} is damaged: disk.qcow2 is not what was"
                               r" written. Going on .*\n.*"
                               f"{one.name} is damaged: checkpoint.json cannot be read")

    def test_a_run_that_lost_its_telemetry_begins_at_power_on(self):
        self.cut_short(21600)
        os.truncate(self.out / ".running" / "telemetry.bin", 1000)
        code, said = self.soak("--resume", str(self.out))
        self.assertEqual(code, 0, said)
        self.assertIn("telemetry.bin is not what was written", said)
        self.assertEqual(self.summary()["frames"], 21600)

    def test_another_seed_is_another_run(self):
        self.cut_short()
        self.assert_refused("has seed 3, not 4; leave that option out",
                            "--seed", "4")

    def test_another_firmware_is_another_run(self):
        self.cut_short()
        with open(self.out / ".running" / "console.elf", "ab") as elf:
            elf.write(b"more")
        self.assert_refused("is not the firmware this run began with")

    def test_a_scenario_that_was_changed_is_refused(self):
        scenario = self.out / "mine.toml"
        scenario.write_text("scenario = 1\n[enemies]\nwave_frames = 60\n")
        process = self.start(*self.run_of(43200, self.out, "--scenario",
                                          str(scenario)))
        wait_until(lambda: len(self.checkpoints()) >= 1, process)
        process.kill()
        process.communicate(timeout=HANG_SECONDS)
        scenario.write_text("scenario = 1\n[enemies]\nwave_frames = 61\n")
        self.assert_refused("mine.toml is not the scenario this run began with")

    def test_another_emulator_is_refused(self):
        self.cut_short()
        page = self.out / ".running" / "run.json"
        page.write_text(page.read_text().replace("version 7.2", "version 6.2"))
        self.assert_refused("began in QEMU emulator version 6.2")
