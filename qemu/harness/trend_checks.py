# SPDX-License-Identifier: MIT
"""What must not go one way: a run uses at its end what it used at its beginning."""

from .number_text import span
from .trend import SURE, floors, means, peaks

FROM_SECONDS = 300
LEAST = 2  # One object may be there to stay.
OFTEN = 0.1  # Of the most interrupts a second.
TOLERANCE = 0.05  # Of what a figure is measured by.
RULE = (f"the windows of a run are compared in pairs; chance scores below {SURE}")


def trend_lines(options, ledger):
    """(name, passed, detail, number) of each."""
    excuse = _excuse(options, ledger)
    subjects = [("no floor rises", _floors, ledger), ("no peak creeps", _peaks, ledger),
                ("interrupts come as often as before", _interrupts, ledger),
                ("memory is not cut up ever more", _holes, ledger)]
    subjects += [(f"{figure.name} is flat", _drift, figure)
                 for figure in ledger.figures.values() if figure.flat]
    return [(name, None, excuse, 0) if excuse else (name, *judged(subject))
            for name, judged, subject in subjects]


def _excuse(options, ledger):
    if options.sim_seconds < FROM_SECONDS:
        return f"not judged below {span(FROM_SECONDS)} of simulated time"
    return "" if ledger.done else "not judged: the run did not finish"


def _floors(ledger):
    return _judged("at least", {one: floors(one.curve) for one in of_trends(ledger)})


def _peaks(ledger):
    return _judged("at most", {one: peaks(one.curve) for one in of_trends(ledger)})


def of_trends(ledger):
    """What steals makes room for itself, and is to be full."""
    return [one for one in ledger.allocators
            if not one.steals_when_full and not one.keeps]


def _judged(bound, trends):
    """(passed, detail, the highest score)."""
    known = {one: trend for one, trend in trends.items() if trend}
    if not known:
        return None, "not judged: too few samples, or every pool steals", 0
    wrong = [f"{one.name}: {bound} {listed(trend)} {one.unit} in use in the"
             f" quarters of the run (score {trend.score})"
             for one, trend in known.items() if rises(trend)]
    one, trend = max(known.items(), key=lambda item: item[1].score)
    return (not wrong, "; ".join(wrong) or f"{one.name} rises most, {bound}"
            f" {listed(trend)} {one.unit} as frames ended; score {trend.score},"
            f" {RULE}", trend.score)


def _interrupts(ledger):
    trend = means(ledger.interrupts.curve)
    if not ledger.irqs or not trend:
        return None, "not judged: none is counted", 0
    return (not changes_rate(trend), "in the mean of a second, in the quarters of the"
            f" run: {listed(trend)}; score {trend.score}, {RULE}", trend.score)


def _holes(ledger):
    """The bytes in holes must not rise, nor the largest hole become smaller."""
    known = {figure: trend for one in ledger.allocators if one.largest
             for figure in (one.in_holes, one.largest)
             for trend in (means(figure.curve),) if trend}
    if not known:
        return None, "not judged: no relocating allocator, or too few samples", 0
    wrong = [figure for one in ledger.allocators for figure in cut_up(one)]
    said = "; ".join(f"{figure.name} {listed(known[figure])} bytes"
                     f" (score {known[figure].score})" for figure in wrong or known)
    return (not wrong, f"mean in the quarters of the run: {said}",
            max(abs(trend.score) for trend in known.values()))


def _drift(figure):
    trend = means(figure.curve)
    if not trend:
        return None, "not judged: too few samples", 0
    moves = drifts(figure)
    return (not moves, f"{figure.unit} {'drifted' if moves else 'stay'}, mean in"
            f" the quarters of the run: {listed(trend)}; score {trend.score},"
            f" {RULE}", trend.score)


def rises(trend):
    return bool(trend) and trend.rises(LEAST)


def changes_rate(trend):
    return bool(trend) and trend.moves(OFTEN * max(trend.quarters))


def drifts(figure):
    trend = means(figure.curve)
    return bool(trend) and trend.moves(max(1, TOLERANCE * figure.scale))


def cut_up(one):
    """Which figures of its memory say that it is: more bytes in holes, or a largest
    hole that has become smaller."""
    ways = [(one.in_holes, 1), (one.largest, -1)] if one.largest else []
    trends = [(figure, way, means(figure.curve)) for figure, way in ways]
    return [figure for figure, way, trend in trends if trend
            and trend.score * way > 0 and trend.moves(TOLERANCE * figure.scale)]


def listed(trend):
    *most, last = [f"{value:g}" for value in trend.quarters]
    return f"{', '.join(most)} and {last}"
