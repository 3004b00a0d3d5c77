# SPDX-License-Identifier: MIT
"""No interrupt breaks a pool, whatever instructions it comes between: in models of
the locks that do what the library's code does, in every state they can come to."""

import unittest
from concurrent.futures import ThreadPoolExecutor

import page
import spin
import steps
from support import ToolFailed

# A pool of steps.c -> the model of its lock.
POOLS = {"masked": "PRIMASK", "below": "BASEPRI", "claimed": "LDREX and STREX"}


def each(names, flags, *more):
    """name -> what the search of it found, two side by side."""
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda name: spin.searched(name, flags[name], *more), names)
        return dict(zip(names, found))


class Interference(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        flags = {f"{kind}: {shape}": (*spin.KINDS[kind], *how) for kind in spin.KINDS
                 for shape, how in spin.shapes(kind).items()}
        cls.found = each(list(flags), flags)
        states = {name: search.states for name, search in cls.found.items()}
        print(f"evidence: {sum(states.values())} states of {len(states)} models of"
              " interrupts, "
              f"{sum(map(bool, (one.broken for one in cls.found.values())))} broken")
        page.note(models=states)

    def test_no_interrupt_breaks_a_pool_whatever_it_comes_between(self):
        self.assertEqual({}, {name: search.broken for name, search
                              in self.found.items() if search.broken})

    def test_each_step_of_a_model_is_gone_to(self):
        """An interrupt that nobody interrupts tries nothing again: another shape of
        the model has one that does."""
        for kind in spin.KINDS:
            never = set.intersection(*[
                self.found[f"{kind}: {shape}"].unreached
                for shape in spin.shapes(kind)])
            self.assertEqual({"-end-"}, {text for _, _, text in never}, kind)

    def test_a_model_does_what_the_library_does_instruction_by_instruction(self):
        for pool, kind in POOLS.items():
            model = spin.steps("-DSLOTS=2", *spin.KINDS[kind])
            self.assertEqual(model, steps.of_calls(pool), pool)

    def test_so_does_that_of_dead_bytes_but_for_the_bytes(self):
        model = spin.steps("-DSLOTS=2", "-DPOISON")
        self.assertEqual([[line for line in call if " link " not in line]
                          for call in model], steps.of_calls("masked", "poison"))

    def test_a_model_of_another_order_is_not_taken_for_the_library(self):
        model = spin.steps("-DSLOTS=2", "-DEARLY")
        self.assertNotEqual(model, steps.of_calls("masked"))

    def test_each_lock_that_is_wrong_on_purpose_is_found(self):
        flags = {name: how for name, (how, _) in spin.CONTROLS.items()}
        found = each(list(flags), flags, spin.ERRORS)
        for name, (_, wanted) in spin.CONTROLS.items():
            self.assertLessEqual(wanted, found[name].broken, name)
        self.assertLessEqual(set(spin.PROPERTIES.values()),
                             set().union(*[one.broken for one in found.values()]))

    def test_a_search_that_is_cut_short_is_no_proof(self):
        flags = spin.SHAPES["3 slots, an interrupt"]
        with self.assertRaisesRegex(ToolFailed, "cut short"):
            spin.searched("cut short", flags, depth=1000)


if __name__ == "__main__":
    unittest.main()
