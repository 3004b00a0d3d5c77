# SPDX-License-Identifier: MIT
"""The whole soak, with tools made of paper."""

import contextlib
import errno
import io
import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import paper
from paper import HANG_SECONDS
from checkout import Checkout
from harness import cli, fence, machine
from harness.errors import CannotRun
from harness.firmware_file import refuse_what_cannot_be_soaked
from harness.options import Options
from harness.qemu_run import QemuRun

FILES = {"summary.json", "samples.ndjson", "report.html", "junit.xml",
         "console.log", "telemetry.bin", "console.elf", "run.json",
         "checkpoints", "findings.sarif"}


class Soak(unittest.TestCase):
    def setUp(self):
        self.checkout = Checkout(self)

    def summary(self):
        return json.loads((self.checkout.out / "summary.json").read_text())

    def files(self):
        return {path.name for path in self.checkout.out.iterdir()}

    def test_a_good_run_exits_0_and_leaves_every_file(self):
        code, stdout, stderr = self.checkout.run()
        self.assertEqual((code, stderr), (0, ""))
        self.assertIn("PASS  12 checks passed", stdout)
        self.assertIn("see   ", stdout)
        self.assertEqual(self.files(), FILES)
        self.assertEqual(self.summary()["verdict"], "pass")

    def test_a_failed_check_exits_1_and_names_the_guilty(self):
        code, stdout, _ = self.checkout.run("--seed", "9", play="badly")
        self.assertEqual(code, 1)
        self.assertIn("FAIL  poison fault in pool particles, slot 17", stdout)
        self.assertIn("again qemu/soak run --frames 3600 --seed 9", stdout)
        self.assertEqual(self.files(), FILES)

    def test_the_verdict_is_told_where_the_terminal_lacks_a_letter(self):
        out = self.checkout.root / "\u043c\u043e\u0439"
        for seed, play, wanted in (("1", "well", 0), ("9", "badly", 1)):
            code, stdout, stderr = self.checkout.run(
                "--seed", seed, play=play, out=out, PYTHONIOENCODING="ascii")
            self.assertEqual((wanted, ""), (code, stderr))
            self.assertIn(r"\u043c\u043e\u0439/report.html", stdout)

    def test_json_is_one_line_on_stdout_and_progress_goes_to_stderr(self):
        code, stdout, stderr = self.checkout.run("--json")
        self.assertEqual(code, 0)
        self.assertEqual(stdout.count("\n"), 1)
        self.assertEqual(json.loads(stdout), self.summary())
        self.assertIn("PASS", stderr)

    def test_the_default_verb_and_folder_are_those_of_the_manual(self):
        process = self.checkout.start("--seed", "4", "--checks", "poison",
                                      "--hours", "0.01")
        process.communicate(timeout=HANG_SECONDS)
        folder = self.checkout.root / "build/soak/mps2_an385-poison-seed4"
        self.assertEqual(process.returncode, 0)
        self.assertTrue((folder / "summary.json").exists())

    def test_ctrl_c_stops_qemu_and_still_writes_the_whole_report(self):
        for number, name in ((signal.SIGINT, "Ctrl-C"),
                             (signal.SIGTERM, "SIGTERM")):
            process = self.checkout.start("--hours", "1", "--out",
                                          str(self.checkout.out), play="on")
            self.checkout.wait_for_samples(process)
            process.send_signal(number)
            _, stderr = process.communicate(timeout=HANG_SECONDS)
            self.assertEqual((process.returncode, stderr), (2, ""))
            self.assertEqual(self.files(), FILES)
            self.assertEqual(self.summary()["verdict"], "fail")
            self.assertRegex(self.summary()["why"],
                             f"stopped by {name} after .* of 216 000 frames")

    def test_of_a_run_that_was_stopped_there_is_no_why(self):
        """It would run once more, to the good end that this one did not come to."""
        process = self.checkout.start("--hours", "1", "--out",
                                      str(self.checkout.out), play="on")
        self.checkout.wait_for_samples(process)
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=HANG_SECONDS)
        self.assertIn("go on qemu/soak run --resume", stdout)
        self.assertNotIn("qemu/soak why", stdout)
        asked = self.checkout.start("why", str(self.checkout.out))
        _, stderr = asked.communicate(timeout=HANG_SECONDS)
        self.assertEqual(2, asked.returncode)
        self.assertRegex(stderr, "there is nothing to go back to: stopped by Ctrl-C"
                                 " after [0-9 ]+ of 216 000 frames.$")

    def test_the_end_of_its_terminal_leaves_the_whole_report(self):
        """Whether the leader of its session, which is told, or another."""
        # Of a test that nohup runs, a child would inherit that nobody tells it.
        before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
        self.addCleanup(signal.signal, signal.SIGHUP, before)
        for told in (True, False):
            ours, theirs = os.openpty()
            process = self.checkout.start(
                "--hours", "1", "--out", str(self.checkout.out), play="on",
                stdout=theirs, stderr=theirs)
            os.close(theirs)
            self.checkout.wait_for_samples(process)
            if told:
                process.send_signal(signal.SIGHUP)
            os.close(ours)
            self.assertEqual(process.wait(HANG_SECONDS), 2)
            self.assertEqual(self.files(), FILES)
            self.assertIn("stopped by the end of its terminal after",
                          self.summary()["why"])

    def test_qemu_does_not_outlive_a_harness_that_is_killed(self):
        process = self.checkout.start("--hours", "1", "--out",
                                      str(self.checkout.out), play="on")
        self.checkout.wait_for_samples(process)
        process.kill()
        process.communicate(timeout=HANG_SECONDS)
        telemetry = self.checkout.out / ".running" / "telemetry.bin"
        time.sleep(0.2)
        size = telemetry.stat().st_size
        time.sleep(0.5)
        self.assertEqual(telemetry.stat().st_size, size)

    def test_a_run_after_one_that_was_killed_starts_afresh(self):
        self.test_qemu_does_not_outlive_a_harness_that_is_killed()
        code, _, _ = self.checkout.run()
        self.assertEqual((code, self.files()), (0, FILES))

    def test_a_previous_result_stays_until_the_new_one_is_whole(self):
        self.checkout.run("--seed", "5")
        code, _, _ = self.checkout.run(CMAKE_SAYS="broken")
        self.assertEqual((code, self.files()), (2, FILES))
        self.assertEqual(self.summary()["seed"], 5)
        self.checkout.run("--seed", "6")
        self.assertEqual(self.summary()["seed"], 6)

    def test_files_of_somebody_else_are_not_replaced(self):
        self.checkout.out.mkdir()
        mine = self.checkout.out / "console.log"
        mine.write_text("mine")
        code, _, stderr = self.checkout.run()
        self.assertEqual((code, mine.read_text()), (2, "mine"))
        self.assertEqual(stderr, f"soak: {self.checkout.out} holds console.log, which"
                         " is of no soak and would be replaced; choose another"
                         " --out.\n")

    def test_a_summary_of_somebody_else_is_not_replaced(self):
        self.checkout.out.mkdir()
        mine = self.checkout.out / "summary.json"
        for text in ('{"total": {"lines": 7}}', "[]", "mine"):
            mine.write_text(text)
            code, _, stderr = self.checkout.run()
            self.assertEqual((code, mine.read_text()), (2, text))
            self.assertEqual(stderr, f"soak: {self.checkout.out} holds summary.json,"
                             " which is of no soak and would be replaced; choose"
                             " another --out.\n")

    def test_a_damaged_page_of_a_run_is_a_sentence(self):
        self.checkout.run()
        for name, verb in (("run.json", "run --resume"), ("run.json", "why"),
                           ("summary.json", "why"), ("summary.json", "merge")):
            page = self.checkout.out / name
            whole = page.read_text()
            damaged = [(key, wrong) for key in json.loads(whole)
                       for wrong in ({key: ["x"]}, {key: [{}]}, {})]
            for key, wrong in damaged:
                rest = {one: value for one, value in json.loads(whole).items()
                        if one != key}
                page.write_text(json.dumps({**rest, **wrong}))
                with self.subTest(name=name, verb=verb, key=key, wrong=wrong):
                    said = io.StringIO()
                    with contextlib.redirect_stderr(said), \
                            contextlib.redirect_stdout(said):
                        cli.main([*verb.split(), str(self.checkout.out)])
                    self.assertNotIn("a bug of", said.getvalue())
            page.write_text(whole)

    def test_two_soaks_do_not_write_to_one_folder(self):
        first = self.checkout.start("--hours", "1", "--out",
                                    str(self.checkout.out), play="on")
        self.checkout.wait_for_samples(first)
        code, _, stderr = self.checkout.run()
        first.kill()
        first.communicate(timeout=HANG_SECONDS)
        self.assertEqual(code, 2)
        self.assertRegex(stderr,
                         "^soak: another soak is writing to .*--out.\n$")

    def test_a_broken_build_shows_the_compilers_own_lines(self):
        code, _, stderr = self.checkout.run(CMAKE_SAYS="console.c:1:1: error")
        self.assertEqual(code, 2)
        self.assertEqual(stderr, "console.c:1:1: error\nsoak: the console did"
                                 " not build; what went wrong is above.\n")

    def test_an_error_in_pools_toml_shows_the_generators_own_lines(self):
        pools = self.checkout.root / "mine.toml"
        pools.write_text("bad")
        code, _, stderr = self.checkout.run("--pools", str(pools))
        self.assertEqual(code, 2)
        self.assertEqual(
            stderr, f"{pools}:1:1: error: bad pools\nsoak: {pools} has errors;"
                    " correct them and run again.\n")

    def test_other_pools_are_built_in_a_folder_of_their_own(self):
        pools = self.checkout.root / "mine.toml"
        pools.write_text("good")
        code, stdout, _ = self.checkout.run("--pools", str(pools))
        folders = [path.name for path in
                   (self.checkout.root / "build").iterdir()]
        self.assertEqual(code, 0)
        self.assertRegex(folders[0], r"^mps2_an385-poison-[0-9a-f]{8}$")

    def test_a_missing_tool_is_named_and_nothing_is_installed(self):
        self.checkout.remove_tool("ninja")
        bare = str(self.checkout.root / "bin")
        code, _, stderr = self.checkout.run("--no-install", path=bare)
        self.assertEqual(code, 2)
        self.assertEqual(stderr, "soak: some tools are missing; install them"
                                 " with: apt-get install"
                                 " --no-install-recommends ninja-build\n")

    def test_qemu_that_does_not_start_is_quoted(self):
        code, stdout, _ = self.checkout.run(play="not at all")
        self.assertEqual(code, 2)
        self.assertIn("QEMU ended with code 134 (qemu-system-arm: could not"
                      " load kernel) before the firmware had said", stdout)

    def test_no_room_for_a_checkpoint_is_a_sentence_and_the_run_can_go_on(self):
        code, _, stderr = self.checkout.run("--checkpoint-every", "0.001",
                                            play="no room")
        self.assertEqual(code, 2)
        self.assertRegex(stderr, "^soak: QEMU could not write a checkpoint:"
                                 " Error: No space left on device; .* go on"
                                 " with `qemu/soak run --resume .*result`")
        self.assertTrue((self.checkout.out / ".running/run.json").exists())

    def test_a_disk_that_has_no_room_for_an_emulator_s_is_a_sentence(self):
        for said, sentence in (
                ("No space left on device", f"soak: the disk of {self.checkout.out}"
                 "/.running is full; free some space or choose another --out.\n"),
                ("Permission denied", "qemu-img: disk: Permission denied\nsoak:"
                 f" {self.checkout.out}/.running/disk.qcow2 could not be made, and why"
                 " is said above; correct that or choose another --out.\n")):
            self.checkout.tool("qemu-img", f"echo qemu-img: disk: {said} >&2\nexit 1\n")
            code, _, stderr = self.checkout.run()
            self.assertEqual((2, sentence), (code, stderr))
            self.assertEqual(set(), self.files())

    def test_a_run_whose_page_finds_no_room_has_not_begun(self):
        tools = f"{self.checkout.root / 'bin'}:{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", sys.executable,
             self.checkout.root / "qemu" / "soak", "--no-host", "--out",
             self.checkout.out], env=dict(os.environ, PATH=tools, PLAY="well"),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.assertEqual((2, f"soak: {self.checkout.out}/.running/run.json: File too"
                          " large; correct that or choose another --out.\n"),
                         (done.returncode, done.stderr))
        self.assertEqual(set(), self.files())

    def test_a_date_that_is_none_is_refused_before_anything_is_built(self):
        for told in ("99999999999999", "\u00b2", "tomorrow"):
            code, stdout, stderr = self.checkout.run(SOURCE_DATE_EPOCH=told)
            self.assertEqual((2, "", f"soak: SOURCE_DATE_EPOCH is '{told}': it must be"
                              " seconds since 1970; correct it or unset it.\n"),
                             (code, stdout, stderr))
        self.assertEqual(0, self.checkout.run(SOURCE_DATE_EPOCH="1")[0])
        self.assertEqual("1970-01-01 00:00 UTC", self.summary()["origin"]["date"])

    def test_ctrl_c_while_its_modules_are_loaded_is_the_same_sentence(self):
        soak = str(self.checkout.root / "qemu" / "soak")
        script = ("import runpy, sys\nclass Finder:\n  def find_spec(_, name, *more):\n"
                  "    if name == 'harness.why': raise KeyboardInterrupt\n"
                  f"sys.path.insert(0, {os.path.dirname(soak)!r})\n"
                  "sys.meta_path.insert(0, Finder())\n"
                  f"runpy.run_path({soak!r}, run_name='__main__')")
        done = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE,
                              text=True)
        self.assertEqual((2, "soak: stopped by Ctrl-C before the run began.\n"),
                         (done.returncode, done.stderr))

    def test_a_folder_that_is_gone_is_a_sentence(self):
        soak = self.checkout.root / "qemu" / "soak"
        done = subprocess.run(
            ["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh",
             os.path.realpath(sys.executable), soak, "history", "/"],
            cwd=self.checkout.root, stderr=subprocess.PIPE, text=True)
        self.assertEqual((2, "soak: the folder that it was started in is not there any"
                             " more; change to another.\n"),
                         (done.returncode, done.stderr))

    def test_a_run_is_stopped_ten_seconds_after_as_many_findings_as_it_may_have(self):
        for words, frames in (((), 1200), (("--max-findings", "0"), 3600)):
            code, _, _ = self.checkout.run(*words, play="at odds")
            self.assertEqual((1, frames), (code, self.summary()["frames"]))
            self.assertIn("live is 3, not 4", self.summary()["why"])

    def test_a_disk_that_fills_up_is_named_with_the_line_that_goes_on(self):
        options = Options(out="some/where")
        one = QemuRun(options, Path("/work"), SimpleNamespace(frame=0), None, None, ())
        with mock.patch("shutil.disk_usage", lambda _: SimpleNamespace(free=9)), \
                self.assertRaises(CannotRun) as refused:
            one._check_disk()
        self.assertEqual("the disk of /work is full; free some space and go on with"
                         f" `{options.resume_line()}`.", str(refused.exception))
        self.assertIn("run --resume", options.resume_line())

    def test_a_qemu_that_somebody_kills_is_no_verdict_on_the_firmware(self):
        process = self.checkout.start("--hours", "1", "--out",
                                      str(self.checkout.out), play="on")
        self.checkout.wait_for_samples(process)
        children = f"/proc/{process.pid}/task/{process.pid}/children"
        os.kill(int(Path(children).read_text().split()[0]), signal.SIGKILL)
        stdout, _ = process.communicate(timeout=HANG_SECONDS)
        self.assertEqual(process.returncode, 2)
        self.assertIn("QEMU died of SIGKILL after", stdout)
        self.assertIn("go on qemu/soak run --resume", stdout)

    def test_a_folder_that_cannot_be_is_a_sentence(self):
        (self.checkout.root / "file").write_text("")
        code, _, stderr = self.checkout.run(
            "--out", str(self.checkout.root / "file"))
        self.assertEqual(code, 2)
        self.assertRegex(stderr, "^soak: .*: File exists; .*--out.\n$")

    def test_a_folder_where_nothing_can_be_made_is_a_sentence(self):
        code, _, stderr = self.checkout.run("--out", "/proc/nope/result")
        self.assertEqual(code, 2)
        self.assertEqual(stderr, "soak: /proc/nope/result cannot be made: No such file"
                                 " or directory; choose another --out.\n")

    def test_what_never_began_has_nothing_to_go_on_with(self):
        code, stdout, _ = self.checkout.run("--elf", self.checkout.own_firmware(),
                                            play="not at all")
        self.assertEqual(code, 2)
        self.assertIn("before the firmware had said anything; does it come to"
                      " tp_soak_begin(), without a fault or an endless loop before"
                      " that, and is tp_soak_put() the UART of mps2_an385?", stdout)
        self.assertNotIn("--resume", stdout)

    def test_a_reader_that_goes_away_ends_the_run_with_a_sentence(self):
        process = self.checkout.start("--hours", "1", "--out",
                                      str(self.checkout.out), play="on")
        process.stdout.close()
        with process.stderr:
            self.assertEqual(process.stderr.read(), "soak: nobody reads its"
                             " output any more, so it stopped.\n")
        self.assertEqual(process.wait(60), 2)

    def test_what_is_printed_to_a_full_disk_or_to_nobody_is_a_sentence(self):
        self.checkout.run()
        out, gone = str(self.checkout.out), "soak: nobody reads its output any more, so"
        full = "soak: No space left on device; free some space or choose another --out."
        for words in (("--help",), ("why", "--help"), ("compare", out, out),
                      ("run", "--frames", "60", "--json", "--out", out)):
            read, to_nobody = os.pipe()
            os.close(read)
            to_full = os.open("/dev/full", os.O_WRONLY)
            for stdout, said in ((to_full, full), (to_nobody, gone + " it stopped.")):
                process = self.checkout.start(*words, stdout=stdout,
                                              PYTHONUNBUFFERED="")
                errors = process.communicate(timeout=paper.HANG_SECONDS)[1]
                self.assertEqual((2, said), (process.returncode,
                                             errors.rstrip().rsplit("\n", 1)[-1]))
                os.close(stdout)

    def test_where_no_sentence_can_be_written_the_exit_code_is_told(self):
        with open("/dev/full", "w") as full:
            for words in (("compare",), ("run", "--frames", "60", "--out", "/proc")):
                process = self.checkout.start(*words, stderr=full, PYTHONUNBUFFERED="")
                process.communicate(timeout=paper.HANG_SECONDS)
                self.assertEqual(2, process.returncode)


class Usage(unittest.TestCase):
    """Each wrong usage is one sentence that says what to do."""

    def sentence(self, *arguments, trouble=None):
        with mock.patch.object(cli, "run", side_effect=trouble), \
                mock.patch("sys.stderr") as stderr:
            code = cli.main(list(arguments))
        self.assertEqual(code, 2)
        return "".join(call.args[0] for call in stderr.write.call_args_list)

    def options(self, *arguments):
        with mock.patch.object(cli, "run", return_value=0) as run:
            self.assertEqual(cli.main(list(arguments)), 0)
        return run.call_args[0][0]

    def test_no_arguments_mean_one_simulated_hour(self):
        gate = Options(with_host=True, with_share=True)
        self.assertEqual(self.options(), gate)
        self.assertEqual(self.options("run"), gate)
        self.assertEqual(Options().frames, 216000)

    def test_hours_days_and_frames_are_lengths(self):
        self.assertEqual(self.options("--hours", "2").frames, 432000)
        self.assertEqual(self.options("--hours", "0.5").frames, 108000)
        self.assertEqual(self.options("--days", "3").frames, 15552000)
        self.assertEqual(self.options("--frames", "7").frames, 7)

    def test_wrong_usage_is_one_sentence_that_says_what_to_do(self):
        for arguments in (
                ["--hours", "x"], ["--hours", "-1"], ["--hours", "nan"],
                ["--hours", "1e99"], ["--hours"], ["--days", "9999"],
                ["--frames", "0"], ["--hours", "1", "--days", "1"],
                ["--seed", "-1"], ["--seed", "1.5"], ["--seed", str(2**64)],
                ["--seed", "٣"], ["--board", "toaster"], ["--checks", "2"],
                ["--interrupts", "never"], ["--plant", "tree"],
                ["--elf", "/no/such/file"], ["--fail-nth", "0"],
                ["--fail-rate", "2"],
                ["--pools", "/no/such/file"], ["--checkpoint-every", "-1"],
                ["--seeds", "4-1"], ["--seeds", "x"], ["--jobs", "0"],
                ["--nonsense"], ["walk"]):
            sentence = self.sentence(*arguments)
            self.assertRegex(sentence, r"^soak: .*`qemu/soak run --help` lists"
                                       r" what there is\.\n$", arguments)
            self.assertEqual(sentence.count("\n"), 1)

    def test_an_option_that_only_the_demo_heeds_is_refused_with_elf(self):
        elf = Checkout(self).own_firmware()
        self.assertRegex(
            self.sentence("run", "--elf", elf, "--pools", __file__),
            "^soak: --pools has no meaning with --elf: [a-z -]+;"
            r" leave one of the two out\.\n$")
        self.assertRegex(self.sentence("profile", "--elf", elf, "--plant", "leak"),
                         "^soak: --plant leak is a mistake of the demo's code; with"
                         r" --elf there are double-free, .*\.\n$")

    def test_a_site_without_how_often_is_refused(self):
        for more in ((), ("--elf", Checkout(self).own_firmware())):
            self.assertEqual(self.sentence("--fail-site", "mesh", *more),
                             "soak: --fail-site says where, not how often: add"
                             " --fail-nth N or --fail-rate P.\n")
        code, _, said = Checkout(self).run("--fail-site", "nowhere", "--fail-nth", "2")
        self.assertEqual(code, 2)
        self.assertRegex(said, "^soak: --fail-site nowhere: it is an allocator that"
                               " may refuse, or a place .*;"
                               r" there are particles, sounds\.\n$")

    def test_an_elf_that_cannot_be_soaked_is_refused_before_the_run(self):
        elf = Checkout(self).own_firmware()
        for data, said in (
                (paper.elf(machine=62), "is a program for x86-64, not for a Cortex-M"),
                (paper.elf(architecture=17), "was built for Armv8-M Mainline, which"
                                             " the cortex-m3 of mps2_an385 does not"),
                (paper.elf(architecture=10, profile="A"), "an Arm that is no Cortex-M"),
                (paper.elf(architecture=4), "was built for an Arm that is no Cortex-M"),
                (paper.elf(kind=1), "is an object file, not yet linked; say the"
                                    " firmware that it is a part of."),
                (paper.elf(names=b"main\0", text=b"\0tp_soak_begin"),
                 "has no telemetry: nothing in it calls tp_soak_begin(); build it"
                 " with -DTIDEPOOL"),
                (paper.elf(names=b"main\0")[:80], "is cut short or damaged"),
                (b"\x7fELF", "is cut short or damaged")):
            Path(elf).write_bytes(data)
            sentence = self.sentence("--elf", elf)
            self.assertIn(said, sentence)
            self.assertTrue(sentence.startswith(f"soak: {elf} "), sentence)
        for data in (paper.elf(), paper.elf(architecture=11),
                     paper.elf(architecture=10, names=b"tp_record_put8.lto_priv.0\0")):
            Path(elf).write_bytes(data)
            self.assertEqual(self.options("--elf", elf).elf, elf)

    def test_a_board_runs_what_was_built_for_its_core_or_one_before_it(self):
        names = {4: "an Arm that is no Cortex-M", 10: "Armv7-M", 11: "Armv6-M",
                 12: "Armv6S-M", 13: "Armv7E-M", 16: "Armv8-M Baseline",
                 17: "Armv8-M Mainline", 21: "Armv8.1-M"}
        elf = Path(Checkout(self).own_firmware())
        for board, runs in (("microbit", {11, 12}), ("mps2_an385", {10, 11, 12}),
                            ("mps2_an386", {10, 11, 12, 13}),
                            ("mps2_an500", {10, 11, 12, 13}),
                            ("mps2_an505", {10, 11, 12, 13, 16, 17}),
                            ("mps3_an547", {10, 11, 12, 13, 16, 17, 21})):
            for architecture, name in names.items():
                elf.write_bytes(paper.elf(architecture=architecture))
                said = ""
                try:
                    refuse_what_cannot_be_soaked(elf, board)
                except CannotRun as trouble:
                    said = str(trouble)
                self.assertEqual(architecture not in runs, f"was built for {name}, "
                                 in said, (board, architecture, said))

    def test_a_file_that_is_not_there_or_cannot_be_read_is_said_to_be_so(self):
        folder = Checkout(self).root
        self.assertIn(f"--elf: there is no file '{folder}/no.elf'",
                      self.sentence("--elf", f"{folder}/no.elf"))
        self.assertIn(f"--elf: '{folder}' cannot be read: Is a directory",
                      self.sentence("--elf", str(folder)))
        self.assertIn(f"--elf: '{__file__}' is not an ELF file",
                      self.sentence("--elf", __file__))

    def test_firmwares_of_another_name_have_another_folder(self):
        folders = {Options(elf=elf).out_folder.name
                   for elf in ("", "a/hub.elf", "b/node.elf", "b/node")}
        self.assertEqual(folders, {"mps2_an385-poison-seed1",
                                   "hub-mps2_an385-poison-seed1",
                                   "node-mps2_an385-poison-seed1"})

    def test_what_many_runs_decide_is_refused_of_one_and_the_other_way_round(self):
        for words, said in (
                (["--seed", "3", "--seeds", "1-4"], "--seed is one run and --seeds"),
                (["--jobs", "2"], "add --seeds A-B or --swarm"),
                (["--jobs", "2", "--seed", "3"], "add --seeds A-B or --swarm"),
                (["--resume", "/", "--seeds", "1-4"], "begun again by the same line")):
            sentence = self.sentence(*words)
            self.assertIn(said, sentence)
            self.assertEqual(sentence.count("\n"), 1)

    def test_with_elf_the_line_to_reproduce_is_taken_as_it_is(self):
        elf = Checkout(self).own_firmware()
        options = self.options("--elf", elf, "--seed", "3")
        self.assertEqual(
            options, self.options(*options.command_line().split()[1:]))

    def test_a_full_disk_is_a_sentence(self):
        full = OSError(28, "No space left on device", "samples.ndjson")
        self.assertEqual(self.sentence(trouble=full),
                         "soak: samples.ndjson: No space left on device; free"
                         " some space or choose another --out.\n")

    def test_where_a_copy_finds_no_room_is_named_and_not_what_is_copied(self):
        full = OSError(28, "No space left on device", "own.elf", None,
                       "out/.console.elf")
        self.assertEqual(self.sentence(trouble=full),
                         "soak: out/.console.elf: No space left on device; free"
                         " some space or choose another --out.\n")

    def test_what_the_machine_refuses_is_a_sentence_that_says_what_to_do(self):
        for number, said in (
                (errno.EMFILE, "Too many open files; allow more with `ulimit -n`."),
                (errno.ELOOP, "Too many levels of symbolic links; correct that or"
                              " choose another --out."),
                (errno.ENOMEM, "Cannot allocate memory; end some programs or allow this"
                               " one more.")):
            trouble = OSError(number, os.strerror(number))
            self.assertEqual(f"soak: {said}\n", self.sentence(trouble=trouble))
        for names, to_do in (
                ("EROFS EACCES EPERM ENOTDIR EISDIR EEXIST ENAMETOOLONG EFBIG ELOOP"
                 " EIO", "correct that or choose another --out"),
                ("ENOSPC EDQUOT", "free some space or choose another --out"),
                ("ENFILE", "end some programs, which have files open"),
                ("ENOMEM EAGAIN", "end some programs or allow this one more")):
            for name in names.split():
                trouble = OSError(getattr(errno, name), "Refused", "a")
                self.assertEqual(f"soak: a: Refused; {to_do}.\n",
                                 self.sentence(trouble=trouble))
        self.assertEqual("soak: there is too little memory; allow it more, or free"
                         " some.\n", self.sentence(trouble=MemoryError()))

    def test_a_name_that_is_not_utf_8_is_a_sentence(self):
        name = os.fsdecode(b"r\xff")
        said = (r"soak: the name '{}r\udcff{}' cannot be written in UTF-8, as it is in"
                " the reports; rename it.\n")
        self.assertEqual(said.format("", ""), self.sentence("merge", name))
        with self.assertRaises(UnicodeEncodeError) as within:
            f"<p>the <a href='a/{name}/b'>passed".encode()
        self.assertEqual(said.format("a/", "/b"),
                         self.sentence(trouble=within.exception))

    def test_a_frame_before_the_first_is_refused_at_once(self):
        self.assertIn("'-5' is not a frame, from 0 on",
                      self.sentence("debug", "/", "--frame", "-5"))

    def test_a_bug_that_finds_no_room_for_its_traceback_says_so(self):
        with mock.patch("tempfile.mkstemp", side_effect=OSError(28, "No space left")):
            self.assertEqual("soak: this is a bug of the soak itself; its traceback"
                             " cannot be kept: No space left.\n",
                             self.sentence(trouble=ZeroDivisionError()))

    def test_ctrl_c_before_the_run_is_a_sentence(self):
        self.assertEqual(self.sentence(trouble=KeyboardInterrupt()),
                         "soak: stopped by Ctrl-C before the run began.\n")

    def test_a_bug_of_ours_keeps_its_traceback_in_a_log(self):
        sentence = self.sentence(trouble=ZeroDivisionError("oops"))
        log = sentence.split(" is in ")[1].rstrip(".\n")
        self.addCleanup(os.unlink, log)
        self.assertEqual(sentence.count("\n"), 1)
        with open(log) as file:
            self.assertIn("ZeroDivisionError: oops", file.read())

    def test_the_line_to_reproduce_gives_the_same_run(self):
        for options in (Options(), Options(frames=7, seed=5, plant="leak"),
                        Options(frames=3 * 5184000, board="microbit"),
                        Options(fail_nth=3, fail_rate=0.25, fail_site="mesh"),
                        Options(checks="full", interrupts="timer")):
            words = options.command_line().split()
            self.assertEqual(words[0], "qemu/soak")
            self.assertEqual(self.options(*words[1:]), options)


class Machine(unittest.TestCase):
    def start(self, words, limit=60):
        folder = Checkout(self).root
        qemu = machine.Machine(words, folder, limit)
        qemu.__enter__()
        self.addCleanup(qemu.__exit__)
        return qemu

    def ending_of(self, qemu):
        return paper.wait_until(qemu.ending)

    def test_a_run_that_takes_for_ever_is_stopped(self):
        ending = self.ending_of(self.start(["sleep", "60"], limit=1))
        self.assertTrue(ending.was_stopped)
        self.assertEqual(ending.sentence,
                         "stopped at the limit of 1 second of real time")

    def test_an_exit_code_is_reported(self):
        ending = self.ending_of(self.start(["sh", "-c", "exit 7"]))
        self.assertEqual((ending.code, ending.was_stopped), (7, False))

    def test_a_crash_of_qemu_is_named_by_its_signal(self):
        ending = self.ending_of(self.start(["sh", "-c", "kill -SEGV $$"]))
        self.assertEqual(ending.sentence, "QEMU died of SIGSEGV")

    def test_a_qemu_that_somebody_ends_by_a_signal_was_stopped_whatever_its_code(self):
        """It takes leave of all that it may be asked to end by with code 0."""
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            qemu = self.start(["qemu-system-arm", "-M", "none", "-display", "none",
                               "-qmp", "stdio"])
            qemu.monitor.ask("query-status")
            qemu.process.send_signal(number)
            ending = self.ending_of(qemu)
            self.assertEqual(("QEMU was ended by a signal", True),
                             (ending.sentence, ending.was_stopped))

    def test_a_signal_without_a_name_is_told_by_its_number(self):
        number = signal.SIGRTMIN + 6
        ending = self.ending_of(self.start(["sh", "-c", f"kill -{number} $$"]))
        self.assertEqual(f"QEMU died of signal {number}", ending.sentence)

    def test_what_runs_the_firmware_has_no_power_of_roots(self):
        qemu = self.start(["sh", "-c", "while read line; do echo $line; done"
                           " < /proc/self/status >&2"])
        self.assertEqual(self.ending_of(qemu).code, 0)
        said = (qemu._folder / "qemu.log").read_text()
        self.assertRegex(said, "CapEff: 0{16}\n")
        self.assertRegex(said, "NoNewPrivs: 1\n" if fence.can_stand() else "")

    def test_who_would_open_a_file_behind_the_fence_is_ended(self):
        if not fence.can_stand():
            self.skipTest("no fence can stand here")
        qemu = self.start(["sh", "-c", "sleep 60; echo on"])
        ending = self.ending_of(qemu)
        self.assertIn("it asked this machine to execute the command `60`",
                      ending.sentence)
        self.assertFalse(ending.was_stopped)

    def test_without_a_fence_nobody_answers_the_firmware(self):
        for stands, word in ((True, "target=native"), (False, "target=gdb")):
            with mock.patch.object(fence, "can_stand", lambda: stands):
                self.assertIn(word, " ".join(machine.command(paper.options())))

    def test_qemus_own_sandbox_is_on_where_it_was_built_with_one(self):
        self.addCleanup(machine.sandbox.cache_clear)
        fence.can_stand()
        for code, words in ((0, ["-sandbox"]), (1, [])):
            machine.sandbox.cache_clear()
            with mock.patch("subprocess.run",
                            return_value=SimpleNamespace(returncode=code)):
                line = machine.command(paper.options())
            self.assertEqual(words, [word for word in line if word == "-sandbox"])

    def test_a_comma_in_what_the_firmware_is_told_is_one_for_it(self):
        """QEMU takes two for it, and one for the end of the word."""
        told = paper.options(fail_nth=2, fail_site="mesh,crowd")
        words = " ".join(machine.command(told))
        self.assertIn("arg=fail_nth=2,arg=fail_site=mesh,,crowd ", words)

    def test_the_command_line_is_the_one_that_makes_runs_exact(self):
        words = " ".join(machine.command(paper.options(
            seed=7, plant="double-free")))
        for part in ("-M mps2-an385", "-icount shift=5,sleep=off", "-no-reboot",
                     "path=telemetry.bin,append=on -serial chardev:telemetry",
                     "-nic none",
                     "arg=soak,arg=seed=7,arg=frames=3600,arg=interrupts="
                     "scheduled,arg=plant=double-free,arg=plant_frame=1800"):
            self.assertIn(part, words)
