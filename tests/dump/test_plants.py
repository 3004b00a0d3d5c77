# SPDX-License-Identifier: MIT
"""Twenty-four dumps of a firmware at fast, each with a mistake of --plant in it, taken
at the fault or some frames later: do `dump` and GDB name pool, slot and who did it?"""

import re
import sys
import unittest

from session import BOARD, TOOL, gdb, live, scratch, tidepool
from decoder.dump import opened
from support import ROOT, is_full, tool

FLAGS = ("-mcpu=cortex-m3", "-mthumb", "-std=gnu11", "-g", "-ffreestanding",
         "-ffunction-sections", "-fdata-sections", "-DMISTAKE=0xffffffffu",
         "-DUART=0x40004000u", "-DCLOCK_HZ=25000000u",
         "-DTIDEPOOL_SOAK=1")
COMPILERS = {"gcc": ["arm-none-eabi-gcc"],
             "clang": ["clang-19", "--target=arm-none-eabi", "-isystem",
                       "/usr/include/newlib"]}  # setjmp.h.
LEVELS = ("-O0", "-O2", "-O3")
AT_THE_FAULT = 0
# By plant: frames from the deed to the dump, and what must be said of it, where POOL
# and SLOT stand for what the firmware says it did.
PLANTS = {
    "double-free": (AT_THE_FAULT, r"fault: double-free of POOL, slot SLOT, .*\n.*\n"
                    r"  by free_it\(\) at \S+tp_plant.c:\d+\n  slot SLOT is dead"),
    "interior": (AT_THE_FAULT, r"fault: interior of POOL, slot SLOT, .*\n.*\n"
                 r"  by free_inside\(\) at \S+tp_plant.c:\d+\n  slot SLOT is live"),
    "foreign": (AT_THE_FAULT, r"fault: foreign of POOL, .*\n.*\n"
                r"  by free_another\(\) at \S+tp_plant.c:\d+"),
    "unbalanced-pin": (AT_THE_FAULT, r"fault: pin of POOL, slot SLOT, .*\n.*\n"
                       r"  by unpin_twice\(\) at \S+tp_plant.c:\d+\n"
                       r"  slot SLOT is live, .* to play_tunes\(\) at "),
    "flip-link": (3, r"(fault: link of POOL, slot SLOT,|pool POOL: the link of slot"
                  r" SLOT .*\n  slot SLOT is dead, .* to take_orders\(\) at )"),
    "flip-generation": (17, r"pool POOL: the generation of slot SLOT was written over\n"
                        r"  slot SLOT is (live|dead), .* to take_orders\(\) at "),
    "flip-age": (0, r"pool POOL: .*age ring"),
    "slow-leak": (911, r"(?s)POOL:\n.*\n *4 of \d+ held by "
                  r"(leak\(\) at \S+tp_plant_lasting.c:"
                  r"\d+|tp_plant_lasting_frame\(\), called by tp_soak_frame\(\) at )"),
}
SCRIPT = """
gdb.execute("tbreak tp_record_planted")
gdb.execute("continue")
answers["pool"] = gdb.parse_and_eval(
    f"tp_registry.entries[{number('index')}]->name").string()
answers["slot"] = number("slot")
gdb.execute("tbreak tp_soak_fault")
gdb.execute(f"tbreak tp_ask_frame if tp_clock_now >= {number('tp_clock_now') + LATER}")
gdb.execute("continue")
ram(FILE, BEGIN, END)
"""
ASKED = ("tp fault", "tp check")


class Firmware:
    """The one of tests/soak/firmware, by a compiler at a level of optimisation."""

    def __init__(self, folder, compiler, level, changed=("", ""), checks=1):
        self.elf = folder / f"{compiler}{level}.elf"
        objects = folder / f"{compiler}{level}"
        objects.mkdir()
        here = ROOT / "tests" / "soak" / "firmware"
        pools = folder / "pools.toml"
        pools.write_text((here / "pools.toml").read_text().replace(*changed))
        tool(sys.executable, TOOL, "generate", pools, "--out", objects)
        sources = [here / "main.c", objects / "tp_pools.c",
                   *ROOT.glob("lib/*/*.c"), *ROOT.glob("qemu/telemetry/*.c"),
                   *(ROOT / "qemu" / name for name in
                     ("startup.c", "semihost.c", "boards/cmsdk.c"))]
        folders = ["lib", "port/cortex_m", "port/cache/none", "qemu", "qemu/boards",
                   "qemu/telemetry"]
        for source in sources:
            tool(*COMPILERS[compiler], *FLAGS, f"-DTP_CHECKS={checks}", level, "-c",
                 f"-I{objects}",
                 *(f"-I{ROOT / one}" for one in folders), source, "-o",
                 objects / f"{source.stem}.o")
        tool("arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-nostartfiles",
             "-Wl,--gc-sections,--no-warn-rwx-segments", f"-L{ROOT / 'linker'}",
             f"-L{objects}", "-T", f"{BOARD}.ld", "-o", self.elf,
             *objects.glob("*.o"))
        variables = opened(self.elf, [])[0].elf.variables()
        self.begin, self.end = variables[0][0], max(end for _, end in variables)


def cases():
    """(plant, compiler, level): of a run that is not full, each plant once."""
    whole = [(name, tuple(COMPILERS)[(at + number) % 2], level)
             for number, name in enumerate(PLANTS) for at, level in enumerate(LEVELS)]
    return whole if is_full() else [
        one for one in whole if one[1:] in (("gcc", "-O3"), ("clang", "-O3"))]


class Plants(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = scratch(cls)
        cls.firmwares = {}
        cls.seen = {}

    def of(self, compiler, level):
        if (compiler, level) not in self.firmwares:
            self.firmwares[compiler, level] = Firmware(self.folder, compiler, level)
        return self.firmwares[compiler, level]

    def dumped(self, plant, firmware, later):
        """(pool, slot) of what was planted, and the dump."""
        path = self.folder / f"{plant}-{firmware.elf.stem}.bin"
        known = f"FILE, LATER = {str(path)!r}, {later}\n" \
            f"BEGIN, END = {firmware.begin}, {firmware.end}\n"
        told = live(firmware.elf, known + SCRIPT, "soak", "frames=3600",
                    f"plant={plant}", "plant_frame=300")
        return told["pool"], told["slot"], path

    def asked(self, firmware, path, pool):
        """What GDB says of the core."""
        core = path.with_suffix(".core")
        tidepool("core", firmware.elf, path, "--out", core)
        words = (*ASKED, f"tp holders {pool}")
        script = f"for words in {words}: answers[words] = ask(words)"
        answers = gdb(firmware.elf, script, "-ex", f"core-file {core}")
        return "".join(answers[one] for one in ASKED) \
            + f"{pool}:\n{answers[words[-1]]}"

    def test_pool_slot_and_who_did_it_are_named_by_the_dump_and_by_gdb(self):
        self.assertEqual(24 if is_full() else 8, len(cases()))
        for plant, compiler, level in cases():
            with self.subTest(plant=plant, compiler=compiler, level=level):
                firmware = self.of(compiler, level)
                pool, slot, path = self.dumped(plant, firmware, PLANTS[plant][0])
                wanted = PLANTS[plant][1].replace("POOL", pool).replace(
                    "SLOT", str(slot))
                code = 0 if plant == "slow-leak" else 1
                said = tidepool("dump", firmware.elf, path, code=code)
                self.assertRegex(said, re.compile(wanted))
                self.assertRegex(self.asked(firmware, path, pool), re.compile(wanted))

    def test_an_underrun_is_before_all_of_an_object_wherever_its_link_is(self):
        folder = scratch(self)
        firmware = Firmware(folder, "gcc", "-O2",
                            ("size = 24,", "size = 24, link = 8,"), checks=3)
        pool, _, path = self.dumped("underrun", firmware, 200)
        self.assertEqual("orders", pool)
        self.assertIn("fault: red-zone of orders", tidepool("dump", firmware.elf, path,
                                                            code=1))
