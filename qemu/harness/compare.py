# SPDX-License-Identifier: MIT
"""`qemu/soak compare A B`: what became worse from one result to the next."""

import json
from pathlib import Path
from typing import NamedTuple, Optional

from .errors import CannotRun
from .measures import GROUPS, findings, measures, summary_in
from .number_text import counted, plain

# What two runs should have in common for their numbers to say something.
ALIKE = ("board", "firmware", "checks", "sanitized", "interrupts", "scenario", "seed",
         "frames")
SMALL = 1  # A slot or an instruction more of few is no trend.


class Row(NamedTuple):
    group: str
    name: str
    before: Optional[float]  # None: it is in one result only.
    after: Optional[float]
    unit: str
    percent: float  # By which it became worse.
    is_worse: bool


def compare(words):
    """Prints the comparison and returns the exit code."""
    before, after = (summary_in(Path(one)) for one in (words.before, words.after))
    _refuse_one_with_many(before, after)
    bounds = {group: getattr(words, group) for group in GROUPS}
    result = compared(before, after, bounds)
    print(json.dumps(result) if words.json else _told(result, words))
    return 0 if result["verdict"] == "pass" else 1


def _refuse_one_with_many(before, after):
    """What many runs took or did together is no measure of one."""
    for name, one, other in (("A", before, after), ("B", after, before)):
        if "runs" in one and "runs" not in other:
            runs = one["runs"]
            such = f", such as {runs[0].get('folder', 'seed-N')}" if runs else ""
            raise CannotRun(f"{name} is the result of {counted(len(runs), 'run')}, and"
                            f" the other of one: compare one of them{such}")


def compared(before, after, bounds):
    """The comparison, as --json has it."""
    old, new = findings(before), findings(after)
    rows = _rows(measures(before), measures(after), bounds)
    more = [one for one in new if one not in old]
    worse = [row for row in rows if row.is_worse]
    return {"verdict": "fail" if more or worse else "pass",
            "bounds": bounds, "unlike": _unlike(before, after),
            "new_findings": more,
            "gone_findings": [one for one in old if one not in new],
            "regressions": [row._asdict() for row in worse],
            "changes": [row._asdict() for row in rows if not row.is_worse]}


def _unlike(before, after):
    return [{"what": key, "before": before[key], "after": after[key]}
            for key in ALIKE if key in before and key in after
            and before[key] != after[key]]


def _rows(before, after, bounds):
    """Of all that differ, in the order of GROUPS."""
    rows = [_row(before.get(key), after.get(key), bounds)
            for key in {**before, **after}
            if getattr(before.get(key), "value", None)
            != getattr(after.get(key), "value", None)]
    order = list(GROUPS)
    return sorted(rows, key=lambda row: order.index(row.group))


def _row(old, new, bounds):
    one = old or new
    bound = bounds[one.group]
    numbers = [measure.value if measure else None for measure in (old, new)]
    if None in numbers:
        # What was measured and is no more, cannot be said to hold.
        return Row(*one[:2], *numbers, one.unit, 0.0, new is None)
    more = numbers[0] - numbers[1] if one.is_better_when_more \
        else numbers[1] - numbers[0]
    percent = 100 * more / abs(numbers[0]) if numbers[0] else 100.0 * (more > 0)
    is_small = one.group != "coverage" and abs(more) <= SMALL
    is_worse = bound is not None and percent > bound and not is_small
    return Row(*one[:2], *numbers, one.unit, round(percent, 1), is_worse)


def _told(result, words):
    lines = [f"{words.before} -> {words.after}"]
    lines += [f"note  not the same run: {one['what']} {one['before']} -> {one['after']}"
              for one in result["unlike"]]
    lines += [f"worse finding: {one}" for one in result["new_findings"]]
    lines += [f"worse {_row_text(row)}" for row in result["regressions"]]
    lines += [f"gone  finding: {one}" for one in result["gone_findings"]]
    lines += [f"      {_row_text(row)}" for row in result["changes"]]
    lines.append("bounds " + ", ".join(
        f"{group} {'told only' if bound is None else f'{bound:g} %'}"
        for group, bound in result["bounds"].items()) + ", findings none")
    count = len(result["regressions"]) + len(result["new_findings"])
    lines.append("PASS  nothing became worse beyond the bounds" if not count
                 else f"FAIL  {counted(count, 'regression')}")
    return "\n".join(lines)


def _row_text(row):
    numbers = ["none" if value is None else plain(value)
               for value in (row["before"], row["after"])]
    change = f" ({plain(-row['percent'])} % better)" if row["percent"] < 0 else \
        f" ({plain(row['percent'])} % worse)" if row["percent"] else ""
    return (f"{row['group']}: {row['name']}: {' -> '.join(numbers)}"
            f" {row['unit']}").rstrip() + change
