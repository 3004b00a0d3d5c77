// SPDX-License-Identifier: MIT
#define __builtin_return_address(level) ((void *)0)
#include "tp_port.h"

// As pin.c proves.
//@ TP_TURNS_PIN(pool, generation, pin);
enum tp_pin_outcome tp_pin_turn(const struct tp_pool *pool,
                                struct tp_generation generation, bool pin,
                                tp_site_t site);

#include "core/tp_handle.c"
