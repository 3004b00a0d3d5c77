# SPDX-License-Identifier: MIT
"""Puts a mutant into a copy of the library and runs the unit suites on it.

Only what includes the changed file is compiled again. A run ends by itself after
twenty times the steps that it makes without a change: no clock says that it hangs.
HANG_SECONDS ends what does not even count; that mutant was not killed."""

import filecmp
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

import mutator
from support import HANG_SECONDS, ROOT, ToolFailed, build, tool

# The level that has the most tests first; full also without its audit.
BUILDS = (("poison", ""), ("full", ""), ("off", ""), ("fast", ""),
          ("full", "-DTP_AUDIT=0"))
AREAS = sorted(path.name for path in (ROOT / "tests" / "unit").iterdir()
               if path.name not in ("time",  # A library that counts itself,
                                    "sleep"))  # or what tp_pools.ld defines.
# What the image of an area is linked with: what knows of two cores is asked last.
OF_ALL, OF_CORES = "tidepool_once", "tidepool_cores"
LIBRARIES = (OF_ALL, OF_CORES)
LIBRARY_TEXT = ROOT / "tests" / "library_text.ld"  # Where their code lies in it.
# Whose images are asked first.
LIKELY = {"core": ["pool", "steal", "policy"], "check": ["pool", "reloc", "object"],
          "policy": ["policy", "steal", "compose"],
          "object": ["object", "scene", "compose", "noinit", "pool"],
          "allocator": ["reloc", "scratch", "nest", "dense", "block", "registry"]}
# Tests count their steps too: a loop of theirs may wait for ever. What no block is
# left of is no step: a loop without an end whose body nobody misses.
FLAGS = "-O1 -g0 -fsanitize-coverage=trace-pc -fno-tree-dce " + " ".join(
    f"-Werror={one}" for one in ("int-conversion", "incompatible-pointer-types",
                                 "return-type", "implicit-function-declaration"))
TOO_MANY = 99

# killed, by what; survived; same: the compiler makes the same of it at all levels;
# or unbuilt.
Outcome = namedtuple("Outcome", "mutant verdict by")


class Bench:
    """The library and the suites, built once for each of BUILDS."""

    def __init__(self):
        self.homes = []
        self.builds = {}
        self.lock = Lock()

    def built(self, *one):
        """Only when the level before it let something live."""
        with self.lock:
            if one not in self.builds:
                self.builds[one] = Built(*one)
            return self.builds[one]

    def tried(self, mutants, workers=2):
        """The outcome of each, as they end."""
        with tempfile.TemporaryDirectory(prefix="tidepool-mutants-") as home:
            self.homes = [Path(home) / str(one) for one in range(workers)]
            for one in self.homes:
                shutil.copytree(ROOT / "lib", one / "lib")
            with ThreadPoolExecutor(workers) as pool:
                yield from pool.map(self.outcome, mutants)

    def outcome(self, mutant):
        home = self.homes.pop()
        try:
            path = home / mutant.file
            text = path.read_text()
            path.write_text(mutator.applied(text, mutant))
            try:
                return self.judged(mutant, home)
            finally:
                path.write_text(text)
        finally:
            self.homes.append(home)

    def judged(self, mutant, home):
        seen = set()
        for one in BUILDS:
            said = self.built(*one).run(mutant.file, home)
            if said not in ("unbuilt", "same", "survived"):
                return Outcome(mutant, "killed", said)
            seen.add(said)
        verdict = next(one for one in ("survived", "same", "unbuilt") if one in seen)
        return Outcome(mutant, verdict, "")


class Once:
    """What is made when it is first asked for, by whichever worker: key -> that.
    Nothing of it is of a mutant: what cannot be made here is no verdict."""

    def __init__(self, make):
        self.make, self.made, self.locks = make, {}, {}

    def __call__(self, key):
        with self.locks.setdefault(key, Lock()):
            try:
                if key not in self.made:
                    self.made[key] = self.make(key)
            except subprocess.CalledProcessError as trouble:
                raise ToolFailed(f"without a change {key} does not build: {trouble}")
            return self.made[key]


class Built:
    """The suites at one level, each compiled when it is first asked."""

    def __init__(self, level, option):
        self.name = level + ("-unaudited" if option else "")
        self.settings = {"kind": "mutants-unaudited" if option else "mutants",
                         "CMAKE_C_FLAGS": option, "TIDEPOOL_ASAN": "OFF"}
        self.folder = build("host", level, "tp_test", **self.settings)
        self.level, self.needs = level, {}
        self.commands = self.read_commands()
        self.of, self.archive = Once(self.made), Once(self.archived)
        self.steps = Once(self.counted)
        (self.folder / "objects").mkdir(exist_ok=True)
        self.stepper = self.folder / "objects" / "steps.o"
        tool("gcc", "-O2", "-c", ROOT / "tests" / "mutants" / "steps.c", "-o",
             self.stepper)

    def made(self, target):
        """object -> its file, of a target."""
        commands = {output: words for output, words in self.commands.items()
                    if target_of(output) == target}
        self.generate(commands)
        made = self.compiled(commands, ROOT, self.folder / "objects")
        self.needs.update({output: read_needs(path.with_suffix(".d"))
                           for output, path in made.items()})
        return made

    def generate(self, commands):
        """What the table of a suite makes."""
        made = [Path(words[-1]).relative_to(self.folder) for words in commands.values()
                if self.folder in Path(words[-1]).parents]
        if made:
            build("host", self.level, *made, **self.settings)

    def archived(self, library):
        archive = self.folder / "objects" / f"{library}.a"
        archive.unlink(missing_ok=True)
        tool("ar", "rc", archive, *self.of(library).values())
        return archive

    def read_commands(self):
        """object -> the words that compile it, but for the file it makes."""
        commands = {}
        wanted = {*LIBRARIES, "tp_test", *(f"unit_{area}" for area in AREAS)}
        for one in json.loads((self.folder / "compile_commands.json").read_text()):
            words = shlex.split(one["command"])
            output = words[words.index("-o") + 1]
            target = target_of(output)
            if target not in wanted:
                continue
            keep = [word for word in words
                    if re.match(r"-[ID]|-std", word)] + FLAGS.split()
            commands[output] = [words[0], *keep, "-c", one["file"]]
        return commands

    def compiled(self, commands, home, folder):
        """object -> its file. Raises CalledProcessError."""
        folder.mkdir(parents=True, exist_ok=True)
        made = {}
        for output, words in commands.items():
            made[output] = folder / output.replace("/", "_")
            words = [word.replace(f"{ROOT}/lib", f"{home}/lib") for word in words]
            subprocess.run([*words, "-MMD", "-o", made[output]], check=True,
                           cwd=self.folder, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        return made

    def needed(self, target, file):
        """What of a target is made of a file: object -> the words that compile it."""
        return {output: self.commands[output] for output in self.of(target)
                if file in self.needs[output]}

    def counted(self, area):
        """How many steps its image makes without a change."""
        self.linked(area, {}, self.archive(library_of(area)), self.image(area))
        said = tool(self.image(area), "-million")
        return int(re.search(r"^steps (\d+)$", said, re.M)[1])

    def image(self, area):
        """The suite without a change."""
        return self.folder / "objects" / f"unit_{area}"

    def linked(self, area, changed, archive, image):
        objects = {**self.of(f"unit_{area}"), **self.of("tp_test")}
        files = [changed.get(output, path) for output, path in objects.items()]
        subprocess.run(["gcc", *files, archive, self.stepper, "-Wl,--build-id=none,-s",
                        f"-Wl,-T,{LIBRARY_TEXT}", "-o", image],
                       check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return image

    def run(self, file, home):
        """unbuilt, same, survived, or what killed it."""
        scratch = home / self.name
        shutil.rmtree(scratch, ignore_errors=True)
        archives = {}
        try:
            differ = False
            for area in ordered(file):
                library = library_of(area)
                if library not in archives:
                    archives[library] = self.with_changed(library, file, home, scratch)
                if archives[library] == self.archive(library) and \
                        not self.is_of(area, file):
                    continue
                most = 20 * self.steps(area) + 10**6
                image = self.image_of(area, file, archives[library], home, scratch)
                if filecmp.cmp(image, self.image(area), shallow=False):
                    continue
                differ = True
                said = self.asked(image, most)
                if said:
                    return f"unit_{area} at {self.name}: {said}"
        except subprocess.CalledProcessError:
            return "unbuilt"
        return "survived" if differ else "same"

    def is_of(self, area, file):
        """Can an object of its own be made of a file of lib? Of a header any; of C what
        is compiled from it, or names it."""
        name = file.removeprefix("lib/")
        own = [Path(words[-1]) for output, words in self.commands.items()
               if target_of(output) in (f"unit_{area}", "tp_test")]
        return file.endswith(".h") or any(
            path == ROOT / file or name in path.read_text() for path in own
            if self.folder not in path.parents)

    def with_changed(self, library, file, home, scratch):
        """The library's archive, with what is made otherwise of the changed file."""
        made = self.compiled(self.needed(library, file), home, scratch)
        if all(filecmp.cmp(path, self.of(library)[output], shallow=False)
               for output, path in made.items()):
            return self.archive(library)
        archive = scratch / f"{library}.a"
        shutil.copy(self.archive(library), archive)
        subprocess.run(["ar", "r", archive, *made.values()], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return archive

    def image_of(self, area, file, archive, home, scratch):
        own = {**self.needed(f"unit_{area}", file), **self.needed("tp_test", file)}
        own = self.compiled(own, home, scratch)
        return self.linked(area, own, archive, scratch / "image")

    def asked(self, image, most):
        """What the suite says against it; "" if nothing."""
        try:
            result = subprocess.run(
                [image, "-million"], env=dict(os.environ, STEPS=str(most)),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, errors="replace",
                timeout=HANG_SECONDS)
        except subprocess.TimeoutExpired:
            return ""  # Nothing that counts says that it hangs.
        if result.returncode == TOO_MANY:
            return "does not end"
        if result.returncode or " passed, 0 failed" not in result.stdout:
            failed = re.search(r"^FAIL (\w+)", result.stdout, re.M)
            return failed[1] if failed else f"exit code {result.returncode}"
        return ""


def read_needs(path):
    """The files of lib that an object is made of."""
    words = path.read_text().replace("\\\n", " ").split()
    start = f"{ROOT}/"
    return {word[len(start):] for word in words
            if word.startswith(f"{ROOT}/lib/")}


def target_of(output):
    found = re.search(r"CMakeFiles/(\w+)\.dir/", output)
    return found[1] if found else ""


def library_of(area):
    return OF_CORES if area == "cores" else OF_ALL


def ordered(file):
    likely = LIKELY.get(Path(file).parent.name, [])
    rest = [area for area in AREAS if area not in likely]
    return likely + sorted(rest, key=lambda area: library_of(area) == OF_CORES)
