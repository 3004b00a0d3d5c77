# SPDX-License-Identifier: MIT
"""Tables of pools that nobody would write: right in form, odd in what they say."""

import json

from helper import read
from generator.toml import plain

# Values as they stand in a file.
ODD = ["-1", "0", "1", "3", "65536", "4294967296", "9223372036854775807", "1.5", "nan",
       "true", "[]", "{}", "[0]", "[-4, 8]", "[0, 4]", '["a", "a"]', "[[]]", "[{}]",
       "{ bytes = 8 }", '""', '"x y"', '"16"', '"4K"', '"0"', '"-4"', '"2 * 3"',
       '"sizeof(int)"', '"*/"', '"\\\\"', '"\\n"', '"%s"', '"é"', '"linux"', '"NULL"',
       '"int"', '"drop"', '"assert"', '"steal-oldest"', '"steal-least"', '"spill"',
       '"none"', '"exclusive"', '"basepri:64"', '"basepri:"', '"root"', '"own"',
       '"game.h"', '"' + "x" * 300 + '"']
NAMES = ["int", "if", "linux", "NULL", "errno", "main", "tp_pool", "_x", "a-b", "a.b",
         "", " ", "x" * 80, "__init__", "é", "pools", "Sparks", "1", "class", "sparks",
         "a", "root", "day"]


class Raw(str):
    """What stands in the file as it is."""


def tree_of(text):
    """What a file that is right says."""
    return plain(read(text).tree)


def text_of(tree):
    """The file that says so, a section for each table at the top."""
    lines = [f"{json.dumps(key)} = {written(value)}" for key, value in tree.items()
             if not isinstance(value, dict)]
    for key, value in tree.items():
        if isinstance(value, dict):
            lines.append(f"[{json.dumps(key, ensure_ascii=False)}]")
            lines += rows(value)
    return "\n".join(lines) + "\n"


def rows(table):
    return [f"{json.dumps(key, ensure_ascii=False)} = {written(value)}"
            for key, value in table.items()]


def written(value):
    if isinstance(value, Raw):
        return value
    if isinstance(value, dict):
        return "{ " + ", ".join(rows(value)) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False, default=repr)  # What was unreadable.


def places(node):
    """(what holds it, its key) of every value below a node."""
    keys = list(node) if isinstance(node, dict) else range(len(node))
    for key in keys:
        yield node, key
        if isinstance(node[key], (dict, list)):
            yield from places(node[key])


def change(tree, dice):
    """Makes one thing in it odd."""
    every = list(places(tree))
    if not every:
        return
    holder, key = dice.choice(every)
    other, from_key = dice.choice(every)
    what = dice.randrange(6)
    if what == 0 or isinstance(holder, list):
        holder[key] = Raw(dice.choice(ODD))
    elif what == 1:
        del holder[key]
    elif what == 2:
        holder[dice.choice(NAMES)] = holder.pop(key)
    elif what == 3:
        holder[dice.choice(NAMES)] = holder[key]
    elif what == 4:
        holder[key] = copied(other[from_key])
    else:
        holder[str(from_key)] = copied(other[from_key])


def copied(value):
    """None of it is the same dict or list: no table lies in itself."""
    if isinstance(value, dict):
        return {key: copied(one) for key, one in value.items()}
    return [copied(one) for one in value] if isinstance(value, list) else value


def odd(text, dice):
    """[text] with one to three things odd."""
    tree = tree_of(text)
    for _ in range(dice.randint(1, 3)):
        change(tree, dice)
    return text_of(tree)
