// SPDX-License-Identifier: MIT
// tp_region_model.h - what the prover knows about a region and its ends and the
// compiler does not.
// clang-format off: macros that hold ACSL are no C.
#ifndef TP_REGION_MODEL_H
#define TP_REGION_MODEL_H

#include "allocator/tp_dstack.h"
#include "allocator/tp_stack.h"
#include "check/tp_check.h"

// Bits: bits.smt2 proves what is admitted here. What is masked is said both
// ways round, since WP turns it as it likes.
/*@ logic integer masked(integer x, integer mask) = x & mask;
    predicate is_masked(integer it, integer x, integer mask) =
      it == masked(x, mask) || it == masked(mask, x);
    predicate is_negated(integer it, integer x, integer mask) =
      is_masked(it, (uint32_t)(-x), mask);
    predicate is_raised(integer it, integer x, integer mask) =
      is_masked(it, (uint32_t)(x + mask), (uint32_t)(~mask));
    logic integer floored(integer x) = x & 0xfffffffc;
    logic integer turned(integer x) = (x >> 2) | (uint32_t)(x << 30);
    predicate is_power(integer x) =
      1 <= x <= 0x80000000 && \exists integer n; 0 <= n <= 31 && x == 1 << n;
    // What is missing from x to the next multiple of align, and what is over.
    axiomatic Gaps {
      logic integer gap_up(integer x, integer align);
      logic integer gap_down(integer x, integer align);
      axiom gap_up: \forall integer x, a; 0 < a ==>
        0 <= gap_up(x, a) < a && (x + gap_up(x, a)) % a == 0;
      axiom gap_down: \forall integer x, a; 0 < a ==>
        0 <= gap_down(x, a) < a && (x - gap_down(x, a)) % a == 0;
    }

    admit lemma powers:
      \forall integer it, x, m; is_masked(it, x, m) ==>
        m < x <= m + 1 && 1 <= x <= 0xffffffff ==> (it == 0 <==> is_power(x));
    admit lemma masks_up:
      \forall integer it, x, m; is_negated(it, x, m) ==>
        0 <= x <= 0xffffffff && is_power(m + 1) ==>
          it == gap_up(x, m + 1) && (x % 4 == 0 ==> it % 4 == 0);
    admit lemma masks_down:
      \forall integer it, x, m; is_masked(it, x, m) ==>
        0 <= x <= 0xffffffff && is_power(m + 1) ==>
          it == gap_down(x, m + 1) && (x % 4 == 0 ==> it % 4 == 0);
    admit lemma raises:
      \forall integer it, x, m; is_raised(it, x, m) ==>
        0 <= x <= 0xffffffff && is_power(m + 1) ==>
          it == (uint32_t)(x + gap_up(x, m + 1)) &&
          (x % 4 == 0 ==> gap_up(x, m + 1) % 4 == 0);
    admit lemma floors:
      \forall integer x; 0 <= x <= 0xffffffff ==> floored(x) == x - x % 4;
    admit lemma turns:
      \forall integer x; 0 <= x <= 0xffffffff ==>
        (x % 4 == 0 ? turned(x) == x / 4 : turned(x) >= 0x40000000);
*/

// An end: the region, where its bytes lie, what the end and the other one say,
// and which it is.
#define TP_OF_SIDE(side)                                                     \
  side->region, side->storage, side->bump, side->other, side->end
#define TP_OF_STACK(stack)                                                   \
  &stack->region, stack->region.storage, &stack->state->bump,                \
  (struct tp_bump *)\null, TP_LOW
#define TP_OF_DSTACK(dstack, end)                                            \
  &dstack->region, dstack->region.storage, &dstack->state->bump[end],        \
  &dstack->state->bump[1 - end], end

/*@
  predicate region_flat(tp_word_t *storage, integer bytes) =
    0 <= (uintptr_t)storage && (uintptr_t)storage % 4 == 0 &&
    (uintptr_t)storage + bytes <= 0xffffffff &&
    (bytes > 0 ==> (uintptr_t)storage > 0) &&
    \forall integer k; 0 <= k <= bytes / 4 ==>
      (uintptr_t)(storage + k) == (uintptr_t)storage + 4 * k;
  predicate region_memory{L}(struct tp_region *region) =
    \valid_read(region) && region->bytes <= TP_REGION_MAX &&
    region->bytes % 4 == 0 && (region->storage == \null ==> region->bytes == 0);
  predicate end_memory{L}(struct tp_region *region, tp_word_t *storage,
                          struct tp_bump *bump, struct tp_bump *other,
                          integer end) =
    region_memory(region) && region_flat(storage, region->bytes) &&
    \valid(bump) && \separated(bump, region) &&
    (other != \null ==> \valid_read(other) && \separated(bump, other)) &&
    (end == TP_LOW || end == TP_HIGH);

  // Was what an end says not written over?
  predicate bump_whole{L}(struct tp_region *region, struct tp_bump *bump,
                          integer room) =
    bump->used % 4 == 0 && bump->used <= room && bump->used <= bump->peak &&
    bump->peak <= region->bytes;
  predicate end_whole{L}(struct tp_region *region, struct tp_bump *bump,
                         struct tp_bump *other) =
    bump_whole(region, bump, region->bytes) &&
    (other != \null ==> bump_whole(region, other, region->bytes - bump->used));

  // Bytes between both ends, and how far from the low one [used] bytes reach.
  logic integer other_used{L}(struct tp_bump *other) =
    other == \null ? 0 : other->used;
  logic integer end_room{L}(struct tp_region *region, struct tp_bump *bump,
                            struct tp_bump *other) =
    region->bytes - bump->used - other_used(other);
  logic integer from_low{L}(struct tp_region *region, integer end,
                            integer used) =
    end == TP_LOW ? used : region->bytes - used;

  // What a request takes: its words, and what is skipped at the top.
  predicate is_request(integer size, integer align) =
    size != 0 && is_power(align);
  logic integer rounded(integer size) = (size + 3) / 4 * 4;
  logic integer skipped(integer top, integer end, integer words,
                        integer align) =
    end == TP_LOW ? gap_up(top, align) : gap_down(top - words, align);
  logic integer end_top{L}(struct tp_region *region, tp_word_t *storage,
                           struct tp_bump *bump, integer end) =
    (uintptr_t)storage + from_low(region, end, bump->used);
  logic integer takes{L}(struct tp_region *region, tp_word_t *storage,
                         struct tp_bump *bump, integer end, integer size,
                         integer align) =
    rounded(size) +
      skipped(end_top(region, storage, bump, end), end, rounded(size), align);
  // At a high end the words come first: what is skipped is reckoned from there.
  predicate fits{L}(struct tp_region *region, tp_word_t *storage,
                    struct tp_bump *bump, struct tp_bump *other, integer end,
                    integer size, integer align) =
    rounded(size) <= end_room(region, bump, other) &&
    takes(region, storage, bump, end, size, align)
      <= end_room(region, bump, other);
  // What gets memory: from where on, seen from the low end.
  predicate served{L}(struct tp_region *region, tp_word_t *storage,
                      struct tp_bump *bump, struct tp_bump *other, integer end,
                      integer size, integer align) =
    is_request(size, align) && end_whole(region, bump, other) &&
    fits(region, storage, bump, other, end, size, align);
  logic integer begins{L}(struct tp_region *region, integer end, integer used,
                          integer size) =
    end == TP_LOW ? used - rounded(size) : region->bytes - used;
  // Is a request that does not fit counted, and no fault?
  predicate drops{L}(struct tp_region *region, integer size) =
    region->storage != \null && region->full == TP_FULL_DROP &&
    (size <= region->bytes || region->bytes == 0);
*/

#define TP_READS(a, b) \valid_read(a) && \valid_read(b)

// struct tp_side is not known here yet.
#define TP_WHOLE(side) end_whole(side->region, side->bump, side->other)
#define TP_SERVED(side, size, align) served(TP_OF_SIDE(side), size, align)
#define TP_TAKEN(side, size, align)                                          \
  takes(side->region, side->storage, side->bump, side->end, size, align)
#define TP_TOP(side)                                                         \
  end_top(side->region, side->storage, side->bump, side->end)
#define TP_SIDE_MEMORY(side)                                                 \
  \valid_read(side) && end_memory(TP_OF_SIDE(side)) &&                       \
  \separated(side->bump, side)

#define TP_RAISES_OF(region)                                                 \
  requires \valid_read(region);                                              \
  TP_RAISES

// Of the functions of tp_check.h and tp_words.h that stacks call.
//@ TP_RAISES;
TP_NORETURN void tp_raise_misuse(enum tp_fault_kind kind, const char *name,
                                 const void *address, uint32_t found,
                                 uint32_t expected, tp_site_t site);
//@ assigns \nothing;
TP_INLINE void tp_fill_words(void *memory, uint32_t words, uint32_t pattern);
//@ assigns \nothing; ensures \result == words;
TP_INLINE uint32_t tp_intact_words(const void *memory, uint32_t words,
                                   uint32_t pattern);
//@ assigns ((tp_word_t *)memory)[0 .. bytes / 4 - 1];
TP_INLINE void tp_clear_words(void *memory, size_t bytes);

// What looks whether [sound], and raises iff not.
#define TP_LOOKS(sound, memory)                                              \
  requires memory;                                                           \
  assigns tp_raised;                                                         \
  ensures right: (sound) ==> tp_raised == \old(tp_raised);                   \
  ensures wrong: !(sound) ==> tp_raised == \old(tp_raised) + 1

// What tells [what], of [memory]; of a side that is whole.
#define TP_SAYS(memory, what)                                                \
  requires memory;                                                           \
  assigns \nothing;                                                          \
  ensures \result == (what)
#define TP_TELLS(memory, what)                                               \
  requires memory;                                                           \
  assigns \nothing;                                                          \
  ensures told: \result <==> (what)
#define TP_SAYS_OF_WHOLE(side, what)                                         \
  requires TP_SIDE_MEMORY(side);                                             \
  assigns \nothing;                                                          \
  ensures TP_WHOLE(side) ==>                                                 \
    \result == what
#define TP_SAYS_FROM_LOW(side, offset)                                       \
  requires TP_SIDE_MEMORY(side);                                             \
  assigns \nothing;                                                          \
  ensures offset <= side->region->bytes ==>                                  \
    \result == from_low(side->region, side->end, offset)

// What a request gets that does not fit.
#define TP_REFUSES(region, bump, size)                                       \
  requires \valid_read(region) && \valid(bump) && \separated(bump, region);  \
  assigns bump->refused, tp_raised;                                          \
  ensures drops: drops(region, size) ==> \result == \null &&                 \
    bump->refused == (uint32_t)(\old(bump->refused) + 1) &&                  \
    tp_raised == \old(tp_raised);                                            \
  ensures faults: !drops(region, size) ==> tp_raised > \old(tp_raised)

// What looks at an end: raises iff it was written over.
#define TP_CHECKS_END(side)                                                  \
  requires TP_SIDE_MEMORY(side);                                             \
  assigns tp_raised;                                                         \
  ensures whole: TP_WHOLE(side) ==>                                          \
    tp_raised == \old(tp_raised);                                            \
  ensures broken: !TP_WHOLE(side) ==>                                        \
    tp_raised > \old(tp_raised)

// tp_bump_taken().
#define TP_TAKES(side, top, size, align)                                     \
  requires TP_SIDE_MEMORY(side);                                             \
  assigns \nothing;                                                          \
  ensures fits: TP_WHOLE(side) && is_request(size, align) &&                 \
    top == TP_TOP(side) && fits(TP_OF_SIDE(side), size, align) ==>           \
    \result == TP_TAKEN(side, size, align) && \result % 4 == 0;              \
  ensures less: TP_WHOLE(side) && is_request(size, align) &&                 \
    top == TP_TOP(side) && !fits(TP_OF_SIDE(side), size, align) ==>          \
    \result == 0xffffffff

// Its words, and what it skips. One line proves a step after the other.
#define TP_THEN(known, next) ((known) && ((known) ==> (next)))
#define TP_TESTS_POWER(align)                                                \
  TP_THEN(is_masked(align & (uint32_t)(align - 1), align,                    \
                    (uint32_t)(align - 1)),                                  \
    is_power(align) <==> (align & (uint32_t)(align - 1)) == 0)
#define TP_IN_WORDS(side, size, words, room)                                 \
  TP_THEN(words == floored((uint32_t)(size + 3)),                            \
  TP_THEN(size <= TP_REGION_MAX ==> words == rounded(size),                  \
    TP_WHOLE(side) ==>                                                       \
      TP_THEN(room % 4 == 0 && room <= TP_REGION_MAX,                        \
        words == rounded(size) && words <= room)))
#define TP_SKIPS_UP(side, top, align, mask, skipped)                         \
  side->end == TP_LOW ==>                                                    \
    TP_THEN(is_negated(skipped, top, mask),                                  \
    TP_THEN(is_power(align) ==> is_power(mask + 1),                          \
      is_power(align) ==> skipped == gap_up(top, align) &&                   \
        (top % 4 == 0 ==> skipped % 4 == 0)))
#define TP_SKIPS_DOWN(side, top, words, align, mask, skipped)                \
  side->end != TP_LOW ==>                                                    \
    TP_THEN(TP_WHOLE(side) && top == TP_TOP(side) ==>                        \
        (uint32_t)(top - words) == top - words,                              \
    TP_THEN(is_masked(skipped, (uint32_t)(top - words), mask),               \
    TP_THEN(is_power(align) ==> is_power(mask + 1),                          \
      is_power(align) ==>                                                    \
        skipped == gap_down((uint32_t)(top - words), align) &&               \
        ((uint32_t)(top - words) % 4 == 0 ==> skipped % 4 == 0))))
#define TP_TAKES_BOTH(side, top, size, align, room, words, skipped_)         \
  TP_WHOLE(side) && top == TP_TOP(side) && is_power(align) ==>               \
    TP_THEN(skipped_ == skipped(top, side->end, words, align),               \
    TP_THEN(words + skipped_ == TP_TAKEN(side, size, align),                 \
      skipped_ <= room - words <==> fits(TP_OF_SIDE(side), size, align)))

// Where that is: an address, and so a place in the storage.
#define TP_BEGINS(side, size, taken)                                         \
  begins(side->region, side->end, side->bump->used + taken, size)
#define TP_LIES(side, size, align, top, taken, words)                        \
  TP_SERVED(side, size, align) ==>                                           \
    TP_THEN(taken == TP_TAKEN(side, size, align) && taken % 4 == 0,          \
    TP_THEN(words * 4 == rounded(size),                                      \
    TP_THEN(TP_BEGINS(side, size, taken) % 4 == 0,                           \
      0 < (uintptr_t)(side->storage + TP_BEGINS(side, size, taken) / 4) ==   \
        (side->end == TP_LOW ? top + taken - words * 4 : top - taken))))
#define TP_GIVEN(side, size, align, taken, object)                           \
  TP_SERVED(side, size, align) ==> object != \null &&                        \
    object_words(object) == side->storage + TP_BEGINS(side, size, taken) / 4

// What lies where, and how the end says so; nothing if it does not fit.
#define TP_GIVES_OUT(result, size, align, ...)                               \
  TP_GIVES_OUT_AT(result, size, align, __VA_ARGS__)
#define TP_GIVES_OUT_AT(result, size, align, region, storage, bump, other,   \
                        end)                                                 \
  ensures used: \old(served(region, storage, bump, other, end, size, align)) \
    ==> (bump)->used == \old((bump)->used +                                  \
      takes(region, storage, bump, end, size, align));                       \
  ensures peak: \old(served(region, storage, bump, other, end, size, align)) \
    ==> (bump)->peak == \max(\old((bump)->peak), (bump)->used);              \
  ensures given: \old(served(region, storage, bump, other, end, size, align))\
    ==> object_words(result) ==                                              \
      storage + begins(region, end, (bump)->used, size) / 4;                 \
  ensures aligned:                                                           \
    \old(served(region, storage, bump, other, end, size, align)) ==>         \
      ((uintptr_t)storage + begins(region, end, (bump)->used, size))         \
      % align == 0;                                                          \
  ensures whole: \old(served(region, storage, bump, other, end, size, align))\
    ==> end_whole(region, bump, other)

// The short way of a low end with no other, which serves the same.
#define TP_PUSHES(side, size, align, object)                                 \
  requires TP_SIDE_MEMORY(side);                                             \
  requires side->end == TP_LOW && side->other == \null && \valid(object);    \
  requires \separated(object, side) && \separated(object, side->bump) &&     \
    \separated(object, side->region);                                        \
  assigns side->bump->used, side->bump->peak, *object;                       \
  ensures served: \result <==> \old(TP_SERVED(side, size, align));           \
  TP_GIVES_OUT(*object, size, align, TP_OF_SIDE(side));                      \
  ensures object: \result ==> *object != \null;                              \
  ensures kept: !\result ==> side->bump->used == \old(side->bump->used) &&   \
    side->bump->peak == \old(side->bump->peak)
#define TP_IN_LESS(size, less)                                               \
  TP_THEN(less == floored((uint32_t)(-size)), less ==                        \
    (size == 0 || size > 0xfffffffc ? 0 : 0x100000000 - rounded(size)))
#define TP_PUSH_BITS(size, align, used, less)                                \
  TP_IN_LESS(size, less) &&                                                  \
  (used >> 2 | (uint32_t)(used << 30)) == turned(used) &&                    \
  (align != 0 ==> TP_TESTS_POWER(align))
#define TP_TOP_AT(side, used) (uint32_t)((uintptr_t)side->storage + used)
#define TP_PUSHED(side, size, align, used, less, mask, at, top)              \
  TP_THEN(is_raised(at, TP_TOP_AT(side, used), mask),                        \
  TP_THEN(is_power(mask + 1) && mask + 1 == align,                           \
  TP_THEN(at == (uint32_t)(TP_TOP_AT(side, used) +                           \
                           gap_up(TP_TOP_AT(side, used), align)),            \
  TP_THEN(used <= 4 * TP_REGION_MAX && less == 0x100000000 - rounded(size),  \
  TP_THEN(0 <= rounded(size) <= TP_REGION_MAX,                               \
    top == used + rounded(size) + gap_up(TP_TOP_AT(side, used), align))))))
#define TP_PUSHED_AT(side, size, align, used, at, top)                       \
  used <= side->region->bytes ==>                                            \
    TP_THEN((uintptr_t)side->storage + used == TP_TOP(side),                 \
    TP_THEN(top == used + TP_TAKEN(side, size, align) && top % 4 == 0,       \
      top <= side->region->bytes ==>                                         \
        TP_THEN(0 < at ==                                                    \
            (uintptr_t)(side->storage + (top - rounded(size)) / 4),          \
          (tp_word_t *)at == side->storage + (top - rounded(size)) / 4)))

// All of a request.
#define TP_ALLOCATES_SIDE(side, size, align)                                 \
  requires TP_SIDE_MEMORY(side);                                             \
  TP_ALLOCATES_AT(size, align, TP_OF_SIDE(side))
#define TP_ALLOCATES_AT(size, align, ...)                                    \
  TP_ALLOCATES_OF(size, align, __VA_ARGS__)
#define TP_ALLOCATES_OF(size, align, region, storage, bump, other, end)      \
  assigns (bump)->used, (bump)->peak, (bump)->refused, tp_raised;            \
  TP_GIVES_OUT(\result, size, align, region, storage, bump, other, end);     \
  ensures served: \old(served(region, storage, bump, other, end, size, align)) \
    ==> \result != \null && (bump)->refused == \old((bump)->refused) &&      \
      tp_raised == \old(tp_raised);                                          \
  ensures dropped: \old(is_request(size, align) &&                           \
      end_whole(region, bump, other) &&                                      \
      !fits(region, storage, bump, other, end, size, align) &&               \
      drops(region, size)) ==> \result == \null &&                           \
    (bump)->used == \old((bump)->used) && (bump)->peak == \old((bump)->peak) \
    && (bump)->refused == (uint32_t)(\old((bump)->refused) + 1) &&           \
    tp_raised == \old(tp_raised);                                            \
  ensures faults: \old(!is_request(size, align) ||                           \
      !end_whole(region, bump, other) ||                                     \
      (!fits(region, storage, bump, other, end, size, align) &&              \
       !drops(region, size))) ==> tp_raised > \old(tp_raised)

// Marks of an end.
#define TP_SIDE_MARKS(side)                                                  \
  TP_SIDE_MEMORY(side) && \valid(side->marks) &&                             \
  \separated(side->marks, side) && \separated(side->marks, side->bump) &&    \
  \separated(side->marks, side->region) && (side->other != \null ==>         \
    \separated(side->marks, side->other))
#define TP_MARK_OF(side, mark)                                               \
  \valid_read(mark) && \separated(mark, side->bump) &&                       \
  \separated(mark, side->marks)
/*@
  predicate is_newest{L}(struct tp_bump *bump, struct tp_marks *marks,
                         struct tp_mark *mark) =
    mark->owner == marks && mark->serial == marks->newest &&
    mark->used <= bump->used;
  predicate releases{L}(struct tp_region *region, struct tp_bump *bump,
                        struct tp_bump *other, struct tp_marks *marks,
                        struct tp_mark *mark) =
    region->storage != \null && end_whole(region, bump, other) &&
    is_newest(bump, marks, mark);
  predicate resets{L}(struct tp_region *region, struct tp_bump *bump,
                      struct tp_bump *other, struct tp_marks *marks) =
    region->storage != \null && end_whole(region, bump, other) &&
    marks->child == 0;
*/
#define TP_SHRINKS(side, to)                                                 \
  requires TP_SIDE_MEMORY(side);                                             \
  assigns side->bump->used;                                                  \
  ensures side->bump->used == to
#define TP_OUTDATES(marks)                                                   \
  requires \valid(marks);                                                    \
  assigns marks->serial, marks->newest;                                      \
  ensures marks->serial == (uint32_t)(\old(marks->serial) + 1);              \
  ensures marks->newest == marks->serial
#define TP_MARKED(marks, to)                                                 \
  ensures mark: \result.owner == marks && \result.used == to &&              \
    \result.serial == (uint32_t)(\old((marks)->serial) + 1) &&               \
    \result.older == \old((marks)->newest) &&                                \
    \result.child == \old((marks)->child);                                   \
  ensures newest: (marks)->newest == \result.serial &&                       \
    (marks)->serial == \result.serial
#define TP_MARKS(side, to)                                                   \
  requires TP_SIDE_MARKS(side);                                              \
  assigns side->marks->serial, side->marks->newest;                          \
  TP_MARKED(side->marks, to)
#define TP_GONE_BACK(bump, marks, mark)                                      \
  (bump)->used == (mark)->used && (marks)->newest == (mark)->older &&        \
  (marks)->child == (mark)->child
#define TP_TELLS_NEWEST(side, mark)                                          \
  TP_TELLS(TP_SIDE_MARKS(side) && \valid_read(mark),                         \
           is_newest(side->bump, side->marks, mark))
#define TP_GOES_BACK(side, mark)                                             \
  requires TP_SIDE_MARKS(side) && TP_MARK_OF(side, mark);                    \
  assigns side->bump->used, side->marks->newest, side->marks->child;         \
  ensures back: TP_GONE_BACK(side->bump, side->marks, mark)
#define TP_RELEASES_AT(region, bump, other, marks, mark)                     \
  assigns (bump)->used, (marks)->newest, (marks)->child, tp_raised;          \
  ensures released: \old(releases(region, bump, other, marks, mark)) ==>     \
    TP_GONE_BACK(bump, marks, mark) && tp_raised == \old(tp_raised);         \
  ensures whole: \old(releases(region, bump, other, marks, mark)) &&         \
    (mark)->used % 4 == 0 ==> end_whole(region, bump, other);                \
  ensures faults: !\old(releases(region, bump, other, marks, mark)) ==>      \
    tp_raised > \old(tp_raised)
#define TP_RELEASES(side, mark)                                              \
  requires TP_SIDE_MARKS(side) && TP_MARK_OF(side, mark);                    \
  TP_RELEASES_AT(side->region, side->bump, side->other, side->marks, mark)
#define TP_RESETS_AT(region, bump, other, marks)                             \
  assigns (bump)->used, (marks)->serial, (marks)->newest, tp_raised;         \
  ensures reset: \old(resets(region, bump, other, marks)) ==>                \
    (bump)->used == 0 && tp_raised == \old(tp_raised);                       \
  ensures whole: \old(resets(region, bump, other, marks)) ==>                \
    end_whole(region, bump, other);                                          \
  ensures outdated: (marks)->newest == (marks)->serial &&                    \
    (marks)->serial == (uint32_t)(\old((marks)->serial) + 1);                \
  ensures faults: !\old(resets(region, bump, other, marks)) ==>              \
    tp_raised > \old(tp_raised)
#define TP_RESETS(side)                                                      \
  requires TP_SIDE_MARKS(side);                                              \
  TP_RESETS_AT(side->region, side->bump, side->other, side->marks)

// What is called from outside.
/*@
  predicate stack_memory{L}(struct tp_stack *stack) =
    \valid_read(stack) && \valid(stack->state) &&
    \separated(stack, stack->state) && end_memory(TP_OF_STACK(stack));
  predicate dstack_memory{L}(struct tp_dstack *dstack, integer end) =
    \valid_read(dstack) && \valid(dstack->state) &&
    \separated(dstack, dstack->state) && end_memory(TP_OF_DSTACK(dstack, end));
*/
#define TP_IS_SIDE(side, it, bump_, other_, marks_, end_)                    \
  side.region == &it->region && side.storage == it->region.storage &&        \
  side.bump == bump_ && side.other == other_ && side.marks == marks_ &&      \
  side.end == end_
#define TP_IS_OF_STACK(stack)                                                \
  requires \valid_read(stack) && \valid_read(stack->state);                  \
  assigns \nothing;                                                          \
  ensures TP_IS_SIDE(\result, stack, &stack->state->bump, \null,             \
                     &stack->state->marks, TP_LOW)
#define TP_IS_OF_DSTACK(dstack, end)                                         \
  requires \valid_read(dstack) && \valid_read(dstack->state);                \
  requires end == TP_LOW || end == TP_HIGH;                                  \
  assigns \nothing;                                                          \
  ensures TP_IS_SIDE(\result, dstack, &dstack->state->bump[end],             \
    &dstack->state->bump[1 - end], &dstack->state->marks[end], end)
#define TP_STACK_ALLOCATES(stack, size, align)                               \
  requires stack_memory(stack);                                              \
  TP_ALLOCATES_AT(size, align, TP_OF_STACK(stack))
#define TP_DSTACK_ALLOCATES(dstack, end, size, align)                        \
  requires dstack_memory(dstack, end);                                       \
  TP_ALLOCATES_AT(size, align, TP_OF_DSTACK(dstack, end))
#define TP_MARKS_AT(region, bump, marks)                                     \
  assigns (marks)->serial, (marks)->newest, tp_raised;                       \
  TP_MARKED(marks, (bump)->used);                                            \
  ensures open: (region)->storage != \null ==> tp_raised == \old(tp_raised); \
  ensures closed: (region)->storage == \null ==>                             \
    tp_raised == \old(tp_raised) + 1
#define TP_STACK_MARKS(stack)                                                \
  requires stack_memory(stack);                                              \
  TP_MARKS_AT(&stack->region, &stack->state->bump, &stack->state->marks)
#define TP_DSTACK_MARKS(dstack, end)                                         \
  requires dstack_memory(dstack, end);                                       \
  TP_MARKS_AT(&dstack->region, &dstack->state->bump[end],                    \
              &dstack->state->marks[end])
#define TP_STACK_RELEASES(stack, mark)                                       \
  requires stack_memory(stack) && \valid_read(mark) &&                       \
    \separated(mark, stack->state);                                          \
  TP_RELEASES_AT(&stack->region, &stack->state->bump,                        \
    (struct tp_bump *)\null, &stack->state->marks, mark)
#define TP_DSTACK_RELEASES(dstack, end, mark)                                \
  requires dstack_memory(dstack, end) && \valid_read(mark) &&                \
    \separated(mark, dstack->state);                                         \
  TP_RELEASES_AT(&dstack->region, &dstack->state->bump[end],                 \
    &dstack->state->bump[1 - end], &dstack->state->marks[end], mark)
#define TP_STACK_RESETS(stack)                                               \
  requires stack_memory(stack);                                              \
  TP_RESETS_AT(&stack->region, &stack->state->bump,                          \
               (struct tp_bump *)\null, &stack->state->marks)
#define TP_DSTACK_RESETS(dstack, end)                                        \
  requires dstack_memory(dstack, end);                                       \
  TP_RESETS_AT(&dstack->region, &dstack->state->bump[end],                   \
               &dstack->state->bump[1 - end], &dstack->state->marks[end])

#endif
