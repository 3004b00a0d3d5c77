# SPDX-License-Identifier: MIT
"""Check: what a rule is, and the rules for the rows of [pools]."""

from .contexts import rivals
from .rows import Pool
from .toml import quote
from .values import CPUS, LINK_BYTES, OWN_POLICY, THIEVES, unknown, written

ROW_RULES = []
CONFIG_RULES = []
PRINTED_RULES = []  # Of what is right so far.


def row_rule(kinds, *needed):
    """Registers a rule for rows of [kinds], for those whose [needed] keys are known."""
    def register(rule):
        ROW_RULES.append((kinds, needed, rule))
        return rule
    return register


def pool_rule(*needed):
    return row_rule(Pool, *needed)


def config_rule(rule):
    CONFIG_RULES.append(rule)
    return rule


def printed_rule(rule):
    PRINTED_RULES.append(rule)
    return rule


def bank_of(pool, config, *needed):
    """The bank that it lies in, if that is known so far."""
    bank = config.banks.get(pool.lies_in)
    return bank if bank and bank.knows(*needed) else None


@pool_rule("full", "then", "evict", "deinit", "handles", "isr")
def owners_learn_of_theft(pool, config):
    told = pool.evict or pool.deinit or pool.is_class or pool.handles
    if pool.steals and not (pool.isr or told):
        yield pool.error(thief(pool), "raw pointers and theft do not mix",
                         'evict = "FUNCTION" lets the owner forget the victim',
                         "handles = 32 lets the owner notice")


def thief(pool):
    """The key that says that it steals."""
    return "then" if pool.full == "spill" else "full"


@pool_rule("full", "then", "handles", "isr", "allocates", "waits")
def theft_in_interrupts_needs_handles(pool, config):
    who = "an interrupt" if pool.fills_in_interrupts else "a task"
    if pool.steals and pool.isr and not pool.handles:
        yield pool.error(thief(pool),
                         f"a pool that steals in {who.split()[1]}s needs handles",
                         f"{who} may steal what is just being freed; add handles = 32")


def may_steal(pool, *answers):
    """Whether it answers so; or what it then does is missing, which is told."""
    return pool.answer in (*(answers or THIEVES), None)


@pool_rule("full", "then", "evict")
def only_thieves_evict(pool, config):
    if pool.evict and not may_steal(pool):
        yield pool.error("evict",
                         f"{thief(pool)} = {quote(pool.answer)} never evicts",
                         "evict belongs to " + ", ".join(THIEVES))


# What else belongs to some pools only: key, whose it is in words, whose it is.
KEYS_OF_SOME = [
    ("score", 'full = "steal-least"', lambda pool: may_steal(pool, "steal-least")),
    ("refuse_below", 'full = "steal-least"',
     lambda pool: may_steal(pool, "steal-least")),
    ("min_age", "pools that steal", may_steal),
    ("pin", "pools that steal", may_steal),
    ("spill", 'full = "spill"', lambda pool: pool.full == "spill"),
    ("chunks", 'full = "spill"', lambda pool: pool.full == "spill"),
    ("then", 'full = "spill"', lambda pool: pool.full == "spill"),
    ("untyped", 'full = "spill"', lambda pool: pool.full == "spill"),
    ("patience", "pools that others spill into", lambda pool: pool.borrowers),
    ("on_low", "pools with low_water", lambda pool: pool.watched),
    ("refill", "pools with low_water", lambda pool: pool.watched),
    ("on_refill", "pools with low_water", lambda pool: pool.watched),
    ("take_back", "pools with policy", lambda pool: pool.policy),
    ("release", "pools that scenes cut", lambda pool: pool.cut and not pool.sleeps),
    ("validate", "pools with retain", lambda pool: pool.retain),
    ("close", "pools with retain", lambda pool: pool.retain),
]


@pool_rule("full", "then", "low_water", "retain")
def keys_have_a_meaning(pool, config):
    for key, whose, belongs in KEYS_OF_SOME:
        if key not in pool.node.value or belongs(pool):
            continue
        if key == "patience" and not knows_spills(config):
            continue
        if key != "release" or knows_scenes_of(pool, config):
            yield pool.error(key, f"{key} has no meaning here",
                             f"it belongs to {whose}")


def knows_scenes_of(row, config):
    """Whether no scene may have meant it."""
    return not config.lost and all(row.name not in scene.wrong
                                   for scene in config.tables["scenes"])


def knows_spills(config):
    return not config.lost and all(pool.knows("spill") for pool in config.pools)


@pool_rule("full", "policy")
def one_answer_is_enough(pool, _):
    if pool.policy and "full" in pool.node.value:
        yield pool.error("policy", "full and policy are two answers",
                         "take one of them out")


@pool_rule("full", "then", "score")
def the_least_needs_a_score(pool, _):
    if pool.answer == "steal-least" and not pool.score:
        yield pool.error(thief(pool), "score is missing",
                         'score = "FUNCTION" tells how much an object would be missed')


def scans_in_interrupts(pool):
    return pool.answer == "steal-least" and pool.fills_in_interrupts


@pool_rule("full", "then", "isr", "allocates", "waits")
def scans_in_interrupts_take_long(pool, _):
    if scans_in_interrupts(pool) and "count" not in pool.wrong:
        yield pool.warning(thief(pool),
                           f"when it is full, an interrupt looks at up to {pool.count} "
                           "objects",
                           f'{thief(pool)} = "steal-oldest" looks at one')


@pool_rule("full", "then", "isr", "allocates", "waits", "min_age")
def scans_in_interrupts_spare_the_newest(pool, _):
    if scans_in_interrupts(pool) and not pool.min_age:
        yield pool.warning(thief(pool),
                           "an interrupt may take what was issued a moment ago, by the "
                           "score of what lay there before",
                           "min_age = 2 spares it, in units of tp_clock_now")


@pool_rule("reserve", "count")
def a_reserve_is_a_part(pool, _):
    if pool.reserve and pool.reserve >= pool.count:
        yield pool.error("reserve",
                         f"must be less than count = {pool.count}, not {pool.reserve}")


@pool_rule("reserve", "full", "in")
def reserves_drop_or_assert(pool, _):
    if pool.reserve and pool.full not in ("assert", "drop"):
        yield pool.error("reserve", f"{written(pool.full)} has no reserve",
                         "pools that assert or drop may have one")
    elif pool.reserve and pool.nest:
        yield pool.error("reserve", "what lies in a nest has no reserve")


@pool_rule("low_water", "refill", "count")
def water_rises_above_its_mark(pool, _):
    if pool.watched and not pool.low_water < pool.refill <= pool.count:
        yield pool.error("refill" if "refill" in pool.node.value else "low_water",
                         f"low_water = {pool.low_water} must be below refill = "
                         f"{pool.refill}, and that at most count = {pool.count}")


def other_than_plain(pool):
    """What of a pool goes past the calls that watch it."""
    answers = ("assert", "drop", OWN_POLICY)
    found = [f"full = {quote(pool.full)}"] if pool.full not in answers else []
    found += [key for key in ("handles", "reserve") if getattr(pool, key)]
    found += [key for key in pool.OBJECT_KEYS if getattr(pool, key)]
    found += ['code = "own"'] * (pool.code == "own")
    return found + ["what others spill into it"] * bool(pool.borrowers)


@pool_rule("low_water", "full", "handles", "reserve", "code", *Pool.OBJECT_KEYS)
def watched_pools_are_plain(pool, _):
    if pool.watched and other_than_plain(pool):
        yield pool.error("low_water",
                         f"does not go with {other_than_plain(pool)[0]}, whose calls "
                         "would not be counted",
                         "a pool with low_water drops or asserts, and has no reserve, "
                         "handles, hooks, or code of its own")


@pool_rule("wait", "waits", "full", "low_water", "handles", "reserve", "code",
           "lock", "type", "opaque", *Pool.OBJECT_KEYS)
def who_waits_has_a_plain_pool_that_drops(pool, _):
    found = [written(pool.full)] * (pool.full != "drop")
    found += ["a class"] * pool.is_class
    found += ["low_water"] * pool.watched
    found += [what for what in other_than_plain(pool) if what != "handles"]
    found += pool.shared_out()
    found += [f"lock = {quote(pool.lock)}"] * (pool.lock in ("none", "exclusive"))
    if pool.awaited and found:
        yield pool.error("wait" if pool.wait else "waits",
                         f"does not go with {found[0]}",
                         'a pool that is waited for has full = "drop", a lock that '
                         "masks, and no class, reserve, low_water, hooks, or code of "
                         "its own")


@pool_rule("full", "reserve", *Pool.OBJECT_KEYS)
def a_reserve_knows_no_objects(pool, _):
    hooks = [key for key in pool.OBJECT_KEYS if getattr(pool, key)]
    if hooks and pool.reserve:
        yield pool.error(hooks[0], "a pool with a reserve has no hooks",
                         "objects in the reserve would miss them")


@pool_rule("full", "spill", "chunks", *Pool.OBJECT_KEYS)
def objects_are_lent_by_one_pool_that_knows_none(pool, _):
    hooks = [key for key in pool.OBJECT_KEYS if getattr(pool, key)]
    lender = pool.lender
    if not hooks or pool.full != "spill":
        return
    if pool.chunks:
        yield pool.error(hooks[0], "a pool with chunks has no hooks",
                         "objects in chunks that come and go would miss them")
    elif pool.retain:
        yield pool.error("retain", "what spills retains nothing",
                         "a lent slot is another pool's next time")
    elif lender and lender.full == "spill":
        yield pool.error(hooks[0], f"{lender.name} spills in turn, so its objects "
                                   "would miss the hooks",
                         "hooks are called for what one other pool lends")


@pool_rule("full", "spill", "chunks")
def lenders_have_no_objects_of_their_own(pool, _):
    if pool.full != "spill":
        return
    lenders = [("chunks", other) for other in pool.attached]
    for key, other in [("spill", pool.lender)] * bool(pool.lender) + lenders:
        if other.objects and other.knows("type", "opaque", *other.OBJECT_KEYS):
            hook = next((hook for hook in other.OBJECT_KEYS if getattr(other, hook)),
                        "type")
            what = "is of a class" if hook == "type" else f"has {hook}"
            yield pool.error(key,
                             f"{other.name} {what} on line {other.place(hook).line}, "
                             "which would meet what it lends",
                             "what lends slots has no hooks and is of no class")


@pool_rule("full", "evict", "type", *Pool.OBJECT_KEYS)
def theft_is_told_once(pool, _):
    if pool.evict and pool.steals and pool.is_class:
        yield pool.error("evict", "the destructor runs in a theft as well",
                         "do there what evict would")
    elif pool.evict and pool.steals and pool.objects:
        yield pool.error("evict", "deinit is told of theft as well",
                         'write deinit in place of evict')


@pool_rule("type", "opaque", "full", "reserve", "low_water", "code", "init", "deinit",
           "retain", "link")
def classes_live_by_constructor_and_destructor(pool, _):
    """What goes past them."""
    found = [key for key in ("init", "deinit", "retain", "reserve", "link")
             if getattr(pool, key)]
    found += ["low_water"] * pool.watched + ["full"] * (pool.full == "spill")
    found += ["code"] * (pool.code == "own")
    for key in found[:1] if pool.is_class else []:
        what = key
        if key in ("full", "code"):
            what = f"{key} = {quote(getattr(pool, key))}"
        yield pool.error(key, f"{what} has no meaning for a class",
                         f"{pool.type} is made by its constructor in NAME_create() and "
                         "ends by its destructor")


@pool_rule("retain", "size")
def what_is_retained_lies_in_the_object(pool, _):
    if pool.retain and sum(pool.retain) > pool.size:
        offset, size = pool.retain
        yield pool.error("retain",
                         f"{size} bytes at {offset} end behind size = {pool.size}")


@pool_rule("link", "size")
def the_link_is_a_word_of_the_object(pool, _):
    if pool.link % LINK_BYTES:
        yield pool.error("link",
                         f"must be a multiple of {LINK_BYTES}, not {pool.link}",
                         f"link = {pool.link // LINK_BYTES * LINK_BYTES}")
    elif pool.link and not unknown(pool.size) and pool.size < pool.link + LINK_BYTES:
        yield pool.error("link",
                         f"a link of {LINK_BYTES} bytes at {pool.link} ends behind "
                         f"size = {pool.size}")


@pool_rule("link", "retain")
def what_is_retained_lies_behind_the_link(pool, _):
    if pool.retain and pool.retain[0] < pool.link:
        yield pool.error("retain",
                         f"it begins at {pool.retain[0]}, before link = {pool.link}",
                         "what is retained lies behind the link")


@pool_rule("link", "full", "policy")
def links_are_known_to_typed_calls_only(pool, _):
    if pool.link and pool.policy:
        yield pool.error("link", f"{pool.policy} would not know of it",
                         "policies deal in slots, which begin at their link")


# Its handles, its hooks and what is counted are of its own slots.
@pool_rule("policy", "take_back", "full", "handles", "low_water", "init", "deinit",
           "in_use", "retain", "code")
def what_is_taken_back_is_known_by_its_address_alone(pool, _):
    if not pool.take_back:
        return
    for key, has in (("handles", pool.handles), ("low_water", pool.watched),
                     ("code", pool.code == "own"),
                     (hook_of(pool), pool.objects)):
        if has:
            yield pool.error(key, f"{key} knows nothing of what {pool.policy} lends",
                             "take_back = false, or leave it out")


def hook_of(pool):
    """A key that gives it calls for objects."""
    return next((key for key in ("init", "deinit", "in_use", "retain")
                 if key in pool.node.value), "type")


@pool_rule("type", "union")
def a_slot_is_for_one_type_or_several(pool, _):
    if pool.type and pool.union:
        yield pool.error("union", "type and union are two answers", "take one of them "
                                                                    "out")


@pool_rule("full", "isr", "allocates", "waits")
def interrupts_do_not_assert(pool, config):
    if pool.fills_in_interrupts and pool.full == "assert":
        yield pool.warning("full", "when it is full, an interrupt stops the firmware",
                           'full = "drop" leaves the answer to the interrupt')


@pool_rule("lock", "isr")
def interrupts_need_a_lock(pool, config):
    if pool.isr and pool.lock == "none" and not rivals(pool.users):
        yield pool.error("lock", "a pool used from interrupts needs a lock",
                         'write lock = "primask"')


LACKS = {"basepri": "has no BASEPRI", "exclusive": "has no LDREX and STREX"}


@pool_rule("lock")
def the_core_has_such_a_lock(pool, config):
    cpu = config.build.cpu
    if cpu and pool.lock_means and pool.lock_means not in CPUS[cpu]:
        yield pool.error("lock", f"{cpu} {LACKS[pool.lock_means]}",
                         'write lock = "primask"')


@pool_rule("lock", "code")
def special_locks_are_compiled_in(pool, config):
    if pool.lock_means and pool.code == "shared":
        yield pool.error("lock", "the code that all pools share masks by PRIMASK",
                         'add code = "own", or lock = "primask" where that has no'
                         " meaning")


@pool_rule("lock", "full", "handles", "reserve", *Pool.OBJECT_KEYS)
def exclusive_pools_keep_a_list_only(pool, config):
    kept = pool.steals or pool.tagged and not pool.owner or pool.borrows
    if pool.lock == "exclusive" and (kept or pool.borrowers):
        kept = "handles" if pool.handles else "hooks or spills"
        yield pool.error("lock",
                         "LDREX and STREX change one word at a time; a pool with "
                         f"{'ages' if pool.steals else kept} changes more",
                         'write lock = "primask"')
