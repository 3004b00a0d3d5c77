# SPDX-License-Identifier: MIT
"""Print: rows to tp_pools.c."""

from .definitions import DEFINITIONS
from .page import HOOKS, SENTINEL, Page
from .pool_definitions import define_pool
from .pool_rules import LACKS
from .rows import Pool
from .text import casts, hooked, lenders_first, paragraphs


class Source(Page):
    """Defines what each row makes."""

    def text(self):
        pools = self.config.pools
        sentinel = ["// Only tp_pools.ld defines it. A link without that ends with "
                    "this sentence.",
                    f"extern const char {SENTINEL}[];"]
        return paragraphs([
            [f"// {self.banner}", "// clang-format off"],
            [f'#include "{name}"' for name in self.includes()],
            self.level_guard(),
            sentinel if any(tenant.lies_in for tenant in self.config.tenants()) else [],
            *[self.define(row) for row in lenders_first(self.config.rows())],
            ["const struct tp_pool *const tp_pool_table[TP_POOL_N] = {",
             *[f"  &{pool.name}_pool," for pool in pools], "};"] if pools else [],
        ])

    def includes(self):
        names = ["tp_pools.h", "core/tp_shape.h"]
        own = [pool for pool in self.config.pools if pool.code == "own"]
        names += ["core/tp_core.h"] if own else []
        if any(pool.lock == "exclusive" for pool in own):
            names.append("core/tp_exclusive.h")
        if any(pool.full == "steal-oldest" for pool in own):
            names.append("policy/tp_steal.h")
        return names

    def level_guard(self):
        """Stops the compiler at another check level than the file counts with."""
        build = self.config.build
        if not build.checks:
            return []
        return [f"TP_STATIC_ASSERT(TP_CHECKS == TP_CHECKS_{build.checks.upper()},\n"
                f'                 "{self.base}:{build.place("checks").line}: '
                f'compiled at another check level than {build.checks}");']

    def define(self, row):
        lines = self.port_guard(row) if isinstance(row, Pool) else []
        for key in row.CALLBACKS:
            lines += cast(row, key)
        if isinstance(row, Pool):
            return lines + define_pool(row)
        return lines + DEFINITIONS[type(row)](row)

    def port_guard(self, pool):
        """Stops the compiler for a core that lacks what the pool locks with."""
        if not pool.lock_means:
            return []
        reason = f"{self.at(pool, 'lock')}: this core {LACKS[pool.lock_means]}"
        return [f"#if !TP_PORT_HAS_{pool.lock_means.upper()}", f'#error "{reason}"',
                "#endif"]


def cast(row, key):
    """A function as the library calls it, in front of the application's typed one."""
    if hooked(row, key) == getattr(row, key):
        return []
    hook = HOOKS[key]
    back = "" if hook.returns == "void" else "return "
    return [f"static {hook.returns} {hooked(row, key)}({hook.plain})", "{",
            f"  {back}{getattr(row, key)}({hook.cast.format(**casts(row))});", "}"]
