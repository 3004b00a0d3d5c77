# SPDX-License-Identifier: MIT
"""Why no line of the application is named for a check that failed."""

from .access_checks import CLEAN as ACCESSES
from .caller_checks import NAMED
from .host_pass import AGREES, CLEAN
from .question_checks import ANSWERS, ANYWHERE

_SENTENCES = {
    AGREES: "two plays that differ are each in order, so neither has a line that is"
            " wrong: look at what depends on an address, on what nobody wrote or on"
            " 32 bits, in what differs first",
    CLEAN: "what was found on the host has its line, which is above",
    ANYWHERE: "the share is a run of its own, and what it says has its line; the"
              " command beside it plays it again",
    ACCESSES: "what was played with --sanitize is a run of its own, and has its line;"
              " the command beside it plays it again",
    NAMED: "whoever called has its line, which is above",
    ANSWERS: "the library was asked, not the application",
}


def no_line(summary):
    """The sentence for the first check that failed."""
    failed = [check["name"] for check in summary["results"]
              if check["passed"] is False]
    return next((_SENTENCES[name] for name in failed if name in _SENTENCES),
                "what failed is a count of the whole run, which no one line makes")
