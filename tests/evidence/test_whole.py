# SPDX-License-Identifier: MIT
"""A figure that evidence.json lacks is named."""

import copy
import unittest

import whole


def complete(wanted=whole.WANTED):
    """As if each figure had been measured."""
    inner = wanted if isinstance(wanted, dict) else dict.fromkeys(wanted, ())
    return {key: complete(of) if of else 0 for key, of in inner.items()}


def places(evidence, of=()):
    for key, value in evidence.items():
        yield (*of, key)
        if isinstance(value, dict):
            yield from places(value, (*of, key))


class Whole(unittest.TestCase):
    def test_evidence_with_each_figure_lacks_none(self):
        self.assertEqual([], list(whole.lacking(complete())))
        self.assertEqual({"mcdc", "branches", "lines", "mutants", "contract_mutants",
                          "goals", "states", "flips", "fuzz", "misra"},
                         set(whole.WANTED))

    def test_each_key_that_is_missing_or_empty_is_named(self):
        for place in places(complete()):
            name = ".".join(place)
            for value in (KeyError, None, "", {}, [], "0", True):
                evidence = complete()
                above = evidence
                for key in place[:-1]:
                    above = above[key]
                above[place[-1]] = copy.copy(value)
                if value is KeyError:
                    del above[place[-1]]
                found = list(whole.lacking(evidence))
                self.assertTrue(found, f"{name}: {value}")
                self.assertTrue(all(f"{one}.".startswith(f"{name}.") for one in found),
                                found)


if __name__ == "__main__":
    unittest.main()
