# SPDX-License-Identifier: MIT
"""What `qemu/soak trace` refuses, in one sentence, and that it leaves nothing half."""

import contextlib
import json
import lzma
import os
import resource
import shutil
import signal
import subprocess
from unittest import main

import command
import paper
import traced
from command import say
from support import HANG_SECONDS, wait_until
from traced import content

LEAST = 4096  # Bytes: less than any of these traces has.


def only_little_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (LEAST, LEAST))


class Refused(traced.Traced):
    def refused(self, *words, result=None):
        """The sentence."""
        code, said = say("trace", result or self.result, *words)
        self.assertEqual(2, code, said)
        return self.sentence(said)

    def sentence(self, said):
        lines = [line for line in said.splitlines() if not line.startswith("trace: ")]
        self.assertRegex("\n".join(lines), r"\Asoak: [^\n]+\Z")
        self.assertNotRegex(said, "bug of the soak|Traceback")
        return lines[0][len("soak: "):]

    def left(self):
        """In the folder of this test, hidden or not."""
        return sorted(os.listdir(self.folder))

    def copied(self, name="result"):
        return shutil.copytree(self.result, self.folder / name)

    def process(self, *words, **more):
        process = subprocess.Popen(
            [*command.SOAK, "trace", *words], stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def test_a_folder_without_a_result_is_a_sentence(self):
        self.assertEqual(f"there is no result of a run in {self.folder}.",
                         self.refused("--format", "vcd", result=self.folder))
        self.assertIn("there is no folder", self.refused(
            "--format", "vcd", result=self.folder / "nowhere"))

    def test_of_a_firmware_that_said_nothing_it_says_why_and_not_to_go_on(self):
        out = self.copied()
        summary = json.loads((out / "summary.json").read_text())
        summary.update(complete=False, config_hash="", frames=0, why="QEMU ended")
        (out / "summary.json").write_text(json.dumps(summary))
        self.assertEqual("there is nothing to show, for QEMU ended",
                         self.refused("--format", "vcd", result=out))

    def test_of_a_run_that_was_stopped_it_says_how_to_go_on(self):
        out = self.folder / "stopped"
        with subprocess.Popen(
                [*command.SOAK, "run", "--days", "3", "--no-host", "--no-why", "--out",
                 out], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT) as process:
            paper.wait_for_samples(out, 5000, process)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=HANG_SECONDS)
        self.assertEqual(
            f"the run in {out} was stopped before its end; `qemu/soak run --resume"
            f" {out}` goes on with it.", self.refused("--format", "vcd", result=out))
        self.assertFalse((out / "trace.vcd").exists())

    def test_formats_and_frames_that_there_are_not_are_named(self):
        end = self.summary["frames"]
        for words, said in (
                (("--format", "pcap"), "invalid choice: 'pcap' (choose from 'ctf',"
                                       " 'chrome', 'vcd', 'massif')"),
                ((), "required: --format"),
                (("--format", "vcd", "--from", end + 1),
                 f"the run has no frame {end + 1}: it ended in {end}."),
                (("--format", "vcd", "--from", 9, "--to", 8),
                 "--from 9 is behind --to 8."),
                (("--format", "vcd", "--to", "-1"), "'-1' is not a frame"),
                (("--format", "massif", "--from", 61, "--to", 119),
                 "no second of the run ended in these frames")):
            self.assertIn(said, self.refused(*words))
        self.assertFalse((self.result / "massif.out").exists())

    def test_telemetry_that_was_damaged_cut_short_or_removed_is_refused(self):
        result = self.copied()
        telemetry = result / "telemetry.bin"
        whole = telemetry.read_bytes()
        half = len(whole) // 2
        frame, flipped = self.summary["frames"], bytes([whole[half] ^ 1])
        for data, said in (
                (whole[:half] + flipped + whole[half + 1:], "is damaged."),
                (whole[:half], fr"cut short: it ends in frame \d+, .* in {frame}."),
                (b"", "holds nothing that a soak wrote.")):
            telemetry.write_bytes(data)
            for format_ in ("ctf", "chrome", "vcd", "massif"):
                self.assertRegex(self.refused("--format", format_, result=result), said)
        telemetry.unlink()
        self.assertIn("is not there any more", self.refused(
            "--format", "vcd", result=result))
        self.assertEqual(set(os.listdir(self.result)) - {"telemetry.bin"},
                         set(os.listdir(result)))

    def test_packed_telemetry_that_was_damaged_is_refused(self):
        result = self.copied()
        packed = lzma.compress((result / "telemetry.bin").read_bytes())
        (result / "telemetry.bin").unlink()
        for data in (packed[:-99], packed[:99] + bytes(99) + packed[198:]):
            (result / "telemetry.bin.xz").write_bytes(data)
            self.assertIn("telemetry.bin.xz is damaged", self.refused(
                "--format", "vcd", result=result))

    def test_before_the_cut_a_trace_is_whole(self):
        result = self.copied()
        telemetry = result / "telemetry.bin"
        telemetry.write_bytes(telemetry.read_bytes()[:-99])
        for one, name in ((None, "before"), (result, "after")):
            self.trace("vcd", "--to", 1200, result=one, name=name)
        self.assertEqual((self.folder / "before").read_bytes(),
                         (self.folder / "after").read_bytes())

    def test_where_no_file_can_be_is_a_sentence_that_names_it(self):
        below = self.folder / "file" / "trace"
        (self.folder / "file").write_text("")
        for format_ in ("ctf", "vcd"):
            self.assertIn(f"{self.folder / 'file'}: ", self.refused(
                "--format", format_, "--out", below))
        self.assertEqual(f"{self.folder}: Is a directory; correct that or choose"
                         " another --out.",
                         self.refused("--format", "vcd", "--out", self.folder))
        self.assertEqual(["file"], self.left())

    def test_a_folder_that_is_not_there_is_made(self):
        for format_ in ("ctf", "vcd"):
            self.trace(format_, name=f"new/{format_}/trace")

    def test_a_full_disk_is_a_sentence(self):
        for format_ in ("chrome", "vcd", "massif"):
            self.assertEqual("/dev/full: No space left on device; free some space or"
                             " choose another --out.", self.refused(
                                 "--format", format_, "--no-sites", "--out",
                                 "/dev/full"))

    def test_what_cannot_be_written_whole_leaves_what_was_there(self):
        for format_ in ("ctf", "chrome", "vcd"):
            out = self.trace(format_, "--to", 60, name=format_)
            before = content(out)
            process = self.process(self.result, "--format", format_, "--out", out,
                                   preexec_fn=only_little_files)
            said = process.communicate(timeout=HANG_SECONDS)[1]
            self.assertEqual((2, f"{out}: File too large; correct that or choose"
                                 " another --out."),
                             (process.returncode, self.sentence(said)))
            self.assertEqual(before, content(out))
        self.assertEqual(["chrome", "ctf", "vcd"], self.left())

    def test_a_folder_of_somebody_else_is_not_replaced(self):
        mine = self.folder / "mine"
        mine.write_text("precious")
        for out in (self.folder, mine):
            self.assertEqual(f"{out} is there and is no trace, which would be replaced;"
                             " choose another --out.",
                             self.refused("--format", "ctf", "--out", out))
        self.assertEqual("precious", mine.read_text())

    def test_a_trace_takes_the_place_of_nothing_that_a_result_holds(self):
        result = self.copied()
        before = sorted(os.listdir(result))
        for format_, name in (("chrome", "telemetry.bin"), ("vcd", "summary.json"),
                              ("massif", "console.elf"), ("ctf", "checkpoints")):
            out = result / name
            self.assertEqual(f"{out} is of the result in {result} and would be"
                             " replaced; choose another --out.", self.refused(
                                 "--format", format_, "--out", out, result=result))
        self.assertEqual(before, sorted(os.listdir(result)))
        for name in ("telemetry.bin", "summary.json", "console.elf"):
            self.assertEqual(content(self.result / name), content(result / name))

    def test_a_link_stays_and_leads_to_the_trace(self):
        for format_ in ("ctf", "vcd"):
            link, there = self.folder / f"{format_}-link", self.folder / format_
            link.symlink_to(there)
            for last in (60, 120):  # The second takes the place of the first.
                self.trace(format_, "--to", last, name=link.name)
            self.assertTrue(link.is_symlink())
            direct = self.trace(format_, "--to", 120, name=f"{format_}-direct")
            self.assertEqual(content(direct), content(there))

    def test_a_pipe_gets_the_trace_and_nothing_else(self):
        process = self.process(self.result, "--format", "vcd", "--out", "/dev/stdout")
        said, _ = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual((0, self.trace("vcd").read_text()), (process.returncode, said))

    @contextlib.contextmanager
    def half_way(self, format_, out):
        """A process that has read a part of the telemetry and waits for more."""
        result = self.copied(f"result-{format_}")
        pipe = result / "telemetry.bin"
        data = pipe.read_bytes()
        pipe.unlink()
        os.mkfifo(pipe)
        process = self.process(result, "--format", format_, "--out", out / "trace")
        with open(pipe, "wb", buffering=0) as telemetry:
            telemetry.write(data[:len(data) // 2])
            wait_until(lambda: out.exists() and os.listdir(out), process)
            yield process
            with contextlib.suppress(BrokenPipeError):
                telemetry.write(data[len(data) // 2:])

    def test_stopped_by_ctrl_c_it_says_so_and_leaves_nothing(self):
        for format_ in ("ctf", "chrome", "vcd", "massif"):
            out = self.folder / format_
            with self.half_way(format_, out) as process:
                process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=HANG_SECONDS)[1]
            self.assertEqual((2, "stopped by Ctrl-C", []), (
                process.returncode, self.sentence(said), os.listdir(out)))

    def test_killed_it_leaves_nothing_by_the_name_of_the_trace(self):
        for format_ in ("ctf", "vcd"):
            out = self.folder / format_
            with self.half_way(format_, out) as process:
                process.kill()
                process.wait()
            self.assertEqual([f".trace.{process.pid}"], os.listdir(out))

    def test_looking_for_lines_is_stopped_by_ctrl_c_too(self):
        process = self.process(self.result, "--format", "massif", "--out",
                               self.folder / "trace")
        self.assertEqual("trace: running from power-on\n", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=HANG_SECONDS)[1]
        self.assertEqual((2, "stopped by Ctrl-C", []), (
            process.returncode, self.sentence(said), self.left()))

    def test_lines_of_a_run_that_goes_another_way_are_refused(self):
        other = traced.run(self.folder / "other", "--seed", "2", "--plant",
                           "double-free")
        result = self.copied()
        shutil.copy(other / "telemetry.bin", result)
        self.assertEqual(
            "the run did not come to frame 60 as it did, as one with interrupts by a"
            " timer may not; --no-sites leaves out whose the bytes are.",
            self.refused("--format", "massif", result=result))
        self.assertNotIn("massif.out", os.listdir(result))

    def test_lines_need_tools_and_all_else_needs_none(self):
        nothing = self.folder / "empty"
        nothing.mkdir()
        words = self.result, "--no-install", "--out", self.folder / "trace", "--format"
        for more, code in ((["massif"], 2), (["massif", "--no-sites"], 0),
                           (["vcd"], 0)):
            process = self.process(*words, *more, env={"PATH": str(nothing)})
            said = process.communicate(timeout=HANG_SECONDS)[1]
            self.assertEqual(code, process.returncode, said)
            self.assertEqual(bool(code), "install them with: apt-get" in said)

    def test_of_a_run_on_the_host_massif_has_no_lines_and_says_so(self):
        result = traced.run(self.folder / "host", "--board", "host", "--no-sanitize",
                            code=0)
        code, said = say("trace", result, "--format", "massif")
        self.assertEqual(0, code, said)
        self.assertIn("whose the bytes are is left out: a run on the host", said)
        snapshots, most = traced.ms_print(result / "massif.out")
        self.assertEqual([[]] * len(snapshots[most].tree[0].below),
                         [one.below for one in snapshots[most].tree[0].below])


if __name__ == "__main__":
    main()
