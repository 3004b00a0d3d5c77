# SPDX-License-Identifier: MIT
"""A task that preempts at every instruction boundary, on the stand-in of qemu/kernel.

The same operations as in test_sweep.py, but what comes there is the kernel's tick or
an interrupt that calls it, and a task that it wakes makes the calls. Where the
operation sleeps, others run meanwhile, and are interrupted, too.
"""

import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import test_sweep as sweep  # noqa: E402
from support import ROOT, build, is_full  # noqa: E402

BOARD = "mps2_an385"
# What full does beyond, test_sweep.py has interrupted.
LEVELS = ("fast", "full") if is_full() else ("fast",)
OURS = tuple(f"{ROOT}/{folder}/" for folder in ("lib", "port"))
CONTROLS = ("bare_drop.", "bare_steal.", "bare_keyed.", "bare_both.")


def of_the_library(elf, addresses):
    """Those of them that lib, or a port, is compiled to."""
    unique = sorted(set(addresses))
    lines = subprocess.run(
        ["arm-none-eabi-addr2line", "-e", elf], text=True, check=True,
        input="".join(f"{address:#x}\n" for address in unique),
        stdout=subprocess.PIPE).stdout.splitlines()
    ours = {address for address, line in zip(unique, lines)
            if str(Path(line).resolve()).startswith(OURS)}
    return [address for address in addresses if address in ours]


class Image:
    def __init__(self, level):
        self.elf = build(BOARD, level, "sweep_tasks") / "sweep_tasks.elf"
        self.code, self.output = sweep.emulate(BOARD, self.elf)
        self.rows = sweep.rows_in(self.output)
        self.calls = {name: call for name, _, call in
                      sweep.recorded(BOARD, self.elf)}
        self.marks = sweep.symbols(self.elf)
        self.steps = sweep.steps_of_the_lock(self.elf)

    def sleeps(self, operation):
        return self.marks["PendSV_Handler"] in self.calls[operation]

    def expected(self, operation):
        """Where each interrupt must come, in order; of the library's instructions
        alone, in any, if it sleeps."""
        call, steps = self.calls[operation], self.steps
        if self.sleeps(operation):
            call = of_the_library(self.elf, call)
        return sweep.expect(call, steps, self.marks["armed_return"]).hits


class Preempted(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.images = [Image(level) for level in LEVELS]

    def swept(self):
        for image in self.images:
            for row in image.rows:
                if row.kind == "swept":
                    yield image, row

    def test_a_task_that_preempts_at_any_boundary_leaves_every_pool_whole(self):
        for image in self.images:
            last = image.output.splitlines()[-1]
            self.assertRegex(last, r"^[1-9]\d* passed, 0 failed$", "\n".join(
                line for line in image.output.splitlines()
                if line.startswith(("FAIL ", "broken ")) and "bare_" not in line))
            self.assertEqual(0, image.code)

    def test_it_comes_at_every_boundary_that_is_not_masked(self):
        for image, row in self.swept():
            if not image.sleeps(row.operation):
                self.assertEqual(image.expected(row.operation), row.hits,
                                 f"{row.operation} {row.move}")

    def test_it_comes_at_every_instruction_of_a_call_that_sleeps(self):
        sleepers = {}
        for image, row in self.swept():
            if image.sleeps(row.operation):
                missed = set(image.expected(row.operation)) - set(row.hits)
                self.assertEqual(set(), missed, f"{row.operation} {row.move}")
                sleepers.setdefault(row.operation, set()).add(row.move)
        self.assertIn("both.wait_beside_another", sleepers)
        self.assertEqual(6, len(sleepers["waited.wait_in_vain"]))

    def test_without_the_lock_it_breaks_pools_and_the_list_of_who_waits(self):
        for image in self.images:
            for pool in CONTROLS:
                broken = sum(row.broken for row in image.rows
                             if row.operation.startswith(pool))
                self.assertGreater(broken, 0, pool)


if __name__ == "__main__":
    unittest.main()
