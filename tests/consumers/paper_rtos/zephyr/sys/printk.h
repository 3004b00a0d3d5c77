// SPDX-License-Identifier: MIT
// printk.h - on paper: what Zephyr prints with before there is a log.
#ifndef ZEPHYR_SYS_PRINTK_H
#define ZEPHYR_SYS_PRINTK_H

void printk(const char *format, ...);

#endif
