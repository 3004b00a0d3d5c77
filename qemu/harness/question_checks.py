# SPDX-License-Identifier: MIT
"""What the library was asked whose answers are known, and the share of the frames
that is played with interrupts at any instruction."""

from dataclasses import dataclass, field

from .number_text import counted, grouped

ANSWERS = "the library answers as it must"
ANYWHERE = "with interrupts at any instruction all holds"


@dataclass
class Share:
    """What the share of a run came to that was played first."""
    skipped: str = ""  # Why there was none.
    untimed: str = ""  # Why interrupts came as ever.
    unasked: str = ""  # Why no questions were put.
    frames: int = 0
    passed: bool = True
    why: str = ""  # Of its verdict.
    again: str = ""  # The line that repeats it.
    questions: dict = field(default_factory=dict)


def question_lines(options, ledger):
    """(name, passed, detail, number) of each."""
    share = ledger.share or Share(skipped="not looked at: no share was played")
    return [*_answers(options, ledger, share), _anywhere(share)]


def _answers(options, ledger, share):
    on_host = ledger.host.wrong if ledger.host else []
    if not options.ask and (share.skipped or share.unasked) and not on_host:
        return [(ANSWERS, None, share.skipped or share.unasked, 0)]
    questions = asked(options, ledger)
    wrong = [one for one in questions if one.wrong]
    names = {one.name for one in wrong}
    wrong += {one.name: one for one in on_host if one.name not in names}.values()
    total = sum(one.asked for one in questions)
    if not total and not wrong:
        return [(ANSWERS, None, "it was asked nothing, as with TP_SOAK_SMALL", 0)]
    put = [one for one in questions if one.asked]
    said = (f"{counted(len(put), 'question')}, put {counted(total, 'time')}"
            f"; {len(questions) - len(put)} not at this level or on this core")
    said = f"{', '.join(one.name for one in wrong)}: not so" if wrong else said
    return [(ANSWERS, not wrong, said, len(wrong)),
            *(_wrong(one) for one in wrong)]


def asked(options, ledger):
    """The questions of the run itself, or else of the share that was played."""
    mine = ledger.questions or options.ask
    known = ledger.questions if mine or not ledger.share else ledger.share.questions
    return list(known.values())


def _wrong(one):
    return (one.name, False, f"asked {counted(one.asked, 'time')}, answered wrong"
            f" {counted(one.wrong, 'time')}, first in frame {grouped(one.first)}",
            one.wrong)


def _anywhere(share):
    if share.skipped or share.untimed:
        return ANYWHERE, None, share.skipped or share.untimed, 0
    said = f"{counted(share.frames, 'frame')}: {share.why}"
    return (ANYWHERE, share.passed, said if share.passed else
            f"{said}; again with {share.again}", share.frames)


def share_summary(share):
    """For summary.json."""
    if share is None or share.skipped:
        return {"skipped": share.skipped if share else "there was none"}
    return {"frames": share.frames, "passed": share.passed, "why": share.why,
            "interrupts": "scheduled" if share.untimed else "timer",
            "reproduce": share.again}
