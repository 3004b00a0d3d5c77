// SPDX-License-Identifier: MIT
// tp_test_print.h - the three things the runner needs of where it runs.
#ifndef TP_TEST_PRINT_H
#define TP_TEST_PRINT_H

void tp_test_print(const char *text);

// The name of the only case to run; empty if all are. +WORD are those whose
// names have it as a part, -WORD the others.
const char *tp_test_only(void);

_Noreturn void tp_test_stop(int code);

#endif
