#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves the core with Frama-C WP and RTE.

    apt-get install frama-c-base why3 z3 cvc4
    python3 tests/proof/run.py [--controls | --list | --recorded | --record] [UNIT ...]

A unit is a list of functions as shipped in lib/, their contracts, and how many
goals they make: fewer means that a contract went missing, so the number is
part of the claim. All of them must be proved. Each unit has a control or more, a
change to a copy of lib/ that must leave the claim it breaks unproved. The last
is run with the units; with --controls all of them are, and nothing else. With
--recorded a unit whose text is that of proved.json is not asked again; --record adds
to that list what is proved now. Prints a line a unit or control, then "N passed, N
failed".

Provers are stopped by their own count of steps, not by the clock, so a busy
machine makes this slow and never makes it fail. What was proved before, to the
letter, is not proved again: build/proof remembers it.
"""

import collections
import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import record

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIB = ROOT / "lib"
CACHE = ROOT / "build" / "proof"  # WP's own: what was proved, by its content.

STEPS = 4_000_000    # More than twice what the hardest goal needs.
FEW_STEPS = 500_000  # What any goal that a control breaks needs, if proved.
BITS = (["z3", "-in"], ["cvc4", "--lang=smt2", "--incremental", "-"])
SECONDS = 1800       # So that it ends at all.
PROVERS = "cvc4,z3"  # The second is asked what the first cannot.
FAST, FULL = 1, 3    # TP_CHECKS.

# control: file of lib/, what stands there, what shall stand there instead, and
# the function and the claim of its contract that this breaks. [of]: what it is proved
# for; "" stands for the stride of so many words. [apart]: what is so in that row alone.
# KNOWN: the compiler knows what it is asked for, as where code is of one pool.
# ANY_RING: a ring may have been written over.
Unit = collections.namedtuple(
    "Unit", "name sentence goals words functions control others level of apart",
    defaults=((), FAST, "", ()))

GATE = "tp_slot_address tp_slot_words tp_slot_of tp_port_rotate"
GATE_CONTROL = ("core/tp_slot.h",
                "tp_port_rotate(scaled, pool->gate);",
                "scaled;", "tp_slot_of", "rotated")
# As README has them.
UNITS = [
    Unit("core", "an empty list issues a fresh slot or asks the policy",
         2004, 8, "tp_core_extend tp_core_fresh tp_core_next tp_core_retry "
         "tp_check_first tp_check_grown tp_tag_closed tp_list_broken",
         ("core/tp_core.h", "if (!TP_LIKELY(tp_hardened_full(pool)))",
          "if (tp_list_top(pool) != 0)", "tp_core_extend", "full")),
    Unit("pin", "a pinned slot is off the ring; unpinned, it is the newest",
         934, 8, "tp_pin_turn rejoin turns leads tp_age_pin",
         ("core/tp_pin.c", "pin ? tp_age_pin(", "pin ? tp_age_remove(",
          "tp_pin_turn", "held")),
    Unit("steal", "steal-oldest takes the oldest unless it is too young",
         1785, 8, "tp_steal_spares tp_steal_detach tp_steal_take "
         "tp_steal_core steal detach",
         ("policy/tp_steal.h", "tp_age_oldest(age);\n  bool none",
          "age[0].older;\n  bool none", "tp_steal_detach", "first"),
         (("policy/tp_steal.h", "    state->steals++;\n    stands",
           "    stands", "tp_steal_detach", "steals"),)),
    Unit("steal", "the oldest's slot becomes the newest's where it stands",
         1525, 8, "tp_steal_turns tp_steal_next tp_steal_turn tp_steal_issue",
         ("policy/tp_steal.h", "tags[victim] = next;",
          "tags[victim] = next + 1;", "tp_steal_turn", "next"),
         (("policy/tp_steal.h", "sound = tp_age_push(age, last, victim);",
           "", "tp_steal_turn", "newest"),)),
    Unit("core", "free takes a live slot back and changes nothing otherwise",
         1259, 8, "tp_core_free tp_core_clean tp_core_wants_slot",
         ("core/tp_core.h",
          "if (tp_tag_absent(quick) || tp_tag_retire(pool, (uint32_t)slot)) {",
          "if (tp_tag_retire(pool, (uint32_t)slot) || slot) {", "tp_core_free",
          "refuses")),
    Unit("core", "alloc issues the dead slot on top and refuses a damaged link",
         1865, 8, "tp_core_alloc tp_tag_absent tp_check_zone tp_check_reissued",
         ("core/tp_core.h", "      if (!quick) tp_core_join(pool, lock, slot, tag);\n",
          "", "tp_core_alloc", "aged"),
         (("core/tp_core.h", "      if (made) made->tag = pool->tag[slot];\n",
           "      if (made) made->tag = link;\n", "tp_core_alloc", "issued"),)),
    Unit("steal", "a stolen slot is issued as the newest, its owner told",
         176, 8, "tp_steal_reissue tp_steal_tell tp_check_stolen tp_age_shift",
         ("policy/tp_steal.h", "  tp_core_join(pool, lock, victim, tag);\n",
          "", "tp_steal_reissue", "aged"),
         (("policy/tp_steal.h", "    pool->evict(words);\n",
           "    pool->evict(words + 1);\n", "tp_steal_tell", "evicted"),)),
    Unit("handle", "a handle takes its slot back iff it is of that generation",
         945, 8, "tp_claim_free tp_generation_free tp_claim_clean "
         "tp_claim_doubts tp_claim_leave",
         ("core/tp_claim.h",
          "  bool held = tp_claim_holds(pool, narrow, bits, &claim);\n",
          "  bool held = true;\n", "tp_claim_free", "held")),
    Unit("handle", "a handle of 32 bits resolves iff its slot is of that generation",
         427, 8, "tp_generation_holds tp_claim_within tp_claim_slot tp_claim_parts "
         "tp_claim_narrow tp_claim_agrees tp_claim_holds tp_claim_object "
         "tp_claim_handle tag_of "
         "tp_handle_of tp_handle_get free_for tp_handle_free_aged tp_handle_free",
         ("core/tp_claim.h", "TP_LIVE + generation",
          "generation", "tp_claim_parts", "tag")),
    Unit("handle", "a handle of 64 bits resolves iff its slot is of that generation",
         274, 8, "tp_claim_wide tp_claim_get tp_claim_handle64 tp_handle64_of "
         "tp_handle64_get free_for64 tp_handle64_free_aged tp_handle64_free",
         ("core/tp_claim.h", "tp_claim_slot(pool, slot) && handle >> 47 == 1",
          "tp_claim_slot(pool, slot)", "tp_claim_wide", "none")),
    Unit("handle",
         "a handle that comes with an object is of its slot and generation",
         390, 8, "issue_more tp_handle_by_tag tp_handle64_by_tag alloc_more "
         "alloc_more64 tp_handle_alloc_aged tp_handle64_alloc_aged tp_claim_alloc "
         "tp_claim_defer tp_claim_made tp_claim_made64",
         ("core/tp_claim.h", "return tag << pool->handle_bits | slot;",
          "return tag << pool->handle_bits;", "tp_claim_made", "made")),
    Unit("pin", "who is pinned by address is the object that stands there",
         448, 8, "raise_stale change tp_pool_pin tp_pool_unpin",
         ("core/tp_pin.c", "(uint32_t)slot, TP_LIVE, TP_LIVE}",
          "(uint32_t)slot, 0, TP_LIVE}", "change", "turned"),
         (("core/tp_pin.c", "&& pool->takes_foreign) return;", ") return;",
           "raise_stale", "raises"),)),
    Unit("handle", "who is pinned by handle is the object of that generation",
         262, 8, "tp_generation_turn tp_handle_pin tp_handle64_pin "
         "tp_handle_unpin tp_handle64_unpin",
         ("core/tp_handle.c",
          "  if (outcome == TP_PIN_STALE) return NULL;\n", "",
          "tp_generation_turn", "stale")),
    Unit("handle", "an object that is asked for comes with its handle",
         518, 8, "tp_handle_alloc tp_handle64_alloc",
         ("core/tp_handle.c",
          "*handle = object ? tp_claim_made(pool, made.slot, made.tag)",
          "*handle = object ? tp_claim_made(pool, made.slot + 1, made.tag)",
          "tp_handle_alloc", "reissues")),
    Unit("ring", "the ring keeps its slots in order of birth",
         178, 8, "tp_age_oldest tp_age_push tp_age_doubts tp_age_remove "
         "tp_age_pinned tp_port_link tp_port_put_link",
         ("core/tp_core.h", "  age[newer].older = older;\n", "", "tp_age_remove",
          "older")),
    Unit("ring", "a ring that was written over is told and stays as it is",
         97, 8, "tp_age_push tp_age_doubts tp_age_remove",
         ("core/tp_core.h", " ||\n         age[newer].older != slot;", ";",
          "tp_age_doubts", "doubts"),
         (("core/tp_core.h", "  if (!TP_LIKELY(!doubt) && tp_age_doubts(age, last, "
           "slot)) return false;\n", "", "tp_age_remove", "told"),
          ("core/tp_core.h", "  tp_slot_t newest = age[0].older;\n",
           "  tp_slot_t newest = age[0].older;\n  age[0].newer = slot;\n",
           "tp_age_push", "stays")), of="any ring", apart=("ANY_RING",)),
    Unit("list", "tags count lives and the free list is a permutation",
         454, 8, "tp_tag_kept tp_tag_summed tp_tag_add tp_slot_renew tp_tag_issue "
         "tp_tag_retire tp_tag_retire_live "
         "tp_tag_rewind tp_tag_renew tp_list_live tp_list_top tp_list_top_of "
         "tp_list_slot tp_list_words tp_links_outside tp_list_link tp_list_expected "
         "tp_list_follows "
         "tp_list_is_full tp_list_names tp_list_leads tp_list_is_sound tp_slot_most "
         "tp_port_low tp_port_high tp_list_put tp_list_grow tp_list_refuses "
         "tp_port_put_less tp_lock_is_cores tp_lock_take tp_lock_give",
         ("core/tp_slot.h", "tp_port_put_less(list, word, ",
          "tp_port_put_less(list, word + TP_ONE_LIVE, ", "tp_list_put", "live")),
    Unit("core", "what is issued joins the ring as its newest",
         260, 8, "tp_core_join",
         ("core/tp_core.h", "if (tag) *tag = pool->tag[slot];",
          "if (tag) *tag = slot;", "tp_core_join", "tells"),
         (("core/tp_core.h", "pool->born[slot] = tp_clock_now;",
           "pool->born[slot] = -tp_clock_now;", "tp_core_join", "born"),
          ("core/tp_core.h", "  tp_lock_give(lock, key);\n"
           "  if (!sound) tp_pool_raise_ring(pool, 0, NULL);\n", "",
           "tp_core_join", "masked"))),
    Unit("pool", "what is called from outside keeps the core's promises",
         505, 8, "tp_pool_alloc tp_pool_alloc_for tp_aged_alloc tp_aged_free "
         "tp_unlocked_alloc tp_unlocked_free tp_quick_extend tp_quick_foreign "
         "tp_pool_free tp_pool_free_for tp_pool_extend tp_pool_foreign ask_policy",
         ("core/tp_core.c", "  tp_core_free(pool, true, TP_LOCK_PRIMASK, "
          "tp_quick_foreign, object, NULL);\n", "", "tp_pool_free", "frees")),
    Unit("region", "what an end gives out was free, aligned and lies in its region",
         2270, 8, "tp_bump_push tp_bump_alloc tp_bump_taken tp_bump_refuse "
         "stack_alloc tp_stack_alloc tp_dstack_alloc",
         ("allocator/tp_bump.h", "if (skipped > room - words) return",
          "if (skipped > room) return", "tp_bump_taken", "less"),
         (("allocator/tp_bump.h", "    if (top > bytes) return false;\n", "",
           "tp_bump_push", "served"),), of="any region"),
    Unit("region", "the newest mark alone is released, and the other end stays",
         1218, 8, "tp_side_of_stack tp_side_of_dstack tp_region_check tp_bump_peak "
         "tp_bump_note_used tp_bump_agrees tp_bump_is_whole tp_bump_check_one "
         "tp_bump_free_bytes tp_bump_from_low tp_bump_verify_words tp_bump_verify "
         "tp_bump_check_words tp_bump_check tp_bump_shrink tp_bump_mark "
         "tp_bump_outdate tp_bump_go_back tp_bump_is_newest tp_bump_release "
         "tp_bump_reset tp_bump_raise_closed tp_bump_raise_size tp_bump_raise_top "
         "tp_fill_words tp_intact_words tp_stack_mark tp_stack_release_mark "
         "tp_stack_reset check_end tp_dstack_mark tp_dstack_release_mark "
         "tp_dstack_reset",
         ("allocator/tp_bump.h", "mark->owner == marks && mark->serial == "
          "marks->newest &&", "mark->owner == marks &&", "tp_bump_is_newest",
          "told"),
         (("allocator/tp_bump.h", "  tp_bump_shrink(side, mark->used);\n", "",
           "tp_bump_go_back", "back"),), of="any region"),
    Unit("region",
         "what a frame gives out was free, aligned and lies in its buffer",
         491, 8, "current_of frame_alloc tp_frame_alloc go_on tp_frame_end "
         "tp_frame_stats",
         ("allocator/tp_stack.c",
          "    storage += (uintptr_t)frame->region.bytes * current;\n", "",
          "current_of", "lies"),
         (("allocator/tp_stack.c", "    bump += current;\n", "", "current_of",
           "bump"),
          ("allocator/tp_stack.c", "TP_MISUSE(current >= frame->buffers)",
           "TP_MISUSE(current > frame->buffers)", "current_of", "wrong"),
          ("allocator/tp_stack.c", "next < frame->buffers ? next : 0;",
           "next <= frame->buffers ? next : 0;", "tp_frame_end", "next"),
          ("allocator/tp_stack.c", "  tp_bump_shrink(&side, 0);\n", "",
           "tp_frame_end", "emptied"),
          ("allocator/tp_stack.c",
           "  tp_region_check(&frame->region, tp_site(NULL));\n", "",
           "tp_frame_end", "faults")), of="any frame"),
    Unit("least",
         "a scan finds the oldest of the lowest score that nobody older spares",
         1527, 8, "choose go_on glides unchanged leads_back least_of",
         ("policy/tp_steal_least.c", "      if (at.slot == 0) return true;\n",
          "      return true;\n", "choose", "least"),
         (("policy/tp_steal_least.c", "    if (best->at.slot != 0 && score >= "
           "best->score) continue;  // Both are 0.\n", "", "choose", "seen"),
          ("policy/tp_steal_least.c", "(tp_slot_t)at.slot)) break;",
           "(tp_slot_t)at.slot)) continue;", "choose", "seen"),
          ("policy/tp_steal_least.c", "uint32_t newer = age[at->slot].newer;",
           "uint32_t newer = age[at->slot].older;", "go_on", "on"))),
    Unit("least", "steal-least takes what the scan found unless the newcomer is lower",
         481, 8, "take refuse is_below steal tp_least_overflow",
         ("policy/tp_steal_least.c", "best.at.slot == 0 || is_below(pool, score, "
          "&best)", "best.at.slot == 0", "steal", "least"),
         (("policy/tp_steal_least.c", "tag ? ~*tag :", "tag ? *tag :",
           "tp_least_overflow", "none"),
          ("policy/tp_steal_least.c", "    pool->state->steals++;\n", "", "take",
           "steals"),
          ("policy/tp_steal_least.c", "  pool->state->refused_by_rule++;\n", "",
           "refuse", "refused"),
          ("policy/tp_steal_least.c", "refuses_below && score <",
           "refuses_below && score <=", "is_below", "below"))),
    Unit("bytes", "full fills what is dead and raises iff it or its zone was written",
         461, 8, "tp_port_put_four tp_port_differ_four tp_bytes_behind "
         "tp_pattern_put tp_pattern_damage tp_poison_end tp_poison_begin "
         "tp_poison_fill tp_poison_renew tp_poison_damage tp_zone_fill "
         "tp_zone_damage_behind tp_zone_damage tp_check_zone tp_check_retired "
         "tp_check_reissued tp_check_grown tp_check_first tp_check_stolen",
         ("check/tp_check.h",
          "  tp_pattern_put(words + begin, bytes - 4 * begin, TP_POISON);",
          "  tp_pattern_put(words + begin, bytes - 4 * begin, TP_RED_WORD);",
          "tp_poison_fill", "filled"),
         (("check/tp_check.h",
           "  if (TP_CHECKS >= TP_CHECKS_FULL) damage |= tp_zone_damage_behind(pool, "
           "words);\n", "", "tp_check_reissued", "raises"),
          ("check/tp_check.h", "before = after - pool->stride / 4u;",
           "before = after;", "tp_zone_fill", "before")), FULL, "any slot, at full"),
    Unit("bytes", "a size that the compiler knows is filled and looked at as any",
         43, 8, "tp_pattern_put tp_pattern_damage",
         ("check/tp_check.h",
          "for (uint32_t i = 0; i < bytes / 4; i++) word[i] = pattern;",
          "for (uint32_t i = 0; i + 1 < bytes / 4; i++) word[i] = pattern;",
          "tp_pattern_put", "filled"),
         (("check/tp_check.h", "    return wrong;\n  }\n", "    return 0;\n  }\n",
           "tp_pattern_damage", "@ensures"),), FULL, "any size, at full", ("KNOWN",)),
    Unit("slot", "the gate lets in the slots of stride 12 and nothing else",
         49, 3, GATE, GATE_CONTROL),
    Unit("slot", "the gate lets in the slots of stride 32 and nothing else",
         49, 8, GATE, GATE_CONTROL),
    Unit("slot", "the gate lets in the slots of stride 20 and nothing else",
         49, 5, GATE, GATE_CONTROL),
]


def numbers(words):
    """What the prover is told of a stride of [words] words."""
    stride = 4 * words
    shift = (stride & -stride).bit_length() - 1
    odd = stride >> shift
    inverse = pow(odd, -1, 2**32)
    return {"WORDS": words, "SHIFT": shift, "POWER": 1 << shift, "ODD": odd,
            "INVERSE": f"{inverse}u", "CARRY": inverse * odd >> 32,
            "BITS": 10, "SLOTS": 1024}


def frama_c(lib, unit, functions, folder, steps, only=None, provers=PROVERS):
    """Runs WP. Returns (proved, goals, what it printed)."""
    done = subprocess.run(command(lib, unit, functions, steps, only, provers),
                          cwd=folder, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    found = re.search(r"Proved goals:\s+(\d+) / (\d+)", done.stdout)
    if not found or done.returncode or "Degenerated" in done.stdout:
        return 0, 0, f"{done.stdout}exit code {done.returncode}"
    return int(found[1]), int(found[2]), done.stdout


def command(lib, unit, functions, steps, only=None, provers=PROVERS):
    words = [
        "frama-c", "-machdep", "gcc_x86_32",
        f"-cpp-extra-args=-I{HERE} -Dmay_alias= {' '.join(signs(lib, unit))}",
        "-wp", "-wp-model", "Typed+Cast", "-wp-split", "-wp-par", "1",
        "-wp-prover", provers, "-wp-steps", str(steps),
        "-wp-timeout", str(SECONDS),
        "-wp-cache", "update", "-wp-cache-dir", str(CACHE)]
    if functions:
        words += ["-wp-rte", "-rte-no-pointer-call",
                  "-wp-fct", ",".join(functions.split())]
    if only:
        words += ["-wp-prop", only]
    return [*words, str(HERE / f"{unit.name}.c")]


def signs(lib, unit):
    """What a unit is compiled with, but for its port."""
    return [f"-I{lib}", f"-DTP_CHECKS={unit.level}", *(
        f"-DTP_PROOF_{name}={value}" for name, value in numbers(unit.words).items()),
        *(f"-DTP_PROOF_{name}" for name in unit.apart)]


def text_of(unit, lib=LIB, here=HERE):
    """What the prover reads of a unit."""
    return record.text_of(here / f"{unit.name}.c", [
        f"-I{here}", "-Dmay_alias=", *signs(lib, unit)], (lib, here))


@functools.lru_cache(None)
def digest(unit):
    """Of all that decides whether [unit] is proved, but for the provers' own code."""
    asked = command(LIB, unit, unit.functions, STEPS)
    return record.digest([text_of(unit), str(unit.goals), *record.versions(),
                          *(word.replace(str(ROOT), "") for word in asked)])


def parts(unit):
    """What WP is asked of a unit: (functions, what of them)."""
    lemmas = [("", "@lemma")] if unit.name == "slot" else []
    return [(unit.functions, None), *lemmas]


def as_recorded(unit, folder):
    """As prove(), which is asked where the text is not the one that was proved."""
    if record.known().get(unit.sentence) == digest(unit):
        return f"{unit.goals} recorded", None
    return prove(unit, folder)


def unrecorded(proved):
    """The names of units of which something was proved that is not recorded."""
    return sorted({unit.name for unit in UNITS if unit.sentence in proved
                   and record.known().get(unit.sentence) != digest(unit)})


def prove(unit, folder):
    """The goals of [unit], or a sentence that says what is wrong."""
    folder.mkdir()
    total = 0
    for functions, only in parts(unit):
        proved, goals, output = frama_c(LIB, unit, functions, folder, STEPS,
                                        only)
        if not goals:
            return total, "did not run: " + output.strip()[-300:]
        if proved != goals:
            return total, f"{goals - proved} of {goals} open: " + " ".join(
                re.findall(r"\[Failed\] Goal (\S+)", output))
        total += goals
    if total != unit.goals:
        return total, f"{total} goals, not {unit.goals}"
    return total, None


def control(unit, folder, provers=PROVERS):
    """A sentence if [unit] can still be proved when it must not."""
    file, old, new, function, claim = unit.control
    lib = folder / "lib"
    shutil.copytree(LIB, lib)
    text = (lib / file).read_text()
    if text.count(old) != 1:
        return 0, f"{file} does not read {old.strip()!r} once"
    (lib / file).write_text(text.replace(old, new))
    proved, goals, output = frama_c(lib, unit, function, folder, FEW_STEPS,
                                    claim, provers)
    if not goals:
        return 0, "did not run: " + output.strip()[-300:]
    if proved == goals:
        return 0, f"still proved without {old.strip()!r}"
    return goals - proved, None


def bits():
    """The lemmas about bits, for every shift and every width of a handle: by each of
    two provers."""
    template = (HERE / "bits.smt2").read_text()
    admitted = re.findall(r"admit lemma (\w+)", "".join(
        path.read_text() for path in sorted(HERE.glob("*.h"))))
    decided = re.findall(r"^; (\w+)$", template, re.M)
    if decided != admitted:
        return 0, f"admitted: {admitted}, decided: {decided}"
    total = 0
    for n in range(1, 16):
        query = template.replace("@N@", f"#x{n:08x}")
        query = query.replace("@32-N@", f"#x{32 - n:08x}")
        for prover in BITS:
            done = subprocess.run(prover, input=query, text=True,
                                  check=False, capture_output=True)
            answers = done.stdout.split()
            if answers != ["unsat"] * len(decided):
                return total, (f"N = {n}: {prover[0]} says"
                               f" {' '.join(answers)[:200]}")
        total += len(decided)
    return total, None


def prepare():
    """Tells why3, which frama-c asks, what is installed: once a machine. And has a
    place for what is remembered."""
    CACHE.mkdir(parents=True, exist_ok=True)
    if not (pathlib.Path.home() / ".why3.conf").exists():
        subprocess.run(["why3", "config", "detect"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


WAYS = {"--controls": control, "--recorded": as_recorded, "--record": prove}


def jobs(names, way):
    """What there is to do: (sentence, function, its unit)."""
    controls = way == control
    wanted = [unit for unit in UNITS if not names or unit.name in names]
    for unit in wanted[0 if controls else -1:]:
        yield f"not so if changed: {unit.sentence}", control, unit
        for other in unit.others if controls else ():
            yield (f"not {other[-1]} if changed: {unit.sentence}", control,
                   unit._replace(control=other))
    if controls:
        return
    for unit in wanted:
        yield unit.sentence, way, unit
    if not names or "bits" in names:
        yield "words of 32 and 64 bits do what is admitted", bits


def main():
    if "--list" in sys.argv:
        print("\n".join(sorted({"bits", *[unit.name for unit in UNITS]})))
        return 0
    way = next((WAYS[word] for word in sys.argv if word in WAYS), prove)
    names = [name for name in sys.argv[1:] if name not in WAYS]
    failed, proved = 0, []

    def run(numbered):
        index, (sentence, work, *unit) = numbered
        start = time.monotonic()
        goals, problem = work(*unit, *[folder / str(index)] * len(unit))
        return sentence, goals, problem, time.monotonic() - start

    prepare()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
            for sentence, goals, problem, seconds in workers.map(
                    run, enumerate(jobs(names, way))):
                proved += [sentence] * (not problem)
                failed += bool(problem)
                print(f"FAIL {sentence}: {problem}" if problem
                      else f"ok {sentence} ({goals} goals)")
                print(f"  {seconds:.0f} s", file=sys.stderr)
                sys.stdout.flush()
    anew = unrecorded(proved) if way == as_recorded else ()
    if anew:
        print(f"note {' '.join(anew)}: proved anew, for the text is another than that"
              f" which was; tests/proof/run.py --record {' '.join(anew)}")
    if "--record" in sys.argv:
        record.write({unit.sentence: digest(unit) for unit in UNITS
                      if unit.sentence in proved})
    print(f"{len(proved)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
