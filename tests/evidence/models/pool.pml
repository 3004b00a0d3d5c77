// SPDX-License-Identifier: MIT
// pool.pml - what a pool of SLOTS slots that drops keeps, and how it issues them
// and takes them back: tp_core_alloc(), tp_core_extend(), tp_core_free(), and at
// EXCLUSIVE those of tp_exclusive.h. Of a tag the live bit alone is modelled, of
// an object its first word, in which a dead one has its link.

typedef word { byte live; byte top }

word list;
word link[SLOTS + 1];
bool tag[SLOTS + 1];
byte fresh;

bool lent[SLOTS + 1];   // Issued, and not taken back since.
bool known[SLOTS + 1];  // Of these, what somebody may give back.

// Between two calls; in one, what comes next: a look at the list, what is rare,
// or the end, when [object] is its caller's.
mtype = { IDLE, LIST, EXTEND, OWNED };

#define REGISTERS \
  byte interrupted, outer, key, top, live, object; \
  word old, next; \
  bool tagged, stored; \
  mtype phase = IDLE

#define NAMES(slot) (slot != 0 && slot <= SLOTS)
#define FOLLOWS(word, count) (word.live == count + 1 && word.top <= SLOTS)
#define SAME(one, other) (one.live == other.live && one.top == other.top)
#define COPY(to, from) to.live = from.live; to.top = from.top

// What a register held, but for [object], counts no more.
inline forget(next_phase)
{
  phase = next_phase;
  top = 0; live = 0; tagged = false; stored = false;
  old.live = 0; old.top = 0; next.live = 0; next.top = 0
}

inline load_list()
{
  d_step { COPY(old, list); printf("load list %d:%d\n", old.live, old.top) }
}

inline load_top()
{
  d_step { top = list.top; printf("load list.top %d\n", top) }
}

inline load_live()
{
  d_step { live = list.live; printf("load list.live %d\n", live) }
}

inline load_link(slot)
{
  d_step {
    COPY(next, link[slot]);
    printf("load link %d is %d:%d\n", slot, next.live, next.top)
  }
}

inline load_tag(slot)
{
  d_step { tagged = tag[slot]; printf("load tag %d is %d\n", slot, tagged) }
}

inline store_list(to_live, to_top)
{
  d_step {
    list.live = to_live; list.top = to_top;
    printf("store list %d:%d\n", list.live, list.top)
  }
}

inline store_link(slot)
{
  d_step {
    COPY(link[slot], old);
    printf("store link %d is %d:%d\n", slot, old.live, old.top)
  }
}

// From now on the slot is somebody's.
inline store_tag_live(slot)
{
  d_step {
    tag[slot] = true;
    printf("store tag %d is 1\n", slot);
    assert(!lent[slot]);
    lent[slot] = true
  }
}

// It is nobody's from here on, and not on the list yet.
inline take_back(slot)
{
  tag[slot] = false; lent[slot] = false; known[slot] = false
}

// With the pool locked ------------------------------------------------------

// tp_core_alloc(): the slot on top.
inline alloc_from_list()
{
  mask();
  load_top();
  if
  :: NAMES(top) ->
     load_live();
     load_link(top);
     if
     :: FOLLOWS(next, live) ->
        load_tag(top);
        if
        :: !tagged ->
           store_tag_live(top);
#ifdef EARLY
           unmask(key);
#endif
           store_list(next.live, next.top);
           object = top
        :: else -> skip
        fi
     :: else -> skip
     fi
  :: else -> skip
  fi;
  d_step { forget((object != 0 -> OWNED : EXTEND)) };
#ifdef EARLY
  if
  :: object == 0 -> unmask(key)
  :: else -> skip
  fi
#else
  unmask(key)
#endif
}

// tp_core_retry(): what is on the list now, the next look at it will issue.
inline retry()
{
  assert(NAMES(old.top));
  load_link(old.top);
  assert(FOLLOWS(next, old.live));
  load_tag(old.top);
  assert(!tagged);
  d_step { forget(LIST) };
  unmask(key)
}

// tp_core_fresh(): a slot that was never issued. Its tag is changed unlocked.
inline alloc_fresh()
{
  d_step { object = live + 1; fresh = object; printf("store fresh %d\n", fresh) };
  store_list(old.live + 1, old.top);
  d_step { forget(OWNED) };
  unmask(key);
  load_tag(object);
  store_tag_live(object)
}

inline refuse()
{
  printf("load overflows\n");
  printf("store overflows\n");
  d_step { forget(IDLE) };
  unmask(key)
}

// tp_core_extend(). Refused is who finds every slot live, and nobody else.
inline extend()
{
  mask();
  load_list();
  if
  :: old.live != SLOTS ->
     load_top();
     if
     :: top != 0 -> retry()
     :: else ->
        d_step {
          live = fresh; printf("load fresh %d\n", live);
          assert(live < SLOTS)
        };
        alloc_fresh()
     fi
  :: else -> refuse()
  fi
}

// The rest of a call that did not find its slot at once.
inline go_on()
{
  if
  :: atomic { phase == LIST -> read_mask(key) };
     alloc_from_list()
  :: atomic { phase == EXTEND -> read_mask(key) };
     extend()
  fi
}

#ifndef EXCLUSIVE

inline alloc()
{
  atomic { phase == IDLE -> read_mask(key) };
  alloc_from_list()
}

inline free_begin(slot)
{
  read_mask(key)
}

// tp_core_free(), and in it tp_list_put(). Where dead bytes are filled, nothing
// is masked meanwhile.
inline free(slot)
{
  mask();
  load_tag(slot);
  if
  :: tagged ->
     d_step { take_back(slot); printf("store tag %d is 0\n", slot) };
#ifdef POISON
     d_step { tagged = false };
     unmask(key);
     read_mask(key);
     mask();
#endif
     load_list();
     store_link(slot);
#ifdef EARLY
     unmask(key);
#endif
     store_list(old.live - 1, old.top);
     d_step { list.top = slot; printf("store list.top %d\n", slot) }
  :: else -> skip
  fi;
  d_step { forget(IDLE); slot = 0 };
  unmask(key)
}

#else

// By LDREX and STREX -----------------------------------------------------------

#ifdef NO_MONITOR
#define HOLDS SAME(list, old)
#else
#define HOLDS claimed
#endif

inline load_exclusive(into)
{
  d_step {
    COPY(into, list); claimed = true;
    printf("ldrex list %d:%d\n", into.live, into.top)
  }
}

inline store_exclusive(to_live, to_top)
{
  stored = HOLDS; claimed = false;
  if
  :: stored ->
     list.live = to_live; list.top = to_top;
     printf("strex list %d:%d\n", list.live, list.top)
  :: else -> skip
  fi
}

// tp_exclusive_pop(). The link may be read when the slot is another's already.
inline alloc()
{
  atomic { phase == IDLE -> load_exclusive(old) };
  do
  :: d_step { old.top == 0 -> forget(EXTEND) };
     break
  :: atomic { old.top != 0 -> load_link(old.top) };
     d_step {
       if
       :: FOLLOWS(next, old.live) -> skip
       :: else -> tagged = true; COPY(next, old)
       fi;
       store_exclusive(next.live, next.top);
       if
       :: stored -> assert(!tagged); object = old.top; forget(OWNED)
       :: else -> forget(IDLE)
       fi
     };
     if
     :: atomic { object != 0 -> load_tag(object); assert(!tagged) };
        store_tag_live(object);
        break
     :: atomic { object == 0 -> load_exclusive(old) }
     fi
  od
}

inline free_begin(slot)
{
  d_step {
    tagged = tag[slot]; claimed = true;
    printf("ldrex tag %d is %d\n", slot, tagged)
  }
}

// tp_exclusive_retire(), then tp_exclusive_push(). Two may free one object.
inline free(slot)
{
  do
  :: d_step { !tagged -> slot = 0 };
     break
  :: d_step {
       tagged && claimed ->
       take_back(slot); claimed = false; tagged = false;
       printf("strex tag %d is 0\n", slot)
     };
     break
  :: d_step { tagged && !claimed -> tagged = false };
     free_begin(slot)
  od;
  do
  :: slot == 0 -> break
  :: atomic { slot != 0 -> load_list() };
     store_link(slot);
     load_exclusive(next);
     d_step {
       if
       :: SAME(next, old) -> store_exclusive(old.live - 1, slot)
       :: else -> skip
       fi;
       if
       :: stored -> slot = 0
       :: else -> skip
       fi;
       forget(IDLE)
     }
  od
}

#endif
