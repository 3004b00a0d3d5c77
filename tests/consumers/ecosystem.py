# SPDX-License-Identifier: MIT
"""What the tests of port/'s metadata share.

None of those ecosystems is installed here. What stands in for them is
paper_zephyr/, paper_idf/ and PaperScons: the few names that our files use.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

from consumer import OUT, ROOT, install, tool

PORT = ROOT / "port"
# Debian's python3-kconfiglib and python3-yaml are for Debian's Python.
DEBIAN_PYTHON = "/usr/bin/python3"


def sources():
    """The one list, as the package's configuration holds it."""
    install()
    text = (OUT / "host" / "tidepool-config.cmake").read_text()
    return sorted(re.findall(r"^ *(lib/\S+\.c)", text, re.M))


def package(name):
    """The folder that a package manager would pack."""
    install()
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    tool("cmake", "--install", OUT / "host", "--component", name, "--prefix",
         folder)
    return folder


def yaml(path):
    code = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))"
    return json.loads(subprocess.run([DEBIAN_PYTHON, "-c", code], check=True,
                                     input=path.read_text(), text=True,
                                     stdout=subprocess.PIPE).stdout)


FLAGS = ("-mcpu=cortex-m3", "-mthumb", "-Os", "-ffunction-sections")


def objects(name, files, includes):
    """What [files] are compiled to for firmwares of one package, whichever link
    them: of what the ecosystem adds for one of these, no file of lib/ knows."""
    folder = OUT / f"{name}-objects"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in files:
        tool("arm-none-eabi-gcc", *FLAGS, *[f"-I{each}" for each in includes], "-c",
             file, "-o", folder / f"{Path(file).stem}.o")
    return sorted(folder.glob("*.o"))


def link(project, files, includes, libraries):
    """A firmware of our [files] and the user's, by hand."""
    words = [f"-I{folder}" for folder in includes]
    words += [f"-L{folder}" for folder in libraries]
    project.must("arm-none-eabi-gcc", *FLAGS, "-nostdlib", "-Wl,--gc-sections",
                 "-Tfirmware.ld", "-ofirmware", "main.c", "startup.c", *words,
                 *files)
    return project.folder / "firmware"


def image_bytes(elf):
    """What is written to the device."""
    tool("arm-none-eabi-objcopy", "-O", "binary", elf, f"{elf}.bin")
    return Path(f"{elf}.bin").read_bytes()
