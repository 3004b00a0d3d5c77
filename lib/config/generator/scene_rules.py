# SPDX-License-Identifier: MIT
"""The rules for what scenes cut, and for banks that sleep, which is the same."""

from .allocators import Blocks, Dense, Frame, Scenes, Stack
from .pool_rules import config_rule, knows_scenes_of, pool_rule, row_rule
from .rows import Pool
from .toml import did_you_mean, error, quote
from .values import SCENES_MAX, unknown


def cut_by(row):
    """What row it is that has not all of its memory at all times."""
    return f"its bank {quote(row.bank)} sleeps" if row.sleeps else "scenes cut it"


@row_rule((Pool, Dense))
def scenes_cut_numbers(row, config):
    if row.cut and unknown(row.count):
        yield row.error("count", f"{cut_by(row)}, so its count must be a number")


@config_rule
def scenes_name_rows(config):
    rows = {row.name: row for row in config.rows()}
    names = [name for name, row in rows.items() if row.SHARE]
    for scene in config.tables["scenes"]:
        for name, node in scene.node.value.items():
            if name in rows and name not in names:
                yield error(node.name,
                            f"{scene.title}: scenes cut no {rows[name].what}, as "
                            f"{quote(name)} is",
                            "they cut pools, stacks, frames, blocks and dense pools")
            elif name not in names and not config.lost:
                yield error(node.name, f"{scene.title}: unknown row {quote(name)}",
                            *[did_you_mean(name, names)] if names else [])


@config_rule
def scenes_name_all_that_they_cut(config):
    for row in config.scenes.cut_rows if config.scenes else []:
        for scene in config.tables["scenes"]:
            named = row.name in scene.node.value or row.name in scene.wrong
            if not named and row.knows_amount():
                yield scene.warning(None, f"{row.what} {quote(row.name)} is missing",
                                    f"{own_amount(row)} holds there")


def own_amount(row):
    key = next(key for key in ("count", "bytes", "classes") if key in row.node.value)
    amount = "what its classes say" if key == "classes" else f"its {key} = {row.amount}"
    return f"{amount} on line {row.place(key).line}"


@config_rule
def scenes_are_counted_in_a_byte(config):
    scenes = config.tables["scenes"]
    if len(scenes) > SCENES_MAX:
        yield scenes[SCENES_MAX].error(None, f"{len(scenes)} scenes are too many",
                                       f"{SCENES_MAX} are the most")


@config_rule
def scenes_cut_something(config):
    for row in config.rows():
        mentions = [scene for scene in config.tables["scenes"]
                    if row.SHARE and row.name in scene.node.value]
        is_cut = row.parts() and not row.sleeps
        if (mentions and not is_cut and row.knows("classes")
                and knows_scenes_of(row, config)):
            node = mentions[0].node.value[row.name]
            yield error(node.place,
                        f"{mentions[0].title}: {row.name} has nothing in any scene",
                        "give it some in one, or take it out of all")


def more_than_cut(pool):
    """What a pool has that scenes cannot cut."""
    found = [key for key in ("reserve", "patience") if getattr(pool, key)]
    found += ["low_water"] * pool.watched + ['full = "spill"'] * (pool.full == "spill")
    return found + ["what others spill into it"] * bool(pool.borrowers)


@pool_rule("reserve", "low_water", "full")
def scenes_cut_plain_pools(pool, _):
    if pool.cut and more_than_cut(pool):
        what = more_than_cut(pool)[0]
        yield pool.error(what.split()[0],
                         f"{cut_by(pool)}, which {what} does not allow",
                         "all slots of such a pool lie side by side")


@row_rule((Pool, Stack, Frame, Blocks, Dense), "in")
def scenes_cut_no_nests(row, _):
    if row.nest and row.parts():
        yield row.error("in", f"{cut_by(row)}, which in does not allow",
                        "its memory is the scenes' or the nest's")


@config_rule
def scenes_lie_in_one_bank(config):
    for row in config.scenes.cut_rows if config.scenes else []:
        first = config.scenes.cut_rows[0]
        if row.bank != first.bank and row.knows("bank") and first.knows("bank"):
            yield row.error("bank",
                            f"scenes cut it, and {first.name} on line "
                            f"{first.place().line} out of one memory, but their banks "
                            "differ")


CAN_SLEEP = "pools, stacks, frames, blocks and dense pools can"


@config_rule
def what_lies_in_a_bank_that_sleeps_can(config):
    for row in config.rows():
        bank = config.banks.get(row.bank)
        if bank is None or not bank.sleeps or row.sleeps or isinstance(row, Scenes):
            continue
        told = f"bank {quote(bank.name)} sleeps, "
        if row.parts():
            yield row.error("bank", told + "and scenes cut it",
                            "a scene that gives nothing to what lies there does the "
                            "same: take sleeps out")
        elif not row.wrong:
            yield row.error("bank", f"{told}which a {row.what} cannot", CAN_SLEEP)


@pool_rule("retain")
def what_is_retained_does_not_sleep(pool, _):
    if pool.sleeps and pool.retain:
        yield pool.error("retain", f"{cut_by(pool)}, and what is retained would not "
                         "be there any more", "take it out, or another bank")


@config_rule
def banks_that_sleep_forget(config):
    for bank in config.banks.values():
        if bank.sleeps and bank.retained:
            yield bank.error("sleeps", "it is retained, and would be neither",
                             "what is retained outlives a reset, not a loss of power")
