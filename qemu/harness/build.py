# SPDX-License-Identifier: MIT
"""Turns the console's sources and a pools.toml into an ELF file."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from .errors import CannotRun
from .folder_lock import locked
from .options import HOST, ROOT

GAME_POOLS = ROOT / "qemu" / "game" / "pools.toml"
GENERATOR = ROOT / "lib" / "config" / "tidepool.py"


def build(options, elf):
    """Leaves a firmware at `elf`: the console, or whatever was given."""
    if options.elf:
        shutil.copyfile(options.elf, elf)
        return
    if options.pools:
        _check_pools(options.pools)
    folder = options.build_folder
    with locked(folder):
        configure(folder, _settings(options), _run)
        _run(["cmake", "--build", str(folder), "--target", "console"])
        shutil.copyfile(folder / "console.elf", elf)


def build_program(options, more, kind, targets):
    """The folder with programs of this machine, built with `more` settings."""
    if options.pools:
        _check_pools(options.pools)
    name = "-".join(filter(None, (kind, options.build_folder.name)))
    folder = options.build_folder.with_name(name)
    with locked(folder):
        configure(folder, {**more, **{name: value for name, value
                                      in _settings(options).items()
                                      if name not in more}}, _run)
        _run(["cmake", "--build", str(folder), "--target", *targets])
    return folder


def configure(folder, settings, run):
    """Lets CMake make `folder`, unless it has made it like that before: what
    changed since, Ninja sees."""
    command = ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja",
               *(f"-D{name}={value}" for name, value in sorted(settings.items()))]
    note = folder / "configured.json"
    words = json.dumps(command)
    if (folder / "build.ninja").exists() and note.exists() \
            and note.read_text() == words:
        return
    note.unlink(missing_ok=True)
    run(command)
    note.write_text(words)


def _settings(options):
    settings = {"TIDEPOOL_BOARD": options.board,
                "TIDEPOOL_CHECKS": options.checks}
    if options.board == HOST:
        settings["TIDEPOOL_ASAN"] = "ON" if options.has_asan else "OFF"
    if options.pool_sanitizer:
        settings["TIDEPOOL_SANITIZE"] = "ON"
    if options.pools:
        settings["TIDEPOOL_GAME_POOLS"] = Path(options.pools).resolve()
    return settings


def _check_pools(pools):
    """Lets the generator speak for itself, without CMake's words around it."""
    result = _capture([sys.executable, str(GENERATOR), "check", pools])
    if result.returncode != 0:
        raise CannotRun(f"{pools} has errors; correct them and run again.",
                        output=result.stdout)


def _run(command):
    result = _capture(command)
    if result.returncode != 0:
        raise CannotRun("the console did not build; what went wrong is above.",
                        output=result.stdout)


def _capture(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, errors="replace")
