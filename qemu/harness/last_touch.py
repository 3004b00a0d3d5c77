# SPDX-License-Identifier: MIT
"""Who touched last what was forgotten: where the application lost it."""

from itertools import islice

from .source_lines import is_watcher, own_places

WORDS = 4  # Of an object: more would not tell more.
MOST = 1500  # Touches between two marks: with more, nothing is told.


def last_touch(replay, marks, until, pool, issued, elf):
    """The newest touch by the application of the object that was issued, up to a
    frame after the last mark; None if there is none."""
    slot = (issued.address - pool.tag) // 4
    count = min(WORDS, (pool.stride - pool.zone) // 4)
    words = [pool.slot(slot) - pool.lead + 4 * at for at in range(count)]
    places = {}
    for mark in reversed(marks):
        tag = [issued.address] if mark.frame <= issued.frame else []
        touches = list(islice(_since(replay, mark, words + tag, until), MOST))
        own = [one for one in touches[_issued_at(touches, issued):]
               if one and _is_own(one.registers[15], places, elf)]
        if own:
            return own[-1]._replace(mark=mark) if len(touches) < MOST else None
        until = mark.frame
        if until <= issued.frame:
            break
    return None


def _issued_at(touches, issued):
    """Where those behind the store to its tag that issued it begin."""
    return max((at for at, one in enumerate(touches, 1) if one and (
        one.frame < issued.frame or one.registers[15] == issued.registers[15])),
        default=0)


def _since(replay, mark, words, until):
    replay.load(mark)
    return replay.touches(words, until)


def _is_own(counter, places, elf):
    """Whether the application's code does it, not what watches it."""
    if counter not in places:
        places[counter] = own_places(elf, [counter]).get(counter)
    place = places[counter]
    return bool(place) and not is_watcher(place[1])
