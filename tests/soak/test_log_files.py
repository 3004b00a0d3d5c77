# SPDX-License-Identifier: MIT
"""Each line of console.log and samples.ndjson, of records by hand."""

import json
import tempfile
import unittest
from pathlib import Path

import paper
from harness import log_files, records
from harness.log_files import LogFiles
from harness.telemetry import Decoder

ARENA = ("meshes_arena", 16384, 1, 1, "relocating", "bytes")
SENTENCES = (
    (records.Text("hi"), "hi"),
    (records.Audit(600, 1, 3, "bad"), "audit: frame 600, pool sounds, slot 3: bad"),
    (records.Fault(120, "link", 0, 7, 0x20, 0, 5, 5, 0),
     "link fault in pool particles, slot 7, address 0x00000020, frame 120"),
    (records.Planted(600, 0, 7, "leak"),
     "planted: frame 600, pool particles, slot 7: leak"),
    (records.Done(90, 0xAB, 7), "done: frame 90, state 00000000000000ab, 7 interrupts"),
    (records.Figure(3, True, 0, "score", "points"), "figure 3: score (points)"),
    (records.Scene(70, "menu"), "scene: frame 70, menu"),
    (records.Refused(9, 2, "mesh"), "refused on purpose: 2 of 9 requests, mesh"),
    (records.Picture(80, 40, 30, (), b""), "picture: frame 80, 40 x 30"),
    (records.Setting(5, "wave"), "setting: wave = 5"),
    (records.Expectation(9, 2, 70, "all is well"),
     "expectation: all is well, failed 2 of 9 times"),
    (records.Question(1, 1, 70, "it is so"),
     "question: it is so, answered wrong 1 of 1 time"),
    (records.Place(1, 0x1001, 9, 2, 3, 4), "0x00001001 asked pool sounds 9 times, 2"
     " refused on purpose, 3 by it, 4 held"),
    (records.Stranger(70, 1, 0x1001, 0, 256, 2, "loader"), "no row names it: pool"
     " sounds: task loader gave some back in 0x00001001, frame 70"),
    (records.Caller(0, 64, 3, 1, "radio"),
     "pool particles: radio allocates and frees; seen: allocates"),
    (records.Guard(0x100, 0x8000, ""), "stores below 4 KiB and from 0x00000100 to"
     " 0x00008000 are faults"),
    (records.Guard(0, 0, "no MPU"), "no MPU"),
    (records.Clock(77), "clock: it starts at 77, and wraps"),
    (records.Stack(60, 4096, 400, "main"), "stack main: 400 of 4096 bytes deep"))


class Log(unittest.TestCase):
    def written(self, *told, frames=3600, pools=paper.POOLS):
        """(lines of the log, what the samples hold) of records and telemetry."""
        ledger = paper.Ledger()
        whole = [paper.hello(frames, pools=pools), *told]
        with tempfile.TemporaryDirectory() as name:
            with LogFiles(Path(name), ledger) as files:
                for one in whole:
                    for record in Decoder().feed(one) if isinstance(one, bytes) \
                            else [one]:
                        files.add(ledger.add(record))
            return [(Path(name) / "console.log").read_text().splitlines(), [
                json.loads(line) for line in
                (Path(name) / "samples.ndjson").read_text().splitlines()]]

    def test_each_record_that_comes_once_is_a_sentence(self):
        told = [record for record, _ in SENTENCES]
        log, samples = self.written(paper.healthy_sample(120), *told)
        self.assertEqual([f"[00:00:02] {words}" for _, words in SENTENCES[:3]],
                         log[1:4])
        self.assertEqual([words for _, words in SENTENCES],
                         [line.partition("] ")[2] for line in log[1:]])
        self.assertEqual(1, len(samples))
        self.assertLessEqual({type(record) for record in told},
                             set(log_files._SENTENCES))

    def test_the_first_line_names_all_allocators(self):
        (first,), _ = self.written(pools=(*paper.POOLS[:1], ARENA))
        self.assertEqual(
            "[00:00:00] hello: seed 1, 3600 frames, pool particles (100 slots, drop),"
            " relocating meshes_arena (16384 bytes, drop)", first)

    def test_each_record_of_a_moment_is_a_line_of_samples(self):
        _, found = self.written(
            paper.figure(0, "score"), paper.sample(60, paper.usage(5), irqs=7),
            paper.figures(60, 9, 8), paper.frame_costs(60, 10, 20, 30, 55),
            paper.holes(60, 0, 900, 3, 40), paper.oldest(60, 0, 600, 4, 50),
            pools=(ARENA,))
        pool = found[0].pop("pools")["meshes_arena"]
        self.assertEqual((5, 0), (pool["live"], pool["refused"]))
        self.assertEqual([
            {"frame": 60, "state_hash": "1122334455667788", "irqs": 7},
            {"frame": 60, "figures": {"score": 9}},
            {"frame": 60, "frame_instructions": {
                "least": 10, "mean": 20, "most": 30, "most_frame": 55}},
            {"frame": 60, "holes": {"allocator": "meshes_arena", "largest": 900,
                                    "holes": 3, "bytes": 40}},
            {"frame": 60, "oldest": {"pool": "meshes_arena", "slot": 4, "age": 50}}],
            found)

    def test_an_hour_is_told_second_by_second_and_a_frame_more_every_other(self):
        hour = 3600 * 60
        for frames, kept in ((hour, [60, 120, 180, 240]), (hour + 1, [120, 240]),
                             (2 * hour, [120, 240]), (2 * hour + 1, [180])):
            _, samples = self.written(*(paper.healthy_sample(frame) for frame in
                                        (60, 120, 180, 240)), frames=frames)
            self.assertEqual(kept, [one["frame"] for one in samples])

    def test_a_firmware_that_says_it_plays_no_frame_is_told_of_all_the_same(self):
        _, samples = self.written(paper.healthy_sample(60), frames=0)
        self.assertEqual([60], [one["frame"] for one in samples])


if __name__ == "__main__":
    unittest.main()
