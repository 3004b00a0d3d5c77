# SPDX-License-Identifier: MIT
"""Which figures of build/evidence/evidence.json are not there?"""

COUNTS = ("total", "killed", "equivalent", "survived")
FLIPS = ("outside", "hang", "silent", "verify_only", "named")
# Each is a number, or has these.
WANTED = {
    "mcdc": (), "branches": (), "lines": (), "states": (), "mutants": COUNTS,
    "contract_mutants": ("total", "noticed", "equivalent", "unnoticed"),
    "goals": ("total", "by_two", "by_one", "open"),
    "flips": {level: FLIPS for level in ("fast", "poison", "full")},
    "fuzz": ("api_inputs", "seeded_found", "crashes"), "misra": ("open",)}


def lacking(evidence, wanted=None, of=""):
    """The names of those, with the keys above them, in order."""
    wanted = WANTED if wanted is None else wanted
    for key in wanted:
        inner = wanted[key] if isinstance(wanted, dict) else ()
        value = evidence.get(key) if isinstance(evidence, dict) else None
        if inner:
            yield from lacking(value, inner, f"{of}{key}.")
        elif isinstance(value, bool) or not isinstance(value, (int, float)):
            yield of + key
