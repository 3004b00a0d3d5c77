#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The clauses of the public headers' contracts: contracts.py prints them.

A contract is the comment above a declaration that has lines of Returns, Faults,
Time or Context, or says "iff". Its clauses are each alternative of an "iff",
each kind on the Faults line, whatever it has of another call, and the Time. The
Context is one where the call may be made from anywhere; where it must not, the
promise is the caller's.
"""

import re
import subprocess
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPP = "lib/tidepool.hpp"
TABLE = ROOT / "tests" / "CONTRACTS.md"
NAME = "(?:Returns|Faults|Time|Context)"
FIELD = re.compile(rf"({NAME}(?:, {NAME})*)  +(\S.*)")
VALUE = r'(?:NULL|nullptr|std::bad_alloc|[Ff]alse|true|0|TP_[A-Z_]+|"\w+")'
CONDITION = re.compile(rf"({VALUE})(?: or {VALUE})?(?:, and [^.;]*?)?"
                       r" (?:also )?(?:iff|while|if) ((?:[^.]|\.(?=\w))*)")
REMARK = re.compile(r": (?:nothing|then|the|all) .*|[^;]*, because "
                    r"|; (?!steal|drop)[^;]*$")
ALTERNATIVE = re.compile(r",? n?or (?:if )?|; ?")
CONJUNCTION = re.compile(r", (?:and )?")
OF_ANOTHER = re.compile(r"(?:[Tt]hose of|[Aa]s) (tp_\w+)\(\)")
ANYWHERE = re.compile(r"Any(?!.*\b(?:no|any)body\b)")
LIKE = re.compile(r"[Aa]s (?:for )?(above|tp_\w+)")

# What is declared first below the comment, and the texts of its fields.
Contract = namedtuple("Contract", "header name fields")


def public_headers():
    listed = subprocess.run(["git", "ls-files", "lib/*.h"], cwd=ROOT,
                            stdout=subprocess.PIPE, text=True, check=True)
    return [name for name in listed.stdout.split()
            if "- internal:" not in (ROOT / name).read_text()]


def comments(text, within_classes=False):
    """Each comment of whole lines, with the code that follows it."""
    block, lines = [], text.splitlines()
    if within_classes:
        lines = [line.strip() for line in lines]
    for number, line in enumerate(lines):
        if line.startswith("//"):
            block.append(line[2:].strip())
        elif block:
            yield block, "\n".join(lines[number:number + 3])
            block = []


def fields_of(block):
    """field -> its text. What stands in no field is that of ""."""
    fields, names = {"": ""}, [""]
    for line in block:
        found = FIELD.match(line)
        if found:
            names = found[1].split(", ")
            fields.update({name: found[2] for name in names})
        elif not line:
            names = [""]
        else:
            fields.update({name: fields[name] + " " + line for name in names})
    return fields


def contracts():
    for header in [*public_headers(), CPP]:
        for block, code in comments((ROOT / header).read_text(), header == CPP):
            fields = fields_of(block)
            name = re.match(r"(?!#|struct \w+ {|enum|typedef)[^;]*?\b(\w+)\(",
                            code)
            if name and (len(fields) > 1 or CONDITION.search(fields[""])):
                space = "tidepool::" if header == CPP else ""
                yield Contract(header, space + name[1], fields)


def fault_kinds():
    level = (ROOT / "lib" / "check" / "tp_level.h").read_text()
    return re.findall(r"^  TP_FAULT_(\w+) = [1-9]", level, re.M)


def of_returns(text):
    """Each alternative of what is returned when."""
    for value, conditions in CONDITION.findall(text):
        split = CONJUNCTION if value == "true" else ALTERNATIVE
        for part in split.split(REMARK.sub("", conditions)):
            yield f"{value.lower() if value == 'False' else value}: {part}"


def of_faults(text):
    yield from (kind for kind in fault_kinds() if re.search(rf"\b{kind}\b", text))
    yield from (f"faults of {name}" for name in OF_ANOTHER.findall(text))
    if re.search(r"\bat off\b", text, re.I):
        yield "at off"


def clauses_of(fields, may_be_anywhere):
    yield from of_returns(fields[""])
    if "Returns" in fields:
        yield from list(of_returns(fields["Returns"])) or ["returns"]
    yield from of_faults(fields.get("Faults", ""))
    if "Time" in fields:
        yield "time"
    if may_be_anywhere:
        yield "context"


def clauses():
    """header -> each clause of its contracts: the call, and what is said of it"""
    contexts, found = {}, {}
    for contract in contracts():
        context = contract.fields.get("Context", "")
        like = LIKE.match(context)
        anywhere = contexts.get(like[1]) if like else ANYWHERE.match(context)
        contexts[contract.name] = contexts["above"] = anywhere
        found.setdefault(contract.header, []).extend(
            f"`{contract.name}` {key}"
            for key in clauses_of(contract.fields, anywhere))
    return found


def rows():
    """(clause, what shows it) of each row of the table."""
    return re.findall(r"^\| (`(?:tp_|tidepool::).*?) \| (.*) \|$",
                      TABLE.read_text(), re.M)


def tests():
    """Every test of C and of Python, and every operation that is swept."""
    found = set()
    for path in (ROOT / "tests").rglob("*.[cp]*"):
        if path.suffix in (".c", ".py"):
            found |= set(re.findall(r"(?:RUN\(|def (?=test_))(\w+)",
                                    path.read_text()))
        if path.suffix == ".cpp":
            found |= set(re.findall(r"^static bool (\w+)\(\)$",
                                    path.read_text(), re.M))
    return found | swept()


def swept():
    text = "".join(path.read_text()
                   for path in (ROOT / "tests" / "sweep").glob("*.c"))
    subjects = re.findall(r'(?:^PLAIN\(|^KEYED\(|\.name = ")(\w+)', text, re.M)
    operations = re.findall(r'{"(\w+)"', text)
    return {f"{subject}.{operation}" for subject in subjects
            for operation in operations}


if __name__ == "__main__":
    for header, keys in clauses().items():
        print("\n".join([header, *keys, ""]))
