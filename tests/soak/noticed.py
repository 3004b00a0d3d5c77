#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the gate notices of mistakes/*.patch: honest mistakes of an application.

    tests/soak/noticed.py [NAME...]           tries all, or those
    tests/soak/noticed.py [NAME...] --write   and writes their rows of
                                              qemu/README.md

Each is made in a copy of the tree, which is built and run for ten simulated minutes,
unless the patch asks for more: by the default gate, and by `--checks full` in QEMU
alone.
"""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from support import BUILD, ROOT, ToolFailed, tool  # noqa: E402
from harness.access_checks import CLEAN as ACCESSES  # noqa: E402
from harness.question_checks import ANYWHERE  # noqa: E402
from harness.verdict import FINISHED  # noqa: E402

FOLDER = Path(__file__).with_name("mistakes")
PAGE = ROOT / "qemu" / "README.md"
# A line so near to one of the mistake's is in the same function, as a rule.
NEAR = 12
MARK = "<!-- mistakes: written by tests/soak/noticed.py --write -->\n"
BOARD = "mps2_an385"
FRAMES = 36000
RUN_SECONDS = 3600
HEAD = """\
| mistake | class | default | host | full | what says so | why |
|---|---|--:|--:|--:|---|---|
"""
PLACE = re.compile(r"(\w+)\(\) at ([\w./-]+):(\d+)")
IN_FRAME = re.compile(r"in frame ([\d ]+\d)")
FRAME = re.compile(r"frame ([\d ]*\d)")
ENDED = re.compile("^the program ended: ")
OUTLIVED = "no object outlives its pool's life"
# What of the default gate is judged of a run as a whole, at its end.
WHOLE = "end"


class Mistake(NamedTuple):
    name: str
    sentence: str
    kind: str
    firmware: str  # "" for the console, else an example.
    words: tuple  # Of the run, beside those of all.
    changes: dict  # File -> [(lines before, lines after)].


class Noticed(NamedTuple):
    """What one run has to say."""
    frame: str  # In which; "-": nothing was found.
    finding: str
    places: tuple  # (file, line), as they are named.


NOTHING = Noticed("-", "", ())


def mistakes(names=()):
    """Those of the names, or all."""
    return [read(path) for path in sorted(FOLDER.glob("*.patch"))
            if not names or path.stem in names]


def read(path):
    head, _, body = path.read_text().partition("\n--- ")
    sentence, _, told = head.partition("\nClass: ")
    kind, *more = told.split("\n")
    known = dict(line.split(": ", 1) for line in more)
    return Mistake(path.stem, sentence.replace("\n", " "), kind,
                   known.get("Firmware", ""), tuple(shlex.split(known.get("Run", ""))),
                   _changes("--- " + body))


def _changes(text):
    """File -> its hunks, as the lines they find and those they leave."""
    changes = {}
    for part in re.split(r"^--- .*\n\+\+\+ b/", text, flags=re.M)[1:]:
        name, _, body = part.partition("\n")
        changes[name] = [
            ([line[1:] for line in hunk if line[0] in " -"],
             [line for line in hunk if line[0] in " +"])
            for hunk in (hunk.splitlines() for hunk in
                         re.split(r"^@@.*\n", body, flags=re.M)[1:])]
    return changes


def applied(mistake, root=ROOT):
    """File -> (its text with the mistake, the numbers of the lines that are new or,
    where lines only went, of those beside the gap)."""
    return {name: _applied(name, (root / name).read_text().split("\n"), hunks)
            for name, hunks in mistake.changes.items()}


def _applied(name, lines, hunks):
    own = set()
    for before, after in hunks:
        found = [at for at in range(len(lines))
                 if lines[at:at + len(before)] == before]
        if len(found) != 1:
            raise ToolFailed(f"{name} has {len(found)} places that look like\n"
                             + "\n".join(before))
        lines[found[0]:found[0] + len(before)] = [line[1:] for line in after]
        own |= {found[0] + 1 + at for at in _own(before, after)}
    return "\n".join(lines), own


def _own(before, after):
    new = {at for at, line in enumerate(after) if line[0] == "+"}
    if new:
        return new
    gap = next(at for at, line in enumerate(before) if after[at][1:] != line)
    return {gap - 1, gap}


class Tree:
    """A copy of the tree, built again and again with one mistake at a time."""

    def __init__(self, root):
        self.root = root
        for name in tool("git", "ls-files", "-co", "--exclude-standard").split():
            if (ROOT / name).is_file():
                self._put(name, (ROOT / name).read_bytes())

    def _put(self, name, data):
        """What is the same stays as it is, so that it is not built again."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)
            path.chmod((ROOT / name).stat().st_mode)

    def make(self, mistake):
        """Its own lines: (file, line)."""
        changed = applied(mistake)
        for name, (text, _) in changed.items():
            self._put(name, text.encode())
        return {(name, line) for name, (_, own) in changed.items() for line in own}

    def mend(self, mistake):
        for name in mistake.changes:
            self._put(name, (ROOT / name).read_bytes())

    def image(self, firmware, board, level):
        """Of an example, built there."""
        words = board, level, f"soaked_{firmware}"
        result = subprocess.run(
            [sys.executable, "-c", "import sys, support; support.build(*sys.argv[1:])",
             *words], cwd=self.root / "tests", stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        if result.returncode:
            raise ToolFailed(result.stdout)
        return self.root / "build" / f"{board}-{level}" / f"{words[2]}.elf"

    def soak(self, *words):
        """The summary of a run."""
        result = subprocess.run(
            [sys.executable, self.root / "qemu/soak", "run", "--json", "--out",
             self.root / "result", "--frames", str(FRAMES), *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, timeout=RUN_SECONDS)
        if result.returncode not in (0, 1):
            raise ToolFailed(f"qemu/soak run {' '.join(map(str, words))} ended with"
                             f" {result.returncode}\n{result.stderr[-2000:]}")
        return json.loads(result.stdout)


def gate(tree, mistake, *words):
    """The default, as anybody would ask for it."""
    if not mistake.firmware:
        return tree.soak(*mistake.words, *words)
    more = ["--elf", tree.image(mistake.firmware, BOARD, "poison")]
    if mistake.firmware != "tasks":  # Which need a core.
        more += ["--host", tree.image(mistake.firmware, "host", "full")]
    return tree.soak(*more, *mistake.words, *words)


def full(tree, mistake, *words):
    own = ["--elf", tree.image(mistake.firmware, BOARD, "full")] \
        if mistake.firmware else ["--no-host"]
    return tree.soak("--checks", "full", *own, *mistake.words, *words)


def noticed(summary):
    """The first of what a run in QEMU, or on the host alone, found."""
    if summary["verdict"] == "pass":
        return NOTHING
    first = min(_dated(summary), default=None)
    if first:
        return Noticed(_number(first[0]), first[1], _places(summary))
    failed = [check["name"] for check in summary["results"]
              if check["passed"] is False and not check["name"].startswith("the host")]
    if failed[-1:] == [ANYWHERE] and set(failed) <= {ACCESSES, ANYWHERE}:
        why = summary["share"]["why"]
        frame = FRAME.search(why)
        return Noticed((frame[1] if frame else WHOLE) + ", share",
                       why.partition(" in ")[0].partition(", the first")[0], _in(why))
    at = _number(summary["frames"]) if failed[:1] == [FINISHED] else WHOLE
    return Noticed(at, failed[0], _places(summary)) if failed else NOTHING


def _number(frame):
    return f"{frame:,}".replace(",", " ")


def _dated(summary):
    """(frame, what) of what has a frame."""
    for fault in summary["faults"]:
        yield fault["frame"], f"{fault['kind']} fault"
    for audit in summary["audits"]:
        yield audit["frame"], audit["text"]
    for one in summary.get("expectations", ()):
        if one["failed"]:
            yield one["first"], one["name"]
    for check in summary["results"]:
        if check["name"] == OUTLIVED and check["passed"] is False:
            yield int(IN_FRAME.search(check["detail"])[1].replace(" ", "")), OUTLIVED


def noticed_on_host(summary):
    """What the pass on the host found, or the comparison with it."""
    found = summary["host"]
    if found.get("found"):
        frame = found["frame"]
        return Noticed(WHOLE if frame is None else _number(frame),
                       ENDED.sub("", found["found"]).partition(" in ")[0],
                       _in(found["found"]))
    if found.get("difference"):
        frame = re.match(r"frame ([\d ]+):", found["difference"])[1]
        return Noticed(frame, "the host played otherwise", ())
    return NOTHING


def _places(summary):
    """All that the gate names as who did it, the surest first."""
    cause = summary["cause"]
    named = [(cause["file"], cause["line"])] if cause and cause["line"] else []
    details = [check["detail"] for check in summary["results"]
               if check["passed"] is False]
    return (*named, *(place for text in details for place in _in(text)))


def _in(text):
    return tuple((file, int(line)) for _, file, line in PLACE.findall(text or ""))


def proof(own, outcomes):
    """How near the lines that were named come to those of the mistake."""
    named = [place for one in outcomes for place in one.places]
    if own & set(named):
        return "its line"
    near = {(file, line + step) for file, line in own
            for step in range(-NEAR, NEAR + 1)}
    if near & set(named):
        return "near it"
    return "another line" if named else "-"


def try_out(tree, mistake):
    """Its row of the table."""
    own = tree.make(mistake)
    try:
        default = gate(tree, mistake)
        is_known = default["cause"] or default["host"].get("line")
        most = full(tree, mistake, *["--no-why"] * bool(is_known))
    finally:
        tree.mend(mistake)
    return row(mistake, own, noticed(default), noticed_on_host(default), noticed(most))


def row(mistake, own, default, on_host, most):
    found = [one for one in (on_host, default, most) if one.finding]
    by_gate = next((one for one in (default, on_host) if one.finding), NOTHING)
    says = "; ".join(dict.fromkeys(one.finding for one in found)) or "nothing"
    return (f"| `{mistake.name}` | {mistake.kind} | {by_gate.frame} |"
            f" {on_host.frame} | {most.frame} | {says} | {proof(own, found)} |")


def rows():
    """Name -> row, as the page has them."""
    body = PAGE.read_text().split(MARK)[1]
    return dict((re.match(r"\| `(\w+)`", line)[1], line)
                for line in body.split("\n") if line.startswith("| `"))


def write(new):
    before, _, after = PAGE.read_text().split(MARK)
    kept = {name: line for name, line in {**rows(), **new}.items()
            if (FOLDER / f"{name}.patch").exists()}
    table = HEAD + "".join(kept[name] + "\n" for name in sorted(kept))
    PAGE.write_text(f"{before}{MARK}{table}{MARK}{after}")


def tried(names=()):
    """Name and row of each, as it is now, one after the other."""
    tree = Tree(BUILD / "mistakes")
    for mistake in mistakes(names):
        yield mistake.name, try_out(tree, mistake)


def main(words):
    for name, line in tried([word for word in words if not word.startswith("-")]):
        print(line, flush=True)
        if "--write" in words:
            write({name: line})


if __name__ == "__main__":
    main(sys.argv[1:])
