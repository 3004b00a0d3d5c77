# SPDX-License-Identifier: MIT
"""`qemu/soak bisect`: the commit with which a command began to fail.

Each commit is checked out anew in a folder of its own; whose checkout it is from
stays as it is. With the same commits and a command that is a function of what it
finds, the same commits are tried in the same order.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .errors import CannotRun
from .stop_signals import die_with, stop_signals

SKIP, LAST_CODE = 125, 127  # As `git bisect run` has them.
POLL_SECONDS = 0.05
STDERR = 2
GOOD, BAD, SKIPPED = "good", "bad", "skipped"


def bisect(words):
    """Prints the first bad commit and returns the exit code."""
    with stop_signals() as stop, _worktree(words.repo) as tree:
        search = Search(tree, words.words, stop)
        commits = _commits(tree, words.good, words.bad)
        found, skipped = search.first_bad(commits)
    if skipped:
        print("the first bad commit is one of these; the others could not be tried:")
    for commit in [*skipped, found]:
        print(_named(words.repo, commit))
    return 2 if skipped else 0


def _git(folder, *words):
    """What git says; None if it refuses."""
    result = _asked(folder, *words)
    return result.stdout.strip() if result.returncode == 0 else None


def _asked(folder, *words):
    try:
        return subprocess.run(["git", "-C", str(folder), *words], env=_environment(),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, errors="replace")
    except FileNotFoundError:
        raise CannotRun("bisect looks into a git repository, and there is no git"
                        " here; install it.") from None


def _environment():
    """Ours, without what git tells those that it starts: of another checkout."""
    return {name: value for name, value in os.environ.items()
            if name not in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")}


@contextlib.contextmanager
def _worktree(repo):
    """A checkout of the repository that nobody else has, and then nobody."""
    _refuse_repository(repo)
    with tempfile.TemporaryDirectory(prefix="tidepool-bisect-") as folder:
        tree = Path(folder) / "tree"
        if _git(repo, "worktree", "add", "--detach", "--quiet", str(tree)) is None:
            raise CannotRun(f"git cannot make another worktree of {repo}.")
        try:
            yield tree
        finally:
            _git(repo, "worktree", "remove", "--force", str(tree))


def _refuse_repository(repo):
    found = _asked(repo, "rev-parse", "--git-dir")
    if found.returncode != 0:
        raise CannotRun(f"git opens no repository in {repo}, and why is said above;"
                        " correct that, or --repo says where it is.", found.stderr)
    if _git(repo, "status", "--porcelain", "--untracked-files=no"):
        raise CannotRun(f"{repo} has changes that are in no commit, so no commit"
                        " would be tried with them; commit them first.")


def _commits(repo, good, bad):
    """From the good one to the bad one, by first parents."""
    names = []
    for option, revision in (("--good", good), ("--bad", bad)):
        names.append(_git(repo, "rev-parse", "--verify", "--quiet",
                          "--end-of-options", f"{revision}^{{commit}}"))
        if not names[-1]:
            raise CannotRun(f"{option} {revision}: there is no such commit.")
    if names[0] == names[1]:
        raise CannotRun(f"--good {good} and --bad {bad} are the same commit.")
    if _asked(repo, "merge-base", "--is-ancestor", *names).returncode != 0:
        raise CannotRun(f"--good {good} does not come before --bad {bad}.")
    line = _git(repo, "rev-list", "--reverse", "--first-parent",
                f"{names[0]}..{names[1]}").split()
    if _git(repo, "rev-parse", "--verify", "--quiet", f"{line[0]}^1") != names[0]:
        raise CannotRun(f"--good {good} came to --bad {bad} by a merge, which is tried"
                        " as one commit; name a commit of the branch it came to.")
    return [names[0], *line]


def _named(repo, commit):
    return _git(repo, "log", "-1", "--format=%h %ad %s", "--date=short", commit)


class Search:
    def __init__(self, tree, words, stop):
        self._tree = tree
        self._words = words
        self._stop = stop
        self._known = {}

    def first_bad(self, commits):
        """The first bad one, and those before it that could not be tried."""
        for commit, wanted in ((commits[-1], BAD), (commits[0], GOOD)):
            if self._try(commit) != wanted:
                raise CannotRun(f"commit {commit[:12]} was said to be {wanted} and is"
                                f" {self._known[commit]}: the command tells them by"
                                f" its exit code.{self._without_submodules()}")
        good, bad = 0, len(commits) - 1
        while bad - good > 1:
            at = self._nearest(commits, good, bad)
            if at is None:
                return commits[bad], commits[good + 1:bad]
            if self._try(commits[at]) == GOOD:
                good = at
            elif self._known[commits[at]] == BAD:
                bad = at
        return commits[bad], []

    def _without_submodules(self):
        """What a command may have missed."""
        if not (self._tree / ".gitmodules").exists():
            return ""
        return (" Submodules are not checked out: `git submodule update --init` in the"
                " command does it.")

    def _nearest(self, commits, good, bad):
        """To the middle, of those between that were not skipped."""
        middle = (good + bad) // 2
        between = [at for at in range(good + 1, bad)
                   if self._known.get(commits[at]) != SKIPPED]
        return min(between, key=lambda at: abs(at - middle), default=None)

    def _try(self, commit):
        """What the command says of a commit."""
        if _git(self._tree, "checkout", "--quiet", "--force", "--detach",
                commit) is None \
                or _git(self._tree, "clean", "-ffdxq") is None:
            raise CannotRun(f"git cannot check {commit[:12]} out.")
        code = self._run()
        if self._stop:
            raise CannotRun(f"stopped by {self._stop[0]}.")
        if not 0 <= code <= LAST_CODE:
            raise CannotRun(f"the command ended with code {code} at commit"
                            f" {commit[:12]}, which says neither good nor bad.")
        self._known[commit] = {0: GOOD, SKIP: SKIPPED}.get(code, BAD)
        print(f"bisect: {_named(self._tree, commit)}: {self._known[commit]}",
              file=sys.stderr, flush=True)
        return self._known[commit]

    def _run(self):
        """The exit code; what it prints is not the answer."""
        try:
            process = subprocess.Popen(
                self._words, cwd=self._tree, env=_environment(),
                stdin=subprocess.DEVNULL, stdout=STDERR,
                preexec_fn=die_with(os.getpid()))
        except OSError as trouble:
            raise CannotRun(f"the command {self._words[0]} does not start:"
                            f" {trouble.strerror}.") from None
        while process.poll() is None:
            if self._stop:
                process.terminate()
            time.sleep(POLL_SECONDS)
        return process.returncode
