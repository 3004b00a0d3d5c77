# SPDX-License-Identifier: MIT
"""What the ports that wait ask of an RTOS, call by call: each is compiled for this
machine, with calls that answer as its reference says and note what they were asked."""

import shutil
import subprocess
import unittest

from consumer import HERE, OUT, ROOT, tool

# In place of a Cortex-M's port.
PORT = """#include <stdint.h>
static uint32_t exception, masked;
#define TP_PORT_CONTEXT() exception
static inline uint32_t tp_port_masked(void) { return masked; }
#define TP_BARRIER() __asm volatile("" : : : "memory")
"""
CHECK = """#include <stdio.h>
#define CHECK(claim) \\
  do { if (!(claim)) { puts(#claim); failed = 1; } } while (0)
static int failed;
static struct tp_wait_sleeper sleeper;
"""
# None but a thread whose interrupts come.
CAN_SLEEP = """  CHECK(tp_wait_port_can_sleep());
  exception = 15;
  CHECK(!tp_wait_port_can_sleep());
  exception = 0, masked = 1;
  CHECK(!tp_wait_port_can_sleep());"""
ZEPHYR = """#include "tp_wait_port.h"
""" + CHECK + """
static bool in_isr;
static int priority, answer, given, most, takes;
static int64_t waited, longest, in_all;
bool k_is_in_isr(void) { return in_isr; }
k_tid_t k_current_get(void) { return NULL; }
int k_thread_priority_get(k_tid_t thread) { return thread ? 99 : priority; }
void k_sem_give(struct k_sem *sem) { given += sem == &sleeper.woken; }
int k_sem_init(struct k_sem *sem, unsigned int initial, unsigned int limit)
{
  most = sem == &sleeper.woken && initial == 0 ? (int)limit : -1;
  return 0;
}
int k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
  waited = sem == &sleeper.woken ? timeout.ticks : -9;
  if (waited > longest) longest = waited;
  in_all += waited;
  takes++;
  return answer;
}
static uint32_t urgency(int of)
{
  priority = of;
  return tp_wait_port_urgency();
}
int main(void)
{
  CHECK(tp_wait_port_can_sleep());
  in_isr = true;
  CHECK(!tp_wait_port_can_sleep());
  in_isr = false, masked = 1;
  CHECK(!tp_wait_port_can_sleep());
  CHECK(urgency(-2) > urgency(0) && urgency(0) > urgency(5));
  tp_wait_port_prepare(&sleeper);
  CHECK(most == 1);
  tp_wait_port_wake(&sleeper);
  CHECK(given == 1);
  CHECK(tp_wait_port_sleep(&sleeper, 7) && waited == 7);
  CHECK(tp_wait_port_sleep(&sleeper, UINT32_MAX) && waited == -1);
  answer = -11;
  CHECK(!tp_wait_port_sleep(&sleeper, 0) && waited == 0);
  in_all = 0;
  CHECK(!tp_wait_port_sleep(&sleeper, UINT32_MAX - 1));
  CHECK(in_all == UINT32_MAX - 1 && longest < INT32_MAX / 2 + 2);
  answer = 0, takes = 0;
  CHECK(tp_wait_port_sleep(&sleeper, UINT32_MAX - 1) && takes == 1);
  return failed;
}
"""
CMSIS = """#include "tp_wait_port.h"
""" + CHECK + """
static int me, other;
static uint32_t answer, asked, waited, options = 9;
static int ends_early;
static osThreadId_t woken;
osThreadId_t osThreadGetId(void) { return &me; }
osPriority_t osThreadGetPriority(osThreadId_t thread)
{
  return (osPriority_t)(thread == &me ? 24 : 8);
}
uint32_t osThreadFlagsSet(osThreadId_t thread, uint32_t flags)
{
  woken = flags == TP_WAIT_FLAG ? thread : &other;
  return flags;
}
uint32_t osThreadFlagsWait(uint32_t flags, uint32_t how, uint32_t timeout)
{
  asked = flags, options = how, waited = timeout;
  return ends_early && ends_early-- ? 0xFFFFFFFEu : answer;
}
static bool slept(uint32_t says)
{
  answer = says;
  return tp_wait_port_sleep(&sleeper, 7);
}
int main(void)
{
""" + CAN_SLEEP + """
  CHECK(tp_wait_port_urgency() == 24);
  tp_wait_port_prepare(&sleeper);
  tp_wait_port_wake(&sleeper);
  CHECK(woken == &me);
  CHECK(slept(TP_WAIT_FLAG | 1) && asked == TP_WAIT_FLAG && waited == 7);
  CHECK(options == osFlagsWaitAny);
  CHECK(!slept(1));
  CHECK(!slept(0xFFFFFFFEu));  // osFlagsErrorTimeout
  answer = TP_WAIT_FLAG;
  CHECK(tp_wait_port_sleep(&sleeper, UINT32_MAX) && waited == osWaitForever);
  return failed;
}
"""
FREERTOS_H = """#include <stddef.h>
#include <stdint.h>
typedef struct { char of_a_kernel; } StaticSemaphore_t;
typedef StaticSemaphore_t *SemaphoreHandle_t;
typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;
#define pdFALSE       0
#define pdTRUE        1
#define portMAX_DELAY ((TickType_t)0xffffffffu)
static BaseType_t yielded;
#define portYIELD_FROM_ISR(is_due) (yielded = (is_due))
UBaseType_t uxTaskPriorityGet(void *task);
SemaphoreHandle_t xSemaphoreCreateBinaryStatic(StaticSemaphore_t *memory);
void vSemaphoreDelete(SemaphoreHandle_t semaphore);
BaseType_t xSemaphoreGive(SemaphoreHandle_t semaphore);
BaseType_t xSemaphoreGiveFromISR(SemaphoreHandle_t semaphore, BaseType_t *is_due);
BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, TickType_t ticks);
"""
FREERTOS = """#include "tp_wait_port.h"
""" + CHECK + """
static int given, given_from_isr, deleted;
static BaseType_t due, answer = pdTRUE;
static TickType_t waited;
static uint32_t waited_in_all, for_ever, takes;
static int ends_early;
UBaseType_t uxTaskPriorityGet(void *task) { return task ? 99 : 5; }
SemaphoreHandle_t xSemaphoreCreateBinaryStatic(StaticSemaphore_t *memory)
{
  return memory;
}
void vSemaphoreDelete(SemaphoreHandle_t it) { deleted += it == &sleeper.memory; }
BaseType_t xSemaphoreGive(SemaphoreHandle_t it)
{
  given += it == &sleeper.memory;
  return pdTRUE;
}
BaseType_t xSemaphoreGiveFromISR(SemaphoreHandle_t it, BaseType_t *is_due)
{
  given_from_isr += it == &sleeper.memory && *is_due == pdFALSE;
  *is_due = due;
  return pdTRUE;
}
BaseType_t xSemaphoreTake(SemaphoreHandle_t it, TickType_t ticks)
{
  waited = it == &sleeper.memory ? ticks : 99;
  waited_in_all += waited;
  takes++;
  for_ever += ticks == portMAX_DELAY;
  return ends_early && ends_early-- ? pdFALSE : answer;
}
static bool sleeps(uint32_t ticks)
{
  waited_in_all = for_ever = takes = 0;
  return tp_wait_port_sleep(&sleeper, ticks);
}
int main(void)
{
""" + CAN_SLEEP + """
  CHECK(tp_wait_port_urgency() == 5);
  tp_wait_port_prepare(&sleeper);
  yielded = 7;
  tp_wait_port_wake(&sleeper);
  CHECK(given == 1 && given_from_isr == 0 && yielded == 7);
  exception = 16;
  for (due = pdFALSE; due <= pdTRUE; due++) {
    tp_wait_port_wake(&sleeper);
    CHECK(given == 1 && given_from_isr == 1 + due && yielded == due);
  }
  CHECK(tp_wait_port_sleep(&sleeper, 7) && waited == 7);
  CHECK(tp_wait_port_sleep(&sleeper, UINT32_MAX) && waited == portMAX_DELAY);
  CHECK(sleeps(200000) && waited_in_all <= 200000 && for_ever == 0);
  CHECK(takes == 1);  // Who was woken in the first does not wait again.
  answer = pdFALSE;
  for (uint32_t ticks = 65530; ticks < 200000; ticks += ticks < 65540 ? 1 : 7777) {
    CHECK(!sleeps(ticks) && waited_in_all == ticks && for_ever == 0);
  }
  CHECK(!tp_wait_port_sleep(&sleeper, 0) && waited == 0 && deleted == 0);
  tp_wait_port_end(&sleeper);
  CHECK(deleted == 1);
  return failed;
}
"""
WFE = '__asm volatile("wfe" : : : "memory");'
BARE = """#include <stdint.h>
static void paper_wfe(void);
#include "tp_wait_port.h"
""" + CHECK + """
uint32_t tp_clock_now;
static int idled, wakes;
static uint32_t step = 1;
static void paper_wfe(void)
{
  tp_clock_now += step;
  if (++idled == wakes) tp_wait_port_wake(&sleeper);
}
static bool slept(uint32_t ticks, int wakes_behind)
{
  tp_wait_port_prepare(&sleeper);
  idled = 0, wakes = wakes_behind;
  return tp_wait_port_sleep(&sleeper, ticks);
}
int main(void)
{
""" + CAN_SLEEP + """
  for (tp_clock_now = 0xfffffff0u; tp_clock_now != 0x30; tp_clock_now++) {
    CHECK(!slept(0, 1) && idled == 0);
    CHECK(!slept(3, 9) && idled == 3);
    CHECK(slept(3, 2) && idled == 2);
    CHECK(slept(3, 3) && idled == 3);
    CHECK(slept(UINT32_MAX, 9) && idled == 9);
    tp_clock_now -= 3 + 2 + 3 + 9;
  }
  tp_wait_port_prepare(&sleeper);
  tp_wait_port_wake(&sleeper);
  idled = 0;
  CHECK(tp_wait_port_sleep(&sleeper, 0) && idled == 0);
  step = UINT32_MAX;
  CHECK(slept(UINT32_MAX, 3) && idled == 3);
  return failed;
}
"""
POSIX = """#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
// By as many signals.
static int interrupts, waited, timed;
static int interrupted(void)
{
  if (interrupts == 0) return 0;
  interrupts--;
  errno = EINTR;
  return -1;
}
static int paper_wait(sem_t *woken)
{
  waited++;
  return interrupted() ? -1 : sem_wait(woken);
}
static int paper_timedwait(sem_t *woken, const struct timespec *end)
{
  timed++;
  return interrupted() ? -1 : sem_timedwait(woken, end);
}
static int paper_gettime(clockid_t clock, struct timespec *now);
#define sem_wait paper_wait
#define sem_timedwait paper_timedwait
#define clock_gettime paper_gettime
#include "tp_wait_port.h"
""" + CHECK + """
// A moment that is over.
static int paper_gettime(clockid_t clock, struct timespec *now)
{
  *now = (struct timespec){1000, 990000000};
  return clock != CLOCK_REALTIME;
}
static volatile int entered;
static void *enter(void *context)
{
  uint32_t key = tp_port_lock();
  entered = 1;
  tp_port_unlock(key);
  return context;
}
int main(void)
{
  CHECK(tp_wait_port_can_sleep());
  uint32_t key = tp_port_lock();
  CHECK(!tp_wait_port_can_sleep());
  uint32_t inner = tp_port_lock();
  tp_port_unlock(inner);
  CHECK(!tp_wait_port_can_sleep());
  pthread_t other;
  pthread_create(&other, NULL, enter, NULL);
  struct timespec pause = {0, 50000000};
  nanosleep(&pause, NULL);
  CHECK(!entered);
  tp_port_unlock(key);
  pthread_join(other, NULL);
  CHECK(entered);
  CHECK(tp_wait_port_can_sleep());
  tp_wait_port_prepare(&sleeper);
  CHECK(!tp_wait_port_sleep(&sleeper, 30));
  for (uint32_t ticks = 0; ticks < 5000; ticks += 999) {
    struct timespec end = tp_wait_port_after(ticks);
    CHECK(end.tv_sec == 1000 + (990 + ticks) / 1000);
    CHECK(end.tv_nsec == (990 + ticks) % 1000 * 1000000);
  }
  tp_wait_port_wake(&sleeper);
  CHECK(tp_wait_port_sleep(&sleeper, 0));
  tp_wait_port_wake(&sleeper);
  CHECK(tp_wait_port_sleep(&sleeper, UINT32_MAX));
  CHECK(waited == 1 && timed == 2);
  for (uint32_t i = 0; i < 2; i++) {
    tp_wait_port_wake(&sleeper);
    interrupts = 3;
    CHECK(tp_wait_port_sleep(&sleeper, i ? UINT32_MAX : 7));
    CHECK(interrupts == 0);
  }
  CHECK(waited == 5 && timed == 6);
  tp_wait_port_end(&sleeper);
  return failed;
}
"""


class Asked(unittest.TestCase):
    def check(self, port, text, *more, **headers):
        """That the program of [text] finds nothing to complain about."""
        folder = OUT / f"rtos-{port}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "main.c").write_text(text)
        if not more:
            (folder / "tp_port.h").write_text(PORT)
        for name, header in headers.items():
            (folder / f"{name}.h").write_text(header)
        tool("gcc", "-std=gnu11", "-Wall", "-Wextra", "-fsanitize=undefined",
             "-fno-sanitize-recover", "-I", folder, "-I", ROOT / "port/wait" / port,
             "-I", HERE / "paper_rtos", folder / "main.c", *more, "-o",
             folder / "main", "-pthread")
        result = subprocess.run([folder / "main"], stdout=subprocess.PIPE, text=True,
                                timeout=60)
        self.assertEqual((0, ""), (result.returncode, result.stdout))

    def test_zephyr_is_asked_for_ticks_by_who_may_sleep_the_most_urgent_first(self):
        self.check("zephyr", ZEPHYR)

    def test_cmsis_rtos2_is_asked_for_one_flag_of_the_thread_that_waits(self):
        self.check("cmsis_rtos2", CMSIS)

    def test_freertos_is_asked_for_one_semaphore_by_the_call_of_where_it_is_given(self):
        self.check("freertos", FREERTOS, FreeRTOS=FREERTOS_H, semphr="", task="")

    def test_a_wait_is_as_long_where_freertos_has_ticks_of_16_bits(self):
        short = FREERTOS_H.replace("uint32_t TickType_t", "uint16_t TickType_t")
        short = short.replace("(TickType_t)0xffffffffu", "(TickType_t)0xffff")
        self.check("freertos", FREERTOS, FreeRTOS=short, semphr="", task="")

    def ended(self, program, sleep):
        """[program], but of [sleep], at first, the kernel ends three waits early."""
        main = "int main(void)\n{\n"
        self.assertEqual(1, program.count(main))
        return program.replace(main, f"{main}  ends_early = 3;\n{sleep}"
                               "  CHECK(ends_early == 0);\n")

    def test_a_wait_without_end_goes_on_where_freertos_ends_portmax_delay(self):
        sleep = "  CHECK(sleeps(UINT32_MAX) && for_ever == 4);\n"
        self.check("freertos", self.ended(FREERTOS, sleep), FreeRTOS=FREERTOS_H,
                   semphr="", task="")

    def test_a_wait_without_end_goes_on_where_a_thread_was_suspended_meanwhile(self):
        sleep = ("  answer = TP_WAIT_FLAG;\n"
                 "  CHECK(tp_wait_port_sleep(&sleeper, UINT32_MAX));\n")
        self.check("cmsis_rtos2", self.ended(CMSIS, sleep))

    def test_a_super_loop_sleeps_until_it_is_woken_or_the_clock_says_so(self):
        header = (ROOT / "port/wait/bare/tp_wait_port.h").read_text()
        self.assertEqual(1, header.count(WFE))
        self.check("bare", BARE, tp_wait_port=header.replace(WFE, "paper_wfe();"),
                   tidepool="extern uint32_t tp_clock_now;\n")

    def test_threads_sleep_for_milliseconds_and_one_alone_holds_the_lock(self):
        self.check("posix", POSIX, "-I", ROOT / "port/posix",
                   ROOT / "port/posix/tp_port.c")


if __name__ == "__main__":
    unittest.main()
