# SPDX-License-Identifier: MIT
"""junit.xml: one test case a check, in the subset every CI server reads."""

import re
from html import escape

PROPERTIES = ("seed", "board", "checks", "sanitized", "interrupts",
              "config_hash", "elf_hash", "qemu", "frames", "state_hash", "reproduce")
# Of the value of an attribute. A blank that is not spelled out is read as a space.
SPELLED = {ord(letter): f"&#{ord(letter)};" for letter in '"\t\n\r'}
NO_LETTER = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # Of any XML.


def junit(summary):
    return _document(_suite(summary))


def junit_of_many(result, summaries):
    """A suite a run, and one that says which runs are not there."""
    missing = [{"name": f"seed {seed} has a result", "passed": False,
                "detail": "it has none that is complete"}
               for seed in result["missing"]]
    twins = [{"name": "results of one run agree", "passed": False,
              "detail": text} for text in result["disagreements"]]
    cases = missing + twins + [{
        "name": f"seed {run['seed']} has a result", "passed": True,
        "detail": run["why"]} for run in result["runs"]]
    suites = "".join(map(_suite, summaries))
    return _document(f"<testsuites>\n{_plain_suite('soak seeds', cases)}"
                     f"{suites}</testsuites>\n")


def junit_of_swarm(result):
    """A case a finding, or one that there was none."""
    name = "no round of the swarm fails"
    cases = [{"name": f"{name}: {one['why']}", "passed": False,
              "detail": one["reproduce"]} for one in result["findings"]]
    cases = cases or [{"name": name, "detail": result["why"],
                       "passed": True if result["complete"] else None}]
    return _document(_plain_suite("soak swarm", cases))


def _document(body):
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + NO_LETTER.sub("\ufffd", body)


def _plain_suite(name, cases):
    return (f'<testsuite name={_quoted(name)} {_counts(cases)}>\n'
            f"{''.join(map(_testcase, cases))}</testsuite>\n")


def _suite(summary):
    results = summary["results"]
    name = "soak {board} {checks} seed {seed}".format(**summary) \
        + " sanitized" * summary["sanitized"]
    return (
        f'<testsuite name={_quoted(name)} {_counts(results)}'
        f' time="{summary["wall_seconds"]}">\n'
        f"  <properties>\n{_properties(summary)}  </properties>\n"
        f"{''.join(map(_testcase, results))}"
        f"  <system-out>{escape(_told(summary), quote=False)}</system-out>\n"
        f"</testsuite>\n")


def _told(summary):
    """Why, and, if it was found, who did it."""
    cause = summary["cause"]
    lines = [summary["why"]] + ([cause["sentence"]] if cause else [])
    for stack in cause["stacks"] if cause else ():
        lines += ["", f"{stack['title']}:"] + [
            f"  {one['function']}() at {one['file']}:{one['line']}"
            for one in stack["frames"]]
    return "\n".join(lines)


def _quoted(text):
    return f'"{escape(text, quote=False).translate(SPELLED)}"'


def _counts(cases):
    outcomes = [case["passed"] for case in cases]
    return (f'tests="{len(cases)}" failures="{outcomes.count(False)}" errors="0"'
            f' skipped="{outcomes.count(None)}"')


def _properties(summary):
    return "".join(f"    <property name={_quoted(name)}"
                   f" value={_quoted(str(summary[name]))}/>\n"
                   for name in PROPERTIES)


def _testcase(result):
    detail = result["detail"]
    tag = {True: "", False: "failure", None: "skipped"}[result["passed"]]
    mark = f"    <{tag} message={_quoted(detail)}/>\n" if tag else ""
    return (f'  <testcase classname="soak" name={_quoted(result["name"])}>\n'
            f"{mark}    <system-out>{escape(detail, quote=False)}</system-out>\n"
            f"  </testcase>\n")
