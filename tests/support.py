# SPDX-License-Identifier: MIT
"""What several suites need: running a tool, building an image, emulating it."""

import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "qemu"))

from harness.boards import BOARDS  # noqa: E402
from harness.build import configure  # noqa: E402
from harness.folder_lock import locked  # noqa: E402

BUILD = ROOT / "build"
# Ends what hangs. No test is judged by it: a slow or busy machine takes long.
HANG_SECONDS = 300
LEVELS = ("off", "fast", "poison", "full")
FULL_ASKED = "TIDEPOOL_TESTS_FULL"  # tests/run full sets it for its suites.


def is_full():
    """Whether a test shall leave out no compiler, core or option."""
    return FULL_ASKED in os.environ


def only_in_full(test):
    """For a test that takes long and repeats, at length, what another shows."""
    return test if is_full() else None


def has_tests(board, name):
    """Whether a board is one of those that tests of this name run on."""
    return name in BOARDS[board].tests


class ToolFailed(Exception):
    """A tool that should have worked did not; its last words."""


def tool(*words):
    """What the tool printed. Raises ToolFailed unless it exits with 0."""
    words = [str(word) for word in words]
    try:
        result = subprocess.run(words, cwd=ROOT, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True,
                                errors="replace", timeout=HANG_SECONDS)
    except subprocess.TimeoutExpired:
        raise ToolFailed(f"no end within {HANG_SECONDS} s: {' '.join(words)}")
    if result.returncode:
        raise ToolFailed(f"this failed: {' '.join(words)}\n"
                         + result.stdout[-4000:])
    return result.stdout


def wait_until(is_so, process=None, pause=0.02):
    """What [is_so] returns, once it is so. AssertionError after HANG_SECONDS, or as
    soon as [process], which is to make it so, has ended."""
    deadline = time.monotonic() + HANG_SECONDS
    while not (answer := is_so()):
        if process and process.poll() is not None and not is_so():
            said = "\n".join(filter(None, process.communicate()))
            raise AssertionError(f"it ended with exit code {process.returncode}"
                                 f" before it was so:\n{said}")
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {HANG_SECONDS} s in vain")
        time.sleep(pause)
    return answer


def build(board, level, *targets, kind="", toolchain="", **settings):
    """Builds for a board at a check level and returns the folder.

    [kind] names a build whose settings differ; [toolchain] is a file of
    qemu/boards, by default that of the board.
    """
    name = "-".join(filter(None, (kind, board, level, toolchain)))
    settings.update(TIDEPOOL_BOARD=board, TIDEPOOL_CHECKS=level)
    if board == "host":
        settings.setdefault("TIDEPOOL_ASAN", "ON")
    if toolchain:
        settings["CMAKE_TOOLCHAIN_FILE"] = \
            f"{ROOT}/qemu/boards/{toolchain}.cmake"
    with locked(BUILD / name):  # Suites run side by side, and share builds.
        configure(BUILD / name, settings, lambda words: tool(*words))
        tool("cmake", "--build", BUILD / name, "--target", *targets)
    return BUILD / name


def host_library(level):
    """The library's archive that the unit tests of this machine are linked with, and
    the flags that it wants: it has sanitizers."""
    return [f"-DTP_CHECKS={LEVELS.index(level)}", "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
            build("host", level, "tidepool_once") / "tests" / "libtidepool_once.a"]


def emulator(board, elf, *more, icount="shift=5,sleep=off", serial="null",
             arguments=(), monitor="none"):
    """QEMU's command line for an image. Semihosting carries its exit code."""
    words = "".join(f",arg={word}" for word in arguments)
    return ["qemu-system-arm", "-M", BOARDS[board].machine, "-display",
            "none", "-monitor", monitor, "-nic", "none", "-serial", serial,
            "-icount", icount, "-no-reboot", "-semihosting-config",
            f"enable=on,target=native{words}", *more, "-kernel", str(elf)]


def symbol_sizes(path):
    """name -> bytes, of what has a size."""
    lines = tool("arm-none-eabi-nm", "-S", path).splitlines()
    return {words[3]: int(words[1], 16)
            for words in map(str.split, lines) if len(words) == 4}


# Of an image without start-up code and without a C library, at -Os.
BARE_FLAGS = ("-mthumb", "-std=c11", "-Os", "-ffreestanding", "-ffunction-sections",
              "-fdata-sections", "-Ilib", "-Iport/cortex_m")


def dropping_image(folder, cpu, level, more="", library=()):
    """Links an image of one dropping pool, of all of lib/ and of a folder [more]
    what it needs and nothing else: no start-up code, no C library, nothing of the
    compiler's. [library]: the objects of lib/, if there are any."""
    elf = Path(folder) / f"dropping-{cpu}-{level}.elf"
    sources = list(library or sorted((ROOT / "lib").glob("*/*.c")))
    if more:
        sources += [f"-I{more}", *sorted((ROOT / more).glob("*.c"))]
    tool("arm-none-eabi-gcc", f"-mcpu={cpu}", *BARE_FLAGS,
         f"-DTP_CHECKS={LEVELS.index(level)}", "-nostdlib",
         "-Wl,--gc-sections,-e,start", "-o", elf, "tests/image/dropping.c", *sources)
    return elf
