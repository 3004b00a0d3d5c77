# SPDX-License-Identifier: MIT
"""The conditions of a decision in C, read from its text."""

import re

TOKEN = re.compile(r"\s+|&&|\|\||\w+|.", re.S)
OPENING, CLOSING = "([{", ")]}"


def conditions(text):
    """(begin, end) of each operand of && and ||, whatever brackets they stand in."""
    tokens = [(found[0], found.start(), found.end())
              for found in TOKEN.finditer(text) if not found[0].isspace()]
    return [(part[0][1], part[-1][2]) for part in operands(tokens)]


def operands(tokens):
    for operator in ("||", "&&"):
        parts = split(tokens, operator)
        if len(parts) > 1:
            return [one for part in parts for one in operands(part)]
    inner = tokens
    while inner and inner[0][0] == "!":
        inner = inner[1:]
    if inner and inner[0][0] == "(" and closing(inner) == len(inner) - 1:
        within = operands(inner[1:-1])
        if len(within) > 1:
            return within
    return [tokens] if tokens else []


def split(tokens, operator):
    parts, depth = [[]], 0
    for token in tokens:
        depth += (token[0] in OPENING) - (token[0] in CLOSING)
        if depth == 0 and token[0] == operator:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def closing(tokens):
    """Where the bracket that stands first is closed."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token[0] in OPENING) - (token[0] in CLOSING)
        if depth == 0:
            return place
    return None
