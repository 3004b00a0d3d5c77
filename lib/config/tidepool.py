#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns pools.toml into C: tp_pools.h, tp_pools.c and tp_pools.ld.

    tidepool.py generate pools.toml --out DIR    writes the three files
    tidepool.py check pools.toml                 says what is wrong, writes nothing
    tidepool.py table pools.toml                 prints what every pool takes
    tidepool.py init | schema | explain KEY      help to write one
    tidepool.py map pools.toml fw.elf            compares it with what the linker did
    tidepool.py advise pools.toml summary.json   recommends counts from what soaks saw

Five steps, in the order of this file: parse (text to a tree in which everything
knows its line and column), read (tree to pools and banks), check (the rules they
must obey), print (pools to C), write. A problem never stops the search for the
next one; a problem that only follows from another is not reported.
"""

import argparse
import bisect
import collections
import copy
import difflib
import json
import os
import re
import struct
import sys
import zlib


# Problems ---------------------------------------------------------------------

Place = collections.namedtuple("Place", "line column width")  # Counted from 1.
Problem = collections.namedtuple("Problem", "severity place text hints")


class Trouble(Exception):
    """What has no place in pools.toml: a file that cannot be read or written."""


def error(place, text, *hints):
    return Problem("error", place, text, hints)


def warning(place, text, *hints):
    return Problem("warning", place, text, hints)


def render(problem, path, lines):
    """The problem, its line of the file, a caret under the token, the hints."""
    line, column, width = problem.place
    source = lines[line - 1]
    width = max(1, min(width, len(source) - column + 1))
    margin = re.sub(r"[^\t]", " ", source[: column - 1])
    rows = [f"{path}:{line}:{column}: {problem.severity}: {problem.text}",
            f"{line:5d} | {source}",
            f"      | {margin}^{'~' * (width - 1)}"]
    rows += [f"      = {hint}" for hint in problem.hints]
    return "".join(printable(row) + "\n" for row in rows)


def printable(text):
    """The text with what could steer a terminal replaced, one for one."""
    return "".join(c if c.isprintable() or c == "\t" else "?" for c in text)


def quote(word):
    return json.dumps(word, ensure_ascii=False)


def closest(word, known):
    """The one of [known] that [word] was probably meant to be, or None."""
    names = {name.lower(): name for name in known}
    matches = difflib.get_close_matches(word.lower(), names, 1)
    return names[matches[0]] if matches else None


def did_you_mean(word, known):
    match = closest(word, known)
    if match:
        return f"did you mean {quote(match)}?"
    return "known: " + ", ".join(known)


# Parse: the subset of TOML that a table of pools needs ------------------------

BLANK = re.compile(r"[ \t]*")
BLANK_LINES = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
LINE_END = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
CONTROL = re.compile(r"[\0-\x08\x0b-\x1f\x7f]")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
BASIC_STRING = re.compile(r'"((?:[^"\\\n]|\\[^\n])*)"')
LITERAL_STRING = re.compile(r"'([^'\n]*)'")
ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
ESCAPED = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
REST_OF_ROW = re.compile(r"[^{}]*}")
WORD = re.compile(r"""[^\s,\[\]{}#="']*""")
INTEGER = re.compile(r"[+-]?(?:0|[1-9](?:_?[0-9])*)|0x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*"
                     r"|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*")
FLOAT = re.compile(r"[+-]?(?:(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?"
                   r"(?:[eE][+-]?[0-9](?:_?[0-9])*)?|inf|nan)")
UNIT = re.compile(r"([0-9][0-9_]*)([KMkm])(?:i?[Bb])?")
STATEMENT = re.compile(r"""[ \t]*(?:[\w."'-][\w."' \t-]*="""
                       r"""|\[[\w."' \t\[-]+\]+[ \t]*(?:\#|\n|\Z))""")
DEPTH_MAX = 16


class Node:
    """A value and where it stands. A table holds {name: Node}, an array [Node].

    [made] says who may add to a table: its own braces only ("value"), a header
    that finds it ("implied"), dotted keys ("dotted"), nobody again ("header").
    An array of [[tables]] is "tables". "again" is a second header for a table: what
    stands there is taken in, so that it is checked too, but not called a repetition.
    """

    def __init__(self, value, place, made="value"):
        self.value = value
        self.place = place
        self.name = place  # Of the key that names it.
        self.made = made

    def emptied(self):
        empty = Node({}, self.place)
        empty.name = self.name
        return empty


BROKEN = object()  # The value of a key whose value could not be understood.


class Syntax(Exception):
    """Carries the problem of a statement that cannot be parsed further."""


class Parser:
    """Parses [text] into [root]; what is wrong goes to [problems].

    After a mistake it goes on with the next statement. [lost] tells that a table
    header was among the mistakes, so that names may be missing from the tree.
    """

    def __init__(self, text):
        self.text = text
        self.pos = 0
        self.depth = 0
        self.lost = False
        self.problems = []
        self.starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self.root = self.table = Node({}, Place(1, 1, 1), "header")

    def parse(self):
        self.blank_out_control_characters()
        self.match(BLANK_LINES)
        while self.pos < len(self.text):
            self.statement_or_problem()
            self.match(BLANK_LINES)
        return self.root

    def blank_out_control_characters(self):
        last_line = 0
        for match in CONTROL.finditer(self.text):
            place = self.place(match.start())
            if place.line != last_line:
                code = ord(match.group())
                self.problems.append(error(place, f"control character 0x{code:02x}"))
            last_line = place.line
        self.text = CONTROL.sub(" ", self.text)

    def statement_or_problem(self):
        first_line = self.place(self.pos).line
        self.depth = 0
        try:
            self.statement()
        except Syntax as syntax:
            self.problems.append(syntax.args[0])
            self.resume(first_line)

    def resume(self, first_line):
        """Goes to the next statement: the next line, or out of an open array."""
        line = self.place(self.pos).line
        self.pos = self.line_start(max(line, first_line + 1) if self.depth else line + 1)
        while self.depth and self.pos < len(self.text):
            if STATEMENT.match(self.text, self.pos):
                return
            self.pos = self.line_start(self.place(self.pos).line + 1)

    def statement(self):
        if self.text[self.pos] == "[":
            self.header()
        else:
            self.assignment(self.table)
        self.match(BLANK)
        if not self.match(LINE_END):
            self.fail("expected the end of the line", "one key a line")

    # Tables and keys.

    def header(self):
        try:
            double = self.accept("[[")
            self.pos += not double
            path = self.key()
            if not self.accept("]]" if double else "]"):
                self.fail(f'expected "{"]]" if double else "]"}" after the table name')
            self.table = self.open_table(path, double)
        except Syntax:
            self.table, self.lost = Node({}, Place(1, 1, 1)), True
            raise

    def open_table(self, path, double):
        parent = self.root
        for name, place in path[:-1]:
            parent = self.step_into(parent, name, place)
        name, place = path[-1]
        if double:
            return self.append_table(parent, name, place)
        found = parent.value.setdefault(name, Node({}, place, "implied"))
        if found.made == "implied":
            found.made, found.name, found.place = "header", place, place
            return found
        self.refuse_twice("table", found, name, place)
        return Node(found.value if isinstance(found.value, dict) else {}, place, "again")

    def step_into(self, parent, name, place):
        child = parent.value.setdefault(name, Node({}, place, "implied"))
        if child.made == "tables":
            return child.value[-1]
        if child.made == "value":
            self.fail(f"{quote(name)} is complete on line {child.name.line}; "
                      "a header cannot add to it", place=place)
        return child

    def append_table(self, parent, name, place):
        found = parent.value.setdefault(name, Node([], place, "tables"))
        table = Node({}, place, "header")
        if found.made == "tables":
            found.value.append(table)
        else:
            self.refuse_twice("table", found, name, place)
        return table

    def refuse_twice(self, what, first, name, place):
        self.problems.append(error(place, f"{what} {quote(name)} is written twice",
                                   f"the first is on line {first.name.line}"))

    def assignment(self, table):
        path = self.key()
        try:
            if not self.accept("="):
                self.fail(f'expected "=" after the key {quote(path[-1][0])}')
            node = self.value()
        except Syntax:
            self.insert(table, path, Node(BROKEN, path[-1][1]))
            raise
        self.insert(table, path, node)

    def insert(self, table, path, node):
        for name, place in path[:-1]:
            child = table.value.setdefault(name, Node({}, place, "dotted"))
            if child.made not in ("dotted", "implied"):
                return self.refuse_twice("key", child, name, place)
            child.made = "dotted"
            table = child
        name, node.name = path[-1]
        first = table.value.setdefault(name, node)
        if first is not node and table.made != "again":
            self.refuse_twice("key", first, name, node.name)

    def key(self):
        """A key as [(name, place)], several for a dotted one."""
        path = []
        while True:
            self.match(BLANK)
            start = self.pos
            path.append((self.key_part(), self.place(start, self.pos)))
            if not self.accept("."):
                return path

    def key_part(self):
        if self.text.startswith(('"', "'"), self.pos):
            return self.string()
        match = self.match(BARE_KEY)
        if not match:
            self.fail("expected a key", "a key is made of letters, digits, _ and -")
        return match.group()

    # Values.

    def value(self):
        self.match(BLANK)
        start = self.pos
        made = {"[": self.array, "{": self.inline_table,
                '"': self.string, "'": self.string}.get(self.peek(), self.word)()
        return Node(made, self.place(start, self.pos))

    def array(self):
        start = self.enter()
        items = []
        while not self.accept_past_lines("]", start):
            items.append(self.value())
            if self.accept_past_lines(",", start):
                continue
            if not self.accept("]"):
                self.fail('expected "," or "]" in the array', self.opened(start))
            break
        self.depth -= 1
        return items

    def accept_past_lines(self, token, start):
        self.match(BLANK_LINES)
        if self.pos == len(self.text):
            self.pos = start
            self.fail("this array is not closed")
        return self.accept(token)

    def inline_table(self):
        start = self.enter()
        table = Node({}, self.place(start))
        if not self.accept("}"):
            self.assignment_in_row(table)
            while self.accept(","):
                self.assignment_in_row(table, ' after ","')
            self.refuse_line_break()
            if not self.accept("}"):
                self.fail('expected "," or "}"')
        self.depth -= 1
        return table.value

    def assignment_in_row(self, table, where=""):
        self.match(BLANK)
        self.refuse_line_break()
        if self.peek() == "}":
            self.fail("expected a key" + where, "a { } row does not end with a comma")
        self.assignment(table)

    def refuse_line_break(self):
        if LINE_END.match(self.text, self.pos):
            place = self.place(self.pos)
            self.match(REST_OF_ROW)
            self.depth = 0
            self.fail("a { } row must stay on one line", "use the [pools.NAME] form", place=place)

    def enter(self):
        """Steps over a bracket; returns where it stood."""
        self.depth += 1
        if self.depth > DEPTH_MAX:
            self.fail(f"nested more than {DEPTH_MAX} deep")
        self.pos += 1
        return self.pos - 1

    def opened(self, start):
        return f"it opens on line {self.place(start).line}"

    def string(self):
        start = self.pos
        mark = self.peek()
        if self.text.startswith(mark * 3, start):
            self.fail("strings of several lines are not used here", width=3)
        match = self.match(BASIC_STRING if mark == '"' else LITERAL_STRING)
        if not match:
            end = self.line_start(self.place(start).line + 1)
            width = len(self.text[start:end].rstrip())
            self.fail("this string is not closed", width=width)
        if mark == "'":
            return match.group(1)
        return ESCAPE.sub(lambda escape: self.unescape(escape, start + 1), match.group(1))

    def unescape(self, escape, offset):
        code = escape.group(1)
        number = int(code[1:], 16) if len(code) > 1 else None
        if code in ESCAPED:
            return ESCAPED[code]
        if number is None or number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            place = self.place(offset + escape.start(), offset + escape.end())
            self.fail(f"unknown escape {escape.group()}", "write \\\\ for one \\", place=place)
        return chr(number)

    def word(self):
        start = self.pos
        word = self.match(WORD).group()
        if word in ("true", "false"):
            return word == "true"
        if INTEGER.fullmatch(word):
            return self.integer(word, start)
        if FLOAT.fullmatch(word):
            return float(word)
        return self.fail_at_word(word, self.place(start, self.pos))

    def integer(self, word, start):
        if len(word) > 99 or not -(1 << 63) <= int(word, 0) < 1 << 63:
            self.fail("this number does not fit in 64 bits", place=self.place(start, self.pos))
        return int(word, 0)

    def fail_at_word(self, word, place):
        unit = UNIT.fullmatch(word)
        if not word:
            self.fail("expected a value")
        if unit:
            amount = f'"{unit[1]}{unit[2].upper()}"'
            self.fail(f"a number with a unit needs quotes: {word}", f"write {amount}", place=place)
        if re.match(r"[0-9]{4}-[0-9]{2}-|[0-9]{2}:", word):
            self.fail("dates and times are not used here", place=place)
        if word.lower() in ("true", "false"):
            self.fail(f"unknown value {word}", f"write {word.lower()}", place=place)
        if re.match(r"[A-Za-z_]", word):
            self.fail(f"unknown value {word}", f'a string needs quotes: "{word}"', place=place)
        zero = ["a number does not start with 0"] if word.startswith("0") else []
        self.fail(f"{word} is not a number", *zero, place=place)

    # The text underneath.

    def peek(self):
        return self.text[self.pos: self.pos + 1]

    def match(self, pattern):
        match = pattern.match(self.text, self.pos)
        if match:
            self.pos = match.end()
        return match

    def accept(self, token):
        """Steps over blanks, and over [token] if it is next."""
        start = BLANK.match(self.text, self.pos).end()
        found = self.text.startswith(token, start)
        self.pos = start + len(token) if found else start
        return found

    def line_start(self, line):
        return self.starts[line - 1] if line <= len(self.starts) else len(self.text)

    def place(self, start, end=None):
        line = bisect.bisect_right(self.starts, start)
        width = 1 if end is None else max(1, end - start)
        return Place(line, start - self.starts[line - 1] + 1, width)

    def fail(self, text, *hints, place=None, width=1):
        place = place or self.place(self.pos, self.pos + width)
        raise Syntax(error(place, text, *hints))


def plain(node):
    """The tree without its places, as tomllib would return it."""
    if isinstance(node.value, dict):
        return {name: plain(child) for name, child in node.value.items()}
    if isinstance(node.value, list):
        return [plain(child) for child in node.value]
    return node.value


# Read: what a table may say ---------------------------------------------------

VERSION = 1              # Of the format of pools.toml.
LINK_BYTES = 4           # A free slot holds the number of the next one.
COUNT_MAX = 32767
STRIDE_MAX = 65535
BYTES_MAX = 0xFFFFFFFF
TAG_BYTES = 4            # Of a slot: whether it lives, and its generation.
AGE_BYTES = 4            # Of a slot in a pool that steals, and once more.
REGION_MAX = 0x40000000  # Bytes of a stack, a frame or a nest.
RELOCATING_MAX = 524272  # Bytes: places are counted in 16 bits.
RED_ZONE_BYTES = 8       # Behind a slot and before the first at full, at least.
# What each core can lock with beside PRIMASK.
CPUS = {"cortex-m0": [], "cortex-m0plus": [], "cortex-m1": [], "cortex-m23": ["exclusive"]}
CPUS.update((f"cortex-m{name}", ["basepri", "exclusive"])
            for name in ("3", "4", "7", "33", "35p", "52", "55", "85"))
LOCKS = {"primask": "TP_LOCK_PRIMASK", "none": "TP_LOCK_NONE", "exclusive": "TP_LOCK_PRIMASK"}
POINTER_BYTES = 4
ARENA_ALIGN = 8          # Of what has no alignment of its own.
POOL_BYTES = 56          # Of struct tp_pool, in flash.
STATE_BYTES = 24         # Of struct tp_pool_state.
END_BYTES = 24           # Of an end of a stack: struct tp_bump and tp_marks.
BUMP_BYTES = 12
UNION_MAX = 8            # Types that a slot may be for.
REUSES_PER_SECOND = 60   # Of one slot: a new object in it every frame.
DAY_SECONDS = 24 * 3600

LEVELS = ["off", "fast", "poison", "full"]  # Of checks, in the order of TP_CHECKS.
POLICIES = ["assert", "drop", "steal-oldest", "steal-least", "spill"]
THIEVES = ["steal-oldest", "steal-least"]
OWN_POLICY = "policy"    # How a row is full that names one of the application's.

KINDS = {str: "a string", bool: "true or false", int: "a whole number",
         float: "a number with a fraction", list: "an array", dict: "a table"}
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
C_TYPE = re.compile(r"[A-Za-z_]\w*(?: [A-Za-z_]\w*)*(?: ?\*+)?", re.ASCII)
KEYWORDS = set("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t
    char16_t char32_t class co_await co_return co_yield compl concept const const_cast
    consteval constexpr constinit continue decltype default delete do double dynamic_cast
    else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public
    register reinterpret_cast requires restrict return short signed sizeof static
    static_assert static_cast struct switch template this thread_local throw true try
    typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile
    wchar_t while xor xor_eq _Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary
    _Noreturn _Static_assert _Thread_local""".split())


class Wrong(Exception):
    """A value that its key does not take: "must be ...", then hints."""

    def __init__(self, text, *hints, place=None):
        super().__init__(text)
        self.hints = hints
        self.place = place


def expect(node, kind):
    """The value of [node], if it is a [kind]."""
    value = node.value
    if type(value) is kind:
        return value
    hints = []
    if kind is not str and isinstance(value, str) and re.fullmatch(r"[0-9]+|true|false", value):
        hints = [f"write {value} without quotes"]
    raise Wrong(f"must be {KINDS[kind]}, not {KINDS[type(value)]}", *hints, place=node.place)


def takes(**schema):
    """Notes on a reader what it takes, in the words of JSON Schema."""
    def note(read):
        read.schema = schema
        return read
    return note


@takes(type="boolean")
def boolean(node):
    return expect(node, bool)


def whole(low, high, why_not_less=None):
    """Reads a whole number from [low] to [high]."""
    @takes(type="integer", minimum=low, maximum=high)
    def read(node):
        number = expect(node, int)
        if low <= number <= high:
            return number
        hints = [why_not_less] if why_not_less and number < low else []
        raise Wrong(f"must be {low} to {high}, not {number}", *hints)
    return read


def alignment(low, high):
    powers = [1 << n for n in range(16) if low <= 1 << n <= high]

    @takes(enum=powers)
    def read(node):
        number = expect(node, int)
        if number in powers:
            return number
        raise Wrong(f"must be a power of two from {low} to {high}, not {number}",
                    "one of " + ", ".join(map(str, powers)))
    return read


def one_of(*words):
    @takes(enum=list(words))
    def read(node):
        word = expect(node, str)
        if word in words:
            return word
        raise Wrong(f"is unknown: {quote(word)}", did_you_mean(word, words))
    return read


BASEPRI = r"basepri:(0x[0-9a-fA-F]{1,2}|[0-9]{1,3})"


@takes(anyOf=[{"enum": list(LOCKS)}, {"type": "string", "pattern": f"^{BASEPRI}$"}])
def lock(node):
    """A word of LOCKS, or the number that BASEPRI takes."""
    word = expect(node, str)
    match = re.fullmatch(BASEPRI, word)
    if not match:
        return one_of(*LOCKS, "basepri:N")(node)
    number = int(match[1], 0)
    if 2 <= number <= 255:
        return number
    raise Wrong(f"must be basepri:2 to basepri:255, not {quote(word)}",
                "the byte as BASEPRI holds it: the priority in its high bits")


@takes(enum=[0, 32, 64])
def handle_bits(node):
    bits = expect(node, int)
    if bits in (0, 32, 64):
        return bits
    raise Wrong(f"must be 0, 32 or 64, not {bits}",
                "the bits of one handle; 0 means that there are none")


def identifier(what):
    @takes(type="string", pattern=f"^{IDENTIFIER.pattern}$")
    def read(node):
        word = expect(node, str)
        if IDENTIFIER.fullmatch(word) and word not in KEYWORDS:
            return word
        raise Wrong(f"must be the name of {what}, not {quote(word)}")
    return read


@takes(type="string", minLength=1)
def c_type(node):
    name = expect(node, str)
    if name == "void":
        raise Wrong("must not be void", "slots without a type have no type key")
    if C_TYPE.fullmatch(name):
        return name
    raise Wrong(f"must be a C type such as \"struct particle\", not {quote(name)}")


AMOUNT = r"([0-9]{1,9})([KM]?)"


@takes(anyOf=[{"type": "integer", "minimum": 1, "maximum": BYTES_MAX},
              {"type": "string", "pattern": f"^{AMOUNT}$"}])
def amount(node):
    """Bytes, as a number or as a string with a unit."""
    if not isinstance(node.value, str):
        return whole(1, BYTES_MAX)(node)
    match = re.fullmatch(AMOUNT, node.value)
    if match and 0 < bytes_of(match) <= BYTES_MAX:
        return bytes_of(match)
    raise Wrong(f"must be an amount such as \"48K\", \"1M\" or 49152, not {quote(node.value)}")


def bytes_of(match):
    return int(match[1]) << {"": 0, "K": 10, "M": 20}[match[2]]


CLASS_FIELDS = {"size": whole(ARENA_ALIGN, STRIDE_MAX), "count": whole(1, COUNT_MAX)}


@takes(type="array", items={"type": "object", "required": list(CLASS_FIELDS),
                            "properties": {name: read.schema
                                           for name, read in CLASS_FIELDS.items()},
                            "additionalProperties": False})
def class_list(node):
    """The nodes of the classes, each with a size and a count."""
    classes = expect(node, list)
    for one in classes:
        fields = expect(one, dict)
        for name in list(CLASS_FIELDS) + list(fields):
            read_class_field(one, name)
    if classes:
        return classes
    raise Wrong("must be at least one { size = 16, count = 64 }")


def read_class_field(one, name):
    field = one.value.get(name)
    if not field or name not in CLASS_FIELDS:
        raise Wrong("must be rows of { size = 16, count = 64 }",
                    place=field.name if field else one.place)
    try:
        CLASS_FIELDS[name](field)
    except Wrong as wrong:
        raise Wrong("must be rows of { size = 16, count = 64 }", f"{name} {wrong}",
                    place=field.place)


@takes(type="array", items={"type": "integer", "minimum": 0, "maximum": STRIDE_MAX})
def part(node):
    """The offset and the size of a part of an object, in whole words."""
    numbers = [whole(0, STRIDE_MAX)(item) for item in expect(node, list)]
    if len(numbers) == 2 and numbers[1] and not any(number % 4 for number in numbers):
        return numbers
    raise Wrong("must be [offset, size], two multiples of 4")


@takes(type="array", items={"type": "string", "minLength": 1})
def type_list(node):
    types = [c_type(item) for item in expect(node, list)]
    if 2 <= len(types) <= UNION_MAX:
        return types
    raise Wrong(f"must be 2 to {UNION_MAX} types, not {len(types)}")


@takes(type="array", items={"type": "string", "minLength": 1})
def header_list(node):
    return [header(item) for item in expect(node, list)]


def header(node):
    name = expect(node, str)
    if re.fullmatch(r"[^\s\"<>\\?][^\"<>\\?\n]*|<[^\s\"<>\\?]+>", name) and name.isprintable():
        return name
    raise Wrong(f"must be names such as \"game/types.h\", not {quote(name)}", place=node.place)


class Key:
    """How a key is read, what may be written, what it makes, and what holds
    where it is not written. The README and `explain` print the same words."""

    def __init__(self, read, value, says, default=None, needed=None, unless=None):
        self.read = read
        self.value = value
        self.says = says
        self.default = default
        self.needed = needed  # The hint where it is missing, if it may not be,
        self.unless = unless  # unless this key is written in its place.


NO_DEFAULT = "what happens when full is a decision, so it has no default"
BANK_OF = Key(identifier("a bank"), "a name of [banks]; none",
              "the section of its memory; without it that is ordinary zeroed memory")
NEST_OF = Key(identifier("a nest"), "a name of [nests]; none",
              "memory within that nest, and so within its bank")
END_OF = Key(one_of("low", "high"), '"low", "high"; low',
             "the end of the nest that it lies at", default="low")
REFUSES = Key(one_of("assert", "drop"), '"assert", "drop"; required',
              "a fault for a request that does not fit, or NULL", needed=NO_DEFAULT)
TYPE = Key(c_type, "a C type; none", "typed calls, else of void; asserts of size and alignment")
ALIGN = Key(alignment(4, 64), "as in [build]", "the alignment of every slot")
BYTES = Key(amount, 'bytes, or "8K"; a multiple of 8; required',
            "as many of memory", needed="how much memory there is")
WRAP = Key(boolean, "accepts that a generation wraps in under 24 hours; false",
           "nothing", default=False)

BUILD_KEYS = {
    "headers": Key(header_list, "names of files; []",
                   "#include lines of tp_pools.h, in quotes or as <...>", default=[]),
    "align": Key(alignment(4, 64), "4, 8, 16, 32, 64; 8",
                 "the alignment of rows that give none", default=8),
    "cpu": Key(one_of(*CPUS), '"cortex-m0" to "cortex-m85"; none',
               "nothing; locks that this core has not are refused"),
    "checks": Key(one_of(*LEVELS), '"off", "fast", "poison", "full"; none',
                  "a compiler error at any other check level; sizes are counted at this one"),
}
BANK_KEYS = {
    "region": Key(identifier("a region of the linker script"),
                  "a name in the linker script's MEMORY; required",
                  ".tp_arena_BANK in that region, and a check that it exists",
                  needed="the name that MEMORY has for it in the linker script"),
    "budget": Key(amount, 'bytes, or "48K", "1M"; none',
                  "a check here, and one by the linker, that what lies in it fits"),
    "dma": Key(boolean, "true or false; true",
               "nothing, but a complaint about pools for DMA where false says that it does not "
               "reach", default=True),
    "cache_line": Key(alignment(4, 64), "bytes; none",
                      "nothing, but a complaint about pools for DMA whose slots share lines"),
    "retained": Key(boolean, "true or false; false",
                    "pools whose books lie there too, and NAME_believe(): after a reset they are "
                    "as they were, if that can be believed", default=False),
}
POOL_KEYS = {
    "type": TYPE,
    "size": Key(whole(LINK_BYTES, STRIDE_MAX, "a free slot holds a link of 4 bytes"),
                "bytes of a slot, from 4; required",
                "the stride, rounded up to align", needed="the bytes of one slot"),
    "count": Key(whole(1, COUNT_MAX, "to do without a pool, take its row out"),
                 "1 to 32767; required",
                 "the slots", needed="how many slots there are"),
    "full": Key(one_of(*POLICIES),
                '"assert", "drop", "steal-oldest", "steal-least", "spill"; required, or policy',
                "the policy: a fault; NULL; the oldest, or that of the lowest score, makes room; "
                "another pool lends a slot", needed=NO_DEFAULT, unless="policy"),
    "bank": BANK_OF,
    "align": ALIGN,
    "isr": Key(boolean, "used from interrupts; false",
               "nothing, but the rules stricter", default=False),
    "dma": Key(boolean, "used by DMA; false", "nothing, but the rules stricter", default=False),
    "evict": Key(identifier("a C function"), "a C function; none",
                 "its prototype, void NAME(TYPE *victim), called before a theft; pools that steal "
                 "only"),
    "score": Key(identifier("a C function"), "a C function; none",
                 "its prototype, uint32_t NAME(const TYPE *object): how much it would be missed; "
                 "steal-least only"),
    "refuse_below": Key(boolean, "true or false; false",
                        "NULL from NAME_alloc_scored() for who scores lower than all others; "
                        "steal-least only", default=False),
    "min_age": Key(whole(1, 65535), "units of tp_clock_now; none",
                   "objects that cannot be stolen while they are younger; 4 bytes a slot"),
    "pin": Key(boolean, "true or false; false",
               "NAME_pin() and NAME_unpin(): a pinned object is not stolen", default=False),
    "spill": Key(identifier("a pool"), "a pool; none",
                 "that pool's slots lent to this one when it is full; with full = \"spill\""),
    "then": Key(one_of("assert", "drop"), '"assert", "drop"; none',
                "the answer when that one is full too"),
    "untyped": Key(boolean, "accepts that the other pool has another type; false",
                   "nothing", default=False),
    "patience": Key(whole(0, BYTES_MAX), "units of tp_clock_now; 0",
                    "a pool others spill into that stays empty for so long before its memory can "
                    "be given back", default=0),
    "reserve": Key(whole(1, COUNT_MAX), "slots; none",
                   "NAME_alloc_urgent(), which alone may take so many of them"),
    "low_water": Key(whole(0, COUNT_MAX), "free slots; none",
                     "a call of on_low when only so many are left"),
    "on_low": Key(identifier("a C function"), "a C function; none",
                  "its prototype, void NAME(const struct tp_pool *pool, uint32_t free)"),
    "refill": Key(whole(1, COUNT_MAX), "free slots; low_water + 1",
                  "a call of on_refill when so many are free again"),
    "on_refill": Key(identifier("a C function"), "a C function; none",
                     "its prototype, as that of on_low"),
    "policy": Key(identifier("a struct tp_policy"),
                  "a struct tp_policy of the application's; none",
                  "its declaration; it answers when the pool is full, in place of full"),
    "init": Key(identifier("a C function"), "a C function; none",
                "its prototype, bool NAME(TYPE *object, void *context), and NAME_create(context), "
                "NAME_destroy(object), NAME_update(), NAME_walk()"),
    "deinit": Key(identifier("a C function"), "a C function; none",
                  "its prototype, void NAME(TYPE *object), called when an object dies, of theft "
                  "too, and the calls of init"),
    "in_use": Key(identifier("a C function"), "a C function; none",
                  "its prototype, bool NAME(const TYPE *object), NAME_audit(), and the calls of "
                  "init"),
    "retain": Key(part, "[offset, size] in an object; none",
                  "bytes that the next life of the slot finds as they were, and the calls of init",
                  ),
    "validate": Key(identifier("a C function"), "a C function; none",
                    "its prototype, bool NAME(void *part): is what was retained still good?"),
    "close": Key(identifier("a C function"), "a C function; none",
                 "its prototype, void NAME(void *part): gives up what was retained"),
    "release": Key(identifier("a C function"), "a C function; none",
                   "its prototype, void NAME(TYPE *object), called for what scenes_force() takes "
                   "back; pools that scenes cut only"),
    "union": Key(type_list, "2 to 8 C types; none",
                 "asserts that a slot fits each of them; calls of void"),
    "handles": Key(handle_bits, "0, 32 or 64 bits; 0",
                   "NAME_alloc_handle(), NAME_handle(), NAME_get(), NAME_free_handle(); tags at "
                   "every check level", default=0),
    "code": Key(one_of("shared", "own"), '"shared", "own"; shared',
                "code that all pools share, or the core compiled for this pool alone",
                default="shared"),
    "lock": Key(lock, '"primask", "none", "basepri:N", "exclusive"; primask',
                "a call that masks all interrupts, none, those that BASEPRI = N masks, or none by "
                'LDREX and STREX. The last two want code = "own"; an exclusive pool drops or '
                "asserts and has no handles", default="primask"),
    "generation_wrap": WRAP,
    "in": NEST_OF,
    "end": END_OF,
}
STACK_KEYS = {
    "bytes": BYTES,
    "full": REFUSES,
    "ends": Key(whole(1, 2), "1 or 2; 1", "a stack, or one that fills from both ends", default=1),
    "bank": BANK_OF,
    "in": NEST_OF,
    "end": END_OF,
}
FRAME_KEYS = {
    "bytes": BYTES,
    "full": REFUSES,
    "buffers": Key(whole(1, 255), "1 to 255; 1",
                   "as many buffers of these bytes: what is allocated lasts for as many frames",
                   default=1),
    "bank": BANK_OF,
    "in": NEST_OF,
    "end": END_OF,
}
BLOCK_KEYS = {
    "classes": Key(class_list, "[ { size = 16, count = 64 }, ... ], sizes ascending; required",
                   "a pool for each", needed="the sizes, and how many blocks there are of each"),
    "full": REFUSES,
    "bigger": Key(boolean, "true or false; false",
                  "a request to the next class where one is full", default=False),
    "bank": BANK_OF,
}
RELOCATING_KEYS = {
    "bytes": BYTES,
    "handles": Key(whole(1, COUNT_MAX), "1 to 32767; required",
                   "as many blocks at a time at most", needed="the most blocks at a time"),
    "full": REFUSES,
    "moves": Key(whole(1, 65535), "blocks; 4", "the most that NAME_step() moves", default=4),
    "move_bytes": Key(amount, 'bytes, or "1K"; 1024',
                      "the most bytes that NAME_step() moves", default=1024),
    "on_move": Key(identifier("a C function"), "a C function; none",
                   "its prototype, void NAME(tp_handle_t, void *to, const void *from), called "
                   "when a block has moved"),
    "bank": BANK_OF,
    "generation_wrap": WRAP,
}
DENSE_KEYS = {
    "type": TYPE,
    "size": Key(whole(1, STRIDE_MAX), "bytes of an object; required",
                "the stride, rounded up to align", needed="the bytes of one object"),
    "count": Key(whole(1, COUNT_MAX, "to do without it, take its row out"), "1 to 32767; required",
                 "as many objects at most", needed="the most objects at a time"),
    "full": REFUSES,
    "on_move": Key(identifier("a C function"), "a C function; none",
                   "its prototype, void NAME(TYPE *before, TYPE *now), called when an object has "
                   "moved"),
    "bank": BANK_OF,
    "align": ALIGN,
    "generation_wrap": WRAP,
}
NEST_KEYS = {
    "bytes": BYTES,
    "full": Key(REFUSES.read, '"assert", "drop"; drop', REFUSES.says, default="drop"),
    "bank": BANK_OF,
}


class Row:
    """A table of the file, with an attribute for each key it may have.

    [wrong] names the keys whose value is not to be relied on, because it is
    missing, mistaken or probably misspelled. Rules that need one stay silent.
    """

    ATTRIBUTES = {"in": "nest"}  # Where one is not called like its key.
    CALLBACKS = ()               # Keys that name a function which takes its type.
    bank = nest = type = union = spill = None

    def __init__(self, section, what, name, node):
        self.section = section
        self.what = what
        self.name = name
        self.node = node
        self.title = f"{what} {quote(name)}"
        self.forms = f"{name} = {{ ... }} or [{section}.{name}]"
        self.wrong = set()

    def place(self, key=None):
        """Of the key's value where it is written, else of the row's name."""
        written = self.node.value.get(key)
        return written.place if written else self.node.name

    def knows(self, *keys):
        return not self.wrong.intersection(keys)

    def tenants(self):
        """What of it takes memory."""
        return []

    def settle(self):
        """What follows from its keys, once they are read."""

    def error(self, key, text, *hints):
        return error(self.place(key), f"{self.title}: {text}", *hints)

    def warning(self, key, text, *hints):
        return warning(self.place(key), f"{self.title}: {text}", *hints)


class Build(Row):
    def __init__(self, node):
        super().__init__("build", "build", "", node)
        self.title = self.forms = "[build]"


class Bank(Row):
    residents = ()  # The tenants that lie in it.


class Tenant(Row):
    """What takes memory: its arena in a bank or in .bss, its books in .bss, its
    descriptor in flash. All sizes are those of a 32-bit core.

    SIZES are the keys that its size depends on. Its definition makes NAME_ARENA, what
    books() and constants() name, and nothing else; the first of the constants is its
    descriptor.
    """

    SIZES = ()
    ARENA = "storage"
    LISTED = 0  # Bytes of its entry in a table.
    align = ARENA_ALIGN

    def tenants(self):
        return [self]

    def constants(self):
        """{suffix: bytes} of what is in flash."""
        raise NotImplementedError

    def books(self, level="fast"):
        """{suffix: bytes} of what is in RAM beside the arena."""
        raise NotImplementedError

    def arena_bytes(self, level="fast"):
        raise NotImplementedError

    def books_bytes(self, level="fast"):
        return sum(self.books(level).values())

    @property
    def flash_bytes(self):
        return sum(self.constants().values()) + self.LISTED + len(self.name) + 1

    @property
    def descriptor(self):
        return f"{self.name}_{next(iter(self.constants()))}"

    @property
    def arena(self):
        return f"{self.name}_{self.ARENA}"

    @property
    def lies_in(self):
        """The name of its bank, or of that of its nest; None if it has neither."""
        return self.nest.bank if isinstance(self.nest, Nest) else self.bank

    @property
    def place_in_bank(self):
        """What follows the bank in the name of its section."""
        if isinstance(self.nest, Nest):
            part = "0low" if self.end == "low" else "2high"
            return f"{self.nest.name}.{part}.{self.name}"
        return self.name

    def pieces(self, level="fast"):
        """(section, alignment, bytes) of what it has in a bank, or would have."""
        return [(self.place_in_bank, self.align, self.arena_bytes(level))] if self.ARENA else []

    def counts(self):
        """Whether the keys that its size depends on are known."""
        return self.knows(*self.SIZES)

    def ram_bytes(self, level):
        return self.arena_bytes(level) + self.books_bytes(level)


class Handled:
    """What hands out handles: [count] things, [handles] bits."""

    handles = 32

    @property
    def slots(self):
        return self.count

    @property
    def generation_bits(self):
        return min(31, self.handles - self.slots.bit_length())

    @property
    def wrap_seconds(self):
        return (1 << self.generation_bits) // REUSES_PER_SECOND


class Pool(Handled, Tenant):
    CALLBACKS = ("evict", "score", "init", "deinit", "in_use", "release")
    OBJECT_KEYS = ("init", "deinit", "in_use", "retain")
    SIZES = ("size", "count", "align", "reserve", "in")
    LISTED = POINTER_BYTES
    borrowers = ()  # Pools that spill into it.
    cut = ()        # Slots by scene, if scenes cut it.
    retained = False

    def pieces(self, level="fast"):
        if not self.retained:
            return super().pieces(level)
        return super().pieces(level) + [(f"{self.place_in_bank}.books", 4,
                                         self.books_bytes(level))]

    @property
    def slots(self):
        """Those of its own arena, or the most that a scene gives it."""
        return max(self.cut) if self.cut else self.count - (self.reserve or 0)

    @property
    def ARENA(self):
        return None if self.cut else "storage"

    def settle(self):
        if "policy" in self.node.value and "full" not in self.node.value:
            self.full = OWN_POLICY
            self.wrong |= {"full"} if "policy" in self.wrong else set()
        if self.watched and self.refill is None:
            self.refill = self.low_water + 1

    def tenants(self):
        return [self, Reserve(self)] if self.reserve else [self]

    def zone(self, level):
        return max(RED_ZONE_BYTES, self.align) if level == "full" else 0

    def stride(self, level="fast"):
        return round_up(self.size, self.align) + self.zone(level)

    def arena_bytes(self, level="fast"):
        return 0 if self.cut else self.bytes_of(self.slots, level)

    def bytes_of(self, slots, level):
        return self.zone(level) + self.stride(level) * slots if slots else 0

    def tag_bytes(self, level="fast"):
        """The list's word, and a tag for each slot or a spare one."""
        tags = self.slots if self.tagged or level != "off" else 1
        return TAG_BYTES * (tags + 1)

    def books(self, level="fast"):
        once, ages = self.slots, AGE_BYTES * (self.slots + 1)
        parts = {"state": STATE_BYTES, "tag": self.tag_bytes(level)}
        parts.update({"pool": POOL_BYTES, "peaks": 2 * len(self.cut)} if self.cut else {})
        parts.update({"age": ages} if self.steals else {})
        parts.update({"born": ages} if self.min_age else {})
        parts.update({"seal": 4} if self.retained else {})
        parts.update({"spill_state": 16} if self.borrows else {})
        parts.update({"chunk_state": 24} if self.borrowers else {})
        parts.update({"owner": POINTER_BYTES * (once + 1)} if len(self.borrowers) > 1 else {})
        parts.update({"water_state": 4} if self.watched else {})
        parts.update({"lives": 2 * once} if self.objects else {})
        parts.update({"kept": once * self.retain[1], "kept_sum": 4 * once} if self.retain else {})
        return parts

    def constants(self):
        parts = {"counts": 2 * len(self.cut)} if self.cut else {"pool": POOL_BYTES}
        parts.update({"least": 16} if self.full == "steal-least" else {})
        parts.update({"spill": 20} if self.borrows else {})
        parts.update({"calm": 20, "urgent_pool": POOL_BYTES} if self.reserve else {})
        parts.update({"chunk": 20} if self.borrowers else {})
        parts.update({"retained": 16} if self.retained else {})
        parts.update({"water": 20} if self.watched else {})
        parts.update({"objects": 28} if self.objects else {})
        parts.update({"retain": 28} if self.retain else {})
        return parts

    @property
    def flash_bytes(self):
        """With what a descriptor in RAM is loaded from."""
        return super().flash_bytes + (POOL_BYTES if self.cut else 0)

    @property
    def descriptor(self):
        return f"{self.name}_pool"

    def resized(self, count):
        """The same pool with another count."""
        other = copy.copy(self)
        other.count = count
        return other

    @property
    def steals(self):
        return self.full in THIEVES

    @property
    def objects(self):
        """Whether something is known of what lies in its slots."""
        return any(getattr(self, key) for key in self.OBJECT_KEYS)

    @property
    def tagged(self):
        """Whether it has tags at every check level."""
        return bool(self.handles or self.objects or self.cut or self.full == "steal-least")

    @property
    def watched(self):
        return self.low_water is not None

    @property
    def borrows(self):
        return self.full == "spill" or bool(self.reserve)

    @property
    def lock_means(self):
        """What the core needs for it: "basepri", "exclusive" or nothing."""
        if isinstance(self.lock, int):
            return "basepri"
        return self.lock if self.lock == "exclusive" else None


class Stack(Tenant):
    SIZES = ("bytes",)

    def constants(self):
        return {"ends" if self.ends == 2 else "stack": 24}

    def books(self, level="fast"):
        return {"state": END_BYTES * self.ends}

    def arena_bytes(self, level="fast"):
        return self.bytes


class Frame(Tenant):
    SIZES = ("bytes", "buffers")

    def constants(self):
        return {"frame": 32}

    def books(self, level="fast"):
        return {"state": 8, "bump": BUMP_BYTES * self.buffers}

    def arena_bytes(self, level="fast"):
        return self.bytes * self.buffers


class Relocating(Handled, Tenant):
    ATTRIBUTES = {"handles": "count"}
    SIZES = ("bytes", "handles")
    ARENA = "arena"

    def constants(self):
        return {"reloc": 36}

    def books(self, level="fast"):
        return {"state": 24, "entry": 8 * (self.count + 1)}

    def arena_bytes(self, level="fast"):
        return self.bytes + 8  # And what guards the end.


class Dense(Handled, Tenant):
    CALLBACKS = ("on_move",)
    SIZES = ("size", "count", "align")

    def constants(self):
        return {"dense": 40}

    def books(self, level="fast"):
        return {"state": 16, "place": 4 * (self.count + 1), "entry": 2 * self.count}

    def stride(self, level="fast"):
        return round_up(self.size, self.align)

    def arena_bytes(self, level="fast"):
        return self.stride() * self.count


class Part(Pool):
    """A pool that a row makes beside its own, or instead: the table of pools does
    not name it. Its keys are those of a plain pool."""

    LISTED = 0

    def __init__(self, row, what, name, node):
        super().__init__(row.section, what, name, node)
        for key, meaning in POOL_KEYS.items():
            setattr(self, self.ATTRIBUTES.get(key, key), meaning.default)
        self.full, self.bank = row.full, row.bank


class Reserve(Part):
    """The slots that only urgent requests may take."""

    def __init__(self, pool):
        super().__init__(pool, "reserve", f"{pool.name}_reserve", pool.node)
        self.size, self.count, self.align = pool.size, pool.reserve, pool.align
        self.borrowers = [pool]

    @property
    def place_in_bank(self):
        return self.name[: -len("_reserve")]


class BlockClass(Part):
    """One of the sizes of blocks."""

    LISTED = 12
    align = ARENA_ALIGN

    def __init__(self, blocks, node):
        fields = {name: child.value for name, child in node.value.items()}
        super().__init__(blocks, "class", f"{blocks.name}_{fields['size']}", node)
        self.size, self.count, self.align = fields["size"], fields["count"], ARENA_ALIGN

    def books(self, level="fast"):
        asked = 2 * (self.count + 1 if level != "off" else 2)
        return dict(super().books(level), asked=asked, waste=8)


class Blocks(Tenant):
    """The table of its classes, which are what takes memory."""

    ARENA = None

    def classes_made(self):
        return [BlockClass(self, node) for node in self.classes or []]

    def tenants(self):
        return self.classes_made() + [self]

    def constants(self):
        return {"blocks": 16}

    def books(self, level="fast"):
        return {"waste": 8}

    def arena_bytes(self, level="fast"):
        return 0


class Nest(Tenant):
    """A double-ended stack that rows lie in; the rest of it is for children opened
    at run time. Its own arena is that rest."""

    SIZES = ("bytes",)
    rows = ()

    def constants(self):
        return {"nest": 112, "rows": 16 * len(self.rows)} if self.rows else {"nest": 112}

    def books(self, level="fast"):
        return {"ends_state": 2 * END_BYTES, "nest_state": 8}

    def taken(self, level="fast"):
        return sum(round_up(row.arena_bytes(level), ARENA_ALIGN) for row in self.rows)

    def arena_bytes(self, level="fast"):
        return self.bytes - self.taken(level)

    def counts(self):
        return super().counts() and all(row.counts() for row in self.rows)

    @property
    def place_in_bank(self):
        return f"{self.name}.1free.{self.name}" if self.rows else self.name


class Scene(Row):
    """A row of counts, by the name of the pool."""

    counts = {}

    def read_counts(self, config):
        read, self.counts = whole(0, COUNT_MAX), {}
        if not isinstance(self.node.value, dict):
            config.refuse_kind(self.node, self.title, self.forms)
            self.node = self.node.emptied()
            config.lost = True
        for name, node in self.node.value.items():
            try:
                self.counts[name] = 0 if node.value is BROKEN else read(node)
            except Wrong as wrong:
                config.complain(node.place, f"{self.title}: {name} {wrong}", *wrong.hints)
                self.wrong.add(name)


class Scenes(Tenant):
    """All of [scenes]: an arena as large as the greediest of them."""

    ARENA = "arena"

    def __init__(self, node, scenes, pools):
        super().__init__("scenes", "table", "scenes", node)
        self.title, self.full = "[scenes]", ""
        self.scenes, self.pools = scenes, pools
        self.bank = pools[0].bank

    @property
    def align(self):
        return max(pool.align for pool in self.pools)

    def scene_bytes(self, scene, level="fast"):
        number = self.scenes.index(scene)
        return sum(round_up(pool.bytes_of(pool.cut[number], level), self.align)
                   for pool in self.pools)

    def arena_bytes(self, level="fast"):
        return max(self.scene_bytes(scene, level) for scene in self.scenes)

    def counts(self):
        return all(pool.counts() for pool in self.pools)

    def books(self, level="fast"):
        return {"scene_state": 16}

    def constants(self):
        return {"scenes": 28, "scene_pools": 16 * len(self.pools)}


def has_arena(tenant):
    return tenant.ARENA is not None


def round_up(number, step):
    return -(-number // step) * step


def arena_bytes(tenants, level="fast"):
    """What the linker makes of them: by section, each at its alignment."""
    end = 0
    for _, align, size in sorted(piece for tenant in tenants for piece in tenant.pieces(level)):
        end = round_up(end, align) + size
    return end


# A table of rows: the class of a row, what one is called, its keys, what explain says.
Section = collections.namedtuple("Section", "kind what keys says")

SECTIONS = {
    "build": Section(Build, "build", BUILD_KEYS, "What holds for the whole file."),
    "banks": Section(Bank, "bank", BANK_KEYS, "RAM that the rest may use, one row a bank."),
    "pools": Section(Pool, "pool", POOL_KEYS, "Equal slots, issued and taken back one by one."),
    "stacks": Section(Stack, "stack", STACK_KEYS,
                      "Memory given back in reverse order, to a mark."),
    "frames": Section(Frame, "frame", FRAME_KEYS, "Memory given back all at once, every frame."),
    "blocks": Section(Blocks, "blocks", BLOCK_KEYS,
                      "Requests of any size, served by pools of a few."),
    "relocating": Section(Relocating, "relocating pool", RELOCATING_KEYS,
                          "Blocks of any size that may be moved, held by handle."),
    "dense": Section(Dense, "dense pool", DENSE_KEYS,
                     "Objects side by side, for walking over them."),
    "scenes": Section(Scene, "scene", {},
                      "Slots of some pools, by name: one row a scene, all in the same memory."),
    "nests": Section(Nest, "nest", NEST_KEYS, "Memory that other rows lie in, from both ends."),
}


class Config:
    """What pools.toml says, as far as it could be read; the rest is [problems].

    [lost] tells that a whole table may be missing, so that nothing can be said
    about names that are not there.
    """

    def __init__(self, parser):
        self.tree = parser.parse()
        self.lost = parser.lost
        self.problems = parser.problems
        self.build = None
        self.tables = {name: [] for name in SECTIONS}
        self.read_tables()
        self.banks = {row.name: row for row in self.tables["banks"]}
        self.nests = {row.name: row for row in self.tables["nests"]}
        self.pools = self.tables["pools"]
        self.scenes = None
        self.connect()

    def complain(self, place, text, *hints):
        self.problems.append(error(place, text, *hints))

    def read_tables(self):
        guessed = self.report_unknown(self.tree, ["tidepool"] + list(SECTIONS))
        self.lost = self.lost or bool(guessed)
        self.read_version(self.tree.value.get("tidepool"))
        for name, section in SECTIONS.items():
            node = self.tree.value.get(name)
            if name == "build":
                self.read_build(node or Node({}, self.tree.place), section)
            elif node:
                self.tables[name] = self.read_rows(name, section, node)
        if not any(self.tables[name] for name in SECTIONS if name not in ("build", "banks")):
            self.require_pools(self.tree.value.get("pools"))

    def require_pools(self, node):
        hint = "one row below [pools] is one pool"
        if node and node.value == {}:
            self.complain(node.name, "there is no pool", hint)
        elif not node and not self.lost:
            self.complain(self.tree.place, '"pools" is missing', hint)

    def read_version(self, node):
        if not node and not self.lost:
            self.complain(self.tree.place, '"tidepool" is missing',
                          f"write tidepool = {VERSION} above the first table")
        known = not node or type(node.value) is int and node.value == VERSION
        if not known and node.value is not BROKEN:
            self.complain(node.place, f"the format of this file must be tidepool = {VERSION}")

    def read_build(self, node, section):
        self.build = section.kind(node)
        self.read_row(self.build, section.keys)

    def read_rows(self, name, section, node):
        if not isinstance(node.value, dict):
            self.refuse_kind(node, f"[{name}]", f"[{name}] above rows of NAME = {{ ... }}")
            self.lost = True
            return []
        rows = [section.kind(name, section.what, *item) for item in node.value.items()]
        for row in rows:
            if section.kind is Scene:
                row.read_counts(self)
            else:
                self.read_row(row, section.keys)
        return rows

    def read_row(self, row, keys):
        """Gives [row] an attribute for each of [keys]."""
        if not isinstance(row.node.value, dict):
            self.refuse_kind(row.node, row.title, row.forms)
            row.node = row.node.emptied()
            row.wrong = set(keys)
        row.wrong |= self.report_unknown(row.node, keys, f" in {row.title}")
        for name, key in keys.items():
            setattr(row, row.ATTRIBUTES.get(name, name), self.read_key(row, name, key))
        row.settle()

    def refuse_kind(self, node, title, form):
        if node.value is not BROKEN:
            kind = KINDS[type(node.value)]
            self.complain(node.name, f"{title} must be a table, not {kind}", f"write {form}")

    def report_unknown(self, node, known, where=""):
        """Returns the missing names that the unknown ones were probably meant to be."""
        unknown = {name: child for name, child in node.value.items() if name not in known}
        for name, child in unknown.items():
            what = "key" if where or not isinstance(child.value, (dict, list)) else "table"
            self.complain(child.name, f"unknown {what} {quote(name)}{where}",
                          did_you_mean(name, known))
        return {closest(name, known) for name in unknown} - set(node.value) - {None}

    def read_key(self, row, name, key):
        node = row.node.value.get(name)
        if node is None and (name in row.wrong or not key.needed or key.unless in row.node.value):
            return key.default
        if node and node.value is not BROKEN:
            try:
                return key.read(node)
            except Wrong as wrong:
                place = wrong.place or node.place
                self.complain(place, f"{row.title}: {name} {wrong}", *wrong.hints)
        elif not node:
            self.complain(row.place(), f"{row.title}: {name} is missing", key.needed)
        row.wrong.add(name)
        return key.default

    def connect(self):
        """Gives rows the default alignment, nests their rows, and banks their tenants."""
        for row in self.tables["pools"] + self.tables["dense"]:
            if row.align is None:
                row.align = self.build.align
                row.wrong |= self.build.wrong & {"align"}
        for row in self.rows():
            row.nest = self.nests.get(row.nest, row.nest)
        for nest in self.nests.values():
            nest.rows = [row for row in self.rows() if row.nest is nest]
        self.connect_scenes(self.tables["scenes"])
        for pool in self.pools:
            pool.borrowers = [other for other in self.pools if other.spill == pool.name]
        for bank in self.banks.values():
            for pool in self.pools:
                pool.retained = pool.retained or bank.retained and pool.lies_in == bank.name
            bank.residents = [tenant for tenant in self.tenants() if tenant.lies_in == bank.name]

    def connect_scenes(self, scenes):
        for pool in self.pools:
            if any(scene.counts.get(pool.name) for scene in scenes):
                pool.cut = [scene.counts.get(pool.name, pool.count or 0) for scene in scenes]
        cut = [pool for pool in self.pools if pool.cut]
        if cut:
            self.scenes = Scenes(self.tree.value["scenes"], scenes, cut)

    @property
    def level(self):
        """Of the checks that sizes are counted at."""
        return self.build.checks or "fast"

    def rows(self):
        """Of all tables but [build] and [banks], in the order that they are printed in."""
        rows = [row for name in SECTIONS if name not in ("banks", "scenes")
                for row in self.tables[name]]
        return rows + ([self.scenes] if self.scenes else [])

    def tenants(self):
        return [tenant for row in self.rows() for tenant in row.tenants()]


# Check: the rules that what was read must obey --------------------------------

ROW_RULES = []
CONFIG_RULES = []


def row_rule(kinds, *needed):
    """Registers a rule for rows of [kinds]. It is asked only if the keys it reads are known."""
    def register(rule):
        ROW_RULES.append((kinds, needed, rule))
        return rule
    return register


def pool_rule(*needed):
    return row_rule(Pool, *needed)


def config_rule(rule):
    CONFIG_RULES.append(rule)
    return rule


def check(config):
    """Every problem of [config], in the order of lines."""
    problems = list(config.problems)
    for row in config.rows():
        for kinds, needed, rule in ROW_RULES:
            if isinstance(row, kinds) and row.knows(*needed):
                problems += rule(row, config)
    for rule in CONFIG_RULES:
        problems += rule(config)
    return sorted(problems, key=lambda problem: problem.place[:2])


@config_rule
def names_fit_into_c(config):
    for row in config.tables["banks"] + config.tables["scenes"] + config.rows():
        folded = row.name.lower()
        if not IDENTIFIER.fullmatch(row.name):
            better = re.sub(r"[^A-Za-z0-9_]", "_", row.name)
            hints = [f"write {better}"] if IDENTIFIER.fullmatch(better) else []
            yield row.error(None, "the name is not a C identifier", *hints)
        elif row.name in KEYWORDS:
            yield row.error(None, "the name is a keyword of C or C++")
        elif folded in ("n", "all", "tp") or folded.startswith("tp_"):
            yield row.error(None, "the name is reserved",
                            "n, all, tp and what begins with tp_ belong to the library")


@config_rule
def names_differ(config):
    """Rows that make calls share their names, whatever their table; banks do not."""
    for rows in (config.tables["banks"], config.tables["scenes"], config.rows()):
        first = {}
        for row, name in names_made(rows):
            other = first.setdefault(name.upper(), row)
            if other is not row:
                yield same_name(row, name, other)


def names_made(rows):
    for row in rows:
        yield row, row.name
        yield from ((row, tenant.name) for tenant in row.tenants() if tenant is not row)


def same_name(row, name, other):
    hint = f"the first is on line {other.place().line}"
    if name == other.name:
        return row.error(None, f"the name {quote(name)} is that of a {other.what}", hint)
    return row.error(None, f"the name differs from {quote(other.name)} in case only",
                     f"both would be {name.upper()} in an enum; {hint}")


@row_rule(Row, "bank")
def the_bank_exists(row, config):
    if row.bank and row.bank not in config.banks and not config.lost:
        hint = f'declare it: [banks] {row.bank} = {{ region = "..." }}'
        if config.banks:
            hint = did_you_mean(row.bank, config.banks)
        yield row.error("bank", f"unknown bank {quote(row.bank)}", hint)


@row_rule(Row, "in")
def the_nest_exists(row, config):
    if isinstance(row.nest, str) and not config.lost:
        hint = f'declare it: [nests] {row.nest} = {{ bytes = "..." }}'
        if config.nests:
            hint = did_you_mean(row.nest, config.nests)
        yield row.error("in", f"unknown nest {quote(row.nest)}", hint)


@row_rule(Row, "in", "bank")
def what_is_nested_lies_where_its_nest_does(row, _):
    if row.nest and row.bank:
        yield row.error("bank", f"it lies in a nest, and so where that lies", "take bank out")


@row_rule((Pool, Stack, Frame), "in", "end")
def only_what_is_nested_has_an_end(row, _):
    if not row.nest and "end" in row.node.value:
        yield row.error("end", "it lies in no nest", 'add in = "NEST"')


@pool_rule("in", "align")
def nests_align_to_8(pool, _):
    if pool.nest and pool.align > ARENA_ALIGN:
        yield pool.error("align", f"what lies in a nest is aligned to {ARENA_ALIGN} at most",
                         "take in out and give it a bank")


@row_rule(Nest, "bytes")
def nests_hold_their_rows(nest, config):
    if nest.counts() and nest.arena_bytes(config.level) < ARENA_ALIGN:
        wanted = nest.taken(config.level) + ARENA_ALIGN
        yield nest.error("bytes", f"{wanted} bytes wanted, {nest.bytes} there: "
                         f"{wanted - nest.bytes} too many",
                         f"{ARENA_ALIGN} must be left; largest: "
                         + largest(nest.rows, config.level))


@row_rule((Stack, Frame, Relocating, Nest), "bytes")
def bytes_are_whole_units(row, _):
    if row.bytes % ARENA_ALIGN:
        yield row.error("bytes", f"bytes must be a multiple of {ARENA_ALIGN}, not {row.bytes}",
                        f"bytes = {round_up(row.bytes, ARENA_ALIGN)}")


@row_rule((Stack, Frame, Nest), "bytes")
def regions_are_no_larger_than_they_can_be(row, _):
    if row.bytes > REGION_MAX:
        yield row.error("bytes", f"bytes must be {REGION_MAX} at most, not {row.bytes}")


@row_rule(Relocating, "bytes")
def relocating_pools_count_in_16_bits(row, _):
    if not 2 * ARENA_ALIGN <= row.bytes <= RELOCATING_MAX:
        yield row.error("bytes", f"bytes must be 16 to {RELOCATING_MAX}, not {row.bytes}",
                        "for small objects; a step copies a block whole")


@row_rule(Blocks, "classes")
def classes_ascend_in_steps_of_8(blocks, _):
    sizes = [node.value["size"] for node in blocks.classes]
    for size, before in zip(sizes, [None] + sizes):
        if size.value % ARENA_ALIGN:
            yield error(size.place, f"{blocks.title}: a class must be a multiple of "
                        f"{ARENA_ALIGN}, not {size.value}",
                        f"size = {round_up(size.value, ARENA_ALIGN)}")
        if before and size.value <= before.value:
            yield error(size.place, f"{blocks.title}: classes must ascend, but {size.value} "
                        f"follows {before.value}")


def bank_of(pool, config, *needed):
    """The bank that it lies in, if that is known so far."""
    bank = config.banks.get(pool.lies_in)
    return bank if bank and bank.knows(*needed) else None


@pool_rule("bank", "in", "dma")
def dma_reaches_the_bank(pool, config):
    bank = bank_of(pool, config, "dma")
    if pool.dma and bank and not bank.dma:
        yield pool.error("bank" if pool.bank else "in",
                         f"DMA does not reach bank {quote(bank.name)}",
                         f"it says dma = false on line {bank.place('dma').line}")


@pool_rule("bank", "in", "dma", "align")
def slots_for_dma_have_cache_lines_of_their_own(pool, config):
    bank = bank_of(pool, config, "cache_line")
    if pool.dma and bank and bank.cache_line and pool.align % bank.cache_line:
        yield pool.error("align", f"slots aligned to {pool.align} share cache lines of "
                         f"{bank.cache_line} bytes, and DMA writes behind the cache",
                         f"align = {bank.cache_line}")


@row_rule((Pool, Dense), "size", "align")
def the_stride_fits(pool, config):
    if pool.stride() > STRIDE_MAX:
        yield pool.error("size", f"size = {pool.size} at align = {pool.align} makes slots of "
                         f"{pool.stride()} bytes; {STRIDE_MAX} is the most")


@row_rule((Pool, Dense), "size", "count", "align")
def alignment_wastes_nothing(pool, config):
    waste = pool.stride() - pool.size
    if waste and pool.stride() <= STRIDE_MAX:
        power = pool.size & -pool.size
        smaller = [f"align = {power} loses none"] if power >= 4 else []
        yield pool.warning("size", f"size = {pool.size} is not a multiple of "
                           f"align = {pool.align}: {waste} bytes lost per slot, "
                           f"{waste * pool.count} in all",
                           f"size = {pool.stride()} costs the same", *smaller)


@pool_rule("full", "evict", "deinit", "handles", "isr")
def owners_learn_of_theft(pool, config):
    if pool.steals and not (pool.isr or pool.evict or pool.deinit or pool.handles):
        yield pool.error("full", "raw pointers and theft do not mix",
                         'evict = "FUNCTION" lets the owner forget the victim',
                         "handles = 32 lets the owner notice")


@pool_rule("full", "handles", "isr")
def theft_in_interrupts_needs_handles(pool, config):
    if pool.steals and pool.isr and not pool.handles:
        yield pool.error("full", "a pool that steals in interrupts needs handles",
                         "an interrupt may steal what is just being freed; add handles = 32")


@pool_rule("full", "evict")
def only_thieves_evict(pool, config):
    if pool.evict and not pool.steals:
        yield pool.error("evict", f"full = {quote(pool.full)} never evicts",
                         "evict belongs to " + ", ".join(THIEVES))


# What else belongs to some pools only: key, whose it is in words, whose it is.
KEYS_OF_SOME = [
    ("score", 'full = "steal-least"', lambda pool: pool.full == "steal-least"),
    ("refuse_below", 'full = "steal-least"', lambda pool: pool.full == "steal-least"),
    ("min_age", "pools that steal", lambda pool: pool.steals),
    ("pin", "pools that steal", lambda pool: pool.steals),
    ("spill", 'full = "spill"', lambda pool: pool.full == "spill"),
    ("then", 'full = "spill"', lambda pool: pool.full == "spill"),
    ("untyped", 'full = "spill"', lambda pool: pool.full == "spill"),
    ("patience", "pools that others spill into", lambda pool: pool.borrowers),
    ("on_low", "pools with low_water", lambda pool: pool.watched),
    ("refill", "pools with low_water", lambda pool: pool.watched),
    ("on_refill", "pools with low_water", lambda pool: pool.watched),
    ("release", "pools that scenes cut", lambda pool: pool.cut),
    ("validate", "pools with retain", lambda pool: pool.retain),
    ("close", "pools with retain", lambda pool: pool.retain),
]


@pool_rule("full", "low_water", "retain")
def keys_have_a_meaning(pool, config):
    spills_known = not config.lost and all(other.knows("spill") for other in config.pools)
    for key, whose, belongs in KEYS_OF_SOME:
        if key in pool.node.value and not belongs(pool) and (key != "patience" or spills_known):
            yield pool.error(key, f"{key} has no meaning here", f"it belongs to {whose}")


@pool_rule("full", "policy")
def one_answer_is_enough(pool, _):
    if pool.policy and "full" in pool.node.value:
        yield pool.error("policy", "full and policy are two answers", "take one of them out")


@pool_rule("full", "score")
def the_least_needs_a_score(pool, _):
    if pool.full == "steal-least" and not pool.score:
        yield pool.error("full", "score is missing",
                         'score = "FUNCTION" tells how much an object would be missed')


@pool_rule("full", "isr", "count")
def scans_in_interrupts_take_long(pool, _):
    if pool.full == "steal-least" and pool.isr:
        yield pool.warning("full",
                           f"when it is full, an interrupt looks at up to {pool.count} objects",
                           'full = "steal-oldest" looks at one')


@pool_rule("full", "spill", "then")
def spilling_says_where_to_and_what_then(pool, _):
    if pool.full == "spill":
        for key, hint in [("spill", "the pool that lends its slots"),
                          ("then", "the answer when that one is full too: assert or drop")]:
            if not getattr(pool, key):
                yield pool.error("full", f"{key} is missing", hint)


@pool_rule("full", "spill")
def what_is_spilled_into_exists(pool, config):
    names = [other.name for other in config.pools if other is not pool]
    if pool.spill == pool.name:
        yield pool.error("spill", "it cannot spill into itself")
    elif pool.full == "spill" and pool.spill and pool.spill not in names and not config.lost:
        yield pool.error("spill", f"unknown pool {quote(pool.spill)}",
                         *[did_you_mean(pool.spill, names)] if names else [])


def lender(pool, config, *needed):
    """The pool that it spills into, if both are known so far."""
    found = next((other for other in config.pools if other.name == pool.spill
                  and other is not pool), None)
    return found if pool.full == "spill" and found and found.knows(*needed) else None


@pool_rule("full", "spill", "size", "align")
def what_is_spilled_fits(pool, config):
    other = lender(pool, config, "size", "align")
    if other and other.size < pool.size:
        yield pool.error("spill", f"slots of {pool.size} bytes do not fit into those of "
                         f"{other.name}, {other.size}",
                         f"its size is on line {other.place('size').line}")
    elif other and other.align < pool.align:
        yield pool.error("spill", f"slots aligned to {pool.align} do not fit into those of "
                         f"{other.name}, aligned to {other.align}")


@pool_rule("full", "spill", "type", "union", "untyped")
def what_is_spilled_has_the_type(pool, config):
    other = lender(pool, config, "type", "union")
    if other and c_name(other) != c_name(pool) and not pool.untyped:
        yield pool.error("spill", f"a slot of {other.name} is for a {c_name(other)}, not for a "
                         f"{c_name(pool)}",
                         "untyped = true accepts it")


@pool_rule("full", "spill", "isr")
def lenders_are_as_safe(pool, config):
    other = lender(pool, config, "isr")
    if other and pool.isr and not other.isr:
        yield pool.error("spill", f"interrupts would use {other.name}, which is not for them",
                         f"add isr = true to it on line {other.place().line}")


@pool_rule("full", "spill")
def lenders_keep_their_slots(pool, config):
    other = lender(pool, config, "full")
    if other and other.full not in ("drop", "spill"):
        yield pool.error("spill", f"{other.name} on line {other.place().line} would answer with "
                         f"full = {quote(other.full)}",
                         'what is spilled into must say "drop" or "spill"')


@config_rule
def spills_end(config):
    """The first pool of each ring, in the order of the file, is told of it."""
    told = set()
    for pool in config.pools:
        ring = ring_of(pool, {other.name: other for other in config.pools})
        if ring and not told.intersection(ring):
            told.update(ring)
            yield pool.error("spill", "spills in a ring: " + " to ".join(ring + [pool.name]))


def ring_of(pool, pools):
    """The names on the way from [pool] back to itself, or nothing."""
    names, other = [], pool
    while other and other.full == "spill" and other.name not in names:
        names.append(other.name)
        other = pools.get(other.spill)
    return names if other is pool and len(names) > 1 else []


@pool_rule("full", "handles")
def handles_are_never_spilled(pool, _):
    if pool.handles and pool.borrows:
        yield pool.warning("handles", "a request for a handle is never served by another pool",
                           "a handle numbers the slots of its own pool")


@pool_rule("reserve", "count")
def a_reserve_is_a_part(pool, _):
    if pool.reserve and pool.reserve >= pool.count:
        yield pool.error("reserve", f"must be less than count = {pool.count}, not {pool.reserve}")


@pool_rule("reserve", "full", "in")
def reserves_drop_or_assert(pool, _):
    if pool.reserve and pool.full not in ("assert", "drop"):
        yield pool.error("reserve", f"full = {quote(pool.full)} has no reserve",
                         "pools that assert or drop may have one")
    elif pool.reserve and pool.nest:
        yield pool.error("reserve", "what lies in a nest has no reserve")


@pool_rule("low_water", "refill", "count")
def water_rises_above_its_mark(pool, _):
    if pool.watched and not pool.low_water < pool.refill <= pool.count:
        yield pool.error("refill" if "refill" in pool.node.value else "low_water",
                         f"low_water = {pool.low_water} must be below refill = {pool.refill}, and "
                         f"that at most count = {pool.count}")


def other_than_plain(pool):
    """What of a pool goes past the calls that watch it."""
    answers = ("assert", "drop", OWN_POLICY)
    found = [f"full = {quote(pool.full)}"] if pool.full not in answers else []
    found += [key for key in ("handles", "reserve") if getattr(pool, key)]
    found += [key for key in pool.OBJECT_KEYS if getattr(pool, key)]
    found += ['code = "own"'] * (pool.code == "own")
    return found + ["what others spill into it"] * bool(pool.borrowers)


@pool_rule("low_water", "full", "handles", "reserve", "code", *Pool.OBJECT_KEYS)
def watched_pools_are_plain(pool, _):
    if pool.watched and other_than_plain(pool):
        yield pool.error("low_water",
                         f"{other_than_plain(pool)[0]} goes past the calls that watch",
                         "a watched pool drops or asserts, and has no handles, hooks, or code of "
                         "its own")


@pool_rule("full", "reserve", *Pool.OBJECT_KEYS)
def objects_stay_at_home(pool, _):
    hooks = [key for key in pool.OBJECT_KEYS if getattr(pool, key)]
    if hooks and pool.borrows:
        kind = "a reserve" if pool.reserve else 'full = "spill"'
        yield pool.error(hooks[0], f"a pool with {kind} has no hooks",
                         "objects in other pools would miss them")


@pool_rule("full", "evict", *Pool.OBJECT_KEYS)
def theft_is_told_once(pool, _):
    if pool.evict and pool.steals and pool.objects:
        yield pool.error("evict", "deinit is told of theft as well",
                         'write deinit in place of evict')


@pool_rule("retain", "size")
def what_is_retained_lies_in_the_object(pool, _):
    if pool.retain and sum(pool.retain) > pool.size:
        offset, size = pool.retain
        yield pool.error("retain", f"{size} bytes at {offset} end behind size = {pool.size}")


@config_rule
def scenes_name_pools(config):
    names = [pool.name for pool in config.pools]
    for scene in config.tables["scenes"]:
        for name, node in scene.node.value.items():
            if name not in names and not config.lost:
                yield error(node.name, f"{scene.title}: unknown pool {quote(name)}",
                            did_you_mean(name, names))


@config_rule
def scenes_name_all_that_they_cut(config):
    for pool in config.scenes.pools if config.scenes else []:
        for scene in config.tables["scenes"]:
            if pool.name not in scene.node.value and pool.knows("count"):
                yield scene.warning(None, f"pool {quote(pool.name)} is missing",
                                    f"its count = {pool.count} on line "
                                    f"{pool.place('count').line} holds there")


@config_rule
def scenes_cut_something(config):
    for pool in config.pools:
        mentions = [scene for scene in config.tables["scenes"] if pool.name in scene.node.value]
        if mentions and not pool.cut and all(pool.name not in scene.wrong for scene in mentions):
            node = mentions[0].node.value[pool.name]
            yield error(node.place, f"{mentions[0].title}: {pool.name} has no slots in any scene",
                        "give it some in one, or take it out of all")


def more_than_cut(pool):
    """What a pool has that scenes cannot cut."""
    found = [key for key in ("isr", "reserve", "patience", "nest") if getattr(pool, key)]
    found += ["low_water"] * pool.watched + ['full = "spill"'] * (pool.full == "spill")
    found += ['code = "own"'] * (pool.code == "own")
    return found + ["what others spill into it"] * bool(pool.borrowers)


@pool_rule("isr", "reserve", "in", "low_water", "full", "code")
def scenes_cut_plain_pools(pool, _):
    if pool.cut and more_than_cut(pool):
        what = more_than_cut(pool)[0]
        key = "in" if what == "nest" else what.split()[0]
        yield pool.error(key, f"scenes cut it, which {what} does not allow",
                         "a pool that scenes cut is used by one context, and all its slots lie "
                         "side by side")


@config_rule
def scenes_lie_in_one_bank(config):
    for pool in config.scenes.pools if config.scenes else []:
        if pool.bank != config.scenes.bank and pool.knows("bank"):
            first = config.scenes.pools[0]
            yield pool.error("bank", f"scenes cut it, and {first.name} on line "
                             f"{first.place().line} out of one "
                             "memory, but their banks differ")


def more_than_kept(row):
    """What of a row is not kept where its slots are."""
    if not isinstance(row, Pool):
        return [f"a {row.what}"]
    found = [f'full = "{row.full}"'] if row.full == "spill" else []
    found += [key for key in ("reserve",) + row.OBJECT_KEYS if getattr(row, key)]
    found += ["low_water"] * row.watched + ["in"] * (row.nest is not None)
    found += ["what scenes cut"] * bool(row.cut)
    return found + ["what others spill into"] * bool(row.borrowers)


@config_rule
def retained_banks_keep_plain_pools(config):
    for bank in config.banks.values():
        for row in config.rows() if bank.retained else []:
            if row.lies_in == bank.name and row is not config.scenes and more_than_kept(row):
                yield row.error("bank", f"bank {quote(bank.name)} is retained, which "
                                f"{more_than_kept(row)[0]} is not",
                                "the books that lie elsewhere are cleared by a reset")


@pool_rule("type", "union")
def a_slot_is_for_one_type_or_several(pool, _):
    if pool.type and pool.union:
        yield pool.error("union", "type and union are two answers", "take one of them out")


@pool_rule("full", "isr")
def interrupts_do_not_assert(pool, config):
    if pool.isr and pool.full == "assert":
        yield pool.warning("full", "when it is full, an interrupt stops the firmware",
                           'full = "drop" leaves the answer to the interrupt')


@pool_rule("lock", "isr")
def interrupts_need_a_lock(pool, config):
    if pool.isr and pool.lock == "none":
        yield pool.error("lock", "a pool used from interrupts needs a lock",
                         'write lock = "primask"')


LACKS = {"basepri": "has no BASEPRI", "exclusive": "has no LDREX and STREX"}


@pool_rule("lock")
def the_core_has_such_a_lock(pool, config):
    cpu = config.build.cpu
    if cpu and pool.lock_means and pool.lock_means not in CPUS[cpu]:
        yield pool.error("lock", f"{cpu} {LACKS[pool.lock_means]}", 'write lock = "primask"')


@pool_rule("lock", "code")
def special_locks_are_compiled_in(pool, config):
    if pool.lock_means and pool.code == "shared":
        yield pool.error("lock", "the code that all pools share masks by PRIMASK",
                         'add code = "own"')


@pool_rule("lock", "full", "handles", "reserve", *Pool.OBJECT_KEYS)
def exclusive_pools_keep_a_list_only(pool, config):
    if pool.lock == "exclusive" and (pool.steals or pool.tagged or pool.borrows
                                     or pool.borrowers):
        kept = "ages" if pool.steals else "handles" if pool.handles else "hooks or spills"
        yield pool.error("lock", f"LDREX and STREX change one word at a time; a pool with {kept} "
                         "changes more", 'write lock = "primask"')


@row_rule(Handled, "handles", "count", "generation_wrap")
def generations_outlast_a_day(row, _):
    too_soon = row.handles and row.wrap_seconds < DAY_SECONDS
    longer = ["handles = 64 lasts 414 days"] if isinstance(row, Pool) else []
    if too_soon and not row.generation_wrap:
        yield row.error("handles" if "handles" in row.node.value else "count",
                        f"a generation of {row.generation_bits} bits wraps after "
                        f"{duration(row.wrap_seconds)} of {REUSES_PER_SECOND} reuses a second "
                        "of one slot", *longer, "generation_wrap = true accepts it")
    if row.generation_wrap and not too_soon:
        yield row.warning("generation_wrap", "no generation wraps in under 24 hours here",
                          "generation_wrap is not needed")


@config_rule
def one_function_takes_one_type(config):
    first = {}
    for row in config.rows():
        for key in row.CALLBACKS:
            function = getattr(row, key)
            if function and row.knows("type", key):
                other, theirs = first.setdefault(function, (row, key))
                if c_name(other) != c_name(row):
                    yield row.error(key, f"{function} would take a {c_name(row)} here, "
                                    f"a {c_name(other)} on line {other.place(theirs).line}",
                                    "one function for each type")


@config_rule
def banks_have_regions_of_their_own(config):
    first = {}
    for bank in config.banks.values():
        other = first.setdefault(bank.region, bank)
        if other is not bank and bank.knows("region"):
            yield bank.warning("region", f"bank {quote(other.name)} on line "
                               f"{other.place('region').line} has the same region {bank.region}",
                               "each budget is checked, their sum is not")


@config_rule
def banks_are_used(config):
    if not config.lost and all(row.knows("bank", "in") for row in config.rows()):
        for bank in config.banks.values():
            if not bank.residents:
                yield bank.warning(None, "nothing lies in it")


@config_rule
def banks_keep_their_budgets(config):
    for bank in config.banks.values():
        tenants = [tenant for tenant in bank.residents if tenant.counts()]
        wanted = arena_bytes(tenants, config.level)
        if bank.budget and wanted > bank.budget:
            yield bank.error("budget", f"{wanted} bytes wanted, {bank.budget} allowed: "
                             f"{wanted - bank.budget} too many",
                             "largest: " + largest(tenants, config.level))


def largest(tenants, level):
    by_size = sorted(tenants, key=lambda tenant: -tenant.arena_bytes(level))[:3]
    return ", ".join(f"{tenant.name} {tenant.arena_bytes(level)} (line {tenant.place().line})"
                     for tenant in by_size)


def duration(seconds):
    if seconds < 2 * DAY_SECONDS:
        return f"{seconds / 3600:.1f} hours"
    return f"{seconds / DAY_SECONDS:.1f} days"


# Print: C and linker script ---------------------------------------------------

POLICY_OBJECTS = {"assert": "tp_assert", "drop": "tp_drop", "steal-oldest": "tp_steal_oldest"}
SENTINEL = "tidepool_ERROR_linker_script_lacks_INCLUDE_tp_pools_ld"

# Functions of the application that take objects: what they return, their parameters
# as it writes them and as the library calls them, and how the former are made of those.
Hook = collections.namedtuple("Hook", "returns typed plain cast")
HOOKS = {
    "evict": Hook("void", "{to}victim", "void *victim", "({to})victim"),
    "score": Hook("uint32_t", "{of}object", "const void *object", "({of})object"),
    "init": Hook("bool", "{to}object, void *context", "void *object, void *context",
                 "({to})object, context"),
    "deinit": Hook("void", "{to}object", "void *object", "({to})object"),
    "in_use": Hook("bool", "{of}object", "const void *object", "({of})object"),
    "release": Hook("void", "{to}object", "void *object", "({to})object"),
    "on_move": Hook("void", "{to}before, {to}now", "void *before, void *now",
                    "({to})before, ({to})now"),
}
NEST_ROWS = {"pool": "POOL", "stack": "STACK", "ends": "ENDS", "frame": "FRAME"}


class Printer:
    """Prints [config], which was read from [lines] of the file at [path], as C."""

    def __init__(self, config, path, lines):
        self.config = config
        self.lines = lines
        self.base = re.sub(r"[^A-Za-z0-9 ._+-]", "_", os.path.basename(path))
        self.banner = (f"Generated from {self.base} by tidepool.py. "
                       f"Edit {self.base}, not this file.")
        self.declared = set()

    def files(self):
        return {"tp_pools.h": self.header(),
                "tp_pools.c": self.source(),
                "tp_pools.ld": self.linker()}

    def at(self, row, key=None):
        return f"{self.base}:{row.place(key).line}: {row.name}"

    # tp_pools.h

    def header(self):
        pools = self.config.pools
        ids = [f"TP_ID_{pool.name.upper()}" for pool in pools]
        return paragraphs([
            [f"// {self.banner}", "// clang-format off"],
            ["#ifndef TP_POOLS_H", "#define TP_POOLS_H"],
            self.includes(),
            ["#ifdef __cplusplus", 'extern "C" {', "#endif"],
            ["// Of the values alone: comments and layout do not change it.",
             f"#define TP_CONFIG_HASH {config_hash(self.config.tree):#010x}u"],
            self.x_macro(),
            ["enum tp_pool_id {", *[f"  {name}," for name in ids + ["TP_POOL_N"]], "};"],
            ["extern const struct tp_pool *const tp_pool_table[TP_POOL_N];"] if pools else [],
            *[self.comments_above(row) + self.DECLARATIONS[type(row)](self, row)
              for row in self.config.rows()],
            ["#ifdef __cplusplus", "}", "#endif"],
            ["#endif"],
        ])

    def includes(self):
        names = [name if name[0] == "<" else f'"{name}"' for name in self.config.build.headers]
        return [f"#include {name}" for name in ['"tidepool.h"'] + names]

    def x_macro(self):
        cells = [("name,", "C type,", "size,", "count,", "when full")]
        cells += [(f"{pool.name},", f"{c_name(pool)},", f"{pool.size},",
                   f"{max(pool.cut or [pool.count])},",
                   pool.full.upper().replace("-", "_")) for pool in self.config.pools]
        if not self.config.pools:
            return ["#define TP_POOLS(X)"]
        title, *rows = columns(cells, "<<>><")
        rows = " \\\n".join(f"  X({row})" for row in rows)
        return [f"//  {title.replace(',', ' ')}", "#define TP_POOLS(X) \\", rows]

    def declare_pool(self, pool):
        lines = self.costs(pool) + self.claims(pool)
        for key in pool.CALLBACKS:
            lines += self.hook_prototype(pool, key)
        if pool.policy:
            lines += self.once(f"extern const struct tp_policy {pool.policy};")
        for key in ("on_low", "on_refill"):
            lines += self.prototype(getattr(pool, key), "void",
                                    "const struct tp_pool *pool, uint32_t free")
        lines += self.prototype(pool.validate, "bool", "void *part")
        lines += self.prototype(pool.close, "void", "void *part")
        return lines + [f"{macro}({', '.join((pool.name,) + more)});"
                        for macro, more in self.calls_of_pool(pool)]

    def calls_of_pool(self, pool):
        """(macro, what it takes beside the name) for each set of calls that it has."""
        typed = (c_name(pool),)
        own = "TP_POOL_DECLARE_OWN" if pool.code == "own" else "TP_POOL_DECLARE"
        own = "TP_SCENE_POOL_DECLARE" if pool.cut else own
        calls = [(True, "TP_WATER_DECLARE" if pool.watched else own, typed),
                 (pool.handles, "TP_POOL_DECLARE_HANDLES", typed + (str(pool.handles),)),
                 (pool.full == "steal-least", "TP_POOL_DECLARE_SCORED", typed),
                 (pool.pin, "TP_POOL_DECLARE_PINS", typed),
                 (pool.reserve, "TP_RESERVE_DECLARE", typed),
                 (pool.full == "spill", "TP_SPILL_DECLARE", ()),
                 (pool.borrowers, "TP_CHUNK_DECLARE", ()),
                 (pool.retained, "TP_RETAINED_DECLARE", ()),
                 (pool.objects, "TP_OBJECTS_DECLARE", typed)]
        return [(macro, more) for has, macro, more in calls if has]

    def comments_above(self, row):
        """The comment on top of the row, without headings of columns."""
        first = last = row.place().line - 1
        while first and self.lines[first - 1].lstrip(" \t").startswith("#"):
            first -= 1
        texts = [line.strip(" \t").lstrip("#") for line in self.lines[first:last]]
        return [comment(text) for text in texts if not re.search(r"\S {3,}\S", text)]

    def costs(self, pool):
        where = f" in {pool.lies_in}" if pool.lies_in else ""
        off = "" if pool.tagged else f" ({pool.tag_bytes('off')} at off)"
        books = pool.books()
        ages = books.get("age", 0) + books.get("born", 0)
        rest = pool.books_bytes() - books["state"] - books["tag"] - ages
        slots = f"{pool.arena_bytes()} bytes of slots{where}"
        if pool.cut:
            slots = f"slots{where} as scenes cut them"
        parts = [slots, f"{ages} of ages" if ages else "",
                 f"{pool.tag_bytes()} of tags{off}", f"{rest} of other books" if rest else ""]
        return [f"// RAM: {', '.join(filter(None, parts))}, and its state."] + self.wraps(pool)

    def wraps(self, row):
        if not row.handles:
            return []
        return [f"// Handles: {row.generation_bits} bits of generation wrap after "
                f"{duration(row.wrap_seconds)} of {REUSES_PER_SECOND} reuses a second."]

    def takes(self, row):
        """What a row without check levels takes."""
        where = f" in {row.lies_in}" if row.lies_in else ""
        return [f"// RAM: {row.arena_bytes()} bytes{where}, {row.books_bytes()} of books."]

    def declare_stack(self, stack):
        macro = "TP_ENDS_DECLARE" if stack.ends == 2 else "TP_STACK_DECLARE"
        return self.takes(stack) + [f"{macro}({stack.name});"]

    def declare_frame(self, frame):
        return self.takes(frame) + [f"TP_FRAME_DECLARE({frame.name});"]

    def declare_blocks(self, blocks):
        parts = blocks.tenants()
        where = f" in {blocks.bank}" if blocks.bank else ""
        return [f"// RAM: {sum(part.arena_bytes() for part in parts)} bytes{where}, "
                f"{sum(part.books_bytes() for part in parts)} of books.",
                f"TP_BLOCKS_DECLARE({blocks.name});"]

    def declare_relocating(self, row):
        return (self.takes(row) + self.wraps(row)
                + self.prototype(row.on_move, "void",
                                 "tp_handle_t handle, void *to, const void *from")
                + [f"TP_RELOC_DECLARE({row.name});"])

    def declare_dense(self, row):
        return (self.takes(row) + self.wraps(row) + self.claims(row)
                + self.hook_prototype(row, "on_move")
                + [f"TP_DENSE_DECLARE({row.name}, {c_name(row)});"])

    def declare_scenes(self, scenes):
        names = [f"TP_SCENE_{scene.name.upper()}" for scene in scenes.scenes]
        return self.takes(scenes) + ["enum tp_scene_id {",
                                     *[f"  {name}," for name in names + ["TP_SCENE_N"]], "};",
                                     f"TP_SCENES_DECLARE({scenes.name});"]

    def declare_nest(self, nest):
        return self.takes(nest) + [f"TP_NEST_DECLARE({nest.name});"]

    def claims(self, row):
        """That each C type is what the row says."""
        return [line for name in c_types(row) for line in self.claim(row, name)]

    def claim(self, row, name):
        claims = [(f"sizeof({name}) <= {row.size}", "size",
                   f"size = {row.size} is less than sizeof({name})"),
                  (f"TP_ALIGNOF({name}) <= {row.align}", "align",
                   f"align = {row.align} is less than {name} needs")]
        return [f"TP_STATIC_ASSERT({claim},\n"
                f'                 "{self.at(row, key)}: {text}");'
                for claim, key, text in claims]

    def prototype(self, function, returns, parameters):
        return self.once(f"{returns} {function}({parameters});") if function else []

    def hook_prototype(self, row, key):
        hook = HOOKS[key]
        return self.prototype(getattr(row, key), hook.returns, hook.typed.format(**pointers(row)))

    def once(self, declaration):
        """With the first row that needs it."""
        if declaration in self.declared:
            return []
        self.declared.add(declaration)
        return [declaration]

    # tp_pools.c

    def source(self):
        pools = self.config.pools
        sentinel = ["// Only tp_pools.ld defines it. A link without that ends with this sentence.",
                    f"extern const char {SENTINEL}[];"]
        return paragraphs([
            [f"// {self.banner}", "// clang-format off"],
            ['#include "tp_pools.h"', '#include "config/tp_define.h"'],
            self.level_guard(),
            sentinel if any(tenant.lies_in for tenant in self.config.tenants()) else [],
            *[self.DEFINITIONS[type(row)](self, row) for row in lenders_first(self.config.rows())],
            ["const struct tp_pool *const tp_pool_table[TP_POOL_N] = {",
             *[f"  &{pool.name}_pool," for pool in pools], "};"] if pools else [],
        ])

    def level_guard(self):
        """Stops the compiler at another check level than the file counts with."""
        build = self.config.build
        if not build.checks:
            return []
        return [f"TP_STATIC_ASSERT(TP_CHECKS == TP_CHECKS_{build.checks.upper()},\n"
                f'                 "{self.base}:{build.place("checks").line}: compiled at another '
                f'check level than {build.checks}");']

    def bank(self, row):
        """The macro that places it."""
        if not row.lies_in:
            return "TP_NO_BANK"
        *nest, name = row.place_in_bank.split(".")
        words = ", ".join(f'"{word}"' for word in [row.lies_in, *nest, name])
        return f"TP_IN_NEST({words})" if nest else f"TP_BANK({words})"

    def placed(self, row):
        return [f".placed = {SENTINEL}"] if row.lies_in else []

    def define(self, macro, *arguments):
        return [f"{macro}(" + (",\n " + " " * len(macro)).join(arguments) + ");"]

    def define_pool(self, pool):
        lines = self.port_guard(pool)
        for key in pool.CALLBACKS:
            lines += self.cast(pool, key)
        return lines + self.ahead_of(pool) + self.define_slots(pool) + self.behind(pool)

    def tags(self, pool):
        return "TP_TAGS_ALWAYS" if pool.tagged else "TP_TAGS_IF_CHECKED"

    def define_slots(self, pool):
        tags = self.tags(pool)
        if pool.reserve:
            return self.define("TP_RESERVE_DEFINE", f"{pool.name}, {pool.size}, {pool.count}, "
                               f"{pool.reserve}, {pool.align}",
                               f"{self.bank(pool)}, {tags}, {POLICY_OBJECTS[pool.full]}",
                               *self.initialisers(pool))
        if pool.cut:
            return self.define("TP_SCENE_POOL_DEFINE", f"{pool.name}, {pool.size}, {pool.slots}, "
                               f"{pool.align}",
                               f"({', '.join(map(str, pool.cut))})", *self.initialisers(pool))
        return self.define("TP_POOL_DEFINE", f"{pool.name}, {pool.size}, {pool.count}, "
                           f"{pool.align}",
                           f"{self.bank(pool)}, {tags}", *self.initialisers(pool))

    def ahead_of(self, pool):
        """What the initialisers of a pool name."""
        name, lines = pool.name, []
        macro, bank = ("TP_RETAINED", f', "{pool.bank}"') if pool.retained else ("TP_POOL", "")
        if pool.retained:
            lines += [f"TP_RETAINED_BOOKS({name}, {pool.slots}, {self.tags(pool)}{bank});"]
        if pool.steals:
            lines += [f"{macro}_AGE({name}, {pool.slots}{bank});"]
        if pool.min_age:
            lines += [f"{macro}_BORN({name}, {pool.slots}{bank});"]
        if pool.full == "steal-least":
            below = ", .refuses_below = 1" if pool.refuse_below else ""
            lines += [f"static const struct tp_steal_least {name}_least = {{",
                      f"  TP_STEAL_LEAST, .score = {hooked(pool, 'score')}{below}}};"]
        if pool.full == "spill":
            lines += [f"TP_SPILL_DEFINE({name}, {pool.spill}, {POLICY_OBJECTS[pool.then]});"]
        if pool.objects and pool.steals:
            lines += [f"TP_OBJECTS_EVICT({name});"]
        return lines

    def behind(self, pool):
        """What names a pool."""
        name, lines = pool.name, []
        if pool.code == "own":
            lines += [f"{self.own_macro(pool)}({name}, {c_name(pool)});"]
        if pool.retained:
            lines += [f"TP_RETAINED_DEFINE({name}, TP_CONFIG_HASH);"]
        if len(pool.borrowers) > 1:
            lines += [f"TP_CHUNK_OWNERS({name});"]
        if pool.borrowers:
            owner = f".owner = {name}_owner, " if len(pool.borrowers) > 1 else ""
            lines += [f"TP_CHUNK_DEFINE({name}, {owner}.patience = {pool.patience});"]
        if pool.watched:
            lines += [f"TP_WATER_DEFINE({name}, {pool.low_water}, {pool.on_low or 'NULL'}, "
                      f"{pool.refill}, {pool.on_refill or 'NULL'});"]
        return lines + self.objects(pool)

    def objects(self, pool):
        name, lines, known = pool.name, [], []
        if pool.retain:
            lines += self.define("TP_RETAIN_DEFINE", f"{name}, {pool.slots}, {pool.retain[0]}, "
                                 f"{pool.retain[1]}",
                                 f".validate = {pool.validate or 'NULL'}",
                                 f".close = {pool.close or 'NULL'}")
            known = [f".retain = &{name}_retain"]
        known += [f".{key} = {hooked(pool, key)}" for key in ("init", "deinit", "in_use")
                  if getattr(pool, key)]
        if known:
            lines += self.define("TP_OBJECTS_DEFINE", f"{name}, {pool.slots}", *known)
        return lines

    def cast(self, row, key):
        """A function as the library calls it, in front of the application's typed one."""
        if hooked(row, key) == getattr(row, key):
            return []
        hook = HOOKS[key]
        back = "" if hook.returns == "void" else "return "
        return [f"static {hook.returns} {hooked(row, key)}({hook.plain})", "{",
                f"  {back}{getattr(row, key)}({hook.cast.format(**casts(row))});", "}"]

    def define_stack(self, stack):
        macro = "TP_ENDS_DEFINE" if stack.ends == 2 else "TP_STACK_DEFINE"
        return self.define(macro, f"{stack.name}, {stack.bytes}", self.bank(stack),
                           *self.region(stack))

    def define_frame(self, frame):
        return self.define("TP_FRAME_DEFINE", f"{frame.name}, {frame.bytes}, {frame.buffers}",
                           self.bank(frame), *self.region(frame))

    def region(self, row):
        full = "TP_FULL_FAULT" if row.full == "assert" else "TP_FULL_REFUSE"
        return [f".full = {full}"] + self.placed(row)

    def define_blocks(self, blocks):
        classes = blocks.classes_made()
        lines = [line for one in classes for line in self.define_class(blocks, one)]
        rows = [f"TP_BLOCK_ROW({blocks.name}, {one.size})" for one in classes]
        return lines + self.define("TP_BLOCKS_DEFINE", f"{blocks.name}, {int(blocks.bigger)}",
                                   *rows)

    def define_class(self, blocks, one):
        """With bigger, all classes but the last hand on what they refuse."""
        last = one.size == max(other.size for other in blocks.classes_made())
        drops = blocks.full == "drop" or blocks.bigger and not last
        policy = [".policy = &tp_drop", ".refuses = 1"] if drops else [".policy = &tp_assert"]
        return self.define("TP_BLOCK_CLASS", f"{blocks.name}, {one.size}, {one.count}",
                           self.bank(one),
                           ", ".join(policy), *self.placed(one))

    def define_relocating(self, row):
        told = [f".on_move = {row.on_move}"] if row.on_move else []
        return self.define("TP_RELOC_DEFINE", f"{row.name}, {row.bytes}, {row.count}",
                           self.bank(row),
                           f".moves = {row.moves}, .move_bytes = {row.move_bytes}", *told,
                           f".full = {int(row.full == 'assert')}", *self.placed(row))

    def define_dense(self, row):
        told = [f".on_move = {hooked(row, 'on_move')}"] if row.on_move else []
        return self.cast(row, "on_move") + self.define(
            "TP_DENSE_DEFINE", f"{row.name}, {row.size}, {row.count}, {row.align}", self.bank(row),
            *told,
            f".full = {int(row.full == 'assert')}", *self.placed(row))

    def define_scenes(self, scenes):
        """Enumerators for the bytes of each scene, and for the most of it and those before."""
        lines, most = [], "0"
        for number, scene in enumerate(scenes.scenes):
            terms = [f"TP_SCENE_BYTES({pool.name}, {pool.cut[number]}, {scenes.align})"
                     for pool in scenes.pools]
            lines += [f"  scenes_bytes_{scene.name} = " + " +\n      ".join(terms) + ",",
                      f"  scenes_most_{scene.name} ="
                      f" TP_LARGER({most}, scenes_bytes_{scene.name}),"]
            most = f"scenes_most_{scene.name}"
        cuts = [f"TP_SCENE_POOL({pool.name}, {hooked(pool, 'release') or 'NULL'})"
                for pool in scenes.pools]
        return ["enum {", *lines, "};"] + self.define(
            "TP_SCENES_DEFINE", f"{scenes.name}, {most}", f"{len(scenes.scenes)}, {scenes.align}",
            self.bank(scenes), *cuts)

    def define_nest(self, nest):
        if not nest.rows:
            return self.define("TP_NEST_DEFINE", f"{nest.name}, {nest.bytes}, 0", self.bank(nest),
                               "NULL",
                               *self.region(nest))
        lines = [f"static const struct tp_nest_row {nest.name}_rows[] = {{"]
        lines += [f"  TP_NEST_ROW_{NEST_ROWS[next(iter(row.constants()))]}({row.name}, "
                  f"TP_{row.end.upper()}),"
                  for row in nest.rows]
        taken = " + ".join(f"TP_NEST_TAKES({row.name})" for row in nest.rows)
        return lines + ["};"] + self.define("TP_NEST_DEFINE", f"{nest.name}, {nest.bytes}", taken,
                                            self.bank(nest), f"{nest.name}_rows",
                                            *self.region(nest))

    def own_macro(self, pool):
        if pool.lock == "exclusive":
            return "TP_POOL_OWN_EXCLUSIVE"
        return "TP_POOL_OWN_STEALING" if pool.full == "steal-oldest" else "TP_POOL_OWN"

    def port_guard(self, pool):
        """Stops the compiler for a core that lacks what the pool locks with."""
        if not pool.lock_means:
            return []
        reason = f"{self.at(pool, 'lock')}: this core {LACKS[pool.lock_means]}"
        return [f"#if !TP_PORT_HAS_{pool.lock_means.upper()}", f'#error "{reason}"', "#endif"]

    def initialisers(self, pool):
        policy = {"steal-least": f".policy = &{pool.name}_least.policy, ",
                  "spill": f"TP_SPILLS({pool.name}, {pool.spill}), ",
                  OWN_POLICY: f".policy = &{pool.policy}, "}
        answer = policy.get(pool.full) or f".policy = &{POLICY_OBJECTS[pool.full]}, "
        yield ("" if pool.reserve else answer) + f".lock = {LOCKS.get(pool.lock, pool.lock)}"
        if pool.full == "drop" and not pool.reserve:
            yield ".refuses = 1"
        if pool.steals:
            yield f".age = {pool.name}_age"
        if pool.min_age:
            yield f".born = {pool.name}_born, .min_age = {pool.min_age}"
        if pool.steals and pool.objects:
            yield f".evict = {pool.name}_evict"
        elif pool.evict:
            yield f".evict = {hooked(pool, 'evict')}"
        yield from self.placed(pool)

    DECLARATIONS = {Pool: declare_pool, Stack: declare_stack, Frame: declare_frame,
                    Blocks: declare_blocks, Relocating: declare_relocating, Dense: declare_dense,
                    Nest: declare_nest, Scenes: declare_scenes}
    DEFINITIONS = {Pool: define_pool, Stack: define_stack, Frame: define_frame,
                   Blocks: define_blocks, Relocating: define_relocating, Dense: define_dense,
                   Nest: define_nest, Scenes: define_scenes}

    # tp_pools.ld

    def linker(self):
        banks = [bank for bank in self.config.banks.values() if bank.residents]
        return paragraphs([
            [f"/* {self.banner}", "   INCLUDE it inside SECTIONS, before .bss. */"],
            [f"{SENTINEL} = 0x1deadb0b;"],
            *[self.arena(bank) for bank in banks],
        ])

    def arena(self, bank):
        start, end = f"tp_arena_{bank.name}_start", f"tp_arena_{bank.name}_end"
        lines = must(f"LENGTH({bank.region}) < 0x80000000", f"{self.at(bank, 'region')}: "
                     f"MEMORY of the linker script has no {bank.region}")
        lines += [f".tp_arena_{bank.name} (NOLOAD) : ALIGN(8)", "{",
                  f"  {start} = .;",
                  f"  KEEP(*(SORT_BY_NAME(.bss.tp_arena.{bank.name}.*)))",
                  f"  {end} = .;",
                  f"}} > {bank.region}"]
        if bank.budget:
            lines += must(f"{end} - {start} <= {bank.budget}", f"{self.at(bank, 'budget')}: "
                          f"more than the budget of {bank.budget} bytes")
        # A pool that is used must have come here; one that is not may be collected.
        used = " || ".join(f"DEFINED({tenant.descriptor})" for tenant in bank.residents)
        return lines + must(f"{end} > {start} || !({used})",
                            f"{self.at(bank)}: INCLUDE tp_pools.ld must stand before .bss")


def must(claim, text):
    return [f"ASSERT({claim},", f'       "{text}")']


def c_name(row):
    return row.type or "void"


def c_types(row):
    """Every type that a slot is for."""
    return [row.type] if row.type else row.union or []


def pointers(row):
    """Pointers to an object, and to one that is only read, as they stand before a name."""
    name = c_name(row)
    if name.endswith("*"):
        return {"to": f"{name}*", "of": f"{name}const *"}
    return {"to": f"{name} *", "of": f"const {name} *"}


def casts(row):
    return {key: pointer.rstrip() for key, pointer in pointers(row).items()}


def hooked(row, key):
    """What the library calls: the application's function, or a cast in front of it."""
    return f"{key}_of_{row.name}" if getattr(row, key) and row.type else getattr(row, key)


def lenders_first(rows):
    """[rows] with every pool behind the one that it spills into."""
    pools, done = {row.name: row for row in rows if isinstance(row, Pool)}, []

    def visit(row):
        if row not in done:
            if isinstance(row, Pool) and row.full == "spill":
                visit(pools[row.spill])
            done.append(row)

    for row in rows:
        visit(row)
    return done


def comment(text):
    """A // line that cannot swallow the next one."""
    return ("//" + re.sub(r"(\\|\?\?/|\s)+$", "", text)).rstrip()


def columns(rows, sides):
    """Rows of cells as lines, every column as wide as its widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [" ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths))
            .rstrip() for row in rows]


def paragraphs(parts):
    return "\n\n".join("\n".join(lines) for lines in parts if lines) + "\n"


def config_hash(tree):
    """Of the values alone. The order of pools and of scenes counts, since it numbers them."""
    orders = [list(tree.value[name].value) for name in ("pools", "scenes") if name in tree.value]
    content = orders + [plain(tree)]
    return zlib.crc32(json.dumps(content, sort_keys=True).encode())


# Measure: RAM and flash, for people ---------------------------------------------

def memory_table(config, level):
    """What every pool and every bank takes."""
    tenants = config.tenants()
    cells = [("", "name", "slots", "stride", "bytes", "books", "flash", "bank", "when full")]
    cells += [tenant_cells(tenant, level) for tenant in tenants]
    banks = [("bank", "region", "bytes", "budget", "left")]
    banks += [bank_cells(bank, level) for bank in config.banks.values()]
    banks += [bss_cells(tenants, level)]
    flash = sum(tenant.flash_bytes for tenant in tenants)
    return paragraphs([columns(cells, "<<>>>>><<"), scene_table(config.scenes, level),
                       columns(banks, "<<>>>"),
                       [f"checks = {level}, on a 32-bit core; flash: {flash} bytes and the code"]])


def scene_table(scenes, level):
    """The bytes and the slots of each scene."""
    if not scenes:
        return []
    rows = [("scene", "bytes", *[pool.name for pool in scenes.pools])]
    rows += [(scene.name, str(scenes.scene_bytes(scene, level)),
              *[str(pool.cut[number]) for pool in scenes.pools])
             for number, scene in enumerate(scenes.scenes)]
    return columns(rows, "<>" + ">" * len(scenes.pools))


def tenant_cells(tenant, level):
    slots, stride = "-", "-"
    if isinstance(tenant, (Pool, Dense)):
        slots, stride = str(tenant.slots), str(tenant.stride(level))
    return (tenant.what, tenant.name, slots, stride, str(tenant.arena_bytes(level)),
            str(tenant.books_bytes(level)), str(tenant.flash_bytes), tenant.lies_in or "-",
            tenant.full or "-")


def bank_cells(bank, level):
    used = arena_bytes(bank.residents, level)
    budget = (str(bank.budget), str(bank.budget - used)) if bank.budget else ("-", "-")
    return (bank.name, bank.region, str(used)) + budget


def bss_cells(tenants, level):
    """What has no bank, and the books of all."""
    books = sum(tenant.books_bytes(level) for tenant in tenants if len(tenant.pieces(level)) < 2)
    arenas = arena_bytes([tenant for tenant in tenants if not tenant.lies_in], level)
    return ("-", ".bss", str(arenas + books), "-", "-")


# Describe: the keys, for people and for editors --------------------------------

def schema():
    """The file as a JSON Schema, in the words that draft 4 to draft 7 share."""
    properties = {"tidepool": {"enum": [VERSION], "description": "The format of this file."}}
    for name, section in SECTIONS.items():
        table = schema_of_counts() if section.kind is Scene else schema_of_row(section.keys)
        if name != "build":
            table = {"type": "object", "patternProperties": {f"^{IDENTIFIER.pattern}$": table},
                     "additionalProperties": False}
        properties[name] = dict(table, description=section.says)
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "pools.toml",
            "type": "object", "properties": properties, "required": ["tidepool"],
            "additionalProperties": False}


def schema_of_counts():
    count = whole(0, COUNT_MAX).schema
    return {"type": "object", "patternProperties": {f"^{IDENTIFIER.pattern}$": count},
            "additionalProperties": False}


def schema_of_row(keys):
    properties = {name: dict(key.read.schema, description=f"{key.value}. Makes {key.says}.")
                  for name, key in keys.items()}
    needed = [name for name, key in keys.items() if key.needed and not key.unless]
    row = {"type": "object", "properties": properties, "additionalProperties": False}
    return dict(row, required=needed) if needed else row


def explain(word):
    """What [word], a table, a key or TABLE.KEY, means; None if there is no such thing."""
    table, _, name = word.strip("[]").rpartition(".")
    if not table and name in SECTIONS:
        section = SECTIONS[name]
        return paragraphs([[f"[{name}]  {section.says}"]]
                          + [explain_key(*item) for item in section.keys.items()])
    found = [(where, section.keys[name]) for where, section in SECTIONS.items()
             if name in section.keys and table in ("", where)]
    parts = [[f"[{where}]"] + explain_key(name, key) for where, key in found]
    return paragraphs(parts) if parts else None


def explain_key(name, key):
    return [f"  {name}: {key.value}", f"      makes {key.says}"]


def explainable():
    return list(SECTIONS) + sorted({name for section in SECTIONS.values()
                                    for name in section.keys})


STARTER = """\
#:schema ./tidepool.schema.json
# The pools of this firmware. One row below [pools] is one pool; a row may also be
# written as a block, [pools.NAME], with a key a line. `tidepool.py explain KEY` tells
# what a key means, `tidepool.py schema` prints tidepool.schema.json for editors.
tidepool = 1                     # The format of this file.

[build]
headers = []                     # What declares the types below: ["game/types.h"].
#checks = "poison"               # Only if the firmware is always built at that level.

# RAM that the pools may use. Without any bank they lie in ordinary .bss. With one,
# write INCLUDE tp_pools.ld into SECTIONS of the linker script, before .bss.
[banks]
#ram = { region = "RAM", budget = "16K" }

[pools]
# What nobody misses: when it is full, the caller gets NULL.
sparks = { size = 24, count = 64, full = "drop" }

# What must exist: when it is full, that is a bug and stops the firmware.
#bosses = { type = "struct boss", size = 96, count = 4, full = "assert" }

# What masks its own loss: when it is full, the oldest is told and makes room.
#voices = { size = 32, count = 16, full = "steal-oldest", evict = "voice_stopped" }
"""


# Advise: counts from what soaks saw ----------------------------------------------

ADVICE = """\
A pool should keep an eighth more slots than its highest use, and at least one more.
It is called too large when its highest use is at most 75 % of its capacity, and too
small when it was full in more than 1 % of the frames or, if it must never be full,
when it lacks that eighth. How many more a pool needs that was full cannot be seen:
that is not advised, and nothing is for a pool that no run used."""


class Seen:
    """What the runs saw of one pool, all together."""

    def __init__(self):
        self.peak = self.allocs = self.full_frames = self.frames = 0

    def add(self, entry, frames):
        self.peak = max(self.peak, entry["peak"])
        self.allocs += entry["allocs"]
        self.full_frames += entry["full_frames"]
        self.frames += frames

    @property
    def often_full(self):
        return 100 * self.full_frames > self.frames


def enough(peak):
    """The highest use and an eighth, rounded up; at least one more."""
    return peak + max(1, -(-peak // 8))


def advised_count(count, must_fit, seen):
    """The count that the rule above advises: [count] itself where it is right."""
    need = enough(seen.peak)
    if not seen.allocs:
        return count
    if must_fit and need > count:
        return need
    if not must_fit and seen.often_full:
        return count
    return need if 4 * seen.peak <= 3 * count and need < count else count


def read_summary(path):
    """The summary.json of a soak, if it has what advice needs."""
    try:
        summary = json.loads(read_text(path))
        fields = [summary["frames"]] + [entry[name] for entry in summary["pools"] for name in
                                        ("capacity", "peak", "allocs", "full_frames")]
        names = [summary["config_hash"]] + [entry["name"] for entry in summary["pools"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Trouble(f"{path}: error: not the summary.json of a soak")
    if not all(type(field) is int for field in fields) or not all(type(n) is str for n in names):
        raise Trouble(f"{path}: error: not the summary.json of a soak")
    return summary


def gather(config, summaries):
    """{name: Seen} of the pools that every one of [summaries] saw as they are now."""
    seen = {pool.name: Seen() for pool in config.pools if not pool.cut}
    for summary in summaries:
        entries = {entry["name"]: entry for entry in summary["pools"]}
        for pool in config.pools:
            entry = entries.get(pool.name)
            if pool.name not in seen:
                continue
            if entry and entry["capacity"] == pool.slots:
                seen[pool.name].add(entry, summary["frames"])
            else:
                del seen[pool.name]
    return seen


def advice_table(config, seen, counts):
    rows = [("pool", "when full", "slots", "peak", "full", "advised", "RAM", "bank")]
    total = 0
    for pool in config.pools:
        if pool.name not in seen:
            rows.append((pool.name, pool.full, str(pool.count)) + ("-",) * 4 + (pool.bank or "-",))
            continue
        resized = pool.resized(counts[pool.name])
        won = resized.ram_bytes(config.level) - pool.ram_bytes(config.level)
        total += won
        rows.append((pool.name, pool.full, str(pool.count), str(seen[pool.name].peak),
                     share(seen[pool.name]), str(counts[pool.name]), f"{won:+d}" if won else "0",
                     pool.bank or "-"))
    won = f"RAM: {total:+d} bytes" if total else "RAM: 0 bytes"
    return paragraphs([columns(rows, "<<>>>>><"), [won],
                       ADVICE.split("\n")])


def share(seen):
    return f"{100 * seen.full_frames / seen.frames:.1f} %" if seen.frames else "-"


def rewrite_counts(text, config, counts):
    """[text] with new counts, and with all else in the column where it was."""
    lines = text.split("\n")
    for pool in config.pools:
        line, column, width = pool.place("count")
        if counts.get(pool.name, pool.count) != pool.count:
            lines[line - 1] = replace_number(lines[line - 1], column - 1, width, counts[pool.name])
    return "\n".join(lines)


def replace_number(line, start, width, number):
    before, after = line[:start], line[start + width:]
    old, new = width, len(str(number))
    comma, blanks, rest = re.fullmatch(r"((?:[ \t]*,)?)( *)(.*)", after, re.S).groups()
    if rest.strip():
        blanks = " " * max(len(blanks) + old - new, min(len(blanks), 1))
    return f"{before}{number}{comma}{blanks}{rest}"


# Map: what the linker really did ---------------------------------------------------

class Elf:
    """The data symbols of an ELF file of either size and byte order.

    {name: [(address, bytes, section, loaded)]}; a name counts up to its first dot, since
    compilers number what is local to a file.
    """

    NOBITS = 8

    def __init__(self, data):
        self.data = data
        self.symbols = collections.defaultdict(list)
        one_or_two = (b"\1", b"\2")
        if (data[:4] != b"\x7fELF" or data[4:5] not in one_or_two or data[5:6] not in one_or_two):
            raise ValueError
        self.wide = data[4] == 2
        self.order = "<" if data[5] == 1 else ">"
        self.sections = self.read_sections()
        for section in self.sections:
            if section.kind == 2:
                self.read_symbols(section)

    def unpack(self, form, offset):
        return struct.unpack_from(self.order + form, self.data, offset)

    def read_sections(self):
        table, = self.unpack("Q" if self.wide else "I", 40 if self.wide else 32)
        step, count, names = self.unpack("3H", 58 if self.wide else 46)
        form = "IIQQQQII" if self.wide else "8I"
        heads = [self.unpack(form, table + step * n) for n in range(count)]
        self.names_at = heads[names][4]
        return [ElfSection(self.text(self.names_at + head[0]), head[1], *head[4:7])
                for head in heads]

    def read_symbols(self, section):
        strings = self.sections[section.link].offset
        step = 24 if self.wide else 16
        for offset in range(section.offset, section.offset + section.size - step + 1, step):
            if self.wide:
                name, info, _, home, value, size = self.unpack("IBBHQQ", offset)
            else:
                name, value, size, info, _, home = self.unpack("IIIBBH", offset)
            if 0 < home < len(self.sections) or home == 0xFFF1:
                self.add(self.text(strings + name).split(".")[0], value, size, home)

    def add(self, name, value, size, home):
        where = self.sections[home] if home < len(self.sections) else ElfSection("", 0, 0, 0, 0)
        self.symbols[name].append(Symbol(value, size, where.name, where.kind == self.NOBITS))

    def text(self, offset):
        return self.data[offset: self.data.index(b"\0", offset)].decode("ascii", "replace")


ElfSection = collections.namedtuple("ElfSection", "name kind offset size link")
Symbol = collections.namedtuple("Symbol", "address size section empty")


def read_elf(path):
    try:
        with open(path, "rb") as file:
            return Elf(file.read()).symbols
    except OSError as problem:
        raise Trouble(f"{path}: error: cannot read it: {problem.strerror}")
    except (ValueError, IndexError, OverflowError, struct.error):
        raise Trouble(f"{path}: error: not an ELF file with symbols")


def placement(config, symbols):
    """(table of what lies where, whether all of it is as the file says)."""
    level = built_level(config, symbols)
    rows = [("", "bank", "section", "address", "bytes", "")]
    rows += [bank_placement(bank, symbols) for bank in config.banks.values() if bank.residents]
    rows += [tenant_placement(tenant, symbols, level)
             for tenant in filter(has_arena, config.tenants())]
    right = all(row[-1] == "OK" for row in rows[1:])
    return paragraphs([columns(rows, "<<<>><")]), right


def built_level(config, symbols):
    """The level whose sizes the most arenas have."""
    def fits(level):
        return sum(symbol.size == tenant.arena_bytes(level)
                   for tenant in filter(has_arena, config.tenants())
                   for symbol in symbols.get(tenant.arena, ()))
    return max(["fast", "full"], key=fits)


def bounds(bank, symbols):
    """Start and end of the bank's arena, or None."""
    ends = [symbols.get(f"tp_arena_{bank}_{end}") for end in ("start", "end")]
    return [end[0].address for end in ends] if all(ends) else None


def bank_placement(bank, symbols):
    found = bounds(bank.name, symbols)
    if not found:
        return (f"bank {bank.name}", bank.name, "-", "-", "-", "tp_pools.ld is not in it")
    start, end = found
    over = bank.budget and end - start > bank.budget
    return (f"bank {bank.name}", bank.name, f".tp_arena_{bank.name}", f"{start:#010x}",
            str(end - start), f"over its budget of {bank.budget}" if over else "OK")


def tenant_placement(tenant, symbols, level):
    found = symbols.get(tenant.arena)
    title = f"{tenant.what} {tenant.name}"
    if not found:
        return (title, tenant.lies_in or "-", "-", "-", "-", "missing: nothing uses it")
    wanted = tenant.arena_bytes(level)
    symbol = next((one for one in found if one.size == wanted), found[0])
    return (title, tenant.lies_in or "-", symbol.section, f"{symbol.address:#010x}",
            str(symbol.size),
            misplaced(tenant, symbol, symbols, wanted))


def misplaced(tenant, symbol, symbols, wanted):
    """What is wrong with where [tenant] lies, or OK."""
    limits = bounds(tenant.lies_in, symbols) if tenant.lies_in else None
    if tenant.lies_in and not (limits and limits[0] <= symbol.address < limits[1]):
        return f"not in {tenant.lies_in}"
    if symbol.size != wanted:
        return f"{wanted} bytes expected"
    return "OK" if symbol.empty else "part of the image"


# Write ------------------------------------------------------------------------

def read_text(path):
    try:
        with open(path, "rb") as file:
            data = file.read()
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as problem:
        raise Trouble(f"{path}: error: cannot read it: {problem.strerror}")
    except UnicodeDecodeError as problem:
        before = data[: problem.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise Trouble(f"{path}:{line}:{column}: error: not UTF-8, in which TOML is written")


def load(path):
    """The config of the file, without a problem worse than a warning, or None."""
    return judge(read_text(path), path)


def judge(text, path):
    lines = text.split("\n")
    config = Config(Parser(text))
    problems = check(config)
    for problem in problems:
        sys.stderr.write(render(problem, path, lines))
    if any(problem.severity == "error" for problem in problems):
        return None, lines
    return config, lines


def old_bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write_all(contents):
    """Writes the {path: bytes} that differ, all or none; renews the time of each."""
    temporary = {}
    try:
        for path, data in contents.items():
            if old_bytes(path) != data:
                temporary[path] = f"{path}.{os.getpid()}.tmp"
                with open(temporary[path], "wb") as file:
                    file.write(data)
        for path in list(temporary):
            os.replace(temporary[path], path)
            del temporary[path]
        for path in contents:
            os.utime(path)
    except OSError as problem:
        raise Trouble(f"{path}: error: cannot write it: {problem.strerror}")
    finally:
        for leftover in temporary.values():
            if os.path.exists(leftover):
                os.remove(leftover)


def depfile(targets, source):
    def escape(path):
        return re.sub(r"([ #\\])", r"\\\1", path).replace("$", "$$")
    return f"{' '.join(map(escape, targets))}: {escape(source)}\n"


# Verbs ------------------------------------------------------------------------

def do_check(options):
    config, _ = load(options.file)
    return 0 if config else 1


def show(text):
    with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as out:
        out.write(text.encode())


def do_table(options):
    config, _ = load(options.file)
    if not config:
        return 1
    show(memory_table(config, options.checks or config.level))
    return 0


def do_schema(_):
    show(json.dumps(schema(), indent=2) + "\n")
    return 0


def do_explain(options):
    text = explain(options.word)
    if text is None:
        word = options.word.rpartition(".")[2]
        raise Trouble(f"error: there is no key {quote(options.word)}",
                      f"      = {did_you_mean(word, explainable())}")
    show(text)
    return 0


def do_init(options):
    try:
        with open(options.file, "x", encoding="utf-8", newline="\n") as file:
            file.write(STARTER)
    except FileExistsError:
        raise Trouble(f"{options.file}: error: it exists, and is left as it is")
    except OSError as problem:
        raise Trouble(f"{options.file}: error: cannot write it: {problem.strerror}")
    return 0


def table_and_others(names):
    """Splits [names] into the table, which may be left out, and what goes with it."""
    if names[0].endswith(".toml"):
        return names[0], names[1:]
    return "pools.toml", names


def do_map(options):
    path, images = table_and_others(options.files)
    if len(images) != 1:
        options.wrong_usage("one ELF file is needed")
    config, _ = load(path)
    if not config:
        return 1
    text, right = placement(config, read_elf(images[0]))
    show(text)
    return 0 if right else 1


def do_advise(options):
    path, names = table_and_others(options.files)
    if not names:
        options.wrong_usage("the summary.json of a soak is needed")
    config, _ = load(path)
    if not config:
        return 1
    summaries = [read_summary(name) for name in names]
    for name, summary in zip(names, summaries):
        if summary["config_hash"] != f"{config_hash(config.tree):08x}":
            sys.stderr.write(printable(f"{name}: warning: a run of another "
                                       f"{os.path.basename(path)}") + "\n")
    seen = gather(config, summaries)
    counts = {pool.name: advised_count(pool.slots, pool.full == "assert", seen[pool.name])
              + (pool.reserve or 0) for pool in config.pools if pool.name in seen}
    show(advice_table(config, seen, counts))
    return apply(path, config, counts) if options.apply else 0


def apply(path, config, counts):
    """Rewrites the counts, if the file is right with them."""
    with open(path, "rb") as file:
        data = file.read()
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    text = rewrite_counts(data[len(mark):].decode(), config, counts)
    if not judge(text.replace("\r\n", "\n"), path)[0]:
        return 1
    write_all({path: mark + text.encode()})
    return 0


def do_generate(options):
    config, lines = load(options.file)
    if not config:
        return 1
    files = Printer(config, options.file, lines).files()
    contents = {os.path.join(options.out, name): text.encode() for name, text in files.items()}
    if options.check:
        return compare(contents, options.file)
    if options.depfile:
        contents[options.depfile] = os.fsencode(depfile(list(contents), options.file))
    try:
        os.makedirs(options.out, exist_ok=True)
    except OSError as problem:
        raise Trouble(f"{options.out}: error: cannot make this folder: {problem.strerror}")
    write_all(contents)
    return 0


def compare(contents, source):
    """0 if every file is what would be written."""
    stale = [path for path, data in contents.items() if old_bytes(path) != data]
    for path in stale:
        sys.stderr.write(f"{path}: error: not what {source} says; generate it again\n")
    return 1 if stale else 0


def command_line():
    parser = argparse.ArgumentParser(prog="tidepool.py", description="Turns pools.toml into C.")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)

    def verb(name, run, says):
        made = verbs.add_parser(name, allow_abbrev=False, help=says, description=says)
        made.set_defaults(run=run, wrong_usage=made.error)
        return made

    generate = verb("generate", do_generate, "write tp_pools.h, tp_pools.c and tp_pools.ld")
    generate.add_argument("--out", metavar="DIR", required=True, help="where they go")
    generate.add_argument("--depfile", metavar="FILE", help="also write a rule for make")
    generate.add_argument("--check", action="store_true",
                          help="write nothing, fail if they are out of date")
    check_ = verb("check", do_check, "say what is wrong")
    table = verb("table", do_table, "print what every pool takes")
    table.add_argument("--checks", choices=LEVELS,
                       help="the check level; by default that of [build]")
    for reader in (generate, check_, table):
        reader.add_argument("file", metavar="pools.toml")
    init = verb("init", do_init, "write a commented table to start from")
    init.add_argument("file", metavar="pools.toml", nargs="?", default="pools.toml")
    verb("schema", do_schema, "print a JSON Schema of the table, for editors")
    explain_ = verb("explain", do_explain, "say what a key or a table means")
    explain_.add_argument("word", metavar="KEY", help="such as full, pools, or pools.full")
    map_ = verb("map", do_map, "compare the table with what the linker did")
    map_.add_argument("files", metavar="[pools.toml] fw.elf", nargs="+")
    advise = verb("advise", do_advise, "recommend counts from what soaks saw")
    advise.add_argument("files", metavar="[pools.toml] summary.json", nargs="+")
    advise.add_argument("--apply", action="store_true", help="write them into the table")
    return parser


def main(arguments=None):
    options = command_line().parse_args(arguments)
    try:
        return options.run(options)
    except Trouble as trouble:
        sys.stderr.write("".join(printable(line) + "\n" for line in trouble.args))
    except OSError as problem:
        name = problem.filename or "standard output"
        sys.stderr.write(printable(f"{name}: error: {problem.strerror}") + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
