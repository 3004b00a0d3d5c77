# SPDX-License-Identifier: MIT
"""Who made a run fail, looked for as soon as it has: what `why` finds, for the
files of the result."""

import json
import shutil
import subprocess

from .errors import CannotRun
from .no_line import no_line
from .options import FRAMES_PER_HOUR, HOST
from .result_folder import RUN
from .source_lines import shown
from .why import TOOLS, can_explain, explained, first_finding, nearest_start
from .why_text import guilty, headline, stacks

FARTHEST_FRAMES = 2 * FRAMES_PER_HOUR  # To run once more, unasked.


def add_cause(result, options, folder, say, stop):
    """Adds to the summary who did it, or why that was not looked for."""
    if not options.why or options.board == HOST or result["verdict"] == "pass" \
            or not result["complete"]:
        return
    if not can_explain(result):
        result["warnings"].append(f"who did it has no line: {no_line(result)}")
        return
    trouble = _trouble(result, folder)
    if not trouble:
        say("looking for who did it")
        trouble = _look(result, folder, stop)
    if trouble:
        result["warnings"].append(f"who did it was not looked for: {trouble}")


def _trouble(result, folder):
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        return f"{' and '.join(missing)} is not there"
    finding = first_finding(result)
    if finding.frame - nearest_start(folder, finding) > FARTHEST_FRAMES:
        return "that takes longer; `qemu/soak why` does it"
    return ""


def _look(result, folder, stop):
    """Finds it; or says what hindered."""
    page = json.loads((folder / RUN).read_text())
    try:
        answer = explained(first_finding(result), page, folder, stop,
                           say=lambda _: None)
    except CannotRun as trouble:
        return str(trouble)
    except (OSError, subprocess.SubprocessError):
        return "the run could not be made once more"
    result["cause"] = _cause(answer)
    return ""


def _cause(answer):
    place = guilty(answer)["place"]
    return {"sentence": headline(answer),
            "function": place["function"] if place else "",
            "file": shown(place["file"]) if place else "",
            "line": place["line"] if place else 0,
            "stacks": [{"title": title, "frames": [
                {"function": one["function"], "file": shown(one["file"])
                 if one["file"] else "", "line": one["line"]} for one in trace]}
                for title, trace in stacks(answer)],
            "cpu": answer["cpu"]}
