# SPDX-License-Identifier: MIT
"""What ports say in instructions that no emulator minds: barriers, the registers of
a data cache, the interrupts of a RISC-V. Each function is compiled and read."""

import re
import tempfile
import unittest
from pathlib import Path

from bare import Bare
from support import ROOT, tool

CORTEX_M = """#include "tp_port.h"
uint32_t lock(void) { return tp_port_lock(); }
uint32_t lock_below(uint32_t least) { return tp_port_lock_below(least); }
uint32_t masked(void) { return tp_port_masked(); }
uint32_t unserved(void) { return tp_port_unserved(); }
void all(uint32_t *word)
{
  *word = 1;
  uint32_t key = tp_port_lock();
  *word = 2;
  tp_port_unlock(key);
  *word = 3;
}
void some(uint32_t *word)
{
  *word = 1;
  uint32_t key = tp_port_lock_below(64);
  *word = 2;
  tp_port_unlock_below(key);
  *word = 3;
}
"""
CORES = """#define TP_CORES_SPINLOCK 0xd0000170u
#define TP_CORES_IDENTITY 0xd0000000u
#include <stdbool.h>
#include "tp_port.h"
#include "tp_cores_port.h"
bool take(void) { return tp_cores_port_take(); }
void give(void) { tp_cores_port_give(); }
uint32_t number(void) { return TP_CORES_PORT_NUMBER(); }
"""
SOAK = """#define TP_CORES_IDENTITY 0xd0000000u
#define TP_CHECKS 1
#include "tp_soak_cores.c"
"""
CACHE = """#include "tp_dma_port.h"
void clean(void) { tp_dma_port_clean(0x20000000, 64); }
void forget(void) { tp_dma_port_invalidate(0x20000000, 65); }
void barrier(void) { tp_dma_port_barrier(); }
"""
MPU = """#include "tp_mpu.h"
extern "C" void other_fault(void);
TP_MPU_HANDLER(MemManage_Handler, other_fault)
"""
RISCV = """#include "tp_port.h"
uint32_t lock(void) { return tp_port_lock(); }
uint32_t lock_below(void) { return tp_port_lock_below(64); }
void unlock(uint32_t key) { tp_port_unlock(key); }
void unlock_below(uint32_t key) { tp_port_unlock_below(key); }
void trap(void) { tp_port_trap(); }
"""


class Ports(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def read(self, text, core, *ports):
        """{function: its instructions with what they work on}."""
        source, made = self.folder / "port.c", self.folder / "port.o"
        source.write_text(text)
        Bare.compile(core, "-O3", *[f"-I{ROOT}/port/{one}" for one in ports],
                     "-c", source, "-o", made)
        code = tool("arm-none-eabi-objdump", "-d", "--no-show-raw-insn", made)
        return {name: re.findall(r"\t(\S.*)", lines) for name, lines in
                re.findall(r"<(\w+)>:\n(.*?)(?:\n\n|\Z)", code, re.S)}

    @staticmethod
    def order(lines, *wanted):
        """Those instructions among [lines] that begin so, in their order."""
        return [word for line in lines for word in wanted if line.startswith(word)]


class Asked(unittest.TestCase):
    def test_the_page_of_ports_lists_all_that_is_asked_of_one(self):
        """What posix asks, port/posix alone has: it is no port of somebody's own."""
        asking = [path for folder in ("lib", "port/wait", "port/cores", "port/mpu")
                  for path in (ROOT / folder).rglob("*.[ch]")
                  if path.parent.name != "posix"]
        text = "".join(path.read_text() for path in asking)
        asked = set(re.findall(r"\b(?:tp_port|TP_PORT)_\w+\b(?<!_)", text))
        self.assertIn("tp_port_lock", asked)
        page = re.findall(r"\w+", (ROOT / "port/README.md").read_text())
        self.assertEqual(set(), asked - set(page))


class CortexM(Ports):
    ALL = ["mrs PRIMASK", "cpsid i", "msr PRIMASK"]
    BELOW = {"cortex-m0": ALL, "cortex-m23": ALL,
             "cortex-m3": ["mrs BASEPRI", "msr BASEPRI_MAX", "msr BASEPRI"],
             "cortex-m33": ["mrs BASEPRI", "msr BASEPRI_MAX", "msr BASEPRI"]}

    def of(self, core):
        """{function: its accesses of special registers, and str}."""
        code = self.read(CORTEX_M, core, "cortex_m")
        return {name: [re.sub(r"\t(?:r\d+, )?([A-Zi]\w*).*|\t.*", r" \1", line).strip()
                       for line in lines if re.match(r"mrs|msr|cps|str", line)]
                for name, lines in code.items()}, code

    def test_a_lock_masks_what_it_says_and_nothing_comes_before_it_or_behind(self):
        for core, below in self.BELOW.items():
            done, _ = self.of(core)
            self.assertEqual(self.ALL[:2], done["lock"], core)
            self.assertEqual(below[:2], done["lock_below"], core)
            for name, (mask, more, back) in (("all", self.ALL), ("some", below)):
                self.assertEqual(["str", mask, more, "str", back, "str"],
                                 done[name], (core, name))

    def test_masked_is_what_any_register_masks_that_the_core_has(self):
        for core, below in self.BELOW.items():
            done, code = self.of(core)
            registers = ["mrs PRIMASK"]
            if below is not self.ALL:
                registers += ["mrs FAULTMASK", "mrs BASEPRI"]
            self.assertEqual(registers, done["masked"], core)
            joined = [line for line in code["masked"] if line.startswith("or")]
            self.assertEqual(len(registers) - 1, len(joined), core)

    def test_whom_masking_does_not_serve_are_exceptions_to_3_and_bit_0_of_control(self):
        for core in self.BELOW:
            done, code = self.of(core)
            self.assertEqual(["mrs IPSR", "mrs CONTROL"], done["unserved"], core)
            numbers = {line.rpartition(", ")[2] for line in code["unserved"]
                       if re.match(r"cmp|and|movs", line)}
            self.assertIn("#1", numbers, core)
            self.assertTrue(numbers & {"#3", "#4"}, core)


class Cores(Ports):
    def test_no_access_of_what_a_lock_of_two_cores_guards_comes_before_or_behind(self):
        for port, core, taking in (("sio", "cortex-m0plus", ["ldr\t", "dmb"]),
                                   ("exclusive", "cortex-m33",
                                    ["ldrex", "strex", "dmb"])):
            code = self.read(CORES, core, f"cores/{port}")
            take = [line for line in code["take"] if "[pc" not in line]
            self.assertEqual(taking, self.order(take, *taking), port)
            self.assertEqual(["dmb", "str\t"],
                             self.order(code["give"], "dmb", "str\t"), port)

    def test_a_core_is_numbered_by_the_register_that_each_reads_its_own_from(self):
        for port, core in (("sio", "cortex-m0plus"), ("exclusive", "cortex-m33")):
            number = "\n".join(self.read(CORES, core, f"cores/{port}")["number"])
            self.assertRegex(number, r"3489660928|#208[^\n]*\n.*#24\n", port)

    def test_a_port_that_numbers_cores_says_from_which_level_on_that_is_looked_at(self):
        def told(name):
            return " ".join((ROOT / name).read_text().replace("//", "").split())
        level = re.search(r"from (\w+) up a call that issues",
                          told("lib/core/tp_cores.h"))[1]
        for port in ("sio", "exclusive"):
            self.assertIn(f"From {level} up a pool without",
                          told(f"port/cores/{port}/tp_cores_port.h"), port)


class SoakOfCores(Ports):
    """Of a soak of two cores, what each sees of the other."""

    def test_what_one_core_is_told_comes_behind_what_the_other_did_before(self):
        code = self.read(SOAK, "cortex-m33", "cortex_m", "cores/exclusive",
                         "../qemu/telemetry", "../lib")
        for name, wanted in (
                ("lock", ["ldrex", "strex", "dmb"]), ("unlock", ["dmb", "str", "msr"]),
                ("cores_stop", ["str", "dmb", "yield", "dmb"]),
                ("cores_go", ["dmb", "str"]), ("cores_write", ["str", "dmb", "yield"]),
                ("pause", ["str", "dmb", "str", "yield", "dmb"]),
                ("cores_fault", ["ldrex", "strex", "dmb", "str", "dmb", "yield"])):
            lines = [re.sub("^(str|ldr)[bh]?(?:.w)?\t", r"\1\t", line)
                     for line in code[f"tp_soak_{name}"] if "[sp" not in line]
            kinds = ["str\t" if one == "str" else one for one in wanted]
            done = iter(self.order(lines, *dict.fromkeys(kinds)))
            for one in kinds:
                self.assertIn(one, done, (name, lines))


class Cache(Ports):
    def stores(self, lines):
        return [line for line in lines if line.startswith("str")]

    def test_lines_of_32_bytes_are_cleaned_and_dropped_by_the_registers_for_that(self):
        code = self.read(CACHE, "cortex-m7", "cache/cortex_m7")
        for name, count, register in (("clean", 2, "0xf68"), ("forget", 3, "0xf5c")):
            stores = self.stores(code[name])
            self.assertEqual(count, len(stores), code[name])
            for line in stores:
                self.assertIn(register, line)
            self.assertIn("3758153728", " ".join(code[name]))  # 0xe000e000

    def test_with_a_cache_instructions_begin_anew_behind_the_barrier(self):
        for port, core, wanted in (("cortex_m7", "cortex-m7", ["dsb", "isb"]),
                                   ("none", "cortex-m0", ["dsb"])):
            code = self.read(CACHE, core, f"cache/{port}")
            self.assertEqual(wanted, self.order(code["barrier"], "dsb", "isb"))
        for name in ("clean", "forget"):
            self.assertEqual("bx\tlr", code[name][0])


class Mpu(Ports):
    def test_a_handler_of_a_firmware_in_cpp_is_the_one_that_the_vectors_name(self):
        made = self.folder / "handler.o"
        source = self.folder / "handler.cpp"
        source.write_text(MPU)
        for core in ("cortex-m3", "cortex-m33"):
            Bare.compile(core, "-std=c++17", f"-I{ROOT}/port/mpu", "-c", source,
                         "-o", made)
            self.assertRegex(tool("arm-none-eabi-nm", made), r" T MemManage_Handler\n")


class Riscv(Ports):
    def test_bit_3_of_mstatus_is_taken_out_and_put_back_where_it_was_there(self):
        source, made = self.folder / "port.c", self.folder / "port.s"
        source.write_text(RISCV)
        tool("clang-19", "--target=riscv32", "-O2", "-S", f"-I{ROOT}/port/riscv",
             source, "-o", made)
        code = dict(re.findall(r"(?m)^(\w+):.*\n((?:.*\n)*?)\.Lfunc_end",
                               made.read_text()))
        told = {name: re.findall(r"\t([a-z].*)", text) for name, text in code.items()}
        for name in ("lock", "lock_below"):
            self.assertEqual(["csrrci\ta0, mstatus, 8", "ret"], told[name])
        for name in ("unlock", "unlock_below"):
            self.assertEqual(["andi\ta0, a0, 8", "csrs\tmstatus, a0", "ret"],
                             told[name])
        self.assertEqual("ebreak", told["trap"][0])


if __name__ == "__main__":
    unittest.main()
