# SPDX-License-Identifier: MIT
"""findings.sarif: what went wrong, as tools that show it beside the source take
it. SARIF 2.1.0; equal findings are one."""

import json
import re
from urllib.parse import quote

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
PLACE = re.compile(r"([^\s,(]+)\(\) at (.+?):(\d+)(?![^\s,;.])")


def sarif(summary):
    results = [_result(*finding) for finding in _findings(summary)]
    if results and summary["cause"]:
        results[0].update(_stacks(summary["cause"]))
    rules = sorted({result["ruleId"] for result in results})
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [{
        "tool": {"driver": {"name": "tidepool soak",
                            "rules": [{"id": rule} for rule in rules]}},
        "columnKind": "utf16CodeUnits",
        "properties": {"seed": summary["seed"], "frames": summary["frames"],
                       "reproduce": summary["reproduce"]},
        "results": results}]}, indent=2) + "\n"


def _findings(summary):
    """(rule, sentence, text with the place or None, how often), the first of all
    first."""
    cause = summary["cause"]
    found = [_finding(one) for one in sorted(
        summary["faults"] + summary["audits_folded"],
        key=lambda one: one["frame"])]
    found = found or [(check["name"], f"{check['name']}: {check['detail']}",
                       check["detail"], 1)
                      for check in summary["results"] if check["passed"] is False]
    if found and cause and cause["file"]:
        what, sentence, _, count = found[0]
        found[0] = (what, f"{sentence}: {cause['sentence']}",
                    "{function}() at {file}:{line}".format(**cause), count)
    return found


def _finding(entry):
    what = entry.get("kind") or entry["text"]
    return (what, f"{what}, {entry['pool'] or 'the firmware'}, frame"
            f" {entry['frame']}", entry.get("caller_line"), entry.get("count", 1))


def _result(rule, sentence, place, count):
    found = PLACE.search(place or "")
    result = {"ruleId": re.sub(r"\W+", "-", rule).strip("-"), "level": "error",
              "message": {"text": sentence}, "occurrenceCount": count}
    if found:
        result["locations"] = [_location(found[1], found[2], int(found[3]))]
    return result


def _location(function, file, line):
    uri = quote(file, errors="surrogateescape")
    return {"physicalLocation": {"artifactLocation": {"uri": uri},
                                 "region": {"startLine": line}},
            "logicalLocations": [{"name": function}]}


def _stacks(cause):
    return {"stacks": [{"message": {"text": stack["title"]}, "frames": [
        {"location": _location(one["function"], one["file"], one["line"])}
        for one in stack["frames"] if one["file"] and one["line"]]}
        for stack in cause["stacks"]]}
