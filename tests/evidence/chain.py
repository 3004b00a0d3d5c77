# SPDX-License-Identifier: MIT
"""From each requirement to what shows it, to what that reaches and to the mutants that
it kills: build/evidence/chain.html.

A requirement is a clause of a contract, tests/CONTRACTS.md; an idea of an allocator or
the question of a suite, tests/README.md. What a clause is about is the function it
stands at; what an idea is about are the functions that its tests call. Figures are of
these and of all that they call, in lib, by name: what goes through a pointer, as a
policy does, is not followed. Coverage counts the regions that the unit suites reach on
the host, mutants are tried against the same: of what else a suite runs, firmware and
scripts, neither is measured."""

import functools
import re
import sys
from collections import namedtuple

import page
from support import ROOT, tool

for folder in ("layout", "proof", "mutants"):
    sys.path.insert(0, str(ROOT / "tests" / folder))
import contracts  # noqa: E402
import listed  # noqa: E402
import mutator  # noqa: E402
import run as proofs  # noqa: E402

HEAD = ("requirement", "shown by", "proof", "coverage", "mutants")
IDEAS = "## What an allocator must do"
CALL = re.compile(r"\b([a-z]\w*)\(")
# With no more than one pair of brackets within its own.
DEFINED = re.compile(r"\b(\w+)\s*\([^(){};]*(?:\([^(){};]*\)[^(){};]*)*\)\s*$")
ALIAS = re.compile(r'\b(\w+)\([^;{}]*\)\s*__attribute__\(\(.*\balias\("(\w+)"\)')
TITLES = {"clauses": "Clauses of contracts", "ideas": "Ideas of an allocator",
          "questions": "Questions of the suites"}
NOT_MEASURED = "not measured of this tree: tests/run evidence"
# Requirements of C++ and of whole images name no function of C.
WHOLE = "no function of C of its own: "

Function = namedtuple("Function", "file name")


# What calls what.

@functools.lru_cache(None)
def bodies():
    """Function -> its text, of lib."""
    found = {}
    for path in sorted((ROOT / "lib").rglob("*.[ch]")):
        text = path.read_text()
        shown = mutator.HIDDEN.sub(lambda hit: re.sub(r"[^\n]", " ", hit[0]), text)
        for body in mutator.BODY.finditer(shown):
            name = mutator.NAME.search(shown[:body.start()])
            if name:
                file = path.relative_to(ROOT).as_posix()
                found[Function(file, name[1])] = body[1]
    return found


@functools.lru_cache(None)
def homes():
    """Name -> the functions of lib that have it, or that it is another name of."""
    found = {}
    for function in bodies():
        found.setdefault(function.name, []).append(function)
    for file in {function.file for function in bodies()}:
        for alias, name in ALIAS.findall((ROOT / file).read_text()):
            found.setdefault(alias, []).append(Function(file, name))
    return found


def called(function):
    """What a function of lib calls there: one of its own file, or a public one."""
    for name in set(CALL.findall(bodies()[function])):
        there = homes().get(name, [])
        yield from [one for one in there if one.file == function.file] or (
            there if name.startswith("tp_") else [])


def reach(functions):
    """These, and all that they call."""
    found, left = set(), list(functions)
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left += called(one)
    return found


@functools.lru_cache(None)
def called_by_test(name):
    """The functions of lib that a test of C calls, itself or by what it has beside it:
    of a test of Python, none."""
    found, seen = set(), set()
    left = [(one, name) for one in units() if name in texts_of_tests(one)]
    while left:
        unit, at = left.pop()
        if (unit, at) not in seen:
            seen.add((unit, at))
            for call in set(CALL.findall(texts_of_tests(unit)[at])):
                if call.startswith("tp_") and call in homes():
                    found.update(homes()[call])
                else:
                    left += beside(unit, call)
    return frozenset(found)


def units():
    return sorted((ROOT / "tests" / "unit").glob("*/*.c"))


def beside(unit, name):
    """Where a function of a test stands: in the same file, or in one of its folder."""
    if name in texts_of_tests(unit):
        return [(unit, name)]
    return [(one, name) for one in units() if one.parent == unit.parent
            and name in texts_of_tests(one)]


@functools.lru_cache(None)
def texts_of_tests(unit):
    """name -> text of each function, with all macros expanded: they make calls."""
    made = generated(unit.parent)
    text = tool("gcc", "-E", "-P", "-std=gnu11", "-DTP_CHECKS=3", "-Itests", "-Ilib",
                "-Iport/host", f"-I{unit.parent}", f"-I{made}", unit)
    return {name: body for name, body in split(text) if name not in homes()}


@functools.lru_cache(None)
def generated(area):
    """Where the header of its table is."""
    out = page.FOLDER / "units" / area.name
    if (area / "pools.toml").exists():
        tool(sys.executable, "lib/config/tidepool.py", "generate", area / "pools.toml",
             "--out", out)
    return out


def split(text):
    """(name, text) of each function of a file without directives and comments."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', "0", text)
    depth = begin = last = 0
    for brace in re.finditer(r"[{};]", text):
        if brace[0] == "{":
            begin, depth = (begin, depth + 1) if depth else (brace.end(), 1)
        elif brace[0] == "}":
            depth -= 1
            name = DEFINED.search(text[last:begin - 1])
            if not depth and name:
                yield name[1], text[begin:brace.start()]
        if not depth:
            last = brace.end()


# The cells.

def proved(functions, below):
    units = {name: f"{unit.name} ({unit.goals} goals)" for unit in proofs.UNITS
             for name in unit.functions.split()}
    own = {units[one.name] for one in functions if one.name in units}
    others = {units[one.name] for one in below - set(functions) if one.name in units}
    told = [("by", own), ("what it calls, by", others - own)]
    return "; ".join(f"{word} {', '.join(sorted(each))}" for word, each in told
                     if each) or "none: tests alone"


def covered(below, evidence):
    if "regions" not in evidence:
        return NOT_MEASURED
    counts = [evidence["regions"].get(f"{one.file} {one.name}", (0, 0))
              for one in below]
    got, all_ = (sum(each) for each in zip(*counts))
    return (f"{got} of {all_} regions" if all_ else
            "no region of it is compiled on the host")


@functools.lru_cache(None)
def mutants():
    """Function -> how many mutants it has."""
    found = {}
    for place in listed.places():
        for one in listed.of(place) if place.endswith((".c", ".h")) else ():
            function = Function(one.file, one.name.split(":")[0])
            found[function] = found.get(function, 0) + 1
    return found


def killed(below, evidence):
    all_ = sum(mutants().get(one, 0) for one in below)
    known = evidence.get("mutants_by_function", {})
    sums = {}
    for one in below:
        for verdict, count in known.get(f"{one.file} {one.name}", {}).items():
            sums[verdict] = sums.get(verdict, 0) + count
    tried = [f"{count} {verdict}" for verdict, count in sorted(sums.items())]
    left = all_ - sum(sums.values())
    return ", ".join([f"{all_} mutants", *tried, *[f"{left} not tried of this tree"]
                      * bool(left)])


def whole_library(evidence):
    """What of coverage and mutants there is to say where no function is named."""
    kinds = [f"{kind} {evidence[kind]} %" for kind in ("lines", "branches", "mcdc")
             if kind in evidence]
    return (WHOLE + "lib as a whole, " + (", ".join(kinds) or NOT_MEASURED),
            WHOLE + f"lib as a whole, {sum(mutants().values())} mutants")


def row(name, tests, functions, evidence):
    if not functions:
        return (name, tests, "none: tests alone", *whole_library(evidence))
    below = reach(functions)
    return (name, tests, proved(functions, below), covered(below, evidence),
            killed(below, evidence))


# The rows.

def clauses():
    """(clause, the tests as text, the functions that it stands at)"""
    for clause, shown in contracts.rows():
        name = re.match(r"`([\w:]+)`", clause)[1]
        yield clause.replace("`", ""), shown.replace("`", ""), homes().get(name, [])


def ideas():
    """The same of each idea of an allocator."""
    text = (ROOT / "tests" / "README.md").read_text()
    for name, shown in re.findall(r"^\| ([^|]+) \| (`.*) \|$",
                                  text[text.index(IDEAS):], re.M):
        sentences = re.findall(r"`(\w+)`", shown)
        functions = set().union(*map(called_by_test, sentences))
        yield name, shown.replace("`", ""), sorted(functions)


def questions():
    """(suite and question, what asks it) of each suite."""
    text = (ROOT / "tests" / "README.md").read_text()
    for suite, asks in re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.M):
        tests = len(re.findall(r"^    def test_", "".join(
            path.read_text() for path in (ROOT / "tests" / suite).glob("test_*.py")),
            re.M))
        yield f"{suite}: {asks}", (f"tests/run {suite}"
                                   + f", {tests} tests of Python" * bool(tests))


def of_suite(name, tests, evidence):
    suite = name.split(":")[0]
    units = [f"{unit.name} ({unit.goals} goals)" for unit in proofs.UNITS
             if suite == ("core" if unit.name in core() else "proof")]
    measured = whole_library(evidence) if suite == "unit" else (
        "not measured: of the unit suites alone",
        "not tried: against the unit suites alone")
    return (name, tests, "by " + ", ".join(units) if units else "none: tests alone",
            *measured)


def core():
    """The units that a suite of their own proves."""
    text = (ROOT / "tests" / "run").read_text()
    return re.findall(r'"(\w+)"', re.search(r"^CORE = (.*)$", text, re.M)[1])


def rows(evidence):
    return {"clauses": [row(*each, evidence) for each in clauses()],
            "ideas": [row(*each, evidence) for each in ideas()],
            "questions": [of_suite(*each, evidence) for each in questions()]}


def draw(evidence):
    """Writes the page, of what is noted so far."""
    found = rows(evidence)
    page.write("chain.html", "From requirement to mutant", [
        f"<p>{' '.join(__doc__.split(chr(10), 3)[3].split())}</p>",
        *[f"<h2>{TITLES[key]}</h2>\n" + page.table(HEAD, found[key])
          for key in TITLES]])
