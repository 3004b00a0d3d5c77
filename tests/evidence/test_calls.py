# SPDX-License-Identifier: MIT
"""The whole library, called by inputs that nobody wrote: tests/fuzz."""

import sys
import unittest

import page
from support import LEVELS, ROOT

sys.path.insert(0, str(ROOT / "tests" / "fuzz"))
import fuzz  # noqa: E402
import seeded  # noqa: E402


class Fuzz(unittest.TestCase):
    def test_no_sequence_of_calls_does_otherwise_than_a_model(self):
        found = fuzz.searched(LEVELS)
        troubles = {level: one.trouble for level, one in found.items() if one.trouble}
        inputs = sum(one.inputs for one in found.values())
        print(f"evidence: {inputs} sequences of calls, {len(troubles)} levels where one"
              " does otherwise than a model")
        page.note_fuzz({"calls": len(troubles)}, api_inputs=inputs)
        self.assertEqual({}, troubles)

    def test_each_mistake_put_into_the_library_is_found(self):
        rows = list(seeded.all_found(seeded.listed()))
        missed = [one.bug for one in rows if not one.by]
        found = len(rows) - len(missed)
        print(f"evidence: {found} of {len(rows)} mistakes found, each within"
              f" {max(one.inputs for one in rows)} inputs")
        page.note_fuzz(seeded_found=found,
                       seeded={one.bug: one.inputs for one in rows})
        self.assertEqual([], missed)
        self.assertGreaterEqual(len(rows), 12)


if __name__ == "__main__":
    unittest.main()
