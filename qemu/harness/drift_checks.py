# SPDX-License-Identifier: MIT
"""What must not drift: a run uses at its end what it used at its beginning."""

from . import running_mean
from .number_text import span

FROM_SECONDS = 600


def flat_lines(options, ledger):
    """(name, passed, detail, number) of every figure that must not drift."""
    lines = [("live counts are flat", {one.name: one.live_figure
                                       for one in ledger.allocators}),
             ("free bytes are flat", {"all pools": ledger.free_bytes})]
    lines += [(f"{figure.name} is flat", {figure.unit: figure})
              for figure in ledger.figures.values() if figure.flat]
    excuse = _excuse(options, ledger)
    return [(name, None, excuse, 0) if excuse else (name, *_judged(figures))
            for name, figures in lines]


def _excuse(options, ledger):
    if options.sim_seconds < FROM_SECONDS:
        return f"not judged below {span(FROM_SECONDS)} of simulated time"
    return "" if ledger.done else "not judged: the run did not finish"


def _judged(figures):
    """(passed, detail, the largest drift in units of what is tolerated)."""
    wrong = [name for name, figure in figures.items() if figure.drift > 1]
    means = ", ".join(f"{name} {figure.means}"
                      for name, figure in figures.items())
    drifting = f"{' and '.join(wrong)} drifted; " if wrong else ""
    worst = max((figure.drift for figure in figures.values()), default=0)
    return (not wrong, f"{drifting}mean in the first and last third: {means};"
                       f" {running_mean.RULE}", round(worst, 3))
