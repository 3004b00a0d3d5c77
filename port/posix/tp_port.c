// SPDX-License-Identifier: MIT
#include "tp_port.h"

#include <pthread.h>

__thread uint32_t tp_port_depth;

static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;

uint32_t tp_port_lock(void)
{
  if (tp_port_depth == 0) pthread_mutex_lock(&all);
  return tp_port_depth++;
}

void tp_port_unlock(uint32_t key)
{
  tp_port_depth = key;
  if (key == 0) pthread_mutex_unlock(&all);
}
