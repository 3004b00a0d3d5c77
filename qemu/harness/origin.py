# SPDX-License-Identifier: MIT
"""When, where and of what a result came about. No verdict looks at it."""

import os
import platform
import shlex
import subprocess
from datetime import datetime, timezone
from pathlib import Path

from .errors import CannotRun
from .host_program import command as host_command
from .machine import command
from .options import HOST, ROOT


def origin(options):
    """`date` is of the end of the run, or what SOURCE_DATE_EPOCH says instead;
    `revision` of the checkout that the firmware lies in, or nothing; `command`
    runs in the folder of the result."""
    words = host_command(options) if options.board == HOST else command(options)
    return {"date": now().strftime("%Y-%m-%d %H:%M UTC"),
            "revision": _revision(Path(options.elf).parent if options.elf else ROOT),
            "machine": f"{platform.system()} {platform.release()}"
                       f" {platform.machine()}, {os.cpu_count()} processors",
            "command": shlex.join(map(str, words))}


def now():
    """Raises CannotRun where SOURCE_DATE_EPOCH says nothing that is a date."""
    told = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        return datetime.fromtimestamp(int(told), timezone.utc) if told \
            else datetime.now(timezone.utc)
    except (ValueError, OverflowError, OSError):
        raise CannotRun(f"SOURCE_DATE_EPOCH is {told!r}: it must be seconds since 1970;"
                        " correct it or unset it.") from None


def _revision(folder):
    """As git names it, `-dirty` behind it where files were changed."""
    try:
        result = subprocess.run(
            ["git", "-C", str(folder), "describe", "--always", "--dirty", "--tags"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except OSError:  # There is no git.
        return ""
    return result.stdout.strip()
