# SPDX-License-Identifier: MIT
"""A firmware in QEMU under GDB: what is asked there, and its RAM as it was."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import HANG_SECONDS, ROOT, emulator  # noqa: E402

sys.path.insert(0, str(ROOT / "lib" / "config"))

BOARD = "mps2_an385"
SCRIPT = ROOT / "port" / "gdb" / "tidepool_gdb.py"
TOOL = ROOT / "lib" / "config" / "tidepool.py"
RAM = 0x20010000, 0x20019400  # Of the firmwares here: all of their variables.
ASK = """\
import gdb, json

def ask(words):
    try:
        return gdb.execute(words, to_string=True)
    except gdb.error as trouble:
        return str(trouble)

def number(text):
    return int(gdb.parse_and_eval(text))

def ram(path, begin, end):
    gdb.execute(f"dump binary memory {path} {begin:#x} {end:#x}")

answers = {}
"""


# A firmware boots again behind its fault, with what start-up code leaves.
REBOOT = """
gdb.execute("tbreak tp_fault")
gdb.execute("continue")
gdb.execute("set $pc = reset")
gdb.execute("tbreak all_is_noted")
gdb.execute("continue")
"""


def gdb(elf, script, *words):
    """What [script], which fills `answers`, was told of an ELF."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ask.py"
        file.write_text(f"{ASK}{script}\nprint('ANSWERS ' + json.dumps(answers))\n")
        said = subprocess.run(
            ["gdb-multiarch", "-nx", "-batch", "-ex", "set confirm off",
             "-ex", "set remotetimeout 60", "-x", SCRIPT,  # Of a busy machine.
             *words, "-x", file, elf], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=HANG_SECONDS).stdout
    if "ANSWERS " not in said:
        raise AssertionError(said)
    return json.loads(said.split("ANSWERS ")[1].splitlines()[0])


def live(elf, script, *arguments):
    """The same of a firmware that is in QEMU, about to begin."""
    qemu = " ".join(emulator(BOARD, elf, "-S", "-gdb", "stdio", arguments=arguments))
    target = f"gdb.execute({'target remote | exec ' + qemu!r})\n"
    return gdb(elf, f"answers['before'] = ask('tp pools')\n{target}{script}\n"
               "ask('kill')")


def tidepool(*words, code=0):
    """What tidepool.py says, stdout and stderr; it must end with [code]."""
    done = subprocess.run([sys.executable, "-B", TOOL, *map(str, words)], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=HANG_SECONDS)
    if done.returncode != code:
        raise AssertionError(f"{done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def scratch(case):
    """A folder that is gone once all tests of a class were run."""
    folder = Path(tempfile.mkdtemp(prefix="tidepool-"))
    case.addClassCleanup(shutil.rmtree, folder)
    return folder


def line_of(source, comment):
    """Where the comment stands behind a call: 'main.c:40'."""
    lines = source.read_text(encoding="utf-8").splitlines()
    number, = [at for at, line in enumerate(lines, 1) if f"// {comment}" in line]
    return f"{source.name}:{number}"


def near(source, text):
    """[text] without the folder of the source."""
    folder = re.escape(f"/{source.parent.relative_to(ROOT)}/")
    return re.sub(rf"\S*{folder}", "", text)
