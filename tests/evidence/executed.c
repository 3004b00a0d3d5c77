// SPDX-License-Identifier: MIT
// executed.c - a plugin of QEMU's: which instructions an image executes, and
// which way each that has a condition goes.
//
//     -plugin executed.so,places=FILE,seen=FILE -singlestep
//
// A line of places is an address, a kind and a number: "i" an instruction; "b"
// a conditional branch; "c" an instruction within an IT block, and the number
// of its condition. A line of seen is an address that was executed, and the
// ways a condition went, 1 false, 2 true, 3 both; of a branch, what of the
// places came next.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is used of QEMU's interface, as its manual has it.
struct qemu_plugin_tb;
struct qemu_plugin_insn;
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(
    const struct qemu_plugin_tb *tb, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void qemu_plugin_register_vcpu_tb_trans_cb(
    uint64_t id, void (*callback)(uint64_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
                                            void (*callback)(unsigned cpu,
                                                             void *place),
                                            int flags, void *place);
// What a plugin cannot ask for yet: the registers. With an instruction to a
// block, as -singlestep has it, they are as that instruction finds them.
void *qemu_get_cpu(int index);
void cpu_dump_state(void *cpu, FILE *to, int flags);

int qemu_plugin_version = 1;

enum { MOST = 1 << 18, NEXT = 4 };  // Half-words of flash; ways from a branch.

struct place {
  uint32_t address;
  uint32_t next[NEXT];
  uint8_t kind, condition, seen, ways;
};

static struct place *places[MOST];
static struct place *branch;  // The last that was executed was this one.
static const char *seen_name;
static char registers[4096];

static unsigned flags_now(void)
{
  memset(registers, 0, sizeof registers);
  FILE *text = fmemopen(registers, sizeof registers, "w");
  if (!text) abort();
  cpu_dump_state(qemu_get_cpu(0), text, 0);
  fclose(text);
  const char *found = strstr(registers, "XPSR=");
  if (!found) abort();
  return (unsigned)(strtoul(found + 5, NULL, 16) >> 28);
}

// As the manual of the architecture tells it: ConditionHolds().
static int holds(unsigned condition)
{
  unsigned flags = flags_now();
  int n = flags >> 3 & 1, z = flags >> 2 & 1, c = flags >> 1 & 1, v = flags & 1;
  const int base[] = {z, c, n, v, c && !z, n == v, n == v && !z};
  return base[condition >> 1] ^ (int)(condition & 1);
}

static void note_next(struct place *from, uint32_t to)
{
  for (int i = 0; i < NEXT; i++) {
    if (from->next[i] == to) return;
    if (from->next[i]) continue;
    from->next[i] = to;
    return;
  }
}

static void execute(unsigned cpu, void *given)
{
  struct place *place = given;
  (void)cpu;
  place->seen = 1;
  if (branch) note_next(branch, place->address);
  branch = place->kind == 'b' ? place : NULL;
  if (place->kind == 'c' && place->ways != 3) {
    place->ways |= holds(place->condition) ? 2 : 1;
  }
}

// What is not among the places comes between: an interrupt, or a call's rest.
static void leave(unsigned cpu, void *none)
{
  (void)cpu;
  (void)none;
  branch = NULL;
}

static void translate(uint64_t id, struct qemu_plugin_tb *tb)
{
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
    uint64_t half = qemu_plugin_insn_vaddr(insn) / 2;
    struct place *place = half < MOST ? places[half] : NULL;
    qemu_plugin_register_vcpu_insn_exec_cb(insn, place ? execute : leave, 0,
                                           place);
  }
}

static void tell(void)
{
  FILE *file = fopen(seen_name, "w");
  if (!file) abort();
  for (uint32_t half = 0; half < MOST; half++) {
    const struct place *place = places[half];
    if (!place || !place->seen) continue;
    fprintf(file, "%x %u", (unsigned)place->address, place->ways);
    for (int i = 0; i < NEXT && place->next[i]; i++) {
      fprintf(file, " %x", (unsigned)place->next[i]);
    }
    fprintf(file, "\n");
  }
  fclose(file);
}

static int read_places(const char *name)
{
  unsigned address, condition;
  char kind;
  FILE *file = fopen(name, "r");
  if (!file) return -1;
  while (fscanf(file, "%x %c %u\n", &address, &kind, &condition) == 3) {
    struct place *place = calloc(1, sizeof *place);
    if (!place || address / 2 >= MOST) return -1;
    place->address = address;
    place->kind = (uint8_t)kind;
    place->condition = (uint8_t)condition;
    places[address / 2] = place;
  }
  return fclose(file);
}

int qemu_plugin_install(uint64_t id, const void *info, int count, char **words)
{
  (void)info;
  for (int i = 0; i < count; i++) {
    if (!strncmp(words[i], "places=", 7) && read_places(words[i] + 7))
      return -1;
    if (!strncmp(words[i], "seen=", 5)) seen_name = words[i] + 5;
  }
  if (!seen_name || atexit(tell)) return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  return 0;
}
