// SPDX-License-Identifier: MIT
#ifndef WAYS_H
#define WAYS_H

#include "tp_test.h"

void suite_regions(void);
void suite_more(void);
void suite_rows(void);

#endif
