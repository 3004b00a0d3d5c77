# SPDX-License-Identifier: MIT
"""Finds the tools a job needs, and installs the missing ones with apt-get."""

import os
import shlex
import shutil
import subprocess

from .errors import CannotRun
from .options import HOST

SOAK_TOOLS = {
    "arm-none-eabi-gcc": "gcc-arm-none-eabi",
    "arm-none-eabi-gcc -E -x c -include string.h /dev/null":
        "libnewlib-arm-none-eabi",
    "cmake": "cmake",
    "ninja": "ninja-build",
    "qemu-img": "qemu-utils",
    "qemu-system-arm": "qemu-system-arm",
}
# What the same game takes as a program of this machine, sanitizers and all.
HOST_TOOLS = {
    "gcc": "gcc",
    "gcc -E -x c -include stdio.h /dev/null": "libc6-dev",
}
# What runs a firmware that is there already, and names its lines.
OWN_TOOLS = {
    "arm-none-eabi-addr2line": "binutils-arm-none-eabi",
    "qemu-img": "qemu-utils",
    "qemu-system-arm": "qemu-system-arm",
}
OWN_HOST_TOOLS = {"addr2line": "binutils"}


def tools_of(options):
    """Command -> package, of what a run takes."""
    on_host = options.with_host or options.board == HOST
    of_board, of_host = (OWN_TOOLS, OWN_HOST_TOOLS) if options.elf \
        else (SOAK_TOOLS, HOST_TOOLS)
    return dict(of_board, **of_host if on_host else {})


def ensure(packages_by_command, install, say=print):
    """Makes every command available or raises CannotRun.

    A command of one word must be on the PATH; one of several words must also
    run and succeed, which is how a library without a command is looked for.
    """
    packages = _missing_packages(packages_by_command)
    if not packages:
        return
    line = "apt-get install --no-install-recommends " + " ".join(packages)
    if not install:
        raise CannotRun(f"some tools are missing; install them with: {line}")
    say("installing " + " ".join(packages))
    _apt_install(packages, line)
    packages = _missing_packages(packages_by_command)
    if packages:
        raise CannotRun(f"{' '.join(packages)}: installed by apt-get, yet not"
                        " found; check that /usr/bin is on the PATH.")


def _missing_packages(packages_by_command):
    return sorted({package for command, package in packages_by_command.items()
                   if not _is_available(command)})


def _is_available(command):
    words = shlex.split(command)
    if not shutil.which(words[0]):
        return False
    return len(words) == 1 or subprocess.run(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).returncode == 0


def _apt_install(packages, line):
    if not shutil.which("apt-get"):
        raise CannotRun("some tools are missing and there is no apt-get here;"
                        f" install what Debian installs with: {line}")
    prefix = _root_prefix(line)
    install = ["install", "--yes", "--no-install-recommends", *packages]
    if _apt_get(prefix, install).returncode == 0:
        return
    # The package lists may be missing or too old: only now are they fetched.
    _apt_get(prefix, ["update"])
    result = _apt_get(prefix, install)
    if result.returncode != 0:
        raise CannotRun("apt-get could not install the missing tools; try by"
                        f" hand: {line}", output=result.stdout)


def _root_prefix(line):
    if os.geteuid() == 0:
        return []
    sudo = ["sudo", "--non-interactive"]
    if shutil.which("sudo") and subprocess.run(
            [*sudo, "true"], stderr=subprocess.DEVNULL).returncode == 0:
        return sudo
    raise CannotRun("some tools are missing and installing them needs root;"
                    f" run: sudo {line}")


def _apt_get(prefix, words):
    # `env` because sudo does not hand variables on.
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
    return subprocess.run(command + words, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
