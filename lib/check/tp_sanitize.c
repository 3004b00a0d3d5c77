// SPDX-License-Identifier: MIT
// What the application's loads and stores call, and what becomes of those that
// are wrong. Nothing here is locked for long, or allocated.
#include "check/tp_sanitize.h"

#include "check/tp_check.h"
#include "check/tp_shadow.h"

#if TIDEPOOL_SANITIZE

// Runs of memory: of a pool its slots, tags, state and ring.
#ifndef TP_SANITIZE_RUNS
#define TP_SANITIZE_RUNS 128
#endif

// Places that are reported where reports go on.
#ifndef TP_SANITIZE_PLACES
#define TP_SANITIZE_PLACES 32
#endif

// Addresses below it are NULL, or a member of it. A vector table may lie there,
// which nobody reads, and behind it what somebody does.
#define NULL_BYTES 64u
#define EVICTIONS  8  // At a time, by contexts that interrupt each other.

enum { NOT_YET = 0, GATHERING = 1, READY = 2 };

// All of memory in the order of addresses, cut where a run begins or ends.
struct stretch {
  uintptr_t begin;    // It ends where the next begins.
  const void *owner;  // NULL: none of ours.
};

#define STRETCHES (2 * TP_SANITIZE_RUNS + 2)

static struct stretch stretches[STRETCHES];
static uint32_t count;  // But for the last, which is only an end.
static volatile uint8_t phase;
static volatile uint32_t off;

static const struct stretch nowhere[2];  // Holds no address.

// Where accesses are, the next one often is, too.
static struct {
  // The object that was accessed last, while its slot's tag is what it was.
  // Read in this order.
  volatile uintptr_t end;  // 0: none.
  volatile uintptr_t begin;
  const uint32_t *volatile tag;
  volatile uint32_t sum;        // sum_of() the three.
  const struct tp_pool *alike;  // Its pool, if any live object of that is one.
  // Addresses that are none of ours: so many from the end of the last run on,
  // and by way of 0 to the first. None until it is known.
  uintptr_t behind, outside;
  // Stretches that nobody has, and that somebody has.
  const struct stretch *bare, *owned;
} near = {.bare = stretches, .owned = nowhere};

static void (*reporter)(const struct tp_fault_record *record);
static tp_site_t places[TP_SANITIZE_PLACES];

static struct {
  const tp_word_t *words;
  uint32_t context;
} evictions[EVICTIONS];

// Evicting -------------------------------------------------------------------

static void put_eviction(const tp_word_t *then, const tp_word_t *now)
{
  uint32_t context = TP_PORT_CONTEXT();
  uint32_t key = tp_port_lock();
  for (uint32_t i = 0; i < EVICTIONS; i++) {
    if (evictions[i].words != then) continue;
    if (then && evictions[i].context != context) continue;
    evictions[i].words = now;
    evictions[i].context = context;
    break;
  }
  tp_port_unlock(key);
}

void tp_shadow_evicting(const tp_word_t *words)
{
  put_eviction(NULL, words);
}

void tp_shadow_evicted(const tp_word_t *words)
{
  put_eviction(words, NULL);
}

bool tp_shadow_is_evicting(const tp_word_t *words)
{
  uint32_t context = TP_PORT_CONTEXT();
  for (uint32_t i = 0; i < EVICTIONS; i++) {
    if (evictions[i].words == words && evictions[i].context == context) {
      return true;
    }
  }
  return false;
}

// Whose memory it is ---------------------------------------------------------

TP_INLINE bool holds(const struct stretch *at, uintptr_t address)
{
  return address - at->begin < at[1].begin - at->begin;
}

static struct stretch *find(uintptr_t address)
{
  uint32_t low = 0, high = count;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (stretches[middle].begin <= address) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return &stretches[low];
}

// Makes room for [more] stretches behind [at].
static void move_up(struct stretch *at, uint32_t more)
{
  if (count + more >= STRETCHES) {
    tp_raise_misuse(TP_FAULT_LARGE, "TP_SANITIZE_RUNS", stretches, count + more,
                    STRETCHES, NULL);
  }
  for (struct stretch *one = &stretches[count]; one != at; one--) {
    one[more] = *one;
  }
  count += more;
}

void tp_shadow_add(const struct tp_run *run, const void *owner)
{
  uintptr_t end = run->begin + run->bytes;
  struct stretch *at = find(run->begin);
  bool begins = at->begin == run->begin;
  bool ends = at[1].begin == end;
  move_up(at, (begins ? 0u : 1u) + (ends ? 0u : 1u));
  if (!begins) at++;
  *at = (struct stretch){run->begin, owner};
  if (!ends) at[1] = (struct stretch){end, NULL};
}

// Who interrupts this finds that nothing is known yet.
static void gather(void)
{
  phase = GATHERING;
  stretches[0] = (struct stretch){0, NULL};
  stretches[1] = (struct stretch){UINTPTR_MAX, NULL};
  count = 1;
  tp_shadow_gather();
  near.behind = stretches[count - 1].begin;
  near.outside = stretches[1].begin - near.behind;
  phase = READY;
}

// What is wrong --------------------------------------------------------------

// Is this the first report of the place? Of as many as there is room for.
static bool is_new(tp_site_t place)
{
  bool found = false;
  uint32_t key = tp_port_lock();
  for (uint32_t i = 0; i < TP_SANITIZE_PLACES && !found; i++) {
    if (places[i] == place) break;
    found = !places[i];
    if (found) places[i] = place;
  }
  tp_port_unlock(key);
  return found;
}

static void hand_over(tp_record_t *to, const struct tp_fault_record *from)
{
  to->magic = 0;
  to->kind = from->kind;
  to->name = from->name;
  to->pool = from->pool;
  to->slot = from->slot;
  to->address = from->address;
  to->offset = from->offset;
  to->expected = from->expected;
  to->found = from->found;
  to->caller = from->caller;
  to->frame = from->frame;
  to->magic = TP_FAULT_MAGIC;
  tp_hook_fault(to);
  tp_fault(&tp_fault_record);
  tp_port_trap();
}

static void tell(struct tp_fault_record *record, const struct tp_access *access,
                 tp_site_t site)
{
  if (off != 0) return;
  record->magic = TP_FAULT_MAGIC;
  record->found = access->bytes;
  record->expected = access->writes;
  record->caller = site;
  record->frame = tp_clock_now;
  if (!reporter) hand_over(&tp_fault_record, record);
  if (is_new(site)) reporter(record);
}

static void judge(const struct tp_access *access, const void *owner,
                  tp_site_t site)
{
  struct tp_fault_record record;
  record.kind = tp_shadow_judge(owner, access, &record);
  if (record.kind != TP_FAULT_NONE) tell(&record, access, site);
}

static void tell_of_null(const struct tp_access *access, tp_site_t site)
{
  struct tp_fault_record record;
  tp_shadow_tell(&record, NULL, NULL, access);
  record.kind = TP_FAULT_NULL_PAGE;
  record.address = NULL;
  record.offset = (uint32_t)access->address;
  tell(&record, access, site);
}

// Nothing is locked: who interrupts may leave another object while this one is
// being read, or written. No sum is that of a mixture of two, unless multiples
// of 64 KiB lie between them.
TP_INLINE uint32_t sum_of(uintptr_t begin, uintptr_t end, uint32_t tag)
{
  return tag + (uint32_t)begin + ((uint32_t)end << 16);
}

void tp_shadow_know(uintptr_t begin, uint32_t bytes, const uint32_t *tag,
                    uint32_t value, const struct tp_pool *alike)
{
  near.end = 0;  // While the others are not of one object.
  near.begin = begin;
  near.tag = tag;
  near.sum = sum_of(begin, begin + bytes, value);
  near.end = begin + bytes;
  near.alike = alike;
}

static bool is_ready(void)
{
  if (phase == NOT_YET) gather();
  return phase == READY;
}

static TP_NOINLINE void search(const struct tp_access *access, tp_site_t site)
{
  if (!is_ready()) return;
  if (access->address < NULL_BYTES) {
    tell_of_null(access, site);
    return;
  }
  const struct stretch *at = find(access->address);
  if (!at->owner) {
    near.bare = at;
    return;
  }
  near.owned = at;
  near.alike = NULL;
  judge(access, at->owner, site);
}

// [bytes] with the highest bit set: a store.
#define WRITES 0x80000000u

// Is it in another object of the pool?
TP_INLINE bool is_like_the_last(const struct tp_access *access)
{
  const struct tp_pool *pool = near.alike;
  uint32_t within, tag;
  if (!pool) return false;
  uint32_t index = tp_shadow_find(pool, access, &within, &tag);
  if (index >= pool->capacity) return false;
  tp_shadow_know(access->address - within, tp_shadow_bytes(pool),
                 &pool->tag[index + 1], tag, pool);
  return true;
}

TP_INLINE void look(uintptr_t address, uint32_t bytes, tp_site_t site)
{
  struct tp_access access = {address, bytes & ~WRITES, (bytes & WRITES) != 0};
  if (is_like_the_last(&access)) return;
  const struct stretch *at = near.owned;
  if (holds(at, address)) {
    judge(&access, at->owner, site);
  } else {
    search(&access, site);
  }
}

static TP_NOINLINE void look_at_it(uintptr_t address, uint32_t bytes,
                                   tp_site_t site)
{
  look(address, bytes, site);
}

void tp_shadow_look(const void *memory, size_t bytes, bool writes,
                    tp_site_t site)
{
  uintptr_t address = (uintptr_t)memory, before;
  uint32_t what = writes ? WRITES : 0;
  if (bytes >= WRITES) bytes = WRITES - 1;
  for (; bytes > 0 && is_ready(); address += before, bytes -= before) {
    look(address, (uint32_t)bytes | what, site);
    before = find(address)[1].begin - address;
    if (address < NULL_BYTES || before == 0 || before >= bytes) return;
  }
}

// Most memory is none of ours, and most accesses are to that.
TP_INLINE bool is_bare(uintptr_t address)
{
  if (address - near.behind < near.outside) return address >= NULL_BYTES;
  return holds(near.bare, address) && address >= NULL_BYTES;
}

TP_INLINE bool is_known(uintptr_t address, uint32_t bytes)
{
  uintptr_t end = near.end, begin = near.begin;
  intptr_t from = (intptr_t)(address - begin);
  intptr_t to = (intptr_t)(end - bytes - address);
  if ((from | to) < 0) return false;
  return sum_of(begin, end, *near.tag) == near.sum;
}

TP_INLINE void ask(uintptr_t address, uint32_t bytes, tp_site_t site)
{
  if (is_known(address, bytes & ~WRITES)) return;
  if (TP_LIKELY(is_bare(address))) return;
  look_at_it(address, bytes, site);
}

void tp_sanitize_off(void)
{
  uint32_t key = tp_port_lock();
  off++;
  tp_port_unlock(key);
}

void tp_sanitize_on(void)
{
  uint32_t key = tp_port_lock();
  off--;
  tp_port_unlock(key);
}

void tp_sanitize_report(void (*report)(const struct tp_fault_record *record))
{
  uint32_t key = tp_port_lock();
  for (uint32_t i = 0; i < TP_SANITIZE_PLACES; i++) {
    TP_KEEP(i);  // No compiler takes it for memset().
    places[i] = NULL;
  }
  reporter = report;
  tp_port_unlock(key);
}

// The names that GCC and Clang call, by bytes; of any other number, "N".
#define HOOKS(bytes)                                           \
  void __asan_load##bytes##_noabort(uintptr_t address)         \
  {                                                            \
    ask(address, bytes, __builtin_return_address(0));          \
  }                                                            \
  void __asan_store##bytes##_noabort(uintptr_t address)        \
  {                                                            \
    ask(address, bytes | WRITES, __builtin_return_address(0)); \
  }

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __asan_loadN_noabort(uintptr_t address, size_t bytes)
{
  tp_shadow_look((const void *)address, bytes, false,
                 __builtin_return_address(0));
}

void __asan_storeN_noabort(uintptr_t address, size_t bytes)
{
  tp_shadow_look((const void *)address, bytes, true,
                 __builtin_return_address(0));
}

// Before a call that does not return, Clang tells of the stack.
void __asan_handle_no_return(void)
{
}

#endif
