# SPDX-License-Identifier: MIT
"""Numbers as people read them: 1 234 567, 2 slots, 1 hour, 99.9 %."""

UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def grouped(number):
    """1234567 -> '1 234 567'."""
    return f"{number:,}".replace(",", " ")


def plain(number):
    """1234567.0 -> '1 234 567'; 0.125 -> '0.12'; 14.3 -> '14.3'."""
    return grouped(int(number)) if number == int(number) else \
        f"{number:.2f}".rstrip("0")


def counted(number, noun):
    """(1, 'slot') -> '1 slot'; (2, 'slot') -> '2 slots'."""
    return f"{grouped(number)} {noun}" + ("" if number == 1 else "s")


def span(seconds):
    """3600 -> '1 hour'; 3605 -> '1 hour 5 seconds'."""
    rest, words = int(seconds), []
    for size, noun in UNITS:
        count, rest = divmod(rest, size)
        if count:
            words.append(counted(count, noun))
    return " ".join(words[:2]) or "0 seconds"


def clock(seconds):
    """93784 -> '1 d 02:03:04'."""
    days, rest = divmod(int(seconds), 86400)
    hours, rest = divmod(rest, 3600)
    minutes, seconds = divmod(rest, 60)
    day = f"{days} d " if days else ""
    return f"{day}{hours:02}:{minutes:02}:{seconds:02}"


def percent(part, whole):
    """Never says 0 % of something nor 100 % of less than all."""
    share = 100 * part / whole if whole else 0
    if 0 < share < 0.1:
        return "< 0.1 %"
    if 99.9 < share < 100:
        return "> 99.9 %"
    return f"{share:.1f} %" if 0 < share < 100 else f"{share:.0f} %"


def outcome(passed):
    """Of a check: None is one that had nothing to look at."""
    return {True: "passed", False: "failed", None: "skipped"}[passed]
