// SPDX-License-Identifier: MIT
// shell.h - on paper: what Zephyr's reference documents of the shell that
// port/zephyr uses. A command of the name tidepool is paper_shell_tidepool.
#ifndef ZEPHYR_SHELL_SHELL_H
#define ZEPHYR_SHELL_SHELL_H

#include <stddef.h>

struct shell;

struct paper_command {
  const char *name, *help;
  int (*handler)(const struct shell *shell, size_t count, char **words);
};

__attribute__((format(printf, 2, 3))) void shell_print(
    const struct shell *shell, const char *format, ...);

#define SHELL_CMD_REGISTER(syntax, subcommands, text, function) \
  const struct paper_command paper_shell_##syntax = {#syntax, text, function}

#endif
