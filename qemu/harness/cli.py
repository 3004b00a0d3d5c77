# SPDX-License-Identifier: MIT
"""The command line, and the last stop of every error."""

import contextlib
import errno
import io
import os
import re
import sys
import tempfile
import traceback
from importlib import import_module
from types import SimpleNamespace

from .errors import CannotRun
from .firmware_file import level_of
from .options import FRAMES_MAX, Options
from .origin import now
from .own_firmware import refuse_what_it_ignores
from .resume import resumed_options
from .run import run
from .seeds import run_seeds
from .stop_signals import say_no_more
from .swarm import refuse_what_a_swarm_decides, swarm
from .usage import PROFILED_FRAMES, show, words_of

# What is wrong with the machine rather than with this program.
OUR_SURROUNDINGS = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES,
                    errno.EPERM, errno.ENOTDIR, errno.EISDIR, errno.EEXIST,
                    errno.ENAMETOOLONG, errno.EFBIG, errno.ELOOP, errno.EMFILE,
                    errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EIO}
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}  # Meant is what is written.
WHAT_TO_DO = {errno.ENOSPC: "free some space or choose another --out",
              errno.EDQUOT: "free some space or choose another --out",
              errno.EMFILE: "allow more with `ulimit -n`",
              errno.ENFILE: "end some programs, which have files open",
              errno.ENOMEM: "end some programs or allow this one more",
              errno.EAGAIN: "end some programs or allow this one more"}


def main(arguments):
    """Runs and returns the exit code; whatever happens, without a traceback."""
    try:
        _spell_out_what_is_lacking(sys.stdout)
        _refuse_to_begin(arguments)
        words = words_of(arguments)
        code = VERBS[words.pop("verb")](words)
        show("")
        return code
    except CannotRun as trouble:
        _say(trouble.output, str(trouble))
    except KeyboardInterrupt:
        _say("", "stopped by Ctrl-C before the run began.")
    except BrokenPipeError:
        say_no_more([sys.stdout.fileno()])
        _say("", "nobody reads its output any more, so it stopped.")
    except OSError as trouble:
        _say("", _os_sentence(trouble))
        _drop_what_is_not_taken(sys.stdout)
    except MemoryError:
        _say("", "there is too little memory; allow it more, or free some.")
    except UnicodeEncodeError as trouble:
        _say("", _name_sentence(trouble))
    except Exception:
        _say("", _bug_sentence())
    return 2


def _spell_out_what_is_lacking(stream):
    """A letter that a terminal has not keeps no verdict back; as stderr has it."""
    if isinstance(stream, io.TextIOWrapper):  # None, if it was closed.
        stream.reconfigure(errors="backslashreplace")


def _refuse_to_begin(arguments):
    """Raises what would come later, when something may be half written."""
    try:
        os.getcwd()
    except FileNotFoundError:
        raise CannotRun("the folder that it was started in is not there any more;"
                        " change to another.") from None
    for one in arguments:
        one.encode()


def _say(output, sentence):
    with contextlib.suppress(OSError):  # Then the exit code is all that can be told.
        if output:
            print(output.rstrip(), file=sys.stderr)
        print(f"soak: {sentence}", file=sys.stderr)
    _drop_what_is_not_taken(sys.stderr)


def _drop_what_is_not_taken(stream):
    """What is left of it Python would try again at exit, and end with a code of its
    own."""
    try:
        if stream:
            stream.flush()
    except OSError:
        say_no_more([stream.fileno()])


def _os_sentence(trouble):
    if trouble.errno not in OUR_SURROUNDINGS:
        return _bug_sentence()
    copied_to = trouble.filename2 if trouble.errno in FULL else None
    where = copied_to or trouble.filename
    where = f"{where}: " if where else ""
    to_do = WHAT_TO_DO.get(trouble.errno, "correct that or choose another --out")
    return f"{where}{trouble.strerror}; {to_do}."


def _name_sentence(trouble):
    """Names the word with the character that cannot be written."""
    before = re.search(r"[^\s\"'<>]*$", trouble.object[:trouble.start])[0]
    behind = re.match(r"[^\s\"'<>]*", trouble.object[trouble.start:])[0]
    return (f"the name {ascii(before + behind)} cannot be written in"
            f" {trouble.encoding.upper()}, as it is in the reports; rename it.")


def _bug_sentence():
    """Keeps the traceback for whoever mends it."""
    try:
        log, path = tempfile.mkstemp(prefix="tidepool-soak-", suffix=".log")
        with open(log, "w") as file:
            traceback.print_exc(file=file)
    except OSError as trouble:
        return ("this is a bug of the soak itself; its traceback cannot be kept:"
                f" {trouble.strerror}.")
    return f"this is a bug of the soak itself; its traceback is in {path}."


def _run(words):
    now()  # What it cannot say at the end, it refuses here.
    refuse_what_a_swarm_decides(words)
    _refuse_what_seeds_decide(words)
    if words.get("swarm"):
        return _swarm(words)
    if words.get("cores") == 2:
        words.setdefault("checkpoint_every", 0)
    if "resume" not in words:
        words.setdefault("with_share", "board" not in words
                         and words.get("with_host", True))
        words.setdefault("with_host", "host" in words or not (
            "board" in words or "elf" in words))
        _look_as_closely_as_it_goes(words)
    options = resumed_options(words) if "resume" in words else Options(**words)
    refuse_what_it_ignores(options)
    return run_seeds(options) if options.seeds else run(options)


def _look_as_closely_as_its_firmware(words):
    built = level_of(words["elf"]) if "elf" in words else ""
    if built:
        words.setdefault("checks", built)


def _look_as_closely_as_it_goes(words):
    _look_as_closely_as_its_firmware(words)
    if "pool_sanitizer" in words:
        words.setdefault("checks", "full")


def _swarm(words):
    _look_as_closely_as_its_firmware(words)
    if "elf" not in words:
        words.setdefault("checks", "full")
        words["with_host"] = words["with_share"] = "board" not in words
    options = Options(**words)
    refuse_what_it_ignores(options)
    return swarm(options)


def _refuse_what_seeds_decide(words):
    if "seeds" in words and "seed" in words:
        raise CannotRun("--seed is one run and --seeds are many: leave one of the"
                        " two out.")
    if "jobs" in words and not ("seeds" in words or words.get("swarm")):
        raise CannotRun("--jobs says how many runs go on at a time, and this is"
                        " one: add --seeds A-B or --swarm, or leave it out.")


def _profile(words):
    _look_as_closely_as_it_goes(words)
    options = Options(**{"frames": PROFILED_FRAMES, **words})
    refuse_what_it_ignores(options)
    return _verb("profile")(options)


def _play(words):
    _look_as_closely_as_its_firmware(words)
    options = Options(**{"frames": FRAMES_MAX, **words})
    refuse_what_it_ignores(options)
    return _verb("play")(options)


def _verb(name):
    """Of a module of that name, loaded when it is asked for: who wants one need not
    wait for them all."""
    return getattr(import_module(f".{name}", __package__), name)


def _given(name):
    return lambda words: _verb(name)(SimpleNamespace(**words))


GIVEN = ("merge", "why", "debug", "trace", "compare", "history", "bisect")
VERBS = {"run": _run, "profile": _profile, "play": _play,
         **{name: _given(name) for name in GIVEN}}
