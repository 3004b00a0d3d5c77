# SPDX-License-Identifier: MIT
"""The forms of a dump, what is wrong with some, and the core that is made of them."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from session import BOARD, RAM, TOOL, gdb, live, scratch, tidepool
from decoder.elf import Elf
from decoder.layout import layouts
from decoder.memory import Memory, Missing
from support import ROOT, build, tool

# Runs until an order is freed twice; its RAM and registers, and GDB's backtrace. What
# the linker left out lies at 0: of all that GDB names now one, now another.
SCRIPT = """
gdb.execute("set backtrace past-main off")
gdb.execute("set print symbol off")
gdb.execute("tbreak tp_soak_fault")
gdb.execute("continue")
ram(FOLDER + "/ram.bin", *RAM)
top = number("(unsigned)$sp")
ram(FOLDER + "/stack.bin", top, number("(unsigned)&stack_top"))
answers["sp"] = top
answers["registers"] = {f"r{i}": number(f"(unsigned)$r{i}") for i in range(13)}
for name in ("sp", "lr", "pc", "xpsr"):
    answers["registers"][name] = number(f"(unsigned)${name}")
answers["backtrace"] = ask("backtrace -frame-info location")
answers["locals"] = ask("frame function serve") + ask("info locals") + ask("info args")
"""
OF_CORE = """
gdb.execute("set print symbol off")
answers["backtrace"] = ask("backtrace -frame-info location")
answers["locals"] = ask("frame function serve") + ask("info locals") + ask("info args")
answers["record"] = ask("print tp_fault_record")
"""


def words_of(data, begin, form):
    """Lines of text of four words each, by a format of one line."""
    return "".join(form(begin + at, data[at:at + 16])
                   for at in range(0, len(data), 16))


def as_gdb(address, data):
    values = [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]
    return f"{address:#x} <orders+4>:\t" + "\t".join(f"0x{one:08x}" for one in values) \
        + "\n"


def as_handler(address, data):
    values = [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]
    return f"{address:08X}: " + " ".join(f"{one:08X}" for one in values) \
        + "\r\n"


def as_hexdump(address, data):
    text = "".join(chr(byte) if 32 < byte < 127 else "." for byte in data)
    return f"{address:08x}  {data.hex(' ')}  |{text}|\n"


def as_xxd(address, data):
    return f"{address:08x}: {data.hex(' ', 2)}  ab cd 12 34\n"


class Forms(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.elf = build(BOARD, "fast", "soaked_badly") / "soaked_badly.elf"
        cls.folder = scratch(cls)
        cls.live = live(cls.elf, f"FOLDER = {str(cls.folder)!r}\nRAM = {RAM}\n{SCRIPT}",
                        "soak", "frames=3600")
        cls.raw = cls.folder / "ram.bin"
        cls.data = cls.raw.read_bytes()
        cls.said = tidepool("dump", cls.elf, cls.raw, code=1)

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def dump(self, path, code, *more):
        return tidepool("dump", self.elf, path, *more, code=code)

    def test_the_record_names_the_fault_the_slot_and_the_line(self):
        self.assertRegex(self.said, r"(?s)^fault: double-free of orders, slot \d+, in"
                         r" frame \d+\n.*\n  by serve\(\) at \S+firmware/main.c:\d+\n"
                         r"  slot \d+ is dead, issued \d+ times, the last time to"
                         r" take_orders\(\)")

    def test_intel_hex_and_s_records_say_what_raw_bytes_say(self):
        for form in ("ihex", "srec"):
            path = self.folder / f"ram.{form}"
            tool("arm-none-eabi-objcopy", "-I", "binary", "-O", form,
                 f"--change-addresses={RAM[0]}", self.raw, path)
            self.assertEqual(self.said, self.dump(path, 1))

    def test_text_of_a_debugger_or_a_crash_handler_says_the_same(self):
        for form in (as_gdb, as_handler, as_hexdump, as_xxd):
            with self.subTest(form.__name__):
                text = "*** crash ***\nr0 = 0x00000001 pc: 0x00001234\n" \
                    + words_of(self.data, RAM[0], form) + "end of dump\n"
                self.assertEqual(self.said, self.dump(self.write("log.txt", text), 1))

    def test_pieces_at_addresses_of_their_own_are_one_dump(self):
        half = len(self.data) // 2
        low = self.write("low", self.data[:half])
        high = self.write("high", self.data[half:])
        self.assertEqual(self.said, self.dump(low, 1, f"{high}@{RAM[0] + half:#x}"))

    def test_a_short_dump_is_told_as_far_as_it_goes_and_ends_with_2(self):
        said = self.dump(self.write("short", self.data[:-0x1000]), 2)
        self.assertRegex(said, r"it is short: \d+ bytes of the firmware's variables are"
                         r" not in it, from 0x2001\w+ on; it holds 0x20010000 to ")
        self.assertRegex(said, r"pool \w+: cannot be told of: 0x2001\w+ is not in the")

    def test_a_torn_dump_is_told_with_the_line_where_it_is(self):
        path = self.folder / "torn.ihex"
        tool("arm-none-eabi-objcopy", "-I", "binary", "-O", "ihex",
             f"--change-addresses={RAM[0]}", self.raw, path)
        lines = path.read_text().splitlines()
        torn = lines[:100] + [lines[100][:-3]] + lines[101:]
        path = self.write("torn", "\n".join(torn))
        self.assertIn("line 101 is torn", self.dump(path, 2))
        ended = self.dump(self.write("ended", "\n".join(lines[:-1])), 2)
        self.assertIn("it ends without its last record", ended)

    def test_a_foreign_dump_is_a_sentence(self):
        noise = bytes(range(1, 252)) * 200
        for data in (noise[:len(self.data)], self.data[0x40:] + bytes(0x40)):
            said = self.dump(self.write("foreign", data), 2)
            self.assertRegex(said, r"^error: the dump is not of this ELF: [^\n]*\n$")
        code = self.folder / "flash"
        tool("arm-none-eabi-objcopy", "-O", "binary", "-j", ".text", self.elf, code)
        self.assertEqual(self.said, self.dump(self.raw, 1, f"{code}@0x0"))
        code.write_bytes(code.read_bytes()[::-1])
        self.assertIn("not of this ELF", self.dump(self.raw, 2, f"{code}@0x0"))

    def test_memory_before_a_scene_has_cut_it_is_a_sentence(self):
        """A frame has no buffer yet where its words are 0."""
        elf = build(BOARD, "fast", "dungeon") / "dungeon.elf"
        path = self.write("zeroes", bytes(RAM[1] - RAM[0]))
        self.assertRegex(tidepool("dump", elf, path, code=2),
                         r"(?m)^error: (the dump is not of this ELF|it is short): ")

    def test_what_is_no_dump_or_no_firmware_is_a_sentence(self):
        text = self.write("notes", "It was raining.\n")
        for elf, ram, said in (
                (self.elf, text, "no line of it has an address"),
                (self.elf, self.write("empty", b""), "it is empty"),
                (self.elf, self.folder / "nowhere", "cannot read it: No such file"),
                (text, self.raw, "not an ELF file with symbols")):
            told = tidepool("dump", elf, ram, code=2)
            self.assertRegex(told, r"^error: [^\n]+\n$")
            self.assertIn(said, told)

    def test_an_image_without_a_list_is_searched_for_its_allocators(self):
        bare = self.folder / "bare.elf"
        tool("arm-none-eabi-objcopy", "--strip-symbol=tp_registry", "-g", self.elf,
             bare)
        said = tidepool("dump", bare, self.raw, code=1)
        self.assertRegex(said, r"fault: double-free of orders, slot \d+")
        self.assertRegex(said, r"(?m)^orders +pool +- +- +\d+ +\d+ +20 ")
        self.assertIn("\n  by main()\n", said)  # The function that it is compiled into.

    def core(self, *more):
        core = self.folder / "a.core"
        tidepool("core", self.elf, self.raw, *more, "--out", core)
        return gdb(self.elf, OF_CORE, "-ex", f"core-file {core}")

    def test_stock_gdb_reads_the_core_as_it_read_the_target(self):
        registers = self.write("regs.json", json.dumps(self.live["registers"]))
        stack = f"{self.folder / 'stack.bin'}@{self.live['sp']:#x}"
        answers = self.core(stack, registers)
        self.assertIn("serve", answers["backtrace"])
        self.assertIn("main ()", answers["backtrace"])
        for key in ("backtrace", "locals"):
            self.assertEqual(self.live[key], answers[key])
        self.assertRegex(answers["record"], r"kind = 3, name = 0x\w+ \"orders\"")

    def test_a_core_without_registers_says_so_and_holds_the_record(self):
        said = tidepool("core", self.elf, self.raw)
        self.assertIn("ram.core, without registers: there is no backtrace", said)
        self.assertIn("kind = 3", self.core()["record"])
        wrong = self.write("wrong.json", '{"r99": 1}')
        self.assertEqual("error: there is no register 'r99'\n",
                         tidepool("core", self.elf, self.raw, wrong, code=2))

    def test_a_core_takes_the_place_of_nothing_that_it_is_made_of(self):
        elf = self.write("own.elf", self.elf.read_bytes())
        raw = self.write("own.bin", self.data)
        core = self.folder / "own.core"
        tidepool("core", elf, raw)
        (self.folder / "link").symlink_to(raw)
        before = [path.read_bytes() for path in (elf, raw, core)]
        for words in ([core], [raw, "--out", elf], [raw, "--out", raw],
                      [f"{raw}@{RAM[0]:#x}", "--out", self.folder / "link"]):
            self.assertRegex(tidepool("core", elf, *words, code=2),
                             r"^\S+: error: it is read, and would be replaced: name"
                             r" another file to write\n$")
        self.assertEqual(before, [path.read_bytes() for path in (elf, raw, core)])

    def test_a_core_that_finds_no_room_leaves_what_was_there(self):
        out = self.write("kept.core", "kept")
        before = sorted(self.folder.iterdir())
        done = subprocess.run(
            ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", sys.executable, "-B", TOOL,
             "core", self.elf, self.raw, "--out", out], stderr=subprocess.PIPE,
            text=True)
        self.assertEqual((2, f"{out}: error: cannot write it: File too large\n"),
                         (done.returncode, done.stderr))
        self.assertEqual(("kept", before),
                         (out.read_text(), sorted(self.folder.iterdir())))


# As GCC calls what is told of a source file, with -flto and -g; and a variable.
NAMED = """.section .debug_info, "", %progbits
        .weak tp_registry.c.0bbe5bd8
        tp_registry.c.0bbe5bd8: .word 0
        .section .rodata
        tp_events.lto_priv.0: .word 0
        """
RESERVED = """MEMORY
{
  FLASH (rx) : ORIGIN = 0, LENGTH = 4K
  RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 4K
}
SECTIONS
{
  .text : { *(.text*) } > FLASH
  .stack (NOLOAD) : { . = . + 0x400; } > RAM
}
"""


class Symbols(unittest.TestCase):
    def test_what_debug_information_calls_a_source_file_is_no_variable(self):
        with tempfile.TemporaryDirectory() as folder:
            source, elf = Path(folder) / "named.s", Path(folder) / "named.elf"
            source.write_text(NAMED)
            tool("arm-none-eabi-gcc", "-nostdlib", "-Wl,-e0", source, "-o", elf)
            symbols = Elf(elf.read_bytes()).symbols
        self.assertEqual((False, True),
                         ("tp_registry" in symbols, "tp_events" in symbols))

    def test_what_lld_reserves_for_a_stack_is_no_constant_but_in_the_dump(self):
        """It is no section that could be written to, if that before it is none."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a.s", ".word 7"), ("a.ld", RESERVED)):
                (Path(folder) / name).write_text(text)
            tool("arm-none-eabi-gcc", "-c", f"{folder}/a.s", "-o", f"{folder}/a.o")
            tool("ld.lld-19", "-T", f"{folder}/a.ld", f"{folder}/a.o", "-o",
                 f"{folder}/a.elf")
            elf = Elf((Path(folder) / "a.elf").read_bytes())
        memory = Memory(elf, {0x20000000: b"\1\0\0\0"})
        self.assertEqual([7, 1], [memory.word(0), memory.word(0x20000000)])
        with self.assertRaises(Missing):
            memory.word(0x20000004)


# What stands behind their fields is not always as long.
GO_ON = ("tp_nest", "tp_crash", "tp_events", "tp_waiter")


class Layouts(unittest.TestCase):
    """The structs as the decoder knows them are those of both compilers."""

    def test_every_struct_is_laid_out_as_each_compiler_does(self):
        source = "".join(f'#include "{name}"\n' for name in (
            "core/tp_registry.h", "allocator/tp_nest.h", "allocator/tp_blocks.h",
            "allocator/tp_dense.h", "allocator/tp_reloc.h", "object/tp_scene.h",
            "policy/tp_spill.h", "allocator/tp_reloc_block.h",
            "check/tp_crash.h", "check/tp_events.h", "object/tp_owner.h",
            "policy/tp_wait.c"))
        for kind in ("gcc", "clang"):
            self.assertEqual([], list(self.differing(kind, source, layouts(4))))
        self.assertEqual([], list(self.differing("host", source, layouts(8))))

    def differing(self, kind, source, known):
        """Compiles assertions of every offset and size."""
        lines = [source]
        for name, layout in known.items():
            if name == "place":  # Of a file of its own: the holders' test has it.
                continue
            for field, place in layout.fields.items():
                path = "as.dstack" if (name, field) == ("tp_nest", "dstack") else field
                lines.append(f"_Static_assert(__builtin_offsetof(struct {name}, {path})"
                             f' == {place.offset}, "{name}.{field}");')
            if name not in GO_ON:
                lines.append(f"_Static_assert(sizeof(struct {name}) == {layout.size},"
                             f' "{name}");')
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "layouts.c"
            path.write_text("\n".join(lines))
            m3 = ["-mcpu=cortex-m3", "-mthumb", f"-I{ROOT}/port/cortex_m",
                  f"-I{ROOT}/port/wait/bare"]
            compiler = {
                "gcc": ["arm-none-eabi-gcc", *m3],
                "clang": ["clang-19", "--target=arm-none-eabi", "-ffreestanding", *m3],
                "host": ["gcc", f"-I{ROOT}/port/host", f"-I{ROOT}/port/wait/posix",
                         "-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE"]}[kind]
            said = subprocess.run(
                [*compiler, "-std=c11", "-fsyntax-only", "-DTIDEPOOL_EVENTS=1",
                 f"-I{ROOT}/lib", path],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout
        return [line for line in said.splitlines() if "error" in line]
