# SPDX-License-Identifier: MIT
"""What is wrong with a table, and how that is printed."""

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
