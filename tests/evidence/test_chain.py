# SPDX-License-Identifier: MIT
"""Each requirement leads to a test or a proof, to what it reaches and to mutants."""

import unittest
from unittest import mock

import all_mutants
import chain
import page
import trial


def noted():
    """As if everything had been measured: each function in half, each mutant killed."""
    functions = [f"{one.file} {one.name}" for one in chain.bodies()]
    killed = {f"{one.file} {one.name}": {"killed": count}
              for one, count in chain.mutants().items()}
    return {"tree": "0", "lines": 99.0, "mutants_by_function": killed,
            "regions": {name: [1, 2] for name in functions}}


def function(name):
    found, = chain.homes()[name]
    return found


class Chain(unittest.TestCase):
    def test_no_cell_of_the_chain_is_empty_whatever_was_measured(self):
        for evidence in ({"tree": "0"}, noted(), page.noted()):
            found = chain.rows(evidence)
            self.assertEqual(len(chain.contracts.rows()), len(found["clauses"]))
            self.assertGreater(len(found["clauses"]), 350)
            self.assertGreater(len(found["ideas"]), 25)
            self.assertGreater(len(found["questions"]), 15)
            for rows in found.values():
                self.assertEqual([], page.gaps(chain.HEAD, rows))
        page.note(chain={key: len(rows) for key, rows in found.items()})
        drawn = (page.FOLDER / "chain.html").read_text()
        self.assertEqual(sum(map(len, found.values())) + len(found),
                         drawn.count("<tr>"))

    def test_a_requirement_that_nothing_shows_is_a_gap(self):
        row = chain.row("tp_pool_free FOREIGN", "", [function("tp_pool_free")], noted())
        self.assertEqual(["tp_pool_free FOREIGN: shown by"],
                         page.gaps(chain.HEAD, [row]))

    def test_each_clause_of_c_stands_at_a_function_that_there_is(self):
        nowhere = [clause for clause, _, functions in chain.clauses()
                   if not functions and not clause.startswith("tidepool::")]
        self.assertEqual([], nowhere)

    def test_every_idea_that_a_test_of_c_shows_names_functions(self):
        nowhere = [name for name, shown, functions in chain.ideas() if not functions
                   and not all(one.startswith("test_") for one in shown.split(", "))]
        self.assertEqual([], nowhere)

    def test_what_is_called_is_reached_by_name_through_several_files(self):
        below = chain.reach([function("tp_pool_free")])
        names = {one.name for one in below}
        self.assertLessEqual({"tp_pool_free", "tp_core_free", "tp_slot_of",
                              "tp_tag_retire"}, names)
        self.assertNotIn("tp_pool_alloc", names)

    def test_figures_are_those_of_all_that_is_called(self):
        evidence, one = noted(), function("tp_pool_live")
        below = chain.reach([one])
        self.assertEqual(f"{len(below)} of {2 * len(below)} regions",
                         chain.covered(below, evidence))
        count = sum(chain.mutants().get(each, 0) for each in below)
        self.assertEqual(f"{count} mutants, {count} killed",
                         chain.killed(below, evidence))
        some = next(each for each in below if chain.mutants().get(each))
        evidence["mutants_by_function"].pop(f"{some.file} {some.name}")
        self.assertIn(f"{chain.mutants()[some]} not tried of this tree",
                      chain.killed(below, evidence))

    def test_the_proof_of_a_function_is_named_with_its_goals_and_of_what_it_calls(self):
        one = function("tp_pool_free")
        text = chain.proved([one], chain.reach([one]))
        unit = next(each for each in chain.proofs.UNITS
                    if "tp_pool_free" in each.functions.split())
        self.assertIn(f"by {unit.name} ({unit.goals} goals)", text)
        self.assertIn("what it calls, by", text)
        blocks = function("tp_blocks_alloc")
        self.assertEqual("none: tests alone", chain.proved([blocks], {blocks}))

    def test_mutants_are_noted_by_function_and_replace_what_was_known_of_their_file(
            self):
        file = "lib/core/tp_registry.c"
        known = {f"{file} gone": {"killed": 1}, "lib/core/tp_pin.c turn": {"killed": 2}}
        outcomes = [trial.Outcome(one, "killed", "") for one in chain.listed.of(file)]
        with mock.patch.object(page, "noted", lambda: {"mutants_by_function": known}), \
                mock.patch.object(page, "note") as note:
            all_mutants.noted(file, outcomes, {})
        found = note.call_args[1]["mutants_by_function"]
        self.assertEqual({"killed": 2}, found["lib/core/tp_pin.c turn"])
        self.assertNotIn(f"{file} gone", found)
        one = function("tp_registry_find")
        self.assertEqual({"killed": chain.mutants()[one]}, found[f"{file} {one.name}"])

    def test_a_suite_of_proofs_has_the_goals_of_its_own_units(self):
        proved = {row[0].split(":")[0]: row[2] for row in chain.rows({})["questions"]}
        self.assertIn("steal (", proved["core"])
        self.assertIn("list (", proved["proof"])
        self.assertNotIn("list (", proved["core"])
        self.assertEqual("none: tests alone", proved["unit"])

    def test_what_was_not_measured_of_this_tree_says_so(self):
        found = chain.row("tp_pool_free FOREIGN", "t", [function("tp_pool_free")], {})
        self.assertEqual(chain.NOT_MEASURED, found[3])
        self.assertIn("not tried of this tree", found[4])


if __name__ == "__main__":
    unittest.main()
