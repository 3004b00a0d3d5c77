# SPDX-License-Identifier: MIT
"""Print: banks to tp_pools.ld, a fragment of a linker script."""

from .page import SENTINEL, Page
from .text import paragraphs


class Linker(Page):
    """An arena for each bank, and checks that it came where it should."""

    def text(self):
        banks = [bank for bank in self.config.banks.values() if bank.residents]
        return paragraphs([
            [f"/* {self.banner}", "   INCLUDE it inside SECTIONS, before .bss. */"],
            [f"{SENTINEL} = 0x1deadb0b;"],
            *[self.arena(bank) for bank in banks],
        ])

    def arena(self, bank):
        start, end = f"tp_arena_{bank.name}_start", f"tp_arena_{bank.name}_end"
        lines = must(f"LENGTH({bank.region}) < 0x80000000",
                     f"{self.at(bank, 'region')}: MEMORY of the linker script has no "
                     f"{bank.region}")
        lines += [f".tp_arena_{bank.name} (NOLOAD) : ALIGN(8)", "{",
                  f"  {start} = .;",
                  f"  KEEP(*(SORT_BY_NAME(.bss.tp_arena.{bank.name}.*)))",
                  f"  {end} = .;",
                  f"}} > {bank.region}"]
        if bank.budget:
            lines += must(f"{end} - {start} <= {bank.budget}",
                          f"{self.at(bank, 'budget')}: more than the budget of "
                          f"{bank.budget} bytes")
        # A pool that is used must have come here; one that is not may be collected.
        used = " || ".join(f"DEFINED({tenant.descriptor})" for tenant in bank.residents)
        return lines + must(f"{end} > {start} || !({used})",
                            f"{self.at(bank)}: INCLUDE tp_pools.ld must stand before "
                            ".bss")


def must(claim, text):
    return [f"ASSERT({claim},", f'       "{text}")']
