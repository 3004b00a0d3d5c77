# SPDX-License-Identifier: MIT
"""A user's project: a folder of its own with firmware/ and one way to build."""

import copy
import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from support import (BUILD, HANG_SECONDS, ROOT, emulator,  # noqa: E402, F401
                     host_library, is_full, only_in_full, tool)

OUT = BUILD / "consumers"
PREFIX = OUT / "prefix"
CLANG_FOR_MAKE = ("CC=clang-19 --target=arm-none-eabi -ffreestanding"
                  " -fuse-ld=lld-19 -Wno-unused-command-line-argument")


@functools.lru_cache(None)
def install():
    """The package, once, at PREFIX; moved there, since a prefix can be."""
    made = OUT / "made"
    for folder in (made, PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
    tool("cmake", "-S", ROOT, "-B", OUT / "host", "-G", "Ninja")
    tool("cmake", "--install", OUT / "host", "--prefix", made)
    made.rename(PREFIX)


class Project:
    """What a user has: sources, one build file and a tidepool/ beside them."""

    def __init__(self, way, name="", sources="firmware"):
        self.folder = OUT / (name or way)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for source in (sources, way):
            if (HERE / source).is_dir():
                shutil.copytree(HERE / source, self.folder, dirs_exist_ok=True)
        if way in ("add_subdirectory", "make", "quickstart", "esp-idf",
                   "tables", "sbom"):
            (self.folder / "tidepool").symlink_to(ROOT)

    def run(self, *words):
        """(exit code, what was printed) of a tool in the project's folder."""
        environment = dict(
            os.environ, PKG_CONFIG_PATH=str(PREFIX / "share" / "pkgconfig"),
            IDF_PATH=str(HERE / "paper_idf"))
        result = subprocess.run([str(word) for word in words], cwd=self.folder,
                                env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
        return result.returncode, result.stdout

    def must(self, *words):
        code, output = self.run(*words)
        assert code == 0, output
        return output

    def configure(self, *settings, toolchain="gcc.cmake", generator="Ninja"):
        self.must("cmake", "-S", ".", "-B", "build", "-G", generator,
                  f"-DCMAKE_TOOLCHAIN_FILE={self.folder}/{toolchain}",
                  *settings)
        return self

    def build(self):
        return self.run("cmake", "--build", "build", "-j2")

    def must_build(self):
        code, output = self.build()
        assert code == 0, output

    def edit(self, name, old, new):
        """Replaces a part of a file. Returns what undoes it."""
        path = self.folder / name
        text = path.read_text()
        assert old in text, f"{name} has no {old}"
        path.write_text(text.replace(old, new))
        return lambda: path.write_text(text)

    def elsewhere(self, name):
        """The same in a folder of that name, with what was built: make, whose names
        are all relative, goes on from there."""
        other = copy.copy(self)
        other.folder = OUT / name
        shutil.rmtree(other.folder, ignore_errors=True)
        shutil.copytree(self.folder, other.folder, symlinks=True)
        return other

    def compiled_anew(self, *words):
        """What make would say, a line each, to compile all objects of the library
        and of the table; AssertionError if it left out any that there is."""
        there = {path.name for path in self.folder.glob("build/tidepool/*.o")}
        said = self.must("make", "-n", *words).replace("\\\n", "")
        lines = [line for line in said.splitlines() if " -c " in line
                 and Path(line.split()[-1]).name in there]
        assert there == {Path(line.split()[-1]).name for line in lines}, said
        return lines

    def times(self):
        """When each file of the project was last written."""
        return {path: path.stat().st_mtime_ns
                for path in self.folder.rglob("*") if path.is_file()}


@functools.lru_cache(None)
def made_by(compiler="gcc"):
    """A project that make built from nothing, once; who changes it takes it
    elsewhere."""
    project = Project("make", f"made-by-{compiler}")
    project.must("make", "-j2", *[CLANG_FOR_MAKE] * (compiler == "clang"))
    return project


@functools.lru_cache(None)
def built(way, *settings):
    """A project that CMake built from nothing, once. Who changes it undoes that, so
    that the next finds the sources as they were; the library is not compiled anew."""
    project = Project(way, f"built-{way}").configure(*settings)
    project.must_build()
    return project


def compiled_library():
    """A setting: the library comes as an archive, for who asks of names alone."""
    archive = OUT / "libcompiled.a"
    archive.unlink(missing_ok=True)
    tool("arm-none-eabi-ar", "rcs", archive, *[
        path for path in made_by("gcc").folder.glob("build/tidepool/*.o")
        if path.stem != "tp_pools"])
    return f"-DTIDEPOOL_LIBRARY=tidepool::headers;{archive}"


def edited(test, project, *edits):
    """[project] after (file, old, new)... for as long as [test] lasts."""
    for edit in edits:
        test.addCleanup(project.edit(*edit))
    return project


def exit_code(elf):
    """How the firmware ended, in the emulator."""
    return subprocess.run(emulator("mps2_an385", elf), timeout=HANG_SECONDS,
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode


def section_size(elf, section):
    for line in tool("arm-none-eabi-size", "-A", elf).splitlines():
        words = line.split()
        if words[:1] == [section]:
            return int(words[1])
    raise AssertionError(f"{elf} has no {section}")
