#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of the whole library, made of bytes, each held against a model: fuzz.h.

    tests/fuzz/fuzz.py [LEVEL...]

looks for an input that shows the library do otherwise, at every level or at those
that are named; once more, a tenth as long, of a library with a port of two cores.
Coverage chooses what to try next, from seeds that are made here, so
the same number of inputs with the same seed is the same search again:

    TIDEPOOL_FUZZ_INPUTS   how many, a level, in place of some ten thousand
    TIDEPOOL_FUZZ_SEED     another search than that of 1

What breaks a model is left in build/fuzz, and build/fuzz/LEVEL/fuzz FILE repeats it,
or build/fuzz/LEVEL-cores/fuzz FILE.
Exit code 0 iff nothing does.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BUILD, HANG_SECONDS, LEVELS, ROOT, ToolFailed, tool  # noqa: E402

HERE = ROOT / "tests" / "fuzz"
FOLDERS = ("lib/*", "port/host")
MODEL = "tests/states/model.c"
FLAGS = ("-std=gnu11", "-O1", "-g1", "-Wall", "-Wextra", "-Werror", "-fno-pie",
         "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all")
INCLUDES = ("lib", "port/host", "port/cache/none", "tests", "tests/states",
            "tests/unit/wait", "tests/fuzz")
PORT_OF_CORES = "tests/unit/cores"
OF_A_KERNEL = "lib/policy/tp_wait.c"  # Of one core here: fuzz_waits is its port.
INPUTS = 60000  # A level.
SHARE_OF_CORES = 10  # One world of many.
LONGEST = 400  # Bytes of an input.
SEEDS_OF_A_WORLD = 6


class Tried(NamedTuple):
    inputs: int
    trouble: str  # What broke a model; "" if nothing did.


class Image:
    """The worlds and the library at a level, each file compiled once. With [cores],
    those of a library that has a port of two cores."""

    def __init__(self, level, cores=False):
        self.level, self.cores = level, cores
        self.name = f"{level}-cores" if cores else level
        self.folder = BUILD / "fuzz" / self.name
        self.folder.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(2) as pool:
            self.objects = dict(pool.map(self.compiled, sources(self.home)))
        self.path = self.linked(self.objects, self.folder / "fuzz")

    @property
    def home(self):
        """Of its worlds."""
        return HERE / "cores" if self.cores else HERE

    def compiled(self, name, home=None):
        """The name, and the object that is made of it, in [home] with its lib."""
        made = (home or self.folder) / (name.replace("/", "_") + ".o")
        includes = [f"-I{(path == 'lib' and home or ROOT) / path}"
                    for path in (*INCLUDES, *[PORT_OF_CORES] * self.cores)]
        within = home if home and name.startswith("lib/") else ROOT
        lenient = ["-w"] if home else []  # What a mistake leaves unused.
        tool("clang-19", *FLAGS, *lenient, f"-DTP_CHECKS={LEVELS.index(self.level)}",
             *includes, "-MMD", "-c", within / name, "-o", made)
        return name, made

    def linked(self, objects, path):
        tool("clang-19", *FLAGS, "-no-pie", *objects.values(), "-o", path)
        return path

    def changed(self, file, home):
        """The image of a library in which one file is another, in its folder."""
        needed = [name for name, made in self.objects.items()
                  if f"{ROOT}/{file}" in made.with_suffix(".d").read_text().split()]
        with ThreadPoolExecutor(2) as pool:
            made = dict(pool.map(lambda name: self.compiled(name, home), needed))
        return self.linked({**self.objects, **made}, home / "fuzz")


def sources(home):
    """Of an image whose worlds are those of a folder."""
    files = [path for place in FOLDERS for path in sorted(ROOT.glob(f"{place}/*.c"))]
    files += sorted({*home.glob("*.c"), HERE / "fuzz.c"})
    names = [path.relative_to(ROOT).as_posix() for path in files] + [MODEL]
    return [name for name in names if home == HERE or name != OF_A_KERNEL]


def worlds(home):
    """Their names, in the order of the byte that chooses one."""
    table = re.search(r"worlds\[\] = \{(.*?)\}", (home / "worlds.c").read_text(), re.S)
    return re.findall(r"&fuzz_(\w+)", table[1])


def seeds(folder, home):
    """Inputs to begin with, the same every time: a few of each world."""
    folder.mkdir()
    for number, world in enumerate(worlds(home)):
        for one in range(SEEDS_OF_A_WORLD):
            dice = random.Random(f"{world} {one}")
            rest = bytes(dice.randrange(256) for _ in range(LONGEST - 1))
            (folder / f"{world}-{one}").write_bytes(bytes([number]) + rest)


def tried(path, home, inputs, seed=1, keep=None):
    """Tries so many inputs of an image whose worlds are those of [home]. What breaks
    a model is copied to [keep]."""
    with tempfile.TemporaryDirectory(prefix="tidepool-fuzz-") as scratch:
        scratch = Path(scratch)
        seeds(scratch / "seeds", home)
        result = subprocess.run(
            [path, f"-runs={inputs}", f"-seed={seed}", f"-max_len={LONGEST}",
             "-len_control=0", "-detect_leaks=0", f"-timeout={HANG_SECONDS}",
             "-print_final_stats=1", "-verbosity=0", f"-artifact_prefix={scratch}/",
             scratch / "seeds"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace")
        trouble = said(result)
        for path in scratch.glob("*-*") if trouble and keep else ():
            shutil.copy(path, keep)
    count = re.search(r"number_of_executed_units: (\d+)", result.stdout)
    if not count:
        raise ToolFailed(f"{path} tried nothing:\n{result.stdout[-2000:]}")
    return Tried(int(count[1]), trouble)


def said(result):
    """The line that says what was wrong; "" if nothing was."""
    if result.returncode == 0:
        return ""
    line = re.search(r"^fuzz: .*|.*runtime error: .*|.*ERROR: (?:AddressSanitizer|"
                     r"libFuzzer): .*", result.stdout, re.M)
    return line[0] if line else f"exit code {result.returncode}"


def asked():
    """How many inputs, and which search: what the environment says."""
    words = {"TIDEPOOL_FUZZ_INPUTS": str(INPUTS), "TIDEPOOL_FUZZ_SEED": "1"}
    words = [os.environ.get(name, word) for name, word in words.items()]
    if not all(re.fullmatch(r"[1-9]\d{0,8}", word) for word in words):
        raise ToolFailed("TIDEPOOL_FUZZ_INPUTS and TIDEPOOL_FUZZ_SEED are numbers from"
                         f" 1 to 999999999, not {' and '.join(map(repr, words))}")
    return map(int, words)


def searched(levels):
    """image -> what trying came to, two images at a time."""
    inputs, seed = asked()
    images = [Image(level, cores) for level in levels for cores in (False, True)]

    def one(image):
        share = SHARE_OF_CORES if image.cores else 1
        return tried(image.path, image.home, -(-inputs // share), seed, BUILD / "fuzz")

    with ThreadPoolExecutor(2) as pool:
        return dict(zip([image.name for image in images], pool.map(one, images)))


def main(levels):
    unknown = [level for level in levels if level not in LEVELS]
    if unknown:
        print(f"tests/fuzz/fuzz.py: there is no level {unknown[0]!r}; the levels are "
              + ", ".join(LEVELS), file=sys.stderr)
        return 2
    found = searched(levels or LEVELS)
    for image, one in found.items():
        print(f"{image}: {one.inputs} inputs, {one.trouble or 'nothing found'}")
    return int(any(one.trouble for one in found.values()))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ToolFailed as trouble:
        print(f"tests/fuzz/fuzz.py: {trouble}", file=sys.stderr)
        sys.exit(2)
