# SPDX-License-Identifier: MIT
"""What the binary utilities say of an ELF file."""

import subprocess


def told_by(*words, given=None):
    """What a utility prints; "" where there is no such, or it cannot read the file. A
    path of the firmware's may have any letter, whatever the locale."""
    try:
        return subprocess.run([str(word) for word in words], input=given,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              encoding="utf-8", errors="replace").stdout
    except FileNotFoundError:
        return ""
