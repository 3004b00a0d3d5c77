# SPDX-License-Identifier: MIT
"""What must be true of a run, checked one by one."""

import sys
from dataclasses import dataclass
from typing import NamedTuple, Optional

from . import scenario
from .access_checks import access_lines
from .advice import SUMS
from .caller_checks import caller_lines
from .expectations import own_lines
from .frame_checks import frame_lines
from .host_pass import host_lines
from .lasting import checks_of, suspicions
from .life_checks import life_lines
from .number_text import counted, grouped, span
from .options import CHECKS, INTERRUPTS, ROOT
from .plants import POISONED, ZONED
from .progress_checks import progress_lines
from .question_checks import question_lines
from .records import ACCESSES, NO_POOL, done_by
from .refusals import gave_nothing, refusal_lines
from .trend_checks import trend_lines

sys.path.insert(0, str(ROOT / "lib" / "config"))
from decoder.record import DAMAGE, numbers_in_words  # noqa: E402

FINISHED = "the run finished"
UNDAMAGED = "telemetry undamaged"
KINDS_SAID = 5  # Of audits, the rarest.


class Check(NamedTuple):
    name: str
    passed: Optional[bool]  # None: what it needs was not there to look at.
    detail: str
    number: float = 0  # What `passed` was decided by.

    @property
    def failed(self):
        return self.passed is False


@dataclass(frozen=True)
class Verdict:
    checks: list
    warnings: list
    why: str
    exit_code: int

    @property
    def passed(self):
        return self.exit_code == 0


def judge(options, ledger, ending):
    """The verdict on a run that has ended."""
    checks = [check(options, ledger, ending) for check in _CHECKS]
    checks += [Check(*line) for line in trend_lines(options, ledger)]
    checks += [Check(*line) for line in progress_lines(options, ledger)]
    checks += [Check(*line) for line in frame_lines(options, ledger)]
    checks += [Check(*line) for line in life_lines(options, ledger)]
    checks += [Check(*line) for line in caller_lines(options, ledger)]
    checks += [Check(*line) for line in refusal_lines(options, ledger)]
    checks += [Check(*line) for line in own_lines(options, ledger)]
    checks += [Check(*line) for line in host_lines(ledger)]
    checks += [Check(*line) for line in access_lines(options, ledger,
                                                     access_sentence)]
    checks += [Check(*line) for line in question_lines(options, ledger)]
    failed = [check for check in checks if check.failed]
    cannot_run = ending.was_stopped or ledger.hello is None
    return Verdict(checks, _warnings(ledger),
                   _why(options, ledger, ending, checks),
                   2 if cannot_run else 1 if failed else 0)


def fault_sentence(ledger, fault):
    """Kind, pool, slot, address and whose that is, frame; and what the bytes were."""
    where = [f"in {ledger.title_of(fault)}"] if fault.pool != NO_POOL else []
    where += [f"slot {fault.slot}"] if fault.slot else []
    numbers = _numbers(fault)
    is_somewhere = fault.address or not numbers
    where += [f"address 0x{fault.address:08x}"] if is_somewhere else []
    where += [f"which is {ledger.owners[fault.address]}"] \
        if fault.address in ledger.owners else []
    where += [f"frame {fault.frame}"]
    sentence = f"{fault.kind} fault {', '.join(where)}"
    if fault.kind in ACCESSES:
        return f"{sentence}: {access_sentence(ledger, fault)}"
    sentence += f": {numbers}" if numbers else ""
    caller = ledger.callers.get(fault.caller)
    return f"{sentence}; called from {caller}" if caller else sentence


def _numbers(fault):
    """What stood in memory, or what was asked for; "" if it tells neither."""
    if fault.kind in DAMAGE and fault.expected != fault.found:
        return (f"0x{fault.found:08x} at offset {_signed(fault.offset)} where"
                f" 0x{fault.expected:08x} should be")
    if fault.kind in DAMAGE or not fault.found and not fault.expected:
        return ""
    return numbers_in_words(fault.kind, fault.found, fault.expected)


def access_sentence(ledger, fault):
    """What the sanitizer says of a wrong access: how much, where, by whom."""
    caller = ledger.callers.get(fault.caller, f"0x{fault.caller:08x}")
    return f"{done_by(fault)} at offset {_signed(fault.offset)} by {caller}"


def _signed(offset):
    """Before an object, or behind."""
    return offset - (offset >> 31 << 32)


def audit_sentence(ledger, audit):
    return f"frame {audit.frame}, {ledger.place(audit)}: {audit.text}"


def _why(options, ledger, ending, checks):
    failed = [check for check in checks if check.failed]
    if ending.was_stopped or ledger.hello is None:
        return _cut_short(options, ledger, ending)
    if ledger.faults:
        return fault_sentence(ledger, ledger.faults[0])
    if ledger.host and ledger.host.report:
        return f"on the host: {ledger.host.report.sentence()}"
    if failed:
        first = _gone_back_to(ledger, failed)
        return f"{first.name}: {first.detail}"
    passed = [check for check in checks if check.passed]
    skipped = len(checks) - len(passed)
    return (f"{counted(len(passed), 'check')} passed over"
            f" {span(options.sim_seconds)} of simulated time"
            + f", {skipped} skipped" * (skipped > 0))


def _gone_back_to(ledger, failed):
    """The failed check whose cause `why` looks for, or else the first."""
    if failed[0].name == FINISHED or ledger.audits:
        return failed[0]
    hoped = [one for one in ledger.expectations.values() if one.failed]
    names = [min(hoped, key=lambda one: one.first).name] if hoped else \
        [name for one in suspicions(ledger)[:1] for name in checks_of(one)]
    return next((check for check in failed if check.name in names), failed[0])


def _cut_short(options, ledger, ending):
    if ledger.hello is None and ledger.faults:
        return (f"{fault_sentence(ledger, ledger.faults[0])}, before tp_soak_begin()"
                " was called")
    if ledger.hello is None:
        asked = ("; does it come to tp_soak_begin(), without a fault or an endless loop"
                 " before that, and is tp_soak_put() the UART of"
                 f" {options.board}?") if options.elf else ""
        return f"{ending.sentence} before the firmware had said anything{asked}"
    return (f"{ending.sentence} after {grouped(ledger.frame)} of"
            f" {counted(options.frames, 'frame')}")


UNANSWERED = (*SUMS, "nest")  # Requests to its parts are answered by these.


def _is_counted(ledger):
    """Has the firmware said how much of each pool was used?"""
    return bool(ledger.samples or ledger.done)


def _warnings(ledger):
    if not _is_counted(ledger):
        return []
    return [f"{one.name} never {_full(one)}, so what it does then was not"
            f" tried (highest use {one.peak} of {one.capacity})"
            for one in ledger.allocators
            if one.capacity and not one.spare and one.policy != "assert"
            and one.kind not in UNANSWERED and not one.was_tried]


def _full(one):
    return "became full" if one.counts_objects else "had too few bytes for a request"


def _finished(options, ledger, ending):
    frame = ledger.done.frame if ledger.done else ledger.frame
    if ledger.restarted:
        return Check(FINISHED, False, f"the firmware restarted after frame"
                     f" {grouped(frame)} of {grouped(options.frames)}", frame)
    if ending.was_enough:
        return Check(FINISHED, None, f"{ending.sentence}, at frame"
                     f" {grouped(frame)} of {grouped(options.frames)};"
                     " --max-findings says when", frame)
    passed = (ledger.done is not None and ending.code == 0
              and not ending.was_stopped and frame == options.frames)
    # Of a firmware that ended otherwise nobody knows in which frame.
    place, goodbye = ("at", "") if ledger.done else (
        "after", ", without the firmware's goodbye")
    if options.elf and frame == 0 and not ledger.done:
        goodbye += "; does it call tp_soak_frame() for each frame?"
    return Check(FINISHED, passed,
                 f"{ending.sentence} {place} frame {grouped(frame)} of"
                 f" {grouped(options.frames)}{goodbye}", frame)


def _as_asked(options, ledger, _):
    hello = ledger.hello
    name = "the firmware ran what was asked"
    if hello is None:
        return Check(name, False, "it said nothing")
    wrong = [f"{what} {got}, not {asked}" for what, got, asked in (
        ("seed", hello.seed, options.seed),
        ("frames", hello.frames, options.frames),
        ("checks", hello.checks, CHECKS.index(options.checks)),
        ("interrupts", hello.interrupts, INTERRUPTS.index(options.interrupts)),
    ) if got != asked]
    return Check(name, not wrong, "; ".join(wrong)
                 or "seed, frames, checks and interrupts agree", len(wrong))


def _no_fault(_, ledger, __):
    sentences = [fault_sentence(ledger, fault) for fault in ledger.faults]
    return Check("no fault", not sentences, "; ".join(sentences) or "0 faults",
                 len(sentences))


def _audits_agree(_, ledger, __):
    detail = counted(ledger.audit_count, "disagreement")
    if ledger.audits:
        detail += f", the first at {audit_sentence(ledger, ledger.audits[0])}"
    if len(ledger.audit_kinds) > 1:
        detail += "; " + "; ".join(
            f"{counted(count, 'time')} from {audit_sentence(ledger, first)}"
            for count, first in ledger.audits_folded[:KINDS_SAID])
    return Check("the audits agree", not ledger.audit_count, detail,
                 ledger.audit_count)


def _counts_balance(_, ledger, __):
    counting = [one for one in ledger.allocators if one.counts_objects]
    wrong = [one.first_unbalanced for one in counting if one.first_unbalanced]
    return Check("allocs = frees + steals + live", not wrong, "; ".join(wrong)
                 or f"{counted(len(counting), 'allocator')},"
                    f" {counted(ledger.samples, 'sample')}", len(wrong))


def _within_capacity(_, ledger, __):
    wrong = [one.first_overfull for one in ledger.allocators
             if one.first_overfull]
    return Check("never above capacity", not wrong,
                 "; ".join(wrong) or _listed(
                     f"{one.name} {one.peak} of {one.capacity}"
                     for one in ledger.allocators), len(wrong))


def _asserts_held(_, ledger, __):
    overflowed = {fault.pool for fault in ledger.faults if fault.kind == "full"}
    pools = [(index, pool) for index, pool in enumerate(ledger.allocators)
             if pool.policy == "assert"]
    wrong = [pool.name for index, pool in pools if index in overflowed
             or pool.refused + pool.steals + pool.spills]
    return Check("no assert pool overflowed", not wrong, _listed(
        wrong or [f"{pool.name} {pool.peak} of {pool.capacity}"
                  for _, pool in pools]), len(wrong))


def _demand_met(options, ledger, _):
    """As far as the scenario wants it: pools may be full on purpose."""
    most = scenario.demand(options).get("unmet_percent")
    unmet = [one for one in ledger.allocators if one.unmet and one.kind not in SUMS]
    wrong = [one for one in unmet if most is not None and _is_more(one, most)]
    said = _listed(f"{one.name} {_share_unmet(one)}" for one in wrong or unmet)
    limit = "any may be" if most is None else f"at most {most} % may be"
    return Check("demand was met", not wrong,
                 f"unmet, {limit}: {said}", len(wrong))


def _is_more(one, most):
    """Of bytes nobody knows the share: but none may be unmet is none."""
    share = one.unmet_percent
    return share > most if share is not None else most == 0


def _share_unmet(one):
    requests = counted(one.unmet, "request")
    share = one.unmet_percent
    return f"{share:.3g} % ({requests})" if share is not None else \
        f"{requests}, of how many is not counted"


def _every_pool_used(options, ledger, _):
    name = "every pool was used"
    if scenario.demand(options).get("idle_pools"):
        return Check(name, None, "not judged: the scenario says idle_pools = 1")
    if not _is_counted(ledger):
        return Check(name, None, "not judged: the run ended before its first sample")
    idle = {index: one.name for index, one in enumerate(ledger.allocators)
            if not one.was_used and not one.spare}
    never = f"never used: {', '.join(idle.values())}"
    if idle and gave_nothing(ledger, idle):
        return Check(name, None, f"not judged: {never}, and each request of a place"
                     " was refused on purpose")
    detail = f"{never}; spare = true in a row says that" \
        " this is right" if idle else _listed(
            f"{one.name} {one.peak} {one.unit}" for one in ledger.allocators)
    return Check(name, bool(ledger.allocators) and not idle,
                 detail, len(idle))


def _undamaged(_, ledger, __):
    torn = ledger.torn_records
    printed = f"; the firmware printed within {counted(torn, 'record')}" if torn else ""
    return Check(UNDAMAGED, not ledger.damaged_bytes,
                 f"{counted(ledger.damaged_bytes, 'damaged byte')},"
                 f" {counted(ledger.samples, 'sample')}{printed}",
                 ledger.damaged_bytes)


def _interrupts_came(options, ledger, _):
    silent = ledger.seconds_without_irq
    if options.elf and not ledger.irqs:
        return Check("interrupts were delivered", None,
                     "the firmware counts none", 0)
    if options.elf and options.interrupts != "timer":  # Then it is its own affair.
        silent = 0
    return Check("interrupts were delivered", ledger.irqs > 0 and not silent,
                 f"{counted(ledger.irqs, 'interrupt')}; samples without one:"
                 f" {silent}", ledger.irqs)


def _poison_intact(options, ledger, _):
    return _intact("poison intact", "poison", POISONED, options, ledger)


def _red_zones_intact(options, ledger, _):
    return _intact("red zones intact", "full", ZONED, options, ledger)


def _intact(name, lowest, names, options, ledger):
    """Of what only some levels of checks look at."""
    if CHECKS.index(options.checks) < CHECKS.index(lowest):
        return Check(name, None, f"not looked at: needs --checks {lowest}")
    damaged = [fault for fault in ledger.faults if fault.kind in names] + [
        audit for audit in ledger.audits if audit.text in names]
    return Check(name, not damaged, f"{counted(len(damaged), 'finding')} over"
                 f" {counted(ledger.samples, 'sample')}", len(damaged))


def _listed(items):
    return ", ".join(items) or "none"


_CHECKS = (_finished, _as_asked, _no_fault, _audits_agree, _counts_balance,
           _poison_intact, _red_zones_intact, _within_capacity, _asserts_held,
           _demand_met, _every_pool_used, _undamaged, _interrupts_came)
