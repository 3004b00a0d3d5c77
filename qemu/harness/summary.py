# SPDX-License-Identifier: MIT
"""summary.json: everything a machine wants to know of a run."""

import hashlib

from .advice import advice
from .cost import cost_summary
from .host_pass import host_summary
from .lasting import suspicions
from .options import CHECKS
from .origin import origin
from .plants import LASTING, PLANTS, claims, failed_for, found
from .progress_checks import activities
from .question_checks import asked, share_summary
from .ram_map import ram_map
from .records import ACCESSES, done_by
from .trend import floors, peaks


def summary(options, ledger, verdict, elf, qemu, effort):
    """In the order a person would read it."""
    hello, planted = ledger.hello, _planted(ledger, verdict.checks)
    names = {one.name for one in ledger.allocators}
    return {
        "verdict": "pass" if verdict.passed else "fail",
        "why": verdict.why,
        "cause": None,  # Who did it, once that was looked for.
        "complete": verdict.exit_code != 2,
        "seed": options.seed,
        "board": options.board,
        "cores": options.cores,
        "firmware": options.elf or "the demo",
        "checks": options.checks,
        "sanitized": options.pool_sanitizer,
        "interrupts": options.interrupts,
        "plant": options.plant,
        "scenario": options.scenario,
        "config_hash": f"{hello.config_hash:08x}" if hello else "",
        "elf_hash": hashlib.sha256(elf.read_bytes()).hexdigest()[:16],
        "qemu": qemu,
        "origin": origin(options),
        "reproduce": options.command_line(),
        "frames": ledger.frame,
        "frames_asked": options.frames,
        "restarted": ledger.restarted,
        "sim_seconds": round(ledger.sim_seconds, 3),
        "wall_seconds": round(effort.wall_seconds, 3),
        "speedup": _ratio(ledger.sim_seconds, effort.wall_seconds),
        "cpu_speedup": _ratio(effort.played_seconds, effort.cpu_seconds),
        "state_hash": f"{ledger.state_hash:016x}",
        "irqs": ledger.irqs,
        "host": host_summary(ledger.host),
        "share": share_summary(ledger.share),
        "accesses": share_summary(ledger.accesses),
        "questions": [one._asdict() for one in asked(options, ledger)],
        "pools": [_allocator(pool, ledger.frame, names) for pool in ledger.pools],
        "allocators": [_allocator(one, ledger.frame, names)
                       for one in ledger.allocators if one.kind != "pool"],
        "activity": [_activity(name, one)
                     for name, one in activities(ledger).items()],
        "frame_cost": _frame_cost(ledger.frame_cost),
        "stacks": [{"name": one.name, "size": one.size, "deepest": one.deepest}
                   for one in ledger.stacks.values()],
        "figures": [_figure(figure) for figure in ledger.figures.values()],
        "costs": [cost_summary(one.newest) for one in ledger.costs.values()],
        "memory": [_section(section) for section in ram_map(elf)],
        "refusals": [refused._asdict()
                     for refused in ledger.refusals.values()],
        "places": _places(ledger),
        "expectations": [one._asdict() for one in ledger.expectations.values()],
        "scenes": [scene._asdict() for scene in ledger.scenes],
        "printed": {"lines": ledger.line_count, "first": [
            {"frame": frame, "text": text} for frame, text in ledger.lines]},
        "faults": [_fault(fault, ledger) for fault in ledger.faults],
        "planted": planted,
        "audits": [_audit(audit, ledger) for audit in ledger.audits],
        "audits_folded": [dict(_audit(first, ledger), count=count)
                          for count, first in ledger.audits_folded],
        "suspicions": suspicions(ledger),
        "claims": claims(options),
        "results": [check._asdict() for check in verdict.checks],
        "warnings": verdict.warnings + _not_found(options, planted, verdict.checks),
    }


def _allocator(allocator, frames, names):
    keys = ("name", "kind", "unit", "policy", "bank", "capacity", "bytes",
            "stride", "spare", "peak", "live", "allocs", "frees", "refused",
            "steals", "spills", "full_frames", "wanted")
    entry = {key: getattr(allocator, key) for key in keys}
    cuts = [cut.summary(capacity) for capacity, cut in sorted(allocator.cuts.items())]
    return dict(entry, unmet=allocator.unmet, cuts=cuts,
                holes=_holes(allocator),
                life=allocator.life,
                oldest=allocator.oldest.age if allocator.oldest else 0,
                floors=_quarters(floors(allocator.curve)),
                peaks=_quarters(peaks(allocator.curve)),
                advice=advice(allocator, frames, names))


def _activity(name, one):
    """When it began to move, when it last did, its longest pause between: frames."""
    return {"name": name, "first": one.first, "last": one.last,
            "longest_pause": one.longest, "moves": one.moves}


def _holes(allocator):
    """Of memory that is cut up; nothing of what has no holes."""
    if not allocator.largest:
        return {}
    return {"largest_least": allocator.largest.low,
            "largest_last": allocator.largest.last,
            "bytes_most": allocator.in_holes.high,
            "bytes_last": allocator.in_holes.last}


def _frame_cost(cost):
    """In instructions; nothing of a firmware that is not measured."""
    names = ("most", "most_frame", "budget", "spikes", "slowest_learned", "slowest")
    return {name: getattr(cost, name) for name in names} if cost.most else {}


def _quarters(trend):
    """Of the run; none of one that is too short to have any."""
    return list(trend.quarters) if trend else []


def _places(ledger):
    """Who asked for what, and holds how much of it: a line of source that the
    compiler made several calls of is one place."""
    places = {}
    for place in ledger.places:
        name = ledger.pool_name(place.allocator)
        line = ledger.callers.get(place.site, f"0x{place.site:08x}")
        entry = places.setdefault((name, line), {
            "allocator": name, "line": line, "requests": 0, "refused": 0,
            "refused_on_purpose": 0, "held": 0})
        for key, number in (("requests", place.requests), ("held", place.held),
                            ("refused", place.refused),
                            ("refused_on_purpose", place.on_purpose)):
            entry[key] += number
    return list(places.values())


def _figure(figure):
    return {"name": figure.name, "unit": figure.unit, "low": figure.low,
            "high": figure.high, "last": figure.last}


def _section(section):
    parts = [{"name": name, "bytes": size} for name, size in section.parts]
    return dict(section._asdict(), parts=parts)


def _fault(fault, ledger):
    return {"kind": fault.kind, "pool": ledger.name_of(fault),
            "slot": fault.slot, "address": f"0x{fault.address:08x}",
            "owner": ledger.owners.get(fault.address, ""),
            "frame": fault.frame, "offset": fault.offset,
            "expected": f"0x{fault.expected:08x}",
            "found": f"0x{fault.found:08x}",
            "access": done_by(fault) if fault.kind in ACCESSES else "",
            "caller": f"0x{fault.caller:08x}",
            "caller_line": ledger.callers.get(fault.caller, "")}


def _ratio(simulated, seconds):
    return round(simulated / seconds, 1) if seconds else 0


def _planted(ledger, checks):
    """The bug that was done on purpose, and when it was called by its name."""
    planted = ledger.planted
    if planted is None:
        return None
    findings = sorted([*ledger.faults, *ledger.audits],
                      key=lambda finding: finding.frame)
    hit = found(planted.name, planted, findings) or failed_for(planted.name, checks)
    return dict(planted._asdict(), pool=ledger.pool_name(planted.pool),
                found=hit._asdict() if hit else None)


def _not_found(options, planted, checks):
    """What is worth knowing of a bug that was done and that nobody noticed."""
    if planted is None or planted["found"]:
        return []
    name = planted["name"]
    said = (f"{name} was planted in frame {planted['frame']} and not found by its"
            " name")
    level = PLANTS[name].level if name in PLANTS else "off"
    if CHECKS.index(options.checks) < CHECKS.index(level):
        return [f"{said}: that takes --checks {level}"]
    return [f"{said}{_skipped_for(name, checks)}"]


def _skipped_for(name, checks):
    """Why nobody looked for it, if so."""
    wanted = LASTING[name].shown_by if name in LASTING else ()
    return "".join(f"; {check.name}: {check.detail}" for check in checks
                   if check.passed is None and check.name in wanted)


def _audit(audit, ledger):
    return dict(audit._asdict(), pool=ledger.pool_name(audit.pool))
