# SPDX-License-Identifier: MIT
"""The command line of the soak, in this process."""

import contextlib
import io
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "qemu"))
from harness import cli  # noqa: E402


def say(*words):
    """Exit code, and what it said."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = cli.main([*map(str, words)])
    return code, said.getvalue()
