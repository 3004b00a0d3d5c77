# SPDX-License-Identifier: MIT
"""Describe: the keys, for people and for editors."""

from .model import SECTIONS
from .rows import Scene
from .text import paragraphs
from .values import COUNT_MAX, IDENTIFIER, VERSION, whole


def schema():
    """The file as a JSON Schema, in the words that draft 4 to draft 7 share."""
    properties = {"tidepool": {"enum": [VERSION], "description":
                               "The format of this file."}}
    for name, section in SECTIONS.items():
        counted = section.kind is Scene
        table = schema_of_counts() if counted else schema_of_row(section.keys)
        if name != "build":
            table = {"type": "object",
                     "patternProperties": {f"^{IDENTIFIER.pattern}$": table},
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
    properties = {name: dict(key.read.schema,
                             description=f"{key.value}. Makes {key.says}.")
                  for name, key in keys.items()}
    needed = [name for name, key in keys.items() if key.needed and not key.unless]
    row = {"type": "object", "properties": properties, "additionalProperties": False}
    return dict(row, required=needed) if needed else row


def explain(word):
    """What [word] means, a table, a key or TABLE.KEY; None if there is none such."""
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
