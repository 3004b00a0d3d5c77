# SPDX-License-Identifier: MIT
"""The parts of an image: what it is, what of Tidepool is in it, what made it."""

import collections
import hashlib
import os
import re

from decoder import Unreadable
from decoder.dump import contents, read_elf
from decoder.firmware import LEVEL

from .linked import objects

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
OURS = ("lib/", "port/", "qemu/telemetry/", "qemu/semihost")
LEVELS = ("off", "fast", "poison", "full")
LICENCE = re.compile(rb"SPDX-License-Identifier: (\S+)")
VERSION = re.compile(r'VERSION_TEXT "(.*)"')
# "GCC: (15:12.2.rel1-1) 12.2.1 20221205", "Debian clang version 19.1.7 (3~deb12u1)",
# "Linker: Debian LLD 19.1.7".
TOOL = re.compile(r"(?=GCC: )(\w+): (.*)$|(?:Linker: )?(.*?)(?: version)? (\d.*)$")

# [origin] is "library", "generated" or "table"; [tables] are what it was made from.
File = collections.namedtuple("File", "name origin sha1 sha256 licence tables")
Tool = collections.namedtuple("Tool", "name version")


class Parts:
    """[tables] are {name: path}, [generated] what is made of them, {name: (bytes,
    names of tables)}."""

    def __init__(self, image, link_map, sources, tables, generated, compiler):
        elf = read_elf(image)
        self.name = os.path.basename(image)
        self.sha1, self.sha256 = hashes(contents(image))
        self.version = library_version()
        self.level = level_of(image, elf)
        self.tools = tools_of(image, elf, compiler)
        self.unknown, self.is_exact = [], True
        self.files = sorted(self.library(elf, link_map, sources)
                            + self.ours(generated)
                            + [described(name, "table", path)
                               for name, path in tables.items()])

    def library(self, elf, link_map, sources):
        """What the objects that are in it were compiled of, and is Tidepool's."""
        names, self.is_exact = linked(elf, link_map)
        self.paths = set()
        for name in sorted(names):
            files = sources.of(name)
            self.paths.update(map(os.path.realpath, files))
            if not files and not sources.is_foreign(name):
                self.unknown.append(os.path.basename(name))
        found = {named(path): path for path in self.paths if named(path)}
        if not found:
            raise Unreadable(f"{self.name}: no object in it was compiled of a file of"
                             f" {ROOT}, as far as the lists of their compilers tell")
        return [described(name, "library", path) for name, path in found.items()]

    def ours(self, generated):
        """What was generated, as far as it is compiled into the image."""
        return [described(os.path.basename(path), "generated", path,
                          *generated[os.path.basename(path)])
                for path in sorted(with_fragment(self.paths, generated))]

    def licences(self):
        return sorted({one.licence for one in self.files if one.licence})

    def of(self, origin):
        return [one for one in self.files if one.origin == origin]


def with_fragment(paths, generated):
    """No list of a compiler has what the linker included: it lies beside the rest."""
    found = {path for path in paths if os.path.basename(path) in generated}
    for path in list(found):
        fragment = re.sub(r"_pools\.c$", "_pools.ld", path)
        if os.path.basename(fragment) in generated:
            found.add(fragment)
    return found


def linked(elf, link_map):
    text = contents(link_map).decode("utf-8", "surrogateescape")
    sections = {section.name: section.size for is_writable in (False, True)
                for section in elf.allocated(is_writable)}
    try:
        return objects(text, sections)
    except Unreadable as trouble:
        raise Unreadable(f"{link_map}: {trouble}") from None


def named(path):
    """Its name in the library; "" if it is not of it."""
    name = os.path.relpath(path, ROOT).replace(os.sep, "/")
    return name if name.startswith(OURS) else ""


def described(name, origin, path, expected=None, tables=()):
    data = contents(path)
    if expected is not None and data != expected:
        raise Unreadable(f"{path}: it is not what the table makes now: build again")
    licence = LICENCE.search(data[:400]) if origin == "library" else None
    return File(name, origin, *hashes(data), licence[1].decode() if licence else "",
                tuple(tables))


def hashes(data):
    return hashlib.sha1(data).hexdigest(), hashlib.sha256(data).hexdigest()


def library_version():
    path = os.path.join(ROOT, "lib", "tidepool_version.h")
    return VERSION.search(contents(path).decode())[1]


def level_of(image, elf):
    """As the library says of itself: it defines a symbol for the linker to compare."""
    levels = [int(found[1]) for found in map(LEVEL.match, elf.symbols) if found]
    if not levels:
        raise Unreadable(f"{image}: it is no firmware with this library, or its"
                         " symbols were stripped")
    return LEVELS[levels[0]]


def tools_of(image, elf, compiler):
    """What each compiler, and lld, left of itself in the image."""
    texts = [text for section in elf.sections if section.name == ".comment"
             for text in elf.data[section.offset:section.offset + section.size]
             .decode("utf-8", "replace").split("\0") if text] or [compiler]
    if not texts[0]:
        raise Unreadable(f"{image}: it has no .comment that names its compiler:"
                         " --compiler does")
    return sorted({Tool(*filter(None, found.groups())) if found else Tool(text, "")
                   for text, found in ((text, TOOL.match(text)) for text in texts)})
