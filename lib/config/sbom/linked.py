# SPDX-License-Identifier: MIT
"""Which objects a link map says are in an image, and of which files each was made:
as its compiler wrote it down beside the object, or told ninja."""

import os
import re
import subprocess

from decoder import Unreadable

from .archive import members

GNU = "Linker script and memory map"
LLD = re.compile(r"\s*VMA\s+LMA\s+Size\s+Align\s+Out\s+In\s+Symbol$", re.M)
# Of GNU ld: a section of the image, or what of an object it got. A long name has
# the rest of its line in the next.
GNU_LINE = re.compile(r"^(?:(?P<out>[^\s*(]\S*)(?:\s+0x[0-9a-f]+\s+0x(?P<all>[0-9a-f]+)"
                      r")?|"
                      r" (?P<name>[^\s*(]\S*)\s+0x[0-9a-f]+\s+0x(?P<size>[0-9a-f]+)"
                      r" (?P<file>\S.*))", re.M)
# Of lld: the same, indented by what it is.
LLD_LINE = re.compile(r"^ *[0-9a-f]+ +[0-9a-f]+ +(?P<all>(?P<size>[0-9a-f]+)) +\d+ "
                      r"(?:(?P<out>\S+)|        (?P<file>\S.*):\([^()]*\))$", re.M)
GNU_END, LLD_END = re.compile(r"^OUTPUT\(.*\)$", re.M), re.compile(r" \.strtab$", re.M)
LOADED = re.compile(r"^LOAD (.*)$", re.M)
# What optimisation across files leaves of all objects together.
JOINED = re.compile(r"\.ltrans\d*\.|\.lto\.o$|\blto\.tmp$")
MEMBER = re.compile(r"(.*)\(([^()]*)\)$")
NINJA_FILE = re.compile(r"build(-.*)?\.ninja$")
NINJA_OUTPUT = re.compile(r"(\S.*): #deps \d+, deps mtime \d+ \(VALID\)$")


def objects(text, sections):
    """The objects that have a byte in one of the {section: bytes} of the image; and
    whether it is known of each, or only of all together."""
    found, sizes, home = set(), {}, ""
    for line in lines(text):
        if line["out"]:
            home = line["out"]  # Some maps have one twice, once without its size.
            sizes[home] = max(sizes.get(home, 0), int(line["all"] or "0", 16))
        elif home in sections and int(line["size"], 16):
            found.add(line["file"])
    if any(sizes.get(name) != size for name, size in sections.items()):
        raise Unreadable("it is the map of another image, or not all of it")
    return apart(found, text)


def apart(found, text):
    """Those found, or all that were linked where they were optimised together."""
    joined = {name for name in found if JOINED.search(name)}
    if not joined:
        return found - {"<internal>"}, True
    loaded = set(LOADED.findall(text))
    if not loaded:
        raise Unreadable("the map does not say what was linked with -flto: link once"
                         " without it, or by GNU ld")
    return {name for name in found | loaded if not JOINED.search(name)}, False


def lines(text):
    if GNU in text and GNU_END.search(text):
        return GNU_LINE.finditer(text, text.index(GNU))
    if LLD.match(text) and LLD_END.search(text):
        return LLD_LINE.finditer(text)
    raise Unreadable("it is no whole link map of GNU ld or lld: -Wl,-Map=FILE"
                     " writes one")


class Sources:
    """What each object was made of. [folder] is where the linker ran, [build] what
    all objects lie below but those of others."""

    def __init__(self, folder, build, ninja):
        self.folder, self.build = folder, build
        self.told = ask(ninja, folder) if self.has("build.ninja") else {}
        # What may be in archives, {name: {object: files}}; once one is asked for.
        self.members = None

    def has(self, name):
        return os.path.isfile(os.path.join(self.folder, name))

    def of(self, name):
        """The files that an object was made of; none, where nobody wrote it down."""
        archive = MEMBER.match(name)
        if archive:
            return self.of_member(archive[1], archive[2])
        if name in self.told:
            return self.told[name]
        lists = [each for each in (os.path.splitext(name)[0] + ".d", name + ".d")
                 if self.has(each)]
        return self.read(lists[0]) if lists else []

    def is_foreign(self, name):
        """Whether it was made elsewhere, as a C library's."""
        archive = MEMBER.match(name)
        path = os.path.realpath(os.path.join(self.folder, archive[1] if archive
                                             else name))
        return not path.startswith(os.path.realpath(self.build) + os.sep)

    def of_member(self, archive, name):
        """Of several objects of that name, as each library and program may have one,
        it is that of the same bytes; those of all, where none is, as after strip."""
        if self.members is None:
            self.members = {}
            for output, files in self.told.items():
                self.add_member(os.path.basename(output),
                                os.path.join(self.folder, output), files)
            for path in dependency_lists(self.build):
                self.add_listed(path)
        found = self.members.get(name, {})
        if len(found) > 1:
            held = members(contents_of(os.path.join(self.folder, archive)) or b"",
                           name)
            found = {path: files for path, files in found.items()
                     if contents_of(path) in held} or found
        return [file for files in found.values() for file in files]

    def add_listed(self, path):
        """CMake calls the list of x.o x.o.d, compilers x.d."""
        stem, files = path[:-2], self.read(path)
        for end in ("", ".o", ".obj"):
            self.add_member(os.path.basename(stem) + end, stem + end, files)

    def add_member(self, name, path, files):
        self.members.setdefault(name, {}).setdefault(path, []).extend(files)

    def read(self, path):
        """The files that a rule of make names behind its colon."""
        with open(os.path.join(self.folder, path), encoding="utf-8",
                  errors="surrogateescape") as file:
            text = file.read().replace("\\\n", " ")
        rule = re.split(r":(?=\s|$)", text, 1)
        words = re.findall(r"(?:\\[ #]|\$\$|[^\s])+", rule[1].split("\n")[0]
                           if len(rule) > 1 else "")
        return [os.path.join(self.folder, re.sub(r"\\([ #])", r"\1", word)
                             .replace("$$", "$")) for word in words]


def contents_of(path):
    """The bytes of a file; None, which is none's, where there is no such file."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def dependency_lists(build):
    return sorted(os.path.abspath(os.path.join(home, name))
                  for home, _, names in os.walk(build) for name in names
                  if name.endswith(".d"))


def ask(ninja, folder):
    """{object: files} of what ninja was told while it built."""
    words = [ninja, "-C", folder, "-n"]  # -n: it writes nothing.
    # Of several configurations each has a file, which knows its own alone.
    files = [name for name in sorted(os.listdir(folder)) if NINJA_FILE.match(name)]
    try:
        said = b"".join(subprocess.run(
            [*words, "-f", name, "-t", "deps"], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True).stdout
            for name in files)
    except (OSError, subprocess.CalledProcessError):
        raise Unreadable(f"{folder} was built by ninja, and {ninja} does not say of"
                         " what: --ninja names the one that built it") from None
    lost = sorted(set("'&") & set(os.path.realpath(folder)))
    if lost and f"{os.path.realpath(folder)}/" not in os.fsdecode(said):
        raise Unreadable(f"{folder}: ninja loses the names of files whose path has"
                         f" {' or '.join(lost)}, and what to build again: build in"
                         " another folder, or by Unix Makefiles")
    told = {}
    for line in os.fsdecode(said).splitlines():
        output = NINJA_OUTPUT.match(line)
        if output:
            files = told.setdefault(output[1], [])
        elif line.startswith("    ") and told:
            files.append(os.path.join(folder, line[4:]))
    return told
