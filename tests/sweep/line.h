// SPDX-License-Identifier: MIT
// line.h - a line of output, put together and then printed at once.
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stdint.h>

void line_add(const char *text);
void line_add_number(uint32_t value, uint32_t base);

// Prints the line and begins the next.
void line_end(void);

// Is it time to? A line has room for some hundred characters more.
bool line_is_long(void);

// Begins the next line. Returns this one, good until line_end().
const char *line_take(void);

#endif
