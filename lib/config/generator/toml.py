# SPDX-License-Identifier: MIT
"""Parse: the subset of TOML that a table of pools needs, and what is wrong with one.

The result is a tree in which every name and value knows its line and column: so
does a problem, which is printed with that line and a caret.
"""

import bisect
import collections
import difflib
import json
import re

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
        self.pos = self.line_start(max(line, first_line + 1) if self.depth
                                   else line + 1)
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
        return Node(found.value if isinstance(found.value, dict) else {}, place,
                    "again")

    def step_into(self, parent, name, place):
        child = parent.value.setdefault(name, Node({}, place, "implied"))
        if child.made == "tables":
            return child.value[-1]
        if child.made == "value":
            self.fail(f"{quote(name)} is complete on line {child.name.line}; a header "
                      "cannot add to it", place=place)
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
            self.fail("a { } row must stay on one line", "use the [pools.NAME] form",
                      place=place)

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
        return ESCAPE.sub(lambda escape: self.unescape(escape, start + 1),
                          match.group(1))

    def unescape(self, escape, offset):
        code = escape.group(1)
        number = int(code[1:], 16) if len(code) > 1 else None
        if code in ESCAPED:
            return ESCAPED[code]
        if number is None or number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            place = self.place(offset + escape.start(), offset + escape.end())
            self.fail(f"unknown escape {escape.group()}", "write \\\\ for one \\",
                      place=place)
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
            self.fail("this number does not fit in 64 bits",
                      place=self.place(start, self.pos))
        return int(word, 0)

    def fail_at_word(self, word, place):
        unit = UNIT.fullmatch(word)
        if not word:
            self.fail("expected a value")
        if unit:
            digits = unit[1].replace("_", "")
            amount = f'"{digits}{unit[2].upper()}"'
            self.fail(f"a number with a unit needs quotes: {word}", f"write {amount}",
                      place=place)
        if re.match(r"[0-9]{4}-[0-9]{2}-|[0-9]{2}:", word):
            self.fail("dates and times are not used here", place=place)
        if word.lower() in ("true", "false"):
            self.fail(f"unknown value {word}", f"write {word.lower()}", place=place)
        if re.match(r"[A-Za-z_]", word):
            self.fail(f"unknown value {word}", f'a string needs quotes: "{word}"',
                      place=place)
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
