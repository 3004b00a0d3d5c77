// SPDX-License-Identifier: MIT
// main.c - every interleaving of two cores that make three calls each, with at
// most three preemptions: of all scripts, on a pool that is empty or full. The
// last preemption is not played where the run is known: deeds.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "tp_pools.h"
#include "turns.h"

// Of a kind.
static struct {
  uint64_t interleavings, played;
  uint32_t scripts, broken;
  const char *why;
} found;
static bool full, each;

void tp_fault(const struct tp_fault_record *record)
{
  (void)record;
  turns_fail("a fault");
}

static struct trace traces[PREEMPTIONS + 1];
static bool explore(const struct turns *turns, bool known);

// Those with one preemption more, behind the last.
static bool explore_more(struct turns more, bool known)
{
  const struct trace *trace = &traces[more.count];
  uint32_t last = more.count ? more.at[more.count - 1] + 1 : 0, same = 0;
  uint32_t *at = &more.at[more.count++];
  for (*at = last; *at < trace->points; ++*at) {
    if (!trace->open[*at]) continue;
    if (!explore(&more, known || same > 0)) return false;
    same = same > 0 ? same - 1 : traces[more.count].same;
  }
  return true;
}

// False iff something is wrong. [known]: no such run is other than one that was
// played, or than one of those that are explored behind that.
static bool explore(const struct turns *turns, bool known)
{
  struct trace *trace = &traces[turns->count];
  found.interleavings++;
  if (known && turns->count == PREEMPTIONS && !each) return true;
  found.played++;
  calls_kind->begin(full);
  const char *why = turns_run(turns, trace);
  if (!why) why = calls_kind->judge();
  if (why) found.why = why;
  if (why || turns->count == PREEMPTIONS) return !why;
  return explore_more(*turns, known);
}

static void explore_script(void)
{
  const struct turns none = {.count = 0};
  found.scripts++;
  turns_setup(calls_play);
  found.broken += !explore(&none, false);
}

static void explore_scripts(void)
{
  for (uint32_t i = 0; i < SCRIPTS * SCRIPTS; i++) {
    calls_script[0] = calls_kind->scripts[i / SCRIPTS];
    calls_script[1] = calls_kind->scripts[i % SCRIPTS];
    if (calls_script[0] && calls_script[1]) explore_script();
  }
}

static bool try_kind(const struct kind *kind)
{
  memset(&found, 0, sizeof found);
  calls_kind = kind;
  for (int i = 0; i < 2; i++) {
    full = i == 1;
    explore_scripts();
  }
  printf(
      "%s: %u of %u pairs of scripts broken, %llu interleavings, "
      "%llu of them played%s%s\n",
      kind->name, found.broken, found.scripts,
      (unsigned long long)found.interleavings, (unsigned long long)found.played,
      found.why ? ": " : "", found.why ? found.why : "");
  return found.broken == 0;
}

// Of the kind of that name; with a second word all runs are played.
int main(int count, char **words)
{
  const struct kind *kinds[] = {&kind_packets, &kind_crates, &kind_jobs,
                                &kind_sounds};
  each = count > 2;
  for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (count >= 2 && strcmp(kinds[i]->name, words[1]) == 0) {
      return try_kind(kinds[i]) ? 0 : 1;
    }
  }
  return 2;
}
