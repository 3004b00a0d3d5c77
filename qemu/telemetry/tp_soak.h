// SPDX-License-Identifier: MIT
// tp_soak.h - what a firmware of your own tells qemu/soak, so that
//
//   qemu/soak run --elf firmware.elf --board mps2_an385
//
// runs it for simulated hours, watches its allocators and gives a verdict.
// It is built with TIDEPOOL_SOAK on (CMake) or TIDEPOOL_SOAK=1 (make), which
// compiles the files of this folder into it, and says
//
//   void tp_soak_put(uint8_t byte)      // the UART that QEMU's -serial is
//   {
//     uart_send(byte);
//   }
//   void tp_fault(const struct tp_fault_record *record)
//   {
//     tp_soak_fault(record);            // does not return
//   }
//   static struct tp_soak soak = TP_SOAK;
//   int main(void)
//   {
//     tp_soak_begin(&soak);             // seed and frames are now known
//     start_game(soak.seed);
//     for (uint32_t i = 0; i < soak.frames; i++) {
//       soak.hash = play_a_frame();     // any function of what happened
//       tp_soak_frame(&soak);
//     }
//     tp_soak_end(&soak);               // does not return
//   }
//
// What includes this header stands between #if TIDEPOOL_SOAK and #endif, for
// other builds have none of it.
//
// A frame is what the firmware says it is; 60 are a simulated second. What it
// shows is in the report too, once tp_soak_picture() says where that lies.
#ifndef TP_SOAK_H
#define TP_SOAK_H

#include "check/tp_level.h"
#include "tidepool.h"
#include "tp_picture.h"
#include "tp_record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_soak {
  const struct tp_registry *registry;
  const char *board;       // What the firmware was built for; "": any.
  uint64_t seed;           // Set by tp_soak_begin(), as --seed says.
  uint32_t frames;         // As --hours says.
  uint64_t hash;           // The application's: where the run stands.
  uint32_t interrupts;     // The application's, if it wants them counted.
  uint32_t frame;          // How many have ended.
  uint32_t clock;          // tp_clock_now before the first: tp_soak_start().
  uint32_t report_every;   // Frames; 60, a simulated second.
  uint32_t picture_every;  // Frames, for `qemu/soak play`; 0: none.
  uint8_t checks;
  uint8_t by_timer;  // 1: its interrupts come whenever a timer fires.

  // Fires an interrupt of the application's once, [instructions] from now, 16
  // to 30000, or a few more, which counts itself in .interrupts, where no other
  // is counted while .by_timer is 1: for --interrupts timer, and called for
  // nothing else.
  // NULL: that is refused.
  void (*timer)(uint32_t instructions);

  // Places of the application that it has names for, [site_count] of them:
  // tp_soak_enter() tells of them. NULL: it has none.
  struct tp_soak_site *sites;
  uint8_t site_count;

  // Corrects [stats] of allocator [index] by an account that the application
  // keeps itself: at off most pools keep none. NULL: it has none.
  void (*account)(uint32_t index, struct tp_stats *stats);

  // What [contexts] of pools.toml call the task that runs, in a text that
  // lasts; NULL: none of them yet. Asked in tasks alone, maybe with interrupts
  // masked. NULL: tasks are not told apart.
  const char *(*task)(void);
};

// The board's name as --board has it. A build that knows it defines it, so that
// a run on another is refused before it begins.
#ifndef TIDEPOOL_BOARD_NAME
#define TIDEPOOL_BOARD_NAME ""
#endif

// Of all allocators that tp_pools.c lists, at most 255. All members, by place:
// C++17 knows no names here, and compilers warn of those that are left out.
#define TP_SOAK         \
  {&tp_registry,        \
   TIDEPOOL_BOARD_NAME, \
   0,                   \
   0,                   \
   0,                   \
   0,                   \
   0,                   \
   0,                   \
   0,                   \
   0,                   \
   TP_CHECKS,           \
   0,                   \
   NULL,                \
   NULL,                \
   0,                   \
   NULL,                \
   NULL}

// Asks the emulator what to do and introduces the firmware to the host.
void tp_soak_begin(struct tp_soak *soak);

// A frame has ended. Makes the mistake that --plant asks for, looks over a few
// dead slots and the order of what may be stolen, sets tp_clock_now, and once a
// simulated second verifies all allocators and reports.
//
// Context  One that no user of the pools interrupts.
void tp_soak_frame(struct tp_soak *soak);

// Of a second core, which shares pools whose rows say lock = "cores": waits
// while tp_soak_frame() looks at all allocators. Said before its first call of
// one, and then at least once a frame, where it is in none; a frame ends no
// sooner. For `qemu/soak run --cores 2`, of a build whose tp_cores_port.h tells
// which core runs. What else a soak has, tp_soak_enter() too, is of the core
// that said tp_soak_begin(), but tp_soak_fault(): either core's.
void tp_soak_pause(void);

// Tells the host if an unlock was lost, and lets interrupts in. So does every
// tp_soak_frame(); who waits for an interrupt before calls this first.
void tp_soak_check_lock(void);

// The run has ended well. Does not return.
__attribute__((noreturn)) void tp_soak_end(struct tp_soak *soak);

// It has not. Does not return.
__attribute__((noreturn)) void tp_soak_fault(
    const struct tp_fault_record *record);

// What a firmware has to say of itself. Texts must last; unknown to the host is
// none of them.

// A number of the application's own, for the report and the curves: its newest
// value goes out once a simulated second. [flat]: it must not drift over a run.
// At most 32 figures.
void tp_soak_figure(const char *name, const char *unit, uint32_t value,
                    bool flat);

// What must always hold. It becomes a check of the verdict, called [name], that
// fails if [holds] was ever false. At most 32 names.
void tp_soak_expect(const char *name, bool holds);

// A call of the application's took [cost] instructions, or whatever it counts;
// [step] is from one column of the report to the next. At most 32 names.
void tp_soak_cost(const char *name, uint32_t step, uint32_t cost);

// No frame may take more instructions than that: what the application does from
// one tp_soak_frame() to the next, its interrupts and sleep included. Without
// it a run is judged by its own first minutes. Not measured of a firmware that
// has another use for SysTick.
void tp_soak_budget(uint32_t instructions);

// A stack of the application's, [low] to [high]: the verdict fails once all of
// it was used. Called on it, or before a task runs on it; at most 8. The main
// stack is known by itself, as one of at most 32 KiB.
void tp_soak_stack(const char *name, void *low, void *high);

// From now on the application is in the scene [name].
void tp_soak_scene(const char *name);

// A number of the application's own scenarios, TOML files for --scenario:
//
//   scenario = 1
//   [settings]
//   clients = 12
//
// Returns  what the file says of [name]; [otherwise] iff there is no file or it
//          says nothing of it.
uint32_t tp_soak_setting(const char *name, uint32_t otherwise);

// What a counter of the application's own starts at: 0, or with --near-wrap so
// much that it wraps half-way through a run if it counts frames, as
// tp_clock_now does then.
uint32_t tp_soak_start(void);

// Requests come from [site], one of soak.sites, until tp_soak_leave() with what
// this returned. --fail-site may say its name. A request there may be refused
// whatever its row says, and what it spills into or is helped out by is not
// asked again. An interrupt that asks enters a site of its own.
extern struct tp_soak_site *tp_soak_site_now;  // NULL: none. Read only.

static inline struct tp_soak_site *tp_soak_enter(struct tp_soak_site *site)
{
  struct tp_soak_site *before = tp_soak_site_now;
  tp_soak_site_now = site;
  return before;
}

static inline void tp_soak_leave(struct tp_soak_site *before)
{
  tp_soak_site_now = before;
}

// Returns  how many requests of allocator [index] were refused on purpose.
uint32_t tp_soak_refused(uint32_t index);

// The host's arguments, "key=value" each: tp_soak_semihost.c asks QEMU for them
// and ends it. A firmware that is run otherwise writes these two itself.
//
// Returns  the value of [key], up to a blank or the end; NULL iff it has none.
const char *tp_soak_argument(const char *key);
__attribute__((noreturn)) void tp_soak_exit(int code);

// Internal: what is asked of .timer at least. What counts down from
// [instructions] - 1, as SysTick does, or in ticks of several, never fires
// when that is 0.
enum { TP_SOAK_SOONEST = 16 };

// Internal: of the other files in this folder.
uint64_t tp_soak_number(const char *key, uint64_t otherwise);
bool tp_soak_is_word(const char *text, const char *word);
uint32_t tp_soak_chance(uint32_t *state);  // The next number; state is not 0.
// The pool that [entry] is of; NULL iff it is of something else.
const struct tp_pool *tp_soak_pool(const struct tp_entry *entry);
uint32_t tp_soak_lock(void);  // What is kept of requests; by this core alone.
void tp_soak_unlock(uint32_t key);
bool tp_soak_is_home(void);  // Does the core run that says tp_soak_frame()?
// May that core use [pool]? Of one that nobody used yet that is not known.
bool tp_soak_is_ours(const struct tp_pool *pool);
void tp_soak_cores_begin(void);
void tp_soak_cores_stop(void);
void tp_soak_cores_go(void);
void tp_soak_cores_fault(void);
void tp_soak_own_report(void);
void tp_soak_clock_begin(void);
void tp_soak_clock_stop(void);
void tp_soak_clock_go(void);
void tp_soak_clock_report(void);
void tp_soak_stack_begin(void);
void tp_soak_guard_begin(const struct tp_registry *registry);
void tp_soak_guard_join(void);
void tp_soak_holes_report(const struct tp_registry *registry);
void tp_soak_stack_report(void);
void tp_soak_timer_begin(struct tp_soak *soak);
void tp_soak_timer_await(struct tp_soak *soak);
void tp_soak_timer_start(struct tp_soak *soak);
void tp_soak_own_end(void);
void tp_soak_hooks_begin(const struct tp_soak *soak);
void tp_soak_hooks_oldest(void);
void tp_soak_hooks_verify(void);
void tp_soak_hooks_report(void);
void tp_soak_callers_begin(const struct tp_soak *soak);
void tp_soak_callers_tell(void);
void tp_soak_callers_report(void);
void tp_soak_calls(const char *name, uint32_t call, const void *caller);
void tp_soak_spare(const char *name, const void *caller);
// Where the call [site] returns to. Of one that a handler ends with, which is a
// jump, that is no place: its handler is.
const void *tp_soak_caller(tp_site_t site);
extern bool tp_soak_between;  // Frames: what calls is the soak, no task.
void tp_plant_begin(const struct tp_soak *soak);
void tp_plant_frame(const struct tp_registry *registry);
void tp_plant_lasting_begin(struct tp_soak *soak);
void tp_plant_lasting_frame(void);
void tp_plant_access_begin(void);
void tp_plant_access_frame(const struct tp_registry *registry);
extern bool tp_ask_asking;  // A question is being put: tp_ask.h.
void tp_ask_begin(const struct tp_soak *soak);
void tp_ask_frame(void);
void tp_ask_caught(const struct tp_fault_record *record);
void tp_ask_report(void);

#ifdef __cplusplus
}
#endif

#endif
