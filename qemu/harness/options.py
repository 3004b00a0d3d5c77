# SPDX-License-Identifier: MIT
"""What was asked for: a run is a function of these, and of the firmware."""

import hashlib
import shlex
from dataclasses import dataclass
from pathlib import Path

from . import refusals

ROOT = Path(__file__).resolve().parents[2]

FRAMES_PER_SECOND = 60
FRAMES_PER_HOUR = 3600 * FRAMES_PER_SECOND
FRAMES_PER_DAY = 24 * FRAMES_PER_HOUR
FRAMES_MAX = 2**32 - 1  # The firmware counts them in 32 bits.

ROUND_FRAMES = 600  # Of a swarm.

# This machine, as a board: what QEMU is not needed for.
HOST = "host"

# In the order of the level numbers the firmware reports.
CHECKS = ("off", "fast", "poison", "full")


def checks_text(level, sanitized):
    """How much a firmware was built to look for, in words."""
    return f"{level}, sanitized" if sanitized else level


def word_of(name):
    """What an option is called where it is asked for."""
    return {"pool_sanitizer": "sanitize"}.get(name, name.replace("_", "-"))


# In the order of the mode numbers the firmware reports.
INTERRUPTS = ("scheduled", "timer")


# What is played with interrupts at any instruction: a frame of so many, within
# these bounds.
SHARE, SHARE_LEAST, SHARE_MOST = 10, 600, FRAMES_PER_HOUR
SANITIZED = 4  # And of so many frames of that one with --sanitize.


@dataclass(frozen=True)
class Options:
    frames: int = FRAMES_PER_HOUR
    seed: int = 1
    board: str = "mps2_an385"
    cores: int = 1  # Of a machine that is like the board.
    checks: str = "poison"
    interrupts: str = "scheduled"
    plant: str = ""
    scenario: str = ""  # A file; none: the demo's own.
    fail_nth: int = 0  # Every so many requests of a site are refused,
    fail_rate: float = 0.0  # and any with this probability,
    fail_site: str = ""  # at this site only.
    pools: str = ""
    near_wrap: bool = False  # Clocks start near their end.
    elf: str = ""  # Somebody's own firmware, instead of the console,
    host: str = ""  # and what that is as a program of this machine.
    with_host: bool = False  # The same frames on the host first.
    sanitize: bool = True  # On the host, by the compiler's own sanitizers.
    pool_sanitizer: bool = False  # The application asks at each load and store.
    ask: bool = False  # The library questions whose answers are known.
    with_share: bool = False  # A share of the frames so, and by timer, first.
    out: str = ""
    json: bool = False
    install: bool = True
    max_findings: int = 1  # Different audits, and it is stopped; 0: never.
    why: bool = True  # Look for who made it fail.
    resume: str = ""
    checkpoint_every: int = FRAMES_PER_HOUR  # 0 for never.
    once: bool = False
    seeds: tuple = ()
    swarm: bool = False  # Many short runs, each drawn,
    rounds: int = 0  # so many; 0: of ROUND_FRAMES each.
    jobs: int = 0  # 0 for as many as there are processors.

    @property
    def sim_seconds(self):
        return self.frames / FRAMES_PER_SECOND

    @property
    def plant_frame(self):
        return self.frames // 2

    @property
    def share_frames(self):
        """How many the share is that is played first."""
        share = min(SHARE_MOST, self.frames // SHARE)
        return min(self.frames, max(SHARE_LEAST, share))

    @property
    def sanitized_frames(self):
        """How many are played with --sanitize then."""
        return min(self.frames, max(SHARE_LEAST, self.share_frames // SANITIZED))

    @property
    def clock_start(self):
        """What the firmware's clock is before the first frame."""
        return -(self.frames // 2) % 2**32 if self.near_wrap else 0

    @property
    def out_folder(self):
        which = "swarm-" * self.swarm + f"seed{self.seed}"
        which = f"seeds{self._range}" if self.seeds else which
        own = f"{Path(self.elf).stem}-" if self.elf else ""
        how = self.checks + "-sanitize" * self.pool_sanitizer
        name = f"{own}{self.board}-{how}-{which}"
        return Path(self.out) if self.out else ROOT / "build" / "soak" / name

    @property
    def _range(self):
        return f"{min(self.seeds)}-{max(self.seeds)}"

    @property
    def build_folder(self):
        name = "sanitize-" * self.pool_sanitizer \
            + f"{self.board}-{self.checks}" + "-plain" * (not self.sanitize)
        if self.pools:
            path = str(Path(self.pools).resolve())
            name += "-" + hashlib.sha256(path.encode()).hexdigest()[:8]
        return ROOT / "build" / name

    @property
    def checks_text(self):
        return checks_text(self.checks, self.pool_sanitizer)

    @property
    def has_asan(self):
        """Whether a program of this machine has it: it excludes the pools' own."""
        return self.sanitize and not self.pool_sanitizer

    def command_line(self):
        """The line that repeats this run, or these runs."""
        words = ["qemu/soak", "run", *["--swarm"] * self.swarm,
                 *_length(self.frames)]
        words += ["--rounds", str(self.rounds)] if self.rounds else []
        words += ["--seeds", self._range] if self.seeds \
            else ["--seed", str(self.seed)]
        words += [] if self.with_host and not self.elf \
            else ["--board", self.board]
        words += ["--cores", str(self.cores)] if self.cores > 1 else []
        words += ["--checks", self.checks]
        words += [] if self.swarm else ["--interrupts", self.interrupts]
        words += ["--pools", self.pools] if self.pools else []
        words += ["--elf", self.elf] if self.elf else []
        words += ["--host", self.host] if self.host else []
        words += ["--sanitize"] if self.pool_sanitizer else []
        words += [] if self.sanitize else ["--no-sanitize"]
        words += ["--scenario", self.scenario] if self.scenario else []
        words += ["--plant", self.plant] if self.plant else []
        words += ["--near-wrap"] if self.near_wrap else []
        words += ["--ask"] if self.ask else []
        words += _share_words(self.with_share, "--board" in words)
        words += refusals.command_words(self)
        words += ["--max-findings", str(self.max_findings)] \
            if self.max_findings != Options.max_findings else []
        return " ".join(shlex.quote(word) for word in words)

    def resume_line(self):
        """The line that goes on with this run once it was cut short."""
        out = shlex.quote(str(self.out_folder))
        if not self.seeds:
            return f"qemu/soak run --resume {out}"
        jobs = f" --jobs {self.jobs}" if self.jobs else ""
        return f"{self.command_line()}{jobs} --out {out}"


def _share_words(wanted, board_named):
    """What says so, where that is not so without a word."""
    if wanted == (not board_named):
        return []
    return ["--share"] if wanted else ["--no-share"]


def _length(frames):
    if frames % FRAMES_PER_DAY == 0:
        return ["--days", str(frames // FRAMES_PER_DAY)]
    if frames % FRAMES_PER_HOUR == 0:
        return ["--hours", str(frames // FRAMES_PER_HOUR)]
    return ["--frames", str(frames)]
