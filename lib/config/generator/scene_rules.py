# SPDX-License-Identifier: MIT
"""Check: rules for scenes and for banks that are retained."""

from .problems import did_you_mean, error, quote
from .rows import Pool
from .rules import config_rule, pool_rule


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
        mentions = [scene
                    for scene in config.tables["scenes"]
                    if pool.name in scene.node.value]
        if mentions and not pool.cut and all(pool.name not in scene.wrong
                                             for scene in mentions):
            node = mentions[0].node.value[pool.name]
            yield error(node.place,
                        f"{mentions[0].title}: {pool.name} has no slots in any scene",
                        "give it some in one, or take it out of all")


def more_than_cut(pool):
    """What a pool has that scenes cannot cut."""
    found = [key for key in ("isr", "reserve", "patience", "nest")
             if getattr(pool, key)]
    found += ["low_water"] * pool.watched + ['full = "spill"'] * (pool.full == "spill")
    found += ['code = "own"'] * (pool.code == "own")
    return found + ["what others spill into it"] * bool(pool.borrowers)


@pool_rule("isr", "reserve", "in", "low_water", "full", "code")
def scenes_cut_plain_pools(pool, _):
    if pool.cut and more_than_cut(pool):
        what = more_than_cut(pool)[0]
        key = "in" if what == "nest" else what.split()[0]
        yield pool.error(key, f"scenes cut it, which {what} does not allow",
                         "a pool that scenes cut is used by one context, and all its "
                         "slots lie side by side")


@config_rule
def scenes_lie_in_one_bank(config):
    for pool in config.scenes.pools if config.scenes else []:
        if pool.bank != config.scenes.bank and pool.knows("bank"):
            first = config.scenes.pools[0]
            yield pool.error("bank",
                             f"scenes cut it, and {first.name} on line "
                             f"{first.place().line} out of one memory, but their banks "
                             "differ")


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
            if row.lies_in != bank.name or row is config.scenes:
                continue
            if more_than_kept(row):
                yield row.error("bank",
                                f"bank {quote(bank.name)} is retained, which "
                                f"{more_than_kept(row)[0]} is not",
                                "the metadata that lies elsewhere is cleared by a "
                                "reset")
