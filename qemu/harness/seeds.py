# SPDX-License-Identifier: MIT
"""Many seeds on one machine: a process a seed, some at a time, then a merge.

A seed's process shares nothing with the others: the same command under GNU
parallel or Slurm does the same. A seed with a result is left alone, one that
was cut short goes on.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

from . import build, install
from .folder_lock import make
from .merge import merge
from .options import FRAMES_PER_HOUR, ROOT
from .result_folder import refuse_unless
from .stop_signals import die_with, stop_signals

SOAK = ROOT / "qemu" / "soak"
POLL_SECONDS = 0.1
LOG = "progress.log"


def run_seeds(options):
    """Runs every seed and merges; returns the merged exit code."""
    stream = sys.stderr if options.json else sys.stdout
    refuse_unless("runs", options.out_folder, "many runs")
    install.ensure(install.tools_of(options), options.install,
                   lambda text: _say(stream, text))
    _build_once(options)
    with stop_signals() as stop:
        _run_all(options, stream, stop)
        stopped = bool(stop)
    code = merge(SimpleNamespace(folders=[str(options.out_folder)],
                                 seeds=options.seeds, json=options.json,
                                 out=str(options.out_folder)))
    if stopped:
        _say(stream, f"go on {options.resume_line()}")
    return code


def _build_once(options):
    """So that what does not build is said once, not by every seed."""
    with tempfile.TemporaryDirectory() as folder:
        build.build(options, Path(folder) / "console.elf")


def _run_all(options, stream, stop):
    waiting, running = list(options.seeds), {}
    jobs = options.jobs or os.cpu_count()
    try:
        while running or (waiting and not stop):
            while waiting and len(running) < jobs and not stop:
                seed = waiting.pop(0)
                running[seed] = _start(options, seed)
            _reap(options, running, stream)
            _show(options, len(waiting), running, stream)
            if stop:
                _stop(running)
            time.sleep(POLL_SECONDS)
    finally:
        _stop(running)  # Each writes what it has come to, and ends.


def _start(options, seed):
    folder = seed_folder(options, seed)
    make(folder)
    every = str(options.checkpoint_every / FRAMES_PER_HOUR)
    words = shlex.split(replace(options, seed=seed, seeds=()).command_line())[1:]
    with open(folder / LOG, "w") as log:
        return subprocess.Popen(
            [sys.executable, str(SOAK), *words, "--once", "--no-install",
             "--checkpoint-every", every, "--out", str(folder),
             *([] if options.why else ["--no-why"])],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True, preexec_fn=die_with(os.getpid()))


def seed_folder(options, seed):
    return options.out_folder / f"seed-{seed}"


def _reap(options, running, stream):
    """Says how those that ended went, in the words they ended with."""
    for seed, process in list(running.items()):
        if process.poll() is None:
            continue
        del running[seed]
        log = (seed_folder(options, seed) / LOG).read_text(errors="replace")
        _say(stream, f"seed {seed}: {_last_words(log)}")


def _show(options, waiting, running, stream):
    """On a terminal, a line about what goes on, which the next replaces."""
    if not stream.isatty():
        return
    shares = [f"seed {seed} {_share(options, seed)}" for seed in running]
    done = len(options.seeds) - waiting - len(running)
    line = f"{done} of {len(options.seeds)} done; " + ", ".join(shares) \
        if shares else ""
    width = shutil.get_terminal_size().columns
    print(f"\r{line[:width - 1]}\x1b[K", end="", file=stream, flush=True)


def _share(options, seed):
    """How far a seed was when it last said so, every ten seconds."""
    log = (seed_folder(options, seed) / LOG).read_text(errors="replace")
    return (re.findall(r"  ([0-9.]+ %)  ", log) or ["0 %"])[-1]


def _last_words(log):
    lines = log.splitlines()
    verdicts = [line for line in lines if line[:6] in ("PASS  ", "FAIL  ")]
    return (verdicts or lines or ["it said nothing"])[-1]


def _stop(running):
    for process in running.values():
        process.terminate()


def _say(stream, text):
    clear = "\r\x1b[K" if stream.isatty() else ""
    print(clear + text, file=stream, flush=True)
