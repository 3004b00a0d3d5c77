# SPDX-License-Identifier: MIT
"""A user's project: a folder of its own with firmware/ and one way to build."""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from support import (BUILD, HANG_SECONDS, ROOT, emulator,  # noqa: E402, F401
                     is_full, only_in_full, tool)

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

    def times(self):
        """When each file of the project was last written."""
        return {path: path.stat().st_mtime_ns
                for path in self.folder.rglob("*") if path.is_file()}


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
