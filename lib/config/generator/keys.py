# SPDX-License-Identifier: MIT
"""The keys of every table: how each is read, and the words `explain` prints."""

from .values import (
    BYTES_MAX, COUNT_MAX, CPUS, LEVELS, LINK_BYTES, POLICIES, STRIDE_MAX, alignment,
    amount, boolean, c_type, class_list, functions, handle_bits, header_list,
    identifier, life, link, lock, names_of, number, one_of, part, path_list, region,
    type_list, whole, wide_or_not)


class Key:
    """How a key is read, what may be written, what it makes, and what holds
    where it is not written. The README and `explain` print the same words."""

    def __init__(self, read, value, says, default=None, needed=None, unless=()):
        self.read = read
        self.value = value
        self.says = says
        self.default = default
        self.needed = needed  # The hint where it is missing, if it may not be,
        self.unless = unless  # unless one of these keys is written in its place.


NO_DEFAULT = "what happens when full is a decision, so it has no default"
BANK_OF = Key(identifier("a bank"), "a name of [banks]; none",
              "the section of its memory; without it that is ordinary zeroed memory")
NEST_OF = Key(identifier("a nest"), "a name of [nests]; none",
              "memory within that nest, and so within its bank")
END_OF = Key(one_of("low", "high"), '"low", "high"; low',
             "the end of the nest that it lies at", default="low")
REFUSES = Key(one_of("assert", "drop"), '"assert", "drop"; required',
              "a fault for a request that does not fit, or NULL; one larger than all "
              "of it is the fault LARGE", needed=NO_DEFAULT)
TYPE = Key(c_type, "a C type, or a qualified name of C++; none",
           "typed calls, else of void; asserts of size and alignment")
OPAQUE = Key(boolean, "true or false; false",
             "the declaration of a type that no header defines, and no asserts: size "
             "says what it takes", default=False)
ALIGN = Key(alignment(4, 64), "as in [build]", "the alignment of every slot")
BYTES = Key(amount, 'bytes, or "8K"; a multiple of 8; required',
            "as many of memory", needed="how much memory there is")
WRAP = Key(boolean, "accepts that a generation wraps in under 24 hours; false",
           "nothing", default=False)
ALLOCATES = Key(names_of("context"), "names of [contexts]; none",
                "a line of its comment: who asks for memory", default=[])
FREES = Key(names_of("context"), "names of [contexts]; none",
            "a line of its comment: who gives memory back", default=[])
SPARE = Key(boolean, "that it is never used is right; false",
            "nothing; a soak does not ask that it is", default=False)

LOCK_WORDS = '"primask", "none", "basepri:N", "exclusive", "cores"'

BUILD_KEYS = {
    "headers": Key(header_list, "names of files; []",
                   "#include lines of tp_pools.h, in quotes or as <...>", default=[]),
    "cpp_headers": Key(header_list, "names of files; []",
                       "the same for C++ alone: what declares its classes", default=[]),
    "align": Key(alignment(4, 64), "4, 8, 16, 32, 64; 8",
                 "the alignment of rows that give none", default=8),
    "cache_line": Key(alignment(4, 64), "4, 8, 16, 32, 64; 32",
                      "the alignment of rows for DMA that give none, and lie in no "
                      "bank with a cache_line; 4 where the core has no data cache"),
    "cpu": Key(one_of(*CPUS), '"cortex-m0" to "cortex-m85"; none',
               "nothing; locks that this core has not are refused"),
    "rtos_mask": Key(whole(1, 255), "1 to 255; none",
                     "nothing; where somebody waits, frees are refused in interrupts "
                     "more urgent than that, FreeRTOS' "
                     "configMAX_SYSCALL_INTERRUPT_PRIORITY"),
    "name": Key(identifier("a library"), "a word; none",
                "NAME_pools.h and NAME_pools.c in place of tp_pools.h and tp_pools.c: "
                "the table is a library's, for others to include"),
    "include": Key(path_list, "names of tables, beside this one or by a path; []",
                   "one tp_pools.ld and one tp_registry of all their rows and its own",
                   default=[]),
    "lock": Key(lock, f"{LOCK_WORDS}; primask",
                "lock in each row of [pools] that does not say it", default="primask"),
    "owner": Key(boolean, "true or false; false",
                 "owner in each row of [pools] that does not say it", default=False),
    "checks": Key(one_of(*LEVELS), '"off", "fast", "poison", "full"; none',
                  "a compiler error at any other check level; sizes are counted at "
                  "this one"),
}
BANK_KEYS = {
    "region": Key(region,
                  "a name in the linker script's MEMORY; required",
                  ".tp_arena_BANK in that region, and a check that it exists",
                  needed="the name that MEMORY has for it in the linker script"),
    "budget": Key(amount, 'bytes, or "48K", "1M"; none',
                  "a check here, and one by the linker, that what lies in it fits"),
    "dma": Key(boolean, "true or false; true",
               "nothing, but a complaint about pools for DMA where false says that it "
               "does not reach", default=True),
    "cache_line": Key(alignment(4, 64), "bytes; none",
                      "the alignment of rows for DMA that give none, and a complaint "
                      "about those whose slots share lines"),
    "retained": Key(boolean, "true or false; false",
                    "pools whose metadata lies there too, and NAME_validate(): after a "
                    "reset they are as they were, if they prove valid",
                    default=False),
    "sleeps": Key(boolean, "true or false; false",
                  "BANK_sleep(), which refuses while anything in it lives, BANK_wake() "
                  "and BANK_is_awake(); asleep, as at boot, all of it is full",
                  default=False),
}
CONTEXT_KEYS = {
    "interrupt": Key(whole(0, 255), '0 to 255; required, or the row is "task"',
                     "nothing; the priority as NVIC_IPR and BASEPRI hold it: the lower "
                     "the number, the more urgent"),
    "core": Key(whole(0, 7), "0 to 7; 0",
                "nothing; the core that it is of. Without interrupt it is a task",
                default=0),
}
POOL_KEYS = {
    "type": TYPE,
    "opaque": OPAQUE,
    "size": Key(number(LINK_BYTES, STRIDE_MAX, "a free slot holds a link of 4 bytes"),
                "bytes of a slot, from 4, or C of them; those of type or union",
                "the stride, rounded up to align; a type may take less, not more",
                needed="the bytes of one slot", unless=("type", "union")),
    "count": Key(number(1, COUNT_MAX, "to do without a pool, take its row out"),
                 '1 to 32767, "1K", or C such as "2 * PORTS"; required',
                 "the slots", needed="how many slots there are"),
    "full": Key(one_of(*POLICIES),
                '"assert", "drop", "steal-oldest", "steal-least", "spill"; required, '
                'or policy',
                "the policy: a fault; NULL; the oldest, or that of the lowest score, "
                "makes room; another pool lends a slot", needed=NO_DEFAULT,
                unless=("policy",)),
    "bank": BANK_OF,
    "metadata": Key(one_of("bank"), '"bank"; none',
                    "its metadata in that bank too, which counts it, and "
                    "NAME_validate(), as in a retained bank: to be called at boot, for "
                    "nothing clears a bank"),
    "align": ALIGN,
    "isr": Key(boolean, "used from interrupts, or by tasks that preempt each other; "
                        "false, or what its contexts say",
               "nothing, but the rules stricter, and NAME_update() looks before each "
               "step for what they created", default=False),
    "dma": Key(boolean, "lent to devices, which use it by DMA; false",
               "NAME_lend(), NAME_take() and NAME_reset(); slots that share no cache "
               "line with anything else; 2 bytes a slot; wants a tp_dma_port.h",
               default=False),
    "evict": Key(identifier("a C function"), "a C function; none",
                 "its prototype, void NAME(TYPE *victim), called before a theft; pools "
                 "that steal only"),
    "score": Key(identifier("a C function"), "a C function; none",
                 "its prototype, uint32_t NAME(const TYPE *object): how much it would "
                 "be missed; steal-least only"),
    "refuse_below": Key(boolean, "true or false; false",
                        "NULL from NAME_alloc_scored() and NAME_create_scored() for "
                        "who scores lower than all others; steal-least only",
                        default=False),
    "min_age": Key(whole(1, 65535), "units of tp_clock_now; none",
                   "objects that cannot be stolen while they are younger; 4 bytes a "
                   "slot"),
    "pin": Key(boolean, "true or false; false",
               "NAME_pin() and NAME_unpin(): a pinned object is not stolen",
               default=False),
    "spill": Key(identifier("a pool"), "a pool; none",
                 "that pool's slots lent to this one when it is full, and freed by its "
                 "calls, not by that one's; with full = \"spill\""),
    "chunks": Key(names_of("pool"), "a list of pools; none",
                  "NAME_attach(&CHUNK_chunk), which adds the slots of one of them, "
                  "NAME_detach(), NAME_release(), NAME_reset(); with full = "
                  "\"spill\""),
    "then": Key(one_of(*POLICIES[:-1]),
                '"assert", "drop", "steal-oldest", "steal-least"; none',
                "the answer when that one is full too. Stolen is what lies at home"),
    "untyped": Key(boolean, "accepts that the other pool has another type; false",
                   "nothing", default=False),
    "patience": Key(whole(0, BYTES_MAX), "units of tp_clock_now; 0",
                    "a pool others spill into that lends nothing for so long before "
                    "its memory can be given back", default=0),
    "reserve": Key(whole(1, COUNT_MAX), "slots; none",
                   "NAME_alloc_urgent(), which alone may take so many of them"),
    "low_water": Key(whole(0, COUNT_MAX), "free slots; none",
                     "a call of on_low when only so many are left; NAME_reset(), in "
                     "place of tp_pool_reset()"),
    "on_low": Key(identifier("a C function"), "a C function; none",
                  "its prototype, void NAME(const struct tp_pool *pool, "
                  "uint32_t free)"),
    "refill": Key(whole(1, COUNT_MAX), "free slots; low_water + 1",
                  "a call of on_refill when so many are free again"),
    "on_refill": Key(identifier("a C function"), "a C function; none",
                     "its prototype, as that of on_low"),
    "wait": Key(boolean, "true or false; false",
                "NAME_alloc_wait(ticks), which waits while it is full, with handles "
                "NAME_alloc_wait_handle(), and NAME_cancel_wait(); wants a "
                "tp_wait_port.h", default=False),
    "policy": Key(identifier("a struct tp_policy"),
                  "a struct tp_policy of the application's; none",
                  "its declaration; it answers when the pool is full, in place of "
                  "full"),
    "take_back": Key(boolean, "true or false; false",
                     "what is none of its slots NAME_free() offers the policy's "
                     "take_back, for what that lent; with policy", default=False),
    "init": Key(functions, "a C function, or { name = a C function, ... }; none",
                "its prototype, bool NAME(TYPE *object, void *context), and "
                "NAME_create(context), of several NAME_create_name(context), "
                "NAME_destroy(object), NAME_update(), NAME_walk()"),
    "deinit": Key(identifier("a C function"), "a C function; none",
                  "its prototype, void NAME(TYPE *object), called when an object dies "
                  "by NAME_destroy() or, with handles, NAME_destroy_handle(), of theft "
                  "or of scenes_force(), but not by NAME_free() or NAME_free_handle(); "
                  "and the calls of init"),
    "in_use": Key(identifier("a C function"), "a C function; none",
                  "its prototype, bool NAME(const TYPE *object), NAME_audit(), and the "
                  "calls of init"),
    "retain": Key(part, "[offset, size] in an object; none",
                  "bytes that the next life of the slot finds as they were, and the "
                  "calls of init",
                  ),
    "validate": Key(identifier("a C function"), "a C function; none",
                    "its prototype, bool NAME(void *part): is what was retained still "
                    "good?"),
    "close": Key(identifier("a C function"), "a C function; none",
                 "its prototype, void NAME(void *part): gives up what was retained"),
    "release": Key(identifier("a C function"), "a C function; none",
                   "its prototype, void NAME(TYPE *object), called for what "
                   "scenes_force() takes back; pools that scenes cut only"),
    "link": Key(link, 'bytes, a multiple of 4, or "outside"; 0',
                "the link of a dead slot so many bytes from its beginning: what stands "
                "before it stays as the object left it. Typed calls only; the "
                "address that a fault names is of the link, too. Outside: "
                "beside the tags, 4 bytes a slot more, where nothing that is written "
                'to a dead slot reaches it; wants code = "own"', default=0),
    "union": Key(type_list, "2 to 8 C types; none",
                 "asserts that a slot fits each of them; calls of void"),
    "handles": Key(handle_bits, "0, 32 or 64 bits; 0",
                   "NAME_alloc_handle(), NAME_handle(), NAME_get(), "
                   "NAME_free_handle(); tags at every check level", default=0),
    "owner": Key(boolean, "true or false; as in [build]",
                 "a note of who asked for what lies in each slot, who gave it back "
                 "last, when and in which context, NAME_owner_of(); tags at every "
                 "check level; 16 bytes a slot"),
    "code": Key(one_of("shared", "own"), '"shared", "own"; shared',
                "code that all pools share, or the core compiled for this pool alone: "
                "NAME_alloc(), NAME_free(), and those with handles. That is faster, "
                "and larger from the first pool on: lib/COSTS.md, own and shared",
                default="shared"),
    "harden": Key(boolean, "true or false; false",
                  "list word, tags and what counts them carry checks that no flipped "
                  "bit passes, nor a wild store but one of 2^16: a fault in place of "
                  "harm; generations of 15 bits. Wants code = \"own\" and a check "
                  "level above off", default=False),
    "lock": Key(lock, f"{LOCK_WORDS}; as in [build]",
                "a call that masks all interrupts, none, those that BASEPRI = N masks "
                "(as the register has it: priority 5 of a chip with 4 bits is 80, and "
                "of 5 it keeps 0, which masks none), "
                "none by LDREX and STREX, or all, and keeps out the other core. "
                'basepri and exclusive want code = "own", cores a tp_cores_port.h; an '
                "exclusive pool drops or asserts and has no handles",
                default="primask"),
    "magazine": Key(whole(1, 255), "slots; none",
                    "a call that takes the lock of both cores only where the slots "
                    "that its own core gave back last, so many of them, do not serve; "
                    "until then they are for that core alone. With lock = \"cores\" "
                    "and a tp_cores_port.h that tells which core runs; 8 bytes"),
    "written": Key(boolean, "a word of an object is written before it is read; false",
                   "nothing, but in a build of the sanitizer, where a read of one that "
                   "was not is named, a bit a word and 4 bytes a slot",
                   default=False),
    "allocates": ALLOCATES,
    "frees": FREES,
    "waits": Key(names_of("context"), "names of [contexts]; none",
                 "wait = true, and a line of its comment: who asks and may wait",
                 default=[]),
    "waits_end": Key(boolean, "nobody waits, for whatever row, while he has a slot of "
                     "this one, himself or in his queue; false",
                     "nothing; waits for it end, whatever names of [contexts] say",
                     default=False),
    "generation_wrap": WRAP,
    "in": NEST_OF,
    "end": END_OF,
    "spare": SPARE,
    "life": Key(life, '"10 s", "5 min", "2 h", units of tp_clock_now, "forever"; none',
                "nothing; a soak fails when an object is older, and lets those of "
                '"forever" be kept'),
}
STACK_KEYS = {
    "bytes": BYTES,
    "full": REFUSES,
    "ends": Key(whole(1, 2), "1 or 2; 1", "a stack, or one that fills from both ends",
                default=1),
    "bank": BANK_OF,
    "allocates": ALLOCATES,
    "frees": FREES,
    "in": NEST_OF,
    "end": END_OF,
    "spare": SPARE,
}
FRAME_KEYS = {
    "bytes": BYTES,
    "full": REFUSES,
    "buffers": Key(whole(1, 255), "1 to 255; 1",
                   "as many buffers of these bytes: what is allocated lasts for as "
                   "many frames",
                   default=1),
    "bank": BANK_OF,
    "allocates": ALLOCATES,
    "frees": FREES,
    "in": NEST_OF,
    "end": END_OF,
    "spare": SPARE,
}
BLOCK_KEYS = {
    "classes": Key(class_list,
                   "[ { size = 16, count = 64 }, ... ], sizes from 8, ascending; "
                   "required",
                   "a pool for each",
                   needed="the sizes, and how many blocks there are of each"),
    "full": Key(one_of("assert", "drop"), '"assert", "drop"; required',
                "a fault where no block that fits is free, or NULL; what no class has "
                "is the fault LARGE", needed=NO_DEFAULT),
    "bigger": Key(boolean, "true or false; false",
                  "a request to the next class where one is full", default=False),
    "bank": BANK_OF,
    "allocates": ALLOCATES,
    "frees": FREES,
    "in": NEST_OF,
    "end": END_OF,
    "spare": SPARE,
}
RELOCATING_KEYS = {
    "bytes": BYTES,
    "handles": Key(number(1, COUNT_MAX),
                   '1 to 32767, "1K", or C such as "2 * PORTS"; required',
                   "as many blocks at a time at most",
                   needed="the most blocks at a time"),
    "full": REFUSES,
    "moves": Key(whole(1, 65535), "blocks; 4", "the most that NAME_step() moves",
                 default=4),
    "move_bytes": Key(amount, 'bytes, or "1K"; 1024',
                      "the most bytes that NAME_step() moves", default=1024),
    "on_move": Key(identifier("a C function"), "a C function; none",
                   "its prototype, void NAME(void *to, const void *from, "
                   "ROW_handle_t handle), called when a block has moved"),
    "bank": BANK_OF,
    "generation_wrap": WRAP,
    "allocates": ALLOCATES,
    "frees": FREES,
    "in": NEST_OF,
    "end": END_OF,
    "spare": SPARE,
}
DENSE_KEYS = {
    "type": TYPE,
    "opaque": OPAQUE,
    "size": Key(number(1, STRIDE_MAX),
                "bytes of an object, or C of them; those of type",
                "the stride, rounded up to align; a type may take less, not more",
                needed="the bytes of one object", unless=("type",)),
    "count": Key(number(1, COUNT_MAX, "to do without it, take its row out"),
                 '1 to 32767, "1K", or C such as "2 * PORTS"; required',
                 "as many objects at most", needed="the most objects at a time"),
    "full": Key(REFUSES.read, REFUSES.value,
                "a fault for a request that finds it full, or NULL", needed=NO_DEFAULT),
    "on_move": Key(identifier("a C function"), "a C function; none",
                   "its prototype, void NAME(TYPE *to, const TYPE *from, "
                   "ROW_handle_t handle), called when an object has moved"),
    "bank": BANK_OF,
    "align": ALIGN,
    "handles": Key(wide_or_not, "32 or 64 bits; 32",
                   "the type of every handle; 2 bytes more an object for 64",
                   default=32),
    "generation_wrap": WRAP,
    "allocates": ALLOCATES,
    "frees": FREES,
    "in": NEST_OF,
    "end": END_OF,
    "spare": SPARE,
}
NEST_KEYS = {
    "bytes": BYTES,
    "full": Key(REFUSES.read, '"assert", "drop"; drop', REFUSES.says, default="drop"),
    "bank": BANK_OF,
    "spare": SPARE,
}
