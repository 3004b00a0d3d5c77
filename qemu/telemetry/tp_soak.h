// SPDX-License-Identifier: MIT
// tp_soak.h - what a firmware of your own tells qemu/soak, so that
//
//   qemu/soak run --elf firmware.elf --board mps2_an385
//
// runs it for simulated hours, watches its allocators and gives a verdict.
// Compile tp_soak.c, tp_record.c, tp_picture.c and tp_soak_semihost.c of this
// folder and semihost.c of the one above into it, and
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
  uint32_t picture_every;  // Frames, for `qemu/soak play`; 0: none.
  uint8_t checks;
};

// The board's name as --board has it. A build that knows it defines it, so that
// a run on another is refused before it begins.
#ifndef TIDEPOOL_BOARD_NAME
#define TIDEPOOL_BOARD_NAME ""
#endif

// Of all allocators that tp_pools.c lists, at most 255.
#define TP_SOAK                     \
  {                                 \
      .registry = &tp_registry,     \
      .board = TIDEPOOL_BOARD_NAME, \
      .checks = TP_CHECKS,          \
  }

// Asks the emulator what to do and introduces the firmware to the host.
void tp_soak_begin(struct tp_soak *soak);

// A frame has ended. Sets tp_clock_now, looks over a few dead slots, and once
// a simulated second verifies all allocators and reports.
//
// Context  One that no user of the pools interrupts.
void tp_soak_frame(struct tp_soak *soak);

// The run has ended well. Does not return.
__attribute__((noreturn)) void tp_soak_end(struct tp_soak *soak);

// It has not. Does not return.
__attribute__((noreturn)) void tp_soak_fault(
    const struct tp_fault_record *record);

// Asks QEMU for its arguments and ends it: tp_soak_semihost.c. A firmware that
// is run otherwise writes its own.
void tp_soak_arguments(struct tp_soak *soak);
__attribute__((noreturn)) void tp_soak_exit(int code);

#ifdef __cplusplus
}
#endif

#endif
