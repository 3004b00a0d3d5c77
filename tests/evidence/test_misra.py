# SPDX-License-Identifier: MIT
"""Each departure from MISRA C:2012 is counted, and has its reason."""

import unittest

import misra
import page


class Misra(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.found, cls.listed = dict(misra.found()), misra.listed()
        unlisted = {rule: places for rule, places in cls.found.items()
                    if cls.listed.get(rule, ("", 0))[1] < places}
        print(f"evidence: {sum(cls.found.values())} departures from"
              f" {len(cls.found)} rules of MISRA C:2012, {len(unlisted)} rules open")
        page.note(misra={"open": len(unlisted), "rules": len(cls.found),
                         "places": sum(cls.found.values())})

    def test_each_departure_from_misra_c_2012_is_listed_with_its_number(self):
        self.assertEqual({rule: places for rule, (_, places, _) in self.listed.items()},
                         self.found, "tests/evidence/misra.py --write counts anew")

    def test_there_is_none_from_a_mandatory_rule(self):
        self.assertEqual(set(), misra.MANDATORY & self.found.keys())


if __name__ == "__main__":
    unittest.main()
