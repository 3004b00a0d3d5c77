# SPDX-License-Identifier: MIT
"""Requests that are refused on purpose, at each place that asks."""

PER_MILLION = 1000000


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
    refused = [(site.name, site.refused, site.requests)
               for site in ledger.refusals.values()]
    refused += [(ledger.place_name(place), place.on_purpose, place.requests)
                for place in ledger.places]
    refused = [one for one in refused if one[1]]
    detail = ", ".join(f"{name} {count} of {requests}"
                       for name, count, requests in refused)
    return [("requests were refused as asked", bool(refused), detail or "none",
             sum(place.on_purpose for place in ledger.places))]


def gave_nothing(ledger, idle):
    """Whether all that one of the allocators `idle` was asked for, by index, was
    refused on purpose; of what has a name no allocator is told."""
    asked = [(place.requests, place.on_purpose) for place in ledger.places
             if place.allocator in idle]
    asked += [(site.requests, site.refused) for site in ledger.refusals.values()]
    return any(0 < requests == refused for requests, refused in asked)
