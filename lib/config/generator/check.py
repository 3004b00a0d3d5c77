# SPDX-License-Identifier: MIT
"""Check: a file to a table that obeys every rule, or to complaints."""

import sys

from . import pool_rules, scene_rules  # noqa: F401 They register rules.
from .model import Config
from .problems import Trouble, render
from .rules import CONFIG_RULES, ROW_RULES
from .toml import Parser


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
        raise Trouble(f"{path}:{line}:{column}: error: not UTF-8, in which TOML is "
                      "written")


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
