# SPDX-License-Identifier: MIT
"""What can fail, what it leads to, who notices and what remains; and what the library
assumes of its user. build/evidence/failures.html is drawn of what other suites know:
the contracts, what `qemu/soak --plant` promises, and counts of flipped bits."""

import re
import sys
import tomllib

import page
from support import LEVELS, ROOT

for folder in ("layout", "flips"):
    sys.path.insert(0, str(ROOT / "tests" / folder))
import contracts  # noqa: E402
import flips  # noqa: E402
from harness.plants import LASTING, PLANTS  # noqa: E402

HERE = ROOT / "tests" / "evidence"
HARM = ("outside", "astray", "hang", "silent", "capacity", "late")
SEEN = {"named": "named", "verify": "by verify alone"}
WORDS = {"outside": "write outside of the allocator", "astray": "read no memory",
         "hang": "never end", "silent": "hand out wrongly, and nobody says so",
         "capacity": "lose or invent capacity", "late": "named after a wrong answer",
         "figure": "make statistics wrong",
         **SEEN}
PLANTED = "test_every_planted_bug_is_found_and_named_in_time"
LASTED = "test_what_is_made_again_and_again_fails_the_check_of_what_it_costs"
SANITIZED = "test_each_wrong_access_is_named_and_no_right_one"
GUARDED = "test_a_refused_access_is_a_fault_at_its_own_instruction"
# Of kinds that no call has in its contract: what shows them, and where.
OF_ACCESSES = {"GUARD": (GUARDED, "all, with port/mpu")}
LEVEL = re.compile(r"\((?:all )?(off|fast|poison|full)\b|At (off)\b")
BY = ("generator", "compiler", "linker", "fault", "test", "integrator")
NOTHING = "nothing"


def effects():
    return read("failure_modes.toml")


def assumptions():
    return read("assumptions.toml")["assumption"]


def read(name):
    with open(HERE / name, "rb") as text:
        return tomllib.load(text)


# Flipped bits.

def by_word(counts):
    """word -> level -> outcome -> flips, of all allocators together."""
    found = {}
    for level, subjects in counts.items():
        for kinds in subjects.values():
            for word, outcomes in kinds.items():
                sums = found.setdefault(word, {}).setdefault(
                    level, dict.fromkeys(flips.OUTCOMES, 0))
                for outcome, count in outcomes.items():
                    sums[outcome] += count
    return found


def sums_by_level(counts):
    """What the evidence has: at each level what came of all flips."""
    found = {}
    for level, subjects in counts.items():
        all_ = [flips.sums(kinds) for kinds in subjects.values()]
        found[level] = {outcome: sum(one[outcome] for one in all_)
                        for outcome in flips.OUTCOMES}
        found[level]["verify_only"] = found[level].pop("verify")
    return found


def told(sums, outcomes):
    """In words: how many came to which of these."""
    return ", ".join(f"{sums[one]} {WORDS[one]}" for one in outcomes if sums[one])


def flip_rows(counts):
    for word, levels in by_word(counts).items():
        first = next(level for level in LEVELS if level in levels)
        effect = told(levels[first], HARM + ("verify", "figure")) or "none was seen"
        if first != LEVELS[0]:
            effect = f"there from {first} on: {effect}"
        yield (f"a bit flips in: {word}", sum(levels[first].values()), effect,
               *[noticed(levels.get(level)) for level in flips.JUDGED],
               "tests/run flips", told(levels["full"], HARM + ("figure",))
               or NOTHING)


def noticed(sums):
    """And how many more did harm."""
    if sums is None:
        return "not there"
    missed = sum(sums[one] for one in HARM)
    found = told(sums, SEEN) or "none is noticed"
    return f"{found}; {missed} not, or too late" if missed else found


# Mistakes of the application.

def fault_rows(known):
    """Each kind of fault: what it means is said where it is declared."""
    for kind, meaning in kinds().items():
        tests = tests_of(kind)
        where = levels_of(kind)
        if not tests:
            shown, where = OF_ACCESSES.get(
                kind, (SANITIZED, "any but off, with TIDEPOOL_SANITIZE"))
            tests = [shown]
        yield (f"{kind}: {meaning}", known[kind], where, "the call itself, by a fault",
               ", ".join(tests), remains(where))


def remains(where):
    """At the levels below the first that is named; none is where all are."""
    first = next((level for level in LEVELS
                  if level in where.replace("but off", "fast")), LEVELS[0])
    below = LEVELS[:LEVELS.index(first)]
    return f"at {' and '.join(below)} it is not looked for" if below else NOTHING


def kinds():
    """kind -> what is said of it, in lib/check/tp_level.h."""
    text = (ROOT / "lib" / "check" / "tp_level.h").read_text()
    found, last = {}, None
    for line in text[text.index("enum tp_fault_kind"):].splitlines():
        begins = re.match(r"  TP_FAULT_(\w+) = [1-9]\d*, +// (.*)", line)
        goes_on = re.match(r" {10,}// (.*)", line)
        if begins:
            last, found[begins[1]] = begins[1], begins[2]
        elif goes_on and last:
            found[last] += " " + goes_on[1]
        else:
            last = None
    return found


def tests_of(kind):
    """Those that show a clause of this kind."""
    return sorted({name for clause, shown in contracts.rows()
                   if clause.endswith(f" {kind}")
                   for name in re.findall(r"`([\w.]+)`", shown)})


def levels_of(kind):
    """From which levels on the contracts say that it is looked for."""
    found = set()
    for contract in contracts.contracts():
        text = contract.fields.get("Faults", "")
        place = re.search(rf"\b{kind}\b", text)
        marker = place and LEVEL.search(text, place.end())
        if marker:  # "At off nothing is checked" is said of what fast looks for.
            found.add(marker[1] or "fast")
    return " or ".join(level for level in LEVELS if level in found)


def plant_rows(known):
    for name, one in PLANTS.items():
        yield (f"{name}: {one.what}", known[name], one.level,
               f"the soak: {one.names[0]}", PLANTED, what_passes(one))
    for name, one in LASTING.items():
        asked = "".join(f", with --{key.replace('_', '-')}" for key in one.asks)
        yield (f"{name}: {one.what}", known[name], LEVELS[0],
               f"the soak: {one.checks[0]}{asked}", LASTED,
               "what was done until then: it shows over minutes")


def what_passes(plant):
    below = LEVELS[:LEVELS.index(plant.level)]
    late = (f"up to {plant.within} frames until it is named" if plant.within
            else "no frame")
    return late + (f"; at {' and '.join(below)} all" if below else "")


# What is assumed.

def assumption_rows():
    for one in assumptions():
        file, words = one["says"]
        yield (one["what"], one["by"], ", ".join(one.get("tests", ()))
               or "none: who builds the firmware sees to it", f"{file}: {words}")


def all_rows(counts):
    known = effects()
    return {"faults": list(fault_rows(known["faults"])),
            "plants": list(plant_rows(known["plants"])),
            "flips": list(flip_rows(counts)), "assumptions": list(assumption_rows())}


HEADS = {
    "faults": ("mistake of a caller", "effect where nobody looks", "noticed from",
               "by", "shown by", "what remains"),
    "plants": ("mistake of an application", "effect where nobody looks", "noticed from",
               "by", "shown by", "what remains"),
    "flips": ("failure", "flips", "effect where nobody looks", *flips.JUDGED,
              "shown by", "what remains at full"),
    "assumptions": ("assumed", "checked by", "tests", "the user is told in")}
TITLES = {
    "faults": "Mistakes of a caller, as the contracts have them",
    "plants": "Mistakes of an application, as the soak plants them",
    "flips": "Hardware, and stores through wild pointers: one flipped bit",
    "assumptions": "Assumptions of use"}


def draw(counts):
    """Writes the page; what stands in it, by table."""
    rows = all_rows(counts)
    page.write("failures.html", "Failures, and what is assumed", [
        f"<h2>{TITLES[key]}</h2>\n" + page.table(HEADS[key], rows[key])
        for key in TITLES])
    return rows
