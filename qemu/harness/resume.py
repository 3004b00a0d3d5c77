# SPDX-License-Identifier: MIT
"""run.json: what run a folder holds, so that only the same run goes on there.

What defines a run is every option but those of HANDLING, what the firmware is
told, its bytes and the emulator, whose checkpoints fit no other.
"""

import hashlib
import json
from dataclasses import fields

from . import checkpoint
from .errors import CannotRun
from .machine import arguments
from .options import Options
from .result_folder import ELF, HIDDEN, RUN, SUMMARY, reopened

# Options that say how to run, not what.
HANDLING = {"out", "json", "install", "resume", "checkpoint_every", "jobs",
            "seeds", "once", "why"}


def identity(options):
    """The options that define a run, by name."""
    return {field.name: getattr(options, field.name)
            for field in fields(options) if field.name not in HANDLING}


def write_page(options, folder, qemu):
    """Says of what run the firmware in `folder` is."""
    page = _page(options, folder / ELF, qemu)
    page["checkpoint_every"] = options.checkpoint_every
    (folder / RUN).write_text(json.dumps(page, indent=2) + "\n")


def is_there(options, elf, qemu):
    """Whether DIR holds this very run, at its end or cut short."""
    there = _page_in(options.out_folder)
    return there is not None and there.items() >= _page(
        options, elf, qemu).items()


def resumed_options(words):
    """The options of the run to resume; `words` are those given with it."""
    out = Options(out=words["resume"]).out_folder
    page = _page_in(out)
    if "seeds" in words:
        raise CannotRun("--resume goes on with one run; the runs of --seeds go on"
                        " when they are begun again by the same line.")
    if page is None and any(out.glob("seed-*")):
        raise CannotRun(f"{out} holds the runs of many seeds: they go on when they"
                        " are begun again by the same line.")
    if page is None:
        raise CannotRun(f"there is no run in {out} to go on with: it had not"
                        " begun, or it is another folder.")
    for name, value in page["options"].items():
        if words.get(name, value) != value:
            raise CannotRun(
                f"the run in {out} has {name} {value!r}, not {words[name]!r};"
                " leave that option out, or start a run of its own.")
    every = {"checkpoint_every": page["checkpoint_every"]}
    return Options(**{**every, **page["options"], **words, "out": str(out)})


def finished(out):
    """The summary of a run that reached its end, or None."""
    summary = _json(out / SUMMARY)
    unfinished = (out / HIDDEN / RUN).exists()
    return summary if summary and summary.get("complete") and not unfinished \
        else None


def result_in(folder):
    """The summary and the page of a run that is there. Raises CannotRun."""
    summary, page = _json(folder / SUMMARY), _json(folder / RUN)
    if summary and "runs" in summary:
        raise CannotRun(f"{folder} holds the runs of many seeds;"
                        f" {_one_to_ask(folder, summary)}.")
    if not summary or not page:
        raise CannotRun(f"there is no result of a run in {folder}.")
    if _sha256(folder / ELF) != page["elf_sha256"]:
        raise CannotRun(f"{folder / ELF} is not the firmware that ran.")
    return summary, page


def _one_to_ask(folder, summary):
    """Of many runs the first that failed, in words."""
    failed = [run for run in summary["runs"] if run["verdict"] == "fail"]
    if not failed:
        return f"none failed of those that ended; each is in {folder}/seed-N"
    return (f"seed {failed[0]['seed']} is the first that failed: its run is in"
            f" {failed[0]['folder']}")


def go_on(options, qemu):
    """The hidden folder and the start of the run that `options` resume."""
    scratch = options.out_folder / HIDDEN
    if not (scratch / RUN).exists():
        scratch = reopened(options.out_folder)
    page = _json(scratch / RUN)
    if _sha256(scratch / ELF) != page["elf_sha256"]:
        raise CannotRun(f"{scratch / ELF} is not the firmware this run began"
                        " with; start a new run.")
    if arguments(options) != page["arguments"]:
        raise CannotRun(f"{options.scenario} is not the scenario this run began"
                        " with; start a new run.")
    if qemu != page["qemu"]:
        raise CannotRun(f"this run began in {page['qemu']} and cannot go on in"
                        f" {qemu}; start a new run.")
    kept = checkpoint.all_in(scratch)
    return scratch, checkpoint.restore(scratch, kept[-1]) if kept \
        else checkpoint.power_on(scratch)


def _page(options, elf, qemu):
    return {"options": identity(options), "arguments": arguments(options),
            "elf_sha256": _sha256(elf), "qemu": qemu}


def _page_in(out):
    return _json(out / HIDDEN / RUN) or _json(out / RUN)


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _json(path):
    """What a file holds, or None if that is not to be had."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None
