# SPDX-License-Identifier: MIT
"""What the rounds of a swarm play: the demo, at three sizes of its table, and the
dungeon, which has what the demo has no use for; or somebody's own firmware."""

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

from . import branches, build, swarm_tables
from .build import GAME_POOLS
from .options import HOST, ROOT
from .own_firmware import PLANTS
from .result_folder import SWARM
from .swarm_round import Firmware, Program

DUNGEON, TABLES, PROGRAMS = "dungeon.elf", "tables", "programs"


def firmwares_of(options, each, scratch, say):
    """Built, and ready for rounds of so many frames; what a line that repeats one
    needs is left in `scratch`."""
    options = replace(options, frames=each, swarm=False, rounds=0, with_host=False,
                      with_share=False)
    return _own(options, scratch) if options.elf else _Demo(
        options, scratch, say).firmwares()


def _own(options, scratch):
    """The program that was built for coverage."""
    branches.refuse_without_counters(options.host or options.elf)
    program = scratch / PROGRAMS / "own.elf"
    program.parent.mkdir()
    shutil.copyfile(options.host or options.elf, program)
    return [Firmware(Path(options.elf).stem, options, options,
                     [Program(program, True, True)])]


class _Demo:
    def __init__(self, options, scratch, say):
        self._asked = options
        self._options = replace(options, board=HOST)
        self._scratch = scratch
        self._say = say

    def firmwares(self):
        options = self._options
        self._say("building the shooter and the dungeon")
        shooter, dungeon = self._built(options, "console", "dungeon")
        firmwares = [Firmware("shooter", options, self._repeated(options), shooter)]
        firmwares += [self._with_table(name, share)
                      for name, share in swarm_tables.SHARES.items()]
        if not options.plant or options.plant in PLANTS:
            firmwares.append(self._dungeon(dungeon))
        return firmwares

    def _with_table(self, name, share):
        """Built where the next swarm finds it; the line names a copy in the result."""
        self._say(f"building the shooter with {name} of its table")
        text = Path(self._options.pools or GAME_POOLS).read_text(encoding="utf-8")
        text = swarm_tables.smaller(text, share)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        file = f"{name.replace(' ', '-')}.toml"
        cached = ROOT / "build" / TABLES / f"{digest}-{file}"
        for path in (cached, self._scratch / SWARM / file):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        told = str(self._options.out_folder / SWARM / file)
        options = replace(self._options, pools=str(cached))
        programs, = self._built(options, "console")
        return Firmware(f"shooter, {name} of its table", options,
                        self._repeated(replace(options, pools=told)), programs)

    def _repeated(self, options):
        """The line plays in QEMU too, unless somebody wanted the host alone."""
        board = self._asked.board
        return options if board == HOST else replace(options, with_host=True,
                                                     board=board)

    def _dungeon(self, programs):
        """The line plays a copy that stays in the result."""
        kept = self._scratch / SWARM / DUNGEON
        shutil.copyfile(programs[-1].path, kept)
        options = replace(self._options, pools="", elf=str(kept))
        told = str(self._options.out_folder / SWARM / DUNGEON)
        return Firmware("dungeon", options, replace(options, elf=told), programs)

    def _built(self, options, *targets):
        """The programs of each target: one that counts, one with sanitizers."""
        plain = replace(options, sanitize=True)
        folders = [branches.build_counted(plain, *targets)]
        if options.sanitize:
            folders.append(build.build_program(plain, {}, "", targets))
        return [[Program(self._copied(folder, target), not number, bool(number))
                 for number, folder in enumerate(folders)] for target in targets]

    def _copied(self, folder, target):
        """Whoever builds while the swarm plays changes nothing."""
        copy = self._scratch / PROGRAMS / folder.name / f"{target}.elf"
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(folder / copy.name, copy)
        return copy
