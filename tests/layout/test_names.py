# SPDX-License-Identifier: MIT
"""The names that others call, held to the tables of lib/DESIGN.md."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

from contracts import public_headers

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "lib" / "config"))
from generator.cli import made  # noqa: E402
from generator.model import Config  # noqa: E402
from generator.toml import Parser  # noqa: E402

TEXT = (ROOT / "lib" / "DESIGN.md").read_text()
DECLARED = re.compile(r"^(?!typedef|#|//|extern \")[a-z_][^;{}()=#]*?"
                      r"\b(tp_\w+)\([^;{]*\)(?:;|\n\{)", re.M)
GENERATED = re.compile(r"^static inline TP_CALL [^(]*?(\w+)\(", re.M)
# Words that were ours alone, and the field's. Behind and before them may stand "_".
FORMER = {"believ(e|es|ed)": "validate", "relay(s|ed)?": "rebuild", "census": "totals",
          "tp_water": "tp_watermark", "tp_ends": "tp_dstack", "strays?": "foreign",
          "books": "metadata, a ledger or a model", "blam(e|es|ed)": "raise",
          "bur(y|ies|ied)": "retire", "tp_full_refuse": "TP_FULL_DROP"}
# A counter of requests that got nothing is called refused.
DROPS = r"(?:[.]|->)drops\b"
# Modules of the soak that did not tell what they are for.
RIDDLES = {"level", "envelope", "figure", "flat", "fold", "follow", "closing", "page",
           "words", "blame", "culprit"}
# What may stand behind a verb.
MORE = {"handle", "block", "mark", "scored", "urgent", "wait", "for"}


def column(heading):
    """The names in the first column of the table with this heading."""
    rows = TEXT.split(f"\n| {heading} |")[1].split("\n\n")[0]
    return [name for line in rows.splitlines()[2:]
            for name in re.findall(r"`(\w+)`", line.split("|")[1])]


NOUNS, VERBS, QUESTIONS = column("noun"), column("verb"), column("question")


def public_functions():
    for path in sorted((ROOT / "lib").rglob("*.h")):
        text = path.read_text()
        if "internal:" not in text[:400]:
            yield from DECLARED.findall(text)


def generated_calls():
    """The calls of the headers of all golden tables, less the names of their rows."""
    for path in (ROOT / "tests" / "config" / "golden").glob("*/pools.toml"):
        if path.parent.name == "mistakes":
            continue
        text = path.read_text()
        header = made(Config(Parser(text)), path.name, text.split("\n"))["tp_pools.h"]
        for name in GENERATED.findall(header):
            yield name.split("_", 1)[1]


def word_of(action):
    """The word of the tables that [action] is made of; None if there is none."""
    if action in VERBS + QUESTIONS + NOUNS:
        return action
    for verb in VERBS:
        more = action[len(verb) + 1:]
        behind = more in NOUNS or set(more.split("_")) <= MORE
        if action.startswith(verb + "_") and behind:
            return verb
        if action == verb + "_for":
            return verb
    return None


def action_of(function):
    """tp_nest_open_stack: open_stack. None without a noun of the table."""
    for noun in sorted(NOUNS, key=len, reverse=True):
        if function.startswith(f"tp_{noun}_"):
            return function[len(noun) + 4:]
        if function == f"tp_{noun}":
            return noun
    return None


def texts():
    """(name, text) of what is written by hand and speaks of the tree as it is."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
        stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    for name in sorted(set(listed) - {"lib/CHANGELOG.md"}):
        path = ROOT / name
        if path.is_file() and path != Path(__file__).resolve():
            yield name, path.read_text()


class Names(unittest.TestCase):
    def test_each_public_function_is_a_noun_and_a_verb_of_the_tables(self):
        names = list(public_functions())
        self.assertGreater(len(names), 70)
        self.assertEqual([], [name for name in names
                              if word_of(action_of(name) or "-") is None])

    def test_each_generated_call_is_a_verb_of_the_tables(self):
        calls = set(generated_calls())
        self.assertGreater(len(calls), 20)
        self.assertEqual([], sorted(call for call in calls if word_of(call) is None))

    def test_no_word_of_the_tables_is_used_by_nothing(self):
        used = {word_of(action_of(name) or "-") for name in public_functions()}
        used |= {word_of(call) for call in generated_calls()}
        self.assertEqual([], [word for word in VERBS + QUESTIONS if word not in used])

    def test_what_the_field_has_a_word_for_is_called_so(self):
        former = "|".join(FORMER)
        found = re.compile(rf"(?<![a-z])(?:{former})(?![a-z])|{DROPS}", re.I)
        self.assertEqual([], [f"{name}: {word[0]}" for name, text in texts()
                              for word in found.finditer(text)])

    def test_how_often_a_slot_was_issued_is_its_generation(self):
        for name, text in texts():
            if re.match(r"lib/.*\.[ch]$", name):
                self.assertIsNone(re.search(r"\blife\b", text), name)

    def test_a_callback_has_the_object_first_and_the_context_last(self):
        told = re.compile(r"\(\*(\w+)\)\(([^;]*?)\)[;,]|^typedef \w[\w *]*?\b(\w+)"
                          r"\(([^;]*)\);", re.M)
        found = 0
        for header in public_headers():
            for pointer, a, name, b in told.findall((ROOT / header).read_text()):
                taken = [re.sub(r".*\W", "", one) for one in (a + b).split(",")]
                if "move" in pointer + name:
                    self.assertEqual(["to", "from", "handle"], taken, header)
                elif "context" in taken:
                    self.assertEqual(["context"], taken[1:], f"{header}: {taken}")
                    found += 1
        self.assertGreaterEqual(found, 4)

    def test_every_allocator_has_one_struct_of_statistics(self):
        found = 0
        for header in public_headers():
            for name, taken in re.findall(r"\bvoid (tp_\w+_stats)\(([^)]*)\)",
                                          (ROOT / header).read_text()):
                self.assertIn("struct tp_stats *stats", taken, name)
                found += 1
        self.assertGreaterEqual(found, 5)

    def test_a_module_of_the_soak_is_called_after_what_it_does(self):
        modules = {path.stem for path in (ROOT / "qemu" / "harness").glob("*.py")}
        self.assertGreater(len(modules), 40)
        self.assertEqual(set(), modules & RIDDLES)

    def test_a_c_file_that_names_itself_has_that_name(self):
        named = {name: re.match(r".*\n// (\w+\.[ch]) - ", text)
                 for name, text in texts() if name.endswith((".c", ".h"))}
        self.assertGreater(sum(map(bool, named.values())), 100)
        self.assertEqual([], [name for name, line in named.items()
                              if line and line[1] != Path(name).name])

    def test_no_word_is_a_verb_and_a_question(self):
        words = VERBS + QUESTIONS
        self.assertEqual(sorted(set(words)), sorted(words))
