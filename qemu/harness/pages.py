# SPDX-License-Identifier: MIT
"""run.json and summary.json as they are read again: whole, or a sentence."""

import json
from dataclasses import fields

from .errors import CannotRun
from .options import Options
from .result_folder import RUN, SUMMARY

KINDS = {
    RUN: {"options": dict, "arguments": list, "elf_sha256": str, "qemu": str,
          "checkpoint_every": int},
    SUMMARY: {"verdict": str, "why": str, "complete": bool, "frames": int}}
FROM_JSON = {float: (float, int), tuple: (list,)}  # What it makes of some.
# Table -> what each of its rows has.
OF_ONE_RUN = {"faults": {"kind", "frame", "pool", "slot"},
              "audits": {"text", "frame", "pool", "slot"},
              "results": {"name", "passed", "detail"}, "pools": {"name"}}
TABLES = {**OF_ONE_RUN, "expectations": {"name", "failed", "first"}, "runs": set(),
          "suspicions": {"what", "frame", "pool", "slot", "address", "than"}}


def page(path):
    """What the file holds, or None if there is none. Raises CannotRun."""
    try:
        content = json.loads(path.read_text())
    except OSError:
        return None
    except ValueError:
        content = None
    if not _is_whole(content, path.name):
        raise CannotRun(f"{path} is damaged: it does not hold what a soak wrote there.")
    return content


def _is_whole(content, name):
    return isinstance(content, dict) and all(
        isinstance(content.get(key), kind) for key, kind in KINDS[name].items()
    ) and all(_is_table(content.get(key, []), has) for key, has in TABLES.items()) \
        and _are_options(content.get("options", {})) and (
            name != SUMMARY or not {"runs", "swarm"}.isdisjoint(content)
            or content.keys() >= OF_ONE_RUN.keys())


def _is_table(rows, has):
    return isinstance(rows, list) and all(
        isinstance(row, dict) and row.keys() >= has for row in rows)


def _are_options(options):
    kinds = {field.name: type(field.default) for field in fields(Options)}
    return options.keys() <= kinds.keys() and all(
        type(value) in FROM_JSON.get(kinds[name], (kinds[name],))
        for name, value in options.items())
