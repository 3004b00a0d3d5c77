# SPDX-License-Identifier: MIT
"""What is listed of the proofs is of what there is, and is told as it is."""

import json
import re
import tempfile
import unittest
from collections import Counter
from pathlib import Path
from unittest import mock

import page
import proofs
from proofs import apart, unnoticed


def unit(**provers):
    """Goals, each with who closes it."""
    return apart.Unit("x", "", {"trivial"}, {
        name: by.split() for name, by in provers.items()})


class Proofs(unittest.TestCase):
    def test_what_is_listed_is_of_a_unit_and_stands_in_the_page(self):
        self.assertEqual(set(), set(apart.listed()) - set(apart.sentences()))
        self.assertIn(apart.block(), apart.PAGE.read_text(),
                      "tests/proof/apart.py --write writes it")

    def test_cvc5_closes_no_goal_that_a_control_breaks(self):
        apart.prepare()
        gate = apart.run.UNITS[-1]
        with tempfile.TemporaryDirectory() as folder:
            opened, problem = apart.run.control(gate, Path(folder), apart.SECOND)
        self.assertEqual((1, None), (opened, problem))

    def test_a_row_of_another_text_is_none(self):
        every = apart.current()
        self.assertEqual(apart.listed(), every)
        with mock.patch.object(apart.run, "text_of", lambda unit: unit.sentence):
            self.assertEqual({apart.BITS}, set(apart.current()))
            self.assertIn("| not asked |", apart.block())

    def test_a_goal_is_counted_by_how_many_provers_close_it(self):
        one = apart.row(unit(a="cvc4 z3", b="z3", c="", d="cvc4 z3"))
        self.assertEqual({"total": 5, "by_two": 2, "by_one": 1, "open": 1,
                          "by_simplifier": 1}, one["goals"])
        self.assertEqual((["b"], []), (one["z3"], one["cvc4"]))

    def test_a_goal_that_is_open_or_not_as_listed_is_told(self):
        listed = apart.row(unit(a="cvc4", b="cvc4 z3"))
        self.assertEqual([], list(proofs.differing(listed, listed)))
        for other in (unit(a="cvc4", b="z3"), unit(a="z3", b="cvc4 z3"),
                      unit(a="cvc4", b=""), unit(a="cvc4")):
            self.assertTrue(list(proofs.differing(apart.row(other), listed)), other)

    def test_each_listed_mutant_is_one_of_a_proved_function(self):
        there = {unnoticed.listed.key(one.mutant) for one in unnoticed.trials()}
        self.assertEqual(set(), set(unnoticed.known()) - there)
        for kind, why in unnoticed.known().values():
            self.assertIn(kind, ("equivalent", "open"))
            self.assertGreater(len(why), 20)

    def test_mutants_are_of_lines_that_are_proved_each_of_one_unit(self):
        trials = unnoticed.trials()
        keys = [unnoticed.listed.key(one.mutant) for one in trials]
        self.assertEqual(len(keys), len(set(keys)))
        self.assertGreater(len(keys), 500)
        self.assertEqual({"tp_port_put_four", "tp_port_differ_four"},
                         {name.split(":")[0] for file, name in keys
                          if file == "lib/check/tp_plain.h"})

    def test_what_is_recorded_of_a_unit_is_of_all_its_mutants(self):
        rows = unnoticed.recorded()
        self.assertEqual(set(json.loads(unnoticed.TRIED.read_text())), set(rows),
                         "the others were of another text: unnoticed.py --write")
        there = Counter(one.name for one in unnoticed.trials())
        of_list = unnoticed.argued()
        for name, one in rows.items():
            self.assertEqual(there[name], sum(one.values()))
            self.assertEqual(of_list[name, "equivalent"] + of_list[name, "open"],
                             one["unnoticed"], f"{name}: tests/proof/unnoticed.toml")

    def test_what_is_argued_to_be_equivalent_is_counted_so(self):
        raw = {"noticed": 5, "same": 3, "unnoticed": 4, "unbuilt": 1}
        with mock.patch.object(unnoticed, "recorded", lambda: {"x": raw}), \
                mock.patch.object(unnoticed, "argued", lambda: Counter(
                    {("x", "equivalent"): 3, ("x", "open"): 1})):
            self.assertEqual({"x": {"total": 13, "noticed": 5, "equivalent": 6,
                                    "unnoticed": 1, "unbuilt": 1}},
                             dict(unnoticed.judged()))

    def test_mutants_of_another_text_are_not_counted(self):
        with mock.patch.object(unnoticed, "text_of", lambda name: "another"):
            self.assertEqual({}, unnoticed.recorded())

    def test_mutants_that_were_tried_before_a_run_was_stopped_are_not_tried_again(self):
        every = [unnoticed.Trial("x", [], "f", unnoticed.mutator.Mutant(
            "f.c", 1, 0, "+", sign, f"f: + -> {sign}")) for sign in "-*/"]
        with tempfile.TemporaryDirectory() as folder, \
                mock.patch.object(unnoticed.run, "CACHE", Path(folder)), \
                mock.patch.object(unnoticed, "text_of", lambda name: "0" * 64), \
                mock.patch.object(unnoticed, "chosen", lambda names, sample: every), \
                mock.patch.object(unnoticed.Bench, "outcome") as tried:
            tried.side_effect = lambda trial: unnoticed.Outcome(
                trial.mutant, "noticed", "goal")
            stopped = unnoticed.every_outcome("x")
            next(stopped), next(stopped)
            stopped.close()
            with unnoticed.journal("x").open("a") as lines:
                lines.write('["f.c", "f: + -> /", "unno')
            whole = list(unnoticed.every_outcome("x"))
        self.assertEqual([one.mutant for one in every], [one.mutant for one in whole])
        self.assertEqual({("noticed", "goal")}, {one[1:] for one in whole})
        self.assertEqual(3, tried.call_count)

    def test_a_mutant_that_nothing_notices_is_wrong_unless_listed(self):
        mutant = unnoticed.mutator.Mutant("f.c", 1, 0, "+", "-", "f: + -> -")
        key = unnoticed.listed.key(mutant)
        for verdict, known, count in (("unnoticed", {}, 1), ("noticed", {}, 0),
                                      ("unnoticed", {key: ("open", "")}, 0),
                                      ("noticed", {key: ("open", "")}, 1)):
            outcome = unnoticed.Outcome(mutant, verdict, "")
            self.assertEqual(count, len(list(proofs.wrong([outcome], known))))

    def test_figures_are_noted_with_their_sums(self):
        found = [unit(a="cvc4 z3"), unit(a="z3")._replace(sentence="y")]
        with mock.patch.object(apart, "units", lambda names: iter(found)), \
                mock.patch.object(apart, "current", dict), \
                mock.patch.object(page, "note") as note:
            list(proofs.goals())
        noted = note.call_args[1]["goals"]
        self.assertEqual((4, 1, 1, 0), tuple(noted[key] for key in (
            "total", "by_two", "by_one", "open")))

    def test_the_page_has_each_figure_in_its_column(self):
        figures = {"open": 4, "by_one": 3, "by_two": 2, "by_simplifier": 1, "total": 10}
        text = page.goals({"goals_of": {"x": figures}, "goals": {
            **figures, "units": 1, "of_units": 1, "anew": 1}})
        self.assertEqual(["x", "10", "1", "2", "3", "4"],
                         re.findall("<td>(.*?)</td>", text))


if __name__ == "__main__":
    unittest.main()
