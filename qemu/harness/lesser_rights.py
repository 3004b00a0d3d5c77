# SPDX-License-Identifier: MIT
"""What a child of ours may do at most: of root's powers it needs none."""

import ctypes
import os
import sys

_DROP_FROM_BOUNDING_SET, _CAPABILITIES = 24, 64
_LIBC = ctypes.CDLL(None)  # Not looked for between fork and exec.


def drop_rights():
    """Called by the child. What it executes then has no capability, even as root:
    it opens what the file's owner may, and is no administrator."""
    if os.geteuid() == 0 and sys.platform.startswith("linux"):
        for capability in range(_CAPABILITIES):
            _LIBC.prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)
