# SPDX-License-Identifier: MIT
"""samples.ndjson and console.log, which grow while a run goes on."""

import json

from .caller_checks import named_sentence, stranger_sentence
from .number_text import clock, counted
from .options import FRAMES_PER_SECOND
from .records import (Audit, Caller, Clock, Done, Expectation, Fault, Figure, Figures,
                      FrameCosts, Guard, Hello, Holes, Oldest, Picture, Place, Planted,
                      Question, Refused, Sample, Scene, Setting, Stack, Stranger, Text)
from .verdict import audit_sentence, fault_sentence


MOMENTS_MOST = 3600  # In samples.ndjson: every second of an hour.


class LogFiles:
    def __init__(self, folder, ledger):
        self._ledger = ledger
        self._samples = open(folder / "samples.ndjson", "w", encoding="utf-8")
        self._log = open(folder / "console.log", "w", encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with self._samples, self._log:
            pass

    def add(self, record):
        """Writes a record that the ledger has already seen."""
        line = _LINES.get(type(record))
        if line and record.frame // FRAMES_PER_SECOND % self._every() == 0:
            self._samples.write(line(record, self._ledger))
        elif type(record) in _SENTENCES:
            self.log(_SENTENCES[type(record)](record, self._ledger))

    def _every(self):
        """Of a longer run, one moment in so many seconds is kept."""
        frames = self._ledger.hello.frames if self._ledger.hello else 1
        return max(1, -(-frames // (MOMENTS_MOST * FRAMES_PER_SECOND)))

    def log(self, text):
        self._log.write(f"[{clock(self._ledger.sim_seconds)}] {text}\n")


def _sample_line(sample, ledger):
    pools = {one.name: usage._asdict()
             for one, usage in zip(ledger.allocators, sample.usages)}
    return json.dumps({
        "frame": sample.frame, "state_hash": f"{sample.state_hash:016x}",
        "irqs": sample.irqs, "pools": pools}, separators=(",", ":")) + "\n"


def _figures_line(figures, ledger):
    values = {ledger.figures[index].name: value
              for index, value in enumerate(figures.values)
              if index in ledger.figures}
    return json.dumps({"frame": figures.frame, "figures": values},
                      separators=(",", ":")) + "\n"


def _frame_costs_line(costs, _):
    spent = {name: costs.instructions(getattr(costs, name))
             for name in ("least", "mean", "most")}
    return json.dumps({"frame": costs.frame, "frame_instructions": dict(
        spent, most_frame=costs.most_frame)}, separators=(",", ":")) + "\n"


def _holes_line(holes, ledger):
    entry = {"allocator": ledger.pool_name(holes.allocator),
             "largest": holes.largest, "holes": holes.holes, "bytes": holes.bytes}
    return json.dumps({"frame": holes.frame, "holes": entry},
                      separators=(",", ":")) + "\n"


def _oldest_line(oldest, ledger):
    entry = {"pool": ledger.pool_name(oldest.allocator), "slot": oldest.slot,
             "age": oldest.age}
    return json.dumps({"frame": oldest.frame, "oldest": entry},
                      separators=(",", ":")) + "\n"


def _hello(hello, _):
    allocators = ", ".join(f"{one.kind} {one.name} ({one.most} {one.unit},"
                           f" {one.policy})" for one in hello.allocators)
    return f"hello: seed {hello.seed}, {hello.frames} frames, {allocators}"


def _text(text, _):
    return text.text


def _fault(fault, ledger):
    return fault_sentence(ledger, fault)


def _audit(audit, ledger):
    return "audit: " + audit_sentence(ledger, audit)


def _planted(planted, ledger):
    return (f"planted: frame {planted.frame},"
            f" {ledger.place(planted)}: {planted.name}")


def _done(done, _):
    return (f"done: frame {done.frame}, state {done.state_hash:016x},"
            f" {done.irqs} interrupts")


def _figure(figure, _):
    return f"figure {figure.index}: {figure.name} ({figure.unit})"


def _scene(scene, _):
    return f"scene: frame {scene.frame}, {scene.name}"


def _refused(refused, _):
    return (f"refused on purpose: {refused.refused} of {refused.requests}"
            f" requests, {refused.name}")


def _picture(picture, _):
    return f"picture: frame {picture.frame}, {picture.width} x {picture.height}"


def _setting(setting, _):
    return f"setting: {setting.name} = {setting.value}"


def _expectation(expectation, _):
    return (f"expectation: {expectation.name}, failed {expectation.failed} of"
            f" {counted(expectation.asked, 'time')}")


def _question(question, _):
    return (f"question: {question.name}, answered wrong {question.wrong} of"
            f" {counted(question.asked, 'time')}")


def _place(place, ledger):
    return (f"0x{place.site:08x} asked {ledger.title(place.allocator)}"
            f" {counted(place.requests, 'time')}, {place.on_purpose} refused on"
            f" purpose, {place.refused} by it, {place.held} held")


def _stranger(stranger, ledger):
    return "no row names it: " + stranger_sentence(ledger, stranger)


def _caller(caller, ledger):
    return f"{ledger.title(caller.allocator)}: {named_sentence(caller)}"


def _guard(guard, _):
    return guard.why_not or (f"stores below 4 KiB and from 0x{guard.begin:08x} to"
                             f" 0x{guard.end:08x} are faults")


def _clock(clock, _):
    return f"clock: it starts at {clock.start}, and wraps"


def _stack(stack, _):
    return f"stack {stack.name}: {stack.deepest} of {stack.size} bytes deep"


_LINES = {Sample: _sample_line, Figures: _figures_line,
          FrameCosts: _frame_costs_line, Holes: _holes_line, Oldest: _oldest_line}
# Costs, which come again and again, are summed up and drawn instead.
_SENTENCES = {Hello: _hello, Text: _text, Fault: _fault, Audit: _audit,
              Planted: _planted, Figure: _figure,
              Scene: _scene, Refused: _refused, Done: _done,
              Picture: _picture, Setting: _setting,
              Expectation: _expectation, Place: _place, Stack: _stack,
              Guard: _guard, Clock: _clock, Question: _question,
              Stranger: _stranger, Caller: _caller}
