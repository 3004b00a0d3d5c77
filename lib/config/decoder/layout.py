# SPDX-License-Identifier: MIT
"""The structs of the library as compilers lay them out, which no level changes: so an
ELF without debug information is enough. A test compares each with what compilers say.
"""

import collections
import re

# A field is a word; of :SIZE bytes; a pointer*; an array[N]; a struct =NAME.
STRUCTS = {
    "tp_registry": "entries* count config",
    "tp_entry": "name* kind* allocator* policy* bank* most bytes stride:2 spare:1 "
                "lifetime seal*",
    "tp_seal": "descriptor* word* name* count",
    "tp_kind": "name* unit* capacity* live* stats* verify* scrub*",
    "tp_age_link": "older:2 newer:2",
    "tp_pool_state": "fresh:2 scrubbed:2 overflows steals spills refused_by_rule "
                     "reached:2 generations:2",
    "tp_pool": "tag* origin* inverse* gate state* storage* age* born* policy* general* "
               "evict* name* link_check* stride:2 size:2 capacity:2 lock:1 zone:1 "
               "tagged:1 refuses:1 handle_bits:1 takes_foreign:1 min_age:2 hardened:1 "
               "magazine:1",
    "tp_chunk_link": "chunk* copy*",
    "tp_chunk_state": "next=tp_chunk_link live emptied releases reopens phase:1 "
                      "attached:1 folded:2",
    "tp_chunk": "pool* state* owner* reclaim* patience",
    "tp_policy": "overflow* take_back*",
    "tp_spill": "policy=tp_policy into* then* state* tagged:1",
    "tp_region": "storage* name* link_check* bytes full:1",
    "tp_bump": "used peak refused",
    "tp_marks": "serial newest child*",
    "tp_mark": "owner* used serial older child*",
    "tp_stack_state": "bump=tp_bump marks=tp_marks",
    "tp_stack": "region=tp_region state*",
    "tp_dstack_state": "bump=tp_bump[2] marks=tp_marks[2]",
    "tp_dstack": "region=tp_region state*",
    "tp_frame_state": "ended current",
    "tp_frame": "region=tp_region state* bump* buffers:1",
    "tp_nest": "name* parent* older* state* rows* row_count bytes padding "
               "mark=tp_mark seal kind:1 end:1 dstack=tp_dstack",
    "tp_nest_row": "name* allocator* bytes kind:1 end:1",
    "tp_blocks_waste": "now peak",
    "tp_blocks_class": "pool* asked* waste*",
    "tp_blocks": "classes* waste* name* count:1 bigger:1 sizes:1 shift:1"
                 " by_size* by_page* begin* pages:2",
    "tp_dense_state": "count:2 fresh:2 seen:2 old:2 frees refused",
    "tp_dense": "place* entry* state* storage* on_move* name* link_check* salt "
                "stride:2 size:2 capacity:2 bits:1 full:1",
    "tp_reloc_entry": "generation at:2 locks:2",
    "tp_reloc_state": "top:2 touched:2 cursor:2 holes:2 hole_units:2 fresh:2 "
                      "free_index:2 live:2 refused moves",
    "tp_reloc": "arena* entry* state* on_move* name* link_check* move_bytes moves:2 "
                "units:2 handles:2 handle_bits:1 full:1",
    "tp_head": "units:2 before:2 owner:2 guard:2",
    "tp_scene_part": "kind* allocator* beside* name* amounts* peaks* end* release* "
                     "seal*",
    "tp_scene_state": "entered switches refused peak",
    "tp_scenes": "parts* arena* state* name* link_check* bytes part_count:2 "
                 "scene_count:1 align:1",
    "tp_fault_record": "magic kind name* pool* slot address* offset expected found "
                       "caller* frame",
    "tp_crash": "magic version:2 bytes:2 checksum record=tp_fault_record "
                "name[6] registers[17] kept_words kept_at* kept[16] words "
                "bottom*",  # The stack follows.
    "tp_events": "magic count",  # The events follow.
    "tp_event": "what* by",
    "tp_owner": "asked* freed* since context:2 generation:2",
    "tp_owned": "pool* owners* next*",
    "tp_wait": "pool* state*",
    "tp_wait_link": "waiter* copy*",
    "tp_wait_state": "first=tp_wait_link",
    # The port's part follows.
    "tp_waiter": "next=tp_wait_link object* urgency caller*",
    # Of a build with TIDEPOOL_SOAK: qemu/telemetry/tp_soak_hooks.c.
    "place": "caller* name* requests refused on_purpose index:1 may_refuse:1",
}
FIELD = re.compile(r"(\w+)(?:(\*)|:(\d)|=(\w+?))?(?:\[(\d+)\])?$")

Field = collections.namedtuple("Field", "offset size count is_array struct")
Layout = collections.namedtuple("Layout", "size align fields")


def layouts(pointer_bytes):
    """{struct: Layout} of a machine."""
    made = {}
    for name, text in STRUCTS.items():
        made[name] = laid_out(text.split(), pointer_bytes, made)
    return made


def laid_out(words, pointer_bytes, made):
    fields, end, most = {}, 0, 1
    for word in words:
        name, is_pointer, size, struct, count = FIELD.match(word).groups()
        size = pointer_bytes if is_pointer else int(size or 4)
        align = size
        if struct:
            size, align = made[struct][:2]
        begin = -(-end // align) * align
        fields[name] = Field(begin, size, int(count or 1), bool(count), struct)
        end, most = begin + size * int(count or 1), max(most, align)
    return Layout(-(-end // most) * most, most, fields)
