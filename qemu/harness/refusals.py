# SPDX-License-Identifier: MIT
"""Requests that the rig refuses on purpose, at each of its call sites."""

PER_MILLION = 1000000

# As qemu/rig/site.h names them.
SITES = ("spark", "frame-voice", "interrupt-voice", "enemy", "draw", "script",
         "mesh", "note", "piece", "prop", "bullet")


def arguments(options):
    """What the firmware is told of it."""
    words = []
    if options.fail_nth:
        words.append(f"fail_nth={options.fail_nth}")
    if options.fail_rate:
        words.append(
            f"fail_per_million={round(options.fail_rate * PER_MILLION)}")
    if options.fail_site:
        words.append(f"fail_site={options.fail_site}")
    return words


def command_words(options):
    """The same on the command line of the soak."""
    words = []
    for name in ("fail_nth", "fail_rate", "fail_site"):
        if getattr(options, name):
            words += ["--" + name.replace("_", "-"), str(getattr(options, name))]
    return words


def refusal_lines(options, ledger):
    """(name, passed, detail, number): did what was asked for come?"""
    if not options.fail_nth and not options.fail_rate:
        return []
    uses = dict(ledger.refusals)
    uses.update((ledger.place_name(place), place) for place in ledger.places)
    refused = {site: use for site, use in uses.items() if use.refused}
    detail = ", ".join(f"{site} {use.refused} of {use.requests}"
                       for site, use in refused.items())
    return [("requests were refused as asked", bool(refused), detail or "none",
             sum(use.refused for use in refused.values()))]
