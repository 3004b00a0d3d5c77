// SPDX-License-Identifier: MIT
// tp_test_print.h - the two things the runner needs of where it runs.
#ifndef TP_TEST_PRINT_H
#define TP_TEST_PRINT_H

void tp_test_print(const char *text);
_Noreturn void tp_test_stop(int code);

#endif
