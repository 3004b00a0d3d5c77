# SPDX-License-Identifier: MIT
"""port/cmsis-pack/Tidepool.scvd: what it reads lies where the compiler puts it, and
what it shows of a firmware is what `tidepool.py dump` says."""

import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path
from types import SimpleNamespace

from paper_memory import Paper
from session import BOARD, RAM, live
from decoder import record, report
from decoder.dump import opened
from support import ROOT, build
from viewer import BYTES, Viewer

SCVD = ROOT / "port" / "cmsis-pack" / "Tidepool.scvd"
HEADERS = ("core/tp_registry.h", "allocator/tp_nest.h", "allocator/tp_dense.h",
           "allocator/tp_reloc.h", "policy/tp_spill.h")
# Of no struct in C: the decoder's Pool takes the same word apart.
WORDS = ("list_word",)
# Where nothing of the kind is in one place, the viewer shows how much there is.
UNCOUNTED = ("blocks", "arena", "scenes")
SCRIPT = """
gdb.execute("tbreak " + WHERE)
gdb.execute("continue")
ram(FILE, *RAM)
"""


def asserted(text):
    """C that compiles iff each typedef is as the compiler lays the struct out."""
    lines = [f'#include "{name}"' for name in HEADERS]
    for typedef in xml.fromstring(text).iter("typedef"):
        struct = f"struct {typedef.get('name')}"
        if typedef.get("name") in WORDS:
            continue
        lines.append(f"_Static_assert(sizeof({struct}) == {typedef.get('size')},"
                     f' "{struct}");')
        for member in typedef.findall("member"):
            name = member.get("name")
            size = member.get("size", BYTES[member.get("type")])
            lines.append(f"_Static_assert(__builtin_offsetof({struct}, {name}) =="
                         f" {member.get('offset')} && sizeof((({struct} *)0)->{name})"
                         f' == {size}, "{struct}.{name}");')
    return "\n".join(lines)


class Typedefs(unittest.TestCase):
    def compiled(self, text):
        """What the compiler for a Cortex-M3 finds wrong."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "asserted.c"
            path.write_text(asserted(text))
            said = subprocess.run(
                ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-std=gnu11",
                 "-fsyntax-only", f"-I{ROOT}/lib", f"-I{ROOT}/port/cortex_m", path],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        return re.findall(r"error: (.*)", said)

    def test_every_offset_and_size_is_the_compiler_s(self):
        self.assertEqual([], self.compiled(SCVD.read_text()))

    def test_each_number_that_is_another_is_found(self):
        text = SCVD.read_text()
        numbers = [found for found in re.finditer(r' (?:offset|size)="(\d+)"', text)
                   if "list_word" not in text[text.rindex("<typedef", 0, found.start()):
                                              found.start()]]
        self.assertGreater(len(numbers), 50)
        for found in numbers[::7]:
            other = text[:found.start(1)] + str(int(found[1]) + 4) \
                + text[found.end(1):]
            self.assertEqual(1, len(self.compiled(other)), found)

    def test_every_kind_of_fault_has_its_name(self):
        enums = {int(enum.get("value")): enum.get("name")
                 for enum in xml.parse(SCVD).getroot().iter("enum")}
        named = {number: name for number, name in enumerate(record.NAMES)
                 if not name.startswith("kind ")}
        self.assertEqual(named, enums)


class Shown(unittest.TestCase):
    def firmware(self, level, name, where):
        folder = Path(tempfile.mkdtemp(prefix="tidepool-"))
        self.addCleanup(shutil.rmtree, folder)
        elf = build(BOARD, level, name) / f"{name}.elf"
        file = folder / "ram.bin"
        ram = RAM[0], RAM[1] + 0x1000  # At full there is more.
        live(elf, f"FILE, RAM, WHERE = {str(file)!r}, {ram}, {where!r}\n{SCRIPT}")
        return opened(elf, [f"{file}@{RAM[0]:#x}"])[0]

    def shown(self, firmware):
        """{allocator: (value, {property: value of what is below it})}"""
        rows = {}
        for depth, title, value in Viewer(SCVD, firmware).show("Allocators"):
            if depth == 0:
                rows[title] = (value, below := {})
            else:
                below[title] = value
        return rows

    def test_every_allocator_is_shown_as_the_dump_tells_it(self):
        firmware = self.firmware("full", "soaked",
                                 "tp_soak_frame if soak->frame == 199")
        rows = self.shown(firmware)
        self.assertEqual([entry.name for entry in firmware.entries], list(rows))
        for entry in firmware.entries:
            value, below = rows[entry.name]
            capacity, alive, peak, _ = entry.figures
            unit = value.replace(",", "").split()[-4 if "at most" in value else -1]
            told = f"{alive} of {capacity} {unit}, at most {peak}"
            if entry.kind in UNCOUNTED:
                told = f"{capacity} {unit}"
            self.assertEqual(told, value, entry.name)
            self.assertEqual(entry.policy, below["When full"])
            self.assertEqual(entry.bank, below.get("Bank", "-"))
        self.assertLess({"pool", "chunk", "stack", "dstack", "frame", "nest", "dense",
                         "reloc", "blocks"}, {entry.kind for entry in firmware.entries})

    def test_what_a_core_keeps_for_itself_is_not_live(self):
        """Of six slots two are live, three are kept, and one is free."""
        paper = Paper({"tp_registry": 0x100, "tp_pool_kind": 0x200})
        paper.struct(0x100, "tp_registry", entries=0x140, count=1)
        paper.numbers(0x140, 0x180)
        paper.struct(0x180, "tp_entry", name=0x300, kind=0x200, allocator=0x400,
                     policy=0x300, most=6)
        paper.struct(0x200, "tp_kind", name=0x300, unit=0x300)
        paper.numbers(0x300, *b"pool\0", size=1)
        paper.struct(0x400, "tp_pool", tag=0x500, state=0x600, capacity=6, magazine=4)
        paper.struct(0x600, "tp_pool_state", fresh=6)
        paper.numbers(0x500, 5 << 16 | 1, *[0] * 6, 0xfffe0002, 0xffff0003)
        memory = paper.memory()
        memory.elf.symbols = paper.symbols
        shown = Viewer(SCVD, SimpleNamespace(memory=memory, elf=memory.elf))
        self.assertEqual((0, "pool", "2 of 6 pool, at most 6"),
                         shown.show("Allocators")[0])

    def test_a_fault_is_shown_with_its_pool_slot_and_caller(self):
        firmware = self.firmware("fast", "owned", "tp_fault")
        told = {title: value for _, title, value in
                Viewer(SCVD, firmware).show("Fault")}
        self.assertEqual(report.fault(firmware)[0], "fault: {Fault} of {Allocator},"
                         " slot {Slot}, in frame {Frame}".format(**told))
        self.assertEqual("double-free", told["Fault"])
        self.assertRegex(told["Caller"], r"^acknowledge, 0x")

    def test_at_off_nobody_counts_what_lives_in_a_pool(self):
        rows = self.shown(self.firmware("off", "example_list", "list"))
        self.assertEqual("8 slots", rows["packets"][0])
        self.assertEqual("100 of 256 bytes, at most 100", rows["start_up"][0])

    def test_before_a_fault_there_is_none_and_a_registry_left_out_is_asked_for(self):
        firmware = self.firmware("off", "owned", "all_is_held")
        viewer = Viewer(SCVD, firmware)
        self.assertEqual([(0, "No fault was recorded", "")], viewer.show("Fault"))
        self.assertEqual([(0, "tp_registry is not linked",
                           "--undefined=tp_registry keeps it")],
                         viewer.show("Allocators"))


if __name__ == "__main__":
    unittest.main()
