# SPDX-License-Identifier: MIT
"""Print: the definitions in tp_pools.c of rows of [pools]."""

from . import harden
from .calls import cast, seal_checks, slot_of
from .dma import define_dma, ended, notes
from .owners import define_owners
from .page import array, descriptor, hooked, pointers, section, sentinel, times
from .rows import Reserve
from .values import LOCKS, MAGAZINE_BYTES, OWN_POLICY, TAG_BYTES, unknown

# Of struct tp_pool, in its order.
FIELDS = """tag origin inverse gate state storage age born policy general evict name
    link_check stride size capacity lock zone tagged refuses handle_bits takes_foreign
    min_age hardened magazine""".split()
POLICY_OBJECTS = {"assert": "tp_assert", "drop": "tp_drop",
                  "steal-oldest": "tp_steal_oldest"}
DETACHED = "tp_steal_detached"  # The latter, of rows whose slots never turn.


def define_pool(pool):
    lines = define_reserve(pool) if pool.reserve else []
    lines += ahead_of(pool) + slots(pool) + pool_descriptor(pool, "pool", policy(pool))
    if pool.reserve:
        lines += pool_descriptor(pool, "urgent_pool", f"&{pool.name}_spill.policy")
    return lines + behind(pool)


def define_part(part, answer):
    """A pool that a row makes beside its own."""
    return slots(part) + pool_descriptor(part, "pool", f"&{answer}")


def define_reserve(pool):
    """The slots kept, and what normal requests and urgent ones do about them."""
    part = Reserve(pool)
    then = POLICY_OBJECTS[pool.full]
    spill = [("take_back", "tp_spill_take_back"), ("into", f"&{part.name}_chunk"),
             ("then", f"&{then}"), ("state", f"&{pool.name}_spill_state"),
             *[("tagged", 1)] * pool.lent]
    return (define_part(part, "tp_drop") + define_owners(part) + chunk(part, 0)
            + [f"static struct tp_spill_state {pool.name}_spill_state;"]
            + spill_descriptor(pool, "spill", "tp_spill_overflow", spill)
            + spill_descriptor(pool, "calm", "tp_reserve_overflow", spill))


def spill_descriptor(pool, name, overflow, fields):
    fields = [("policy.overflow", overflow), ("policy.take_back", fields[0][1])] \
        + fields[1:]
    return descriptor("static const struct tp_spill", f"{pool.name}_{name}", fields)


def slots(pool):
    """Its numbers, and its memory."""
    name, where = pool.name, section(pool, ".metadata") if pool.retained else ""
    tags = f"{pool.slots} + 1" if pool.tagged else f"TP_TAGS({pool.slots}) + 1"
    tags += f" + {MAGAZINE_BYTES // TAG_BYTES}" if pool.magazine else ""
    tags += f" + {pool.slots}" if pool.outside else ""
    lines = ["enum {",
             f"  {name}_stride = TP_STRIDE({pool.size}, {pool.align}),",
             f"  {name}_shift = TP_SHIFT({name}_stride),",
             f"  {name}_odd = {name}_stride >> {name}_shift,",
             "};",
             *array("uint32_t", f"{name}_tag", tags, where),
             *array("struct tp_pool_state", f"{name}_state", where=where)]
    if pool.retained:
        lines += array("uint32_t", f"{name}_seal", where=where)
    if pool.steals:
        lines += array("struct tp_age_link", f"{name}_age", f"{pool.slots} + 1", where)
    if pool.min_age:
        lines += array("uint32_t", f"{name}_born", f"{pool.slots} + 1", where)
    if pool.written:
        lines += ["#if TIDEPOOL_SANITIZE",
                  f"static uint32_t {name}_written[{times(pool.slots)} * "
                  f"TP_WRITTEN({name}_stride)];", "#endif"]
    lines += notes(pool)
    if pool.cut:
        return lines
    words = f"(TP_RED_ZONE({pool.align}) + {times(pool.slots)} * {name}_stride) / 4"
    return lines + array("tp_word_t", f"{name}_storage", words, section(pool),
                         pool.arena_align)


def pool_descriptor(pool, name, answer):
    own, zone = pool.name, f"TP_RED_ZONE({pool.align})"
    before = f"({zone} + {pool.link})" if pool.link else zone
    fields = [("tag", f"{own}_tag"), ("state", f"&{own}_state")]
    hidden = pool.steals or pool.cut or pool.lock == "cores" or pool.closed
    gate = "0" if hidden else f"{pool.slots}"
    gate = f"TP_TAGGED({gate})" if pool.tagged and gate != "0" else gate
    # Of an int: g++ warns of numbers that a short enum does not hold, cast or not.
    gate = f"TP_GATE(+{own}_stride, {gate})"
    if not pool.cut:
        fields += [("storage", f"{own}_storage + {before} / 4"),
                   ("origin", f"(uintptr_t){own}_storage + {before} - {own}_stride"),
                   ("capacity", pool.slots)]
    fields += [("policy", answer), ("name", f'"{own}"'),
               ("size", f"{own}_stride - {before}"), ("stride", f"{own}_stride"),
               ("gate", gate),
               ("inverse", f"TP_INVERSE({own}_odd)"),
               ("zone", zone),
               ("handle_bits", pool.numbered.bit_length()),
               ("lock", LOCKS.get(pool.lock, pool.lock))]
    fields = sorted(fields + options(pool), key=lambda field: FIELDS.index(field[0]))
    lines = descriptor(f"{'' if pool.cut else 'const '}struct tp_pool", f"{own}_{name}",
                       fields)
    written = f"{own}_written" if pool.written else "NULL"
    return lines[:-1] + [f"  TP_OBJECT({pool.size}, {pool.link or 0}, {written})",
                         *[f"  TP_OBJECT_LENT({own}_lent)"] * pool.dma, "};"]


def options(pool):
    """The fields that not every pool has."""
    name = pool.name
    evict = hooked(pool, "evict") if pool.evict else None
    found = [("tagged", pool.tagged, 1),
             ("takes_foreign", pool.borrows or pool.take_back, 1),
             ("refuses", pool.full == "drop" and not pool.reserve, 1),
             ("age", pool.steals, f"{name}_age"),
             ("born", pool.min_age, f"{name}_born"),
             ("min_age", pool.min_age, pool.min_age),
             ("magazine", pool.magazine, pool.magazine),
             *general(pool),
             ("evict", pool.steals and pool.objects, f"{name}_evict"),
             ("evict", evict and not pool.objects, evict),
             ("link_check", sentinel(pool), sentinel(pool))]
    return [(field, value) for field, has, value in found if has]


def general(pool):
    """What serves the calls that do not know it."""
    if pool.lock == "cores":
        return [("general", True, "&tp_cores_general")]
    if pool.closed:
        return harden.fields(pool)
    return [("general", pool.steals or pool.tagged, "&tp_general")]


def policy(pool):
    """What answers when it is full."""
    if pool.reserve:
        return f"&{pool.name}_calm.policy"
    own = {"steal-least": f"&{pool.name}_least.policy",
           "spill": f"&{pool.name}_spill.policy", OWN_POLICY: f"&{pool.policy}"}
    if never_turns(pool):
        own["steal-oldest"] = f"&{DETACHED}"
    return harden.policy(pool) or own.get(pool.full) \
        or f"&{POLICY_OBJECTS[pool.full]}"


def never_turns(pool):
    """Is somebody told of thefts, or another lock taken? policy/tp_steal.h."""
    return pool.full == "steal-oldest" and not pool.closed and bool(
        pool.evict or pool.objects or pool.min_age
        or LOCKS.get(pool.lock) != "TP_LOCK_PRIMASK")


def ahead_of(pool):
    """What its descriptor names."""
    name, lines = pool.name, []
    if pool.answer == "steal-least":
        fields = [("policy.overflow", "tp_least_overflow"),
                  ("score", hooked(pool, "score"))]
        fields += [("refuses_below", 1)] if pool.refuse_below else []
        lines += descriptor("static const struct tp_steal_least", f"{name}_least",
                            fields)
    if pool.full == "spill":
        lines += [f"static struct tp_spill_state {name}_spill_state;"]
        lines += descriptor("const struct tp_spill", f"{name}_spill", [
            ("policy.overflow", "tp_spill_overflow"),
            ("policy.take_back", "tp_spill_take_back"),
            *([("into", f"&{pool.spill}_chunk")] if pool.spill else []),
            ("then", f"&{POLICY_OBJECTS.get(pool.then) or name + '_least.policy'}"),
            ("state", f"&{name}_spill_state"),
            ("tagged", 1)])
    if pool.objects and pool.steals:
        lines += [f"static void {name}_evict(void *victim)", "{",
                  f"  tp_object_retire(&{name}_objects, victim);", "}"]
    return lines


def behind(pool):
    """What names its descriptor."""
    name, lines = pool.name, own_code(pool) if pool.code == "own" else []
    lines += define_owners(pool) + define_dma(pool)
    if pool.retained:
        lines += descriptor("const struct tp_noinit", f"{name}_noinit", [
            ("pool", f"&{name}_pool"), ("seal", f"&{name}_seal"),
            ("config", layout(pool)), ("tags", f"sizeof {name}_tag / 4")])
    if pool.borrowers:
        lines += chunk(pool, pool.patience)
    if pool.watched:
        lines += [f"static struct tp_watermark_state {name}_watermark_state;"]
        told = [(key, getattr(pool, key)) for key in ("on_low", "on_refill")
                if getattr(pool, key)]
        lines += descriptor("const struct tp_watermark", f"{name}_watermark", [
            ("pool", f"&{name}_pool"), ("state", f"&{name}_watermark_state"),
            *told, ("low", pool.low_water), ("refill", pool.refill)])
    if pool.awaited:
        lines += ["TP_STATIC_ASSERT(TP_WAIT_PORTED,",
                  f'                 "{name}: wait = true wants tp_wait_port.h, of a '
                  'folder of port/wait, on the include path");',
                  f"static struct tp_wait_state {name}_wait_state;"]
        lines += descriptor("const struct tp_wait", f"{name}_wait", [
            ("pool", f"&{name}_pool"), ("state", f"&{name}_wait_state")])
    return lines + (objects(pool) if pool.objects else [])


def layout(pool):
    """What memory that outlived a reset is compared with."""
    left = [number for number in (pool.size, pool.count) if unknown(number)]
    own = f"{(pool.library or 'tp').upper()}_CONFIG_HASH"
    return " ^ ".join([own] + [f"{factor}u * {number}" for factor, number
                               in zip((0x9e3779b1, 0x85ebca6b), left)])


def chunk(pool, patience):
    """For those who spill into it."""
    name = pool.name
    fields = [("pool", f"&{name}_pool"), ("state", f"&{name}_chunk_state")]
    lines = [f"static struct tp_chunk_state {name}_chunk_state;"]
    if pool.owned:
        lines += [f"static const void *{name}_owner[{pool.slots} + 1];"]
        fields += [("owner", f"{name}_owner")]
    return lines + descriptor("const struct tp_chunk", f"{name}_chunk",
                              fields + [("patience", patience)])


def own_code(pool):
    """The core, compiled for this pool alone."""
    name, to, slot = pool.name, pointers(pool)["to"], slot_of(pool)
    own, lines, noun = f"&{name}_pool", [], harden.noun_of(pool)
    extend = f"{noun}_extend"
    if pool.lock == "exclusive":
        alloc, free = f"tp_exclusive_alloc({own})", f"tp_exclusive_free({own}, {slot})"
    else:
        if pool.full == "steal-oldest":
            extend = f"{name}_extend"
            lines = stealing(pool)
        alloc = (f"tp_core_alloc({own}, false, {name}_pool.lock, {extend}, NULL, NULL,"
                 " NULL)")
        free = (f"tp_core_free({own}, false, {name}_pool.lock, {noun}_foreign,"
                f" {slot}, NULL)")
    sealed = [f"  {line}" for line in seal_checks(pool)]
    return lines + [f"TP_NOINLINE {to}{name}_alloc(void)", "{", *sealed,
                    f"  return {cast(pool, alloc)};", "}",
                    f"TP_NOINLINE void {name}_free({to}object)", "{", *sealed,
                    f"  {free};", "}",
                    *(own_handles(pool, extend) if pool.own_handles else [])]


def own_handles(pool, extend):
    """The calls with handles that are compiled for this pool alone, too."""
    name, to = pool.name, pointers(pool)["to"]
    kind, own, lock = f"{name}_handle_t", f"&{name}_pool", f"{name}_pool.lock"
    wide = pool.handles == 64
    made = ("tp_claim_made64(made.slot, made.tag)" if wide
            else f"tp_claim_made({own}, made.slot, made.tag)")
    sealed = [f"  {line}" for line in seal_checks(pool)]
    by_tag = f"tp_handle{'64' * wide}_by_tag({own}, object, tag)"
    return [f"static TP_NOINLINE {to}{name}_more({kind} *handle, tp_site_t site)", "{",
            "  uint32_t tag = 0;",
            f"  void *object = {extend}({own}, &tag, site);",
            f"  handle->bits = {by_tag};",
            f"  return {cast(pool, 'object')};", "}",
            f"TP_NOINLINE {to}{name}_alloc_handle({kind} *handle)", "{", *sealed,
            "  uint32_t deferred;",
            "  struct tp_generation made;",
            f"  void *object = tp_claim_alloc({own}, false, {lock}, &made, &deferred);",
            f"  if (!object && deferred) return {name}_more(handle, tp_site(NULL));",
            f"  handle->bits = object ? {made} : TP_NO_HANDLE;",
            f"  return {cast(pool, 'object')};", "}",
            *(own_wide if wide else own_narrow)(pool, sealed)]


def own_narrow(pool, sealed):
    """Getting and freeing by 32 bits."""
    name, to, own = pool.name, pointers(pool)["to"], f"&{pool.name}_pool"
    return [f"TP_NOINLINE {to}{name}_get({name}_handle_t handle)", "{", *sealed,
            f"  return {cast(pool, f'tp_claim_object({own}, handle.bits)')};", "}",
            f"TP_NOINLINE bool {name}_free_handle({name}_handle_t handle)", "{",
            *sealed,
            f"  const struct tp_pool *pool = {own};",
            "  uint32_t bits = pool->handle_bits;",
            "  struct tp_generation claim = tp_claim_parts(bits, handle.bits);",
            "  if (!tp_claim_within(claim.slot, pool->capacity)) return false;",
            "  return tp_claim_free(pool, false, pool->lock, true, bits, claim, NULL);",
            "}"]


def own_wide(pool, sealed):
    """The same by 64."""
    name, to, own = pool.name, pointers(pool)["to"], f"&{pool.name}_pool"
    claim = [*sealed,
             f"  struct tp_generation claim = tp_claim_wide({own}, handle.bits);"]
    return [f"TP_NOINLINE {to}{name}_get({name}_handle_t handle)", "{",
            *claim, f"  return {cast(pool, f'tp_claim_get({own}, &claim)')};", "}",
            f"TP_NOINLINE bool {name}_free_handle({name}_handle_t handle)", "{",
            *claim,
            "  if (claim.slot == 0) return false;",
            f"  return tp_claim_free({own}, false, {name}_pool.lock, false, 0, claim,",
            "                       NULL);", "}"]


def stealing(pool):
    """What a full pool does, compiled for this one alone too."""
    name = pool.name
    return [f"TP_NOINLINE static void *{name}_extend(const struct tp_pool *pool,",
            "    uint32_t *tag, tp_site_t site)", "{",
            "  (void)pool;",
            f"  return tp_core_extend(&{name}_pool, false, {name}_pool.lock,",
            "                        tp_steal_own, tag, site);", "}"]


def objects(pool):
    """What is known of what lies in its slots."""
    name, lines, retain = pool.name, [], []
    if pool.retain:
        offset, size = pool.retain
        hooks = [(key, getattr(pool, key)) for key in ("validate", "close")
                 if getattr(pool, key)]
        lines += array("uint32_t", f"{name}_kept", f"{pool.slots} * {size} / 4")
        lines += array("uint32_t", f"{name}_kept_sum", str(pool.slots))
        lines += descriptor("static const struct tp_retain", f"{name}_retain", [
            ("kept", f"{name}_kept"), ("sum", f"{name}_kept_sum"), *hooks,
            ("save", "tp_retain_save"), ("restore", "tp_retain_restore"),
            ("offset", offset - pool.link), ("size", size)])
        retain = [("retain", f"&{name}_retain")]
    away = [("lender", f"&{pool.spill}_chunk")] if pool.lender else []
    slots = " + ".join(str(one.slots) for one in [pool, pool.lender] if one)
    lines += array("struct tp_births", f"{name}_births")
    lines += array("uint32_t", f"{name}_newborn", f"({slots} + 3) / 4")
    hooks = [(key, ended(pool, key)) for key in ("deinit", "in_use")
             if ended(pool, key)]
    if pool.is_class:
        lines += destructor(pool)
        hooks[:0] = [("deinit", f"{name}_destructor")]
    inits = [(f"{one}_", f"init_{one}") for one in pool.inits]
    inits += [("", "init")] if not pool.inits and pool.init else []
    inits += [("", None)] if not inits or pool.inits else []
    for one, key in inits:
        init = [("init", hooked(pool, key))] if key else []
        lines += descriptor("const struct tp_objects", f"{name}_{one}objects", [
            ("pool", f"&{name}_pool"), *away, *init, *hooks, *retain,
            ("slots", slots), ("births", f"&{name}_births"),
            ("newborn", f"{name}_newborn")])
    return lines


def destructor(pool):
    return [f"static void {pool.name}_destructor(void *object)", "{",
            f"  typedef {pool.type} made;",
            "  static_cast<made *>(object)->~made();", "}"]
