# SPDX-License-Identifier: MIT
"""run.json: what run a folder holds, so that only the same run goes on there.

What defines a run is every option but those of HANDLING, what the firmware is
told, its bytes and the emulator, whose checkpoints fit no other.
"""

import hashlib
import json
from dataclasses import fields, replace

from . import checkpoint
from .errors import CannotRun
from .machine import arguments
from .options import Options, word_of
from .pages import page
from .result_folder import (CUT_SHORT, ELF, HIDDEN, RUN, SUMMARY, bring_back,
                            reopened)
from .whole_output import whole_file

# Options that say how to run, not what.
HANDLING = {"out", "json", "install", "resume", "checkpoint_every", "jobs",
            "seeds", "once", "why", "swarm", "rounds"}


def identity(options):
    """The options that define a run, by name."""
    return {field.name: getattr(options, field.name)
            for field in fields(options) if field.name not in HANDLING}


def write_page(options, folder, qemu):
    """Says of what run the firmware in `folder` is."""
    ours = dict(_page(options, folder / ELF, qemu),
                checkpoint_every=options.checkpoint_every)
    with whole_file(folder / RUN) as file:
        file.write(json.dumps(ours, indent=2).encode() + b"\n")


def is_there(options, elf, qemu):
    """Whether DIR holds this very run, at its end or cut short."""
    there = _page_in(options.out_folder)
    return there is not None and there.items() >= _page(
        options, elf, qemu).items()


def cut_short_at(options, elf, qemu):
    """The frame up to which DIR holds this very run, cut short; 0: it does not."""
    kept = checkpoint.all_in(options.out_folder / HIDDEN)
    if not kept or not is_there(options, elf, qemu):
        return 0
    return int(kept[-1].name[len(checkpoint.PREFIX):])


def resumed_options(words):
    """The options of the run to resume; `words` are those given with it."""
    out = Options(out=words["resume"]).out_folder
    ran = _page_in(out)
    if "seeds" in words:
        raise CannotRun("--resume goes on with one run; the runs of --seeds go on"
                        " when they are begun again by the same line.")
    if ran is None and any(out.glob("seed-*")):
        raise CannotRun(f"{out} holds the runs of many seeds: they go on when they"
                        " are begun again by the same line.")
    if ran is None:
        raise CannotRun(f"there is no run in {out} to go on with: it had not"
                        " begun, or it is another folder.")
    for name, value in ran["options"].items():
        if words.get(name, value) != value:
            raise CannotRun(
                f"the run in {out} has {word_of(name)} {value!r}, not"
                f" {words[name]!r};"
                " leave that option out, or start a run of its own.")
    every = {"checkpoint_every": ran["checkpoint_every"]}
    return Options(**{**every, **ran["options"], **words, "out": str(out)})


def finished(out):
    """The summary of a run that reached its end, or None."""
    summary = page(out / SUMMARY)
    unfinished = any((out / name / RUN).exists() for name in (HIDDEN, CUT_SHORT))
    return summary if summary and summary.get("complete") and not unfinished \
        else None


def result_in(folder):
    """The summary and the page of a run that is there. Raises CannotRun."""
    summary, ran = page(folder / SUMMARY), page(folder / RUN)
    if summary and "runs" in summary:
        raise CannotRun(f"{folder} holds the runs of many seeds;"
                        f" {_one_to_ask(folder, summary)}.")
    if not summary or not ran:
        raise CannotRun(f"there is no result of a run in {folder}.")
    if _sha256(folder / ELF) != ran["elf_sha256"]:
        raise CannotRun(f"{folder / ELF} is not the firmware that ran.")
    return summary, ran


def _one_to_ask(folder, summary):
    """Of many runs the first that failed, in words."""
    failed = [run for run in summary["runs"] if run["verdict"] == "fail"]
    if not failed:
        return f"none failed of those that ended; each is in {folder}/seed-N"
    return (f"seed {failed[0]['seed']} is the first that failed: its run is in"
            f" {failed[0]['folder']}")


def go_on(options, qemu, say):
    """The hidden folder and the start of the run that `options` resume."""
    bring_back(options.out_folder)
    scratch = options.out_folder / HIDDEN
    if not (scratch / RUN).exists():
        scratch = reopened(options.out_folder)
    ran = page(scratch / RUN)
    if _sha256(scratch / ELF) != ran["elf_sha256"]:
        raise CannotRun(f"{scratch / ELF} is not the firmware this run began"
                        " with; start a new run.")
    _refuse_arguments(options, ran["arguments"], scratch / RUN)
    if qemu != ran["qemu"]:
        raise CannotRun(f"this run began in {ran['qemu']} and cannot go on in"
                        f" {qemu}; start a new run.")
    return scratch, checkpoint.newest_whole(scratch, say)


def _refuse_arguments(options, told, path):
    """The firmware was told what the options of its page say, or the scenario, which
    is no part of that, or somebody's hand has changed one of them."""
    if arguments(options) == told:
        return
    if options.scenario and {*arguments(replace(options, scenario=""))} <= {*told}:
        raise CannotRun(f"{options.scenario} is not the scenario this run began"
                        " with; start a new run.")
    raise CannotRun(f"{path} is not what was written: its options are not what it says"
                    " that the firmware was told; start a new run.")


def _page(options, elf, qemu):
    return {"options": identity(options), "arguments": arguments(options),
            "elf_sha256": _sha256(elf), "qemu": qemu}


def _page_in(out):
    return next(filter(None, (page(folder / RUN) for folder in (
        out / HIDDEN, out / CUT_SHORT, out))), None)


def _sha256(path):
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        raise CannotRun(f"{path}, the firmware that ran, is not there any more.") \
            from None
