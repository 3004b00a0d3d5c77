# SPDX-License-Identifier: MIT
"""Small changes of C, one at a time, that a test should notice.

Works on text: of the lines of function bodies, which begin and end with a brace in
the first column, without comments, strings and what the preprocessor is told. A
change is of an operator, a constant, a condition, a level, two arguments, or drops
a statement."""

import re
from collections import Counter, namedtuple

# [text] from [begin] on becomes [other]. Its name stays when others move it: the
# function, the change and, of equal ones there, which.
Mutant = namedtuple("Mutant", "file line begin text other name")

HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
                    r"|^[ ]*#(?:[^\n\\]|\\.|\\\n)*", re.S | re.M)
BODY = re.compile(r"^\{\n(.*?)^\}", re.S | re.M)
NAME = re.compile(r"\b(?!__attribute__)(\w+)\([^;{}]*\)\s*$")
TOKEN = re.compile(r"\s+|[<>]{2}=|&&|\|\||->|[+\-*/%&|^=!<>]=|\+\+|--|<<|>>|\w+|.",
                   re.S)
SWAPS = {
    "==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"],
    ">": [">=", "<="], ">=": [">", "<"], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["*"], "<<": [">>"],
    ">>": ["<<"], "&": ["|"], "|": ["&"], "^": ["|"], "++": ["--"], "--": ["++"],
    "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="], "^=": ["|="],
    "!": [""], "~": [""], "true": ["false"], "false": ["true"],
    "TP_HIGH": ["TP_LOW"], "TP_LOW": ["TP_HIGH"], "NULL": []}
UNARY_AFTER = set("( , = == != < <= > >= && || + - * / % & | ^ ! ~ ? : return"
                  " += -= |= &= ^= << >> { ; case".split())
LEVELS = ["TP_CHECKS_OFF", "TP_CHECKS_FAST", "TP_CHECKS_POISON", "TP_CHECKS_FULL"]
NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]+|\d+)([uUlL]*)$")
STATEMENT = re.compile(r"(?:\w+\(|\*|\+\+|--|[a-z_]\w*(?:->|\.|\[|\+\+|--| [+\-|&^]?= )"
                       r"|break;|continue;|return;|return )")
DECLARATION = re.compile(r"(?:const |static |struct |enum |uint|int|bool |char |void |"
                         r"size_t |tp_\w+_t |volatile )")


def mutants(file, text):
    """Every mutant of the text of a file, in order."""
    shown = HIDDEN.sub(lambda hit: re.sub(r"[^\n]", " ", hit[0]), text)
    found, seen = [], Counter()
    for body in BODY.finditer(shown):
        function = NAME.search(shown[:body.start()])
        for begin, old, new in sorted(set(changes(body[1], body.start(1)))):
            old = text[begin:begin + len(old)]
            name = f"{function[1]}: {short(old)} -> {short(new)}"
            seen[name] += 1
            if seen[name] > 1:
                name += f" #{seen[name]}"
            line = text.count("\n", 0, begin) + 1
            found.append(Mutant(file, line, begin, old, new, name))
    return found


def decides(mutant):
    """Is a condition of it always so, or never?"""
    return mutant.other in ("0", "1") and not NUMBER.match(mutant.text)


def short(text):
    return " ".join(text.split())


def changes(body, at):
    tokens = [(hit[0], at + hit.start()) for hit in TOKEN.finditer(body)
              if not hit[0].isspace()]
    yield from of_tokens(tokens)
    yield from of_conditions(tokens, body, at)
    yield from of_arguments(tokens, body, at)
    yield from of_statements(body, at)


def of_tokens(tokens):
    for number, (token, begin) in enumerate(tokens):
        before = tokens[number - 1][0] if number else "{"
        if token in "*&+-" and before in UNARY_AFTER | {")"}:
            if before != ")" or token == "*":
                continue  # A pointer, an address, a sign; or a cast.
        if token == "*" and is_type(before, tokens[max(0, number - 2)][0]):
            continue
        if token in LEVELS:
            place = LEVELS.index(token)
            others = LEVELS[max(0, place - 1):place] + LEVELS[place + 1:place + 2]
        elif NUMBER.match(token):
            others = numbers(token)
        else:
            others = SWAPS.get(token, [])
        for other in others:
            yield begin, token, other


def is_type(word, before):
    """Whether it is one, so that a star behind it is that of a pointer."""
    return word in ("char", "void") or word.endswith("_t") or \
        before in ("struct", "enum")


def numbers(token):
    suffix = NUMBER.match(token)[1]
    value = int(token[:len(token) - len(suffix)] or "0", 0)
    return [f"{value + 1}{suffix}"] + ([f"{value - 1}{suffix}"] if value else [])


def of_conditions(tokens, body, at):
    """Each in brackets after if and while, and before a question mark: 0 and 1."""
    for number, (token, _) in enumerate(tokens[:-1]):
        if token in ("if", "while") and tokens[number + 1][0] == "(":
            begin = tokens[number + 1][1] + 1
            end = closing(body, begin - at) + at
            for other in "01":
                yield begin, body[begin - at:end - at], other


def closing(text, begin):
    """Where the bracket is closed that was opened before [begin]."""
    depth = 1
    for place in range(begin, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place
    return len(text)


def of_arguments(tokens, body, at):
    """Two neighbours of a call change places."""
    for number, (token, begin) in enumerate(tokens[1:], 1):
        called = tokens[number - 1][0]
        if token != "(" or not re.match(r"[a-z]\w+$", called) or called in (
                "if", "while", "for", "switch", "return", "sizeof"):
            continue
        inner = body[begin - at + 1:closing(body, begin - at + 1)]
        parts = split(inner)
        for place in range(len(parts) - 1):
            one, other = parts[place].strip(), parts[place + 1].strip()
            if one != other:
                swapped = [*parts[:place], " " + other, " " + one,
                           *parts[place + 2:]]
                yield begin + 1, inner, ",".join(swapped).strip()


def split(text):
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def of_statements(body, at):
    """What can be left out: each that is no declaration."""
    for hit in re.finditer(r"(?:^ +|\) |else )(?=\S)([^;{}\n]*(?:\n[^;{}\n]*)*?;)",
                           body, re.M):
        text, begin = hit[1], at + hit.start(1)
        if STATEMENT.match(text) and not DECLARATION.match(text) and \
                not text.startswith("return "):
            yield begin, text, ";"


def applied(text, mutant):
    end = mutant.begin + len(mutant.text)
    return text[:mutant.begin] + mutant.other + text[end:]
