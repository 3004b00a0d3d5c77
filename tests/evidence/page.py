# SPDX-License-Identifier: MIT
"""What was measured of this tree: build/evidence/evidence.json and index.html.

Whoever measures something notes it here. What was noted of another tree is left
out, so a key that is not there was not measured."""

import hashlib
import html
import json

from support import ROOT

FOLDER = ROOT / "build" / "evidence"
MEASURED = ("lib", "port/cortex_m", "port/host", "tests/evidence/models",
            "tests/evidence/ways", "tests/fuzz", "tests/proof", "tests/states",
            "tests/unit")
STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0;
  border-bottom: 1px solid #8886; }
td { overflow-wrap: anywhere; }
code { font-size: .9em; }
"""


def tree():
    """A word that differs where what is measured, or the tests of it, does."""
    word = hashlib.sha256()
    for folder in MEASURED:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                word.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
                word.update(path.read_bytes())
    return word.hexdigest()[:16]


def note(**measured):
    """Adds what was measured, and draws the page anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    evidence = {**noted(), **measured}
    (FOLDER / "evidence.json").write_text(json.dumps(evidence, indent=1) + "\n")
    (FOLDER / "index.html").write_text(drawn(evidence))
    import chain  # It draws by this module.
    chain.draw(evidence)


def note_fuzz(crashes_of=None, **measured):
    """The same of inputs that nobody wrote. [crashes_of] is how many kinds of them
    broke what reads them, by what that is."""
    fuzz = noted().get("fuzz", {})
    broke = {**fuzz.get("crashes_of", {}), **(crashes_of or {})}
    note(fuzz={**fuzz, **measured, "crashes_of": broke,
               "crashes": sum(broke.values())})


def noted():
    """What is noted already of this tree."""
    of = tree()
    try:
        evidence = json.loads((FOLDER / "evidence.json").read_text())
    except (OSError, ValueError):
        evidence = {}
    same = isinstance(evidence, dict) and evidence.get("tree") == of
    return evidence if same else {"tree": of}


def drawn(evidence):
    parts = [f"<h1>What is shown of tree {html.escape(evidence['tree'])}</h1>"]
    parts += [section(evidence) for section, wanted in SECTIONS
              if wanted in evidence]
    return whole("Evidence", parts)


def whole(title, parts):
    return ("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width\">\n"
            f"<title>{title}</title>\n<style>{STYLE}</style>\n"
            + "\n".join(parts) + "\n</html>\n")


def write(name, title, parts):
    """A page of its own."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name).write_text(whole(title, [f"<h1>{title}</h1>", *parts]))


def gaps(head, rows):
    """The cells in which nothing stands, by the first of their row."""
    return [f"{row[0]}: {name}" for row in rows for place, name in enumerate(head)
            if place >= len(row) or not str(row[place]).strip()]


def table(head, rows):
    def row(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>"
                                for cell in cells) + "</tr>"
    return "\n".join(["<table>", row("th", head),
                      *[row("td", cells) for cells in rows], "</table>"])


def figures_of(what, rows, keys):
    """A table of what is named, with its figures: [keys] has head -> which."""
    return table((what, *keys), [(name, *(one[key] for key in keys.values()))
                                 for name, one in rows.items()])


def coverage(evidence):
    figures = evidence["coverage"]
    names = {"lines": "lines", "branches": "outcomes of branches",
             "mcdc": "conditions (MC/DC)"}
    rows = [(names[kind], one["total"], one["listed"], f"{one['percent']} %")
            for kind, one in figures["figures"].items()]
    return ("<h2>Coverage</h2>\n<p>Of lib and port/host, by Clang 19, from the"
            " unit suites on the host at all levels. A figure is of what is not"
            " listed below as out of reach.</p>\n"
            + table(("of", "there are", "listed", "reached"), rows)
            + "\n<h3>Out of reach</h3>\n"
            + table(("file", "where", "what", "why"), figures["unreachable"])
            + "\n<h3>Missed</h3>\n"
            + table(("file", "line", "what"), figures["missed"]))


def mutants(evidence):
    figures = evidence["mutants"]
    head = ("total", "killed", "equivalent", "survived", "unbuilt")
    rows = [(file, *map(one.get, head))
            for file, one in evidence["mutants_by_file"].items()]
    return ("<h2>Mutants</h2>\n<p>Each is one change of lib, run through the unit"
            " suites on the host at all levels. Killed of those that compile and"
            f" are not equivalent: {figures['percent']} %.</p>\n"
            + table(("file", "mutants", *head[1:-1], "do not compile"), rows)
            + "\n<h3>Survivors</h3>\n"
            + table(("place", "change"), evidence["mutants_survived"]))


def goals(evidence):
    figures = evidence["goals"]
    return (f"<h2>Proofs</h2>\n<p>{figures['total']} goals of {figures['units']} of"
            f" {figures['of_units']} units. What the simplifier of WP leaves was given"
            " to CVC4 and, where that does not close it, to z3; and by itself to cvc5."
            " tests/proof/provers.json names what one alone closes, and the text of"
            f" each unit that was asked; {figures['anew']} of them all were asked"
            " now.</p>\n"
            + figures_of("proved", evidence["goals_of"], {
                "goals": "total", "none needed": "by_simplifier", "by two": "by_two",
                "by one": "by_one", "open": "open"}))


def contract_mutants(evidence):
    figures = evidence["contract_mutants"]
    return (f"<h2>Mutants of contracts</h2>\n<p>{figures['total']} of {figures['of']}"
            f" changes of functions that are proved, {figures['anew']} of them tried"
            " now. What changes nothing that is proved, and what no goal notices, is"
            " listed: tests/proof/unnoticed.toml.</p>\n"
            + figures_of("unit", evidence["contract_mutants_of"], {
                "mutants": "total", "open a goal": "noticed",
                "change nothing": "equivalent", "unnoticed": "unnoticed",
                "no C": "unbuilt"}))


def states(evidence):
    rows = [(policy, *levels.values())
            for policy, levels in evidence["states_of"].items()]
    levels = next(iter(evidence["states_of"].values()))
    return (f"<h2>States</h2>\n<p>{evidence['states']} in all, of pools of 1 to 8"
            " slots: each was come to by calls of the library itself, is the one that"
            f" a model says, and every call was made from it, {evidence['state_calls']}"
            " with the wrong ones and flipped bits.</p>\n"
            + table(("full", *levels), rows))


def models(evidence):
    figures = evidence["models"]
    return (f"<h2>Interrupts</h2>\n<p>{sum(figures.values())} states in all, of models"
            " of a pool that a thread and interrupts use, which come between any two"
            " instructions that do not mask them. In each no slot is lent twice, none"
            " is lost, the list ends, and the live are counted right.</p>\n"
            + table(("model", "states"), figures.items()))


def object_code(evidence):
    head = ("instructions", "executed", "branches", "both_ways", "not_tried")
    rows = [(level, *map(one.get, head))
            for level, one in evidence["object_code"].items()]
    return ("<h2>Object code</h2>\n<p>The library at -Os for a Cortex-M3, executed by"
            " the unit images. A branch is one with a condition, or an instruction"
            " within an IT block. Lacking are instructions and ways; those not tried"
            " could be reached.</p>\n"
            + table(("level", "instructions", "executed", "branches",
                     "of these both ways", "lacking, not tried"), rows)
            + "\n<h3>Not executed</h3>\n"
            + table(("file", "line", "why"), evidence["unexecuted"]))


def misra(evidence):
    figures = evidence["misra"]
    return (f"<h2>MISRA C:2012</h2>\n<p>{figures['places']} departures from"
            f" {figures['rules']} rules, each with its reason in lib/MISRA.md;"
            f" {figures['open']} rules without.</p>")


def warnings(evidence):
    figures = evidence["warnings"]
    return ("<h2>Warnings</h2>\n<p>GCC with -fanalyzer and Clang with -Weverything, at"
            f" every level: {figures['open']} that have no reason.</p>\n"
            + table(("not heeded", "why"), figures["not_heeded"].items()))


def fuzz(evidence):
    figures = evidence["fuzz"]
    names = {"api_inputs": "sequences of calls, each held against a model",
             "seeded_found": f"of the {len(figures.get('seeded', ()))} mistakes of"
                             " tests/fuzz/seeded.toml are found",
             "soak_inputs": "damaged inputs of the soak",
             "broken_tables": "tables of pools that are broken",
             "odd_tables": "tables of pools that say what nobody would",
             "crashes": "kinds of these that broke what reads them"}
    return ("<h2>Inputs that nobody wrote</h2>\n"
            + table(("number", "of"), [(figures[key], name) for key, name
                                       in names.items() if key in figures]))


def failures(evidence):
    figures = evidence["failures"]
    return (f"<h2>Failures</h2>\n<p>{figures['modes']} that are known, with their"
            f" effects and who notices, and {figures['assumptions']} assumptions of"
            f" use, {figures['checked']} of them checked:"
            ' <a href="failures.html">a page of their own</a>.</p>')


def requirements(evidence):
    figures = evidence["chain"]
    return (f"<h2>Requirements</h2>\n<p>{figures['clauses']} clauses of contracts,"
            f" {figures['ideas']} ideas of an allocator, {figures['questions']}"
            ' questions: <a href="chain.html">each with what shows it, the proof, what'
            " of the code that reaches, and the mutants it kills</a>.</p>")


SECTIONS = ((coverage, "coverage"), (mutants, "mutants"), (goals, "goals_of"),
            (contract_mutants, "contract_mutants"), (states, "states_of"),
            (models, "models"), (object_code, "object_code"), (misra, "misra"),
            (warnings, "warnings"), (fuzz, "fuzz"), (failures, "failures"),
            (requirements, "chain"))
