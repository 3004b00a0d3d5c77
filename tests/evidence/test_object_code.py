# SPDX-License-Identifier: MIT
"""Every instruction of the library's object code is executed, and both ways of each
condition are gone, or it is listed why not."""

import unittest

import object_code
import page


class ObjectCode(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.executed = {level: object_code.Executed(level)
                        for level in object_code.WATCHED}
        cls.found = object_code.grouped(cls.executed)
        cls.listed = object_code.listed()
        figures = {level: {**one.figures(), "not_tried": object_code.not_tried(
            cls.listed, level)} for level, one in cls.executed.items()}
        for level, one in figures.items():
            print(f"evidence: at {level} {one['executed']} of {one['instructions']}"
                  f" instructions, both ways of {one['both_ways']} of"
                  f" {one['branches']} conditions; {one['not_tried']} lacking for want"
                  " of a test")
        page.note(object_code=figures, unexecuted=[
            [file, text, why] for (file, text), (why, _) in cls.listed.items()])

    def test_each_instruction_is_executed_and_each_way_gone_or_it_is_listed(self):
        self.assertEqual({of: levels for of, (_, levels) in self.listed.items()},
                         self.found,
                         "tests/evidence/object_code.py --write counts anew")

    def test_what_is_listed_has_a_reason(self):
        self.assertEqual([], [of for of, (why, _) in self.listed.items() if not why])

    def test_what_an_image_alone_executes_is_missed_without_it(self):
        fast = self.executed["fast"]
        missed = set(fast.missed("unit_scene")) - set(fast.missed())
        self.assertIn(("tp_scene.c.obj", "executed"),
                      {(one.member, what) for one, what in missed})
        self.assertIn("taken", {what for _, what in missed})

    def test_of_each_condition_it_is_told_whether_it_held(self):
        """Of those of known_ways(), which compares 1 with 2."""
        image = self.executed["fast"].folder / "ways.elf"
        known = {one.offset: one for one in object_code.disassembled(
            "--disassemble=known_ways", image) if one.kind == "c"}
        done = {object_code.CONDITIONS[known[address].condition]: ways for
                address, ways, _ in object_code.watched(object_code.plugin(), image,
                                                        known)}
        held = {"ne", "cc", "mi", "vc", "ls", "lt", "le"}
        self.assertEqual({name: object_code.DONE if name in held else
                          object_code.PASSED for name in object_code.CONDITIONS}, done)


if __name__ == "__main__":
    unittest.main()
