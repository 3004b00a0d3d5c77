# SPDX-License-Identifier: MIT
"""The verbs that help to write a table: init, schema, explain."""

import json
import re
import unittest

from helper import GOLDEN, InFolder, complaints, read, row, table
from generator.keys import BANK_KEYS
from generator.model import SECTIONS, STARTER, explain, explainable
from generator.model import schema as json_schema
from generator.toml import plain

try:
    import jsonschema
except ImportError:
    jsonschema = None

WORDS = {"integer": int, "boolean": bool, "string": str, "array": list, "object": dict}


def violations(value, schema, where="file"):
    """What of [value] the [schema] forbids; knows just the words that we write."""
    found = []
    if "anyOf" in schema and all(violations(value, one) for one in schema["anyOf"]):
        found += [where]
    if "enum" in schema and not any(type(value) is type(one) and value == one
                                    for one in schema["enum"]):
        found += [where]
    if "type" in schema and type(value) is not WORDS[schema["type"]]:
        return found + [where]
    if isinstance(value, int) and not schema.get("minimum", value) <= value \
            <= schema.get("maximum", value):
        found += [where]
    if isinstance(value, str):
        found += [where] * (not re.search(schema.get("pattern", ""), value)
                            or len(value) < schema.get("minLength", 0))
    if isinstance(value, list):
        found += [one for item in value for one in violations(item,
                                                              schema.get("items", {}),
                                                              where)]
    if isinstance(value, dict) and "anyOf" not in schema:
        found += [f"{where}.{name}" for name in schema.get("required",
                                                           []) if name not in value]
        for name, child in value.items():
            found += violations(child, schema_of(name, schema), f"{where}.{name}")
    return found


FORBIDDEN = {"enum": []}


def schema_of(name, schema):
    for pattern, one in schema.get("patternProperties", {}).items():
        if re.search(pattern, name):
            return one
    return schema.get("properties", {}).get(name, FORBIDDEN)


class Schema(InFolder):
    schema = json_schema()

    def judge(self, text):
        return violations(plain(read(text).tree), self.schema)

    def test_it_is_printed_as_json(self):
        shown = self.run_generator("schema")
        self.assertEqual((shown.returncode, json.loads(shown.stdout)), (0, self.schema))

    def test_it_uses_no_word_that_draft_4_lacks(self):
        def words(schema):
            yield from set(schema) - {"properties", "patternProperties"}
            for name, value in schema.items():
                below = value.values() if name in ("properties",
                                                   "patternProperties") else \
                    value if name in ("anyOf",) else [value] if name == "items" else []
                for one in below:
                    yield from words(one)
        self.assertLessEqual(set(words(self.schema)), {
            "$schema", "title", "type", "properties", "patternProperties",
            "additionalProperties",
            "required", "description", "enum", "anyOf", "pattern", "minimum", "maximum",
            "minLength",
            "items"})

    def test_it_knows_every_key_and_says_what_explain_says(self):
        for name, (_, _, keys, _) in SECTIONS.items():
            table = self.schema["properties"][name]
            row = table if name == "build" else \
                list(table["patternProperties"].values())[0]
            properties = row.get("anyOf", [row])[-1].get("properties", {})
            self.assertEqual(list(properties), list(keys))
            for key, made in properties.items():
                self.assertIn(keys[key].says, made["description"])

    def test_it_accepts_what_the_generator_accepts(self):
        for path in sorted(GOLDEN.glob("*/pools.toml")):
            if path.parent.name != "mistakes":
                self.assertEqual(self.judge(path.read_text()), [], path)

    def test_it_refuses_what_an_editor_can_see(self):
        for text in [row(count="0"), row(size="'x;'"), row(full='"dorp"'),
                     row(more=", isr = 1"),
                     row(more=", bnak = 'x'"), row(more=", align = 12"),
                     row(more=", lock = 'basepri'"),
                     "[contexts]\na = 'tsak'", "[contexts]\na = { }",
                     row('"a-b"'), "a = { size = 8, full = 'drop' }"]:
            self.assertTrue(complaints(table(text)), text)
            self.assertTrue(self.judge(table(text)), text)
        self.assertTrue(self.judge("[pools]\n" + row()))
        self.assertTrue(self.judge(table(row(), "[bnaks]")))

    if jsonschema:
        def test_a_validator_finds_the_schema_valid_and_agrees(self):
            jsonschema.Draft7Validator.check_schema(self.schema)
            validator = jsonschema.Draft7Validator(self.schema)
            for path in sorted(GOLDEN.glob("*/pools.toml")):
                tree = plain(read(path.read_text()).tree)
                if path.parent.name != "mistakes":
                    self.assertEqual(list(validator.iter_errors(tree)), [], path)


class Explain(InFolder):
    def explain(self, word):
        return self.run_generator("explain", word)

    def test_a_key_is_explained_in_every_table_that_has_it(self):
        self.assertEqual(self.explain("size").stdout, (
            "[pools]\n  size: bytes of a slot, from 4, or C of them; those of type or "
            "union\n      makes the stride, rounded up to align; a type may take less, "
            "not more\n\n"
            "[dense]\n  size: bytes of an object, or C of them; those of type\n"
            "      makes the stride, rounded up to align; a type may take less, not "
            "more\n"))

    def test_a_key_of_one_table_is_explained_alone(self):
        self.assertEqual(self.explain("pools.align").stdout,
                         "[pools]\n  align: as in [build]\n"
                         "      makes the alignment of every slot\n")

    def test_a_table_is_explained_with_all_its_keys(self):
        for word in ["banks", "[banks]"]:
            shown = self.explain(word).stdout
            for key in BANK_KEYS:
                self.assertIn(f"\n  {key}: ", shown)

    def test_every_key_and_table_is_explained(self):
        for word in explainable():
            self.assertTrue(explain(word), word)

    def test_an_unknown_key_gets_the_closest_known_one_as_a_hint(self):
        result = self.explain("bugdet")
        self.assertEqual((result.returncode, result.stdout, result.stderr),
                         (1, "", 'error: there is no key "bugdet"\n'
                                 '      = did you mean "budget"?\n'))


class Init(InFolder):
    def test_the_starter_is_right_and_generates(self):
        self.assertEqual(self.run_generator("init").returncode, 0)
        text = (self.folder / "pools.toml").read_text()
        self.assertEqual(complaints(text), [])
        result = self.run_generator("generate", "pools.toml", "--out", ".")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_its_commented_rows_are_right_too(self):
        text = re.sub(r"^#(?=[a-z\[])", "", STARTER, flags=re.M)
        self.assertEqual([line for line in complaints(text) if "error" in line], [])
        self.assertGreater(len(read(text).pools), len(read(STARTER).pools))

    def test_a_name_may_be_given(self):
        self.assertEqual(self.run_generator("init", "my.toml").returncode, 0)
        self.assertTrue((self.folder / "my.toml").exists())

    def test_what_is_there_is_left_as_it_is(self):
        self.write("pools.toml", "mine")
        result = self.run_generator("init")
        self.assertEqual((result.returncode, result.stderr),
                         (1, "pools.toml: error: it exists, and is left as it is\n"))
        self.assertEqual((self.folder / "pools.toml").read_text(), "mine")

    def test_a_folder_that_is_not_there_is_a_sentence(self):
        self.assertIn("no/pools.toml: error: cannot write it: No such file",
                      self.run_generator("init", "no/pools.toml").stderr)


if __name__ == "__main__":
    unittest.main()
